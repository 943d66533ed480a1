//! Accounts for people whom staff book for: whoever calls by telephone has none of their own.
//!
//! What is booked for an address is kept under an account of [`DESK_ISSUER`], which nobody signs in as. It becomes theirs
//! who show that the address is theirs, however they do it: by a mailed link, by a new password, by their provider. Until
//! then nobody but staff sees it: anybody may sign up with any address.

use chrono::{DateTime, Utc};
use kernel::{Email, Language, Phone, UserId};

use crate::{
    Tx,
    ports::{
        StoreError, StoreResult, Unit,
        identity::{Account, DESK_ISSUER},
        profiles::{BillingAddress, Profile},
    },
};

/// Who calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// Where mail goes, and what the booking belongs to.
    pub email: Email,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Telephone.
    pub phone: Phone,
    /// Language of mails.
    pub language: Language,
}

impl Contact {
    /// As the profile of an account.
    pub fn profile(&self, user: UserId, at: DateTime<Utc>) -> Profile {
        Profile {
            user_id: user,
            first_name: self.first_name.clone(),
            last_name: self.last_name.clone(),
            email: self.email.clone(),
            phone: self.phone.as_str().to_owned(),
            gender: String::new(),
            occupation: String::new(),
            language: self.language,
            billing_address: BillingAddress { country: "Canada".to_owned(), ..BillingAddress::default() },
            gateway_customer_id: None,
            version: 1,
            updated_at: at,
        }
    }
}

fn is_desk(a: &Account) -> bool {
    a.issuer == DESK_ISSUER
}

/// Has shown that the address is theirs, and may sign in.
fn is_shown(a: &Account) -> bool {
    !is_desk(a) && a.email_verified && a.disabled_at.is_none()
}

/// The account that has shown the address to be its own.
///
/// # Errors
/// When the database fails.
pub fn verified(u: &mut dyn Unit, email: &Email) -> StoreResult<Option<UserId>> {
    Ok(u.accounts().of_email(&email.key())?.into_iter().find(is_shown).map(|a| a.id))
}

/// Whose a booking for this contact is: the account that has shown the address to be its own, else the one that staff
/// keep for the address, which is made when there is none.
///
/// # Errors
/// When the database fails.
pub fn owner_of(tx: &mut Tx<'_>, contact: &Contact) -> StoreResult<UserId> {
    let key = contact.email.key();
    // Until this transaction ends, no account is given the address and nobody else decides whose it is. No account is
    // locked: who shows an address holds their account's lock when they ask for that of the address.
    tx.unit.accounts().lock_address(&key)?;
    let known = tx.unit.accounts().of_email(&key)?;
    if let Some(shown) = known.iter().find(|a| is_shown(a)) {
        return Ok(shown.id);
    }
    if let Some(kept) = known.iter().find(|a| is_desk(a) && a.merged.is_none()) {
        follow(tx, kept.id, contact)?;
        return Ok(kept.id);
    }
    let id = UserId(tx.id());
    tx.unit.accounts().insert(&Account {
        id,
        issuer: DESK_ISSUER.to_owned(),
        subject: id.to_string(),
        email: Some(contact.email.clone()),
        email_verified: false,
        terms_accepted_at: None,
        created_at: tx.now,
        updated_at: tx.now,
        disabled_at: None,
        merged: None,
    })?;
    tx.unit.profiles().insert(&contact.profile(id, tx.now))?;
    tx.audit("account.desk", id, None, None)?;
    Ok(id)
}

/// The newest name, telephone and language count.
fn follow(tx: &mut Tx<'_>, id: UserId, contact: &Contact) -> StoreResult<()> {
    let Some(old) = tx.unit.profiles().get(id)? else { return tx.unit.profiles().insert(&contact.profile(id, tx.now)) };
    let new = Profile {
        gateway_customer_id: old.gateway_customer_id.clone(),
        version: old.version,
        ..contact.profile(id, tx.now)
    };
    if (Profile { updated_at: old.updated_at, ..new.clone() }) != old {
        tx.unit.profiles().update(&new, old.version)?;
    }
    Ok(())
}

/// Somebody has shown that `email` reaches them: the account says so, and what staff booked for the address is theirs.
/// The caller holds the account's lock, or has just made it, and writes the trail. The accounts that were kept for the
/// address.
///
/// # Errors
/// When the database fails.
pub fn email_shown(u: &mut dyn Unit, id: UserId, email: &Email, at: DateTime<Utc>) -> StoreResult<Vec<UserId>> {
    // A booking that is being taken for the address is either among those below, or sees that it is this account's.
    u.accounts().lock_address(&email.key())?;
    u.accounts().set_email(id, Some(email), true, at)?;
    let mut merged = Vec::new();
    for kept in u.accounts().of_email(&email.key())?.into_iter().filter(is_desk) {
        let locked = u.accounts().lock(kept.id)?;
        if locked.is_none_or(|a| a.merged.is_some()) {
            continue;
        }
        hand_over(u, kept.id, id, at)?;
        u.accounts().set_merged(kept.id, id, at)?;
        merged.push(kept.id);
    }
    Ok(merged)
}

/// All bookings of an account, the deleted ones as well, in the order of everybody who locks several; the discount codes
/// they use; and the cards that staff stored, which they are charged to.
fn hand_over(u: &mut dyn Unit, from: UserId, to: UserId, at: DateTime<Utc>) -> StoreResult<()> {
    for id in u.bookings().all_of_user(from)? {
        let Some(mut booking) = u.bookings().lock(id)? else { return Err(StoreError::Stale) };
        (booking.user_id, booking.updated_at) = (to, at);
        u.bookings().update(&booking, booking.version)?;
    }
    u.discounts().hand_over(from, to)?;
    u.cards().hand_over(from, to)
}
