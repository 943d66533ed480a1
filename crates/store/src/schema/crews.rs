//! Who is on a booking, for which time, with which truck, and what they did.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    booking_crews (booking_id, mate_id) {
        booking_id -> SqlId,
        mate_id -> SqlId,
        name -> Text,
        since -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    crew_times (mate_id, half_hour) {
        mate_id -> SqlId,
        half_hour -> SqlInstant,
        booking_id -> SqlId,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    crew_spans (booking_id, mate_id) {
        booking_id -> SqlId,
        mate_id -> SqlId,
        from_at -> SqlInstant,
        until_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    truck_spans (booking_id) {
        booking_id -> SqlId,
        truck_id -> SqlId,
        name -> Text,
        from_at -> SqlInstant,
        until_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    crew_acts (booking_id, mate_id, act, at) {
        booking_id -> SqlId,
        mate_id -> SqlId,
        act -> Text,
        at -> SqlInstant,
        told_at -> SqlInstant,
    }
}
