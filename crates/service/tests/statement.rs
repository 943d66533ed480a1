//! The account of a booking: every fact once, in order, and what it left to pay.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    Error, ErrorCode,
    billing::settlement,
    bookings::{
        TipInput, cancel,
        edit::{StaffEdit, edit_as_staff},
        statement::{self, Fact, Statement},
        status::{self, StatusInput},
    },
    desk::{
        credits::{self, NewCredit},
        received::{self, Received},
    },
    ports::{
        credits::CreditKind::{self, Goodwill, Refund},
        payments::{GatewayKind, GatewayStatus, GatewayTransaction, PaidWith, PaymentKind},
    },
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft};

on_both_engines!(
    everything_that_happens_to_a_booking_is_told_once,
    a_cancellation_and_its_end_are_told,
    what_the_bank_takes_back_is_told,
    what_was_charged_once_stays_told,
    a_mistake_of_ours_is_told_as_one,
    a_stranger_reads_nothing,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

/// A booking of 574.88 for Thursday week.
async fn booked(w: &World, tip: Option<TipInput>) -> BookingId {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), tip).await.unwrap().booking.id
}

async fn give(w: &World, id: BookingId, kind: CreditKind, cents: i64) {
    let new = NewCredit { kind, amount: Money::from_cents(cents), reason: "An hour late".into() };
    credits::give(&w.s, &w.staff(), id, new, None).await.unwrap();
    w.work().await;
    // Part of a charge can go back once the bank has settled it.
    w.clock.set(w.clock.now_value() + Duration::hours(13));
    w.work().await;
}

