//! Absences, and what they take from the plans of their hub.

use kernel::{AbsenceId, MateId, TruckId};
use scheduling::{Capacity, TruckClass};
use service::ports::{
    StoreError,
    absences::{Absence, Absentee},
    capacity::DayCapacity,
    directory::{MateRecord, MateState, TruckRecord, TruckState},
};
use status_machine::At;
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    they_come_back_as_they_were,
    they_are_found_by_hub_by_whose_they_are_and_by_day,
    plans_and_views_and_new_buckets_are_less,
    buckets_that_exist_follow_when_they_are_brought_in_line,
    more_than_is_taken_cannot_go,
    an_override_is_less_as_well,
    weeks_are_counted_and_days_say_why,
    who_is_nobody_is_not_away,
);

async fn mate(db: &TestDb) -> MateId {
    let id = MateId(uuid());
    let record = MateRecord {
        id,
        number: 0,
        name: "Zoé Roy".to_owned(),
        address: None,
        phone: String::new(),
        email: String::new(),
        neq: None,
        tps: None,
        tvq: None,
        state: At::stored(MateState::Active),
        skills: Vec::new(),
        languages: Vec::new(),
        hubs: Vec::new(),
        documents: Vec::new(),
        pay_rate: None,
        version: 1,
        created_at: t0(),
        updated_at: t0(),
    };
    write(db, move |u| u.directory().add_mate(&record)).await;
    id
}

async fn truck(db: &TestDb, class: TruckClass) -> TruckId {
    let id = TruckId(uuid());
    let record = TruckRecord {
        id,
        name: id.to_string(),
        class,
        hub: "montreal".to_owned(),
        plate: String::new(),
        inspected_until: None,
        insured_until: None,
        state: TruckState::Active,
        version: 1,
        created_at: t0(),
        updated_at: t0(),
    };
    write(db, move |u| u.directory().add_truck(&record)).await;
    id
}

fn absence(hub: &str, who: Absentee, first: &str, last: &str) -> Absence {
    Absence {
        id: AbsenceId(uuid()),
        hub: hub.to_owned(),
        who,
        first: date(first),
        last: date(last),
        reason: "Congé 假".to_owned(),
        created_at: t0(),
    }
}

/// Writes it; its key.
async fn away(db: &TestDb, hub: &str, who: Absentee, first: &str, last: &str) -> AbsenceId {
    let made = absence(hub, who, first, last);
    let id = made.id;
    write(db, move |u| u.absences().insert(&made)).await;
    id
}

fn plan(mates: u32, trucks: [u32; 3]) -> DayCapacity {
    DayCapacity { mates, trucks }
}

/// Montreal has this on every day.
async fn every_day(db: &TestDb, capacity: DayCapacity) {
    write(db, move |u| (0..7).try_for_each(|weekday| u.capacities().set_default("montreal", weekday, capacity))).await;
}

async fn planned(db: &TestDb, day: &'static str) -> DayCapacity {
    read(db, move |u| u.capacities().planned("montreal", date(day))).await
}

async fn they_come_back_as_they_were(db: TestDb) {
    let of_mate = absence("montreal", Absentee::Mate(mate(&db).await), "2027-07-01", "2027-07-04");
    let truck = truck(&db, TruckClass::TwentySixFoot).await;
    let of_truck = absence("toronto", Absentee::Truck(truck, TruckClass::TwentySixFoot), "2027-07-02", "2027-07-02");
    for made in [of_mate, of_truck] {
        let (id, copy) = (made.id, made.clone());
        write(&db, move |u| u.absences().insert(&copy)).await;
        assert_eq!(read(&db, move |u| u.absences().get(id)).await, Some(made));
        assert!(write(&db, move |u| u.absences().remove(id)).await);
        assert!(!write(&db, move |u| u.absences().remove(id)).await, "it is gone");
        assert_eq!(read(&db, move |u| u.absences().get(id)).await, None);
    }
}

