//! Rate cards, discount codes, bookings and their history.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    rates (id) {
        id -> SqlId,
        name -> Text,
        version -> Integer,
        effective_from -> SqlInstant,
        effective_to -> Nullable<SqlInstant>,
        card -> SqlDoc,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    discounts (id) {
        id -> SqlId,
        code -> Text,
        terms_kind -> Text,
        share_bp -> Nullable<BigInt>,
        amount_cents -> Nullable<BigInt>,
        valid_from -> Date,
        valid_until -> Date,
        max_uses -> Nullable<Integer>,
        uses -> Integer,
        provinces -> SqlDoc,
        kinds -> SqlDoc,
        disabled -> Bool,
        created_at -> SqlInstant,
        version -> Integer,
        bookable_from -> Nullable<Date>,
        bookable_until -> Nullable<Date>,
        max_uses_per_customer -> Nullable<Integer>,
        first_booking_only -> Bool,
        found_by -> Text,
        promised_uses -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    discount_uses (discount_id, booking_id) {
        discount_id -> SqlId,
        booking_id -> SqlId,
        user_id -> SqlId,
        taken_at -> SqlInstant,
        returned_at -> Nullable<SqlInstant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    bookings (id) {
        id -> SqlId,
        short_id -> Text,
        user_id -> SqlId,
        partner_id -> Nullable<SqlId>,
        status -> Text,
        version -> Integer,
        language -> Text,
        created_at -> SqlInstant,
        updated_at -> SqlInstant,
        move_at -> SqlInstant,
        move_date -> Date,
        move_time -> Time,
        zone -> Text,
        hub -> Text,
        province -> Text,
        move_kind -> Text,
        mate_count -> Integer,
        client_as_mate -> Bool,
        just_mates -> Bool,
        ride_along -> Bool,
        duration_minutes -> Integer,
        distance_km10 -> Integer,
        tier -> Integer,
        amount_cents -> BigInt,
        tax_cents -> BigInt,
        total_cents -> BigInt,
        discount_code -> Nullable<Text>,
        details -> SqlDoc,
        completed_at -> Nullable<SqlInstant>,
        cancelled_at -> Nullable<SqlInstant>,
        search -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    booking_status_changes (seq) {
        seq -> BigInt,
        booking_id -> SqlId,
        from_status -> Nullable<Text>,
        to_status -> Text,
        actor -> Nullable<SqlId>,
        role -> Text,
        at -> SqlInstant,
        reason -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    booking_revisions (seq) {
        seq -> BigInt,
        booking_id -> SqlId,
        version -> Integer,
        at -> SqlInstant,
        actor -> Nullable<SqlId>,
        role -> Text,
        changes -> SqlDoc,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    checkouts (booking_id) {
        booking_id -> SqlId,
        subject -> SqlId,
        user_id -> SqlId,
        order_id -> Text,
        state -> Text,
        plan -> SqlDoc,
        idempotency_scope -> Nullable<Text>,
        idempotency_key -> Nullable<Text>,
        created_at -> SqlInstant,
        sent_at -> SqlInstant,
    }
}
