//! Cancelling: what is kept, what goes back, what is still charged.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};
use policy::{Cancellation, CancelledBy};
use status_machine::booking::Status;

use super::{history, status};
use crate::{
    Caller, ErrorCode, ServiceResult, Services,
    billing::{charge, facts::facts, ledger, settle},
    crews, mailing, members,
    ports::{Unit, bookings::Booking},
};

/// What a cancellation now would do; nothing is changed.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The instant it was judged at.
    pub at: DateTime<Utc>,
    /// The policy's answer.
    pub outcome: Cancellation,
}

/// A cancelled booking.
#[derive(Debug, Clone)]
pub struct Cancelled {
    /// The booking.
    pub booking: Booking,
    /// What was kept, returned and still charged.
    pub outcome: Cancellation,
}

/// `GET /c/bookings/{id}/cancellation`.
///
/// # Errors
/// `not_found` (also when it is not theirs), `cancel_refused`.
pub async fn preview(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Preview> {
    let (caller, now) = (caller.clone(), s.clock.now());
    s.store
        .read(move |u| {
            let booking = super::queries::visible(u, &caller, id)?;
            if !crate::billing::facts::live(&booking) {
                return Err(ErrorCode::CancelRefused.into());
            }
            let rows = u.payments().of_booking(id)?;
            let f = facts(&booking, &rows);
            Ok(Preview {
                at: now,
                outcome: policy::cancellation(&booking.details.policy, &f, now, CancelledBy::Customer, false),
            })
        })
        .await
}

/// `PUT /c/bookings/cancel/{id}`: the customer cancels their own booking.
///
/// # Errors
/// `not_found`, `cancel_refused` when it is done or cancelled already.
pub async fn cancel(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Cancelled> {
    charge::before_action(s, id).await?;
    let (ctx, caller) = (s.clone(), caller.clone());
    let done = s
        .store
        .write(move |u| {
            let mut booking = super::queries::visible_locked(u, &caller, id)?;
            // The instant at which it is judged: the 48-hour charge may have come first while this
            // waited for its turn.
            let now = ctx.clock.now();
            let role = status::actor_role(&caller)?;
            let outcome = settle_cancellation(u, &booking, CancelledBy::Customer, false, now)?;
            let step = status::decide(u, &booking, Status::Cancelled, role, &status::Said::default(), now)?;
            if !step {
                return Err(ErrorCode::CancelRefused.into());
            }
            let by = members::Actor::caller(&caller);
            apply(u, &ctx, &mut booking, &outcome, "customer", None, &by, now)?;
            Ok::<_, crate::Error>(Cancelled { booking, outcome })
        })
        .await
        .map_err(|e| match e {
            crate::Error::Refused(ErrorCode::TransitionRefused, _) => ErrorCode::CancelRefused.into(),
            other => other,
        })?;
    s.bell.notify_one();
    Ok(done)
}

/// The policy's answer for this instant.
pub(super) fn settle_cancellation(
    u: &mut dyn Unit,
    booking: &Booking,
    by: CancelledBy,
    waived: bool,
    now: DateTime<Utc>,
) -> ServiceResult<Cancellation> {
    let rows = u.payments().of_booking(booking.id)?;
    Ok(policy::cancellation(&booking.details.policy, &facts(booking, &rows), now, by, waived))
}

/// Writes a cancellation: status, kept money, capacity, charges, ledger, message, audit.
#[allow(clippy::too_many_arguments, reason = "one cancellation's whole context")]
pub(super) fn apply(
    u: &mut dyn Unit,
    s: &Services,
    b: &mut Booking,
    outcome: &Cancellation,
    cancelled_by: &str,
    reason: Option<String>,
    by: &members::Actor,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    let before = history::snapshot(b);
    let from = b.status;
    b.status = Status::Cancelled;
    b.cancelled_at = Some(now);
    b.updated_at = now;
    b.details.kept = Some(outcome.kept);
    b.details.cancelled_by = Some(cancelled_by.to_owned());
    b.details.cancel_reason = reason.clone();
    b.version = u.bookings().update(b, b.version)?;
    status::append(u, b, from, by, reason, now)?;
    status::release_capacity(u, b.id)?;
    crews::release(u, s, b, by, now)?;
    return_code(u, b)?;
    if outcome.kept.is_positive() {
        ledger::cancellation(u, s, b, outcome.kept, now)?;
    }
    settle::settle(u, s, b, now)?;
    mailing::reminders::schedule(u, s, b, now)?;
    mailing::booking_cancelled(u, s, b, outcome, now)?;
    members::audit(
        u,
        s,
        now,
        by.clone(),
        "booking.cancel",
        ("booking", &b.id.to_string()),
        Some(before),
        Some(history::snapshot(b)),
    )
}

/// A cancelled booking gives its use of a limited code back.
pub(super) fn return_code(u: &mut dyn Unit, b: &Booking) -> ServiceResult<()> {
    if let Some(code) = &b.discount_code
        && let Some(found) = u.discounts().by_code(code)?
    {
        u.discounts().return_use(found.id)?;
    }
    Ok(())
}

/// The balance could not be charged by 24 hours before the move: mates and time are released,
/// captured money is kept, the rest is on the staff's list (`policy-timeline.md` §6).
///
/// # Errors
/// When the database fails.
pub(crate) fn release_unpaid(u: &mut dyn Unit, s: &Services, b: &mut Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    let rows = u.payments().of_booking(b.id)?;
    let f = facts(b, &rows);
    let kept = f.net();
    let outcome = Cancellation { rule: policy::Rule::Full, kept, refund: Money::ZERO, to_charge: Money::ZERO };
    b.details.payment_problem = true;
    apply(u, s, b, &outcome, "system", Some("payment_failed".into()), &members::Actor::system(), now)
}
