//! What is done later, or by another process: every kind of job with its lane, how often it may fail and how long it waits
//! then ([`Kind`]), and with its input and the key that keeps it single ([`Work`]). Who does it stands in [`crate::jobs`], in
//! one `match` without a wildcard.

pub(crate) mod bell;
mod kinds;
mod lanes;

use chrono::{DateTime, Utc};
use kernel::JobId;
use serde_json::json;

pub use bell::{Bell, Lanes};
pub(crate) use kinds::backoff;
pub use kinds::{Kind, Work};
pub use lanes::Lane;

use crate::{Services, ports::jobs::NewJob};

impl Work {
    /// The job, to be queued for an instant of the business clock.
    pub fn at(&self, s: &Services, run_at: DateTime<Utc>) -> NewJob {
        let (kind, whole) = (self.kind(), serde_json::to_value(self).unwrap_or_default());
        NewJob {
            id: JobId(s.entropy.uuid(run_at)),
            kind: kind.code().to_owned(),
            payload: whole.get("payload").cloned().unwrap_or_else(|| json!({})),
            run_at,
            dedup_key: self.key(),
            max_attempts: kind.most_failures(),
            held_until: None,
        }
    }
}

/// How a run of a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobOutcome {
    /// Nothing more is due now.
    Done,
    /// Another worker has it, or an outcome is not known yet: it runs again at this instant of
    /// real time.
    Later(DateTime<Utc>),
    /// It will never succeed, for this reason: a person must look at it.
    GivenUp(String),
}
