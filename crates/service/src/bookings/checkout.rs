//! Paying before the effect exists: a booking charged in full at once, and an edit whose
//! difference is charged with it.
//!
//! intent (capacity reserved, checkout row, recovery job) → gateway → effect. Whatever is killed
//! in between, the recovery job finds the intent, asks the gateway what happened to its order id,
//! and completes the effect, waits while the charge may still arrive, or frees everything. Should a
//! charge be applied after its checkout was given up, `billing::late` books or returns it.

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, HoldId, JobId, Money};
use serde::{Deserialize, Serialize};

use super::{
    create::{self, Blueprint, Created},
    edit_checkout::EditPlan,
    same::{Asked, is_same},
};
use crate::{
    Error, ErrorCode, ServiceResult, Services,
    billing::{
        charge::Settled,
        late,
        lease::{self, Lease},
        settle,
    },
    holds::capacity::{self, Reserved},
    idempotency::{self, Answer, Guard, Request},
    jobs,
    ports::{
        Unit,
        bookings::{Booking, Checkout},
        jobs::NewJob,
        payments::{ChargeRequest, Initiator},
    },
};

/// What the payment is for.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Effect {
    /// A booking that does not exist yet.
    Book(Box<Blueprint>),
    /// A change of one that does.
    Edit(Box<EditPlan>),
}

/// A checkout's stored plan.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Plan {
    pub effect: Effect,
    /// The capacity kept meanwhile.
    pub reserved: Option<HoldId>,
    pub amount: Money,
    pub method_id: String,
    pub last4: String,
}

/// The recovery job looks into a checkout after this long, in real time: its owner is alive before.
const RECOVER_AFTER: Duration = Duration::seconds(20);
/// How long a time is kept for another try after a declined card.
const ANOTHER_TRY: Duration = Duration::minutes(10);

/// State of a checkout whose charge is at the gateway.
pub const CHARGING_STATE: &str = "charging";
pub(super) const BOOKED: &str = "booked";
pub(super) const DECLINED: &str = "declined";
/// State of a checkout that was given up: its charge was never seen and can no longer arrive.
pub const ABANDONED_STATE: &str = "abandoned";

fn job_key(id: BookingId) -> String {
    format!("checkout:{id}")
}

pub(super) fn recovery(s: &Services, id: BookingId, at: DateTime<Utc>, held_until: Option<DateTime<Utc>>) -> NewJob {
    NewJob {
        id: JobId(s.entropy.uuid(at)),
        kind: jobs::RECOVER_CHECKOUT.to_owned(),
        payload: serde_json::json!({ "checkoutId": id }),
        run_at: at,
        dedup_key: Some(job_key(id)),
        max_attempts: 200,
        held_until,
    }
}

/// A booking within 48 hours of its move.
pub(super) async fn pay_and_book(
    s: &Services,
    mut blueprint: Blueprint,
    guard: Option<Guard<Created>>,
    now: DateTime<Utc>,
) -> ServiceResult<Answer<Created>> {
    let (request, render) = match guard {
        Some(g) => (Some(g.request), Some(g.render)),
        None => (None, None),
    };
    let lease = Lease::of(s, blueprint.booking.id);
    let (ctx, key, owner) = (s.clone(), request.clone(), lease.clone());
    let begun = s
        .store
        .write(move |u| {
            if let Some(key) = &key {
                if let Some((status, body)) = key.replay(u, now)? {
                    return Ok::<_, Error>(Begun::Replayed(status, body));
                }
                key.record(u, now, 0, serde_json::Value::Null)?;
            }
            let user = blueprint.booking.user_id;
            blueprint.admit(u, now)?;
            let hold = match capacity::reserve(u, blueprint.hold_id, blueprint.fresh_hold_id, &blueprint.wanted, now)? {
                Reserved::Kept(hold) => hold,
                Reserved::Already(other) => {
                    let new = &blueprint.booking;
                    let asked = |b: &Booking| is_same(b, &Asked::of_booking(new));
                    let made = u.bookings().get(other)?.filter(|b| b.user_id == user && asked(b));
                    let made = made.ok_or(ErrorCode::SlotGone)?;
                    let tip = u.tips().of_booking(other)?;
                    return Ok(Begun::Made(Box::new(create::answer(made, tip))));
                }
            };
            create::take_code(u, &blueprint)?;
            let card = u.cards().current(user)?.ok_or(ErrorCode::CardRequired)?;
            for _ in 0..5 {
                if u.bookings().short_id_free(&blueprint.booking.short_id)? {
                    break;
                }
                blueprint.booking.short_id = create::short_id(&ctx);
            }
            let id = blueprint.booking.id;
            owner.hold(u, &ctx)?;
            let order_id = format!("{}-full-1", blueprint.booking.short_id);
            let plan = Plan {
                amount: blueprint.booking.total,
                effect: Effect::Book(Box::new(blueprint)),
                reserved: Some(hold),
                method_id: card.method_id,
                last4: card.last4,
            };
            let checkout = checkout_row(&ctx, id, id, user, order_id, &plan, key.as_ref(), now)?;
            u.bookings().insert_checkout(&checkout)?;
            u.jobs().enqueue(&recovery_job(&ctx, id, now))?;
            Ok(Begun::Charging(Box::new((checkout, plan))))
        })
        .await?;
    let (checkout, plan) = match begun {
        Begun::Replayed(status, body) => return Ok(Answer::Replayed { status, body }),
        Begun::Made(made) => return Ok(Answer::Fresh(*made)),
        Begun::Charging(work) => *work,
    };
    let ended = lease
        .during(s, async {
            let outcome = charge(s, &checkout, &plan, Initiator::Customer).await;
            finish(s, checkout, plan, outcome, request, render).await
        })
        .await;
    lease.give_back(s).await?;
    match ended? {
        Finished::Booked(made) => Ok(Answer::Fresh(*made)),
        Finished::Edited(_) => Err(Error::Internal("a booking's checkout ended as an edit".into())),
    }
}

