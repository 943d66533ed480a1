//! A database without threads: one SQLite connection in memory, every unit of work run on the
//! spot by whoever polls it. For simulations, whose order of events must be decided by their seed
//! and by nothing else.
//!
//! A fork is an open outer transaction: units of work are savepoints inside of it, and dropping
//! the fork rolls everything back to what was written before. That is far cheaper than a new
//! database, and the connection keeps its prepared statements.

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use chrono::NaiveDate;
use diesel::connection::{AnsiTransactionManager, SimpleConnection as _, TransactionManager};
use futures_util::future::{BoxFuture, ready};
use service::ports::{Store, StoreError, StoreResult, store::Work};

use crate::engine::sqlite::{Conn, memory, taken, unit};

/// See the module.
pub struct Inline {
    conn: Mutex<Conn>,
    writes: AtomicU64,
}

impl Inline {
    /// An empty, migrated database.
    pub fn new() -> Arc<Inline> {
        Arc::new(Inline { conn: Mutex::new(memory().expect("a database in memory")), writes: AtomicU64::new(0) })
    }

    fn conn(&self) -> MutexGuard<'_, Conn> {
        self.conn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything written until the fork is dropped is forgotten then. One at a time.
    pub fn fork(self: &Arc<Inline>) -> Fork {
        AnsiTransactionManager::begin_transaction(&mut *self.conn()).expect("a transaction begins");
        Fork(Arc::clone(self))
    }

    /// Everything written until the trial is dropped is forgotten then; inside of a fork, and not inside
    /// of another trial.
    pub fn trial(self: &Arc<Inline>) -> Trial {
        self.conn().batch_execute("SAVEPOINT trial").expect("a trial begins");
        Trial(Arc::clone(self))
    }

    /// Runs a unit of work now.
    ///
    /// # Errors
    /// As [`Store::write_unit`].
    pub fn run(&self, work: Work, writes: bool) -> StoreResult<()> {
        if writes {
            self.writes.fetch_add(1, Ordering::Relaxed);
        }
        unit(&mut self.conn(), work, writes)
    }

    /// What is counted as taken in each half hour of a hub, where it is not nothing: mates, and trucks by
    /// class.
    pub fn taken(&self, hub: &str) -> Vec<(NaiveDate, u16, (u32, [u32; 3]))> {
        let rows = taken(&mut self.conn(), hub).expect("the counters are read");
        let n = |n: i32| u32::try_from(n).expect("a count");
        let of = |(date, bucket, [mates, ten, twenty, twenty_six]): (NaiveDate, i32, [i32; 4])| {
            (date, u16::try_from(bucket).expect("a half hour"), (n(mates), [n(ten), n(twenty), n(twenty_six)]))
        };
        rows.into_iter().map(of).collect()
    }

    /// Write units so far: what was read before the last one may have changed.
    pub fn writes(&self) -> u64 {
        self.writes.load(Ordering::Relaxed)
    }
}

/// See [`Inline::fork`].
pub struct Fork(Arc<Inline>);

impl Drop for Fork {
    fn drop(&mut self) {
        AnsiTransactionManager::rollback_transaction(&mut *self.0.conn()).expect("the fork is rolled back");
    }
}

/// See [`Inline::trial`].
pub struct Trial(Arc<Inline>);

impl Drop for Trial {
    fn drop(&mut self) {
        let undo = "ROLLBACK TO trial; RELEASE trial";
        self.0.conn().batch_execute(undo).expect("the trial is rolled back");
    }
}

impl Store for Inline {
    fn read_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        Box::pin(async move { self.run(work, false) })
    }

    fn write_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        Box::pin(async move { self.run(work, true) })
    }

    fn ping(&self) -> BoxFuture<'_, StoreResult<()>> {
        Box::pin(ready(Ok(())))
    }

    fn backup(&self, _: PathBuf) -> BoxFuture<'_, StoreResult<()>> {
        Box::pin(ready(Err(StoreError::Other("a database in memory has no copies".to_owned()))))
    }

    fn engine(&self) -> &'static str {
        "sqlite"
    }
}
