//! The calendar of a company in the browser: weeks, days, absences, and what they do to the starts that are offered.

use crate::support;

use reqwest::Method;
use serde_json::{Value, json};
use store::testing::TestDb;
use support::{
    Options, TestApp,
    people::{CUSTOMER, GUEST, MATE, OPS},
    requests::Answer,
};

const WEEK: &str = "/api/calendar/montreal/week";

async fn on(db: TestDb) -> TestApp {
    TestApp::with(Options { db: Some(db), people: &[CUSTOMER, MATE, OPS], ..Options::default() }).await
}

fn crew(mates: u32) -> Value {
    json!({ "mates": mates, "trucks": { "10ft": 3, "20ft": 3, "26ft": 2 } })
}

fn week(mates: u32) -> Value {
    json!({ "week": vec![crew(mates); 7] })
}

async fn put_week(app: &TestApp, version: &str, body: &Value) -> Answer {
    let request = app.builder(OPS, Method::PUT, WEEK).await.header("if-match", version);
    Answer::of(request.json(body).send().await.unwrap()).await
}

async fn delete(app: &TestApp, path: &str) -> Answer {
    app.send(OPS, Method::DELETE, path, None).await
}

async fn day(app: &TestApp, date: &str) -> Value {
    let found = app.get(OPS, &format!("/api/calendar/montreal?from={date}&to={date}")).await.expect(200).body;
    found["days"][0].clone()
}

/// A mate of these hubs.
async fn mate(app: &TestApp, hubs: &[&str]) -> String {
    let made = app.post(OPS, "/api/mate", &json!({ "name": "Zoé Roy", "hubs": hubs })).await.expect(201);
    made.body["id"].as_str().unwrap().to_owned()
}

/// How many starts of a small move are free on February 17.
async fn free_starts(app: &TestApp) -> usize {
    let query = "date=2027-02-17&days=1&mateCount=2&duration=150&province=QC&city=Montr%C3%A9al&postalCode=H2X%201Y4";
    let found = app.get(GUEST, &format!("/api/availability?{query}")).await.expect(200).body;
    let slots = found["days"][0]["slots"].as_array().unwrap();
    slots.iter().filter(|s| s["available"] == true).count()
}

fn field(answer: &Answer) -> (u16, &str, &str) {
    let error = &answer.body["errors"][0];
    (answer.status, error["field"].as_str().unwrap_or_default(), error["code"].as_str().unwrap_or_default())
}

async fn hubs(db: TestDb) {
    let app = on(db).await;
    app.get(CUSTOMER, "/api/hubs").await.expect(403);
    let told = app.get(OPS, "/api/hubs").await.expect(200).body;
    let all = told["data"].as_array().unwrap();
    let ottawa = all.iter().find(|hub| hub["id"] == "ottawa").unwrap();
    assert_eq!(
        (all.len(), &ottawa["name"]["fr"], &ottawa["province"], &ottawa["zone"]),
        (12, &json!("Ottawa"), &json!("ON"), &json!("America/Toronto"))
    );
    assert_eq!(
        (&all[0]["id"], &all[0]["hasCalendar"], &all[0]["hasJobs"]),
        (&json!("montreal"), &json!(true), &json!(false))
    );
    // Each has a calendar that can be written.
    for hub in all {
        app.get(OPS, &format!("/api/calendar/{}/week", hub["id"].as_str().unwrap())).await.expect(200);
    }
}

/// A day on which nobody works is closed, and one on which everything is taken is full.
async fn closed_days(db: TestDb) {
    let app = on(db).await;
    let mut sundays_off = week(9);
    sundays_off["week"][6] = crew(0);
    put_week(&app, "\"0\"", &sundays_off).await.expect(200);
    let query = "date=2027-02-12&days=4&mateCount=2&duration=150&province=QC&city=Montr%C3%A9al&postalCode=H2X%201Y4";
    let found = app.get(GUEST, &format!("/api/availability?{query}")).await.expect(200).body;
    let closed: Vec<&Value> = found["days"].as_array().unwrap().iter().map(|day| &day["closed"]).collect();
    assert_eq!(closed, [&json!(false), &json!(false), &json!(true), &json!(false)], "{found}");
}

