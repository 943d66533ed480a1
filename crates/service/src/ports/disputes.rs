//! Charges that their cardholders dispute: what the bank says, and what we answer it with.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money, PaymentId, UserId};
use serde::{Deserialize, Serialize};

use super::StoreResult;

kernel::typed_ids! {
    /// A dispute.
    DisputeId
}

/// Where a dispute stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DisputeState {
    /// The bank holds the money until it has decided.
    Opened,
    /// The money is ours.
    Won,
    /// The bank gave it back to the cardholder.
    Lost,
}

impl DisputeState {
    /// All of them.
    pub const ALL: [DisputeState; 3] = [DisputeState::Opened, DisputeState::Won, DisputeState::Lost];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            DisputeState::Opened => "opened",
            DisputeState::Won => "won",
            DisputeState::Lost => "lost",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<DisputeState> {
        DisputeState::ALL.into_iter().find(|s| s.code() == code)
    }
}

/// A paper that answers a dispute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paper {
    /// The confirmation that was mailed, with price and dates.
    Confirmation,
    /// The guidelines as the customer accepted them, with version and instant.
    Guidelines,
    /// The statement of the booking.
    Statement,
    /// Photos of the move.
    Photos,
    /// When the crew arrived, worked and left.
    CrewTimes,
    /// What was written with the customer.
    Messages,
    /// The signature or consent of the customer on the day.
    Signature,
    /// Refunds and goodwill that were given already.
    Refunds,
}

impl Paper {
    /// All of them, in the order of the list.
    pub const ALL: [Paper; 8] = [
        Paper::Confirmation,
        Paper::Guidelines,
        Paper::Statement,
        Paper::Photos,
        Paper::CrewTimes,
        Paper::Messages,
        Paper::Signature,
        Paper::Refunds,
    ];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Paper::Confirmation => "confirmation",
            Paper::Guidelines => "guidelines",
            Paper::Statement => "statement",
            Paper::Photos => "photos",
            Paper::CrewTimes => "crew_times",
            Paper::Messages => "messages",
            Paper::Signature => "signature",
            Paper::Refunds => "refunds",
        }
    }

    /// The paper of a code.
    pub fn from_code(code: &str) -> Option<Paper> {
        Paper::ALL.into_iter().find(|p| p.code() == code)
    }
}

/// What staff wrote at one paper of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// Which.
    pub paper: Paper,
    /// It was sent to the bank.
    pub sent: bool,
    /// A note for colleagues.
    #[serde(default)]
    pub note: String,
    /// Who wrote it last.
    pub by: Option<UserId>,
    /// When.
    pub at: DateTime<Utc>,
}

/// A dispute.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispute {
    /// Key.
    pub id: DisputeId,
    /// Whose booking.
    pub booking_id: BookingId,
    /// The charge.
    pub payment_id: PaymentId,
    /// The gateway's key.
    pub gateway_id: String,
    /// Where it stands.
    pub state: DisputeState,
    /// How much of the charge.
    pub amount: Money,
    /// What the gateway and the bank kept for themselves, as staff read it there.
    pub fee: Money,
    /// The gateway's word for why: `fraud`, `product_not_received`, …; empty when it says none.
    pub reason: String,
    /// The bank's number of the case.
    pub case_number: Option<String>,
    /// Until when it can be answered.
    pub reply_by: Option<DateTime<Utc>>,
    /// When we learned of it.
    pub opened_at: DateTime<Utc>,
    /// When we learned how it ended.
    pub decided_at: Option<DateTime<Utc>>,
    /// What staff wrote at the papers of the list.
    pub evidence: Vec<Evidence>,
    /// Counts up with each change.
    pub version: i32,
}

/// Disputes.
pub trait Disputes {
    /// Adds; `Duplicate` when the gateway's key is known.
    fn insert(&mut self, dispute: &Dispute) -> StoreResult<()>;
    /// One.
    fn get(&mut self, id: DisputeId) -> StoreResult<Option<Dispute>>;
    /// By the gateway's key.
    fn of_gateway(&mut self, gateway_id: &str) -> StoreResult<Option<Dispute>>;
    /// Those of a booking, oldest first.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Dispute>>;
    /// A page: open ones first, the next deadline first; then those that ended, newest first. And how many there are.
    fn listed(&mut self, skip: i64, limit: i64) -> StoreResult<(Vec<Dispute>, i64)>;
    /// Writes if the stored version equals `dispute.version`; answers the new version, else `Stale`.
    fn update(&mut self, dispute: &Dispute) -> StoreResult<i32>;
}
