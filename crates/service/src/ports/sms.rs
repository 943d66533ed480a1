//! Text messages: the service that sends them, what it told of each, and who wants none.

use std::time::Duration as StdDuration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::{E164, MessageId};

use super::StoreResult;

kernel::typed_ids! {
    /// One handing over of a text message to the service that sends it.
    SendId
}

/// Where a text message stands at the service, in the order it goes through them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmsStatus {
    /// Waits for its instant.
    Scheduled,
    /// Taken.
    Accepted,
    /// Waits for its turn.
    Queued,
    /// On its way to the carrier.
    Sending,
    /// The carrier has it. It may stay here for ever: not every carrier tells more.
    Sent,
    /// A part of it arrived.
    PartlyDelivered,
    /// It arrived.
    Delivered,
    /// The carrier could not deliver it.
    Undelivered,
    /// It was not sent.
    Failed,
    /// It was called back.
    Canceled,
    /// It arrived, and was read.
    Read,
}

impl SmsStatus {
    /// All of them.
    pub const ALL: [SmsStatus; 11] = [
        SmsStatus::Scheduled,
        SmsStatus::Accepted,
        SmsStatus::Queued,
        SmsStatus::Sending,
        SmsStatus::Sent,
        SmsStatus::PartlyDelivered,
        SmsStatus::Delivered,
        SmsStatus::Undelivered,
        SmsStatus::Failed,
        SmsStatus::Canceled,
        SmsStatus::Read,
    ];

    /// As the service writes it.
    pub const fn code(self) -> &'static str {
        match self {
            SmsStatus::Scheduled => "scheduled",
            SmsStatus::Accepted => "accepted",
            SmsStatus::Queued => "queued",
            SmsStatus::Sending => "sending",
            SmsStatus::Sent => "sent",
            SmsStatus::PartlyDelivered => "partially_delivered",
            SmsStatus::Delivered => "delivered",
            SmsStatus::Undelivered => "undelivered",
            SmsStatus::Failed => "failed",
            SmsStatus::Canceled => "canceled",
            SmsStatus::Read => "read",
        }
    }

    /// The status of a code.
    pub fn from_code(code: &str) -> Option<SmsStatus> {
        SmsStatus::ALL.into_iter().find(|status| status.code() == code)
    }

    const fn rank(self) -> u8 {
        match self {
            SmsStatus::Scheduled => 0,
            SmsStatus::Accepted => 1,
            SmsStatus::Queued => 2,
            SmsStatus::Sending => 3,
            SmsStatus::Sent => 4,
            SmsStatus::PartlyDelivered => 5,
            SmsStatus::Delivered
            | SmsStatus::Undelivered
            | SmsStatus::Failed
            | SmsStatus::Canceled
            | SmsStatus::Read => 6,
        }
    }

    /// Nothing follows it that changes what became of the message.
    pub const fn is_final(self) -> bool {
        self.rank() == 6
    }

    /// Whether this is news after `old`: reports come late, twice and in any order.
    pub const fn follows(self, old: SmsStatus) -> bool {
        self.rank() > old.rank()
    }
}

/// Why a message was not sent, or did not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmsTrouble {
    /// Who has the number wants no texts from us.
    Stopped,
    /// It would have come so late that it is not true any more.
    TooLate,
    /// No number that a network knows.
    NoNumber,
    /// Not a mobile telephone.
    NotMobile,
    /// The network does not reach it.
    Unreachable,
    /// Blocked by who has it, or by their carrier.
    Blocked,
    /// A carrier took it for advertising.
    Filtered,
    /// Our account at the service may not send it there.
    Account,
    /// Refused for another reason.
    Refused,
    /// Of an e-mail: who has the address wants no commercial mail from us.
    Unsubscribed,
}

impl SmsTrouble {
    /// All of them.
    pub const ALL: [SmsTrouble; 10] = [
        SmsTrouble::Stopped,
        SmsTrouble::TooLate,
        SmsTrouble::NoNumber,
        SmsTrouble::NotMobile,
        SmsTrouble::Unreachable,
        SmsTrouble::Blocked,
        SmsTrouble::Filtered,
        SmsTrouble::Account,
        SmsTrouble::Refused,
        SmsTrouble::Unsubscribed,
    ];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            SmsTrouble::Stopped => "stopped",
            SmsTrouble::TooLate => "too_late",
            SmsTrouble::NoNumber => "no_number",
            SmsTrouble::NotMobile => "not_mobile",
            SmsTrouble::Unreachable => "unreachable",
            SmsTrouble::Blocked => "blocked",
            SmsTrouble::Filtered => "filtered",
            SmsTrouble::Account => "account",
            SmsTrouble::Refused => "refused",
            SmsTrouble::Unsubscribed => "unsubscribed",
        }
    }

    /// The reason of a code.
    pub fn from_code(code: &str) -> Option<SmsTrouble> {
        SmsTrouble::ALL.into_iter().find(|trouble| trouble.code() == code)
    }
}

/// A text message that leaves now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingSms {
    /// To whom.
    pub to: E164,
    /// What it says.
    pub body: String,
    /// Where the service reports what becomes of it.
    pub callback: String,
    /// Seconds after which it is not to be delivered any more; none: as long as the service tries.
    pub valid_seconds: Option<u32>,
}

