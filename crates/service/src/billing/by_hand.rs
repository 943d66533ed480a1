//! Money that people take and give back by hand: cash, transfers, cheques. The gateway has no part in it, so that it is
//! settled from the moment it is written down.

use kernel::Money;
use status_machine::payment::{Facts, State};

use super::{
    ledger,
    outcome::{mark_charge_returned, solved},
    rows::{scheduled, step},
    settle,
};
use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        payments::{PaidWith, Payment, PaymentKind},
    },
};

fn arrive(tx: &mut Tx<'_>, row: &mut Payment) -> ServiceResult<()> {
    step(row, State::Processing, &Facts { due: true, ..Facts::default() })?;
    step(row, State::Captured, &Facts::default())?;
    step(row, State::Settled, &Facts::default())?;
    (row.settled_at, row.next_attempt_at) = (Some(tx.now), None);
    Ok(())
}

/// Writes down `amount` that came by hand, and brings what is asked for in line with it.
///
/// # Errors
/// When the database fails.
pub fn take(
    tx: &mut Tx<'_>,
    b: &mut Booking,
    amount: Money,
    method: PaidWith,
    reference: Option<String>,
) -> ServiceResult<Payment> {
    let mut row = scheduled(tx, b.id, PaymentKind::Difference, amount, tx.now);
    (row.method, row.reference) = (method, reference);
    arrive(tx, &mut row)?;
    tx.unit.payments().insert(&row)?;
    ledger::capture(tx, b, &row, &fact(&row))?;
    settle::settle(tx, b)?;
    solved(tx, b)?;
    Ok(row)
}

/// Somebody gave the money of this refund back by hand.
///
/// # Errors
/// When the database fails.
pub fn hand_over(tx: &mut Tx<'_>, b: &Booking, mut refund: Payment, reference: Option<String>) -> ServiceResult<()> {
    refund.reference = reference;
    arrive(tx, &mut refund)?;
    tx.unit.payments().update(&refund)?;
    ledger::refund(tx, b, &refund, &fact(&refund))?;
    mark_charge_returned(tx, &refund)
}

/// What was written down never came: the entry is turned around, and the money is asked for again.
///
/// # Errors
/// When the database fails.
pub fn undo(tx: &mut Tx<'_>, b: &Booking, charge: &Payment, reason: String) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    // Refunds that wait to be handed over were planned of money that was never there.
    for row in rows.iter().filter(|r| r.refund_of == Some(charge.id) && super::facts::open(r)) {
        settle::skip(tx, row.clone())?;
    }
    let gone: Money =
        rows.iter().filter(|r| r.refund_of == Some(charge.id) && r.settled_at.is_some()).map(|r| r.amount).sum();
    let mut back = scheduled(tx, b.id, PaymentKind::Refund, charge.amount.minus(gone), tx.now);
    (back.refund_of, back.method, back.next_attempt_at) = (Some(charge.id), charge.method, None);
    tx.unit.payments().insert(&back)?;
    hand_over(tx, b, back, Some(reason))?;
    settle::settle(tx, b)
}

/// What names the fact in the ledger, once.
fn fact(row: &Payment) -> String {
    format!("by-hand:{}", row.id)
}
