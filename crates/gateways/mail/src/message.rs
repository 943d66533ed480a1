//! From a port's mail to the bytes of a message.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use kernel::Email;
use lettre::address::Envelope;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use service::ports::mail::{MailError, OutgoingMail};

use crate::sender::Sender;

/// Most relays refuse more; so do we, before talking to one.
const MAX_BYTES: usize = 10 * 1024 * 1024;
/// Longest message id; with its suffix it must also be a file name.
const MAX_ID: usize = 180;
/// So much of an id stands in a boundary, which RFC 2046 (5.1.1) bounds at 70 characters.
const BOUNDARY_ID: usize = 50;

pub(crate) const TYPE_HEADER: &str = "X-Portage-Message-Type";
pub(crate) const BOOKING_HEADER: &str = "X-Portage-Booking";

/// A message ready to go.
pub(crate) struct Built {
    /// The message id, reduced to what is safe in a header and in a file name.
    pub id: String,
    /// Sender and recipient for the relay.
    pub envelope: Envelope,
    /// The message.
    pub bytes: Vec<u8>,
}

/// Writes the message. What cannot be written is the caller's fault for good.
pub(crate) fn build(mail: &OutgoingMail, sender: &Sender, now: DateTime<Utc>) -> Result<Built, MailError> {
    let id = safe_id(&mail.message_id)
        .ok_or_else(|| MailError::Permanent("the message id is empty or too long".to_owned()))?;
    let from_name = mail.from_name.as_ref().unwrap_or(&sender.from_name);
    let mut builder = lettre::Message::builder()
        .message_id(Some(format!("<{id}@{}>", one_line(&sender.domain))))
        .date(SystemTime::from(mail.written_at.unwrap_or(now)))
        .from(mailbox(&sender.from, from_name).map_err(|e| MailError::Misconfigured(format!("sender address: {e}")))?)
        .to(mailbox(&mail.to, &mail.to_name).map_err(|e| MailError::Permanent(format!("recipient address: {e}")))?)
        .subject(one_line(&mail.subject));
    if let Some(reply_to) = mail.reply_to.as_ref().or(sender.reply_to.as_ref()) {
        let reply_to =
            mailbox(reply_to, from_name).map_err(|e| MailError::Misconfigured(format!("reply address: {e}")))?;
        builder = builder.reply_to(reply_to);
    }
    let unwritable = |e: lettre::error::Error| MailError::Permanent(format!("the message cannot be written: {e}"));
    let mut message = builder.multipart(body(mail, &id)?).map_err(unwritable)?;
    let mut header = |name: &'static str, value: &str| {
        let value: String = value.chars().filter(char::is_ascii_graphic).collect();
        message.headers_mut().insert_raw(HeaderValue::new(HeaderName::new_from_ascii_str(name), value));
    };
    header("Auto-Submitted", "auto-generated");
    header("Content-Language", mail.language.code());
    header(TYPE_HEADER, &mail.message_type);
    if let Some(booking) = &mail.booking {
        header(BOOKING_HEADER, booking);
    }
    if let Some(url) = &mail.unsubscribe {
        // RFC 8058: a mail program may stop such mail by a POST of its own.
        header("List-Unsubscribe", &format!("<{url}>"));
        header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
    }
    let (envelope, bytes) = (message.envelope().clone(), message.formatted());
    if bytes.len() > MAX_BYTES {
        return Err(MailError::Permanent(format!("the message has {} bytes, more than relays take", bytes.len())));
    }
    Ok(Built { id, envelope, bytes })
}

/// What separates the parts. The same on every attempt, so that a message that goes out again is byte for byte what the
/// relay may have; `=_` never stands in a part that is encoded as quoted-printable or base64.
fn boundary(of: &str, id: &str) -> String {
    let id: String = id.chars().take(BOUNDARY_ID).collect();
    format!("=_{of}_{id}")
}

fn body(mail: &OutgoingMail, id: &str) -> Result<MultiPart, MailError> {
    let alternative = MultiPart::alternative()
        .boundary(boundary("text", id))
        .singlepart(SinglePart::plain(mail.text.clone()))
        .singlepart(SinglePart::html(mail.html.clone()));
    if mail.attachments.is_empty() {
        return Ok(alternative);
    }
    let mut parts = MultiPart::mixed().boundary(boundary("files", id)).multipart(alternative);
    for file in &mail.attachments {
        let mime = ContentType::parse(&file.mime).ok().or_else(|| ContentType::parse("application/octet-stream").ok());
        let bytes = file.bytes().map_err(|e| MailError::Permanent(format!("{}: {e}", file.file_name)))?;
        let attachment = Attachment::new(one_line(&file.file_name));
        parts = parts.singlepart(attachment.body(bytes, mime.unwrap_or(ContentType::TEXT_PLAIN)));
    }
    Ok(parts)
}

fn mailbox(email: &Email, name: &str) -> Result<Mailbox, lettre::address::AddressError> {
    let name = one_line(name);
    Ok(Mailbox::new((!name.is_empty()).then_some(name), email.as_str().parse()?))
}

/// Header values are one line: whatever breaks lines becomes a space.
fn one_line(text: &str) -> String {
    let spaced: String =
        text.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }).collect();
    spaced.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The id with everything but letters, digits, dots, hyphens and underscores written as `=2F`.
/// Two ids never meet, no id is a path, none begins with a dot.
pub(crate) fn safe_id(id: &str) -> Option<String> {
    let mut safe = String::with_capacity(id.len());
    for (i, b) in id.bytes().enumerate() {
        if b.is_ascii_alphanumeric() || b == b'-' || b == b'_' || (b == b'.' && i > 0) {
            safe.push(char::from(b));
        } else {
            safe.push_str(&format!("={b:02X}"));
        }
    }
    (!safe.is_empty() && safe.len() <= MAX_ID).then_some(safe)
}

/// True for what [`safe_id`] gives: the only file names the mailbox opens.
pub(crate) fn is_safe_id(id: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'=');
    !id.is_empty() && id.len() <= MAX_ID && !id.starts_with('.') && id.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ids_are_safe_names_and_never_meet() {
        assert_eq!(safe_id("0197-ab_c.1").unwrap(), "0197-ab_c.1");
        assert_eq!(safe_id("../../etc").unwrap(), "=2E.=2F..=2Fetc");
        assert_ne!(safe_id("a/b"), safe_id("a=2Fb"));
        assert_eq!(safe_id(""), None);
        assert_eq!(safe_id(&"é".repeat(100)), None);
        for id in ["a/b", "..", "x y", "é"] {
            assert!(is_safe_id(&safe_id(id).unwrap()), "{id}");
        }
        for bad in ["", "..", ".a", "a/b", "a\\b", "a\0"] {
            assert!(!is_safe_id(bad), "{bad:?}");
        }
    }

    #[test]
    fn headers_stay_on_one_line() {
        assert_eq!(one_line(" Hi\r\nBcc: x@y.test\u{2028}!  "), "Hi Bcc: x@y.test !");
    }
}
