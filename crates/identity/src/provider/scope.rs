//! Scopes: what a token tells and may be used for.

/// All that the web app can be granted.
pub(super) const SUPPORTED: [&str; 4] = ["openid", "profile", "email", "offline_access"];
/// What a partner's machine is granted.
pub(super) const MACHINE: &str = "b2b";

/// The scopes that are asked for and exist, in our order; unknown ones are left out, as OpenID
/// Connect Core §3.1.2.1 allows.
pub(super) fn grant(asked: Option<&str>) -> String {
    let asked: Vec<&str> = asked.unwrap_or("").split_whitespace().collect();
    let granted: Vec<&str> = SUPPORTED.into_iter().filter(|s| asked.contains(s)).collect();
    granted.join(" ")
}

/// Does a granted scope text hold this scope?
pub(super) fn has(scope: &str, wanted: &str) -> bool {
    scope.split(' ').any(|s| s == wanted)
}

/// A refresh may ask for less than was granted, never for more.
pub(super) fn narrow(granted: &str, asked: Option<&str>) -> Option<String> {
    let Some(asked) = asked else { return Some(granted.to_owned()) };
    let asked: Vec<&str> = asked.split_whitespace().collect();
    let known = asked.iter().all(|s| has(granted, s));
    known.then(|| granted.split(' ').filter(|s| asked.contains(s)).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn granted_and_narrowed() {
        assert_eq!(grant(Some("email  admin openid")), "openid email");
        assert_eq!(grant(None), "");
        assert!(has("openid email", "email") && !has("openid email", "mail"));
        assert_eq!(narrow("openid email", None).as_deref(), Some("openid email"));
        assert_eq!(narrow("openid email", Some("email")).as_deref(), Some("email"));
        assert_eq!(narrow("openid email", Some("email profile")), None);
    }
}
