//! How a query fails. Every repository answers so; the unit of work, which has all of them, stands above.

/// A failed query. Never "no" and never zero: a missing row is `Ok(None)`.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The record was changed by someone else since it was read.
    #[error("changed by someone else")]
    Stale,
    /// A unique key is taken; names the constraint or column.
    #[error("already exists: {0}")]
    Duplicate(String),
    /// A CHECK constraint refused the row (for capacity: no room).
    #[error("refused by a constraint: {0}")]
    Refused(String),
    /// It would be dated in a month whose books are closed.
    #[error("the books of that month are closed")]
    PeriodClosed,
    /// A stored row cannot be read back; names table, column and row.
    #[error("bad row in {table}.{column} of {row}: {reason}")]
    BadRow {
        /// Table name.
        table: &'static str,
        /// Column name.
        column: &'static str,
        /// The row's key.
        row: String,
        /// What is wrong.
        reason: String,
    },
    /// Too busy, try again.
    #[error("the database is busy")]
    Busy,
    /// The database does not answer: it is being restarted, or cannot be reached. Whether a commit
    /// under way was done is not known.
    #[error("the database does not answer")]
    Unavailable,
    /// Anything else.
    #[error("storage failure: {0}")]
    Other(String),
}

impl StoreError {
    /// Nothing is wrong with what was asked: the same may succeed in a moment.
    #[must_use]
    pub const fn passes(&self) -> bool {
        matches!(self, StoreError::Busy | StoreError::Unavailable)
    }
}

/// The result of a query.
pub type StoreResult<T> = Result<T, StoreError>;
