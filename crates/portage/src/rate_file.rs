//! The file `portage rates load` reads: JSON. Every field that is wrong is named, not the first alone.

use pricing::RateCard;
use serde_json::Value;

/// Mistakes that are told at most.
const MOST: usize = 50;

/// The card of a file.
///
/// # Errors
/// Every mistake, each with its place.
pub fn read(mut value: Value) -> Result<RateCard, Vec<String>> {
    let mut wrong = Vec::new();
    let pattern = serde_json::to_value(RateCard::builtin()).unwrap_or_default();
    while wrong.len() < MOST {
        let failed = match serde_path_to_error::deserialize::<_, RateCard>(&value) {
            Ok(card) if wrong.is_empty() => return Ok(card),
            Ok(card) => {
                // What has the right form may still be out of bounds.
                let more = card.validate().err().map(|e| e.problems).unwrap_or_default();
                wrong.extend(more.iter().map(|p| format!("{} must be {}", p.field, p.must)));
                return Err(wrong);
            }
            Err(e) => e,
        };
        let (path, told) = (failed.path().to_string(), failed.inner().to_string());
        wrong.push(if path == "." { told.clone() } else { format!("{path}: {told}") });
        // What is wrong gives way to what is right, so that the next mistake is seen.
        if !mend(&mut value, &pattern, &steps(&path), &told) {
            break;
        }
    }
    Err(wrong)
}

/// `rates.ON.truck_fee_by_tier[0]` as `rates`, `ON`, `truck_fee_by_tier`, `0`.
fn steps(path: &str) -> Vec<String> {
    let parts = path.split(['.', '[', ']']).filter(|s| !s.is_empty());
    parts.map(str::to_owned).collect()
}

/// The name in "missing field `x`".
fn named<'a>(told: &'a str, what: &str) -> Option<&'a str> {
    told.strip_prefix(what)?.split('`').nth(1)
}

/// Whether something was changed: else the same mistake would be found again.
fn mend(value: &mut Value, pattern: &Value, path: &[String], told: &str) -> bool {
    if let Some(field) = named(told, "missing field") {
        let (Some(place), usual) = (at(value, path), pattern_at(pattern, path)) else { return false };
        let Some(usual) = usual.and_then(|u| u.get(field)) else { return false };
        return place.as_object_mut().is_some_and(|o| o.insert(field.to_owned(), usual.clone()).is_none());
    }
    if let Some(field) = named(told, "unknown field") {
        // The path leads to the field, or to what it stands in.
        let above = match path.split_last() {
            Some((last, above)) if last == field => above,
            _ => path,
        };
        return at(value, above).and_then(Value::as_object_mut).is_some_and(|o| o.remove(field).is_some());
    }
    let Some(usual) = pattern_at(pattern, path).cloned() else { return remove(value, path) };
    match at(value, path) {
        Some(place) if *place != usual => {
            *place = usual;
            true
        }
        _ => false,
    }
}

/// What the card of the program has not cannot be replaced.
fn remove(value: &mut Value, path: &[String]) -> bool {
    let Some((last, above)) = path.split_last() else { return false };
    match at(value, above) {
        Some(Value::Object(o)) => o.remove(last).is_some(),
        Some(Value::Array(a)) => last.parse().is_ok_and(|n: usize| n < a.len() && !a.remove(n).is_null()),
        _ => false,
    }
}

fn at<'a>(value: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    path.iter().try_fold(value, |value, step| match value {
        Value::Object(o) => o.get_mut(step),
        Value::Array(a) => a.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Of a list all entries have the form of the first; of a province without rates of its own that of the default.
fn pattern_at<'a>(pattern: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(pattern, |value, step| match value {
        Value::Object(o) => o.get(step),
        Value::Array(a) => step.parse::<usize>().ok().and_then(|n| a.get(n)).or_else(|| a.first()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    #[test]
    fn every_wrong_field_is_named() {
        let mut card = serde_json::to_value(RateCard::builtin()).unwrap();
        assert!(read(card.clone()).is_ok());
        card["level_one_threshold"] = json!("many");
        card["rates"]["default"]["km_fee"] = json!(1.1);
        card["rates"]["BC"]["kmfee"] = json!(110);
        card["periods"][1]["to"] = json!("July 1");
        card["taxes"]["ON"]["components"][0]["rate_ppm"] = json!("13%");
        card["duration"]["round_up_to_min"] = json!(0);
        card["duration"].as_object_mut().unwrap().remove("minimum_min");
        card["rates"]["XX"] = json!({});
        let wrong = read(card).unwrap_err();
        for place in [
            "level_one_threshold: ",
            "rates.default.km_fee: ",
            "rates.BC.kmfee: ",
            "periods[1].to: ",
            "taxes.ON.components[0].rate_ppm: ",
            "duration.round_up_to_min must be",
            "missing field `minimum_min`",
            "unknown field `XX`",
        ] {
            assert_eq!(wrong.iter().filter(|w| w.contains(place)).count(), 1, "{place} in {wrong:#?}");
        }
        assert_eq!(wrong.len(), 8, "{wrong:#?}");
        for hopeless in [json!(3), json!(null), json!([]), json!({})] {
            assert!(!read(hopeless).unwrap_err().is_empty());
        }
    }
}
