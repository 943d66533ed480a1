//! Who would be good on a booking, and why, as staff are shown it.

use kernel::BookingId;

pub(super) use crate::crews::suggest::NEAR;
pub use crate::crews::suggest::{Candidate, Reason, TruckCandidate};
use crate::{
    ErrorCode, ServiceResult, Services, Staff,
    crews::{
        free,
        suggest::{mates, trucks},
    },
};

/// Who and what could be sent, the best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestions {
    /// How many the booking pays for.
    pub wanted: u8,
    /// Mates.
    pub mates: Vec<Candidate>,
    /// Trucks.
    pub trucks: Vec<TruckCandidate>,
}

/// Who would be good on a booking. Nothing is locked: what is free here may be taken a moment later.
///
/// # Errors
/// `not_found`.
pub async fn suggestions(s: &Services, _: &Staff, id: BookingId) -> ServiceResult<Suggestions> {
    s.store
        .read(move |u| {
            let b = u.bookings().get(id)?.ok_or(ErrorCode::NotFound)?;
            let taken = free::clashes_around(u, &b)?;
            Ok(Suggestions { wanted: b.mate_count.get(), mates: mates(u, &b, &taken)?, trucks: trucks(u, &b, &taken)? })
        })
        .await
}
