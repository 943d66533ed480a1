//! Planning the charges of a booking anew, and what that would change.

use chrono::{DateTime, Utc};
use kernel::Money;
use serde::{Deserialize, Serialize};

use super::{
    difference::Difference,
    facts::{live, open},
    lease,
    reconcile::differences_of,
    settle,
};
use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        payments::{PaidWith, Payment, PaymentKind},
    },
};

/// What happens to one charge or refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// It will be charged.
    Charge,
    /// It will go back.
    GiveBack,
    /// It will not be made.
    Drop,
}

impl Deed {
    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Deed::Charge => "charge",
            Deed::GiveBack => "give_back",
            Deed::Drop => "drop",
        }
    }
}

/// One change of what is planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// What happens.
    pub deed: Deed,
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
    let Some(b) = locked(tx, d)? else { return Ok(None) };
    if lease::under_way(tx.unit, b.id)? {
        return Ok(None);
    }
    let was = differences_of(tx.unit, b.id, tx.now)?;
    let before = tx.unit.payments().of_booking(b.id)?;
    settle::settle(tx, &b)?;
    let mut left = differences_of(tx.unit, b.id, tx.now)?;
    if left.contains(d) && live(&b) {
        // Its 48-hour charge was dropped.
        settle::resume(tx, &b)?;
        settle::settle(tx, &b)?;
        left = differences_of(tx.unit, b.id, tx.now)?;
    }
    let after = tx.unit.payments().of_booking(b.id)?;
    let steps = steps(&before, &after, tx.now);
    let right = !left.contains(d) && left.iter().all(|other| was.contains(other));
    Ok((right && !steps.is_empty()).then_some(steps))
}

fn steps(before: &[Payment], after: &[Payment], now: DateTime<Utc>) -> Vec<Step> {
    let changed = |row: &&Payment| {
        let was = before.iter().find(|b| b.id == row.id);
        was.is_none_or(|was| {
            let planned = |r: &Payment| (open(r), r.amount, r.next_attempt_at);
            planned(was) != planned(row)
        })
    };
    let step = |row: &Payment| Step {
        deed: match (open(row), row.kind) {
            (false, _) => Deed::Drop,
            (true, PaymentKind::Refund) => Deed::GiveBack,
            (true, _) => Deed::Charge,
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
