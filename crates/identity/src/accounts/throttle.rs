//! How often a password may be tried and a mail be asked for: the pure decisions.
//!
//! Guesses are counted by who makes them: by account and network together, or by the browser that
//! signed in to the account before. So a stranger's guesses are the stranger's affair. A guesser
//! with many networks is slowed down by a second counter of the account over all networks; what it
//! costs a network that had no part in it is one wait, never a refusal for good.

use kernel::chrono::{DateTime, Duration, Utc};
use service::ports::identity::SignInThrottle;

/// Attempts that cost nothing.
const FREE: i32 = 5;
/// First pause; it doubles with each further attempt.
const FIRST_PAUSE: Duration = Duration::seconds(30);
/// Longest pause.
const LONGEST_PAUSE: Duration = Duration::minutes(15);
/// After this long without an attempt the past is forgotten.
const FORGET: Duration = Duration::hours(24);
/// Guesses at one account over all networks before everybody has to wait: what NIST SP 800-63B
/// (5.2.2) allows at most.
const CEILING: i32 = 100;
/// One of them is forgotten after so long: no single network reaches the ceiling, however patient.
const LEAK: Duration = Duration::minutes(15);
/// Beyond the ceiling the wait doubles after so many further guesses.
const STEP: i32 = 50;
/// First pause between mails of a kind to one address; it doubles with each mail.
const FIRST_MAIL_PAUSE: Duration = Duration::minutes(1);
/// With so many the wait is the longest.
const MOST: i32 = CEILING + 5 * STEP;
/// Longest pause between them. Shorter than a reset link works, so that whoever keeps asking in an
/// owner's name keeps a working link in the owner's mailbox.
const LONGEST_MAIL_PAUSE: Duration = Duration::minutes(30);
/// Mails one network may cause in an hour.
const MAILS_AN_HOUR: i32 = 60;

/// What becomes of an attempt. Either way the counter is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It is looked at.
    Now(SignInThrottle),
    /// It is not; the next one is, from the counter's `locked_until` on.
    Later(SignInThrottle),
}

/// Counts an attempt of one guesser *before* the password is looked at, so that attempts made at
/// the same moment cannot share one count. A success clears the counter afterwards.
///
/// `least` is how long every guesser has to wait for an attempt at this account; see [`delay`].
/// Whoever has waited is looked at, whatever others do meanwhile.
pub(crate) fn admit(mut own: SignInThrottle, least: Duration, now: DateTime<Utc>) -> Admission {
    if own.locked_until.is_some_and(|until| now < until) {
        return Admission::Later(own);
    }
    if now - own.last_attempt_at > FORGET {
        (own.failures, own.locked_until) = (0, None);
    }
    let waited = own.locked_until.is_some();
    own.last_attempt_at = now;
    if least > Duration::zero() && !waited {
        own.locked_until = Some(now + least);
        return Admission::Later(own);
    }
    own.failures = own.failures.saturating_add(1);
    let pause = if own.failures >= FREE { doubled(FIRST_PAUSE, own.failures - FREE, LONGEST_PAUSE) } else { Duration::zero() };
    let pause = pause.max(least);
    own.locked_until = (pause > Duration::zero()).then(|| now + pause);
    Admission::Now(own)
}

/// How long a guesser has to wait for an attempt at an account at which so many were made, over
/// all networks.
pub(crate) fn delay(all: &SignInThrottle, now: DateTime<Utc>) -> Duration {
    let over = remembered(all, now) - CEILING;
    if over < 0 { Duration::zero() } else { doubled(FIRST_PAUSE, over / STEP, LONGEST_PAUSE) }
}

/// Counts an attempt that was admitted on the account's own counter, whose `locked_until` says when
/// all its attempts are forgotten.
pub(crate) fn count(mut all: SignInThrottle, now: DateTime<Utc>) -> SignInThrottle {
    // More would change nothing but the time until it is forgotten.
    all.failures = (remembered(&all, now) + 1).min(MOST);
    all.locked_until = Some((all.locked_until.unwrap_or(now).max(now) + LEAK).min(now + LEAK * MOST));
    all.last_attempt_at = now;
    all
}

/// How many attempts at an account are not forgotten yet, rounded up.
fn remembered(all: &SignInThrottle, now: DateTime<Utc>) -> i32 {
    let left = all.locked_until.map_or_else(Duration::zero, |empty| (empty - now).max(Duration::zero()));
    let leak = LEAK.num_seconds();
    i32::try_from((left.num_seconds() + leak - 1) / leak).unwrap_or(MOST)
}

/// Counts a mail of a kind to one address; none when it is too early for another one.
pub(crate) fn mail(mut sent: SignInThrottle, now: DateTime<Utc>) -> Option<SignInThrottle> {
    if sent.locked_until.is_some_and(|until| now < until) {
        return None;
    }
    if now - sent.last_attempt_at > FORGET {
        sent.failures = 0;
    }
    sent.failures = sent.failures.saturating_add(1);
    sent.last_attempt_at = now;
    sent.locked_until = Some(now + doubled(FIRST_MAIL_PAUSE, sent.failures - 1, LONGEST_MAIL_PAUSE));
    Some(sent)
}

