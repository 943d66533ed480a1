//! Overtime: time beyond what was agreed, that the customer said yes to.
//!
//! The price of a move is fixed. More time costs only what the customer agreed to, for a cause of a list, with the crew's
//! rate of the card the move was booked with, and never more than the law of the province lets a price grow.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};

use super::record::{self, Record};
use crate::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, Staff,
    billing::lease,
    bookings::{
        consents,
        overtime::{self, card_of, open, write},
        queries::{visible, visible_locked},
    },
    idempotency::{self, Guard, Replayable},
    ports::{
        bookings::Booking,
        consents::ConsentSubject,
        overtime::{Overtime, OvertimeCause},
    },
};

/// The longest time that is added at once, minutes: a day.
pub const LONGEST: u32 = 1_440;
/// The longest text of a consent, characters.
pub const LONGEST_CONSENT: usize = 500;

/// Time to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOvertime {
    /// As it was counted.
    pub minutes: u32,
    /// Why.
    pub cause: OvertimeCause,
    /// The customer's yes: who gave it and how, as far as that was written down. None: nobody gave it.
    pub consent: Option<String>,
}

/// What some minutes more would cost; nothing is changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// Before tax.
    pub amount: Money,
    /// Its taxes.
    pub tax: Money,
    /// The total of the booking with it.
    pub new_total: Money,
}

/// `GET /bookings/{id}/overtime`.
///
/// # Errors
/// As [`add`].
pub async fn preview(s: &Services, staff: &Staff, id: BookingId, minutes: u32) -> ServiceResult<Preview> {
    bounded(minutes)?;
    let (staff, now) = (staff.clone(), s.clock.now());
    s.store
        .read(move |u| {
            let b = visible(u, staff.caller(), id)?;
            begun(&b, now)?;
            let (new, amount) = overtime::with(&b, minutes, &card_of(u, &b)?)?;
            Ok(Preview { amount, tax: new.tax.minus(b.tax), new_total: new.total })
        })
        .await
}

/// `POST /bookings/{id}/overtime`: a line of its own raises price, taxes and total, and is charged by itself.
///
/// # Errors
/// `not_found`; `overtime_closed` before the move has begun and a week after its completion; the field `consent` when the customer did
/// not say yes; `overtime_free` when nothing more is billed; `overtime_cap` above what the law of the province lets a
/// price grow; `payment_in_flight` while money of the booking is at the gateway.
pub async fn add(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    new: NewOvertime,
    guard: Option<Guard<Record>>,
) -> ServiceResult<Replayable<Record>> {
    bounded(new.minutes)?;
    let Some(consent) = new.consent.map(|text| text.trim().to_owned()) else {
        return Err(Error::field("consent", FieldProblem::Required));
    };
    if consent.chars().count() > LONGEST_CONSENT {
        return Err(Error::field("consent", FieldProblem::TooLong));
    }
    crate::billing::charge::before_action(s, id).await?;
    let (staff, asked_at, cause, minutes) = (staff.clone(), s.clock.now(), new.cause, new.minutes);
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let before = visible_locked(tx.unit, staff.caller(), id)?;
            begun(&before, tx.now)?;
            if lease::under_way(tx.unit, id)? {
                return Err(ErrorCode::PaymentInFlight.into());
            }
            let card = card_of(tx.unit, &before)?;
            let (mut b, amount) = overtime::with(&before, minutes, &card)?;
            b.details.overtime.push(Overtime { minutes, cause, consent, amount, at: tx.now, by: tx.actor.user });
            write(tx, &before, &mut b)?;
            record::read(tx.unit, &staff, b, tx.now)
        })
    })
    .await
}

/// `POST /bookings/{id}/overtime/consent-link`: asks the customer by mail. Nothing is added until they agree.
///
/// # Errors
/// As [`add`], but for the field `consent`.
pub async fn ask(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    minutes: u32,
    cause: OvertimeCause,
    guard: Option<Guard<consents::Sent>>,
) -> ServiceResult<Replayable<consents::Sent>> {
    bounded(minutes)?;
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let mut b = visible_locked(tx.unit, staff.caller(), id)?;
            begun(&b, tx.now)?;
            let sent = consents::ask(tx, &mut b, ConsentSubject::Overtime { minutes, cause })?;
            consents::audited(tx, "booking.consent_link", &b)?;
            Ok(sent)
        })
    })
    .await
}

/// The customer's changes close at other times: staff are told their own.
fn begun(b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    open(b, now).map_err(|_| ErrorCode::OvertimeClosed.into())
}

fn bounded(minutes: u32) -> ServiceResult<()> {
    let bounds = FieldProblem::Between(Limit::Minutes(1), Limit::Minutes(LONGEST));
    if (1..=LONGEST).contains(&minutes) { Ok(()) } else { Err(Error::field("minutes", bounds)) }
}
