//! What somebody deleted from, or wrote into, the database about money that moved or is to come: told, put right and gone, as
//! in `put_right.rs`.

use crate::{
    planted::{Stock, charge as moved, set, some_of, until, utc},
    put_right::{Fault, all, cents, faults},
    support::thursday::{BALANCE, DEPOSIT},
};

use chrono::Duration;
use kernel::{EntryId, PaymentId};
use service::{
    billing::{
        charge,
        compare::{self, DifferenceView},
        mend,
        repair::Repair,
    },
    bookings::TipInput,
    desk::{
        credits::{self, NewCredit},
        received::{self, Received},
    },
    ports::{
        bookings::Booking,
        comparisons::Standing,
        credits::CreditKind,
        ledger::{Account, Entry, EntryLine},
        payments::{GatewayKind, PaidWith, Payment, PaymentKind},
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

/// With its entry, in SQLite.
async fn wholly_deleted(s: &Stock, b: &Booking, kind: PaymentKind) {
    let order = s.order(&s.row(b, kind).await).await;
    both_deleted(s, b, kind).await;
    delete(
        s,
        &format!(
            "DROP TRIGGER ledger_lines_no_delete; DROP TRIGGER ledger_entries_no_delete;
             DELETE FROM ledger_lines WHERE entry_id IN (SELECT id FROM ledger_entries WHERE fact_key = 'capture:{order}');
             DELETE FROM ledger_entries WHERE fact_key = 'capture:{order}'"
        ),
    );
}

/// The entry of what came by hand last.
async fn by_hand_without_entry(s: &Stock, b: &Booking, kind: PaymentKind) {
    let row = s.row(b, kind).await;
    assert!(row.method.is_by_hand(), "{row:?}");
    entries_deleted(s, &format!("payment_id = '{}'", row.id));
}

fn entries_deleted(s: &Stock, own: &str) {
    let guards = match s.w.s.store.engine() {
        "postgres" => "",
        _ => "DROP TRIGGER ledger_lines_no_delete; DROP TRIGGER ledger_entries_no_delete;",
    };
    delete(
        s,
        &format!(
            "{guards} DELETE FROM ledger_lines WHERE entry_id IN (SELECT id FROM ledger_entries WHERE {own});
             DELETE FROM ledger_entries WHERE {own}"
        ),
    );
}

async fn cash(s: &Stock, b: &Booking, amount: i64) {
    let came = Received { method: PaidWith::Cash, amount: cents(amount), reference: None };
    received::record(&s.w.s, &s.w.staff(), b.id, came, None).await.unwrap();
}

async fn taken_out_without_row(s: &Stock, b: &Booking) {
    let wrong = s.row(b, PaymentKind::Difference).await;
    received::undo(&s.w.s, &s.w.staff(), wrong.id, "the other booking's".into(), None).await.unwrap();
    let row = s.row(b, PaymentKind::Refund).await;
    delete(s, &format!("DELETE FROM payments WHERE id = '{}'", row.id));
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

async fn attempt_reads(s: &Stock, b: &Booking, kind: PaymentKind, amount: i64) {
    let order = s.order(&s.row(b, kind).await).await;
    delete(s, &format!("UPDATE payment_attempts SET amount_cents = {amount} WHERE order_id = '{order}'"));
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
    "a tip that is gone after its charge" of done told "tip" by "set_tip" less 0: |s, b| {
        delete(s, &format!("DELETE FROM tips WHERE booking_id = '{}'", b.id));
    }
    "a tip that is gone before its charge" of paid told "tip_asked" by "set_tip" less -2_000: |s, b| {
        tip_to_come(s, b).await;
        delete(s, &format!("DELETE FROM tips WHERE booking_id = '{}'", b.id));
    }
    "an attempt that reads as if it were under way" of paid told "made_unsaid" by "note_attempt" less 0: |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        delete(s, &format!("UPDATE payment_attempts SET state = 'sent' WHERE order_id = '{order}'"));
    }
    "an attempt that reads as if it had been lost" of paid told "gateway_moved" by "note_attempt" less 0: |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        delete(s, &format!("UPDATE payment_attempts SET state = 'lost' WHERE order_id = '{order}'"));
    }
    "both entries of what was paid gone" of paid told "ledger_missing" by "post" less 0: |s, b| {
        entries_deleted(s, &format!("booking_id = '{}'", b.id));
    }
    "a record that has more mates, more hours and another hub" of deposit told "record_reads" by "set_record" less 0: |s, b| {
        s.w.execute(&format!(
            "UPDATE bookings SET mate_count = 4, duration_minutes = duration_minutes + 120, hub = 'quebec' WHERE id = '{}'",
            b.id
        ));
    }
    "an attempt that has another key" of paid told "row_reads" by "note_attempt" less 0: |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        delete(s, &format!("UPDATE payment_attempts SET transaction_id = 'another' WHERE order_id = '{order}'"));
    }
    "a charge that reads as disputed, and no dispute is there" of paid told "dispute_missing" by "set_state" less 0: |s, b| {
        let row = s.row(b, PaymentKind::Balance).await;
        s.update_row(row, |r| r.state = At::stored(State::ChargedBack)).await;
    }
    "cash whose entry is gone" of deposit told "row_marked" by "post_by_hand" less 10_000: |s, b| {
        cash(s, b, 10_000).await;
        by_hand_without_entry(s, b, PaymentKind::Difference).await;
    }
    "cash that was handed back, without the entry of that" of deposit told "row_marked" by "post_by_hand" less 10_000: |s, b| {
        cash(s, b, 10_000).await;
        let given = NewCredit { kind: CreditKind::Refund, amount: cents(2_500), reason: "Late".into() };
        credits::give(&s.w.s, &s.w.staff(), b.id, given, None).await.unwrap();
        let back = s.row(b, PaymentKind::Refund).await;
        received::handed_over(&s.w.s, &s.w.staff(), back.id, None, None).await.unwrap();
        by_hand_without_entry(s, b, PaymentKind::Refund).await;
    }
    "cash that was taken out again, without the entry of that" of deposit told "row_marked" by "post_by_hand" less 0: |s, b| {
        cash(s, b, 10_000).await;
        let wrong = s.row(b, PaymentKind::Difference).await;
        received::undo(&s.w.s, &s.w.staff(), wrong.id, "it never came".into(), None).await.unwrap();
        by_hand_without_entry(s, b, PaymentKind::Refund).await;
    }
    "the row that took cash out again" of deposit told "row_lost" by "write_row" less 0: |s, b| {
        cash(s, b, 10_000).await;
        taken_out_without_row(s, b).await;
    }
    "the row that took a cheque out again" of deposit told "row_lost" by "write_row" less 0: |s, b| {
        let came = Received { method: PaidWith::Cheque, amount: cents(4_000), reference: Some("C-1".into()) };
        received::record(&s.w.s, &s.w.staff(), b.id, came, None).await.unwrap();
        taken_out_without_row(s, b).await;
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
        let mut m = moved(PaymentKind::Refund, 2_000);
        (m.attempted, m.posted, m.at_gateway, m.of) = (false, false, false, Some(of));
        s.moved(b, m).await;
    }
    "a refund that all our records have and the payment service does not" of paid told "gateway_missing" by "never_made" less 0: |s, b| {
        let of = s.row(b, PaymentKind::Balance).await;
        let mut m = moved(PaymentKind::Refund, 2_000);
        (m.at_gateway, m.of) = (false, Some(of));
        s.moved(b, m).await;
    }
    "a difference that reads charged, and that nobody planned" of paid told "row_marked" by "set_state" less 0: |s, b| {
        let mut m = moved(PaymentKind::Difference, 10_000);
        (m.attempted, m.posted, m.at_gateway) = (false, false, false);
        s.moved(b, m).await;
        s.update_row(s.row(b, PaymentKind::Difference).await, |r| {
            (r.settled_at, r.transaction_id, r.attempts) = (None, None, 0);
        })
        .await;
    }
    "a deposit set back without its key, its attempt gone" of deposit told "row_unmarked" by "set_state" less 0: |s, b| {
        let row = s.row(b, PaymentKind::Deposit).await;
        attempt_deleted(s, &row).await;
        s.update_row(row, |r| {
            set_back(r, State::Scheduled);
            (r.transaction_id, r.attempts) = (None, 0);
        })
        .await;
    }
    "an attempt that reads another amount" of paid told "gateway_amount" by "note_attempt" less 0: |s, b| {
        attempt_reads(s, b, PaymentKind::Balance, BALANCE + 500).await;
    }
    "a row and its attempt that read another amount" of deposit told "gateway_amount" by "note_attempt" less 0: |s, b| {
        attempt_reads(s, b, PaymentKind::Deposit, DEPOSIT + 1_000).await;
        s.update_row(s.row(b, PaymentKind::Deposit).await, |r| r.amount = cents(DEPOSIT + 1_000)).await;
    }
    "a charge of long ago that is not at the payment service" of done told "gateway_missing" by "never_made" less 45_990: |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        s.w.gateway.change(|list| list.retain(|t| t.order_id != order));
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
        s.update_tip(b, |tip| (tip.amount, tip.value) = (cents(9_000), "90".parse().unwrap())).await;
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
    let mut refund = moved(PaymentKind::Refund, 5_000);
    (refund.at_gateway, refund.of) = (false, Some(of));
    s.moved(&s.deposit, refund).await;
    let last = s.w.compared().await;
    let told: Vec<_> =
        last.differences.iter().map(|d| (d.difference.what.code(), d.repair.as_ref().map(Repair::code))).collect();
    assert!(told.iter().any(|(what, _)| *what == "gateway_missing"), "{told:?}");
    assert!(told.iter().any(|(what, _)| *what == "held"), "{told:?}");
    assert!(!told.iter().any(|(_, repair)| matches!(repair, Some("plan_anew" | "charge_now"))), "{told:?}");
}

