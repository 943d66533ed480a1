//! Which crew members cannot come any more after a change of a booking. It is judged here once: for
//! [`super::follow`], which takes them off, and for a preview, which says so.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::MateId;
use status_machine::booking::Status;

use super::free;
use crate::{
    ServiceResult,
    ports::{Unit, bookings::Booking},
};

/// Whom a change would take off a crew.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CrewRemoval {
    /// Who would be taken off, by name.
    pub names: Vec<String>,
    /// Nobody would be left, so that the booking is pending again.
    pub all: bool,
}

/// Whom a change would take off the crew of an assigned booking. `occupied`: the time it would occupy, if that changes.
///
/// # Errors
/// When the database fails.
pub(crate) fn crew_removal(
    u: &mut dyn Unit,
    (old, new): (&Booking, &Booking),
    occupied: Option<(DateTime<Utc>, DateTime<Utc>)>,
) -> ServiceResult<CrewRemoval> {
    if old.status != Status::Assigned {
        return Ok(CrewRemoval::default());
    }
    let crew = u.crews().of_booking(old.id)?;
    if old.mate_count != new.mate_count {
        return Ok(CrewRemoval { names: crew.into_iter().map(|m| m.name).collect(), all: true });
    }
    let Some((from, until)) = occupied else { return Ok(CrewRemoval::default()) };
    let others = free::clashes_around(u, new)?;
    let busy = busy(u, (old, new), &others, &scheduling::half_hours(from, until))?;
    let names: Vec<String> = crew.iter().filter(|m| busy.contains(&m.mate)).map(|m| m.name.clone()).collect();
    let all = names.len() == crew.len();
    Ok(CrewRemoval { names, all })
}

/// Who has something else when the changed booking takes place: another job, an absence, or half hours of another booking.
/// To be asked while the crew still has its own. `others`: who is taken by jobs around the changed booking.
///
/// # Errors
/// When the database fails.
pub(super) fn busy(
    u: &mut dyn Unit,
    (old, new): (&Booking, &Booking),
    others: &free::Clashes,
    half_hours: &[DateTime<Utc>],
) -> ServiceResult<BTreeSet<MateId>> {
    let mut busy: BTreeSet<MateId> = others.mates.keys().copied().collect();
    // Who is on it on a day they are away stays until staff send somebody else; another such day they do not get.
    if old.move_date != new.move_date {
        busy.extend(u.absences().mates_away(new.move_date)?);
    }
    // Who was named has no half hours: jobs may follow each other more closely.
    let own: BTreeSet<(MateId, DateTime<Utc>)> = u.crews().times(old.id)?.into_iter().collect();
    let timed: BTreeSet<MateId> = own.iter().map(|(mate, _)| *mate).collect();
    if timed.is_empty() {
        return Ok(busy);
    }
    // A half hour of this booking itself is no obstacle for whom it is.
    let is_ours = |at: &DateTime<Utc>| own.iter().any(|(_, own)| own == at);
    let (ours, fresh): (Vec<DateTime<Utc>>, Vec<DateTime<Utc>>) = half_hours.iter().copied().partition(is_ours);
    busy.extend(u.crews().taken(&fresh)?.into_iter().filter(|mate| timed.contains(mate)));
    for at in ours {
        let taken = u.crews().taken(&[at])?.into_iter();
        busy.extend(taken.filter(|mate| timed.contains(mate) && !own.contains(&(*mate, at))));
    }
    Ok(busy)
}
