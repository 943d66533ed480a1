//! The tables of states against the program: each step that the program has is taken, what a table lacks is
//! refused, and every table, step and effect that nobody uses yet is on a list with its reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::{
    collections::BTreeSet,
    fmt::Debug,
    fs,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, HoldId, MateCount, Money, Province, UserId};
use service::{
    Caller, Error, ErrorCode, Role, Staff,
    billing::settlement,
    bookings::{
        TipInput, cancel,
        edit::{StaffEdit, edit_as_staff},
        effects::waits_for,
        status,
    },
    holds::{self, HoldInput},
    idempotency::Replayable,
    mates,
    moves::place_of,
    partners, payments,
    ports::{
        disputes::DisputeState,
        messages::MessageState,
        payments::{AttemptState, GatewayKind, GatewayStatus, GatewayTransaction, PaymentKind},
        sms::{SmsError, SmsTrouble},
    },
    sms, tips,
};
use status_machine::{
    booking::{self, Status},
    hold, payment,
    records::{CheckoutState, MateState, PartnerState},
};
use support::{
    Next, World, draft,
    texter::{FakeTexter, How},
};
use tracing::{Event, Metadata, Subscriber, field::Field, span};

type Step = (String, String, String);

/// Steps of rows as the program tells them: table, from, to.
static STEPS: Mutex<BTreeSet<Step>> = Mutex::new(BTreeSet::new());

/// Writes down what the program says of steps.
struct Listener;

#[derive(Default)]
struct Fields([String; 3]);

impl tracing::field::Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if let Some(i) = ["table", "from", "to"].iter().position(|name| *name == field.name()) {
            value.clone_into(&mut self.0[i]);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("service")
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let [table, from, to] = fields.0;
        if !table.is_empty() && from != to {
            STEPS.lock().unwrap_or_else(PoisonError::into_inner).insert((table, from, to));
        }
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

fn listen() {
    let _ = tracing::subscriber::set_global_default(Listener);
}

fn steps_of(table: &str) -> BTreeSet<(String, String)> {
    let steps = STEPS.lock().unwrap_or_else(PoisonError::into_inner);
    steps.iter().filter(|s| s.0 == table).map(|s| (s.1.clone(), s.2.clone())).collect()
}

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// The 48-hour instant of [`booked`].
fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, day).unwrap()
}

fn nine() -> NaiveTime {
    NaiveTime::from_hms_opt(9, 0, 0).unwrap()
}

async fn world() -> World {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    w
}

/// 574.88 for Thursday week: 114.98 after a day, 459.90 two days before.
async fn booked(w: &World) -> BookingId {
    w.book(draft(Province::QC, day(18), nine()), None).await.unwrap().booking.id
}

async fn at(w: &World, instant: DateTime<Utc>) {
    w.clock.set(instant);
    w.work().await;
}

/// The deposit is charged, or what the gateway makes of it.
async fn deposit_day(w: &World) {
    at(w, monday() + Duration::hours(25)).await;
}

fn dollars(value: &str) -> TipInput {
    TipInput { kind: "amount".into(), value: value.into() }
}

fn said() -> status::StatusInput {
    status::StatusInput { reason: Some("by the staff".into()), ..status::StatusInput::default() }
}

async fn cancelled(w: &World, id: BookingId) {
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said()).await.unwrap();
    w.work().await;
}

async fn new_card(w: &World) {
    payments::add_card(&w.s, &w.customer, "fake-valid-nonce".into(), None, None).await.unwrap();
    w.work().await;
}

async fn price(w: &World, id: BookingId, cents: i64) {
    let input = StaffEdit { amount: Some(Money::from_cents(cents)), waive_fee: true, ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, input, None).await.unwrap();
    w.work().await;
}

/// The gateway's list says that its newest charge was refused by the bank.
async fn refused_at_settlement(w: &World) {
    newest_charge_is(w, GatewayStatus::Declined).await;
}

async fn newest_charge_is(w: &World, status: GatewayStatus) {
    let mut order = String::new();
    w.gateway.change(|list| {
        let t = list.iter_mut().rfind(|t: &&mut GatewayTransaction| t.kind == GatewayKind::Charge).unwrap();
        t.status = status;
        order.clone_from(&t.order_id);
    });
    settlement::suspect(&w.s, &order).await.unwrap();
    w.work().await;
}

