//! What holds for every move: the properties the model's document names, and that absurd input
//! does no harm.
#![allow(clippy::unwrap_used, missing_docs)]

use kernel::{Accessibility, BasisPoints, MateCount, Money, Province, chrono::NaiveDate};
use pricing::{
    ContentType, Discount, DiscountTerms, Duration, MoveKind, MoveRequest, PriceRequest, PricedItem, Quote, RateCard,
    Stop, Unit, duration, limits, line, price, tax, tax_rule,
};
use proptest::prelude::*;

fn province() -> impl Strategy<Value = Province> {
    prop::sample::select(Province::SERVED.to_vec())
}

fn stop() -> impl Strategy<Value = Stop> {
    let access = prop::sample::select(vec![Accessibility::Easy, Accessibility::Moderate, Accessibility::Difficult]);
    (province(), -3i32..30, 0u32..4, any::<bool>(), access).prop_map(
        |(province, floor, elevator, parking, accessibility)| Stop {
            province,
            floor,
            elevator,
            parking,
            accessibility,
        },
    )
}

fn item() -> impl Strategy<Value = PricedItem> {
    let id = prop::sample::select(vec![
        "box-small-1-5",
        "couch-3-seats",
        "piano-upright",
        "hot-tub",
        "safe-large",
        "pool-table",
    ]);
    (id, 1u32..1_200, any::<bool>(), any::<bool>(), 0u32..30).prop_map(|(id, dcf, heavy, needs_assembly, quantity)| {
        PricedItem { id: id.to_owned(), dcf, heavy, needs_assembly, quantity }
    })
}

fn job() -> impl Strategy<Value = MoveRequest> {
    let kind = prop::sample::select(MoveKind::ALL.to_vec());
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (kind, prop::collection::vec(item(), 0..12), 1i64..8, flags, stop(), stop(), 0u32..900, 0u32..9_000, 0u32..60)
        .prop_map(
            |(
                kind,
                items,
                mates,
                (client, just, ride),
                pickup,
                dropoff,
                travel_minutes,
                distance_km10,
                positioning_minutes,
            )| {
                MoveRequest {
                    kind,
                    items,
                    mate_count: MateCount::new(mates).unwrap(),
                    client_as_mate: client,
                    just_mates: just,
                    ride_along: ride,
                    pickup,
                    dropoff,
                    travel_minutes,
                    distance_km10,
                    positioning_minutes,
                    extra_services: Vec::new(),
                }
            },
        )
}

fn day() -> impl Strategy<Value = NaiveDate> {
    (0u64..1_500).prop_map(|n| NaiveDate::from_ymd_opt(2027, 1, 1).unwrap() + kernel::chrono::Days::new(n))
}

fn discount() -> impl Strategy<Value = Option<Discount>> {
    let terms = prop_oneof![
        (0i64..=12_000, proptest::option::of(0i64..100_000)).prop_map(|(bp, max)| DiscountTerms::Percent {
            share: BasisPoints::new(bp),
            max: max.map(Money::from_cents)
        }),
        (-100i64..1_000_000).prop_map(|c| DiscountTerms::Fixed { amount: Money::from_cents(c) }),
    ];
    proptest::option::of(terms.prop_map(|terms| Discount { code: "CODE".to_owned(), terms }))
}

fn priced(
    job: &MoveRequest,
    d: &Duration,
    moving_date: NaiveDate,
    discount: Option<&Discount>,
    more: (u32, i64),
) -> Quote {
    let (overtime_minutes, fee) = more;
    let change_fee = Money::from_cents(fee);
    price(
        &PriceRequest {
            job,
            moving_date: Some(moving_date),
            statutory_holiday: false,
            discount,
            overtime_minutes,
            change_fee,
        },
        d,
        &RateCard::builtin(),
    )
}

