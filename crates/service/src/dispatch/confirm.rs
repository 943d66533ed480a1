//! Until when a mate must confirm a job: 18 hours before its start. A missing confirmation then stands on the board, and is
//! told once.

use chrono::{DateTime, Duration, Utc};
use scheduling::{CONFIRM_HOURS, hours_before};
use status_machine::booking::Status;

use super::board::AssignedMate;
use crate::ports::{bookings::Booking, crews::CrewMate};

/// Who is sent later than that has so long to say it.
const GRACE: Duration = Duration::hours(1);

/// Until when a mate says that they come on a booking.
pub(super) fn due(b: &Booking, mate: &CrewMate) -> DateTime<Utc> {
    hours_before(b.move_at, CONFIRM_HOURS).max(mate.since + GRACE)
}

/// Whether somebody should have said by now that they come, and did not. Once the move should have begun, that counts.
pub(super) fn is_overdue(b: &Booking, on: &AssignedMate, now: DateTime<Utc>) -> bool {
    let silent = on.accepted_at.is_none() && on.started_at.is_none();
    silent && b.status == Status::Assigned && due(b, &on.mate) <= now && now < b.move_at
}
