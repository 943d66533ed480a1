//! Attempts at a declined charge, and what comes after the last.

use kernel::chrono::{DateTime, Utc};

use crate::clock::Hours;
use crate::{ChargeKind, Settings};

/// What happens when every attempt was declined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LadderEnd {
    /// Mark the booking with a payment problem; the total falls due at the lock.
    FlagProblem,
    /// Cancel for `payment_failed`: release mates and capacity, keep what was captured, put the
    /// rest before staff.
    AutoCancel,
    /// Put it before staff.
    StaffList,
}

/// Hours from the due instant of each attempt at a charge.
pub fn ladder(s: &Settings, kind: ChargeKind) -> &[Hours] {
    match kind {
        ChargeKind::Deposit => &s.deposit_retry,
        ChargeKind::Balance | ChargeKind::Full => &s.balance_retry,
        ChargeKind::Difference | ChargeKind::Tip | ChargeKind::Overtime | ChargeKind::CancellationFee => &s.other_retry,
    }
}

/// When the next attempt is made after `attempt` declined ones (0 = the first attempt, at
/// `due_at`); none when the ladder has ended. A deposit is never attempted at or after
/// `lock_at`; the other kinds do not look at it.
pub fn attempt_at(
    s: &Settings,
    kind: ChargeKind,
    due_at: DateTime<Utc>,
    attempt: u32,
    lock_at: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let step = ladder(s, kind).get(usize::try_from(attempt).ok()?)?;
    let at = step.after(due_at);
    (kind != ChargeKind::Deposit || at < lock_at).then_some(at)
}

/// What comes after the last attempt at a charge.
pub fn after_ladder(s: &Settings, kind: ChargeKind) -> LadderEnd {
    match kind {
        ChargeKind::Deposit => LadderEnd::FlagProblem,
        ChargeKind::Balance | ChargeKind::Full if s.auto_release => LadderEnd::AutoCancel,
        ChargeKind::Balance
        | ChargeKind::Full
        | ChargeKind::Difference
        | ChargeKind::Tip
        | ChargeKind::Overtime
        | ChargeKind::CancellationFee => LadderEnd::StaffList,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn steps_end_and_the_deposit_stops_at_the_lock() {
        let s = Settings::default();
        let due: DateTime<Utc> = "2027-02-14T14:00:00Z".parse().unwrap();
        let lock = Hours(48).after(due);
        let hours = |kind| -> Vec<i64> {
            let at = (0..10).map_while(|n| attempt_at(&s, kind, due, n, lock));
            at.map(|t| t.signed_duration_since(due).num_hours()).collect()
        };
        assert_eq!(hours(ChargeKind::Deposit), [0, 6, 24]);
        assert_eq!(hours(ChargeKind::Full), [0, 2, 6, 12, 24]);
        assert_eq!(hours(ChargeKind::Tip), [0, 24, 72, 168]);
    }

    #[test]
    fn what_comes_after() {
        let mut s = Settings::default();
        let ends = |s: &Settings| [ChargeKind::Deposit, ChargeKind::Balance, ChargeKind::Tip].map(|k| after_ladder(s, k));
        assert_eq!(ends(&s), [LadderEnd::FlagProblem, LadderEnd::AutoCancel, LadderEnd::StaffList]);
        s.auto_release = false;
        assert_eq!(ends(&s), [LadderEnd::FlagProblem, LadderEnd::StaffList, LadderEnd::StaffList]);
    }
}
