//! Which installation a database belongs to.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::SqlInstant;
    installation (id) {
        id -> Integer,
        mode -> Text,
        place -> Text,
        public_url -> Text,
        adopted_at -> SqlInstant,
    }
}
