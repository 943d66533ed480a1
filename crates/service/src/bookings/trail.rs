//! What is kept of every change of a booking: a row of its status history, and its facts for the audit trail.

use serde_json::{Value, json};
use status_machine::booking::Status;

use crate::{
    Actor, ServiceResult, Tx,
    ports::bookings::{Booking, StatusChange},
};

/// Appends to the status history what the present actor did.
pub(crate) fn append(tx: &mut Tx<'_>, b: &Booking, from: Status, reason: Option<String>) -> ServiceResult<()> {
    let actor = tx.actor.clone();
    append_of(tx, &actor, b, from, reason)
}

/// Appends what somebody else did: the program, in consequence of what the present actor asked for.
pub(crate) fn append_of(
    tx: &mut Tx<'_>,
    actor: &Actor,
    b: &Booking,
    from: Status,
    reason: Option<String>,
) -> ServiceResult<()> {
    let change = StatusChange {
        from: Some(from),
        to: b.status,
        actor: actor.user,
        role: actor.code().to_owned(),
        at: tx.now,
        reason,
    };
    tx.unit.bookings().append_status(b.id, &change)?;
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
