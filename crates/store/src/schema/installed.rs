//! Which installation a database belongs to, and the settings that were saved.

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

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    settings (area, version) {
        area -> Text,
        version -> Integer,
        saved -> SqlDoc,
        changed_at -> SqlInstant,
        changed_by -> Nullable<SqlId>,
    }
}
