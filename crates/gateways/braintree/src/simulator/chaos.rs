//! The standing random mode: every operation may be slow, lost, late, refused or delivered twice.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::outcomes::{Operation, Outcome};
use super::plan::Handling;

/// Longer waits would only hold memory.
pub(super) const LONGEST_DELAY_MS: u64 = 600_000;

/// Chances are from 0 to 1, times in real milliseconds. What is not named does not happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(super) struct Chaos {
    /// The same seed and the same order of requests give the same outcomes.
    pub seed: u64,
    /// Before an operation is applied: from, to.
    pub delay_before_ms: [u64; 2],
    /// After it, before the answer.
    pub delay_after_ms: [u64; 2],
    /// Instead of `delay_before_ms` for what is applied late: choose it beyond the client's time-out.
    pub late_ms: [u64; 2],
    /// Never applied, and the connection is cut.
    pub lost: f64,
    /// Applied, and the connection is cut.
    pub lost_answers: f64,
    /// Applied only after `late_ms`.
    pub late_applied: f64,
    /// HTTP 500 and not applied.
    pub error500: f64,
    /// A charge is refused softly.
    pub soft_decline: f64,
    /// A charge is refused for good.
    pub hard_decline: f64,
    /// A charge is captured and not settled.
    pub settlement_decline: f64,
    /// A charge is captured, settled and disputed.
    pub dispute: f64,
    /// The request is delivered twice, and the answer is the second one's. Only where the merchant's
    /// request keys or duplicate check keep the second from moving money.
    pub duplicate_answers: f64,
    /// A search does not find what was applied less than `look_up_lag_ms` ago.
    pub look_up_misses: f64,
    /// How far the index of searches may lag behind.
    pub look_up_lag_ms: u64,
}

impl Default for Chaos {
    fn default() -> Self {
        Chaos {
            seed: 1,
            delay_before_ms: [0, 0],
            delay_after_ms: [0, 0],
            late_ms: [60_000, 90_000],
            lost: 0.0,
            lost_answers: 0.0,
            late_applied: 0.0,
            error500: 0.0,
            soft_decline: 0.0,
            hard_decline: 0.0,
            settlement_decline: 0.0,
            dispute: 0.0,
            duplicate_answers: 0.0,
            look_up_misses: 0.0,
            look_up_lag_ms: 1_000,
        }
    }
}

impl Chaos {
    /// What is wrong with it, if anything.
    pub(super) fn problem(&self) -> Option<&'static str> {
        let chances = [
            self.lost,
            self.lost_answers,
            self.late_applied,
            self.error500,
            self.soft_decline,
            self.hard_decline,
            self.settlement_decline,
            self.dispute,
        ];
        let all = chances.iter().chain([&self.duplicate_answers, &self.look_up_misses]);
        if all.clone().any(|c| !(0.0..=1.0).contains(c)) || chances.iter().sum::<f64>() > 1.0 {
            return Some("chaos: chances are from 0 to 1, and those of outcomes together at most 1");
        }
        let orderly = |[from, to]: [u64; 2]| from <= to && to <= LONGEST_DELAY_MS;
        if ![self.delay_before_ms, self.delay_after_ms, self.late_ms].into_iter().all(orderly) {
            return Some("chaos: delays are [from, to], at most ten minutes");
        }
        None
    }

    /// What happens to one operation.
    pub(super) fn handling(&self, dice: &mut Dice, operation: Operation) -> Handling {
        let mut hold = dice.between(self.delay_before_ms);
        let wait = dice.between(self.delay_after_ms);
        let mut left = dice.chance();
        let mut falls = |chance: f64| {
            left -= chance;
            left < 0.0
        };
        let (mut outcome, mut late) = (Outcome::Approve, false);
        if falls(self.lost) {
            outcome = Outcome::TimeoutNotApplied;
        } else if falls(self.lost_answers) {
            outcome = Outcome::TimeoutApplied;
        } else if falls(self.error500) {
            outcome = Outcome::Error500;
        } else if falls(self.late_applied) {
            hold = dice.between(self.late_ms);
            late = true;
        } else if operation == Operation::Charge {
            let charges = [
                (self.soft_decline, Outcome::SoftDecline),
                (self.hard_decline, Outcome::HardDecline),
                (self.settlement_decline, Outcome::SettlementDecline),
                (self.dispute, Outcome::Dispute),
            ];
            outcome = charges.into_iter().find(|(chance, _)| falls(*chance)).map_or(outcome, |(_, o)| o);
        }
        let twice = dice.chance() < self.duplicate_answers;
        let (hold, wait) = (Duration::from_millis(hold), Duration::from_millis(wait));
        Handling { outcome, hold, wait, twice, only_safely: true, late }
    }
}

/// SplitMix64.
#[derive(Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 (included) to 1 (excluded).
    #[allow(clippy::cast_precision_loss, reason = "53 bits are what a float holds")]
    pub(super) fn chance(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, [from, to]: [u64; 2]) -> u64 {
        from + self.next() % (to.saturating_sub(from) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_itself_and_chances_are_kept() {
        let chaos = Chaos {
            delay_before_ms: [10, 20],
            lost: 0.1,
            late_applied: 0.1,
            late_ms: [500, 600],
            dispute: 0.2,
            ..Chaos::default()
        };
        assert_eq!(chaos.problem(), None);
        let draw = |seed: u64, operation| {
            let mut dice = Dice::new(seed);
            (0..10_000).map(|_| chaos.handling(&mut dice, operation)).collect::<Vec<_>>()
        };
        let handlings = draw(7, Operation::Charge);
        assert_eq!(handlings, draw(7, Operation::Charge));
        assert_ne!(handlings, draw(8, Operation::Charge));
        let count = |wanted: &dyn Fn(&Handling) -> bool| handlings.iter().filter(|p| wanted(p)).count();
        let late = count(&|p| p.hold >= Duration::from_millis(500));
        for (what, n, expected) in [
            ("lost", count(&|p| p.outcome == Outcome::TimeoutNotApplied), 1_000),
            ("late", late, 1_000),
            ("dispute", count(&|p| p.outcome == Outcome::Dispute), 2_000),
        ] {
            assert!(n.abs_diff(expected) < 200, "{what}: {n}");
        }
        assert!(handlings.iter().all(|p| p.hold >= Duration::from_millis(10)));
        assert!(draw(7, Operation::Refund).iter().all(|p| p.outcome != Outcome::Dispute));
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in [
            Chaos { lost: 1.5, ..Chaos::default() },
            Chaos { look_up_misses: -0.1, ..Chaos::default() },
            Chaos { lost: 0.6, soft_decline: 0.6, ..Chaos::default() },
            Chaos { delay_before_ms: [2, 1], ..Chaos::default() },
            Chaos { late_ms: [0, LONGEST_DELAY_MS + 1], ..Chaos::default() },
        ] {
            assert!(bad.problem().is_some(), "{bad:?}");
        }
    }
}
