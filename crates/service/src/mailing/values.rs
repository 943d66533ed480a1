//! What each message says, formatted for its language and frozen when it is queued.

use chrono::{DateTime, Utc};
use furniture_catalogue::Catalogue;
use kernel::{Language, Money, greeted};
use policy::{Cancellation, ChargeKind, PaymentPlan};
use serde_json::{Map, Value, json};
use status_machine::payment::State;

use super::blocks;
use crate::{
    Company, Services, billing, formats,
    invoices::pay,
    ports::{
        bookings::Booking,
        cancelled::CancelledBy,
        payments::{Payment, PaymentKind},
        priced::BookedTax,
        tips::Tip,
    },
    terms,
};

pub(super) fn object(v: Value) -> Map<String, Value> {
    match v {
        Value::Object(m) => m,
        _ => Map::new(),
    }
}

/// Where answers to the message go, when not where the installation says: read when it is sent, shown by no template.
pub(super) const REPLY_TO: &str = "replyTo";

/// Facts about the company, in the language of the message; `hub` is that of the booking it is about.
pub(super) fn company(c: &Company, hub: Option<&str>, l: Language) -> Map<String, Value> {
    object(json!({
        "companyName": c.name,
        "companyAddress": c.address,
        "companyNumbers": numbers(c, l),
        "logoUrl": c.logo_path().map(|path| format!("{}{path}", c.public_url)),
        "supportEmail": c.support_email,
        "supportPhone": c.support_phone,
        "unsubscribeWords": crate::texts::text("mail.unsubscribe", l),
        REPLY_TO: hub.and_then(|hub| c.reply_to.get(hub)),
    }))
}

/// The registration numbers, each with its name; empty where there are none.
fn numbers(c: &Company, l: Language) -> String {
    let named = [(tax_name("gst", l), &c.gst_number), (tax_name("qst", l), &c.qst_number), ("NEQ", &c.neq)];
    let given = named.iter().filter(|(_, number)| !number.is_empty());
    given.map(|(name, number)| formats::tight(&format!("{name} {number}"), l)).collect::<Vec<_>>().join(" · ")
}

/// Keys common to all booking messages.
pub(super) fn booking(s: &Services, b: &Booking) -> Map<String, Value> {
    let (l, d) = (b.language, &b.details);
    let (from, to) = scheduling::arrival_window(d.arrival, b.move_time);
    object(json!({
        "lang": html_lang(l),
        "customerFirstName": greeted(&d.customer_name),
        "customerFullName": d.customer_name,
        "bookingShortId": b.short_id,
        "moveDate": formats::date(b.move_date, l),
        "moveTime": formats::time(b.move_time, l),
        "moveTimeZone": formats::zone_name(b.zone, l),
        "arrivalWindow": format!("{} – {}", formats::time(from, l), formats::time(to, l)),
        "moveKind": move_kind(b.move_kind, l),
        "pickupAddress": address(&d.pickup.address),
        "dropoffAddress": address(&d.dropoff.address),
        "mateCount": b.mate_count,
        "currency": "CAD",
        "bookingUrl": format!("{}/profile/bookings/{}?lang={l}", s.public_url(), b.id),
    }))
}

pub(super) fn html_lang(l: Language) -> &'static str {
    match l {
        Language::En => "en-CA",
        Language::Fr => "fr-CA",
        Language::Zh => "zh-Hans",
    }
}

pub(crate) fn address(a: &kernel::Address) -> String {
    let unit = a.unit.trim();
    if unit.is_empty() { a.line() } else { format!("{}, {}", unit, a.line()) }
}

pub(super) fn move_kind(kind: pricing::MoveKind, l: Language) -> &'static str {
    crate::texts::text(&format!("moveKind.{}", kind.code()), l)
}

fn tax_name(name: &str, l: Language) -> &'static str {
    crate::texts::text(&format!("tax.{name}"), l)
}

fn taxes(list: &[BookedTax], l: Language) -> Value {
    let rows: Vec<_> =
        list.iter().map(|t| (tax_name(t.name.code(), l).to_owned(), formats::money(t.amount, l))).collect();
    blocks::rows(&rows, l)
}

