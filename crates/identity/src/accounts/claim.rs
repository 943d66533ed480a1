//! An address whose owner comes after somebody else signed up with it.
//!
//! Anybody may sign up with any address and book at once; only a mail shows whose the address is.
//! When a mailed link shows that it belongs to somebody who did not make the account, the owner
//! does not inherit what a stranger has been free to put there (name, telephone, cards, bookings),
//! and the stranger shares nothing of what the owner does from then on. So the account is not
//! handed over: it loses the address and everything that lets anybody in, and the owner gets one of
//! their own. Bookings made with it stay where they are, with the contact they were made with:
//! staff see them, the owner of the address does not.

use kernel::{
    Email, Language,
    chrono::{DateTime, Utc},
};
use secrecy::SecretString;
use service::{
    accounts::end_sessions,
    ports::{
        StoreResult, Unit,
        identity::{Account, SessionEnd, TokenPurpose},
    },
};

use super::{forms::NewPerson, sign_up::write_account};
use crate::Deps;

/// Who comes, and with what.
pub(super) struct Owner {
    pub email: Email,
    pub language: Language,
    pub password_hash: String,
}

/// Closes `strangers`, an unverified account (locked by the caller), and makes one for the owner of
/// its address, verified and empty. `None`: another one has the address already.
pub(super) fn claim(
    deps: &Deps,
    u: &mut dyn Unit,
    strangers: &Account,
    owner: Owner,
    now: DateTime<Utc>,
) -> StoreResult<Option<Account>> {
    let old = strangers.id;
    end_sessions(u, old, SessionEnd::AddressClaimed, now)?;
    for purpose in [TokenPurpose::VerifyEmail, TokenPurpose::ResetPassword, TokenPurpose::ChangeEmail] {
        u.one_time_tokens().spend_of_user(old, purpose, now)?;
    }
    u.accounts().delete_credential(old)?;
    u.accounts().set_email(old, None, false, now)?;
    u.accounts().set_disabled(old, Some(now), now)?;
    let person = NewPerson {
        email: owner.email,
        // Nobody typed a form; the password is hashed already.
        password: SecretString::from(String::new()),
        first_name: String::new(),
        last_name: String::new(),
        phone: None,
        language: owner.language,
    };
    write_account(deps, u, &person, owner.password_hash, true, None, now)
}
