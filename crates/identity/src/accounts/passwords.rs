//! Forgotten, reset and changed passwords.

use kernel::{
    UserId,
    chrono::{DateTime, Duration, Utc},
};
use secrecy::SecretString;
use serde_json::json;
use service::{
    accounts::end_sessions,
    ports::{
        StoreError, StoreResult, Unit,
        identity::{Account, OneTimeToken, SessionEnd, TokenHash, TokenPurpose},
    },
};

use super::{
    ChangePassword, Failure, FieldCode, FieldError, ForgotPassword, HashingFailed, RESET_LINK, ResetPassword,
    SignInError,
    attempts::{MailTo, account_counter, forget_mails, mail_from, may_mail, seconds_until},
    claim::{self, Owner},
    device, forms, sessions,
    sessions::{reader, session_in},
};
use crate::{Deps, Identity, MailRequest, RequestContext, audit, mail::Mails, password, secret};

/// Mails with a link to a new password.
const RESET: &str = "reset";

/// A new password is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordSet {
    /// `Set-Cookie` values.
    pub set_cookies: Vec<String>,
}

/// Why the password was not reset.
#[derive(Debug, thiserror::Error)]
pub enum ResetPasswordError {
    /// The new password is not good enough.
    #[error("the new password is refused")]
    Invalid(Vec<FieldError>),
    /// The link is unknown, was used, or is more than an hour old.
    #[error("the link does not work any more")]
    LinkDead,
    /// Too many mails were asked for from one network within the hour.
    #[error("too many mails were asked for from one network")]
    TooMany {
        /// Whole seconds until the next one.
        retry_after: i64,
    },
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
    /// Sends a reset link, if the address has an account. The answer is the same in any case, and
    /// takes as long; only an empty or malformed address is told.
    ///
    /// Mails to one address come less and less often, whoever asks for them. Links sent before stay
    /// good: who asks in the owner's name neither fills the mailbox nor spoils the link in it.
    ///
    /// # Errors
    /// The field's mistake, too many calls from one network, or when the store fails.
    pub async fn forgot_password(
        &self,
        form: ForgotPassword,
        context: &RequestContext,
    ) -> Result<(), ResetPasswordError> {
        let email = forms::email(&form.email)
            .map_err(|code| ResetPasswordError::Invalid(vec![FieldError { field: "email", code }]))?;
        let (deps, now, context) = (self.deps.clone(), self.now(), context.clone());
        let devices = device::read(&deps, context.device.as_deref(), now);
        let work = self.deps.write_with_mails(move |u, mails| {
            if let Err(until) = mail_from(u, context.address, now)? {
                return Err(ResetPasswordError::TooMany { retry_after: seconds_until(until, now) });
            }
            let credential = u.accounts().credential(&email.key())?;
            let known =
                credential.as_ref().and_then(|c| device::known_device(&devices, c.user_id, c.password_changed_at));
            let whose = known.map_or_else(|| MailTo::Address(email.key()), |d| MailTo::Device(d.id.clone()));
            if !may_mail(u, RESET, &whose, now)? {
                return Ok(());
            }
            let Some(credential) = credential else { return Ok(()) };
            let Some(account) = u.accounts().get(credential.user_id)?.filter(|a| a.disabled_at.is_none()) else {
                return Ok(());
            };
            send_reset(&deps, u, mails, &account, now)?;
            deps.trail(now, Some(account.id), context.request_id).note(u, "password.forgot", account.id)?;
            Ok(())
        });
        let (done, ()) = tokio::join!(work, tokio::time::sleep(self.deps.forgot_takes));
        done
    }

