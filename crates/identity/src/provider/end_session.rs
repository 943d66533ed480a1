//! Sign-out on the client's request (OpenID Connect RP-Initiated Logout 1.0).

use service::ports::StoreError;

use super::params::{Params, with_query};
use crate::{
    CLIENT_ID, Identity, RequestContext,
    accounts::SignedOut,
    csrf::Origin,
    verify::jwt::{Expect, check_signature},
};

/// Where the browser goes after signing out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndSessionAnswer {
    /// An allowed `post_logout_redirect_uri` (with `state`), or `/`.
    pub location: String,
    /// `Set-Cookie` values.
    pub set_cookies: Vec<String>,
}

impl Identity {
    /// Ends the browser's session and goes to an allowed address.
    ///
    /// A foreign page could send a person here. So without an ID token of the very session the
    /// request must come from our own pages (or say nothing, as old browsers do); otherwise nothing
    /// ends and the person lands on the start page.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_session(
        &self,
        query: &str,
        context: &RequestContext,
        origin: Origin,
    ) -> Result<EndSessionAnswer, StoreError> {
        let params = Params::parse(query).unwrap_or_default();
        let hinted = match params.get("id_token_hint") {
            Some(hint) => self.hinted_session(hint),
            None => None,
        };
        let active = self.session(context).await?;
        let ours = match (&hinted, &active) {
            (Some(sid), Some(active)) => *sid == active.session.id.to_string(),
            // Nothing to end, or nothing to protect.
            (_, None) => true,
            (None, Some(_)) => false,
        };
        if !ours && origin == Origin::Foreign {
            return Ok(EndSessionAnswer { location: "/".to_owned(), set_cookies: Vec::new() });
        }
        let SignedOut { set_cookies } = self.sign_out(context).await?;
        let client_fits = params.get("client_id").is_none_or(|c| c == CLIENT_ID);
        let wanted = params.get("post_logout_redirect_uri").filter(|_| client_fits && params.once().is_ok());
        let allowed = self.deps.public_url.post_logout_uris();
        let location = match wanted.filter(|w| allowed.iter().any(|a| a == w)) {
            Some(uri) => with_query(uri, &[("state", params.get("state"))]),
            None => "/".to_owned(),
        };
        Ok(EndSessionAnswer { location, set_cookies })
    }

    /// The `sid` of an ID token of ours. It may have expired: people sign out late.
    fn hinted_session(&self, hint: &str) -> Option<String> {
        let (_, claims) = check_signature(hint, |kid| self.deps.keys.verifying(kid).cloned()).ok()?;
        let expect = Expect { issuer: &self.issuer(), audience: CLIENT_ID };
        expect.parties(&claims).ok()?;
        claims.get("sid").and_then(|s| s.as_str()).map(str::to_owned)
    }
}
