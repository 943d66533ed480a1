//! Who could not follow a change of a booking: what [`super::follow`] would do, said without doing it.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::MateId;
use status_machine::booking::Status;

use super::free;
use crate::{
    ServiceResult,
    ports::{Unit, bookings::Booking},
};

/// What a change would make of a crew.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Leaving {
    /// Who would be taken off, by name.
    pub names: Vec<String>,
    /// Nobody would be left, so that the booking is pending again.
    pub all: bool,
}

/// What a change would make of the crew of an assigned booking. `occupied`: what it would occupy, if that is something else
/// than before.
///
/// # Errors
/// When the database fails.
pub(crate) fn leaving(
    u: &mut dyn Unit,
    (old, new): (&Booking, &Booking),
    occupied: Option<(DateTime<Utc>, DateTime<Utc>)>,
) -> ServiceResult<Leaving> {
    if old.status != Status::Assigned {
        return Ok(Leaving::default());
    }
    let crew = u.crews().of_booking(old.id)?;
    if old.mate_count != new.mate_count {
        return Ok(Leaving { names: crew.into_iter().map(|m| m.name).collect(), all: true });
    }
    let Some((from, until)) = occupied else { return Ok(Leaving::default()) };
    let mut busy: BTreeSet<MateId> = free::taken(u, new)?.mates.into_keys().collect();
    if old.move_date != new.move_date {
        busy.extend(u.absences().mates_away(new.move_date)?);
    }
    // The half hours of this booking itself are free once it moves. Who was named has none.
    let own: BTreeSet<(MateId, DateTime<Utc>)> = u.crews().times(old.id)?.into_iter().collect();
    let timed: BTreeSet<MateId> = own.iter().map(|(mate, _)| *mate).collect();
    if !timed.is_empty() {
        for at in scheduling::half_hours(from, until) {
            let taken = u.crews().taken(&[at])?;
            busy.extend(taken.into_iter().filter(|mate| timed.contains(mate) && !own.contains(&(*mate, at))));
        }
    }
    let names: Vec<String> = crew.iter().filter(|m| busy.contains(&m.mate)).map(|m| m.name.clone()).collect();
    let all = names.len() == crew.len();
    Ok(Leaving { names, all })
}
