//! A card gateway with Braintree's semantics and the worst of manners: it applies late, also after
//! whoever asked has gone; it loses requests and answers; it declines; it is not to be reached. It
//! finds by order id only what it applied. It does not recognise a repeated request (by seed it
//! does). What it was sent is applied within [`HORIZON`] or never, but for rare strays.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard},
};

use async_trait::async_trait;
use chrono::{DateTime, Duration, Utc};
use kernel::Money;
use service::ports::{
    Clock as _,
    payments::{
        CardDetails, ChargeOutcome, ChargeRequest, GatewayDispute, GatewayError, GatewayKind, GatewayStatus,
        GatewayTransaction, NewCustomer, PaymentGateway, RefundOutcome, RefundRequest, VaultOutcome,
    },
};
use tokio::sync::oneshot;

use crate::{
    disputes::{Disputes, IS_DISPUTED},
    world::World,
};

/// How long a caller waits, milliseconds.
const TIMEOUT: u64 = 60_000;
/// What was sent longer ago than this and is not listed will never be applied, milliseconds.
pub const HORIZON: u64 = 10 * TIMEOUT;
/// So long after its intent was written a request may leave. The horizon counts from the intent.
const LEAVES_WITHIN: u64 = 25_000;

/// One request that moves money, as the gateway's side of the wire saw it.
#[derive(Debug, Clone)]
struct Sent {
    order: String,
    at: u64,
    open: bool,
}

#[derive(Default)]
struct State {
    sent: Vec<Sent>,
    late: BTreeSet<String>,
    list: Vec<GatewayTransaction>,
    /// Captured charges the bank will refuse when they settle: transaction and instant.
    refused_later: Vec<(String, DateTime<Utc>)>,
    /// Order ids of charges that were refused at their settlement or disputed, and nobody was told so yet.
    untold: Vec<String>,
    /// All of them.
    refused: BTreeSet<String>,
    disputes: Disputes,
}

/// The gateway's own books.
#[derive(Default)]
pub struct Bank(Mutex<State>);

/// Figures of a schedule.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    pub charges: u64,
    pub refunds: u64,
    pub declines: u64,
    /// Captured, and refused when they settled.
    pub unsettled: u64,
}

impl Bank {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Everything it ever did.
    pub fn list(&self) -> Vec<GatewayTransaction> {
        self.state().list.clone()
    }

    /// Order ids that were applied after the horizon.
    pub fn late(&self) -> BTreeSet<String> {
        self.state().late.clone()
    }

    /// The bank refuses what it refuses when it settles. Asked for before anybody looks.
    pub fn settle(&self, now: DateTime<Utc>, after: Duration) {
        let state = &mut *self.state();
        let refused: BTreeSet<String> = state.refused_later.iter().map(|(id, _)| id.clone()).collect();
        let settles = |t: &&mut GatewayTransaction| {
            t.status == GatewayStatus::Captured && t.created_at + after <= now && !refused.contains(&t.id)
        };
        state.list.iter_mut().filter(settles).for_each(|t| t.status = GatewayStatus::Settled);
        let (due, later) = state.refused_later.drain(..).partition(|(_, at)| *at <= now);
        state.refused_later = later;
        let due: Vec<(String, DateTime<Utc>)> = due;
        for (id, _) in due {
            let Some(t) = state.list.iter_mut().find(|t| t.id == id && t.status == GatewayStatus::Captured) else {
                continue;
            };
            t.status = GatewayStatus::Declined;
            state.untold.push(t.order_id.clone());
            state.refused.insert(t.order_id.clone());
        }
        let told = state.disputes.pass(&mut state.list, now);
        state.untold.extend(told);
    }

    /// Every dispute that was opened.
    pub fn disputes(&self) -> Vec<GatewayDispute> {
        self.state().disputes.all()
    }

    /// When the next cardholder disputes a charge, or a bank decides.
    pub fn next_dispute(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.state().disputes.next(now)
    }

    /// What there is to tell of settlements and disputes since the last time.
    pub fn untold(&self) -> Vec<String> {
        std::mem::take(&mut self.state().untold)
    }

    /// Order ids that were captured and refused at their settlement.
    pub fn refused(&self) -> BTreeSet<String> {
        self.state().refused.clone()
    }

