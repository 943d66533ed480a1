//! Crews by name: only who is free, to the minute, told once; and the board that shows it.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Language, MateId, Province, TruckId, UserId};
use scheduling::TruckClass;
use service::{
    Error, ErrorCode, Role, ServiceResult,
    bookings::{
        edit::{self, EditInput},
        status::{self, StatusInput},
    },
    calendar::{self, absences},
    dispatch::{
        board::{self, MoveJob, Wrong},
        name::{self, Named, Truck},
        suggest::{self, Reason},
    },
    ports::{
        bookings::Location,
        capacity::DayCapacity,
        directory::{MateDocument, MateRecord, TruckRecord},
    },
    templates,
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft, mate};
use uuid::Uuid;

in_both_worlds!(
    a_named_crew_assigns_and_is_told_once,
    a_preview_about_a_crew_is_the_mail_that_is_sent,
    a_mate_is_told_in_the_language_of_their_account,
    a_crew_that_is_not_right_is_refused,
    jobs_follow_each_other_to_the_minute,
    fifty_clients_race_for_one_mate,
    a_truck_is_on_one_job_at_a_time,
    a_new_crew_tells_the_old_and_the_new,
    portage_chooses_around_named_crews,
    a_named_crew_follows_an_edit,
    a_changed_job_asks_its_crew_again,
    the_board_says_what_is_wrong,
    a_paper_that_ended_is_marked_and_refuses_nobody,
    hubs_where_something_is_going_on_come_first,
    a_suggestion_says_why,
    a_truck_goes_along_where_none_is_named,
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

async fn booked(w: &World, on: u32, hour: u32) -> BookingId {
    let at = NaiveTime::from_hms_opt(hour, 0, 0).unwrap();
    w.book(draft(Province::QC, day(on), at), None).await.unwrap().booking.id
}

/// Has a booking begin so many minutes after the work of another ends.
async fn behind(w: &World, id: BookingId, before: BookingId, minutes: i64) {
    let first = w.booking(before).await;
    w.write(move |u| {
        let mut b = u.bookings().get(id)?.unwrap();
        b.move_at = first.move_at + Duration::minutes(i64::from(first.duration_minutes) + minutes);
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
}

async fn named(w: &World, id: BookingId, mates: &[u128]) -> ServiceResult<MoveJob> {
    with_truck(w, id, mates, None).await
}

async fn with_truck(w: &World, id: BookingId, mates: &[u128], truck: Option<TruckId>) -> ServiceResult<MoveJob> {
    let mates = mates.iter().copied().map(mate).collect();
    name::name(&w.s, &w.staff(), id, Named::now(mates, truck)).await
}

async fn crew_of(w: &World, id: BookingId) -> Vec<MateId> {
    w.read(move |u| u.crews().of_booking(id)).await.into_iter().map(|m| m.mate).collect()
}

/// How many messages of a kind were sent to an address.
fn told(w: &World, kind: &str, to: &str) -> usize {
    let sent = w.mailer.sent.lock().unwrap();
    sent.iter().filter(|m| m.message_type == kind && m.to.as_str() == to).count()
}

#[track_caller]
fn not_free(told: ServiceResult<MoveJob>, who: &str) -> Vec<(&'static str, String)> {
    let Err(Error::Refused(ErrorCode::CrewNotFree, params)) = told else { panic!("{told:?}") };
    assert!(params.contains(&("who", who.to_owned())), "{params:?}");
    params
}

async fn a_named_crew_assigns_and_is_told_once(w: World) {
    let id = booked(&w, 22, 9).await;
    let record = w.read(|u| u.directory().mate(mate(7))).await.unwrap();
    w.write(move |u| u.directory().update_mate(&MateRecord { languages: vec![Language::Fr], ..record })).await;
    let job = named(&w, id, &[7, 5]).await.unwrap();
    let mut on: Vec<MateId> = job.crew.iter().map(|m| m.mate.mate).collect();
    on.sort();
    assert_eq!((w.booking(id).await.status, on), (Status::Assigned, vec![mate(5), mate(7)]));
    let history = w.read(move |u| u.booking_history().status_history(id)).await;
    assert_eq!(history.last().unwrap().to, Status::Assigned);
    // Once more changes nothing and tells nobody; nor does the step by itself.
    let version = w.booking(id).await.version;
    named(&w, id, &[5, 7]).await.unwrap();
    status::set(&w.s, &w.staff(), id, Status::Assigned, StatusInput::default()).await.unwrap();
    assert_eq!(w.booking(id).await.version, version);
    w.work().await;
    assert_eq!(told(&w, "mateAssigned", "ana@portage.test"), 1);
    assert_eq!((told(&w, "mateJob", "mate5@portage.test"), told(&w, "mateJob", "mate7@portage.test")), (1, 1));
    let sent = w.mailer.sent.lock().unwrap();
    let to = |n: u8| sent.iter().find(|m| m.to.as_str() == format!("mate{n}@portage.test")).unwrap();
    assert_eq!((to(5).language, to(7).language), (Language::En, Language::Fr));
    let text = &to(5).text;
    assert!(text.contains("1200 Rue Peel") && text.contains(&format!("/dashboard/my-jobs/{id}")), "{text}");
    assert!(!text.contains('$') && !text.contains("ana@portage.test"), "{text}");
    let customer = sent.iter().find(|m| m.message_type == "mateAssigned").unwrap();
    assert!(
        customer.text.contains("Mate7 Tester, Mate5 Tester") || customer.text.contains("Mate5 Tester, Mate7 Tester")
    );
}

/// Of a booking with a crew nothing is invented: not the names, the truck, what is moved, nor the ways.
async fn a_preview_about_a_crew_is_the_mail_that_is_sent(w: World) {
    let id = booked(&w, 22, 9).await;
    let (s, staff) = (w.s.clone(), w.staff());
    let seen = async |kind: &str| {
        let asked = templates::TemplatePreviewInput { subject: None, text: None, html: None, booking: Some(id) };
        templates::preview(&s, &staff, templates::TemplateKey::of(kind, "en").unwrap(), asked).await.unwrap()
    };
    assert!(seen("mateAssigned").await.is_sample && seen("mateJob").await.is_sample, "nobody is on it");
    let job = seen("mateJob").await.rendered.text;
    assert!(job.contains("1200 Rue Peel") && job.contains(&format!("/dashboard/my-jobs/{id}")), "its own job: {job}");
    named(&w, id, &[7, 5]).await.unwrap();
    w.work().await;
    let first = w.read(move |u| u.crews().of_booking(id)).await[0].mate;
    let address = w.read(move |u| u.directory().mate(first)).await.unwrap().email;
    for (kind, to) in [("mateAssigned", "ana@portage.test"), ("mateJob", address.as_str())] {
        let preview = seen(kind).await;
        let sent = w.mailer.sent.lock().unwrap();
        let mail = sent.iter().find(|m| m.message_type == kind && m.to.as_str() == to).unwrap();
        assert!(!preview.is_sample, "{kind}");
        assert_eq!((&preview.rendered.subject, preview.rendered.text.trim()), (&mail.subject, mail.text.trim()));
        assert!(!mail.text.contains("floor 0"), "{}", mail.text);
    }
    let job = seen("mateJob").await.rendered.text;
    assert!(job.contains("ground floor") && !job.contains("piano"), "{job}");
}

/// What they chose themselves is newer than what staff wrote down of them, and the customer's language has no part in it.
async fn a_mate_is_told_in_the_language_of_their_account(w: World) {
    let record = w.read(|u| u.directory().mate(mate(6))).await.unwrap();
    w.write(move |u| u.directory().update_mate(&MateRecord { languages: vec![Language::Fr], ..record })).await;
    let user = UserId(Uuid::from_u128(0x6006));
    w.person(&support::caller(Role::Mate, user), "Mate6 Tester", "mate6@portage.test", start()).await;
    w.speaks(user, Language::Zh).await;
    let id = booked(&w, 22, 9).await;
    named(&w, id, &[6, 7]).await.unwrap();
    status::set(&w.s, &w.staff(), id, Status::Pending, StatusInput::default()).await.unwrap();
    w.work().await;
    let kinds = ["mateJob", "mateReleased"].map(|kind| told(&w, kind, "mate6@portage.test"));
    assert_eq!(kinds, [1, 1]);
    let sent = w.mailer.sent.lock().unwrap();
    let theirs = sent.iter().filter(|m| m.to.as_str() == "mate6@portage.test");
    assert_eq!(theirs.map(|m| m.language).collect::<Vec<_>>(), [Language::Zh; 2]);
}

async fn a_crew_that_is_not_right_is_refused(w: World) {
    let id = booked(&w, 22, 9).await;
    assert!(matches!(named(&w, id, &[]).await, Err(Error::Refused(ErrorCode::CrewMissing, _))));
    let field = |told: ServiceResult<MoveJob>| match told {
        Err(Error::Invalid(fields)) => fields[0].field.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(field(named(&w, id, &[1, 2, 3]).await), "mates");
    assert_eq!(field(named(&w, id, &[1, 1]).await), "mates");
    assert_eq!(field(named(&w, id, &[1, 99]).await), "mates[1]");
    assert_eq!((w.booking(id).await.status, crew_of(&w, id).await), (Status::Pending, vec![]));
    // Somebody who is away, with the days.
    let form = absences::Form {
        mate: Some(mate(3)),
        truck: None,
        hub: Some("montreal".into()),
        first: day(21),
        last: day(23),
        reason: String::new(),
    };
    absences::add(&w.s, &w.staff(), form, None).await.unwrap();
    let params = not_free(named(&w, id, &[3]).await, "Mate3 Tester");
    assert!(params.contains(&("from", "2027-02-21".into())) && params.contains(&("until", "2027-02-23".into())));
    // Fewer is a warning.
    let job = named(&w, id, &[1]).await.unwrap();
    assert_eq!(job.conflicts.iter().map(|c| c.what).collect::<Vec<_>>(), [Wrong::TooFew, Wrong::NoTruck]);
    // A move that does not take place has no crew.
    let gone = booked(&w, 23, 9).await;
    w.write(move |u| {
        let mut b = u.bookings().get(gone)?.unwrap();
        b.status = Status::Cancelled;
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    assert!(matches!(named(&w, gone, &[1]).await, Err(Error::Refused(ErrorCode::TransitionRefused, _))));
}

async fn jobs_follow_each_other_to_the_minute(w: World) {
    let (first, second, third) = (booked(&w, 22, 9).await, booked(&w, 22, 13).await, booked(&w, 22, 16).await);
    named(&w, first, &[1]).await.unwrap();
    // The doors are the same: the shortest way there is, 15 minutes.
    behind(&w, second, first, 14).await;
    let params = not_free(named(&w, second, &[1]).await, "Mate1 Tester");
    let short = w.booking(first).await.short_id.to_string();
    assert!(
        params.contains(&("booking", short)) && params.contains(&("from", "2027-02-22 09:00".into())),
        "{params:?}"
    );
    behind(&w, second, first, 15).await;
    named(&w, second, &[1]).await.unwrap();
    // Before as well as after.
    behind(&w, third, first, -10).await;
    let told = not_free(named(&w, third, &[1]).await, "Mate1 Tester");
    assert!(told.iter().all(|(name, _)| *name != "way"), "{told:?}");
    // A real way that is longer counts.
    w.write(move |u| {
        let mut b = u.bookings().get(third)?.unwrap();
        b.details.pickup = support::location(Province::ON);
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    behind(&w, third, second, 120).await;
    let told = not_free(named(&w, third, &[1]).await, "Mate1 Tester");
    // The times alone would not say why.
    let way = told.iter().find(|(name, _)| *name == "way").map(|(_, minutes)| minutes.parse::<i64>().unwrap());
    assert!(way > Some(120), "{told:?}");
    named(&w, third, &[2]).await.unwrap();
}

async fn fifty_clients_race_for_one_mate(w: World) {
    w.calendar(DayCapacity { mates: 200, trucks: [60, 60, 60] }).await;
    let mut ids = Vec::new();
    for n in 0..50 {
        ids.push(booked(&w, 22, 9 + n % 2).await);
    }
    let told = futures_util::future::join_all(ids.iter().map(|id| named(&w, *id, &[1]))).await;
    let mut won = 0;
    for (id, told) in ids.into_iter().zip(told) {
        if told.is_ok() {
            won += 1;
            assert_eq!((crew_of(&w, id).await, w.booking(id).await.status), (vec![mate(1)], Status::Assigned));
        } else {
            not_free(told, "Mate1 Tester");
            assert_eq!((crew_of(&w, id).await, w.booking(id).await.status), (vec![], Status::Pending));
        }
    }
    assert_eq!(won, 1);
}

async fn a_truck_is_on_one_job_at_a_time(w: World) {
    let (small, large) =
        (w.truck(1, TruckClass::TenFoot, "montreal").await, w.truck(2, TruckClass::TwentySixFoot, "montreal").await);
    let (first, second) = (booked(&w, 22, 9).await, booked(&w, 22, 10).await);
    let job = with_truck(&w, first, &[1, 2], Some(small)).await.unwrap();
    assert_eq!((job.truck.unwrap().truck, job.conflicts), (small, vec![]));
    not_free(with_truck(&w, second, &[3, 4], Some(small)).await, "Truck 1");
    assert_eq!(w.booking(second).await.status, Status::Pending);
    // A larger one may serve a small move; one that is too small may not.
    with_truck(&w, second, &[3, 4], Some(large)).await.unwrap();
    w.write(move |u| {
        let mut b = u.bookings().get(second)?.unwrap();
        b.tier = 3;
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    let third = w.truck(3, TruckClass::TenFoot, "montreal").await;
    assert!(matches!(with_truck(&w, second, &[3, 4], Some(third)).await, Err(Error::Invalid(_))));
    // One of another city is refused, however large it is.
    let elsewhere = w.truck(4, TruckClass::TwentySixFoot, "montreal").await;
    w.write(move |u| {
        let known = u.directory().truck(elsewhere)?.unwrap();
        u.directory().update_truck(&TruckRecord { hub: "toronto".into(), ..known })
    })
    .await;
    let told = with_truck(&w, second, &[3, 4], Some(elsewhere)).await;
    let Err(Error::Refused(ErrorCode::TruckElsewhere, params)) = told else { panic!("{told:?}") };
    assert_eq!(params[1..], [("truckHub", "toronto".to_owned()), ("moveHub", "montreal".to_owned())]);
    // Who is released lets the truck go as well.
    status::set(&w.s, &w.staff(), first, Status::Pending, StatusInput::default()).await.unwrap();
    with_truck(&w, second, &[3, 4], None).await.unwrap();
    let free = w.read(|u| u.dispatches().truck_spans(start(), start() + Duration::days(60))).await;
    assert_eq!(free, []);
}

async fn a_new_crew_tells_the_old_and_the_new(w: World) {
    let id = booked(&w, 22, 9).await;
    named(&w, id, &[1, 2]).await.unwrap();
    w.clock.set(start() + Duration::hours(1));
    named(&w, id, &[2, 3]).await.unwrap();
    w.work().await;
    let to = |kind, n: u8| told(&w, kind, &format!("mate{n}@portage.test"));
    assert_eq!([to("mateJob", 1), to("mateJob", 2), to("mateJob", 3)], [1, 1, 1]);
    assert_eq!([to("mateReleased", 1), to("mateReleased", 2), to("mateReleased", 3)], [1, 0, 0]);
    assert_eq!(told(&w, "mateAssigned", "ana@portage.test"), 2);
    // Nobody is on it any more: all are told, the customer hears of nothing.
    status::set(&w.s, &w.staff(), id, Status::Pending, StatusInput::default()).await.unwrap();
    w.work().await;
    assert_eq!([to("mateReleased", 1), to("mateReleased", 2), to("mateReleased", 3)], [1, 1, 1]);
    assert_eq!(told(&w, "mateAssigned", "ana@portage.test"), 2);
}

async fn portage_chooses_around_named_crews(w: World) {
    w.only_mates(2).await;
    let (first, second) = (booked(&w, 22, 9).await, booked(&w, 22, 10).await);
    named(&w, first, &[1]).await.unwrap();
    status::set(&w.s, &w.staff(), second, Status::Assigned, StatusInput::default()).await.unwrap();
    assert_eq!(crew_of(&w, second).await, [mate(2)]);
    not_free(named(&w, first, &[2]).await, "Mate2 Tester");
}

async fn a_named_crew_follows_an_edit(w: World) {
    let (first, second) = (booked(&w, 22, 9).await, booked(&w, 23, 9).await);
    named(&w, first, &[1, 2]).await.unwrap();
    named(&w, second, &[1, 3]).await.unwrap();
    let to = EditInput { date: Some(day(23)), time: NaiveTime::from_hms_opt(10, 0, 0), ..EditInput::default() };
    edit::edit(&w.s, &w.customer, first, to, None).await.unwrap();
    assert_eq!((crew_of(&w, first).await, w.booking(first).await.status), (vec![mate(2)], Status::Assigned));
    w.work().await;
    assert_eq!(told(&w, "mateReleased", "mate1@portage.test"), 1);
    // Once when he came on it, once for the new start.
    assert_eq!(told(&w, "mateJob", "mate2@portage.test"), 2);
}

/// Another way in is another job at the same time: who comes is asked again, and stays. What mates do not read asks nobody.
async fn a_changed_job_asks_its_crew_again(w: World) {
    let id = booked(&w, 22, 9).await;
    named(&w, id, &[1, 2]).await.unwrap();
    w.work().await;
    let since = async || {
        let crew = w.read(move |u| u.crews().of_booking(id)).await;
        crew.iter().map(|m| m.since).collect::<Vec<_>>()
    };
    let held = async || {
        let (from, until) = (start(), start() + Duration::days(60));
        w.read(move |u| u.dispatches().mate_spans(from, until)).await
    };
    let (named_at, before) = (since().await, held().await);
    w.clock.set(start() + Duration::hours(1));
    for words in [
        EditInput { comments: Some("Ring twice".into()), ..EditInput::default() },
        EditInput { discount_code: Some(None), ..EditInput::default() },
    ] {
        edit::edit(&w.s, &w.customer, id, words, None).await.unwrap();
    }
    w.work().await;
    assert_eq!((told(&w, "mateJob", "mate1@portage.test"), since().await), (1, named_at));
    let dropoff = Location { details: "By the side door".into(), ..w.booking(id).await.details.dropoff };
    let to = EditInput { dropoff: Some(dropoff), ..EditInput::default() };
    let shown = edit::preview(&w.s, &w.customer, id, to.clone()).await.unwrap();
    assert_eq!((shown.booking.status, shown.crew_released.len()), (Status::Assigned, 0));
    edit::edit(&w.s, &w.customer, id, to, None).await.unwrap();
    w.work().await;
    assert_eq!((crew_of(&w, id).await, w.booking(id).await.status), (vec![mate(1), mate(2)], Status::Assigned));
    for n in 1..=2 {
        let to = format!("mate{n}@portage.test");
        assert_eq!((told(&w, "mateJob", &to), told(&w, "mateReleased", &to)), (2, 0), "{to}");
    }
    let now = w.clock.now_value();
    assert!(since().await.iter().all(|at| *at == now), "they are asked again");
    assert_eq!(held().await.len(), before.len(), "and hold their time once");
}

async fn the_board_says_what_is_wrong(w: World) {
    let (first, second, other) = (booked(&w, 22, 9).await, booked(&w, 22, 13).await, booked(&w, 24, 9).await);
    named(&w, first, &[1, 2]).await.unwrap();
    named(&w, second, &[1, 3]).await.unwrap();
    // Its start was moved past everybody, as no use case does.
    behind(&w, second, first, 5).await;
    let hub = geography::hub("montreal");

    let staff = w.staff();
    let board = board::board(&w.s, &staff, hub, (Some(day(22)), Some(day(22)))).await.unwrap();
    assert_eq!(board.jobs.iter().map(|j| j.booking.id).collect::<Vec<_>>(), [first, second]);
    let wrong: Vec<_> = board.jobs[1].conflicts.iter().map(|c| (c.what, c.who.as_deref())).collect();
    assert_eq!(wrong, [(Wrong::MateTaken, Some("Mate1 Tester")), (Wrong::NoTruck, None)]);
    let clash = board.jobs[1].conflicts[0].other.clone().unwrap();
    assert_eq!((clash.booking, clash.way), (first, 15));
    let job = &board.jobs[0];
    assert!(job.occupied_from <= job.booking.move_at - Duration::minutes(45), "{}", job.occupied_from);
    assert!(job.occupied_until >= job.ends_at + Duration::minutes(30));
    assert_eq!((board.mates.len(), board.unassigned.len()), (20, 0));

    let week = board::board(&w.s, &staff, None, (Some(day(22)), Some(day(28)))).await.unwrap();
    assert_eq!(week.unassigned, [other]);
    let toronto = board::board(&w.s, &staff, geography::hub("toronto"), (Some(day(22)), None)).await.unwrap();
    assert!(toronto.jobs.is_empty());
    let backwards = board::board(&w.s, &staff, None, (Some(day(22)), Some(day(21)))).await;
    assert!(matches!(backwards, Err(Error::Invalid(_))));
}

async fn a_paper_that_ended_is_marked_and_refuses_nobody(w: World) {
    w.only_mates(3).await;
    let truck = w.truck(1, TruckClass::TenFoot, "montreal").await;
    let (before, after) = (booked(&w, 20, 9).await, booked(&w, 22, 9).await);
    w.write(move |u| {
        let known = u.directory().mate(mate(1))?.unwrap();
        let paper =
            |kind: &str, last: u32| MateDocument { kind: kind.into(), number: String::new(), expires_on: day(last) };
        let documents =
            vec![paper("Insurance", 20), paper("Driving licence", 22), paper("First aid", 10), paper("First aid", 28)];
        u.directory().update_mate(&MateRecord { documents, ..known })?;
        let known = u.directory().truck(truck)?.unwrap();
        let (inspected_until, insured_until) = (Some(day(21)), Some(day(22)));
        u.directory().update_truck(&TruckRecord { inspected_until, insured_until, ..known })
    })
    .await;
    // The last day itself counts still.
    let fine = with_truck(&w, before, &[1, 2], Some(truck)).await.unwrap();
    assert_eq!(fine.conflicts, []);
    // Who has a paper that ended comes after the others, and may be named.
    let found = suggest::suggestions(&w.s, &w.staff(), after).await.unwrap();
    let order: Vec<(MateId, bool, usize)> = found.mates.iter().map(|c| (c.id, c.suggested, c.ended.len())).collect();
    assert_eq!((order[0].1, order[1].1, order[2]), (true, true, (mate(1), false, 1)), "{order:?}");
    assert_eq!(found.trucks.iter().map(|t| (t.suggested, t.ended.len())).collect::<Vec<_>>(), [(true, 1)]);
    let job = with_truck(&w, after, &[1, 2], Some(truck)).await.unwrap();
    let told: Vec<_> = job
        .conflicts
        .iter()
        .map(|c| (c.what, c.who.as_deref().unwrap(), c.paper.as_ref().map(|p| (p.kind.as_str(), p.last_day)).unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            (Wrong::MatePaper, "Mate1 Tester", ("Insurance", day(20))),
            (Wrong::TruckPaper, "Truck 1", ("Inspection", day(21)))
        ]
    );
    let board = board::board(&w.s, &w.staff(), None, (Some(day(22)), None)).await.unwrap();
    assert_eq!(board.jobs[0].conflicts, job.conflicts);
}

async fn hubs_where_something_is_going_on_come_first(w: World) {
    let staff = w.staff();
    let works = |k: &calendar::KnownHub| (k.hub.id, k.has_calendar, k.has_jobs);
    let known = calendar::hubs(&w.s, &staff).await.unwrap();
    assert_eq!(known.len(), geography::hubs().len());
    let first: Vec<_> = known.iter().take(4).map(works).collect();
    let with_calendar = ["montreal", "vancouver", "toronto", "calgary"].map(|id| (id, true, false));
    assert_eq!(first, with_calendar, "{known:?}");
    // A move that staff sent from a hub without a calendar.
    let id = booked(&w, 22, 9).await;
    w.write(move |u| {
        let mut b = u.bookings().get(id)?.unwrap();
        "ottawa".clone_into(&mut b.hub);
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    let known = calendar::hubs(&w.s, &staff).await.unwrap();
    let ottawa = known.iter().position(|k| k.hub.id == "ottawa").unwrap();
    assert!(ottawa < 5 && works(&known[ottawa]) == ("ottawa", false, true), "{known:?}");
    let all = board::board(&w.s, &staff, None, (Some(day(22)), None)).await.unwrap();
    assert_eq!(all.jobs.iter().map(|j| j.booking.hub.as_str()).collect::<Vec<_>>(), ["ottawa"]);
}

async fn a_suggestion_says_why(w: World) {
    w.only_mates(4).await;
    w.truck(1, TruckClass::TwentySixFoot, "montreal").await;
    let small = w.truck(2, TruckClass::TenFoot, "montreal").await;
    let (first, second) = (booked(&w, 22, 9).await, booked(&w, 22, 10).await);
    named(&w, first, &[1]).await.unwrap();
    let other_day = booked(&w, 23, 9).await;
    named(&w, other_day, &[2]).await.unwrap();
    let record = w.read(|u| u.directory().mate(mate(4))).await.unwrap();
    w.write(move |u| u.directory().update_mate(&MateRecord { languages: vec![Language::En], ..record })).await;
    let found = suggest::suggestions(&w.s, &w.staff(), second).await.unwrap();
    let order: Vec<(MateId, bool)> = found.mates.iter().map(|c| (c.id, c.suggested)).collect();
    // The one who speaks the language, then the one with no work that week; the one who is taken comes last.
    assert_eq!(order, [(mate(4), true), (mate(3), true), (mate(2), false), (mate(1), false)]);
    let best = &found.mates[0].reasons;
    for reason in [Reason::Free, Reason::Language, Reason::FewestHours] {
        assert!(best.contains(&reason), "{best:?}");
    }
    let last = &found.mates[3];
    assert_eq!((last.taken.as_ref().unwrap().booking, last.reasons.contains(&Reason::Free)), (first, false));
    assert!(found.mates[2].minutes_that_week > 0 && found.mates[2].jobs_that_day == 0);
    assert_eq!(found.trucks.iter().filter(|t| t.suggested).map(|t| t.id).collect::<Vec<_>>(), [small]);
    // What is suggested can be named.
    let mates = found.mates.iter().filter(|c| c.suggested).map(|c| c.id).collect();
    let job = name::name(&w.s, &w.staff(), second, Named::now(mates, Some(small))).await.unwrap();
    assert_eq!(job.conflicts, []);
}

async fn a_truck_goes_along_where_none_is_named(w: World) {
    let large = w.truck(1, TruckClass::TwentySixFoot, "montreal").await;
    let small = w.truck(2, TruckClass::TenFoot, "montreal").await;
    let staff = w.staff();
    let of = |job: &MoveJob| job.truck.as_ref().map(|truck| truck.truck);
    let people = |mates: &[u128], read: Option<i32>| Named {
        mates: mates.iter().copied().map(mate).collect(),
        truck: Truck::AsFits,
        seen: read.into(),
    };
    let (first, second) = (booked(&w, 22, 9).await, booked(&w, 22, 10).await);
    let job = name::name(&w.s, &staff, first, people(&[1], None)).await.unwrap();
    assert_eq!(of(&job), Some(small), "the smallest that is large enough");
    // The one that was named stays where nothing is said, and another job takes what is free.
    let job = name::name(&w.s, &staff, first, people(&[1, 2], None)).await.unwrap();
    assert_eq!((of(&job), job.crew.len()), (Some(small), 2));
    let job = name::name(&w.s, &staff, second, people(&[3], None)).await.unwrap();
    assert_eq!(of(&job), Some(large));
    // Who says that none goes along is heard.
    let job = with_truck(&w, second, &[3], None).await.unwrap();
    assert_eq!(of(&job), None);
    let stale = w.booking(second).await.version - 1;
    let late = name::name(&w.s, &staff, second, people(&[3], Some(stale))).await;
    assert!(matches!(late, Err(Error::Refused(ErrorCode::VersionConflict, _))), "{late:?}");
}
