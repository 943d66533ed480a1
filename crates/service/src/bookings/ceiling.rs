//! How many open bookings an account has whose e-mail address nobody has shown to be theirs.

use chrono::{DateTime, Utc};
use kernel::UserId;

use crate::{Error, ErrorCode, Role, ServiceResult, ports::Unit};

/// Open bookings of an account with an unverified address. Enough for an honest household; to
/// fill a calendar somebody would have to read mails for every few of them.
pub const MOST_UNVERIFIED: i64 = 5;

/// Lets another booking in, or not. The account is locked until commit, so that ten at once are
/// counted one after the other; call it before anything else is locked.
///
/// # Errors
/// `email_unverified` naming how many bookings may be open.
pub(super) fn admit(u: &mut dyn Unit, user: UserId, role: &str, now: DateTime<Utc>) -> ServiceResult<()> {
    let customer = role == Role::Customer.code();
    if !customer || u.accounts().get(user)?.is_none_or(|a| a.email_verified) {
        return Ok(());
    }
    u.tallies().lock(&format!("bookings:{user}"), now)?;
    if u.bookings().open_of_user(user, now)? >= MOST_UNVERIFIED {
        return Err(Error::Refused(ErrorCode::EmailUnverified, vec![("n", MOST_UNVERIFIED.to_string())]));
    }
    Ok(())
}
