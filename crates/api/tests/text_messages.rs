//! Texts through the real client and the simulator over HTTP: sent, reported with a signature, stopped, and seen by staff.

use crate::support::{
    Options, TestApp,
    answer::Answer,
    people::{CUSTOMER, GUEST, OPS},
};
use reqwest::Method;
use serde_json::{Value, json};
use store::testing::TestDb;

const PATH: &str = "/api/webhooks/twilio";
const CONTROL: &str = "/simulators/twilio/control";

/// A signed call of the service.
struct Call {
    url: String,
    form: Vec<(String, String)>,
    signature: String,
}

async fn calls(app: &TestApp) -> Vec<Call> {
    let held = app.get(GUEST, "/simulators/twilio/callbacks").await.expect(200).body;
    let read = |call: &Value| Call {
        url: call["url"].as_str().unwrap().to_owned(),
        form: serde_json::from_value(call["form"].clone()).unwrap(),
        signature: call["signature"].as_str().unwrap().to_owned(),
    };
    held["data"].as_array().unwrap().iter().map(read).collect()
}

async fn deliver(app: &TestApp, call: &Call) -> Answer {
    let path = call.url.strip_prefix(app.services.public_url()).unwrap().to_owned();
    let request = app.builder(GUEST, Method::POST, &path).await.header("x-twilio-signature", &call.signature);
    Answer::of(request.form(&call.form).send().await.unwrap()).await
}

async fn texts(app: &TestApp, query: &str) -> Vec<Value> {
    let page = app.get(OPS, &format!("/api/messages?channel=sms{query}")).await.expect(200).body;
    page["data"].as_array().unwrap().clone()
}

async fn texting(db: TestDb) -> (TestApp, String) {
    let app =
        TestApp::with(Options { db: Some(db), people: &[CUSTOMER, OPS], texts: true, ..Options::default() }).await;
    app.post(GUEST, CONTROL, &json!({ "hold": true })).await.expect(200);
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let booking = app.book(CUSTOMER).await;
    (app, booking["id"].as_str().unwrap().to_owned())
}

/// Days pass: tokens live a quarter of an hour.
async fn until(app: &TestApp, instant: &str) {
    app.clock.set(instant);
    app.tokens.lock().unwrap().clear();
    app.run_jobs().await;
}

async fn sent_reported_and_seen(db: TestDb) {
    let (app, id) = texting(db).await;
    // Three days before the move.
    until(&app, "2027-02-14T20:00:00Z").await;
    let sent = texts(&app, "").await.remove(0);
    assert_eq!(
        (&sent["standing"], &sent["messageType"], &sent["segments"]),
        (&json!("sent"), &json!("moveReminder"), &json!(1))
    );
    assert_eq!((&sent["subject"], &sent["canRepeat"]), (&Value::Null, &json!(false)));
    let there = app.get(GUEST, "/simulators/twilio/messages").await.expect(200).body;
    let path = format!("/api/messages/{}", sent["id"].as_str().unwrap());
    let whole = app.get(OPS, &path).await.expect(200).body;
    assert_eq!((&whole["text"], &whole["providerId"]), (&there["data"][0]["body"], &there["data"][0]["sid"]));
    let calls = calls(&app).await;
    let status = |call: &Call| call.form.iter().find(|(name, _)| name == "MessageStatus").unwrap().1.clone();
    assert_eq!(calls.iter().map(status).collect::<Vec<_>>(), ["queued", "sent", "delivered"]);
    // Forged, bare, of another address, with a parameter more.
    for broken in [
        Call { signature: String::new(), ..copy(&calls[2]) },
        Call { signature: "ki+iTyd7it42cirkhidflEf1S88=".into(), ..copy(&calls[2]) },
        Call { url: calls[2].url.replace("send=", "sent="), ..copy(&calls[2]) },
        Call { form: [copy(&calls[2]).form, vec![("More".into(), "1".into())]].concat(), ..copy(&calls[2]) },
    ] {
        assert_eq!(deliver(&app, &broken).await.expect(403).code(), "forbidden");
    }
    assert_eq!(texts(&app, "&standing=sent").await.len(), 1, "nothing of that counts");
    for call in [&calls[2], &calls[1], &calls[2], &calls[0]] {
        let answer = deliver(&app, call).await.expect(200);
        assert!(answer.text.contains("<Response></Response>"), "{}", answer.text);
    }
    assert_eq!(texts(&app, "&standing=delivered").await.len(), 1);
    let record = app.get(OPS, &format!("/api/bookings/{id}/messages")).await.expect(200).body;
    let row = record["data"].as_array().unwrap().iter().find(|m| m["channel"] == "sms").unwrap();
    assert_eq!((&row["state"], &row["segments"], &row["trouble"]), (&json!("delivered"), &json!(1), &Value::Null));
}

fn copy(call: &Call) -> Call {
    Call { url: call.url.clone(), form: call.form.clone(), signature: call.signature.clone() }
}

async fn stopped_and_started(db: TestDb) {
    let (app, id) = texting(db).await;
    let customer = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    assert_eq!(customer["textsStopped"], false);
    until(&app, "2027-02-14T20:00:00Z").await;
    let number = app.get(GUEST, "/simulators/twilio/messages").await.expect(200).body["data"][0]["to"].clone();
    calls(&app).await;
    let write = async |body: &str| {
        let inbound = json!({ "from": number, "body": body });
        app.post(GUEST, "/simulators/twilio/inbound", &inbound).await.expect(200);
        deliver(&app, &calls(&app).await[0]).await.expect(200).text
    };
    let answer = write("ARRÊT").await;
    assert!(answer.contains("<Message>") && answer.contains("START"), "{answer}");
    assert_eq!(app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body["textsStopped"], true);
    until(&app, "2027-02-16T20:00:00Z").await;
    let kept_back = texts(&app, "&standing=withheld").await;
    assert_eq!((kept_back.len(), &kept_back[0]["trouble"]), (1, &json!("stopped")));
    assert!(!write("START").await.contains("<Message>"), "the service answers that");
    assert_eq!(app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body["textsStopped"], false);
}

#[actix_web::test]
async fn a_text_is_sent_reported_and_seen() {
    for db in TestDb::both() {
        sent_reported_and_seen(db).await;
    }
}

#[actix_web::test]
async fn who_writes_stop_is_left_alone() {
    for db in TestDb::both() {
        stopped_and_started(db).await;
    }
}

#[actix_web::test]
async fn without_texts_there_is_no_such_path() {
    let app = TestApp::with(Options { people: &[], ..Options::default() }).await;
    let call = Call {
        url: format!("{}{PATH}", app.services.public_url()),
        form: vec![("MessageSid".into(), "SM1".into())],
        signature: "x".into(),
    };
    deliver(&app, &call).await.expect(404);
}
