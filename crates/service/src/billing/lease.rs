//! One owner of a booking's money at a time: whoever sends anything to the gateway for a booking
//! holds its lease, jobs and requests alike, over all processes on the database.
//!
//! The owner prolongs the lease while it waits for the gateway and gives it back in the very
//! transaction in which it finds nothing more to do, so nothing falls between two owners.

use std::{convert::Infallible, time::Duration as StdDuration};

use chrono::{DateTime, Duration, Utc};
use kernel::BookingId;

use crate::{
    Actor, Error, ErrorCode, ServiceResult, Services, Tx,
    ports::{StoreError, Unit},
};

/// How long the lease of an owner nobody hears of any more lasts, in real time.
const LASTS: StdDuration = StdDuration::from_secs(30);
/// How soon somebody who waits for a lease looks again, at first; then less and less often.
const LOOK: StdDuration = StdDuration::from_millis(100);
/// The longest pause between two looks.
const RARE_LOOK: StdDuration = StdDuration::from_secs(1);
/// How soon a job that met another owner comes back.
const COME_BACK: Duration = Duration::seconds(2);
/// Between an intent and its call lie milliseconds.
const STALE: Duration = Duration::seconds(20);
/// How long a person's request waits for another owner.
pub const PATIENCE: StdDuration = StdDuration::from_secs(8);

/// The lease of a booking's money. A copy names the same owner.
#[derive(Debug, Clone)]
pub struct Lease {
    booking: BookingId,
    holder: String,
}

/// What asking for a lease came to.
pub enum LeaseAttempt {
    /// It is ours.
    Mine(Lease),
    /// Somebody else works on the money; ask again at this instant of real time.
    Busy(DateTime<Utc>),
}

impl Lease {
    /// A name for an owner to be; nothing is taken yet.
    pub fn of(s: &Services, booking: BookingId) -> Lease {
        Lease { booking, holder: s.entropy.uuid(s.wall.now()).to_string() }
    }

    /// Takes or prolongs the lease in a transaction that is about to write an intent.
    ///
    /// # Errors
    /// `payment_in_flight` when somebody else has it.
    pub fn hold(&self, tx: &mut Tx<'_>) -> ServiceResult<()> {
        let wall = tx.services.wall.now();
        if tx.unit.money_leases().take(self.booking, &self.holder, wall, wall + LASTS)? {
            Ok(())
        } else {
            Err(ErrorCode::PaymentInFlight.into())
        }
    }

    /// Gives the lease back in the transaction that ends the work.
    ///
    /// # Errors
    /// When the database fails.
    pub fn end(&self, tx: &mut Tx<'_>) -> ServiceResult<()> {
        Ok(tx.unit.money_leases().release(self.booking, &self.holder)?)
    }

    /// Gives the lease back.
    ///
    /// # Errors
    /// When the database fails; the lease then runs out by itself.
    pub async fn give_back(self, s: &Services) -> ServiceResult<()> {
        s.write(Actor::system(), move |tx| self.end(tx)).await
    }

    /// Runs `work` and prolongs the lease meanwhile.
    pub async fn during<T>(&self, s: &Services, work: impl Future<Output = T>) -> T {
        tokio::select! {
            // The same order in every run: see `docs/decisions/0007-seeded-simulation.md`.
            biased;
            ended = work => ended,
            never = self.prolong(s) => match never {},
        }
    }

    async fn prolong(&self, s: &Services) -> Infallible {
        loop {
            tokio::time::sleep(LASTS / 3).await;
            let (booking, holder, wall) = (self.booking, self.holder.clone(), s.wall.now());
            let kept = s
                .write(Actor::system(), move |tx| {
                    tx.unit.money_leases().take(booking, &holder, wall, wall + LASTS).map_err(Error::from)
                })
                .await;
            if !matches!(kept, Ok(true)) {
                // The next intent is refused by `hold`; what is under way is written down as ever.
                tracing::warn!(%booking, "the lease on a booking's money could not be prolonged");
            }
        }
    }
}

/// Asks once.
///
/// # Errors
/// When the database fails.
pub async fn ask(s: &Services, booking: BookingId) -> ServiceResult<LeaseAttempt> {
    let (lease, wall) = (Lease::of(s, booking), s.wall.now());
    s.write(Actor::system(), move |tx| {
        if tx.unit.money_leases().take(booking, &lease.holder, wall, wall + LASTS)? {
            return Ok::<_, Error>(LeaseAttempt::Mine(lease));
        }
        let until = tx.unit.money_leases().held_until(booking, wall)?.unwrap_or(wall);
        Ok(LeaseAttempt::Busy(until.min(wall + COME_BACK)))
    })
    .await
    .or_else(|e| match e {
        // Two asked at the same moment; the other one has it.
        Error::Store(StoreError::Busy) => Ok(LeaseAttempt::Busy(wall + COME_BACK)),
        other => Err(other),
    })
}

/// Asks for as long as `patience`; none when somebody else has it all the while.
///
/// # Errors
/// When the database fails.
pub async fn wait(s: &Services, booking: BookingId, patience: StdDuration) -> ServiceResult<Option<Lease>> {
    let until = s.wall.now() + patience;
    let mut pause = LOOK;
    loop {
        match ask(s, booking).await? {
            LeaseAttempt::Mine(lease) => return Ok(Some(lease)),
            LeaseAttempt::Busy(_) if s.wall.now() >= until => return Ok(None),
            LeaseAttempt::Busy(_) => tokio::time::sleep(pause).await,
        }
        pause = rarer(pause);
    }
}

/// The pause after this one: each look is a transaction, and a gateway that did not answer in a moment
/// may take a minute.
pub(crate) fn rarer(pause: StdDuration) -> StdDuration {
    (pause * 3 / 2).min(RARE_LOOK)
}

/// Whether any of the booking's money is at the gateway with an outcome nobody knows yet: a charge,
/// a refund, or a checkout.
///
/// # Errors
/// When the database fails.
pub fn under_way(u: &mut dyn Unit, booking: BookingId) -> ServiceResult<bool> {
    if u.checkouts().of_subject(booking)?.is_some() {
        return Ok(true);
    }
    Ok(u.payments().of_booking(booking)?.iter().any(super::facts::in_flight))
}

/// When what was sent at `sent_at` is looked up again, in real time: more and more often towards
/// the instant from which its absence proves that it never arrived.
pub fn next_look(s: &Services, sent_at: DateTime<Utc>) -> DateTime<Utc> {
    let wall = s.wall.now();
    let left = sent_at - s.gateway.silent_before(wall);
    wall + (left / 16).clamp(Duration::milliseconds(100), Duration::minutes(1))
}

/// Whether the absence of what was sent at `sent_at` proves that it will never be applied.
pub fn is_dead(s: &Services, sent_at: DateTime<Utc>) -> bool {
    sent_at < s.gateway.silent_before(s.wall.now())
}

/// A process that stood still between writing an intent and sending it must not send what others may
/// have given up meanwhile.
pub fn too_late_to_send(s: &Services, sent_at: DateTime<Utc>) -> bool {
    s.wall.now() - sent_at > STALE
}
