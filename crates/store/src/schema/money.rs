//! Cards, charges, tips and the ledger.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    cards (id) {
        seq -> BigInt,
        id -> SqlId,
        user_id -> SqlId,
        method_id -> Text,
        brand -> Text,
        last4 -> Text,
        expiry -> Text,
        usable -> Bool,
        created_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    payments (id) {
        seq -> BigInt,
        id -> SqlId,
        booking_id -> SqlId,
        kind -> Text,
        state -> Text,
        amount_cents -> BigInt,
        due_at -> SqlInstant,
        attempts -> Integer,
        next_attempt_at -> Nullable<SqlInstant>,
        refund_of -> Nullable<SqlId>,
        transaction_id -> Nullable<Text>,
        card_last4 -> Nullable<Text>,
        last_message -> Nullable<Text>,
        settled_at -> Nullable<SqlInstant>,
        version -> Integer,
        created_at -> SqlInstant,
        method -> Text,
        reference -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    payment_attempts (order_id) {
        order_id -> Text,
        payment_id -> SqlId,
        number -> Integer,
        amount_cents -> BigInt,
        method_id -> Text,
        state -> Text,
        transaction_id -> Nullable<Text>,
        code -> Nullable<Text>,
        created_at -> SqlInstant,
        sent_at -> SqlInstant,
        resolved_at -> Nullable<SqlInstant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    tips (id) {
        id -> SqlId,
        booking_id -> SqlId,
        kind -> Text,
        value -> Text,
        amount_cents -> BigInt,
        is_paid -> Bool,
        payment_id -> Nullable<SqlId>,
        version -> Integer,
        updated_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    ledger_entries (id) {
        seq -> BigInt,
        id -> SqlId,
        booking_id -> SqlId,
        payment_id -> Nullable<SqlId>,
        at -> SqlInstant,
        kind -> Text,
        fact_key -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::SqlId;
    ledger_lines (entry_id, position) {
        entry_id -> SqlId,
        position -> Integer,
        account -> Text,
        amount_cents -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    money_leases (booking_id) {
        booking_id -> SqlId,
        holder -> Text,
        held_until -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    stray_charges (order_id) {
        order_id -> Text,
        checkout_id -> SqlId,
        transaction_id -> Text,
        amount_cents -> BigInt,
        found_at -> SqlInstant,
        returned_at -> Nullable<SqlInstant>,
        return_id -> Nullable<Text>,
        seq -> BigInt,
    }
}

diesel::joinable!(ledger_lines -> ledger_entries (entry_id));
diesel::joinable!(payment_attempts -> payments (payment_id));
diesel::allow_tables_to_appear_in_same_query!(ledger_lines, ledger_entries);
diesel::joinable!(payment_presses -> payments (payment_id));
diesel::allow_tables_to_appear_in_same_query!(payment_attempts, payments);
diesel::allow_tables_to_appear_in_same_query!(payment_presses, payments);

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    disputes (id) {
        seq -> BigInt,
        id -> SqlId,
        booking_id -> SqlId,
        payment_id -> SqlId,
        gateway_id -> Text,
        state -> Text,
        amount_cents -> BigInt,
        fee_cents -> BigInt,
        reason -> Text,
        case_number -> Nullable<Text>,
        reply_by -> Nullable<SqlInstant>,
        opened_at -> SqlInstant,
        decided_at -> Nullable<SqlInstant>,
        evidence -> SqlDoc,
        version -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    payment_presses (payment_id, number) {
        payment_id -> SqlId,
        number -> Integer,
        at -> SqlInstant,
        pressed_by -> Nullable<SqlId>,
    }
}
