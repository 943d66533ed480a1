//! What is written when a booking is made, whichever way its money takes.

use chrono::{DateTime, Utc};
use kernel::{HoldId, PaymentId, ShortId};
use policy::PaymentPlan;
use serde::{Deserialize, Serialize};
use status_machine::{booking::Status, payment::State};

use super::{
    ceiling::{Booker, Place},
    trail,
};
use crate::{
    ErrorCode, ServiceResult, Services,
    billing::{ledger, looks, rows},
    capacity::Wanted,
    mailing, members,
    ports::{
        StoreError, Unit,
        bookings::{Booking, StatusChange},
        payments::{Attempt, AttemptState, PaymentKind},
        tips::Tip,
    },
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
    pub wanted: Wanted,
    pub hold_id: Option<HoldId>,
    pub fresh_hold_id: HoldId,
    pub discount_id: Option<kernel::DiscountId>,
    pub request_id: Option<String>,
    pub role: String,
    /// Who books; not kept while a payment is at the gateway: then they were let in already.
    #[serde(skip)]
    pub booker: Option<Booker>,
}

impl Blueprint {
    /// See [`Booker::admit`].
    ///
    /// # Errors
    /// As there.
    pub(super) fn admit(&self, u: &mut dyn Unit, now: DateTime<Utc>) -> ServiceResult<()> {
        let place = Place { hub: &self.wanted.hub, date: self.wanted.date };
        self.booker.as_ref().map_or(Ok(()), |booker| booker.admit(u, place, now))
    }
}

pub(super) fn answer(booking: Booking, tip: Option<Tip>) -> Created {
    let plan = policy::plan(&booking.details.policy, booking.total, booking.created_at, booking.move_at);
    Created { booking, plan, tip }
}

pub(super) fn short_id(s: &Services) -> ShortId {
    let mut bytes = [0u8; 6];
    s.entropy.fill(&mut bytes);
    ShortId::from_entropy(bytes)
}

/// Counts a use of the discount code, if one is used.
///
/// # Errors
/// `discount_not_found` when the last use is gone.
pub(super) fn take_code(u: &mut dyn Unit, plan: &Blueprint) -> ServiceResult<()> {
    match plan.discount_id {
        Some(code) if !u.discounts().take_use(code)? => Err(ErrorCode::DiscountInvalid.into()),
        _ => Ok(()),
    }
}

/// Everything that goes with an inserted booking.
pub(super) fn record(
    u: &mut dyn Unit,
    s: &Services,
    plan: &Blueprint,
    booking: Booking,
    now: DateTime<Utc>,
    money: impl FnOnce(&mut dyn Unit, &Booking) -> ServiceResult<()>,
) -> ServiceResult<Created> {
    let change = StatusChange {
        from: None,
        to: Status::Pending,
        actor: Some(booking.user_id),
        role: plan.role.clone(),
        at: now,
        reason: None,
    };
    u.bookings().append_status(booking.id, &change)?;
    let tip = plan.tip.clone();
    if let Some(tip) = &tip {
        u.tips().put(tip)?;
    }
    money(u, &booking)?;
    let charge_plan = policy::plan(&booking.details.policy, booking.total, booking.created_at, booking.move_at);
    mailing::booking_confirmed(u, s, &booking, &charge_plan, tip.as_ref(), now)?;
    mailing::reminders::schedule(u, s, &booking, now)?;
    members::audit(
        u,
        s,
        now,
        members::Actor::of(booking.user_id, &plan.role, plan.request_id.as_deref()),
        "booking.create",
        ("booking", &booking.id.to_string()),
        None,
        Some(trail::snapshot(&booking)),
    )?;
    Ok(Created { booking, plan: charge_plan, tip })
}

/// A short id that is taken is drawn again; with 30^6 of them that is rare but certain one day.
pub(super) fn insert_with_free_short_id(u: &mut dyn Unit, s: &Services, booking: &mut Booking) -> ServiceResult<()> {
    for _ in 0..5 {
        if u.bookings().short_id_free(&booking.short_id)? {
            u.bookings().insert(booking)?;
            return Ok(());
        }
        booking.short_id = short_id(s);
    }
    Err(StoreError::Busy.into())
}

/// The rows of a booking that was charged in full before it existed.
pub(super) fn paid_rows(
    u: &mut dyn Unit,
    s: &Services,
    b: &Booking,
    order_id: &str,
    transaction_id: &str,
    card: (&str, &str),
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    let mut row = rows::scheduled(s, b.id, PaymentKind::Full, b.total, b.created_at, now);
    row.id = PaymentId(s.entropy.uuid(now));
    row.state = State::Captured;
    row.attempts = 1;
    row.next_attempt_at = None;
    row.transaction_id = Some(transaction_id.to_owned());
    row.card_last4 = Some(card.1.to_owned());
    row.settled_at = Some(now);
    u.payments().insert(&row)?;
    u.payments().insert_attempt(&Attempt {
        order_id: order_id.to_owned(),
        payment_id: row.id,
        number: 1,
        amount: b.total,
        method_id: card.0.to_owned(),
        state: AttemptState::Applied,
        transaction_id: Some(transaction_id.to_owned()),
        code: None,
        created_at: now,
        sent_at: s.wall.now(),
        resolved_at: Some(now),
    })?;
    ledger::capture(u, s, b, &row, order_id, now)?;
    looks::at_settlement(u, s, order_id, now)?;
    mailing::payment_made(u, s, b, &row, now)
}
