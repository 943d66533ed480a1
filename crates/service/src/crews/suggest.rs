//! Who would be good on a booking, and why: what staff are shown, and whom Portage sends where staff name nobody.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike, Days, NaiveTime};
use kernel::{BookingId, MateId, TruckId};
use scheduling::TruckClass;

use super::{
    ended::{self, ExpiredDocument},
    free::{self, Clash, LEAST_WAY, ends_at},
    skills,
};
use crate::{
    ServiceResult,
    moves::place_of,
    ports::{Unit, absences::Absentee, bookings::Booking, crews::Mate, directory::TruckState},
};

/// So near is near, minutes by truck.
pub(crate) const NEAR: i64 = 20;
/// The most suggestions.
const MOST: usize = 100;

/// Something that speaks for somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Has no other job then, and is not away.
    Free,
    /// Comes from near by: another job of that day ends there, or the hub is there.
    Near,
    /// Can do what is heavy here.
    Skilled,
    /// Speaks the customer's language.
    Language,
    /// Has the fewest hours of that week among those who are free.
    FewestHours,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 5] = [Reason::Free, Reason::Near, Reason::Skilled, Reason::Language, Reason::FewestHours];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Reason::Free => "free",
            Reason::Near => "near",
            Reason::Skilled => "skilled",
            Reason::Language => "language",
            Reason::FewestHours => "fewest_hours",
        }
    }
}

/// Somebody who could be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Who.
    pub id: MateId,
    /// Name.
    pub name: String,
    /// Of the crew that is suggested.
    pub suggested: bool,
    /// On it already.
    pub on_it: bool,
    /// What speaks for them.
    pub reasons: Vec<Reason>,
    /// The job that is in the way.
    pub taken: Option<Clash>,
    /// Away that day.
    pub away: bool,
    /// Papers that have ended by then.
    pub ended: Vec<ExpiredDocument>,
    /// Minutes of work in the week of the move, this job aside.
    pub minutes_that_week: i64,
    /// Jobs that day, this one aside.
    pub jobs_that_day: usize,
    /// Minutes of driving to the pickup.
    pub way: i64,
}

/// A truck that could be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TruckCandidate {
    /// Which.
    pub id: TruckId,
    /// Name.
    pub name: String,
    /// Its class.
    pub class: TruckClass,
    /// The one that is suggested.
    pub suggested: bool,
    /// Large enough.
    pub fits: bool,
    /// The job that is in the way.
    pub taken: Option<Clash>,
    /// Away that day.
    pub away: bool,
    /// Papers that have ended by then.
    pub ended: Vec<ExpiredDocument>,
}

/// Minutes of work of the week, and the jobs of the day, by mate; the booking itself is not counted.
type WorkloadByMate = BTreeMap<MateId, (i64, Vec<Booking>)>;

fn work(u: &mut dyn Unit, b: &Booking) -> ServiceResult<WorkloadByMate> {
    let monday = b.move_date - Days::new(u64::from(b.move_date.weekday().num_days_from_monday()));
    let midnight = |date| b.zone.instant(date, NaiveTime::MIN).unwrap_or(b.move_at);
    let spans = u.dispatches().mate_spans(midnight(monday), midnight(monday + Days::new(7)))?;
    let mut ids: Vec<BookingId> = spans.iter().map(|(_, s)| s.booking).filter(|id| *id != b.id).collect();
    ids.sort_unstable();
    ids.dedup();
    let known: BTreeMap<BookingId, Booking> = u.bookings().get_all(&ids)?.into_iter().map(|o| (o.id, o)).collect();
    let mut found = WorkloadByMate::new();
    for (mate, span) in spans {
        let Some(other) = known.get(&span.booking) else { continue };
        let (minutes, jobs) = found.entry(mate).or_default();
        *minutes += i64::from(other.duration_minutes);
        if other.move_date == b.move_date {
            jobs.push(other.clone());
        }
    }
    Ok(found)
}

/// Minutes to the pickup: from the last job that ends before it that day, else from the hub.
fn way_to(b: &Booking, jobs: &[Booking]) -> i64 {
    let before = jobs.iter().filter(|o| ends_at(o) <= b.move_at).max_by_key(|o| o.move_at);
    if let Some(other) = before {
        return free::way(&other.details.dropoff, &b.details.pickup);
    }
    let pickup = place_of(&b.details.pickup.address, b.details.pickup.coordinates);
    geography::hub(&b.hub).map_or(LEAST_WAY, |hub| i64::from(geography::travel(&hub.place(), &pickup).minutes))
}

/// The mates of the hub, the best first.
///
/// # Errors
/// When the database fails.
pub(crate) fn mates(u: &mut dyn Unit, b: &Booking, taken: &free::Clashes) -> ServiceResult<Vec<Candidate>> {
    let here = |m: &Mate| m.hubs.is_empty() || m.hubs.contains(&b.hub);
    let sent: Vec<Mate> = u.crews().mates()?.into_iter().filter(here).collect();
    let records: BTreeMap<MateId, _> = u.directory().mates()?.into_iter().map(|m| (m.id, m)).collect();
    let away: BTreeSet<MateId> = u.absences().mates_away(b.move_date)?.into_iter().collect();
    let on: BTreeSet<MateId> = u.crews().of_booking(b.id)?.into_iter().map(|m| m.mate).collect();
    let (mut work, asked) = (work(u, b)?, skills::required_skills(b));
    let mut found = Vec::new();
    for mate in sent {
        let (minutes, jobs) = work.remove(&mate.id).unwrap_or_default();
        let clash = taken.mates.get(&mate.id).cloned();
        let is_away = away.contains(&mate.id);
        let (mut reasons, mut ended) = (Vec::new(), Vec::new());
        if clash.is_none() && !is_away {
            reasons.push(Reason::Free);
        }
        let way = way_to(b, &jobs);
        if way <= NEAR {
            reasons.push(Reason::Near);
        }
        if let Some(record) = records.get(&mate.id) {
            ended = ended::of_mate(&record.documents, b.move_date);
            if skills::of_words(&record.skills) & asked != 0 {
                reasons.push(Reason::Skilled);
            }
            if record.languages.contains(&b.language) {
                reasons.push(Reason::Language);
            }
        }
        found.push(Candidate {
            id: mate.id,
            name: mate.name,
            suggested: false,
            on_it: on.contains(&mate.id),
            reasons,
            taken: clash,
            away: is_away,
            ended,
            minutes_that_week: minutes,
            jobs_that_day: jobs.len(),
            way,
        });
    }
    Ok(ranked(found, usize::from(b.mate_count.get())))
}

