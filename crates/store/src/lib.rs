//! The repositories of `service::ports` on SQLite and PostgreSQL, both in one binary, chosen by URL.
//!
//! `repo/` is written once and compiled once per engine; what an engine does differently is in
//! `engine/<name>/`. A unit of work runs on threads of this crate's own: callers are asynchronous,
//! diesel is not.
//!
//! ```no_run
//! # fn main() -> Result<(), store::OpenError> {
//! let store = store::open("sqlite://data/portage.db", store::Options::default())?;
//! assert_eq!(store.engine(), "sqlite");
//! # Ok(())
//! # }
//! ```
#![warn(missing_docs)]
// The repositories are mounted in both engines on purpose: each compiles them against its own connection.
#![allow(clippy::duplicate_mod)]

mod columns;
mod dump;
mod engine;
mod error;
mod facts;
mod open;
mod presence;
mod private;
mod rows;
mod schema;
mod statement;
#[cfg(feature = "testing")]
pub mod testing;
mod trouble;

pub use dump::schema_dump;
pub use facts::{DatabaseInfo, facts};
pub use open::{OlderDatabase, OpenError, Options, inspect, is_made, migrate, open, open_made};
pub use presence::{Presence, Role};
