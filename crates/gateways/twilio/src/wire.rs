//! What the service writes: messages, lists of them, and errors. Numbers come as strings, dates as RFC 2822.

use kernel::chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use service::ports::sms::{KnownSms, SmsStatus};

/// A message. What is not listed here is not read.
#[derive(Debug, Deserialize)]
pub(crate) struct WireMessage {
    pub sid: String,
    pub status: String,
    #[serde(default)]
    pub body: Option<String>,
    #[serde(default, deserialize_with = "number")]
    pub error_code: Option<i32>,
    #[serde(default)]
    pub date_created: Option<String>,
}

impl WireMessage {
    /// None for an unknown status, and for that of a message that was sent to us.
    pub(crate) fn into_known(self) -> Option<KnownSms> {
        Some(KnownSms {
            status: SmsStatus::from_code(&self.status)?,
            sid: self.sid,
            error_code: self.error_code,
            body: self.body.unwrap_or_default(),
            created_at: self.date_created.as_deref().and_then(instant),
        })
    }
}

/// A page of messages.
#[derive(Debug, Deserialize)]
pub(crate) struct WirePage {
    pub messages: Vec<WireMessage>,
    #[serde(default)]
    pub next_page_uri: Option<String>,
}

/// An error of the service.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct WireError {
    #[serde(default, deserialize_with = "number")]
    pub code: Option<i32>,
    #[serde(default)]
    pub message: String,
}

/// An integer in answers, a string in reports.
fn number<'de, D: Deserializer<'de>>(d: D) -> Result<Option<i32>, D::Error> {
    Ok(match Value::deserialize(d)? {
        Value::Number(n) => n.as_i64().and_then(|n| i32::try_from(n).ok()),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    })
}

/// `Thu, 15 Jan 2026 12:00:00 +0000`.
pub(crate) fn instant(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc2822(text).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_answer_as_the_service_writes_it_is_read() {
        let told: WireMessage = serde_json::from_str(
            r#"{"sid":"SM0123456789abcdef0123456789abcdef","account_sid":"ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "from":null,"to":"+15145550199","body":"Votre equipe arrive vers 14 h 30.","status":"accepted","direction":"outbound-api",
            "num_segments":"0","num_media":"0","price":null,"price_unit":null,"error_code":null,"error_message":null,
            "date_created":"Thu, 15 Jan 2026 12:00:00 +0000","date_updated":"Thu, 15 Jan 2026 12:00:00 +0000","date_sent":null,
            "api_version":"2010-04-01","uri":"/2010-04-01/Accounts/AC/Messages/SM.json","subresource_uris":{"media":"x"}}"#,
        )
        .unwrap();
        let known = told.into_known().unwrap();
        assert_eq!((known.status, known.error_code), (SmsStatus::Accepted, None));
        assert_eq!(known.created_at.unwrap().to_rfc3339(), "2026-01-15T12:00:00+00:00");
        let other =
            |code: &str| serde_json::from_str::<WireError>(&format!(r#"{{"code":{code},"message":"x"}}"#)).unwrap();
        assert_eq!(
            [other("21211").code, other("\"21211\"").code, other("null").code],
            [Some(21211), Some(21211), None]
        );
        let strange = r#"{"sid":"SM1","status":"teleported"}"#;
        assert_eq!(serde_json::from_str::<WireMessage>(strange).unwrap().into_known(), None);
    }
}