enum Begun {
    Replayed(u16, serde_json::Value),
    Made(Box<Created>),
    Charging(Box<(Checkout, Plan)>),
}

#[allow(clippy::too_many_arguments, reason = "one row, column by column")]
pub(super) fn checkout_row(
    s: &Services,
    id: BookingId,
    subject: BookingId,
    user: kernel::UserId,
    order_id: String,
    plan: &Plan,
    key: Option<&Request>,
    now: DateTime<Utc>,
) -> ServiceResult<Checkout> {
    Ok(Checkout {
        booking_id: id,
        subject,
        user_id: user,
        order_id,
        state: CHARGING_STATE.to_owned(),
        plan: serde_json::to_value(plan).map_err(|e| Error::Internal(e.to_string()))?,
        idempotency: key.map(|k| (k.scope.clone(), k.key.clone())),
        created_at: now,
        sent_at: s.wall.now(),
    })
}

pub(super) fn recovery_job(s: &Services, id: BookingId, now: DateTime<Utc>) -> NewJob {
    recovery(s, id, now, Some(s.wall.now() + RECOVER_AFTER))
}

/// Charges a checkout. The order id is sent once, here; an unknown outcome is looked up.
pub(super) async fn charge(s: &Services, checkout: &Checkout, plan: &Plan, initiator: Initiator) -> Settled {
    if lease::too_late_to_send(s, checkout.sent_at) {
        return Settled::NotDone;
    }
    let request = ChargeRequest {
        order_id: checkout.order_id.clone(),
        method_id: plan.method_id.clone(),
        amount: plan.amount,
        tax: None,
        initiator,
    };
    match Settled::of(s.gateway.charge(&request).await) {
        Settled::Unknown => look_up(s, checkout).await,
        known => known,
    }
}

/// What the gateway's own list says. Its silence about something that may still arrive says nothing.
pub(super) async fn look_up(s: &Services, checkout: &Checkout) -> Settled {
    // Asked before the gateway is: what is dead now cannot be applied while it answers.
    let dead = lease::is_dead(s, checkout.sent_at);
    match s.gateway.find_by_order(&checkout.order_id).await {
        Ok(known) => Settled::seen(&known).unwrap_or(if dead { Settled::Lost } else { Settled::Unknown }),
        Err(_) => Settled::Unknown,
    }
}

/// What a checkout came to.
pub(super) enum Finished {
    Booked(Box<Created>),
    Edited(Box<super::edit::Edited>),
}

type Render = idempotency::Render<Created>;

/// Writes the effect, or frees what was kept.
pub(super) async fn finish(
    s: &Services,
    checkout: Checkout,
    plan: Plan,
    outcome: Settled,
    request: Option<Request>,
    render: Option<Render>,
) -> ServiceResult<Finished> {
    match outcome {
        Settled::Applied { transaction_id } => complete(s, checkout, plan, transaction_id, request, render).await,
        // The bank's own words are English and terse; the answer says what to do instead.
        Settled::Declined => {
            free(s, checkout, plan, DECLINED).await?;
            Err(ErrorCode::PaymentDeclined.into())
        }
        Settled::NotDone => {
            free(s, checkout, plan, DECLINED).await?;
            Err(ErrorCode::PaymentUnavailable.into())
        }
        Settled::Lost => {
            free(s, checkout, plan, ABANDONED_STATE).await?;
            Err(ErrorCode::PaymentUnavailable.into())
        }
        // The recovery job has the checkout; nothing is freed while money may have moved.
        Settled::Unknown => Err(ErrorCode::PaymentUnavailable.into()),
    }
}

