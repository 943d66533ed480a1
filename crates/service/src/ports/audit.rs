//! Who changed what.

use chrono::{DateTime, Utc};
use kernel::{AuditId, UserId};
use status_machine::Role;

use super::{StoreResult, lists::Counted};

/// One mutation, written in the transaction that makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRow {
    /// Key.
    pub id: AuditId,
    /// When.
    pub at: DateTime<Utc>,
    /// The signed-in person; none for guests and for the system.
    pub actor: Option<UserId>,
    /// In which role; none for guests.
    pub role: Option<Role>,
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

/// Which rows of the trail: all of it must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trail {
    /// By one of these people.
    pub actors: Option<Vec<UserId>>,
    /// About a thing of this kind.
    pub subject_kind: Option<String>,
    /// About the thing with this key.
    pub subject_id: Option<String>,
    /// From this instant on.
    pub from: Option<DateTime<Utc>>,
    /// Before this instant.
    pub before: Option<DateTime<Utc>>,
}

/// That something changed: what kind of thing, and which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Number of the row.
    pub number: i64,
    /// `booking`, `member`, …
    pub kind: String,
    /// Key of the thing.
    pub id: String,
}

/// The audit trail: append only.
pub trait Audits {
    /// Appends a row.
    fn append(&mut self, row: &AuditRow) -> StoreResult<()>;
    /// Rows about one thing, oldest first.
    fn of_subject(&mut self, kind: &str, id: &str) -> StoreResult<Vec<AuditRow>>;
    /// A page of the rows that are as wished for, the newest first.
    fn newest(&mut self, wanted: &Trail, skip: i64, limit: i64) -> StoreResult<Vec<AuditRow>>;
    /// How many rows are as wished for; counted no further than `most`.
    fn counted(&mut self, wanted: &Trail, most: i64) -> StoreResult<Counted>;
    /// Numbers of rows with what they are about, from a number on, in their order. A row of a transaction that ended late
    /// may come with a number below one that was seen.
    fn changes_from(&mut self, number: i64, limit: i64) -> StoreResult<Vec<Change>>;
    /// The number of the newest row; 0 when there is none.
    fn last_number(&mut self) -> StoreResult<i64>;
    /// Number of rows a request wrote.
    fn count_for_request(&mut self, request_id: &str) -> StoreResult<i64>;
}
