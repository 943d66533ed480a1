//! Puts the calendars of hubs in force: all of them or none.

use chrono::NaiveDate;
use serde_json::to_value;

use super::{
    HubCalendar, Shortfall,
    change::{self, Entry},
    stored,
};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    ports::{StoreError, capacity::DayCapacity},
};

/// What loading changed in the calendar of a hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Id of the hub.
    pub hub: &'static str,
    /// The week is another one.
    pub week: bool,
    /// Dates that were added or changed.
    pub set: Vec<NaiveDate>,
    /// Dates that follow their weekday again.
    pub removed: Vec<NaiveDate>,
    /// Dates that are over where the hub is: they were passed over.
    pub past: Vec<NaiveDate>,
}

impl Change {
    /// It was so already.
    #[must_use]
    pub fn is_none(&self) -> bool {
        !self.week && self.set.is_empty() && self.removed.is_empty()
    }
}

/// Why nothing was loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// More is taken than would remain; every day of it.
    #[error("more is taken than would remain")]
    Taken(Vec<Shortfall>),
    /// Anything else.
    #[error(transparent)]
    Service(#[from] Error),
}

impl From<StoreError> for LoadError {
    fn from(e: StoreError) -> LoadError {
        LoadError::Service(e.into())
    }
}

/// Gives each named hub exactly this calendar from its today on, in one transaction. What lies
/// before stays, as do hubs that are not named; loading the same again changes nothing. Who is away stays away.
///
/// # Errors
/// [`LoadError::Taken`] when less would be there than is taken on some day; failures of the database.
pub async fn load(s: &Services, by: Actor, calendars: Vec<HubCalendar>) -> Result<Vec<Change>, LoadError> {
    s.write(by, move |tx| all(tx, &calendars)).await.map_err(|e| match e {
        Error::CapacityTaken(lacking) => LoadError::Taken(lacking),
        other => LoadError::Service(other),
    })
}

fn all(tx: &mut Tx<'_>, calendars: &[HubCalendar]) -> ServiceResult<Vec<Change>> {
    // In one order, whatever the caller's: two loads never wait in a circle.
    let mut calendars: Vec<&HubCalendar> = calendars.iter().collect();
    calendars.sort_by_key(|c| c.hub);
    let (mut changes, mut lacking) = (Vec::new(), Vec::new());
    for calendar in calendars {
        let Some(hub) = geography::hub(calendar.hub) else {
            return Err(Error::Internal(format!("there is no hub {}", calendar.hub)));
        };
        match change::of_hub(tx, hub, |tx, today| one(tx, calendar, today)) {
            Ok(change) => changes.push(change),
            // The others are looked at as well: all that is too little is told at once.
            Err(Error::CapacityTaken(more)) => lacking.extend(more),
            Err(e) => return Err(e),
        }
    }
    if lacking.is_empty() { Ok(changes) } else { Err(Error::CapacityTaken(lacking)) }
}

fn one(tx: &mut Tx<'_>, calendar: &HubCalendar, from: NaiveDate) -> ServiceResult<(Change, Option<Entry>)> {
    let hub = calendar.hub;
    let wanted =
        HubCalendar { dates: calendar.dates.range(from..).map(|(d, c)| (*d, *c)).collect(), ..calendar.clone() };
    let before = stored(tx.unit, hub, from)?;
    let whole_week = tx.unit.calendars().week(hub)?.len() == wanted.week.len();
    let differs = |(date, day): &(&NaiveDate, &DayCapacity)| before.dates.get(date) != Some(day);
    let change = Change {
        hub,
        week: !whole_week || before.week != wanted.week,
        set: wanted.dates.iter().filter(differs).map(|(date, _)| *date).collect(),
        removed: before.dates.keys().filter(|date| !wanted.dates.contains_key(date)).copied().collect(),
        past: calendar.dates.range(..from).map(|(date, _)| *date).collect(),
    };
    if change.is_none() {
        return Ok((change, None));
    }
    for (weekday, day) in (0..).zip(wanted.week) {
        tx.unit.calendars().set_weekday(hub, weekday, day)?;
    }
    if change.week {
        tx.unit.calendars().count_week(hub)?;
    }
    for date in &change.set {
        // The file gives no reasons.
        tx.unit.calendars().set_date(hub, *date, wanted.dates[date], "")?;
    }
    for date in &change.removed {
        tx.unit.calendars().clear_date(hub, *date)?;
    }
    let entry = Entry {
        action: "calendar.load",
        subject: hub.to_owned(),
        before: to_value(&before).ok(),
        after: to_value(&wanted).ok(),
    };
    Ok((change, Some(entry)))
}
