//! Planted differences of every kind: each is told in words with a repair, the repair does what it says, and nothing is left.
//! Whatever was planted, in the end the same money is held as if nothing had been.

use crate::{
    planted::{Moved, Stock, charge, some_of, until, utc},
    support::thursday::{BALANCE, DEPOSIT},
};

use chrono::{DateTime, Utc};
use futures_util::{StreamExt, future::LocalBoxFuture, stream};
use kernel::{EntryId, Money, TipId, uuid::Uuid};
use service::{
    billing::{
        compare::{DifferenceView, Last},
        mend,
        repair::Repair,
    },
    bookings::statement,
    desk::credits::{self, NewCredit},
    ports::{
        bookings::Booking,
        comparisons::Standing,
        credits::CreditKind,
        disputes::DisputeState,
        ledger::Entry,
        payments::{Attempt, AttemptState, GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
        tips::{Tip, TipKind},
    },
};
use status_machine::{At, payment::State};
use store::testing::TestDb;

pub fn cents(n: i64) -> Money {
    Money::from_cents(n)
}

/// What is planted in whose money, how it must be told and repaired, and by how much less is held in the end.
pub struct Fault {
    pub name: &'static str,
    pub of: fn(&Stock) -> &Booking,
    pub told: (&'static str, &'static str),
    pub gone: i64,
    pub plant: for<'a> fn(&'a Stock, &'a Booking) -> LocalBoxFuture<'a, ()>,
}

macro_rules! faults {
    ($($name:literal of $of:ident told $what:literal by $repair:literal less $gone:literal: |$s:ident, $b:ident| $plant:block)+) => {
        &[$(Fault {
            name: $name,
            of: |s| &s.$of,
            told: ($what, $repair),
            gone: $gone,
            plant: |$s, $b| Box::pin(async move { $plant }),
        }),+]
    };
}

pub(crate) use faults;

fn applied(row: &Payment, order_id: String, transaction: &str, now: DateTime<Utc>) -> Attempt {
    Attempt {
        order_id,
        payment_id: row.id,
        number: 2,
        amount: row.amount,
        method_id: "pm".into(),
        state: At::stored(AttemptState::Applied),
        transaction_id: Some(transaction.into()),
        code: None,
        created_at: now,
        sent_at: now,
        resolved_at: Some(now),
    }
}

/// The entry of a payment once more.
async fn doubled(s: &Stock, b: &Booking, kind: PaymentKind) {
    let row = s.row(b, kind).await;
    let (id, at) = (b.id, s.w.clock.now_value());
    let entries = s.w.read(move |u| u.ledger().of_booking(id)).await;
    let own = entries.into_iter().find(|e| e.payment_id == Some(row.id)).unwrap();
    let (id, fact) = (EntryId(s.w.s.entropy.uuid(at)), format!("{}:again", own.fact_key));
    let again = Entry::new(id, b.id, Some(row.id), at, &own.kind, fact, own.lines().to_vec()).unwrap();
    s.w.write(move |u| u.ledger().append(&again)).await;
}

/// Somebody gives a charge back in the control panel, which copies the order id of the charge.
async fn given_back(s: &Stock, b: &Booking, kind: PaymentKind, name: &str, amount: i64) {
    let row = s.row(b, kind).await;
    let (order, of) = (s.order(&row).await, row.transaction_id.unwrap());
    s.charge_at_gateway(&order, name, cents(amount), GatewayKind::Refund { of });
}

/// The payment service has another truth of a charge.
async fn at_gateway(s: &Stock, b: &Booking, kind: PaymentKind, how: fn(&mut GatewayTransaction)) {
    let order = s.order(&s.row(b, kind).await).await;
    s.w.gateway.change(|list| list.iter_mut().filter(|t| t.order_id == order).for_each(how));
}

/// Somebody changes the lines of a charge's entry in the database.
async fn entry_changed(s: &Stock, b: &Booking, kind: PaymentKind, how: &str) {
    let order = s.order(&s.row(b, kind).await).await;
    let entry = format!("SELECT id FROM ledger_entries WHERE fact_key = 'capture:{order}'");
    s.w.tampers(&format!("UPDATE ledger_lines SET {how} WHERE entry_id IN ({entry})"));
}

fn larger(by: i64) -> String {
    format!("amount_cents = CASE WHEN amount_cents > 0 THEN amount_cents + {by} ELSE amount_cents - {by} END")
}

const TO_CASH: &str = "account = CASE WHEN account = 'gateway' THEN 'cash' ELSE account END";

/// The record of an attempt is gone.
async fn forgotten(s: &Stock, b: &Booking, kind: PaymentKind) {
    let order = s.order(&s.row(b, kind).await).await;
    s.w.execute(&format!("DELETE FROM payment_attempts WHERE order_id = '{order}'"));
}

const FAULTS: &[Fault] = faults! {
    "an entry too large, by what the payment service moved" of deposit told "ledger_amount" by "correct" less 0: |s, b| {
        entry_changed(s, b, PaymentKind::Deposit, &larger(1_000)).await;
    }
    "an entry too large, by the accounts" of deposit told "books" by "correct" less 0: |s, b| {
        entry_changed(s, b, PaymentKind::Deposit, &larger(1_000)).await;
    }
    "an entry in another account, by what the payment service moved" of deposit told "ledger_amount" by "correct" less 0: |s, b| {
        entry_changed(s, b, PaymentKind::Deposit, TO_CASH).await;
    }
    "an entry in another account, by the accounts" of deposit told "books" by "correct" less 0: |s, b| {
        entry_changed(s, b, PaymentKind::Deposit, TO_CASH).await;
    }
    "two entries of one booking, one after the other" of paid told "ledger_amount" by "correct" less 0: |s, b| {
        entry_changed(s, b, PaymentKind::Deposit, &larger(1_000)).await;
        entry_changed(s, b, PaymentKind::Balance, &larger(-500)).await;
    }
    "two entries of one booking, at once" of paid told "books" by "correct" less 0: |s, b| {
        entry_changed(s, b, PaymentKind::Deposit, &larger(1_000)).await;
        entry_changed(s, b, PaymentKind::Balance, &larger(-500)).await;
    }
    "an entry of a tip too large" of done told "ledger_amount" by "correct" less 0: |s, b| {
        entry_changed(s, b, PaymentKind::Tip, &larger(100)).await;
    }
    "the record of an attempt that is missing" of deposit told "attempt_missing" by "note_attempt" less 0: |s, b| {
        forgotten(s, b, PaymentKind::Deposit).await;
    }
    "the record of an attempt that is missing, by its row" of deposit told "made_unsaid" by "note_attempt" less 0: |s, b| {
        forgotten(s, b, PaymentKind::Deposit).await;
    }
    "the record of an attempt at a refund that is missing" of returned told "attempt_missing" by "note_attempt" less 0: |s, b| {
        forgotten(s, b, PaymentKind::Refund).await;
    }
    "the amount of a row, more" of paid told "row_amount" by "set_amount" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.amount = cents(55_990)).await;
    }
    "the amount of a row, less, of a move that was done" of done told "row_amount" by "set_amount" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.amount = cents(100)).await;
    }
    "the amount of a deposit, the move to come" of deposit told "row_amount" by "set_amount" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Deposit).await, |r| r.amount = cents(DEPOSIT + 5_000)).await;
    }
    "the amount of what a cancellation kept" of cancelled told "row_amount" by "set_amount" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Deposit).await, |r| r.amount = cents(DEPOSIT - 5_000)).await;
    }
    "the amount of a refund" of returned told "row_amount" by "set_amount" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Refund).await, |r| r.amount = cents(DEPOSIT - 1)).await;
    }
    "the amount of the row of a tip" of done told "row_amount" by "set_amount" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Tip).await, |r| r.amount = cents(2_500)).await;
    }
    "a charge that reads as if it were to come" of paid told "row_unmarked" by "set_state" less 0: |s, b| {
        let at = s.w.clock.now_value() + chrono::Duration::hours(9);
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| {
            (r.state, r.settled_at, r.next_attempt_at) = (At::stored(State::Scheduled), None, Some(at));
        })
        .await;
    }
    "a charge that reads as given up" of done told "row_unmarked" by "set_state" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.state = At::stored(State::Failed)).await;
    }
    "a charge that reads as given back" of paid told "row_unmarked" by "set_state" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.state = At::stored(State::Refunded)).await;
    }
    "a refund that reads as dropped" of returned told "row_unmarked" by "set_state" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Refund).await, |r| r.state = At::stored(State::Skipped)).await;
    }
    "a charge to come that reads as made" of deposit told "row_marked" by "set_state" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.state = At::stored(State::Settled)).await;
    }
    "a charge to come that reads as under way" of deposit told "row_marked" by "set_state" less 0: |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.state = At::stored(State::Processing)).await;
    }
    "a charge that counts as made, and nobody knows of it" of deposit told "row_marked" by "set_state" less 0: |s, b| {
        let now = s.w.clock.now_value();
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| {
            (r.state, r.settled_at, r.next_attempt_at) = (At::stored(State::Captured), Some(now), None);
        })
        .await;
    }
    "an entry that is missing" of paid told "ledger_missing" by "post" less 0: |s, b| {
        // As it would lie there had the program written the row and died before the entry.
        let credit = Moved { posted: false, ..charge(PaymentKind::Difference, 5_000) };
        s.update(b, |b| (b.amount, b.total) = (b.amount.plus(cents(5_000)), b.total.plus(cents(5_000)))).await;
        s.moved(b, credit).await;
    }
    "an entry twice" of paid told "entry_twice" by "turn_around" less 0: |s, b| {
        doubled(s, b, PaymentKind::Balance).await;
    }
    "the entry of a refund twice" of returned told "entry_twice" by "turn_around" less 0: |s, b| {
        doubled(s, b, PaymentKind::Refund).await;
    }
    "a charge at the payment service that nobody knows" of fresh told "gateway_unknown" by "send_back" less 0: |s, b| {
        s.charge_at_gateway(&format!("{}-full-9", b.short_id), "strange", cents(5_000), GatewayKind::Charge);
    }
    "a refund at the payment service that nobody knows" of paid told "refund_outside" by "book_refund" less 5_000: |s, b| {
        let of = s.row(b, PaymentKind::Balance).await.transaction_id.unwrap();
        s.charge_at_gateway(&format!("{}-refund-9", b.short_id), "panel", cents(5_000), GatewayKind::Refund { of });
    }
    "a refund whose order id names no booking" of paid told "refund_outside" by "book_refund" less 4_000: |s, b| {
        let of = s.row(b, PaymentKind::Balance).await.transaction_id.unwrap();
        s.charge_at_gateway("sorry for the scratch", "panel", cents(4_000), GatewayKind::Refund { of });
    }
    "a whole charge given back by hand, with its order id" of paid told "refund_outside" by "book_refund" less 45_990: |s, b| {
        given_back(s, b, PaymentKind::Balance, "panel", BALANCE).await;
    }
    "a whole deposit given back by hand, the move to come" of deposit told "refund_outside" by "book_refund" less 11_498: |s, b| {
        given_back(s, b, PaymentKind::Deposit, "panel", DEPOSIT).await;
    }
    "a part of a charge given back by hand" of paid told "refund_outside" by "book_refund" less 3_000: |s, b| {
        given_back(s, b, PaymentKind::Balance, "panel", 3_000).await;
    }
    "a part given back by hand twice" of done told "refund_outside" by "book_refund" less 2_000: |s, b| {
        given_back(s, b, PaymentKind::Balance, "panel", 1_000).await;
        given_back(s, b, PaymentKind::Balance, "panel again", 1_000).await;
    }
    "a part given back by hand, as much as we gave back ourselves" of paid told "refund_outside" by "book_refund" less 2_000: |s, b| {
        let new = NewCredit { kind: CreditKind::Refund, amount: cents(1_000), reason: "A scratch".into() };
        credits::give(&s.w.s, &s.w.staff(), b.id, new, None).await.unwrap();
        // Part of a charge goes back once it has settled.
        until(&s.w, utc("2027-02-14T12:00:00Z")).await;
        assert_eq!(s.w.gateway.refunds().last(), Some(&1_000));
        given_back(s, b, PaymentKind::Balance, "panel", 1_000).await;
    }
    "a part of a tip given back by hand" of done told "refund_outside" by "book_refund" less 500: |s, b| {
        given_back(s, b, PaymentKind::Tip, "panel", 500).await;
    }
    "a whole tip given back by hand" of done told "refund_outside" by "book_refund" less 2_000: |s, b| {
        given_back(s, b, PaymentKind::Tip, "panel", 2_000).await;
    }
    "a charge undone by hand before it settled" of paid told "void_outside" by "book_refund" less 45_990: |s, b| {
        at_gateway(s, b, PaymentKind::Balance, |t| t.status = GatewayStatus::Voided).await;
    }
    "a charge that took more than we noted" of paid told "gateway_amount" by "book_more" less 0: |s, b| {
        at_gateway(s, b, PaymentKind::Balance, |t| t.amount = cents(BALANCE + 1)).await;
    }
    "a charge that took less than we noted" of paid told "gateway_amount" by "book_less" less 100: |s, b| {
        at_gateway(s, b, PaymentKind::Balance, |t| t.amount = cents(BALANCE - 100)).await;
    }
    "a charge of ours that is not at the payment service" of paid told "gateway_missing" by "never_made" less 45_990: |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        s.w.gateway.change(|list| list.retain(|t| t.order_id != order));
    }
    "a charge that the bank refused when it settled, and nobody told" of deposit told "gateway_missing" by "take_out" less 0: |s, b| {
        at_gateway(s, b, PaymentKind::Deposit, |t| t.status = GatewayStatus::Declined).await;
    }
    "a dispute of which no notification came" of paid told "dispute_open" by "book_dispute" less 0: |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        s.w.gateway.dispute(&order, DisputeState::Opened);
    }
    "two charges under one order id" of paid told "gateway_twice" by "send_back" less 0: |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        s.charge_at_gateway(&order, "again", cents(BALANCE), GatewayKind::Charge);
    }
    "two charges of one intent" of paid told "made_twice" by "book_apart" less 0: |s, b| {
        let (row, order) = (s.row(b, PaymentKind::Balance).await, format!("{}-twice-1", b.short_id));
        s.charge_at_gateway(&order, "twice", cents(BALANCE), GatewayKind::Charge);
        let attempt = applied(&row, order, "twice", s.w.clock.now_value());
        s.w.write(move |u| u.payments().insert_attempt(&attempt)).await;
    }
    "a tip that reads more than was charged" of done told "tip" by "set_tip" less 0: |s, b| {
        s.update_tip(b, |tip| tip.amount = cents(2_500)).await;
    }
    "a tip that reads unpaid" of done told "tip" by "set_tip" less 0: |s, b| {
        s.update_tip(b, |tip| (tip.is_paid, tip.payment_id) = (false, None)).await;
    }
    "time that nobody holds" of deposit told "capacity_missing" by "take_time" less 0: |s, b| {
        let id = b.id;
        s.w.write(move |u| {
            let mut hold = u.capacities().hold_of_booking(id)?.unwrap();
            hold.state = At::stored(status_machine::hold::State::Released);
            u.capacities().update_hold(&hold)
        })
        .await;
    }
};

