//! Whether a template can be sent: it can be read, runs and loads nothing, and which of its keys its message does not have.

use std::collections::BTreeSet;

use handlebars::{
    Path, Template,
    template::{DecoratorTemplate, HelperTemplate, Parameter, TemplateElement},
};
use serde_json::{Map, Value};

use super::{markup, tags};
use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult,
    mailing::{
        self,
        catalogue::{self, MessageType},
        partials,
    },
    ports::templates::TemplateText,
    sms::words::filled,
};

/// The part that has a body of its own.
const LAYOUT: &str = "layout";

/// What is wrong with a part.
enum Wrong {
    /// It cannot be read; the line, where that is known.
    Broken(Option<usize>),
    /// It has something that may not be.
    Unsafe(markup::Unsafe),
}

impl Wrong {
    fn of(self, part: &str) -> Error {
        let line = |line: Option<usize>| line.map_or_else(|| "–".to_owned(), |line| line.to_string());
        let (code, at, what) = match self {
            Wrong::Broken(at) => (ErrorCode::TemplateBroken, line(at), None),
            Wrong::Unsafe(found) => (ErrorCode::TemplateUnsafe, line(Some(found.line)), Some(found.what)),
        };
        let mut params = vec![("part", part.to_owned()), ("line", at)];
        params.extend(what.map(|what| ("what", what)));
        Error::Refused(code, params)
    }
}

/// The keys that the message does not have, in order. `full` has a value for each key it has.
///
/// # Errors
/// `template_broken`, `template_unsafe`: the part, the line and what stands there.
pub fn check(kind: &MessageType, text: &TemplateText, full: &Map<String, Value>) -> ServiceResult<Vec<String>> {
    if kind.is_text() {
        return check_text(kind, &text.text, full);
    }
    let mut keys = BTreeSet::new();
    for (part, source) in [("subject", &text.subject), ("text", &text.text), ("html", &text.html)] {
        let form = if part == "html" { Form::Html } else { Form::Plain };
        keys.extend(read(source, form).map_err(|wrong| wrong.of(part))?);
    }
    // What can be read can still fail when it is filled in.
    for values in [Value::Object(full.clone()), Value::Object(Map::new())] {
        if let Err(failure) = mailing::filled(text, &values) {
            let part = failure.split(':').next().unwrap_or_default();
            return Err(Wrong::Broken(None).of(part));
        }
    }
    Ok(keys.into_iter().filter(|key| !kind.supports(key)).collect())
}

/// The same of a text message: keys and conditions, no shared parts, and not longer than the service takes.
fn check_text(kind: &MessageType, words: &str, full: &Map<String, Value>) -> ServiceResult<Vec<String>> {
    let keys = read(words, Form::Text).map_err(|wrong| wrong.of("text"))?;
    if filled(words, &Value::Object(full.clone())).is_err() {
        return Err(Error::field("text", FieldProblem::TooLong));
    }
    Ok(keys.into_iter().filter(|key| !kind.supports(key)).collect())
}

/// What a part is written in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Html,
    Plain,
    /// A text message, which has no shared parts.
    Text,
}

/// The keys of a part.
fn read(source: &str, form: Form) -> Result<BTreeSet<String>, Wrong> {
    let tags = tags::parse(source).map_err(|at| Wrong::Broken(Some(at.0)))?;
    let template = Template::compile(source).map_err(|e| Wrong::Broken(e.pos().map(|(line, _)| line)))?;
    let mut reading = Reading { form, inside: 0, keys: BTreeSet::new() };
    reading.template(&template)?;
    if form == Form::Html {
        markup::check(source, &tags).map_err(Wrong::Unsafe)?;
    }
    Ok(reading.keys)
}

struct Reading {
    form: Form,
    /// In how many tags that have a body.
    inside: usize,
    keys: BTreeSet<String>,
}

impl Reading {
    fn body(&mut self, template: &Template) -> Result<(), Wrong> {
        self.inside += 1;
        self.template(template)?;
        self.inside -= 1;
        Ok(())
    }

