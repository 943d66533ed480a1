//! Who comes: mates of the directory, put on a booking for the whole time it occupies.
//!
//! Dispatchers choosing people by name come later; until then Portage chooses.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days, NaiveTime, Utc};
use kernel::MateId;
use serde_json::{Value, json};
use status_machine::booking::Status;

use crate::{
    ErrorCode, ServiceResult, Tx,
    ports::{
        Unit,
        bookings::Booking,
        crews::{CrewMate, Mate},
    },
};

/// Why an assigned booking has to go back to pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// It needs another number of mates: the crew is chosen anew.
    SizeChanged,
    /// Nobody of the crew can come at the new time.
    NotFree,
    /// The last of the crew works here no more.
    Left,
}

impl Lost {
    /// The reason in the booking's history.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Lost::SizeChanged => "crew_size_changed",
            Lost::NotFree => "crew_not_free",
            Lost::Left => "crew_left",
        }
    }
}

/// Whom Portage would put on a booking now: as many as it pays for, or as many as are free. Who is away that day is not.
///
/// # Errors
/// When the database fails.
pub(crate) fn possible(u: &mut dyn Unit, b: &Booking) -> ServiceResult<Vec<Mate>> {
    let of_hub = |m: &Mate| m.hubs.is_empty() || m.hubs.contains(&b.hub);
    let mates: Vec<Mate> = u.crews().mates()?.into_iter().filter(of_hub).collect();
    let half_hours = half_hours(u, b)?;
    let mut taken: BTreeSet<MateId> = u.crews().taken(&half_hours)?.into_iter().collect();
    taken.extend(u.absences().mates_away(b.move_date)?);
    let free: Vec<Mate> = mates.into_iter().filter(|m| !taken.contains(&m.id)).collect();
    if free.is_empty() {
        return Ok(free);
    }
    let midnight = |date| b.zone.instant(date, NaiveTime::MIN).unwrap_or(b.move_at);
    let next = b.move_date.checked_add_days(Days::new(1)).unwrap_or(b.move_date);
    let jobs = u.crews().jobs(midnight(b.move_date), midnight(next))?.into_iter().collect();
    Ok(choose(free, &jobs, usize::from(b.mate_count.get())))
}

/// The fairest and always the same: who has the fewest jobs that day comes first, then by id.
fn choose(mut free: Vec<Mate>, jobs: &BTreeMap<MateId, i64>, wanted: usize) -> Vec<Mate> {
    free.sort_by_key(|m| (jobs.get(&m.id).copied().unwrap_or(0), m.id));
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

/// Puts a crew on a booking that has none. Fewer than it pays for is allowed, and told.
///
/// # Errors
/// `crew_missing` when nobody is free.
pub(crate) fn assign(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    tx.unit.crews().lock()?;
    if !tx.unit.crews().of_booking(b.id)?.is_empty() {
        return Ok(());
    }
    let chosen = possible(tx.unit, b)?;
    if chosen.is_empty() {
        return Err(ErrorCode::CrewMissing.into());
    }
    warn_of_few(b, chosen.len());
    let half_hours = half_hours(tx.unit, b)?;
    let crew: Vec<CrewMate> =
        chosen.into_iter().map(|m| CrewMate { mate: m.id, name: m.name, since: tx.now }).collect();
    for mate in &crew {
        tx.unit.crews().put(b.id, mate, &half_hours)?;
    }
    record(tx, b, &[], &crew)
}

/// Takes the whole crew off a booking.
///
/// # Errors
/// When the database fails.
pub(crate) fn release(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let crew = tx.unit.crews().of_booking(b.id)?;
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
pub(crate) fn follow(tx: &mut Tx<'_>, (old, new): (&Booking, &Booking), moved: bool) -> ServiceResult<Option<Lost>> {
    if old.status != Status::Assigned {
        return Ok(None);
    }
    if old.mate_count != new.mate_count {
        release(tx, old)?;
        return Ok(Some(Lost::SizeChanged));
    }
    if !moved {
        return Ok(None);
    }
    tx.unit.crews().lock()?;
    let crew = tx.unit.crews().of_booking(old.id)?;
    for mate in &crew {
        tx.unit.crews().release(old.id, mate.mate)?;
    }
    let half_hours = half_hours(tx.unit, new)?;
    let mut taken = tx.unit.crews().taken(&half_hours)?;
    // Who is on it on a day they are away stays until staff send somebody else; another such day they do not get.
    if old.move_date != new.move_date {
        taken.extend(tx.unit.absences().mates_away(new.move_date)?);
    }
    let stay: Vec<CrewMate> = crew.iter().filter(|m| !taken.contains(&m.mate)).cloned().collect();
    for mate in &stay {
        tx.unit.crews().put(new.id, mate, &half_hours)?;
    }
    if stay.len() < crew.len() {
        record(tx, new, &crew, &stay)?;
    }
    if stay.is_empty() {
        return Ok(Some(Lost::NotFree));
    }
    warn_of_few(new, stay.len());
    Ok(None)
}

/// One of the crew works here no more. Answers why the booking has nobody any more, if so.
///
/// # Errors
/// When the database fails.
pub(crate) fn without(tx: &mut Tx<'_>, b: &Booking, mate: MateId) -> ServiceResult<Option<Lost>> {
    let crew = tx.unit.crews().of_booking(b.id)?;
    tx.unit.crews().release(b.id, mate)?;
    let stay: Vec<CrewMate> = crew.iter().filter(|m| m.mate != mate).cloned().collect();
    record(tx, b, &crew, &stay)?;
    if stay.is_empty() {
        return Ok(Some(Lost::Left));
    }
    warn_of_few(b, stay.len());
    Ok(None)
}

fn warn_of_few(b: &Booking, mates: usize) {
    let wanted = usize::from(b.mate_count.get());
    if mates < wanted {
        tracing::warn!(booking = %b.short_id, mates, wanted, "fewer mates are assigned than the booking pays for");
    }
}

/// The audit trail keeps who was on a booking, by id and by the name of then.
fn record(tx: &mut Tx<'_>, b: &Booking, before: &[CrewMate], after: &[CrewMate]) -> ServiceResult<()> {
    let state = |crew: &[CrewMate]| -> Value {
        json!({
            "shortId": b.short_id,
            "crew": crew.iter().map(|m| &m.name).collect::<Vec<_>>(),
            "mates": crew.iter().map(|m| m.mate).collect::<Vec<_>>(),
            "mateCount": b.mate_count,
        })
    };
    Ok(tx.audit("booking.crew", b.id, Some(state(before)), Some(state(after)))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_busy_come_first_and_always_the_same() {
        let mate = |n: u128| Mate { id: MateId(uuid::Uuid::from_u128(n)), name: format!("M{n}"), hubs: Vec::new() };
        let id = |n: u128| mate(n).id;
        let jobs = BTreeMap::from([(id(1), 2), (id(3), 1)]);
        let ids = |of: Vec<Mate>| of.into_iter().map(|m| m.id.0.as_u128()).collect::<Vec<_>>();
        let directory = || [4, 1, 3, 2].map(mate).to_vec();
        assert_eq!(ids(choose(directory(), &jobs, 4)), [2, 4, 3, 1]);
        assert_eq!(ids(choose(directory(), &jobs, 2)), [2, 4]);
        assert_eq!(ids(choose(Vec::new(), &jobs, 2)), [0; 0]);
        assert_eq!(ids(choose(directory(), &BTreeMap::new(), 9)), [1, 2, 3, 4]);
    }
}
