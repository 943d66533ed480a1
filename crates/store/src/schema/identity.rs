//! Who can sign in, and the profile behind each account.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    accounts (id) {
        id -> SqlId,
        issuer -> Text,
        subject -> Text,
        email -> Nullable<Text>,
        email_verified -> Bool,
        terms_accepted_at -> Nullable<SqlInstant>,
        created_at -> SqlInstant,
        updated_at -> SqlInstant,
        disabled_at -> Nullable<SqlInstant>,
        merged_into -> Nullable<SqlId>,
        merged_at -> Nullable<SqlInstant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    credentials (user_id) {
        user_id -> SqlId,
        email_key -> Text,
        password_hash -> Text,
        password_changed_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    sessions (id) {
        id -> SqlId,
        token_hash -> Text,
        user_id -> SqlId,
        authenticated_at -> SqlInstant,
        created_at -> SqlInstant,
        last_seen_at -> SqlInstant,
        expires_at -> SqlInstant,
        ended_at -> Nullable<SqlInstant>,
        end_reason -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    authorization_codes (code_hash) {
        code_hash -> Text,
        grant_id -> SqlId,
        client_id -> Text,
        redirect_uri -> Text,
        user_id -> SqlId,
        session_id -> SqlId,
        scope -> Text,
        nonce -> Nullable<Text>,
        code_challenge -> Text,
        authenticated_at -> SqlInstant,
        created_at -> SqlInstant,
        expires_at -> SqlInstant,
        redeemed_at -> Nullable<SqlInstant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    grants (id) {
        id -> SqlId,
        client_id -> Text,
        user_id -> SqlId,
        session_id -> SqlId,
        scope -> Text,
        authenticated_at -> SqlInstant,
        created_at -> SqlInstant,
        expires_at -> SqlInstant,
        revoked_at -> Nullable<SqlInstant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    refresh_tokens (token_hash) {
        token_hash -> Text,
        grant_id -> SqlId,
        created_at -> SqlInstant,
        spent_at -> Nullable<SqlInstant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    one_time_tokens (token_hash) {
        token_hash -> Text,
        user_id -> SqlId,
        purpose -> Text,
        email_key -> Text,
        created_at -> SqlInstant,
        expires_at -> SqlInstant,
        spent_at -> Nullable<SqlInstant>,
        booking_id -> Nullable<SqlId>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::SqlInstant;
    sign_in_throttles (key_hash) {
        key_hash -> Text,
        failures -> Integer,
        last_attempt_at -> SqlInstant,
        locked_until -> Nullable<SqlInstant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    machine_clients (client_id) {
        client_id -> Text,
        secret_hash -> Text,
        partner_id -> SqlId,
        name -> Text,
        created_at -> SqlInstant,
        disabled_at -> Nullable<SqlInstant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    profiles (user_id) {
        user_id -> SqlId,
        first_name -> Text,
        last_name -> Text,
        email -> Text,
        phone -> Text,
        gender -> Text,
        occupation -> Text,
        language -> Text,
        billing_address -> SqlDoc,
        gateway_customer_id -> Nullable<Text>,
        version -> Integer,
        updated_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    members (id) {
        id -> SqlId,
        email -> Text,
        email_key -> Text,
        first_name -> Text,
        last_name -> Text,
        role -> Text,
        partner_id -> Nullable<SqlId>,
        mate_id -> Nullable<SqlId>,
        created_at -> SqlInstant,
        version -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlInstant};
    tallies (counted_by) {
        counted_by -> Text,
        instants -> SqlDoc,
        last_at -> SqlInstant,
    }
}
