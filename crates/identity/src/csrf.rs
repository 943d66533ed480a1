//! Did our own page send this request?
//!
//! Cookie-authenticated calls change something only when the browser says that the request comes
//! from this very site. Together with `SameSite=Lax` and the demand for a JSON body (which a
//! foreign form cannot send) a forged request has to get past three fences.

use crate::config::PublicUrl;

/// The headers a browser sets and a page cannot.
#[derive(Debug, Clone, Copy, Default)]
pub struct Provenance<'r> {
    /// `Origin`.
    pub origin: Option<&'r str>,
    /// `Sec-Fetch-Site`.
    pub sec_fetch_site: Option<&'r str>,
    /// `Content-Type`.
    pub content_type: Option<&'r str>,
}

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Our own pages, or the address bar.
    Own,
    /// Somebody else's page.
    Foreign,
    /// Not said: a program, or a browser too old to say it on a navigation.
    Unsaid,
}

impl Provenance<'_> {
    /// Where the request comes from. `Sec-Fetch-Site` is believed first: it holds behind a proxy
    /// that serves the site under another name than the public URL.
    pub fn origin(&self, site: &PublicUrl) -> Origin {
        match (self.sec_fetch_site, self.origin) {
            (Some("same-origin" | "none"), _) => Origin::Own,
            (Some(_), _) => Origin::Foreign,
            (None, Some(origin)) if origin == site.origin() => Origin::Own,
            (None, Some(_)) => Origin::Foreign,
            (None, None) => Origin::Unsaid,
        }
    }

    /// May a POST of the account pages be carried out? Programs (no browser headers at all) may:
    /// they hold no other person's cookies. Every browser in use sends `Origin` with a POST.
    pub fn allows_post(&self, site: &PublicUrl) -> bool {
        let json = self.content_type.is_some_and(|t| {
            let media = t.split(';').next().unwrap_or("").trim();
            media.eq_ignore_ascii_case("application/json")
        });
        json && self.origin(site) != Origin::Foreign
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request<'r>(origin: Option<&'r str>, site: Option<&'r str>) -> Provenance<'r> {
        Provenance { origin, sec_fetch_site: site, content_type: Some("application/json; charset=utf-8") }
    }

    #[test]
    fn only_our_own_pages_may_post() {
        let home = "https://move.example".parse().unwrap();
        for ok in [
            request(Some("https://move.example"), Some("same-origin")),
            request(Some("https://move.example"), None),
            request(None, None),
        ] {
            assert!(ok.allows_post(&home), "{ok:?}");
        }
        for bad in [
            request(Some("https://evil.example"), Some("cross-site")),
            request(Some("https://blog.move.example"), Some("same-site")),
            request(Some("https://evil.example"), None),
            request(Some("null"), None),
            Provenance { content_type: Some("text/plain"), ..request(None, Some("same-origin")) },
            Provenance { content_type: None, ..request(None, Some("same-origin")) },
        ] {
            assert!(!bad.allows_post(&home), "{bad:?}");
        }
    }
}
