//! Declined and refused charges, and what new cards, reopened moves, postponed moves and outages make
//! of them.

use std::sync::Arc;

use crate::support::{HandClock, Next, World, draft};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    ErrorCode,
    billing::{reconcile, settlement},
    bookings::{
        TipInput, cancel,
        edit::{EditInput, StaffEdit, edit, edit_as_staff},
        status,
    },
    desk::{
        credits::{self, NewCredit},
        received::{self, Received},
    },
    jobs::{self, Lane},
    payments,
    ports::{
        credits::CreditKind,
        payments::{GatewayKind, GatewayStatus, GatewayTransaction, PaidWith, Payment, PaymentKind},
    },
};
use status_machine::{booking::Status, payment::State};

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// The 48-hour instant of [`booked`].
fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

fn said(why: &str) -> status::StatusInput {
    status::StatusInput { reason: Some(why.into()), ..status::StatusInput::default() }
}

/// 574.88 for Thursday week: 114.98 after a day, 459.90 two days before.
async fn booked(w: &World, tip: Option<&str>) -> BookingId {
    w.flat_rate(50_000).await;
    let (date, time) = (NaiveDate::from_ymd_opt(2027, 2, 18).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    let tip = tip.map(|dollars| TipInput { kind: "amount".into(), value: dollars.into() });
    w.book(draft(Province::QC, date, time), tip).await.unwrap().booking.id
}

async fn at(w: &World, instant: DateTime<Utc>) {
    w.clock.set(instant);
    w.work().await;
}

async fn set(w: &World, id: BookingId, to: Status) {
    status::set(&w.s, &w.staff(), id, to, said("by the staff")).await.unwrap();
    w.work().await;
}

/// The days of [`booked`] pass: deposit, balance, and a move that is done.
async fn moved(w: &World, id: BookingId) {
    at(w, monday() + Duration::hours(25)).await;
    at(w, lock()).await;
    at(w, lock() + Duration::hours(52)).await;
    set(w, id, Status::Completed).await;
}

/// A card the customer stores: declined charges are tried with it at once.
async fn new_card(w: &World) {
    payments::add_card(&w.s, &w.customer, "fake-valid-nonce".into(), None, None).await.unwrap();
    w.work().await;
}

async fn price(w: &World, id: BookingId, cents: i64) {
    let input = StaffEdit { amount: Some(Money::from_cents(cents)), waive_fee: true, ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, input, None).await.unwrap();
    w.work().await;
}

async fn rows(w: &World, id: BookingId) -> Vec<Payment> {
    w.read(move |u| u.payments().of_booking(id)).await
}

async fn row(w: &World, id: BookingId, kind: PaymentKind) -> Payment {
    rows(w, id).await.into_iter().rfind(|r| r.kind == kind).unwrap()
}

/// The bank refuses the newest charge when it settles, and we hear of it.
async fn refused_at_settlement(w: &World) {
    let mut order = String::new();
    w.gateway.change(|list| {
        let t = list.iter_mut().rfind(|t: &&mut GatewayTransaction| t.kind == GatewayKind::Charge).unwrap();
        t.status = GatewayStatus::Declined;
        order.clone_from(&t.order_id);
    });
    settlement::suspect(&w.s, &order).await.unwrap();
    w.work().await;
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

#[tokio::test]
async fn a_deposit_that_was_given_up_is_not_charged_beside_the_whole() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    w.gateway.queue(&[Next::Soft; 3]);
    for hours in [25, 31, 49] {
        at(&w, monday() + Duration::hours(hours)).await;
    }
    at(&w, lock()).await;
    assert_eq!(w.gateway.charges(), [57_488]);
    at(&w, lock() + Duration::hours(52)).await;
    set(&w, id, Status::Completed).await;
    w.clock.set(lock() + Duration::days(60));
    new_card(&w).await;
    assert_eq!(w.gateway.charges(), [57_488], "everything was paid: a new card charges nothing");
    sound(&w).await;
}

#[tokio::test]
async fn a_deposit_the_bank_took_back_is_charged_to_the_next_card_and_to_nothing_before() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    at(&w, monday() + Duration::hours(25)).await;
    let deposit = row(&w, id, PaymentKind::Deposit).await;
    at(&w, lock()).await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990]);
    // Of the two it is the older one.
    let order = w.read(move |u| u.payments().attempts_of(deposit.id)).await.pop().unwrap().order_id;
    w.gateway.change(|list| {
        list.iter_mut().find(|t| t.order_id == order).unwrap().status = GatewayStatus::Declined;
    });
    settlement::suspect(&w.s, &order).await.unwrap();
    w.work().await;
    at(&w, lock() + Duration::hours(52)).await;
    set(&w, id, Status::Completed).await;
    at(&w, lock() + Duration::days(9)).await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990], "nothing is charged again by itself");
    assert_eq!(row(&w, id, PaymentKind::Deposit).await.state, State::Failed, "the staff see it");
    new_card(&w).await;
    new_card(&w).await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990, 11_498]);
    sound(&w).await;
}

