//! Counting attempts at passwords, and calls that send mails.

use std::net::{IpAddr, Ipv6Addr};

use kernel::{
    Email, SessionId,
    chrono::{DateTime, Utc},
};
use service::ports::{
    StoreError, StoreResult, Unit,
    identity::{Credential, TokenHash},
};

use super::{
    SignInError,
    device::{self, Device},
    throttle::{self, Admission},
};
use crate::{Identity, RequestContext, secret};

/// An attempt that may be looked at.
pub(super) struct Attempt {
    /// The password sign-in of the address, if it has one.
    pub credential: Option<Credential>,
    counters: Vec<TokenHash>,
}

impl Attempt {
    /// It succeeded: what it was counted on is forgotten.
    pub fn forgive(&self, u: &mut dyn Unit) -> StoreResult<()> {
        self.counters.iter().try_for_each(|key| u.sign_in_throttles().clear(key))
    }
}

/// Too early: when the next one is looked at.
pub(super) type TooEarly = DateTime<Utc>;

impl Identity {
    /// Counts an attempt at an address: on the browser's own counter when it has signed in to that
    /// account before, else on those of the network and of the account.
    pub(super) async fn admit_attempt(&self, email: &Email, context: &RequestContext) -> Result<Attempt, SignInError> {
        let (key, now) = (email.key(), self.now());
        // Before anything is looked up, so that it takes as long for an address nobody has.
        let devices = device::read(&self.deps, context.device.as_deref(), now);
        let network = network(context.address);
        let outcome = self
            .deps
            .store
            .write(move |u| {
                let credential = u.accounts().credential(&key)?;
                let known =
                    credential.as_ref().and_then(|c| device::known_device(&devices, c.user_id, c.password_changed_at));
                let counters = match known {
                    Some(Device { id, .. }) => vec![secret::hash(&format!("device\n{id}"))],
                    // The order of the locks.
                    None => vec![account_counter(&key), secret::hash(&format!("guesser\n{key}\n{network}"))],
                };
                let admitted = count(u, &counters, now)?;
                // A refusal is no reason to roll back.
                Ok::<_, StoreError>(admitted.map(|()| Attempt { credential, counters }))
            })
            .await?;
        outcome.map_err(|until| SignInError::too_many(until, now))
    }

    /// Counts an attempt at the password of the person signed in here. It is counted on the
    /// session: a stolen one is no way to try passwords without limit, and strangers cannot keep
    /// the owner from changing a password.
    pub(super) async fn admit_change(&self, session: SessionId, email: &Email) -> Result<Attempt, SignInError> {
        let (key, now) = (email.key(), self.now());
        let outcome = self
            .deps
            .store
            .write(move |u| {
                let counters = vec![secret::hash(&format!("session\n{session}"))];
                let admitted = count(u, &counters, now)?;
                let credential = u.accounts().credential(&key)?;
                Ok::<_, StoreError>(admitted.map(|()| Attempt { credential, counters }))
            })
            .await?;
        outcome.map_err(|until| SignInError::too_many(until, now))
    }
}

/// The counter of an account's attempts over all networks.
pub(super) fn account_counter(email_key: &str) -> TokenHash {
    secret::hash(&format!("account\n{email_key}"))
}

/// Counts an attempt. The last counter is the guesser's own; one before it is the account's.
fn count(u: &mut dyn Unit, counters: &[TokenHash], now: DateTime<Utc>) -> StoreResult<Result<(), TooEarly>> {
    let Some((own, all)) = counters.split_last() else { return Ok(Ok(())) };
    let all = match all.first() {
        Some(key) => Some(u.sign_in_throttles().lock(key, now)?),
        None => None,
    };
    let least = all.as_ref().map_or_else(kernel::chrono::Duration::zero, |all| throttle::delay(all, now));
    let own = u.sign_in_throttles().lock(own, now)?;
    match throttle::admit(own, least, now) {
        Admission::Now(own) => {
            u.sign_in_throttles().put(&own)?;
            if let Some(all) = all {
                u.sign_in_throttles().put(&throttle::count(all, now))?;
            }
            Ok(Ok(()))
        }
        Admission::Later(own) => {
            u.sign_in_throttles().put(&own)?;
            Ok(Err(own.locked_until.unwrap_or(now)))
        }
    }
}

/// Keeps strangers from filling a mailbox: mails of a kind to one address (or, for a browser that
/// has signed in before, asked for by that browser) come less and less often.
pub(super) fn may_mail(u: &mut dyn Unit, kind: &str, whose: &MailTo, now: DateTime<Utc>) -> StoreResult<bool> {
    let counter = u.sign_in_throttles().lock(&whose.counter(kind), now)?;
    match throttle::mail(counter, now) {
        Some(counter) => u.sign_in_throttles().put(&counter).map(|()| true),
        None => Ok(false),
    }
}

/// Forgets the mails of a kind: the person got one and used it.
pub(super) fn forget_mails(u: &mut dyn Unit, kind: &str, email_key: &str) -> StoreResult<()> {
    u.sign_in_throttles().clear(&MailTo::Address(email_key.to_owned()).counter(kind))
}

/// On whose account a mail is counted.
pub(super) enum MailTo {
    /// The address's (`Email::key()`).
    Address(String),
    /// A known browser's.
    Device(String),
}

impl MailTo {
    fn counter(&self, kind: &str) -> TokenHash {
        match self {
            MailTo::Address(key) => secret::hash(&format!("mail:{kind}:{key}")),
            MailTo::Device(id) => secret::hash(&format!("mail:{kind}:device\n{id}")),
        }
    }
}

/// Counts a call that may send a mail to an address its sender chose: one network cannot write to
/// the whole world. Programs on this machine are not counted.
pub(super) fn mail_from(
    u: &mut dyn Unit,
    address: Option<IpAddr>,
    now: DateTime<Utc>,
) -> StoreResult<Result<(), TooEarly>> {
    if address.is_none_or(|ip| ip.to_canonical().is_loopback()) {
        return Ok(Ok(()));
    }
    let key = secret::hash(&format!("mails of\n{}", network(address)));
    let counter = u.sign_in_throttles().lock(&key, now)?;
    match throttle::mail_from(counter, now) {
        Admission::Now(counter) => u.sign_in_throttles().put(&counter).map(Ok),
        Admission::Later(counter) => Ok(Err(counter.locked_until.unwrap_or(now))),
    }
}

/// Whole seconds to wait, for `Retry-After`.
pub(super) fn seconds_until(until: TooEarly, now: DateTime<Utc>) -> i64 {
    (until - now).num_seconds().max(0) + 1
}

/// Where somebody calls from, as far as it tells people apart: an IPv4 address, or the /64 that one
/// IPv6 customer has to choose addresses from.
fn network(address: Option<IpAddr>) -> String {
    match address.map(|ip| ip.to_canonical()) {
        None => "unknown".to_owned(),
        Some(IpAddr::V4(ip)) => ip.to_string(),
        Some(IpAddr::V6(ip)) => Ipv6Addr::from(u128::from(ip) & !u128::from(u64::MAX)).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks() {
        let of = |text: &str| network(Some(text.parse().unwrap()));
        assert_eq!(of("203.0.113.7"), "203.0.113.7");
        assert_eq!(of("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(of("2001:db8:1:2::7"), "2001:db8:1:2::");
        assert_eq!(of("2001:db8:1:2:ffff::"), of("2001:db8:1:2::7"));
        assert_ne!(of("2001:db8:1:3::7"), of("2001:db8:1:2::7"));
        assert_eq!(network(None), "unknown");
    }
}
