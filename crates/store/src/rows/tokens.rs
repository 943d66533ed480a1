//! Codes, grants, refresh tokens, links in mails and counters of attempts.

use diesel::prelude::*;
use kernel::{BookingId, SessionId, UserId};
use service::ports::{
    StoreResult,
    identity::{
        AuthorizationCode, Grant, GrantId, OneTimeToken, RefreshToken, SignInThrottle, TokenHash, TokenPurpose,
    },
};

use super::{some, time};
use crate::{
    columns::{Id, Instant},
    error::unknown,
    schema::{authorization_codes, grants, one_time_tokens, refresh_tokens, sign_in_throttles},
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = authorization_codes, treat_none_as_default_value = false)]
pub struct CodeRow {
    pub code_hash: String,
    pub grant_id: Id,
    pub client_id: String,
    pub redirect_uri: String,
    pub user_id: Id,
    pub session_id: Id,
    pub scope: String,
    pub nonce: Option<String>,
    pub code_challenge: String,
    pub authenticated_at: Instant,
    pub created_at: Instant,
    pub expires_at: Instant,
    pub redeemed_at: Option<Instant>,
}

impl From<&AuthorizationCode> for CodeRow {
    fn from(c: &AuthorizationCode) -> Self {
        CodeRow {
            code_hash: c.code_hash.0.clone(),
            grant_id: Id(c.grant_id.0),
            client_id: c.client_id.clone(),
            redirect_uri: c.redirect_uri.clone(),
            user_id: Id(c.user_id.0),
            session_id: Id(c.session_id.0),
            scope: c.scope.clone(),
            nonce: c.nonce.clone(),
            code_challenge: c.code_challenge.clone(),
            authenticated_at: Instant(c.authenticated_at),
            created_at: Instant(c.created_at),
            expires_at: Instant(c.expires_at),
            redeemed_at: some(c.redeemed_at),
        }
    }
}

impl From<CodeRow> for AuthorizationCode {
    fn from(r: CodeRow) -> Self {
        AuthorizationCode {
            code_hash: TokenHash(r.code_hash),
            grant_id: GrantId(r.grant_id.0),
            client_id: r.client_id,
            redirect_uri: r.redirect_uri,
            user_id: UserId(r.user_id.0),
            session_id: SessionId(r.session_id.0),
            scope: r.scope,
            nonce: r.nonce,
            code_challenge: r.code_challenge,
            authenticated_at: r.authenticated_at.0,
            created_at: r.created_at.0,
            expires_at: r.expires_at.0,
            redeemed_at: time(r.redeemed_at),
        }
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = grants, treat_none_as_default_value = false)]
pub struct GrantRow {
    pub id: Id,
    pub client_id: String,
    pub user_id: Id,
    pub session_id: Id,
    pub scope: String,
    pub authenticated_at: Instant,
    pub created_at: Instant,
    pub expires_at: Instant,
    pub revoked_at: Option<Instant>,
}

impl From<&Grant> for GrantRow {
    fn from(g: &Grant) -> Self {
        GrantRow {
            id: Id(g.id.0),
            client_id: g.client_id.clone(),
            user_id: Id(g.user_id.0),
            session_id: Id(g.session_id.0),
            scope: g.scope.clone(),
            authenticated_at: Instant(g.authenticated_at),
            created_at: Instant(g.created_at),
            expires_at: Instant(g.expires_at),
            revoked_at: some(g.revoked_at),
        }
    }
}

impl From<GrantRow> for Grant {
    fn from(r: GrantRow) -> Self {
        Grant {
            id: GrantId(r.id.0),
            client_id: r.client_id,
            user_id: UserId(r.user_id.0),
            session_id: SessionId(r.session_id.0),
            scope: r.scope,
            authenticated_at: r.authenticated_at.0,
            created_at: r.created_at.0,
            expires_at: r.expires_at.0,
            revoked_at: time(r.revoked_at),
        }
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = refresh_tokens, treat_none_as_default_value = false)]
pub struct RefreshRow {
    pub token_hash: String,
    pub grant_id: Id,
    pub created_at: Instant,
    pub spent_at: Option<Instant>,
}

impl From<&RefreshToken> for RefreshRow {
    fn from(t: &RefreshToken) -> Self {
        RefreshRow {
            token_hash: t.token_hash.0.clone(),
            grant_id: Id(t.grant_id.0),
            created_at: Instant(t.created_at),
            spent_at: some(t.spent_at),
        }
    }
}

impl From<RefreshRow> for RefreshToken {
    fn from(r: RefreshRow) -> Self {
        RefreshToken {
            token_hash: TokenHash(r.token_hash),
            grant_id: GrantId(r.grant_id.0),
            created_at: r.created_at.0,
            spent_at: time(r.spent_at),
        }
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = one_time_tokens, treat_none_as_default_value = false)]
pub struct OneTimeRow {
    pub token_hash: String,
    pub user_id: Id,
    pub purpose: String,
    pub email_key: String,
    pub created_at: Instant,
    pub expires_at: Instant,
    pub spent_at: Option<Instant>,
    pub booking_id: Option<Id>,
}

impl From<&OneTimeToken> for OneTimeRow {
    fn from(t: &OneTimeToken) -> Self {
        OneTimeRow {
            token_hash: t.token_hash.0.clone(),
            user_id: Id(t.user_id.0),
            purpose: t.purpose.code().to_owned(),
            email_key: t.email_key.clone(),
            created_at: Instant(t.created_at),
            expires_at: Instant(t.expires_at),
            spent_at: some(t.spent_at),
            booking_id: t.booking_id.map(|b| Id(b.0)),
        }
    }
}

impl OneTimeRow {
    pub fn read(self) -> StoreResult<OneTimeToken> {
        // The hash is no secret, but it names a secret: the person stands for the row.
        let purpose = TokenPurpose::from_code(&self.purpose);
        Ok(OneTimeToken {
            purpose: purpose.ok_or_else(|| unknown("one_time_tokens", "purpose", &self.user_id.0, &self.purpose))?,
            token_hash: TokenHash(self.token_hash),
            user_id: UserId(self.user_id.0),
            email_key: self.email_key,
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
            spent_at: time(self.spent_at),
            booking_id: self.booking_id.map(|b| BookingId(b.0)),
        })
    }
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = sign_in_throttles, treat_none_as_default_value = false, treat_none_as_null = true)]
#[diesel(primary_key(key_hash))]
pub struct ThrottleRow {
    pub key_hash: String,
    pub failures: i32,
    pub last_attempt_at: Instant,
    pub locked_until: Option<Instant>,
}

impl From<&SignInThrottle> for ThrottleRow {
    fn from(t: &SignInThrottle) -> Self {
        ThrottleRow {
            key_hash: t.key.0.clone(),
            failures: t.failures,
            last_attempt_at: Instant(t.last_attempt_at),
            locked_until: some(t.locked_until),
        }
    }
}

impl From<ThrottleRow> for SignInThrottle {
    fn from(r: ThrottleRow) -> Self {
        SignInThrottle {
            key: TokenHash(r.key_hash),
            failures: r.failures,
            last_attempt_at: r.last_attempt_at.0,
            locked_until: time(r.locked_until),
        }
    }
}
