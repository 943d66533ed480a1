//! The words of messages as staff see and change them: what is shipped, what was saved in its place, and since when.

mod check;
mod markup;
mod preview;
mod tags;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::Language;
use serde_json::{Value, json};

use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff,
    bookings::trail::Names,
    mailing::{
        catalogue::{self, MessageType},
        drafted, shipped,
    },
    ports::{
        StoreError, Unit,
        templates::{SavedTemplate, TemplateHead, TemplateText},
    },
    sms::words,
};

pub use preview::{Preview, TemplatePreviewInput, Tried, preview, test};

/// Versions that are shown at most.
const MOST_VERSIONS: i64 = 100;

/// Names one template.
#[derive(Debug, Clone, Copy)]
pub struct TemplateKey {
    /// The type of message.
    pub kind: &'static MessageType,
    /// The language.
    pub language: Language,
}

impl TemplateKey {
    /// The template of a type and language; none where there is no such message.
    pub fn of(kind: &str, language: &str) -> Option<TemplateKey> {
        Some(TemplateKey { kind: catalogue::type_named(kind)?, language: language.parse().ok()? })
    }

    /// As the trail calls it.
    fn subject(self) -> String {
        format!("{}/{}", self.kind.name, self.language)
    }
}

/// Which text is used: saved or shipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The program's.
    Shipped,
    /// Somebody's of the staff.
    Changed,
    /// Nobody's: this language has no words yet, and the English ones are sent.
    Missing,
}

impl Origin {
    /// All of them.
    pub const ALL: [Origin; 3] = [Origin::Shipped, Origin::Changed, Origin::Missing];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Origin::Shipped => "shipped",
            Origin::Changed => "changed",
            Origin::Missing => "missing",
        }
    }

    fn of(is_stored: bool, is_shipped: bool) -> Origin {
        match (is_stored, is_shipped) {
            (true, _) => Origin::Changed,
            (false, true) => Origin::Shipped,
            (false, false) => Origin::Missing,
        }
    }
}

/// A line of the list.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Which.
    pub which: TemplateKey,
    /// Which text is used: saved or shipped.
    pub origin: Origin,
    /// The saved version; 0 before anybody saved one.
    pub version: i32,
    /// Since when.
    pub changed_at: Option<DateTime<Utc>>,
    /// Who changed it last.
    pub changed_by: Option<String>,
}

/// A template as staff see it.
#[derive(Debug, Clone)]
pub struct TemplateView {
    /// Its entry in the list.
    pub listed: Listed,
    /// The words in force; empty if there are none.
    pub text: TemplateText,
    /// The keys in it that its message has no value for.
    pub unsupported: Vec<String>,
}

/// A version of a template.
#[derive(Debug, Clone)]
pub struct Version {
    /// Which; 0 is what is shipped.
    pub version: i32,
    /// False: with this version the shipped words count again.
    pub is_stored: bool,
    /// Since when.
    pub changed_at: Option<DateTime<Utc>>,
    /// By whom.
    pub changed_by: Option<String>,
}

fn listed(
    u: &mut dyn Unit,
    names: &mut Names,
    which: TemplateKey,
    head: Option<&TemplateHead>,
) -> ServiceResult<Listed> {
    let is_shipped = shipped_of(which).is_some();
    Ok(Listed {
        which,
        origin: Origin::of(head.is_some_and(|head| head.is_stored), is_shipped),
        version: head.map_or(0, |head| head.version),
        changed_at: head.map(|head| head.changed_at),
        changed_by: names.of(u, head.and_then(|head| head.changed_by))?,
    })
}

/// What came with the program, byte for byte; none where nothing did.
fn shipped_of(which: TemplateKey) -> Option<TemplateText> {
    match words::of_template(&which.kind.name) {
        Some(kind) => Some(plain(kind.words(which.language).to_owned())),
        None => shipped(&which.kind.name, which.language),
    }
}

