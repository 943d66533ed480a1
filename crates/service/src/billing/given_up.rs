//! Charges whose retries have ended without success: how much they still ask for, and when they are closed.

use kernel::Money;

use super::{
    facts::{is_given_up, is_lock, open},
    rows::skip,
};
use crate::{
    ServiceResult, Tx,
    ports::payments::{Payment, PaymentKind},
};

/// The charges of the plan: deposit, balance, full.
pub(super) fn is_planned(row: &Payment) -> bool {
    is_lock(row) || row.kind == PaymentKind::Deposit
}

/// Where the charge of the 48-hour instant asks for all that is owed, a deposit that was given up ends: the same money is
/// asked for once.
pub(super) fn replaced(tx: &mut Tx<'_>, rows: &[Payment], owed: Money) -> ServiceResult<()> {
    let asked: Money = rows.iter().filter(|r| is_lock(r) && (open(r) || is_given_up(r))).map(|r| r.amount).sum();
    if asked.is_positive() && asked >= owed {
        for row in rows.iter().filter(|r| r.kind == PaymentKind::Deposit && is_given_up(r)) {
            skip(tx, row.clone())?;
        }
    }
    Ok(())
}

/// What was given up asks for its money still, by the staff or a new card: it is not charged by another
/// row. What is not owed any more is dropped, so that a new card does not charge it; a deposit last, because the charge of
/// the 48-hour instant asks for the whole. Until that charge is `done`, or the move is, the one that was given up asks for all
/// that is missing, also for more than before: money that had come by hand may have been taken out. Answers what of `missing`
/// nothing asks for.
pub(super) fn given_up(tx: &mut Tx<'_>, rows: &[Payment], missing: Money, done: bool) -> ServiceResult<Money> {
    let mut left = missing.max(Money::ZERO);
    let mut asking: Vec<&Payment> = rows.iter().filter(|r| is_planned(r) && is_given_up(r)).collect();
    asking.sort_by_key(|r| r.kind == PaymentKind::Deposit);
    for mut row in asking.into_iter().cloned() {
        if !left.is_positive() {
            skip(tx, row)?;
            continue;
        }
        if row.amount > left || (!done && is_lock(&row) && row.amount < left) {
            row.amount = left;
            tx.unit.payments().update(&row)?;
        }
        left = left.minus(row.amount);
    }
    Ok(left)
}
