//! Paying before the effect exists: a booking charged in full at once, and an edit whose
//! difference is charged with it.
//!
//! intent (capacity reserved, checkout row, recovery job) → gateway → effect. Whatever is killed
//! in between, the recovery job finds the intent, asks the gateway what happened to its order id,
//! and completes the effect, waits while the charge may still arrive, or frees everything. Should a
//! charge be applied after its checkout was given up, `billing::late` books or returns it.

use chrono::Duration;
use kernel::{BookingId, HoldId, Money, UserId};
use policy::ChargeKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use status_machine::At;

use super::{draft::TipInput, made::Blueprint};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    billing::{charge::Settled, lease, looks, settle},
    capacity::{self, CapacityRequest},
    discounts,
    idempotency::Request,
    ports::{
        bookings::Booking,
        checkouts::{Checkout, CheckoutState},
        payments::{ChargeRequest, Initiator},
    },
    work::Work,
};

/// What a checkout pays for.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum CheckoutPurpose {
    /// A booking that does not exist yet.
    Book(Box<Blueprint>),
    /// A change of one that does.
    Edit(Box<PendingEdit>),
    /// What is owed for one that does, by a link.
    Pay(PendingPayment),
}

/// A payment by link as it is stored while it is at the gateway.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PendingPayment {
    /// What is paid for.
    pub booking: BookingId,
    /// Its account.
    pub user: UserId,
    /// Who pays: nobody who is signed in.
    pub by: Actor,
}

/// Uses of discount codes an edit takes and returns.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct CodeChange {
    pub take: Option<kernel::DiscountId>,
    pub give_back: Option<kernel::DiscountId>,
}

/// A prepared edit as it is stored while its charge is at the gateway.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PendingEdit {
    pub old: Booking,
    pub new: Booking,
    pub fee: Money,
    pub wanted: Option<CapacityRequest>,
    /// Not `kind`: that is the tag of [`CheckoutPurpose`], and two fields of one name cannot
    /// be read back.
    #[serde(rename = "chargeKind")]
    pub kind: ChargeKind,
    pub code: CodeChange,
    pub changes: Value,
    #[serde(default)]
    pub tip: Option<TipInput>,
    pub by: Actor,
}

/// A checkout as it is stored while its charge is at the gateway.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PendingCheckout {
    pub effect: CheckoutPurpose,
    /// The capacity kept meanwhile.
    pub reserved: Option<HoldId>,
    pub amount: Money,
    pub method_id: String,
    pub last4: String,
}

impl PendingCheckout {
    /// Whose money it is.
    fn user(&self) -> UserId {
        match &self.effect {
            CheckoutPurpose::Book(blueprint) => blueprint.booking.user_id,
            CheckoutPurpose::Edit(edit) => edit.old.user_id,
            CheckoutPurpose::Pay(pay) => pay.user,
        }
    }

    /// Who asked for it, whoever finishes it.
    pub(super) fn actor(&self) -> Actor {
        match &self.effect {
            CheckoutPurpose::Book(blueprint) => blueprint.actor(),
            CheckoutPurpose::Edit(edit) => edit.by.clone(),
            CheckoutPurpose::Pay(pay) => pay.by.clone(),
        }
    }
}

/// The recovery job looks into a checkout after this long, in real time: its owner is alive before.
const RECOVER_AFTER: Duration = Duration::seconds(20);
/// How long a time is kept for another try after a declined card.
const ANOTHER_TRY: Duration = Duration::minutes(10);

/// Writes the intent, and the job that looks into it should its owner leave it, not before he surely has.
pub(super) fn begin(
    tx: &mut Tx<'_>,
    id: BookingId,
    subject: BookingId,
    order_id: String,
    plan: &PendingCheckout,
    key: Option<&Request>,
) -> ServiceResult<Checkout> {
    let sent_at = tx.services.wall.now();
    let checkout = Checkout {
        booking_id: id,
        subject,
        user_id: plan.user(),
        order_id,
        state: At::charging(),
        plan: serde_json::to_value(plan).map_err(|e| Error::Internal(e.to_string()))?,
        idempotency: key.map(|k| (k.scope.clone(), k.key.clone())),
        created_at: tx.now,
        sent_at,
    };
    tx.unit.checkouts().insert(&checkout)?;
    tx.enqueue_held(&Work::RecoverCheckout { checkout_id: id }, sent_at + RECOVER_AFTER)?;
    Ok(checkout)
}

/// Takes a step of the checkouts' table: the one way in which the state of a checkout changes. False: somebody else has
/// ended it.
///
/// # Errors
/// When the table has no such step: a defect, so nothing of the unit of work happens.
pub(super) fn step(tx: &mut Tx<'_>, checkout: &Checkout, to: CheckoutState) -> ServiceResult<bool> {
    let (id, from, mut state) = (checkout.booking_id, *checkout.state, checkout.state);
    if !state.go(to) {
        return Err(Error::Internal(format!("checkout {id}: no step from {from} to {to}")));
    }
    let is_first = tx.unit.checkouts().set_state(id, from, to)?;
    if is_first {
        tracing::debug!(checkout = %id, table = "checkout", from = from.code(), to = to.code(), "a step");
    }
    Ok(is_first)
}

/// Charges a checkout. The order id is sent once, here; an unknown outcome is looked up.
pub(super) async fn charge(s: &Services, checkout: &Checkout, plan: &PendingCheckout, initiator: Initiator) -> Settled {
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

fn forget_key(tx: &mut Tx<'_>, checkout: &Checkout) -> ServiceResult<()> {
    if let Some((scope, key)) = &checkout.idempotency {
        tx.unit.idempotency().forget(scope, key)?;
    }
    Ok(())
}

/// No money moved: capacity and code go back, the key may be used again. The time of a customer who holds it stays
/// theirs for another try.
pub(super) async fn free(
    s: &Services,
    checkout: Checkout,
    plan: PendingCheckout,
    state: CheckoutState,
) -> ServiceResult<()> {
    s.write(plan.actor(), move |tx| {
        if !step(tx, &checkout, state)? {
            return Ok::<_, Error>(());
        }
        // The booking before its buckets, as everywhere.
        let subject = tx.unit.bookings().lock(checkout.subject)?;
        let recovery = Work::RecoverCheckout { checkout_id: checkout.booking_id };
        tx.withdraw(&recovery)?;
        if state == CheckoutState::Abandoned {
            looks::for_given_up(tx, &checkout.order_id)?;
        }
        forget_key(tx, &checkout)?;
        let customers_hold = match &plan.effect {
            CheckoutPurpose::Book(blueprint) => {
                if let Some(code) = blueprint.discount_id {
                    discounts::give_back(tx, code, blueprint.booking.id)?;
                }
                // Nobody knows the hold that this request made for itself: kept, it would shut its own customer out.
                blueprint.hold_id.is_some()
            }
            CheckoutPurpose::Edit(_) | CheckoutPurpose::Pay(_) => false,
        };
        if let Some(id) = plan.reserved {
            if customers_hold {
                let until = tx.now + ANOTHER_TRY;
                capacity::unreserve(tx, id, until)?;
                tx.enqueue_at(&Work::ExpireHold { hold_id: id }, until)?;
            } else if let Some(mut hold) = tx.unit.capacities().hold(id)? {
                capacity::give_back(tx, &mut hold, status_machine::hold::Event::GiveUp)?;
            }
        }
        // Whatever was decided about the booking meanwhile waited for this outcome.
        if let Some(mut booking) = subject {
            settle::settle(tx, &mut booking)?;
        }
        Ok(())
    })
    .await
}
