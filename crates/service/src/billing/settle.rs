//! Replaces the planned charges and refunds of a booking with what should be charged or returned now. Called in the
//! transaction of whatever changed the booking; safe to call at any time.

use chrono::{DateTime, Utc};
use kernel::{Money, PaymentId};
use status_machine::{booking::Status, payment::State};

pub use super::rows::skip;
use super::{
    apart::{asked_by_people_only, ended_unagreed, owed_by_people},
    facts::{
        UNPAID, facts, in_flight, is_given_up, is_lock, is_of_tip, is_undone, live, lock_at, lock_done, net, next_at,
        open, plan_of, returned_of, tidied_away, took, waits_for_consent,
    },
    given_up::{given_up, is_planned, replaced},
    lease,
    returns::{end_refused, give_back, return_from},
    rows::{kind_of, plan},
    set_off, trouble,
};
use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        payments::{AttemptState, Payment, PaymentKind},
    },
    work::Work,
};

/// Writes the rows a new booking begins with.
///
/// # Errors
/// When the database fails.
pub fn begin(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    for charge in plan_of(b).charges {
        plan(tx, b.id, kind_of(charge.kind), charge.amount, charge.due_at)?;
    }
    wake(tx, b)
}

/// Brings rows and job in line with the booking as it is now. Where that ends a refund that the gateway had refused, it asks
/// whether the booking is a payment trouble still; then the booking is written, and `b` has its new version.
///
/// While money of the booking is at the gateway nothing is decided: whoever learns its outcome
/// settles again.
///
/// # Errors
/// When the database fails.
pub fn settle(tx: &mut Tx<'_>, b: &mut Booking) -> ServiceResult<()> {
    if tidied_away(tx.unit, b)? {
        return Ok(());
    }
    let mut rows = tx.unit.payments().of_booking(b.id)?;
    let refused: Vec<PaymentId> = rows.iter().filter(|r| is_refused(r)).map(|r| r.id).collect();
    if !rows.iter().any(in_flight) && tx.unit.checkouts().of_subject(b.id)?.is_none() {
        if end_refused(tx, &rows)? {
            rows = tx.unit.payments().of_booking(b.id)?;
        }
        match b.status {
            _ if b.details.paid_by.is_by_hand() => by_hand(tx, b, &rows)?,
            Status::Cancelled | Status::Deleted => settle_ended(tx, b, &rows)?,
            Status::Pending | Status::Assigned => settle_live(tx, b, &rows)?,
            Status::Completed | Status::Invoiced | Status::Payed => settle_done(tx, b, &rows)?,
        }
        tip(tx, b, &rows)?;
    }
    if matches!(b.status, Status::Invoiced | Status::Payed)
        || (b.status == Status::Cancelled && b.details.kept.is_some_and(Money::is_positive))
    {
        tx.enqueue(&Work::FollowInvoice { booking_id: b.id })?;
    }
    if b.is_asked() || b.details.charges_wait.is_some() {
        // What it says may not hold any more.
        tx.enqueue(&Work::FollowConsent { booking_id: b.id })?;
    }
    wake(tx, b)?;
    let ended = |r: &Payment| refused.contains(&r.id) && r.state == State::Skipped;
    if !refused.is_empty() && tx.unit.payments().of_booking(b.id)?.iter().any(ended) {
        trouble::solved(tx, b)?;
    }
    if ended_unagreed(b) && owed_by_people(b, &tx.unit.payments().of_booking(b.id)?).is_positive() {
        // No card is charged for it, and its customer is asked for nothing any more.
        trouble::problem(tx, b)?;
    }
    Ok(())
}

/// A refund that the gateway refused.
fn is_refused(row: &Payment) -> bool {
    row.kind == PaymentKind::Refund && row.state == State::Failed
}

