//! The two engines, and what they share: running units of work on blocking threads.

pub mod postgres;
pub mod sqlite;

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use diesel::{
    backend::Backend,
    migration::{MigrationSource, MigrationVersion},
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};
use service::ports::{
    StoreError, StoreResult, Unit,
    store::{Abort, Work},
};
use tokio::sync::Semaphore;

use crate::OpenError;

/// What a unit waits for its turn: when that is not enough, whoever asked may come back.
const TURN_WAIT: Duration = Duration::from_secs(10);

/// Why a unit of work failed inside its transaction.
#[derive(Debug)]
pub enum UnitFailure {
    /// The unit itself asked for a rollback; its reason travels beside.
    Aborted,
    /// The unit panicked.
    Panicked,
    /// The transaction itself failed.
    Db(diesel::result::Error),
}

impl From<diesel::result::Error> for UnitFailure {
    fn from(e: diesel::result::Error) -> Self {
        UnitFailure::Db(e)
    }
}

impl UnitFailure {
    pub fn into_error(self) -> StoreError {
        match self {
            UnitFailure::Aborted => StoreError::Other("the unit of work asked to be rolled back".to_owned()),
            UnitFailure::Panicked => StoreError::Other("the unit of work panicked and was rolled back".to_owned()),
            UnitFailure::Db(e) => crate::error::fault("transaction")(e),
        }
    }
}

/// Runs a unit, keeping its panic from taking the thread along.
pub fn guarded(work: Work, unit: &mut dyn Unit) -> Result<(), UnitFailure> {
    match catch_unwind(AssertUnwindSafe(|| work(unit))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(Abort)) => Err(UnitFailure::Aborted),
        Err(payload) => {
            tracing::error!(reason = text_of(payload.as_ref()), "a unit of work panicked");
            Err(UnitFailure::Panicked)
        }
    }
}

fn text_of(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("?")
}

/// Runs `f` on a blocking thread, at most as many at a time as there are connections: who waits
/// does so in turn and holds no thread.
pub async fn blocking<T, F>(turns: Arc<Semaphore>, f: F) -> StoreResult<T>
where
    T: Send + 'static,
    F: FnOnce() -> StoreResult<T> + Send + 'static,
{
    let turn = tokio::time::timeout(TURN_WAIT, turns.acquire_owned()).await;
    let turn = turn.map_err(|_| StoreError::Busy)?.map_err(|_| closed())?;
    let done = tokio::task::spawn_blocking(move || {
        // Kept until the work is over, even when the caller has gone away.
        let _turn = turn;
        f()
    });
    done.await.map_err(|e| StoreError::Other(format!("the database thread ended early: {e}")))?
}

/// The store is shutting down.
pub fn closed() -> StoreError {
    StoreError::Other("the database is closed".to_owned())
}

/// Permits for `n` connections.
pub fn turns(n: u32) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(usize::try_from(n.max(1)).unwrap_or(1)))
}

/// The versions of migrations as text.
pub fn names(versions: &[MigrationVersion<'_>]) -> Vec<String> {
    versions.iter().map(ToString::to_string).collect()
}

/// Why migrations did not run.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// A newer program was here.
    #[error("migrations of a newer version: {0:?}")]
    Newer(Vec<String>),
    /// A row names another that is not there.
    #[error("the rows of {0} name others that are not there")]
    Dangling(String),
    #[error("{0}")]
    Migration(Box<dyn std::error::Error + Send + Sync>),
    #[error(transparent)]
    Db(#[from] diesel::result::Error),
    #[error(transparent)]
    Rows(#[from] StoreError),
}

impl SchemaError {
    pub fn on(self, engine: &'static str) -> OpenError {
        match self {
            SchemaError::Newer(unknown) => OpenError::Newer { engine, unknown },
            other => OpenError::Migrate { engine, reason: other.to_string() },
        }
    }
}

/// Refuses a schema that has migrations this program does not know; otherwise answers how many of
/// those it knows have not run.
pub fn pending<DB, C>(conn: &mut C, ours: &EmbeddedMigrations) -> Result<usize, SchemaError>
where
    DB: Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    let applied = names(&conn.applied_migrations().map_err(SchemaError::Migration)?);
    let known = MigrationSource::<DB>::migrations(ours).map_err(SchemaError::Migration)?;
    let known: Vec<String> = known.iter().map(|m| m.name().version().to_string()).collect();
    let mut unknown: Vec<String> = applied.iter().filter(|v| !known.contains(v)).cloned().collect();
    unknown.sort();
    if unknown.is_empty() {
        Ok(known.iter().filter(|v| !applied.contains(v)).count())
    } else {
        Err(SchemaError::Newer(unknown))
    }
}

/// Brings the schema to this version.
pub fn advance<DB, C>(conn: &mut C, ours: EmbeddedMigrations) -> Result<Vec<String>, SchemaError>
where
    DB: Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    pending(conn, &ours)?;
    Ok(names(&conn.run_pending_migrations(ours).map_err(SchemaError::Migration)?))
}
