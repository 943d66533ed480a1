//! What people at the desk met when somebody had changed the database, or when a charge came, went and came again.

use crate::{
    planted::{Stock, until, utc},
    support,
};

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    billing::{
        compare::{self, Last},
        difference::DifferenceKind,
        reconcile,
        repair::Repair,
        settlement,
    },
    bookings::{history, statement, status},
    desk::failed,
    ports::{
        comparisons::Standing,
        ledger::Account,
        payments::{GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
    },
};
use status_machine::{booking::Status, payment::State};
use store::testing::TestDb;
use support::{Next, World, draft};

on_both_engines!(
    an_entry_that_does_not_balance_is_told_and_everything_else_compared,
    an_entry_that_does_not_balance_is_balanced_by_another,
    an_entry_without_lines_is_told,
    what_corrected_an_entry_stands_in_the_statement,
    a_correction_that_named_no_entry_is_enough,
    what_the_bank_refused_and_was_taken_after_all_is_told,
    a_refused_refund_that_is_not_owed_any_more_is_no_trouble,
    what_the_policy_keeps_is_not_sent_back_by_a_plan,
);

fn cents(n: i64) -> Money {
    Money::from_cents(n)
}

fn kinds(last: &Last) -> Vec<(&'static str, Option<&'static str>)> {
    let open = last.differences.iter().filter(|d| d.found.standing == Standing::Open);
    let mut all: Vec<_> = open.map(|d| (d.difference.what.code(), d.repair.as_ref().map(Repair::code))).collect();
    all.sort_unstable();
    all
}

/// The lines of the entry of a charge, of one account.
async fn line(s: &Stock, row: &Payment, account: &str) -> String {
    let entry = format!("SELECT id FROM ledger_entries WHERE fact_key = 'capture:{}'", s.order(row).await);
    format!("account = '{account}' AND entry_id IN ({entry})")
}

async fn an_entry_that_does_not_balance_is_told_and_everything_else_compared(db: TestDb) {
    let s = Stock::on(db).await;
    let of = s.deposit.id;
    let gateway = line(&s, &s.row(&s.deposit, PaymentKind::Deposit).await, "gateway").await;
    s.w.tampers(&format!("UPDATE ledger_lines SET amount_cents = amount_cents + 100 WHERE {gateway}"));
    s.charge_at_gateway(&format!("{}-full-9", s.fresh.short_id), "strange", cents(5_000), GatewayKind::Charge);
    let last = s.w.compared().await;
    assert_eq!(kinds(&last), [("gateway_unknown", Some("send_back")), ("unbalanced", Some("balance"))]);
    assert_eq!(compare::failed(&s.w.s).await.unwrap(), None);
    let told = last.differences.iter().find(|d| d.difference.what.code() == "unbalanced").unwrap();
    assert_eq!((told.found.booking, told.short_id.as_deref()), (Some(of), Some(s.deposit.short_id.as_str())));
    let DifferenceKind::Unbalanced { entry: Some(entry) } = &told.difference.what else { panic!("{told:?}") };
    assert_eq!((entry.kind.as_str(), entry.sum), ("capture", cents(100)));
    // So is the whole history, as the command compares it.
    let all = reconcile::all(&s.w.s, s.w.clock.now_value() + Duration::days(1)).await.unwrap();
    assert_eq!(all.found.len(), 2, "{:?}", all.differences);
    // Pages of the booking open, and say so.
    let account = statement::statement(&s.w.s, &s.w.customer, of).await.unwrap();
    assert!(account.in_question);
    assert!(!statement::statement(&s.w.s, &s.w.customer, s.paid.id).await.unwrap().in_question);
    let entries = history::ledger(&s.w.s, &s.w.customer, of).await.unwrap();
    assert_eq!(entries.iter().filter(|e| !e.is_balanced()).map(|e| e.id).collect::<Vec<_>>(), [entry.id]);
    // It goes on until somebody set the line back, however long that takes.
    s.w.clock.set(utc("2027-02-25T12:00:00Z"));
    compare::daily(&s.w.s).await.unwrap();
    let later = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    assert!(kinds(&later).contains(&("unbalanced", Some("balance"))), "{:?}", kinds(&later));
    s.w.tampers(&format!("UPDATE ledger_lines SET amount_cents = amount_cents - 100 WHERE {gateway}"));
    assert!(!kinds(&s.w.compared().await).contains(&("unbalanced", Some("balance"))));
    assert!(!statement::statement(&s.w.s, &s.w.customer, of).await.unwrap().in_question);
}

