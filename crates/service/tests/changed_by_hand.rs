//! Somebody changes one column in the database that money depends on. Each is told in words, put back by its repair without a cent
//! that moves, and nothing is left; nothing else is offered that would plan by what was changed.

use crate::{
    planted::{Stock, some_of, until, utc},
    support::thursday::{BALANCE, DEPOSIT},
};

use futures_util::{StreamExt, future::LocalBoxFuture, stream};
use kernel::{BookingId, Money};
use service::{
    billing::{
        compare::{self, DifferenceView, Last},
        mend,
        repair::Repair,
    },
    desk::{
        credits::{self, NewCredit},
        received::{self, Received},
    },
    ports::{
        bookings::Booking,
        comparisons::Standing,
        credits::CreditKind,
        payments::{PaidWith, PaymentKind},
    },
};
use store::testing::TestDb;

fn cents(n: i64) -> Money {
    Money::from_cents(n)
}

/// What is changed in whose money, how it must be told and repaired, and by how much less is held at the payment service in the
/// end because of what went before.
struct Change {
    name: &'static str,
    of: fn(&Stock) -> &Booking,
    told: (&'static str, Option<&'static str>),
    gone: i64,
    plant: for<'a> fn(&'a Stock, &'a Booking) -> LocalBoxFuture<'a, ()>,
}

macro_rules! changes {
    ($($name:literal of $of:ident told $what:literal by $repair:expr, less $gone:literal: |$s:ident, $b:ident| $plant:block)+) => {
        &[$(Change {
            name: $name,
            of: |s| &s.$of,
            told: ($what, $repair),
            gone: $gone,
            plant: |$s, $b| Box::pin(async move { $plant }),
        }),+]
    };
}

/// Columns of the newest payment of a kind are set.
async fn row_set(s: &Stock, b: &Booking, kind: PaymentKind, set: &str) {
    let row = s.row(b, kind).await;
    s.w.execute(&format!("UPDATE payments SET {set} WHERE id = '{}'", row.id));
}

/// The newest payment of a kind is moved to another booking.
async fn moved_to(s: &Stock, b: &Booking, kind: PaymentKind, other: BookingId) {
    row_set(s, b, kind, &format!("booking_id = '{other}'")).await;
}

/// Columns of the booking are set.
fn booking_set(s: &Stock, b: &Booking, set: &str) {
    s.w.execute(&format!("UPDATE bookings SET {set} WHERE id = '{}'", b.id));
}

/// A member of the booking's document is set to a JSON text.
fn details_set(s: &Stock, b: &Booking, member: &str, json: &str) {
    let set = match s.w.db.store().engine() {
        "postgres" => format!("details = jsonb_set(details, '{{{member}}}', '{json}')"),
        _ => format!("details = json_set(details, '$.{member}', json('{json}'))"),
    };
    booking_set(s, b, &set);
}

/// The customer pays 50.00 in cash.
async fn cash(s: &Stock, b: &Booking) {
    let new = Received { method: PaidWith::Cash, amount: cents(5_000), reference: None };
    received::record(&s.w.s, &s.w.staff(), b.id, new, None).await.unwrap();
}

const FIELD: Option<&str> = Some("set_field");
const RECORD: Option<&str> = Some("set_record");
const KEPT: Option<&str> = Some("set_kept");

