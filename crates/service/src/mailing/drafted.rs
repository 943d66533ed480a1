//! What a message would say, without sending it: of a booking as it is now, or of a sample.

use chrono::{DateTime, Utc};
use kernel::{Language, Money};
use policy::{Cancellation, ChargeKind, PaymentPlan};
use serde_json::{Map, Value, json};
use status_machine::payment::{Facts, State};

use super::{
    catalogue::{self, MessageType},
    changes::{self, AmountsBefore},
    crews, invoices, reminders, sample,
    values::{self, html_lang},
    wording,
};
use crate::{
    ServiceResult, Services,
    billing::{
        facts::{self, in_flight, is_given_up, may_be_sent, open, owed, plan_of, waits_for_consent},
        returns::{by_hand_at, by_hand_of},
        rows,
    },
    bookings::{fresh_link, line_words},
    ports::{
        Unit,
        bookings::Booking,
        cancelled::CancelledBy,
        invoices::Invoice,
        payments::{Payment, PaymentKind},
        templates::TemplateText,
        tips::Tip,
    },
    settings,
    sms::{self, words},
};

/// A booking with the data that its messages use.
pub(crate) struct BookingContext<'a> {
    /// The booking.
    pub booking: &'a Booking,
    /// Its charges, made and planned.
    pub plan: &'a PaymentPlan,
    /// Charges and refunds.
    pub payments: &'a [Payment],
    /// The tip.
    pub tip: Option<&'a Tip>,
    /// What a cancellation by the customer would decide now, and what would be owed after it.
    pub ending: Option<(Cancellation, Money)>,
    /// Now.
    pub at: DateTime<Utc>,
}

/// Values of a message that was not sent.
pub(crate) struct Drafted {
    /// By key.
    pub values: Map<String, Value>,
    /// Its own keys have values of a sample: the booking has nothing yet that such a message would tell.
    pub is_sample: bool,
}

/// The values of a message, of a booking or of a sample. A link that opens something is never made for a draft.
///
/// # Errors
/// When the database fails.
pub(crate) fn values(
    s: &Services,
    u: &mut dyn Unit,
    kind: &MessageType,
    language: Language,
    of: Option<&BookingContext<'_>>,
) -> ServiceResult<Drafted> {
    if let Some(text) = words::of_template(&kind.name) {
        let (values, is_sample) = sms::sample::values(s, u, text, language, of.map(|of| of.booking))?;
        return Ok(Drafted { values, is_sample });
    }
    let company = settings::company(u, &s.defaults)?;
    let about = of.filter(|_| kind.is_about_booking());
    let mut all = sample::values(kind, language);
    all.insert("lang".into(), json!(html_lang(language)));
    all.extend(values::company(&company, about.map(|of| of.booking.hub.as_str()), language));
    let Some(of) = about else { return Ok(Drafted { values: all, is_sample: true }) };
    let mut theirs = of.booking.clone();
    if theirs.language != language {
        // Lines are kept in the customer's language.
        let mates = theirs.mate_count.get();
        for line in &mut theirs.details.lines {
            if let Some(described) = line_words::described(line, mates, language) {
                line.description = described;
            }
        }
        theirs.language = language;
    }
    all.extend(values::booking(s, &theirs));
    let Some(own) = own(s, u, kind, &theirs, of)? else {
        if crews::TO_MATES.contains(&kind.name.as_str()) {
            // Only who it is to is of the sample.
            all.extend(crews::values_for_any_mate(s, &theirs, of.at));
        }
        return Ok(Drafted { values: all, is_sample: true });
    };
    // What such a message does not say of this booking stays empty, as it does when it is sent.
    for key in kind.own_keys().filter(|key| !catalogue::is_link(key)) {
        all.remove(key);
    }
    // A link to pay by goes with how it is paid.
    if kind.own_keys().any(|key| key == "howToPay") && !own.contains_key("howToPay") {
        all.remove("payUrl");
    }
    all.extend(own);
    Ok(Drafted { values: all, is_sample: false })
}

