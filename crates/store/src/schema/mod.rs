//! The tables as diesel sees them, in the groups of the migrations.

mod capacity;
mod crews;
mod identity;
mod installed;
mod money;
mod moves;
mod work;

pub use capacity::*;
pub use crews::*;
pub use identity::*;
pub use installed::*;
pub use money::*;
pub use moves::*;
pub use work::*;

diesel::allow_tables_to_appear_in_same_query!(bookings, payments);
diesel::allow_tables_to_appear_in_same_query!(bookings, payment_attempts);
diesel::allow_tables_to_appear_in_same_query!(booking_crews, bookings);
diesel::allow_tables_to_appear_in_same_query!(accounts, members);
diesel::joinable!(booking_crews -> bookings (booking_id));
