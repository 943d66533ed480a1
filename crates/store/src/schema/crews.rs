//! Who is on a booking, and for which half hours.

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
