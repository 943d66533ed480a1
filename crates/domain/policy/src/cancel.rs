//! What a cancellation keeps, gives back and still charges.

use kernel::{
    Money,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};

use crate::{Facts, RetentionMode, Settings};

/// Who cancels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CancelledBy {
    /// The customer; a no-show counts as one.
    Customer,
    /// No mates, weather, our fault: everything goes back, at any time.
    Company,
}

/// Which rule of the policy applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Nothing is kept.
    Free,
    /// A share, at most the deposit.
    Deposit,
    /// The 48-hour rule.
    Full,
}

impl Rule {
    /// The code of the HTTP contract.
    pub const fn code(self) -> &'static str {
        match self {
            Rule::Free => "free",
            Rule::Deposit => "deposit",
            Rule::Full => "full",
        }
    }
}

/// The money side of a cancellation: `kept + refund = net + to_charge`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cancellation {
    /// Which rule applies.
    pub rule: Rule,
    /// Kept in the end, tax included.
    pub kept: Money,
    /// Given back now.
    pub refund: Money,
    /// Charged now because it is kept and was never captured.
    pub to_charge: Money,
}

/// What cancelling at `at` means. `waived`: staff give up any retention.
pub fn cancellation(s: &Settings, facts: &Facts, at: DateTime<Utc>, by: CancelledBy, waived: bool) -> Cancellation {
    let rule = if by == CancelledBy::Company || waived {
        Rule::Free
    } else if facts.is_locked(s, at) {
        // The 48-hour rule wins over the free window.
        Rule::Full
    } else if at <= facts.free_until(s) {
        Rule::Free
    } else {
        Rule::Deposit
    };
    let total = facts.total.max(Money::ZERO);
    let by_share = s.retention.mode == RetentionMode::Policy;
    let share = |share| if by_share { total.share(share).min(total) } else { Money::ZERO };
    let kept = match rule {
        Rule::Free => Money::ZERO,
        Rule::Full => share(s.retention.after_lock),
        Rule::Deposit => {
            let fee = share(s.retention.after_free);
            facts.deposit_captured.map_or(fee, |deposit| fee.min(deposit))
        }
    };
    let net = facts.net();
    Cancellation { rule, kept, refund: net.minus(kept).max(Money::ZERO), to_charge: kept.minus(net).max(Money::ZERO) }
}
