//! Prices, plans and the calendar over HTTP, as the contract fixes them.

use crate::support;

use serde_json::{Value, json};
use support::{Options, TestApp, people::GUEST, requests::estimate};

#[actix_web::test]
async fn the_example_of_the_contract_holds_to_the_cent() {
    let app = TestApp::new().await;
    let a = app.post(GUEST, "/api/booking/estimate", &estimate()).await.expect(200).body;
    for (field, want) in [
        ("amount", json!("389.00")),
        ("originalAmount", json!("389.00")),
        ("discount", json!("0.00")),
        ("currency", json!("CAD")),
        ("tax", json!("58.25")),
        ("taxType", json!("gst+qst")),
        ("total", json!("447.25")),
        ("discountCode", Value::Null),
        ("tier", json!(1)),
        ("duration", json!(150)),
        ("is_duration_within_limit", json!(true)),
        ("totalCubicFeet", json!("249.0")),
        ("bigItems", json!(0)),
        ("smallItems", json!(35)),
        ("warnings", json!([])),
        ("rateVersion", json!(1)),
    ] {
        assert_eq!(a[field], want, "{field}");
    }
    assert_eq!(
        a["taxComponents"],
        json!([{ "name": "gst", "rate": "0.05", "amount": "19.45" }, { "name": "qst", "rate": "0.09975", "amount": "38.80" }])
    );
    assert_eq!(
        a["lines"][0],
        json!({ "type": "regular", "code": "labour", "description": "2 mates × 2 h 30", "quantity": "2.50", "unit": "hour",
                "unitPrice": "118.00", "multiplier": "1.00", "ownFactor": "1.00", "dateFactor": "1.00", "period": "base",
                "amount": "295.00", "explanation": "2\u{a0}h\u{a0}30\u{a0}min × $118.00 per hour (2 mates) = $295.00." })
    );
    let sum: i64 = a["lines"].as_array().unwrap().iter().map(|l| cents(&l["amount"])).sum();
    assert_eq!(sum, cents(&a["amount"]));
}

fn cents(v: &Value) -> i64 {
    v.as_str().unwrap().parse::<kernel::Money>().unwrap().cents()
}

