//! What follows from the gateway's answer, in one transaction.

use chrono::{DateTime, Duration, Utc};
use kernel::BookingId;
use status_machine::{booking::Status, payment::State};

use super::{
    facts::{live, lock_at, took},
    ledger, looks,
    rows::charge_kind,
    settle,
};
use crate::{
    Error, ServiceResult, Services,
    bookings::cancellation,
    mailing,
    ports::{
        Unit,
        bookings::Booking,
        payments::{Attempt, AttemptState, ChargeOutcome, GatewayError, Payment, PaymentKind, RefundOutcome},
    },
};

/// The answer, however it was learned.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Money moved.
    Applied { transaction_id: String },
    /// The bank said no.
    Declined { hard: bool, code: String, message: String, transaction_id: Option<String> },
    /// Definitely not done; to be tried again after a while, without counting as an attempt.
    NotDone { why: String, wait: Duration },
    /// Refused for good by the gateway itself.
    Refused(String),
    /// Nobody knows.
    Unknown(String),
    /// No answer came, and it can no longer arrive: to be tried again under another order id.
    Lost,
}

/// Wait after the gateway could not be reached.
const UNREACHED_WAIT: Duration = Duration::minutes(1);
/// Wait for a charge to settle before part of it can be returned.
const SETTLEMENT_WAIT: Duration = Duration::hours(1);

/// From here on a gateway that swallows what it is sent is the staff's business.
const MANY_LOST: usize = 3;

/// Wait before another send after `lost` that never arrived: each may yet be applied late.
fn after_lost(lost: usize) -> Duration {
    match lost {
        0 | 1 => Duration::zero(),
        2 => Duration::hours(1),
        _ => Duration::hours(6),
    }
}

impl Outcome {
    fn of_error(e: GatewayError) -> Outcome {
        match e {
            GatewayError::Unknown(why) => Outcome::Unknown(why),
            GatewayError::Unavailable(why) => Outcome::NotDone { why, wait: UNREACHED_WAIT },
            GatewayError::RateLimited => Outcome::NotDone { why: "rate limited".into(), wait: UNREACHED_WAIT },
            GatewayError::Misconfigured(why) => {
                tracing::error!(why, "the payment gateway refused our settings");
                Outcome::NotDone { why, wait: UNREACHED_WAIT * 5 }
            }
            GatewayError::Rejected { message, .. } => Outcome::Refused(message),
            GatewayError::NotFound => Outcome::Refused("not found at the gateway".into()),
        }
    }

    pub(super) fn of_charge(answer: Result<ChargeOutcome, GatewayError>) -> Outcome {
        match answer {
            Ok(ChargeOutcome::Captured { transaction_id, .. }) => Outcome::Applied { transaction_id },
            Ok(ChargeOutcome::Declined { hard, code, message, transaction_id }) => {
                Outcome::Declined { hard, code, message, transaction_id }
            }
            Err(e) => Outcome::of_error(e),
        }
    }

    pub(super) fn of_refund(answer: Result<RefundOutcome, GatewayError>) -> Outcome {
        match answer {
            Ok(RefundOutcome::Refunded { refund_id }) => Outcome::Applied { transaction_id: refund_id },
            Ok(RefundOutcome::Voided { transaction_id }) => Outcome::Applied { transaction_id },
            Ok(RefundOutcome::NotSettledYet) => {
                Outcome::NotDone { why: "not settled yet".into(), wait: SETTLEMENT_WAIT }
            }
            Ok(RefundOutcome::Refused { message, .. }) => Outcome::Refused(message),
            Err(e) => Outcome::of_error(e),
        }
    }
}

