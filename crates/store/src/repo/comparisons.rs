//! Comparisons of the accounts, and the differences that they found.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{BookingId, UserId};
use service::ports::{
    StoreResult,
    comparisons::{Comparison, ComparisonId, Comparisons, DifferenceId, FoundDifference, Standing},
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::comparisons::{ComparisonRow, FoundRow},
    schema::{comparison_differences, comparisons},
};

const TABLE: &str = "comparisons";
const FOUND: &str = "comparison_differences";

impl Comparisons for Repos<'_> {
    fn add(&mut self, comparison: &Comparison, found: &[FoundDifference]) -> StoreResult<()> {
        diesel::insert_into(comparisons::table)
            .values(ComparisonRow::from(comparison))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        // A statement has room for so many parameters only.
        for some in found.chunks(100) {
            let rows = some.iter().map(FoundRow::of).collect::<StoreResult<Vec<_>>>()?;
            diesel::insert_into(comparison_differences::table)
                .values(&rows)
                .execute(self.conn)
                .map_err(fault(FOUND))?;
        }
        Ok(())
    }

    fn last(&mut self) -> StoreResult<Option<Comparison>> {
        let row: Option<ComparisonRow> = comparisons::table
            .order(comparisons::seq.desc())
            .select(ComparisonRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        Ok(row.map(Comparison::from))
    }

    fn found_by(&mut self, id: ComparisonId, limit: i64) -> StoreResult<Vec<FoundDifference>> {
        let rows: Vec<FoundRow> = comparison_differences::table
            .filter(comparison_differences::comparison_id.eq(Id(id.0)))
            .order(comparison_differences::seq)
            .limit(limit)
            .select(FoundRow::as_select())
            .load(self.conn)
            .map_err(fault(FOUND))?;
        rows.into_iter().map(FoundRow::read).collect()
    }

    fn open_of(&mut self, booking: BookingId) -> StoreResult<Vec<FoundDifference>> {
        let Some(newest) = self.last()? else { return Ok(Vec::new()) };
        let rows: Vec<FoundRow> = comparison_differences::table
            .filter(comparison_differences::comparison_id.eq(Id(newest.id.0)))
            .filter(comparison_differences::booking_id.eq(Id(booking.0)))
            .filter(comparison_differences::standing.eq(Standing::Open.code()))
            .order(comparison_differences::seq)
            .select(FoundRow::as_select())
            .load(self.conn)
            .map_err(fault(FOUND))?;
        rows.into_iter().map(FoundRow::read).collect()
    }

    fn found(&mut self, id: DifferenceId) -> StoreResult<Option<FoundDifference>> {
        if self.writes {
            super::super::dialect::lock_key(self.conn, &format!("difference {id}")).map_err(fault(FOUND))?;
        }
        let row: Option<FoundRow> = comparison_differences::table
            .find(Id(id.0))
            .select(FoundRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(FOUND))?;
        row.map(FoundRow::read).transpose()
    }

    fn settle(&mut self, id: DifferenceId, to: Standing, at: DateTime<Utc>, by: Option<UserId>) -> StoreResult<bool> {
        let open = comparison_differences::table
            .find(Id(id.0))
            .filter(comparison_differences::standing.eq(Standing::Open.code()));
        let written = diesel::update(open)
            .set((
                comparison_differences::standing.eq(to.code()),
                comparison_differences::changed_at.eq(Instant(at)),
                comparison_differences::changed_by.eq(by.map(|id| Id(id.0))),
            ))
            .execute(self.conn)
            .map_err(fault(FOUND))?;
        Ok(written == 1)
    }

    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize> {
        diesel::delete(comparisons::table.filter(comparisons::at.lt(Instant(before))))
            .execute(self.conn)
            .map_err(fault(TABLE))
    }
}