/// All worked examples, through the wire.
#[actix_web::test]
async fn the_golden_examples_hold_over_http() {
    let app = TestApp::new().await;
    let all: Value = serde_json::from_str(include_str!("../../../fixtures/golden-examples.json")).unwrap();
    let examples = all["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 20);
    let mut priced = 0;
    for example in examples {
        let (name, input, output) = (&example["name"], &example["input"], &example["output"]);
        let code = support::golden::discount(&app, example).await;
        let Some(body) = support::golden::request(input, code.as_deref()) else { continue };
        priced += 1;
        let a = app.post(GUEST, "/api/booking/estimate", &body).await;
        assert_eq!(a.status, 200, "{name}: {}", a.text);
        support::golden::compare(name, &a.body, output);
    }
    assert!(priced >= 19, "{priced}");
}

#[actix_web::test]
async fn lines_speak_the_callers_language() {
    let app = TestApp::new().await;
    for (lang, text) in [("fr", "2 aidants × 2 h 30"), ("zh", "2 名帮手 × 2 小时 30 分钟"), ("en", "2 mates × 2 h 30")]
    {
        let a = app.post(GUEST, &format!("/api/booking/estimate?lang={lang}"), &estimate()).await.expect(200);
        assert_eq!(a.body["lines"][0]["description"], text);
    }
}

/// Whatever day it is today: nobody is asked a Saturday's price before they chose a Saturday.
#[actix_web::test]
async fn until_a_day_is_chosen_it_is_an_ordinary_one() {
    let saturday = "2027-07-03T15:00:00Z".parse().unwrap();
    let app = TestApp::with(Options { start: saturday, ..Options::default() }).await;
    let (mut none, mut tuesday, mut today) = (estimate(), estimate(), estimate());
    none.as_object_mut().unwrap().remove("movingDate");
    tuesday["movingDate"] = json!("2027-11-09");
    today["movingDate"] = json!("2027-07-03");
    let mut prices = Vec::new();
    for body in [none, tuesday, today] {
        let a = app.post(GUEST, "/api/booking/estimate", &body).await.expect(200).body;
        prices.push(cents(&a["amount"]));
    }
    assert_eq!(prices[0], prices[1]);
    assert!(prices[2] > prices[0], "{prices:?}");
}

#[actix_web::test]
async fn a_code_is_applied_or_left_out_and_said_so() {
    let app = TestApp::new().await;
    let mut body = estimate();
    body["discountCode"] = json!("welcome10");
    let a = app.post(GUEST, "/api/booking/estimate", &body).await.expect(200).body;
    assert_eq!(
        (&a["discount"], &a["amount"], &a["discountCode"]),
        (&json!("38.90"), &json!("350.10"), &json!("WELCOME10"))
    );
    body["discountCode"] = json!("NOPE");
    let a = app.post(GUEST, "/api/booking/estimate", &body).await.expect(200).body;
    assert_eq!(
        (&a["amount"], &a["discountRefused"], &a["discountCode"]),
        (&json!("389.00"), &json!(true), &Value::Null)
    );

    let found = app
        .post(GUEST, "/api/discount", &json!({ "discountCode": " Welcome10 ", "bookingDate": "2027-02-17" }))
        .await
        .expect(200)
        .body;
    assert_eq!(
        found,
        json!({ "code": "WELCOME10", "kind": "percent", "value": "10.00", "validFrom": "2026-01-01", "validUntil": "2028-12-31" })
    );
    for body in [
        json!({ "discountCode": "NOPE", "bookingDate": "2027-02-17" }),
        json!({ "discountCode": "WELCOME10", "bookingDate": "2029-02-17" }),
    ] {
        let refused = app.post(GUEST, "/api/discount?lang=fr", &body).await.expect(404);
        assert_eq!(refused.code(), "discount_not_found");
        assert_eq!(refused.body["detail"], "Le code de réduction n’existe pas ou est déjà expiré!");
    }
}

#[actix_web::test]
async fn durations_warn_about_the_crew() {
    let app = TestApp::new().await;
    let mut body = estimate();
    body["selectedFurnitures"] = json!({ "furnitures": [{ "id": "couch-3-seats", "quantity": 1 }] });
    body["mateCount"] = json!(1);
    let a = app.post(GUEST, "/api/booking/duration", &body).await.expect(200).body;
    assert_eq!(
        a["warnings"],
        json!([{ "code": "heavy_item_single_mate", "items": [{ "id": "couch-3-seats", "name": "Couch, 3 seats" }] }])
    );
    assert!(a["duration"].as_u64().unwrap() > 0 && a["is_duration_within_limit"] == true);
}

#[actix_web::test]
async fn plans_and_taxes_and_rates() {
    let app = TestApp::new().await;
    let plan = json!({ "total": "574.88", "moveAt": "2027-02-17T14:00:00Z", "bookedAt": "2027-02-08T14:00:00Z" });
    let a = app.post(GUEST, "/api/booking/payment-plan", &plan).await.expect(200).body;
    assert_eq!(a["mode"], "split");
    assert_eq!(a["charges"][0], json!({ "kind": "deposit", "dueAt": "2027-02-09T14:00:00Z", "amount": "114.98" }));
    assert_eq!(a["charges"][1], json!({ "kind": "balance", "dueAt": "2027-02-15T14:00:00Z", "amount": "459.90" }));
    assert_eq!(a["cancellation"][0]["kept"], "0.00");
    assert_eq!(
        a["cancellation"][2],
        json!({ "from": "2027-02-15T14:00:00Z", "until": null, "untilInclusive": false, "kept": "574.88" })
    );
    assert_eq!(a["zone"], "America/Toronto");
    app.post(GUEST, "/api/booking/payment-plan", &json!({ "total": "-1.00", "moveAt": "2027-02-17T14:00:00Z" }))
        .await
        .expect(422);

    let qc = app.get(GUEST, "/api/tax?province=QC").await.expect(200).body;
    assert_eq!((&qc["type"], &qc["rate"]), (&json!("gst+qst"), &json!("0.14975")));
    assert_eq!(app.get(GUEST, "/api/tax?province=ON").await.expect(200).body["rate"], "0.13");
    assert_eq!(app.get(GUEST, "/api/tax?province=NS").await.expect(422).code(), "province_not_served");
    assert_eq!(app.get(GUEST, "/api/tax?province=XX").await.expect(422).body["errors"][0]["field"], "province");

    let rate = app.get(GUEST, "/api/rates/active").await.expect(200).body;
    assert_eq!((&rate["name"], &rate["rates"]["default"]["first_mate_hourly"]), (&json!("standard"), &json!("80.00")));
    assert_eq!((&rate["firstMoverRate"], &rate["additionalMoversRate"]), (&json!("80.00"), &json!("38.00")));
    assert_eq!(app.get(GUEST, "/api/rates/active?name=standard").await.expect(200).body["version"], 1);
    app.get(GUEST, "/api/rates/active?name=other").await.expect(404);
    let settings = app.get(GUEST, "/api/geo/settings?lang=fr").await.expect(200).body;
    assert_eq!(
        (&settings["province"], &settings["timezone"], settings["locations"].as_array().unwrap().len()),
        (&json!("QC"), &json!("America/Toronto"), 4)
    );
}

#[actix_web::test]
async fn the_calendar_and_holds() {
    let app = TestApp::new().await;
    app.only_one_crew().await;
    let query = "date=2027-02-17&days=3&mateCount=2&duration=150&justMates=false&province=QC&city=Montr%C3%A9al&postalCode=H2X%201Y4";
    let a = app.get(GUEST, &format!("/api/availability?{query}")).await.expect(200).body;
    assert_eq!(
        (&a["zone"], &a["hub"], a["days"].as_array().unwrap().len()),
        (&json!("America/Toronto"), &json!("montreal"), 3)
    );
    let nine = a["days"][0]["slots"].as_array().unwrap().iter().find(|s| s["time"] == "09:00").unwrap().clone();
    assert_eq!(nine, json!({ "time": "09:00", "startsAt": "2027-02-17T14:00:00Z", "available": true }));

    let hold = json!({ "date": "2027-02-17", "time": "09:00", "mateCount": 4, "duration": 150, "justMates": false,
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" } });
    let request = |key: &'static str| app.http.post(app.path("/api/holds")).header("idempotency-key", key).json(&hold);
    let made = support::requests::Answer::of(request("k1").send().await.unwrap()).await.expect(201);
    assert_eq!(made.body["startsAt"], "2027-02-17T14:00:00Z");
    assert_eq!(made.body["expiresAt"], "2027-02-08T14:15:00Z");
    // A key is this browser's own: its cookie comes back with it.
    let browser = made.header("set-cookie").split(';').next().unwrap().to_owned();
    let again = request("k1").header("cookie", browser);
    let again = support::requests::Answer::of(again.send().await.unwrap()).await.expect(201);
    assert_eq!((again.header("idempotency-replayed"), &again.body["id"]), ("true", &made.body["id"]));
    let lost = support::requests::Answer::of(request("k2").send().await.unwrap()).await.expect(409);
    assert_eq!(
        (lost.code(), lost.body["detail"].as_str().unwrap()),
        ("slot_gone", "The time you are booking is not available anymore. Please schedule another time.")
    );
    let after = app.get(GUEST, &format!("/api/availability?{query}")).await.expect(200).body;
    let nine = after["days"][0]["slots"].as_array().unwrap().iter().find(|s| s["time"] == "09:00").unwrap();
    assert_eq!(nine["available"], false);
    let id = made.body["id"].as_str().unwrap();
    app.send(GUEST, reqwest::Method::DELETE, &format!("/api/holds/{id}"), None).await.expect(204);
    support::requests::Answer::of(request("k3").send().await.unwrap()).await.expect(201);
    for (bad, status) in [
        ("days=43&province=QC", 422),
        ("days=x&province=QC", 400),
        ("days=7", 422),
        ("province=QC&date=2027-02-30", 422),
        ("province=QC&justMates=maybe", 400),
    ] {
        app.get(GUEST, &format!("/api/availability?{bad}")).await.expect(status);
    }
    app.run_jobs().await;
}

#[actix_web::test]
async fn furniture_and_settings() {
    let app = TestApp::new().await;
    let f = app.get(GUEST, "/api/furniture").await.expect(200).body;
    assert_eq!((f["data"].as_array().unwrap().len(), f["presets"].as_array().unwrap().len()), (159, 4));
    let couch = f["data"].as_array().unwrap().iter().find(|i| i["id"] == "couch-3-seats").unwrap();
    assert_eq!(
        (&couch["cubicFeet"], &couch["weightClass"], &couch["big"], &couch["category"]),
        (&json!("50.0"), &json!("heavy"), &json!(true), &json!("living-room"))
    );
    assert_eq!(couch["words"]["fr"][0], "sofa");
    assert_eq!(f["presets"][0]["cubicFeet"], "249.0");
    let rooms: Vec<_> = f["rooms"].as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect();
    assert_eq!((rooms, &f["rooms"][1]["items"][0]["id"]), (vec!["bedroom", "office", "garage"], &json!("desk-medium")));
    let c = app.get(GUEST, "/api/config").await.expect(200).body;
    assert_eq!(
        (&c["mode"], &c["clientId"], &c["payments"]["provider"], &c["chat"]["provider"]),
        (&json!("demo"), &json!("portage-web"), &json!("simulator"), &json!("none"))
    );
    assert_eq!(c["issuer"], format!("{}/identity", app.url));
}

#[actix_web::test]
async fn addresses_are_found_and_routed() {
    let app = TestApp::new().await;
    let found = app.get(GUEST, "/api/geo/search?q=1200%20rue%20peel%20montreal&lang=fr").await.expect(200).body;
    let first = &found["data"][0];
    assert_eq!(
        (&first["province"], &first["served"], &first["area"]),
        (&json!("QC"), &json!(true), &json!("greater-montreal")),
        "{found}"
    );
    let at =
        app.get(GUEST, &format!("/api/geo/reverse?lat={}&lon={}", first["lat"], first["lon"])).await.expect(200).body;
    assert_eq!(at["province"], "QC");
    let halifax = app.get(GUEST, "/api/geo/reverse?lat=44.65&lon=-63.58").await.expect(422);
    assert_eq!(
        (halifax.code(), halifax.body["detail"].as_str().unwrap()),
        ("province_not_served", "Province not serviceable yet, defaulting to Quebec")
    );
    let way = json!({ "pickup": { "lat": 45.5128, "lon": -73.5716 }, "dropoff": { "lat": 45.478, "lon": -73.585 } });
    let way = app.post(GUEST, "/api/geo/route", &way).await.expect(200).body;
    assert!(way["durationSeconds"].as_u64().unwrap() > 60 && way["geometry"]["type"] == "LineString", "{way}");
    assert_eq!(
        (&way["warnings"], &way["pickup"]["province"], &way["dropoff"]["city"]),
        (&json!([]), &json!("QC"), &json!("Montréal"))
    );
    for (dropoff, warning) in [
        (json!({ "lat": 45.5128, "lon": -73.5716 }), "same_place"),
        (json!({ "lat": 46.8139, "lon": -71.2080 }), "long_distance"),
        (json!({ "lat": 49.2827, "lon": -123.1207 }), "too_far"),
    ] {
        let way = json!({ "pickup": { "lat": 45.5128, "lon": -73.5716 }, "dropoff": dropoff });
        let way = app.post(GUEST, "/api/geo/route", &way).await.expect(200).body;
        assert_eq!(way["warnings"], json!([warning]));
    }
    let ocean = json!({ "pickup": { "lat": 45.5128, "lon": -73.5716 }, "dropoff": { "lat": 48.85, "lon": 2.35 } });
    assert_eq!(app.post(GUEST, "/api/geo/route", &ocean).await.expect(422).code(), "no_route");
    app.get(GUEST, "/api/geo/search").await.expect(422);
    app.get(GUEST, "/api/geo/reverse?lat=91&lon=0").await.expect(422);
    app.get(GUEST, "/api/geo/reverse?lat=here&lon=0").await.expect(400);
}