/// The words of a text message: it has no other part.
const fn plain(text: String) -> TemplateText {
    TemplateText { subject: String::new(), text, html: String::new(), attachment: false }
}

/// What counts when nobody saved anything; empty where nothing is shipped.
fn without(which: TemplateKey) -> TemplateText {
    let attachment = which.kind.has_attachment();
    let empty = || TemplateText { subject: String::new(), text: String::new(), html: String::new(), attachment };
    shipped_of(which).unwrap_or_else(empty)
}

fn shown(s: &Services, u: &mut dyn Unit, which: TemplateKey) -> ServiceResult<TemplateView> {
    let latest = u.templates().latest(&which.kind.name, which.language)?;
    let listed = listed(u, &mut Names::default(), which, latest.as_ref().map(|saved| &saved.head))?;
    let text = latest.and_then(|saved| saved.text).unwrap_or_else(|| without(which));
    // Words that an older program took are shown even where this one would not take them.
    let unsupported = match unsupported(s, u, which, &text) {
        Err(Error::Refused(..)) => Vec::new(),
        told => told?,
    };
    Ok(TemplateView { listed, text, unsupported })
}

/// The keys that its message does not have.
fn unsupported(s: &Services, u: &mut dyn Unit, which: TemplateKey, text: &TemplateText) -> ServiceResult<Vec<String>> {
    let full = drafted::values(s, u, which.kind, which.language, None)?.values;
    check::check(which.kind, text, &full)
}

/// `GET /templates`: every type in every language, those that go by mail first.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, _: &Staff) -> ServiceResult<Vec<Listed>> {
    s.store
        .read(move |u| {
            let heads: BTreeMap<(String, &str), TemplateHead> = u
                .templates()
                .heads()?
                .into_iter()
                .map(|head| ((head.message_type.clone(), head.language.code()), head))
                .collect();
            let mut names = Names::default();
            let mut all = Vec::new();
            for kind in catalogue::all().chain(catalogue::texts()) {
                for language in Language::ALL {
                    let head = heads.get(&(kind.name.clone(), language.code()));
                    all.push(listed(u, &mut names, TemplateKey { kind, language }, head)?);
                }
            }
            Ok(all)
        })
        .await
}

/// `GET /templates/{messageType}/{language}`.
///
/// # Errors
/// When the database fails.
pub async fn get(s: &Services, _: &Staff, which: TemplateKey) -> ServiceResult<TemplateView> {
    let services = s.clone();
    s.store.read(move |u| shown(&services, u, which)).await
}

/// `GET …/versions`: the newest first, what is shipped last.
///
/// # Errors
/// When the database fails.
pub async fn versions(s: &Services, _: &Staff, which: TemplateKey) -> ServiceResult<Vec<Version>> {
    s.store
        .read(move |u| {
            let mut names = Names::default();
            let mut all = Vec::new();
            for head in u.templates().versions(&which.kind.name, which.language, MOST_VERSIONS)? {
                let changed_by = names.of(u, head.changed_by)?;
                let TemplateHead { version, is_stored, changed_at, .. } = head;
                all.push(Version { version, is_stored, changed_at: Some(changed_at), changed_by });
            }
            if shipped_of(which).is_some() {
                all.push(Version { version: 0, is_stored: false, changed_at: None, changed_by: None });
            }
            Ok(all)
        })
        .await
}

/// `GET …/version?number=`: the words of a version; 0 is what is shipped.
///
/// # Errors
/// `not_found`.
pub async fn version(s: &Services, _: &Staff, which: TemplateKey, number: i32) -> ServiceResult<TemplateText> {
    let missing = || Error::from(ErrorCode::NotFound);
    if number == 0 {
        return shipped_of(which).ok_or_else(missing);
    }
    s.store
        .read(move |u| {
            let saved = u.templates().version(&which.kind.name, which.language, number)?.ok_or_else(missing)?;
            Ok(saved.text.unwrap_or_else(|| without(which)))
        })
        .await
}

