#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;
use crate::operations::{CHARGE, TRANSACTION};

fn answered(status: u16, body: &Value, effect: Effect) -> Result<Value, Failure> {
    let operation = if effect == Effect::Reads { &TRANSACTION } else { &CHARGE };
    let (_, outcome) = interpret(operation, effect, StatusCode::from_u16(status).unwrap(), body.to_string().as_bytes());
    outcome.map(|a: GraphQlAnswer<Value>| a.payload)
}

fn failed_with(class: Value, legacy: Value) -> Failure {
    let body = json!({
        "data": { "chargePaymentMethod": null },
        "errors": [{ "message": "StatusInput so", "extensions": { "errorClass": class, "legacyCode": legacy } }],
    });
    answered(200, &body, Effect::Writes).unwrap_err()
}

fn unknown() -> Failure {
    GatewayError::Unknown("StatusInput so".to_owned()).into()
}

#[test]
fn each_error_class_has_its_meaning() {
    let other = |e: GatewayError| Failure::Other(e);
    let misconfigured = |class: &str| other(GatewayError::Misconfigured(format!("{class}: StatusInput so")));
    for class in ["AUTHENTICATION", "AUTHORIZATION", "UNSUPPORTED_CLIENT", "NOT_IMPLEMENTED"] {
        assert_eq!(failed_with(class.into(), Value::Null), misconfigured(class));
    }
    assert_eq!(failed_with("NOT_FOUND".into(), Value::Null), other(GatewayError::NotFound));
    assert_eq!(failed_with("RESOURCE_LIMIT".into(), Value::Null), other(GatewayError::RateLimited));
    assert_eq!(failed_with("INTERNAL".into(), Value::Null), unknown());
    assert_eq!(failed_with("BRAND_NEW".into(), Value::Null), unknown());
    assert_eq!(failed_with(Value::Null, Value::Null), unknown());
    assert_eq!(failed_with("SERVICE_AVAILABILITY".into(), Value::Null), Failure::Busy("StatusInput so".to_owned()));
    let rejected = |code: Option<&str>| {
        other(GatewayError::Rejected { code: code.map(str::to_owned), message: "StatusInput so".to_owned() })
    };
    assert_eq!(failed_with("VALIDATION".into(), "81528".into()), rejected(Some("81528")));
    assert_eq!(failed_with("VALIDATION".into(), Value::Null), rejected(None));
    assert_eq!(failed_with("VALIDATION".into(), "915233".into()), unknown());
    assert_eq!(failed_with("VALIDATION".into(), "915232".into()), rejected(Some("915232")));
}

#[test]
fn the_most_open_error_decides() {
    let errors: Vec<WireError> = ["VALIDATION", "INTERNAL"]
        .iter()
        .map(|c| {
            serde_json::from_value(json!({ "message": "StatusInput so", "extensions": { "errorClass": c } })).unwrap()
        })
        .collect();
    assert_eq!(classify(&errors, Effect::Writes), unknown());
}

#[test]
fn http_statuses_speak_only_when_the_body_does_not() {
    let empty = json!({});
    for status in [400, 401, 403, 404, 426, 302] {
        let failure = answered(status, &empty, Effect::Writes).unwrap_err();
        assert!(matches!(failure, Failure::Other(GatewayError::Misconfigured(_))), "{status}");
    }
    for status in [408, 500, 502, 504, 200] {
        let failure = answered(status, &empty, Effect::Writes).unwrap_err();
        assert!(matches!(failure, Failure::Other(GatewayError::Unknown(_))), "{status}");
    }
    assert_eq!(answered(429, &empty, Effect::Writes).unwrap_err(), GatewayError::RateLimited.into());
    assert_eq!(answered(503, &empty, Effect::Writes).unwrap_err(), Failure::Busy("HTTP 503".to_owned()));
    let body = json!({ "errors": [{ "message": "no", "extensions": { "errorClass": "AUTHENTICATION" } }] });
    let failure = answered(500, &body, Effect::Writes).unwrap_err();
    assert!(matches!(failure, Failure::Other(GatewayError::Misconfigured(_))));
}

#[test]
fn data_beside_errors_is_still_data() {
    let body = json!({
        "data": { "chargePaymentMethod": { "transaction": { "id": "1" } } },
        "errors": [{ "message": "a side field failed", "extensions": { "errorClass": "INTERNAL" } }],
    });
    assert_eq!(answered(200, &body, Effect::Writes).unwrap()["transaction"]["id"], "1");
}

#[test]
fn nothing_found_is_not_a_failure_of_the_gateway() {
    let body = json!({ "data": { "node": null } });
    assert_eq!(answered(200, &body, Effect::Reads).unwrap_err(), GatewayError::NotFound.into());
    // The same silence after a write leaves the question open.
    let body = json!({ "data": { "chargePaymentMethod": null } });
    assert!(matches!(answered(200, &body, Effect::Writes), Err(Failure::Other(GatewayError::Unknown(_)))));
}
