//! Work that happens later: one durable table, inserted in the transaction that causes it.

use chrono::{DateTime, Utc};
use kernel::JobId;
use serde::{Deserialize, Serialize};

use super::StoreResult;

/// A job to insert.
#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    /// Key.
    pub id: JobId,
    /// What to do: `bill_booking`, `send_message`, `expire_hold`, …
    pub kind: String,
    /// Its input.
    pub payload: serde_json::Value,
    /// Not before.
    pub run_at: DateTime<Utc>,
    /// A queued job with the same key is moved to `run_at` (its payload replaced) instead of
    /// a second being inserted. A job already running is left alone and a new one inserted.
    pub dedup_key: Option<String>,
    /// Failures before it is put on the dead-letter list.
    pub max_attempts: i32,
    /// Not before this instant of real time either, whatever the business clock says: for what
    /// waits for a network and not for a date.
    pub held_until: Option<DateTime<Utc>>,
}

/// A claimed or listed job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Key.
    pub id: JobId,
    /// What to do.
    pub kind: String,
    /// Its input.
    pub payload: serde_json::Value,
    /// Not before.
    pub run_at: DateTime<Utc>,
    /// How often it was claimed, this time included.
    pub attempts: i32,
    /// How often it failed by itself; a worker that was killed is not among them.
    pub failures: i32,
    /// Failures before the dead-letter list.
    pub max_attempts: i32,
    /// What the last attempt said.
    pub last_error: Option<String>,
}

/// A job that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct FailedJob {
    /// The job; its `run_at` is that of the next try.
    pub job: Job,
    /// When it was given up; none while it is tried again.
    pub given_up: Option<DateTime<Utc>>,
}

/// Figures about the queue, for metrics and tests.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct QueueFigures {
    /// Queued and due at the asked instant.
    pub due: i64,
    /// Queued for later.
    pub waiting: i64,
    /// On the dead-letter list.
    pub dead: i64,
    /// Run time of the oldest due job.
    pub oldest_due: Option<DateTime<Utc>>,
}

/// Which kinds of jobs are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinds {
    /// Every one.
    All,
    /// These.
    Only(&'static [&'static str]),
}

/// The end of the year 9999: no job is queued for later.
const LAST: DateTime<Utc> = match DateTime::from_timestamp(253_402_300_799, 0) {
    Some(at) => at,
    None => DateTime::<Utc>::MAX_UTC,
};

