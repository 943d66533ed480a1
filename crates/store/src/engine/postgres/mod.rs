//! PostgreSQL: a pool. Read units are repeatable read and read only; write units are read
//! committed, with explicit row locks taken in a fixed order.

mod dialect;
#[path = "../../repo/mod.rs"]
mod repo;

use std::{path::PathBuf, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use diesel::{
    Connection, QueryableByName, RunQueryDsl,
    connection::{AnsiTransactionManager, SimpleConnection, TransactionManager, TransactionManagerStatus},
    r2d2::{ConnectionManager, CustomizeConnection, HandleError, Pool, PooledConnection},
    result::QueryResult,
    sql_query,
    sql_types::{BigInt, Bool},
};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use futures_util::future::BoxFuture;
use service::ports::{Store, StoreError, StoreResult, store::Work};
use tokio::sync::Semaphore;

use super::{SchemaError, UnitFailure, advance, blocking, guarded, pending, turns};
use crate::{OlderDatabase, OpenError, Options, error::fault, trouble::Trouble};

pub type Conn = diesel::PgConnection;
type Connections = Pool<ConnectionManager<Conn>>;
type Manager = AnsiTransactionManager;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");
/// Names the advisory lock of the migrations ("portage" in ASCII).
const MIGRATION_LOCK: i64 = 0x0070_6f72_7461_6765;
const READ: &str = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY";
const WRITE: &str = "BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE";

const ENGINE: &str = "postgres";
/// What the first connection may take: the server was reached a moment ago, and a busy machine is slow to answer again.
const OPENING_WAIT: Duration = Duration::from_secs(15);
/// What a unit waits for a connection of the pool, all of which are in use.
const CONNECTION_WAIT: Duration = Duration::from_secs(3);
/// The same while there is none at all.
const RETURN_WAIT: Duration = Duration::from_secs(1);
/// What a caller waits for a whole unit.
const UNIT_WAIT: Duration = Duration::from_secs(30);
/// Seconds, save the last, which is milliseconds: connecting, and noticing a server that is gone
/// without a word.
const LIMITS: [(&str, &str); 5] = [
    ("connect_timeout", "5"),
    ("keepalives_idle", "15"),
    ("keepalives_interval", "5"),
    ("keepalives_count", "3"),
    ("tcp_user_timeout", "15000"),
];

#[derive(QueryableByName)]
struct ExistsRow {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// The clock of the server.
pub const CLOCK: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS millis";

/// The answer to [`CLOCK`].
#[derive(QueryableByName)]
pub struct ClockRow {
    #[diesel(sql_type = BigInt)]
    millis: i64,
}

impl ClockRow {
    pub fn instant(&self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp_millis(self.millis)
    }
}

#[derive(QueryableByName)]
struct SizeRow {
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

/// A server.
pub struct PostgresStore {
    connections: Connections,
    turns: Arc<Semaphore>,
    trouble: Trouble,
}

/// Nobody waits for a lock forever; and diesel hands on a server's words, not its error codes, so
/// where the role may choose them they are the untranslated ones that [`crate::error`] knows.
const SETUP: &str = "
    SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '60s';
    SET TIME ZONE 'UTC';
    DO $$ BEGIN SET lc_messages = 'C'; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$;";

#[derive(Debug)]
struct Setup(Trouble);

impl CustomizeConnection<Conn, diesel::r2d2::Error> for Setup {
    fn on_acquire(&self, conn: &mut Conn) -> Result<(), diesel::r2d2::Error> {
        conn.batch_execute(SETUP).map_err(diesel::r2d2::Error::QueryError)?;
        self.0.over();
        Ok(())
    }
}

impl PostgresStore {
    pub fn open(url: &str, options: Options) -> Result<Self, OpenError> {
        migrate(url)?;
        PostgresStore::start(url, options)
    }

    pub fn is_made(url: &str) -> Result<bool, OpenError> {
        found(url).map(|conn| conn.is_some())
    }

    /// What is there, without a migration; none when there is nothing.
    pub fn open_made(url: &str, options: Options, older: OlderDatabase) -> Result<Option<Self>, OpenError> {
        let Some(mut conn) = found(url)? else { return Ok(None) };
        match (pending(&mut conn, &MIGRATIONS).map_err(|e| e.on(ENGINE))?, older) {
            (1.., OlderDatabase::Refused) => Err(OpenError::Older { engine: ENGINE }),
            _ => PostgresStore::start(url, options).map(Some),
        }
    }

    fn start(url: &str, options: Options) -> Result<Self, OpenError> {
        let trouble = Trouble::default();
        let connections = Pool::builder()
            .max_size(options.connections.max(1))
            .min_idle(Some(1))
            .connection_timeout(OPENING_WAIT)
            .test_on_check_out(false)
            .connection_customizer(Box::new(Setup(trouble.clone())))
            .error_handler(Box::new(ConnectionErrorRecorder(trouble.clone())))
            .build(ConnectionManager::new(with_limits(url)))
            .map_err(|e| connect_error(&e))?;
        Ok(PostgresStore { connections, turns: turns(options.connections), trouble })
    }

    fn unit(&self, begin: &'static str, writes: bool, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        let connections = self.connections.clone();
        let unit = blocking(self.turns.clone(), move || {
            let mut conn = begin_on(&connections, begin)?;
            run(&mut conn, writes, work).map_err(UnitFailure::into_error)
        });
        Box::pin(patiently(unit))
    }
}

/// A connection to the server, when the database in it is Portage's.
fn found(url: &str) -> Result<Option<Conn>, OpenError> {
    let mut conn = connect(url)?;
    let asked = "SELECT to_regclass('__diesel_schema_migrations') IS NOT NULL AS yes";
    let found = sql_query(asked).get_result::<ExistsRow>(&mut conn).map_err(|e| connect_error(&e))?;
    Ok(found.yes.then_some(conn))
}

/// A server that hangs closes no connection: whoever waits for it is told so. What was begun ends
/// on its own thread, as after a COMMIT whose answer was lost.
async fn patiently<T>(unit: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
    tokio::time::timeout(UNIT_WAIT, unit).await.unwrap_or(Err(StoreError::Unavailable))
}

/// libpq waits for ever by itself. What the URL says stays as it says.
fn with_limits(url: &str) -> String {
    let mut url = url.to_owned();
    for (name, value) in LIMITS {
        if !url.contains(&format!("{name}=")) {
            url.push(if url.contains('?') { '&' } else { '?' });
            url.push_str(&format!("{name}={value}"));
        }
    }
    url
}

/// The pool tries to connect again and again: its words do not go to the log each time, and are kept for whoever
/// asks.
#[derive(Debug)]
struct ConnectionErrorRecorder(Trouble);

impl HandleError<diesel::r2d2::Error> for ConnectionErrorRecorder {
    fn handle_error(&self, error: diesel::r2d2::Error) {
        tracing::debug!(reason = %error, "no connection to the database");
        self.0.met(&error.to_string());
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
        // A transaction that may write (a standby refuses it), with nothing to write.
        self.unit(WRITE, true, Box::new(|_| Ok(())))
    }

    fn backup(&self, _: PathBuf) -> BoxFuture<'_, StoreResult<()>> {
        let advice =
            "PostgreSQL is backed up with its own tools: pg_dump --format=custom --file=portage.dump <database URL>";
        Box::pin(std::future::ready(Err(StoreError::Other(advice.to_owned()))))
    }

    fn bytes(&self) -> BoxFuture<'_, StoreResult<u64>> {
        let connections = self.connections.clone();
        Box::pin(patiently(blocking(self.turns.clone(), move || {
            let asked = sql_query("SELECT pg_database_size(current_database()) AS bytes");
            let size =
                asked.get_result::<SizeRow>(&mut *connection(&connections)?).map_err(fault("pg_database_size"))?;
            Ok(u64::try_from(size.bytes).unwrap_or_default())
        })))
    }

    fn trouble(&self) -> Option<String> {
        self.trouble.message()
    }

    fn time(&self) -> BoxFuture<'_, StoreResult<Option<DateTime<Utc>>>> {
        let connections = self.connections.clone();
        Box::pin(patiently(blocking(self.turns.clone(), move || {
            let asked = sql_query(CLOCK).get_result::<ClockRow>(&mut *connection(&connections)?);
            Ok(asked.map_err(fault("clock"))?.instant())
        })))
    }

    fn engine(&self) -> &'static str {
        ENGINE
    }
}

