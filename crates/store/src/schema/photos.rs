//! Photos.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    booking_photos (id) {
        id -> SqlId,
        booking_id -> SqlId,
        added_by -> SqlId,
        added_at -> SqlInstant,
        width -> Integer,
        height -> Integer,
        bytes -> Integer,
        jpeg -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    crew_photos (id) {
        id -> SqlId,
        booking_id -> SqlId,
        mate_id -> SqlId,
        stage -> Text,
        taken_at -> SqlInstant,
        added_at -> SqlInstant,
        digest -> Text,
        width -> Integer,
        height -> Integer,
        bytes -> Integer,
        jpeg -> Binary,
    }
}
