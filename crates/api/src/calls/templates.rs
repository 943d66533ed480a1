//! The words of messages: read, changed, tried out.

use actix_web::web;
use kernel::{
    BookingId, Segments,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    mailing::catalogue::Document,
    ports::templates::TemplateText,
    templates::{self, Listed, Preview, TemplatePreviewInput, TemplateView},
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    replies::{Json, Reply, Versioned, versioned},
    values::{ChannelCode, LanguageCode, TemplateDocumentCode, TemplateOriginCode, TextEncodingCode},
};
use crate::{
    access::AsStaff,
    contract::refusals,
    endpoint::{Audit, Example, Route, STAFF},
    http::{IfMatch, PathTemplate, ValidJson, ValidQuery, Version, sizes},
    state::State,
};

const TAG: &str = "Back office";

refusals! {
    /// Why a template is not saved.
    TemplateRefusal { Rule: TemplateBroken, TemplateUnsafe, TemplateUnsupportedKeys, ValidationFailed }
}

refusals! {
    /// Why a template is not shown as a message.
    PreviewRefusal { Rule: TemplateBroken, TemplateUnsafe, NotFound }
}

refusals! {
    /// Why no message is sent to oneself.
    TestRefusal { Rule: TemplateBroken, TemplateUnsafe, NotFound, EmailUnknown, PhoneUnknown, TextsOff }
}

/// A template in the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateRow {
    /// `bookingConfirmation`; of a text with `sms-` before it.
    message_type: &'static str,
    /// By which way it goes. A text has plain words alone: subject and HTML are empty.
    #[schema(value_type = ChannelCode)]
    channel: &'static str,
    #[schema(value_type = LanguageCode)]
    language: &'static str,
    /// Whose words count: `shipped`, `changed`, or `missing`: then the English ones are sent.
    #[schema(value_type = TemplateOriginCode)]
    origin: &'static str,
    /// The saved version; 0 before anybody saved one.
    version: i32,
    /// A document goes along with this message, when there is one.
    can_attach: bool,
    /// Which document; none where none goes along.
    #[schema(value_type = Option<TemplateDocumentCode>)]
    document: Option<&'static str>,
    /// The message is about a booking.
    about_booking: bool,
    /// Whoever gets it may stop such mail: a link for that goes along.
    commercial: bool,
    /// Since when; none before anybody saved something.
    changed_at: Option<DateTime<Utc>>,
    /// Who changed it last.
    changed_by: Option<String>,
}

impl From<Listed> for TemplateRow {
    fn from(l: Listed) -> TemplateRow {
        TemplateRow {
            message_type: &l.which.kind.name,
            channel: l.which.kind.channel().code(),
            language: l.which.language.code(),
            origin: l.origin.code(),
            version: l.version,
            can_attach: l.which.kind.has_attachment(),
            document: l.which.kind.document().map(Document::code),
            about_booking: l.which.kind.is_about_booking(),
            commercial: l.which.kind.is_commercial(),
            changed_at: l.changed_at,
            changed_by: l.changed_by,
        }
    }
}

/// Every type of message in every language.
#[derive(Debug, Serialize, ToSchema)]
pub struct TemplateList {
    /// By type, then language.
    data: Vec<TemplateRow>,
}

/// The words of a message before its values are filled in.
#[derive(Debug, Serialize, ToSchema)]
pub struct TemplateWords {
    /// One line.
    subject: String,
    /// Plain text.
    text: String,
    /// HTML.
    html: String,
    /// Whether the document of this message goes along.
    attachment: bool,
}

impl From<TemplateText> for TemplateWords {
    fn from(t: TemplateText) -> TemplateWords {
        TemplateWords { subject: t.subject, text: t.text, html: t.html, attachment: t.attachment }
    }
}

/// A template.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateRecord {
    #[serde(flatten)]
    row: TemplateRow,
    #[serde(flatten)]
    words: TemplateWords,
    /// Every key that this message has.
    keys: Vec<&'static str>,
    /// Of these, the ones that are markup of their own: in HTML they stand in three braces.
    blocks: Vec<&'static str>,
    /// The keys in it that this message does not have: nothing stands where they are.
    unsupported_keys: Vec<String>,
}

impl From<TemplateView> for TemplateRecord {
    fn from(shown: TemplateView) -> TemplateRecord {
        let kind = shown.listed.which.kind;
        TemplateRecord {
            row: shown.listed.into(),
            words: shown.text.into(),
            keys: kind.keys().collect(),
            blocks: kind.keys().filter(|key| service::mailing::catalogue::is_block(key)).collect(),
            unsupported_keys: shown.unsupported,
        }
    }
}

