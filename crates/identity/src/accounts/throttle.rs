//! How often an address may be tried: the pure decision.

use kernel::chrono::{DateTime, Duration, Utc};
use service::ports::identity::SignInThrottle;

/// Attempts that cost nothing.
const FREE: i32 = 5;
/// First pause; it doubles with each further attempt.
const FIRST_PAUSE: Duration = Duration::seconds(30);
/// Longest pause: more would let strangers lock a person out for good.
const LONGEST_PAUSE: Duration = Duration::minutes(15);
/// After this long without an attempt the past is forgotten.
const FORGET: Duration = Duration::hours(24);

/// Too many attempts; the next one is looked at from then on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Locked {
    pub until: DateTime<Utc>,
}

/// Counts an attempt *before* the password is looked at, so that attempts made at the same moment
/// cannot share one count. A success clears the counter afterwards.
pub(crate) fn admit(mut throttle: SignInThrottle, now: DateTime<Utc>) -> Result<SignInThrottle, Locked> {
    if let Some(until) = throttle.locked_until.filter(|until| now < *until) {
        return Err(Locked { until });
    }
    if now - throttle.last_attempt_at > FORGET {
        throttle.failures = 0;
    }
    throttle.failures = throttle.failures.saturating_add(1);
    throttle.last_attempt_at = now;
    throttle.locked_until = (throttle.failures >= FREE).then(|| now + pause(throttle.failures - FREE));
    Ok(throttle)
}

fn pause(doublings: i32) -> Duration {
    let factor = 1i32.checked_shl(u32::try_from(doublings).unwrap_or(0).min(10)).unwrap_or(1);
    FIRST_PAUSE.checked_mul(factor).unwrap_or(LONGEST_PAUSE).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::ports::identity::TokenHash;

    #[test]
    fn five_free_then_longer_and_longer() {
        let mut now: DateTime<Utc> = "2027-01-04T12:00:00Z".parse().unwrap();
        let mut t =
            SignInThrottle { key: TokenHash("k".into()), failures: 0, last_attempt_at: now, locked_until: None };
        let mut pauses = Vec::new();
        for _ in 0..12 {
            t = admit(t, now).unwrap();
            let pause = t.locked_until.map_or(0, |u| (u - now).num_seconds());
            pauses.push(pause);
            if pause > 0 {
                let early = now + Duration::seconds(pause - 1);
                assert_eq!(admit(t.clone(), early), Err(Locked { until: t.locked_until.unwrap() }));
            }
            now += Duration::seconds(pause);
        }
        assert_eq!(pauses, [0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
        let later = admit(t, now + Duration::hours(25)).unwrap();
        assert_eq!((later.failures, later.locked_until), (1, None));
    }
}
