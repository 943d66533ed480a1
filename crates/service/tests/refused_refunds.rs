//! Refunds that the gateway refused for good: staff give the money back by hand, and what is made late all the same is seen.

use crate::support;

use chrono::{Duration, NaiveDate, NaiveTime};
use kernel::{BookingId, Money, PaymentId, Province};
use service::{
    Error, ErrorCode, ServiceResult,
    billing::{mend, reconcile, settlement},
    bookings::{TipInput, status},
    desk::{
        credits::{self, NewCredit},
        failed::{self, FailureReason},
        received::{self, PaidBack, Received},
        record::Paid,
    },
    idempotency::Replayable,
    ports::{
        credits::CreditKind,
        disputes::DisputeState,
        ledger::Account,
        payments::{GatewayKind, GatewayStatus, GatewayTransaction, PaidWith, Payment, PaymentKind},
    },
    tips,
};
use status_machine::{At, booking::Status, payment::State};
use store::testing::TestDb;
use support::{
    Next, World, draft,
    thursday::{DEPOSIT, TOTAL, row, rows, start},
};

on_both_engines!(
    a_refused_refund_is_paid_back_by_hand,
    a_booking_whose_refund_was_refused_is_put_away_once_it_is_paid_back,
    what_is_no_refused_refund_is_not_paid_back,
    a_refund_made_after_it_was_paid_back_is_the_staffs,
    a_refused_refund_that_was_made_after_all_leaves_the_list,
    a_refused_refund_of_a_tip_is_paid_back_by_hand,
    a_refused_refund_that_was_made_in_the_control_panel_is_written_down,
    a_refused_refund_ends_when_its_charge_is_disputed,
    a_refused_refund_that_stands_beside_a_disputed_charge_is_not_given,
    what_was_taken_off_the_balance_is_not_sent_as_well,
    a_refused_refund_goes_back_when_the_dispute_is_won,
    a_refund_that_is_made_after_lost_answers_is_no_trouble,
    a_refused_refund_of_a_move_to_come_that_was_made_after_all_is_made_once,
);

async fn booked_on(w: &World, day: u32) -> BookingId {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, day).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

