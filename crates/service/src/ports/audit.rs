//! Who changed what.

use chrono::{DateTime, Utc};
use kernel::{AuditId, UserId};
use serde::{Deserialize, Serialize};

use super::StoreResult;

/// One mutation, written in the transaction that makes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRow {
    /// Key.
    pub id: AuditId,
    /// When.
    pub at: DateTime<Utc>,
    /// The signed-in person; none for guests and for the system.
    pub actor: Option<UserId>,
    /// `guest`, `customer`, `mate`, `partner`, `ops`, `admin` or `system`.
    pub role: String,
    /// `booking.create`, `profile.update`, …
    pub action: String,
    /// `booking`, `profile`, …
    pub subject_kind: String,
    /// Key of the thing changed.
    pub subject_id: String,
    /// State before, without secrets.
    pub before: Option<serde_json::Value>,
    /// State after, without secrets.
    pub after: Option<serde_json::Value>,
    /// The request that asked for it.
    pub request_id: Option<String>,
}

/// The audit trail: append only.
pub trait Audits {
    /// Appends a row.
    fn append(&mut self, row: &AuditRow) -> StoreResult<()>;
    /// Rows about one thing, oldest first.
    fn of_subject(&mut self, kind: &str, id: &str) -> StoreResult<Vec<AuditRow>>;
    /// Number of rows a request wrote.
    fn count_for_request(&mut self, request_id: &str) -> StoreResult<i64>;
}
