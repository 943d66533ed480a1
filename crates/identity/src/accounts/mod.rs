//! Accounts: signing up, in and out, passwords, verification of the e-mail address.
//!
//! Signing up signs in at once; an unverified address is shown as such and books and pays like any
//! other (the receipt goes there anyway). What it does not do is give a role: staff, partners and
//! mates are matched by *verified* address only. Nor is it anybody's for good: who shows that mail
//! to it reaches them, and did not make the account, gets an account of their own
//! ([`Identity::reset_password`](crate::Identity::reset_password)).

mod attempts;
mod change_email;
#[cfg(test)]
mod change_email_tests;
mod claim;
mod device;
mod directory;
mod forms;
mod passwords;
mod provision;
mod sessions;
mod sign_in;
mod sign_up;
#[cfg(test)]
mod stranger_tests;
#[cfg(test)]
mod tests;
mod throttle;
mod verify_email;

use kernel::chrono::Duration;
use service::ports::StoreError;

pub use crate::password::HashingFailed;
pub use change_email::ChangeEmailError;
pub use directory::{Directory, ResolveError};
pub use forms::{ChangeEmail, ChangePassword, FieldCode, FieldError, ForgotPassword, ResetPassword, SignIn, SignUp};
pub use passwords::{ChangePasswordError, PasswordSet, ResetPasswordError};
pub use provision::Provision;
pub use sessions::{ActiveSession, SignedIn, SignedOut};
pub use sign_in::SignInError;
pub use sign_up::SignUpError;
pub use verify_email::{Landing, ResendError};

pub(crate) use directory::is_live;
pub(crate) use sessions::{end, renewal_cookie, session_in};

/// How long a session lives without use.
pub const SESSION_IDLE: Duration = Duration::days(14);
/// How long it lives at all.
pub const SESSION_MAX: Duration = Duration::days(90);
/// How long a reset link works.
pub const RESET_LINK: Duration = Duration::hours(1);
/// How long the answer to a forgotten password takes, whether or not there is anything to do: more
/// than looking an address up and queueing a mail, so that a stopwatch does not tell which it was.
pub(crate) const FORGOT_TAKES: std::time::Duration = std::time::Duration::from_millis(250);
/// How long a link to another address works.
pub const CHANGE_LINK: Duration = Duration::hours(24);
/// How long a verification link works.
pub const VERIFY_LINK: Duration = Duration::days(7);

/// Something of ours failed; nothing the person did.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The password hash.
    #[error(transparent)]
    Hashing(#[from] HashingFailed),
}

/// A path of our own site to go on to: `text` when it is one, else `/`. Anything a browser could
/// read as another host is refused.
pub(crate) fn safe_return(text: Option<&str>) -> String {
    let Some(text) = text else { return "/".to_owned() };
    let local = text.starts_with('/') && !text.starts_with("//") && !text.contains('\\');
    let clean = text.len() <= 8_192 && !text.chars().any(|c| c.is_control() || c.is_whitespace());
    if local && clean { text.to_owned() } else { "/".to_owned() }
}

#[cfg(test)]
mod return_tests {
    use super::*;

    #[test]
    fn only_our_own_paths() {
        assert_eq!(safe_return(Some("/identity/authorize?a=b%20c")), "/identity/authorize?a=b%20c");
        for bad in
            ["https://evil.example", "//evil.example", "/\\evil.example", "/a\nb", "javascript:alert(1)", "", "/ /evil"]
        {
            assert_eq!(safe_return(Some(bad)), "/", "{bad:?}");
        }
        assert_eq!(safe_return(None), "/");
    }
}
