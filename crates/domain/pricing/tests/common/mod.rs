//! The golden examples and the catalogue they refer to.
#![allow(dead_code, clippy::unwrap_used, missing_docs)]

use std::collections::HashMap;

use kernel::{BasisPoints, MateCount, Money};
use pricing::{Discount, DiscountTerms, MoveKind, MoveRequest, PricedItem, Stop};
use serde_json::Value;

pub type Catalogue = HashMap<String, PricedItem>;

/// Every item of `fixtures/furniture.csv`, quantity one.
pub fn catalogue() -> Catalogue {
    let mut reader = csv::Reader::from_reader(include_str!("../../../../../fixtures/furniture.csv").as_bytes());
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|h| h == name).unwrap();
    let (id, feet, weight, assembly) =
        (column("id"), column("cubic_feet"), column("weight_class"), column("needs_assembly"));
    reader
        .records()
        .map(|row| {
            let row = row.unwrap();
            let (whole, tenth) = row[feet].split_once('.').unwrap_or((&row[feet], "0"));
            let item = PricedItem {
                id: row[id].to_owned(),
                dcf: whole.parse::<u32>().unwrap() * 10 + tenth.parse::<u32>().unwrap(),
                heavy: &row[weight] == "heavy",
                needs_assembly: &row[assembly] == "true",
                quantity: 1,
            };
            (item.id.clone(), item)
        })
        .collect()
}

pub fn examples() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../../../../../fixtures/golden-examples.json")).unwrap();
    let list = file["examples"].as_array().unwrap().clone();
    assert_eq!(list.len(), 20);
    list
}

fn number(v: &Value) -> u32 {
    v.as_u64().unwrap().try_into().unwrap()
}

fn stop(v: &Value) -> Stop {
    Stop {
        province: v["province"].as_str().unwrap().parse().unwrap(),
        floor: v["floor"].as_i64().unwrap().try_into().unwrap(),
        elevator: number(&v["elevator"]),
        parking: v["parking"].as_bool().unwrap(),
        accessibility: v["accessibility"].as_str().unwrap().parse().unwrap(),
    }
}

pub fn job(input: &Value, catalogue: &Catalogue) -> MoveRequest {
    let item = |(id, quantity): (&String, &Value)| PricedItem { quantity: number(quantity), ..catalogue[id].clone() };
    MoveRequest {
        kind: input["moveKind"].as_str().unwrap().parse::<MoveKind>().unwrap(),
        items: input["items"].as_object().unwrap().iter().map(item).collect(),
        mate_count: MateCount::new(input["mateCount"].as_i64().unwrap()).unwrap(),
        client_as_mate: input["clientAsMate"].as_bool().unwrap(),
        just_mates: input["justMates"].as_bool().unwrap(),
        ride_along: input["rideAlong"].as_bool().unwrap(),
        pickup: stop(&input["pickup"]),
        dropoff: stop(&input["dropoff"]),
        travel_minutes: number(&input["travelDuration"]),
        distance_km10: number(&input["distance_km10"]),
        positioning_minutes: 0,
        extra_services: Vec::new(),
    }
}

pub fn discount(input: &Value) -> Option<Discount> {
    let given = input.get("discount")?;
    let cents = |v: &Value| v.as_i64().map(Money::from_cents);
    let terms = match given["percent_bp"].as_i64() {
        Some(bp) => DiscountTerms::Percent { share: BasisPoints::new(bp), max: cents(&given["max_amount"]) },
        None => DiscountTerms::Fixed { amount: cents(&given["amount"]).unwrap() },
    };
    Some(Discount { code: given["code"].as_str().unwrap().to_owned(), terms })
}