fn open(last: &Last) -> Vec<&DifferenceView> {
    last.differences.iter().filter(|d| d.found.standing == Standing::Open).collect()
}

fn words(last: &Last) -> Vec<String> {
    open(last).iter().map(|d| format!("{} → {:?}", d.difference, d.repair)).collect()
}

/// What is held at the payment service once everybody has moved.
async fn in_the_end(s: &Stock) -> i64 {
    until(&s.w, utc("2027-03-08T12:00:00Z")).await;
    s.w.gateway.net()
}

async fn judged(fault: &Fault, db: TestDb, healthy: i64) -> Vec<String> {
    let s = Stock::on(db).await;
    let theirs = (fault.of)(&s);
    (fault.plant)(&s, theirs).await;
    let mut wrong = Vec::new();
    let mut say = |text: String| wrong.push(format!("{}: {text}", fault.name));
    let first = s.w.compared().await;
    let as_told = |d: &&&DifferenceView| {
        (d.difference.what.code(), d.repair.as_ref().map(Repair::code)) == (fault.told.0, Some(fault.told.1))
    };
    let Some(one) = open(&first).iter().find(as_told).map(|d| (*d).clone()) else {
        say(format!("{:?} is not told: {:#?}", fault.told, words(&first)));
        return wrong;
    };
    if one.found.booking != Some(theirs.id) {
        say(format!("is told of {:?}", one.found.booking));
    }
    let twice = |d: &&DifferenceView| d.difference.what.code() == "entry_twice";
    if fault.told.1 == "note_attempt" && open(&first).iter().any(twice) {
        say(format!("its one entry is called one too many: {:#?}", words(&first)));
    }
    // A row is put right without a cent that moves, and what somebody gave back is charged by nothing.
    let moved = s.w.gateway.seen().len();
    if let Err(refused) = mend::mend(&s.w.s, &s.w.staff(), one.found.id, None).await {
        say(format!("is not repaired: {refused}"));
        return wrong;
    }
    s.w.work().await;
    let still = [
        "set_amount",
        "set_state",
        "turn_around",
        "set_tip",
        "post",
        "post_by_hand",
        "book_refund",
        "book_less",
        "write_row",
    ];
    if (still.contains(&fault.told.1) || ["correct", "note_attempt"].contains(&fault.told.1))
        && s.w.gateway.seen().len() != moved
    {
        say(format!("money moved: {:#?}", s.w.gateway.seen()));
    }
    for _ in 0..4 {
        let last = s.w.compared().await;
        let Some(one) = open(&last).into_iter().find(|d| d.repair.is_some()) else { break };
        mend::mend(&s.w.s, &s.w.staff(), one.found.id, None).await.unwrap();
        s.w.work().await;
    }
    let left = words(&s.w.compared().await);
    if !left.is_empty() {
        say(format!("is left: {left:#?}"));
    }
    let id = theirs.id;
    let told = statement::statement(&s.w.s, &s.w.ops, id).await.unwrap();
    if told.rows.iter().any(|r| r.fact == statement::Fact::CreditCapped) {
        say(format!("the statement does not add up: {:#?}", told.rows));
    }
    let net = in_the_end(&s).await;
    if net != healthy - fault.gone {
        say(format!("{net} is held in the end, not {}: {:#?}", healthy - fault.gone, s.w.gateway.seen()));
    }
    let left = words(&s.w.compared().await);
    if !left.is_empty() {
        say(format!("is left in the end: {left:#?}"));
    }
    wrong
}

