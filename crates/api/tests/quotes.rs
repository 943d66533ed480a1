//! A quote by mail over HTTP: a guest asks for it, the link leads back, a guess leads nowhere, and a booking has its price.

use crate::support::{
    TestApp,
    bodies::draft,
    people::{CUSTOMER, GUEST, OPS},
};
use reqwest::Method;
use serde_json::{Value, json};

const KEPT: &str = r#"{"ownItems":"une lampe","mateCount":2}"#;

fn wish(to: &str) -> Value {
    json!({ "email": to, "bookingRequest": draft("2027-02-17", "09:00"), "draft": KEPT })
}

/// Every amount of the card that counts is twice what it was, from now on.
async fn dearer(app: &TestApp) {
    let list = app.get(OPS, "/api/rates").await.expect(200).body;
    let active = list["data"].as_array().unwrap().iter().find(|r| r["state"] == "active").unwrap();
    let path = format!("/api/rates/{}", active["id"].as_str().unwrap());
    let one = app.get(OPS, &path).await.expect(200);
    let mut card = one.body["card"].clone();
    card["rates"]["default"]["truck_fee_by_tier"] = json!(["500.00", "500.00", "500.00"]);
    let request = app.builder(OPS, Method::PUT, &path).await.header("if-match", one.header("etag"));
    let put = crate::support::requests::Answer::of(request.json(&json!({ "card": card })).send().await.unwrap()).await;
    put.expect(200);
}

#[actix_web::test]
async fn a_guests_link_leads_back_to_the_draft_and_its_price() {
    let app = TestApp::new().await;
    let made = app.post(GUEST, "/api/quotes", &wish("Guest@portage.test")).await.expect(201).body;
    assert_eq!((&made["sentTo"], &made["currency"]), (&json!("Guest@portage.test"), &json!("CAD")));
    assert_eq!(made["validUntil"], "2027-02-15T14:00:00Z");
    app.run_jobs().await;
    let token = app.mailed_secret("/saved/").await;
    assert!(!made.to_string().contains(&token), "whoever asks learns the link by mail alone");
    let path = format!("/api/quotes/{token}");
    let page = app.get(GUEST, &path).await.expect(200);
    assert_eq!(page.header("cache-control"), "private, no-store");
    assert_eq!(page.body["state"], "open");
    assert_eq!((&page.body["draft"], &page.body["total"]), (&json!(KEPT), &made["total"]));
    assert_eq!((&page.body["from"], &page.body["date"]), (&json!("Montréal"), &json!("2027-02-17")));
    for hidden in ["email", "sentTo", "tokenHash"] {
        assert!(page.body.get(hidden).is_none(), "{}", page.body);
    }
    // A stranger's guess.
    for guess in ["x".repeat(43), token[..42].to_owned() + "~", "short".to_owned()] {
        app.get(GUEST, &format!("/api/quotes/{guess}")).await.expect(404);
    }
    // Staff read the message in the outbox, without the secret.
    let outbox = app.get(OPS, "/api/messages?messageType=quoteSaved").await.expect(200).body;
    let id = outbox["data"][0]["id"].as_str().unwrap();
    let message = app.get(OPS, &format!("/api/messages/{id}")).await.expect(200).body;
    assert!(message.to_string().contains("•••") && !message.to_string().contains(&token), "{message}");
    // Prices went up; who comes by the link books at the mailed one.
    dearer(&app).await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let mut move_ = draft("2027-02-17", "09:00");
    move_["expectedTotal"] = made["total"].clone();
    let refused = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": move_ })).await.expect(409);
    assert_eq!(refused.code(), "price_changed");
    move_["savedQuote"] = json!(token);
    let booked = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": move_ })).await.expect(201).body;
    assert_eq!(booked["total"], made["total"]);
    assert!(
        !app.get(OPS, &format!("/api/bookings/{}", booked["id"].as_str().unwrap()))
            .await
            .body
            .to_string()
            .contains(&token)
    );
    app.clock.set("2027-02-15T14:00:00Z");
    assert_eq!(app.get(GUEST, &path).await.expect(200).body["state"], "lapsed");
    app.tokens.lock().unwrap().clear();
    app.run_jobs().await;
}

#[actix_web::test]
async fn what_cannot_be_booked_is_not_mailed() {
    let app = TestApp::new().await;
    let with = |change: &dyn Fn(&mut Value)| {
        let mut body = wish("guest@portage.test");
        change(&mut body);
        body
    };
    for (body, status, said) in [
        (with(&|b| b["email"] = json!("nobody")), 422, "validation_failed"),
        (with(&|b| b["draft"] = json!("no draft")), 422, "validation_failed"),
        (with(&|b| b["draft"] = json!(format!("{{\"a\":\"{}\"}}", "x".repeat(60_000)))), 422, "validation_failed"),
        (with(&|b| b["bookingRequest"]["date"] = json!("2026-02-17")), 422, "date_past"),
        (with(&|b| b["bookingRequest"]["expectedTotal"] = json!("1.00")), 409, "price_changed"),
        (with(&|b| b["bookingRequest"]["discountCode"] = json!("NO-SUCH")), 422, "discount_not_found"),
    ] {
        let refused = app.post(GUEST, "/api/quotes", &body).await.expect(status);
        assert_eq!(refused.code(), said, "{}", refused.body);
    }
    app.run_jobs().await;
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    assert!(mails["data"].as_array().unwrap().iter().all(|m| m["to"] != "guest@portage.test"), "{mails}");
}
