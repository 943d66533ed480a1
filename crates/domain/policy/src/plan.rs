//! What a booking will be charged and when, and what a cancellation would keep.

use kernel::{
    BasisPoints, Money,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};

use crate::{ChargeKind, Facts, PlannedCharge, RetentionMode, Settings};

/// How a booking is charged, by the time between booking and move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// A deposit at `H24`, the balance at `H48`.
    Split,
    /// One charge at `H48`, which does not come after `H24`.
    Merged,
    /// Everything with the booking: the move is within the lock window, its first instant
    /// included.
    FullAtOnce,
}

impl Mode {
    /// The mode of a booking made at `booked_at` for `move_at`.
    pub fn of(s: &Settings, booked_at: DateTime<Utc>, move_at: DateTime<Utc>) -> Mode {
        let facts = Facts::new(booked_at, move_at, Money::ZERO);
        let (free_until, lock_at) = (facts.free_until(s), facts.lock_at(s));
        if lock_at <= booked_at {
            Mode::FullAtOnce
        } else if lock_at.signed_duration_since(free_until) <= s.min_gap_between_charges.duration() {
            Mode::Merged
        } else {
            Mode::Split
        }
    }

    /// The code of the HTTP contract.
    pub const fn code(self) -> &'static str {
        match self {
            Mode::Split => "split",
            Mode::Merged => "merged",
            Mode::FullAtOnce => "full_at_once",
        }
    }
}

/// A stretch of time in which a cancellation keeps the same amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// First instant, unless the window before includes it.
    pub from: DateTime<Utc>,
    /// Last instant; none = open.
    pub until: Option<DateTime<Utc>>,
    /// `until` itself belongs to this window.
    pub until_inclusive: bool,
    /// What is kept, tax included.
    pub kept: Money,
}

impl Window {
    /// True when `at` does not come after this window.
    fn reaches(&self, at: DateTime<Utc>) -> bool {
        self.until.is_none_or(|until| at < until || (self.until_inclusive && at == until))
    }
}

/// The dated consequences of a booking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentPlan {
    /// How it is charged.
    pub mode: Mode,
    /// In the order of their instants; they add up to the total.
    pub charges: Vec<PlannedCharge>,
    /// Contiguous from the booking on, the last one open.
    pub cancellation: Vec<Window>,
}

impl PaymentPlan {
    /// The window a cancellation at `at` falls into; the first one for instants before the
    /// booking.
    pub fn window_at(&self, at: DateTime<Utc>) -> Option<&Window> {
        self.cancellation.iter().find(|w| w.reaches(at))
    }

    /// The last instant a cancellation is free, with whether that instant itself is; none when
    /// it never is.
    pub fn free_until(&self) -> Option<(DateTime<Utc>, bool)> {
        let first = self.cancellation.first().filter(|w| w.kept.is_zero())?;
        Some((first.until?, first.until_inclusive))
    }
}

/// The plan of a booking that was just made, or is being considered. A total of zero or less has
/// no charges.
pub fn plan(s: &Settings, total: Money, booked_at: DateTime<Utc>, move_at: DateTime<Utc>) -> PaymentPlan {
    let total = total.max(Money::ZERO);
    let facts = Facts::new(booked_at, move_at, total);
    let (free_until, lock_at) = (facts.free_until(s), facts.lock_at(s));
    let mode = facts.mode(s);
    let deposit = total.share(s.deposit).min(total);

    let charge = |kind, due_at, amount| PlannedCharge { kind, due_at, amount };
    let mut charges = match mode {
        Mode::FullAtOnce => vec![charge(ChargeKind::Full, booked_at, total)],
        Mode::Merged => vec![charge(ChargeKind::Full, lock_at, total)],
        Mode::Split => {
            vec![
                charge(ChargeKind::Deposit, free_until, deposit),
                charge(ChargeKind::Balance, lock_at, total.minus(deposit)),
            ]
        }
    };
    charges.retain(|c| c.amount.is_positive());

    let after_lock = kept(s, total, s.retention.after_lock);
    let mut after_free = kept(s, total, s.retention.after_free);
    if mode == Mode::Split {
        after_free = after_free.min(deposit);
    }
    let window = |from, until, until_inclusive, kept| Window { from, until, until_inclusive, kept };
    let cancellation = if mode == Mode::FullAtOnce {
        vec![window(booked_at, None, false, after_lock)]
    } else if free_until < lock_at {
        vec![
            window(booked_at, Some(free_until), true, Money::ZERO),
            window(free_until, Some(lock_at), false, after_free),
            window(lock_at, None, false, after_lock),
        ]
    } else {
        // The 48-hour rule wins where both apply.
        vec![window(booked_at, Some(lock_at), false, Money::ZERO), window(lock_at, None, false, after_lock)]
    };
    PaymentPlan { mode, charges, cancellation }
}

/// A share of a total that is kept, in provinces that allow a share.
fn kept(s: &Settings, total: Money, share: BasisPoints) -> Money {
    if s.retention.mode == RetentionMode::Policy { total.share(share).min(total) } else { Money::ZERO }
}

/// The plan of a booking to which something has happened, as it stands at `now`. What was captured
/// stays what it was: a deposit does not follow a price that changed later, the rest does.
pub fn plan_since(s: &Settings, facts: &Facts, now: DateTime<Utc>) -> PaymentPlan {
    let total = facts.total.max(Money::ZERO);
    let (free_until, lock_at) = (facts.free_until(s), facts.lock_at(s));
    let mut plan = plan(s, total, facts.booked_at, facts.move_at);
    if let Some(deposit) = facts.deposit_captured {
        let taken = deposit.min(total);
        plan.mode = Mode::Split;
        plan.charges = vec![
            PlannedCharge { kind: ChargeKind::Deposit, due_at: free_until, amount: taken },
            PlannedCharge { kind: ChargeKind::Balance, due_at: lock_at.max(free_until), amount: total.minus(taken) },
        ];
        if let [_, after_free, _] = plan.cancellation.as_mut_slice() {
            after_free.kept = kept(s, total, s.retention.after_free).min(deposit);
        }
    } else if plan.mode == Mode::Split && (facts.lock_entered || facts.balance_captured) {
        // The deposit was never taken: the 48-hour charge was all of it.
        plan.mode = Mode::Merged;
        plan.charges = vec![PlannedCharge { kind: ChargeKind::Full, due_at: lock_at, amount: total }];
    }
    plan.charges.retain(|c| c.amount.is_positive());
    if facts.lock_entered && now < lock_at {
        // Postponed by staff: what was locked once stays so.
        let all = kept(s, total, s.retention.after_lock);
        plan.cancellation = vec![Window { from: facts.booked_at, until: None, until_inclusive: false, kept: all }];
    }
    plan
}
