//! What a customer was asked to agree to, as staff read it.

use kernel::chrono::{DateTime, Utc};
use serde::Serialize;
use service::ports::consents::{Consent, ConsentSubject};
use utoipa::ToSchema;

use crate::calls::values::{Cash, ConsentAnswerCode, ConsentKindCode, ConsentStandingCode, LanguageCode};

/// What a customer was asked, and what they said.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentRecord {
    id: String,
    #[schema(value_type = ConsentKindCode)]
    kind: &'static str,
    #[schema(value_type = ConsentStandingCode)]
    standing: &'static str,
    /// The exact words, a line each.
    text: String,
    #[schema(value_type = LanguageCode)]
    language: kernel::Language,
    /// Charged in all.
    amount: Cash,
    /// Minutes of overtime.
    minutes: Option<u32>,
    asked_at: DateTime<Utc>,
    /// Address of the mail with the link.
    sent_to: String,
    expires_at: DateTime<Utc>,
    answered_at: Option<DateTime<Utc>>,
    #[schema(value_type = Option<ConsentAnswerCode>)]
    how: Option<&'static str>,
    /// Who agreed on the telephone, in the words of whoever wrote it down.
    note: String,
}

impl From<&Consent> for ConsentRecord {
    fn from(c: &Consent) -> ConsentRecord {
        ConsentRecord {
            id: c.id.to_string(),
            kind: c.about.code(),
            standing: c.standing.code(),
            text: c.text.clone(),
            language: c.language,
            amount: c.amount.into(),
            minutes: match c.about {
                ConsentSubject::Overtime { minutes, .. } => Some(minutes),
                ConsentSubject::Recharge { .. } => None,
            },
            asked_at: c.asked_at,
            sent_to: c.sent_to.clone(),
            expires_at: c.expires_at,
            answered_at: c.answered_at,
            how: c.how.map(|how| how.code()),
            note: c.note.clone(),
        }
    }
}
