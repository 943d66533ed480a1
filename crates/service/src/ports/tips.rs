//! Tips: voluntary, untaxed, never part of the 20/80 split.

use chrono::{DateTime, Utc};
use kernel::{BasisPoints, BookingId, Money, PaymentId, TipId};
use pricing::TipTerms;

use serde::{Deserialize, Serialize};

use super::StoreResult;

/// The tip of a booking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tip {
    /// Key.
    pub id: TipId,
    /// At most one a booking.
    pub booking_id: BookingId,
    /// `amount` or `percent`.
    pub kind: String,
    /// As entered, comma already a dot.
    pub value: String,
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
        terms_of(&self.kind, &self.value).map(|terms| pricing::tip(terms, pre_tax))
    }
}

/// What somebody gives who entered this, with a dot; none when it is no tip.
pub fn terms_of(kind: &str, value: &str) -> Option<TipTerms> {
    let hundredths: Money = value.parse().ok()?;
    match kind {
        "amount" => Some(TipTerms::Amount(hundredths)),
        // "12.5" per cent is 1250 basis points: two decimals, like cents.
        "percent" => Some(TipTerms::Percent(BasisPoints::new(hundredths.cents()))),
        _ => None,
    }
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
