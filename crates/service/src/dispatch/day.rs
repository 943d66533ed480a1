//! A day of a hub as the planner takes it ([`scheduling::day`]).

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, Utc};
use geography::{Hub, Waypoint, travel_between, waypoint};
use kernel::{BookingId, Language, MateId, TruckId};
use scheduling::{
    TruckClass,
    day::{Day, DayJob, DayMate, DayTruck, Ways},
};
use status_machine::booking::Status;

use super::board::MOST_JOBS;
use crate::{
    Error, ServiceResult,
    crews::{
        ended,
        free::{LEAST_WAY, REACH, ends_at},
        skills,
    },
    moves::place_of,
    ports::{
        Unit,
        absences::Absentee,
        bookings::{Booking, Location},
        crews::{CrewMate, Mate},
        directory::{MateRecord, TruckRecord, TruckState},
        dispatch::TruckUse,
    },
};

/// A job with its crew and truck.
#[derive(Debug, Clone)]
pub(super) struct StaffedJob {
    pub booking: Booking,
    pub crew: Vec<CrewMate>,
    pub truck: Option<TruckUse>,
    /// It lacks people or a truck and has begun, or should have: the plan leaves it alone.
    pub late: bool,
}

/// Everything that a plan of a day is made of. Mates and trucks that are away, or whose papers have ended by that day, are not
/// among them: staff may still name them by hand.
#[derive(Debug)]
pub(super) struct Gathered {
    /// The jobs of the hub and day by their start, then those of others that somebody is on.
    pub jobs: Vec<StaffedJob>,
    pub mates: Vec<Mate>,
    pub trucks: Vec<TruckRecord>,
    pub ways: Roads,
    pub day: Day,
}

/// The ways of a day, by the offline model.
#[derive(Debug)]
pub(super) struct Roads {
    hub: Waypoint,
    doors: Vec<(Waypoint, Waypoint)>,
}

impl Ways for Roads {
    fn out(&self, job: usize) -> u32 {
        travel_between(&self.hub, &self.doors[job].0).minutes
    }

    fn back(&self, job: usize) -> u32 {
        travel_between(&self.doors[job].1, &self.hub).minutes
    }

    fn between(&self, from: usize, to: usize) -> u32 {
        travel_between(&self.doors[from].1, &self.doors[to].0).minutes
    }
}

