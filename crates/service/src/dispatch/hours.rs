//! Hours actually worked, from the acts of mates, beside those that were planned.

use chrono::{DateTime, Utc};

use super::board::{AssignedMate, MoveJob};

/// Whole minutes from when a mate began to when they were done; none before.
pub fn of_mate(mate: &AssignedMate) -> Option<u32> {
    between(mate.started_at?, mate.finished_at?)
}

/// When the first of a crew began, and when the last was done; the second only when everybody who began is done.
pub fn span(job: &MoveJob) -> (Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
    let begun = || job.crew.iter().filter(|m| m.started_at.is_some());
    let all_done = begun().all(|m| m.finished_at.is_some());
    let last = begun().filter_map(|m| m.finished_at).max();
    (begun().filter_map(|m| m.started_at).min(), last.filter(|_| all_done))
}

/// Whole minutes of [`span`]: what the move took, beside `duration_minutes` as planned.
pub fn of_job(job: &MoveJob) -> Option<u32> {
    let (began, done) = span(job);
    between(began?, done?)
}

fn between(began: DateTime<Utc>, done: DateTime<Utc>) -> Option<u32> {
    u32::try_from((done - began).num_minutes()).ok()
}
