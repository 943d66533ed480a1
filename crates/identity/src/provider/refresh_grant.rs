//! `grant_type=refresh_token`: each token is good once; a second use ends the session.

use kernel::chrono::{DateTime, Utc};
use oauth2::basic::BasicErrorResponseType as Kind;
use service::ports::{
    Unit,
    identity::{Grant, RefreshToken, SessionEnd, TokenHash},
};

use super::{
    claims::{Particulars, mint},
    params::Params,
    scope,
    token::{TokenError, Tokens, refuse},
};
use crate::{CLIENT_ID, Deps, Identity, accounts, secret};

/// See `code_grant::Redeemed`: a refusal must not roll the revocation back.
enum Rotated {
    Granted { grant: Box<Grant>, scope: String, particulars: Particulars, token: String },
    Refused(&'static str),
    ScopeExceeded,
}

impl Identity {
    pub(super) async fn refresh(&self, params: &Params) -> Result<Tokens, TokenError> {
        let Some(token) = params.get("refresh_token").map(secret::hash) else {
            return refuse(Kind::InvalidRequest, "refresh_token is missing");
        };
        let asked = params.get("scope").map(str::to_owned);
        let (deps, now) = (self.deps.clone(), self.now());
        let rotated = self
            .deps
            .store
            .write(move |u| rotate(&deps, u, &token, asked.as_deref(), now))
            .await
            .map_err(|e: TokenError| e)?;
        match rotated {
            Rotated::Refused(why) => refuse(Kind::InvalidGrant, why),
            Rotated::ScopeExceeded => refuse(Kind::InvalidScope, "more than was granted"),
            Rotated::Granted { grant, scope, particulars, token } => {
                // No nonce: it belongs to the sign-in (OpenID Connect Core §12.2).
                let minted = mint(&self.deps, &self.issuer(), &grant, &scope, None, &particulars, now)?;
                Ok(Tokens {
                    access_token: minted.access_token,
                    id_token: minted.id_token,
                    refresh_token: Some(token),
                    scope,
                })
            }
        }
    }
}

fn rotate(
    deps: &Deps,
    u: &mut dyn Unit,
    hash: &TokenHash,
    asked: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Rotated, TokenError> {
    let Some(token) = u.grants().refresh(hash)? else { return Ok(Rotated::Refused("unknown refresh token")) };
    let Some(grant) = u.grants().get(token.grant_id)? else { return Ok(Rotated::Refused("unknown refresh token")) };
    if grant.client_id != CLIENT_ID {
        return Ok(Rotated::Refused("the token was given to another client"));
    }
    let live = u.sessions().get(grant.session_id)?.is_some_and(|s| s.is_live(now));
    if !live || grant.revoked_at.is_some() || now >= grant.expires_at {
        return Ok(Rotated::Refused("the session has ended"));
    }
    let Some(scope) = scope::narrow(&grant.scope, asked) else { return Ok(Rotated::ScopeExceeded) };
    if token.spent_at.is_some() || !u.grants().spend_refresh(hash, now)? {
        // Two parties hold tokens of one family, and there is no telling which is the thief: both
        // are out, with all that was issued from the session.
        tracing::warn!(user = %grant.user_id, "a spent refresh token was used again");
        accounts::end(u, grant.session_id, SessionEnd::TokenReused, now)?;
        deps.trail(now, None, None).note(u, "session.token_reused", grant.session_id)?;
        return Ok(Rotated::Refused("the token was used before"));
    }
    let Some(account) = u.accounts().get(grant.user_id)?.filter(|a| a.disabled_at.is_none()) else {
        return Ok(Rotated::Refused("the session has ended"));
    };
    let (next, token_hash) = secret::fresh(&*deps.entropy);
    u.grants().insert_refresh(&RefreshToken { token_hash, grant_id: grant.id, created_at: now, spent_at: None })?;
    let particulars = Particulars::of(u, &account, &scope)?;
    Ok(Rotated::Granted { grant: Box::new(grant), scope, particulars, token: next })
}
