//! Counters of what one account or network has tried.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use service::ports::{StoreResult, tallies::Tallies};

use super::Repos;
use crate::{
    columns::{Doc, Instant},
    error::fault,
    schema::tallies,
    statement::upsert,
};

const TABLE: &str = "tallies";

impl Tallies for Repos<'_> {
    fn lock(&mut self, key: &str, now: DateTime<Utc>) -> StoreResult<Vec<DateTime<Utc>>> {
        let none: [DateTime<Utc>; 0] = [];
        // Writing the row, new or known, locks it on both engines.
        let row =
            (tallies::counted_by.eq(key), tallies::instants.eq(Doc::of(&none)?), tallies::last_at.eq(Instant(now)));
        upsert(tallies::table, row, &["counted_by"], tallies::last_at.eq(Instant(now)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        let stored: Doc = tallies::table.find(key).select(tallies::instants).first(self.conn).map_err(fault(TABLE))?;
        stored.read(TABLE, "instants", &key)
    }

    fn put(&mut self, key: &str, instants: &[DateTime<Utc>]) -> StoreResult<()> {
        diesel::update(tallies::table.find(key))
            .set(tallies::instants.eq(Doc::of(instants)?))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize> {
        diesel::delete(tallies::table.filter(tallies::last_at.lt(Instant(before))))
            .execute(self.conn)
            .map_err(fault(TABLE))
    }
}
