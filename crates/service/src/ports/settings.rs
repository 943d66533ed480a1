//! Settings that a company saved, by area and version.

use chrono::{DateTime, Utc};
use kernel::UserId;
use serde_json::{Map, Value};

use super::StoreResult;

/// A version of the settings of an area.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedSettings {
    /// `company`, `policy`, `scheduling` or `first_steps`.
    pub area: String,
    /// Counts up from 1 with each change of the area.
    pub version: i32,
    /// The fields that were saved.
    pub saved: Map<String, Value>,
    /// Since when.
    pub changed_at: DateTime<Utc>,
    /// By whom; none for the program itself.
    pub changed_by: Option<UserId>,
}

/// Saved settings: append only.
pub trait Settings {
    /// The version of an area that is in force; none before anybody saved one.
    fn latest(&mut self, area: &str) -> StoreResult<Option<SavedSettings>>;
    /// Versions of an area, the newest first, at most so many.
    fn versions(&mut self, area: &str, limit: i64) -> StoreResult<Vec<SavedSettings>>;
    /// Adds a version; `Duplicate` when the area has it already.
    fn insert(&mut self, settings: &SavedSettings) -> StoreResult<()>;
}
