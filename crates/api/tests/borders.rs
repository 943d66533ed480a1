//! Values no database should ever see: the two engines differ in what they can store, so the door
//! refuses what only one of them takes. Whatever is sent, nobody meets a server error.

use crate::support::{
    Options, TestApp,
    people::{CUSTOMER, GUEST, OPS, PASSWORD},
    requests::{Answer, draft, estimate},
};
use futures_util::{FutureExt, StreamExt, stream};
use kernel::Language;
use reqwest::Method;
use serde_json::{Value, json};
use service::ports::{StoreError, capacity::DayCapacity};
use store::testing::TestDb;

/// Room for every booking that one of the odd values does not stop.
async fn app_on(db: TestDb) -> TestApp {
    let limits = api::Limits { sign_in: 100_000, token: 100_000, ..api::Limits::default() };
    let mut app = TestApp::with(Options { db: Some(db), people: &[CUSTOMER, OPS], limits, ..Options::default() }).await;
    let plenty = DayCapacity { mates: 100_000, trucks: [100_000; 3] };
    let written: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| (0..7).try_for_each(|weekday| u.capacities().set_default("montreal", weekday, plenty)))
        .await;
    written.unwrap();
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    app.token(OPS).await;
    app.leave_jobs();
    app
}

struct Call {
    who: &'static str,
    method: Method,
    path: String,
    body: Value,
}

fn call(who: &'static str, method: Method, path: impl Into<String>, body: Value) -> Call {
    Call { who, method, path: path.into(), body }
}

/// Every call with a body whose texts are kept or looked up.
async fn calls(app: &TestApp) -> Vec<Call> {
    let made = app
        .post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": draft("2027-02-17", "09:00") }))
        .await
        .expect(201);
    let id = made.body["id"].as_str().unwrap();
    let mut full = draft("2027-02-17", "09:00");
    full["selectedFurnitures"] = json!([{ "id": "nightstand", "quantity": 1 }]);
    for (name, value) in [
        ("pickupAptUnit", json!("3")),
        ("pickupAccessibility", json!("easy")),
        ("pickupDetails", json!("buzzer 3")),
        ("discountCode", json!("WELCOME10")),
        ("guidelinesVersion", json!("1")),
        ("policyVersion", json!("1")),
        ("survey", json!({ "source": "other", "specify": "a friend" })),
        ("holdId", json!("01900000-0000-7000-8000-000000000000")),
        ("language", json!("fr")),
        ("phone", json!("514-555-0101")),
    ] {
        full[name] = value;
    }
    let mut price = estimate();
    price["selectedFurnitures"] = json!({ "furnitures": [{ "id": "nightstand", "quantity": 1 }] });
    price["discountCode"] = json!("WELCOME10");
    price["moveKind"] = json!("residential");
    let address = json!({ "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4", "lat": 45.5, "lon": -73.6 });
    let names = json!({ "firstName": "A", "lastName": "B", "phone": "514-555-0101", "gender": "x", "occupation": "baker", "language": "en",
        "billingAddress": { "unit": "1", "streetName": "Rue Peel", "aptUnit": "2", "city": "Montréal", "postalCode": "H2X 1Y4", "province": "QC", "country": "Canada" } });
    let (post, put) = (Method::POST, Method::PUT);
    vec![
        call(GUEST, post.clone(), "/api/booking/estimate", price),
        call(GUEST, post.clone(), "/api/discount", json!({ "discountCode": "WELCOME10", "bookingDate": "2027-02-17" })),
        call(
            GUEST,
            post.clone(),
            "/api/booking/payment-plan",
            json!({ "total": "574.88", "moveAt": "2027-02-17T14:00:00Z", "bookedAt": "2027-02-08T14:00:00Z", "province": "QC" }),
        ),
        call(
            GUEST,
            post.clone(),
            "/api/holds",
            json!({ "date": "2027-02-17", "time": "09:00", "mateCount": 2, "duration": 150, "justMates": false, "tier": 1,
            "pickupAddress": address, "dropoffAddress": address, "replaces": "01900000-0000-7000-8000-000000000000" }),
        ),
        call(
            GUEST,
            post.clone(),
            "/api/geo/route",
            json!({ "pickup": { "lat": 45.5, "lon": -73.6 }, "dropoff": { "lat": 45.4, "lon": -73.5 } }),
        ),
        call(CUSTOMER, post.clone(), "/api/payment", json!({ "userId": "", "paymentNonce": "fake-valid-nonce" })),
        call(
            CUSTOMER,
            post.clone(),
            "/api/payment/card",
            json!({ "paymentNonce": "fake-valid-nonce", "customerId": "x" }),
        ),
        call(
            CUSTOMER,
            post,
            "/api/bookings",
            json!({ "bookingRequest": full, "tipRequest": { "type": "amount", "value": "20,50" } }),
        ),
        call(CUSTOMER, put.clone(), format!("/api/c/bookings/{id}"), full.clone()),
        call(CUSTOMER, put.clone(), format!("/api/tip/{id}"), json!({ "type": "amount", "value": "20,50" })),
        call(CUSTOMER, put.clone(), "/api/profiles/", names),
        call(
            OPS,
            put.clone(),
            format!("/api/bookings/{id}"),
            json!({ "booking": full, "notes": "n", "amount": "300.00" }),
        ),
        call(
            OPS,
            put,
            format!("/api/bookings/status/{id}"),
            json!({ "status": "assigned", "language": "en", "reason": "because", "paymentReference": "x" }),
        ),
    ]
}

