//! Closed months.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use service::ports::{
    StoreResult,
    periods::{ClosedMonth, Month, Periods},
};

use super::{super::dialect, Repos};
use crate::{
    columns::Instant,
    error::fault,
    rows::periods::ClosedMonthRow,
    schema::{closed_months as c, ledger_entries},
};

const TABLE: &str = "closed_months";

impl Periods for Repos<'_> {
    fn hold(&mut self) -> StoreResult<()> {
        dialect::lock_books(self.conn, true).map_err(fault(TABLE))
    }

    fn last(&mut self) -> StoreResult<Option<ClosedMonth>> {
        if self.writes {
            dialect::lock_books(self.conn, false).map_err(fault(TABLE))?;
        }
        let row: Option<ClosedMonthRow> = c::table
            .order(c::until_at.desc())
            .select(ClosedMonthRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(ClosedMonthRow::read).transpose()
    }

    fn closed(&mut self) -> StoreResult<Vec<ClosedMonth>> {
        let rows: Vec<ClosedMonthRow> = c::table
            .order(c::until_at.desc())
            .select(ClosedMonthRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(ClosedMonthRow::read).collect()
    }

    fn close(&mut self, month: &ClosedMonth) -> StoreResult<()> {
        diesel::insert_into(c::table)
            .values(ClosedMonthRow::from(month))
            .execute(self.conn)
            .map(drop)
            .map_err(fault(TABLE))
    }

    fn reopen(&mut self, month: Month) -> StoreResult<bool> {
        let gone = diesel::delete(c::table.find(month.to_string())).execute(self.conn).map_err(fault(TABLE))?;
        Ok(gone == 1)
    }

    fn first_entry(&mut self) -> StoreResult<Option<DateTime<Utc>>> {
        let first: Option<Instant> = ledger_entries::table
            .select(ledger_entries::at)
            .order(ledger_entries::at)
            .first(self.conn)
            .optional()
            .map_err(fault("ledger_entries"))?;
        Ok(first.map(|at| at.0))
    }
}
