//! Who comes: mates of the directory, put on a booking for the whole time it occupies.
//!
//! Dispatchers choose people by name ([`crate::dispatch`]); where nobody did, Portage chooses.

pub(crate) mod ended;
pub(crate) mod free;
mod leaving;
pub(crate) mod skills;
pub(crate) mod suggest;

pub use ended::ExpiredDocument;
pub use free::Clash;
pub(crate) use leaving::crew_removal;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use kernel::MateId;
use serde_json::{Value, json};
use status_machine::booking::Status;

use crate::{
    Error, ErrorCode, ServiceResult, Tx,
    mailing::crews as letters,
    ports::{
        StoreError, Unit,
        bookings::Booking,
        crews::{CrewMate, Mate},
        dispatch::{Act, TruckUse},
    },
};

/// What the audit trail calls a change of the people who go.
pub(crate) const CHANGED: &str = "booking.crew";

/// Why an assigned booking goes back to pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CrewLossReason {
    /// It needs another number of mates: the crew is chosen anew.
    SizeChanged,
    /// Nobody of the crew can come at the new time.
    NotFree,
    /// The last mate of the crew no longer works here.
    Left,
    /// The last mate of the crew declined it.
    Declined,
}

impl CrewLossReason {
    /// The reason in the booking's history.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            CrewLossReason::SizeChanged => "crew_size_changed",
            CrewLossReason::NotFree => "crew_not_free",
            CrewLossReason::Left => "crew_left",
            CrewLossReason::Declined => "crew_declined",
        }
    }
}

/// How many Portage would put on a booking now: as many as it pays for, or as many as are free.
///
/// # Errors
/// When the database fails.
pub(crate) fn possible(u: &mut dyn Unit, b: &Booking) -> ServiceResult<usize> {
    let taken = free::clashes_around(u, b)?;
    Ok(can_come(u, b, &taken)?.len().min(usize::from(b.mate_count.get())))
}

/// Everybody of the hub who is free for the whole time. Who is away that day is not.
fn can_come(u: &mut dyn Unit, b: &Booking, taken: &free::Clashes) -> ServiceResult<Vec<Mate>> {
    let half_hours = half_hours(u, b)?;
    let mut busy: BTreeSet<MateId> = u.crews().taken(&half_hours)?.into_iter().collect();
    busy.extend(u.absences().mates_away(b.move_date)?);
    busy.extend(taken.mates.keys().copied());
    let comes = |m: &Mate| (m.hubs.is_empty() || m.hubs.contains(&b.hub)) && !busy.contains(&m.id);
    Ok(u.crews().mates()?.into_iter().filter(comes).collect())
}

/// Whom Portage sends: those it suggests to staff, in the same order.
fn best(u: &mut dyn Unit, b: &Booking, taken: &free::Clashes) -> ServiceResult<Vec<Mate>> {
    let free = can_come(u, b, taken)?;
    if free.is_empty() {
        return Ok(free);
    }
    let ranked = suggest::mates(u, b, taken)?;
    let mut places: BTreeMap<MateId, usize> = ranked.iter().enumerate().map(|(place, c)| (c.id, place + 1)).collect();
    // One who can move what is heavy goes along, whoever else would be better.
    let can = |c: &&suggest::Candidate| c.reasons.contains(&suggest::Reason::Skilled);
    if let Some(one) = ranked.iter().filter(can).find(|c| free.iter().any(|m| m.id == c.id)) {
        places.insert(one.id, 0);
    }
    Ok(choose(free, &places, usize::from(b.mate_count.get())))
}

/// The best and always the same: by the place among those who are suggested, then by id.
fn choose(mut free: Vec<Mate>, places: &BTreeMap<MateId, usize>, wanted: usize) -> Vec<Mate> {
    free.sort_by_key(|m| (places.get(&m.id).copied().unwrap_or(usize::MAX), m.id));
    free.truncate(wanted);
    free
}

/// The half hours a booking occupies, as its hold does. A move that had begun before it was restored has
/// no hold any more; of that one the work itself counts.
fn half_hours(u: &mut dyn Unit, b: &Booking) -> ServiceResult<Vec<DateTime<Utc>>> {
    let (from, until) = match u.capacities().hold_of_booking(b.id)? {
        Some(hold) => (hold.from, hold.until),
        None => (b.move_at, b.move_at + chrono::Duration::minutes(i64::from(b.duration_minutes.max(1)))),
    };
    Ok(scheduling::half_hours(from, until))
}

