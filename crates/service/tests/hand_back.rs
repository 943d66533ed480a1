//! What is told of money that came by hand: how it goes back, who has to hand it back, and that a payment which was written
//! down by mistake neither came nor went.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    billing::facts::{never_came, returned_by_us},
    bookings::{
        cancel,
        history::{self, EventKind},
        statement::{self, Fact},
        status::{self, StatusInput},
    },
    desk::{
        failed::{self, FailureReason},
        received::{self, Received},
    },
    invoices::paper,
    ports::{
        facts::{PaymentState, TAKEN_OUT},
        mail::OutgoingMail,
        payments::{PaidWith, Payment, PaymentKind},
    },
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft, people::administrator};

in_both_worlds!(
    a_cancellation_tells_that_cash_is_handed_back_and_by_whom,
    it_stands_on_the_list_until_it_is_handed_over,
    a_reference_is_words,
    a_cancellation_tells_what_goes_back_each_way,
    staff_who_cancel_are_not_told_of_it_by_mail,
    a_customer_who_was_not_there_did_not_cancel,
    what_never_came_did_not_go_back,
    what_never_came_stands_on_no_paper,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

async fn world(db: TestDb) -> World {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    administrator(&w).await;
    w
}

/// A booking of 574.88 for Thursday week, by card.
async fn booked(w: &World) -> BookingId {
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

async fn cash(w: &World, id: BookingId, cents: i64) {
    let new = Received { method: PaidWith::Cash, amount: Money::from_cents(cents), reference: None };
    received::record(&w.s, &w.staff(), id, new, None).await.unwrap();
}

async fn rows(w: &World, id: BookingId) -> Vec<Payment> {
    w.read(move |u| u.payments().of_booking(id)).await
}

async fn taken_out(w: &World, id: BookingId) {
    let came = |r: &&Payment| r.kind != PaymentKind::Refund && r.method == PaidWith::Cash;
    let wrong = rows(w, id).await.iter().find(came).unwrap().id;
    received::undo(&w.s, &w.staff(), wrong, "Joe counted the wrong till".into(), None).await.unwrap();
}

fn cancellation(w: &World) -> String {
    let sent = w.mailer.sent.lock().unwrap();
    sent.iter().find(|m| m.message_type == "bookingCancelled").unwrap().text.clone()
}

fn alerts(w: &World) -> Vec<String> {
    let sent = w.mailer.sent.lock().unwrap();
    let of_it = |m: &&OutgoingMail| m.message_type == "opsAlert" && m.text.contains("Money is to be handed back");
    sent.iter().filter(of_it).map(|m| m.text.clone()).collect()
}

async fn a_cancellation_tells_that_cash_is_handed_back_and_by_whom(w: World) {
    let id = booked(&w).await;
    cash(&w, id, 10_000).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let text = cancellation(&w);
    assert!(text.contains("Refunded: $100.00 · The way you paid it; we will be in touch with you"), "{text}");
    assert!(!text.contains("your card"), "{text}");
    let told = alerts(&w);
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("$100.00") && told[0].contains("/dashboard/failed-charges"), "{}", told[0]);
    let record = w.read(move |u| u.bookings().get(id)).await.unwrap();
    let waits: Vec<_> = paper::payments(&record, &rows(&w, id).await).iter().map(|p| p.waits).collect();
    assert_eq!(waits, [false, true], "no paper says that it was handed back");
    let told = statement::statement(&w.s, w.staff().caller(), id).await.unwrap();
    let facts: Vec<_> = told.rows.iter().map(|row| (&row.fact, row.balance.cents())).rev().take(2).collect();
    let back = (&Fact::OnItsWay { method: PaidWith::Cash }, 0);
    assert_eq!(facts, [back, (&Fact::Cancelled, -10_000)], "it goes back because of the cancellation");
    // However long it waits, and whatever runs.
    w.clock.set(monday() + Duration::days(20));
    w.work().await;
    assert_eq!(alerts(&w).len(), 1);
}

async fn it_stands_on_the_list_until_it_is_handed_over(w: World) {
    let id = booked(&w).await;
    cash(&w, id, 10_000).await;
    let staff = w.staff();
    let list = || failed::list(&w.s, &staff, 1, 50);
    assert_eq!(list().await.unwrap().total, 0);
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let page = list().await.unwrap();
    assert_eq!((page.total, page.data.len()), (1, 1));
    let row = &page.data[0];
    assert_eq!((row.why, row.payment.amount.cents(), row.booking.id), (FailureReason::ToHandBack, 10_000, id));
    assert!(row.can_hand_over && !row.can_retry && !row.can_pay_back && !row.can_write_off);
    let waits = row.payment.id;
    assert!(failed::retry(&w.s, &staff, waits, None).await.is_err(), "the payment service has no part in it");
    received::handed_over(&w.s, &staff, waits, None, None).await.unwrap();
    assert_eq!(list().await.unwrap().total, 0);
}

/// What staff write beside money marks nothing: only taking a payment out does.
async fn a_reference_is_words(w: World) {
    let id = booked(&w).await;
    cash(&w, id, 10_000).await;
    cash(&w, id, 5_000).await;
    let cheque = Received { method: PaidWith::Cheque, amount: Money::from_cents(700), reference: Some("void".into()) };
    received::record(&w.s, &w.staff(), id, cheque, None).await.unwrap();
    w.clock.set(monday() + Duration::hours(1));
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    // One letter tells all that is to be handed back.
    let told = alerts(&w);
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("$157.00"), "{}", told[0]);
    let waits = rows(&w, id).await.into_iter().filter(|r| r.is_given_back());
    for (row, reference) in waits.zip([TAKEN_OUT, "dispute:1", "set_off"]) {
        received::handed_over(&w.s, &w.staff(), row.id, Some(reference.into()), None).await.unwrap();
    }
    let record = w.read(move |u| u.bookings().get(id)).await.unwrap();
    let rows = rows(&w, id).await;
    assert_eq!(returned_by_us(&record, &rows).cents(), 15_700);
    assert_eq!(paper::payments(&record, &rows).len(), 6);
    let state = w.read(move |u| u.bookings().facts(id)).await.unwrap().payment_state;
    assert_eq!(state, PaymentState::Refunded);
}

