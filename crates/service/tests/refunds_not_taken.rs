//! A refund that was made, and that the bank did not take: it is owed to the customer again, and staff give it once more.

use crate::support;

use chrono::{Duration, NaiveDate, NaiveTime};
use kernel::{BookingId, Province};
use service::{
    billing::{compare, mend, reconcile, repair::Repair, settlement},
    bookings::{
        statement::{self, Fact},
        status,
    },
    desk::failed::{self, FailureReason},
    ports::{
        comparisons::Standing,
        ledger::Account,
        payments::{AttemptState, GatewayKind, GatewayStatus, Payment, PaymentKind},
    },
};
use status_machine::{At, booking::Status, payment::State};
use store::testing::TestDb;
use support::{
    Next, World, draft,
    thursday::{DEPOSIT, row, start},
};

on_both_engines!(
    it_is_owed_again_and_given_once_more,
    without_a_notification_it_is_found_all_the_same,
    a_comparison_tells_it_and_puts_it_back,
    one_that_was_taken_reads_settled,
    what_the_gateway_refuses_says_how_often_and_why,
);

/// Its deposit was charged, and the company called the move off: the deposit went back.
async fn returned(w: &World) -> (BookingId, Payment, String) {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    let nine = NaiveTime::from_hms_opt(9, 0, 0).unwrap();
    let id = w.book(draft(Province::QC, date, nine), None).await.unwrap().booking.id;
    w.clock.set(start() + Duration::hours(25));
    w.work().await;
    w.clock.set(start() + Duration::hours(40));
    call_off(w, id).await;
    let refund = row(w, id, PaymentKind::Refund).await;
    let order = order(w, &refund, AttemptState::Applied).await;
    (id, refund, order)
}

async fn call_off(w: &World, id: BookingId) {
    let said = status::StatusInput { reason: Some("no crew".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
    w.work().await;
}

async fn order(w: &World, row: &Payment, state: AttemptState) -> String {
    let id = row.id;
    let attempts = w.read(move |u| u.payments().attempts_of(id)).await;
    attempts.into_iter().rfind(|a| a.state == state).unwrap().order_id
}

async fn balance(w: &World, id: BookingId, account: Account) -> i64 {
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    let lines = entries.iter().flat_map(|e| e.lines().to_vec());
    lines.filter(|l| l.account == account).map(|l| l.amount.cents()).sum()
}

async fn told(w: &World, order: &str) {
    settlement::suspect(&w.s, order).await.unwrap();
    w.work().await;
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, start() - Duration::days(1), start() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

async fn it_is_owed_again_and_given_once_more(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, refund, order) = returned(&w).await;
    assert_eq!((refund.state, balance(&w, id, Account::Customer).await), (At::stored(State::Captured), 0));
    w.gateway.refuses_refund(&order);
    w.clock.set(start() + Duration::hours(41));
    // Told twice, and of its charge as well.
    told(&w, &order).await;
    told(&w, &order).await;
    let charge = row(&w, id, PaymentKind::Deposit).await;
    let of_charge = self::order(&w, &charge, AttemptState::Applied).await;
    told(&w, &of_charge).await;

    let refund = row(&w, id, PaymentKind::Refund).await;
    assert_eq!((refund.state, refund.settled_at, refund.attempts), (At::stored(State::Failed), None, 1));
    assert_eq!(charge.state, At::stored(State::Settled), "its charge holds it again");
    assert_eq!(balance(&w, id, Account::Customer).await, -DEPOSIT, "it is owed to the customer");
    assert_eq!(balance(&w, id, Account::Gateway).await, DEPOSIT);
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    assert_eq!(entries.iter().filter(|e| e.kind == "refund_declined").count(), 1);
    let list = failed::list(&w.s, &w.staff(), 1, 50).await.unwrap().data;
    let [one] = list.as_slice() else { panic!("{list:?}") };
    assert_eq!(
        (one.payment.id, one.why, one.can_retry, one.can_pay_back),
        (refund.id, FailureReason::NotTaken, true, true)
    );
    let told = statement::statement(&w.s, &w.ops, id).await.unwrap();
    let facts: Vec<&Fact> = told.rows.iter().map(|r| &r.fact).collect();
    assert_eq!(facts.last(), Some(&&Fact::RefundDeclined { of_tip: false }), "{facts:#?}");
    assert_eq!(told.balance.cents(), -DEPOSIT);
    sound(&w).await;

    // Nothing goes back by itself; staff give it once more.
    w.clock.set(start() + Duration::hours(90));
    w.work().await;
    assert_eq!(w.gateway.refunds(), [DEPOSIT]);
    failed::retry(&w.s, &w.staff(), refund.id, None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.refunds(), [DEPOSIT, DEPOSIT]);
    let refund = row(&w, id, PaymentKind::Refund).await;
    assert_eq!((refund.state, refund.attempts), (At::stored(State::Captured), 2));
    assert_eq!((balance(&w, id, Account::Customer).await, w.gateway.net()), (0, 0));
    assert!(!w.booking(id).await.details.payment_problem);
    // The old notification comes once more.
    self::told(&w, &order).await;
    assert_eq!(balance(&w, id, Account::Customer).await, 0);
    sound(&w).await;
}

async fn without_a_notification_it_is_found_all_the_same(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, _, order) = returned(&w).await;
    w.gateway.refuses_refund(&order);
    w.clock.set(start() + Duration::hours(53));
    w.work().await;
    assert_eq!(row(&w, id, PaymentKind::Refund).await.state, At::stored(State::Failed));
    sound(&w).await;
}

async fn a_comparison_tells_it_and_puts_it_back(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, _, order) = returned(&w).await;
    w.gateway.refuses_refund(&order);
    let last = w.compared().await;
    let [one] = last.differences.as_slice() else { panic!("{:?}", last.differences) };
    assert_eq!(
        (one.difference.what.code(), one.repair.as_ref().map(Repair::code)),
        ("refund_refused", Some("refund_back"))
    );
    assert_eq!(one.found.booking, Some(id));
    mend::mend(&w.s, &w.staff(), one.found.id, None).await.unwrap();
    assert_eq!(row(&w, id, PaymentKind::Refund).await.state, At::stored(State::Failed));
    let now = compare::last(&w.s, &w.staff()).await.unwrap().unwrap();
    assert_eq!(now.differences[0].found.standing, Standing::Repaired);
    assert_eq!(w.compared().await.differences.len(), 0);
    assert_eq!(w.gateway.refunds(), [DEPOSIT], "no money moves by it");
}

