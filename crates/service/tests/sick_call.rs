//! Twenty to eight, somebody is sick: the absence is written down, others go instead, and everybody concerned is told once.

use crate::support;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Province};
use service::{
    Error, ErrorCode,
    calendar::absences,
    dispatch::{
        alarms,
        board::{self, Wrong},
        name::{self, Named},
        suggest,
    },
};
use store::testing::TestDb;
use support::{World, draft, mate};

in_both_worlds!(whom_a_sick_call_concerns_is_told_once);

async fn world(db: TestDb) -> World {
    let begins: DateTime<Utc> = "2027-02-08T14:00:00Z".parse().unwrap();
    let w = World::on(db, begins).await;
    alarms::schedule(&w.s).await.unwrap();
    w
}

fn day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, 22).unwrap()
}

async fn booked(w: &World, hour: u32) -> BookingId {
    let at = NaiveTime::from_hms_opt(hour, 0, 0).unwrap();
    w.book(draft(Province::QC, day(), at), None).await.unwrap().booking.id
}

async fn named(w: &World, id: BookingId, mates: &[u128]) -> Result<(), Error> {
    let mates = mates.iter().copied().map(mate).collect();
    name::name(&w.s, &w.staff(), id, Named::now(mates, None)).await.map(drop)
}

/// Messages about crews since it was asked last: their kind and to whom, sorted.
async fn told(w: &World) -> Vec<(String, String)> {
    w.work().await;
    let mut sent = w.mailer.sent.lock().unwrap();
    let about =
        sent.iter().filter(|m| ["mateJob", "mateReleased", "mateAssigned", "opsAlert"].contains(&&*m.message_type));
    let mut told: Vec<_> = about.map(|m| (m.message_type.clone(), m.to.to_string())).collect();
    sent.clear();
    told.sort();
    told
}

async fn wrong(w: &World, what: Wrong) -> usize {
    let shown = board::board(&w.s, &w.staff(), geography::hub("montreal"), (Some(day()), None)).await.unwrap();
    shown.jobs.iter().flat_map(|job| &job.conflicts).filter(|c| c.what == what).count()
}

async fn whom_a_sick_call_concerns_is_told_once(w: World) {
    let (morning, afternoon, other) = (booked(&w, 9).await, booked(&w, 15).await, booked(&w, 9).await);
    named(&w, morning, &[1, 2]).await.unwrap();
    named(&w, afternoon, &[1, 3]).await.unwrap();
    named(&w, other, &[4, 5]).await.unwrap();
    told(&w).await;
    w.clock.set("2027-02-22T12:40:00Z".parse().unwrap());
    told(&w).await;

    let form = || absences::Form {
        mate: Some(mate(1)),
        truck: None,
        hub: Some("montreal".into()),
        first: day(),
        last: day(),
        reason: "Sick".into(),
    };
    absences::add(&w.s, &w.staff(), form(), None).await.unwrap();
    // Pressed twice it is written down once.
    let again = absences::add(&w.s, &w.staff(), form(), None).await;
    assert!(matches!(again, Err(Error::Refused(ErrorCode::AbsenceOverlaps, _))));
    assert_eq!(wrong(&w, Wrong::MateAway).await, 2, "both jobs are marked");
    assert_eq!(told(&w).await, [], "nobody is told before somebody goes instead");

    // Whoever is on another job then, or is away, is not among those who could go instead.
    let found = suggest::suggestions(&w.s, &w.staff(), morning).await.unwrap();
    let free = |n: u128| found.mates.iter().find(|m| m.id == mate(n)).is_some_and(|m| m.taken.is_none() && !m.away);
    assert_eq!((free(1), free(4), free(6)), (false, false, true));
    for (id, crew) in [(morning, [2, 6]), (afternoon, [3, 6])] {
        named(&w, id, &crew).await.unwrap();
        // The answer was lost, and it is sent once more.
        named(&w, id, &crew).await.unwrap();
    }
    assert_eq!((wrong(&w, Wrong::MateAway).await, wrong(&w, Wrong::TooFew).await), (0, 0));
    let to = |kind: &str, who: &str| (kind.to_owned(), format!("{who}@portage.test"));
    // One a job: who leaves, who comes, and the customer; who stays hears nothing.
    let expected = [
        to("mateAssigned", "ana"),
        to("mateAssigned", "ana"),
        to("mateJob", "mate6"),
        to("mateJob", "mate6"),
        to("mateReleased", "mate1"),
        to("mateReleased", "mate1"),
    ];
    assert_eq!(told(&w).await, expected);
    assert_eq!(told(&w).await, []);
}
