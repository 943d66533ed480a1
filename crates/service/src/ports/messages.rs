//! The log of messages to people: queued in the transaction that causes them, sent by jobs.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Email, Language, MessageId, UserId};
use status_machine::At;

use super::StoreResult;

/// Where a message stands.
pub use status_machine::records::DeliveryState as MessageState;

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Key.
    pub id: MessageId,
    /// Unique: the same (thing, type, version) is never sent twice.
    pub dedup_key: String,
    /// The booking it is about.
    pub booking_id: Option<BookingId>,
    /// The person it is for.
    pub user_id: Option<UserId>,
    /// Template name, `bookingConfirmation`.
    pub message_type: String,
    /// Language it is written in.
    pub language: Language,
    /// Recipient.
    pub recipient: Email,
    /// Recipient's name.
    pub recipient_name: String,
    /// Values for the template, frozen when queued.
    pub values: serde_json::Value,
    /// Where it stands.
    pub state: At<MessageState>,
    /// When it was queued.
    pub created_at: DateTime<Utc>,
    /// When the relay took it.
    pub sent_at: Option<DateTime<Utc>>,
}

/// Messages.
pub trait Messages {
    /// Adds unless the dedup key exists; answers whether it was added.
    fn insert_once(&mut self, message: &Message) -> StoreResult<bool>;
    /// One message.
    fn get(&mut self, id: MessageId) -> StoreResult<Option<Message>>;
    /// Marks the outcome. A message that will not be sent again forgets its values: they name
    /// people and hold links that open accounts.
    fn set_state(&mut self, id: MessageId, state: At<MessageState>, at: DateTime<Utc>) -> StoreResult<()>;
    /// Messages about a booking, oldest first.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Message>>;
}
