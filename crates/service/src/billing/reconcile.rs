//! Gateway against ledger against our own rows, and each booking against its history: every
//! difference, in words.
//!
//! Traffic goes on meanwhile and the two clocks are not one, so what one side lacks in the window
//! is only suspected: each suspected order id is looked up again by itself, without the window.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};
use status_machine::payment::State;

use crate::{
    Error, ServiceResult, Services,
    billing::{audit::File, rows::charge_kind},
    ports::{
        Unit,
        bookings::checkout_state,
        disputes::DisputeState,
        ledger::Account,
        payments::{
            Attempt, AttemptState, DISPUTE_LOST, DISPUTE_OPEN, DISPUTE_WON, GatewayKind, GatewayStatus,
            GatewayTransaction, Payment, PaymentKind,
        },
        strays::Stray,
    },
};

/// What was compared and what differs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Gateway transactions looked at.
    pub transactions: usize,
    /// Attempts of ours looked at.
    pub attempts: usize,
    /// Bookings held against their history.
    pub bookings: usize,
    /// Differences; there must be none.
    pub differences: Vec<String>,
    /// Order ids with a difference: what had been given up and was applied after all (see
    /// [`super::late`]), what was captured and refused when it settled (see [`super::settlement`]).
    pub differing: Vec<String>,
}

/// How long what is suspected gets to come to rest.
const MOMENT: Duration = Duration::from_secs(1);

/// Compares everything the gateway did in [from, until) with what we wrote.
///
/// # Errors
/// When gateway or database cannot be asked.
pub async fn run(s: &Services, from: DateTime<Utc>, until: DateTime<Utc>) -> ServiceResult<Report> {
    // Ours first: what was written before is in the gateway's later list.
    let ours = s.store.read(move |u| Ours::between(u, from, until)).await?;
    let gateway = s.gateway.list(from, until).await.map_err(|e| Error::Internal(format!("gateway list: {e}")))?;
    let suspects = suspects(&gateway, &ours);
    let (mut differences, mut differing) = (Vec::new(), Vec::new());
    if !suspects.is_empty() {
        tokio::time::sleep(MOMENT).await;
    }
    for order in suspects {
        let told = look(s, &order).await?;
        if !told.is_empty() {
            differences.extend(told);
            differing.push(order);
        }
    }
    if ours.unbalanced > 0 {
        differences.push(format!("{} ledger entries do not sum to zero", ours.unbalanced));
    }
    differences.extend(ours.drift.iter().map(|d| format!("capacity: {d}")));
    for stray in ours.returned {
        differences.extend(not_returned(s, &stray).await?);
    }
    let (bookings, told) = histories(s, from, until).await?;
    differences.extend(told);
    Ok(Report { transactions: gateway.len(), attempts: ours.known.len(), bookings, differences, differing })
}

/// Each booking that changed or moves in the window against its own history.
async fn histories(s: &Services, from: DateTime<Utc>, until: DateTime<Utc>) -> ServiceResult<(usize, Vec<String>)> {
    let ids = s.store.read(move |u| u.bookings().touched_between(from, until).map_err(Error::from)).await?;
    let mut differences = Vec::new();
    for id in &ids {
        let (id, now) = (*id, s.clock.now());
        let told = s.store.read(move |u| differences_of(u, id, now)).await?;
        differences.extend(told);
    }
    Ok((ids.len(), differences))
}

/// What differs between one booking and its history.
///
/// # Errors
/// When the database fails.
pub fn differences_of(u: &mut dyn Unit, id: BookingId, now: DateTime<Utc>) -> ServiceResult<Vec<String>> {
    let Some(booking) = u.bookings().get(id)? else { return Ok(Vec::new()) };
    let rows = u.payments().of_booking(id)?;
    let (mut attempts, mut pressed) = (Vec::new(), Vec::new());
    for row in &rows {
        let made = u.payments().attempts_of(row.id)?;
        let most = charge_kind(row.kind).map(|kind| policy::ladder(&booking.details.policy, kind).len());
        // Who asked is of interest only where there is more than the ladder has.
        if most.is_some_and(|most| made.len() > most) {
            pressed.extend(u.failed().pressed(row.id)?.into_iter().map(|number| (row.id, number)));
        }
        attempts.extend(made);
    }
    let (history, entries, tip) =
        (u.bookings().status_history(id)?, u.ledger().of_booking(id)?, u.tips().of_booking(id)?);
    let is_disputed = entries.iter().any(|e| e.kind.starts_with("dispute"))
        || rows.iter().any(|r| r.state == State::ChargedBack || r.is_chargeback());
    let disputes = if is_disputed { u.disputes().of_booking(id)? } else { Vec::new() };
    let file = File {
        booking: &booking,
        history: &history,
        rows: &rows,
        attempts: &attempts,
        entries: &entries,
        tip: tip.as_ref(),
        disputes: &disputes,
        pressed: &pressed,
        has_capacity: u.capacities().hold_of_booking(id)?.is_some(),
        checkout_open: u.bookings().checkout_of_subject(id)?.is_some(),
        crew: u.crews().of_booking(id)?.len(),
    };
    Ok(file.differences(now))
}