/// Writes the result of an attempt. A second writer of the same attempt changes nothing.
pub(super) fn record(
    u: &mut dyn Unit,
    s: &Services,
    id: BookingId,
    payment: &Payment,
    mut attempt: Attempt,
    outcome: Outcome,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    let Some(mut booking) = u.bookings().lock(id)? else {
        return Err(Error::Internal(format!("booking {id} vanished")));
    };
    let stored = u.payments().attempt(&attempt.order_id)?;
    if stored.is_none_or(|a| a.state != AttemptState::Sent) {
        return Ok(());
    }
    let Some(mut row) = u.payments().get(payment.id)? else {
        return Err(Error::Internal(format!("payment {} vanished", payment.id)));
    };
    attempt.resolved_at = Some(now);
    match outcome {
        Outcome::Applied { transaction_id } => {
            attempt.state = AttemptState::Applied;
            attempt.transaction_id = Some(transaction_id.clone());
            u.payments().resolve_attempt(&attempt)?;
            applied(u, s, &mut booking, row, &attempt, transaction_id, now)?;
        }
        Outcome::Declined { hard, code, message, transaction_id } => {
            attempt.state = AttemptState::Declined;
            attempt.transaction_id = transaction_id;
            attempt.code = Some(code);
            u.payments().resolve_attempt(&attempt)?;
            if hard {
                u.cards().retire(&attempt.method_id)?;
            }
            declined(u, s, &mut booking, row, hard, message, now)?;
        }
        Outcome::Refused(message) => {
            attempt.state = AttemptState::NotApplied;
            u.payments().resolve_attempt(&attempt)?;
            if row.kind == PaymentKind::Refund {
                row.state = State::Failed;
                row.next_attempt_at = None;
                row.last_message = Some(message);
                u.payments().update(&row)?;
                problem(u, &mut booking, now)?;
                looks::at_charge_of(u, s, &row, now)?;
            } else {
                // The gateway cannot use this card token at all: as good as a hard decline.
                u.cards().retire(&attempt.method_id)?;
                declined(u, s, &mut booking, row, true, message, now)?;
            }
        }
        Outcome::NotDone { why, wait } => {
            attempt.state = AttemptState::NotApplied;
            u.payments().resolve_attempt(&attempt)?;
            row.state = if row.attempts > 0 { State::SoftDeclined } else { State::Scheduled };
            row.next_attempt_at = Some(now + wait);
            row.last_message = Some(why);
            u.payments().update(&row)?;
        }
        Outcome::Lost => {
            attempt.state = AttemptState::Lost;
            u.payments().resolve_attempt(&attempt)?;
            looks::for_given_up(u, s, &attempt.order_id, now)?;
            let lost = u.payments().attempts_of(row.id)?.iter().filter(|a| a.state == AttemptState::Lost).count();
            row.state = if row.attempts > 0 { State::SoftDeclined } else { State::Scheduled };
            row.next_attempt_at = Some(now + after_lost(lost));
            row.last_message = Some("the payment service never answered".into());
            u.payments().update(&row)?;
            if lost >= MANY_LOST {
                problem(u, &mut booking, now)?;
            }
        }
        Outcome::Unknown(why) => {
            row.state = State::Unknown;
            row.last_message = Some(why);
            u.payments().update(&row)?;
        }
    }
    settle::settle(u, s, &booking, now)
}

/// Money moved: the row, the ledger, the tip's flag, the message.
pub(super) fn applied(
    u: &mut dyn Unit,
    s: &Services,
    b: &mut Booking,
    mut row: Payment,
    attempt: &Attempt,
    transaction_id: String,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    row.state = State::Captured;
    row.transaction_id = Some(transaction_id);
    row.settled_at = Some(now);
    row.next_attempt_at = None;
    row.attempts += 1;
    row.version = u.payments().update(&row)?;
    // Something else may have been given up; then it stays on the staff's list.
    let still = |r: &Payment| r.state == State::Failed && r.kind != PaymentKind::Deposit && r.id != row.id;
    if b.details.payment_problem && row.kind != PaymentKind::Refund && !u.payments().of_booking(b.id)?.iter().any(still)
    {
        b.details.payment_problem = false;
        b.updated_at = now;
        b.version = u.bookings().update(b, b.version)?;
    }
    if row.kind == PaymentKind::Refund {
        ledger::refund(u, s, b, &row, &attempt.order_id, now)?;
        mark_charge_returned(u, &row)?;
        forget_returned_tip(u, &row, now)?;
    } else {
        ledger::capture(u, s, b, &row, &attempt.order_id, now)?;
        looks::at_settlement(u, s, &attempt.order_id, now)?;
    }
    if row.kind == PaymentKind::Tip
        && let Some(mut tip) = u.tips().of_booking(b.id)?
    {
        tip.is_paid = true;
        tip.payment_id = Some(row.id);
        tip.version += 1;
        tip.updated_at = now;
        u.tips().put(&tip)?;
    }
    mailing::payment_made(u, s, b, &row, now)
}

