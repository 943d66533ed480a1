//! What should be charged or returned, written over what was planned before. Called in the
//! transaction of whatever changed the booking; safe to call at any time.

use chrono::{DateTime, Utc};
use kernel::Money;
use status_machine::{booking::Status, payment::State};

use super::{
    facts::{captured, facts, in_flight, is_lock, live, lock_at, lock_done, open, refunded, returned, took},
    rows::{job, kind_of, scheduled},
};
use crate::{
    ServiceResult, Services,
    ports::{
        Unit,
        bookings::Booking,
        payments::{Payment, PaymentKind},
    },
};

/// Writes the rows a new booking begins with.
///
/// # Errors
/// When the database fails.
pub fn begin(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    let plan = policy::plan(&b.details.policy, b.total, b.created_at, b.move_at);
    for charge in &plan.charges {
        u.payments().insert(&scheduled(s, b.id, kind_of(charge.kind), charge.amount, charge.due_at, now))?;
    }
    wake(u, s, b, now)
}

/// Brings rows and job in line with the booking as it is now.
///
/// While a charge is at the gateway nothing is decided: whoever learns its outcome settles again.
///
/// # Errors
/// When the database fails.
pub fn settle(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    let rows = u.payments().of_booking(b.id)?;
    if !rows.iter().any(in_flight) {
        match b.status {
            Status::Cancelled | Status::Deleted => ended(u, s, b, rows, now)?,
            Status::Pending | Status::Assigned => going_on(u, s, b, rows, now)?,
            Status::Completed | Status::Invoiced | Status::Payed => returned_if_overpaid(u, s, b, &rows, now)?,
        }
    }
    wake(u, s, b, now)
}

fn ended(u: &mut dyn Unit, s: &Services, b: &Booking, rows: Vec<Payment>, now: DateTime<Utc>) -> ServiceResult<()> {
    let kept = b.details.kept.unwrap_or(Money::ZERO);
    let net = captured(&rows).minus(refunded(&rows));
    let missing = kept.minus(net);
    let mut fee_open = false;
    for mut row in rows.iter().filter(|r| open(r) && r.kind != PaymentKind::Refund).cloned() {
        if row.kind == PaymentKind::CancellationFee && missing.is_positive() {
            fee_open = true;
            if row.amount != missing {
                row.amount = missing;
                u.payments().update(&row)?;
            }
        } else {
            skip(u, row)?;
        }
    }
    if missing.is_positive() && !fee_open && !rows.iter().any(|r| r.kind == PaymentKind::CancellationFee) {
        u.payments().insert(&scheduled(s, b.id, PaymentKind::CancellationFee, missing, now, now))?;
    }
    give_back(u, s, b, &rows, missing.negated(), now)
}

fn going_on(u: &mut dyn Unit, s: &Services, b: &Booking, rows: Vec<Payment>, now: DateTime<Utc>) -> ServiceResult<()> {
    let f = facts(b, &rows);
    let net = captured(&rows).minus(refunded(&rows));
    let left = b.total.minus(net);
    let locked = b.details.lock_entered;
    let deposit_open = rows.iter().any(|r| r.kind == PaymentKind::Deposit && open(r)) && !locked;
    // The policy says what is charged first; the lock charge takes what that leaves.
    let deposit = policy::deposit_charge(&b.details.policy, &f);
    let deposit_known = rows.iter().any(|r| r.kind == PaymentKind::Deposit && r.state != State::Skipped);
    if let Some(charge) = deposit.filter(|_| !deposit_known && !locked) {
        // The date moved away from the merged plan: the deposit is charged by itself again.
        u.payments().insert(&scheduled(s, b.id, PaymentKind::Deposit, charge.amount, charge.due_at.max(now), now))?;
    }
    let deposit_next = deposit.filter(|_| deposit_open || (!deposit_known && !locked));
    // As things will stand once the deposit that still comes was captured.
    let before_lock = policy::Facts { captured: f.captured.plus(deposit_next.map_or(Money::ZERO, |c| c.amount)), ..f };
    let lock = policy::lock_charge(&b.details.policy, &before_lock);
    for mut row in rows.iter().filter(|r| open(r)).cloned() {
        let before = row.clone();
        match row.kind {
            PaymentKind::Deposit => match deposit_next {
                Some(charge) => row.amount = charge.amount,
                None => {
                    skip(u, row)?;
                    continue;
                }
            },
            PaymentKind::Balance | PaymentKind::Full => {
                // None: nothing is left to charge. What is too much is a refund, planned on its own.
                row.amount = lock.map_or(Money::ZERO, |c| c.amount);
                row.kind = lock.map_or(row.kind, |c| kind_of(c.kind));
                if !locked && row.attempts == 0 {
                    row.due_at = lock_at(b);
                    row.next_attempt_at = Some(row.due_at);
                }
            }
            PaymentKind::Difference => row.amount = left.max(Money::ZERO),
            _ => continue,
        }
        if row.amount.is_positive() || !is_lock(&row) || !locked {
            if row != before {
                u.payments().update(&row)?;
            }
        } else {
            // Nothing left to charge at the 48-hour instant.
            skip(u, row)?;
        }
    }
    let difference_open = rows.iter().any(|r| r.kind == PaymentKind::Difference && open(r));
    if lock_done(&rows) && left.is_positive() && !difference_open {
        u.payments().insert(&scheduled(s, b.id, PaymentKind::Difference, left, now, now))?;
    }
    give_back(u, s, b, &rows, left.negated(), now)
}

