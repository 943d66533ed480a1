//! Text messages: handings over, and wishes; who wants no commercial e-mail.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    sms_sends (id) {
        seq -> BigInt,
        id -> SqlId,
        message_id -> SqlId,
        begun_at -> SqlInstant,
        made_at -> SqlInstant,
        body_hash -> Text,
        sid -> Nullable<Text>,
        status -> Nullable<Text>,
        error_code -> Nullable<Integer>,
        is_over -> Bool,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::SqlInstant;
    sms_wishes (seq) {
        seq -> BigInt,
        sid -> Text,
        phone -> Text,
        stops -> Bool,
        at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    mail_links (id) {
        id -> SqlId,
        token_hash -> Text,
        email -> Text,
        language -> Text,
        made_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::SqlInstant;
    mail_wishes (seq) {
        seq -> BigInt,
        email_key -> Text,
        stops -> Bool,
        way -> Text,
        at -> SqlInstant,
    }
}