/// A connection with an open transaction. Connections the server closed meanwhile (it was
/// restarted) show at BEGIN, before any work: the next one is tried.
fn begin_on(connections: &Connections, begin: &str) -> StoreResult<PooledConnection<ConnectionManager<Conn>>> {
    for _ in 0..=connections.max_size() {
        let mut conn = connection(connections)?;
        match Manager::begin_transaction_sql(&mut *conn, begin) {
            Ok(()) => return Ok(conn),
            Err(e) => tracing::warn!(reason = %e, "a database connection was lost"),
        }
    }
    Err(StoreError::Unavailable)
}

/// Where no connection is left the server is most likely gone: nobody waits long for its return.
fn connection(connections: &Connections) -> StoreResult<PooledConnection<ConnectionManager<Conn>>> {
    let wait = if connections.state().connections == 0 { RETURN_WAIT } else { CONNECTION_WAIT };
    connections.get_timeout(wait).map_err(|_| StoreError::Unavailable)
}

fn run(conn: &mut Conn, writes: bool, work: Work) -> Result<(), UnitFailure> {
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
fn commit(conn: &mut Conn) -> Result<(), UnitFailure> {
    if let Err(e) = conn.batch_execute("SELECT 1; COMMIT") {
        Manager::rollback_transaction(conn)?;
        return Err(UnitFailure::Db(e));
    }
    *Manager::transaction_manager_status_mut(conn) = TransactionManagerStatus::default();
    Ok(())
}

fn depth(conn: &mut Conn) -> u32 {
    let status = Manager::transaction_manager_status_mut(conn);
    status.transaction_depth().ok().flatten().map_or(0, std::num::NonZeroU32::get)
}

pub fn migrate(url: &str) -> Result<Vec<String>, OpenError> {
    change_schema(url, |conn| {
        let done = advance(conn, MIGRATIONS)?;
        repo::refill(conn)?;
        Ok(done)
    })
}

/// Under an advisory lock of the session: of several programs starting at once, one migrates.
fn change_schema(
    url: &str,
    change: impl FnOnce(&mut Conn) -> Result<Vec<String>, SchemaError>,
) -> Result<Vec<String>, OpenError> {
    let mut conn = connect(url)?;
    lock(&mut conn).map_err(SchemaError::from).and_then(|()| change(&mut conn)).map_err(|e| e.on(ENGINE))
    // The lock ends with the connection.
}

fn lock(conn: &mut Conn) -> QueryResult<()> {
    sql_query("SELECT pg_advisory_lock($1)").bind::<diesel::sql_types::BigInt, _>(MIGRATION_LOCK).execute(conn)?;
    Ok(())
}

pub fn connect(url: &str) -> Result<Conn, OpenError> {
    Conn::establish(&with_limits(url)).map_err(|e| connect_error(&e))
}

fn connect_error(e: &impl ToString) -> OpenError {
    OpenError::Connect { engine: ENGINE, reason: e.to_string() }
}

#[cfg(feature = "testing")]
pub(crate) mod checks {
    #![allow(missing_docs, reason = "a check that the conformance suite runs")]
    use super::*;

    pub fn a_url_without_time_outs_gets_them() {
        let url = with_limits("postgres://u:p@h/db?connect_timeout=9");
        assert!(url.starts_with("postgres://u:p@h/db?connect_timeout=9&keepalives_idle="), "{url}");
        assert_eq!(url.matches("connect_timeout").count(), 1);
        assert!(with_limits("postgres://h/db").starts_with("postgres://h/db?connect_timeout="));
    }
}
