//! Alarms of the day: a move that lacks people as it comes near, one whose people did not say that they come, and one that
//! nobody began. Everybody of operations is told, once each, and of nothing that was solved meanwhile.

use std::collections::BTreeSet;

use chrono::{DateTime, Days, Duration, Utc};
use kernel::{BookingId, MateId};
use scheduling::{ASSIGN_ALARM_HOURS, ASSIGN_WARNING_HOURS, hours_before};
use status_machine::booking::Status;

use super::board::{AssignedMate, Conflict, MOST_JOBS, MoveJob, Wrong, jobs};
use crate::{
    Actor, Error, ServiceResult, Services,
    discounts::day,
    mailing::alerts::{self, Alert, AlertSubject},
    ports::{Unit, bookings::Booking},
    work::Work,
};

/// How often is looked.
const EVERY: Duration = Duration::minutes(10);
/// So long after the end of the arrival window a move that nobody began is late.
const PATIENCE: Duration = Duration::minutes(15);
/// So long after its start nobody has to be told of a move any more: it takes place, or somebody knows.
const OVER: Duration = Duration::hours(6);

/// What is wrong with a job right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alarm {
    /// It lacks people, and begins in fewer than so many hours.
    Unassigned(u32),
    /// Somebody who was sent at this instant should have said by now that they come.
    Unconfirmed(DateTime<Utc>),
    /// Somebody is on it who can say that they begin, and nobody has begun.
    Late,
}

impl Alarm {
    /// `reached`: the mates who have the pages for a telephone.
    fn all(job: &MoveJob, reached: &BTreeSet<MateId>, now: DateTime<Utc>) -> Vec<Alarm> {
        let b = &job.booking;
        if !matches!(b.status, Status::Pending | Status::Assigned) || now >= b.move_at + OVER {
            return Vec::new();
        }
        if now < b.move_at {
            let hours = [ASSIGN_ALARM_HOURS, ASSIGN_WARNING_HOURS].into_iter();
            let near = hours.filter(|hours| hours_before(b.move_at, *hours) <= now).min();
            let lacking = near.filter(|_| job.crew.len() < usize::from(b.mate_count.get())).map(Alarm::Unassigned);
            // Once for those who were sent together: somebody who comes on it later is told of for himself.
            let silent: BTreeSet<DateTime<Utc>> = unconfirmed(job).map(|m| m.mate.since).collect();
            let silent = silent.into_iter().map(Alarm::Unconfirmed);
            return lacking.into_iter().chain(silent).collect();
        }
        // A crew without the pages for a telephone cannot say that it began, so that its silence is no alarm. Of a crew that has
        // them and said nothing nobody knows whether it came.
        let speaks = job.crew.iter().any(|m| m.accepted_at.is_some() || reached.contains(&m.mate.mate));
        let begun = job.crew.iter().any(|m| m.started_at.is_some());
        let late = speaks && !begun && now >= latest_arrival(b) + PATIENCE;
        late.then_some(Alarm::Late).into_iter().collect()
    }

    fn kind(self) -> &'static str {
        match self {
            Alarm::Unassigned(_) => "alert.unassigned",
            Alarm::Unconfirmed(_) => "alert.unconfirmed",
            Alarm::Late => "alert.lateStart",
        }
    }

    /// Keyed by the start: of a move that is moved everything is told again.
    fn key(self, b: &Booking) -> String {
        let what = match self {
            Alarm::Unassigned(hours) => format!("unassigned-{hours}"),
            Alarm::Unconfirmed(since) => format!("unconfirmed-{}", since.timestamp_micros()),
            Alarm::Late => "late".to_owned(),
        };
        format!("{what}:{}:{}", b.id, b.move_at.timestamp())
    }

    /// What is told of it beside its customer.
    fn about(self, job: &MoveJob) -> String {
        let b = &job.booking;
        match self {
            Alarm::Unconfirmed(since) => {
                let names = unconfirmed(job).filter(|m| m.mate.since == since).map(|m| m.mate.name.as_str());
                format!("#{}, {}", b.short_id, names.collect::<Vec<_>>().join(", "))
            }
            Alarm::Unassigned(_) | Alarm::Late => {
                format!("#{}, {}/{}", b.short_id, job.crew.len(), b.mate_count.get())
            }
        }
    }
}

/// Who should have said by now that they come.
fn unconfirmed(job: &MoveJob) -> impl Iterator<Item = &AssignedMate> {
    let marked = move |m: &&AssignedMate| {
        let by_name = |c: &Conflict| c.what == Wrong::Unconfirmed && c.who.as_deref() == Some(m.mate.name.as_str());
        job.conflicts.iter().any(by_name)
    };
    job.crew.iter().filter(marked)
}

/// Who signs in to the pages for mates: they have an address. The others are told everything in person, and say it so.
fn reached(u: &mut dyn Unit) -> ServiceResult<BTreeSet<MateId>> {
    let known = u.directory().mates()?.into_iter();
    Ok(known.filter(|mate| !mate.email.is_empty()).map(|mate| mate.id).collect())
}

/// The end of the promised arrival window.
fn latest_arrival(b: &Booking) -> DateTime<Utc> {
    let (_, until) = scheduling::arrival_window(b.details.arrival, b.move_time);
    b.move_at + until.signed_duration_since(b.move_time).max(Duration::zero())
}

/// Makes sure that the job exists; called at start.
///
/// # Errors
/// When the database fails.
pub async fn schedule(s: &Services) -> ServiceResult<()> {
    s.write(Actor::system(), |tx| tx.enqueue(&Work::WatchCrews {}).map_err(Error::from)).await
}

/// The job: tells of what is wrong now, and comes back.
///
/// # Errors
/// When the database fails.
pub(crate) async fn watch(s: &Services) -> ServiceResult<()> {
    let now = s.clock.now();
    let wrong = s
        .store
        .read(move |u| {
            // Zones are less than a day apart.
            let (first, last) = (day(now) - Days::new(1), day(now) + Days::new(2));
            let ids = u.dispatches().of_days(None, first, last, MOST_JOBS)?;
            let reached = reached(u)?;
            let found = jobs(u, &ids, now)?.into_iter().filter(|job| !Alarm::all(job, &reached, now).is_empty());
            Ok::<_, Error>(found.map(|job| job.booking.id).collect::<Vec<_>>())
        })
        .await?;
    for id in wrong {
        tell(s, id).await?;
    }
    s.write(Actor::system(), |tx| tx.enqueue_at(&Work::WatchCrews {}, tx.now + EVERY).map_err(Error::from)).await
}

async fn tell(s: &Services, id: BookingId) -> ServiceResult<()> {
    s.write(Actor::system(), move |tx| {
        if tx.unit.bookings().lock(id)?.is_none() {
            return Ok(());
        }
        // Somebody may have been named, or have spoken, since it was read.
        let Some(job) = jobs(tx.unit, &[id], tx.now)?.pop() else { return Ok(()) };
        let reached = reached(tx.unit)?;
        let b = &job.booking;
        for alarm in Alarm::all(&job, &reached, tx.now) {
            let alert = Alert {
                key: alarm.key(b),
                kind: alarm.kind(),
                about: Some(AlertSubject::Name(alarm.about(&job))),
                everybody: true,
                when: Some(("alert.begins", b.move_at)),
                page: &super::page_of(b),
            };
            alerts::tell(tx, b, &alert)?;
        }
        Ok(())
    })
    .await
}
