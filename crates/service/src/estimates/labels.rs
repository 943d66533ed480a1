//! What people call a day that costs more.

use chrono::{Datelike, NaiveDate, Weekday};
use kernel::{Language, Province};
use pricing::{MonthDay, Period, PeriodRule};

use crate::formats;

/// The name of `day` where `period` makes it dear: `Saturday`, `Moving day, July 1`, `End of the month`.
pub fn day_label(period: &Period, province: Province, day: NaiveDate, language: Language) -> String {
    let pick = |en: &str, fr: &str, zh: &str| {
        match language {
            Language::En => en,
            Language::Fr => fr,
            Language::Zh => zh,
        }
        .to_owned()
    };
    match period.rule {
        PeriodRule::Weekend if day.weekday() == Weekday::Sun => pick("Sunday", "Dimanche", "周日"),
        PeriodRule::Weekend => pick("Saturday", "Samedi", "周六"),
        PeriodRule::MonthEnd if day.day() == 1 => pick("First of the month", "Premier du mois", "月初"),
        PeriodRule::MonthEnd => pick("End of the month", "Fin du mois", "月底"),
        PeriodRule::Holiday => match scheduling::holiday(province, day) {
            Some(holiday) => holiday.name(language).to_owned(),
            None => pick("Holiday", "Jour férié", "法定假日"),
        },
        PeriodRule::Range { from, to } => range_label(&period.name, from, to, province, language),
    }
}

fn range_label(name: &str, from: MonthDay, to: MonthDay, province: Province, language: Language) -> String {
    let day = |d: MonthDay| formats::month_day(d.month(), d.day(), language);
    let (first, last) = (day(from), day(to));
    // Québec's leases end together: everybody knows the day by this name.
    let moving_day = province == Province::QC && from == to && (from.month(), from.day()) == (7, 1);
    match language {
        Language::En if moving_day => format!("Moving day, {first}"),
        Language::Fr if moving_day => format!("Jour du déménagement, {first}"),
        Language::Zh if moving_day => format!("搬家日（{first}）"),
        _ if from == to => first,
        Language::En => format!("{}, {first} to {last}", season(name, language)),
        Language::Fr => format!("{}, du {first} au {last}", season(name, language)),
        Language::Zh => format!("{}（{first}至{last}）", season(name, language)),
    }
}

/// The shipped card's seasons by name; an operator's own ones are high seasons.
fn season(name: &str, language: Language) -> &'static str {
    let [en, fr, zh] = match name {
        "qc-moving-peak" => ["Peak of the moving season", "Pointe de la saison des déménagements", "搬家高峰期"],
        "qc-shoulder-before" | "qc-shoulder-after" => ["Moving season", "Saison des déménagements", "搬家季"],
        "qc-summer" | "summer" => ["Summer", "Été", "夏季"],
        _ => ["High season", "Haute saison", "旺季"],
    };
    match language {
        Language::En => en,
        Language::Fr => fr,
        Language::Zh => zh,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use pricing::RateCard;

    use super::*;

    #[test]
    fn dear_days_have_the_names_people_use() {
        let card = RateCard::builtin();
        for (province, date, names) in [
            (
                Province::QC,
                "2027-07-01",
                ["Moving day, July 1", "Jour du déménagement, 1er juillet", "搬家日（7月1日）"],
            ),
            (Province::QC, "2027-02-20", ["Saturday", "Samedi", "周六"]),
            (Province::QC, "2027-02-21", ["Sunday", "Dimanche", "周日"]),
            (Province::QC, "2027-02-27", ["End of the month", "Fin du mois", "月底"]),
            (Province::ON, "2027-03-01", ["First of the month", "Premier du mois", "月初"]),
            (Province::ON, "2027-09-06", ["Labour Day", "Fête du Travail", "劳动节"]),
            (
                Province::QC,
                "2027-06-21",
                [
                    "Peak of the moving season, June 20 to July 5",
                    "Pointe de la saison des déménagements, du 20 juin au 5 juillet",
                    "搬家高峰期（6月20日至7月5日）",
                ],
            ),
            (
                Province::BC,
                "2027-07-06",
                ["Summer, June 1 to August 31", "Été, du 1er juin au 31 août", "夏季（6月1日至8月31日）"],
            ),
        ] {
            let day: NaiveDate = date.parse().unwrap();
            let period = card.dear_period(province, Some(day), scheduling::is_statutory(province, day)).unwrap();
            let told = Language::ALL.map(|l| day_label(period, province, day, l).replace('\u{a0}', " "));
            assert_eq!(told, names.map(str::to_owned), "{province} {date}");
        }
        assert_eq!(card.dear_period(Province::QC, "2027-02-17".parse().ok(), false), None);
    }
}
