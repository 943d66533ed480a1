//! Converts the errors of both databases to those of the port.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind as Kind, Error};
use service::ports::StoreError;

/// What an engine says when somebody else holds what we wait for.
const CONTENDED: [&str; 4] = ["database is locked", "database table is locked", "deadlock detected", "lock timeout"];

/// What is said where the database is gone, going or coming, or has no place left to write: by
/// libpq, by the server's last words (whose codes diesel does not hand on), by SQLite.
const LOST: [&str; 14] = [
    "server closed the connection",
    "connection to server",
    "no connection to the server",
    "connection not open",
    "terminating connection",
    "could not receive data from server",
    "could not send data to server",
    "SSL SYSCALL error",
    "SSL connection has been closed",
    "the database system is",
    "Connection refused",
    "timeout expired",
    "database or disk is full",
    "unable to open database file",
];

/// What the triggers say that keep two jobs of one mate, or of one truck, apart.
const OVERLAP: &str = "_spans_overlap";

/// What the triggers say that let nothing be dated in a closed month.
const CLOSED: &str = "books_closed";

/// Somebody else holds what was waited for: nothing is wrong with the database.
pub fn is_contention(e: &Error) -> bool {
    let told = e.to_string();
    CONTENDED.iter().any(|words| told.contains(words))
}

/// Turns a failed query on `table` into the port's error.
pub fn fault(table: &'static str) -> impl Fn(Error) -> StoreError {
    move |error| match error {
        Error::DatabaseError(Kind::UniqueViolation, info) => StoreError::Duplicate(constraint(info.as_ref())),
        Error::DatabaseError(Kind::CheckViolation, info) => StoreError::Refused(constraint(info.as_ref())),
        Error::DatabaseError(_, info) if info.message().contains(OVERLAP) => {
            StoreError::Duplicate(info.message().to_owned())
        }
        Error::DatabaseError(_, info) if info.message().contains(CLOSED) => StoreError::PeriodClosed,
        Error::DatabaseError(Kind::SerializationFailure, _) => StoreError::Busy,
        Error::DatabaseError(Kind::ClosedConnection | Kind::UnableToSendCommand, _) => StoreError::Unavailable,
        Error::DatabaseError(_, info) if CONTENDED.iter().any(|c| info.message().contains(c)) => StoreError::Busy,
        Error::DatabaseError(kind, info) if LOST.iter().any(|words| info.message().contains(words)) => {
            tracing::warn!(table, ?kind, reason = info.message(), "the database does not answer");
            StoreError::Unavailable
        }
        // The connection was lost in the midst of the transaction.
        Error::BrokenTransactionManager => StoreError::Unavailable,
        Error::RollbackErrorOnCommit { commit_error, .. } => fault(table)(*commit_error),
        Error::DatabaseError(kind, info) => StoreError::Other(match info.constraint_name() {
            Some(name) => format!("{table}: {kind:?} ({name}): {}", info.message()),
            None => format!("{table}: {kind:?}: {}", info.message()),
        }),
        // The engines tell the field in the message, not apart from it.
        Error::DeserializationError(e) => {
            StoreError::BadRow { table, column: "(see reason)", row: "(unread)".to_owned(), reason: e.to_string() }
        }
        other => StoreError::Other(format!("{table}: {other}")),
    }
}

/// Constraint name on PostgreSQL; `table.column` or constraint name on SQLite, cut from its message.
fn constraint(info: &dyn DatabaseErrorInformation) -> String {
    let message = info.message();
    let told = info.constraint_name().or_else(|| message.split_once("constraint failed: ").map(|(_, name)| name));
    told.unwrap_or(message).to_owned()
}

/// A stored value that cannot be read back.
pub fn bad<E: ToString>(
    table: &'static str,
    column: &'static str,
    row: &impl ToString,
) -> impl FnOnce(E) -> StoreError {
    let row = row.to_string();
    move |e| StoreError::BadRow { table, column, row, reason: e.to_string() }
}

/// As [`bad`], for look-ups that answer nothing for an unknown code.
pub fn unknown(table: &'static str, column: &'static str, row: &impl ToString, code: &str) -> StoreError {
    StoreError::BadRow { table, column, row: row.to_string(), reason: format!("unknown code {code:?}") }
}

/// A number that does not fit its column.
pub fn out_of_range(column: &'static str) -> impl FnOnce(std::num::TryFromIntError) -> StoreError {
    move |_| StoreError::Refused(format!("{column} is out of range"))
}
