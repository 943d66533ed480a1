//! Lanes: each has loops of its own, so that what waits for a slow outside service in one never
//! delays another.

use super::kinds::Kind;
use crate::ports::jobs::Kinds;

const MAIL: &[&str] = &codes::<{ count(Lane::Mail) }>(Lane::Mail);
const TEXTS: &[&str] = &codes::<{ count(Lane::Texts) }>(Lane::Texts);
const QUICK: &[&str] = &codes::<{ count(Lane::Quick) }>(Lane::Quick);
const COMPARISON: &[&str] = &codes::<{ count(Lane::Comparison) }>(Lane::Comparison);
const MONEY: &[&str] = &codes::<{ count(Lane::Money) }>(Lane::Money);

/// How many kinds a lane has.
const fn count(lane: Lane) -> usize {
    let (mut found, mut at) = (0, 0);
    while at < Kind::ALL.len() {
        if is_of(Kind::ALL[at], lane) {
            found += 1;
        }
        at += 1;
    }
    found
}

/// The codes of the kinds that [`count`] counts: made at compile time, because a list of kinds is a part of prepared statements.
const fn codes<const N: usize>(lane: Lane) -> [&'static str; N] {
    let mut codes = [""; N];
    let (mut found, mut at) = (0, 0);
    while at < Kind::ALL.len() {
        if is_of(Kind::ALL[at], lane) {
            codes[found] = Kind::ALL[at].code();
            found += 1;
        }
        at += 1;
    }
    codes
}

/// `==` cannot be called at compile time.
const fn is_of(kind: Kind, lane: Lane) -> bool {
    kind.lane() as u8 == lane as u8
}

/// What a loop works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Whatever somebody waits for that the payment gateway does: it may take a minute.
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
        }
    }

    /// Its kinds of jobs.
    #[must_use]
    pub const fn kinds(self) -> Kinds {
        match self {
            Lane::Money => Kinds::Only(MONEY),
            Lane::Comparison => Kinds::Only(COMPARISON),
            Lane::Mail => Kinds::Only(MAIL),
            Lane::Texts => Kinds::Only(TEXTS),
            Lane::Quick => Kinds::Only(QUICK),
        }
    }
}
