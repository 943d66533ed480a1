//! Gateway against books: what is under way, or lies at the edge of the time looked at, is no
//! difference; what differs is told.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use crate::support::{FakeGateway, HandClock, World, draft};
use async_trait::async_trait;
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    billing::{
        compare,
        reconcile::{self, Report},
    },
    bookings::{create, status},
    jobs,
    ports::payments::{
        ChargeOutcome, ChargeRequest, DISPUTE_LOST, GatewayDispute, GatewayError, GatewayStatus, GatewayTransaction,
        NewCustomer, PaymentGateway, RefundOutcome, RefundRequest, VaultOutcome,
    },
};
use status_machine::booking::Status;

fn start() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn at(day: u32, hour: u32) -> service::bookings::Draft {
    draft(Province::QC, NaiveDate::from_ymd_opt(2027, 2, day).unwrap(), NaiveTime::from_hms_opt(hour, 0, 0).unwrap())
}

/// Charges take their time on the wire, and on the clock when asked for.
struct Slow {
    inner: Arc<FakeGateway>,
    clock: Arc<HandClock>,
    /// Real milliseconds each answer takes.
    millis: u64,
    /// Seconds the clock moves between our intent and the gateway's deed.
    drift: i64,
    calls: AtomicU64,
}

impl Slow {
    async fn pause(&self) {
        // Not all the same, so that they meet each other everywhere.
        let n = self.calls.fetch_add(1, Ordering::SeqCst) % 4;
        tokio::time::sleep(std::time::Duration::from_millis(self.millis * n)).await;
    }
}

