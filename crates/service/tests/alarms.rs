//! Alarms of the day: a move that lacks people, one whose people did not say that they come, and one that nobody began. Each
//! is told once, and not when it was solved meanwhile.

use crate::{papers::with_staff, support};

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Province, UserId};
use service::{
    Caller, Role,
    bookings::edit::{self, EditInput},
    dispatch::{
        alarms,
        board::{self, Wrong},
        jobs,
        name::{self, Named},
    },
    ports::{directory::MateRecord, dispatch::Act},
};
use store::testing::TestDb;
use support::{World, draft, mate};
use uuid::Uuid;

in_both_worlds!(
    a_move_without_people_is_told_of_a_day_and_half_a_day_before,
    everybody_is_told_in_their_language,
    what_was_solved_meanwhile_is_not_told,
    a_crew_of_one_of_two_is_too_few,
    a_move_that_is_moved_is_told_of_anew,
    a_move_nobody_began_is_late,
    a_crew_that_never_answered_is_late_as_well,
    who_says_nothing_is_told_of_eighteen_hours_before,
    who_says_that_they_come_or_is_replaced_is_not_told_of,
    who_is_sent_late_has_an_hour_to_say_it,
);

fn start() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

async fn world(db: TestDb) -> World {
    let w = with_staff(World::on(db, start()).await).await;
    alarms::schedule(&w.s).await.unwrap();
    w
}

/// A move of two mates, two weeks ahead.
async fn booked(w: &World) -> BookingId {
    let day = NaiveDate::from_ymd_opt(2027, 2, 22).unwrap();
    let id = w.book(draft(Province::QC, day, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap();
    assert_eq!(id.booking.mate_count.get(), 2);
    id.booking.id
}

async fn with_crew(w: &World, id: BookingId, mates: &[u128]) {
    let mates = mates.iter().copied().map(mate).collect();
    name::name(&w.s, &w.staff(), id, Named::now(mates, None)).await.unwrap();
}

async fn say(w: &World, n: u128, id: BookingId, act: Act) {
    let me = Caller { mate: Some(mate(n)), ..support::caller(Role::Mate, UserId(Uuid::from_u128(0x3a00 + n))) };
    jobs::act(&w.s, &me, id, act, None).await.unwrap();
}

/// What was told once the clock is so far before (or, below zero, behind) the start of a move.
async fn told(w: &World, id: BookingId, before: Duration) -> Vec<(String, String)> {
    w.clock.set(w.booking(id).await.move_at - before);
    w.work().await;
    let mut sent = w.mailer.sent.lock().unwrap();
    let alerts = sent.iter().filter(|m| m.message_type == "opsAlert");
    let mut told: Vec<_> = alerts.map(|m| (m.to.to_string(), m.text.clone())).collect();
    sent.clear();
    told.sort();
    told
}

#[track_caller]
fn both_of(told: &[(String, String)], of: &str) {
    let people: Vec<&str> = told.iter().map(|(to, _)| to.as_str()).collect();
    assert_eq!(people, ["chef@portage.test", "desk@portage.test"]);
    assert!(told.iter().all(|(_, text)| text.contains(of)), "{told:?}");
}

async fn a_move_without_people_is_told_of_a_day_and_half_a_day_before(w: World) {
    let id = booked(&w).await;
    assert_eq!(told(&w, id, Duration::minutes(24 * 60 + 11)).await, []);
    let first = told(&w, id, Duration::minutes(24 * 60)).await;
    both_of(&first, "A move still lacks people");
    let b = w.booking(id).await;
    let link = format!("/dashboard/dispatch?hub={}&day=2027-02-22&job={id}&lang=en", b.hub);
    assert!(first[0].1.contains(&format!("#{}, 0/2", b.short_id)) && first[0].1.contains(&link), "{first:?}");
    for hours in [23, 20, 13] {
        assert_eq!(told(&w, id, Duration::hours(hours)).await, [], "{hours}");
    }
    both_of(&told(&w, id, Duration::hours(12)).await, "A move still lacks people");
    for minutes in [11 * 60, 10, -10, -120, -60 * 24] {
        assert_eq!(told(&w, id, Duration::minutes(minutes)).await, [], "{minutes}");
    }
}

async fn everybody_is_told_in_their_language(w: World) {
    let desk = w.read(|u| u.accounts().of_email("desk@portage.test")).await;
    w.speaks(desk[0].id, kernel::Language::Fr).await;
    let id = booked(&w).await;
    let told = told(&w, id, Duration::hours(24)).await;
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].1.contains("A move still lacks people") && told[0].1.contains("lang=en"), "{told:?}");
    assert!(!told[1].1.contains("A move still lacks people") && told[1].1.contains("lang=fr"), "{told:?}");
}