/// A version of a template.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateVersion {
    /// Counts up with each change; 0 is what is shipped.
    version: i32,
    /// False: with this version the shipped words count again.
    is_stored: bool,
    /// Since when.
    changed_at: Option<DateTime<Utc>>,
    /// By whom.
    changed_by: Option<String>,
}

/// The versions of a template.
#[derive(Debug, Serialize, ToSchema)]
pub struct TemplateVersions {
    /// The newest first, at most a hundred, and what is shipped.
    data: Vec<TemplateVersion>,
}

/// Which version.
#[derive(Debug, Deserialize, ToSchema)]
struct TemplateVersionQuery {
    /// 0 is what is shipped.
    #[schema(minimum = 0, maximum = 1_000_000)]
    number: i32,
}

/// A template, as it is to be.
#[derive(Debug, Deserialize, ToSchema, Validate)]
struct TemplateRequest {
    /// One line.
    #[schema(max_length = 300)]
    subject: String,
    /// Plain text.
    #[schema(max_length = 50_000)]
    text: String,
    /// HTML.
    #[schema(max_length = 100_000)]
    html: String,
    /// Whether the document of this message goes along; where there is one it does when nothing is said.
    attachment: Option<bool>,
    /// Take keys that this message does not have: nothing stands where they are.
    #[serde(default)]
    force: bool,
}

/// What is to be looked at; parts that are left out are the saved ones.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct PreviewRequest {
    /// One line.
    #[schema(max_length = 300)]
    subject: Option<String>,
    /// Plain text.
    #[schema(max_length = 50_000)]
    text: Option<String>,
    /// HTML.
    #[schema(max_length = 100_000)]
    html: Option<String>,
    /// Of this booking; none: of a sample.
    #[schema(value_type = Option<uuid::Uuid>)]
    booking_id: Option<BookingId>,
}

impl PreviewRequest {
    fn into_draft(self) -> TemplatePreviewInput {
        TemplatePreviewInput { subject: self.subject, text: self.text, html: self.html, booking: self.booking_id }
    }
}

/// What a text takes on the air.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextSegments {
    /// One letter that the short alphabet lacks has the whole text written in the long one.
    #[schema(value_type = TextEncodingCode)]
    encoding: &'static str,
    /// Septets, or code units of 16 bits.
    units: usize,
    /// Parts it is sent and billed as.
    parts: usize,
}

impl From<Segments> for TextSegments {
    fn from(s: Segments) -> TextSegments {
        TextSegments { encoding: s.encoding.code(), units: s.units, parts: s.parts }
    }
}

/// A message as it would be sent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplatePreview {
    subject: String,
    text: String,
    html: String,
    /// The keys in it that this message does not have: nothing stands where they are.
    unsupported_keys: Vec<String>,
    /// What only this message says is of a sample: none was chosen, or the booking has nothing of it yet.
    is_sample: bool,
    /// Of a text: what it takes on the air.
    segments: Option<TextSegments>,
}

impl From<Preview> for TemplatePreview {
    fn from(p: Preview) -> TemplatePreview {
        let service::mailing::Rendered { subject, text, html } = p.rendered;
        let segments = p.segments.map(TextSegments::from);
        TemplatePreview { subject, text, html, unsupported_keys: p.unsupported, is_sample: p.is_sample, segments }
    }
}

/// A message that is on its way to whoever asked for it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TemplateTest {
    /// Their address, or their number.
    recipient: String,
}

async fn list(state: web::Data<State>, who: AsStaff) -> Reply<Json<TemplateList>> {
    let found = templates::list(&state.services, &who.0).await?;
    Ok(Json(TemplateList { data: found.into_iter().map(TemplateRow::from).collect() }))
}

async fn get(state: web::Data<State>, who: AsStaff, which: PathTemplate) -> Reply<Versioned<TemplateRecord>> {
    let found = templates::get(&state.services, &who.0, which.0).await?;
    versioned(found.listed.version, found.into())
}

async fn put(
    state: web::Data<State>,
    who: AsStaff,
    which: PathTemplate,
    version: Version,
    body: ValidJson<TemplateRequest>,
) -> Reply<Versioned<TemplateRecord>, TemplateRefusal> {
    let TemplateRequest { subject, text, html, attachment, force } = body.value;
    let attachment = attachment.unwrap_or_else(|| which.0.kind.has_attachment());
    let words = TemplateText { subject, text, html, attachment };
    let done = templates::put(&state.services, &who.0, which.0, words, force, Some(version.0)).await?;
    versioned(done.listed.version, done.into())
}

async fn restore(
    state: web::Data<State>,
    who: AsStaff,
    which: PathTemplate,
    version: IfMatch,
) -> Reply<Versioned<TemplateRecord>> {
    let done = templates::restore(&state.services, &who.0, which.0, version.0).await?;
    versioned(done.listed.version, done.into())
}

