//! Who comes: told to the mates and to the customer whenever a crew changes, once.

use chrono::{DateTime, Duration, Utc};
use furniture_catalogue::Catalogue;
use kernel::Language;
use serde_json::{Map, Value, json};

use super::{
    blocks, changes,
    queue::{NewMessage, queue_once, queue_to_customer},
    values,
};
use crate::{
    ServiceResult, Services, Tx, formats,
    ports::{
        Unit,
        bookings::{Booking, Location},
        crews::CrewMate,
        directory::MateRecord,
        dispatch::Act,
    },
    sms,
};
use scheduling::TruckClass;

/// How long before the start a mate reads the customer's telephone number.
pub(crate) const PHONE_FROM: Duration = Duration::hours(24);

/// The customer's number, from 24 hours before the move on.
pub(crate) fn phone(b: &Booking, now: DateTime<Utc>) -> Option<&str> {
    let phone = b.details.customer_phone.as_str();
    (now >= b.move_at - PHONE_FROM && !phone.is_empty()).then_some(phone)
}

/// The crew of a booking is another one. Nobody is told of a move that is over.
///
/// # Errors
/// When the database fails.
pub(crate) fn changed(tx: &mut Tx<'_>, b: &Booking, before: &[CrewMate], after: &[CrewMate]) -> ServiceResult<()> {
    if is_over(tx, b) {
        return Ok(());
    }
    let on = |crew: &[CrewMate], m: &CrewMate| crew.iter().any(|o| o.mate == m.mate);
    // Who said that they do not come knows that it is not theirs any more.
    let acts = tx.unit.dispatches().acts_of(&[b.id])?;
    let said_no = |m: &CrewMate| acts.iter().any(|d| d.mate == m.mate && d.act == Act::Decline && d.told_at >= m.since);
    for mate in before.iter().filter(|m| !on(after, m) && !said_no(m)) {
        to_mate(tx, b, mate, "mateReleased", None)?;
    }
    for mate in after.iter().filter(|m| !on(before, m)) {
        to_mate(tx, b, mate, "mateJob", None)?;
    }
    if after.is_empty() { Ok(()) } else { to_customer(tx, b, after) }
}

/// The crew stays and the job is another one: each of them gets it once more with what changed, and is asked again. It is their
/// own message and not the customer's, which is about the price.
///
/// # Errors
/// When the database fails.
pub(crate) fn another_job(tx: &mut Tx<'_>, (old, new): (&Booking, &Booking), crew: &[CrewMate]) -> ServiceResult<()> {
    if is_over(tx, new) {
        return Ok(());
    }
    for mate in crew {
        to_mate(tx, new, mate, "mateJob", Some(old))?;
    }
    Ok(())
}

/// What the message about the job says is not what it said before: when, from where to where, what is moved, and how.
pub(crate) fn reads_otherwise(s: &Services, old: &Booking, new: &Booking, now: DateTime<Utc>) -> bool {
    // In one language: which one the customer reads is nothing to the mates.
    let read = |b: &Booking| {
        let b = Booking { language: Language::En, ..b.clone() };
        (values::booking(s, &b), mate_values(s, &b, "", now))
    };
    read(old) != read(new)
}

fn is_over(tx: &Tx<'_>, b: &Booking) -> bool {
    tx.now >= b.move_at + Duration::minutes(i64::from(b.duration_minutes))
}

fn to_customer(tx: &mut Tx<'_>, b: &Booking, crew: &[CrewMate]) -> ServiceResult<()> {
    // In the order in which it is read: a preview says the same.
    let mut crew = crew.to_vec();
    crew.sort_by_key(|m| (m.since, m.mate));
    let own = customer_values(tx.unit, b, &crew)?;
    let version = format!("{}:{}", b.move_at.timestamp(), tx.now.timestamp_micros());
    queue_to_customer(tx, b, "mateAssigned", &version, own)?;
    sms::events::assigned(tx, b)
}

fn customer_values(u: &mut dyn Unit, b: &Booking, crew: &[CrewMate]) -> ServiceResult<Map<String, Value>> {
    let mut lead = String::new();
    if let Some(first) = crew.first()
        && let Some(record) = u.directory().mate(first.mate)?
    {
        lead = record.phone;
    }
    let gap = if b.language == Language::Zh { "、" } else { ", " };
    Ok(values::object(json!({
        "matesNames": crew.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(gap),
        "mateLeadPhone": lead,
        "truckClass": if b.just_mates { String::new() } else { feet(b, b.language) },
    })))
}

