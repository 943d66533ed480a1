//! Another address for an account.
//!
//! It is asked for by somebody signed in who knows the password, and counts once the link that went to the new address
//! is opened by somebody signed in to the same account: the mailbox alone gives nobody an account, and the account
//! alone gives nobody an address (an address may be worth a role). The old address is told of both steps.
//!
//! Whether the new address has an account is told to nobody but its mailbox: the answer, the stored link and the number
//! of mails are the same, only the words differ.

use kernel::{
    Email, UserId,
    chrono::{DateTime, Utc},
};
use serde_json::json;
use service::{
    accounts::email::{Mover, follow},
    ports::{
        StoreError, StoreResult, Unit,
        identity::{Account, Credential, OneTimeToken, TokenPurpose},
        members::MemberRole,
    },
};

use super::{
    CHANGE_LINK, ChangeEmail, Failure, FieldCode, FieldError, HashingFailed, Landing, SignInError,
    attempts::{MailTo, forget_mails, mail_from, may_mail, seconds_until},
    forms,
    sessions::{reader, session_in},
};
use crate::{Deps, Identity, MailRequest, RequestContext, audit, mail::Mails, secret};

/// Mails with such a link, and those that tell the old address.
const CHANGE: &str = "change";
const NOTICE: &str = "change-notice";

/// Why no other address was asked for.
#[derive(Debug, thiserror::Error)]
pub enum ChangeEmailError {
    /// A field is refused; a wrong present password is `currentPassword: password_wrong`.
    #[error("a field is refused")]
    Invalid(Vec<FieldError>),
    /// Nobody is signed in here, or the account has no password.
    #[error("sign in first")]
    NotSignedIn,
    /// The present address is the one a role was given to.
    #[error("a role belongs to the address")]
    HoldsRole,
    /// Too many attempts at the present password.
    #[error("too many attempts")]
    TooManyAttempts {
        /// Whole seconds until the next one is looked at.
        retry_after: i64,
    },
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

impl From<StoreError> for ChangeEmailError {
    fn from(error: StoreError) -> Self {
        ChangeEmailError::Failed(error.into())
    }
}

impl From<HashingFailed> for ChangeEmailError {
    fn from(error: HashingFailed) -> Self {
        ChangeEmailError::Failed(error.into())
    }
}

fn field(field: &'static str, code: FieldCode) -> ChangeEmailError {
    ChangeEmailError::Invalid(vec![FieldError { field, code }])
}

/// Rolls a change back whose address somebody else has by now.
enum Undone {
    Taken,
    Store(StoreError),
}

impl From<StoreError> for Undone {
    fn from(error: StoreError) -> Self {
        Undone::Store(error)
    }
}

impl Identity {
    /// Asks for another address. Nothing changes until the link that is mailed to it is opened; a link that was asked
    /// for before is worth nothing from then on.
    ///
    /// # Errors
    /// See [`ChangeEmailError`].
    pub async fn change_email(&self, form: ChangeEmail, context: &RequestContext) -> Result<(), ChangeEmailError> {
        let active = self.session(context).await?.ok_or(ChangeEmailError::NotSignedIn)?;
        let (user, session) = (active.account.id, active.session.id);
        let old = active.account.email.ok_or(ChangeEmailError::NotSignedIn)?;
        let new = forms::email(&form.email).map_err(|code| field("email", code))?;
        if new.key() == old.key() {
            return Err(field("email", FieldCode::EmailSame));
        }
        let attempt = self.admit_change(session, &old).await.map_err(|error| match error {
            SignInError::TooManyAttempts { retry_after, .. } => ChangeEmailError::TooManyAttempts { retry_after },
            SignInError::Failed(failure) => ChangeEmailError::Failed(failure),
            SignInError::Invalid(_) | SignInError::WrongCredentials => ChangeEmailError::NotSignedIn,
        })?;
        let credential = attempt.credential.clone().filter(|c| c.user_id == user);
        let credential = credential.ok_or(ChangeEmailError::NotSignedIn)?;
        let checked = self.deps.hasher.check(form.current_password, Some(credential.password_hash.clone())).await?;
        if !checked.matches {
            return Err(field("currentPassword", FieldCode::PasswordWrong));
        }
        let (deps, now, context) = (self.deps.clone(), self.now(), context.clone());
        let work = self.deps.write_with_mails(move |u, mails| {
            u.accounts().lock(user)?;
            // Changed, or signed out, while the password was being checked?
            let current = u.accounts().credential_of(user)?;
            let unchanged = current.is_some_and(|c| {
                c.password_changed_at == credential.password_changed_at && c.email_key == credential.email_key
            });
            let active = match &context.session {
                Some(cookie) => session_in(u, cookie, now)?.filter(|a| a.session.id == session),
                None => None,
            };
            let account = active.filter(|_| unchanged).ok_or(ChangeEmailError::NotSignedIn)?.account;
            attempt.forgive(u)?;
            if holds_role(u, &account)? {
                return Err(ChangeEmailError::HoldsRole);
            }
            if let Err(until) = mail_from(u, context.address, now)? {
                return Err(ChangeEmailError::TooMany { retry_after: seconds_until(until, now) });
            }
            if !may_mail(u, CHANGE, &MailTo::Address(new.key()), now)? {
                return Ok(());
            }
            send_link(&deps, u, mails, &account, &new, now)?;
            if may_mail(u, NOTICE, &MailTo::Address(old.key()), now)? {
                tell(&deps, u, mails, &account, (&old, &new), None, now)?;
            }
            deps.trail(now, Some(user), context.request_id).note(u, "email.ask", user)?;
            Ok(())
        });
        let (done, ()) = tokio::join!(work, tokio::time::sleep(self.deps.forgot_takes));
        done
    }

