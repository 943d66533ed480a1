//! Attempts that were given up as lost and that the gateway applied after all.
//!
//! An attempt that nobody could find counts as lost once it can no longer arrive, and another may be
//! made. Should the gateway apply the lost one all the same, the money is booked on its booking (and
//! settling returns what is too much), or goes back as a whole when there is no booking. Both happen
//! by themselves and are reported.

use chrono::{DateTime, Utc};
use kernel::Money;
use status_machine::{
    At,
    payment::{Facts, State},
};

use super::{
    facts::{is_given_up, open},
    lease::{self, LeaseAttempt},
    ledger, looks, outcome, returns,
    rows::{self, scheduled, step},
    settle, trouble,
};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    ports::{
        checkouts::{Checkout, CheckoutState},
        facts::TWICE,
        payments::{
            Attempt, AttemptState, GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind, RefundOutcome,
            RefundRequest,
        },
        strays::Stray,
    },
    work::{JobOutcome, Work},
};

/// The job: looks once, and queues the next look.
///
/// # Errors
/// When the gateway cannot be asked or the database fails.
pub async fn watch(s: &Services, order_id: String, given_up: DateTime<Utc>, look: usize) -> ServiceResult<()> {
    let found = s.gateway.find_by_order(&order_id).await.map_err(|e| Error::Internal(format!("look-up: {e}")))?;
    if took_place(&found).is_some() {
        return found_late(s, &order_id, &found).await.map(drop);
    }
    if let Some(charge) = charge_of_refund(s, &order_id).await? {
        let found = s.gateway.find_by_order(&charge).await.map_err(|e| Error::Internal(format!("look-up: {e}")))?;
        if reversed_late(s, &charge, &found).await? {
            return Ok(());
        }
    }
    s.write(Actor::system(), move |tx| looks::for_given_up_again(tx, &order_id, given_up, look + 1)).await
}

/// A refund that somebody made of a charge has its order id: the charge is what took place.
pub(super) fn took_place(found: &[GatewayTransaction]) -> Option<&GatewayTransaction> {
    let made = || found.iter().filter(|t| matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled));
    made().find(|t| t.kind == GatewayKind::Charge).or_else(|| made().next())
}

/// The order id of the charge that a refund was to return.
async fn charge_of_refund(s: &Services, order_id: &str) -> ServiceResult<Option<String>> {
    let order = order_id.to_owned();
    s.store
        .read(move |u| {
            let Some(attempt) = u.payments().attempt(&order)? else { return Ok(None) };
            let Some(charge) = u.payments().get(attempt.payment_id)?.and_then(|refund| refund.refund_of) else {
                return Ok(None);
            };
            let made = u.payments().attempts_of(charge)?.into_iter().find(|a| a.state == AttemptState::Applied);
            Ok::<_, Error>(made.map(|a| a.order_id))
        })
        .await
}

/// A whole charge that a refund reversed leaves nothing under the refund's own order id: the charge tells.
/// Books it when that refund had been given up. `found` is what the gateway lists under the charge's order
/// id. False: there is no such refund.
///
/// # Errors
/// When the database fails.
pub async fn reversed_late(s: &Services, charge_order: &str, found: &[GatewayTransaction]) -> ServiceResult<bool> {
    let (order, found) = (charge_order.to_owned(), found.to_vec());
    let booked = s.write(Actor::system(), move |tx| book_reversed(tx, &order, &found)).await?;
    if let Some(order) = &booked {
        tracing::error!(order, "a refund that had been given up was made late; it is booked");
    }
    Ok(booked.is_some())
}

/// The same within a unit of work: the order id of the refund that was booked.
pub(super) fn book_reversed(
    tx: &mut Tx<'_>,
    charge_order: &str,
    found: &[GatewayTransaction],
) -> ServiceResult<Option<String>> {
    let Some(charge) = tx.unit.payments().attempt(charge_order)? else { return Ok(None) };
    let Some(row) = tx.unit.payments().get(charge.payment_id)? else { return Ok(None) };
    let rows = tx.unit.payments().of_booking(row.booking_id)?;
    let (mut tried, mut known) = (Vec::new(), Vec::new());
    for mut refund in rows.into_iter().filter(|r| r.refund_of == Some(row.id)) {
        // A refund that was sent carries the gateway's key of its charge until it has its own.
        refund.transaction_id.clone_from(&row.transaction_id);
        let attempts = tx.unit.payments().attempts_of(refund.id)?;
        let applied = attempts.iter().filter(|a| a.state == AttemptState::Applied);
        known.extend(applied.filter_map(|a| a.transaction_id.clone()));
        tried.push((refund, attempts));
    }
    // A transaction that is already on record is not booked again.
    let new: Vec<GatewayTransaction> = found.iter().filter(|t| !known.contains(&t.id)).cloned().collect();
    let mut lost = None;
    for (refund, attempts) in tried {
        // What returned it is known already.
        if attempts.iter().any(|a| a.state == AttemptState::Applied) {
            continue;
        }
        let undoes = |a: &Attempt| {
            let id = (a.state == AttemptState::Lost).then(|| outcome::undone(&new, &refund, a)).flatten()?;
            Some((a.clone(), id))
        };
        if let Some((attempt, id)) = attempts.iter().find_map(undoes) {
            lost = Some((attempt, refund, id));
        }
    }
    let Some((attempt, refund, id)) = lost else { return Ok(None) };
    let (order, found) = (attempt.order_id.clone(), LateTransaction { id, amount: attempt.amount });
    Ok(on_booking(tx, attempt, refund, &found)?.then_some(order))
}

