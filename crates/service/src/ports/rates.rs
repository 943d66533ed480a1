//! Versioned rate cards.

use chrono::{DateTime, Utc};
use kernel::RateId;
use pricing::RateCard;

use super::StoreResult;

/// The card every price is made with; the one that is meant when none is named.
pub const STANDARD: &str = "standard";

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
    /// The card of this name (or of the name [`STANDARD`] when none is given) in force at `at`: of
    /// the versions whose period covers it the one that began last, the higher one where two begin
    /// together.
    fn active(&mut self, name: Option<&str>, at: DateTime<Utc>) -> StoreResult<Option<StoredRate>>;
    /// When the next version of this name begins, after `at`.
    fn next_begin(&mut self, name: Option<&str>, at: DateTime<Utc>) -> StoreResult<Option<DateTime<Utc>>>;
    /// Every version of this name, the highest first.
    fn versions(&mut self, name: &str) -> StoreResult<Vec<StoredRate>>;
    /// One card.
    fn get(&mut self, id: RateId) -> StoreResult<Option<StoredRate>>;
    /// The highest version of this name, in force or not.
    fn latest_version(&mut self, name: &str) -> StoreResult<Option<i32>>;
    /// Every version of every name: by name, and of each name the highest version first.
    fn all(&mut self) -> StoreResult<Vec<StoredRate>>;
    /// Adds a version; `Duplicate` when the name has this version already.
    fn insert(&mut self, rate: &StoredRate) -> StoreResult<()>;
    /// Removes a version; `false` when it is not there. The caller has seen that it was never in force.
    fn remove(&mut self, id: RateId) -> StoreResult<bool>;
}
