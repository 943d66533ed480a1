//! Compares what the gateway did under an order id with our own records.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    time::Duration,
};

use chrono::{DateTime, Utc};
use kernel::BookingId;

use super::{
    audit,
    difference::{Difference, DifferenceKind},
    judge::{Judged, judge},
    known::{OrderRecord, base_of, fact_of, kind_of, moved, unrecorded_attempt},
    lost,
};
use crate::{
    Error, ServiceResult, Services,
    ports::{
        Unit,
        checkouts::CheckoutState,
        payments::{
            AttemptState, DISPUTE_LOST, DISPUTE_OPEN, DISPUTE_WON, GatewayKind, GatewayStatus, GatewayTransaction,
            Payment, PaymentKind,
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
    let (known, returns) = s.store.read(move |u| written_between(u, from, until)).await?;
    let gateway = s.gateway.list(from, until).await.map_err(|e| Error::Internal(format!("gateway list: {e}")))?;
    let (transactions, attempts) = (gateway.len(), known.len());
    let suspects = suspects(&gateway, &known, &returns);
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

/// Order ids of the charges of [from, until) that a cardholder disputes or disputed: that comes months after the charge, when
/// nothing else of it changes.
pub(super) async fn disputed(
    s: &Services,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> ServiceResult<BTreeSet<String>> {
    let gateway = s.gateway.list(from, until).await.map_err(|e| Error::Internal(format!("gateway list: {e}")))?;
    let is_disputed =
        |t: &GatewayTransaction| matches!(t.code.as_deref(), Some(DISPUTE_OPEN | DISPUTE_WON | DISPUTE_LOST));
    Ok(gateway.into_iter().filter(is_disputed).map(|t| t.order_id).collect())
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

/// What we wrote in a window, by order id, and the keys of the refunds among it: pages of attempts, and one look into the
/// ledger a page.
fn written_between(
    u: &mut dyn Unit,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> ServiceResult<(BTreeMap<String, OrderRecord>, HashSet<String>)> {
    let (mut known, mut returns, mut after) = (BTreeMap::new(), HashSet::new(), None);
    loop {
        let page = u.books().attempts_page(from, until, after, PAGE)?;
        let Some((last, _)) = page.last() else { return Ok((known, returns)) };
        after = Some((last.created_at, last.order_id.clone()));
        let facts: Vec<String> = page.iter().map(|(attempt, payment)| fact_of(attempt, payment)).collect();
        let posted = u.books().moved_at_gateway(&facts)?;
        for ((attempt, payment), fact) in page.into_iter().zip(facts) {
            let posted = posted.get(&fact).copied();
            if kind_of(&attempt, &payment) == PaymentKind::Refund && attempt.state == AttemptState::Applied {
                returns.extend(attempt.transaction_id.clone());
            }
            known.insert(attempt.order_id.clone(), OrderRecord::in_window(u, attempt, &payment, posted)?);
        }
    }
}

/// It is at the gateway for a checkout, or is money that went back.
fn is_open(u: &mut dyn Unit, order: &str) -> ServiceResult<bool> {
    if u.checkouts().by_order(order)?.is_some_and(|c| c.state == CheckoutState::Charging) {
        return Ok(true);
    }
    for charge in [Some(order), super::late::returned_by(order)].into_iter().flatten() {
        if u.strays().get(charge)?.is_some_and(|s| s.returned_at.is_some()) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn suspects(
    gateway: &[GatewayTransaction],
    known: &BTreeMap<String, OrderRecord>,
    returns: &HashSet<String>,
) -> BTreeSet<String> {
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
    let ours = |t: &GatewayTransaction| returns.contains(&t.id);
    let differs = |order: &&str| {
        let known = known.get(*order);
        let made = made.get(*order).map(Vec::as_slice).unwrap_or_default();
        let elsewhere = known.is_some_and(|k| {
            let id = k.attempt.transaction_id.as_deref();
            let same: Vec<GatewayTransaction> =
                id.and_then(|id| by_id.get(id)).into_iter().flatten().map(|t| (*t).clone()).collect();
            k.elsewhere(&same)
        });
        !judge(known, false, made, elsewhere, &ours).is_empty()
    };
    orders.into_iter().filter(differs).map(str::to_owned).collect()
}

/// One order id, as it is now.
pub(super) async fn look(s: &Services, order: &str) -> ServiceResult<Vec<Difference>> {
    let (mut known, mut open) = written(s, order).await?;
    let mut list = find_by_order(s, order).await?;
    if let Some(gone) = sent_back(s, order).await? {
        // What was not ours under this order id went back, and that is looked after by itself.
        let of = |t: &GatewayTransaction| matches!(&t.kind, GatewayKind::Refund { of } if *of == gone);
        list.retain(|t| t.id != gone && !of(t));
    }
    let made: Vec<&GatewayTransaction> = list.iter().filter(|t| moved(t)).collect();
    let elsewhere = stands_elsewhere(s, known.as_ref()).await?;
    // We intend before the gateway acts, and it acts before we write the result: what it did must be
    // among our rows now, what we had written before must be in its list.
    if !made.is_empty() {
        (known, open) = written(s, order).await?;
    }
    let ours = |t: &GatewayTransaction| known.as_ref().is_some_and(|k| k.asks(t));
    let Judged { told, back } = judge(known.as_ref(), open, &made, elsewhere, &ours);
    if told.is_empty() && back.is_empty() {
        return Ok(Vec::new());
    }
    let booking = match &known {
        Some(known) => Some(known.booking),
        None => {
            let (of, listed) = (order.to_owned(), list.clone());
            if let Some((row, t)) = s.store.read(move |u| unrecorded_attempt(u, &of, &listed)).await? {
                let what = DifferenceKind::AttemptMissing { charge: row.kind, amount: t.amount };
                return Ok(vec![Difference::of_order(order, Some(row.booking_id), what)]);
            }
            let booking = named(s, order).await?;
            if let Some(gone) = deleted(s, order, booking).await? {
                return Ok(vec![gone]);
            }
            booking
        }
    };
    let refused = match &known {
        Some(known) if known.is_refund() && known.is_applied() => refused(s, known, &list).await?,
        _ => false,
    };
    let named = |what| match what {
        DifferenceKind::GatewayMissing { amount } if refused => DifferenceKind::RefundRefused { amount },
        what => what,
    };
    let mut all: Vec<Difference> =
        told.into_iter().map(|what| Difference::of_order(order, booking, named(what))).collect();
    for t in back {
        all.push(given_back(s, order, booking, t).await?);
    }
    Ok(all)
}

/// The deed of a row that somebody deleted, as its booking tells it.
async fn deleted(s: &Services, order: &str, booking: Option<BookingId>) -> ServiceResult<Option<Difference>> {
    let Some(id) = booking else { return Ok(None) };
    let file = s.store.read(move |u| Ok::<_, Error>(lost::files(u, &[id])?.pop())).await?;
    let own = |what: &DifferenceKind| matches!(what, DifferenceKind::RowLost { order: Some(of), .. } if of == order);
    Ok(file.and_then(|file| {
        let what = audit::lost_rows(&file).into_iter().find(own)?;
        Some(Difference { subject: file.booking.short_id.to_string(), booking, what })
    }))
}

/// What was done for an order id of ours stands under another one: that of its charge, or the one beside which it was
/// written down.
async fn stands_elsewhere(s: &Services, known: Option<&OrderRecord>) -> ServiceResult<bool> {
    let Some(known) = known else { return Ok(false) };
    let charge = known.charge.as_ref().map(|a| a.order_id.as_str());
    let orders: BTreeSet<&str> = charge.into_iter().chain(base_of(&known.attempt.order_id)).collect();
    for order in orders {
        if known.elsewhere(&find_by_order(s, order).await?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The bank did not take a refund of ours: it stands under its own order id, or under that of its charge.
async fn refused(s: &Services, known: &OrderRecord, list: &[GatewayTransaction]) -> ServiceResult<bool> {
    let is_refused = |list: &[GatewayTransaction]| {
        let refund = |t: &&GatewayTransaction| matches!(t.kind, GatewayKind::Refund { .. }) && known.names(t);
        list.iter().find(refund).is_some_and(|t| t.status == GatewayStatus::Declined)
    };
    if is_refused(list) {
        return Ok(true);
    }
    let Some(charge) = &known.charge else { return Ok(false) };
    Ok(is_refused(&find_by_order(s, &charge.order_id).await?))
}

/// A refund that nobody here asked for, with the charge that it returns.
async fn given_back(
    s: &Services,
    order: &str,
    booking: Option<BookingId>,
    t: GatewayTransaction,
) -> ServiceResult<Difference> {
    let of = match t.kind {
        GatewayKind::Refund { of } => of,
        GatewayKind::Charge => t.id.clone(),
    };
    let charge = s
        .store
        .read(move |u| {
            if of.is_empty() {
                return Ok(None);
            }
            let rows = match booking {
                Some(id) => u.payments().of_booking(id)?,
                None => Vec::new(),
            };
            let own = |rows: Vec<Payment>| {
                rows.into_iter().find(|r| r.was_taken() && r.transaction_id.as_deref() == Some(of.as_str()))
            };
            match own(rows) {
                Some(charge) => Ok(Some(charge)),
                // Somebody gave it an order id that names no booking, or another one.
                None => Ok::<_, Error>(own(u.payments().of_transaction(&of)?)),
            }
        })
        .await?;
    let (transaction, amount, at) = (t.id, t.amount, t.created_at);
    Ok(match charge {
        Some(c) => {
            let what = DifferenceKind::RefundOutside { transaction, charge: c.kind, charged: c.amount, amount, at };
            Difference::of_order(order, Some(c.booking_id), what)
        }
        None => Difference::of_order(order, booking, DifferenceKind::RefundUnknown { transaction, amount, at }),
    })
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
    let mut list = find_by_order(s, &stray.order_id).await?;
    list.extend(find_by_order(s, &super::late::return_order(&stray.order_id)).await?);
    if list.iter().any(|t| super::late::is_back(stray, t)) {
        return Ok(None);
    }
    let booking = named(s, &stray.order_id).await?;
    Ok(Some(Difference::of_order(&stray.order_id, booking, DifferenceKind::NotReturned { amount: stray.amount })))
}

async fn written(s: &Services, order: &str) -> ServiceResult<(Option<OrderRecord>, bool)> {
    let order = order.to_owned();
    s.store
        .read(move |u| {
            let known = match u.payments().attempt(&order)? {
                Some(attempt) => {
                    // Somebody deleted its row, which is told with its booking.
                    match u.payments().get(attempt.payment_id)? {
                        Some(payment) => Some(OrderRecord::of(u, attempt, &payment)?),
                        None => None,
                    }
                }
                None => None,
            };
            Ok::<_, Error>((known, is_open(u, &order)?))
        })
        .await
}

pub(super) async fn find_by_order(s: &Services, order: &str) -> ServiceResult<Vec<GatewayTransaction>> {
    s.gateway.find_by_order(order).await.map_err(|e| Error::Internal(format!("gateway look-up: {e}")))
}
