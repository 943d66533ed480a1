//! What the contract's words say in places where a plausible answer would be a wrong one.

use crate::support::{
    TestApp,
    people::{CUSTOMER, GUEST, OTHER, PASSWORD, email},
    requests::{Answer, draft, estimate},
};
use reqwest::Method;
use serde_json::{Value, json};

const SPOKEN: [(&str, &str); 3] = [
    ("en", "Your card was declined. Please use another card."),
    ("fr", "Votre carte a été refusée"),
    ("zh", "您的银行卡"),
];

fn cents(v: &Value) -> i64 {
    v.as_str().and_then(|t| t.parse::<kernel::Money>().ok()).unwrap_or_else(|| panic!("{v} is no amount")).cents()
}

/// The bank's own words are English; a person reads ours.
#[actix_web::test]
async fn a_declined_card_is_told_in_the_persons_language() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    for (lang, text) in SPOKEN {
        app.post(GUEST, "/simulators/braintree/control", &json!({ "outcomes": ["hard_decline"] })).await.expect(200);
        let body = json!({ "bookingRequest": draft("2027-02-10", "09:00") });
        let a = app.post(CUSTOMER, &format!("/api/bookings?lang={lang}"), &body).await.expect(402);
        assert_eq!((a.code(), &a.body["reason"]), ("payment_declined", &json!("expired")), "2004");
        assert!(a.body["detail"].as_str().unwrap().starts_with(text), "{}", a.text);
    }
}

/// A price that changes after the deposit was taken leaves the deposit alone, wherever it is told.
#[actix_web::test]
async fn the_plan_after_the_deposit_agrees_with_the_payments() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let made = app
        .post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": draft("2027-02-17", "09:00") }))
        .await
        .expect(201)
        .body;
    let path = format!("/api/c/bookings/{}", made["id"].as_str().unwrap());
    app.clock.set("2027-02-09T14:00:01Z");
    app.run_jobs().await;
    // Access tokens live a quarter of an hour.
    let cookie = app.session(&email(CUSTOMER), PASSWORD).await;
    let token = app.token_answer(&cookie).await["access_token"].as_str().unwrap().to_owned();
    app.tokens.lock().unwrap().insert(CUSTOMER, token);
    let deposit = made["paymentPlan"]["charges"][0]["amount"].clone();
    for change in [json!({ "mateCount": 4, "rideAlong": true }), json!({ "mateCount": 2, "rideAlong": false })] {
        let told = app.post(CUSTOMER, &format!("{path}/preview"), &change).await.expect(200).body;
        let seen = app.put(CUSTOMER, &path, &change).await.expect(200).body;
        for plan in [&told["paymentPlan"], &seen["paymentPlan"]] {
            assert_eq!(
                (&plan["charges"][0]["kind"], &plan["charges"][0]["amount"]),
                (&json!("deposit"), &deposit),
                "{plan}"
            );
            assert_eq!(cents(&plan["charges"][1]["amount"]), cents(&seen["total"]) - cents(&deposit), "{plan}");
        }
        let open = seen["payments"].as_array().unwrap().iter().find(|p| p["kind"] == "balance").unwrap();
        assert_eq!(open["amount"], seen["paymentPlan"]["charges"][1]["amount"]);
        app.run_jobs().await;
        let cancel = app.get(CUSTOMER, &format!("{path}/cancellation")).await.expect(200).body;
        assert_eq!(cancel["kept"], seen["paymentPlan"]["cancellation"][1]["kept"]);
    }
}

/// An edit that is understood by nobody would change nothing and say so to nobody.
#[actix_web::test]
async fn an_edit_may_be_wrapped_as_a_booking_is() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let made = app
        .post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": draft("2027-02-17", "09:00") }))
        .await
        .expect(201)
        .body;
    let path = format!("/api/c/bookings/{}", made["id"].as_str().unwrap());
    for (n, body) in
        [json!({ "comments": "edit 0" }), json!({ "bookingRequest": { "comments": "edit 1" } })].into_iter().enumerate()
    {
        let seen = app.put(CUSTOMER, &path, &body).await.expect(200).body;
        assert_eq!(seen["comments"], format!("edit {n}"));
    }
    let cleared = app.put(CUSTOMER, &path, &json!({ "comments": "" })).await.expect(200).body;
    assert_eq!(cleared["comments"], "", "words are taken away as well");
    app.run_jobs().await;
}

