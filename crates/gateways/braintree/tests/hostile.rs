//! A gateway that is slow before it applies, whose clients give up, that hears a request twice, and
//! whose charges come back after they were captured. Over real HTTP, with the real client.

use crate::support;

use std::{
    future::Future,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use actix_web::{App, HttpResponse, HttpServer, web};
use braintree::simulator::DEMO_KEY;
use braintree::webhook::WebhookVerifier;
use chrono::TimeDelta;
use serde_json::{Value, json};
use service::ports::payments::{ChargeOutcome, GatewayError, GatewayStatus, PaymentGateway as _, RefundOutcome};

use support::{House, charge, hasty_client, pair, person, refund};

fn endpoint(house: &House) -> String {
    format!("{}/graphql", house.url)
}

/// Asks again until it is so, for at most ten seconds.
async fn eventually<F: Future<Output = bool>>(what: &str, mut so: impl FnMut() -> F) {
    let began = Instant::now();
    while !so().await {
        assert!(began.elapsed() < Duration::from_secs(10), "{what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn id_of(outcome: ChargeOutcome) -> String {
    match outcome {
        ChargeOutcome::Captured { transaction_id, .. } => transaction_id,
        declined => panic!("{declined:?}"),
    }
}

#[tokio::test]
async fn what_is_held_back_is_applied_after_its_client_has_gone_and_is_seen_only_then() {
    let house = House::start().await;
    let method = house.payer(&house.client(), 1).await;
    let hasty = hasty_client(&endpoint(&house));
    house.control(json!({ "outcomes": [{ "outcome": "approve", "operation": "charge", "delayBeforeMs": 1500 }] }));
    let sent = Instant::now();
    let lost = hasty.charge(&charge("late", &method, 100)).await;
    assert_eq!(lost, Err(GatewayError::Unknown("no answer in time".to_owned())));
    assert!(sent.elapsed() < Duration::from_millis(1400), "the client did not wait for it");
    assert_eq!(hasty.find_by_order("late").await.unwrap(), vec![]);
    assert_eq!(house.rows("late"), Vec::<Value>::new());
    // A second charge of the same card overtakes it.
    id_of(house.client().charge(&charge("quick", &method, 200)).await.unwrap());
    assert!(hasty.find_by_order("late").await.unwrap().is_empty());

    eventually("it is applied in the end", || async { house.done("late") == [pair("charge", "captured")] }).await;
    assert!(sent.elapsed() >= Duration::from_millis(1500));
    assert_eq!(hasty.find_by_order("late").await.unwrap().len(), 1);
    let (_, all) = house.ask("GET", "transactions", "", Value::Null);
    let orders: Vec<_> = all["data"].as_array().unwrap().iter().map(|t| t["orderId"].as_str().unwrap()).collect();
    assert_eq!(orders, ["quick", "late"]);
}

#[tokio::test]
async fn every_operation_can_be_held_back() {
    let house = House::start().await;
    let patient = house.client();
    let method = house.payer(&patient, 1).await;
    let hasty = hasty_client(&endpoint(&house));
    let held =
        |operation: &str| house.control(json!({ "outcome": "approve", "operation": operation, "delayBeforeMs": 700 }));
    let unknown = |e: Result<RefundOutcome, GatewayError>| assert!(matches!(e, Err(GatewayError::Unknown(_))), "{e:?}");

    let voided = id_of(patient.charge(&charge("void", &method, 100)).await.unwrap());
    held("reverse");
    unknown(hasty.refund(&refund("r1", &voided, 100, true)).await);
    assert_eq!(house.done("void"), [pair("charge", "captured")]);
    eventually("voided", || async { house.done("void") == [pair("charge", "voided")] }).await;

    let settled = id_of(patient.charge(&charge("settled", &method, 100)).await.unwrap());
    house.later(12 * 3600);
    held("refund");
    unknown(hasty.refund(&refund("r2", &settled, 40, false)).await);
    assert_eq!(house.done("r2"), []);
    eventually("refunded", || async { house.done("r2") == [pair("refund", "captured")] }).await;

    let customers = || std::fs::read_to_string(&house.file).unwrap().matches("\"event\":\"method\"").count();
    let (before, customer) = (customers(), patient.create_customer(&person(9)).await.unwrap());
    held("vault");
    assert!(matches!(hasty.vault(&customer, "fake-valid-nonce").await, Err(GatewayError::Unknown(_))));
    assert_eq!(customers(), before);
    eventually("stored", || async { customers() == before + 1 }).await;

    held("look-up");
    let asked = Instant::now();
    assert_eq!(patient.find_by_order("settled").await.unwrap().len(), 1);
    assert!(asked.elapsed() >= Duration::from_millis(700));
}

#[tokio::test]
async fn a_void_that_arrives_after_the_settlement_is_a_refund_and_is_recognised() {
    let house = House::start().await;
    let patient = house.client();
    let method = house.payer(&patient, 1).await;
    let hasty = hasty_client(&endpoint(&house));
    let id = id_of(patient.charge(&charge("o", &method, 10_000)).await.unwrap());
    house.control(json!({ "outcome": "approve", "operation": "reverse", "delayBeforeMs": 700 }));
    let request = refund("o-refund-1", &id, 10_000, true);
    assert!(matches!(hasty.refund(&request).await, Err(GatewayError::Unknown(_))));
    house.later(12 * 3600);
    let both = [pair("charge", "settled"), pair("refund", "captured")];
    eventually("it is applied", || async { house.done("o") == both }).await;
    let RefundOutcome::Refunded { refund_id } = patient.refund(&request).await.unwrap() else { panic!("not refunded") };
    assert_eq!(refund_id, house.rows("o")[1]["id"].as_str().unwrap());
    assert_eq!((house.done("o").len(), house.done("o-refund-1").len()), (2, 0));
}

#[tokio::test]
async fn what_is_held_back_dies_with_the_process() {
    let house = House::start().await;
    let method = house.payer(&house.client(), 1).await;
    let hasty = hasty_client(&endpoint(&house));
    house.control(json!({ "outcome": "approve", "delayBeforeMs": 800 }));
    let sent = Instant::now();
    assert!(hasty.charge(&charge("lost", &method, 100)).await.is_err());
    house.restart();
    tokio::time::sleep(Duration::from_millis(1200).saturating_sub(sent.elapsed())).await;
    assert_eq!(house.done("lost"), []);
    // Nor is it still in the queue.
    assert_eq!(house.ask("GET", "control", "", Value::Null).1["queued"], json!([]));
    let at = support::instant(&house.now);
    assert_eq!(house.client().silent_before(at), at - TimeDelta::minutes(10));
    // In one process with the simulator it is known what may still arrive: nothing but what is held
    // back, and what is on the wire.
    let opened = at - TimeDelta::hours(1);
    let carried = || house.client().carried_here(house.simulator(), opened);
    let quiet = carried().silent_before(at);
    assert!(quiet > at - TimeDelta::seconds(5) && quiet < at, "{quiet}");
    assert_eq!(house.client().carried_here(house.simulator(), at).silent_before(at), at);
    house.control(json!({ "outcome": "approve", "delayBeforeMs": 3000 }));
    let hasty = hasty_client(&endpoint(&house));
    assert!(hasty.charge(&charge("held", &method, 100)).await.is_err());
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(carried().silent_before(at) < at - TimeDelta::seconds(4), "as old as what it holds back");
    house.control(json!({ "chaos": { "seed": 1 } }));
    assert_eq!(carried().silent_before(at), at - TimeDelta::minutes(10), "its searches may miss what it did");
}

#[tokio::test]
async fn an_answer_may_wait_although_the_deed_is_done() {
    let house = House::start().await;
    let method = house.payer(&house.client(), 1).await;
    let hasty = hasty_client(&endpoint(&house));
    house.control(json!({ "outcomes": [{ "outcome": "approve", "delayAfterMs": 1200 }] }));
    assert!(hasty.charge(&charge("done", &method, 100)).await.is_err());
    assert_eq!(house.done("done"), [pair("charge", "captured")]);
}

#[tokio::test]
async fn a_request_heard_twice_is_one_charge_unless_the_merchant_has_no_protection() {
    let twice = json!({ "outcome": "approve", "twice": true });
    for (keys, checking, charges) in [(true, false, 1), (false, true, 1), (false, false, 2)] {
        let house = House::start().await;
        house.control(json!({ "requestKeys": keys, "duplicateChecking": checking }));
        let gateway = house.client_with_keys();
        let method = house.payer(&gateway, 1).await;
        house.control(twice.clone());
        id_of(gateway.charge(&charge("o", &method, 100)).await.unwrap());
        assert_eq!(house.done("o").len(), charges, "keys {keys}, checking {checking}");
        // In chaos it is never left to the merchant.
        house.control(json!({ "chaos": { "duplicateAnswers": 1.0 } }));
        id_of(gateway.charge(&charge("p", &method, 100)).await.unwrap());
        assert_eq!(house.done("p").len(), 1, "keys {keys}, checking {checking}");
    }
}

#[tokio::test]
async fn keys_and_the_duplicate_check_can_be_switched_off() {
    let house = House::start().await;
    let gateway = house.client_with_keys();
    let method = house.payer(&gateway, 1).await;
    let request = charge("o", &method, 100);
    let first = id_of(gateway.charge(&request).await.unwrap());
    assert_eq!(id_of(gateway.charge(&request).await.unwrap()), first);
    house.control(json!({ "requestKeys": false }));
    // The key is ignored, so the duplicate check is there for it.
    let other = charge("q", &method, 100);
    let second = id_of(gateway.charge(&other).await.unwrap());
    assert_eq!(id_of(gateway.charge(&other).await.unwrap()), second);
    house.control(json!({ "duplicateChecking": false }));
    house.restart();
    assert_ne!(id_of(gateway.charge(&other).await.unwrap()), second);
    assert_eq!(house.done("q").len(), 2);
    // Keys are forgotten after thirty days.
    let cleared = house.ask("DELETE", "control", "", Value::Null).1;
    assert_eq!((&cleared["requestKeys"], &cleared["duplicateChecking"]), (&json!(true), &json!(true)));
    assert_eq!(id_of(gateway.charge(&request).await.unwrap()), first);
    house.later(30 * 86_400 + 1);
    assert_ne!(id_of(gateway.charge(&request).await.unwrap()), first);
}

#[tokio::test]
async fn a_key_in_flight_is_told_apart_from_one_with_other_input() {
    let house = House::start().await;
    let gateway = Arc::new(house.client_with_keys());
    let method = house.payer(&gateway, 1).await;
    house.control(json!({ "outcome": "approve", "delayBeforeMs": 1000 }));
    let first = tokio::spawn({
        let (gateway, request) = (gateway.clone(), charge("o", &method, 100));
        async move { gateway.charge(&request).await }
    });
    let queue_is_empty = || async { house.ask("GET", "control", "", Value::Null).1["queued"] == json!([]) };
    eventually("the first has arrived", queue_is_empty).await;
    let again = gateway.charge(&charge("o", &method, 100)).await;
    assert!(matches!(&again, Err(GatewayError::Unknown(why)) if why.contains("in progress")), "{again:?}");
    let other = gateway.charge(&charge("o", &method, 101)).await;
    assert!(matches!(&other, Err(GatewayError::Rejected { code: Some(c), .. }) if c == "915232"), "{other:?}");
    let id = id_of(first.await.unwrap().unwrap());
    assert_eq!(id_of(gateway.charge(&charge("o", &method, 100)).await.unwrap()), id);
    assert_eq!(house.done("o"), [pair("charge", "captured")]);
}

#[tokio::test]
async fn a_charge_may_be_declined_at_settlement() {
    let house = House::start().await;
    let gateway = house.client();
    let method = house.payer(&gateway, 1).await;
    for (order, by_hand) in [("by-time", false), ("by-hand", true)] {
        house.queue(&["settlement_decline"]);
        let id = id_of(gateway.charge(&charge(order, &method, 10_000)).await.unwrap());
        assert_eq!(house.done(order), [pair("charge", "captured")]);
        assert_eq!(gateway.find_by_order(order).await.unwrap()[0].status, GatewayStatus::Captured);
        house.restart();
        if by_hand {
            house.control(json!({ "settle": [id] }));
        } else {
            house.later(12 * 3600);
        }
        assert_eq!(house.done(order), [pair("charge", "settlement_declined")]);
        assert_eq!(gateway.find_by_order(order).await.unwrap()[0].status, GatewayStatus::Declined);
        let row = house.rows(order).remove(0);
        let history: Vec<_> =
            row["history"].as_array().unwrap().iter().map(|s| s["status"].as_str().unwrap()).collect();
        assert_eq!(history, ["AUTHORIZED", "SUBMITTED_FOR_SETTLEMENT", "SETTLEMENT_DECLINED"]);
        let again = house.ask("POST", "control", "", json!({ "settle": [id] }));
        assert_eq!(again.0, 422, "{}", again.1);
    }
    // Voided before, it never comes to its settlement.
    house.queue(&["settlement_decline"]);
    let id = id_of(gateway.charge(&charge("voided", &method, 100)).await.unwrap());
    assert!(matches!(gateway.refund(&refund("r", &id, 100, true)).await.unwrap(), RefundOutcome::Voided { .. }));
    house.later(13 * 3600);
    assert_eq!(house.done("voided"), [pair("charge", "voided")]);
    assert_eq!(house.ask("GET", "webhooks", "", Value::Null).1["total"], 2);
}

/// A receiver of webhooks that keeps the kinds it was told, verified.
struct Receiver {
    url: String,
    told: Arc<Mutex<Vec<String>>>,
}

#[derive(serde::Deserialize)]
struct Form {
    bt_signature: String,
    bt_payload: String,
}

impl Receiver {
    fn start() -> Receiver {
        let told = Arc::new(Mutex::new(Vec::new()));
        let data = web::Data::from(told.clone());
        let receive = |told: web::Data<Mutex<Vec<String>>>, form: web::Form<Form>| async move {
            let verifier = WebhookVerifier::new(DEMO_KEY, DEMO_KEY.to_owned().into());
            let xml = verifier.verify(&form.bt_signature, &form.bt_payload).unwrap();
            let xml = String::from_utf8(xml).unwrap();
            let between = |from: &str, to: &str| xml.split_once(from).unwrap().1.split_once(to).unwrap().0.to_owned();
            let what = format!("{} {}", between("<kind>", "</kind>"), between("<order-id>", "</order-id>"));
            told.lock().unwrap().push(what);
            // Refused or taken is all one to the gateway.
            HttpResponse::InternalServerError().finish()
        };
        let server =
            HttpServer::new(move || App::new().app_data(data.clone()).default_service(web::post().to(receive)))
                .workers(1)
                .disable_signals()
                .bind("127.0.0.1:0")
                .unwrap();
        let url = format!("http://{}/webhooks", server.addrs()[0]);
        tokio::spawn(server.run());
        Receiver { url, told }
    }

    async fn hears(&self, expected: &[&str]) {
        eventually(&format!("{expected:?}"), || async { self.told.lock().unwrap().len() >= expected.len() }).await;
        // Time enough for one too many.
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(*self.told.lock().unwrap(), expected);
        self.told.lock().unwrap().clear();
    }
}

/// `POST control` over HTTP, as everybody but these tests does.
async fn over_http(house: &House, body: Value) {
    let answer = reqwest::Client::new().post(format!("{}/control", house.url)).json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
}

#[tokio::test]
async fn webhooks_tell_of_settlements_and_disputes_also_twice_and_out_of_order() {
    let house = House::start().await;
    let gateway = house.client();
    let method = house.payer(&gateway, 1).await;
    let receiver = Receiver::start();
    over_http(&house, json!({ "webhookUrl": receiver.url })).await;
    let pay = async |order: &str, outcome: &str| {
        house.queue(&[outcome]);
        let paid = id_of(gateway.charge(&charge(order, &method, 10_000)).await.unwrap());
        house.later(60);
        paid
    };
    let first = pay("a", "approve").await;
    let disputed = pay("b", "dispute").await;
    pay("c", "settlement_decline").await;
    assert!(house.ask("GET", "webhooks", "", Value::Null).1["data"].as_array().unwrap().is_empty());
    house.later(12 * 3600);
    receiver
        .hears(&[
            "transaction_settled a",
            "transaction_settled b",
            "dispute_opened b",
            "transaction_settlement_declined c",
        ])
        .await;
    assert_eq!(house.rows("b")[0]["dispute"]["state"], "opened");
    assert!(house.rows("a")[0]["dispute"].is_null());
    over_http(&house, json!({ "disputes": [{ "transactionId": disputed, "state": "won" }] })).await;
    receiver.hears(&["dispute_won b"]).await;
    let refused = |body: Value| assert_eq!(house.ask("POST", "control", "", body).0, 422);
    refused(json!({ "disputes": [{ "transactionId": disputed, "state": "lost" }] }));
    refused(json!({ "disputes": [{ "transactionId": first, "state": "lost" }] }));

    over_http(&house, json!({ "webhooksTwice": true })).await;
    over_http(&house, json!({ "disputes": [{ "transactionId": first, "state": "opened" }] })).await;
    receiver.hears(&["dispute_opened a", "dispute_opened a"]).await;
    over_http(&house, json!({ "webhooksTwice": false, "webhooksOutOfOrder": true })).await;
    // What was told already is not told again by the next process.
    house.restart();
    let (x, y) = (pay("x", "approve").await, pay("y", "approve").await);
    over_http(&house, json!({ "settle": [x, y] })).await;
    receiver.hears(&["transaction_settled y", "transaction_settled x"]).await;

    let (_, all) = house.ask("GET", "webhooks", "", Value::Null);
    assert_eq!((all["total"].as_u64(), &all["data"][0]["sent"]), (Some(8), &json!(true)));
    let verifier = WebhookVerifier::new(DEMO_KEY, DEMO_KEY.to_owned().into());
    for row in all["data"].as_array().unwrap() {
        let text = |key: &str| row[key].as_str().unwrap();
        let xml = verifier.verify(text("signature"), text("payload")).unwrap();
        assert_eq!(xml, text("xml").as_bytes());
    }
    over_http(&house, json!({ "webhookUrl": null })).await;
}

#[tokio::test]
async fn chaos_goes_on_after_a_restart_and_ends_on_command() {
    let house = House::start().await;
    let gateway = house.client();
    let method = house.payer(&gateway, 1).await;
    house.control(json!({ "chaos": { "seed": 3, "delayBeforeMs": [0, 20], "delayAfterMs": [0, 20], "lost": 0.2,
        "lateApplied": 0.2, "lateMs": [100, 300], "error500": 0.2, "softDecline": 0.2, "lostAnswers": 0.1,
        "lookUpMisses": 0.3, "lookUpLagMs": 100 } }));
    house.restart();
    let (mut captured, mut declined, mut unknown) = (0, 0, 0);
    for n in 0..60 {
        match gateway.charge(&charge(&format!("o-{n}"), &method, 100)).await {
            Ok(ChargeOutcome::Captured { .. }) => captured += 1,
            Ok(ChargeOutcome::Declined { .. }) => declined += 1,
            Err(GatewayError::Unknown(_)) => unknown += 1,
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(captured > 10 && declined > 4 && unknown > 15, "{captured} {declined} {unknown}");
    for bad in [json!({ "chaos": { "lost": 2 } }), json!({ "chaos": { "unheardOf": 1 } })] {
        assert_eq!(house.ask("POST", "control", "", bad).0, 422);
    }
    house.control(json!({ "chaos": null }));
    for n in 0..20 {
        id_of(gateway.charge(&charge(&format!("calm-{n}"), &method, 100)).await.unwrap());
    }
}

#[tokio::test]
async fn a_search_may_lag_behind() {
    let house = House::start().await;
    let gateway = house.client();
    let method = house.payer(&gateway, 1).await;
    house.control(json!({ "outcome": "miss", "operation": "look-up", "times": 1 }));
    id_of(gateway.charge(&charge("o", &method, 100)).await.unwrap());
    assert_eq!(gateway.find_by_order("o").await.unwrap(), vec![]);
    assert_eq!(gateway.find_by_order("o").await.unwrap().len(), 1);
    house.control(json!({ "chaos": { "lookUpMisses": 1.0, "lookUpLagMs": 400 } }));
    id_of(gateway.charge(&charge("p", &method, 100)).await.unwrap());
    assert_eq!(gateway.find_by_order("p").await.unwrap(), vec![]);
    eventually("it is listed", || async { gateway.find_by_order("p").await.unwrap().len() == 1 }).await;
}

#[tokio::test]
async fn who_waits_too_long_for_a_free_line_is_not_sent_at_all() {
    let house = House::start().await;
    let method = house.payer(&house.client(), 1).await;
    let hasty = Arc::new(hasty_client(&endpoint(&house)));
    house.control(json!({ "outcomes": [{ "outcome": "approve", "delayAfterMs": 2000, "times": 10 }] }));
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..15 {
        let (gateway, request) = (hasty.clone(), charge(&format!("o-{n}"), &method, 100));
        tasks.spawn(async move { gateway.charge(&request).await });
    }
    let began = Instant::now();
    let outcomes = tasks.join_all().await;
    // Five lines; ten calls wait for at most one time-out each before they are sent or given up.
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let not_sent = outcomes.iter().filter(|o| matches!(o, Err(GatewayError::Unavailable(_)))).count();
    let (_, all) = house.ask("GET", "transactions", "", Value::Null);
    assert!(not_sent >= 5, "{outcomes:?}");
    assert!(all["total"].as_u64().unwrap() <= 15 - not_sent as u64);
}

#[tokio::test]
async fn control_names_what_is_wrong() {
    let house = House::start().await;
    for bad in [
        json!({ "outcomes": [{ "outcome": "approve", "delayBeforeMs": 600_001 }] }),
        json!({ "outcomes": [{ "outcome": "approve", "times": 0 }] }),
        json!({ "outcomes": [{ "outcome": "approve", "unheardOf": 1 }] }),
        json!({ "outcomes": [{ "outcome": "dispute", "operation": "refund" }] }),
        json!({ "outcome": "miss" }),
        json!({ "outcome": "soft_decline", "operation": "look-up" }),
        json!({ "requestKey": false }),
        json!({ "settle": ["sim00001"] }),
        json!({ "webhookUrl": "nowhere" }),
    ] {
        assert_eq!(house.ask("POST", "control", "", bad.clone()).0, 422, "{bad}");
    }
}
