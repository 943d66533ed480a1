//! The booking desk: what staff look up and write down about anybody's booking. What they do to a booking is in
//! [`crate::bookings`].

pub mod changes;
pub mod export;
pub mod lists;
pub mod notes;
pub mod people;
pub mod record;
pub mod rows;
pub mod trail;
pub mod views;
