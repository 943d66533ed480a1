//! Forgotten, reset and changed passwords.

use kernel::{
    UserId,
    chrono::{DateTime, Duration, SecondsFormat, Utc},
};
use secrecy::SecretString;
use serde_json::json;
use service::ports::{
    StoreError, StoreResult, Unit,
    identity::{Account, OneTimeToken, SignInThrottle, TokenHash, TokenPurpose},
};

use super::{
    ChangePassword, Failure, FieldCode, FieldError, ForgotPassword, HashingFailed, RESET_LINK, ResetPassword,
    SignInError, forms, sessions::profile_name,
};
use crate::{Deps, Identity, MailRequest, RequestContext, password, secret};

/// Two mails of a kind to one address are at least this far apart.
const MAIL_PAUSE: Duration = Duration::minutes(1);

/// Why the password was not reset.
#[derive(Debug, thiserror::Error)]
pub enum ResetPasswordError {
    /// The new password is not good enough.
    #[error("the new password is refused")]
    Invalid(Vec<FieldError>),
    /// The link is unknown, was used, or is more than an hour old.
    #[error("the link does not work any more")]
    LinkDead,
    /// Something of ours failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl From<StoreError> for ResetPasswordError {
    fn from(error: StoreError) -> Self {
        ResetPasswordError::Failed(error.into())
    }
}

impl From<HashingFailed> for ResetPasswordError {
    fn from(error: HashingFailed) -> Self {
        ResetPasswordError::Failed(error.into())
    }
}

/// Why the password was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangePasswordError {
    /// A password is refused; a wrong present one is `currentPassword: password_wrong`.
    #[error("a password is refused")]
    Invalid(Vec<FieldError>),
    /// Nobody is signed in here, or the account has no password.
    #[error("sign in first")]
    NotSignedIn,
    /// Too many attempts at the present password.
    #[error("too many attempts")]
    TooManyAttempts {
        /// Whole seconds until the next one is looked at.
        retry_after: i64,
    },
    /// Something of ours failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl From<StoreError> for ChangePasswordError {
    fn from(error: StoreError) -> Self {
        ChangePasswordError::Failed(error.into())
    }
}

impl From<HashingFailed> for ChangePasswordError {
    fn from(error: HashingFailed) -> Self {
        ChangePasswordError::Failed(error.into())
    }
}

impl Identity {
    /// Sends a reset link, if the address has an account. The answer is the same in any case; only
    /// an empty or malformed address is told.
    ///
    /// # Errors
    /// The field's mistake, or when the store fails.
    pub async fn forgot_password(
        &self,
        form: ForgotPassword,
        context: &RequestContext,
    ) -> Result<(), ResetPasswordError> {
        let email = forms::email(&form.email)
            .map_err(|code| ResetPasswordError::Invalid(vec![FieldError { field: "email", code }]))?;
        let (deps, now, request) = (self.deps.clone(), self.now(), context.request_id.clone());
        self.deps
            .store
            .write(move |u| {
                if !may_mail(u, "reset", &email.key(), now)? {
                    return Ok(());
                }
                let Some(credential) = u.accounts().credential(&email.key())? else { return Ok(()) };
                let Some(account) = u.accounts().get(credential.user_id)?.filter(|a| a.disabled_at.is_none()) else {
                    return Ok(());
                };
                send_reset(&deps, u, &account, now)?;
                deps.audit(u, now, Some(account.id), "password.forgot", &account.id.to_string(), request)?;
                Ok(())
            })
            .await
    }

    /// Sets a new password by a link. Since the link reached the person's mailbox the address
    /// counts as verified; every session and grant of the account ends, so that somebody who knew
    /// the old password is out.
    ///
    /// # Errors
    /// See [`ResetPasswordError`].
    pub async fn reset_password(
        &self,
        form: ResetPassword,
        context: &RequestContext,
    ) -> Result<(), ResetPasswordError> {
        let link = secret::hash(&form.token);
        let now = self.now();
        let found: Option<Account> = {
            let link = link.clone();
            self.deps.store.read(move |u| reset_target(u, &link, now).map(|t| t.map(|(_, a)| a))).await?
        };
        let account = found.ok_or(ResetPasswordError::LinkDead)?;
        judge("password", &form.password, &account).map_err(ResetPasswordError::Invalid)?;
        let hash = self.deps.hasher.hash(form.password).await?;
        let (deps, now, request) = (self.deps.clone(), self.now(), context.request_id.clone());
        self.deps
            .store
            .write(move |u| {
                let (token, account) = reset_target(u, &link, now)?.ok_or(ResetPasswordError::LinkDead)?;
                if !u.one_time_tokens().spend(&link, now)? || !u.accounts().set_password(account.id, &hash, now)? {
                    return Err(ResetPasswordError::LinkDead);
                }
                u.one_time_tokens().spend_of_user(account.id, TokenPurpose::ResetPassword, now)?;
                if let Some(email) = account.email.as_ref().filter(|e| e.key() == token.email_key) {
                    u.accounts().set_email(account.id, Some(email), true, now)?;
                    u.sign_in_throttles().clear(&secret::hash(&email.key()))?;
                }
                end_everything(u, account.id, now)?;
                deps.audit(u, now, Some(account.id), "password.reset", &account.id.to_string(), request)?;
                Ok(())
            })
            .await
    }

