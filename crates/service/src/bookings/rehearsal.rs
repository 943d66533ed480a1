//! Previews what a change does to the money of its booking: it is written as the change writes it, looked at, and
//! taken back. So a preview cannot say anything else than the change does.

use kernel::Money;
use policy::PaymentPlan;

use super::{
    change::{Prepared, write},
    paid_edit,
    queries::money_of,
};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    billing::{
        facts::{is_of_tip, open},
        settle,
        upfront::Charge,
    },
    ports::{
        StoreError,
        payments::{Payment, PaymentKind},
        tips::Tip,
    },
    tips,
};

/// The money of a booking after a change.
#[derive(Debug, Clone)]
pub(super) struct Outlook {
    /// The dated charges.
    pub plan: PaymentPlan,
    /// What the change plans to return, by card or by hand.
    pub refund: Money,
    /// The tip; one in percent follows the price.
    pub tip: Option<Tip>,
}

/// How a rehearsal ends: always without a change.
enum Rehearsal {
    Told(Option<Box<Outlook>>),
    Failed(Error),
}

impl From<StoreError> for Rehearsal {
    fn from(e: StoreError) -> Self {
        Rehearsal::Failed(e.into())
    }
}

/// Rehearses the change and returns what it leaves; none if the booking has changed meanwhile.
///
/// # Errors
/// When the database fails.
pub(super) async fn rehearse(s: &Services, actor: Actor, p: Prepared) -> ServiceResult<Option<Outlook>> {
    let rehearsal = move |tx: &mut Tx<'_>| match rehearsed(tx, p) {
        Ok(outlook) => Err::<(), _>(Rehearsal::Told(outlook.map(Box::new))),
        Err(e) => Err(Rehearsal::Failed(e)),
    };
    match s.write(actor, rehearsal).await {
        Err(Rehearsal::Told(outlook)) => Ok(outlook.map(|told| *told)),
        Err(Rehearsal::Failed(e)) => Err(e),
        Ok(()) => Ok(None),
    }
}

fn rehearsed(tx: &mut Tx<'_>, p: Prepared) -> ServiceResult<Option<Outlook>> {
    let Prepared { old, mut new, charge_now, tip, .. } = p;
    let Some(current) = tx.unit.bookings().lock(old.id)?.filter(|b| b.version == old.version) else {
        return Ok(None);
    };
    let before = tx.unit.payments().of_booking(old.id)?;
    if let Some((kind, amount)) = charge_now {
        // Under names that no gateway gives, of rows that nobody ever sees.
        let id = format!("{}-preview", old.short_id);
        let charge = Charge { order_id: &id, transaction_id: &id, method_id: "", last4: "", amount };
        paid_edit::charged(tx, &current, kind, charge)?;
        new.details.lock_entered = true;
    }
    write(tx, &old, &mut new)?;
    settle::settle(tx, &mut new)?;
    match &tip {
        Some(typed) => tips::given_with(tx, &new, typed)?,
        None => tips::follow(tx, &new)?,
    }
    let after = tx.unit.payments().of_booking(old.id)?;
    let planned = |r: &&Payment| {
        r.kind == PaymentKind::Refund && open(r) && !is_of_tip(r, &after) && !before.iter().any(|b| b.id == r.id)
    };
    let refund = after.iter().filter(planned).map(|r| r.amount).sum();
    let money = money_of(tx.unit, &new, tx.now)?;
    Ok(Some(Outlook { plan: money.plan, refund, tip: money.tip }))
}