/// What only this type says; none when the booking has nothing of it.
fn own(
    s: &Services,
    u: &mut dyn Unit,
    kind: &MessageType,
    b: &Booking,
    of: &BookingContext<'_>,
) -> ServiceResult<Option<Map<String, Value>>> {
    Ok(match kind.name.as_str() {
        "bookingConfirmation" => Some(confirmed(s, u, b, of)?),
        "bookingEdited" => edited(u, b, of)?,
        "bookingCancelled" => cancelled(b, of),
        "paymentLink" => asked_by_link(b, of),
        "paymentFailed" => refused(u, b, of)?,
        "moveReminder" => Some(reminders::drafted(b, of.payments, of.at)),
        "depositCharged" => moved(u, b, of, &[PaymentKind::Deposit])?,
        "fullPaymentCharged" => moved(u, b, of, &[PaymentKind::Full])?,
        "balanceCharged" => moved(u, b, of, &BALANCE)?,
        "tipCharged" => moved(u, b, of, &[PaymentKind::Tip])?,
        "refundIssued" => moved(u, b, of, &[PaymentKind::Refund])?,
        // The link leads to a page that asks who reads it, and opens nothing by itself.
        "mateAssigned" | "mateJob" | "mateReleased" => crews::message_values(s, u, &kind.name, b, of.at)?,
        "invoiceSent" | "invoiceReminder" | "paymentReceived" => {
            let invoice = u.invoices().of_booking(b.id)?.into_iter().rfind(Invoice::is_in_force);
            invoice
                .and_then(|invoice| invoices::message_values(&kind.name, b, of.booking, &invoice, of.payments, of.at))
        }
        _ => None,
    })
}

/// What `balanceCharged` tells of.
const BALANCE: [PaymentKind; 4] =
    [PaymentKind::Balance, PaymentKind::Difference, PaymentKind::Overtime, PaymentKind::CancellationFee];

/// The newest charge or refund of these kinds with its own instant, or else the next one at the instant it is planned for,
/// to the card that is stored. What came or went by hand, and what the bank took back, is told in no such message.
fn moved(
    u: &mut dyn Unit,
    b: &Booking,
    of: &BookingContext<'_>,
    wanted: &[PaymentKind],
) -> ServiceResult<Option<Map<String, Value>>> {
    let told = |r: &&Payment| wanted.contains(&r.kind) && !r.method.is_by_hand() && !r.is_chargeback();
    let newest = of.payments.iter().filter(told).filter_map(|r| Some((r.settled_at?, r))).max_by_key(|made| made.0);
    if let Some((at, row)) = newest {
        return Ok(Some(values::payment(b, row, of.payments, at)));
    }
    let planned = |r: &&Payment| (open(r) || in_flight(r)) && !waits_for_consent(b, r);
    let Some((row, at)) = next_of(u, b, of, &|r| told(&r) && planned(&r))? else { return Ok(None) };
    // What comes before it has been charged by then.
    let is_charged = |r: &&Payment| r.id != row.id && r.attempts == 0 && open(r) && r.due_at < at;
    let rows: Vec<Payment> = of.payments.iter().filter(|r| !is_charged(r)).cloned().collect();
    Ok(Some(values::payment(b, &row, &rows, at)))
}

/// The next of these rows, with the card that is stored now, at the instant it is planned for.
fn next_of(
    u: &mut dyn Unit,
    b: &Booking,
    of: &BookingContext<'_>,
    which: &dyn Fn(&Payment) -> bool,
) -> ServiceResult<Option<(Payment, DateTime<Utc>)>> {
    let Some(next) = of.payments.iter().filter(|r| which(r)).min_by_key(|r| r.due_at) else { return Ok(None) };
    let at = next.next_attempt_at.unwrap_or(next.due_at).max(of.at);
    let card = u.cards().current(b.user_id)?.map(|card| card.last4);
    Ok(Some((Payment { card_last4: next.card_last4.clone().or(card), ..next.clone() }, at)))
}

/// The newest refusal of a charge that is owed and was not taken since; else what its customer would read if the next charge
/// were refused when it is due. None when nothing is to be charged. The link to another card stays that of a sample.
fn refused(u: &mut dyn Unit, b: &Booking, of: &BookingContext<'_>) -> ServiceResult<Option<Map<String, Value>>> {
    let charge = |r: &&Payment| r.kind.is_charge() && r.kind != PaymentKind::Tip && !r.method.is_by_hand();
    let mut newest: Option<(DateTime<Utc>, &Payment)> = None;
    for row in of.payments.iter().filter(charge).filter(|r| is_given_up(r) || (open(r) && r.attempts > 0)) {
        let last = u.payments().attempts_of(row.id)?.iter().filter_map(|a| a.resolved_at).max();
        // Without a card nobody was asked.
        let at = last.unwrap_or(row.due_at);
        newest = newest.into_iter().chain([(at, row)]).max_by_key(|(at, _)| *at);
    }
    let (row, at) = match newest {
        Some((at, row)) => (row.clone(), at),
        None => {
            let waits = |r: &Payment| charge(&r) && open(r) && !waits_for_consent(b, r);
            let Some((mut row, at)) = next_of(u, b, of, &waits)? else { return Ok(None) };
            let Some(kind) = rows::charge_kind(row.kind) else { return Ok(None) };
            rows::step(&mut row, State::Processing, &Facts { due: true, attempt_due: true, ..Facts::default() })?;
            rows::refused(b, &mut row, kind, false, at)?;
            (row, at)
        }
    };
    let mut said = values::declined(b, &row, "", at);
    said.retain(|key, _| !catalogue::is_link(key));
    Ok(Some(said))
}