/// Reads a day of a hub.
///
/// # Errors
/// When the database fails.
pub(super) fn gather(
    u: &mut dyn Unit,
    hub: &'static Hub,
    date: NaiveDate,
    now: DateTime<Utc>,
) -> ServiceResult<Gathered> {
    let ids = u.dispatches().of_days(Some(hub.id), date, date, MOST_JOBS)?;
    let mut bookings = u.bookings().get_all(&ids)?;
    bookings.sort_by_key(|b| (b.move_at, b.id));
    let from = bookings.iter().map(|b| b.move_at).min().unwrap_or_else(|| midnight(hub, date)) - REACH;
    let until = bookings.iter().map(ends_at).max().unwrap_or_else(|| midnight(hub, date)) + REACH;
    let (mate_spans, truck_spans) = (u.dispatches().mate_spans(from, until)?, u.dispatches().truck_spans(from, until)?);

    let here = |m: &Mate| m.hubs.is_empty() || m.hubs.iter().any(|own| own == hub.id);
    let house: Vec<Mate> = u.crews().mates()?.into_iter().filter(here).collect();
    let away: BTreeSet<MateId> = u.absences().mates_away(date)?.into_iter().collect();
    let idle: BTreeSet<TruckId> =
        u.absences().between(None, date, date)?.into_iter().filter_map(|a| truck_of(a.who)).collect();
    let trucks: Vec<TruckRecord> = u
        .directory()
        .trucks()?
        .into_iter()
        .filter(|t| t.state == TruckState::Active && t.hub == hub.id && !idle.contains(&t.id))
        .filter(|t| ended::of_truck(t, date).is_empty())
        .collect();
    let records = u.directory().mates()?;
    let lapsed: BTreeSet<MateId> =
        records.iter().filter(|m| !ended::of_mate(&m.documents, date).is_empty()).map(|m| m.id).collect();
    let is_there = |m: &&Mate| !away.contains(&m.id) && !lapsed.contains(&m.id);
    let mates: Vec<Mate> = house.iter().filter(is_there).cloned().collect();

    // What else they are on: jobs of other hubs, and of the days beside this one.
    let (ours, drive): (BTreeSet<MateId>, BTreeSet<TruckId>) =
        (mates.iter().map(|m| m.id).collect(), trucks.iter().map(|t| t.id).collect());
    let mut others: BTreeSet<BookingId> =
        mate_spans.iter().filter(|(m, _)| ours.contains(m)).map(|(_, s)| s.booking).collect();
    others.extend(truck_spans.iter().filter(|(t, _)| drive.contains(t)).map(|(_, s)| s.booking));
    let known: BTreeSet<BookingId> = bookings.iter().map(|b| b.id).collect();
    let others: Vec<BookingId> = others.difference(&known).copied().collect();
    let mut beside = u.bookings().get_all(&others)?;
    beside.sort_by_key(|b| (b.move_at, b.id));
    let own = bookings.len();
    bookings.extend(beside);
    let place: BTreeMap<BookingId, usize> = bookings.iter().enumerate().map(|(n, b)| (b.id, n)).collect();

    let mut crews: BTreeMap<BookingId, Vec<CrewMate>> = BTreeMap::new();
    for (id, mate) in u.dispatches().crews_of(&ids)? {
        crews.entry(id).or_default().push(mate);
    }
    let mut driven: BTreeMap<BookingId, TruckUse> = u.dispatches().trucks_of(&ids)?.into_iter().collect();
    let able = abilities(u, hub, date, &house, &records)?;
    let of = |id: MateId| able.get(&id).copied().unwrap_or_default();
    let house_can = house.iter().fold(0, |all, m| all | of(m.id).skills);

    let (mut jobs, mut day_jobs) = (Vec::new(), Vec::new());
    for (n, booking) in bookings.into_iter().enumerate() {
        let crew = crews.remove(&booking.id).unwrap_or_default();
        let truck = driven.remove(&booking.id);
        let live = n < own && matches!(booking.status, Status::Pending | Status::Assigned);
        let mates = usize::from(booking.mate_count.get()).saturating_sub(crew.len());
        let needs_truck = !booking.just_mates && truck.is_none();
        let open = live && booking.move_at > now;
        // A skill that nobody of the house has cannot be asked for; one that is on the job already need not be.
        let asked = skills::required_skills(&booking) & house_can;
        let there = crew.iter().any(|m| of(m.mate).skills & asked != 0);
        day_jobs.push(DayJob {
            from: booking.move_at,
            until: ends_at(&booking),
            mates: if open { mates } else { 0 },
            skill: if there { 0 } else { asked },
            language: language_bit(booking.language),
            truck: (open && needs_truck).then(|| TruckClass::for_tier(booking.tier)),
            today: booking.move_date == date,
        });
        let late = live && !open && (mates > 0 || needs_truck);
        jobs.push(StaffedJob { booking, crew, truck, late });
    }

    let mut on_mates: BTreeMap<MateId, Vec<usize>> = BTreeMap::new();
    for (mate, span) in &mate_spans {
        if let Some(n) = place.get(&span.booking) {
            on_mates.entry(*mate).or_default().push(*n);
        }
    }
    let mut on_trucks: BTreeMap<TruckId, Vec<usize>> = BTreeMap::new();
    for (truck, span) in &truck_spans {
        if let Some(n) = place.get(&span.booking) {
            on_trucks.entry(*truck).or_default().push(*n);
        }
    }
    let day_mates = mates
        .iter()
        .map(|m| DayMate {
            on: on_mates.remove(&m.id).unwrap_or_default(),
            skills: of(m.id).skills,
            languages: of(m.id).languages,
            minutes_that_week: of(m.id).minutes,
        })
        .collect();
    let day_trucks =
        trucks.iter().map(|t| DayTruck { class: t.class, on: on_trucks.remove(&t.id).unwrap_or_default() }).collect();
    let door = |l: &Location| waypoint(&place_of(&l.address, l.coordinates));
    let doors = jobs.iter().map(|k| (door(&k.booking.details.pickup), door(&k.booking.details.dropoff))).collect();
    let ways = Roads { hub: waypoint(&hub.place()), doors };
    let day = Day::new(day_jobs, day_mates, day_trucks, &ways).map_err(|e| Error::Internal(e.to_string()))?;
    Ok(Gathered { jobs, mates, trucks, ways, day })
}

fn midnight(hub: &Hub, day: NaiveDate) -> DateTime<Utc> {
    hub.zone.instant(day, NaiveTime::MIN).unwrap_or_else(|_| day.and_time(NaiveTime::MIN).and_utc())
}

const fn truck_of(who: Absentee) -> Option<TruckId> {
    match who {
        Absentee::Truck(id, _) => Some(id),
        Absentee::Mate(_) => None,
    }
}

/// A language as a bit.
pub(super) const fn language_bit(language: Language) -> u32 {
    1 << language as u32
}

/// What somebody can do, speaks, and has worked in the week of a day.
#[derive(Debug, Clone, Copy, Default)]
struct Ability {
    skills: u32,
    languages: u32,
    minutes: i64,
}

fn abilities(
    u: &mut dyn Unit,
    hub: &Hub,
    date: NaiveDate,
    house: &[Mate],
    records: &[MateRecord],
) -> ServiceResult<BTreeMap<MateId, Ability>> {
    let monday = date - Days::new(u64::from(date.weekday().num_days_from_monday()));
    let mut able: BTreeMap<MateId, Ability> = house.iter().map(|m| (m.id, Ability::default())).collect();
    for record in records {
        if let Some(one) = able.get_mut(&record.id) {
            one.skills = skills::of_words(&record.skills);
            one.languages = record.languages.iter().fold(0, |bits, l| bits | language_bit(*l));
        }
    }
    for (mate, span) in u.dispatches().mate_spans(midnight(hub, monday), midnight(hub, monday + Days::new(7)))? {
        if let Some(one) = able.get_mut(&mate) {
            one.minutes += (span.until - span.from).num_minutes() - LEAST_WAY;
        }
    }
    Ok(able)
}