/// The best first, and always the same: who is free, has papers that count, can do it, speaks the language, has worked least, is near; then by id.
fn ranked(mut found: Vec<Candidate>, wanted: usize) -> Vec<Candidate> {
    let is_free = |c: &Candidate| c.reasons.contains(&Reason::Free);
    if let Some(fewest) = found.iter().filter(|c| is_free(c)).map(|c| c.minutes_that_week).min() {
        for one in found.iter_mut().filter(|c| c.reasons.contains(&Reason::Free) && c.minutes_that_week == fewest) {
            one.reasons.push(Reason::FewestHours);
        }
    }
    let has = |c: &Candidate, r: Reason| !c.reasons.contains(&r);
    found.sort_by_key(|c| {
        let (free, skilled, language) = (has(c, Reason::Free), has(c, Reason::Skilled), has(c, Reason::Language));
        (free, !c.ended.is_empty(), skilled, language, c.minutes_that_week, c.way, c.id)
    });
    for one in found.iter_mut().filter(|c| c.reasons.contains(&Reason::Free)).take(wanted) {
        one.suggested = true;
    }
    found.truncate(MOST);
    found
}

/// The trucks of the hub, the best first; none for a move without a truck.
///
/// # Errors
/// When the database fails.
pub(crate) fn trucks(u: &mut dyn Unit, b: &Booking, taken: &free::Clashes) -> ServiceResult<Vec<TruckCandidate>> {
    if b.just_mates {
        return Ok(Vec::new());
    }
    let needed = TruckClass::for_tier(b.tier);
    let known = u.directory().trucks()?;
    let mut found = Vec::new();
    for truck in known.into_iter().filter(|t| t.state == TruckState::Active && t.hub == b.hub) {
        let away = !u.absences().of(Absentee::Truck(truck.id, truck.class), b.move_date, b.move_date)?.is_empty();
        let ended = ended::of_truck(&truck, b.move_date);
        found.push(TruckCandidate {
            id: truck.id,
            name: truck.name,
            class: truck.class,
            suggested: false,
            fits: truck.class >= needed,
            taken: taken.trucks.get(&truck.id).cloned(),
            away,
            ended,
        });
    }
    let good = |t: &TruckCandidate| t.fits && !t.away && t.taken.is_none();
    // The smallest that is large enough: the others may be needed by others. Whose papers have ended comes after the others.
    let rank = |t: &TruckCandidate| (!good(t), !t.ended.is_empty(), t.class);
    found.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.name.cmp(&b.name)));
    if let Some(first) = found.first_mut().filter(|t| good(t)) {
        first.suggested = true;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(n: u128, reasons: &[Reason], minutes: i64) -> Candidate {
        Candidate {
            id: MateId(uuid::Uuid::from_u128(n)),
            name: format!("M{n}"),
            suggested: false,
            on_it: false,
            reasons: reasons.to_vec(),
            taken: None,
            away: !reasons.contains(&Reason::Free),
            ended: Vec::new(),
            minutes_that_week: minutes,
            jobs_that_day: 0,
            way: 30,
        }
    }

    #[test]
    fn the_free_the_able_and_the_rested_come_first() {
        let all = vec![
            candidate(1, &[Reason::Language], 0),
            candidate(2, &[Reason::Free], 300),
            candidate(3, &[Reason::Free], 120),
            candidate(4, &[Reason::Free, Reason::Skilled], 900),
            candidate(5, &[Reason::Free, Reason::Language], 900),
        ];
        let found = ranked(all, 2);
        let ids: Vec<u128> = found.iter().map(|c| c.id.0.as_u128()).collect();
        assert_eq!(ids, [4, 5, 3, 2, 1]);
        assert_eq!(found.iter().map(|c| c.suggested).collect::<Vec<_>>(), [true, true, false, false, false]);
        let fewest: Vec<u128> =
            found.iter().filter(|c| c.reasons.contains(&Reason::FewestHours)).map(|c| c.id.0.as_u128()).collect();
        assert_eq!(fewest, [3]);
        let ended = vec![ExpiredDocument { kind: "Insurance".to_owned(), last_day: chrono::NaiveDate::MIN }];
        let lapsed = Candidate { ended, ..candidate(1, &[Reason::Free, Reason::Skilled], 0) };
        let found = ranked(vec![lapsed, candidate(2, &[Reason::Free], 900)], 2);
        let ids: Vec<(u128, bool)> = found.iter().map(|c| (c.id.0.as_u128(), c.suggested)).collect();
        assert_eq!(ids, [(2, true), (1, true)], "after the others, and not refused");
        assert!(ranked(vec![candidate(1, &[], 0)], 2).iter().all(|c| !c.suggested), "nobody who is not free");
    }
}