/// A charge whose answer never came, and which the gateway then lists as declined.
async fn declined_unheard(hard: bool) {
    let w = world().await;
    let id = booked(&w).await;
    w.gateway.may_be_late(60_000);
    w.gateway.queue(&[Next::LostRequest]);
    w.clock.set(monday() + Duration::hours(25));
    w.work_at_once().await;
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let row = rows.into_iter().find(|r| r.kind == PaymentKind::Deposit).unwrap();
    assert_eq!(row.state, payment::State::Unknown);
    let attempts = w.read(move |u| u.payments().attempts_of(row.id)).await;
    let now = w.clock.now_value();
    w.gateway.change(|list| {
        list.push(GatewayTransaction {
            id: "unheard".into(),
            order_id: attempts[0].order_id.clone(),
            amount: attempts[0].amount,
            kind: GatewayKind::Charge,
            status: GatewayStatus::Declined,
            created_at: now,
            declined_hard: Some(hard),
            code: None,
        });
    });
    service::billing::charge::before_action(&w.s, id).await.unwrap();
}

/// A refund whose answer never came, and which the gateway then lists as one that the bank did not take.
async fn refund_declined_unheard() {
    let w = world().await;
    let id = booked(&w).await;
    deposit_day(&w).await;
    w.clock.set(monday() + Duration::hours(40));
    w.gateway.may_be_late(60_000);
    w.gateway.queue_refund(&[Next::LostRequest]);
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said()).await.unwrap();
    w.work_at_once().await;
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let row = rows.iter().find(|r| r.kind == PaymentKind::Refund).unwrap().clone();
    assert_eq!(row.state, payment::State::Unknown);
    let charge = rows.iter().find(|r| r.transaction_id.is_some()).unwrap().transaction_id.clone().unwrap();
    let attempts = w.read(move |u| u.payments().attempts_of(row.id)).await;
    let now = w.clock.now_value();
    w.gateway.change(|list| {
        list.push(GatewayTransaction {
            id: "unheard".into(),
            order_id: attempts[0].order_id.clone(),
            amount: attempts[0].amount,
            kind: GatewayKind::Refund { of: charge },
            status: GatewayStatus::Declined,
            created_at: now,
            declined_hard: None,
            code: None,
        });
    });
    service::billing::charge::before_action(&w.s, id).await.unwrap();
    let state = w.read(move |u| u.payments().get(row.id)).await.unwrap().state;
    assert_eq!(state, payment::State::Failed);
}

/// A booking whose deposit and balance are charged and have settled.
async fn settled() -> (World, BookingId) {
    let w = world().await;
    let id = booked(&w).await;
    deposit_day(&w).await;
    at(&w, lock()).await;
    at(&w, lock() + Duration::hours(13)).await;
    (w, id)
}

/// The gateway's list says that a bank did not take the refund of this number.
async fn refund_not_taken(w: &World, nth: usize) {
    let order = w.gateway.seen().into_iter().filter(|s| s.what == "refund").nth(nth).unwrap().order_id;
    w.gateway.refuses_refund(&order);
    settlement::suspect(&w.s, &order).await.unwrap();
    w.work().await;
}

/// What the gateway takes back of what it had said: charges that had settled, of which nothing, a part or all went back,
/// and refunds.
async fn taken_back() {
    for returned in ["nothing", "a part", "all"] {
        let (w, id) = settled().await;
        match returned {
            "a part" => price(&w, id, 45_000).await,
            "all" => cancelled(&w, id).await,
            _ => newest_charge_is(&w, GatewayStatus::Settled).await,
        }
        refused_at_settlement(&w).await;
    }
    // Of two refunds of a charge first one and then the other; and the only one.
    let (w, id) = settled().await;
    price(&w, id, 45_000).await;
    cancelled(&w, id).await;
    refund_not_taken(&w, 0).await;
    refund_not_taken(&w, 1).await;
    let (w, id) = settled().await;
    cancelled(&w, id).await;
    refund_not_taken(&w, 0).await;
}

