//! What somebody deleted from, or wrote into, the database about money that moved or is to come: told, put right and gone, as
//! in `put_right.rs`.

use crate::{
    planted::{Stock, charge, set, until, utc},
    put_right::{Fault, all, cents, faults},
    support::thursday::BALANCE,
};

use chrono::Duration;
use kernel::{EntryId, PaymentId};
use service::{
    billing::{compare::Shown, mend, repair::Repair},
    bookings::TipInput,
    ports::{
        bookings::Booking,
        ledger::{Account, Entry, EntryLine},
        payments::{PaidWith, Payment, PaymentKind},
    },
    tips,
};
use status_machine::{At, booking::Status, payment::State};
use store::testing::TestDb;

/// The database lets nobody delete what something else names; somebody with its own tools can.
fn delete(s: &Stock, what: &str) {
    s.w.execute(&match s.w.s.store.engine() {
        "postgres" => format!("SET session_replication_role = replica; {what}; SET session_replication_role = DEFAULT"),
        _ => format!("PRAGMA foreign_keys = OFF; {what}"),
    });
}

/// The row of the newest payment of a kind; its attempt stays.
async fn row_deleted(s: &Stock, b: &Booking, kind: PaymentKind) -> String {
    let order = s.order(&s.row(b, kind).await).await;
    let row = format!("SELECT payment_id FROM payment_attempts WHERE order_id = '{order}'");
    delete(s, &format!("DELETE FROM payments WHERE id IN ({row})"));
    order
}

async fn both_deleted(s: &Stock, b: &Booking, kind: PaymentKind) {
    let order = row_deleted(s, b, kind).await;
    delete(s, &format!("DELETE FROM payment_attempts WHERE order_id = '{order}'"));
}

/// A tip of 20.00 that is charged tomorrow.
async fn tip_to_come(s: &Stock, b: &Booking) {
    let tip = TipInput { kind: "amount".into(), value: "20".into() };
    tips::put(&s.w.s, &s.w.customer, b.id.0, tip, None).await.unwrap();
    until(&s.w, utc("2027-02-15T19:00:00Z")).await;
    set(&s.w, b.id, Status::Completed).await;
    s.w.work().await;
}

async fn attempt_deleted(s: &Stock, row: &Payment) {
    let order = s.order(row).await;
    delete(s, &format!("DELETE FROM payment_attempts WHERE order_id = '{order}'"));
}

async fn attempt_refused(s: &Stock, row: &Payment) {
    let order = s.order(row).await;
    delete(s, &format!("UPDATE payment_attempts SET state = 'declined' WHERE order_id = '{order}'"));
}

/// As if it had not been made, and were due.
fn set_back(row: &mut Payment, state: State) {
    row.state = At::stored(state);
    row.settled_at = None;
    row.next_attempt_at = Some(row.due_at);
}

/// As if it had always been planned for later.
fn days_moved(row: &mut Payment, days: i64) {
    row.due_at += Duration::days(days);
    row.next_attempt_at = Some(row.due_at);
}

