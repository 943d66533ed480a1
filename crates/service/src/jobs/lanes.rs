//! Lanes: each has loops of its own, so that what waits for a slow outside service in one never
//! delays another.

use super::{EXPIRE_HOLD, HOUSEKEEPING, LOOK_SETTLEMENT, REMIND, SEND_MESSAGE};
use crate::ports::jobs::Kinds;

const MAIL: &[&str] = &[SEND_MESSAGE, REMIND];
const QUICK: &[&str] = &[EXPIRE_HOLD];
const COMPARISON: &[&str] = &[LOOK_SETTLEMENT, HOUSEKEEPING];
const OTHERS: &[&str] = &[SEND_MESSAGE, REMIND, EXPIRE_HOLD, LOOK_SETTLEMENT, HOUSEKEEPING];

/// What a loop works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Whatever somebody waits for that the payment gateway does, and every kind that is not named
    /// elsewhere: it may take a minute.
    Money,
    /// What asks the gateway about charges that were made: hundreds a day, and nobody waits for one.
    Comparison,
    /// Messages to people.
    Mail,
    /// What only our own database is needed for.
    Quick,
}

impl Lane {
    /// All of them.
    pub const ALL: [Lane; 4] = [Lane::Money, Lane::Comparison, Lane::Mail, Lane::Quick];

    /// For names of loops, logs and figures.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Lane::Money => "money",
            Lane::Comparison => "comparison",
            Lane::Mail => "mail",
            Lane::Quick => "quick",
        }
    }

    /// Its kinds of jobs.
    #[must_use]
    pub const fn kinds(self) -> Kinds {
        match self {
            Lane::Money => Kinds::Except(OTHERS),
            Lane::Comparison => Kinds::Only(COMPARISON),
            Lane::Mail => Kinds::Only(MAIL),
            Lane::Quick => Kinds::Only(QUICK),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_in_exactly_one_lane() {
        let has = |lane: Lane, kind: &str| match lane.kinds() {
            Kinds::All => true,
            Kinds::Only(list) => list.contains(&kind),
            Kinds::Except(list) => !list.contains(&kind),
        };
        for kind in MAIL.iter().chain(QUICK).chain(COMPARISON).chain(&[
            super::super::BILL_BOOKING,
            super::super::RETURN_STRAY,
            "unheard_of",
        ]) {
            assert_eq!(Lane::ALL.into_iter().filter(|lane| has(*lane, kind)).count(), 1, "{kind}");
        }
    }
}
