//! Rows as they are stored, and their conversion to the records of the ports. A row is not a
//! record: whatever cannot be read back names its table, column and row.

pub mod absences;
pub mod audits;
pub mod bookings;
pub mod capacities;
pub mod cards;
pub mod comparisons;
pub mod crew_photos;
pub mod crews;
pub mod directory;
pub mod discounts;
pub mod facts;
pub mod feeds;
pub mod history;
pub mod idempotency;
pub mod identity;
pub mod invoices;
pub mod jobs;
pub mod ledger;
pub mod mail_wishes;
pub mod members;
pub mod messages;
pub mod notes;
pub mod payments;
pub mod periods;
pub mod photos;
pub mod profiles;
pub mod quote_requests;
pub mod quotes;
pub mod rates;
pub mod settings;
pub mod sms;
pub mod templates;
pub mod tips;
pub mod tokens;
pub mod views;

use std::str::FromStr;

use chrono::{DateTime, Utc};
use service::ports::StoreResult;

use crate::{columns::Instant, error::bad};

/// Reads a text column into its type.
pub fn parse<T>(text: &str, table: &'static str, column: &'static str, row: &impl ToString) -> StoreResult<T>
where
    T: FromStr,
    T::Err: ToString,
{
    text.parse().map_err(bad(table, column, row))
}

/// Reads an integer column into an unsigned or smaller type.
pub fn number<S, T>(value: S, table: &'static str, column: &'static str, row: &impl ToString) -> StoreResult<T>
where
    T: TryFrom<S>,
    T::Error: ToString,
{
    T::try_from(value).map_err(bad(table, column, row))
}

/// An optional instant as a column value.
pub fn some(at: Option<DateTime<Utc>>) -> Option<Instant> {
    at.map(Instant)
}

/// An optional column value as an instant.
pub fn time(at: Option<Instant>) -> Option<DateTime<Utc>> {
    at.map(|i| i.0)
}
