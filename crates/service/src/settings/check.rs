//! What may be saved: each mistake is named by its place.

use std::collections::BTreeMap;

use kernel::{Email, Must, Phone};
use serde_json::{Map, Value};

use super::{Area, cache::Defaults, company::Company, merge};
use crate::{FieldError, FieldProblem, mates::numbers};

/// The longest name, characters.
const LONGEST_NAME: usize = 100;
/// The longest postal address, characters.
const LONGEST_ADDRESS: usize = 200;
/// The longest registration number as it is typed, characters.
const LONGEST_NUMBER: usize = 40;

/// The fields as they are saved: in one writing, without those that follow the defaults.
///
/// # Errors
/// Every field that cannot be read, or is against a rule.
pub(super) fn read(
    defaults: &Defaults,
    area: Area,
    sent: &Map<String, Value>,
) -> Result<Map<String, Value>, Vec<FieldError>> {
    let written = match area {
        Area::Company => merge::fields(&company(merge::over(&defaults.company, sent)?, sent)?),
        Area::Policy => {
            let policy = merge::over(&defaults.policy, sent)?;
            errors_if_any(policy.problems().into_iter().map(|p| (p.field, p.must)))?;
            merge::fields(&policy)
        }
        Area::Scheduling => {
            let scheduling = merge::over(&defaults.scheduling, sent)?;
            errors_if_any(scheduling.problems().into_iter().map(|p| (p.field.to_owned(), p.must)))?;
            merge::fields(&scheduling)
        }
    };
    let own = |name: &String| sent.get(name).is_some_and(|value| !value.is_null());
    Ok(written.into_iter().filter(|(name, _)| own(name)).collect())
}

