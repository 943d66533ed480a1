//! The log of messages to people: queued in the transaction that causes them, sent by jobs.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Email, Language, MessageId, UserId};
use serde::{Deserialize, Serialize};

use super::StoreResult;

/// Where a message stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageState {
    /// Waiting for its job.
    Queued,
    /// Taken over by the relay.
    Sent,
    /// Given up.
    Dead,
}

impl MessageState {
    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            MessageState::Queued => "queued",
            MessageState::Sent => "sent",
            MessageState::Dead => "dead",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<MessageState> {
        [MessageState::Queued, MessageState::Sent, MessageState::Dead].into_iter().find(|s| s.code() == code)
    }
}

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
    pub state: MessageState,
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
    fn set_state(&mut self, id: MessageId, state: MessageState, at: DateTime<Utc>) -> StoreResult<()>;
    /// Messages about a booking, oldest first.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Message>>;
}
