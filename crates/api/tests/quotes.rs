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

/// A code of 10 %, as staff write it, with these other fields.
fn ten(more: Value) -> Value {
    let mut body = json!({
        "code": "SPRING10", "kind": "percent", "value": "10", "validFrom": "2027-01-01", "validUntil": "2027-12-31",
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        body[key] = value.clone();
    }
    body
}

/// What the move costs whoever comes by the link, and by the last argument without it: estimate, crews and calendar as one.
async fn priced(app: &TestApp, token: Option<&str>) -> Value {
    let draft = draft("2027-02-17", "09:00");
    let end = |side: &str| {
        let (address, coords) = (&draft[side], &draft[format!("{side}Coords")]);
        json!({
            "province": address["province"], "city": address["city"], "postalCode": address["postalCode"],
            "lat": coords["lat"], "lon": coords["lon"],
        })
    };
    let access = |side: &str| {
        json!({
            "floor": draft[format!("{side}Floor")], "elevator": draft[format!("{side}HasElevator")],
            "parking": draft[format!("{side}HasParking")],
        })
    };
    let mut asked = json!({
        // The way of the quote counts, not what the browser says of it.
        "travelDuration": 15, "distanceKm": "6.2",
        "selectedFurnitures": { "furnitures": draft["selectedFurnitures"] }, "mateCount": draft["mateCount"],
        "locationDetails": [access("pickup"), access("dropoff")],
        "pickupAddress": end("pickup"), "dropoffAddress": end("dropoff"),
        "movingDate": "2027-02-17", "discountCode": "spring10", "moveKind": "residential",
    });
    if let Some(token) = token {
        asked["savedQuote"] = json!(token);
    }
    let estimate = app.post(GUEST, "/api/booking/estimate", &asked).await.expect(200).body;
    assert_eq!(estimate.get("keptUntil").is_some_and(|k| !k.is_null()), token.is_some(), "{estimate}");
    let crews = app.post(GUEST, "/api/booking/crews", &asked).await.expect(200).body;
    let crew = crews["crews"].as_array().unwrap().iter().find(|c| c["mateCount"] == draft["mateCount"]).unwrap();
    (asked["from"], asked["days"], asked["movingDate"]) = (json!("2027-02-10"), json!(14), Value::Null);
    let days = app.post(GUEST, "/api/booking/prices", &asked).await.expect(200).body;
    let day = days["days"].as_array().unwrap().iter().find(|d| d["date"] == "2027-02-17").unwrap();
    assert_eq!((&crew["total"], &day["total"]), (&estimate["total"], &estimate["total"]));
    assert_eq!((&crew["amount"], &day["amount"]), (&estimate["amount"], &estimate["amount"]));
    estimate["total"].clone()
}

/// A quote is mailed with a code of 10 %; then staff make `more` of it, or somebody takes its last use. Whoever comes by the
/// link has the mailed price everywhere and books at it.
async fn a_promise_outlives(more: Option<Value>, first: Value) {
    let app = TestApp::new().await;
    let made = app.post(OPS, "/api/discounts", &ten(first)).await.expect(201);
    let path = format!("/api/discounts/{}", made.body["id"].as_str().unwrap());
    let mut mine = wish("guest@portage.test");
    mine["bookingRequest"]["discountCode"] = json!("Spring10");
    let quote = app.post(GUEST, "/api/quotes", &mine).await.expect(201).body;
    app.run_jobs().await;
    let token = app.mailed_secret("/saved/").await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    match &more {
        Some(more) if more.is_null() => {
            app.send(OPS, Method::DELETE, &path, None).await.expect(204);
        }
        Some(more) => {
            let version = app.get(OPS, &path).await.expect(200).header("etag").to_owned();
            let request = app.builder(OPS, Method::PUT, &path).await.header("if-match", version);
            let put =
                crate::support::requests::Answer::of(request.json(&ten(more.clone())).send().await.unwrap()).await;
            put.expect(200);
        }
        None => {
            let mut other = draft("2027-02-18", "09:00");
            other["discountCode"] = json!("SPRING10");
            app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": other })).await.expect(201);
        }
    }
    dearer(&app).await;
    let page = app.get(GUEST, &format!("/api/quotes/{token}")).await.expect(200).body;
    assert_eq!((&page["state"], &page["total"]), (&json!("open"), &quote["total"]), "{more:?}");
    assert_eq!(priced(&app, Some(&token)).await, quote["total"], "{more:?}");
    assert_ne!(priced(&app, None).await, quote["total"], "{more:?}");
    let mut move_ = mine["bookingRequest"].clone();
    move_["expectedTotal"] = quote["total"].clone();
    move_["savedQuote"] = json!(token);
    let booked = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": move_ })).await.expect(201).body;
    assert_eq!((&booked["total"], &booked["discountCode"]), (&quote["total"], &json!("SPRING10")), "{more:?}");
    let uses = if more.is_none() { 2 } else { 1 };
    assert_eq!(app.get(OPS, &path).await.expect(200).body["uses"], uses, "it counts, {more:?}");
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_code_whose_terms_change_keeps_its_promise() {
    a_promise_outlives(Some(json!({ "value": "5", "maxAmount": "3.00" })), json!({})).await;
}

#[actix_web::test]
async fn a_code_that_ends_early_keeps_its_promise() {
    let ended = json!({ "validUntil": "2027-02-10", "bookableFrom": "2027-01-01", "bookableUntil": "2027-02-01" });
    a_promise_outlives(Some(ended), json!({})).await;
}

#[actix_web::test]
async fn a_code_that_is_switched_off_keeps_its_promise() {
    a_promise_outlives(Some(json!({ "disabled": true })), json!({})).await;
}

#[actix_web::test]
async fn a_code_that_is_removed_keeps_its_promise() {
    a_promise_outlives(Some(Value::Null), json!({})).await;
}

#[actix_web::test]
async fn a_code_that_is_used_up_keeps_its_promise() {
    a_promise_outlives(None, json!({ "maxUses": 1 })).await;
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
