//! What the card gateway tells by itself: taken with the right signature only, any number of times,
//! in any order. The notifications are those of the simulator, signed as the real ones are.

use crate::support::{
    TestApp,
    answer::Answer,
    people::{CUSTOMER, GUEST, OPS},
};
use reqwest::Method;
use serde_json::{Value, json};

const PATH: &str = "/api/webhooks/braintree";

async fn notify(app: &TestApp, signature: &str, payload: &str) -> Answer {
    let request = app.builder(GUEST, Method::POST, PATH).await;
    Answer::of(request.form(&[("bt_signature", signature), ("bt_payload", payload)]).send().await.unwrap()).await
}

async fn due(app: &TestApp) -> Vec<Value> {
    let all = app.get(GUEST, "/simulators/braintree/webhooks").await.expect(200).body;
    all["data"].as_array().unwrap().clone()
}

fn text<'a>(v: &'a Value, name: &str) -> &'a str {
    v[name].as_str().unwrap()
}

/// Everything the gateway has done, oldest first: one charge in these tests.
async fn transactions(app: &TestApp) -> Vec<Value> {
    let list = app.get(GUEST, "/simulators/braintree/transactions?per_page=100").await.expect(200).body;
    list["data"].as_array().unwrap().clone()
}

async fn control(app: &TestApp, command: Value) {
    app.post(GUEST, "/simulators/braintree/control", &command).await.expect(200);
}

/// A booking whose deposit was captured, and refused by the bank before anybody looked at it.
async fn refused_at_settlement(app: &TestApp) -> String {
    let booking = app.book(CUSTOMER).await;
    let outcomes = json!({ "outcomes": ["settlement_decline"] });
    app.post(GUEST, "/simulators/braintree/control", &outcomes).await.expect(200);
    app.clock.set("2027-02-09T15:00:00Z");
    // Tokens live a quarter of an hour.
    app.tokens.lock().unwrap().clear();
    app.run_jobs().await;
    control(app, json!({ "settle": [transactions(app).await[0]["id"]] })).await;
    text(&booking, "id").to_owned()
}

async fn deposit(app: &TestApp, id: &str) -> Value {
    let booking = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    let rows = booking["payments"].as_array().unwrap();
    rows.iter().find(|p| p["kind"] == "deposit").unwrap().clone()
}

#[actix_web::test]
async fn a_charge_refused_at_its_settlement_is_taken_out_of_the_books() {
    let app = TestApp::new().await;
    let id = refused_at_settlement(&app).await;
    assert_eq!(deposit(&app, &id).await["state"], "captured", "nobody has told us yet");
    let due = due(&app).await;
    assert_eq!(due.iter().map(|n| text(n, "kind")).collect::<Vec<_>>(), ["transaction_settlement_declined"]);
    let (signature, payload) = (text(&due[0], "signature"), text(&due[0], "payload"));
    for _ in 0..2 {
        assert_eq!(notify(&app, signature, payload).await.expect(200).body, json!({ "taken": true }));
        app.run_jobs().await;
    }
    assert_eq!(deposit(&app, &id).await["state"], "failed");
    let ledger = app.get(OPS, &format!("/api/bookings/{id}/ledger")).await.expect(200).body;
    let entries = ledger["data"].as_array().unwrap();
    assert_eq!(entries.iter().map(|e| text(e, "kind")).collect::<Vec<_>>(), ["capture", "settlement_declined"]);
    // The capture was turned around, account by account.
    let amounts = |e: &Value| {
        let lines = e["lines"].as_array().unwrap().iter();
        lines
            .map(|l| (text(l, "account").to_owned(), text(l, "amount").parse::<kernel::Money>().unwrap()))
            .collect::<Vec<_>>()
    };
    for (account, amount) in amounts(&entries[0]) {
        assert!(amounts(&entries[1]).contains(&(account.clone(), amount.negated())), "{account}: {ledger}");
    }
}

