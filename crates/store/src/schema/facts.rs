//! Facts that lists of bookings filter by, earlier versions of bookings, notes, and kept lists.

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
        move_date -> Date,
        move_time -> Time,
        hub -> Text,
        province -> Text,
        move_kind -> Text,
        mate_count -> Integer,
        duration_minutes -> Integer,
        distance_km10 -> Integer,
        tier -> Integer,
        partner_id -> Nullable<SqlId>,
        client_as_mate -> Bool,
        just_mates -> Bool,
        ride_along -> Bool,
        words_version -> Integer,
        paid_by -> Text,
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

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId};
    booking_copies (booking_id) {
        booking_id -> SqlId,
        copy -> SqlDoc,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::SqlId;
    booking_words (word, booking_id) {
        word -> Text,
        booking_id -> SqlId,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    booking_notes (id) {
        seq -> BigInt,
        id -> SqlId,
        booking_id -> SqlId,
        visibility -> Text,
        body -> Text,
        author -> Nullable<SqlId>,
        role -> Text,
        created_at -> SqlInstant,
        mate_id -> Nullable<SqlId>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    saved_views (id) {
        id -> SqlId,
        owner -> SqlId,
        name -> Text,
        shared -> Bool,
        filters -> SqlDoc,
        sort -> Nullable<Text>,
        value -> Nullable<Text>,
        version -> Integer,
        created_at -> SqlInstant,
        updated_at -> SqlInstant,
    }
}
