//! Lanes: each has loops of its own, so that what waits for a slow outside service in one never
//! delays another.

use super::kinds::{
    COMPARE, COMPARE_NOW, EXPIRE_HOLD, FOLLOW_CONSENT, FOLLOW_INVOICE, HOUSEKEEPING, LOOK_SETTLEMENT, REMIND,
    SEND_MESSAGE, SEND_SMS, SWEEP_SMS, TELL_HAND_BACK, WATCH_CREWS,
};
use crate::ports::jobs::Kinds;

const MAIL: &[&str] = &[SEND_MESSAGE, REMIND];
const TEXTS: &[&str] = &[SEND_SMS, SWEEP_SMS];
const QUICK: &[&str] = &[EXPIRE_HOLD, FOLLOW_CONSENT, FOLLOW_INVOICE, TELL_HAND_BACK, WATCH_CREWS];
const COMPARISON: &[&str] = &[LOOK_SETTLEMENT, HOUSEKEEPING, COMPARE, COMPARE_NOW];
const OTHERS: &[&str] = &[
    SEND_MESSAGE,
    SEND_SMS,
    SWEEP_SMS,
    REMIND,
    EXPIRE_HOLD,
    FOLLOW_CONSENT,
    FOLLOW_INVOICE,
    LOOK_SETTLEMENT,
    HOUSEKEEPING,
    COMPARE,
    COMPARE_NOW,
    TELL_HAND_BACK,
    WATCH_CREWS,
];

/// What a loop works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Whatever somebody waits for that the payment gateway does, and every kind that is not named
    /// elsewhere: it may take a minute.
    Money,
    /// What asks the gateway about charges that were made: hundreds a day, and nobody waits for one.
    Comparison,
    /// Letters to people.
    Mail,
    /// Text messages: a service that hangs delays no letter.
    Texts,
    /// What only our own database is needed for.
    Quick,
}

impl Lane {
    /// All of them.
    pub const ALL: [Lane; 5] = [Lane::Money, Lane::Comparison, Lane::Mail, Lane::Texts, Lane::Quick];

    /// For names of loops, logs and figures.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Lane::Money => "money",
            Lane::Comparison => "comparison",
            Lane::Mail => "mail",
            Lane::Texts => "texts",
            Lane::Quick => "quick",
        }
    }

    /// Whether jobs of a kind are its own.
    #[must_use]
    pub fn has(self, kind: &str) -> bool {
        match self.kinds() {
            Kinds::All => true,
            Kinds::Only(list) => list.contains(&kind),
            Kinds::Except(list) => !list.contains(&kind),
        }
    }

    /// Its kinds of jobs.
    #[must_use]
    pub const fn kinds(self) -> Kinds {
        match self {
            Lane::Money => Kinds::Except(OTHERS),
            Lane::Comparison => Kinds::Only(COMPARISON),
            Lane::Mail => Kinds::Only(MAIL),
            Lane::Texts => Kinds::Only(TEXTS),
            Lane::Quick => Kinds::Only(QUICK),
        }
    }
}
