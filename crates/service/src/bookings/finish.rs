//! The end of a checkout: the effect that was paid for, or everything freed.

use chrono::{DateTime, Utc};

use super::{
    change::Edited,
    checkout::{Effect, Plan, free},
    made::{self, Created},
    paid_edit,
};
use crate::{
    ErrorCode, ServiceResult, Services,
    billing::charge::Settled,
    capacity,
    idempotency::{self, Request},
    ports::{
        Unit,
        bookings::{Booking, Checkout, checkout_state},
    },
    work::Work,
};

/// What a checkout came to.
pub(super) enum Finished {
    Booked(Box<Created>),
    Edited(Box<Edited>),
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
            free(s, checkout, plan, checkout_state::DECLINED).await?;
            Err(ErrorCode::PaymentDeclined.into())
        }
        Settled::NotDone => {
            free(s, checkout, plan, checkout_state::DECLINED).await?;
            Err(ErrorCode::PaymentUnavailable.into())
        }
        Settled::Lost => {
            free(s, checkout, plan, checkout_state::ABANDONED).await?;
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
            if !u.bookings().set_checkout_state(id, checkout_state::CHARGING, checkout_state::BOOKED)? {
                return finished_before(u, &plan);
            }
            let recovery = Work::RecoverCheckout { checkout_id: id };
            u.jobs().withdraw(&recovery.key().unwrap_or_default())?;
            let card = (plan.method_id.as_str(), plan.last4.as_str());
            match &plan.effect {
                Effect::Book(blueprint) => {
                    let mut booking = blueprint.booking.clone();
                    made::insert_with_free_short_id(u, &ctx, &mut booking)?;
                    if let Some(hold) = plan.reserved {
                        capacity::own(u, hold, booking.id)?;
                    }
                    let made = made::record(u, &ctx, blueprint, booking, now, |u, b| {
                        made::paid_rows(u, &ctx, b, &checkout.order_id, &transaction_id, card, now)
                    })?;
                    let mut made = made;
                    made.booking = lock_entered(u, made.booking, now)?;
                    answer_key(u, request, render, &made, now)?;
                    Ok(Finished::Booked(Box::new(made)))
                }
                Effect::Edit(edit) => {
                    let edited = paid_edit::complete(
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
fn lock_entered(u: &mut dyn Unit, mut booking: Booking, now: DateTime<Utc>) -> ServiceResult<Booking> {
    booking.details.lock_entered = true;
    booking.updated_at = now;
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
            Ok(Finished::Booked(Box::new(made::answer(made, tip))))
        }
        Effect::Edit(edit) => paid_edit::finished_before(u, edit).map(|e| Finished::Edited(Box::new(e))),
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