async fn weeks(db: TestDb) {
    let app = on(db).await;
    let first = app.get(OPS, WEEK).await.expect(200);
    assert_eq!(first.header("etag"), "\"0\"");
    let told = &first.body;
    assert_eq!(
        (&told["hub"], &told["zone"], &told["province"], &told["today"]),
        (&json!("montreal"), &json!("America/Toronto"), &json!("QC"), &json!("2027-02-08"))
    );
    assert_eq!((&told["week"][6], &told["version"]), (&crew(8), &json!(0)));
    // The version must be named, and be the one there is.
    app.put(OPS, WEEK, &week(9)).await.expect(428);
    let done = put_week(&app, "\"0\"", &week(9)).await.expect(200);
    assert_eq!((done.header("etag"), &done.body["week"][0]), ("\"1\"", &crew(9)));
    assert_eq!(app.get(OPS, WEEK).await.expect(200).body, done.body);
    let stale = put_week(&app, "\"0\"", &week(7)).await;
    assert_eq!((stale.status, stale.code()), (412, "version_conflict"));
    for (body, name, code) in [
        (json!({ "week": vec![crew(9); 6] }), "week", ""),
        (json!({ "week": vec![crew(9); 8] }), "week", ""),
        (json!({}), "week", "required"),
        (week(1_001), "week[0].mates", "out_of_range"),
    ] {
        let refused = put_week(&app, "\"1\"", &body).await;
        let (status, field, told) = field(&refused);
        assert_eq!((status, field), (422, name), "{}", refused.text);
        assert!(code.is_empty() || told == code, "{}", refused.text);
    }
    // Two mates are taken on the 17th.
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    app.book(CUSTOMER).await;
    let refused = put_week(&app, "\"1\"", &week(1)).await.expect(409);
    assert_eq!(refused.code(), "capacity_taken");
    assert_eq!(refused.body["detail"], "February 17, 2027: 2 mates are taken, 1 would be there: 1 too few.");
    let lacks = json!({ "hub": "montreal", "date": "2027-02-17", "what": "mates", "taken": 2, "offered": 1 });
    assert_eq!(refused.body["shortfalls"], json!([lacks]));
    let request = app.builder(OPS, Method::PUT, &format!("{WEEK}?lang=fr")).await.header("if-match", "\"1\"");
    let french = Answer::of(request.json(&week(1)).send().await.unwrap()).await.expect(409);
    assert!(french.body["detail"].as_str().unwrap().contains("il en manque 1"), "{}", french.text);
    assert_eq!(app.get(OPS, WEEK).await.expect(200).body["version"], 1);
    for path in ["/api/calendar/atlantis/week", "/api/calendar/atlantis?from=2027-07-01&to=2027-07-01"] {
        app.get(OPS, path).await.expect(404);
    }
}

