//! What the gateway did under an order id against what we wrote of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};
use status_machine::payment::State;

use super::difference::{Difference, What};
use crate::{
    Error, ServiceResult, Services,
    ports::{
        Unit,
        bookings::checkout_state,
        disputes::DisputeState,
        payments::{
            Attempt, AttemptState, DISPUTE_LOST, DISPUTE_OPEN, DISPUTE_WON, GatewayKind, GatewayStatus,
            GatewayTransaction, Payment, PaymentKind,
        },
        strays::Stray,
    },
};

/// How long what is suspected gets to come to rest.
const MOMENT: Duration = Duration::from_secs(1);
/// Attempts read at a time.
const PAGE: i64 = 500;

/// What was looked at in a window.
pub(super) struct Window {
    pub transactions: usize,
    pub attempts: usize,
    /// Order ids that differ as far as the window shows.
    pub suspects: BTreeSet<String>,
}

/// Everything the gateway did in [from, until) against what we wrote.
pub(super) async fn window(s: &Services, from: DateTime<Utc>, until: DateTime<Utc>) -> ServiceResult<Window> {
    // Ours first: what was written before is in the gateway's later list.
    let known = s.store.read(move |u| written_between(u, from, until)).await?;
    let gateway = s.gateway.list(from, until).await.map_err(|e| Error::Internal(format!("gateway list: {e}")))?;
    let (transactions, attempts) = (gateway.len(), known.len());
    let suspects = suspects(&gateway, &known);
    let unknown: Vec<String> = suspects.iter().filter(|order| !known.contains_key(*order)).cloned().collect();
    let open = s
        .store
        .read(move |u| {
            let mut open = Vec::new();
            for order in unknown {
                if is_open(u, &order)? {
                    open.push(order);
                }
            }
            Ok::<_, Error>(open)
        })
        .await?;
    let suspects = suspects.into_iter().filter(|order| !open.contains(order)).collect();
    Ok(Window { transactions, attempts, suspects })
}

/// What is suspected, each looked up again by itself once it had a moment to come to rest.
pub(super) async fn judged(s: &Services, suspects: BTreeSet<String>) -> ServiceResult<Vec<Difference>> {
    if !suspects.is_empty() {
        tokio::time::sleep(MOMENT).await;
    }
    let mut found = Vec::new();
    for order in suspects {
        found.extend(look(s, &order).await?);
    }
    Ok(found)
}