/// Puts a crew on a booking that has none, and a truck where the move needs one. Fewer mates than it pays for are allowed, and
/// told; without a free truck the people are assigned all the same, and the board shows what is missing.
///
/// # Errors
/// `crew_missing` when nobody is free, or nobody who can move a piano here.
pub(crate) fn assign(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    tx.unit.crews().lock()?;
    if !tx.unit.crews().of_booking(b.id)?.is_empty() {
        return Ok(());
    }
    let taken = free::clashes_around(tx.unit, b)?;
    let chosen = best(tx.unit, b, &taken)?;
    if chosen.is_empty() {
        return Err(ErrorCode::CrewMissing.into());
    }
    skills::one_can(tx.unit, b, &chosen.iter().map(|m| m.id).collect::<Vec<_>>())?;
    warn_of_few(b, chosen.len());
    let half_hours = half_hours(tx.unit, b)?;
    let crew: Vec<CrewMate> =
        chosen.into_iter().map(|m| CrewMate { mate: m.id, name: m.name, since: tx.now }).collect();
    for mate in &crew {
        tx.unit.crews().put(b.id, mate, &half_hours)?;
        tx.unit.dispatches().take_mate(mate.mate, free::span(b))?;
    }
    with_truck(tx, b, &taken)?;
    record(tx, b, &[], &crew)
}

/// The truck that is suggested goes along. Who takes a truck has the lock of [`crate::ports::crews::Crews::lock`], so what is
/// free here is not taken meanwhile.
fn with_truck(tx: &mut Tx<'_>, b: &Booking, taken: &free::Clashes) -> ServiceResult<()> {
    if !tx.unit.dispatches().trucks_of(&[b.id])?.is_empty() {
        return Ok(());
    }
    let Some(truck) = fitting_truck(tx.unit, b, taken)? else { return Ok(()) };
    Ok(tx.unit.dispatches().take_truck(&truck, free::span(b))?)
}

/// The truck a booking has; else the one that is suggested. None where it needs none, or none is free.
///
/// # Errors
/// When the database fails.
pub(crate) fn fitting_truck(u: &mut dyn Unit, b: &Booking, taken: &free::Clashes) -> ServiceResult<Option<TruckUse>> {
    if let Some((_, had)) = u.dispatches().trucks_of(&[b.id])?.pop() {
        return Ok(Some(had));
    }
    let good = suggest::trucks(u, b, taken)?.into_iter().find(|t| t.suggested);
    Ok(good.map(|t| TruckUse { truck: t.id, name: t.name }))
}

/// Takes the whole crew off a booking.
///
/// # Errors
/// When the database fails.
pub(crate) fn release(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let crew = tx.unit.crews().of_booking(b.id)?;
    tx.unit.dispatches().release_truck(b.id)?;
    for mate in &crew {
        tx.unit.crews().release(b.id, mate.mate)?;
    }
    if crew.is_empty() { Ok(()) } else { record(tx, b, &crew, &[]) }
}

/// The crew of an assigned booking follows an edit: who is free at the new time comes then, who is not is
/// released. Answers why the booking has nobody any more. `moved`: it occupies something else than
/// before, and its hold says so already.
///
/// # Errors
/// When the database fails.
pub(crate) fn follow(
    tx: &mut Tx<'_>,
    (old, new): (&Booking, &Booking),
    moved: bool,
) -> ServiceResult<Option<CrewLossReason>> {
    if old.status != Status::Assigned {
        return Ok(None);
    }
    if old.mate_count != new.mate_count {
        release(tx, old)?;
        return Ok(Some(CrewLossReason::SizeChanged));
    }
    let anew = letters::reads_otherwise(tx.services, old, new, tx.now);
    if !moved {
        if anew {
            ask_again(tx, old, new)?;
        }
        return Ok(None);
    }
    tx.unit.crews().lock()?;
    let crew = tx.unit.crews().of_booking(old.id)?;
    // Who was named has no half hours.
    let timed: BTreeSet<MateId> = tx.unit.crews().times(old.id)?.into_iter().map(|(mate, _)| mate).collect();
    let half_hours = half_hours(tx.unit, new)?;
    let others = free::clashes_around(tx.unit, new)?;
    let busy = leaving::busy(tx.unit, (old, new), &others, &half_hours)?;
    for mate in &crew {
        tx.unit.crews().release(old.id, mate.mate)?;
    }
    follow_truck(tx, new, &others)?;
    let mut stay: Vec<CrewMate> = crew.iter().filter(|m| !busy.contains(&m.mate)).cloned().collect();
    if anew {
        ask_crew_again(tx, old, &mut stay)?;
    }
    for mate in &stay {
        let times: &[DateTime<Utc>] = if timed.contains(&mate.mate) { &half_hours } else { &[] };
        tx.unit.crews().put(new.id, mate, times)?;
        tx.unit.dispatches().take_mate(mate.mate, free::span(new))?;
    }
    if stay.len() < crew.len() {
        record(tx, new, &crew, &stay)?;
    }
    if anew {
        letters::another_job(tx, (old, new), &stay)?;
    }
    if stay.is_empty() {
        tx.unit.dispatches().release_truck(new.id)?;
        return Ok(Some(CrewLossReason::NotFree));
    }
    warn_of_few(new, stay.len());
    Ok(None)
}