const FAULTS: &[Fault] = faults! {
    "the row of a charge that is gone" of paid told "row_lost" by "write_row" less 0: |s, b| {
        row_deleted(s, b, PaymentKind::Balance).await;
    }
    "the row of a charge that is gone with its attempt" of paid told "row_lost" by "write_row" less 0: |s, b| {
        both_deleted(s, b, PaymentKind::Balance).await;
    }
    "a deposit that is gone with its attempt, the move to come" of deposit told "row_lost" by "write_row" less 0: |s, b| {
        both_deleted(s, b, PaymentKind::Deposit).await;
    }
    "what a cancellation kept, gone with its attempt" of cancelled told "row_lost" by "write_row" less 0: |s, b| {
        both_deleted(s, b, PaymentKind::Deposit).await;
    }
    "a refund that is gone" of returned told "row_lost" by "write_row" less 0: |s, b| {
        row_deleted(s, b, PaymentKind::Refund).await;
    }
    "a refund that is gone with its attempt" of returned told "row_lost" by "write_row" less 0: |s, b| {
        both_deleted(s, b, PaymentKind::Refund).await;
    }
    "a charge that went back and is gone with its attempt" of returned told "row_lost" by "write_row" less 0: |s, b| {
        both_deleted(s, b, PaymentKind::Deposit).await;
    }
    "a tip that is gone with its attempt" of done told "row_lost" by "write_row" less 0: |s, b| {
        both_deleted(s, b, PaymentKind::Tip).await;
    }
    "both charges of a booking gone with their attempts" of paid told "row_lost" by "write_row" less 0: |s, b| {
        both_deleted(s, b, PaymentKind::Balance).await;
        both_deleted(s, b, PaymentKind::Deposit).await;
    }
    "a refund that only its row knows of" of paid told "row_marked" by "set_state" less 0: |s, b| {
        let of = s.row(b, PaymentKind::Balance).await;
        let mut m = charge(PaymentKind::Refund, 2_000);
        (m.attempted, m.posted, m.at_gateway, m.of) = (false, false, false, Some(of));
        s.moved(b, m).await;
    }
    "a charge that was put off by a month" of deposit told "put_off" by "plan_anew" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| {
            r.next_attempt_at = r.next_attempt_at.map(|at| at + Duration::days(30));
        })
        .await;
    }
    "a charge to come that asks for more" of deposit told "held" by "plan_anew" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.amount = cents(BALANCE + 1)).await;
    }
    "a tip to come that asks for more than was given" of paid told "tip_asked" by "plan_anew" less -2_000: |s, b| {
        tip_to_come(s, b).await;
        s.update_row(s.row(b, PaymentKind::Tip).await, |r| r.amount = cents(9_900)).await;
    }
    "a tip to come that reads more than was given" of paid told "tip_reads" by "set_tip" less -2_000: |s, b| {
        tip_to_come(s, b).await;
        s.update_tip(b, |tip| tip.amount = cents(2_500)).await;
    }
    "a refund to come that nobody decided" of deposit told "held" by "plan_anew" less 0: |s, b| {
        let of = s.row(b, PaymentKind::Deposit).await;
        let at = s.w.clock.now_value() + Duration::days(1);
        planted(s, Payment {
            kind: PaymentKind::Refund,
            refund_of: Some(of.id),
            state: At::stored(State::Scheduled),
            next_attempt_at: Some(at),
            due_at: at,
            ..like(s, &of, 5_000)
        })
        .await;
    }
    "cash that only its row knows of" of deposit told "row_marked" by "set_state" less 0: |s, b| {
        let of = s.row(b, PaymentKind::Deposit).await;
        let row = Payment { kind: PaymentKind::Difference, method: PaidWith::Cash, ..like(s, &of, 5_000) };
        planted(s, Payment { settled_at: Some(row.created_at), ..row }).await;
    }
    "cash that went back, and only its row knows of it" of deposit told "row_marked" by "set_state" less 0: |s, b| {
        let of = s.row(b, PaymentKind::Deposit).await;
        let row = Payment { kind: PaymentKind::Refund, method: PaidWith::Cash, ..like(s, &of, 5_000) };
        planted(s, Payment { settled_at: Some(row.created_at), refund_of: Some(of.id), ..row }).await;
    }
    "a charge that was pulled forward" of deposit told "put_off" by "plan_anew" less 0: |s, b| {
        let at = s.w.clock.now_value() + Duration::hours(3);
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.next_attempt_at = Some(at)).await;
    }
    "a charge that waits for nothing" of deposit told "waits" by "plan_anew" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.next_attempt_at = None).await;
    }
    "a tip to come that was put off" of paid told "put_off" by "plan_anew" less -2_000: |s, b| {
        tip_to_come(s, b).await;
        s.update_row(s.row(b, PaymentKind::Tip).await, |r| {
            r.next_attempt_at = r.next_attempt_at.map(|at| at + Duration::days(10));
        })
        .await;
    }
    "a deposit to come whose days were all moved" of fresh told "put_off" by "plan_anew" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Deposit).await, |r| days_moved(r, 30)).await;
    }
    "a deposit to come whose days were all pulled forward" of fresh told "put_off" by "plan_anew" less 0: |s, b| {
        let early = s.w.clock.now_value() + Duration::hours(3);
        s.update_row(s.row(b, PaymentKind::Deposit).await, |r| (r.due_at, r.next_attempt_at) = (early, Some(early))).await;
    }
    "a tip to come whose days were all moved" of paid told "put_off" by "plan_anew" less -2_000: |s, b| {
        tip_to_come(s, b).await;
        s.update_row(s.row(b, PaymentKind::Tip).await, |r| days_moved(r, 10)).await;
    }
    "a balance whose day alone was moved" of deposit told "put_off" by "plan_anew" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.due_at += Duration::days(30)).await;
    }
    "a charge set back as if it had never been made, its attempt gone" of paid told "row_unmarked" by "set_state" less 0: |s, b| {
        let row = s.row(b, PaymentKind::Balance).await;
        attempt_deleted(s, &row).await;
        s.update_row(row, |r| set_back(r, State::Scheduled)).await;
    }
    "a charge set back, its attempt called refused" of paid told "row_unmarked" by "set_state" less 0: |s, b| {
        let row = s.row(b, PaymentKind::Balance).await;
        attempt_refused(s, &row).await;
        s.update_row(row, |r| set_back(r, State::SoftDeclined)).await;
    }
    "an attempt called refused" of paid told "gateway_moved" by "note_attempt" less 0: |s, b| {
        attempt_refused(s, &s.row(b, PaymentKind::Balance).await).await;
    }
    "a tip set back, its attempt gone" of done told "row_unmarked" by "set_state" less 0: |s, b| {
        let row = s.row(b, PaymentKind::Tip).await;
        attempt_deleted(s, &row).await;
        s.update_row(row, |r| set_back(r, State::Scheduled)).await;
    }
    "an entry of a charge that was never made" of fresh told "row_unmarked" by "turn_around" less 0: |s, b| {
        let (row, at) = (s.row(b, PaymentKind::Deposit).await, s.w.clock.now_value());
        let lines = [(Account::Gateway, row.amount), (Account::Customer, row.amount.negated())];
        let lines = lines.map(|(account, amount)| EntryLine { account, amount }).to_vec();
        let (id, fact) = (EntryId(s.w.s.entropy.uuid(at)), format!("capture:{}-deposit-9", b.short_id));
        let entry = Entry::new(id, b.id, Some(row.id), at, "capture", fact, lines).unwrap();
        s.w.write(move |u| u.ledger().append(&entry)).await;
    }
    "a tip to come that is gone" of paid told "tip_asked" by "plan_anew" less -2_000: |s, b| {
        tip_to_come(s, b).await;
        delete(s, "DELETE FROM payments WHERE kind = 'tip' AND state = 'scheduled'");
    }
    "a tip whose words and amount were raised" of paid told "tip_asked" by "set_tip" less -2_000: |s, b| {
        tip_to_come(s, b).await;
        s.update_tip(b, |tip| (tip.amount, tip.value) = (cents(9_000), "90".into())).await;
    }
};

