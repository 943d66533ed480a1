//! Shared wording in three languages: `fixtures/messages.json` and the few words only messages
//! to people need.

use std::{collections::BTreeMap, sync::LazyLock};

use kernel::Language;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Entry {
    en: String,
    fr: String,
    zh: String,
}

static TEXTS: LazyLock<BTreeMap<String, Entry>> = LazyLock::new(|| {
    let read = |text: &str| serde_json::from_str::<BTreeMap<String, Entry>>(text).unwrap_or_default();
    let mut all = read(include_str!("../../../fixtures/messages.json"));
    all.extend(read(include_str!("../../../fixtures/message-words.json")));
    all
});

/// The text of a key; a missing key reads as itself, so that it is seen and mended. A test holds
/// every key used here to the files.
pub fn text(key: &str, language: Language) -> &'static str {
    match TEXTS.get(key) {
        Some(entry) => match language {
            Language::En => &entry.en,
            Language::Fr => &entry.fr,
            Language::Zh => &entry.zh,
        },
        None => missing(key),
    }
}

fn missing(key: &str) -> &'static str {
    tracing::error!(key, "a text is missing");
    "…"
}

/// Whether a key exists in all languages.
pub fn exists(key: &str) -> bool {
    TEXTS.contains_key(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_used_by_messages_exists() {
        let fixed = [
            "refund.cancelled",
            "howPaid.asDue",
            "howPaid.atBooking",
            "howPaid.byLink",
            "howPaid.restByLink",
            "howPaid.backByLink",
            "howPaid.difference",
            "howPaid.overtime",
            "howPaid.fee",
            "howPaid.waits",
            "refund.changed",
            "cancelReason.payment_failed",
            "cancelReason.consent_missing",
            "cancelReason.consent_refused",
            "alert.consentMissing",
            "alert.consentRefused",
            "consent.recharge",
            "consent.agree",
            "consent.agreeToPay",
            "consent.card",
            "consent.noCard",
            "consent.atOnce",
            "consent.orThen",
            "consent.onDay",
            "consent.rest",
            "consent.longer",
            "consent.cost",
            "consent.ifNot.release",
            "consent.ifNot.hold",
            "consent.ifNot.overtime",
            "request.and",
            "request.unknown",
            "request.byMail",
            "request.call.byMail",
            "alert.disputeLost",
            "alert.disputeOpened",
            "alert.disputeWon",
            "alert.refundDeclined",
            "alert.owedAgain",
            "alert.handBack",
            "alert.handBackLess",
            "refundHow.card",
            "refundHow.byHand",
            "refundHow.both",
            "alert.jobDeclined",
            "alert.unassigned",
            "alert.unconfirmed",
            "alert.lateStart",
            "alert.begins",
            "alert.until",
            "calendar.move",
            "cancelledBy.customer",
            "cancelledBy.company",
            "cancelledBy.noShow",
            "cancelledBy.system",
        ];
        let changes = [
            "moveAt",
            "pickup",
            "dropoff",
            "pickupAccess",
            "dropoffAccess",
            "items",
            "moveKind",
            "mateCount",
            "clientAsMate",
            "justMates",
            "rideAlong",
            "discountCode",
            "comments",
            "notes",
            "total",
            "overtimeMinutes",
            "assembly",
            "extraServices",
            "rooms",
            "categories",
            "tip",
            "none",
            "yes",
            "no",
            "floor",
            "elevator",
            "noElevator",
            "parking",
            "noParking",
            "accessibility.easy",
            "accessibility.moderate",
            "accessibility.difficult",
        ];
        let mut keys: Vec<String> = fixed.iter().map(|k| (*k).to_owned()).collect();
        let whens = crate::ports::quote_requests::CallAt::ALL.iter();
        keys.extend(whens.flat_map(|when| ["call", "when"].map(|part| format!("request.{part}.{}", when.code()))));
        let obstacles = crate::ports::quote_requests::Obstacle::ALL.iter();
        keys.extend(obstacles.map(|why| format!("request.why.{}", why.code())));
        let causes = crate::ports::overtime::OvertimeCause::ALL.iter();
        keys.extend(causes.map(|cause| format!("consent.cause.{}", cause.code())));
        keys.extend(changes.iter().map(|c| format!("change.{c}")));
        keys.extend(["gst", "qst", "hst"].iter().map(|t| format!("tax.{t}")));
        keys.extend(["parking.help", "reminder.tips"].map(str::to_owned));
        keys.extend(policy::Term::ALL.map(|term| term.key().to_owned()));
        // Every text of an invoice that its files name.
        let sources =
            [include_str!("invoices/sheet.rs"), include_str!("invoices/paper.rs"), include_str!("invoices/issue.rs")];
        let named = sources.iter().flat_map(|source| source.split('"')).filter(|part| part.starts_with("invoice."));
        let named: Vec<String> = named.filter(|part| !part.contains('{')).map(str::to_owned).collect();
        assert!(named.len() > 40, "{named:?}");
        keys.extend(
            named.into_iter().filter(|key| {
                !["draft", "issue", "void", "credit_note"].iter().any(|a| *key == format!("invoice.{a}"))
            }),
        );
        let feed =
            ["job", "pickup", "dropoff", "access", "crew", "noCrew", "truck", "customer", "phone", "note", "status"];
        keys.extend(feed.iter().map(|k| format!("feed.{k}")));
        keys.extend(["feed.mateTitle", "feed.hubTitle"].map(str::to_owned));
        let shown = ["pending", "assigned", "completed", "invoiced", "payed"];
        keys.extend(shown.iter().map(|status| format!("feed.status.{status}")));
        keys.extend(["cash", "etransfer", "cheque", "card"].iter().map(|m| format!("invoice.method.{m}")));
        let contract = include_str!("invoices/contract.rs").split('"').filter(|part| part.starts_with("contract."));
        let account = include_str!("bookings/statement_file.rs").split('"').filter(|part| part.starts_with("account."));
        keys.extend(account.map(str::to_owned));
        let before = keys.len();
        keys.extend(contract.map(str::to_owned));
        assert!(keys.len() > before + 20);
        keys.extend(crate::billing::ledger::KINDS.iter().map(|kind| format!("entry.{kind}")));
        keys.push("entry.day".to_owned());
        for key in keys {
            assert!(exists(&key), "{key}");
        }
    }
}