proptest! {
    #[test]
    fn more_mates_never_take_longer(job in job()) {
        let card = RateCard::builtin();
        let mut more = job.clone();
        more.mate_count = MateCount::new(i64::from(job.mate_count.get()) + 1).unwrap();
        prop_assert!(duration(&more, &card).minutes <= duration(&job, &card).minutes);
        let mut alone = job.clone();
        alone.client_as_mate = false;
        let mut helped = job;
        helped.client_as_mate = true;
        prop_assert!(duration(&helped, &card).minutes <= duration(&alone, &card).minutes);
    }

    #[test]
    fn more_to_carry_never_takes_less(job in job(), extra in item(), end in any::<bool>()) {
        let card = RateCard::builtin();
        let before = duration(&job, &card).minutes;
        let mut more = job.clone();
        more.items.push(extra);
        prop_assert!(duration(&more, &card).minutes >= before);
        let mut higher = job.clone();
        let stop = if end { &mut higher.pickup } else { &mut higher.dropoff };
        stop.floor += if stop.floor < 0 { -1 } else { 1 };
        prop_assert!(duration(&higher, &card).minutes >= before);
        let mut unparked = job.clone();
        unparked.pickup.parking = false;
        unparked.dropoff.parking = false;
        prop_assert!(duration(&unparked, &card).minutes >= before);
    }

    #[test]
    fn parts_add_up_and_the_rounding_is_one_step(job in job()) {
        let card = RateCard::builtin();
        let d = duration(&job, &card);
        let p = d.parts;
        prop_assert_eq!(p.total, p.load + p.unload + p.assembly + p.contingency + p.travel + p.breaks + p.fixed);
        let rounded = i64::from(d.minutes) * 100;
        prop_assert!(d.minutes == card.duration.minimum_min || (rounded >= p.total && p.total > rounded - 1_500));
        prop_assert_eq!(d.minutes % 15, 0);
        prop_assert_eq!(d.within_limit, d.minutes <= d.limit);
    }

    #[test]
    fn the_order_of_items_does_not_matter(job in job()) {
        let card = RateCard::builtin();
        let mut turned = job.clone();
        turned.items.reverse();
        prop_assert_eq!(duration(&turned, &card), duration(&job, &card));
    }

    #[test]
    fn a_suggested_crew_is_enough(job in job()) {
        use pricing::Warning;
        let card = RateCard::builtin();
        let d = duration(&job, &card);
        if let Some(heads) = d.warnings.iter().find_map(|w| w.mates()) {
            prop_assert!(heads > d.heads && heads <= 3);
            let mut enough = job.clone();
            enough.mate_count = MateCount::new(i64::from(job.mate_count.get() + heads - d.heads)).unwrap();
            prop_assert!(duration(&enough, &card).warnings.is_empty());
        }
        let support = d.warnings.contains(&Warning::ContactSupport);
        if d.total_dcf > 15_000 {
            prop_assert!(support);
        }
        if d.warnings.is_empty() {
            prop_assert!(d.within_limit && d.min_heads <= d.heads);
        }
    }

    #[test]
    fn money_adds_up(job in job(), day in day(), discount in discount(), overtime in 0u32..600, fee in 0i64..100_000) {
        let d = duration(&job, &RateCard::builtin());
        let q = priced(&job, &d, day, discount.as_ref(), (overtime, fee));
        prop_assert_eq!(q.lines.iter().map(|l| l.amount).sum::<Money>(), q.amount);
        prop_assert_eq!(q.original_amount.minus(q.discount), q.amount);
        prop_assert_eq!(q.tax.components.iter().map(|c| c.amount).sum::<Money>(), q.tax.amount);
        prop_assert_eq!(q.amount.plus(q.tax.amount), q.total);
        prop_assert!(!q.amount.is_negative() && !q.discount.is_negative());
        prop_assert!(q.billed_minutes >= d.minutes);
        for l in &q.lines {
            prop_assert!(!l.amount.is_zero());
            prop_assert_eq!(l.amount, l.computed_amount());
            prop_assert_eq!(l.amount.is_negative(), l.content == ContentType::Discount);
            prop_assert!(l.unit == Unit::Hour || l.multiplier == BasisPoints::ONE);
        }
    }

    #[test]
    fn a_discount_touches_neither_change_fee_nor_overtime(job in job(), day in day(), discount in discount(), overtime in 16u32..600, fee in 1i64..100_000) {
        let d = duration(&job, &RateCard::builtin());
        let plain = priced(&job, &d, day, discount.as_ref(), (0, 0));
        let more = priced(&job, &d, day, discount.as_ref(), (overtime, fee));
        prop_assert_eq!(plain.discount, more.discount);
        let added: Money = more.lines.iter().filter(|l| [line::code::CHANGE_FEE, line::code::OVERTIME].contains(&l.code.as_str())).map(|l| l.amount).sum();
        prop_assert_eq!(plain.amount.plus(added), more.amount);
    }

    #[test]
    fn a_helping_customer_costs_nothing_an_hour(job in job(), day in day()) {
        let card = RateCard::builtin();
        let crew = |client| {
            let mut job = job.clone();
            job.client_as_mate = client;
            priced(&job, &duration(&job, &card), day, None, (0, 0)).crew_hourly
        };
        prop_assert_eq!(crew(true), crew(false));
    }

    #[test]
    fn the_price_rises_with_billed_minutes(job in job(), day in day(), extra in 1u32..300) {
        let d = duration(&job, &RateCard::builtin());
        let longer = Duration { minutes: d.minutes + extra, ..d.clone() };
        let (a, b) = (priced(&job, &d, day, None, (0, 0)), priced(&job, &longer, day, None, (0, 0)));
        prop_assert!(b.billed_minutes >= a.billed_minutes && b.amount >= a.amount && b.total >= a.total);
        let ot = |minutes| priced(&job, &d, day, None, (minutes, 0)).amount;
        prop_assert!(ot(extra + 1) >= ot(extra));
        prop_assert_eq!(ot(15), a.amount);
    }

    #[test]
    fn taxes_add_up_and_are_one_rounding(cents in -10_000_000i64..10_000_000_000, pickup in province(), dropoff in province(), just: bool) {
        let card = RateCard::builtin();
        let rule = tax_rule(&card, pickup, dropoff, just);
        let taxed = tax(Money::from_cents(cents), rule);
        prop_assert_eq!(taxed.components.iter().map(|c| c.amount).sum::<Money>(), taxed.amount);
        let exact = i128::from(cents) * i128::from(rule.rate.get());
        prop_assert!((i128::from(taxed.amount.cents()) * 1_000_000 - exact).abs() * 2 <= 1_000_000);
    }

    #[test]
    fn absurd_moves_do_no_harm(
        quantity: u32, dcf: u32, floors in any::<[i32; 2]>(), elevator: u32, travel: u32, km: u32, positioning: u32, overtime: u32, fee: i64, off: i64,
        kind in prop::sample::select(MoveKind::ALL.to_vec()), mates in 1i64..=20, client: bool,
    ) {
        let card = RateCard::builtin();
        let stop = |floor| Stop { province: Province::ON, floor, elevator, parking: false, accessibility: Accessibility::Difficult };
        let item = PricedItem { id: "pool-table".to_owned(), dcf, heavy: true, needs_assembly: true, quantity };
        let job = MoveRequest {
            kind, items: vec![item; 200], mate_count: MateCount::new(mates).unwrap(), client_as_mate: client, just_mates: false, ride_along: true,
            pickup: stop(floors[0]), dropoff: stop(floors[1]), travel_minutes: travel, distance_km10: km, positioning_minutes: positioning,
            extra_services: Vec::new(),
        };
        let d = duration(&job, &card);
        prop_assert!(d.minutes >= card.duration.minimum_min);
        let given = Discount { code: "X".to_owned(), terms: DiscountTerms::Fixed { amount: Money::from_cents(off) } };
        let q = priced(&job, &d, NaiveDate::MAX, Some(&given), (overtime, fee));
        prop_assert!(!q.discount.is_negative());
    }
}

