//! Versioned rate cards.

use chrono::{DateTime, Utc};
use kernel::RateId;
use pricing::RateCard;

use super::StoreResult;

/// A stored rate card.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRate {
    /// Key.
    pub id: RateId,
    /// Name, for `GET /rates/active?name=`.
    pub name: String,
    /// Counts up with each change of the named card.
    pub version: i32,
    /// In force from.
    pub effective_from: DateTime<Utc>,
    /// In force until (exclusive); none = open.
    pub effective_to: Option<DateTime<Utc>>,
    /// The figures.
    pub card: RateCard,
}

/// Rate cards.
pub trait Rates {
    /// The card of this name (or of the default name `standard` when none is given) in force at
    /// `at`: the highest version whose period covers it.
    fn active(&mut self, name: Option<&str>, at: DateTime<Utc>) -> StoreResult<Option<StoredRate>>;
    /// One card.
    fn get(&mut self, id: RateId) -> StoreResult<Option<StoredRate>>;
    /// Adds a version.
    fn insert(&mut self, rate: &StoredRate) -> StoreResult<()>;
}
