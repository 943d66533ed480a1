//! Every fault that moving money ever had (A2 to A7 in decision 7), planted as it would lie in the database or
//! at the gateway: reconciliation names whose it is and what is wrong, and nobody else.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use futures_util::{StreamExt, future::LocalBoxFuture, stream};
use kernel::{BookingId, EntryId, Money, PaymentId, Province};
use service::{
    Actor,
    billing::{ledger, reconcile},
    bookings::{TipInput, cancel, status},
    ports::{
        bookings::Booking,
        disputes::{Dispute, DisputeId, DisputeState},
        failed::WriteOff,
        history::StatusChange,
        ledger::{Account, Entry, EntryLine},
        payments::{Attempt, AttemptState, GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
        strays::Stray,
        tips::Tip,
    },
};
use status_machine::{At, booking::Status, payment::State};
use support::{
    World, draft,
    thursday::{BALANCE, DEPOSIT, TOTAL},
};

/// Healthy bookings of 574.88 each, one in every state.
pub struct Stock {
    pub w: World,
    /// Booked a moment ago, nothing is paid.
    pub fresh: Booking,
    /// Its deposit is paid, its move two weeks away.
    pub deposit: Booking,
    /// All is paid, its move is the day after tomorrow.
    pub paid: Booking,
    /// Done, with a tip of 20.00.
    pub done: Booking,
    /// Cancelled by the customer: 114.98 kept.
    pub cancelled: Booking,
    /// Cancelled by the company: everything went back.
    pub returned: Booking,
}

pub fn utc(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn cents(n: i64) -> Money {
    Money::from_cents(n)
}

impl Stock {
    async fn new() -> Stock {
        Stock::on(store::testing::TestDb::sqlite()).await
    }

    pub async fn on(db: store::testing::TestDb) -> Stock {
        let w = World::on(db, utc("2027-02-08T14:00:00Z")).await;
        w.flat_rate(50_000).await;
        let tip = TipInput { kind: "amount".into(), value: "20".into() };
        let done = book(&w, 12, Some(tip)).await;
        let (paid, deposit, cancelled, returned) =
            (book(&w, 15, None).await, book(&w, 26, None).await, book(&w, 25, None).await, book(&w, 24, None).await);
        until(&w, utc("2027-02-10T15:00:00Z")).await;
        cancel::cancel(&w.s, &w.customer, cancelled).await.unwrap();
        set(&w, returned, Status::Cancelled).await;
        until(&w, utc("2027-02-12T19:00:00Z")).await;
        set(&w, done, Status::Completed).await;
        until(&w, utc("2027-02-13T20:00:00Z")).await;
        let fresh = book(&w, 27, None).await;
        w.work().await;
        let [fresh, deposit, paid, done, cancelled, returned] = [
            w.booking(fresh).await,
            w.booking(deposit).await,
            w.booking(paid).await,
            w.booking(done).await,
            w.booking(cancelled).await,
            w.booking(returned).await,
        ];
        Stock { w, fresh, deposit, paid, done, cancelled, returned }
    }

    fn all(&self) -> [&Booking; 6] {
        [&self.fresh, &self.deposit, &self.paid, &self.done, &self.cancelled, &self.returned]
    }

    async fn told(&self) -> Vec<String> {
        let report = reconcile::run(&self.w.s, utc("2027-02-01T00:00:00Z"), utc("2027-05-01T00:00:00Z")).await.unwrap();
        report.differences
    }

    async fn rows(&self, b: &Booking) -> Vec<Payment> {
        let id = b.id;
        self.w.read(move |u| u.payments().of_booking(id)).await
    }

    pub async fn row(&self, b: &Booking, kind: PaymentKind) -> Payment {
        self.rows(b).await.into_iter().rfind(|r| r.kind == kind).unwrap()
    }

    /// The order id under which a row's money moved.
    pub async fn order(&self, row: &Payment) -> String {
        let id = row.id;
        let attempts = self.w.read(move |u| u.payments().attempts_of(id)).await;
        attempts.into_iter().rfind(|a| a.state == AttemptState::Applied).unwrap().order_id
    }

    pub async fn update(&self, b: &Booking, how: impl FnOnce(&mut Booking)) {
        let mut changed = self.w.booking(b.id).await;
        how(&mut changed);
        self.w.write(move |u| u.bookings().update(&changed, changed.version)).await;
    }

    pub async fn update_row(&self, mut row: Payment, how: impl FnOnce(&mut Payment)) {
        how(&mut row);
        self.w.write(move |u| u.payments().update(&row)).await;
    }

    pub async fn update_tip(&self, b: &Booking, how: impl FnOnce(&mut Tip) + Send + 'static) {
        let id = b.id;
        self.w
            .write(move |u| {
                let mut tip = u.tips().of_booking(id)?.unwrap();
                how(&mut tip);
                u.tips().put(&tip)
            })
            .await;
    }

    pub async fn status(&self, b: &Booking, to: Status) {
        let (id, at) = (b.id, self.w.clock.now_value());
        let row = StatusChange {
            from: Some(b.status),
            to,
            actor: None,
            role: Some(status_machine::Role::Ops),
            at,
            reason: None,
        };
        self.update(b, |b| b.status = to).await;
        self.w.write(move |u| u.booking_history().append_status(id, &row)).await;
    }

    /// Money that moved, in all books or in some of them.
    pub async fn moved(&self, b: &Booking, m: Moved) -> String {
        let now = self.w.clock.now_value();
        let order = format!("{}-{}-{}", b.short_id, m.kind.code(), m.name);
        let transaction = format!("planted_{order}");
        let kind = match &m.of {
            Some(of) => GatewayKind::Refund { of: of.transaction_id.clone().unwrap() },
            None => GatewayKind::Charge,
        };
        let row = Payment {
            id: PaymentId(self.w.s.entropy.uuid(now)),
            booking_id: b.id,
            kind: m.kind,
            state: At::stored(State::Captured),
            amount: m.amount,
            due_at: now,
            attempts: 1,
            next_attempt_at: None,
            refund_of: m.of.as_ref().map(|of| of.id),
            transaction_id: Some(transaction.clone()),
            card_last4: None,
            last_message: None,
            settled_at: Some(now),
            version: 1,
            created_at: now,
            method: service::ports::payments::PaidWith::Card,
            reference: None,
        };
        let attempt = Attempt {
            order_id: order.clone(),
            payment_id: row.id,
            number: 1,
            amount: m.amount,
            method_id: "pm_planted".into(),
            state: At::stored(AttemptState::Applied),
            transaction_id: Some(transaction.clone()),
            code: None,
            created_at: now,
            sent_at: now,
            resolved_at: Some(now),
        };
        if m.at_gateway {
            self.charge_at_gateway(&order, &transaction, m.amount, kind);
        }
        let (b, of, copy) = (b.clone(), order.clone(), row.clone());
        self.w
            .s
            .write(Actor::system(), move |tx| {
                tx.unit.payments().insert(&row)?;
                if m.attempted {
                    tx.unit.payments().insert_attempt(&attempt)?;
                }
                match (m.posted, m.kind) {
                    (false, _) => Ok(()),
                    (true, PaymentKind::Refund) => ledger::refund(tx, &b, &copy, &of),
                    (true, _) => ledger::capture(tx, &b, &copy, &of),
                }
            })
            .await
            .unwrap();
        order
    }

    pub fn charge_at_gateway(&self, order: &str, transaction: &str, amount: Money, kind: GatewayKind) {
        let t = GatewayTransaction {
            id: transaction.to_owned(),
            order_id: order.to_owned(),
            amount,
            kind,
            status: GatewayStatus::Captured,
            created_at: self.w.clock.now_value(),
            declined_hard: None,
            code: None,
        };
        self.w.gateway.change(|list| list.push(t));
    }

    /// An entry nobody should have made.
    pub async fn post(&self, b: &Booking, kind: &'static str, lines: &[(Account, i64)]) {
        let lines = lines.iter().map(|(account, n)| EntryLine { account: *account, amount: cents(*n) }).collect();
        let at = self.w.clock.now_value();
        let id = EntryId(self.w.s.entropy.uuid(at));
        let entry = Entry::new(id, b.id, None, at, kind, format!("planted:{kind}"), lines).unwrap();
        self.w.write(move |u| u.ledger().append(&entry)).await;
    }
}

/// What [`Stock::moved`] plants.
pub struct Moved {
    pub kind: PaymentKind,
    pub amount: Money,
    pub name: &'static str,
    pub of: Option<Payment>,
    pub at_gateway: bool,
    pub attempted: bool,
    pub posted: bool,
}

pub fn charge(kind: PaymentKind, amount: i64) -> Moved {
    let amount = cents(amount);
    Moved { kind, amount, name: "planted", of: None, at_gateway: true, attempted: true, posted: true }
}

/// Every fourth, which is what is planted on the slower engine: each is planted on SQLite, the statements that read what
/// is planted pass the conformance suite on both, and all of them took a tenth of the time of all tests. All of them with
/// `PORTAGE_TEST_ALL`.
pub fn some_of<T>(all: &[T]) -> Vec<&T> {
    let step = if std::env::var_os("PORTAGE_TEST_ALL").is_some() { 1 } else { 4 };
    all.iter().step_by(step).collect()
}

async fn book(w: &World, day: u32, tip: Option<TipInput>) -> BookingId {
    let (date, nine) = (NaiveDate::from_ymd_opt(2027, 2, day).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    w.book(draft(Province::QC, date, nine), tip).await.unwrap().booking.id
}

pub async fn set(w: &World, id: BookingId, to: Status) {
    let said = status::StatusInput { reason: Some("planted".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.unwrap();
}

/// Does what is due until then.
pub async fn until(w: &World, end: DateTime<Utc>) {
    w.work().await;
    while let Some(at) = w.next_job().await.filter(|at| *at <= end) {
        w.clock.set(at.max(w.clock.now_value()));
        w.work().await;
    }
    w.clock.set(end);
    w.work().await;
}

/// A fault: its name, whose it is, a part of the sentence that must name it, and how it comes to be.
struct Fault {
    name: &'static str,
    of: fn(&Stock) -> &Booking,
    says: &'static str,
    plant: for<'a> fn(&'a Stock, &'a Booking) -> LocalBoxFuture<'a, ()>,
}

macro_rules! faults {
    ($($name:literal of $of:ident says $says:literal: |$s:ident, $b:ident| $plant:block)+) => {
        &[$(Fault {
            name: $name,
            of: |s| &s.$of,
            says: $says,
            plant: |$s, $b| Box::pin(async move { $plant }),
        }),+]
    };
}

const FAULTS: &[Fault] = faults! {
    "A2: one order id, two captures" of paid says "the gateway made 2 transactions": |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        s.charge_at_gateway(&order, "again", cents(BALANCE), GatewayKind::Charge);
    }
    "A2: a capture that no attempt of ours explains" of fresh says "moved 574.88 that we do not know": |s, b| {
        s.charge_at_gateway(&format!("{}-full-9", b.short_id), "strange", cents(TOTAL), GatewayKind::Charge);
    }
    "A2: a capture for a freed checkout that counts as returned" of fresh
        says "belongs to no booking and did not go back": |s, b| {
        let order_id = format!("{}-full-8", b.short_id);
        s.charge_at_gateway(&order_id, "stray", cents(TOTAL), GatewayKind::Charge);
        let now = s.w.clock.now_value();
        let stray = Stray {
            order_id,
            checkout_id: BookingId(s.w.s.entropy.uuid(now)),
            transaction_id: "stray".into(),
            amount: cents(TOTAL),
            found_at: now,
            returned_at: None,
            return_id: None,
        };
        s.w.write(move |u| {
            u.strays().add(&stray)?;
            u.strays().returned(&stray.order_id, "never_made", now)
        })
        .await;
    }
    "A2: what counts as lost was applied" of paid says "the gateway moved 459.90, we wrote lost": |s, b| {
        let mut m = charge(PaymentKind::Difference, BALANCE);
        (m.attempted, m.posted, m.at_gateway) = (false, false, false);
        s.moved(b, m).await;
        let row = s.row(b, PaymentKind::Difference).await;
        let now = s.w.clock.now_value();
        let order_id = format!("{}-lost-1", b.short_id);
        s.charge_at_gateway(&order_id, "lost", cents(BALANCE), GatewayKind::Charge);
        let attempt = Attempt {
            order_id,
            payment_id: row.id,
            number: 1,
            amount: cents(BALANCE),
            method_id: "pm".into(),
            state: At::stored(AttemptState::Lost),
            transaction_id: None,
            code: None,
            created_at: now,
            sent_at: now,
            resolved_at: Some(now),
        };
        s.w.write(move |u| u.payments().insert_attempt(&attempt)).await;
        s.update_row(row, |r| (r.state, r.settled_at) = (At::stored(State::Skipped), None)).await;
    }
    "A3: charged twice, by a second order id" of paid says "holds 1034.78 and asks for 0.00, its history says 574.88": |s, b| {
        s.moved(b, charge(PaymentKind::Balance, BALANCE)).await;
    }
    "A3: one row, made by two order ids" of paid says "the balance of 459.90 was made 2 times": |s, b| {
        let row = s.row(b, PaymentKind::Balance).await;
        let now = s.w.clock.now_value();
        let order_id = format!("{}-twice-1", b.short_id);
        s.charge_at_gateway(&order_id, "twice", cents(BALANCE), GatewayKind::Charge);
        let attempt = Attempt {
            order_id,
            payment_id: row.id,
            number: 2,
            amount: cents(BALANCE),
            method_id: "pm".into(),
            state: At::stored(AttemptState::Applied),
            transaction_id: Some("twice".into()),
            code: None,
            created_at: now,
            sent_at: now,
            resolved_at: Some(now),
        };
        s.w.write(move |u| u.payments().insert_attempt(&attempt)).await;
    }
    "A3: a refund paid twice" of returned says "holds -114.98 and asks for 0.00, its history says 0.00": |s, b| {
        let of = Some(s.row(b, PaymentKind::Deposit).await);
        s.moved(b, Moved { of, ..charge(PaymentKind::Refund, DEPOSIT) }).await;
    }
    "A3: a refund applied twice under one order id" of returned says "somebody gave 114.98 of the deposit of 114.98 back": |s, b| {
        let deposit = s.row(b, PaymentKind::Deposit).await;
        let order = s.order(&s.row(b, PaymentKind::Refund).await).await;
        let kind = GatewayKind::Refund { of: deposit.transaction_id.unwrap() };
        s.charge_at_gateway(&order, "refunded_again", cents(DEPOSIT), kind);
    }
    "A3: sent once more while it was made" of paid says "is under way without being marked so": |s, b| {
        let row = s.row(b, PaymentKind::Balance).await;
        let now = s.w.clock.now_value();
        let attempt = Attempt {
            order_id: format!("{}-sent-1", b.short_id),
            payment_id: row.id,
            number: 2,
            amount: cents(BALANCE),
            method_id: "pm".into(),
            state: At::stored(AttemptState::Sent),
            transaction_id: None,
            code: None,
            created_at: now,
            sent_at: now,
            resolved_at: None,
        };
        s.w.write(move |u| u.payments().insert_attempt(&attempt)).await;
    }
    "A4: a tip charged twice" of done says "holds a tip of 40.00, 20.00 was given": |s, b| {
        s.moved(b, charge(PaymentKind::Tip, 2_000)).await;
    }
    "A4: a tip that nobody gave" of paid says "holds a tip of 20.00, 0.00 was given": |s, b| {
        s.moved(b, charge(PaymentKind::Tip, 2_000)).await;
    }
    "A4: a tip that counts as paid and was not" of done says "holds a tip of 20.00, 25.00 was given": |s, b| {
        s.update_tip(b, |tip| tip.amount = cents(2_500)).await;
    }
    "A5: all of it two weeks early" of deposit says "the balance of 459.90 was charged before its day": |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| {
            (r.state, r.next_attempt_at) = (At::stored(State::Skipped), None);
        })
        .await;
        s.moved(b, charge(PaymentKind::Balance, BALANCE)).await;
    }
    "A5: the cancellation's entry stands although the booking lives" of deposit
        says "the ledger says -100.00 in cancellation_revenue, its history 0.00": |s, b| {
        let lines =
            [(Account::Customer, DEPOSIT), (Account::CancellationRevenue, -10_000), (Account::Gst, -500), (Account::Qst, -998)];
        s.post(b, "cancellation", &lines).await;
    }
    "A5: revenue counts twice" of done says "the ledger says -1000.00 in revenue, its history -500.00": |s, b| {
        let lines =
            [(Account::Customer, TOTAL), (Account::Revenue, -50_000), (Account::Gst, -2_500), (Account::Qst, -4_988)];
        s.post(b, "completion", &lines).await;
    }
    "A5: kept more than the policy gives" of cancelled says "kept 574.88 of its cancellation, the policy gives 114.98": |s, b| {
        s.moved(b, charge(PaymentKind::CancellationFee, BALANCE)).await;
        s.update(b, |b| b.details.kept = Some(cents(TOTAL))).await;
        // 500.00 and its taxes instead of 100.00 and its.
        let lines = [
            (Account::Customer, BALANCE),
            (Account::CancellationRevenue, -40_000),
            (Account::Gst, -2_000),
            (Account::Qst, -3_990),
        ];
        s.post(b, "cancellation", &lines).await;
    }
    "A5: kept of a move that the company called off" of returned
        says "kept 114.98 of its cancellation, the policy gives 0.00": |s, b| {
        s.update(b, |b| b.details.kept = Some(cents(DEPOSIT))).await;
    }
    "A5: kept less than is held" of cancelled says "holds 114.98 and asks for 0.00, its history says 60.00": |s, b| {
        s.update(b, |b| b.details.kept = Some(cents(6_000))).await;
    }
    "A5: taken back, and its time is not" of cancelled says "takes no capacity": |s, b| {
        s.status(b, Status::Pending).await;
    }
    "A6: completed without an entry" of paid says "the ledger says 0.00 in revenue, its history -500.00": |s, b| {
        s.status(b, Status::Completed).await;
    }
    "A6: assigned with nobody assigned" of deposit says "is assigned and nobody is on its crew": |s, b| {
        s.status(b, Status::Assigned).await;
    }
    "A6: a fee for a change although nobody was assigned" of deposit
        says "a change fee of 100.00 although nobody was ever assigned": |s, b| {
        s.update(b, |b| b.details.change_fees = cents(10_000)).await;
    }
    "A7: a difference given up that nobody sees" of paid says "the difference of 50.00 was given up and nobody is told": |s, b| {
        s.update(b, |b| (b.amount, b.total) = (b.amount.plus(cents(5_000)), b.total.plus(cents(5_000)))).await;
        let mut m = charge(PaymentKind::Difference, 5_000);
        (m.attempted, m.posted, m.at_gateway) = (false, false, false);
        s.moved(b, m).await;
        let row = s.row(b, PaymentKind::Difference).await;
        s.update_row(row, |r| (r.state, r.settled_at, r.transaction_id) = (At::stored(State::Failed), None, None)).await;
    }
    "A7: tried without end" of paid says "was refused 31 times by one card, 4 are allowed": |s, b| {
        let mut m = charge(PaymentKind::Difference, 5_000);
        (m.attempted, m.posted, m.at_gateway) = (false, false, false);
        s.moved(b, m).await;
        let row = s.row(b, PaymentKind::Difference).await;
        let (short, at) = (b.short_id.to_string(), s.w.clock.now_value());
        let attempts = (1..=31).map(move |number| Attempt {
            order_id: format!("{short}-difference-{number}"),
            payment_id: row.id,
            number,
            amount: cents(5_000),
            method_id: "pm".into(),
            state: At::stored(AttemptState::Declined),
            transaction_id: None,
            code: Some("2001".into()),
            created_at: at,
            sent_at: at,
            resolved_at: Some(at),
        });
        s.w.write(move |u| attempts.into_iter().try_for_each(|a| u.payments().insert_attempt(&a))).await;
        let row = s.row(b, PaymentKind::Difference).await;
        s.update_row(row, |r| (r.state, r.settled_at, r.transaction_id) = (At::stored(State::Skipped), None, None)).await;
    }
    "A7: asked for more than is owed" of paid says "holds 574.88 and asks for 50.00, its history says 574.88": |s, b| {
        let mut m = charge(PaymentKind::Difference, 5_000);
        (m.attempted, m.posted, m.at_gateway) = (false, false, false);
        s.moved(b, m).await;
        let (row, at) = (s.row(b, PaymentKind::Difference).await, s.w.clock.now_value());
        s.update_row(row, |r| (r.state, r.settled_at, r.next_attempt_at) = (At::stored(State::Scheduled), None, Some(at))).await;
    }
    "a balance nobody charged after its instant" of deposit says "the balance of 459.90 has been due since": |s, b| {
        let at = s.w.clock.now_value() - Duration::hours(3);
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| (r.due_at, r.next_attempt_at) = (at, Some(at))).await;
    }
    "a balance put off beyond its instant" of deposit says "waits until 2027-03-30T00:00:00+00:00, its day was": |s, b| {
        let at = utc("2027-03-30T00:00:00Z");
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.next_attempt_at = Some(at)).await;
    }
    "a balance that waits for nothing" of deposit says "the balance of 459.90 waits for nothing": |s, b| {
        s.update_row(s.row(b, PaymentKind::Balance).await, |r| r.next_attempt_at = None).await;
    }
    "a balance dropped" of deposit says "holds 114.98 and asks for 0.00, its history says 574.88": |s, b| {
        let row = s.row(b, PaymentKind::Balance).await;
        s.update_row(row, |r| (r.state, r.next_attempt_at) = (At::stored(State::Skipped), None)).await;
    }
    "a whole charge given back by hand, with its order id" of paid says "somebody gave 459.90 of the balance of 459.90 back": |s, b| {
        let row = s.row(b, PaymentKind::Balance).await;
        let order = s.order(&row).await;
        let of = row.transaction_id.unwrap();
        s.charge_at_gateway(&order, "panel", cents(BALANCE), GatewayKind::Refund { of });
    }
    "a part of a charge given back by hand" of paid says "somebody gave 30.00 of the balance of 459.90 back": |s, b| {
        let row = s.row(b, PaymentKind::Balance).await;
        let order = s.order(&row).await;
        let of = row.transaction_id.unwrap();
        s.charge_at_gateway(&order, "panel", cents(3_000), GatewayKind::Refund { of });
    }
    "a charge undone by hand before it settled" of paid says "somebody undid the balance of 459.90": |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        s.w.gateway.change(|list| {
            for t in list.iter_mut().filter(|t| t.order_id == order) {
                t.status = GatewayStatus::Voided;
            }
        });
    }
    "captured by our word only" of paid says "we wrote 459.90, the gateway knows nothing of it": |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        s.w.gateway.change(|list| list.retain(|t| t.order_id != order));
    }
    "captured without an attempt" of fresh says "the full of 574.88 counts as made and no attempt says so": |s, b| {
        s.moved(b, Moved { attempted: false, at_gateway: false, ..charge(PaymentKind::Full, TOTAL) }).await;
    }
    "another amount than ours" of paid says "the gateway moved 459.91, we wrote 459.90": |s, b| {
        let order = s.order(&s.row(b, PaymentKind::Balance).await).await;
        s.w.gateway.change(|list| {
            for t in list.iter_mut().filter(|t| t.order_id == order) {
                t.amount = cents(BALANCE + 1);
            }
        });
    }
    "a capture that was never posted" of fresh says "the ledger has no entry": |s, b| {
        s.moved(b, Moved { posted: false, ..charge(PaymentKind::Deposit, DEPOSIT) }).await;
    }
    "cancelled, and its time is still taken" of deposit says "still takes capacity": |s, b| {
        s.status(b, Status::Cancelled).await;
    }
    "cancelled, and its crew is still taken" of cancelled says "is cancelled and still takes 1 mates": |s, b| {
        let (id, since) = (b.id, s.w.clock.now_value());
        let mate = service::ports::crews::CrewMate { mate: support::mate(1), name: "Mate1 Tester".into(), since };
        s.w.write(move |u| u.crews().put(id, &mate, &[since])).await;
    }
    "given up on record, and the books do not know" of done says "the ledger says 0.00 in write_off, its history 57.48": |s, b| {
        let payment = s.row(b, PaymentKind::Balance).await.id;
        let at = s.w.clock.now_value();
        let given_up = WriteOff { payment, amount: cents(5_748), reason: "planted".into(), at, by: None };
        s.update(b, |b| b.details.write_offs.push(given_up)).await;
    }
    "given up in the books, and nobody did" of done says "the ledger says 57.48 in write_off, its history 0.00": |s, b| {
        s.post(b, "write_off", &[(Account::WriteOff, 5_748), (Account::Customer, -5_748)]).await;
    }
    "disputed, and no dispute says so" of paid says "counts as disputed and no dispute says so": |s, b| {
        let row = s.row(b, PaymentKind::Balance).await;
        s.update_row(row, |r| r.state = At::stored(State::ChargedBack)).await;
    }
    "a dispute in the books that nobody opened" of paid says "the ledger says 459.90 in disputes, its history 0.00": |s, b| {
        s.post(b, "dispute_opened", &[(Account::Disputes, BALANCE), (Account::Gateway, -BALANCE)]).await;
    }
    "a dispute was lost, and nothing went back for it" of paid says "a dispute of 459.90 is lost, 0.00 went back for it": |s, b| {
        let row = s.row(b, PaymentKind::Balance).await;
        let dispute = Dispute {
            id: DisputeId(s.w.s.entropy.uuid(s.w.clock.now_value())),
            booking_id: b.id,
            payment_id: row.id,
            gateway_id: "planted".into(),
            state: DisputeState::Lost,
            amount: cents(BALANCE),
            fee: Money::ZERO,
            reason: "fraud".into(),
            case_number: None,
            reply_by: None,
            opened_at: s.w.clock.now_value(),
            decided_at: Some(s.w.clock.now_value()),
            evidence: Vec::new(),
            version: 1,
        };
        s.w.write(move |u| u.disputes().insert(&dispute)).await;
        s.update_row(row, |r| r.state = At::stored(State::ChargedBack)).await;
    }
};