#[actix_web::test]
async fn what_the_gateway_did_not_sign_is_refused() {
    let app = TestApp::new().await;
    let id = refused_at_settlement(&app).await;
    let due = due(&app).await;
    let (signature, payload) = (text(&due[0], "signature"), text(&due[0], "payload"));
    let other_key = signature.replace("portage-demo", "somebody");
    let other_text = payload.replacen('P', "Q", 1);
    let (key, tag) = signature.split_once('|').unwrap();
    let other_tag = format!("{key}|{}", tag.replace(|c: char| c.is_ascii_digit(), "a"));
    for (signature, payload) in
        [(other_key.as_str(), payload), (signature, &other_text), (&other_tag, payload), ("", ""), (signature, "<x/>")]
    {
        assert_eq!(notify(&app, signature, payload).await.expect(403).code(), "forbidden");
    }
    app.run_jobs().await;
    assert_eq!(deposit(&app, &id).await["state"], "captured");
    // Another form of body, or none.
    app.post(GUEST, PATH, &json!({ "bt_signature": signature, "bt_payload": payload })).await.expect(415);
    let half = app.builder(GUEST, Method::POST, PATH).await.form(&[("bt_payload", payload)]);
    Answer::of(half.send().await.unwrap()).await.expect(400);
}

/// A notification may lie: what counts is what the gateway's own list says.
#[actix_web::test]
async fn a_right_signature_is_only_a_reason_to_look() {
    let app = TestApp::new().await;
    let other = app.book(CUSTOMER).await;
    app.clock.set("2027-02-09T14:30:00Z");
    app.run_jobs().await;
    let list = transactions(&app).await;
    let captured = &list[0];
    assert_eq!(captured["status"], "captured");
    let xml = format!(
        "<notification><kind>transaction_settlement_declined</kind><subject><transaction><id>x</id><order-id>{}</order-id></transaction></subject></notification>",
        text(captured, "orderId")
    );
    let payload = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, xml);
    let key = braintree::simulator::DEMO_KEY;
    let signature = braintree::webhook::WebhookVerifier::new(key, key.to_owned().into()).sign(&payload);
    notify(&app, &signature, &payload).await.expect(200);
    app.run_jobs().await;
    assert_eq!(deposit(&app, text(&other, "id")).await["state"], "captured");
    // Nor does one about somebody else's order, or about none.
    for subject in ["<transaction><order-id>NOBODY-deposit-1</order-id></transaction>", "<check>true</check>"] {
        let xml = format!(
            "<notification><kind>transaction_settlement_declined</kind><subject>{subject}</subject></notification>"
        );
        let payload = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, xml);
        let signature = braintree::webhook::WebhookVerifier::new(key, key.to_owned().into()).sign(&payload);
        notify(&app, &signature, &payload).await.expect(200);
    }
    app.run_jobs().await;
    assert_eq!(deposit(&app, text(&other, "id")).await["state"], "captured");
}

#[actix_web::test]
async fn the_gateway_may_ask_whether_the_address_is_ours() {
    let app = TestApp::new().await;
    let challenge = "20f9f8ed05f77439fe955c977e4c8a53";
    let asked =
        app.builder(GUEST, Method::GET, &format!("{PATH}?bt_challenge={challenge}")).await.send().await.unwrap();
    assert_eq!(asked.status(), 200);
    let key = braintree::simulator::DEMO_KEY;
    let want = braintree::webhook::WebhookVerifier::new(key, key.to_owned().into()).sign(challenge);
    assert_eq!(asked.text().await.unwrap(), want);
    app.get(GUEST, &format!("{PATH}?bt_challenge=%3Cscript%3E")).await.expect(422);
    app.get(GUEST, PATH).await.expect(400);
}

