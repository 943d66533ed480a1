//! Profiles.

use diesel::prelude::*;
use kernel::UserId;
use service::ports::{
    StoreError, StoreResult,
    profiles::{Profile, Profiles},
};

use super::Repos;
use crate::{columns::Id, error::fault, rows::profiles::ProfileRow, schema::profiles};

const TABLE: &str = "profiles";

impl Profiles for Repos<'_> {
    fn get(&mut self, id: UserId) -> StoreResult<Option<Profile>> {
        let row: Option<ProfileRow> = profiles::table
            .find(Id(id.0))
            .select(ProfileRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(ProfileRow::read).transpose()
    }

    fn insert(&mut self, profile: &Profile) -> StoreResult<()> {
        diesel::insert_into(profiles::table)
            .values(ProfileRow::of(profile)?)
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn update(&mut self, profile: &Profile, expected: i32) -> StoreResult<i32> {
        let row = ProfileRow { version: expected.saturating_add(1), ..ProfileRow::of(profile)? };
        let known = profiles::table.filter(profiles::user_id.eq(row.user_id)).filter(profiles::version.eq(expected));
        let written = diesel::update(known).set(&row).execute(self.conn).map_err(fault(TABLE))?;
        if written == 1 { Ok(row.version) } else { Err(StoreError::Stale) }
    }
}