async fn a_cancellation_tells_what_goes_back_each_way(w: World) {
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    cash(&w, id, 20_000).await;
    w.clock.set(monday() + Duration::hours(26));
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let back: Vec<_> = rows(&w, id).await.iter().filter(|r| r.is_given_back()).map(|r| r.amount.cents()).collect();
    let text = cancellation(&w);
    assert_eq!(back, [20_000], "the deposit is kept: {text}");
    assert!(text.contains("Refunded: $200.00 · The way you paid it"), "{text}");
}

async fn staff_who_cancel_are_not_told_of_it_by_mail(w: World) {
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    cash(&w, id, 10_000).await;
    let ours = StatusInput { reason: Some("no truck".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, ours).await.unwrap();
    w.work().await;
    let text = cancellation(&w);
    assert!(text.contains("$114.98 to your card within a few days, $100.00 the way you paid it"), "{text}");
    assert_eq!(alerts(&w), [""; 0]);
}

/// Staff end it where nobody was met: its customer did not.
async fn a_customer_who_was_not_there_did_not_cancel(w: World) {
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::days(10) + Duration::hours(1));
    w.work().await;
    let theirs = StatusInput { customers_wish: true, reason: Some("nobody home".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, theirs).await.unwrap();
    w.work().await;
    let text = cancellation(&w);
    assert!(text.contains("Our team, since nobody was there for the move"), "{text}");
}

async fn what_never_came_did_not_go_back(w: World) {
    let id = booked(&w).await;
    cash(&w, id, 10_000).await;
    taken_out(&w, id).await;
    let state = w.read(move |u| u.bookings().facts(id)).await.unwrap().payment_state;
    assert_eq!(state, PaymentState::None);
    let all = rows(&w, id).await;
    let told: Vec<_> = all.iter().filter(|r| r.method == PaidWith::Cash).map(|r| never_came(&all, r)).collect();
    assert_eq!(told, [true, true], "both the payment and the line that takes it out");
    assert!(!all.iter().any(|r| r.method == PaidWith::Card && never_came(&all, r)));
    let record = w.read(move |u| u.bookings().get(id)).await.unwrap();
    assert_eq!(returned_by_us(&record, &rows(&w, id).await), Money::ZERO);
    let events = history::history(&w.s, &w.ops, id).await.unwrap();
    let undone = events.iter().find_map(|e| match &e.what {
        EventKind::ByHand { taken_out: true, reference, .. } => Some((reference.clone(), e.actor)),
        _ => None,
    });
    assert_eq!(undone, Some((Some("Joe counted the wrong till".into()), w.ops.user)));
    let preview = cancel::preview(&w.s, &w.customer, id).await.unwrap();
    assert_eq!(preview.returned, Money::ZERO);
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let record = w.read(move |u| u.bookings().get(id)).await.unwrap();
    assert_eq!(returned_by_us(&record, &rows(&w, id).await), Money::ZERO);
    assert!(!cancellation(&w).contains("Refunded"));
}

async fn what_never_came_stands_on_no_paper(w: World) {
    let id = booked(&w).await;
    cash(&w, id, 10_000).await;
    w.clock.set(monday() + Duration::hours(1));
    taken_out(&w, id).await;
    w.clock.set(monday() + Duration::hours(2));
    cash(&w, id, 2_500).await;
    let record = w.read(move |u| u.bookings().get(id)).await.unwrap();
    let told = paper::payments(&record, &rows(&w, id).await);
    let told: Vec<_> = told.into_iter().map(|p| (p.amount.cents(), p.reference)).collect();
    assert_eq!(told, [(2_500, None)]);
}
