//! A gateway that is slow before it applies, answers that are lost, people who press twice and staff
//! who change their minds: every order id is applied once, and what is owed is what is held.

use crate::support::{Next, OsEntropy, World, draft};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, DiscountId, Money, Province};
use service::{
    Actor, Error, ErrorCode,
    billing::reconcile,
    bookings::{
        Created, Draft, TipInput, cancel, create,
        edit::{EditInput, StaffEdit, edit, edit_as_staff},
        status,
    },
    idempotency::{Guard, Replayable, Request},
    jobs,
    ports::{
        Entropy as _, StoreError,
        discounts::StoredDiscount,
        payments::{Payment, PaymentKind},
    },
    tips,
};
use status_machine::{booking::Status, records::CheckoutState};

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn on(day: u32, hour: u32) -> Draft {
    draft(Province::QC, NaiveDate::from_ymd_opt(2027, 2, day).unwrap(), NaiveTime::from_hms_opt(hour, 0, 0).unwrap())
}

fn guard(key: &str) -> Option<Guard<Created>> {
    Some(Guard {
        request: Request { scope: "c".into(), key: key.into(), body_hash: "h".into() },
        render: Box::new(|c: &Created| (201, serde_json::json!({ "id": c.booking.id }))),
    })
}

fn refused(e: &Error) -> Option<ErrorCode> {
    match e {
        Error::Refused(code, _) => Some(*code),
        _ => None,
    }
}

fn said(reason: &str) -> status::StatusInput {
    status::StatusInput { reason: Some(reason.into()), ..status::StatusInput::default() }
}

/// A booking of 574.88 for Thursday week, its deposit of 114.98 paid.
async fn with_deposit(w: &World) -> BookingId {
    w.flat_rate(50_000).await;
    let id = w.book(on(18, 9), None).await.unwrap().booking.id;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498]);
    id
}

/// The 48-hour instant of that booking.
fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

async fn rows(w: &World, id: BookingId) -> Vec<Payment> {
    w.read(move |u| u.payments().of_booking(id)).await
}

async fn sound(w: &World) {
    assert_eq!(w.gateway.repeated(), Vec::<String>::new(), "{:#?}", w.gateway.seen());
    let report = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
    assert!(w.read(|u| u.capacities().drift()).await.is_empty());
}

fn staff_price(cents: i64) -> StaffEdit {
    StaffEdit { amount: Some(Money::from_cents(cents)), ..StaffEdit::default() }
}

#[tokio::test]
async fn a_charge_that_is_applied_after_everybody_gave_up_books_once() {
    let w = World::new(monday()).await;
    w.gateway.forget_keys();
    w.gateway.may_be_late(60_000);
    w.gateway.queue(&[Next::Late]);
    let press = || create(&w.s, &w.customer, on(9, 13), None, guard("k"));
    assert_eq!(refused(&press().await.unwrap_err()), Some(ErrorCode::PaymentUnavailable));
    // Nothing is found yet, which proves nothing: the second press waits for the first.
    assert_eq!(refused(&press().await.unwrap_err()), Some(ErrorCode::RequestInFlight));
    w.clock.set(monday() + Duration::minutes(3));
    jobs::run_due(&w.s, "w").await.unwrap();
    assert_eq!(w.gateway.deliver(), 1);
    w.clock.set(monday() + Duration::minutes(4));
    let made = press().await.unwrap();
    assert!(matches!(made, Replayable::Fresh(_)));
    w.work().await;
    assert_eq!(w.gateway.charges().len(), 1, "charged once");
    let user = w.customer.user.unwrap();
    let bookings = w.read(move |u| u.bookings().of_user(user, 1, 9)).await;
    assert_eq!((bookings.total, bookings.data[0].total.cents()), (1, w.gateway.net()));
    sound(&w).await;
}

