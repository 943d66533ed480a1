//! Templates to text. Subjects and texts are plain, HTML is escaped; blocks arrive as
//! `{ "html", "text" }` and are inserted in their form.

use std::{
    collections::HashMap,
    ffi::OsStr,
    sync::{Arc, LazyLock, PoisonError, RwLock},
};

use handlebars::{Context, Handlebars, RenderContext, RenderError, Renderable as _, Template};
use include_dir::{Dir, include_dir};
use kernel::Language;
use serde_json::{Map, Value};

use super::{
    catalogue::{self, MessageType},
    identity,
};
use crate::ports::templates::TemplateText;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../fixtures/templates");

struct Engines {
    html: Handlebars<'static>,
    plain: Handlebars<'static>,
}

static ENGINES: LazyLock<Result<Engines, String>> = LazyLock::new(load);

/// Templates that were read lately, by their text: reading one takes much longer than filling it in.
static READ: LazyLock<RwLock<HashMap<String, Arc<Template>>>> = LazyLock::new(RwLock::default);
/// As many are kept. A company sends a dozen types of messages in two languages; each has three parts.
const MOST_READ: usize = 96;

/// A message ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// One line.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// HTML.
    pub html: String,
}

fn load() -> Result<Engines, String> {
    let mut html = Handlebars::new();
    let mut plain = Handlebars::new();
    plain.register_escape_fn(handlebars::no_escape);
    for engine in [&mut html, &mut plain] {
        for file in FILES.get_dir("partials").into_iter().flat_map(Dir::files) {
            let (Some(name), Some(text)) = (file.path().file_stem().and_then(OsStr::to_str), file.contents_utf8())
            else {
                continue;
            };
            engine.register_template_string(name, text).map_err(|e| format!("{name}: {e}"))?;
        }
    }
    Ok(Engines { html, plain })
}

/// A template, read once while it is used.
fn read(source: &str) -> Result<Arc<Template>, RenderError> {
    if let Some(known) = READ.read().unwrap_or_else(PoisonError::into_inner).get(source) {
        return Ok(known.clone());
    }
    let template = Arc::new(Template::compile(source)?);
    let mut all = READ.write().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= MOST_READ {
        all.clear();
    }
    all.insert(source.to_owned(), template.clone());
    Ok(template)
}

/// The shipped template of a message, byte for byte; none where none is shipped.
pub fn shipped(message_type: &str, language: Language) -> Option<TemplateText> {
    let has_attachment = catalogue::type_named(message_type).is_some_and(MessageType::has_attachment);
    let part = |part: &str| {
        let file = FILES.get_file(format!("{message_type}/{language}.{part}.hbs"))?;
        Some(file.contents_utf8()?.to_owned())
    };
    Some(TemplateText {
        subject: part("subject")?,
        text: part("text")?,
        html: part("html")?,
        attachment: has_attachment,
    })
}

/// The names of the parts that templates share.
pub(crate) fn partials() -> impl Iterator<Item = &'static str> {
    let files = FILES.get_dir("partials").into_iter().flat_map(Dir::files);
    files.filter_map(|f| f.path().file_stem()?.to_str())
}

/// Renders the shipped template of a message; a missing language falls back to English.
///
/// # Errors
/// An unknown message type or a template that does not parse, by name.
pub fn render(message_type: &str, language: Language, values: &Value) -> Result<Rendered, String> {
    let text = shipped(message_type, language).or_else(|| shipped(message_type, Language::En));
    let text = text.ok_or_else(|| format!("{message_type}: no template"))?;
    filled(&text, values).map_err(|e| format!("{message_type}/{language}: {e}"))
}

