//! Values for a message that is only looked at: every key has one.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeZone as _, Utc};
use kernel::{Language, Money, Zone};
use serde_json::{Map, Value, json};

use super::{blocks, catalogue::MessageType, values};
use crate::{formats, texts::text};

/// Where links of a sample lead: a name that nobody can have.
const NOWHERE: &str = "https://portage.invalid/";

/// A value for every key that the type's template may use, in its language.
pub(super) fn values(kind: &MessageType, language: Language) -> Map<String, Value> {
    kind.keys().map(|key| (key.to_owned(), one(key, language))).collect()
}

/// The value of one key.
pub(super) fn one(key: &str, l: Language) -> Value {
    if super::catalogue::is_link(key) {
        return json!(format!("{NOWHERE}{key}"));
    }
    if let Some(cents) = cents(key) {
        return json!(formats::money(Money::from_cents(cents), l));
    }
    if let Some((day, hour)) = instant(key) {
        return json!(formats::moment(at(day, hour), Zone::MONTREAL, l));
    }
    match key {
        "moveDate" => json!(day(18, l)),
        "invoiceDate" | "periodEnd" => json!(day(31, l)),
        "dueDate" | "lastDay" | "overdueSince" => json!(day(28, l)),
        "periodStart" => json!(day(1, l)),
        "moveTime" => json!(formats::time(clock(9), l)),
        "arrivalWindow" => json!(format!("{} – {}", formats::time(clock(9), l), formats::time(clock(10), l))),
        "moveTimeZone" => json!(formats::zone_name(Zone::MONTREAL, l)),
        "moveKind" => json!(values::move_kind(pricing::MoveKind::Residential, l)),
        "estimatedDuration" => json!(formats::minutes(240, l)),
        "itemsSummary" => blocks::items(&[text("sample.item", l).to_owned(), text("sample.otherItem", l).to_owned()]),
        "changesList" => blocks::items(&[text("sample.change", l).to_owned()]),
        "consentLines" => blocks::items(&[text("sample.consent", l).to_owned()]),
        "ifNot" => json!(text("consent.ifNot.hold", l)),
        "priceLines" => amounts(&[("sample.line", 50_000)], l),
        "taxLines" => amounts(&[("tax.gst", 2_500), ("tax.qst", 4_988)], l),
        _ => json!(word(key, l)),
    }
}

fn amounts(lines: &[(&str, i64)], l: Language) -> Value {
    let lines: Vec<_> = lines
        .iter()
        .map(|(key, cents)| (text(key, l).to_owned(), formats::money(Money::from_cents(*cents), l)))
        .collect();
    blocks::rows(&lines, l)
}

fn day(day: u32, l: Language) -> String {
    NaiveDate::from_ymd_opt(2027, 3, day).map(|day| formats::date(day, l)).unwrap_or_default()
}

fn clock(hour: u32) -> NaiveTime {
    NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or_default()
}

fn at(day: u32, hour: u32) -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2027, 3, day, hour, 0, 0).single().unwrap_or_default()
}

/// Amounts, in cents.
fn cents(key: &str) -> Option<i64> {
    Some(match key {
        "subtotal" => 50_000,
        "total" | "newTotal" | "amountDue" => 57_488,
        "oldTotal" => 51_739,
        "depositAmount" | "amountKept" | "amountOwed" | "amountPaid" => 11_498,
        "balanceAmount" | "amountRefunded" | "refundAmount" | "laterAmount" => 45_990,
        "discountAmount" | "changeFee" | "tip" | "tipAmount" => 2_500,
        // GST and QST inside the amount that is kept, each by the rule of `policy::tax_included`: 5.48 and 10.43.
        "taxIncluded" => 1_591,
        _ => return None,
    })
}

/// Day of March and hour of what has an instant.
fn instant(key: &str) -> Option<(u32, u32)> {
    Some(match key {
        "bookingDate" | "changedAt" => (1, 15),
        "depositDueAt" | "chargedAt" | "cancelledAt" | "paidAt" => (2, 15),
        "nextAttemptAt" => (3, 15),
        "expiresAt" | "linkExpiresAt" | "quoteValidUntil" | "finalDeadline" => (8, 15),
        "balanceDueAt" | "freeCancellationUntil" | "laterDueAt" => (16, 13),
        _ => return None,
    })
}

fn word(key: &str, l: Language) -> &'static str {
    match key {
        "customerFirstName" => "Camille",
        "customerFullName" | "requesterName" => "Camille Tremblay",
        "mateName" => "Alex",
        "matesNames" => "Alex, Noor",
        "inviterName" | "paperOwner" => "Nadia Roy",
        "partnerName" => "Meubles Laurier",
        "bookingShortId" => "CA7F2K",
        "invoiceNumber" => "2027-000042",
        "discountCode" => "MARS27",
        "cardLast4" => "1111",
        "gstNumber" => "123456782RT0001",
        "qstNumber" => "1234567890TQ0001",
        "customerPhone" | "mateLeadPhone" | "supportPhone" => "514-555-0142",
        "supportEmail" | "newAddress" | "invitedEmail" => "camille@portage.invalid",
        "companyName" => "Portage",
        "companyNumbers" => "123456782RT0001",
        "currency" => "CAD",
        "mateCount" | "attemptNumber" => "2",
        "deliveryCount" => "14",
        "hoursBefore" => "24",
        "pickupAddress" | "companyAddress" => text("sample.address", l),
        "dropoffAddress" => text("sample.otherAddress", l),
        "heavyItems" => text("sample.heavy", l),
        "accessNotes" => text("sample.access", l),
        "cancelReason" => text("sample.reason", l),
        "cancelledBy" => text("cancelledBy.customer", l),
        "refundReason" => text("refund.changed", l),
        "howPaid" => text("howPaid.link", l),
        "policyText" => text("sample.policy", l),
        "parkingHint" => text("parking.help", l),
        "preparationTips" => text("reminder.tips", l),
        "paperKind" => text("paper.insurance", l),
        "alertKind" | "details" => text("sample.alert", l),
        "truckClass" => text("sample.truck", l),
        "nextStep" => text("request.call.morning", l),
        "callWhen" => text("request.when.morning", l),
        "whyAsked" => text("request.why.too_far", l),
        "fromTo" => "Montréal → Québec",
        "wantedDay" => text("request.unknown", l),
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mailing::catalogue;

    #[test]
    fn every_key_of_every_type_has_a_value_in_every_language() {
        for kind in catalogue::all() {
            for language in Language::ALL {
                for (key, value) in values(kind, language) {
                    let whole = value.as_str().map_or(catalogue::is_block(&key), |text| !text.is_empty());
                    assert!(whole, "{} {language}: {key}", kind.name);
                    assert!(!value.to_string().contains("sample."), "{key}: {value}");
                }
            }
        }
    }

    #[test]
    fn what_a_sample_says_of_taxes_is_what_the_rule_makes_of_it() {
        let kept = Money::from_cents(cents("amountKept").unwrap_or_default());
        let taxes = [50_000, 99_750].map(|rate| policy::tax_included(kept, kernel::Ppm::new(rate)));
        assert_eq!(Some(taxes[0].plus(taxes[1]).cents()), cents("taxIncluded"));
    }
}
