//! Sends due charges and refunds to the gateway: intent, call, result.

use chrono::{DateTime, Duration, Utc};
use kernel::BookingId;
use status_machine::{
    At, Role,
    booking::Status,
    payment::{Facts, State},
};

use super::{
    doubts::{self, Doubt},
    facts::{FULL, in_flight, is_lock, next_at, open, took, waits_for_consent},
    history::held_back,
    lease::{self, Lease, LeaseAttempt},
    order_id,
    outcome::{self, Outcome, outcome_at_gateway, undone},
    rows::{charge_kind, step_as},
    settle,
};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    ports::{
        Unit,
        bookings::Booking,
        cards::Card,
        decline::DeclineReason,
        payments::{
            Attempt, AttemptState, ChargeOutcome, ChargeRequest, GatewayError, GatewayTransaction, Initiator, Payment,
            PaymentKind, RefundRequest,
        },
    },
    work::JobOutcome,
};

/// The next thing to do at the gateway.
enum Step {
    /// Nothing is due.
    Rest,
    /// A checkout of this booking is at the gateway: come back at this instant of real time.
    Wait(DateTime<Utc>),
    /// An intent without a result exists: look, never send it again.
    LookUp(Box<Work>),
    /// A fresh intent was written: send it.
    Send(Box<Work>),
    /// Something would move, and the payment service has money of this booking otherwise than we do: look whether that is so yet.
    Doubt(Vec<Doubt>),
    /// Decided without the gateway (no usable card); go on with the next.
    Decided,
}

/// One intent.
struct Work {
    payment: Payment,
    attempt: Attempt,
    /// For a refund: the order id of the charge it returns.
    charge_order: Option<String>,
}

/// Charges and refunds everything of one booking that is due now, unless somebody else does.
///
/// # Errors
/// When the database fails.
pub async fn run(s: &Services, id: BookingId) -> ServiceResult<JobOutcome> {
    match lease::ask(s, id).await? {
        LeaseAttempt::Busy(until) => Ok(JobOutcome::Later(until)),
        LeaseAttempt::Mine(lease) => owned(s, id, lease).await,
    }
}

/// As [`run`], by who has the lease already; it is given back at the end.
///
/// # Errors
/// When the database fails.
pub async fn owned(s: &Services, id: BookingId, lease: Lease) -> ServiceResult<JobOutcome> {
    let ran = lease.during(s, work(s, id, &lease)).await;
    // After an error it is not given back by the work itself.
    lease.give_back(s).await?;
    ran
}

async fn work(s: &Services, id: BookingId, lease: &Lease) -> ServiceResult<JobOutcome> {
    // A booking never has more due rows than this; the bound turns a defect into a dead job.
    for _ in 0..32 {
        let owner = lease.clone();
        let step = s.write(Actor::system(), move |tx| next(tx, id, &owner)).await?;
        let (work, outcome) = match step {
            Step::Rest => return Ok(JobOutcome::Done),
            Step::Wait(until) => return Ok(JobOutcome::Later(until)),
            Step::Decided => continue,
            Step::Doubt(doubts) => {
                let why = match doubts::remaining(s, doubts).await {
                    Ok(None) => continue,
                    Ok(Some(why)) => why,
                    // Not known is no reason to charge.
                    Err(failure) => {
                        tracing::warn!(booking = %id, error = %failure, "what differs was not looked at again");
                        "not_asked"
                    }
                };
                let owner = lease.clone();
                s.write(Actor::system(), move |tx| hold_back(tx, id, &owner, why)).await?;
                return Ok(JobOutcome::Done);
            }
            Step::Send(work) => {
                let outcome = send(s, &work).await;
                (work, outcome)
            }
            Step::LookUp(work) => {
                let outcome = look_up(s, &work).await;
                (work, outcome)
            }
        };
        let until = matches!(outcome, Outcome::Unknown(_)).then(|| lease::next_look(s, work.attempt.sent_at));
        s.write(Actor::system(), move |tx| outcome::record(tx, id, &work.payment, work.attempt, outcome)).await?;
        if let Some(until) = until {
            return Ok(JobOutcome::Later(until));
        }
    }
    Err(Error::Internal(format!("booking {id} has too many due charges")))
}

