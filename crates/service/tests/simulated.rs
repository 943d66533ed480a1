//! What the simulation found, each as the shortest story that shows it.

use crate::support::{Next, World, draft};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    billing::{self, reconcile},
    bookings::{
        Draft, cancel,
        edit::{EditInput, StaffEdit, edit, edit_as_staff},
        recovery, status,
    },
    ports::payments::{GatewayKind, GatewayStatus, GatewayTransaction, PaymentKind},
};
use status_machine::{booking::Status, payment::State, records::CheckoutState};

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// The 48-hour instant of [`booked`].
fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

fn on(day: u32, hour: u32) -> Draft {
    draft(Province::QC, NaiveDate::from_ymd_opt(2027, 2, day).unwrap(), NaiveTime::from_hms_opt(hour, 0, 0).unwrap())
}

fn said(reason: &str) -> status::StatusInput {
    status::StatusInput { reason: Some(reason.into()), ..status::StatusInput::default() }
}

/// A booking of 574.88 for Thursday week.
async fn booked(w: &World) -> BookingId {
    w.flat_rate(50_000).await;
    w.book(on(18, 9), None).await.unwrap().booking.id
}

/// Works until nothing of the booking is at the gateway: looks are held back by real time.
async fn resolved(w: &World, id: BookingId) {
    for _ in 0..400 {
        w.work().await;
        if !w.read(move |u| Ok(billing::lease::under_way(u, id).unwrap())).await {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("nobody looks");
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

/// The stored plan of an edit could not be read back: its kind of charge had the name of its tag.
#[tokio::test]
async fn an_edit_whose_requester_has_gone_is_finished_by_its_job() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    w.gateway.may_be_late(9_000);
    w.gateway.queue(&[Next::Late]);
    let sooner = EditInput { date: NaiveDate::from_ymd_opt(2027, 2, 11), ..EditInput::default() };
    edit(&w.s, &w.ops, id, sooner, None).await.unwrap_err();
    assert_eq!(w.gateway.deliver(), 1);
    // The job itself waits twenty seconds of real time for the requester.
    let open = w.read(|u| u.checkouts().in_state(CheckoutState::Charging)).await.remove(0);
    recovery::recover(&w.s, open.booking_id).await.unwrap();
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!(b.move_date, NaiveDate::from_ymd_opt(2027, 2, 11).unwrap(), "what was paid for is done");
    assert_eq!(w.gateway.net(), b.total.cents());
    sound(&w).await;
}

#[tokio::test]
async fn a_move_that_was_done_is_not_cancelled_for_want_of_money() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    w.gateway.queue(&[Next::Soft; 5]);
    w.clock.set(lock());
    w.work().await;
    w.clock.set(lock() + Duration::hours(52));
    status::set(&w.s, &w.staff(), id, Status::Completed, said("done")).await.unwrap();
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!((b.status, b.details.payment_problem), (Status::Completed, true), "it is on the staff's list");
    sound(&w).await;
}

#[tokio::test]
async fn a_cancelled_booking_is_not_cancelled_again_by_the_end_of_a_ladder() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    w.gateway.may_be_late(9_000);
    w.gateway.queue(&[Next::Soft, Next::Soft, Next::Soft, Next::Soft, Next::LostRequest]);
    for hours in [0, 2, 6, 12] {
        w.clock.set(lock() + Duration::hours(hours));
        w.work().await;
    }
    w.clock.set(lock() + Duration::hours(24));
    w.work_at_once().await;
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let row = rows.into_iter().find(|r| r.kind == PaymentKind::Balance).unwrap();
    let last = w.read(move |u| u.payments().attempts_of(row.id)).await.pop().unwrap();
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    // The last attempt had been declined, and only now anybody hears of it.
    let at = w.clock.now_value();
    w.gateway.change(move |list| {
        list.push(GatewayTransaction {
            id: "tx_late".into(),
            order_id: last.order_id,
            amount: last.amount,
            kind: GatewayKind::Charge,
            status: GatewayStatus::Declined,
            created_at: at,
            declined_hard: Some(false),
            code: None,
        });
    });
    resolved(&w, id).await;
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!(b.details.cancelled_by, Some(service::ports::cancelled::CancelledBy::Customer));
    assert_eq!(b.details.kept, Some(Money::from_cents(57_488)));
    assert_eq!(w.gateway.net(), 57_488, "what is kept was charged as a fee");
    sound(&w).await;
}

#[tokio::test]
async fn what_a_cancellation_kept_stands_for_the_deposit_when_it_is_taken_back() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498]);
    status::set(&w.s, &w.staff(), id, Status::Pending, said("they want it after all")).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498], "a fifth, once");
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.net(), 57_488);
    sound(&w).await;
}

#[tokio::test]
async fn the_fee_of_a_cancellation_that_was_taken_back_meanwhile_is_not_asked_for_again() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    // The fee is at the gateway and never arrives; meanwhile the cancellation is taken back.
    w.gateway.queue(&[Next::LostRequest]);
    w.work_at_once().await;
    assert!(w.read(move |u| Ok(billing::lease::under_way(u, id).unwrap())).await);
    status::set(&w.s, &w.staff(), id, Status::Pending, said("they want it after all")).await.unwrap();
    resolved(&w, id).await;
    w.work().await;
    w.clock.set(monday() + Duration::hours(26));
    w.work().await;
    assert_eq!(w.gateway.net(), 11_498, "the deposit, and no fee besides");
    sound(&w).await;
}

