//! Saved settings.

use diesel::prelude::*;
use service::ports::{
    StoreResult,
    settings::{SavedSettings, Settings},
};

use super::Repos;
use crate::{error::fault, rows::settings::SettingsRow, schema::settings};

const TABLE: &str = "settings";

impl Settings for Repos<'_> {
    fn latest(&mut self, area: &str) -> StoreResult<Option<SavedSettings>> {
        let row: Option<SettingsRow> = settings::table
            .filter(settings::area.eq(area))
            .order(settings::version.desc())
            .select(SettingsRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(SettingsRow::read).transpose()
    }

    fn versions(&mut self, area: &str, limit: i64) -> StoreResult<Vec<SavedSettings>> {
        let rows: Vec<SettingsRow> = settings::table
            .filter(settings::area.eq(area))
            .order(settings::version.desc())
            .limit(limit.max(0))
            .select(SettingsRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(SettingsRow::read).collect()
    }

    fn insert(&mut self, new: &SavedSettings) -> StoreResult<()> {
        diesel::insert_into(settings::table).values(SettingsRow::of(new)?).execute(self.conn).map_err(fault(TABLE))?;
        Ok(())
    }
}
