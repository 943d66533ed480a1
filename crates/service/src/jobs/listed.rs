//! Jobs as an operator reads them: what they are about, and for whom.

use chrono::{DateTime, Utc};
use kernel::{BookingId, MessageId};

use crate::{
    ServiceResult, Services,
    ports::{StoreResult, Unit, jobs::Job},
};

/// A job that failed, with what an operator asks about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The job.
    pub job: Job,
    /// Code of the booking it is about.
    pub booking: Option<String>,
    /// The message it sends: its type, and the recipient as somebody may see it who needs not know the address.
    pub message: Option<(String, String)>,
    /// When it was asked for.
    pub made: Option<DateTime<Utc>>,
    /// When it is tried again; none once it was given up.
    pub next: Option<DateTime<Utc>>,
}

/// What was given up, newest first, and then what failed and is tried again, the next one first.
///
/// # Errors
/// When the database fails.
pub async fn listed(s: &Services, limit: i64) -> ServiceResult<Vec<Listed>> {
    s.store
        .read(move |u| {
            let mut list = Vec::new();
            for job in u.jobs().dead(limit)? {
                list.push(explained(u, job, false)?);
            }
            for job in u.jobs().failing(limit)? {
                list.push(explained(u, job, true)?);
            }
            Ok(list)
        })
        .await
}

fn explained(u: &mut dyn Unit, job: Job, waits: bool) -> StoreResult<Listed> {
    let text = |field: &str| job.payload.get(field).and_then(serde_json::Value::as_str);
    let (message_id, booking_id) = (text("messageId"), text("bookingId").or_else(|| text("checkoutId")));
    let mut booking: Option<BookingId> = booking_id.and_then(|id| id.parse().ok());
    let mut message = None;
    if let Some(id) = message_id.and_then(|id| id.parse::<MessageId>().ok())
        && let Some(m) = u.messages().get(id)?
    {
        booking = booking.or(m.booking_id);
        message = Some((m.message_type, m.recipient.masked()));
    }
    if booking.is_none()
        && let Some(order) = text("orderId")
        && let Some(attempt) = u.payments().attempt(order)?
    {
        booking = u.payments().get(attempt.payment_id)?.map(|p| p.booking_id);
    }
    let booking = match booking {
        Some(id) => u.bookings().get(id)?.map(|b| b.short_id.to_string()),
        None => None,
    };
    // The id of a job holds the instant at which it was made.
    let made = job.id.0.get_timestamp().and_then(|t| {
        let (seconds, nanos) = t.to_unix();
        DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanos)
    });
    let next = waits.then_some(job.run_at);
    Ok(Listed { job, booking, message, made, next })
}