async fn balance(w: &World, id: BookingId, account: Account) -> i64 {
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    let lines = entries.iter().flat_map(|e| e.lines().to_vec());
    lines.filter(|l| l.account == account).map(|l| l.amount.cents()).sum()
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, start() - Duration::days(1), start() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

async fn retry(w: &World, id: PaymentId) -> ServiceResult<Replayable<failed::RetriedPayment>> {
    failed::retry(&w.s, &w.staff(), id, None).await
}

fn code<T: std::fmt::Debug>(done: ServiceResult<T>) -> ErrorCode {
    match done {
        Err(Error::Refused(code, _) | Error::ByGateway(code, ..)) => code,
        other => panic!("{other:?}"),
    }
}

async fn done(w: &World, id: BookingId) {
    w.clock.set("2027-02-09T18:00:00Z".parse().unwrap());
    let said = status::StatusInput { reason: Some("done".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Completed, said).await.unwrap();
}

async fn with_deposit(w: &World) -> BookingId {
    let id = booked_on(w, 18).await;
    w.clock.set(start() + Duration::hours(25));
    w.work().await;
    id
}

/// Paid, cancelled by the company, and the gateway refuses to give it back: its card is closed.
async fn refused_refund(w: &World) -> (BookingId, Payment) {
    let id = with_deposit(w).await;
    w.clock.set(start() + Duration::hours(40));
    w.gateway.queue_refund(&[Next::Hard]);
    let said = status::StatusInput { reason: Some("no crew".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
    w.work().await;
    (id, row(w, id, PaymentKind::Refund).await)
}

async fn listed(w: &World) -> Vec<(PaymentId, FailureReason, bool)> {
    let found = failed::list(&w.s, &w.staff(), 1, 50).await.unwrap();
    found.data.iter().map(|f| (f.payment.id, f.why, f.can_pay_back)).collect()
}

async fn pay_back(w: &World, id: PaymentId, reference: Option<&str>) -> ServiceResult<Replayable<Paid>> {
    let how = PaidBack { method: PaidWith::Etransfer, reference: reference.map(str::to_owned) };
    received::pay_back(&w.s, &w.staff(), id, how, None).await
}

/// A booking that is hidden stands in no list: the customer would wait for ever.
async fn a_booking_whose_refund_was_refused_is_put_away_once_it_is_paid_back(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, refund) = refused_refund(&w).await;
    let staff = w.staff();
    let put_away = || status::set(&w.s, &staff, id, Status::Deleted, status::StatusInput::default());
    assert_eq!(code(put_away().await), ErrorCode::TransitionRefused);
    assert_eq!(w.booking(id).await.status, Status::Cancelled);
    pay_back(&w, refund.id, Some("CA7")).await.unwrap();
    put_away().await.unwrap();
    assert_eq!((balance(&w, id, Account::Customer).await, w.booking(id).await.status), (0, Status::Deleted));
    sound(&w).await;
}

async fn a_refused_refund_is_paid_back_by_hand(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, refund) = refused_refund(&w).await;
    assert_eq!((*refund.state, listed(&w).await), (State::Failed, vec![(refund.id, FailureReason::NotReturned, true)]));
    let (first, second) = tokio::join!(pay_back(&w, refund.id, Some("CA9")), pay_back(&w, refund.id, Some("CA9")));
    let refused: Vec<ErrorCode> = [first, second].into_iter().filter(Result::is_err).map(code).collect();
    assert_eq!(refused, [ErrorCode::PaymentNotFailed], "pressed twice is one");
    assert_eq!(listed(&w).await, []);
    let refund = row(&w, id, PaymentKind::Refund).await;
    assert_eq!(
        (refund.method, *refund.state, refund.reference.as_deref()),
        (PaidWith::Etransfer, State::Settled, Some("CA9"))
    );
    assert_eq!(*row(&w, id, PaymentKind::Deposit).await.state, State::Refunded);
    let b = w.booking(id).await;
    assert!(!b.details.payment_problem);
    let facts = w.read(move |u| u.bookings().facts(id)).await.unwrap();
    assert_eq!(facts.payment_state, service::ports::facts::PaymentState::Refunded);
    assert_eq!((balance(&w, id, Account::Bank).await, balance(&w, id, Account::Customer).await), (-DEPOSIT, 0));
    assert_eq!(code(retry(&w, refund.id).await), ErrorCode::PaymentNotFailed);
    w.clock.set(start() + Duration::days(12));
    w.work().await;
    assert_eq!(w.gateway.net(), DEPOSIT, "the gateway gave nothing back, and is not asked again");
    sound(&w).await;
}

async fn what_is_no_refused_refund_is_not_paid_back(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, refund) = refused_refund(&w).await;
    let deposit = row(&w, id, PaymentKind::Deposit).await;
    assert_eq!(code(pay_back(&w, deposit.id, Some("x")).await), ErrorCode::NotFound);
    let bad = |method, reference: Option<&str>| PaidBack { method, reference: reference.map(str::to_owned) };
    for (how, wanted) in [(bad(PaidWith::Card, Some("x")), "method"), (bad(PaidWith::Cheque, Some(" ")), "reference")] {
        match received::pay_back(&w.s, &w.staff(), refund.id, how, None).await {
            Err(Error::Invalid(wrong)) => assert_eq!(wrong[0].field, wanted),
            other => panic!("{other:?}"),
        }
    }
    // Tried once more, and taken: then there is nothing to pay back.
    retry(&w, refund.id).await.unwrap();
    w.work().await;
    assert_eq!((w.gateway.net(), listed(&w).await), (0, vec![]));
    assert_eq!(code(pay_back(&w, refund.id, Some("CA9")).await), ErrorCode::PaymentNotFailed);
    sound(&w).await;
}

/// What the gateway did after all under the order id of a refund that it had refused.
async fn made_after_all(w: &World, refund: &Payment) {
    let id = refund.id;
    let attempt = w.read(move |u| u.payments().attempts_of(id)).await.pop().unwrap();
    let order = attempt.order_id.clone();
    w.gateway.change(|list| {
        let charge = list.iter().find(|t| t.kind == GatewayKind::Charge).unwrap().clone();
        list.push(service::ports::payments::GatewayTransaction {
            id: "late".into(),
            order_id: attempt.order_id.clone(),
            amount: attempt.amount,
            kind: GatewayKind::Refund { of: charge.id.clone() },
            status: GatewayStatus::Settled,
            ..charge
        });
    });
    // The webhook, twice.
    for _ in 0..2 {
        settlement::suspect(&w.s, &order).await.unwrap();
        w.work().await;
    }
}

async fn a_refund_made_after_it_was_paid_back_is_the_staffs(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, refund) = refused_refund(&w).await;
    pay_back(&w, refund.id, Some("CA9")).await.unwrap();
    made_after_all(&w, &refund).await;
    // The customer has it twice: it is owed, nothing charges it, and the staff see it.
    let b = w.booking(id).await;
    let all = rows(&w, id).await;
    assert_eq!((service::billing::facts::owed(&b, &all).cents(), b.details.payment_problem), (DEPOSIT, true));
    w.clock.set(start() + Duration::days(12));
    w.work().await;
    assert_eq!(w.gateway.charges(), [DEPOSIT], "no card is charged for it");
    sound(&w).await;
    let cash = Received { method: PaidWith::Cash, amount: Money::from_cents(DEPOSIT), reference: None };
    received::record(&w.s, &w.staff(), id, cash, None).await.unwrap();
    let b = w.booking(id).await;
    let all = rows(&w, id).await;
    assert_eq!((service::billing::facts::owed(&b, &all).cents(), b.details.payment_problem), (0, false));
    assert_eq!(balance(&w, id, Account::Customer).await, 0);
    sound(&w).await;
}