const CHANGES: &[Change] = changes! {
    "a deposit, the booking" of deposit told "row_reads" by FIELD, less 0: |s, b| {
        moved_to(s, b, PaymentKind::Deposit, s.fresh.id).await;
    }
    "the rest, the booking, with one that was done" of paid told "row_reads" by FIELD, less 0: |s, b| {
        moved_to(s, b, PaymentKind::Balance, s.done.id).await;
    }
    "what a cancellation kept, the booking" of cancelled told "row_reads" by FIELD, less 0: |s, b| {
        moved_to(s, b, PaymentKind::Deposit, s.paid.id).await;
    }
    "a refund, the booking" of returned told "row_reads" by FIELD, less 0: |s, b| {
        moved_to(s, b, PaymentKind::Refund, s.deposit.id).await;
    }
    "a tip, the booking" of done told "row_reads" by FIELD, less 0: |s, b| {
        moved_to(s, b, PaymentKind::Tip, s.paid.id).await;
    }
    "cash, the booking" of deposit told "row_reads" by FIELD, less 5_000: |s, b| {
        cash(s, b).await;
        moved_to(s, b, PaymentKind::Difference, s.fresh.id).await;
    }
    "a deposit, what for: a tip" of deposit told "row_reads" by FIELD, less 0: |s, b| {
        row_set(s, b, PaymentKind::Deposit, "kind = 'tip'").await;
    }
    "a deposit, what for: the rest" of deposit told "row_reads" by FIELD, less 0: |s, b| {
        row_set(s, b, PaymentKind::Deposit, "kind = 'balance'").await;
    }
    "the rest, what for: a refund" of paid told "row_reads" by FIELD, less 0: |s, b| {
        row_set(s, b, PaymentKind::Balance, "kind = 'refund'").await;
    }
    "a refund, what for: a deposit" of returned told "row_reads" by FIELD, less 0: |s, b| {
        row_set(s, b, PaymentKind::Refund, "kind = 'deposit'").await;
    }
    "a tip, what for: the rest" of done told "row_reads" by FIELD, less 0: |s, b| {
        row_set(s, b, PaymentKind::Tip, "kind = 'balance'").await;
    }
    "cash, what for: a tip; nobody knows what else" of deposit told "row_reads" by None, less 5_000: |s, b| {
        cash(s, b).await;
        row_set(s, b, PaymentKind::Difference, "kind = 'tip'").await;
    }
    "the rest, how it was paid" of paid told "row_reads" by FIELD, less 0: |s, b| {
        row_set(s, b, PaymentKind::Balance, "method = 'cash'").await;
    }
    "cash, how it was paid" of deposit told "row_reads" by FIELD, less 5_000: |s, b| {
        cash(s, b).await;
        row_set(s, b, PaymentKind::Difference, "method = 'card'").await;
    }
    "a refund, of nothing" of returned told "row_reads" by FIELD, less 0: |s, b| {
        row_set(s, b, PaymentKind::Refund, "refund_of = NULL").await;
    }
    "a refund, of another charge" of paid told "row_reads" by FIELD, less 1_000: |s, b| {
        let new = NewCredit { kind: CreditKind::Refund, amount: cents(1_000), reason: "A scratch".into() };
        credits::give(&s.w.s, &s.w.staff(), b.id, new, None).await.unwrap();
        until(&s.w, utc("2027-02-14T12:00:00Z")).await;
        let deposit = s.row(b, PaymentKind::Deposit).await.id;
        row_set(s, b, PaymentKind::Refund, &format!("refund_of = '{deposit}'")).await;
    }
    "a deposit, the payment service's key" of deposit told "row_reads" by FIELD, less 0: |s, b| {
        row_set(s, b, PaymentKind::Deposit, "transaction_id = 'another'").await;
    }
    "the rest, the order id of its attempt" of paid told "row_reads" by FIELD, less 0: |s, b| {
        let row = s.row(b, PaymentKind::Balance).await.id;
        s.w.execute(&format!("UPDATE payment_attempts SET order_id = order_id || '9' WHERE payment_id = '{row}'"));
    }
    "a refund, the order id of its attempt" of returned told "row_reads" by FIELD, less 0: |s, b| {
        let row = s.row(b, PaymentKind::Refund).await.id;
        s.w.execute(&format!("UPDATE payment_attempts SET order_id = 'X' || order_id WHERE payment_id = '{row}'"));
    }
    "a deposit, how much" of deposit told "row_amount" by Some("set_amount"), less 0: |s, b| {
        row_set(s, b, PaymentKind::Deposit, "amount_cents = 100").await;
    }
    "a deposit, where it stands" of deposit told "row_unmarked" by Some("set_state"), less 0: |s, b| {
        row_set(s, b, PaymentKind::Deposit, "state = 'refunded'").await;
    }
    "a deposit that went back, where it stands: settled" of returned told "row_unmarked" by Some("set_state"), less 0: |s, b| {
        row_set(s, b, PaymentKind::Deposit, "state = 'settled'").await;
    }
    "a deposit that went back, where it stands: in part" of returned told "row_unmarked" by Some("set_state"), less 0: |s, b| {
        row_set(s, b, PaymentKind::Deposit, "state = 'partially_refunded'").await;
    }
    "amount and total, more" of deposit told "record_reads" by RECORD, less 0: |s, b| {
        booking_set(s, b, "amount_cents = amount_cents + 5000, total_cents = total_cents + 5000");
    }
    "amount, tax and total, less, of one that was done" of done told "record_reads" by RECORD, less 0: |s, b| {
        booking_set(s, b, "amount_cents = 100, tax_cents = 0, total_cents = 100");
    }
    "amount, tax and total" of paid told "record_reads" by RECORD, less 0: |s, b| {
        booking_set(s, b, "amount_cents = 10000, tax_cents = 1498, total_cents = 11498");
    }
    "the whole record, as it was before others" of paid told "record_reads" by RECORD, less 0: |s, b| {
        booking_set(s, b, "version = 1, amount_cents = 10000, tax_cents = 1498, total_cents = 11498");
    }
    "the status, cancelled" of deposit told "record_reads" by RECORD, less 0: |s, b| {
        booking_set(s, b, "status = 'cancelled'");
    }
    "the status, taken back" of cancelled told "record_reads" by RECORD, less 0: |s, b| {
        booking_set(s, b, "status = 'pending'");
    }
    "the status, done" of paid told "record_reads" by RECORD, less 0: |s, b| {
        booking_set(s, b, "status = 'completed'");
    }
    "the status, not done" of done told "record_reads" by RECORD, less 0: |s, b| {
        booking_set(s, b, "status = 'pending'");
    }
    "the day of the move" of deposit told "record_reads" by RECORD, less 0: |s, b| {
        booking_set(s, b, "move_at = '2027-04-20 14:00:00.000000'");
    }
    "when it was cancelled" of cancelled told "record_reads" by RECORD, less 0: |s, b| {
        booking_set(s, b, "cancelled_at = '2027-02-08 15:00:00.000000'");
    }
    "what was kept, less" of cancelled told "record_reads" by RECORD, less 0: |s, b| {
        details_set(s, b, "kept", "\"92.31\"");
    }
    "what was kept, more" of cancelled told "record_reads" by RECORD, less 0: |s, b| {
        details_set(s, b, "kept", "\"300.00\"");
    }
    "who cancelled" of cancelled told "record_reads" by RECORD, less 0: |s, b| {
        details_set(s, b, "cancelledBy", "\"company\"");
    }
    "the 48-hour mark" of deposit told "record_reads" by RECORD, less 0: |s, b| {
        details_set(s, b, "lockEntered", "true");
    }
    "a change fee" of deposit told "record_reads" by RECORD, less 0: |s, b| {
        details_set(s, b, "changeFees", "\"100.00\"");
    }
    "how it is paid" of deposit told "record_reads" by RECORD, less 0: |s, b| {
        details_set(s, b, "paidBy", "\"onSite\"");
    }
    "the discount" of deposit told "record_reads" by RECORD, less 0: |s, b| {
        details_set(s, b, "discount", "\"50.00\"");
    }
    "what was kept, less, written by the program" of cancelled told "kept" by KEPT, less 0: |s, b| {
        s.update(b, |b| b.details.kept = Some(cents(DEPOSIT - 2_267))).await;
    }
    "what was kept, more, written by the program" of cancelled told "kept" by KEPT, less 0: |s, b| {
        s.update(b, |b| b.details.kept = Some(cents(BALANCE))).await;
    }
    "what was kept of a move that the company called off" of returned told "kept" by KEPT, less 0: |s, b| {
        s.update(b, |b| b.details.kept = Some(cents(DEPOSIT))).await;
    }
};

