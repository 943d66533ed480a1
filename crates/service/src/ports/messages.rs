//! The log of messages to people: queued in the transaction that causes them, sent by jobs.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Email, Language, MessageId, UserId, masked_number};
use serde::{Deserialize, Serialize};
use status_machine::At;

use super::{StoreResult, mail::IN_FLIGHT, sms::SmsTrouble};

/// Where a message stands.
pub use status_machine::records::DeliveryState as MessageState;

/// By which way a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// E-mail.
    Email,
    /// Text message.
    Sms,
}

impl Channel {
    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Channel::Email => "email",
            Channel::Sms => "sms",
        }
    }

    /// The channel of a code.
    pub fn from_code(code: &str) -> Option<Channel> {
        [Channel::Email, Channel::Sms].into_iter().find(|c| c.code() == code)
    }
}

/// Where a message goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    /// An address.
    Email(Email),
    /// A number, as E.164 writes it; as it was typed where it is none.
    Phone(String),
}

impl Recipient {
    /// By which way.
    pub const fn channel(&self) -> Channel {
        match self {
            Recipient::Email(_) => Channel::Email,
            Recipient::Phone(_) => Channel::Sms,
        }
    }

    /// The address or the number.
    pub fn as_str(&self) -> &str {
        match self {
            Recipient::Email(email) => email.as_str(),
            Recipient::Phone(number) => number,
        }
    }

    /// The address, of an e-mail.
    pub const fn email(&self) -> Option<&Email> {
        match self {
            Recipient::Email(email) => Some(email),
            Recipient::Phone(_) => None,
        }
    }

    /// Enough to recognise it, and too little to use it.
    pub fn masked(&self) -> String {
        match self {
            Recipient::Email(email) => email.masked(),
            Recipient::Phone(number) => masked_number(number),
        }
    }
}

impl std::fmt::Display for Recipient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text of a message as it was sent, without the links that open accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentText {
    /// One line; empty where the channel has none.
    pub subject: String,
    /// Plain text.
    pub body: String,
    /// HTML; empty where the channel has none, and for messages from before it was kept.
    pub html: String,
}

/// What the relay said when it took a message over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandedOver {
    /// Its own name for the message; empty when it told none.
    pub provider_id: String,
    /// The text that is kept.
    pub text: SentText,
    /// What is kept of the values: nothing of a person.
    pub values: serde_json::Value,
    /// When.
    pub at: DateTime<Utc>,
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
    /// Where it goes, and by which way.
    pub recipient: Recipient,
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
    /// How often it was handed over, taken or not. Messages from before this was counted have 1 when they were sent.
    pub attempts: i32,
    /// What was said the last time, when it was not taken.
    pub last_error: Option<String>,
    /// The relay's name for it.
    pub provider_id: Option<String>,
    /// What was sent; none before, and for messages from before it was kept.
    pub text: Option<SentText>,
    /// Parts a text message is sent and billed as.
    pub segments: Option<i32>,
    /// Why a text message was not sent, or did not arrive.
    pub trouble: Option<SmsTrouble>,
}

impl Message {
    /// By which way it goes.
    pub const fn channel(&self) -> Channel {
        self.recipient.channel()
    }

    /// What the relay said the last time, to be shown; none while the message is handed over for the first time.
    pub fn trouble_said(&self) -> Option<&str> {
        self.last_error.as_deref().filter(|said| *said != IN_FLIGHT)
    }
}

/// What becomes of a text message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmsOutcome {
    /// Where it stands.
    pub state: At<MessageState>,
    /// When the service took it; none: it has not.
    pub sent_at: Option<DateTime<Utc>>,
    /// The service's name for it.
    pub provider_id: Option<String>,
    /// Why it did not go, or did not arrive.
    pub trouble: Option<SmsTrouble>,
    /// What the service said, when it did not take it.
    pub last_error: Option<String>,
    /// Its values are not needed any more: they name people and hold links that open accounts.
    pub forget: bool,
}

/// Filter of a list of messages; `None` does not filter.
#[derive(Debug, Clone, Default)]
pub struct MessageFilter {
    /// In this state.
    pub state: Option<MessageState>,
    /// Handed over before, or never.
    pub tried: Option<bool>,
    /// With a reason why it did not go or did not arrive, or without.
    pub troubled: Option<bool>,
    /// Of this channel.
    pub channel: Option<Channel>,
    /// Of this type.
    pub message_type: Option<String>,
    /// To an address, or to somebody of a name, with these letters.
    pub recipient: Option<String>,
    /// About this booking.
    pub booking: Option<BookingId>,
    /// Whose keys begin so.
    pub keys: Option<String>,
    /// Of these.
    pub among: Option<Vec<MessageId>>,
    /// None of these.
    pub without: Vec<MessageId>,
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
    /// The relay took it: it is sent, its text is kept and of its values only what is named.
    fn handed_over(&mut self, id: MessageId, state: At<MessageState>, told: &HandedOver) -> StoreResult<()>;
    /// Written before the relay is asked: `said` and `values` are what a program finds that starts after a kill, where no answer
    /// was written down. True when the message still waits; nothing is written when it does not.
    fn handing_over(&mut self, id: MessageId, said: &str, values: &serde_json::Value) -> StoreResult<bool>;
    /// The relay did not take it this time, and said why. Its state is decided apart. `values` take the place of its own: where
    /// nobody knows whether it was taken, they have the words it was sent with, so that it is the same letter once more.
    fn not_taken(&mut self, id: MessageId, why: &str, values: &serde_json::Value) -> StoreResult<()>;
    /// What a text message is about to say, and its parts: kept before it is handed over, which is counted.
    fn worded(&mut self, id: MessageId, text: &SentText, segments: i32) -> StoreResult<()>;
    /// What became of a text message.
    fn sms_outcome(&mut self, id: MessageId, outcome: &SmsOutcome) -> StoreResult<()>;
    /// Messages, the newest first, and how many there are.
    fn listed(&mut self, wanted: &MessageFilter, skip: i64, limit: i64) -> StoreResult<(Vec<Message>, i64)>;
    /// Messages about a booking, oldest first.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Message>>;
}
