//! Signing in.

use kernel::chrono::{DateTime, Utc};
use service::ports::StoreError;

use super::{
    Failure, FieldError, HashingFailed, SignIn, SignedIn, attempts::seconds_until, device, safe_return, sessions,
    verify_email::redeem,
};
use crate::{Identity, RequestContext, cookie, password::Checked};

/// Why nobody was signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// A field is missing or malformed.
    #[error("the sign-in form has mistakes")]
    Invalid(Vec<FieldError>),
    /// Unknown address, wrong password, disabled account: which one is not told.
    #[error("address or password is wrong")]
    WrongCredentials,
    /// Too many attempts, by this guesser or at this account.
    #[error("too many attempts")]
    TooManyAttempts {
        /// When the next one is looked at.
        until: DateTime<Utc>,
        /// The same in whole seconds from now, for `Retry-After`.
        retry_after: i64,
    },
    /// Something of ours failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl SignInError {
    pub(super) fn too_many(until: DateTime<Utc>, now: DateTime<Utc>) -> SignInError {
        SignInError::TooManyAttempts { until, retry_after: seconds_until(until, now) }
    }
}

impl From<StoreError> for SignInError {
    fn from(error: StoreError) -> Self {
        SignInError::Failed(error.into())
    }
}

impl From<HashingFailed> for SignInError {
    fn from(error: HashingFailed) -> Self {
        SignInError::Failed(error.into())
    }
}

impl Identity {
    /// Checks a password and makes a session.
    ///
    /// # Errors
    /// See [`SignInError`].
    pub async fn sign_in(&self, form: SignIn, context: &RequestContext) -> Result<SignedIn, SignInError> {
        let email = form.check().map_err(SignInError::Invalid)?;
        let attempt = self.admit_attempt(&email, context).await?;
        // The same work for an address nobody has.
        let stored = attempt.credential.as_ref().map(|c| c.password_hash.clone());
        let Checked { matches, renewed } = self.deps.hasher.check(form.password, stored).await?;
        let credential = attempt.credential.clone().filter(|_| matches).ok_or(SignInError::WrongCredentials)?;

        let redirect_to = safe_return(form.return_to.as_deref());
        let (deps, now, context) = (self.deps.clone(), self.now(), context.clone());
        self.deps
            .store
            .write(move |u| {
                // The password may have been changed while it was being checked. (A hash renewed at
                // the same moment keeps the instant.) The lock comes first: a change that is being
                // written either is seen here, or ends the session made here.
                let account = u.accounts().lock(credential.user_id)?.filter(|a| a.disabled_at.is_none());
                let current = u.accounts().credential(&credential.email_key)?;
                if current.is_none_or(|c| c.password_changed_at != credential.password_changed_at) {
                    return Err(SignInError::WrongCredentials);
                }
                let mut account = account.ok_or(SignInError::WrongCredentials)?;
                attempt.forgive(u)?;
                if let Some(hash) = renewed {
                    u.accounts().set_password(account.id, &hash, credential.password_changed_at)?;
                }
                let mut cookies = Vec::new();
                if let Some(link) = &context.verify {
                    // A verification link was opened before signing in.
                    if redeem(u, &*deps.entropy, &account, link, now)? {
                        account.email_verified = true;
                        let (id, request) = (account.id, context.request_id.clone());
                        deps.trail(now, Some(id), request).note(u, "email.verify", id)?;
                    }
                    cookies.push(cookie::clear(cookie::VERIFY, &deps.public_url));
                }
                let (session, cookie) = sessions::begin(&deps, u, account.id, context.session.as_deref(), now)?;
                cookies.push(cookie);
                let devices = device::read(&deps, context.device.as_deref(), now);
                cookies.extend(device::remember(&deps, &devices, account.id, now));
                deps.trail(now, Some(account.id), context.request_id).note(u, "session.begin", session)?;
                Ok(SignedIn {
                    user_id: account.id,
                    email_verified: account.email_verified,
                    redirect_to,
                    set_cookies: cookies,
                })
            })
            .await
    }
}
