//! Pages of long lists: the next page begins after a row, not after a number of rows, so that the last page costs what
//! the first one does and a row that comes or goes meanwhile shifts nothing.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, PartnerId, Province};
use pricing::MoveKind;
use status_machine::booking::Status;

use super::{bookings::PaidBy, facts::PaymentState};

/// In which order bookings are listed. Bookings of one instant are in the order of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The next move first.
    MoveAt,
    /// The move furthest ahead first.
    MoveAtDescending,
    /// The oldest booking first.
    CreatedAt,
    /// The newest booking first.
    CreatedAtDescending,
}

/// A row of a list of bookings by its place in an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The order it is a place in.
    pub order: Order,
    /// Start of the move, or when it was booked: what the order is by.
    pub at: DateTime<Utc>,
    /// The booking.
    pub id: BookingId,
}

/// Where a page begins. A cursor brings its own order, so that it is never read in another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// At the first row of an order.
    First(Order),
    /// After a row.
    After(Cursor),
}

impl Start {
    /// The order of the list.
    pub const fn order(self) -> Order {
        match self {
            Start::First(order) => order,
            Start::After(cursor) => cursor.order,
        }
    }
}

/// Rows of a list from some place on.
#[derive(Debug, Clone, PartialEq)]
pub struct Slice<T> {
    /// The rows.
    pub data: Vec<T>,
    /// Where the next rows begin; none at the end.
    pub next: Option<Cursor>,
}

/// From one value to another, both included; none = without that end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span<T> {
    /// The least.
    pub least: Option<T>,
    /// The most.
    pub most: Option<T>,
}

impl<T> Default for Span<T> {
    fn default() -> Self {
        Span { least: None, most: None }
    }
}

/// Which bookings staff want to see: all of it must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// One of these; empty = every one but deleted.
    pub statuses: Vec<Status>,
    /// One of these; empty = any.
    pub payment_states: Vec<PaymentState>,
    /// Paid in one of these ways; empty = any.
    pub paid_by: Vec<PaidBy>,
    /// A move that will take place and has nobody, or the others.
    pub unassigned: Option<bool>,
    /// From this start of the move on.
    pub moves_from: Option<DateTime<Utc>>,
    /// Before this start of the move.
    pub moves_before: Option<DateTime<Utc>>,
    /// Local day of the move.
    pub days: Span<NaiveDate>,
    /// Local day and start of the move.
    pub slot: Option<(NaiveDate, NaiveTime)>,
    /// Booked from this instant on.
    pub created_from: Option<DateTime<Utc>>,
    /// Booked before this instant.
    pub created_before: Option<DateTime<Utc>>,
    /// Tenths of km.
    pub distance_km10: Span<u32>,
    /// Minutes.
    pub duration: Span<u32>,
    /// Paid mates.
    pub mates: Span<u32>,
    /// Size class.
    pub tiers: Span<u32>,
    /// Of this partner.
    pub partner: Option<PartnerId>,
    /// The customer rides along, or does not.
    pub ride_along: Option<bool>,
    /// Without a truck, or with one.
    pub just_mates: Option<bool>,
    /// The customer helps, or does not.
    pub client_as_mate: Option<bool>,
    /// Province of the pickup.
    pub province: Option<Province>,
    /// Hub of the crew.
    pub hub: Option<String>,
    /// One of these; empty = any.
    pub kinds: Vec<MoveKind>,
    /// Each begins a word of the booking ([`super::words`]).
    pub words: Vec<String>,
    /// They are whole words of it.
    pub whole_words: bool,
}

/// How many rows a list has, as far as they are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// So many, or as far as was counted.
    pub total: i64,
    /// There are no more than that.
    pub is_exact: bool,
}

/// A row of a list, without what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The booking.
    pub id: BookingId,
    /// Start of the move.
    pub move_at: DateTime<Utc>,
    /// Its status.
    pub status: Status,
}
