//! From a verified token to our account record.

use std::sync::Arc;

use kernel::{
    PartnerId, UserId,
    chrono::{DateTime, Utc},
};
use service::ports::{
    Clock, Entropy, Store, StoreError, StoreResult, Unit,
    identity::{Account, EMBEDDED_ISSUER, SessionEnd},
    profiles::{BillingAddress, Profile},
};

use crate::{
    audit::{self, Trail},
    verify::{Issued, VerifiedToken},
};

/// Finds the account of a token. People of an external provider get one at their first call.
#[derive(Clone)]
pub struct Directory {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

/// Why a token has no account.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The account is gone or disabled, the session the token was issued from has ended, or the
    /// token is a machine's: refuse the call (401).
    #[error("the token belongs to no active account or session")]
    NoAccount,
    /// The session ended because a role was taken away: refuse what the role was for (403), and the rest as above.
    #[error("the role of the session was taken away")]
    RoleTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Directory {
    /// A directory on that store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Directory {
        Directory { store, clock, entropy }
    }

    /// The account of a person's token. A token of the embedded provider is worth what its session
    /// is worth now, whichever process ended it; there is no copy of that to grow old. An external
    /// provider's sessions are not ours: there the account decides. Address and verification of an external account follow
    /// what its provider says; those of an embedded one are ours, whatever an older token says.
    ///
    /// # Errors
    /// See [`ResolveError`].
    pub async fn resolve(&self, token: &VerifiedToken) -> Result<Account, ResolveError> {
        self.resolve_with(token, |_, _| Ok(())).await.map(|(account, ())| account)
    }

    /// The account as [`Directory::resolve`] finds it, and what `also` reads of it in the same unit: every call
    /// asks for both.
    ///
    /// # Errors
    /// See [`ResolveError`].
    pub async fn resolve_with<T: Send + 'static>(
        &self,
        token: &VerifiedToken,
        also: impl Fn(&mut dyn Unit, &Account) -> StoreResult<T> + Clone + Send + 'static,
    ) -> Result<(Account, T), ResolveError> {
        if token.client {
            return Err(ResolveError::NoAccount);
        }
        let embedded = token.issuer == EMBEDDED_ISSUER;
        let (issuer, subject) = (token.issuer.clone(), token.subject.clone());
        let (issued, now) = (token.issued.clone(), self.clock.now());
        let read = also.clone();
        let found = self
            .store
            .read(move |u| {
                let account = u.accounts().by_subject(&issuer, &subject)?;
                let live = match (&account, &issued) {
                    (Some(account), Some(issued)) if embedded => {
                        let live = is_live(u, issued, account.id, now)?;
                        if !live && role_was_taken(u, issued, account.id)? {
                            return Err(ResolveError::RoleTaken);
                        }
                        live
                    }
                    _ => !embedded,
                };
                account.filter(|_| live).map(|account| Ok((read(u, &account)?, account))).transpose()
            })
            .await;
        let found: Option<(T, Account)> = found?;
        let (read, account) = match found {
            Some((read, account)) if embedded || !says_otherwise(&account, token) => (read, account),
            None if embedded => return Err(ResolveError::NoAccount),
            _ => {
                let (token, now, entropy) = (token.clone(), self.clock.now(), self.entropy.clone());
                let adopted = self.store.write(move |u| {
                    let account = adopt(u, &token, &*entropy, now)?;
                    Ok((also(u, &account)?, account))
                });
                adopted.await.map_err(|e: StoreError| e)?
            }
        };
        if account.disabled_at.is_some() { Err(ResolveError::NoAccount) } else { Ok((account, read)) }
    }
}

impl Directory {
    /// Takes over what an external provider vouches for about somebody who is signed in: the address as
    /// it is now, the names where there are none yet (a person may write their own).
    ///
    /// # Errors
    /// See [`ResolveError`].
    pub async fn learn(&self, told: VerifiedToken, request_id: Option<String>) -> Result<Account, ResolveError> {
        let (now, entropy) = (self.clock.now(), self.entropy.clone());
        let work = move |u: &mut dyn Unit| {
            let account = adopt(u, &told, &*entropy, now)?;
            let profile = u.profiles().get(account.id)?;
            if account.updated_at == now || profile.is_some_and(|p| p.updated_at == now) {
                let trail = Trail { entropy: &*entropy, at: now, actor: Some(account.id), request_id };
                trail.note(u, "account.follow", account.id)?;
            }
            Ok(account)
        };
        let account = self.store.write(work).await.map_err(|e: StoreError| e)?;
        if account.disabled_at.is_some() { Err(ResolveError::NoAccount) } else { Ok(account) }
    }