/// Found by the simulation (seed 148158): a key expired by the business clock while its charge was at the gateway,
/// counted anew, and the first request, when it was refused at last, took the second one's answer away.
#[tokio::test]
async fn a_key_does_not_expire_while_its_charge_is_at_the_gateway() {
    let w = World::new(monday()).await;
    w.gateway.forget_keys();
    w.gateway.may_be_late(60_000);
    w.gateway.queue(&[Next::Late]);
    let press = || create(&w.s, &w.customer, on(9, 13), None, guard("k"));
    assert_eq!(refused(&press().await.unwrap_err()), Some(ErrorCode::PaymentUnavailable));
    w.clock.set(monday() + Duration::hours(25));
    assert_eq!(refused(&press().await.unwrap_err()), Some(ErrorCode::RequestInFlight));
    assert_eq!(w.gateway.deliver(), 1);
    w.clock.set(monday() + Duration::hours(26));
    assert!(matches!(press().await.unwrap(), Replayable::Fresh(_)));
    w.work().await;
    let user = w.customer.user.unwrap();
    let bookings = w.read(move |u| u.bookings().of_user(user, 1, 9)).await;
    assert_eq!((bookings.total, w.gateway.charges().len()), (1, 1));
    sound(&w).await;
}

#[tokio::test]
async fn a_charge_that_is_applied_for_a_freed_checkout_goes_back_by_itself() {
    let w = World::new(monday()).await;
    w.gateway.forget_keys();
    w.gateway.queue(&[Next::Late]);
    // The look-up is told that nothing can arrive any more; the gateway breaks its word.
    assert_eq!(refused(&w.book(on(9, 13), None).await.unwrap_err()), Some(ErrorCode::PaymentUnavailable));
    assert!(w.read(|u| u.checkouts().in_state(CheckoutState::Abandoned)).await.len() == 1);
    assert_eq!(w.gateway.deliver(), 1);
    let before = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(1)).await.unwrap();
    assert_eq!(before.differences.len(), 1, "{:?}", before.differences);
    w.clock.set(monday() + Duration::hours(2));
    w.work().await;
    assert_eq!((w.gateway.charges().len(), w.gateway.refunds().len(), w.gateway.net()), (1, 1, 0));
    let order = w.gateway.seen()[0].order_id.clone();
    assert!(w.read(move |u| u.strays().get(&order)).await.unwrap().returned_at.is_some(), "it is on record");
    sound(&w).await;
}

#[tokio::test]
async fn a_lost_deposit_that_is_applied_late_counts_and_nothing_is_charged_twice_for_long() {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    let id = w.book(on(18, 9), None).await.unwrap().booking.id;
    w.gateway.forget_keys();
    w.gateway.queue(&[Next::Late]);
    for minutes in [0, 1] {
        w.clock.set(monday() + Duration::hours(25) + Duration::minutes(minutes));
        w.work().await;
    }
    assert_eq!(w.gateway.charges(), [11_498], "another attempt under another order id");
    w.gateway.deliver();
    w.clock.set(monday() + Duration::hours(27));
    w.work().await;
    assert_eq!(w.gateway.refunds(), [] as [i64; 0], "what was paid too early is credited, not too much of the total");
    w.clock.set(lock() + Duration::minutes(1));
    w.work().await;
    assert_eq!(w.gateway.net(), 57_488);
    assert_eq!(w.booking(id).await.total.cents(), 57_488);
    sound(&w).await;
}

#[tokio::test]
async fn a_slow_gateway_is_sent_each_due_charge_once_by_two_workers_and_impatient_customers() {
    let w = World::new(monday()).await;
    let id = with_deposit(&w).await;
    w.gateway.forget_keys();
    w.gateway.usually(Next::Slow(700));
    w.clock.set(lock());
    let (a, b) = (w.s.clone(), w.s.clone());
    let worker = |s: service::Services, name: &'static str| async move {
        for _ in 0..12 {
            jobs::run_due(&s, name).await.unwrap();
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    };
    let cancels = futures_util::future::join_all((0..6).map(|_| cancel::cancel(&w.s, &w.customer, id)));
    let (_, _, done) = tokio::join!(worker(a, "one"), worker(b, "two"), cancels);
    assert_eq!(done.iter().filter(|d| d.is_ok()).count(), 1, "cancelled once");
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990]);
    assert_eq!(w.gateway.net(), 57_488, "the 48-hour rule keeps everything");
    sound(&w).await;
}

