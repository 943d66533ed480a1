//! What has happened to a booking's money, as the policy crate wants to know it.

use chrono::{DateTime, Utc};
use kernel::Money;
use policy::PaymentPlan;
use status_machine::{booking::Status, payment::State};

use crate::{
    ServiceResult,
    ports::{
        Unit,
        bookings::Booking,
        payments::{Payment, PaymentKind},
    },
};

/// What the attempt of such a charge says as its code.
pub const SETTLEMENT_DECLINED: &str = "settlement_declined";

/// True once the gateway took the money (whatever was returned later).
pub fn took(row: &Payment) -> bool {
    row.was_taken()
}

/// A refund that is made or promised: it counts as returned from the moment it is decided.
pub fn returned(row: &Payment) -> bool {
    row.is_given_back()
}

/// Sent to the gateway and not yet known.
pub fn in_flight(row: &Payment) -> bool {
    matches!(*row.state, State::Processing | State::Unknown)
}

/// Still to be charged: also what was given up and a new card set going again.
pub fn open(row: &Payment) -> bool {
    matches!(*row.state, State::Scheduled | State::SoftDeclined | State::HardDeclined)
        || (row.state == State::Failed && row.next_attempt_at.is_some())
}

/// Nothing is tried any more: the staff's, until a new card comes.
pub fn is_given_up(row: &Payment) -> bool {
    row.state == State::Failed && row.next_attempt_at.is_none()
}

/// What is still owed for a booking: nothing of one that will not take place, but for what its cancellation keeps, and
/// nothing that was written off.
pub fn owed(b: &Booking, rows: &[Payment]) -> Money {
    let due = match b.status {
        Status::Cancelled => b.retained(),
        Status::Deleted => return Money::ZERO,
        _ => b.due(),
    };
    due.minus(facts(b, rows).net()).minus(b.written_off()).max(Money::ZERO)
}

/// What of the money that is missing nobody but people asks for: what was written off, and what the bank took back after a
/// dispute, unless it was paid by hand since. Charging a card for that again is what the dispute was about.
pub fn unasked(b: &Booking, rows: &[Payment]) -> Money {
    let lost = || rows.iter().filter(|r| r.is_chargeback() && !is_of_tip(r, rows));
    let since = lost().filter_map(|r| r.settled_at).min();
    let paid = |r: &&Payment| {
        took(r) && r.method.is_by_hand() && since.is_some_and(|since| r.settled_at.is_some_and(|at| at >= since))
    };
    let charged_back: Money = lost().map(|r| r.amount).sum();
    let paid: Money = rows.iter().filter(paid).map(|r| r.amount).sum();
    charged_back.minus(paid).max(Money::ZERO).plus(b.written_off())
}

/// The dated charges of a new booking, and what a cancellation keeps when. What is paid by hand has no charges of its own.
pub fn plan_of(b: &Booking) -> PaymentPlan {
    of_method(b, policy::plan(&b.details.policy, b.due(), b.created_at, b.move_at))
}

/// As [`plan_of`], of a booking to which `f` has happened.
pub fn plan_since(b: &Booking, f: &policy::Facts, now: DateTime<Utc>) -> PaymentPlan {
    of_method(b, policy::plan_since(&b.details.policy, f, now))
}

fn of_method(b: &Booking, mut plan: PaymentPlan) -> PaymentPlan {
    if b.details.paid_by.is_by_hand() {
        plan.charges.clear();
    }
    plan
}

/// The booking will take place as far as anybody knows.
pub fn live(b: &Booking) -> bool {
    matches!(b.status, Status::Pending | Status::Assigned)
}

/// A move that was done and paid, and is hidden since: its money stays where it is.
///
/// # Errors
/// When the database fails.
pub fn tidied_away(u: &mut dyn Unit, b: &Booking) -> ServiceResult<bool> {
    if b.status != Status::Deleted {
        return Ok(false);
    }
    let history = u.bookings().status_history(b.id)?;
    let before = history.iter().rev().find(|h| h.to == Status::Deleted).and_then(|h| h.from);
    Ok(before == Some(Status::Payed))
}

/// Captured money of the move itself; the tip is never part of it.
pub fn captured(rows: &[Payment]) -> Money {
    rows.iter().filter(|r| took(r) && r.kind != PaymentKind::Tip).map(|r| r.amount).sum()
}

/// Returned money of the move itself; a tip that went back is none.
pub fn refunded(rows: &[Payment]) -> Money {
    rows.iter().filter(|r| returned(r) && !is_of_tip(r, rows)).map(|r| r.amount).sum()
}

/// What is held for the move. Money on its way back is not; a refund that has not left may be withdrawn.
pub fn held(rows: &[Payment]) -> Money {
    let back = |r: &&Payment| returned(r) && (r.settled_at.is_some() || in_flight(r)) && !is_of_tip(r, rows);
    captured(rows).minus(rows.iter().filter(back).map(|r| r.amount).sum())
}

/// A refund of a tip.
pub fn is_of_tip(refund: &Payment, rows: &[Payment]) -> bool {
    rows.iter().any(|r| Some(r.id) == refund.refund_of && r.kind == PaymentKind::Tip)
}

/// What of a deposit that was taken staff have not given back.
pub fn deposit_left(b: &Booking, taken: Money) -> Money {
    taken.minus(b.credited_back()).max(Money::ZERO)
}

/// The instant of the 48-hour rule.
pub fn lock_at(b: &Booking) -> DateTime<Utc> {
    b.details.policy.lock_window.before(b.move_at)
}

/// Everything the policy asks for about money that is taken and given. Of a change fee it says nothing:
/// for that see [`facts_of_change`].
pub fn facts(b: &Booking, rows: &[Payment]) -> policy::Facts {
    policy::Facts {
        booked_at: b.created_at,
        move_at: b.move_at,
        total: b.due(),
        captured: captured(rows),
        refunded: refunded(rows),
        deposit_captured: rows
            .iter()
            .find(|r| r.kind == PaymentKind::Deposit && took(r))
            .map(|r| deposit_left(b, r.amount)),
        lock_entered: b.details.lock_entered,
        balance_captured: lock_done(rows, b.details.lock_entered),
        mate_assigned: false,
    }
}

/// As [`facts`], with the crew: a change costs a fee only when somebody is assigned.
///
/// # Errors
/// When the database fails.
pub fn facts_of_change(u: &mut dyn Unit, b: &Booking, rows: &[Payment]) -> ServiceResult<policy::Facts> {
    let mate_assigned = live(b) && !u.crews().of_booking(b.id)?.is_empty();
    Ok(policy::Facts { mate_assigned, ..facts(b, rows) })
}

/// The charge of the 48-hour rule (balance or full) was made, or nothing was left to charge when its
/// instant came. A row that a cancellation skipped before says nothing of the kind.
pub fn lock_done(rows: &[Payment], lock_entered: bool) -> bool {
    let mut lock = rows.iter().filter(|r| is_lock(r)).peekable();
    // After a cancellation that returned everything the charge comes again.
    if !lock_entered && rows.iter().any(|r| is_lock(r) && open(r)) {
        return false;
    }
    if rows.iter().any(|r| is_lock(r) && took(r)) {
        return true;
    }
    lock_entered && lock.peek().is_some() && lock.all(|r| r.state == State::Skipped)
}

/// Balance or full.
pub fn is_lock(row: &Payment) -> bool {
    matches!(row.kind, PaymentKind::Balance | PaymentKind::Full)
}
