//! The worker: claims due jobs and runs them. One bad job never blocks the others; attempts are
//! limited; what is given up is on the dead-letter list.

mod listed;

use std::{any::Any, panic::AssertUnwindSafe, time::Duration as StdDuration};

use chrono::{DateTime, Duration, Utc};
use futures_util::FutureExt as _;
use kernel::JobId;

pub use crate::work::Lane;
pub use listed::{Listed, listed};

use crate::{
    Actor, Error, ErrorCode, ServiceResult, Services, Tx, accounts, billing,
    bookings::{self, saved},
    dispatch, holds, invoices, mailing, photos,
    ports::{
        StoreError, Unit,
        jobs::{Job, Kinds, QueueFigures},
        messages::MessageState,
    },
    quote_requests, sms,
    work::{JobOutcome, Kind, Work, backoff},
};

/// How long a claimed job belongs to a worker nobody hears of any more, in real time.
const LEASE: StdDuration = StdDuration::from_secs(30);

/// Workers a job may lose, beyond its own failures. Many, because a charge at a slow
/// gateway meets every deploy and every crash, and one that is given up waits for a person.
const LOST_WORKERS: i32 = 100;

async fn perform(s: &Services, job: &Job) -> ServiceResult<JobOutcome> {
    match Work::of(job)? {
        Work::BillBooking { booking_id } => return billing::charge::run(s, booking_id).await,
        Work::RecoverCheckout { checkout_id } => return bookings::recovery::recover(s, checkout_id).await,
        Work::ReturnStray { order_id } => return billing::late::give_back(s, order_id).await,
        Work::LookSettlement { order_id } => return billing::settlement::look(s, order_id).await,
        Work::SendMessage { message_id } => return mailing::send(s, message_id, job.attempts == 1).await,
        Work::SendSms { message_id } => return sms::send::run(s, message_id).await,
        Work::SweepSms {} => sms::sweep::run(s).await,
        Work::WatchOrder { order_id, given_up, look } => billing::late::watch(s, order_id, given_up, look).await,
        Work::FollowInvoice { booking_id } => invoices::follow::run(s, booking_id).await,
        Work::FollowConsent { booking_id } => bookings::consents::follow::run(s, booking_id).await,
        Work::ExpireHold { hold_id } => holds::expire(s, hold_id).await,
        Work::Remind { booking_id, hours } => mailing::reminders::remind(s, booking_id, hours).await,
        Work::WatchCrews {} => dispatch::alarms::watch(s).await,
        Work::TellHandBack { payment_id } => billing::hand_back::tell(s, payment_id).await,
        Work::Housekeeping {} => housekeeping(s).await,
        Work::Compare {} => billing::compare::daily(s).await,
        Work::CompareNow { asked_by } => billing::compare::now(s, asked_by).await,
    }?;
    Ok(JobOutcome::Done)
}

/// Wait after the failure that a job had just now.
fn retry_in(job: &Job) -> Duration {
    let failures = job.failures + 1;
    Kind::from_code(&job.kind).map_or_else(|| backoff(failures), |kind| kind.pause(failures))
}

/// Jobs run before the caller looks up: whether to stop, for example.
const TURN: usize = 8;

/// Runs what is due now, of every lane, one after the other; answers how many jobs it ran.
///
/// # Errors
/// When the database fails.
pub async fn run_due(s: &Services, who: &str) -> ServiceResult<usize> {
    Ok(run_some(s, who, None).await?.ran)
}

/// The result of a look at the queue.
enum NextJob {
    /// A job, leased to the caller.
    Job(Job),
    /// Nothing to do now; when the next one is due, where that is before the longest nap ends.
    Nothing(Option<DateTime<Utc>>),
}

