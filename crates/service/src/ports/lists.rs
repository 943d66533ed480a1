//! Pages of long lists: the next page begins after a row, not after a number of rows, so that the last page costs what
//! the first one does and a row that comes or goes meanwhile shifts nothing.

use chrono::{DateTime, Utc};
use kernel::BookingId;
use status_machine::booking::Status;

use super::facts::PaymentState;

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

/// Which bookings staff want to see. Issue 10's lists ask for them; the other filters of the specification are columns
/// of the booking and come with those lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// One of these; empty = every one but deleted.
    pub statuses: Vec<Status>,
    /// One of these; empty = any.
    pub payment_states: Vec<PaymentState>,
    /// A move that will take place and has nobody, or the others.
    pub unassigned: Option<bool>,
    /// From this start of the move on.
    pub moves_from: Option<DateTime<Utc>>,
    /// Before this start of the move.
    pub moves_before: Option<DateTime<Utc>>,
}
