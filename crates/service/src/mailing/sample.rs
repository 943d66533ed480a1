//! Values for a message that is only looked at: every key has one. They are of one booking: made on March 1, 2027 for the
//! 18th, its deposit charged a day later and its balance 48 hours before the move; what is changed, cancelled or refunded of it
//! fits its amounts and its days.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeZone as _, Utc};
use kernel::{Language, Money, Zone};
use serde_json::{Map, Value, json};

use super::{blocks, catalogue::MessageType, values};
use crate::{formats, texts::text};

/// Where links of a sample lead: a name that nobody can have.
const NOWHERE: &str = "https://portage.invalid/";

/// A value for every key that the type's template may use, in its language.
pub(super) fn values(kind: &MessageType, language: Language) -> Map<String, Value> {
    kind.keys().map(|key| (key.to_owned(), one(&kind.name, key, language))).collect()
}

/// Removes the values that never occur together with the others in one message: a partner's invoice is either due or paid, a
/// booking is charged to a card or paid in another way, and after the balance nothing is still to come.
pub(super) fn of_one_moment(kind: &MessageType, sample: &mut Map<String, Value>) {
    let never: &[&str] = match kind.name.as_str() {
        "partnerInvoice" => &["paidAt"],
        "bookingConfirmation" | "fullPaymentCharged" => &["howPaid"],
        "balanceCharged" => &["howPaid", "laterAmount", "laterDueAt"],
        // A job that is new.
        "mateJob" => &["changesList"],
        // What was held is more than is kept: nothing is owed, and nothing is to be paid.
        "bookingCancelled" => &["amountOwed", "howToPay", "payUrl"],
        _ => &[],
    };
    sample.retain(|key, _| !never.contains(&key.as_str()));
}

