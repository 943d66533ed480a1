//! How often one address may call.

use std::{
    net::IpAddr,
    sync::OnceLock,
    time::Duration,
};

use actix_extensible_rate_limit::{
    HeaderCompatibleOutput,
    backend::{Backend, SimpleInput, memory::InMemoryBackend},
};
use actix_web::HttpRequest;

use crate::http::ApiError;

/// What is counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitClass {
    /// Calls without a token: prices, availability, addresses.
    Guest,
    /// Holds take capacity from others.
    Hold,
    /// Sign-in, sign-up, new passwords.
    SignIn,
    /// Token exchange.
    Token,
    /// Cards and charges.
    Payment,
}

/// Calls a minute and address, by class. Generous: many people share one address behind a
/// provider's gateway. Passwords are guarded per account as well, by the identity provider.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// See [`LimitClass::Guest`]. Calls straight from this machine are not counted.
    pub guest: u64,
    /// See [`LimitClass::Hold`]. Calls straight from this machine are not counted.
    pub hold: u64,
    /// See [`LimitClass::SignIn`].
    pub sign_in: u64,
    /// See [`LimitClass::Token`].
    pub token: u64,
    /// See [`LimitClass::Payment`]. Calls straight from this machine are not counted.
    pub payment: u64,
    /// Attempts per account and ten minutes (mails of forgotten passwords, sign-ins).
    pub per_account: u64,
    /// Believe `X-Forwarded-For` (its last entry): set when a reverse proxy stands in front.
    pub behind_proxy: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { guest: 1200, hold: 120, sign_in: 240, token: 600, payment: 240, per_account: 40, behind_proxy: false }
    }
}

const MINUTE: Duration = Duration::from_secs(60);
const TEN_MINUTES: Duration = Duration::from_secs(600);

/// The counters of one server.
pub struct Limiter {
    limits: Limits,
    // Made on a worker's thread: its clean-up task needs that runtime.
    backend: OnceLock<InMemoryBackend>,
}

impl Limiter {
    /// Empty counters.
    pub fn new(limits: Limits) -> Limiter {
        Limiter { limits, backend: OnceLock::new() }
    }

    /// Counts a call.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub async fn admit(&self, class: LimitClass, req: &HttpRequest) -> Result<(), ApiError> {
        let here = is_local(req);
        let (max, counts_local) = match class {
            LimitClass::Guest => (self.limits.guest, false),
            LimitClass::Hold => (self.limits.hold, false),
            LimitClass::Payment => (self.limits.payment, false),
            LimitClass::SignIn => (self.limits.sign_in, true),
            LimitClass::Token => (self.limits.token, true),
        };
        if here && !counts_local {
            return Ok(());
        }
        let address = client_address(req, self.limits.behind_proxy).map_or_else(|| "unknown".to_owned(), |ip| ip.to_string());
        self.count(format!("{class:?} {address}"), max, MINUTE).await
    }

    /// Counts an attempt on one account, whoever makes it.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub async fn admit_account(&self, call: &str, account: &str) -> Result<(), ApiError> {
        self.count(format!("account {call} {}", account.trim().to_lowercase()), self.limits.per_account, TEN_MINUTES).await
    }

    /// The network a call comes from, as what lasts longer than a minute is counted by: an IPv4
    /// address, or the /64 one household has of IPv6. None for calls from this machine itself.
    pub fn network(&self, req: &HttpRequest) -> Option<String> {
        if is_local(req) {
            return None;
        }
        client_address(req, self.limits.behind_proxy).map(network_of)
    }

    async fn count(&self, key: String, max_requests: u64, interval: Duration) -> Result<(), ApiError> {
        let backend = self.backend.get_or_init(|| InMemoryBackend::builder().build());
        match backend.request(SimpleInput { interval, max_requests, key }).await {
            Ok((decision, output, _)) if decision.is_denied() => Err(ApiError::too_many(output.seconds_until_reset())),
            Ok(_) => Ok(()),
            Err(never) => match never {},
        }
    }
}

/// Who is at the other end; behind a proxy, whom the proxy says.
pub fn client_address(req: &HttpRequest, behind_proxy: bool) -> Option<IpAddr> {
    let forwarded = || {
        let list = req.headers().get("x-forwarded-for")?.to_str().ok()?;
        list.rsplit(',').next()?.trim().parse().ok()
    };
    if behind_proxy && let Some(ip) = forwarded() {
        return Some(ip);
    }
    req.peer_addr().map(|a| a.ip())
}

fn network_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

/// A program on this very machine, not a proxy that speaks for somebody else.
pub fn is_local(req: &HttpRequest) -> bool {
    let spoken_for = ["x-forwarded-for", "forwarded", "x-real-ip"].iter().any(|h| req.headers().contains_key(*h));
    !spoken_for && req.peer_addr().is_some_and(|a| a.ip().to_canonical().is_loopback())
}
