//! Discount codes as staff keep them and customers use them.

use crate::support;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use store::testing::TestDb;
use support::{
    Options, TestApp,
    people::{CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
    requests::{Answer, draft},
};

const PEOPLE: &[&str] = &[CUSTOMER, OTHER, OPS];

async fn app_on(db: TestDb) -> TestApp {
    TestApp::with(Options { db: Some(db), people: PEOPLE, ..Options::default() }).await
}

/// A code for moves of 2027 with these other fields.
fn terms(code: &str, more: &Value) -> Value {
    let mut body = json!({
        "code": code, "kind": "fixed", "value": "50.00", "validFrom": "2027-01-01", "validUntil": "2027-12-31",
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        body[key] = value.clone();
    }
    body
}

async fn made(app: &TestApp, code: &str, more: Value) -> Value {
    app.post(OPS, "/api/discounts", &terms(code, &more)).await.expect(201).body
}

fn path(d: &Value) -> String {
    format!("/api/discounts/{}", d["id"].as_str().unwrap())
}

async fn change(app: &TestApp, d: &Value, more: &Value) -> Answer {
    let request = app.builder(OPS, Method::PUT, &path(d)).await;
    let request =
        request.header("if-match", format!("\"{}\"", d["version"])).json(&terms(d["code"].as_str().unwrap(), more));
    Answer::of(request.send().await.unwrap()).await
}

async fn book(app: &TestApp, who: &'static str, day: &str, code: &str) -> Answer {
    let mut body = json!({ "bookingRequest": draft(day, "09:00") });
    body["bookingRequest"]["discountCode"] = json!(code);
    app.post(who, "/api/bookings", &body).await
}

/// Refused as a code that does not exist is: nobody learns why.
fn refused(answer: &Answer) {
    assert_eq!((answer.status, answer.code()), (422, "discount_not_found"), "{}", answer.text);
}

/// The words of a refused field, or else of the refusal.
fn words(answer: &Answer) -> String {
    let field = answer.body["errors"][0]["message"].as_str();
    field.or(answer.body["detail"].as_str()).unwrap_or_default().to_owned()
}

#[actix_web::test]
async fn staff_are_told_why_a_code_is_not_good() {
    let app = app_on(TestDb::sqlite()).await;
    made(&app, "OFF", json!({ "disabled": true })).await;
    made(&app, "SUMMER", json!({ "validFrom": "2027-06-01", "validUntil": "2027-08-31" })).await;
    made(&app, "EARLY", json!({ "bookableFrom": "2027-02-20" })).await;
    made(&app, "LATE", json!({ "bookableUntil": "2027-01-31" })).await;
    made(&app, "WEST", json!({ "provinces": ["BC", "AB"] })).await;
    made(&app, "OFFICES", json!({ "kinds": ["commercial"] })).await;
    made(&app, "FIRST", json!({ "firstBookingOnly": true })).await;
    app.book(CUSTOMER).await;
    let customer = json!({
        "email": format!("{CUSTOMER}@portage.test"), "firstName": "Zoe", "lastName": "Roy", "phone": "514-555-0101",
        "language": "en",
    });
    for (code, why, says) in [
        ("NOSUCH", "unknown", "No discount has this code"),
        ("OFF", "disabled", "switched off"),
        ("SUMMER", "moveDay", "August 31, 2027"),
        ("EARLY", "notYet", "February 20, 2027"),
        ("LATE", "noMore", "January 31, 2027"),
        ("WEST", "province", "AB, BC"),
        ("OFFICES", "kind", "Commercial"),
        ("FIRST", "notFirst", "first booking"),
    ] {
        let mut body =
            json!({ "bookingRequest": draft("2027-02-24", "09:00"), "customer": customer, "payment": "invoice" });
        body["bookingRequest"]["discountCode"] = json!(code);
        let told = app.post(OPS, "/api/bookings", &body).await;
        assert_eq!((told.status, told.code()), (422, "discount_not_found"), "{code}: {}", told.text);
        assert_eq!(told.body["why"], why, "{code}");
        assert!(words(&told).to_lowercase().contains(&says.to_lowercase()), "{code}: {}", words(&told));
        // Whoever is not of the staff learns nothing of it.
        let told = book(&app, CUSTOMER, "2027-02-25", code).await;
        refused(&told);
        assert!(told.body["why"].is_null() && words(&told).contains("does not exists"), "{code}: {}", told.text);
    }
}

#[actix_web::test]
async fn a_preview_promises_no_code_that_the_change_refuses() {
    let app = app_on(TestDb::sqlite()).await;
    made(&app, "FIRST", json!({ "firstBookingOnly": true })).await;
    made(&app, "ONCE", json!({ "maxUsesPerCustomer": 1 })).await;
    let plain = app.book(CUSTOMER).await;
    let with_code = book(&app, CUSTOMER, "2027-02-24", "ONCE").await.expect(201).body;
    let id = plain["id"].as_str().unwrap();
    let version = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body["version"].clone();
    for (code, why) in [("FIRST", "notFirst"), ("ONCE", "customer")] {
        let change = json!({ "discountCode": code });
        refused(&app.post(CUSTOMER, &format!("/api/c/bookings/{id}/preview"), &change).await);
        refused(&app.put(CUSTOMER, &format!("/api/c/bookings/{id}"), &change).await);
        let (path, change) = (format!("/api/bookings/{id}"), json!({ "booking": change }));
        let shown = app.post(OPS, &format!("{path}/preview"), &change).await;
        let request = app.builder(OPS, Method::PUT, &path).await;
        let request = request.header("if-match", format!("\"{version}\"")).json(&change);
        let done = Answer::of(request.send().await.unwrap()).await;
        for told in [shown, done] {
            refused(&told);
            assert_eq!(told.body["why"], why, "{code}");
        }
    }
    // The booking that has the use keeps it, whatever else is changed.
    let path = format!("/api/c/bookings/{}/preview", with_code["id"].as_str().unwrap());
    let shown = app.post(CUSTOMER, &path, &json!({ "discountCode": "ONCE", "mateCount": 3 })).await.expect(200).body;
    assert_eq!(shown["booking"]["discountCode"], "ONCE");
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_code_is_not_renamed_and_a_fixed_amount_has_no_cap() {
    let app = app_on(TestDb::sqlite()).await;
    let d = made(&app, "ONE", json!({})).await;
    made(&app, "TWO", json!({})).await;
    let told = change(&app, &d, &json!({ "code": "two" })).await.expect(422);
    assert_eq!(
        (&told.body["errors"][0]["field"], &told.body["errors"][0]["code"]),
        (&json!("code"), &json!("contradicts"))
    );
    assert!(words(&told).contains("Add a new discount"), "{}", words(&told));
    let told = change(&app, &d, &json!({ "maxAmount": "5.00" })).await.expect(422);
    assert!(words(&told).contains("percentage only"), "{}", words(&told));
}

#[actix_web::test]
async fn a_code_is_added_found_changed_and_removed() {
    let app = TestApp::with(Options { people: &[CUSTOMER, MATE, PARTNER, OPS], ..Options::default() }).await;
    let more = json!({
        "kind": "percent", "value": "10", "maxAmount": "50", "provinces": ["QC", "ON"], "kinds": ["residential"],
        "bookableFrom": "2027-02-01", "bookableUntil": "2027-03-31", "maxUses": 2, "maxUsesPerCustomer": 1, "firstBookingOnly": true,
    });
    let d = made(&app, " Spring10 ", more.clone()).await;
    assert_eq!(
        (&d["code"], &d["kind"], &d["value"], &d["maxAmount"]),
        (&json!("SPRING10"), &json!("percent"), &json!("10.00"), &json!("50.00"))
    );
    assert_eq!(
        (&d["state"], &d["uses"], &d["version"], &d["disabled"]),
        (&json!("active"), &json!(0), &json!(1), &json!(false))
    );
    for (key, want) in
        more.as_object().unwrap().iter().filter(|(k, _)| !["value", "maxAmount", "provinces"].contains(&k.as_str()))
    {
        assert_eq!(&d[key], want, "{key}");
    }
    let got = app.get(OPS, &path(&d)).await.expect(200);
    assert_eq!((&got.body, got.header("etag")), (&d, "\"1\""));
    // Another writing of the same code.
    let twice = app.post(OPS, "/api/discounts", &terms("sPRING10", &json!({}))).await;
    assert_eq!((twice.status, twice.code()), (409, "discount_code_taken"));
    app.clock.set("2027-02-08T14:01:00Z");
    made(&app, "FALL_5", json!({})).await;
    let list = app.get(OPS, "/api/discounts?page=1&per_page=1").await.expect(200).body;
    assert_eq!(
        (&list["total"], &list["data"][0]["code"], &list["per_page"], &list["perPage"]),
        (&json!(3), &json!("FALL_5"), &Value::Null, &json!(1))
    );
    for (value, codes) in
        [("spring", vec!["SPRING10"]), ("L_5", vec!["FALL_5"]), ("10", vec!["SPRING10", "WELCOME10"]), ("none", vec![])]
    {
        let found = app.get(OPS, &format!("/api/discounts/search?value={value}")).await.expect(200).body;
        let found: Vec<&str> = found["data"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect();
        assert_eq!(found, codes, "{value}");
    }
    let put = change(&app, &d, &json!({ "value": "25.00", "disabled": true })).await.expect(200).body;
    assert_eq!(
        (&put["kind"], &put["value"], &put["state"], &put["maxUses"]),
        (&json!("fixed"), &json!("25.00"), &json!("disabled"), &Value::Null)
    );
    assert_eq!(change(&app, &d, &json!({})).await.status, 412, "an old version");
    let other = json!({ "code": "OTHER" });
    let renamed = change(&app, &put, &other).await;
    assert_eq!((renamed.status, &renamed.body["errors"][0]["field"]), (422, &json!("code")));
    let removed = async |version: &Value| {
        let request = app.builder(OPS, Method::DELETE, &path(&put)).await.header("if-match", format!("\"{version}\""));
        Answer::of(request.send().await.unwrap()).await
    };
    assert_eq!(removed(&d["version"]).await.expect(412).code(), "version_conflict");
    assert_eq!(app.get(OPS, &path(&put)).await.expect(200).body, put, "it is still there");
    removed(&put["version"]).await.expect(204);
    assert_eq!(app.get(OPS, &path(&put)).await.status, 404, "it was never used");
    for who in [CUSTOMER, MATE, PARTNER, GUEST] {
        let status = app.get(who, "/api/discounts").await.status;
        assert_eq!(status, if who == GUEST { 401 } else { 403 }, "{who}");
    }
}

#[actix_web::test]
async fn what_cannot_be_is_refused_by_name() {
    let app = TestApp::with(Options { people: &[OPS], ..Options::default() }).await;
    let cases = [
        (json!({ "code": "" }), "code"),
        (json!({ "code": "TWO WORDS" }), "code"),
        (json!({ "value": "0" }), "value"),
        (json!({ "value": "-5.00" }), "value"),
        (json!({ "kind": "percent", "value": "100.01" }), "value"),
        (json!({ "maxAmount": "10.00" }), "maxAmount"),
        (json!({ "kind": "percent", "value": "10", "maxAmount": "0" }), "maxAmount"),
        (json!({ "validUntil": "2026-12-31" }), "validUntil"),
        (json!({ "bookableFrom": "2027-03-01", "bookableUntil": "2027-02-01" }), "bookableUntil"),
        (json!({ "bookableFrom": "2028-01-01" }), "bookableFrom"),
        (json!({ "maxUses": 0 }), "maxUses"),
        (json!({ "maxUsesPerCustomer": 0 }), "maxUsesPerCustomer"),
    ];
    for (more, field) in cases {
        let answer = app.post(OPS, "/api/discounts", &terms("CODE", &more)).await;
        assert_eq!(
            (answer.status, &answer.body["errors"][0]["field"]),
            (422, &json!(field)),
            "{more}: {}",
            answer.text
        );
    }
}

#[actix_web::test]
async fn a_state_says_where_a_code_stands() {
    // 2027-02-08 in Montréal.
    let app = TestApp::with(Options { people: &[OPS], ..Options::default() }).await;
    let cases = [
        ("A", json!({}), "active"),
        ("B", json!({ "validFrom": "2027-02-09" }), "planned"),
        ("C", json!({ "validFrom": "2027-06-01", "bookableFrom": "2027-02-08" }), "active"),
        ("D", json!({ "bookableFrom": "2027-02-09" }), "planned"),
        ("E", json!({ "validUntil": "2027-02-08" }), "active"),
        ("F", json!({ "validUntil": "2027-02-07" }), "past"),
        ("G", json!({ "bookableUntil": "2027-02-07" }), "past"),
        ("H", json!({ "disabled": true }), "disabled"),
    ];
    for (code, more, state) in cases {
        assert_eq!(made(&app, code, more.clone()).await["state"], state, "{code}: {more}");
    }
}

/// Twelve tries of a code for two uses, one a customer, Quebec, one kind of move, a first booking, booked in a window.
async fn twelve_tries(db: TestDb) {
    let app = app_on(db).await;
    for who in [CUSTOMER, OTHER] {
        app.store_card(who, "fake-valid-nonce").await.expect(200);
    }
    let window = json!({
        "provinces": ["QC"], "kinds": ["residential"], "bookableFrom": "2027-02-08", "bookableUntil": "2027-02-10",
        "validFrom": "2027-02-20", "validUntil": "2027-03-31", "maxUses": 2, "maxUsesPerCustomer": 1, "firstBookingOnly": true,
    });
    let d = made(&app, "FIRST", window.clone()).await;
    // 1, 2: before and after the days of the move.
    refused(&book(&app, CUSTOMER, "2027-02-19", "FIRST").await);
    refused(&book(&app, CUSTOMER, "2027-04-01", "FIRST").await);
    // 3: another kind, and 4: another province.
    for other in [json!({ "kinds": ["storage"] }), json!({ "provinces": ["ON"] })] {
        let mut of_others = window.clone();
        of_others.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        let code = format!("X{}", app.get(OPS, "/api/discounts").await.expect(200).body["total"]);
        made(&app, &code, of_others).await;
        refused(&book(&app, CUSTOMER, "2027-02-22", &code).await);
    }
    // 5: whatever the case.
    let first = book(&app, CUSTOMER, "2027-02-22", " first ").await.expect(201).body;
    assert_eq!((&first["discountCode"], &first["discount"]), (&json!("FIRST"), &json!("50.00")));
    // 6: once a customer.
    refused(&book(&app, CUSTOMER, "2027-02-23", "FIRST").await);
    // 7: who has a booking has no first one any more.
    let plain = json!({ "bookingRequest": draft("2027-02-23", "09:00") });
    let theirs = app.post(OTHER, "/api/bookings", &plain).await.expect(201).body;
    refused(&book(&app, OTHER, "2027-02-24", "FIRST").await);
    // 8: an edit takes a code under the same rules, and one that moves the day beyond those of its code loses it and gives
    // the use back. The preview says so, and nothing else of the code is asked again.
    let taking = json!({ "discountCode": "FIRST", "date": "2027-04-05" });
    refused(&app.put(OTHER, &format!("/api/c/bookings/{}", theirs["id"].as_str().unwrap()), &taking).await);
    let edited = format!("/api/c/bookings/{}", first["id"].as_str().unwrap());
    let kept = app.put(CUSTOMER, &edited, &json!({ "date": "2027-02-26" })).await.expect(200).body;
    assert_eq!((&kept["discountCode"], &kept["discount"]), (&json!("FIRST"), &json!("50.00")));
    let beyond = json!({ "date": "2027-04-05" });
    let shown = app.post(CUSTOMER, &format!("{edited}/preview"), &beyond).await.expect(200).body;
    assert_eq!(
        (&shown["booking"]["discountCode"], &shown["booking"]["discount"]),
        (&Value::Null, &json!("0.00")),
        "{shown}"
    );
    let dearer = app.put(CUSTOMER, &edited, &beyond).await.expect(200).body;
    assert_eq!(
        (&dearer["discountCode"], &dearer["discount"], &dearer["total"]),
        (&Value::Null, &json!("0.00"), &shown["newTotal"])
    );
    // Back among its days it may be typed again.
    let back = json!({ "date": "2027-02-22", "discountCode": "FIRST" });
    let again = app.put(CUSTOMER, &edited, &back).await.expect(200).body;
    assert_eq!((&again["discountCode"], &again["total"]), (&json!("FIRST"), &first["total"]));
    // 9: a cancelled booking gives the use back, and another may have it.
    let id = first["id"].as_str().unwrap();
    app.send(CUSTOMER, Method::PUT, &format!("/api/c/bookings/cancel/{id}"), None).await.expect(200);
    let read = async || app.get(OPS, &path(&d)).await.expect(200).body;
    assert_eq!(read().await["uses"], 0);
    let again = book(&app, CUSTOMER, "2027-02-25", "FIRST").await.expect(201).body;
    let listed = app.get(OPS, &format!("{}/uses", path(&d))).await.expect(200).body;
    let of = |booking: &Value| {
        listed["data"].as_array().unwrap().iter().find(|u| u["bookingId"] == booking["id"]).unwrap().clone()
    };
    assert_eq!(
        (&listed["total"], &of(&first)["returnedAt"].is_string(), &of(&again)["returnedAt"]),
        (&json!(2), &true, &Value::Null)
    );
    assert_eq!((&of(&again)["shortId"], &of(&again)["off"]), (&again["shortId"], &json!("50.00")));
    // 10: the cancelled one is not taken back, because its customer has used the code elsewhere.
    let back = app
        .put(
            OPS,
            &format!("/api/bookings/status/{id}"),
            &json!({ "status": "pending", "reason": "They move after all" }),
        )
        .await;
    assert_eq!(back.status, 422, "{}", back.text);
    // 11: after the window.
    app.clock.set("2027-02-11T14:00:00Z");
    app.tokens.lock().unwrap().clear();
    refused(&book(&app, OTHER, "2027-02-26", "FIRST").await);
    // 12: the booking that has it keeps it when the code is removed.
    app.send(OPS, Method::DELETE, &path(&d), None).await.expect(204);
    let off = read().await;
    assert_eq!((&off["state"], &off["disabled"], &off["uses"]), (&json!("disabled"), &json!(true), &json!(1)));
    let kept = app.get(CUSTOMER, &format!("/api/c/bookings/{}", again["id"].as_str().unwrap())).await.expect(200).body;
    assert_eq!((&kept["discountCode"], &kept["total"]), (&json!("FIRST"), &again["total"]));
    let guess = json!({ "discountCode": "FIRST", "bookingDate": "2027-03-01" });
    assert_eq!(app.post(GUEST, "/api/discount", &guess).await.status, 404);
    app.run_jobs().await;
}

#[actix_web::test]
async fn twelve_tries_of_a_narrow_code_on_sqlite() {
    twelve_tries(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn twelve_tries_of_a_narrow_code_on_postgres() {
    twelve_tries(TestDb::postgres()).await;
}

/// One customer presses for several days at once with a code that is good once for each customer.
async fn once_a_customer(db: TestDb) {
    let app = app_on(db).await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let d = made(&app, "ONE", json!({ "maxUsesPerCustomer": 1 })).await;
    let days: Vec<String> = (10..20).map(|n| format!("2027-03-{n}")).collect();
    let answers = join_all(days.iter().map(|day| book(&app, CUSTOMER, day, "ONE"))).await;
    assert_eq!(answers.iter().filter(|a| a.status == 201).count(), 1);
    answers.iter().filter(|a| a.status != 201).for_each(refused);
    assert_eq!(app.get(OPS, &path(&d)).await.expect(200).body["uses"], 1);
    app.run_jobs().await;
    // A limit below what was used.
    let fewer = change(&app, &d, &json!({ "maxUses": 0 })).await;
    assert_eq!(fewer.status, 422);
}

#[actix_web::test]
async fn of_one_customers_tries_at_once_one_wins_on_sqlite() {
    once_a_customer(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn of_one_customers_tries_at_once_one_wins_on_postgres() {
    once_a_customer(TestDb::postgres()).await;
}
