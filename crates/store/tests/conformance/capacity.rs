//! Capacity: never oversold, and given back exactly.

use kernel::{BookingId, HoldId};
use scheduling::{Capacity, TruckClass, assign_truck};
use service::ports::{
    StoreError,
    capacity::{DayCapacity, Hold, Holder},
};
use status_machine::{At, hold::State};
use store::testing::TestDb;

use crate::fixtures::*;

const DAY: &str = "2027-02-15"; // a Monday

on_both_engines!(
    the_calendar_is_override_then_weekday_then_nothing,
    a_view_makes_nothing_and_a_lock_makes_the_plan,
    adding_and_giving_back_is_identity,
    what_does_not_fit_is_refused_and_the_unit_goes_on,
    buckets_never_made_have_no_room,
    an_override_changes_buckets_that_exist,
    of_fifty_takers_of_the_last_crew_one_gets_it,
    crossing_spans_do_not_deadlock,
    what_is_made_first_is_locked_without_a_circle,
    holds_come_back_as_they_were,
    holds_lapse_in_order,
    guests_holds_are_found_by_browser_and_by_origin,
    one_origin_is_looked_at_by_one_at_a_time,
    drift_is_told,
);

fn plan(mates: u32, trucks: [u32; 3]) -> DayCapacity {
    DayCapacity { mates, trucks }
}

fn room(mates: u32, trucks: [u32; 3]) -> Capacity {
    Capacity { mates_total: mates, mates_used: 0, trucks_total: trucks, trucks_used: [0; 3] }
}

async fn monday(db: &TestDb, capacity: DayCapacity) {
    write(db, move |u| u.capacities().set_default("montreal", 0, capacity)).await;
}

async fn the_calendar_is_override_then_weekday_then_nothing(db: TestDb) {
    monday(&db, plan(1, [1, 1, 1])).await;
    monday(&db, plan(6, [2, 1, 0])).await;
    write(&db, |u| u.capacities().set_override("montreal", date("2027-02-22"), plan(0, [0; 3]))).await;
    let planned = |hub: &'static str, day: &'static str| read(&db, move |u| u.capacities().planned(hub, date(day)));
    assert_eq!(planned("montreal", DAY).await, plan(6, [2, 1, 0]));
    assert_eq!(planned("montreal", "2027-02-22").await, plan(0, [0; 3]));
    assert_eq!(planned("montreal", "2027-02-16").await, plan(0, [0; 3]), "no Tuesday is planned");
    assert_eq!(planned("laval", DAY).await, plan(0, [0; 3]));
    let no_such_day = try_write(&db, |u| u.capacities().set_default("montreal", 7, plan(1, [0; 3]))).await;
    assert!(matches!(no_such_day, Err(StoreError::Refused(_))), "{no_such_day:?}");
}

async fn a_view_makes_nothing_and_a_lock_makes_the_plan(db: TestDb) {
    monday(&db, plan(6, [2, 1, 0])).await;
    // In the order asked, over midnight, with a doubled key.
    let asked = vec![key("2027-02-16", 0), key(DAY, 47), key(DAY, 20), key(DAY, 47)];
    let nothing = Capacity::default();
    let want = vec![nothing, room(6, [2, 1, 0]), room(6, [2, 1, 0]), room(6, [2, 1, 0])];
    let copy = asked.clone();
    assert_eq!(read(&db, move |u| u.capacities().view("montreal", &copy)).await, want);
    let copy = asked.clone();
    assert_eq!(write(&db, move |u| u.capacities().lock("montreal", &copy)).await, want);
    // The plan changes; rows that exist keep their totals until an override says otherwise.
    monday(&db, plan(1, [0; 3])).await;
    let copy = asked.clone();
    assert_eq!(write(&db, move |u| u.capacities().lock("montreal", &copy)).await, want);
    assert_eq!(read(&db, move |u| u.capacities().view("montreal", &[key(DAY, 21)])).await, [room(1, [0; 3])]);
    assert_eq!(read(&db, |u| u.capacities().view("montreal", &[])).await, []);
}

async fn adding_and_giving_back_is_identity(db: TestDb) {
    monday(&db, plan(6, [2, 1, 0])).await;
    let span = keys(DAY, 16..24);
    let copy = span.clone();
    let before = write(&db, move |u| u.capacities().lock("montreal", &copy)).await;
    let copy = span.clone();
    write(&db, move |u| u.capacities().add("montreal", &copy, 4, Some((TruckClass::TwentyFoot, 1)))).await;
    let copy = span.clone();
    let taken = read(&db, move |u| u.capacities().view("montreal", &copy)).await;
    assert!(taken.iter().all(|c| c.mates_used == 4 && c.trucks_used == [0, 1, 0]), "{taken:?}");
    let copy = span.clone();
    write(&db, move |u| u.capacities().add("montreal", &copy, -4, Some((TruckClass::TwentyFoot, -1)))).await;
    assert_eq!(read(&db, move |u| u.capacities().view("montreal", &span)).await, before);
}

