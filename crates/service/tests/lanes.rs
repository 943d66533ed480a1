//! One stuck job delays no other lane and no other loop; a job that panics takes nobody along; on
//! both databases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{JobId, Province};
use service::{
    Services,
    jobs::{self, Lane},
    ports::{
        Entropy as _,
        jobs::NewJob,
        mail::{Accepted, MailError, Mailer, OutgoingMail},
    },
};
use store::testing::TestDb;
use support::{OsEntropy, World, draft};
use tokio::{sync::Notify, task::JoinHandle};

/// A relay that does what it is told with the n-th letter.
struct Relay {
    letters: AtomicUsize,
    how: fn(usize) -> How,
}

#[derive(Clone, Copy)]
enum How {
    Takes,
    NeverAnswers,
    Panics,
}

#[async_trait]
impl Mailer for Relay {
    async fn send(&self, _: &OutgoingMail) -> Result<Accepted, MailError> {
        match (self.how)(self.letters.fetch_add(1, Ordering::SeqCst)) {
            How::Takes => Ok(Accepted { queue_id: "test".into() }),
            How::NeverAnswers => std::future::pending().await,
            How::Panics => panic!("the relay's answer made no sense"),
        }
    }
}

fn now() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// A world with a letter to send.
async fn with_a_letter(db: TestDb, how: fn(usize) -> How) -> (World, Arc<Relay>) {
    let mut w = World::on(db, now()).await;
    let relay = Arc::new(Relay { letters: AtomicUsize::new(0), how });
    w.s.mailer = relay.clone();
    booked(&w, 17).await;
    (w, relay)
}