/// Pointers to every value of a body that is not a list or an object.
fn leaves(v: &Value, at: &str, out: &mut Vec<String>) {
    match v {
        Value::Object(map) => map.iter().for_each(|(k, v)| leaves(v, &format!("{at}/{k}"), out)),
        Value::Array(list) => list.iter().enumerate().for_each(|(i, v)| leaves(v, &format!("{at}/{i}"), out)),
        _ => out.push(at.to_owned()),
    }
}

/// The body with the literal at the pointer, spelled as given: not all of them are JSON.
fn with_literal(body: &Value, pointer: &str, literal: &str) -> String {
    let mut changed = body.clone();
    *changed.pointer_mut(pointer).unwrap() = json!("@@here@@");
    changed.to_string().replace("\"@@here@@\"", literal)
}

async fn send(app: &TestApp, call: &Call, body: String) -> Answer {
    let version = if call.who == OPS {
        app.get(OPS, &call.path.replace("/status", "")).await.header("etag").to_owned()
    } else {
        String::new()
    };
    let request =
        app.builder(call.who, call.method.clone(), &call.path).await.header("content-type", "application/json");
    let request = if version.is_empty() { request } else { request.header("if-match", version) };
    Answer::of(request.body(body).send().await.unwrap()).await
}

fn odd_literals() -> Vec<String> {
    let texts = [
        r"\u0000",
        r"a\u0000b",
        r"\ud800",
        r"\udc00\ud800",
        r"\udbff\udfff",
        r"\ufeff\u202e\u2028\uffff",
        "+12345-01-01",
        "-0044-03-15",
        "0000-01-01",
        "99999-01-01",
        "+262142-12-31",
        "-262143-01-01",
        "9999-12-31",
        "+12345-01-01T00:00:00Z",
        "-0044-03-15T00:00:00Z",
        "9999-12-31T23:59:60Z",
        "+262142-12-31T23:59:59Z",
        "92233720368547758.08",
        "-92233720368547758.08",
        "99999999999999999999.00",
        "1e400",
        "NaN",
        "-0.00",
        "inf",
        "%",
        "'; --",
    ];
    let numbers = [
        "1e400",
        "-1e400",
        "1e308",
        "-0.0",
        "2147483648",
        "-2147483649",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "18446744073709551616",
        "99999999999999999999999999",
        "NaN",
        "Infinity",
        "1e-400",
    ];
    let quoted =
        texts.into_iter().map(str::to_owned).chain(["x".repeat(300_000), "9".repeat(400)]).map(|t| format!("\"{t}\""));
    quoted.chain(numbers.map(str::to_owned)).collect()
}