/// All that we have of a booking agrees, and the payment service says otherwise: no charge is made by it before that is settled,
/// and the rest is charged once it is.
#[tokio::test]
async fn nothing_is_charged_while_the_payment_service_says_otherwise() {
    async fn invented(s: &Stock) {
        let of = s.row(&s.deposit, PaymentKind::Deposit).await;
        let mut refund = moved(PaymentKind::Refund, 5_000);
        (refund.at_gateway, refund.of) = (false, Some(of.clone()));
        s.moved(&s.deposit, refund).await;
        s.update_row(of, |r| r.state = At::stored(State::PartiallyRefunded)).await;
    }
    for (gone, wanted) in [(false, "never_made"), (true, "send_back")] {
        let s = Stock::on(TestDb::sqlite()).await;
        match gone {
            true => wholly_deleted(&s, &s.deposit, PaymentKind::Deposit).await,
            false => invented(&s).await,
        }
        assert!(!s.w.compared().await.differences.is_empty());
        until(&s.w, utc("2027-02-20T12:00:00Z")).await;
        let before = s.w.gateway.net();
        until(&s.w, utc("2027-02-25T12:00:00Z")).await;
        assert_eq!(s.w.gateway.net(), before, "{wanted}: nobody has settled it");
        let mut last = s.w.compared().await;
        let mut done = Vec::new();
        // One of them puts others right as well, or lets them be offered.
        while let Some(told) = last.differences.iter().find(|d| d.repair.is_some()) {
            done.push(told.repair.as_ref().map(Repair::code));
            assert!(done.len() < 5, "{done:?}");
            mend::mend(&s.w.s, &s.w.staff(), told.found.id, None).await.unwrap();
            s.w.work().await;
            last = s.w.compared().await;
        }
        assert!(done.contains(&Some(wanted)), "{done:?} {:?}", last.differences);
        until(&s.w, utc("2027-02-25T13:30:00Z")).await;
        assert_eq!(s.w.gateway.net(), before + BALANCE, "{wanted}");
        let left = s.w.compared().await;
        assert_eq!(left.differences.len(), 0, "{wanted}: {:?}", left.differences);
    }
}