pub(super) fn confirmation(_s: &Services, b: &Booking, plan: &PaymentPlan, tip: Option<&Tip>) -> Map<String, Value> {
    let (l, d) = (b.language, &b.details);
    let lines: Vec<_> = d
        .lines
        .iter()
        .filter(|line| line.content != "discount")
        .map(|line| (formats::line_text(&line.description, l), formats::money(line.amount, l)))
        .collect();
    let deposit = plan.charges.iter().find(|c| c.kind == ChargeKind::Deposit);
    let later = plan.charges.iter().find(|c| c.due_at > b.created_at && c.kind != ChargeKind::Deposit);
    let mut out = object(json!({
        "bookingDate": formats::moment(b.created_at, b.zone, l),
        "estimatedDuration": formats::minutes(b.duration_minutes, l),
        "itemsSummary": blocks::items(&items(b)),
        "priceLines": blocks::rows(&lines, l),
        "subtotal": formats::money(b.amount, l),
        "taxLines": taxes(&d.taxes, l),
        "total": formats::money(b.total, l),
        "policyText": policy_text(b, plan),
    }));
    if let Some(key) = pay::how_agreed(b) {
        out.insert("howPaid".into(), json!(crate::texts::text(key, l)));
    }
    if let Some(code) = b.discount_code.as_ref().filter(|_| d.discount.is_positive()) {
        out.insert("discountCode".into(), json!(code));
        out.insert("discountAmount".into(), json!(formats::money(d.discount, l)));
    }
    if let Some(tip) = tip {
        out.insert("tip".into(), json!(formats::money(tip.amount, l)));
    }
    if let Some(c) = deposit {
        out.insert("depositAmount".into(), json!(formats::money(c.amount, l)));
        out.insert("depositDueAt".into(), json!(formats::moment(c.due_at, b.zone, l)));
    }
    if let Some(c) = later {
        out.insert("balanceAmount".into(), json!(formats::money(c.amount, l)));
        out.insert("balanceDueAt".into(), json!(formats::moment(c.due_at, b.zone, l)));
    }
    if let Some((until, _)) = plan.free_until() {
        out.insert("freeCancellationUntil".into(), json!(formats::moment(until, b.zone, l)));
    }
    out
}

/// What a mail says of a link to pay by.
pub(crate) struct PayLink<'a> {
    /// Where it leads.
    pub url: &'a str,
    /// What is owed.
    pub amount: Money,
    /// When it stops working.
    pub until: DateTime<Utc>,
}

pub(super) fn payment_link(b: &Booking, link: &PayLink<'_>) -> Map<String, Value> {
    object(json!({
        "amountDue": formats::money(link.amount, b.language),
        "payUrl": link.url,
        "expiresAt": formats::moment(link.until, b.zone, b.language),
    }))
}

/// What a mail says of a question.
pub(crate) struct ConsentLink<'a> {
    /// Where it leads.
    pub url: &'a str,
    /// The exact words.
    pub text: &'a str,
    /// Until when it can be answered.
    pub until: DateTime<Utc>,
    /// What happens without an answer: a key of the texts.
    pub if_not: &'static str,
}

pub(super) fn consent(b: &Booking, link: &ConsentLink<'_>) -> Map<String, Value> {
    let lines: Vec<String> = link.text.lines().map(str::to_owned).collect();
    object(json!({
        "consentLines": blocks::items(&lines),
        "consentUrl": link.url,
        "linkExpiresAt": formats::moment(link.until, b.zone, b.language),
        "ifNot": crate::texts::text(link.if_not, b.language),
    }))
}

pub(super) fn items(b: &Booking) -> Vec<String> {
    let catalogue = Catalogue::builtin();
    let name = |id: &str| catalogue.get(id).map_or_else(|| id.to_owned(), |i| i.name.get(b.language).to_owned());
    b.details.items.iter().map(|i| format!("{} × {}", i.quantity, name(&i.id))).collect()
}

/// The policy in sentences, the same ones the guidelines page shows.
fn policy_text(b: &Booking, plan: &PaymentPlan) -> String {
    let gap = if b.language == Language::Zh { "" } else { " " };
    terms::sentences(&b.details.policy, plan, b.language).join(gap)
}

