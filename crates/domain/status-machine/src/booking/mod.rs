//! The booking: people first (pending, assigned), then a fact (completed), then paper and money
//! (invoiced, payed); cancelled and deleted end it.
//!
//! Money is a second, independent dimension ([`crate::payment`]): `payed` means that nothing is
//! owed, not that a card was charged.

mod facts;
mod rights;
mod table;

use crate::role::Role;
use crate::step::{self, Outcome, Refused};

pub use facts::{Facts, Guard};
pub use rights::{EditScope, edit_scope, passed_completed, visible_to};
pub use table::{Effect, TABLE};

coded! {
    /// State of a booking.
    Status, "booking status" {
        /// Booked, card stored, nobody assigned.
        Pending = "pending",
        /// At least one mate, or a partner's crew, is assigned.
        Assigned = "assigned",
        /// The move was done.
        Completed = "completed",
        /// An invoice was issued.
        Invoiced = "invoiced",
        /// Nothing is owed any more. The specification's spelling.
        Payed = "payed",
        /// Will not take place.
        Cancelled = "cancelled",
        /// Hidden, kept for accounting.
        Deleted = "deleted",
    }
}

/// Decides a change of status.
///
/// # Errors
/// [`Refused`] names the reason and the states this role could reach now.
pub fn transition(
    from: Status,
    to: Status,
    role: Role,
    facts: &Facts,
) -> Result<Outcome<Effect>, Refused<Status, Guard>> {
    let outcome = step::decide(TABLE, from, to, role, |guard| facts.satisfy(guard, to))?;
    Ok(match outcome {
        Outcome::Unchanged => Outcome::Unchanged,
        Outcome::Changed(effects) => Outcome::Changed(effects.into_iter().filter(|e| e.applies(facts)).collect()),
    })
}

/// The states `role` could reach now.
pub fn allowed(from: Status, role: Role, facts: &Facts) -> Vec<Status> {
    Status::ALL.iter().copied().filter(|to| *to != from && transition(from, *to, role, facts).is_ok()).collect()
}

#[cfg(test)]
mod tests;
