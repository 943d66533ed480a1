//! Which events tell a customer by text, besides the letter: the reminders, the last but one try at a charge, and the steps of a delivery.

use policy::attempt_at;
use pricing::MoveKind;
use serde_json::{Map, Value, json};

use super::queue;
use crate::{
    ServiceResult, Services, Tx,
    billing::{facts::lock_at, rows::charge_kind},
    formats,
    ports::{Unit, bookings::Booking, payments::Payment},
    settings,
};

/// Something is brought to somebody, and nobody moves.
const fn is_delivery(b: &Booking) -> bool {
    matches!(b.move_kind, MoveKind::ItemDelivery | MoveKind::Curbside | MoveKind::WhiteGlove)
}

fn time_range(b: &Booking) -> String {
    let (from, to) = scheduling::arrival_window(b.details.arrival, b.move_time);
    format!("{} – {}", formats::time(from, b.language), formats::time(to, b.language))
}

/// Who delivers in the customer's eyes: the partner they bought from, else the company.
fn partner_name(s: &Services, u: &mut dyn Unit, b: &Booking) -> ServiceResult<String> {
    if let Some(id) = b.partner_id
        && let Some(partner) = u.directory().partner(id)?.filter(|p| !p.name.trim().is_empty())
    {
        return Ok(partner.name);
    }
    Ok(settings::company(u, &s.defaults)?.name)
}

/// What every text about a booking may say of it, in the booking's language.
///
/// # Errors
/// When the database fails.
pub(crate) fn of_booking(s: &Services, u: &mut dyn Unit, b: &Booking) -> ServiceResult<Map<String, Value>> {
    let told = json!({
        "date": formats::date(b.move_date, b.language),
        "time_range": time_range(b),
        "partner_name": partner_name(s, u, b)?,
        "address": b.details.dropoff.address.line(),
        "taskID": b.short_id,
        "customer_name": b.details.customer_name,
        "phone_number": b.details.customer_phone,
    });
    match told {
        Value::Object(told) => Ok(told),
        _ => Ok(Map::new()),
    }
}

/// `moveReminder`; `version` is that of the letter.
///
/// # Errors
/// When the database fails.
pub(crate) fn reminder(tx: &mut Tx<'_>, b: &Booking, version: &str) -> ServiceResult<()> {
    queue(tx, b, "moveReminder", version, json!({})).map(drop)
}

/// `paymentFailed`, when one try is left.
///
/// # Errors
/// When the database fails.
pub(crate) fn declined(tx: &mut Tx<'_>, b: &Booking, row: &Payment, url: &str) -> ServiceResult<()> {
    let (Some(kind), Ok(attempts)) = (charge_kind(row.kind), u32::try_from(row.attempts)) else { return Ok(()) };
    let policy = &b.details.policy;
    let after_next = attempt_at(policy, kind, row.due_at, attempts.saturating_add(1), lock_at(b));
    if row.next_attempt_at.is_none() || after_next.is_some() {
        return Ok(());
    }
    let version = format!("{}:{}", row.id, row.attempts);
    queue(tx, b, "paymentFailed", &version, json!({ "updateCardUrl": url })).map(drop)
}

/// `deliveryScheduled`, once for each day and time it is given a crew.
///
/// # Errors
/// When the database fails.
pub(crate) fn assigned(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    if !is_delivery(b) {
        return Ok(());
    }
    queue(tx, b, "deliveryScheduled", &b.move_at.timestamp().to_string(), json!({})).map(drop)
}

/// `deliveryOnTheWay`, with the first of the crew who begins.
///
/// # Errors
/// When the database fails.
pub(crate) fn begun(tx: &mut Tx<'_>, b: &Booking, mate: &str) -> ServiceResult<()> {
    if !is_delivery(b) {
        return Ok(());
    }
    queue(tx, b, "deliveryOnTheWay", &b.move_at.timestamp().to_string(), json!({ "mate_name": mate })).map(drop)
}

/// `deliveryCompleted`.
///
/// # Errors
/// When the database fails.
pub(crate) fn completed(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    if !is_delivery(b) {
        return Ok(());
    }
    queue(tx, b, "deliveryCompleted", &b.move_at.timestamp().to_string(), json!({})).map(drop)
}
