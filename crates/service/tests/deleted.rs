//! What somebody deleted from, or wrote into, the database about money that moved or is to come: told, put right and gone, as
//! in `put_right.rs`.

use crate::{
    planted::{Stock, charge, set, until, utc},
    put_right::{Fault, all, cents, faults},
    support::thursday::BALANCE,
};

use service::{
    bookings::TipInput,
    ports::{bookings::Booking, payments::PaymentKind},
    tips,
};
use status_machine::booking::Status;
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
            r.next_attempt_at = r.next_attempt_at.map(|at| at + chrono::Duration::days(30));
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
        let id = b.id;
        s.w.write(move |u| {
            let mut tip = u.tips().of_booking(id)?.unwrap();
            tip.amount = cents(2_500);
            u.tips().put(&tip)
        })
        .await;
    }
};

#[tokio::test]
async fn each_is_told_repaired_and_gone_on_sqlite() {
    all(FAULTS, TestDb::sqlite).await;
}

#[tokio::test]
async fn each_is_told_repaired_and_gone_on_postgres() {
    all(FAULTS, TestDb::postgres).await;
}
