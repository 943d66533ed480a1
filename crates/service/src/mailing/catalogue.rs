//! Every message there is, and what its template may say.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

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
/// Keys whose values are markup of their own in HTML.
const BLOCKS: [&str; 5] = ["priceLines", "taxLines", "itemsSummary", "changesList", "consentLines"];

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
}

impl MessageType {
    /// A document goes along, when there is one.
    pub fn has_attachment(&self) -> bool {
        ["invoice", "contract"].iter().any(|kind| self.attachment.contains(kind))
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
        let booking = BOOKING.iter().take(if self.is_about_booking() { BOOKING.len() } else { 0 });
        self.keys.iter().map(String::as_str).chain(booking.chain(&COMPANY).copied())
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

/// Every type, by name.
pub fn all() -> impl Iterator<Item = &'static MessageType> {
    TYPES.values()
}

/// The type of a name.
pub fn of(name: &str) -> Option<&'static MessageType> {
    TYPES.get(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_whole() {
        assert_eq!(all().count(), 31);
        let named = |name: &str| of(name).is_some_and(|t| t.name == name);
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
        assert!(of("welcome").is_some_and(|t| t.supports("loginUrl") && !t.supports("moveDate")));
        assert!(of("moveReminder").is_some_and(|t| t.supports("moveDate") && !t.supports("loginUrl")));
    }
}
