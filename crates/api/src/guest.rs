//! The browser of somebody who has not signed in, told apart by a cookie.
//!
//! The cookie says who asks for the same thing again and whose time is replaced by another choice;
//! it opens nothing. It is 128 random bits that scripts cannot read and other sites' pages cannot
//! send. The database knows its hash only.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    dev::Payload,
    http::header::{self, HeaderValue},
    web,
};
use identity::cookie;
use service::{idempotency, ports::capacity::Holder};
use sha2::{Digest, Sha256};

use crate::{
    client::Origin,
    contract::{Contract, Declares},
    hexadecimal::hex,
    http::{ApiError, IdempotencyKey},
    state::State,
};

/// Name of the cookie.
pub const COOKIE: &str = "portage_guest";
/// As long as answers to repeated requests are remembered.
const SECONDS: u32 = 24 * 60 * 60;
/// Hexadecimal digits of 128 bits.
const DIGITS: usize = 32;

/// A guest's browser. One that brought no cookie is a new guest, whatever else it says: what a
/// stranger can send as well (an address, a name of a browser, a key) proves nothing.
#[derive(Debug, Clone)]
pub struct Guest {
    secret: String,
    fresh: bool,
    https: bool,
    origin: Option<Origin>,
}

impl Guest {
    fn of(req: &HttpRequest) -> Result<Guest, ApiError> {
        let state = req.app_data::<web::Data<State>>().ok_or_else(|| ApiError::internal("no state"))?;
        let cookies = req.headers().get(header::COOKIE).and_then(|v| v.to_str().ok()).unwrap_or("");
        let known =
            cookie::find(cookies, COOKIE).filter(|v| v.len() == DIGITS && v.bytes().all(|b| b.is_ascii_hexdigit()));
        let made = || {
            let mut bits = [0; DIGITS / 2];
            state.services.entropy.fill(&mut bits);
            hex(&bits)
        };
        Ok(Guest {
            fresh: known.is_none(),
            secret: known.map_or_else(made, str::to_ascii_lowercase),
            https: state.config.public_url.is_https(),
            origin: Origin::of_request(req, state.config.limits.behind_proxy),
        })
    }

    /// The browser's name in the database.
    fn pseudonym(&self) -> String {
        let digest = Sha256::new().chain_update(b"portage guest\0").chain_update(&self.secret).finalize();
        hex(digest.get(..16).unwrap_or_default())
    }

    /// As the one who keeps a time.
    pub fn holder(&self) -> Holder {
        let origin = self.origin.map_or_else(|| "unknown".to_owned(), Origin::pseudonym);
        Holder { browser: self.pseudonym(), origin }
    }

    /// A key of this browser and nobody else's.
    pub fn request(&self, key: IdempotencyKey, call: &str, body_hash: &str) -> Option<idempotency::Request> {
        key.request(&format!("guest {}", self.pseudonym()), call, body_hash)
    }

    /// Gives a new guest the cookie, with an answer nobody may keep for others.
    pub fn remember(&self, mut response: HttpResponse) -> HttpResponse {
        if !self.fresh {
            return response;
        }
        let secure = if self.https { "; Secure" } else { "" };
        let line = format!("{COOKIE}={}; Path=/api; Max-Age={SECONDS}; HttpOnly; SameSite=Lax{secure}", self.secret);
        if let Ok(line) = HeaderValue::from_str(&line) {
            response.headers_mut().append(header::SET_COOKIE, line);
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        }
        response
    }
}

impl FromRequest for Guest {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Guest::of(req))
    }
}

impl Declares for Guest {
    fn declare(_: &mut Contract) {}
}
