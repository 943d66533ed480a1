//! The simulator's own routes and its protocol, without a client.

use std::sync::{Arc, atomic::AtomicI64};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use braintree::operations::{CHARGE, CREATE_CUSTOMER, Operation, PAYMENTS, PING, SANDBOX_SETTLE, TRANSACTION, VAULT};
use braintree::simulator::Simulator;
use serde_json::{Value, json};

use crate::support::{Now, open};

struct Desk {
    simulator: Simulator,
    now: Now,
    _dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let dir = tempfile::tempdir().unwrap();
        let now: Now = Arc::new(AtomicI64::new(1_800_000_000));
        Desk { simulator: open(&dir.path().join("b.jsonl"), &now), now, _dir: dir }
    }

    fn later(&self, seconds: i64) {
        self.now.fetch_add(seconds, std::sync::atomic::Ordering::SeqCst);
    }

    fn raw(&self, body: &Value) -> Value {
        let reply = self.simulator.handle_graphql(Some(&keys()), Some("2019-01-01"), body.to_string().as_bytes());
        assert_eq!(reply.status, 200);
        serde_json::from_slice(&reply.body).unwrap()
    }

    fn run(&self, operation: &Operation, variables: Value) -> Value {
        self.raw(&json!({ "query": operation.document, "operationName": operation.name, "variables": variables }))
    }

    /// The legacy code a refusal carries.
    fn refused(&self, operation: &Operation, variables: Value) -> String {
        let answer = self.run(operation, variables);
        assert!(answer["data"][operation.root].is_null(), "{answer}");
        let error = &answer["errors"][0];
        error["extensions"]["legacyCode"].as_str().or(error["extensions"]["errorClass"].as_str()).unwrap().to_owned()
    }

    fn card(&self) -> String {
        let customer = self.run(
            &CREATE_CUSTOMER,
            json!({ "input": { "customer": { "firstName": "A", "lastName": "B", "email": "a@b.test" } } }),
        );
        let id = &customer["data"]["createCustomer"]["customer"]["id"];
        let vaulted = self.run(&VAULT, json!({ "input": { "paymentMethodId": "fake-valid-nonce", "customerId": id } }));
        vaulted["data"]["vaultPaymentMethod"]["paymentMethod"]["id"].as_str().unwrap().to_owned()
    }

    fn charge(&self, method: &str, transaction: Value) -> Value {
        let answer = self.run(&CHARGE, json!({ "input": { "paymentMethodId": method, "transaction": transaction } }));
        answer["data"]["chargePaymentMethod"]["transaction"].clone()
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let reply = self.simulator.dispatch("POST", path, "", &|_| None, body.to_string().as_bytes());
        (reply.status, serde_json::from_slice(&reply.body).unwrap())
    }
}

fn keys() -> String {
    format!("Basic {}", STANDARD.encode("pk:sk"))
}

#[test]
fn the_protocol_refuses_as_the_gateway_does() {
    let desk = Desk::new();
    let class = |authorization: Option<&str>, version: Option<&str>| {
        let body = json!({ "query": PING.document }).to_string();
        let reply = desk.simulator.handle_graphql(authorization, version, body.as_bytes());
        let answer: Value = serde_json::from_slice(&reply.body).unwrap();
        assert!(answer["extensions"]["requestId"].is_string());
        answer["errors"][0]["extensions"]["errorClass"].as_str().map(str::to_owned)
    };
    let (keys, empty) = (keys(), format!("Basic {}", STANDARD.encode(":")));
    assert_eq!(class(Some(&keys), Some("2019-01-01")), None);
    for bad in [None, Some("Basic ???"), Some("Bearer x"), Some(empty.as_str())] {
        assert_eq!(class(bad, Some("2019-01-01")).as_deref(), Some("AUTHENTICATION"), "{bad:?}");
    }
    for bad in [None, Some("yesterday")] {
        assert_eq!(class(Some(&keys), bad).as_deref(), Some("UNSUPPORTED_CLIENT"), "{bad:?}");
    }
    for body in [
        json!({ "query": "query { nothing }" }),
        json!({ "query": "not graphql" }),
        json!({ "query": PING.document, "operationName": "Other" }),
        json!({ "query": TRANSACTION.document, "operationName": TRANSACTION.name }),
        json!({ "query": TRANSACTION.document, "operationName": TRANSACTION.name, "variables": { "id": ["x"] } }),
        json!({ "nothing": 1 }),
    ] {
        let answer = desk.raw(&body);
        assert_eq!(answer["errors"][0]["extensions"]["errorClass"], "VALIDATION", "{body}");
        assert!(answer["data"].is_null());
    }
}