/// A cancelled or deleted booking that is taken back: what its end had planned is withdrawn, as far as
/// the money is owed again, and the 48-hour charge waits for its instant again. The amounts are settled
/// after it.
///
/// # Errors
/// When the database fails.
pub fn resume(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    for row in rows.iter().filter(|r| open(r)) {
        if row.kind == PaymentKind::CancellationFee || (row.kind == PaymentKind::Refund && is_of_tip(row, &rows)) {
            skip(tx, row.clone())?;
        }
    }
    // Money of something that did not happen, such as an edit that was dropped, goes back all the same.
    if b.details.paid_by.is_by_hand() {
        return Ok(());
    }
    withdraw(tx, b, &rows, owed_now(b, &facts(b, &rows), tx.now).minus(net(b, &rows)))?;
    let rows = tx.unit.payments().of_booking(b.id)?;
    let f = facts(b, &rows);
    // A charge of the 48-hour instant that went back before says nothing while that instant is ahead.
    if (!b.details.lock_entered || !f.balance_captured) && !rows.iter().any(|r| is_lock(r) && (open(r) || in_flight(r)))
    {
        let kind = if f.captured.is_positive() { PaymentKind::Balance } else { PaymentKind::Full };
        plan(tx, b.id, kind, f.missing().max(Money::ZERO), lock_at(b).max(tx.now))?;
    }
    Ok(())
}

/// What a booking that takes place owes at `now`.
fn owed_now(b: &Booking, f: &policy::Facts, now: DateTime<Utc>) -> Money {
    if b.details.lock_entered {
        return b.due();
    }
    let due = policy::deposit_charge(&b.details.policy, f).filter(|charge| charge.due_at <= now);
    f.deposit_captured.or(due.map(|charge| charge.amount)).unwrap_or(Money::ZERO).min(b.due())
}

/// Money that is owed is not returned and charged again: refunds that have not left are withdrawn first,
/// newest first. Answers what of `missing` they do not cover.
fn withdraw(tx: &mut Tx<'_>, b: &Booking, rows: &[Payment], missing: Money) -> ServiceResult<Money> {
    let mut left = missing.max(Money::ZERO);
    let leaves = |r: &&Payment| r.kind == PaymentKind::Refund && open(r) && !is_of_tip(r, rows) && !r.is_void();
    let waiting = rows.iter().rev().filter(leaves);
    for mut row in waiting.cloned() {
        if left >= row.amount {
            left = left.minus(row.amount);
            reduce_refund_by_hand(tx, b, &row, row.amount)?;
            skip(tx, row)?;
        } else if left.is_positive() {
            reduce_refund_by_hand(tx, b, &row, left)?;
            row.amount = row.amount.minus(left);
            left = Money::ZERO;
            tx.unit.payments().update(&row)?;
        }
    }
    Ok(left)
}

/// Lowers a refund that somebody was to hand over.
fn reduce_refund_by_hand(tx: &mut Tx<'_>, b: &Booking, row: &Payment, less: Money) -> ServiceResult<()> {
    if row.method.is_by_hand() { set_off::record_kept(tx, b, row, less) } else { Ok(()) }
}

fn settle_ended(tx: &mut Tx<'_>, b: &Booking, rows: &[Payment]) -> ServiceResult<()> {
    let missing = b.retained().minus(b.written_off()).minus(net(b, rows));
    // What was given up before is asked for by the fee. Where giving up is why it was cancelled, the charge whose ladder
    // ended is the staff's, and nothing beside it: a deposit was part of it.
    let by_ladder = b.details.cancel_reason.as_deref() == Some(UNPAID);
    let whole = rows.iter().any(|r| is_lock(r) && is_given_up(r));
    let stays = |r: &Payment| by_ladder && is_given_up(r) && !(whole && r.kind == PaymentKind::Deposit);
    let asks = |r: &&Payment| open(r) || (is_given_up(r) && !stays(r));
    let withdrawn =
        rows.iter().filter(asks).filter(|r| !matches!(r.kind, PaymentKind::Refund | PaymentKind::CancellationFee));
    for row in withdrawn.cloned() {
        skip(tx, row)?;
    }
    let asked = withdraw(tx, b, rows, missing)?;
    demand(tx, b, rows, PaymentKind::CancellationFee, still_to_charge(b, rows, asked))?;
    give_back(tx, b, rows, missing.negated())
}

/// Nothing is charged by itself: only what was paid beyond what is owed goes back. A payment by link that the bank
/// refused when it settled is withdrawn, so that no card that is stored later is charged for it: it is owed again.
fn by_hand(tx: &mut Tx<'_>, b: &Booking, rows: &[Payment]) -> ServiceResult<()> {
    let asks = |r: &&Payment| r.kind.is_charge() && r.kind != PaymentKind::Tip && (open(r) || is_given_up(r));
    for row in rows.iter().filter(asks).cloned() {
        skip(tx, row)?;
    }
    let due = match b.status {
        Status::Cancelled | Status::Deleted => b.retained(),
        _ => b.due(),
    };
    let missing = due.minus(b.written_off()).minus(net(b, rows));
    withdraw(tx, b, rows, missing)?;
    give_back(tx, b, rows, missing.negated())
}