async fn set(w: &World, id: BookingId, to: Status) {
    let said = StatusInput { reason: Some("test".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.unwrap();
    w.work().await;
}

async fn told(w: &World, id: BookingId) -> Statement {
    statement::statement(&w.s, &w.customer, id).await.unwrap()
}

/// Its facts in short, with what each left to pay.
async fn story(w: &World, id: BookingId) -> Vec<(String, i64, i64)> {
    let s = told(w, id).await;
    assert_eq!(s.rows.last().map(|r| r.balance), Some(s.balance));
    let name = |fact: &Fact| match fact {
        Fact::Charge { kind, method, .. } if method.is_by_hand() => format!("{} in {}", kind.code(), method.code()),
        Fact::Charge { kind, .. } => kind.code().to_owned(),
        Fact::Credit(kind, _) => format!("credit {}", kind.code()),
        Fact::Edit(_) => "edit".to_owned(),
        Fact::Refund { of_tip, .. } => if *of_tip { "tip back" } else { "back" }.to_owned(),
        other => format!("{other:?}").to_lowercase(),
    };
    s.rows.iter().map(|r| (name(&r.fact), r.amount.cents(), r.balance.cents())).collect()
}

fn row(fact: &str, amount: i64, left: i64) -> (String, i64, i64) {
    (fact.to_owned(), amount, left)
}

async fn everything_that_happens_to_a_booking_is_told_once(db: TestDb) {
    let w = World::on(db, monday()).await;
    let tip = TipInput { kind: "amount".into(), value: "20".into() };
    let id = booked(&w, Some(tip)).await;
    assert_eq!(story(&w, id).await, [row("price", 57_488, 57_488)]);
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    w.clock.set(monday() + Duration::hours(26));
    let edit = StaffEdit { amount: Some(Money::from_cents(60_000)), ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, edit, None).await.unwrap();
    w.clock.set(monday() + Duration::hours(40));
    w.work().await;
    give(&w, id, Refund, 5_000).await;
    let new = Received { method: PaidWith::Cash, amount: Money::from_cents(10_000), reference: None };
    received::record(&w.s, &w.staff(), id, new, None).await.unwrap();
    w.clock.set(w.clock.now_value() + Duration::hours(1));
    give(&w, id, Goodwill, 3_000).await;
    w.clock.set(lock());
    w.work().await;
    set(&w, id, Status::Assigned).await;
    w.clock.set("2027-02-18T22:00:00Z".parse().unwrap());
    w.work().await;
    set(&w, id, Status::Completed).await;
    w.clock.set("2027-02-20T22:00:00Z".parse().unwrap());
    w.work().await;
    // 600.00 and its taxes are 689.85.
    assert_eq!(
        story(&w, id).await,
        [
            row("price", 57_488, 57_488),
            row("deposit", 11_498, 45_990),
            row("edit", 11_497, 57_487),
            row("credit refund", 5_000, 52_487),
            row("back", 5_000, 57_487),
            row("difference in cash", 10_000, 47_487),
            row("credit goodwill", 3_000, 44_487),
            row("balance", 44_487, 0),
            row("tip", 2_000, 0),
        ]
    );
    let why = told(&w, id).await.rows.iter().any(|r| r.fact == Fact::Credit(Refund, "An hour late".into()));
    assert!(why, "the statement says why");
}

async fn a_cancellation_and_its_end_are_told(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, None).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    w.clock.set(monday() + Duration::hours(30));
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let kept = [row("price", 57_488, 57_488), row("deposit", 11_498, 45_990), row("cancelled", -45_990, 0)];
    assert_eq!(story(&w, id).await, kept);
    w.clock.set(monday() + Duration::hours(31));
    set(&w, id, Status::Pending).await;
    let back = [kept.to_vec(), vec![row("takenback", 45_990, 45_990)]].concat();
    assert_eq!(story(&w, id).await, back);
    w.clock.set(lock());
    w.work().await;
    assert_eq!(story(&w, id).await, [back, vec![row("balance", 45_990, 0)]].concat());
}

async fn what_the_bank_takes_back_is_told(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, None).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    let mut order = String::new();
    w.gateway.change(|list| {
        let t = list.iter_mut().rfind(|t: &&mut GatewayTransaction| t.kind == GatewayKind::Charge).unwrap();
        t.status = GatewayStatus::Declined;
        order.clone_from(&t.order_id);
    });
    settlement::suspect(&w.s, &order).await.unwrap();
    w.clock.set(monday() + Duration::hours(60));
    w.work().await;
    let told = story(&w, id).await;
    assert_eq!(told[..2], [row("price", 57_488, 57_488), row("deposit", 11_498, 45_990)]);
    assert_eq!(told[2], row("settlementdeclined", 11_498, 57_488));
    let s = self::told(&w, id).await;
    assert!(matches!(s.rows[1].fact, Fact::Charge { kind: PaymentKind::Deposit, at_once: false, .. }));
}

/// A row whose charge the bank refused asks for another amount later: the statement tells what was charged then.
async fn what_was_charged_once_stays_told(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, None).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let mut deposit = rows.into_iter().find(|p| p.kind == PaymentKind::Deposit).unwrap();
    deposit.amount = Money::from_cents(4_600);
    w.write(move |u| u.payments().update(&deposit)).await;
    assert_eq!(story(&w, id).await[1], row("deposit", 11_498, 45_990));
}

async fn a_mistake_of_ours_is_told_as_one(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, None).await;
    let new = Received { method: PaidWith::Cash, amount: Money::from_cents(10_000), reference: None };
    w.clock.set(monday() + Duration::hours(1));
    received::record(&w.s, &w.staff(), id, new, None).await.unwrap();
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let cash = rows.iter().find(|r| r.method == PaidWith::Cash).unwrap().id;
    w.clock.set(monday() + Duration::hours(2));
    received::undo(&w.s, &w.staff(), cash, "Another booking's".into(), None).await.unwrap();
    let told = story(&w, id).await;
    assert_eq!(told[1], row("difference in cash", 10_000, 47_488));
    assert_eq!(told[2], row("undone { method: cash }", 10_000, 57_488));
}

async fn a_stranger_reads_nothing(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, None).await;
    let stranger = support::caller(service::Role::Customer, kernel::UserId(uuid::Uuid::from_u128(7)));
    let Err(Error::Refused(ErrorCode::NotFound, _)) = statement::statement(&w.s, &stranger, id).await else { panic!() };
}