async fn what_does_not_fit_is_refused_and_the_unit_goes_on(db: TestDb) {
    monday(&db, plan(6, [2, 1, 0])).await;
    let span = keys(DAY, 16..24);
    let copy = span.clone();
    let refusals = write(&db, move |u| {
        u.capacities().lock("montreal", &copy)?;
        // The last bucket is fuller than the others: all of the addition is undone.
        u.capacities().add("montreal", &copy[7..], 5, None)?;
        let told = [
            u.capacities().add("montreal", &copy, 2, None),
            u.capacities().add("montreal", &copy[..7], 0, Some((TruckClass::TwentySixFoot, 1))),
            u.capacities().add("montreal", &copy, 0, Some((TruckClass::TwentyFoot, 2))),
            u.capacities().add("montreal", &copy, -1, None),
        ];
        u.capacities().add("montreal", &copy, 1, Some((TruckClass::TenFoot, 1)))?;
        Ok(told.map(|r| matches!(r, Err(StoreError::Refused(_)))))
    })
    .await;
    assert_eq!(refusals, [true; 4]);
    let after = read(&db, move |u| u.capacities().view("montreal", &span)).await;
    assert_eq!(after.iter().map(|c| c.mates_used).collect::<Vec<_>>(), [1, 1, 1, 1, 1, 1, 1, 6]);
    assert!(after.iter().all(|c| c.trucks_used == [1, 0, 0]));
}

async fn buckets_never_made_have_no_room(db: TestDb) {
    monday(&db, plan(6, [2, 1, 0])).await;
    let told = try_write(&db, |u| u.capacities().add("montreal", &keys(DAY, 1..3), 1, None)).await;
    assert!(matches!(told, Err(StoreError::Refused(_))), "{told:?}");
}

async fn an_override_changes_buckets_that_exist(db: TestDb) {
    monday(&db, plan(6, [2, 1, 0])).await;
    let span = keys(DAY, 16..18);
    let copy = span.clone();
    write(&db, move |u| {
        u.capacities().lock("montreal", &copy)?;
        u.capacities().add("montreal", &copy, 3, None)
    })
    .await;
    let refused = write(&db, |u| {
        let told = u.capacities().set_override("montreal", date(DAY), plan(2, [2, 1, 0]));
        Ok(matches!(told, Err(StoreError::Refused(_))))
    })
    .await;
    assert!(refused);
    assert_eq!(
        read(&db, |u| u.capacities().planned("montreal", date(DAY))).await,
        plan(6, [2, 1, 0]),
        "undone as a whole"
    );
    write(&db, |u| u.capacities().set_override("montreal", date(DAY), plan(3, [1, 1, 5]))).await;
    let now = read(&db, move |u| u.capacities().view("montreal", &span)).await;
    assert!(now.iter().all(|c| (c.mates_total, c.mates_used, c.trucks_total) == (3, 3, [1, 1, 5])), "{now:?}");
}

/// The way a booking takes its slot: lock, decide, add, store the hold.
async fn take(db: &TestDb, span: Vec<scheduling::BucketKey>, mates: u32) -> Result<bool, StoreError> {
    let made = hold(span.clone(), mates, Some(TruckClass::TenFoot));
    try_write(db, move |u| {
        let room = u.capacities().lock("montreal", &span)?;
        let Ok(Some(class)) = assign_truck(&room, mates, Some(TruckClass::TenFoot)) else { return Ok(false) };
        u.capacities().add("montreal", &span, i32::try_from(mates).unwrap(), Some((class, 1)))?;
        u.capacities().insert_hold(&made)?;
        Ok(true)
    })
    .await
}

