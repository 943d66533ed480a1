//! What mates see and say of their jobs. An act carries its own instant: it may reach us later, when there is signal again.
//! A telephone's clock may be wrong: no work is lost for that.

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, MateId};
use serde_json::{Value, json};
use status_machine::booking::Status;

use super::{
    board::{AssignedMate, MoveJob, jobs, on_it},
    confirm,
};
use crate::{
    Caller, Error, ErrorCode, FieldProblem, ServiceResult, Services, Tx,
    bookings::{crew, status, status::StatusInput},
    mailing::{alerts, crews as letters},
    ports::{
        Unit,
        bookings::Booking,
        crews::CrewMate,
        dispatch::{Act, Done},
        notes::Visibility,
    },
    sms,
};

/// Jobs that began so long ago are listed still.
pub(crate) const BEHIND: Duration = Duration::hours(36);
/// The most jobs of a list.
pub const MOST: i64 = 200;
/// So long before the start of a job it may be begun.
const EARLY: Duration = Duration::hours(2);
/// A beginning that we hear of later than this is news to nobody.
const TOLD_LATE: Duration = Duration::minutes(30);
/// How far a telephone's clock may be ahead.
const SKEW: Duration = Duration::minutes(5);

/// A job as its crew is told of it. There is no price in it, and no e-mail address but what people typed into texts.
#[derive(Debug, Clone)]
pub struct CrewJob {
    /// The job, with everybody who is on it.
    pub job: MoveJob,
    /// The customer's number, from 24 hours before the move on.
    pub phone: Option<String>,
    /// What staff wrote for the crew, oldest first. What the crew wrote itself is in `crew_notes`.
    pub notes: Vec<String>,
}

/// A job as a mate on it sees it.
#[derive(Debug, Clone)]
pub struct MyJob {
    /// What the whole crew is told.
    pub told: CrewJob,
    /// What this mate said of it.
    pub mine: AssignedMate,
    /// Until when they say whether they come; none: they have said so, or nothing is asked any more.
    pub answer_by: Option<DateTime<Utc>>,
    /// May still be declined.
    pub may_decline: bool,
    /// May be begun now.
    pub may_start: bool,
    /// May be finished now.
    pub may_finish: bool,
}

/// The caller's mate id; `not_found` for everybody who is no mate.
pub(super) fn mate_of(caller: &Caller) -> ServiceResult<MateId> {
    caller.mate.ok_or_else(|| ErrorCode::NotFound.into())
}

/// A job as its crew sees it.
pub(super) fn crew_job(u: &mut dyn Unit, job: MoveJob, now: DateTime<Utc>) -> ServiceResult<CrewJob> {
    let notes = u.notes().of_booking(job.booking.id)?.into_iter();
    let notes = notes.filter(|n| n.visibility == Visibility::Crew && n.mate.is_none() && !n.text.is_empty());
    let notes = notes.map(|n| n.text).collect();
    Ok(CrewJob { phone: letters::phone(&job.booking, now).map(str::to_owned), notes, job })
}

fn of_job(u: &mut dyn Unit, job: MoveJob, mate: MateId, now: DateTime<Utc>) -> ServiceResult<MyJob> {
    let mine = job.crew.iter().find(|m| m.mate.mate == mate).cloned();
    let mine = mine.ok_or_else(|| Error::from(ErrorCode::NotFound))?;
    let told = crew_job(u, job, now)?;
    let b = &told.job.booking;
    let (begun, done) = (mine.started_at.is_some(), mine.finished_at.is_some());
    let asked = b.status == Status::Assigned && mine.accepted_at.is_none() && !begun;
    Ok(MyJob {
        answer_by: asked.then(|| confirm::due(b, &mine.mate)),
        may_decline: b.status == Status::Assigned && !begun,
        may_start: b.status == Status::Assigned && !begun && now >= b.move_at - EARLY,
        may_finish: begun && !done && now >= b.move_at,
        mine,
        told,
    })
}

/// The caller's jobs, from those that began a day and a half ago on; by their start.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, caller: &Caller) -> ServiceResult<Vec<MyJob>> {
    let Some(mate) = caller.mate else { return Ok(Vec::new()) };
    let now = s.clock.now();
    s.store
        .read(move |u| {
            let ids = u.dispatches().jobs_of(mate, now - BEHIND, MOST)?;
            jobs(u, &ids, now)?.into_iter().map(|job| of_job(u, job, mate, now)).collect()
        })
        .await
}