/// What became of an intent whose answer never came. That the gateway does not list it proves
/// nothing while it may still be on its way.
async fn look_up(s: &Services, work: &Work) -> Outcome {
    // Asked before the gateway is: what is dead now cannot be applied while it answers.
    let dead = lease::is_dead(s, work.attempt.sent_at);
    let known = match s.gateway.find_by_order(&work.attempt.order_id).await {
        Ok(known) => known,
        Err(e) => return Outcome::Unknown(format!("look-up: {e}")),
    };
    if let Some(outcome) = outcome_at_gateway(&known) {
        return outcome;
    }
    if let Some(order) = &work.charge_order {
        match s.gateway.find_by_order(order).await {
            Ok(charge) => {
                if let Some(transaction_id) = undone(&charge, &work.payment, &work.attempt) {
                    return Outcome::Applied { transaction_id };
                }
            }
            Err(e) => return Outcome::Unknown(format!("look-up of the charge: {e}")),
        }
    }
    if dead { Outcome::Lost } else { Outcome::Unknown("not listed at the gateway yet".into()) }
}

async fn send(s: &Services, work: &Work) -> Outcome {
    let (payment, attempt) = (&work.payment, &work.attempt);
    if lease::too_late_to_send(s, attempt.sent_at) {
        return Outcome::NotDone { why: "it was not sent in time".into(), wait: Duration::zero() };
    }
    match payment.kind {
        PaymentKind::Refund => {
            let Some(charge) = payment.transaction_id.clone() else {
                return Outcome::Refused("the refund names no charge".into());
            };
            let full = attempt.code.as_deref() == Some(FULL);
            let request = RefundRequest {
                order_id: attempt.order_id.clone(),
                transaction_id: charge,
                amount: attempt.amount,
                full,
            };
            Outcome::of_refund(s.gateway.refund(&request).await)
        }
        PaymentKind::Goodwill | PaymentKind::Claim => Outcome::Refused("no card is charged for it".into()),
        PaymentKind::Deposit
        | PaymentKind::Balance
        | PaymentKind::Full
        | PaymentKind::Difference
        | PaymentKind::Tip
        | PaymentKind::Overtime
        | PaymentKind::CancellationFee => {
            let request = ChargeRequest {
                order_id: attempt.order_id.clone(),
                method_id: attempt.method_id.clone(),
                amount: attempt.amount,
                tax: None,
                initiator: Initiator::Merchant,
            };
            Outcome::of_charge(s.gateway.charge(&request).await)
        }
    }
}

/// So long after it is looked again whether that was put right; which also looks at once.
const HELD_BACK: chrono::Duration = chrono::Duration::hours(1);

fn next(tx: &mut Tx<'_>, id: BookingId, lease: &Lease) -> ServiceResult<Step> {
    let Some(mut booking) = tx.unit.bookings().lock(id)? else {
        lease.end(tx)?;
        return Ok(Step::Rest);
    };
    lease.hold(tx)?;
    // Under the lock: what was changed before it was changed earlier.
    tx.look_at_clock();
    if let Some(checkout) = tx.unit.checkouts().of_subject(id)? {
        return Ok(Step::Wait(lease::next_look(tx.services, checkout.sent_at)));
    }
    let rows = tx.unit.payments().of_booking(id)?;
    if let Some(row) = rows.iter().find(|r| in_flight(r)) {
        let attempt = tx.unit.payments().attempts_of(row.id)?.into_iter().rev().find(|a| a.state == AttemptState::Sent);
        let Some(attempt) = attempt else {
            return Err(Error::Internal(format!("payment {} is in flight without an attempt", row.id)));
        };
        return Ok(Step::LookUp(Box::new(work_on(tx.unit, row.clone(), attempt, &rows)?)));
    }
    // Only then money may move: whatever else the job finds, it waits.
    let moves = lock_is_due(&booking, &rows, tx.now) || rows.iter().any(|r| open(r) && due_now(&booking, r, tx.now));
    if moves && let Some(why) = held_back(tx.unit, id, &rows, tx.now)? {
        hold_back(tx, id, lease, why)?;
        return Ok(Step::Rest);
    }
    let doubts = if moves { doubts::of_booking(tx.unit, id)? } else { Vec::new() };
    if !doubts.is_empty() {
        return Ok(Step::Doubt(doubts));
    }
    if enter_lock(tx, &mut booking, &rows)? {
        return Ok(Step::Decided);
    }
    let may = |r: &&Payment| open(r) && due_now(&booking, r, tx.now) && !waits_for_consent(&booking, r);
    let due = rows.iter().filter(may).min_by_key(|r| order(r)).cloned();
    let Some(row) = due else {
        settle::wake(tx, &booking)?;
        lease.end(tx)?;
        return Ok(Step::Rest);
    };
    if row.kind == PaymentKind::Refund {
        return begin_refund(tx, &booking, row, &rows);
    }
    begin_charge(tx, &booking, row, &rows)
}