/// Our side of the comparison.
struct Ours {
    /// By order id.
    known: BTreeMap<String, Known>,
    /// Order ids of checkouts that are at the gateway, and of strays that went back.
    open: BTreeSet<String>,
    /// Strays that count as gone back since the beginning of the window.
    returned: Vec<Stray>,
    unbalanced: usize,
    drift: Vec<String>,
}

impl Ours {
    fn between(u: &mut dyn Unit, from: DateTime<Utc>, until: DateTime<Utc>) -> ServiceResult<Ours> {
        let mut known = BTreeMap::new();
        for (attempt, payment) in u.payments().attempts_between(from, until)? {
            known.insert(attempt.order_id.clone(), Known::of(u, attempt, payment)?);
        }
        let back = |s: &Stray| s.returned_at.is_some_and(|at| at >= from) && s.found_at < until;
        Ok(Ours {
            known,
            open: open(u)?,
            returned: u.strays().all()?.into_iter().filter(back).collect(),
            unbalanced: u.ledger().unbalanced()?.len(),
            drift: u.capacities().drift()?,
        })
    }
}

fn open(u: &mut dyn Unit) -> ServiceResult<BTreeSet<String>> {
    let mut open: BTreeSet<String> =
        u.bookings().checkouts_in(checkout_state::CHARGING)?.into_iter().map(|c| c.order_id).collect();
    for stray in u.strays().all()?.into_iter().filter(|s| s.returned_at.is_some()) {
        open.insert(super::late::return_order(&stray.order_id));
        open.insert(stray.order_id);
    }
    Ok(open)
}

/// What we wrote under one order id.
struct Known {
    attempt: Attempt,
    refund: bool,
    /// What the ledger moved at the gateway account.
    posted: Option<Money>,
    /// The order id of the charge that a refund returns.
    charge: Option<String>,
    /// Where the disputes of a charge stand.
    disputes: Vec<DisputeState>,
}

impl Known {
    fn of(u: &mut dyn Unit, attempt: Attempt, payment: Payment) -> ServiceResult<Known> {
        let refund = payment.kind == PaymentKind::Refund;
        let fact = format!("{}:{}", if refund { "refund" } else { "capture" }, attempt.order_id);
        let entries = u.ledger().of_booking(payment.booking_id)?;
        let posted = entries.iter().find(|e| e.fact_key == fact);
        let posted = posted.map(|e| e.lines().iter().filter(|l| l.account == Account::Gateway).map(|l| l.amount).sum());
        let charge = match payment.refund_of {
            Some(id) => {
                u.payments().attempts_of(id)?.into_iter().find(|a| a.state == AttemptState::Applied).map(|a| a.order_id)
            }
            None => None,
        };
        let disputes = match &attempt.state {
            AttemptState::Applied if !refund && *payment.state == State::ChargedBack => {
                u.disputes().of_booking(payment.booking_id)?
            }
            _ => Vec::new(),
        };
        let disputes = disputes.into_iter().filter(|d| d.payment_id == payment.id).map(|d| d.state).collect();
        Ok(Known { attempt, refund, posted, charge, disputes })
    }

    /// A void leaves no transaction of its own: the charge itself is marked. When it came after the
    /// settlement it became a refund, under the order id of the charge.
    fn voided(&self, list: &[GatewayTransaction]) -> bool {
        let marked = |t: &GatewayTransaction| {
            t.status == GatewayStatus::Voided
                && t.kind == GatewayKind::Charge
                && Some(&t.id) == self.attempt.transaction_id.as_ref()
        };
        let reversed = |t: &GatewayTransaction| {
            matches!(t.kind, GatewayKind::Refund { .. }) && Some(&t.id) == self.attempt.transaction_id.as_ref()
        };
        self.refund && list.iter().any(|t| marked(t) || (moved(t) && reversed(t)))
    }
}

fn moved(t: &GatewayTransaction) -> bool {
    matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled | GatewayStatus::Voided)
}

/// What was done under an order id by itself: without the refund that a late void of its charge became.
fn own<'a>(made: &[&'a GatewayTransaction]) -> Vec<&'a GatewayTransaction> {
    let reversal = |t: &GatewayTransaction| match &t.kind {
        GatewayKind::Refund { of } => made.iter().any(|c| c.id == *of && c.amount == t.amount),
        GatewayKind::Charge => false,
    };
    made.iter().copied().filter(|t| !reversal(t)).collect()
}

