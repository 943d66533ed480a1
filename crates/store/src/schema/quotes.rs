//! Quotes that were mailed, and those that a person is asked for.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    saved_quotes (id) {
        id -> SqlId,
        token_hash -> Text,
        email -> Text,
        language -> Text,
        draft -> Text,
        digest -> Text,
        rate_id -> SqlId,
        travel_minutes -> Integer,
        distance_km10 -> Integer,
        move_date -> Date,
        move_time -> Time,
        zone -> Text,
        from_city -> Text,
        to_city -> Text,
        total_cents -> BigInt,
        made_at -> SqlInstant,
        valid_until -> SqlInstant,
        discount_id -> Nullable<SqlId>,
        discount -> Nullable<SqlDoc>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    quote_requests (id) {
        id -> SqlId,
        state -> Text,
        name -> Text,
        email -> Nullable<Text>,
        phone -> Nullable<Text>,
        language -> Text,
        call_at -> Text,
        obstacles -> SqlDoc,
        draft -> Text,
        move_date -> Nullable<Date>,
        from_city -> Text,
        to_city -> Text,
        found_by -> Text,
        taken_by -> Nullable<SqlId>,
        booking_id -> Nullable<SqlId>,
        made_at -> SqlInstant,
        changed_at -> SqlInstant,
        version -> Integer,
    }
}
