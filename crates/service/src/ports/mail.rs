//! Sending e-mail.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::{Email, Language};

/// A file sent along.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// Shown name.
    pub file_name: String,
    /// Media type.
    pub mime: String,
    /// What is in it.
    pub content: Content,
}

/// What is in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// As it is.
    Bytes(Vec<u8>),
    /// A document, drawn by whoever hands the message over.
    Sheet(Box<documents::Sheet>),
    /// One of several sheets, the same in several languages.
    Sheets(Vec<documents::Sheet>),
}

impl Attachment {
    /// The file.
    ///
    /// # Errors
    /// When a document cannot be drawn.
    pub fn bytes(&self) -> Result<Vec<u8>, documents::Failed> {
        match &self.content {
            Content::Bytes(bytes) => Ok(bytes.clone()),
            Content::Sheet(sheet) => documents::pdf(sheet),
            Content::Sheets(sheets) => documents::pdf_of(sheets),
        }
    }
}

/// One rendered e-mail to one person.
#[derive(Debug, Clone, PartialEq)]
pub struct OutgoingMail {
    /// Local part of the Message-ID: the same for every re-send of one message.
    pub message_id: String,
    /// When it was written: its date, the same for every re-send; none: when it is handed over.
    pub written_at: Option<DateTime<Utc>>,
    /// Recipient.
    pub to: Email,
    /// Recipient's name.
    pub to_name: String,
    /// Subject line.
    pub subject: String,
    /// Plain text body.
    pub text: String,
    /// HTML body.
    pub html: String,
    /// Language of the text.
    pub language: Language,
    /// `bookingConfirmation`, …
    pub message_type: String,
    /// Files sent along.
    pub attachments: Vec<Attachment>,
    /// Short id of the booking it is about.
    pub booking: Option<String>,
    /// Name in `From`; none: the one the relay was set up with.
    pub from_name: Option<String>,
    /// Where answers go; none: where the relay was set up to have them.
    pub reply_to: Option<Email>,
    /// Where a mail program says, by a POST of its own, that the recipient wants no more such mail; none where the law asks for none.
    pub unsubscribe: Option<String>,
}

/// The relay took the message over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The relay's own reference, for the log.
    pub queue_id: String,
}

/// How the words of [`MailError::Unknown`] begin. They are kept with the message, and the next try is told by them that this
/// one may have arrived.
pub const UNCLEAR: &str = "the mail relay did not say whether it took it";

/// Kept with a message from before the relay is asked until its answer is written down. A program that starts after a kill
/// finds it, and knows by it that the relay may have the message.
pub const IN_FLIGHT: &str = "the mail relay did not say whether it took it: it is being handed over";

/// [`IN_FLIGHT`], of a message about which an answer was missing before.
pub const IN_FLIGHT_AGAIN: &str = "the mail relay did not say whether it took it: it is being handed over once more";

/// How [`UNCLEAR`] words begin where an answer was missing before: only a person has such a message sent again.
pub const TWICE: &str = "the mail relay did not say whether it took it, for the second time";

/// Why a message was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// Try again later.
    #[error("the mail relay refused for now: {0}")]
    Transient(String),
    /// It had the whole message, and did not say whether it took it.
    #[error("{UNCLEAR}: {0}")]
    Unknown(String),
    /// Never for this recipient or content.
    #[error("the mail relay refused for good: {0}")]
    Permanent(String),
    /// Our settings are wrong.
    #[error("the mail relay is misconfigured: {0}")]
    Misconfigured(String),
}

/// An e-mail relay.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Hands a message over.
    async fn send(&self, mail: &OutgoingMail) -> Result<Accepted, MailError>;

    /// Whether a message that is handed over again takes the place of the one before: then nobody gets two, and it may be
    /// repeated as often as its outcome is unknown. No relay of the world does so.
    fn replaces(&self) -> bool {
        false
    }
}
