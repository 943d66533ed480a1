//! What has happened to a booking's money, as the policy crate wants to know it.

use chrono::{DateTime, Duration, Utc};
use kernel::Money;
use policy::PaymentPlan;
use status_machine::{booking::Status, payment::State};

use crate::{
    ServiceResult,
    ports::{
        Unit,
        bookings::Booking,
        credits::{Credit, CreditKind},
        payments::{Payment, PaymentKind},
    },
};

/// States of a row whose money moved.
pub const MADE: [State; 5] =
    [State::Captured, State::Settled, State::PartiallyRefunded, State::Refunded, State::ChargedBack];

/// What the attempt of such a charge says as its code.
pub const SETTLEMENT_DECLINED: &str = "settlement_declined";

/// Marks a refund of the whole charge in its attempt.
pub const FULL: &str = "full";
/// What a refund says that its bank did not take.
pub const NOT_TAKEN: &str = "the bank did not take the refund";
/// What a charge says that the bank refused when it settled.
pub const REFUSED: &str = "the bank refused the charge when it settled";
/// What a charge says that had no card.
pub const NO_CARD: &str = "no usable card is stored";
/// What a charge says of which no answer ever came.
pub const NEVER_ANSWERED: &str = "the payment service never answered";
/// What a charge says that staff undid.
pub const VOIDED: &str = "undone by staff";

/// The code of Portage's own message about a payment that was not made; none for a message of the bank.
pub fn code_of_own_message(message: &str) -> Option<&'static str> {
    Some(match message {
        NOT_TAKEN => "refund_declined",
        REFUSED => SETTLEMENT_DECLINED,
        NO_CARD => "no_card",
        NEVER_ANSWERED => "never_answered",
        VOIDED => "voided",
        _ => return None,
    })
}

/// Why a booking is cancelled whose 48-hour charge could not be made.
pub const UNPAID: &str = "payment_failed";

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

/// A card may be charged for it: a tip, or any other charge while its booking owes something. It was cancelled, or paid in
/// another way, otherwise.
pub fn may_be_charged(b: &Booking, rows: &[Payment], row: &Payment) -> bool {
    row.kind.is_charge() && (row.kind == PaymentKind::Tip || owed(b, rows).is_positive())
}

/// What is due by now: of a move to come that is paid by card only what its plan has asked for, so that nobody reads as a
/// debt what falls due later; of one that is paid by hand everything from its 48-hour instant on.
pub fn owed_by_now(b: &Booking, rows: &[Payment], now: DateTime<Utc>) -> Money {
    let owed = owed(b, rows);
    if !live(b) || now >= lock_at(b) {
        return owed;
    }
    let asks = |r: &&Payment| r.kind.is_charge() && r.kind != PaymentKind::Tip && (open(r) || is_given_up(r));
    rows.iter().filter(asks).filter(|r| r.due_at <= now).map(|r| r.amount).sum::<Money>().min(owed)
}

/// Some of what is owed is charged by itself, now or later.
pub fn is_charged_by_itself(rows: &[Payment]) -> bool {
    rows.iter().any(|r| r.kind.is_charge() && r.kind != PaymentKind::Tip && (open(r) || in_flight(r)))
}

/// What is owed and no row of ours charges, now or later: people ask for it, or nobody does.
pub fn owed_apart(b: &Booking, rows: &[Payment]) -> Money {
    let asks = |r: &&Payment| r.kind.is_charge() && r.kind != PaymentKind::Tip && (open(r) || in_flight(r));
    let asked: Money = rows.iter().filter(asks).map(|r| r.amount).sum();
    owed(b, rows).minus(asked).max(Money::ZERO)
}

/// The stored card is charged for all of it by itself. What went back by another hand than ours, or no card could pay, is
/// charged by nothing of ours.
pub fn is_asked_otherwise(b: &Booking, rows: &[Payment]) -> bool {
    !b.details.paid_by.is_by_hand() && is_charged_by_itself(rows) && !owed_apart(b, rows).is_positive()
}

/// Whether a payment link has something to ask for.
pub fn may_be_sent(b: &Booking, rows: &[Payment]) -> bool {
    !is_asked_otherwise(b, rows) && asked_by_link(b, rows).is_positive()
}

/// What a payment link asks for: all that is owed, but for what the card will be charged for in its time. What a card was
/// asked for in vain, or what waits for its customer's yes, can be paid so as well.
pub fn asked_by_link(b: &Booking, rows: &[Payment]) -> Money {
    let planned: Money = to_come(b, rows).map(|r| r.amount).sum();
    owed(b, rows).minus(planned).max(Money::ZERO)
}

/// What the card will be charged for in its time.
pub fn to_come<'a>(b: &'a Booking, rows: &'a [Payment]) -> impl Iterator<Item = &'a Payment> {
    rows.iter().filter(move |r| {
        let planned = r.attempts == 0 && (open(r) || in_flight(r)) && !waits_for_consent(b, r);
        planned && r.kind.is_charge() && r.kind != PaymentKind::Tip
    })
}