/// What plans or moves money by what is on record.
const PLANS: [&str; 6] = ["plan_anew", "charge_now", "correct", "send_back", "book_refund", "turn_around"];

fn open(last: &Last) -> Vec<&DifferenceView> {
    last.differences.iter().filter(|d| d.found.standing == Standing::Open).collect()
}

fn words(last: &Last) -> Vec<String> {
    open(last).iter().map(|d| format!("{} → {:?}", d.difference, d.repair)).collect()
}

async fn in_the_end(s: &Stock) -> i64 {
    until(&s.w, utc("2027-03-08T12:00:00Z")).await;
    s.w.gateway.net()
}

async fn judged(change: &Change, db: TestDb, healthy: i64) -> Vec<String> {
    let s = Stock::on(db).await;
    let theirs = (change.of)(&s);
    (change.plant)(&s, theirs).await;
    let mut wrong = Vec::new();
    let mut say = |text: String| wrong.push(format!("{}: {text}", change.name));
    let moved = s.w.gateway.seen().len();
    let first = s.w.compared().await;
    let as_told = |d: &&DifferenceView| (d.difference.what.code(), d.repair.as_ref().map(Repair::code)) == change.told;
    match open(&first).into_iter().find(as_told) {
        Some(one) if one.found.booking == Some(theirs.id) => {}
        Some(one) => say(format!("is told of {:?}", one.found.booking)),
        None => say(format!("{:?} is not told: {:#?}", change.told, words(&first))),
    }
    if let Some(bad) = open(&first).iter().find(|d| d.repair.as_ref().is_some_and(|r| PLANS.contains(&r.code()))) {
        say(format!("{} would be repaired by {:?}", bad.difference, bad.repair));
    }
    for _ in 0..3 {
        let last = s.w.compared().await;
        let Some(one) = open(&last).into_iter().find(|d| d.repair.is_some()) else { break };
        if let Err(refused) = mend::mend(&s.w.s, &s.w.staff(), one.found.id, None).await {
            say(format!("{} is not repaired: {refused}", one.difference));
        }
        s.w.work().await;
    }
    if s.w.gateway.seen().len() != moved {
        say(format!("money moved: {:#?}", s.w.gateway.seen()));
    }
    if change.told.1.is_none() {
        return wrong;
    }
    let left = words(&s.w.compared().await);
    if !left.is_empty() {
        say(format!("is left: {left:#?}"));
    }
    let net = in_the_end(&s).await;
    if net != healthy - change.gone {
        say(format!("{net} is held in the end, not {}: {:#?}", healthy - change.gone, s.w.gateway.seen()));
    }
    let left = words(&s.w.compared().await);
    if !left.is_empty() {
        say(format!("is left in the end: {left:#?}"));
    }
    wrong
}

