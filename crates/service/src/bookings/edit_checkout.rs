//! An edit that moves the booking inside 48 hours: what is missing is charged with it, and a
//! declined card rejects the edit as a whole.

use chrono::{DateTime, Utc};
use kernel::{BookingId, HoldId, Money, PaymentId};
use policy::ChargeKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use status_machine::payment::State;

use super::{
    checkout::{self, Effect, Finished, Plan},
    edit::{CodeChange, Edited, Prepared, apply, still_holds},
    queries::detail_of,
    status,
};
use crate::{
    Caller, Error, ErrorCode, ServiceResult, Services,
    billing::{
        facts::{is_lock, open},
        lease, ledger,
        rows::{self, kind_of},
        settle,
    },
    holds::capacity::{self, Reserved, Wanted},
    mailing, members,
    ports::{
        Unit,
        bookings::Booking,
        payments::{Attempt, AttemptState, Initiator, Payment},
    },
};

/// A prepared edit as it is stored while its charge is at the gateway.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditPlan {
    pub old: Booking,
    pub new: Booking,
    pub fee: Money,
    pub wanted: Option<Wanted>,
    /// Not `kind`: that is the tag of [`super::checkout::Effect`], and two fields of one name cannot
    /// be read back.
    #[serde(rename = "chargeKind")]
    pub kind: ChargeKind,
    pub code: CodeChange,
    pub changes: Value,
    pub by: members::Actor,
}

impl EditPlan {
    fn prepared(&self) -> Prepared {
        Prepared {
            old: self.old.clone(),
            new: self.new.clone(),
            fee: self.fee,
            wanted: self.wanted.clone(),
            charge_now: None,
            refund_now: Money::ZERO,
            code: self.code,
            changes: self.changes.clone(),
        }
    }
}

pub(super) async fn pay_and_edit(
    s: &Services,
    caller: &Caller,
    p: Prepared,
    hold_id: Option<HoldId>,
) -> ServiceResult<Edited> {
    let Some((kind, amount)) = p.charge_now else { return Err(Error::Internal("an edit without a charge".into())) };
    let (ctx, by) = (s.clone(), members::Actor::caller(caller));
    let wished = (p.new.total, p.new.move_at);
    let lease = lease::wait(s, p.old.id, lease::PATIENCE).await?.ok_or(ErrorCode::PaymentInFlight)?;
    let owner = lease.clone();
    let initiator = if caller.role.is_staff() { Initiator::Merchant } else { Initiator::Customer };
    let begun = s
        .store
        .write(move |u| {
            let current = u.bookings().lock(p.old.id)?.ok_or(ErrorCode::NotFound)?;
            if current.version != p.old.version {
                return Err(Error::from(ErrorCode::VersionConflict));
            }
            owner.hold(u, &ctx)?;
            // Not before: the lease may have been waited for.
            let now = ctx.clock.now();
            still_holds(u, &p, now)?;
            let reserved = match &p.wanted {
                Some(wanted) => match capacity::reserve(u, hold_id, HoldId(ctx.entropy.uuid(now)), wanted, now)? {
                    Reserved::Kept(id) => Some(id),
                    Reserved::Already(_) => return Err(ErrorCode::SlotGone.into()),
                },
                None => None,
            };
            let card = u.cards().current(p.old.user_id)?.ok_or(ErrorCode::CardRequired)?;
            let id = BookingId(ctx.entropy.uuid(now));
            let user = p.old.user_id;
            // A UUID is written with 36 ASCII characters: the last twelve exist.
            let order_id = format!("{}-edit{}-{}", p.old.short_id, p.old.version, &id.to_string()[24..]);
            let edit = EditPlan {
                old: p.old,
                new: p.new,
                fee: p.fee,
                wanted: p.wanted,
                kind,
                code: p.code,
                changes: p.changes,
                by,
            };
            let subject = edit.old.id;
            let plan = Plan {
                amount,
                effect: Effect::Edit(Box::new(edit)),
                reserved,
                method_id: card.method_id,
                last4: card.last4,
            };
            let row = checkout::checkout_row(&ctx, id, subject, user, order_id, &plan, None, now)?;
            u.bookings().insert_checkout(&row)?;
            u.jobs().enqueue(&checkout::recovery_job(&ctx, id, now))?;
            Ok((row, plan))
        })
        .await;
    let ended = match begun {
        Ok((checkout, plan)) => {
            let charged = async {
                let outcome = checkout::charge(s, &checkout, &plan, initiator).await;
                checkout::finish(s, checkout, plan, outcome, None, None).await
            };
            lease.during(s, charged).await
        }
        Err(refused) => Err(refused),
    };
    lease.give_back(s).await?;
    match ended? {
        // Somebody changed the booking meanwhile, and the edit was dropped.
        Finished::Edited(edited) if (edited.booking.total, edited.booking.move_at) != wished => {
            Err(ErrorCode::VersionConflict.into())
        }
        Finished::Edited(edited) => Ok(*edited),
        Finished::Booked(_) => Err(Error::Internal("an edit's checkout ended as a booking".into())),
    }
}

