//! Texts that staff send by hand, about a booking or about a delivery that is told of with the call: one message a row, however often the call is
//! repeated.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use kernel::{BookingId, E164, Language, UserId, Zone, uuid::Uuid};
use serde_json::{Map, Value, json};

use crate::{
    Error, ServiceResult, Services, Staff, Tx,
    billing::facts::live,
    bookings::queries::visible,
    formats,
    idempotency::{self, Guard, Replayable},
    mailing::card_links,
    ports::bookings::Booking,
    sms::{self, NewText, events, wishes, words},
};

/// A text that staff ask to be sent. Empty fields are not set.
#[derive(Debug, Clone, Default)]
pub struct TextRequest {
    /// `deliveryScheduled`.
    pub kind: String,
    /// The booking it is about; values that are not set are taken from it.
    pub booking: Option<BookingId>,
    /// Number, as typed; that of the booking when empty.
    pub number: String,
    /// Language; that of the booking, or of who asks.
    pub language: Option<Language>,
    /// Values, by the keys of the words.
    pub values: Vec<(&'static str, String)>,
}

/// Why a text is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RejectionReason {
    /// The installation sends no texts.
    TextsOff,
    /// No such text.
    UnknownType,
    /// No such booking.
    UnknownBooking,
    /// No number that a network knows.
    NoNumber,
    /// Who has the number wants no texts.
    Stopped,
    /// Something that the text says has no value.
    MissingValue,
    /// A row before it says the same to the same number.
    Repeated,
    /// The booking is not as the text says: its move will not take place, or no card of it was declined.
    NotTrue,
}

impl RejectionReason {
    /// All of them.
    pub const ALL: [RejectionReason; 8] = [
        RejectionReason::TextsOff,
        RejectionReason::UnknownType,
        RejectionReason::UnknownBooking,
        RejectionReason::NoNumber,
        RejectionReason::Stopped,
        RejectionReason::MissingValue,
        RejectionReason::Repeated,
        RejectionReason::NotTrue,
    ];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            RejectionReason::TextsOff => "texts_off",
            RejectionReason::UnknownType => "unknown_type",
            RejectionReason::UnknownBooking => "unknown_booking",
            RejectionReason::NoNumber => "no_number",
            RejectionReason::Stopped => "stopped",
            RejectionReason::MissingValue => "missing_value",
            RejectionReason::Repeated => "repeated",
            RejectionReason::NotTrue => "not_true",
        }
    }
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The messages of this call are found by it.
    pub id: Uuid,
    /// Texts that are on their way.
    pub accepted: usize,
    /// Rows that are not, from 0, and why.
    pub rejected: Vec<(usize, RejectionReason)>,
}

/// `POST /sms/send`. A text waits for the morning like any other, and none goes to who wrote STOP.
///
/// # Errors
/// When the database fails: then none is sent.
pub async fn send(
    s: &Services,
    staff: &Staff,
    rows: Vec<TextRequest>,
    guard: Option<Guard<Report>>,
) -> ServiceResult<Replayable<Report>> {
    let who = staff.clone();
    s.write(staff.actor(), move |tx| {
        let now = tx.now;
        idempotency::once(tx, guard, now, |tx| {
            let report = take(tx, &who, rows)?;
            let mut why = Map::new();
            for (_, reason) in &report.rejected {
                let count = why.get(reason.code()).and_then(Value::as_u64).unwrap_or(0);
                why.insert(reason.code().to_owned(), json!(count + 1));
            }
            // The trail names nobody: the messages do.
            let told = json!({ "accepted": report.accepted, "rejected": why });
            tx.audit("sms.send", report.id, None, Some(told))?;
            Ok(report)
        })
    })
    .await
}

