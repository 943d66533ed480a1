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
    values.into_iter().fold(text(key, language), |t, (name, value)| t.replace(&format!("{{{name}}}"), value))
}

/// What people call a field: the label of the last segment of its path.
pub fn field_label(path: &str, language: Language) -> String {
    let last = path.rsplit('.').next().unwrap_or(path);
    let name = last.split('[').next().unwrap_or(last);
    let key = format!("field.{name}");
    if exists(&key) { text(&key, language) } else { name.to_owned() }
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
}
