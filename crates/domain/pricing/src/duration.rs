//! How long a move takes, and whether the crew suits it.

use kernel::{BasisPoints, ceil_to};
use serde::{Deserialize, Serialize};

use crate::card::KindRule;
use crate::{MoveKind, MoveRequest, PricedItem, RateCard, Stop, Warning, ratio::ratio};

/// Heads a customer may be told to book; beyond it the support team helps.
pub const MOST_SUGGESTED_HEADS: u8 = 3;

/// Centi-minutes in a minute.
const CENTI: i64 = 100;
/// Basis points of one.
const ONE: i64 = BasisPoints::ONE.get();
/// Share of loading and of unloading in the base time: unloading takes three quarters of loading.
const LOAD_PART: i64 = 4;
const UNLOAD_PART: i64 = 3;
const BOTH_PARTS: i64 = LOAD_PART + UNLOAD_PART;

/// The parts of a duration, centi-minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Parts {
    /// Into the truck.
    pub load: i64,
    /// Out of it.
    pub unload: i64,
    /// Taking apart and putting together.
    pub assembly: i64,
    /// Margin of a fixed price.
    pub contingency: i64,
    /// The loaded leg.
    pub travel: i64,
    /// Breaks of a long drive.
    pub breaks: i64,
    /// Set-up, paperwork, passenger.
    pub fixed: i64,
    /// All of them.
    pub total: i64,
}

/// How long a move takes and what was found on the way there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Duration {
    /// Rounded up to the card's step, at least its minimum.
    pub minutes: u32,
    /// Longest day for this kind and crew, minutes.
    pub limit: u32,
    /// `is_duration_within_limit` of the specification.
    pub within_limit: bool,
    /// Size class, 1 to 3.
    pub tier: u8,
    /// Volume, tenths of a cubic foot; stops at the largest `u32`.
    pub total_dcf: u32,
    /// Pieces of at least 50 cubic feet.
    pub big_items: u32,
    /// The other pieces.
    pub small_items: u32,
    /// Pieces to take apart.
    pub assembly_pieces: u32,
    /// The kind after the long-distance rule.
    pub effective_kind: MoveKind,
    /// Labour only: by the flag or by the kind.
    pub just_mates: bool,
    /// Mates and the helping customer.
    pub heads: u8,
    /// Heads the belongings need.
    pub min_heads: u8,
    /// Labour in thousandths of a mate, crew efficiency included.
    pub labour_milli: i64,
    /// Access factor of the pickup.
    pub access_pickup: BasisPoints,
    /// Access factor of the drop-off.
    pub access_dropoff: BasisPoints,
    /// Where the time goes.
    pub parts: Parts,
    /// What stops the booking, most telling first.
    pub warnings: Vec<Warning>,
}

impl Duration {
    /// Volume in cubic feet with one decimal, `"249.0"`.
    pub fn cubic_feet_text(&self) -> String {
        format!("{}.{}", self.total_dcf / 10, self.total_dcf % 10)
    }

    /// True when a customer cannot book this online.
    pub fn is_blocked(&self) -> bool {
        self.warnings.iter().any(|w| w.is_blocking())
    }
}

#[derive(Default)]
struct Inventory {
    dcf: u32,
    big: u32,
    small: u32,
    pieces: u32,
    heavy: bool,
    heads: u8,
    support: bool,
}

fn inventory(items: &[PricedItem], card: &RateCard) -> Inventory {
    let rules = &card.duration;
    let big_from = u64::from(rules.big_item_min_cubic_feet) * 10;
    let mut all = Inventory::default();
    for item in items.iter().filter(|i| i.quantity > 0) {
        all.dcf = all.dcf.saturating_add(item.dcf.saturating_mul(item.quantity));
        let count = if u64::from(item.dcf) >= big_from { &mut all.big } else { &mut all.small };
        *count = count.saturating_add(item.quantity);
        if item.needs_assembly {
            all.pieces = all.pieces.saturating_add(item.quantity);
        }
        all.heavy |= item.heavy;
        all.heads = all.heads.max(rules.min_heads_by_item.get(&item.id).copied().unwrap_or(0));
        all.support |= rules.support_only_items.contains(&item.id);
    }
    all
}

