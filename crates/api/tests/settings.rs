//! Settings that a company changes in the browser, and its first steps: what is answered, and what is refused.

use crate::support::{
    Options, TestApp,
    bodies::draft,
    people::{ADMIN, CUSTOMER, GUEST, OPS},
    requests::Answer,
};
use reqwest::Method;
use serde_json::{Value, json};
use store::testing::TestDb;

async fn on(db: TestDb) -> TestApp {
    TestApp::with(Options { db: Some(db), people: &[CUSTOMER, OPS, ADMIN], ..Options::default() }).await
}

async fn put_as(app: &TestApp, who: &'static str, group: &str, version: i64, values: Value) -> Answer {
    let request = app.builder(who, Method::PUT, &format!("/api/settings/{group}")).await;
    let request = request.header("if-match", format!("\"{version}\"")).json(&json!({ "values": values }));
    Answer::of(request.send().await.unwrap()).await
}

async fn put(app: &TestApp, group: &str, version: i64, values: Value) -> Answer {
    put_as(app, ADMIN, group, version, values).await
}

async fn get(app: &TestApp, group: &str) -> Answer {
    app.get(OPS, &format!("/api/settings/{group}")).await.expect(200)
}

/// Place and code of every mistake.
fn mistakes(answer: &Answer) -> Vec<(String, String)> {
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let mut all: Vec<_> =
        answer.body["errors"].as_array().unwrap().iter().map(|e| (text(&e["field"]), text(&e["code"]))).collect();
    all.sort();
    all
}

#[actix_web::test]
async fn nothing_saved_is_version_zero_and_says_where_it_comes_from() {
    let app = on(TestDb::sqlite()).await;
    let all = app.get(OPS, "/api/settings").await.expect(200).body;
    let groups: Vec<&str> = all["data"].as_array().unwrap().iter().map(|g| g["group"].as_str().unwrap()).collect();
    assert_eq!(groups, ["company", "policy", "scheduling"]);
    let company = get(&app, "company").await;
    assert_eq!(company.header("etag"), "\"0\"");
    assert_eq!(company.body, all["data"][0]);
    let c = &company.body;
    assert_eq!(
        (&c["version"], &c["saved"], &c["changedAt"], &c["changedBy"]),
        (&json!(0), &json!({}), &json!(null), &json!(null))
    );
    assert_eq!((&c["values"]["name"], &c["sources"]["name"]), (&json!("Portage"), &json!("environment")));
    assert_eq!((&c["values"]["gstNumber"], &c["sources"]["gstNumber"]), (&json!(""), &json!("default")));
    assert!(c["values"].get("publicUrl").is_none());
    assert_eq!(c["values"], c["defaults"]);
    let policy = get(&app, "policy").await.body;
    assert_eq!((&policy["values"]["deposit"], &policy["sources"]["deposit"]), (&json!("0.2"), &json!("default")));
    assert!(policy["values"].get("version").is_none());
    let day = get(&app, "scheduling").await.body;
    assert_eq!((&day["values"]["opens"], &day["values"]["stepMinutes"]), (&json!("08:00"), &json!(30)));
    assert_eq!(app.get(OPS, "/api/settings/company/versions").await.expect(200).body, json!({ "data": [] }));
}

#[actix_web::test]
async fn whoever_may_not_is_refused() {
    let app = on(TestDb::sqlite()).await;
    for path in ["/api/settings", "/api/settings/policy", "/api/settings/policy/versions", "/api/first-steps"] {
        app.get(GUEST, path).await.expect(401);
        app.get(CUSTOMER, path).await.expect(403);
        app.get(OPS, path).await.expect(200);
    }
    put_as(&app, GUEST, "policy", 0, json!({})).await.expect(401);
    put_as(&app, CUSTOMER, "policy", 0, json!({})).await.expect(403);
    put_as(&app, OPS, "policy", 0, json!({ "freeWindow": 1 })).await.expect(403);
    app.post(CUSTOMER, "/api/first-steps/prices", &json!({})).await.expect(403);
    for group in ["weather", "first_steps", "Policy", "01900000-0000-7000-8000-000000000000"] {
        app.get(OPS, &format!("/api/settings/{group}")).await.expect(404);
        put(&app, group, 0, json!({})).await.expect(404);
    }
    let unread = app.put(ADMIN, "/api/settings/policy", &json!({ "values": {} })).await;
    assert_eq!(unread.expect(428).code(), "version_required");
    assert_eq!(get(&app, "policy").await.body["version"], 0);
}

