//! Status changes by staff, mates and the system, through the one table.

use kernel::BookingId;
use policy::CancelledBy;
use serde_json::json;
use status_machine::booking::{Effect, Status, passed_completed};

pub(crate) use super::transition::steps;
pub use super::transition::{Need, StatusInput, Step};
use super::{
    cancellation, consents, effects,
    queries::{Detail, MoneyNow, detail_of, money_of},
    trail, transition,
};
use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    billing::{by_hand, facts, lease, ledger, settle},
    discounts,
    invoices::issue,
    mailing,
    ports::{bookings::Booking, consents::ChargesWait, payments::PaidWith},
};

/// Why the invoice of a cancellation is taken back, where nobody said it.
const BACK: &str = "cancellation taken back";

/// `PUT /bookings/status/{id}`: staff move a booking along the table, whatever was done to it since they read it.
///
/// # Errors
/// `not_found`, `transition_refused` naming the allowed targets, `crew_missing` when nobody can be assigned,
/// `payment_in_flight` when a cancelled booking is put away, or one becomes payed by a reference, while its money is at the
/// gateway; `payment_recorded` when a transfer of this reference is on the booking already; the field `paymentReference`.
pub async fn set(s: &Services, staff: &Staff, id: BookingId, to: Status, said: StatusInput) -> ServiceResult<Detail> {
    set_as_read(s, staff, id, to, said, None).await
}

/// As [`set`], of a booking that still has the version that was read; none: whichever it has.
///
/// # Errors
/// As [`set`]; `version_conflict` when somebody else was first.
pub async fn set_as_read(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    to: Status,
    said: StatusInput,
    expected: Option<i32>,
) -> ServiceResult<Detail> {
    // What is at the gateway gets a moment to end: a refund that left is charged again only with consent.
    if matches!(to, Status::Cancelled | Status::Pending) {
        crate::billing::charge::before_action(s, id).await?;
    }
    s.write(staff.actor(), move |tx| {
        let mut b = tx.unit.bookings().lock(id)?.ok_or(ErrorCode::NotFound)?;
        if expected.is_some_and(|version| version != b.version) {
            return Err(ErrorCode::VersionConflict.into());
        }
        // As `cancel::cancel`.
        tx.look_at_clock();
        if b.status == to {
            return detail_of(tx.unit, b, tx.now);
        }
        // What is at the gateway comes or does not: nobody would look after it in a booking that is hidden.
        if (b.status, to) == (Status::Cancelled, Status::Deleted) && lease::under_way(tx.unit, id)? {
            return Err(ErrorCode::PaymentInFlight.into());
        }
        // That of the messages of this step; the booking and its papers stay in their own.
        let own = b.language;
        if let Some(language) = said.language.filter(|_| !matches!(to, Status::Invoiced | Status::Payed)) {
            b.language = language;
        }
        match (b.status, to) {
            // Its cancellation stands as it was: nothing is kept or given back a second time.
            (Status::Deleted, Status::Cancelled) => step(tx, &mut b, to, &said)?,
            (_, Status::Cancelled) => {
                let asked = if said.customers_wish { CancelledBy::Customer } else { CancelledBy::Company };
                let outcome = cancellation::outcome_of(tx.unit, &b, asked, said.waive, tx.now)?;
                cancellation::apply(tx, &mut b, &outcome, asked.into(), &said)?;
            }
            (_, Status::Invoiced) => to_invoiced(tx, &mut b, &said)?,
            (_, Status::Payed) => to_payed(tx, &mut b, &said)?,
            _ => step(tx, &mut b, to, &said)?,
        }
        if b.language != own {
            b.language = own;
            b.version = tx.unit.bookings().update(&b, b.version)?;
        }
        detail_of(tx.unit, b, tx.now)
    })
    .await
}

