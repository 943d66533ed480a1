//! One row a charge or refund: from scheduled to settled.

mod attempt;
mod table;
mod tip;

use crate::at::At;
use crate::role::Role;
use crate::step::{self, Outcome, Refused};

pub use attempt::AttemptState;
pub use table::{Facts, Guard, TABLE};
pub use tip::tip_editable;

coded! {
    /// State of a payment.
    State, "payment state" {
        /// Waits for its instant.
        Scheduled = "scheduled",
        /// The request was sent.
        Processing = "processing",
        /// No answer came; the gateway is asked before anything is sent again.
        Unknown = "unknown",
        /// Money is reserved.
        Authorized = "authorized",
        /// Submitted for settlement.
        Captured = "captured",
        /// Arrived.
        Settled = "settled",
        /// Declined; another attempt may work.
        SoftDeclined = "soft_declined",
        /// Declined; only another card may work.
        HardDeclined = "hard_declined",
        /// Given up.
        Failed = "failed",
        /// Taken back before settlement.
        Voided = "voided",
        /// The reservation ran out.
        Expired = "expired",
        /// Never tried: merged, cancelled, or nothing to charge.
        Skipped = "skipped",
        /// All of it went back.
        Refunded = "refunded",
        /// Part of it went back.
        PartiallyRefunded = "partially_refunded",
        /// Disputed and lost so far.
        ChargedBack = "charged_back",
    }
}

/// Decides a step of a payment. False: it stands there already.
///
/// # Errors
/// [`Refused`] names the reason and the states this role could reach now.
pub fn transition(from: State, to: State, role: Role, facts: &Facts) -> Result<bool, Refused<State, Guard>> {
    let outcome = step::decide(TABLE, from, to, role, |guard| facts.satisfy(guard))?;
    Ok(matches!(outcome, Outcome::Changed(_)))
}

impl At<State> {
    /// Where every payment begins.
    pub const fn scheduled() -> At<State> {
        At::stored(State::Scheduled)
    }

    /// Takes a step of the table; stays when that is where it stands.
    ///
    /// # Errors
    /// As [`transition`]; nothing changed then.
    pub fn go(&mut self, to: State, role: Role, facts: &Facts) -> Result<(), Refused<State, Guard>> {
        if transition(**self, to, role, facts)? {
            *self = At::stored(to);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
