//! Putting a message into the outbox, with its job, in the transaction that causes it.

use kernel::{BookingId, Email, Language, MessageId, UserId};
use serde_json::{Map, Value};
use status_machine::At;

use super::{calendar, commercial, values};
use crate::{
    Error, ServiceResult, Tx,
    ports::{
        StoreResult,
        bookings::Booking,
        messages::{Message, Recipient},
    },
    settings,
    work::Work,
};

/// A message to queue.
#[derive(Debug, Clone)]
pub struct NewMessage {
    /// The same key is sent once.
    pub dedup_key: String,
    /// The booking it is about.
    pub booking_id: Option<BookingId>,
    /// The person.
    pub user_id: Option<UserId>,
    /// Template.
    pub message_type: String,
    /// Language.
    pub language: Language,
    /// Address.
    pub to: Email,
    /// Name.
    pub to_name: String,
    /// Values of the template's keys.
    pub values: Value,
}

/// Queues a message and its job, once.
///
/// # Errors
/// When the database fails.
pub fn queue(tx: &mut Tx<'_>, m: NewMessage) -> StoreResult<()> {
    queue_once(tx, m, None).map(drop)
}

/// Whether it is a new one. `hub` is that of the booking it is about.
pub(super) fn queue_once(tx: &mut Tx<'_>, m: NewMessage, hub: Option<&str>) -> StoreResult<bool> {
    let id = MessageId(tx.id());
    let company = settings::company(tx.unit, &tx.services.defaults)?;
    let mut values = values::company(&company, hub, m.language);
    let link = commercial::begin(tx, &m.message_type, &m.dedup_key, m.language, &mut values);
    if let Value::Object(own) = m.values {
        values.extend(own);
    }
    let (to, language) = (m.to.clone(), m.language);
    let fresh = tx.unit.messages().insert_once(&Message {
        id,
        dedup_key: m.dedup_key,
        booking_id: m.booking_id,
        user_id: m.user_id,
        message_type: m.message_type,
        language: m.language,
        recipient: Recipient::Email(m.to),
        recipient_name: m.to_name,
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
        tx.enqueue(&Work::SendMessage { message_id: id })?;
        if let Some(link) = link {
            commercial::keep(tx, link, &to, language)?;
        }
    }
    Ok(fresh)
}

/// Queues a message about a booking to its customer; whether it is a new one.
pub(super) fn queue_to_customer(
    tx: &mut Tx<'_>,
    b: &Booking,
    kind: &str,
    version: &str,
    own: Map<String, Value>,
) -> ServiceResult<bool> {
    let Ok(to) = b.details.customer_email.parse::<Email>() else {
        return Err(Error::Internal(format!("booking {} has no usable e-mail address", b.short_id)));
    };
    let mut values = values::booking(tx.services, b);
    values.extend(own);
    calendar::attach(tx.services, b, kind, &mut values);
    let fresh = queue_once(
        tx,
        NewMessage {
            dedup_key: format!("{}:{kind}:{version}", b.id),
            booking_id: Some(b.id),
            user_id: Some(b.user_id),
            message_type: kind.to_owned(),
            language: b.language,
            to,
            to_name: b.details.customer_name.clone(),
            values: Value::Object(values),
        },
        Some(&b.hub),
    )?;
    Ok(fresh)
}
