//! What staff write about a booking, for each other or for its crew, and what its crew wrote on the job. It reaches no customer
//! and no partner: no answer to one and no message has it.

use kernel::BookingId;

use crate::{
    Error, FieldProblem, ServiceResult, Services, Staff,
    bookings::{queries::visible, trail},
    idempotency::{self, Guard, Replayable},
    ports::notes::{Note, Visibility},
};

/// The longest note, characters.
pub const LONGEST: usize = 2_000;

/// A note with the name of who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The note.
    pub note: Note,
    /// None for the program itself.
    pub author: Option<String>,
    /// The mate who wrote it on the job, by the name the company knows them by.
    pub mate: Option<String>,
}

/// Notes about a booking, the newest first.
///
/// # Errors
/// `not_found`.
pub async fn list(s: &Services, staff: &Staff, id: BookingId) -> ServiceResult<Vec<Signed>> {
    let staff = staff.clone();
    s.store
        .read(move |u| {
            visible(u, staff.caller(), id)?;
            let notes = u.notes().of_booking(id)?;
            let written = notes.into_iter().rev().filter(|n| !n.text.is_empty());
            let mut names = trail::Names::default();
            let mut signed = Vec::new();
            for note in written {
                let author = names.of(u, note.author)?;
                let mate = note.mate.map(|m| u.directory().mate(m)).transpose()?.flatten().map(|m| m.name);
                signed.push(Signed { note, author, mate });
            }
            Ok(signed)
        })
        .await
}

/// Writes a note. The booking itself stays as it is: whoever edits it meanwhile may save.
///
/// # Errors
/// `not_found`; the field when there is no text or too much of it.
pub async fn add(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    text: &str,
    visibility: Visibility,
    guard: Option<Guard<Signed>>,
) -> ServiceResult<Replayable<Signed>> {
    let text = text.trim().to_owned();
    match text.chars().count() {
        0 => return Err(Error::field("text", FieldProblem::Required)),
        n if n > LONGEST => return Err(Error::field("text", FieldProblem::TooLong)),
        _ => {}
    }
    let (who, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let booking = visible(tx.unit, who.caller(), id)?;
            let note = trail::note(tx, &booking, text, visibility)?;
            let author = trail::Names::default().of(tx.unit, note.author)?;
            let written = serde_json::json!({ "note": note.id, "visibility": visibility.code() });
            tx.audit("booking.note", id, None, Some(written))?;
            Ok(Signed { note, author, mate: None })
        })
    })
    .await
}
