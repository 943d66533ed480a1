//! The booking desk: what staff look up and write down about anybody's booking. What they do to a move is in
//! [`crate::bookings`].

pub mod accounting;
pub mod aged;
pub mod books;
pub mod changes;
pub mod credits;
pub mod disputes;
pub mod export;
pub mod failed;
pub mod lists;
pub mod months;
pub mod notes;
pub mod overtime;
pub mod people;
pub mod received;
pub mod record;
pub mod rows;
pub mod texts;
pub mod trail;
pub mod views;
