//! What staff are shown of a change before they save it is what the change does, to the cent: also where cash came, where money
//! went back by another hand, where something was given away, and where the gateway refused to give something back.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use policy::CancelledBy;
use service::{
    billing::{
        compare,
        facts::{owed, returned_by_us, still_held, took},
        mend, reconcile,
    },
    bookings::{
        cancel,
        edit::{EditInput, StaffEdit, edit_as_staff, preview_as_staff},
        status::{self, StatusInput},
    },
    desk::{
        credits::{self, NewCredit},
        received::{self, Received},
    },
    ports::{
        capacity::DayCapacity,
        credits::CreditKind,
        payments::{GatewayKind, GatewayStatus, GatewayTransaction, PaidWith, Payment, PaymentKind},
    },
};
use status_machine::{booking::Status, payment::State};
use store::testing::TestDb;
use support::{Next, World, draft};

on_both_engines!(
    what_is_shown_of_a_change_is_what_it_does,
    what_went_back_by_another_hand_is_not_charged_with_a_change,
    what_goes_back_already_still_goes_back,
    a_cancellation_counts_what_went_back_before,
    a_refused_refund_that_ends_with_a_higher_price_is_no_trouble,
);

const DEPOSIT: i64 = 11_498;
const BALANCE: i64 = 45_990;

fn start() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

/// The day before the move, everything of it has settled.
fn the_day_before() -> DateTime<Utc> {
    "2027-02-17T15:00:00Z".parse().unwrap()
}

fn cents(n: i64) -> Money {
    Money::from_cents(n)
}

async fn at(w: &World, instant: DateTime<Utc>) {
    w.clock.set(instant);
    w.work().await;
}

