//! The status of a booking after one of its crew declines or leaves.

use kernel::{Email, MateId};
use status_machine::{
    Role as ActorRole,
    booking::{Facts, Status},
};

use super::{trail, transition::take_as};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    crews::{self, CrewLossReason},
    mates, members,
    ports::{bookings::Booking, members::Member},
};

/// Portage itself takes an assigned booking back to pending. Changes the value only; who calls this
/// writes it, and the row of its history with [`gone_back`].
///
/// # Errors
/// When the table has no such step.
pub(super) fn go_back(b: &mut Booking) -> ServiceResult<()> {
    take_as(ActorRole::System, b, Status::Pending, &Facts::default())
        .map(drop)
        .map_err(|refused| Error::Internal(format!("{}: {refused}", b.short_id)))
}

/// The row of the history.
///
/// # Errors
/// When the database fails.
pub(super) fn gone_back(tx: &mut Tx<'_>, b: &Booking, why: CrewLossReason) -> ServiceResult<()> {
    trail::append_of(tx, &Actor::system(), b, Status::Assigned, Some(why.code().to_owned()))
}

/// One of the crew declined. Who had nobody else is pending again.
///
/// # Errors
/// When the database fails.
pub(crate) fn declined(tx: &mut Tx<'_>, b: &mut Booking, mate: MateId) -> ServiceResult<()> {
    let before = trail::snapshot(b);
    if crews::without(tx, b, mate)?.is_none() {
        return Ok(());
    }
    go_back(b)?;
    b.updated_at = tx.now;
    b.version = tx.unit.bookings().update(b, b.version)?;
    gone_back(tx, b, CrewLossReason::Declined)?;
    Ok(tx.audit("booking.status", b.id, Some(before), Some(trail::snapshot(b)))?)
}

/// Takes a member's role away. A mate leaves the crews of the moves to come; who had nobody else is
/// pending again.
///
/// # Errors
/// `not_found` when nobody with this address is a member.
pub async fn dismiss(s: &Services, email: Email, by: Actor) -> ServiceResult<Member> {
    s.write(by, move |tx| {
        let member = members::take_away(tx, &email)?;
        let Some(mate) = member.mate_id else { return Ok(member) };
        mates::archive(tx, mate)?;
        for id in tx.unit.crews().live_of(mate)? {
            let Some(mut b) = tx.unit.bookings().lock(id)? else { continue };
            // He may have been released, or the move done, before the lock was had.
            let on_it = tx.unit.crews().of_booking(id)?.iter().any(|m| m.mate == mate);
            if b.status != Status::Assigned || !on_it {
                continue;
            }
            let before = trail::snapshot(&b);
            let Some(why) = crews::without(tx, &b, mate)? else { continue };
            go_back(&mut b)?;
            b.updated_at = tx.now;
            b.version = tx.unit.bookings().update(&b, b.version)?;
            gone_back(tx, &b, why)?;
            tx.audit("booking.status", b.id, Some(before), Some(trail::snapshot(&b)))?;
        }
        Ok(member)
    })
    .await
}