/// How much of `missing` is still charged by itself; what was written off is not missing.
fn still_to_charge(b: &Booking, rows: &[Payment], missing: Money) -> Money {
    missing.plus(b.written_off()).minus(asked_by_people_only(b, rows)).max(Money::ZERO)
}

/// Asks for `missing` by one row of `kind`. What was asked for before and given up (its ladder ended)
/// is not asked for again: a new card or the staff set it going. A lower price is another demand; a credit or
/// money by hand is not, and what is left of the old one stays given up.
fn demand(tx: &mut Tx<'_>, b: &Booking, rows: &[Payment], kind: PaymentKind, missing: Money) -> ServiceResult<()> {
    let stays = b.credited().is_positive() || b.credited_of_kept().is_positive() || rows.iter().any(came_by_hand);
    let rows: Vec<&Payment> = rows.iter().filter(|r| r.kind == kind).collect();
    let mut left = missing;
    for row in rows.iter().filter(|r| is_given_up(r)) {
        if left >= row.amount {
            left = left.minus(row.amount);
        } else {
            let mut row = (*row).clone();
            if stays && left.is_positive() {
                (row.amount, left) = (left, Money::ZERO);
                tx.unit.payments().update(&row)?;
            } else {
                skip(tx, row)?;
            }
        }
    }
    let mut asked = false;
    for mut row in rows.into_iter().filter(|r| open(r)).cloned() {
        if asked || !left.is_positive() {
            skip(tx, row)?;
            continue;
        }
        asked = true;
        if row.amount != left {
            row.amount = left;
            tx.unit.payments().update(&row)?;
        }
    }
    if !asked && left.is_positive() {
        plan(tx, b.id, kind, left, tx.now)?;
    }
    Ok(())
}

fn came_by_hand(row: &Payment) -> bool {
    row.method.is_by_hand() && row.kind.is_charge() && took(row)
}

