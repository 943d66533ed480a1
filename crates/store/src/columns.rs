//! Column types of our own: uuid, timestamptz and jsonb on PostgreSQL, text on SQLite.
//!
//! On SQLite an instant is written with a fixed width, so that the order of the text is the order
//! of time; both engines keep microseconds.

use std::io::Write as _;

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::{
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    pg::{Pg, PgValue},
    query_builder::QueryId,
    serialize::{self, IsNull, Output, ToSql},
    sql_types::{SqlType, Text, Timestamp, Timestamptz},
    sqlite::{Sqlite, SqliteValue},
};
use serde::{Serialize, de::DeserializeOwned};
use service::ports::{StoreError, StoreResult};
use uuid::Uuid;

use crate::error::bad;

/// A UUID column.
#[derive(SqlType, QueryId)]
#[diesel(postgres_type(oid = 2950, array_oid = 2951), sqlite_type(name = "Text"))]
pub struct SqlId;

/// A JSON column.
#[derive(SqlType, QueryId)]
#[diesel(postgres_type(oid = 3802, array_oid = 3807), sqlite_type(name = "Text"))]
pub struct SqlDoc;

/// An instant column.
#[derive(SqlType, QueryId)]
#[diesel(postgres_type(oid = 1184, array_oid = 1185), sqlite_type(name = "Text"))]
pub struct SqlInstant;

/// A UUID value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, AsExpression, FromSqlRow)]
#[diesel(sql_type = SqlId)]
pub struct Id(pub Uuid);

/// A JSON value as text; read into its type once, with [`Doc::read`].
#[derive(Debug, Clone, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = SqlDoc)]
pub struct Doc(String);

/// An instant, UTC, to the microsecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = SqlInstant)]
pub struct Instant(pub DateTime<Utc>);

impl Doc {
    /// The JSON form of a value.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> StoreResult<Doc> {
        serde_json::to_string(value).map(Doc).map_err(|e| StoreError::Other(format!("a value has no JSON form: {e}")))
    }

    /// The value; a document that does not fit names where it is stored.
    pub fn read<T: DeserializeOwned>(&self, table: &'static str, column: &'static str, row: &impl ToString) -> StoreResult<T> {
        serde_json::from_str(&self.0).map_err(bad(table, column, row))
    }
}

impl ToSql<SqlId, Sqlite> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.to_string());
        Ok(IsNull::No)
    }
}

impl FromSql<SqlId, Sqlite> for Id {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(Id(Uuid::parse_str(&<String as FromSql<Text, Sqlite>>::from_sql(value)?)?))
    }
}

impl ToSql<SqlDoc, Sqlite> for Doc {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.as_str());
        Ok(IsNull::No)
    }
}

impl FromSql<SqlDoc, Sqlite> for Doc {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(Doc(<String as FromSql<Text, Sqlite>>::from_sql(value)?))
    }
}

impl ToSql<SqlInstant, Sqlite> for Instant {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.naive_utc().format("%F %T%.6f").to_string());
        Ok(IsNull::No)
    }
}

impl FromSql<SqlInstant, Sqlite> for Instant {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(Instant(<NaiveDateTime as FromSql<Timestamp, Sqlite>>::from_sql(value)?.and_utc()))
    }
}

impl ToSql<SqlId, Pg> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(self.0.as_bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<SqlId, Pg> for Id {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Id(Uuid::from_slice(value.as_bytes())?))
    }
}

impl ToSql<SqlDoc, Pg> for Doc {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        // The binary form of jsonb is a version byte and the text.
        out.write_all(&[1])?;
        out.write_all(self.0.as_bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<SqlDoc, Pg> for Doc {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        match value.as_bytes() {
            [1, json @ ..] => Ok(Doc(std::str::from_utf8(json)?.to_owned())),
            _ => Err("unsupported jsonb version".into()),
        }
    }
}

impl ToSql<SqlInstant, Pg> for Instant {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        <DateTime<Utc> as ToSql<Timestamptz, Pg>>::to_sql(&self.0, &mut out.reborrow())
    }
}

impl FromSql<SqlInstant, Pg> for Instant {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Instant(<DateTime<Utc> as FromSql<Timestamptz, Pg>>::from_sql(value)?))
    }
}
