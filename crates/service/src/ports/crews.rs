//! Who comes: the mates of the directory, and who is on a booking for which half hours.

use chrono::{DateTime, Utc};
use kernel::{BookingId, MateId};

use super::StoreResult;

/// Somebody who may be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mate {
    /// Key.
    pub id: MateId,
    /// First and last name.
    pub name: String,
    /// Hubs they work from; empty = any.
    pub hubs: Vec<String>,
}

/// A mate on a booking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrewMate {
    /// Who.
    pub mate: MateId,
    /// The name when it was assigned: it stays with the move also when the person leaves.
    pub name: String,
    /// Since when.
    pub since: DateTime<Utc>,
}

/// Crews.
pub trait Crews {
    /// The mates of the directory who may be sent, by id: active, and not locked out.
    fn mates(&mut self) -> StoreResult<Vec<Mate>>;
    /// One transaction at a time chooses mates, until its commit: two that choose at once would choose
    /// the same.
    fn lock(&mut self) -> StoreResult<()>;
    /// Who is taken in some half hour from the first to the last of these (they follow each other).
    fn taken(&mut self, half_hours: &[DateTime<Utc>]) -> StoreResult<Vec<MateId>>;
    /// How many bookings each mate is on in [from, until); who has none is not listed.
    fn jobs(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<(MateId, i64)>>;
    /// Who is on a booking, the longest first, then by id.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<CrewMate>>;
    /// The half hours a booking takes of each of its mates, by mate, then by time.
    fn times(&mut self, id: BookingId) -> StoreResult<Vec<(MateId, DateTime<Utc>)>>;
    /// The bookings that have not taken place and that a mate is on, by id.
    fn live_of(&mut self, mate: MateId) -> StoreResult<Vec<BookingId>>;
    /// Puts a mate on a booking for these half hours. `Duplicate` when another booking has one of them.
    fn put(&mut self, id: BookingId, mate: &CrewMate, half_hours: &[DateTime<Utc>]) -> StoreResult<()>;
    /// Takes a mate, and the time he was taken for, off a booking.
    fn release(&mut self, id: BookingId, mate: MateId) -> StoreResult<()>;
}