async fn odd_bodies(db: TestDb) {
    let app = app_on(db).await;
    let calls = calls(&app).await;
    let literals = odd_literals();
    let mut tries = Vec::new();
    for call in &calls {
        let mut pointers = Vec::new();
        leaves(&call.body, "", &mut pointers);
        for pointer in pointers {
            tries.extend(literals.iter().map(|l| (call, pointer.clone(), l.as_str())));
        }
    }
    let app = &app;
    let done = stream::iter(tries).map(|(call, pointer, literal)| async move {
        let a = send(app, call, with_literal(&call.body, &pointer, literal)).await;
        let shown = &literal[..literal.len().min(40)];
        (a.status >= 500 || (literal.contains(r"\u0000") && a.status != 422))
            .then(|| format!("{} {pointer} = {shown}: {}", call.path, a.text))
    });
    let bad: Vec<String> = done.buffer_unordered(8).filter_map(std::future::ready).collect().await;
    assert!(bad.is_empty(), "{} of them:\n{}", bad.len(), bad.join("\n"));
}

#[actix_web::test]
async fn no_body_makes_a_server_error_on_sqlite() {
    odd_bodies(TestDb::sqlite()).boxed_local().await;
}

#[actix_web::test]
async fn no_body_makes_a_server_error_on_postgres() {
    odd_bodies(TestDb::postgres()).boxed_local().await;
}

/// Every query parameter of every documented GET, and ids in paths.
async fn odd_queries(db: TestDb) {
    let app = app_on(db).await;
    let document = api::openapi::document();
    let odd = [
        "%00",
        "a%00b",
        "%ED%A0%80",
        "%FF",
        "%",
        "%EF%BF%BF",
        "%2B12345-01-01",
        "-0044-03-15",
        "0000-01-01",
        "%2B262142-12-31",
        "-262143-01-01",
        "9999-12-31",
        "1e400",
        "NaN",
        "inf",
        "-1",
        "9223372036854775807",
        "9223372036854775808",
        "-0",
    ];
    let long = "x".repeat(5_000);
    let mut paths = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        if item["get"].is_null() {
            continue;
        }
        let names: Vec<&str> = item["get"]["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|p| p["in"] == "query")
            .map(|p| p["name"].as_str().unwrap())
            .collect();
        for odd in odd.iter().chain([&long.as_str()]) {
            if path.contains("{id}") {
                paths.push(path.replace("{id}", odd));
            }
            for name in &names {
                let others =
                    "date=2027-02-17&province=QC&postalCode=H2X%201Y4&q=rue&lat=45.5&lon=-73.6&client_id=portage-web";
                let others: Vec<&str> = others.split('&').filter(|p| !p.starts_with(&format!("{name}="))).collect();
                let path = path.replace("{id}", "01900000-0000-7000-8000-000000000000").replace("{hub}", "montreal");
                let path = path.replace("{messageType}", "welcome").replace("{language}", "en");
                paths.push(format!("{path}?{}&{name}={odd}", others.join("&")));
            }
        }
    }
    assert!(paths.len() > 300, "{}", paths.len());
    let app = &app;
    let done = stream::iter(paths).map(|path| async move {
        let a = app.get(OPS, &path).await;
        let wrong = a.status >= 500 || (path.contains('?') && path.contains("%00") && ![400, 422].contains(&a.status));
        wrong.then(|| format!("{}: {} {}", &path[..path.len().min(200)], a.status, a.text))
    });
    let bad: Vec<String> = done.buffer_unordered(8).filter_map(std::future::ready).collect().await;
    assert!(bad.is_empty(), "{} of them:\n{}", bad.len(), bad.join("\n"));
}

#[actix_web::test]
async fn no_query_makes_a_server_error_on_sqlite() {
    odd_queries(TestDb::sqlite()).boxed_local().await;
}

#[actix_web::test]
async fn no_query_makes_a_server_error_on_postgres() {
    odd_queries(TestDb::postgres()).boxed_local().await;
}