#[tokio::test]
async fn every_step_of_a_payment_is_taken() {
    listen();
    // Deposit, balance; part of it returned, then the rest.
    let w = world().await;
    let id = booked(&w).await;
    deposit_day(&w).await;
    at(&w, lock()).await;
    at(&w, lock() + Duration::hours(13)).await;
    w.gateway.queue_refund(&[Next::NotSettled]);
    price(&w, id, 45_000).await;
    at(&w, lock() + Duration::hours(15)).await;
    cancelled(&w, id).await;
    // What was planned is not needed any more.
    let w = world().await;
    let id = booked(&w).await;
    cancelled(&w, id).await;
    // A tip that is declined to the end: another card, or another tip.
    for card in [true, false] {
        let w = world().await;
        let id = w.book(draft(Province::QC, day(18), nine()), Some(dollars("20"))).await.unwrap().booking.id;
        deposit_day(&w).await;
        at(&w, lock()).await;
        let done = lock() + Duration::hours(52);
        w.clock.set(done);
        status::set(&w.s, &w.staff(), id, Status::Completed, said()).await.unwrap();
        w.gateway.queue(&[Next::Soft; 4]);
        for hours in [25, 49, 97, 193] {
            at(&w, done + Duration::hours(hours)).await;
        }
        if card {
            new_card(&w).await;
        } else {
            tips::put(&w.s, &w.customer, id.0, dollars("30"), None).await.unwrap();
        }
    }
    // Declined softly, or hard; then cancelled.
    for decline in [Next::Soft, Next::Hard] {
        let w = world().await;
        let id = booked(&w).await;
        w.gateway.queue(&[decline]);
        deposit_day(&w).await;
        cancelled(&w, id).await;
    }
    // Declined hard: another card, or the end without one.
    for card in [true, false] {
        let w = world().await;
        booked(&w).await;
        w.gateway.queue(&[Next::Hard]);
        deposit_day(&w).await;
        if card {
            new_card(&w).await;
        }
        at(&w, lock() - Duration::hours(1)).await;
    }
    // Answers that never came: made, and not made.
    for lost in [Next::LostAnswer, Next::LostRequest] {
        let w = world().await;
        booked(&w).await;
        w.gateway.queue(&[lost]);
        deposit_day(&w).await;
    }
    declined_unheard(false).await;
    declined_unheard(true).await;
    // A refund the gateway refuses.
    let w = world().await;
    let id = booked(&w).await;
    deposit_day(&w).await;
    w.gateway.queue_refund(&[Next::Hard]);
    cancelled(&w, id).await;
    // The bank refuses a captured charge.
    let w = world().await;
    booked(&w).await;
    deposit_day(&w).await;
    refused_at_settlement(&w).await;
    refund_declined_unheard().await;
    taken_back().await;
    // A cardholder disputes a charge of which nothing, a part or all went back, and the bank decides for us.
    for returned in ["nothing", "a part", "all"] {
        let w = world().await;
        let id = booked(&w).await;
        deposit_day(&w).await;
        at(&w, lock()).await;
        at(&w, lock() + Duration::hours(13)).await;
        match returned {
            "a part" => price(&w, id, 45_000).await,
            "all" => cancelled(&w, id).await,
            _ => {}
        }
        let order = w.gateway.seen().into_iter().rfind(|s| s.what == "charge").unwrap().order_id;
        for stands in [DisputeState::Opened, DisputeState::Won] {
            w.gateway.dispute(&order, stands);
            settlement::suspect(&w.s, &order).await.unwrap();
            w.work().await;
        }
    }

    let table: BTreeSet<(String, String)> =
        payment::TABLE.iter().map(|r| (r.from.code().to_owned(), r.to.code().to_owned())).collect();
    let taken = steps_of("payment");
    let outside: Vec<_> = taken.difference(&table).collect();
    assert!(outside.is_empty(), "taken although no table has them: {outside:?}");
    let left: Vec<_> = table.difference(&taken).collect();
    assert!(left.is_empty(), "steps of the table that were not taken: {left:?}");
}

