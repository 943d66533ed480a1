//! A day assigned all at once: the plan changes nothing, what is assigned is what was planned, and what somebody did
//! meanwhile stays.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, MateId, Province, TruckId};
use scheduling::TruckClass;
use service::{
    Error, ErrorCode,
    calendar::absences,
    dispatch::{
        auto::{self, DayPlan, UnassignedReason},
        board,
        name::{self, Named},
        suggest::Reason,
    },
    ports::{
        bookings::BookedItem,
        directory::{MateDocument, MateRecord, TruckRecord},
    },
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft, mate};

in_both_worlds!(
    a_preview_changes_nothing_and_what_it_shows_is_assigned,
    who_is_on_a_job_stays,
    what_somebody_did_meanwhile_stays,
    two_who_press_at_once_assign_once,
    what_stays_open_says_why,
    only_who_is_there_is_sent,
    whose_papers_have_ended_is_left_out,
    a_truck_alone_may_be_missing,
);

fn start() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

async fn world(db: TestDb) -> World {
    World::on(db, start()).await
}

fn day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, 22).unwrap()
}

fn hub() -> &'static geography::Hub {
    geography::hub("montreal").unwrap()
}

async fn booked(w: &World, hour: u32) -> BookingId {
    let at = NaiveTime::from_hms_opt(hour, 0, 0).unwrap();
    w.book(draft(Province::QC, day(), at), None).await.unwrap().booking.id
}

async fn trucks(w: &World, classes: &[TruckClass]) -> Vec<TruckId> {
    let mut ids = Vec::new();
    for (n, class) in (0..).zip(classes) {
        ids.push(w.truck(n, *class, "montreal").await);
    }
    ids
}

async fn preview(w: &World) -> DayPlan {
    auto::preview(&w.s, &w.staff(), hub(), day()).await.unwrap()
}

async fn crew_of(w: &World, id: BookingId) -> Vec<MateId> {
    let mut crew: Vec<MateId> = w.read(move |u| u.crews().of_booking(id)).await.into_iter().map(|m| m.mate).collect();
    crew.sort();
    crew
}

async fn truck_of(w: &World, id: BookingId) -> Option<TruckId> {
    w.read(move |u| u.dispatches().trucks_of(&[id])).await.pop().map(|(_, t)| t.truck)
}

fn told(w: &World, kind: &str) -> usize {
    w.mailer.sent.lock().unwrap().iter().filter(|m| m.message_type == kind).count()
}

async fn trail(w: &World, action: &'static str) -> usize {
    let rows = w.read(|u| u.audits().newest(&service::ports::audit::Trail::default(), 0, 1_000)).await;
    rows.iter().filter(|row| row.action == action).count()
}

async fn a_preview_changes_nothing_and_what_it_shows_is_assigned(w: World) {
    w.only_mates(4).await;
    trucks(&w, &[TruckClass::TwentySixFoot, TruckClass::TenFoot]).await;
    let ids = [booked(&w, 9).await, booked(&w, 9).await, booked(&w, 14).await];
    let before = trail(&w, "booking.crew").await;
    let plan = preview(&w).await;
    assert_eq!((plan.jobs.len(), plan.open.len(), plan.listed_jobs), (3, 0, 3));
    assert!(plan.jobs.iter().all(|j| j.crew.len() == 2 && j.crew.iter().all(|m| !m.on_it) && j.truck.is_some()));
    for id in ids {
        assert_eq!((w.booking(id).await.status, crew_of(&w, id).await), (Status::Pending, vec![]));
    }
    w.work().await;
    assert_eq!((told(&w, "mateJob"), trail(&w, "booking.crew").await), (0, before));
    assert_eq!(preview(&w).await.version, plan.version, "the same day has the same plan");

    let done = auto::assign(&w.s, &w.staff(), hub(), day(), Some(&plan.version)).await.unwrap();
    assert!(done.refused.iter().all(Option::is_none), "{:?}", done.refused);
    for job in &plan.jobs {
        let id = job.booking.id;
        let mut planned: Vec<MateId> = job.crew.iter().map(|m| m.id).collect();
        planned.sort();
        assert_eq!((w.booking(id).await.status, crew_of(&w, id).await), (Status::Assigned, planned));
        assert_eq!(truck_of(&w, id).await, job.truck.as_ref().map(|t| t.id));
    }
    let board = board::board(&w.s, &w.staff(), Some(hub()), (Some(day()), None)).await.unwrap();
    assert!(board.jobs.iter().all(|j| j.conflicts.is_empty()), "{:?}", board.jobs);
    w.work().await;
    assert_eq!((told(&w, "mateJob"), told(&w, "mateAssigned")), (6, 3));
    assert_eq!((trail(&w, "booking.crew").await, trail(&w, "dispatch.auto").await), (before + 3, 1));

    // Pressed once more: it is not what was seen, and nothing is left to do.
    let again = auto::assign(&w.s, &w.staff(), hub(), day(), Some(&plan.version)).await;
    assert!(matches!(again, Err(Error::Refused(ErrorCode::PlanChanged, _))), "{again:?}");
    let now = auto::assign(&w.s, &w.staff(), hub(), day(), None).await.unwrap();
    assert_eq!((now.plan.jobs.len(), now.plan.open.len()), (0, 0));
    w.work().await;
    assert_eq!((told(&w, "mateJob"), told(&w, "mateAssigned")), (6, 3));
}