/// A gateway transaction that was applied after its attempt had been given up.
struct LateTransaction {
    /// Gateway key.
    id: String,
    amount: Money,
}

/// Books what was found under an order id that had been given up. False: it was not given up.
///
/// # Errors
/// When the database fails.
pub async fn found_late(s: &Services, order_id: &str, found: &[GatewayTransaction]) -> ServiceResult<bool> {
    let Some(t) = took_place(found).map(|t| LateTransaction { id: t.id.clone(), amount: t.amount }) else {
        return Ok(false);
    };
    let order = order_id.to_owned();
    let booked = s.write(Actor::system(), move |tx| book(tx, &order, &t)).await?;
    if booked {
        tracing::error!(
            order = order_id,
            "a charge that had been given up was applied late; it is booked or goes back"
        );
    }
    Ok(booked)
}

/// The same within a unit of work.
pub(super) fn book_found(tx: &mut Tx<'_>, order: &str, found: &[GatewayTransaction]) -> ServiceResult<bool> {
    match took_place(found) {
        Some(t) => book(tx, order, &LateTransaction { id: t.id.clone(), amount: t.amount }),
        None => Ok(false),
    }
}

fn book(tx: &mut Tx<'_>, order: &str, t: &LateTransaction) -> ServiceResult<bool> {
    if let Some(attempt) = tx.unit.payments().attempt(order)? {
        let Some(payment) = tx.unit.payments().get(attempt.payment_id)? else {
            return Err(Error::Internal(format!("the attempt {order} has no payment")));
        };
        let fact = format!("{}:{order}", ledger::word(payment.kind));
        if !tx.unit.books().moved_at_gateway(&[fact])?.is_empty() {
            // The ledger has it already: the money is not late, the attempt was changed.
            return Ok(false);
        }
        return on_booking(tx, attempt, payment, t);
    }
    match tx.unit.checkouts().by_order(order)? {
        Some(checkout) if checkout.state == CheckoutState::Abandoned => for_checkout(tx, &checkout, t),
        _ => Ok(false),
    }
}

/// The payment itself when it still waits, else one more row beside it.
fn on_booking(tx: &mut Tx<'_>, attempt: Attempt, payment: Payment, t: &LateTransaction) -> ServiceResult<bool> {
    let Some(mut booking) = tx.unit.bookings().lock(payment.booking_id)? else { return Ok(false) };
    // Read again under the lock: somebody may have booked it meanwhile.
    let Some(payment) = tx.unit.payments().get(payment.id)? else { return Ok(false) };
    let given_up = |a: &Attempt| match *a.state {
        AttemptState::Lost => true,
        // A refund that the gateway refused may be made all the same.
        AttemptState::NotApplied => payment.kind == PaymentKind::Refund,
        _ => false,
    };
    let Some(mut attempt) = tx.unit.payments().attempt(&attempt.order_id)?.filter(given_up) else { return Ok(false) };
    // Somebody gave the money back by hand meanwhile: the customer has it twice, which is the staff's to settle.
    let twice = payment.kind == PaymentKind::Refund && payment.method.is_by_hand() && payment.settled_at.is_some();
    let sent = Facts { at_gateway: true, ..Facts::default() };
    // A refund that the gateway had refused is made: nothing of it is left to be given once more.
    let refused = payment.kind == PaymentKind::Refund && is_given_up(&payment);
    let row = if (open(&payment) || refused) && payment.amount == t.amount {
        let mut waiting = payment;
        step(&mut waiting, State::Processing, &sent)?;
        waiting
    } else {
        let mut extra = scheduled(tx, booking.id, payment.kind, t.amount, tx.now);
        // Not open: at most one tip may be.
        step(&mut extra, State::Processing, &sent)?;
        step(&mut extra, State::Captured, &sent)?;
        extra.refund_of = payment.refund_of;
        extra.reference = twice.then(|| TWICE.to_owned());
        tx.unit.payments().insert(&extra)?;
        extra
    };
    rows::end(&mut attempt, AttemptState::Applied)?;
    attempt.payment_id = row.id;
    attempt.transaction_id = Some(t.id.clone());
    attempt.resolved_at = Some(tx.now);
    tx.unit.payments().resolve_attempt(&attempt)?;
    outcome::applied(tx, &mut booking, row, &attempt, t.id.clone())?;
    settle::settle(tx, &mut booking)?;
    if twice {
        trouble::problem(tx, &mut booking)?;
    } else {
        trouble::solved(tx, &mut booking)?;
    }
    Ok(true)
}

