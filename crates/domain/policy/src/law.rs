//! What the provinces' laws add. Facts with sources behind settings; not legal advice.

use kernel::{
    BasisPoints, Money, Ppm, Province,
    chrono::{DateTime, Utc},
    round_half_up,
};

use crate::Settings;

/// Most the price before tax may grow over `agreed` without a new agreement; none where there
/// is no such bound (Ontario 10 %, Alberta 10 % and at most 100 $).
pub fn max_overrun(s: &Settings, province: Province, agreed: Money) -> Option<Money> {
    let own = s.provinces.get(&province)?;
    let by_share = own.max_overrun.map(|share| at_most(agreed, share));
    match (by_share, own.max_overrun_amount) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// The largest amount that is no more than `share` of `whole`: a bound is not passed by half a cent.
fn at_most(whole: Money, share: BasisPoints) -> Money {
    let rounded = whole.share(share);
    let beyond = i128::from(rounded.cents()) * 10_000 > i128::from(whole.cents()) * i128::from(share.get());
    if beyond { rounded.minus(Money::from_cents(1)) } else { rounded }
}

/// Whether money received at the booking must be held in trust until the move (Québec: more
/// than two months ahead).
pub fn trust_account_required(
    s: &Settings,
    province: Province,
    booked_at: DateTime<Utc>,
    move_at: DateTime<Utc>,
) -> bool {
    let days = s.provinces.get(&province).and_then(|p| p.trust_account_after_days);
    days.is_some_and(|days| move_at.signed_duration_since(booked_at).num_seconds() > i64::from(days) * 86_400)
}

/// The tax inside an amount that was kept, for one tax: `kept · rate / (1 + rate)`.
///
/// Revenu Québec works out each tax of a forfeited deposit by itself: GST is 5/105 of it, QST
/// 9.975/109.975.
pub fn tax_included(kept: Money, rate: Ppm) -> Money {
    /// One in parts per million.
    const ONE: i128 = 1_000_000;
    let rate = i128::from(rate.get());
    Money::from_cents(round_half_up(i128::from(kept.cents()) * rate, ONE + rate))
}

/// The part of one `tax` of a `total` that goes with a `part` of that total: what is taken off a price takes its share of
/// each tax off, and the whole price takes all of it.
pub fn tax_of_part(part: Money, tax: Money, total: Money) -> Money {
    let cents = |m: Money| i128::from(m.cents());
    Money::from_cents(round_half_up(cents(part) * cents(tax), cents(total)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn overruns_by_province() {
        let s = Settings::default();
        let of = |province, cents| max_overrun(&s, province, Money::from_cents(cents)).map(Money::cents);
        assert_eq!(of(Province::ON, 250_000), Some(25_000));
        assert_eq!(of(Province::AB, 250_000), Some(10_000));
        assert_eq!(of(Province::AB, 50_000), Some(5_000));
        assert_eq!((of(Province::AB, 99_999), of(Province::AB, 100_000)), (Some(9_999), Some(10_000)));
        assert_eq!((of(Province::ON, 33_335), of(Province::ON, 33_339)), (Some(3_333), Some(3_333)));
        assert_eq!(of(Province::QC, 50_000), None);
    }

    #[test]
    fn quebec_money_far_ahead_is_held_in_trust() {
        let s = Settings::default();
        let (booked, exactly): (DateTime<Utc>, DateTime<Utc>) =
            ("2027-01-01T12:00:00Z".parse().unwrap(), "2027-03-02T12:00:00Z".parse().unwrap());
        let later = "2027-03-02T12:00:01Z".parse().unwrap();
        assert!(!trust_account_required(&s, Province::QC, booked, exactly));
        assert!(trust_account_required(&s, Province::QC, booked, later));
        assert!(!trust_account_required(&s, Province::ON, booked, later));
    }

    #[test]
    fn taxes_inside_a_kept_deposit() {
        let kept = Money::from_cents(11_498);
        assert_eq!(tax_included(kept, Ppm::new(50_000)).cents(), 548);
        assert_eq!(tax_included(kept, Ppm::new(99_750)).cents(), 1_043);
        assert_eq!(tax_included(kept, Ppm::new(130_000)).cents(), 1_323);
        assert_eq!(tax_included(kept, Ppm::new(0)), Money::ZERO);
    }

    #[test]
    fn a_part_of_a_price_has_its_part_of_each_tax() {
        let cents = Money::from_cents;
        let of = |part, tax| tax_of_part(cents(part), cents(tax), cents(57_488)).cents();
        assert_eq!((of(11_498, 2_500), of(11_498, 4_988)), (500, 998));
        assert_eq!((of(57_488, 2_500), of(57_488, 4_988)), (2_500, 4_988));
        assert_eq!((of(0, 2_500), of(1, 4_988)), (0, 0));
        assert_eq!(tax_of_part(cents(0), cents(0), cents(0)), Money::ZERO);
    }
}
