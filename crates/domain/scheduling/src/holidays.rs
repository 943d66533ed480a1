//! Statutory holidays of the provinces, by rule for any year.
//!
//! General (legal) holidays only: they raise the price; the two of them that stop work are
//! [`closed`]. Quebec's employers may choose Easter Monday instead of Good Friday; Portage's day is
//! Good Friday. Provinces outside the served four have the days common to all provinces but Quebec.

use kernel::chrono::{Datelike, Days, NaiveDate, Weekday};
use kernel::{Language, Province};

/// A statutory holiday.
#[derive(Debug, PartialEq, Eq)]
pub struct Holiday {
    /// Stable code: `canada_day`.
    pub code: &'static str,
    en: &'static str,
    fr: &'static str,
    zh: &'static str,
    /// True when nobody works that day and no start is offered.
    pub closed: bool,
}

impl Holiday {
    const fn open(code: &'static str, en: &'static str, fr: &'static str, zh: &'static str) -> Holiday {
        Holiday { code, en, fr, zh, closed: false }
    }

    const fn shut(code: &'static str, en: &'static str, fr: &'static str, zh: &'static str) -> Holiday {
        Holiday { code, en, fr, zh, closed: true }
    }

    /// The name people know it by.
    pub const fn name(&self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            Language::Fr => self.fr,
            Language::Zh => self.zh,
        }
    }
}

static NEW_YEAR: Holiday = Holiday::shut("new_year", "New Year's Day", "Jour de l’An", "元旦");
static FAMILY: Holiday = Holiday::open("family_day", "Family Day", "Jour de la Famille", "家庭日");
static GOOD_FRIDAY: Holiday = Holiday::open("good_friday", "Good Friday", "Vendredi saint", "耶稣受难日");
static PATRIOTS: Holiday =
    Holiday::open("patriots_day", "National Patriots' Day", "Journée nationale des patriotes", "全国爱国者日");
static VICTORIA: Holiday = Holiday::open("victoria_day", "Victoria Day", "Fête de Victoria", "维多利亚日");
static FETE_NATIONALE: Holiday =
    Holiday::open("fete_nationale", "Fête nationale", "Fête nationale du Québec", "魁北克国庆日");
static CANADA: Holiday = Holiday::open("canada_day", "Canada Day", "Fête du Canada", "加拿大日");
static BRITISH_COLUMBIA: Holiday =
    Holiday::open("bc_day", "British Columbia Day", "Fête de la Colombie-Britannique", "卑诗省日");
static LABOUR: Holiday = Holiday::open("labour_day", "Labour Day", "Fête du Travail", "劳动节");
static RECONCILIATION: Holiday = Holiday::open(
    "truth_and_reconciliation",
    "National Day for Truth and Reconciliation",
    "Journée nationale de la vérité et de la réconciliation",
    "全国真相与和解日",
);
static THANKSGIVING: Holiday = Holiday::open("thanksgiving", "Thanksgiving", "Action de grâce", "感恩节");
static REMEMBRANCE: Holiday = Holiday::open("remembrance_day", "Remembrance Day", "Jour du Souvenir", "国殇纪念日");
static CHRISTMAS: Holiday = Holiday::shut("christmas", "Christmas Day", "Noël", "圣诞节");
static BOXING: Holiday = Holiday::open("boxing_day", "Boxing Day", "Lendemain de Noël", "节礼日");

/// The statutory holiday `date` is in `province`, if any.
pub fn holiday(province: Province, date: NaiveDate) -> Option<&'static Holiday> {
    use Province::{AB, BC, ON, QC};
    match (date.month(), date.day(), province) {
        (1, 1, _) => Some(&NEW_YEAR),
        (2, _, p) if p != QC && is_nth(date, Weekday::Mon, 3) => Some(&FAMILY),
        (3 | 4, ..) if is_good_friday(date) => Some(&GOOD_FRIDAY),
        // The Monday on or before May 24.
        (5, 18..=24, p) if date.weekday() == Weekday::Mon => Some(if p == QC { &PATRIOTS } else { &VICTORIA }),
        (6, 24, QC) => Some(&FETE_NATIONALE),
        // Quebec's law moves the day when July 1 is a Sunday.
        (7, 1, QC) if date.weekday() == Weekday::Sun => None,
        (7, 1, _) => Some(&CANADA),
        (7, 2, QC) if date.weekday() == Weekday::Mon => Some(&CANADA),
        (8, _, BC) if is_nth(date, Weekday::Mon, 1) => Some(&BRITISH_COLUMBIA),
        (9, 30, BC) => Some(&RECONCILIATION),
        (9, ..) if is_nth(date, Weekday::Mon, 1) => Some(&LABOUR),
        (10, ..) if is_nth(date, Weekday::Mon, 2) => Some(&THANKSGIVING),
        (11, 11, BC | AB) => Some(&REMEMBRANCE),
        (12, 25, _) => Some(&CHRISTMAS),
        (12, 26, ON) => Some(&BOXING),
        _ => None,
    }
}