/// The money arrived: write the edit and its charge. If the booking changed meanwhile, the edit is
/// dropped, and the money goes back as far as the booking does not owe it by now.
#[allow(clippy::too_many_arguments, reason = "the stored intent, field by field; called from one place")]
pub(super) fn complete(
    u: &mut dyn Unit,
    s: &Services,
    edit: &EditPlan,
    reserved: Option<HoldId>,
    order_id: &str,
    transaction_id: &str,
    card: (&str, &str),
    amount: Money,
    now: DateTime<Utc>,
) -> ServiceResult<Edited> {
    let current =
        u.bookings().lock(edit.old.id)?.ok_or_else(|| Error::Internal(format!("booking {} vanished", edit.old.id)))?;
    let dropped = current.version != edit.old.version;
    // Of a dropped edit it is no 48-hour charge: the planned one stays.
    let kind = if dropped { ChargeKind::Difference } else { edit.kind };
    let row = charge_row(u, s, &current, kind, order_id, transaction_id, card, amount, now)?;
    if dropped {
        if let Some(id) = reserved
            && let Some(mut hold) = u.capacities().hold(id)?
        {
            capacity::give_back(u, &mut hold, status_machine::hold::State::Released)?;
        }
        settle::send_back_early(u, s, &current, &row, now)?;
        settle::settle(u, s, &current, now)?;
        return detail_of(u, current, now);
    }
    if let Some(id) = reserved {
        status::release_capacity(u, edit.old.id)?;
        capacity::own(u, id, edit.old.id)?;
    }
    let mut prepared = edit.prepared();
    prepared.new.details.lock_entered = true;
    let done = apply(u, s, &prepared, &edit.by, now)?;
    mailing::payment_made(u, s, &done.booking, &row, now)?;
    Ok(done)
}

#[allow(clippy::too_many_arguments, reason = "as above")]
fn charge_row(
    u: &mut dyn Unit,
    s: &Services,
    booking: &Booking,
    kind: ChargeKind,
    order_id: &str,
    transaction_id: &str,
    card: (&str, &str),
    amount: Money,
    now: DateTime<Utc>,
) -> ServiceResult<Payment> {
    // The planned balance is what is being paid now; it is not charged again at its old date.
    if matches!(kind, ChargeKind::Balance | ChargeKind::Full) {
        for planned in u.payments().of_booking(booking.id)?.into_iter().filter(|r| is_lock(r) && open(r)) {
            settle::skip(u, planned)?;
        }
    }
    let mut row = rows::scheduled(s, booking.id, kind_of(kind), amount, now, now);
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
        amount,
        method_id: card.0.to_owned(),
        state: AttemptState::Applied,
        transaction_id: Some(transaction_id.to_owned()),
        code: None,
        created_at: now,
        sent_at: s.wall.now(),
        resolved_at: Some(now),
    })?;
    // The account its prepayments lie in now: the date may have changed meanwhile.
    ledger::capture(u, s, booking, &row, order_id, now)?;
    crate::billing::settlement::watch(u, s, order_id, now)?;
    Ok(row)
}

/// The edit was written by somebody else (the recovery job).
pub(super) fn finished_before(u: &mut dyn Unit, edit: &EditPlan) -> ServiceResult<Edited> {
    let booking = u.bookings().get(edit.old.id)?.ok_or(ErrorCode::NotFound)?;
    let at = booking.updated_at;
    detail_of(u, booking, at)
}
