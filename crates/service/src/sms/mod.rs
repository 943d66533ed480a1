//! Text messages: queued by what happens to a booking, sent by a job, followed by what the service reports, and stopped by whoever
//! wants none.
//!
//! The service knows no key that would make two requests one message. So each handing over is written down before the service is asked;
//! one that nobody answered for is looked for there, by its recipient and its words, before anything is sent again
//! (`docs/decisions/0023-text-messages.md`).

pub(crate) mod events;
pub mod quiet;
mod report;
pub(crate) mod sample;
pub(crate) mod send;
pub(crate) mod sweep;
pub mod wishes;
pub mod words;
pub mod zones;

pub use report::{Report, prove, reported};

use kernel::{BookingId, E164, Language, MessageId, UserId, Zone, uuid::Uuid};
use serde_json::{Map, Value, json};
use status_machine::At;

use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        messages::{Message, Recipient},
    },
    settings,
    work::Work,
};

/// Where a message keeps the zone of the place it is about: it is sent by day there.
const ZONE: &str = "zone";

/// How the keys of texts begin that one call of staff sent: its report is made of them.
pub(crate) fn keys_of(report: Uuid) -> String {
    format!("sms:{report}:")
}

/// A text to queue.
pub(crate) struct NewText {
    /// The same key is sent once.
    pub dedup_key: String,
    /// The booking it is about, with whose it is.
    pub about: Option<(BookingId, UserId)>,
    /// `moveReminder`.
    pub kind: String,
    /// Language.
    pub language: Language,
    /// As E.164 writes it, or as it was typed where it is no number.
    pub number: String,
    /// Name.
    pub name: String,
    /// Values of its keys.
    pub values: Map<String, Value>,
    /// It is sent by day there.
    pub zone: Zone,
}

/// Queues a text and its job, once; whether it is a new one.
///
/// # Errors
/// When the database fails.
pub(crate) fn put(tx: &mut Tx<'_>, text: NewText) -> ServiceResult<bool> {
    let id = MessageId(tx.id());
    let mut values = text.values;
    let company = settings::company(tx.unit, &tx.services.defaults)?;
    values.insert("company_name".to_owned(), json!(company.name));
    values.insert(ZONE.to_owned(), json!(text.zone));
    let fresh = tx.unit.messages().insert_once(&Message {
        id,
        dedup_key: text.dedup_key,
        booking_id: text.about.map(|(booking, _)| booking),
        user_id: text.about.map(|(_, user)| user),
        message_type: text.kind,
        language: text.language,
        recipient: Recipient::Phone(text.number),
        recipient_name: text.name,
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
        tx.enqueue_at(&Work::SendSms { message_id: id }, quiet::by_day(text.zone, tx.now))?;
    }
    Ok(fresh)
}

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
    let services = tx.services;
    let mut values = events::of_booking(services, tx.unit, b)?;
    if let Value::Object(own) = own {
        values.extend(own);
    }
    put(
        tx,
        NewText {
            dedup_key: format!("{}:sms:{kind}:{version}", b.id),
            about: Some((b.id, b.user_id)),
            kind: kind.to_owned(),
            language: b.language,
            number,
            name: b.details.customer_name.clone(),
            values,
            zone: b.zone,
        },
    )
}