/// Seed 19052: the charge that a postponed move waited for stayed on the far day when the move came back.
#[tokio::test]
async fn the_charge_of_a_move_that_was_postponed_comes_back_with_it() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    w.gateway.queue(&[Next::Soft]);
    w.clock.set(lock());
    w.work().await;
    let on = async |month, day| {
        let input = EditInput { date: NaiveDate::from_ymd_opt(2027, month, day), ..EditInput::default() };
        edit(&w.s, &w.ops, id, input, None).await.unwrap();
        sound(&w).await;
        let rows = w.read(move |u| u.payments().of_booking(id)).await;
        let waiting: Vec<_> = rows.iter().filter(|r| r.state == State::Scheduled).collect();
        assert_eq!(waiting.len(), 1, "{rows:#?}");
        waiting[0].next_attempt_at.unwrap().date_naive()
    };
    let day = |month, day| NaiveDate::from_ymd_opt(2027, month, day).unwrap();
    assert_eq!(on(4, 19).await, day(4, 17));
    assert_eq!(on(4, 26).await, day(4, 24), "farther still");
    assert_eq!(on(2, 25).await, day(2, 23), "and back");
    w.clock.set("2027-02-23T15:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!(w.gateway.net(), 57_488);
    sound(&w).await;
}

#[tokio::test]
async fn money_of_an_edit_that_was_given_up_goes_back_when_it_comes_after_all() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    w.gateway.queue(&[Next::LostRequest]);
    let sooner = EditInput { date: NaiveDate::from_ymd_opt(2027, 2, 11), ..EditInput::default() };
    edit(&w.s, &w.ops, id, sooner, None).await.unwrap_err();
    for _ in 0..400 {
        let open = w.read(|u| u.checkouts().in_state(CheckoutState::Charging)).await;
        let Some(open) = open.first() else { break };
        recovery::recover(&w.s, open.booking_id).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    w.work().await;
    // Long after anybody could expect it, the gateway applies it.
    let abandoned = w.read(|u| u.checkouts().in_state(CheckoutState::Abandoned)).await.remove(0);
    let (order, at) = (abandoned.order_id.clone(), w.clock.now_value());
    let late = GatewayTransaction {
        id: "tx_late".into(),
        order_id: order.clone(),
        amount: Money::from_cents(45_990),
        kind: GatewayKind::Charge,
        status: GatewayStatus::Captured,
        created_at: at,
        declined_hard: None,
        code: None,
    };
    let listed = late.clone();
    w.gateway.change(move |list| list.push(listed));
    assert!(billing::late::found_late(&w.s, &order, &[late]).await.unwrap());
    w.work().await;
    assert_eq!(w.gateway.net(), 11_498, "the deposit is held; the balance is not due for a week");
    sound(&w).await;
}

/// A booking that was cancelled while an edit's charge of everything was on its way, and is taken back: 114.98
/// are held, of no deposit.
async fn taken_back_with_what_was_kept(w: &World) -> BookingId {
    let id = booked(w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.gateway.may_be_late(9_000);
    w.gateway.queue(&[Next::Late]);
    let sooner = EditInput { date: NaiveDate::from_ymd_opt(2027, 2, 11), ..EditInput::default() };
    edit(&w.s, &w.ops, id, sooner, None).await.unwrap_err();
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    assert_eq!(w.gateway.deliver(), 1);
    let open = w.read(|u| u.checkouts().in_state(CheckoutState::Charging)).await.remove(0);
    recovery::recover(&w.s, open.booking_id).await.unwrap();
    w.work().await;
    // Part of it can go back once it has settled.
    w.clock.set(monday() + Duration::hours(45));
    w.work().await;
    assert_eq!(w.gateway.net(), 11_498, "what the cancellation keeps");
    status::set(&w.s, &w.staff(), id, Status::Pending, said("they want it after all")).await.unwrap();
    id
}

#[tokio::test]
async fn what_is_held_already_stands_for_the_deposit() {
    let w = World::new(monday()).await;
    taken_back_with_what_was_kept(&w).await;
    w.clock.set(monday() + Duration::hours(47));
    w.work().await;
    assert_eq!(w.gateway.net(), 11_498, "no second deposit: {:#?}", w.gateway.seen());
    sound(&w).await;
}

/// Seed 154767: the whole deposit was charged beside what was held, because that was less than a fifth of the new
/// price.
#[tokio::test]
async fn a_deposit_asks_only_for_what_is_not_held() {
    let w = World::new(monday()).await;
    let id = taken_back_with_what_was_kept(&w).await;
    let dearer = StaffEdit { amount: Some(Money::from_cents(60_000)), waive_fee: true, ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, dearer, None).await.unwrap();
    w.work().await;
    w.agrees(id).await;
    w.clock.set(monday() + Duration::hours(47));
    w.work().await;
    assert_eq!(w.gateway.net(), 13_797, "a fifth of the new price: {:#?}", w.gateway.seen());
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.net(), 68_985);
    sound(&w).await;
}

/// Chaos saw reconcile name it: the move was done before its 48-hour charge could be made, and reopened.
#[tokio::test]
async fn a_reopened_move_was_charged_on_its_day() {
    let w = World::new(monday()).await;
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    // Nobody works while the clock goes on to the move.
    w.clock.set(lock() + Duration::hours(52));
    status::set(&w.s, &w.staff(), id, Status::Completed, said("done")).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), 57_488);
    status::set(&w.s, &w.staff(), id, Status::Assigned, said("not quite")).await.unwrap();
    w.work().await;
    sound(&w).await;
}
