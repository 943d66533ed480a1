//! Many hands on days nobody touched before: whoever takes capacity makes the missing buckets
//! first and locks them afterwards, so nobody waits for somebody who waits for them.

use crate::support;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use kernel::{HoldId, MateCount, Province};
use scheduling::BucketKey;
use service::{
    Error,
    holds::{self, HoldInput},
    idempotency::Replayable,
    moves::place_of,
    ports::capacity::DayCapacity,
};
use support::World;

/// Crews of two that fit at the same time.
const CREWS: u32 = 6;
const DAYS: u64 = 25;

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn day(n: u64) -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, 22).unwrap() + Days::new(n)
}

async fn hold(
    s: &service::Services,
    w: service::Caller,
    date: NaiveDate,
    hour: u32,
    replaces: Option<HoldId>,
) -> Result<HoldId, Error> {
    let pickup = support::location(Province::QC);
    let input = HoldInput {
        date,
        time: NaiveTime::from_hms_opt(hour, 0, 0).unwrap(),
        mate_count: MateCount::new(2).unwrap(),
        duration_minutes: 120,
        just_mates: true,
        tier: None,
        pickup: place_of(&pickup.address, pickup.coordinates),
        dropoff: None,
        replaces,
        job: None,
        holder: None,
    };
    match holds::create(s, &w, input, None).await? {
        Replayable::Fresh(hold) => Ok(hold.id),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

/// On every day somebody has the morning, whose buckets alone exist. Then at once: they move on to
/// hours nobody made yet, and others take what overlaps both.
async fn fresh_days(db: store::testing::TestDb) {
    let w = World::on(db, monday()).await;
    w.calendar(DayCapacity { mates: 2 * CREWS, trucks: [0; 3] }).await;
    let mut early = Vec::new();
    for n in 0..DAYS {
        early.push([
            hold(&w.s, w.customer.clone(), day(n), 8, None).await.unwrap(),
            hold(&w.s, w.customer.clone(), day(n), 8, None).await.unwrap(),
        ]);
    }
    let mut tasks = Vec::new();
    for n in 0..DAYS {
        let [one, two] = early[usize::try_from(n).unwrap()];
        let wishes = [
            (10, Some(one)),
            (9, None),
            (11, Some(two)),
            (10, None),
            (12, None),
            (9, None),
            (11, None),
            (8, None),
            (10, None),
            (13, None),
        ];
        for (hour, replaces) in wishes {
            let (s, who) = (w.s.clone(), w.customer.clone());
            tasks.push(tokio::spawn(async move { hold(&s, who, day(n), hour, replaces).await }));
        }
    }
    let (mut got, mut lost) = (0, 0);
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => got += 1,
            Err(Error::SlotGone(_)) => lost += 1,
            Err(other) => panic!("neither taken nor gone: {other:?}"),
        }
    }
    assert!(got > 0 && lost > 0, "{got} {lost}");
    assert_eq!(w.read(|u| u.capacities().drift()).await, Vec::<String>::new());
    for n in 0..DAYS {
        let keys: Vec<BucketKey> = (0..48).map(|index| BucketKey { date: day(n), index }).collect();
        let room = w.read(move |u| u.capacities().view("montreal", &keys)).await;
        assert!(room.iter().all(|c| c.mates_used <= c.mates_total && c.mates_total == 2 * CREWS), "{room:?}");
        assert!(room.iter().any(|c| c.mates_used == c.mates_total), "day {n} was not contended: {room:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_waits_in_a_circle_on_fresh_days_on_sqlite() {
    fresh_days(store::testing::TestDb::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_waits_in_a_circle_on_fresh_days_on_postgres() {
    fresh_days(store::testing::TestDb::postgres()).await;
}
