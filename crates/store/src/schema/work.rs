//! Jobs, messages, answers already given and the audit trail.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    jobs (id) {
        seq -> BigInt,
        id -> SqlId,
        kind -> Text,
        payload -> SqlDoc,
        run_at -> SqlInstant,
        dedup_key -> Nullable<Text>,
        attempts -> Integer,
        failures -> Integer,
        max_attempts -> Integer,
        state -> Text,
        locked_by -> Nullable<Text>,
        locked_until -> Nullable<SqlInstant>,
        last_error -> Nullable<Text>,
        finished_at -> Nullable<SqlInstant>,
        held_until -> Nullable<SqlInstant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    messages (id) {
        seq -> BigInt,
        id -> SqlId,
        dedup_key -> Text,
        booking_id -> Nullable<SqlId>,
        user_id -> Nullable<SqlId>,
        message_type -> Text,
        language -> Text,
        recipient -> Text,
        recipient_name -> Text,
        template_values -> SqlDoc,
        state -> Text,
        created_at -> SqlInstant,
        sent_at -> Nullable<SqlInstant>,
        channel -> Text,
        attempts -> Integer,
        last_error -> Nullable<Text>,
        provider_id -> Nullable<Text>,
        subject -> Nullable<Text>,
        body -> Nullable<Text>,
        html -> Nullable<Text>,
        arrival -> Nullable<Text>,
        segments -> Nullable<Integer>,
        trouble -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlInstant};
    idempotency_answers (scope, key) {
        scope -> Text,
        key -> Text,
        body_hash -> Text,
        status -> Integer,
        answer -> SqlDoc,
        created_at -> SqlInstant,
        expires_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    audit_rows (id) {
        seq -> BigInt,
        id -> SqlId,
        at -> SqlInstant,
        actor -> Nullable<SqlId>,
        role -> Text,
        action -> Text,
        subject_kind -> Text,
        subject_id -> Text,
        state_before -> Nullable<SqlDoc>,
        state_after -> Nullable<SqlDoc>,
        request_id -> Nullable<Text>,
    }
}
