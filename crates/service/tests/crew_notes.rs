//! What a crew keeps on record: once, with the instant of the act, for the crew and staff only; and the hours of a job.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Province, UserId};
use service::{
    Caller, Error, ErrorCode, Role, ServiceResult,
    bookings::queries,
    desk,
    dispatch::{
        crew_notes::{self, ByMate, NewCrewPhoto},
        hours, jobs,
        name::{self, Named},
    },
    idempotency::Replayable,
    photos::{self, NewPhoto},
    ports::{
        crew_photos::{CrewPhoto, PhotoStage},
        dispatch::Act,
        notes::{Note, Visibility},
    },
};
use store::testing::TestDb;
use support::{World, draft, mate};

in_both_worlds!(
    a_note_is_written_once_for_crew_and_staff,
    a_photo_is_kept_once_for_crew_and_staff,
    a_job_takes_so_many_photos,
    who_is_not_on_the_job_keeps_nothing_on_record,
    hours_are_what_the_crew_said,
    a_wrong_clock_loses_neither_note_nor_photo,
);

fn start() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

async fn world(db: TestDb) -> World {
    World::on(db, start()).await
}

/// One of the mates, signed in.
fn me(n: u128) -> Caller {
    Caller { mate: Some(mate(n)), ..support::caller(Role::Mate, UserId(uuid::Uuid::from_u128(0x3a00 + n))) }
}