async fn of_fifty_takers_of_the_last_crew_one_gets_it(db: TestDb) {
    monday(&db, plan(3, [1, 0, 0])).await;
    // Nobody made the buckets before: making them races as well.
    let takers = (0..50).map(|_| take(&db, keys(DAY, 16..24), 2));
    let got: Vec<bool> = futures_util::future::join_all(takers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(got.iter().filter(|g| **g).count(), 1);
    let after = read(&db, |u| u.capacities().view("montreal", &keys(DAY, 16..24))).await;
    assert!(after.iter().all(|c| c.mates_used == 2 && c.trucks_used == [1, 0, 0]), "{after:?}");
    assert_eq!(read(&db, |u| u.capacities().drift()).await, Vec::<String>::new());
}

async fn crossing_spans_do_not_deadlock(db: TestDb) {
    monday(&db, plan(1_000, [1_000, 0, 0])).await;
    let takers = (0..60u16).map(|n| {
        let from = (n * 7) % 30;
        take(&db, keys(DAY, from..from + 3 + n % 5), 1)
    });
    let got: Vec<_> = futures_util::future::join_all(takers).await;
    assert!(got.iter().all(|r| matches!(r, Ok(true))), "{got:?}");
    assert_eq!(read(&db, |u| u.capacities().drift()).await, Vec::<String>::new());
}

/// A change frees one span and takes another: both are made before either is locked, so on a day
/// where only some buckets exist nobody who makes one holds another.
async fn what_is_made_first_is_locked_without_a_circle(db: TestDb) {
    monday(&db, plan(1_000, [1_000, 0, 0])).await;
    write(&db, |u| u.capacities().make("montreal", &[key(DAY, 47), key(DAY, 20)])).await;
    let made = read(&db, |u| u.capacities().view("montreal", &[key(DAY, 20), key(DAY, 21)])).await;
    assert_eq!(made, [room(1_000, [1_000, 0, 0]); 2]);
    // The plan changes: what exists keeps its totals, what does not has the new ones.
    monday(&db, plan(500, [500, 0, 0])).await;
    write(&db, |u| u.capacities().make("montreal", &keys(DAY, 20..22))).await;
    let both = read(&db, |u| u.capacities().view("montreal", &[key(DAY, 20), key(DAY, 21)])).await;
    assert_eq!(both, [room(1_000, [1_000, 0, 0]), room(500, [500, 0, 0])]);
    for day in ["2027-02-22", "2027-03-01", "2027-03-08", "2027-03-15"] {
        write(&db, move |u| u.capacities().make("montreal", &keys(day, 16..22))).await;
        let takers = (0..24u16).map(|n| {
            let mut spans = [keys(day, 16 + n % 5..20 + n % 5), keys(day, 19 + n % 4..26 + n % 7)];
            spans.sort();
            try_write(&db, move |u| {
                spans.iter().try_for_each(|s| u.capacities().make("montreal", s))?;
                spans.iter().try_for_each(|s| u.capacities().lock("montreal", s).map(drop))?;
                spans.iter().try_for_each(|s| u.capacities().add("montreal", s, 1, None))
            })
        });
        let done: Vec<_> = futures_util::future::join_all(takers).await;
        assert!(done.iter().all(Result::is_ok), "{day}: {done:?}");
    }
}

async fn holds_come_back_as_they_were(db: TestDb) {
    let owner = booked(&db).await.id;
    let mut made = hold(keys(DAY, 16..18), 2, Some(TruckClass::TwentySixFoot));
    let id = made.id;
    let copy = made.clone();
    write(&db, move |u| u.capacities().insert_hold(&copy)).await;
    assert_eq!(read(&db, move |u| u.capacities().hold(id)).await.as_ref(), Some(&made));
    assert_eq!(read(&db, move |u| u.capacities().hold_of_booking(owner)).await, None);
    (made.state, made.booking_id, made.expires_at, made.truck) =
        (At::stored(State::Converted), Some(owner), at(99), None);
    made.buckets = keys(DAY, 17..20);
    let copy = made.clone();
    write(&db, move |u| u.capacities().update_hold(&copy)).await;
    assert_eq!(write(&db, move |u| u.capacities().hold(id)).await.as_ref(), Some(&made));
    assert_eq!(read(&db, move |u| u.capacities().hold_of_booking(owner)).await.as_ref(), Some(&made));
    let (unknown, nobody) = (hold(Vec::new(), 0, None), BookingId(uuid()));
    assert!(matches!(try_write(&db, move |u| u.capacities().update_hold(&unknown)).await, Err(StoreError::Stale)));
    let none =
        read(&db, move |u| Ok((u.capacities().hold(HoldId(uuid()))?, u.capacities().hold_of_booking(nobody)?))).await;
    assert_eq!(none, (None, None));
}

async fn holds_lapse_in_order(db: TestDb) {
    let states =
        [(3, State::Extended), (1, State::Active), (2, State::Converted), (2, State::Released), (4, State::Active)];
    let made = states.map(|(minutes, state)| {
        let mut made = hold(Vec::new(), 1, None);
        (made.expires_at, made.state) = (at(minutes), At::stored(state));
        made
    });
    let ids = made.clone().map(|h| h.id);
    write(&db, move |u| made.iter().try_for_each(|h| u.capacities().insert_hold(h))).await;
    let lapsed = |minutes, limit| {
        let holds = read(&db, move |u| u.capacities().lapsed(at(minutes), limit));
        async { holds.await.into_iter().map(|h| h.id).collect::<Vec<_>>() }
    };
    assert_eq!(lapsed(3, 10).await, [ids[1], ids[0]], "at the instant itself it has lapsed");
    assert_eq!(lapsed(9, 2).await, [ids[1], ids[0]]);
    assert_eq!(lapsed(0, 10).await, []);
}

/// A hold of a guest, made so many minutes after the others.
fn kept(browser: &str, origin: &str, minutes: i64, state: State) -> Hold {
    let mut made = hold(Vec::new(), 1, None);
    made.holder = Some(Holder { browser: browser.to_owned(), origin: origin.to_owned() });
    (made.created_at, made.state) = (at(minutes), At::stored(state));
    made
}

async fn guests_holds_are_found_by_browser_and_by_origin(db: TestDb) {
    let made = [
        kept("b1", "o1", 3, State::Active),
        kept("b2", "o1", 1, State::Extended),
        kept("b1", "o2", 2, State::Active),
        kept("b1", "o1", 0, State::Released),
        kept("b1", "o1", 0, State::Converted),
        kept("b3", "o3", 0, State::Active),
        hold(Vec::new(), 1, None),
    ];
    let ids = made.clone().map(|h| h.id);
    let copy = made.clone();
    write(&db, move |u| copy.iter().try_for_each(|h| u.capacities().insert_hold(h))).await;
    let of = |browser: &str, origin: &str| Holder { browser: browser.to_owned(), origin: origin.to_owned() };
    for (who, want) in [
        (of("b1", "o1"), vec![ids[1], ids[2], ids[0]]),
        (of("b9", "o1"), vec![ids[1], ids[0]]),
        (of("b1", "o9"), vec![ids[2], ids[0]]),
        (of("b9", "o9"), vec![]),
    ] {
        let (a, b) = (who.clone(), who.clone());
        let read_only: Vec<_> = read(&db, move |u| u.capacities().kept_by(&a)).await.iter().map(|h| h.id).collect();
        let locked: Vec<_> = write(&db, move |u| u.capacities().kept_by(&b)).await.iter().map(|h| h.id).collect();
        assert_eq!((&read_only, &locked), (&want, &want), "{who:?}");
    }
    // Whom an ended hold was kept for may be forgotten.
    let mut ended = made[0].clone();
    (ended.state, ended.holder) = (At::stored(State::Expired), None);
    let (id, copy) = (ended.id, ended.clone());
    write(&db, move |u| u.capacities().update_hold(&copy)).await;
    assert_eq!(read(&db, move |u| u.capacities().hold(id)).await, Some(ended));
}

/// Twenty at once: each adds one hold when it sees fewer than five.
async fn one_origin_is_looked_at_by_one_at_a_time(db: TestDb) {
    let who = Holder { browser: "nobody".to_owned(), origin: "o1".to_owned() };
    let tries = (0..20).map(|n| {
        let (made, who) = (kept(&format!("b{n}"), "o1", n, State::Active), who.clone());
        try_write(
            &db,
            move |u| if u.capacities().kept_by(&who)?.len() < 5 { u.capacities().insert_hold(&made) } else { Ok(()) },
        )
    });
    let done: Vec<_> = futures_util::future::join_all(tries).await;
    assert!(done.iter().all(Result::is_ok), "{done:?}");
    assert_eq!(read(&db, move |u| u.capacities().kept_by(&who)).await.len(), 5);
}

async fn drift_is_told(db: TestDb) {
    monday(&db, plan(6, [2, 1, 0])).await;
    assert!(take(&db, keys(DAY, 16..18), 2).await.unwrap());
    assert_eq!(read(&db, |u| u.capacities().drift()).await, Vec::<String>::new());
    // One mate too many counted in one bucket, and a hold nobody counted.
    write(&db, |u| u.capacities().add("montreal", &[key(DAY, 16)], 1, None)).await;
    let uncounted = hold(vec![key(DAY, 40)], 3, None);
    write(&db, move |u| u.capacities().insert_hold(&uncounted)).await;
    let told = read(&db, |u| u.capacities().drift()).await;
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].starts_with("montreal 2027-02-15 #16") && told[1].starts_with("montreal 2027-02-15 #40"),
        "{told:?}"
    );
}
