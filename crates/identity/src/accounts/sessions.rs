//! The browser's session: made at sign-in, moved on with use, ended at sign-out.

use kernel::{
    Email, SessionId, UserId,
    chrono::{DateTime, Duration, Utc},
};
use service::ports::{
    StoreError, StoreResult, Unit,
    identity::{Account, Session, SessionEnd},
};

use super::{SESSION_IDLE, SESSION_MAX};
use crate::{Deps, Identity, RequestContext, cookie, secret};

/// Uses closer together than this are not written down.
const TOUCH_EVERY: Duration = Duration::hours(1);

/// A person was signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// Who.
    pub user_id: UserId,
    /// Whether the address is shown to be theirs.
    pub email_verified: bool,
    /// Path of our own site to go on to.
    pub redirect_to: String,
    /// `Set-Cookie` values.
    pub set_cookies: Vec<String>,
}

/// A person was signed out (or was not signed in).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedOut {
    /// `Set-Cookie` values.
    pub set_cookies: Vec<String>,
}

/// A live session and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveSession {
    /// The session.
    pub session: Session,
    /// Its account, not disabled.
    pub account: Account,
}

impl Identity {
    /// The live session of a request, if any.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn session(&self, context: &RequestContext) -> Result<Option<ActiveSession>, StoreError> {
        let (Some(cookie), now) = (context.session.clone(), self.now()) else { return Ok(None) };
        self.deps.store.read(move |u| session_in(u, &cookie, now)).await
    }

    /// Ends the session of this browser and everything issued from it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sign_out(&self, context: &RequestContext) -> Result<SignedOut, StoreError> {
        if let Some(cookie) = context.session.clone() {
            let (deps, now, request) = (self.deps.clone(), self.now(), context.request_id.clone());
            self.deps
                .store
                .write(move |u| {
                    // An expired session is ended all the same.
                    let found = u.sessions().by_token(&secret::hash(&cookie))?;
                    let Some(session) = found.filter(|s| s.ended.is_none()) else { return Ok(()) };
                    end(u, session.id, SessionEnd::SignedOut, now)?;
                    deps.trail(now, Some(session.user_id), request).note(u, "session.end", session.id)
                })
                .await
                .map_err(|e: StoreError| e)?;
        }
        Ok(SignedOut { set_cookies: vec![cookie::clear(cookie::SESSION, &self.deps.public_url)] })
    }
}

/// The live session a cookie names, with its account.
pub(crate) fn session_in(u: &mut dyn Unit, cookie: &str, now: DateTime<Utc>) -> StoreResult<Option<ActiveSession>> {
    let found = u.sessions().by_token(&secret::hash(cookie))?;
    let Some(session) = found.filter(|s| s.is_live(now)) else { return Ok(None) };
    let account = u.accounts().get(session.user_id)?.filter(|a| a.disabled_at.is_none());
    Ok(account.map(|account| ActiveSession { session, account }))
}

/// Moves a used session on when it is time to; the cookie to send again, if so.
pub(crate) fn renewal_cookie(
    deps: &Deps,
    u: &mut dyn Unit,
    cookie: &str,
    session: &Session,
    now: DateTime<Utc>,
) -> StoreResult<Option<String>> {
    if now - session.last_seen_at < TOUCH_EVERY {
        return Ok(None);
    }
    let expires_at = expiry(session.created_at, now);
    u.sessions().touch(session.id, now, expires_at)?;
    Ok(Some(session_cookie(deps, cookie, expires_at, now)))
}

/// Makes a session for a person who has just shown who they are, in place of the one the browser
/// had. The cookie's value is always new, so a value planted before sign-in is worth nothing. The
/// caller holds the account's lock or has just made the account, so that a new password cannot
/// slip in between.
pub(super) fn begin(
    deps: &Deps,
    u: &mut dyn Unit,
    user: UserId,
    old_cookie: Option<&str>,
    now: DateTime<Utc>,
) -> StoreResult<(SessionId, String)> {
    if let Some(old) = old_cookie
        && let Some(old) = u.sessions().by_token(&secret::hash(old))?
    {
        end(u, old.id, SessionEnd::Replaced, now)?;
    }
    let (value, token_hash) = secret::fresh(&*deps.entropy);
    let session = Session {
        id: SessionId(deps.entropy.uuid(now)),
        token_hash,
        user_id: user,
        authenticated_at: now,
        created_at: now,
        last_seen_at: now,
        expires_at: expiry(now, now),
        ended: None,
    };
    u.sessions().insert(&session)?;
    Ok((session.id, session_cookie(deps, &value, session.expires_at, now)))
}

/// Ends a session and everything issued from it.
pub(crate) fn end(u: &mut dyn Unit, session: SessionId, why: SessionEnd, now: DateTime<Utc>) -> StoreResult<()> {
    u.sessions().end(session, why, now)?;
    u.grants().revoke_of_session(session, now)
}

fn expiry(created_at: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
    (now + SESSION_IDLE).min(created_at + SESSION_MAX)
}

fn session_cookie(deps: &Deps, value: &str, expires_at: DateTime<Utc>, now: DateTime<Utc>) -> String {
    cookie::set(cookie::SESSION, value, (expires_at - now).num_seconds(), &deps.public_url)
}

/// Who is written to: the name on the envelope, how they are greeted, in which language and by which clock.
pub(super) struct Reader {
    pub(super) name: String,
    /// None where no name was told yet.
    pub(super) greeted: Option<String>,
    pub(super) language: kernel::Language,
    zone: kernel::Zone,
}

impl Reader {
    /// An instant as the reader reads it.
    pub(super) fn moment(&self, at: DateTime<Utc>) -> String {
        service::formats::moment(at, self.zone, self.language)
    }
}

/// The person a mail goes to.
pub(super) fn reader(u: &mut dyn Unit, user: UserId, email: &Email) -> StoreResult<Reader> {
    let profile = u.profiles().get(user)?;
    let unnamed = || email.as_str().to_owned();
    Ok(match profile {
        None => Reader {
            name: unnamed(),
            greeted: None,
            language: kernel::Language::default(),
            zone: kernel::Zone::MONTREAL,
        },
        Some(p) => {
            // Whoever came by a mailed link has told no name yet. In Chinese one is greeted by the whole name.
            let name = Some(p.full_name()).filter(|n| !n.trim().is_empty());
            let given = if name.as_ref().is_some_and(|n| n.contains(' ')) { p.first_name.trim() } else { "" };
            let province: Option<kernel::Province> = p.billing_address.province.parse().ok();
            Reader {
                greeted: if given.is_empty() { name.clone() } else { Some(given.to_owned()) },
                name: name.unwrap_or_else(unnamed),
                language: p.language,
                zone: province.map_or(kernel::Zone::MONTREAL, kernel::Province::zone),
            }
        }
    })
}
