//! The board: the jobs of some days, who is on them, and what is wrong.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days, NaiveDate, Utc};
use geography::Hub;
use kernel::{BookingId, MateId, TruckId, Zone};
use scheduling::TruckClass;
use status_machine::booking::Status;

use super::confirm;
use crate::{
    Error, FieldProblem, ServiceResult, Services, Staff,
    calendar::today,
    capacity::capacity_of,
    crews::{
        ended::{self, ExpiredDocument},
        free::{Clash, clash, ends_at},
        skills,
    },
    discounts::day,
    ports::{
        Unit,
        absences::Absentee,
        bookings::Booking,
        crews::CrewMate,
        directory::{MateDocument, MateState, TruckRecord, TruckState},
        dispatch::{Act, Done, TruckUse},
    },
};

/// The most days of one look.
const MOST_DAYS: u64 = 31;
/// The most jobs of one look.
pub const MOST_JOBS: i64 = 1_000;

/// What is wrong with a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// A mate has another job then.
    MateTaken,
    /// A mate is away that day.
    MateAway,
    /// The truck has another job then.
    TruckTaken,
    /// The truck is away that day.
    TruckAway,
    /// Fewer mates than the booking pays for.
    TooFew,
    /// Somebody is on it, and no truck that it needs.
    NoTruck,
    /// Nobody on it can move what is heavy, and somebody of the house can.
    NoSkill,
    /// A mate should have said by now that they come.
    Unconfirmed,
    /// A paper of a mate has ended by then.
    MatePaper,
    /// A paper of the truck has ended by then.
    TruckPaper,
}

impl Wrong {
    /// All of them.
    pub const ALL: [Wrong; 10] = [
        Wrong::MateTaken,
        Wrong::MateAway,
        Wrong::TruckTaken,
        Wrong::TruckAway,
        Wrong::TooFew,
        Wrong::NoTruck,
        Wrong::NoSkill,
        Wrong::Unconfirmed,
        Wrong::MatePaper,
        Wrong::TruckPaper,
    ];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Wrong::MateTaken => "mate_taken",
            Wrong::MateAway => "mate_away",
            Wrong::TruckTaken => "truck_taken",
            Wrong::TruckAway => "truck_away",
            Wrong::TooFew => "too_few",
            Wrong::NoTruck => "no_truck",
            Wrong::NoSkill => "no_skill",
            Wrong::Unconfirmed => "mate_unconfirmed",
            Wrong::MatePaper => "mate_paper_ended",
            Wrong::TruckPaper => "truck_paper_ended",
        }
    }
}

/// Something that is wrong, of whom, and which other job it comes of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// What.
    pub what: Wrong,
    /// The name of the mate or truck.
    pub who: Option<String>,
    /// The other job.
    pub other: Option<Clash>,
    /// The paper that has ended.
    pub paper: Option<ExpiredDocument>,
}

impl Conflict {
    fn of(what: Wrong, who: Option<String>) -> Conflict {
        Conflict { what, who, other: None, paper: None }
    }
}

/// A mate on a job, and what they reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignedMate {
    /// The mate.
    pub mate: CrewMate,
    /// When they accepted the job; none: not yet.
    pub accepted_at: Option<DateTime<Utc>>,
    /// When they began the work.
    pub started_at: Option<DateTime<Utc>>,
    /// When they finished it.
    pub finished_at: Option<DateTime<Utc>>,
}

/// Latest accept, start and finish of this mate; acts from before the last assignment are ignored.
pub(crate) fn on_it(mate: CrewMate, acts: &[Done]) -> AssignedMate {
    let last = |act: Act| {
        let mine = acts.iter().filter(|d| d.mate == mate.mate && d.act == act && d.told_at >= mate.since);
        mine.map(|d| d.at).next_back()
    };
    AssignedMate { accepted_at: last(Act::Accept), started_at: last(Act::Start), finished_at: last(Act::Finish), mate }
}

/// A move on the board, with its crew and truck.
#[derive(Debug, Clone)]
pub struct MoveJob {
    /// The booking.
    pub booking: Booking,
    /// From when on somebody is under way.
    pub occupied_from: DateTime<Utc>,
    /// The end of the work.
    pub ends_at: DateTime<Utc>,
    /// Until when somebody is under way.
    pub occupied_until: DateTime<Utc>,
    /// Who.
    pub crew: Vec<AssignedMate>,
    /// The truck.
    pub truck: Option<TruckUse>,
    /// What is wrong.
    pub conflicts: Vec<Conflict>,
}