/// Of a charge or refund at its instant `at`, whatever has come of its booking since.
pub(super) fn payment(b: &Booking, row: &Payment, rows: &[Payment], at: DateTime<Utc>) -> Map<String, Value> {
    let l = b.language;
    let amount = formats::money(row.amount, l);
    let mut out = object(json!({
        "chargedAt": formats::moment(at, b.zone, l),
        "cardLast4": row.card_last4,
        "total": formats::money(b.total, l),
    }));
    match row.kind {
        PaymentKind::Deposit => {
            out.insert("depositAmount".into(), json!(amount));
            next_charge(&mut out, b, rows, at);
        }
        PaymentKind::Tip => {
            out.insert("tipAmount".into(), json!(amount));
        }
        PaymentKind::Refund => {
            out.insert("refundAmount".into(), json!(amount));
            out.insert("refundReason".into(), json!(refund_reason(b, row, at)));
            let card = rows.iter().find(|r| Some(r.id) == row.refund_of).and_then(|r| r.card_last4.clone());
            out.insert("cardLast4".into(), json!(card));
        }
        PaymentKind::Full => {
            out.insert("total".into(), json!(amount));
            let how = match row.due_at > b.created_at {
                _ if row.is_by_link() => "howPaid.byLink",
                true => "howPaid.asDue",
                false => "howPaid.atBooking",
            };
            let how = terms::filled(crate::texts::text(how, l), &b.details.policy, l);
            out.insert("howPaid".into(), json!(how));
        }
        PaymentKind::Balance | PaymentKind::Difference | PaymentKind::Overtime | PaymentKind::CancellationFee => {
            out.insert("balanceAmount".into(), json!(amount));
            later(&mut out, b, row, rows, at);
            let how = match row.kind {
                _ if row.is_by_link() && had_gone_back(b, row, rows) => Some("howPaid.backByLink"),
                _ if row.is_by_link() => Some("howPaid.restByLink"),
                PaymentKind::Difference => Some("howPaid.difference"),
                PaymentKind::Overtime => Some("howPaid.overtime"),
                PaymentKind::CancellationFee => Some("howPaid.fee"),
                _ => None,
            };
            out.extend(how.map(|key| ("howPaid".to_owned(), json!(crate::texts::text(key, l)))));
        }
        PaymentKind::Goodwill | PaymentKind::Claim => {}
    }
    out
}

/// At `at` it was still to come: it was charged later, or a later cancellation ended it.
fn was_to_come(b: &Booking, row: &Payment, at: DateTime<Utc>) -> bool {
    let charged_later = row.settled_at.is_some_and(|settled| settled > at);
    let ended_later =
        || b.cancelled_at.is_some_and(|ended| ended > at) && matches!(*row.state, State::Skipped | State::Voided);
    row.kind.is_charge() && row.created_at <= at && (charged_later || ended_later())
}

/// What the card is charged for after the payment `paid`, and from when on.
fn later(out: &mut Map<String, Value>, b: &Booking, paid: &Payment, rows: &[Payment], at: DateTime<Utc>) {
    let since = |r: &&Payment| was_to_come(b, r, at) && r.kind != PaymentKind::Tip;
    let to_come = || billing::facts::to_come(b, rows).chain(rows.iter().filter(since)).filter(|r| r.id != paid.id);
    if let Some(at) = to_come().map(|r| r.due_at).min() {
        let amount: Money = to_come().map(|r| r.amount).sum();
        out.insert("laterAmount".into(), json!(formats::money(amount, b.language)));
        out.insert("laterDueAt".into(), json!(formats::moment(at, b.zone, b.language)));
    }
}

/// All that was paid by this link had come before, and went back to the card by nobody's decision here.
fn had_gone_back(b: &Booking, row: &Payment, rows: &[Payment]) -> bool {
    let before: Vec<Payment> = rows.iter().filter(|r| r.id != row.id).cloned().collect();
    billing::apart::owed_since_it_went_back(b, &before) >= row.amount
}

/// What was given back comes with the words of whoever gave it.
fn refund_reason<'a>(b: &'a Booking, refund: &Payment, at: DateTime<Utc>) -> &'a str {
    if let Some(given) = b.details.credits.iter().rfind(|c| c.at == refund.created_at) {
        return &given.reason;
    }
    let key = if b.cancelled_at.is_some_and(|ended| ended <= at) { "refund.cancelled" } else { "refund.changed" };
    crate::texts::text(key, b.language)
}

