//! Ends a checkout: writes the booking or edit that was paid for, or frees everything it held.

use super::{
    change::Edited,
    checkout::{CheckoutPurpose, PendingCheckout, free, step},
    made::{self, Created},
    paid_edit, paid_link,
};
use crate::{
    Error, ErrorCode, ServiceResult, Services, Tx,
    billing::{
        charge::Settled,
        upfront::{self, Charge},
    },
    capacity,
    idempotency::{self, Request},
    mailing,
    ports::{
        Unit,
        bookings::Booking,
        checkouts::{Checkout, CheckoutState},
        payments::PaymentKind,
    },
    work::Work,
};

/// What a checkout came to.
pub(super) enum Finished {
    Booked(Box<Created>),
    Edited(Box<Edited>),
    Paid,
}

type Render = idempotency::Render<Created>;

/// Writes the effect, or frees what was kept.
pub(super) async fn finish(
    s: &Services,
    checkout: Checkout,
    plan: PendingCheckout,
    outcome: Settled,
    request: Option<Request>,
    render: Option<Render>,
) -> ServiceResult<Finished> {
    match outcome {
        Settled::Applied { transaction_id } => complete(s, checkout, plan, transaction_id, request, render).await,
        // The bank's own words are English and terse; the answer says what to do instead.
        Settled::Declined { reason } => {
            free(s, checkout, plan, CheckoutState::Declined).await?;
            Err(Error::Refused(ErrorCode::PaymentDeclined, vec![("reason", reason.code().to_owned())]))
        }
        Settled::NotDone => {
            free(s, checkout, plan, CheckoutState::Declined).await?;
            Err(ErrorCode::PaymentUnavailable.into())
        }
        Settled::Lost => {
            free(s, checkout, plan, CheckoutState::Abandoned).await?;
            Err(ErrorCode::PaymentUnavailable.into())
        }
        // The recovery job has the checkout; nothing is freed while money may have moved.
        Settled::Unknown => Err(ErrorCode::PaymentUnavailable.into()),
    }
}

pub(super) async fn complete(
    s: &Services,
    checkout: Checkout,
    plan: PendingCheckout,
    transaction_id: String,
    request: Option<Request>,
    render: Option<Render>,
) -> ServiceResult<Finished> {
    s.write(plan.actor(), move |tx| {
        let id = checkout.booking_id;
        if !step(tx, &checkout, CheckoutState::Booked)? {
            return finished_before(tx.unit, &plan);
        }
        tx.withdraw(&Work::RecoverCheckout { checkout_id: id })?;
        let charge = Charge {
            order_id: &checkout.order_id,
            transaction_id: &transaction_id,
            method_id: &plan.method_id,
            last4: &plan.last4,
            amount: plan.amount,
        };
        match &plan.effect {
            CheckoutPurpose::Book(blueprint) => {
                let mut booking = blueprint.booking.clone();
                made::insert_with_free_short_id(tx, &mut booking)?;
                if let Some(hold) = plan.reserved {
                    capacity::own(tx, hold, booking.id)?;
                }
                let mut made = made::record(tx, blueprint, booking, |tx, b| {
                    let row = upfront::book(tx, b, PaymentKind::Full, b.created_at, charge)?;
                    mailing::payment_made(tx, b, &row)
                })?;
                made.booking = lock_entered(tx, made.booking)?;
                answer_key(tx, request, render, &made)?;
                Ok(Finished::Booked(Box::new(made)))
            }
            CheckoutPurpose::Edit(edit) => {
                paid_edit::complete(tx, edit, plan.reserved, charge).map(|e| Finished::Edited(Box::new(e)))
            }
            CheckoutPurpose::Pay(pay) => paid_link::complete(tx, pay, charge).map(|()| Finished::Paid),
        }
    })
    .await
}

/// A booking charged in full at once is inside the 48-hour rule from its first moment.
fn lock_entered(tx: &mut Tx<'_>, mut booking: Booking) -> ServiceResult<Booking> {
    booking.details.lock_entered = true;
    booking.updated_at = tx.now;
    booking.version = tx.unit.bookings().update(&booking, booking.version)?;
    Ok(booking)
}

/// Somebody else (the recovery job, the request itself) finished first.
fn finished_before(u: &mut dyn Unit, plan: &PendingCheckout) -> ServiceResult<Finished> {
    match &plan.effect {
        CheckoutPurpose::Book(blueprint) => {
            let id = blueprint.booking.id;
            let made = u.bookings().get(id)?.ok_or(ErrorCode::BookingFailed)?;
            let tip = u.tips().of_booking(id)?;
            Ok(Finished::Booked(Box::new(made::answer(made, tip))))
        }
        CheckoutPurpose::Edit(edit) => paid_edit::finished_before(u, edit).map(|e| Finished::Edited(Box::new(e))),
        CheckoutPurpose::Pay(_) => Ok(Finished::Paid),
    }
}

/// Stores the answer of the key, so that a retry hears it. The recovery job cannot render one:
/// the key stays marked as being worked on, and [`replay`] finds the booking by its checkout.
fn answer_key(tx: &mut Tx<'_>, request: Option<Request>, render: Option<Render>, made: &Created) -> ServiceResult<()> {
    let (Some(request), Some(render)) = (request, render) else { return Ok(()) };
    let (status, body) = render(made);
    request.record(tx, status, body)
}