#[tokio::test]
async fn a_refund_whose_answer_is_slow_or_lost_is_made_once() {
    for how in [Next::Slow(500), Next::LostAnswer, Next::Late] {
        let w = World::new(monday()).await;
        let id = with_deposit(&w).await;
        w.clock.set(lock());
        w.work().await;
        w.clock.set(lock() + Duration::hours(20));
        w.gateway.forget_keys();
        w.gateway.may_be_late(60_000);
        w.gateway.queue_refund(&[how]);
        let cut = edit_as_staff(&w.s, &w.staff(), id, staff_price(20_000), None).await;
        assert!(cut.is_ok(), "{how:?}: {cut:?}");
        let (one, two) = (jobs::run_due(&w.s, "one"), jobs::run_due(&w.s, "two"));
        let (a, b) = tokio::join!(one, two);
        a.unwrap();
        b.unwrap();
        w.gateway.deliver();
        w.work().await;
        assert_eq!(w.gateway.refunds(), [57_488 - 22_995], "{how:?}");
        assert_eq!(w.gateway.net(), 22_995, "{how:?}");
        sound(&w).await;
    }
}

#[tokio::test]
async fn an_edit_waits_for_the_charge_that_is_under_way() {
    let w = World::new(monday()).await;
    let id = with_deposit(&w).await;
    w.gateway.forget_keys();
    w.gateway.may_be_late(60_000);
    w.gateway.queue(&[Next::Late]);
    w.clock.set(lock());
    jobs::run_due(&w.s, "w").await.unwrap();
    let early = edit_as_staff(&w.s, &w.staff(), id, staff_price(60_000), None).await.unwrap_err();
    assert_eq!(refused(&early), Some(ErrorCode::PaymentInFlight));
    let notes = StaffEdit { notes: Some("call first".into()), ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, notes, None).await.unwrap();
    w.gateway.deliver();
    w.work().await;
    edit_as_staff(&w.s, &w.staff(), id, staff_price(60_000), None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990, 68_985 - 57_488]);
    sound(&w).await;
}

#[tokio::test]
async fn a_tip_is_charged_once_however_it_is_edited() {
    for how in [Next::Late, Next::LostAnswer, Next::Soft] {
        let w = World::new(monday()).await;
        w.flat_rate(50_000).await;
        let tip = |value: &str| TipInput { kind: "amount".into(), value: value.into() };
        let id = w.book(on(18, 9), Some(tip("20.00"))).await.unwrap().booking.id;
        w.clock.set(lock() + Duration::hours(50));
        w.work().await;
        status::set(&w.s, &w.staff(), id, Status::Completed, said("done")).await.unwrap();
        w.gateway.forget_keys();
        w.gateway.may_be_late(60_000);
        w.gateway.queue(&[how]);
        w.clock.set(lock() + Duration::hours(75));
        jobs::run_due(&w.s, "w").await.unwrap();
        let edited = tips::put(&w.s, &w.customer, id.0, tip("25.00"), None).await;
        match how {
            Next::Soft => drop(edited.unwrap()),
            _ => assert_eq!(refused(&edited.unwrap_err()), Some(ErrorCode::PaymentInFlight)),
        }
        w.gateway.deliver();
        w.work().await;
        w.clock.set(lock() + Duration::days(20));
        w.work().await;
        let tips: Vec<i64> = rows(&w, id)
            .await
            .iter()
            .filter(|r| r.kind == PaymentKind::Tip && r.settled_at.is_some())
            .map(|r| r.amount.cents())
            .collect();
        assert_eq!(tips, [if how == Next::Soft { 2_500 } else { 2_000 }], "{how:?}");
        sound(&w).await;
    }
}

/// Completing a move again plans no second tip beside the one at the gateway.
#[tokio::test]
async fn a_tip_under_way_is_not_planned_again_when_the_move_is_completed_again() {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    let tip = TipInput { kind: "amount".into(), value: "20.00".into() };
    let id = w.book(on(18, 9), Some(tip)).await.unwrap().booking.id;
    w.clock.set(lock() + Duration::hours(50));
    w.work().await;
    status::set(&w.s, &w.staff(), id, Status::Completed, said("done")).await.unwrap();
    w.gateway.may_be_late(60_000);
    w.gateway.queue(&[Next::Late]);
    w.clock.set(lock() + Duration::hours(75));
    jobs::run_due(&w.s, "w").await.unwrap();
    status::set(&w.s, &w.staff(), id, Status::Assigned, said("not yet")).await.unwrap();
    status::set(&w.s, &w.staff(), id, Status::Completed, said("done")).await.unwrap();
    w.gateway.deliver();
    w.work().await;
    w.clock.set(lock() + Duration::days(20));
    w.work().await;
    let tips = rows(&w, id).await.into_iter().filter(|r| r.kind == PaymentKind::Tip);
    assert_eq!(tips.map(|r| (r.amount.cents(), r.state.code())).collect::<Vec<_>>(), [(2_000, "captured")]);
    sound(&w).await;
}