    /// The partner on whose behalf a machine's token acts.
    ///
    /// # Errors
    /// [`ResolveError::NoAccount`] for a person's token and for a machine that is unknown or
    /// disabled.
    pub async fn partner(&self, token: &VerifiedToken) -> Result<PartnerId, ResolveError> {
        if !token.client {
            return Err(ResolveError::NoAccount);
        }
        let id = token.subject.clone();
        let found = self.store.read(move |u| u.machine_clients().get(&id)).await.map_err(|e: StoreError| e)?;
        found.filter(|c| c.disabled_at.is_none()).map(|c| c.partner_id).ok_or(ResolveError::NoAccount)
    }
}

/// Is what a token was issued from still there: the session of this person, and the grant that came
/// from it?
pub(crate) fn is_live(u: &mut dyn Unit, issued: &Issued, user: UserId, now: DateTime<Utc>) -> StoreResult<bool> {
    let session = u.sessions().get(issued.session)?;
    if !session.is_some_and(|s| s.user_id == user && s.is_live(now)) {
        return Ok(false);
    }
    let grant = u.grants().get(issued.grant)?;
    Ok(grant.is_some_and(|g| g.session_id == issued.session && g.user_id == user && g.revoked_at.is_none()))
}

/// Did the session of this person end because a role was taken away?
fn role_was_taken(u: &mut dyn Unit, issued: &Issued, user: UserId) -> StoreResult<bool> {
    let session = u.sessions().get(issued.session)?.filter(|s| s.user_id == user);
    Ok(session.and_then(|s| s.ended).is_some_and(|(_, why)| why == SessionEnd::RoleRemoved))
}

/// A token without an address says nothing about it.
fn says_otherwise(account: &Account, token: &VerifiedToken) -> bool {
    token.email.is_some() && (account.email != token.email || account.email_verified != token.email_verified)
}

fn adopt(u: &mut dyn Unit, token: &VerifiedToken, entropy: &dyn Entropy, now: DateTime<Utc>) -> StoreResult<Account> {
    let wanted = Account {
        id: UserId(entropy.uuid(now)),
        issuer: token.issuer.clone(),
        subject: token.subject.clone(),
        email: token.email.clone(),
        email_verified: token.email_verified,
        terms_accepted_at: None,
        created_at: now,
        updated_at: now,
        disabled_at: None,
        merged: None,
    };
    let (account, is_new) = match u.accounts().by_subject(&token.issuer, &token.subject)? {
        Some(known) => (known, false),
        // Two first calls at once: the other one was quicker.
        None if !u.accounts().insert(&wanted)? => {
            (u.accounts().by_subject(&token.issuer, &token.subject)?.ok_or(StoreError::Stale)?, false)
        }
        None => (wanted, true),
    };
    // Who is locked out changes nothing, and takes nothing over that staff keep for an address.
    if account.disabled_at.is_some() {
        return Ok(account);
    }
    if is_new || says_otherwise(&account, token) {
        match &token.email {
            Some(email) if token.email_verified => audit::email_shown(u, entropy, (account.id, email), now)?,
            email => u.accounts().set_email(account.id, email.as_ref(), token.email_verified, now)?,
        }
    }
    if let Some(email) = token.email.clone().or_else(|| account.email.clone()) {
        follow(u, account.id, email, token, now)?;
    }
    u.accounts().get(account.id)?.ok_or(StoreError::Stale)
}

/// A profile for somebody who has none; a new address, and names that were not known, for somebody who has.
fn follow(
    u: &mut dyn Unit,
    id: UserId,
    email: kernel::Email,
    token: &VerifiedToken,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let (first_name, last_name) = token.names();
    match u.profiles().get(id)? {
        Some(profile) => {
            let nameless = profile.first_name.is_empty() && profile.last_name.is_empty();
            let named = nameless && !(first_name.is_empty() && last_name.is_empty());
            if profile.email == email && !named {
                return Ok(());
            }
            let version = profile.version;
            let mut new = Profile { email, updated_at: now, ..profile };
            if named {
                (new.first_name, new.last_name) = (first_name, last_name);
            }
            u.profiles().update(&new, version).map(|_| ())
        }
        None => u.profiles().insert(&Profile {
            user_id: id,
            first_name,
            last_name,
            email,
            phone: String::new(),
            gender: String::new(),
            occupation: String::new(),
            language: token.language.unwrap_or_default(),
            billing_address: BillingAddress { country: "Canada".to_owned(), ..BillingAddress::default() },
            gateway_customer_id: None,
            version: 1,
            updated_at: now,
        }),
    }
}