/// What its customer was told when they booked, while nothing was changed since; else what it is now.
fn confirmed(
    s: &Services,
    u: &mut dyn Unit,
    b: &Booking,
    of: &BookingContext<'_>,
) -> ServiceResult<Map<String, Value>> {
    let as_made = u.booking_history().revisions(b.id)?.is_empty().then(|| plan_of(b));
    Ok(values::confirmation(s, b, as_made.as_ref().unwrap_or(of.plan), of.tip))
}

/// What a link that is made now asks for; none while nothing is paid by one. The link itself stays that of a sample.
fn asked_by_link(b: &Booking, of: &BookingContext<'_>) -> Option<Map<String, Value>> {
    if !may_be_sent(b, of.payments) {
        return None;
    }
    let (amount, until) = (facts::asked_by_link(b, of.payments), fresh_link::works_until(of.at));
    let mut said = values::payment_link(b, &values::PayLink { url: "", amount, until });
    said.retain(|key, _| !catalogue::is_link(key));
    Some(said)
}

/// The last change of it that its customer was told of; none while there was none.
fn edited(u: &mut dyn Unit, b: &Booking, of: &BookingContext<'_>) -> ServiceResult<Option<Map<String, Value>>> {
    let deposit =
        |b: &Booking| plan_of(b).charges.into_iter().find(|c| c.kind == ChargeKind::Deposit).map(|c| c.amount);
    let mut new = b.clone();
    for revision in u.booking_history().revisions(b.id)?.into_iter().rev() {
        let Some(mut old) = u.booking_history().at_version(b.id, revision.version)? else { return Ok(None) };
        old.language = b.language;
        let mut list = changes::list(&old, &new, &revision.changes);
        // Until it was charged it followed the price.
        let open = |r: &Payment| r.kind == PaymentKind::Deposit && r.settled_at.is_none_or(|at| at > revision.at);
        if of.payments.iter().any(open) {
            let (before, after) = (AmountsBefore::of_deposit(deposit(&old)), AmountsBefore::of_deposit(deposit(&new)));
            list.extend(before.changed_to(after, b.language));
        }
        let fee = new.details.change_fees.minus(old.details.change_fees);
        if !list.is_empty() || fee.is_positive() {
            return Ok(Some(values::edited(&old, &new, fee, &list, of.payments, of.at)));
        }
        new = old;
    }
    Ok(None)
}

/// What was decided when it was cancelled; else what its customer would read who cancels now.
fn cancelled(b: &Booking, of: &BookingContext<'_>) -> Option<Map<String, Value>> {
    let (Some(at), Some(kept)) = (b.cancelled_at, b.details.kept) else {
        let (outcome, owed) = of.ending.as_ref()?;
        let mut ended = b.clone();
        ended.details.cancelled_by = Some(CancelledBy::Customer);
        let by_hand = by_hand_of(of.payments, outcome.refund);
        return Some(values::cancelled(&ended, outcome, *owed, by_hand, of.at));
    };
    let rows = of.payments;
    let back = |r: &&Payment| r.kind == PaymentKind::Refund && r.created_at == at;
    let refund: Money = rows.iter().filter(back).map(|r| r.amount).sum();
    // Only what had been charged by then counts, and what went back or was to go back.
    let then = |r: &&Payment| r.created_at <= at && r.settled_at.is_none_or(|settled| settled <= at);
    let rows: Vec<Payment> = rows.iter().filter(|r| then(r) || back(r)).cloned().collect();
    // The rule is not told.
    let outcome = Cancellation { rule: policy::Rule::Free, kept, refund, to_charge: Money::ZERO };
    let by_hand = by_hand_at(&rows, refund, at);
    Some(values::cancelled(b, &outcome, owed(b, &rows), by_hand, at))
}

/// Takes from a sample what is never said beside the rest of it.
pub(crate) fn of_one_moment(kind: &MessageType, sample: &mut Map<String, Value>) {
    sample::of_one_moment(kind, sample);
}

/// Adds the words a message is tried out with to its values.
pub(crate) fn with_words(values: &mut Map<String, Value>, words: &TemplateText) {
    values.insert(wording::OWN_WORDS.to_owned(), wording::kept_words(words));
}
