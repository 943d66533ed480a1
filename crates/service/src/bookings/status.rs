//! Status changes by staff, mates and the system, through the one table.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Language};
use policy::CancelledBy;
use pricing::MoveKind;
use status_machine::{
    Reason, Role as ActorRole,
    booking::{self, Effect, Facts, Guard, Status, passed_completed},
    hold::State as HoldState,
};

use super::{cancel, history};
use crate::{
    Caller, Error, ErrorCode, Role, ServiceResult, Services,
    billing::{facts, ledger, rows, settle},
    crews,
    holds::capacity::{self, Wanted},
    members,
    ports::{
        Unit,
        bookings::{Booking, StatusChange},
        payments::PaymentKind,
    },
};

/// What staff say with a status change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// Why.
    pub reason: Option<String>,
    /// Reference of a payment made elsewhere.
    pub payment_reference: Option<String>,
    /// Give up what the policy would keep.
    pub waive: bool,
    /// The customer did not appear or asked for it: judged as the customer's cancellation.
    pub customers_wish: bool,
    /// Language of messages.
    pub language: Option<Language>,
}

/// The role of a caller in the status table.
///
/// # Errors
/// `sign_in_needed` for guests.
pub(super) fn actor_role(caller: &Caller) -> ServiceResult<ActorRole> {
    match caller.role {
        Role::Guest => Err(ErrorCode::SignInNeeded.into()),
        Role::Customer => Ok(ActorRole::Customer),
        Role::Mate => Ok(ActorRole::Mate),
        Role::Partner => Ok(ActorRole::Partner),
        Role::Ops => Ok(ActorRole::Ops),
        Role::Admin => Ok(ActorRole::Admin),
    }
}

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
            let role = actor_role(&caller)?;
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
                    let outcome = cancel::settle_cancellation(u, &b, asked, said.waive, now)?;
                    let who = if said.customers_wish { "customer" } else { "company" };
                    cancel::apply(u, &ctx, &mut b, &outcome, who, said.reason.clone(), &by, now)?;
                }
                _ => step(u, &ctx, &mut b, to, role, &said, &by, now)?,
            }
            Ok(b)
        })
        .await?;
    s.bell.notify_one();
    Ok(booking)
}

/// Asks the table. False: it has that status already.
///
/// # Errors
/// `transition_refused` naming the allowed targets, `crew_missing`.
pub(super) fn decide(
    u: &mut dyn Unit,
    b: &Booking,
    to: Status,
    role: ActorRole,
    said: &Said,
    now: DateTime<Utc>,
) -> ServiceResult<bool> {
    Ok(effects(u, b, to, role, said, now)?.is_some())
}

fn effects(
    u: &mut dyn Unit,
    b: &Booking,
    to: Status,
    role: ActorRole,
    said: &Said,
    now: DateTime<Utc>,
) -> ServiceResult<Option<Vec<Effect>>> {
    let f = table_facts(u, b, to, said, now)?;
    match booking::transition(b.status, to, role, &f) {
        Ok(status_machine::Outcome::Unchanged) => Ok(None),
        // The table would let it, but there are no invoices yet, and both states say that there is one.
        Ok(status_machine::Outcome::Changed(_)) if needs_invoice(to) => Err(ErrorCode::InvoiceNeedsCompleted.into()),
        Ok(status_machine::Outcome::Changed(effects)) => Ok(Some(effects)),
        Err(refused) => {
            let allowed: Vec<&str> = refused.allowed.iter().filter(|a| !needs_invoice(**a)).map(|a| a.code()).collect();
            let code = match refused.reason {
                Reason::Guard(Guard::CrewFree | Guard::CrewRecorded) if to == Status::Assigned => {
                    ErrorCode::CrewMissing
                }
                _ => ErrorCode::TransitionRefused,
            };
            Err(Error::Refused(code, vec![("allowed", allowed.join(",")), ("reason", refused.to_string())]))
        }
    }
}

fn needs_invoice(to: Status) -> bool {
    matches!(to, Status::Invoiced | Status::Payed)
}

/// Who is on the booking, or could be: a crew is formed with the step, so the table is told of it before.
fn crew(u: &mut dyn Unit, b: &Booking, to: Status) -> ServiceResult<usize> {
    let recorded = u.crews().of_booking(b.id)?.len();
    let may_form = matches!(b.status, Status::Pending | Status::Completed);
    // A cancellation of a live booking is never refused, so it names no alternatives.
    if recorded > 0 || !may_form || to == Status::Cancelled && facts::live(b) {
        return Ok(recorded);
    }
    if to == Status::Assigned {
        u.crews().lock()?;
    }
    Ok(crews::possible(u, b)?.len())
}