/// Makes a booking, and with it a letter.
async fn booked(w: &World, day: u32) {
    let (date, time) = (NaiveDate::from_ymd_opt(2027, 2, day).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    w.book(draft(Province::QC, date, time), None).await.unwrap();
}

/// A job that ends at once.
async fn quick(w: &World, kind: &'static str) {
    let job = NewJob {
        id: JobId(OsEntropy.uuid(now())),
        kind: kind.to_owned(),
        payload: serde_json::json!({ "holdId": OsEntropy.uuid(now()), "bookingId": OsEntropy.uuid(now()) }),
        run_at: now(),
        dedup_key: None,
        held_until: None,
        max_attempts: 1,
    };
    w.write(move |u| u.jobs().enqueue(&job)).await;
    w.s.bell.notify_one();
}

async fn due(w: &World) -> i64 {
    w.read(|u| u.jobs().figures(now())).await.due
}

async fn until(what: &str, mut done: impl AsyncFnMut() -> bool) {
    for _ in 0..500 {
        if done().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} did not happen within five seconds");
}

fn start(s: &Services) -> Vec<JoinHandle<()>> {
    let mut bells = Vec::new();
    let mut loops: Vec<_> = Lane::ALL
        .into_iter()
        .map(|lane| {
            let bell = Arc::new(Notify::new());
            bells.push(bell.clone());
            tokio::spawn(jobs::work_lane(s.clone(), lane.code().to_owned(), lane, bell, std::future::pending()))
        })
        .collect();
    loops.push(tokio::spawn(jobs::ring(s.clone(), bells)));
    loops
}

async fn a_stuck_lane_delays_no_other(db: TestDb) {
    let (w, relay) = with_a_letter(db, |_| How::NeverAnswers).await;
    let loops = start(&w.s);
    until("the letter", async || relay.letters.load(Ordering::SeqCst) == 1).await;
    for kind in [jobs::EXPIRE_HOLD, jobs::BILL_BOOKING, jobs::EXPIRE_HOLD] {
        quick(&w, kind).await;
    }
    until("the other lanes' work", async || due(&w).await == 0).await;
    // And it stays in its own lane.
    booked(&w, 18).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!((due(&w).await, relay.letters.load(Ordering::SeqCst)), (1, 1));
    loops.iter().for_each(JoinHandle::abort);
}

/// A loop that is stuck holds one job, not those behind it.
async fn one_claim_at_a_time(db: TestDb) {
    let (w, relay) = with_a_letter(db, |n| if n == 0 { How::NeverAnswers } else { How::Takes }).await;
    for day in [18, 19, 22] {
        booked(&w, day).await;
    }
    let work = |who: &str| tokio::spawn(jobs::work(w.s.clone(), who.to_owned(), std::future::pending()));
    let first = work("first");
    until("the first letter", async || relay.letters.load(Ordering::SeqCst) == 1).await;
    let second = work("second");
    until("the other letters", async || relay.letters.load(Ordering::SeqCst) == 4 && due(&w).await == 0).await;
    first.abort();
    second.abort();
}

async fn a_panic_ends_no_loop(db: TestDb) {
    // The first letter always makes it panic, all others go.
    let (w, relay) = with_a_letter(db, |n| if n % 2 == 0 { How::Panics } else { How::Takes }).await;
    let loops = start(&w.s);
    until("the first attempt", async || relay.letters.load(Ordering::SeqCst) == 1).await;
    until("the retry", async || {
        w.read(|u| u.jobs().next_run_of(Lane::Mail.kinds(), "9999-01-01T00:00:00Z".parse().unwrap()))
            .await
            .is_some_and(|at| at > now())
    })
    .await;
    booked(&w, 18).await;
    until("the second letter", async || relay.letters.load(Ordering::SeqCst) == 2).await;
    assert!(loops.iter().all(|l| !l.is_finished()), "a loop ended");
    loops.iter().for_each(JoinHandle::abort);
}

async fn what_panics_for_ever_is_buried(db: TestDb) {
    let (w, relay) = with_a_letter(db, |_| How::Panics).await;
    for _ in 0..40 {
        jobs::run_due(&w.s, "test").await.unwrap();
        if !w.read(|u| u.jobs().dead(1)).await.is_empty() {
            break;
        }
        w.clock.set(w.clock.now_value() + chrono::Duration::hours(1));
    }
    let dead = w.read(|u| u.jobs().dead(5)).await;
    assert_eq!(dead.len(), 1, "{dead:?}");
    assert_eq!((dead[0].kind.as_str(), dead[0].attempts), (jobs::SEND_MESSAGE, dead[0].max_attempts));
    assert!(dead[0].last_error.as_ref().unwrap().contains("the relay's answer made no sense"), "{dead:?}");
    assert_eq!(relay.letters.load(Ordering::SeqCst), usize::try_from(dead[0].max_attempts).unwrap());
}

/// Seed 8545 of the simulation: a letter whose workers had been killed was given up after one failure.
async fn a_killed_worker_costs_a_letter_no_attempt(db: TestDb) {
    let (w, relay) = with_a_letter(db, |n| if n == 0 { How::Panics } else { How::Takes }).await;
    let (now, wall) = (w.clock.now_value(), w.s.wall.now());
    for n in 0..9 {
        let (who, mail) = (format!("killed-{n}"), Lane::Mail.kinds());
        let job = w.write(move |u| u.jobs().claim_one(now, wall, DateTime::UNIX_EPOCH, &who, mail)).await;
        assert_eq!(job.unwrap().kind, jobs::SEND_MESSAGE);
    }
    jobs::run_due(&w.s, "test").await.unwrap();
    w.clock.set(now + chrono::Duration::minutes(2));
    jobs::run_due(&w.s, "test").await.unwrap();
    assert_eq!(w.read(|u| u.jobs().dead(5)).await, []);
    assert_eq!(relay.letters.load(Ordering::SeqCst), 2);
}

macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name(super::TestDb::sqlite()).await; })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name(super::TestDb::postgres()).await; })+
        }
    };
}

on_both_engines!(
    a_stuck_lane_delays_no_other,
    one_claim_at_a_time,
    a_panic_ends_no_loop,
    what_panics_for_ever_is_buried,
    a_killed_worker_costs_a_letter_no_attempt
);