/// The job table.
pub trait Jobs {
    /// Inserts, or moves the queued job of the same `dedup_key`.
    fn enqueue(&mut self, job: &NewJob) -> StoreResult<()> {
        self.enqueue_all(std::slice::from_ref(job))
    }
    /// The same of several at once, of which no two have the same key.
    fn enqueue_all(&mut self, jobs: &[NewJob]) -> StoreResult<()>;
    /// Withdraws queued jobs of this key (those not claimed); answers how many.
    fn withdraw(&mut self, dedup_key: &str) -> StoreResult<i64>;
    /// Claims up to `max` jobs due at `now` for `who` until `lease_until`; leases that ended at or
    /// before `wall` are reclaimed. Leases count real time (`wall`), due times the business clock
    /// (`now`): the two differ when a test moves the days. SKIP LOCKED on PostgreSQL, one
    /// statement under IMMEDIATE on SQLite.
    fn claim(
        &mut self,
        now: DateTime<Utc>,
        wall: DateTime<Utc>,
        lease_until: DateTime<Utc>,
        who: &str,
        max: i64,
    ) -> StoreResult<Vec<Job>>;
    /// As `claim`, one job of some kinds.
    fn claim_one(
        &mut self,
        now: DateTime<Utc>,
        wall: DateTime<Utc>,
        lease_until: DateTime<Utc>,
        who: &str,
        kinds: Kinds,
    ) -> StoreResult<Option<Job>>;
    /// As `claim_one`, without a look for what has to pause after many lost workers: for a worker that claims one job
    /// after the other.
    fn claim_next(
        &mut self,
        now: DateTime<Utc>,
        wall: DateTime<Utc>,
        lease_until: DateTime<Utc>,
        who: &str,
        kinds: Kinds,
    ) -> StoreResult<Option<Job>>;
    /// Prolongs the leases of the jobs that `who` still works on; answers how many.
    fn renew(&mut self, who: &str, lease_until: DateTime<Utc>) -> StoreResult<i64>;
    /// Ends every lease: called once by a process that knows no other is alive. Answers how many.
    fn release_leases(&mut self) -> StoreResult<i64>;
    /// Marks done. `Stale` when the lease is no longer `who`'s.
    fn finish(&mut self, id: JobId, who: &str, now: DateTime<Utc>) -> StoreResult<()>;
    /// Gives the job back to run at `run_at` with the error recorded and counted. `Stale` as above.
    fn retry(&mut self, id: JobId, who: &str, run_at: DateTime<Utc>, error: &str) -> StoreResult<()>;
    /// Gives the job back untried: not before `held_until` of real time. Costs no attempt.
    /// `Stale` as above.
    fn hold_back(&mut self, id: JobId, who: &str, held_until: DateTime<Utc>) -> StoreResult<()>;
    /// Puts the job on the dead-letter list. `Stale` as above.
    fn bury(&mut self, id: JobId, who: &str, now: DateTime<Utc>, error: &str) -> StoreResult<()>;
    /// The dead-letter list, newest first.
    fn dead(&mut self, limit: i64) -> StoreResult<Vec<Job>>;
    /// Queued jobs that failed and are tried again, the next one first.
    fn failing(&mut self, limit: i64) -> StoreResult<Vec<Job>>;
    /// Jobs of these kinds that failed, whether they are tried again or were given up.
    fn failed_of(&mut self, kinds: Kinds) -> StoreResult<Vec<FailedJob>>;
    /// Queues a dead job again.
    fn revive(&mut self, id: JobId, run_at: DateTime<Utc>) -> StoreResult<bool>;
    /// Takes a dead job off the list: it counts as done at `now`. Answers the job it was.
    fn discard(&mut self, id: JobId, now: DateTime<Utc>) -> StoreResult<Option<Job>>;
    /// The earliest run time of queued jobs that are not held back at `wall`, so that a worker
    /// knows how long to sleep.
    fn next_run_at(&mut self, wall: DateTime<Utc>) -> StoreResult<Option<DateTime<Utc>>> {
        self.next_run_of(Kinds::All, wall, LAST)
    }
    /// The same of some kinds, when it is not after `until`: nobody goes through everything that is queued for later.
    fn next_run_of(
        &mut self,
        kinds: Kinds,
        wall: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> StoreResult<Option<DateTime<Utc>>>;
    /// Figures at `now`.
    fn figures(&mut self, now: DateTime<Utc>) -> StoreResult<QueueFigures> {
        self.figures_of(Kinds::All, now)
    }
    /// The same of some kinds.
    fn figures_of(&mut self, kinds: Kinds, now: DateTime<Utc>) -> StoreResult<QueueFigures>;
    /// When a job of this kind last succeeded, as far back as jobs are kept. What was dropped, or gave way to a
    /// repetition after it had failed, did not.
    fn last_done(&mut self, kind: &str) -> StoreResult<Option<DateTime<Utc>>>;
    /// Takes jobs of these kinds that are due off the list, undone, those that were under way among them;
    /// answers which.
    fn skip_due(&mut self, kinds: Kinds, now: DateTime<Utc>) -> StoreResult<Vec<Job>>;
    /// Nothing of these kinds is held back in real time any more; answers how many jobs were.
    fn let_go(&mut self, kinds: Kinds) -> StoreResult<i64>;
    /// Deletes finished jobs older than `before`; answers how many.
    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<i64>;
}
