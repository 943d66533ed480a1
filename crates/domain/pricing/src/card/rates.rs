//! Hourly rates and fees: a default, and what a province changes of it field by field.

use std::{collections::BTreeMap, fmt};

use kernel::{BasisPoints, Money, Province};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, MapAccess, Visitor},
};

use super::ints::{bp, cents, cents_by_tier, optional_bp, optional_cents, optional_cents_by_tier};
use super::rules::PerKind;
use crate::{ExtraPrices, MoveKind};

/// Least minutes a move is billed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "whole minutes, or a list of three: one a tier")]
pub enum Minimum {
    /// The same for all sizes.
    Flat(u32),
    /// By tier 1, 2, 3.
    ByTier([u32; 3]),
}

impl Minimum {
    /// Minutes for a tier.
    pub fn of_tier(self, tier: u8) -> u32 {
        match self {
            Minimum::Flat(minutes) => minutes,
            Minimum::ByTier(minutes) => minutes[tier_index(tier)],
        }
    }
}

/// Position of a tier in a list of three; anything else is read as the nearest tier.
pub(crate) fn tier_index(tier: u8) -> usize {
    usize::from(tier.clamp(1, 3) - 1)
}

/// The rates that apply at one pickup, before tax.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// First mate an hour, with truck and driver.
    #[serde(with = "cents")]
    pub first_mate_hourly: Money,
    /// First mate an hour, labour only.
    #[serde(with = "cents")]
    pub first_mate_hourly_no_truck: Money,
    /// Each further mate an hour.
    #[serde(with = "cents")]
    pub additional_mate_hourly: Money,
    /// Depot to customer and back, minutes of the crew's rate.
    pub travel_fee_min: u32,
    /// A move, by tier.
    #[serde(with = "cents_by_tier")]
    pub truck_fee_by_tier: [Money; 3],
    /// Kilometres without charge.
    pub included_km: u32,
    /// Each further kilometre.
    #[serde(with = "cents")]
    pub km_fee: Money,
    /// Long distance: each kilometre beyond the included, there and back.
    #[serde(with = "cents")]
    pub long_distance_km_fee: Money,
    /// Share of the crew's rate for the empty way back.
    #[serde(with = "bp")]
    pub return_labour_bp: BasisPoints,
    /// A customer in the truck.
    #[serde(with = "cents")]
    pub ride_along_fee: Money,
    /// Factor on the crew's rate.
    #[serde(with = "bp")]
    pub overtime_bp: BasisPoints,
    /// Overtime up to this many minutes is free.
    pub overtime_grace_min: u32,
    /// Beyond it, all of it is billed in such steps.
    pub overtime_step_min: u32,
    /// By kind.
    pub minimum_billed_min: PerKind<Minimum>,
    /// A move, by service; none has a price until the operator gives one.
    #[serde(default, skip_serializing_if = "ExtraPrices::is_empty")]
    pub extra_services: ExtraPrices,
}

impl Rate {
    /// What the crew costs an hour; a customer who helps is not paid.
    pub fn crew_hourly(&self, mates: u8, just_mates: bool) -> Money {
        let first = if just_mates { self.first_mate_hourly_no_truck } else { self.first_mate_hourly };
        let further = i64::from(mates).saturating_sub(1).max(0);
        first.plus(Money::from_cents(self.additional_mate_hourly.cents().saturating_mul(further)))
    }
}

/// What a province changes; missing fields keep the default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)]
pub struct RateOverride {
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub first_mate_hourly: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub first_mate_hourly_no_truck: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub additional_mate_hourly: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub travel_fee_min: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents_by_tier")]
    pub truck_fee_by_tier: Option<[Money; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub included_km: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub km_fee: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub long_distance_km_fee: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_bp")]
    pub return_labour_bp: Option<BasisPoints>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub ride_along_fee: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_bp")]
    pub overtime_bp: Option<BasisPoints>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overtime_grace_min: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overtime_step_min: Option<u32>,
    /// Kinds that are missing keep the default as well.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub minimum_billed_min: BTreeMap<MoveKind, Minimum>,
    /// Services that are missing keep the default as well.
    #[serde(skip_serializing_if = "ExtraPrices::is_empty")]
    pub extra_services: ExtraPrices,
}

impl RateOverride {
    /// `base` with these changes.
    pub fn over(&self, base: &Rate) -> Rate {
        let mut minimum_billed_min = base.minimum_billed_min;
        for (kind, minimum) in &self.minimum_billed_min {
            *minimum_billed_min.get_mut(*kind) = *minimum;
        }
        Rate {
            first_mate_hourly: self.first_mate_hourly.unwrap_or(base.first_mate_hourly),
            first_mate_hourly_no_truck: self.first_mate_hourly_no_truck.unwrap_or(base.first_mate_hourly_no_truck),
            additional_mate_hourly: self.additional_mate_hourly.unwrap_or(base.additional_mate_hourly),
            travel_fee_min: self.travel_fee_min.unwrap_or(base.travel_fee_min),
            truck_fee_by_tier: self.truck_fee_by_tier.unwrap_or(base.truck_fee_by_tier),
            included_km: self.included_km.unwrap_or(base.included_km),
            km_fee: self.km_fee.unwrap_or(base.km_fee),
            long_distance_km_fee: self.long_distance_km_fee.unwrap_or(base.long_distance_km_fee),
            return_labour_bp: self.return_labour_bp.unwrap_or(base.return_labour_bp),
            ride_along_fee: self.ride_along_fee.unwrap_or(base.ride_along_fee),
            overtime_bp: self.overtime_bp.unwrap_or(base.overtime_bp),
            overtime_grace_min: self.overtime_grace_min.unwrap_or(base.overtime_grace_min),
            overtime_step_min: self.overtime_step_min.unwrap_or(base.overtime_step_min),
            minimum_billed_min,
            extra_services: self.extra_services.over(&base.extra_services),
        }
    }
}

/// The default rate and the provinces' changes of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rates {
    /// Where no province says otherwise.
    pub default: Rate,
    /// By province of the pickup.
    #[serde(flatten)]
    pub provinces: BTreeMap<Province, RateOverride>,
}

// Not read through serde's `flatten`, which forgets where in the card a mistake is.
impl<'de> Deserialize<'de> for Rates {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_map(ReadRates)
    }
}

struct ReadRates;

impl<'de> Visitor<'de> for ReadRates {
    type Value = Rates;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`default` and provinces")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Rates, A::Error> {
        let (mut default, mut provinces) = (None, BTreeMap::new());
        while let Some(key) = map.next_key::<String>()? {
            let twice = if key == "default" {
                default.replace(map.next_value()?).is_some()
            } else {
                let province = super::province(&key).map_err(A::Error::custom)?;
                provinces.insert(province, map.next_value()?).is_some()
            };
            if twice {
                return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
            }
        }
        Ok(Rates { default: default.ok_or_else(|| A::Error::missing_field("default"))?, provinces })
    }
}

impl Rates {
    /// The rate at a pickup.
    pub fn of(&self, province: Province) -> Rate {
        self.provinces.get(&province).map_or(self.default, |o| o.over(&self.default))
    }
}
