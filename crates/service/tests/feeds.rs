//! Calendars by a secret link: what a mate and a hub read, what nobody reads there, and when a link ends.

use crate::support;

use std::path::Path;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use icalendar::{Calendar, CalendarDateTime, Component as _, DatePerhapsTime, Event, EventLike as _};
use kernel::{BookingId, Language, OpsMemberId, Province, UserId};
use service::{
    Actor, Caller, Error, ErrorCode, Role, ServiceResult, Staff,
    bookings::{
        cancel, crew,
        edit::{self, EditInput},
    },
    dispatch::name::{self, Named},
    feeds::{self, Made},
    mates,
    ports::{
        directory::{MateRecord, MateState},
        members::{Member, MemberRole},
        notes::{Note, Visibility},
    },
};
use status_machine::At;
use store::testing::TestDb;
use support::{World, draft, mate, mate_email};

in_both_worlds!(
    a_mate_reads_where_to_go_and_nothing_of_money,
    a_hub_reads_who_goes_where,
    a_job_keeps_its_identity,
    a_job_that_is_not_theirs_any_more_is_left_out,
    the_telephone_comes_and_goes,
    the_time_shown_is_a_month_back_and_a_year_ahead,
    a_new_link_ends_the_one_before,
    who_has_left_has_no_calendar,
    a_hubs_link_ends_with_who_made_it,
    what_people_type_breaks_no_line,
    the_files_are_those_other_parsers_read,
);

async fn world(db: TestDb) -> World {
    World::on(db, "2027-02-08T14:00:00Z".parse().unwrap()).await
}

/// One of the mates, signed in.
async fn me(w: &World, n: u128) -> Caller {
    let who = Caller { mate: Some(mate(n)), ..support::caller(Role::Mate, UserId(uuid::Uuid::from_u128(0x3a00 + n))) };
    w.person(&who, &format!("Mate{n} Tester"), mate_email(n).as_str(), w.clock.now_value()).await;
    who
}

/// Somebody of the back office who is in the database.
async fn desk(w: &World, n: u128, language: Language) -> Staff {
    let who = Caller { language, ..support::caller(Role::Ops, UserId(uuid::Uuid::from_u128(0x3b00 + n))) };
    let email = desk_email(n);
    w.person(&who, "Dana Desk", email.as_str(), w.clock.now_value()).await;
    w.write(move |u| {
        u.members().insert(&Member {
            id: OpsMemberId(uuid::Uuid::from_u128(0x3c00 + n)),
            email,
            first_name: "Dana".into(),
            last_name: "Desk".into(),
            role: MemberRole::Ops,
            partner_id: None,
            mate_id: None,
            created_at: "2027-02-08T14:00:00Z".parse().unwrap(),
            version: 1,
        })
    })
    .await;
    Staff::prove(&who).unwrap()
}

fn desk_email(n: u128) -> kernel::Email {
    format!("desk{n}@portage.test").parse().unwrap()
}