/// A tip that went back as a whole is not paid any more, unless another charge of it is held: a move that
/// is done after all charges it again.
fn forget_returned_tip(u: &mut dyn Unit, refund: &Payment, now: DateTime<Utc>) -> ServiceResult<()> {
    let Some(mut tip) = u.tips().of_booking(refund.booking_id)?.filter(|t| t.is_paid) else { return Ok(()) };
    let Some(charge) = u.payments().get(refund.refund_of.unwrap_or(refund.id))? else { return Ok(()) };
    if tip.payment_id == Some(charge.id) && charge.state == State::Refunded {
        let held = |r: &Payment| r.kind == PaymentKind::Tip && took(r) && r.state != State::Refunded;
        let held = u.payments().of_booking(refund.booking_id)?.into_iter().find(held).map(|r| r.id);
        (tip.is_paid, tip.payment_id, tip.updated_at) = (held.is_some(), held, now);
        tip.version += 1;
        u.tips().put(&tip)?;
    }
    Ok(())
}

/// The charge a refund belongs to is shown as refunded, wholly or in part.
fn mark_charge_returned(u: &mut dyn Unit, refund: &Payment) -> ServiceResult<()> {
    let Some(charge_id) = refund.refund_of else { return Ok(()) };
    let Some(mut charge) = u.payments().get(charge_id)? else { return Ok(()) };
    let rows = u.payments().of_booking(refund.booking_id)?;
    let gone: kernel::Money =
        rows.iter().filter(|r| r.refund_of == Some(charge_id) && r.settled_at.is_some()).map(|r| r.amount).sum();
    charge.state = if gone >= charge.amount { State::Refunded } else { State::PartiallyRefunded };
    u.payments().update(&charge)?;
    Ok(())
}

/// Without a usable card an attempt is a decline nobody had to be asked for.
pub(super) fn no_card(
    u: &mut dyn Unit,
    s: &Services,
    b: &Booking,
    row: Payment,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    let mut booking = b.clone();
    declined(u, s, &mut booking, row, true, "no usable card is stored".into(), now)?;
    settle::settle(u, s, &booking, now)
}

fn declined(
    u: &mut dyn Unit,
    s: &Services,
    b: &mut Booking,
    mut row: Payment,
    hard: bool,
    message: String,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    let Some(kind) = charge_kind(row.kind) else {
        return Err(Error::Internal("a refund was declined like a charge".into()));
    };
    row.attempts += 1;
    row.last_message = Some(message);
    let policy = &b.details.policy;
    let attempts = u32::try_from(row.attempts).unwrap_or(u32::MAX);
    let step = policy::Declined { kind, due_at: row.due_at, attempts, hard };
    let next = policy::next_attempt(policy, step, now, lock_at(b), b.move_at);
    row.state = if hard { State::HardDeclined } else { State::SoftDeclined };
    row.next_attempt_at = next;
    if next.is_none() {
        row.state = State::Failed;
    }
    row.version = u.payments().update(&row)?;
    mailing::payment_failed(u, s, b, &row, now)?;
    if next.is_none() {
        match policy::after_ladder(policy, kind) {
            // A move that was done, begun, or cancelled meanwhile has no time to release.
            policy::LadderEnd::AutoCancel if live(b) && now < b.move_at => cancellation::release_unpaid(u, s, b, now)?,
            policy::LadderEnd::AutoCancel | policy::LadderEnd::FlagProblem | policy::LadderEnd::StaffList => {
                problem(u, b, now)?
            }
        }
    }
    Ok(())
}

/// Shows the booking on the staff's list of payment troubles.
pub(super) fn problem(u: &mut dyn Unit, b: &mut Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    if b.status != Status::Deleted && !b.details.payment_problem {
        b.details.payment_problem = true;
        b.updated_at = now;
        b.version = u.bookings().update(b, b.version)?;
    }
    Ok(())
}
