//! Every message there is, and what its template may say.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

use crate::{ports::messages::Channel, sms::words};

/// Common keys of messages that are about no booking.
const COMPANY: [&str; 7] = [
    "customerFirstName",
    "customerFullName",
    "companyName",
    "companyAddress",
    "companyNumbers",
    "supportEmail",
    "supportPhone",
];
/// What the messages about a booking say beyond that.
const BOOKING: [&str; 11] = [
    "bookingShortId",
    "moveDate",
    "moveTime",
    "moveTimeZone",
    "arrivalWindow",
    "moveKind",
    "pickupAddress",
    "dropoffAddress",
    "mateCount",
    "currency",
    "bookingUrl",
];
/// Messages that are about no booking.
const BARE: [&str; 10] = [
    "welcome",
    "passwordReset",
    "emailChange",
    "emailChangeNotice",
    "quoteSaved",
    "quoteRequestReceived",
    "quoteRequestAlert",
    "opsInvite",
    "partnerInvoice",
    "papersEnd",
];
/// Messages that (also) want somebody to buy: they can be stopped, and their words may have the link for it.
const COMMERCIAL: [&str; 2] = ["feedbackRequest", "quoteSaved"];
/// What the words of those may have beyond that.
const TO_STOP: [&str; 1] = ["unsubscribeUrl"];
/// Keys whose values are markup of their own in HTML.
const BLOCKS: [&str; 6] = ["priceLines", "taxLines", "itemsSummary", "changesList", "consentLines", "howToPay"];

/// A document that goes along with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// The invoice, or what a cancellation keeps.
    Invoice,
    /// The contract of the move.
    Contract,
}

impl Document {
    /// All of them.
    pub const ALL: [Document; 2] = [Document::Invoice, Document::Contract];

    /// Stable code, which `templates.json` has among its words.
    pub const fn code(self) -> &'static str {
        match self {
            Document::Invoice => "invoice",
            Document::Contract => "contract",
        }
    }
}

/// A type of message.
#[derive(Debug, Deserialize)]
pub struct MessageType {
    /// `bookingConfirmation`.
    #[serde(skip)]
    pub name: String,
    /// What goes along; the ones with an invoice or a contract are those that have something.
    attachment: String,
    /// The keys that only it has.
    keys: Vec<String>,
    /// It is a text message: plain words, nothing else.
    #[serde(skip)]
    is_text: bool,
}

impl MessageType {
    /// What goes along, when there is one.
    pub fn document(&self) -> Option<Document> {
        Document::ALL.into_iter().find(|document| self.attachment.contains(document.code()))
    }

    /// A document goes along, when there is one.
    pub fn has_attachment(&self) -> bool {
        self.document().is_some()
    }

    /// It is a text message.
    pub const fn is_text(&self) -> bool {
        self.is_text
    }

    /// By which way it goes.
    pub const fn channel(&self) -> Channel {
        if self.is_text { Channel::Sms } else { Channel::Email }
    }

    /// It (also) wants somebody to buy: whoever gets it may stop such mail.
    pub fn is_commercial(&self) -> bool {
        COMMERCIAL.contains(&self.name.as_str())
    }

    /// It is about a booking.
    pub fn is_about_booking(&self) -> bool {
        !BARE.contains(&self.name.as_str())
    }

    /// The keys that only it has.
    pub fn own_keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(String::as_str)
    }

    /// Every key its template may use: its own, then those that are common.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let booking: &[&str] = if self.is_about_booking() { &BOOKING } else { &[] };
        let to_stop: &[&str] = if self.is_commercial() { &TO_STOP } else { &[] };
        // A text has the keys of its own list alone.
        let common = [booking, &COMPANY, to_stop].into_iter().flatten().copied();
        self.keys.iter().map(String::as_str).chain(common.filter(|_| !self.is_text))
    }

    /// Whether its template may use this key.
    pub fn supports(&self, key: &str) -> bool {
        self.keys().any(|known| known == key)
    }
}

/// Its value is markup of its own in HTML: it stands in three braces.
pub fn is_block(key: &str) -> bool {
    BLOCKS.contains(&key)
}

/// Its value is an address: it may stand where a link leads to.
pub fn is_link(key: &str) -> bool {
    key.ends_with("Url")
}

static TYPES: LazyLock<BTreeMap<String, MessageType>> = LazyLock::new(|| {
    let listed = include_str!("../../../../fixtures/templates/templates.json");
    // A test below proves that the file parses.
    let mut types = serde_json::from_str::<BTreeMap<String, MessageType>>(listed).unwrap_or_default();
    for (name, one) in &mut types {
        one.name.clone_from(name);
    }
    types
});

static TEXTS: LazyLock<BTreeMap<String, MessageType>> = LazyLock::new(|| {
    let text = |(kind, about): (&str, &words::SmsType)| {
        let name = words::template_name(kind);
        let keys = about.supported().map(str::to_owned).collect();
        (name.clone(), MessageType { name, attachment: String::new(), keys, is_text: true })
    };
    words::all().map(text).collect()
});

/// Every type that goes by mail, by name.
pub fn all() -> impl Iterator<Item = &'static MessageType> {
    TYPES.values()
}

/// Every type that goes as a text, by name: `sms-moveReminder`.
pub fn texts() -> impl Iterator<Item = &'static MessageType> {
    TEXTS.values()
}

/// The type with this name, of a mail or of a text.
pub fn type_named(name: &str) -> Option<&'static MessageType> {
    TYPES.get(name).or_else(|| TEXTS.get(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_whole() {
        assert_eq!(all().count(), 31);
        let named = |name: &str| type_named(name).is_some_and(|t| t.name == name);
        assert!(BARE.iter().all(|name| named(name)));
        assert!(BLOCKS.iter().all(|key| all().any(|t| t.supports(key))));
        let with: Vec<&str> = all().filter(|t| t.has_attachment()).map(|t| t.name.as_str()).collect();
        let named = [
            "bookingCancelled",
            "bookingConfirmation",
            "bookingEdited",
            "invoiceReminder",
            "invoiceSent",
            "partnerInvoice",
        ];
        assert_eq!(with, named);
        assert!(type_named("welcome").is_some_and(|t| t.supports("loginUrl") && !t.supports("moveDate")));
        assert!(type_named("moveReminder").is_some_and(|t| t.supports("moveDate") && !t.supports("loginUrl")));
        let commercial: Vec<&str> = all().filter(|t| t.is_commercial()).map(|t| t.name.as_str()).collect();
        assert_eq!(commercial, COMMERCIAL);
        assert!(type_named("quoteSaved").is_some_and(|t| t.supports("unsubscribeUrl")));
        assert!(type_named("welcome").is_some_and(|t| !t.supports("unsubscribeUrl")));
    }

    #[test]
    fn texts_have_names_of_their_own() {
        assert_eq!(texts().count(), 7);
        assert!(texts().all(|t| t.is_text() && !t.has_attachment() && !t.is_commercial()));
        let reminder = type_named("sms-moveReminder").map(|t| t.keys().collect::<Vec<_>>());
        assert_eq!(reminder, Some(vec!["date", "time_range", "customer_name", "company_name", "phone_number"]));
    }
}