/// Nothing of the booking moves; after a while it is looked again.
fn hold_back(tx: &mut Tx<'_>, id: BookingId, lease: &Lease, why: &str) -> ServiceResult<()> {
    tracing::error!(booking = %id, why, "its records contradict each other, or the payment service: nothing is charged or given back");
    tx.enqueue_at(&crate::work::Work::BillBooking { booking_id: id }, tx.now + HELD_BACK)?;
    lease.end(tx)
}

/// At the 48-hour instant the whole rest is due, whatever became of the deposit.
fn enter_lock(tx: &mut Tx<'_>, b: &mut Booking, rows: &[Payment]) -> ServiceResult<bool> {
    if !lock_is_due(b, rows, tx.now) {
        return Ok(false);
    }
    b.details.lock_entered = true;
    b.updated_at = tx.now;
    b.version = tx.unit.bookings().update(b, b.version)?;
    settle::settle(tx, b)?;
    Ok(true)
}

/// A move that was done before the charge of its 48-hour instant could be made is past it, too.
fn lock_is_due(b: &Booking, rows: &[Payment], now: DateTime<Utc>) -> bool {
    !b.details.lock_entered
        && b.details.charges_wait.is_none()
        && !matches!(b.status, Status::Cancelled | Status::Deleted)
        && rows.iter().any(|r| is_lock(r) && open(r) && r.due_at <= now)
}

/// The lock charge runs before everything else of the instant, refunds before other charges.
fn order(row: &Payment) -> (u8, DateTime<Utc>) {
    let rank = match row.kind {
        PaymentKind::Balance | PaymentKind::Full => 0,
        PaymentKind::Refund => 1,
        _ => 2,
    };
    (rank, row.due_at)
}

/// The tie rules are the policy's: a deposit waits until its instant has passed. They are about
/// the instant it falls due; later attempts and refunds are simply due at their time.
fn due_now(b: &Booking, row: &Payment, now: DateTime<Utc>) -> bool {
    let Some(at) = next_at(b, row) else { return false };
    match charge_kind(row.kind).filter(|_| row.attempts == 0) {
        Some(kind) => policy::is_due(kind, at, now),
        None => at <= now,
    }
}

fn begin_charge(tx: &mut Tx<'_>, b: &Booking, mut row: Payment, rows: &[Payment]) -> ServiceResult<Step> {
    let Some(card) = tx.unit.cards().current(b.user_id)? else {
        outcome::no_card(tx, b, row)?;
        return Ok(Step::Decided);
    };
    let due = due_now(b, &row, tx.now);
    let new_card = is_new(&card, &tx.unit.payments().attempts_of(row.id)?);
    let facts = Facts { due: due && row.amount.is_positive(), attempt_due: due, new_card, ..Facts::default() };
    let by = role(tx, &row)?;
    step_as(&mut row, by, State::Processing, &facts)?;
    let attempt = Attempt {
        order_id: order_id::next(tx.unit, b, row.kind, rows)?,
        payment_id: row.id,
        number: row.attempts + 1,
        amount: row.amount,
        method_id: card.method_id,
        state: At::sent(),
        transaction_id: None,
        code: None,
        created_at: tx.now,
        sent_at: tx.services.wall.now(),
        resolved_at: None,
    };
    tx.unit.payments().insert_attempt(&attempt)?;
    row.card_last4 = Some(card.last4);
    row.version = tx.unit.payments().update(&row)?;
    settle::wake(tx, b)?;
    Ok(Step::Send(Box::new(work_on(tx.unit, row, attempt, rows)?)))
}

/// Who asks for the next attempt: somebody of the staff, or the ladder.
fn role(tx: &mut Tx<'_>, row: &Payment) -> ServiceResult<Role> {
    let pressed = row.state == State::Failed && tx.unit.failed().pressed(row.id)?.contains(&(row.attempts + 1));
    Ok(if pressed { Role::Ops } else { Role::System })
}

/// Whether a card was stored since the last attempt, or never tried.
pub(crate) fn is_new(card: &Card, attempts: &[Attempt]) -> bool {
    attempts.iter().all(|a| a.method_id != card.method_id)
        || attempts.last().is_none_or(|last| card.created_at >= last.created_at)
}

