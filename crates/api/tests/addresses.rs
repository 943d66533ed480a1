//! What becomes of honest addresses: a quarter for a city, and the apartment of a house.

use crate::support::{
    TestApp,
    people::{CUSTOMER, GUEST},
    places::{self, DAY, found, honest, point},
    requests::draft,
};
use kernel::BookingId;
use serde_json::{Value, json};
use service::ports::Unit;

const FROM: &str = "3550 Rue Jeanne-Mance, Montréal, QC";
const NEAR: &str = "1200 Rue Peel, Montréal, QC";

/// Nobody reads a city that does not exist: the town of the postal code stands there.
#[actix_web::test]
async fn a_city_that_nobody_knows_is_the_town_of_its_postal_code() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let (from, to) = (found(&app, FROM).await, found(&app, NEAR).await);
    for (n, typed) in ["Nowhere-sur-Mer", "Mile End", "Montréal, QC"].into_iter().enumerate() {
        let mut d = honest(&from, &to);
        d["date"] = json!(format!("2027-02-{}", 16 + n));
        d["dropoff"]["city"] = json!(typed);
        let made = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": d })).await.expect(201).body;
        assert_eq!(made["dropoff"]["city"], "Montréal", "{typed}");
        let line = made["dropoff"]["fullAddress"].as_str().unwrap();
        assert!(line.contains(", Montréal, QC") && !line.contains(&format!("{typed}, QC")), "{line}");
    }
    app.run_jobs().await;
}

/// The apartment belongs to its house: an edit keeps it with the same address, takes the new one, and does not carry
/// it to another house.
#[actix_web::test]
async fn an_apartment_stays_with_its_house() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let [from, near, other] = [found(&app, FROM).await, found(&app, NEAR).await, found(&app, FROM).await];
    let mut d = honest(&from, &near);
    d["dropoffAptUnit"] = json!("9");
    let made = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": d })).await.expect(201).body;
    let own = format!("/api/c/bookings/{}", made["id"].as_str().unwrap());
    let unit = async |address: &Value, unit: Option<&str>| {
        let mut dropoff = places::address(address);
        dropoff.as_object_mut().unwrap().remove("unit");
        if let Some(unit) = unit {
            dropoff["unit"] = json!(unit);
        }
        let body = json!({ "bookingRequest": { "dropoff": dropoff, "dropoffCoords": point(address) } });
        let seen = app.put(CUSTOMER, &own, &body).await.expect(200).body;
        seen["dropoff"]["unit"].as_str().unwrap().to_owned()
    };
    assert_eq!(unit(&near, None).await, "9", "the same house");
    assert_eq!(unit(&near, Some("77")).await, "77");
    assert_eq!(unit(&other, None).await, "", "another house");
    app.run_jobs().await;
}

/// A time is held at the hub of a place that agrees with itself, and used there only.
#[actix_web::test]
async fn holds_do_not_believe_forged_places() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let hold = |address: Value| json!({ "date": DAY, "time": "09:00", "mateCount": 2, "duration": 240, "justMates": false, "pickupAddress": address });
    for (forged, field) in [
        (
            json!({ "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4", "lat": 43.65, "lon": -79.38 }),
            "pickupAddress.lat",
        ),
        (json!({ "province": "QC", "city": "Montréal", "lat": 46.81, "lon": -71.21 }), "pickupAddress.lat"),
        (json!({ "province": "ON", "city": "Toronto", "postalCode": "H2X 1Y4" }), "pickupAddress.postalCode"),
        (json!({ "province": "QC", "city": "Québec", "postalCode": "H2X 1Y4" }), "pickupAddress.postalCode"),
    ] {
        let a = app.post(GUEST, "/api/holds", &hold(forged.clone())).await.expect(422);
        assert_eq!(a.body["errors"][0]["field"], field, "{forged}: {}", a.text);
    }
    // A good hold of Toronto does not serve a booking in Montréal.
    let toronto = app
        .post(GUEST, "/api/holds", &hold(json!({ "province": "ON", "city": "Toronto", "postalCode": "M5V 2T6" })))
        .await
        .expect(201);
    let mut d = draft(DAY, "09:00");
    d["holdId"] = toronto.body["id"].clone();
    let booked = app.post(CUSTOMER, "/api/book", &d).await.expect(201);
    let id = BookingId(booked.body["id"].as_str().unwrap().parse().unwrap());
    let hub = move |u: &mut dyn Unit| Ok::<_, service::Error>(u.capacities().hold_of_booking(id)?.unwrap().hub);
    let used: String = app.services.store.read(hub).await.unwrap();
    assert_eq!(used, "montreal");
    app.run_jobs().await;
}
