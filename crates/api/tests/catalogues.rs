//! Mates, partners and trucks as staff keep them.

use crate::support;

use reqwest::Method;
use serde_json::{Value, json};
use store::testing::TestDb;
use support::{
    Options, TestApp,
    people::{CUSTOMER, MATE, OPS, PARTNER, email},
    requests::Answer,
};

async fn write(app: &TestApp, path: &str, record: &Value, body: &Value) -> Answer {
    let path = format!("{path}/{}", record["id"].as_str().unwrap());
    let request = app.builder(OPS, Method::PUT, &path).await.header("if-match", format!("\"{}\"", record["version"]));
    Answer::of(request.json(body).send().await.unwrap()).await
}

async fn mates(db: TestDb) {
    let app = TestApp::with(Options { db: Some(db), people: &[CUSTOMER, MATE, OPS], ..Options::default() }).await;
    let body = json!({
        "name": " Zoé   Tremblay ", "phone": "514 555-0161", "email": "zoe@portage.test", "neq": "11 4392 0115",
        "tps": "123456782rt0001", "tvq": "1234567890 tq 0001", "skills": ["piano", " piano ", ""], "languages": ["fr", "en"],
        "hubs": ["montreal"], "payRate": "24.50",
        "address": { "street": "1200 Rue Peel", "city": "Montréal", "province": "QC", "postalCode": "h3b2t6" },
        "documents": [{ "kind": "Driving licence", "number": "T-1", "expiresOn": "2027-02-07" }, { "kind": "Insurance", "expiresOn": "2027-02-08" }],
    });
    let made = app.post(OPS, "/api/mate", &body).await.expect(201).body;
    let id = made["mateID"].as_str().unwrap();
    assert!(id.starts_with("M-") && id.len() == 6, "{id}");
    assert_eq!(
        (&made["name"], &made["neq"], &made["tps"], &made["tvq"]),
        (&json!("Zoé Tremblay"), &json!("1143920115"), &json!("123456782RT0001"), &json!("1234567890TQ0001"))
    );
    assert_eq!(
        (&made["skills"], &made["state"], &made["payRate"], &made["address"]["postalCode"]),
        (&json!(["piano"]), &json!("active"), &json!("24.50"), &json!("H3B 2T6"))
    );
    // A paper counts on its last day.
    assert_eq!(
        (&made["documents"][0]["expired"], &made["documents"][1]["expired"], &made["hasExpiredDocument"]),
        (&json!(true), &json!(false), &json!(true))
    );
    for (value, total) in
        [("zoe", 1), ("TREMBLAY zoé", 1), ("5550161", 1), (id, 1), ("zoe%40portage", 1), ("nobody", 0)]
    {
        let found = app.get(OPS, &format!("/api/mate?value={value}")).await.expect(200).body;
        assert_eq!(found["total"], total, "{value}");
    }
    let all = app.get(OPS, "/api/mate?page=1&per_page=1").await.expect(200).body;
    assert_eq!((&all["total"], all["data"].as_array().unwrap().len()), (&json!(9), 1), "with the mates of the tests");
    // The address is another mate's.
    let mut other = body.clone();
    other["email"] = json!(email(MATE));
    let taken = app.post(OPS, "/api/mate", &other).await;
    assert_eq!((taken.status, taken.code()), (409, "member_exists"));
    // Whoever works at the desk may be a mate as well, and stays staff.
    other["email"] = json!(email(OPS));
    let both = app.post(OPS, "/api/mate", &other).await.expect(201).body;
    app.tokens.lock().unwrap().clear();
    assert_eq!(app.get(OPS, "/api/mate").await.status, 200);
    other["state"] = json!("archived");
    write(&app, "/api/mate", &both, &other).await.expect(200);
    app.tokens.lock().unwrap().clear();
    assert_eq!(app.get(OPS, "/api/mate").await.status, 200);
    // A mate on a move to come is not archived.
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let booking = app.book(CUSTOMER).await;
    app.put(
        OPS,
        &format!("/api/bookings/status/{}", booking["id"].as_str().unwrap()),
        &json!({ "status": "assigned" }),
    )
    .await
    .expect(200);
    // Mates and customer are told.
    app.run_jobs().await;
    let assigned = app.get(OPS, &format!("/api/bookings/{}", booking["id"].as_str().unwrap())).await.expect(200).body;
    let name = assigned["crew"][0]["name"].as_str().unwrap();
    let listed = app.get(OPS, "/api/mate?per_page=100").await.expect(200).body;
    let on_it = listed["data"].as_array().unwrap().iter().find(|m| m["name"] == name).unwrap();
    let gone = json!({ "name": name, "state": "archived" });
    let refused = write(&app, "/api/mate", on_it, &gone).await;
    assert_eq!((refused.status, refused.code()), (409, "mate_has_jobs"), "{}", refused.text);
    assert!(refused.text.contains(" 1 "), "{}", refused.text);
    assert_eq!(write(&app, "/api/mate", &json!({ "id": made["id"], "version": 7 }), &body).await.status, 412);
    assert_eq!(app.get(MATE, "/api/mate").await.status, 403);
}

