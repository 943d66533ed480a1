//! Times of the year and of the week that cost more.

use std::{fmt, str::FromStr};

use kernel::{
    BasisPoints, Province,
    chrono::{Datelike, Duration, NaiveDate, Weekday},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::ints::bp;

/// The name of the period when no other matches.
pub const BASE_PERIOD: &str = "base";

/// A day of any year, `07-01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MonthDay {
    month: u32,
    day: u32,
}

/// Not a month and day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a day of the year looks like 07-01")]
pub struct InvalidMonthDay;

impl MonthDay {
    /// The day of the year of a date.
    pub fn of(date: NaiveDate) -> Self {
        MonthDay { month: date.month(), day: date.day() }
    }

    /// 1 to 12.
    pub const fn month(self) -> u32 {
        self.month
    }

    /// 1 to 31.
    pub const fn day(self) -> u32 {
        self.day
    }
}

impl fmt::Display for MonthDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}-{:02}", self.month, self.day)
    }
}

impl FromStr for MonthDay {
    type Err = InvalidMonthDay;
    fn from_str(s: &str) -> Result<Self, InvalidMonthDay> {
        let (month, day) = s.split_once('-').ok_or(InvalidMonthDay)?;
        if month.len() != 2 || day.len() != 2 {
            return Err(InvalidMonthDay);
        }
        let month = month.parse().map_err(|_| InvalidMonthDay)?;
        let day = day.parse().map_err(|_| InvalidMonthDay)?;
        // 2024 has a 29th of February.
        NaiveDate::from_ymd_opt(2024, month, day).map(MonthDay::of).ok_or(InvalidMonthDay)
    }
}

impl Serialize for MonthDay {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MonthDay {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

/// On which days a period falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "rule")]
pub enum PeriodRule {
    /// Each year from one day to another, both included; may pass New Year.
    Range {
        /// First day.
        from: MonthDay,
        /// Last day.
        to: MonthDay,
    },
    /// The last two days and the first day of a month.
    MonthEnd,
    /// Saturday and Sunday.
    Weekend,
    /// Statutory holidays of the pickup's province.
    Holiday,
}

impl PeriodRule {
    fn matches(self, day: NaiveDate, statutory_holiday: bool) -> bool {
        match self {
            PeriodRule::Range { from, to } => {
                let today = MonthDay::of(day);
                if from <= to { from <= today && today <= to } else { today >= from || today <= to }
            }
            PeriodRule::MonthEnd => {
                day.day() == 1
                    || day.checked_add_signed(Duration::days(2)).is_none_or(|next| next.month() != day.month())
            }
            PeriodRule::Weekend => matches!(day.weekday(), Weekday::Sat | Weekday::Sun),
            PeriodRule::Holiday => statutory_holiday,
        }
    }
}

/// A time when hours cost more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PeriodFields")]
pub struct Period {
    /// Stable name, printed beside the lines.
    pub name: String,
    /// When.
    #[serde(flatten)]
    pub rule: PeriodRule,
    /// Only at pickups in these provinces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provinces: Option<Vec<Province>>,
    /// Not at pickups in these provinces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provinces_except: Option<Vec<Province>>,
    /// On hourly lines.
    #[serde(with = "bp")]
    pub multiplier_bp: BasisPoints,
}

/// All that may be written in a period: a misspelt `provinces` must not widen it to the whole country.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PeriodFields {
    name: String,
    rule: RuleName,
    from: Option<MonthDay>,
    to: Option<MonthDay>,
    provinces: Option<Vec<Province>>,
    provinces_except: Option<Vec<Province>>,
    #[serde(with = "bp")]
    multiplier_bp: BasisPoints,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum RuleName {
    Range,
    MonthEnd,
    Weekend,
    Holiday,
}

impl TryFrom<PeriodFields> for Period {
    type Error = &'static str;

    fn try_from(p: PeriodFields) -> Result<Period, &'static str> {
        let rule = match (p.rule, p.from, p.to) {
            (RuleName::Range, Some(from), Some(to)) => PeriodRule::Range { from, to },
            (RuleName::Range, _, _) => return Err("a range needs `from` and `to`, days such as 07-01"),
            (RuleName::MonthEnd, None, None) => PeriodRule::MonthEnd,
            (RuleName::Weekend, None, None) => PeriodRule::Weekend,
            (RuleName::Holiday, None, None) => PeriodRule::Holiday,
            _ => return Err("`from` and `to` belong to a range only"),
        };
        let (provinces, provinces_except) = (p.provinces, p.provinces_except);
        Ok(Period { name: p.name, rule, provinces, provinces_except, multiplier_bp: p.multiplier_bp })
    }
}

impl Period {
    /// True when the period covers the local `day` of a move that starts in `province`.
    pub fn covers(&self, province: Province, day: NaiveDate, statutory_holiday: bool) -> bool {
        self.is_at(province) && self.rule.matches(day, statutory_holiday)
    }

    /// True when the period counts at pickups in `province`.
    pub fn is_at(&self, province: Province) -> bool {
        self.provinces.as_ref().is_none_or(|list| list.contains(&province))
            && !self.provinces_except.as_ref().is_some_and(|list| list.contains(&province))
    }

