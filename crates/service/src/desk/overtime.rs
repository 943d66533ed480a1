//! Overtime: time beyond what was agreed, that the customer said yes to.
//!
//! The price of a move is fixed. More time costs only what the customer agreed to, for a cause of a list, with the crew's
//! rate of the card the move was booked with, and never more than the law of the province lets a price grow.

use kernel::{BookingId, Money};
use serde_json::json;
use status_machine::booking::Status;

use super::record::{self, Record};
use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff,
    billing::{lease, ledger, settle},
    bookings::{
        overtime,
        queries::{visible, visible_locked},
        trail,
    },
    idempotency::{self, Answer, Guard},
    mailing,
    ports::{
        Unit,
        bookings::{Booking, Revision},
        overtime::{Overtime, OvertimeCause},
        rates::StoredRate,
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
            open(&b, now)?;
            let (new, amount) = overtime::with(&b, minutes, &card_of(u, &b)?)?;
            Ok(Preview { amount, tax: new.tax.minus(b.tax), new_total: new.total })
        })
        .await
}

/// `POST /bookings/{id}/overtime`: a line of its own raises price, taxes and total, and is charged by itself.
///
/// # Errors
/// `not_found`; `edit_closed` before the move has begun and a week after its completion; the field `consent` when the customer did
/// not say yes; `overtime_free` when nothing more is billed; `overtime_cap` above what the law of the province lets a
/// price grow; `payment_in_flight` while money of the booking is at the gateway.
pub async fn add(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    new: NewOvertime,
    guard: Option<Guard<Record>>,
) -> ServiceResult<Answer<Record>> {
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
            open(&before, tx.now)?;
            if lease::under_way(tx.unit, id)? {
                return Err(ErrorCode::PaymentInFlight.into());
            }
            let card = card_of(tx.unit, &before)?;
            let (mut b, amount) = overtime::with(&before, minutes, &card)?;
            b.details.overtime.push(Overtime { minutes, cause, consent, amount, at: tx.now, by: tx.actor.user });
            write(tx, &before, &mut b)?;
            record::of(tx.unit, &staff, b, tx.now)
        })
    })
    .await
}

fn write(tx: &mut crate::Tx<'_>, before: &Booking, b: &mut Booking) -> ServiceResult<()> {
    b.updated_at = tx.now;
    b.version = tx.unit.bookings().update(b, before.version)?;
    let minutes = |b: &Booking| b.details.overtime.iter().map(|o| o.minutes).sum::<u32>();
    let changes = json!({
        "overtimeMinutes": { "before": minutes(before), "after": minutes(b) },
        "total": { "before": before.total, "after": b.total },
    });
    let revision = Revision {
        version: before.version,
        at: tx.now,
        actor: tx.actor.user,
        role: tx.actor.code().to_owned(),
        changes: changes.clone(),
    };
    tx.unit.bookings().append_revision(b.id, &revision)?;
    ledger::overtime(tx, before, b)?;
    settle::settle(tx, b)?;
    let tip = tx.unit.tips().of_booking(b.id)?;
    mailing::booking_edited(tx, before, b, Money::ZERO, &changes, tip.as_ref())?;
    let (was, mut is) = (trail::snapshot(before), trail::snapshot(b));
    is["overtime"] = json!(b.details.overtime.last());
    Ok(tx.audit("booking.overtime", b.id, Some(was), Some(is))?)
}

/// For so long after its completion: later the customer has long paid and cannot check it.
const AFTERWARDS: chrono::Duration = chrono::Duration::days(7);

/// From the start of the move on, and for some days after its completion.
fn open(b: &Booking, now: chrono::DateTime<chrono::Utc>) -> ServiceResult<()> {
    match b.status {
        Status::Completed if b.completed_at.is_none_or(|done| now <= done + AFTERWARDS) => Ok(()),
        Status::Assigned if now >= b.move_at => Ok(()),
        _ => Err(ErrorCode::EditClosed.into()),
    }
}

fn bounded(minutes: u32) -> ServiceResult<()> {
    if (1..=LONGEST).contains(&minutes) { Ok(()) } else { Err(Error::field("minutes", FieldProblem::OutOfRange)) }
}

/// The card the move was booked with, or the one in force for bookings from before it was kept.
fn card_of(u: &mut dyn Unit, b: &Booking) -> ServiceResult<StoredRate> {
    let kept = match b.details.rate_id {
        Some(id) => u.rates().get(id)?,
        None => None,
    };
    match kept {
        Some(card) => Ok(card),
        None => u.rates().active(None, b.created_at)?.ok_or_else(|| ErrorCode::NoRate.into()),
    }
}
