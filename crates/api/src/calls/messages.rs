//! Every message to somebody: where it stands, what it said, and what staff do about it.

use actix_web::web;
use kernel::{
    Email, Language, MessageId,
    chrono::{DateTime, Utc},
    uuid::Uuid,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    outbox::{self, Entry, OutboxFilter, Standing},
    ports::{messages::Channel, sms::SmsTrouble},
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    replies::{Json, Reply},
    values::{ChannelCode, LanguageCode, MessageStandingCode, SmsTroubleCode},
};
use crate::{
    access::AsStaff,
    contract::{Names, Record, names, refusals},
    endpoint::{Audit, Example, Route, STAFF},
    http::{PathId, ValidJson, ValidQuery},
    state::State,
};

const TAG: &str = "Back office";

refusals! {
    /// Why a message is not handed over again.
    MessageRetryRefusal { Rule: MessageNotGivenUp }
}

refusals! {
    /// Why a message is not repeated.
    AgainRefusal { Rule: MessageNotWhole, ValidationFailed }
}

impl Names for MessageId {
    const RECORD: Record = Record::Message;
}

/// A message that was given up.
struct LostMessage(MessageId);

names! {
    LostMessage: Record::LostMessage,
}

/// Which messages.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OutboxQuery {
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "fifty", rename = "per_page")]
    #[schema(minimum = 1, maximum = 100, default = 50)]
    per_page: i64,
    /// Only those that stand so.
    #[schema(value_type = Option<MessageStandingCode>)]
    standing: Option<String>,
    /// Only of this channel.
    #[schema(value_type = Option<ChannelCode>)]
    channel: Option<String>,
    /// Only of this type.
    #[schema(max_length = 60)]
    message_type: Option<String>,
    /// Only to an address with these letters, or about the booking of this number.
    #[schema(max_length = 254)]
    value: Option<String>,
    /// Only texts of this report: those that one call of `sendTexts` sent.
    report: Option<Uuid>,
}

const fn first() -> i64 {
    1
}

const fn fifty() -> i64 {
    50
}

/// A message in the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutboxEntry {
    id: String,
    /// `bookingConfirmation`.
    message_type: String,
    #[schema(value_type = ChannelCode)]
    channel: &'static str,
    #[schema(value_type = LanguageCode)]
    language: Language,
    recipient: String,
    recipient_name: String,
    #[schema(value_type = MessageStandingCode)]
    standing: &'static str,
    booking_id: Option<String>,
    /// Number of the booking it is about.
    booking: Option<String>,
    /// Somebody of the staff tried it out on themselves.
    is_trial: bool,
    /// It can be sent again as it was.
    can_repeat: bool,
    created_at: DateTime<Utc>,
    /// When the relay took it.
    sent_at: Option<DateTime<Utc>>,
    /// How often it was handed over.
    attempts: i32,
    /// What was said the last time, when it was not taken.
    last_error: Option<String>,
    /// The relay's name for it.
    provider_id: Option<String>,
    /// As it was sent; none before, and none of a text.
    subject: Option<String>,
    /// Parts a text is sent and billed as; none before it was handed over.
    segments: Option<i32>,
    /// Why it was not sent, or did not arrive.
    #[schema(value_type = Option<SmsTroubleCode>)]
    trouble: Option<&'static str>,
}

impl From<&Entry> for OutboxEntry {
    fn from(e: &Entry) -> OutboxEntry {
        let m = &e.message;
        OutboxEntry {
            id: m.id.to_string(),
            message_type: m.message_type.clone(),
            channel: m.channel().code(),
            language: m.language,
            recipient: m.recipient.to_string(),
            recipient_name: m.recipient_name.clone(),
            standing: e.standing.code(),
            booking_id: m.booking_id.map(|id| id.to_string()),
            booking: e.booking.clone(),
            is_trial: e.is_trial,
            can_repeat: e.can_repeat,
            created_at: m.created_at,
            sent_at: m.sent_at,
            attempts: m.attempts,
            last_error: m.trouble_said().map(str::to_owned),
            provider_id: m.provider_id.clone(),
            subject: m.text.as_ref().map(|t| t.subject.clone()).filter(|subject| !subject.is_empty()),
            segments: m.segments,
            trouble: m.trouble.map(SmsTrouble::code),
        }
    }
}

