//! Money that arrived for nothing: a charge that was applied after its checkout had been given up.
//! It is returned as a whole, and kept on record.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};

use super::StoreResult;

/// A captured charge that belongs to no booking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// The gateway's order id of the charge.
    pub order_id: String,
    /// The checkout it was sent for.
    pub checkout_id: BookingId,
    /// The gateway's key of the charge.
    pub transaction_id: String,
    /// How much was taken, and goes back.
    pub amount: Money,
    /// When it was found.
    pub found_at: DateTime<Utc>,
    /// When it had gone back; none while it is being returned.
    pub returned_at: Option<DateTime<Utc>>,
    /// The gateway's key of the return.
    pub return_id: Option<String>,
}

/// Money that belongs to no booking.
pub trait Strays {
    /// Adds; nothing happens when the order id is on record. Answers whether it was added.
    fn add(&mut self, stray: &Stray) -> StoreResult<bool>;
    /// One by the order id of its charge.
    fn get(&mut self, order_id: &str) -> StoreResult<Option<Stray>>;
    /// Records that it went back.
    fn returned(&mut self, order_id: &str, return_id: &str, at: DateTime<Utc>) -> StoreResult<()>;
    /// All of them, oldest first: they are rare.
    fn all(&mut self) -> StoreResult<Vec<Stray>>;
}
