//! Jobs.

use diesel::prelude::*;
use kernel::JobId;
use service::ports::{
    StoreResult,
    jobs::{Job, NewJob},
};

use crate::{
    columns::{Doc, Id, Instant},
    schema::jobs,
};

/// Waits for its time.
pub const QUEUED: &str = "queued";
/// Claimed by a worker, until its lease ends.
pub const RUNNING: &str = "running";
/// Finished.
pub const DONE: &str = "done";
/// On the dead-letter list.
pub const DEAD: &str = "dead";

/// A job to queue, and what a queued job of the same key becomes: a new request, which counts its
/// attempts from the beginning (its id stays). Written by [`crate::statement::Enqueued`].
pub struct NewJobRow {
    pub id: Id,
    pub kind: String,
    pub payload: Doc,
    pub run_at: Instant,
    pub dedup_key: Option<String>,
    pub attempts: i32,
    pub failures: i32,
    pub max_attempts: i32,
    pub state: &'static str,
    pub last_error: Option<String>,
    pub held_until: Option<Instant>,
}

impl NewJobRow {
    pub fn of(j: &NewJob) -> StoreResult<Self> {
        Ok(NewJobRow {
            id: Id(j.id.0),
            kind: j.kind.clone(),
            payload: Doc::of(&j.payload)?,
            run_at: Instant(j.run_at),
            dedup_key: j.dedup_key.clone(),
            attempts: 0,
            failures: 0,
            max_attempts: j.max_attempts,
            state: QUEUED,
            last_error: None,
            held_until: j.held_until.map(Instant),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = jobs)]
pub struct JobRow {
    pub id: Id,
    pub kind: String,
    pub payload: Doc,
    pub run_at: Instant,
    pub attempts: i32,
    pub failures: i32,
    pub max_attempts: i32,
    pub last_error: Option<String>,
}

impl JobRow {
    pub fn read(self) -> StoreResult<Job> {
        Ok(Job {
            id: JobId(self.id.0),
            payload: self.payload.read("jobs", "payload", &self.id.0)?,
            kind: self.kind,
            run_at: self.run_at.0,
            attempts: self.attempts,
            failures: self.failures,
            max_attempts: self.max_attempts,
            last_error: self.last_error,
        })
    }
}
