//! A repeated request while, or after, its checkout was at the gateway.

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
    idempotency::{Answer, Request},
    ports::{Unit, checkouts::CheckoutState},
    work::Ran,
};

/// The stored answer of a key, waiting a while for a first request still at the gateway. What a
/// dead process left is looked up and finished, or freed once it can no longer arrive.
pub(super) async fn replay(s: &Services, request: &Request, first: Known) -> ServiceResult<Option<Answer<Created>>> {
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
            Known::Nothing => return Ok(None),
            Known::Answered(status, body) => return Ok(Some(Answer::Replayed { status, body })),
            Known::Made(made) => return Ok(Some(Answer::Fresh(*made))),
            Known::Working(Some(checkout)) if !owned(s, checkout).await? => match recover(s, checkout).await? {
                Ran::Done => {}
                Ran::Later(_) | Ran::GivenUp(_) => break,
            },
            Known::Working(_) => tokio::time::sleep(pause).await,
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

/// What is known of a key.
pub(super) enum Known {
    Nothing,
    Answered(u16, serde_json::Value),
    /// Booked by the recovery job, which could not write the answer.
    Made(Box<Created>),
    /// Its checkout, while its charge is at the gateway.
    Working(Option<BookingId>),
}

/// # Errors
/// `idempotency_key_reused`; when the database fails.
pub(super) fn look(u: &mut dyn Unit, key: &Request, now: DateTime<Utc>) -> ServiceResult<Known> {
    match key.replay(u, now) {
        Ok(None) => Ok(Known::Nothing),
        Ok(Some((status, body))) => Ok(Known::Answered(status, body)),
        Err(Error::Refused(ErrorCode::RequestInFlight, _)) => {
            let Some(checkout) = u.checkouts().by_key(&key.scope, &key.key)? else {
                return Ok(Known::Working(None));
            };
            if checkout.state != CheckoutState::Booked {
                return Ok(Known::Working(Some(checkout.booking_id)));
            }
            let made = u.bookings().get(checkout.booking_id)?.ok_or(ErrorCode::BookingFailed)?;
            let tip = u.tips().of_booking(checkout.booking_id)?;
            Ok(Known::Made(Box::new(made::answer(made, tip))))
        }
        Err(e) => Err(e),
    }
}
