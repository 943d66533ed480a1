//! Status changes by staff, mates and the system, through the one table.

use kernel::BookingId;
use policy::CancelledBy;
use status_machine::{
    Role as ActorRole,
    booking::{Effect, Status},
    hold::State as HoldState,
};

pub use super::transition::Said;
use super::{
    cancellation, trail,
    transition::{decide, effects},
};
use crate::{
    Caller, Error, ErrorCode, ServiceResult, Services, Tx,
    billing::{facts, ledger, settle, tips},
    capacity::{self, wanted_of},
    crews,
    ports::bookings::Booking,
};

/// `PUT /bookings/status/{id}`: staff move a booking along the table.
///
/// # Errors
/// `not_found`, `transition_refused` naming the allowed targets, `crew_missing` when nobody can be assigned.
pub async fn set(s: &Services, caller: &Caller, id: BookingId, to: Status, said: Said) -> ServiceResult<Booking> {
    if !caller.role.is_staff() {
        return Err(ErrorCode::Forbidden.into());
    }
    if to == Status::Cancelled {
        crate::billing::charge::before_action(s, id).await?;
    }
    s.write(caller.actor(), move |tx| {
        let mut b = tx.unit.bookings().lock(id)?.ok_or(ErrorCode::NotFound)?;
        // As `cancel::cancel`.
        tx.look_at_clock();
        let role = tx.actor.acts_as()?;
        if !decide(tx.unit, &b, to, role, &said, tx.now)? {
            return Ok::<_, Error>(b);
        }
        if let Some(language) = said.language {
            b.language = language;
        }
        match to {
            Status::Cancelled => {
                let asked = if said.customers_wish { CancelledBy::Customer } else { CancelledBy::Company };
                let outcome = cancellation::outcome_of(tx.unit, &b, asked, said.waive, tx.now)?;
                let who = if said.customers_wish { "customer" } else { "company" };
                cancellation::apply(tx, &mut b, &outcome, who, said.reason.clone())?;
            }
            _ => step(tx, &mut b, to, role, &said)?,
        }
        Ok(b)
    })
    .await
}

fn step(tx: &mut Tx<'_>, b: &mut Booking, to: Status, role: ActorRole, said: &Said) -> ServiceResult<()> {
    let effects = effects(tx.unit, b, to, role, said, tx.now)?.unwrap_or_default();
    let before = trail::snapshot(b);
    let from = b.status;
    b.status = to;
    b.updated_at = tx.now;
    if to == Status::Completed && (b.completed_at.is_none() || !matches!(from, Status::Invoiced | Status::Payed)) {
        b.completed_at = Some(tx.now);
    }
    let kept = b.details.kept.filter(|_| to == Status::Pending);
    if to == Status::Pending && from == Status::Cancelled {
        b.cancelled_at = None;
        b.details.kept = None;
        b.details.cancelled_by = None;
        b.details.cancel_reason = None;
        // Everything went back, and the move was postponed before: its 48-hour instant is ahead.
        let rows = tx.unit.payments().of_booking(b.id)?;
        if !facts::held(&rows).is_positive() && tx.now < facts::lock_at(b) {
            b.details.lock_entered = false;
        }
    }
    b.version = tx.unit.bookings().update(b, b.version)?;
    trail::append(tx, b, from, said.reason.clone())?;
    if to == Status::Deleted && from == Status::Pending {
        cancellation::return_code(tx, b)?;
    }
    if to == Status::Pending && matches!(from, Status::Cancelled | Status::Deleted) {
        taken_back(tx, b, kept)?;
    }
    for effect in effects {
        carry_out(tx, b, effect)?;
    }
    match (from, to) {
        (_, Status::Completed) if from != Status::Invoiced => ledger::completion(tx, b)?,
        (Status::Completed, Status::Assigned) => ledger::completion_undone(tx, b)?,
        _ => {}
    }
    settle::settle(tx, b)?;
    crate::mailing::reminders::schedule(tx, b)?;
    Ok(tx.audit("booking.status", b.id, Some(before), Some(trail::snapshot(b)))?)
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
        Some(found) if !tx.unit.discounts().take_use(found.id)? => Err(ErrorCode::DiscountInvalid.into()),
        _ => Ok(()),
    }
}

/// What the back office adds later (invoices, delivery tasks, feedback) has its own effects; those of
/// money, capacity and crews are carried out here.
fn carry_out(tx: &mut Tx<'_>, b: &Booking, effect: Effect) -> ServiceResult<()> {
    match effect {
        Effect::ReleaseCapacity => capacity::release(tx, b.id),
        Effect::TakeCapacity => take_again(tx, b),
        Effect::ScheduleCharges => settle::resume(tx, b),
        Effect::ScheduleTip => tips::schedule(tx, b),
        Effect::WithdrawTipAndFeedback | Effect::VoidTip => tips::withdraw(tx, b.id),
        Effect::AssignMates => crews::assign(tx, b),
        Effect::ReleaseMates => crews::release(tx, b),
        Effect::ConvertHold
        | Effect::WithdrawCharges
        | Effect::SettleCancellation
        | Effect::IssueCancellationInvoice
        | Effect::RecordCompletion
        | Effect::ScheduleFeedback
        | Effect::IssueInvoice
        | Effect::CreateDeliveryTask
        | Effect::CancelDeliveryTasks
        | Effect::Send(_) => Ok(()),
    }
}

/// A cancelled booking taken back needs its time again, all or nothing.
fn take_again(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let wanted = wanted_of(b);
    let mut hold = capacity::take(tx, kernel::HoldId(tx.id()), &wanted, HoldState::Converted, tx.now, None)?;
    hold.booking_id = Some(b.id);
    tx.unit.capacities().insert_hold(&hold)?;
    Ok(())
}
