//! What may be changed of a booking's tip.

use crate::booking::Status;

/// A tip may change until it is paid, and not once the booking is off.
pub fn tip_editable(is_paid: bool, status: Status) -> bool {
    !is_paid && !matches!(status, Status::Cancelled | Status::Deleted)
}
