//! Whether a rate card can be put in force.

use std::fmt;

use kernel::{MateCount, Money, Province};

use super::{Period, Rate, RateCard, TaxRule};
use crate::{ExtraService, limits};

/// One thing wrong with a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardProblem {
    /// Path of the field, `rates.ON.km_fee`.
    pub field: String,
    /// What it must be.
    pub must: &'static str,
}

/// A card that cannot be put in force, with all that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidRateCard {
    /// At least one.
    pub problems: Vec<CardProblem>,
}

impl fmt::Display for InvalidRateCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the rate card is not valid")?;
        for (n, p) in self.problems.iter().enumerate() {
            write!(f, "{} {} must be {}", if n == 0 { ":" } else { ";" }, p.field, p.must)?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidRateCard {}

/// Ten thousand dollars an hour, a kilometre or a move: beyond it somebody mistyped.
const MAX_MONEY: i64 = 1_000_000;
/// A factor of one hundred.
const MAX_SHARE: i64 = 1_000_000;

const MINUTES: &str = "at most 100000 minutes";
const MONEY: &str = "between 0 and 10000 dollars";
const SHARE: &str = "between 0 and 1000000 basis points";
const POSITIVE: &str = "positive";

/// [`CardProblem::must`] of a part that is missing and that nothing stands in for.
pub const GIVEN: &str = "given";
/// [`CardProblem::must`] of a name that another period has as well.
pub const UNIQUE: &str = "a name of its own";
/// [`CardProblem::must`] of days that another period of the same place has as well.
pub const APART: &str = "apart from the other periods of its provinces, or dearer and wholly within one";

#[derive(Default)]
struct Check(Vec<CardProblem>);

impl Check {
    fn that(&mut self, ok: bool, field: impl Into<String>, must: &'static str) {
        if !ok {
            self.0.push(CardProblem { field: field.into(), must });
        }
    }

    fn money(&mut self, value: Money, field: String) {
        self.that((0..=MAX_MONEY).contains(&value.cents()), field, MONEY);
    }

    fn share(&mut self, value: i64, field: impl Into<String>) {
        self.that((0..=MAX_SHARE).contains(&value), field, SHARE);
    }

    fn minutes(&mut self, value: u32, field: impl Into<String>) {
        self.that(value <= limits::MAX_MINUTES, field, MINUTES);
    }
}

impl RateCard {
    /// Checks that every result computed with this card is exact and sensible.
    pub fn validate(&self) -> Result<(), InvalidRateCard> {
        let mut check = Check::default();
        check.that(
            self.level_one_threshold < self.level_two_threshold,
            "level_two_threshold",
            "above level_one_threshold",
        );
        check.that(self.one_truck_usable_cubic_feet > 0, "one_truck_usable_cubic_feet", POSITIVE);
        check.that((1..=MateCount::MAX).contains(&self.max_online_heads), "max_online_heads", "between 1 and 20");
        self.check_duration(&mut check);
        check_rate(&mut check, "rates.default", &self.rates.default);
        for province in self.rates.provinces.keys() {
            check_rate(&mut check, &format!("rates.{province}"), &self.rates.of(*province));
        }
        self.check_periods(&mut check);
        check_tax(&mut check, "taxes.QC", &self.taxes.quebec);
        check_tax(&mut check, "taxes.QC_from_outside", &self.taxes.quebec_from_outside);
        for (province, rule) in &self.taxes.provinces {
            check_tax(&mut check, &format!("taxes.{province}"), rule);
        }
        // Rates of a province that are missing are those for everywhere; a tax that is missing would be Quebec's.
        for province in Province::SERVED.into_iter().filter(|p| *p != Province::QC) {
            check.that(self.taxes.provinces.contains_key(&province), format!("taxes.{province}"), GIVEN);
        }
        if check.0.is_empty() { Ok(()) } else { Err(InvalidRateCard { problems: check.0 }) }
    }

    fn check_duration(&self, check: &mut Check) {
        let d = &self.duration;
        check.that(
            (1..=10_000).contains(&d.cubic_feet_per_mate_hour),
            "duration.cubic_feet_per_mate_hour",
            "between 1 and 10000",
        );
        check.that(d.crew_efficiency_bp.contains_key(&1), "duration.crew_efficiency_bp", "given for one head");
        for (heads, bp) in &d.crew_efficiency_bp {
            let field = || format!("duration.crew_efficiency_bp.{heads}");
            check.that((1..=20_000).contains(bp), field(), "between 1 and 20000 basis points");
        }
        // More heads must never mean less work an hour, or adding a mate would lengthen a move.
        let output = |mates: u8, client: u32| {
            let heads = mates + u8::from(client > 0);
            (i64::from(mates) * 1_000 + i64::from(client)).saturating_mul(d.crew_efficiency(heads))
        };
        let grows = [0, d.client_productivity_milli]
            .into_iter()
            .all(|client| (1..MateCount::MAX).all(|mates| output(mates, client) <= output(mates + 1, client)));
        check.that(grows, "duration.crew_efficiency_bp", "such that a larger crew never does less");
        check.that(d.client_productivity_milli <= 1_000, "duration.client_productivity_milli", "at most 1000");
        for (value, name) in [
            (d.stairs_bp_per_floor, "stairs_bp_per_floor"),
            (d.stairs_bp_cap, "stairs_bp_cap"),
            (d.elevator_bp, "elevator_bp"),
            (d.elevator_multi_bp, "elevator_multi_bp"),
            (d.no_parking_bp, "no_parking_bp"),
            (d.contingency_bp, "contingency_bp"),
            (d.accessibility_bp.easy, "accessibility_bp.easy"),
            (d.accessibility_bp.moderate, "accessibility_bp.moderate"),
            (d.accessibility_bp.difficult, "accessibility_bp.difficult"),
        ] {
            check.that(
                (0..=100_000).contains(&value.get()),
                format!("duration.{name}"),
                "between 0 and 100000 basis points",
            );
        }
        for (value, name) in [
            (d.assembly_mate_minutes, "assembly_mate_minutes"),
            (d.storage_extra_min, "storage_extra_min"),
            (d.ride_along_min, "ride_along_min"),
            (d.driving_break_min, "driving_break_min"),
            (d.minimum_min, "minimum_min"),
            (d.single_head_limit_min, "single_head_limit_min"),
            (d.driving_break_every_min, "driving_break_every_min"),
            (d.round_up_to_min, "round_up_to_min"),
        ] {
            check.minutes(value, format!("duration.{name}"));
        }
        check.that(d.driving_break_every_min > 0, "duration.driving_break_every_min", POSITIVE);
        check.that(d.round_up_to_min > 0, "duration.round_up_to_min", POSITIVE);
        for (item, heads) in &d.min_heads_by_item {
            let field = || format!("duration.min_heads_by_item.{item}");
            check.that((1..=MateCount::MAX).contains(heads), field(), "between 1 and 20");
        }
        for kind in crate::MoveKind::ALL {
            let rule = d.kinds.get(kind);
            check.share(rule.handling_bp.get(), format!("duration.kinds.{kind}.handling_bp"));
            check.share(rule.unload_bp.get(), format!("duration.kinds.{kind}.unload_bp"));
            check.minutes(rule.setup_min, format!("duration.kinds.{kind}.setup_min"));
            check.minutes(rule.limit_min, format!("duration.kinds.{kind}.limit_min"));
        }
    }

    fn check_periods(&self, check: &mut Check) {
        for (n, period) in self.periods.iter().enumerate() {
            let field = |name: &str| format!("periods.{n}.{name}");
            let unique = self.periods.iter().filter(|p| p.name == period.name).count() == 1;
            let is_named = !period.name.is_empty() && period.name != super::BASE_PERIOD;
            check.that(is_named, field("name"), "a name other than that of the base");
            check.that(unique || !is_named, field("name"), UNIQUE);
            // A lower one could never win: the highest matching multiplier does.
            let is_factor = |p: &Period| (10_000..=100_000).contains(&p.multiplier_bp.get());
            check.that(is_factor(period), field("multiplier_bp"), "between 10000 and 100000 basis points");
            check.that(Province::ALL.into_iter().any(|p| period.is_at(p)), field("provinces"), GIVEN);
            let mut earlier = self.periods.iter().take(n).filter(|p| is_factor(p));
            let confused = is_factor(period) && earlier.any(|other| period.is_confused_with(other));
            check.that(!confused, field("from"), APART);
        }
    }
}

fn check_rate(check: &mut Check, at: &str, rate: &Rate) {
    for (value, name) in [
        (rate.first_mate_hourly, "first_mate_hourly"),
        (rate.first_mate_hourly_no_truck, "first_mate_hourly_no_truck"),
        (rate.additional_mate_hourly, "additional_mate_hourly"),
        (rate.km_fee, "km_fee"),
        (rate.long_distance_km_fee, "long_distance_km_fee"),
        (rate.ride_along_fee, "ride_along_fee"),
        (rate.truck_fee_by_tier[0], "truck_fee_by_tier.0"),
        (rate.truck_fee_by_tier[1], "truck_fee_by_tier.1"),
        (rate.truck_fee_by_tier[2], "truck_fee_by_tier.2"),
    ] {
        check.money(value, format!("{at}.{name}"));
    }
    for service in ExtraService::ALL {
        if let Some(price) = rate.extra_services.get(service) {
            check.money(price, format!("{at}.extra_services.{service}"));
        }
    }
    check.that(rate.first_mate_hourly.is_positive(), format!("{at}.first_mate_hourly"), POSITIVE);
    check.that(rate.first_mate_hourly_no_truck.is_positive(), format!("{at}.first_mate_hourly_no_truck"), POSITIVE);
    check.share(rate.return_labour_bp.get(), format!("{at}.return_labour_bp"));
    check.share(rate.overtime_bp.get(), format!("{at}.overtime_bp"));
    check.minutes(rate.travel_fee_min, format!("{at}.travel_fee_min"));
    check.minutes(rate.overtime_grace_min, format!("{at}.overtime_grace_min"));
    check.minutes(rate.overtime_step_min, format!("{at}.overtime_step_min"));
    check.that(rate.overtime_step_min > 0, format!("{at}.overtime_step_min"), POSITIVE);
    check.that(rate.included_km <= 100_000, format!("{at}.included_km"), "at most 100000");
    for kind in crate::MoveKind::ALL {
        let minimum = *rate.minimum_billed_min.get(kind);
        for tier in 1..=3 {
            check.minutes(minimum.of_tier(tier), format!("{at}.minimum_billed_min.{kind}"));
        }
    }
}

fn check_tax(check: &mut Check, at: &str, rule: &TaxRule) {
    let sum = rule.components.iter().fold(0i64, |sum, c| sum.saturating_add(c.rate.get()));
    check.that(
        !rule.components.is_empty() && sum == rule.rate.get(),
        format!("{at}.components"),
        "rates that add up to rate_ppm",
    );
    let sane = |rate: i64| (0..=1_000_000).contains(&rate);
    check.that(
        sane(rule.rate.get()) && rule.components.iter().all(|c| sane(c.rate.get())),
        format!("{at}.rate_ppm"),
        "between 0 and 1000000",
    );
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use kernel::{BasisPoints, Ppm};

    use super::*;

    #[test]
    fn rates_of_a_province_may_be_those_for_everywhere() {
        let mut card = RateCard::builtin();
        card.rates.provinces.clear();
        card.validate().unwrap();
        assert_eq!(card.rate(Province::ON), card.rates.default);
    }

    #[test]
    fn periods_that_nobody_can_tell_apart_are_named() {
        let crossing = |c: &mut RateCard| {
            let mut other = c.periods[1].clone();
            other.name = "july".to_owned();
            other.rule = crate::PeriodRule::Range { from: "07-02".parse().unwrap(), to: "07-31".parse().unwrap() };
            c.periods.push(other);
        };
        assert_eq!(problems(crossing), ["periods.10.from"]);
    }

    fn problems(change: impl FnOnce(&mut RateCard)) -> Vec<String> {
        let mut card = RateCard::builtin();
        change(&mut card);
        card.validate().err().map_or_else(Vec::new, |e| e.problems.into_iter().map(|p| p.field).collect())
    }

    #[test]
    fn each_mistake_is_named() {
        assert_eq!(problems(|c| c.level_two_threshold = 400), ["level_two_threshold"]);
        assert_eq!(
            problems(|c| c.rates.default.km_fee = Money::from_cents(-1)).first().unwrap(),
            "rates.default.km_fee"
        );
        assert_eq!(problems(|c| c.taxes.quebec.rate = Ppm::new(149_751)), ["taxes.QC.components"]);
        assert_eq!(problems(|c| c.duration.round_up_to_min = 0), ["duration.round_up_to_min"]);
        assert_eq!(problems(|c| c.periods[0].multiplier_bp = BasisPoints::new(9_000)), ["periods.0.multiplier_bp"]);
        assert_eq!(problems(|c| c.periods[1].name = "qc-moving-day".to_owned()), ["periods.0.name", "periods.1.name"]);
        assert_eq!(problems(|c| drop(c.taxes.provinces.remove(&Province::ON))), ["taxes.ON"]);
        assert_eq!(problems(|c| c.periods[0].provinces = Some(Vec::new())), ["periods.0.provinces"]);
        assert_eq!(problems(|c| c.periods[0].multiplier_bp = BasisPoints::new(0)), ["periods.0.multiplier_bp"]);
        assert_eq!(
            problems(|c| {
                c.duration.crew_efficiency_bp.insert(3, 6_000);
            }),
            ["duration.crew_efficiency_bp"]
        );
        let text = {
            let mut c = RateCard::builtin();
            c.max_online_heads = 0;
            c
        }
        .validate()
        .unwrap_err()
        .to_string();
        assert_eq!(text, "the rate card is not valid: max_online_heads must be between 1 and 20");
    }
}
