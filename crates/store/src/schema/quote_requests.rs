//! Requests for a quote that a person makes.

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