/// Somebody or something that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane<K> {
    /// Key.
    pub id: K,
    /// Name.
    pub name: String,
    /// The days of the look they are away.
    pub away: Vec<NaiveDate>,
}

/// The board.
#[derive(Debug, Clone)]
pub struct Board {
    /// The hub; none: all.
    pub hub: Option<&'static Hub>,
    /// Today there; with all hubs, at the company's.
    pub today: NaiveDate,
    /// Zone of the days.
    pub zone: Zone,
    /// First day.
    pub first: NaiveDate,
    /// Last day.
    pub last: NaiveDate,
    /// Jobs by their start.
    pub jobs: Vec<MoveJob>,
    /// Who may be sent, by name.
    pub mates: Vec<Lane<MateId>>,
    /// What may be sent, with its class, by name.
    pub trucks: Vec<(Lane<TruckId>, TruckClass)>,
    /// Jobs that lack people: nobody is on them, or fewer than they pay for. By their start.
    pub unassigned: Vec<BookingId>,
}

/// The jobs of some days, at most 31, of a hub or of all.
///
/// # Errors
/// The field `to` when it lies before `from`, or too far behind it.
pub async fn board(
    s: &Services,
    _: &Staff,
    hub: Option<&'static Hub>,
    (first, last): (Option<NaiveDate>, Option<NaiveDate>),
) -> ServiceResult<Board> {
    let now = s.clock.now();
    let today = hub.map_or_else(|| day(now), |hub| today(hub, now));
    let first = first.unwrap_or(today);
    let last = last.unwrap_or(first);
    let furthest = first.checked_add_days(Days::new(MOST_DAYS)).unwrap_or(first);
    if last < first || last >= furthest {
        let latest = furthest.pred_opt().unwrap_or(first);
        return Err(Error::field("to", FieldProblem::Between(first.into(), latest.into())));
    }
    s.store
        .read(move |u| {
            let ids = u.dispatches().of_days(hub.map(|h| h.id), first, last, MOST_JOBS)?;
            let jobs = jobs(u, &ids, now)?;
            let away = away(u, first, last)?;
            let here = |hubs: &[String]| hub.is_none_or(|h| hubs.is_empty() || hubs.iter().any(|own| own == h.id));
            let sent = u.crews().mates()?.into_iter().filter(|m| here(&m.hubs));
            let mut mates: Vec<Lane<MateId>> =
                sent.map(|m| Lane { id: m.id, name: m.name, away: away.of_mate(m.id, first, last) }).collect();
            mates.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
            let known = u.directory().trucks()?.into_iter();
            let drives = known.filter(|t| t.state == TruckState::Active && hub.is_none_or(|h| t.hub == h.id));
            let trucks = drives
                .map(|t| (Lane { id: t.id, name: t.name, away: away.of_truck(t.id, first, last) }, t.class))
                .collect();
            let waits = |j: &&MoveJob| {
                let live = matches!(j.booking.status, Status::Pending | Status::Assigned);
                live && j.crew.len() < usize::from(j.booking.mate_count.get())
            };
            let unassigned = jobs.iter().filter(waits).map(|j| j.booking.id).collect();
            let zone = hub.map_or(Zone::MONTREAL, |h| h.zone);
            Ok(Board { hub, today, zone, first, last, jobs, mates, trucks, unassigned })
        })
        .await
}

/// Days on which somebody is away.
struct AwayDays {
    mates: BTreeMap<MateId, Vec<(NaiveDate, NaiveDate)>>,
    trucks: BTreeMap<TruckId, Vec<(NaiveDate, NaiveDate)>>,
}

impl AwayDays {
    fn of(spans: Option<&Vec<(NaiveDate, NaiveDate)>>, first: NaiveDate, last: NaiveDate) -> Vec<NaiveDate> {
        let Some(spans) = spans else { return Vec::new() };
        let days = first.iter_days().take_while(|day| *day <= last);
        days.filter(|day| spans.iter().any(|(from, to)| from <= day && day <= to)).collect()
    }

