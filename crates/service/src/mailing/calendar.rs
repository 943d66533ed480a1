//! The move as an appointment (iCalendar, RFC 5545, and RFC 5546 for what a mail asks of a calendar): with the confirmation,
//! again with a higher sequence when the booking is edited, and taken back when it is cancelled.

use chrono::{DateTime, Duration, Utc};
use icalendar::{Calendar, Component as _, Event, EventLike as _, EventStatus, Property};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::values::address;
use crate::{
    Error, ServiceResult, Services,
    ports::{
        bookings::Booking,
        mail::{Attachment, Content},
        messages::Message,
    },
    texts::text,
};

/// Where a message keeps its appointment; shown by no template.
const APPOINTMENT: &str = "appointment";

/// Messages that have it with them, and whether they take it back.
const WITH: [(&str, bool); 3] = [("bookingConfirmation", false), ("bookingEdited", false), ("bookingCancelled", true)];

/// The appointment as it was when the message was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Appointment {
    /// The same for one booking, however often it is moved.
    uid: String,
    /// Raised by each change of the booking, so that a calendar knows the newest.
    sequence: u32,
    cancelled: bool,
    begins: DateTime<Utc>,
    ends: DateTime<Utc>,
    summary: String,
    place: String,
    description: String,
    url: String,
}

/// What a booking is called in a calendar: the same however often it is moved, in mails as in feeds.
pub(crate) fn uid(b: &Booking) -> String {
    b.id.to_string()
}

/// Which of two appearances of a booking is the newer one: raised by each change, as its version is.
pub(crate) fn sequence(b: &Booking) -> u32 {
    u32::try_from(b.version).unwrap_or(0)
}

/// Adds the appointment to what a message about a booking says, where it has one with it.
pub(super) fn attach(s: &Services, b: &Booking, kind: &str, values: &mut Map<String, Value>) {
    let Some((_, cancelled)) = WITH.into_iter().find(|(with, _)| *with == kind) else { return };
    let l = b.language;
    let (from, to) = (address(&b.details.pickup.address), address(&b.details.dropoff.address));
    let appointment = Appointment {
        uid: uid(b),
        sequence: sequence(b),
        cancelled,
        begins: b.move_at,
        ends: b.move_at + Duration::minutes(i64::from(b.duration_minutes)),
        summary: format!("{} #{}", text("calendar.move", l), b.short_id),
        description: format!("{from} → {to}"),
        place: from,
        url: format!("{}/profile/bookings/{}?lang={l}", s.public_url(), b.id),
    };
    values.insert(APPOINTMENT.to_owned(), json!(appointment));
}

/// The appointment of one message for another.
pub(super) fn carry_over(from: &Value, to: &mut Map<String, Value>) {
    if let Some(appointment) = from.get(APPOINTMENT) {
        to.insert(APPOINTMENT.to_owned(), appointment.clone());
    }
}

/// The file of a message that leaves now: the same bytes whenever it is tried.
///
/// # Errors
/// When what the message keeps cannot be read.
pub(super) fn attachment(m: &Message) -> ServiceResult<Option<Attachment>> {
    let Some(kept) = m.values.get(APPOINTMENT) else { return Ok(None) };
    let a: Appointment =
        serde_json::from_value(kept.clone()).map_err(|e| Error::Internal(format!("{APPOINTMENT}: {e}")))?;
    let said = |key: &str| m.values.get(key).and_then(Value::as_str).unwrap_or_default();
    let (company, from) = (said("companyName"), said("supportEmail"));
    // Who invites has an address; without one the file says what is planned, and a calendar does not follow by itself.
    let method = match (a.cancelled, from.is_empty()) {
        (true, _) => "CANCEL",
        (false, false) => "REQUEST",
        (false, true) => "PUBLISH",
    };
    let mut event = Event::new();
    event
        .uid(&a.uid)
        .sequence(a.sequence)
        .timestamp(m.created_at)
        .starts(a.begins)
        .ends(a.ends)
        .summary(&a.summary)
        .location(&a.place)
        .description(&format!("{}\n{}", a.description, a.url))
        .url(&a.url)
        .status(if a.cancelled { EventStatus::Cancelled } else { EventStatus::Confirmed });
    if !from.is_empty() {
        let mut organizer = Property::new("ORGANIZER", format!("mailto:{from}"));
        organizer.add_parameter("CN", &parameter(company));
        event.append_property(organizer);
        let mut attendee = Property::new("ATTENDEE", format!("mailto:{}", m.recipient));
        attendee.add_parameter("CN", &parameter(&m.recipient_name));
        attendee.add_parameter("PARTSTAT", "ACCEPTED").add_parameter("RSVP", "FALSE");
        event.append_multi_property(attendee);
    }
    let mut calendar = Calendar::empty();
    calendar.append_property(("VERSION", "2.0")).append_property(("PRODID", "-//Portage//Portage//EN"));
    calendar.append_property(("METHOD", method)).push(event);
    Ok(Some(Attachment {
        file_name: "move.ics".to_owned(),
        mime: format!("text/calendar; charset=utf-8; method={method}"),
        content: Content::Bytes(calendar.to_string().into_bytes()),
    }))
}

/// The value of a parameter, which has no way to write a quotation mark or a control character.
fn parameter(value: &str) -> String {
    let clean: String = value.chars().filter(|c| !c.is_control()).map(|c| if c == '"' { '\'' } else { c }).collect();
    format!("\"{clean}\"")
}