/// The largest request the border lets through is still computed exactly.
#[test]
fn the_largest_sensible_move_is_exact() {
    let card = RateCard::builtin();
    let floor = limits::MAX_FLOOR;
    let stop = |floor| Stop {
        province: Province::QC,
        floor,
        elevator: 0,
        parking: false,
        accessibility: Accessibility::Difficult,
    };
    let item = PricedItem {
        id: "x".to_owned(),
        dcf: 100,
        heavy: false,
        needs_assembly: false,
        quantity: limits::MAX_QUANTITY,
    };
    let mut job = MoveRequest {
        kind: MoveKind::Residential,
        items: vec![item; 150],
        mate_count: MateCount::MIN,
        client_as_mate: false,
        just_mates: false,
        ride_along: false,
        pickup: stop(floor),
        dropoff: stop(-floor),
        travel_minutes: limits::MAX_MINUTES,
        distance_km10: limits::MAX_DISTANCE_KM10,
        positioning_minutes: limits::MAX_MINUTES,
        extra_services: Vec::new(),
    };
    limits::check(&job).unwrap();
    let d = duration(&job, &card);
    // 15 000 000 cubic feet at 90 an hour are 10 000 000 minutes; access 2.45, wrapping 1.1.
    assert_eq!(d.total_dcf, 150_000_000);
    assert_eq!(d.parts.load + d.parts.unload, 2_695_000_000);
    assert_eq!(d.parts.breaks, 416 * 3_000);
    let q = priced(&job, &d, NaiveDate::from_ymd_opt(2027, 7, 1).unwrap(), None, (0, 0));
    assert_eq!(q.lines[0].amount.cents(), 8_000 * i64::from(d.minutes) * 2 / 60);
    job.pickup.floor = i32::MIN;
    assert_eq!(limits::check(&job).unwrap_err().field, "floor");
    assert_eq!(duration(&job, &card).access_pickup, d.access_pickup);
}

