//! Money that staff give back: who may, what is refused and in which words, and what the customer reads of it.

use crate::support::{
    TestApp,
    people::{CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
    requests::Answer,
};
use reqwest::Method;
use serde_json::{Value, json};

/// A booking whose deposit is captured, not settled; its id and the deposit.
async fn with_deposit(app: &TestApp) -> (String, String) {
    let made = app.book(CUSTOMER).await;
    app.run_jobs().await;
    app.clock.set("2027-02-09T14:00:01Z");
    app.run_jobs().await;
    app.tokens.lock().unwrap().clear();
    let id = made["id"].as_str().unwrap().to_owned();
    let money = app.get(OPS, &format!("/api/bookings/{id}/payments")).await.expect(200).body;
    (id, money["netPaid"].as_str().unwrap().to_owned())
}

fn refund(amount: &str) -> Value {
    json!({ "kind": "refund", "amount": amount, "reason": "The truck came an hour late" })
}

#[actix_web::test]
async fn only_staff_give_money_back() {
    let app = TestApp::new().await;
    let (id, _) = with_deposit(&app).await;
    let path = format!("/api/bookings/{id}/refunds");
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (OTHER, 403), (MATE, 403), (PARTNER, 403)] {
        app.post(who, &path, &refund("10.00")).await.expect(status);
    }
    app.post(OPS, "/api/bookings/0190a000-0000-7000-8000-000000000000/refunds", &refund("10.00")).await.expect(404);
    let money = app.get(OPS, &format!("/api/bookings/{id}/payments")).await.expect(200).body;
    assert_eq!(money["credits"], json!([]));
}

#[actix_web::test]
async fn a_refund_pressed_twice_is_one_and_the_customer_reads_why() {
    let app = TestApp::new().await;
    let (id, deposit) = with_deposit(&app).await;
    let path = format!("/api/bookings/{id}/refunds");
    let press = async |body: &Value| {
        let request = app.builder(OPS, Method::POST, &path).await.header("idempotency-key", "one-press");
        Answer::of(request.json(body).send().await.unwrap()).await
    };
    let body = json!({ "kind": "goodwill", "amount": "20.00", "reason": " A scratch on the table " });
    let first = press(&body).await.expect(201).body;
    assert_eq!(press(&body).await.expect(201).body, first);
    assert_eq!(press(&refund("20.00")).await.expect(422).code(), "idempotency_key_reused");
    assert_eq!((&first["credited"], &first["netPaid"]), (&json!("20.00"), &json!(deposit)));
    let credits = first["credits"].as_array().unwrap();
    assert_eq!(credits.len(), 1);
    assert_eq!((&credits[0]["kind"], &credits[0]["reason"]), (&json!("goodwill"), &json!("A scratch on the table")));
    assert!(credits[0]["by"].is_string(), "staff see who gave it");

    let own = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200).body;
    assert_eq!(own["credits"][0]["reason"], "A scratch on the table");
    assert_eq!(own["credits"][0]["amount"], "20.00");
    assert!(own["credits"][0].get("by").is_none(), "who gave it is not the customer's");
    assert_eq!(own["total"], app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body["total"]);
}

/// What is not settled yet is voided at the gateway, as a whole.
#[actix_web::test]
async fn the_whole_of_a_charge_goes_back_before_it_settled() {
    let app = TestApp::new().await;
    let (id, deposit) = with_deposit(&app).await;
    let path = format!("/api/bookings/{id}/refunds");
    let done = app.post(OPS, &path, &refund(&deposit)).await.expect(201).body;
    assert_eq!(done["credited"], json!(deposit));
    app.run_jobs().await;
    let money = app.get(OPS, &format!("/api/bookings/{id}/payments")).await.expect(200).body;
    assert_eq!(money["netPaid"], "0.00");
    let charge = money["data"].as_array().unwrap().iter().find(|p| p["kind"] == "deposit").unwrap();
    assert_eq!(charge["state"], "refunded", "people read a void as what it is to them");
    let code = app.post(OPS, &path, &refund("0.01")).await.expect(409);
    assert_eq!(code.code(), "nothing_to_return");
}

#[actix_web::test]
async fn what_cannot_be_given_is_refused_at_its_field() {
    let app = TestApp::new().await;
    let (id, deposit) = with_deposit(&app).await;
    let path = format!("/api/bookings/{id}/refunds");
    let above = format!("{}.{}", deposit.split('.').next().unwrap().parse::<i64>().unwrap() + 1, "00");
    for (body, field) in [
        (refund(&above), "amount"),
        (refund("0.00"), "amount"),
        (json!({ "kind": "refund", "amount": "10.00", "reason": "  " }), "reason"),
        (json!({ "kind": "refund", "amount": "10.00", "reason": "x".repeat(501) }), "reason"),
        (json!({ "kind": "gift", "amount": "10.00", "reason": "why not" }), "kind"),
    ] {
        let refused = app.post(OPS, &path, &body).await.expect(422);
        assert_eq!(refused.body["errors"][0]["field"], field, "{body}");
    }
    for amount in ["-10.00", "10.001", "ten"] {
        let refused = app.post(OPS, &path, &refund(amount)).await;
        assert!([400, 422].contains(&refused.status), "{amount}: {}", refused.status);
    }
    let money = app.get(OPS, &format!("/api/bookings/{id}/payments")).await.expect(200).body;
    assert_eq!((&money["credits"], &money["netPaid"]), (&json!([]), &json!(deposit)));
}
