//! The API document: complete, consistent, and the one that is committed.

use std::{collections::HashSet, path::Path};

use crate::support::table;
use api::http::{Code, HttpCode};
use serde_json::Value;
use service::Mode;

fn snapshot() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json")
}

#[test]
fn the_committed_document_is_the_served_one() {
    let now = api::openapi();
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(snapshot(), now).unwrap();
    }
    let committed = std::fs::read_to_string(snapshot()).unwrap_or_default();
    assert!(
        committed == now,
        "docs/openapi.json is not the document of the route table. If the change is meant: UPDATE_OPENAPI=1 cargo test -p api --test api openapi"
    );
}

fn walk(v: &Value, f: &mut impl FnMut(&str, &Value)) {
    match v {
        Value::Object(map) => map.iter().for_each(|(k, v)| {
            f(k, v);
            walk(v, f);
        }),
        Value::Array(list) => list.iter().for_each(|v| walk(v, f)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = api::openapi::document();
    let mut seen = 0;
    walk(&document, &mut |key, value| {
        if key == "$ref" {
            let path = value.as_str().unwrap().strip_prefix('#').unwrap();
            assert!(document.pointer(path).is_some(), "{path}");
            seen += 1;
        }
    });
    assert!(seen > 100, "{seen}");
}

/// Of two types of one name only the later would be in the document, and its clients would read the other one's answers
/// by it.
#[test]
fn a_name_is_one_shape() {
    let mut known = std::collections::BTreeMap::new();
    for route in table(service::Mode::Production) {
        for (name, shape) in &route.contract.schemas {
            let (before, path) = known.entry(name.clone()).or_insert_with(|| (shape.clone(), route.path));
            assert_eq!(before, shape, "{name} of {} is another one in {path}: name it otherwise", route.path);
        }
    }
}

#[test]
fn every_operation_is_whole() {
    let document = api::openapi::document();
    let mut ids = HashSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (verb, op) in item.as_object().unwrap() {
            let name = format!("{verb} {path}");
            assert!(ids.insert(op["operationId"].as_str().unwrap().to_owned()), "{name}: operationId twice");
            assert!(!op["summary"].as_str().unwrap().is_empty() && op["tags"][0].is_string(), "{name}");
            let responses = op["responses"].as_object().unwrap();
            assert!(responses.keys().any(|s| s.starts_with('2') || s.starts_with('3')), "{name} never succeeds");
            assert!(responses.contains_key("500"), "{name}");
            for (status, response) in responses {
                let shared = response["$ref"].as_str().map(|r| document.pointer(&r[1..]).unwrap());
                let response = shared.unwrap_or(response);
                if status.starts_with(['4', '5']) && !path.starts_with("/identity") {
                    let schema = &response["content"]["application/problem+json"]["schema"];
                    let codes = schema["properties"]["code"]["enum"].as_array();
                    assert!(codes.is_some_and(|c| !c.is_empty()), "{name} {status} lists no codes");
                }
            }
            let declared: HashSet<&str> = op["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|p| p["in"] == "path")
                .filter_map(|p| p["name"].as_str())
                .collect();
            for part in path.split('{').skip(1).filter_map(|p| p.split_once('}')) {
                assert!(declared.contains(part.0), "{name}: {} is not declared", part.0);
            }
        }
    }
}

/// A reason that no call declares is raised by none, or by one that lies.
#[test]
fn every_reason_is_declared_by_some_call() {
    let table = table(Mode::Demo);
    // Told by the router, before any row matches.
    let routers = [Code::Http(HttpCode::MethodNotAllowed)];
    let declared: HashSet<Code> = table.iter().flat_map(|r| r.codes()).collect();
    let nobodys: Vec<Code> = Code::all().filter(|c| !declared.contains(c) && !routers.contains(c)).collect();
    assert!(nobodys.is_empty(), "{nobodys:?}");
    assert!(routers.iter().all(|c| !declared.contains(c)), "one of these is declared by now");
}

/// The customer's calls of the specification and of the contract, by name.
#[test]
fn no_call_of_the_contract_is_missing() {
    let document = api::openapi::document();
    for call in [
        "post /api/booking/estimate",
        "post /api/booking/duration",
        "post /api/booking/payment-plan",
        "post /api/discount",
        "get /api/rates/active",
        "get /api/availability",
        "post /api/holds",
        "delete /api/holds/{id}",
        "get /api/geo/search",
        "get /api/geo/reverse",
        "post /api/geo/route",
        "get /api/geo/settings",
        "get /api/tax",
        "get /api/furniture",
        "get /api/config",
        "post /api/payment/client",
        "post /api/payment",
        "post /api/payment/card",
        "post /api/book",
        "post /api/bookings",
        "get /api/bookings/previous",
        "get /api/c/bookings/{id}",
        "put /api/c/bookings/{id}",
        "post /api/c/bookings/{id}/preview",
        "get /api/c/bookings/{id}/cancellation",
        "put /api/c/bookings/cancel/{id}",
        "put /api/bookings/status/{id}",
        "get /api/bookings/{id}",
        "put /api/bookings/{id}",
        "delete /api/bookings/{id}",
        "get /api/bookings/{id}/history",
        "get /api/bookings/{id}/ledger",
        "get /api/c/tip/{id}",
        "get /api/tip/{id}",
        "put /api/tip/{id}",
        "get /api/profiles/",
        "put /api/profiles/",
        "get /api/openapi.json",
        "get /api/docs",
    ] {
        let (verb, path) = call.split_once(' ').unwrap();
        assert!(document["paths"][path][verb].is_object(), "{call}");
    }
}

#[test]
fn closed_lists_are_enums() {
    let document = api::openapi::document();
    for (schema, field, one) in [
        ("PlanAnswer", "mode", "full_at_once"),
        ("FurnitureItem", "category", "living-room"),
        ("ChatWidgetSettings", "provider", "chatwoot"),
    ] {
        let property = &document["components"]["schemas"][schema]["properties"][field];
        let reference = property["$ref"]
            .as_str()
            .or_else(|| property["allOf"][0]["$ref"].as_str())
            .or_else(|| property["oneOf"][0]["$ref"].as_str());
        let reference = reference.unwrap_or_else(|| panic!("{schema}.{field} is {property}"));
        let list = document.pointer(reference.trim_start_matches('#')).unwrap()["enum"].as_array().unwrap();
        assert!(list.contains(&Value::from(one)), "{schema}.{field}: {list:?}");
    }
}

#[test]
fn money_is_a_pattern_everywhere() {
    let document = api::openapi::document();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["components"]["schemas"]["Money"]["pattern"], r"^-?\d+\.\d{2}$");
    let estimate = &document["components"]["schemas"]["EstimateAnswer"]["properties"];
    for field in ["amount", "originalAmount", "discount", "tax", "total"] {
        assert!(estimate[field].to_string().contains("#/components/schemas/Money"), "{field}: {}", estimate[field]);
    }
}

/// What clients send has a label in three languages, for messages about it. A label belongs to the name, whichever form has it.
#[test]
fn every_field_that_is_sent_has_a_label() {
    let document = api::openapi::document();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if !(name.ends_with("Request") || name.ends_with("Body") || name.ends_with("Draft") || name.ends_with("Form")) {
            continue;
        }
        for field in schema["properties"].as_object().into_iter().flatten().map(|(k, _)| k) {
            // Programs send these, and they read no sentences.
            let of_programs = ["TokenForm", "RevokeForm", "BraintreeForm", "TwilioForm"].contains(&name.as_str());
            assert!(
                of_programs || api::http::texts::exists(&format!("field.{field}")),
                "{name}.{field}: add \"field.{field}\" in en, fr and zh to crates/api/src/texts.json"
            );
        }
    }
}