/// What must be there, and where no document goes along none is promised.
fn whole(which: TemplateKey, text: &TemplateText) -> ServiceResult<()> {
    for (field, said) in [("subject", &text.subject), ("text", &text.text), ("html", &text.html)] {
        let has_part = field == "text" || !which.kind.is_text();
        if has_part && said.trim().is_empty() {
            return Err(Error::field(field, FieldProblem::Required));
        }
        if !has_part && !said.is_empty() {
            return Err(Error::field(field, FieldProblem::Invalid));
        }
    }
    if text.attachment && !which.kind.has_attachment() {
        return Err(Error::field("attachment", FieldProblem::Invalid));
    }
    Ok(())
}

/// Saves a template. What is saved already adds no version. `expected` is the version that was read, 0 for the first;
/// with `force` keys are taken that the message does not have: nothing stands where they are.
///
/// # Errors
/// `template_broken`, `template_unsafe`, `template_unsupported_keys`, `version_conflict`; each field that is empty.
pub async fn put(
    s: &Services,
    staff: &Staff,
    which: TemplateKey,
    text: TemplateText,
    force: bool,
    expected: Option<i32>,
) -> ServiceResult<TemplateView> {
    whole(which, &text)?;
    save(s, staff, which, Some((text, force)), expected).await
}

/// `DELETE …`: the shipped words count again, byte for byte. What was saved stays among the versions.
///
/// # Errors
/// `version_conflict`.
pub async fn restore(
    s: &Services,
    staff: &Staff,
    which: TemplateKey,
    expected: Option<i32>,
) -> ServiceResult<TemplateView> {
    save(s, staff, which, None, expected).await
}

async fn save(
    s: &Services,
    staff: &Staff,
    which: TemplateKey,
    new: Option<(TemplateText, bool)>,
    expected: Option<i32>,
) -> ServiceResult<TemplateView> {
    s.write(staff.actor(), move |tx| {
        let old = tx.unit.templates().latest(&which.kind.name, which.language)?;
        let version = old.as_ref().map_or(0, |saved| saved.head.version);
        if expected.is_some_and(|expected| expected != version) {
            return Err(ErrorCode::VersionConflict.into());
        }
        let before = old.and_then(|saved| saved.text);
        let services = tx.services;
        let mut unsupported = Vec::new();
        let text = match new {
            Some((text, force)) => {
                unsupported = self::unsupported(services, tx.unit, which, &text)?;
                if !unsupported.is_empty() && !force {
                    let keys = unsupported.join(", ");
                    return Err(Error::Refused(ErrorCode::TemplateUnsupportedKeys, vec![("keys", keys)]));
                }
                Some(text)
            }
            None => None,
        };
        if before != text {
            let saved = SavedTemplate {
                head: TemplateHead {
                    message_type: which.kind.name.clone(),
                    language: which.language,
                    version: version + 1,
                    is_stored: text.is_some(),
                    changed_at: tx.now,
                    changed_by: tx.actor.user,
                },
                text,
            };
            match tx.unit.templates().insert(&saved) {
                // Somebody else has saved this version at the same moment.
                Err(StoreError::Duplicate(_)) => return Err(ErrorCode::VersionConflict.into()),
                added => added?,
            }
            let action = if saved.text.is_some() { "template.change" } else { "template.restore" };
            let was = audit_snapshot(version, before.as_ref(), &[]);
            tx.audit(
                action,
                which.subject(),
                Some(was),
                Some(audit_snapshot(version + 1, saved.text.as_ref(), &unsupported)),
            )?;
        }
        shown(services, tx.unit, which)
    })
    .await
}

/// What the audit trail keeps of a version; the words themselves are stored with the versions.
fn audit_snapshot(version: i32, text: Option<&TemplateText>, unsupported: &[String]) -> Value {
    let mut told = json!({
        "version": version,
        "subject": text.map(|text| &text.subject),
        "attachment": text.map(|text| text.attachment),
    });
    if !unsupported.is_empty() {
        told["unsupportedKeys"] = json!(unsupported);
    }
    told
}
