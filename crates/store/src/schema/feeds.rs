//! Secret links to calendars.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    calendar_feeds (id) {
        id -> SqlId,
        mate_id -> Nullable<SqlId>,
        hub -> Nullable<Text>,
        token_hash -> Text,
        language -> Text,
        made_by -> SqlId,
        made_at -> SqlInstant,
    }
}
