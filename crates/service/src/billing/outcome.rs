//! Writes down the gateway's answer and everything that follows from it, in one transaction.

use chrono::Duration;
use kernel::BookingId;
use status_machine::payment::{Facts, State};

use super::{
    facts::{FULL, NEVER_ANSWERED, NO_CARD, NOT_TAKEN, live, owed_apart, took},
    ledger, looks,
    rows::{self, charge_kind, step},
    settle,
    trouble::{problem, solved},
};
use crate::{
    Error, ServiceResult, Tx,
    bookings::cancellation,
    mailing,
    ports::{
        bookings::Booking,
        payments::{
            Attempt, AttemptState, ChargeOutcome, GatewayError, GatewayKind, GatewayStatus, GatewayTransaction,
            Payment, PaymentKind, RefundOutcome,
        },
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
    tx: &mut Tx<'_>,
    id: BookingId,
    payment: &Payment,
    mut attempt: Attempt,
    outcome: Outcome,
) -> ServiceResult<()> {
    let Some(mut booking) = tx.unit.bookings().lock(id)? else {
        return Err(Error::Internal(format!("booking {id} vanished")));
    };
    let stored = tx.unit.payments().attempt(&attempt.order_id)?;
    if stored.is_none_or(|a| a.state != AttemptState::Sent) {
        return Ok(());
    }
    let Some(mut row) = tx.unit.payments().get(payment.id)? else {
        return Err(Error::Internal(format!("payment {} vanished", payment.id)));
    };
    attempt.resolved_at = Some(tx.now);
    match outcome {
        Outcome::Applied { transaction_id } => {
            rows::end(&mut attempt, AttemptState::Applied)?;
            attempt.transaction_id = Some(transaction_id.clone());
            tx.unit.payments().resolve_attempt(&attempt)?;
            applied(tx, &mut booking, row, &attempt, transaction_id)?;
        }
        // The gateway made it, and the bank said no before anybody heard of it.
        Outcome::Declined { code, message, .. } if row.kind == PaymentKind::Refund => {
            attempt.code = Some(code);
            let why = if message.is_empty() { NOT_TAKEN.to_owned() } else { message };
            refund_refused(tx, &mut booking, row, attempt, why)?;
        }
        Outcome::Declined { hard, code, message, transaction_id } => {
            rows::end(&mut attempt, AttemptState::Declined)?;
            attempt.transaction_id = transaction_id;
            attempt.code = Some(code);
            tx.unit.payments().resolve_attempt(&attempt)?;
            if hard {
                tx.unit.cards().retire(&attempt.method_id)?;
            }
            declined(tx, &mut booking, row, hard, message)?;
        }
        Outcome::Refused(message) => {
            if row.kind == PaymentKind::Refund {
                refund_refused(tx, &mut booking, row, attempt, message)?;
            } else {
                rows::end(&mut attempt, AttemptState::NotApplied)?;
                tx.unit.payments().resolve_attempt(&attempt)?;
                // The gateway cannot use this card token at all: as good as a hard decline.
                tx.unit.cards().retire(&attempt.method_id)?;
                declined(tx, &mut booking, row, true, message)?;
            }
        }
        Outcome::NotDone { why, wait } => {
            rows::end(&mut attempt, AttemptState::NotApplied)?;
            tx.unit.payments().resolve_attempt(&attempt)?;
            wait_again(&mut row)?;
            row.next_attempt_at = Some(tx.now + wait);
            row.last_message = Some(why);
            tx.unit.payments().update(&row)?;
        }
        Outcome::Lost => {
            rows::end(&mut attempt, AttemptState::Lost)?;
            tx.unit.payments().resolve_attempt(&attempt)?;
            looks::for_given_up(tx, &attempt.order_id)?;
            let lost = tx.unit.payments().attempts_of(row.id)?.iter().filter(|a| a.state == AttemptState::Lost).count();
            wait_again(&mut row)?;
            row.next_attempt_at = Some(tx.now + after_lost(lost));
            row.last_message = Some(NEVER_ANSWERED.into());
            tx.unit.payments().update(&row)?;
            if lost >= MANY_LOST {
                problem(tx, &mut booking)?;
            }
        }
        Outcome::Unknown(why) => {
            step(&mut row, State::Unknown, &Facts::default())?;
            row.last_message = Some(why);
            tx.unit.payments().update(&row)?;
        }
    }
    settle::settle(tx, &mut booking)
}

/// The gateway does not give it back: it is the staff's, with what the gateway said.
fn refund_refused(
    tx: &mut Tx<'_>,
    b: &mut Booking,
    mut row: Payment,
    mut attempt: Attempt,
    message: String,
) -> ServiceResult<()> {
    rows::end(&mut attempt, AttemptState::NotApplied)?;
    tx.unit.payments().resolve_attempt(&attempt)?;
    step(&mut row, State::Failed, &Facts::default())?;
    row.next_attempt_at = None;
    row.attempts += 1;
    row.last_message = Some(message);
    tx.unit.payments().update(&row)?;
    problem(tx, b)?;
    looks::at_charge_of(tx, &row)
}

/// The request was never applied, so nothing was tried: the row waits as it did before.
fn wait_again(row: &mut Payment) -> ServiceResult<()> {
    let before = if row.attempts > 0 && row.kind.is_charge() { State::SoftDeclined } else { State::Scheduled };
    step(row, before, &Facts { not_at_gateway: true, ..Facts::default() })
}

/// Money moved: the row, the ledger, the tip's flag, the message.
pub(super) fn applied(
    tx: &mut Tx<'_>,
    b: &mut Booking,
    mut row: Payment,
    attempt: &Attempt,
    transaction_id: String,
) -> ServiceResult<()> {
    step(&mut row, State::Captured, &Facts::default())?;
    row.transaction_id = Some(transaction_id);
    row.settled_at = Some(tx.now);
    row.next_attempt_at = None;
    row.attempts += 1;
    row.version = tx.unit.payments().update(&row)?;
    if row.kind != PaymentKind::Refund || is_mended(tx, b, &row)? {
        solved(tx, b)?;
    }
    if row.kind == PaymentKind::Refund {
        ledger::refund(tx, b, &row, &attempt.order_id)?;
        looks::at_settlement_of_refund(tx, &row, &attempt.order_id)?;
        mark_charge_returned(tx, &row)?;
        forget_returned_tip(tx, &row)?;
    } else {
        ledger::capture(tx, b, &row, &attempt.order_id)?;
        looks::at_settlement(tx, &attempt.order_id)?;
    }
    if row.kind == PaymentKind::Tip
        && let Some(mut tip) = tx.unit.tips().of_booking(b.id)?
    {
        tip.is_paid = true;
        tip.payment_id = Some(row.id);
        tip.version += 1;
        tip.updated_at = tx.now;
        tx.unit.tips().put(&tip)?;
    }
    mailing::payment_made(tx, b, &row)
}

/// A refund that was asked for in vain before, or whose answers were lost, is made, and nothing is owed that no charge asks for.
fn is_mended(tx: &mut Tx<'_>, b: &Booking, refund: &Payment) -> ServiceResult<bool> {
    let tried = tx.unit.payments().attempts_of(refund.id)?;
    if !tried.iter().any(|a| matches!(*a.state, AttemptState::NotApplied | AttemptState::Lost | AttemptState::Declined))
    {
        return Ok(false);
    }
    Ok(!owed_apart(b, &tx.unit.payments().of_booking(b.id)?).is_positive())
}

/// A tip that went back as a whole is not paid any more, unless another charge of it is held: a move that
/// is done after all charges it again.
pub(super) fn forget_returned_tip(tx: &mut Tx<'_>, refund: &Payment) -> ServiceResult<()> {
    let Some(mut tip) = tx.unit.tips().of_booking(refund.booking_id)?.filter(|t| t.is_paid) else { return Ok(()) };
    let Some(charge) = tx.unit.payments().get(refund.refund_of.unwrap_or(refund.id))? else { return Ok(()) };
    if tip.payment_id == Some(charge.id) && charge.state == State::Refunded {
        let held = |r: &Payment| r.kind == PaymentKind::Tip && took(r) && r.state != State::Refunded;
        let held = tx.unit.payments().of_booking(refund.booking_id)?.into_iter().find(held).map(|r| r.id);
        (tip.is_paid, tip.payment_id, tip.updated_at) = (held.is_some(), held, tx.now);
        tip.version += 1;
        tx.unit.tips().put(&tip)?;
    }
    Ok(())
}

/// The charge a refund belongs to is shown as refunded, wholly or in part.
pub(super) fn mark_charge_returned(tx: &mut Tx<'_>, refund: &Payment) -> ServiceResult<()> {
    let Some(charge_id) = refund.refund_of else { return Ok(()) };
    let Some(mut charge) = tx.unit.payments().get(charge_id)?.filter(took) else { return Ok(()) };
    if *charge.state == State::ChargedBack {
        // It is shown as disputed until that is decided.
        return Ok(());
    }
    let rows = tx.unit.payments().of_booking(refund.booking_id)?;
    let gone: kernel::Money =
        rows.iter().filter(|r| r.refund_of == Some(charge_id) && r.settled_at.is_some()).map(|r| r.amount).sum();
    if charge.state == State::Captured {
        // Money goes back from what has settled. A whole charge may have been voided before; people read the same.
        step(&mut charge, State::Settled, &Facts::default())?;
    }
    let returned = if gone >= charge.amount { State::Refunded } else { State::PartiallyRefunded };
    step(&mut charge, returned, &Facts::default())?;
    tx.unit.payments().update(&charge)?;
    Ok(())
}

/// Without a usable card an attempt is a decline nobody had to be asked for.
pub(super) fn no_card(tx: &mut Tx<'_>, b: &Booking, mut row: Payment) -> ServiceResult<()> {
    if matches!(*row.state, State::Scheduled | State::SoftDeclined) {
        step(&mut row, State::Processing, &Facts { due: true, attempt_due: true, ..Facts::default() })?;
    }
    let mut booking = b.clone();
    declined(tx, &mut booking, row, true, NO_CARD.into())?;
    settle::settle(tx, &mut booking)
}

fn declined(tx: &mut Tx<'_>, b: &mut Booking, mut row: Payment, hard: bool, message: String) -> ServiceResult<()> {
    let Some(kind) = charge_kind(row.kind) else {
        return Err(Error::Internal("a refund was declined like a charge".into()));
    };
    row.last_message = Some(message);
    rows::refused(b, &mut row, kind, hard, tx.now)?;
    let next = row.next_attempt_at;
    row.version = tx.unit.payments().update(&row)?;
    let pressed = tx.unit.failed().pressed(row.id)?.contains(&row.attempts);
    let end = next.is_none().then(|| policy::after_ladder(&b.details.policy, kind));
    // A move that was done, begun, or cancelled meanwhile has no time to release.
    // Nor does one that somebody of the staff looks after.
    if end == Some(policy::LadderEnd::AutoCancel) && live(b) && tx.now < b.move_at && !pressed {
        // The message of the cancellation says why: another one about the same refusal would ask for a card that is not
        // needed any more.
        return cancellation::release_unpaid(tx, b);
    }
    mailing::payment_failed(tx, b, &row)?;
    // A tip is owed by nobody: staff see it among the failed charges, and it is no trouble of the booking.
    if end.is_some() && row.kind != PaymentKind::Tip { problem(tx, b) } else { Ok(()) }
}

/// A whole charge that was reversed leaves no transaction under the order id of its refund: the
/// charge itself is marked, or the gateway made a refund of its own.
pub(super) fn undone(charge: &[GatewayTransaction], refund: &Payment, attempt: &Attempt) -> Option<String> {
    if attempt.code.as_deref() != Some(FULL) {
        return None;
    }
    let id = refund.transaction_id.as_ref()?;
    let undoes = |t: &&GatewayTransaction| match &t.kind {
        GatewayKind::Charge => t.id == *id && t.status == GatewayStatus::Voided,
        GatewayKind::Refund { of } => {
            of == id
                && t.amount == attempt.amount
                && matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled)
        }
    };
    charge.iter().find(undoes).map(|t| t.id.clone())
}

/// The outcome by the gateway's own list of an order id; none if it does not know the id.
pub(super) fn outcome_at_gateway(known: &[GatewayTransaction]) -> Option<Outcome> {
    // A void is on the charge itself, so success wins over a decline; a refund by hand has the order id of its charge.
    let rank = |t: &GatewayTransaction| match t.status {
        GatewayStatus::Captured | GatewayStatus::Settled => 3,
        GatewayStatus::Voided => 2,
        GatewayStatus::Pending => 1,
        GatewayStatus::Declined => 0,
    };
    let best = known.iter().max_by_key(|t| (rank(t), t.kind == GatewayKind::Charge))?;
    let id = best.id.clone();
    Some(match best.status {
        GatewayStatus::Pending => Outcome::Unknown("still pending at the gateway".into()),
        GatewayStatus::Declined => Outcome::Declined {
            hard: best.declined_hard.unwrap_or(false),
            code: best.code.clone().unwrap_or_default(),
            message: String::new(),
            transaction_id: Some(id),
        },
        _ => Outcome::Applied { transaction_id: id },
    })
}
