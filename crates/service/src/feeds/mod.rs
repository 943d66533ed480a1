//! Calendars by a secret link: the jobs of a mate or of a hub, for the calendar program of whoever has the link. One link
//! works at a time for each; a new one ends the one before, and its secret is shown when it is made and never again.

mod event;
pub mod read;

use chrono::{DateTime, Utc};
use geography::Hub;
use kernel::MateId;
use serde_json::{Value, json};

use crate::{
    Caller, ErrorCode, Role, ServiceResult, Services, Staff, Tx,
    bookings::trail::Names,
    members::Membership,
    ports::{
        Unit,
        directory::{MateRecord, MateState},
        feeds::{Feed, FeedId, FeedOf},
    },
    secret,
};

/// A link that was just made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// What it is revoked by.
    pub id: FeedId,
    /// Where it leads: a secret.
    pub url: String,
    /// When it was made.
    pub at: DateTime<Utc>,
}

/// A link that works, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// What it is revoked by.
    pub id: FeedId,
    /// Who made it; none for who has no profile.
    pub by: Option<String>,
    /// When.
    pub at: DateTime<Utc>,
}

/// The link to a hub's calendar, if one works.
///
/// # Errors
/// When the database fails.
pub async fn of_hub(s: &Services, _: &Staff, hub: &'static Hub) -> ServiceResult<Option<Standing>> {
    s.store.read(move |u| standing(u, &FeedOf::Hub(hub.id.to_owned()))).await
}

/// The link to a mate's calendar, if one works.
///
/// # Errors
/// `not_found` when there is no such mate.
pub async fn of_mate(s: &Services, _: &Staff, mate: MateId) -> ServiceResult<Option<Standing>> {
    s.store
        .read(move |u| {
            u.directory().mate(mate)?.ok_or(ErrorCode::NotFound)?;
            standing(u, &FeedOf::Mate(mate))
        })
        .await
}

/// The link to the caller's own calendar, if one works.
///
/// # Errors
/// `not_found` for who is no mate.
pub async fn own(s: &Services, caller: &Caller) -> ServiceResult<Option<Standing>> {
    let mate = caller.mate.ok_or(ErrorCode::NotFound)?;
    s.store.read(move |u| standing(u, &FeedOf::Mate(mate))).await
}

/// Makes a link to a hub's calendar, in the language of who makes it; the one before ends.
///
/// # Errors
/// When the database fails.
pub async fn make_for_hub(s: &Services, staff: &Staff, hub: &'static Hub) -> ServiceResult<Made> {
    let who = staff.caller().clone();
    s.write(staff.actor(), move |tx| make(tx, &who, FeedOf::Hub(hub.id.to_owned()))).await
}

/// Makes a link to a mate's calendar; the one before ends, also one the mate made.
///
/// # Errors
/// `not_found` when there is no such mate, or they have left.
pub async fn make_for_mate(s: &Services, staff: &Staff, mate: MateId) -> ServiceResult<Made> {
    let who = staff.caller().clone();
    s.write(staff.actor(), move |tx| make(tx, &who, FeedOf::Mate(mate))).await
}

/// Makes a link to the caller's own calendar; the one before ends, also one that staff made.
///
/// # Errors
/// `not_found` for who is no mate.
pub async fn make_own(s: &Services, caller: &Caller) -> ServiceResult<Made> {
    let (who, mate) = (caller.clone(), caller.mate.ok_or(ErrorCode::NotFound)?);
    s.write(caller.actor(), move |tx| make(tx, &who, FeedOf::Mate(mate))).await
}

/// Ends a link: whoever reads it from now on finds nothing.
///
/// # Errors
/// `not_found` when it has ended.
pub async fn revoke(s: &Services, staff: &Staff, id: FeedId) -> ServiceResult<()> {
    s.write(staff.actor(), move |tx| {
        let feed = tx.unit.feeds().get(id)?.ok_or(ErrorCode::NotFound)?;
        end(tx, &feed)
    })
    .await
}

