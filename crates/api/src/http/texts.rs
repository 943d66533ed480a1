//! Every text the API answers, in three languages: the product's messages, and those only the
//! API needs.

use std::{collections::HashMap, sync::LazyLock};

use kernel::{Language, Money};
use serde::Deserialize;

/// One text in the three languages.
#[derive(Debug, Deserialize)]
pub struct Text {
    en: String,
    fr: String,
    zh: String,
}

impl Text {
    fn get(&self, language: Language) -> &str {
        match language {
            Language::En => &self.en,
            Language::Fr => &self.fr,
            Language::Zh => &self.zh,
        }
    }
}

type Table = HashMap<String, Text>;

const MESSAGES: &str = include_str!("../../../../fixtures/messages.json");
const OWN: &str = include_str!("../texts.json");

// A test proves that both files parse, so the empty fallback is never served.
static TEXTS: LazyLock<Table> = LazyLock::new(|| {
    let mut all: Table = serde_json::from_str(MESSAGES).unwrap_or_default();
    all.extend(serde_json::from_str::<Table>(OWN).unwrap_or_default());
    all
});

/// The text of `key`, or the key itself when there is none (a test keeps that from happening).
pub fn text(key: &str, language: Language) -> String {
    TEXTS.get(key).map_or_else(|| key.to_owned(), |t| t.get(language).to_owned())
}

/// True when `key` exists.
pub fn exists(key: &str) -> bool {
    TEXTS.contains_key(key)
}

/// The text of `key` with `{name}` replaced by its values.
pub fn filled<'a>(key: &str, language: Language, values: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    service::formats::filled(&text(key, language), language, values)
}

/// What people call a field: the label of the last segment of its path.
pub fn field_label(path: &str, language: Language) -> String {
    if let Some(place) = path.strip_prefix("card.") {
        return card_label(place, language);
    }
    let last = path.rsplit('.').next().unwrap_or(path);
    let name = last.split('[').next().unwrap_or(last);
    let key = format!("field.{name}");
    if exists(&key) { text(&key, language) } else { name.to_owned() }
}

/// What people call a figure of a rate card, and the part of the card it stands in: `Each further kilometre (ON)`.
fn card_label(path: &str, language: Language) -> String {
    let steps: Vec<&str> = path.split(['.', '[', ']']).filter(|step| !step.is_empty()).collect();
    let keys = || steps.iter().rev().map(|step| format!("card.{step}"));
    let unknown = || steps.last().filter(|_| steps.len() > 2).map(|step| (*step).to_owned());
    let figure = keys().find(|key| exists(key)).map(|key| text(&key, language)).or_else(unknown);
    let named = |place: &str| match place {
        "QC_from_outside" => text("card.fromOutside", language),
        code => code.to_owned(),
    };
    let part = match steps.as_slice() {
        ["rates", "default", ..] => None,
        ["rates", place, ..] => Some(named(place)),
        ["taxes", place, ..] => Some(filled("card.ofTax", language, [("place", named(place).as_str())])),
        ["periods", n, ..] => n.parse::<u32>().ok().map(|n| {
            let n = n.saturating_add(1).to_string();
            filled("card.ofPeriod", language, [("n", n.as_str())])
        }),
        ["duration", "kinds", kind, ..] => Some(text(&format!("moveKind.{kind}"), language)),
        _ => None,
    };
    match (figure, part) {
        (Some(figure), Some(part)) => {
            filled("card.ofPart", language, [("figure", figure.as_str()), ("part", part.as_str())])
        }
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => path.to_owned(),
    }
}