async fn days(db: TestDb) {
    let app = on(db).await;
    let path = "/api/calendar/montreal/2027-07-01";
    assert_eq!(
        (&day(&app, "2027-07-01").await["override"], &day(&app, "2027-07-01").await["planned"]),
        (&Value::Null, &crew(8))
    );
    delete(&app, path).await.expect(404);
    let mut body = crew(48);
    body["reason"] = json!("  Jour du déménagement ");
    let done = app.put(OPS, path, &body).await.expect(200).body;
    assert_eq!(done, day(&app, "2027-07-01").await);
    assert_eq!((&done["override"], &done["planned"]), (&json!({ "reason": "Jour du déménagement" }), &crew(48)));
    assert_eq!(done["holiday"], json!({ "code": "canada_day", "name": "Canada Day" }));
    let french = app.get(OPS, "/api/calendar/montreal?from=2027-12-24&to=2027-12-25&lang=fr").await.expect(200).body;
    let closed: Vec<bool> = french["days"].as_array().unwrap().iter().map(|d| d["closed"].as_bool().unwrap()).collect();
    assert_eq!((closed, &french["days"][1]["holiday"]["name"]), (vec![false, true], &json!("Noël")));
    // Closed by a row of its own.
    let shut = app.put(OPS, "/api/calendar/montreal/2027-06-23", &crew(0)).await.expect(200).body;
    assert_eq!((&shut["closed"], &shut["override"]), (&json!(true), &json!({ "reason": "" })));
    delete(&app, path).await.expect(204);
    assert_eq!(day(&app, "2027-07-01").await["planned"], crew(8));
    // Nobody ever works on these two, so that numbers for them are refused instead of kept without effect.
    for closed in ["2027-12-25", "2028-01-01"] {
        let path = format!("/api/calendar/montreal/{closed}");
        let refused = app.put(OPS, &path, &crew(4)).await;
        assert_eq!(field(&refused), (422, "mates", "contradicts"), "{}", refused.text);
        assert!(refused.text.contains("stays closed"), "{}", refused.text);
        assert_eq!(app.put(OPS, &path, &crew(0)).await.expect(200).body["closed"], true);
    }
    // What is over, what is no day, what is too much.
    let past = app.put(OPS, "/api/calendar/montreal/2027-02-07", &crew(1)).await;
    assert_eq!(field(&past), (422, "date", "out_of_range"));
    app.put(OPS, "/api/calendar/montreal/2027-02-30", &crew(1)).await.expect(404);
    app.put(OPS, "/api/calendar/atlantis/2027-07-01", &crew(1)).await.expect(404);
    for (query, name) in [
        ("from=2027-01-01&to=2028-02-05", "to"),
        ("from=2027-02-02&to=2027-02-01", "to"),
        ("from=2027-02-02", "to"),
        ("to=2027-02-02", "from"),
    ] {
        let refused = app.get(OPS, &format!("/api/calendar/montreal?{query}")).await.expect(422);
        assert_eq!(refused.body["errors"][0]["field"], name, "{query}");
    }
    let longest = app.get(OPS, "/api/calendar/montreal?from=2027-01-01&to=2028-02-04").await.expect(200).body;
    assert_eq!(longest["days"].as_array().unwrap().len(), 400);
    // What is taken stays.
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    app.book(CUSTOMER).await;
    let refused = app.put(OPS, "/api/calendar/montreal/2027-02-17", &crew(1)).await.expect(409);
    assert_eq!(refused.code(), "capacity_taken");
    assert_eq!(day(&app, "2027-02-17").await["taken"]["mates"], 2);
}

async fn absences(db: TestDb) {
    let app = on(db).await;
    let all = free_starts(&app).await;
    assert!(all > 3, "{all}");
    // Of eight mates all but one are away: nobody can come with two.
    let mut ids = Vec::new();
    for n in 1..8 {
        let body = json!({ "mateId": mate(&app, &["montreal"]).await, "from": "2027-02-16", "to": "2027-02-18", "reason": "ill" });
        let made = app.post(OPS, "/api/absences", &body).await.expect(201).body;
        assert_eq!(
            (&made["who"]["type"], &made["who"]["name"], &made["hub"], &made["assigned"]),
            (&json!("mate"), &json!("Zoé Roy"), &json!("montreal"), &json!([]))
        );
        ids.push(made["id"].as_str().unwrap().to_owned());
        let shown = day(&app, "2027-02-17").await;
        assert_eq!((&shown["absent"]["mates"], &shown["offered"]["mates"]), (&json!(n), &json!(8 - n)));
    }
    assert_eq!(free_starts(&app).await, 0);
    let listed = app.get(OPS, "/api/absences?hub=montreal&from=2027-02-18&to=2027-02-28").await.expect(200).body;
    assert_eq!(listed["data"].as_array().unwrap().len(), 7);
    for query in ["hub=toronto", "hub=montreal&from=2027-02-19", "from=2027-02-01&to=2027-02-15"] {
        let none = app.get(OPS, &format!("/api/absences?{query}")).await.expect(200).body;
        assert_eq!(none["data"], json!([]), "{query}");
    }
    assert_eq!(field(&app.get(OPS, "/api/absences?hub=atlantis").await), (422, "hub", "unknown"));
    assert_eq!(field(&app.get(OPS, "/api/absences?from=2027-02-18&to=2027-02-17").await), (422, "to", "out_of_range"));
    for id in &ids {
        delete(&app, &format!("/api/absences/{id}")).await.expect(204);
        delete(&app, &format!("/api/absences/{id}")).await.expect(404);
    }
    assert_eq!(free_starts(&app).await, all, "they are back");
}

