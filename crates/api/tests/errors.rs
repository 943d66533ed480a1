//! What a refusal looks like: problem+json, in three languages, with a request id.

use crate::support::{
    Options, TestApp,
    people::{CUSTOMER, GUEST},
    requests::{Answer, draft, estimate},
};
use reqwest::Method;
use serde_json::json;

#[actix_web::test]
async fn a_refused_field_is_named_in_three_languages() {
    let app = TestApp::new().await;
    let mut body = draft("2027-02-17", "09:00");
    body["pickup"].as_object_mut().unwrap().remove("postalCode");
    body["dropoff"]["street"] = json!("  ");
    let body = json!({ "bookingRequest": body });
    for (lang, header, message) in [
        ("", "en-CA", "Postal code is required."),
        ("", "fr-CA,fr;q=0.9,en;q=0.8", "Code postal est obligatoire."),
        ("?lang=zh", "fr", "请填写邮政编码。"),
    ] {
        let request = app.builder(CUSTOMER, Method::POST, &format!("/api/bookings{lang}")).await;
        let a =
            Answer::of(request.header("accept-language", header).json(&body).send().await.unwrap()).await.expect(422);
        assert_eq!(a.header("content-type"), "application/problem+json");
        assert_eq!(
            (a.code(), a.body["status"].as_u64(), a.body["type"].as_str()),
            ("validation_failed", Some(422), Some("/api/docs#validation_failed"))
        );
        let errors = a.body["errors"].as_array().unwrap();
        let of = |field: &str| {
            errors.iter().find(|e| e["field"] == field).unwrap_or_else(|| panic!("{field} in {}", a.text)).clone()
        };
        assert_eq!(
            of("bookingRequest.pickup.postalCode"),
            json!({ "field": "bookingRequest.pickup.postalCode", "code": "required", "message": message })
        );
        assert_eq!(of("bookingRequest.dropoff.street")["code"], "required");
        assert!(!a.body["title"].as_str().unwrap().is_empty() && !a.body["detail"].as_str().unwrap().is_empty());
    }
}

#[actix_web::test]
async fn bodies_are_refused_for_what_they_are() {
    let app = TestApp::new().await;
    let post = |body: &'static str, kind: &'static str| {
        let request = app.http.post(app.path("/api/booking/estimate")).header("content-type", kind).body(body);
        async move { Answer::of(request.send().await.unwrap()).await }
    };
    assert_eq!(post("{", "application/json").await.expect(400).code(), "malformed_request");
    assert_eq!(post("{}", "text/plain").await.expect(415).code(), "unsupported_media_type");
    assert_eq!(post("[1]", "application/json").await.expect(400).code(), "malformed_request");
    let empty = post("{}", "application/json; charset=utf-8").await.expect(422);
    assert_eq!(empty.body["errors"][0]["code"], "required");

    let big = json!({ "travelDuration": 1, "padding": "x".repeat(1_100_000) });
    assert_eq!(app.post(GUEST, "/api/booking/estimate", &big).await.expect(413).code(), "payload_too_large");

    for (field, value, status, code) in [
        ("mateCount", json!("two"), 400, "malformed_request"),
        ("mateCount", json!(2.5), 400, "malformed_request"),
        ("rideAlong", json!(1), 400, "malformed_request"),
        ("distanceKm", json!(12.4), 400, "malformed_request"),
        ("mateCount", json!(0), 422, "validation_failed"),
        ("mateCount", json!(21), 422, "validation_failed"),
        ("mateCount", json!(-1), 422, "validation_failed"),
        ("travelDuration", json!(-5), 422, "validation_failed"),
        ("moveKind", json!("teleport"), 422, "validation_failed"),
        ("movingDate", json!("2027-02-30"), 422, "validation_failed"),
        ("distanceKm", json!("far"), 422, "validation_failed"),
        ("locationDetails", json!([]), 422, "validation_failed"),
        (
            "selectedFurnitures",
            json!({ "furnitures": [{ "id": "no-such-thing", "quantity": 1 }] }),
            422,
            "validation_failed",
        ),
        (
            "selectedFurnitures",
            json!({ "furnitures": [{ "id": "nightstand", "quantity": 10_001 }] }),
            422,
            "validation_failed",
        ),
        ("pickupAddress", json!({ "province": "QC", "postalCode": "90210" }), 422, "validation_failed"),
    ] {
        let mut body = estimate();
        body[field] = value.clone();
        let a = app.post(GUEST, "/api/booking/estimate", &body).await;
        assert_eq!((a.status, a.code()), (status, code), "{field} = {value}: {}", a.text);
        assert!(a.body["errors"][0]["field"].as_str().unwrap().starts_with(field), "{field}: {}", a.text);
    }
    let mut more = estimate();
    more["somethingNew"] = json!({ "a": 1 });
    app.post(GUEST, "/api/booking/estimate", &more).await.expect(200);
}

