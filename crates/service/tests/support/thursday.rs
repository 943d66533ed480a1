//! The move that most tests of money are about: booked on a Monday for Thursday week, 9 o'clock in Montréal, at a flat
//! rate of $500.00.

use chrono::{DateTime, Utc};
use kernel::BookingId;
use service::ports::payments::{Payment, PaymentKind};

use super::World;

/// With the taxes of Québec, in cents.
pub const TOTAL: i64 = 57_488;
/// A fifth of it.
pub const DEPOSIT: i64 = 11_498;
/// The rest.
pub const BALANCE: i64 = 45_990;

/// When it is booked.
pub fn start() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// 48 hours before it.
pub fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

/// The clock comes to an instant, and everything that is due is done.
pub async fn at(w: &World, instant: DateTime<Utc>) {
    w.clock.set(instant);
    w.work().await;
}

/// What was charged and given back, and what will be.
pub async fn rows(w: &World, id: BookingId) -> Vec<Payment> {
    w.read(move |u| u.payments().of_booking(id)).await
}

/// The newest row of a kind.
pub async fn row(w: &World, id: BookingId, kind: PaymentKind) -> Payment {
    rows(w, id).await.into_iter().rfind(|r| r.kind == kind).unwrap()
}
