//! The worked examples of the price model as requests, and their results as answers.

use kernel::{BasisPoints, DiscountId, Money};
use pricing::DiscountTerms;
use serde_json::{Value, json};
use service::ports::{StoreError, discounts::StoredDiscount};

use super::TestApp;

fn dollars(cents: &Value) -> String {
    Money::from_cents(cents.as_i64().unwrap()).to_string()
}

fn access(end: &Value) -> Value {
    json!({ "floor": end["floor"], "elevator": end["elevator"], "parking": end["parking"], "accessibility": end["accessibility"] })
}

/// The request; none for what only staff record after a move (overtime).
pub fn request(input: &Value, code: Option<&str>) -> Option<Value> {
    if input.get("overtime_min").and_then(Value::as_i64).unwrap_or(0) > 0 {
        return None;
    }
    let furnitures: Vec<Value> =
        input["items"].as_object().unwrap().iter().map(|(id, n)| json!({ "id": id, "quantity": n })).collect();
    let km10 = input["distance_km10"].as_u64().unwrap();
    Some(json!({
        "travelDuration": input["travelDuration"],
        "selectedFurnitures": { "furnitures": furnitures },
        "mateCount": input["mateCount"],
        "locationDetails": [access(&input["pickup"]), access(&input["dropoff"])],
        "rideAlong": input["rideAlong"],
        "movingDate": input["movingDate"],
        "discountCode": code,
        "clientAsMate": input["clientAsMate"],
        "justMates": input["justMates"],
        "pickupAddress": { "province": input["pickup"]["province"] },
        "dropoffAddress": { "province": input["dropoff"]["province"] },
        "moveKind": input["moveKind"],
        "distanceKm": format!("{}.{}", km10 / 10, km10 % 10),
    }))
}

/// Stores an example's discount; its code.
pub async fn discount(app: &TestApp, example: &Value) -> Option<String> {
    let wanted = example["input"].get("discount").filter(|d| d.is_object())?;
    let code = format!("X{}", wanted["code"].as_str().unwrap());
    let terms = match wanted.get("percent_bp").and_then(Value::as_i64) {
        Some(bp) => DiscountTerms::Percent {
            share: BasisPoints::new(bp),
            max: wanted.get("max_amount").and_then(Value::as_i64).map(Money::from_cents),
        },
        None => DiscountTerms::Fixed { amount: Money::from_cents(wanted["amount"].as_i64().unwrap()) },
    };
    let (id, stored) = (app.services.entropy.uuid(app.services.clock.now()), code.clone());
    let _: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| {
            u.discounts().insert(&StoredDiscount {
                id: DiscountId(id),
                code: stored,
                terms,
                valid_from: "2026-01-01".parse().unwrap(),
                valid_until: "2030-01-01".parse().unwrap(),
                bookable_from: None,
                bookable_until: None,
                max_uses: None,
                max_uses_per_customer: None,
                first_booking_only: false,
                uses: 0,
                provinces: Vec::new(),
                kinds: Vec::new(),
                disabled: false,
                created_at: kernel::chrono::DateTime::UNIX_EPOCH,
                version: 1,
            })
        })
        .await;
    Some(code)
}

/// Every figure the wire carries.
#[track_caller]
pub fn compare(name: &Value, answer: &Value, output: &Value) {
    let price = &output["price_cents"];
    for (field, want) in [
        ("amount", dollars(&price["amount"])),
        ("originalAmount", dollars(&price["originalAmount"])),
        ("discount", dollars(&price["discount"])),
        ("tax", dollars(&price["tax"])),
        ("total", dollars(&price["total"])),
        ("totalCubicFeet", format!("{:.1}", output["total_cubic_feet"].as_f64().unwrap())),
    ] {
        assert_eq!(answer[field], json!(want), "{name}: {field}");
    }
    for (field, want) in [
        ("tier", &output["tier"]),
        ("bigItems", &output["big_items"]),
        ("smallItems", &output["small_items"]),
        ("minMates", &output["min_heads"]),
        ("duration", &output["duration_min"]),
        ("is_duration_within_limit", &output["is_duration_within_limit"]),
        ("taxType", &price["tax_type"]),
    ] {
        assert_eq!(&answer[field], want, "{name}: {field}");
    }
    let lines: Vec<(Value, Value)> =
        answer["lines"].as_array().unwrap().iter().map(|l| (l["type"].clone(), l["amount"].clone())).collect();
    let want: Vec<(Value, Value)> = price["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| {
            (json!(l["contentType"].as_str().unwrap().replace("ride along", "rideAlong")), json!(dollars(&l["amount"])))
        })
        .collect();
    assert_eq!(lines, want, "{name}: lines");
    let warnings: Vec<String> = answer["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| {
            w["mates"].as_u64().map_or_else(
                || w["code"].as_str().unwrap().to_owned(),
                |n| format!("{}:{n}", w["code"].as_str().unwrap()),
            )
        })
        .collect();
    let want: Vec<&str> = output["warnings"].as_array().unwrap().iter().map(|w| w.as_str().unwrap()).collect();
    assert_eq!(warnings, want, "{name}: warnings");
    for (part, amount) in price["tax_components"].as_object().unwrap() {
        let found = answer["taxComponents"].as_array().unwrap().iter().find(|c| c["name"] == **part).unwrap();
        assert_eq!(found["amount"], json!(dollars(amount)), "{name}: {part}");
    }
}