fn returned_if_overpaid(u: &mut dyn Unit, s: &Services, b: &Booking, rows: &[Payment], now: DateTime<Utc>) -> ServiceResult<()> {
    let net = captured(rows).minus(refunded(rows));
    give_back(u, s, b, rows, net.minus(b.total), now)
}

fn skip(u: &mut dyn Unit, mut row: Payment) -> ServiceResult<()> {
    row.state = State::Skipped;
    row.next_attempt_at = None;
    u.payments().update(&row)?;
    Ok(())
}

/// Plans refunds of `amount`, newest charge first, never more than a charge still holds.
fn give_back(u: &mut dyn Unit, s: &Services, b: &Booking, rows: &[Payment], amount: Money, now: DateTime<Utc>) -> ServiceResult<()> {
    let mut charges: Vec<&Payment> = rows.iter().filter(|r| took(r) && r.kind != PaymentKind::Tip).collect();
    charges.sort_by_key(|r| (r.settled_at, r.created_at));
    let gone = |charge: &Payment| rows.iter().filter(|r| returned(r) && r.refund_of == Some(charge.id)).map(|r| r.amount).sum();
    let refundable: Vec<Money> = charges.iter().map(|c| c.amount.minus(gone(c))).collect();
    for (n, part) in policy::refund_parts(amount, &refundable) {
        let mut refund = scheduled(s, b.id, PaymentKind::Refund, part, now, now);
        refund.refund_of = charges.get(n).map(|c| c.id);
        u.payments().insert(&refund)?;
    }
    Ok(())
}

/// Moves the booking's job to the earliest row that wants work.
///
/// # Errors
/// When the database fails.
pub fn wake(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    let rows = u.payments().of_booking(b.id)?;
    let wanted = rows.iter().filter(|r| open(r)).filter_map(wake_at).min();
    let unresolved = rows.iter().any(in_flight).then(|| now + UNKNOWN_LOOKUP);
    match wanted.into_iter().chain(unresolved).min() {
        Some(at) => u.jobs().enqueue(&job(s, b.id, at, now))?,
        None => {
            u.jobs().withdraw(&super::rows::job_key(b.id))?;
        }
    }
    Ok(())
}

/// A deposit is due once its instant has passed, not at it: looking at the instant itself would
/// find nothing to do and look again without end.
fn wake_at(row: &Payment) -> Option<DateTime<Utc>> {
    let at = row.next_attempt_at?;
    Some(if row.kind == PaymentKind::Deposit && row.attempts == 0 { at + chrono::Duration::microseconds(1) } else { at })
}

/// How long to wait before an unknown outcome is looked up again (`statuses.md` §3).
pub const UNKNOWN_LOOKUP: chrono::Duration = chrono::Duration::minutes(5);

/// Whether nothing of the booking's money is still moving; for tests and lists.
pub fn at_rest(b: &Booking, rows: &[Payment]) -> bool {
    !rows.iter().any(in_flight) && (live(b) || !rows.iter().any(open))
}
