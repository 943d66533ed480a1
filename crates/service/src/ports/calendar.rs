//! The calendar of crews and trucks: what a hub has by weekday and on single dates. Buckets of
//! capacity are made from it; see [`super::capacity`].

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::{StoreResult, capacity::DayCapacity};

/// Calendars of hubs. Who changes one locks it first.
pub trait Calendars {
    /// Nobody else changes this hub's calendar, or makes buckets from it, until the unit ends.
    fn lock(&mut self, hub: &str) -> StoreResult<()>;
    /// The weekdays that have a default, 0 = Monday.
    fn week(&mut self, hub: &str) -> StoreResult<BTreeMap<u8, DayCapacity>>;
    /// The dates from a day on that have their own row.
    fn dates(&mut self, hub: &str, from: NaiveDate) -> StoreResult<BTreeMap<NaiveDate, DayCapacity>>;
    /// Writes the default of a weekday. Buckets that exist stay as they are until [`Calendars::replan`].
    fn set_weekday(&mut self, hub: &str, weekday: u8, capacity: DayCapacity) -> StoreResult<()>;
    /// Writes the row of a date; buckets as above.
    fn set_date(&mut self, hub: &str, date: NaiveDate, capacity: DayCapacity) -> StoreResult<()>;
    /// Removes the row of a date; buckets as above.
    fn clear_date(&mut self, hub: &str, date: NaiveDate) -> StoreResult<()>;
    /// The dates from a day on that have buckets, each with the most that is taken at one time.
    fn taken(&mut self, hub: &str, from: NaiveDate) -> StoreResult<BTreeMap<NaiveDate, DayCapacity>>;
    /// Gives the buckets that exist from a day on what the calendar says now. `Refused` when more
    /// is taken than would remain.
    fn replan(&mut self, hub: &str, from: NaiveDate) -> StoreResult<()>;
}
