//! Closing accounts, and what else ends everything a person holds.

pub mod desk;
pub mod email;

use chrono::{DateTime, Duration, Utc};
use kernel::{Email, UserId};

use crate::{
    Actor, ErrorCode, ServiceResult, Services,
    ports::{StoreResult, Unit, identity::SessionEnd},
};

/// Ends all sessions of an account and everything issued from them: refresh tokens, codes, and
/// access tokens, which are checked against their session at every call.
///
/// # Errors
/// When the database fails.
pub fn end_sessions(u: &mut dyn Unit, user: UserId, why: SessionEnd, at: DateTime<Utc>) -> StoreResult<()> {
    u.sessions().end_of_user(user, why, at)?;
    u.grants().revoke_of_user(user, at)
}

/// Deletes sessions, codes, grants, links and counters of attempts that no longer matter; how many rows. A code or link is
/// kept for a day after its end, so that somebody who uses it again is still noticed.
///
/// # Errors
/// When the database fails.
pub fn forget(u: &mut dyn Unit, now: DateTime<Utc>) -> StoreResult<usize> {
    let day_ago = now - Duration::days(1);
    Ok(u.sessions().purge(now)?
        + u.grants().purge(day_ago)?
        + u.one_time_tokens().purge(day_ago)?
        + u.sign_in_throttles().purge(day_ago)?)
}

/// Locks out everybody who has this address, at once and on all devices; how many accounts.
///
/// # Errors
/// `not_found` when no account has it.
pub async fn disable(s: &Services, email: Email, by: Actor) -> ServiceResult<usize> {
    set_disabled(s, email, by, true).await
}

/// Lets them in again: they sign in anew.
///
/// # Errors
/// `not_found` when no account has it.
pub async fn enable(s: &Services, email: Email, by: Actor) -> ServiceResult<usize> {
    set_disabled(s, email, by, false).await
}

async fn set_disabled(s: &Services, email: Email, by: Actor, disabled: bool) -> ServiceResult<usize> {
    s.write(by, move |tx| {
        let found = tx.unit.accounts().of_email(&email.key())?;
        if found.is_empty() {
            return Err(ErrorCode::NotFound.into());
        }
        for account in found.iter().filter(|a| a.disabled_at.is_some() != disabled) {
            tx.unit.accounts().set_disabled(account.id, disabled.then_some(tx.now), tx.now)?;
            if disabled {
                end_sessions(tx.unit, account.id, SessionEnd::AccountDisabled, tx.now)?;
            }
            let action = if disabled { "account.disable" } else { "account.enable" };
            tx.audit(action, account.id, None, None)?;
            // What staff kept for the address while its owner was locked out.
            if !disabled && account.email_verified {
                for kept in desk::email_shown(tx.unit, account.id, &email, tx.now)? {
                    tx.audit("account.merge", kept, None, None)?;
                }
            }
        }
        Ok(found.len())
    })
    .await
}