    /// Requests that are still on their way.
    pub fn on_their_way(&self) -> usize {
        self.state().sent.iter().filter(|s| s.open).count()
    }

    pub fn figures(&self) -> Figures {
        let state = self.state();
        let mut f = Figures { unsettled: state.refused.len() as u64, ..Figures::default() };
        for t in &state.list {
            match (&t.kind, t.status) {
                (_, GatewayStatus::Declined) => f.declines += 1,
                (GatewayKind::Charge, GatewayStatus::Voided) => (f.charges, f.refunds) = (f.charges + 1, f.refunds + 1),
                (GatewayKind::Charge, _) => f.charges += 1,
                (GatewayKind::Refund { .. }, _) => f.refunds += 1,
            }
        }
        f
    }
}

/// The booking an order id belongs to, by its short id.
pub fn short_of(order: &str) -> &str {
    order.split('-').next().unwrap_or(order)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Applied after so many milliseconds; is the answer heard?
    Applied { after: u64, heard: bool },
    /// It never arrives, and nobody hears of it.
    Lost,
    /// Not reached, and told so.
    Unavailable,
}

pub struct SimGateway(pub Arc<World>);

impl SimGateway {
    fn fate(&self) -> Fate {
        let w = &self.0;
        let d = &w.fates;
        let draw = d.below(1_000);
        if w.calm() || draw < 500 {
            return Fate::Applied { after: d.below(300), heard: true };
        }
        let stray = if w.plan.strays { 40 } else { 0 };
        let after = d.weighed(&[
            (300, 300 + d.below(3_000)),
            (150, 3_000 + d.below(55_000)),
            (200, TIMEOUT + d.below(30_000)),
            // What leaves late still has to arrive in time.
            (60, 90_000 + d.below(HORIZON - LEAVES_WITHIN - 90_000)),
            (stray, HORIZON + 10_000 + d.below(1_500_000)),
        ]);
        d.weighed(&[
            (620, Fate::Applied { after, heard: true }),
            (180, Fate::Applied { after, heard: false }),
            (120, Fate::Lost),
            (80, Fate::Unavailable),
        ])
    }

    /// Writes down what was sent, and cries when it should not have been.
    fn begin(&self, order: &str, what: &str, amount: Money) -> usize {
        let w = &self.0;
        w.step(format_args!("gateway: {what} {order} {amount}"));
        let now = w.wall.millis();
        let mut bank = w.bank.state();
        if bank.sent.iter().any(|s| s.order == order) {
            w.wrong(format!("{order} was sent twice"));
        }
        let may_come = |at: u64| at + HORIZON - LEAVES_WITHIN > now;
        let other = bank.sent.iter().find(|s| s.open && short_of(&s.order) == short_of(order) && may_come(s.at));
        if let Some(other) = other {
            w.wrong(format!("{order} is sent while nobody knows what became of {}", other.order));
        }
        bank.sent.push(Sent { order: order.to_owned(), at: now, open: true });
        bank.sent.len() - 1
    }

    /// Lets `apply` happen when the fate says, whatever becomes of the caller.
    async fn send<T: Send + 'static>(
        &self,
        order: &str,
        what: &str,
        amount: Money,
        apply: impl FnOnce(&World) -> T + Send + 'static,
    ) -> Result<T, GatewayError> {
        let n = self.begin(order, what, amount);
        let w = self.0.clone();
        let unknown = |order: &str| Err(GatewayError::Unknown(format!("no answer in time for {order}")));
        match self.fate() {
            Fate::Unavailable => {
                // It never left; whoever sent it may be killed before it hears so.
                w.bank.state().sent[n].open = false;
                w.lag("gateway").await;
                w.step(format_args!("gateway: unavailable for {order}"));
                Err(GatewayError::Unavailable("by the seed".into()))
            }
            Fate::Lost => {
                // The horizon is when it is known to be lost; a lost request is as open as a slow one.
                let after = w.clone();
                tokio::spawn(async move {
                    after.wall.pass(HORIZON).await;
                    after.bank.state().sent[n].open = false;
                });
                w.wall.pass(TIMEOUT).await;
                w.step(format_args!("gateway: {order} lost, caller gives up"));
                unknown(order)
            }
            Fate::Applied { after, heard } => {
                let (tell, told) = oneshot::channel();
                let (world, name) = (w.clone(), order.to_owned());
                tokio::spawn(async move {
                    world.wall.pass(after).await;
                    let answer = apply(&world);
                    let late = after > HORIZON;
                    let mut bank = world.bank.state();
                    bank.sent[n].open = false;
                    if late {
                        bank.late.insert(name.clone());
                    }
                    drop(bank);
                    world.step(format_args!(
                        "gateway: {name} dealt with{}",
                        if late { ", beyond its horizon" } else { "" }
                    ));
                    let _ = tell.send(answer);
                });
                let answer = tokio::time::timeout_at(w.wall.deadline(TIMEOUT), told).await;
                match answer {
                    Ok(Ok(answer)) if heard => {
                        w.lag("gateway").await;
                        Ok(answer)
                    }
                    Ok(_) => {
                        w.wall.pass(TIMEOUT.saturating_sub(after)).await;
                        w.step(format_args!("gateway: the answer for {order} is lost"));
                        unknown(order)
                    }
                    Err(_) => {
                        w.step(format_args!("gateway: the caller of {order} gives up"));
                        unknown(order)
                    }
                }
            }
        }
    }
}