/// Takes a step that is no cancellation, with everything that follows from it.
///
/// # Errors
/// As [`set`].
pub(crate) fn step(tx: &mut Tx<'_>, b: &mut Booking, to: Status, said: &StatusInput) -> ServiceResult<()> {
    let (before, from) = (trail::snapshot(b), b.status);
    let effects = transition::take(tx, b, to, said, kernel::Money::ZERO)?.unwrap_or_default();
    b.updated_at = tx.now;
    if effects.contains(&Effect::RecordCompletion) {
        b.completed_at = Some(tx.now);
    }
    let kept = (to == Status::Pending && b.details.kept.is_some()).then(|| b.retained());
    if to == Status::Pending && from == Status::Cancelled {
        // What went back is charged again only with the customer's consent.
        let back = consents::to_recharge(tx.unit, b)?;
        let kept = kept.unwrap_or(kernel::Money::ZERO);
        b.details.charges_wait = back.map(|back| ChargesWait { back, kept, before: b.details.consents.len() });
        b.cancelled_at = None;
        b.details.kept = None;
        // What was given back of what it had kept: nothing is kept now.
        for credit in b.details.credits.iter_mut().filter(|c| c.of_cancellation) {
            credit.ended = true;
        }
        b.details.cancelled_by = None;
        b.details.cancel_reason = None;
        // Everything went back, and the move was postponed before: its 48-hour instant is ahead.
        let rows = tx.unit.payments().of_booking(b.id)?;
        // A charge at the gateway may have taken it all the same.
        let charging = rows.iter().any(|r| r.kind.is_charge() && facts::in_flight(r));
        if !charging && !facts::held(&rows).is_positive() && tx.now < facts::lock_at(b) {
            b.details.lock_entered = false;
        }
    }
    b.version = tx.unit.bookings().update(b, b.version)?;
    trail::append(tx, b, from, said.reason.clone())?;
    if to == Status::Deleted && from == Status::Pending {
        cancellation::return_code(tx, b)?;
    }
    if to == Status::Pending && matches!(from, Status::Cancelled | Status::Deleted) {
        issue::cancellation_undone(tx, b, said.reason.as_deref().unwrap_or(BACK))?;
        taken_back(tx, b, kept)?;
    }
    for effect in effects {
        effects::carry_out(tx, b, effect)?;
    }
    if (from, to) == (Status::Completed, Status::Assigned) {
        ledger::completion_undone(tx, b)?;
    }
    ledger::follow_to_trust(tx, b)?;
    settle::settle(tx, b)?;
    mailing::reminders::schedule(tx, b)?;
    if (from, to) == (Status::Cancelled, Status::Pending) {
        consents::follow::follow(tx, b)?;
        confirmed_again(tx, b)?;
    }
    Ok(tx.audit("booking.status", b.id, Some(before), Some(trail::snapshot(b)))?)
}

/// A move that was done, and marked as not done by mistake, keeps its right to an invoice: it is completed again first.
///
/// # Errors
/// As [`set`].
pub(crate) fn to_invoiced(tx: &mut Tx<'_>, b: &mut Booking, said: &StatusInput) -> ServiceResult<()> {
    if matches!(b.status, Status::Pending | Status::Assigned) {
        let history = tx.unit.booking_history().status_history(b.id)?;
        if passed_completed(history.iter().map(|h| h.to)) {
            step(tx, b, Status::Completed, said)?;
        }
    }
    step(tx, b, Status::Invoiced, said)
}

/// With the reference of a payment that was made elsewhere, what is owed is written down as a transfer with that reference:
/// no card is charged for it any more.
fn to_payed(tx: &mut Tx<'_>, b: &mut Booking, said: &StatusInput) -> ServiceResult<()> {
    let reference = said.payment_reference.as_deref().map(str::trim).filter(|text| !text.is_empty());
    if let Some(reference) = reference
        && matches!(b.status, Status::Completed | Status::Invoiced)
    {
        if reference.chars().count() > by_hand::LONGEST_REFERENCE {
            return Err(Error::field("paymentReference", FieldProblem::TooLong));
        }
        if lease::under_way(tx.unit, b.id)? {
            return Err(ErrorCode::PaymentInFlight.into());
        }
        let rows = tx.unit.payments().of_booking(b.id)?;
        let owed = facts::owed(b, &rows);
        if owed.is_positive() {
            let (method, before) = (PaidWith::Etransfer, trail::snapshot(b));
            if by_hand::is_recorded(&rows, method, Some(reference)) {
                return Err(ErrorCode::PaymentRecorded.into());
            }
            by_hand::take(tx, b, owed, method, Some(reference.to_owned()))?;
            let mut after = trail::snapshot(b);
            after["payment"] = json!({ "method": method.code(), "amount": owed, "reference": reference });
            tx.audit("booking.receive", b.id, Some(before), Some(after))?;
        }
    }
    step(tx, b, Status::Payed, said)
}

/// Its customer was told that the move does not take place, and reads now that it does. Not when a question of before ended
/// with this very step, so that it is cancelled again.
fn confirmed_again(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    if b.status != Status::Pending {
        return Ok(());
    }
    let MoneyNow { plan, tip, .. } = money_of(tx.unit, b, tx.now)?;
    mailing::booking_taken_back(tx, b, &plan, tip.as_ref())
}

/// What a cancellation did to code and ledger is turned around; charges and capacity have effects of
/// their own.
fn taken_back(tx: &mut Tx<'_>, b: &Booking, kept: Option<kernel::Money>) -> ServiceResult<()> {
    if let Some(kept) = kept.filter(|k| k.is_positive()) {
        ledger::cancellation_undone(tx, b, kept)?;
    }
    let Some(code) = &b.discount_code else { return Ok(()) };
    match tx.unit.discounts().by_code(code)? {
        // Its last use may have gone to somebody else meanwhile.
        Some(found) => discounts::count_again(tx, found.id, b.id, b.user_id),
        None => Ok(()),
    }
}
