//! Making payment rows.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money, PaymentId};
use policy::ChargeKind;
use status_machine::{
    At, Role,
    payment::{Facts, State},
};

use super::facts;
use crate::{
    Error, ServiceResult, Tx,
    ports::{
        bookings::Booking,
        payments::{Attempt, AttemptState, PaidWith, Payment, PaymentKind},
    },
};

/// The row kind of a policy charge.
pub const fn kind_of(kind: ChargeKind) -> PaymentKind {
    match kind {
        ChargeKind::Deposit => PaymentKind::Deposit,
        ChargeKind::Balance => PaymentKind::Balance,
        ChargeKind::Full => PaymentKind::Full,
        ChargeKind::Difference => PaymentKind::Difference,
        ChargeKind::Tip => PaymentKind::Tip,
        ChargeKind::Overtime => PaymentKind::Overtime,
        ChargeKind::CancellationFee => PaymentKind::CancellationFee,
    }
}

/// The policy kind of a row; refunds follow no ladder.
pub const fn charge_kind(kind: PaymentKind) -> Option<ChargeKind> {
    match kind {
        PaymentKind::Deposit => Some(ChargeKind::Deposit),
        PaymentKind::Balance => Some(ChargeKind::Balance),
        PaymentKind::Full => Some(ChargeKind::Full),
        PaymentKind::Difference => Some(ChargeKind::Difference),
        PaymentKind::Tip => Some(ChargeKind::Tip),
        PaymentKind::Overtime => Some(ChargeKind::Overtime),
        PaymentKind::CancellationFee => Some(ChargeKind::CancellationFee),
        PaymentKind::Refund | PaymentKind::Goodwill | PaymentKind::Claim => None,
    }
}

/// Plans a charge: a row to be worked on from `due_at`.
///
/// # Errors
/// When the database fails.
pub fn plan(
    tx: &mut Tx<'_>,
    booking: BookingId,
    kind: PaymentKind,
    amount: Money,
    due_at: DateTime<Utc>,
) -> ServiceResult<()> {
    let row = scheduled(tx, booking, kind, amount, due_at);
    Ok(tx.unit.payments().insert(&row)?)
}

/// Takes a step of the payments' table: the one way in which the state of a row changes. The program itself
/// asks; what people did is in the facts.
///
/// # Errors
/// When the table has no such step: a defect, so nothing of the unit of work happens.
pub(crate) fn step(row: &mut Payment, to: State, facts: &Facts) -> ServiceResult<()> {
    step_as(row, Role::System, to, facts)
}

/// As [`step`], for what somebody of the staff asked for.
///
/// # Errors
/// As [`step`].
pub(crate) fn step_as(row: &mut Payment, role: Role, to: State, facts: &Facts) -> ServiceResult<()> {
    let from = *row.state;
    row.state.go(to, role, facts).map_err(|refused| Error::Internal(format!("payment {}: {refused}", row.id)))?;
    tracing::debug!(payment = %row.id, table = "payment", from = from.code(), to = to.code(), "a step");
    Ok(())
}

/// Takes a step of the attempts' table: the one way in which the state of an attempt changes.
///
/// # Errors
/// When the table has no such step: a defect, so nothing of the unit of work happens.
pub(super) fn end(attempt: &mut Attempt, to: AttemptState) -> ServiceResult<()> {
    let from = *attempt.state;
    if !attempt.state.go(to) {
        return Err(Error::Internal(format!("attempt {}: no step from {from} to {to}", attempt.order_id)));
    }
    tracing::debug!(attempt = attempt.order_id, table = "attempt", from = from.code(), to = to.code(), "a step");
    Ok(())
}

/// A charge that is at the payment service was refused, `hard` when its card can never be charged: what the row reads then,
/// with the next attempt of its ladder.
///
/// # Errors
/// As [`step`].
pub(crate) fn refused(
    b: &Booking,
    row: &mut Payment,
    kind: ChargeKind,
    hard: bool,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    row.attempts += 1;
    let policy = &b.details.policy;
    let attempts = u32::try_from(row.attempts).unwrap_or(u32::MAX);
    let declined = policy::Declined { kind, due_at: row.due_at, attempts, hard };
    let next = policy::next_attempt(policy, declined, now, facts::lock_at(b), b.move_at);
    // What was given up and has no card after all stays given up.
    if row.state != State::Failed {
        step(row, if hard { State::HardDeclined } else { State::SoftDeclined }, &Facts::default())?;
    }
    row.next_attempt_at = next;
    if next.is_none() {
        step(row, State::Failed, &Facts { ladder_ended: true, ..Facts::default() })?;
    }
    Ok(())
}

/// The row will not be worked on.
///
/// # Errors
/// When the database fails.
pub fn skip(tx: &mut Tx<'_>, mut row: Payment) -> ServiceResult<()> {
    step(&mut row, State::Skipped, &Facts { not_needed: true, ..Facts::default() })?;
    row.next_attempt_at = None;
    tx.unit.payments().update(&row)?;
    Ok(())
}

/// The row of a charge or refund to be worked on from `due_at`, not yet written.
pub fn scheduled(tx: &Tx<'_>, booking: BookingId, kind: PaymentKind, amount: Money, due_at: DateTime<Utc>) -> Payment {
    Payment {
        id: PaymentId(tx.id()),
        booking_id: booking,
        kind,
        state: At::scheduled(),
        amount,
        due_at,
        attempts: 0,
        next_attempt_at: Some(due_at),
        refund_of: None,
        transaction_id: None,
        card_last4: None,
        last_message: None,
        settled_at: None,
        version: 1,
        created_at: tx.now,
        method: PaidWith::Card,
        reference: None,
    }
}