async fn they_are_found_by_hub_by_whose_they_are_and_by_day(db: TestDb) {
    let (one, two, truck) = (mate(&db).await, mate(&db).await, truck(&db, TruckClass::TenFoot).await);
    let late = away(&db, "montreal", Absentee::Mate(one), "2027-07-05", "2027-07-09").await;
    let early = away(&db, "montreal", Absentee::Mate(one), "2027-06-28", "2027-07-01").await;
    let other_hub = away(&db, "toronto", Absentee::Mate(two), "2027-07-01", "2027-07-31").await;
    let of_truck = away(&db, "montreal", Absentee::Truck(truck, TruckClass::TenFoot), "2027-07-01", "2027-07-02").await;
    let between = |hub: Option<&'static str>, first: &'static str, last: &'static str| {
        let found = read(&db, move |u| u.absences().between(hub, date(first), date(last)));
        async { found.await.into_iter().map(|a| a.id).collect::<Vec<_>>() }
    };
    assert_eq!(between(Some("montreal"), "2027-07-01", "2027-07-05").await, [early, of_truck, late]);
    assert_eq!(between(Some("montreal"), "2027-07-03", "2027-07-04").await, [], "the days between are nobody's");
    assert_eq!(
        between(Some("montreal"), "2027-07-01", "2027-07-01").await,
        [early, of_truck],
        "first and last day count"
    );
    assert_eq!(between(None, "2027-07-10", "2027-08-10").await, [other_hub]);
    let of = |who: Absentee, first: &'static str, last: &'static str| {
        let found = read(&db, move |u| u.absences().of(who, date(first), date(last)));
        async { found.await.into_iter().map(|a| a.id).collect::<Vec<_>>() }
    };
    assert_eq!(of(Absentee::Mate(one), "2027-07-01", "2027-07-05").await, [early, late]);
    assert_eq!(of(Absentee::Mate(two), "2027-06-01", "2027-06-30").await, []);
    // A truck is found whatever class it has by now.
    assert_eq!(of(Absentee::Truck(truck, TruckClass::TwentyFoot), "2027-07-02", "2027-07-02").await, [of_truck]);
    let mates = |day: &'static str| read(&db, move |u| u.absences().mates_away(date(day)));
    assert_eq!(mates("2027-07-01").await, [one, two], "whatever their hub; no trucks");
    assert_eq!(mates("2027-07-03").await, [two]);
    assert_eq!(mates("2027-08-01").await, []);
}

async fn plans_and_views_and_new_buckets_are_less(db: TestDb) {
    every_day(&db, plan(3, [1, 1, 1])).await;
    let truck = truck(&db, TruckClass::TwentyFoot).await;
    away(&db, "montreal", Absentee::Mate(mate(&db).await), "2027-07-01", "2027-07-02").await;
    away(&db, "montreal", Absentee::Truck(truck, TruckClass::TwentyFoot), "2027-07-02", "2027-07-03").await;
    away(&db, "toronto", Absentee::Mate(mate(&db).await), "2027-07-01", "2027-07-03").await;
    assert_eq!(planned(&db, "2027-06-30").await, plan(3, [1, 1, 1]));
    assert_eq!(planned(&db, "2027-07-01").await, plan(2, [1, 1, 1]));
    assert_eq!(planned(&db, "2027-07-02").await, plan(2, [1, 0, 1]));
    assert_eq!(planned(&db, "2027-07-03").await, plan(3, [1, 0, 1]));
    let days = ["2027-06-30", "2027-07-01", "2027-07-02", "2027-07-03"];
    let room =
        |mates, trucks| Capacity { mates_total: mates, mates_used: 0, trucks_total: trucks, trucks_used: [0; 3] };
    let want = [room(3, [1, 1, 1]), room(2, [1, 1, 1]), room(2, [1, 0, 1]), room(3, [1, 0, 1])];
    let asked = days.map(|d| key(d, 20));
    assert_eq!(read(&db, move |u| u.capacities().view("montreal", &asked)).await, want, "buckets nobody made");
    assert_eq!(write(&db, move |u| u.capacities().lock("montreal", &asked)).await, want, "and those that are made now");
    let dates: std::collections::BTreeSet<_> = days.map(date).into_iter().collect();
    let offered = read(&db, move |u| u.calendars().offered("montreal", &dates)).await;
    assert_eq!(offered.values().map(|d| d.mates).collect::<Vec<_>>(), [3, 2, 2, 3]);
    // More who are away than are planned leave nobody, and no less than that.
    for _ in 0..3 {
        away(&db, "montreal", Absentee::Mate(mate(&db).await), "2027-07-02", "2027-07-02").await;
    }
    assert_eq!(planned(&db, "2027-07-02").await, plan(0, [1, 0, 1]));
}

async fn totals(db: &TestDb, day: &'static str) -> (u32, u32) {
    let seen = read(db, move |u| u.capacities().view("montreal", &[key(day, 20)])).await;
    (seen[0].mates_used, seen[0].mates_total)
}

