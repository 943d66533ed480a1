//! A message sent once more, word for word.

use kernel::Email;
use serde_json::{Map, Value, json};

use super::{
    calendar, invoices,
    queue::{NewMessage, queue_once},
    render::Rendered,
};
use crate::{
    ServiceResult, Tx,
    ports::messages::{Message, Recipient, SentText},
};

/// What stands in the kept text where a link was by which whoever holds it enters an account or takes up a draft.
pub(super) const HIDDEN: &str = "•••";
/// Where a message keeps the words it repeats: they are not filled in again.
const REPEATED: &str = "repeatedWords";

/// What was sent is kept as a whole: it had no link that opens something.
pub(crate) fn is_whole(m: &Message) -> bool {
    let whole = |text: &SentText| {
        !text.html.is_empty() && ![&text.subject, &text.body, &text.html].into_iter().any(|part| part.contains(HIDDEN))
    };
    m.recipient.email().is_some() && m.text.as_ref().is_some_and(whole)
}

/// The words of a message that repeats another.
pub(super) fn words(values: &Value) -> Option<Rendered> {
    let kept = values.get(REPEATED)?;
    let part = |name: &str| kept.get(name)?.as_str().map(str::to_owned);
    Some(Rendered { subject: part("subject")?, text: part("text")?, html: part("html")? })
}

/// Queues a letter, to whom it went or to another address, once a minute; answers where it goes, and whether it is a new one.
///
/// # Errors
/// When the database fails.
pub(crate) fn queue(tx: &mut Tx<'_>, m: Message, to: Option<Email>) -> ServiceResult<(Recipient, bool)> {
    let Some(address) = m.recipient.email().cloned() else { return Ok((m.recipient, false)) };
    let Some(text) = m.text else { return Ok((m.recipient, false)) };
    let booking = match m.booking_id {
        Some(id) => tx.unit.bookings().get(id)?,
        None => None,
    };
    let mut values = Map::new();
    values.insert(REPEATED.to_owned(), json!({ "subject": text.subject, "text": text.body, "html": text.html }));
    values.insert("bookingShortId".to_owned(), json!(booking.as_ref().map(|b| b.short_id.to_string())));
    invoices::carry_over(&m.values, &mut values);
    calendar::carry_over(&m.values, &mut values);
    let to_name = if to.is_some() { String::new() } else { m.recipient_name };
    let to = to.unwrap_or(address);
    let message = NewMessage {
        dedup_key: format!("again:{}:{}:{}", m.id, to.key(), tx.now.timestamp() / 60),
        booking_id: m.booking_id,
        user_id: m.user_id,
        message_type: m.message_type,
        language: m.language,
        to: to.clone(),
        to_name,
        values: Value::Object(values),
    };
    let fresh = queue_once(tx, message, booking.as_ref().map(|b| b.hub.as_str()))?;
    Ok((Recipient::Email(to), fresh))
}
