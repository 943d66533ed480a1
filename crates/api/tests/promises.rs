//! Small promises of the calls: who arrives when, whose province, whose name, and how far the example is.

use crate::support::{
    TestApp,
    people::{CUSTOMER, GUEST, OTHER},
    requests::draft,
};
use serde_json::json;

#[actix_web::test]
async fn the_record_says_when_the_crew_arrives() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    for (n, (time, from, until)) in [("08:00", "08:00", "09:00"), ("09:00", "08:30", "09:30")].into_iter().enumerate() {
        let body = json!({ "bookingRequest": draft(&format!("2027-02-{}", 17 + n), time) });
        let made = app.post(CUSTOMER, "/api/bookings", &body).await.expect(201).body;
        assert_eq!(made["arrivalWindow"], json!({ "from": from, "until": until }));
    }
    app.run_jobs().await;
}

#[actix_web::test]
async fn the_owner_reads_their_tip_under_both_paths() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let body =
        json!({ "bookingRequest": draft("2027-02-17", "09:00"), "tipRequest": { "type": "amount", "value": "20,50" } });
    let made = app.post(CUSTOMER, "/api/bookings", &body).await.expect(201).body;
    for id in [made["tip"]["id"].as_str().unwrap(), made["id"].as_str().unwrap()] {
        for path in ["/api/tip", "/api/c/tip"] {
            let path = format!("{path}/{id}");
            assert_eq!(app.get(CUSTOMER, &path).await.expect(200).body["amount"], "20.50");
            app.get(OTHER, &path).await.expect(404);
            app.get(GUEST, &path).await.expect(401);
        }
    }
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_province_that_does_not_exist_is_not_saved() {
    let app = TestApp::new().await;
    let saved =
        |province: &str, country: &str| json!({ "billingAddress": { "province": province, "country": country } });
    for country in ["Canada", "", "CA"] {
        let refused = app.put(CUSTOMER, "/api/profiles/", &saved("Narnia", country)).await.expect(422);
        assert_eq!(refused.body["errors"][0]["field"], "billingAddress.province");
    }
    for (told, kept) in [("qc", "QC"), ("Québec", "QC"), ("British Columbia", "BC"), ("安大略", "ON"), ("", "")] {
        let a = app.put(CUSTOMER, "/api/profiles/", &saved(told, "Canada")).await.expect(200).body;
        assert_eq!(a["billingAddress"]["province"], kept);
    }
    // Invoices may go abroad.
    let a = app.put(CUSTOMER, "/api/profiles/", &saved("Vermont", "United States")).await.expect(200).body;
    assert_eq!(a["billingAddress"]["province"], "Vermont");
}

#[actix_web::test]
async fn a_chinese_name_begins_with_the_family() {
    let app = TestApp::new().await;
    let named = |first: &str, last: &str| json!({ "firstName": first, "lastName": last });
    for (first, last, whole) in [("伟", "王", "王伟"), ("Wei", "Wang", "Wei Wang"), ("Wei", "王", "Wei 王")] {
        let a = app.put(CUSTOMER, "/api/profiles/", &named(first, last)).await.expect(200).body;
        assert_eq!(a["fullName"], whole);
    }
}

/// The two addresses the introduction tells people to type are a kilometre apart.
#[actix_web::test]
async fn the_example_of_the_introduction_is_a_short_way() {
    let app = TestApp::new().await;
    let mut ends = Vec::new();
    for (typed, area) in [("3550 Rue Jeanne-Mance, Montréal", "H2X"), ("1000 Rue Sherbrooke Ouest, Montréal", "H3A")]
    {
        let query = typed.replace(' ', "%20").replace('é', "%C3%A9").replace(',', "%2C");
        let found = app.get(GUEST, &format!("/api/geo/search?q={query}")).await.expect(200).body;
        let first = &found["data"][0];
        assert!(first["postalCode"].as_str().unwrap().starts_with(area), "{first}");
        ends.push(json!({ "lat": first["lat"], "lon": first["lon"] }));
    }
    let way = json!({ "pickup": ends[0], "dropoff": ends[1] });
    let way = app.post(GUEST, "/api/geo/route", &way).await.expect(200).body;
    assert!((500..3_500).contains(&way["distanceMeters"].as_u64().unwrap()), "{way}");
    assert!(way["durationSeconds"].as_u64().unwrap() <= 15 * 60, "{way}");
    assert_eq!((&way["pickup"]["city"], &way["warnings"]), (&json!("Montréal"), &json!([])));
}
