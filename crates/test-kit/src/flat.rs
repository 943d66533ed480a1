//! A rate card for tests about anything but the price.

use kernel::{BasisPoints, Money};
use pricing::{Minimum, MoveKind, RateCard};

/// Under it a small move costs exactly `cents` before tax, wherever it goes: all of it is the fee of
/// the truck. Hours must cost something, so they cost a cent, and less than half of one is worked.
pub fn flat(cents: i64) -> RateCard {
    let mut card = RateCard::builtin();
    let (zero, cent) = (Money::ZERO, Money::from_cents(1));
    card.rates.provinces.clear();
    card.periods.clear();
    let r = &mut card.rates.default;
    (r.first_mate_hourly, r.first_mate_hourly_no_truck, r.additional_mate_hourly) = (cent, cent, zero);
    (r.km_fee, r.long_distance_km_fee, r.ride_along_fee) = (zero, zero, zero);
    r.truck_fee_by_tier = [Money::from_cents(cents); 3];
    r.overtime_bp = BasisPoints::ONE;
    r.travel_fee_min = 0;
    let d = &mut card.duration;
    d.cubic_feet_per_mate_hour = 10_000;
    (d.assembly_mate_minutes, d.ride_along_min, d.round_up_to_min, d.minimum_min) = (0, 0, 1, 0);
    for kind in MoveKind::ALL {
        d.kinds.get_mut(kind).setup_min = 0;
        *r.minimum_billed_min.get_mut(kind) = Minimum::Flat(0);
    }
    card.validate().expect("a card that can be put in force");
    card
}