/// The job is another one at the same time: the crew stays, and each of them is asked again.
fn ask_again(tx: &mut Tx<'_>, old: &Booking, b: &Booking) -> ServiceResult<()> {
    tx.unit.crews().lock()?;
    let mut crew = tx.unit.crews().of_booking(b.id)?;
    let times = tx.unit.crews().times(b.id)?;
    ask_crew_again(tx, b, &mut crew)?;
    for mate in &crew {
        let half_hours: Vec<DateTime<Utc>> = times.iter().filter(|t| t.0 == mate.mate).map(|t| t.1).collect();
        tx.unit.crews().release(b.id, mate.mate)?;
        tx.unit.crews().put(b.id, mate, &half_hours)?;
        tx.unit.dispatches().take_mate(mate.mate, free::span(b))?;
    }
    letters::another_job(tx, (old, b), &crew)
}

/// Asks the crew again: who accepted, accepted another job, and is on this one from now on. Work that has begun stays.
fn ask_crew_again(tx: &mut Tx<'_>, b: &Booking, stay: &mut [CrewMate]) -> ServiceResult<()> {
    let acts = tx.unit.dispatches().acts_of(&[b.id])?;
    let begun = |m: &CrewMate| acts.iter().any(|d| d.mate == m.mate && d.act == Act::Start && d.told_at >= m.since);
    for mate in stay.iter_mut().filter(|m| !begun(m)) {
        mate.since = tx.now;
    }
    Ok(())
}

/// One of the crew works here no more. Answers why the booking has nobody any more, if so.
///
/// # Errors
/// When the database fails.
pub(crate) fn without(tx: &mut Tx<'_>, b: &Booking, mate: MateId) -> ServiceResult<Option<CrewLossReason>> {
    let crew = tx.unit.crews().of_booking(b.id)?;
    tx.unit.crews().release(b.id, mate)?;
    let stay: Vec<CrewMate> = crew.iter().filter(|m| m.mate != mate).cloned().collect();
    record(tx, b, &crew, &stay)?;
    if stay.is_empty() {
        tx.unit.dispatches().release_truck(b.id)?;
        return Ok(Some(CrewLossReason::Left));
    }
    warn_of_few(b, stay.len());
    Ok(None)
}

/// The truck goes along when it is free then; else somebody names another.
fn follow_truck(tx: &mut Tx<'_>, new: &Booking, others: &free::Clashes) -> ServiceResult<()> {
    let Some((_, truck)) = tx.unit.dispatches().trucks_of(&[new.id])?.pop() else { return Ok(()) };
    tx.unit.dispatches().release_truck(new.id)?;
    if !others.trucks.contains_key(&truck.truck) {
        tx.unit.dispatches().take_truck(&truck, free::span(new))?;
    }
    Ok(())
}

