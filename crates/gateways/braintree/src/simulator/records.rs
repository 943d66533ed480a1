//! What the simulator writes down.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::Money;
use serde::{Deserialize, Serialize};

use super::outcomes::{Operation, Outcome};
use super::settings::Settings;

/// How long a captured charge stays unsettled.
const SETTLES_AFTER: TimeDelta = TimeDelta::hours(12);

/// What may be remembered of a card. Never its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Card {
    /// As in `CreditCardBrandCode`, upper case.
    pub brand: String,
    pub last4: String,
    /// `MM`.
    pub month: String,
    /// `YYYY`.
    pub year: String,
    /// Keyed hash of the number.
    pub fingerprint: String,
}

/// A refusal by bank or gateway: of a verification, a charge or a refund.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Decline {
    /// `PROCESSOR_DECLINED`, `GATEWAY_REJECTED` or `FAILED`.
    pub status: String,
    pub code: Option<String>,
    pub message: String,
    /// `SOFT` or `HARD`.
    pub kind: Option<String>,
    /// `gatewayRejectionReason`.
    pub reason: Option<String>,
    /// Legacy id of the original of a rejected duplicate.
    pub duplicate_of: Option<String>,
}

impl Decline {
    pub(super) fn processor(code: &str, message: &str, kind: &str) -> Self {
        Decline {
            status: "PROCESSOR_DECLINED".to_owned(),
            code: Some(code.to_owned()),
            message: message.to_owned(),
            kind: Some(kind.to_owned()),
            reason: None,
            duplicate_of: None,
        }
    }

    pub(super) fn failed() -> Self {
        Decline {
            status: "FAILED".to_owned(),
            kind: None,
            ..Decline::processor("3000", "Processor Network Unavailable - Try Again", "SOFT")
        }
    }

    pub(super) fn gateway(reason: &str) -> Self {
        Decline {
            status: "GATEWAY_REJECTED".to_owned(),
            code: None,
            message: format!("Gateway Rejected: {}", reason.to_lowercase()),
            kind: None,
            reason: Some(reason.to_owned()),
            duplicate_of: None,
        }
    }

    pub(super) fn duplicate(original: &str) -> Self {
        Decline { duplicate_of: Some(original.to_owned()), ..Decline::gateway("DUPLICATE") }
    }

    /// The refusal a queued outcome stands for.
    pub(super) fn queued(outcome: Outcome) -> Option<Self> {
        match outcome {
            Outcome::SoftDecline => Some(Decline::processor("2001", "Insufficient Funds", "SOFT")),
            Outcome::HardDecline => Some(Decline::processor("2004", "Expired Card", "HARD")),
            _ => None,
        }
    }
}

/// A card behind a single-use nonce.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Nonce {
    pub nonce: String,
    pub card: Card,
    /// What its verification will say.
    pub check: Option<Decline>,
    pub at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Customer {
    pub seq: u64,
    /// Portage's own key, as told in `clientMutationId`.
    pub user_ref: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub at: DateTime<Utc>,
}

/// A stored card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Method {
    pub seq: u64,
    /// Legacy id.
    pub customer: String,
    pub card: Card,
    pub at: DateTime<Utc>,
}

/// The caller's idempotency key, and a hash of what it came with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RequestKey {
    pub key: String,
    pub input: String,
}

/// A charge or a refund, made or refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Payment {
    pub seq: u64,
    /// Legacy id of the charge a refund returns.
    pub refund_of: Option<String>,
    pub order_id: Option<String>,
    /// Legacy id.
    pub customer: Option<String>,
    /// What was charged: legacy id of a method, or a nonce.
    pub method: Option<String>,
    pub amount: Money,
    pub currency: String,
    pub merchant_account: Option<String>,
    pub at: DateTime<Utc>,
    pub decline: Option<Decline>,
    pub request_key: Option<RequestKey>,
    #[serde(default)]
    pub voided_at: Option<DateTime<Utc>>,
    /// Settled by hand before its time.
    #[serde(default)]
    pub settled: Option<Settled>,
    /// What its settlement will bring; none: the money.
    #[serde(default)]
    pub fate: Option<Fate>,
    /// What was said by hand about its dispute.
    #[serde(default)]
    pub disputes: Vec<DisputeStep>,
}

