//! A card gateway that does what it is told, and remembers what it really did.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use chrono::{DateTime, Duration, Utc};
use kernel::Money;
use service::ports::{
    disputes::DisputeState,
    payments::{
        CardDetails, ChargeOutcome, ChargeRequest, DISPUTE_LOST, DISPUTE_OPEN, DISPUTE_WON, GatewayDispute,
        GatewayError, GatewayKind, GatewayStatus, GatewayTransaction, NewCustomer, PaymentGateway, RefundOutcome,
        RefundRequest, VaultOutcome,
    },
};

use super::HandClock;

/// How the next charge ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Approve,
    Soft,
    Hard,
    /// Done, but nobody hears of it.
    LostAnswer,
    /// Not done, and nobody hears of it.
    LostRequest,
    /// Held back: the caller gives up, and it is done when [`FakeGateway::deliver`] says so.
    Late,
    /// The charge has not settled yet: part of it cannot be returned.
    NotSettled,
    /// Done after so many real milliseconds, while the caller waits.
    Slow(u64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub order_id: String,
    pub what: &'static str,
    pub amount: i64,
    pub at: DateTime<Utc>,
}

#[derive(Default)]
struct State {
    next: VecDeque<Next>,
    list: Vec<GatewayTransaction>,
    disputes: Vec<GatewayDispute>,
    no_list: bool,
    /// Everything in order, declines too.
    seen: Vec<Seen>,
    /// How the next refunds go.
    next_refund: VecDeque<Next>,
    /// What every call does when nothing is queued.
    usual: Option<Next>,
    held_charges: Vec<ChargeRequest>,
    held_refunds: Vec<RefundRequest>,
    /// Real milliseconds within which a send may still be applied.
    horizon: i64,
    /// Look-ups get no answer.
    mute: bool,
    /// With these words whoever asks for the list panics.
    panics: Option<&'static str>,
    /// A merchant account without request keys applies what it is sent, however often.
    forgetful: bool,
}

pub struct FakeGateway {
    clock: Arc<HandClock>,
    state: Mutex<State>,
    /// Whoever holds it for writing keeps cards from being checked.
    pub vaulting: tokio::sync::RwLock<()>,
}

impl FakeGateway {
    pub fn new(clock: Arc<HandClock>) -> FakeGateway {
        FakeGateway { clock, state: Mutex::default(), vaulting: tokio::sync::RwLock::default() }
    }

    pub fn queue(&self, next: &[Next]) {
        self.state.lock().unwrap().next.extend(next);
    }

    pub fn queue_refund(&self, next: &[Next]) {
        self.state.lock().unwrap().next_refund.extend(next);
    }

    /// Every call from now on, when nothing is queued.
    pub fn usually(&self, next: Next) {
        self.state.lock().unwrap().usual = Some(next);
    }

    /// Sends may still be applied so many real milliseconds later.
    pub fn may_be_late(&self, millis: i64) {
        self.state.lock().unwrap().horizon = millis;
    }

    /// Request keys are off: the same order id twice is two transactions.
    pub fn forget_keys(&self) {
        self.state.lock().unwrap().forgetful = true;
    }

    /// Whether the list of transactions can be had.
    pub fn gives_no_list(&self, away: bool) {
        self.state.lock().unwrap().no_list = away;
    }

    /// Whoever asks for the list panics with these words.
    pub fn panic_over_the_list(&self, words: &'static str) {
        self.state.lock().unwrap().panics = Some(words);
    }

    /// Look-ups get no answer from now on.
    pub fn answer_no_look_up(&self) {
        self.state.lock().unwrap().mute = true;
    }

    /// Does what it held back.
    pub fn deliver(&self) -> usize {
        let now = self.clock.now_value();
        let mut state = self.state.lock().unwrap();
        let (charges, refunds) = (std::mem::take(&mut state.held_charges), std::mem::take(&mut state.held_refunds));
        let made = charges.len() + refunds.len();
        for r in &charges {
            state.take(r, now);
        }
        for r in &refunds {
            state.give(r, now).unwrap();
        }
        made
    }

