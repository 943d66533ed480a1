//! The calendar of crews and trucks: what a hub has by weekday and on single dates. Buckets of
//! capacity are made from it, less what is away; see [`super::capacity`] and [`super::absences`].

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use chrono::NaiveDate;
use scheduling::TruckClass;

use super::{StoreResult, capacity::DayCapacity};

/// Less would be there than is promised already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortfall {
    /// Id of the hub.
    pub hub: &'static str,
    /// Local day.
    pub date: NaiveDate,
    /// Mates (none), or trucks of a class.
    pub truck: Option<TruckClass>,
    /// Taken at one time.
    pub taken: u32,
    /// What would be there.
    pub planned: u32,
}

impl Shortfall {
    /// How many too few.
    #[must_use]
    pub fn missing(&self) -> u32 {
        self.taken.saturating_sub(self.planned)
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.truck {
            None => "mates".to_owned(),
            Some(class) => format!("trucks of {} ft", class.feet()),
        };
        let (hub, date, taken, planned) = (self.hub, self.date, self.taken, self.planned);
        write!(f, "{hub} {date}: {taken} {what} are taken, {planned} would be there: {} too few", self.missing())
    }
}

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
    /// Why the dates from a day on that have their own row have it; those with a reason only.
    fn reasons(&mut self, hub: &str, from: NaiveDate) -> StoreResult<BTreeMap<NaiveDate, String>>;
    /// How often the week was written by [`Calendars::count_week`]; 0 = never.
    fn week_version(&mut self, hub: &str) -> StoreResult<i32>;
    /// The week is another one: counts it, and answers its new version.
    fn count_week(&mut self, hub: &str) -> StoreResult<i32>;
    /// What the hub offers on each of the dates: override, else weekday default, else nothing; less what is away.
    fn offered(&mut self, hub: &str, dates: &BTreeSet<NaiveDate>) -> StoreResult<BTreeMap<NaiveDate, DayCapacity>>;
    /// Writes the row of a date, with its reason, which may be empty; buckets as above.
    fn set_date(&mut self, hub: &str, date: NaiveDate, capacity: DayCapacity, reason: &str) -> StoreResult<()>;
    /// Removes the row of a date; buckets as above.
    fn clear_date(&mut self, hub: &str, date: NaiveDate) -> StoreResult<()>;
    /// The dates from a day on that have buckets, each with the most that is taken at one time.
    fn taken(&mut self, hub: &str, from: NaiveDate) -> StoreResult<BTreeMap<NaiveDate, DayCapacity>>;
    /// Gives the buckets that exist from a day on what the calendar and the absences say now. `Refused` when more
    /// is taken than would remain.
    fn replan(&mut self, hub: &str, from: NaiveDate) -> StoreResult<()>;
}