    /// Changes the password of the person signed in with this browser. Other browsers are signed
    /// out.
    ///
    /// # Errors
    /// See [`ChangePasswordError`].
    pub async fn change_password(
        &self,
        form: ChangePassword,
        context: &RequestContext,
    ) -> Result<(), ChangePasswordError> {
        let active = self.session(context).await?.ok_or(ChangePasswordError::NotSignedIn)?;
        let (user, session) = (active.account.id, active.session.id);
        judge("password", &form.password, &active.account).map_err(ChangePasswordError::Invalid)?;
        let email = active.account.email.ok_or(ChangePasswordError::NotSignedIn)?;
        // A stolen session must not become a way to try passwords without limit.
        let credential = self.admit_attempt(&email).await.map_err(|error| match error {
            SignInError::TooManyAttempts { retry_after, .. } => ChangePasswordError::TooManyAttempts { retry_after },
            SignInError::Failed(failure) => ChangePasswordError::Failed(failure),
            SignInError::Invalid(_) | SignInError::WrongCredentials => ChangePasswordError::NotSignedIn,
        })?;
        let credential = credential.filter(|c| c.user_id == user).ok_or(ChangePasswordError::NotSignedIn)?;
        let checked = self.deps.hasher.check(form.current_password, Some(credential.password_hash.clone())).await?;
        if !checked.matches {
            let wrong = FieldError { field: "currentPassword", code: FieldCode::PasswordWrong };
            return Err(ChangePasswordError::Invalid(vec![wrong]));
        }
        let hash = self.deps.hasher.hash(form.password).await?;
        let (deps, now, request) = (self.deps.clone(), self.now(), context.request_id.clone());
        self.deps
            .store
            .write(move |u| {
                u.accounts().set_password(user, &hash, now)?;
                u.sign_in_throttles().clear(&secret::hash(&credential.email_key))?;
                u.one_time_tokens().spend_of_user(user, TokenPurpose::ResetPassword, now)?;
                u.sessions().delete_of_user(user, Some(session))?;
                u.grants().revoke_of_user(user, Some(session), now)?;
                deps.audit(u, now, Some(user), "password.change", &user.to_string(), request)?;
                Ok(())
            })
            .await
    }
}

fn judge(field: &'static str, password: &SecretString, account: &Account) -> Result<(), Vec<FieldError>> {
    password::judge(password, account.email.as_ref()).map_err(|code| vec![FieldError { field, code }])
}

fn end_everything(u: &mut dyn Unit, user: UserId, now: DateTime<Utc>) -> StoreResult<()> {
    u.sessions().delete_of_user(user, None)?;
    u.grants().revoke_of_user(user, None, now)
}

/// The link's token and account, while the link works.
fn reset_target(
    u: &mut dyn Unit,
    link: &TokenHash,
    now: DateTime<Utc>,
) -> StoreResult<Option<(OneTimeToken, Account)>> {
    let token = u.one_time_tokens().get(link)?;
    let live = token.filter(|t| t.purpose == TokenPurpose::ResetPassword && t.spent_at.is_none() && now < t.expires_at);
    let Some(token) = live else { return Ok(None) };
    let account = u.accounts().get(token.user_id)?.filter(|a| a.disabled_at.is_none());
    Ok(account.map(|account| (token, account)))
}

fn send_reset(deps: &Deps, u: &mut dyn Unit, account: &Account, now: DateTime<Utc>) -> StoreResult<()> {
    let Some(email) = &account.email else { return Ok(()) };
    u.one_time_tokens().spend_of_user(account.id, TokenPurpose::ResetPassword, now)?;
    let (token, token_hash) = secret::fresh(&*deps.entropy);
    let expires_at = now + RESET_LINK;
    u.one_time_tokens().insert(&OneTimeToken {
        token_hash: token_hash.clone(),
        user_id: account.id,
        purpose: TokenPurpose::ResetPassword,
        email_key: email.key(),
        created_at: now,
        expires_at,
        spent_at: None,
    })?;
    let (to_name, language) = profile_name(u, account.id, email)?;
    let values = json!({
        "resetUrl": deps.public_url.join(&format!("/resetpassword?token={token}")),
        "expiresAt": expires_at.to_rfc3339_opts(SecondsFormat::Secs, true),
    });
    let request = MailRequest {
        template: "passwordReset",
        dedup_key: format!("passwordReset:{}", token_hash.0),
        user_id: account.id,
        to: email.clone(),
        to_name,
        language,
        values,
    };
    deps.outbox.queue(u, &request, now)
}

/// Keeps strangers from filling a mailbox: one mail of a kind a minute to one address.
pub(super) fn may_mail(u: &mut dyn Unit, kind: &str, email_key: &str, now: DateTime<Utc>) -> StoreResult<bool> {
    let key = secret::hash(&format!("mail:{kind}:{email_key}"));
    let counter = u.sign_in_throttles().lock(&key, now)?;
    if counter.failures > 0 && now - counter.last_attempt_at < MAIL_PAUSE {
        return Ok(false);
    }
    u.sign_in_throttles().put(&SignInThrottle { key, failures: 1, last_attempt_at: now, locked_until: None })?;
    Ok(true)
}