/// Fills a template in. Whatever is sent, previewed or kept goes through here.
///
/// # Errors
/// A template that does not parse or cannot be filled in, by its part.
pub(crate) fn filled(text: &TemplateText, values: &Value) -> Result<Rendered, String> {
    let engines = ENGINES.as_ref().map_err(Clone::clone)?;
    let part = |engine: &Handlebars<'_>, part: &str, source: &str, values: &Context| {
        let filled = read(source).and_then(|template| template.renders(engine, values, &mut RenderContext::new(None)));
        filled.map_err(|e| format!("{part}: {e}"))
    };
    // `9:00 a.m.` ends with the full stop of its abbreviation: at the end of a sentence there is no second one.
    let part = |engine: &Handlebars<'_>, name: &str, source: &str, values: &Context| {
        let filled = part(engine, name, source, values)?;
        Ok::<_, String>(ENDS.iter().fold(filled, |text, (twice, once)| text.replace(twice, once)))
    };
    let plain = Context::from(in_form(values, "text"));
    let marked = Context::from(in_form(values, "html"));
    let subject = part(&engines.plain, "subject", &text.subject, &plain)?;
    let mut told = Rendered {
        subject: subject.split_whitespace().collect::<Vec<_>>().join(" "),
        text: part(&engines.plain, "text", &text.text, &plain)?.trim().to_owned() + "\n",
        html: part(&engines.html, "html", &text.html, &marked)?,
    };
    let lacks = identity::missing_identity(&told.text, &told.html, values);
    if lacks.text {
        let footer = part(&engines.plain, "text", "{{> footer_text}}", &plain)?;
        told.text = format!("{}\n{}\n", told.text, footer.trim());
    }
    if lacks.html {
        let footer = part(&engines.html, "html", "{{> footer_html}}", &marked)?;
        told.html = identity::with_footer(&told.html, &footer);
    }
    Ok(told)
}

/// An abbreviation with the full stop of its sentence, and without.
const ENDS: [(&str, &str); 4] =
    [("a.m..", "a.m."), ("p.m..", "p.m."), ("a.m.</strong>.", "a.m.</strong>"), ("p.m.</strong>.", "p.m.</strong>")];

/// Blocks in the form the part wants.
fn in_form(values: &Value, form: &str) -> Value {
    let Value::Object(all) = values else { return values.clone() };
    let pick = |v: &Value| match v {
        Value::Object(block) if block.contains_key("html") && block.contains_key("text") => {
            block.get(form).cloned().unwrap_or_default()
        }
        other => other.clone(),
    };
    Value::Object(all.iter().map(|(k, v)| (k.clone(), pick(v))).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn every_template_renders_in_every_language_without_values() {
        let types: std::collections::BTreeSet<String> =
            FILES.dirs().filter_map(|d| d.path().to_str().map(str::to_owned)).filter(|d| d != "partials").collect();
        assert!(types.contains("bookingConfirmation") && types.len() >= 10, "{types:?}");
        for kind in types {
            for language in Language::ALL {
                let out = render(&kind, language, &json!({})).unwrap();
                assert!(!out.subject.is_empty() && out.html.contains("<html"), "{kind} {language}");
            }
        }
    }

    #[test]
    fn a_time_at_the_end_of_a_sentence_has_one_full_stop() {
        for time in ["Friday, 9:00 a.m.", "Friday, 1:00 p.m."] {
            let values = json!({ "cancelledAt": time, "bookingShortId": "K7M2QX" });
            let out = render("bookingCancelled", Language::En, &values).unwrap();
            for part in [out.text, out.html] {
                assert!(part.contains(&format!("was cancelled on {time}")) && !part.contains("m.."), "{part}");
            }
        }
    }

    #[test]
    fn html_is_escaped_and_text_is_not() {
        let values =
            json!({ "customerFirstName": "<Zoë & co>", "itemsSummary": { "html": "<li>x</li>", "text": "- x" } });
        let out = render("bookingConfirmation", Language::En, &values).unwrap();
        assert!(out.html.contains("&lt;Zoë &amp; co&gt;") && out.html.contains("<li>x</li>"));
        assert!(out.text.contains("<Zoë & co>") && out.text.contains("- x"));
    }
}