/// What was returned of a charge, or will be.
pub fn returned_of(rows: &[Payment], charge: &Payment) -> Money {
    rows.iter().filter(|r| returned(r) && r.refund_of == Some(charge.id)).map(|r| r.amount).sum()
}

/// What a charge still holds: what it took, less what was returned of it, or will be. Nothing while the bank has it for
/// a dispute, after the bank gave it back, or if it took nothing in the end.
pub fn still_held(rows: &[Payment], charge: &Payment) -> Money {
    if !took(charge) || *charge.state == State::ChargedBack {
        return Money::ZERO;
    }
    charge.amount.minus(returned_of(rows, charge)).max(Money::ZERO)
}

/// The charge of a refund that the gateway refused still holds so much.
pub fn can_go_back(rows: &[Payment], refused: &Payment) -> bool {
    rows.iter().any(|c| Some(c.id) == refused.refund_of && refused.amount <= still_held(rows, c))
}

/// A refund that is under way or that somebody has to hand over: its instant comes, or the gateway refused it and the money
/// is still held.
pub fn is_to_go_back(rows: &[Payment]) -> bool {
    let waits = |r: &Payment| open(r) || in_flight(r) || (is_given_up(r) && can_go_back(rows, r));
    rows.iter().any(|r| r.kind == PaymentKind::Refund && waits(r))
}

/// A refund that staff gave of a move that takes place, and that the gateway refused. It is given all the same, at *Failed
/// charges*: no charge is smaller because of it. It ends with its charge: where the bank took that back, or it went back
/// otherwise, nothing is left to give back.
pub fn is_promised(b: &Booking, rows: &[Payment], row: &Payment) -> bool {
    let ended = matches!(b.status, Status::Cancelled | Status::Deleted);
    row.kind == PaymentKind::Refund
        && row.state == State::Failed
        && !row.method.is_by_hand()
        && !ended
        && is_credited(b, row)
        && can_go_back(rows, row)
}

/// What is held for the move less what goes back, as it is planned with.
pub fn net(b: &Booking, rows: &[Payment]) -> Money {
    let promised: Money = rows.iter().filter(|r| is_promised(b, rows, r)).map(|r| r.amount).sum();
    captured(rows).minus(refunded(rows)).minus(promised)
}

/// What a cancellation gave back, and what staff gave back of its booking. What left by another hand than ours counts as far
/// as it was to go back; of what is kept it is owed.
pub fn returned_by_us(b: &Booking, rows: &[Payment]) -> Money {
    sent_back(rows, b.retained(), Money::ZERO)
}

/// The same once a cancellation has kept and given back so much: what its preview says is what the record says afterwards.
pub fn returned_after(b: &Booking, rows: &[Payment], kept: Money, refund: Money) -> Money {
    let mut ended = Booking { status: Status::Cancelled, ..b.clone() };
    ended.details.kept = Some(kept);
    // A refund that has not left is withdrawn where more is kept than is held.
    let waits = |r: &&Payment| r.kind == PaymentKind::Refund && open(r) && !is_of_tip(r, rows) && !r.is_void();
    let waiting: Money = rows.iter().filter(waits).map(|r| r.amount).sum();
    let missing = ended.retained().minus(ended.written_off()).minus(net(&ended, rows)).max(Money::ZERO);
    sent_back(rows, ended.retained(), refund.minus(missing.min(waiting)))
}

/// What of a payment by hand never came.
pub fn taken_out(rows: &[Payment], charge: &Payment) -> Money {
    if charge.kind == PaymentKind::Tip {
        return Money::ZERO;
    }
    rows.iter().filter(|r| r.is_taken_out() && r.refund_of == Some(charge.id)).map(|r| r.amount).sum()
}

/// A payment by hand that was written down by mistake as a whole, or the refund that takes one out of the books.
pub fn never_came(rows: &[Payment], row: &Payment) -> bool {
    row.is_taken_out() || (row.kind.is_charge() && row.amount.is_positive() && taken_out(rows, row) == row.amount)
}

