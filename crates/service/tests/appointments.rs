//! The move as an appointment in mails: one identity however often it is moved, a sequence that rises, taken back with it.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{Email, Province};
use service::bookings::{
    cancel,
    edit::{self, EditInput},
    status::{self, StatusInput},
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft};

in_both_worlds!(a_move_is_one_appointment, an_appointment_goes_along_when_the_mail_is_sent_again);

async fn world(db: TestDb) -> World {
    World::on(db, "2027-02-08T14:00:00Z".parse().unwrap()).await
}

/// The lines of the appointment with the last message of a kind, unfolded.
fn lines(w: &World, kind: &str) -> Vec<String> {
    let sent = w.mailer.sent.lock().unwrap();
    let mail = sent.iter().rfind(|m| m.message_type == kind).unwrap_or_else(|| panic!("no {kind}"));
    let file = mail.attachments.iter().find(|a| a.file_name == "move.ics").unwrap();
    let text = String::from_utf8(file.bytes().unwrap()).unwrap();
    assert!(text.lines().all(|line| line.len() <= 75), "{text}");
    assert!(text.split_inclusive('\n').all(|line| line.ends_with("\r\n")), "{text:?}");
    let lines: Vec<String> = text.replace("\r\n ", "").lines().map(str::to_owned).collect();
    let method = lines.iter().find_map(|line| line.strip_prefix("METHOD:")).unwrap();
    assert_eq!(file.mime, format!("text/calendar; charset=utf-8; method={method}"));
    lines
}

#[track_caller]
fn value<'a>(lines: &'a [String], name: &str) -> &'a str {
    let named =
        lines.iter().filter_map(|line| line.split_once(':')).filter(|(key, _)| key.split(';').next() == Some(name));
    let found: Vec<&str> = named.map(|(_, value)| value).collect();
    assert_eq!(found.len(), 1, "{name}: {lines:?}");
    found[0]
}

fn instant(at: DateTime<Utc>) -> String {
    at.format("%Y%m%dT%H%M%SZ").to_string()
}

async fn a_move_is_one_appointment(w: World) {
    let day = |day| NaiveDate::from_ymd_opt(2027, 2, day).unwrap();
    let nine = NaiveTime::from_hms_opt(9, 0, 0).unwrap();
    let id = w.book(draft(Province::QC, day(22), nine), None).await.unwrap().booking.id;
    w.work().await;
    let booked = w.booking(id).await;
    let first = lines(&w, "bookingConfirmation");
    assert_eq!((first[0].as_str(), first[first.len() - 1].as_str()), ("BEGIN:VCALENDAR", "END:VCALENDAR"));
    assert_eq!(value(&first, "METHOD"), "REQUEST");
    assert_eq!(value(&first, "UID"), id.to_string());
    assert_eq!(value(&first, "STATUS"), "CONFIRMED");
    assert_eq!(value(&first, "DTSTART"), instant(booked.move_at));
    let ends = booked.move_at + Duration::minutes(i64::from(booked.duration_minutes));
    assert_eq!(value(&first, "DTEND"), instant(ends));
    assert_eq!(value(&first, "SUMMARY"), format!("Your move #{}", booked.short_id));
    assert_eq!(value(&first, "LOCATION"), booked.details.pickup.address.line().replace(',', "\\,"));
    assert_eq!(value(&first, "ATTENDEE"), format!("mailto:{}", booked.details.customer_email));
    let sequence = |lines: &[String]| value(lines, "SEQUENCE").parse::<u32>().unwrap();

    edit::edit(&w.s, &w.customer, id, EditInput { date: Some(day(25)), ..EditInput::default() }, None).await.unwrap();
    w.work().await;
    let moved = lines(&w, "bookingEdited");
    assert_eq!((value(&moved, "UID"), value(&moved, "METHOD")), (value(&first, "UID"), "REQUEST"));
    assert_eq!(value(&moved, "DTSTART"), instant(w.booking(id).await.move_at));
    assert!(sequence(&moved) > sequence(&first), "{moved:?}");

    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let gone = lines(&w, "bookingCancelled");
    assert_eq!((value(&gone, "UID"), value(&gone, "METHOD")), (value(&first, "UID"), "CANCEL"));
    assert_eq!(value(&gone, "STATUS"), "CANCELLED");
    assert!(sequence(&gone) > sequence(&moved), "{gone:?}");
    // Taken back it stands in the calendar again, however often somebody presses.
    let said = StatusInput { reason: Some("they want it after all".into()), ..StatusInput::default() };
    for _ in 0..2 {
        status::set(&w.s, &w.staff(), id, Status::Pending, said.clone()).await.unwrap();
        w.work().await;
    }
    let back = lines(&w, "bookingConfirmation");
    assert_eq!((value(&back, "UID"), value(&back, "METHOD")), (value(&first, "UID"), "REQUEST"));
    assert_eq!((value(&back, "STATUS"), value(&back, "DTSTART")), ("CONFIRMED", value(&moved, "DTSTART")));
    assert!(sequence(&back) > sequence(&gone), "{back:?}");
    // Only what says when it takes place has it.
    let sent = w.mailer.sent.lock().unwrap();
    let with = |m: &&service::ports::mail::OutgoingMail| m.attachments.iter().any(|a| a.file_name == "move.ics");
    let mut kinds: Vec<&str> = sent.iter().filter(with).map(|m| m.message_type.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["bookingCancelled", "bookingConfirmation", "bookingConfirmation", "bookingEdited"]);
}

async fn an_appointment_goes_along_when_the_mail_is_sent_again(w: World) {
    let day = NaiveDate::from_ymd_opt(2027, 2, 22).unwrap();
    let id =
        w.book(draft(Province::QC, day, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id;
    w.work().await;
    let first = lines(&w, "bookingConfirmation");
    let all = w.read(move |u| u.messages().of_booking(id)).await;
    let message = all.iter().find(|m| m.message_type == "bookingConfirmation").unwrap().id;
    w.mailer.sent.lock().unwrap().clear();
    let elsewhere: Email = "elsewhere@portage.test".parse().unwrap();
    service::outbox::resend(&w.s, &w.staff(), message, Some(elsewhere)).await.unwrap();
    w.work().await;
    let again = lines(&w, "bookingConfirmation");
    assert_eq!(value(&again, "ATTENDEE"), "mailto:elsewhere@portage.test");
    for name in ["UID", "SEQUENCE", "DTSTART", "SUMMARY"] {
        assert_eq!(value(&again, name), value(&first, name), "{name}");
    }
}
