//! Keeps an unanswered consent question up to date: it ends with its time, and is asked again when what it says does not hold
//! any more. One job a booking, queued by whatever settles its money.

use kernel::BookingId;
use status_machine::booking::Status;

use super::{
    ask, audited, close, is_recharge, open_questions,
    release::without,
    wording::{Validity, validity_of},
    write,
};
use crate::{
    Actor, Error, ErrorCode, ServiceResult, Services, Tx,
    billing::{facts::in_flight, settle, trouble},
    ports::{
        bookings::Booking,
        consents::{Consent, ConsentSubject, Standing},
    },
    work::Work,
};

/// The job.
///
/// # Errors
/// When the database fails.
pub(crate) async fn run(s: &Services, id: BookingId) -> ServiceResult<()> {
    s.write(Actor::system(), move |tx| {
        let Some(mut b) = tx.unit.bookings().lock(id)? else { return Ok::<_, Error>(()) };
        tx.look_at_clock();
        follow(tx, &mut b)
    })
    .await
}

/// Looks at every question of the booking that waits for its answer, and asks what was not asked yet.
pub(in crate::bookings) fn follow(tx: &mut Tx<'_>, b: &mut Booking) -> ServiceResult<()> {
    for c in open_questions(b) {
        if tx.now >= c.expires_at {
            close(tx, b, c.id, Standing::Lapsed)?;
            write(tx, b)?;
            audited(tx, "booking.consent", b)?;
            without(tx, b, &c, "consent_missing")?;
        } else if !moving(tx, b)? {
            looked_at(tx, b, &c)?;
        }
    }
    unasked(tx, b)?;
    match open_questions(b).iter().map(|c| c.expires_at).min() {
        Some(at) => Ok(tx.enqueue_at(&Work::FollowConsent { booking_id: b.id }, at)?),
        None => Ok(()),
    }
}

/// While money is at the gateway nothing is decided: whoever learns its outcome queues this again.
fn moving(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<bool> {
    Ok(tx.unit.payments().of_booking(b.id)?.iter().any(in_flight))
}

fn looked_at(tx: &mut Tx<'_>, b: &mut Booking, c: &Consent) -> ServiceResult<()> {
    let holds = validity_of(tx.unit, b, c)?;
    if holds == Validity::Yes {
        return Ok(());
    }
    close(tx, b, c.id, Standing::Replaced)?;
    write(tx, b)?;
    if holds == Validity::Over && is_recharge(c) {
        return end_wait(tx, b);
    }
    Ok(())
}

/// Ends the wait, because nothing is left to charge again: what is charged from now on was never given back. A
/// cancelled booking keeps what waited, should it be reopened once more.
fn end_wait(tx: &mut Tx<'_>, b: &mut Booking) -> ServiceResult<()> {
    if matches!(b.status, Status::Cancelled | Status::Deleted) {
        return Ok(());
    }
    b.details.charges_wait = None;
    write(tx, b)?;
    settle::settle(tx, b)?;
    trouble::solved(tx, b)
}

/// Charges wait, and nothing of it is asked: money was at the gateway when the booking was taken back, or what was asked
/// does not hold any more.
fn unasked(tx: &mut Tx<'_>, b: &mut Booking) -> ServiceResult<()> {
    let Some(waits) = b.details.charges_wait else { return Ok(()) };
    let stands = |c: &Consent| is_recharge(c) && c.standing != Standing::Replaced;
    let ended = matches!(b.status, Status::Cancelled | Status::Deleted);
    if ended || b.details.consents.iter().skip(waits.before).any(stands) || moving(tx, b)? {
        return Ok(());
    }
    match ask(tx, b, ConsentSubject::Recharge { back: waits.back }) {
        Ok(_) => audited(tx, "booking.consent_link", b),
        Err(Error::Refused(ErrorCode::ConsentNotNeeded, _)) => end_wait(tx, b),
        Err(other) => Err(other),
    }
}
