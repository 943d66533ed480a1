//! Messages to people.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{BookingId, MessageId};
use service::ports::{
    StoreResult,
    messages::{HandedOver, Message, MessageState, Messages},
};

use super::Repos;
use crate::{
    columns::{Doc, Id, Instant},
    error::fault,
    rows::messages::MessageRow,
    schema::messages,
    statement::update,
};
use status_machine::At;

const TABLE: &str = "messages";

/// The values of a message that is not sent again.
fn nothing() -> StoreResult<Doc> {
    Doc::of(&serde_json::json!({}))
}

impl Messages for Repos<'_> {
    fn insert_once(&mut self, message: &Message) -> StoreResult<bool> {
        let added = diesel::insert_into(messages::table)
            .values(MessageRow::of(message)?)
            .on_conflict(messages::dedup_key)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(added == 1)
    }

    fn get(&mut self, id: MessageId) -> StoreResult<Option<Message>> {
        let row: Option<MessageRow> = messages::table
            .filter(messages::id.eq(Id(id.0)))
            .select(MessageRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(MessageRow::read).transpose()
    }

    fn set_state(&mut self, id: MessageId, state: At<MessageState>, at: DateTime<Utc>) -> StoreResult<()> {
        let message = messages::id.eq(Id(id.0));
        let sent_at = (state == MessageState::Sent).then_some(Instant(at));
        let outcome = (messages::state.eq(state.code()), messages::sent_at.eq(sent_at));
        let written = if state == MessageState::Queued {
            update(messages::table, message, outcome).execute(self.conn)
        } else {
            // Not sent again: what the template was filled with is forgotten.
            update(messages::table, message, (outcome, messages::template_values.eq(nothing()?))).execute(self.conn)
        };
        written.map(drop).map_err(fault(TABLE))
    }

    fn handed_over(&mut self, id: MessageId, state: At<MessageState>, told: &HandedOver) -> StoreResult<()> {
        let name = Some(told.provider_id.as_str()).filter(|name| !name.is_empty());
        let outcome = (
            messages::state.eq(state.code()),
            messages::sent_at.eq(Some(Instant(told.at))),
            messages::attempts.eq(messages::attempts + 1),
            messages::last_error.eq(None::<String>),
            messages::provider_id.eq(name),
            messages::subject.eq(told.text.subject.as_str()),
            messages::body.eq(told.text.body.as_str()),
            messages::template_values.eq(nothing()?),
        );
        let written = update(messages::table, messages::id.eq(Id(id.0)), outcome).execute(self.conn);
        written.map(drop).map_err(fault(TABLE))
    }

    fn not_taken(&mut self, id: MessageId, why: &str) -> StoreResult<()> {
        let outcome = (messages::attempts.eq(messages::attempts + 1), messages::last_error.eq(why));
        let written = update(messages::table, messages::id.eq(Id(id.0)), outcome).execute(self.conn);
        written.map(drop).map_err(fault(TABLE))
    }

    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Message>> {
        let rows: Vec<MessageRow> = messages::table
            .filter(messages::booking_id.eq(Id(id.0)))
            .order((messages::created_at, messages::seq))
            .select(MessageRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(MessageRow::read).collect()
    }
}
