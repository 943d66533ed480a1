//! What staff are shown of a message of a booking is the mail that goes out, or went out: its amounts, and its instants.

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Language, Money, Province};
use service::{
    bookings::{
        cancel,
        draft::TipInput,
        edit::{self, EditInput},
        status::{self, StatusInput},
    },
    invoices::desk,
    ports::{bookings::PaidBy, messages::SentText},
    templates::{self, TemplateKey, TemplatePreviewInput},
};

use status_machine::booking::Status;

use crate::support::{World, draft};

in_both_worlds!(
    what_was_mailed_is_what_is_shown,
    what_is_shown_is_what_will_be_mailed,
    a_booking_paid_at_once_shows_its_one_charge,
    a_cancelled_booking_shows_what_went_back,
    an_edited_booking_shows_what_changed,
    a_link_to_pay_by_asks_for_what_is_owed,
    a_refusal_is_shown_before_and_after_it,
    a_reminder_of_an_invoice_is_shown_as_of_its_day,
);

async fn world(db: store::testing::TestDb) -> World {
    let w = World::on(db, start()).await;
    w.flat_rate(50_000).await;
    w
}

fn start() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

async fn at(w: &World, instant: DateTime<Utc>) {
    w.clock.set(instant);
    w.work().await;
}

async fn booked(w: &World, day: u32, language: Language) -> BookingId {
    let (date, nine) = (NaiveDate::from_ymd_opt(2027, 2, day).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    let wanted = service::bookings::Draft { language: Some(language), ..draft(Province::QC, date, nine) };
    let tip = TipInput { kind: "amount".into(), value: "20.00".into() };
    let id = w.book(wanted, Some(tip)).await.unwrap().booking.id;
    w.work().await;
    id
}

/// The newest mail of a type, as it is kept.
async fn mailed(w: &World, id: BookingId, kind: &str) -> SentText {
    let all = w.read(move |u| u.messages().of_booking(id)).await;
    let newest = all.into_iter().filter(|m| m.message_type == kind).max_by_key(|m| m.created_at);
    newest.unwrap_or_else(|| panic!("no {kind}")).text.unwrap()
}

async fn shown(w: &World, id: BookingId, kind: &str, language: Language) -> SentText {
    let which = TemplateKey::of(kind, language.code()).unwrap();
    let asked = TemplatePreviewInput { subject: None, text: None, html: None, booking: Some(id) };
    let told = templates::preview(&w.s, &w.staff(), which, asked).await.unwrap();
    assert!(!told.is_sample, "{kind} {language}");
    SentText { subject: told.rendered.subject, body: told.rendered.text, html: told.rendered.html }
}

async fn same(w: &World, id: BookingId, kind: &str, language: Language) {
    let (shown, mailed) = (shown(w, id, kind, language).await, mailed(w, id, kind).await);
    assert_eq!(shown.body, mailed.body, "{kind} {language}");
    assert_eq!((shown.subject, shown.html), (mailed.subject, mailed.html), "{kind} {language}");
}

async fn what_was_mailed_is_what_is_shown(w: World) {
    for (day, language) in [(18, Language::En), (19, Language::Fr), (22, Language::Zh)] {
        w.clock.set(start());
        let id = booked(&w, day, language).await;
        same(&w, id, "bookingConfirmation", language).await;
        let b = w.booking(id).await;
        at(&w, start() + Duration::hours(25)).await;
        for hours in [72, 48, 24] {
            at(&w, b.move_at - Duration::hours(hours)).await;
        }
        // An hour later, when nothing is dated as of now.
        at(&w, b.move_at - Duration::hours(23)).await;
        for kind in ["bookingConfirmation", "depositCharged", "balanceCharged", "moveReminder"] {
            same(&w, id, kind, language).await;
        }
    }
}

async fn what_is_shown_is_what_will_be_mailed(w: World) {
    let id = booked(&w, 18, Language::Fr).await;
    let b = w.booking(id).await;
    let deposit = shown(&w, id, "depositCharged", Language::Fr).await;
    let balance = shown(&w, id, "balanceCharged", Language::Fr).await;
    assert!(deposit.body.contains("114,98") && balance.body.contains("459,90"), "{} {}", deposit.body, balance.body);
    let due: Vec<_> = w.read(move |u| u.payments().of_booking(id)).await.into_iter().map(|r| r.due_at).collect();
    for instant in due.into_iter().filter(|due| *due < b.move_at) {
        // A deposit is charged once its instant has passed.
        at(&w, instant + Duration::microseconds(1)).await;
    }
    assert_eq!(deposit, mailed(&w, id, "depositCharged").await);
    assert_eq!(balance, mailed(&w, id, "balanceCharged").await);
    let reminder = shown(&w, id, "moveReminder", Language::Fr).await;
    at(&w, b.move_at - Duration::hours(24)).await;
    assert_eq!(reminder, mailed(&w, id, "moveReminder").await);
}

async fn a_booking_paid_at_once_shows_its_one_charge(w: World) {
    let id = booked(&w, 9, Language::En).await;
    at(&w, start() + Duration::hours(3)).await;
    for kind in ["bookingConfirmation", "fullPaymentCharged"] {
        same(&w, id, kind, Language::En).await;
    }
}

async fn a_cancelled_booking_shows_what_went_back(w: World) {
    for (day, hours, language) in [(18, 26, Language::Zh), (19, 24 * 9 + 2, Language::En)] {
        w.clock.set(start());
        let id = booked(&w, day, language).await;
        let b = w.booking(id).await;
        at(&w, start() + Duration::hours(25)).await;
        at(&w, (start() + Duration::hours(hours)).min(b.move_at - Duration::hours(26))).await;
        let before = shown(&w, id, "bookingCancelled", language).await;
        cancel::cancel(&w.s, &w.customer, id).await.unwrap();
        w.work().await;
        assert_eq!(before, mailed(&w, id, "bookingCancelled").await, "as it is shown before it is cancelled");
        let rows = w.read(move |u| u.payments().of_booking(id)).await;
        let refunded = rows.iter().any(|r| r.kind == service::ports::payments::PaymentKind::Refund);
        at(&w, w.clock.now_value() + Duration::hours(5)).await;
        for kind in ["bookingCancelled", "depositCharged"] {
            same(&w, id, kind, language).await;
        }
        if refunded {
            same(&w, id, "refundIssued", language).await;
        }
        assert!(b.total > Money::ZERO);
    }
}

async fn an_edited_booking_shows_what_changed(w: World) {
    for (day, hours, language) in [(18, 1, Language::Fr), (19, 26, Language::En), (22, 1, Language::Zh)] {
        w.clock.set(start());
        let id = booked(&w, day, language).await;
        at(&w, start() + Duration::hours(hours)).await;
        let wish =
            EditInput { client_as_mate: Some(true), comments: Some("Ring twice".into()), ..EditInput::default() };
        edit::edit(&w.s, &w.customer, id, wish, None).await.unwrap();
        w.work().await;
        same(&w, id, "bookingEdited", language).await;
    }
}

async fn a_link_to_pay_by_asks_for_what_is_owed(w: World) {
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    let wanted = draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    let contact = service::accounts::desk::Contact {
        email: "caller@portage.test".parse().unwrap(),
        first_name: "Camille".into(),
        last_name: "Caron".into(),
        phone: "514-555-0199".parse().unwrap(),
        language: Language::Fr,
    };
    let how = (PaidBy::Link, None);
    let made = service::bookings::create_for(&w.s, &w.staff(), contact, how, wanted, None).await.unwrap();
    let service::idempotency::Replayable::Fresh(made) = made else { panic!("replayed") };
    w.work().await;
    let link = shown(&w, made.booking.id, "paymentLink", Language::Fr).await;
    let mail = mailed(&w, made.booking.id, "paymentLink").await;
    assert_eq!(without_links(&link), without_links(&mail));
}

/// What opens something is never shown, and not kept of the mail.
fn without_links(told: &SentText) -> String {
    let lines = told.body.lines().filter(|l| !l.contains("http") && !l.contains("•••"));
    lines.collect::<Vec<_>>().join("\n")
}

async fn a_refusal_is_shown_before_and_after_it(w: World) {
    let id = booked(&w, 18, Language::Fr).await;
    let before = without_links(&shown(&w, id, "paymentFailed", Language::Fr).await);
    assert!(before.contains("114,98"), "{before}");
    w.gateway.usually(crate::support::Next::Soft);
    at(&w, start() + Duration::hours(24)).await;
    at(&w, w.clock.now_value() + Duration::microseconds(1)).await;
    assert_eq!(before, without_links(&mailed(&w, id, "paymentFailed").await));
    // Later it is still that one, and the second once there is one.
    at(&w, w.clock.now_value() + Duration::hours(1)).await;
    assert_eq!(before, without_links(&shown(&w, id, "paymentFailed", Language::Fr).await));
    at(&w, w.clock.now_value() + Duration::hours(24)).await;
    let second = without_links(&mailed(&w, id, "paymentFailed").await);
    assert_ne!(before, second);
    assert_eq!(second, without_links(&shown(&w, id, "paymentFailed", Language::Fr).await));
}

async fn a_reminder_of_an_invoice_is_shown_as_of_its_day(w: World) {
    let id = crate::invoice_rules::done(&w, PaidBy::Invoice, Language::Fr).await;
    let drafted = desk::draft(&w.s, &w.staff(), id).await.unwrap();
    desk::send(&w.s, &w.staff(), drafted.invoice.id).await.unwrap();
    w.work().await;
    let before = without_links(&shown(&w, id, "invoiceReminder", Language::Fr).await);
    for language in [Language::En, Language::Zh] {
        let text = shown(&w, id, "invoiceReminder", language).await.body;
        for french in ["février", "aidants", "\u{a0}$", "heure de"] {
            assert!(!text.contains(french), "{language}: {french} stands in\n{text}");
        }
        assert!(text.contains("2027-000001"), "{text}");
    }
    assert!(before.contains("février"), "{before}");
    // A week after it was due, at midnight.
    at(&w, "2027-02-25T05:00:00Z".parse().unwrap()).await;
    assert_eq!(before, without_links(&mailed(&w, id, "invoiceReminder").await));
    // The next one is another one.
    assert_ne!(before, without_links(&shown(&w, id, "invoiceReminder", Language::Fr).await));
    let said = StatusInput { payment_reference: Some("CA-1".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Payed, said).await.unwrap();
    let asked = TemplatePreviewInput { subject: None, text: None, html: None, booking: Some(id) };
    let paid =
        templates::preview(&w.s, &w.staff(), TemplateKey::of("invoiceReminder", "fr").unwrap(), asked).await.unwrap();
    assert!(paid.is_sample, "nobody is reminded of what is paid");
}
