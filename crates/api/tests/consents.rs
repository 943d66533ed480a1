//! Consent over HTTP: asked by a mailed link, answered once without signing in, written down by staff; and refusals that
//! name the greatest sum.

use crate::support::{
    TestApp,
    examples::Fixtures,
    people::{ADMIN, CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
    requests::Answer,
};
use api::contract::Record;
use reqwest::Method;
use serde_json::{Value, json};

fn text<'a>(v: &'a Value, name: &str) -> &'a str {
    v[name].as_str().unwrap()
}

/// The paths of the links that were mailed, the newest first.
async fn mailed(app: &TestApp) -> Vec<String> {
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let mut found = Vec::new();
    for mail in mails["data"].as_array().unwrap() {
        let path = format!("/simulators/mailbox/messages/{}", text(mail, "id"));
        let body = app.get(GUEST, &path).await.expect(200).body;
        let mut words = text(&body, "text").split_whitespace();
        if let Some(link) = words.find(|w| w.contains("/consent/")) {
            found.push(format!("/api{}", &link[link.find("/consent/").unwrap()..].split('?').next().unwrap()));
        }
    }
    found
}

#[actix_web::test]
async fn the_link_asks_in_words_and_is_answered_once() {
    let app = TestApp::new().await;
    let id = Fixtures::with_customer(&app).await.record(Record::WaitsForConsent).await;
    app.run_jobs().await;
    let path = mailed(&app).await.remove(0);
    let page = app.get(GUEST, &path).await.expect(200).body;
    assert_eq!((text(&page, "state"), text(&page, "kind"), &page["releases"]), ("asked", "recharge", &json!(true)));
    for word in ["I agree that my card ending in", "$10.00 went back to me", text(&page, "shortId")] {
        assert!(text(&page, "text").contains(word), "{page}");
    }
    // What tells the holder that it is theirs, and no more.
    for hidden in ["customerEmail", "customerPhone", "customerName", "fullAddress", "link", "sentTo"] {
        assert!(page.get(hidden).is_none(), "{page}");
    }
    // Customer and staff read that it waits.
    let theirs = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200).body;
    assert_eq!((&theirs["chargesWait"], &theirs["consentUntil"]), (&json!(true), &page["expiresAt"]));
    assert!(theirs.get("consents").is_none());
    let record = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    assert_eq!((&record["consents"][0]["text"], &record["consents"][0]["standing"]), (&page["text"], &json!("asked")));
    assert!(!record.to_string().contains(path.rsplit('/').next().unwrap()), "the secret is nobody's to read");
    // Guessed and broken ones.
    for nobodys in ["x".repeat(43), "short".to_owned()] {
        app.get(GUEST, &format!("/api/consent/{nobodys}")).await.expect(404);
        app.post(GUEST, &format!("/api/consent/{nobodys}"), &json!({ "agree": true })).await.expect(404);
    }
    app.post(GUEST, &path, &json!({ "agree": "yes" })).await.expect(400);
    app.post(GUEST, &path, &json!({})).await.expect(422);
    // Whoever is signed in, it is the link that counts.
    let agreed = app.post(OTHER, &path, &json!({ "agree": true })).await.expect(200).body;
    assert_eq!((&agreed["state"], &agreed["text"]), (&json!("agreed"), &page["text"]));
    assert_eq!(app.post(GUEST, &path, &json!({ "agree": true })).await.expect(200).body, agreed);
    let other = app.post(GUEST, &path, &json!({ "agree": false })).await.expect(409);
    assert_eq!(other.code(), "consent_answered");
    let record = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    let kept = &record["consents"][0];
    assert_eq!((&kept["standing"], &kept["how"], &kept["text"]), (&json!("agreed"), &json!("link"), &page["text"]));
    assert_eq!(record["chargesWait"], false);
    for (language, said) in
        [("en", "You agreed by the link"), ("fr", "Vous avez accepté par le lien"), ("zh", "您已通过链接同意")]
    {
        let request = app.builder(CUSTOMER, Method::GET, &format!("/api/c/bookings/{id}/statement")).await;
        let request = request.header("accept-language", language);
        let told = Answer::of(request.send().await.unwrap()).await.expect(200).body;
        let row = told["rows"].as_array().unwrap().iter().find(|r| r["kind"] == "agreed_recharge").unwrap();
        assert!(text(row, "text").starts_with(said), "{row}");
    }
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_no_cancels_the_move_again() {
    let app = TestApp::new().await;
    let id = Fixtures::with_customer(&app).await.record(Record::WaitsForConsent).await;
    app.run_jobs().await;
    let path = mailed(&app).await.remove(0);
    let page = app.post(GUEST, &path, &json!({ "agree": false })).await.expect(200).body;
    assert_eq!(page["state"], "refused");
    let booking = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200).body;
    assert_eq!((&booking["status"], &booking["chargesWait"]), (&json!("cancelled"), &json!(false)));
    app.run_jobs().await;
}