    fn template(&mut self, template: &Template) -> Result<(), Wrong> {
        for (at, element) in template.elements.iter().enumerate() {
            let line = template.mapping.get(at).map(|place| place.0);
            let broken = || Wrong::Broken(line);
            match element {
                TemplateElement::RawString(_) | TemplateElement::Comment(_) => {}
                TemplateElement::Expression(tag) => self.key(tag, false, line)?,
                TemplateElement::HtmlExpression(tag) => self.key(tag, true, line)?,
                TemplateElement::HelperBlock(tag) => self.condition(tag, line)?,
                TemplateElement::PartialExpression(tag) if !is_layout(tag) => self.partial(tag, line)?,
                TemplateElement::PartialBlock(tag) => {
                    // Once, around everything: in itself it would have no end.
                    if self.inside > 0 || !is_layout(tag) {
                        return Err(broken());
                    }
                    self.partial(tag, line)?;
                    tag.template.as_ref().map_or(Ok(()), |inner| self.body(inner))?;
                }
                _ => return Err(broken()),
            }
        }
        Ok(())
    }

    /// `{{key}}`, or in three braces.
    fn key(&mut self, tag: &HelperTemplate, is_raw: bool, line: Option<usize>) -> Result<(), Wrong> {
        let name = match &tag.name {
            Parameter::Name(name) => name.clone(),
            Parameter::Path(path) => raw(path),
            _ => return Err(Wrong::Broken(line)),
        };
        if !tag.params.is_empty() || !tag.hash.is_empty() {
            return Err(Wrong::Broken(line));
        }
        // What is not escaped is markup: only a block of our own making may be.
        if is_raw && self.form == Form::Html && !catalogue::is_block(&name) {
            let what = format!("{{{{{{{name}}}}}}}");
            return Err(Wrong::Unsafe(markup::Unsafe { line: line.unwrap_or(1), what }));
        }
        self.keys.insert(name);
        Ok(())
    }

    fn condition(&mut self, tag: &HelperTemplate, line: Option<usize>) -> Result<(), Wrong> {
        let known = matches!(&tag.name, Parameter::Name(name) if name == "if" || name == "unless");
        let [Parameter::Path(path)] = tag.params.as_slice() else { return Err(Wrong::Broken(line)) };
        if !known || !tag.hash.is_empty() {
            return Err(Wrong::Broken(line));
        }
        self.keys.insert(raw(path));
        [&tag.template, &tag.inverse].into_iter().flatten().try_for_each(|inner| self.body(inner))
    }

    fn partial(&mut self, tag: &DecoratorTemplate, line: Option<usize>) -> Result<(), Wrong> {
        let Parameter::Name(name) = &tag.name else { return Err(Wrong::Broken(line)) };
        if self.form == Form::Text || !tag.params.is_empty() || !partials().any(|known| known == name) {
            return Err(Wrong::Broken(line));
        }
        for (field, value) in &tag.hash {
            match value {
                Parameter::Path(path) => {
                    let key = raw(path);
                    if field == "url" && !catalogue::is_link(&key) {
                        let what = format!("url={key}");
                        return Err(Wrong::Unsafe(markup::Unsafe { line: line.unwrap_or(1), what }));
                    }
                    self.keys.insert(key);
                }
                Parameter::Literal(Value::String(text)) if field == "url" && !markup::is_address(text) => {
                    let what = format!("url={}", text.chars().take(40).collect::<String>());
                    return Err(Wrong::Unsafe(markup::Unsafe { line: line.unwrap_or(1), what }));
                }
                Parameter::Literal(_) => {}
                _ => return Err(Wrong::Broken(line)),
            }
        }
        Ok(())
    }
}

fn is_layout(tag: &DecoratorTemplate) -> bool {
    matches!(&tag.name, Parameter::Name(name) if name == LAYOUT)
}

/// The key that a path names: `this.total` is `total`, since no tag of a message changes what `this` is.
fn raw(path: &Path) -> String {
    let raw = match path {
        Path::Relative((_, raw)) | Path::Local((_, _, raw)) => raw,
    };
    tags::key_of(raw).to_owned()
}