/// The value of one key in a message of this type.
fn one(kind: &str, key: &str, l: Language) -> Value {
    if super::catalogue::is_link(key) {
        return json!(format!("{NOWHERE}{key}"));
    }
    if let Some(cents) = cents(kind, key) {
        return json!(formats::money(Money::from_cents(cents), l));
    }
    if let Some(at) = instant(kind, key) {
        return json!(formats::moment(at, Zone::MONTREAL, l));
    }
    if let Some(day) = day(kind, key) {
        return json!(formats::date(day, l));
    }
    match key {
        "moveTime" => json!(formats::time(clock(9), l)),
        "arrivalWindow" => json!(format!("{} – {}", formats::time(clock(9), l), formats::time(clock(10), l))),
        "moveTimeZone" => json!(formats::zone_name(Zone::MONTREAL, l)),
        "moveKind" => json!(values::move_kind(pricing::MoveKind::Residential, l)),
        "estimatedDuration" => json!(formats::minutes(240, l)),
        "itemsSummary" => blocks::items(&[text("sample.item", l).to_owned(), text("sample.otherItem", l).to_owned()]),
        "details" => json!(format!("Camille Tremblay: {}", formats::money(Money::from_cents(TOTAL), l))),
        "refundHow" => json!(text("refundHow.card", l)),
        "changesList" => blocks::items(&[text("sample.change", l).to_owned()]),
        "howToPay" => {
            let to = |key: &str, name: &str, value: &str| text(key, l).replace(name, value);
            blocks::items(&[
                to("invoice.pay.transfer", "{to}", "camille@portage.invalid"),
                to("invoice.pay.cheque", "{name}", "Portage"),
                to("invoice.pay.number", "{number}", "2027-000042"),
            ])
        }
        "consentLines" => blocks::items(&[text("sample.consent", l).to_owned()]),
        "ifNot" => json!(text("consent.ifNot.hold", l)),
        "priceLines" => amounts(&[("sample.line", line(kind))], l),
        "taxLines" => amounts(&TAXES, l),
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

fn clock(hour: u32) -> NaiveTime {
    NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or_default()
}

/// Cents of GST and QST on [`SUBTOTAL`].
const TAXES: [(&str, i64); 2] = [("tax.gst", 2_500), ("tax.qst", 4_988)];
/// Before tax, cents.
const SUBTOTAL: i64 = 50_000;
/// What the code takes off, cents.
const DISCOUNT: i64 = 2_500;
/// With tax, cents: a deposit and a balance.
const TOTAL: i64 = 57_488;
const DEPOSIT: i64 = 11_498;
const BALANCE: i64 = 45_990;
/// Fourteen such moves, with tax, cents.
const OF_PARTNER: i64 = 804_825;

/// The line of the move, cents: before the discount where the message tells of one.
fn line(kind: &str) -> i64 {
    if kind == "bookingConfirmation" { SUBTOTAL + DISCOUNT } else { SUBTOTAL }
}

/// Amounts, in cents.
fn cents(kind: &str, key: &str) -> Option<i64> {
    Some(match (key, kind) {
        ("total" | "amountDue", "partnerInvoice") => OF_PARTNER,
        // The deposit was paid, and the balance is asked for.
        ("amountDue", "paymentFailed" | "invoiceSent" | "invoiceReminder") => BALANCE,
        ("amountPaid", "paymentReceived") => TOTAL,
        ("subtotal", _) => SUBTOTAL,
        ("total" | "newTotal" | "amountDue", _) => TOTAL,
        ("oldTotal", _) => 51_739,
        ("depositAmount" | "amountKept" | "amountOwed" | "amountPaid", _) => DEPOSIT,
        ("balanceAmount" | "amountRefunded" | "refundAmount" | "laterAmount", _) => BALANCE,
        ("discountAmount", _) => DISCOUNT,
        ("changeFee" | "tip" | "tipAmount", _) => 2_500,
        // GST and QST inside the amount that is kept, each by the rule of `policy::tax_included`: 5.48 and 10.43.
        ("taxIncluded", _) => 1_591,
        _ => return None,
    })
}

/// What has an instant, in 2027.
fn instant(kind: &str, key: &str) -> Option<DateTime<Utc>> {
    let (month, day, hour) = match (key, kind) {
        ("bookingDate", _) | ("chargedAt", "fullPaymentCharged") => (3, 1, 15),
        // For a day it may be cancelled for nothing, and then the deposit is charged.
        ("freeCancellationUntil" | "depositDueAt", _) | ("chargedAt", "depositCharged") => (3, 2, 15),
        ("changedAt", _) => (3, 4, 15),
        ("expiresAt" | "linkExpiresAt" | "quoteValidUntil", _) => (3, 8, 15),
        // 48 hours before the move; a card that is refused then is tried again until 24 hours before.
        ("balanceDueAt", _) | ("chargedAt", "balanceCharged") => (3, 16, 13),
        ("nextAttemptAt", _) => (3, 16, 19),
        ("finalDeadline" | "laterDueAt" | "cancelledAt", _) => (3, 17, 13),
        ("chargedAt", _) => (3, 19, 15),
        ("paidAt", "partnerInvoice") => (4, 20, 15),
        ("paidAt", _) => (3, 29, 15),
        _ => return None,
    };
    Utc.with_ymd_and_hms(2027, month, day, hour, 0, 0).single()
}

/// What has a day, in 2027.
fn day(kind: &str, key: &str) -> Option<NaiveDate> {
    let (month, day) = match (key, kind) {
        ("periodStart", _) => (3, 1),
        ("moveDate", _) => (3, 18),
        ("periodEnd", _) => (3, 31),
        // A partner's paper is of a whole month.
        ("invoiceDate", "partnerInvoice") => (4, 1),
        ("dueDate" | "overdueSince", "partnerInvoice") => (5, 1),
        ("invoiceDate", _) => (3, 19),
        ("dueDate" | "overdueSince", _) => (4, 18),
        ("lastDay", _) => (4, 28),
        _ => return None,
    };
    NaiveDate::from_ymd_opt(2027, month, day)
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
        "hoursBefore" => "72",
        "pickupAddress" | "companyAddress" => text("sample.address", l),
        "dropoffAddress" => text("sample.otherAddress", l),
        "heavyItems" => text("sample.heavy", l),
        "accessNotes" => text("sample.access", l),
        "cancelReason" => text("sample.reason", l),
        "cancelledBy" => text("cancelledBy.customer", l),
        "refundReason" => text("refund.cancelled", l),
        "howPaid" => text("howPaid.link", l),
        "policyText" => text("sample.policy", l),
        "parkingHint" => text("parking.help", l),
        "preparationTips" => text("reminder.tips", l),
        "paperKind" => text("paper.insurance", l),
        "alertKind" => text("sample.alert", l),
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
    #![allow(clippy::panic)]
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

    /// The cents of a key in a message.
    fn of(kind: &str, key: &str) -> i64 {
        cents(kind, key).unwrap_or_else(|| panic!("{kind}: {key}"))
    }

    #[test]
    fn the_amounts_of_the_sample_add_up() {
        let confirmed = |key| of("bookingConfirmation", key);
        assert_eq!(line("bookingConfirmation") - confirmed("discountAmount"), confirmed("subtotal"));
        let taxes: i64 = TAXES.iter().map(|(_, cents)| cents).sum();
        assert_eq!(confirmed("subtotal") + taxes, confirmed("total"));
        assert_eq!(line("invoiceSent") + taxes, of("invoiceSent", "total"));
        assert_eq!(confirmed("depositAmount") + confirmed("balanceAmount"), confirmed("total"));
        assert_eq!(of("depositCharged", "depositAmount") + of("depositCharged", "balanceAmount"), TOTAL);
        assert_eq!(of("invoiceSent", "amountPaid") + of("invoiceSent", "amountDue"), of("invoiceSent", "total"));
        assert_eq!(of("paymentReceived", "amountPaid"), of("invoiceSent", "total"));
        let cancelled = |key| of("bookingCancelled", key);
        assert_eq!(cancelled("amountKept") + cancelled("amountRefunded"), confirmed("total"));
        assert_eq!(of("refundIssued", "refundAmount"), cancelled("amountRefunded"));
        assert_eq!(of("paymentFailed", "amountDue"), confirmed("balanceAmount"));
        assert!(of("bookingEdited", "oldTotal") < of("bookingEdited", "newTotal"));
        assert_eq!(of("bookingEdited", "newTotal"), confirmed("total"));
        // Taxes by the rule of prices, of one move and of fourteen.
        let taxed = |cents: i64| {
            let [gst, qst] = [50_000, 99_750].map(|rate| Money::from_cents(cents).rate(kernel::Ppm::new(rate)).cents());
            (gst, qst)
        };
        assert_eq!(taxed(SUBTOTAL), (TAXES[0].1, TAXES[1].1));
        let (gst, qst) = taxed(14 * SUBTOTAL);
        assert_eq!(14 * SUBTOTAL + gst + qst, of("partnerInvoice", "total"));
        assert_eq!(word("deliveryCount", Language::En), "14");
    }

    #[test]
    fn the_days_of_the_sample_come_one_after_the_other() {
        let at = |kind, key| instant(kind, key).unwrap_or_else(|| panic!("{kind}: {key}"));
        let on = |kind, key| day(kind, key).unwrap_or_else(|| panic!("{kind}: {key}"));
        let life = [
            at("bookingConfirmation", "bookingDate"),
            at("bookingConfirmation", "depositDueAt"),
            at("bookingConfirmation", "balanceDueAt"),
            at("paymentFailed", "nextAttemptAt"),
            at("paymentFailed", "finalDeadline"),
        ];
        assert!(life.is_sorted_by(|a, b| a < b), "{life:?}");
        assert_eq!(at("bookingConfirmation", "freeCancellationUntil"), life[1]);
        assert_eq!(at("depositCharged", "chargedAt"), life[1]);
        assert_eq!(at("balanceCharged", "chargedAt"), life[2]);
        assert_eq!(at("fullPaymentCharged", "chargedAt"), life[0]);
        let day_of = |at: DateTime<Utc>| Zone::MONTREAL.local(at).date;
        let moved = on("bookingConfirmation", "moveDate");
        assert!(day_of(life[4]) < moved && day_of(at("bookingCancelled", "cancelledAt")) < moved);
        assert!(day_of(at("tipCharged", "chargedAt")) > moved);
        for kind in ["invoiceSent", "invoiceReminder"] {
            assert!(moved < on(kind, "invoiceDate") && on(kind, "invoiceDate") < on(kind, "dueDate"), "{kind}");
        }
        let paid = day_of(at("paymentReceived", "paidAt"));
        assert!(on("invoiceSent", "invoiceDate") < paid && paid < on("invoiceSent", "dueDate"));
        let month = ["periodStart", "periodEnd", "invoiceDate", "dueDate"].map(|key| on("partnerInvoice", key));
        assert!(month.is_sorted_by(|a, b| a < b), "{month:?}");
    }

    #[test]
    fn nothing_is_said_beside_what_contradicts_it() {
        for (kind, never) in [
            ("balanceCharged", ["howPaid", "laterAmount"]),
            ("bookingConfirmation", ["howPaid", "howPaid"]),
            ("bookingCancelled", ["amountOwed", "amountOwed"]),
            ("partnerInvoice", ["paidAt", "paidAt"]),
            ("mateJob", ["changesList", "changesList"]),
        ] {
            let kind = catalogue::type_named(kind).unwrap_or_else(|| panic!("{kind}"));
            let mut told = values(kind, Language::En);
            of_one_moment(kind, &mut told);
            for key in never {
                assert!(!told.contains_key(key), "{}: {key}", kind.name);
            }
        }
    }

    #[test]
    fn what_a_sample_says_of_taxes_is_what_the_rule_makes_of_it() {
        let kept = Money::from_cents(cents("bookingCancelled", "amountKept").unwrap_or_default());
        let taxes = [50_000, 99_750].map(|rate| policy::tax_included(kept, kernel::Ppm::new(rate)));
        assert_eq!(Some(taxes[0].plus(taxes[1]).cents()), cents("bookingCancelled", "taxIncluded"));
    }
}
