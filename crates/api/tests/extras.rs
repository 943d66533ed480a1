//! Assembly, services beside the move, rooms and kinds of place: from the estimate into the booking record and back.

use crate::support::{
    TestApp,
    people::{CUSTOMER, GUEST, OPS},
    requests::{draft, estimate},
};
use kernel::Money;
use serde_json::{Value, json};
use service::Actor;

fn cents(v: &Value) -> i64 {
    v.as_str().unwrap().parse::<Money>().unwrap().cents()
}

/// Packing has a price, nothing else.
async fn packing_has_a_price(app: &TestApp) {
    let mut card = pricing::RateCard::builtin();
    card.rates.default.extra_services.packing = Some(Money::from_cents(12_000));
    service::rates::load(&app.services, Actor::system(), "standard".to_owned(), None, card).await.unwrap();
}

fn with(mut body: Value, more: Value) -> Value {
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// One bedroom: a bed, a table and the like are taken apart.
fn pieces() -> Value {
    json!([{ "id": "bed-frame-queen", "quantity": 6 }, { "id": "box-small-1-5", "quantity": 30 }])
}

#[actix_web::test]
async fn assembly_is_left_out_whole_or_by_item() {
    let app = TestApp::new().await;
    let body = with(estimate(), json!({ "selectedFurnitures": { "furnitures": pieces() } }));
    let mut prices = Vec::new();
    for more in [
        json!({}),
        json!({ "assembly": true }),
        json!({ "assembly": false }),
        json!({ "selectedFurnitures": { "furnitures": [
            { "id": "bed-frame-queen", "quantity": 6, "assembly": false }, { "id": "box-small-1-5", "quantity": 30 }] } }),
    ] {
        let a = app.post(GUEST, "/api/booking/estimate", &with(body.clone(), more)).await.expect(200).body;
        prices.push((
            a["duration"].as_u64().unwrap(),
            cents(&a["amount"]),
            a["totalCubicFeet"].clone(),
            a["hints"].clone(),
        ));
    }
    assert_eq!(prices[0], prices[1]);
    assert_eq!(prices[2], prices[3]);
    // Six pieces, thirty mate-minutes each, two mates, and the margin of five per cent: 94.5 minutes, in steps of 15.
    assert!([90, 105].contains(&(prices[0].0 - prices[2].0)), "{prices:?}");
    assert_eq!(prices[0].2, prices[2].2);
    let hint = prices[0].3.as_array().unwrap().iter().find(|h| h["code"] == "no_assembly").unwrap();
    assert_eq!(cents(&hint["difference"]), prices[2].1 - prices[0].1);
    assert!(!prices[2].3.to_string().contains("no_assembly"));
}

#[actix_web::test]
async fn a_service_with_a_price_is_a_line_and_one_without_a_note() {
    let app = TestApp::new().await;
    packing_has_a_price(&app).await;
    let asked = json!({ "extraServices": ["storage", "packing", "packing"] });
    let plain = app.post(GUEST, "/api/booking/estimate", &estimate()).await.expect(200).body;
    let a = app.post(GUEST, "/api/booking/estimate", &with(estimate(), asked.clone())).await.expect(200).body;
    assert_eq!(cents(&a["amount"]) - cents(&plain["amount"]), 12_000);
    let line = a["lines"].as_array().unwrap().iter().find(|l| l["code"] == "packing").unwrap();
    assert_eq!((&line["type"], &line["description"]), (&json!("other"), &json!("Packing")));
    assert_eq!(line["explanation"], "One price for the whole move = $120.00.");
    assert!(!a["lines"].to_string().contains("storage"));

    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let wish = json!({
        "extraServices": ["storage", "packing"], "assembly": false,
        "rooms": { "bedrooms": 2, "bathrooms": 1, "rooms": 1, "stairs": 1, "elevator": 0 },
        "pickupCategory": "apartment", "dropoffCategory": "house"
    });
    let body = json!({ "bookingRequest": with(draft("2027-02-17", "09:00"), wish) });
    let made = app.post(CUSTOMER, "/api/bookings", &body).await.expect(201).body;
    let id = made["id"].as_str().unwrap().to_owned();
    for b in [made, app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200).body] {
        assert_eq!(b["extraServices"], json!(["packing", "storage"]));
        assert_eq!(b["assembly"], false);
        assert_eq!(b["rooms"], json!({ "bedrooms": 2, "bathrooms": 1, "rooms": 1, "stairs": 1, "elevator": 0 }));
        assert_eq!((&b["pickup"]["category"], &b["dropoff"]["category"]), (&json!("apartment"), &json!("house")));
        assert!(b["lines"].to_string().contains("\"packing\"") && !b["lines"].to_string().contains("\"storage\""));
        assert!(b["lines"][0]["explanation"].as_str().unwrap().contains(" × "), "{}", b["lines"][0]);
        assert!(b.get("notes").is_none(), "a note to staff");
    }
    let noted = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    assert_eq!(noted["notes"], "Asked for, without a price on the rate card: Storage.");

    // Something else changes: what was wanted stays, and nothing is told twice.
    let edit = format!("/api/c/bookings/{id}");
    let moved = app.put(CUSTOMER, &edit, &json!({ "pickupFloor": 3 })).await.expect(200).body;
    assert_eq!((&moved["extraServices"], &moved["assembly"]), (&json!(["packing", "storage"]), &json!(false)));
    // Fewer services cost less; more of them are told.
    let less = app.put(CUSTOMER, &edit, &json!({ "extraServices": ["disposal"] })).await.expect(200).body;
    assert_eq!(cents(&moved["amount"]) - cents(&less["amount"]), 12_000);
    let rooms = app.put(CUSTOMER, &edit, &json!({ "rooms": { "bedrooms": 3 }, "pickupCategory": "condo" })).await;
    let rooms = rooms.expect(200).body;
    assert_eq!((&rooms["rooms"]["bedrooms"], &rooms["pickup"]["category"]), (&json!(3), &json!("condo")));
    assert_eq!(rooms["amount"], less["amount"]);
    let all = app.put(CUSTOMER, &edit, &json!({ "assembly": true })).await.expect(200).body;
    assert_eq!(all["assembly"], true);
    let noted = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    let told = noted["notes"].as_str().unwrap();
    assert_eq!((told.matches("Storage").count(), told.matches("Disposal").count()), (1, 1), "{told}");
    app.run_jobs().await;
}

#[actix_web::test]
async fn what_is_no_service_and_no_kind_of_place_is_refused() {
    let app = TestApp::new().await;
    let refused =
        app.post(GUEST, "/api/booking/estimate", &with(estimate(), json!({ "extraServices": ["cooking"] }))).await;
    assert_eq!(refused.expect(422).body["errors"][0]["field"], "extraServices[0]");
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    for (more, field) in [
        (json!({ "pickupCategory": "castle" }), "bookingRequest.pickupCategory"),
        (json!({ "rooms": { "bedrooms": 101 } }), "bookingRequest.rooms.bedrooms"),
    ] {
        let body = json!({ "bookingRequest": with(draft("2027-02-17", "09:00"), more) });
        let refused = app.post(CUSTOMER, "/api/bookings", &body).await.expect(422);
        assert_eq!(refused.body["errors"][0]["field"], field);
    }
}