/// What a message about the crew of a booking would say now, in the booking's language; to mates, it is the one to the first
/// of them. None while nobody is on it.
///
/// # Errors
/// When the database fails.
pub(super) fn message_values(
    s: &Services,
    u: &mut dyn Unit,
    kind: &str,
    b: &Booking,
    now: DateTime<Utc>,
) -> ServiceResult<Option<Map<String, Value>>> {
    let crew = u.crews().of_booking(b.id)?;
    let Some(first) = crew.first() else { return Ok(None) };
    if kind == "mateAssigned" {
        return customer_values(u, b, &crew).map(Some);
    }
    let record = u.directory().mate(first.mate)?;
    Ok(record.map(|record| mate_values(s, b, &record.name, now)))
}

/// Messages about a job, to one of its crew.
pub(super) const TO_MATES: [&str; 2] = ["mateJob", "mateReleased"];

/// The values of a mate's message about a job that nobody is on yet, in the booking's language, without the name.
pub(super) fn values_for_any_mate(s: &Services, b: &Booking, now: DateTime<Utc>) -> Map<String, Value> {
    let mut said = mate_values(s, b, "", now);
    said.remove("mateName");
    said
}

fn feet(b: &Booking, language: Language) -> String {
    let feet = TruckClass::for_tier(b.tier).feet();
    match language {
        Language::En => format!("{feet} ft"),
        Language::Fr => format!("{feet}\u{a0}pi"),
        Language::Zh => format!("{feet} 英尺"),
    }
}

/// The language of their account, which is what they said last; else the first that their record says they speak.
///
/// # Errors
/// When the database fails.
pub(crate) fn language_of(u: &mut dyn Unit, mate: &MateRecord) -> ServiceResult<Language> {
    if let Ok(email) = mate.email.parse::<kernel::Email>() {
        for account in u.accounts().of_email(&email.key())? {
            if let Some(profile) = u.profiles().get(account.id)? {
                return Ok(profile.language);
            }
        }
    }
    Ok(mate.languages.first().copied().unwrap_or(Language::En))
}

/// `old`: the same job before it became this one.
fn to_mate(
    tx: &mut Tx<'_>,
    b: &Booking,
    mate: &CrewMate,
    kind: &'static str,
    old: Option<&Booking>,
) -> ServiceResult<()> {
    let Some(record) = tx.unit.directory().mate(mate.mate)? else { return Ok(()) };
    let Ok(to) = record.email.parse::<kernel::Email>() else { return Ok(()) };
    let language = language_of(tx.unit, &record)?;
    let mut theirs = b.clone();
    theirs.language = language;
    let mut values = values::booking(tx.services, &theirs);
    values.extend(mate_values(tx.services, &theirs, &record.name, tx.now));
    if let Some(old) = old {
        values.insert("changesList".to_owned(), blocks::items(&changes::of_job(old, &theirs)));
    }
    // Once for each time somebody comes on it, and for each start.
    let key = format!("{}:{kind}:{}:{}:{}", b.id, mate.mate, mate.since.timestamp_micros(), b.move_at.timestamp());
    let message = NewMessage {
        dedup_key: key,
        booking_id: Some(b.id),
        user_id: None,
        message_type: kind.to_owned(),
        language,
        to,
        to_name: record.name,
        values: Value::Object(values),
    };
    queue_once(tx, message, Some(&b.hub)).map(drop).map_err(Into::into)
}

/// The values of a mate's message about a job, in the booking's language.
fn mate_values(s: &Services, b: &Booking, name: &str, now: DateTime<Utc>) -> Map<String, Value> {
    let language = b.language;
    let url = format!("{}/dashboard/my-jobs/{}?lang={language}", s.public_url(), b.id);
    values::object(json!({
        "mateName": name,
        "itemsSummary": blocks::items(&values::items(b)),
        "heavyItems": heavy(b).join(if language == Language::Zh { "、" } else { ", " }),
        "accessNotes": access(b),
        "customerPhone": phone(b, now).unwrap_or_default(),
        "estimatedDuration": formats::minutes(b.duration_minutes, language),
        "confirmUrl": url,
        "bookingUrl": url,
    }))
}

/// What one person cannot handle.
fn heavy(b: &Booking) -> Vec<String> {
    let catalogue = Catalogue::builtin();
    let pieces = b.details.items.iter().filter_map(|i| catalogue.get(&i.id).map(|item| (i, item)));
    let heavy = pieces.filter(|(_, item)| item.is_heavy());
    heavy.map(|(i, item)| format!("{} × {}", i.quantity, item.name.get(b.language))).collect()
}

/// How the ways are, an end a line.
fn access(b: &Booking) -> String {
    let end = |l: &Location| {
        let way = changes::access(l, b.language);
        let told = if l.details.is_empty() { way } else { format!("{way} · {}", l.details) };
        format!("{} · {told}", l.address.line())
    };
    [&b.details.pickup, &b.details.dropoff].map(end).join("\n")
}
