//! What each text says: what staff saved, or else what is shipped (`fixtures/text-messages.json`), and what it takes on the air.

use std::{collections::BTreeMap, sync::LazyLock};

use handlebars::Handlebars;
use kernel::{Language, in_gsm};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Error, ServiceResult,
    ports::{Unit, messages::Message},
};

/// Texts whose news is old an hour later: where the crew is now.
const ARRIVALS: [&str; 2] = ["deliveryOnTheWay", "deliveryArriving"];
/// How long their news is true.
pub(super) const ARRIVAL_SECONDS: u32 = 3600;
/// Characters that the service takes.
pub const LONGEST: usize = 1600;
/// Values that are links by which whoever holds them enters an account.
const SECRET_LINKS: [&str; 1] = ["updateCardUrl"];
/// What stands in the kept text where such a link was.
const HIDDEN: &str = "•••";
/// Prefix of a text message's name among the templates: some have the same name as an e-mail.
const TEMPLATE: &str = "sms-";
/// Prefix of the names of text messages about a delivery.
const DELIVERY: &str = "delivery";
/// Where a message keeps the words that staff try out on themselves, in the parts of a template.
const OWN_WORDS: &str = "ownWords";

/// What the words of any text may have beside its own keys; empty where nobody knows it.
const COMMON: [&str; 3] = ["customer_name", "company_name", "phone_number"];
/// The same of texts about a delivery.
const OF_DELIVERY: [&str; 7] = ["partner_name", "mate_name", "date", "time_range", "address", "taskID", "notes"];

/// A type of text.
#[derive(Debug, Deserialize)]
pub struct SmsType {
    /// The keys that its shipped words have: without a value for each it is not sent.
    pub keys: Vec<String>,
    #[serde(skip)]
    is_delivery: bool,
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

    /// Every key its words may use.
    pub fn supported(&self) -> impl Iterator<Item = &str> {
        let more: &[&str] = if self.is_delivery { &OF_DELIVERY } else { &[] };
        let own = &self.keys;
        let others = more.iter().chain(&COMMON).copied().filter(move |key| !own.iter().any(|known| known == key));
        self.keys.iter().map(String::as_str).chain(others)
    }

    /// The first of its keys that has no value.
    pub fn lacks(&self, values: &Value) -> Option<&str> {
        let has =
            |key: &&String| values.get(key.as_str()).and_then(Value::as_str).is_some_and(|v| !v.trim().is_empty());
        self.keys.iter().find(|key| !has(key)).map(String::as_str)
    }
}

static TYPES: LazyLock<BTreeMap<String, SmsType>> = LazyLock::new(|| {
    // A test below proves that the file parses.
    let listed = include_str!("../../../../fixtures/text-messages.json");
    let mut types = serde_json::from_str::<BTreeMap<String, SmsType>>(listed).unwrap_or_default();
    for (name, one) in &mut types {
        one.is_delivery = name.starts_with(DELIVERY);
    }
    types
});

/// Every type, by name.
pub fn all() -> impl Iterator<Item = (&'static str, &'static SmsType)> {
    TYPES.iter().map(|(name, kind)| (name.as_str(), kind))
}

/// The type with this name.
pub fn type_named(name: &str) -> Option<&'static SmsType> {
    TYPES.get(name)
}

/// What a text is called among the templates: `sms-moveReminder`.
pub fn template_name(kind: &str) -> String {
    format!("{TEMPLATE}{kind}")
}

/// The type of the text that is called so among the templates.
pub fn of_template(name: &str) -> Option<&'static SmsType> {
    type_named(name.strip_prefix(TEMPLATE)?)
}

