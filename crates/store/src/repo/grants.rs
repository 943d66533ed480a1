//! Authorization codes, and the refresh tokens they opened.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{SessionId, UserId};
use service::ports::{
    StoreResult,
    identity::{AuthorizationCode, Grant, GrantId, Grants, RefreshToken, TokenHash},
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::tokens::{CodeRow, GrantRow, RefreshRow},
    schema::{authorization_codes, grants, refresh_tokens},
};

const CODES: &str = "authorization_codes";
const TABLE: &str = "grants";
const REFRESH: &str = "refresh_tokens";

impl Grants for Repos<'_> {
    fn insert_code(&mut self, code: &AuthorizationCode) -> StoreResult<()> {
        diesel::insert_into(authorization_codes::table)
            .values(CodeRow::from(code))
            .execute(self.conn)
            .map_err(fault(CODES))?;
        Ok(())
    }

    fn code(&mut self, code: &TokenHash) -> StoreResult<Option<AuthorizationCode>> {
        let row: Option<CodeRow> = authorization_codes::table
            .find(&code.0)
            .select(CodeRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(CODES))?;
        Ok(row.map(AuthorizationCode::from))
    }

    fn redeem_code(&mut self, code: &TokenHash, at: DateTime<Utc>) -> StoreResult<bool> {
        let open = authorization_codes::table.find(&code.0).filter(authorization_codes::redeemed_at.is_null());
        let written = diesel::update(open)
            .set(authorization_codes::redeemed_at.eq(Instant(at)))
            .execute(self.conn)
            .map_err(fault(CODES))?;
        Ok(written == 1)
    }

    fn insert(&mut self, grant: &Grant) -> StoreResult<()> {
        diesel::insert_into(grants::table).values(GrantRow::from(grant)).execute(self.conn).map_err(fault(TABLE))?;
        Ok(())
    }

    fn get(&mut self, id: GrantId) -> StoreResult<Option<Grant>> {
        let row = if self.writes {
            super::super::dialect::lock_grant(self.conn, Id(id.0))
        } else {
            grants::table.find(Id(id.0)).select(GrantRow::as_select()).first(self.conn).optional()
        };
        Ok(row.map_err(fault(TABLE))?.map(Grant::from))
    }

    fn revoke(&mut self, id: GrantId, at: DateTime<Utc>) -> StoreResult<()> {
        diesel::update(grants::table.find(Id(id.0)).filter(grants::revoked_at.is_null()))
            .set(grants::revoked_at.eq(Instant(at)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn revoke_of_session(&mut self, session: SessionId, at: DateTime<Utc>) -> StoreResult<()> {
        diesel::update(grants::table.filter(grants::session_id.eq(Id(session.0))).filter(grants::revoked_at.is_null()))
            .set(grants::revoked_at.eq(Instant(at)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn revoke_of_user(&mut self, user: UserId, at: DateTime<Utc>) -> StoreResult<()> {
        let open = grants::table.filter(grants::user_id.eq(Id(user.0))).filter(grants::revoked_at.is_null());
        diesel::update(open).set(grants::revoked_at.eq(Instant(at))).execute(self.conn).map_err(fault(TABLE))?;
        Ok(())
    }

    fn insert_refresh(&mut self, token: &RefreshToken) -> StoreResult<()> {
        diesel::insert_into(refresh_tokens::table)
            .values(RefreshRow::from(token))
            .execute(self.conn)
            .map_err(fault(REFRESH))?;
        Ok(())
    }

    fn refresh(&mut self, token: &TokenHash) -> StoreResult<Option<RefreshToken>> {
        let row: Option<RefreshRow> = refresh_tokens::table
            .find(&token.0)
            .select(RefreshRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(REFRESH))?;
        Ok(row.map(RefreshToken::from))
    }

    fn spend_refresh(&mut self, token: &TokenHash, at: DateTime<Utc>) -> StoreResult<bool> {
        let written = diesel::update(refresh_tokens::table.find(&token.0).filter(refresh_tokens::spent_at.is_null()))
            .set(refresh_tokens::spent_at.eq(Instant(at)))
            .execute(self.conn)
            .map_err(fault(REFRESH))?;
        Ok(written == 1)
    }

    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize> {
        // Refresh tokens go with their grant: ON DELETE CASCADE.
        let families = diesel::delete(grants::table.filter(grants::expires_at.lt(Instant(before))))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        let codes =
            diesel::delete(authorization_codes::table.filter(authorization_codes::expires_at.lt(Instant(before))))
                .execute(self.conn)
                .map_err(fault(CODES))?;
        Ok(families + codes)
    }
}
