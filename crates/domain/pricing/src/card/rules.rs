//! The part of the rate card that turns belongings and access into minutes.

use std::collections::BTreeMap;

use kernel::{Accessibility, BasisPoints};
use serde::{Deserialize, Serialize};

use super::ints::bp;
use crate::MoveKind;

/// One value a kind of move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PerKind<T> {
    pub residential: T,
    pub storage: T,
    pub just_mates: T,
    pub long_distance: T,
    pub commercial: T,
    pub item_delivery: T,
    pub curbside: T,
    pub white_glove: T,
}

impl<T> PerKind<T> {
    /// The value of `kind`.
    pub const fn get(&self, kind: MoveKind) -> &T {
        match kind {
            MoveKind::Residential => &self.residential,
            MoveKind::Storage => &self.storage,
            MoveKind::JustMates => &self.just_mates,
            MoveKind::LongDistance => &self.long_distance,
            MoveKind::Commercial => &self.commercial,
            MoveKind::ItemDelivery => &self.item_delivery,
            MoveKind::Curbside => &self.curbside,
            MoveKind::WhiteGlove => &self.white_glove,
        }
    }

    /// The place of the value of `kind`.
    pub const fn get_mut(&mut self, kind: MoveKind) -> &mut T {
        match kind {
            MoveKind::Residential => &mut self.residential,
            MoveKind::Storage => &mut self.storage,
            MoveKind::JustMates => &mut self.just_mates,
            MoveKind::LongDistance => &mut self.long_distance,
            MoveKind::Commercial => &mut self.commercial,
            MoveKind::ItemDelivery => &mut self.item_delivery,
            MoveKind::Curbside => &mut self.curbside,
            MoveKind::WhiteGlove => &mut self.white_glove,
        }
    }
}

/// How a kind of move is worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindRule {
    /// Factor on loading and unloading (wrapping, inventory, placing).
    #[serde(with = "bp")]
    pub handling_bp: BasisPoints,
    /// Fixed minutes.
    pub setup_min: u32,
    /// Pieces are taken apart and put together.
    pub assembly: bool,
    /// Longest day, minutes.
    pub limit_min: u32,
    /// Left at the curb: the drop-off's access does not count.
    #[serde(default, skip_serializing_if = "is_false")]
    pub curbside: bool,
    /// Further factor on unloading.
    #[serde(default = "one", skip_serializing_if = "is_one", with = "bp")]
    pub unload_bp: BasisPoints,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn one() -> BasisPoints {
    BasisPoints::ONE
}

fn is_one(value: &BasisPoints) -> bool {
    *value == BasisPoints::ONE
}

/// Surcharge by grade of access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct AccessibilityShares {
    #[serde(with = "bp")]
    pub easy: BasisPoints,
    #[serde(with = "bp")]
    pub moderate: BasisPoints,
    #[serde(with = "bp")]
    pub difficult: BasisPoints,
}

impl AccessibilityShares {
    /// The surcharge of `grade`.
    pub const fn get(&self, grade: Accessibility) -> BasisPoints {
        match grade {
            Accessibility::Easy => self.easy,
            Accessibility::Moderate => self.moderate,
            Accessibility::Difficult => self.difficult,
        }
    }
}

/// Parameters of the duration model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DurationRules {
    /// Loading and unloading together, perfect access, one mate.
    pub cubic_feet_per_mate_hour: u32,
    /// Efficiency of each head by number of heads; larger crews take the last row.
    pub crew_efficiency_bp: BTreeMap<u8, i64>,
    /// A customer's work in thousandths of a mate's.
    pub client_productivity_milli: u32,
    /// Per floor from the ground.
    #[serde(with = "bp")]
    pub stairs_bp_per_floor: BasisPoints,
    /// Most for stairs.
    #[serde(with = "bp")]
    pub stairs_bp_cap: BasisPoints,
    /// Most with an elevator.
    #[serde(with = "bp")]
    pub elevator_bp: BasisPoints,
    /// Most with two, or a reserved one.
    #[serde(with = "bp")]
    pub elevator_multi_bp: BasisPoints,
    /// Without a place for the truck.
    #[serde(with = "bp")]
    pub no_parking_bp: BasisPoints,
    /// By grade of access.
    pub accessibility_bp: AccessibilityShares,
    /// Mate-minutes a piece.
    pub assembly_mate_minutes: u32,
    /// On loading, unloading and assembly.
    #[serde(with = "bp")]
    pub contingency_bp: BasisPoints,
    /// Gate and paperwork of a storage unit.
    pub storage_extra_min: u32,
    /// A passenger gets in and out.
    pub ride_along_min: u32,
    /// A driving break falls due every so many minutes of a long-distance drive.
    pub driving_break_every_min: u32,
    /// Its length.
    pub driving_break_min: u32,
    /// Durations are multiples of this.
    pub round_up_to_min: u32,
    /// Shortest duration.
    pub minimum_min: u32,
    /// Longest day of a single head.
    pub single_head_limit_min: u32,
    /// A big item has at least this volume.
    pub big_item_min_cubic_feet: u32,
    /// Heads that some items need.
    pub min_heads_by_item: BTreeMap<String, u8>,
    /// Items only the support team can book.
    pub support_only_items: Vec<String>,
    /// By kind of move.
    pub kinds: PerKind<KindRule>,
}

impl DurationRules {
    /// Efficiency of each of `heads`, basis points.
    pub fn crew_efficiency(&self, heads: u8) -> i64 {
        self.crew_efficiency_bp.range(..=heads).next_back().map_or(BasisPoints::ONE.get(), |(_, bp)| *bp)
    }
}
