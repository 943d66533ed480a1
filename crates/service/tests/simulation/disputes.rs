//! Cardholders who dispute what was charged: the bank takes the money back, decides days later, and tells of it by
//! notifications that come once, twice or never.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use service::ports::{
    disputes::DisputeState,
    payments::{
        DISPUTE_LOST, DISPUTE_OPEN, DISPUTE_WON, GatewayDispute, GatewayKind, GatewayStatus, GatewayTransaction,
    },
};

use crate::dice::Dice;

/// What is said of a refund of a charge that is disputed, or was and was lost.
pub const IS_DISPUTED: &str = "the charge is disputed";

/// A charge whose cardholder will dispute it.
struct Planned {
    transaction: String,
    opens: DateTime<Utc>,
    decided: DateTime<Utc>,
    won: bool,
}

/// All of a gateway, and what comes.
#[derive(Default)]
pub struct Disputes {
    planned: Vec<Planned>,
    known: BTreeMap<String, GatewayDispute>,
}

impl Disputes {
    /// So the seed decided about a charge.
    pub fn plan(&mut self, transaction: &str, charged: DateTime<Utc>, d: &Dice) {
        let opens = charged + Duration::hours(d.pick(&[30, 60, 200]));
        let decided = opens + Duration::hours(d.pick(&[1, 90]));
        self.planned.push(Planned { transaction: transaction.to_owned(), opens, decided, won: d.often(500) });
    }

    /// Opens and decides what is due; answers the order ids there is something to tell of.
    pub fn pass(&mut self, list: &mut [GatewayTransaction], now: DateTime<Utc>) -> Vec<String> {
        let mut told = Vec::new();
        for n in 0..self.planned.len() {
            let p = &self.planned[n];
            let Some(at) = list.iter().position(|t| t.id == p.transaction) else { continue };
            let state = self.known.get(&p.transaction).map(|d| d.state);
            let ends = if p.won { DisputeState::Won } else { DisputeState::Lost };
            let becomes = match state {
                None if p.opens <= now => DisputeState::Opened,
                Some(DisputeState::Opened) if p.decided <= now => ends,
                _ => continue,
            };
            // Only what has settled is disputed, and only what has not gone back.
            let gone = |t: &&GatewayTransaction| {
                matches!(&t.kind, GatewayKind::Refund { of } if *of == p.transaction)
                    && t.status != GatewayStatus::Declined
            };
            let amount = list[at].amount.minus(list.iter().filter(gone).map(|t| t.amount).sum());
            if state.is_none() && (list[at].status != GatewayStatus::Settled || !amount.is_positive()) {
                continue;
            }
            let code = match becomes {
                DisputeState::Opened => DISPUTE_OPEN,
                DisputeState::Won => DISPUTE_WON,
                DisputeState::Lost => DISPUTE_LOST,
            };
            list[at].code = Some(code.to_owned());
            told.push(list[at].order_id.clone());
            let new = GatewayDispute {
                id: format!("dispute_{}", p.transaction),
                transaction_id: p.transaction.clone(),
                state: becomes,
                amount,
                reason: "fraud".into(),
                case_number: None,
                reply_by: Some(p.decided),
            };
            self.known.entry(p.transaction.clone()).or_insert(new).state = becomes;
        }
        told
    }

    /// Those of a charge.
    pub fn of(&self, transaction: &str) -> Option<&GatewayDispute> {
        self.known.get(transaction)
    }

    /// The bank holds the money of it, or has given it to the cardholder.
    pub fn bar(&self, transaction: &str) -> bool {
        self.of(transaction).is_some_and(|d| d.state != DisputeState::Won)
    }

    /// All that were ever opened.
    pub fn all(&self) -> Vec<GatewayDispute> {
        self.known.values().cloned().collect()
    }

    /// When the next one opens or is decided.
    pub fn next(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.planned.iter().flat_map(|p| [p.opens, p.decided]).filter(|at| *at > now).min()
    }
}
