//! Every message to somebody: found, read, handed over again, repeated.

use crate::support::{
    Options, TestApp,
    examples::Fixtures,
    people::{ADMIN, CUSTOMER, GUEST, OPS},
};
use api::contract::Record;
use serde_json::{Value, json};
use store::testing::TestDb;

async fn on(db: TestDb) -> TestApp {
    TestApp::with(Options { db: Some(db), people: &[CUSTOMER, OPS, ADMIN], ..Options::default() }).await
}

async fn rows(app: &TestApp, query: &str) -> Vec<Value> {
    let page = app.get(OPS, &format!("/api/messages?{query}")).await.expect(200).body;
    let rows = page["data"].as_array().unwrap().clone();
    assert_eq!(page["total"], rows.len());
    rows
}

async fn mails(app: &TestApp, kind: &str) -> Vec<Value> {
    app.run_jobs().await;
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let mut found = Vec::new();
    for mail in mails["data"].as_array().unwrap().iter().filter(|m| m["messageType"] == kind) {
        let path = format!("/simulators/mailbox/messages/{}", mail["id"].as_str().unwrap());
        found.push(app.get(GUEST, &path).await.expect(200).body);
    }
    found
}

async fn found_read_and_repeated(db: TestDb) {
    let app = on(db).await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let booking = app.book(CUSTOMER).await;
    let short = booking["shortId"].as_str().unwrap();
    let sent = mails(&app, "bookingConfirmation").await;
    assert!(rows(&app, "standing=waiting").await.is_empty());
    // By the booking's number, by letters of the address, and by neither.
    let found = rows(&app, &format!("value={}&messageType=bookingConfirmation", short.to_lowercase())).await;
    let own = &found[0];
    assert_eq!((found.len(), &own["booking"], &own["standing"]), (1, &json!(short), &json!("sent")));
    assert_eq!((&own["subject"], &own["attempts"], &own["canRepeat"]), (&sent[0]["subject"], &json!(1), &json!(true)));
    let part = own["recipient"].as_str().unwrap().split('@').next().unwrap().to_uppercase();
    assert!(!rows(&app, &format!("value={part}")).await.is_empty());
    assert!(rows(&app, "value=%25").await.is_empty(), "a per cent sign is one");
    assert!(rows(&app, "channel=sms").await.is_empty());
    app.get(OPS, "/api/messages?standing=lost").await.expect(422);
    app.get(OPS, "/api/messages?channel=pigeon").await.expect(422);
    // As it was sent.
    let path = format!("/api/messages/{}", own["id"].as_str().unwrap());
    let read = app.get(OPS, &path).await.expect(200).body;
    let lines = |text: &Value| text.as_str().unwrap().replace("\r\n", "\n").trim_end().to_owned();
    assert_eq!((lines(&read["html"]), lines(&read["text"])), (lines(&sent[0]["html"]), lines(&sent[0]["text"])));
    // Once more, word for word, though the template is another by now.
    let words = json!({ "subject": "Other", "text": "Other", "html": "<p>Other</p>" });
    let request = app.builder(OPS, reqwest::Method::PUT, "/api/templates/bookingConfirmation/en").await;
    assert_eq!(request.header("if-match", "\"0\"").json(&words).send().await.unwrap().status(), 200);
    let again = app.post(OPS, &format!("{path}/again"), &json!({})).await.expect(200).body;
    assert_eq!((&again["recipient"], &again["queued"]), (&own["recipient"], &json!(true)));
    let twice = app.post(OPS, &format!("{path}/again"), &json!({})).await.expect(200).body;
    assert_eq!(twice["queued"], false, "once a minute");
    app.post(OPS, &format!("{path}/again"), &json!({ "to": "copy@portage.test" })).await.expect(200);
    let all = mails(&app, "bookingConfirmation").await;
    assert_eq!(all.len(), 3);
    assert!(all.iter().all(|m| lines(&m["html"]) == lines(&sent[0]["html"]) && m["subject"] == sent[0]["subject"]));
    assert_eq!(all.iter().filter(|m| m["to"] == "copy@portage.test").count(), 1);
    assert_eq!(rows(&app, &format!("value={short}&messageType=bookingConfirmation")).await.len(), 3);
    assert_eq!(app.post(OPS, &format!("{path}/retry"), &json!({})).await.expect(409).code(), "message_not_given_up");
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403)] {
        app.get(who, &path).await.expect(status);
        app.post(who, &format!("{path}/again"), &json!({})).await.expect(status);
    }
}

async fn given_up_and_tried_again(db: TestDb) {
    let app = on(db).await;
    let id = Fixtures::bare(&app).record(Record::LostMessage).await;
    let lost = rows(&app, "standing=given_up").await;
    assert_eq!((lost.len(), &lost[0]["id"], &lost[0]["standing"]), (1, &json!(id), &json!("given_up")));
    assert!(rows(&app, "standing=waiting").await.is_empty() && rows(&app, "standing=retrying").await.is_empty());
    let path = format!("/api/messages/{id}");
    assert_eq!(app.post(OPS, &format!("{path}/again"), &json!({})).await.expect(409).code(), "message_not_whole");
    let tried = app.post(OPS, &format!("{path}/retry"), &json!({})).await.expect(200).body;
    assert_eq!(tried["standing"], "waiting");
    app.run_jobs().await;
    assert_eq!(app.get(OPS, &path).await.expect(200).body["standing"], "sent");
    assert!(rows(&app, "standing=given_up").await.is_empty());
}

#[actix_web::test]
async fn messages_are_found_read_and_repeated() {
    for db in TestDb::both() {
        found_read_and_repeated(db).await;
    }
}

#[actix_web::test]
async fn a_message_that_was_given_up_is_tried_again() {
    for db in TestDb::both() {
        given_up_and_tried_again(db).await;
    }
}

#[actix_web::test]
async fn a_link_that_opens_something_is_never_shown_and_never_sent_again() {
    let app = on(TestDb::sqlite()).await;
    let body = json!({ "email": crate::support::people::email(CUSTOMER) });
    let response = app.http.post(app.path("/identity/api/forgot-password")).json(&body).send().await.unwrap();
    assert!(response.status().is_success());
    let mail = mails(&app, "passwordReset").await.remove(0);
    let link = mail["text"].as_str().unwrap().split_whitespace().find(|w| w.contains("token=")).unwrap();
    let token = link.rsplit_once("token=").unwrap().1;
    let row = rows(&app, "messageType=passwordReset").await.remove(0);
    let path = format!("/api/messages/{}", row["id"].as_str().unwrap());
    let read = app.get(OPS, &path).await.expect(200);
    assert!(!read.text.contains(token) && read.body["html"].as_str().unwrap().contains("•••"), "{}", read.text);
    assert_eq!(read.body["canRepeat"], false);
    let refused = app.post(OPS, &format!("{path}/again"), &json!({})).await.expect(409);
    assert_eq!(refused.code(), "message_not_whole");
}
