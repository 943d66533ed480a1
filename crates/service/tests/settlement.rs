//! The bank refuses a captured charge when it settles: told once, twice, late, or by nobody.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    billing::{reconcile, settlement},
    bookings::{
        TipInput, cancel,
        edit::{StaffEdit, edit_as_staff},
        status,
    },
    jobs, payments,
    ports::payments::{GatewayKind, GatewayStatus, Payment, PaymentKind},
    tips,
};
use status_machine::{booking::Status, payment::State};
use support::{World, draft};

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// The 48-hour instant of [`with_deposit`].
fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

async fn booked_on(w: &World, day: u32) -> BookingId {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, day).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

/// A booking of 574.88 for Thursday week, its deposit of 114.98 paid.
async fn with_deposit(w: &World) -> BookingId {
    let id = booked_on(w, 18).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498]);
    id
}

async fn rows(w: &World, id: BookingId) -> Vec<Payment> {
    w.read(move |u| u.payments().of_booking(id)).await
}

async fn row(w: &World, id: BookingId, kind: PaymentKind) -> Payment {
    rows(w, id).await.into_iter().rfind(|r| r.kind == kind).unwrap()
}

/// The bank refuses the newest charge; answers its order id.
fn refuse_newest(w: &World) -> String {
    let mut order = String::new();
    w.gateway.change(|list| {
        let newest = |t: &&mut service::ports::payments::GatewayTransaction| t.kind == GatewayKind::Charge;
        let t = list.iter_mut().rfind(newest).unwrap();
        t.status = GatewayStatus::Declined;
        order.clone_from(&t.order_id);
    });
    order
}

/// What a notification does, once its signature is found right.
async fn told(w: &World, order: &str) {
    settlement::suspect(&w.s, order).await.unwrap();
    w.work().await;
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

async fn failures_told(w: &World, id: BookingId) -> usize {
    let all = w.read(move |u| u.messages().of_booking(id)).await;
    all.iter().filter(|m| m.message_type == "paymentFailed").count()
}

#[tokio::test]
async fn its_money_leaves_the_books_and_the_staff_see_it() {
    let w = World::new(monday()).await;
    let id = with_deposit(&w).await;
    let order = refuse_newest(&w);
    told(&w, &order).await;
    // Twice, and once more much later.
    told(&w, &order).await;
    let deposit = row(&w, id, PaymentKind::Deposit).await;
    assert_eq!((*deposit.state, deposit.settled_at), (State::Failed, None));
    assert!(w.booking(id).await.details.payment_problem);
    assert_eq!(failures_told(&w, id).await, 1, "the customer is told once");
    assert_eq!(w.gateway.charges(), [11_498], "nothing is charged again by itself");
    sound(&w).await;
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 57_488], "the 48-hour charge takes what the deposit did not bring");
    told(&w, &order).await;
    sound(&w).await;
}

#[tokio::test]
async fn a_new_card_pays_it_at_once() {
    let w = World::new(monday()).await;
    let id = booked_on(&w, 9).await;
    assert_eq!(w.gateway.charges(), [57_488], "tomorrow's move is paid with the booking");
    told(&w, &refuse_newest(&w)).await;
    assert_eq!(row(&w, id, PaymentKind::Full).await.state, State::Failed);
    sound(&w).await;
    payments::add_card(&w.s, &w.customer, "fake-valid-nonce".into(), None, None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [57_488, 57_488]);
    assert!(!w.booking(id).await.details.payment_problem);
    sound(&w).await;
}

#[tokio::test]
async fn of_a_cancelled_booking_the_fee_is_asked_for_once() {
    let w = World::new(monday()).await;
    let id = with_deposit(&w).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    told(&w, &refuse_newest(&w)).await;
    assert_eq!(w.gateway.charges(), [11_498, 11_498], "what is kept is charged as a fee");
    sound(&w).await;
    told(&w, &refuse_newest(&w)).await;
    w.clock.set(lock() + Duration::days(9));
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 11_498], "refused again, it is the staff's");
    assert_eq!(row(&w, id, PaymentKind::CancellationFee).await.state, State::Failed);
    sound(&w).await;
}

