//! Lists that somebody of the staff keeps: which filters, in which order, under which name.

use chrono::{DateTime, Utc};
use kernel::{UserId, ViewId};
use serde_json::Value;

use super::StoreResult;

/// A kept list.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedView {
    /// Key.
    pub id: ViewId,
    /// Who keeps it.
    pub owner: UserId,
    /// What they call it.
    pub name: String,
    /// All staff see it.
    pub shared: bool,
    /// The filters, as a list is asked with them.
    pub filters: Value,
    /// The order, likewise.
    pub sort: Option<String>,
    /// The words that are looked for, likewise.
    pub value: Option<String>,
    /// Counts up with each change.
    pub version: i32,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Last change.
    pub updated_at: DateTime<Utc>,
}

/// Kept lists.
pub trait Views {
    /// Adds.
    fn insert(&mut self, view: &SavedView) -> StoreResult<()>;
    /// One.
    fn get(&mut self, id: ViewId) -> StoreResult<Option<SavedView>>;
    /// Those somebody sees, their own and the shared ones, by name.
    fn seen_by(&mut self, user: UserId) -> StoreResult<Vec<SavedView>>;
    /// Writes if the stored version equals `view.version`; answers the new version, else `Stale`.
    fn update(&mut self, view: &SavedView) -> StoreResult<i32>;
    /// Removes; `false` when it is not there.
    fn remove(&mut self, id: ViewId) -> StoreResult<bool>;
}
