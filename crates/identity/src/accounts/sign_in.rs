//! Signing in.

use kernel::{
    Email,
    chrono::{DateTime, Utc},
};
use service::ports::{StoreError, StoreResult, Unit, identity::Credential};

use super::{
    Failure, FieldError, HashingFailed, SignIn, SignedIn, safe_return, sessions,
    throttle::{self, Locked},
    verify_email::redeem,
};
use crate::{Identity, RequestContext, cookie, password::Checked, secret};

/// Why nobody was signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// A field is missing or malformed.
    #[error("the sign-in form has mistakes")]
    Invalid(Vec<FieldError>),
    /// Unknown address, wrong password, disabled account: which one is not told.
    #[error("address or password is wrong")]
    WrongCredentials,
    /// Too many attempts at this address.
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
        let credential = self.admit_attempt(&email).await?;
        // The same work for an address nobody has.
        let stored = credential.as_ref().map(|c| c.password_hash.clone());
        let Checked { matches, renewed } = self.deps.hasher.check(form.password, stored).await?;
        let credential = credential.filter(|_| matches).ok_or(SignInError::WrongCredentials)?;

        let redirect_to = safe_return(form.return_to.as_deref());
        let (deps, now, context) = (self.deps.clone(), self.now(), context.clone());
        self.deps
            .store
            .write(move |u| {
                // The password may have been changed while it was being checked. (A hash renewed at
                // the same moment keeps the instant.)
                let current = u.accounts().credential(&credential.email_key)?;
                if current.is_none_or(|c| c.password_changed_at != credential.password_changed_at) {
                    return Err(SignInError::WrongCredentials);
                }
                let account = u.accounts().get(credential.user_id)?.filter(|a| a.disabled_at.is_none());
                let mut account = account.ok_or(SignInError::WrongCredentials)?;
                u.sign_in_throttles().clear(&secret::hash(&credential.email_key))?;
                if let Some(hash) = renewed {
                    u.accounts().set_password(account.id, &hash, credential.password_changed_at)?;
                }
                let mut cookies = Vec::new();
                if let Some(link) = &context.verify {
                    // A verification link was opened before signing in.
                    if redeem(u, &account, link, now)? {
                        account.email_verified = true;
                        let (id, request) = (account.id, context.request_id.clone());
                        deps.audit(u, now, Some(id), "email.verify", &id.to_string(), request)?;
                    }
                    cookies.push(cookie::clear(cookie::VERIFY, &deps.public_url));
                }
                let (session, cookie) = sessions::begin(&deps, u, account.id, context.session.as_deref(), now)?;
                cookies.push(cookie);
                deps.audit(u, now, Some(account.id), "session.begin", &session.to_string(), context.request_id)?;
                Ok(SignedIn {
                    user_id: account.id,
                    email_verified: account.email_verified,
                    redirect_to,
                    set_cookies: cookies,
                })
            })
            .await
    }

    /// Counts an attempt at an address and gives its password sign-in, if it has one.
    pub(super) async fn admit_attempt(&self, email: &Email) -> Result<Option<Credential>, SignInError> {
        let (key, now) = (email.key(), self.now());
        let outcome = self
            .deps
            .store
            .write(move |u| {
                let admitted = count_attempt(u, &key, now)?;
                let credential = u.accounts().credential(&key)?;
                // A refusal is no reason to roll back.
                Ok::<_, StoreError>(admitted.map(|()| credential))
            })
            .await?;
        outcome.map_err(|Locked { until }| {
            let seconds = (until - now).num_seconds().max(0) + 1;
            SignInError::TooManyAttempts { until, retry_after: seconds }
        })
    }
}

fn count_attempt(u: &mut dyn Unit, key: &str, now: DateTime<Utc>) -> StoreResult<Result<(), Locked>> {
    let counter = u.sign_in_throttles().lock(&secret::hash(key), now)?;
    match throttle::admit(counter, now) {
        Ok(counter) => u.sign_in_throttles().put(&counter).map(Ok),
        Err(locked) => Ok(Err(locked)),
    }
}
