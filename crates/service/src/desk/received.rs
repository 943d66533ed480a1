//! Money that staff take by hand: written down, handed back, and taken out again when it was a mistake.

use kernel::{BookingId, Money, PaymentId};
use serde_json::json;
use status_machine::booking::Status;

use super::record::{Paid, paid};
use crate::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, Staff, Tx,
    billing::{by_hand, facts, lease},
    bookings::{queries::visible_locked, trail},
    idempotency::{self, Guard, Replayable},
    ports::{
        bookings::Booking,
        payments::{PaidWith, Payment, PaymentKind},
    },
};

/// A payment as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// How.
    pub method: PaidWith,
    /// At most what is owed.
    pub amount: Money,
    /// Number of the transfer or cheque; free for cash.
    pub reference: Option<String>,
}

pub(super) fn trimmed_or_none(text: Option<String>) -> Option<String> {
    text.map(|t| t.trim().to_owned()).filter(|t| !t.is_empty())
}

/// The same, of a reason.
pub(super) fn too_long_reason(text: &str) -> bool {
    text.chars().count() > super::credits::LONGEST
}

fn too_long(text: Option<&String>) -> bool {
    text.is_some_and(|t| t.chars().count() > by_hand::LONGEST_REFERENCE)
}

/// `POST /bookings/{id}/payments`: cash, a transfer or a cheque. What is still asked for falls by it; nothing goes to the
/// gateway.
///
/// # Errors
/// `not_found`; `payment_in_flight` while money of the booking is at the gateway; `nothing_owed`; the field `amount` when
/// it is more than is owed; the field `reference` when a transfer or cheque has none; `payment_recorded` when a payment of
/// this method and reference is on the booking already.
pub async fn record(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    new: Received,
    guard: Option<Guard<Paid>>,
) -> ServiceResult<Replayable<Paid>> {
    let new = Received { reference: trimmed_or_none(new.reference), ..new };
    let problem = match &new.reference {
        _ if !new.method.is_by_hand() => Some(("method", FieldProblem::Unknown)),
        _ if !new.amount.is_positive() => Some(("amount", FieldProblem::AtLeast(Limit::CENT))),
        None if new.method.needs_reference() => Some(("reference", FieldProblem::Required)),
        given if too_long(given.as_ref()) => Some(("reference", FieldProblem::TooLong)),
        _ => None,
    };
    if let Some((field, problem)) = problem {
        return Err(Error::field(field, problem));
    }
    crate::billing::charge::before_action(s, id).await?;
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let (mut b, rows) = at_rest(tx, &staff, id)?;
            if by_hand::is_recorded(&rows, new.method, new.reference.as_deref()) {
                return Err(ErrorCode::PaymentRecorded.into());
            }
            let owed = facts::owed(&b, &rows);
            if !owed.is_positive() {
                return Err(ErrorCode::NothingOwed.into());
            }
            if new.amount > owed {
                return Err(Error::field("amount", FieldProblem::AtMost(owed.into())));
            }
            let before = trail::snapshot(&b);
            let Received { method, amount, reference } = new;
            let told = json!({ "method": method.code(), "amount": amount, "reference": reference });
            by_hand::take(tx, &mut b, amount, method, reference)?;
            audited(tx, "booking.receive", &b, before, "payment", told)?;
            paid(tx.unit, b, tx.now)
        })
    })
    .await
}

/// `POST /payments/{id}/handed-over`: what was to go back by hand is with the customer.
///
/// # Errors
/// `not_found`, also for what does not wait to be handed over; `payment_in_flight`.
pub async fn handed_over(
    s: &Services,
    staff: &Staff,
    payment: PaymentId,
    reference: Option<String>,
    guard: Option<Guard<Paid>>,
) -> ServiceResult<Replayable<Paid>> {
    let reference = trimmed_or_none(reference);
    if too_long(reference.as_ref()) {
        return Err(Error::field("reference", FieldProblem::TooLong));
    }
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let (b, row) = of_payment(tx, &staff, payment, |r| {
                let by_hand = r.kind == PaymentKind::Refund && r.method.is_by_hand() && !r.is_taken_out();
                by_hand && (facts::open(r) || r.settled_at.is_some())
            })?;
            if row.settled_at.is_some() {
                // Pressed once more, in another tab or by a colleague: it is as they say already.
                return paid(tx.unit, b, tx.now);
            }
            let before = trail::snapshot(&b);
            let told = json!({ "method": row.method.code(), "amount": row.amount, "reference": reference });
            by_hand::hand_over(tx, &b, row, reference)?;
            audited(tx, "booking.hand_over", &b, before, "refund", told)?;
            paid(tx.unit, b, tx.now)
        })
    })
    .await
}

/// How a refund that the gateway refused was given back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidBack {
    /// By hand.
    pub method: PaidWith,
    /// Number of the transfer or cheque; free for cash.
    pub reference: Option<String>,
}

