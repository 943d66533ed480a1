//! How much guests keep: one time a browser, few an address, and of no day so much that others
//! could not book it.
//!
//! Nobody who comes honestly is refused for what others at the same address did: what goes is the
//! oldest time that address keeps. Losing it costs an honest visitor little, because a booking
//! takes the time again while there is room.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Duration, NaiveDate, Utc};
use geography::Hub;
use kernel::HoldId;
use scheduling::{BucketKey, Capacity, assign_truck, check_start, start_times};
use status_machine::hold::{Event, State, occupies};

use crate::{
    ErrorCode, ServiceResult, Tx,
    capacity::{self, CapacityRequest},
    ports::{
        Unit,
        capacity::{Hold, Holder},
    },
    settings,
};

/// The most times one address keeps at once, over all days.
const MOST_OF_ORIGIN: usize = 12;

/// In which the last starts are counted that one address keeps.
const LAST_WINDOW: Duration = Duration::hours(6);

/// A move others may want on the same day.
#[derive(Debug, Clone, Copy)]
struct Probe {
    name: &'static str,
    mates: u32,
    minutes: u32,
    tier: u8,
    /// Of so many starts one must be left by a guest's only time on a day; none: a hub may have one
    /// truck of that size, and whoever needs it takes it.
    alone: Option<usize>,
    /// How often one address keeps the last start of it on a day, within [`LAST_WINDOW`].
    most_last: usize,
}

/// A small flat, the largest crew that books online for half a day, and what needs a middle or a big
/// truck.
const PROBES: [Probe; 4] = [
    Probe { name: "small", mates: 2, minutes: 120, tier: 1, alone: Some(5), most_last: 3 },
    Probe { name: "crew", mates: 4, minutes: 240, tier: 1, alone: Some(20), most_last: 6 },
    Probe { name: "middle-truck", mates: 2, minutes: 240, tier: 2, alone: None, most_last: 6 },
    Probe { name: "big-truck", mates: 2, minutes: 240, tier: 3, alone: None, most_last: 6 },
];

fn live(hold: &Hold) -> bool {
    occupies(*hold.state)
}

/// The holds of a guest and of everybody at the same address.
pub(super) struct GuestHolds {
    /// Holds of this browser, and the one that was named: the new hold replaces them.
    former: Vec<Hold>,
    /// Holds of others at the same address, the first to be released first.
    others: Vec<Hold>,
}

impl GuestHolds {
    /// Reads and locks the holds.
    pub(super) fn of(u: &mut dyn Unit, holder: Option<&Holder>, named: Option<HoldId>) -> ServiceResult<GuestHolds> {
        let all = match holder {
            Some(holder) => u.capacities().kept_by(holder)?,
            None => Vec::new(),
        };
        let own = |h: &Hold| {
            Some(h.id) == named || holder.is_some_and(|w| h.holder.as_ref().is_some_and(|o| o.browser == w.browser))
        };
        let (mut former, mut others): (Vec<Hold>, Vec<Hold>) = all.into_iter().partition(own);
        if let Some(id) = named
            && !former.iter().any(|h| h.id == id)
            && let Some(hold) = u.capacities().hold(id)?
            && live(&hold)
        {
            former.push(hold);
        }
        // Who is paying already goes last. The order by age stays.
        others.sort_by_key(|h| h.state == State::Extended);
        Ok(GuestHolds { former, others })
    }

    /// Locks every bucket this may touch, in the order everybody locks in.
    pub(super) fn lock(&self, tx: &mut Tx<'_>, wanted: &CapacityRequest) -> ServiceResult<()> {
        let all: Vec<Hold> = self.former.iter().chain(&self.others).cloned().collect();
        capacity::lock_with(tx, &all, wanted)
    }

    /// Another start replaces what this browser kept.
    pub(super) fn give_back_former(&mut self, tx: &mut Tx<'_>) -> ServiceResult<()> {
        self.former.iter_mut().try_for_each(|old| capacity::give_back(tx, old, Event::Release))
    }

    /// Makes room for others: the oldest times of this address go until what is left is within
    /// bounds together with the new one.
    ///
    /// # Errors
    /// `hold_too_large` when the new one alone leaves nothing of the day.
    pub(super) fn bound(mut self, tx: &mut Tx<'_>, new: &Hold) -> ServiceResult<()> {
        while self.others.len() >= MOST_OF_ORIGIN {
            capacity::give_back(tx, &mut self.others.remove(0), Event::Release)?;
        }
        let Some(hub) = geography::hub(&new.hub) else { return Ok(()) };
        let mine: Vec<&Hold> = self.others.iter().chain([new]).collect();
        let calendar = settings::scheduling(tx.unit, &tx.services.defaults)?;
        let day = Day::read(tx.unit, &calendar, hub, new.date, &mine, tx.now)?;
        loop {
            let beside: Vec<&Hold> = self.others.iter().filter(|h| day.touches(h)).collect();
            if beside.is_empty() && !day.outlives(new) {
                return Err(ErrorCode::HoldTooLarge.into());
            }
            if beside.is_empty() || day.is_shared(new, &beside) {
                return day.ends_with(new).into_iter().try_for_each(|probe| last_again(tx, new, probe));
            }
            let Some(oldest) = self.others.iter().position(|h| day.touches(h)) else { return Ok(()) };
            let mut goes = self.others.remove(oldest);
            capacity::give_back(tx, &mut goes, Event::Release)?;
        }
    }
}