#[actix_web::test]
async fn staff_ask_again_or_write_down_a_yes_and_nobody_else_does() {
    let app = TestApp::new().await;
    let id = Fixtures::with_customer(&app).await.record(Record::WaitsForConsent).await;
    let (again, yes) = (format!("/api/bookings/{id}/consent-link"), format!("/api/bookings/{id}/consent"));
    let note = json!({ "note": "Ana Roy, at ten" });
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (OTHER, 403), (MATE, 403), (PARTNER, 403)] {
        app.post(who, &again, &json!({})).await.expect(status);
        app.post(who, &yes, &note).await.expect(status);
    }
    let sent = app.post(OPS, &again, &json!({})).await.expect(201).body;
    assert!(text(&sent, "url").contains("/consent/") && text(&sent, "text").contains("I agree that"));
    app.run_jobs().await;
    let links = mailed(&app).await;
    assert_eq!(links.len(), 2);
    assert_eq!(app.get(GUEST, &links[1]).await.expect(200).body["state"], "replaced");
    let first = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body["consents"][0]["id"].clone();
    // A page that was opened before shows other words.
    let stale = json!({ "consentId": first, "note": "Ana Roy, at ten" });
    assert_eq!(app.post(ADMIN, &yes, &stale).await.expect(409).code(), "consent_outdated");
    app.post(OPS, &yes, &json!({ "note": "" })).await.expect(422);
    let right = json!({ "consentId": sent["id"], "note": "Ana Roy, at ten" });
    let press = async || {
        let request = app.builder(OPS, Method::POST, &yes).await.header("idempotency-key", "one-press");
        Answer::of(request.json(&right).send().await.unwrap()).await.expect(200).body
    };
    let done = press().await;
    assert_eq!(press().await, done);
    let kept = done["consents"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&kept["standing"], &kept["how"], &kept["note"]),
        (&json!("agreed"), &json!("telephone"), &right["note"])
    );
    assert_eq!(app.post(OPS, &again, &json!({})).await.expect(409).code(), "consent_not_needed");
    app.run_jobs().await;
}

#[actix_web::test]
async fn overtime_is_asked_for_by_mail() {
    let app = TestApp::new().await;
    let id = Fixtures::with_customer(&app).await.record(Record::Begun).await;
    let path = format!("/api/bookings/{id}/overtime/consent-link");
    let wish = json!({ "minutes": 45, "cause": "elevator" });
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (OTHER, 403), (MATE, 403), (PARTNER, 403)] {
        app.post(who, &path, &wish).await.expect(status);
    }
    let shown = app.get(OPS, &format!("/api/bookings/{id}/overtime?minutes=45")).await.expect(200).body;
    let sent = app.post(OPS, &path, &wish).await.expect(201).body;
    assert_eq!(sent["amount"], shown["total"]);
    app.run_jobs().await;
    let before = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    assert_eq!(before["overtime"], json!([]));
    let link = mailed(&app).await.remove(0);
    app.post(GUEST, &link, &json!({ "agree": true })).await.expect(200);
    let after = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    assert_eq!((&after["total"], &after["overtime"][0]["consent"]), (&shown["newTotal"], &sent["text"]));
    let none = json!({ "minutes": 1, "cause": "elevator" });
    let other = Fixtures::with_customer(&app).await.record(Record::Begun).await;
    let refused = app.post(OPS, &format!("/api/bookings/{other}/overtime/consent-link"), &none).await.expect(422);
    assert_eq!(refused.code(), "overtime_free");
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_sum_that_is_too_great_names_the_greatest() {
    let app = TestApp::new().await;
    let id = Fixtures::with_customer(&app).await.record(Record::Booking).await;
    let cash = |amount: &str| json!({ "method": "cash", "amount": amount });
    app.post(OPS, &format!("/api/bookings/{id}/payments"), &cash("10.00")).await.expect(201);
    let back = json!({ "kind": "refund", "amount": "10.01", "reason": "Example" });
    let owed = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body["owed"].clone();
    let most = |answer: &Answer| answer.body["errors"][0].clone();
    for (call, body, language, said, sum) in [
        ("refunds", back.clone(), "fr", "10,00\u{a0}$", json!("10.00")),
        ("refunds", back, "zh", "CA$10.00", json!("10.00")),
        ("payments", cash("99999.00"), "en", "at most", owed.clone()),
    ] {
        let request = app.builder(OPS, Method::POST, &format!("/api/bookings/{id}/{call}")).await;
        let request = request.header("accept-language", language).json(&body);
        let told = most(&Answer::of(request.send().await.unwrap()).await.expect(422));
        assert_eq!((&told["field"], &told["code"], &told["most"]), (&json!("amount"), &json!("out_of_range"), &sum));
        assert!(text(&told, "message").contains(said), "{told}");
    }
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_refused_refund_is_paid_back_by_hand() {
    let app = TestApp::new().await;
    let id = Fixtures::with_customer(&app).await.record(Record::RefusedRefund).await;
    let path = format!("/api/payments/{id}/paid-back");
    let how = json!({ "method": "etransfer", "reference": "CA7F2K" });
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (OTHER, 403), (MATE, 403), (PARTNER, 403)] {
        app.post(who, &path, &how).await.expect(status);
    }
    let listed = app.get(OPS, "/api/payments/failed").await.expect(200).body;
    let row = listed["data"].as_array().unwrap().iter().find(|r| r["id"] == id.as_str()).unwrap();
    assert_eq!((&row["canPayBack"], &row["canWriteOff"]), (&json!(true), &json!(false)));
    app.post(OPS, &path, &json!({ "method": "etransfer" })).await.expect(422);
    app.post(OPS, &path, &json!({ "method": "card", "reference": "x" })).await.expect(422);
    let done = app.post(OPS, &path, &how).await.expect(200).body;
    let refund = done["data"].as_array().unwrap().iter().find(|r| r["id"] == id.as_str()).unwrap();
    assert_eq!((&refund["method"], &refund["reference"]), (&json!("etransfer"), &json!("CA7F2K")));
    assert_eq!(app.post(OPS, &path, &how).await.expect(409).code(), "payment_not_failed");
    let listed = app.get(OPS, "/api/payments/failed").await.expect(200).body;
    assert!(!listed["data"].as_array().unwrap().iter().any(|r| r["id"] == id.as_str()));
    app.run_jobs().await;
}