/// What puts it right is posted beside it: nobody changes a line of the ledger.
async fn an_entry_that_does_not_balance_is_balanced_by_another(db: TestDb) {
    let s = Stock::on(db).await;
    let at = (s.w.clock.now_value() - Duration::days(1)).format("%Y-%m-%d %H:%M:%S%.6f");
    let own = s.w.s.entropy.uuid(s.w.clock.now_value());
    let changed = line(&s, &s.row(&s.deposit, PaymentKind::Deposit).await, "gateway").await;
    let missing = line(&s, &s.row(&s.paid, PaymentKind::Balance).await, "customer").await;
    let whole = s.order(&s.row(&s.paid, PaymentKind::Deposit).await).await;
    let whole = format!("SELECT id FROM ledger_entries WHERE fact_key = 'capture:{whole}'");
    let plants = [
        (s.deposit.id, format!("UPDATE ledger_lines SET amount_cents = amount_cents + 100 WHERE {changed}")),
        (s.paid.id, format!("DELETE FROM ledger_lines WHERE {missing}")),
        (s.paid.id, format!("DELETE FROM ledger_lines WHERE entry_id IN ({whole})")),
        (
            s.done.id,
            format!(
                "INSERT INTO ledger_entries (id, booking_id, at, kind, fact_key)
                 VALUES ('{own}', '{}', '{at}', 'capture', 'a');
                 INSERT INTO ledger_lines (entry_id, position, account, amount_cents) VALUES ('{own}', 0, 'revenue', -700)",
                s.done.id
            ),
        ),
    ];
    let moved = s.w.gateway.seen().len();
    for (of, plant) in plants {
        let before = statement::statement(&s.w.s, &s.w.customer, of).await.unwrap();
        s.w.tampers(&plant);
        let last = s.w.compared().await;
        assert_eq!(kinds(&last), [("unbalanced", Some("balance"))], "{plant}");
        let open = last.differences.iter().find(|d| d.found.standing == Standing::Open).unwrap();
        assert_eq!(open.found.booking, Some(of));
        service::billing::mend::mend(&s.w.s, &s.w.staff(), open.found.id, None).await.unwrap();
        s.w.work().await;
        assert_eq!(kinds(&s.w.compared().await), [], "{plant}");
        let after = statement::statement(&s.w.s, &s.w.customer, of).await.unwrap();
        assert_eq!((after.rows, after.balance, after.in_question), (before.rows, before.balance, false));
    }
    assert_eq!(s.w.gateway.seen().len(), moved);
    until(&s.w, utc("2027-03-08T12:00:00Z")).await;
    assert_eq!(kinds(&s.w.compared().await), []);
}

async fn an_entry_without_lines_is_told(db: TestDb) {
    let s = Stock::on(db).await;
    let at = (s.w.clock.now_value() - Duration::days(1)).format("%Y-%m-%d %H:%M:%S%.6f");
    let (id, of) = (s.w.s.entropy.uuid(s.w.clock.now_value()), s.paid.id);
    s.w.execute(&format!(
        "INSERT INTO ledger_entries (id, booking_id, at, kind, fact_key) VALUES ('{id}', '{of}', '{at}', 'capture', 'a')"
    ));
    let last = s.w.compared().await;
    assert_eq!(kinds(&last), [("unbalanced", None)]);
    assert!(last.differences[0].difference.to_string().ends_with("(capture) has no lines"));
}

async fn what_corrected_an_entry_stands_in_the_statement(db: TestDb) {
    let s = Stock::on(db).await;
    let id = s.deposit.id;
    let before = statement::statement(&s.w.s, &s.w.customer, id).await.unwrap();
    let row = s.row(&s.deposit, PaymentKind::Deposit).await;
    let order = s.order(&row).await;
    s.w.tampers(&format!(
        "UPDATE ledger_lines SET amount_cents = CASE WHEN amount_cents > 0 THEN amount_cents + 1000 ELSE amount_cents - 1000 END
         WHERE entry_id IN (SELECT id FROM ledger_entries WHERE fact_key = 'capture:{order}')"
    ));
    let last = s.w.compared().await;
    let one = last.differences.iter().find(|d| d.difference.what.code() == "ledger_amount").unwrap();
    service::billing::mend::mend(&s.w.s, &s.w.staff(), one.found.id, None).await.unwrap();
    let after = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    assert_eq!(kinds(&after), [], "what the accounts said of it is gone with it");
    let account = statement::statement(&s.w.s, &s.w.customer, id).await.unwrap();
    assert_eq!((account.rows, account.balance), (before.rows, before.balance));
}

