//! What a day's comparison asks of the database does not grow with what lies behind it: looks at repositories are counted,
//! not seconds.

use crate::{planted::until, support};

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use futures_util::future::BoxFuture;
use kernel::Province;
use service::{
    Services,
    billing::reconcile,
    ports::{
        Store, StoreResult, Unit,
        store::{Abort, Work},
    },
};
use store::testing::TestDb;
use support::{World, draft};

on_both_engines!(what_lies_behind_costs_nothing, everything_is_read_in_pages);

/// A database whose looks are counted.
struct Counting {
    inner: Arc<dyn Store>,
    looks: Arc<AtomicUsize>,
}

struct Counted<'u> {
    inner: &'u mut dyn Unit,
    looks: Arc<AtomicUsize>,
}

macro_rules! counted {
    ($($area:literal { $($accessor:ident: $repository:ident in $port:ident,)+ })+) => {
        impl Unit for Counted<'_> {
            $($(fn $accessor(&mut self) -> &mut dyn service::ports::$port::$repository {
                self.looks.fetch_add(1, Ordering::Relaxed);
                self.inner.$accessor()
            })+)+
        }
    };
}

service::repositories!(counted);

fn counting(work: Work, looks: &Arc<AtomicUsize>) -> Work {
    let looks = looks.clone();
    Box::new(move |inner: &mut dyn Unit| -> Result<(), Abort> { work(&mut Counted { inner, looks }) })
}

impl Store for Counting {
    fn read_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        self.inner.read_unit(counting(work, &self.looks))
    }

    fn write_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        self.inner.write_unit(counting(work, &self.looks))
    }

    fn ping(&self) -> BoxFuture<'_, StoreResult<()>> {
        self.inner.ping()
    }

    fn backup(&self, target: PathBuf) -> BoxFuture<'_, StoreResult<()>> {
        self.inner.backup(target)
    }

    fn engine(&self) -> &'static str {
        self.inner.engine()
    }
}

/// How many looks a comparison takes, and how many bookings it holds against their history.
async fn looks(w: &World, from: Option<DateTime<Utc>>) -> (usize, usize) {
    let looks = Arc::new(AtomicUsize::new(0));
    let store = Arc::new(Counting { inner: w.s.store.clone(), looks: looks.clone() });
    let s = Services { store, ..w.s.clone() };
    let until = w.clock.now_value() + Duration::seconds(1);
    let report = match from {
        Some(from) => reconcile::run(&s, from, until).await.unwrap(),
        None => reconcile::all(&s, until).await.unwrap(),
    };
    assert_eq!(report.differences, Vec::<String>::new());
    (looks.load(Ordering::Relaxed), report.bookings)
}

async fn book(w: &World, date: NaiveDate) {
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap();
    w.work().await;
}

fn start() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

async fn what_lies_behind_costs_nothing(db: TestDb) {
    let w = World::on(db, start()).await;
    w.flat_rate(50_000).await;
    let date = |m, d| NaiveDate::from_ymd_opt(2027, m, d).unwrap();
    book(&w, date(2, 10)).await;
    until(&w, start() + Duration::days(60)).await;
    // A window of ten days with two moves in it.
    let window = |w: &World| Some(w.clock.now_value() - Duration::days(10));
    for day in [date(4, 13), date(4, 14)] {
        book(&w, day).await;
    }
    let (few, of_few) = looks(&w, window(&w)).await;
    // The same two with fifteen more behind them, long past.
    let behind = World::on(fresh_like(&w).await, start()).await;
    behind.flat_rate(50_000).await;
    for n in 0..16 {
        book(&behind, date(2, 10 + n % 5)).await;
    }
    until(&behind, start() + Duration::days(60)).await;
    for day in [date(4, 13), date(4, 14)] {
        book(&behind, day).await;
    }
    let (many, of_many) = looks(&behind, window(&behind)).await;
    assert_eq!((of_few, of_many), (2, 2));
    assert_eq!(few, many, "sixteen bookings behind it instead of one");
}

/// Another empty database of the same engine.
async fn fresh_like(w: &World) -> TestDb {
    match w.s.store.engine() {
        "postgres" => TestDb::postgres(),
        _ => TestDb::sqlite(),
    }
}

async fn everything_is_read_in_pages(db: TestDb) {
    let w = World::on(db, start()).await;
    w.flat_rate(50_000).await;
    let date = |d| NaiveDate::from_ymd_opt(2027, 2, d).unwrap();
    for n in 0..4 {
        book(&w, date(10 + n)).await;
    }
    until(&w, start() + Duration::days(14)).await;
    let (few, of_few) = looks(&w, None).await;
    for n in 0..8 {
        book(&w, NaiveDate::from_ymd_opt(2027, 2, 24).unwrap() + Duration::days(n % 3)).await;
    }
    let (many, of_many) = looks(&w, None).await;
    assert_eq!((of_few, of_many), (4, 12));
    // Three times as many bookings are one page still: not one look more.
    assert_eq!(few, many);
}
