//! Money that moved at the payment service by another hand than ours: given back there, undone, or taken with another amount.
//! What was done is done, so it is written down. No card is charged for it by itself: the customer has the money, and nobody
//! agreed to be charged for it again.

use chrono::{DateTime, Utc};
use kernel::Money;
use status_machine::{
    At,
    payment::{Facts, State},
};

use super::{
    apart::owed_by_people,
    difference::{Difference, DifferenceKind},
    facts::{in_flight, is_promised, took},
    known::{back_order, more_order},
    late, ledger, looks, outcome, put_right,
    remedy::Repair,
    rows::{scheduled, step},
    settle, settlement, trouble,
};
use crate::{
    ServiceResult, Tx,
    ports::{
        Unit,
        bookings::Booking,
        facts::TWICE,
        payments::{Attempt, GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
    },
};

/// What writes down that somebody gave a charge back; none where the booking holds less of it, or the bank holds it.
///
/// # Errors
/// When the database fails.
pub(super) fn offered(u: &mut dyn Unit, d: &Difference, found: &[GatewayTransaction]) -> ServiceResult<Option<Repair>> {
    let Some(id) = d.booking else { return Ok(None) };
    let rows = u.payments().of_booking(id)?;
    let Some((t, charge)) = given_back(&rows, &d.what, found) else { return Ok(None) };
    Ok(holds(&rows, charge, t.amount).then(|| Repair::BookRefund {
        order_id: d.subject.clone(),
        transaction_id: t.id.clone(),
        amount: t.amount,
        charge: Some(charge.kind),
    }))
}

/// The transaction that a difference names, and the charge of which it gave money back.
fn given_back<'a>(
    rows: &'a [Payment],
    what: &DifferenceKind,
    found: &'a [GatewayTransaction],
) -> Option<(&'a GatewayTransaction, &'a Payment)> {
    let (DifferenceKind::RefundOutside { transaction, .. } | DifferenceKind::VoidOutside { transaction, .. }) = what
    else {
        return None;
    };
    let t = found.iter().find(|t| t.id == *transaction)?;
    let of = match (&t.kind, t.status) {
        (GatewayKind::Refund { of }, GatewayStatus::Captured | GatewayStatus::Settled) => of,
        (GatewayKind::Charge, GatewayStatus::Voided) => &t.id,
        _ => return None,
    };
    let charge = rows.iter().find(|r| took(r) && r.transaction_id.as_ref() == Some(of))?;
    Some((t, charge))
}

/// The charge holds that much, and the bank does not hold it. What is only planned to go back is withdrawn when the booking
/// is settled.
fn holds(rows: &[Payment], charge: &Payment, amount: Money) -> bool {
    let left = |r: &&Payment| r.is_given_back() && (r.settled_at.is_some() || in_flight(r));
    let gone: Money = rows.iter().filter(|r| r.refund_of == Some(charge.id)).filter(left).map(|r| r.amount).sum();
    *charge.state != State::ChargedBack && gone.plus(amount) <= charge.amount
}

/// Writes down that somebody gave a charge back. False: it is something else by now, and nothing was done.
///
/// # Errors
/// When the database fails.
pub(super) fn book_refund(
    tx: &mut Tx<'_>,
    b: &Booking,
    d: &Difference,
    order_id: &str,
    found: &[GatewayTransaction],
) -> ServiceResult<bool> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let Some((t, charge)) = given_back(&rows, &d.what, found) else { return Ok(false) };
    // What we had asked for and given up is that very refund.
    if t.amount == charge.amount && late::book_reversed(tx, order_id, found)?.is_some() {
        return Ok(true);
    }
    let order = match tx.unit.payments().attempt(order_id)? {
        Some(_) => back_order(order_id, &t.id),
        None => order_id.to_owned(),
    };
    // So is a refund that staff gave and the gateway refused.
    let ours = |r: &&Payment| is_promised(b, &rows, r) && r.refund_of == Some(charge.id) && r.amount == t.amount;
    let stands_for = rows.iter().find(ours).cloned();
    went_back(tx, b, charge, order, (t.id.as_str(), t.amount), stands_for)
}

/// Writes down that some of a charge went back; `stands_for` is what we had planned of it.
fn went_back(
    tx: &mut Tx<'_>,
    b: &Booking,
    charge: &Payment,
    order: String,
    (transaction, amount): (&str, Money),
    stands_for: Option<Payment>,
) -> ServiceResult<bool> {
    let mut row = made(tx, b, PaymentKind::Refund, transaction, amount)?;
    row.refund_of = Some(charge.id);
    match stands_for {
        Some(planned) => settle::skip(tx, planned)?,
        None => row.reference = Some(TWICE.to_owned()),
    }
    tx.unit.payments().insert(&row)?;
    let attempt = applied(&row, order, tx.now, tx.services.wall.now());
    tx.unit.payments().insert_attempt(&attempt)?;
    ledger::refund(tx, b, &row, &attempt.order_id)?;
    outcome::mark_charge_returned(tx, &row)?;
    outcome::forget_returned_tip(tx, &row)?;
    if charge.kind == PaymentKind::Tip {
        put_right::tip_follows(tx, b)?;
    }
    let (mut b, rows) = (b.clone(), tx.unit.payments().of_booking(b.id)?);
    let owes = owed_by_people(&b, &rows).is_positive();
    if owes {
        trouble::problem(tx, &mut b)?;
    }
    looks::at_charge_of(tx, &row)?;
    settle::settle(tx, &mut b)?;
    if !owes {
        // What the gateway had refused to give back is given back.
        trouble::solved(tx, &mut b)?;
    }
    Ok(true)
}

