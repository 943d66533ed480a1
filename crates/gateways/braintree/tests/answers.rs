//! The client against canned answers: what no well-behaved simulator would say.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, http::StatusCode, web};
use braintree::{BraintreeGateway, Environment};
use serde_json::{Value, json};
use service::ports::payments::{ChargeOutcome, GatewayError, PaymentGateway as _, RefundOutcome, VaultOutcome};

use crate::support::{charge, client, config, hasty_client, person, refund};

/// What came in: operation name, headers, variables.
type RequestLog = Arc<Mutex<Vec<(String, Vec<(String, String)>, Value)>>>;

struct Stub {
    url: String,
    asked: RequestLog,
}

#[derive(Clone)]
struct Script {
    answers: Arc<Mutex<VecDeque<(u16, Value)>>>,
    asked: RequestLog,
}

async fn answer(script: web::Data<Script>, request: HttpRequest, body: web::Bytes) -> HttpResponse {
    let body: Value = serde_json::from_slice(&body).unwrap();
    let text = |v: &actix_web::http::header::HeaderValue| v.to_str().unwrap_or_default().to_owned();
    let headers = request.headers().iter().map(|(n, v)| (n.to_string(), text(v))).collect();
    let name = body["operationName"].as_str().unwrap_or_default().to_owned();
    script.asked.lock().unwrap().push((name, headers, body["variables"].clone()));
    let next = script.answers.lock().unwrap().pop_front();
    match next {
        Some((status, body)) => HttpResponse::build(StatusCode::from_u16(status).unwrap()).json(body),
        None => {
            actix_web::rt::time::sleep(Duration::from_secs(30)).await;
            HttpResponse::Ok().finish()
        }
    }
}

impl Stub {
    async fn start(answers: impl IntoIterator<Item = (u16, Value)>) -> Stub {
        let asked = RequestLog::default();
        let script = Script { answers: Arc::new(Mutex::new(answers.into_iter().collect())), asked: asked.clone() };
        let data = web::Data::new(script);
        let server = HttpServer::new(move || App::new().app_data(data.clone()).default_service(web::to(answer)))
            .workers(1)
            .disable_signals()
            .shutdown_timeout(0)
            .bind("127.0.0.1:0")
            .unwrap();
        let url = format!("http://{}/graphql", server.addrs()[0]);
        tokio::spawn(server.run());
        Stub { url, asked }
    }

    fn operations(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|(name, _, _)| name.clone()).collect()
    }
}

fn transaction(status: &str, value: &str, currency: &str) -> Value {
    json!({ "data": { "chargePaymentMethod": { "transaction": {
        "id": "tx", "legacyId": "l", "status": status, "orderId": "o-1",
        "amount": { "value": value, "currencyCode": currency },
        "statusHistory": [{ "__typename": "X", "status": status }],
    } } } })
}

fn payments(nodes: Value) -> Value {
    let edges: Vec<Value> = nodes.as_array().unwrap().iter().map(|n| json!({ "node": n })).collect();
    json!({ "data": { "search": { "payments": { "pageInfo": { "hasNextPage": false, "endCursor": null }, "edges": edges } } } })
}

fn payment(status: &str) -> Value {
    json!({
        "__typename": "Transaction", "id": "tx", "legacyId": "l", "status": status, "orderId": "o-1",
        "createdAt": "2027-01-15T12:00:00.000000Z", "amount": { "value": "91.98", "currencyCode": "CAD" },
        "statusHistory": [{ "status": status, "declineType": "HARD", "processorResponse": { "legacyCode": "2013", "message": "Stolen" } }],
    })
}

#[tokio::test]
async fn credentials_version_and_input_are_sent_as_documented() {
    let stub = Stub::start([(200, transaction("SUBMITTED_FOR_SETTLEMENT", "91.98", "CAD"))]).await;
    client(&stub.url, true).charge(&charge("o-1", "method", 9_198)).await.unwrap();
    let asked = stub.asked.lock().unwrap();
    let (name, headers, variables) = &asked[0];
    assert_eq!(name, "PortageCharge");
    let header = |wanted: &str| headers.iter().find(|(n, _)| n == wanted).map(|(_, v)| v.as_str());
    // The example of the gateway's contract.
    assert_eq!(header("authorization"), Some("Basic cGtfdGVzdF9wdWJsaWM6cGtfdGVzdF9wcml2YXRl"));
    assert_eq!(header("braintree-version"), Some(braintree::PINNED_VERSION));
    assert_eq!(header("content-type"), Some("application/json"));
    let expected = json!({ "input": {
        "paymentMethodId": "method",
        "apiRequestKey": "o-1",
        "transaction": {
            "amount": "91.98", "orderId": "o-1", "merchantAccountId": "portage_cad",
            "paymentInitiator": "UNSCHEDULED", "tax": { "taxAmount": "9.19" },
        },
    } });
    assert_eq!(variables, &expected);
}

