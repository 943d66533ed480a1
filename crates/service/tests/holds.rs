//! Holds under many hands, on both databases.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{HoldId, MateCount, Province};
use service::{
    holds::{self, HoldInput},
    idempotency::Replayable,
    moves::place_of,
};
use support::World;

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

async fn hold(w: &World, hour: u32) -> HoldId {
    let pickup = support::location(Province::QC);
    let input = HoldInput {
        date: NaiveDate::from_ymd_opt(2027, 2, 22).unwrap(),
        time: NaiveTime::from_hms_opt(hour, 0, 0).unwrap(),
        mate_count: MateCount::new(2).unwrap(),
        duration_minutes: 120,
        just_mates: true,
        tier: None,
        pickup: place_of(&pickup.address, pickup.coordinates),
        dropoff: None,
        replaces: None,
        job: None,
        holder: None,
    };
    match holds::create(&w.s, &w.customer, input, None).await.unwrap() {
        Replayable::Fresh(hold) => hold.id,
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

/// The job of each hold and the daily sweep meet: what was taken is given back once.
async fn lapse(db: store::testing::TestDb) {
    let w = World::on(db, monday()).await;
    for round in 0..5 {
        let mut made = Vec::new();
        for hour in [8, 9, 10, 11, 12, 13] {
            made.push(hold(&w, hour).await);
        }
        // One that goes on, so that giving back twice has something to take away.
        w.clock.set(w.clock.now_value() + Duration::minutes(5));
        let kept = hold(&w, 10).await;
        w.clock.set(w.clock.now_value() + Duration::minutes(11));
        let mut tasks = Vec::new();
        for id in made.iter().copied().chain(made.iter().rev().copied()) {
            let s = w.s.clone();
            tasks.push(tokio::spawn(async move { holds::expire(&s, id).await }));
            let s = w.s.clone();
            tasks.push(tokio::spawn(async move { holds::sweep(&s).await.map(drop) }));
        }
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        assert_eq!(w.read(|u| u.capacities().drift()).await, Vec::<String>::new(), "round {round}");
        holds::release(&w.s, kept).await.unwrap();
    }
    w.work().await;
    assert_eq!(w.read(|u| u.capacities().drift()).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_lapsed_hold_is_given_back_once_on_sqlite() {
    lapse(store::testing::TestDb::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_lapsed_hold_is_given_back_once_on_postgres() {
    lapse(store::testing::TestDb::postgres()).await;
}