fn settle_live(tx: &mut Tx<'_>, b: &Booking, rows: &[Payment]) -> ServiceResult<()> {
    let f = facts(b, rows);
    let left = b.due().minus(b.written_off()).minus(net(b, rows));
    let locked = b.details.lock_entered;
    let deposit_open = rows.iter().any(|r| r.kind == PaymentKind::Deposit && open(r)) && !locked;
    // The policy says what is charged first; the lock charge takes what that leaves. Money that is held
    // already, of an edit that was paid at once or of a refund that failed, is part of the deposit.
    let held = net(b, rows).max(Money::ZERO);
    let deposit = policy::deposit_charge(&b.details.policy, &f)
        .map(|charge| policy::PlannedCharge { amount: charge.amount.minus(held), ..charge })
        .filter(|charge| charge.amount.is_positive());
    // What a cancellation kept before it was taken back stands for the deposit.
    let deposit_known = rows.iter().any(|r| match r.kind {
        PaymentKind::Deposit => r.state != State::Skipped && !is_undone(rows, r),
        PaymentKind::CancellationFee => took(r),
        _ => false,
    });
    if let Some(charge) = deposit.filter(|_| !deposit_known && !locked) {
        // The date moved away from the merged plan: the deposit is charged by itself again.
        plan(tx, b.id, PaymentKind::Deposit, charge.amount, charge.due_at.max(tx.now))?;
    }
    let deposit_next = deposit.filter(|_| deposit_open || (!deposit_known && !locked));
    // As things will stand once the deposit that still comes was captured.
    let before_lock = policy::Facts { captured: f.captured.plus(deposit_next.map_or(Money::ZERO, |c| c.amount)), ..f };
    // What went back by nobody's decision here is asked for by people only, now and at the 48-hour instant.
    let lock = policy::lock_charge(&b.details.policy, &before_lock)
        .map(|charge| policy::PlannedCharge { amount: still_to_charge(b, rows, charge.amount), ..charge })
        .filter(|charge| charge.amount.is_positive());
    for mut row in rows.iter().filter(|r| open(r)).cloned() {
        let before = row.clone();
        match row.kind {
            PaymentKind::Deposit => match deposit_next {
                Some(charge) => row.amount = charge.amount,
                None => {
                    skip(tx, row)?;
                    continue;
                }
            },
            // The move was postponed before the charge of its 48-hour instant could be made: that waits for the new
            // one, and so does the end of its ladder, which would release the booking.
            PaymentKind::Balance | PaymentKind::Full if row.attempts > 0 && lock_at(b) > row.due_at.max(tx.now) => {
                if let Some(charge) = lock {
                    let due = lock_at(b);
                    plan(tx, b.id, kind_of(charge.kind), charge.amount, due)?;
                }
                skip(tx, row)?;
                continue;
            }
            PaymentKind::Balance | PaymentKind::Full => {
                // None: nothing is left to charge. What is too much is a refund, planned on its own.
                row.amount = lock.map_or(Money::ZERO, |c| c.amount);
                row.kind = lock.map_or(row.kind, |c| kind_of(c.kind));
                // An untouched charge follows its instant, also where an earlier one had come already and the move
                // was postponed before its charge could be made.
                let due = match lock_at(b) {
                    lock if !locked || lock > tx.now => lock,
                    _ => row.due_at.min(tx.now),
                };
                if row.attempts == 0 && row.due_at != due {
                    row.due_at = due;
                    row.next_attempt_at = Some(due);
                }
            }
            // A reopened move is not done: its tip waits for the next completion. And the fee of a
            // cancellation that was taken back while it was at the gateway is not asked for again.
            PaymentKind::Tip | PaymentKind::CancellationFee => {
                skip(tx, row)?;
                continue;
            }
            _ => continue,
        }
        if row.amount.is_positive() || !is_lock(&row) || !locked {
            if row != before {
                tx.unit.payments().update(&row)?;
            }
        } else {
            // Nothing left to charge at the 48-hour instant.
            skip(tx, row)?;
        }
    }
    if !locked {
        // What was given up asks for what its charge would be now: money may have come by hand, or been taken out again.
        let most = deposit.map_or(Money::ZERO, |charge| charge.amount);
        for mut row in rows.iter().filter(|r| r.kind == PaymentKind::Deposit && is_given_up(r)).cloned() {
            if !most.is_positive() {
                skip(tx, row)?;
            } else if row.amount != most {
                row.amount = most;
                tx.unit.payments().update(&row)?;
            }
        }
    }
    // As the loop left them: a 48-hour charge that it skipped is done, and what was given up before is dropped with it.
    let rows = &tx.unit.payments().of_booking(b.id)?;
    let done = lock_done(rows, locked);
    if locked && !done {
        replaced(tx, rows, left)?;
    }
    let rows = &tx.unit.payments().of_booking(b.id)?;
    let mut difference = Money::ZERO;
    // A 48-hour charge that was given up asks for what is owed now; what it does not ask for waits for its end.
    if done || (locked && rows.iter().any(|r| is_lock(r) && is_given_up(r))) {
        let missing = withdraw(tx, b, rows, left)?;
        let rest = given_up(tx, rows, still_to_charge(b, rows, missing), done)?;
        difference = if done { rest } else { Money::ZERO };
    }
    let longer = overtime(b, rows, difference);
    demand(tx, b, rows, PaymentKind::Overtime, longer)?;
    demand(tx, b, rows, PaymentKind::Difference, difference.minus(longer))?;
    give_back(tx, b, rows, left.negated())
}

fn settle_done(tx: &mut Tx<'_>, b: &Booking, rows: &[Payment]) -> ServiceResult<()> {
    let missing = b.due().minus(b.written_off()).minus(net(b, rows));
    let asked = withdraw(tx, b, rows, missing)?;
    replaced(tx, rows, missing)?;
    let rows = &tx.unit.payments().of_booking(b.id)?;
    let rest = given_up(tx, rows, still_to_charge(b, rows, asked), true)?;
    let longer = overtime(b, rows, rest);
    let mut left = rest.minus(longer);
    // A charge on its ladder asks for the rest already. A deposit has no time of its own any more.
    for mut row in rows.iter().filter(|r| is_planned(r) && open(r)).cloned() {
        if row.kind == PaymentKind::Deposit || !left.is_positive() {
            skip(tx, row)?;
        } else {
            if row.amount != left {
                row.amount = left;
                tx.unit.payments().update(&row)?;
            }
            left = Money::ZERO;
        }
    }
    demand(tx, b, rows, PaymentKind::Overtime, longer)?;
    demand(tx, b, rows, PaymentKind::Difference, left)?;
    give_back(tx, b, rows, missing.negated())
}