#[tokio::test]
async fn a_tip_that_failed_for_good_may_be_given_again_and_is_charged_once() {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    let tip = |value: &str| TipInput { kind: "amount".into(), value: value.into() };
    let id = w.book(on(18, 9), Some(tip("20.00"))).await.unwrap().booking.id;
    w.clock.set(lock() + Duration::hours(50));
    w.work().await;
    status::set(&w.s, &w.staff(), id, Status::Completed, said("done")).await.unwrap();
    w.gateway.queue(&[Next::Soft, Next::Soft, Next::Soft, Next::Soft]);
    for days in 3..14 {
        w.clock.set(lock() + Duration::days(days));
        w.work().await;
    }
    assert!(rows(&w, id).await.iter().any(|r| r.kind == PaymentKind::Tip && r.state.code() == "failed"));
    tips::put(&w.s, &w.customer, id.0, tip("25.00"), None).await.unwrap();
    tips::put(&w.s, &w.customer, id.0, tip("30.00"), None).await.unwrap();
    w.clock.set(lock() + Duration::days(30));
    w.work().await;
    let taken: Vec<i64> = rows(&w, id)
        .await
        .iter()
        .filter(|r| r.kind == PaymentKind::Tip && r.settled_at.is_some())
        .map(|r| r.amount.cents())
        .collect();
    assert_eq!(taken, [3_000]);
    sound(&w).await;
}

#[tokio::test]
async fn a_cancellation_taken_back_charges_on_the_old_days_and_turns_its_books_around() {
    let w = World::new(monday()).await;
    let id = with_deposit(&w).await;
    w.clock.set(monday() + Duration::days(2));
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), 11_498, "the deposit is kept");
    w.clock.set(monday() + Duration::days(2) + Duration::hours(2));
    status::set(&w.s, &w.staff(), id, Status::Pending, said("they changed their mind")).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498], "six days early nothing more is charged");
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    let of = |account: &str| -> i64 {
        entries.iter().flat_map(|e| e.lines()).filter(|l| l.account.code() == account).map(|l| l.amount.cents()).sum()
    };
    assert_eq!((of("cancellation_revenue"), of("gst"), of("qst"), of("customer")), (0, 0, 0, -11_498));
    let reminders = w.read(|u| u.jobs().figures(monday())).await;
    assert!(reminders.waiting >= 2, "the 48-hour charge and the reminders wait again: {reminders:?}");
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990]);
    w.clock.set(lock() + Duration::hours(50));
    w.work().await;
    status::set(&w.s, &w.staff(), id, Status::Completed, said("done")).await.unwrap();
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    let sum = |account: &str| -> i64 {
        entries.iter().flat_map(|e| e.lines()).filter(|l| l.account.code() == account).map(|l| l.amount.cents()).sum()
    };
    assert_eq!((sum("customer"), sum("revenue"), sum("cancellation_revenue"), sum("gst")), (0, -50_000, 0, -2_500));
    sound(&w).await;
}

/// The use of its code and both announcements of the move.
#[tokio::test]
async fn a_cancellation_taken_back_brings_back_its_code_and_its_reminders() {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    w.write(|u| {
        u.discounts().insert(&StoredDiscount {
            id: DiscountId(OsEntropy.uuid(monday())),
            code: "SPRING".into(),
            terms: pricing::DiscountTerms::Fixed { amount: Money::from_cents(1_000) },
            valid_from: monday().date_naive(),
            valid_until: NaiveDate::from_ymd_opt(2027, 12, 31).unwrap(),
            bookable_from: None,
            bookable_until: None,
            max_uses: Some(1),
            max_uses_per_customer: None,
            first_booking_only: false,
            uses: 0,
            provinces: Vec::new(),
            kinds: Vec::new(),
            disabled: false,
            created_at: monday(),
            version: 1,
        })
    })
    .await;
    let uses = || w.read(|u| Ok::<_, StoreError>(u.discounts().by_code("SPRING")?.unwrap().uses));
    let id = w.book(Draft { discount_code: Some("SPRING".into()), ..on(18, 9) }, None).await.unwrap().booking.id;
    assert_eq!(uses().await, 1);
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    assert_eq!(uses().await, 0);
    status::set(&w.s, &w.staff(), id, Status::Pending, said("they changed their mind")).await.unwrap();
    assert_eq!(uses().await, 1);
    let start = w.booking(id).await.move_at;
    while let Some(at) = w.next_job().await.filter(|at| *at < start) {
        w.clock.set(at.max(w.clock.now_value()));
        w.work().await;
    }
    let sent = w.mailer.sent.lock().unwrap().clone();
    assert_eq!(sent.iter().filter(|m| m.message_type == "moveReminder").count(), 2, "three days before, and one");
    sound(&w).await;
}

