//! What follows when somebody has another e-mail address: the profile, and the moves that are still to come.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Email, UserId};
use serde_json::json;
use status_machine::{Role, booking::Status};

use crate::ports::{StoreError, StoreResult, Unit, history::Revision};

/// Rows that are read at once.
const PAGE: i64 = 100;
/// More than people who change one record at once.
const RACES: usize = 8;

/// Who does it, and when.
#[derive(Debug, Clone, Copy)]
pub struct Mover {
    /// Whose address it is, and who changes it.
    pub user: UserId,
    /// In which role, for the history.
    pub role: Role,
    /// When.
    pub at: DateTime<Utc>,
}

/// Writes the new address into the profile, and into each move to come that was booked with the old one, so that mails
/// about it, and staff who look for it, find the person. What is over keeps the contact it was made with. The caller
/// holds the account's lock, and writes its own row of the trail.
///
/// # Errors
/// When the database fails; `Stale` when a record is changed by others again and again.
pub fn follow(u: &mut dyn Unit, mover: Mover, old: &Email, new: &Email) -> StoreResult<()> {
    follow_profile(u, mover, new)?;
    for id in to_come(u, mover.user)? {
        follow_booking(u, mover, id, old, new)?;
    }
    Ok(())
}

fn follow_profile(u: &mut dyn Unit, mover: Mover, new: &Email) -> StoreResult<()> {
    for _ in 0..RACES {
        let Some(mut profile) = u.profiles().get(mover.user)? else { return Ok(()) };
        profile.email = new.clone();
        profile.updated_at = mover.at;
        match u.profiles().update(&profile, profile.version) {
            // Somebody wrote their name or telephone at the same moment: that stays.
            Err(StoreError::Stale) => {}
            done => return done.map(drop),
        }
    }
    Err(StoreError::Stale)
}

fn to_come(u: &mut dyn Unit, user: UserId) -> StoreResult<Vec<BookingId>> {
    let mut found = Vec::new();
    for page in 1.. {
        let rows = u.bookings().of_user(user, page, PAGE)?.data;
        let last = i64::try_from(rows.len()).unwrap_or(PAGE) < PAGE;
        found.extend(rows.iter().filter(|b| is_to_come(b.status)).map(|b| b.id));
        if last {
            break;
        }
    }
    // One order for everybody who locks several.
    found.sort_unstable();
    Ok(found)
}

const fn is_to_come(status: Status) -> bool {
    matches!(status, Status::Pending | Status::Assigned)
}

fn follow_booking(u: &mut dyn Unit, mover: Mover, id: BookingId, old: &Email, new: &Email) -> StoreResult<()> {
    let Some(mut booking) = u.bookings().lock(id)? else { return Ok(()) };
    let was: Option<Email> = booking.details.customer_email.parse().ok();
    if !is_to_come(booking.status) || was.is_none_or(|was| was.key() != old.key()) {
        return Ok(());
    }
    let before = std::mem::replace(&mut booking.details.customer_email, new.to_string());
    let version = booking.version;
    booking.updated_at = mover.at;
    u.bookings().update(&booking, version)?;
    u.booking_history().append_revision(
        id,
        &Revision {
            version,
            at: mover.at,
            actor: Some(mover.user),
            role: Some(mover.role),
            changes: json!({ "customerEmail": { "before": before, "after": booking.details.customer_email } }),
        },
    )
}
