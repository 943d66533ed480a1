//! Crews: who may be sent, who is on what, and nobody on two moves at once.

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, MateId, OpsMemberId, TruckId, UserId};
use service::ports::{
    StoreError,
    crews::{CrewMate, Mate},
    directory::{TruckRecord, TruckState},
    dispatch::{Act, Done, Span, TruckUse},
    members::{Member, MemberRole},
};
use status_machine::booking::Status;
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    the_directory_names_who_may_be_sent,
    a_crew_is_kept_with_its_time,
    nobody_is_on_two_moves_at_once,
    spans_of_one_mate_are_apart_to_the_minute,
    a_truck_has_one_job_at_a_time,
    acts_are_written_down_once,
    only_moves_to_come_are_live,
    a_mate_is_one_person,
    who_was_assigned_by_word_only_is_pending_after_the_migration,
);

fn mate(n: u128) -> MateId {
    MateId(kernel::uuid::Uuid::from_u128(0xae00 + n))
}

fn on_it(n: u128) -> CrewMate {
    CrewMate { mate: mate(n), name: format!("Zoé {n}"), since: t0() }
}

fn member(n: u128, role: MemberRole) -> Member {
    Member {
        id: OpsMemberId(uuid()),
        email: format!("Zoe{n}@portage.test").parse().unwrap(),
        first_name: "Zoé".to_owned(),
        last_name: n.to_string(),
        role,
        partner_id: None,
        mate_id: (role == MemberRole::Mate).then(|| mate(n)),
        created_at: t0(),
        version: 1,
    }
}

/// Half hours from an hour of the day of `t0` on.
fn halves(first: i64, many: i64) -> Vec<DateTime<Utc>> {
    let noon: DateTime<Utc> = "2027-02-01T12:00:00Z".parse().unwrap();
    (first..first + many).map(|n| noon + Duration::minutes(30 * n)).collect()
}

async fn put(db: &TestDb, id: BookingId, n: u128, times: Vec<DateTime<Utc>>) -> Result<(), StoreError> {
    try_write(db, move |u| u.crews().put(id, &on_it(n), &times)).await
}

async fn the_directory_names_who_may_be_sent(db: TestDb) {
    write(&db, |u| {
        for (n, role) in [(3, MemberRole::Mate), (1, MemberRole::Mate), (2, MemberRole::Ops), (4, MemberRole::Mate)] {
            u.members().insert(&member(n, role))?;
        }
        // Locked out: his own account, and another that only claims his address.
        for (n, verified) in [(4, true), (3, false)] {
            let mut known = account(UserId(uuid()));
            known.email = Some(format!("zoE{n}@portage.test").parse().unwrap());
            (known.email_verified, known.disabled_at) = (verified, Some(t0()));
            u.accounts().insert(&known)?;
        }
        Ok(())
    })
    .await;
    let known = |n: u128| Mate { id: mate(n), hubs: Vec::new(), name: format!("Zoé {n}") };
    assert_eq!(read(&db, |u| u.crews().mates()).await, [known(1), known(3)]);
}

async fn a_crew_is_kept_with_its_time(db: TestDb) {
    let (a, b) = (booked(&db).await.id, booked(&db).await.id);
    put(&db, a, 2, halves(0, 3)).await.unwrap();
    put(&db, a, 1, halves(0, 3)).await.unwrap();
    put(&db, b, 1, halves(3, 2)).await.unwrap();
    assert_eq!(read(&db, move |u| u.crews().of_booking(a)).await, [on_it(1), on_it(2)]);
    let want: Vec<_> = [1, 2].into_iter().flat_map(|n| halves(0, 3).into_iter().map(move |at| (mate(n), at))).collect();
    assert_eq!(read(&db, move |u| u.crews().times(a)).await, want);
    let taken = |first, many| read(&db, move |u| u.crews().taken(&halves(first, many)));
    assert_eq!(taken(0, 1).await, [mate(1), mate(2)]);
    assert_eq!(taken(2, 2).await, [mate(1), mate(2)]);
    assert_eq!(taken(3, 9).await, [mate(1)]);
    assert_eq!((taken(5, 9).await, taken(-3, 3).await, taken(0, 0).await), (vec![], vec![], vec![]));
    let jobs = |first, last| read(&db, move |u| u.crews().jobs(halves(first, 1)[0], halves(last, 1)[0]));
    assert_eq!(jobs(0, 9).await, [(mate(1), 2), (mate(2), 1)]);
    assert_eq!((jobs(3, 9).await, jobs(5, 9).await), (vec![(mate(1), 1)], vec![]));
    write(&db, move |u| u.crews().release(a, mate(1))).await;
    write(&db, move |u| u.crews().release(a, mate(1))).await;
    assert_eq!(read(&db, move |u| u.crews().of_booking(a)).await, [on_it(2)]);
    assert_eq!((taken(0, 3).await, taken(3, 1).await), (vec![mate(2)], vec![mate(1)]), "its time went with him");
}

