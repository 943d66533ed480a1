//! Sending the confirmation of a booking again, because somebody asked for it.

use chrono::Timelike as _;
use kernel::BookingId;
use status_machine::booking::Status;

use super::queries::{detail_of, visible};
use crate::{Error, ErrorCode, ServiceResult, Services, Staff, mailing};

/// What is on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentAgain {
    /// To which address.
    pub recipient: String,
    /// False: somebody asked for it within this minute, and it is on its way already.
    pub queued: bool,
}

/// `POST /bookings/{id}/confirmation`: the booking as it is now.
///
/// # Errors
/// `not_found`, `nothing_to_confirm` of a booking that will not take place.
pub async fn send_again(s: &Services, staff: &Staff, id: BookingId) -> ServiceResult<SentAgain> {
    let who = staff.clone();
    s.write(staff.actor(), move |tx| {
        let b = visible(tx.unit, who.caller(), id)?;
        if matches!(b.status, Status::Cancelled | Status::Deleted) {
            return Err(ErrorCode::NothingToConfirm.into());
        }
        let d = detail_of(tx.unit, b, tx.now)?;
        let minute = tx.now.with_second(0).and_then(|t| t.with_nanosecond(0)).unwrap_or(tx.now);
        let queued = mailing::booking_confirmed_again(tx, &d.booking, &d.plan, d.tip.as_ref(), minute)?;
        tx.audit("booking.confirmation", id, None, Some(serde_json::json!({ "queued": queued })))?;
        Ok::<_, Error>(SentAgain { recipient: d.booking.details.customer_email, queued })
    })
    .await
}