/// Keeping the last start of a day is anybody's right; keeping it again and again, without ever
/// booking, is taking the day. Counted by address and day.
///
/// # Errors
/// `hold_too_large` when this address has kept it often enough.
fn last_again(tx: &mut Tx<'_>, new: &Hold, probe: Probe) -> ServiceResult<()> {
    let Some(holder) = &new.holder else { return Ok(()) };
    let key = format!("last-start:{}:{}:{}:{}", probe.name, holder.origin, new.hub, new.date);
    let mut kept = tx.unit.tallies().lock(&key, tx.now)?;
    kept.retain(|at| tx.now - *at < LAST_WINDOW);
    if kept.len() >= probe.most_last {
        return Err(ErrorCode::HoldTooLarge.into());
    }
    kept.push(tx.now);
    tx.unit.tallies().put(&key, &kept)?;
    Ok(())
}

type Room = HashMap<BucketKey, Capacity>;

/// A local day of a hub: the starts of ordinary moves, and the room for them.
struct Day {
    hub: &'static str,
    starts: Vec<(Probe, Vec<CapacityRequest>)>,
    /// As the calendar plans it, with nothing taken.
    empty: Room,
    /// As it is, without what this address keeps.
    without: Room,
}

impl Day {
    fn read(
        u: &mut dyn Unit,
        calendar: &scheduling::Settings,
        hub: &Hub,
        date: NaiveDate,
        mine: &[&Hold],
        now: DateTime<Utc>,
    ) -> ServiceResult<Day> {
        let starts: Vec<(Probe, Vec<CapacityRequest>)> =
            PROBES.into_iter().map(|probe| (probe, starts(calendar, hub, date, probe, now))).collect();
        let keys: BTreeSet<BucketKey> = starts.iter().flat_map(|(_, s)| s).flat_map(CapacityRequest::buckets).collect();
        let keys: Vec<BucketKey> = keys.into_iter().collect();
        let room: Room = keys.iter().copied().zip(u.capacities().view(hub.id, &keys)?).collect();
        let untouched = |c: &Capacity| Capacity { mates_used: 0, trucks_used: [0; 3], ..*c };
        let empty = room.iter().map(|(key, c)| (*key, untouched(c))).collect();
        let mut without = room;
        for hold in mine.iter().filter(|h| h.hub == hub.id) {
            for key in &hold.buckets {
                if let Some(bucket) = without.get_mut(key)
                    && let Some(freed) = bucket.release(hold.mates, hold.truck)
                {
                    *bucket = freed;
                }
            }
        }
        Ok(Day { hub: hub.id, starts, empty, without })
    }

    fn touches(&self, hold: &Hold) -> bool {
        hold.hub == self.hub && hold.buckets.iter().any(|key| self.empty.contains_key(key))
    }

    /// The only time of its address on this day, judged as if there were nothing else: who takes
    /// the last start of a full day does no wrong, who takes a whole day does.
    fn outlives(&self, new: &Hold) -> bool {
        let room = with(&self.empty, &[new]);
        self.starts.iter().all(|(probe, starts)| {
            probe.alone.is_none_or(|alone| alone * open(starts, &room) >= open(starts, &self.empty))
        })
    }

    /// The moves of which it takes the last start that others have left of the day.
    fn ends_with(&self, new: &Hold) -> Vec<Probe> {
        let room = with(&self.without, &[new]);
        let last =
            |(_, starts): &&(Probe, Vec<CapacityRequest>)| open(starts, &self.without) > 0 && open(starts, &room) == 0;
        self.starts.iter().filter(last).map(|(probe, _)| *probe).collect()
    }

    /// Together with what the address keeps beside it: half of the starts must be left, of the
    /// day as planned and of what the others have left of it. A move that needs the only truck of its
    /// size takes nothing by what is kept beside it.
    fn is_shared(&self, new: &Hold, beside: &[&Hold]) -> bool {
        let all: Vec<&Hold> = beside.iter().copied().chain([new]).collect();
        [&self.empty, &self.without].into_iter().all(|base| {
            let (room, without) = (with(base, &all), with(base, &[new]));
            self.starts.iter().all(|(probe, starts)| {
                let left = open(starts, &room);
                2 * left >= open(starts, base) || (probe.alone.is_none() && left == open(starts, &without))
            })
        })
    }
}

fn starts(
    calendar: &scheduling::Settings,
    hub: &Hub,
    date: NaiveDate,
    probe: Probe,
    now: DateTime<Utc>,
) -> Vec<CapacityRequest> {
    let start = |time| {
        let starts_at = check_start(calendar, hub.zone, hub.province, date, time, probe.minutes, false, now).ok()?;
        Some(CapacityRequest {
            hub: hub.id.to_owned(),
            date,
            time,
            zone: hub.zone,
            starts_at,
            duration_minutes: probe.minutes,
            mates: probe.mates,
            tier: probe.tier,
            just_mates: false,
            to_pickup: 0,
            from_dropoff: 0,
            elevator_building: false,
        })
    };
    start_times(calendar, probe.minutes, false).into_iter().filter_map(start).collect()
}

/// The room when these were taken as well.
fn with(base: &Room, holds: &[&Hold]) -> Room {
    let mut room = base.clone();
    for hold in holds {
        for key in &hold.buckets {
            let Some(bucket) = room.get_mut(key) else { continue };
            bucket.mates_used += hold.mates;
            if let Some(used) = hold.truck.and_then(|class| bucket.trucks_used.get_mut(class.index())) {
                *used += 1;
            }
        }
    }
    room
}

/// How many of the starts have room.
fn open(starts: &[CapacityRequest], room: &Room) -> usize {
    let fits = |wanted: &&CapacityRequest| {
        let o = wanted.occupancy();
        let taken: Option<Vec<Capacity>> = wanted.buckets().iter().map(|key| room.get(key).copied()).collect();
        taken.is_some_and(|c| assign_truck(&c, o.mates, o.truck).is_ok())
    };
    starts.iter().filter(fits).count()
}