async fn nobody_is_on_two_moves_at_once(db: TestDb) {
    let (a, b) = (booked(&db).await.id, booked(&db).await.id);
    put(&db, a, 1, halves(0, 4)).await.unwrap();
    let told = put(&db, b, 1, halves(3, 4)).await;
    assert!(matches!(told, Err(StoreError::Duplicate(_))), "{told:?}");
    assert_eq!(read(&db, move |u| u.crews().of_booking(b)).await, [], "all of it or nothing");
    put(&db, b, 1, halves(4, 4)).await.unwrap();
    // Nor is there time of somebody who is on no crew.
    let stray = format!(
        "INSERT INTO crew_times (mate_id, half_hour, booking_id) VALUES ('{}', '2027-02-01 20:00:00.000000', '{a}')",
        mate(9)
    );
    assert!(Stranger::at(db.url()).run(&stray).is_err());
    // Without anybody choosing: the key alone decides.
    let racers = (0..8).map(|_| async {
        let id = booked(&db).await.id;
        put(&db, id, 2, halves(0, 2)).await
    });
    let told = futures_util::future::join_all(racers).await;
    assert_eq!(told.iter().filter(|r| r.is_ok()).count(), 1);
    assert!(told.iter().all(|r| matches!(r, Ok(()) | Err(StoreError::Duplicate(_)))), "{told:?}");
    // One at a time chooses.
    let choosers = (0..8).map(|_| async {
        let id = booked(&db).await.id;
        try_write(&db, move |u| {
            u.crews().lock()?;
            let free = u.crews().taken(&halves(0, 2))?.iter().all(|m| *m != mate(3));
            if free { u.crews().put(id, &on_it(3), &halves(0, 2)).map(|()| true) } else { Ok(false) }
        })
        .await
        .unwrap()
    });
    let told = futures_util::future::join_all(choosers).await;
    assert_eq!(told.into_iter().filter(|won| *won).count(), 1);
}

/// From so many minutes after noon to so many.
fn span(booking: BookingId, from: i64, until: i64) -> Span {
    let at = |minutes| halves(0, 1)[0] + Duration::minutes(minutes);
    Span { booking, from: at(from), until: at(until) }
}

async fn take(db: &TestDb, id: BookingId, n: u128, (from, until): (i64, i64)) -> Result<(), StoreError> {
    try_write(db, move |u| {
        u.crews().put(id, &on_it(n), &[])?;
        u.dispatches().take_mate(mate(n), span(id, from, until))
    })
    .await
}

async fn spans_of_one_mate_are_apart_to_the_minute(db: TestDb) {
    let (a, b, c) = (booked(&db).await.id, booked(&db).await.id, booked(&db).await.id);
    take(&db, a, 1, (0, 75)).await.unwrap();
    for (from, until) in [(74, 100), (-10, 1), (10, 20), (-10, 100), (0, 75)] {
        let told = take(&db, b, 1, (from, until)).await;
        assert!(matches!(told, Err(StoreError::Duplicate(_))), "{from} {until} {told:?}");
    }
    assert_eq!(read(&db, move |u| u.crews().of_booking(b)).await, [], "all of it or nothing");
    take(&db, b, 1, (75, 100)).await.unwrap();
    take(&db, c, 2, (10, 20)).await.unwrap();
    let spans = |from, until| {
        let look = span(a, from, until);
        read(&db, move |u| u.dispatches().mate_spans(look.from, look.until))
    };
    assert_eq!(spans(70, 80).await, [(mate(1), span(a, 0, 75)), (mate(1), span(b, 75, 100))]);
    assert_eq!(spans(75, 76).await, [(mate(1), span(b, 75, 100))]);
    assert_eq!(spans(-20, 0).await, []);
    // The time goes with who was on it, and a span is not moved past the rule.
    write(&db, move |u| u.crews().release(a, mate(1))).await;
    assert_eq!(spans(0, 75).await, [(mate(2), span(c, 10, 20))]);
    let moved = format!("UPDATE crew_spans SET from_at = '2027-02-01 12:00:00.000000' WHERE booking_id = '{b}'");
    take(&db, a, 1, (0, 75)).await.unwrap();
    assert!(Stranger::at(db.url()).run(&moved).is_err());
    // Without anybody choosing: the database alone decides.
    let racers = (0..8).map(|n| {
        let db = &db;
        async move {
            let id = booked(db).await.id;
            take(db, id, 3, (n, n + 60)).await
        }
    });
    let told = futures_util::future::join_all(racers).await;
    assert_eq!(told.iter().filter(|r| r.is_ok()).count(), 1, "{told:?}");
    assert!(told.iter().all(|r| matches!(r, Ok(()) | Err(StoreError::Duplicate(_)))), "{told:?}");
}