/// A row of the same booking as another one, made now.
fn like(s: &Stock, row: &Payment, amount: i64) -> Payment {
    let now = s.w.clock.now_value();
    Payment {
        id: PaymentId(s.w.s.entropy.uuid(now)),
        amount: cents(amount),
        due_at: now,
        attempts: 0,
        transaction_id: None,
        refund_of: None,
        settled_at: None,
        state: At::stored(State::Settled),
        created_at: now,
        version: 1,
        ..row.clone()
    }
}

async fn planted(s: &Stock, row: Payment) {
    s.w.write(move |u| u.payments().insert(&row)).await;
}

/// A card was charged twice for it: nothing had happened to the booking for two weeks, and only what had was compared.
#[tokio::test]
async fn what_is_charged_soon_is_compared_before_it_is() {
    let s = Stock::on(TestDb::sqlite()).await;
    row_deleted(&s, &s.deposit, PaymentKind::Deposit).await;
    // Its 48-hour charge is on the 24th.
    until(&s.w, utc("2027-02-22T12:00:00Z")).await;
    let codes: Vec<_> = s.w.compared().await.differences.iter().map(|d| d.difference.what.code()).collect();
    assert!(codes.contains(&"row_lost"), "{codes:?}");
}

/// Nobody puts it right for two days: nothing is charged by what is left of the booking's rows, and the rest is once it was.
#[tokio::test]
async fn nothing_is_charged_while_a_row_is_gone() {
    let s = Stock::on(TestDb::sqlite()).await;
    row_deleted(&s, &s.deposit, PaymentKind::Deposit).await;
    // The other bookings have nothing to charge until the 25th at 14 h.
    until(&s.w, utc("2027-02-20T12:00:00Z")).await;
    let before = s.w.gateway.net();
    until(&s.w, utc("2027-02-25T12:00:00Z")).await;
    assert_eq!(s.w.gateway.net(), before, "its 48-hour instant has passed");
    let last = s.w.compared().await;
    let lost = last.differences.iter().find(|d| d.difference.what.code() == "row_lost").unwrap();
    mend::mend(&s.w.s, &s.w.staff(), lost.found.id, None).await.unwrap();
    until(&s.w, utc("2027-02-25T13:00:00Z")).await;
    assert_eq!(s.w.gateway.net(), before + BALANCE);
    assert_eq!(s.w.compared().await.differences.len(), 0);
}

