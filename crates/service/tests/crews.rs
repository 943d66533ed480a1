//! Who comes: crews are formed, follow an edit, and are free again when the move is not theirs any more.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Language, MateCount, MateId, Province, TruckId};
use scheduling::TruckClass;
use service::{
    Actor, Error, ErrorCode, ServiceResult,
    bookings::{
        cancel, crew,
        edit::{self, EditInput},
        queries,
        status::{self, StatusInput},
    },
    dispatch::name::{self, Named},
    dispatch::{
        board::{self, Wrong},
        suggest,
    },
    ports::{
        bookings::{BookedItem, Booking},
        directory::MateRecord,
    },
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{Next, World, draft, mate, mate_email};

in_both_worlds!(
    free_mates_are_put_on_it_for_all_of_its_time,
    the_least_busy_come_and_nobody_twice,
    who_is_suggested_is_sent,
    a_free_truck_goes_along,
    nobody_free_changes_nothing,
    too_few_come_all_the_same,
    every_way_out_frees_them,
    what_was_done_keeps_its_crew,
    a_forgotten_crew_is_named_when_the_move_is_reopened,
    an_edit_takes_along_who_is_free,
    an_edit_that_nobody_can_follow_is_pending,
    a_paid_edit_takes_them_along,
    the_fee_is_for_a_crew,
    two_moves_race_for_one_mate,
    somebody_who_can_move_a_piano_goes_along,
    who_leaves_the_company_leaves_its_moves,
    who_is_locked_out_is_not_sent,
);

fn start() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

async fn world(db: TestDb) -> World {
    World::on(db, start()).await
}

fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, day).unwrap()
}

fn hour(hour: u32) -> NaiveTime {
    NaiveTime::from_hms_opt(hour, 0, 0).unwrap()
}

async fn booked(w: &World, on: u32, at: u32) -> BookingId {
    w.book(draft(Province::QC, day(on), hour(at)), None).await.unwrap().booking.id
}

