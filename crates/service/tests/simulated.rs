//! What the simulation found, each as the shortest story that shows it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    billing::{self, reconcile},
    bookings::{Draft, cancel, checkout, edit::{EditInput, edit}, status},
    jobs,
    ports::payments::{GatewayKind, GatewayStatus, GatewayTransaction, PaymentKind},
};
use status_machine::booking::Status;
use support::{Next, World, draft};

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

fn said(reason: &str) -> status::Said {
    status::Said { reason: Some(reason.into()), ..status::Said::default() }
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
    let open = w.read(|u| u.bookings().checkouts_in("charging")).await.remove(0);
    checkout::recover(&w.s, open.booking_id).await.unwrap();
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
    status::set(&w.s, &w.ops, id, Status::Completed, said("done")).await.unwrap();
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
    jobs::run_due(&w.s, "w").await.unwrap();
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
    assert_eq!(b.details.cancelled_by.as_deref(), Some("customer"));
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
    status::set(&w.s, &w.ops, id, Status::Pending, said("they want it after all")).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498], "a fifth, once");
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.net(), 57_488);
    sound(&w).await;
}