#[test]
fn only_selected_fields_come_back_under_their_aliases() {
    let desk = Desk::new();
    let made = desk.charge(&desk.card(), json!({ "amount": "10.00", "merchantAccountId": "cad" }));
    let query = "query($i: ID!) { it: node(id: $i) { __typename ... on Transaction { sum: amount { value } } } }";
    let answer = desk.raw(&json!({ "query": query, "variables": { "i": made["id"] } }));
    assert_eq!(answer["data"], json!({ "it": { "__typename": "Transaction", "sum": { "value": "10.00" } } }));
}

#[test]
fn charges_are_validated() {
    let desk = Desk::new();
    let card = desk.card();
    let code = |method: &str, transaction: Value| {
        desk.refused(&CHARGE, json!({ "input": { "paymentMethodId": method, "transaction": transaction } }))
    };
    for (amount, expected) in
        [("-1.00", "81501"), ("1.5", "81503"), ("", "81502"), ("0.00", "81531"), ("99999999999.99", "81528")]
    {
        assert_eq!(code(&card, json!({ "amount": amount })), expected);
    }
    assert_eq!(code(&card, json!({ "amount": "1.00", "orderId": "o".repeat(256) })), "91501");
    assert_eq!(code(&card, json!({ "amount": "1.00", "tax": { "taxAmount": "x" } })), "81534");
    assert_eq!(code("dHJhbnNhY3Rpb25fMQ", json!({ "amount": "1.00" })), "91518");
    assert_eq!(code("unheard-of", json!({ "amount": "1.00" })), "91565");
    assert_eq!(code("fake-consumed-nonce", json!({ "amount": "1.00" })), "91564");
    // Nothing of this was kept.
    let reply = desk.simulator.dispatch("GET", "transactions", "", &|_| None, b"");
    assert_eq!(serde_json::from_slice::<Value>(&reply.body).unwrap()["total"], 0);
}

#[test]
fn a_nonce_can_be_charged_once_without_being_stored() {
    let desk = Desk::new();
    let form = json!({ "number": "4111111111111111", "expirationMonth": "12", "expirationYear": "31", "cvv": "123" });
    let (_, token) = desk.post("tokenize", &form);
    let nonce = token["nonce"].as_str().unwrap();
    assert_eq!(desk.charge(nonce, json!({ "amount": "1.00" }))["status"], "SUBMITTED_FOR_SETTLEMENT");
    let again = json!({ "input": { "paymentMethodId": nonce, "transaction": { "amount": "2.00" } } });
    assert_eq!(desk.refused(&CHARGE, again), "91564");
}

#[test]
fn forgetting_the_merchant_account_means_another_currency() {
    let desk = Desk::new();
    let card = desk.card();
    assert_eq!(desk.charge(&card, json!({ "amount": "1.00" }))["amount"]["currencyCode"], "USD");
    let named = json!({ "amount": "1.00", "merchantAccountId": "portage_cad" });
    assert_eq!(desk.charge(&card, named)["amount"]["currencyCode"], "CAD");
}

#[test]
fn duplicates_are_told_within_half_a_minute() {
    let desk = Desk::new();
    let card = desk.card();
    let transaction = || json!({ "amount": "5.00", "orderId": "d", "merchantAccountId": "m" });
    let first = desk.charge(&card, transaction());
    desk.later(29);
    let second = desk.charge(&card, transaction());
    assert_eq!(second["status"], "GATEWAY_REJECTED");
    assert_eq!(second["statusHistory"][0]["duplicateOf"]["id"], first["id"]);
    let other = json!({ "amount": "5.01", "orderId": "d", "merchantAccountId": "m" });
    assert_eq!(desk.charge(&card, other)["status"], "SUBMITTED_FOR_SETTLEMENT");
    desk.later(1);
    assert_eq!(desk.charge(&card, transaction())["status"], "SUBMITTED_FOR_SETTLEMENT");
    // The gateway keeps the rejection; the list of what was really done does not show it.
    let search = json!({ "input": { "orderId": { "is": "d" } } });
    let found = desk.run(&PAYMENTS, search)["data"]["search"]["payments"]["edges"].as_array().unwrap().len();
    let reply = desk.simulator.dispatch("GET", "transactions", "orderId=d", &|_| None, b"");
    assert_eq!((found, serde_json::from_slice::<Value>(&reply.body).unwrap()["total"].as_u64()), (4, Some(3)));
}

#[test]
fn a_declined_charge_may_be_tried_again_at_once() {
    let desk = Desk::new();
    let card = desk.card();
    desk.post("control", &json!({ "outcome": "soft_decline" }));
    let transaction = || json!({ "amount": "5.00", "orderId": "d", "merchantAccountId": "m" });
    let declined = desk.charge(&card, transaction());
    assert_eq!(declined["status"], "PROCESSOR_DECLINED");
    assert_eq!(declined["statusHistory"][0]["declineType"], "SOFT");
    assert_eq!(desk.charge(&card, transaction())["status"], "SUBMITTED_FOR_SETTLEMENT");
}

