//! Payment fields that identify booking, purpose and method.

use serde::{Deserialize, Serialize};

/// A payment field that identifies booking, purpose or method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowField {
    /// Whose it is, by the code of a booking.
    Booking,
    /// What for, a code of [`PaymentKind`].
    Kind,
    /// How it was paid, a code of [`crate::ports::payments::PaidWith`].
    Method,
    /// The charge that a refund returns, by what that is for.
    Charge,
    /// The gateway's key.
    Transaction,
    /// The order id of its attempt.
    Order,
}

impl RowField {
    /// All of them.
    pub const ALL: [RowField; 6] =
        [RowField::Booking, RowField::Kind, RowField::Method, RowField::Charge, RowField::Transaction, RowField::Order];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            RowField::Booking => "booking",
            RowField::Kind => "kind",
            RowField::Method => "method",
            RowField::Charge => "charge",
            RowField::Transaction => "transaction",
            RowField::Order => "order",
        }
    }
}

/// A field that reads something else than the row's money says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Which.
    pub field: RowField,
    /// As the row has it.
    pub reads: String,
    /// As its money says; none where nobody knows.
    pub right: Option<String>,
    /// Under which the payment service made it; none by hand, and where that is no witness.
    pub order: Option<String>,
}