/// Factors far beyond a valid card saturate instead of wrapping.
#[test]
fn an_absurd_card_does_no_harm() {
    let mut card = RateCard::builtin();
    let far = BasisPoints::new(i64::MAX);
    card.duration.stairs_bp_per_floor = far;
    card.duration.stairs_bp_cap = far;
    card.duration.no_parking_bp = far;
    card.duration.contingency_bp = far;
    card.duration.cubic_feet_per_mate_hour = 0;
    card.duration.driving_break_every_min = 0;
    card.duration.round_up_to_min = 0;
    card.duration.crew_efficiency_bp.clear();
    card.rates.default.first_mate_hourly = Money::from_cents(i64::MAX);
    card.rates.default.overtime_step_min = 0;
    assert!(card.validate().is_err());
    let stop =
        Stop { province: Province::QC, floor: 9, elevator: 0, parking: false, accessibility: Accessibility::Easy };
    let job = MoveRequest {
        kind: MoveKind::LongDistance,
        items: vec![PricedItem { id: String::new(), dcf: 500, heavy: true, needs_assembly: true, quantity: 9 }],
        mate_count: MateCount::new(20).unwrap(),
        client_as_mate: true,
        just_mates: false,
        ride_along: true,
        pickup: stop.clone(),
        dropoff: stop,
        travel_minutes: 500,
        distance_km10: 5_000,
        positioning_minutes: 0,
        extra_services: Vec::new(),
    };
    let d = duration(&job, &card);
    let request = PriceRequest {
        job: &job,
        moving_date: Some(NaiveDate::MIN),
        statutory_holiday: true,
        discount: None,
        overtime_minutes: 100,
        change_fee: Money::ZERO,
    };
    assert!(price(&request, &d, &card).amount.is_positive());
}