    /// Sets a new password by a link. Since the link reached the person's mailbox the address
    /// counts as verified; every session and grant of the account ends, so that somebody who knew
    /// the old password is out.
    ///
    /// Of an account that was not verified until now the link shows only whose the address is, not
    /// who made the account. When it is opened in a browser that signed in to the account, they are
    /// the same person. Otherwise the person gets an account of their own, with nothing in it; see
    /// `claim`.
    ///
    /// # Errors
    /// See [`ResetPasswordError`].
    pub async fn reset_password(
        &self,
        form: ResetPassword,
        context: &RequestContext,
    ) -> Result<PasswordSet, ResetPasswordError> {
        let link = secret::hash(&form.token);
        let now = self.now();
        let found: Option<Account> = {
            let link = link.clone();
            self.deps.store.read(move |u| reset_target(u, &link, now).map(|t| t.map(|(_, a)| a))).await?
        };
        let account = found.ok_or(ResetPasswordError::LinkDead)?;
        judge("password", &form.password, &account).map_err(ResetPasswordError::Invalid)?;
        let hash = self.deps.hasher.hash(form.password).await?;
        let (deps, now, context) = (self.deps.clone(), self.now(), context.clone());
        self.deps
            .store
            .write(move |u| {
                u.accounts().lock(account.id)?;
                let (token, account) = reset_target(u, &link, now)?.ok_or(ResetPasswordError::LinkDead)?;
                if !u.one_time_tokens().spend(&link, now)? {
                    return Err(ResetPasswordError::LinkDead);
                }
                let account = accept(&deps, u, &token, account, hash, &context, now)?;
                forget_mails(u, RESET, &token.email_key)?;
                u.sign_in_throttles().clear(&account_counter(&token.email_key))?;
                let devices = device::read(&deps, context.device.as_deref(), now);
                let set_cookies = device::remember(&deps, &devices, account.id, now).into_iter().collect();
                deps.trail(now, Some(account.id), context.request_id).note(u, "password.reset", account.id)?;
                Ok(PasswordSet { set_cookies })
            })
            .await
    }

    /// Changes the password of the person signed in with this browser. Every session ends, this
    /// browser's too: it gets a new one, so that whoever holds a copy of its cookie or its tokens is
    /// out like everybody else.
    ///
    /// # Errors
    /// See [`ChangePasswordError`].
    pub async fn change_password(
        &self,
        form: ChangePassword,
        context: &RequestContext,
    ) -> Result<PasswordSet, ChangePasswordError> {
        let active = self.session(context).await?.ok_or(ChangePasswordError::NotSignedIn)?;
        let (user, session) = (active.account.id, active.session.id);
        judge("password", &form.password, &active.account).map_err(ChangePasswordError::Invalid)?;
        let email = active.account.email.ok_or(ChangePasswordError::NotSignedIn)?;
        let attempt = self.admit_change(session, &email).await.map_err(|error| match error {
            SignInError::TooManyAttempts { retry_after, .. } => ChangePasswordError::TooManyAttempts { retry_after },
            SignInError::Failed(failure) => ChangePasswordError::Failed(failure),
            SignInError::Invalid(_) | SignInError::WrongCredentials => ChangePasswordError::NotSignedIn,
        })?;
        let credential = attempt.credential.clone().filter(|c| c.user_id == user);
        let credential = credential.ok_or(ChangePasswordError::NotSignedIn)?;
        let checked = self.deps.hasher.check(form.current_password, Some(credential.password_hash.clone())).await?;
        if !checked.matches {
            let wrong = FieldError { field: "currentPassword", code: FieldCode::PasswordWrong };
            return Err(ChangePasswordError::Invalid(vec![wrong]));
        }
        let hash = self.deps.hasher.hash(form.password).await?;
        let (deps, now, context) = (self.deps.clone(), self.now(), context.clone());
        self.deps
            .store
            .write(move |u| {
                u.accounts().lock(user)?;
                // Set anew, or signed out, while the present one was being checked?
                let unchanged = u
                    .accounts()
                    .credential_of(user)?
                    .is_some_and(|c| c.password_changed_at == credential.password_changed_at);
                let live = match &context.session {
                    Some(cookie) => session_in(u, cookie, now)?.is_some_and(|a| a.session.id == session),
                    None => false,
                };
                if !unchanged || !live {
                    return Err(ChangePasswordError::NotSignedIn);
                }
                set_password(u, user, &hash, now)?;
                attempt.forgive(u)?;
                for purpose in [TokenPurpose::ResetPassword, TokenPurpose::ChangeEmail] {
                    u.one_time_tokens().spend_of_user(user, purpose, now)?;
                }
                end_sessions(u, user, SessionEnd::PasswordChanged, now)?;
                let (_, cookie) = sessions::begin(&deps, u, user, None, now)?;
                let devices = device::read(&deps, context.device.as_deref(), now);
                let set_cookies = std::iter::once(cookie).chain(device::remember(&deps, &devices, user, now)).collect();
                deps.trail(now, Some(user), context.request_id).note(u, "password.change", user)?;
                Ok(PasswordSet { set_cookies })
            })
            .await
    }
}

