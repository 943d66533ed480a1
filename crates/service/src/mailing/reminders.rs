//! Reminders 72 and 24 hours before the move.
//!
//! One job a booking and distance, moved when the move is moved. It looks again at everything
//! when it runs: a cancelled move is not announced, a postponed one is announced at its new time.

use chrono::{DateTime, Utc};
use kernel::BookingId;
use scheduling::{REMINDER_HOURS, hours_before};
use serde_json::{Map, json};

use super::{about, values};
use crate::{
    Error, ServiceResult, Services,
    billing::facts::live,
    ports::{Unit, bookings::Booking},
    texts,
    work::Work,
};

/// Queues the reminders that still lie ahead; called when a booking is made or changed.
///
/// # Errors
/// When the database fails.
pub fn schedule(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    for hours in REMINDER_HOURS {
        let at = hours_before(b.move_at, hours);
        let reminder = Work::Remind { booking_id: b.id, hours: hours.to_string() };
        if live(b) && at > now {
            u.jobs().enqueue(&reminder.at(s, at))?;
        } else {
            u.jobs().withdraw(&reminder.key().unwrap_or_default())?;
        }
    }
    Ok(())
}

/// The job.
///
/// # Errors
/// When the database fails.
pub async fn remind(s: &Services, id: BookingId, hours: u32) -> ServiceResult<()> {
    let (ctx, now) = (s.clone(), s.clock.now());
    s.store
        .write(move |u| {
            let Some(b) = u.bookings().get(id)? else { return Ok::<_, Error>(()) };
            if !live(&b) {
                return Ok(());
            }
            if hours_before(b.move_at, hours) > now {
                return schedule(u, &ctx, &b, now);
            }
            let rows = u.payments().of_booking(id)?;
            let mut own = Map::new();
            own.insert("hoursBefore".into(), json!(hours));
            own.insert("parkingHint".into(), json!(texts::text("parking.help", b.language)));
            own.insert("preparationTips".into(), json!(texts::text("reminder.tips", b.language)));
            values::next_charge(&mut own, &b, &rows);
            // Keyed by the start: a postponed move is announced again.
            let version = format!("{hours}:{}", b.move_at.timestamp());
            about(u, &ctx, &b, "moveReminder", &version, own, now)
        })
        .await
}
