//! Money that people take and give back by hand: cash, transfers, cheques. The gateway has no part in it, so that it is
//! settled from the moment it is written down.

use kernel::Money;
use status_machine::{
    Role,
    payment::{Facts, State},
};

use super::{
    apart::owed_by_people,
    facts::{is_of_tip, returned, took},
    ledger,
    outcome::{forget_returned_tip, mark_charge_returned},
    rows::{scheduled, step, step_as},
    settle,
    trouble::{problem, solved, waits_for_staff},
};
use crate::{
    ErrorCode, ServiceResult, Tx,
    ports::{
        bookings::Booking,
        credits::{Credit, CreditKind},
        facts::TAKEN_OUT,
        invoices::Invoice,
        payments::{PaidWith, Payment, PaymentKind},
    },
};

/// The longest reference, characters.
pub const LONGEST_REFERENCE: usize = 100;

/// A payment of this method and reference is on the booking already.
pub(crate) fn is_recorded(rows: &[Payment], method: PaidWith, reference: Option<&str>) -> bool {
    let Some(reference) = reference.map(str::to_lowercase) else { return false };
    rows.iter().any(|r| {
        let counts = r.kind.is_charge() && took(r) && *r.state != State::Refunded;
        counts && r.method == method && r.reference.as_ref().is_some_and(|t| t.to_lowercase() == reference)
    })
}

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

/// A refund that the gateway refused for good was given back by hand: it is one by that method from now on, and nothing of
/// it is tried at the gateway any more.
///
/// # Errors
/// When the database fails.
pub fn pay_back(
    tx: &mut Tx<'_>,
    b: &mut Booking,
    mut refund: Payment,
    method: PaidWith,
    reference: Option<String>,
) -> ServiceResult<()> {
    // Only somebody of the staff takes up what was given up.
    step_as(&mut refund, Role::Ops, State::Processing, &Facts { due: true, ..Facts::default() })?;
    step(&mut refund, State::Captured, &Facts::default())?;
    step(&mut refund, State::Settled, &Facts::default())?;
    (refund.method, refund.reference) = (method, reference);
    (refund.settled_at, refund.next_attempt_at, refund.last_message) = (Some(tx.now), None, None);
    tx.unit.payments().update(&refund)?;
    ledger::refund(tx, b, &refund, &fact(&refund))?;
    mark_charge_returned(tx, &refund)?;
    forget_returned_tip(tx, &refund)?;
    settle::settle(tx, b)?;
    solved(tx, b)
}

/// What was written down never came: the entry is turned around, and the money is asked for again. A refund that staff
/// gave of that money ends with it, as far as it was not handed over.
///
/// # Errors
/// `invoice_frozen` when a refund would end whose credit note is out.
pub fn undo(tx: &mut Tx<'_>, b: &mut Booking, charge: &Payment, reason: String) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let of_this = |r: &&Payment| r.refund_of == Some(charge.id);
    let mut never_left = Money::ZERO;
    for row in rows.iter().filter(of_this).filter(|r| super::facts::open(r)) {
        never_left = never_left.plus(row.amount);
        settle::skip(tx, row.clone())?;
    }
    end_credits(tx, b, never_left)?;
    let gone: Money = rows.iter().filter(of_this).filter(|r| r.settled_at.is_some()).map(|r| r.amount).sum();
    let mut back = scheduled(tx, b.id, PaymentKind::Refund, charge.amount.minus(gone), tx.now);
    (back.refund_of, back.method, back.reference) = (Some(charge.id), charge.method, Some(reason));
    arrive(tx, &mut back)?;
    back.last_message = Some(TAKEN_OUT.to_owned());
    tx.unit.payments().insert(&back)?;
    ledger::undone(tx, b, &back)?;
    mark_charge_returned(tx, &back)?;
    settle::settle(tx, b)?;
    // It had come for what a bank took back, or instead of a charge that was given up: nothing asks for that by itself.
    let rows = tx.unit.payments().of_booking(b.id)?;
    if owed_by_people(b, &rows).is_positive() || rows.iter().any(waits_for_staff) { problem(tx, b) } else { Ok(()) }
}

/// Refunds that staff gave are not given any more, newest first, as far as `never_left` of them did not leave and no
/// other refund stands for them.
fn end_credits(tx: &mut Tx<'_>, b: &mut Booking, never_left: Money) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let entries = tx.unit.ledger().of_booking(b.id)?;
    let undone = |r: &Payment| entries.iter().any(|e| e.kind == ledger::UNDONE && e.payment_id == Some(r.id));
    let went = |r: &&Payment| returned(r) && !is_of_tip(r, &rows) && !r.is_chargeback() && !undone(r);
    let went: Money = rows.iter().filter(went).map(|r| r.amount).sum();
    let counts = |c: &&Credit| c.kind == CreditKind::Refund && !c.ended;
    let given: Money = b.details.credits.iter().filter(counts).map(|c| c.amount).sum();
    let mut left = never_left.min(given.minus(went));
    if !left.is_positive() {
        return Ok(());
    }
    if tx.unit.invoices().of_booking(b.id)?.iter().any(Invoice::is_in_force) {
        return Err(ErrorCode::InvoiceFrozen.into());
    }
    let before = b.clone();
    let mut credits = Vec::with_capacity(b.details.credits.len() + 1);
    for credit in b.details.credits.drain(..).rev() {
        if !left.is_positive() || !counts(&&credit) {
            credits.push(credit);
            continue;
        }
        let ends = left.min(credit.amount);
        left = left.minus(ends);
        if ends < credit.amount {
            credits.push(Credit { amount: credit.amount.minus(ends), ..credit.clone() });
        }
        credits.push(Credit { amount: ends, ended: true, ..credit });
    }
    credits.reverse();
    b.details.credits = credits;
    b.updated_at = tx.now;
    b.version = tx.unit.bookings().update(b, before.version)?;
    ledger::credit(tx, &before, b)
}

/// What names the fact in the ledger, once.
pub(super) fn fact(row: &Payment) -> String {
    format!("by-hand:{}", row.id)
}
