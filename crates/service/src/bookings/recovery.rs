//! Recovers checkouts that no process finished: each is finished, freed, or waited for.

use kernel::BookingId;

use super::{
    checkout::{PendingCheckout, free, look_up},
    finish::complete,
};
use crate::{
    Actor, Error, ServiceResult, Services,
    billing::{
        charge::Settled,
        lease::{self, LeaseAttempt},
    },
    ports::checkouts::{Checkout, CheckoutState},
    work::{JobOutcome, Work},
};

/// The recovery job: finishes or frees a checkout nobody answered for, unless somebody works on it.
///
/// # Errors
/// When the database fails.
pub async fn recover(s: &Services, id: BookingId) -> ServiceResult<JobOutcome> {
    let Some(checkout) = open(s, id).await? else { return Ok(JobOutcome::Done) };
    let lease = match lease::ask(s, checkout.subject).await? {
        LeaseAttempt::Busy(until) => return Ok(JobOutcome::Later(until)),
        LeaseAttempt::Mine(lease) => lease,
    };
    let ended = lease.during(s, recover_owned(s, id)).await;
    lease.give_back(s).await?;
    ended
}

async fn open(s: &Services, id: BookingId) -> ServiceResult<Option<Checkout>> {
    let found = s.store.read(move |u| u.checkouts().get(id).map_err(Error::from)).await?;
    Ok(found.filter(|c| c.state == CheckoutState::Charging))
}

async fn recover_owned(s: &Services, id: BookingId) -> ServiceResult<JobOutcome> {
    // Read again: its owner may have finished it before the lease was ours.
    let Some(checkout) = open(s, id).await? else { return Ok(JobOutcome::Done) };
    let plan: PendingCheckout =
        serde_json::from_value(checkout.plan.clone()).map_err(|e| Error::Internal(format!("checkout {id}: {e}")))?;
    match look_up(s, &checkout).await {
        Settled::Unknown => return Ok(JobOutcome::Later(lease::next_look(s, checkout.sent_at))),
        Settled::Applied { transaction_id } => drop(complete(s, checkout, plan, transaction_id, None, None).await?),
        Settled::Lost => free(s, checkout, plan, CheckoutState::Abandoned).await?,
        Settled::Declined { .. } | Settled::NotDone => free(s, checkout, plan, CheckoutState::Declined).await?,
    }
    Ok(JobOutcome::Done)
}

/// At start, when no other process can be alive: every open checkout is looked into at once. What
/// may still be on its way to the gateway is waited for.
///
/// # Errors
/// When the database fails.
pub async fn recover_all(s: &Services) -> ServiceResult<usize> {
    s.write(Actor::system(), move |tx| {
        let open = tx.unit.checkouts().in_state(CheckoutState::Charging)?;
        for checkout in &open {
            tx.enqueue(&Work::RecoverCheckout { checkout_id: checkout.booking_id })?;
        }
        Ok::<_, Error>(open.len())
    })
    .await
}
