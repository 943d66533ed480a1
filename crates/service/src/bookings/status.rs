//! Status changes by staff, mates and the system, through the one table.

use chrono::{DateTime, Utc};
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
    Caller, Error, ErrorCode, ServiceResult, Services,
    billing::{facts, ledger, settle, tips},
    capacity::{self, wanted_of},
    crews, members,
    ports::{Unit, bookings::Booking},
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
    let (ctx, caller) = (s.clone(), caller.clone());
    let booking = s
        .store
        .write(move |u| {
            let mut b = u.bookings().lock(id)?.ok_or(ErrorCode::NotFound)?;
            // As `cancel::cancel`.
            let now = ctx.clock.now();
            let role = caller.acts_as()?;
            if !decide(u, &b, to, role, &said, now)? {
                return Ok::<_, Error>(b);
            }
            if let Some(language) = said.language {
                b.language = language;
            }
            let by = members::Actor::caller(&caller);
            match to {
                Status::Cancelled => {
                    let asked = if said.customers_wish { CancelledBy::Customer } else { CancelledBy::Company };
                    let outcome = cancellation::outcome_of(u, &b, asked, said.waive, now)?;
                    let who = if said.customers_wish { "customer" } else { "company" };
                    cancellation::apply(u, &ctx, &mut b, &outcome, who, said.reason.clone(), &by, now)?;
                }
                _ => step(u, &ctx, &mut b, to, role, &said, &by, now)?,
            }
            Ok(b)
        })
        .await?;
    s.bell.notify_one();
    Ok(booking)
}

#[allow(clippy::too_many_arguments, reason = "one transition's whole context, private to this file")]
fn step(
    u: &mut dyn Unit,
    s: &Services,
    b: &mut Booking,
    to: Status,
    role: ActorRole,
    said: &Said,
    by: &members::Actor,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    let effects = effects(u, b, to, role, said, now)?.unwrap_or_default();
    let before = trail::snapshot(b);
    let from = b.status;
    b.status = to;
    b.updated_at = now;
    if to == Status::Completed && (b.completed_at.is_none() || !matches!(from, Status::Invoiced | Status::Payed)) {
        b.completed_at = Some(now);
    }
    let kept = b.details.kept.filter(|_| to == Status::Pending);
    if to == Status::Pending && from == Status::Cancelled {
        b.cancelled_at = None;
        b.details.kept = None;
        b.details.cancelled_by = None;
        b.details.cancel_reason = None;
        // Everything went back, and the move was postponed before: its 48-hour instant is ahead.
        let rows = u.payments().of_booking(b.id)?;
        if !facts::held(&rows).is_positive() && now < facts::lock_at(b) {
            b.details.lock_entered = false;
        }
    }
    b.version = u.bookings().update(b, b.version)?;
    trail::append(u, b, from, by, said.reason.clone(), now)?;
    if to == Status::Deleted && from == Status::Pending {
        cancellation::return_code(u, b)?;
    }
    if to == Status::Pending && matches!(from, Status::Cancelled | Status::Deleted) {
        taken_back(u, s, b, kept, now)?;
    }
    for effect in effects {
        carry_out(u, s, b, effect, by, now)?;
    }
    match (from, to) {
        (_, Status::Completed) if from != Status::Invoiced => ledger::completion(u, s, b, now)?,
        (Status::Completed, Status::Assigned) => ledger::completion_undone(u, s, b, now)?,
        _ => {}
    }
    settle::settle(u, s, b, now)?;
    crate::mailing::reminders::schedule(u, s, b, now)?;
    members::audit(
        u,
        s,
        now,
        by.clone(),
        "booking.status",
        ("booking", &b.id.to_string()),
        Some(before),
        Some(trail::snapshot(b)),
    )
}

/// What a cancellation did to code and ledger is turned around; charges and capacity have effects of
/// their own.
fn taken_back(
    u: &mut dyn Unit,
    s: &Services,
    b: &Booking,
    kept: Option<kernel::Money>,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    if let Some(kept) = kept.filter(|k| k.is_positive()) {
        ledger::cancellation_undone(u, s, b, kept, now)?;
    }
    let Some(code) = &b.discount_code else { return Ok(()) };
    match u.discounts().by_code(code)? {
        // Its last use may have gone to somebody else meanwhile.
        Some(found) if !u.discounts().take_use(found.id)? => Err(ErrorCode::DiscountInvalid.into()),
        _ => Ok(()),
    }
}

/// What the back office adds later (invoices, delivery tasks, feedback) has its own effects; those of
/// money, capacity and crews are carried out here.
fn carry_out(
    u: &mut dyn Unit,
    s: &Services,
    b: &Booking,
    effect: Effect,
    by: &members::Actor,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    match effect {
        Effect::ReleaseCapacity => capacity::release(u, b.id),
        Effect::TakeCapacity => take_again(u, s, b, now),
        Effect::ScheduleCharges => settle::resume(u, s, b, now),
        Effect::ScheduleTip => tips::schedule(u, s, b, now),
        Effect::WithdrawTipAndFeedback | Effect::VoidTip => tips::withdraw(u, b.id),
        Effect::AssignMates => crews::assign(u, s, b, by, now),
        Effect::ReleaseMates => crews::release(u, s, b, by, now),
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
fn take_again(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    let wanted = wanted_of(b);
    let mut hold =
        capacity::take(u, kernel::HoldId(s.entropy.uuid(now)), &wanted, HoldState::Converted, now, None, now)?;
    hold.booking_id = Some(b.id);
    u.capacities().insert_hold(&hold)?;
    Ok(())
}
