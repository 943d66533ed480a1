//! Who somebody is: the embedded OpenID Connect provider, and the verification of anybody's
//! access tokens.
//!
//! No HTTP framework here: plain values in, plain values out; the `api` crate mounts them in its
//! route table. What a person may *do* is not decided here either: roles never come from a
//! provider, `service` looks them up by verified e-mail.
//!
//! - [`Identity`] is the embedded provider: accounts ([`accounts`]) and the protocol
//!   ([`provider`]).
//! - [`verify::TokenVerifier`] checks bearer tokens, of the embedded provider or an external one.
//! - [`accounts::Directory`] turns a verified token into our account record.
//! - [`csrf`], [`cookie`]: what the HTTP layer needs to guard and to write the session cookie.
#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod accounts;
mod audit;
pub mod config;
pub mod cookie;
pub mod csrf;
pub mod keys;
mod mail;
mod password;
pub mod provider;
mod secret;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod testing;
pub mod verify;

use std::{net::IpAddr, sync::Arc};

use kernel::{
    Language,
    chrono::{DateTime, Utc},
};
use service::ports::{Clock, Entropy, Store};

pub use config::{AUDIENCE, CLIENT_ID, InvalidPublicUrl, PublicUrl};
pub use keys::{KeyError, KeySource, SigningKeys};
pub use mail::{MailRequest, Outbox};
pub use verify::{Issued, Proof, TokenVerifier, VerifiedToken, VerifyError};

/// The embedded provider. Cheap to clone.
#[derive(Clone)]
pub struct Identity {
    deps: Arc<Deps>,
}

struct Deps {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    keys: SigningKeys,
    public_url: PublicUrl,
    outbox: Arc<dyn Outbox>,
    hasher: password::Hasher,
    /// How long the answer to a forgotten password takes at least, real time.
    forgot_takes: std::time::Duration,
}

/// What of an HTTP request every call of the account pages needs.
#[derive(Debug, Clone, Default)]
pub struct RequestContext {
    /// Value of the cookie [`cookie::SESSION`].
    pub session: Option<String>,
    /// Value of the cookie [`cookie::VERIFY`].
    pub verify: Option<String>,
    /// Value of the cookie [`cookie::DEVICE`].
    pub device: Option<String>,
    /// Who is at the other end, for counting attempts.
    pub address: Option<IpAddr>,
    /// Language of the page.
    pub language: Language,
    /// `X-Request-Id`, for the audit trail.
    pub request_id: Option<String>,
}

impl Identity {
    /// A provider for the site at `public_url`, signing with `keys`, mailing through `outbox`.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        outbox: Arc<dyn Outbox>,
        keys: SigningKeys,
        public_url: PublicUrl,
    ) -> Identity {
        let hasher = password::Hasher::new(entropy.clone());
        let forgot_takes = accounts::FORGOT_TAKES;
        Identity { deps: Arc::new(Deps { store, clock, entropy, keys, public_url, outbox, hasher, forgot_takes }) }
    }

    /// Answers a forgotten password at once: tests ask hundreds of times.
    #[cfg(test)]
    pub(crate) fn in_a_hurry(mut self) -> Identity {
        if let Some(deps) = Arc::get_mut(&mut self.deps) {
            deps.forgot_takes = std::time::Duration::ZERO;
        }
        self
    }

    /// Hashes passwords at next to no cost and on no thread of its own: for tests. The feature `testing` is one of
    /// development dependencies only, so no program has this.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn with_cheap_passwords(mut self) -> Identity {
        if let Some(deps) = Arc::get_mut(&mut self.deps) {
            deps.hasher = password::Hasher::cheap(deps.entropy.clone());
        }
        self
    }

    /// Where the site is.
    pub fn public_url(&self) -> &PublicUrl {
        &self.deps.public_url
    }

    /// `<public url>/identity`.
    pub fn issuer(&self) -> String {
        self.deps.public_url.issuer()
    }

    /// Verifies the access tokens this provider issues.
    pub fn verifier(&self) -> TokenVerifier {
        TokenVerifier::embedded(self.deps.keys.clone(), self.issuer(), self.deps.clock.clone())
    }

    fn now(&self) -> DateTime<Utc> {
        self.deps.clock.now()
    }
}
