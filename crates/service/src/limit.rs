//! The least and the greatest that a figure may be, as a refusal names them.

use chrono::NaiveDate;
use kernel::{BasisPoints, Language, Measure, Money};

use crate::formats::{self, MINUS};

/// A bound in the unit of its figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Of people, trucks, pieces, floors, uses.
    Count(i64),
    /// Of an amount.
    Money(Money),
    /// Of a share.
    Share(BasisPoints),
    /// Of a length of time.
    Minutes(u32),
    /// Of a length of time that is given in hours.
    Hours(u32),
    /// Of a length of time that is given in days.
    Days(u32),
    /// Of a way, in tenths of a kilometre.
    Kilometres(u32),
    /// Of a volume.
    CubicFeet(u32),
    /// Of a latitude or longitude.
    Degrees(i64),
    /// Of a day of the calendar.
    Date(NaiveDate),
}

impl From<Money> for Limit {
    fn from(amount: Money) -> Limit {
        Limit::Money(amount)
    }
}

impl From<NaiveDate> for Limit {
    fn from(day: NaiveDate) -> Limit {
        Limit::Date(day)
    }
}

impl Limit {
    /// The smallest amount that is one.
    pub const CENT: Limit = Limit::Money(Money::from_cents(1));
    /// No money.
    pub const NOTHING: Limit = Limit::Money(Money::ZERO);

    /// As people write it.
    pub fn words(self, language: Language) -> String {
        let counted = |n: u32, [one, many]: [&str; 2]| {
            format!("{}{GAP}{}", formats::whole(n, language), if n == 1 { one } else { many })
        };
        match (self, language) {
            (Limit::Count(n), _) => whole(n, language),
            (Limit::Money(amount), _) => formats::money(amount, language),
            (Limit::Share(share), _) => formats::percent(&hundredths(share.get()), language),
            (Limit::Minutes(n), _) => formats::minutes(n, language),
            (Limit::Hours(n), Language::En) => counted(n, ["hour", "hours"]),
            (Limit::Hours(0), Language::Fr) => counted(0, ["heure", "heure"]),
            (Limit::Hours(n), Language::Fr) => counted(n, ["heure", "heures"]),
            (Limit::Hours(n), Language::Zh) => counted(n, ["小时", "小时"]),
            (Limit::Days(n), Language::En) => counted(n, ["day", "days"]),
            (Limit::Days(0), Language::Fr) => counted(0, ["jour", "jour"]),
            (Limit::Days(n), Language::Fr) => counted(n, ["jour", "jours"]),
            (Limit::Days(n), Language::Zh) => counted(n, ["天", "天"]),
            (Limit::Kilometres(tenths), _) => formats::kilometres(tenths, language),
            (Limit::CubicFeet(n), Language::En) => counted(n, ["ft³", "ft³"]),
            (Limit::CubicFeet(n), Language::Fr) => counted(n, ["pi³", "pi³"]),
            (Limit::CubicFeet(n), Language::Zh) => counted(n, ["立方英尺", "立方英尺"]),
            (Limit::Degrees(n), _) => format!("{}°", whole(n, language)),
            (Limit::Date(day), _) => formats::date(day, language),
        }
    }

    /// A figure of a rule, in what it counts.
    pub(crate) fn of(figure: i64, measure: Measure) -> Limit {
        let small = u32::try_from(figure.max(0)).unwrap_or(u32::MAX);
        match measure {
            Measure::Count => Limit::Count(figure),
            Measure::Cents => Limit::Money(Money::from_cents(figure)),
            Measure::Share | Measure::BasisPoints => Limit::Share(BasisPoints::new(figure)),
            Measure::Minutes => Limit::Minutes(small),
            Measure::Hours => Limit::Hours(small),
            Measure::Days => Limit::Days(small),
        }
    }
}

/// A number and its unit stay on one line.
const GAP: char = '\u{a0}';

fn whole(n: i64, language: Language) -> String {
    let sign = if n < 0 { MINUS } else { "" };
    format!("{sign}{}", formats::whole(u32::try_from(n.unsigned_abs()).unwrap_or(u32::MAX), language))
}

/// Hundredths with no more decimals than there are: `12.5`.
fn hundredths(n: i64) -> String {
    let text = format!("{}.{:02}", n / 100, n % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const fn share(basis_points: i64) -> Limit {
        Limit::Share(BasisPoints::new(basis_points))
    }

    #[test]
    fn a_bound_is_written_in_its_unit() {
        let told = |limit: Limit| Language::ALL.map(|language| limit.words(language));
        assert_eq!(told(Limit::Count(-20)), ["\u{2212}20", "\u{2212}20", "\u{2212}20"]);
        assert_eq!(told(Limit::Count(10_000)), ["10,000", "10\u{a0}000", "10,000"]);
        assert_eq!(told(Limit::CENT), ["$0.01", "0,01\u{a0}$", "CA$0.01"]);
        assert_eq!(told(share(1)), ["0.01%", "0,01\u{a0}%", "0.01%"]);
        assert_eq!(told(share(10_000)), ["100%", "100\u{a0}%", "100%"]);
        assert_eq!(told(Limit::Minutes(1_440)), ["24\u{a0}h", "24\u{a0}h", "24 小时"]);
        assert_eq!(told(Limit::Hours(1)), ["1\u{a0}hour", "1\u{a0}heure", "1\u{a0}小时"]);
        assert_eq!(told(Limit::Days(730)), ["730\u{a0}days", "730\u{a0}jours", "730\u{a0}天"]);
        assert_eq!(told(Limit::Kilometres(20_000)), ["2,000\u{a0}km", "2\u{a0}000\u{a0}km", "2,000 公里"]);
        assert_eq!(told(Limit::Degrees(-90))[0], "\u{2212}90°");
        let day = NaiveDate::from_ymd_opt(2027, 7, 1).unwrap();
        assert_eq!(told(Limit::Date(day))[1], "1er juillet 2027");
    }

    #[test]
    fn the_figures_of_a_rule_become_bounds_in_their_unit() {
        for (figure, measure, limit) in [
            (20, Measure::Count, Limit::Count(20)),
            (1_000_000, Measure::Cents, Limit::Money(Money::from_cents(1_000_000))),
            (10_000, Measure::Share, share(10_000)),
            (100_000, Measure::BasisPoints, share(100_000)),
            (240, Measure::Minutes, Limit::Minutes(240)),
            (1_440, Measure::Hours, Limit::Hours(1_440)),
            (730, Measure::Days, Limit::Days(730)),
            (-1, Measure::Days, Limit::Days(0)),
        ] {
            assert_eq!(Limit::of(figure, measure), limit);
        }
    }
}
