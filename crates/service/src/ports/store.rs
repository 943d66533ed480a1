//! The unit of work: what repositories are fetched from. Committing is returning `Ok`;
//! returning `Err` rolls everything back, jobs, audit and ledger lines included.

use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;

use super::{StoreError, StoreResult};

macro_rules! unit {
    ($($area:literal { $($accessor:ident: $repository:ident in $port:ident,)+ })+) => {
        /// Every repository on one connection and one transaction.
        pub trait Unit {
            $($(#[doc = $area]
            fn $accessor(&mut self) -> &mut dyn super::$port::$repository;)+)+
        }
    };
}

super::repositories!(unit);

/// Tells the adapter to roll back; the reason travels beside it.
#[derive(Debug)]
pub struct Abort;

/// The work of one transaction, run on one of the store's own threads.
pub type Work = Box<dyn FnOnce(&mut dyn Unit) -> Result<(), Abort> + Send>;

/// How much a unit of work does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Some statements.
    Usual,
    /// Thousands of them: a file of rows.
    Large,
}

/// A database. Object safe: the program holds an `Arc<dyn Store>`.
pub trait Store: Send + Sync {
    /// Runs `work` in a read-only transaction with one consistent view.
    fn read_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>>;
    /// Runs `work` in a write transaction; `Ok` commits durably before the future resolves.
    fn write_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>>;
    /// As [`Store::write_unit`], for a unit of thousands of statements: its time grows as their number does.
    fn write_large_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        self.write_unit(work)
    }
    /// Cheap check for readiness: the database can be read, and the way to write is open. Changes
    /// nothing.
    fn ping(&self) -> BoxFuture<'_, StoreResult<()>>;
    /// A consistent copy of the whole database into `target` while running (SQLite), or an
    /// error that says what to use instead (PostgreSQL).
    fn backup(&self, target: std::path::PathBuf) -> BoxFuture<'_, StoreResult<()>>;
    /// Bytes the database takes on disk; 0 for one that is in memory only.
    fn bytes(&self) -> BoxFuture<'_, StoreResult<u64>> {
        Box::pin(std::future::ready(Ok(0)))
    }
    /// Why the database was of no use the last time, in words for an operator; none while it is of use.
    fn trouble(&self) -> Option<String> {
        None
    }
    /// What the clock of the database says; none for one that has no clock of its own.
    fn time(&self) -> BoxFuture<'_, StoreResult<Option<DateTime<Utc>>>> {
        Box::pin(std::future::ready(Ok(None)))
    }
    /// Called once at the end of a process: what is kept beside the database goes into it.
    fn put_away(&self) -> BoxFuture<'_, StoreResult<()>> {
        Box::pin(std::future::ready(Ok(())))
    }
    /// `sqlite` or `postgres`, for metrics and messages.
    fn engine(&self) -> &'static str;
}

impl dyn Store + '_ {
    /// Reads with one consistent view.
    ///
    /// # Errors
    /// What `f` answers, or the store's own failure turned into `E`.
    pub async fn read<T, E>(&self, f: impl FnOnce(&mut dyn Unit) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (work, slot) = wrap(f);
        let done = self.read_unit(work).await;
        finish(done, &slot)
    }

    /// Writes: commits when `f` answers `Ok`, rolls back when it answers `Err`.
    ///
    /// # Errors
    /// What `f` answers, or the store's own failure (including a failed commit) turned into `E`.
    pub async fn write<T, E>(&self, f: impl FnOnce(&mut dyn Unit) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.write_of(Size::Usual, f).await
    }

    /// Writes a unit of that size, as [`write`](Self::write) does.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub async fn write_of<T, E>(
        &self,
        size: Size,
        f: impl FnOnce(&mut dyn Unit) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (work, slot) = wrap(f);
        let done = match size {
            Size::Usual => self.write_unit(work).await,
            Size::Large => self.write_large_unit(work).await,
        };
        finish(done, &slot)
    }
}

type Slot<T, E> = Arc<Mutex<Option<Result<T, E>>>>;

fn wrap<T, E>(f: impl FnOnce(&mut dyn Unit) -> Result<T, E> + Send + 'static) -> (Work, Slot<T, E>)
where
    T: Send + 'static,
    E: Send + 'static,
{
    let slot: Slot<T, E> = Arc::new(Mutex::new(None));
    let inner = slot.clone();
    let work: Work = Box::new(move |unit| {
        let result = f(unit);
        let verdict = if result.is_ok() { Ok(()) } else { Err(Abort) };
        if let Ok(mut place) = inner.lock() {
            *place = Some(result);
        }
        verdict
    });
    (work, slot)
}

/// A rolled-back unit answers with its own reason; a failed commit with the store's.
fn finish<T, E: From<StoreError>>(done: StoreResult<()>, slot: &Slot<T, E>) -> Result<T, E> {
    let told = slot.lock().ok().and_then(|mut s| s.take());
    match (done, told) {
        (_, Some(Err(reason))) => Err(reason),
        (Ok(()), Some(Ok(value))) => Ok(value),
        (Err(failure), _) => Err(failure.into()),
        (Ok(()), None) => Err(StoreError::Other("the unit of work was dropped before it ran".into()).into()),
    }
}
