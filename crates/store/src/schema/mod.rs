//! The tables as diesel sees them, in the groups of the migrations.

mod books;
mod capacity;
mod crews;
mod directory;
mod facts;
mod identity;
mod installed;
mod logos;
mod money;
mod moves;
mod papers;
mod photos;
mod templates;
mod work;

pub use books::*;
pub use capacity::*;
pub use crews::*;
pub use directory::*;
pub use facts::*;
pub use identity::*;
pub use installed::*;
pub use logos::*;
pub use money::*;
pub use moves::*;
pub use papers::*;
pub use photos::*;
pub use templates::*;
pub use work::*;

diesel::allow_tables_to_appear_in_same_query!(bookings, ledger_entries);
diesel::allow_tables_to_appear_in_same_query!(bookings, ledger_lines);
diesel::allow_tables_to_appear_in_same_query!(payments, ledger_entries);
diesel::allow_tables_to_appear_in_same_query!(payments, ledger_lines);
diesel::allow_tables_to_appear_in_same_query!(bookings, payments);
diesel::allow_tables_to_appear_in_same_query!(bookings, payment_attempts);
diesel::allow_tables_to_appear_in_same_query!(booking_crews, bookings);
diesel::allow_tables_to_appear_in_same_query!(accounts, members);
diesel::allow_tables_to_appear_in_same_query!(members, mates);
diesel::allow_tables_to_appear_in_same_query!(accounts, mates);
diesel::allow_tables_to_appear_in_same_query!(booking_facts, bookings);
diesel::allow_tables_to_appear_in_same_query!(booking_photos, bookings);
diesel::joinable!(booking_photos -> bookings (booking_id));
diesel::allow_tables_to_appear_in_same_query!(booking_facts, booking_words);
diesel::joinable!(members -> mates (mate_id));
diesel::joinable!(booking_facts -> bookings (booking_id));
diesel::joinable!(booking_crews -> bookings (booking_id));
