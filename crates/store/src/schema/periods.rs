//! Closed months.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    closed_months (month) {
        month -> Text,
        until_at -> SqlInstant,
        open_from -> SqlInstant,
        closed_at -> SqlInstant,
        closed_by -> Nullable<SqlId>,
    }
}
