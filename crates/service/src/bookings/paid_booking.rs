//! A booking that is charged in full before it exists: its move is within 48 hours.

use super::{
    checkout::{self, CheckoutPurpose, PendingCheckout},
    finish::{Finished, finish},
    made::{self, Blueprint, Created},
    same::{BookingFingerprint, is_same},
};
use crate::{
    Error, ErrorCode, ServiceResult, Services,
    billing::lease::Lease,
    capacity::{self, Reserved},
    idempotency::{Guard, Replayable},
    ports::{bookings::Booking, checkouts::Checkout, payments::Initiator},
};

/// A booking within 48 hours of its move.
pub(super) async fn pay_and_book(
    s: &Services,
    mut blueprint: Blueprint,
    guard: Option<Guard<Created>>,
) -> ServiceResult<Replayable<Created>> {
    let (request, render) = match guard {
        Some(g) => (Some(g.request), Some(g.render)),
        None => (None, None),
    };
    let lease = Lease::of(s, blueprint.booking.id);
    let (key, owner) = (request.clone(), lease.clone());
    let begun = s
        .write(blueprint.actor(), move |tx| {
            if let Some(key) = &key {
                if let Some((status, body)) = key.replay(tx.unit, blueprint.booking.created_at)? {
                    return Ok::<_, Error>(CheckoutStart::Replayed(status, body));
                }
                key.record(tx, 0, serde_json::Value::Null)?;
            }
            let user = blueprint.booking.user_id;
            blueprint.admit(tx)?;
            let hold = match capacity::reserve(tx, blueprint.hold_id, blueprint.fresh_hold_id, &blueprint.wanted)? {
                Reserved::Kept(kept) => kept.without_owner(tx)?,
                Reserved::Already(other) => {
                    let new = &blueprint.booking;
                    let asked = |b: &Booking| is_same(b, &BookingFingerprint::of_booking(new));
                    let made = tx.unit.bookings().get(other)?.filter(|b| b.user_id == user && asked(b));
                    let made = made.ok_or(ErrorCode::SlotGone)?;
                    let tip = tx.unit.tips().of_booking(other)?;
                    return Ok(CheckoutStart::Made(Box::new(made::answer(made, tip))));
                }
            };
            made::take_code(tx, &blueprint, user)?;
            let card = tx.unit.cards().current(user)?.ok_or(ErrorCode::CardRequired)?;
            for _ in 0..5 {
                if tx.unit.bookings().of_short_id(&blueprint.booking.short_id)?.is_none() {
                    break;
                }
                blueprint.booking.short_id = made::short_id(tx.services);
            }
            let id = blueprint.booking.id;
            owner.hold(tx)?;
            let order_id = format!("{}-full-1", blueprint.booking.short_id);
            let plan = PendingCheckout {
                amount: blueprint.booking.total,
                effect: CheckoutPurpose::Book(Box::new(blueprint)),
                reserved: Some(hold),
                method_id: card.method_id,
                last4: card.last4,
            };
            let checkout = checkout::begin(tx, id, id, order_id, &plan, key.as_ref())?;
            Ok(CheckoutStart::Charging(Box::new((checkout, plan))))
        })
        .await?;
    let (checkout, plan) = match begun {
        CheckoutStart::Replayed(status, body) => return Ok(Replayable::Replayed { status, body }),
        CheckoutStart::Made(made) => return Ok(Replayable::Fresh(*made)),
        CheckoutStart::Charging(work) => *work,
    };
    let ended = lease
        .during(s, async {
            let outcome = checkout::charge(s, &checkout, &plan, Initiator::Customer).await;
            finish(s, checkout, plan, outcome, request, render).await
        })
        .await;
    lease.give_back(s).await?;
    match ended? {
        Finished::Booked(made) => Ok(Replayable::Fresh(*made)),
        Finished::Edited(_) | Finished::Paid => {
            Err(Error::Internal("a booking's checkout ended as something else".into()))
        }
    }
}

enum CheckoutStart {
    Replayed(u16, serde_json::Value),
    Made(Box<Created>),
    Charging(Box<(Checkout, PendingCheckout)>),
}