#[actix_web::test]
async fn mates_on_sqlite() {
    mates(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn mates_on_postgres() {
    mates(TestDb::postgres()).await;
}

#[actix_web::test]
async fn who_is_archived_signs_in_as_a_mate_no_more() {
    let app = TestApp::with(Options { people: &[MATE, OPS], ..Options::default() }).await;
    let me = async || app.get(MATE, "/api/profiles/").await;
    assert_eq!(me().await.expect(200).body["role"], "mate");
    let listed = app.get(OPS, "/api/mate").await.expect(200).body["data"][0].clone();
    let body = json!({ "name": listed["name"], "email": listed["email"], "state": "archived" });
    write(&app, "/api/mate", &listed, &body).await.expect(200);
    assert_eq!(me().await.status, 401, "the session has ended");
    app.tokens.lock().unwrap().clear();
    assert_eq!(me().await.expect(200).body["role"], "customer");
}

#[actix_web::test]
async fn wrong_numbers_and_fields_of_a_mate_are_named_all_at_once() {
    let app = TestApp::with(Options { people: &[OPS], ..Options::default() }).await;
    let body = json!({
        "name": "X", "phone": "12", "email": "nobody", "neq": "4412345678", "tps": "123456789RT0001", "tvq": "123TQ0001",
        "hubs": ["montreal", "atlantis"], "documents": [{ "kind": " ", "expiresOn": "2027-12-31" }], "payRate": "-1.00",
    });
    let answer = app.post(OPS, "/api/mate", &body).await;
    let fields: Vec<&str> =
        answer.body["errors"].as_array().unwrap().iter().map(|e| e["field"].as_str().unwrap()).collect();
    assert_eq!(answer.status, 422);
    assert_eq!(fields, ["phone", "email", "neq", "tps", "tvq", "hubs[1]", "documents[0].kind", "payRate"]);
    let half =
        json!({ "name": "X", "address": { "street": "1200 Rue Peel", "city": "Montréal", "postalCode": "nothing" } });
    let answer = app.post(OPS, "/api/mate", &half).await;
    assert_eq!((answer.status, &answer.body["errors"][0]["field"]), (422, &json!("address.postalCode")));
    // Who works is not invited again.
    let made = app.post(OPS, "/api/mate", &json!({ "name": "X" })).await.expect(201).body;
    let answer = write(&app, "/api/mate", &made, &json!({ "name": "X", "state": "invited" })).await;
    let told = &answer.body["errors"][0];
    assert_eq!((answer.status, &told["field"], &told["code"]), (422, &json!("state"), &json!("contradicts")));
}

#[actix_web::test]
async fn partners() {
    let app = TestApp::with(Options { people: &[PARTNER, OPS], ..Options::default() }).await;
    let body = json!({
        "name": "Meubles Outremont", "rateName": "standard", "netDays": 45,
        "addresses": [{ "street": "1200 Avenue Bernard", "city": "Montréal", "province": "QC", "postalCode": "H2V 1V3" }],
        "contacts": [{ "name": "Paul Gagnon", "email": "paul@outremont.test", "phone": "514-555-0170" }],
    });
    let made = app.post(OPS, "/api/partner", &body).await.expect(201).body;
    let number = made["partnerID"].as_str().unwrap();
    assert!(number.starts_with("P-"), "{number}");
    assert_eq!(
        (&made["netDays"], &made["state"], &made["rateName"]),
        (&json!(45), &json!("active"), &json!("standard"))
    );
    assert_eq!(
        (&made["addresses"][0]["fullAddress"].is_string(), &made["contacts"][0]["name"]),
        (&true, &json!("Paul Gagnon"))
    );
    for (query, total) in [
        (format!("partnerID={number}"), 1),
        ("partnerID=P-9999".to_owned(), 0),
        ("value=gagnon".to_owned(), 1),
        ("state=suspended".to_owned(), 0),
    ] {
        assert_eq!(app.get(OPS, &format!("/api/partner?{query}")).await.expect(200).body["total"], total, "{query}");
    }
    let mut next = body.clone();
    (next["state"], next["rateName"]) = (json!("suspended"), Value::Null);
    let put = write(&app, "/api/partner", &made, &next).await.expect(200).body;
    assert_eq!((&put["state"], &put["rateName"], &put["version"]), (&json!("suspended"), &Value::Null, &json!(2)));
    assert_eq!(write(&app, "/api/partner", &made, &next).await.status, 412);
    for (field, value) in
        [("rateName", json!("unknown")), ("netDays", json!(400)), ("name", json!(" ")), ("state", json!("gone"))]
    {
        let mut wrong = body.clone();
        wrong[field] = value;
        let answer = app.post(OPS, "/api/partner", &wrong).await;
        assert_eq!((answer.status, &answer.body["errors"][0]["field"]), (422, &json!(field)), "{}", answer.text);
    }
    assert_eq!(app.get(PARTNER, "/api/partner").await.status, 403);
}

async fn trucks(db: TestDb) {
    let app = TestApp::with(Options { db: Some(db), people: &[OPS], ..Options::default() }).await;
    let body = json!({ "name": "Big Blue", "size": "26ft", "hub": "montreal", "plate": "l123456", "inspectedUntil": "2027-02-07" });
    let made = app.post(OPS, "/api/trucks", &body).await.expect(201).body;
    assert_eq!(
        (&made["size"], &made["plate"], &made["expired"], &made["state"]),
        (&json!("26ft"), &json!("L123456"), &json!(true), &json!("active"))
    );
    let mut second = body.clone();
    second["name"] = json!("BIG blue");
    let taken = app.post(OPS, "/api/trucks", &second).await;
    assert_eq!((taken.status, taken.code()), (409, "truck_name_taken"));
    // Of another hub, or of one that is gone, a name may be used again.
    second["hub"] = json!("quebec-city");
    let answer = app.post(OPS, "/api/trucks", &second).await;
    assert_eq!(answer.status, if geography::hub("quebec-city").is_some() { 201 } else { 422 });
    let mut gone = body.clone();
    gone["state"] = json!("archived");
    write(&app, "/api/trucks", &made, &gone).await.expect(200);
    app.post(OPS, "/api/trucks", &body).await.expect(201);
    let mut nowhere = body.clone();
    (nowhere["name"], nowhere["hub"]) = (json!("Other"), json!("atlantis"));
    let answer = app.post(OPS, "/api/trucks", &nowhere).await;
    assert_eq!((answer.status, &answer.body["errors"][0]["field"]), (422, &json!("hub")));
}

#[actix_web::test]
async fn trucks_on_sqlite() {
    trucks(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn trucks_on_postgres() {
    trucks(TestDb::postgres()).await;
}

#[actix_web::test]
async fn a_mate_is_sent_back_as_it_was_read() {
    let app = TestApp::with(Options { people: &[OPS], ..Options::default() }).await;
    let mate = app.post(OPS, "/api/mate", &json!({ "name": "Nadia Roy" })).await.expect(201).body;
    assert_eq!((&mate["neq"], &mate["tps"], &mate["tvq"]), (&Value::Null, &Value::Null, &Value::Null));
    let body = json!({ "name": "Nadia Roy", "phone": "", "email": "", "neq": null, "tps": null, "tvq": null });
    let kept = write(&app, "/api/mate", &mate, &body).await.expect(200).body;
    assert_eq!((&kept["name"], &kept["neq"]), (&json!("Nadia Roy"), &Value::Null));
}