/// What we wrote in a window, by order id: pages of attempts, and one look into the ledger a page.
fn written_between(
    u: &mut dyn Unit,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> ServiceResult<BTreeMap<String, Known>> {
    let (mut known, mut after) = (BTreeMap::new(), None);
    loop {
        let page = u.books().attempts_page(from, until, after, PAGE)?;
        let Some((last, _)) = page.last() else { return Ok(known) };
        after = Some((last.created_at, last.order_id.clone()));
        let facts: Vec<String> = page.iter().map(|(attempt, payment)| fact_of(attempt, payment)).collect();
        let posted = u.books().moved_at_gateway(&facts)?;
        for ((attempt, payment), fact) in page.into_iter().zip(facts) {
            let posted = posted.get(&fact).copied();
            let refund = payment.kind == PaymentKind::Refund;
            let booking = payment.booking_id;
            let disputes = disputes_of(u, &attempt, &payment)?;
            known.insert(attempt.order_id.clone(), Known { attempt, booking, refund, posted, charge: None, disputes });
        }
    }
}

/// The fact that an attempt is posted as.
fn fact_of(attempt: &Attempt, payment: &Payment) -> String {
    let word = if payment.kind == PaymentKind::Refund { "refund" } else { "capture" };
    format!("{word}:{}", attempt.order_id)
}

/// Where the disputes of a charge stand; read only of what counts as disputed.
fn disputes_of(u: &mut dyn Unit, attempt: &Attempt, payment: &Payment) -> ServiceResult<Vec<DisputeState>> {
    let disputed = attempt.state == AttemptState::Applied && *payment.state == State::ChargedBack;
    if !disputed || payment.kind == PaymentKind::Refund {
        return Ok(Vec::new());
    }
    let all = u.disputes().of_booking(payment.booking_id)?.into_iter();
    Ok(all.filter(|d| d.payment_id == payment.id).map(|d| d.state).collect())
}

/// It is at the gateway for a checkout, or is money that went back.
fn is_open(u: &mut dyn Unit, order: &str) -> ServiceResult<bool> {
    if u.bookings().checkout_by_order(order)?.is_some_and(|c| c.state == checkout_state::CHARGING) {
        return Ok(true);
    }
    for charge in [Some(order), super::late::returned_by(order)].into_iter().flatten() {
        if u.strays().get(charge)?.is_some_and(|s| s.returned_at.is_some()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What we wrote under one order id.
struct Known {
    attempt: Attempt,
    booking: BookingId,
    refund: bool,
    /// What the ledger moved at the gateway account.
    posted: Option<Money>,
    /// The order id of the charge that a refund returns; known to a look only.
    charge: Option<String>,
    /// Where the disputes of a charge stand.
    disputes: Vec<DisputeState>,
}

impl Known {
    fn of(u: &mut dyn Unit, attempt: Attempt, payment: &Payment) -> ServiceResult<Known> {
        let fact = fact_of(&attempt, payment);
        let posted = u.books().moved_at_gateway(std::slice::from_ref(&fact))?.remove(&fact);
        let charge = match payment.refund_of {
            Some(id) => {
                u.payments().attempts_of(id)?.into_iter().find(|a| a.state == AttemptState::Applied).map(|a| a.order_id)
            }
            None => None,
        };
        let disputes = disputes_of(u, &attempt, payment)?;
        let (booking, refund) = (payment.booking_id, payment.kind == PaymentKind::Refund);
        Ok(Known { attempt, booking, refund, posted, charge, disputes })
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

pub(super) fn moved(t: &GatewayTransaction) -> bool {
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

fn suspects(gateway: &[GatewayTransaction], known: &BTreeMap<String, Known>) -> BTreeSet<String> {
    let mut made: BTreeMap<&str, Vec<&GatewayTransaction>> = BTreeMap::new();
    for t in gateway.iter().filter(|t| moved(t)) {
        made.entry(&t.order_id).or_default().push(t);
    }
    let by_id: BTreeMap<&str, Vec<&GatewayTransaction>> =
        gateway.iter().fold(BTreeMap::new(), |mut all: BTreeMap<&str, Vec<_>>, t| {
            all.entry(t.id.as_str()).or_default().push(t);
            all
        });
    let orders: BTreeSet<&str> = known.keys().map(String::as_str).chain(made.keys().copied()).collect();
    let differs = |order: &&str| {
        let known = known.get(*order);
        let made = made.get(*order).map(Vec::as_slice).unwrap_or_default();
        let voided = known.is_some_and(|k| {
            let id = k.attempt.transaction_id.as_deref();
            let same: Vec<GatewayTransaction> =
                id.and_then(|id| by_id.get(id)).into_iter().flatten().map(|t| (*t).clone()).collect();
            k.voided(&same)
        });
        !judge(known, false, made, voided).is_empty()
    };
    orders.into_iter().filter(differs).map(str::to_owned).collect()
}

/// One order id, as it is now.
pub(super) async fn look(s: &Services, order: &str) -> ServiceResult<Vec<Difference>> {
    let (mut known, mut open) = written(s, order).await?;
    let mut list = found(s, order).await?;
    if let Some(gone) = sent_back(s, order).await? {
        // What was not ours under this order id went back, and that is looked after by itself.
        let of = |t: &GatewayTransaction| matches!(&t.kind, GatewayKind::Refund { of } if *of == gone);
        list.retain(|t| t.id != gone && !of(t));
    }
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
    let told = judge(known.as_ref(), open, &made, voided);
    if told.is_empty() {
        return Ok(Vec::new());
    }
    let booking = match known {
        Some(known) => Some(known.booking),
        None => named(s, order).await?,
    };
    Ok(told.into_iter().map(|what| Difference::of_order(order, booking, what)).collect())
}

/// The transaction that went back as nobody's money, where another one under the same order id is ours.
async fn sent_back(s: &Services, order: &str) -> ServiceResult<Option<String>> {
    let order = order.to_owned();
    s.store
        .read(move |u| {
            let gone = u.strays().get(&order)?.filter(|stray| stray.returned_at.is_some());
            let ours = u.payments().attempt(&order)?.is_some();
            Ok::<_, Error>(gone.filter(|_| ours).map(|stray| stray.transaction_id))
        })
        .await
}

/// The booking whose code an order id begins with, when we wrote nothing under it.
async fn named(s: &Services, order: &str) -> ServiceResult<Option<BookingId>> {
    let Some(short) = order.split('-').next().and_then(|code| code.parse().ok()) else { return Ok(None) };
    s.store.read(move |u| u.bookings().of_short_id(&short).map_err(Error::from)).await
}

/// Money that belonged to no booking counts as gone back: the gateway must say so, too.
pub(super) async fn not_returned(s: &Services, stray: &Stray) -> ServiceResult<Option<Difference>> {
    let mut list = found(s, &stray.order_id).await?;
    list.extend(found(s, &super::late::return_order(&stray.order_id)).await?);
    if list.iter().any(|t| super::late::is_back(stray, t)) {
        return Ok(None);
    }
    let booking = named(s, &stray.order_id).await?;
    Ok(Some(Difference::of_order(&stray.order_id, booking, What::NotReturned { amount: stray.amount })))
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
                    Some(Known::of(u, attempt, &payment)?)
                }
                None => None,
            };
            Ok::<_, Error>((known, is_open(u, &order)?))
        })
        .await
}

pub(super) async fn found(s: &Services, order: &str) -> ServiceResult<Vec<GatewayTransaction>> {
    s.gateway.find_by_order(order).await.map_err(|e| Error::Internal(format!("gateway look-up: {e}")))
}

/// What differs under one order id; `made` is what moved money there.
fn judge(known: Option<&Known>, open: bool, made: &[&GatewayTransaction], voided: bool) -> Vec<What> {
    let made = own(made);
    let mut differences = Vec::new();
    if made.len() > 1 {
        differences.push(What::GatewayTwice { many: made.len() });
    }
    let booked = |state| known.is_some_and(|k| k.disputes.contains(&state));
    for t in &made {
        let amount = t.amount;
        match t.code.as_deref() {
            Some(DISPUTE_LOST) if !booked(DisputeState::Lost) => differences.push(What::DisputeLost { amount }),
            Some(DISPUTE_OPEN) if !booked(DisputeState::Opened) => differences.push(What::DisputeOpen { amount }),
            Some(DISPUTE_WON) if booked(DisputeState::Opened) => differences.push(What::DisputeWon { amount }),
            _ => {}
        }
    }
    match (made.first(), known) {
        (Some(t), None) if !open => differences.push(What::GatewayUnknown { amount: t.amount }),
        (Some(t), Some(k)) if !matches!(k.attempt.state, AttemptState::Applied | AttemptState::Sent) => {
            let state = k.attempt.state.code().to_owned();
            differences.push(What::GatewayMoved { amount: t.amount, state });
        }
        (Some(t), Some(k)) if k.attempt.amount != t.amount => {
            differences.push(What::GatewayAmount { amount: t.amount, ours: k.attempt.amount });
        }
        _ => {}
    }
    let Some(k) = known.filter(|k| k.attempt.state == AttemptState::Applied) else { return differences };
    if made.is_empty() && !voided {
        differences.push(What::GatewayMissing { amount: k.attempt.amount });
    }
    let want = if k.refund { k.attempt.amount.negated() } else { k.attempt.amount };
    match k.posted {
        Some(posted) if posted == want => {}
        Some(posted) => differences.push(What::LedgerAmount { posted, ours: want }),
        None => differences.push(What::LedgerMissing { amount: want }),
    }
    differences
}