async fn all(changes: Vec<&Change>, db: fn() -> TestDb) {
    let healthy = in_the_end(&Stock::on(db()).await).await;
    let each = stream::iter(&changes).map(|change| judged(change, db(), healthy));
    let wrong = each.buffer_unordered(6).collect::<Vec<_>>().await.concat();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), changes.len(), wrong.join("\n"));
}

#[tokio::test]
async fn each_change_is_told_and_put_back_on_sqlite() {
    all(CHANGES.iter().collect(), TestDb::sqlite).await;
}

#[tokio::test]
async fn each_change_is_told_and_put_back_on_postgres() {
    all(some_of(CHANGES), TestDb::postgres).await;
}

/// What cannot be read any more is told of whose it is, and everything else is compared as before.
async fn unreadable(db: TestDb) {
    let s = Stock::on(db).await;
    details_set(&s, &s.deposit, "chargesWait", "\"soon\"");
    row_set(&s, &s.paid, PaymentKind::Balance, "method = 'cash'").await;
    let told = |last: &Last| {
        let one =
            |d: &DifferenceView| (d.difference.what.code(), d.found.booking, d.short_id.clone(), d.repair.is_some());
        open(last).into_iter().map(one).collect::<Vec<_>>()
    };
    let code = |b: &Booking| Some(b.short_id.to_string());
    let (lost, other) = (
        ("unreadable", Some(s.deposit.id), code(&s.deposit), false),
        ("row_reads", Some(s.paid.id), code(&s.paid), true),
    );
    for _ in 0..2 {
        let all = told(&s.w.compared().await);
        assert!(all.len() == 2 && all.contains(&lost) && all.contains(&other), "{all:?}");
    }
    let last = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    let row = open(&last).into_iter().find(|d| d.repair.is_some()).unwrap();
    mend::mend(&s.w.s, &s.w.staff(), row.found.id, None).await.unwrap();
    assert_eq!(told(&s.w.compared().await), [lost]);
    details_set(&s, &s.deposit, "chargesWait", "null");
    assert_eq!(told(&s.w.compared().await), []);
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_told_and_the_others_are_compared_on_sqlite() {
    unreadable(TestDb::sqlite()).await;
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_told_and_the_others_are_compared_on_postgres() {
    unreadable(TestDb::postgres()).await;
}
