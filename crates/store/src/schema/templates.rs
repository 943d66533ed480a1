//! Message templates that staff saved in place of the shipped ones.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    message_templates (message_type, language, version) {
        message_type -> Text,
        language -> Text,
        version -> Integer,
        subject -> Nullable<Text>,
        body -> Nullable<Text>,
        html -> Nullable<Text>,
        attachment -> Nullable<Bool>,
        changed_at -> SqlInstant,
        changed_by -> Nullable<SqlId>,
    }
}
