//! `grant_type=authorization_code`.

use kernel::chrono::{DateTime, Utc};
use oauth2::basic::BasicErrorResponseType as Kind;
use service::ports::{
    Unit,
    identity::{Account, AuthorizationCode, Grant, RefreshToken},
};

use super::{
    REFRESH_LIFE,
    claims::{Particulars, mint},
    params::Params,
    scope,
    token::{TokenError, Tokens, refuse},
};
use crate::{CLIENT_ID, Deps, Identity, secret};

/// What looking at a code found. Refusals that must be remembered are answers, not errors: an
/// error would roll the memory back.
enum Redeemed {
    Granted(Box<(AuthorizationCode, Grant, Particulars, Option<String>)>),
    Refused(&'static str),
}

impl Identity {
    pub(super) async fn redeem_code(&self, params: &Params) -> Result<Tokens, TokenError> {
        let (Some(code), Some(verifier), Some(redirect_uri)) =
            (params.get("code"), params.get("code_verifier"), params.get("redirect_uri"))
        else {
            return refuse(Kind::InvalidRequest, "code, code_verifier and redirect_uri are needed");
        };
        if !is_verifier(verifier) {
            return refuse(Kind::InvalidRequest, "code_verifier must be 43 to 128 unreserved characters");
        }
        let (code, challenge) = (secret::hash(code), secret::sha256_base64url(verifier));
        let redirect_uri = redirect_uri.to_owned();
        let (deps, now) = (self.deps.clone(), self.now());
        let redeemed = self
            .deps
            .store
            .write(move |u| {
                let Some(found) = u.grants().code(&code)? else { return Ok(Redeemed::Refused("unknown code")) };
                if found.redeemed_at.is_some() || !u.grants().redeem_code(&code, now)? {
                    // Somebody has a copy of the code: what it gave is given to a thief, or was.
                    tracing::warn!(user = %found.user_id, "an authorization code was replayed");
                    u.grants().revoke(found.grant_id, now)?;
                    return Ok(Redeemed::Refused("the code was used before"));
                }
                if let Some(refusal) = mismatch(&found, &redirect_uri, &challenge, now) {
                    return Ok(Redeemed::Refused(refusal));
                }
                open(&deps, u, found, now)
            })
            .await
            .map_err(|e: TokenError| e)?;
        match redeemed {
            Redeemed::Refused(why) => refuse(Kind::InvalidGrant, why),
            Redeemed::Granted(granted) => {
                let (code, grant, particulars, refresh_token) = *granted;
                let nonce = code.nonce.as_deref();
                let issuer = self.issuer();
                let minted = mint(&self.deps, &issuer, &grant, &grant.scope, nonce, &particulars, now)?;
                Ok(Tokens {
                    access_token: minted.access_token,
                    id_token: minted.id_token,
                    refresh_token,
                    scope: grant.scope,
                })
            }
        }
    }
}

fn mismatch(code: &AuthorizationCode, uri: &str, challenge: &str, now: DateTime<Utc>) -> Option<&'static str> {
    if now >= code.expires_at {
        Some("the code is more than a minute old")
    } else if code.client_id != CLIENT_ID {
        Some("the code was given to another client")
    } else if code.redirect_uri != uri {
        Some("redirect_uri differs from the one of the authorization request")
    } else if !secret::same(&code.code_challenge, challenge) {
        Some("code_verifier does not fit the code_challenge")
    } else {
        None
    }
}

/// Opens the grant of a good code.
fn open(deps: &Deps, u: &mut dyn Unit, code: AuthorizationCode, now: DateTime<Utc>) -> Result<Redeemed, TokenError> {
    // Signed out between the redirect and this call?
    let live = u.sessions().get(code.session_id)?.is_some_and(|s| s.is_live(now));
    let account = u.accounts().get(code.user_id)?.filter(|a| a.disabled_at.is_none());
    let Some(account): Option<Account> = account.filter(|_| live) else {
        return Ok(Redeemed::Refused("the session has ended"));
    };
    let grant = Grant {
        id: code.grant_id,
        client_id: code.client_id.clone(),
        user_id: code.user_id,
        session_id: code.session_id,
        scope: code.scope.clone(),
        authenticated_at: code.authenticated_at,
        created_at: now,
        expires_at: now + REFRESH_LIFE,
        revoked_at: None,
    };
    u.grants().insert(&grant)?;
    let refresh_token = if scope::has(&grant.scope, "offline_access") {
        let (token, token_hash) = secret::fresh(&*deps.entropy);
        u.grants().insert_refresh(&RefreshToken { token_hash, grant_id: grant.id, created_at: now, spent_at: None })?;
        Some(token)
    } else {
        None
    };
    let particulars = Particulars::of(u, &account, &grant.scope)?;
    Ok(Redeemed::Granted(Box::new((code, grant, particulars, refresh_token))))
}

/// RFC 7636 §4.1.
fn is_verifier(text: &str) -> bool {
    (43..=128).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
}