    /// The address that waits for its link to be opened, if there is one.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn pending_email(&self, user: UserId) -> Result<Option<String>, StoreError> {
        let now = self.now();
        let link = self.deps.store.read(move |u| u.one_time_tokens().unspent(user, TokenPurpose::ChangeEmail)).await;
        let link = link.map_err(|e: StoreError| e)?;
        Ok(link.filter(|l| now < l.expires_at).map(|l| l.email_key))
    }

    /// Opens the link that went to a new address: `/profile?notice=emailChanged`, `emailTaken`, `emailHoldsRole` or
    /// `emailLinkDead`; for somebody who is not signed in the sign-in page, which comes back here, or
    /// `/signin?notice=linkDead`.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn open_email_change(&self, token: &str, context: &RequestContext) -> Result<Landing, StoreError> {
        let (deps, now, context, token) = (self.deps.clone(), self.now(), context.clone(), token.to_owned());
        let done = self
            .deps
            .write_with_mails(move |u, mails| {
                let link = u.one_time_tokens().get(&secret::hash(&token))?;
                let link = link.filter(|l| l.purpose == TokenPurpose::ChangeEmail);
                if let Some(link) = &link {
                    u.accounts().lock(link.user_id)?;
                }
                let active = match &context.session {
                    Some(cookie) => session_in(u, cookie, now)?,
                    None => None,
                };
                let Some(active) = active else { return Ok(to_sign_in(link.as_ref(), &token, now)) };
                let own = link.filter(|l| l.user_id == active.account.id);
                let Some(link) = own else { return Ok(profile("emailLinkDead")) };
                // Opened a second time: it is as they wanted it.
                if active.account.email.as_ref().is_some_and(|e| e.key() == link.email_key) {
                    return Ok(profile("emailChanged"));
                }
                let notice = redeem(&deps, u, mails, &active.account, &link, &context, now)?;
                Ok::<_, Undone>(profile(notice))
            })
            .await;
        match done {
            Ok(landing) => Ok(landing),
            Err(Undone::Taken) => Ok(profile("emailTaken")),
            // Two accounts took the address in the same moment; the other one was first.
            Err(Undone::Store(StoreError::Duplicate(_))) => Ok(profile("emailTaken")),
            Err(Undone::Store(failure)) => Err(failure),
        }
    }
}

/// A role is given to a verified address: with another one it would be lost without a word.
fn holds_role(u: &mut dyn Unit, account: &Account) -> StoreResult<bool> {
    let Some(email) = account.email.as_ref().filter(|_| account.email_verified) else { return Ok(false) };
    Ok(u.members().by_email(&email.key())?.is_some())
}

fn profile(notice: &str) -> Landing {
    Landing { location: format!("/profile?notice={notice}"), set_cookies: Vec::new() }
}

/// The link is opened again once somebody has signed in. The token is one of ours: it needs no escaping.
fn to_sign_in(link: Option<&OneTimeToken>, token: &str, now: DateTime<Utc>) -> Landing {
    let live = link.is_some_and(|l| l.spent_at.is_none() && now < l.expires_at);
    let location = if live {
        format!("/signin?notice=signInToChangeEmail&returnTo=%2Fidentity%2Fchange-email%3Ftoken%3D{token}")
    } else {
        "/signin?notice=linkDead".to_owned()
    };
    Landing { location, set_cookies: Vec::new() }
}

