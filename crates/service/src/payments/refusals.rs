//! How many refused cards one account, and one network, may try. Whoever tests stolen cards needs
//! many answers; whoever mistypes their own needs a few.
//!
//! The tallies are in the database: a restart forgets nothing.

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, UserId};

use crate::{Caller, Error, ErrorCode, ServiceResult, Services, Tx, ports::Unit};

/// At most `most` refused cards within `window`.
struct RefusalLimit {
    most: usize,
    window: Duration,
}

/// Of one account.
const ACCOUNT: [RefusalLimit; 2] =
    [RefusalLimit { most: 8, window: Duration::hours(1) }, RefusalLimit { most: 15, window: Duration::hours(24) }];
/// Of one network, by accounts whose e-mail address nobody has shown to be theirs: whoever tests cards
/// makes accounts, and must not cost their neighbours the use of their own cards.
const NETWORK: [RefusalLimit; 1] = [RefusalLimit { most: 20, window: Duration::hours(24) }];
/// The longest window: what is older is forgotten.
const LONGEST: Duration = Duration::hours(24);

/// Stores a card, and charges it where a link is paid, unless too many were refused before it. The attempt is counted
/// before the gateway is asked and until it ends, so that sixty at once are not sixty. `link`: the booking whose link is
/// paid.
///
/// # Errors
/// `too_many_declined_cards` with the seconds to wait; what the attempt answers.
pub(crate) async fn of_new_card<T>(
    s: &Services,
    caller: &Caller,
    link: Option<BookingId>,
    attempt: impl Future<Output = ServiceResult<T>>,
) -> ServiceResult<T> {
    let Some(payer) = Payer::of(caller, link) else { return attempt.await };
    let counted = payer.clone();
    let counted_at = s
        .write(caller.actor(), move |tx| {
            let keys = counted.keys(tx.unit)?;
            count(tx, &keys)?;
            Ok::<_, Error>(tx.now)
        })
        .await?;
    let done = attempt.await;
    if !done.as_ref().is_err_and(is_refusal) {
        s.write(caller.actor(), move |tx| {
            let keys = payer.keys(tx.unit)?;
            strike_off(tx, &keys, counted_at)
        })
        .await?;
    }
    done
}

/// Charges the stored card, unless too many were refused before it. Counted once it is refused: ten
/// presses of one button are one charge, and only whoever charges knows which they are.
///
/// # Errors
/// As [`of_new_card`].
pub(crate) async fn of_stored_card<T>(
    s: &Services,
    caller: &Caller,
    link: Option<BookingId>,
    attempt: impl Future<Output = ServiceResult<T>>,
) -> ServiceResult<T> {
    let Some(payer) = Payer::of(caller, link) else { return attempt.await };
    let asked = payer.clone();
    let asked_at = s
        .write(caller.actor(), move |tx| {
            asked.keys(tx.unit)?.iter().try_for_each(|key| room(tx, key).map(drop))?;
            Ok::<_, Error>(tx.now)
        })
        .await?;
    let done = attempt.await;
    if done.as_ref().is_err_and(is_refusal) {
        s.write(caller.actor(), move |tx| payer.keys(tx.unit)?.iter().try_for_each(|key| note(tx, key, asked_at)))
            .await?;
    }
    done
}

/// The bank or the gateway said no to the card.
fn is_refusal(e: &Error) -> bool {
    matches!(
        e,
        Error::Refused(ErrorCode::PaymentDeclined, _)
            | Error::ByGateway(ErrorCode::PaymentDeclined | ErrorCode::PaymentCardFailed, ..)
    )
}