/// What of `missing` is asked for as overtime: no more than it costs and was not charged as such. What went back of such a
/// charge went back of the whole price.
fn overtime(b: &Booking, rows: &[Payment], missing: Money) -> Money {
    let taken: Money = rows.iter().filter(|r| took(r) && r.kind == PaymentKind::Overtime).map(|r| r.amount).sum();
    b.overtime().minus(taken).max(Money::ZERO).min(missing.max(Money::ZERO))
}

/// More tip than is owed goes back, newest charge first: a booking that will not take place owes
/// none, and a lost tip charge may have been applied after another one.
fn tip(tx: &mut Tx<'_>, b: &Booking, rows: &[Payment]) -> ServiceResult<()> {
    let charges: Vec<&Payment> = rows.iter().filter(|r| took(r) && r.kind == PaymentKind::Tip).collect();
    if charges.is_empty() {
        return Ok(());
    }
    let held: Money = charges.iter().map(|c| c.amount.minus(returned_of(rows, c))).sum();
    let owed = match b.status {
        Status::Cancelled | Status::Deleted => Money::ZERO,
        // Somebody deleted it: no money moves because of that.
        _ => tx.unit.tips().of_booking(b.id)?.map_or(held, |t| t.amount),
    };
    return_from(tx, b, rows, charges, held.minus(owed))?;
    // It went back with a cancellation that was taken back: a move that is done charges it again.
    // What the bank took back of it is not, nor what somebody gave back at the gateway.
    let settled = |r: &Payment| {
        (r.kind == PaymentKind::Tip && (open(r) || is_given_up(r)))
            || ((r.is_chargeback() || r.is_twice()) && is_of_tip(r, rows))
    };
    let asked = rows.iter().any(settled);
    if let (Some(done_at), false) = (b.completed_at.filter(|_| is_done(b)), asked || held.is_positive()) {
        let due = policy::tip_due_at(&b.details.policy, done_at);
        if owed.is_positive() {
            plan(tx, b.id, PaymentKind::Tip, owed, due.max(tx.now))?;
        }
    }
    Ok(())
}

fn is_done(b: &Booking) -> bool {
    matches!(b.status, Status::Completed | Status::Invoiced | Status::Payed)
}

/// Moves the booking's job to the earliest row that wants work. What is at the gateway is looked
/// after in real time, whatever the business clock says.
///
/// # Errors
/// When the database fails.
pub fn wake(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let work = Work::BillBooking { booking_id: b.id };
    let rows = tx.unit.payments().of_booking(b.id)?;
    if let Some(row) = rows.iter().find(|r| in_flight(r)) {
        let sent = tx.unit.payments().attempts_of(row.id)?.into_iter().rev().find(|a| a.state == AttemptState::Sent);
        let sent_at = sent.map_or_else(|| tx.services.wall.now(), |a| a.sent_at);
        return Ok(tx.enqueue_held(&work, lease::next_look(tx.services, sent_at))?);
    }
    match rows.iter().filter(|r| open(r) && !waits_for_consent(b, r)).filter_map(|r| wake_at(b, r)).min() {
        Some(at) => tx.enqueue_at(&work, at)?,
        None => tx.withdraw(&work)?,
    }
    Ok(())
}

/// A deposit is due once its instant has passed, not at it: looking at the instant itself would
/// find nothing to do and look again without end.
fn wake_at(b: &Booking, row: &Payment) -> Option<DateTime<Utc>> {
    let at = next_at(b, row)?;
    Some(if row.kind == PaymentKind::Deposit && row.attempts == 0 {
        at + chrono::Duration::microseconds(1)
    } else {
        at
    })
}

/// Whether nothing of the booking's money is still moving; for tests and lists.
pub fn at_rest(b: &Booking, rows: &[Payment]) -> bool {
    !rows.iter().any(in_flight) && (live(b) || !rows.iter().any(open))
}
