//! Reads the files of [`crate::FileMailer`] back, for the demo's mailbox page.
//!
//! Blocking: call from a blocking thread. Only well-formed ids are opened, so no id leads out of
//! the folder.

use std::path::Path;
use std::{fs, io};

use chrono::{DateTime, Utc};
use mail_parser::{Address, Message, MessageParser, MimeHeaders};
use serde::Serialize;

use crate::message::{BOOKING_HEADER, TYPE_HEADER, is_safe_id};

/// One line of the mailbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// File name without its suffix; what [`open`] takes.
    pub id: String,
    /// Subject line.
    pub subject: String,
    /// Recipient's address.
    pub to: String,
    /// Recipient's name, may be empty.
    pub to_name: String,
    /// Sender's address.
    pub from: String,
    /// When it was written.
    pub date: DateTime<Utc>,
    /// `bookingConfirmation`, …; empty when unknown.
    pub message_type: String,
    /// `en`, `fr` or `zh`; empty when unknown.
    pub language: String,
    /// Short id of the booking it is about.
    pub booking: Option<String>,
}

/// A whole message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenedMail {
    /// Its line in the mailbox.
    #[serde(flatten)]
    pub summary: Summary,
    /// Plain text body.
    pub text: String,
    /// HTML body. Show it in a sandboxed frame without scripts.
    pub html: String,
    /// Files that came along.
    pub attachments: Vec<AttachedFile>,
}

/// A file that came along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AttachedFile {
    /// Shown name.
    pub file_name: String,
    /// Media type.
    pub mime: String,
    /// Content.
    #[serde(skip)]
    pub bytes: Vec<u8>,
    /// Length of the content in bytes.
    pub size: usize,
}

/// All messages, newest first; none when the folder does not exist. Files that are no messages are
/// skipped with a warning in the log.
///
/// # Errors
/// The folder cannot be read.
pub fn list(dir: &Path) -> io::Result<Vec<Summary>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(e),
    };
    let mut found = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        let Some(id) = name.to_str().and_then(|n| n.strip_suffix(".eml")).filter(|id| is_safe_id(id)) else { continue };
        match read(dir, id)?
            .as_deref()
            .map(|bytes| MessageParser::default().parse_headers(bytes).and_then(|m| summary(id, &m)))
        {
            Some(Some(line)) => found.push(line),
            Some(None) => tracing::warn!(id, "a file of the mail folder is not a message"),
            // Taken away between listing and reading.
            None => {}
        }
    }
    found.sort_by(|a, b| b.date.cmp(&a.date).then_with(|| b.id.cmp(&a.id)));
    Ok(found)
}

/// One message; `None` when there is none of that id, or the id is not one of ours.
///
/// # Errors
/// The file exists and cannot be read.
pub fn open(dir: &Path, id: &str) -> io::Result<Option<OpenedMail>> {
    if !is_safe_id(id) {
        return Ok(None);
    }
    let Some(bytes) = read(dir, id)? else { return Ok(None) };
    let Some(message) = MessageParser::default().parse(&bytes) else { return Ok(None) };
    let Some(summary) = summary(id, &message) else { return Ok(None) };
    let attachments = message.attachments().map(|part| {
        let mime = part.content_type().map_or_else(String::new, |c| match c.subtype() {
            Some(subtype) => format!("{}/{subtype}", c.ctype()),
            None => c.ctype().to_owned(),
        });
        let bytes = part.contents().to_vec();
        AttachedFile {
            file_name: part.attachment_name().unwrap_or_default().to_owned(),
            mime,
            size: bytes.len(),
            bytes,
        }
    });
    Ok(Some(OpenedMail {
        summary,
        text: message.body_text(0).unwrap_or_default().into_owned(),
        html: message.body_html(0).unwrap_or_default().into_owned(),
        attachments: attachments.collect(),
    }))
}

fn read(dir: &Path, id: &str) -> io::Result<Option<Vec<u8>>> {
    match fs::read(dir.join(format!("{id}.eml"))) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

/// `None` without a date and a recipient: not one of our messages.
fn summary(id: &str, message: &Message<'_>) -> Option<Summary> {
    let first = |address: Option<&Address<'_>>| {
        let one = address?.first()?;
        Some((one.address()?.to_owned(), one.name().unwrap_or_default().to_owned()))
    };
    let raw = |name: &'static str| message.header_raw(name).map(|v| v.trim().to_owned()).unwrap_or_default();
    let (to, to_name) = first(message.to())?;
    Some(Summary {
        id: id.to_owned(),
        subject: message.subject().unwrap_or_default().to_owned(),
        to,
        to_name,
        from: first(message.from()).map(|(address, _)| address).unwrap_or_default(),
        date: DateTime::from_timestamp(message.date()?.to_timestamp(), 0)?,
        message_type: raw(TYPE_HEADER),
        language: raw("Content-Language"),
        booking: Some(raw(BOOKING_HEADER)).filter(|b| !b.is_empty()),
    })
}