pub(super) async fn complete(
    s: &Services,
    checkout: Checkout,
    plan: Plan,
    transaction_id: String,
    request: Option<Request>,
    render: Option<Render>,
) -> ServiceResult<Finished> {
    let ctx = s.clone();
    let done = s
        .store
        .write(move |u| {
            let (id, now) = (checkout.booking_id, ctx.clock.now());
            if !u.bookings().set_checkout_state(id, CHARGING_STATE, BOOKED)? {
                return finished_before(u, &plan);
            }
            u.jobs().withdraw(&job_key(id))?;
            let card = (plan.method_id.as_str(), plan.last4.as_str());
            match &plan.effect {
                Effect::Book(blueprint) => {
                    let mut booking = blueprint.booking.clone();
                    create::insert_with_free_short_id(u, &ctx, &mut booking)?;
                    if let Some(hold) = plan.reserved {
                        capacity::own(u, hold, booking.id)?;
                    }
                    let made = create::record(u, &ctx, blueprint, booking, now, |u, b| {
                        create::paid_rows(u, &ctx, b, &checkout.order_id, &transaction_id, card, now)
                    })?;
                    let mut made = made;
                    made.booking = lock_entered(u, made.booking)?;
                    answer_key(u, request, render, &made, now)?;
                    Ok(Finished::Booked(Box::new(made)))
                }
                Effect::Edit(edit) => {
                    let edited = super::edit_checkout::complete(
                        u,
                        &ctx,
                        edit,
                        plan.reserved,
                        &checkout.order_id,
                        &transaction_id,
                        card,
                        plan.amount,
                        now,
                    )?;
                    Ok(Finished::Edited(Box::new(edited)))
                }
            }
        })
        .await?;
    s.bell.notify_one();
    Ok(done)
}

/// A booking charged in full at once is inside the 48-hour rule from its first moment.
fn lock_entered(u: &mut dyn Unit, mut booking: Booking) -> ServiceResult<Booking> {
    booking.details.lock_entered = true;
    booking.version = u.bookings().update(&booking, booking.version)?;
    Ok(booking)
}

/// Somebody else (the recovery job, the request itself) finished first.
fn finished_before(u: &mut dyn Unit, plan: &Plan) -> ServiceResult<Finished> {
    match &plan.effect {
        Effect::Book(blueprint) => {
            let id = blueprint.booking.id;
            let made = u.bookings().get(id)?.ok_or(ErrorCode::BookingFailed)?;
            let tip = u.tips().of_booking(id)?;
            Ok(Finished::Booked(Box::new(create::answer(made, tip))))
        }
        Effect::Edit(edit) => super::edit_checkout::finished_before(u, edit).map(|e| Finished::Edited(Box::new(e))),
    }
}

/// Stores the answer of the key, so that a retry hears it. The recovery job cannot render one:
/// the key stays marked as being worked on, and [`replay`] finds the booking by its checkout.
fn answer_key(
    u: &mut dyn Unit,
    request: Option<Request>,
    render: Option<Render>,
    made: &Created,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    let (Some(request), Some(render)) = (request, render) else { return Ok(()) };
    let (status, body) = render(made);
    request.record(u, now, status, body)
}

fn forget_key(u: &mut dyn Unit, checkout: &Checkout) -> ServiceResult<()> {
    if let Some((scope, key)) = &checkout.idempotency {
        u.idempotency().forget(scope, key)?;
    }
    Ok(())
}

/// No money moved: capacity and code go back, the key may be used again. The time of a customer who holds it stays
/// theirs for another try.
pub(super) async fn free(s: &Services, checkout: Checkout, plan: Plan, state: &'static str) -> ServiceResult<()> {
    let now = s.clock.now();
    let ctx = s.clone();
    s.store
        .write(move |u| {
            if !u.bookings().set_checkout_state(checkout.booking_id, CHARGING_STATE, state)? {
                return Ok::<_, Error>(());
            }
            // The booking before its buckets, as everywhere.
            let subject = u.bookings().lock(checkout.subject)?;
            u.jobs().withdraw(&job_key(checkout.booking_id))?;
            if state == ABANDONED_STATE {
                late::watch_for(u, &ctx, &checkout.order_id, now)?;
            }
            forget_key(u, &checkout)?;
            let customers_hold = match &plan.effect {
                Effect::Book(blueprint) => {
                    if let Some(code) = blueprint.discount_id {
                        u.discounts().return_use(code)?;
                    }
                    // Nobody knows the hold that this request made for itself: kept, it would shut its own customer out.
                    blueprint.hold_id.is_some()
                }
                Effect::Edit(_) => false,
            };
            if let Some(id) = plan.reserved {
                if customers_hold {
                    let until = now + ANOTHER_TRY;
                    capacity::unreserve(u, id, until)?;
                    u.jobs().enqueue(&jobs::expire_hold(&ctx, id, until))?;
                } else if let Some(mut hold) = u.capacities().hold(id)? {
                    capacity::give_back(u, &mut hold, status_machine::hold::State::Released)?;
                }
            }
            // Whatever was decided about the booking meanwhile waited for this outcome.
            if let Some(booking) = subject {
                settle::settle(u, &ctx, &booking, now)?;
            }
            Ok(())
        })
        .await
}
