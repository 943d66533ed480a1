//! What is kept of every change of a booking: a row of its status history, and its facts for the audit trail.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use status_machine::booking::Status;

use crate::{
    ServiceResult, members,
    ports::{
        Unit,
        bookings::{Booking, StatusChange},
    },
};

/// Appends to the status history.
pub(crate) fn append(
    u: &mut dyn Unit,
    b: &Booking,
    from: Status,
    by: &members::Actor,
    reason: Option<String>,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    let change =
        StatusChange { from: Some(from), to: b.status, actor: by.user, role: by.role.clone(), at: now, reason };
    u.bookings().append_status(b.id, &change)?;
    Ok(())
}

/// What the audit trail keeps of a booking: no names, no addresses, no contact details.
pub(crate) fn snapshot(b: &Booking) -> Value {
    json!({
        "shortId": b.short_id,
        "status": b.status.code(),
        "version": b.version,
        "moveAt": b.move_at,
        "mateCount": b.mate_count,
        "durationMinutes": b.duration_minutes,
        "amount": b.amount,
        "total": b.total,
        "discountCode": b.discount_code,
        "kept": b.details.kept,
    })
}
