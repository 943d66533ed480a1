//! What lists of bookings go by, and records as they were.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    booking_facts (booking_id) {
        booking_id -> SqlId,
        status -> Text,
        move_at -> SqlInstant,
        created_at -> SqlInstant,
        payment_problem -> Bool,
        payment_state -> Text,
        crew_size -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    booking_records (booking_id, version) {
        booking_id -> SqlId,
        version -> Integer,
        replaced_at -> SqlInstant,
        record -> SqlDoc,
    }
}
