//! Months whose books are closed.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use kernel::UserId;
use serde::{Serialize, Serializer};

use super::StoreResult;

/// A month of the company's calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(NaiveDate);

/// No month as it is written: `2027-01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a month is written as 2027-01")]
pub struct NotAMonth;

impl Month {
    /// The month of a day.
    #[must_use]
    pub fn of(day: NaiveDate) -> Month {
        Month(day.with_day(1).unwrap_or(day))
    }

    /// Its first day.
    #[must_use]
    pub const fn first(self) -> NaiveDate {
        self.0
    }

    /// Its last day.
    #[must_use]
    pub fn last(self) -> NaiveDate {
        self.next().0.pred_opt().unwrap_or(self.0)
    }

    /// The month after it.
    #[must_use]
    pub fn next(self) -> Month {
        self.0.checked_add_months(chrono::Months::new(1)).map_or(self, Month)
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0.year(), self.0.month())
    }
}

impl FromStr for Month {
    type Err = NotAMonth;

    fn from_str(text: &str) -> Result<Month, NotAMonth> {
        let (year, month) = text.split_once('-').ok_or(NotAMonth)?;
        let digits = |part: &str, many: usize| part.len() == many && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(year, 4) || !digits(month, 2) {
            return Err(NotAMonth);
        }
        let (year, month) = (year.parse().map_err(|_| NotAMonth)?, month.parse().map_err(|_| NotAMonth)?);
        NaiveDate::from_ymd_opt(year, month, 1).map(Month).ok_or(NotAMonth)
    }
}

impl Serialize for Month {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A month that is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedMonth {
    /// Which.
    pub month: Month,
    /// Its end on the company's calendar: nothing is dated before it.
    pub until: DateTime<Utc>,
    /// From when on it is over wherever the company works: what would have been dated inside is dated then.
    pub open_from: DateTime<Utc>,
    /// When it was closed.
    pub closed_at: DateTime<Utc>,
    /// By whom.
    pub closed_by: Option<UserId>,
}

/// Closed months. The database itself refuses whatever is dated before the end of the newest one, with
/// [`super::StoreError::PeriodClosed`].
pub trait Periods {
    /// Waits for everybody who is posting, and makes the others wait: called before a month is closed or reopened.
    fn hold(&mut self) -> StoreResult<()>;
    /// The newest closed month. While a unit of work that writes and has asked goes on, none is closed or reopened.
    fn last(&mut self) -> StoreResult<Option<ClosedMonth>>;
    /// All of them, the newest first.
    fn closed(&mut self) -> StoreResult<Vec<ClosedMonth>>;
    /// Closes; `Duplicate` when it is closed.
    fn close(&mut self, month: &ClosedMonth) -> StoreResult<()>;
    /// Reopens; false when it is open.
    fn reopen(&mut self, month: Month) -> StoreResult<bool>;
    /// When the first entry of the ledger is dated.
    fn first_entry(&mut self) -> StoreResult<Option<DateTime<Utc>>>;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_month_is_written_as_it_is_read() {
        for text in ["2027-01", "2027-12", "0999-02"] {
            assert_eq!(text.parse::<Month>().unwrap().to_string(), text);
        }
        for bad in ["", "2027", "2027-13", "2027-00", "2027-1", "27-01", "2027-01-01", "+027-01", "2027-0x"] {
            assert_eq!(bad.parse::<Month>(), Err(NotAMonth), "{bad}");
        }
    }

    #[test]
    fn a_month_ends_before_the_next_begins() {
        let (january, december): (Month, Month) = ("2028-01".parse().unwrap(), "2027-12".parse().unwrap());
        assert_eq!((december.next(), december.last().to_string().as_str()), (january, "2027-12-31"));
        assert_eq!(january.next().last().to_string(), "2028-02-29");
        assert!(december < january);
    }
}
