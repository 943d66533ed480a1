//! What a customer is told of a change: old and new of everything that changed, a tip that follows the price, and the
//! same hour of arrival everywhere.

use crate::support::{Next, World, draft};
use chrono::{Duration, NaiveDate, NaiveTime};
use kernel::{Language, MateCount, Money, Province};
use service::{
    bookings::{
        TipInput,
        edit::{EditInput, edit},
        status,
    },
    payments,
    ports::bookings::Survey,
    tips,
};
use status_machine::booking::Status;

async fn world() -> World {
    World::new("2027-02-08T14:00:00Z".parse().unwrap()).await
}

fn day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, 18).unwrap()
}

fn nine() -> NaiveTime {
    NaiveTime::from_hms_opt(9, 0, 0).unwrap()
}

fn last_text(w: &World, kind: &str) -> String {
    let sent = w.mailer.sent.lock().unwrap();
    sent.iter().rev().find(|m| m.message_type == kind).unwrap().text.replace('\u{a0}', " ")
}

#[tokio::test]
async fn a_tip_given_as_a_share_follows_the_price() {
    let w = world().await;
    let tip = TipInput { kind: "percent".into(), value: "10".into() };
    let made = w.book(draft(Province::QC, day(), nine()), Some(tip)).await.unwrap();
    let (id, before) = (made.booking.id, made.tip.unwrap());
    assert_eq!(
        before.amount,
        pricing::tip(pricing::TipTerms::Percent(kernel::BasisPoints::new(1_000)), made.booking.amount)
    );
    let more = EditInput { mate_count: Some(MateCount::new(3).unwrap()), ..EditInput::default() };
    let edited = edit(&w.s, &w.customer, id, more, None).await.unwrap().booking;
    assert!(edited.amount > made.booking.amount);
    let after = tips::get(&w.s, &w.customer, id.0).await.unwrap();
    let tenth = pricing::tip(pricing::TipTerms::Percent(kernel::BasisPoints::new(1_000)), edited.amount);
    assert_eq!((after.amount, after.value.to_string(), after.version), (tenth, "10".to_owned(), before.version + 1));
    w.work().await;
    let text = last_text(&w, "bookingEdited");
    let tip = |m: Money| service::formats::money(m, Language::En);
    assert!(text.contains("Number of mates: 2 → 3"), "{text}");
    assert!(text.contains(&format!("Tip: {} → {}", tip(before.amount), tip(after.amount))), "{text}");
}

/// Its charge is tried as often as the ladder says and shown to staff in the end; a gift is owed by nobody.
#[tokio::test]
async fn nobody_is_reminded_of_a_tip_that_cannot_be_charged() {
    let w = world().await;
    w.flat_rate(50_000).await;
    let tip = TipInput { kind: "amount".into(), value: "40,00".into() };
    let made = w.book(draft(Province::QC, day(), nine()), Some(tip)).await.unwrap().booking;
    let (id, done) = (made.id, made.move_at + Duration::hours(4));
    for at in [w.clock.now_value() + Duration::hours(25), made.move_at - Duration::hours(48), done] {
        w.clock.set(at);
        w.work().await;
    }
    let said = status::StatusInput { reason: Some("done".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Completed, said).await.unwrap();
    w.gateway.usually(Next::Soft);
    for hours in [25, 49, 97, 193, 400] {
        w.clock.set(done + Duration::hours(hours));
        w.work().await;
    }
    let declined: Vec<i64> = w.gateway.seen().iter().filter(|s| s.what == "decline").map(|s| s.amount).collect();
    assert_eq!((declined.as_slice(), w.gateway.net()), ([4_000; 4].as_slice(), 57_488));
    let sent: Vec<String> = w.mailer.sent.lock().unwrap().iter().map(|m| m.message_type.clone()).collect();
    assert!(!sent.iter().any(|kind| kind == "paymentFailed"), "{sent:?}");
    assert!(
        !w.booking(id).await.details.payment_problem,
        "it is owed by nobody; staff see it among the failed charges"
    );
    // With another card it is charged all the same.
    w.gateway.usually(Next::Approve);
    payments::add_card(&w.s, &w.customer, "fake-valid-nonce".into(), None, None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), 57_488 + 4_000);
    assert!(!w.booking(id).await.details.payment_problem);
}