    /// Money-moving transactions per order id, those beyond the first.
    pub fn repeated(&self) -> Vec<String> {
        let state = self.state.lock().unwrap();
        let mut orders: Vec<&String> =
            state.list.iter().filter(|t| t.status != GatewayStatus::Declined).map(|t| &t.order_id).collect();
        orders.sort();
        orders.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0].clone()).collect()
    }

    pub fn charges(&self) -> Vec<i64> {
        self.seen().iter().filter(|s| s.what == "charge").map(|s| s.amount).collect()
    }

    pub fn refunds(&self) -> Vec<i64> {
        self.seen().iter().filter(|s| s.what == "refund").map(|s| s.amount).collect()
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.state.lock().unwrap().seen.clone()
    }

    /// Another truth than the one it told.
    pub fn change(&self, how: impl FnOnce(&mut Vec<GatewayTransaction>)) {
        how(&mut self.state.lock().unwrap().list);
    }

    /// The cardholder disputes the charge of an order id, or the bank has decided.
    pub fn dispute(&self, order_id: &str, stands: DisputeState) {
        let mut state = self.state.lock().unwrap();
        let state = &mut *state;
        let charge = |t: &&mut GatewayTransaction| t.order_id == order_id && t.kind == GatewayKind::Charge;
        let t = state.list.iter_mut().find(charge).unwrap();
        t.status = GatewayStatus::Settled;
        let code = match stands {
            DisputeState::Opened => DISPUTE_OPEN,
            DisputeState::Won => DISPUTE_WON,
            DisputeState::Lost => DISPUTE_LOST,
        };
        t.code = Some(code.to_owned());
        let id = format!("dispute_{}", t.id);
        match state.disputes.iter_mut().find(|d| d.id == id) {
            Some(known) => known.state = stands,
            None => state.disputes.push(GatewayDispute {
                id,
                transaction_id: t.id.clone(),
                state: stands,
                amount: t.amount,
                reason: "fraud".into(),
                case_number: Some("CASE-1".into()),
                reply_by: Some(t.created_at + Duration::days(20)),
            }),
        }
    }

    /// The bank has taken or given back the money of a charge.
    pub fn settles(&self, order_id: &str) {
        let mut state = self.state.lock().unwrap();
        let charge = |t: &&mut GatewayTransaction| t.order_id == order_id && t.kind == GatewayKind::Charge;
        state.list.iter_mut().find(charge).unwrap().status = GatewayStatus::Settled;
    }

    /// The bank does not take a refund that it was given under this order id, or that settled there.
    pub fn refuses_refund(&self, order_id: &str) {
        let mut state = self.state.lock().unwrap();
        let refund =
            |t: &&mut GatewayTransaction| t.order_id == order_id && matches!(t.kind, GatewayKind::Refund { .. });
        state.list.iter_mut().find(refund).unwrap().status = GatewayStatus::Declined;
    }

    /// Money it holds: charges minus refunds and voids.
    pub fn net(&self) -> i64 {
        let state = self.state.lock().unwrap();
        let sign = |t: &GatewayTransaction| match (&t.kind, t.status) {
            (GatewayKind::Charge, GatewayStatus::Captured | GatewayStatus::Settled) => t.amount.cents(),
            (GatewayKind::Refund { .. }, GatewayStatus::Captured | GatewayStatus::Settled) => -t.amount.cents(),
            _ => 0,
        };
        state.list.iter().map(sign).sum()
    }
}

fn transaction(
    order_id: &str,
    amount: Money,
    kind: GatewayKind,
    status: GatewayStatus,
    at: DateTime<Utc>,
    n: usize,
) -> GatewayTransaction {
    GatewayTransaction {
        id: format!("tx_{n}"),
        order_id: order_id.to_owned(),
        amount,
        kind,
        status,
        created_at: at,
        declined_hard: None,
        code: None,
    }
}

impl State {
    fn see(&mut self, order_id: &str, what: &'static str, amount: Money, at: DateTime<Utc>) {
        self.seen.push(Seen { order_id: order_id.to_owned(), what, amount: amount.cents(), at });
    }

    fn take(&mut self, r: &ChargeRequest, now: DateTime<Utc>) -> ChargeOutcome {
        let known = self.list.iter().find(|t| t.order_id == r.order_id && t.status != GatewayStatus::Declined);
        if let Some(known) = known.filter(|_| !self.forgetful) {
            return ChargeOutcome::Captured { transaction_id: known.id.clone(), legacy_id: None };
        }
        let t = transaction(&r.order_id, r.amount, GatewayKind::Charge, GatewayStatus::Captured, now, self.list.len());
        let id = t.id.clone();
        self.list.push(t);
        self.see(&r.order_id, "charge", r.amount, now);
        ChargeOutcome::Captured { transaction_id: id, legacy_id: None }
    }

    fn give(&mut self, r: &RefundRequest, now: DateTime<Utc>) -> Result<RefundOutcome, GatewayError> {
        let n = self.list.len();
        let back: i64 = self
            .list
            .iter()
            .filter(|t| matches!(&t.kind, GatewayKind::Refund { of } if *of == r.transaction_id))
            .filter(|t| t.status != GatewayStatus::Declined)
            .map(|t| t.amount.cents())
            .sum();
        let Some(charge) = self.list.iter_mut().find(|t| t.id == r.transaction_id) else {
            return Err(GatewayError::NotFound);
        };
        if charge.status == GatewayStatus::Voided || back + r.amount.cents() > charge.amount.cents() {
            return Ok(RefundOutcome::Refused { code: "91512".into(), message: "already returned".into() });
        }
        let settled = now - charge.created_at >= Duration::hours(12);
        if !settled && !r.full {
            return Ok(RefundOutcome::NotSettledYet);
        }
        if !settled {
            charge.status = GatewayStatus::Voided;
            let id = charge.id.clone();
            self.see(&r.order_id, "refund", r.amount, now);
            return Ok(RefundOutcome::Voided { transaction_id: id });
        }
        let t = transaction(
            &r.order_id,
            r.amount,
            GatewayKind::Refund { of: r.transaction_id.clone() },
            GatewayStatus::Captured,
            now,
            n,
        );
        let id = t.id.clone();
        self.list.push(t);
        self.see(&r.order_id, "refund", r.amount, now);
        Ok(RefundOutcome::Refunded { refund_id: id })
    }
}

