//! What staff do about a consent question: ask again, or write down a yes that was said on the telephone.

use kernel::{BookingId, uuid::Uuid};

use super::{
    Sent,
    answer::agreed,
    ask, audited,
    wording::{Validity, validity_of},
};
use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff,
    bookings::queries::visible_locked,
    idempotency::{self, Guard, Replayable},
    ports::{
        bookings::Booking,
        consents::{AnsweredBy, ConsentSubject, Standing},
    },
};

/// The longest note, characters.
pub const LONGEST: usize = 500;

/// `POST /bookings/{id}/consent-link`: asks again, by another mail, whether what went back may be charged again. The link
/// before ends.
///
/// # Errors
/// `not_found`; `consent_not_needed` when nothing waits for it.
pub async fn ask_again(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    guard: Option<Guard<Sent>>,
) -> ServiceResult<Replayable<Sent>> {
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let mut b = visible_locked(tx.unit, staff.caller(), id)?;
            let waits = b.details.charges_wait.ok_or(ErrorCode::ConsentNotNeeded)?;
            let sent = ask(tx, &mut b, ConsentSubject::Recharge { back: waits.back })?;
            audited(tx, "booking.consent_link", &b)?;
            Ok(sent)
        })
    })
    .await
}

/// `POST /bookings/{id}/consent`: the customer said yes on the telephone to the words of a question; `which` of them the
/// staff read out, none for the newest. Who agreed and when stands in `note`.
///
/// # Errors
/// `not_found`; the field `note`; `consent_not_needed` when no question waits; `consent_outdated` when what it says does
/// not hold any more; `payment_in_flight`; of overtime what keeps it from being added.
pub async fn record<T: Send + 'static>(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    which: Option<Uuid>,
    note: String,
    guard: Option<Guard<T>>,
    told: impl FnOnce(&mut crate::Tx<'_>, &Staff, Booking) -> ServiceResult<T> + Send + 'static,
) -> ServiceResult<Replayable<T>> {
    let note = note.trim().to_owned();
    let problem = match note.chars().count() {
        0 => Some(FieldProblem::Required),
        n if n > LONGEST => Some(FieldProblem::TooLong),
        _ => None,
    };
    if let Some(problem) = problem {
        return Err(Error::field("note", problem));
    }
    crate::billing::charge::before_action(s, id).await?;
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let mut b = visible_locked(tx.unit, staff.caller(), id)?;
            tx.look_at_clock();
            let waits = |standing: Standing, of_recharge: bool| match standing {
                Standing::Asked => true,
                // Charges wait on; the customer may think better of it.
                Standing::Refused | Standing::Lapsed => of_recharge && b.details.charges_wait.is_some(),
                Standing::Agreed | Standing::Replaced => false,
            };
            let newest = b.recharge().map(|c| c.id);
            let mut open = b.details.consents.iter().rev().filter(|c| waits(c.standing, newest == Some(c.id)));
            let found = open.find(|c| which.is_none_or(|id| id == c.id)).cloned();
            let outdated = which.is_some_and(|id| b.details.consents.iter().any(|c| c.id == id));
            let missing = if outdated { ErrorCode::ConsentOutdated } else { ErrorCode::ConsentNotNeeded };
            let consent = found.ok_or(missing)?;
            if validity_of(tx.unit, &b, &consent)? != Validity::Yes {
                return Err(ErrorCode::ConsentOutdated.into());
            }
            agreed(tx, &mut b, &consent, AnsweredBy::Telephone, note)?;
            told(tx, &staff, b)
        })
    })
    .await
}
