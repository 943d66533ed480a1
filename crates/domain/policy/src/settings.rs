//! The numbers of the policy. A booking keeps the settings it was made under: later changes do
//! not touch it.

use std::collections::BTreeMap;

use kernel::{BasisPoints, Bounds, Measure, Money, Must, Province};
use serde::{Deserialize, Serialize};

use crate::clock::Hours;

/// Whether a late change costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeFeeMode {
    /// By rule.
    #[default]
    Auto,
    /// Only when staff add it.
    Manual,
    /// Never.
    Off,
}

/// What may be kept of a cancelled booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetentionMode {
    /// The shares of the policy.
    #[default]
    Policy,
    /// Nothing by rule: staff bill the expenses and the work done (Civil Code of Québec, 2129).
    ActualCosts,
}

/// What a cancellation by the customer keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Retention {
    /// After the free window: this share of the total, at most the deposit really charged.
    pub after_free: BasisPoints,
    /// After the lock: this share of the total.
    pub after_lock: BasisPoints,
    /// By share or by actual costs.
    pub mode: RetentionMode,
    /// Somebody with a knowledge of the province's law must confirm these shares (Consumer
    /// Protection Act of Québec, s. 13, prohibits fixed percentages). Shown to staff.
    pub review_required: bool,
}

impl Default for Retention {
    fn default() -> Self {
        Retention {
            after_free: BasisPoints::new(2_000),
            after_lock: BasisPoints::ONE,
            mode: RetentionMode::Policy,
            review_required: false,
        }
    }
}

/// A province's own switches; nothing where the general rule holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProvincialSettings {
    /// Instead of the general retention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retention: Option<Retention>,
    /// Money received longer than this before the move belongs in a trust account (Québec, CPA
    /// s. 256).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust_account_after_days: Option<u32>,
    /// Most the price may grow without a new agreement, as a share of what was agreed (Ontario,
    /// Alberta).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_overrun: Option<BasisPoints>,
    /// And at most this amount (Alberta).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_overrun_amount: Option<Money>,
}

/// All settings of the policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Of this set of numbers; stored on each booking and shown with its terms.
    pub version: String,
    /// Share of the total.
    pub deposit: BasisPoints,
    /// From the booking: cancelling is free, the deposit is charged at its end.
    pub free_window: Hours,
    /// Before the move: the whole price is due and kept.
    pub lock_window: Hours,
    /// Share of the amount before the change.
    pub change_fee: BasisPoints,
    /// Whether it is taken.
    pub change_fee_mode: ChangeFeeMode,
    /// Attempts at the deposit, from its due instant.
    pub deposit_retry: Vec<Hours>,
    /// Attempts at the balance or the full charge.
    pub balance_retry: Vec<Hours>,
    /// Attempts at tips, overtime and cancellation fees.
    pub other_retry: Vec<Hours>,
    /// Cancel by itself when the balance could not be charged; otherwise staff decide.
    pub auto_release: bool,
    /// From completion to the charge of the tip.
    pub tip_delay: Hours,
    /// Deposit and balance no farther apart than this become one charge.
    pub min_gap_between_charges: Hours,
    /// What a cancellation keeps.
    pub retention: Retention,
    /// Differences by province of the pickup.
    pub provinces: BTreeMap<Province, ProvincialSettings>,
}

