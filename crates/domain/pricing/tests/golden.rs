//! The twenty worked examples of `fixtures/golden-examples.json`: every field, to the cent and
//! the centi-minute.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use kernel::{Language, Money, chrono::NaiveDate};
use pricing::{ContentType, PriceRequest, RateCard, TipTerms, describe_line, duration, price, tip};
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
                l.quantity_text(),
                l.unit.code().to_owned(),
                l.unit_price_text(),
                l.multiplier_text(),
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
