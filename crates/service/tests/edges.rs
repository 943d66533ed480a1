//! Edges of the rules about cards, postponed moves, holds and second presses, as people with scripts found them.

use crate::support::{Next, World, draft, flat::flat};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    Caller, ErrorCode,
    billing::reconcile,
    bookings::{
        Draft, cancel,
        edit::{EditInput, StaffEdit, edit, edit_as_staff},
        status,
    },
    holds::{self, HoldInput},
    idempotency::Replayable,
    moves::place_of,
    payments,
    ports::capacity::DayCapacity,
};
use status_machine::booking::Status;

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// The 48-hour instant of [`thursday`].
fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

/// 574.88 for Thursday week: 114.98 after a day, 459.90 two days before.
fn thursday() -> Draft {
    on(18, 9)
}

fn on(day: u32, hour: u32) -> Draft {
    let (date, time) = (NaiveDate::from_ymd_opt(2027, 2, day).unwrap(), NaiveTime::from_hms_opt(hour, 0, 0).unwrap());
    draft(Province::QC, date, time)
}

async fn booked(w: &World) -> BookingId {
    w.flat_rate(50_000).await;
    w.book(thursday(), None).await.unwrap().booking.id
}

async fn at(w: &World, instant: DateTime<Utc>) {
    w.clock.set(instant);
    w.work().await;
}

async fn set(w: &World, id: BookingId, to: Status) {
    let said = status::StatusInput { reason: Some("by the staff".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.unwrap();
    w.work().await;
}

async fn store_card(w: &World) {
    payments::add_card(&w.s, &w.customer, "fake-valid-nonce".into(), None, None).await.unwrap();
    w.work().await;
}

async fn move_to(w: &World, id: BookingId, day: u32) {
    let later = EditInput { date: NaiveDate::from_ymd_opt(2027, 3, day), ..EditInput::default() };
    let later = StaffEdit { change: later, waive_fee: true, ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, later, None).await.unwrap();
    w.work().await;
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
}

fn refused(code: ErrorCode) -> impl Fn(service::Error) -> bool {
    move |e| matches!(e, service::Error::Refused(c, _) if c == code)
}

/// A second card took the place of the first one, and is refused for good at the 48-hour instant.
async fn refused_for_good(w: &World) -> BookingId {
    let id = booked(w).await;
    store_card(w).await;
    at(w, monday() + Duration::hours(25)).await;
    assert_eq!(w.gateway.net(), 11_498);
    w.gateway.queue(&[Next::Hard]);
    at(w, lock()).await;
    for hours in [2, 6, 12] {
        at(w, lock() + Duration::hours(hours)).await;
    }
    id
}

#[tokio::test]
async fn a_card_that_was_replaced_is_never_charged_again() {
    let w = World::new(monday()).await;
    let id = refused_for_good(&w).await;
    // The end of the ladder.
    at(&w, lock() + Duration::hours(24)).await;
    assert_eq!(w.gateway.net(), 11_498, "nobody stored another card: {:#?}", w.gateway.seen());
    assert_eq!(w.booking(id).await.status, Status::Cancelled);
    sound(&w).await;
}

#[tokio::test]
async fn a_new_card_is_charged_at_once() {
    let w = World::new(monday()).await;
    let id = refused_for_good(&w).await;
    assert_eq!(w.gateway.net(), 11_498, "the card that said no was the only one: {:#?}", w.gateway.seen());
    store_card(&w).await;
    assert_eq!(w.gateway.net(), 57_488);
    assert_eq!(w.booking(id).await.status, Status::Pending);
    sound(&w).await;
}

#[tokio::test]
async fn a_postponed_move_is_charged_and_released_by_its_new_day() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    at(&w, monday() + Duration::hours(25)).await;
    w.gateway.queue(&[Next::Soft; 9]);
    at(&w, lock()).await;
    at(&w, lock() + Duration::hours(3)).await;
    move_to(&w, id, 4).await;
    let new_lock: DateTime<Utc> = "2027-03-02T14:00:00Z".parse().unwrap();
    at(&w, lock() + Duration::hours(30)).await;
    at(&w, new_lock - Duration::seconds(1)).await;
    assert_eq!(w.booking(id).await.status, Status::Pending, "its move is two days away");
    sound(&w).await;
    // Its ladder begins anew there, and ends a day before the move.
    for hours in [0, 2, 6, 12, 23] {
        at(&w, new_lock + Duration::hours(hours)).await;
        assert_eq!(w.booking(id).await.status, Status::Pending, "{hours} hours after the instant");
    }
    at(&w, new_lock + Duration::hours(24)).await;
    assert_eq!(w.booking(id).await.status, Status::Cancelled);
    assert_eq!(w.gateway.net(), 11_498);
}

#[tokio::test]
async fn a_used_hold_with_another_move_is_refused() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    let hold = w.read(move |u| u.capacities().hold_of_booking(id)).await.unwrap().id;
    let again = || Draft { hold_id: Some(hold), ..thursday() };
    assert_eq!(w.book(again(), None).await.unwrap().booking.id, id, "the second press");
    let mut elsewhere = again();
    elsewhere.dropoff.floor += 3;
    let mut more = again();
    more.items[0].quantity += 5;
    let mut riding = again();
    riding.ride_along = true;
    for other in [elsewhere, more, riding] {
        assert!(w.book(other, None).await.is_err_and(refused(ErrorCode::SlotGone)), "this was never booked");
    }
}