fn begin_refund(tx: &mut Tx<'_>, b: &Booking, mut row: Payment, rows: &[Payment]) -> ServiceResult<Step> {
    let charge = rows.iter().find(|r| Some(r.id) == row.refund_of && took(r));
    // A void or whole refund would return both rows of a shared transaction: each row is refunded in part.
    let alone = |c: &Payment| rows.iter().filter(|r| took(r) && r.transaction_id == c.transaction_id).count() == 1;
    let full = charge.is_some_and(|c| c.amount == row.amount && alone(c));
    let attempt = Attempt {
        order_id: order_id::next(tx.unit, b, row.kind, rows)?,
        payment_id: row.id,
        number: row.attempts + 1,
        amount: row.amount,
        method_id: String::new(),
        state: At::sent(),
        transaction_id: None,
        code: full.then(|| FULL.to_owned()),
        created_at: tx.now,
        sent_at: tx.services.wall.now(),
        resolved_at: None,
    };
    tx.unit.payments().insert_attempt(&attempt)?;
    let (due, by) = (due_now(b, &row, tx.now), role(tx, &row)?);
    step_as(&mut row, by, State::Processing, &Facts { due, attempt_due: due, ..Facts::default() })?;
    row.version = tx.unit.payments().update(&row)?;
    settle::wake(tx, b)?;
    Ok(Step::Send(Box::new(work_on(tx.unit, row, attempt, rows)?)))
}

/// A refund row carries the transaction it returns while it is being worked on.
fn work_on(u: &mut dyn Unit, mut payment: Payment, attempt: Attempt, rows: &[Payment]) -> ServiceResult<Work> {
    let mut charge_order = None;
    if payment.kind == PaymentKind::Refund
        && let Some(charge) = rows.iter().find(|r| Some(r.id) == payment.refund_of)
    {
        payment.transaction_id.clone_from(&charge.transaction_id);
        let attempts = u.payments().attempts_of(charge.id)?;
        charge_order = attempts.into_iter().find(|a| a.state == AttemptState::Applied).map(|a| a.order_id);
    }
    Ok(Work { payment, attempt, charge_order })
}

/// Brings charges at their very instant forward before a customer's action at the same instant
/// is judged: the 48-hour charge comes first (`policy-timeline.md` §2, ties). What is at the gateway
/// just now gets a moment to end.
///
/// # Errors
/// When the database fails; an unknown outcome does not stop the customer's action.
pub async fn before_action(s: &Services, id: BookingId) -> ServiceResult<()> {
    let now = s.clock.now();
    let busy = s
        .store
        .read(move |u| {
            let rows = u.payments().of_booking(id)?;
            let due = |r: &Payment| is_lock(r) && open(r) && r.next_attempt_at.is_some_and(|at| at <= now);
            let waits = u.bookings().get(id)?.is_some_and(|b| b.details.charges_wait.is_some());
            Ok::<_, Error>((!waits && rows.iter().any(due)) || lease::under_way(u, id)?)
        })
        .await?;
    if !busy {
        return Ok(());
    }
    let ran = match lease::wait(s, id, lease::PATIENCE).await? {
        Some(lease) => owned(s, id, lease).await,
        None => Ok(JobOutcome::Done),
    };
    if let Err(failure) = ran {
        tracing::warn!(booking = %id, error = %failure, "the due charge could not be finished before the action");
    }
    Ok(())
}

/// How a checkout's charge ended.
pub enum Settled {
    /// Money moved.
    Applied {
        /// Gateway key.
        transaction_id: String,
    },
    /// The bank or gateway said no.
    Declined {
        /// What the person is told.
        reason: DeclineReason,
    },
    /// It was never reached.
    NotDone,
    /// Nobody knows.
    Unknown,
    /// No answer came, and it can no longer arrive.
    Lost,
}

impl Settled {
    /// Of a gateway's answer.
    pub fn of(answer: Result<ChargeOutcome, GatewayError>) -> Settled {
        Outcome::of_charge(answer).into()
    }

    /// Of the gateway's own list; none when it never heard of the order id.
    pub fn seen(known: &[GatewayTransaction]) -> Option<Settled> {
        outcome_at_gateway(known).map(Settled::from)
    }
}

impl From<Outcome> for Settled {
    fn from(outcome: Outcome) -> Settled {
        match outcome {
            Outcome::Applied { transaction_id } => Settled::Applied { transaction_id },
            Outcome::Declined { code, .. } => Settled::Declined { reason: DeclineReason::of(&code) },
            Outcome::Refused(_) => Settled::Declined { reason: DeclineReason::Bank },
            Outcome::NotDone { .. } => Settled::NotDone,
            Outcome::Unknown(_) => Settled::Unknown,
            Outcome::Lost => Settled::Lost,
        }
    }
}