async fn a_refused_refund_that_was_made_after_all_leaves_the_list(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, refund) = refused_refund(&w).await;
    made_after_all(&w, &refund).await;
    assert_eq!((listed(&w).await, w.booking(id).await.details.payment_problem), (Vec::new(), false));
    assert_eq!((balance(&w, id, Account::Gateway).await, balance(&w, id, Account::Customer).await), (0, 0));
    assert_eq!(code(pay_back(&w, refund.id, Some("CA9")).await), ErrorCode::PaymentNotFailed);
    sound(&w).await;
}

async fn a_refused_refund_of_a_tip_is_paid_back_by_hand(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = booked_on(&w, 9).await;
    tips::put(&w.s, &w.customer, id.0, TipInput { kind: "amount".into(), value: "40".into() }, None).await.unwrap();
    done(&w, id).await;
    w.clock.set("2027-02-11T18:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!(w.gateway.net(), TOTAL + 4_000);
    // The move was not done after all.
    let said = || status::StatusInput { reason: Some("not done".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Assigned, said()).await.unwrap();
    w.gateway.queue_refund(&[Next::Hard, Next::Hard]);
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said()).await.unwrap();
    w.work().await;
    let all = rows(&w, id).await;
    let back: Vec<PaymentId> = all.iter().filter(|r| r.kind == PaymentKind::Refund).map(|r| r.id).collect();
    assert_eq!((back.len(), listed(&w).await.len()), (2, 2));
    for id in back {
        pay_back(&w, id, Some("CA9")).await.unwrap();
    }
    let tip = w.read(move |u| u.tips().of_booking(id)).await.unwrap();
    assert!(!tip.is_paid);
    assert_eq!((listed(&w).await, w.booking(id).await.details.payment_problem), (Vec::new(), false));
    assert_eq!((balance(&w, id, Account::TipsPayable).await, balance(&w, id, Account::Customer).await), (0, 0));
    sound(&w).await;
}

/// The gateway refused it, so staff gave the money back in its control panel, which copies the order id of the charge.
async fn a_refused_refund_that_was_made_in_the_control_panel_is_written_down(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, refund) = refused_refund(&w).await;
    let of = row(&w, id, PaymentKind::Deposit).await.transaction_id.unwrap();
    let created_at = w.clock.now_value();
    w.gateway.change(|list| {
        let charge = list.iter().find(|t| t.id == of).unwrap().clone();
        let kind = GatewayKind::Refund { of };
        list.push(GatewayTransaction { id: "panel".into(), kind, created_at, code: None, ..charge });
    });
    let last = w.compared().await;
    let one = last.differences.iter().find(|d| d.difference.what.code() == "refund_outside").unwrap();
    assert_eq!(one.repair.as_ref().map(service::billing::repair::Repair::code), Some("book_refund"));
    mend::mend(&w.s, &w.staff(), one.found.id, None).await.unwrap();
    w.work().await;
    assert_eq!((w.gateway.net(), w.gateway.charges()), (0, vec![DEPOSIT]));
    assert_eq!((balance(&w, id, Account::Gateway).await, balance(&w, id, Account::Customer).await), (0, 0));
    assert_eq!(*row(&w, id, PaymentKind::Deposit).await.state, State::Refunded);
    // Nobody owes it any more, and nobody is asked to give it back once more.
    let given_up = rows(&w, id).await.into_iter().find(|r| r.id == refund.id).unwrap();
    assert_eq!((*given_up.state, w.booking(id).await.details.payment_problem), (State::Skipped, false));
    sound(&w).await;
}