impl Default for Settings {
    fn default() -> Self {
        let hours = |list: &[u32]| list.iter().copied().map(Hours).collect();
        let tenth = Some(BasisPoints::new(1_000));
        let quebec = ProvincialSettings {
            retention: Some(Retention { review_required: true, ..Retention::default() }),
            trust_account_after_days: Some(60),
            ..ProvincialSettings::default()
        };
        let ontario = ProvincialSettings { max_overrun: tenth, ..ProvincialSettings::default() };
        let alberta = ProvincialSettings {
            max_overrun: tenth,
            max_overrun_amount: Some(Money::from_cents(10_000)),
            ..ProvincialSettings::default()
        };
        Settings {
            version: Settings::VERSION.to_owned(),
            deposit: BasisPoints::new(2_000),
            free_window: Hours(24),
            lock_window: Hours(48),
            change_fee: BasisPoints::new(2_000),
            change_fee_mode: ChangeFeeMode::Auto,
            deposit_retry: hours(&[0, 6, 24, 48]),
            balance_retry: hours(&[0, 2, 6, 12, 24]),
            other_retry: hours(&[0, 24, 72, 168]),
            auto_release: true,
            tip_delay: Hours(24),
            min_gap_between_charges: Hours(0),
            retention: Retention::default(),
            provinces: BTreeMap::from([(Province::QC, quebec), (Province::ON, ontario), (Province::AB, alberta)]),
        }
    }
}

/// Settings that cannot be put in force.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} must be {must}")]
pub struct InvalidSettings {
    /// The place that is wrong, as it is written in JSON: `deposit`, `provinces.QC.retention.afterFree`.
    pub field: String,
    /// What it must be.
    pub must: Must,
}

/// The longest time before a move, or after a booking, that a charge may be dated by.
const WINDOW: Bounds = Bounds::AtMost(24 * 60, Measure::Hours);
/// The last attempt at a charge, from its due instant.
const LAST_ATTEMPT: Bounds = Bounds::AtMost(24 * 30, Measure::Hours);
/// From nothing to the whole.
const SHARE: Bounds = Bounds::Between(0, BasisPoints::ONE.get(), Measure::Share);
/// Something, up to the whole.
const SOME_SHARE: Bounds = Bounds::Between(1, BasisPoints::ONE.get(), Measure::Share);
const AMOUNT: Bounds = Bounds::AtLeast(0, Measure::Cents);
const TRUST_DAYS: Bounds = Bounds::AtMost(3_650, Measure::Days);
/// Attempts at a charge.
const LADDER: Must = Must::Sized("at most five rising hours from 0 to 720");

fn share(s: BasisPoints) -> bool {
    SHARE.hold(s.get())
}

impl Retention {
    /// What is wrong with it, below the place where it stands.
    fn problems(&self, at: &str) -> Vec<InvalidSettings> {
        let (free, lock) = (share(self.after_free), share(self.after_lock));
        let rules = [
            (free, "afterFree", Must::Within(SHARE)),
            (lock, "afterLock", Must::Within(SHARE)),
            (
                !(free && lock) || self.after_free <= self.after_lock,
                "afterLock",
                Must::Sized("no smaller after the lock than before"),
            ),
        ];
        let wrong = rules.into_iter().filter(|(holds, ..)| !holds);
        wrong.map(|(_, field, must)| InvalidSettings { field: format!("{at}.{field}"), must }).collect()
    }
}

impl Settings {
    /// Version of the built-in numbers.
    pub const VERSION: &'static str = "1";

    /// The settings of bookings picked up in `province`: its own retention, if it has one, in
    /// place of the general one.
    pub fn for_province(&self, province: Province) -> Settings {
        let mut own = self.clone();
        if let Some(retention) = self.provinces.get(&province).and_then(|p| p.retention) {
            own.retention = retention;
        }
        own
    }

