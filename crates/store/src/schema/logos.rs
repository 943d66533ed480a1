//! Logos of the company.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    company_logos (id) {
        id -> SqlId,
        added_by -> SqlId,
        added_at -> SqlInstant,
        width -> Integer,
        height -> Integer,
        bytes -> Integer,
        png -> Binary,
    }
}
