//! Overtime over HTTP: the customer's yes, the words of the refusals, one press for one wish, and the statement after it.

use crate::support::{
    TestApp,
    examples::Fixtures,
    people::{CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
    requests::Answer,
};
use api::contract::Record;
use reqwest::Method;
use serde_json::{Value, json};

fn agreed(minutes: i64) -> Value {
    json!({ "minutes": minutes, "cause": "elevator", "consent": true, "consentNote": "Ana, on site" })
}

#[actix_web::test]
async fn staff_add_time_once_and_everybody_reads_why() {
    let app = TestApp::new().await;
    let id = Fixtures::with_customer(&app).await.record(Record::Begun).await;
    let path = format!("/api/bookings/{id}/overtime");
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (OTHER, 403), (MATE, 403), (PARTNER, 403)] {
        app.post(who, &path, &agreed(45)).await.expect(status);
    }
    let shown = app.get(OPS, &format!("{path}?minutes=45")).await.expect(200).body;
    let press = async || {
        let request = app.builder(OPS, Method::POST, &path).await.header("idempotency-key", "one-press");
        Answer::of(request.json(&agreed(45)).send().await.unwrap()).await.expect(201).body
    };
    let done = press().await;
    assert_eq!(press().await, done);
    assert_eq!(done["total"], shown["newTotal"]);
    let line = done["lines"].as_array().unwrap().iter().find(|l| l["type"] == "overtime").unwrap();
    assert_eq!(line["amount"], shown["amount"]);
    assert_eq!(done["overtime"][0]["consent"], "Ana, on site");
    assert_eq!(done["overtime"].as_array().unwrap().len(), 1);

    let said = app.get(CUSTOMER, &format!("/api/c/bookings/{id}/statement")).await.expect(200).body;
    let rows = said["rows"].as_array().unwrap();
    let own = rows.iter().find(|r| r["kind"] == "overtime").unwrap();
    assert_eq!(own["text"], "45 minutes beyond what was agreed, as you said yes to");
    assert_eq!((&own["amount"], &rows.last().unwrap()["balance"]), (&shown["total"], &said["balance"]));
    let request = app.builder(CUSTOMER, Method::GET, &format!("/api/c/bookings/{id}/statement")).await;
    let french = Answer::of(request.header("accept-language", "fr").send().await.unwrap()).await.expect(200).body;
    let own = french["rows"].as_array().unwrap().iter().find(|r| r["kind"] == "overtime").unwrap();
    assert_eq!(own["text"], "45 minutes au-delà du convenu, avec votre accord");
    app.get(OTHER, &format!("/api/c/bookings/{id}/statement")).await.expect(404);
    app.get(CUSTOMER, &format!("/api/bookings/{id}/statement")).await.expect(403);
    app.run_jobs().await;
}

#[actix_web::test]
async fn without_a_yes_nothing_is_added() {
    let app = TestApp::new().await;
    let id = Fixtures::with_customer(&app).await.record(Record::Begun).await;
    let path = format!("/api/bookings/{id}/overtime");
    let without = |consent: Value| json!({ "minutes": 45, "cause": "elevator", "consent": consent });
    for body in [
        json!({ "minutes": 45, "cause": "elevator" }),
        without(json!(false)),
        without(json!("  ")),
        without(json!("no")),
        without(json!(" Non ")),
        without(json!("FALSE")),
        without(json!("不同意")),
        without(Value::Null),
    ] {
        let refused = app.post(OPS, &path, &body).await.expect(422);
        assert_eq!(refused.body["errors"][0]["field"], "consent", "{body}");
    }
    for (body, field) in [
        (json!({ "minutes": 45, "cause": "boredom", "consent": true }), "cause"),
        (json!({ "minutes": 0, "cause": "other", "consent": true }), "minutes"),
        (json!({ "minutes": 1441, "cause": "other", "consent": true }), "minutes"),
    ] {
        let refused = app.post(OPS, &path, &body).await.expect(422);
        assert_eq!(refused.body["errors"][0]["field"], field, "{body}");
    }
    assert_eq!(app.post(OPS, &path, &agreed(10)).await.expect(422).code(), "overtime_free");
    let unchanged = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    assert_eq!(unchanged["overtime"], json!([]));
    // A text is a yes as well.
    let said = app.post(OPS, &path, &without(json!("Ana signed for it"))).await.expect(201).body;
    assert_eq!(said["overtime"][0]["consent"], "Ana signed for it");
    app.run_jobs().await;
}
