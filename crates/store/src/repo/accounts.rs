//! Accounts and their passwords.

use chrono::{DateTime, Utc};
use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{Bool, Text},
};
use kernel::{Email, UserId};
use service::ports::{
    StoreResult,
    identity::{Account, Accounts, Credential},
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::{
        identity::{AccountRow, CredentialRow},
        some,
    },
    schema::{accounts, credentials},
};

const TABLE: &str = "accounts";
const CREDENTIALS: &str = "credentials";

impl Accounts for Repos<'_> {
    fn insert(&mut self, account: &Account) -> StoreResult<bool> {
        let added = diesel::insert_into(accounts::table)
            .values(AccountRow::from(account))
            .on_conflict((accounts::issuer, accounts::subject))
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(added == 1)
    }

    fn get(&mut self, id: UserId) -> StoreResult<Option<Account>> {
        let row: Option<AccountRow> = accounts::table
            .find(Id(id.0))
            .select(AccountRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(AccountRow::read).transpose()
    }

    fn lock(&mut self, id: UserId) -> StoreResult<Option<Account>> {
        let row = super::super::dialect::lock_account(self.conn, Id(id.0)).map_err(fault(TABLE))?;
        row.map(AccountRow::read).transpose()
    }

    fn lock_address(&mut self, email_key: &str) -> StoreResult<()> {
        super::super::dialect::lock_key(self.conn, &format!("address {email_key}")).map_err(fault(TABLE))
    }

    fn of_email(&mut self, email_key: &str) -> StoreResult<Vec<Account>> {
        // Addresses are ASCII, so that this is `Email::key()`.
        let rows: Vec<AccountRow> = accounts::table
            .filter(sql::<Bool>("lower(email) = ").bind::<Text, _>(email_key))
            .order((accounts::created_at, accounts::id))
            .select(AccountRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(AccountRow::read).collect()
    }

    fn by_subject(&mut self, issuer: &str, subject: &str) -> StoreResult<Option<Account>> {
        let row: Option<AccountRow> = accounts::table
            .filter(accounts::issuer.eq(issuer))
            .filter(accounts::subject.eq(subject))
            .select(AccountRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(AccountRow::read).transpose()
    }

    fn set_email(&mut self, id: UserId, email: Option<&Email>, verified: bool, at: DateTime<Utc>) -> StoreResult<()> {
        diesel::update(accounts::table.find(Id(id.0)))
            .set((
                accounts::email.eq(email.map(|e| e.as_str())),
                accounts::email_verified.eq(verified),
                accounts::updated_at.eq(Instant(at)),
            ))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn set_merged(&mut self, id: UserId, into: UserId, at: DateTime<Utc>) -> StoreResult<()> {
        diesel::update(accounts::table.find(Id(id.0)))
            .set((
                accounts::merged_into.eq(Id(into.0)),
                accounts::merged_at.eq(Instant(at)),
                accounts::updated_at.eq(Instant(at)),
            ))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn set_disabled(&mut self, id: UserId, disabled_at: Option<DateTime<Utc>>, at: DateTime<Utc>) -> StoreResult<()> {
        diesel::update(accounts::table.find(Id(id.0)))
            .set((accounts::disabled_at.eq(some(disabled_at)), accounts::updated_at.eq(Instant(at))))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn insert_credential(&mut self, credential: &Credential) -> StoreResult<bool> {
        let added = diesel::insert_into(credentials::table)
            .values(CredentialRow::from(credential))
            .on_conflict_do_nothing()
            .execute(self.conn)
            .map_err(fault(CREDENTIALS))?;
        Ok(added == 1)
    }

    fn credential(&mut self, email_key: &str) -> StoreResult<Option<Credential>> {
        let row: Option<CredentialRow> = credentials::table
            .filter(credentials::email_key.eq(email_key))
            .select(CredentialRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(CREDENTIALS))?;
        Ok(row.map(Credential::from))
    }

    fn credential_of(&mut self, id: UserId) -> StoreResult<Option<Credential>> {
        let row: Option<CredentialRow> = credentials::table
            .find(Id(id.0))
            .select(CredentialRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(CREDENTIALS))?;
        Ok(row.map(Credential::from))
    }

    fn delete_credential(&mut self, id: UserId) -> StoreResult<bool> {
        let gone = diesel::delete(credentials::table.find(Id(id.0))).execute(self.conn).map_err(fault(CREDENTIALS))?;
        Ok(gone == 1)
    }

    fn set_password(&mut self, id: UserId, password_hash: &str, at: DateTime<Utc>) -> StoreResult<bool> {
        let written = diesel::update(credentials::table.find(Id(id.0)))
            .set((credentials::password_hash.eq(password_hash), credentials::password_changed_at.eq(Instant(at))))
            .execute(self.conn)
            .map_err(fault(CREDENTIALS))?;
        Ok(written == 1)
    }
}
