//! Cancelling: what is kept, what goes back, what is still charged.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};
use policy::{Cancellation, CancelledBy};
use status_machine::booking::Status;

use super::{
    cancellation,
    queries::{Detail, detail_of, visible, visible_locked},
    transition::StatusInput,
};
use crate::{
    Caller, ErrorCode, ServiceResult, Services, Staff,
    billing::{charge, facts::live},
    ports::{Unit, bookings::Booking},
};

/// What a cancellation now would do; nothing is changed.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The instant it was judged at.
    pub at: DateTime<Utc>,
    /// The policy's answer.
    pub outcome: Cancellation,
    /// What of the kept money is neither held nor charged by itself: it would be owed, and people would ask for it.
    pub owed: Money,
    /// Everything that would have gone back then, what went back before included: what the record says afterwards.
    pub returned: Money,
}

/// A cancelled booking.
#[derive(Debug, Clone)]
pub struct Cancelled {
    /// The booking, with everything its page shows.
    pub detail: Detail,
    /// What was kept, returned and still charged.
    pub outcome: Cancellation,
}

/// `GET /c/bookings/{id}/cancellation`.
///
/// # Errors
/// `not_found` (also when it is not theirs), `cancel_refused`.
pub async fn preview(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Preview> {
    previewed(s, caller, id, CancelledBy::Customer, false).await
}

/// `GET /bookings/{id}/cancellation`: what it means when staff cancel now, for whose fault, and whether what the policy
/// would keep is given up.
///
/// # Errors
/// `not_found`, `cancel_refused`.
pub async fn preview_as_staff(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    fault: CancelledBy,
    waived: bool,
) -> ServiceResult<Preview> {
    previewed(s, staff.caller(), id, fault, waived).await
}

async fn previewed(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    fault: CancelledBy,
    waived: bool,
) -> ServiceResult<Preview> {
    let (caller, now) = (caller.clone(), s.clock.now());
    s.store
        .read(move |u| {
            let booking = visible(u, &caller, id)?;
            if !live(&booking) {
                return Err(ErrorCode::CancelRefused.into());
            }
            let outcome = cancellation::outcome_of(u, &booking, fault, waived, now)?;
            let owed = cancellation::owed_after(u, &booking, &outcome)?;
            let returned = cancellation::returned_in_all(u, &booking, &outcome)?;
            Ok(Preview { at: now, outcome, owed, returned })
        })
        .await
}

/// What the customer's cancellation would decide now, and what would be owed after it; none where nothing is left to cancel.
///
/// # Errors
/// When the database fails.
pub(crate) fn as_customer(
    u: &mut dyn Unit,
    booking: &Booking,
    now: DateTime<Utc>,
) -> ServiceResult<Option<(Cancellation, Money)>> {
    if !live(booking) {
        return Ok(None);
    }
    let outcome = cancellation::outcome_of(u, booking, CancelledBy::Customer, false, now)?;
    let owed = cancellation::owed_after(u, booking, &outcome)?;
    Ok(Some((outcome, owed)))
}

/// `PUT /c/bookings/cancel/{id}`: the customer cancels their own booking.
///
/// # Errors
/// `not_found`, `cancel_refused` when it is done or cancelled already.
pub async fn cancel(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Cancelled> {
    cancel_as_read(s, caller, id, None).await
}

/// As [`cancel`], of a booking that still has the version that was read; none: whichever it has.
///
/// # Errors
/// As [`cancel`]; `version_conflict` when somebody else was first.
pub async fn cancel_as_read(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    expected: Option<i32>,
) -> ServiceResult<Cancelled> {
    charge::before_action(s, id).await?;
    let caller = caller.clone();
    s.write(caller.actor(), move |tx| {
        let mut booking = visible_locked(tx.unit, &caller, id)?;
        if expected.is_some_and(|version| version != booking.version) {
            return Err(ErrorCode::VersionConflict.into());
        }
        // The instant at which it is judged: the 48-hour charge may have come first while this
        // waited for its turn.
        tx.look_at_clock();
        if booking.status == Status::Cancelled {
            return Err(ErrorCode::CancelRefused.into());
        }
        let outcome = cancellation::outcome_of(tx.unit, &booking, CancelledBy::Customer, false, tx.now)?;
        cancellation::apply(tx, &mut booking, &outcome, CancelledBy::Customer.into(), &StatusInput::default())?;
        Ok::<_, crate::Error>(Cancelled { detail: detail_of(tx.unit, booking, tx.now)?, outcome })
    })
    .await
    .map_err(|e| match e {
        crate::Error::Refused(ErrorCode::TransitionRefused, _) => ErrorCode::CancelRefused.into(),
        other => other,
    })
}