/// A page of messages.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outbox {
    /// The newest first.
    data: Vec<OutboxEntry>,
    /// Of how many.
    total: i64,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

/// A message with what it said.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutboxMessage {
    #[serde(flatten)]
    entry: OutboxEntry,
    /// Plain text as it was sent, without the links that open something; none before.
    text: Option<String>,
    /// The same as HTML; none for messages from before it was kept.
    html: Option<String>,
}

impl From<Entry> for OutboxMessage {
    fn from(e: Entry) -> OutboxMessage {
        let entry = OutboxEntry::from(&e);
        let (text, html) = e.message.text.map(|t| (t.body, t.html)).unzip();
        OutboxMessage { entry, text, html: html.filter(|html| !html.is_empty()) }
    }
}

/// To whom a message goes once more.
#[derive(Debug, Deserialize, ToSchema, Validate)]
struct AgainRequest {
    /// A copy to this address; none: to whom it went.
    #[schema(value_type = Option<String>, format = Email, max_length = 254)]
    to: Option<Email>,
}

/// A message that is on its way again.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageAgain {
    recipient: String,
    /// False: somebody asked for it within this minute, and it is on its way already.
    queued: bool,
}

async fn list(state: web::Data<State>, who: AsStaff, query: ValidQuery<OutboxQuery>) -> Reply<Json<Outbox>> {
    let OutboxQuery { page, per_page, standing, channel, message_type, value, report } = query.value;
    let unknown = |field: &str| service::Error::field(field, FieldProblem::Unknown);
    let given = |text: Option<String>| text.filter(|text| !text.is_empty());
    let standing = given(standing).map(|code| Standing::from_code(&code).ok_or_else(|| unknown("standing")));
    let channel = given(channel).map(|code| Channel::from_code(&code).ok_or_else(|| unknown("channel")));
    let asked = OutboxFilter {
        standing: standing.transpose()?,
        channel: channel.transpose()?,
        message_type: message_type.filter(|kind| !kind.is_empty()),
        value,
        report,
    };
    let found = outbox::list(&state.services, &who.0, asked, page, per_page).await?;
    let data = found.data.iter().map(OutboxEntry::from).collect();
    Ok(Json(Outbox { data, total: found.total, page, per_page }))
}

async fn get(state: web::Data<State>, who: AsStaff, id: PathId<MessageId>) -> Reply<Json<OutboxMessage>> {
    Ok(Json(outbox::get(&state.services, &who.0, id.0).await?.into()))
}

async fn retry(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<LostMessage>,
) -> Reply<Json<OutboxMessage>, MessageRetryRefusal> {
    Ok(Json(outbox::retry(&state.services, &who.0, id.0.0).await?.into()))
}

async fn again(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<MessageId>,
    body: ValidJson<AgainRequest>,
) -> Reply<Json<MessageAgain>, AgainRefusal> {
    let sent = outbox::resend(&state.services, &who.0, id.0, body.value.to).await?;
    Ok(Json(MessageAgain { recipient: sent.recipient, queued: sent.queued }))
}

/// Their part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/messages", STAFF, list)
            .doc("messages", TAG, "Every message, the newest first: to whom, when, and where it stands")
            .example(Example::query(&[("page", "1"), ("per_page", "10"), ("standing", "sent")])),
        Route::get("/api/messages/{id}", STAFF, get)
            .doc("message", TAG, "A message as it was sent")
            .about("Without the links that open an account, a payment or a draft: they are the recipient's alone."),
        Route::post("/api/messages/{id}/retry", STAFF, Audit::Action("message.retry"), retry).doc(
            "retryMessage",
            TAG,
            "Hand a message over again that was given up",
        ),
        Route::post("/api/messages/{id}/again", STAFF, Audit::Action("message.again"), again)
            .doc("repeatMessage", TAG, "Send a message again, word for word, or a copy to somebody else")
            .about("One that had a link of its own is not repeated: make a new link where it was made.")
            .example(Example::json(json!({ "to": "copy@portage.test" }))),
    ]
}
