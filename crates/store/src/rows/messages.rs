//! Messages to people.

use diesel::prelude::*;
use kernel::{BookingId, MessageId, UserId};
use service::ports::{
    StoreResult,
    messages::{Channel, Message, MessageState, Recipient, SentText},
    sms::SmsTrouble,
};

use super::{parse, some, time};
use crate::{
    columns::{Doc, Id, Instant},
    error::unknown,
    schema::messages,
};
use status_machine::At;

const TABLE: &str = "messages";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = messages, treat_none_as_default_value = false)]
pub struct MessageRow {
    pub id: Id,
    pub dedup_key: String,
    pub booking_id: Option<Id>,
    pub user_id: Option<Id>,
    pub message_type: String,
    pub language: String,
    pub recipient: String,
    pub recipient_name: String,
    pub template_values: Doc,
    pub state: String,
    pub created_at: Instant,
    pub sent_at: Option<Instant>,
    pub channel: String,
    pub attempts: i32,
    pub last_error: Option<String>,
    pub provider_id: Option<String>,
    pub subject: Option<String>,
    pub body: Option<String>,
    pub html: Option<String>,
    pub arrival: Option<String>,
    pub segments: Option<i32>,
    pub trouble: Option<String>,
}

/// Splits a state into the columns `state` and `arrival`; `arrival` is set once the service has reported what became of a
/// message that it took.
pub fn kept(state: MessageState) -> (&'static str, Option<&'static str>) {
    match state {
        MessageState::Delivered | MessageState::Failed => (MessageState::Sent.code(), Some(state.code())),
        MessageState::Queued | MessageState::Sent | MessageState::Dead => (state.code(), None),
    }
}

impl MessageRow {
    pub fn of(m: &Message) -> StoreResult<Self> {
        let (subject, body) = m.text.clone().map(|t| (t.subject, t.body)).unzip();
        let html = m.text.as_ref().map(|t| t.html.clone()).filter(|html| !html.is_empty());
        let (state, arrival) = kept(*m.state);
        Ok(MessageRow {
            id: Id(m.id.0),
            dedup_key: m.dedup_key.clone(),
            booking_id: m.booking_id.map(|b| Id(b.0)),
            user_id: m.user_id.map(|u| Id(u.0)),
            message_type: m.message_type.clone(),
            language: m.language.code().to_owned(),
            recipient: m.recipient.as_str().to_owned(),
            recipient_name: m.recipient_name.clone(),
            template_values: Doc::of(&m.values)?,
            state: state.to_owned(),
            created_at: Instant(m.created_at),
            sent_at: some(m.sent_at),
            channel: m.channel().code().to_owned(),
            attempts: m.attempts,
            last_error: m.last_error.clone(),
            provider_id: m.provider_id.clone(),
            subject,
            body,
            html,
            arrival: arrival.map(str::to_owned),
            segments: m.segments,
            trouble: m.trouble.map(|t| t.code().to_owned()),
        })
    }

    pub fn read(self) -> StoreResult<Message> {
        let id = self.id.0;
        let channel = Channel::from_code(&self.channel).ok_or_else(|| unknown(TABLE, "channel", &id, &self.channel))?;
        let recipient = match channel {
            Channel::Email => Recipient::Email(parse(&self.recipient, TABLE, "recipient", &id)?),
            Channel::Sms => Recipient::Phone(self.recipient),
        };
        let trouble = |code: String| SmsTrouble::from_code(&code).ok_or_else(|| unknown(TABLE, "trouble", &id, &code));
        Ok(Message {
            id: MessageId(id),
            dedup_key: self.dedup_key,
            booking_id: self.booking_id.map(|b| BookingId(b.0)),
            user_id: self.user_id.map(|u| UserId(u.0)),
            message_type: self.message_type,
            language: parse(&self.language, TABLE, "language", &id)?,
            recipient,
            recipient_name: self.recipient_name,
            values: self.template_values.read(TABLE, "template_values", &id)?,
            state: At::stored(parse(self.arrival.as_ref().unwrap_or(&self.state), TABLE, "state", &id)?),
            created_at: self.created_at.0,
            sent_at: time(self.sent_at),
            attempts: self.attempts,
            last_error: self.last_error,
            provider_id: self.provider_id,
            text: self.subject.zip(self.body).map(|(subject, body)| SentText {
                subject,
                body,
                html: self.html.unwrap_or_default(),
            }),
            segments: self.segments,
            trouble: self.trouble.map(trouble).transpose()?,
        })
    }
}