/// Keeps a start for long enough that any booking of a household fits.
async fn held(w: &World, date: NaiveDate, hour: u32) -> HoldId {
    let pickup = support::location(Province::QC);
    let input = HoldInput {
        date,
        time: NaiveTime::from_hms_opt(hour, 0, 0).unwrap(),
        mate_count: MateCount::new(2).unwrap(),
        duration_minutes: 360,
        just_mates: false,
        tier: None,
        pickup: place_of(&pickup.address, pickup.coordinates),
        dropoff: None,
        replaces: None,
        job: None,
        holder: None,
    };
    match holds::create(&w.s, &w.customer, input, None).await.unwrap() {
        Replayable::Fresh(hold) => hold.id,
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

#[tokio::test]
async fn every_step_of_a_hold_is_taken() {
    listen();
    let w = world().await;
    let (first, second) = (held(&w, day(22), 9).await, held(&w, day(22), 9).await);
    holds::release(&w.s, first).await.unwrap();
    holds::extend(&w.s, second).await.unwrap();
    holds::release(&w.s, second).await.unwrap();
    let (first, second) = (held(&w, day(22), 9).await, held(&w, day(22), 9).await);
    holds::extend(&w.s, second).await.unwrap();
    w.clock.set(monday() + Duration::hours(1));
    let late = holds::extend(&w.s, first).await;
    assert!(matches!(late, Err(Error::Refused(ErrorCode::SlotGone, _))), "{late:?}");
    holds::expire(&w.s, first).await.unwrap();
    holds::expire(&w.s, second).await.unwrap();
    // A live one, an extended one, a card that is declined, and the end of a booking.
    let w = world().await;
    let w2 = world().await;
    for (w, extended) in [(&w, false), (&w2, true)] {
        let mut job = draft(Province::QC, day(10), nine());
        let kept = held(w, day(10), 9).await;
        if extended {
            holds::extend(&w.s, kept).await.unwrap();
        }
        job.hold_id = Some(kept);
        w.gateway.queue(&[Next::Soft]);
        assert!(w.book(job.clone(), None).await.is_err(), "it is charged at once, and the card is declined");
        let id = w.book(job, None).await.unwrap().booking.id;
        assert!(holds::release(&w.s, kept).await.is_err(), "it is the booking's");
        cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    }
    let arrows: BTreeSet<(String, String)> = hold::State::ALL
        .iter()
        .flat_map(|from| {
            EVENTS.iter().flat_map(move |event| [true, false].map(|late| (*from, hold::on_event(*from, *event, late))))
        })
        .filter_map(|(from, answer)| match answer {
            hold::Outcome::Keep(to) | hold::Outcome::GiveBack(to) => {
                Some((from.code().to_owned(), to.code().to_owned()))
            }
            hold::Outcome::Unchanged | hold::Outcome::Over(_) => None,
        })
        .collect();
    assert_eq!(steps_of("hold"), arrows);
}

const EVENTS: [hold::Event; 6] = [
    hold::Event::Extend,
    hold::Event::Convert,
    hold::Event::Expire,
    hold::Event::Release,
    hold::Event::Unconvert,
    hold::Event::GiveUp,
];

/// The arrows of a table of states.
fn arrows<S: Copy + 'static>(
    all: &[S],
    next: impl Fn(S) -> &'static [S],
    code: impl Fn(S) -> &'static str,
) -> BTreeSet<(String, String)> {
    let of = |from: &S| next(*from).iter().map(|to| (code(*from).to_owned(), code(*to).to_owned())).collect::<Vec<_>>();
    all.iter().flat_map(of).collect()
}

fn fresh<T>(done: Replayable<T>) -> T {
    match done {
        Replayable::Fresh(made) => made,
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

/// The change was refused at the field of the state.
fn refused_state<T: Debug>(done: Result<T, Error>, label: &str) {
    let Err(Error::Invalid(wrong)) = done else { panic!("{label}: {done:?}") };
    assert_eq!(wrong.iter().map(|w| w.field.as_ref()).collect::<Vec<&str>>(), ["state"], "{label}");
}

fn mate_form(name: &str, state: MateState) -> mates::Form {
    mates::Form {
        name: name.to_owned(),
        address: None,
        phone: String::new(),
        email: String::new(),
        neq: String::new(),
        tps: String::new(),
        tvq: String::new(),
        skills: Vec::new(),
        languages: Vec::new(),
        hubs: Vec::new(),
        documents: Vec::new(),
        pay_rate: None,
        state: Some(state),
    }
}

#[tokio::test]
async fn every_pair_of_states_of_a_mate() {
    listen();
    let (w, mut taken) = (world().await, BTreeSet::new());
    for from in MateState::ALL {
        for to in MateState::ALL {
            let label = format!("{from} -> {to}");
            let made = fresh(mates::add(&w.s, &w.staff(), mate_form(&label, *from), None).await.unwrap()).record;
            assert_eq!(made.state, *from, "a new record has the state that staff say");
            let told = mates::put(&w.s, &w.staff(), made.id, mate_form(&label, *to), made.version).await;
            if from == to || from.next().contains(to) {
                assert_eq!(told.unwrap().record.state, *to, "{label}");
                taken.extend((from != to).then(|| (from.code().to_owned(), to.code().to_owned())));
            } else {
                refused_state(told, &label);
                assert_eq!(mates::get(&w.s, &w.staff(), made.id).await.unwrap().record, made, "{label}");
            }
        }
    }
    let table = arrows(MateState::ALL, MateState::next, MateState::code);
    assert_eq!((&taken, steps_of("mate")), (&table, table.clone()));
}

fn partner_form(name: &str, state: PartnerState) -> partners::Form {
    partners::Form {
        name: name.to_owned(),
        addresses: Vec::new(),
        contacts: Vec::new(),
        rate_name: String::new(),
        net_days: None,
        language: None,
        state: Some(state),
    }
}

#[tokio::test]
async fn every_pair_of_states_of_a_partner() {
    listen();
    let w = world().await;
    for from in PartnerState::ALL {
        for to in PartnerState::ALL {
            let label = format!("{from} -> {to}");
            let made = fresh(partners::add(&w.s, &w.staff(), partner_form(&label, *from), None).await.unwrap());
            assert_eq!(made.state, *from, "a new record has the state that staff say");
            let told = partners::put(&w.s, &w.staff(), made.id, partner_form(&label, *to), made.version).await;
            if from == to || from.next().contains(to) {
                assert_eq!(told.unwrap().state, *to, "{label}");
            } else {
                refused_state(told, &label);
                assert_eq!(partners::get(&w.s, &w.staff(), made.id).await.unwrap(), made, "{label}");
            }
        }
    }
    assert_eq!(steps_of("partner"), arrows(PartnerState::ALL, PartnerState::next, PartnerState::code));
}

#[tokio::test]
async fn every_step_of_a_message_is_taken() {
    listen();
    let mut w = world().await;
    let texter = Arc::new(FakeTexter::default());
    w.s.texter = Some(texter.clone());
    booked(&w).await;
    // Three days before it, a text: out of reach, handed over once more, and there.
    at(&w, "2027-02-15T14:00:00Z".parse().unwrap()).await;
    let reported = async |n, status, code| sms::reported(&w.s, texter.report(n, status, code)).await.unwrap();
    reported(0, "undelivered", Some(30003)).await;
    at(&w, "2027-02-15T14:10:00Z".parse().unwrap()).await;
    reported(1, "delivered", None).await;
    // The service knows of a STOP that did not reach us: nothing is sent.
    texter.queue([How::Refuses(SmsError::Refused { code: 21610, trouble: SmsTrouble::Stopped, why: "STOP".into() })]);
    at(&w, "2027-02-17T14:00:00Z".parse().unwrap()).await;
    let table = arrows(MessageState::ALL, MessageState::next, MessageState::code);
    assert_eq!(steps_of("message"), table);
}

#[tokio::test]
async fn every_step_of_a_checkout_is_taken() {
    listen();
    // Charged in full at once: made, declined, and given up before it came.
    for next in [None, Some(Next::Soft), Some(Next::Late)] {
        let w = world().await;
        w.gateway.forget_keys();
        w.gateway.queue(next.as_slice());
        let told = w.book(draft(Province::QC, day(10), nine()), None).await;
        assert_eq!(told.is_ok(), next.is_none(), "{told:?}");
        assert!(w.read(|u| u.checkouts().in_state(CheckoutState::Charging)).await.is_empty());
    }
    assert_eq!(steps_of("checkout"), arrows(CheckoutState::ALL, CheckoutState::next, CheckoutState::code));
}

#[tokio::test]
async fn every_step_of_an_attempt_is_taken() {
    listen();
    // Declined.
    let w = world().await;
    booked(&w).await;
    w.gateway.queue(&[Next::Soft]);
    deposit_day(&w).await;
    // Made, and refused by the bank when it settles.
    let w = world().await;
    booked(&w).await;
    deposit_day(&w).await;
    refused_at_settlement(&w).await;
    // Given up for lost, and made after all.
    let w = world().await;
    booked(&w).await;
    w.gateway.forget_keys();
    w.gateway.queue(&[Next::Late]);
    deposit_day(&w).await;
    at(&w, monday() + Duration::hours(25) + Duration::minutes(1)).await;
    w.gateway.deliver();
    at(&w, monday() + Duration::hours(27)).await;
    // A refund that the gateway refuses, and makes after all.
    let w = world().await;
    let id = booked(&w).await;
    deposit_day(&w).await;
    w.gateway.queue_refund(&[Next::Hard]);
    cancelled(&w, id).await;
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let refund = rows.into_iter().find(|r| r.kind == PaymentKind::Refund).unwrap().id;
    let attempt = w.read(move |u| u.payments().attempts_of(refund)).await.pop().unwrap();
    w.gateway.change(|list| {
        let charge = list.iter().find(|t| t.kind == GatewayKind::Charge).unwrap().clone();
        list.push(GatewayTransaction {
            id: "late".into(),
            order_id: attempt.order_id.clone(),
            amount: attempt.amount,
            kind: GatewayKind::Refund { of: charge.id.clone() },
            status: GatewayStatus::Settled,
            ..charge
        });
    });
    settlement::suspect(&w.s, &attempt.order_id).await.unwrap();
    w.work().await;
    assert_eq!(steps_of("attempt"), arrows(AttemptState::ALL, AttemptState::next, AttemptState::code));
}

fn admin() -> Caller {
    support::caller(Role::Admin, UserId(kernel::uuid::Uuid::from_u128(1)))
}

/// Whether the present facts let this step be taken: an invoice that stands keeps its booking, what was paid owes nothing
/// and is not tidied away at once, and what is owed is not paid.
fn may(from: Status, to: Status) -> bool {
    !matches!(
        (from, to),
        (Status::Invoiced, Status::Completed | Status::Payed)
            | (Status::Completed, Status::Payed)
            | (Status::Payed, Status::Invoiced | Status::Deleted)
    )
}

/// Brings a new booking to a status.
async fn brought(w: &World, to: Status) -> BookingId {
    let id = booked(w).await;
    let way: &[Status] = match to {
        Status::Pending => &[],
        Status::Assigned => &[Status::Assigned],
        Status::Completed => &[Status::Assigned, Status::Completed],
        Status::Cancelled => &[Status::Cancelled],
        Status::Deleted => &[Status::Deleted],
        Status::Invoiced => &[Status::Assigned, Status::Completed, Status::Invoiced],
        Status::Payed => &[Status::Assigned, Status::Completed, Status::Payed],
    };
    for step in way {
        if *step == Status::Completed {
            w.clock.set(lock() + Duration::hours(52));
        }
        if *step == Status::Payed {
            // Everything is charged.
            w.work().await;
        }
        status::set(&w.s, &Staff::prove(&admin()).unwrap(), id, *step, said()).await.unwrap();
    }
    id
}

#[tokio::test]
async fn every_pair_of_statuses() {
    for from in Status::ALL {
        for to in Status::ALL.iter().filter(|to| *to != from) {
            let w = world().await;
            let id = brought(&w, *from).await;
            // What is done has begun; the others are judged as they stand.
            if matches!(from, Status::Pending | Status::Assigned) && *to == Status::Completed {
                w.clock.set(lock() + Duration::hours(52));
            }
            let told = status::set(&w.s, &Staff::prove(&admin()).unwrap(), id, *to, said()).await;
            let label = format!("{from} -> {to}: {told:?}");
            let rules: Vec<_> = booking::TABLE.iter().filter(|r| (r.from, r.to) == (*from, *to)).collect();
            // A deleted booking goes back to what it was, which was pending.
            let other_past = *from == Status::Deleted && *to != Status::Pending;
            if rules.is_empty() || !may(*from, *to) || other_past {
                assert!(told.is_err(), "{label}");
                assert_eq!(w.booking(id).await.status, *from, "{label}");
            } else {
                assert_eq!(told.unwrap().booking.status, *to, "{from} -> {to}");
                assert_eq!(w.booking(id).await.status, *to);
            }
        }
    }
}

/// Effects of steps that the program takes: carried out, or on the list of those that wait. What is carried
/// out by nobody refuses its step, which `every_pair_of_statuses` would see.
#[test]
fn every_effect_that_waits_is_known() {
    let waits: BTreeSet<String> = booking::TABLE
        .iter()
        .flat_map(|r| r.effects)
        .filter_map(|e| waits_for(*e).map(|why| format!("{e:?}: {why}")))
        .collect();
    let waits: Vec<&str> = waits.iter().map(String::as_str).collect();
    assert_eq!(
        waits,
        ["CancelDeliveryTasks: delivery tasks", "CreateDeliveryTask: delivery tasks", "ScheduleFeedback: feedback",]
    );
}

/// Where the program asks each table: the file, and the call.
const ASKED: [(&str, &str, &str); 9] = [
    ("AttemptState", "billing/rows.rs", "attempt.state.go("),
    ("CheckoutState", "bookings/checkout.rs", "state.go("),
    ("DeliveryState", "mailing/delivery.rs", "state.go("),
    ("MateState", "mates/mod.rs", "mate.state.go("),
    ("PartnerState", "partners/mod.rs", "partner.state.go("),
    ("booking::", "bookings/transition.rs", "booking::transition("),
    ("hold::", "capacity.rs", "hold.state.on("),
    ("invoice::", "invoices/issue.rs", "i.state.go("),
    ("payment::", "billing/rows.rs", "row.state.go("),
];

/// Tables and rules nobody asks yet, and what they wait for.
const WITHOUT_A_CALLER: [(&str, &str); 3] =
    [("FeedbackState", "feedback"), ("UploadState", "delivery tasks"), ("task::", "delivery tasks")];

fn sources(folder: &Path, found: &mut String) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => sources(&path, found),
            path => found.push_str(&fs::read_to_string(&path).unwrap()),
        }
    }
}