fn take(tx: &mut Tx<'_>, staff: &Staff, rows: Vec<TextRequest>) -> ServiceResult<Report> {
    let mut report = Report { id: tx.id(), accepted: 0, rejected: Vec::new() };
    let mut said = BTreeSet::new();
    for (index, row) in rows.into_iter().enumerate() {
        match text_of(tx, staff, row, &format!("{}{index}", sms::keys_of(report.id)), &mut said)? {
            Ok(text) => {
                sms::put(tx, text)?;
                report.accepted += 1;
            }
            Err(why) => report.rejected.push((index, why)),
        }
    }
    Ok(report)
}

type SeenTexts = BTreeSet<(String, String, String)>;

/// The text of a row, or why there is none.
fn text_of(
    tx: &mut Tx<'_>,
    staff: &Staff,
    row: TextRequest,
    dedup_key: &str,
    said: &mut SeenTexts,
) -> ServiceResult<Result<NewText, RejectionReason>> {
    if tx.services.texter.is_none() {
        return Ok(Err(RejectionReason::TextsOff));
    }
    let Some(kind) = words::type_named(&row.kind) else { return Ok(Err(RejectionReason::UnknownType)) };
    let booking = match row.booking.map(|id| visible(tx.unit, staff.caller(), id)).transpose() {
        Ok(found) => found,
        Err(Error::Refused(..)) => return Ok(Err(RejectionReason::UnknownBooking)),
        Err(failure) => return Err(failure),
    };
    if booking.as_ref().is_some_and(|b| !is_true(&row.kind, b)) {
        return Ok(Err(RejectionReason::NotTrue));
    }
    let typed = match (&booking, row.number.trim()) {
        (Some(b), "") => b.details.customer_phone.clone(),
        (_, typed) => typed.to_owned(),
    };
    let Ok(number) = typed.parse::<E164>() else { return Ok(Err(RejectionReason::NoNumber)) };
    if wishes::stopped(tx.unit, &number)? {
        return Ok(Err(RejectionReason::Stopped));
    }
    let language = row.language.or(booking.as_ref().map(|b| b.language)).unwrap_or(staff.caller().language);
    let mut values = match &booking {
        Some(b) => {
            let services = tx.services;
            events::of_booking(services, tx.unit, &Booking { language, ..b.clone() })?
        }
        None => Map::new(),
    };
    values.insert("phone_number".to_owned(), json!(number.as_str()));
    for (key, typed) in row.values {
        let value = typed.trim();
        if !value.is_empty() {
            values.insert(key.to_owned(), json!(written(key, value, language)));
        }
    }
    let is_new = said.insert((row.kind.clone(), number.as_str().to_owned(), Value::Object(values.clone()).to_string()));
    if !is_new {
        return Ok(Err(RejectionReason::Repeated));
    }
    if let Some(b) = booking.as_ref().filter(|_| kind.keys.iter().any(|key| key == "updateCardUrl")) {
        values.insert("updateCardUrl".to_owned(), json!(card_links::make(tx, b)?.url));
    }
    if kind.lacks(&Value::Object(values.clone())).is_some() {
        return Ok(Err(RejectionReason::MissingValue));
    }
    let about: Option<(BookingId, UserId)> = booking.as_ref().map(|b| (b.id, b.user_id));
    let zone: Zone = booking.as_ref().map_or_else(|| sms::zones::of_number(&number), |b| b.zone);
    let name = values.get("customer_name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let number = number.as_str().to_owned();
    Ok(Ok(NewText { dedup_key: dedup_key.to_owned(), about, kind: row.kind, language, number, name, values, zone }))
}

/// Whether a text tells of a booking what is so: nobody is reminded of a move that was cancelled, or told of a card that was not declined.
fn is_true(kind: &str, b: &Booking) -> bool {
    match kind {
        "paymentFailed" => b.details.payment_problem,
        "moveReminder" | "deliveryScheduled" | "deliveryOnTheWay" | "deliveryArriving" => live(b),
        _ => true,
    }
}

/// A day as its language writes it; anything else as it was typed.
fn written(key: &str, value: &str, language: Language) -> String {
    match value.parse::<NaiveDate>() {
        Ok(day) if key == "date" => formats::date(day, language),
        _ => value.to_owned(),
    }
}