#[tokio::test]
async fn a_tip_in_dollars_stays() {
    let w = world().await;
    let tip = TipInput { kind: "amount".into(), value: "20,50".into() };
    let made = w.book(draft(Province::QC, day(), nine()), Some(tip)).await.unwrap();
    let more = EditInput { mate_count: Some(MateCount::new(3).unwrap()), ..EditInput::default() };
    edit(&w.s, &w.customer, made.booking.id, more, None).await.unwrap();
    let after = tips::get(&w.s, &w.customer, made.booking.id.0).await.unwrap();
    assert_eq!((after.amount.cents(), after.version), (2_050, 1));
    w.work().await;
    assert!(!last_text(&w, "bookingEdited").contains("Tip:"));
}

#[tokio::test]
async fn the_message_says_old_and_new_in_words() {
    let w = world().await;
    let made = w.book(draft(Province::QC, day(), nine()), None).await.unwrap().booking;
    let mut pickup = made.details.pickup.clone();
    (pickup.floor, pickup.elevator, pickup.parking) = (3, 1, false);
    let change = EditInput {
        pickup: Some(pickup),
        date: Some(NaiveDate::from_ymd_opt(2027, 2, 19).unwrap()),
        ride_along: Some(true),
        extra_services: Some(vec![pricing::ExtraService::Packing]),
        survey: Some(Survey { source: "friendsFamily".into(), specify: String::new() }),
        ..EditInput::default()
    };
    edit(&w.s, &w.customer, made.id, change, None).await.unwrap();
    w.work().await;
    let text = last_text(&w, "bookingEdited");
    for line in [
        "- Date and time: February 18, 2027 9:00 a.m. → February 19, 2027 9:00 a.m.",
        "→ floor 3 · elevator · no parking for the truck · easy way",
        "- Ride along: no → yes",
        "- Extra services: none → Packing",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    // What has no words of its own, such as where somebody has heard of us, is no line.
    assert!(!text.contains('…'), "{text}");
    // What is for staff is not for the customer: the note about packing without a price.
    assert!(w.booking(made.id).await.details.notes.contains("Packing"));
    assert!(!text.contains("Notes"), "{text}");
}

#[tokio::test]
async fn mails_and_records_promise_the_same_arrival() {
    let w = world().await;
    for (time, window) in [(8, "8:00 a.m. – 9:00 a.m."), (9, "8:30 a.m. – 9:30 a.m.")] {
        let start = NaiveTime::from_hms_opt(time, 0, 0).unwrap();
        let date = NaiveDate::from_ymd_opt(2027, 2, 15 + time).unwrap();
        w.book(draft(Province::QC, date, start), None).await.unwrap();
        w.work().await;
        let text = last_text(&w, "bookingConfirmation");
        assert!(text.contains(window), "{window} is not in\n{text}");
    }
}

/// Within 48 hours nothing is changed online, so the confirmation does not speak of changes.
#[tokio::test]
async fn a_move_of_tomorrow_is_not_promised_changes() {
    let w = world().await;
    let tomorrow = NaiveDate::from_ymd_opt(2027, 2, 9).unwrap();
    w.book(draft(Province::QC, tomorrow, NaiveTime::from_hms_opt(10, 0, 0).unwrap()), None).await.unwrap();
    w.work().await;
    let changes = "Changes made 24 hours after booking";
    assert!(!last_text(&w, "bookingConfirmation").contains(changes));
    w.book(draft(Province::QC, day(), nine()), None).await.unwrap();
    w.work().await;
    assert!(last_text(&w, "bookingConfirmation").contains(changes));
}

#[tokio::test]
async fn the_message_says_what_becomes_of_a_deposit_that_is_not_charged_yet() {
    let w = world().await;
    let made = w.book(draft(Province::QC, day(), nine()), None).await.unwrap().booking;
    let more = |mates| EditInput { mate_count: Some(MateCount::new(mates).unwrap()), ..EditInput::default() };
    let edited = edit(&w.s, &w.customer, made.id, more(3), None).await.unwrap().booking;
    let deposit = |total: Money| service::formats::money(total.rate(kernel::Ppm::new(200_000)), Language::En);
    w.work().await;
    let text = last_text(&w, "bookingEdited");
    let line = format!("Deposit still to be charged: {} → {}", deposit(made.total), deposit(edited.total));
    assert!(text.contains(&line), "{line} is not in\n{text}");
    // Charged, it stays what it was.
    w.clock.set(w.clock.now_value() + Duration::hours(25));
    w.work().await;
    edit(&w.s, &w.customer, made.id, more(2), None).await.unwrap();
    w.work().await;
    assert!(!last_text(&w, "bookingEdited").contains("Deposit still"));
}

/// One message for one press of a button: what became of the move, and of the tip with it.
#[tokio::test]
async fn a_tip_that_comes_with_a_change_is_told_with_it() {
    let w = world().await;
    let tip = |kind: &str, value: &str| TipInput { kind: kind.into(), value: value.into() };
    let made = w.book(draft(Province::QC, day(), nine()), Some(tip("percent", "10"))).await.unwrap();
    let (id, before) = (made.booking.id, made.tip.unwrap());
    let change = EditInput {
        mate_count: Some(MateCount::new(3).unwrap()),
        tip: Some(tip("amount", "42")),
        ..EditInput::default()
    };
    let edited = edit(&w.s, &w.customer, id, change, None).await.unwrap();
    assert_eq!(edited.tip.map(|t| (t.kind, t.amount.cents())), Some((service::ports::tips::TipKind::Amount, 4_200)));
    w.work().await;
    let told = w.mailer.sent.lock().unwrap().iter().filter(|m| m.message_type == "bookingEdited").count();
    assert_eq!(told, 1);
    let text = last_text(&w, "bookingEdited");
    let line = format!("Tip: {} → $42.00", service::formats::money(before.amount, Language::En));
    assert!(text.contains("Number of mates: 2 → 3") && text.contains(&line), "{line} is not in\n{text}");
    // What cannot be a tip changes nothing.
    let wrong = EditInput { date: day().succ_opt(), tip: Some(tip("amount", "lots")), ..EditInput::default() };
    edit(&w.s, &w.customer, id, wrong, None).await.unwrap_err();
    assert_eq!(w.booking(id).await.move_date, day());
}

#[tokio::test]
async fn a_change_that_changes_nothing_has_no_version_and_no_message() {
    let w = world().await;
    let tip = TipInput { kind: "amount".into(), value: "20".into() };
    let id = w.book(draft(Province::QC, day(), nine()), Some(tip)).await.unwrap().booking.id;
    let made = w.booking(id).await;
    let as_it_is = EditInput {
        pickup: Some(made.details.pickup.clone()),
        dropoff: Some(made.details.dropoff.clone()),
        items: Some(made.details.items.clone()),
        mate_count: Some(made.mate_count),
        date: Some(made.move_date),
        time: Some(made.move_time),
        comments: Some(made.details.comments.clone()),
        tip: Some(TipInput { kind: "amount".into(), value: "20,00".into() }),
        ..EditInput::default()
    };
    for same in [EditInput::default(), as_it_is] {
        let answered = edit(&w.s, &w.customer, made.id, same, Some(made.version)).await.unwrap().booking;
        assert_eq!(answered, made);
    }
    assert_eq!(w.booking(made.id).await, made);
    w.work().await;
    let told = w.mailer.sent.lock().unwrap().iter().any(|m| m.message_type == "bookingEdited");
    assert!(!told, "nothing was changed");
}

#[tokio::test]
async fn a_tip_that_is_changed_by_itself_is_told_once() {
    let w = world().await;
    let tip = |value: &str| TipInput { kind: "amount".into(), value: value.into() };
    let made = w.book(draft(Province::QC, day(), nine()), None).await.unwrap().booking;
    let told = || w.mailer.sent.lock().unwrap().iter().filter(|m| m.message_type == "bookingEdited").count();
    for (value, line) in [("20", "Tip: none → $20.00"), ("35.50", "Tip: $20.00 → $35.50"), ("0", "Tip: $35.50 → none")]
    {
        let before = told();
        for _ in 0..2 {
            tips::put(&w.s, &w.customer, made.id.0, tip(value), None).await.unwrap();
            w.work().await;
        }
        let text = last_text(&w, "bookingEdited");
        assert!(text.contains(line), "{line} is not in\n{text}");
        assert_eq!(told(), before + 1, "the same tip again is no change");
    }
    // Given after the move it is told of when it was charged.
    let before = told();
    w.clock.set(made.move_at + Duration::hours(4));
    let said = status::StatusInput { reason: Some("done".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), made.id, Status::Completed, said).await.unwrap();
    tips::put(&w.s, &w.customer, made.id.0, tip("15"), None).await.unwrap();
    w.work().await;
    assert_eq!(told(), before);
}