async fn booked_on(w: &World, day: u32) -> BookingId {
    let date = NaiveDate::from_ymd_opt(2027, 2, day).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

/// 574.88 for Thursday week, paid by two charges that have settled.
async fn paid(db: TestDb) -> (World, BookingId) {
    let w = World::on(db, start()).await;
    w.flat_rate(50_000).await;
    let id = booked_on(&w, 18).await;
    at(&w, start() + Duration::hours(25)).await;
    at(&w, lock()).await;
    assert_eq!(w.gateway.charges(), [DEPOSIT, BALANCE]);
    (w, id)
}

async fn rows(w: &World, id: BookingId) -> Vec<Payment> {
    w.read(move |u| u.payments().of_booking(id)).await
}

async fn give(w: &World, id: BookingId, kind: CreditKind, amount: Money) -> bool {
    let new = NewCredit { kind, amount, reason: "A scratched table".into() };
    credits::give(&w.s, &w.staff(), id, new, None).await.is_ok()
}

/// Somebody gives some of a charge back in the control panel, and the repair of the difference writes it down.
async fn outside(w: &World, id: BookingId, charge: &Payment, name: &str, amount: Money) {
    let of = charge.transaction_id.clone().unwrap();
    let created_at = w.clock.now_value();
    w.gateway.change(|list| {
        let charge = list.iter().find(|t| t.id == of).unwrap().clone();
        let (kind, status) = (GatewayKind::Refund { of }, GatewayStatus::Captured);
        list.push(GatewayTransaction { id: name.to_owned(), kind, amount, status, created_at, code: None, ..charge });
    });
    let last = w.compared().await;
    let ours =
        |d: &&compare::DifferenceView| d.difference.booking == Some(id) && d.difference.what.code() == "refund_outside";
    let one = last.differences.iter().find(ours).unwrap();
    mend::mend(&w.s, &w.staff(), one.found.id, None).await.unwrap();
    w.work().await;
}

/// Shows a change and makes it: every figure that was shown is what the rows say then.
async fn change(w: &World, id: BookingId, wish: StaffEdit) -> Option<(i64, i64)> {
    let staff = w.staff();
    let shown = Box::pin(preview_as_staff(&w.s, &staff, id, wish.clone())).await;
    let (before, charges) = (rows(w, id).await, w.gateway.charges());
    let done = Box::pin(edit_as_staff(&w.s, &staff, id, wish.clone(), None)).await;
    let (shown, done) = match (shown, done) {
        (Ok(shown), Ok(done)) => (shown, done),
        (Err(shown), Err(done)) => {
            assert_eq!(format!("{shown:?}"), format!("{done:?}"), "{wish:?}");
            return None;
        }
        (shown, done) => panic!("{wish:?}: shown {shown:?}, done {done:?}"),
    };
    assert_eq!(shown.new_total, done.booking.total, "{wish:?}");
    assert_eq!(shown.plan, done.plan, "{wish:?} of {before:#?}\nmade of it {:#?}", done.payments);
    let charged: i64 = w.gateway.charges()[charges.len()..].iter().sum();
    assert_eq!(shown.charge_now.cents(), charged, "{wish:?} of {before:#?}");
    let planned = |r: &&Payment| {
        r.kind == PaymentKind::Refund && *r.state == State::Scheduled && !before.iter().any(|b| b.id == r.id)
    };
    let back: Money = done.payments.iter().filter(planned).map(|r| r.amount).sum();
    assert_eq!(shown.refund_now, back, "{wish:?} of {before:#?}");
    w.work().await;
    Some((charged, back.cents()))
}

fn price(amount: i64) -> StaffEdit {
    StaffEdit { amount: Some(cents(amount)), ..StaffEdit::default() }
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, start() - Duration::days(1), start() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn cents(&mut self, most: i64) -> Money {
        let most = u64::try_from(most.max(1)).unwrap();
        cents(i64::try_from(self.below(most)).unwrap() + 1)
    }
}

/// Something that happens to the money of a booking between two changes, as far as it is allowed.
async fn deed(w: &World, id: BookingId, d: &mut Dice, n: usize) {
    let (b, all) = (w.booking(id).await, rows(w, id).await);
    match d.below(5) {
        0 => {
            let amount = d.cents(owed(&b, &all).cents() / 2);
            let cash = Received { method: PaidWith::Cash, amount, reference: None };
            drop(received::record(&w.s, &w.staff(), id, cash, None).await);
        }
        1 => {
            give(w, id, CreditKind::Goodwill, d.cents(4_000)).await;
        }
        2 => {
            // Where nothing can be given, it is the next refund that is refused.
            w.gateway.queue_refund(&[Next::Hard]);
            give(w, id, CreditKind::Refund, d.cents(4_000)).await;
        }
        3 => {
            give(w, id, CreditKind::Refund, d.cents(4_000)).await;
        }
        _ => {
            let amount = d.cents(1_500);
            let by_card = |r: &&Payment| took(r) && !r.method.is_by_hand() && still_held(&all, r) > cents(6_000);
            // What is only planned to go back could not go back beside it.
            let waits = all.iter().any(|r| r.kind == PaymentKind::Refund && *r.state == State::Scheduled);
            if let Some(charge) = all.iter().find(by_card).filter(|_| !waits) {
                outside(w, id, charge, &format!("panel-{}-{n}", b.short_id), amount).await;
            }
        }
    }
    w.work().await;
}

fn wish(d: &mut Dice, days: &[u32]) -> StaffEdit {
    let mut change = EditInput::default();
    match d.below(4) {
        0 => change.comments = Some(format!("Door {}", d.below(9))),
        1 => {
            let day = days[usize::try_from(d.below(days.len() as u64)).unwrap()];
            change.date = NaiveDate::from_ymd_opt(2027, 2, day);
        }
        _ => {}
    }
    let amount = (d.below(5) > 0).then(|| cents(30_000).plus(d.cents(50_000)));
    let (waive_fee, customers_wish) = (d.below(2) == 0, d.below(2) == 0);
    StaffEdit { change, notes: None, amount, waive_fee, customers_wish }
}

async fn what_is_shown_of_a_change_is_what_it_does(db: TestDb) {
    let w = World::on(db, start()).await;
    w.flat_rate(50_000).await;
    // All of them may come to one day.
    w.calendar(DayCapacity { mates: 20, trucks: [9, 9, 9] }).await;
    let days = [18, 19, 22, 23, 24, 25];
    let mut ids = Vec::new();
    for day in days {
        let id = booked_on(&w, day).await;
        // With a crew a change may cost a fee.
        if day % 2 == 0 {
            let said = StatusInput { reason: Some("the crew is named".into()), ..StatusInput::default() };
            status::set(&w.s, &w.staff(), id, Status::Assigned, said).await.unwrap();
        }
        ids.push(id);
    }
    let mut d = Dice(0x5eed);
    let mut moved = 0;
    // Before the deposits, after them, and around the 48-hour instants of the first moves.
    for (n, hours) in [2, 45, 70, 193, 194, 210, 218].into_iter().enumerate() {
        at(&w, start() + Duration::hours(hours)).await;
        for id in &ids {
            // Of a move that has begun no price rises.
            if w.booking(*id).await.move_at <= w.clock.now_value() {
                continue;
            }
            deed(&w, *id, &mut d, n).await;
            let done = change(&w, *id, wish(&mut d, &days)).await;
            moved += usize::from(done.is_some_and(|(charged, back)| charged + back > 0));
        }
    }
    assert!(moved > 0, "some of the changes move money at once");
}

async fn what_went_back_by_another_hand_is_not_charged_with_a_change(db: TestDb) {
    let (w, id) = paid(db).await;
    at(&w, the_day_before()).await;
    let deposit = rows(&w, id).await.into_iter().find(|r| r.kind == PaymentKind::Deposit).unwrap();
    outside(&w, id, &deposit, "panel", cents(2_000)).await;
    // 600.00 before tax are 689.85: 114.97 more, and the 20.00 are asked for by people.
    assert_eq!(change(&w, id, price(60_000)).await, Some((11_497, 0)));
    let (b, all) = (w.booking(id).await, rows(&w, id).await);
    assert_eq!((owed(&b, &all).cents(), b.details.payment_problem), (2_000, true));
    // A lower price takes of what they owe first.
    assert_eq!(change(&w, id, price(59_000)).await, Some((0, 0)));
    sound(&w).await;
}

async fn what_goes_back_already_still_goes_back(db: TestDb) {
    let (w, id) = paid(db).await;
    // The balance has not settled: what goes back of it waits.
    assert!(give(&w, id, CreditKind::Goodwill, cents(5_000)).await);
    w.work().await;
    assert_eq!(w.gateway.refunds(), Vec::<i64>::new());
    // 520.00 before tax are 597.87: 22.99 more.
    assert_eq!(change(&w, id, price(52_000)).await, Some((2_299, 0)));
    at(&w, the_day_before()).await;
    assert_eq!((w.gateway.charges(), w.gateway.refunds()), (vec![DEPOSIT, BALANCE, 2_299], vec![5_000]));
    assert_eq!(w.gateway.net(), 59_787 - 5_000);
    sound(&w).await;
}

/// The preview of a cancellation, the answer to it and the record afterwards say one figure: everything that went back. What
/// goes back with the cancellation alone stands beside it.
async fn a_cancellation_counts_what_went_back_before(db: TestDb) {
    let (w, id) = paid(db).await;
    at(&w, the_day_before()).await;
    // 400.00 before tax are 459.90: 114.98 go back.
    assert_eq!(change(&w, id, price(40_000)).await, Some((0, 11_498)));
    w.work().await;
    let staff = w.staff();
    for (by, all, now) in [(CancelledBy::Customer, 11_498, 0), (CancelledBy::Company, 57_488, 45_990)] {
        let shown = cancel::preview_as_staff(&w.s, &staff, id, by, false).await.unwrap();
        assert_eq!((shown.returned, shown.outcome.refund), (cents(all), cents(now)), "{by:?}");
    }
    let shown = cancel::preview_as_staff(&w.s, &staff, id, CancelledBy::Company, false).await.unwrap();
    let said = StatusInput { reason: Some("No mates".into()), ..StatusInput::default() };
    status::set(&w.s, &staff, id, Status::Cancelled, said).await.unwrap();
    let at_once = returned_by_us(&w.booking(id).await, &rows(&w, id).await);
    w.work().await;
    let later = returned_by_us(&w.booking(id).await, &rows(&w, id).await);
    assert_eq!((at_once, later), (shown.returned, shown.returned));
    assert_eq!(w.gateway.net(), 0);
    sound(&w).await;
}

async fn a_refused_refund_that_ends_with_a_higher_price_is_no_trouble(db: TestDb) {
    let (w, id) = paid(db).await;
    at(&w, the_day_before()).await;
    w.gateway.queue_refund(&[Next::Hard]);
    assert_eq!(change(&w, id, price(40_000)).await, Some((0, 11_498)));
    let refused = rows(&w, id).await.into_iter().find(|r| r.kind == PaymentKind::Refund).unwrap();
    assert_eq!((*refused.state, w.booking(id).await.details.payment_problem), (State::Failed, true));
    // 450.00 before tax are 517.39: less goes back than was refused, so that ends, and nothing is the staff's any more.
    assert_eq!(change(&w, id, price(45_000)).await, Some((0, 57_488 - 51_739)));
    let ended = rows(&w, id).await.into_iter().find(|r| r.id == refused.id).unwrap();
    assert_eq!((*ended.state, w.booking(id).await.details.payment_problem), (State::Skipped, false));
    assert_eq!(w.gateway.net(), 51_739);
    sound(&w).await;
}
