//! Crews by name: the exact time of mates and trucks, and what mates do on the day.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{BookingId, MateId, TruckId};

use super::{StoreResult, crews::CrewMate};

/// The time a booking takes of somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Whose.
    pub booking: BookingId,
    /// From.
    pub from: DateTime<Utc>,
    /// Until, the shortest way to anywhere else included.
    pub until: DateTime<Utc>,
}

/// The truck of a booking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TruckUse {
    /// Which.
    pub truck: TruckId,
    /// The name when it was sent.
    pub name: String,
}

/// What a mate says of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// He comes.
    Accept,
    /// He does not.
    Decline,
    /// He begins.
    Start,
    /// He is done.
    Finish,
}

impl Act {
    /// All of them.
    pub const ALL: [Act; 4] = [Act::Accept, Act::Decline, Act::Start, Act::Finish];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Act::Accept => "accept",
            Act::Decline => "decline",
            Act::Start => "start",
            Act::Finish => "finish",
        }
    }

    /// The act of a code.
    pub fn from_code(code: &str) -> Option<Act> {
        Act::ALL.into_iter().find(|act| act.code() == code)
    }
}

/// An act, with its instant and the one we heard of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// Of which booking.
    pub booking: BookingId,
    /// Who.
    pub mate: MateId,
    /// What.
    pub act: Act,
    /// When.
    pub at: DateTime<Utc>,
    /// When we heard.
    pub told_at: DateTime<Utc>,
}

/// Dispatch.
pub trait Dispatches {
    /// Takes a mate of a booking's crew for a time. `Duplicate` when another booking has some of it.
    fn take_mate(&mut self, mate: MateId, span: Span) -> StoreResult<()>;
    /// Who is taken for some of [from, until), by mate and time.
    fn mate_spans(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<(MateId, Span)>>;
    /// Takes a truck for a time, as [`Dispatches::take_mate`]; the booking has no other.
    fn take_truck(&mut self, truck: &TruckUse, span: Span) -> StoreResult<()>;
    /// Takes the truck off a booking.
    fn release_truck(&mut self, id: BookingId) -> StoreResult<()>;
    /// The trucks taken for some of [from, until), by truck and time.
    fn truck_spans(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<(TruckId, Span)>>;
    /// The trucks of these bookings.
    fn trucks_of(&mut self, ids: &[BookingId]) -> StoreResult<Vec<(BookingId, TruckUse)>>;
    /// The crews of these bookings, by booking, the longest on it first.
    fn crews_of(&mut self, ids: &[BookingId]) -> StoreResult<Vec<(BookingId, CrewMate)>>;
    /// The bookings of these local days that take place or took place, of a hub or of all, by their start; no more than `limit`.
    fn of_days(
        &mut self,
        hub: Option<&str>,
        first: NaiveDate,
        last: NaiveDate,
        limit: i64,
    ) -> StoreResult<Vec<BookingId>>;
    /// Whether a booking of a hub that is not cancelled starts at `since` or later.
    fn has_jobs(&mut self, hub: &str, since: DateTime<Utc>) -> StoreResult<bool>;
    /// The bookings a mate is on that start at `from` or later and are not cancelled, by their start; no more than `limit`.
    fn jobs_of(&mut self, mate: MateId, from: DateTime<Utc>, limit: i64) -> StoreResult<Vec<BookingId>>;
    /// What was done of these bookings, in the order of the acts.
    fn acts_of(&mut self, ids: &[BookingId]) -> StoreResult<Vec<Done>>;
    /// Writes an act down; false when it was written down before.
    fn write_act(&mut self, done: &Done) -> StoreResult<bool>;
}