/// A row that says something else than those who saw its money move holds the charges of its booking back, as one that is gone.
#[tokio::test]
async fn nothing_is_charged_while_a_row_reads_otherwise() {
    let plants: [fn(&mut Payment); 3] =
        [|r| r.settled_at = None, |r| set_back(r, State::Scheduled), |r| r.amount = cents(100)];
    for plant in plants {
        let s = Stock::on(TestDb::sqlite()).await;
        s.update_row(s.row(&s.deposit, PaymentKind::Deposit).await, plant).await;
        until(&s.w, utc("2027-02-20T12:00:00Z")).await;
        let before = s.w.gateway.net();
        until(&s.w, utc("2027-02-25T12:00:00Z")).await;
        assert_eq!(s.w.gateway.net(), before, "its 48-hour instant has passed");
        let last = s.w.compared().await;
        let told = last.differences.iter().find(|d| d.difference.what.is_of_row()).unwrap();
        mend::mend(&s.w.s, &s.w.staff(), told.found.id, None).await.unwrap();
        until(&s.w, utc("2027-02-25T13:00:00Z")).await;
        assert_eq!(s.w.gateway.net(), before + BALANCE);
        assert_eq!(s.w.compared().await.differences.len(), 0);
    }
}

/// A refund that all our records have and the payment service does not: until that is cleared, no charge is raised by it.
#[tokio::test]
async fn nothing_is_planned_while_the_payment_service_says_otherwise() {
    let s = Stock::on(TestDb::sqlite()).await;
    let of = s.row(&s.deposit, PaymentKind::Deposit).await;
    let mut refund = charge(PaymentKind::Refund, 5_000);
    (refund.at_gateway, refund.of) = (false, Some(of));
    s.moved(&s.deposit, refund).await;
    let last = s.w.compared().await;
    let told: Vec<_> =
        last.differences.iter().map(|d| (d.difference.what.code(), d.repair.as_ref().map(Repair::code))).collect();
    assert!(told.iter().any(|(what, _)| *what == "gateway_missing"), "{told:?}");
    assert!(told.iter().any(|(what, _)| *what == "held"), "{told:?}");
    assert!(!told.iter().any(|(_, repair)| matches!(repair, Some("plan_anew" | "charge_now"))), "{told:?}");
}

/// All that we had of a deposit is gone. What the payment service has of it goes back, and the deposit is charged anew: under an
/// order id of its own, for under the old one the service would answer with the transaction that went back.
#[tokio::test]
async fn an_order_id_is_never_used_again() {
    let s = Stock::on(TestDb::sqlite()).await;
    let order = s.order(&s.row(&s.deposit, PaymentKind::Deposit).await).await;
    both_deleted(&s, &s.deposit, PaymentKind::Deposit).await;
    delete(
        &s,
        &format!(
            "DROP TRIGGER ledger_lines_no_delete; DROP TRIGGER ledger_entries_no_delete;
             DELETE FROM ledger_lines WHERE entry_id IN (SELECT id FROM ledger_entries WHERE fact_key = 'capture:{order}');
             DELETE FROM ledger_entries WHERE fact_key = 'capture:{order}'"
        ),
    );
    for wanted in ["send_back", "plan_anew"] {
        let last = s.w.compared().await;
        let offered = |d: &&Shown| d.repair.as_ref().is_some_and(|r| r.code() == wanted);
        let one = last.differences.iter().find(offered).unwrap_or_else(|| panic!("{wanted}: {:?}", last.differences));
        mend::mend(&s.w.s, &s.w.staff(), one.found.id, None).await.unwrap();
        s.w.work().await;
    }
    // A deposit is charged once its instant has passed.
    until(&s.w, utc("2027-02-13T21:00:00Z")).await;
    let again = s.order(&s.row(&s.deposit, PaymentKind::Deposit).await).await;
    assert_ne!(again, order);
    assert_eq!(s.w.compared().await.differences.len(), 0);
}

#[tokio::test]
async fn each_is_told_repaired_and_gone_on_sqlite() {
    all(FAULTS, TestDb::sqlite).await;
}

#[tokio::test]
async fn each_is_told_repaired_and_gone_on_postgres() {
    all(FAULTS, TestDb::postgres).await;
}