async fn job(w: &World, province: Province, on: u32, mates: &[u128]) -> BookingId {
    let day = NaiveDate::from_ymd_opt(2027, 2, on).unwrap();
    let id = w.book(draft(province, day, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id;
    if !mates.is_empty() {
        let mates = mates.iter().copied().map(mate).collect();
        name::name(&w.s, &w.staff(), id, Named::now(mates, None)).await.unwrap();
    }
    id
}

async fn edited(w: &World, id: BookingId, how: impl FnOnce(&mut service::ports::bookings::Booking) + Send + 'static) {
    w.write(move |u| {
        let mut b = u.bookings().get(id)?.unwrap();
        how(&mut b);
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
}

async fn note(w: &World, id: BookingId, n: u128, visibility: Visibility, text: &str) {
    let note = Note {
        id: kernel::NoteId(uuid::Uuid::from_u128(0x4000 + n)),
        booking_id: id,
        visibility,
        text: text.to_owned(),
        author: None,
        role: Some(status_machine::Role::Ops),
        created_at: w.clock.now_value(),
        mate: None,
    };
    w.write(move |u| u.notes().append(&note)).await;
}

fn token(made: &Made) -> String {
    let rest = made.url.strip_prefix("http://localhost:8080/api/feeds/").unwrap();
    rest.strip_suffix("/calendar.ics").unwrap().to_owned()
}

async fn text(w: &World, made: &Made) -> ServiceResult<String> {
    feeds::read::file(&w.s, &token(made)).await
}

#[track_caller]
fn gone<T: std::fmt::Debug>(told: ServiceResult<T>) {
    assert!(matches!(told, Err(Error::Refused(ErrorCode::NotFound, _))), "{told:?}");
}

/// The events, read by a parser; the lines are as the standard has them.
fn events(text: &str) -> Vec<Event> {
    assert!(text.lines().all(|line| line.len() <= 75), "{text}");
    assert!(text.split_inclusive('\n').all(|line| line.ends_with("\r\n")), "{text:?}");
    let calendar: Calendar = text.parse().unwrap();
    assert_eq!((calendar.property_value("VERSION"), calendar.property_value("METHOD")), (Some("2.0"), None));
    let found: Vec<Event> = calendar.iter().filter_map(|c| c.as_event().cloned()).collect();
    for event in &found {
        for needed in ["UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "SEQUENCE", "STATUS"] {
            assert!(event.property_value(needed).is_some_and(|v| !v.is_empty()), "{needed}: {event:?}");
        }
    }
    found
}

fn starts(event: &Event) -> DateTime<Utc> {
    match event.get_start() {
        Some(DatePerhapsTime::DateTime(CalendarDateTime::Utc(at))) => at,
        other => panic!("{other:?} is not in UTC"),
    }
}

async fn a_mate_reads_where_to_go_and_nothing_of_money(w: World) {
    let who = me(&w, 1).await;
    let id = job(&w, Province::BC, 22, &[1, 2]).await;
    job(&w, Province::BC, 23, &[2]).await;
    edited(&w, id, |b| {
        b.details.pickup.details = "Code 12, or write to bob@portage.test".into();
        b.details.pickup.address.unit = "4".into();
    })
    .await;
    note(&w, id, 1, Visibility::Crew, "Ring twice; mind the dog, ask ana@portage.test").await;
    note(&w, id, 2, Visibility::Staff, "pays late").await;
    let made = feeds::make_own(&w.s, &who).await.unwrap();
    let text = text(&w, &made).await.unwrap();
    let all = events(&text);
    assert_eq!(all.len(), 1, "{text}");
    let (event, b) = (&all[0], w.booking(id).await);
    assert_eq!((event.get_uid(), event.get_sequence()), (Some(id.to_string().as_str()), u32::try_from(b.version).ok()));
    // Nine in the morning in Vancouver, which keeps UTC-7 all the year.
    assert_eq!(starts(event), "2027-02-22T16:00:00Z".parse::<DateTime<Utc>>().unwrap());
    let told = event.get_description().unwrap();
    let summary = format!("Job {} · Vancouver → Vancouver", b.short_id);
    assert_eq!(event.get_summary(), Some(summary.as_str()));
    assert!(event.get_location().unwrap().starts_with("4, 1055 Canada Place, Vancouver"), "{event:?}");
    for said in
        ["Pickup: 4, 1055 Canada Place", "Drop-off: ", "Access: ", "Code 12", "Ring twice; mind the dog", "Ana Roy"]
    {
        assert!(told.contains(said), "{said}: {told}");
    }
    assert!(told.contains("Mate1 Tester, Mate2 Tester") && told.contains("/dashboard/my-jobs/"), "{told}");
    let unfolded = text.replace("\r\n ", "");
    for hidden in ["@", "$", "pays late", "555-0199", &b.total.to_string(), &b.amount.to_string()] {
        assert!(!unfolded.contains(hidden), "{hidden}: {unfolded}");
    }
    // In the language of the mate, as soon as they choose another one.
    let user = who.user.unwrap();
    w.speaks(user, Language::Zh).await;
    let text = feeds::read::file(&w.s, &token(&made)).await.unwrap();
    let told = events(&text)[0].get_description().unwrap().to_owned();
    assert!(told.contains("搬出地：") && told.contains("搬家团队：Mate1 Tester、Mate2 Tester"), "{told}");
    assert!(text.contains("X-WR-CALNAME:我的任务 – Portage"), "{text}");
}

async fn a_hub_reads_who_goes_where(w: World) {
    let staff = desk(&w, 1, Language::Fr).await;
    let hub = geography::hub("montreal").unwrap();
    let (with, without) = (job(&w, Province::QC, 22, &[3]).await, job(&w, Province::QC, 23, &[]).await);
    job(&w, Province::BC, 22, &[4]).await;
    note(&w, with, 1, Visibility::Crew, "Ring twice").await;
    let made = feeds::make_for_hub(&w.s, &staff, hub).await.unwrap();
    let text = text(&w, &made).await.unwrap();
    let all = events(&text);
    let uids: Vec<&str> = all.iter().filter_map(Event::get_uid).collect();
    assert_eq!(uids, [with.to_string(), without.to_string()]);
    let (first, second) = (w.booking(with).await, w.booking(without).await);
    assert_eq!(all[0].get_summary(), Some(format!("{} · assignée · Mate3 Tester", first.short_id).as_str()));
    assert_eq!(all[1].get_summary(), Some(format!("{} · en attente · équipe à nommer", second.short_id).as_str()));
    assert_eq!(
        (all[0].property_value("STATUS"), all[1].property_value("STATUS")),
        (Some("CONFIRMED"), Some("TENTATIVE"))
    );
    let told = all[0].get_description().unwrap();
    assert!(told.contains("Lieu de départ\u{a0}: 1200 Rue Peel") && told.contains("Lieu d’arrivée\u{a0}: "), "{told}");
    // Identities are random digits and letters: the telephone is looked for with what no identity contains.
    let unfolded = text.replace("\r\n ", "");
    for hidden in ["@", "$", "555-0199", "5145550199", "Ana Roy", "Ring twice"] {
        assert!(!unfolded.contains(hidden), "{hidden}: {unfolded}");
    }
    assert!(text.contains("X-WR-CALNAME:Déménagements\\, Montréal – Portage"), "{text}");
    // The same jobs are the same bytes.
    w.clock.set(w.clock.now_value() + Duration::hours(3));
    assert_eq!(feeds::read::file(&w.s, &token(&made)).await.unwrap(), text);
}

async fn a_job_keeps_its_identity(w: World) {
    let (who, staff) = (me(&w, 1).await, desk(&w, 1, Language::En).await);
    let id = job(&w, Province::QC, 22, &[1]).await;
    let mine = feeds::make_own(&w.s, &who).await.unwrap();
    let hubs = feeds::make_for_hub(&w.s, &staff, geography::hub("montreal").unwrap()).await.unwrap();
    let seen = async |made: &Made| events(&text(&w, made).await.unwrap()).remove(0);
    let before = [seen(&mine).await, seen(&hubs).await];
    w.clock.set(w.clock.now_value() + Duration::hours(1));
    let day = NaiveDate::from_ymd_opt(2027, 2, 25);
    edit::edit(&w.s, &w.customer, id, EditInput { date: day, ..EditInput::default() }, None).await.unwrap();
    let moved = w.booking(id).await;
    // The crew stayed, or was taken off by the move; the hub has the job in either case.
    let after = seen(&hubs).await;
    assert_eq!(after.get_uid(), before[1].get_uid());
    assert_eq!((starts(&after), after.get_sequence()), (moved.move_at, u32::try_from(moved.version).ok()));
    assert!(after.get_sequence() > before[1].get_sequence() && after.get_timestamp() > before[1].get_timestamp());
    // As in the mail to the customer.
    w.work().await;
    let sent = w.mailer.sent.lock().unwrap();
    let mail = sent.iter().rfind(|m| m.message_type == "bookingEdited").unwrap();
    let file = mail.attachments.iter().find(|a| a.file_name == "move.ics").unwrap().bytes().unwrap();
    let mailed: Calendar = String::from_utf8(file).unwrap().parse().unwrap();
    let mailed = mailed.iter().find_map(|c| c.as_event().cloned()).unwrap();
    assert_eq!((mailed.get_uid(), mailed.get_sequence()), (after.get_uid(), after.get_sequence()));
    assert_eq!(before[0].get_uid(), before[1].get_uid());
}

async fn a_job_that_is_not_theirs_any_more_is_left_out(w: World) {
    let (who, staff) = (me(&w, 1).await, desk(&w, 1, Language::En).await);
    let (first, second) = (job(&w, Province::QC, 22, &[1]).await, job(&w, Province::QC, 23, &[1]).await);
    let mine = feeds::make_own(&w.s, &who).await.unwrap();
    let hubs = feeds::make_for_hub(&w.s, &staff, geography::hub("montreal").unwrap()).await.unwrap();
    assert_eq!(events(&text(&w, &mine).await.unwrap()).len(), 2);
    name::name(&w.s, &w.staff(), first, Named::now(vec![mate(2)], None)).await.unwrap();
    let left = text(&w, &mine).await.unwrap();
    assert!(events(&left).len() == 1 && !left.contains(&first.to_string()), "{left}");
    cancel::cancel(&w.s, &w.customer, second).await.unwrap();
    assert_eq!(events(&text(&w, &mine).await.unwrap()).len(), 0);
    let hub = text(&w, &hubs).await.unwrap();
    assert!(events(&hub).len() == 1 && !hub.contains(&second.to_string()), "{hub}");
}

async fn the_telephone_comes_and_goes(w: World) {
    let who = me(&w, 1).await;
    let id = job(&w, Province::QC, 22, &[1]).await;
    edited(&w, id, |b| {
        b.details.customer_phone = "514-555-0177".into();
        b.details.pickup.details = "Code 12".into();
    })
    .await;
    note(&w, id, 1, Visibility::Crew, "Ring twice").await;
    let made = feeds::make_own(&w.s, &who).await.unwrap();
    let begins = w.booking(id).await.move_at;
    let mut stamps = Vec::new();
    for (at, telephone, current) in [
        (begins - Duration::hours(24) - Duration::minutes(1), false, true),
        (begins - Duration::hours(24), true, true),
        (begins + Duration::hours(36), true, true),
        (begins + Duration::hours(36) + Duration::minutes(1), false, false),
        (begins + Duration::days(29), false, false),
    ] {
        w.clock.set(at);
        let event = events(&text(&w, &made).await.unwrap()).remove(0);
        let told = event.get_description().unwrap();
        assert_eq!(told.contains("514-555-0177"), telephone, "{at}: {told}");
        for door in ["Code 12", "Ring twice", "Ana Roy"] {
            assert_eq!(told.contains(door), current, "{at}: {told}");
        }
        stamps.push(event.get_timestamp().unwrap());
    }
    assert!(
        stamps.is_sorted() && stamps[1] > stamps[0] && stamps[3] > stamps[2],
        "a program that compares the stamps reads the number"
    );
}

async fn the_time_shown_is_a_month_back_and_a_year_ahead(w: World) {
    let who = me(&w, 1).await;
    let id = job(&w, Province::QC, 22, &[1]).await;
    let made = feeds::make_own(&w.s, &who).await.unwrap();
    let begins = w.booking(id).await.move_at;
    for (now, shown) in [
        (begins - Duration::days(365), 0),
        (begins - Duration::days(365) + Duration::seconds(1), 1),
        (begins + Duration::days(30), 1),
        (begins + Duration::days(30) + Duration::seconds(1), 0),
    ] {
        w.clock.set(now);
        assert_eq!(events(&text(&w, &made).await.unwrap()).len(), shown, "{now}");
    }
}

async fn a_new_link_ends_the_one_before(w: World) {
    let (who, other, staff) = (me(&w, 1).await, me(&w, 2).await, desk(&w, 1, Language::En).await);
    assert_eq!(feeds::own(&w.s, &who).await.unwrap(), None);
    let first = feeds::make_own(&w.s, &who).await.unwrap();
    assert_eq!(token(&first).len(), 43);
    let standing = feeds::of_mate(&w.s, &staff, mate(1)).await.unwrap().unwrap();
    assert_eq!((standing.id, standing.by.as_deref()), (first.id, Some("Mate1 Tester")));
    // Staff make one for the mate: the mate's own ends, and the mate sees who did it.
    let second = feeds::make_for_mate(&w.s, &staff, mate(1)).await.unwrap();
    gone(text(&w, &first).await);
    assert!(text(&w, &second).await.is_ok());
    assert_eq!(feeds::own(&w.s, &who).await.unwrap().unwrap().by.as_deref(), Some("Dana Desk"));
    // Somebody else's is not there, nor one that has ended.
    gone(feeds::revoke_own(&w.s, &other, second.id).await);
    gone(feeds::revoke_own(&w.s, &who, first.id).await);
    gone(feeds::revoke(&w.s, &staff, first.id).await);
    gone(feeds::revoke_own(&w.s, &w.customer, second.id).await);
    assert!(text(&w, &second).await.is_ok());
    feeds::revoke_own(&w.s, &who, second.id).await.unwrap();
    gone(text(&w, &second).await);
    gone(feeds::revoke_own(&w.s, &who, second.id).await);
    assert_eq!(feeds::own(&w.s, &who).await.unwrap(), None);
    // Who is no mate has none.
    gone(feeds::own(&w.s, &w.customer).await);
    gone(feeds::make_own(&w.s, staff.caller()).await);
    gone(feeds::make_for_mate(&w.s, &staff, mate(99)).await);
    gone(feeds::of_mate(&w.s, &staff, mate(99)).await);
    for nonsense in ["", "x", &"x".repeat(43)] {
        gone(feeds::read::file(&w.s, nonsense).await);
    }
    // Neither secret nor hash is kept in the trail.
    let (made, ended) = (second.id.to_string(), second.id.to_string());
    let rows = w.read(move |u| u.audits().of_subject("feed", &made)).await;
    assert_eq!(rows.iter().map(|row| row.action.as_str()).collect::<Vec<_>>(), ["feed.make", "feed.revoke"]);
    for row in &rows {
        let kept = format!("{:?} {:?}", row.before, row.after);
        assert!(!kept.contains(&token(&second)) && !kept.contains(&service::secret::hash(&token(&second)).0), "{kept}");
        assert!(kept.contains(&ended), "{kept}");
    }
}

async fn who_has_left_has_no_calendar(w: World) {
    let (who, locked, staff) = (me(&w, 1).await, me(&w, 2).await, desk(&w, 1, Language::En).await);
    let mine = feeds::make_own(&w.s, &who).await.unwrap();
    crew::dismiss(&w.s, mate_email(1), Actor::system()).await.unwrap();
    gone(text(&w, &mine).await);
    gone(feeds::make_for_mate(&w.s, &staff, mate(1)).await);
    // Who comes back gets a new link; the old one stays where it is.
    w.write(|u| {
        let known = u.directory().mate(mate(1))?.unwrap();
        u.directory().update_mate(&MateRecord { state: At::stored(MateState::Active), ..known })
    })
    .await;
    gone(text(&w, &mine).await);
    assert!(text(&w, &feeds::make_for_mate(&w.s, &staff, mate(1)).await.unwrap()).await.is_ok());
    // Archived on the page of mates.
    let third = feeds::make_for_mate(&w.s, &staff, mate(3)).await.unwrap();
    let known = w.read(|u| u.directory().mate(mate(3))).await.unwrap();
    let form = mates::Form {
        name: known.name,
        address: known.address,
        phone: known.phone,
        email: known.email,
        neq: String::new(),
        tps: String::new(),
        tvq: String::new(),
        skills: known.skills,
        languages: known.languages,
        hubs: known.hubs,
        documents: known.documents,
        pay_rate: known.pay_rate,
        state: Some(MateState::Archived),
    };
    mates::put(&w.s, &staff, mate(3), form, known.version).await.unwrap();
    gone(text(&w, &third).await);
    assert_eq!(w.read(move |u| u.feeds().get(third.id)).await, None);
    // Locked out, and let in again.
    let theirs = feeds::make_own(&w.s, &locked).await.unwrap();
    let (user, now) = (locked.user.unwrap(), w.clock.now_value());
    w.write(move |u| u.accounts().set_disabled(user, Some(now), now)).await;
    gone(text(&w, &theirs).await);
    assert_eq!(feeds::of_mate(&w.s, &staff, mate(2)).await.unwrap(), None);
    w.write(move |u| u.accounts().set_disabled(user, None, now)).await;
    assert!(text(&w, &theirs).await.is_ok());
}

async fn a_hubs_link_ends_with_who_made_it(w: World) {
    let (first, second) = (desk(&w, 1, Language::En).await, desk(&w, 2, Language::En).await);
    let hub = geography::hub("montreal").unwrap();
    let made = feeds::make_for_hub(&w.s, &first, hub).await.unwrap();
    let (user, now) = (first.caller().user.unwrap(), w.clock.now_value());
    w.write(move |u| u.accounts().set_disabled(user, Some(now), now)).await;
    gone(text(&w, &made).await);
    w.write(move |u| u.accounts().set_disabled(user, None, now)).await;
    assert!(text(&w, &made).await.is_ok());
    crew::dismiss(&w.s, desk_email(1), Actor::system()).await.unwrap();
    gone(text(&w, &made).await);
    assert_eq!(feeds::of_hub(&w.s, &second, hub).await.unwrap(), None);
    let again = feeds::make_for_hub(&w.s, &second, hub).await.unwrap();
    assert!(text(&w, &again).await.is_ok());
    feeds::revoke(&w.s, &second, again.id).await.unwrap();
    gone(text(&w, &again).await);
}

async fn what_people_type_breaks_no_line(w: World) {
    let who = me(&w, 1).await;
    let id = job(&w, Province::QC, 22, &[1]).await;
    let typed = "one\r\nEND:VEVENT\r\nBEGIN:VEVENT\rtwo\u{7}; three\\, four\u{0}\n五五五五五五五五五五五五五五五五五五五五五五五五五五五五五五 🛋️";
    note(&w, id, 1, Visibility::Crew, &typed.replace('\u{0}', "")).await;
    edited(&w, id, |b| b.details.pickup.address.city = "Mont\r\nréal; , \\n".into()).await;
    let made = feeds::make_own(&w.s, &who).await.unwrap();
    let text = text(&w, &made).await.unwrap();
    let all = events(&text);
    assert_eq!(all.len(), 1, "{text}");
    let told = all[0].get_description().unwrap();
    assert!(told.contains("one\nEND:VEVENT\nBEGIN:VEVENT\ntwo; three\\, four\n五五"), "{told:?}");
    assert!(all[0].get_summary().unwrap().contains("Mont\nréal; , \\n → "), "{all:?}");
}

/// The most a file holds, on the database that has them: the nearest jobs, read a few at a time.
#[tokio::test]
async fn a_file_has_an_end() {
    let w = world(TestDb::sqlite()).await;
    let staff = desk(&w, 1, Language::En).await;
    let first = job(&w, Province::QC, 22, &[]).await;
    let first = w.booking(first).await;
    let furthest = w
        .write(move |u| {
            let mut b = first;
            for n in 1..=5_000_u32 {
                b.id = BookingId(uuid::Uuid::from_u128(0x5000_0000 + u128::from(n)));
                let digits = [n, n / 30, n / 900, n / 27_000, 7, 11].map(|part| u8::try_from(part % 30).unwrap_or(0));
                b.short_id = kernel::ShortId::from_entropy(digits);
                b.move_at += Duration::minutes(30);
                u.bookings().insert(&b)?;
            }
            Ok(b.id)
        })
        .await;
    let made = feeds::make_for_hub(&w.s, &staff, geography::hub("montreal").unwrap()).await.unwrap();
    let text = text(&w, &made).await.unwrap();
    assert_eq!(text.matches("BEGIN:VEVENT").count(), 5_000);
    assert!(text.ends_with("END:VEVENT\r\nEND:VCALENDAR\r\n"), "it ends whole");
    assert!(!text.contains(&furthest.to_string()), "the furthest is the one that is left out");
    assert!(text.len() < 5_000 * 1_000, "{}", text.len());
}

/// The files that `frontend/test/feeds.test.ts` reads with a parser of somebody else. `PORTAGE_UPDATE_FEEDS=1` writes them anew.
async fn the_files_are_those_other_parsers_read(w: World) {
    let (who, staff) = (me(&w, 1).await, desk(&w, 1, Language::Fr).await);
    let user = who.user.unwrap();
    let mine = feeds::make_own(&w.s, &who).await.unwrap();
    let hubs = feeds::make_for_hub(&w.s, &staff, geography::hub("montreal").unwrap()).await.unwrap();
    let jobs = [
        job(&w, Province::QC, 9, &[1, 2]).await,
        job(&w, Province::AB, 22, &[1]).await,
        job(&w, Province::BC, 25, &[1]).await,
        job(&w, Province::QC, 26, &[]).await,
    ];
    edited(&w, jobs[0], |b| {
        b.details.pickup.details = "Sonnez 2 fois; code 12, \\ 5".into();
        b.details.customer_name = "王小明".into();
    })
    .await;
    note(&w, jobs[0], 1, Visibility::Crew, "Attention au chien\nEntrée par la ruelle, s’il vous plaît").await;
    w.write(move |u| {
        let mut profile = u.profiles().get(user)?.unwrap();
        profile.language = Language::Fr;
        let version = profile.version;
        u.profiles().update(&profile, version)
    })
    .await;
    for (file, made) in [("mate.ics", mine), ("hub.ics", hubs)] {
        let mut told = text(&w, &made).await.unwrap();
        events(&told);
        // What is drawn by chance is as long as what stands in its place.
        for (n, id) in jobs.iter().enumerate() {
            let short = w.booking(*id).await.short_id.to_string();
            told = told.replace("\r\n ", "");
            told = told.replace(&id.to_string(), &format!("01900000-0000-7000-8000-00000000000{n}"));
            told = told.replace(&short, &format!("AAAA{n}A"));
        }
        let told = folded(&told);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(file);
        if std::env::var_os("PORTAGE_UPDATE_FEEDS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &told).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(told, kept, "{file} is not what a feed says: PORTAGE_UPDATE_FEEDS=1");
    }
}

/// Lines of at most 75 bytes.
fn folded(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_terminator("\r\n") {
        let mut room = 75;
        for c in line.chars() {
            if c.len_utf8() > room {
                out.push_str("\r\n ");
                room = 74;
            }
            out.push(c);
            room -= c.len_utf8();
        }
        out.push_str("\r\n");
    }
    out
}
