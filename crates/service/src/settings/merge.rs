//! Saved fields over the defaults. Pure: JSON in, the typed settings out.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{FieldError, FieldProblem};

/// The field of the policy that says which numbers these are: the stored version makes it.
pub(super) const VERSION: &str = "version";

/// Fields that meant something to an earlier version of the program: what was saved of them is passed over.
const RETIRED: [&str; 1] = ["authorizeLead"];

/// What was saved, without fields that mean nothing any more.
pub(super) fn still_meant(mut saved: Map<String, Value>) -> Map<String, Value> {
    saved.retain(|name, _| !RETIRED.contains(&name.as_str()));
    saved
}

/// Every field of some settings that can be saved, with its value.
pub(super) fn fields<T: Serialize>(settings: &T) -> Map<String, Value> {
    let mut fields = match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    fields.remove(VERSION);
    fields
}

/// The settings with what was saved of them; what was not saved follows the defaults, and so does what is `null`.
///
/// # Errors
/// Every field that cannot be read, by its place: `balanceRetry[1]`, `retention.afterFree`.
pub(super) fn over<T: Serialize + DeserializeOwned>(
    defaults: &T,
    saved: &Map<String, Value>,
) -> Result<T, Vec<FieldError>> {
    let usual = fields(defaults);
    let (mut merged, mut wrong) = (usual.clone(), Vec::new());
    for (name, value) in saved.iter().filter(|(_, value)| !value.is_null()) {
        match merged.get_mut(name) {
            Some(place) => *place = value.clone(),
            None => wrong.push(FieldError::new(name, FieldProblem::Unknown)),
        }
    }
    loop {
        let failed = match serde_path_to_error::deserialize::<_, T>(Value::Object(merged.clone())) {
            Ok(read) => {
                let known = fields(&read);
                for (name, sent) in &merged {
                    left_out(name, sent, known.get(name), &mut wrong);
                }
                return if wrong.is_empty() { Ok(read) } else { Err(wrong) };
            }
            Err(e) => e,
        };
        let (path, told) = (failed.path().to_string(), failed.inner().to_string());
        wrong.push(FieldError::new(named(&path, &told), problem(&told)));
        // What is wrong gives way to what is usual, so that the next mistake is seen.
        let name = path.split(['.', '[']).next().unwrap_or_default();
        let (Some(place), Some(usual)) = (merged.get_mut(name), usual.get(name)) else { return Err(wrong) };
        if place == usual {
            return Err(wrong);
        }
        *place = usual.clone();
    }
}

/// The place with the name of an entry that the reader does not know: its path has none of it, its words have.
fn named(path: &str, told: &str) -> String {
    match (path.strip_suffix('?'), told.split('`').nth(1)) {
        (Some(parent), Some(name)) => format!("{parent}{name}"),
        _ => path.to_owned(),
    }
}

/// What kind of mistake the words of the reader tell of.
fn problem(told: &str) -> FieldProblem {
    match () {
        () if told.starts_with("unknown variant") => FieldProblem::Unknown,
        () if told.starts_with("invalid value: integer") => FieldProblem::OutOfRange,
        () => FieldProblem::Invalid,
    }
}

/// A field that the reader has passed over means nothing: somebody has misspelt it.
fn left_out(path: &str, sent: &Value, read: Option<&Value>, wrong: &mut Vec<FieldError>) {
    match (sent, read) {
        (Value::Null, _) => {}
        (_, None) => wrong.push(FieldError::new(path, FieldProblem::Unknown)),
        (Value::Object(sent), Some(read)) => {
            for (name, value) in sent {
                left_out(&format!("{path}.{name}"), value, read.get(name), wrong);
            }
        }
        (_, Some(_)) => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use kernel::Province;
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn policy(saved: Value) -> Result<policy::Settings, Vec<FieldError>> {
        over(&policy::Settings::default(), &map(saved))
    }

    fn wrong(saved: Value) -> Vec<(String, FieldProblem)> {
        policy(saved).unwrap_err().into_iter().map(|e| (e.field, e.problem)).collect()
    }

    #[test]
    fn what_is_not_saved_follows_the_defaults() {
        assert_eq!(policy(json!({})).unwrap(), policy::Settings::default());
        assert_eq!(policy(json!({ "deposit": null, "provinces": null })).unwrap(), policy::Settings::default());
        let saved = policy(json!({ "freeWindow": 12, "changeFeeMode": "off" })).unwrap();
        let expected = policy::Settings {
            free_window: policy::Hours(12),
            change_fee_mode: policy::ChangeFeeMode::Off,
            ..policy::Settings::default()
        };
        assert_eq!(saved, expected);
    }

    /// A company that saved the early authorisation before it went has readable settings.
    #[test]
    fn what_is_retired_is_passed_over_where_it_was_saved_and_refused_where_it_is_sent() {
        let saved = map(json!({ "authorizeLead": 12, "freeWindow": 12 }));
        let read = over(&policy::Settings::default(), &still_meant(saved)).unwrap();
        assert_eq!(read.free_window, policy::Hours(12));
        assert_eq!(wrong(json!({ "authorizeLead": 12 })), [("authorizeLead".into(), FieldProblem::Unknown)]);
        let frozen: policy::Settings = serde_json::from_value(json!({ "version": "1", "authorizeLead": 12 })).unwrap();
        assert_eq!(frozen, policy::Settings::default());
    }

    #[test]
    fn a_saved_field_takes_the_place_of_the_whole_field() {
        let saved = policy(json!({ "provinces": { "BC": { "maxOverrun": "0.05" } } })).unwrap();
        assert_eq!(saved.provinces.keys().collect::<Vec<_>>(), [&Province::BC]);
        let none = policy(json!({ "provinces": { "QC": { "retention": null } } })).unwrap();
        assert_eq!(none.provinces[&Province::QC].retention, None);
    }

    #[test]
    fn every_mistake_is_named_by_its_place() {
        use FieldProblem::{Invalid, OutOfRange, Unknown};
        let told = wrong(json!({
            "deposit": 0.2,
            "freeWindow": -1,
            "changeFeeMode": "sometimes",
            "depositRetry": [0, "six"],
            "retention": { "afterFree": "0.1", "afterLok": "1" },
            "version": "9",
            "freeWindows": 3,
        }));
        for expected in [
            ("deposit", Invalid),
            ("freeWindow", OutOfRange),
            ("changeFeeMode", Unknown),
            ("depositRetry[1]", Invalid),
            ("retention.afterLok", Unknown),
            ("version", Unknown),
            ("freeWindows", Unknown),
        ] {
            assert!(told.iter().any(|(at, problem)| (at.as_str(), *problem) == expected), "{expected:?} in {told:?}");
        }
        assert_eq!(told.len(), 7, "{told:?}");
        assert_eq!(wrong(json!({ "provinces": [] })), [("provinces".to_owned(), Invalid)]);
        assert_eq!(wrong(json!({ "provinces": { "XX": {} } })), [("provinces.XX".to_owned(), Unknown)]);
        assert_eq!(wrong(json!({ "retention": "all" })), [("retention".to_owned(), Invalid)]);
    }

    #[test]
    fn times_of_day_are_hours_and_minutes() {
        let usual = scheduling::Settings::DEFAULT;
        let saved = over(&usual, &map(json!({ "opens": "07:30" }))).unwrap();
        assert_eq!(fields(&saved)["opens"], "07:30");
        assert_eq!(saved.closes, usual.closes);
        assert_eq!(over(&usual, &map(json!({ "opens": "7 o'clock" }))).unwrap_err()[0].field, "opens");
    }
}
