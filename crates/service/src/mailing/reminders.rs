//! Reminders 72 and 24 hours before the move.
//!
//! One job a booking and distance, moved when the move is moved. It looks again at everything
//! when it runs: a cancelled move is not announced, a postponed one is announced at its new time.

use chrono::{DateTime, Utc};
use kernel::{BookingId, JobId};
use scheduling::{REMINDER_HOURS, hours_before};
use serde_json::{Map, Value, json};

use super::{about, values};
use crate::{
    Error, ServiceResult, Services,
    billing::facts::live,
    jobs,
    ports::{Unit, bookings::Booking, jobs::NewJob},
    texts,
};

fn job_key(id: BookingId, hours: u32) -> String {
    format!("remind:{id}:{hours}")
}

/// Queues the reminders that still lie ahead; called when a booking is made or changed.
///
/// # Errors
/// When the database fails.
pub fn schedule(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    for hours in REMINDER_HOURS {
        let at = hours_before(b.move_at, hours);
        if live(b) && at > now {
            u.jobs().enqueue(&NewJob {
                id: JobId(s.entropy.uuid(now)),
                kind: jobs::REMIND.to_owned(),
                payload: json!({ "bookingId": b.id, "hours": hours.to_string() }),
                run_at: at,
                dedup_key: Some(job_key(b.id, hours)),
                max_attempts: 5,
                held_until: None,
            })?;
        } else {
            u.jobs().withdraw(&job_key(b.id, hours))?;
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

/// Hours of a reminder job's payload.
pub(crate) fn hours(payload: &Value) -> Option<u32> {
    payload.get("hours")?.as_str()?.parse().ok()
}
