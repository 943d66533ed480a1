//! What is kept of every change of a booking: a row of its status history, and its facts for the audit trail.

use std::collections::HashMap;

use kernel::{NoteId, UserId};
use serde_json::{Value, json};
use status_machine::booking::Status;

use crate::{
    Actor, ServiceResult, Tx,
    ports::{
        Unit,
        bookings::Booking,
        history::StatusChange,
        notes::{Note, Visibility},
    },
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
    let change =
        StatusChange { from: Some(from), to: b.status, actor: actor.user, role: actor.role, at: tx.now, reason };
    tx.unit.booking_history().append_status(b.id, &change)?;
    Ok(())
}

/// Names of people, each looked up once.
#[derive(Debug, Default)]
pub struct Names(HashMap<UserId, Option<String>>);

impl Names {
    /// The name of an account; none for the program itself, and for who has no profile.
    ///
    /// # Errors
    /// When the database fails.
    pub fn of(&mut self, u: &mut dyn Unit, user: Option<UserId>) -> ServiceResult<Option<String>> {
        let Some(user) = user else { return Ok(None) };
        if let Some(known) = self.0.get(&user) {
            return Ok(known.clone());
        }
        let name = u.profiles().get(user)?.map(|p| p.full_name());
        self.0.insert(user, name.clone());
        Ok(name)
    }
}

/// Writes a note about a booking.
///
/// # Errors
/// When the database fails.
pub(crate) fn note(tx: &mut Tx<'_>, b: &Booking, text: String, visibility: Visibility) -> ServiceResult<Note> {
    let note = Note {
        id: NoteId(tx.id()),
        booking_id: b.id,
        visibility,
        text,
        author: tx.actor.user,
        role: tx.actor.role,
        created_at: tx.now,
        mate: None,
    };
    tx.unit.notes().append(&note)?;
    Ok(note)
}

/// The note of the record was edited with it: it is the newest one for staff from now on, also an empty one.
///
/// # Errors
/// When the database fails.
pub(crate) fn note_of_record(tx: &mut Tx<'_>, b: &Booking, text: &str) -> ServiceResult<()> {
    let newest = tx.unit.notes().newest_for_staff(b.id)?.map(|n| n.text).unwrap_or_default();
    if newest != text {
        note(tx, b, text.to_owned(), Visibility::Staff)?;
    }
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
        "cancelledBy": b.details.cancelled_by,
        "credited": b.credited(),
    })
}