#[tokio::test]
async fn what_was_given_up_is_asked_for_as_it_is_owed_now() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    at(&w, monday() + Duration::hours(25)).await;
    at(&w, lock()).await;
    refused_at_settlement(&w).await;
    assert_eq!(row(&w, id, PaymentKind::Balance).await.state, State::Failed);
    // 229.95 in all: the edit charges what the deposit leaves of it.
    price(&w, id, 20_000).await;
    let paid: i64 = w.gateway.net();
    at(&w, lock() + Duration::hours(52)).await;
    set(&w, id, Status::Completed).await;
    new_card(&w).await;
    let total = w.booking(id).await.total.cents();
    assert_eq!(w.gateway.net(), total, "{paid} were held before the new card");
    sound(&w).await;
}

/// While the move is still to come: what staff give or take by hand meanwhile is not charged to the next card.
#[tokio::test]
async fn a_credit_and_cash_lower_what_was_given_up_before_the_move() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    at(&w, monday() + Duration::hours(25)).await;
    at(&w, lock()).await;
    refused_at_settlement(&w).await;
    assert_eq!(row(&w, id, PaymentKind::Balance).await.state, State::Failed);
    let credit = NewCredit { kind: CreditKind::Goodwill, amount: Money::from_cents(10_000), reason: "Late".into() };
    credits::give(&w.s, &w.staff(), id, credit, None).await.unwrap();
    let cash = Received { method: PaidWith::Cash, amount: Money::from_cents(5_000), reference: None };
    received::record(&w.s, &w.staff(), id, cash, None).await.unwrap();
    w.work().await;
    assert_eq!(row(&w, id, PaymentKind::Balance).await.amount.cents(), 45_990 - 15_000);
    new_card(&w).await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990, 30_990]);
    assert_eq!(w.gateway.net(), 11_498 + 30_990);
    sound(&w).await;
}

#[tokio::test]
async fn a_tip_that_was_refused_does_not_keep_a_reopened_move_from_being_done() {
    let w = World::new(monday()).await;
    let id = booked(&w, Some("20")).await;
    moved(&w, id).await;
    at(&w, lock() + Duration::hours(77)).await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990, 2_000]);
    set(&w, id, Status::Assigned).await;
    refused_at_settlement(&w).await;
    set(&w, id, Status::Completed).await;
    at(&w, w.clock.now_value() + Duration::hours(23)).await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990, 2_000], "a day after it was done again");
    at(&w, w.clock.now_value() + Duration::hours(2)).await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990, 2_000, 2_000]);
    sound(&w).await;
}

