//! Saved settings.

use diesel::prelude::*;
use kernel::UserId;
use service::ports::{StoreResult, settings::SavedSettings};

use crate::{
    columns::{Doc, Id, Instant},
    schema::settings,
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = settings, treat_none_as_default_value = false)]
pub struct SettingsRow {
    pub area: String,
    pub version: i32,
    pub saved: Doc,
    pub changed_at: Instant,
    pub changed_by: Option<Id>,
}

impl SettingsRow {
    pub fn of(s: &SavedSettings) -> StoreResult<Self> {
        Ok(SettingsRow {
            area: s.area.clone(),
            version: s.version,
            saved: Doc::of(&s.saved)?,
            changed_at: Instant(s.changed_at),
            changed_by: s.changed_by.map(|user| Id(user.0)),
        })
    }

    pub fn read(self) -> StoreResult<SavedSettings> {
        let row = format!("{} {}", self.area, self.version);
        Ok(SavedSettings {
            saved: self.saved.read("settings", "saved", &row)?,
            area: self.area,
            version: self.version,
            changed_at: self.changed_at.0,
            changed_by: self.changed_by.map(|id| UserId(id.0)),
        })
    }
}
