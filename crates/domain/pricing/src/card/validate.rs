//! Whether a rate card can be put in force.

use std::fmt;

use kernel::{Bounds, MateCount, Measure, Must, Province};

use super::{Period, Rate, RateCard, TaxRule};
use crate::{ExtraService, limits};

/// One thing wrong with a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardProblem {
    /// Path of the field, `rates.ON.km_fee`.
    pub field: String,
    /// What it must be.
    pub must: Must,
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
const MAX_MINUTES: i64 = limits::MAX_MINUTES as i64;
const MAX_HEADS: i64 = MateCount::MAX as i64;

const MONEY: Bounds = Bounds::Between(0, MAX_MONEY, Measure::Cents);
/// Of what cannot be given away.
const PRICE: Bounds = Bounds::Between(1, MAX_MONEY, Measure::Cents);
/// Up to a factor of one hundred.
const SHARE: Bounds = Bounds::Between(0, 1_000_000, Measure::BasisPoints);
/// What makes work longer, up to a factor of ten.
const SURCHARGE: Bounds = Bounds::Between(0, 100_000, Measure::BasisPoints);
const EFFICIENCY: Bounds = Bounds::Between(1, 20_000, Measure::BasisPoints);
/// Of a period. A lower one could never win: the highest matching multiplier does.
const MULTIPLIER: Bounds = Bounds::Between(10_000, 100_000, Measure::BasisPoints);
const MINUTES: Bounds = Bounds::AtMost(MAX_MINUTES, Measure::Minutes);
/// Of what something is divided by.
const STEP: Bounds = Bounds::Between(1, MAX_MINUTES, Measure::Minutes);
const HEADS: Bounds = Bounds::Between(1, MAX_HEADS, Measure::Count);
/// Cubic feet that one mate carries in an hour.
const SPEED: Bounds = Bounds::Between(1, 10_000, Measure::Count);
/// Thousandths of a mate.
const CLIENT: Bounds = Bounds::AtMost(1_000, Measure::Count);
const KILOMETRES: Bounds = Bounds::AtMost(100_000, Measure::Count);
/// Parts per million.
const TAX: Bounds = Bounds::Between(0, 1_000_000, Measure::Count);
const POSITIVE: Bounds = Bounds::AtLeast(1, Measure::Count);

#[derive(Default)]
struct Check(Vec<CardProblem>);

impl Check {
    fn that(&mut self, ok: bool, field: impl Into<String>, must: Must) {
        if !ok {
            self.0.push(CardProblem { field: field.into(), must });
        }
    }

    fn within(&mut self, figure: impl Into<i64>, field: impl Into<String>, bounds: Bounds) {
        self.that(bounds.hold(figure.into()), field, Must::Within(bounds));
    }
}

impl RateCard {
    /// Checks that every result computed with this card is exact and sensible.
    pub fn validate(&self) -> Result<(), InvalidRateCard> {
        let mut check = Check::default();
        check.that(
            self.level_one_threshold < self.level_two_threshold,
            "level_two_threshold",
            Must::Sized("above level_one_threshold"),
        );
        check.within(self.one_truck_usable_cubic_feet, "one_truck_usable_cubic_feet", POSITIVE);
        check.within(self.max_online_heads, "max_online_heads", HEADS);
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
            check.that(self.taxes.provinces.contains_key(&province), format!("taxes.{province}"), Must::Given);
        }
        if check.0.is_empty() { Ok(()) } else { Err(InvalidRateCard { problems: check.0 }) }
    }

    fn check_duration(&self, check: &mut Check) {
        let d = &self.duration;
        check.within(d.cubic_feet_per_mate_hour, "duration.cubic_feet_per_mate_hour", SPEED);
        let has_one = d.crew_efficiency_bp.contains_key(&1);
        check.that(has_one, "duration.crew_efficiency_bp", Must::Formed("given for one head"));
        for (heads, bp) in &d.crew_efficiency_bp {
            check.within(*bp, format!("duration.crew_efficiency_bp.{heads}"), EFFICIENCY);
        }
        // More heads must never mean less work an hour, or adding a mate would lengthen a move.
        let output = |mates: u8, client: u32| {
            let heads = mates + u8::from(client > 0);
            (i64::from(mates) * 1_000 + i64::from(client)).saturating_mul(d.crew_efficiency(heads))
        };
        let grows = [0, d.client_productivity_milli]
            .into_iter()
            .all(|client| (1..MateCount::MAX).all(|mates| output(mates, client) <= output(mates + 1, client)));
        let growing = Must::Formed("such that a larger crew never does less");
        check.that(grows, "duration.crew_efficiency_bp", growing);
        check.within(d.client_productivity_milli, "duration.client_productivity_milli", CLIENT);
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
            check.within(value.get(), format!("duration.{name}"), SURCHARGE);
        }
        for (value, name) in [
            (d.assembly_mate_minutes, "assembly_mate_minutes"),
            (d.storage_extra_min, "storage_extra_min"),
            (d.ride_along_min, "ride_along_min"),
            (d.driving_break_min, "driving_break_min"),
            (d.minimum_min, "minimum_min"),
            (d.single_head_limit_min, "single_head_limit_min"),
        ] {
            check.within(value, format!("duration.{name}"), MINUTES);
        }
        check.within(d.driving_break_every_min, "duration.driving_break_every_min", STEP);
        check.within(d.round_up_to_min, "duration.round_up_to_min", STEP);
        for (item, heads) in &d.min_heads_by_item {
            check.within(*heads, format!("duration.min_heads_by_item.{item}"), HEADS);
        }
        for kind in crate::MoveKind::ALL {
            let rule = d.kinds.get(kind);
            check.within(rule.handling_bp.get(), format!("duration.kinds.{kind}.handling_bp"), SHARE);
            check.within(rule.unload_bp.get(), format!("duration.kinds.{kind}.unload_bp"), SHARE);
            check.within(rule.setup_min, format!("duration.kinds.{kind}.setup_min"), MINUTES);
            check.within(rule.limit_min, format!("duration.kinds.{kind}.limit_min"), MINUTES);
        }
    }

    fn check_periods(&self, check: &mut Check) {
        for (n, period) in self.periods.iter().enumerate() {
            let field = |name: &str| format!("periods.{n}.{name}");
            let unique = self.periods.iter().filter(|p| p.name == period.name).count() == 1;
            let is_named = !period.name.is_empty() && period.name != super::BASE_PERIOD;
            check.that(is_named, field("name"), Must::Formed("a name other than that of the base"));
            check.that(unique || !is_named, field("name"), Must::Unique("a name of its own"));
            let is_factor = |p: &Period| MULTIPLIER.hold(p.multiplier_bp.get());
            check.within(period.multiplier_bp.get(), field("multiplier_bp"), MULTIPLIER);
            check.that(Province::ALL.into_iter().any(|p| period.is_at(p)), field("provinces"), Must::Given);
            let mut earlier = self.periods.iter().take(n).filter(|p| is_factor(p));
            let confused = is_factor(period) && earlier.any(|other| period.is_confused_with(other));
            let apart = Must::Apart("apart from the other periods of its provinces, or dearer and wholly within one");
            check.that(!confused, field("from"), apart);
        }
    }
}

