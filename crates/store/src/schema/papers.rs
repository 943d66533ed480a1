//! Invoices.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    invoices (id) {
        seq -> BigInt,
        id -> SqlId,
        booking_id -> Nullable<SqlId>,
        partner_id -> Nullable<SqlId>,
        purpose -> Text,
        state -> Text,
        series -> Nullable<Text>,
        place -> Nullable<Integer>,
        number -> Nullable<Text>,
        credits -> Nullable<SqlId>,
        total_cents -> BigInt,
        words -> Text,
        edits -> SqlDoc,
        paper -> Nullable<SqlDoc>,
        receipt -> Nullable<SqlDoc>,
        reason -> Nullable<Text>,
        issued_at -> Nullable<SqlInstant>,
        due_at -> Nullable<SqlInstant>,
        sent_at -> Nullable<SqlInstant>,
        paid_at -> Nullable<SqlInstant>,
        voided_at -> Nullable<SqlInstant>,
        reminders -> Integer,
        version -> Integer,
        created_at -> SqlInstant,
        updated_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::SqlId;
    invoice_bookings (invoice_id, booking_id) {
        invoice_id -> SqlId,
        booking_id -> SqlId,
        live -> Bool,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    invoice_series (series) {
        series -> Text,
        last -> Integer,
    }
}
