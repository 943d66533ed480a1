//! What a customer was asked to agree to, and what they said.

use chrono::{DateTime, Utc};
use kernel::{Language, Money, UserId, uuid::Uuid};
use serde::{Deserialize, Serialize};

use super::overtime::OvertimeCause;

/// What the customer is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ConsentSubject {
    /// A cancellation was taken back after money went back: the card is to be charged again.
    Recharge {
        /// What went back.
        back: Money,
    },
    /// Time beyond what was agreed.
    Overtime {
        /// As it was counted.
        minutes: u32,
        /// Why.
        cause: OvertimeCause,
    },
}

/// Charges that wait until the customer agrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChargesWait {
    /// What went back and would be charged again.
    pub back: Money,
    /// What the cancellation had kept: it is kept again when the move is cancelled again.
    pub kept: Money,
    /// How many questions there were when the cancellation was taken back: the later ones are about it.
    pub before: usize,
}

/// Codes of the kinds.
pub const KINDS: [&str; 2] = ["recharge", "overtime"];

impl ConsentSubject {
    /// Stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            ConsentSubject::Recharge { .. } => KINDS[0],
            ConsentSubject::Overtime { .. } => KINDS[1],
        }
    }
}

/// Where a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// No answer yet.
    Asked,
    /// The customer agreed.
    Agreed,
    /// The customer did not agree.
    Refused,
    /// No answer came in time.
    Lapsed,
    /// What it says does not hold any more, or it was asked again.
    Replaced,
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 5] =
        [Standing::Asked, Standing::Agreed, Standing::Refused, Standing::Lapsed, Standing::Replaced];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Standing::Asked => "asked",
            Standing::Agreed => "agreed",
            Standing::Refused => "refused",
            Standing::Lapsed => "lapsed",
            Standing::Replaced => "replaced",
        }
    }
}

/// How an answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnsweredBy {
    /// By the link that was mailed.
    Link,
    /// On the telephone, to somebody of the staff who wrote it down.
    Telephone,
}

impl AnsweredBy {
    /// Both.
    pub const ALL: [AnsweredBy; 2] = [AnsweredBy::Link, AnsweredBy::Telephone];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            AnsweredBy::Link => "link",
            AnsweredBy::Telephone => "telephone",
        }
    }
}

/// One question, with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// Key.
    pub id: Uuid,
    /// What is asked.
    pub about: ConsentSubject,
    /// Where it stands.
    pub standing: Standing,
    /// The exact words that are shown and agreed to.
    pub text: String,
    /// Their language.
    pub language: Language,
    /// What is charged in all, tax included.
    pub amount: Money,
    /// When it was asked.
    pub asked_at: DateTime<Utc>,
    /// By whom; none: by the program, because what was asked before did not hold any more.
    pub asked_by: Option<UserId>,
    /// Address of the mail with the link.
    pub sent_to: String,
    /// Hash of the secret in the link.
    pub link: String,
    /// Until when it can be answered.
    pub expires_at: DateTime<Utc>,
    /// When it was answered.
    #[serde(default)]
    pub answered_at: Option<DateTime<Utc>>,
    /// How.
    #[serde(default)]
    pub how: Option<AnsweredBy>,
    /// Who of the staff wrote the answer down.
    #[serde(default)]
    pub written_by: Option<UserId>,
    /// Who answered on the telephone and when, in the words of whoever wrote it down.
    #[serde(default)]
    pub note: String,
}
