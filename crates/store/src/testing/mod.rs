//! Databases for tests: an empty, migrated one for each test, on either engine.
//!
//! A missing PostgreSQL is a failure with a message that says what to do, never a skip.
// A test cannot go on without its database, and the message of the panic is the report.
#![allow(clippy::expect_used, clippy::panic)]

pub mod checks;
mod cluster;
mod commits;
mod inline;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

pub use cluster::Cluster;
pub use commits::{analyze, durable_commits};
use service::ports::Store;
use tempfile::TempDir;

use crate::{Options, open};

pub use crate::rows::payments::NEED_STAFF;
pub use inline::{Fork, Inline, Trial};

/// A database of one test; gone when this value is.
pub struct TestDb {
    // Before `home`: the store closes before its files go.
    store: Option<Arc<dyn Store>>,
    url: String,
    home: Home,
}

enum Home {
    /// Removes itself.
    Folder {
        _folder: TempDir,
    },
    Server {
        name: String,
    },
}

impl TestDb {
    /// A SQLite file, copied from a template that is migrated once a process.
    pub fn sqlite() -> TestDb {
        static TEMPLATE: OnceLock<Vec<u8>> = OnceLock::new();
        let template = TEMPLATE.get_or_init(|| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join("template.db");
            crate::migrate(&path.to_string_lossy()).expect("the SQLite template migrates");
            std::fs::read(&path).expect("the SQLite template")
        });
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("portage.db");
        std::fs::write(&path, template).expect("a copy of the template");
        TestDb::opened(format!("sqlite://{}", path.to_string_lossy()), Home::Folder { _folder: folder })
    }

    /// A PostgreSQL database. The server is a private one, made in a temporary folder for this
    /// process (`initdb` and `pg_ctl` from the path or `/usr/lib/postgresql/*/bin`), reachable by a
    /// Unix socket only; or the one of `PORTAGE_TEST_POSTGRES_URL`, whose user may create databases.
    pub fn postgres() -> TestDb {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("portage_test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let url = cluster::create(&name).unwrap_or_else(|e| panic!("{e}"));
        TestDb::opened(url, Home::Server { name })
    }

    /// One of each, for tests that hold on both.
    pub fn both() -> [TestDb; 2] {
        [TestDb::sqlite(), TestDb::postgres()]
    }

    fn opened(url: String, home: Home) -> TestDb {
        // The server of the tests has many databases, and a busy machine little time: a connection that is not had in time
        // is asked for again.
        let again = |_| open(&url, Options::default());
        let store = open(&url, Options::default()).or_else(again).or_else(again).expect("the test database opens");
        TestDb { store: Some(store), url, home }
    }

    /// The open database.
    pub fn store(&self) -> Arc<dyn Store> {
        Arc::clone(self.store.as_ref().expect("open until dropped"))
    }

    /// Ends every connection to the database; those of SQLite are the file's own and stay: see [`lock_out`].
    pub fn cut(&self) {
        if let Home::Server { name } = &self.home {
            cluster::cut(name).unwrap_or_else(|e| panic!("{e}"));
        }
    }

    /// What [`crate::open`] takes.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Runs a statement past all repositories, as an operator with the database's own tools.
    pub fn execute(&self, sql: &str) {
        use diesel::{Connection as _, connection::SimpleConnection as _};
        let done = match self.url.strip_prefix("sqlite://") {
            Some(path) => diesel::SqliteConnection::establish(path).map(|mut c| c.batch_execute(sql)),
            None => diesel::PgConnection::establish(&self.url).map(|mut c| c.batch_execute(sql)),
        };
        done.expect("the database opens").expect("the statement runs");
    }

    /// Takes everything out of the database: tables, rows, and the list of its migrations.
    pub fn empty(&self) {
        self.execute(match self.store().engine() {
            "postgres" => "DROP SCHEMA public CASCADE; CREATE SCHEMA public",
            _ => "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema; PRAGMA writable_schema = RESET; VACUUM",
        });
    }

    /// Empties the database and writes it as the version before did: its migrations, and rows that it wrote.
    pub fn write_as_the_version_before(&self) {
        self.write_before("before_20261122000300.sql");
    }

    /// The same with the fifty bookings of `tests/older/fifty_20261122000300.sql`, whose gateway has a file beside it.
    pub fn write_fifty_of_the_version_before(&self) {
        self.write_before("fifty_20261122000300.sql");
    }

    fn write_before(&self, rows: &str) {
        const BEFORE: &str = "20261122000200";
        let home = Path::new(env!("CARGO_MANIFEST_DIR"));
        let read = |path: PathBuf| std::fs::read_to_string(path).expect("a file of SQL");
        self.empty();
        let engine = self.store().engine();
        self.execute(
            "CREATE TABLE __diesel_schema_migrations
             (version VARCHAR(50) PRIMARY KEY NOT NULL, run_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP)",
        );
        let folders = std::fs::read_dir(home.join("../../migrations").join(engine)).expect("the migrations");
        let mut folders: Vec<PathBuf> = folders.map(|f| f.expect("a migration").path()).collect();
        folders.sort();
        for folder in folders {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let version = name.split('_').next().unwrap_or_default();
            if version <= BEFORE {
                self.execute(&read(folder.join("up.sql")));
                self.execute(&format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{version}')"));
            }
        }
        let zone = if engine == "postgres" { "SET TIME ZONE 'UTC';" } else { "" };
        self.execute(&format!("{zone}{}", read(home.join("tests/older").join(rows))));
    }

    /// Closes the store and opens it again, as a restart would.
    #[must_use]
    pub fn reopened(mut self) -> TestDb {
        self.store = None;
        self.store = Some(open(&self.url, Options::default()).expect("the test database opens again"));
        self
    }
}

/// Holds the write lock of a SQLite file for so long, as a backup tool or somebody's shell may. A file has no connection
/// that could break; this is what is nearest to it: whoever writes waits, and fails when it takes longer than five seconds.
/// False: somebody else had the lock all the time, or there is no such file yet.
pub fn lock_out(file: &Path, time: std::time::Duration) -> bool {
    use diesel::{Connection as _, connection::SimpleConnection as _};
    let Ok(mut outsider) = diesel::SqliteConnection::establish(&file.to_string_lossy()) else { return false };
    let taken = outsider.batch_execute("PRAGMA busy_timeout = 3000; BEGIN IMMEDIATE").is_ok();
    if taken {
        std::thread::sleep(time);
        let _ = outsider.batch_execute("ROLLBACK");
    }
    taken
}

impl Drop for TestDb {
    fn drop(&mut self) {
        self.store = None;
        if let Home::Server { name } = &self.home {
            cluster::remove(name);
        }
    }
}
