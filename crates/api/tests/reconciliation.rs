//! Reconciliation over HTTP: a comparison that staff ask for, differences in words, and repairs that are pressed once.

use crate::support::{
    TestApp,
    examples::Fixtures,
    people::{CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
    requests::Answer,
};
use api::contract::Record;
use reqwest::Method;
use serde_json::{Value, json};

async fn last(app: &TestApp, language: &str) -> Value {
    let request = app.builder(OPS, Method::GET, "/api/reconciliation").await.header("accept-language", language);
    Answer::of(request.send().await.unwrap()).await.expect(200).body["last"].clone()
}

#[actix_web::test]
async fn only_staff_compare_and_repair() {
    let app = TestApp::new().await;
    let id = Fixtures::with_customer(&app).await.record(Record::Difference).await;
    let repair = format!("/api/reconciliation/{id}/repair");
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (OTHER, 403), (MATE, 403), (PARTNER, 403)] {
        app.get(who, "/api/reconciliation").await.expect(status);
        app.post(who, "/api/reconciliation", &json!({})).await.expect(status);
        app.post(who, &repair, &json!({})).await.expect(status);
    }
    assert_eq!(last(&app, "en").await["differences"][0]["standing"], "open");
    app.post(OPS, "/api/reconciliation/0190a000-0000-7000-8000-000000000000/repair", &json!({})).await.expect(404);
}

#[actix_web::test]
async fn a_difference_is_told_in_three_languages_and_repaired_once() {
    let app = TestApp::new().await;
    assert_eq!(app.get(OPS, "/api/reconciliation").await.expect(200).body, json!({ "last": null, "failed": null }));
    let id = Fixtures::with_customer(&app).await.record(Record::Difference).await;
    let english = last(&app, "en").await;
    assert_eq!((&english["total"], &english["differences"].as_array().unwrap().len()), (&json!(1), &1));
    let one = &english["differences"][0];
    assert_eq!((&one["id"], &one["kind"], &one["repair"]["kind"]), (&json!(id), &json!("capacity"), &json!("recount")));
    assert!(
        one["text"].as_str().unwrap().ends_with("counted as taken (mates: 1), taken by bookings (nothing)"),
        "{one}"
    );
    assert!(one["repair"]["text"].as_str().unwrap().ends_with(": nothing instead of mates: 1."), "{one}");
    assert_eq!(one["advice"], Value::Null);
    assert!(one["firstSeen"].is_string());
    assert!(english["askedBy"].is_string());
    let french = last(&app, "fr").await["differences"][0]["text"].clone();
    assert!(french.as_str().unwrap().contains("compté comme pris (aidants\u{a0}: 1)"), "{french}");
    let chinese = last(&app, "zh").await["differences"][0]["repair"]["text"].clone();
    assert!(chinese.as_str().unwrap().contains("帮手 1"), "{chinese}");

    let path = format!("/api/reconciliation/{id}/repair");
    let press = async |key: &str| {
        let request = app.builder(OPS, Method::POST, &path).await.header("idempotency-key", key.to_owned());
        Answer::of(request.send().await.unwrap()).await
    };
    let done = press("one-press").await.expect(200).body;
    assert_eq!((&done["standing"], &done["kind"]), (&json!("repaired"), &json!("capacity")));
    assert!(done["changedBy"].is_string());
    assert_eq!(press("one-press").await.expect(200).body, done);
    assert_eq!(press("another-press").await.expect(409).code(), "repair_changed");
    app.post(OPS, "/api/reconciliation", &json!({})).await.expect(200);
    app.run_jobs().await;
    let after = last(&app, "en").await;
    assert_eq!((&after["total"], &after["differences"]), (&json!(0), &json!([])));
    let trail = app.get(OPS, "/api/audit?subject=difference").await.expect(200).body;
    assert_eq!((&trail["total"], &trail["data"][0]["action"]), (&json!(1), &json!("difference.repair")));
}
