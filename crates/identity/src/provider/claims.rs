//! What our tokens say.

use kernel::{
    Language, SessionId, UserId,
    chrono::{DateTime, Utc},
};
use serde::Serialize;
use service::ports::{
    StoreResult, Unit,
    identity::{Account, Grant},
    members::MemberRole,
};

use super::{TOKEN_LIFE, scope};
use crate::{AUDIENCE, Deps, audit::role_of, secret};

/// Type of access tokens (RFC 9068).
pub(crate) const ACCESS: &str = "at+jwt";
/// Type of ID tokens.
pub(crate) const ID: &str = "JWT";

/// A person's particulars, cut down to what the scopes allow.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Particulars {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email_verified: Option<bool>,
    /// The person's role, unless they are a customer; told to nobody but our own API.
    #[serde(skip)]
    pub role: Option<&'static str>,
}

impl Particulars {
    pub fn of(u: &mut dyn Unit, account: &Account, scopes: &str) -> StoreResult<Particulars> {
        let role = role_of(u, account.id)?.map(MemberRole::code);
        let mut told = Particulars { role, ..Particulars::default() };
        if scope::has(scopes, "profile")
            && let Some(profile) = u.profiles().get(account.id)?
        {
            told.name = Some(profile.full_name()).filter(|n| !n.is_empty());
            told.given_name = Some(profile.first_name).filter(|n| !n.is_empty());
            told.family_name = Some(profile.last_name).filter(|n| !n.is_empty());
            told.locale = Some(locale(profile.language));
        }
        if scope::has(scopes, "email")
            && let Some(email) = &account.email
        {
            told.email = Some(email.as_str().to_owned());
            told.email_verified = Some(account.email_verified);
        }
        Ok(told)
    }
}

fn locale(language: Language) -> &'static str {
    match language {
        Language::En => "en-CA",
        Language::Fr => "fr-CA",
        Language::Zh => "zh-CN",
    }
}

#[derive(Serialize)]
struct AccessClaims<'c> {
    iss: &'c str,
    sub: &'c str,
    aud: &'static str,
    client_id: &'c str,
    iat: i64,
    exp: i64,
    jti: String,
    scope: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<SessionId>,
    /// What [`crate::verify::Issued`] reads; the ID token has no use for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    grant: Option<kernel::uuid::Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role_at_issue: Option<&'static str>,
    #[serde(flatten)]
    particulars: &'c Particulars,
}

#[derive(Serialize)]
struct IdClaims<'c> {
    iss: &'c str,
    sub: UserId,
    aud: &'c str,
    azp: &'c str,
    iat: i64,
    exp: i64,
    auth_time: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<&'c str>,
    sid: SessionId,
    at_hash: String,
    #[serde(flatten)]
    particulars: &'c Particulars,
}

/// The signed tokens of one answer.
pub(super) struct Minted {
    pub access_token: String,
    pub id_token: Option<String>,
}

/// Access token, and with the scope `openid` an ID token, for a person.
pub(super) fn mint(
    deps: &Deps,
    issuer: &str,
    grant: &Grant,
    scopes: &str,
    nonce: Option<&str>,
    particulars: &Particulars,
    now: DateTime<Utc>,
) -> Result<Minted, jsonwebtoken::errors::Error> {
    let (iat, exp) = (now.timestamp(), (now + TOKEN_LIFE).timestamp());
    let access_token = deps.keys.sign(
        ACCESS,
        &AccessClaims {
            iss: issuer,
            sub: &grant.user_id.to_string(),
            aud: AUDIENCE,
            client_id: &grant.client_id,
            iat,
            exp,
            jti: deps.entropy.uuid(now).to_string(),
            scope: scopes,
            auth_time: Some(grant.authenticated_at.timestamp()),
            sid: Some(grant.session_id),
            grant: Some(grant.id.0),
            role_at_issue: particulars.role,
            particulars,
        },
    )?;
    let id_token = if scope::has(scopes, "openid") {
        let claims = IdClaims {
            iss: issuer,
            sub: grant.user_id,
            aud: &grant.client_id,
            azp: &grant.client_id,
            iat,
            exp,
            auth_time: grant.authenticated_at.timestamp(),
            nonce,
            sid: grant.session_id,
            at_hash: secret::left_half_base64url(&access_token),
            particulars,
        };
        Some(deps.keys.sign(ID, &claims)?)
    } else {
        None
    };
    Ok(Minted { access_token, id_token })
}

/// Access token for a machine: its subject is the client itself (RFC 9068 §2.2).
pub(super) fn mint_for_machine(
    deps: &Deps,
    issuer: &str,
    client_id: &str,
    now: DateTime<Utc>,
) -> Result<String, jsonwebtoken::errors::Error> {
    deps.keys.sign(
        ACCESS,
        &AccessClaims {
            iss: issuer,
            sub: client_id,
            aud: AUDIENCE,
            client_id,
            iat: now.timestamp(),
            exp: (now + TOKEN_LIFE).timestamp(),
            jti: deps.entropy.uuid(now).to_string(),
            scope: scope::MACHINE,
            auth_time: None,
            sid: None,
            grant: None,
            role_at_issue: None,
            particulars: &Particulars::default(),
        },
    )
}