/// What reconciliation says wrongly, or does not say.
async fn judged(fault: &Fault) -> Vec<String> {
    let mut wrong = Vec::new();
    let stock = Stock::new().await;
    assert_eq!(stock.told().await, Vec::<String>::new(), "{}: before", fault.name);
    let theirs = (fault.of)(&stock);
    (fault.plant)(&stock, theirs).await;
    let told = stock.told().await;
    let short = theirs.short_id.as_str();
    if !told.iter().any(|d| d.starts_with(short) && d.contains(fault.says)) {
        wrong.push(format!("{}: {short} must say {:?}: {told:#?}", fault.name, fault.says));
    }
    for other in stock.all().into_iter().filter(|b| b.id != theirs.id) {
        if let Some(d) = told.iter().find(|d| d.contains(other.short_id.as_str())) {
            wrong.push(format!("{}: names {}: {d}", fault.name, other.short_id));
        }
    }
    // Nothing is said that has no owner either.
    if let Some(d) = told.iter().find(|d| !d.contains(short)) {
        wrong.push(format!("{}: says {d}", fault.name));
    }
    wrong
}

#[tokio::test]
async fn each_is_named_and_nobody_else() {
    // Each waits a second for what is under way to come to rest.
    let all = stream::iter(FAULTS).map(judged).buffer_unordered(8).collect::<Vec<_>>().await;
    let wrong = all.concat();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), FAULTS.len(), wrong.join("\n"));
}
