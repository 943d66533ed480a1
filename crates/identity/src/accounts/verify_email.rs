//! Showing that an address is one's own.
//!
//! A link alone verifies nothing: mail scanners open links, and whoever signed up with a
//! stranger's address only has to wait for the stranger's scanner. The link must be opened by
//! somebody signed in to that account, so both the mailbox and the password are needed.

use kernel::chrono::{DateTime, Duration, Utc};
use serde_json::json;
use service::ports::{
    Entropy, StoreError, StoreResult, Unit,
    identity::{Account, OneTimeToken, TokenPurpose},
    members::MemberRole,
};

use super::{
    VERIFY_LINK,
    attempts::{MailTo, may_mail},
    sessions::{reader, session_in},
};
use crate::{Deps, Identity, MailRequest, RequestContext, audit, cookie, mail::Mails, secret};

/// How long an opened link waits for the person to sign in.
const WAITS: Duration = Duration::hours(1);

/// Where the browser goes after it opened a link of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landing {
    /// A path of our own site. `/profile?notice=emailVerified` (people of the company go to
    /// `/dashboard/`), `/signin?notice=signInToVerify` or `/signin?notice=linkDead`.
    pub location: String,
    /// `Set-Cookie` values.
    pub set_cookies: Vec<String>,
}

/// Why no new link was sent.
#[derive(Debug, thiserror::Error)]
pub enum ResendError {
    /// Nobody is signed in here.
    #[error("sign in first")]
    NotSignedIn,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Identity {
    /// Opens the link of a welcome mail.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn open_verification(&self, token: &str, context: &RequestContext) -> Result<Landing, StoreError> {
        let (deps, now, context, token) = (self.deps.clone(), self.now(), context.clone(), token.to_owned());
        self.deps
            .store
            .write(move |u| {
                let link = u.one_time_tokens().get(&secret::hash(&token))?;
                let Some(link) = link.filter(|l| l.purpose == TokenPurpose::VerifyEmail) else {
                    return Ok(landing("/signin?notice=linkDead", vec![]));
                };
                // A new password, set at this moment, comes before or after.
                u.accounts().lock(link.user_id)?;
                let active = match &context.session {
                    Some(cookie) => session_in(u, cookie, now)?,
                    None => None,
                };
                match active.filter(|a| a.account.id == link.user_id) {
                    Some(active)
                        if active.account.email_verified
                            || redeem(u, &*deps.entropy, &active.account, &token, now)? =>
                    {
                        if !active.account.email_verified {
                            let user = active.account.id;
                            deps.trail(now, Some(user), context.request_id).note(u, "email.verify", user)?;
                        }
                        let own = if at_desk(u, &active.account)? { DESK } else { "/profile" };
                        Ok(landing(&format!("{own}?notice=emailVerified"), vec![]))
                    }
                    None if link.spent_at.is_none() && now < link.expires_at => {
                        // Only what we have just looked up goes into the cookie.
                        let keep = cookie::set(cookie::VERIFY, &token, WAITS.num_seconds(), &deps.public_url);
                        // Signed in, they go on to where they work.
                        let works = match u.accounts().get(link.user_id)? {
                            Some(account) => at_desk(u, &account)?,
                            None => false,
                        };
                        let on = if works { "&returnTo=%2Fdashboard%2F" } else { "" };
                        Ok(landing(&format!("/signin?notice=signInToVerify{on}"), vec![keep]))
                    }
                    _ => Ok(landing("/signin?notice=linkDead", vec![])),
                }
            })
            .await
    }

    /// Sends another link to the person signed in with this browser. Once a minute; nothing when
    /// the address is verified.
    ///
    /// # Errors
    /// See [`ResendError`].
    pub async fn resend_verification(&self, context: &RequestContext) -> Result<(), ResendError> {
        let active = self.session(context).await?.ok_or(ResendError::NotSignedIn)?;
        let (deps, now, account, request) = (self.deps.clone(), self.now(), active.account, context.request_id.clone());
        self.deps
            .write_with_mails(move |u, mails| {
                let Some(email) = account.email.as_ref().filter(|_| !account.email_verified) else { return Ok(()) };
                if may_mail(u, "verify", &MailTo::Address(email.key()), now)? {
                    send_verification(&deps, u, mails, &account, now)?;
                    deps.trail(now, Some(account.id), request).note(u, "email.resend", account.id)?;
                }
                Ok(())
            })
            .await
    }
}

fn landing(location: &str, set_cookies: Vec<String>) -> Landing {
    Landing { location: location.to_owned(), set_cookies }
}

/// The pages of people of the company.
const DESK: &str = "/dashboard/";

/// Staff and mates work at the dashboard: their link leads there, not to the pages of customers. Whoever holds the link has
/// the mailbox, and its address is on the team.
fn at_desk(u: &mut dyn Unit, account: &Account) -> StoreResult<bool> {
    let Some(email) = &account.email else { return Ok(false) };
    let member = u.members().by_email(&email.key())?;
    Ok(member.is_some_and(|m| matches!(m.role, MemberRole::Ops | MemberRole::Admin | MemberRole::Mate)))
}

/// Verifies the account's address by a link, if the link is good for it. The caller has made sure
/// that this account is signed in.
pub(super) fn redeem(
    u: &mut dyn Unit,
    entropy: &dyn Entropy,
    account: &Account,
    token: &str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let hash = secret::hash(token);
    let Some(link) = u.one_time_tokens().get(&hash)? else { return Ok(false) };
    let Some(email) = &account.email else { return Ok(false) };
    let fits = link.purpose == TokenPurpose::VerifyEmail
        && link.user_id == account.id
        && link.email_key == email.key()
        && now < link.expires_at;
    if !fits || !u.one_time_tokens().spend(&hash, now)? {
        return Ok(false);
    }
    audit::email_shown(u, entropy, (account.id, email), now)?;
    Ok(true)
}

/// The welcome mail, with a verification link.
pub(super) fn send_verification(
    deps: &Deps,
    u: &mut dyn Unit,
    mails: &mut Mails<'_>,
    account: &Account,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let Some(email) = &account.email else { return Ok(()) };
    u.one_time_tokens().spend_of_user(account.id, TokenPurpose::VerifyEmail, now)?;
    let (token, token_hash) = secret::fresh(&*deps.entropy);
    let expires_at = now + VERIFY_LINK;
    u.one_time_tokens().insert(&OneTimeToken {
        token_hash: token_hash.clone(),
        user_id: account.id,
        purpose: TokenPurpose::VerifyEmail,
        email_key: email.key(),
        created_at: now,
        expires_at,
        spent_at: None,
        booking_id: None,
    })?;
    let reader = reader(u, account.id, email)?;
    let values = json!({
        "loginUrl": deps.public_url.join("/signin"),
        "verifyUrl": deps.public_url.join(&format!("/identity/verify?token={token}")),
        "expiresAt": reader.moment(expires_at),
    });
    let request = MailRequest {
        template: "welcome",
        dedup_key: format!("welcome:{}", token_hash.0),
        user_id: account.id,
        to: email.clone(),
        to_name: reader.name,
        language: reader.language,
        expires_at,
        values,
    };
    mails.queue(u, &request, now)
}
