//! The tables as diesel sees them, in the groups of the migrations.

mod capacity;
mod identity;
mod money;
mod moves;
mod work;

pub use capacity::*;
pub use identity::*;
pub use money::*;
pub use moves::*;
pub use work::*;

diesel::allow_tables_to_appear_in_same_query!(bookings, payments);
diesel::allow_tables_to_appear_in_same_query!(bookings, payment_attempts);
