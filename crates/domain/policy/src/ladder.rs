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

/// Where a declined charge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declined {
    /// What is charged.
    pub kind: ChargeKind,
    /// When it fell due: where the ladder begins.
    pub due_at: DateTime<Utc>,
    /// Declined attempts, this one included, also those a new card caused.
    pub attempts: u32,
    /// The card itself is refused: the issuer must not be asked again with it.
    pub hard: bool,
}

/// When a charge is attempted again that was declined at `now`; none when its ladder has ended.
///
/// The steps are instants, not a number of attempts: a customer who tries another card in between
/// uses none of them up. Steps that passed while nothing could be attempted (an outage) are made up
/// for at the distance of the first two, so that nobody is asked several times in one moment, as
/// long as the move (`end`) has not begun. A hard decline waits for the last step, where the end is
/// decided; a new card sets the charge going before.
pub fn next_attempt(
    s: &Settings,
    declined: Declined,
    now: DateTime<Utc>,
    lock_at: DateTime<Utc>,
    end: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let steps = ladder(s, declined.kind);
    let instants: Vec<DateTime<Utc>> =
        (0..).map_while(|n| attempt_at(s, declined.kind, declined.due_at, n, lock_at)).collect();
    let mut ahead = instants.iter().copied().filter(|at| *at > now);
    let planned = if declined.hard { ahead.next_back() } else { ahead.next() };
    // A card that is refused for good is not asked again and again: its owner is given the time.
    let steps_left = if declined.hard { instants.len().min(2) } else { instants.len() };
    if planned.is_some() || usize::try_from(declined.attempts).is_ok_and(|made| made >= steps_left) {
        return planned;
    }
    let (first, second) = (steps.first()?, steps.get(1)?);
    let later = Hours(second.0.saturating_sub(first.0)).after(now);
    let last = if declined.kind == ChargeKind::Deposit { lock_at } else { end };
    let is_of_move = matches!(declined.kind, ChargeKind::Deposit | ChargeKind::Balance | ChargeKind::Full);
    (!is_of_move || later < last).then_some(later)
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

    fn walk(kind: ChargeKind, first: i64, extra: &[i64], hard: bool) -> Vec<i64> {
        let s = Settings::default();
        let due: DateTime<Utc> = "2027-02-14T14:00:00Z".parse().unwrap();
        let lock = if kind == ChargeKind::Deposit { Hours(48).after(due) } else { due };
        let end = if kind == ChargeKind::Deposit { Hours(96).after(due) } else { Hours(48).after(due) };
        let minutes = |at: DateTime<Utc>| at.signed_duration_since(due).num_minutes();
        let (mut now, mut seen, mut extra) = (first, Vec::new(), extra.iter().copied().peekable());
        while seen.len() < 20 {
            seen.push(now);
            let attempts = u32::try_from(seen.len()).unwrap();
            let at = due + kernel::chrono::Duration::minutes(now);
            let next = next_attempt(&s, Declined { kind, due_at: due, attempts, hard }, at, lock, end).map(minutes);
            // A new card is tried at once.
            let card = extra.next_if(|m| next.is_some_and(|n| *m < n));
            match card.or(next) {
                Some(next) => now = next,
                None => break,
            }
        }
        seen
    }

    #[test]
    fn new_cards_use_no_steps_up() {
        let hours = |h: [i64; 5]| h.map(|h| h * 60).to_vec();
        assert_eq!(walk(ChargeKind::Full, 0, &[], false), hours([0, 2, 6, 12, 24]));
        assert_eq!(walk(ChargeKind::Full, 0, &[2, 4, 6, 8], false), [0, 2, 4, 6, 8, 120, 360, 720, 1440]);
        assert_eq!(walk(ChargeKind::Full, 0, &[2, 4], true), [0, 2, 4, 1440]);
        assert_eq!(walk(ChargeKind::Deposit, 0, &[], false), [0, 360, 1440]);
        assert_eq!(walk(ChargeKind::Tip, 0, &[], false), [0, 1440, 4320, 10080]);
    }

    #[test]
    fn steps_that_passed_are_made_up_for_one_by_one() {
        // The gateway was away for 26 hours.
        assert_eq!(walk(ChargeKind::Full, 1560, &[], false), [1560, 1680, 1800, 1920, 2040]);
        assert_eq!(walk(ChargeKind::Full, 1560, &[], true), [1560, 1680]);
        // Two of them passed.
        assert_eq!(walk(ChargeKind::Full, 400, &[], false), [400, 720, 1440, 1560, 1680]);
        // Nobody is asked again once the move has begun.
        assert_eq!(walk(ChargeKind::Full, 2820, &[], false), [2820]);
        assert_eq!(walk(ChargeKind::Full, 3000, &[], false), [3000]);
        assert_eq!(walk(ChargeKind::Deposit, 2000, &[], false), [2000, 2360, 2720]);
    }

    #[test]
    fn what_comes_after() {
        let mut s = Settings::default();
        let ends =
            |s: &Settings| [ChargeKind::Deposit, ChargeKind::Balance, ChargeKind::Tip].map(|k| after_ladder(s, k));
        assert_eq!(ends(&s), [LadderEnd::FlagProblem, LadderEnd::AutoCancel, LadderEnd::StaffList]);
        s.auto_release = false;
        assert_eq!(ends(&s), [LadderEnd::FlagProblem, LadderEnd::StaffList, LadderEnd::StaffList]);
    }
}
