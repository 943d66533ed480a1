//! What is kept of the changes of a booking: its statuses, its edits, and its record in each version.

use chrono::{DateTime, Utc};
use kernel::{BookingId, UserId};
use status_machine::{Role, booking::Status};

use super::{StoreResult, bookings::Booking};

/// One status change.
#[derive(Debug, Clone, PartialEq)]
pub struct StatusChange {
    /// From; none for the first.
    pub from: Option<Status>,
    /// To.
    pub to: Status,
    /// Who.
    pub actor: Option<UserId>,
    /// In which role; none for guests.
    pub role: Option<Role>,
    /// When.
    pub at: DateTime<Utc>,
    /// Why, when staff said.
    pub reason: Option<String>,
}

/// An edit, field by field. The whole record as it was before is [`BookingHistory::at_version`] of `version`.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// The version replaced.
    pub version: i32,
    /// When it was replaced.
    pub at: DateTime<Utc>,
    /// By whom.
    pub actor: Option<UserId>,
    /// In which role; none for guests.
    pub role: Option<Role>,
    /// What changed, field by field, for the history page.
    pub changes: serde_json::Value,
}

/// The history of bookings: append only. Records are kept by [`super::bookings::Bookings::update`].
pub trait BookingHistory {
    /// Appends to the status history.
    fn append_status(&mut self, id: BookingId, change: &StatusChange) -> StoreResult<()>;
    /// The status history, oldest first.
    fn status_history(&mut self, id: BookingId) -> StoreResult<Vec<StatusChange>>;
    /// Appends a revision.
    fn append_revision(&mut self, id: BookingId, revision: &Revision) -> StoreResult<()>;
    /// Revisions, oldest first.
    fn revisions(&mut self, id: BookingId) -> StoreResult<Vec<Revision>>;
    /// The record as it was in one of its versions, or is; none when it had no such version, or was replaced before
    /// records were kept.
    fn at_version(&mut self, id: BookingId, version: i32) -> StoreResult<Option<Booking>>;
}