    /// True when the days of two ranges overlap where both count and nobody can have meant it: they cross, or the inner
    /// one is not the dearer one, so that it never counts. A dearer time within another (Quebec's July 1 in its season)
    /// is meant.
    pub(crate) fn is_confused_with(&self, other: &Period) -> bool {
        let is_range = |p: &Period| matches!(p.rule, PeriodRule::Range { .. });
        let together = Province::ALL.into_iter().any(|p| self.is_at(p) && other.is_at(p));
        if !is_range(self) || !is_range(other) || !together {
            return false;
        }
        let (mut both, mut here_alone, mut there_alone) = (false, false, false);
        // 2024 has every day of the year.
        let year = NaiveDate::from_ymd_opt(2024, 1, 1).into_iter().flat_map(|first| first.iter_days().take(366));
        for day in year {
            match (self.rule.matches(day, false), other.rule.matches(day, false)) {
                (true, true) => both = true,
                (true, false) => here_alone = true,
                (false, true) => there_alone = true,
                (false, false) => {}
            }
        }
        // Everywhere the one counts the other does, and it costs no less there.
        let hidden = |inner: &Period, outer: &Period| {
            inner.multiplier_bp <= outer.multiplier_bp
                && Province::ALL.into_iter().all(|p| !inner.is_at(p) || outer.is_at(p))
        };
        let cross = here_alone && there_alone;
        both && (cross || !here_alone && hidden(self, other) || !there_alone && hidden(other, self))
    }
}

/// The period with the highest multiplier; they never stack. One at or below 1
/// counts as none; the first of equals wins.
pub(crate) fn highest(
    periods: &[Period],
    province: Province,
    day: NaiveDate,
    statutory_holiday: bool,
) -> Option<&Period> {
    let mut best = (None, BasisPoints::ONE);
    for period in periods {
        if period.multiplier_bp > best.1 && period.covers(province, day, statutory_holiday) {
            best = (Some(period), period.multiplier_bp);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::RateCard;

    fn on(province: Province, date: &str, holiday: bool) -> (String, i64) {
        let card = RateCard::builtin();
        let (name, bp) = card.period(province, Some(date.parse().unwrap()), holiday);
        (name.to_owned(), bp.get())
    }

    #[test]
    fn the_highest_wins_and_none_stack() {
        for (province, date, holiday, name, bp) in [
            (Province::QC, "2027-07-01", true, "qc-moving-day", 20_000),
            (Province::QC, "2027-07-04", false, "qc-moving-peak", 16_000),
            (Province::QC, "2027-07-05", false, "qc-moving-peak", 16_000),
            (Province::QC, "2027-07-06", false, "qc-shoulder-after", 13_000),
            (Province::QC, "2027-05-31", false, "qc-shoulder-before", 13_000),
            (Province::QC, "2027-07-31", false, "month-end-qc", 11_500),
            (Province::QC, "2027-07-17", false, "qc-summer", 11_000),
            (Province::QC, "2027-02-27", false, "month-end-qc", 11_500),
            (Province::QC, "2028-02-27", false, "weekend", 11_000),
            (Province::ON, "2027-07-01", true, "month-end", 12_000),
            (Province::ON, "2027-07-03", false, "summer", 11_500),
            (Province::ON, "2027-09-06", true, "holiday", 11_000),
            (Province::BC, "2027-12-31", false, "month-end", 12_000),
            (Province::AB, "2027-11-12", false, "base", 10_000),
        ] {
            assert_eq!(on(province, date, holiday), (name.to_owned(), bp), "{province} {date}");
        }
    }

    #[test]
    fn a_range_may_pass_new_year() {
        let rule = PeriodRule::Range { from: "12-20".parse().unwrap(), to: "01-05".parse().unwrap() };
        let matches = |date: &str| rule.matches(date.parse().unwrap(), false);
        assert!(matches("2027-12-31") && matches("2027-01-05") && !matches("2027-01-06") && !matches("2027-12-19"));
        for bad in ["7-1", "13-01", "02-30", "0701", ""] {
            assert!(bad.parse::<MonthDay>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_dearer_time_may_lie_within_another_and_nothing_else_may_overlap() {
        let range = |from: &str, to: &str, bp: i64, provinces: &[Province]| Period {
            name: String::new(),
            rule: PeriodRule::Range { from: from.parse().unwrap(), to: to.parse().unwrap() },
            provinces: (!provinces.is_empty()).then(|| provinces.to_vec()),
            provinces_except: None,
            multiplier_bp: BasisPoints::new(bp),
        };
        let season = range("06-20", "07-05", 16_000, &[Province::QC]);
        for (other, confused, why) in [
            (range("07-01", "07-01", 20_000, &[Province::QC]), false, "dearer, within it"),
            (range("07-01", "07-01", 16_000, &[Province::QC]), true, "within it, never counts"),
            (range("07-01", "07-10", 20_000, &[Province::QC]), true, "they cross"),
            (range("07-05", "07-10", 11_000, &[]), true, "they cross on one day, in one province"),
            (range("07-01", "07-10", 20_000, &[Province::ON]), false, "elsewhere"),
            (range("07-06", "07-10", 11_000, &[Province::QC]), false, "after it"),
            (range("06-20", "07-05", 16_000, &[Province::QC]), true, "the same"),
            (range("06-20", "07-05", 11_000, &[]), false, "the season of the others on the same days"),
            (range("06-01", "08-31", 11_000, &[]), false, "around it"),
            (range("06-01", "08-31", 17_000, &[]), true, "around it and dearer, so that it never counts"),
            (range("12-20", "06-25", 11_000, &[Province::QC]), true, "they cross past New Year"),
        ] {
            assert_eq!(season.is_confused_with(&other), confused, "{why}");
            assert_eq!(other.is_confused_with(&season), confused, "{why}");
        }
        let weekend = Period { rule: PeriodRule::Weekend, ..season.clone() };
        assert!(!season.is_confused_with(&weekend));
    }

    #[test]
    fn the_last_day_of_the_calendar_is_a_month_end() {
        assert!(PeriodRule::MonthEnd.matches(NaiveDate::MAX, false));
    }
}