/// One of the caller's jobs.
///
/// # Errors
/// `not_found`, also when it is somebody else's.
pub async fn one(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<MyJob> {
    let (mate, now) = (mate_of(caller)?, s.clock.now());
    s.store.read(move |u| job_of_mate(u, mate, id, now)).await
}

fn job_of_mate(u: &mut dyn Unit, mate: MateId, id: BookingId, now: DateTime<Utc>) -> ServiceResult<MyJob> {
    let job = jobs(u, &[id], now)?.pop();
    let job = job.filter(|job| !matches!(job.booking.status, Status::Deleted | Status::Cancelled));
    of_job(u, job.ok_or(ErrorCode::NotFound)?, mate, now)
}

/// What a mate says of a job of theirs, done at `at` (now, when it is not said). The same said twice is said once. None: they are
/// not on it any more, as they said.
///
/// # Errors
/// `not_found`; `job_order` when it is finished before it began, or declined after; `transition_refused` when it does not take
/// place that way any more; the field `at` when it is begun more than two hours early, or when what is answered is from before
/// the mate came on it.
pub async fn act(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    act: Act,
    at: Option<DateTime<Utc>>,
) -> ServiceResult<Option<MyJob>> {
    let mate = mate_of(caller)?;
    s.write(caller.actor(), move |tx| {
        let mut b = tx.unit.bookings().lock(id)?.ok_or(ErrorCode::NotFound)?;
        tx.look_at_clock();
        let acts_of_all: Vec<Done> = tx.unit.dispatches().acts_of(&[id])?;
        let acts: Vec<Done> = acts_of_all.iter().filter(|d| d.mate == mate).cloned().collect();
        let Some(known) = tx.unit.crews().of_booking(id)?.into_iter().find(|m| m.mate == mate) else {
            // The answer to a no may have been lost.
            let said_no = act == Act::Decline && acts.iter().any(|d| d.act == Act::Decline);
            return if said_no { Ok(None) } else { Err(ErrorCode::NotFound.into()) };
        };
        if matches!(b.status, Status::Deleted | Status::Cancelled) {
            return Err(ErrorCode::NotFound.into());
        }
        let mine = on_it(known, &acts);
        let done = |at: DateTime<Utc>, told_at: DateTime<Utc>| Done { booking: id, mate, act, at, told_at };
        match act {
            Act::Start if mine.started_at.is_some() => {}
            Act::Finish if mine.finished_at.is_some() => {}
            Act::Accept => {
                let at = answered(tx, &mine.mate, at)?;
                if mine.accepted_at.is_none() {
                    to_come(&b)?;
                    let told = ReportedAct { done: done(at, tx.now), clock: None };
                    write(tx, &b, &told)?;
                }
            }
            Act::Decline => {
                let at = answered(tx, &mine.mate, at)?;
                let told = ReportedAct { done: done(at, tx.now), clock: None };
                decline(tx, &mut b, &mine, &told)?;
                return Ok(None);
            }
            Act::Start => {
                // Staff may have written down that it is done before we heard that it began.
                if !was_done(&b) {
                    to_come(&b)?;
                }
                let earliest = b.move_at - EARLY;
                if tx.now < earliest {
                    return Err(Error::field("at", FieldProblem::OutOfRange));
                }
                let kept = heard(tx, mine.mate.since.max(earliest), at);
                let told = ReportedAct { done: done(kept.at, tx.now), clock: kept.clock };
                write(tx, &b, &told)?;
                let first = !acts_of_all.iter().any(|d| d.act == Act::Start);
                // Said when there was signal again: by then they are there.
                if first && tx.now < kept.at + TOLD_LATE {
                    sms::events::begun(tx, &b, &mine.mate.name)?;
                }
            }
            Act::Finish => {
                let kept = end_of_work(tx, &mine, &acts, at)?;
                let told = ReportedAct { done: done(kept.at, tx.now), clock: kept.clock };
                finish(tx, &mut b, &told)?;
            }
        }
        job_of_mate(tx.unit, mate, id, tx.now).map(Some)
    })
    .await
}

/// An instant as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordedInstant {
    /// When it was, as far as that can be.
    pub at: DateTime<Utc>,
    /// What the telephone said instead; none where its clock may be right.
    pub clock: Option<DateTime<Utc>>,
}

impl RecordedInstant {
    /// What the audit trail keeps of something, with what the telephone said.
    pub(super) fn audited(self, mut written: Value) -> Value {
        if let Some(clock) = self.clock {
            written["clockSaid"] = json!(clock);
        }
        written
    }
}

/// An act, and what the telephone said of its instant where that cannot be.
struct ReportedAct {
    done: Done,
    clock: Option<DateTime<Utc>>,
}

/// Whether something from `first` on can have been at this instant: not before, and not ahead of us.
fn can_be(tx: &Tx<'_>, first: DateTime<Utc>, at: DateTime<Utc>) -> bool {
    at >= first - SKEW && at <= tx.now + SKEW
}

