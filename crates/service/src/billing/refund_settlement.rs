//! What becomes of a refund after it was made: the bank may not take it, days later. The money is with us then, although
//! everybody was told that it had gone back, and it is owed to the customer again.
//!
//! As with charges, a notification is only a reason to look, and what is booked is what the gateway's list says. A refund of a
//! whole charge may stand under the order id of its charge; it is known by the gateway's key.

use kernel::Money;
use status_machine::payment::{Facts, State};

use super::{
    facts::{NOT_TAKEN, SETTLEMENT_DECLINED, took},
    lease, ledger, looks,
    rows::{self, step},
    settle, trouble,
};
use crate::{
    Error, ServiceResult, Tx,
    mailing::alerts::{self, Alert, AlertSubject},
    ports::{
        Unit,
        bookings::Booking,
        payments::{Attempt, AttemptState, GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
    },
    work::JobOutcome,
};

/// Books what became of our refunds among `found`, which the gateway lists under `order_id`. None: nothing had become of
/// any that was not known.
///
/// # Errors
/// When the database fails.
pub(super) fn book(tx: &mut Tx<'_>, order_id: &str, found: &[GatewayTransaction]) -> ServiceResult<Option<JobOutcome>> {
    let mut done = None;
    for t in found.iter().filter(|t| matches!(t.kind, GatewayKind::Refund { .. })) {
        let Some((attempt, row)) = refund_of_transaction(tx.unit, t)? else { continue };
        match t.status {
            GatewayStatus::Captured | GatewayStatus::Pending if tx.now < attempt.created_at + looks::LAST_LOOK => {
                looks::at_settlement_again(tx, order_id, attempt.created_at)?;
            }
            GatewayStatus::Captured | GatewayStatus::Pending | GatewayStatus::Voided => {}
            GatewayStatus::Settled | GatewayStatus::Declined => {
                let Some(booking) = tx.unit.bookings().lock(row.booking_id)? else {
                    return Err(Error::Internal(format!("booking {} vanished", row.booking_id)));
                };
                if t.status == GatewayStatus::Declined && lease::under_way(tx.unit, row.booking_id)? {
                    return Ok(Some(JobOutcome::Later(lease::next_look(tx.services, tx.services.wall.now()))));
                }
                // Read again under the lock: another worker may have booked it meanwhile.
                let Some((attempt, mut row)) = refund_of_transaction(tx.unit, t)? else { continue };
                if t.status == GatewayStatus::Declined {
                    let amount = row.amount;
                    tracing::error!(order = attempt.order_id, %amount, "the bank did not take a refund; it is owed again");
                    let alert = Alert {
                        key: format!("refund:{}", attempt.order_id),
                        kind: "alert.refundDeclined",
                        about: Some(AlertSubject::Amount(amount)),
                        everybody: false,
                        when: None,
                        page: "failed-charges",
                    };
                    alerts::tell(tx, &booking, &alert)?;
                    put_back(tx, booking, attempt, row, NOT_TAKEN)?;
                    done = Some(JobOutcome::Done);
                } else if *row.state == State::Captured {
                    step(&mut row, State::Settled, &Facts::default())?;
                    tx.unit.payments().update(&row)?;
                }
            }
        }
    }
    Ok(done)
}

/// Our refund behind a gateway transaction, if it is booked as settled.
fn refund_of_transaction(u: &mut dyn Unit, t: &GatewayTransaction) -> ServiceResult<Option<(Attempt, Payment)>> {
    for row in u.payments().of_transaction(&t.id)? {
        if row.kind != PaymentKind::Refund || row.settled_at.is_none() {
            continue;
        }
        let ours = |a: &Attempt| a.state == AttemptState::Applied && a.transaction_id.as_ref() == Some(&t.id);
        if let Some(attempt) = u.payments().attempts_of(row.id)?.into_iter().find(ours) {
            return Ok(Some((attempt, row)));
        }
    }
    Ok(None)
}

/// A refund that counts as gone back, and its attempt.
///
/// # Errors
/// When the database fails.
pub(super) fn written(u: &mut dyn Unit, order_id: &str) -> ServiceResult<Option<(Attempt, Payment)>> {
    let Some(attempt) = u.payments().attempt(order_id)?.filter(|a| a.state == AttemptState::Applied) else {
        return Ok(None);
    };
    let back = |row: &Payment| row.kind == PaymentKind::Refund && row.settled_at.is_some();
    Ok(u.payments().get(attempt.payment_id)?.filter(back).map(|row| (attempt, row)))
}

/// The payment service knows nothing of a refund that counts as gone back: it is put back in the books. False: it does not count
/// so any more.
///
/// # Errors
/// When the database fails.
pub(super) fn never_made(tx: &mut Tx<'_>, order_id: &str) -> ServiceResult<bool> {
    let Some((_, row)) = written(tx.unit, order_id)? else { return Ok(false) };
    let Some(booking) = tx.unit.bookings().lock(row.booking_id)? else { return Ok(false) };
    // Read again under the lock.
    let Some((attempt, row)) = written(tx.unit, order_id)? else { return Ok(false) };
    put_back(tx, booking, attempt, row, "the payment service has no such refund").map(|()| true)
}

/// Puts the refund back in the books. It stands where one stands that the gateway refused: staff give it again, or pay it by
/// hand, so that nothing goes back twice by itself.
fn put_back(tx: &mut Tx<'_>, mut b: Booking, mut attempt: Attempt, mut row: Payment, why: &str) -> ServiceResult<()> {
    ledger::refund_declined(tx, &b, &row, &attempt.order_id)?;
    rows::end(&mut attempt, AttemptState::Declined)?;
    attempt.code = Some(SETTLEMENT_DECLINED.to_owned());
    attempt.resolved_at = Some(tx.now);
    tx.unit.payments().resolve_attempt(&attempt)?;
    let taken_back = Facts { taken_back: true, ..Facts::default() };
    step(&mut row, State::Failed, &taken_back)?;
    (row.settled_at, row.transaction_id, row.next_attempt_at) = (None, None, None);
    row.last_message = Some(why.to_owned());
    row.version = tx.unit.payments().update(&row)?;
    let charge = match row.refund_of {
        Some(charge) => tx.unit.payments().get(charge)?.filter(took),
        None => None,
    };
    if let Some(charge) = charge {
        let rows = tx.unit.payments().of_booking(b.id)?;
        holds_again(tx, charge, &rows)?;
    }
    trouble::problem(tx, &mut b)?;
    settle::settle(tx, &mut b)
}

/// The charge holds again what did not go back; a tip that had gone back as a whole was given after all.
fn holds_again(tx: &mut Tx<'_>, mut charge: Payment, rows: &[Payment]) -> ServiceResult<()> {
    let of_this = |r: &&Payment| r.refund_of == Some(charge.id) && r.settled_at.is_some();
    let back: Money = rows.iter().filter(of_this).map(|r| r.amount).sum();
    if !matches!(*charge.state, State::Refunded | State::PartiallyRefunded) {
        // A disputed one is shown as such until that is decided.
        return Ok(());
    }
    let holds = if back.is_positive() { State::PartiallyRefunded } else { State::Settled };
    step(&mut charge, holds, &Facts { taken_back: true, ..Facts::default() })?;
    tx.unit.payments().update(&charge)?;
    if charge.kind == PaymentKind::Tip
        && let Some(mut tip) = tx.unit.tips().of_booking(charge.booking_id)?.filter(|t| !t.is_paid)
    {
        (tip.is_paid, tip.payment_id, tip.updated_at) = (true, Some(charge.id), tx.now);
        tip.version += 1;
        tx.unit.tips().put(&tip)?;
    }
    Ok(())
}