fn check_rate(check: &mut Check, at: &str, rate: &Rate) {
    check.within(rate.first_mate_hourly.cents(), format!("{at}.first_mate_hourly"), PRICE);
    check.within(rate.first_mate_hourly_no_truck.cents(), format!("{at}.first_mate_hourly_no_truck"), PRICE);
    for (value, name) in [
        (rate.additional_mate_hourly, "additional_mate_hourly"),
        (rate.km_fee, "km_fee"),
        (rate.long_distance_km_fee, "long_distance_km_fee"),
        (rate.ride_along_fee, "ride_along_fee"),
        (rate.truck_fee_by_tier[0], "truck_fee_by_tier.0"),
        (rate.truck_fee_by_tier[1], "truck_fee_by_tier.1"),
        (rate.truck_fee_by_tier[2], "truck_fee_by_tier.2"),
    ] {
        check.within(value.cents(), format!("{at}.{name}"), MONEY);
    }
    for service in ExtraService::ALL {
        if let Some(price) = rate.extra_services.get(service) {
            check.within(price.cents(), format!("{at}.extra_services.{service}"), MONEY);
        }
    }
    check.within(rate.return_labour_bp.get(), format!("{at}.return_labour_bp"), SHARE);
    check.within(rate.overtime_bp.get(), format!("{at}.overtime_bp"), SHARE);
    check.within(rate.travel_fee_min, format!("{at}.travel_fee_min"), MINUTES);
    check.within(rate.overtime_grace_min, format!("{at}.overtime_grace_min"), MINUTES);
    check.within(rate.overtime_step_min, format!("{at}.overtime_step_min"), STEP);
    check.within(rate.included_km, format!("{at}.included_km"), KILOMETRES);
    for kind in crate::MoveKind::ALL {
        let minimum = *rate.minimum_billed_min.get(kind);
        for tier in 1..=3 {
            check.within(minimum.of_tier(tier), format!("{at}.minimum_billed_min.{kind}"), MINUTES);
        }
    }
}

fn check_tax(check: &mut Check, at: &str, rule: &TaxRule) {
    let sum = rule.components.iter().fold(0i64, |sum, c| sum.saturating_add(c.rate.get()));
    check.that(
        !rule.components.is_empty() && sum == rule.rate.get(),
        format!("{at}.components"),
        Must::Formed("rates that add up to rate_ppm"),
    );
    let sane = TAX.hold(rule.rate.get()) && rule.components.iter().all(|c| TAX.hold(c.rate.get()));
    check.that(sane, format!("{at}.rate_ppm"), Must::Within(TAX));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use kernel::{BasisPoints, Money, Ppm};

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
        // One figure out of its bounds is one mistake, also where it may not be nothing.
        assert_eq!(problems(|c| c.duration.driving_break_every_min = 0), ["duration.driving_break_every_min"]);
        let free = problems(|c| c.rates.default.first_mate_hourly = Money::from_cents(-1));
        assert_eq!(free.iter().filter(|field| *field == "rates.default.first_mate_hourly").count(), 1);
    }
}