/// Factor of one end's access, basis points: stairs or elevator, parking, path.
fn access(stop: &Stop, card: &RateCard) -> i64 {
    let rules = &card.duration;
    let floors = i64::from(stop.floor.unsigned_abs());
    let mut stairs = floors.saturating_mul(rules.stairs_bp_per_floor.get()).min(rules.stairs_bp_cap.get());
    if stop.elevator > 0 {
        let lift = if stop.elevator == 1 { rules.elevator_bp } else { rules.elevator_multi_bp };
        stairs = stairs.min(lift.get());
    }
    let parking = if stop.parking { 0 } else { rules.no_parking_bp.get() };
    let path = rules.accessibility_bp.get(stop.accessibility).get();
    ONE.saturating_add(stairs).saturating_add(parking).saturating_add(path)
}

/// Everything of a move that does not depend on the number of mates.
struct Work<'a> {
    job: &'a MoveRequest,
    card: &'a RateCard,
    all: Inventory,
    kind: MoveKind,
    just_mates: bool,
    rule: &'a KindRule,
    access_pickup: i64,
    access_dropoff: i64,
    travel: i64,
    breaks: i64,
    fixed: i64,
}

/// What a crew makes of the work.
struct Effort {
    labour_milli: i64,
    parts: Parts,
    minutes: u32,
    limit: u32,
}

impl Effort {
    fn within_limit(&self) -> bool {
        self.minutes <= self.limit
    }
}

impl<'a> Work<'a> {
    fn of(job: &'a MoveRequest, card: &'a RateCard) -> Self {
        let rules = &card.duration;
        let far = u64::from(job.distance_km10) > u64::from(card.long_distance_over_km) * 10;
        let may_be_far = matches!(job.kind, MoveKind::Residential | MoveKind::Storage | MoveKind::Commercial);
        let kind = if far && may_be_far { MoveKind::LongDistance } else { job.kind };
        let just_mates = job.just_mates || kind == MoveKind::JustMates;
        let rule = rules.kinds.get(if just_mates { MoveKind::JustMates } else { kind });

        let travel_minutes = i64::from(job.travel_minutes.max(1));
        let break_count = match travel_minutes.checked_div(i64::from(rules.driving_break_every_min)) {
            Some(n) if kind == MoveKind::LongDistance && !just_mates => n,
            _ => 0,
        };
        let mut fixed = i64::from(rule.setup_min);
        if kind == MoveKind::Storage {
            fixed += i64::from(rules.storage_extra_min);
        }
        if job.ride_along {
            fixed += i64::from(rules.ride_along_min);
        }
        Work {
            job,
            card,
            all: inventory(&job.items, card),
            kind,
            just_mates,
            rule,
            access_pickup: access(&job.pickup, card),
            access_dropoff: if rule.curbside { ONE } else { access(&job.dropoff, card) },
            travel: travel_minutes * CENTI,
            breaks: break_count.saturating_mul(i64::from(rules.driving_break_min)).saturating_mul(CENTI),
            fixed: fixed.saturating_mul(CENTI),
        }
    }

