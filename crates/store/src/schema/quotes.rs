//! Quotes that were mailed.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
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
    }
}