async fn a_truck_has_one_job_at_a_time(db: TestDb) {
    let (a, b) = (booked(&db).await.id, booked(&db).await.id);
    let truck = TruckId(uuid());
    write(&db, move |u| {
        u.directory().add_truck(&TruckRecord {
            id: truck,
            name: "Castor".to_owned(),
            class: scheduling::TruckClass::TwentyFoot,
            hub: "montreal".to_owned(),
            plate: String::new(),
            inspected_until: None,
            insured_until: None,
            state: TruckState::Active,
            version: 1,
            created_at: t0(),
            updated_at: t0(),
        })
    })
    .await;
    let used = move || TruckUse { truck, name: "Castor".to_owned() };
    write(&db, move |u| u.dispatches().take_truck(&used(), span(a, 0, 60))).await;
    let told = try_write(&db, move |u| u.dispatches().take_truck(&used(), span(b, 59, 90))).await;
    assert!(matches!(told, Err(StoreError::Duplicate(_))), "{told:?}");
    write(&db, move |u| u.dispatches().take_truck(&used(), span(b, 60, 90))).await;
    assert_eq!(read(&db, move |u| u.dispatches().trucks_of(&[a, b])).await.len(), 2);
    let look = span(a, 0, 60);
    let spans = read(&db, move |u| u.dispatches().truck_spans(look.from, look.until)).await;
    assert_eq!(spans, [(truck, span(a, 0, 60))]);
    write(&db, move |u| u.dispatches().release_truck(a)).await;
    assert_eq!(read(&db, move |u| u.dispatches().trucks_of(&[a, b])).await, [(b, used())]);
}

async fn acts_are_written_down_once(db: TestDb) {
    let a = booked(&db).await.id;
    put(&db, a, 1, Vec::new()).await.unwrap();
    let done = |act, minutes| {
        let at = t0() + Duration::minutes(minutes);
        Done { booking: a, mate: mate(1), act, at, told_at: at + Duration::hours(1) }
    };
    let (start, finish) = (done(Act::Start, 0), done(Act::Finish, 90));
    // The later one arrives first; the same one twice.
    assert!(write(&db, move |u| u.dispatches().write_act(&finish)).await);
    assert!(write(&db, move |u| u.dispatches().write_act(&start)).await);
    let again = Done { told_at: t0() + Duration::hours(9), ..start };
    assert!(!write(&db, move |u| u.dispatches().write_act(&again)).await);
    assert_eq!(read(&db, move |u| u.dispatches().acts_of(&[a])).await, [start, finish]);
    let jobs = |n, from| read(&db, move |u| u.dispatches().jobs_of(mate(n), from, 9));
    let starts = read(&db, move |u| u.bookings().get(a)).await.unwrap().move_at;
    assert_eq!((jobs(1, starts).await, jobs(2, starts).await), (vec![a], vec![]));
    assert_eq!(jobs(1, starts + Duration::minutes(1)).await, []);
}

async fn only_moves_to_come_are_live(db: TestDb) {
    let mut live = Vec::new();
    for (n, status) in [Status::Pending, Status::Assigned, Status::Completed, Status::Cancelled].into_iter().enumerate()
    {
        let mut made = booked(&db).await;
        put(&db, made.id, 1, halves(10 * i64::try_from(n).unwrap(), 2)).await.unwrap();
        made.status = status;
        let (id, version) = (made.id, made.version);
        write(&db, move |u| u.bookings().update(&made, version)).await;
        if n < 2 {
            live.push(id);
        }
    }
    live.sort();
    assert_eq!(read(&db, |u| u.crews().live_of(mate(1))).await, live);
    assert_eq!(read(&db, |u| u.crews().live_of(mate(2))).await, []);
}

async fn a_mate_is_one_person(db: TestDb) {
    write(&db, |u| u.members().insert(&member(1, MemberRole::Mate))).await;
    let twin = Member { mate_id: Some(mate(1)), ..member(2, MemberRole::Mate) };
    let told = try_write(&db, move |u| u.members().insert(&twin)).await;
    assert!(matches!(told, Err(StoreError::Duplicate(_))), "{told:?}");
}

async fn who_was_assigned_by_word_only_is_pending_after_the_migration(db: TestDb) {
    let mut made = booked(&db).await;
    made.status = Status::Assigned;
    let (id, version) = (made.id, made.version);
    let version = write(&db, move |u| u.bookings().update(&made, version)).await;
    let (engine, name) = (db.store().engine(), "20261122000100_crews");
    let script = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap();
    let mut stranger = Stranger::at(db.url());
    stranger.run_all(&script(crate::schema::taken_back(&format!("{engine}/{name}.sql")))).unwrap();
    stranger.run_all(&script(crate::schema::migrations().join(engine).join(name).join("up.sql"))).unwrap();
    let (b, history) =
        read(&db, move |u| Ok((u.bookings().get(id)?.unwrap(), u.booking_history().status_history(id)?))).await;
    assert_eq!((b.status, b.version), (Status::Pending, version + 1));
    let last = history.last().unwrap();
    assert_eq!(
        (last.from, last.to, last.role),
        (Some(Status::Assigned), Status::Pending, Some(status_machine::Role::System))
    );
    assert_eq!(last.reason.as_deref(), Some("crew_missing"));
}