/// Nobody knows the hold that a request without one makes for itself.
#[tokio::test]
async fn a_declined_card_does_not_shut_its_customer_out() {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    w.calendar(DayCapacity { mates: 2, trucks: [1, 1, 1] }).await;
    w.gateway.queue(&[Next::Soft]);
    assert!(w.book(on(9, 13), None).await.is_err_and(refused(ErrorCode::PaymentDeclined)));
    w.book(on(9, 13), None).await.unwrap();
}

/// A charge that went back is none.
#[tokio::test]
async fn what_was_returned_was_not_charged_early() {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    let id = w.book(on(9, 13), None).await.unwrap().booking.id;
    w.work().await;
    move_to(&w, id, 4).await;
    set(&w, id, Status::Cancelled).await;
    assert_eq!(w.gateway.net(), 0, "the company cancelled");
    set(&w, id, Status::Pending).await;
    w.agrees(id).await;
    at(&w, monday() + Duration::hours(50)).await;
    assert_eq!(w.gateway.net(), 11_498, "the deposit");
    let less = StaffEdit { amount: Some(Money::from_cents(20_000)), waive_fee: true, ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, less, None).await.unwrap();
    w.work().await;
    sound(&w).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    sound(&w).await;
}

/// The price is kept with the start that is held, and only while it is.
#[tokio::test]
async fn a_hold_keeps_the_price_of_its_own_start_only() {
    let w = World::new(monday()).await;
    w.flat_rate(50_000).await;
    let held = async |d: &Draft| {
        let wish = HoldInput {
            date: d.date,
            time: d.time,
            mate_count: d.mate_count,
            duration_minutes: 120,
            just_mates: false,
            tier: Some(1),
            pickup: place_of(&d.pickup.address, d.pickup.coordinates),
            dropoff: Some(place_of(&d.dropoff.address, d.dropoff.coordinates)),
            replaces: None,
            job: None,
            holder: None,
        };
        match holds::create(&w.s, &w.customer, wish, None).await.unwrap() {
            Replayable::Fresh(hold) => hold.id,
            Replayable::Replayed { .. } => unreachable!(),
        }
    };
    let (own, other, gone) = (held(&thursday()).await, held(&on(19, 9)).await, held(&on(22, 9)).await);
    holds::release(&w.s, gone).await.unwrap();
    w.rate(flat(100_000), w.clock.now_value() - Duration::milliseconds(1)).await;
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let total = async |d: Draft| w.book(d, None).await.unwrap().booking.total.cents();
    assert_eq!(total(Draft { hold_id: Some(own), ..thursday() }).await, 57_488);
    assert_eq!(total(Draft { hold_id: Some(other), ..on(23, 9) }).await, 114_975, "another start");
    assert_eq!(total(Draft { hold_id: Some(gone), ..on(22, 9) }).await, 114_975, "given back");
}

/// What staff agreed with the customer is a difference: it stays when the move is priced anew.
#[tokio::test]
async fn a_price_that_staff_agreed_outlives_an_edit() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    let change = async |who: &Caller, input: EditInput| edit(&w.s, who, id, input, None).await.unwrap().booking;
    let toggled = |ride_along| EditInput { ride_along: Some(ride_along), ..EditInput::default() };
    let ride = change(&w.customer, toggled(true)).await.amount.minus(Money::from_cents(50_000));
    change(&w.customer, toggled(false)).await;
    let agree = async |input: StaffEdit| edit_as_staff(&w.s, &w.staff(), id, input, None).await.unwrap().booking;
    let set = |cents| StaffEdit { amount: Some(Money::from_cents(cents)), waive_fee: true, ..StaffEdit::default() };

    agree(set(40_000)).await;
    let with_ride = change(&w.customer, toggled(true)).await;
    assert_eq!(with_ride.amount, Money::from_cents(40_000).plus(ride), "100.00 less, as agreed");
    let lines: Money = with_ride.details.lines.iter().map(|l| l.amount).sum();
    assert_eq!(lines, with_ride.amount, "the lines say so");
    change(&w.customer, toggled(false)).await;
    // Of a move at half the price half of the reduction is left.
    w.rate(flat(25_000), w.clock.now_value() - Duration::milliseconds(1)).await;
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let half =
        change(&w.customer, EditInput { date: NaiveDate::from_ymd_opt(2027, 2, 19), ..EditInput::default() }).await;
    assert_eq!(half.amount.cents(), 20_000);
    // The move it was agreed for has the agreed price again.
    w.rate(flat(50_000), w.clock.now_value() - Duration::milliseconds(1)).await;
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let again = EditInput { date: NaiveDate::from_ymd_opt(2027, 2, 22), ..EditInput::default() };
    assert_eq!(change(&w.customer, again).await.amount.cents(), 40_000);
    w.rate(flat(25_000), w.clock.now_value() - Duration::milliseconds(1)).await;
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    change(&w.customer, EditInput { date: NaiveDate::from_ymd_opt(2027, 2, 19), ..EditInput::default() }).await;
    let more = agree(set(26_000)).await;
    assert_eq!(more.details.lines.iter().filter(|l| l.code == "adjustment").count(), 1, "one line says so");
    let moved = change(&w.ops, EditInput { date: NaiveDate::from_ymd_opt(2027, 2, 20), ..EditInput::default() }).await;
    assert_eq!(moved.amount.cents(), 26_000, "what was added stays as a whole");
    sound(&w).await;
}
