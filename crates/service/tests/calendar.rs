//! Loading calendars, on both databases: all or nothing, never below what is taken, the same twice
//! is nothing, and no bucket is left behind.

use std::collections::BTreeMap;

use crate::support::World;
use chrono::{DateTime, NaiveDate, Utc};
use scheduling::{BucketKey, TruckClass};
use service::{
    Actor,
    calendar::{self, CLOSED, Change, HubCalendar, LoadError, Shortfall},
    ports::{StoreError, capacity::DayCapacity},
};
use store::testing::TestDb;

fn now() -> DateTime<Utc> {
    // The evening of February 8 in Montreal, February 9 in UTC.
    "2027-02-09T02:00:00Z".parse().unwrap()
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn crew(mates: u32) -> DayCapacity {
    DayCapacity { mates, trucks: [mates / 4, mates / 4, 1] }
}

fn of(hub: &'static str, mates: u32, dates: &[(&str, DayCapacity)]) -> HubCalendar {
    HubCalendar { hub, week: [crew(mates); 7], dates: dates.iter().map(|(d, c)| (date(d), *c)).collect() }
}

fn key(day: &str, index: u8) -> BucketKey {
    BucketKey { date: date(day), index: index.into() }
}

async fn load(w: &World, calendars: Vec<HubCalendar>) -> Result<Vec<Change>, LoadError> {
    calendar::load(&w.s, Actor::system(), calendars).await
}

async fn take(w: &World, day: &'static str, mates: i32, truck: Option<(TruckClass, i32)>) {
    let keys = [key(day, 20), key(day, 21)];
    w.write(move |u| {
        u.capacities().lock("montreal", &keys)?;
        u.capacities().add("montreal", &keys, mates, truck)
    })
    .await;
}

async fn trail(w: &World, hub: &'static str) -> usize {
    w.read(move |u| u.audits().of_subject("calendar", hub)).await.len()
}

async fn a_calendar_is_what_the_file_says(db: TestDb) {
    let w = World::on(db, now()).await;
    let missing = calendar::missing(&*w.s.store, now()).await.unwrap();
    assert!(missing.contains(&"ottawa") && !missing.contains(&"montreal"), "{missing:?}");
    // Buckets made from the old plan, one of a day that is past.
    w.write(|u| {
        u.capacities().make("montreal", &[key("2027-02-07", 20), key("2027-02-08", 20), key("2027-07-01", 20)])
    })
    .await;
    let dates = [("2027-02-07", crew(4)), ("2027-07-01", crew(48)), ("2027-12-25", CLOSED)];
    let wanted = vec![of("ottawa", 12, &[]), of("montreal", 24, &dates)];
    let changed = |hub, set: &[&str], removed: &[&str]| {
        let days = |list: &[&str]| list.iter().map(|d| date(d)).collect::<Vec<_>>();
        Change { hub, week: true, set: days(set), removed: days(removed), past: Vec::new() }
    };
    let first = load(&w, wanted.clone()).await.unwrap();
    let over = vec![date("2027-02-07")];
    let montreal = changed("montreal", &["2027-07-01", "2027-12-25"], &[]);
    assert_eq!(first, [Change { past: over.clone(), ..montreal }, changed("ottawa", &[], &[])]);
    let again = load(&w, wanted.clone()).await.unwrap();
    assert!(again.iter().all(Change::is_none), "{again:?}");
    assert_eq!(again[0].past, over, "told each time");
    assert_eq!(
        (trail(&w, "montreal").await, trail(&w, "ottawa").await),
        (1, 1),
        "nothing changed, nothing on the trail"
    );
    let totals = w
        .read(|u| {
            let days = ["2027-02-07", "2027-02-08", "2027-02-09", "2027-07-01", "2027-12-25"];
            let all = u.capacities().view("montreal", &days.map(|d| key(d, 20)))?;
            Ok(all.iter().map(|c| c.mates_total).collect::<Vec<_>>())
        })
        .await;
    assert_eq!(totals, [20, 24, 24, 48, 0], "yesterday as it was, from today on as the file says");
    let missing = calendar::missing(&*w.s.store, now()).await.unwrap();
    assert!(!missing.contains(&"ottawa"));

    // A date that is named no more follows its weekday, in buckets too; other hubs stay.
    let second = load(&w, vec![of("montreal", 24, &[("2027-12-25", CLOSED)])]).await.unwrap();
    assert_eq!(second, [Change { week: false, ..changed("montreal", &[], &["2027-07-01"]) }]);
    let view = w.read(|u| u.capacities().view("montreal", &[key("2027-07-01", 20)])).await;
    assert_eq!(view[0].mates_total, 24);
    let shown = calendar::show(
        &*w.s.store,
        now(),
        vec![geography::hub("montreal").unwrap(), geography::hub("ottawa").unwrap()],
    );
    assert_eq!(shown.await.unwrap(), [of("montreal", 24, &[("2027-12-25", CLOSED)]), of("ottawa", 12, &[])]);
    let days = calendar::days(&*w.s.store, geography::hub("montreal").unwrap(), date("2027-12-24"), date("2027-12-25"));
    let days: Vec<_> = days.await.unwrap().into_iter().map(|d| (d.planned.mates, d.special)).collect();
    assert_eq!(days, [(24, false), (0, true)]);
}

async fn less_than_is_taken_is_refused_with_the_figures(db: TestDb) {
    let w = World::on(db, now()).await;
    load(&w, vec![of("montreal", 24, &[])]).await.unwrap();
    take(&w, "2027-02-17", 9, Some((TruckClass::TwentyFoot, 3))).await;
    take(&w, "2027-07-01", 5, None).await;
    // The other hub of the same file is not touched either.
    let told = load(&w, vec![of("montreal", 8, &[("2027-07-01", CLOSED)]), of("ottawa", 12, &[])]).await;
    let Err(LoadError::Taken(lacking)) = told else { panic!("{told:?}") };
    let lacks = |day, truck, taken, planned| Shortfall { hub: "montreal", date: date(day), truck, taken, planned };
    let twenty = Some(TruckClass::TwentyFoot);
    assert_eq!(
        lacking,
        [lacks("2027-02-17", None, 9, 8), lacks("2027-02-17", twenty, 3, 2), lacks("2027-07-01", None, 5, 0)]
    );
    assert_eq!(lacking[0].to_string(), "montreal 2027-02-17: 9 mates are taken, 8 would be there: 1 too few");
    assert_eq!(lacking[1].to_string(), "montreal 2027-02-17: 3 trucks of 20 ft are taken, 2 would be there: 1 too few");
    let shown = calendar::show(&*w.s.store, now(), vec![geography::hub("montreal").unwrap()]).await.unwrap();
    assert_eq!(shown, [of("montreal", 24, &[])]);
    assert_eq!((trail(&w, "montreal").await, trail(&w, "ottawa").await), (1, 0));
    // Exactly what is taken may remain.
    let exact = DayCapacity { mates: 9, trucks: [0, 3, 0] };
    load(&w, vec![of("montreal", 24, &[("2027-02-17", exact)])]).await.unwrap();
}

/// Many hands make buckets and take from them while others change the calendar: in the end every
/// bucket has what the calendar says, and nothing is taken twice.
async fn loading_and_taking_at_once(db: TestDb) {
    let w = World::on(db, now()).await;
    let mut tasks = Vec::new();
    for n in 0..12_u8 {
        let s = w.s.clone();
        tasks.push(tokio::spawn(async move {
            for day in 10..26 {
                let keys = [key(&format!("2027-02-{day}"), 20 + n % 3), key(&format!("2027-02-{day}"), 21 + n % 3)];
                let done = async || {
                    let taken = s.store.write(move |u| {
                        u.capacities().lock("montreal", &keys)?;
                        u.capacities().add("montreal", &keys, 1, None)
                    });
                    taken.await
                };
                let mut taken = done().await;
                // Whoever waited too long behind the others, on a busy machine, comes again.
                while matches!(taken, Err(StoreError::Unavailable)) {
                    taken = done().await;
                }
                assert!(matches!(taken, Ok(()) | Err(StoreError::Refused(_))), "{taken:?}");
            }
        }));
        if n % 3 == 0 {
            let s = w.s.clone();
            tasks.push(tokio::spawn(async move {
                for round in 0..6 {
                    let calendar = of("montreal", 8 + u32::from(n) + round, &[]);
                    match calendar::load(&s, Actor::system(), vec![calendar]).await {
                        Ok(_) | Err(LoadError::Taken(_)) => {}
                        Err(e) => panic!("{e:?}"),
                    }
                }
            }));
        }
    }
    for task in tasks {
        task.await.unwrap();
    }
    let unlike = w
        .read(|u| {
            let mut unlike = BTreeMap::new();
            for day in 10..26 {
                let day = format!("2027-02-{day}");
                let planned = u.capacities().planned("montreal", date(&day))?.mates;
                let keys: Vec<BucketKey> = (20..24).map(|n| key(&day, n)).collect();
                for (key, has) in keys.iter().zip(u.capacities().view("montreal", &keys)?) {
                    if has.mates_total != planned {
                        unlike.insert((key.date, key.index), (has.mates_total, planned));
                    }
                }
            }
            Ok(unlike)
        })
        .await;
    assert!(unlike.is_empty(), "{unlike:?}");
}

on_both_engines!(
    a_calendar_is_what_the_file_says,
    less_than_is_taken_is_refused_with_the_figures,
    loading_and_taking_at_once,
);
