//! Later looks at the gateway, queued by whoever sends money: an answer may be wrong, lost or early.

use chrono::{DateTime, Duration, Utc};

use crate::{
    Error, ServiceResult, Services,
    ports::{
        Unit,
        payments::{AttemptState, Payment},
    },
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
/// A captured charge should have settled after so long.
const SETTLED_AFTER: Duration = Duration::hours(36);

/// Queues the first look for an order id that was given up.
///
/// # Errors
/// When the database fails.
pub fn for_given_up(u: &mut dyn Unit, s: &Services, order_id: &str, now: DateTime<Utc>) -> ServiceResult<()> {
    for_given_up_again(u, s, order_id, now, 0)
}

/// Queues the look number `look` for an order id that was given up at `given_up`; after the last one, nothing.
///
/// # Errors
/// When the database fails.
pub fn for_given_up_again(
    u: &mut dyn Unit,
    s: &Services,
    order_id: &str,
    given_up: DateTime<Utc>,
    look: usize,
) -> ServiceResult<()> {
    let Some(after) = AFTER_GIVING_UP.get(look) else { return Ok(()) };
    let work = Work::WatchOrder { order_id: order_id.to_owned(), given_up, look };
    u.jobs().enqueue(&work.at(s, given_up + *after)).map_err(Error::from)
}

/// Queues the look at a charge that was captured now: a notification of its settlement may be lost.
///
/// # Errors
/// When the database fails.
pub fn at_settlement(u: &mut dyn Unit, s: &Services, order_id: &str, now: DateTime<Utc>) -> ServiceResult<()> {
    at_charge(u, s, order_id, now + SETTLED_AFTER)
}

/// Queues a look at what became of a captured charge.
///
/// # Errors
/// When the database fails.
pub fn at_charge(u: &mut dyn Unit, s: &Services, order_id: &str, at: DateTime<Utc>) -> ServiceResult<()> {
    let work = Work::LookSettlement { order_id: order_id.to_owned() };
    u.jobs().enqueue(&work.at(s, at)).map_err(Error::from)
}

/// A refund was refused: the bank may have refused its charge meanwhile.
///
/// # Errors
/// When the database fails.
pub fn at_charge_of(u: &mut dyn Unit, s: &Services, refund: &Payment, now: DateTime<Utc>) -> ServiceResult<()> {
    let Some(charge) = refund.refund_of else { return Ok(()) };
    let made = u.payments().attempts_of(charge)?.into_iter().find(|a| a.state == AttemptState::Applied);
    made.map_or(Ok(()), |made| at_charge(u, s, &made.order_id, now))
}
