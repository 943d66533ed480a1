//! Accounts, password sign-ins, sessions and partners' machines.

use diesel::prelude::*;
use kernel::{PartnerId, SessionId, UserId};
use service::ports::{
    StoreResult,
    identity::{Account, Credential, MachineClient, Session, SessionEnd, TokenHash},
};

use super::{parse, some, time};
use crate::{
    columns::{Id, Instant},
    error::unknown,
    schema::{accounts, credentials, machine_clients, sessions},
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = accounts, treat_none_as_default_value = false)]
pub struct AccountRow {
    pub id: Id,
    pub issuer: String,
    pub subject: String,
    pub email: Option<String>,
    pub email_verified: bool,
    pub terms_accepted_at: Option<Instant>,
    pub created_at: Instant,
    pub updated_at: Instant,
    pub disabled_at: Option<Instant>,
    pub merged_into: Option<Id>,
    pub merged_at: Option<Instant>,
}

impl From<&Account> for AccountRow {
    fn from(a: &Account) -> Self {
        AccountRow {
            id: Id(a.id.0),
            issuer: a.issuer.clone(),
            subject: a.subject.clone(),
            email: a.email.as_ref().map(|e| e.as_str().to_owned()),
            email_verified: a.email_verified,
            terms_accepted_at: some(a.terms_accepted_at),
            created_at: Instant(a.created_at),
            updated_at: Instant(a.updated_at),
            disabled_at: some(a.disabled_at),
            merged_into: a.merged.map(|(into, _)| Id(into.0)),
            merged_at: a.merged.map(|(_, at)| Instant(at)),
        }
    }
}

impl AccountRow {
    pub fn read(self) -> StoreResult<Account> {
        const TABLE: &str = "accounts";
        let id = self.id.0;
        Ok(Account {
            id: UserId(id),
            issuer: self.issuer,
            subject: self.subject,
            email: self.email.map(|e| parse(&e, TABLE, "email", &id)).transpose()?,
            email_verified: self.email_verified,
            terms_accepted_at: time(self.terms_accepted_at),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            disabled_at: time(self.disabled_at),
            merged: self.merged_into.zip(self.merged_at).map(|(into, at)| (UserId(into.0), at.0)),
        })
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = credentials)]
pub struct CredentialRow {
    pub user_id: Id,
    pub email_key: String,
    pub password_hash: String,
    pub password_changed_at: Instant,
}

impl From<&Credential> for CredentialRow {
    fn from(c: &Credential) -> Self {
        CredentialRow {
            user_id: Id(c.user_id.0),
            email_key: c.email_key.clone(),
            password_hash: c.password_hash.clone(),
            password_changed_at: Instant(c.password_changed_at),
        }
    }
}

impl From<CredentialRow> for Credential {
    fn from(r: CredentialRow) -> Self {
        Credential {
            user_id: UserId(r.user_id.0),
            email_key: r.email_key,
            password_hash: r.password_hash,
            password_changed_at: r.password_changed_at.0,
        }
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = sessions, treat_none_as_default_value = false)]
pub struct SessionRow {
    pub id: Id,
    pub token_hash: String,
    pub user_id: Id,
    pub authenticated_at: Instant,
    pub created_at: Instant,
    pub last_seen_at: Instant,
    pub expires_at: Instant,
    pub ended_at: Option<Instant>,
    pub end_reason: Option<String>,
}

impl From<&Session> for SessionRow {
    fn from(s: &Session) -> Self {
        SessionRow {
            id: Id(s.id.0),
            token_hash: s.token_hash.0.clone(),
            user_id: Id(s.user_id.0),
            authenticated_at: Instant(s.authenticated_at),
            created_at: Instant(s.created_at),
            last_seen_at: Instant(s.last_seen_at),
            expires_at: Instant(s.expires_at),
            ended_at: some(s.ended.map(|(at, _)| at)),
            end_reason: s.ended.map(|(_, why)| why.code().to_owned()),
        }
    }
}

impl SessionRow {
    pub fn read(self) -> StoreResult<Session> {
        // The constraint of the table: both or neither.
        let ended = match (self.ended_at, self.end_reason) {
            (Some(at), Some(code)) => {
                let why = SessionEnd::from_code(&code);
                Some((at.0, why.ok_or_else(|| unknown("sessions", "end_reason", &self.id.0, &code))?))
            }
            _ => None,
        };
        Ok(Session {
            id: SessionId(self.id.0),
            token_hash: TokenHash(self.token_hash),
            user_id: UserId(self.user_id.0),
            authenticated_at: self.authenticated_at.0,
            created_at: self.created_at.0,
            last_seen_at: self.last_seen_at.0,
            expires_at: self.expires_at.0,
            ended,
        })
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = machine_clients, treat_none_as_default_value = false)]
pub struct MachineRow {
    pub client_id: String,
    pub secret_hash: String,
    pub partner_id: Id,
    pub name: String,
    pub created_at: Instant,
    pub disabled_at: Option<Instant>,
}

impl From<&MachineClient> for MachineRow {
    fn from(c: &MachineClient) -> Self {
        MachineRow {
            client_id: c.client_id.clone(),
            secret_hash: c.secret_hash.0.clone(),
            partner_id: Id(c.partner_id.0),
            name: c.name.clone(),
            created_at: Instant(c.created_at),
            disabled_at: some(c.disabled_at),
        }
    }
}

impl From<MachineRow> for MachineClient {
    fn from(r: MachineRow) -> Self {
        MachineClient {
            client_id: r.client_id,
            secret_hash: TokenHash(r.secret_hash),
            partner_id: PartnerId(r.partner_id.0),
            name: r.name,
            created_at: r.created_at.0,
            disabled_at: time(r.disabled_at),
        }
    }
}
