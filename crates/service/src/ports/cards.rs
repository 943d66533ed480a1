//! Stored cards: never a number, only what the gateway vaulted.

use chrono::{DateTime, Utc};
use kernel::UserId;
use uuid::Uuid;

use super::StoreResult;

/// A vaulted card.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// Key.
    pub id: Uuid,
    /// Owner.
    pub user_id: UserId,
    /// The gateway's token.
    pub method_id: String,
    /// `visa`, …
    pub brand: String,
    /// Last four digits.
    pub last4: String,
    /// `MM/YYYY`.
    pub expiry: String,
    /// False once removed or refused for good.
    pub usable: bool,
    /// When it was stored.
    pub created_at: DateTime<Utc>,
}

/// Cards.
pub trait Cards {
    /// The card a person stored last, while it can be used: the one that is charged. What it took the place of is
    /// never charged again, whatever becomes of it.
    fn current(&mut self, user: UserId) -> StoreResult<Option<Card>>;
    /// Adds.
    fn insert(&mut self, card: &Card) -> StoreResult<()>;
    /// Gives every card of `from` to `to`.
    fn hand_over(&mut self, from: UserId, to: UserId) -> StoreResult<()>;
    /// Marks a card unusable (hard decline, removed).
    fn retire(&mut self, method_id: &str) -> StoreResult<()>;
}