type Key = (String, &'static [RefusalLimit]);

/// Whose attempts are counted.
#[derive(Clone)]
struct Payer {
    who: PayerKey,
    network: Option<String>,
}

#[derive(Clone, Copy)]
enum PayerKey {
    Account(UserId),
    /// Whoever holds a booking's link; nobody knows who that is.
    Link(BookingId),
}

impl Payer {
    /// Who pays by a link is counted by it, whoever is signed in there; staff are not counted.
    fn of(caller: &Caller, link: Option<BookingId>) -> Option<Payer> {
        let who = match link {
            Some(booking) => PayerKey::Link(booking),
            None => PayerKey::Account(caller.user.filter(|_| !caller.role.is_staff())?),
        };
        Some(Payer { who, network: caller.network.clone() })
    }

    /// The account before the network, whoever asks: two attempts never wait in a circle.
    fn keys(&self, u: &mut dyn Unit) -> ServiceResult<Vec<Key>> {
        let (key, verified) = match self.who {
            PayerKey::Account(user) => {
                (format!("card:account:{user}"), u.accounts().get(user)?.is_some_and(|a| a.email_verified))
            }
            PayerKey::Link(booking) => (format!("card:link:{booking}"), false),
        };
        let mut keys: Vec<Key> = vec![(key, &ACCOUNT)];
        if let Some(network) = self.network.as_ref().filter(|_| !verified) {
            keys.push((format!("card:network:{network}"), &NETWORK));
        }
        Ok(keys)
    }
}

/// The clock of a demonstration may be set back: what lies ahead of it counts as long.
fn within(at: DateTime<Utc>, now: DateTime<Utc>, window: Duration) -> bool {
    (now - at).abs() < window
}

fn count(tx: &mut Tx<'_>, keys: &[Key]) -> ServiceResult<()> {
    for key in keys {
        let mut instants = room(tx, key)?;
        instants.push(tx.now);
        tx.unit.tallies().put(&key.0, &instants)?;
    }
    Ok(())
}

/// What is counted under a key, locked, when there is room for another attempt.
fn room(tx: &mut Tx<'_>, (key, bounds): &Key) -> ServiceResult<Vec<DateTime<Utc>>> {
    let mut instants = tx.unit.tallies().lock(key, tx.now)?;
    instants.retain(|at| within(*at, tx.now, LONGEST));
    let Some(until) = bounds.iter().filter_map(|b| free_at(&instants, b, tx.now)).max() else { return Ok(instants) };
    let seconds = (until - tx.now).num_seconds().max(1);
    let minutes = (seconds + 59) / 60;
    let wait = vec![("seconds", seconds.to_string()), ("minutes", minutes.to_string())];
    Err(Error::Refused(ErrorCode::TooManyDeclinedCards, wait))
}

fn note(tx: &mut Tx<'_>, (key, _): &Key, at: DateTime<Utc>) -> ServiceResult<()> {
    let mut instants = tx.unit.tallies().lock(key, at)?;
    instants.retain(|one| within(*one, at, LONGEST));
    instants.push(at);
    tx.unit.tallies().put(key, &instants)?;
    Ok(())
}

/// When a bound that is reached lets the next attempt through.
fn free_at(instants: &[DateTime<Utc>], bound: &RefusalLimit, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let recent: Vec<_> = instants.iter().copied().filter(|at| within(*at, now, bound.window)).collect();
    let oldest = recent.len().checked_sub(bound.most).and_then(|i| recent.get(i))?;
    Some(*oldest + bound.window)
}

fn strike_off(tx: &mut Tx<'_>, keys: &[Key], at: DateTime<Utc>) -> ServiceResult<()> {
    for (key, _) in keys {
        let mut instants = tx.unit.tallies().lock(key, at)?;
        if let Some(i) = instants.iter().position(|one| *one == at) {
            instants.remove(i);
            tx.unit.tallies().put(key, &instants)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_oldest_of_a_full_window_frees_the_next() {
        let now: DateTime<Utc> = "2027-02-08T14:00:00Z".parse().unwrap();
        let bound = RefusalLimit { most: 3, window: Duration::hours(1) };
        let ago = |minutes: [i64; 3]| minutes.map(|m| now - Duration::minutes(m)).to_vec();
        assert_eq!(free_at(&ago([50, 40, 30])[..2], &bound, now), None);
        assert_eq!(free_at(&ago([50, 40, 30]), &bound, now), Some(now + Duration::minutes(10)));
        assert_eq!(free_at(&ago([60, 40, 30]), &bound, now), None);
    }
}
