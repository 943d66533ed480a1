//! Which database a URL means, and opening it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use service::ports::Store;

use crate::engine::{postgres::PostgresStore, sqlite::SqliteStore};

/// How a store is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Connections that read, on SQLite. There is always exactly one that writes.
    pub readers: u32,
    /// Connections, on PostgreSQL.
    pub connections: u32,
    /// Write units that may wait for SQLite's writer before callers wait to hand theirs in.
    pub queue: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { readers: 4, connections: 16, queue: 1024 }
    }
}

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL names no engine we have. It is not repeated: it may hold a password.
    #[error("the database URL must be sqlite://path, a plain path, or postgres://…: {0}")]
    UnknownUrl(&'static str),
    /// The server or the file cannot be reached.
    #[error("cannot open the {engine} database: {reason}")]
    Connect {
        /// `sqlite` or `postgres`.
        engine: &'static str,
        /// What the driver said.
        reason: String,
    },
    /// Another server works on this SQLite file, wherever it was started.
    #[error("another Portage serves the database {}; stop it first", .database.display())]
    Taken {
        /// The file, without symbolic links.
        database: PathBuf,
    },
    /// A newer program has changed the schema: this one would misread what it finds.
    #[error(
        "the {engine} database belongs to a newer version of Portage (it has the migrations {}, which this program does \
         not know): start that version, or restore a copy from before it", .unknown.join(", ")
    )]
    Newer {
        /// `sqlite` or `postgres`.
        engine: &'static str,
        /// Versions of the migrations this program does not know.
        unknown: Vec<String>,
    },
    /// The schema is older than this program, and only a server or `portage migrate` brings it forward.
    #[error(
        "the {engine} database is of an older version of Portage and was left as it is: make a backup with the program of \
         before, then portage migrate, or the next start of portage serve, brings it to this one"
    )]
    Older {
        /// `sqlite` or `postgres`.
        engine: &'static str,
    },
    /// A migration failed; the ones before it stay.
    #[error("cannot migrate the {engine} database: {reason}")]
    Migrate {
        /// `sqlite` or `postgres`.
        engine: &'static str,
        /// Which one, and what the database said.
        reason: String,
    },
}

impl OpenError {
    /// The file, or its folder, cannot be used.
    pub(crate) fn file(path: &Path, e: &std::io::Error) -> OpenError {
        let reason = match path.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
            Some(folder) => format!("the folder {} does not exist", folder.display()),
            None => e.to_string(),
        };
        OpenError::Connect { engine: "sqlite", reason }
    }
}

/// What a URL means.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    /// A file.
    Sqlite(PathBuf),
    /// A server; libpq reads the URL.
    Postgres(String),
}

impl Target {
    /// A mistyped URL must never become the name of a new SQLite file.
    pub fn parse(url: &str) -> Result<Target, OpenError> {
        let url = url.trim();
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Ok(Target::Postgres(url.to_owned()));
        }
        let path = match ["sqlite://", "sqlite::", "sqlite:"].iter().find_map(|prefix| url.strip_prefix(prefix)) {
            Some(path) => path,
            None if has_scheme(url) => return Err(OpenError::UnknownUrl("another kind of database is named")),
            None => url,
        };
        if path.is_empty() {
            return Err(OpenError::UnknownUrl("it is empty"));
        }
        if path == ":memory:" || path == "memory:" {
            return Err(OpenError::UnknownUrl("a database in memory cannot be shared by several connections"));
        }
        if path.contains(['?', '#']) {
            return Err(OpenError::UnknownUrl("parameters are not supported after a SQLite path"));
        }
        Ok(Target::Sqlite(PathBuf::from(path)))
    }
}

