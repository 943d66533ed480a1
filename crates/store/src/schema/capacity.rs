//! The calendar, absences, buckets, and holds.

diesel::table! {
    use diesel::sql_types::*;
    capacity_defaults (hub, weekday) {
        hub -> Text,
        weekday -> Integer,
        mates -> Integer,
        trucks_10 -> Integer,
        trucks_20 -> Integer,
        trucks_26 -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    capacity_overrides (hub, date) {
        hub -> Text,
        date -> Date,
        mates -> Integer,
        trucks_10 -> Integer,
        trucks_20 -> Integer,
        trucks_26 -> Integer,
        reason -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    calendar_weeks (hub) {
        hub -> Text,
        version -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    absences (id) {
        id -> SqlId,
        hub -> Text,
        mate_id -> Nullable<SqlId>,
        truck_id -> Nullable<SqlId>,
        truck_feet -> Nullable<Integer>,
        first_day -> Date,
        last_day -> Date,
        reason -> Text,
        created_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    capacity_buckets (hub, date, bucket) {
        hub -> Text,
        date -> Date,
        bucket -> Integer,
        mates_total -> Integer,
        mates_used -> Integer,
        trucks_10_total -> Integer,
        trucks_10_used -> Integer,
        trucks_20_total -> Integer,
        trucks_20_used -> Integer,
        trucks_26_total -> Integer,
        trucks_26_used -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    holds (id) {
        id -> SqlId,
        hub -> Text,
        date -> Date,
        time -> Time,
        zone -> Text,
        starts_at -> SqlInstant,
        occupied_from -> SqlInstant,
        occupied_until -> SqlInstant,
        mates -> Integer,
        truck_feet -> Nullable<Integer>,
        buckets -> SqlDoc,
        duration_minutes -> Integer,
        state -> Text,
        expires_at -> SqlInstant,
        rate_id -> Nullable<SqlId>,
        booking_id -> Nullable<SqlId>,
        created_at -> SqlInstant,
        browser -> Nullable<Text>,
        origin -> Nullable<Text>,
    }
}
