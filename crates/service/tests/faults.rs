//! A failure at every step of book → charge → confirm: the database refuses before a commit, or
//! commits and the answer is lost, or the gateway does. Whoever was interrupted tries again;
//! afterwards there is one booking, each charge once, and gateway and ledger agree.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use crate::support::{Next, World, draft};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use futures_util::future::BoxFuture;
use kernel::Province;
use service::{
    bookings::{Created, Draft, create, recovery},
    idempotency::{Guard, Request},
    jobs,
    ports::{
        Store, StoreError, StoreResult,
        store::{Abort, Work},
    },
};

/// Where the n-th write unit breaks.
#[derive(Clone, Copy, Debug)]
enum Break {
    /// Rolled back: nothing happened.
    BeforeCommit,
    /// Committed, but nobody hears of it.
    AfterCommit,
}

struct Flaky {
    inner: Arc<dyn Store>,
    left: AtomicI64,
    how: Break,
}

impl Flaky {
    fn strikes(&self) -> bool {
        self.left.fetch_sub(1, Ordering::SeqCst) == 1
    }
}

impl Store for Flaky {
    fn read_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        self.inner.read_unit(work)
    }

    fn write_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        if !self.strikes() {
            return self.inner.write_unit(work);
        }
        Box::pin(async move {
            let how = self.how;
            // The caller learns nothing in either case: its own closure is told to have failed.
            let hidden: Work = Box::new(move |u| {
                work(u)?;
                match how {
                    Break::BeforeCommit => Err(Abort),
                    Break::AfterCommit => Ok(()),
                }
            });
            let _ = self.inner.write_unit(hidden).await;
            Err(StoreError::Other("the power went out".into()))
        })
    }

    fn ping(&self) -> BoxFuture<'_, StoreResult<()>> {
        self.inner.ping()
    }

    fn backup(&self, target: std::path::PathBuf) -> BoxFuture<'_, StoreResult<()>> {
        self.inner.backup(target)
    }

    fn engine(&self) -> &'static str {
        self.inner.engine()
    }
}

fn guard() -> Guard<Created> {
    Guard {
        request: Request { scope: "c".into(), key: "k".into(), body_hash: "h".into() },
        render: Box::new(|c: &Created| (201, serde_json::json!({ "id": c.booking.id }))),
    }
}

fn start() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn at(day: u32, hour: u32) -> Draft {
    let date = NaiveDate::from_ymd_opt(2027, 2, day).unwrap();
    draft(Province::QC, date, NaiveTime::from_hms_opt(hour, 0, 0).unwrap())
}

/// The customer presses until there is an answer; true when one came with a booking.
async fn press(s: &service::Services, w: &World, d: &Draft) -> bool {
    create(s, &w.customer, d.clone(), None, Some(guard())).await.is_ok()
}

async fn live_through(how: Break, n: i64, gateway: Option<Next>, d: Draft) -> bool {
    let w = World::new(start()).await;
    let mut flaky = w.s.clone();
    let store = Arc::new(Flaky { inner: w.s.store.clone(), left: AtomicI64::new(n), how });
    flaky.store = store.clone();
    if let Some(next) = gateway {
        w.gateway.queue(&[next]);
    }
    press(&flaky, &w, &d).await;
    // The process died with it: leases end, open checkouts are looked into, the button is pressed again.
    restart(&w).await;
    // A request that was lost is never sent again: it is freed, and the next press has another order id.
    let lost_now = gateway == Some(Next::LostRequest);
    assert!(
        press(&w.s, &w, &d).await || (lost_now && press(&w.s, &w, &d).await),
        "{how:?} at write {n}: the second press books"
    );
    // Days pass; if the failure has not struck yet it strikes the worker.
    for hours in [0, 25, 26, 24 * 10, 24 * 12 - 1, 24 * 13, 24 * 14, 24 * 15] {
        w.clock.set(start() + Duration::hours(hours));
        while let Ok(1..) = jobs::run_due(&flaky, "one").await {}
        restart(&w).await;
    }
    check(&w, &format!("{how:?} at write {n}")).await;
    store.left.load(Ordering::SeqCst) > 0
}

async fn restart(w: &World) {
    w.write(|u| u.jobs().release_leases()).await;
    w.write(|u| u.money_leases().release_all()).await;
    recovery::recover_all(&w.s).await.unwrap();
    for _ in 0..4 {
        w.work().await;
        // What is waiting for another look is looked at.
        if let Some(next) = w.next_job().await.filter(|at| *at <= w.clock.now_value() + Duration::minutes(15)) {
            w.clock.set(next.max(w.clock.now_value()));
        }
    }
}

async fn check(w: &World, case: &str) {
    let user = w.customer.user.unwrap();
    let bookings = w.read(move |u| u.bookings().of_user(user, 1, 100)).await;
    assert_eq!(bookings.total, 1, "{case}: one booking");
    let b = &bookings.data[0];
    assert_eq!(w.gateway.net(), b.total.cents(), "{case}: charged exactly the total\n{:#?}", w.gateway.seen());
    let report = service::billing::reconcile::run(&w.s, start() - Duration::days(1), start() + Duration::days(60))
        .await
        .unwrap();
    assert!(report.differences.is_empty(), "{case}: {:?}", report.differences);
    let confirmations = w
        .mailer
        .sent
        .lock()
        .unwrap()
        .iter()
        .filter(|m| m.message_type == "bookingConfirmation")
        .map(|m| m.message_id.clone())
        .collect::<std::collections::BTreeSet<_>>();
    assert_eq!(confirmations.len(), 1, "{case}: one confirmation (a re-send keeps its id)");
    let dead = w.read(|u| u.jobs().dead(10)).await;
    assert!(dead.is_empty(), "{case}: {dead:?}");
}

async fn every_step(d: &dyn Fn() -> Draft) {
    for how in [Break::BeforeCommit, Break::AfterCommit] {
        let mut n = 1;
        while !live_through(how, n, None, d()).await {
            n += 1;
            assert!(n < 200, "the story has an end");
        }
        assert!(n > 5, "the failure struck several steps");
    }
}

#[tokio::test]
async fn a_split_booking_survives_a_failure_at_every_write() {
    every_step(&|| at(22, 9)).await;
}

#[tokio::test]
async fn a_booking_paid_at_once_survives_a_failure_at_every_write() {
    every_step(&|| at(9, 13)).await;
}

#[tokio::test]
async fn lost_answers_and_lost_requests_at_the_gateway_come_together_with_database_failures() {
    for next in [Next::LostAnswer, Next::LostRequest] {
        for n in 1..8 {
            live_through(Break::AfterCommit, n, Some(next), at(9, 13)).await;
            live_through(Break::BeforeCommit, n, Some(next), at(9, 13)).await;
        }
    }
}