/// An entry whose kind somebody changed is no witness of what its row is for: turned around, it would take real money out of
/// the books.
#[tokio::test]
async fn the_row_that_took_a_payment_out_is_the_only_difference() {
    let s = Stock::on(TestDb::sqlite()).await;
    cash(&s, &s.deposit, 10_000).await;
    taken_out_without_row(&s, &s.deposit).await;
    let first = s.w.compared().await;
    let told: Vec<_> = first.differences.iter().map(|d| d.difference.what.code()).collect();
    assert_eq!(told, ["row_lost"], "{first:#?}");
    mend::mend(&s.w.s, &s.w.staff(), first.differences[0].found.id, None).await.unwrap();
    let row = s.row(&s.deposit, PaymentKind::Refund).await;
    assert!(row.is_taken_out() && row.refund_of.is_some() && row.method == PaidWith::Cash, "{row:?}");
}

/// The ledger has one account for transfers and cheques: which of them came, and its number, the audit trail says.
#[tokio::test]
async fn a_cheque_is_written_down_again_as_a_cheque() {
    let s = Stock::on(TestDb::sqlite()).await;
    let came = Received { method: PaidWith::Cheque, amount: cents(4_000), reference: Some("C-77".into()) };
    received::record(&s.w.s, &s.w.staff(), s.deposit.id, came, None).await.unwrap();
    let row = s.row(&s.deposit, PaymentKind::Difference).await;
    delete(&s, &format!("DELETE FROM payments WHERE id = '{}'", row.id));
    let first = s.w.compared().await;
    let lost = first.differences.iter().find(|d| d.repair.is_some()).unwrap();
    mend::mend(&s.w.s, &s.w.staff(), lost.found.id, None).await.unwrap();
    let again = s.row(&s.deposit, PaymentKind::Difference).await;
    assert_eq!((again.id, again.method, again.reference.as_deref()), (row.id, PaidWith::Cheque, Some("C-77")));
    assert!(s.w.compared().await.differences.is_empty());
}

