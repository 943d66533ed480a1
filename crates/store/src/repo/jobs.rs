//! The job table.

use chrono::{DateTime, Duration, Utc};
use diesel::prelude::*;
use kernel::JobId;
use service::ports::{
    StoreError, StoreResult,
    jobs::{FailedJob, Job, Jobs, Kinds, NewJob, QueueFigures},
};

use super::{
    super::{Conn, dialect},
    Repos,
};
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::jobs::{DEAD, DONE, JobRow, NewJobRow, QUEUED, RUNNING},
    schema::jobs,
    statement::{Dead, Done, Enqueued, Next, OfKinds, Queued, Running, update},
};

const TABLE: &str = "jobs";

/// What a claim writes.
macro_rules! claimed_by {
    ($who:expr, $lease_until:expr) => {
        (
            jobs::state.eq(RUNNING),
            jobs::locked_by.eq($who),
            jobs::locked_until.eq(Instant($lease_until)),
            jobs::attempts.eq(jobs::attempts + 1),
        )
    };
}

impl Jobs for Repos<'_> {
    fn enqueue_all(&mut self, jobs: &[NewJob]) -> StoreResult<()> {
        let rows = jobs.iter().map(NewJobRow::of).collect::<StoreResult<Vec<_>>>()?;
        Enqueued(&rows).execute(self.conn).map(drop).map_err(fault(TABLE))
    }

    fn withdraw(&mut self, dedup_key: &str) -> StoreResult<i64> {
        let withdrawn = jobs::table.filter(jobs::dedup_key.eq(dedup_key)).filter(Queued);
        diesel::delete(withdrawn).execute(self.conn).map(count).map_err(fault(TABLE))
    }

    fn claim(
        &mut self,
        now: DateTime<Utc>,
        wall: DateTime<Utc>,
        lease_until: DateTime<Utc>,
        who: &str,
        max: i64,
    ) -> StoreResult<Vec<Job>> {
        claim(self.conn, Kinds::All, (now, wall), lease_until, who, max)
    }

    fn claim_one(
        &mut self,
        now: DateTime<Utc>,
        wall: DateTime<Utc>,
        lease_until: DateTime<Utc>,
        who: &str,
        kinds: Kinds,
    ) -> StoreResult<Option<Job>> {
        // What has to pause is put aside first.
        for id in dialect::lapsed(self.conn, kinds, Instant(wall), 1).map_err(fault(TABLE))? {
            pauses(self.conn, id, (now, wall))?;
        }
        self.claim_next(now, wall, lease_until, who, kinds)
    }

    fn claim_next(
        &mut self,
        now: DateTime<Utc>,
        wall: DateTime<Utc>,
        lease_until: DateTime<Utc>,
        who: &str,
        kinds: Kinds,
    ) -> StoreResult<Option<Job>> {
        let next = Next {
            kinds: OfKinds(kinds),
            now: Instant(now),
            wall: Instant(wall),
            lost: LOST_IN_A_ROW,
            locking: dialect::LOCKING,
        };
        let row: Option<JobRow> = update(jobs::table, next, claimed_by!(who, lease_until))
            .returning(JobRow::as_select())
            .get_result(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(JobRow::read).transpose()
    }

    fn renew(&mut self, who: &str, lease_until: DateTime<Utc>) -> StoreResult<i64> {
        let held = Running.and(jobs::locked_by.eq(who)).assume_not_null();
        update(jobs::table, held, jobs::locked_until.eq(Instant(lease_until)))
            .execute(self.conn)
            .map(count)
            .map_err(fault(TABLE))
    }

    fn release_leases(&mut self) -> StoreResult<i64> {
        diesel::update(jobs::table.filter(Running))
            .set(jobs::locked_until.eq(Instant(DateTime::UNIX_EPOCH)))
            .execute(self.conn)
            .map(count)
            .map_err(fault(TABLE))
    }

    fn finish(&mut self, id: JobId, who: &str, now: DateTime<Utc>) -> StoreResult<()> {
        // Clears `last_error`: a finished job with an error text counts as dropped.
        end(self.conn, id, who, DONE, Instant(now), Some(None))
    }

    fn retry(&mut self, id: JobId, who: &str, run_at: DateTime<Utc>, error: &str) -> StoreResult<()> {
        let key = leased_key(self.conn, id, who)?;
        if newer_queued(self.conn, key.as_deref())? {
            // The same work was asked for again meanwhile: that one runs instead of a repetition.
            return end(self.conn, id, who, DONE, Instant(run_at), Some(Some(error)));
        }
        let changes = (
            jobs::state.eq(QUEUED),
            jobs::run_at.eq(Instant(run_at)),
            jobs::failures.eq(jobs::failures + 1),
            jobs::last_error.eq(error),
            jobs::locked_by.eq(None::<String>),
            jobs::locked_until.eq(None::<Instant>),
        );
        let written = update(jobs::table, leased(id, who), changes).execute(self.conn).map_err(requeue_fault)?;
        if written == 1 { Ok(()) } else { Err(StoreError::Stale) }
    }

    fn hold_back(&mut self, id: JobId, who: &str, held_until: DateTime<Utc>) -> StoreResult<()> {
        let key = leased_key(self.conn, id, who)?;
        if newer_queued(self.conn, key.as_deref())? {
            return end(self.conn, id, who, DONE, Instant(held_until), None);
        }
        let changes = (
            jobs::state.eq(QUEUED),
            jobs::held_until.eq(Instant(held_until)),
            jobs::attempts.eq(jobs::attempts - 1),
            jobs::locked_by.eq(None::<String>),
            jobs::locked_until.eq(None::<Instant>),
        );
        let written = update(jobs::table, leased(id, who), changes).execute(self.conn).map_err(requeue_fault)?;
        if written == 1 { Ok(()) } else { Err(StoreError::Stale) }
    }

    fn bury(&mut self, id: JobId, who: &str, now: DateTime<Utc>, error: &str) -> StoreResult<()> {
        end(self.conn, id, who, DEAD, Instant(now), Some(Some(error)))
    }

    fn dead(&mut self, limit: i64) -> StoreResult<Vec<Job>> {
        let rows: Vec<JobRow> = jobs::table
            .filter(Dead)
            .order((jobs::finished_at.desc(), jobs::seq.desc()))
            .limit(limit)
            .select(JobRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(JobRow::read).collect()
    }

    fn failing(&mut self, limit: i64) -> StoreResult<Vec<Job>> {
        let rows: Vec<JobRow> = jobs::table
            .filter(Queued)
            .filter(jobs::failures.gt(0))
            .order((jobs::run_at, jobs::seq))
            .limit(limit)
            .select(JobRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(JobRow::read).collect()
    }

    fn failed_of(&mut self, kinds: Kinds) -> StoreResult<Vec<FailedJob>> {
        let dead: Vec<(JobRow, Option<Instant>)> = jobs::table
            .filter(Dead)
            .filter(OfKinds(kinds))
            .select((JobRow::as_select(), jobs::finished_at))
            .load(self.conn)
            .map_err(fault(TABLE))?;
        let waiting: Vec<JobRow> = jobs::table
            .filter(Queued)
            .filter(OfKinds(kinds))
            .filter(jobs::failures.gt(0))
            .select(JobRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        let running: Vec<JobRow> = jobs::table
            .filter(Running)
            .filter(OfKinds(kinds))
            .filter(jobs::failures.gt(0))
            .select(JobRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        let again = waiting.into_iter().chain(running).map(|row| (row, None));
        let all = dead.into_iter().chain(again);
        all.map(|(row, at)| Ok(FailedJob { job: row.read()?, given_up: at.map(|at| at.0) })).collect()
    }

    fn revive(&mut self, id: JobId, run_at: DateTime<Utc>) -> StoreResult<bool> {
        let dead = jobs::table.filter(jobs::id.eq(Id(id.0))).filter(jobs::state.eq(DEAD));
        let key: Option<Option<String>> =
            dead.select(jobs::dedup_key).first(self.conn).optional().map_err(fault(TABLE))?;
        let Some(key) = key else { return Ok(false) };
        // Asked for again meanwhile: the queued one stands for both.
        let state = if newer_queued(self.conn, key.as_deref())? { DONE } else { QUEUED };
        let written = diesel::update(jobs::table.filter(jobs::id.eq(Id(id.0))).filter(jobs::state.eq(DEAD)))
            .set((
                jobs::state.eq(state),
                jobs::run_at.eq(Instant(run_at)),
                jobs::attempts.eq(0),
                jobs::failures.eq(0),
                jobs::finished_at.eq((state == DONE).then_some(Instant(run_at))),
            ))
            .execute(self.conn)
            .map_err(requeue_fault)?;
        Ok(written == 1)
    }

    fn discard(&mut self, id: JobId, now: DateTime<Utc>) -> StoreResult<Option<Job>> {
        let dead = jobs::id.eq(Id(id.0)).and(jobs::state.eq(DEAD));
        let row: Option<JobRow> = diesel::update(jobs::table.filter(dead))
            .set((jobs::state.eq(DONE), jobs::finished_at.eq(Instant(now))))
            .returning(JobRow::as_select())
            .get_result(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(JobRow::read).transpose()
    }

    fn next_run_of(
        &mut self,
        kinds: Kinds,
        wall: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> StoreResult<Option<DateTime<Utc>>> {
        let first: Option<Instant> = jobs::table
            .filter(Queued)
            .filter(OfKinds(kinds))
            .filter(jobs::run_at.le(Instant(until)))
            .filter(jobs::held_until.is_null().or(jobs::held_until.le(Instant(wall))))
            .order(jobs::run_at)
            .select(jobs::run_at)
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        Ok(first.map(|at| at.0))
    }

    fn figures_of(&mut self, kinds: Kinds, now: DateTime<Utc>) -> StoreResult<QueueFigures> {
        let due = jobs::table
            .filter(Queued)
            .filter(OfKinds(kinds))
            .filter(jobs::run_at.le(Instant(now)))
            .count()
            .get_result(self.conn)
            .map_err(fault(TABLE))?;
        let waiting = jobs::table
            .filter(Queued)
            .filter(OfKinds(kinds))
            .filter(jobs::run_at.gt(Instant(now)))
            .count()
            .get_result(self.conn)
            .map_err(fault(TABLE))?;
        let dead =
            jobs::table.filter(Dead).filter(OfKinds(kinds)).count().get_result(self.conn).map_err(fault(TABLE))?;
        let oldest_due = earliest(self.conn, kinds)?.filter(|at| *at <= now);
        Ok(QueueFigures { due, waiting, dead, oldest_due })
    }

    fn last_done(&mut self, kind: &str) -> StoreResult<Option<DateTime<Utc>>> {
        let last: Option<Option<Instant>> = jobs::table
            .filter(Done)
            .filter(jobs::kind.eq(kind))
            .filter(jobs::last_error.is_null())
            .order(jobs::finished_at.desc())
            .select(jobs::finished_at)
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        Ok(last.flatten().map(|at| at.0))
    }

    fn skip_due(&mut self, kinds: Kinds, now: DateTime<Utc>) -> StoreResult<Vec<Job>> {
        let open = jobs::state.eq_any([QUEUED, RUNNING]);
        let due = jobs::table.filter(open).filter(OfKinds(kinds)).filter(jobs::run_at.le(Instant(now)));
        let changes = (
            jobs::state.eq(DONE),
            jobs::finished_at.eq(Instant(now)),
            jobs::locked_by.eq(None::<String>),
            jobs::locked_until.eq(None::<Instant>),
        );
        let rows: Vec<JobRow> = diesel::update(due)
            .set(changes)
            .returning(JobRow::as_select())
            .get_results(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(JobRow::read).collect()
    }

    fn let_go(&mut self, kinds: Kinds) -> StoreResult<i64> {
        let held = jobs::table.filter(Queued).filter(OfKinds(kinds)).filter(jobs::held_until.is_not_null());
        diesel::update(held)
            .set(jobs::held_until.eq(None::<Instant>))
            .execute(self.conn)
            .map(count)
            .map_err(fault(TABLE))
    }

    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<i64> {
        let old = jobs::table.filter(Done).filter(jobs::finished_at.lt(Instant(before)));
        diesel::delete(old).execute(self.conn).map(count).map_err(fault(TABLE))
    }
}

/// Claims what is due at the first of the instants, or lost its lease at the second.
fn claim(
    conn: &mut Conn,
    kinds: Kinds,
    (now, wall): (DateTime<Utc>, DateTime<Utc>),
    lease_until: DateTime<Utc>,
    who: &str,
    max: i64,
) -> StoreResult<Vec<Job>> {
    let lapsed = dialect::lapsed(conn, kinds, Instant(wall), max).map_err(fault(TABLE))?;
    let mut ids = Vec::new();
    for id in lapsed {
        if !pauses(conn, id, (now, wall))? {
            ids.push(id);
        }
    }
    let left = max.saturating_sub(count(ids.len()));
    if left > 0 {
        ids.extend(dialect::due(conn, kinds, Instant(now), Instant(wall), left).map_err(fault(TABLE))?);
    }
    let mut claimed = Vec::with_capacity(ids.len());
    for id in ids {
        let row: JobRow = update(jobs::table, jobs::id.eq(id), claimed_by!(who, lease_until))
            .returning(JobRow::as_select())
            .get_result(conn)
            .map_err(fault(TABLE))?;
        claimed.push(row.read()?);
    }
    Ok(claimed)
}

/// A job may lose so many workers before it pauses after each.
const LOST_IN_A_ROW: i32 = 20;
const PAUSE: Duration = Duration::minutes(1);

/// A job that has lost many workers waits for a moment, in real time: it may be what takes them down, and until then
/// the others have a worker that lives. It is not claimed then.
fn pauses(conn: &mut Conn, id: Id, (now, wall): (DateTime<Utc>, DateTime<Utc>)) -> StoreResult<bool> {
    let row = jobs::table.filter(jobs::id.eq(id)).select((jobs::attempts, jobs::failures, jobs::dedup_key));
    let (attempts, failures, key): (i32, i32, Option<String>) = row.first(conn).map_err(fault(TABLE))?;
    if attempts - failures < LOST_IN_A_ROW {
        return Ok(false);
    }
    // The same work was asked for again meanwhile: that one runs instead.
    let repeated = newer_queued(conn, key.as_deref())?;
    let changes = (
        jobs::state.eq(if repeated { DONE } else { QUEUED }),
        jobs::finished_at.eq(repeated.then_some(Instant(now))),
        jobs::held_until.eq(Instant(wall + PAUSE)),
        jobs::locked_by.eq(None::<String>),
        jobs::locked_until.eq(None::<Instant>),
    );
    update(jobs::table, jobs::id.eq(id), changes).execute(conn).map_err(requeue_fault)?;
    Ok(true)
}

/// The job, while `who` holds its lease.
#[diesel::dsl::auto_type]
fn leased<'a>(id: JobId, who: &'a str) -> _ {
    let by_id: diesel::dsl::Eq<jobs::id, Id> = jobs::id.eq(Id(id.0));
    let by_who: diesel::dsl::Eq<jobs::locked_by, &'a str> = jobs::locked_by.eq(who);
    by_id.and(Running).and(by_who).assume_not_null()
}

/// `error` replaces `last_error`; the outer none leaves it as it is.
fn end(
    conn: &mut Conn,
    id: JobId,
    who: &str,
    state: &str,
    at: Instant,
    error: Option<Option<&str>>,
) -> StoreResult<()> {
    let changes = (
        jobs::state.eq(state),
        jobs::finished_at.eq(at),
        jobs::locked_by.eq(None::<String>),
        jobs::locked_until.eq(None::<Instant>),
    );
    let written = match error {
        Some(error) => update(jobs::table, leased(id, who), (changes, jobs::last_error.eq(error))).execute(conn),
        None => update(jobs::table, leased(id, who), changes).execute(conn),
    };
    if written.map_err(fault(TABLE))? == 1 { Ok(()) } else { Err(StoreError::Stale) }
}

fn leased_key(conn: &mut Conn, id: JobId, who: &str) -> StoreResult<Option<String>> {
    let found: Option<Option<String>> =
        jobs::table.filter(leased(id, who)).select(jobs::dedup_key).first(conn).optional().map_err(fault(TABLE))?;
    found.ok_or(StoreError::Stale)
}

fn newer_queued(conn: &mut Conn, key: Option<&str>) -> StoreResult<bool> {
    let Some(key) = key else { return Ok(false) };
    let same = jobs::table.filter(jobs::dedup_key.eq(key)).filter(Queued).count();
    same.get_result::<i64>(conn).map(|n| n > 0).map_err(fault(TABLE))
}

/// Somebody queued the same key between our look and our write: the next attempt sees it.
fn requeue_fault(e: diesel::result::Error) -> StoreError {
    match fault(TABLE)(e) {
        StoreError::Duplicate(_) => StoreError::Busy,
        other => other,
    }
}

fn earliest(conn: &mut Conn, kinds: Kinds) -> StoreResult<Option<DateTime<Utc>>> {
    let first: Option<Instant> = jobs::table
        .filter(Queued)
        .filter(OfKinds(kinds))
        .order(jobs::run_at)
        .select(jobs::run_at)
        .first(conn)
        .optional()
        .map_err(fault(TABLE))?;
    Ok(first.map(|at| at.0))
}

fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
