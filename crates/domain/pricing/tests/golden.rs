//! The twenty worked examples of `fixtures/golden-examples.json`: every field, to the cent and
//! the centi-minute.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use kernel::{Language, Money, chrono::NaiveDate};
use pricing::{
    ContentType, Discount, DiscountTerms, ExtraService, MoveRequest, PriceRequest, RateCard, TipTerms, describe_line,
    duration, price, tip,
};
use serde_json::{Value, json};

/// Statutory holidays among the days of the examples; scheduling computes them, these are facts.
const HOLIDAYS: [&str; 1] = ["2027-07-01"];

fn output(input: &Value, card: &RateCard) -> Value {
    let job = common::job(input, &common::catalogue());
    let given = common::discount(input);
    let day = input["movingDate"].as_str().unwrap();
    let d = duration(&job, card);
    let request = PriceRequest {
        job: &job,
        moving_date: Some(day.parse::<NaiveDate>().unwrap()),
        statutory_holiday: HOLIDAYS.contains(&day),
        discount: given.as_ref(),
        overtime_minutes: input["overtime_min"].as_u64().unwrap_or(0).try_into().unwrap(),
        change_fee: Money::ZERO,
    };
    let q = price(&request, &d, card);
    let tip = tip(TipTerms::Amount(Money::from_cents(input["tip"].as_i64().unwrap_or(0))), q.amount);
    // The examples print the content type as the specification's prose does.
    let content = |c: ContentType| if c == ContentType::RideAlong { "ride along" } else { c.code() };
    let lines: Vec<Value> = q
        .lines
        .iter()
        .map(|l| json!({ "contentType": content(l.content), "code": l.code, "amount": l.amount.cents() }))
        .collect();
    let components: serde_json::Map<String, Value> =
        q.tax.components.iter().map(|c| (c.name.clone(), c.amount.cents().into())).collect();
    json!({
        "total_cubic_feet": f64::from(d.total_dcf) / 10.0,
        "tier": d.tier,
        "big_items": d.big_items,
        "small_items": d.small_items,
        "assembly_pieces": d.assembly_pieces,
        "effective_kind": d.effective_kind,
        "heads": d.heads,
        "min_heads": d.min_heads,
        "labour_milli_mates": d.labour_milli,
        "access_pickup_bp": d.access_pickup.get(),
        "access_dropoff_bp": d.access_dropoff.get(),
        "parts_centiminutes": d.parts,
        "duration_min": d.minutes,
        "limit_min": d.limit,
        "is_duration_within_limit": d.within_limit,
        "warnings": d.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "price_cents": {
            "crew_hourly": q.crew_hourly.cents(),
            "period": q.period,
            "period_multiplier_bp": q.multiplier.get(),
            "billed_min": q.billed_minutes,
            "lines": lines,
            "originalAmount": q.original_amount.cents(),
            "discount": q.discount.cents(),
            "amount": q.amount.cents(),
            "tax_type": q.tax.type_code,
            "tax_rate_ppm": q.tax.rate.get(),
            "tax": q.tax.amount.cents(),
            "tax_components": components,
            "total": q.total.cents(),
            "tip": tip.cents(),
            "grand_total": q.total.plus(tip).cents(),
            "currency": kernel::Currency::CAD.to_string(),
        },
    })
}

