//! A repeated submit with another key returns the first result, and nothing is made twice.

use chrono::{NaiveDate, NaiveTime};
use kernel::MateCount;
use pricing::MoveKind;
use sha2::{Digest as _, Sha256};

use super::{
    draft::Draft,
    made::{Created, answer},
};
use crate::{
    ErrorCode, ServiceResult,
    billing::facts::live,
    ports::{bookings::Booking, tips::Tip},
};

/// A hold that became a booking already: the second press of the same button.
///
/// # Errors
/// `slot_gone` when that booking is not what is asked for now: it was cancelled or changed meanwhile,
/// or this is another move.
pub(super) fn already_made(
    made: Option<(Booking, Option<Tip>)>,
    asked: &BookingFingerprint,
) -> ServiceResult<Option<Created>> {
    match made {
        Some((b, tip)) if is_same(&b, asked) => Ok(Some(answer(b, tip))),
        Some(_) => Err(ErrorCode::SlotGone.into()),
        None => Ok(None),
    }
}

/// Identifies a booking request: an equal request is a second press of the same button.
pub(super) struct BookingFingerprint {
    date: NaiveDate,
    time: NaiveTime,
    mates: MateCount,
    /// A digest of what decides about the work and its price, as the client sent it.
    pub(super) request: String,
}

impl BookingFingerprint {
    pub(super) fn of(draft: &Draft) -> BookingFingerprint {
        let places = [&draft.pickup, &draft.dropoff];
        let crew = (draft.client_as_mate, draft.just_mates, draft.ride_along);
        let priced = (places, &draft.items, draft.kind.map(MoveKind::code), crew, &draft.discount_code);
        let extras = (draft.extras.assembly, &draft.extras.services);
        // A draft that wants nothing beside the move has the digest it had before anybody could ask.
        let text = match extras {
            (None, services) if services.is_empty() => serde_json::to_vec(&priced),
            _ => serde_json::to_vec(&(priced, extras)),
        };
        let digest = Sha256::digest(text.unwrap_or_default());
        let request = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        BookingFingerprint { date: draft.date, time: draft.time, mates: draft.mate_count, request }
    }

    pub(super) fn of_booking(b: &Booking) -> BookingFingerprint {
        BookingFingerprint {
            date: b.move_date,
            time: b.move_time,
            mates: b.mate_count,
            request: b.details.asked.clone(),
        }
    }
}

/// Whether a booking is what somebody asks for who presses again.
pub(super) fn is_same(b: &Booking, asked: &BookingFingerprint) -> bool {
    let known = b.details.asked.is_empty() || b.details.asked == asked.request;
    live(b) && known && (b.move_date, b.move_time, b.mate_count) == (asked.date, asked.time, asked.mates)
}