/// `POST /payments/{id}/paid-back`: a refund that the gateway refused for good is with the customer all the same.
///
/// # Errors
/// `not_found`, also for a charge; `payment_not_failed` for a refund that was not refused, or was given back already, and for
/// one whose charge does not hold so much any more; `payment_in_flight`; the fields `method` and `reference`.
pub async fn pay_back(
    s: &Services,
    staff: &Staff,
    payment: PaymentId,
    how: PaidBack,
    guard: Option<Guard<Paid>>,
) -> ServiceResult<Replayable<Paid>> {
    let how = PaidBack { reference: trimmed_or_none(how.reference), ..how };
    let problem = match &how.reference {
        _ if !how.method.is_by_hand() => Some(("method", FieldProblem::Unknown)),
        None if how.method.needs_reference() => Some(("reference", FieldProblem::Required)),
        given if too_long(given.as_ref()) => Some(("reference", FieldProblem::TooLong)),
        _ => None,
    };
    if let Some((field, problem)) = problem {
        return Err(Error::field(field, problem));
    }
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let (mut b, row) = of_payment(tx, &staff, payment, |r| r.kind == PaymentKind::Refund)?;
            let rows = tx.unit.payments().of_booking(b.id)?;
            if !facts::is_given_up(&row) || !facts::can_go_back(&rows, &row) {
                return Err(ErrorCode::PaymentNotFailed.into());
            }
            let before = trail::snapshot(&b);
            let told = json!({ "method": how.method.code(), "amount": row.amount, "reference": how.reference });
            by_hand::pay_back(tx, &mut b, row, how.method, how.reference)?;
            audited(tx, "booking.pay_back", &b, before, "refund", told)?;
            paid(tx.unit, b, tx.now)
        })
    })
    .await
}

/// `POST /payments/{id}/undo`: what was written down by mistake. The money is asked for again.
///
/// # Errors
/// `not_found`, also for a payment by card; `payment_undone` for what was taken out already, or went back as a whole; the
/// field `reason`; `payment_in_flight`;
/// `invoice_frozen` when a refund of this money is on a credit note.
pub async fn undo(
    s: &Services,
    staff: &Staff,
    payment: PaymentId,
    reason: String,
    guard: Option<Guard<Paid>>,
) -> ServiceResult<Replayable<Paid>> {
    let Some(reason) = trimmed_or_none(Some(reason)) else {
        return Err(Error::field("reason", FieldProblem::Required));
    };
    if too_long(Some(&reason)) {
        return Err(Error::field("reason", FieldProblem::TooLong));
    }
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let (mut b, row) =
                of_payment(tx, &staff, payment, |r| r.kind.is_charge() && r.method.is_by_hand() && facts::took(r))?;
            if *row.state == status_machine::payment::State::Refunded {
                return Err(ErrorCode::PaymentUndone.into());
            }
            let before = trail::snapshot(&b);
            let told = json!({ "method": row.method.code(), "amount": row.amount, "reason": reason });
            by_hand::undo(tx, &mut b, &row, reason)?;
            audited(tx, "booking.undo_payment", &b, before, "payment", told)?;
            paid(tx.unit, b, tx.now)
        })
    })
    .await
}

/// A booking no money of which is at the gateway. What was deleted is closed: nothing is taken or asked for any more.
pub(super) fn at_rest(tx: &mut Tx<'_>, staff: &Staff, id: BookingId) -> ServiceResult<(Booking, Vec<Payment>)> {
    let b = visible_locked(tx.unit, staff.caller(), id)?;
    if b.status == Status::Deleted {
        return Err(ErrorCode::NotFound.into());
    }
    if lease::under_way(tx.unit, id)? {
        return Err(ErrorCode::PaymentInFlight.into());
    }
    let rows = tx.unit.payments().of_booking(id)?;
    Ok((b, rows))
}

/// A payment that `wanted` is true of, as it is once its booking is locked.
pub(super) fn of_payment(
    tx: &mut Tx<'_>,
    staff: &Staff,
    payment: PaymentId,
    wanted: impl Fn(&Payment) -> bool,
) -> ServiceResult<(Booking, Payment)> {
    let row = tx.unit.payments().get(payment)?.ok_or(ErrorCode::NotFound)?;
    let (b, rows) = at_rest(tx, staff, row.booking_id)?;
    let row = rows.into_iter().find(|r| r.id == payment && wanted(r)).ok_or(ErrorCode::NotFound)?;
    Ok((b, row))
}

pub(super) fn audited(
    tx: &mut Tx<'_>,
    action: &'static str,
    b: &Booking,
    before: serde_json::Value,
    name: &str,
    told: serde_json::Value,
) -> ServiceResult<()> {
    let mut after = trail::snapshot(b);
    after[name] = told;
    Ok(tx.audit(action, b.id, Some(before), Some(after))?)
}
