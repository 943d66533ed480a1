//! Who goes where with which truck: the board, crews by name, who would be good, what mates see, say and keep on
//! record, and the day on paper.

pub mod alarms;
pub mod auto;
pub mod board;
mod confirm;
pub mod crew_notes;
mod day;
pub mod hours;
pub mod jobs;
pub mod name;
pub mod sheet;
pub mod suggest;

use crate::ports::bookings::Booking;

/// Where the dashboard shows a job among those of its day, its crew to be chosen.
fn page_of(b: &Booking) -> String {
    format!("dispatch?hub={}&day={}&job={}", b.hub, b.move_date, b.id)
}
