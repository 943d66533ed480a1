//! What a relay's refusal means for trying again.

use service::ports::mail::MailError;

/// Authentication required, too weak, failed, or encryption required for it: our settings.
const CREDENTIALS: [u16; 4] = [530, 534, 535, 538];

/// Sorts an error of the relay. Anything that did not get a clear answer is transient: the message
/// id is the same on every attempt, so a copy that did arrive can be recognised.
pub(crate) fn classify(error: &lettre::transport::smtp::Error) -> MailError {
    let text = told(error);
    match error.status().map(u16::from) {
        Some(code) if CREDENTIALS.contains(&code) => MailError::Misconfigured(text),
        _ if error.is_permanent() => MailError::Permanent(text),
        // What the client itself finds wrong before sending: no common authentication mechanism,
        // STARTTLS not offered, an address the relay cannot take.
        _ if error.is_client() => MailError::Misconfigured(text),
        _ => MailError::Transient(text),
    }
}

/// The error with its causes, on one line and short: relays like to tell stories.
fn told(error: &dyn std::error::Error) -> String {
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
    let flat: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    flat.chars().take(300).collect()
}