/// What went back where so much is retained, and so much more is given back.
fn sent_back(rows: &[Payment], retained: Money, more: Money) -> Money {
    let stands = |r: &&Payment| {
        r.kind == PaymentKind::Refund && !r.is_taken_out() && !matches!(*r.state, State::Skipped | State::Voided)
    };
    let other = |r: &Payment| r.is_chargeback() || r.is_twice() || r.is_void();
    let sum = |wanted: &dyn Fn(&Payment) -> bool| -> Money {
        rows.iter().filter(stands).filter(|r| wanted(r)).map(|r| r.amount).sum()
    };
    let of_tips = sum(&|r| is_of_tip(r, rows));
    let ours = sum(&|r| !is_of_tip(r, rows) && !other(r)).plus(more);
    let others = sum(&|r| !is_of_tip(r, rows) && other(r));
    // What people paid since something left came for that.
    let since = rows.iter().filter(|r| other(r) && !is_of_tip(r, rows)).filter_map(|r| r.settled_at).min();
    let later = |r: &&Payment| since.is_some_and(|since| r.settled_at.is_some_and(|at| at >= since));
    let came = |r: &&Payment| took(r) && r.kind != PaymentKind::Tip && (r.method.is_by_hand() || r.is_by_link());
    let again: Money = rows.iter().filter(came).filter(later).map(|r| r.amount.minus(taken_out(rows, r))).sum();
    let never_came: Money = rows.iter().map(|r| taken_out(rows, r)).sum();
    let room = captured(rows).minus(never_came).minus(again).minus(retained).minus(ours).max(Money::ZERO);
    ours.plus(others.min(room)).plus(of_tips)
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
    let history = u.booking_history().status_history(b.id)?;
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

/// What had come by hand when the deposit was charged: the deposit was charged without it, so that both together are the
/// part of the price that a cancellation keeps, however it was paid. What was taken out never came, and what a cancellation
/// or a change gave back until `until` is not kept. What staff gave back counts: [`deposit_left`] takes it off, whether
/// somebody has handed it over yet or not.
pub fn came_before(b: &Booking, rows: &[Payment], deposit_at: DateTime<Utc>, until: DateTime<Utc>) -> Money {
    let came = |r: &&Payment| {
        took(r)
            && r.kind != PaymentKind::Tip
            && r.method.is_by_hand()
            && r.settled_at.is_some_and(|at| at <= deposit_at)
    };
    let not_kept = |charge: &Payment| -> Money {
        let back = |r: &&Payment| r.refund_of == Some(charge.id) && r.settled_at.is_some_and(|at| at <= until);
        rows.iter().filter(back).filter(|r| r.is_taken_out() || !is_credited(b, r)).map(|r| r.amount).sum()
    };
    rows.iter().filter(came).map(|r| r.amount.minus(not_kept(r)).max(Money::ZERO)).sum()
}

/// Staff undid the charge before it settled: what it was for is owed still, as if it had been declined.
pub fn is_undone(rows: &[Payment], charge: &Payment) -> bool {
    rows.iter().any(|r| r.is_void() && returned(r) && r.refund_of == Some(charge.id))
}

/// A refund of the price that staff gave, and that stands.
fn is_credited(b: &Booking, refund: &Payment) -> bool {
    let given =
        |c: &Credit| c.kind == CreditKind::Refund && !c.ended && !c.of_cancellation && c.at == refund.created_at;
    b.details.credits.iter().any(given)
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
        // A refund that the gateway refused goes back all the same.
        refunded: captured(rows).minus(net(b, rows)),
        deposit_captured: rows
            .iter()
            .find(|r| r.kind == PaymentKind::Deposit && took(r) && !is_undone(rows, r))
            .map(|r| (r.amount, came_before(b, rows, r.settled_at.unwrap_or(r.due_at), DateTime::<Utc>::MAX_UTC)))
            .map(|(taken, came)| deposit_left(b, taken.plus(came))),
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
    // One that staff undid is to be made again, as long as its row asks for it.
    let again = rows.iter().any(|r| is_lock(r) && (open(r) || in_flight(r) || is_given_up(r)));
    if rows.iter().any(|r| is_lock(r) && took(r) && !(again && is_undone(rows, r))) {
        return true;
    }
    lock_entered && lock.peek().is_some() && lock.all(|r| r.state == State::Skipped)
}

/// Balance or full.
pub fn is_lock(row: &Payment) -> bool {
    matches!(row.kind, PaymentKind::Balance | PaymentKind::Full)
}

/// A charge of the move that is not made until the customer agrees that money which went back is charged again. A tip
/// and overtime were agreed to by themselves.
pub fn waits_for_consent(b: &Booking, row: &Payment) -> bool {
    b.details.charges_wait.is_some()
        && row.kind.is_charge()
        && !matches!(row.kind, PaymentKind::Tip | PaymentKind::Overtime)
}

/// The day of a charge that was not tried yet, as the policy has it: nobody can move it by its row. Of a charge that the policy
/// has no day for, the one that it was planned for.
pub fn day_of(b: &Booking, row: &Payment) -> DateTime<Utc> {
    let policy = &b.details.policy;
    let day = match row.kind {
        PaymentKind::Balance | PaymentKind::Full => lock_at(b),
        PaymentKind::Deposit => policy.free_window.after(b.created_at),
        PaymentKind::Tip => b.completed_at.map_or(row.due_at, |done| policy::tip_due_at(policy, done)),
        _ => return row.due_at,
    };
    day.max(row.created_at)
}

/// The instant for a row that is to be charged at once: a deposit is due when its instant has passed, not at it.
pub fn due_now(now: DateTime<Utc>) -> DateTime<Utc> {
    now - Duration::microseconds(1)
}

/// When something is done about a row next; none when nothing is. A deposit that was not tried yet waits for the day of the policy,
/// whatever its row reads.
pub fn next_at(b: &Booking, row: &Payment) -> Option<DateTime<Utc>> {
    let at = row.next_attempt_at?;
    let first = row.kind == PaymentKind::Deposit && row.attempts == 0;
    Some(if first { at.max(day_of(b, row)) } else { at })
}