/// As the repair of accounts posted it before it named entries.
async fn a_correction_that_named_no_entry_is_enough(db: TestDb) {
    let s = Stock::on(db).await;
    let gateway = line(&s, &s.row(&s.deposit, PaymentKind::Deposit).await, "gateway").await;
    s.w.tampers(&format!("UPDATE ledger_lines SET account = 'cash' WHERE {gateway}"));
    let told = kinds(&s.w.compared().await);
    assert_eq!(told, [("books", Some("correct")), ("books", Some("correct")), ("ledger_amount", Some("correct"))]);
    s.post(&s.deposit, "correction", &[(Account::Gateway, 11_498), (Account::Cash, -11_498)]).await;
    assert_eq!(kinds(&s.w.compared().await), []);
}

async fn with_deposit(w: &World) -> BookingId {
    w.flat_rate(50_000).await;
    let (date, nine) = (NaiveDate::from_ymd_opt(2027, 2, 18).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    let id = w.book(draft(Province::QC, date, nine), None).await.unwrap().booking.id;
    later(w, 25).await;
    assert_eq!(w.gateway.charges(), [11_498]);
    id
}

fn monday() -> DateTime<Utc> {
    utc("2027-02-08T14:00:00Z")
}

async fn later(w: &World, hours: i64) {
    w.clock.set(monday() + Duration::hours(hours));
    w.work().await;
}

async fn row(w: &World, id: BookingId, kind: PaymentKind) -> Payment {
    w.read(move |u| u.payments().of_booking(id)).await.into_iter().rfind(|r| r.kind == kind).unwrap()
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new());
}

/// The last word about a charge is what became of it.
async fn what_the_bank_refused_and_was_taken_after_all_is_told(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    for round in 1..=2 {
        let mut order = String::new();
        w.gateway.change(|list| {
            let charge = |t: &&mut GatewayTransaction| t.kind == GatewayKind::Charge;
            let t = list.iter_mut().rfind(charge).unwrap();
            t.status = GatewayStatus::Declined;
            order.clone_from(&t.order_id);
        });
        settlement::suspect(&w.s, &order).await.unwrap();
        later(&w, 26 + 10 * round).await;
        let deposit = row(&w, id, PaymentKind::Deposit).await;
        assert_eq!(deposit.state, State::Failed);
        w.clock.set(monday() + Duration::hours(27 + 10 * round));
        failed::retry(&w.s, &w.staff(), deposit.id, None).await.unwrap();
        w.work().await;
        assert!(row(&w, id, PaymentKind::Deposit).await.settled_at.is_some());
    }
    let all = w.read(move |u| u.messages().of_booking(id)).await;
    let about = |m: &str| ["depositCharged", "paymentFailed"].contains(&m);
    let mut told: Vec<_> = all.iter().filter(|m| about(&m.message_type)).collect();
    told.sort_by_key(|m| m.created_at);
    let told: Vec<&str> = told.iter().map(|m| m.message_type.as_str()).collect();
    assert_eq!(told, ["depositCharged", "paymentFailed", "depositCharged", "paymentFailed", "depositCharged"]);
    assert!(!w.booking(id).await.details.payment_problem);
    sound(&w).await;
}

/// The company cancels, the gateway refuses to give back, and the move takes place after all.
async fn a_refused_refund_that_is_not_owed_any_more_is_no_trouble(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    w.clock.set(monday() + Duration::hours(40));
    w.gateway.queue_refund(&[Next::Hard]);
    let said = |why: &str| status::StatusInput { reason: Some(why.into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said("no crew")).await.unwrap();
    w.work().await;
    assert_eq!(row(&w, id, PaymentKind::Refund).await.state, State::Failed);
    assert!(w.booking(id).await.details.payment_problem);
    later(&w, 41).await;
    status::set(&w.s, &w.staff(), id, Status::Pending, said("there is one")).await.unwrap();
    assert!(!w.booking(id).await.details.payment_problem, "nothing is to go back any more");
    w.work().await;
    assert_eq!(row(&w, id, PaymentKind::Refund).await.state, State::Skipped);
    assert!(!w.booking(id).await.details.payment_problem);
    sound(&w).await;
}

/// Cancelled in the database, so that nothing was settled.
async fn what_the_policy_keeps_is_not_sent_back_by_a_plan(db: TestDb) {
    let s = Stock::on(db).await;
    let now = s.w.clock.now_value();
    s.update(&s.deposit, |b| {
        (b.status, b.cancelled_at) = (Status::Cancelled, Some(now));
        b.details.cancelled_by = Some(service::ports::cancelled::CancelledBy::Customer);
    })
    .await;
    let told = kinds(&s.w.compared().await);
    assert!(told.contains(&("kept", None)) && told.contains(&("held", None)), "{told:?}");
    assert!(told.iter().all(|(_, repair)| *repair != Some("plan_anew")), "{told:?}");
    let held = s.w.gateway.net();
    s.w.work().await;
    assert_eq!(s.w.gateway.net(), held);
}
