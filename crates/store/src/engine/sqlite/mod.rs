//! SQLite: one file, one writer thread, a few readers.

mod dialect;
#[path = "../../repo/mod.rs"]
mod repo;
mod setup;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use diesel::{
    Connection, RunQueryDsl,
    r2d2::{ConnectionManager, Pool},
    sql_query,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use futures_util::future::BoxFuture;
use service::ports::{Store, StoreError, StoreResult, store::Work};
use tokio::sync::Semaphore;

use self::{setup::Access, writer::Writer};
use super::{Ended, blocking, guarded, names, turns};
use crate::{OpenError, Options, error::fault};

pub type Conn = diesel::SqliteConnection;
type Readers = Pool<ConnectionManager<Conn>>;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");

/// A database file.
pub struct SqliteStore {
    path: PathBuf,
    writer: Writer,
    readers: Readers,
    turns: Arc<Semaphore>,
}

impl SqliteStore {
    pub fn open(path: &Path, options: Options) -> Result<Self, OpenError> {
        // The writer comes first: it makes the file and migrates it.
        migrate(path)?;
        let conn = setup::connect(path, Access::Write)?;
        let writer = Writer::start(path.to_owned(), conn, options.queue).map_err(|e| connect_error(&e))?;
        let readers = Pool::builder()
            .max_size(options.readers.max(1))
            .test_on_check_out(false)
            .connection_customizer(Box::new(setup::Reader))
            .build(ConnectionManager::new(setup::text(path)?))
            .map_err(|e| connect_error(&e))?;
        Ok(SqliteStore { path: path.to_owned(), writer, readers, turns: turns(options.readers) })
    }
}

impl Store for SqliteStore {
    fn read_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        let readers = self.readers.clone();
        Box::pin(blocking(self.turns.clone(), move || read(&readers, work)))
    }

    fn write_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        Box::pin(self.writer.submit(work))
    }

    fn ping(&self) -> BoxFuture<'_, StoreResult<()>> {
        let readers = self.readers.clone();
        Box::pin(blocking(self.turns.clone(), move || {
            let mut conn = readers.get().map_err(|_| StoreError::Busy)?;
            sql_query("SELECT 1").execute(&mut conn).map_err(fault("ping"))?;
            Ok(())
        }))
    }

    fn backup(&self, target: PathBuf) -> BoxFuture<'_, StoreResult<()>> {
        let path = self.path.clone();
        Box::pin(async move {
            let copied = tokio::task::spawn_blocking(move || setup::copy(&path, &target)).await;
            copied.map_err(|e| StoreError::Other(format!("the backup ended early: {e}")))?
        })
    }

    fn engine(&self) -> &'static str {
        "sqlite"
    }
}

/// One deferred transaction: in WAL mode its first read fixes the view.
fn read(readers: &Readers, work: Work) -> StoreResult<()> {
    let mut conn = readers.get().map_err(|_| StoreError::Busy)?;
    conn.transaction(|conn| guarded(work, &mut repo::Repos { conn, writes: false })).map_err(Ended::into_error)
}

/// Migrates in one immediate transaction: a second process waits and finds nothing left to do.
pub fn migrate(path: &Path) -> Result<Vec<String>, OpenError> {
    change_schema(path, |conn| Ok(names(&conn.run_pending_migrations(MIGRATIONS)?)))
}

pub fn revert(path: &Path) -> Result<Vec<String>, OpenError> {
    change_schema(path, |conn| Ok(names(&conn.revert_all_migrations(MIGRATIONS)?)))
}

fn change_schema(
    path: &Path,
    change: impl FnOnce(&mut Conn) -> Result<Vec<String>, Box<dyn std::error::Error + Send + Sync>>,
) -> Result<Vec<String>, OpenError> {
    let mut conn = setup::connect(path, Access::Write)?;
    let done = conn.immediate_transaction(|conn| change(conn).map_err(SchemaError::Migration));
    done.map_err(|e| OpenError::Migrate { engine: "sqlite", reason: e.to_string() })
}

#[derive(Debug, thiserror::Error)]
enum SchemaError {
    #[error("{0}")]
    Migration(Box<dyn std::error::Error + Send + Sync>),
    #[error(transparent)]
    Db(#[from] diesel::result::Error),
}

fn connect_error(e: &impl ToString) -> OpenError {
    OpenError::Connect { engine: "sqlite", reason: e.to_string() }
}

/// One unit of work on a connection that is given, for [`crate::testing::Inline`].
#[cfg(feature = "testing")]
pub fn unit(conn: &mut Conn, work: Work, writes: bool) -> StoreResult<()> {
    conn.transaction(|conn| guarded(work, &mut repo::Repos { conn, writes })).map_err(Ended::into_error)
}

/// A migrated database in memory, with this one connection.
#[cfg(feature = "testing")]
pub fn memory() -> Result<Conn, OpenError> {
    let mut conn = Conn::establish(":memory:").map_err(|e| connect_error(&e))?;
    setup::in_memory(&mut conn).map_err(|e| connect_error(&e))?;
    let failed = |reason: String| OpenError::Migrate { engine: "sqlite", reason };
    conn.run_pending_migrations(MIGRATIONS).map_err(|e| failed(e.to_string()))?;
    Ok(conn)
}

/// For the schema dump.
pub fn reader(path: &Path) -> Result<Conn, OpenError> {
    setup::connect(path, Access::Read)
}