async fn buckets_that_exist_follow_when_they_are_brought_in_line(db: TestDb) {
    every_day(&db, plan(3, [1, 1, 1])).await;
    write(&db, |u| u.capacities().make("montreal", &[key("2027-07-01", 20), key("2027-07-02", 20)])).await;
    let id = away(&db, "montreal", Absentee::Mate(mate(&db).await), "2027-07-01", "2027-07-02").await;
    assert_eq!(totals(&db, "2027-07-01").await, (0, 3), "not by itself");
    write(&db, |u| u.calendars().replan("montreal", date("2027-07-02"))).await;
    assert_eq!((totals(&db, "2027-07-01").await, totals(&db, "2027-07-02").await), ((0, 3), (0, 2)));
    write(&db, move |u| {
        u.absences().remove(id)?;
        u.calendars().replan("montreal", date("2027-07-01"))
    })
    .await;
    assert_eq!(totals(&db, "2027-07-02").await, (0, 3));
}

async fn more_than_is_taken_cannot_go(db: TestDb) {
    every_day(&db, plan(3, [1, 1, 1])).await;
    write(&db, |u| {
        u.capacities().lock("montreal", &[key("2027-07-01", 20)])?;
        u.capacities().add("montreal", &[key("2027-07-01", 20)], 3, None)
    })
    .await;
    away(&db, "montreal", Absentee::Mate(mate(&db).await), "2027-07-01", "2027-07-01").await;
    let told = try_write(&db, |u| u.calendars().replan("montreal", date("2027-07-01"))).await;
    assert!(matches!(told, Err(StoreError::Refused(_))), "{told:?}");
    assert_eq!(totals(&db, "2027-07-01").await, (3, 3));
}

async fn an_override_is_less_as_well(db: TestDb) {
    every_day(&db, plan(3, [1, 1, 1])).await;
    write(&db, |u| u.capacities().make("montreal", &[key("2027-07-01", 20)])).await;
    away(&db, "montreal", Absentee::Mate(mate(&db).await), "2027-07-01", "2027-07-01").await;
    write(&db, |u| u.capacities().set_override("montreal", date("2027-07-01"), plan(9, [1, 1, 1]))).await;
    assert_eq!((totals(&db, "2027-07-01").await, planned(&db, "2027-07-01").await.mates), ((0, 8), 8));
}

async fn weeks_are_counted_and_days_say_why(db: TestDb) {
    let version = |hub: &'static str| read(&db, move |u| u.calendars().week_version(hub));
    assert_eq!(version("montreal").await, 0);
    assert_eq!(write(&db, |u| u.calendars().count_week("montreal")).await, 1);
    assert_eq!(write(&db, |u| u.calendars().count_week("montreal")).await, 2);
    assert_eq!((version("montreal").await, version("toronto").await), (2, 0));
    write(&db, |u| {
        u.calendars().set_date("montreal", date("2027-06-24"), plan(0, [0; 3]), "")?;
        u.calendars().set_date("montreal", date("2027-07-01"), plan(9, [1; 3]), "first")?;
        u.calendars().set_date("montreal", date("2027-07-01"), plan(9, [1; 3]), "Fête 搬家日")
    })
    .await;
    let reasons = |from: &'static str| read(&db, move |u| u.calendars().reasons("montreal", date(from)));
    let said: Vec<_> = reasons("2027-06-01").await.into_iter().collect();
    assert_eq!(said, [(date("2027-07-01"), "Fête 搬家日".to_owned())]);
    assert!(reasons("2027-07-02").await.is_empty());
    write(&db, |u| u.calendars().clear_date("montreal", date("2027-07-01"))).await;
    assert!(reasons("2027-06-01").await.is_empty(), "the reason goes with its row");
}

async fn who_is_nobody_is_not_away(db: TestDb) {
    for who in [Absentee::Mate(MateId(uuid())), Absentee::Truck(TruckId(uuid()), TruckClass::TenFoot)] {
        let unknown = absence("montreal", who, "2027-07-01", "2027-07-01");
        assert!(try_write(&db, move |u| u.absences().insert(&unknown)).await.is_err());
    }
    let backwards = absence("montreal", Absentee::Mate(mate(&db).await), "2027-07-02", "2027-07-01");
    let told = try_write(&db, move |u| u.absences().insert(&backwards)).await;
    assert!(matches!(told, Err(StoreError::Refused(_))), "{told:?}");
}