/// The right repair is offered alone: what its row alone says keeps the charge as it reads.
#[tokio::test]
async fn a_charge_is_not_set_back_for_an_entry_that_is_gone() {
    let s = Stock::on(TestDb::sqlite()).await;
    cash(&s, &s.deposit, 10_000).await;
    let wrong = s.row(&s.deposit, PaymentKind::Difference).await;
    received::undo(&s.w.s, &s.w.staff(), wrong.id, "it never came".into(), None).await.unwrap();
    by_hand_without_entry(&s, &s.deposit, PaymentKind::Refund).await;
    let last = s.w.compared().await;
    let offered: Vec<_> = last.differences.iter().filter_map(|d| d.repair.as_ref()).map(Repair::code).collect();
    assert_eq!(offered, ["post_by_hand"], "{last:#?}");
}

#[tokio::test]
async fn an_entry_of_another_kind_turns_nothing_around() {
    for kind in ["refund", "tip", "completion"] {
        let s = Stock::on(TestDb::sqlite()).await;
        let order = s.order(&s.row(&s.paid, PaymentKind::Balance).await).await;
        s.w.execute(&format!(
            "DROP TRIGGER ledger_entries_no_update;
             UPDATE ledger_entries SET kind = '{kind}' WHERE fact_key = 'capture:{order}'"
        ));
        let last = s.w.compared().await;
        let repairs: Vec<_> = last.differences.iter().filter_map(|d| d.repair.as_ref().map(Repair::code)).collect();
        assert_eq!(repairs, Vec::<&str>::new(), "{kind}: {:?}", last.differences);
    }
}

/// Somebody gave money back at the payment service, and the row of its charge reads otherwise as well: that is put right first.
/// Written down before, the difference would be charged.
#[tokio::test]
async fn what_went_back_outside_is_written_down_once_its_rows_are_right() {
    let s = Stock::on(TestDb::sqlite()).await;
    let row = s.row(&s.paid, PaymentKind::Balance).await;
    let (order, of) = (s.order(&row).await, row.transaction_id.clone().unwrap());
    s.charge_at_gateway(&order, "panel", cents(2_000), GatewayKind::Refund { of });
    s.update_row(row, |r| r.amount = cents(BALANCE + 500)).await;
    let told = async || {
        let last = s.w.compared().await;
        let open = last.differences.into_iter().filter(|d| d.found.standing == Standing::Open);
        let mut all: Vec<_> =
            open.map(|d| (d.difference.what.code(), d.repair.as_ref().map(Repair::code), d.found.id)).collect();
        all.sort_by_key(|(code, ..)| *code);
        all
    };
    let first = told().await;
    let codes: Vec<_> = first.iter().map(|(code, repair, _)| (*code, *repair)).collect();
    assert_eq!(codes, [("refund_outside", None), ("row_amount", Some("set_amount"))]);
    for expected in ["set_amount", "book_refund"] {
        let next = told().await.into_iter().find(|(_, repair, _)| repair.is_some()).unwrap();
        assert_eq!(next.1, Some(expected));
        mend::mend(&s.w.s, &s.w.staff(), next.2, None).await.unwrap();
        s.w.work().await;
    }
    assert_eq!(told().await.len(), 0);
}

