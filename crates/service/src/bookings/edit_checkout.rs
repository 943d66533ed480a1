//! An edit that moves the booking inside 48 hours: what is missing is charged with it, and a
//! declined card rejects the edit as a whole.

use kernel::{BookingId, HoldId};

use super::{
    change::{Edited, Prepared, still_holds},
    checkout::{self, CheckoutPurpose, PendingCheckout, PendingEdit},
    finish::{Finished, finish},
};
use crate::{
    Caller, Error, ErrorCode, ServiceResult, Services,
    billing::lease,
    capacity::{self, Reserved},
    ports::payments::Initiator,
};

pub(super) async fn pay_and_edit(
    s: &Services,
    caller: &Caller,
    p: Prepared,
    hold_id: Option<HoldId>,
) -> ServiceResult<Edited> {
    let Some((kind, amount)) = p.charge_now else { return Err(Error::Internal("an edit without a charge".into())) };
    let by = caller.actor();
    let wished = (p.new.total, p.new.move_at);
    let lease = lease::wait(s, p.old.id, lease::PATIENCE).await?.ok_or(ErrorCode::PaymentInFlight)?;
    let owner = lease.clone();
    let initiator = if caller.role.is_staff() { Initiator::Merchant } else { Initiator::Customer };
    let begun = s
        .write(caller.actor(), move |tx| {
            let current = tx.unit.bookings().lock(p.old.id)?.ok_or(ErrorCode::NotFound)?;
            if current.version != p.old.version {
                return Err(Error::from(ErrorCode::VersionConflict));
            }
            owner.hold(tx)?;
            // Not before: the lease may have been waited for.
            tx.look_at_clock();
            still_holds(tx.unit, &p, tx.now)?;
            let reserved = match &p.wanted {
                Some(wanted) => match capacity::reserve(tx, hold_id, HoldId(tx.id()), wanted)? {
                    Reserved::Kept(kept) => Some(kept.without_owner(tx)?),
                    Reserved::Already(_) => return Err(ErrorCode::SlotGone.into()),
                },
                None => None,
            };
            let card = tx.unit.cards().current(p.old.user_id)?.ok_or(ErrorCode::CardRequired)?;
            let id = BookingId(tx.id());
            // A UUID is written with 36 ASCII characters: the last twelve exist.
            let order_id = format!("{}-edit{}-{}", p.old.short_id, p.old.version, &id.to_string()[24..]);
            let edit = PendingEdit {
                old: p.old,
                new: p.new,
                fee: p.fee,
                wanted: p.wanted,
                kind,
                code: p.code,
                changes: p.changes,
                tip: p.tip,
                by,
            };
            let subject = edit.old.id;
            let plan = PendingCheckout {
                amount,
                effect: CheckoutPurpose::Edit(Box::new(edit)),
                reserved,
                method_id: card.method_id,
                last4: card.last4,
            };
            Ok((checkout::begin(tx, id, subject, order_id, &plan, None)?, plan))
        })
        .await;
    let ended = match begun {
        Ok((checkout, plan)) => {
            let charged = async {
                let outcome = checkout::charge(s, &checkout, &plan, initiator).await;
                finish(s, checkout, plan, outcome, None, None).await
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
        Finished::Booked(_) | Finished::Paid => {
            Err(Error::Internal("an edit's checkout ended as something else".into()))
        }
    }
}