#[test]
fn settling_by_hand() {
    let desk = Desk::new();
    let card = desk.card();
    let settle = |id: &Value, state: &str| {
        desk.run(&SANDBOX_SETTLE, json!({ "input": { "transactionId": id, "settlementState": state } }))
    };
    for state in ["SETTLED", "SETTLEMENT_DECLINED"] {
        let made = desk.charge(&card, json!({ "amount": "5.00" }));
        let settled = settle(&made["id"], state);
        assert_eq!(settled["data"]["sandboxSettleTransaction"]["transaction"]["status"], state);
        assert!(!settle(&made["id"], state)["errors"].is_null());
    }
}

#[test]
fn the_amount_table_is_off_unless_asked_for() {
    let desk = Desk::new();
    let card = desk.card();
    assert_eq!(desk.charge(&card, json!({ "amount": "2001.00" }))["status"], "SUBMITTED_FOR_SETTLEMENT");
    let Desk { simulator, now, _dir } = desk;
    let desk = Desk { simulator: simulator.with_sandbox_amounts(), now, _dir };
    for (amount, status) in [
        ("1999.99", "SUBMITTED_FOR_SETTLEMENT"),
        ("2000.00", "PROCESSOR_DECLINED"),
        ("2999.99", "PROCESSOR_DECLINED"),
        ("3000.50", "FAILED"),
        ("3001.00", "SUBMITTED_FOR_SETTLEMENT"),
        ("5001.00", "GATEWAY_REJECTED"),
    ] {
        assert_eq!(desk.charge(&card, json!({ "amount": amount }))["status"], status, "{amount}");
    }
    let declined = desk.charge(&card, json!({ "amount": "2004.10" }));
    let event = &declined["statusHistory"][0];
    assert_eq!(
        (event["processorResponse"]["legacyCode"].as_str(), event["declineType"].as_str()),
        (Some("2004"), Some("HARD"))
    );
}

#[test]
fn the_card_form_is_told_every_mistake_at_once() {
    let desk = Desk::new();
    let wrong = json!({ "number": "4111111111111112", "expirationMonth": "13", "expirationYear": "x", "cvv": "12" });
    let (status, body) = desk.post("tokenize", &wrong);
    assert_eq!(status, 422);
    let fields: Vec<_> = body["errors"].as_array().unwrap().iter().map(|e| e["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["number", "expirationMonth", "expirationYear", "cvv"]);
    let good = json!({ "number": "4111111111111111", "expirationMonth": "01", "expirationYear": "2027", "cvv": "123" });
    assert_eq!(desk.post("tokenize", &good).0, 200);
    // 2027-01-15 plus a month.
    desk.later(31 * 86_400);
    let (status, body) = desk.post("tokenize", &good);
    assert_eq!((status, body["errors"][0]["code"].as_str()), (422, Some("expired")));
    assert_eq!(desk.post("tokenize", &json!("4111111111111111")).0, 400);
    assert_eq!(desk.post("tokenize", &json!({})).0, 422);
}

#[test]
fn control_is_strict_and_can_be_read_and_cleared() {
    let desk = Desk::new();
    for bad in [
        json!({}),
        json!({ "outcomes": [] }),
        json!({ "outcome": "explode" }),
        json!({ "outcome": "approve", "operation": "x" }),
        json!([]),
    ] {
        assert_eq!(desk.post("control", &bad).0, 422, "{bad}");
    }
    for outcome in ["approve", "soft_decline", "hard_decline", "timeout_applied", "timeout_not_applied", "error_500"] {
        assert_eq!(desk.post("control", &json!({ "outcome": outcome, "customerId": "c" })).0, 200, "{outcome}");
    }
    let ask = |method: &str| {
        let reply = desk.simulator.dispatch(method, "control", "", &|_| None, b"");
        serde_json::from_slice::<Value>(&reply.body).unwrap()["queued"].clone()
    };
    assert_eq!(ask("GET")[0]["outcomes"].as_array().unwrap().len(), 6);
    assert_eq!(ask("DELETE"), json!([]));
    assert_eq!(ask("GET"), json!([]));
}

#[test]
fn unknown_routes_and_methods() {
    let desk = Desk::new();
    let status = |method: &str, path: &str| desk.simulator.dispatch(method, path, "", &|_| None, b"").status;
    assert_eq!((status("GET", "nowhere"), status("GET", "graphql"), status("PUT", "/transactions/")), (404, 405, 405));
    let page = |query: &str| desk.simulator.dispatch("GET", "transactions", query, &|_| None, b"").status;
    assert_eq!((page("page=0"), page("per_page=x"), page("page=7&per_page=3")), (400, 400, 200));
}