/// Gives the account (locked, signed in) the address of the link, if the link is good for it; the notice that says how
/// it went.
fn redeem(
    deps: &Deps,
    u: &mut dyn Unit,
    mails: &mut Mails<'_>,
    account: &Account,
    link: &OneTimeToken,
    context: &RequestContext,
    now: DateTime<Utc>,
) -> Result<&'static str, Undone> {
    let (Some(old), Ok(new)) = (&account.email, link.email_key.parse::<Email>()) else { return Ok("emailLinkDead") };
    if now >= link.expires_at || !u.one_time_tokens().spend(&link.token_hash, now)? {
        return Ok("emailLinkDead");
    }
    if holds_role(u, account)? {
        return Ok("emailHoldsRole");
    }
    let Some(credential) = u.accounts().credential_of(account.id)? else { return Ok("emailLinkDead") };
    if u.accounts().credential(&new.key())?.is_some() {
        return Ok("emailTaken");
    }
    u.accounts().delete_credential(account.id)?;
    let moved = Credential { email_key: new.key(), ..credential };
    if !u.accounts().insert_credential(&moved)? {
        return Err(Undone::Taken);
    }
    audit::email_shown(u, &*deps.entropy, (account.id, &new), now)?;
    // Links that lie in the old mailbox open nothing any more.
    for purpose in [TokenPurpose::VerifyEmail, TokenPurpose::ResetPassword] {
        u.one_time_tokens().spend_of_user(account.id, purpose, now)?;
    }
    let role = MemberRole::acts_as(audit::role_of(u, account.id)?);
    follow(u, Mover { user: account.id, role, at: now }, old, &new)?;
    forget_mails(u, CHANGE, &new.key())?;
    tell(deps, u, mails, account, (old, &new), Some(now), now)?;
    deps.trail(now, Some(account.id), context.request_id.clone()).note(u, "email.change", account.id)?;
    Ok("emailChanged")
}

/// The link, to the new address. It may be a stranger's: the name of whoever asked greets nobody there. Where the
/// address has an account the mail says so instead, and the link that is stored is in nobody's hands.
fn send_link(
    deps: &Deps,
    u: &mut dyn Unit,
    mails: &mut Mails<'_>,
    account: &Account,
    new: &Email,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    u.one_time_tokens().spend_of_user(account.id, TokenPurpose::ChangeEmail, now)?;
    let taken = u.accounts().credential(&new.key())?.is_some();
    let (token, token_hash) = secret::fresh(&*deps.entropy);
    let expires_at = now + CHANGE_LINK;
    u.one_time_tokens().insert(&OneTimeToken {
        token_hash: token_hash.clone(),
        user_id: account.id,
        purpose: TokenPurpose::ChangeEmail,
        email_key: new.key(),
        created_at: now,
        expires_at,
        spent_at: None,
        booking_id: None,
    })?;
    let reader = reader(u, account.id, new)?;
    let url = deps.public_url.join(&format!("/identity/change-email?token={token}"));
    let request = MailRequest {
        template: "emailChange",
        dedup_key: format!("emailChange:{}", token_hash.0),
        user_id: account.id,
        to: new.clone(),
        to_name: new.as_str().to_owned(),
        language: reader.language,
        expires_at,
        values: json!({ "confirmUrl": (!taken).then_some(url), "expiresAt": reader.moment(expires_at), "customerFirstName": null }),
    };
    mails.queue(u, &request, now)
}

/// Tells the old address: that another was asked for, or (`changed`) that it counts.
fn tell(
    deps: &Deps,
    u: &mut dyn Unit,
    mails: &mut Mails<'_>,
    account: &Account,
    (old, new): (&Email, &Email),
    changed: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let reader = reader(u, account.id, old)?;
    let (_, once) = secret::fresh(&*deps.entropy);
    let request = MailRequest {
        template: "emailChangeNotice",
        dedup_key: format!("emailChangeNotice:{}", once.0),
        user_id: account.id,
        to: old.clone(),
        to_name: reader.name.clone(),
        language: reader.language,
        expires_at: now + CHANGE_LINK,
        values: json!({
            "newAddress": new.masked(),
            "changedAt": changed.map(|at| reader.moment(at)),
            "customerFirstName": reader.greeted.as_ref().filter(|_| account.email_verified),
        }),
    };
    mails.queue(u, &request, now)
}