async fn who_is_on_a_job_stays(w: World) {
    w.only_mates(5).await;
    let truck = trucks(&w, &[TruckClass::TenFoot; 3]).await;
    let (half, whole, none) = (booked(&w, 9).await, booked(&w, 9).await, booked(&w, 14).await);
    let named = |id, mates: &[u128], truck| {
        let named = Named::now(mates.iter().copied().map(mate).collect(), truck);
        let s = (w.s.clone(), w.staff());
        async move { name::name(&s.0, &s.1, id, named).await.unwrap() }
    };
    named(half, &[4], Some(truck[2])).await;
    named(whole, &[1, 2], Some(truck[0])).await;
    let plan = preview(&w).await;
    let jobs: Vec<BookingId> = plan.jobs.iter().map(|j| j.booking.id).collect();
    assert_eq!(jobs, [half, none]);
    let (first, second) = (&plan.jobs[0].crew[0], &plan.jobs[0].crew[1]);
    assert_eq!((first.id, first.on_it, second.on_it), (mate(4), true, false));
    assert!([mate(3), mate(5)].contains(&second.id));
    let kept = plan.jobs[0].truck.clone().unwrap();
    assert_eq!((kept.id, kept.on_it), (truck[2], true));
    auto::assign(&w.s, &w.staff(), hub(), day(), Some(&plan.version)).await.unwrap();
    assert!(crew_of(&w, half).await.contains(&mate(4)) && crew_of(&w, half).await.len() == 2);
    assert_eq!((crew_of(&w, whole).await, truck_of(&w, half).await), (vec![mate(1), mate(2)], Some(truck[2])));
}

async fn what_somebody_did_meanwhile_stays(w: World) {
    w.only_mates(8).await;
    trucks(&w, &[TruckClass::TenFoot; 3]).await;
    let (first, second, third) = (booked(&w, 9).await, booked(&w, 13).await, booked(&w, 16).await);
    name::name(&w.s, &w.staff(), third, Named::now(vec![mate(1)], None)).await.unwrap();
    let plan = preview(&w).await;
    assert_eq!(plan.jobs.len(), 3);
    // A colleague names a crew for one that had nobody, and others for one that lacked somebody.
    let planned = |n: usize| plan.jobs[n].crew.iter().map(|m| m.id).collect::<Vec<_>>();
    let others = |n: usize| (2..=8).map(mate).filter(|m| !planned(n).contains(m)).take(1).collect::<Vec<_>>();
    let (on_first, on_third) = (others(0), others(2));
    for (id, mates) in [(first, on_first.clone()), (third, on_third.clone())] {
        name::name(&w.s, &w.staff(), id, Named::now(mates, None)).await.unwrap();
    }
    let done = auto::carry_out(&w.s, &w.staff(), plan).await.unwrap();
    let conflict = |n: usize| matches!(done.refused[n], Some(Error::Refused(ErrorCode::VersionConflict, _)));
    assert!(conflict(0) && done.refused[1].is_none() && conflict(2), "{:?}", done.refused);
    assert_eq!((crew_of(&w, first).await, crew_of(&w, third).await), (on_first, on_third));
    assert_eq!((crew_of(&w, second).await.len(), truck_of(&w, first).await), (2, None));
}