/// Counts a call of one network that may cause a mail.
pub(crate) fn mail_from(mut network: SignInThrottle, now: DateTime<Utc>) -> Admission {
    // `locked_until` is where the hour ends.
    if network.locked_until.is_none_or(|end| now >= end) {
        (network.failures, network.locked_until) = (0, Some(now + Duration::hours(1)));
    }
    if network.failures >= MAILS_AN_HOUR {
        return Admission::Later(network);
    }
    network.failures += 1;
    network.last_attempt_at = now;
    Admission::Now(network)
}

fn doubled(first: Duration, times: i32, longest: Duration) -> Duration {
    let factor = 1i32.checked_shl(u32::try_from(times).unwrap_or(0).min(10)).unwrap_or(1);
    first.checked_mul(factor).unwrap_or(longest).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::ports::identity::TokenHash;

    fn start() -> DateTime<Utc> {
        "2027-01-04T12:00:00Z".parse().unwrap()
    }

    fn counter(failures: i32) -> SignInThrottle {
        SignInThrottle { key: TokenHash("k".into()), failures, last_attempt_at: start(), locked_until: None }
    }

    fn looked_at(admission: Admission) -> SignInThrottle {
        let Admission::Now(counter) = admission else { panic!("{admission:?}") };
        counter
    }

    fn wait_of(counter: &SignInThrottle, now: DateTime<Utc>) -> i64 {
        counter.locked_until.map_or(0, |until| (until - now).num_seconds())
    }

    #[test]
    fn five_free_then_longer_and_longer() {
        let (mut now, mut t, none) = (start(), counter(0), Duration::zero());
        let mut pauses = Vec::new();
        for _ in 0..12 {
            t = looked_at(admit(t, none, now));
            let pause = wait_of(&t, now);
            pauses.push(pause);
            if pause > 0 {
                let early = now + Duration::seconds(pause - 1);
                assert_eq!(admit(t.clone(), none, early), Admission::Later(t.clone()));
            }
            now += Duration::seconds(pause);
        }
        assert_eq!(pauses, [0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
        let later = looked_at(admit(t, none, now + Duration::hours(25)));
        assert_eq!((later.failures, later.locked_until), (1, None));
    }

    #[test]
    fn beyond_the_ceiling_each_guesser_waits_once_an_attempt() {
        let (mut all, mut delays) = (counter(0), vec![0; 501]);
        for seen in &mut delays {
            *seen = delay(&all, start()).num_seconds();
            all = count(all, start());
        }
        let at = [0, 99, 100, 149, 150, 200, 250, 300, 350, 500].map(|n: usize| delays[n]);
        assert_eq!(at, [0, 0, 30, 30, 60, 120, 240, 480, 900, 900]);
        // 251 quarters of an hour later 99 are left.
        let left = |minutes| delay(&all, start() + Duration::minutes(minutes)).num_seconds();
        assert_eq!((left(14), left(250 * 15), left(251 * 15)), (900, 30, 0));

        let (least, mut now) = (Duration::seconds(900), start());
        let Admission::Later(mut own) = admit(counter(0), least, now) else { panic!("the first one waits") };
        for _ in 0..3 {
            assert_eq!(wait_of(&own, now), 900);
            now += least;
            own = looked_at(admit(own, least, now));
        }
    }

    #[test]
    fn a_patient_guesser_alone_makes_nobody_wait() {
        let (mut now, mut all) = (start(), counter(0));
        for _ in 0..1_000 {
            all = count(all, now);
            assert_eq!((all.failures, delay(&all, now)), (1, Duration::zero()));
            now += LONGEST_PAUSE;
        }
    }

    #[test]
    fn mails_come_less_and_less_often_but_within_the_life_of_a_link() {
        let (mut now, mut sent, mut pauses) = (start(), counter(0), Vec::new());
        for _ in 0..7 {
            sent = mail(sent, now).unwrap();
            pauses.push(wait_of(&sent, now) / 60);
            assert_eq!(mail(sent.clone(), sent.locked_until.unwrap() - Duration::seconds(1)), None);
            now = sent.locked_until.unwrap();
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 30, 30]);
        assert!(LONGEST_MAIL_PAUSE < super::super::RESET_LINK);
    }

    #[test]
    fn a_network_has_its_hour() {
        let mut network = counter(0);
        for _ in 0..MAILS_AN_HOUR {
            network = looked_at(mail_from(network, start()));
        }
        let Admission::Later(full) = mail_from(network, start() + Duration::minutes(59)) else { panic!("too many") };
        assert_eq!(looked_at(mail_from(full, start() + Duration::hours(1))).failures, 1);
    }
}
