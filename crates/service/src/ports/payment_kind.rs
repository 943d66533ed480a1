//! What a payment row is for.

use serde::{Deserialize, Serialize};

/// What a payment row is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum PaymentKind {
    Deposit,
    Balance,
    Full,
    Difference,
    Tip,
    Overtime,
    CancellationFee,
    Refund,
    /// What staff give away: less is owed, and no money moves. No such row is made: it is a credit of the booking
    /// ([`super::credits`]).
    Goodwill,
    /// Money paid for damage. No such row is made.
    Claim,
}

impl PaymentKind {
    /// All kinds.
    pub const ALL: [PaymentKind; 10] = [
        PaymentKind::Deposit,
        PaymentKind::Balance,
        PaymentKind::Full,
        PaymentKind::Difference,
        PaymentKind::Tip,
        PaymentKind::Overtime,
        PaymentKind::CancellationFee,
        PaymentKind::Refund,
        PaymentKind::Goodwill,
        PaymentKind::Claim,
    ];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            PaymentKind::Deposit => "deposit",
            PaymentKind::Balance => "balance",
            PaymentKind::Full => "full",
            PaymentKind::Difference => "difference",
            PaymentKind::Tip => "tip",
            PaymentKind::Overtime => "overtime",
            PaymentKind::CancellationFee => "cancellation_fee",
            PaymentKind::Refund => "refund",
            PaymentKind::Goodwill => "goodwill",
            PaymentKind::Claim => "claim",
        }
    }

    /// The kind of a code.
    pub fn from_code(code: &str) -> Option<PaymentKind> {
        PaymentKind::ALL.into_iter().find(|k| k.code() == code)
    }

    /// Money the customer pays.
    pub const fn is_charge(self) -> bool {
        match self {
            PaymentKind::Deposit
            | PaymentKind::Balance
            | PaymentKind::Full
            | PaymentKind::Difference
            | PaymentKind::Tip
            | PaymentKind::Overtime
            | PaymentKind::CancellationFee => true,
            PaymentKind::Refund | PaymentKind::Goodwill | PaymentKind::Claim => false,
        }
    }
}
