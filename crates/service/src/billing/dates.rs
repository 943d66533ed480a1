//! Which date an entry or a paper has: the present instant, and never one inside a closed month.
//!
//! Nothing in Portage is dated by hand, so an instant inside a closed month can only come from a clock that is behind that of
//! the server where the month was closed. What has happened anyway (the gateway moved money, a move was done) is dated at the
//! beginning of what is open: nothing that works by itself is stopped. What staff decide to write waits
//! (`docs/decisions/0024-closed-months.md`).

use chrono::{DateTime, Utc};
use status_machine::Role;

use crate::{ErrorCode, ServiceResult, Tx};

/// The date of what has happened.
///
/// # Errors
/// When the database fails.
pub fn of_fact(tx: &mut Tx<'_>) -> ServiceResult<DateTime<Utc>> {
    let open_from = tx.unit.periods().last()?.map(|m| m.open_from);
    Ok(open_from.map_or(tx.now, |from| tx.now.max(from)))
}

/// The date of what somebody writes down. Nobody but staff can wait, so that the others are served.
///
/// # Errors
/// `period_closed` for staff when the present instant lies in a closed month.
pub fn of_writing(tx: &mut Tx<'_>) -> ServiceResult<DateTime<Utc>> {
    let at = of_fact(tx)?;
    let is_staff = matches!(tx.actor.role, Some(Role::Ops | Role::Admin));
    if is_staff && at != tx.now {
        return Err(ErrorCode::PeriodClosed.into());
    }
    Ok(at)
}