async fn what_is_wrong(db: TestDb) {
    let app = on(db).await;
    let (one, two) = (mate(&app, &["montreal"]).await, mate(&app, &["montreal", "toronto"]).await);
    let truck = json!({ "name": "Renard", "size": "20ft", "hub": "montreal" });
    let truck = app.post(OPS, "/api/trucks", &truck).await.expect(201).body["id"].clone();
    let (from, to) = ("2027-02-16", "2027-02-18");
    for (body, name, code) in [
        (json!({ "from": from, "to": to }), "mateId", "required"),
        (json!({ "mateId": one, "truckId": truck, "from": from, "to": to }), "truckId", "invalid"),
        (json!({ "mateId": two, "from": from, "to": to }), "hub", "required"),
        (json!({ "mateId": two, "hub": "vancouver", "from": from, "to": to }), "hub", "invalid"),
        (json!({ "mateId": one, "hub": "atlantis", "from": from, "to": to }), "hub", "unknown"),
        (json!({ "truckId": truck, "hub": "toronto", "from": from, "to": to }), "hub", "invalid"),
        (json!({ "mateId": truck, "from": from, "to": to }), "mateId", "unknown"),
        (json!({ "mateId": "Zoé", "from": from, "to": to }), "mateId", "invalid"),
        (json!({ "mateId": one, "to": to }), "from", "required"),
        (json!({ "mateId": one, "from": to, "to": from }), "to", "out_of_range"),
        (json!({ "mateId": one, "from": from, "to": "2028-02-17" }), "to", "out_of_range"),
        (json!({ "mateId": one, "from": "2027-02-01", "to": "2027-02-07" }), "to", "out_of_range"),
        (json!({ "mateId": one, "from": from, "to": to, "reason": "x".repeat(201) }), "reason", "too_long"),
    ] {
        let refused = app.post(OPS, "/api/absences", &body).await;
        assert_eq!(field(&refused), (422, name, code), "{body}: {}", refused.text);
    }
    // The same key twice is one absence; without it the second one overlaps.
    let body = json!({ "truckId": truck, "from": from, "to": to });
    let send = async || {
        let request = app.builder(OPS, Method::POST, "/api/absences").await.header("idempotency-key", "k1");
        Answer::of(request.json(&body).send().await.unwrap()).await.expect(201)
    };
    let (first, again) = (send().await, send().await);
    assert_eq!((&first.body, again.header("idempotency-replayed")), (&again.body, "true"));
    assert_eq!(first.body["who"], json!({ "type": "truck", "id": truck, "name": "Renard" }));
    assert_eq!(day(&app, from).await["absent"], json!({ "mates": 0, "trucks": { "10ft": 0, "20ft": 1, "26ft": 0 } }));
    let overlaps = app.post(OPS, "/api/absences", &body).await;
    assert_eq!((overlaps.status, overlaps.code()), (409, "absence_overlaps"));
    // Nobody else may look or write.
    for who in [CUSTOMER, MATE] {
        app.get(who, WEEK).await.expect(403);
        app.get(who, "/api/absences").await.expect(403);
        app.post(who, "/api/absences", &body).await.expect(403);
        app.put(who, "/api/calendar/montreal/2027-07-01", &crew(1)).await.expect(403);
    }
    app.get(GUEST, WEEK).await.expect(401);
}

#[actix_web::test]
async fn hubs_on_sqlite() {
    hubs(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn hubs_on_postgres() {
    hubs(TestDb::postgres()).await;
}

#[actix_web::test]
async fn closed_days_on_sqlite() {
    closed_days(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn closed_days_on_postgres() {
    closed_days(TestDb::postgres()).await;
}

#[actix_web::test]
async fn weeks_on_sqlite() {
    weeks(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn weeks_on_postgres() {
    weeks(TestDb::postgres()).await;
}

#[actix_web::test]
async fn days_on_sqlite() {
    days(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn days_on_postgres() {
    days(TestDb::postgres()).await;
}

#[actix_web::test]
async fn absences_on_sqlite() {
    absences(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn absences_on_postgres() {
    absences(TestDb::postgres()).await;
}

#[actix_web::test]
async fn what_is_wrong_on_sqlite() {
    what_is_wrong(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn what_is_wrong_on_postgres() {
    what_is_wrong(TestDb::postgres()).await;
}
