//! The cookies of the account pages. All are seen by `/identity` only, so that the API never
//! acts on a cookie and needs no guard against forged requests of its own.

use crate::config::PublicUrl;

/// The session: an opaque token.
pub const SESSION: &str = "portage_session";
/// Accounts that signed in with this browser before: signed tokens that open nothing.
pub const DEVICE: &str = "portage_device";
/// A verification link opened without a session, kept until the person has signed in.
pub const VERIFY: &str = "portage_verify";

const PATH: &str = "/identity";

/// A `Set-Cookie` value that keeps `value` for `seconds`.
pub(crate) fn set(name: &str, value: &str, seconds: i64, site: &PublicUrl) -> String {
    let secure = if site.is_https() { "; Secure" } else { "" };
    format!("{name}={value}; Path={PATH}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

/// A `Set-Cookie` value that removes the cookie.
pub(crate) fn clear(name: &str, site: &PublicUrl) -> String {
    set(name, "", 0, site)
}

/// The value of one cookie in a `Cookie` header.
pub fn find<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    header
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(n, v)| *n == name && !v.is_empty())
        .map(|(_, v)| v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_follow_the_scheme() {
        let plain = "http://localhost:8080".parse().unwrap();
        let secure = "https://move.example".parse().unwrap();
        assert_eq!(
            set(SESSION, "v", 60, &plain),
            "portage_session=v; Path=/identity; Max-Age=60; HttpOnly; SameSite=Lax"
        );
        assert!(set(SESSION, "v", 60, &secure).ends_with("; Secure"));
        assert!(clear(SESSION, &plain).contains("Max-Age=0"));
    }

    #[test]
    fn one_cookie_of_many() {
        assert_eq!(find("a=1; portage_session=tok=en ;b=2", SESSION), Some("tok=en"));
        assert_eq!(find("xportage_session=1", SESSION), None);
        assert_eq!(find("portage_session=", SESSION), None);
    }
}
