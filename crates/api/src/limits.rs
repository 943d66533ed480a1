//! How often one address may call.

use std::time::{Duration, Instant};

use actix_web::HttpRequest;

use crate::{
    client::{self, Origin},
    counters::Counters,
    http::problem::ApiError,
};

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
    /// Files.
    Upload,
}

impl LimitClass {
    const ALL: [LimitClass; 6] = [
        LimitClass::Guest,
        LimitClass::Hold,
        LimitClass::SignIn,
        LimitClass::Token,
        LimitClass::Payment,
        LimitClass::Upload,
    ];
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
    /// See [`LimitClass::Upload`]. Calls straight from this machine are not counted.
    pub upload: u64,
    /// Believe `X-Forwarded-For` (its last entry): set when a reverse proxy stands in front.
    pub behind_proxy: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { guest: 1200, hold: 120, sign_in: 240, token: 600, payment: 240, upload: 60, behind_proxy: false }
    }
}

const MINUTE: Duration = Duration::from_secs(60);

/// The counters of one server: as many as there are classes, each of fixed size. Classes do not
/// share a table, so that a flood of one kind says nothing about the others.
pub struct Limiter {
    limits: Limits,
    classes: [Counters; LimitClass::ALL.len()],
}

impl Limiter {
    /// Empty counters; `secret` keeps others from choosing keys that meet.
    pub fn new(limits: Limits, secret: [u8; 32]) -> Limiter {
        let began = Instant::now();
        Limiter { limits, classes: LimitClass::ALL.map(|_| Counters::new(secret, began, MINUTE)) }
    }

    /// Counts a call.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn admit(&self, class: LimitClass, req: &HttpRequest) -> Result<(), ApiError> {
        let (max, counts_local) = match class {
            LimitClass::Guest => (self.limits.guest, false),
            LimitClass::Hold => (self.limits.hold, false),
            LimitClass::Payment => (self.limits.payment, false),
            LimitClass::Upload => (self.limits.upload, false),
            LimitClass::SignIn => (self.limits.sign_in, true),
            LimitClass::Token => (self.limits.token, true),
        };
        if !counts_local && client::is_local(req) {
            return Ok(());
        }
        // Whose address the system does not tell are one.
        let origin = Origin::of_request(req, self.limits.behind_proxy).map_or([0; 16], Origin::bytes);
        let Some(counters) = self.classes.get(class as usize) else { return Ok(()) };
        counters.count(&origin, max, Instant::now()).map_err(too_many)
    }
}

fn too_many(wait: Duration) -> ApiError {
    ApiError::too_many(wait.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX))
}
