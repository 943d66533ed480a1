//! Answers a repeated request while, or after, its checkout was at the gateway.

use std::time::Duration;

use chrono::{DateTime, Utc};
use kernel::BookingId;

use super::{
    made::{self, Created},
    recovery::recover,
};
use crate::{
    Error, ErrorCode, ServiceResult, Services,
    billing::lease,
    idempotency::{Replayable, Request},
    ports::{Unit, checkouts::CheckoutState},
    work::JobOutcome,
};

/// The stored answer of a key, waiting a while for a first request still at the gateway. What a
/// dead process left is looked up and finished, or freed once it can no longer arrive.
pub(super) async fn replay(
    s: &Services,
    request: &Request,
    first: KeyState,
) -> ServiceResult<Option<Replayable<Created>>> {
    let mut pause = FIRST_PAUSE;
    let mut first = Some(first);
    for _ in 0..ROUNDS {
        let known = match first.take() {
            Some(known) => known,
            None => {
                let (now, key) = (s.clock.now(), request.clone());
                s.store.read(move |u| look(u, &key, now)).await?
            }
        };
        match known {
            KeyState::Nothing => return Ok(None),
            KeyState::Answered(status, body) => return Ok(Some(Replayable::Replayed { status, body })),
            KeyState::Made(made) => return Ok(Some(Replayable::Fresh(*made))),
            KeyState::Working(Some(checkout)) if !owned(s, checkout).await? => match recover(s, checkout).await? {
                JobOutcome::Done => {}
                JobOutcome::Later(_) | JobOutcome::GivenUp(_) => break,
            },
            KeyState::Working(_) => tokio::time::sleep(pause).await,
        }
        pause = lease::rarer(pause);
    }
    Err(ErrorCode::RequestInFlight.into())
}

/// Whether somebody works on a checkout.
async fn owned(s: &Services, checkout: BookingId) -> ServiceResult<bool> {
    let wall = s.wall.now();
    s.store.read(move |u| Ok(u.money_leases().held_until(checkout, wall)?.is_some())).await
}

/// Looks while somebody else works on it: with the pauses between them about ten seconds.
const ROUNDS: u32 = 13;
/// The pause before the second look.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// What is on record about an idempotency key.
pub(super) enum KeyState {
    Nothing,
    Answered(u16, serde_json::Value),
    /// The recovery job booked it and could not write the answer.
    Made(Box<Created>),
    /// Its checkout is charging a card.
    Working(Option<BookingId>),
}

/// # Errors
/// `idempotency_key_reused`; when the database fails.
pub(super) fn look(u: &mut dyn Unit, key: &Request, now: DateTime<Utc>) -> ServiceResult<KeyState> {
    match key.replay(u, now) {
        Ok(None) => Ok(KeyState::Nothing),
        Ok(Some((status, body))) => Ok(KeyState::Answered(status, body)),
        Err(Error::Refused(ErrorCode::RequestInFlight, _)) => {
            let Some(checkout) = u.checkouts().by_key(&key.scope, &key.key)? else {
                return Ok(KeyState::Working(None));
            };
            if checkout.state != CheckoutState::Booked {
                return Ok(KeyState::Working(Some(checkout.booking_id)));
            }
            let made = u.bookings().get(checkout.booking_id)?.ok_or(ErrorCode::BookingFailed)?;
            let tip = u.tips().of_booking(checkout.booking_id)?;
            Ok(KeyState::Made(Box::new(made::answer(made, tip))))
        }
        Err(e) => Err(e),
    }
}
