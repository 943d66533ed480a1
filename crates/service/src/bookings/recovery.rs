//! Checkouts nobody answered for: finished, freed, or waited for.

use kernel::BookingId;

use super::checkout::{self, CHARGING_STATE, Plan};
use crate::{
    Error, ServiceResult, Services,
    billing::{
        charge::{Ran, Settled},
        lease::{self, Asked},
    },
    ports::bookings::Checkout,
};

/// The recovery job: finishes or frees a checkout nobody answered for, unless somebody works on it.
///
/// # Errors
/// When the database fails.
pub async fn recover(s: &Services, id: BookingId) -> ServiceResult<Ran> {
    let Some(checkout) = open(s, id).await? else { return Ok(Ran::Done) };
    let lease = match lease::ask(s, checkout.subject).await? {
        Asked::Busy(until) => return Ok(Ran::Later(until)),
        Asked::Mine(lease) => lease,
    };
    let ended = lease.during(s, recover_owned(s, id)).await;
    lease.give_back(s).await?;
    ended
}

async fn open(s: &Services, id: BookingId) -> ServiceResult<Option<Checkout>> {
    let found = s.store.read(move |u| u.bookings().checkout(id).map_err(Error::from)).await?;
    Ok(found.filter(|c| c.state == CHARGING_STATE))
}

async fn recover_owned(s: &Services, id: BookingId) -> ServiceResult<Ran> {
    // Read again: its owner may have finished it before the lease was ours.
    let Some(checkout) = open(s, id).await? else { return Ok(Ran::Done) };
    let plan: Plan =
        serde_json::from_value(checkout.plan.clone()).map_err(|e| Error::Internal(format!("checkout {id}: {e}")))?;
    match checkout::look_up(s, &checkout).await {
        Settled::Unknown => return Ok(Ran::Later(lease::next_look(s, checkout.sent_at))),
        Settled::Applied { transaction_id } => {
            drop(checkout::complete(s, checkout, plan, transaction_id, None, None).await?)
        }
        Settled::Lost => checkout::free(s, checkout, plan, checkout::ABANDONED_STATE).await?,
        Settled::Declined | Settled::NotDone => checkout::free(s, checkout, plan, checkout::DECLINED).await?,
    }
    Ok(Ran::Done)
}

/// At start, when no other process can be alive: every open checkout is looked into at once. What
/// may still be on its way to the gateway is waited for.
///
/// # Errors
/// When the database fails.
pub async fn recover_all(s: &Services) -> ServiceResult<usize> {
    let (ctx, now) = (s.clone(), s.clock.now());
    s.store
        .write(move |u| {
            let open = u.bookings().checkouts_in(CHARGING_STATE)?;
            for checkout in &open {
                u.jobs().enqueue(&checkout::recovery(&ctx, checkout.booking_id, now, None))?;
            }
            Ok::<_, Error>(open.len())
        })
        .await
}
