//! How many refused cards one account, and one network, may try. Whoever tests stolen cards needs
//! many answers; whoever mistypes their own needs a few.
//!
//! An attempt is counted before the gateway is asked, so that sixty at once are not sixty, and
//! struck off again when the card was not refused. The tallies are in the database: a restart
//! forgets nothing.

use chrono::{DateTime, Duration, Utc};
use kernel::UserId;

use crate::{Caller, Error, ErrorCode, ServiceResult, Services, ports::Unit};

/// At most `most` refused cards within `window`.
struct Bound {
    most: usize,
    window: Duration,
}

/// Of one account.
const ACCOUNT: [Bound; 2] =
    [Bound { most: 8, window: Duration::hours(1) }, Bound { most: 15, window: Duration::hours(24) }];
/// Of one network: several accounts, many people behind one provider.
const NETWORK: [Bound; 1] = [Bound { most: 20, window: Duration::hours(24) }];
/// The longest window: what is older is forgotten.
const LONGEST: Duration = Duration::hours(24);

/// Runs an attempt with a card, unless too many were refused before it.
///
/// # Errors
/// `too_many_declined_cards` with the seconds to wait; what the attempt answers.
pub(crate) async fn counted<T>(
    s: &Services,
    caller: &Caller,
    attempt: impl Future<Output = ServiceResult<T>>,
) -> ServiceResult<T> {
    let Some(user) = caller.user.filter(|_| !caller.role.is_staff()) else { return attempt.await };
    let (keys, now) = (keys(user, caller.network.as_deref()), s.clock.now());
    let counted = keys.clone();
    s.store.write(move |u| count(u, &counted, now)).await?;
    let done = attempt.await;
    if !done.as_ref().is_err_and(is_refusal) {
        s.store.write(move |u| strike_off(u, &keys, now)).await?;
    }
    done
}

/// The bank or the gateway said no to the card.
fn is_refusal(e: &Error) -> bool {
    matches!(
        e,
        Error::Refused(ErrorCode::PaymentDeclined, _)
            | Error::Said(ErrorCode::PaymentDeclined | ErrorCode::PaymentCardFailed, _)
    )
}

type Key = (String, &'static [Bound]);

/// The account before the network, whoever asks: two attempts never wait in a circle.
fn keys(user: UserId, network: Option<&str>) -> Vec<Key> {
    let account: Key = (format!("card:account:{user}"), &ACCOUNT);
    let network = network.map(|n| -> Key { (format!("card:network:{n}"), &NETWORK) });
    std::iter::once(account).chain(network).collect()
}

/// The clock of a demonstration may be set back: what lies ahead of it counts as long.
fn within(at: DateTime<Utc>, now: DateTime<Utc>, window: Duration) -> bool {
    (now - at).abs() < window
}

fn count(u: &mut dyn Unit, keys: &[Key], now: DateTime<Utc>) -> ServiceResult<()> {
    for (key, bounds) in keys {
        let mut instants = u.tallies().lock(key, now)?;
        instants.retain(|at| within(*at, now, LONGEST));
        if let Some(until) = bounds.iter().filter_map(|b| free_at(&instants, b, now)).max() {
            let seconds = (until - now).num_seconds().max(1);
            let minutes = (seconds + 59) / 60;
            return Err(Error::Refused(
                ErrorCode::TooManyDeclinedCards,
                vec![("seconds", seconds.to_string()), ("minutes", minutes.to_string())],
            ));
        }
        instants.push(now);
        u.tallies().put(key, &instants)?;
    }
    Ok(())
}

/// When a bound that is reached lets the next attempt through.
fn free_at(instants: &[DateTime<Utc>], bound: &Bound, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let recent: Vec<_> = instants.iter().copied().filter(|at| within(*at, now, bound.window)).collect();
    let oldest = recent.len().checked_sub(bound.most).and_then(|i| recent.get(i))?;
    Some(*oldest + bound.window)
}

fn strike_off(u: &mut dyn Unit, keys: &[Key], at: DateTime<Utc>) -> ServiceResult<()> {
    for (key, _) in keys {
        let mut instants = u.tallies().lock(key, at)?;
        if let Some(i) = instants.iter().position(|one| *one == at) {
            instants.remove(i);
            u.tallies().put(key, &instants)?;
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
        let bound = Bound { most: 3, window: Duration::hours(1) };
        let ago = |minutes: [i64; 3]| minutes.map(|m| now - Duration::minutes(m)).to_vec();
        assert_eq!(free_at(&ago([50, 40, 30])[..2], &bound, now), None);
        assert_eq!(free_at(&ago([50, 40, 30]), &bound, now), Some(now + Duration::minutes(10)));
        assert_eq!(free_at(&ago([60, 40, 30]), &bound, now), None);
    }
}
