//! Tallies of what is bounded: how often one account or one network has tried something.

use chrono::{DateTime, Utc};

use super::StoreResult;

/// Instants that are counted together, one list a key.
pub trait Tallies {
    /// The instants counted under a key, oldest first. The key is locked until commit, so that
    /// two who try at once are counted one after the other.
    fn lock(&mut self, key: &str, now: DateTime<Utc>) -> StoreResult<Vec<DateTime<Utc>>>;
    /// Replaces what is counted under a key that was locked.
    fn put(&mut self, key: &str, instants: &[DateTime<Utc>]) -> StoreResult<()>;
    /// Forgets keys that were not looked at since; how many.
    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize>;
}