#[tokio::test]
async fn a_refund_that_waits_is_withdrawn_when_the_cancellation_is_taken_back() {
    let w = World::new(monday()).await;
    let id = with_deposit(&w).await;
    w.clock.set(lock());
    w.work().await;
    let said = status::StatusInput { reason: Some("no crew".into()), ..status::StatusInput::default() };
    w.gateway.usually(Next::Approve);
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said.clone()).await.unwrap();
    status::set(&w.s, &w.staff(), id, Status::Pending, said).await.unwrap();
    w.work().await;
    assert_eq!((w.gateway.refunds().len(), w.gateway.net()), (0, 57_488));
    sound(&w).await;
}

#[tokio::test]
async fn a_move_may_be_completed_reopened_and_completed_again() {
    let w = World::new(monday()).await;
    let id = with_deposit(&w).await;
    w.clock.set(lock() + Duration::hours(50));
    w.work().await;
    for _ in 0..3 {
        status::set(&w.s, &w.staff(), id, Status::Completed, said("done")).await.unwrap();
        status::set(&w.s, &w.staff(), id, Status::Assigned, said("not yet")).await.unwrap();
    }
    status::set(&w.s, &w.staff(), id, Status::Completed, said("done")).await.unwrap();
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    let revenue: i64 = entries
        .iter()
        .flat_map(|e| e.lines())
        .filter(|l| l.account.code() == "revenue")
        .map(|l| l.amount.cents())
        .sum();
    assert_eq!(revenue, -50_000, "revenue counts once");
    sound(&w).await;
}

#[tokio::test]
async fn a_difference_that_cannot_be_charged_is_tried_four_times() {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    let id = w.book(on(18, 9), None).await.unwrap().booking.id;
    w.clock.set(lock());
    w.work().await;
    // The staff lower the price after the move's charge, give it back, and the refund is undone by
    // raising it when the card no longer works.
    let fresh = w.booking(id).await;
    w.write(move |u| {
        let mut b = fresh;
        b.amount = Money::from_cents(60_000);
        b.tax = Money::from_cents(8_985);
        b.total = Money::from_cents(68_985);
        u.bookings().update(&b, b.version)
    })
    .await;
    w.gateway.usually(Next::Soft);
    let mut b = w.booking(id).await;
    let settled = w.s.write(Actor::system(), move |tx| service::billing::settle::settle(tx, &mut b)).await;
    settled.unwrap();
    for hours in 0..(60 * 24 / 6) {
        w.clock.set(lock() + Duration::hours(hours * 6));
        w.work().await;
    }
    let declines = w.gateway.seen().iter().filter(|s| s.what == "decline").count();
    let mails = w.mailer.sent.lock().unwrap().iter().filter(|m| m.message_type == "paymentFailed").count();
    assert_eq!((declines, mails), (4, 4));
    // A new card sets it going at once, once.
    w.gateway.usually(Next::Approve);
    w.card().await;
    let user = w.customer.user.unwrap();
    let set_going = w.s.write(Actor::system(), move |tx| service::payments::retry_declined(tx, user)).await;
    set_going.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), 68_985);
}

#[tokio::test]
async fn an_edit_that_keeps_its_start_must_still_fit_the_day() {
    let w = World::new(monday()).await;
    let id = w.book(on(18, 16), None).await.unwrap().booking.id;
    let mut many = on(18, 16).items;
    many[0].quantity = 300;
    let input = EditInput { items: Some(many), ..EditInput::default() };
    let e = edit(&w.s, &w.customer, id, input, None).await.unwrap_err();
    assert_eq!(refused(&e), Some(ErrorCode::TooLong));
}