#[tokio::test]
async fn a_tip_that_went_back_is_charged_when_the_move_takes_place_after_all() {
    let w = World::new(monday()).await;
    let id = booked(&w, Some("20")).await;
    moved(&w, id).await;
    at(&w, lock() + Duration::hours(77)).await;
    set(&w, id, Status::Assigned).await;
    let later = EditInput { date: NaiveDate::from_ymd_opt(2027, 3, 4), ..EditInput::default() };
    edit(&w.s, &w.ops, id, later, None).await.unwrap();
    set(&w, id, Status::Cancelled).await;
    assert_eq!(w.gateway.net(), 0);
    set(&w, id, Status::Pending).await;
    w.agrees(id).await;
    at(&w, "2027-03-05T14:00:00Z".parse().unwrap()).await;
    set(&w, id, Status::Completed).await;
    at(&w, "2027-03-06T15:00:00Z".parse().unwrap()).await;
    assert_eq!(w.gateway.net(), 57_488 + 2_000);
    sound(&w).await;
}

/// Seed 29062 of the simulation: a tip that had been given up was applied after another one.
#[tokio::test]
async fn a_tip_that_was_charged_twice_and_returned_once_is_paid() {
    let w = World::new(monday()).await;
    let id = booked(&w, Some("20")).await;
    moved(&w, id).await;
    w.gateway.forget_keys();
    w.gateway.queue(&[Next::Late]);
    for minutes in [0, 1] {
        at(&w, lock() + Duration::hours(77) + Duration::minutes(minutes)).await;
    }
    assert_eq!(w.gateway.deliver(), 1);
    at(&w, lock() + Duration::hours(79)).await;
    assert_eq!((w.gateway.refunds(), w.gateway.net()), (vec![2_000], 57_488 + 2_000));
    assert!(w.read(move |u| u.tips().of_booking(id)).await.unwrap().is_paid);
    sound(&w).await;
}

#[tokio::test]
async fn trying_other_cards_costs_no_time() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    at(&w, monday() + Duration::hours(25)).await;
    w.gateway.queue(&[Next::Soft; 5]);
    at(&w, lock()).await;
    for minutes in [2, 4, 6, 8] {
        w.clock.set(lock() + Duration::minutes(minutes));
        new_card(&w).await;
    }
    assert_eq!(w.booking(id).await.status, Status::Pending, "the last step is a day before the move");
    w.clock.set(lock() + Duration::minutes(10));
    new_card(&w).await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990]);
    sound(&w).await;
}

#[tokio::test]
async fn an_outage_does_not_burn_the_ladder_in_a_moment() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    at(&w, monday() + Duration::hours(25)).await;
    w.gateway.queue(&[Next::Soft; 20]);
    // Nothing ran for 26 hours.
    at(&w, lock() + Duration::hours(26)).await;
    let balance = row(&w, id, PaymentKind::Balance).await;
    assert_eq!((balance.attempts, balance.next_attempt_at), (1, Some(lock() + Duration::hours(28))));
    assert_eq!(w.booking(id).await.status, Status::Pending);
    for hours in [28, 30, 32, 34] {
        at(&w, lock() + Duration::hours(hours)).await;
    }
    assert_eq!(w.booking(id).await.status, Status::Cancelled, "14 hours before the move");
    sound(&w).await;
}

#[tokio::test]
async fn a_move_that_has_begun_is_not_cancelled_by_a_ladder() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    at(&w, monday() + Duration::hours(25)).await;
    w.gateway.queue(&[Next::Soft; 20]);
    at(&w, lock() + Duration::hours(49)).await;
    let b = w.booking(id).await;
    assert_eq!((b.status, b.details.payment_problem), (Status::Pending, true), "it is on the staff's list");
    assert_eq!(row(&w, id, PaymentKind::Balance).await.attempts, 1);
    sound(&w).await;
}

