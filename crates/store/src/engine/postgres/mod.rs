//! PostgreSQL: a pool. Read units are repeatable read and read only; write units are read
//! committed, with explicit row locks taken in a fixed order.

mod dialect;
#[path = "../../repo/mod.rs"]
mod repo;

use std::{path::PathBuf, sync::Arc};

use diesel::{
    Connection, RunQueryDsl,
    connection::{AnsiTransactionManager, SimpleConnection, TransactionManager, TransactionManagerStatus},
    r2d2::{ConnectionManager, CustomizeConnection, Pool, PooledConnection},
    result::QueryResult,
    sql_query,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use futures_util::future::BoxFuture;
use service::ports::{Store, StoreError, StoreResult, store::Work};
use tokio::sync::Semaphore;

use super::{Ended, blocking, guarded, names, turns};
use crate::{OpenError, Options, error::fault};

pub type Conn = diesel::PgConnection;
type Connections = Pool<ConnectionManager<Conn>>;
type Manager = AnsiTransactionManager;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");
/// Names the advisory lock of the migrations ("portage" in ASCII).
const MIGRATION_LOCK: i64 = 0x0070_6f72_7461_6765;
const READ: &str = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY";
const WRITE: &str = "BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE";

/// A server.
pub struct PostgresStore {
    connections: Connections,
    turns: Arc<Semaphore>,
}

/// Nobody waits for a lock forever; and diesel hands on a server's words, not its error codes, so
/// where the role may choose them they are the untranslated ones that [`crate::error`] knows.
const SETUP: &str = "
    SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '60s';
    SET TIME ZONE 'UTC';
    DO $$ BEGIN SET lc_messages = 'C'; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$;";

#[derive(Debug)]
struct Setup;

impl CustomizeConnection<Conn, diesel::r2d2::Error> for Setup {
    fn on_acquire(&self, conn: &mut Conn) -> Result<(), diesel::r2d2::Error> {
        conn.batch_execute(SETUP).map_err(diesel::r2d2::Error::QueryError)
    }
}

impl PostgresStore {
    pub fn open(url: &str, options: Options) -> Result<Self, OpenError> {
        migrate(url)?;
        let connections = Pool::builder()
            .max_size(options.connections.max(1))
            .min_idle(Some(1))
            .test_on_check_out(false)
            .connection_customizer(Box::new(Setup))
            .build(ConnectionManager::new(url))
            .map_err(|e| OpenError::Connect { engine: "postgres", reason: e.to_string() })?;
        Ok(PostgresStore { connections, turns: turns(options.connections) })
    }

    fn unit(&self, begin: &'static str, writes: bool, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        let connections = self.connections.clone();
        Box::pin(blocking(self.turns.clone(), move || {
            let mut conn = begin_on(&connections, begin)?;
            run(&mut conn, writes, work).map_err(Ended::into_error)
        }))
    }
}

impl Store for PostgresStore {
    fn read_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        self.unit(READ, false, work)
    }

    fn write_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        self.unit(WRITE, true, work)
    }

    fn ping(&self) -> BoxFuture<'_, StoreResult<()>> {
        let connections = self.connections.clone();
        Box::pin(blocking(self.turns.clone(), move || {
            let mut conn = connections.get().map_err(|_| StoreError::Busy)?;
            sql_query("SELECT 1").execute(&mut conn).map_err(fault("ping"))?;
            Ok(())
        }))
    }

    fn backup(&self, _: PathBuf) -> BoxFuture<'_, StoreResult<()>> {
        let advice = "PostgreSQL is backed up with its own tools: pg_dump --format=custom --file=portage.dump <database URL>";
        Box::pin(std::future::ready(Err(StoreError::Other(advice.to_owned()))))
    }

    fn engine(&self) -> &'static str {
        "postgres"
    }
}

/// A connection with an open transaction. Connections the server closed meanwhile (it was
/// restarted) show at BEGIN, before any work: the next one is tried.
fn begin_on(connections: &Connections, begin: &str) -> StoreResult<PooledConnection<ConnectionManager<Conn>>> {
    for _ in 0..=connections.max_size() {
        let mut conn = connections.get().map_err(|_| StoreError::Busy)?;
        match Manager::begin_transaction_sql(&mut *conn, begin) {
            Ok(()) => return Ok(conn),
            Err(e) => tracing::warn!(reason = %e, "a database connection was lost"),
        }
    }
    Err(StoreError::Busy)
}

fn run(conn: &mut Conn, writes: bool, work: Work) -> Result<(), Ended> {
    let ended = guarded(work, &mut repo::Repos { conn: &mut *conn, writes });
    // A panic inside a nested savepoint leaves it open: closed one by one.
    while depth(conn) > 1 {
        Manager::rollback_transaction(conn)?;
    }
    match ended {
        Ok(()) => commit(conn),
        Err(ended) => {
            Manager::rollback_transaction(conn)?;
            Err(ended)
        }
    }
}

/// PostgreSQL answers the COMMIT of a failed transaction with a rollback and no error, and diesel
/// passes that on as success. A statement before it, sent along, fails then: a unit that overlooked
/// a failed query is told that nothing was written.
fn commit(conn: &mut Conn) -> Result<(), Ended> {
    if let Err(e) = conn.batch_execute("SELECT 1; COMMIT") {
        Manager::rollback_transaction(conn)?;
        return Err(Ended::Db(e));
    }
    *Manager::transaction_manager_status_mut(conn) = TransactionManagerStatus::default();
    Ok(())
}

fn depth(conn: &mut Conn) -> u32 {
    let status = Manager::transaction_manager_status_mut(conn);
    status.transaction_depth().ok().flatten().map_or(0, std::num::NonZeroU32::get)
}

pub fn migrate(url: &str) -> Result<Vec<String>, OpenError> {
    change_schema(url, |conn| Ok(names(&conn.run_pending_migrations(MIGRATIONS)?)))
}

pub fn revert(url: &str) -> Result<Vec<String>, OpenError> {
    change_schema(url, |conn| Ok(names(&conn.revert_all_migrations(MIGRATIONS)?)))
}

/// Under an advisory lock of the session: of several programs starting at once, one migrates.
fn change_schema(
    url: &str,
    change: impl FnOnce(&mut Conn) -> Result<Vec<String>, Box<dyn std::error::Error + Send + Sync>>,
) -> Result<Vec<String>, OpenError> {
    let failed = |reason: String| OpenError::Migrate { engine: "postgres", reason };
    let mut conn = connect(url)?;
    lock(&mut conn).map_err(|e| failed(e.to_string()))?;
    // The lock ends with the connection.
    change(&mut conn).map_err(|e| failed(e.to_string()))
}

fn lock(conn: &mut Conn) -> QueryResult<()> {
    sql_query("SELECT pg_advisory_lock($1)").bind::<diesel::sql_types::BigInt, _>(MIGRATION_LOCK).execute(conn)?;
    Ok(())
}

pub fn connect(url: &str) -> Result<Conn, OpenError> {
    Conn::establish(url).map_err(|e| OpenError::Connect { engine: "postgres", reason: e.to_string() })
}
