//! Secret links to calendars: whose jobs they show, and which jobs those are.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Language, MateId, UserId};

use super::{StoreResult, identity::TokenHash};

kernel::typed_ids! {
    /// A secret link to a calendar.
    FeedId
}

/// Whose jobs a feed shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedOf {
    /// Those a mate is on.
    Mate(MateId),
    /// Those of a hub, by its id.
    Hub(String),
}

/// A secret link to a calendar, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    /// Key.
    pub id: FeedId,
    /// Whose jobs.
    pub of: FeedOf,
    /// Of the secret (256 random bits, so a plain hash is enough).
    pub token_hash: TokenHash,
    /// That of who made it. A hub's calendar is written in it; a mate's is in the mate's own.
    pub language: Language,
    /// Who made it.
    pub made_by: UserId,
    /// When.
    pub made_at: DateTime<Utc>,
}

/// Feeds: at most one of a mate and one of a hub.
pub trait Feeds {
    /// Writes a feed in place of the one its mate or hub had: the link of that one ends.
    fn put(&mut self, feed: &Feed) -> StoreResult<()>;
    /// The one with this key.
    fn get(&mut self, id: FeedId) -> StoreResult<Option<Feed>>;
    /// The one of a mate or hub.
    fn of(&mut self, of: &FeedOf) -> StoreResult<Option<Feed>>;
    /// The one whose secret has this hash.
    fn by_token(&mut self, hash: &TokenHash) -> StoreResult<Option<Feed>>;
    /// Ends a link; false when it had ended.
    fn remove(&mut self, id: FeedId) -> StoreResult<bool>;
    /// The bookings of a mate or hub that start in [from, until) and take place or took place, by their start; no more
    /// than `limit`.
    fn jobs(
        &mut self,
        of: &FeedOf,
        from: DateTime<Utc>,
        until: DateTime<Utc>,
        limit: i64,
    ) -> StoreResult<Vec<BookingId>>;
}