#[tokio::test]
async fn a_postponed_move_that_was_paid_back_is_charged_on_its_new_day() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    at(&w, monday() + Duration::hours(25)).await;
    at(&w, lock()).await;
    let later = EditInput { date: NaiveDate::from_ymd_opt(2027, 3, 4), ..EditInput::default() };
    edit(&w.s, &w.ops, id, later, None).await.unwrap();
    set(&w, id, Status::Cancelled).await;
    assert_eq!(w.gateway.net(), 0, "the company cancels");
    at(&w, lock() + Duration::hours(9)).await;
    set(&w, id, Status::Pending).await;
    at(&w, "2027-03-01T16:00:00Z".parse().unwrap()).await;
    assert_eq!(w.gateway.net(), 0, "its 48-hour instant is in March");
    sound(&w).await;
    // Once more, with a deposit that is kept meanwhile: it stands for its part.
    let wish = status::StatusInput { customers_wish: true, ..said("by the customer") };
    let at_noon: DateTime<Utc> = "2027-03-01T17:00:00Z".parse().unwrap();
    w.clock.set(at_noon);
    status::set(&w.s, &w.staff(), id, Status::Cancelled, wish).await.unwrap();
    w.work().await;
    let kept = w.gateway.net();
    set(&w, id, Status::Pending).await;
    w.agrees(id).await;
    assert_eq!(w.gateway.net(), kept, "still nothing more before March 2");
    at(&w, "2027-03-02T14:00:00Z".parse().unwrap()).await;
    assert_eq!(w.gateway.net(), 57_488);
    sound(&w).await;
}

/// Seed 8206 of the simulation.
#[tokio::test]
async fn money_that_is_on_its_way_back_is_not_held() {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    let (date, time) = (NaiveDate::from_ymd_opt(2027, 2, 9).unwrap(), NaiveTime::from_hms_opt(13, 0, 0).unwrap());
    let id = w.book(draft(Province::QC, date, time), None).await.unwrap().booking.id;
    assert_eq!(w.gateway.net(), 57_488, "tomorrow");
    let later = EditInput { date: NaiveDate::from_ymd_opt(2027, 3, 4), ..EditInput::default() };
    edit(&w.s, &w.ops, id, later, None).await.unwrap();
    w.work().await;
    // The refund is at the gateway when the move takes place after all.
    w.gateway.forget_keys();
    w.gateway.may_be_late(60_000);
    w.gateway.queue_refund(&[Next::Late]);
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said("by the staff")).await.unwrap();
    jobs::run_due(&w.s, "w").await.unwrap();
    status::set(&w.s, &w.staff(), id, Status::Pending, said("by the staff")).await.unwrap();
    w.gateway.may_be_late(0);
    assert_eq!(w.gateway.deliver(), 1);
    at(&w, monday() + Duration::hours(1)).await;
    w.agrees(id).await;
    assert_eq!(w.gateway.net(), 0, "three weeks before the move");
    at(&w, "2027-03-02T18:00:00Z".parse().unwrap()).await;
    assert_eq!(w.gateway.net(), 57_488);
    sound(&w).await;
}

/// Seeds 29102 and 45183 of the simulation: a refund that had been given up and withdrawn was made after all,
/// by reversing the charge, which leaves nothing under the refund's own order id.
#[tokio::test]
async fn a_reversal_that_comes_late_is_found() {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    let (date, time) = (NaiveDate::from_ymd_opt(2027, 2, 9).unwrap(), NaiveTime::from_hms_opt(13, 0, 0).unwrap());
    let id = w.book(draft(Province::QC, date, time), None).await.unwrap().booking.id;
    w.gateway.forget_keys();
    w.gateway.may_be_late(60_000);
    w.gateway.queue_refund(&[Next::Late]);
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said("by the staff")).await.unwrap();
    jobs::run_due(&w.s, "w").await.unwrap();
    status::set(&w.s, &w.staff(), id, Status::Pending, said("by the staff")).await.unwrap();
    // The gateway is believed to be silent by now, and is not.
    w.gateway.may_be_late(0);
    at(&w, monday() + Duration::minutes(2)).await;
    assert_eq!((w.gateway.net(), *row(&w, id, PaymentKind::Refund).await.state), (57_488, State::Skipped));
    assert_eq!(w.gateway.deliver(), 1);
    assert_eq!(w.gateway.net(), 0);
    at(&w, monday() + Duration::minutes(30)).await;
    let refunds = rows(&w, id).await.into_iter().filter(|r| r.kind == PaymentKind::Refund && r.settled_at.is_some());
    assert_eq!(refunds.map(|r| r.amount.cents()).sum::<i64>(), 57_488, "it is in the books");
    assert_eq!(w.gateway.net(), 57_488, "the move is tomorrow, so it is charged again");
    sound(&w).await;
}

