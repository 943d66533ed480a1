//! The calendar as staff keep it, and who is away, on both databases: what is offered falls and comes back, never below
//! what is taken, whoever else takes at the same moment.

use crate::support;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use kernel::{AbsenceId, MateCount, Province};
use scheduling::BucketKey;
use service::{
    Actor, Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff,
    bookings::status::{self, StatusInput},
    calendar::{
        self, CLOSED, HubCalendar, LoadError, Shortfall,
        absences::{self, Added, Form},
        desk,
    },
    holds::{self, HoldInput},
    idempotency::Replayable,
    moves::place_of,
    ports::capacity::DayCapacity,
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft, mate};

/// Monday morning in Montreal.
fn now() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn montreal() -> &'static geography::Hub {
    geography::hub("montreal").unwrap()
}

fn crew(mates: u32) -> DayCapacity {
    DayCapacity { mates, trucks: [5, 5, 5] }
}

/// Mate `n` is away from Montreal.
fn away(n: u128, first: &str, last: &str) -> Form {
    Form {
        mate: Some(mate(n)),
        truck: None,
        hub: Some("montreal".to_owned()),
        first: date(first),
        last: date(last),
        reason: "ill".to_owned(),
    }
}

async fn add(s: &Services, staff: &Staff, form: Form) -> ServiceResult<Added> {
    match absences::add(s, staff, form, None).await? {
        Replayable::Fresh(added) => Ok(added),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

async fn offered(w: &World, day: &str) -> u32 {
    let day = date(day);
    let found = desk::days(&w.s, &w.staff(), montreal(), day, day).await.unwrap();
    found.days[0].offered().mates
}

/// Used and total of mates at ten o'clock.
async fn bucket(w: &World, day: &str) -> (u32, u32) {
    let key = BucketKey { date: date(day), index: 20 };
    let seen = w.read(move |u| u.capacities().view("montreal", &[key])).await;
    (seen[0].mates_used, seen[0].mates_total)
}

async fn take(w: &World, day: &str, mates: i32) {
    let key = BucketKey { date: date(day), index: 20 };
    w.write(move |u| {
        u.capacities().lock("montreal", &[key])?;
        u.capacities().add("montreal", &[key], mates, None)
    })
    .await;
}

#[track_caller]
fn too_few<T: std::fmt::Debug>(told: ServiceResult<T>) -> Vec<Shortfall> {
    let Err(Error::CapacityTaken(lacking)) = told else { panic!("{told:?}") };
    lacking
}

#[track_caller]
fn field<T: std::fmt::Debug>(told: ServiceResult<T>) -> (String, FieldProblem) {
    let Err(Error::Invalid(fields)) = told else { panic!("{told:?}") };
    (fields[0].field.clone(), fields[0].problem)
}

#[track_caller]
fn refused<T: std::fmt::Debug>(told: ServiceResult<T>) -> ErrorCode {
    let Err(Error::Refused(code, _)) = told else { panic!("{told:?}") };
    code
}

async fn three_away_are_three_less_until_they_are_back(db: TestDb) {
    let w = World::on(db, now()).await;
    w.calendar(crew(24)).await;
    // Buckets somebody looked at and took from before.
    take(&w, "2027-02-17", 21).await;
    let mut ids: Vec<AbsenceId> = Vec::new();
    for n in 1..=3 {
        let added = add(&w.s, &w.staff(), away(n, "2027-02-16", "2027-02-18")).await.unwrap();
        assert_eq!((added.known.name, added.assigned), (format!("Mate{n} Tester"), Vec::new()));
        ids.push(added.known.absence.id);
    }
    for (day, there) in [("2027-02-15", 24), ("2027-02-16", 21), ("2027-02-18", 21), ("2027-02-19", 24)] {
        assert_eq!(offered(&w, day).await, there, "{day}");
    }
    assert_eq!(bucket(&w, "2027-02-17").await, (21, 21), "exactly what is taken may remain");
    let fourth = too_few(add(&w.s, &w.staff(), away(4, "2027-02-17", "2027-02-17")).await);
    let lacks = Shortfall { hub: "montreal", date: date("2027-02-17"), truck: None, taken: 21, planned: 20 };
    assert_eq!((fourth[0].missing(), fourth), (1, vec![lacks]));
    assert_eq!(offered(&w, "2027-02-17").await, 21, "nothing was written");
    for id in &ids {
        absences::remove(&w.s, &w.staff(), *id).await.unwrap();
        assert_eq!(refused(absences::remove(&w.s, &w.staff(), *id).await), ErrorCode::NotFound);
    }
    assert_eq!((offered(&w, "2027-02-17").await, bucket(&w, "2027-02-17").await), (24, (21, 24)));
    let actions: Vec<String> = w
        .read(move |u| u.audits().of_subject("absence", &ids[0].to_string()))
        .await
        .into_iter()
        .map(|row| row.action)
        .collect();
    assert_eq!(actions.len(), 2, "{actions:?}");
    assert!(actions.iter().any(|a| a == "absence.add") && actions.iter().any(|a| a == "absence.remove"));
}

async fn what_makes_no_sense_is_refused_by_its_field(db: TestDb) {
    let w = World::on(db, now()).await;
    let good = || away(1, "2027-02-16", "2027-02-18");
    let nobody = kernel::MateId(kernel::uuid::Uuid::from_u128(7));
    let truck = kernel::TruckId(kernel::uuid::Uuid::from_u128(7));
    // A year at most, and not wholly behind us.
    let days = |first: &str, last: &str| FieldProblem::Between(date(first).into(), date(last).into());
    let year = days("2027-02-16", "2028-02-16");
    let ten_years = FieldProblem::Between(date("2027-02-08").into(), (date("2027-02-08") + Days::new(3_660)).into());
    for (form, name, problem) in [
        (Form { mate: None, ..good() }, "mateId", FieldProblem::Required),
        (Form { truck: Some(truck), ..good() }, "truckId", FieldProblem::Invalid),
        (Form { mate: Some(nobody), ..good() }, "mateId", FieldProblem::Unknown),
        (Form { mate: None, truck: Some(truck), ..good() }, "truckId", FieldProblem::Unknown),
        (Form { hub: None, ..good() }, "hub", FieldProblem::Required),
        (Form { hub: Some("atlantis".into()), ..good() }, "hub", FieldProblem::Unknown),
        (Form { last: date("2027-02-15"), ..good() }, "to", year),
        (Form { last: date("2028-02-17"), ..good() }, "to", year),
        (Form { first: date("2027-02-01"), last: date("2027-02-07"), ..good() }, "to", ten_years),
        (Form { reason: "x".repeat(201), ..good() }, "reason", FieldProblem::TooLong),
    ] {
        let told = field(add(&w.s, &w.staff(), form.clone()).await);
        assert_eq!(told, (name.to_owned(), problem), "{form:?}");
    }
    // One that has begun, and of the longest.
    add(&w.s, &w.staff(), away(1, "2027-02-01", "2027-02-08")).await.unwrap();
    add(&w.s, &w.staff(), away(2, "2027-02-16", "2028-02-16")).await.unwrap();
    let again = add(&w.s, &w.staff(), away(2, "2028-02-16", "2028-02-20")).await;
    assert_eq!(refused(again), ErrorCode::AbsenceOverlaps);
    let elsewhere = Form { hub: Some("toronto".into()), ..away(2, "2027-02-16", "2027-02-16") };
    assert_eq!(
        refused(add(&w.s, &w.staff(), elsewhere).await),
        ErrorCode::AbsenceOverlaps,
        "one person is in one place"
    );
    add(&w.s, &w.staff(), away(2, "2028-02-17", "2028-02-20")).await.unwrap();
}

async fn weeks_and_days_never_fall_below_what_is_taken(db: TestDb) {
    let w = World::on(db, now()).await;
    let proof = w.staff();
    let (s, staff, hub) = (&w.s, &proof, montreal());
    take(&w, "2027-02-17", 9).await;
    let week = desk::week(s, staff, hub).await.unwrap();
    assert_eq!((week.version, week.week[2].mates, week.today), (0, 20, date("2027-02-08")));
    let first = desk::put_week(s, staff, hub, [crew(12); 7], 0).await.unwrap();
    assert_eq!((first.version, offered(&w, "2027-02-18").await, bucket(&w, "2027-02-17").await), (1, 12, (9, 12)));
    assert_eq!(refused(desk::put_week(s, staff, hub, [crew(30); 7], 0).await), ErrorCode::VersionConflict);
    let lacking = too_few(desk::put_week(s, staff, hub, [crew(8); 7], 1).await);
    assert_eq!((lacking[0].date, lacking[0].taken, lacking[0].planned), (date("2027-02-17"), 9, 8));
    assert_eq!(desk::week(s, staff, hub).await.unwrap(), first, "as it was");
    // A day of its own, and back.
    let day = date("2027-02-17");
    assert_eq!(too_few(desk::put_day(s, staff, hub, day, CLOSED, String::new()).await).len(), 1);
    let own = desk::put_day(s, staff, hub, day, crew(9), " Training ".into()).await.unwrap();
    assert_eq!((own.planned, own.special, own.reason.as_str(), own.taken.mates), (crew(9), true, "Training", 9));
    // The day keeps its row when the week changes, and who is away lowers it too.
    desk::put_week(s, staff, hub, [crew(30); 7], 1).await.unwrap();
    assert_eq!(bucket(&w, "2027-02-17").await, (9, 9));
    assert_eq!(too_few(add(s, staff, away(1, "2027-02-16", "2027-02-17")).await).len(), 1);
    desk::follow_week(s, staff, hub, day).await.unwrap();
    assert_eq!(bucket(&w, "2027-02-17").await, (9, 30));
    assert_eq!(refused(desk::follow_week(s, staff, hub, day).await), ErrorCode::NotFound);
    // What is over stays.
    let past = desk::put_day(s, staff, hub, date("2027-02-07"), CLOSED, String::new()).await;
    assert_eq!(field(past), ("date".to_owned(), FieldProblem::AtLeast(date("2027-02-08").into())));
    let wide = desk::days(s, staff, hub, day, day + Days::new(400)).await;
    let bounds = FieldProblem::Between(day.into(), (day + Days::new(399)).into());
    assert_eq!(field(wide), ("to".to_owned(), bounds));
    assert_eq!(desk::days(s, staff, hub, day, day + Days::new(399)).await.unwrap().days.len(), 400);
    let mut actions: Vec<String> =
        w.read(|u| u.audits().of_subject("calendar", "montreal")).await.into_iter().map(|row| row.action).collect();
    actions.sort();
    assert_eq!(actions, ["calendar.day", "calendar.follow_week", "calendar.week", "calendar.week"]);
}

/// A file knows nothing of who is away: they stay away, and count.
async fn a_file_leaves_absences_and_reasons(db: TestDb) {
    let w = World::on(db, now()).await;
    let hub = montreal();
    let day = date("2027-07-01");
    desk::put_day(&w.s, &w.staff(), hub, day, crew(48), "Moving day".into()).await.unwrap();
    add(&w.s, &w.staff(), away(1, "2027-07-01", "2027-07-02")).await.unwrap();
    take(&w, "2027-07-02", 9).await;
    let file = |mates| HubCalendar { hub: hub.id, week: [crew(mates); 7], dates: [(day, crew(48))].into() };
    let told = calendar::load(&w.s, Actor::system(), vec![file(9)]).await;
    let Err(LoadError::Taken(lacking)) = told else { panic!("{told:?}") };
    assert_eq!((lacking[0].date, lacking[0].planned), (date("2027-07-02"), 8));
    calendar::load(&w.s, Actor::system(), vec![file(10)]).await.unwrap();
    assert_eq!((offered(&w, "2027-07-01").await, bucket(&w, "2027-07-02").await), (47, (9, 9)));
    let found = desk::days(&w.s, &w.staff(), hub, day, day).await.unwrap();
    assert_eq!(found.days[0].reason, "Moving day");
    assert_eq!(desk::week(&w.s, &w.staff(), hub).await.unwrap().version, 1, "who read the week before is told");
}

async fn assign(w: &World, id: kernel::BookingId) -> ServiceResult<()> {
    status::set(&w.s, &w.staff(), id, Status::Assigned, StatusInput::default()).await.map(drop)
}

async fn crew_of(w: &World, id: kernel::BookingId) -> Vec<kernel::MateId> {
    w.read(move |u| u.crews().of_booking(id)).await.into_iter().map(|m| m.mate).collect()
}

async fn who_is_away_is_not_sent_and_who_falls_ill_is_told_of(db: TestDb) {
    let w = World::on(db, now()).await;
    w.only_mates(3).await;
    let nine = NaiveTime::from_hms_opt(9, 0, 0).unwrap();
    let book = |day: &str| w.book(draft(Province::QC, date(day), nine), None);
    let first = book("2027-02-22").await.unwrap().booking;
    add(&w.s, &w.staff(), away(1, "2027-02-22", "2027-02-23")).await.unwrap();
    assign(&w, first.id).await.unwrap();
    assert_eq!(crew_of(&w, first.id).await, [mate(2), mate(3)], "the first would have come");
    // Somebody falls ill: the bookings of these days are told, no others; they stay on them until staff act.
    let later = book("2027-02-25").await.unwrap().booking;
    assign(&w, later.id).await.unwrap();
    assert!(crew_of(&w, later.id).await.contains(&mate(1)));
    let ill = add(&w.s, &w.staff(), away(2, "2027-02-21", "2027-02-24")).await.unwrap();
    assert_eq!(ill.assigned, [(first.id, first.short_id.clone())]);
    assert_eq!(crew_of(&w, first.id).await, [mate(2), mate(3)]);
    // Nobody is left for another move of that day.
    w.only_mates(2).await;
    let another = book("2027-02-23").await.unwrap().booking;
    assert_eq!(refused(assign(&w, another.id).await), ErrorCode::CrewMissing);
    absences::remove(&w.s, &w.staff(), ill.known.absence.id).await.unwrap();
    assign(&w, another.id).await.unwrap();
    assert_eq!(crew_of(&w, another.id).await, [mate(2)]);
}

async fn hold(s: &Services, who: service::Caller, day: NaiveDate) -> Result<(), Error> {
    let pickup = support::location(Province::QC);
    let input = HoldInput {
        date: day,
        time: NaiveTime::from_hms_opt(10, 0, 0).unwrap(),
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
    holds::create(s, &who, input, None).await.map(drop)
}

/// Fifty callers want starts of a day while its row and absences are written: in the end nothing is oversold, and every
/// bucket has what the calendar gives.
async fn nothing_is_oversold_while_the_calendar_changes(db: TestDb) {
    let w = World::on(db, now()).await;
    let day = date("2027-02-17");
    let mut callers = Vec::new();
    let mut desks = Vec::new();
    for n in 0..50_u32 {
        let (s, who) = (w.s.clone(), w.customer.clone());
        callers.push(tokio::spawn(async move { hold(&s, who, day).await }));
        if n % 10 == 0 {
            let (s, staff) = (w.s.clone(), w.staff());
            desks.push(tokio::spawn(async move {
                let written = desk::put_day(&s, &staff, montreal(), day, crew(12 + n / 10), "racing".into()).await;
                let absent = add(&s, &staff, away(u128::from(n / 10) + 1, "2027-02-16", "2027-02-18")).await;
                (written.map(drop), absent.map(drop))
            }));
        }
    }
    let mut got = 0;
    for caller in callers {
        match caller.await.unwrap() {
            Ok(()) => got += 1,
            Err(Error::SlotGone(_)) => {}
            Err(other) => panic!("neither taken nor gone: {other:?}"),
        }
    }
    for desk in desks {
        let (written, absent) = desk.await.unwrap();
        for told in [written, absent] {
            assert!(
                matches!(told, Ok(()) | Err(Error::CapacityTaken(_) | Error::Refused(ErrorCode::Busy, _))),
                "{told:?}"
            );
        }
    }
    assert!(got > 0);
    assert_eq!(w.read(|u| u.capacities().drift()).await, Vec::<String>::new());
    let keys: Vec<BucketKey> = (0..48).map(|index| BucketKey { date: day, index }).collect();
    let (room, planned) =
        w.read(move |u| Ok((u.capacities().view("montreal", &keys)?, u.capacities().planned("montreal", day)?))).await;
    for bucket in room {
        assert!(bucket.mates_used <= bucket.mates_total, "{bucket:?}");
        assert_eq!((bucket.mates_total, bucket.trucks_total), (planned.mates, planned.trucks));
    }
}

on_both_engines!(
    three_away_are_three_less_until_they_are_back,
    what_makes_no_sense_is_refused_by_its_field,
    weeks_and_days_never_fall_below_what_is_taken,
    a_file_leaves_absences_and_reasons,
    who_is_away_is_not_sent_and_who_falls_ill_is_told_of,
    nothing_is_oversold_while_the_calendar_changes,
);
