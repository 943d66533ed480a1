//! Comparisons of the accounts, and the differences that they found.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    comparisons (id) {
        seq -> BigInt,
        id -> SqlId,
        from_at -> SqlInstant,
        until_at -> SqlInstant,
        at -> SqlInstant,
        asked_by -> Nullable<SqlId>,
        transactions -> BigInt,
        attempts -> BigInt,
        bookings -> BigInt,
        differences -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    comparison_differences (id) {
        seq -> BigInt,
        id -> SqlId,
        comparison_id -> SqlId,
        booking_id -> Nullable<SqlId>,
        difference -> SqlDoc,
        repair -> Nullable<SqlDoc>,
        standing -> Text,
        changed_at -> SqlInstant,
        changed_by -> Nullable<SqlId>,
    }
}
