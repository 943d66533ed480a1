//! Plans refunds: newest charge first, never more than a charge still holds.

use chrono::{DateTime, Utc};
use kernel::Money;
use status_machine::{Role, payment::State};

use super::{
    facts::{facts, is_given_up, is_of_tip, is_promised, live, returned, still_held, took},
    ledger,
    rows::scheduled,
    settle::skip,
};
use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        credits::CreditKind,
        payments::{Payment, PaymentKind},
    },
    work::Work,
};

/// It took money, and the bank does not hold that for a dispute.
fn returnable(row: &Payment) -> bool {
    took(row) && *row.state != State::ChargedBack
}

/// What could go back of the charges of the move.
pub fn returnable_of(rows: &[Payment]) -> Money {
    rows.iter().filter(|r| r.kind != PaymentKind::Tip).map(|c| still_held(rows, c)).sum()
}

/// Plans the return of `amount` now, whatever is owed, newest charge first, never more than a charge still holds.
///
/// # Errors
/// When the database fails.
pub fn return_now(tx: &mut Tx<'_>, b: &Booking, amount: Money) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    plan_returns(tx, b, &rows, &of_move(&rows), amount)
}

/// What of `amount` somebody would hand back, were its return planned now.
pub fn by_hand_of(rows: &[Payment], amount: Money) -> Money {
    let by_hand = |(charge, _): &(&Payment, Money)| charge.method.is_by_hand();
    parts_of(rows, &of_move(rows), amount).into_iter().filter(by_hand).map(|(_, part)| part).sum()
}

/// What somebody hands back of `amount` that was planned last at an instant: at the same one staff may have given something
/// before. `rows` are oldest first.
pub fn by_hand_at(rows: &[Payment], amount: Money, at: DateTime<Utc>) -> Money {
    let mut left = amount;
    let planned = rows.iter().rev().filter(|r| r.kind == PaymentKind::Refund && r.created_at == at);
    let of_this = planned.take_while(|r| {
        let more = left.is_positive();
        left = left.minus(r.amount);
        more
    });
    of_this.filter(|r| r.method.is_by_hand()).map(|r| r.amount).sum()
}

/// Charges of the move that can be returned, oldest first.
fn of_move(rows: &[Payment]) -> Vec<&Payment> {
    let mut charges: Vec<&Payment> = rows.iter().filter(|r| returnable(r) && r.kind != PaymentKind::Tip).collect();
    charges.sort_by_key(|r| (r.settled_at, r.created_at));
    charges
}

/// How much of `amount` is returned of which charge, newest charge first.
fn parts_of<'a>(rows: &[Payment], charges: &[&'a Payment], amount: Money) -> Vec<(&'a Payment, Money)> {
    // What the gateway refused to give back of a charge, and staff give back still, is not there for anything else.
    let room = |c: &&Payment| {
        let refused: Money = refused_of(rows, c).map(|r| r.amount).sum();
        still_held(rows, c).minus(refused)
    };
    let refundable: Vec<Money> = charges.iter().map(room).collect();
    let parts = policy::refund_parts(amount, &refundable).into_iter();
    parts.filter_map(|(n, part)| Some((*charges.get(n)?, part))).collect()
}

fn plan_returns(
    tx: &mut Tx<'_>,
    b: &Booking,
    rows: &[Payment],
    charges: &[&Payment],
    amount: Money,
) -> ServiceResult<()> {
    for (charge, part) in parts_of(rows, charges, amount) {
        let mut refund = scheduled(tx, b.id, PaymentKind::Refund, part, tx.now);
        (refund.refund_of, refund.method) = (Some(charge.id), charge.method);
        if charge.method.is_by_hand() {
            // Somebody hands it back and writes that down.
            refund.next_attempt_at = None;
        }
        tx.unit.payments().insert(&refund)?;
        if refund.method.is_by_hand() && !matches!(tx.actor.role, Some(Role::Ops | Role::Admin)) {
            // A customer or a job planned it: no member of staff has seen it on their page.
            tx.enqueue(&Work::TellHandBack { payment_id: refund.id })?;
        }
    }
    Ok(())
}