/// An error for each broken rule; fine if there is none.
fn errors_if_any(broken: impl Iterator<Item = (String, Must)>) -> Result<(), Vec<FieldError>> {
    let wrong: Vec<FieldError> = broken.map(|(field, must)| FieldError::new(field, must.into())).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// The company's facts in one writing. What the environment says is not judged: only what was sent.
fn company(mut c: Company, sent: &Map<String, Value>) -> Result<Company, Vec<FieldError>> {
    let mut wrong = Vec::new();
    let is_sent = |field: &str| sent.get(field).is_some_and(|value| !value.is_null());
    for (field, text, longest) in [
        ("name", &mut c.name, LONGEST_NAME),
        ("address", &mut c.address, LONGEST_ADDRESS),
        ("supportEmail", &mut c.support_email, usize::MAX),
        ("supportPhone", &mut c.support_phone, usize::MAX),
    ] {
        if !is_sent(field) {
            continue;
        }
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let problem = match field {
            _ if text.is_empty() => Some(FieldProblem::Required),
            _ if text.chars().any(char::is_control) => Some(FieldProblem::Invalid),
            "supportEmail" => text.parse::<Email>().is_err().then_some(FieldProblem::Invalid),
            "supportPhone" => text.parse::<Phone>().is_err().then_some(FieldProblem::Invalid),
            _ => (text.chars().count() > longest).then_some(FieldProblem::TooLong),
        };
        wrong.extend(problem.map(|problem| FieldError::new(field, problem)));
    }
    let read: [fn(&str) -> Option<String>; 3] = [numbers::gst, numbers::qst, numbers::neq];
    let typed = [("gstNumber", &mut c.gst_number), ("qstNumber", &mut c.qst_number), ("neq", &mut c.neq)];
    for ((field, number), read) in typed.into_iter().zip(read) {
        match (number.trim().is_empty(), read(number)) {
            (true, _) => number.clear(),
            (false, Some(well_formed)) if number.chars().count() <= LONGEST_NUMBER => *number = well_formed,
            (false, _) => wrong.push(FieldError::new(field, FieldProblem::Invalid)),
        }
    }
    c.logo = c.logo.trim().to_owned();
    c.reply_to = reply_to(c.reply_to, &mut wrong);
    c.invoice_prefix = prefixes(c.invoice_prefix, &mut wrong);
    if wrong.is_empty() { Ok(c) } else { Err(wrong) }
}

/// Up to six letters and digits by hub; a hub whose prefix is empty has none. `CN` is what credit notes begin with.
fn prefixes(sent: BTreeMap<String, String>, wrong: &mut Vec<FieldError>) -> BTreeMap<String, String> {
    let mut read = BTreeMap::new();
    for (hub, prefix) in sent {
        let place = format!("invoicePrefix.{hub}");
        let prefix = prefix.trim().to_ascii_uppercase();
        let good = prefix.len() <= 6 && prefix.chars().all(|c| c.is_ascii_alphanumeric()) && prefix != "CN";
        match (geography::hub(&hub), good) {
            (None, _) => wrong.push(FieldError::new(place, FieldProblem::Unknown)),
            (Some(_), false) => wrong.push(FieldError::new(place, FieldProblem::Invalid)),
            (Some(_), true) if prefix.is_empty() => {}
            (Some(_), true) => drop(read.insert(hub, prefix)),
        }
    }
    read
}

/// Addresses by hub; a hub whose address is empty has none.
fn reply_to(sent: BTreeMap<String, String>, wrong: &mut Vec<FieldError>) -> BTreeMap<String, String> {
    let mut read = BTreeMap::new();
    for (hub, address) in sent {
        let place = format!("replyTo.{hub}");
        if geography::hub(&hub).is_none() {
            wrong.push(FieldError::new(place, FieldProblem::Unknown));
            continue;
        }
        match (address.trim().is_empty(), address.parse::<Email>()) {
            (true, _) => {}
            (false, Ok(address)) => {
                read.insert(hub, address.to_string());
            }
            (false, Err(_)) => wrong.push(FieldError::new(place, FieldProblem::Invalid)),
        }
    }
    read
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;
    use crate::Limit;
    use kernel::BasisPoints;

    fn tried(area: Area, sent: &Value) -> Result<Map<String, Value>, Vec<(String, FieldProblem)>> {
        let defaults =
            Defaults { company: Company { name: "Portage".to_owned(), ..Company::default() }, ..Defaults::default() };
        let wrong = |mistakes: Vec<FieldError>| mistakes.into_iter().map(|e| (e.field, e.problem)).collect();
        read(&defaults, area, sent.as_object().unwrap()).map_err(wrong)
    }

    #[test]
    fn what_is_saved_is_what_was_sent_in_one_writing() {
        let sent = json!({
            "name": "  Déménagements   Roy ", "supportEmail": " Aide@Roy.test ", "gstNumber": "123 456 782 rt 0001",
            "neq": "", "qstNumber": null, "replyTo": { "montreal": " Mtl@Roy.test", "ottawa": " " },
        });
        let saved = tried(Area::Company, &sent).unwrap();
        let expected = json!({
            "name": "Déménagements Roy", "supportEmail": "Aide@Roy.test", "gstNumber": "123456782RT0001", "neq": "",
            "replyTo": { "montreal": "Mtl@roy.test" },
        });
        assert_eq!(Value::Object(saved), expected);
        assert_eq!(tried(Area::Policy, &json!({ "deposit": "0.20" })).unwrap()["deposit"], "0.2");
        assert_eq!(tried(Area::Scheduling, &json!({})).unwrap(), Map::new());
    }

    #[test]
    fn mistakes_about_the_company() {
        use FieldProblem::{Invalid, Required, TooLong, Unknown};
        let sent = json!({
            "name": " ", "address": "a".repeat(201), "supportEmail": "nobody", "supportPhone": "911",
            "gstNumber": "123456789RT0001", "qstNumber": "1", "neq": "4412345678",
            "replyTo": { "atlantis": "a@b.ca", "montreal": "a@b" },
        });
        let expected = [
            ("name", Required),
            ("address", TooLong),
            ("supportEmail", Invalid),
            ("supportPhone", Invalid),
            ("gstNumber", Invalid),
            ("qstNumber", Invalid),
            ("neq", Invalid),
            ("replyTo.atlantis", Unknown),
            ("replyTo.montreal", Invalid),
        ];
        assert_eq!(tried(Area::Company, &sent).unwrap_err(), expected.map(|(at, problem)| (at.to_owned(), problem)));
        let public = tried(Area::Company, &json!({ "publicUrl": "https://elsewhere.test" })).unwrap_err();
        assert_eq!(public, [("publicUrl".to_owned(), Unknown)]);
    }

    #[test]
    fn mistakes_about_policy_and_calendar() {
        use FieldProblem::{Between, Invalid, OutOfRange};
        let shares = Between(Limit::Share(BasisPoints::new(1)), Limit::Share(BasisPoints::new(10_000)));
        let told = tried(Area::Policy, &json!({ "deposit": "1.5", "depositRetry": [0, 6, 6], "lockWindow": 1 }));
        let expected = [("deposit", shares), ("depositRetry", OutOfRange), ("balanceRetry", Invalid)];
        assert_eq!(told.unwrap_err(), expected.map(|(at, problem)| (at.to_owned(), problem)));
        let told = tried(Area::Scheduling, &json!({ "opens": "19:00", "horizonDays": 0, "stepMinutes": 7 }));
        let expected = [
            ("closes", Invalid),
            ("stepMinutes", OutOfRange),
            ("lateStartUntil", Invalid),
            ("horizonDays", Between(Limit::Days(1), Limit::Days(730))),
        ];
        assert_eq!(told.unwrap_err(), expected.map(|(at, problem)| (at.to_owned(), problem)));
        let told = tried(Area::Scheduling, &json!({ "stepMinutes": 241, "minLeadMinutes": 43_201 }));
        let expected = [
            ("stepMinutes", Between(Limit::Minutes(5), Limit::Minutes(240))),
            ("minLeadMinutes", FieldProblem::AtMost(Limit::Days(30))),
        ];
        assert_eq!(told.unwrap_err(), expected.map(|(at, problem)| (at.to_owned(), problem)));
        let told = tried(Area::Policy, &json!({ "provinces": { "AB": { "maxOverrunAmount": "-1.00" } } }));
        let nothing = FieldProblem::AtLeast(Limit::NOTHING);
        assert_eq!(told.unwrap_err(), [("provinces.AB.maxOverrunAmount".to_owned(), nothing)]);
    }
}
