//! A short-lived cache of each day's free capacity: everybody who looks for a start asks for the same four weeks.
//!
//! What this process changes is forgotten with the commit. What another process changes is seen half a second later
//! at most; until then a start may be offered that is gone; it is refused when it is taken.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, Duration, NaiveDate, Utc};
use kernel::Zone;
use scheduling::{BucketKey, Capacity, buckets_in_day};

use crate::{Error, ServiceResult, ports::Store};

/// How long a day is believed.
const LASTS: Duration = Duration::milliseconds(500);
/// Days that are remembered at most; a day takes one and a half kilobytes.
const MOST: usize = 2_000;

/// A local day of a hub.
pub(crate) type HubDay = (&'static str, NaiveDate);

#[derive(Default)]
struct CachedDay {
    /// Counts changes: what was read before a change is not cached after it.
    changes: u64,
    day: Option<(DateTime<Utc>, Arc<[Capacity]>)>,
    /// Whether nobody works by the calendar.
    closed: Option<(DateTime<Utc>, bool)>,
}

/// The cached days.
#[derive(Default)]
struct CachedDays {
    /// Counts changes of whole calendars.
    calendars: u64,
    days: HashMap<HubDay, CachedDay>,
}

impl CachedDays {
    /// Counts everything that changed a day.
    fn changes(&self, day: &HubDay) -> u64 {
        self.calendars + self.days.get(day).map_or(0, |kept| kept.changes)
    }
}

/// The room of days by hub. See the module.
#[derive(Default)]
pub struct Rooms(Mutex<CachedDays>);

impl Rooms {
    fn with<T>(&self, f: impl FnOnce(&mut CachedDays) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// These days are not what they were.
    pub(crate) fn forget(&self, days: &[HubDay]) {
        if days.is_empty() {
            return;
        }
        self.with(|known| {
            for day in days {
                let kept = known.days.entry(*day).or_default();
                kept.changes += 1;
                kept.day = None;
            }
        });
    }

    /// A calendar is not what it was.
    pub(crate) fn forget_all(&self) {
        self.with(|known| {
            known.calendars += 1;
            known.days.values_mut().for_each(|kept| (kept.day, kept.closed) = (None, None));
        });
    }

    /// Whether nobody works on these days by the calendar, as far as that is cached, and the version of the calendars
    /// which [`Rooms::cache_closed`] takes with what is read of the other days.
    pub(crate) fn closed(
        &self,
        hub: &'static str,
        days: &[NaiveDate],
        wall: DateTime<Utc>,
    ) -> (u64, HashMap<NaiveDate, bool>) {
        self.with(|known| {
            let of = |date: &NaiveDate| {
                let (at, closed) = known.days.get(&(hub, *date))?.closed?;
                is_fresh(at, wall).then_some((*date, closed))
            };
            (known.calendars, days.iter().filter_map(of).collect())
        })
    }

    /// Caches what was read of a calendar, unless one was changed meanwhile.
    pub(crate) fn cache_closed(
        &self,
        hub: &'static str,
        wall: DateTime<Utc>,
        version: u64,
        read: &HashMap<NaiveDate, bool>,
    ) {
        self.with(|known| {
            if known.calendars == version {
                for (date, closed) in read {
                    known.days.entry((hub, *date)).or_default().closed = Some((wall, *closed));
                }
            }
        });
    }
}

fn is_fresh(at: DateTime<Utc>, wall: DateTime<Utc>) -> bool {
    (wall - at).abs() < LASTS
}

/// The half hours of some days of a hub, from the first midnight on and one after the other.
///
/// # Errors
/// When the database fails.
pub(crate) async fn of_days(
    rooms: &Rooms,
    store: &Arc<dyn Store>,
    wall: DateTime<Utc>,
    (hub, zone): (&'static str, Zone),
    days: &[NaiveDate],
) -> ServiceResult<Vec<Capacity>> {
    let known: Vec<(u64, Option<Arc<[Capacity]>>)> = rooms.with(|known| {
        let of = |date: &NaiveDate| {
            let kept = known.days.get(&(hub, *date)).and_then(|k| k.day.as_ref());
            let day = kept.filter(|(at, _)| is_fresh(*at, wall)).map(|(_, day)| day.clone());
            (known.changes(&(hub, *date)), day)
        };
        days.iter().map(of).collect()
    });
    let missing: Vec<(NaiveDate, u64)> = days
        .iter()
        .zip(&known)
        .filter(|(_, (_, day))| day.is_none())
        .map(|(date, (changes, _))| (*date, *changes))
        .collect();
    let mut read = HashMap::new();
    if !missing.is_empty() {
        let keys: Vec<BucketKey> = missing.iter().flat_map(|(date, _)| keys_of(zone, *date)).collect();
        let (asked, many) = (keys.clone(), keys.len());
        let room = store.read(move |u| u.capacities().view(hub, &asked).map_err(Error::from)).await?;
        if room.len() != many {
            return Err(Error::Internal("capacity view answered another number of buckets".into()));
        }
        let mut rest = room.as_slice();
        for (date, _) in &missing {
            let (day, after) = rest.split_at(usize::from(buckets_in_day(zone, *date)).min(rest.len()));
            read.insert(*date, Arc::<[Capacity]>::from(day));
            rest = after;
        }
        keep(rooms, hub, wall, &missing, &read);
    }
    let all = days.iter().zip(known).filter_map(|(date, (_, day))| day.or_else(|| read.get(date).cloned()));
    Ok(all.flat_map(|day| day.to_vec()).collect())
}

fn keep(
    rooms: &Rooms,
    hub: &'static str,
    at: DateTime<Utc>,
    asked: &[(NaiveDate, u64)],
    read: &HashMap<NaiveDate, Arc<[Capacity]>>,
) {
    rooms.with(|known| {
        for (date, changes) in asked {
            if known.changes(&(hub, *date)) == *changes {
                let kept = known.days.entry((hub, *date)).or_default();
                kept.day = read.get(date).map(|day| (at, day.clone()));
            }
        }
        if known.days.len() > MOST {
            // What was read meanwhile is not kept: nobody knows any more what changed after it.
            known.calendars += known.days.values().map(|kept| kept.changes).max().unwrap_or(0) + 1;
            known.days.clear();
        }
    });
}

fn keys_of(zone: Zone, date: NaiveDate) -> impl Iterator<Item = BucketKey> {
    (0..buckets_in_day(zone, date)).map(move |index| BucketKey { date, index })
}