async fn one_that_was_taken_reads_settled(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, _, order) = returned(&w).await;
    w.gateway.change(|list| {
        let refund = list.iter_mut().find(|t| t.order_id == order && t.kind != GatewayKind::Charge).unwrap();
        refund.status = GatewayStatus::Settled;
    });
    w.clock.set(start() + Duration::hours(53));
    w.work().await;
    assert_eq!(row(&w, id, PaymentKind::Refund).await.state, At::stored(State::Settled));
    // It is taken back by the bank afterwards, out of order with what was told before.
    w.gateway.refuses_refund(&order);
    told(&w, &order).await;
    assert_eq!(row(&w, id, PaymentKind::Refund).await.state, At::stored(State::Failed));
    assert_eq!(balance(&w, id, Account::Customer).await, -DEPOSIT);
    sound(&w).await;
}

/// As a failed charge does.
async fn what_the_gateway_refuses_says_how_often_and_why(db: TestDb) {
    let w = World::on(db, start()).await;
    w.gateway.queue_refund(&[Next::Hard]);
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    let id = w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap();
    let id = id.booking.id;
    w.clock.set(start() + Duration::hours(25));
    w.work().await;
    w.clock.set(start() + Duration::hours(40));
    call_off(&w, id).await;
    let refund = row(&w, id, PaymentKind::Refund).await;
    assert_eq!((refund.state, refund.attempts), (At::stored(State::Failed), 1));
    assert!(refund.last_message.as_deref().is_some_and(|words| !words.is_empty()), "{refund:?}");
    w.gateway.queue_refund(&[Next::Hard]);
    failed::retry(&w.s, &w.staff(), refund.id, None).await.unwrap();
    w.work().await;
    assert_eq!(row(&w, id, PaymentKind::Refund).await.attempts, 2);
    failed::retry(&w.s, &w.staff(), refund.id, None).await.unwrap();
    w.work().await;
    assert_eq!(row(&w, id, PaymentKind::Refund).await.state, At::stored(State::Captured));
    sound(&w).await;
}