/// Leases the next job that is due; `first` in a turn. One claim at a time: what waits behind a slow job is anybody's to take.
fn claim(tx: &mut Tx<'_>, who: &str, kinds: Kinds, first: bool) -> ServiceResult<NextJob> {
    let (now, wall) = (tx.now, tx.services.wall.now());
    let jobs = tx.unit.jobs();
    let job = match first {
        true => jobs.claim_one(now, wall, wall + LEASE, who, kinds)?,
        false => jobs.claim_next(now, wall, wall + LEASE, who, kinds)?,
    };
    match job {
        Some(job) => Ok(NextJob::Job(job)),
        None => Ok(NextJob::Nothing(tx.unit.jobs().next_run_of(kinds, wall, now + LONGEST_NAP)?)),
    }
}

/// What a turn of a loop came to.
struct Turn {
    ran: usize,
    /// When the next job is due; none when the turn ended with work left, or when none is due soon.
    next: Option<DateTime<Utc>>,
}

async fn run_some(s: &Services, who: &str, lane: Option<Lane>) -> ServiceResult<Turn> {
    let kinds = kinds_of(lane);
    let all = async {
        let mut ran = 0;
        let name = who.to_owned();
        let mut found = s.write(Actor::system(), move |tx| claim(tx, &name, kinds, true)).await?;
        loop {
            let job = match found {
                NextJob::Job(job) => job,
                NextJob::Nothing(next) => return Ok(Turn { ran, next }),
            };
            ran += 1;
            let next = (ran < TURN).then_some(kinds);
            found = run_one(s, who, job, next).await?;
            if ran == TURN {
                return Ok(Turn { ran, next: None });
            }
        }
    };
    tokio::select! {
        // The same order in every run: see `docs/decisions/0007-seeded-simulation.md`.
        biased;
        ended = all => ended,
        never = keep_leases(s, who) => match never {},
    }
}

/// Prolongs the leases of a worker while its jobs run: a job may take longer than a lease lasts.
async fn keep_leases(s: &Services, who: &str) -> std::convert::Infallible {
    loop {
        tokio::time::sleep(LEASE / 3).await;
        let (until, name) = (s.wall.now() + LEASE, who.to_owned());
        if let Err(failure) =
            s.write(Actor::system(), move |tx| tx.unit.jobs().renew(&name, until).map_err(Error::from)).await
        {
            tracing::warn!(error = %failure, "the leases of running jobs could not be prolonged");
        }
    }
}

/// Runs a job and writes what came of it; claims the next one of `next`'s kinds in the same transaction.
async fn run_one(s: &Services, who: &str, job: Job, next: Option<Kinds>) -> ServiceResult<NextJob> {
    // A job whose worker was killed did not fail; one that takes its worker down every single time is
    // given up all the same.
    let lost = job.attempts - 1 - job.failures;
    let last = lost > LOST_WORKERS || job.failures + 1 >= job.max_attempts;
    let outcome = if lost > LOST_WORKERS {
        Err(Error::Internal("its worker never came back".into()))
    } else {
        survived(AssertUnwindSafe(perform(s, &job)).catch_unwind().await)
    };
    let (name, again) = (who.to_owned(), who.to_owned());
    let verdict = s
        .write(Actor::system(), move |tx| {
            match outcome {
                Ok(JobOutcome::Done) => tx.unit.jobs().finish(job.id, &name, tx.now)?,
                Ok(JobOutcome::Later(at)) => tx.unit.jobs().hold_back(job.id, &name, at)?,
                Ok(JobOutcome::GivenUp(why)) => {
                    tracing::error!(job = %job.id, kind = job.kind, error = why, "a job was given up");
                    tx.unit.jobs().bury(job.id, &name, tx.now, &why)?;
                }
                Err(failure) if last => {
                    tracing::error!(job = %job.id, kind = job.kind, error = %failure, "a job was given up");
                    tx.unit.jobs().bury(job.id, &name, tx.now, &failure.to_string())?;
                }
                Err(failure) => {
                    tracing::warn!(job = %job.id, kind = job.kind, failures = job.failures + 1, error = %failure, "a job will be tried again");
                    tx.unit.jobs().retry(job.id, &name, tx.now + retry_in(&job), &failure.to_string())?;
                }
            }
            next.map_or(Ok(NextJob::Nothing(None)), |kinds| claim(tx, &name, kinds, false))
        })
        .await;
    match verdict {
        // Somebody reclaimed the lease meanwhile; whatever was done is idempotent.
        Err(Error::Store(StoreError::Stale)) => match next {
            Some(kinds) => s.write(Actor::system(), move |tx| claim(tx, &again, kinds, true)).await,
            None => Ok(NextJob::Nothing(None)),
        },
        other => other,
    }
}