const CREDIT: i64 = 2_000;

/// Some of the deposit of a move to come is given back by staff, and the gateway refuses it for good. With the order id of
/// the deposit.
async fn refused_of_a_move_to_come(w: &World) -> (BookingId, Payment, String) {
    let id = with_deposit(w).await;
    let order = w.gateway.seen().last().unwrap().order_id.clone();
    w.clock.set(start() + Duration::hours(45));
    w.work().await;
    w.gateway.queue_refund(&[Next::Hard]);
    let new =
        NewCredit { kind: CreditKind::Refund, amount: Money::from_cents(CREDIT), reason: "A scratched table".into() };
    credits::give(&w.s, &w.staff(), id, new, None).await.unwrap();
    w.work().await;
    let refund = row(w, id, PaymentKind::Refund).await;
    assert_eq!((*refund.state, w.booking(id).await.details.payment_problem), (State::Failed, true));
    (id, refund, order)
}

/// The bank says so of a charge, and we are told.
async fn disputed(w: &World, order: &str, stands: DisputeState) {
    w.gateway.dispute(order, stands);
    settlement::suspect(&w.s, order).await.unwrap();
    w.work().await;
}

async fn state_of(w: &World, id: PaymentId) -> State {
    *w.read(move |u| u.payments().get(id)).await.unwrap().state
}

