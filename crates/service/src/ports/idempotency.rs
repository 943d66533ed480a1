//! Answers already given, so that a repeated request changes nothing.

use chrono::{DateTime, Utc};

use super::StoreResult;

/// A stored answer. Written in the same transaction as the effect it answers for.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAnswer {
    /// Caller and route, so that two callers never share a key.
    pub scope: String,
    /// The client's `Idempotency-Key`.
    pub key: String,
    /// SHA-256 of the request body, hex.
    pub body_hash: String,
    /// HTTP status of the answer; 0 while the request is still being worked on.
    pub status: i32,
    /// The answer's body.
    pub answer: serde_json::Value,
    /// When it was written.
    pub created_at: DateTime<Utc>,
    /// When it may be forgotten (24 h later).
    pub expires_at: DateTime<Utc>,
}

/// Idempotency answers.
pub trait Idempotency {
    /// The answer of (scope, key) that has not expired at `now`. While the request is worked on (status 0) it does
    /// not expire: a gateway may be away for longer, and the key would count anew beside its own checkout.
    fn get(&mut self, scope: &str, key: &str, now: DateTime<Utc>) -> StoreResult<Option<StoredAnswer>>;
    /// Writes or replaces the answer of (scope, key).
    fn put(&mut self, answer: &StoredAnswer) -> StoreResult<()>;
    /// Forgets (scope, key) while it is worked on, so that a failed request may be tried again.
    fn forget(&mut self, scope: &str, key: &str) -> StoreResult<()>;
    /// Deletes answers that have expired, and what was worked on a month before; answers how many.
    fn purge(&mut self, now: DateTime<Utc>) -> StoreResult<i64>;
}
