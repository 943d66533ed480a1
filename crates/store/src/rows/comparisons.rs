//! Rows of comparisons.

use diesel::prelude::*;
use kernel::{BookingId, UserId};
use service::ports::{
    StoreResult,
    comparisons::{Comparison, ComparisonId, DifferenceId, FoundDifference, Standing},
};

use crate::{
    columns::{Doc, Id, Instant},
    error::unknown,
    schema::{comparison_differences, comparisons},
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = comparisons, treat_none_as_default_value = false)]
pub struct ComparisonRow {
    pub id: Id,
    pub from_at: Instant,
    pub until_at: Instant,
    pub at: Instant,
    pub asked_by: Option<Id>,
    pub transactions: i64,
    pub attempts: i64,
    pub bookings: i64,
    pub differences: i64,
}

impl From<&Comparison> for ComparisonRow {
    fn from(c: &Comparison) -> Self {
        ComparisonRow {
            id: Id(c.id.0),
            from_at: Instant(c.from),
            until_at: Instant(c.until),
            at: Instant(c.at),
            asked_by: c.asked_by.map(|id| Id(id.0)),
            transactions: c.transactions,
            attempts: c.attempts,
            bookings: c.bookings,
            differences: c.differences,
        }
    }
}

impl From<ComparisonRow> for Comparison {
    fn from(row: ComparisonRow) -> Self {
        Comparison {
            id: ComparisonId(row.id.0),
            from: row.from_at.0,
            until: row.until_at.0,
            at: row.at.0,
            asked_by: row.asked_by.map(|id| UserId(id.0)),
            transactions: row.transactions,
            attempts: row.attempts,
            bookings: row.bookings,
            differences: row.differences,
        }
    }
}

const TABLE: &str = "comparison_differences";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = comparison_differences, treat_none_as_default_value = false)]
pub struct FoundRow {
    pub id: Id,
    pub comparison_id: Id,
    pub booking_id: Option<Id>,
    pub difference: Doc,
    pub repair: Option<Doc>,
    pub standing: String,
    pub changed_at: Instant,
    pub changed_by: Option<Id>,
}

impl FoundRow {
    pub fn of(f: &FoundDifference) -> StoreResult<Self> {
        Ok(FoundRow {
            id: Id(f.id.0),
            comparison_id: Id(f.comparison.0),
            booking_id: f.booking.map(|id| Id(id.0)),
            difference: Doc::of(&f.difference)?,
            repair: f.repair.as_ref().map(Doc::of).transpose()?,
            standing: f.standing.code().to_owned(),
            changed_at: Instant(f.changed_at),
            changed_by: f.changed_by.map(|id| Id(id.0)),
        })
    }

    pub fn read(self) -> StoreResult<FoundDifference> {
        let id = self.id.0;
        let standing = Standing::from_code(&self.standing);
        Ok(FoundDifference {
            id: DifferenceId(id),
            comparison: ComparisonId(self.comparison_id.0),
            booking: self.booking_id.map(|id| BookingId(id.0)),
            difference: self.difference.read(TABLE, "difference", &id)?,
            repair: self.repair.map(|doc| doc.read(TABLE, "repair", &id)).transpose()?,
            standing: standing.ok_or_else(|| unknown(TABLE, "standing", &id, &self.standing))?,
            changed_at: self.changed_at.0,
            changed_by: self.changed_by.map(|id| UserId(id.0)),
        })
    }
}