/// Ends the link to the caller's own calendar.
///
/// # Errors
/// `not_found` when it has ended, or is somebody else's.
pub async fn revoke_own(s: &Services, caller: &Caller, id: FeedId) -> ServiceResult<()> {
    let mine = FeedOf::Mate(caller.mate.ok_or(ErrorCode::NotFound)?);
    s.write(caller.actor(), move |tx| {
        let feed = tx.unit.feeds().get(id)?.filter(|feed| feed.of == mine).ok_or(ErrorCode::NotFound)?;
        end(tx, &feed)
    })
    .await
}

/// A mate has left: their link does not come back with them.
///
/// # Errors
/// When the database fails.
pub(crate) fn end_of(tx: &mut Tx<'_>, mate: MateId) -> ServiceResult<()> {
    let Some(feed) = tx.unit.feeds().of(&FeedOf::Mate(mate))? else { return Ok(()) };
    end(tx, &feed)
}

fn make(tx: &mut Tx<'_>, who: &Caller, of: FeedOf) -> ServiceResult<Made> {
    if let FeedOf::Mate(mate) = of {
        // Whoever archives the mate waits, and ends what is made here.
        tx.unit.crews().lock()?;
        here(tx.unit, mate)?.ok_or(ErrorCode::NotFound)?;
    }
    let before = tx.unit.feeds().of(&of)?;
    let (token, token_hash) = secret::fresh(&*tx.services.entropy);
    let made_by = who.user.ok_or(ErrorCode::SignInNeeded)?;
    let feed = Feed { id: FeedId(tx.id()), of, token_hash, language: who.language, made_by, made_at: tx.now };
    tx.unit.feeds().put(&feed)?;
    tx.audit("feed.make", feed.id, before.as_ref().map(snapshot), Some(snapshot(&feed)))?;
    let url = format!("{}/api/feeds/{token}/calendar.ics", tx.services.public_url());
    Ok(Made { id: feed.id, url, at: tx.now })
}

fn end(tx: &mut Tx<'_>, feed: &Feed) -> ServiceResult<()> {
    if !tx.unit.feeds().remove(feed.id)? {
        return Err(ErrorCode::NotFound.into());
    }
    Ok(tx.audit("feed.revoke", feed.id, Some(snapshot(feed)), None)?)
}

/// For the audit trail: neither the secret nor its hash.
fn snapshot(feed: &Feed) -> Value {
    match &feed.of {
        FeedOf::Mate(mate) => json!({ "feed": feed.id, "mate": mate }),
        FeedOf::Hub(hub) => json!({ "feed": feed.id, "hub": hub, "language": feed.language }),
    }
}

fn standing(u: &mut dyn Unit, of: &FeedOf) -> ServiceResult<Option<Standing>> {
    let Some(feed) = u.feeds().of(of)? else { return Ok(None) };
    if !works(u, &feed)? {
        return Ok(None);
    }
    let by = Names::default().of(u, Some(feed.made_by))?;
    Ok(Some(Standing { id: feed.id, by, at: feed.made_at }))
}

/// Whether a link still shows something: a mate's until they leave or are locked out, a hub's while who made it is staff.
/// Somebody who is let go takes the link they made along, and nobody would think of revoking it.
fn works(u: &mut dyn Unit, feed: &Feed) -> ServiceResult<bool> {
    if let FeedOf::Mate(mate) = feed.of {
        return Ok(here(u, mate)?.is_some());
    }
    let Some(account) = u.accounts().get(feed.made_by)?.filter(|a| a.disabled_at.is_none()) else { return Ok(false) };
    let role: Role = Membership::of(u, &account)?.role;
    Ok(role.is_staff())
}

/// The record of a mate who has neither left nor is locked out.
fn here(u: &mut dyn Unit, mate: MateId) -> ServiceResult<Option<MateRecord>> {
    let Some(record) = u.directory().mate(mate)?.filter(|m| m.state != MateState::Archived) else { return Ok(None) };
    if let Ok(email) = record.email.parse::<kernel::Email>() {
        let accounts = u.accounts().of_email(&email.key())?;
        if accounts.iter().any(|a| a.email_verified && a.disabled_at.is_some()) {
            return Ok(None);
        }
    }
    Ok(Some(record))
}