async fn what_was_solved_meanwhile_is_not_told(w: World) {
    let (named, cancelled) = (booked(&w).await, booked(&w).await);
    with_crew(&w, named, &[1, 2]).await;
    for n in [1, 2] {
        say(&w, n, named, Act::Accept).await;
    }
    service::bookings::cancel::cancel(&w.s, &w.customer, cancelled).await.unwrap();
    for hours in [24, 12, 1] {
        assert_eq!(told(&w, named, Duration::hours(hours)).await, [], "{hours}");
    }
}

async fn a_crew_of_one_of_two_is_too_few(w: World) {
    let id = booked(&w).await;
    with_crew(&w, id, &[1, 2]).await;
    w.clock.set(w.booking(id).await.move_at - Duration::hours(30));
    say(&w, 1, id, Act::Accept).await;
    say(&w, 2, id, Act::Decline).await;
    let declined = told(&w, id, Duration::hours(30)).await;
    both_of(&declined, "A mate declined a job");
    let short = told(&w, id, Duration::hours(24)).await;
    both_of(&short, "1/2");
    with_crew(&w, id, &[1, 3]).await;
    say(&w, 3, id, Act::Accept).await;
    assert_eq!(told(&w, id, Duration::hours(12)).await, []);
}

async fn a_move_that_is_moved_is_told_of_anew(w: World) {
    let id = booked(&w).await;
    both_of(&told(&w, id, Duration::hours(20)).await, "A move still lacks people");
    let later = EditInput { date: NaiveDate::from_ymd_opt(2027, 2, 26), ..EditInput::default() };
    edit::edit(&w.s, &w.ops, id, later, None).await.unwrap();
    assert_eq!(told(&w, id, Duration::hours(30)).await, []);
    both_of(&told(&w, id, Duration::hours(24)).await, "A move still lacks people");
}

async fn a_move_nobody_began_is_late(w: World) {
    let (late, begun, silent) = (booked(&w).await, booked(&w).await, booked(&w).await);
    with_crew(&w, late, &[1, 2]).await;
    with_crew(&w, begun, &[3, 4]).await;
    // These two have no account: that they said nothing is no alarm.
    for n in [5, 6] {
        let record = w.read(move |u| u.directory().mate(mate(n))).await.unwrap();
        let without = MateRecord { email: String::new(), ..record };
        w.write(move |u| u.directory().update_mate(&without)).await;
    }
    with_crew(&w, silent, &[5, 6]).await;
    w.clock.set(w.booking(late).await.move_at - Duration::hours(20));
    for (n, id) in [(1, late), (3, begun)] {
        say(&w, n, id, Act::Accept).await;
    }
    w.clock.set(w.booking(begun).await.move_at);
    say(&w, 4, begun, Act::Start).await;
    // The arrival window is half an hour either side.
    assert_eq!(told(&w, late, Duration::minutes(-44)).await, []);
    let first = told(&w, late, Duration::minutes(-60)).await;
    both_of(&first, "Nobody has started a move");
    assert!(first[0].1.contains(w.booking(late).await.short_id.as_str()), "{first:?}");
    for minutes in [-75, -180, -400] {
        assert_eq!(told(&w, late, Duration::minutes(minutes)).await, [], "{minutes}");
    }
}

async fn a_crew_that_never_answered_is_late_as_well(w: World) {
    let id = booked(&w).await;
    with_crew(&w, id, &[1, 2]).await;
    both_of(&told(&w, id, Duration::hours(18)).await, SILENT);
    assert_eq!(told(&w, id, Duration::minutes(-44)).await, []);
    both_of(&told(&w, id, Duration::minutes(-60)).await, "Nobody has started a move");
    for minutes in [-75, -180, -400] {
        assert_eq!(told(&w, id, Duration::minutes(minutes)).await, [], "{minutes}");
    }
}

