//! What each text says (`fixtures/text-messages.json`), and what it takes on the air.

use std::{collections::BTreeMap, sync::LazyLock};

use handlebars::Handlebars;
use kernel::{Language, in_gsm};
use serde::Deserialize;
use serde_json::Value;

/// Texts whose news is old an hour later: where the crew is now.
const ARRIVALS: [&str; 2] = ["deliveryOnTheWay", "deliveryArriving"];
/// How long their news is true.
pub(super) const ARRIVAL_SECONDS: u32 = 3600;
/// Characters that the service takes.
const LONGEST: usize = 1600;
/// Values that are links by which whoever holds them enters an account.
const SECRET_LINKS: [&str; 1] = ["updateCardUrl"];
/// What stands in the kept text where such a link was.
const HIDDEN: &str = "•••";

/// A type of text.
#[derive(Debug, Deserialize)]
pub struct SmsType {
    /// The keys its words may use.
    pub keys: Vec<String>,
    en: String,
    fr: String,
    zh: String,
}

impl SmsType {
    /// The shipped words.
    pub fn words(&self, language: Language) -> &str {
        match language {
            Language::En => &self.en,
            Language::Fr => &self.fr,
            Language::Zh => &self.zh,
        }
    }
}

static TYPES: LazyLock<BTreeMap<String, SmsType>> = LazyLock::new(|| {
    // A test below proves that the file parses.
    serde_json::from_str(include_str!("../../../../fixtures/text-messages.json")).unwrap_or_default()
});

/// Every type, by name.
pub fn all() -> impl Iterator<Item = (&'static str, &'static SmsType)> {
    TYPES.iter().map(|(name, kind)| (name.as_str(), kind))
}

/// Its news is old an hour later.
pub(super) fn is_arrival(kind: &str) -> bool {
    ARRIVALS.contains(&kind)
}

/// A text with its values: as it is sent, and as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Worded {
    pub body: String,
    pub kept: String,
}

/// Fills the words of a type in.
///
/// # Errors
/// An unknown type, words that do not parse, or a text that is empty or too long for the service.
pub(super) fn worded(kind: &str, language: Language, values: &Value) -> Result<Worded, String> {
    let words = TYPES.get(kind).ok_or_else(|| format!("{kind}: no such text"))?.words(language);
    let body = filled(words, values)?;
    if body.is_empty() || body.chars().count() > LONGEST {
        return Err(format!("{kind}: the text is empty, or longer than {LONGEST} characters"));
    }
    let mut shown = values.clone();
    for key in SECRET_LINKS {
        if let Some(link) = shown.get_mut(key) {
            *link = Value::from(HIDDEN);
        }
    }
    Ok(Worded { body, kept: filled(words, &shown)? })
}

fn filled(words: &str, values: &Value) -> Result<String, String> {
    let mut engine = Handlebars::new();
    engine.register_escape_fn(handlebars::no_escape);
    engine.set_strict_mode(true);
    let text = engine.render_template(words, values).map_err(|e| e.to_string())?;
    // A time that ends in "a.m." and the end of the sentence share their full stop.
    let text = text.trim().replace(".m..", ".m.");
    Ok(in_gsm(&text))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use kernel::{Encoding, segments};
    use serde_json::{Map, json};

    /// Long ones, as they come.
    fn value(key: &str, language: Language) -> &'static str {
        match (key, language) {
            ("partner_name", _) => "Ameublements Tanguay",
            ("mate_name", _) => "Jean-François",
            ("date", Language::En) => "September 17, 2027",
            ("date", Language::Fr) => "17 septembre 2027",
            ("date", Language::Zh) => "2027年9月17日",
            ("time_range", Language::En) => "10:30 a.m. – 11:30 a.m.",
            ("time_range", Language::Fr) => "10\u{a0}h\u{a0}30 – 11\u{a0}h\u{a0}30",
            ("time_range", Language::Zh) => "10:30 – 11:30",
            ("updateCardUrl", _) => "https://move.example/card/2jmj7l5rSw0yVb_vlWAYkK_YBwk3JmPJ2zF8z6yPHbU?lang=en",
            _ => unreachable!("{key}"),
        }
    }

    fn sample(kind: &SmsType, language: Language) -> Value {
        let all = kind.keys.iter().map(|key| (key.clone(), json!(value(key, language))));
        Value::Object(all.collect::<Map<_, _>>())
    }

    #[test]
    fn every_text_is_whole_and_short() {
        assert_eq!(all().count(), 7);
        for (name, kind) in all() {
            for language in Language::ALL {
                let told = worded(name, language, &sample(kind, language)).unwrap();
                assert!(!told.body.contains('{') && !told.body.contains(".."), "{name} {language}: {}", told.body);
                let taken = segments(&told.body);
                if language != Language::Zh && kind.keys.iter().any(|key| key == "mate_name") {
                    assert_eq!(taken.encoding, Encoding::Ucs2, "the name of the mate keeps its ç");
                } else if language != Language::Zh {
                    assert_eq!((taken.encoding, taken.parts), (Encoding::Gsm7, 1), "{name} {language}: {}", told.body);
                }
                assert!(taken.parts <= 2, "{name} {language}");
                // Each key has its place in each language.
                for key in &kind.keys {
                    assert!(kind.words(language).contains(&format!("{{{{{key}}}}}")), "{name} {language} {key}");
                }
            }
        }
    }

    #[test]
    fn a_link_that_opens_an_account_is_not_kept() {
        let told = worded("paymentFailed", Language::En, &json!({ "updateCardUrl": "https://x/card/abc" })).unwrap();
        assert!(told.body.ends_with("https://x/card/abc"));
        assert!(told.kept.ends_with("•••") && !told.kept.contains("abc"));
    }

    #[test]
    fn a_value_that_is_missing_sends_nothing() {
        assert!(worded("paymentFailed", Language::En, &json!({})).is_err());
        assert!(worded("nothing", Language::En, &json!({})).is_err());
        // What people typed is no template.
        let told = json!({ "mate_name": "{{x}} <Zoë>" });
        assert_eq!(
            worded("deliveryArriving", Language::En, &told).unwrap().body,
            "{{x}} <Zoë> arrives in a few minutes."
        );
    }
}