/// A message as the service knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSms {
    /// The service's name for it.
    pub sid: String,
    /// Where it stands.
    pub status: SmsStatus,
    /// Why it did not arrive.
    pub error_code: Option<i32>,
    /// What it says.
    pub body: String,
    /// When the service took it.
    pub created_at: Option<DateTime<Utc>>,
}

/// Why a message was not taken, as far as that is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SmsError {
    /// It was not taken for certain; try again, not before so long.
    #[error("the text service took nothing: {why}")]
    NotTaken {
        /// What was said.
        why: String,
        /// What the service asks for.
        wait: Option<StdDuration>,
    },
    /// It may have been taken: look before anything is sent again.
    #[error("nobody knows whether the text service took it: {0}")]
    Unknown(String),
    /// Never so.
    #[error("the text service refused it ({code}): {why}")]
    Refused {
        /// The service's number of the reason; 0 when it gave none.
        code: i32,
        /// What it makes of the message.
        trouble: SmsTrouble,
        /// What was said, without the number.
        why: String,
    },
    /// Our settings or our account are wrong, for every message.
    #[error("the text service is misconfigured: {0}")]
    Misconfigured(String),
}

/// The service that sends text messages.
#[async_trait]
pub trait Texter: Send + Sync {
    /// Hands a message over. Twice is two messages: the service knows no key that would make it one.
    async fn send(&self, sms: &OutgoingSms) -> Result<KnownSms, SmsError>;
    /// Messages to a number that the service took since an instant, the newest first.
    async fn sent_to(&self, to: &E164, since: DateTime<Utc>) -> Result<Vec<KnownSms>, SmsError>;
    /// One message; none when the service does not know it.
    async fn read(&self, sid: &str) -> Result<Option<KnownSms>, SmsError>;
    /// Whether a call of `url` with these parameters was signed by the service. Never true for an empty signature.
    fn signed(&self, url: &str, parameters: &[(String, String)], signature: &str) -> bool;
    /// What a report's number of a reason means, and whether the message may be sent once more.
    fn reason(&self, error_code: i32) -> Reason;
}

/// What is done about a message that did not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// Why it did not.
    pub trouble: SmsTrouble,
    /// Once more, later, may help.
    pub again: bool,
    /// Somebody must look at our account at once.
    pub alarm: bool,
}

/// A handing over as it is kept: written before the service is asked, so that none is forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handover {
    /// Key; the service reports with it.
    pub id: SendId,
    /// Which message.
    pub message_id: MessageId,
    /// In real time: networks know no other.
    pub begun_at: DateTime<Utc>,
    /// By the clock that judges what is due.
    pub made_at: DateTime<Utc>,
    /// SHA-256 of the body, by which it is found again.
    pub body_hash: String,
    /// The service's name for it; none as long as nobody knows whether it was taken.
    pub sid: Option<String>,
    /// What the service told last.
    pub status: Option<SmsStatus>,
    /// Why it did not arrive.
    pub error_code: Option<i32>,
    /// Nothing more will be told of it.
    pub is_over: bool,
}

/// A message by which somebody stops texts, or wants them again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmsPreference {
    /// The service's id of the message; a repeated one counts once.
    pub sid: String,
    /// Their number.
    pub phone: E164,
    /// No texts, or texts again.
    pub stops: bool,
    /// When it reached us.
    pub at: DateTime<Utc>,
}

/// Handings over, and wishes.
pub trait SmsLog {
    /// Adds one.
    fn begin(&mut self, send: &Handover) -> StoreResult<()>;
    /// Of a message, the newest first. Who writes has the message's handings over to themselves from here on.
    fn of_message(&mut self, id: MessageId) -> StoreResult<Vec<Handover>>;
    /// Of a report.
    fn by_id(&mut self, id: SendId) -> StoreResult<Option<Handover>>;
    /// By the service's name.
    fn by_sid(&mut self, sid: &str) -> StoreResult<Option<Handover>>;
    /// Writes what was learnt: sid, status, error code and whether it is over.
    fn update(&mut self, send: &Handover) -> StoreResult<()>;
    /// Those taken between two instants that are not over, the oldest first.
    fn open_between(&mut self, from: DateTime<Utc>, until: DateTime<Utc>, limit: i64) -> StoreResult<Vec<Handover>>;
    /// Keeps a wish; false when it was kept before.
    fn wish(&mut self, wish: &SmsPreference) -> StoreResult<bool>;
    /// The newest wish of a number.
    fn wish_of(&mut self, phone: &E164) -> StoreResult<Option<SmsPreference>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_back() {
        assert!(SmsStatus::ALL.into_iter().all(|s| SmsStatus::from_code(s.code()) == Some(s)));
        assert!(SmsTrouble::ALL.into_iter().all(|t| SmsTrouble::from_code(t.code()) == Some(t)));
        assert_eq!(SmsStatus::from_code("receiving"), None);
    }

    #[test]
    fn nothing_follows_the_end_and_nothing_goes_back() {
        for (at, old) in SmsStatus::ALL.into_iter().enumerate() {
            for (to, new) in SmsStatus::ALL.into_iter().enumerate() {
                assert_eq!(new.follows(old), !old.is_final() && to > at, "{} after {}", new.code(), old.code());
            }
        }
    }
}
