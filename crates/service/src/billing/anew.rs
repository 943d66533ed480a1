//! Planning the charges of a booking anew, and what that would change.

use chrono::{DateTime, Utc};
use kernel::Money;
use serde::{Deserialize, Serialize};

use super::{
    difference::{Difference, DifferenceKind},
    facts::{day_of, is_of_tip, live, open},
    history::{differences_of, file_of},
    lease,
    rows::skip,
    settle, tips,
};
use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        payments::{PaidWith, Payment, PaymentKind},
    },
};

/// What happens to one charge or refund row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowAction {
    /// It will be charged.
    Charge,
    /// It will go back.
    GiveBack,
    /// It will not be made.
    Drop,
}

impl RowAction {
    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            RowAction::Charge => "charge",
            RowAction::GiveBack => "give_back",
            RowAction::Drop => "drop",
        }
    }
}

/// One change of what is planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// What happens.
    pub deed: RowAction,
    /// To what kind of payment.
    pub charge: PaymentKind,
    /// How much.
    pub amount: Money,
    /// How it is paid.
    pub method: PaidWith,
    /// When; none at once, or by hand.
    pub at: Option<DateTime<Utc>>,
}

/// Plans the charges of a booking anew; none when that does not put the difference right, and nothing else wrong.
pub(super) fn plan_anew(tx: &mut Tx<'_>, d: &Difference) -> ServiceResult<Option<Vec<Step>>> {
    let Some(mut b) = locked(tx, d)? else { return Ok(None) };
    if lease::under_way(tx.unit, b.id)? {
        return Ok(None);
    }
    let was = differences_of(tx.unit, b.id, tx.now)?;
    let strangers = file_of(tx.unit, b.id)?.is_some_and(|file| !file.strangers.is_empty());
    if strangers || was.iter().any(|other| other.what.is_of_row() || matches!(other.what, DifferenceKind::Kept { .. }))
    {
        // By a row that says something else than its witnesses, or that is another booking's, nothing is planned. Nor is by a
        // cancellation that keeps something else than the policy gives: that is put right first, or somebody decides otherwise.
        return Ok(None);
    }
    let before = tx.unit.payments().of_booking(b.id)?;
    prepared(tx, &b, d)?;
    settle::settle(tx, &mut b)?;
    let mut left = differences_of(tx.unit, b.id, tx.now)?;
    let worse = |left: &[Difference]| left.contains(d) || !left.iter().all(|other| was.contains(other));
    if worse(&left) && live(&b) {
        // Its 48-hour charge was dropped.
        settle::resume(tx, &b)?;
        settle::settle(tx, &mut b)?;
        left = differences_of(tx.unit, b.id, tx.now)?;
    }
    let after = tx.unit.payments().of_booking(b.id)?;
    let steps = steps(&before, &after, tx.now);
    Ok((!worse(&left) && !steps.is_empty()).then_some(steps))
}

/// What of a difference is written before the plan is made: the day of a charge that somebody moved or took away, and a refund
/// to come that nobody decided.
fn prepared(tx: &mut Tx<'_>, b: &Booking, d: &Difference) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let own = |charge: &PaymentKind, amount: &Money, at: Option<DateTime<Utc>>| {
        let planned = |r: &&Payment| open(r) && (r.kind, r.amount) == (*charge, *amount) && r.attempts == 0;
        let at_that = |r: &&Payment| r.next_attempt_at == at || (at.is_some() && Some(r.due_at) == at);
        rows.iter().filter(planned).find(at_that).filter(|r| r.kind.is_charge()).cloned()
    };
    match &d.what {
        DifferenceKind::PutOff { charge, amount, until, day } => {
            if let Some(row) = own(charge, amount, Some(*until)) {
                tx.unit.payments().update(&Payment { next_attempt_at: Some(*day), due_at: *day, ..row })?;
            }
            Ok(())
        }
        DifferenceKind::Waits { charge, amount } => {
            if let Some(row) = own(charge, amount, None) {
                let day = day_of(b, &row);
                tx.unit.payments().update(&Payment { next_attempt_at: Some(day), due_at: day, ..row })?;
            }
            Ok(())
        }
        DifferenceKind::TipAsked { .. } => tips::changed(tx, b),
        // Whoever decides on a refund lowers what is owed with it. One by which as much is missing as it gives back was decided
        // by nobody.
        DifferenceKind::Held { net, asked, owed } => {
            let missing = owed.minus(net.plus(*asked));
            let untried =
                |r: &&Payment| r.kind == PaymentKind::Refund && open(r) && r.attempts == 0 && !is_of_tip(r, &rows);
            match rows.iter().filter(untried).find(|r| r.amount == missing) {
                Some(row) => skip(tx, row.clone()),
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn steps(before: &[Payment], after: &[Payment], now: DateTime<Utc>) -> Vec<Step> {
    let changed = |row: &&Payment| {
        let was = before.iter().find(|b| b.id == row.id);
        was.is_none_or(|was| {
            let planned = |r: &Payment| (open(r), r.amount, r.next_attempt_at, r.due_at, r.settled_at);
            planned(was) != planned(row)
        })
    };
    let step = |row: &Payment| Step {
        deed: match (open(row), row.kind) {
            (false, _) => RowAction::Drop,
            (true, PaymentKind::Refund) => RowAction::GiveBack,
            (true, _) => RowAction::Charge,
        },
        charge: row.kind,
        amount: row.amount,
        method: row.method,
        at: row.next_attempt_at.filter(|at| open(row) && *at > now),
    };
    after.iter().filter(changed).map(step).collect()
}

/// The booking that a difference is about, locked.
pub(super) fn locked(tx: &mut Tx<'_>, d: &Difference) -> ServiceResult<Option<Booking>> {
    match d.booking {
        Some(id) => Ok(tx.unit.bookings().lock(id)?),
        None => Ok(None),
    }
}