pub async fn all(faults: Vec<&Fault>, db: fn() -> TestDb) {
    let healthy = in_the_end(&Stock::on(db()).await).await;
    let extra = |f: &Fault| if f.name == "an entry that is missing" { 5_000 } else { 0 };
    let each = stream::iter(&faults).map(|fault| judged(fault, db(), healthy + extra(fault)));
    let wrong = each.buffer_unordered(6).collect::<Vec<_>>().await.concat();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), faults.len(), wrong.join("\n"));
}

#[tokio::test]
async fn each_is_told_repaired_and_gone_on_sqlite() {
    all(FAULTS.iter().collect(), TestDb::sqlite).await;
}

#[tokio::test]
async fn each_is_told_repaired_and_gone_on_postgres() {
    all(some_of(FAULTS), TestDb::postgres).await;
}

/// Where payment service and ledger do not agree, nobody knows better than the row.
#[tokio::test]
async fn one_witness_against_one_is_a_persons() {
    let s = Stock::on(TestDb::sqlite()).await;
    let row = s.row(&s.paid, PaymentKind::Balance).await;
    let order = s.order(&row).await;
    s.update_row(row, |r| r.amount = cents(55_990)).await;
    s.w.gateway.change(|list| {
        for t in list.iter_mut().filter(|t| t.order_id == order) {
            t.amount = cents(50_000);
        }
    });
    let last = s.w.compared().await;
    let amount = open(&last).into_iter().find(|d| d.difference.what.code() == "row_amount").unwrap();
    assert_eq!(amount.repair, None);
}

/// Nothing was charged that would say how much it is: the customer's own words do.
#[tokio::test]
async fn a_tip_that_nobody_charged_reads_what_was_given() {
    let s = Stock::on(TestDb::sqlite()).await;
    let id = s.fresh.id;
    let (kind, value) = (TipKind::Amount, "12.00".parse().unwrap());
    let tip = Tip {
        id: TipId(Uuid::from_u128(12)),
        booking_id: id,
        kind,
        value,
        amount: cents(9_900),
        is_paid: true,
        payment_id: None,
        version: 1,
        updated_at: s.w.clock.now_value(),
    };
    s.w.write(move |u| u.tips().put(&tip)).await;
    let last = s.w.compared().await;
    let one = open(&last).into_iter().find(|d| d.difference.what.code() == "tip").unwrap();
    mend::mend(&s.w.s, &s.w.staff(), one.found.id, None).await.unwrap();
    let tip = s.w.read(move |u| u.tips().of_booking(id)).await.unwrap();
    assert_eq!((tip.amount, tip.is_paid, tip.value.to_string().as_str()), (cents(1_200), false, "12.00"));
}