/// Nobody tells anything: twelve hours after the charge staff read that it settled.
#[actix_web::test]
async fn after_twelve_hours_staff_read_settled() {
    let app = TestApp::new().await;
    let booking = app.book(CUSTOMER).await;
    let id = text(&booking, "id");
    app.clock.set("2027-02-09T14:30:00Z");
    app.run_jobs().await;
    assert_eq!(deposit(&app, id).await["state"], "captured");
    app.clock.set("2027-02-10T02:30:00Z");
    app.tokens.lock().unwrap().clear();
    app.run_jobs().await;
    assert_eq!(deposit(&app, id).await["state"], "settled");
}

/// Settled, disputed, decided: each notification in every order, each of them twice. The end is the same, and every fact
/// is in the books once.
#[actix_web::test]
async fn three_notifications_in_every_order_come_to_the_same() {
    for (end, last) in [("won", "dispute_won"), ("lost", "dispute_lost")] {
        let mut ends = Vec::new();
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let app = TestApp::new().await;
            let booking = app.book(CUSTOMER).await;
            let id = text(&booking, "id").to_owned();
            app.clock.set("2027-02-09T14:30:00Z");
            app.run_jobs().await;
            let charge = transactions(&app).await[0]["id"].clone();
            control(&app, json!({ "settle": [charge] })).await;
            for state in ["opened", end] {
                control(&app, json!({ "disputes": [{ "transactionId": charge, "state": state }] })).await;
            }
            let told = due(&app).await;
            let kinds: Vec<&str> = told.iter().map(|n| text(n, "kind")).collect();
            assert_eq!(kinds, ["transaction_settled", "dispute_opened", last]);
            for n in order {
                for _ in 0..2 {
                    notify(&app, text(&told[n], "signature"), text(&told[n], "payload")).await.expect(200);
                    app.run_jobs().await;
                }
            }
            let ledger = app.get(OPS, &format!("/api/bookings/{id}/ledger")).await.expect(200).body;
            let facts: Vec<String> =
                ledger["data"].as_array().unwrap().iter().map(|e| text(e, "kind").to_owned()).collect();
            let disputes = app.get(OPS, "/api/disputes").await.expect(200).body;
            assert_eq!(disputes["total"], 1);
            let state = deposit(&app, &id).await["state"].clone();
            ends.push((facts, state, disputes["data"][0]["state"].clone(), disputes["data"][0]["amount"].clone()));
        }
        assert!(ends.iter().all(|one| *one == ends[0]), "{ends:?}");
        assert_eq!(ends[0].0, ["capture", "dispute_opened", last]);
        assert_eq!(ends[0].1, if end == "won" { "settled" } else { "charged_back" });
        assert_eq!(ends[0].2, end);
    }
}

/// Declined when it settled, told by the gateway: it is on the list of failed charges, and one press pays it.
#[actix_web::test]
async fn what_the_bank_refused_is_on_the_list_of_failed_charges() {
    let app = TestApp::new().await;
    let id = refused_at_settlement(&app).await;
    let told = due(&app).await;
    notify(&app, text(&told[0], "signature"), text(&told[0], "payload")).await.expect(200);
    app.run_jobs().await;
    let listed = app.get(OPS, "/api/payments/failed").await.expect(200).body;
    assert_eq!(listed["total"], 1);
    let row = &listed["data"][0];
    assert_eq!(
        (&row["bookingId"], &row["kind"], &row["reason"]),
        (&json!(id), &json!("deposit"), &json!("settlement_declined"))
    );
    assert_eq!((&row["canRetry"], &row["canWriteOff"]), (&json!(true), &json!(false)));
    let retry = format!("/api/payments/{}/retry", text(row, "id"));
    app.post(CUSTOMER, &retry, &json!({})).await.expect(403);
    let asked = app.post(OPS, &retry, &json!({})).await.expect(200).body;
    assert_eq!(asked["bookingId"], json!(id));
    assert_eq!(app.get(OPS, "/api/payments/failed").await.expect(200).body["total"], 0);
    assert_eq!(deposit(&app, &id).await["state"], "captured");
    // The customer is told that it was taken after all.
    app.run_jobs().await;
}