/// Whom the board marks as somebody who should have said by now that they come.
async fn marked(w: &World, id: BookingId) -> Vec<String> {
    let day = Some(w.booking(id).await.move_date);
    let shown = board::board(&w.s, &w.staff(), None, (day, day)).await.unwrap();
    let job = shown.jobs.into_iter().find(|job| job.booking.id == id).unwrap();
    job.conflicts.into_iter().filter(|c| c.what == Wrong::Unconfirmed).filter_map(|c| c.who).collect()
}

const SILENT: &str = "A mate has not said that they come";

async fn who_says_nothing_is_told_of_eighteen_hours_before(w: World) {
    let id = booked(&w).await;
    with_crew(&w, id, &[1, 2]).await;
    assert_eq!(told(&w, id, Duration::minutes(18 * 60 + 11)).await, []);
    assert_eq!(marked(&w, id).await, [""; 0]);
    let first = told(&w, id, Duration::hours(18)).await;
    both_of(&first, SILENT);
    let names = format!("#{}, Mate1 Tester, Mate2 Tester", w.booking(id).await.short_id);
    assert!(first[0].1.contains(&names), "{first:?}");
    assert_eq!(marked(&w, id).await, ["Mate1 Tester", "Mate2 Tester"]);
    // Who speaks is not marked any more; of the other one it was told.
    say(&w, 1, id, Act::Accept).await;
    for hours in [17, 12, 1] {
        assert_eq!(told(&w, id, Duration::hours(hours)).await, [], "{hours}");
    }
    assert_eq!(marked(&w, id).await, ["Mate2 Tester"]);
    // Somebody else comes instead.
    with_crew(&w, id, &[1, 3]).await;
    assert_eq!(told(&w, id, Duration::minutes(10)).await, [], "he has had no hour to say it");
    assert_eq!(told(&w, id, Duration::minutes(-1)).await, []);
    assert_eq!(marked(&w, id).await, [""; 0], "it should have begun: that counts");
}

async fn who_says_that_they_come_or_is_replaced_is_not_told_of(w: World) {
    let (said, replaced, unasked) = (booked(&w).await, booked(&w).await, booked(&w).await);
    let record = w.read(|u| u.directory().mate(mate(6))).await.unwrap();
    let without = MateRecord { email: String::new(), ..record };
    w.write(move |u| u.directory().update_mate(&without)).await;
    with_crew(&w, said, &[1, 2]).await;
    with_crew(&w, replaced, &[3, 4]).await;
    // Nobody asked him by mail: he was told in person.
    with_crew(&w, unasked, &[5, 6]).await;
    w.clock.set(w.booking(said).await.move_at - Duration::hours(30));
    for (n, id) in [(1, said), (2, said), (3, replaced), (5, unasked)] {
        say(&w, n, id, Act::Accept).await;
    }
    with_crew(&w, replaced, &[3, 7]).await;
    say(&w, 7, replaced, Act::Accept).await;
    for hours in [18, 12, 1] {
        assert_eq!(told(&w, said, Duration::hours(hours)).await, [], "{hours}");
    }
}

async fn who_is_sent_late_has_an_hour_to_say_it(w: World) {
    let id = booked(&w).await;
    both_of(&told(&w, id, Duration::hours(11)).await, "A move still lacks people");
    w.clock.set(w.booking(id).await.move_at - Duration::hours(10));
    with_crew(&w, id, &[1, 2]).await;
    say(&w, 2, id, Act::Accept).await;
    assert_eq!(told(&w, id, Duration::minutes(9 * 60 + 11)).await, []);
    let first = told(&w, id, Duration::hours(9)).await;
    both_of(&first, SILENT);
    assert!(first[0].1.contains("Mate1 Tester") && !first[0].1.contains("Mate2 Tester"), "{first:?}");
    // Of him it was told; of another one who is sent later it was not.
    with_crew(&w, id, &[1, 3]).await;
    assert_eq!(told(&w, id, Duration::minutes(8 * 60 + 11)).await, []);
    let second = told(&w, id, Duration::hours(8)).await;
    both_of(&second, SILENT);
    assert!(second[0].1.contains("Mate3 Tester") && !second[0].1.contains("Mate1 Tester"), "{second:?}");
}