    fn of_mate(&self, id: MateId, first: NaiveDate, last: NaiveDate) -> Vec<NaiveDate> {
        AwayDays::of(self.mates.get(&id), first, last)
    }

    fn of_truck(&self, id: TruckId, first: NaiveDate, last: NaiveDate) -> Vec<NaiveDate> {
        AwayDays::of(self.trucks.get(&id), first, last)
    }
}

fn away(u: &mut dyn Unit, first: NaiveDate, last: NaiveDate) -> ServiceResult<AwayDays> {
    let mut found = AwayDays { mates: BTreeMap::new(), trucks: BTreeMap::new() };
    for absence in u.absences().between(None, first, last)? {
        let span = (absence.first, absence.last);
        match absence.who {
            Absentee::Mate(id) => found.mates.entry(id).or_default().push(span),
            Absentee::Truck(id, _) => found.trucks.entry(id).or_default().push(span),
        }
    }
    Ok(found)
}

/// The mates and trucks of the company.
#[derive(Default)]
struct Roster {
    /// What each can do, as bits, and where they may be sent from; who can do nothing special is not in it.
    skilled: BTreeMap<MateId, (u32, Vec<String>)>,
    /// Who was asked by mail whether they come. Whoever has no address was told in person.
    asked: BTreeSet<MateId>,
    /// Papers that end, by whose they are; who has none is not in it.
    papers: BTreeMap<MateId, Vec<MateDocument>>,
    /// The trucks.
    trucks: BTreeMap<TruckId, TruckRecord>,
}

impl Roster {
    /// Reads people and trucks where a job that is still to be done has some; of others nothing is asked.
    fn of(u: &mut dyn Unit, people: bool, trucks: bool) -> ServiceResult<Roster> {
        let mut house = Roster::default();
        if trucks {
            house.trucks = u.directory().trucks()?.into_iter().map(|t| (t.id, t)).collect();
        }
        if !people {
            return Ok(house);
        }
        for mate in u.directory().mates()? {
            if !mate.email.is_empty() {
                house.asked.insert(mate.id);
            }
            let bits = skills::of_words(&mate.skills);
            if bits != 0 && mate.state == MateState::Active {
                house.skilled.insert(mate.id, (bits, mate.hubs));
            }
            if !mate.documents.is_empty() {
                house.papers.insert(mate.id, mate.documents);
            }
        }
        Ok(house)
    }

    /// Nobody of a crew can move what is heavy, and somebody could be sent who can.
    fn lacks_skill(&self, b: &Booking, crew: &[AssignedMate]) -> bool {
        let asked = skills::required_skills(b);
        let here = |hubs: &[String]| hubs.is_empty() || hubs.contains(&b.hub);
        let one_can = crew.iter().any(|m| self.skilled.get(&m.mate.mate).is_some_and(|(bits, _)| bits & asked != 0));
        !one_can && self.skilled.values().any(|(bits, hubs)| bits & asked != 0 && here(hubs))
    }

    /// What of the people and of the truck of a job has ended by its day.
    fn ended(&self, b: &Booking, crew: &[AssignedMate], truck: Option<&TruckUse>) -> Vec<Conflict> {
        let mut found = Vec::new();
        let mut say = |what: Wrong, who: &str, papers: Vec<ExpiredDocument>| {
            let wrong = |paper| Conflict { paper: Some(paper), ..Conflict::of(what, Some(who.to_owned())) };
            found.extend(papers.into_iter().map(wrong));
        };
        for AssignedMate { mate, .. } in crew {
            if let Some(documents) = self.papers.get(&mate.mate) {
                say(Wrong::MatePaper, &mate.name, ended::of_mate(documents, b.move_date));
            }
        }
        if let Some((used, record)) = truck.and_then(|t| Some((t, self.trucks.get(&t.truck)?))) {
            say(Wrong::TruckPaper, &used.name, ended::of_truck(record, b.move_date));
        }
        found
    }
}

