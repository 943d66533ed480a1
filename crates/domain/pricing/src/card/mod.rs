//! The rate card: every number of the duration and price model, as configuration.
//!
//! The JSON form is that of `fixtures/rate-card.json`: cents, basis points and parts per million
//! as integers.

pub(crate) mod ints;
mod periods;
mod rates;
mod rules;
mod taxes;
mod validate;

use std::sync::LazyLock;

use kernel::{BasisPoints, Province, chrono::NaiveDate};
use serde::{Deserialize, Serialize};

pub use periods::{BASE_PERIOD, InvalidMonthDay, MonthDay, Period, PeriodRule};
pub(crate) use rates::tier_index;
pub use rates::{Minimum, Rate, RateOverride, Rates};
pub use rules::{AccessibilityShares, DurationRules, KindRule, PerKind};
pub use taxes::{TaxRule, TaxShare, Taxes};
pub use validate::{CardProblem, InvalidRateCard};

/// All numbers of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateCard {
    /// A note for whoever edits the file.
    #[serde(default)]
    pub about: String,
    /// Tier 1 up to this volume, cubic feet.
    pub level_one_threshold: u32,
    /// Tier 2 up to this volume, cubic feet; above it tier 3.
    pub level_two_threshold: u32,
    /// More than this, cubic feet, does not fit one truck.
    pub one_truck_usable_cubic_feet: u32,
    /// Largest crew that can be booked online, the customer included.
    pub max_online_heads: u8,
    /// A residential, storage or commercial move beyond this is a long-distance move.
    pub long_distance_over_km: u32,
    /// Minutes.
    pub duration: DurationRules,
    /// Money by province of the pickup.
    pub rates: Rates,
    /// Multipliers on hourly lines.
    pub periods: Vec<Period>,
    /// Sales taxes.
    pub taxes: Taxes,
}

static BUILTIN: LazyLock<RateCard> = LazyLock::new(|| {
    #[allow(clippy::expect_used, reason = "embedded at compile time; a unit test reads it")]
    serde_json::from_str(include_str!("../../../../../fixtures/rate-card.json"))
        .expect("the embedded rate card is well-formed")
});

/// A key that is a province.
fn province(name: &str) -> Result<Province, String> {
    name.parse().map_err(|e| format!("unknown field `{name}`: {e}"))
}

impl RateCard {
    /// The card Portage starts with (`fixtures/rate-card.json`).
    pub fn builtin() -> RateCard {
        BUILTIN.clone()
    }

    /// The rates at a pickup: the default with the province's changes.
    pub fn rate(&self, pickup: Province) -> Rate {
        self.rates.of(pickup)
    }

    /// Size class of a volume in tenths of a cubic foot: 1, 2 or 3.
    pub fn tier(&self, dcf: u32) -> u8 {
        let within = |cubic_feet: u32| u64::from(dcf) <= u64::from(cubic_feet) * 10;
        if within(self.level_one_threshold) {
            1
        } else if within(self.level_two_threshold) {
            2
        } else {
            3
        }
    }

    /// Name and multiplier of the dearest period that covers a day; `("base", 1)` when none does,
    /// or when no day was chosen yet.
    pub fn period(&self, pickup: Province, day: Option<NaiveDate>, statutory_holiday: bool) -> (&str, BasisPoints) {
        self.dear_period(pickup, day, statutory_holiday)
            .map_or((periods::BASE_PERIOD, BasisPoints::ONE), |period| (&period.name, period.multiplier_bp))
    }

