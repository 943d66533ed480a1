//! Writes a new booking and all that comes with it, whether it is charged before or later.

use kernel::{HoldId, ShortId, UserId};
use policy::PaymentPlan;
use serde::{Deserialize, Serialize};
use status_machine::booking::Status;

use super::{
    ceiling::{Booker, Place},
    links, trail,
};
use crate::{
    Actor, ServiceResult, Services, Tx,
    accounts::desk::Contact,
    billing::facts::plan_of,
    capacity::CapacityRequest,
    discounts, mailing,
    ports::{
        StoreError,
        bookings::{Booking, PaidBy},
        discounts::StoredDiscount,
        history::StatusChange,
        quote_requests::QuoteRequestId,
        tips::Tip,
    },
    quote_requests,
};

/// What the customer gets back.
#[derive(Debug, Clone)]
pub struct Created {
    /// The booking.
    pub booking: Booking,
    /// Its dated charges.
    pub plan: PaymentPlan,
    /// Its tip, when one was given.
    pub tip: Option<Tip>,
}

/// Everything that is written when a booking is made; stored whole while a full payment is at
/// the gateway.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Blueprint {
    pub booking: Booking,
    pub tip: Option<Tip>,
    pub wanted: CapacityRequest,
    pub hold_id: Option<HoldId>,
    pub fresh_hold_id: HoldId,
    pub discount_id: Option<kernel::DiscountId>,
    /// The code by the terms of the mailed quote whose price it has.
    #[serde(default)]
    pub promised: Option<StoredDiscount>,
    pub request_id: Option<String>,
    pub role: status_machine::Role,
    /// Who books; not kept while a payment is at the gateway: then they were let in already.
    #[serde(skip)]
    pub booker: Option<Booker>,
    /// Who presses the button, where it is not the customer.
    #[serde(default)]
    pub by: Option<UserId>,
    /// Whom staff book for; not kept while a payment is at the gateway: that is the card of a known account.
    #[serde(skip)]
    pub contact: Option<Contact>,
    /// The request for a quote that it answers.
    #[serde(default)]
    pub answers: Option<QuoteRequestId>,
}

impl Blueprint {
    /// Who books, whoever finishes it.
    pub(super) fn actor(&self) -> Actor {
        Actor {
            user: self.by.or(Some(self.booking.user_id)),
            role: Some(self.role),
            request_id: self.request_id.clone(),
        }
    }

    /// See [`Booker::admit`].
    ///
    /// # Errors
    /// As there.
    pub(super) fn admit(&self, tx: &mut Tx<'_>) -> ServiceResult<()> {
        let place = Place { hub: &self.wanted.hub, date: self.wanted.date };
        self.booker.as_ref().map_or(Ok(()), |booker| booker.admit(tx, place))
    }
}

pub(super) fn answer(booking: Booking, tip: Option<Tip>) -> Created {
    let plan = plan_of(&booking);
    Created { booking, plan, tip }
}

pub(super) fn short_id(s: &Services) -> ShortId {
    let mut bytes = [0u8; 6];
    s.entropy.fill(&mut bytes);
    ShortId::from_entropy(bytes)
}

/// Counts a use of the discount code, if one is used, for the customer whose booking it is.
///
/// # Errors
/// See [`discounts::take`] and [`discounts::take_promised`].
pub(super) fn take_code(tx: &mut Tx<'_>, plan: &Blueprint, user: UserId) -> ServiceResult<()> {
    let Some(code) = plan.discount_id else { return Ok(()) };
    match plan.promised.as_ref().filter(|kept| kept.id == code) {
        Some(kept) => discounts::take_promised(tx, kept, plan.booking.id, user),
        None => discounts::take(tx, code, plan.booking.id, user),
    }
}

/// Everything that goes with an inserted booking.
pub(super) fn record(
    tx: &mut Tx<'_>,
    plan: &Blueprint,
    booking: Booking,
    money: impl FnOnce(&mut Tx<'_>, &Booking) -> ServiceResult<()>,
) -> ServiceResult<Created> {
    let change = StatusChange {
        from: None,
        to: Status::Pending,
        actor: tx.actor.user,
        role: tx.actor.role,
        at: tx.now,
        reason: None,
    };
    tx.unit.booking_history().append_status(booking.id, &change)?;
    let tip = plan.tip.clone();
    if let Some(tip) = &tip {
        tx.unit.tips().put(tip)?;
    }
    money(tx, &booking)?;
    let charge_plan = plan_of(&booking);
    mailing::booking_confirmed(tx, &booking, &charge_plan, tip.as_ref())?;
    if booking.details.paid_by == PaidBy::Link {
        links::send(tx, &booking)?;
    }
    mailing::reminders::schedule(tx, &booking)?;
    tx.audit("booking.create", booking.id, None, Some(trail::snapshot(&booking)))?;
    if let Some(request) = plan.answers {
        quote_requests::booked(tx, request, &booking)?;
    }
    Ok(Created { booking, plan: charge_plan, tip })
}

/// A short id that is taken is drawn again; with 30^6 of them that is rare but certain one day.
pub(super) fn insert_with_free_short_id(tx: &mut Tx<'_>, booking: &mut Booking) -> ServiceResult<()> {
    for _ in 0..5 {
        match tx.unit.bookings().insert(booking) {
            Err(StoreError::Duplicate(_)) => booking.short_id = short_id(tx.services),
            ended => return Ok(ended?),
        }
    }
    Err(StoreError::Busy.into())
}