fn for_checkout(tx: &mut Tx<'_>, c: &Checkout, t: &LateTransaction) -> ServiceResult<bool> {
    if let Some(mut booking) = tx.unit.bookings().lock(c.subject)? {
        // The edit was given up, its booking stands: the money is the booking's.
        let mut row = scheduled(tx, booking.id, PaymentKind::Difference, t.amount, tx.now);
        let sent = Facts { at_gateway: true, ..Facts::default() };
        step(&mut row, State::Processing, &sent)?;
        step(&mut row, State::Captured, &sent)?;
        tx.unit.payments().insert(&row)?;
        let attempt = Attempt {
            order_id: c.order_id.clone(),
            payment_id: row.id,
            number: 1,
            amount: t.amount,
            method_id: String::new(),
            state: At::applied(),
            transaction_id: Some(t.id.clone()),
            code: None,
            created_at: c.created_at,
            sent_at: c.sent_at,
            resolved_at: Some(tx.now),
        };
        tx.unit.payments().insert_attempt(&attempt)?;
        outcome::applied(tx, &mut booking, row.clone(), &attempt, t.id.clone())?;
        returns::send_back_early(tx, &booking, &row)?;
        settle::settle(tx, &mut booking)?;
        return Ok(true);
    }
    let stray = Stray {
        order_id: c.order_id.clone(),
        checkout_id: c.booking_id,
        transaction_id: t.id.clone(),
        amount: t.amount,
        found_at: tx.now,
        returned_at: None,
        return_id: None,
    };
    let added = tx.unit.strays().add(&stray)?;
    if added {
        tx.enqueue(&Work::ReturnStray { order_id: c.order_id.clone() })?;
    }
    Ok(added)
}

/// The order id under which a stray charge goes back.
pub fn return_order(order_id: &str) -> String {
    format!("{order_id}-return")
}

/// The order id of the charge that goes back under this one.
pub(super) fn returned_by(order_id: &str) -> Option<&str> {
    order_id.strip_suffix("-return")
}

/// The job: gives a stray charge back as a whole. Sending that twice is harmless: the gateway
/// gives back no more than it took, and the whole is what it took.
///
/// # Errors
/// When it could not be given back yet (the job is tried again).
pub async fn give_back(s: &Services, order_id: String) -> ServiceResult<JobOutcome> {
    let wanted = order_id.clone();
    let stray = s.store.read(move |u| u.strays().get(&wanted).map_err(Error::from)).await?;
    let Some(stray) = stray.filter(|s| s.returned_at.is_none()) else { return Ok(JobOutcome::Done) };
    let lease = match lease::ask(s, stray.checkout_id).await? {
        LeaseAttempt::Busy(until) => return Ok(JobOutcome::Later(until)),
        LeaseAttempt::Mine(lease) => lease,
    };
    let ended = lease.during(s, return_now(s, stray)).await;
    lease.give_back(s).await?;
    ended
}

/// The gateway's transaction by which a stray charge is no money of ours any more.
pub(super) fn is_back(stray: &Stray, t: &GatewayTransaction) -> bool {
    match &t.kind {
        // Refused at its settlement it took nothing in the end.
        GatewayKind::Charge => {
            t.id == stray.transaction_id && matches!(t.status, GatewayStatus::Voided | GatewayStatus::Declined)
        }
        GatewayKind::Refund { of } => {
            *of == stray.transaction_id && matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled)
        }
    }
}

async fn return_now(s: &Services, stray: Stray) -> ServiceResult<JobOutcome> {
    let charge =
        s.gateway.find_by_order(&stray.order_id).await.map_err(|e| Error::Internal(format!("look-up: {e}")))?;
    let back = s
        .gateway
        .find_by_order(&return_order(&stray.order_id))
        .await
        .map_err(|e| Error::Internal(format!("look-up: {e}")))?;
    let id = match charge.iter().chain(&back).find(|t| is_back(&stray, t)) {
        Some(t) => t.id.clone(),
        None => {
            let request = RefundRequest {
                order_id: return_order(&stray.order_id),
                transaction_id: stray.transaction_id.clone(),
                amount: stray.amount,
                full: true,
            };
            match s.gateway.refund(&request).await {
                Ok(RefundOutcome::Refunded { refund_id }) => refund_id,
                Ok(RefundOutcome::Voided { transaction_id }) => transaction_id,
                Ok(RefundOutcome::NotSettledYet) => {
                    return Err(Error::Internal("a stray charge has not settled yet".into()));
                }
                Ok(RefundOutcome::Refused { message, .. }) => {
                    return Err(Error::Internal(format!("a stray charge cannot be returned: {message}")));
                }
                Err(e) => return Err(Error::Internal(format!("a stray charge could not be returned: {e}"))),
            }
        }
    };
    let (order, amount) = (stray.order_id.clone(), stray.amount);
    s.write(Actor::system(), move |tx| tx.unit.strays().returned(&stray.order_id, &id, tx.now).map_err(Error::from))
        .await?;
    tracing::error!(order, %amount, "a charge that belonged to no booking was returned");
    Ok(JobOutcome::Done)
}
