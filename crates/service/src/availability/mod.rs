//! Which starts are free. Answers start times only, never how many crews are left.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use geography::{Hub, Place};
use kernel::{MateCount, Zone};
use scheduling::{
    BucketKey, Capacity, DayStart, TruckClass, assign_truck, bucket_start, closed, day_starts, start_times,
};

use crate::{
    Alternative, Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, calendar,
    capacity::{CapacityRequest, MAX_MINUTES, hub_and_legs},
    room, settings,
};

pub use scheduling::arrival_window;

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
    /// Nobody works: by law, or by the calendar of the hub.
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
        return Err(Error::field("days", FieldProblem::Between(Limit::Days(1), Limit::Days(MAX_DAYS))));
    }
    if input.duration_minutes == 0 || input.duration_minutes > MAX_MINUTES {
        return Err(Error::field("duration", FieldProblem::Between(Limit::Minutes(1), Limit::Minutes(MAX_MINUTES))));
    }
    let Some((hub, wanted)) = capacity_request(s, &input) else {
        return Ok(Availability { zone: input.pickup.province.zone(), hub: None, days: no_crews(&input) });
    };
    let plans = plans(s, &hub, &wanted, input.date, input.days, input.long_distance).await?;
    let room = Room::look(s, &hub, &wanted, &plans).await?;
    let shut = shut(s, &hub, &plans, &room).await?;
    let days = plans
        .into_iter()
        .map(|(date, slots)| Day {
            date,
            closed: shut.contains(&date),
            holiday: scheduling::holiday(hub.province, date),
            slots: slots
                .iter()
                .map(|start| Slot { time: start.time, starts_at: start.starts_at, available: room.has(start) })
                .collect(),
        })
        .collect();
    Ok(Availability { zone: hub.zone, hub: Some(hub.id.to_owned()), days })
}

/// The days on which nobody works: by law, or because the calendar has no mates then. The calendar is asked only where some
/// day has no free start.
async fn shut(s: &Services, hub: &Hub, plans: &Plans, room: &Room) -> ServiceResult<BTreeSet<NaiveDate>> {
    let (mut shut, mut full) = (BTreeSet::new(), Vec::new());
    for (date, starts) in plans {
        if closed(hub.province, *date) {
            shut.insert(*date);
        } else if !starts.iter().any(|start| room.has(start)) {
            full.push(*date);
        }
    }
    let Some(hub) = geography::hub(hub.id).filter(|_| !full.is_empty()) else { return Ok(shut) };
    let wall = s.wall.now();
    let (version, mut closed) = s.rooms.closed(hub.id, &full, wall);
    full.retain(|date| !closed.contains_key(date));
    if !full.is_empty() {
        let calendars = calendar::show(&*s.store, s.clock.now(), vec![hub]).await?;
        let of_hub = |date: &NaiveDate| (*date, calendars.iter().all(|week| week.on(*date).mates == 0));
        let read: HashMap<NaiveDate, bool> = full.iter().map(of_hub).collect();
        s.rooms.cache_closed(hub.id, wall, version, &read);
        closed.extend(read);
    }
    shut.extend(closed.into_iter().filter(|(_, closed)| *closed).map(|(date, _)| date));
    Ok(shut)
}

/// On which of the days some start is free, with one look at the capacity of all of them. None is where no crew comes.
///
/// # Errors
/// When the database fails.
pub async fn open_days(s: &Services, input: &AvailabilityInput) -> ServiceResult<BTreeMap<NaiveDate, bool>> {
    let Some((hub, wanted)) = capacity_request(s, input) else { return Ok(BTreeMap::new()) };
    let plans = plans(s, &hub, &wanted, input.date, input.days, input.long_distance).await?;
    let room = Room::look(s, &hub, &wanted, &plans).await?;
    Ok(plans.iter().map(|(date, starts)| (*date, starts.iter().any(|start| room.has(start)))).collect())
}

/// What a start of the move takes of its hub; the start itself is still open.
fn capacity_request(s: &Services, input: &AvailabilityInput) -> Option<(Hub, CapacityRequest)> {
    let (hub, to_pickup, from_dropoff) = hub_and_legs(&input.pickup, input.dropoff.as_ref())?;
    let wanted = CapacityRequest {
        hub: hub.id.to_owned(),
        date: input.date,
        time: NaiveTime::MIN,
        zone: hub.zone,
        starts_at: s.clock.now(),
        duration_minutes: input.duration_minutes,
        mates: u32::from(input.mate_count.get()),
        tier: input.tier.unwrap_or(1),
        just_mates: input.just_mates,
        to_pickup,
        from_dropoff,
        elevator_building: false,
    };
    Some((hub, wanted))
}