/// What may go wrong after a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Fate {
    /// The bank refuses to settle.
    SettlementDecline,
    /// It settles, and its cardholder disputes it at once.
    Dispute,
}

impl Fate {
    /// The fate an outcome stands for.
    pub(super) fn of(outcome: Outcome) -> Option<Fate> {
        match outcome {
            Outcome::SettlementDecline => Some(Fate::SettlementDecline),
            Outcome::Dispute => Some(Fate::Dispute),
            _ => None,
        }
    }
}

/// Where a dispute stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DisputeState {
    Opened,
    Won,
    Lost,
}

impl DisputeState {
    /// `DisputeStatus` of the schema.
    pub(super) fn graphql(self) -> &'static str {
        match self {
            DisputeState::Opened => "OPEN",
            DisputeState::Won => "WON",
            DisputeState::Lost => "LOST",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DisputeStep {
    pub state: DisputeState,
    pub at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settled {
    pub at: DateTime<Utc>,
    pub declined: bool,
}

impl Payment {
    pub(super) fn legacy_id(&self) -> String {
        legacy_id(self.seq)
    }

    pub(super) fn is_refund(&self) -> bool {
        self.refund_of.is_some()
    }

    /// When it settled or will.
    pub(super) fn settles_at(&self) -> DateTime<Utc> {
        self.settled.as_ref().map_or(self.at + SETTLES_AFTER, |s| s.at)
    }

    /// `PaymentStatus` as of `now`.
    pub(super) fn status(&self, now: DateTime<Utc>) -> &str {
        if let Some(decline) = &self.decline {
            return &decline.status;
        }
        match &self.settled {
            _ if self.voided_at.is_some() => "VOIDED",
            Some(Settled { declined: true, .. }) => "SETTLEMENT_DECLINED",
            Some(_) => "SETTLED",
            None if now < self.settles_at() => "SUBMITTED_FOR_SETTLEMENT",
            None if self.fate == Some(Fate::SettlementDecline) => "SETTLEMENT_DECLINED",
            None => "SETTLED",
        }
    }

    /// The steps of its dispute as of `now`, oldest first; empty while nobody disputes it.
    pub(super) fn dispute(&self, now: DateTime<Utc>) -> Vec<DisputeStep> {
        let fated = self.fate == Some(Fate::Dispute) && self.status(now) == "SETTLED";
        let opened = fated.then(|| DisputeStep { state: DisputeState::Opened, at: self.settles_at() });
        opened.into_iter().chain(self.disputes.iter().cloned()).collect()
    }

    /// Did it move money that has not come back by a void?
    pub(super) fn holds(&self, now: DateTime<Utc>) -> bool {
        matches!(self.status(now), "SETTLED" | "SUBMITTED_FOR_SETTLEMENT")
    }
}

/// The id the gateway's control panel would show.
pub(super) fn legacy_id(seq: u64) -> String {
    format!("sim{seq:05}")
}

/// One thing that happened. A line of the file is a list of these, applied together or not at all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Event {
    Opened {
        salt: String,
    },
    Customer(Customer),
    Nonce(Nonce),
    NonceUsed {
        nonce: String,
    },
    Method(Method),
    Payment(Box<Payment>),
    Voided {
        payment: String,
        at: DateTime<Utc>,
    },
    Settled {
        payment: String,
        at: DateTime<Utc>,
        declined: bool,
    },
    Disputed {
        payment: String,
        step: DisputeStep,
    },
    Queued {
        operation: Operation,
        key: String,
        outcomes: Vec<Outcome>,
        /// After the operation, before the answer.
        delay_ms: u64,
        /// Before the operation.
        #[serde(default)]
        delay_before_ms: u64,
        #[serde(default)]
        twice: bool,
    },
    Unqueued {
        operation: Operation,
        key: String,
    },
    QueueCleared,
    Settings(Box<Settings>),
    /// These webhooks were sent, whether anybody took them or not.
    Notified {
        notices: Vec<String>,
    },
}