#[tokio::test]
async fn a_charge_outlives_the_workers_that_were_killed_at_it() {
    let mut w = World::new(monday()).await;
    booked(&w, None).await;
    w.clock.set(monday() + Duration::hours(25));
    let (now, start) = (w.clock.now_value(), w.s.wall.now());
    let wall = Arc::new(HandClock::at(start));
    w.s.wall = wall.clone();
    let mut claimed = 0;
    // For hours, in which it is taken up again and again.
    for minute in 0..300 {
        wall.set(start + Duration::minutes(minute));
        let (at, money) = (wall.now_value(), Lane::Money.kinds());
        let job = w.write(move |u| u.jobs().claim_one(now, at, DateTime::UNIX_EPOCH, "killed", money)).await;
        claimed += i32::from(job.is_some_and(|job| job.kind == "bill_booking"));
        if claimed == 60 {
            break;
        }
    }
    assert_eq!(claimed, 60);
    jobs::run_due(&w.s, "the next worker").await.unwrap();
    assert_eq!(w.gateway.charges(), [0; 0], "after so many it waits for a minute");
    wall.set(wall.now_value() + Duration::minutes(1));
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498]);
    sound(&w).await;
}

#[tokio::test]
async fn a_used_hold_stands_for_its_own_booking_only() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    let hold = w.read(move |u| u.capacities().hold_of_booking(id)).await.unwrap().id;
    let again = |day: u32| {
        let (date, time) = (NaiveDate::from_ymd_opt(2027, 2, day).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
        let mut d = draft(Province::QC, date, time);
        d.hold_id = Some(hold);
        d
    };
    assert_eq!(w.book(again(18), None).await.unwrap().booking.id, id, "the second press of one button");
    let refused = |e: service::Error| matches!(e, service::Error::Refused(ErrorCode::SlotGone, _));
    assert!(w.book(again(22), None).await.is_err_and(refused), "another day was never booked");
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    assert!(w.book(again(18), None).await.is_err_and(refused), "and this one is not any more");
}

#[tokio::test]
async fn a_refused_refund_counts_as_long_as_it_is_owed() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    at(&w, monday() + Duration::hours(25)).await;
    w.gateway.queue_refund(&[Next::Hard]);
    // 20 % of less is owed as deposit.
    price(&w, id, 8_000).await;
    assert_eq!(row(&w, id, PaymentKind::Refund).await.state, State::Failed);
    price(&w, id, 50_000).await;
    price(&w, id, 6_000).await;
    at(&w, monday() + Duration::hours(50)).await;
    let total = w.booking(id).await.total.cents();
    assert_eq!(w.gateway.net(), total, "what is too much now goes back");
    sound(&w).await;
}

#[tokio::test]
async fn nobody_is_reminded_of_a_move_that_the_last_try_cancels() {
    let w = World::new(monday()).await;
    let id = booked(&w, None).await;
    at(&w, monday() + Duration::hours(25)).await;
    w.gateway.usually(Next::Soft);
    let start = w.booking(id).await.move_at;
    while let Some(next) = w.next_job().await.filter(|next| *next < start) {
        at(&w, next.max(w.clock.now_value())).await;
    }
    assert_eq!(w.booking(id).await.status, Status::Cancelled);
    let sent = w.mailer.sent.lock().unwrap().clone();
    let of = |kind: &str| sent.iter().filter(|m| m.message_type == kind).count();
    assert_eq!((of("moveReminder"), of("bookingCancelled")), (1, 1), "three days before, when nothing had failed");
}
