//! Tips: voluntary, untaxed, never part of the 20/80 split.

use chrono::{DateTime, Utc};
use kernel::{BasisPoints, BookingId, Exact, Money, PaymentId, TipId};
use pricing::TipTerms;

use serde::{Deserialize, Serialize};

use super::StoreResult;

/// What the number of a tip is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TipKind {
    /// Dollars.
    Amount,
    /// Per cent of the price before tax.
    Percent,
}

impl TipKind {
    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            TipKind::Amount => "amount",
            TipKind::Percent => "percent",
        }
    }

    /// The kind of a code.
    pub fn from_code(code: &str) -> Option<TipKind> {
        [TipKind::Amount, TipKind::Percent].into_iter().find(|kind| kind.code() == code)
    }
}

/// The tip of a booking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tip {
    /// Key.
    pub id: TipId,
    /// At most one a booking.
    pub booking_id: BookingId,
    /// What its value is.
    pub kind: TipKind,
    /// As entered.
    pub value: Exact,
    /// In cents, computed from the pre-tax amount when a percentage.
    pub amount: Money,
    /// True once captured.
    pub is_paid: bool,
    /// Its charge.
    pub payment_id: Option<PaymentId>,
    /// Counts up with each change.
    pub version: i32,
    /// Last change.
    pub updated_at: DateTime<Utc>,
}

impl Tip {
    /// What its giver's own words make of a price before tax; none where they cannot be read.
    pub fn given(&self, pre_tax: Money) -> Option<Money> {
        terms_of(self.kind, self.value).map(|terms| pricing::tip(terms, pre_tax))
    }
}

/// What somebody gives who entered this; none where it has more than two decimals.
pub fn terms_of(kind: TipKind, value: Exact) -> Option<TipTerms> {
    let hundredths = value.hundredths()?;
    Some(match kind {
        TipKind::Amount => TipTerms::Amount(Money::from_cents(hundredths)),
        // "12.5" per cent is 1250 basis points: two decimals, like cents.
        TipKind::Percent => TipTerms::Percent(BasisPoints::new(hundredths)),
    })
}

/// Tips.
pub trait Tips {
    /// By its own key.
    fn get(&mut self, id: TipId) -> StoreResult<Option<Tip>>;
    /// The tip of a booking.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Option<Tip>>;
    /// Adds or replaces (by booking).
    fn put(&mut self, tip: &Tip) -> StoreResult<()>;
}