/// The charge still planned at `at`, if any.
pub(super) fn next_charge(out: &mut Map<String, Value>, b: &Booking, rows: &[Payment], at: DateTime<Utc>) {
    let planned = |r: &&Payment| billing::facts::open(r) || was_to_come(b, r, at);
    let next = rows.iter().filter(|r| billing::facts::is_lock(r)).find(planned);
    if let Some(next) = next {
        out.insert("balanceAmount".into(), json!(formats::money(next.amount, b.language)));
        out.insert("balanceDueAt".into(), json!(formats::moment(next.due_at, b.zone, b.language)));
    }
}

/// A link for another card.
pub(super) fn card_link(b: &Booking, url: &str, until: DateTime<Utc>) -> Map<String, Value> {
    object(json!({ "cardUrl": url, "linkExpiresAt": formats::moment(until, b.zone, b.language) }))
}

/// What is tried again is said of a card that is tried again: one that was refused for good waits for another card, and a
/// ladder that has ended has no attempt and no deadline to come.
pub(super) fn declined(b: &Booking, row: &Payment, url: &str, now: DateTime<Utc>) -> Map<String, Value> {
    let l = b.language;
    let moment = |at: DateTime<Utc>| formats::moment(at, b.zone, l);
    let next = row.next_attempt_at.filter(|_| row.state == State::SoftDeclined);
    let deadline = billing::rows::charge_kind(row.kind).and_then(|kind| {
        let lock_at = billing::facts::lock_at(b);
        let steps = (0..).map_while(|n| policy::attempt_at(&b.details.policy, kind, row.due_at, n, lock_at));
        steps.last().filter(|at| *at > now)
    });
    object(json!({
        "amountDue": formats::money(row.amount, l),
        "attemptNumber": row.attempts,
        "nextAttemptAt": next.map(moment),
        "finalDeadline": deadline.map(moment),
        "cardLast4": row.card_last4,
        "updateCardUrl": url,
    }))
}

pub(super) fn edited(
    old: &Booking,
    new: &Booking,
    fee: Money,
    list: &[String],
    rows: &[Payment],
    now: DateTime<Utc>,
) -> Map<String, Value> {
    let l = new.language;
    let mut out = object(json!({
        "changesList": blocks::items(list),
        "oldTotal": formats::money(old.total, l),
        "newTotal": formats::money(new.total, l),
        // With tax, as both totals beside it.
        "changeFee": fee.is_positive().then(|| formats::money(fee.plus(fee.rate(new.details.tax_rate)), l)),
    }));
    next_charge(&mut out, new, rows, now);
    out
}

/// How money goes back: to the card, as it came by hand, or a part of it each way.
fn refund_how(refund: Money, by_hand: Money, l: Language) -> String {
    let key = match by_hand {
        none if !none.is_positive() => "refundHow.card",
        all if all >= refund => "refundHow.byHand",
        _ => "refundHow.both",
    };
    let (card, hand) = (formats::money(refund.minus(by_hand), l), formats::money(by_hand, l));
    crate::texts::text(key, l).replace("{card}", &card).replace("{hand}", &hand)
}

/// `owed` is what of the kept money is still missing, `by_hand` what of the refund somebody hands back.
pub(super) fn cancelled(
    b: &Booking,
    outcome: &Cancellation,
    owed: Money,
    by_hand: Money,
    now: DateTime<Utc>,
) -> Map<String, Value> {
    let l = b.language;
    let tax: Money = billing::ledger::taxes_inside(b, outcome.kept).iter().map(|t| t.1).sum();
    let by = match b.details.cancelled_by.unwrap_or(CancelledBy::System) {
        // Once it has begun only staff cancel, where nobody was met.
        CancelledBy::Customer if now >= b.move_at => "noShow",
        by => by.code(),
    };
    let shown = |m: Money| m.is_positive().then(|| formats::money(m, l));
    let reason = match b.details.cancel_reason.as_deref() {
        Some(code @ ("payment_failed" | "consent_missing" | "consent_refused")) => {
            Some(crate::texts::text(&format!("cancelReason.{code}"), l).to_owned())
        }
        other => other.map(str::to_owned),
    };
    object(json!({
        "cancelledAt": formats::moment(now, b.zone, l),
        "cancelledBy": crate::texts::text(&format!("cancelledBy.{by}"), l),
        "cancelReason": reason,
        "amountKept": shown(outcome.kept),
        "amountRefunded": shown(outcome.refund),
        "refundHow": outcome.refund.is_positive().then(|| refund_how(outcome.refund, by_hand, l)),
        "amountOwed": shown(owed),
        "taxIncluded": shown(tax),
    }))
}