#[actix_web::test]
async fn nobody_uses_another_customer_of_the_gateway() {
    let app = TestApp::new().await;
    let theirs = app.store_card(OTHER, "fake-valid-nonce").await.expect(200).body["customerId"].clone();
    let mine = app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200).body["customerId"].clone();
    let with = |id: Value| json!({ "paymentNonce": "fake-valid-mastercard-nonce", "customerId": id });
    assert_eq!(app.post(CUSTOMER, "/api/payment/card", &with(theirs)).await.expect(404).code(), "not_found");
    app.post(CUSTOMER, "/api/payment/card", &with(mine)).await.expect(200);
}

#[actix_web::test]
async fn a_hold_where_nobody_drives_says_so() {
    let app = TestApp::new().await;
    let hold = json!({ "date": "2027-02-17", "time": "09:00", "mateCount": 2, "duration": 150, "justMates": false,
        "pickupAddress": { "province": "NS", "city": "Halifax", "postalCode": "B3H 1A1" } });
    assert_eq!(app.post(GUEST, "/api/holds", &hold).await.expect(422).code(), "area_unserved");
}

/// What a hold kept is there for others the instant it lapses, whether or not a job has run.
#[actix_web::test]
async fn a_lapsed_hold_stands_in_nobodys_way() {
    let app = TestApp::new().await;
    app.only_one_crew().await;
    let hold = json!({ "date": "2027-02-17", "time": "09:00", "mateCount": 4, "duration": 150, "justMates": false,
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" } });
    app.post(GUEST, "/api/holds", &hold).await.expect(201);
    app.post(GUEST, "/api/holds", &hold).await.expect(409);
    app.clock.set("2027-02-08T14:15:01Z");
    app.post(GUEST, "/api/holds", &hold).await.expect(201);
    app.run_jobs().await;
}

#[actix_web::test]
async fn refusals_speak_the_language_and_the_wording_of_the_specification() {
    let app = TestApp::new().await;
    let mut wrong = estimate();
    wrong["travelDuration"] = json!("x");
    for (lang, text) in [("en", "could not be read"), ("fr", "n’a pas pu être lue"), ("zh", "无法读取")] {
        let a = app.post(GUEST, &format!("/api/booking/estimate?lang={lang}"), &wrong).await.expect(400);
        let detail = a.body["detail"].as_str().unwrap();
        assert!(detail.contains(text) && !a.text.contains("i64") && !a.text.contains("struct"), "{}", a.text);
        let a = app.get(GUEST, &format!("/api/geo/reverse?lang={lang}")).await.expect(422);
        assert_eq!(a.code(), "coordinates_unavailable");
    }
    let told = app.get(GUEST, "/api/geo/reverse").await.expect(422);
    assert_eq!(told.body["detail"], "coordinates unavailable, defaulting to Montreal.");

    for (end, text) in [("pickup", "Incomplete pickup details"), ("dropoff", "Incomplete dropoff details")] {
        let mut body = draft("2027-02-17", "09:00");
        body[end].as_object_mut().unwrap().remove("postalCode");
        let a = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": body })).await.expect(422);
        assert_eq!((a.code(), a.body["detail"].as_str()), ("validation_failed", Some(text)));
    }
    let mut none = estimate();
    none["travelDuration"] = json!(0);
    app.post(GUEST, "/api/booking/estimate", &none).await.expect(422);
}

#[actix_web::test]
async fn what_one_person_is_told_is_cached_by_nobody() {
    let app = TestApp::new().await;
    for path in ["/api/profiles/", "/api/bookings/previous"] {
        let request = app.builder(CUSTOMER, Method::GET, path).await;
        let a = Answer::of(request.send().await.unwrap()).await.expect(200);
        assert_eq!(a.header("cache-control"), "private, no-store", "{path}");
    }
}

/// What is compressed depends on the language and the person as much as what is not.
#[actix_web::test]
async fn compressed_answers_say_what_they_depend_on() {
    let app = TestApp::new().await;
    for encoding in ["gzip", "identity"] {
        let request = app.builder(GUEST, Method::GET, "/api/furniture").await.header("Accept-Encoding", encoding);
        let response = request.send().await.unwrap();
        assert_eq!(response.headers().contains_key("content-encoding"), encoding == "gzip");
        let varies: Vec<&str> =
            response.headers().get_all("vary").iter().flat_map(|v| v.to_str().unwrap().split(", ")).collect();
        for name in ["Accept-Language", "Authorization"] {
            assert!(varies.contains(&name), "{encoding}: {varies:?}");
        }
        assert_eq!(varies.contains(&"accept-encoding"), encoding == "gzip", "{varies:?}");
    }
}
