//! Charges that failed, and what staff had done about them.

use chrono::{DateTime, Utc};
use kernel::{Money, PaymentId, UserId};
use serde::{Deserialize, Serialize};

use super::{StoreResult, payments::Payment};

/// An amount that is not asked for any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WriteOff {
    /// The charge that did not come.
    pub payment: PaymentId,
    /// Tax included; above zero.
    pub amount: Money,
    /// Why, in the words of whoever gave it up.
    pub reason: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Who gave it up.
    pub by: Option<UserId>,
}

/// Somebody of the staff asked for one more attempt at a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    /// The charge or refund.
    pub payment_id: PaymentId,
    /// The how many-th attempt it is for: one press an attempt.
    pub number: i32,
    /// When.
    pub at: DateTime<Utc>,
    /// Who.
    pub by: Option<UserId>,
}

/// What failed, and what was asked again by hand.
pub trait Failed {
    /// A page of charges and refunds that were declined or given up, and of refunds that wait to be handed back, the one that
    /// was due last first, and how many there are. Those of deleted bookings are left out.
    fn listed(&mut self, skip: i64, limit: i64) -> StoreResult<(Vec<Payment>, i64)>;
    /// Keeps that an attempt was asked for; nothing happens when it was before.
    fn press(&mut self, press: &Press) -> StoreResult<()>;
    /// How many attempts were asked for so.
    fn pressed(&mut self, payment: PaymentId) -> StoreResult<Vec<i32>>;
}