#[tokio::test]
async fn a_charge_in_another_currency_or_of_another_amount_is_reversed() {
    for (value, currency) in [("91.98", "USD"), ("50.00", "CAD")] {
        let reversed = json!({ "data": { "reverseTransaction": { "reversal": { "__typename": "Transaction", "id": "tx", "status": "VOIDED" } } } });
        let stub =
            Stub::start([(200, transaction("SUBMITTED_FOR_SETTLEMENT", value, currency)), (200, reversed)]).await;
        let outcome = client(&stub.url, false).charge(&charge("o-1", "m", 9_198)).await;
        assert!(matches!(outcome, Err(GatewayError::Misconfigured(said)) if said.contains(currency)));
        assert_eq!(stub.operations(), ["PortageCharge", "PortageReverse"]);
    }
    // If even that fails, the money is somewhere: nobody may call it "nothing happened".
    let stub = Stub::start([(200, transaction("SETTLING", "91.98", "USD")), (500, json!({}))]).await;
    let outcome = client(&stub.url, false).charge(&charge("o-1", "m", 9_198)).await;
    assert!(matches!(outcome, Err(GatewayError::Unknown(_))));
}

#[tokio::test]
async fn an_unavailable_gateway_is_asked_what_it_did() {
    let busy = |status| match status {
        503 => (503, json!({})),
        _ => (
            200,
            json!({ "data": null, "errors": [{ "message": "later", "extensions": { "errorClass": "SERVICE_AVAILABILITY" } }] }),
        ),
    };
    for first in [503, 200] {
        let request = charge("o-1", "m", 9_198);
        let stub = Stub::start([busy(first), (200, payments(json!([payment("SUBMITTED_FOR_SETTLEMENT")])))]).await;
        let outcome = client(&stub.url, false).charge(&request).await.unwrap();
        assert_eq!(
            outcome,
            ChargeOutcome::Captured { transaction_id: "tx".to_owned(), legacy_id: Some("l".to_owned()) }
        );

        // Not listed yet, which proves nothing about what was sent a moment ago.
        let stub = Stub::start([busy(first), (200, payments(json!([])))]).await;
        assert!(matches!(client(&stub.url, false).charge(&request).await, Err(GatewayError::Unknown(_))));

        let stub = Stub::start([busy(first), (200, payments(json!([payment("PROCESSOR_DECLINED")])))]).await;
        assert!(matches!(client(&stub.url, false).charge(&request).await, Err(GatewayError::Unknown(_))));

        let stub = Stub::start([busy(first), busy(first)]).await;
        assert!(matches!(client(&stub.url, false).charge(&request).await, Err(GatewayError::Unknown(_))));
    }
}

#[tokio::test]
async fn a_charge_still_being_decided_is_an_open_question() {
    for status in ["AUTHORIZING", "AUTHORIZED", "SETTLEMENT_PENDING", "SOMETHING_NEW"] {
        let stub = Stub::start([(200, transaction(status, "91.98", "CAD"))]).await;
        let outcome = client(&stub.url, false).charge(&charge("o-1", "m", 9_198)).await;
        assert!(matches!(outcome, Err(GatewayError::Unknown(_))), "{status}");
    }
}

#[tokio::test]
async fn a_duplicate_of_somebody_elses_charge_is_a_decline() {
    let duplicate = |order: &str| {
        let mut answer = transaction("GATEWAY_REJECTED", "91.98", "CAD");
        answer["data"]["chargePaymentMethod"]["transaction"]["statusHistory"] = json!([{
            "status": "GATEWAY_REJECTED", "gatewayRejectionReason": "DUPLICATE",
            "duplicateOf": { "id": "original", "legacyId": "l", "status": "SETTLED", "orderId": order,
                "amount": { "value": "91.98", "currencyCode": "CAD" } },
        }]);
        (200, answer)
    };
    let stub = Stub::start([duplicate("o-1"), duplicate("another")]).await;
    let gateway = client(&stub.url, false);
    let ours = gateway.charge(&charge("o-1", "m", 9_198)).await.unwrap();
    assert!(matches!(ours, ChargeOutcome::Captured { transaction_id, .. } if transaction_id == "original"));
    let foreign = gateway.charge(&charge("o-1", "m", 9_198)).await.unwrap();
    assert!(matches!(foreign, ChargeOutcome::Declined { hard: false, code, .. } if code == "DUPLICATE"));
}

