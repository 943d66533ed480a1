//! The charges that happen by themselves, and when they are due.

use std::{fmt, str::FromStr};

use kernel::{
    Money,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};

use crate::{Facts, Mode, Settings};

/// Why a card is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChargeKind {
    /// At the end of the free window.
    Deposit,
    /// The rest, at the lock.
    Balance,
    /// Everything at once: at the booking, or at the lock when nothing was captured before.
    Full,
    /// A rise of the price after everything was captured.
    Difference,
    /// After completion, apart from the total.
    Tip,
    /// Agreed time beyond the quoted.
    Overtime,
    /// What a cancellation keeps and was not captured before.
    CancellationFee,
}

/// None of the kinds of charges.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a kind of charge")]
pub struct UnknownChargeKind;

impl ChargeKind {
    /// All of them.
    pub const ALL: [ChargeKind; 7] = [
        ChargeKind::Deposit,
        ChargeKind::Balance,
        ChargeKind::Full,
        ChargeKind::Difference,
        ChargeKind::Tip,
        ChargeKind::Overtime,
        ChargeKind::CancellationFee,
    ];

    /// The code of the HTTP contract.
    pub const fn code(self) -> &'static str {
        match self {
            ChargeKind::Deposit => "deposit",
            ChargeKind::Balance => "balance",
            ChargeKind::Full => "full",
            ChargeKind::Difference => "difference",
            ChargeKind::Tip => "tip",
            ChargeKind::Overtime => "overtime",
            ChargeKind::CancellationFee => "cancellation_fee",
        }
    }
}

impl fmt::Display for ChargeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for ChargeKind {
    type Err = UnknownChargeKind;
    fn from_str(s: &str) -> Result<Self, UnknownChargeKind> {
        ChargeKind::ALL.into_iter().find(|k| k.code() == s).ok_or(UnknownChargeKind)
    }
}

/// A charge with its instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedCharge {
    /// Why.
    pub kind: ChargeKind,
    /// When.
    pub due_at: DateTime<Utc>,
    /// Tax included; above zero.
    pub amount: Money,
}

fn planned(kind: ChargeKind, due_at: DateTime<Utc>, amount: Money) -> Option<PlannedCharge> {
    amount.is_positive().then_some(PlannedCharge { kind, due_at, amount })
}

/// The deposit, while it is still to be charged: on the current total, never once the lock was
/// entered.
pub fn deposit_charge(s: &Settings, facts: &Facts) -> Option<PlannedCharge> {
    let open = facts.deposit_captured.is_none() && !facts.balance_captured && !facts.lock_entered;
    if !open || facts.mode(s) != Mode::Split {
        return None;
    }
    planned(ChargeKind::Deposit, facts.free_until(s), facts.total.share(s.deposit).min(facts.missing()))
}

/// The charge at `H48`, while it is still to be made: what is missing to the current total. A
/// balance when something was captured before, else the full charge; due at once when the
/// booking was made within the lock window.
pub fn lock_charge(s: &Settings, facts: &Facts) -> Option<PlannedCharge> {
    if facts.balance_captured {
        return None;
    }
    let kind = if facts.captured.is_positive() { ChargeKind::Balance } else { ChargeKind::Full };
    planned(kind, facts.lock_at(s).max(facts.booked_at), facts.missing())
}

/// The next automatic charge given what has happened, its amount computed now.
///
/// While the deposit is open this is the deposit, however late: when its ladder has ended (see
/// [`crate::attempt_at`]) the next charge is [`lock_charge`].
pub fn due_charge(s: &Settings, facts: &Facts) -> Option<PlannedCharge> {
    deposit_charge(s, facts).or_else(|| lock_charge(s, facts))
}

/// Whether a charge is to be made at `now`: at one instant the deposit comes after what the
/// customer does (a cancellation at exactly `H24` is free), every other charge before it.
pub fn is_due(kind: ChargeKind, due_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    match kind {
        ChargeKind::Deposit => due_at < now,
        ChargeKind::Balance
        | ChargeKind::Full
        | ChargeKind::Difference
        | ChargeKind::Tip
        | ChargeKind::Overtime
        | ChargeKind::CancellationFee => due_at <= now,
    }
}

/// When the tip of a move completed at `completed_at` is charged.
pub fn tip_due_at(s: &Settings, completed_at: DateTime<Utc>) -> DateTime<Utc> {
    s.tip_delay.after(completed_at)
}
