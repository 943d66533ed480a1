//! Records a customer's answer to a consent question: by the link, once, or on the telephone.

use kernel::{BookingId, uuid::Uuid};
use status_machine::booking::Status;

use super::{
    audited, close, is_recharge,
    release::{releases, without},
    wording::{Validity, validity_of},
    write,
};
use crate::{
    Actor, Caller, ErrorCode, ServiceResult, Services, Tx,
    billing::{lease, settle, trouble},
    bookings::overtime,
    ports::{
        Unit,
        bookings::Booking,
        consents::{AnsweredBy, Consent, ConsentSubject, Standing},
        identity::{TokenHash, TokenPurpose},
        overtime::Overtime,
    },
    secret,
};

/// Where a question stands for whoever holds its link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It can be answered.
    Asked,
    /// They agreed.
    Agreed,
    /// They did not agree.
    Refused,
    /// Something changed: what it said does not hold any more.
    Replaced,
    /// The booking will not take place, or nothing is to be agreed to any more.
    Ended,
}

impl State {
    /// All of them.
    pub const ALL: [State; 5] = [State::Asked, State::Agreed, State::Refused, State::Replaced, State::Ended];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            State::Asked => "asked",
            State::Agreed => "agreed",
            State::Refused => "refused",
            State::Replaced => "replaced",
            State::Ended => "ended",
        }
    }
}

/// What whoever holds the link is shown.
#[derive(Debug, Clone)]
pub struct Page {
    /// The booking; only what tells them that it is theirs goes out.
    pub booking: Booking,
    /// The question.
    pub consent: Consent,
    /// Where it stands.
    pub state: State,
    /// Without a yes the move is cancelled.
    pub releases: bool,
}

/// The booking of a link that works. One that was answered shows its answer until it ends.
fn by_token(tx: &mut dyn Unit, token: &str, s: &Services) -> ServiceResult<(BookingId, TokenHash)> {
    let hash = secret::hash(token);
    let link = tx.one_time_tokens().get(&hash)?;
    let link = link.filter(|l| l.purpose == TokenPurpose::Consent && s.clock.now() < l.expires_at);
    let id = link.and_then(|l| l.booking_id).ok_or(ErrorCode::NotFound)?;
    Ok((id, hash))
}

fn of_link(b: &Booking, link: &TokenHash) -> ServiceResult<Consent> {
    let shown = b.status != Status::Deleted;
    let found = b.consent_of(link).filter(|c| shown && c.standing != Standing::Lapsed);
    found.cloned().ok_or_else(|| ErrorCode::NotFound.into())
}

fn page(u: &mut dyn Unit, booking: Booking, consent: Consent) -> ServiceResult<Page> {
    let state = match consent.standing {
        Standing::Agreed => State::Agreed,
        Standing::Refused => State::Refused,
        Standing::Replaced | Standing::Lapsed => State::Replaced,
        Standing::Asked => match validity_of(u, &booking, &consent)? {
            Validity::Yes => State::Asked,
            Validity::No => State::Replaced,
            Validity::Over => State::Ended,
        },
    };
    Ok(Page { releases: is_recharge(&consent) && releases(&booking), booking, consent, state })
}

/// `GET /consent/{token}`.
///
/// # Errors
/// `not_found` for a link that never was or works no more.
pub async fn look(s: &Services, token: String) -> ServiceResult<Page> {
    let services = s.clone();
    s.store
        .read(move |u| {
            let (id, link) = by_token(u, &token, &services)?;
            let booking = u.bookings().get(id)?.ok_or(ErrorCode::NotFound)?;
            let consent = of_link(&booking, &link)?;
            page(u, booking, consent)
        })
        .await
}

/// `POST /consent/{token}`: the answer. The same answer again is told again; another one changes nothing. Where what was
/// asked does not hold any more, nothing is agreed to: the customer is asked again by another mail.
///
/// # Errors
/// `not_found`; `consent_answered` after another answer; `payment_in_flight` while money of the booking moves.
pub async fn answer(s: &Services, caller: &Caller, token: String, agree: bool) -> ServiceResult<Page> {
    let by = Actor { user: None, role: None, request_id: caller.request_id.clone() };
    s.write(by, move |tx| {
        let (id, link) = by_token(tx.unit, &token, tx.services)?;
        let mut b = tx.unit.bookings().lock(id)?.ok_or(ErrorCode::NotFound)?;
        tx.look_at_clock();
        // Again, under the lock: it may have ended while this waited.
        by_token(tx.unit, &token, tx.services)?;
        let consent = of_link(&b, &link)?;
        let before = page(tx.unit, b.clone(), consent.clone())?;
        match before.state {
            State::Asked => {}
            State::Agreed if agree => return Ok(before),
            State::Refused if !agree => return Ok(before),
            State::Agreed | State::Refused => return Err(ErrorCode::ConsentAnswered.into()),
            State::Replaced | State::Ended => {
                super::follow::follow(tx, &mut b)?;
                return Ok(Page { booking: b, ..before });
            }
        }
        if agree {
            agreed(tx, &mut b, &consent, AnsweredBy::Link, String::new())?;
        } else {
            refused(tx, &mut b, &consent)?;
        }
        let consent = of_link(&b, &link)?;
        page(tx.unit, b, consent)
    })
    .await
}

/// The customer agreed: what waited for it happens.
pub(super) fn agreed(
    tx: &mut Tx<'_>,
    b: &mut Booking,
    c: &Consent,
    how: AnsweredBy,
    note: String,
) -> ServiceResult<()> {
    match &c.about {
        ConsentSubject::Recharge { .. } => {
            answered(tx, b, c.id, Standing::Agreed, how, note)?;
            b.details.charges_wait = None;
            write(tx, b)?;
            settle::settle(tx, b)?;
            trouble::solved(tx, b)?;
        }
        ConsentSubject::Overtime { minutes, cause } => {
            overtime::open(b, tx.now)?;
            if lease::under_way(tx.unit, b.id)? {
                return Err(ErrorCode::PaymentInFlight.into());
            }
            answered(tx, b, c.id, Standing::Agreed, how, note)?;
            let rate = overtime::card_of(tx.unit, b)?;
            let before = b.clone();
            let (mut new, amount) = overtime::with(&before, *minutes, &rate)?;
            let (consent, by) = (c.text.clone(), tx.actor.user.or(c.asked_by));
            new.details.overtime.push(Overtime { minutes: *minutes, cause: *cause, consent, amount, at: tx.now, by });
            overtime::write(tx, &before, &mut new)?;
            *b = new;
        }
    }
    audited(tx, "booking.consent", b)
}

/// The customer did not agree. A move to come is cancelled as it was before, or put before staff.
fn refused(tx: &mut Tx<'_>, b: &mut Booking, c: &Consent) -> ServiceResult<()> {
    answered(tx, b, c.id, Standing::Refused, AnsweredBy::Link, String::new())?;
    write(tx, b)?;
    audited(tx, "booking.consent", b)?;
    without(tx, b, c, "consent_refused")
}

fn answered(
    tx: &mut Tx<'_>,
    b: &mut Booking,
    id: Uuid,
    standing: Standing,
    how: AnsweredBy,
    note: String,
) -> ServiceResult<()> {
    close(tx, b, id, standing)?;
    let (now, by) = (tx.now, tx.actor.user);
    if let Some(found) = b.details.consents.iter_mut().find(|c| c.id == id) {
        (found.answered_at, found.how, found.written_by, found.note) = (Some(now), Some(how), by, note);
    }
    Ok(())
}