/// The instant of a note or of a photo: what cannot be is brought to the nearest instant at which the mate was on the job.
pub(super) fn nearest(tx: &Tx<'_>, known: &CrewMate, at: Option<DateTime<Utc>>) -> RecordedInstant {
    let said = at.unwrap_or(tx.now);
    let at = said.clamp(known.since, tx.now.max(known.since));
    RecordedInstant { at, clock: (!can_be(tx, known.since, said)).then_some(said) }
}

/// The instant of a yes or a no. From before somebody came on the job it is about another time.
fn answered(tx: &Tx<'_>, known: &CrewMate, at: Option<DateTime<Utc>>) -> ServiceResult<DateTime<Utc>> {
    let at = at.unwrap_or(tx.now);
    if at < known.since - SKEW {
        return Err(Error::field("at", FieldProblem::OutOfRange));
    }
    Ok(at.clamp(known.since, tx.now.max(known.since)))
}

/// The instant of work, which was not before `first`. Where that cannot be, it is when we heard of it.
fn heard(tx: &Tx<'_>, first: DateTime<Utc>, at: Option<DateTime<Utc>>) -> RecordedInstant {
    let said = at.unwrap_or(tx.now);
    if can_be(tx, first, said) {
        RecordedInstant { at: said.clamp(first, tx.now.max(first)), clock: None }
    } else {
        RecordedInstant { at: tx.now, clock: Some(said) }
    }
}

/// The instant of the end of work. A start that has our instant may come from a wrong clock: an end before it comes
/// from the same one.
fn end_of_work(
    tx: &Tx<'_>,
    mine: &AssignedMate,
    acts: &[Done],
    at: Option<DateTime<Utc>>,
) -> ServiceResult<RecordedInstant> {
    let began = mine.started_at.ok_or(ErrorCode::JobOrder)?;
    let kept = heard(tx, mine.mate.since, at);
    if kept.at >= began {
        return Ok(kept);
    }
    let is_ours = acts.iter().any(|d| d.act == Act::Start && d.at == began && d.told_at == began);
    if is_ours && tx.now >= began {
        return Ok(RecordedInstant { at: tx.now, clock: at });
    }
    Err(ErrorCode::JobOrder.into())
}

const fn was_done(b: &Booking) -> bool {
    matches!(b.status, Status::Completed | Status::Invoiced | Status::Payed)
}

fn to_come(b: &Booking) -> ServiceResult<()> {
    if b.status == Status::Assigned {
        return Ok(());
    }
    let params = vec![("allowed", String::new()), ("reason", format!("the booking is {}", b.status.code()))];
    Err(Error::Refused(ErrorCode::TransitionRefused, params))
}

fn write(tx: &mut Tx<'_>, b: &Booking, told: &ReportedAct) -> ServiceResult<()> {
    let said = &told.done;
    tx.unit.dispatches().write_act(said)?;
    let action = match said.act {
        Act::Accept => "crew.accept",
        Act::Decline => "crew.decline",
        Act::Start => "crew.start",
        Act::Finish => "crew.finish",
    };
    let kept = RecordedInstant { at: said.at, clock: told.clock };
    let after = kept.audited(json!({ "shortId": b.short_id, "mates": [said.mate], "at": said.at }));
    Ok(tx.audit(action, b.id, None, Some(after))?)
}

/// Somebody does not come: they leave the crew, and staff are told at once. Who had nobody else waits for a crew again.
fn decline(tx: &mut Tx<'_>, b: &mut Booking, mine: &AssignedMate, told: &ReportedAct) -> ServiceResult<()> {
    let said = &told.done;
    if mine.started_at.is_some() {
        return Err(ErrorCode::JobOrder.into());
    }
    to_come(b)?;
    tx.unit.crews().lock()?;
    write(tx, b, told)?;
    crew::declined(tx, b, said.mate)?;
    let alert = alerts::Alert {
        key: format!("declined:{}:{}:{}", b.id, said.mate, said.at.timestamp()),
        kind: "alert.jobDeclined",
        about: Some(alerts::AlertSubject::Name(mine.mate.name.clone())),
        everybody: true,
        when: Some(("alert.begins", b.move_at)),
        page: &super::page_of(b),
    };
    alerts::tell(tx, b, &alert)
}

/// The first who is done has the move done; the others write down their own hours.
fn finish(tx: &mut Tx<'_>, b: &mut Booking, told: &ReportedAct) -> ServiceResult<()> {
    if !was_done(b) {
        to_come(b)?;
        status::step(tx, b, Status::Completed, &StatusInput::default())?;
    }
    write(tx, b, told)
}
