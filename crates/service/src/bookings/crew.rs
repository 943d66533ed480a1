//! What becomes of a booking when its crew changes.

use chrono::{DateTime, Utc};
use kernel::Email;
use status_machine::{
    Role as ActorRole,
    booking::{self, Facts, Status},
};

use super::trail;
use crate::{
    Error, ServiceResult, Services,
    crews::{self, Lost},
    members,
    ports::{Unit, bookings::Booking, members::Member},
};

/// Portage itself takes an assigned booking back to pending. Changes the value only; who calls this
/// writes it, and the row of its history with [`gone_back`].
///
/// # Errors
/// When the table has no such step.
pub(super) fn go_back(b: &mut Booking) -> ServiceResult<()> {
    booking::transition(b.status, Status::Pending, ActorRole::System, &Facts::default())
        .map_err(|refused| Error::Internal(format!("{}: {refused}", b.short_id)))?;
    b.status = Status::Pending;
    Ok(())
}

/// The row of the history.
///
/// # Errors
/// When the database fails.
pub(super) fn gone_back(u: &mut dyn Unit, b: &Booking, why: Lost, now: DateTime<Utc>) -> ServiceResult<()> {
    trail::append(u, b, Status::Assigned, &members::Actor::system(), Some(why.code().to_owned()), now)
}

/// Takes a member's role away. A mate leaves the crews of the moves to come; who had nobody else is
/// pending again.
///
/// # Errors
/// `not_found` when nobody with this address is a member.
pub async fn dismiss(s: &Services, email: Email, by: members::Actor) -> ServiceResult<Member> {
    let (ctx, now) = (s.clone(), s.clock.now());
    s.store
        .write(move |u| {
            let member = members::take_away(u, &ctx, &email, &by, now)?;
            let Some(mate) = member.mate_id else { return Ok(member) };
            for id in u.crews().live_of(mate)? {
                let Some(mut b) = u.bookings().lock(id)? else { continue };
                // He may have been released, or the move done, before the lock was had.
                let on_it = u.crews().of_booking(id)?.iter().any(|m| m.mate == mate);
                if b.status != Status::Assigned || !on_it {
                    continue;
                }
                let before = trail::snapshot(&b);
                let Some(why) = crews::without(u, &ctx, &b, mate, &by, now)? else { continue };
                go_back(&mut b)?;
                b.updated_at = now;
                b.version = u.bookings().update(&b, b.version)?;
                gone_back(u, &b, why, now)?;
                let (subject, after) = (b.id.to_string(), trail::snapshot(&b));
                let subject = ("booking", subject.as_str());
                members::audit(u, &ctx, now, by.clone(), "booking.status", subject, Some(before), Some(after))?;
            }
            Ok(member)
        })
        .await
}