/// A move of two mates, an hour after its start.
async fn under_way(w: &World) -> (BookingId, DateTime<Utc>) {
    let day = NaiveDate::from_ymd_opt(2027, 2, 22).unwrap();
    let wished = draft(Province::QC, day, NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    let id = w.book(wished, None).await.unwrap().booking.id;
    name::name(&w.s, &w.staff(), id, Named::now(vec![mate(1), mate(2)], None)).await.unwrap();
    let starts = w.booking(id).await.move_at;
    w.clock.set(starts + Duration::hours(1));
    (id, starts)
}

fn fresh<T: std::fmt::Debug>(told: ServiceResult<Replayable<T>>) -> T {
    match told {
        Ok(Replayable::Fresh(value)) => value,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(told: ServiceResult<T>) -> ErrorCode {
    match told {
        Err(Error::Refused(code, _)) => code,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn wrong_field<T: std::fmt::Debug>(told: ServiceResult<T>) -> String {
    match told {
        Err(Error::Invalid(fields)) => fields[0].field.clone(),
        other => panic!("{other:?}"),
    }
}

async fn write(
    w: &World,
    n: u128,
    id: BookingId,
    text: &str,
    at: Option<DateTime<Utc>>,
) -> ServiceResult<Replayable<ByMate<Note>>> {
    crew_notes::add_note(&w.s, &me(n), id, text, at, None).await
}

/// A file of three bytes; its first one is what it is known by.
async fn shoot(
    w: &World,
    n: u128,
    id: BookingId,
    stage: Option<PhotoStage>,
    at: Option<DateTime<Utc>>,
    file: u8,
) -> ServiceResult<Replayable<ByMate<CrewPhoto>>> {
    let shot = NewCrewPhoto { stage, at, digest: format!("{file:064x}") };
    crew_notes::add_photo(&w.s, &me(n), id, shot, NewPhoto { jpeg: vec![file, 2, 3], width: 8, height: 6 }, None).await
}

async fn a_note_is_written_once_for_crew_and_staff(w: World) {
    let (id, starts) = under_way(&w).await;
    let at = starts + Duration::minutes(20);
    // There was no signal: it reaches us later, and once more, because the answer was lost.
    let first = fresh(write(&w, 1, id, "  The stairs are narrow ", Some(at)).await);
    assert_eq!(
        (&*first.what.text, first.what.created_at, first.what.mate),
        ("The stairs are narrow", at, Some(mate(1)))
    );
    let again = fresh(write(&w, 1, id, "The stairs are narrow", Some(at)).await);
    assert_eq!(again.what.id, first.what.id);
    fresh(write(&w, 2, id, "The stairs are narrow", Some(at)).await);
    let found = crew_notes::notes(&w.s, &me(2), id).await.unwrap();
    assert_eq!(found.iter().map(|n| &*n.name).collect::<Vec<_>>(), ["Mate1 Tester", "Mate2 Tester"]);
    // Staff read them among their own, and what staff write for the crew stays apart.
    desk::notes::add(&w.s, &w.staff(), id, "Ring twice", Visibility::Crew, None).await.unwrap();
    let all = desk::notes::list(&w.s, &w.staff(), id).await.unwrap();
    let mates: Vec<_> = all.iter().map(|n| n.mate.as_deref()).collect();
    assert_eq!(mates, [None, Some("Mate2 Tester"), Some("Mate1 Tester")]);
    assert_eq!(jobs::one(&w.s, &me(1), id).await.unwrap().told.notes, ["Ring twice"]);
    assert_eq!(crew_notes::notes(&w.s, &me(1), id).await.unwrap().len(), 2);
    let trail = w.read(move |u| u.audits().of_subject("booking", &id.to_string())).await;
    assert_eq!(
        trail.iter().filter(|row| row.action == "booking.note" && row.role == Some(status_machine::Role::Mate)).count(),
        2
    );
    for text in [" ".to_owned(), "é".repeat(2_001)] {
        assert_eq!(wrong_field(write(&w, 1, id, &text, None).await), "text");
    }
}

async fn a_wrong_clock_loses_neither_note_nor_photo(w: World) {
    let (id, _) = under_way(&w).await;
    let now = w.clock.now_value();
    jobs::act(&w.s, &me(1), id, Act::Start, None).await.unwrap();
    let clocks = [(now + Duration::days(2), now), (start() - Duration::days(2), start())];
    for (file, (clock, kept)) in (1_u8..).zip(clocks) {
        let note = fresh(write(&w, 1, id, "The lift is stuck", Some(clock)).await);
        assert_eq!(note.what.created_at, kept, "the nearest instant at which he was on it");
        let photo = fresh(shoot(&w, 1, id, None, Some(clock), file).await);
        assert_eq!((photo.what.taken_at, photo.what.added_at), (kept, now));
        assert_eq!(photo.what.stage, PhotoStage::After, "he has begun, whatever the clock says");
        let of_note = w.read(move |u| u.audits().of_subject("booking", &id.to_string())).await;
        let of_photo = w.read(move |u| u.audits().of_subject("photo", &photo.what.id.to_string())).await;
        for trail in [of_note, of_photo] {
            let said = trail.iter().filter_map(|row| row.after.as_ref()?["clockSaid"].as_str());
            let said: Vec<DateTime<Utc>> = said.map(|at| at.parse().unwrap()).collect();
            assert!(said.contains(&clock), "{said:?}");
        }
    }
    assert_eq!(crew_notes::notes(&w.s, &me(2), id).await.unwrap().len(), 2);
}

async fn a_photo_is_kept_once_for_crew_and_staff(w: World) {
    let (id, starts) = under_way(&w).await;
    let at = starts + Duration::minutes(2);
    let before = fresh(shoot(&w, 1, id, None, Some(at), 7).await);
    assert_eq!((before.what.stage, before.what.taken_at, &*before.name), (PhotoStage::Before, at, "Mate1 Tester"));
    jobs::act(&w.s, &me(1), id, Act::Start, Some(starts + Duration::minutes(5))).await.unwrap();
    let after = fresh(shoot(&w, 1, id, None, None, 8).await);
    assert_eq!(after.what.stage, PhotoStage::After, "he has begun");
    // Sent once more, also as what it was told to be, it is the one there is.
    let again = fresh(shoot(&w, 1, id, Some(PhotoStage::Before), None, 7).await);
    assert_eq!((again.what.id, again.what.taken_at), (before.what.id, at));
    let found = crew_notes::photos(&w.s, &me(2), id).await.unwrap();
    assert_eq!(found.iter().map(|p| p.what.id).collect::<Vec<_>>(), [before.what.id, after.what.id]);
    let report = crew_notes::report(&w.s, &w.staff(), id).await.unwrap();
    assert_eq!(report.photos, found);
    // Crew and staff see the file; whose move it is does not, nor does a mate who does not go.
    for who in [me(1), me(2), w.ops.clone()] {
        assert_eq!(photos::file(&w.s, &who, before.what.id).await.unwrap(), [7, 2, 3]);
    }
    for who in [w.customer.clone(), me(3)] {
        assert_eq!(refused(photos::file(&w.s, &who, before.what.id).await), ErrorCode::NotFound);
        assert_eq!(refused(photos::delete(&w.s, &who, before.what.id).await), ErrorCode::NotFound);
    }
    assert!(queries::detail(&w.s, &w.customer, id).await.unwrap().photos.is_empty());
    assert_eq!(refused(photos::delete(&w.s, &me(1), before.what.id).await), ErrorCode::NotFound, "it is on record");
    photos::delete(&w.s, &w.ops, before.what.id).await.unwrap();
    assert_eq!(refused(photos::file(&w.s, &me(1), before.what.id).await), ErrorCode::NotFound);
}

async fn a_job_takes_so_many_photos(w: World) {
    let (id, _) = under_way(&w).await;
    for n in 0..crew_notes::MOST {
        fresh(shoot(&w, 1 + (n as u128) % 2, id, None, None, u8::try_from(n).unwrap()).await);
    }
    assert_eq!(refused(shoot(&w, 1, id, None, None, 200).await), ErrorCode::PhotoLimit);
    fresh(shoot(&w, 1, id, None, None, 0).await);
    let shot = |file: u8| NewCrewPhoto { stage: None, at: None, digest: format!("{file:064x}") };
    assert_eq!(refused(crew_notes::may_add(&w.s, &me(1), id, &shot(200), None).await), ErrorCode::PhotoLimit);
    assert!(crew_notes::may_add(&w.s, &me(1), id, &shot(0), None).await.unwrap().is_none(), "it is there");
}

async fn who_is_not_on_the_job_keeps_nothing_on_record(w: World) {
    let (id, _) = under_way(&w).await;
    for who in [me(3), w.ops.clone(), w.customer.clone()] {
        let noted = crew_notes::add_note(&w.s, &who, id, "x", None, None).await;
        assert_eq!(refused(noted), ErrorCode::NotFound);
        assert_eq!(refused(crew_notes::notes(&w.s, &who, id).await), ErrorCode::NotFound);
        assert_eq!(refused(crew_notes::photos(&w.s, &who, id).await), ErrorCode::NotFound);
    }
    assert_eq!(refused(shoot(&w, 3, id, None, None, 1).await), ErrorCode::NotFound);
    // Who is taken off sees and writes no more; what they wrote stays.
    fresh(write(&w, 1, id, "Here", None).await);
    w.write(move |u| u.crews().release(id, mate(1))).await;
    assert_eq!(refused(write(&w, 1, id, "Still here", None).await), ErrorCode::NotFound);
    assert_eq!(crew_notes::notes(&w.s, &me(2), id).await.unwrap().len(), 1);
    service::bookings::cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    assert_eq!(refused(write(&w, 2, id, "It is off", None).await), ErrorCode::NotFound);
}

async fn hours_are_what_the_crew_said(w: World) {
    let (id, starts) = under_way(&w).await;
    let at = |minutes| Some(starts + Duration::minutes(minutes));
    w.clock.set(starts + Duration::hours(9));
    let report = async || crew_notes::report(&w.s, &w.staff(), id).await.unwrap().job;
    assert_eq!((hours::span(&report().await), hours::of_job(&report().await)), ((None, None), None));
    for (n, act, minutes) in [(1, Act::Start, 4), (2, Act::Start, 10), (1, Act::Finish, 130)] {
        jobs::act(&w.s, &me(n), id, act, at(minutes)).await.unwrap();
    }
    let job = report().await;
    assert_eq!((hours::span(&job), hours::of_job(&job)), ((at(4), None), None), "one is at it still");
    let mine: Vec<_> = job.crew.iter().map(hours::of_mate).collect();
    assert!(mine.contains(&Some(126)) && mine.contains(&None), "{mine:?}");
    jobs::act(&w.s, &me(2), id, Act::Finish, at(141)).await.unwrap();
    assert_eq!(hours::of_job(&report().await), Some(137));
}
