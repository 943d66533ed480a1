//! Queues later look-ups of a charge or refund at the gateway: its first answer may be wrong, lost or early.

use chrono::{DateTime, Duration, Utc};

use crate::{
    ServiceResult, Tx,
    ports::payments::{AttemptState, Payment},
    work::Work,
};

/// When what was given up is looked for, after that instant; reconciliation looks every day besides.
const AFTER_GIVING_UP: [Duration; 6] = [
    Duration::minutes(10),
    Duration::hours(1),
    Duration::hours(6),
    Duration::days(1),
    Duration::days(3),
    Duration::days(10),
];
/// A captured charge may have settled after so long.
const SETTLED_AFTER: Duration = Duration::hours(12);
/// Until it should have settled it is looked at so often; then once a day.
const OFTEN: Duration = Duration::hours(6);
const SHOULD_HAVE_SETTLED: Duration = Duration::hours(36);

/// After so long it has settled at any bank, or somebody was told why not.
pub(super) const LAST_LOOK: Duration = Duration::days(10);

/// Queues the first look for an order id that was given up.
///
/// # Errors
/// When the database fails.
pub fn for_given_up(tx: &mut Tx<'_>, order_id: &str) -> ServiceResult<()> {
    for_given_up_again(tx, order_id, tx.now, 0)
}

/// Queues the look number `look` for an order id that was given up at `given_up`; after the last one, nothing.
///
/// # Errors
/// When the database fails.
pub fn for_given_up_again(tx: &mut Tx<'_>, order_id: &str, given_up: DateTime<Utc>, look: usize) -> ServiceResult<()> {
    let Some(after) = AFTER_GIVING_UP.get(look) else { return Ok(()) };
    let work = Work::WatchOrder { order_id: order_id.to_owned(), given_up, look };
    Ok(tx.enqueue_at(&work, given_up + *after)?)
}

/// Queues the look at a charge that was captured now: a notification of its settlement may be lost.
///
/// # Errors
/// When the database fails.
pub fn at_settlement(tx: &mut Tx<'_>, order_id: &str) -> ServiceResult<()> {
    at_charge(tx, order_id, tx.now + SETTLED_AFTER)
}

/// Queues the next look at a charge that was captured at `captured` and has not settled yet.
///
/// # Errors
/// When the database fails.
pub fn at_settlement_again(tx: &mut Tx<'_>, order_id: &str, captured: DateTime<Utc>) -> ServiceResult<()> {
    let pause = if tx.now < captured + SHOULD_HAVE_SETTLED { OFTEN } else { Duration::days(1) };
    at_charge(tx, order_id, tx.now + pause)
}

/// Queues a look at what became of a captured charge.
///
/// # Errors
/// When the database fails.
pub fn at_charge(tx: &mut Tx<'_>, order_id: &str, at: DateTime<Utc>) -> ServiceResult<()> {
    let work = Work::LookSettlement { order_id: order_id.to_owned() };
    Ok(tx.enqueue_at(&work, at)?)
}

/// Queues the look at a refund that was made now. A notification that its bank did not take it may be lost. One of a whole charge
/// may stand under the order id of that.
///
/// # Errors
/// When the database fails.
pub fn at_settlement_of_refund(tx: &mut Tx<'_>, refund: &Payment, order_id: &str) -> ServiceResult<()> {
    let charge = match refund.refund_of {
        Some(charge) => tx.unit.payments().attempts_of(charge)?.into_iter().find(|a| a.state == AttemptState::Applied),
        None => None,
    };
    // A void is on the charge itself: nothing more becomes of it.
    if charge.as_ref().is_some_and(|c| c.transaction_id == refund.transaction_id) {
        return Ok(());
    }
    at_settlement(tx, order_id)?;
    let whole = charge.filter(|c| c.amount == refund.amount);
    whole.map_or(Ok(()), |charge| at_settlement(tx, &charge.order_id))
}

/// A refund was refused: the bank may have refused its charge meanwhile.
///
/// # Errors
/// When the database fails.
pub fn at_charge_of(tx: &mut Tx<'_>, refund: &Payment) -> ServiceResult<()> {
    let Some(charge) = refund.refund_of else { return Ok(()) };
    let made = tx.unit.payments().attempts_of(charge)?.into_iter().find(|a| a.state == AttemptState::Applied);
    made.map_or(Ok(()), |made| at_charge(tx, &made.order_id, tx.now))
}
