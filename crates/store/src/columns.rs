//! Column types of our own: uuid, timestamptz and jsonb on PostgreSQL, text on SQLite.
//!
//! On SQLite an instant is written with a fixed width, so that the order of the text is the order
//! of time; both engines keep microseconds.

use std::io::Write as _;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Timelike, Utc};
use diesel::{
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    pg::{Pg, PgValue},
    query_builder::QueryId,
    serialize::{self, IsNull, Output, ToSql},
    sql_types::{SqlType, Text, Timestamptz},
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
    pub fn read<T: DeserializeOwned>(
        &self,
        table: &'static str,
        column: &'static str,
        row: &impl ToString,
    ) -> StoreResult<T> {
        serde_json::from_str(&self.0).map_err(bad(table, column, row))
    }
}

impl ToSql<SqlId, Sqlite> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()).to_owned());
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
        out.set_value(written(self.0.naive_utc()));
        Ok(IsNull::No)
    }
}

impl FromSql<SqlInstant, Sqlite> for Instant {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        let text = <String as FromSql<Text, Sqlite>>::from_sql(value)?;
        let at = fixed(text.as_bytes()).map_or_else(|| NaiveDateTime::parse_from_str(&text, "%F %T%.f"), Ok)?;
        Ok(Instant(at.and_utc()))
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

/// The fixed width that instants are written with, `2027-02-08 14:00:00.000000`. By hand: a row has
/// many of them, and a format that is interpreted takes longer than the query.
fn written(at: NaiveDateTime) -> String {
    let Ok(year) = u32::try_from(at.year()) else { return at.format("%F %T%.6f").to_string() };
    if year > 9_999 {
        return at.format("%F %T%.6f").to_string();
    }
    let mut text = String::with_capacity(26);
    let parts = [
        (year, 1_000, "-"),
        (at.month(), 10, "-"),
        (at.day(), 10, " "),
        (at.hour(), 10, ":"),
        (at.minute(), 10, ":"),
        (at.second(), 10, "."),
        // A leap second's are beyond a million; the database knows no such second.
        ((at.nanosecond() / 1_000).min(999_999), 100_000, ""),
    ];
    for (n, mut place, after) in parts {
        while place > 0 {
            text.push(char::from_digit(n / place % 10, 10).unwrap_or('0'));
            place /= 10;
        }
        text.push_str(after);
    }
    text
}

/// Reads what [`written`] wrote; none for anything else.
fn fixed(text: &[u8]) -> Option<NaiveDateTime> {
    let text: &[u8; 26] = text.try_into().ok()?;
    let marks = [(4, b'-'), (7, b'-'), (10, b' '), (13, b':'), (16, b':'), (19, b'.')];
    if marks.iter().any(|(at, mark)| text[*at] != *mark) {
        return None;
    }
    let number =
        |digits: &[u8]| digits.iter().try_fold(0u32, |n, d| d.is_ascii_digit().then(|| n * 10 + u32::from(*d - b'0')));
    let year = i32::try_from(number(&text[..4])?).ok()?;
    NaiveDate::from_ymd_opt(year, number(&text[5..7])?, number(&text[8..10])?)?.and_hms_micro_opt(
        number(&text[11..13])?,
        number(&text[14..16])?,
        number(&text[17..19])?,
        number(&text[20..])?,
    )
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

#[cfg(feature = "testing")]
pub(crate) mod checks {
    #![allow(clippy::unwrap_used, missing_docs, reason = "checks that the conformance suite runs")]
    use super::*;

    pub fn an_instant_is_written_with_a_fixed_width_and_read_back() {
        for text in ["2027-02-08T14:05:09.000007", "0001-01-01T00:00:00", "9999-12-31T23:59:59.999999"] {
            let at: NaiveDateTime = text.parse().unwrap();
            assert_eq!(written(at), at.format("%F %T%.6f").to_string());
            assert_eq!(fixed(written(at).as_bytes()), Some(at));
        }
        for text in [
            "",
            "2027-02-08 14:05:09",
            "2027-02-30 14:05:09.000000",
            "2027-02-08T14:05:09.000000",
            "2027-02-08 14:05:09.00000x",
        ] {
            assert_eq!(fixed(text.as_bytes()), None, "{text}");
        }
    }
}
