//! Which starts are free. Answers start times only, never how many crews are left.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use geography::Place;
use kernel::{MateCount, Zone};
use scheduling::{BucketKey, Capacity, assign_truck, buckets, check_start, closed, start_times};

use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services,
    holds::{MAX_MINUTES, capacity::Wanted, hub_and_legs},
};

/// The most days one question may cover.
pub const MAX_DAYS: u32 = 42;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct AvailabilityInput {
    /// First local day.
    pub date: NaiveDate,
    /// How many days, 1 to 42.
    pub days: u32,
    /// Paid mates.
    pub mate_count: MateCount,
    /// Minutes of work.
    pub duration_minutes: u32,
    /// No truck.
    pub just_mates: bool,
    /// Size class, when known.
    pub tier: Option<u8>,
    /// Ends the day at 22:00 instead of 20:00.
    pub long_distance: bool,
    /// From where.
    pub pickup: Place,
    /// To where, when known.
    pub dropoff: Option<Place>,
}

/// A start.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// Local time.
    pub time: NaiveTime,
    /// The instant.
    pub starts_at: DateTime<Utc>,
    /// May be chosen now.
    pub available: bool,
}

/// A day of starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Day {
    /// Local day.
    pub date: NaiveDate,
    /// Nobody works.
    pub closed: bool,
    /// Why, by name of the holiday, in the caller's language when there is one.
    pub holiday: Option<&'static scheduling::Holiday>,
    /// Its starts.
    pub slots: Vec<Slot>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Availability {
    /// Zone of all local times.
    pub zone: Zone,
    /// Crew hub; none = no crews near: contact support.
    pub hub: Option<String>,
    /// The days asked for.
    pub days: Vec<Day>,
}

/// `GET /availability`.
///
/// # Errors
/// Out-of-range days or duration.
pub async fn days(s: &Services, input: AvailabilityInput) -> ServiceResult<Availability> {
    if input.days == 0 || input.days > MAX_DAYS {
        return Err(Error::field("days", FieldProblem::OutOfRange));
    }
    if input.duration_minutes == 0 || input.duration_minutes > MAX_MINUTES {
        return Err(Error::field("duration", FieldProblem::OutOfRange));
    }
    let now = s.clock.now();
    let Some((hub, to_pickup, from_dropoff)) = hub_and_legs(&input.pickup, input.dropoff.as_ref()) else {
        return Ok(Availability { zone: input.pickup.province.zone(), hub: None, days: no_crews(&input) });
    };
    let times = start_times(&s.scheduling, input.duration_minutes, input.long_distance);
    let mut plans: BTreeMap<NaiveDate, Vec<(Slot, Option<Wanted>)>> = BTreeMap::new();
    for date in input.date.iter_days().take(input.days as usize) {
        let day = plans.entry(date).or_default();
        if closed(hub.province, date) {
            continue;
        }
        for time in &times {
            let Ok(starts_at) = hub.zone.instant(date, *time) else { continue };
            let open = check_start(
                &s.scheduling, hub.zone, hub.province, date, *time, input.duration_minutes, input.long_distance, now,
            );
            let wanted = open.is_ok().then(|| Wanted {
                hub: hub.id.to_owned(),
                date,
                time: *time,
                zone: hub.zone,
                starts_at,
                duration_minutes: input.duration_minutes,
                mates: u32::from(input.mate_count.get()),
                tier: input.tier.unwrap_or(1),
                just_mates: input.just_mates,
                to_pickup,
                from_dropoff,
                elevator_building: false,
            });
            day.push((Slot { time: *time, starts_at, available: false }, wanted));
        }
    }
    let room = room(s, hub.id, hub.zone, &plans).await?;
    let days = plans
        .into_iter()
        .map(|(date, slots)| Day {
            date,
            closed: closed(hub.province, date),
            holiday: scheduling::holiday(hub.province, date),
            slots: slots
                .into_iter()
                .map(|(slot, wanted)| Slot { available: wanted.is_some_and(|w| has_room(&room, &w)), ..slot })
                .collect(),
        })
        .collect();
    Ok(Availability { zone: hub.zone, hub: Some(hub.id.to_owned()), days })
}

fn no_crews(input: &AvailabilityInput) -> Vec<Day> {
    let dates = (0..u64::from(input.days)).filter_map(|n| input.date.checked_add_days(Days::new(n)));
    dates.map(|date| Day { date, closed: true, holiday: None, slots: Vec::new() }).collect()
}

/// One query for all buckets any start of the answer touches.
async fn room(
    s: &Services,
    hub: &str,
    zone: Zone,
    plans: &BTreeMap<NaiveDate, Vec<(Slot, Option<Wanted>)>>,
) -> ServiceResult<HashMap<BucketKey, Capacity>> {
    let mut span: Option<(DateTime<Utc>, DateTime<Utc>)> = None;
    for wanted in plans.values().flatten().filter_map(|(_, w)| w.as_ref()) {
        let o = wanted.occupancy();
        span = Some(span.map_or((o.from, o.until), |(a, b)| (a.min(o.from), b.max(o.until))));
    }
    let Some((from, until)) = span else { return Ok(HashMap::new()) };
    let keys = buckets(zone, from, until);
    let hub = hub.to_owned();
    s.store
        .read(move |u| {
            let room = u.capacities().view(&hub, &keys)?;
            if room.len() != keys.len() {
                return Err(Error::Internal("capacity view answered another number of buckets".into()));
            }
            Ok(keys.into_iter().zip(room).collect())
        })
        .await
}

fn has_room(room: &HashMap<BucketKey, Capacity>, wanted: &Wanted) -> bool {
    let o = wanted.occupancy();
    let taken: Option<Vec<Capacity>> = buckets(wanted.zone, o.from, o.until).iter().map(|k| room.get(k).copied()).collect();
    taken.is_some_and(|c| assign_truck(&c, o.mates, o.truck).is_ok())
}

/// The three free starts nearest to a lost one, for the message that says it is gone.
pub fn nearest(answer: &Availability, lost: DateTime<Utc>) -> Vec<Slot> {
    let mut free: Vec<Slot> = answer.days.iter().flat_map(|d| &d.slots).filter(|slot| slot.available).cloned().collect();
    free.sort_by_key(|slot| (slot.starts_at - lost).abs());
    free.truncate(3);
    free
}

/// Whether the answer says that nobody serves the place.
pub fn without_crews(answer: &Availability) -> Option<Error> {
    answer.hub.is_none().then(|| ErrorCode::ContactSupport.into())
}
