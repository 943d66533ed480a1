//! What a relay's refusal means for trying again.

use std::fmt;
use std::time::Duration;

use lettre::transport::smtp::Error;
use lettre::transport::smtp::response::Response;
use service::ports::mail::MailError;

/// Where in the conversation with a relay something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Connection and greeting.
    Reach,
    /// STARTTLS.
    Encrypt,
    /// User and password.
    SignIn,
    /// MAIL FROM.
    Sender,
    /// RCPT TO.
    Recipient,
    /// DATA.
    Data,
    /// The message, and what the relay says of it.
    Message,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Step::Reach => "connecting",
            Step::Encrypt => "starting encryption",
            Step::SignIn => "signing in",
            Step::Sender => "naming the sender",
            Step::Recipient => "naming the recipient",
            Step::Data => "asking to send the message",
            Step::Message => "sending the message",
        })
    }
}

/// Authentication required, too weak, failed, or encryption required for it: our settings.
const CREDENTIALS: [u16; 4] = [530, 534, 535, 538];

/// Sorts an error of the relay. What it refuses for good before it has seen a recipient holds for every
/// message: our settings, or our standing with it. What breaks off once it has the message leaves open whether it took it.
pub(crate) fn refused(step: Step, error: &Error) -> MailError {
    let text = format!("{step}: {}", with_causes(error));
    match error.status().map(u16::from) {
        Some(code) if CREDENTIALS.contains(&code) => MailError::Misconfigured(text),
        _ if error.is_permanent() => match step {
            Step::Reach | Step::Encrypt | Step::SignIn | Step::Sender => MailError::Misconfigured(text),
            Step::Recipient | Step::Data | Step::Message => MailError::Permanent(text),
        },
        // What the client itself finds wrong before sending: no common authentication mechanism,
        // STARTTLS not offered. And a certificate that is not trusted stays so until somebody acts.
        _ if error.is_client() || is_certificate(error) => MailError::Misconfigured(text),
        None if step == Step::Message => MailError::Unknown(text),
        _ => MailError::Transient(text),
    }
}

/// Another positive answer than the one that step waits for: nobody knows what it means.
pub(crate) fn unexpected(step: Step, answer: &Response) -> MailError {
    let words = answer.message().collect::<Vec<_>>().join(" ");
    let text = short(&format!("{step}: the unexpected answer {} {words}", answer.code()));
    if step == Step::Message { MailError::Unknown(text) } else { MailError::Transient(text) }
}

/// No answer at all.
pub(crate) fn silent(step: Step, limit: Duration) -> MailError {
    let text = format!("{step}: no answer within {} s", limit.as_secs());
    if step == Step::Message { MailError::Unknown(text) } else { MailError::Transient(text) }
}

fn is_certificate(error: &Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        if next.to_string().contains("certificate") {
            return true;
        }
        cause = next.source();
    }
    false
}

/// The error and its causes, in one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let next_text = next.to_string();
        if !text.contains(&next_text) {
            text.push_str(": ");
            text.push_str(&next_text);
        }
        cause = next.source();
    }
    short(&text)
}

/// On one line, short, and without addresses: relays like to tell stories, and these words are logged and stored.
pub(crate) fn short(text: &str) -> String {
    kernel::without_addresses(text).chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect()
}
