//! The rate card in force.

use actix_web::web;
use kernel::{
    Money,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use service::{ErrorCode, ports::rates::StoredRate, rates};
use utoipa::ToSchema;

use super::{
    replies::{Json, Reply},
    values::Cash,
};
use crate::{
    contract::{CommonError, Refusal, refusals},
    endpoint::{Access, Example, Route},
    http::ValidQuery,
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why there is no card.
    RateRefusal { Rule: NotFound, NoRate }
}

/// Which card.
#[derive(Debug, Deserialize, ToSchema)]
struct RateQuery {
    /// Name of the card; the standard one when left out.
    #[schema(max_length = 100)]
    name: Option<String>,
}

/// The card: the figures of the duration and price model, money as decimal strings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActiveRate {
    /// Key.
    id: String,
    /// Name.
    name: String,
    /// Counts up with each change.
    version: i32,
    /// In force from.
    effective_from: DateTime<Utc>,
    /// In force until; none = open.
    effective_to: Option<DateTime<Utc>>,
    /// `CAD`.
    currency: &'static str,
    /// The largest crew customers may book, helping customer included.
    #[serde(rename = "max_online_heads")]
    max_online_heads: u8,
    /// The first mate an hour with truck and driver, by default; provinces may differ, see `rates`.
    first_mover_rate: Cash,
    /// Each further mate an hour, likewise.
    additional_movers_rate: Cash,
    /// The card's other fields: thresholds, `duration`, `rates` by province, `periods`, `taxes`.
    #[serde(flatten)]
    #[schema(value_type = std::collections::BTreeMap<String, Value>)]
    card: Map<String, Value>,
}

/// Names of fields that are amounts in the stored card.
const AMOUNTS: &[&str] = &[
    "first_mate_hourly",
    "first_mate_hourly_no_truck",
    "additional_mate_hourly",
    "truck_fee_by_tier",
    "km_fee",
    "long_distance_km_fee",
    "ride_along_fee",
    "extra_services",
];

/// A card with every amount changed, and nothing else.
fn with_amounts(value: Value, change: fn(Value) -> Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .map(|(k, v)| {
                let is_amount = AMOUNTS.contains(&k.as_str());
                (k, if is_amount { each(v, change) } else { with_amounts(v, change) })
            })
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(list) => list.into_iter().map(|v| with_amounts(v, change)).collect(),
        other => other,
    }
}

/// Every single value of what stands under the name of an amount.
fn each(value: Value, change: fn(Value) -> Value) -> Value {
    match value {
        Value::Array(list) => list.into_iter().map(|v| each(v, change)).collect(),
        Value::Object(map) => map.into_iter().map(|(name, v)| (name, each(v, change))).collect::<Map<_, _>>().into(),
        single => change(single),
    }
}

fn dollars(value: Value) -> Value {
    match value.as_i64() {
        Some(cents) => Value::String(Money::from_cents(cents).to_string()),
        None => value,
    }
}

fn cents(value: Value) -> Value {
    match value.as_str().and_then(|text| text.parse::<Money>().ok()) {
        Some(amount) => amount.cents().into(),
        None => value,
    }
}

/// A card as it is stored, with its amounts as decimal strings.
pub(super) fn with_dollars(card: Value) -> Value {
    with_amounts(card, dollars)
}

/// A card as it was sent, with its amounts in whole cents: decimal strings are turned into them. What is no amount stays,
/// and is refused by whoever reads the card.
pub(super) fn with_cents(card: Value) -> Value {
    with_amounts(card, cents)
}

fn answer(rate: StoredRate) -> Result<ActiveRate, CommonError> {
    let card = with_dollars(serde_json::to_value(&rate.card).map_err(CommonError::internal)?);
    let Value::Object(mut card) = card else { return Err(CommonError::internal("a rate card is not an object")) };
    card.remove("about");
    card.remove("max_online_heads");
    let thresholds = [("level_one_threshold", "levelOneThreshold"), ("level_two_threshold", "levelTwoThreshold")];
    for (stored, named) in thresholds {
        if let Some(v) = card.get(stored).cloned() {
            card.insert(named.to_owned(), v);
        }
    }
    Ok(ActiveRate {
        id: rate.id.to_string(),
        name: rate.name,
        version: rate.version,
        effective_from: rate.effective_from,
        effective_to: rate.effective_to,
        currency: "CAD",
        max_online_heads: rate.card.max_online_heads,
        first_mover_rate: rate.card.rates.default.first_mate_hourly.into(),
        additional_movers_rate: rate.card.rates.default.additional_mate_hourly.into(),
        card,
    })
}

async fn active(state: web::Data<State>, query: ValidQuery<RateQuery>) -> Reply<Json<ActiveRate>, RateRefusal> {
    let name = query.value.name;
    let named = name.is_some();
    let rate = rates::active(&state.services, name).await.map_err(|e| match e {
        // A name nobody uses is a thing that does not exist.
        service::Error::Refused(ErrorCode::NoRate, _) if named => RateRefusal::NotFound.into(),
        other => Refusal::from(other),
    })?;
    Ok(Json(answer(rate)?))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/rates/active", Access::Public, active)
            .limited(LimitClass::Guest)
            .doc("activeRate", "Estimates", "The rate card in force")
            .example(Example::query(&[("name", "standard")])),
    ]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    #[test]
    fn money_leaves_as_decimal_strings_and_nothing_else_changes() {
        let card = with_dollars(serde_json::to_value(pricing::RateCard::builtin()).unwrap());
        assert_eq!(card["rates"]["default"]["first_mate_hourly"], "80.00");
        assert_eq!(card["rates"]["default"]["truck_fee_by_tier"], json!(["35.00", "55.00", "85.00"]));
        assert_eq!(card["rates"]["default"]["km_fee"], "1.10");
        assert_eq!(card["rates"]["BC"]["additional_mate_hourly"], "45.00");
        let mut priced = pricing::RateCard::builtin();
        priced.rates.default.extra_services.packing = Some(Money::from_cents(12_000));
        let priced = with_dollars(serde_json::to_value(priced).unwrap());
        assert_eq!(priced["rates"]["default"]["extra_services"]["packing"], "120.00");
        assert_eq!(card["level_one_threshold"], 400);
        assert_eq!(card["rates"]["default"]["travel_fee_min"], 30);
    }

    #[test]
    fn money_comes_in_as_strings_or_as_cents() {
        let stored = serde_json::to_value(pricing::RateCard::builtin()).unwrap();
        assert_eq!(with_cents(with_dollars(stored.clone())), stored);
        assert_eq!(with_cents(stored.clone()), stored);
        let mut sent = with_dollars(stored);
        sent["rates"]["default"]["km_fee"] = json!("1.1");
        sent["rates"]["default"]["ride_along_fee"] = json!("thirty");
        sent["level_one_threshold"] = json!("400");
        let read = with_cents(sent);
        assert_eq!(read["rates"]["default"]["km_fee"], 110);
        assert_eq!(read["rates"]["default"]["ride_along_fee"], "thirty");
        assert_eq!(read["level_one_threshold"], "400");
    }
}