#[async_trait]
impl PaymentGateway for Slow {
    async fn client_token(&self, customer: Option<&str>) -> Result<String, GatewayError> {
        self.inner.client_token(customer).await
    }
    async fn create_customer(&self, customer: &NewCustomer) -> Result<String, GatewayError> {
        self.inner.create_customer(customer).await
    }
    async fn vault(&self, customer: &str, nonce: &str) -> Result<VaultOutcome, GatewayError> {
        self.inner.vault(customer, nonce).await
    }
    async fn charge(&self, request: &ChargeRequest) -> Result<ChargeOutcome, GatewayError> {
        self.pause().await;
        self.clock.set(self.clock.now_value() + Duration::seconds(self.drift));
        let done = self.inner.charge(request).await;
        self.pause().await;
        done
    }
    async fn find_by_order(&self, order_id: &str) -> Result<Vec<GatewayTransaction>, GatewayError> {
        self.inner.find_by_order(order_id).await
    }
    async fn disputes(&self, order_id: &str) -> Result<Vec<GatewayDispute>, GatewayError> {
        self.inner.disputes(order_id).await
    }
    async fn refund(&self, request: &RefundRequest) -> Result<RefundOutcome, GatewayError> {
        self.pause().await;
        let done = self.inner.refund(request).await;
        self.pause().await;
        done
    }
    fn silent_before(&self, wall_now: DateTime<Utc>) -> DateTime<Utc> {
        self.inner.silent_before(wall_now)
    }
    async fn list(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<Vec<GatewayTransaction>, GatewayError> {
        let list = self.inner.list(from, until).await;
        self.pause().await;
        list
    }
}

async fn world(db: store::testing::TestDb, millis: u64, drift: i64) -> World {
    let mut w = World::on(db, start()).await;
    w.s.gateway =
        Arc::new(Slow { inner: w.gateway.clone(), clock: w.clock.clone(), millis, drift, calls: AtomicU64::new(0) });
    w
}

/// The company cancels: everything goes back.
async fn called_off(w: &World, id: BookingId) {
    let said = status::StatusInput { reason: Some("no crew".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
}

async fn compared(w: &World, from: DateTime<Utc>, until: DateTime<Utc>) -> Report {
    reconcile::run(&w.s, from, until).await.unwrap()
}

async fn always(w: &World) -> Report {
    compared(w, start() - Duration::days(1), start() + Duration::days(60)).await
}

/// Bookings are paid at once, deposits fall due, some are cancelled and returned; and somebody
/// compares all the time.
async fn under_traffic(db: store::testing::TestDb) {
    let w = world(db, 3, 0).await;
    let over = Arc::new(AtomicBool::new(false));
    let mut bookings: Vec<BookingId> = Vec::new();
    for day in [22, 23, 24, 25, 26] {
        for hour in [8, 9, 10] {
            bookings.push(w.book(at(day, hour), None).await.unwrap().booking.id);
        }
    }
    w.clock.set(start() + Duration::hours(25));
    let watching = {
        let (s, over) = (w.s.clone(), over.clone());
        tokio::spawn(async move {
            let (mut looks, mut found) = (0, Vec::new());
            while !over.load(Ordering::SeqCst) || looks < 4 {
                let now = s.clock.now();
                for from in [now - Duration::days(30), now] {
                    found.extend(reconcile::run(&s, from, now + Duration::seconds(1)).await.unwrap().differences);
                    looks += 1;
                }
            }
            (looks, found)
        })
    };
    let mut tasks = Vec::new();
    for worker in ["one", "two"] {
        let s = w.s.clone();
        tasks.push(tokio::spawn(async move { while jobs::run_due(&s, worker).await.unwrap() > 0 {} }));
    }
    for hour in [9, 10, 11, 12, 13] {
        let (s, who) = (w.s.clone(), w.customer.clone());
        tasks.push(tokio::spawn(async move {
            create::create(&s, &who, at(11, hour), None, None).await.unwrap();
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    // What was charged a moment ago is voided.
    for id in &bookings[..6] {
        called_off(&w, *id).await;
    }
    w.work().await;
    over.store(true, Ordering::SeqCst);
    let (looks, found) = watching.await.unwrap();
    assert_eq!(found, Vec::<String>::new(), "of {looks} looks");
    assert!(looks >= 4, "{looks}");
    let last = always(&w).await;
    assert_eq!(last.differences, Vec::<String>::new());
    assert!(last.attempts >= 20, "{last:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_under_way_is_no_difference_on_sqlite() {
    under_traffic(store::testing::TestDb::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_under_way_is_no_difference_on_postgres() {
    under_traffic(store::testing::TestDb::postgres()).await;
}

/// Our intent is written a minute before the gateway acts: windows that end or begin between.
#[tokio::test]
async fn the_edges_of_the_window_make_no_difference() {
    let w = world(store::testing::TestDb::sqlite(), 0, 60).await;
    let b = w.book(at(22, 9), None).await.unwrap().booking.id;
    w.clock.set(start() + Duration::hours(25));
    let due = w.clock.now_value();
    w.work().await;
    assert_eq!(w.gateway.seen().len(), 1);
    let half = due + Duration::seconds(30);
    let (ours, theirs) =
        (compared(&w, due - Duration::hours(1), half).await, compared(&w, half, due + Duration::hours(1)).await);
    assert_eq!((ours.attempts, ours.transactions, theirs.attempts, theirs.transactions), (1, 0, 0, 1));
    assert_eq!((ours.differences, theirs.differences), (vec![], vec![]));
    // The charge is undone later: its own row lies outside of a window that holds the refund.
    w.clock.set(due + Duration::hours(2));
    called_off(&w, b).await;
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    let refund = compared(&w, due + Duration::hours(1), due + Duration::hours(3)).await;
    assert_eq!((refund.attempts, refund.transactions), (1, 0));
    assert_eq!(refund.differences, Vec::<String>::new());
}

/// A charge whose dispute was lost is in nobody's hands but the cardholder's.
#[tokio::test]
async fn a_lost_dispute_is_told() {
    let w = world(store::testing::TestDb::sqlite(), 0, 0).await;
    w.book(at(9, 13), None).await.unwrap();
    let charge = w.gateway.seen()[0].clone();
    w.gateway.change(|list| list[0].status = GatewayStatus::Settled);
    assert_eq!(always(&w).await.differences, Vec::<String>::new());
    w.gateway.change(|list| list[0].code = Some(DISPUTE_LOST.into()));
    let (order, amount) = (charge.order_id, Money::from_cents(charge.amount));
    let told = format!("{order}: the bank gave {amount} back after a dispute, our books hold it");
    assert_eq!(always(&w).await.differences, [told]);
}

#[tokio::test]
async fn what_differs_is_told() {
    let w = world(store::testing::TestDb::sqlite(), 0, 0).await;
    for (day, hour) in [(9, 13), (9, 14), (9, 15)] {
        w.book(at(day, hour), None).await.unwrap();
    }
    assert_eq!(always(&w).await.differences, Vec::<String>::new());
    let orders: Vec<String> = w.gateway.seen().into_iter().map(|s| s.order_id).collect();
    let paid = w.gateway.seen()[0].amount;
    w.gateway.change(|list| {
        list.retain(|t| t.order_id != orders[0]);
        for t in list.iter_mut().filter(|t| t.order_id == orders[1]) {
            t.amount = t.amount.plus(Money::from_cents(1));
        }
        let twice = list.iter().find(|t| t.order_id == orders[2]).unwrap().clone();
        list.push(GatewayTransaction { id: "again".into(), ..twice.clone() });
        list.push(GatewayTransaction { id: "strange".into(), order_id: "somebody-else".into(), ..twice });
    });
    let told = always(&w).await.differences;
    let about = |order: &str| told.iter().filter(|d| d.starts_with(&format!("{order}: "))).cloned().collect::<Vec<_>>();
    let (right, wrong) = (Money::from_cents(paid), Money::from_cents(paid + 1));
    assert_eq!(about(&orders[0]), [format!("{}: we wrote {right}, the gateway knows nothing of it", orders[0])]);
    assert_eq!(about(&orders[1]), [format!("{}: the gateway moved {wrong}, we wrote {right}", orders[1])]);
    assert_eq!(about(&orders[2]), [format!("{}: the gateway made 2 transactions", orders[2])]);
    assert_eq!(about("somebody-else"), [format!("somebody-else: the gateway moved {right} that we do not know")]);
    assert_eq!(told.len(), 4, "{told:?}");
    // Each is told although its own moment lies outside of the window of the other side.
    assert_eq!(
        compared(&w, start() + Duration::days(1), start() + Duration::days(2)).await.differences,
        Vec::<String>::new()
    );
}

/// The next day's work is queued by then, and nobody reads yesterday's log.
#[tokio::test]
async fn a_comparison_that_fails_is_listed_and_tried_again() {
    for db in store::testing::TestDb::both() {
        let w = World::on(db, start()).await;
        w.gateway.gives_no_list(true);
        jobs::schedule_housekeeping(&w.s).await.unwrap();
        w.work().await;
        assert_eq!(jobs::last_comparison(&w.s).await.unwrap(), None);
        let list = jobs::listed(&w.s, 9).await.unwrap();
        let told: Vec<_> = list.iter().map(|l| (l.job.kind.as_str(), l.next)).collect();
        assert_eq!(told, [("compare", Some(start() + Duration::minutes(1)))]);
        assert!(list[0].job.last_error.as_ref().unwrap().contains("connection refused"), "{list:?}");
        // The page and the operator are told.
        let failed = compare::failed(&w.s).await.unwrap().unwrap();
        assert_eq!((failed.at, failed.next), (start(), Some(start() + Duration::minutes(1))));
        assert!(failed.why.contains("connection refused"), "{failed}");
        // For days, as each day asks for it anew.
        for hour in 1..72 {
            w.clock.set(start() + Duration::hours(hour));
            w.work().await;
        }
        let list = jobs::listed(&w.s, 9).await.unwrap();
        assert_eq!(
            list.iter().map(|l| (l.job.kind.as_str(), l.next.is_some())).collect::<Vec<_>>(),
            [("compare", true)]
        );
        assert_eq!(jobs::last_comparison(&w.s).await.unwrap(), None);
        w.gateway.gives_no_list(false);
        let at = start() + Duration::hours(74);
        w.clock.set(at);
        w.work().await;
        assert_eq!(jobs::last_comparison(&w.s).await.unwrap(), Some(at));
        assert_eq!(compare::failed(&w.s).await.unwrap(), None);
        // One that staff asked for and that was given up is told until another one is made.
        w.gateway.gives_no_list(true);
        compare::ask(&w.s, &w.staff()).await.unwrap();
        for hour in 75..80 {
            w.clock.set(start() + Duration::hours(hour));
            w.work().await;
        }
        let failed = compare::failed(&w.s).await.unwrap().unwrap();
        assert_eq!((failed.at, failed.next), (start() + Duration::hours(79), None));
        w.gateway.gives_no_list(false);
        w.clock.set(start() + Duration::hours(80));
        compare::ask(&w.s, &w.staff()).await.unwrap();
        w.work().await;
        assert_eq!(compare::failed(&w.s).await.unwrap(), None);
        let dead = w.read(|u| u.jobs().dead(9)).await;
        for job in dead {
            jobs::discard(&w.s, job.id, service::Actor::system()).await.unwrap();
        }
        assert_eq!(jobs::listed(&w.s, 9).await.unwrap(), []);
    }
}
