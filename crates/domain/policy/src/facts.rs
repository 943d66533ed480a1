//! What has happened to a booking, as far as the policy needs to know.

use kernel::{
    Money,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};

use crate::{Mode, Settings};

/// The facts of a booking at a moment. Money includes tax and never the tip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// `B`: never changes.
    pub booked_at: DateTime<Utc>,
    /// `T`: as planned now.
    pub move_at: DateTime<Utc>,
    /// The current total.
    pub total: Money,
    /// All that was captured for the booking, tip aside.
    pub captured: Money,
    /// All that was given back of it.
    pub refunded: Money,
    /// What the deposit really took, if it was captured.
    pub deposit_captured: Option<Money>,
    /// The 48-hour charge was captured or came due; it stays so when the move is postponed.
    pub lock_entered: bool,
    /// The 48-hour (or full) charge was captured.
    pub balance_captured: bool,
    /// A mate is assigned now.
    pub mate_assigned: bool,
}

impl Facts {
    /// A booking nothing has happened to yet.
    pub fn new(booked_at: DateTime<Utc>, move_at: DateTime<Utc>, total: Money) -> Facts {
        Facts {
            booked_at,
            move_at,
            total,
            captured: Money::ZERO,
            refunded: Money::ZERO,
            deposit_captured: None,
            lock_entered: false,
            balance_captured: false,
            mate_assigned: false,
        }
    }

    /// `H24`: the last free instant, and when the deposit falls due.
    pub fn free_until(&self, s: &Settings) -> DateTime<Utc> {
        s.free_window.after(self.booked_at)
    }

    /// `H48`: from here on the whole price is due and kept.
    pub fn lock_at(&self, s: &Settings) -> DateTime<Utc> {
        s.lock_window.before(self.move_at)
    }

    /// True from `H48` on, and for ever once the 48-hour charge came due.
    pub fn is_locked(&self, s: &Settings, at: DateTime<Utc>) -> bool {
        self.lock_entered || at >= self.lock_at(s)
    }

    /// What Portage holds: captured less refunded.
    pub fn net(&self) -> Money {
        self.captured.minus(self.refunded)
    }

    /// What is missing to the total; negative when too much was paid.
    pub fn missing(&self) -> Money {
        self.total.minus(self.net())
    }

    /// How this booking is charged with its current dates.
    pub fn mode(&self, s: &Settings) -> Mode {
        Mode::of(s, self.booked_at, self.move_at)
    }
}
