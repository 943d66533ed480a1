//! Which starts are free. Answers start times only, never how many crews are left.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use geography::{Hub, Place};
use kernel::{MateCount, Zone};
use scheduling::{BucketKey, Capacity, assign_truck, buckets, check_start, closed, start_times};

use crate::{
    Alternative, Error, ErrorCode, FieldProblem, ServiceResult, Services,
    capacity::{MAX_MINUTES, Wanted, hub_and_legs},
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
    let wanted = Wanted {
        hub: hub.id.to_owned(),
        date: input.date,
        time: NaiveTime::MIN,
        zone: hub.zone,
        starts_at: now,
        duration_minutes: input.duration_minutes,
        mates: u32::from(input.mate_count.get()),
        tier: input.tier.unwrap_or(1),
        just_mates: input.just_mates,
        to_pickup,
        from_dropoff,
        elevator_building: false,
    };
    let plans = plans(s, &hub, &wanted, input.date, input.days, input.long_distance);
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

/// Every start of the days, with what it would take where the calendar allows it.
fn plans(s: &Services, hub: &Hub, like: &Wanted, first: NaiveDate, days: u32, long_distance: bool) -> Plans {
    let now = s.clock.now();
    let times = start_times(&s.scheduling, like.duration_minutes, long_distance);
    let mut plans = Plans::new();
    for date in first.iter_days().take(days as usize) {
        let day = plans.entry(date).or_default();
        if closed(hub.province, date) {
            continue;
        }
        for time in &times {
            let Ok(starts_at) = hub.zone.instant(date, *time) else { continue };
            let open = check_start(
                &s.scheduling,
                hub.zone,
                hub.province,
                date,
                *time,
                like.duration_minutes,
                long_distance,
                now,
            );
            let wanted = open.is_ok().then(|| Wanted { date, time: *time, starts_at, ..like.clone() });
            day.push((Slot { time: *time, starts_at, available: false }, wanted));
        }
    }
    plans
}

fn no_crews(input: &AvailabilityInput) -> Vec<Day> {
    let dates = (0..u64::from(input.days)).filter_map(|n| input.date.checked_add_days(Days::new(n)));
    dates.map(|date| Day { date, closed: true, holiday: None, slots: Vec::new() }).collect()
}

type Plans = BTreeMap<NaiveDate, Vec<(Slot, Option<Wanted>)>>;

/// One query for all buckets any start of the answer touches.
async fn room(s: &Services, hub: &str, zone: Zone, plans: &Plans) -> ServiceResult<HashMap<BucketKey, Capacity>> {
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
    let taken: Option<Vec<Capacity>> =
        buckets(wanted.zone, o.from, o.until).iter().map(|k| room.get(k).copied()).collect();
    taken.is_some_and(|c| assign_truck(&c, o.mates, o.truck).is_ok())
}

/// Days looked at before and after a lost start.
const AROUND: u32 = 3;
/// Starts offered instead of it.
const OFFERED: usize = 3;

/// Tells the nearest free starts beside `slot_gone`, with one query; other errors stay what they are.
pub(crate) async fn offering(s: &Services, lost: &Wanted, long_distance: bool, error: Error) -> Error {
    if !matches!(error, Error::Refused(ErrorCode::SlotGone, _)) {
        return error;
    }
    match nearest(s, lost, long_distance).await {
        Ok(alternatives) => Error::SlotGone(alternatives),
        Err(failed) => {
            tracing::warn!(error = %failed, "no other times could be offered");
            error
        }
    }
}

async fn nearest(s: &Services, lost: &Wanted, long_distance: bool) -> ServiceResult<Vec<Alternative>> {
    let Some(hub) = geography::hub(&lost.hub) else { return Ok(Vec::new()) };
    let first = lost.date.checked_sub_days(Days::new(u64::from(AROUND))).unwrap_or(lost.date);
    let plans = plans(s, hub, lost, first, 2 * AROUND + 1, long_distance);
    let room = room(s, hub.id, hub.zone, &plans).await?;
    let mut free: Vec<Alternative> = plans
        .into_values()
        .flatten()
        .filter_map(|(_, wanted)| wanted.filter(|w| has_room(&room, w)))
        .map(|w| Alternative { date: w.date, time: w.time, starts_at: w.starts_at })
        .collect();
    free.sort_by_key(|a| (a.starts_at - lost.starts_at).abs());
    free.truncate(OFFERED);
    Ok(free)
}