async fn saving_and_taking_back(db: TestDb) {
    let app = on(db).await;
    let values =
        json!({ "name": "Déménagements Roy", "supportEmail": "aide@roy.test", "qstNumber": "1234 567890 tq 0001" });
    let saved = put(&app, "company", 0, values.clone()).await.expect(200);
    assert_eq!((saved.header("etag"), &saved.body["version"]), ("\"1\"", &json!(1)));
    assert_eq!(saved.body["saved"]["qstNumber"], "1234567890TQ0001");
    assert_eq!(
        (&saved.body["sources"]["name"], &saved.body["sources"]["address"]),
        (&json!("saved"), &json!("environment"))
    );
    assert_eq!(saved.body["changedBy"], "admin Tester");
    assert_eq!(saved.body["defaults"]["name"], "Portage");
    // What the browser shows names the company from now on.
    let config = app.get(GUEST, "/api/config").await.expect(200);
    assert_eq!(config.header("cache-control"), "no-cache");
    assert_eq!(
        (&config.body["companyName"], &config.body["supportEmail"]),
        (&json!("Déménagements Roy"), &json!("aide@roy.test"))
    );
    assert_eq!(config.body["companyNumbers"], json!({ "gst": null, "qst": "1234567890TQ0001", "neq": null }));
    // The same again adds no version; who has read an older one is told.
    assert_eq!(put(&app, "company", 1, values.clone()).await.expect(200).body["version"], 1);
    assert_eq!(put(&app, "company", 0, values).await.expect(412).code(), "version_conflict");
    assert_eq!(put(&app, "company", 2, json!({})).await.expect(412).code(), "version_conflict");
    // What is left out, and what is null, follows its default again.
    let back = put(&app, "company", 1, json!({ "supportEmail": "aide@roy.test", "name": null })).await.expect(200).body;
    assert_eq!((&back["version"], &back["values"]["name"]), (&json!(2), &json!("Portage")));
    assert_eq!(back["saved"], json!({ "supportEmail": "aide@roy.test" }));
    let versions = app.get(OPS, "/api/settings/company/versions").await.expect(200).body;
    let told: Vec<(i64, usize)> = versions["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| (v["version"].as_i64().unwrap(), v["saved"].as_object().unwrap().len()))
        .collect();
    assert_eq!(told, [(2, 1), (1, 3)]);
    assert_eq!(versions["data"][0]["changedBy"], "admin Tester");
}

/// What people read before they book names the figures in force, for the province of the move.
#[actix_web::test]
async fn terms_and_figures_follow_the_settings() {
    let app = on(TestDb::sqlite()).await;
    let shipped = json!(["deposit", "balance", "cancelFree", "depositKept", "lockRest", "changes"]);
    let config = app.get(GUEST, "/api/config").await.expect(200).body["policy"].clone();
    assert_eq!((&config["terms"], &config["differsByProvince"]), (&shipped, &json!(false)));
    assert_eq!((&config["figures"]["deposit"], &config["figures"]["lockWindow"]), (&json!("0.2"), &json!(48)));
    let values = json!({
        "deposit": "0.5", "freeWindow": 0, "lockWindow": 72, "changeFee": "0",
        "retention": { "afterFree": "0.5", "afterLock": "0.9" },
    });
    put(&app, "policy", 0, values).await.expect(200);
    let config = app.get(GUEST, "/api/config").await.expect(200).body["policy"].clone();
    assert_eq!(config["differsByProvince"], true, "Quebec has shares of its own");
    let terms = json!(["depositAtBooking", "balance", "depositKeptAtOnce", "lockShare"]);
    assert_eq!((&config["terms"], &config["figures"]["afterLock"]), (&terms, &json!("0.9")));
    let plan = async |province: &str| {
        let ask = json!({ "total": "574.88", "moveAt": "2027-03-17T14:00:00Z", "province": province });
        app.post(GUEST, "/api/booking/payment-plan", &ask).await.expect(200).body
    };
    let (ontario, quebec) = (plan("ON").await, plan("QC").await);
    assert_eq!((&ontario["terms"], &ontario["policy"]["freeWindow"]), (&terms, &json!(0)));
    assert_eq!(quebec["terms"], json!(["depositOnlyAtBooking", "balance", "shareKeptAtOnce", "lockRest"]));
    assert_eq!((&quebec["policy"]["afterFree"], &quebec["cancellation"][2]["kept"]), (&json!("0.2"), &json!("574.88")));
}

#[actix_web::test]
async fn saving_and_taking_back_on_sqlite() {
    saving_and_taking_back(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn saving_and_taking_back_on_postgres() {
    saving_and_taking_back(TestDb::postgres()).await;
}

#[actix_web::test]
async fn every_mistake_is_named_by_its_place_and_nothing_is_saved() {
    let app = on(TestDb::sqlite()).await;
    let one = [
        ("company", json!({ "name": " " }), "values.name", "required"),
        ("company", json!({ "name": "a".repeat(101) }), "values.name", "too_long"),
        ("company", json!({ "name": 7 }), "values.name", "invalid"),
        ("company", json!({ "supportEmail": "nobody" }), "values.supportEmail", "invalid"),
        ("company", json!({ "supportPhone": "call me" }), "values.supportPhone", "invalid"),
        ("company", json!({ "gstNumber": "123456789RT0001" }), "values.gstNumber", "invalid"),
        ("company", json!({ "neq": "4412345678" }), "values.neq", "invalid"),
        ("company", json!({ "replyTo": { "atlantis": "a@b.ca" } }), "values.replyTo.atlantis", "unknown"),
        ("company", json!({ "replyTo": { "montreal": "a@b" } }), "values.replyTo.montreal", "invalid"),
        ("company", json!({ "publicUrl": "https://elsewhere.test" }), "values.publicUrl", "unknown"),
        ("policy", json!({ "deposit": "0" }), "values.deposit", "out_of_range"),
        ("policy", json!({ "deposit": 0.2 }), "values.deposit", "invalid"),
        ("policy", json!({ "depositRetry": [6, 12] }), "values.depositRetry", "out_of_range"),
        ("policy", json!({ "depositRetry": [0, "six"] }), "values.depositRetry[1]", "invalid"),
        ("policy", json!({ "balanceRetry": [0, 48] }), "values.balanceRetry", "invalid"),
        ("policy", json!({ "changeFeeMode": "sometimes" }), "values.changeFeeMode", "unknown"),
        ("policy", json!({ "version": "9" }), "values.version", "unknown"),
        (
            "policy",
            json!({ "provinces": { "QC": { "retention": { "afterFree": "1.1" } } } }),
            "values.provinces.QC.retention.afterFree",
            "out_of_range",
        ),
        (
            "policy",
            json!({ "provinces": { "QC": { "retension": null, "retention": { "afterFre": "0" } } } }),
            "values.provinces.QC.retention.afterFre",
            "unknown",
        ),
        ("policy", json!({ "provinces": { "XX": {} } }), "values.provinces.XX", "unknown"),
        ("scheduling", json!({ "opens": "18:00", "lateStartUntil": "18:00" }), "values.closes", "invalid"),
        ("scheduling", json!({ "opens": "8" }), "values.opens", "invalid"),
        ("scheduling", json!({ "stepMinutes": 7 }), "values.stepMinutes", "out_of_range"),
        ("scheduling", json!({ "windowMinutes": -1 }), "values.windowMinutes", "out_of_range"),
        ("scheduling", json!({ "horizonDays": 731 }), "values.horizonDays", "out_of_range"),
        ("scheduling", json!({ "latestEnd": "17:59" }), "values.latestEnd", "out_of_range"),
    ];
    for (group, values, place, code) in one {
        let refused = put(&app, group, 0, values).await.expect(422);
        assert_eq!(refused.code(), "validation_failed");
        assert_eq!(mistakes(&refused), [(place.to_owned(), code.to_owned())]);
    }
    let several = json!({ "opens": "8", "horizonDays": "many", "closed": true });
    let told = mistakes(&put(&app, "scheduling", 0, several).await.expect(422));
    let places: Vec<&str> = told.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["values.closed", "values.horizonDays", "values.opens"]);
    let list = app.get(OPS, "/api/settings").await.expect(200).body;
    assert!(list["data"].as_array().unwrap().iter().all(|group| group["version"] == 0), "{list}");
}

async fn starts(app: &TestApp, date: &str) -> Vec<String> {
    let path = format!(
        "/api/availability?date={date}&days=1&mateCount=2&duration=120&justMates=false&province=QC&city=Montr%C3%A9al&postalCode=H2X%201Y4"
    );
    let found = app.get(GUEST, &path).await.expect(200).body;
    let slots = found["days"][0]["slots"].as_array().unwrap().clone();
    slots.iter().filter(|s| s["available"] == true).map(|s| s["time"].as_str().unwrap().to_owned()).collect()
}

/// It is the eighth of February.
#[actix_web::test]
async fn a_changed_day_is_offered_at_once_and_promises_stay() {
    let app = on(TestDb::sqlite()).await;
    let booked = app.book(CUSTOMER).await;
    let id = booked["id"].as_str().unwrap();
    assert_eq!(booked["arrivalWindow"], json!({ "from": "08:30", "until": "09:30" }));
    assert_eq!(starts(&app, "2027-02-18").await[..2], ["08:00", "08:30"]);
    let day = json!({ "opens": "09:00", "stepMinutes": 120, "windowMinutes": 45, "horizonDays": 10 });
    put(&app, "scheduling", 0, day).await.expect(200);
    assert_eq!(starts(&app, "2027-02-18").await[..2], ["09:00", "11:00"]);
    assert_eq!(starts(&app, "2027-02-19").await, Vec::<String>::new());
    let kept = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200).body;
    assert_eq!(kept["arrivalWindow"], booked["arrivalWindow"]);
    let new = json!({ "bookingRequest": draft("2027-02-18", "11:00") });
    let new = app.post(CUSTOMER, "/api/bookings", &new).await.expect(201).body;
    assert_eq!(new["arrivalWindow"], json!({ "from": "10:15", "until": "11:45" }));
    let hold = json!({
        "date": "2027-02-18", "time": "13:00", "mateCount": 2, "duration": 120, "justMates": false,
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" },
    });
    let hold = app.post(GUEST, "/api/holds", &hold).await.expect(201).body;
    assert_eq!(hold["arrivalWindow"], json!({ "from": "12:15", "until": "13:45" }));
    let extended = app.post(GUEST, &format!("/api/holds/{}/extend", hold["id"].as_str().unwrap()), &json!({})).await;
    assert_eq!(extended.expect(200).body["arrivalWindow"], hold["arrivalWindow"]);
    let off = json!({ "bookingRequest": draft("2027-02-18", "10:00") });
    assert_eq!(app.post(CUSTOMER, "/api/bookings", &off).await.code(), "not_a_slot");
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_plan_follows_the_policy_and_a_booking_keeps_its_own() {
    let app = on(TestDb::sqlite()).await;
    let booked = app.book(CUSTOMER).await;
    let path = format!("/api/c/bookings/{}", booked["id"].as_str().unwrap());
    let before = app.get(CUSTOMER, &path).await.expect(200).body;
    let ask = json!({ "total": "1000.00", "moveAt": "2027-02-17T14:00:00Z" });
    let usual = app.post(GUEST, "/api/booking/payment-plan", &ask).await.expect(200).body;
    put(&app, "policy", 0, json!({ "deposit": "0.4", "freeWindow": 6 })).await.expect(200);
    let changed = app.post(GUEST, "/api/booking/payment-plan", &ask).await.expect(200).body;
    assert_ne!(changed, usual);
    assert!(changed.to_string().contains("400.00"), "{changed}");
    assert_eq!(app.get(CUSTOMER, &path).await.expect(200).body, before);
}

#[actix_web::test]
async fn first_steps_are_told_in_their_order() {
    let app = on(TestDb::sqlite()).await;
    let steps = app.get(OPS, "/api/first-steps").await.expect(200).body;
    let codes: Vec<&str> = steps["steps"].as_array().unwrap().iter().map(|s| s["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["company", "prices", "calendar", "people", "testBooking"]);
    let done = |steps: &Value| -> Vec<bool> {
        steps["steps"].as_array().unwrap().iter().map(|s| s["done"].as_bool().unwrap()).collect()
    };
    assert_eq!((done(&steps)[0], done(&steps)[1], done(&steps)[4]), (false, false, false));
    assert_eq!(steps["done"], false);
    let confirmed = app.post(OPS, "/api/first-steps/prices", &json!({})).await.expect(200).body;
    assert!(done(&confirmed)[1]);
    let again = app.post(OPS, "/api/first-steps/prices", &json!({})).await.expect(200).body;
    assert_eq!(again, confirmed);
    put(&app, "company", 0, json!({ "name": "Roy" })).await.expect(200);
    app.book(CUSTOMER).await;
    let steps = app.get(OPS, "/api/first-steps").await.expect(200).body;
    assert_eq!((done(&steps)[0], done(&steps)[4]), (true, true));
    app.nobody_works_here().await;
    assert!(!done(&app.get(OPS, "/api/first-steps").await.expect(200).body)[3]);
}

/// Whoever saves a version of the standard card has looked at the prices.
#[actix_web::test]
async fn a_saved_rate_card_is_a_step() {
    let app = on(TestDb::sqlite()).await;
    let rates = app.get(OPS, "/api/rates").await.expect(200).body;
    let id = rates["data"][0]["id"].as_str().unwrap();
    let card = app.get(OPS, &format!("/api/rates/{id}")).await.expect(200).body["card"].clone();
    let request = app.builder(OPS, Method::PUT, &format!("/api/rates/{id}")).await;
    let request = request.header("if-match", "\"1\"").json(&json!({ "card": card }));
    Answer::of(request.send().await.unwrap()).await.expect(200);
    let steps = app.get(OPS, "/api/first-steps").await.expect(200).body;
    assert_eq!(steps["steps"][1], json!({ "code": "prices", "done": true }));
}