fn table_facts(u: &mut dyn Unit, b: &Booking, to: Status, said: &Said, now: DateTime<Utc>) -> ServiceResult<Facts> {
    let crew = u32::try_from(crew(u, b, to)?).unwrap_or(u32::MAX);
    let rows = u.payments().of_booking(b.id)?;
    let history = u.bookings().status_history(b.id)?;
    let money = facts::facts(b, &rows);
    let last = |to: Status| history.iter().rev().find(|h| h.to == to).map(|h| h.at);
    let mates = u32::from(b.mate_count.get());
    Ok(Facts {
        now,
        start: b.move_at,
        own: true,
        reason_given: said.reason.as_ref().is_some_and(|r| !r.trim().is_empty()),
        payment_reference: said.payment_reference.as_ref().is_some_and(|r| !r.trim().is_empty()),
        crew,
        // Only free mates are chosen, and who is on it is taken for it.
        crew_free: true,
        mate_count: mates,
        delivers_items: matches!(b.move_kind, MoveKind::ItemDelivery | MoveKind::Curbside | MoveKind::WhiteGlove),
        passed_completed: passed_completed(history.iter().map(|h| h.to)),
        completed_at: b.completed_at,
        cancelled_at: b.cancelled_at,
        payed_at: last(Status::Payed),
        invoice_live: false,
        invoice_wanted: false,
        amount_due: money.missing(),
        net_paid: money.net(),
        refunds_open: rows.iter().any(|r| r.kind == PaymentKind::Refund && (facts::open(r) || facts::in_flight(r))),
        capacity_free: true,
        keeps_money: b.details.kept.is_some_and(kernel::Money::is_positive),
        previous: history.iter().rev().find(|h| h.to == Status::Deleted).and_then(|h| h.from),
    })
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
    let before = history::snapshot(b);
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
    append(u, b, from, by, said.reason.clone(), now)?;
    if to == Status::Deleted && from == Status::Pending {
        cancel::return_code(u, b)?;
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
        Some(history::snapshot(b)),
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
        Effect::ReleaseCapacity => release_capacity(u, b.id),
        Effect::TakeCapacity => take_again(u, s, b, now),
        Effect::ScheduleCharges => settle::resume(u, s, b, now),
        Effect::ScheduleTip => schedule_tip(u, s, b, now),
        Effect::WithdrawTipAndFeedback | Effect::VoidTip => withdraw_tip(u, b.id),
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

/// The tip is charged a day after the move was done; at most one charge of it is open.
fn schedule_tip(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    if u.payments().of_booking(b.id)?.iter().any(|r| r.kind == PaymentKind::Tip && facts::in_flight(r)) {
        return Ok(());
    }
    // What was given up before is asked for by the new one.
    withdraw_tip(u, b.id)?;
    let Some(tip) = u.tips().of_booking(b.id)?.filter(|t| !t.is_paid && t.amount.is_positive()) else { return Ok(()) };
    let due = policy::tip_due_at(&b.details.policy, b.completed_at.unwrap_or(now));
    let row = rows::scheduled(s, b.id, PaymentKind::Tip, tip.amount, due, now);
    u.payments().insert(&row)?;
    Ok(())
}

fn withdraw_tip(u: &mut dyn Unit, id: BookingId) -> ServiceResult<()> {
    let unpaid =
        |r: &crate::ports::payments::Payment| facts::open(r) || r.state == status_machine::payment::State::Failed;
    for row in u.payments().of_booking(id)?.into_iter().filter(|r| r.kind == PaymentKind::Tip && unpaid(r)) {
        settle::skip(u, row)?;
    }
    Ok(())
}

/// Appends to the status history.
pub(super) fn append(
    u: &mut dyn Unit,
    b: &Booking,
    from: Status,
    by: &members::Actor,
    reason: Option<String>,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    let change =
        StatusChange { from: Some(from), to: b.status, actor: by.user, role: by.role.clone(), at: now, reason };
    u.bookings().append_status(b.id, &change)?;
    Ok(())
}

/// Gives back what the booking's hold recorded.
pub(super) fn release_capacity(u: &mut dyn Unit, id: BookingId) -> ServiceResult<()> {
    if let Some(mut hold) = u.capacities().hold_of_booking(id)? {
        capacity::give_back(u, &mut hold, HoldState::Released)?;
    }
    Ok(())
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

/// What a stored booking occupies.
pub(super) fn wanted_of(b: &Booking) -> Wanted {
    use crate::{holds::hub_and_legs, moves::place_of};
    let d = &b.details;
    let (pickup, dropoff) =
        (place_of(&d.pickup.address, d.pickup.coordinates), place_of(&d.dropoff.address, d.dropoff.coordinates));
    let (to_pickup, from_dropoff) = hub_and_legs(&pickup, Some(&dropoff)).map_or((0, 0), |(_, a, b)| (a, b));
    Wanted {
        hub: b.hub.clone(),
        date: b.move_date,
        time: b.move_time,
        zone: b.zone,
        starts_at: b.move_at,
        duration_minutes: b.duration_minutes,
        mates: u32::from(b.mate_count.get()),
        tier: b.tier,
        just_mates: b.just_mates,
        to_pickup,
        from_dropoff,
        elevator_building: d.pickup.elevator > 0 || d.dropoff.elevator > 0,
    }
}

/// A tip changed after the move was done: its planned charge follows.
pub(crate) fn tip_changed(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    if b.completed_at.is_none() || !matches!(b.status, Status::Completed | Status::Invoiced | Status::Payed) {
        return Ok(());
    }
    withdraw_tip(u, b.id)?;
    schedule_tip(u, s, b, now)?;
    settle::wake(u, s, b, now)
}

/// Refuses while the charge of the tip is at the gateway.
///
/// # Errors
/// `payment_in_flight`.
pub(crate) fn tip_at_rest(u: &mut dyn Unit, id: BookingId) -> ServiceResult<()> {
    let under_way = u.payments().of_booking(id)?.iter().any(|r| r.kind == PaymentKind::Tip && facts::in_flight(r));
    if under_way { Err(ErrorCode::PaymentInFlight.into()) } else { Ok(()) }
}