/// What a text that is called so among the templates is called elsewhere.
pub fn named(template: &str) -> &str {
    template.strip_prefix(TEMPLATE).unwrap_or(template)
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

/// What a text says that leaves now. The saved words are read each time: what was saved a moment ago is sent. Those that cannot be filled in any
/// more keep no text back: the shipped ones are sent then.
///
/// # Errors
/// An unknown type, a value that is missing, or a text that is empty or too long for the service; when the database fails.
pub(super) fn worded(u: &mut dyn Unit, m: &Message) -> ServiceResult<Worded> {
    let (name, values) = (m.message_type.as_str(), &m.values);
    let fault = |why: String| Error::Internal(format!("{name}: {why}"));
    if let Some(own) = values.get(OWN_WORDS).and_then(|own| own.get("text")).and_then(Value::as_str) {
        return render_with_log_copy(own, values).map_err(fault);
    }
    let kind = type_named(name).ok_or_else(|| fault("no such text".to_owned()))?;
    if let Some(missing) = kind.lacks(values) {
        return Err(fault(format!("{missing} has no value")));
    }
    let shipped = kind.words(m.language);
    if let Some(saved) = u.templates().latest(&template_name(name), m.language)?.and_then(|saved| saved.text) {
        match render_with_log_copy(&saved.text, values) {
            Ok(told) => return Ok(told),
            Err(failure) => tracing::error!(name, failure, "the saved words cannot be filled in"),
        }
    }
    render_with_log_copy(shipped, values).map_err(fault)
}

/// Fills words in twice: for the recipient, and without secret links for the log.
fn render_with_log_copy(words: &str, values: &Value) -> Result<Worded, String> {
    let body = filled(words, values)?;
    let mut shown = values.clone();
    for key in SECRET_LINKS {
        if let Some(link) = shown.get_mut(key) {
            *link = Value::from(HIDDEN);
        }
    }
    Ok(Worded { kept: filled(words, &shown)?, body })
}

/// Fills words in. A key without a value leaves nothing.
///
/// # Errors
/// Words that cannot be read, or a text that is empty or too long for the service.
pub fn filled(words: &str, values: &Value) -> Result<String, String> {
    let mut engine = Handlebars::new();
    engine.register_escape_fn(handlebars::no_escape);
    let text = engine.render_template(words, values).map_err(|e| e.to_string())?;
    // A time that ends in "a.m." and the end of the sentence share their full stop.
    let text = in_gsm(&text.trim().replace(".m..", ".m."));
    if text.is_empty() || text.chars().count() > LONGEST {
        return Err(format!("the text is empty, or longer than {LONGEST} characters"));
    }
    Ok(text)
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
                let told = render_with_log_copy(kind.words(language), &sample(kind, language)).unwrap();
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
        let words = type_named("paymentFailed").unwrap().words(Language::En);
        let told = render_with_log_copy(words, &json!({ "updateCardUrl": "https://x/card/abc" })).unwrap();
        assert!(told.body.ends_with("https://x/card/abc"));
        assert!(told.kept.ends_with("•••") && !told.kept.contains("abc"));
    }

    #[test]
    fn a_value_that_is_missing_is_told() {
        let kind = type_named("deliveryOnTheWay").unwrap();
        assert_eq!(kind.lacks(&json!({})), Some("mate_name"));
        assert_eq!(kind.lacks(&json!({ "mate_name": "Alex", "time_range": " " })), Some("time_range"));
        assert_eq!(kind.lacks(&json!({ "mate_name": "Alex", "time_range": "9:00 – 10:00" })), None);
        assert!(type_named("nothing").is_none() && of_template("moveReminder").is_none());
        assert!(of_template("sms-moveReminder").is_some_and(|kind| kind.supported().any(|key| key == "company_name")));
    }

    #[test]
    fn what_people_typed_is_no_template() {
        let told = json!({ "mate_name": "{{x}} <Zoë>" });
        assert_eq!(filled("{{mate_name}} arrives. {{unheardOf}}", &told).unwrap(), "{{x}} <Zoë> arrives.");
        assert!(filled("{{unheardOf}}", &told).is_err(), "nothing is no text");
        assert!(filled(&"x".repeat(1601), &told).is_err());
    }
}