/// The forms of sign-in, as JSON and as OAuth sends them.
async fn odd_forms(db: TestDb) {
    let app = app_on(db).await;
    let up = json!({ "email": "new@portage.test", "password": PASSWORD, "firstName": "New", "lastName": "Tester", "language": "en", "phone": "514-555-0101", "returnTo": "/", "termsAccepted": true });
    for (path, body) in [
        ("/identity/api/sign-up", up),
        (
            "/identity/api/sign-in",
            json!({ "email": "customer@portage.test", "password": "wrong-but-long", "returnTo": "/" }),
        ),
        ("/identity/api/forgot-password", json!({ "email": "customer@portage.test" })),
        ("/identity/api/reset-password", json!({ "token": "abc", "password": PASSWORD })),
    ] {
        let mut pointers = Vec::new();
        leaves(&body, "", &mut pointers);
        for pointer in pointers {
            for literal in [r#""a\u0000b@portage.test""#, r#""\ud800""#, "1e400"] {
                let call = call(GUEST, Method::POST, path, body.clone());
                let a = send(&app, &call, with_literal(&body, &pointer, literal)).await;
                assert!(
                    a.status < 500 && (a.status == 422 || !literal.contains(r"\u0000")),
                    "{path} {pointer} {literal}: {} {}",
                    a.status,
                    a.text
                );
            }
        }
    }
    let names = [
        "grant_type",
        "client_id",
        "code",
        "code_verifier",
        "redirect_uri",
        "refresh_token",
        "client_secret",
        "scope",
        "token",
        "state",
        "nonce",
        "id_token_hint",
    ];
    for path in ["/identity/token", "/identity/revoke", "/identity/authorize", "/identity/end_session"] {
        for name in names {
            let form = format!("grant_type=refresh_token&client_id=portage-web&refresh_token=x&token=x&{name}=a%00b");
            let request =
                app.http.post(app.path(path)).header("content-type", "application/x-www-form-urlencoded").body(form);
            let a = Answer::of(request.send().await.unwrap()).await;
            assert_eq!(a.status, 400, "{path} {name}: {}", a.text);
        }
        // base64 of "a\0:b\0"
        let request = app
            .http
            .post(app.path(path))
            .header("authorization", "Basic YQA6YgA=")
            .form(&[("grant_type", "client_credentials")]);
        let a = Answer::of(request.send().await.unwrap()).await;
        assert!(a.status < 500, "{path}: {} {}", a.status, a.text);
    }
}

#[actix_web::test]
async fn no_form_makes_a_server_error_on_sqlite() {
    odd_forms(TestDb::sqlite()).boxed_local().await;
}

#[actix_web::test]
async fn no_form_makes_a_server_error_on_postgres() {
    odd_forms(TestDb::postgres()).boxed_local().await;
}

/// Who pasted the character learns where it is, in their language.
#[actix_web::test]
async fn the_field_with_the_nul_is_named() {
    let app = TestApp::with(Options { people: &[], ..Options::default() }).await;
    let sent = r#"{"discountCode":"A\\u0000\u0000","bookingDate":"2027-02-17"}"#;
    for language in Language::ALL {
        let path = format!("/api/discount?lang={}", language.code());
        let a = send(&app, &call(GUEST, Method::POST, path, Value::Null), sent.to_owned()).await.expect(422);
        let text = api::http::texts::filled(
            "form.invalid",
            language,
            [("p1", &*api::http::texts::field_label("discountCode", language))],
        );
        assert_eq!(
            (a.code(), &a.body["errors"]),
            ("validation_failed", &json!([{ "field": "discountCode", "code": "invalid", "message": text }]))
        );
    }
    // A backslash before `u0000` is text like any other.
    let harmless = r#"{"discountCode":"A\\u0000","bookingDate":"2027-02-17"}"#;
    send(&app, &call(GUEST, Method::POST, "/api/discount", Value::Null), harmless.to_owned()).await.expect(404);
    let a = app.get(GUEST, "/api/geo/search?q=rue%00&lang=fr").await.expect(422);
    assert_eq!((a.body["errors"][0]["field"].as_str(), a.header("content-language")), (Some("q"), "fr"));
}
