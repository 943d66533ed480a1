//! The calendar of crews and trucks: how many work at each hub, by weekday and on single dates, and
//! who and what of them is away. Without one a hub offers no slot.

pub mod absences;
mod change;
pub mod desk;
mod hubs;
mod load;

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use geography::Hub;
use serde::Serialize;

use crate::{
    ServiceResult,
    ports::{self, Store, Unit, capacity::DayCapacity},
};

pub use crate::ports::calendar::Shortfall;
pub use hubs::{KnownHub, hubs};
pub use load::{Change, LoadError, load};
pub use scheduling::holiday;

/// Nobody works.
pub const CLOSED: DayCapacity = DayCapacity { mates: 0, trucks: [0; 3] };

/// What a hub has: on each weekday, Monday first, and on dates of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HubCalendar {
    /// Id of the hub.
    pub hub: &'static str,
    /// By weekday, Monday first.
    pub week: [DayCapacity; 7],
    /// Dates that differ from their weekday.
    pub dates: BTreeMap<NaiveDate, DayCapacity>,
}

impl HubCalendar {
    /// What the hub has on a date.
    #[must_use]
    pub fn on(&self, date: NaiveDate) -> DayCapacity {
        let weekday = date.weekday().num_days_from_monday() as usize;
        self.dates.get(&date).copied().unwrap_or(self.week[weekday])
    }

    /// On some day somebody works.
    fn works(&self) -> bool {
        self.week.iter().chain(self.dates.values()).any(|day| day.mates > 0)
    }
}

/// A day of a hub, planned and taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// Local day.
    pub date: NaiveDate,
    /// What the calendar gives.
    pub planned: DayCapacity,
    /// Who and what is away.
    pub absent: DayCapacity,
    /// The most that is taken at one time.
    pub taken: DayCapacity,
    /// It differs from its weekday by a row of its own.
    pub special: bool,
    /// Why it does; may be empty.
    pub reason: String,
}

impl Day {
    /// What people can be booked for: planned, less what is away.
    #[must_use]
    pub fn offered(&self) -> DayCapacity {
        self.planned.without(self.absent)
    }
}

/// Today, where the hub is.
#[must_use]
pub fn today(hub: &Hub, now: DateTime<Utc>) -> NaiveDate {
    hub.zone.local(now).date
}

fn stored(u: &mut dyn Unit, hub: &'static str, from: NaiveDate) -> ServiceResult<HubCalendar> {
    let mut week = [CLOSED; 7];
    for (weekday, day) in u.calendars().week(hub)? {
        if let Some(place) = week.get_mut(usize::from(weekday)) {
            *place = day;
        }
    }
    Ok(HubCalendar { hub, week, dates: u.calendars().dates(hub, from)? })
}

/// The calendar of each of the hubs, with its dates from today on.
///
/// # Errors
/// When the database fails.
pub async fn show(store: &dyn Store, now: DateTime<Utc>, hubs: Vec<&'static Hub>) -> ServiceResult<Vec<HubCalendar>> {
    let asked: Vec<_> = hubs.into_iter().map(|hub| (hub.id, today(hub, now))).collect();
    store.read(move |u| asked.into_iter().map(|(hub, from)| stored(u, hub, from)).collect()).await
}

/// The days of a hub, from the first to the last.
///
/// # Errors
/// When the database fails.
pub async fn days(store: &dyn Store, hub: &'static Hub, first: NaiveDate, last: NaiveDate) -> ServiceResult<Vec<Day>> {
    store.read(move |u| of_span(u, hub, first, last)).await
}

fn of_span(u: &mut dyn Unit, hub: &Hub, first: NaiveDate, last: NaiveDate) -> ServiceResult<Vec<Day>> {
    let calendar = stored(u, hub.id, first)?;
    let reasons = u.calendars().reasons(hub.id, first)?;
    let away = u.absences().between(Some(hub.id), first, last)?;
    let taken = u.calendars().taken(hub.id, first)?;
    let days = first.iter_days().take_while(|date| *date <= last).map(|date| Day {
        date,
        planned: calendar.on(date),
        absent: ports::absences::lacking(&away, date),
        taken: taken.get(&date).copied().unwrap_or(CLOSED),
        special: calendar.dates.contains_key(&date),
        reason: reasons.get(&date).cloned().unwrap_or_default(),
    });
    Ok(days.collect())
}

/// The hubs that offer no slot, for want of a calendar.
///
/// # Errors
/// When the database fails.
pub async fn missing(store: &dyn Store, now: DateTime<Utc>) -> ServiceResult<Vec<&'static str>> {
    let all = show(store, now, geography::hubs().iter().collect()).await?;
    Ok(all.into_iter().filter(|c| !c.works()).map(|c| c.hub).collect())
}
