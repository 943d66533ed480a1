//! Messages to people.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{BookingId, MessageId};
use service::ports::{
    StoreResult,
    messages::{Message, MessageState, Messages},
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
            let nothing = Doc::of(&serde_json::json!({}))?;
            update(messages::table, message, (outcome, messages::template_values.eq(nothing))).execute(self.conn)
        };
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
