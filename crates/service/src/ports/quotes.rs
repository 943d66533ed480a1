//! Quotes that somebody had mailed to themselves.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{DiscountId, Email, Language, Money, RateId, Zone};

use super::{StoreResult, discounts::StoredDiscount, identity::TokenHash};

kernel::typed_ids! {
    /// A mailed quote.
    QuoteId
}

/// A mailed quote, without the secret of its link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedQuote {
    /// Key.
    pub id: QuoteId,
    /// Of the secret (256 random bits, so a plain hash is enough).
    pub token_hash: TokenHash,
    /// Whom it was mailed to.
    pub email: Email,
    /// In which language.
    pub language: Language,
    /// The draft as the client keeps it: only the client reads it.
    pub draft: String,
    /// A digest of everything that decides about the price.
    pub digest: String,
    /// The card it was priced with.
    pub rate_id: RateId,
    /// The code it was priced with, as its terms were then; none without a code, and in quotes of before terms were kept.
    pub discount: Option<StoredDiscount>,
    /// Loaded leg, minutes.
    pub travel_minutes: u32,
    /// Tenths of km.
    pub distance_km10: u32,
    /// Local day of the move.
    pub move_date: NaiveDate,
    /// Local start.
    pub move_time: NaiveTime,
    /// Zone of both.
    pub zone: Zone,
    /// Municipality of the pickup.
    pub from_city: String,
    /// Municipality of the drop-off.
    pub to_city: String,
    /// With tax.
    pub total: Money,
    /// When it was mailed.
    pub made_at: DateTime<Utc>,
    /// When the price stops holding.
    pub valid_until: DateTime<Utc>,
}

/// Mailed quotes.
pub trait Quotes {
    /// Adds one.
    fn insert(&mut self, quote: &SavedQuote) -> StoreResult<()>;
    /// The one whose secret has this hash.
    fn by_token(&mut self, hash: &TokenHash) -> StoreResult<Option<SavedQuote>>;
    /// Whether one was priced with a code, lapsed or not: such a code is not removed.
    fn name_code(&mut self, code: DiscountId) -> StoreResult<bool>;
    /// Forgets those that lapsed before; how many.
    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize>;
}
