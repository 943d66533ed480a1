//! Where the site is, and the names fixed by the HTTP contract.

use std::str::FromStr;

/// Client id of the web app, a public client.
pub const CLIENT_ID: &str = "portage-web";
/// Audience of access tokens: our API.
pub const AUDIENCE: &str = "portage-api";

/// The site's origin, for example `https://move.example` (scheme, host and, when not the
/// scheme's own, port).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
    https: bool,
}

/// Not an origin the site can be served from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the public URL must be http(s)://host[:port] without path, query, fragment or user")]
pub struct InvalidPublicUrl;

impl PublicUrl {
    /// Without a slash at the end.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Cookies are `Secure` under https.
    pub fn is_https(&self) -> bool {
        self.https
    }

    /// Issuer of the embedded provider.
    pub fn issuer(&self) -> String {
        format!("{}/identity", self.origin)
    }

    /// Absolute address of a path that begins with `/`.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// The web app's redirect URIs; compared byte for byte.
    pub fn redirect_uris(&self) -> [String; 2] {
        [self.join("/callback"), self.join("/dashboard/callback")]
    }

    /// Where one may land after signing out; compared byte for byte.
    pub fn post_logout_uris(&self) -> [String; 5] {
        [self.origin.clone(), self.join("/"), self.join("/signin"), self.join("/dashboard"), self.join("/dashboard/")]
    }
}

impl FromStr for PublicUrl {
    type Err = InvalidPublicUrl;

    fn from_str(text: &str) -> Result<Self, InvalidPublicUrl> {
        let url = url::Url::parse(text.trim()).map_err(|_| InvalidPublicUrl)?;
        let https = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err(InvalidPublicUrl),
        };
        let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let anonymous = url.username().is_empty() && url.password().is_none();
        if !bare || !anonymous || url.host_str().is_none_or(str::is_empty) {
            return Err(InvalidPublicUrl);
        }
        Ok(PublicUrl { origin: url.origin().ascii_serialization(), https })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_origins() {
        let url: PublicUrl = "http://localhost:8080/".parse().unwrap();
        assert_eq!(url.issuer(), "http://localhost:8080/identity");
        assert!(!url.is_https());
        assert_eq!("HTTPS://Move.Example:443".parse::<PublicUrl>().unwrap().origin(), "https://move.example");
        for bad in
            ["", "localhost:8080", "ftp://a.b", "https://a.b/path", "https://a.b?x", "https://u@a.b", "https://a.b/#f"]
        {
            assert!(bad.parse::<PublicUrl>().is_err(), "{bad}");
        }
    }
}