    /// The dearest period that covers a day; none on an ordinary day.
    pub fn dear_period(&self, pickup: Province, day: Option<NaiveDate>, statutory_holiday: bool) -> Option<&Period> {
        periods::highest(&self.periods, pickup, day?, statutory_holiday)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use kernel::Money;

    use super::*;
    use crate::MoveKind;

    #[test]
    fn the_builtin_card_is_valid_and_writes_itself_back() {
        let text = include_str!("../../../../../fixtures/rate-card.json");
        let file: serde_json::Value = serde_json::from_str(text).unwrap();
        let card = RateCard::builtin();
        card.validate().unwrap();
        assert_eq!(serde_json::to_value(&card).unwrap(), file);
    }

    #[test]
    fn a_province_changes_single_fields_and_kinds() {
        let card = RateCard::builtin();
        let (quebec, ontario, bc) = (card.rate(Province::QC), card.rate(Province::ON), card.rate(Province::BC));
        assert_eq!(quebec, card.rates.default);
        assert_eq!(
            (ontario.first_mate_hourly.cents(), ontario.travel_fee_min, ontario.km_fee),
            (8_500, 60, quebec.km_fee)
        );
        assert_eq!((bc.first_mate_hourly.cents(), bc.travel_fee_min), (9_000, 30));
        let minimum = |rate: &Rate, kind, tier| rate.minimum_billed_min.get(kind).of_tier(tier);
        assert_eq!(minimum(&quebec, MoveKind::Residential, 1), 120);
        assert_eq!(minimum(&ontario, MoveKind::Residential, 1), 180);

        let mut json = serde_json::to_value(&card).unwrap();
        json["rates"]["BC"]["minimum_billed_min"] = serde_json::json!({ "curbside": 45 });
        let changed: RateCard = serde_json::from_value(json).unwrap();
        let bc = changed.rate(Province::BC);
        assert_eq!(minimum(&bc, MoveKind::Curbside, 3), 45);
        assert_eq!(minimum(&bc, MoveKind::Residential, 2), 180);
        assert_eq!(changed.rate(Province::QC), quebec);
    }

    #[test]
    fn misspelt_fields_are_refused() {
        let mut json = serde_json::to_value(RateCard::builtin()).unwrap();
        json["rates"]["BC"]["first_mate_hourli"] = 1.into();
        assert!(serde_json::from_value::<RateCard>(json).is_err());
        let mut json = serde_json::to_value(RateCard::builtin()).unwrap();
        json["rates"]["XX"] = serde_json::json!({});
        assert!(serde_json::from_value::<RateCard>(json).is_err());
        // Read as "everywhere", a misspelt list of provinces would change prices in all of them.
        let mut json = serde_json::to_value(RateCard::builtin()).unwrap();
        json["periods"][0]["province"] = json["periods"][0]["provinces"].take();
        let told = serde_json::from_value::<RateCard>(json).unwrap_err().to_string();
        assert!(told.starts_with("unknown field `province`"), "{told}");
    }

    #[test]
    fn named_parts_are_needed_once() {
        let text = serde_json::to_string(&RateCard::builtin()).unwrap();
        for (what, with, told) in [
            ("\"default\":", "\"AB\":", "duplicate field `AB`"),
            ("\"QC_from_outside\":", "\"SK\":", "missing field `QC_from_outside`"),
            (
                "\"taxes\":{",
                "\"taxes\":{\"Mars\":{\"type\":\"gst\",\"rate_ppm\":0,\"components\":[]},",
                "unknown field `Mars`",
            ),
            ("\"from\":\"07-01\",", "", "a range needs `from` and `to`"),
            ("\"rule\":\"weekend\"", "\"rule\":\"weekend\",\"to\":\"07-01\"", "belong to a range only"),
        ] {
            let refused = serde_json::from_str::<RateCard>(&text.replacen(what, with, 1)).unwrap_err().to_string();
            assert!(refused.contains(told), "{what}: {refused}");
        }
    }

    #[test]
    fn the_crew_costs_first_plus_further_mates() {
        let rate = RateCard::builtin().rate(Province::QC);
        assert_eq!(rate.crew_hourly(1, false), Money::from_cents(8_000));
        assert_eq!(rate.crew_hourly(3, false), Money::from_cents(15_600));
        assert_eq!(rate.crew_hourly(2, true), Money::from_cents(8_800));
    }
}