async fn set(w: &World, id: BookingId, to: Status) -> ServiceResult<Booking> {
    let said = StatusInput { reason: Some("because".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.map(|done| done.booking)
}

async fn assigned(w: &World, id: BookingId) {
    assert_eq!(set(w, id, Status::Assigned).await.unwrap().status, Status::Assigned);
}

/// The numbers of who is on it; their time must be that of its hold, all of it.
async fn crew_of(w: &World, id: BookingId) -> Vec<u128> {
    let (crew, times, hold) = w
        .read(move |u| Ok((u.crews().of_booking(id)?, u.crews().times(id)?, u.capacities().hold_of_booking(id)?)))
        .await;
    let mut want = Vec::new();
    for member in &crew {
        let hold = hold.as_ref().expect("who is assigned is assigned for a time");
        want.extend(scheduling::half_hours(hold.from, hold.until).into_iter().map(|at| (member.mate, at)));
    }
    want.sort();
    assert_eq!(times, want);
    let mut numbers: Vec<u128> = crew.iter().map(|m| m.mate.0.as_u128() - mate(0).0.as_u128()).collect();
    numbers.sort_unstable();
    numbers
}

/// From, to and reason of the last change.
async fn last(w: &World, id: BookingId) -> (Status, Status, Option<String>) {
    let rows = w.read(move |u| u.booking_history().status_history(id)).await;
    let row = rows.last().unwrap();
    (row.from.unwrap(), row.to, row.reason.clone())
}

#[track_caller]
fn missing(told: ServiceResult<Booking>) {
    let Err(Error::Refused(ErrorCode::CrewMissing, params)) = told else { panic!("{told:?}") };
    let allowed = &params.iter().find(|(name, _)| *name == "allowed").unwrap().1;
    assert!(!allowed.split(',').any(|to| to == "assigned"), "{allowed}");
}

fn to(on: u32, at: u32) -> EditInput {
    EditInput { date: Some(day(on)), time: Some(hour(at)), ..EditInput::default() }
}

async fn free_mates_are_put_on_it_for_all_of_its_time(w: World) {
    let id = booked(&w, 22, 9).await;
    assert_eq!(crew_of(&w, id).await, [0; 0]);
    assigned(&w, id).await;
    assert_eq!(crew_of(&w, id).await, [1, 2]);
    let shown = queries::detail(&w.s, &w.ops, id).await.unwrap();
    let names: Vec<&str> = shown.crew.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["Mate1 Tester", "Mate2 Tester"]);
    assert!(shown.crew.iter().all(|m| m.since == start()));
    let trail = w.read(move |u| u.audits().of_subject("booking", &id.to_string())).await;
    let told = trail.iter().find(|row| row.action == "booking.crew").unwrap();
    assert_eq!(told.after.as_ref().unwrap()["mates"], serde_json::json!([mate(1), mate(2)]));
    // Once more changes nothing.
    let before = w.booking(id).await.version;
    assigned(&w, id).await;
    assert_eq!((w.booking(id).await.version, crew_of(&w, id).await), (before, vec![1, 2]));
}

async fn the_least_busy_come_and_nobody_twice(w: World) {
    w.only_mates(5).await;
    let (first, same_time, later, other_day) =
        (booked(&w, 22, 9).await, booked(&w, 22, 10).await, booked(&w, 22, 15).await, booked(&w, 23, 9).await);
    assigned(&w, first).await;
    assigned(&w, same_time).await;
    assert_eq!((crew_of(&w, first).await, crew_of(&w, same_time).await), (vec![1, 2], vec![3, 4]));
    // The fifth has nothing to do that day; of the others the first by id are as good as any.
    assigned(&w, later).await;
    assert_eq!(crew_of(&w, later).await, [1, 5]);
    // The first has two moves of that week now, the others one each.
    assigned(&w, other_day).await;
    assert_eq!(crew_of(&w, other_day).await, [2, 3]);
}

async fn who_is_suggested_is_sent(w: World) {
    w.only_mates(5).await;
    for n in [3, 5] {
        let record = w.read(move |u| u.directory().mate(mate(n))).await.unwrap();
        let speaks = MateRecord { languages: vec![Language::En], ..record };
        w.write(move |u| u.directory().update_mate(&speaks)).await;
    }
    let id = booked(&w, 22, 9).await;
    let found = suggest::suggestions(&w.s, &w.staff(), id).await.unwrap();
    let mut suggested: Vec<MateId> = found.mates.iter().filter(|c| c.suggested).map(|c| c.id).collect();
    suggested.sort_unstable();
    assert_eq!(suggested, [mate(3), mate(5)], "they speak the customer's language");
    assigned(&w, id).await;
    assert_eq!(crew_of(&w, id).await, [3, 5]);
}

async fn truck_of(w: &World, id: BookingId) -> Option<TruckId> {
    w.read(move |u| u.dispatches().trucks_of(&[id])).await.pop().map(|(_, truck)| truck.truck)
}

/// The smallest that is large enough and free; without one the people are assigned all the same.
async fn a_free_truck_goes_along(w: World) {
    let large = w.truck(1, TruckClass::TwentySixFoot, "montreal").await;
    let small = w.truck(2, TruckClass::TenFoot, "montreal").await;
    w.truck(3, TruckClass::TenFoot, "toronto").await;
    let ids = [booked(&w, 22, 9).await, booked(&w, 22, 9).await, booked(&w, 22, 9).await];
    for (id, with) in ids.into_iter().zip([Some(small), Some(large), None]) {
        assigned(&w, id).await;
        assert_eq!(truck_of(&w, id).await, with);
        let day = Some(w.booking(id).await.move_date);
        let shown = board::board(&w.s, &w.staff(), None, (day, day)).await.unwrap();
        let job = shown.jobs.into_iter().find(|job| job.booking.id == id).unwrap();
        assert_eq!(job.conflicts.iter().any(|c| c.what == Wrong::NoTruck), with.is_none(), "{:?}", job.conflicts);
    }
    // The truck is free again with its people, and a move without a truck takes none.
    set(&w, ids[0], Status::Pending).await.unwrap();
    assert_eq!(truck_of(&w, ids[0]).await, None);
    let mut by_hand = draft(Province::QC, day(22), hour(9));
    by_hand.just_mates = true;
    let by_hand = w.book(by_hand, None).await.unwrap().booking.id;
    assigned(&w, by_hand).await;
    assert_eq!(truck_of(&w, by_hand).await, None);
}

async fn nobody_free_changes_nothing(w: World) {
    w.only_mates(2).await;
    let (first, second) = (booked(&w, 22, 9).await, booked(&w, 22, 10).await);
    assigned(&w, first).await;
    let (before, history) =
        (w.booking(second).await, w.read(move |u| u.booking_history().status_history(second)).await.len());
    missing(set(&w, second, Status::Assigned).await);
    // Another refusal does not offer it either.
    let Err(Error::Refused(ErrorCode::TransitionRefused, params)) = set(&w, second, Status::Completed).await else {
        panic!("it lies ahead")
    };
    assert!(!params[0].1.contains("assigned") && params[0].1.contains("cancelled"), "{params:?}");
    assert_eq!(w.booking(second).await, before);
    assert_eq!(w.read(move |u| u.booking_history().status_history(second)).await.len(), history);
    assert_eq!(crew_of(&w, second).await, [0; 0]);
    // Without anybody in the directory the same.
    w.only_mates(0).await;
    missing(set(&w, second, Status::Assigned).await);
    w.mates(7..=7).await;
    assigned(&w, second).await;
    assert_eq!(crew_of(&w, second).await, [7]);
}

async fn too_few_come_all_the_same(w: World) {
    w.only_mates(1).await;
    let id = booked(&w, 22, 9).await;
    assigned(&w, id).await;
    assert_eq!(crew_of(&w, id).await, [1]);
}

async fn every_way_out_frees_them(w: World) {
    w.only_mates(2).await;
    let (id, next) = (booked(&w, 22, 9).await, booked(&w, 22, 9).await);
    assigned(&w, id).await;
    missing(set(&w, next, Status::Assigned).await);
    set(&w, id, Status::Pending).await.unwrap();
    assert_eq!(crew_of(&w, id).await, [0; 0]);
    // Deleted from there; somebody else has them.
    assigned(&w, next).await;
    set(&w, id, Status::Deleted).await.unwrap();
    set(&w, next, Status::Cancelled).await.unwrap();
    assert_eq!(crew_of(&w, next).await, [0; 0]);
    // Taken back it is pending, without a crew.
    assert_eq!(set(&w, next, Status::Pending).await.unwrap().status, Status::Pending);
    assert_eq!(crew_of(&w, next).await, [0; 0]);
    assigned(&w, next).await;
    cancel::cancel(&w.s, &w.customer, next).await.unwrap();
    assert_eq!(crew_of(&w, next).await, [0; 0]);
    // Portage itself, when nothing can be charged.
    let unpaid = booked(&w, 22, 9).await;
    assigned(&w, unpaid).await;
    w.gateway.usually(Next::Soft);
    while let Some(at) = w.next_job().await.filter(|at| *at < start() + Duration::days(14)) {
        w.clock.set(at.max(w.clock.now_value()));
        w.work().await;
    }
    assert_eq!((w.booking(unpaid).await.status, crew_of(&w, unpaid).await), (Status::Cancelled, vec![]));
}

async fn what_was_done_keeps_its_crew(w: World) {
    let id = booked(&w, 22, 9).await;
    assigned(&w, id).await;
    w.clock.set(w.booking(id).await.move_at + Duration::hours(3));
    w.work().await;
    set(&w, id, Status::Completed).await.unwrap();
    assert_eq!(crew_of(&w, id).await, [1, 2]);
    assigned(&w, id).await;
    assert_eq!(crew_of(&w, id).await, [1, 2]);
    // Also when one of them has left since.
    crew::dismiss(&w.s, mate_email(3), Actor::system()).await.unwrap();
    set(&w, id, Status::Completed).await.unwrap();
    crew::dismiss(&w.s, mate_email(1), Actor::system()).await.unwrap();
    assert_eq!(crew_of(&w, id).await, [1, 2]);
}

async fn a_forgotten_crew_is_named_when_the_move_is_reopened(w: World) {
    let id = booked(&w, 22, 9).await;
    w.clock.set(w.booking(id).await.move_at + Duration::hours(3));
    w.work().await;
    set(&w, id, Status::Completed).await.unwrap();
    assert_eq!(crew_of(&w, id).await, [0; 0]);
    w.only_mates(0).await;
    missing(set(&w, id, Status::Assigned).await);
    w.mates(4..=5).await;
    assigned(&w, id).await;
    assert_eq!(crew_of(&w, id).await, [4, 5]);
}

async fn an_edit_takes_along_who_is_free(w: World) {
    w.only_mates(3).await;
    let (id, other) = (booked(&w, 22, 9).await, booked(&w, 23, 9).await);
    assigned(&w, id).await;
    // Its own half hours are in nobody's way, also where the old and the new ones overlap.
    for hour in [10, 14] {
        let shown = edit::preview(&w.s, &w.customer, id, to(22, hour)).await.unwrap();
        assert_eq!((shown.booking.status, shown.crew_released.len()), (Status::Assigned, 0), "{hour}");
    }
    edit::edit(&w.s, &w.customer, id, to(22, 14), None).await.unwrap();
    assert_eq!((crew_of(&w, id).await, w.booking(id).await.status), (vec![1, 2], Status::Assigned));
    // They read what is new of it, and nothing of its price.
    w.work().await;
    let sent = w.mailer.sent.lock().unwrap().clone();
    let jobs: Vec<_> = sent.iter().filter(|mail| mail.message_type == "mateJob").collect();
    let changed: Vec<_> = jobs.iter().filter(|mail| mail.subject.starts_with("Changed job on")).collect();
    assert_eq!((jobs.len(), changed.len()), (4, 2));
    for mail in changed {
        assert!(mail.text.contains("9:00 a.m. → February 22, 2027 2:00 p.m."), "{}", mail.text);
        assert!(mail.html.contains("→") && !mail.text.contains('$'), "{}", mail.text);
    }
    // Only the third can come to the other; then one more is put on it, and meets the edit.
    w.only_mates(1).await;
    assigned(&w, other).await;
    assert_eq!(crew_of(&w, other).await, [1]);
    let shown = edit::preview(&w.s, &w.customer, id, to(23, 10)).await.unwrap();
    assert_eq!((shown.booking.status, shown.crew_released.len()), (Status::Assigned, 1));
    let edited = edit::edit(&w.s, &w.customer, id, to(23, 10), None).await.unwrap();
    assert_eq!((edited.booking.status, edited.crew.len()), (Status::Assigned, 1));
    assert_eq!((crew_of(&w, id).await, crew_of(&w, other).await), (vec![2], vec![1]));
    // What is not about time leaves them alone.
    let words = EditInput { comments: Some("Ring twice".into()), ..EditInput::default() };
    edit::edit(&w.s, &w.customer, id, words, None).await.unwrap();
    assert_eq!(crew_of(&w, id).await, [2]);
}

async fn an_edit_that_nobody_can_follow_is_pending(w: World) {
    w.only_mates(2).await;
    let (id, other) = (booked(&w, 22, 9).await, booked(&w, 23, 9).await);
    assigned(&w, id).await;
    assigned(&w, other).await;
    let shown = edit::preview(&w.s, &w.customer, id, to(23, 10)).await.unwrap();
    assert_eq!((shown.booking.status, shown.crew_released.len()), (Status::Pending, 2));
    assert_eq!(w.booking(id).await.status, Status::Assigned, "a look changes nothing");
    let edited = edit::edit(&w.s, &w.customer, id, to(23, 10), None).await.unwrap();
    assert_eq!((edited.booking.status, edited.crew.len()), (Status::Pending, 0));
    assert_eq!(w.booking(id).await.version, edited.booking.version);
    assert_eq!(last(&w, id).await, (Status::Assigned, Status::Pending, Some("crew_not_free".into())));
    assert_eq!((crew_of(&w, id).await, crew_of(&w, other).await), (vec![], vec![1, 2]));
    // Another number of mates is another crew.
    let three = EditInput { mate_count: Some(MateCount::new(3).unwrap()), ..EditInput::default() };
    let shown = edit::preview(&w.s, &w.customer, other, three.clone()).await.unwrap();
    assert_eq!((shown.booking.status, shown.crew_released.len()), (Status::Pending, 2));
    let edited = edit::edit(&w.s, &w.customer, other, three, None).await.unwrap();
    assert_eq!(edited.booking.status, Status::Pending);
    assert_eq!(last(&w, other).await, (Status::Assigned, Status::Pending, Some("crew_size_changed".into())));
    assert_eq!(crew_of(&w, other).await, [0; 0]);
}

/// Into the 48 hours: the rest is charged with the edit, by the way of a checkout.
async fn a_paid_edit_takes_them_along(w: World) {
    let id = booked(&w, 22, 9).await;
    assigned(&w, id).await;
    edit::edit(&w.s, &w.customer, id, to(10, 9), None).await.unwrap();
    assert_eq!(w.gateway.charges().len(), 1);
    assert_eq!((crew_of(&w, id).await, w.booking(id).await.status), (vec![1, 2], Status::Assigned));
}

async fn the_fee_is_for_a_crew(w: World) {
    let (with, without) = (booked(&w, 22, 9).await, booked(&w, 22, 9).await);
    assigned(&w, with).await;
    assigned(&w, without).await;
    set(&w, without, Status::Pending).await.unwrap();
    w.clock.set(start() + Duration::hours(25));
    w.work().await;
    for (id, costs) in [(with, true), (without, false)] {
        let preview = edit::preview(&w.s, &w.customer, id, to(24, 9)).await.unwrap();
        assert_eq!(preview.change_fee.is_positive(), costs);
        edit::edit(&w.s, &w.customer, id, to(24, 9), None).await.unwrap();
        assert_eq!(w.booking(id).await.details.change_fees.is_positive(), costs);
    }
}

async fn two_moves_race_for_one_mate(w: World) {
    w.only_mates(1).await;
    for on in 15..20 {
        let ids = [booked(&w, on, 9).await, booked(&w, on, 10).await, booked(&w, on, 11).await];
        let told = futures_util::future::join_all(ids.map(|id| set(&w, id, Status::Assigned))).await;
        let mut won = 0;
        for (id, told) in ids.into_iter().zip(told) {
            match told {
                Ok(_) => {
                    won += 1;
                    assert_eq!(crew_of(&w, id).await, [1]);
                }
                refused => {
                    missing(refused);
                    assert_eq!(w.booking(id).await.status, Status::Pending);
                }
            }
        }
        assert_eq!(won, 1);
    }
}

async fn who_leaves_the_company_leaves_its_moves(w: World) {
    let id = booked(&w, 22, 9).await;
    assigned(&w, id).await;
    crew::dismiss(&w.s, mate_email(1), Actor::system()).await.unwrap();
    assert_eq!((crew_of(&w, id).await, w.booking(id).await.status), (vec![2], Status::Assigned));
    let before = w.booking(id).await.version;
    crew::dismiss(&w.s, mate_email(2), Actor::system()).await.unwrap();
    let b = w.booking(id).await;
    assert_eq!((b.status, b.version), (Status::Pending, before + 1));
    assert_eq!(last(&w, id).await, (Status::Assigned, Status::Pending, Some("crew_left".into())));
    assert_eq!(crew_of(&w, id).await, [0; 0]);
    assigned(&w, id).await;
    assert_eq!(crew_of(&w, id).await, [3, 4]);
}

async fn who_is_locked_out_is_not_sent(w: World) {
    let person = support::caller(service::Role::Mate, kernel::UserId(uuid::Uuid::from_u128(0x3a7e)));
    w.person(&person, "Mate1 Tester", mate_email(1).as_str(), start()).await;
    let id = booked(&w, 22, 9).await;
    service::accounts::disable(&w.s, mate_email(1), Actor::system()).await.unwrap();
    assigned(&w, id).await;
    assert_eq!(crew_of(&w, id).await, [2, 3]);
    set(&w, id, Status::Pending).await.unwrap();
    service::accounts::enable(&w.s, mate_email(1), Actor::system()).await.unwrap();
    assigned(&w, id).await;
    assert_eq!(crew_of(&w, id).await, [1, 2]);
}

/// The skill is asked of one of the crew, where somebody of the house has it: by name as well as where Portage chooses.
async fn somebody_who_can_move_a_piano_goes_along(w: World) {
    w.only_mates(4).await;
    let (id, other) = (booked(&w, 22, 9).await, booked(&w, 23, 9).await);
    for id in [id, other] {
        w.write(move |u| {
            let mut b = u.bookings().get(id)?.unwrap();
            b.details.items.push(BookedItem { id: "piano-upright".into(), quantity: 1, assembly: None });
            let version = b.version;
            u.bookings().update(&b, version)
        })
        .await;
    }
    let named = async |id, mates: &[u128]| {
        let mates = mates.iter().copied().map(mate).collect();
        name::name(&w.s, &w.staff(), id, Named::now(mates, None)).await
    };
    // Nobody of the house can: nobody is asked for it.
    named(id, &[1, 2]).await.unwrap();
    let record = w.read(|u| u.directory().mate(mate(4))).await.unwrap();
    let skilled = record.clone();
    w.write(move |u| u.directory().update_mate(&MateRecord { skills: vec!["Pianos".into()], ..skilled })).await;
    let refused = named(id, &[2, 3]).await;
    let Err(Error::Refused(ErrorCode::CrewMissing, params)) = refused else { panic!("{refused:?}") };
    assert_eq!(params, [("skill", "piano".to_owned()), ("able", record.name.clone())]);
    let on = w.read(move |u| u.crews().of_booking(id)).await;
    assert!(on.len() == 2 && on.iter().all(|m| [mate(1), mate(2)].contains(&m.mate)), "nothing changed: {on:?}");
    named(id, &[2, 4]).await.unwrap();
    // Portage takes them along, however much they have worked that week.
    assigned(&w, other).await;
    assert!(crew_of(&w, other).await.contains(&4));
    // Who can is away: nobody is sent who cannot.
    set(&w, other, Status::Pending).await.unwrap();
    w.write(move |u| {
        let known = u.directory().mate(mate(4))?.unwrap();
        u.directory().update_mate(&MateRecord { hubs: vec!["toronto".into()], ..known })
    })
    .await;
    assigned(&w, other).await;
    assert!(!crew_of(&w, other).await.contains(&4), "nobody of this hub can");
}
