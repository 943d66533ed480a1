//! The two engines, and what they share: running units of work on blocking threads.

pub mod postgres;
pub mod sqlite;

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use service::ports::{
    StoreError, StoreResult, Unit,
    store::{Abort, Work},
};
use tokio::sync::Semaphore;

/// How a unit of work ended inside its transaction.
#[derive(Debug)]
pub enum Ended {
    /// The unit itself asked for a rollback; its reason travels beside.
    Aborted,
    /// The unit panicked.
    Panicked,
    /// The transaction itself failed.
    Db(diesel::result::Error),
}

impl From<diesel::result::Error> for Ended {
    fn from(e: diesel::result::Error) -> Self {
        Ended::Db(e)
    }
}

impl Ended {
    pub fn into_error(self) -> StoreError {
        match self {
            Ended::Aborted => StoreError::Other("the unit of work asked to be rolled back".to_owned()),
            Ended::Panicked => StoreError::Other("the unit of work panicked and was rolled back".to_owned()),
            Ended::Db(e) => crate::error::fault("transaction")(e),
        }
    }
}

/// Runs a unit, keeping its panic from taking the thread along.
pub fn guarded(work: Work, unit: &mut dyn Unit) -> Result<(), Ended> {
    match catch_unwind(AssertUnwindSafe(|| work(unit))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(Abort)) => Err(Ended::Aborted),
        Err(payload) => {
            tracing::error!(reason = text_of(payload.as_ref()), "a unit of work panicked");
            Err(Ended::Panicked)
        }
    }
}

fn text_of(payload: &(dyn Any + Send)) -> &str {
    payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("?")
}

/// Runs `f` on a blocking thread, at most as many at a time as there are connections: who waits
/// does so in turn and holds no thread.
pub async fn blocking<T, F>(turns: Arc<Semaphore>, f: F) -> StoreResult<T>
where
    T: Send + 'static,
    F: FnOnce() -> StoreResult<T> + Send + 'static,
{
    let turn = turns.acquire_owned().await.map_err(|_| closed())?;
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
pub fn names(versions: &[diesel::migration::MigrationVersion<'_>]) -> Vec<String> {
    versions.iter().map(ToString::to_string).collect()
}
