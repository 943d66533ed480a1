//! When Portage can come, what a booking occupies, and whether there is room.
//!
//! Pure: instants in UTC come in as parameters and go out as values. Slots are generated in the
//! pickup's local time; policies elsewhere count elapsed hours on UTC.
//!
//! The way of a request: [`start_times`] lists the starts of a day, [`check_start`] accepts one and
//! gives its instant, [`occupancy`] widens it by travel and buffers, [`buckets`] names the half
//! hours it touches, and [`assign_truck`] decides over all of them at once. Who goes where on a day is
//! planned by [`day`].
#![warn(missing_docs)]

mod buckets;
mod capacity;
mod cutoffs;
pub mod day;
mod hold;
mod holidays;
mod occupancy;
mod settings;
mod starts;

pub use buckets::{BUCKET_MINUTES, BucketKey, bucket_start, buckets, buckets_in_day, half_hours};
pub use capacity::{Capacity, NoRoom, assign_truck, fits};
pub use cutoffs::{ASSIGN_ALARM_HOURS, ASSIGN_WARNING_HOURS, CONFIRM_HOURS, REMINDER_HOURS, hours_before};
pub use hold::{HOLD_EXTENSION_MINUTES, HOLD_TTL_MINUTES, extended_expiry, hold_expiry};
pub use holidays::{Holiday, closed, holiday, is_statutory};
pub use occupancy::{Occupancy, OccupancyRequest, TruckClass, buffer_between, occupancy};
pub use settings::{Arrival, InvalidSettings, Settings};
pub use starts::{
    DayStart, Refusal, arrival_window, check_kept_start, check_staff_start, check_start, day_starts, earliest_start,
    start_times,
};