/// `word:` at the beginning; one letter is a drive.
fn has_scheme(url: &str) -> bool {
    url.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// Opens a database, creating the SQLite file when it is missing, and runs the pending migrations
/// under a lock, so that several processes may start at once. Blocks: call it before the runtime
/// serves, or on a blocking thread.
///
/// # Errors
/// [`OpenError`] when the URL is not understood, the database cannot be reached, belongs to a newer
/// version, or a migration fails.
pub fn open(url: &str, options: Options) -> Result<Arc<dyn Store>, OpenError> {
    match Target::parse(url)? {
        Target::Sqlite(path) => Ok(Arc::new(SqliteStore::open(&path, options)?)),
        Target::Postgres(url) => Ok(Arc::new(PostgresStore::open(&url, options)?)),
    }
}

/// How a database is treated that is older than the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OlderDatabase {
    /// Nobody works on it before it was brought forward.
    Refused,
    /// It is taken as it is, for what needs no table: a copy.
    Taken,
}

/// Opens the database that is there: nothing is made, nothing is migrated. None when there is no
/// such SQLite file, or nothing in the database yet. Blocks.
///
/// # Errors
/// As [`open`], and [`OpenError::Older`] when migrations are pending and that is refused.
pub fn open_made(url: &str, options: Options, older: OlderDatabase) -> Result<Option<Arc<dyn Store>>, OpenError> {
    match Target::parse(url)? {
        Target::Sqlite(path) => {
            Ok(SqliteStore::open_made(&path, options, older)?.map(|s| Arc::new(s) as Arc<dyn Store>))
        }
        Target::Postgres(url) => {
            Ok(PostgresStore::open_made(&url, options, older)?.map(|s| Arc::new(s) as Arc<dyn Store>))
        }
    }
}

/// As [`open_made`] with [`OlderDatabase::Refused`], with few connections, for a look.
///
/// # Errors
/// As [`open_made`].
pub fn inspect(url: &str) -> Result<Option<Arc<dyn Store>>, OpenError> {
    open_made(url, Options { readers: 1, connections: 2, ..Options::default() }, OlderDatabase::Refused)
}

/// Whether there is a database of Portage, of whatever version; nothing is made and nothing is changed. Blocks.
///
/// # Errors
/// [`OpenError`] when it cannot be asked.
pub fn is_made(url: &str) -> Result<bool, OpenError> {
    match Target::parse(url)? {
        Target::Sqlite(path) => SqliteStore::is_made(&path),
        Target::Postgres(url) => PostgresStore::is_made(&url),
    }
}

/// Runs the pending migrations; answers their names, oldest first.
///
/// # Errors
/// As [`open`].
pub fn migrate(url: &str) -> Result<Vec<String>, OpenError> {
    match Target::parse(url)? {
        Target::Sqlite(path) => crate::engine::sqlite::migrate(&path),
        Target::Postgres(url) => crate::engine::postgres::migrate(&url),
    }
}

#[cfg(feature = "testing")]
pub(crate) mod checks {
    #![allow(clippy::unwrap_used, missing_docs, reason = "checks that the conformance suite runs")]
    use super::*;

    pub fn urls_name_an_engine_or_are_refused() {
        let file = |p: &str| Target::Sqlite(PathBuf::from(p));
        assert_eq!(Target::parse("sqlite://data/portage.db").unwrap(), file("data/portage.db"));
        assert_eq!(Target::parse("sqlite:///var/lib/portage.db").unwrap(), file("/var/lib/portage.db"));
        assert_eq!(Target::parse("sqlite::portage.db").unwrap(), file("portage.db"));
        assert_eq!(Target::parse(" data/portage.db ").unwrap(), file("data/portage.db"));
        for url in ["postgres://h/db", "postgresql:///db?host=/tmp"] {
            assert_eq!(Target::parse(url).unwrap(), Target::Postgres(url.to_owned()));
        }
        for bad in [
            "",
            "sqlite://",
            ":memory:",
            "sqlite::memory:",
            "mysql://h/db",
            "postgress://h/db",
            "postgres:h",
            "file:x.db",
            "x.db?mode=ro",
        ] {
            assert!(Target::parse(bad).is_err(), "{bad:?}");
        }
    }

    pub fn a_refused_url_is_not_repeated() {
        let told = Target::parse("mysql://root:s3cret@h/db").unwrap_err().to_string();
        assert!(!told.contains("s3cret"), "{told}");
    }
}