/// True on a statutory holiday of `province`.
pub fn is_statutory(province: Province, date: NaiveDate) -> bool {
    holiday(province, date).is_some()
}

/// True when nobody works: December 25 and January 1.
pub fn closed(province: Province, date: NaiveDate) -> bool {
    holiday(province, date).is_some_and(|h| h.closed)
}

fn is_nth(date: NaiveDate, weekday: Weekday, n: u32) -> bool {
    date.weekday() == weekday && (date.day() - 1) / 7 + 1 == n
}

fn is_good_friday(date: NaiveDate) -> bool {
    date.checked_add_days(Days::new(2)).is_some_and(|sunday| easter(date.year()) == Some(sunday))
}

/// Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876).
fn easter(year: i32) -> Option<NaiveDate> {
    let (a, b, c) = (year.rem_euclid(19), year.div_euclid(100), year.rem_euclid(100));
    let (d, e) = (b.div_euclid(4), b.rem_euclid(4));
    let f = (b + 8).div_euclid(25);
    let g = (b - f + 1).div_euclid(3);
    let h = (19 * a + b - d - g + 15).rem_euclid(30);
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k).rem_euclid(7);
    let m = (a + 11 * h + 22 * l).div_euclid(451);
    let n = h + l - 7 * m + 114;
    NaiveDate::from_ymd_opt(year, u32::try_from(n / 31).ok()?, u32::try_from(n % 31 + 1).ok()?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const TABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../fixtures/holidays.csv"));

    fn day(y: i32, m: u32, d: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(y, m, d).unwrap()
    }

    #[test]
    fn the_rules_and_the_published_table_agree_row_by_row() {
        let mut rows: BTreeMap<(Province, NaiveDate), Vec<&str>> = BTreeMap::new();
        for line in TABLE.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), 7, "{line}");
            rows.insert((cells[0].parse().unwrap(), cells[1].parse().unwrap()), cells);
        }
        assert_eq!(rows.len(), 111);
        for province in Province::SERVED {
            for date in day(2026, 1, 1).iter_days().take_while(|d| d.year() <= 2028) {
                match (holiday(province, date), rows.get(&(province, date))) {
                    (None, None) => {}
                    (Some(h), Some(row)) => {
                        assert_eq!(row[2], date.format("%a").to_string());
                        assert_eq!(row[3..6], [Language::En, Language::Fr, Language::Zh].map(|l| h.name(l)));
                        assert_eq!(row[6], h.closed.to_string());
                    }
                    (rule, table) => panic!("{province} {date}: rule {rule:?}, table {table:?}"),
                }
            }
        }
    }

    #[test]
    fn quebec_moves_canada_day_off_a_sunday() {
        assert_eq!(day(2029, 7, 1).weekday(), Weekday::Sun);
        assert!(!is_statutory(Province::QC, day(2029, 7, 1)));
        assert_eq!(holiday(Province::QC, day(2029, 7, 2)).unwrap().name(Language::Fr), "Fête du Canada");
        assert!(is_statutory(Province::ON, day(2029, 7, 1)));
        assert!(!is_statutory(Province::ON, day(2029, 7, 2)));
    }

    #[test]
    fn known_easters() {
        for (y, m, d) in [(1818, 3, 22), (1943, 4, 25), (2000, 4, 23), (2024, 3, 31), (2038, 4, 25)] {
            assert_eq!(easter(y), Some(day(y, m, d)));
        }
    }

    proptest! {
        #[test]
        fn every_year_has_the_same_number_of_days_off(year in 1900i32..2300) {
            let count = |p| day(year, 1, 1).iter_days().take_while(|d| d.year() == year).filter(|d| is_statutory(p, *d)).count();
            prop_assert_eq!([Province::QC, Province::ON, Province::BC, Province::AB].map(count), [8, 9, 11, 9]);
            let shut = day(year, 1, 1).iter_days().take_while(|d| d.year() == year).filter(|d| closed(Province::QC, *d)).count();
            prop_assert_eq!(shut, 2);
            prop_assert_eq!(easter(year).unwrap().weekday(), Weekday::Sun);
        }
    }
}