#[test]
fn every_table_has_a_caller_or_waits() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let service = crates.join("service/src");
    let (mut program, mut machine) = (String::new(), String::new());
    sources(&service, &mut program);
    sources(&crates.join("domain/status-machine/src"), &mut machine);
    let mut tables: BTreeSet<&str> = ["booking::", "hold::", "invoice::", "payment::", "task::"].into();
    // `/// …` above, then `    MateState, "mate state" {`.
    let states = machine.lines().filter_map(|l| l.strip_prefix("    ")?.split_once("State, \"")).map(|(name, _)| name);
    let states: Vec<String> =
        states.filter(|name| !name.is_empty() && name.trim() == *name).map(|name| format!("{name}State")).collect();
    assert!(states.len() > 6, "{states:?}");
    tables.extend(states.iter().map(String::as_str));
    for (table, file, call) in ASKED {
        let text = fs::read_to_string(service.join(file)).unwrap();
        assert!(text.contains(call), "{table}: {file} has no {call}");
    }
    let known: BTreeSet<&str> =
        ASKED.iter().map(|(name, ..)| *name).chain(WITHOUT_A_CALLER.iter().map(|(name, _)| *name)).collect();
    assert_eq!(tables, known, "tables, and those that are asked or wait");
    // Another enum of the same name would have states that no table knows.
    for name in &states {
        assert!(!program.contains(&format!("enum {name} ")), "{name} is the status machine's");
    }
    let is_named = |name: &&str| !name.ends_with("::") && program.contains(&format!("{name}::"));
    let called: Vec<&str> = WITHOUT_A_CALLER.iter().map(|(name, _)| *name).filter(is_named).collect();
    assert!(called.is_empty(), "they wait no more: {called:?}");
}

/// The state of a booking is an open field, because half the program reads it: one place writes it.
#[test]
fn one_place_writes_the_status_of_a_booking_and_nobody_makes_up_states() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut program = String::new();
    sources(&folder, &mut program);
    assert_eq!(program.matches(".status = ").count(), 1, "bookings/transition.rs");
    // A row that was changed past the program is put right to what its witnesses say: no transition leads there.
    let witnessed =
        |file: &str, word: &str| fs::read_to_string(folder.join("billing").join(file)).unwrap().matches(word).count();
    let files = ["audit/witnesses.rs", "dispute_records.rs", "lost.rs", "write_row.rs", "put_right.rs"];
    for word in ["At::stored", ".state = "] {
        let repairs: usize = files.into_iter().map(|file| witnessed(file, word)).sum();
        // A page that tells of a card link is no row.
        let all = program.matches(word).count()
            - program.matches("page.state = ").count() * usize::from(word != "At::stored");
        assert_eq!(all, repairs, "{word}: only repositories, tests and repairs of rows write states past the tables");
    }
}
