//! Putting calendars in force: all of them or none.

use std::{collections::BTreeMap, fmt};

use chrono::NaiveDate;
use scheduling::TruckClass;
use serde_json::to_value;

use super::{HubCalendar, stored, today};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    ports::{StoreError, capacity::DayCapacity},
};

/// Somebody may take what is left between our look and our write: then it is looked at again.
const LOOKS: u32 = 3;

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
    /// What the calendar would give.
    pub planned: u32,
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.truck {
            None => "mates".to_owned(),
            Some(class) => format!("trucks of {} ft", [10, 20, 26][class.index()]),
        };
        let (hub, date, taken, planned) = (self.hub, self.date, self.taken, self.planned);
        write!(f, "{hub} {date}: {taken} {what} are taken, {planned} would be there: {} too few", taken - planned)
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
/// before stays, as do hubs that are not named; loading the same again changes nothing.
///
/// # Errors
/// [`LoadError::Taken`] when less would be there than is taken on some day; failures of the database.
pub async fn load(s: &Services, by: Actor, calendars: Vec<HubCalendar>) -> Result<Vec<Change>, LoadError> {
    let mut looks = 0;
    loop {
        looks += 1;
        let calendars = calendars.clone();
        let done = s.write(by.clone(), move |tx| all(tx, &calendars)).await;
        match done {
            Err(LoadError::Service(Error::Store(StoreError::Refused(_)))) if looks < LOOKS => {}
            done => return done,
        }
    }
}

fn all(tx: &mut Tx<'_>, calendars: &[HubCalendar]) -> Result<Vec<Change>, LoadError> {
    // In one order, whatever the caller's: two loads never wait in a circle.
    let mut calendars: Vec<&HubCalendar> = calendars.iter().collect();
    calendars.sort_by_key(|c| c.hub);
    let (mut changes, mut lacking) = (Vec::new(), Vec::new());
    for calendar in calendars {
        let Some(hub) = geography::hub(calendar.hub) else {
            return Err(Error::Internal(format!("there is no hub {}", calendar.hub)).into());
        };
        tx.unit.calendars().lock(hub.id)?;
        tx.look_at_clock();
        let from = today(hub, tx.now);
        let wanted =
            HubCalendar { dates: calendar.dates.range(from..).map(|(d, c)| (*d, *c)).collect(), ..calendar.clone() };
        lacking.extend(shortfalls(&wanted, &tx.unit.calendars().taken(hub.id, from)?));
        if lacking.is_empty() {
            let past = calendar.dates.range(..from).map(|(date, _)| *date).collect();
            changes.push(Change { past, ..one(tx, &wanted, from)? });
        }
    }
    if lacking.is_empty() { Ok(changes) } else { Err(LoadError::Taken(lacking)) }
}

fn one(tx: &mut Tx<'_>, wanted: &HubCalendar, from: NaiveDate) -> ServiceResult<Change> {
    let hub = wanted.hub;
    let before = stored(tx.unit, hub, from)?;
    let whole_week = tx.unit.calendars().week(hub)?.len() == wanted.week.len();
    let differs = |(date, day): &(&NaiveDate, &DayCapacity)| before.dates.get(date) != Some(day);
    let change = Change {
        hub,
        week: !whole_week || before.week != wanted.week,
        set: wanted.dates.iter().filter(differs).map(|(date, _)| *date).collect(),
        removed: before.dates.keys().filter(|date| !wanted.dates.contains_key(date)).copied().collect(),
        past: Vec::new(),
    };
    if change.is_none() {
        return Ok(change);
    }
    for (weekday, day) in (0..).zip(wanted.week) {
        tx.unit.calendars().set_weekday(hub, weekday, day)?;
    }
    for date in &change.set {
        tx.unit.calendars().set_date(hub, *date, wanted.dates[date])?;
    }
    for date in &change.removed {
        tx.unit.calendars().clear_date(hub, *date)?;
    }
    tx.unit.calendars().replan(hub, from)?;
    tx.replans();
    tx.audit("calendar.load", hub, to_value(&before).ok(), to_value(wanted).ok())?;
    Ok(change)
}

fn shortfalls(wanted: &HubCalendar, taken: &BTreeMap<NaiveDate, DayCapacity>) -> Vec<Shortfall> {
    let mut found = Vec::new();
    for (date, taken) in taken {
        let planned = wanted.on(*date);
        let mut compare = |truck, taken: u32, planned: u32| {
            if taken > planned {
                found.push(Shortfall { hub: wanted.hub, date: *date, truck, taken, planned });
            }
        };
        compare(None, taken.mates, planned.mates);
        for class in TruckClass::ALL {
            compare(Some(class), taken.trucks[class.index()], planned.trucks[class.index()]);
        }
    }
    found
}