/// A panic costs the job that panicked an attempt, and nobody else anything.
fn survived(ended: Result<ServiceResult<JobOutcome>, Box<dyn Any + Send>>) -> ServiceResult<JobOutcome> {
    ended.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let words =
            words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a word".to_owned());
        Err(Error::Internal(format!("the job panicked: {words}")))
    })
}

/// Works on every lane until `stop` resolves.
pub async fn work(s: Services, who: String, stop: impl Future<Output = ()>) {
    keep_at_it(s, who, None, stop).await;
}

/// Works on one lane until `stop` resolves.
pub async fn work_lane(s: Services, who: String, lane: Lane, stop: impl Future<Output = ()>) {
    keep_at_it(s, who, Some(lane), stop).await;
}

/// The kinds of a lane, or all.
fn kinds_of(lane: Option<Lane>) -> Kinds {
    lane.map_or(Kinds::All, Lane::kinds)
}

async fn keep_at_it(s: Services, who: String, lane: Option<Lane>, stop: impl Future<Output = ()>) {
    tokio::pin!(stop);
    loop {
        let next = match run_some(&s, &who, lane).await {
            Ok(Turn { ran: TURN, .. }) => continue,
            Ok(turn) => turn.next,
            Err(failure) => {
                tracing::error!(error = %failure, "the worker cannot reach its jobs");
                None
            }
        };
        let nap = nap(&s, next);
        tokio::select! {
            () = &mut stop => return,
            () = s.bell.rung(lane) => {}
            () = tokio::time::sleep(nap) => {}
        }
    }
}

/// Another process, or a moved clock, may bring work.
const LONGEST_NAP: StdDuration = StdDuration::from_secs(1);

/// Until the next job.
fn nap(s: &Services, next: Option<DateTime<Utc>>) -> StdDuration {
    const SHORTEST: StdDuration = StdDuration::from_millis(20);
    next.map_or(LONGEST_NAP, |at| (at - s.clock.now()).to_std().unwrap_or(SHORTEST).clamp(SHORTEST, LONGEST_NAP))
}

/// Figures for metrics and operations.
///
/// # Errors
/// When the database fails.
pub async fn figures(s: &Services) -> ServiceResult<QueueFigures> {
    let now = s.clock.now();
    s.store.read(move |u| u.jobs().figures(now).map_err(Error::from)).await
}

/// The same lane by lane.
///
/// # Errors
/// When the database fails.
pub async fn lane_figures(s: &Services) -> ServiceResult<Vec<(Lane, QueueFigures)>> {
    let now = s.clock.now();
    let all = move |u: &mut dyn Unit| {
        Lane::ALL.into_iter().map(|lane| Ok((lane, u.jobs().figures_of(lane.kinds(), now)?))).collect()
    };
    s.store.read(all).await
}

/// Has a job that was given up done again, from the beginning.
///
/// # Errors
/// `not_found` when it is not on the list; when the database fails.
pub async fn retry(s: &Services, id: JobId, by: Actor) -> ServiceResult<()> {
    s.write(by, move |tx| {
        if !tx.revive(id)? {
            return Err(ErrorCode::NotFound.into());
        }
        Ok::<_, Error>(tx.audit("job.retry", id, None, None)?)
    })
    .await
}

