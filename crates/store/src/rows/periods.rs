//! Rows of closed months.

use diesel::prelude::*;
use kernel::UserId;
use service::ports::{StoreResult, periods::ClosedMonth};

use super::parse;
use crate::{
    columns::{Id, Instant},
    schema::closed_months,
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = closed_months, treat_none_as_default_value = false)]
pub struct ClosedMonthRow {
    pub month: String,
    pub until_at: Instant,
    pub open_from: Instant,
    pub closed_at: Instant,
    pub closed_by: Option<Id>,
}

impl From<&ClosedMonth> for ClosedMonthRow {
    fn from(m: &ClosedMonth) -> ClosedMonthRow {
        ClosedMonthRow {
            month: m.month.to_string(),
            until_at: Instant(m.until),
            open_from: Instant(m.open_from),
            closed_at: Instant(m.closed_at),
            closed_by: m.closed_by.map(|id| Id(id.0)),
        }
    }
}

impl ClosedMonthRow {
    pub fn read(self) -> StoreResult<ClosedMonth> {
        Ok(ClosedMonth {
            month: parse(&self.month, "closed_months", "month", &self.month)?,
            until: self.until_at.0,
            open_from: self.open_from.0,
            closed_at: self.closed_at.0,
            closed_by: self.closed_by.map(|id| UserId(id.0)),
        })
    }
}