/// A row of money that has moved.
fn made(tx: &Tx<'_>, b: &Booking, kind: PaymentKind, transaction: &str, amount: Money) -> ServiceResult<Payment> {
    let mut row = scheduled(tx, b.id, kind, amount, tx.now);
    let sent = Facts { at_gateway: true, ..Facts::default() };
    for state in [State::Processing, State::Captured] {
        step(&mut row, state, &sent)?;
    }
    (row.transaction_id, row.settled_at) = (Some(transaction.to_owned()), Some(tx.now));
    (row.attempts, row.next_attempt_at) = (1, None);
    Ok(row)
}

fn applied(row: &Payment, order_id: String, now: DateTime<Utc>, wall: DateTime<Utc>) -> Attempt {
    Attempt {
        order_id,
        payment_id: row.id,
        number: 1,
        amount: row.amount,
        method_id: String::new(),
        state: At::applied(),
        transaction_id: row.transaction_id.clone(),
        code: None,
        created_at: now,
        sent_at: wall,
        resolved_at: Some(now),
    }
}

/// Our transaction under an order id, as it took money.
fn own<'a>(attempt: &Attempt, found: &'a [GatewayTransaction]) -> Option<&'a GatewayTransaction> {
    found.iter().find(|t| {
        Some(&t.id) == attempt.transaction_id.as_ref()
            && t.kind == GatewayKind::Charge
            && matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled)
    })
}

/// What writes down that a charge of ours took another amount than we noted: the payment service knows what moved. Once for a
/// charge; what changes after that is a person's.
///
/// # Errors
/// When the database fails.
pub(super) fn another_amount(
    u: &mut dyn Unit,
    d: &Difference,
    found: &[GatewayTransaction],
) -> ServiceResult<Option<Repair>> {
    let DifferenceKind::GatewayAmount { amount, ours } = d.what else { return Ok(None) };
    let Some((attempt, charge)) = settlement::applied_charge(u, &d.subject)? else { return Ok(None) };
    let Some(t) = own(&attempt, found).filter(|t| t.amount == amount) else { return Ok(None) };
    let was = charge.amount;
    if ours != was || attempt.amount != was || *charge.state == State::ChargedBack {
        return Ok(None);
    }
    let (order_id, transaction_id) = (d.subject.clone(), t.id.clone());
    if amount > was {
        return Ok(Some(Repair::BookMore { order_id, transaction_id, was, amount }));
    }
    let rows = u.payments().of_booking(charge.booking_id)?;
    let less = was.minus(amount);
    Ok(holds(&rows, &charge, less).then_some(Repair::BookLess { order_id, transaction_id, was, amount }))
}

/// Writes down what the payment service took beyond what we noted. What is too much goes back.
///
/// # Errors
/// When the database fails.
pub(super) fn book_more(
    tx: &mut Tx<'_>,
    b: &Booking,
    order_id: &str,
    found: &[GatewayTransaction],
) -> ServiceResult<bool> {
    let Some((attempt, charge)) = settlement::applied_charge(tx.unit, order_id)? else { return Ok(false) };
    let Some(t) = own(&attempt, found).filter(|t| t.amount > charge.amount) else { return Ok(false) };
    let mut row = made(tx, b, charge.kind, &t.id, t.amount.minus(charge.amount))?;
    row.card_last4.clone_from(&charge.card_last4);
    tx.unit.payments().insert(&row)?;
    let beside = applied(&row, more_order(order_id, &t.id), tx.now, tx.services.wall.now());
    tx.unit.payments().insert_attempt(&beside)?;
    ledger::capture(tx, b, &row, &beside.order_id)?;
    settle::settle(tx, &mut b.clone())?;
    Ok(true)
}

/// Writes down that the payment service took less than we noted: the rest is with the customer.
///
/// # Errors
/// When the database fails.
pub(super) fn book_less(
    tx: &mut Tx<'_>,
    b: &Booking,
    order_id: &str,
    found: &[GatewayTransaction],
) -> ServiceResult<bool> {
    let Some((attempt, charge)) = settlement::applied_charge(tx.unit, order_id)? else { return Ok(false) };
    let Some(t) = own(&attempt, found).filter(|t| t.amount < charge.amount) else { return Ok(false) };
    let less = charge.amount.minus(t.amount);
    went_back(tx, b, &charge, back_order(order_id, &t.id), (t.id.as_str(), less), None)
}