/// Every start of the days; those that the calendar allows are available, as far as there is room.
async fn plans(
    s: &Services,
    hub: &Hub,
    like: &CapacityRequest,
    first: NaiveDate,
    days: u32,
    long_distance: bool,
) -> ServiceResult<Plans> {
    let settings = settings::in_force(s).await?;
    let now = s.clock.now();
    let times = start_times(&settings.scheduling, like.duration_minutes, long_distance);
    let of_day = |date| day_starts(&settings.scheduling, hub.zone, hub.province, date, &times, now);
    Ok(first.iter_days().take(days as usize).map(|date| (date, of_day(date))).collect())
}

fn no_crews(input: &AvailabilityInput) -> Vec<Day> {
    let dates = (0..u64::from(input.days)).filter_map(|n| input.date.checked_add_days(Days::new(n)));
    dates.map(|date| Day { date, closed: true, holiday: None, slots: Vec::new() }).collect()
}

type Plans = BTreeMap<NaiveDate, Vec<DayStart>>;

/// The room of a hub over all half hours that any start touches, and what a start takes of them.
struct Room {
    /// The first half hour, counted from 1970.
    first: i64,
    capacity: Vec<Capacity>,
    /// From the start back to when the crew leaves.
    before: TimeDelta,
    /// From the start to when they are free again.
    after: TimeDelta,
    mates: u32,
    truck: Option<TruckClass>,
}

const HALF_HOUR: i64 = 1_800;

impl Room {
    /// One look for all of it.
    async fn look(s: &Services, hub: &Hub, like: &CapacityRequest, plans: &Plans) -> ServiceResult<Room> {
        let o = like.occupancy();
        let (before, after) = (like.starts_at - o.from, o.until - like.starts_at);
        let accepted = || plans.values().flatten().filter(|start| start.accepted).map(|start| start.starts_at);
        let (mut first, mut capacity) = (0, Vec::new());
        if let Some((from, until)) = accepted().min().zip(accepted().max()).map(|(a, b)| (a - before, b + after)) {
            let (first_day, last_day) = (hub.zone.local(from).date, hub.zone.local(until).date);
            let days: Vec<NaiveDate> = first_day.iter_days().take_while(|date| *date <= last_day).collect();
            let midnight = bucket_start(hub.zone, BucketKey { date: first_day, index: 0 }).unwrap_or(from);
            first = midnight.timestamp().div_euclid(HALF_HOUR);
            capacity = room::of_days(&s.rooms, &s.store, s.wall.now(), (hub.id, hub.zone), &days).await?;
        }
        Ok(Room { first, capacity, before, after, mates: o.mates, truck: o.truck })
    }

    /// Whether the start can be booked now.
    fn has(&self, start: &DayStart) -> bool {
        let half_hour = |seconds: i64| usize::try_from(seconds.div_euclid(HALF_HOUR) - self.first).ok();
        let from = half_hour((start.starts_at - self.before).timestamp());
        let until = half_hour((start.starts_at + self.after).timestamp() + HALF_HOUR - 1);
        let taken = from.zip(until).and_then(|(from, until)| self.capacity.get(from..until));
        start.accepted && taken.is_some_and(|c| assign_truck(c, self.mates, self.truck).is_ok())
    }
}

/// Days looked at before and after a lost start.
const AROUND: u32 = 3;
/// Starts offered instead of it.
const OFFERED: usize = 3;

/// Tells the nearest free starts beside `slot_gone`, with one query; other errors stay what they are.
pub(crate) async fn offering(s: &Services, lost: &CapacityRequest, long_distance: bool, error: Error) -> Error {
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

async fn nearest(s: &Services, lost: &CapacityRequest, long_distance: bool) -> ServiceResult<Vec<Alternative>> {
    let Some(hub) = geography::hub(&lost.hub) else { return Ok(Vec::new()) };
    let first = lost.date.checked_sub_days(Days::new(u64::from(AROUND))).unwrap_or(lost.date);
    let plans = plans(s, hub, lost, first, 2 * AROUND + 1, long_distance).await?;
    let room = Room::look(s, hub, lost, &plans).await?;
    let starts = plans.iter().flat_map(|(date, starts)| starts.iter().map(move |start| (*date, start)));
    let mut free: Vec<Alternative> = starts
        .filter(|(_, start)| room.has(start))
        .map(|(date, start)| Alternative { date, time: start.time, starts_at: start.starts_at })
        .collect();
    free.sort_by_key(|a| (a.starts_at - lost.starts_at).abs());
    free.truncate(OFFERED);
    Ok(free)
}