    /// Everything that makes no sense of the timeline.
    pub fn problems(&self) -> Vec<InvalidSettings> {
        let mut wrong = Vec::new();
        let mut that = |holds: bool, field: &str, must| {
            if !holds {
                wrong.push(InvalidSettings { field: field.to_owned(), must });
            }
        };
        that(!self.version.trim().is_empty(), "version", Must::Given);
        for (figure, field, bounds) in [
            (self.deposit.get(), "deposit", SOME_SHARE),
            (self.change_fee.get(), "changeFee", SHARE),
            (self.lock_window.0.into(), "lockWindow", WINDOW),
            (self.free_window.0.into(), "freeWindow", WINDOW),
            (self.tip_delay.0.into(), "tipDelay", LAST_ATTEMPT),
            (self.min_gap_between_charges.0.into(), "minGapBetweenCharges", WINDOW),
        ] {
            that(bounds.hold(figure), field, Must::Within(bounds));
        }
        let ladder = |list: &[Hours]| {
            let rising = list.windows(2).all(|pair| pair[0] < pair[1]);
            let ends = list.last().is_some_and(|last| LAST_ATTEMPT.hold(last.0.into()));
            list.first() == Some(&Hours(0)) && rising && ends && list.len() <= 5
        };
        for (list, field) in [(&self.deposit_retry, "depositRetry"), (&self.other_retry, "otherRetry")] {
            that(ladder(list), field, LADDER);
        }
        if ladder(&self.balance_retry) {
            let in_time = self.balance_retry.last().is_some_and(|last| *last < self.lock_window);
            that(in_time, "balanceRetry", Must::Formed("over before the move starts"));
        } else {
            that(false, "balanceRetry", LADDER);
        }
        for (province, own) in &self.provinces {
            let at = |field: &str| format!("provinces.{}.{field}", province.code());
            for (figure, field, bounds) in [
                (own.max_overrun.map(BasisPoints::get), "maxOverrun", SHARE),
                (own.max_overrun_amount.map(Money::cents), "maxOverrunAmount", AMOUNT),
                (own.trust_account_after_days.map(i64::from), "trustAccountAfterDays", TRUST_DAYS),
            ] {
                that(figure.is_none_or(|n| bounds.hold(n)), &at(field), Must::Within(bounds));
            }
        }
        wrong.extend(self.retention.problems("retention"));
        for (province, own) in &self.provinces {
            let at = format!("provinces.{}.retention", province.code());
            wrong.extend(own.retention.iter().flat_map(|retention| retention.problems(&at)));
        }
        wrong
    }

    /// Checks that the timeline makes sense.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn validate(&self) -> Result<(), InvalidSettings> {
        self.problems().into_iter().next().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_defaults_are_valid_and_survive_storage() {
        let settings = Settings::default();
        settings.validate().unwrap();
        let json = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&json).unwrap(), settings);
        assert_eq!(serde_json::from_str::<Settings>("{}").unwrap(), settings);
    }

    #[test]
    fn nonsense_is_refused() {
        let broken = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            settings.validate().unwrap_err().field
        };
        assert_eq!(broken(|s| s.deposit = BasisPoints::new(10_001)), "deposit");
        assert_eq!(broken(|s| s.balance_retry = vec![Hours(0), Hours(48)]), "balanceRetry");
        assert_eq!(broken(|s| s.deposit_retry = vec![Hours(6)]), "depositRetry");
        assert_eq!(broken(|s| s.retention.after_free = BasisPoints::new(-1)), "retention.afterFree");
        assert_eq!(broken(|s| s.retention.after_lock = BasisPoints::new(100)), "retention.afterLock");
        assert_eq!(broken(|s| s.tip_delay = Hours(721)), "tipDelay");
        assert_eq!(broken(|s| s.other_retry = vec![Hours(0), Hours(721)]), "otherRetry");
    }

    #[test]
    fn every_mistake_is_told_by_its_place() {
        let mut settings = Settings {
            deposit: BasisPoints::new(0),
            deposit_retry: Vec::new(),
            lock_window: Hours(24),
            ..Settings::default()
        };
        let quebec = settings.provinces.get_mut(&Province::QC).unwrap();
        quebec.retention = Some(Retention { after_free: BasisPoints::new(10_001), ..Retention::default() });
        quebec.max_overrun = Some(BasisPoints::new(-1));
        let fields: Vec<String> = settings.problems().into_iter().map(|p| p.field).collect();
        assert_eq!(
            fields,
            ["deposit", "depositRetry", "balanceRetry", "provinces.QC.maxOverrun", "provinces.QC.retention.afterFree"]
        );
    }

    #[test]
    fn a_province_has_its_own_retention() {
        let settings = Settings::default();
        assert!(settings.for_province(Province::QC).retention.review_required);
        assert_eq!(settings.for_province(Province::BC), settings);
    }
}