/// The account that has the address and the new password from now on.
fn accept(
    deps: &Deps,
    u: &mut dyn Unit,
    link: &OneTimeToken,
    account: Account,
    hash: String,
    context: &RequestContext,
    now: DateTime<Utc>,
) -> Result<Account, ResetPasswordError> {
    // A link proves nothing about another address.
    let email = account.email.clone().filter(|e| e.key() == link.email_key);
    let made_it = account.email_verified || made_here(deps, u, &account, context, now)?;
    if !made_it {
        let email = email.ok_or(ResetPasswordError::LinkDead)?;
        let owner = Owner { email, language: context.language, password_hash: hash };
        let fresh = claim::claim(deps, u, &account, owner, now)?.ok_or(ResetPasswordError::LinkDead)?;
        let strangers = account.id.to_string();
        deps.trail(now, Some(fresh.id), context.request_id.clone()).note(u, "account.claim", &strangers)?;
        return Ok(fresh);
    }
    if !set_password(u, account.id, &hash, now)? {
        return Err(ResetPasswordError::LinkDead);
    }
    // Whoever asked for another address may have known the old password.
    for purpose in [TokenPurpose::ResetPassword, TokenPurpose::ChangeEmail] {
        u.one_time_tokens().spend_of_user(account.id, purpose, now)?;
    }
    if let Some(email) = &email {
        audit::email_shown(u, &*deps.entropy, (account.id, email), now)?;
    }
    end_sessions(u, account.id, SessionEnd::PasswordReset, now)?;
    Ok(account)
}

/// Writes a new password (under the account's lock), at an instant no other one has: that is how a
/// sign-in which has just checked the old one notices.
fn set_password(u: &mut dyn Unit, user: UserId, hash: &str, now: DateTime<Utc>) -> StoreResult<bool> {
    let Some(old) = u.accounts().credential_of(user)? else { return Ok(false) };
    let at = now.max(old.password_changed_at + Duration::microseconds(1));
    u.accounts().set_password(user, hash, at)
}

/// Is this the browser the account was made or used with?
fn made_here(
    deps: &Deps,
    u: &mut dyn Unit,
    account: &Account,
    context: &RequestContext,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    if let Some(cookie) = &context.session
        && session_in(u, cookie, now)?.is_some_and(|a| a.account.id == account.id)
    {
        return Ok(true);
    }
    let Some(credential) = u.accounts().credential_of(account.id)? else { return Ok(false) };
    let devices = device::read(deps, context.device.as_deref(), now);
    Ok(device::known_device(&devices, account.id, credential.password_changed_at).is_some())
}

fn judge(field: &'static str, password: &SecretString, account: &Account) -> Result<(), Vec<FieldError>> {
    password::judge(password, account.email.as_ref()).map_err(|code| vec![FieldError { field, code }])
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

fn send_reset(
    deps: &Deps,
    u: &mut dyn Unit,
    mails: &mut Mails<'_>,
    account: &Account,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let Some(email) = &account.email else { return Ok(()) };
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
        booking_id: None,
    })?;
    let reader = reader(u, account.id, email)?;
    let values = json!({
        "resetUrl": deps.public_url.join(&format!("/resetpassword?token={token}")),
        "expiresAt": reader.moment(expires_at),
        // Whoever signed up with somebody else's address chose the name: it greets nobody until the address is shown.
        "customerFirstName": reader.greeted.filter(|_| account.email_verified),
    });
    let request = MailRequest {
        template: "passwordReset",
        dedup_key: format!("passwordReset:{}", token_hash.0),
        user_id: account.id,
        to: email.clone(),
        to_name: reader.name,
        language: reader.language,
        expires_at,
        values,
    };
    mails.queue(u, &request, now)
}
