//! A card gateway that does what it is told, and remembers what it really did.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use chrono::{DateTime, Duration, Utc};
use kernel::Money;
use service::ports::payments::{
    CardDetails, ChargeOutcome, ChargeRequest, GatewayError, GatewayKind, GatewayStatus, GatewayTransaction, NewCustomer,
    PaymentGateway, RefundOutcome, RefundRequest, VaultOutcome,
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
    /// Everything in order, declines too.
    seen: Vec<Seen>,
}

pub struct FakeGateway {
    clock: Arc<HandClock>,
    state: Mutex<State>,
}

impl FakeGateway {
    pub fn new(clock: Arc<HandClock>) -> FakeGateway {
        FakeGateway { clock, state: Mutex::default() }
    }

    pub fn queue(&self, next: &[Next]) {
        self.state.lock().unwrap().next.extend(next);
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.state.lock().unwrap().seen.clone()
    }

    /// Another truth than the one it told.
    pub fn change(&self, how: impl FnOnce(&mut Vec<GatewayTransaction>)) {
        how(&mut self.state.lock().unwrap().list);
    }

    /// Money it holds: charges minus refunds and voids.
    pub fn net(&self) -> i64 {
        let state = self.state.lock().unwrap();
        let sign = |t: &GatewayTransaction| match (&t.kind, t.status) {
            (GatewayKind::Charge, GatewayStatus::Captured | GatewayStatus::Settled) => t.amount.cents(),
            (GatewayKind::Refund { .. }, GatewayStatus::Captured) => -t.amount.cents(),
            _ => 0,
        };
        state.list.iter().map(sign).sum()
    }
}

fn transaction(order_id: &str, amount: Money, kind: GatewayKind, status: GatewayStatus, at: DateTime<Utc>, n: usize) -> GatewayTransaction {
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

#[async_trait]
impl PaymentGateway for FakeGateway {
    async fn client_token(&self, _: Option<&str>) -> Result<String, GatewayError> {
        Ok("token".into())
    }

    async fn create_customer(&self, _: &NewCustomer) -> Result<String, GatewayError> {
        Ok("cus_1".into())
    }

    async fn vault(&self, _: &str, nonce: &str) -> Result<VaultOutcome, GatewayError> {
        if nonce.contains("declined") {
            return Ok(VaultOutcome::Refused { message: "Do Not Honor".into(), hard: true });
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
        let now = self.clock.now_value();
        let mut state = self.state.lock().unwrap();
        let known = state.list.iter().find(|t| t.order_id == r.order_id && t.status != GatewayStatus::Declined);
        if let Some(known) = known {
            return Ok(ChargeOutcome::Captured { transaction_id: known.id.clone(), legacy_id: None });
        }
        let next = state.next.pop_front().unwrap_or(Next::Approve);
        let n = state.list.len();
        let see = |state: &mut State, what| {
            state.seen.push(Seen { order_id: r.order_id.clone(), what, amount: r.amount.cents(), at: now });
        };
        match next {
            Next::Approve | Next::LostAnswer => {
                let t = transaction(&r.order_id, r.amount, GatewayKind::Charge, GatewayStatus::Captured, now, n);
                let id = t.id.clone();
                state.list.push(t);
                see(&mut state, "charge");
                if next == Next::LostAnswer {
                    return Err(GatewayError::Unknown("time-out".into()));
                }
                Ok(ChargeOutcome::Captured { transaction_id: id, legacy_id: None })
            }
            Next::LostRequest => Err(GatewayError::Unknown("time-out".into())),
            Next::Soft | Next::Hard => {
                let mut t = transaction(&r.order_id, r.amount, GatewayKind::Charge, GatewayStatus::Declined, now, n);
                t.declined_hard = Some(next == Next::Hard);
                state.list.push(t);
                see(&mut state, "decline");
                Ok(ChargeOutcome::Declined { hard: next == Next::Hard, code: "2001".into(), message: "Insufficient Funds".into(), transaction_id: None })
            }
        }
    }

    async fn find_by_order(&self, order_id: &str) -> Result<Vec<GatewayTransaction>, GatewayError> {
        Ok(self.state.lock().unwrap().list.iter().filter(|t| t.order_id == order_id).cloned().collect())
    }

    async fn refund(&self, r: &RefundRequest) -> Result<RefundOutcome, GatewayError> {
        let now = self.clock.now_value();
        let mut state = self.state.lock().unwrap();
        let n = state.list.len();
        let Some(charge) = state.list.iter_mut().find(|t| t.id == r.transaction_id) else { return Err(GatewayError::NotFound) };
        let settled = now - charge.created_at >= Duration::hours(12);
        if !settled && !r.full {
            return Ok(RefundOutcome::NotSettledYet);
        }
        if !settled {
            charge.status = GatewayStatus::Voided;
            let id = charge.id.clone();
            state.seen.push(Seen { order_id: r.order_id.clone(), what: "refund", amount: r.amount.cents(), at: now });
            return Ok(RefundOutcome::Voided { transaction_id: id });
        }
        let t = transaction(&r.order_id, r.amount, GatewayKind::Refund { of: r.transaction_id.clone() }, GatewayStatus::Captured, now, n);
        let id = t.id.clone();
        state.list.push(t);
        state.seen.push(Seen { order_id: r.order_id.clone(), what: "refund", amount: r.amount.cents(), at: now });
        Ok(RefundOutcome::Refunded { refund_id: id })
    }

    async fn list(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<Vec<GatewayTransaction>, GatewayError> {
        let state = self.state.lock().unwrap();
        Ok(state.list.iter().filter(|t| from <= t.created_at && t.created_at < until).cloned().collect())
    }

    /// It does what it does before it answers: nothing of it ever arrives later.
    fn silent_before(&self, wall_now: DateTime<Utc>) -> DateTime<Utc> {
        wall_now
    }
}