#[tokio::test]
async fn a_tip_counts_as_not_paid_again() {
    let w = World::new(monday()).await;
    let id = booked_on(&w, 9).await;
    let tip = |dollars: &str| TipInput { kind: "amount".into(), value: dollars.into() };
    tips::put(&w.s, &w.customer, id.0, tip("20"), None).await.unwrap();
    w.clock.set("2027-02-09T18:00:00Z".parse().unwrap());
    let said = status::StatusInput { reason: Some("done".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Completed, said).await.unwrap();
    w.clock.set("2027-02-10T19:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!(w.gateway.charges(), [57_488, 2_000]);
    told(&w, &refuse_newest(&w)).await;
    let stored = w.read(move |u| u.tips().of_booking(id)).await.unwrap();
    assert!(!stored.is_paid);
    sound(&w).await;
    payments::add_card(&w.s, &w.customer, "fake-valid-nonce".into(), None, None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [57_488, 2_000, 2_000]);
    assert!(w.read(move |u| u.tips().of_booking(id)).await.unwrap().is_paid);
    sound(&w).await;
}

#[tokio::test]
async fn what_was_to_be_returned_of_it_is_not_held_any_more() {
    let w = World::new(monday()).await;
    let id = booked_on(&w, 9).await;
    // Part of a charge can only go back once it has settled.
    w.gateway.queue_refund(&[support::Next::NotSettled]);
    let cheaper = StaffEdit { amount: Some(Money::from_cents(40_000)), ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, cheaper, None).await.unwrap();
    w.work().await;
    assert!(w.gateway.refunds().is_empty());
    told(&w, &refuse_newest(&w)).await;
    w.clock.set(monday() + Duration::hours(20));
    w.work().await;
    assert_eq!(row(&w, id, PaymentKind::Refund).await.state, State::Skipped);
    assert!(w.gateway.refunds().is_empty());
    sound(&w).await;
}

/// A seed of the simulation: the charge had been refused meanwhile, and nobody knew yet.
#[tokio::test]
async fn a_refund_the_gateway_refuses_is_the_staffs_and_is_not_asked_for_again() {
    let w = World::new(monday()).await;
    let id = booked_on(&w, 9).await;
    w.gateway.queue_refund(&[support::Next::Hard; 40]);
    let cheaper = StaffEdit { amount: Some(Money::from_cents(40_000)), ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, cheaper, None).await.unwrap();
    w.work().await;
    let refused = || w.gateway.seen().iter().filter(|s| s.what == "refusal").count();
    assert_eq!(refused(), 1);
    assert!(w.booking(id).await.details.payment_problem);
    // It looks at what became of the charge: a refund of what was never held cannot go through.
    refuse_newest(&w);
    w.clock.set(monday() + Duration::hours(26));
    w.work().await;
    assert_eq!(refused(), 1);
    assert_eq!(row(&w, id, PaymentKind::Full).await.state, State::Failed);
    sound(&w).await;
}

#[tokio::test]
async fn without_a_notification_it_is_found_when_it_should_have_settled() {
    let w = World::new(monday()).await;
    let id = with_deposit(&w).await;
    refuse_newest(&w);
    w.clock.set(monday() + Duration::hours(25 + 37));
    w.work().await;
    assert_eq!(row(&w, id, PaymentKind::Deposit).await.state, State::Failed);
    sound(&w).await;
}

#[tokio::test]
async fn without_a_notification_the_daily_comparison_finds_it() {
    let w = World::new(monday()).await;
    let id = with_deposit(&w).await;
    let order = refuse_newest(&w);
    let report = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(9)).await.unwrap();
    assert_eq!(report.differing, std::slice::from_ref(&order));
    assert!(report.differences[0].contains(&order), "{:?}", report.differences);
    jobs::schedule_housekeeping(&w.s).await.unwrap();
    w.work().await;
    assert_eq!(row(&w, id, PaymentKind::Deposit).await.state, State::Failed);
    sound(&w).await;
}

/// Another charge that goes through is no reason to forget this one.
#[tokio::test]
async fn it_stays_on_the_staffs_list_though_the_tip_is_paid() {
    let w = World::new(monday()).await;
    let id = booked_on(&w, 9).await;
    tips::put(&w.s, &w.customer, id.0, TipInput { kind: "amount".into(), value: "20".into() }, None).await.unwrap();
    told(&w, &refuse_newest(&w)).await;
    w.clock.set("2027-02-09T18:00:00Z".parse().unwrap());
    let said = status::StatusInput { reason: Some("done".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Completed, said).await.unwrap();
    w.clock.set("2027-02-10T19:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!(w.gateway.charges(), [57_488, 2_000]);
    assert_eq!(row(&w, id, PaymentKind::Full).await.state, State::Failed);
    assert!(w.booking(id).await.details.payment_problem);
    sound(&w).await;
    payments::add_card(&w.s, &w.customer, "fake-valid-nonce".into(), None, None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [57_488, 2_000, 57_488]);
    assert!(!w.booking(id).await.details.payment_problem);
    sound(&w).await;
}
