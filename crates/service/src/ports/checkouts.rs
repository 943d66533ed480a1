//! Checkouts: charges under way whose booking or edit is written only after the charge succeeded.

use chrono::{DateTime, Utc};
use kernel::{BookingId, UserId};
use status_machine::At;

pub use status_machine::records::CheckoutState;

use super::StoreResult;

/// The written intent of a checkout before its booking or edit exists: a crash ends in one charge and its effect, or in none.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkout {
    /// Key: the id of the booking that will exist; for an edit a fresh id.
    pub booking_id: BookingId,
    /// The booking whose money it moves: the one that will exist, or the one that is edited.
    pub subject: BookingId,
    /// Whose.
    pub user_id: UserId,
    /// Order id of the charge.
    pub order_id: String,
    /// Where it stands.
    pub state: At<CheckoutState>,
    /// Everything needed to finish it.
    pub plan: serde_json::Value,
    /// Idempotency scope and key of the request, when it had one.
    pub idempotency: Option<(String, String)>,
    /// When it began, by the business clock.
    pub created_at: DateTime<Utc>,
    /// When its charge was sent, in real time.
    pub sent_at: DateTime<Utc>,
}

/// Checkouts.
pub trait Checkouts {
    /// Adds a checkout.
    fn insert(&mut self, checkout: &Checkout) -> StoreResult<()>;
    /// One checkout.
    fn get(&mut self, id: BookingId) -> StoreResult<Option<Checkout>>;
    /// The checkout of an idempotency key: charging or booked. One that was declined or given up has freed its key.
    fn by_key(&mut self, scope: &str, key: &str) -> StoreResult<Option<Checkout>>;
    /// The checkout of an order id.
    fn by_order(&mut self, order_id: &str) -> StoreResult<Option<Checkout>>;
    /// The checkout of a booking's money that is at the gateway: at most one.
    fn of_subject(&mut self, booking: BookingId) -> StoreResult<Option<Checkout>>;
    /// Checkouts in a state, oldest first.
    fn in_state(&mut self, state: CheckoutState) -> StoreResult<Vec<Checkout>>;
    /// Moves a checkout from one state to another, which its table allows; false when it was not in `from`.
    fn set_state(&mut self, id: BookingId, from: CheckoutState, to: CheckoutState) -> StoreResult<bool>;
}