/// Puts the people staff named on a booking, with their truck, in place of who is on it. They are free, and the lock of
/// [`crate::ports::crews::Crews::lock`] is had. False: it is as it was.
///
/// # Errors
/// When the database fails; `crew_not_free` when it knows better who is free.
pub(crate) fn name(tx: &mut Tx<'_>, b: &Booking, people: &[Mate], truck: Option<TruckUse>) -> ServiceResult<bool> {
    let before = tx.unit.crews().of_booking(b.id)?;
    let had = tx.unit.dispatches().trucks_of(&[b.id])?.pop().map(|(_, truck)| truck);
    let mut after = Vec::new();
    for person in people {
        let known = before.iter().find(|m| m.mate == person.id).cloned();
        after.push(known.unwrap_or_else(|| CrewMate { mate: person.id, name: person.name.clone(), since: tx.now }));
    }
    let (gone, come): (Vec<&CrewMate>, Vec<&CrewMate>) = (
        before.iter().filter(|m| !after.contains(m)).collect(),
        after.iter().filter(|m| !before.contains(m)).collect(),
    );
    let same_truck = had.as_ref().map(|t| t.truck) == truck.as_ref().map(|t| t.truck);
    if gone.is_empty() && come.is_empty() && same_truck {
        return Ok(false);
    }
    for mate in gone {
        tx.unit.crews().release(b.id, mate.mate)?;
    }
    for mate in come {
        tx.unit.crews().put(b.id, mate, &[])?;
        let taken = tx.unit.dispatches().take_mate(mate.mate, free::span(b));
        taken.map_err(|e| not_free(b, &mate.name, e))?;
    }
    if !same_truck {
        tx.unit.dispatches().release_truck(b.id)?;
        if let Some(truck) = &truck {
            let taken = tx.unit.dispatches().take_truck(truck, free::span(b));
            taken.map_err(|e| not_free(b, &truck.name, e))?;
        }
    }
    warn_of_few(b, after.len());
    record(tx, b, &before, &after)?;
    Ok(true)
}

/// The database knew of another job.
fn not_free(b: &Booking, who: &str, e: StoreError) -> Error {
    let StoreError::Duplicate(_) = e else { return e.into() };
    let span = free::span(b);
    free::Clash {
        booking: b.id,
        short_id: b.short_id.clone(),
        from: span.from,
        until: span.until,
        way: free::LEAST_WAY,
        apart: false,
        zone: b.zone,
    }
    .refuses(who)
}

fn warn_of_few(b: &Booking, mates: usize) {
    let wanted = usize::from(b.mate_count.get());
    if mates < wanted {
        tracing::warn!(booking = %b.short_id, mates, wanted, "fewer mates are assigned than the booking pays for");
    }
}

/// The audit trail keeps who was on a booking, by id and by the name of then; and whom it concerns is told.
fn record(tx: &mut Tx<'_>, b: &Booking, before: &[CrewMate], after: &[CrewMate]) -> ServiceResult<()> {
    let truck = tx.unit.dispatches().trucks_of(&[b.id])?.pop().map(|(_, truck)| truck.name);
    letters::changed(tx, b, before, after)?;
    let state = |crew: &[CrewMate]| -> Value {
        json!({
            "shortId": b.short_id,
            "crew": crew.iter().map(|m| &m.name).collect::<Vec<_>>(),
            "mates": crew.iter().map(|m| m.mate).collect::<Vec<_>>(),
            "mateCount": b.mate_count,
        })
    };
    let mut now = state(after);
    if let Some(truck) = truck {
        now["truck"] = json!(truck);
    }
    Ok(tx.audit(CHANGED, b.id, Some(state(before)), Some(now))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_and_always_the_same() {
        let mate = |n: u128| Mate { id: MateId(uuid::Uuid::from_u128(n)), name: format!("M{n}"), hubs: Vec::new() };
        let id = |n: u128| mate(n).id;
        let places = BTreeMap::from([(id(2), 0), (id(4), 1), (id(3), 2), (id(1), 3)]);
        let ids = |of: Vec<Mate>| of.into_iter().map(|m| m.id.0.as_u128()).collect::<Vec<_>>();
        let directory = || [4, 1, 3, 2].map(mate).to_vec();
        assert_eq!(ids(choose(directory(), &places, 4)), [2, 4, 3, 1]);
        assert_eq!(ids(choose(directory(), &places, 2)), [2, 4]);
        assert_eq!(ids(choose(Vec::new(), &places, 2)), [0; 0]);
        // Who is not among the suggested comes last.
        assert_eq!(ids(choose(directory(), &BTreeMap::from([(id(3), 0)]), 9)), [3, 1, 2, 4]);
    }
}
