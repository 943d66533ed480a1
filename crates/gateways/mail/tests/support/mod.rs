//! Shared by the tests of both mailers.
#![allow(dead_code)]

use std::sync::Arc;

use kernel::Language;
use mail::{Now, Sender};
use service::ports::mail::{Attachment, Content, OutgoingMail};

pub fn sender() -> Sender {
    let mut sender = Sender::new("bookings@mail.portage.test".parse().unwrap(), "Déménagements Portage");
    sender.reply_to = Some("support@portage.test".parse().unwrap());
    sender
}

pub fn clock() -> Now {
    Arc::new(|| "2027-02-16T14:00:00Z".parse().unwrap())
}

pub fn mail(id: &str) -> OutgoingMail {
    OutgoingMail {
        message_id: id.to_owned(),
        written_at: None,
        to: "ana@example.test".parse().unwrap(),
        to_name: "Ana Roy".to_owned(),
        subject: "Your booking K7M2QX is confirmed".to_owned(),
        text: "Hello Ana,\nSee you soon.\n".to_owned(),
        html: "<!doctype html><p>Hello Ana,</p><p>See you soon.</p>".to_owned(),
        language: Language::En,
        message_type: "bookingConfirmation".to_owned(),
        attachments: Vec::new(),
        booking: Some("K7M2QX".to_owned()),
        from_name: None,
        reply_to: None,
        unsubscribe: None,
    }
}

pub fn pdf(name: &str) -> Attachment {
    Attachment {
        file_name: name.to_owned(),
        mime: "application/pdf".to_owned(),
        content: Content::Bytes((0..=255).collect()),
    }
}
