//! Where the errors of both databases become those of the port.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind as Kind, Error};
use service::ports::StoreError;

/// What an engine says when somebody else holds what we wait for.
const CONTENDED: [&str; 4] = ["database is locked", "database table is locked", "deadlock detected", "lock timeout"];

/// Turns a failed query on `table` into the port's error.
pub fn fault(table: &'static str) -> impl Fn(Error) -> StoreError {
    move |error| match error {
        Error::DatabaseError(Kind::UniqueViolation, info) => StoreError::Duplicate(constraint(info.as_ref())),
        Error::DatabaseError(Kind::CheckViolation, info) => StoreError::Refused(constraint(info.as_ref())),
        Error::DatabaseError(Kind::SerializationFailure | Kind::ClosedConnection, _) => StoreError::Busy,
        Error::DatabaseError(_, info) if CONTENDED.iter().any(|c| info.message().contains(c)) => StoreError::Busy,
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
pub fn bad<E: ToString>(table: &'static str, column: &'static str, row: &impl ToString) -> impl FnOnce(E) -> StoreError {
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