#[tokio::test]
async fn a_failed_verification_may_come_as_an_error() {
    let refusal = |code: Value| {
        json!({
            "data": { "vaultPaymentMethod": null },
            "errors": [{ "message": "Do Not Honor", "extensions": { "errorClass": "VALIDATION", "legacyCode": code } }],
        })
    };
    let partly = json!({
        "data": { "vaultPaymentMethod": { "paymentMethod": null, "verification": null } },
        "errors": [{ "message": "Do Not Honor", "extensions": { "errorClass": "VALIDATION" } }],
    });
    let stub = Stub::start([
        (200, refusal(Value::Null)),
        (200, refusal("81724".into())),
        (200, partly),
        (200, refusal("91513".into())),
    ])
    .await;
    let gateway = client(&stub.url, false);
    for code in ["", "81724", ""] {
        let outcome = gateway.vault("c", "n").await.unwrap();
        let (message, code) = ("Do Not Honor".to_owned(), code.to_owned());
        assert_eq!(outcome, VaultOutcome::Refused { message, code, hard: false });
    }
    assert!(matches!(gateway.vault("c", "n").await, Err(GatewayError::Misconfigured(_))));
}

#[tokio::test]
async fn a_declined_payment_found_by_order_says_why() {
    let stub = Stub::start([(200, payments(json!([payment("PROCESSOR_DECLINED")])))]).await;
    let found = client(&stub.url, false).find_by_order("o-1").await.unwrap();
    assert_eq!((found[0].declined_hard, found[0].code.as_deref()), (Some(true), Some("2013")));
}

#[tokio::test]
async fn a_charge_on_its_way_to_the_bank_cannot_be_given_back_yet() {
    let node = |status: &str| {
        let mut node = payment(status);
        node["refunds"] = json!([]);
        (200, json!({ "data": { "node": node } }))
    };
    let late = json!({
        "data": { "reverseTransaction": null },
        "errors": [{ "message": "cannot void", "extensions": { "errorClass": "VALIDATION", "legacyCode": "91504" } }],
    });
    let stub = Stub::start([node("SETTLING"), node("SUBMITTED_FOR_SETTLEMENT"), (200, late)]).await;
    let gateway = client(&stub.url, false);
    let request = refund("r-1", "tx", 9_198, true);
    assert_eq!(gateway.refund(&request).await.unwrap(), RefundOutcome::NotSettledYet);
    // It began to settle between our look and our word.
    assert_eq!(gateway.refund(&request).await.unwrap(), RefundOutcome::NotSettledYet);
}

#[tokio::test]
async fn a_reversal_that_met_a_settled_charge_is_a_refund() {
    let mut node = payment("SUBMITTED_FOR_SETTLEMENT");
    node["refunds"] = json!([]);
    let reversal = json!({ "data": { "reverseTransaction": { "reversal": { "__typename": "Refund", "id": "rf", "status": "SUBMITTED_FOR_SETTLEMENT" } } } });
    let stub = Stub::start([(200, json!({ "data": { "node": node } })), (200, reversal)]).await;
    let outcome = client(&stub.url, false).refund(&refund("r-1", "tx", 9_198, true)).await.unwrap();
    assert_eq!(outcome, RefundOutcome::Refunded { refund_id: "rf".to_owned() });
}

#[tokio::test]
async fn nobody_there_means_not_sent_and_silence_means_unknown() {
    let gateway = hasty_client("http://127.0.0.1:9/graphql");
    assert!(matches!(gateway.charge(&charge("o", "m", 1)).await, Err(GatewayError::Unavailable(_))));
    let silent = Stub::start([]).await;
    let gateway = hasty_client(&silent.url);
    assert!(matches!(gateway.charge(&charge("o", "m", 1)).await, Err(GatewayError::Unknown(_))));
    assert!(matches!(gateway.create_customer(&person(1)).await, Err(GatewayError::Unknown(_))));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let stub = Stub::start([(307, json!({}))]).await;
    assert!(matches!(client(&stub.url, false).ping().await, Err(GatewayError::Misconfigured(_))));
}

#[tokio::test]
async fn test_cards_are_refused_where_money_is_real() {
    let mut production = config("https://127.0.0.1:9/graphql", false);
    production.environment = Environment::Production;
    let gateway = BraintreeGateway::new(production).unwrap();
    assert!(matches!(gateway.vault("c", "fake-valid-nonce").await, Err(GatewayError::Rejected { .. })));
    assert!(matches!(gateway.charge(&charge("o", "fake-valid-nonce", 1)).await, Err(GatewayError::Rejected { .. })));
}