/// A charge that reads as if it had been given up, and whose row is gone: what became of it cannot be written down.
#[tokio::test]
async fn what_cannot_be_settled_costs_no_other_its_comparison() {
    let s = Stock::on(TestDb::sqlite()).await;
    let order = row_deleted(&s, &s.paid, PaymentKind::Balance).await;
    delete(&s, &format!("UPDATE payment_attempts SET state = 'lost' WHERE order_id = '{order}'"));
    s.charge_at_gateway(&format!("{}-full-9", s.fresh.short_id), "strange", cents(5_000), GatewayKind::Charge);
    compare::daily(&s.w.s).await.unwrap();
    let last = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    assert!(last.differences.iter().any(|d| d.difference.what.code() == "gateway_unknown"), "{:?}", last.differences);
    assert_eq!(compare::failed(&s.w.s).await.unwrap(), None);
}

/// Somebody pulled both dates of a deposit forward to now, and its job comes before any comparison.
#[tokio::test]
async fn a_deposit_is_not_charged_before_its_day() {
    let s = Stock::on(TestDb::sqlite()).await;
    let now = s.w.clock.now_value();
    let row = s.row(&s.fresh, PaymentKind::Deposit).await;
    let day = row.due_at;
    assert!(day > now + Duration::hours(1), "{row:?}");
    s.update_row(row, |r| (r.due_at, r.next_attempt_at) = (now, Some(now))).await;
    let before = s.w.gateway.net();
    charge::run(&s.w.s, s.fresh.id).await.unwrap();
    s.w.work().await;
    assert_eq!(s.w.gateway.net(), before);
    until(&s.w, day + Duration::minutes(1)).await;
    assert_eq!(s.row(&s.fresh, PaymentKind::Deposit).await.attempts, 1);
}

/// Whoever asks gets all there is of a small company, and an answer of their own although the clock stands still.
#[tokio::test]
async fn an_asked_comparison_looks_at_everything_and_is_a_new_one() {
    let s = Stock::on(TestDb::sqlite()).await;
    until(&s.w, utc("2027-05-01T12:00:00Z")).await;
    assert_eq!(s.w.compared().await.differences.len(), 0);
    s.update_row(s.row(&s.deposit, PaymentKind::Deposit).await, |r| r.amount = cents(100)).await;
    let asked = compare::ask(&s.w.s, &s.w.staff()).await.unwrap();
    let before = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    assert!(before.comparison.at < asked, "that is no answer yet");
    s.w.work().await;
    let after = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    assert!(after.comparison.at >= asked);
    assert!(after.differences.iter().any(|d| d.difference.what.code() == "row_amount"), "{:?}", after.differences);
}

/// What differed is put right outside, in the payment service's own panel: the next look finds that, and charges.
#[tokio::test]
async fn what_was_settled_outside_holds_nothing_back() {
    let s = Stock::on(TestDb::sqlite()).await;
    let order = format!("{}-else-1", s.deposit.short_id);
    s.charge_at_gateway(&order, "else", cents(700), GatewayKind::Charge);
    s.w.compared().await;
    until(&s.w, utc("2027-02-20T12:00:00Z")).await;
    let before = s.w.gateway.net();
    until(&s.w, utc("2027-02-25T12:00:00Z")).await;
    assert_eq!(s.w.gateway.net(), before);
    s.w.gateway.change(|list| list.retain(|t| t.order_id != order));
    until(&s.w, utc("2027-02-25T13:30:00Z")).await;
    assert_eq!(s.w.gateway.net(), before - 700 + BALANCE);
    let last = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    assert!(last.differences.iter().all(|d| d.found.standing != Standing::Open));
}

/// All that we had of a deposit is gone. What the payment service has of it goes back, and the deposit is charged anew: under an
/// order id of its own, for under the old one the service would answer with the transaction that went back.
#[tokio::test]
async fn an_order_id_is_never_used_again() {
    let s = Stock::on(TestDb::sqlite()).await;
    let order = s.order(&s.row(&s.deposit, PaymentKind::Deposit).await).await;
    wholly_deleted(&s, &s.deposit, PaymentKind::Deposit).await;
    for wanted in ["send_back", "plan_anew"] {
        let last = s.w.compared().await;
        let offered = |d: &&DifferenceView| d.repair.as_ref().is_some_and(|r| r.code() == wanted);
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
    all(FAULTS.iter().collect(), TestDb::sqlite).await;
}

#[tokio::test]
async fn each_is_told_repaired_and_gone_on_postgres() {
    all(some_of(FAULTS), TestDb::postgres).await;
}