/// An amount as people of the language write it: `$1,234.50`, `1 234,50 $`, `CA$1,234.50`.
pub fn money(amount: Money, language: Language) -> String {
    service::formats::money(amount, language)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn both_files_parse_and_no_text_is_empty() {
        let messages: Table = serde_json::from_str(MESSAGES).unwrap();
        let own: Table = serde_json::from_str(OWN).unwrap();
        assert!(messages.len() > 80 && own.len() > 40);
        for (key, t) in messages.iter().chain(&own) {
            for language in Language::ALL {
                assert!(!t.get(language).trim().is_empty(), "{key} has no {language}");
            }
        }
        for key in own.keys() {
            assert!(!messages.contains_key(key), "{key} is in messages.json already: use that wording");
        }
    }

    #[test]
    fn placeholders_agree_between_languages() {
        let names = |t: &str| {
            let mut found: Vec<String> =
                t.split('{').skip(1).filter_map(|p| p.split_once('}').map(|(n, _)| n.to_owned())).collect();
            found.sort();
            found
        };
        for (key, t) in TEXTS.iter() {
            assert_eq!(names(&t.en), names(&t.fr), "{key}");
            assert_eq!(names(&t.en), names(&t.zh), "{key}");
        }
    }

    /// A Chinese text has no space between two Chinese characters, nor beside punctuation as wide as they are, whatever its
    /// values are. A text by somebody else may end with anything.
    #[test]
    fn no_value_leaves_a_stray_space_in_a_chinese_text() {
        let stray = |text: &str| {
            let is_wide = |c: char| "，。：；！？（）、“”…".contains(c);
            let all: Vec<char> = text.chars().collect();
            all.windows(3).any(|w| {
                w[1] == ' ' && (is_wide(w[0]) || is_wide(w[2]) || (kernel::is_han(w[0]) && kernel::is_han(w[2])))
            })
        };
        assert!(stray("最少按 2 小时 计费") && stray("（甲） 乙") && !stray("最少按 2 小时计费"));
        for (key, t) in TEXTS.iter() {
            let names: Vec<&str> =
                t.zh.split('{').skip(1).filter_map(|p| p.split_once('}').map(|(name, _)| name)).collect();
            for value in ["2 小时", "2027年7月1日", "7月1日 9:00（蒙特利尔时间）", "王芳", "CA$5.00", "12"]
            {
                let told = filled(key, Language::Zh, names.iter().map(|name| (*name, value)));
                assert!(!stray(&told), "{key}: {told}");
            }
        }
    }

    #[test]
    fn money_is_written_as_people_write_it() {
        let m = Money::from_cents(123_450);
        assert_eq!(money(m, Language::En), "$1,234.50");
        assert_eq!(money(m, Language::Fr), "1\u{a0}234,50\u{a0}$");
        assert_eq!(money(m, Language::Zh), "CA$1,234.50");
        assert_eq!(money(Money::from_cents(-5), Language::En), "−$0.05");
        assert_eq!(money(Money::from_cents(123_456_789), Language::En), "$1,234,567.89");
    }

    #[test]
    fn labels_are_those_of_the_last_segment() {
        assert_eq!(field_label("bookingRequest.pickup.postalCode", Language::Fr), "Code postal");
        assert_eq!(field_label("locationDetails[1].floor", Language::En), "Floor");
    }

    #[test]
    fn figures_of_a_rate_card_are_called_by_their_names() {
        for (path, label) in [
            ("card.rates.ON.km_fee", "Each further kilometre (ON)"),
            ("card.rates.default.km_fee", "Each further kilometre"),
            ("card.rates.default.truck_fee_by_tier[2]", "Fee of the truck"),
            ("card.rates.BC.kmfee", "kmfee (BC)"),
            ("card.periods[3].from", "First day (period 4)"),
            ("card.taxes.ON", "Tax of ON"),
            ("card.duration.crew_efficiency_bp.3", "Work of each crew size"),
            ("card.level_one_threshold", "Size 1 up to"),
        ] {
            assert_eq!(field_label(path, Language::En), label);
        }
        assert_eq!(field_label("card.periods[0].to", Language::Zh), "最后一天（第 1 个时段）");
    }
}
