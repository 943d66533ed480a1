//! Text messages: queued by what happens to a booking, sent by a job, followed by what the service reports, and stopped by whoever
//! wants none.
//!
//! The service knows no key that would make two requests one message. So each handing over is written down before the service is asked;
//! one that nobody answered for is looked for there, by its recipient and its words, before anything is sent again
//! (`docs/decisions/0023-text-messages.md`).

pub(crate) mod events;
pub mod quiet;
mod report;
pub(crate) mod send;
pub(crate) mod sweep;
pub mod wishes;
pub mod words;

pub use report::{Report, prove, reported};

use kernel::{E164, MessageId};
use serde_json::{Map, Value, json};
use status_machine::At;

use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        messages::{Message, Recipient},
    },
    work::Work,
};

/// Where a message keeps the zone of the place it is about: it is sent by day there.
const ZONE: &str = "zone";

/// Queues a text about a booking to its customer, once; whether it is a new one. None while texts are off, or where no number is known.
///
/// # Errors
/// When the database fails.
fn queue(tx: &mut Tx<'_>, b: &Booking, kind: &str, version: &str, own: Value) -> ServiceResult<bool> {
    let typed = b.details.customer_phone.trim();
    if tx.services.texter.is_none() || typed.is_empty() {
        return Ok(false);
    }
    let number = typed.parse::<E164>().map_or_else(|_| typed.to_owned(), |number| number.as_str().to_owned());
    let id = MessageId(tx.id());
    let mut values = match own {
        Value::Object(own) => own,
        _ => Map::new(),
    };
    values.insert(ZONE.to_owned(), json!(b.zone));
    let fresh = tx.unit.messages().insert_once(&Message {
        id,
        dedup_key: format!("{}:sms:{kind}:{version}", b.id),
        booking_id: Some(b.id),
        user_id: Some(b.user_id),
        message_type: kind.to_owned(),
        language: b.language,
        recipient: Recipient::Phone(number),
        recipient_name: b.details.customer_name.clone(),
        values: Value::Object(values),
        state: At::queued(),
        created_at: tx.now,
        sent_at: None,
        attempts: 0,
        last_error: None,
        provider_id: None,
        text: None,
        segments: None,
        trouble: None,
    })?;
    if fresh {
        tx.enqueue_at(&Work::SendSms { message_id: id }, quiet::by_day(b.zone, tx.now))?;
    }
    Ok(fresh)
}
