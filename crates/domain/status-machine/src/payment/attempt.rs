//! One request at the gateway that moves money.

use crate::at::At;

coded! {
    /// How an attempt at the gateway ended.
    AttemptState, "attempt state" {
        /// The intent is written; nobody knows yet whether the gateway acted.
        Sent = "sent",
        /// Money moved.
        Applied = "applied",
        /// Declined softly or hard.
        Declined = "declined",
        /// Definitely not applied (refused input, never reached).
        NotApplied = "not_applied",
        /// No answer came, and the gateway never listed it while it could still have arrived. It stays
        /// watched: should it be applied after all, the money is booked or returned.
        Lost = "lost",
    }
}

impl At<AttemptState> {
    /// Where an attempt begins whose intent is written before it is sent.
    pub const fn sent() -> At<AttemptState> {
        At::stored(AttemptState::Sent)
    }

    /// Where the record of an attempt begins that was made before its payment row existed: the charge of a checkout,
    /// or what somebody did at the gateway itself.
    pub const fn applied() -> At<AttemptState> {
        At::stored(AttemptState::Applied)
    }

    /// Takes a step of the table; stays when that is where it stands. False: there is no such step, and
    /// nothing changed.
    #[must_use]
    pub fn go(&mut self, to: AttemptState) -> bool {
        self.go_to(to, self.next())
    }
}

impl AttemptState {
    /// The states that may follow. What counts as lost, and a refund that was refused, may be found applied after all;
    /// what was applied is declined when the bank refuses it at settlement.
    pub const fn next(self) -> &'static [AttemptState] {
        match self {
            AttemptState::Sent => {
                &[AttemptState::Applied, AttemptState::Declined, AttemptState::NotApplied, AttemptState::Lost]
            }
            AttemptState::Applied => &[AttemptState::Declined],
            AttemptState::NotApplied | AttemptState::Lost => &[AttemptState::Applied],
            AttemptState::Declined => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_goes_where_the_table_leads() {
        for from in AttemptState::ALL {
            for to in AttemptState::ALL {
                let mut at = At::stored(*from);
                let may = from == to || from.next().contains(to);
                assert_eq!(at.go(*to), may, "{from} -> {to}");
                assert_eq!(at, if may { *to } else { *from });
            }
        }
        assert!(AttemptState::ALL.iter().all(|from| !from.next().contains(&AttemptState::Sent)), "nothing is unsent");
    }
}
