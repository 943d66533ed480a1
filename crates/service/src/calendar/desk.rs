//! The calendar as staff keep it: the week of a hub, and the days that differ from it.

use chrono::{Duration, NaiveDate};
use geography::Hub;
use serde_json::{Value, json};

use super::{
    Day,
    change::{self, Entry},
    of_span, stored, today,
};
use crate::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, Staff,
    ports::{Unit, capacity::DayCapacity},
};

/// The most days of one look.
const MOST_DAYS: i64 = 400;
/// The most of anything a hub has.
pub const MOST: u32 = 1_000;
/// The longest reason, characters.
pub const LONGEST_REASON: usize = 200;

/// The week of a hub.
#[derive(Debug, Clone, PartialEq)]
pub struct Week {
    /// Whose.
    pub hub: &'static Hub,
    /// The day it is there.
    pub today: NaiveDate,
    /// By weekday, Monday first.
    pub week: [DayCapacity; 7],
    /// How often it was written; 0 = never.
    pub version: i32,
}

/// Days of a hub, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Days {
    /// Whose.
    pub hub: &'static Hub,
    /// The day it is there.
    pub today: NaiveDate,
    /// In order.
    pub days: Vec<Day>,
}

/// Nobody has more than [`MOST`] of anything; the first that is more is named.
fn within(field: &str, day: DayCapacity) -> ServiceResult<()> {
    let bounds = FieldProblem::Between(Limit::Count(0), Limit::Count(MOST.into()));
    if day.mates > MOST {
        return Err(Error::field(format!("{field}mates"), bounds));
    }
    if day.trucks.iter().any(|n| *n > MOST) {
        return Err(Error::field(format!("{field}trucks"), bounds));
    }
    Ok(())
}

fn week_of(u: &mut dyn Unit, hub: &'static Hub, today: NaiveDate) -> ServiceResult<Week> {
    let week = stored(u, hub.id, today)?.week;
    Ok(Week { hub, today, week, version: u.calendars().week_version(hub.id)? })
}

/// The week of a hub.
///
/// # Errors
/// When the database fails.
pub async fn week(s: &Services, _: &Staff, hub: &'static Hub) -> ServiceResult<Week> {
    let today = today(hub, s.clock.now());
    s.store.read(move |u| week_of(u, hub, today)).await
}

/// Writes the week of a hub anew, for every coming day that has no row of its own.
///
/// # Errors
/// `version_conflict`, `capacity_taken`, the fields.
pub async fn put_week(
    s: &Services,
    staff: &Staff,
    hub: &'static Hub,
    week: [DayCapacity; 7],
    version: i32,
) -> ServiceResult<Week> {
    for (n, day) in week.iter().enumerate() {
        within(&format!("week[{n}]."), *day)?;
    }
    s.write(staff.actor(), move |tx| {
        change::of_hub(tx, hub, |tx, today| {
            let before = week_of(tx.unit, hub, today)?;
            if before.version != version {
                return Err(ErrorCode::VersionConflict.into());
            }
            for (weekday, day) in (0..).zip(week) {
                tx.unit.calendars().set_weekday(hub.id, weekday, day)?;
            }
            let version = tx.unit.calendars().count_week(hub.id)?;
            let entry = Entry {
                action: "calendar.week",
                subject: hub.id.to_owned(),
                before: Some(json!({ "week": before.week })),
                after: Some(json!({ "week": week })),
            };
            Ok((Week { hub, today, week, version }, Some(entry)))
        })
    })
    .await
}

/// The days of a hub, from the first to the last.
///
/// # Errors
/// The field `to` when it lies before `from`, or more than 400 days are asked for.
pub async fn days(
    s: &Services,
    _: &Staff,
    hub: &'static Hub,
    first: NaiveDate,
    last: NaiveDate,
) -> ServiceResult<Days> {
    if last < first || (last - first).num_days() >= MOST_DAYS {
        let furthest = first + Duration::days(MOST_DAYS - 1);
        return Err(Error::field("to", FieldProblem::Between(first.into(), furthest.into())));
    }
    let today = today(hub, s.clock.now());
    let days = s.store.read(move |u| of_span(u, hub, first, last)).await?;
    Ok(Days { hub, today, days })
}

/// A day that is over stays as it was.
fn still_to_come(date: NaiveDate, today: NaiveDate) -> ServiceResult<()> {
    if date < today { Err(Error::field("date", FieldProblem::AtLeast(today.into()))) } else { Ok(()) }
}

fn snapshot(day: &Day) -> Value {
    let own =
        day.special.then(|| json!({ "mates": day.planned.mates, "trucks": day.planned.trucks, "reason": day.reason }));
    json!({ "date": day.date, "override": own })
}

/// The one day.
fn day_of(u: &mut dyn Unit, hub: &Hub, date: NaiveDate) -> ServiceResult<Day> {
    let missing = || Error::Internal(format!("the calendar of {} has no {date}", hub.id));
    of_span(u, hub, date, date)?.pop().ok_or_else(missing)
}

/// Gives a day a row of its own.
///
/// # Errors
/// `capacity_taken`; the field `date` when the day is over, `mates` when nobody ever works on the day, and the others.
pub async fn put_day(
    s: &Services,
    staff: &Staff,
    hub: &'static Hub,
    date: NaiveDate,
    planned: DayCapacity,
    reason: String,
) -> ServiceResult<Day> {
    within("", planned)?;
    // The rules of starts refuse such a day to everybody, so that mates on it could never be booked.
    if planned.mates > 0 && scheduling::closed(hub.province, date) {
        return Err(Error::field("mates", FieldProblem::AlwaysClosed));
    }
    let reason = reason.trim().to_owned();
    if reason.chars().count() > LONGEST_REASON {
        return Err(Error::field("reason", FieldProblem::TooLong));
    }
    s.write(staff.actor(), move |tx| {
        change::of_hub(tx, hub, |tx, today| {
            still_to_come(date, today)?;
            let before = day_of(tx.unit, hub, date)?;
            tx.unit.calendars().set_date(hub.id, date, planned, &reason)?;
            let after = day_of(tx.unit, hub, date)?;
            let entry = Entry {
                action: "calendar.day",
                subject: hub.id.to_owned(),
                before: Some(snapshot(&before)),
                after: Some(snapshot(&after)),
            };
            Ok((after, Some(entry)))
        })
    })
    .await
}

/// The day follows its weekday again.
///
/// # Errors
/// `not_found` when it has no row of its own; `capacity_taken`; the field `date` when the day is over.
pub async fn follow_week(s: &Services, staff: &Staff, hub: &'static Hub, date: NaiveDate) -> ServiceResult<()> {
    s.write(staff.actor(), move |tx| {
        change::of_hub(tx, hub, |tx, today| {
            let before = day_of(tx.unit, hub, date)?;
            if !before.special {
                return Err(ErrorCode::NotFound.into());
            }
            still_to_come(date, today)?;
            tx.unit.calendars().clear_date(hub.id, date)?;
            let after = day_of(tx.unit, hub, date)?;
            let entry = Entry {
                action: "calendar.follow_week",
                subject: hub.id.to_owned(),
                before: Some(snapshot(&before)),
                after: Some(snapshot(&after)),
            };
            Ok(((), Some(entry)))
        })
    })
    .await
}