/// Order ids that differ as far as the window shows.
fn suspects(gateway: &[GatewayTransaction], ours: &Ours) -> BTreeSet<String> {
    let mut made: BTreeMap<&str, Vec<&GatewayTransaction>> = BTreeMap::new();
    for t in gateway.iter().filter(|t| moved(t)) {
        made.entry(&t.order_id).or_default().push(t);
    }
    let orders: BTreeSet<&str> = ours.known.keys().map(String::as_str).chain(made.keys().copied()).collect();
    let differs = |order: &&str| {
        let known = ours.known.get(*order);
        let made = made.get(*order).map(Vec::as_slice).unwrap_or_default();
        !judge(order, known, ours.open.contains(*order), made, known.is_some_and(|k| k.voided(gateway))).is_empty()
    };
    orders.into_iter().filter(differs).map(str::to_owned).collect()
}

/// One order id again, as it is now.
async fn look(s: &Services, order: &str) -> ServiceResult<Vec<String>> {
    let (mut known, mut open) = written(s, order).await?;
    let list = found(s, order).await?;
    let made: Vec<&GatewayTransaction> = list.iter().filter(|t| moved(t)).collect();
    let voided = match &known {
        Some(Known { charge: Some(charge), .. }) => {
            let charged = found(s, charge).await?;
            known.as_ref().is_some_and(|k| k.voided(&charged))
        }
        _ => false,
    };
    // We intend before the gateway acts, and it acts before we write the result: what it did must be
    // among our rows now, what we had written before must be in its list.
    if !made.is_empty() {
        (known, open) = written(s, order).await?;
    }
    Ok(judge(order, known.as_ref(), open, &made, voided))
}

/// Money that belonged to no booking counts as gone back: the gateway must say so, too.
async fn not_returned(s: &Services, stray: &Stray) -> ServiceResult<Option<String>> {
    let mut list = found(s, &stray.order_id).await?;
    list.extend(found(s, &super::late::return_order(&stray.order_id)).await?);
    if list.iter().any(|t| super::late::is_back(stray, t)) {
        return Ok(None);
    }
    Ok(Some(format!("{}: {} belongs to no booking and did not go back", stray.order_id, stray.amount)))
}

async fn written(s: &Services, order: &str) -> ServiceResult<(Option<Known>, bool)> {
    let order = order.to_owned();
    s.store
        .read(move |u| {
            let known = match u.payments().attempt(&order)? {
                Some(attempt) => {
                    let payment = u.payments().get(attempt.payment_id)?;
                    let payment =
                        payment.ok_or_else(|| Error::Internal(format!("the attempt {order} has no payment")))?;
                    Some(Known::of(u, attempt, payment)?)
                }
                None => None,
            };
            Ok::<_, Error>((known, open(u)?.contains(&order)))
        })
        .await
}

async fn found(s: &Services, order: &str) -> ServiceResult<Vec<GatewayTransaction>> {
    s.gateway.find_by_order(order).await.map_err(|e| Error::Internal(format!("gateway look-up: {e}")))
}

/// What differs under one order id; `made` is what moved money there.
fn judge(order: &str, known: Option<&Known>, open: bool, made: &[&GatewayTransaction], voided: bool) -> Vec<String> {
    let made = own(made);
    let mut differences = Vec::new();
    if made.len() > 1 {
        differences.push(format!("{order}: the gateway made {} transactions", made.len()));
    }
    for t in &made {
        let booked = |state| known.is_some_and(|k| k.disputes.contains(&state));
        match t.code.as_deref() {
            Some(DISPUTE_LOST) if !booked(DisputeState::Lost) => {
                differences
                    .push(format!("{order}: the bank gave {} back after a dispute, our books hold it", t.amount));
            }
            Some(DISPUTE_OPEN) if !booked(DisputeState::Opened) => {
                differences.push(format!("{order}: the cardholder disputes {}, our books do not say so", t.amount));
            }
            Some(DISPUTE_WON) if booked(DisputeState::Opened) => {
                differences.push(format!("{order}: a dispute of {} was won, our books say it is open", t.amount));
            }
            _ => {}
        }
    }
    match (made.first(), known) {
        (Some(t), None) if !open => {
            differences.push(format!("{order}: the gateway moved {} that we do not know", t.amount))
        }
        (Some(t), Some(k)) if !matches!(k.attempt.state, AttemptState::Applied | AttemptState::Sent) => {
            differences.push(format!("{order}: the gateway moved {}, we wrote {}", t.amount, k.attempt.state.code()));
        }
        (Some(t), Some(k)) if k.attempt.amount != t.amount => {
            differences.push(format!("{order}: the gateway moved {}, we wrote {}", t.amount, k.attempt.amount));
        }
        _ => {}
    }
    let Some(k) = known.filter(|k| k.attempt.state == AttemptState::Applied) else { return differences };
    if made.is_empty() && !voided {
        differences.push(format!("{order}: we wrote {}, the gateway knows nothing of it", k.attempt.amount));
    }
    let want = if k.refund { k.attempt.amount.negated() } else { k.attempt.amount };
    match k.posted {
        Some(posted) if posted == want => {}
        Some(posted) => differences.push(format!("{order}: the ledger says {posted}, the attempt {want}")),
        None => differences.push(format!("{order}: the ledger has no entry")),
    }
    differences
}
