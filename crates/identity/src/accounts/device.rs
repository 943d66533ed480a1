//! Browsers that have signed in before.
//!
//! A long-lived cookie holds a signed token for each of the last few accounts that signed in with
//! the browser. It opens nothing. It says that the browser belongs to somebody who once knew the
//! password (so guesses of strangers do not hold it up), and whether a mailed link is opened where
//! the account was made. A new password ends the tokens made before it.

use kernel::{
    UserId,
    chrono::{DateTime, Duration, Utc},
};
use serde::Serialize;

use crate::{
    Deps, cookie,
    verify::jwt::{Expect, check_signature},
};

/// How long a browser is known without signing in again.
const LIFE: Duration = Duration::days(365);
const TYPE: &str = "device+jwt";
const AUDIENCE: &str = "portage-device";
/// Accounts remembered in one browser.
const MOST: usize = 3;
/// Stands in no token.
const BETWEEN: char = '~';

#[derive(Serialize)]
struct Claims<'c> {
    iss: &'c str,
    aud: &'static str,
    sub: UserId,
    jti: String,
    iat: i64,
    exp: i64,
}

/// A browser that signed in to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Device {
    /// Differs from sign-in to sign-in.
    pub id: String,
    user: UserId,
    /// Unix time.
    since: i64,
    token: String,
}

/// What the cookie of a request says, as far as it can be believed.
pub(super) fn read(deps: &Deps, cookie: Option<&str>, now: DateTime<Utc>) -> Vec<Device> {
    cookie.into_iter().flat_map(|c| c.split(BETWEEN).take(MOST)).filter_map(|token| check(deps, token, now)).collect()
}

fn check(deps: &Deps, token: &str, now: DateTime<Utc>) -> Option<Device> {
    let (header, claims) = check_signature(token, |kid| deps.keys.verifying(kid).cloned()).ok()?;
    if header.typ.as_deref() != Some(TYPE) {
        return None;
    }
    Expect { issuer: &deps.public_url.issuer(), audience: AUDIENCE }.all(&claims, now).ok()?;
    Some(Device {
        id: claims.get("jti")?.as_str()?.to_owned(),
        user: claims.get("sub")?.as_str()?.parse().ok()?,
        since: claims.get("iat")?.as_i64()?,
        token: token.to_owned(),
    })
}

/// The device that signed in to this account since its password was set.
pub(super) fn known_device(devices: &[Device], user: UserId, password_changed_at: DateTime<Utc>) -> Option<&Device> {
    devices.iter().find(|d| d.user == user && d.since >= password_changed_at.timestamp())
}

/// The cookie to send when somebody has shown who they are: this account and those the browser
/// remembers already.
pub(super) fn remember(deps: &Deps, old: &[Device], user: UserId, now: DateTime<Utc>) -> Option<String> {
    let claims = Claims {
        iss: &deps.public_url.issuer(),
        aud: AUDIENCE,
        sub: user,
        jti: deps.entropy.uuid(now).to_string(),
        iat: now.timestamp(),
        exp: (now + LIFE).timestamp(),
    };
    let fresh = deps
        .keys
        .sign(TYPE, &claims)
        // Without it the person is treated like any other: no reason to refuse the sign-in.
        .map_err(|error| tracing::error!(%error, "a device token could not be signed"))
        .ok()?;
    let others = old.iter().filter(|d| d.user != user).map(|d| d.token.clone()).take(MOST - 1);
    let tokens: Vec<String> = std::iter::once(fresh).chain(others).collect();
    Some(cookie::set(cookie::DEVICE, &tokens.join(&BETWEEN.to_string()), LIFE.num_seconds(), &deps.public_url))
}