/// Takes a job off the list for good. A message that is dropped forgets what it would have said.
///
/// # Errors
/// `not_found` when it is not on the list; when the database fails.
pub async fn discard(s: &Services, id: JobId, by: Actor) -> ServiceResult<()> {
    s.write(by, move |tx| {
        let Some(job) = tx.unit.jobs().discard(id, tx.now)? else { return Err(ErrorCode::NotFound.into()) };
        forget(tx, &job)?;
        let was = serde_json::to_value(&job).ok();
        Ok::<_, Error>(tx.audit("job.drop", id, was, None)?)
    })
    .await
}

/// What a message would have said is forgotten with its job. One that was sent stays sent.
fn forget(tx: &mut Tx<'_>, job: &Job) -> ServiceResult<()> {
    let (Work::SendMessage { message_id: id } | Work::SendSms { message_id: id }) = Work::of(job)? else {
        return Ok(());
    };
    let Some(mut state) = tx.unit.messages().get(id)?.map(|m| m.state) else { return Ok(()) };
    if state == MessageState::Queued
        && mailing::delivery::step(id, &mut state, MessageState::Failed)
        && mailing::delivery::step(id, &mut state, MessageState::Dead)
    {
        tx.unit.messages().set_state(id, state, tx.now)?;
    }
    Ok(())
}

/// Takes what is due in a lane off the list for good, undone, as [`discard`] does; answers how many jobs that were.
///
/// # Errors
/// When the database fails.
pub fn take_off_due(tx: &mut Tx<'_>, lane: Lane) -> ServiceResult<usize> {
    let taken = tx.unit.jobs().skip_due(lane.kinds(), tx.now)?;
    taken.iter().try_for_each(|job| forget(tx, job))?;
    Ok(taken.len())
}

/// A start is a reason to try: messages that wait because a relay or a service did not take our settings go out at once
/// when they are right by now. Called before the loops start.
///
/// # Errors
/// When the database fails.
pub async fn try_mail_again(s: &Services) -> ServiceResult<()> {
    s.write(Actor::system(), |tx| {
        for lane in [Lane::Mail, Lane::Texts] {
            tx.unit.jobs().let_go(lane.kinds())?;
        }
        Ok::<_, Error>(())
    })
    .await
}

/// When gateway and ledger were last compared, with or without a difference; none when the table does not know.
///
/// # Errors
/// When the database fails.
pub async fn last_comparison(s: &Services) -> ServiceResult<Option<DateTime<Utc>>> {
    s.store.read(|u| u.jobs().last_done(Kind::Compare.code()).map_err(Error::from)).await
}

/// Makes sure the daily job exists; called at start.
///
/// # Errors
/// When the database fails.
pub async fn schedule_housekeeping(s: &Services) -> ServiceResult<()> {
    s.write(Actor::system(), |tx| tx.enqueue(&Work::Housekeeping {}).map_err(Error::from)).await
}

async fn housekeeping(s: &Services) -> ServiceResult<()> {
    holds::sweep(s).await?;
    photos::sweep(s).await?;
    mailing::papers::tell(s).await?;
    s.write(Actor::system(), move |tx| {
        tx.unit.idempotency().purge(tx.now)?;
        tx.unit.jobs().purge(tx.now - Duration::days(30))?;
        accounts::forget(tx.unit, tx.now)?;
        tx.unit.tallies().purge(tx.now - Duration::days(2))?;
        saved::forget(tx)?;
        quote_requests::forget(tx)?;
        mailing::commercial::forget(tx)?;
        tx.enqueue(&Work::Compare {})?;
        if tx.services.texter.is_some() {
            tx.enqueue(&Work::SweepSms {})?;
        }
        Ok::<_, Error>(tx.enqueue_at(&Work::Housekeeping {}, tx.now + Duration::days(1))?)
    })
    .await
}