/// These bookings as jobs, by their start; what is wrong is what is wrong `now`.
///
/// # Errors
/// When the database fails.
pub(crate) fn jobs(u: &mut dyn Unit, ids: &[BookingId], now: DateTime<Utc>) -> ServiceResult<Vec<MoveJob>> {
    let mut bookings = u.bookings().get_all(ids)?;
    bookings.sort_by_key(|b| (b.move_at, b.id));
    let (Some(first), Some(last)) =
        (bookings.iter().map(|b| b.move_date).min(), bookings.iter().map(|b| b.move_date).max())
    else {
        return Ok(Vec::new());
    };
    let away = away(u, first, last)?;
    let acts = u.dispatches().acts_of(ids)?;
    let mut crews: BTreeMap<BookingId, Vec<AssignedMate>> = BTreeMap::new();
    for (id, mate) in u.dispatches().crews_of(ids)? {
        let theirs: Vec<Done> = acts.iter().filter(|d| d.booking == id).copied().collect();
        crews.entry(id).or_default().push(on_it(mate, &theirs));
    }
    let trucks: BTreeMap<BookingId, TruckUse> = u.dispatches().trucks_of(ids)?.into_iter().collect();
    let live = |b: &Booking| matches!(b.status, Status::Pending | Status::Assigned);
    let (people, driven) = (
        bookings.iter().any(|b| live(b) && crews.contains_key(&b.id)),
        bookings.iter().any(|b| live(b) && trucks.contains_key(&b.id)),
    );
    let house = Roster::of(u, people, driven)?;
    let mut found = Vec::new();
    for (n, b) in bookings.iter().enumerate() {
        let (crew, truck) = (crews.get(&b.id).cloned().unwrap_or_default(), trucks.get(&b.id).cloned());
        let mut conflicts = Vec::new();
        if live(b) {
            let on: BTreeSet<MateId> = crew.iter().map(|m| m.mate.mate).collect();
            // Jobs of other days are kept apart by the database; those beside it may be too close for the way.
            for other in bookings.iter().enumerate().filter(|(at, _)| *at != n).map(|(_, o)| o) {
                let theirs = crews.get(&other.id).map(Vec::as_slice).unwrap_or_default();
                let shared: Vec<&AssignedMate> = theirs.iter().filter(|m| on.contains(&m.mate.mate)).collect();
                let same_truck =
                    truck.as_ref().is_some_and(|t| trucks.get(&other.id).is_some_and(|o| o.truck == t.truck));
                if shared.is_empty() && !same_truck {
                    continue;
                }
                let Some(clash) = clash(b, other) else { continue };
                for mate in shared {
                    let who = Some(mate.mate.name.clone());
                    conflicts.push(Conflict { other: Some(clash.clone()), ..Conflict::of(Wrong::MateTaken, who) });
                }
                if same_truck {
                    let who = truck.as_ref().map(|t| t.name.clone());
                    conflicts.push(Conflict { other: Some(clash), ..Conflict::of(Wrong::TruckTaken, who) });
                }
            }
            for mate in crew.iter().filter(|m| !away.of_mate(m.mate.mate, b.move_date, b.move_date).is_empty()) {
                conflicts.push(Conflict::of(Wrong::MateAway, Some(mate.mate.name.clone())));
            }
            if let Some(t) = truck.as_ref().filter(|t| !away.of_truck(t.truck, b.move_date, b.move_date).is_empty()) {
                conflicts.push(Conflict::of(Wrong::TruckAway, Some(t.name.clone())));
            }
            if !crew.is_empty() && crew.len() < usize::from(b.mate_count.get()) {
                conflicts.push(Conflict::of(Wrong::TooFew, None));
            }
            if !crew.is_empty() && truck.is_none() && !b.just_mates {
                conflicts.push(Conflict::of(Wrong::NoTruck, None));
            }
            if !crew.is_empty() && house.lacks_skill(b, &crew) {
                conflicts.push(Conflict::of(Wrong::NoSkill, None));
            }
            let overdue = crew.iter().filter(|m| confirm::is_overdue(b, m, now) && house.asked.contains(&m.mate.mate));
            for mate in overdue {
                conflicts.push(Conflict::of(Wrong::Unconfirmed, Some(mate.mate.name.clone())));
            }
            conflicts.extend(house.ended(b, &crew, truck.as_ref()));
        }
        let occupied = capacity_of(b).occupancy();
        found.push(MoveJob {
            occupied_from: occupied.from,
            ends_at: ends_at(b),
            occupied_until: occupied.until,
            crew,
            truck,
            conflicts,
            booking: b.clone(),
        });
    }
    Ok(found)
}