/// The bank has the money: nobody else gives it back, whatever the bank decides.
async fn a_refused_refund_ends_when_its_charge_is_disputed(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, refund, order) = refused_of_a_move_to_come(&w).await;
    disputed(&w, &order, DisputeState::Opened).await;
    assert_eq!((state_of(&w, refund.id).await, listed(&w).await), (State::Skipped, vec![]));
    assert!(!w.booking(id).await.details.payment_problem, "nothing is left to do");
    assert_eq!(code(retry(&w, refund.id).await), ErrorCode::PaymentNotFailed);
    sound(&w).await;
    disputed(&w, &order, DisputeState::Lost).await;
    assert!(w.booking(id).await.details.payment_problem, "what the bank gave back is owed");
    assert_eq!(code(retry(&w, refund.id).await), ErrorCode::PaymentNotFailed);
    assert_eq!(code(pay_back(&w, refund.id, Some("CA9")).await), ErrorCode::PaymentNotFailed);
    sound(&w).await;
    let said = status::StatusInput { reason: Some("no crew".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
    w.work().await;
    assert_eq!((w.gateway.refunds(), listed(&w).await), (vec![], vec![]));
    assert_eq!((balance(&w, id, Account::Gateway).await, balance(&w, id, Account::Customer).await), (0, 0));
    let (b, all) = (w.booking(id).await, rows(&w, id).await);
    assert_eq!((service::billing::facts::owed(&b, &all).cents(), b.details.payment_problem), (0, false));
    sound(&w).await;
}

/// As an older program left it.
async fn a_refused_refund_that_stands_beside_a_disputed_charge_is_not_given(db: TestDb) {
    let w = World::on(db, start()).await;
    let (_, refund, order) = refused_of_a_move_to_come(&w).await;
    disputed(&w, &order, DisputeState::Opened).await;
    let refused = refund.id;
    w.write(move |u| {
        let mut row = u.payments().get(refused)?.unwrap();
        row.state = At::stored(State::Failed);
        u.payments().update(&row)
    })
    .await;
    let found = failed::list(&w.s, &w.staff(), 1, 50).await.unwrap();
    let may: Vec<_> = found.data.iter().map(|f| (f.payment.id, f.can_retry, f.can_pay_back)).collect();
    assert_eq!(may, [(refund.id, false, false)]);
    assert_eq!(code(retry(&w, refund.id).await), ErrorCode::ChargedBack);
    assert_eq!(code(pay_back(&w, refund.id, Some("CA9")).await), ErrorCode::PaymentNotFailed);
    w.work().await;
    assert_eq!(w.gateway.refunds(), Vec::<i64>::new());
}

/// Nobody agreed to be charged once more because staff tried a refund again.
async fn what_was_taken_off_the_balance_is_not_sent_as_well(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, refund, order) = refused_of_a_move_to_come(&w).await;
    disputed(&w, &order, DisputeState::Opened).await;
    w.clock.set("2027-02-16T14:00:00Z".parse().unwrap());
    w.work().await;
    let charged = vec![DEPOSIT, TOTAL - DEPOSIT - CREDIT];
    assert_eq!((w.gateway.charges(), w.booking(id).await.details.payment_problem), (charged.clone(), false));
    assert_eq!(code(retry(&w, refund.id).await), ErrorCode::PaymentNotFailed);
    w.work().await;
    assert_eq!((w.gateway.charges(), w.gateway.refunds()), (charged.clone(), vec![]));
    sound(&w).await;
    // Nor when the bank finds for us.
    disputed(&w, &order, DisputeState::Won).await;
    w.clock.set("2027-02-17T02:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!((w.gateway.charges(), w.gateway.refunds()), (charged, vec![]));
    assert_eq!(w.gateway.net(), TOTAL - CREDIT);
    sound(&w).await;
}

/// Before the 48-hour instant what staff promised goes back once the bank gave the charge back to us.
async fn a_refused_refund_goes_back_when_the_dispute_is_won(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, _, order) = refused_of_a_move_to_come(&w).await;
    disputed(&w, &order, DisputeState::Opened).await;
    disputed(&w, &order, DisputeState::Won).await;
    assert_eq!((w.gateway.refunds(), listed(&w).await), (vec![CREDIT], vec![]));
    w.clock.set("2027-02-16T14:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!((w.gateway.charges(), w.gateway.net()), (vec![DEPOSIT, TOTAL - DEPOSIT], TOTAL - CREDIT));
    assert!(!w.booking(id).await.details.payment_problem);
    sound(&w).await;
}

async fn a_refund_that_is_made_after_lost_answers_is_no_trouble(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = with_deposit(&w).await;
    w.clock.set(start() + Duration::hours(40));
    w.gateway.queue_refund(&[Next::LostRequest, Next::LostRequest, Next::LostRequest]);
    let said = status::StatusInput { reason: Some("no crew".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
    w.work().await;
    w.clock.set(start() + Duration::hours(42));
    w.work().await;
    assert_eq!((w.gateway.net(), w.booking(id).await.details.payment_problem), (DEPOSIT, true), "lost too often");
    w.clock.set(start() + Duration::hours(50));
    w.work().await;
    assert_eq!((w.gateway.net(), w.booking(id).await.details.payment_problem), (0, false));
    sound(&w).await;
}

async fn a_refused_refund_of_a_move_to_come_that_was_made_after_all_is_made_once(db: TestDb) {
    let w = World::on(db, start()).await;
    let (id, refund, _) = refused_of_a_move_to_come(&w).await;
    made_after_all(&w, &refund).await;
    assert_eq!((listed(&w).await, w.booking(id).await.details.payment_problem), (vec![], false));
    assert_eq!(code(retry(&w, refund.id).await), ErrorCode::PaymentNotFailed);
    w.clock.set("2027-02-16T14:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!((w.gateway.charges(), w.gateway.refunds()), (vec![DEPOSIT, TOTAL - DEPOSIT], vec![]));
    assert_eq!(balance(&w, id, Account::Gateway).await, TOTAL - CREDIT);
    sound(&w).await;
}
