//! A card that staff store for the customer of a booking.

use crate::{
    phone_orders::{sign_up, verify},
    support::{
        Options, TestApp,
        people::{ADMIN, CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
        requests::{Answer, draft},
    },
};

use reqwest::Method;
use serde_json::{Value, json};

async fn keep(app: &TestApp, who: &'static str, booking: &str, nonce: &str) -> Answer {
    app.post(who, &format!("/api/bookings/{booking}/card"), &json!({ "paymentNonce": nonce })).await
}

async fn ordered(app: &TestApp) -> String {
    let caller = json!({ "email": "camille.caron@portage.test", "firstName": "Camille", "lastName": "Caron",
        "phone": "514-555-0199", "language": "fr" });
    let order = json!({ "bookingRequest": draft("2027-02-24", "09:00"), "customer": caller, "payment": "invoice" });
    let made = app.post(OPS, "/api/bookings", &order).await.expect(201).body;
    app.run_jobs().await;
    made["id"].as_str().unwrap().to_owned()
}

async fn has_card(app: &TestApp, booking: &str) -> Value {
    app.get(OPS, &format!("/api/bookings/{booking}/customer")).await.expect(200).body["customer"]["hasCard"].clone()
}

#[actix_web::test]
async fn staff_keep_a_card_for_the_customer_of_a_booking() {
    let app =
        TestApp::with(Options { people: &[CUSTOMER, OTHER, OPS, ADMIN, MATE, PARTNER], ..Options::default() }).await;
    let booking = ordered(&app).await;
    assert_eq!(has_card(&app, &booking).await, json!(false));
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (OTHER, 403), (MATE, 403), (PARTNER, 403)] {
        keep(&app, who, &booking, "fake-valid-nonce").await.expect(status);
    }
    let refused = keep(&app, OPS, &booking, "fake-processor-declined-visa-nonce").await.expect(402);
    assert_eq!(refused.code(), "payment_declined");
    assert_eq!(has_card(&app, &booking).await, json!(false));
    let kept = keep(&app, OPS, &booking, "fake-valid-mastercard-nonce").await.expect(200).body;
    assert_eq!(kept["card"]["brand"], json!("mastercard"));
    assert_eq!(has_card(&app, &booking).await, json!(true));
    keep(&app, ADMIN, &booking, "fake-valid-nonce").await.expect(200);
    let nowhere = "01900000-0000-7000-8000-000000000000";
    assert_eq!(keep(&app, OPS, nowhere, "fake-valid-nonce").await.expect(404).code(), "not_found");
    // Nobody of the desk has become a customer of the gateway by it.
    let own = app.get(OPS, "/api/profiles/").await.expect(200).body;
    assert_eq!(own["wallet"]["card"], Value::Null);
    // Who did it and for whom.
    let trail = app.get(OPS, "/api/audit?subject=card").await.expect(200).body;
    let rows = trail["data"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().all(|r| r["action"] == "card.store" && r["after"]["customer"].is_string()), "{rows:?}");
}

#[actix_web::test]
async fn a_press_that_is_repeated_keeps_one_card() {
    let app = TestApp::with(Options { people: &[OPS], ..Options::default() }).await;
    let booking = ordered(&app).await;
    let path = format!("/api/bookings/{booking}/card");
    for replayed in [false, true] {
        let request = app.builder(OPS, Method::POST, &path).await.header("idempotency-key", "one-press");
        let answer = request.json(&json!({ "paymentNonce": "fake-valid-nonce" })).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers().contains_key("idempotency-replayed"), replayed);
    }
    let trail = app.get(OPS, "/api/audit?subject=card").await.expect(200).body;
    assert_eq!(trail["data"].as_array().unwrap().len(), 1);
    // A key counts for its call: that of another booking is another one.
    let other = draft("2027-02-25", "09:00");
    let caller = json!({ "email": "bob@portage.test", "firstName": "Bob", "lastName": "Roy", "phone": "514-555-0198", "language": "en" });
    let order = json!({ "bookingRequest": other, "customer": caller, "payment": "onSite" });
    let second = app.post(OPS, "/api/bookings", &order).await.expect(201).body;
    app.run_jobs().await;
    let path = format!("/api/bookings/{}/card", second["id"].as_str().unwrap());
    let request = app.builder(OPS, Method::POST, &path).await.header("idempotency-key", "one-press");
    let answer = request.json(&json!({ "paymentNonce": "fake-valid-nonce" })).send().await.unwrap();
    assert!(answer.status() == 200 && !answer.headers().contains_key("idempotency-replayed"));
}

/// The bookings of an address become theirs who show it to be their own, and so does the card they are charged to.
#[actix_web::test]
async fn the_card_goes_with_the_bookings() {
    let app = TestApp::with(Options { people: &[OPS], ..Options::default() }).await;
    let booking = ordered(&app).await;
    keep(&app, OPS, &booking, "fake-valid-mastercard-nonce").await.expect(200);
    let cookie = sign_up(&app).await;
    let wallet = async || {
        let tokens = app.token_answer(&cookie).await;
        let bearer = tokens["access_token"].as_str().unwrap();
        let request = app.http.get(app.path("/api/profiles/")).bearer_auth(bearer);
        Answer::of(request.send().await.unwrap()).await.expect(200).body["wallet"]["card"].clone()
    };
    assert_eq!(wallet().await, Value::Null, "anybody may sign up with any address");
    verify(&app, &cookie).await;
    assert_eq!(wallet().await["brand"], json!("mastercard"));
    assert_eq!(has_card(&app, &booking).await, json!(true));
}
