//! Which words a message is sent with: what staff saved, or else what is shipped.

use kernel::Language;
use serde_json::Value;

use super::render::{Rendered, filled, shipped};
use crate::{
    Error, ServiceResult, Services,
    ports::{Unit, messages::Message, templates::TemplateText},
};

/// Where a message keeps the words it is tried out with; shown by no template.
pub(super) const OWN_WORDS: &str = "ownWords";

/// The template that counts now. A language that has none is told in English.
///
/// # Errors
/// When the database fails; when the type has no template at all.
pub(super) fn in_force(u: &mut dyn Unit, message_type: &str, language: Language) -> ServiceResult<TemplateText> {
    for language in [language, Language::En] {
        let saved = u.templates().latest(message_type, language)?.and_then(|saved| saved.text);
        if let Some(text) = saved.or_else(|| shipped(message_type, language)) {
            return Ok(text);
        }
    }
    Err(Error::Internal(format!("{message_type}: no template")))
}

/// The wording of a message that is sent now.
pub(super) async fn of_message(s: &Services, m: &Message) -> ServiceResult<TemplateText> {
    if let Some(own) = m.values.get(OWN_WORDS) {
        return own_words(own).ok_or_else(|| Error::Internal(format!("{}: unreadable words", m.id)));
    }
    let (kind, language) = (m.message_type.clone(), m.language);
    s.store.read(move |u| in_force(u, &kind, language)).await
}

/// Fills it in. A saved template that cannot be filled in any more keeps no message back: the shipped one is sent then.
pub(super) fn rendered(m: &Message, words: &TemplateText, values: &Value) -> ServiceResult<Rendered> {
    let fault = |e: String| Error::Internal(format!("{}: {e}", m.message_type));
    filled(words, values).or_else(|failure| {
        let spare = shipped(&m.message_type, m.language).or_else(|| shipped(&m.message_type, Language::En));
        let Some(spare) = spare.filter(|spare| spare != words) else { return Err(fault(failure)) };
        tracing::error!(message_type = m.message_type, failure, "the saved template cannot be filled in");
        filled(&spare, values).map_err(fault)
    })
}

/// The values of a message that is sent with these words from now on.
pub(super) fn with(values: &Value, words: &TemplateText) -> Value {
    let mut all = values.clone();
    if let Some(all) = all.as_object_mut() {
        all.insert(OWN_WORDS.to_owned(), kept_words(words));
    }
    all
}

/// As a message keeps them.
pub(super) fn kept_words(words: &TemplateText) -> Value {
    serde_json::json!({
        "subject": words.subject, "text": words.text, "html": words.html, "attachment": words.attachment,
    })
}

fn own_words(kept: &Value) -> Option<TemplateText> {
    let part = |name: &str| kept.get(name)?.as_str().map(str::to_owned);
    Some(TemplateText {
        subject: part("subject")?,
        text: part("text")?,
        html: part("html")?,
        attachment: kept.get("attachment")?.as_bool()?,
    })
}