/// What is said of a refund that the bank of the card refuses: closed accounts, lost cards.
pub const TAKES_NOTHING_BACK: &str = "the bank of the card takes nothing back";

fn transaction(
    w: &World,
    bank: &State,
    order: &str,
    amount: Money,
    kind: GatewayKind,
    status: GatewayStatus,
) -> GatewayTransaction {
    GatewayTransaction {
        id: format!("tx_{}", bank.list.len() + 1),
        order_id: order.to_owned(),
        amount,
        kind,
        status,
        created_at: w.clock.now(),
        declined_hard: None,
        code: None,
    }
}

fn took(t: &GatewayTransaction) -> bool {
    t.kind == GatewayKind::Charge && matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled)
}

fn apply_charge(w: &World, r: &ChargeRequest) -> ChargeOutcome {
    let mut bank = w.bank.state();
    let captured = |id: String| ChargeOutcome::Captured { transaction_id: id, legacy_id: None };
    if let Some(known) = bank.list.iter().find(|t| t.order_id == r.order_id && t.status != GatewayStatus::Declined) {
        if w.plan.request_key {
            return captured(known.id.clone());
        }
        w.wrong(format!("{} was applied twice", r.order_id));
    }
    let declined = w.fates.often(w.plan.declines) || (r.method_id.ends_with("bad") && w.plan.declines > 0);
    if declined {
        let hard = w.fates.often(200);
        let mut t = transaction(w, &bank, &r.order_id, r.amount, GatewayKind::Charge, GatewayStatus::Declined);
        (t.declined_hard, t.code) = (Some(hard), Some("2001".into()));
        let id = t.id.clone();
        bank.list.push(t);
        return ChargeOutcome::Declined {
            hard,
            code: "2001".into(),
            message: "Insufficient Funds".into(),
            transaction_id: Some(id),
        };
    }
    let t = transaction(w, &bank, &r.order_id, r.amount, GatewayKind::Charge, GatewayStatus::Captured);
    let id = t.id.clone();
    if w.fates.often(w.plan.refused_at_settlement) {
        bank.refused_later.push((id.clone(), t.created_at + Duration::hours(w.plan.settles_after.max(6))));
    } else if w.quarrels.often(w.plan.disputed) {
        bank.disputes.plan(&id, t.created_at, &w.quarrels);
    }
    bank.list.push(t);
    captured(id)
}

