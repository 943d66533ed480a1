//! A rate card as somebody wrote it: JSON, amounts in whole cents. Every field that is wrong is named, not the first alone.

use std::fmt;

use pricing::{CardProblem, RateCard};
use serde_json::Value;

use crate::{FieldError, FieldProblem};

/// Mistakes that are told at most.
const MOST: usize = 50;

/// Lists of a card. A number in another place of a path is a key.
const LISTS: [&str; 2] = ["periods", "truck_fee_by_tier"];

/// One thing that is wrong with a card. As a text it is a line for whoever edits the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Place in the card: `rates.ON.km_fee`, `periods[0].to`; empty = the card as a whole.
    pub path: String,
    /// What is wrong there.
    pub problem: FieldProblem,
    told: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told)
    }
}

impl Mistake {
    /// Of what cannot be read as a card.
    fn of_form(path: &str, told: &str) -> Mistake {
        let at = if path == "." { "" } else { path };
        let below = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
        let (place, problem) = if let Some(name) = named(told, "missing field") {
            (below(name), FieldProblem::Required)
        } else if let Some(name) = named(told, "unknown field") {
            // The path leads to the field, or to what it stands in.
            let leads_to_it = steps(at).last().is_some_and(|last| last == name);
            (if leads_to_it { at.to_owned() } else { below(name) }, FieldProblem::Unknown)
        } else if told.starts_with("unknown variant") {
            (at.to_owned(), FieldProblem::Unknown)
        } else if told.starts_with("invalid value: integer") {
            (at.to_owned(), FieldProblem::OutOfRange)
        } else {
            (at.to_owned(), FieldProblem::Invalid)
        };
        let told = if at.is_empty() { told.to_owned() } else { format!("{path}: {told}") };
        Mistake { path: place, problem, told }
    }

    /// Of a card that can be read and cannot be put in force.
    fn of_rule(p: &CardProblem) -> Mistake {
        Mistake { path: indexed(&p.field), problem: p.must.into(), told: format!("{} must be {}", p.field, p.must) }
    }

    /// The value is of another type than its place has: a text or a decimal where whole cents belong.
    pub(crate) fn is_of_form(&self) -> bool {
        self.told.contains("invalid type")
    }

    /// As a refused field of a request that has the card under this name.
    pub fn field(&self, name: &str) -> FieldError {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{name}.{}", self.path) };
        FieldError::new(path, self.problem)
    }
}

/// The card of a JSON value, if it can be put in force.
///
/// # Errors
/// Every mistake, each with its place.
pub fn read(mut value: Value) -> Result<RateCard, Vec<Mistake>> {
    let mut wrong = Vec::new();
    let pattern = serde_json::to_value(RateCard::builtin()).unwrap_or_default();
    while wrong.len() < MOST {
        let failed = match serde_path_to_error::deserialize::<_, RateCard>(&value) {
            Ok(card) => {
                // What has the right form may still be out of bounds.
                let more = card.validate().err().map(|e| e.problems).unwrap_or_default();
                wrong.extend(more.iter().map(Mistake::of_rule));
                return if wrong.is_empty() { Ok(card) } else { Err(wrong) };
            }
            Err(e) => e,
        };
        let (path, told) = (failed.path().to_string(), failed.inner().to_string());
        wrong.push(Mistake::of_form(&path, &told));
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

/// `periods.0.name` as `periods[0].name`.
fn indexed(field: &str) -> String {
    let (mut path, mut in_list) = (String::new(), false);
    for step in field.split('.') {
        path = match (in_list, path.is_empty()) {
            (true, _) => format!("{path}[{step}]"),
            (false, true) => step.to_owned(),
            (false, false) => format!("{path}.{step}"),
        };
        in_list = LISTS.contains(&step);
    }
    path
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
    use crate::Limit;

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
            assert_eq!(wrong.iter().filter(|w| w.to_string().contains(place)).count(), 1, "{place} in {wrong:#?}");
        }
        assert_eq!(wrong.len(), 8, "{wrong:#?}");
        for (path, problem) in [
            ("level_one_threshold", FieldProblem::Invalid),
            ("rates.default.km_fee", FieldProblem::Invalid),
            ("rates.BC.kmfee", FieldProblem::Unknown),
            ("rates.XX", FieldProblem::Unknown),
            ("periods[1].to", FieldProblem::Invalid),
            ("duration.minimum_min", FieldProblem::Required),
            ("duration.round_up_to_min", FieldProblem::Between(Limit::Minutes(1), Limit::Minutes(100_000))),
        ] {
            assert!(wrong.iter().any(|w| (w.path.as_str(), w.problem) == (path, problem)), "{path} in {wrong:#?}");
        }
        for hopeless in [json!(3), json!(null), json!([]), json!({})] {
            assert!(!read(hopeless).unwrap_err().is_empty());
        }
    }

    #[test]
    fn what_no_card_may_say_is_named_by_its_place() {
        let mut card = serde_json::to_value(RateCard::builtin()).unwrap();
        card["rates"]["default"]["truck_fee_by_tier"][2] = json!(-1);
        card["periods"][0]["multiplier_bp"] = json!(9_000);
        card["duration"]["crew_efficiency_bp"]["3"] = json!(30_000);
        card["taxes"]["ON"]["rate_ppm"] = json!(130_001);
        let wrong = read(card.clone()).unwrap_err();
        let has = |path: &str, problem| wrong.iter().any(|w| (w.path.as_str(), w.problem) == (path, problem));
        let dollars = |n: i64| Limit::Money(kernel::Money::from_cents(n * 100));
        let shares = |least, most| {
            let [least, most] = [least, most].map(|n| Limit::Share(kernel::BasisPoints::new(n)));
            FieldProblem::Between(least, most)
        };
        let fee = FieldProblem::Between(dollars(0), dollars(10_000));
        assert!(has("rates.default.truck_fee_by_tier[2]", fee), "{wrong:#?}");
        assert!(has("periods[0].multiplier_bp", shares(10_000, 100_000)), "{wrong:#?}");
        assert!(has("duration.crew_efficiency_bp.3", shares(1, 20_000)), "{wrong:#?}");
        assert!(has("taxes.ON.components", FieldProblem::Invalid), "{wrong:#?}");
        card["taxes"].as_object_mut().unwrap().remove("BC");
        card["periods"][1]["provinces"] = json!([]);
        card["periods"][0]["multiplier_bp"] = json!(20_000);
        card["periods"][0]["to"] = json!("07-10");
        card["periods"][3]["to"] = json!("07-20");
        let wrong = read(card).unwrap_err();
        let has = |path: &str, problem| wrong.iter().any(|w| (w.path.as_str(), w.problem) == (path, problem));
        assert!(has("taxes.BC", FieldProblem::Required), "{wrong:#?}");
        assert!(has("periods[1].provinces", FieldProblem::Required), "{wrong:#?}");
        assert!(has("periods[3].from", FieldProblem::Overlaps), "{wrong:#?}");
        assert!(has("periods[4].from", FieldProblem::Overlaps), "{wrong:#?}");
        let [first, ..] = wrong.as_slice() else { return };
        assert!(first.field("card").field.starts_with("card."));
        assert!(first.to_string().contains(" must be "), "{first}");
    }
}
