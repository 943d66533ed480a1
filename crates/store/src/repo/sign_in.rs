//! Links in mails, and counters of sign-in attempts.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{BookingId, UserId};
use service::ports::{
    StoreError, StoreResult,
    identity::{OneTimeToken, OneTimeTokens, SignInThrottle, SignInThrottles, TokenHash, TokenPurpose},
};

use super::{super::Conn, Repos};
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::tokens::{OneTimeRow, ThrottleRow},
    schema::{one_time_tokens, sign_in_throttles},
};

type Engine = <Conn as diesel::Connection>::Backend;

const TABLE: &str = "one_time_tokens";
const THROTTLES: &str = "sign_in_throttles";
/// More than people who sign in to one account at once.
const RACES: usize = 32;

/// Those of a purpose that were not used.
fn unspent(purpose: TokenPurpose) -> one_time_tokens::BoxedQuery<'static, Engine> {
    one_time_tokens::table
        .filter(one_time_tokens::purpose.eq(purpose.code()))
        .filter(one_time_tokens::spent_at.is_null())
        .into_boxed::<Engine>()
}

fn newest(conn: &mut Conn, found: one_time_tokens::BoxedQuery<'_, Engine>) -> StoreResult<Option<OneTimeToken>> {
    let row: Option<OneTimeRow> = found
        .order((one_time_tokens::created_at.desc(), one_time_tokens::token_hash))
        .select(OneTimeRow::as_select())
        .first(conn)
        .optional()
        .map_err(fault(TABLE))?;
    row.map(OneTimeRow::read).transpose()
}

impl OneTimeTokens for Repos<'_> {
    fn insert(&mut self, token: &OneTimeToken) -> StoreResult<()> {
        diesel::insert_into(one_time_tokens::table)
            .values(OneTimeRow::from(token))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn get(&mut self, token: &TokenHash) -> StoreResult<Option<OneTimeToken>> {
        let row: Option<OneTimeRow> = one_time_tokens::table
            .find(&token.0)
            .select(OneTimeRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(OneTimeRow::read).transpose()
    }

    fn spend(&mut self, token: &TokenHash, at: DateTime<Utc>) -> StoreResult<bool> {
        let written = diesel::update(one_time_tokens::table.find(&token.0).filter(one_time_tokens::spent_at.is_null()))
            .set(one_time_tokens::spent_at.eq(Instant(at)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(written == 1)
    }

    fn unspent(&mut self, user: UserId, purpose: TokenPurpose) -> StoreResult<Option<OneTimeToken>> {
        newest(self.conn, unspent(purpose).filter(one_time_tokens::user_id.eq(Id(user.0))))
    }

    fn spend_of_user(&mut self, user: UserId, purpose: TokenPurpose, at: DateTime<Utc>) -> StoreResult<()> {
        let unspent = one_time_tokens::table
            .filter(one_time_tokens::user_id.eq(Id(user.0)))
            .filter(one_time_tokens::purpose.eq(purpose.code()))
            .filter(one_time_tokens::spent_at.is_null());
        diesel::update(unspent)
            .set(one_time_tokens::spent_at.eq(Instant(at)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn unspent_of_booking(&mut self, booking: BookingId, purpose: TokenPurpose) -> StoreResult<Option<OneTimeToken>> {
        newest(self.conn, unspent(purpose).filter(one_time_tokens::booking_id.eq(Id(booking.0))))
    }

    fn spend_of_booking(&mut self, booking: BookingId, purpose: TokenPurpose, at: DateTime<Utc>) -> StoreResult<()> {
        let unspent = one_time_tokens::table
            .filter(one_time_tokens::booking_id.eq(Id(booking.0)))
            .filter(one_time_tokens::purpose.eq(purpose.code()))
            .filter(one_time_tokens::spent_at.is_null());
        diesel::update(unspent)
            .set(one_time_tokens::spent_at.eq(Instant(at)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize> {
        diesel::delete(one_time_tokens::table.filter(one_time_tokens::expires_at.lt(Instant(before))))
            .execute(self.conn)
            .map_err(fault(TABLE))
    }
}

impl SignInThrottles for Repos<'_> {
    fn lock(&mut self, key: &TokenHash, now: DateTime<Utc>) -> StoreResult<SignInThrottle> {
        let fresh = SignInThrottle { key: key.clone(), failures: 0, last_attempt_at: now, locked_until: None };
        // Somebody who signs in well at the same time takes the row away between making and locking it.
        for _ in 0..RACES {
            diesel::insert_into(sign_in_throttles::table)
                .values(ThrottleRow::from(&fresh))
                .on_conflict(sign_in_throttles::key_hash)
                .do_nothing()
                .execute(self.conn)
                .map_err(fault(THROTTLES))?;
            let row = super::super::dialect::lock_throttle(self.conn, &key.0).optional().map_err(fault(THROTTLES))?;
            if let Some(row) = row {
                return Ok(SignInThrottle::from(row));
            }
        }
        Err(StoreError::Busy)
    }

    fn put(&mut self, throttle: &SignInThrottle) -> StoreResult<()> {
        let row = ThrottleRow::from(throttle);
        diesel::insert_into(sign_in_throttles::table)
            .values(&row)
            .on_conflict(sign_in_throttles::key_hash)
            .do_update()
            .set(&row)
            .execute(self.conn)
            .map_err(fault(THROTTLES))?;
        Ok(())
    }

    fn clear(&mut self, key: &TokenHash) -> StoreResult<()> {
        diesel::delete(sign_in_throttles::table.find(&key.0)).execute(self.conn).map_err(fault(THROTTLES))?;
        Ok(())
    }

    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize> {
        diesel::delete(sign_in_throttles::table.filter(sign_in_throttles::last_attempt_at.lt(Instant(before))))
            .execute(self.conn)
            .map_err(fault(THROTTLES))
    }
}