fn apply_refund(w: &World, r: &RefundRequest) -> Result<RefundOutcome, GatewayError> {
    let now = w.clock.now();
    let settle = Duration::hours(w.plan.settles_after);
    w.settle_charges();
    let mut bank = w.bank.state();
    let refused = |message: &str| Ok(RefundOutcome::Refused { code: "91521".into(), message: message.into() });
    let same = bank.list.iter().find(|t| t.order_id == r.order_id && t.kind != GatewayKind::Charge);
    if let Some(same) = same {
        return Ok(RefundOutcome::Refunded { refund_id: same.id.clone() });
    }
    let Some(at) = bank.list.iter().position(|t| t.id == r.transaction_id) else { return Err(GatewayError::NotFound) };
    let charge = bank.list[at].clone();
    let gone: Money = bank
        .list
        .iter()
        .filter(|t| matches!(&t.kind, GatewayKind::Refund { of } if *of == charge.id))
        .map(|t| t.amount)
        .sum();
    let whole = r.amount == charge.amount;
    match charge.status {
        GatewayStatus::Voided if whole => return Ok(RefundOutcome::Voided { transaction_id: charge.id }),
        _ if !took(&charge) => return refused("the charge took no money"),
        _ if bank.disputes.bar(&charge.id) => return refused(IS_DISPUTED),
        _ if r.amount.plus(gone) > charge.amount || (r.full && !whole) => return refused("more than was charged"),
        _ => {}
    }
    let unsettled = bank.refused_later.iter().any(|(id, _)| *id == charge.id);
    if now - charge.created_at < settle || unsettled {
        if !whole {
            return Ok(RefundOutcome::NotSettledYet);
        }
        bank.list[at].status = GatewayStatus::Voided;
        return Ok(RefundOutcome::Voided { transaction_id: charge.id });
    }
    if !w.calm() && w.refusals.often(w.plan.refunds_refused) {
        return refused(TAKES_NOTHING_BACK);
    }
    let t =
        transaction(w, &bank, &r.order_id, r.amount, GatewayKind::Refund { of: charge.id }, GatewayStatus::Captured);
    let id = t.id.clone();
    bank.list.push(t);
    Ok(RefundOutcome::Refunded { refund_id: id })
}

#[async_trait]
impl PaymentGateway for SimGateway {
    async fn client_token(&self, _: Option<&str>) -> Result<String, GatewayError> {
        Ok("token".into())
    }

    async fn create_customer(&self, _: &NewCustomer) -> Result<String, GatewayError> {
        Ok("cus_1".into())
    }

    async fn vault(&self, _: &str, nonce: &str) -> Result<VaultOutcome, GatewayError> {
        self.0.lag("gateway").await;
        if self.0.nasty(50) {
            return Err(GatewayError::Unavailable("by the seed".into()));
        }
        Ok(VaultOutcome::Stored(CardDetails {
            brand: "visa".into(),
            last4: "4242".into(),
            expiry: "01/2031".into(),
            method_id: format!("pm_{nonce}"),
            fingerprint: None,
        }))
    }

    async fn charge(&self, r: &ChargeRequest) -> Result<ChargeOutcome, GatewayError> {
        let request = r.clone();
        self.send(&r.order_id, "charge", r.amount, move |w| apply_charge(w, &request)).await
    }

    async fn disputes(&self, order: &str) -> Result<Vec<GatewayDispute>, GatewayError> {
        let w = &self.0;
        w.lag("gateway").await;
        let bank = w.bank.state();
        let of_order = bank.list.iter().filter(|t| t.order_id == order);
        Ok(of_order.filter_map(|t| bank.disputes.of(&t.id).cloned()).collect())
    }

    async fn find_by_order(&self, order_id: &str) -> Result<Vec<GatewayTransaction>, GatewayError> {
        let w = &self.0;
        w.lag("gateway").await;
        if w.nasty(40) {
            w.step(format_args!("gateway: cannot say what {order_id} is"));
            return Err(GatewayError::Unavailable("by the seed".into()));
        }
        w.settle_charges();
        let found: Vec<_> = w.bank.list().into_iter().filter(|t| t.order_id == order_id).collect();
        w.step(format_args!("gateway: found {} of {order_id}", found.len()));
        Ok(found)
    }

    async fn refund(&self, r: &RefundRequest) -> Result<RefundOutcome, GatewayError> {
        let request = r.clone();
        self.send(&r.order_id, "refund", r.amount, move |w| apply_refund(w, &request)).await?
    }

    async fn list(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<Vec<GatewayTransaction>, GatewayError> {
        self.0.lag("gateway").await;
        self.0.settle_charges();
        Ok(self.0.bank.list().into_iter().filter(|t| from <= t.created_at && t.created_at < until).collect())
    }
    fn silent_before(&self, wall_now: DateTime<Utc>) -> DateTime<Utc> {
        wall_now - Duration::milliseconds(i64::try_from(HORIZON).unwrap())
    }
}