    /// The time `mates` need, together with the customer when they help.
    fn by(&self, mates: u8) -> Effort {
        let rules = &self.card.duration;
        let client = u8::from(self.job.client_as_mate);
        let heads = mates.saturating_add(client);
        let heads_milli = 1_000 * i64::from(mates) + i64::from(rules.client_productivity_milli) * i64::from(client);
        let labour_milli = heads_milli.saturating_mul(rules.crew_efficiency(heads)) / ONE;

        // Tenths of a cubic foot by cubic feet an hour, to centi-minutes, by thousandths of a mate.
        let base = i64::from(self.all.dcf) * 60 * CENTI * 1_000;
        let per_hour = 10 * i64::from(rules.cubic_feet_per_mate_hour);
        let handling = self.rule.handling_bp.get();
        let load =
            ratio(&[base, LOAD_PART, self.access_pickup, handling], &[per_hour, labour_milli, BOTH_PARTS, ONE, ONE]);
        let unload = ratio(
            &[base, UNLOAD_PART, self.access_dropoff, handling, self.rule.unload_bp.get()],
            &[per_hour, labour_milli, BOTH_PARTS, ONE, ONE, ONE],
        );
        let assembly =
            ratio(&[self.assembly_pieces().into(), rules.assembly_mate_minutes.into(), CENTI, 1_000], &[heads_milli]);
        let handled = load.saturating_add(unload).saturating_add(assembly);
        let contingency = ratio(&[handled, rules.contingency_bp.get()], &[ONE]);
        let total = [contingency, self.travel, self.breaks, self.fixed].into_iter().fold(handled, i64::saturating_add);
        let minutes = ceil_to(total, i64::from(rules.round_up_to_min) * CENTI) / CENTI;
        let minutes = u32::try_from(minutes).unwrap_or(u32::MAX).max(rules.minimum_min);
        let limit = if heads == 1 { self.rule.limit_min.min(rules.single_head_limit_min) } else { self.rule.limit_min };
        let parts = Parts {
            load,
            unload,
            assembly,
            contingency,
            travel: self.travel,
            breaks: self.breaks,
            fixed: self.fixed,
            total,
        };
        Effort { labour_milli, parts, minutes, limit }
    }

    fn assembly_pieces(&self) -> u32 {
        if self.rule.assembly { self.all.pieces } else { 0 }
    }

    /// Heads needed whatever the time: heavy items, size class, special items.
    fn min_heads(&self, tier: u8) -> u8 {
        let by_size = match tier {
            0 | 1 => 1,
            2 => 2,
            _ => 3,
        };
        let by_weight = if self.all.heavy { 2 } else { 1 };
        by_size.max(by_weight).max(self.all.heads)
    }

    fn warnings(&self, heads: u8, min_heads: u8, within_limit: bool) -> Vec<Warning> {
        let mates = self.job.mate_count.get();
        let mut found = Vec::new();
        let lonely = self.all.heavy && mates == 1 && !self.job.client_as_mate;
        if lonely {
            found.push(Warning::HeavyItemSingleMate);
        }
        let short = min_heads > heads || !within_limit;
        let enough = || {
            let crews = heads.saturating_add(1)..=MOST_SUGGESTED_HEADS;
            crews.into_iter().find(|k| *k >= min_heads && self.by(mates + (k - heads)).within_limit())
        };
        let too_large = u64::from(self.all.dcf) > u64::from(self.card.one_truck_usable_cubic_feet) * 10;
        let crowd = heads > self.card.max_online_heads;
        if too_large || crowd || self.all.support {
            found.push(Warning::ContactSupport);
        } else if short {
            match enough() {
                None => found.push(Warning::ContactSupport),
                // The heavy-item message already asks for two.
                Some(2) if lonely => {}
                Some(n) => found.push(Warning::MinMates(n)),
            }
        }
        found
    }
}

/// The duration of a move on a rate card, its limit and its warnings.
pub fn duration(job: &MoveRequest, card: &RateCard) -> Duration {
    let work = Work::of(job, card);
    let mates = job.mate_count.get();
    let effort = work.by(mates);
    let heads = mates.saturating_add(u8::from(job.client_as_mate));
    let tier = card.tier(work.all.dcf);
    let min_heads = work.min_heads(tier);
    let within_limit = effort.within_limit();
    Duration {
        minutes: effort.minutes,
        limit: effort.limit,
        within_limit,
        tier,
        total_dcf: work.all.dcf,
        big_items: work.all.big,
        small_items: work.all.small,
        // What the inventory holds, also for kinds that leave it assembled.
        assembly_pieces: work.all.pieces,
        effective_kind: work.kind,
        just_mates: work.just_mates,
        heads,
        min_heads,
        labour_milli: effort.labour_milli,
        access_pickup: BasisPoints::new(work.access_pickup),
        access_dropoff: BasisPoints::new(work.access_dropoff),
        parts: effort.parts,
        warnings: work.warnings(heads, min_heads, within_limit),
    }
}