#[async_trait]
impl PaymentGateway for FakeGateway {
    async fn client_token(&self, _: Option<&str>) -> Result<String, GatewayError> {
        Ok("token".into())
    }

    async fn create_customer(&self, _: &NewCustomer) -> Result<String, GatewayError> {
        Ok("cus_1".into())
    }

    async fn vault(&self, _: &str, nonce: &str) -> Result<VaultOutcome, GatewayError> {
        let _turn = self.vaulting.read().await;
        if nonce.contains("declined") {
            return Ok(VaultOutcome::Refused { message: "Do Not Honor".into(), code: "2000".into(), hard: true });
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
        let next = {
            let mut state = self.state.lock().unwrap();
            state.next.pop_front().or(state.usual).unwrap_or(Next::Approve)
        };
        if let Next::Slow(millis) = next {
            tokio::time::sleep(std::time::Duration::from_millis(millis)).await;
        }
        let now = self.clock.now_value();
        let mut state = self.state.lock().unwrap();
        match next {
            Next::Approve | Next::NotSettled | Next::Slow(_) => Ok(state.take(r, now)),
            Next::LostAnswer => {
                state.take(r, now);
                Err(GatewayError::Unknown("time-out".into()))
            }
            Next::LostRequest => Err(GatewayError::Unknown("time-out".into())),
            Next::Late => {
                state.held_charges.push(r.clone());
                Err(GatewayError::Unknown("time-out".into()))
            }
            Next::Soft | Next::Hard => {
                let n = state.list.len();
                let mut t = transaction(&r.order_id, r.amount, GatewayKind::Charge, GatewayStatus::Declined, now, n);
                t.declined_hard = Some(next == Next::Hard);
                state.list.push(t);
                state.see(&r.order_id, "decline", r.amount, now);
                Ok(ChargeOutcome::Declined {
                    hard: next == Next::Hard,
                    code: "2001".into(),
                    message: "Insufficient Funds".into(),
                    transaction_id: None,
                })
            }
        }
    }

    async fn find_by_order(&self, order_id: &str) -> Result<Vec<GatewayTransaction>, GatewayError> {
        if self.state.lock().unwrap().mute {
            std::future::pending::<()>().await;
        }
        Ok(self.state.lock().unwrap().list.iter().filter(|t| t.order_id == order_id).cloned().collect())
    }

    async fn disputes(&self, order_id: &str) -> Result<Vec<GatewayDispute>, GatewayError> {
        let state = self.state.lock().unwrap();
        let of_order =
            |d: &&GatewayDispute| state.list.iter().any(|t| t.id == d.transaction_id && t.order_id == order_id);
        Ok(state.disputes.iter().filter(of_order).cloned().collect())
    }

    async fn refund(&self, r: &RefundRequest) -> Result<RefundOutcome, GatewayError> {
        let next = {
            let mut state = self.state.lock().unwrap();
            state.next_refund.pop_front().or(state.usual).unwrap_or(Next::Approve)
        };
        if let Next::Slow(millis) = next {
            tokio::time::sleep(std::time::Duration::from_millis(millis)).await;
        }
        let now = self.clock.now_value();
        let mut state = self.state.lock().unwrap();
        match next {
            Next::LostRequest => Err(GatewayError::Unknown("time-out".into())),
            Next::Late => {
                state.held_refunds.push(r.clone());
                Err(GatewayError::Unknown("time-out".into()))
            }
            Next::LostAnswer => {
                state.give(r, now)?;
                Err(GatewayError::Unknown("time-out".into()))
            }
            Next::NotSettled => Ok(RefundOutcome::NotSettledYet),
            Next::Hard => {
                state.see(&r.order_id, "refusal", r.amount, now);
                Ok(RefundOutcome::Refused { code: "91512".into(), message: "already refunded".into() })
            }
            _ => state.give(r, now),
        }
    }

    /// Unless told otherwise it does at once what it does at all.
    fn silent_before(&self, wall_now: DateTime<Utc>) -> DateTime<Utc> {
        match self.state.lock().unwrap().horizon {
            0 => wall_now + Duration::seconds(1),
            millis => wall_now - Duration::milliseconds(millis),
        }
    }

    async fn list(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<Vec<GatewayTransaction>, GatewayError> {
        let panics = self.state.lock().unwrap().panics;
        if let Some(words) = panics {
            panic!("{words}");
        }
        let state = self.state.lock().unwrap();
        if state.no_list {
            return Err(GatewayError::Unavailable("connection refused".into()));
        }
        Ok(state.list.iter().filter(|t| from <= t.created_at && t.created_at < until).cloned().collect())
    }
}
