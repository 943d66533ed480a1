//! Rate cards.

use chrono::{DateTime, Utc};
use diesel::{dsl::max, prelude::*};
use kernel::RateId;
use service::ports::{
    StoreResult,
    rates::{Rates, STANDARD, StoredRate},
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::rates::RateRow,
    schema::rates,
};

const TABLE: &str = "rates";

impl Rates for Repos<'_> {
    fn active(&mut self, name: Option<&str>, at: DateTime<Utc>) -> StoreResult<Option<StoredRate>> {
        let row: Option<RateRow> = rates::table
            .filter(rates::name.eq(name.unwrap_or(STANDARD)))
            .filter(rates::effective_from.le(Instant(at)))
            .filter(rates::effective_to.is_null().or(rates::effective_to.gt(Instant(at))))
            .order((rates::effective_from.desc(), rates::version.desc()))
            .select(RateRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(RateRow::read).transpose()
    }

    fn next_begin(&mut self, name: Option<&str>, at: DateTime<Utc>) -> StoreResult<Option<DateTime<Utc>>> {
        let first: Option<Instant> = rates::table
            .filter(rates::name.eq(name.unwrap_or(STANDARD)))
            .filter(rates::effective_from.gt(Instant(at)))
            .order(rates::effective_from)
            .select(rates::effective_from)
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        Ok(first.map(|at| at.0))
    }

    fn versions(&mut self, name: &str) -> StoreResult<Vec<StoredRate>> {
        let rows: Vec<RateRow> = rates::table
            .filter(rates::name.eq(name))
            .order(rates::version.desc())
            .select(RateRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(RateRow::read).collect()
    }

    fn get(&mut self, id: RateId) -> StoreResult<Option<StoredRate>> {
        let row: Option<RateRow> = rates::table
            .find(Id(id.0))
            .select(RateRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(RateRow::read).transpose()
    }

    fn latest_version(&mut self, name: &str) -> StoreResult<Option<i32>> {
        rates::table.filter(rates::name.eq(name)).select(max(rates::version)).first(self.conn).map_err(fault(TABLE))
    }

    fn all(&mut self) -> StoreResult<Vec<StoredRate>> {
        let rows: Vec<RateRow> = rates::table.select(RateRow::as_select()).load(self.conn).map_err(fault(TABLE))?;
        let mut all: Vec<StoredRate> = rows.into_iter().map(RateRow::read).collect::<StoreResult<_>>()?;
        // Not by the database: each engine has its own order of texts.
        all.sort_by(|a, b| a.name.cmp(&b.name).then(b.version.cmp(&a.version)));
        Ok(all)
    }

    fn insert(&mut self, rate: &StoredRate) -> StoreResult<()> {
        diesel::insert_into(rates::table).values(RateRow::of(rate)?).execute(self.conn).map_err(fault(TABLE))?;
        Ok(())
    }

    fn remove(&mut self, id: RateId) -> StoreResult<bool> {
        let gone = diesel::delete(rates::table.find(Id(id.0))).execute(self.conn).map_err(fault(TABLE))?;
        Ok(gone == 1)
    }
}
