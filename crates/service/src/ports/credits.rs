//! What staff gave back of a booking's price, or waived.

use chrono::{DateTime, Utc};
use kernel::{Money, UserId};
use serde::{Deserialize, Serialize};

/// How a credit is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CreditKind {
    /// Money that was paid goes back at once, and is not asked for again.
    Refund,
    /// Less is owed. What was paid beyond that goes back.
    Goodwill,
}

impl CreditKind {
    /// All of them.
    pub const ALL: [CreditKind; 2] = [CreditKind::Refund, CreditKind::Goodwill];

    /// `refund` or `goodwill`.
    pub const fn code(self) -> &'static str {
        match self {
            CreditKind::Refund => "refund",
            CreditKind::Goodwill => "goodwill",
        }
    }

    /// Of its code.
    pub fn from_code(code: &str) -> Option<CreditKind> {
        CreditKind::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// One credit. The price of the booking and its lines stay as they were agreed: what is owed is the price less its
/// credits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credit {
    /// How.
    pub kind: CreditKind,
    /// Tax included; above zero.
    pub amount: Money,
    /// Why, in the words of whoever gave it.
    pub reason: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Who gave it.
    pub by: Option<UserId>,
    /// Given of what a cancellation kept, not of the price.
    #[serde(default)]
    pub of_cancellation: bool,
    /// Its cancellation was taken back: it counts no longer.
    #[serde(default)]
    pub ended: bool,
}