#[test]
fn all_twenty_examples_hold() {
    let card = RateCard::builtin();
    let wrong: Vec<String> = common::examples()
        .iter()
        .filter_map(|e| {
            let got = output(&e["input"], &card);
            (got != e["output"]).then(|| format!("{}\n  want {}\n  got  {got}", e["name"], e["output"]))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first example as the HTTP contract prints it.
#[test]
fn the_lines_of_the_first_example_read_well() {
    let card = RateCard::builtin();
    let job = common::job(&common::examples()[0]["input"], &common::catalogue());
    let d = duration(&job, &card);
    let day = NaiveDate::from_ymd_opt(2027, 2, 17).unwrap();
    let request = PriceRequest {
        job: &job,
        moving_date: Some(day),
        statutory_holiday: false,
        discount: None,
        overtime_minutes: 0,
        change_fee: Money::ZERO,
    };
    let q = price(&request, &d, &card);
    let texts: Vec<[String; 6]> = q
        .lines
        .iter()
        .map(|l| {
            let text = describe_line(l, Language::En);
            [
                text,
                l.exact_quantity().to_string(),
                l.unit.code().to_owned(),
                l.unit_price_text(),
                l.exact_multiplier().to_string(),
                l.period.clone(),
            ]
        })
        .collect();
    assert_eq!(texts[0], ["2 mates × 2 h 30", "2.50", "hour", "118.00", "1.00", "base"].map(str::to_owned));
    assert_eq!(
        texts[1],
        ["Travel from and to the depot, 30 min", "0.50", "hour", "118.00", "1.00", "base"].map(str::to_owned)
    );
    assert_eq!(texts[2], ["Truck", "1.00", "flat", "35.00", "1.00", "base"].map(str::to_owned));
    assert_eq!(d.cubic_feet_text(), "249.0");
}

/// Without assembly the model's assembly part is gone, its share of the margin with it, and nothing else.
#[test]
fn assembly_off_takes_its_part_of_the_time_and_nothing_else() {
    let (card, catalogue) = (RateCard::builtin(), common::catalogue());
    let mut shorter = 0;
    for example in common::examples() {
        let mut job = common::job(&example["input"], &catalogue);
        let with = duration(&job, &card);
        job.items.iter_mut().for_each(|item| item.needs_assembly = false);
        let without = duration(&job, &card);
        let (a, b) = (with.parts, without.parts);
        assert_eq!((a.load, a.unload, a.travel, a.breaks, a.fixed), (b.load, b.unload, b.travel, b.breaks, b.fixed));
        assert_eq!(b.assembly, 0);
        let margin = |handled: i64| kernel::round_half_up(i128::from(handled) * 500, 10_000);
        assert_eq!((a.contingency, b.contingency), (margin(a.load + a.unload + a.assembly), margin(b.load + b.unload)));
        assert_eq!(a.total - b.total, a.assembly + a.contingency - b.contingency);
        shorter += usize::from(without.minutes < with.minutes);
        assert_eq!((without.total_dcf, without.tier, without.min_heads), (with.total_dcf, with.tier, with.min_heads));
    }
    assert!(shorter > 5, "{shorter}");
}

/// A service with a price is a line `other` of its own that a discount counts, one without is no line.
#[test]
fn an_extra_service_is_a_line_where_it_has_a_price() {
    let mut card = RateCard::builtin();
    card.rates.default.extra_services.packing = Some(Money::from_cents(12_000));
    card.rates.default.extra_services.tv_mounting = Some(Money::from_cents(7_500));
    card.rates.provinces.get_mut(&kernel::Province::ON).unwrap().extra_services.packing =
        Some(Money::from_cents(15_000));
    card.validate().unwrap();
    let json = serde_json::to_value(&card).unwrap();
    assert_eq!(json["rates"]["default"]["extra_services"], json!({ "packing": 12_000, "tv_mounting": 7_500 }));
    assert_eq!(serde_json::from_value::<RateCard>(json).unwrap(), card);
    assert_eq!(card.rate(kernel::Province::ON).extra_services.tv_mounting, Some(Money::from_cents(7_500)));

    let mut job = common::job(&common::examples()[0]["input"], &common::catalogue());
    let discount = Discount {
        code: "TEN".to_owned(),
        terms: DiscountTerms::Percent { share: kernel::BasisPoints::new(1_000), max: None },
    };
    let priced = |job: &MoveRequest| {
        let request = PriceRequest {
            job,
            moving_date: None,
            statutory_holiday: false,
            discount: Some(&discount),
            overtime_minutes: 0,
            change_fee: Money::ZERO,
        };
        price(&request, &duration(job, &card), &card)
    };
    let without = priced(&job);
    job.extra_services = vec![ExtraService::TvMounting, ExtraService::Packing, ExtraService::Storage];
    let with = priced(&job);
    let new: Vec<_> = with.lines.iter().filter(|l| !without.lines.iter().any(|o| o.code == l.code)).collect();
    assert_eq!(new.len(), 2, "storage has no price");
    assert_eq!(
        new.iter().map(|l| (l.code.as_str(), l.content, l.amount.cents())).collect::<Vec<_>>(),
        [("packing", ContentType::Other, 12_000), ("tvMounting", ContentType::Other, 7_500)]
    );
    assert_eq!(with.original_amount.cents() - without.original_amount.cents(), 19_500);
    assert_eq!(with.discount.cents() - without.discount.cents(), 1_950);
}
