//! Another card by a link: mailed with a decline or by staff, opened without signing in, charged at once.

use crate::support::{
    TestApp,
    people::{CUSTOMER, GUEST, OPS},
};
use serde_json::{Value, json};

fn text<'a>(v: &'a Value, name: &str) -> &'a str {
    v[name].as_str().unwrap()
}

/// A booking whose deposit was refused for good.
async fn declined(app: &TestApp) -> String {
    let booking = app.book(CUSTOMER).await;
    let outcomes = json!({ "outcomes": ["hard_decline"] });
    app.post(GUEST, "/simulators/braintree/control", &outcomes).await.expect(200);
    app.clock.set("2027-02-09T14:30:00Z");
    // Tokens live a quarter of an hour.
    app.tokens.lock().unwrap().clear();
    app.run_jobs().await;
    text(&booking, "id").to_owned()
}

/// The secret of the newest link that was mailed.
async fn mailed(app: &TestApp) -> String {
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    for mail in mails["data"].as_array().unwrap() {
        let path = format!("/simulators/mailbox/messages/{}", text(mail, "id"));
        let body = app.get(GUEST, &path).await.expect(200).body;
        if let Some(link) = text(&body, "text").split_whitespace().find(|w| w.contains("/card/")) {
            return link.rsplit_once("/card/").unwrap().1.split('?').next().unwrap().to_owned();
        }
    }
    panic!("no link was mailed")
}

#[actix_web::test]
async fn the_mail_about_a_decline_leads_to_another_card_that_pays_at_once() {
    let app = TestApp::new().await;
    let id = declined(&app).await;
    let path = format!("/api/card/{}", mailed(&app).await);
    let page = app.get(GUEST, &path).await.expect(200);
    assert_eq!(page.header("cache-control"), "private, no-store");
    let page = page.body;
    assert_eq!((&page["state"], &page["firstName"].is_string()), (&json!("open"), &true));
    // What tells the holder that it is theirs, and no more.
    for hidden in ["customerEmail", "customerPhone", "customerName", "fullAddress"] {
        assert!(!page.to_string().contains(hidden), "{page}");
    }
    let body = |amount: &str| json!({ "paymentNonce": "fake-valid-nonce", "amount": amount });
    let refused = app.post(GUEST, &path, &body("1.00")).await.expect(409);
    assert_eq!(refused.code(), "price_changed");
    let done = app.post(GUEST, &path, &body(text(&page, "amount"))).await.expect(200).body;
    assert_eq!((&done["state"], &done["amount"]), (&json!("done"), &json!("0.00")));
    app.get(GUEST, &path).await.expect(404);
    app.post(GUEST, &path, &body("0.00")).await.expect(404);
    let booking = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    let deposit = booking["payments"].as_array().unwrap().iter().find(|p| p["kind"] == "deposit").unwrap();
    assert_eq!((&deposit["state"], &deposit["amount"]), (&json!("captured"), &page["amount"]));
    assert!(deposit["message"].is_null(), "what the bank refused before is over: {deposit}");
    assert_eq!(app.get(OPS, "/api/payments/failed").await.expect(200).body["total"], 0);
    app.run_jobs().await;
}

#[actix_web::test]
async fn staff_send_a_link_and_nobody_else_does() {
    let app = TestApp::new().await;
    let id = declined(&app).await;
    let send = format!("/api/bookings/{id}/card-link");
    app.post(CUSTOMER, &send, &json!({})).await.expect(403);
    let sent = app.post(OPS, &send, &json!({})).await.expect(201).body;
    assert!(text(&sent, "url").contains("/card/") && sent["sentTo"].is_string());
    app.run_jobs().await;
    let path = format!("/api/card/{}", mailed(&app).await);
    // A card that the bank refuses leaves the link as it was.
    let amount = app.get(GUEST, &path).await.expect(200).body["amount"].clone();
    let refused = json!({ "paymentNonce": "fake-processor-declined-visa-nonce", "amount": amount });
    let answer = app.post(GUEST, &path, &refused).await.expect(402);
    assert_eq!((answer.code(), &answer.body["reason"]), ("payment_declined", &json!("bank")));
    app.get(GUEST, &path).await.expect(200);
    for nobodys in ["x".repeat(43), "short".to_owned()] {
        app.get(GUEST, &format!("/api/card/{nobodys}")).await.expect(404);
    }
}
