//! Reminders 72 and 24 hours before the move.
//!
//! One job a booking and distance, moved when the move is moved. It looks again at everything
//! when it runs: a cancelled move is not announced, a postponed one is announced at its new time.

use chrono::{DateTime, Duration, Utc};
use kernel::BookingId;
use scheduling::{REMINDER_HOURS, hours_before};
use serde_json::{Map, Value, json};

use super::{queue::queue_to_customer, values};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    billing::facts::{in_flight, live, open},
    ports::{bookings::Booking, payments::Payment},
    sms, texts,
    work::Work,
};

/// A reminder looks again so long after a try at a charge that decides whether the move takes place,
const LOOKS_AGAIN: Duration = Duration::minutes(15);
/// and waits no longer than this for a gateway that does not answer.
const WAITS_AT_MOST: Duration = Duration::hours(3);

/// Queues the reminders that still lie ahead; called when a booking is made or changed.
///
/// # Errors
/// When the database fails.
pub fn schedule(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    for hours in REMINDER_HOURS {
        let at = hours_before(b.move_at, hours);
        let reminder = Work::Remind { booking_id: b.id, hours };
        if live(b) && at > tx.now {
            tx.enqueue_at(&reminder, at)?;
        } else {
            tx.withdraw(&reminder)?;
        }
    }
    Ok(())
}

/// The job.
///
/// # Errors
/// When the database fails.
pub async fn remind(s: &Services, id: BookingId, hours: u32) -> ServiceResult<()> {
    s.write(Actor::system(), move |tx| {
        let Some(b) = tx.unit.bookings().get(id)? else { return Ok::<_, Error>(()) };
        // A server that stood still comes to it late: another reminder is due as well then, or the move is under way.
        let nearer = REMINDER_HOURS.into_iter().filter(|h| *h < hours).any(|h| hours_before(b.move_at, h) <= tx.now);
        if !live(&b) || nearer || b.move_at <= tx.now {
            return Ok(());
        }
        if hours_before(b.move_at, hours) > tx.now {
            return schedule(tx, &b);
        }
        let rows = tx.unit.payments().of_booking(id)?;
        if tx.now < hours_before(b.move_at, hours) + WAITS_AT_MOST && rows.iter().any(|r| is_being_tried(r, tx.now)) {
            let reminder = Work::Remind { booking_id: id, hours };
            return Ok(tx.enqueue_at(&reminder, tx.now + LOOKS_AGAIN)?);
        }
        let own = message_values(&b, &rows, hours, tx.now);
        // Keyed by the start: a postponed move is announced again.
        let version = format!("{hours}:{}", b.move_at.timestamp());
        queue_to_customer(tx, &b, "moveReminder", &version, own)?;
        sms::events::reminder(tx, &b, &version)
    })
    .await
}

/// A charge that failed before is tried again just now: when it fails once more, the move may be cancelled.
fn is_being_tried(r: &Payment, now: DateTime<Utc>) -> bool {
    r.attempts > 0 && (in_flight(r) || (open(r) && r.next_attempt_at.is_some_and(|at| at <= now)))
}

/// The values of a reminder that goes out at `at`.
pub(super) fn message_values(b: &Booking, rows: &[Payment], hours: u32, at: DateTime<Utc>) -> Map<String, Value> {
    let mut own = Map::new();
    own.insert("hoursBefore".into(), json!(hours));
    own.insert("parkingHint".into(), json!(texts::text("parking.help", b.language)));
    own.insert("preparationTips".into(), json!(texts::text("reminder.tips", b.language)));
    values::next_charge(&mut own, b, rows, at);
    own
}

/// What the next reminder will say, or the last one said: what is charged before it has been charged by then.
pub(super) fn drafted(b: &Booking, rows: &[Payment], now: DateTime<Utc>) -> Map<String, Value> {
    let hours = next(b, now);
    let at = hours_before(b.move_at, hours);
    let is_charged = |r: &Payment| r.attempts == 0 && open(r) && r.due_at < at;
    let left: Vec<Payment> = rows.iter().filter(|r| !is_charged(r)).cloned().collect();
    message_values(b, &left, hours, at)
}

/// How many hours before the move the next reminder comes; the last one when none comes any more.
fn next(b: &Booking, now: DateTime<Utc>) -> u32 {
    let ahead = REMINDER_HOURS.into_iter().filter(|hours| hours_before(b.move_at, *hours) > now);
    ahead.max().or_else(|| REMINDER_HOURS.into_iter().min()).unwrap_or_default()
}
