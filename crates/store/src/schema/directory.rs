//! Mates, partners and trucks.

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    mates (id) {
        seq -> BigInt,
        id -> SqlId,
        name -> Text,
        address -> Nullable<SqlDoc>,
        phone -> Text,
        email -> Text,
        neq -> Nullable<Text>,
        tps -> Nullable<Text>,
        tvq -> Nullable<Text>,
        state -> Text,
        skills -> SqlDoc,
        languages -> SqlDoc,
        hubs -> SqlDoc,
        documents -> SqlDoc,
        pay_rate_cents -> Nullable<BigInt>,
        version -> Integer,
        created_at -> SqlInstant,
        updated_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlDoc, SqlId, SqlInstant};
    partners (id) {
        seq -> BigInt,
        id -> SqlId,
        name -> Text,
        addresses -> SqlDoc,
        contacts -> SqlDoc,
        rate_name -> Nullable<Text>,
        net_days -> Integer,
        language -> Nullable<Text>,
        state -> Text,
        version -> Integer,
        created_at -> SqlInstant,
        updated_at -> SqlInstant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    trucks (id) {
        id -> SqlId,
        name -> Text,
        feet -> Integer,
        hub -> Text,
        plate -> Text,
        inspected_until -> Nullable<Date>,
        insured_until -> Nullable<Date>,
        state -> Text,
        version -> Integer,
        created_at -> SqlInstant,
        updated_at -> SqlInstant,
    }
}
