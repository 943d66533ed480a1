//! What mates see and say of their jobs: theirs only, once, in order, also when it reaches us later.

use std::collections::BTreeSet;

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Province, UserId};
use service::{
    Caller, Error, ErrorCode, Role, ServiceResult,
    bookings::{
        cancel,
        edit::{self, EditInput},
    },
    calendar::absences,
    dispatch::{
        board,
        jobs::{self, CrewJob, MyJob},
        name::{self, Named},
        sheet,
    },
    ports::{dispatch::Act, members::MemberRole, notes::Visibility},
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft, mate};

in_both_worlds!(
    a_mate_sees_their_own_jobs_only,
    a_day_on_paper_has_what_takes_place,
    the_telephone_is_shown_from_the_day_before,
    an_act_is_said_once,
    a_declined_job_waits_for_a_crew_again,
    one_of_two_declines_and_the_other_stays,
    start_and_finish_arrive_late_and_in_order,
    a_wrong_clock_loses_no_work,
    what_changed_meanwhile_is_told,
    another_start_is_asked_anew,
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

async fn booked(w: &World, on: u32) -> BookingId {
    let day = NaiveDate::from_ymd_opt(2027, 2, on).unwrap();
    w.book(draft(Province::QC, day, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

async fn with_crew(w: &World, on: u32, mates: &[u128]) -> BookingId {
    let id = booked(w, on).await;
    let mates = mates.iter().copied().map(mate).collect();
    name::name(&w.s, &w.staff(), id, Named::now(mates, None)).await.unwrap();
    id
}

async fn say(w: &World, n: u128, id: BookingId, act: Act, at: Option<DateTime<Utc>>) -> ServiceResult<Option<MyJob>> {
    jobs::act(&w.s, &me(n), id, act, at).await
}

#[track_caller]
fn refused<T: std::fmt::Debug>(told: ServiceResult<T>) -> ErrorCode {
    match told {
        Err(Error::Refused(code, _)) => code,
        other => panic!("{other:?}"),
    }
}

async fn a_mate_sees_their_own_jobs_only(w: World) {
    let (mine, theirs) = (with_crew(&w, 22, &[1, 2]).await, with_crew(&w, 23, &[3]).await);
    let ids = |jobs: Vec<MyJob>| jobs.iter().map(|j| j.told.job.booking.id).collect::<Vec<_>>();
    assert_eq!(ids(jobs::list(&w.s, &me(1)).await.unwrap()), [mine]);
    assert_eq!(ids(jobs::list(&w.s, &me(3)).await.unwrap()), [theirs]);
    assert_eq!(ids(jobs::list(&w.s, &me(4)).await.unwrap()), []);
    assert_eq!(ids(jobs::list(&w.s, &w.ops).await.unwrap()), [], "staff who are no mate have no jobs");
    assert_eq!(refused(jobs::one(&w.s, &me(1), theirs).await), ErrorCode::NotFound);
    assert_eq!(refused(jobs::one(&w.s, &w.ops, theirs).await), ErrorCode::NotFound);
    for act in Act::ALL {
        assert_eq!(refused(say(&w, 1, theirs, act, None).await), ErrorCode::NotFound, "{act:?}");
    }
    // What staff wrote for the crew, and nothing else.
    w.write(move |u| {
        for (n, (visibility, text)) in
            [(Visibility::Staff, "pays late"), (Visibility::Crew, "Ring twice")].into_iter().enumerate()
        {
            u.notes().append(&service::ports::notes::Note {
                id: kernel::NoteId(uuid::Uuid::from_u128(0x4000 + n as u128)),
                booking_id: mine,
                visibility,
                text: text.to_owned(),
                author: None,
                role: Some(status_machine::Role::Ops),
                created_at: start(),
                mate: None,
            })?;
        }
        Ok(())
    })
    .await;
    let job = jobs::one(&w.s, &me(1), mine).await.unwrap();
    assert_eq!(job.told.notes, ["Ring twice"]);
    assert_eq!((job.told.job.crew.len(), job.may_decline, job.may_start, job.may_finish), (2, true, false, false));
    // A day and a half after its start it is not on the list any more.
    w.clock.set(w.booking(mine).await.move_at + Duration::hours(37));
    assert_eq!(ids(jobs::list(&w.s, &me(1)).await.unwrap()), []);
}

async fn sheet_of(w: &World, on: u32) -> sheet::Sheet {
    let day = NaiveDate::from_ymd_opt(2027, 2, on).unwrap();
    sheet::sheet(&w.s, &w.staff(), geography::hub("montreal").unwrap(), day).await.unwrap()
}

async fn on_paper(w: &World, on: u32) -> Vec<CrewJob> {
    sheet_of(w, on).await.jobs
}

async fn a_day_on_paper_has_what_takes_place(w: World) {
    let (kept, other, gone) = (with_crew(&w, 22, &[1, 2]).await, booked(&w, 22).await, booked(&w, 22).await);
    with_crew(&w, 23, &[3]).await;
    cancel::cancel(&w.s, &w.customer, gone).await.unwrap();
    let jobs = on_paper(&w, 22).await;
    let ids: BTreeSet<BookingId> = jobs.iter().map(|j| j.job.booking.id).collect();
    assert_eq!((jobs.len(), ids), (2, BTreeSet::from([kept, other])), "also what nobody goes to yet");
    assert_eq!(jobs.iter().map(|j| j.job.crew.len()).sum::<usize>(), 2);
    let toronto = geography::hub("toronto").unwrap();
    let day = NaiveDate::from_ymd_opt(2027, 2, 22).unwrap();
    assert_eq!(sheet::sheet(&w.s, &w.staff(), toronto, day).await.unwrap().jobs.len(), 0);
    // Who is on it is told once, with the languages they read; and who does not come, while nobody goes instead.
    let sick = absences::Form {
        mate: Some(mate(2)),
        truck: None,
        hub: Some("montreal".to_owned()),
        first: day,
        last: day,
        reason: "ill".to_owned(),
    };
    absences::add(&w.s, &w.staff(), sick, None).await.unwrap();
    let mates = sheet_of(&w, 22).await.mates;
    assert_eq!(mates.iter().map(|m| (m.mate, m.away)).collect::<Vec<_>>(), [(mate(1), false), (mate(2), true)]);
}

async fn the_telephone_is_shown_from_the_day_before(w: World) {
    let id = with_crew(&w, 22, &[1]).await;
    w.write(move |u| {
        let mut b = u.bookings().get(id)?.unwrap();
        b.details.customer_phone = "514-555-0177".to_owned();
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    let starts = w.booking(id).await.move_at;
    for (before, shown) in [(Duration::minutes(24 * 60 + 1), None), (Duration::hours(24), Some("514-555-0177"))] {
        w.clock.set(starts - before);
        assert_eq!(jobs::one(&w.s, &me(1), id).await.unwrap().told.phone.as_deref(), shown);
        assert_eq!(on_paper(&w, 22).await[0].phone.as_deref(), shown, "no paper tells it earlier");
    }
}

async fn an_act_is_said_once(w: World) {
    let id = with_crew(&w, 22, &[1]).await;
    w.clock.set(start() + Duration::hours(1));
    let first = say(&w, 1, id, Act::Accept, None).await.unwrap().unwrap();
    assert_eq!(first.mine.accepted_at, Some(start() + Duration::hours(1)));
    w.clock.set(start() + Duration::hours(2));
    let again = say(&w, 1, id, Act::Accept, None).await.unwrap().unwrap();
    assert_eq!(again.mine.accepted_at, first.mine.accepted_at);
    let trail = w.read(move |u| u.audits().of_subject("crew", &id.to_string())).await;
    assert_eq!(trail.iter().filter(|row| row.action == "crew.accept").count(), 1);
    // The board shows it.
    let day = NaiveDate::from_ymd_opt(2027, 2, 22);
    let board = board::board(&w.s, &w.staff(), None, (day, day)).await.unwrap();
    assert_eq!(board.jobs[0].crew[0].accepted_at, first.mine.accepted_at);
    // Nobody begins so long before, whatever their clock says.
    for at in [w.clock.now_value() + Duration::minutes(6), start() - Duration::minutes(6)] {
        let told = say(&w, 1, id, Act::Start, Some(at)).await;
        assert!(matches!(told, Err(Error::Invalid(ref fields)) if fields[0].field == "at"), "{told:?}");
    }
}

async fn a_declined_job_waits_for_a_crew_again(w: World) {
    let id = with_crew(&w, 22, &[1]).await;
    w.write(|u| {
        u.members()
            .insert(&service::ports::members::Member {
                id: kernel::OpsMemberId(uuid::Uuid::from_u128(0x0b5)),
                email: "dispatch@portage.test".parse().unwrap(),
                first_name: "Dana".into(),
                last_name: "Desk".into(),
                role: MemberRole::Ops,
                partner_id: None,
                mate_id: None,
                created_at: start(),
                version: 1,
            })
            .map(drop)
    })
    .await;
    w.shown("Dana Desk", "dispatch@portage.test").await;
    assert!(say(&w, 1, id, Act::Decline, None).await.unwrap().is_none());
    // The answer may have been lost.
    assert!(say(&w, 1, id, Act::Decline, None).await.unwrap().is_none());
    let b = w.booking(id).await;
    let history = w.read(move |u| u.booking_history().status_history(id)).await;
    let last = history.last().unwrap();
    assert_eq!((b.status, last.reason.as_deref()), (Status::Pending, Some("crew_declined")));
    assert_eq!(refused(jobs::one(&w.s, &me(1), id).await), ErrorCode::NotFound);
    let day = Some(b.move_date);
    let board = board::board(&w.s, &w.staff(), None, (day, day)).await.unwrap();
    assert_eq!(board.unassigned, [id]);
    w.work().await;
    let sent = w.mailer.sent.lock().unwrap();
    let alarms: Vec<_> = sent.iter().filter(|m| m.message_type == "opsAlert").collect();
    assert_eq!(alarms.len(), 1, "once, also when it is said twice");
    assert!(alarms[0].to.as_str() == "dispatch@portage.test" && alarms[0].text.contains("Mate1 Tester"));
    assert!(sent.iter().all(|m| m.message_type != "mateReleased"), "who said no is not told that it is not theirs");
}

async fn one_of_two_declines_and_the_other_stays(w: World) {
    let id = with_crew(&w, 22, &[1, 2]).await;
    say(&w, 2, id, Act::Accept, None).await.unwrap();
    say(&w, 1, id, Act::Decline, None).await.unwrap();
    let job = jobs::one(&w.s, &me(2), id).await.unwrap();
    assert_eq!((job.told.job.booking.status, job.told.job.crew.len()), (Status::Assigned, 1));
    assert!(job.mine.accepted_at.is_some());
    let day = Some(job.told.job.booking.move_date);
    let board = board::board(&w.s, &w.staff(), None, (day, day)).await.unwrap();
    assert_eq!(board.unassigned, [id], "it lacks somebody");
    // Sent anew, he is asked anew.
    w.clock.set(start() + Duration::minutes(1));
    let named = Named::now(vec![mate(1), mate(2)], None);
    name::name(&w.s, &w.staff(), id, named).await.unwrap();
    let mine = jobs::one(&w.s, &me(1), id).await.unwrap().mine;
    assert_eq!((mine.accepted_at, mine.started_at), (None, None));
}

async fn start_and_finish_arrive_late_and_in_order(w: World) {
    let id = with_crew(&w, 22, &[1, 2]).await;
    let starts = w.booking(id).await.move_at;
    let (began, ended) = (starts + Duration::minutes(4), starts + Duration::minutes(130));
    // Long before the day nobody begins.
    let told = say(&w, 1, id, Act::Start, None).await;
    assert!(matches!(told, Err(Error::Invalid(_))), "{told:?}");
    // There was no signal: both reach us in the evening.
    w.clock.set(starts + Duration::hours(9));
    assert_eq!(refused(say(&w, 1, id, Act::Finish, Some(ended)).await), ErrorCode::JobOrder);
    say(&w, 1, id, Act::Start, Some(began)).await.unwrap();
    assert_eq!(refused(say(&w, 1, id, Act::Finish, Some(began - Duration::minutes(1))).await), ErrorCode::JobOrder);
    assert_eq!(refused(say(&w, 1, id, Act::Decline, None).await), ErrorCode::JobOrder);
    let done = say(&w, 1, id, Act::Finish, Some(ended)).await.unwrap().unwrap();
    assert_eq!((done.mine.started_at, done.mine.finished_at), (Some(began), Some(ended)));
    let b = w.booking(id).await;
    assert_eq!((b.status, b.completed_at), (Status::Completed, Some(w.clock.now_value())));
    let history = w.read(move |u| u.booking_history().status_history(id)).await;
    assert_eq!(history.last().unwrap().role, Some(status_machine::Role::Mate));
    // Sent once more it is the same; and the other writes down his own hours of a move that is done.
    let again = say(&w, 1, id, Act::Finish, Some(ended)).await.unwrap().unwrap();
    assert_eq!(again.mine.finished_at, Some(ended));
    say(&w, 2, id, Act::Start, Some(began)).await.unwrap();
    let other = say(&w, 2, id, Act::Finish, Some(ended + Duration::minutes(5))).await.unwrap().unwrap();
    assert_eq!(other.mine.finished_at, Some(ended + Duration::minutes(5)));
    let history = w.read(move |u| u.booking_history().status_history(id)).await;
    assert_eq!(history.iter().filter(|h| h.to == Status::Completed).count(), 1);
}

async fn a_wrong_clock_loses_no_work(w: World) {
    let mut ids = Vec::new();
    for on in [22, 23, 24] {
        ids.push(with_crew(&w, on, &[1]).await);
    }
    for (n, id) in ids.into_iter().enumerate() {
        let starts = w.booking(id).await.move_at;
        // A clock from before he was on it, one that is ahead, and one that says an instant at which nobody may begin yet.
        let clock = [start() - Duration::days(400), starts + Duration::days(3), starts - Duration::hours(9)][n];
        let (began, ended) = (starts + Duration::minutes(3), starts + Duration::hours(3));
        w.clock.set(began);
        let begun = say(&w, 1, id, Act::Start, Some(clock)).await.unwrap().unwrap();
        assert_eq!(begun.mine.started_at, Some(began), "{clock}: it is when we heard of it");
        // The answer may have been lost.
        w.clock.set(began + Duration::seconds(20));
        let again = say(&w, 1, id, Act::Start, Some(clock)).await.unwrap().unwrap();
        assert_eq!(again.mine.started_at, Some(began));
        w.clock.set(ended);
        let done = say(&w, 1, id, Act::Finish, Some(clock + Duration::hours(3))).await.unwrap().unwrap();
        assert_eq!(done.mine.finished_at, Some(ended), "{clock}");
        assert_eq!(w.booking(id).await.status, Status::Completed);
        // The trail has what the clock said.
        let trail = w.read(move |u| u.audits().of_subject("crew", &id.to_string())).await;
        for (action, said) in [("crew.start", clock), ("crew.finish", clock + Duration::hours(3))] {
            let row = trail.iter().find(|row| row.action == action).unwrap();
            let told: DateTime<Utc> = row.after.as_ref().unwrap()["clockSaid"].as_str().unwrap().parse().unwrap();
            assert_eq!(told, said, "{action}");
        }
    }
}

async fn what_changed_meanwhile_is_told(w: World) {
    let id = with_crew(&w, 22, &[1]).await;
    let starts = w.booking(id).await.move_at;
    // Somebody else goes: it is not theirs any more.
    let named = Named::now(vec![mate(2)], None);
    name::name(&w.s, &w.staff(), id, named).await.unwrap();
    w.clock.set(starts + Duration::minutes(5));
    assert_eq!(refused(say(&w, 1, id, Act::Start, Some(starts)).await), ErrorCode::NotFound);
    // It went back to pending while somebody stayed on it, as no use case does: it cannot begin.
    w.write(move |u| {
        let mut b = u.bookings().get(id)?.unwrap();
        b.status = Status::Pending;
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    assert_eq!(refused(say(&w, 2, id, Act::Start, Some(starts)).await), ErrorCode::TransitionRefused);
    assert_eq!(w.read(move |u| u.dispatches().acts_of(&[id])).await, []);
}

async fn another_start_is_asked_anew(w: World) {
    let id = with_crew(&w, 22, &[1, 2]).await;
    let starts = w.booking(id).await.move_at;
    assert_eq!(jobs::one(&w.s, &me(1), id).await.unwrap().answer_by, Some(starts - Duration::hours(18)));
    w.clock.set(start() + Duration::hours(1));
    let came = say(&w, 1, id, Act::Accept, None).await.unwrap().unwrap();
    assert_eq!((came.mine.accepted_at, came.answer_by), (Some(start() + Duration::hours(1)), None));
    // What changes nothing of when it is leaves what was said.
    w.clock.set(start() + Duration::hours(2));
    let comment = EditInput { comments: Some("Third door".into()), ..EditInput::default() };
    edit::edit(&w.s, &w.ops, id, comment, None).await.unwrap();
    assert!(jobs::one(&w.s, &me(1), id).await.unwrap().mine.accepted_at.is_some());
    let later = EditInput { date: NaiveDate::from_ymd_opt(2027, 2, 26), ..EditInput::default() };
    edit::edit(&w.s, &w.ops, id, later, None).await.unwrap();
    let asked = jobs::one(&w.s, &me(1), id).await.unwrap();
    let moved = w.booking(id).await.move_at;
    assert_eq!((asked.mine.accepted_at, asked.answer_by), (None, Some(moved - Duration::hours(18))));
    // A yes to the former start reaches us now: it is about another time.
    let told = say(&w, 2, id, Act::Accept, Some(start() + Duration::minutes(70))).await;
    assert!(matches!(told, Err(Error::Invalid(ref fields)) if fields[0].field == "at"), "{told:?}");
    say(&w, 2, id, Act::Accept, None).await.unwrap();
}