/// Plans refunds of `amount`, newest charge first, never more than a charge still holds.
pub(super) fn give_back(tx: &mut Tx<'_>, b: &Booking, rows: &[Payment], amount: Money) -> ServiceResult<()> {
    return_from(tx, b, rows, of_move(rows), amount)
}

pub(super) fn return_from(
    tx: &mut Tx<'_>,
    b: &Booking,
    rows: &[Payment],
    mut charges: Vec<&Payment>,
    amount: Money,
) -> ServiceResult<()> {
    charges.sort_by_key(|r| (r.settled_at, r.created_at));
    // What the gateway refused to give back is the staff's: asked for again by itself, it would be
    // asked for without end.
    let refused = |r: &&Payment| {
        let of_these = charges.iter().any(|c| Some(c.id) == r.refund_of);
        // What staff gave stands whatever is owed.
        r.kind == PaymentKind::Refund && is_given_up(r) && of_these && !is_promised(b, rows, r)
    };
    let mut amount = amount.max(Money::ZERO);
    for row in rows.iter().filter(refused) {
        if amount >= row.amount {
            amount = amount.minus(row.amount);
        } else {
            // The price rose again: so much is not owed any more.
            skip(tx, row.clone())?;
        }
    }
    if !amount.is_positive() {
        return Ok(());
    }
    // As the loop left them.
    let rows = tx.unit.payments().of_booking(b.id)?;
    plan_returns(tx, b, &rows, &charges, amount)
}

/// Refunds of a charge that the gateway refused.
fn refused_of<'a>(rows: &'a [Payment], charge: &'a Payment) -> impl Iterator<Item = &'a Payment> {
    let refused = |r: &&Payment| r.kind == PaymentKind::Refund && r.state == State::Failed;
    rows.iter().filter(refused).filter(move |r| r.refund_of == Some(charge.id))
}

/// Ends the refunds that the gateway refused and that their charge does not hold any more: the bank has it or gave it back,
/// or it went back otherwise. Nobody tries them again or pays them by hand. True when one ended.
///
/// # Errors
/// When the database fails.
pub(super) fn end_refused(tx: &mut Tx<'_>, rows: &[Payment]) -> ServiceResult<bool> {
    let mut ended = false;
    for charge in rows.iter().filter(|r| r.kind.is_charge()) {
        let mut left = still_held(rows, charge);
        for row in refused_of(rows, charge) {
            if row.amount <= left {
                left = left.minus(row.amount);
            } else {
                skip(tx, row.clone())?;
                ended = true;
            }
        }
    }
    Ok(ended)
}

/// What of the refunds that staff gave went back by nothing, waits for nothing, and was not refused by the gateway. What
/// was undone by hand is none.
///
/// # Errors
/// When the database fails.
pub(super) fn promised(tx: &mut Tx<'_>, b: &Booking, rows: &[Payment]) -> ServiceResult<Money> {
    let entries = tx.unit.ledger().of_booking(b.id)?;
    let undone = |r: &Payment| entries.iter().any(|e| e.kind == ledger::UNDONE && e.payment_id == Some(r.id));
    let refund = |r: &&Payment| r.kind == PaymentKind::Refund && (returned(r) || is_given_up(r));
    let went = |r: &&Payment| refund(r) && !is_of_tip(r, rows) && !r.is_chargeback() && !r.is_void() && !undone(r);
    let went: Money = rows.iter().filter(went).map(|r| r.amount).sum();
    let given = b.details.credits.iter().filter(|c| c.kind == CreditKind::Refund && !c.ended);
    Ok(given.map(|c| c.amount).sum::<Money>().minus(went).max(Money::ZERO))
}

/// Money of an edit that was dropped, captured by `charge`: while it is not due yet it goes back as a
/// whole, and what the booking owes is charged at its own time. Settled by the caller afterwards.
///
/// # Errors
/// When the database fails.
pub fn send_back_early(tx: &mut Tx<'_>, b: &Booking, charge: &Payment) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    // Paid by hand the whole may be paid at any time.
    if live(b) && !b.details.paid_by.is_by_hand() && !facts(b, &rows).is_locked(&b.details.policy, tx.now) {
        let mut back = scheduled(tx, b.id, PaymentKind::Refund, charge.amount, tx.now);
        back.refund_of = Some(charge.id);
        tx.unit.payments().insert(&back)?;
    }
    Ok(())
}