#[actix_web::test]
async fn unknown_paths_and_methods() {
    let app = TestApp::new().await;
    for path in ["/api", "/api/", "/api/nothing", "/api/booking/estimate/x", "/identity/nothing", "/simulators/nothing"]
    {
        let a = app.get(GUEST, path).await;
        assert_eq!(
            (a.status, a.code(), a.header("content-type")),
            (404, "not_found", "application/problem+json"),
            "{path}"
        );
    }
    let a = app.get(GUEST, "/api/booking/estimate?lang=fr").await.expect(405);
    assert_eq!((a.code(), a.header("allow")), ("method_not_allowed", "POST"));
    assert!(a.body["detail"].as_str().unwrap().contains("n’accepte pas"));
    let a = app.send(GUEST, Method::DELETE, "/api/profiles/", None).await.expect(405);
    assert_eq!(a.header("allow"), "GET, HEAD, PUT");
    app.send(GUEST, Method::POST, "/locations", None).await.expect(405);
}

#[actix_web::test]
async fn every_answer_carries_its_id_and_its_guards() {
    let app = TestApp::new().await;
    for path in ["/api/config", "/api/nothing", "/healthz", "/somewhere"] {
        let a = app.get(GUEST, path).await;
        assert_eq!(a.header("x-request-id").len(), 36, "{path}");
        assert_eq!(a.header("x-content-type-options"), "nosniff", "{path}");
        assert!(a.header("content-security-policy").contains("default-src"), "{path}");
        assert!(!a.header("referrer-policy").is_empty() && !a.header("permissions-policy").is_empty(), "{path}");
    }
    let with = |id: &'static str| {
        let request = app.http.get(app.path("/api/config")).header("x-request-id", id);
        async move { Answer::of(request.send().await.unwrap()).await.header("x-request-id").to_owned() }
    };
    assert_eq!(with("my-own.id_1").await, "my-own.id_1");
    assert_ne!(with("with spaces and more").await, "with spaces and more");
}

#[actix_web::test]
async fn preconditions_and_keys() {
    let app = TestApp::new().await;
    let profile = app.get(CUSTOMER, "/api/profiles/").await.expect(200);
    assert_eq!(profile.header("etag"), "\"1\"");
    let put = async |version: &'static str| {
        let request = app.builder(CUSTOMER, Method::PUT, "/api/profiles/").await.header("if-match", version);
        Answer::of(request.json(&json!({ "gender": " x " })).send().await.unwrap()).await
    };
    let done = put("\"1\"").await.expect(200);
    assert_eq!((&done.body["gender"], &done.body["version"], done.header("etag")), (&json!("x"), &json!(2), "\"2\""));
    assert_eq!(put("\"1\"").await.expect(412).code(), "version_conflict");
    assert_eq!(put("\"abc\"").await.expect(412).code(), "version_conflict");
    app.put(CUSTOMER, "/api/profiles", &json!({ "occupation": "baker" })).await.expect(200);

    let key = "k".repeat(256);
    let request = app.builder(CUSTOMER, Method::POST, "/api/payment").await.header("idempotency-key", key);
    let a = Answer::of(request.json(&json!({ "paymentNonce": "fake-valid-nonce" })).send().await.unwrap())
        .await
        .expect(422);
    assert_eq!(a.body["errors"][0]["field"], "Idempotency-Key");
}

#[actix_web::test]
async fn who_calls_too_often_is_told_when_to_come_back() {
    let limits = api::Limits { sign_in: 3, ..api::Limits::default() };
    let app = TestApp::with(Options { limits, ..Options::default() }).await;
    let body = json!({ "email": "nobody@portage.test", "password": "something-long" });
    for _ in 0..3 {
        app.post(GUEST, "/identity/api/sign-in", &body).await.expect(401);
    }
    let a = app.post(GUEST, "/identity/api/sign-in?lang=zh", &body).await.expect(429);
    assert_eq!(a.code(), "too_many_requests");
    let seconds: u64 = a.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&seconds) && a.body["detail"].as_str().unwrap().contains(&seconds.to_string()));
    // Prices from this machine are not counted; somebody a proxy speaks for is.
    let limits = api::Limits { guest: 2, behind_proxy: true, ..api::Limits::default() };
    let app = TestApp::with(Options { limits, ..Options::default() }).await;
    for _ in 0..5 {
        app.get(GUEST, "/api/tax").await.expect(200);
    }
    let from = |ip: &'static str| {
        let request = app.http.get(app.path("/api/tax")).header("x-forwarded-for", ip);
        async move { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(
        [from("203.0.113.9").await, from("203.0.113.9").await, from("203.0.113.9").await, from("203.0.113.8").await],
        [200, 200, 429, 200]
    );
}
