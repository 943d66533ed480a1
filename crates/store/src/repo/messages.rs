//! Messages to people.

use chrono::{DateTime, Utc};
use diesel::{
    dsl::{auto_type, sql},
    prelude::*,
    sql_types::{Bool, Text},
};
use kernel::{BookingId, MessageId};
use service::ports::{
    StoreResult,
    messages::{HandedOver, Message, MessageFilter, MessageState, Messages, SentText, SmsOutcome},
};

use super::{super::Conn, Repos};
use crate::{
    columns::{Doc, Id, Instant},
    error::fault,
    rows::messages::{MessageRow, kept},
    schema::messages,
    statement::{containing, update},
};
use status_machine::At;

const TABLE: &str = "messages";

/// The values of a message that is not sent again.
fn nothing() -> StoreResult<Doc> {
    Doc::of(&serde_json::json!({}))
}

type Engine = <Conn as diesel::Connection>::Backend;

/// A message, as long as it waits.
#[auto_type]
fn waits(id: MessageId) -> _ {
    let (id, queued): (Id, &'static str) = (Id(id.0), MessageState::Queued.code());
    messages::id.eq(id).and(messages::state.eq(queued))
}

/// What somebody typed, as it is looked for: a per cent sign is one.
fn like(part: &str) -> String {
    containing(&part.to_lowercase())
}

/// The digits of what somebody typed as a telephone number, or as a part of one; the 1 of North America aside, for a number is
/// kept with it or without.
fn digits_of(part: &str) -> Option<String> {
    let written = |c: char| c.is_ascii_digit() || c.is_whitespace() || "+-().".contains(c);
    let digits: String = part.chars().filter(char::is_ascii_digit).collect();
    if !part.chars().all(written) || digits.len() < 4 {
        return None;
    }
    Some(match digits.strip_prefix('1') {
        Some(national) if digits.len() == 11 => national.to_owned(),
        _ => digits,
    })
}

/// A recipient without what people write between the digits of a number.
const DIGITS: &str = " ESCAPE '\\' OR replace(replace(replace(replace(replace(recipient, ' ', ''), '-', ''), '(', ''), ')', ''), \
    '.', '') LIKE ";

fn narrowed(wanted: &MessageFilter) -> messages::BoxedQuery<'_, Engine> {
    let keys = |ids: &[MessageId]| ids.iter().map(|id| Id(id.0)).collect::<Vec<_>>();
    let mut query = messages::table.into_boxed::<Engine>();
    if let Some(state) = wanted.state {
        let (state, arrival) = kept(state);
        query = query.filter(messages::state.eq(state));
        query = match arrival {
            Some(arrival) => query.filter(messages::arrival.eq(arrival)),
            None => query.filter(messages::arrival.is_null()),
        };
    }
    query = match wanted.tried {
        Some(true) => query.filter(messages::attempts.gt(0)),
        Some(false) => query.filter(messages::attempts.eq(0)),
        None => query,
    };
    query = match wanted.troubled {
        Some(true) => query.filter(messages::trouble.is_not_null()),
        Some(false) => query.filter(messages::trouble.is_null()),
        None => query,
    };
    if let Some(channel) = wanted.channel {
        query = query.filter(messages::channel.eq(channel.code()));
    }
    if let Some(kind) = &wanted.message_type {
        query = query.filter(messages::message_type.eq(kind));
    }
    if let Some(part) = &wanted.recipient {
        query = match digits_of(part) {
            // However it is written here, and however it was there.
            Some(digits) => query.filter(
                sql::<Bool>("(lower(recipient) LIKE ")
                    .bind::<Text, _>(like(part))
                    .sql(DIGITS)
                    .bind::<Text, _>(like(&digits))
                    .sql(" ESCAPE '\\')"),
            ),
            // Or their name. SQLite knows no small letter of an accented capital: as it was typed, then.
            None => query.filter(
                sql::<Bool>("(lower(recipient) LIKE ")
                    .bind::<Text, _>(like(part))
                    .sql(" ESCAPE '\\' OR lower(recipient_name) LIKE ")
                    .bind::<Text, _>(like(part))
                    .sql(" ESCAPE '\\' OR recipient_name LIKE ")
                    .bind::<Text, _>(containing(part))
                    .sql(" ESCAPE '\\')"),
            ),
        };
    }
    if let Some(booking) = wanted.booking {
        query = query.filter(messages::booking_id.eq(Id(booking.0)));
    }
    if let Some(keys) = &wanted.keys {
        // Made of letters and digits: nothing in it stands for something else.
        query = query.filter(messages::dedup_key.like(format!("{keys}%")));
    }
    if let Some(among) = &wanted.among {
        query = query.filter(messages::id.eq_any(keys(among)));
    }
    if !wanted.without.is_empty() {
        query = query.filter(messages::id.ne_all(keys(&wanted.without)));
    }
    query
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
        let (said, arrival) = kept(*state);
        let outcome = (messages::state.eq(said), messages::arrival.eq(arrival), messages::sent_at.eq(sent_at));
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
            messages::state.eq(kept(*state).0),
            messages::sent_at.eq(Some(Instant(told.at))),
            messages::attempts.eq(messages::attempts + 1),
            messages::last_error.eq(None::<String>),
            messages::provider_id.eq(name),
            messages::subject.eq(told.text.subject.as_str()),
            messages::body.eq(told.text.body.as_str()),
            messages::html.eq(Some(told.text.html.as_str()).filter(|html| !html.is_empty())),
            messages::template_values.eq(Doc::of(&told.values)?),
        );
        let written = update(messages::table, messages::id.eq(Id(id.0)), outcome).execute(self.conn);
        written.map(drop).map_err(fault(TABLE))
    }

    fn handing_over(&mut self, id: MessageId, said: &str, values: &serde_json::Value) -> StoreResult<bool> {
        let intent = (messages::last_error.eq(said), messages::template_values.eq(Doc::of(values)?));
        let written = update(messages::table, waits(id), intent).execute(self.conn);
        written.map(|n| n > 0).map_err(fault(TABLE))
    }

    fn not_taken(&mut self, id: MessageId, why: &str, values: &serde_json::Value) -> StoreResult<()> {
        let outcome = (
            messages::attempts.eq(messages::attempts + 1),
            messages::last_error.eq(why),
            messages::template_values.eq(Doc::of(values)?),
        );
        let written = update(messages::table, waits(id), outcome).execute(self.conn);
        written.map(drop).map_err(fault(TABLE))
    }

    fn worded(&mut self, id: MessageId, text: &SentText, segments: i32) -> StoreResult<()> {
        let words = (
            messages::subject.eq(text.subject.as_str()),
            messages::body.eq(text.body.as_str()),
            messages::segments.eq(segments),
            messages::trouble.eq(None::<String>),
            messages::last_error.eq(None::<String>),
            messages::attempts.eq(messages::attempts + 1),
        );
        update(messages::table, messages::id.eq(Id(id.0)), words).execute(self.conn).map(drop).map_err(fault(TABLE))
    }

    fn sms_outcome(&mut self, id: MessageId, told: &SmsOutcome) -> StoreResult<()> {
        let (state, arrival) = kept(*told.state);
        let outcome = (
            messages::state.eq(state),
            messages::arrival.eq(arrival),
            messages::sent_at.eq(told.sent_at.map(Instant)),
            messages::provider_id.eq(told.provider_id.as_deref()),
            messages::trouble.eq(told.trouble.map(|t| t.code())),
            messages::last_error.eq(told.last_error.as_deref()),
        );
        let message = messages::id.eq(Id(id.0));
        let written = if told.forget {
            update(messages::table, message, (outcome, messages::template_values.eq(nothing()?))).execute(self.conn)
        } else {
            update(messages::table, message, outcome).execute(self.conn)
        };
        written.map(drop).map_err(fault(TABLE))
    }

    fn listed(&mut self, wanted: &MessageFilter, skip: i64, limit: i64) -> StoreResult<(Vec<Message>, i64)> {
        let rows: Vec<MessageRow> = narrowed(wanted)
            .order((messages::created_at.desc(), messages::seq.desc()))
            .offset(skip)
            .limit(limit)
            .select(MessageRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        let total = narrowed(wanted).count().get_result(self.conn).map_err(fault(TABLE))?;
        Ok((rows.into_iter().map(MessageRow::read).collect::<StoreResult<_>>()?, total))
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
