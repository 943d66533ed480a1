//! What reconciliation found, kept so that a page can show it and somebody can repair it.

use chrono::{DateTime, Utc};
use kernel::{BookingId, UserId};
use serde_json::Value;

use super::StoreResult;

kernel::typed_ids! {
    /// A comparison of gateway, ledger and histories.
    ComparisonId,
    /// A difference that one found.
    DifferenceId,
}

/// A comparison that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Key.
    pub id: ComparisonId,
    /// From this instant on.
    pub from: DateTime<Utc>,
    /// To before this one.
    pub until: DateTime<Utc>,
    /// When it was over.
    pub at: DateTime<Utc>,
    /// Who asked for it; nobody for the daily one.
    pub asked_by: Option<UserId>,
    /// Transactions of the gateway that were looked at.
    pub transactions: i64,
    /// Attempts of ours that were looked at.
    pub attempts: i64,
    /// Bookings that were held against their history.
    pub bookings: i64,
    /// Differences, those among them that were too many to be kept.
    pub differences: i64,
}

/// Where a difference stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nobody has done anything about it.
    Open,
    /// The daily job put it right by itself.
    Mended,
    /// Somebody had it repaired.
    Repaired,
    /// It was not there any more when somebody looked.
    Gone,
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 4] = [Standing::Open, Standing::Mended, Standing::Repaired, Standing::Gone];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Standing::Open => "open",
            Standing::Mended => "mended",
            Standing::Repaired => "repaired",
            Standing::Gone => "gone",
        }
    }

    /// Of its code.
    pub fn from_code(code: &str) -> Option<Standing> {
        Standing::ALL.into_iter().find(|one| one.code() == code)
    }
}

/// A difference that a comparison found, as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundDifference {
    /// Key.
    pub id: DifferenceId,
    /// The comparison that found it.
    pub comparison: ComparisonId,
    /// The booking that it is about.
    pub booking: Option<BookingId>,
    /// The difference: `billing::difference::Difference`.
    pub difference: Value,
    /// What would put it right: `billing::repair::Repair`.
    pub repair: Option<Value>,
    /// Where it stands.
    pub standing: Standing,
    /// Since when it does.
    pub changed_at: DateTime<Utc>,
    /// Who did that.
    pub changed_by: Option<UserId>,
}

/// Comparisons.
pub trait Comparisons {
    /// Adds one with what it found.
    fn add(&mut self, comparison: &Comparison, found: &[FoundDifference]) -> StoreResult<()>;
    /// The newest.
    fn last(&mut self) -> StoreResult<Option<Comparison>>;
    /// What one found, in that order.
    fn found_by(&mut self, id: ComparisonId, limit: i64) -> StoreResult<Vec<FoundDifference>>;
    /// What the newest found about a booking and is open, in that order.
    fn open_of(&mut self, booking: BookingId) -> StoreResult<Vec<FoundDifference>>;
    /// One difference; in a write unit nobody else changes it until commit.
    fn found(&mut self, id: DifferenceId) -> StoreResult<Option<FoundDifference>>;
    /// Says where one stands that was open. False: it was not.
    fn settle(&mut self, id: DifferenceId, to: Standing, at: DateTime<Utc>, by: Option<UserId>) -> StoreResult<bool>;
    /// Forgets comparisons that were over before; answers how many.
    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize>;
}