async fn two_who_press_at_once_assign_once(w: World) {
    w.only_mates(8).await;
    trucks(&w, &[TruckClass::TenFoot; 4]).await;
    let mut ids = Vec::new();
    for hour in [9, 9, 13, 13, 16] {
        ids.push(booked(&w, hour).await);
    }
    let plan = preview(&w).await;
    let staff = w.staff();
    let press = || auto::assign(&w.s, &staff, hub(), day(), Some(&plan.version));
    let both = futures_util::future::join(press(), press()).await;
    let mut done = vec![0; ids.len()];
    for one in [both.0, both.1] {
        match one {
            Ok(applied) => {
                for (n, refused) in applied.refused.iter().enumerate() {
                    match refused {
                        None => done[n] += 1,
                        Some(Error::Refused(ErrorCode::VersionConflict, _)) => {}
                        other => panic!("{other:?}"),
                    }
                }
            }
            Err(Error::Refused(ErrorCode::PlanChanged, _)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(done, vec![1; ids.len()]);
    for id in ids {
        assert_eq!((w.booking(id).await.status, crew_of(&w, id).await.len()), (Status::Assigned, 2));
    }
    w.work().await;
    assert_eq!((told(&w, "mateJob"), told(&w, "mateReleased"), told(&w, "mateAssigned")), (10, 0, 5));
}

async fn what_stays_open_says_why(w: World) {
    w.only_mates(3).await;
    trucks(&w, &[TruckClass::TenFoot; 2]).await;
    let (first, second, third) = (booked(&w, 9).await, booked(&w, 9).await, booked(&w, 14).await);
    let change = |id: BookingId, change: fn(&mut service::ports::bookings::Booking)| {
        w.write(move |u| {
            let mut b = u.bookings().get(id)?.unwrap();
            change(&mut b);
            let version = b.version;
            u.bookings().update(&b, version)
        })
    };
    // A piano, and a house whose one piano mover is away that day.
    change(third, |b| b.details.items.push(BookedItem { id: "piano-upright".into(), quantity: 1, assembly: None }))
        .await;
    let record = w.read(|u| u.directory().mate(mate(3))).await.unwrap();
    w.write(move |u| u.directory().update_mate(&MateRecord { skills: vec!["Pianos".into()], ..record })).await;
    let plan = preview(&w).await;
    let why = |plan: &DayPlan| plan.open.iter().map(|o| (o.booking.id, o.why, o.lacking, o.free)).collect::<Vec<_>>();
    assert_eq!(plan.jobs.len(), 2);
    assert!(plan.jobs[1].crew.iter().any(|m| m.id == mate(3) && m.reasons.contains(&Reason::Skilled)));
    let left = if plan.jobs[0].booking.id == first { second } else { first };
    assert_eq!(why(&plan), [(left, UnassignedReason::TooFew, 2, 1)]);
    away(&w, 3).await;
    assert_eq!(why(&preview(&w).await)[1], (third, UnassignedReason::NoSkill, 2, 0));
    // No truck is as large as this one needs.
    change(third, |b| b.tier = 3).await;
    assert_eq!(why(&preview(&w).await)[1], (third, UnassignedReason::NoTruck, 2, 0));
    // Where nobody of the house can do it, nobody is asked for it.
    change(third, |b| b.tier = 1).await;
    let record = w.read(|u| u.directory().mate(mate(3))).await.unwrap();
    w.write(move |u| u.directory().update_mate(&MateRecord { skills: vec![], ..record })).await;
    assert_eq!(why(&preview(&w).await), [(left, UnassignedReason::TooFew, 2, 0)]);
    // What has begun is named by hand.
    let begins = w.booking(first).await.move_at;
    w.clock.set(begins + Duration::minutes(1));
    let late = preview(&w).await;
    assert_eq!(why(&late).iter().map(|o| o.1).collect::<Vec<_>>(), [UnassignedReason::Begun, UnassignedReason::Begun]);
    assert_eq!(late.jobs.len(), 1);
}

async fn away(w: &World, n: u128) {
    let form = absences::Form {
        mate: Some(mate(n)),
        truck: None,
        hub: Some("montreal".to_owned()),
        first: day(),
        last: day(),
        reason: "ill".to_owned(),
    };
    absences::add(&w.s, &w.staff(), form, None).await.unwrap();
}

async fn only_who_is_there_is_sent(w: World) {
    w.only_mates(4).await;
    trucks(&w, &[TruckClass::TenFoot]).await;
    let id = booked(&w, 9).await;
    away(&w, 1).await;
    // One works from another hub, one is on a job of another day that ends too late.
    let record = w.read(|u| u.directory().mate(mate(2))).await.unwrap();
    w.write(move |u| u.directory().update_mate(&MateRecord { hubs: vec!["toronto".into()], ..record })).await;
    let plan = preview(&w).await;
    let mut crew: Vec<MateId> = plan.jobs[0].crew.iter().map(|m| m.id).collect();
    crew.sort();
    assert_eq!(crew, [mate(3), mate(4)]);
    let night = w.book(draft(Province::QC, day() - Duration::days(1), NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None);
    let night = night.await.unwrap().booking.id;
    let begins = w.booking(id).await.move_at;
    w.write(move |u| {
        let mut b = u.bookings().get(night)?.unwrap();
        b.move_at = begins - Duration::minutes(i64::from(b.duration_minutes) + 10);
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    name::name(&w.s, &w.staff(), night, Named::now(vec![mate(4)], None)).await.unwrap();
    let plan = preview(&w).await;
    assert_eq!((plan.jobs.len(), plan.open[0].why, plan.open[0].free), (0, UnassignedReason::TooFew, 1));
}

async fn whose_papers_have_ended_is_left_out(w: World) {
    w.only_mates(4).await;
    let truck = trucks(&w, &[TruckClass::TenFoot, TruckClass::TwentySixFoot]).await;
    let id = booked(&w, 9).await;
    let (lapsed, fine) = (truck[0], truck[1]);
    let papers = async |last_of_mates: NaiveDate, inspected: NaiveDate, insured: NaiveDate| {
        w.write(move |u| {
            for n in [1, 2] {
                let known = u.directory().mate(mate(n))?.unwrap();
                let licence =
                    MateDocument { kind: "Driving licence".into(), number: String::new(), expires_on: last_of_mates };
                u.directory().update_mate(&MateRecord { documents: vec![licence], ..known })?;
            }
            let known = u.directory().truck(lapsed)?.unwrap();
            let (inspected_until, insured_until) = (Some(inspected), Some(insured));
            u.directory().update_truck(&TruckRecord { inspected_until, insured_until, ..known })
        })
        .await;
    };
    let before = day() - Duration::days(1);
    for (inspected, insured) in [(before, day()), (day(), before)] {
        papers(before, inspected, insured).await;
        let plan = preview(&w).await;
        let mut crew: Vec<MateId> = plan.jobs[0].crew.iter().map(|m| m.id).collect();
        crew.sort();
        let sent = plan.jobs[0].truck.as_ref().map(|t| t.id);
        assert_eq!((crew, sent), (vec![mate(3), mate(4)], Some(fine)));
    }
    // The last day itself counts still: the smaller truck is there again.
    papers(day(), day(), day()).await;
    assert_eq!(preview(&w).await.jobs[0].truck.as_ref().map(|t| t.id), Some(lapsed));
    // Nobody is taken off a job, and who is named by hand is sent.
    papers(before, before, before).await;
    name::name(&w.s, &w.staff(), id, Named::now(vec![mate(1)], Some(lapsed))).await.unwrap();
    let plan = preview(&w).await;
    let kept = &plan.jobs[0];
    assert_eq!((kept.crew[0].id, kept.truck.as_ref().map(|t| t.id)), (mate(1), Some(lapsed)));
}

async fn a_truck_alone_may_be_missing(w: World) {
    let id = booked(&w, 9).await;
    name::name(&w.s, &w.staff(), id, Named::now(vec![mate(1), mate(2)], None)).await.unwrap();
    assert_eq!(preview(&w).await.open[0].why, UnassignedReason::NoTruck);
    let truck = trucks(&w, &[TruckClass::TwentyFoot]).await[0];
    let plan = preview(&w).await;
    assert_eq!((plan.jobs.len(), plan.jobs[0].crew.iter().filter(|m| m.on_it).count()), (1, 2));
    auto::assign(&w.s, &w.staff(), hub(), day(), Some(&plan.version)).await.unwrap();
    assert_eq!((truck_of(&w, id).await, crew_of(&w, id).await), (Some(truck), vec![mate(1), mate(2)]));
}