async fn versions(state: web::Data<State>, who: AsStaff, which: PathTemplate) -> Reply<Json<TemplateVersions>> {
    let found = templates::versions(&state.services, &who.0, which.0).await?;
    let version = |v: templates::Version| {
        let templates::Version { version, is_stored, changed_at, changed_by } = v;
        TemplateVersion { version, is_stored, changed_at, changed_by }
    };
    Ok(Json(TemplateVersions { data: found.into_iter().map(version).collect() }))
}

async fn version(
    state: web::Data<State>,
    who: AsStaff,
    which: PathTemplate,
    query: ValidQuery<TemplateVersionQuery>,
) -> Reply<Json<TemplateWords>> {
    let found = templates::version(&state.services, &who.0, which.0, query.value.number).await?;
    Ok(Json(found.into()))
}

async fn preview(
    state: web::Data<State>,
    who: AsStaff,
    which: PathTemplate,
    body: ValidJson<PreviewRequest>,
) -> Reply<Json<TemplatePreview>, PreviewRefusal> {
    let made = templates::preview(&state.services, &who.0, which.0, body.value.into_draft()).await?;
    Ok(Json(made.into()))
}

async fn test(
    state: web::Data<State>,
    who: AsStaff,
    which: PathTemplate,
    body: ValidJson<PreviewRequest>,
) -> Reply<Json<TemplateTest>, TestRefusal> {
    let sent = templates::test(&state.services, &who.0, which.0, body.value.into_draft()).await?;
    Ok(Json(TemplateTest { recipient: sent.recipient }))
}

const AT: &[(&str, &str)] = &[("messageType", "welcome"), ("language", "fr")];

/// Their part of the table.
pub fn routes() -> Vec<Route> {
    let words = json!({
        "subject": "Bienvenue chez {{companyName}}",
        "text": "Bonjour {{customerFirstName}}, {{loginUrl}}",
        "html": "<p>Bonjour {{customerFirstName}}, <a href=\"{{loginUrl}}\">votre compte</a></p>",
    });
    let shown = json!({ "subject": "{{companyName}} : bienvenue" });
    vec![
        Route::get("/api/templates", STAFF, list)
            .doc("templates", TAG, "Every message in every language: whose words are sent, and since when"),
        Route::get("/api/templates/{messageType}/{language}", STAFF, get)
            .doc("template", TAG, "The words of a message, and the keys it has")
            .example(Example::default().at(AT)),
        Route::put("/api/templates/{messageType}/{language}", STAFF, Audit::Action("template.change"), put)
            .takes(sizes::LARGEST)
            .doc("changeTemplate", TAG, "Save the words of a message")
            .about(
                "They take the place of the shipped ones from the next message on. A text (`sms-…`) has an empty subject and HTML, and no \
                 shared parts. A tag is a key, `{{#if key}}`, `{{else}}`, \
                 `{{/if}}`, `{{#unless key}}`, or one of the parts that the shipped templates use. Keys that the message does \
                 not have are 422 `template_unsupported_keys` and listed in `keys`; with `force` they are taken, and stay empty. \
                 What cannot be read, runs, loads or sends something is refused in any case. `If-Match` names the version that \
                 was read, \"0\" for the first.",
            )
            .example(Example::json(words).at(AT)),
        Route::delete("/api/templates/{messageType}/{language}", STAFF, Audit::Action("template.restore"), restore)
            .doc("restoreTemplate", TAG, "Have the shipped words sent again, byte for byte")
            .about("What was saved stays among the versions.")
            .example(Example::default().at(AT)),
        Route::get("/api/templates/{messageType}/{language}/versions", STAFF, versions)
            .doc("templateVersions", TAG, "What was saved of a message, the newest first")
            .example(Example::default().at(AT)),
        Route::get("/api/templates/{messageType}/{language}/version", STAFF, version)
            .doc("templateVersion", TAG, "The words of a version; 0 is what is shipped")
            .example(Example::query(&[("number", "0")]).at(AT)),
        Route::post("/api/templates/{messageType}/{language}/preview", STAFF, Audit::Looks, preview)
            .takes(sizes::LARGEST)
            .doc("previewTemplate", TAG, "A message as it would be sent; nothing is saved or sent")
            .about(
                "Filled in as the mail is, of a booking or of a sample. Links that open something are those of the sample.",
            )
            .example(Example::json(shown.clone()).at(AT)),
        Route::post("/api/templates/{messageType}/{language}/test", STAFF, Audit::Action("template.test"), test)
            .takes(sizes::LARGEST)
            .doc("testTemplate", TAG, "Send what was looked at to oneself: by mail, or as a text")
            .example(Example::json(shown).at(AT)),
    ]
}
