//! Rate cards as staff keep them: versions, what is refused, what a preview says and what then happens.

use crate::support::{
    Options, TestApp,
    people::{CUSTOMER, GUEST, OPS},
    requests::{Answer, estimate},
};
use kernel::{BookingId, Money};
use pricing::RateCard;
use reqwest::Method;
use serde_json::{Value, json};
use service::{Actor, Error, ports::bookings::Booking};
use store::testing::TestDb;

/// The first of March in Montréal.
const MARCH: &str = "2027-03-01T05:00:00Z";
const NOBODY: &str = "01900000-0000-7000-8000-000000000000";

async fn on(db: TestDb) -> TestApp {
    TestApp::with(Options { db: Some(db), people: &[CUSTOMER, OPS], ..Options::default() }).await
}

fn cents(v: &Value) -> i64 {
    v.as_str().unwrap().parse::<Money>().unwrap().cents()
}

async fn rows(app: &TestApp) -> Vec<Value> {
    let found = app.get(OPS, "/api/rates?page=1&per_page=100").await.expect(200).body;
    found["data"].as_array().unwrap().clone()
}

/// The key of a version of the standard card.
async fn key(app: &TestApp, version: i64) -> String {
    let all = rows(app).await;
    let row = all.iter().find(|r| r["name"] == "standard" && r["version"] == version).unwrap();
    row["id"].as_str().unwrap().to_owned()
}

/// Version and state of the standard card.
async fn states(app: &TestApp) -> Vec<(i64, String)> {
    let all = rows(app).await;
    let of = |r: &Value| (r["version"].as_i64().unwrap(), r["state"].as_str().unwrap().to_owned());
    all.iter().filter(|r| r["name"] == "standard").map(of).collect()
}

fn named_states(states: &[(i64, &str)]) -> Vec<(i64, String)> {
    states.iter().map(|(version, state)| (*version, (*state).to_owned())).collect()
}

async fn put(app: &TestApp, id: &str, latest: i64, body: &Value) -> Answer {
    let request = app.builder(OPS, Method::PUT, &format!("/api/rates/{id}")).await;
    Answer::of(request.header("if-match", format!("\"{latest}\"")).json(body).send().await.unwrap()).await
}

async fn delete(app: &TestApp, id: &str) -> Answer {
    app.send(OPS, Method::DELETE, &format!("/api/rates/{id}"), None).await
}

/// The figures of a version, as they can be sent again.
async fn figures(app: &TestApp, id: &str) -> Value {
    app.get(OPS, &format!("/api/rates/{id}")).await.expect(200).body["card"].clone()
}

fn with_truck(mut card: Value, dollars: &str) -> Value {
    card["rates"]["default"]["truck_fee_by_tier"] = json!([dollars, dollars, dollars]);
    card
}

async fn stored(app: &TestApp, id: &str) -> Booking {
    let id: BookingId = id.parse().unwrap();
    app.services.store.read(move |u| u.bookings().get(id).map_err(Error::from)).await.unwrap().unwrap()
}

#[actix_web::test]
async fn versions_are_listed_and_shown() {
    let app = on(TestDb::sqlite()).await;
    let list = app.get(OPS, "/api/rates").await.expect(200).body;
    assert_eq!((&list["total"], &list["page"], &list["perPage"]), (&json!(1), &json!(1), &json!(10)));
    let row = list["data"][0].clone();
    assert_eq!(
        (&row["name"], &row["version"], &row["state"], &row["effectiveTo"]),
        (&json!("standard"), &json!(1), &json!("active"), &Value::Null)
    );
    let id = row["id"].as_str().unwrap();
    let one = app.get(OPS, &format!("/api/rates/{id}")).await.expect(200);
    assert_eq!(one.header("etag"), "\"1\"");
    assert_eq!(one.body["latestVersion"], 1);
    for field in ["id", "name", "version", "effectiveFrom", "effectiveTo", "state"] {
        assert_eq!(one.body[field], row[field], "{field}");
    }
    let card = &one.body["card"];
    assert_eq!(card["rates"]["default"]["first_mate_hourly"], "80.00");
    assert_eq!(card["rates"]["default"]["travel_fee_min"], 30);
    assert_eq!((&card["level_one_threshold"], &card["taxes"]["QC"]["rate_ppm"]), (&json!(400), &json!(149_750)));
    app.get(OPS, &format!("/api/rates/{NOBODY}")).await.expect(404);
    app.get(CUSTOMER, "/api/rates").await.expect(403);
    app.get(CUSTOMER, &format!("/api/rates/{id}")).await.expect(403);
    // A page beyond the end has no rows.
    let beyond = app.get(OPS, "/api/rates?page=2&per_page=1").await.expect(200).body;
    assert_eq!((&beyond["data"], &beyond["total"]), (&json!([]), &json!(1)));
}

#[actix_web::test]
async fn every_mistake_is_named_and_nothing_is_saved() {
    let app = on(TestDb::sqlite()).await;
    let id = key(&app, 1).await;
    let mut card = figures(&app, &id).await;
    card["rates"]["default"]["ride_along_fee"] = json!("thirty");
    card["rates"]["ON"]["km_fee"] = json!("-1.00");
    card["rates"]["BC"]["kmfee"] = json!("1.10");
    card["periods"][1]["name"] = json!("qc-moving-day");
    card["duration"]["round_up_to_min"] = json!(0);
    card["duration"].as_object_mut().unwrap().remove("minimum_min");
    // It is 14:00.
    let body = json!({ "card": card, "effectiveFrom": "2027-02-08T13:58:59Z" });
    let refused = put(&app, &id, 1, &body).await.expect(422);
    assert_eq!(refused.code(), "validation_failed");
    let mut wrong: Vec<(&str, &str)> = refused.body["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["field"].as_str().unwrap(), e["code"].as_str().unwrap()))
        .collect();
    wrong.sort_unstable();
    assert_eq!(
        wrong,
        [
            ("card.duration.minimum_min", "required"),
            ("card.duration.round_up_to_min", "out_of_range"),
            ("card.periods[0].name", "invalid"),
            ("card.periods[1].name", "invalid"),
            ("card.rates.BC.kmfee", "unknown"),
            ("card.rates.ON.km_fee", "out_of_range"),
            ("card.rates.default.ride_along_fee", "invalid"),
            ("effectiveFrom", "out_of_range"),
        ]
    );
    let named = refused.body["errors"].as_array().unwrap().iter().find(|e| e["field"] == "card.periods[1].name");
    assert!(named.unwrap()["message"].as_str().unwrap().contains("in use already"), "{}", refused.text);
    let preview = app.post(OPS, &format!("/api/rates/{id}/preview"), &body).await.expect(422);
    assert_eq!(preview.body["errors"].as_array().unwrap().len(), 7);
    // Rates that a province lacks are those for everywhere; a tax that it lacks would be Quebec's.
    let mut card = figures(&app, &id).await;
    card["rates"].as_object_mut().unwrap().remove("ON");
    card["taxes"].as_object_mut().unwrap().remove("ON");
    card["periods"][3]["from"] = json!("07-01");
    card["periods"][9]["multiplier_bp"] = json!(0);
    let refused = put(&app, &id, 1, &json!({ "card": card })).await.expect(422);
    let wrong: Vec<(&str, &str)> = refused.body["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["field"].as_str().unwrap(), e["code"].as_str().unwrap()))
        .collect();
    for named in [
        ("card.periods[3].from", "overlaps"),
        ("card.periods[9].multiplier_bp", "out_of_range"),
        ("card.taxes.ON", "required"),
    ] {
        assert!(wrong.contains(&named), "{named:?} in {wrong:?}");
    }
    assert_eq!(wrong.len(), 3, "{wrong:?}");
    // In words, not by the path alone.
    let words: Vec<&str> =
        refused.body["errors"].as_array().unwrap().iter().map(|e| e["message"].as_str().unwrap()).collect();
    assert!(words.iter().any(|w| w.starts_with("First day (period 4): the days overlap")), "{words:?}");
    assert!(words.iter().any(|w| w.contains("Tax of ON")), "{words:?}");
    let missing = put(&app, &id, 1, &json!({})).await.expect(422);
    assert_eq!((&missing.body["errors"][0]["field"], missing.code()), (&json!("card"), "validation_failed"));
    assert_eq!(states(&app).await, named_states(&[(1, "active")]));
}

async fn a_planned_version_waits_for_its_time(db: TestDb) {
    let app = on(db).await;
    let first = key(&app, 1).await;
    let card = figures(&app, &first).await;
    let body = json!({ "card": with_truck(card.clone(), "40.00"), "effectiveFrom": MARCH });
    let planned = put(&app, &first, 1, &body).await.expect(200);
    assert_eq!(planned.header("etag"), "\"2\"");
    assert_eq!(
        (
            &planned.body["version"],
            &planned.body["state"],
            &planned.body["effectiveFrom"],
            &planned.body["latestVersion"]
        ),
        (&json!(2), &json!("planned"), &json!(MARCH), &json!(2))
    );
    assert_eq!(planned.body["card"]["rates"]["default"]["truck_fee_by_tier"], json!(["40.00", "40.00", "40.00"]));
    let before = app.get(OPS, &format!("/api/rates/{first}")).await.expect(200);
    assert_eq!(
        (before.header("etag"), &before.body["state"], &before.body["effectiveTo"]),
        ("\"2\"", &json!("active"), &json!(MARCH))
    );
    assert_eq!(before.body["card"], card, "no version is changed");

    // Who read the card before cannot add to it.
    let stale = put(&app, &first, 1, &body).await.expect(412);
    assert_eq!(stale.code(), "version_conflict");
    let blind = app.put(OPS, &format!("/api/rates/{first}"), &body).await.expect(428);
    assert_eq!(blind.code(), "version_required");

    // Somebody puts another one in force meanwhile: the planned one keeps its time.
    let mut cheap = RateCard::builtin();
    cheap.rates.default.truck_fee_by_tier = [Money::from_cents(3_300); 3];
    service::rates::load(&app.services, Actor::system(), "standard".to_owned(), None, cheap).await.unwrap();
    assert_eq!(states(&app).await, named_states(&[(3, "active"), (2, "planned"), (1, "past")]));
    assert_eq!(truck(&app).await, ("33.00".to_owned(), 3));
    app.clock.set(MARCH);
    app.run_jobs().await;
    app.tokens.lock().unwrap().clear();
    assert_eq!(states(&app).await, named_states(&[(3, "past"), (2, "active"), (1, "past")]));
    assert_eq!(truck(&app).await, ("40.00".to_owned(), 2));
}

async fn a_planned_version_is_replaced_by_one_of_the_same_instant(db: TestDb) {
    let app = on(db).await;
    let first = key(&app, 1).await;
    let card = figures(&app, &first).await;
    for (version, truck) in [(1, "40.00"), (2, "41.00")] {
        let body = json!({ "card": with_truck(card.clone(), truck), "effectiveFrom": MARCH });
        put(&app, &first, version, &body).await.expect(200);
    }
    // It never counts, so nothing is planned with it.
    assert_eq!(states(&app).await, named_states(&[(3, "planned"), (2, "past"), (1, "active")]));
    app.clock.set(MARCH);
    app.run_jobs().await;
    app.tokens.lock().unwrap().clear();
    assert_eq!(states(&app).await, named_states(&[(3, "active"), (2, "past"), (1, "past")]));
    assert_eq!(truck(&app).await, ("41.00".to_owned(), 3));
}

#[actix_web::test]
async fn a_planned_version_is_replaced_by_one_of_the_same_instant_on_sqlite() {
    a_planned_version_is_replaced_by_one_of_the_same_instant(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn a_planned_version_is_replaced_by_one_of_the_same_instant_on_postgres() {
    a_planned_version_is_replaced_by_one_of_the_same_instant(TestDb::postgres()).await;
}

/// What a visitor is told the truck costs, and by which version.
async fn truck(app: &TestApp) -> (String, i64) {
    let mut body = estimate();
    body["movingDate"] = json!("2027-03-17");
    let price = app.post(GUEST, "/api/booking/estimate", &body).await.expect(200).body;
    let line = price["lines"].as_array().unwrap().iter().find(|l| l["code"] == "truck_fee").unwrap();
    (line["amount"].as_str().unwrap().to_owned(), price["rateVersion"].as_i64().unwrap())
}

#[actix_web::test]
async fn a_planned_version_waits_for_its_time_on_sqlite() {
    a_planned_version_waits_for_its_time(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn a_planned_version_waits_for_its_time_on_postgres() {
    a_planned_version_waits_for_its_time(TestDb::postgres()).await;
}

async fn a_preview_says_what_then_happens(db: TestDb) {
    let app = on(db).await;
    let booked = app.book(CUSTOMER).await;
    let id = booked["id"].as_str().unwrap();
    let (first, path) = (key(&app, 1).await, format!("/api/c/bookings/{id}"));
    let before = app.get(CUSTOMER, &path).await.expect(200).body;
    // The same move as a visitor asks for it, with the leg that was booked.
    let leg = stored(&app, id).await;
    let mut same = estimate();
    same["travelDuration"] = json!(leg.details.travel_minutes);
    same["distanceKm"] = json!(format!("{}.{}", leg.distance_km10 / 10, leg.distance_km10 % 10));
    let old = app.post(GUEST, "/api/booking/estimate", &same).await.expect(200).body;
    assert_eq!(old["total"], booked["total"], "the same move");

    let mut card = figures(&app, &first).await;
    card["rates"]["default"]["first_mate_hourly"] = json!("90.00");
    // Cents are read as well.
    card["rates"]["default"]["truck_fee_by_tier"] = json!([4_000, 6_000, 9_000]);
    let ask = format!("/api/rates/{first}/preview");
    // Beside it two that nobody booked: the same move, and with a helper more on an ordinary day.
    let mut other = same.clone();
    other["mateCount"] = json!(3);
    other.as_object_mut().unwrap().remove("movingDate");
    let ordinary = app.post(GUEST, "/api/booking/estimate", &other).await.expect(200).body;
    let asked = json!({ "card": card, "n": 10, "examples": [same, other] });
    let shown = app.post(OPS, &ask, &asked).await.expect(200).body;
    for (example, now) in shown["examples"].as_array().unwrap().iter().zip([&old, &ordinary]) {
        assert_eq!((&example["old"], &example["oldDuration"]), (&now["total"], &now["duration"]));
        assert_eq!(example["newDuration"], example["oldDuration"], "no figure of time was changed");
    }
    assert_eq!(shown["examples"].as_array().unwrap().len(), 2);
    assert_eq!((&shown["count"], &shown["failed"]), (&json!(1), &json!(0)));
    let row = &shown["data"][0];
    assert_eq!(
        (&row["bookingId"], &row["shortId"], &row["moveDate"]),
        (&booked["id"], &booked["shortId"], &json!("2027-02-17"))
    );
    assert_eq!((&row["booked"], &row["old"]), (&booked["total"], &booked["total"]));
    let more = cents(&row["difference"]);
    assert!(more > 0 && cents(&row["new"]) - cents(&row["old"]) == more, "{row}");
    assert_eq!(
        (&shown["oldSum"], &shown["newSum"], &shown["difference"]),
        (&row["old"], &row["new"], &row["difference"])
    );
    assert_eq!(shown["worst"], json!({ "bookingId": booked["id"], "difference": row["difference"] }));
    // Without figures of its own it is the card of the version.
    let plain = app.post(OPS, &ask, &json!({})).await.expect(200).body;
    assert_eq!((&plain["count"], &plain["difference"]), (&json!(1), &json!("0.00")));
    assert_eq!(plain["examples"], json!([]));
    let (mut unknown, mut crowded) = (same.clone(), same.clone());
    unknown["selectedFurnitures"]["furnitures"][0]["id"] = json!("a-cloud");
    crowded["mateCount"] = json!(21);
    for (examples, field) in [
        (json!([same, unknown]), "examples[1].selectedFurnitures.furnitures[0].id"),
        (json!([crowded]), "examples[0].mateCount"),
        (json!(vec![&same; 21]), "examples"),
    ] {
        let refused = app.post(OPS, &ask, &json!({ "examples": examples })).await.expect(422);
        assert_eq!(refused.body["errors"][0]["field"], field);
    }
    for n in [0, 1_001] {
        let refused = app.post(OPS, &ask, &json!({ "n": n })).await.expect(422);
        assert_eq!(refused.body["errors"][0]["field"], "n");
    }
    app.post(OPS, &format!("/api/rates/{NOBODY}/preview"), &json!({})).await.expect(404);
    app.post(CUSTOMER, &ask, &json!({})).await.expect(403);
    assert_eq!(states(&app).await, named_states(&[(1, "active")]));
    assert_eq!(app.get(CUSTOMER, &path).await.expect(200).body, before);

    // The change itself: a new price moves by what was shown, and the booking stays.
    let done = put(&app, &first, 1, &json!({ "card": card })).await.expect(200);
    assert_eq!((&done.body["version"], &done.body["state"]), (&json!(2), &json!("active")));
    let new = app.post(GUEST, "/api/booking/estimate", &same).await.expect(200).body;
    assert_eq!(cents(&new["total"]) - cents(&old["total"]), more);
    assert_eq!(new["rateVersion"], 2);
    for (example, asked) in shown["examples"].as_array().unwrap().iter().zip([&same, &other]) {
        let now = app.post(GUEST, "/api/booking/estimate", asked).await.expect(200).body;
        assert_eq!(example["new"], now["total"]);
        assert_eq!(cents(&example["difference"]), cents(&example["new"]) - cents(&example["old"]));
    }
    let after = app.get(CUSTOMER, &path).await.expect(200).body;
    assert_eq!((&after["lines"], &after["total"]), (&before["lines"], &before["total"]));
    // Now the card in force is the new one: the old version would give it back.
    let back = app.post(OPS, &ask, &json!({ "n": 1 })).await.expect(200).body;
    assert_eq!(cents(&back["difference"]), -more);
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_preview_says_what_then_happens_on_sqlite() {
    a_preview_says_what_then_happens(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn a_preview_says_what_then_happens_on_postgres() {
    a_preview_says_what_then_happens(TestDb::postgres()).await;
}

#[actix_web::test]
async fn only_what_is_planned_is_removed() {
    let app = on(TestDb::sqlite()).await;
    let first = key(&app, 1).await;
    let card = figures(&app, &first).await;
    let planned = put(&app, &first, 1, &json!({ "card": card, "effectiveFrom": MARCH })).await.expect(200).body;
    let planned = planned["id"].as_str().unwrap();
    assert_eq!(delete(&app, &first).await.expect(409).code(), "rate_in_use");
    delete(&app, planned).await.expect(204);
    delete(&app, planned).await.expect(404);
    app.get(OPS, &format!("/api/rates/{planned}")).await.expect(404);
    assert_eq!(states(&app).await, named_states(&[(1, "active")]));
    let shown = app.get(OPS, &format!("/api/rates/{first}")).await.expect(200);
    assert_eq!((shown.header("etag"), &shown.body["effectiveTo"]), ("\"1\"", &Value::Null));
    // One that was in force stays as well.
    put(&app, &first, 1, &json!({ "card": with_truck(card, "50.00") })).await.expect(200);
    assert_eq!(states(&app).await, named_states(&[(2, "active"), (1, "past")]));
    assert_eq!(delete(&app, &first).await.expect(409).code(), "rate_in_use");
    let id = planned.to_owned();
    let trail = app.services.store.read(move |u| u.audits().of_subject("rate", &id).map_err(Error::from)).await;
    let trail = trail.unwrap();
    let actions: Vec<&str> = trail.iter().map(|row| row.action.as_str()).collect();
    assert!(actions.contains(&"rate.load") && actions.contains(&"rate.remove"), "{actions:?}");
}

#[actix_web::test]
async fn a_new_name_is_a_card_of_its_own() {
    let app = on(TestDb::sqlite()).await;
    let first = key(&app, 1).await;
    let card = with_truck(figures(&app, &first).await, "20.00");
    let body = json!({ "card": card, "name": " movers-of-laval " });
    let made = put(&app, &first, 1, &body).await.expect(200);
    assert_eq!(made.header("etag"), "\"1\"");
    assert_eq!(
        (&made.body["name"], &made.body["version"], &made.body["state"]),
        (&json!("movers-of-laval"), &json!(1), &json!("active"))
    );
    let active = app.get(GUEST, "/api/rates/active?name=movers-of-laval").await.expect(200).body;
    assert_eq!(active["id"], made.body["id"]);
    assert_eq!(states(&app).await, named_states(&[(1, "active")]), "the standard card is as it was");
    assert_eq!(truck(&app).await, ("35.00".to_owned(), 1));
    let names: Vec<Value> = rows(&app).await.into_iter().map(|r| r["name"].clone()).collect();
    assert_eq!(names, [json!("movers-of-laval"), json!("standard")]);
    // A name that another card has: who adds to that one says which version of it they have read.
    let taken = put(&app, &first, 1, &body).await.expect(422);
    assert_eq!(taken.body["errors"][0]["field"], "name");
    let own = made.body["id"].as_str().unwrap();
    let next = put(&app, own, 1, &json!({ "card": card })).await.expect(200).body;
    assert_eq!((&next["name"], &next["version"]), (&json!("movers-of-laval"), &json!(2)));
}

/// A company whose database has no card begins with the figures that come with the program.
async fn a_first_card(db: TestDb) {
    let app = on(db).await;
    let post = |body: Value| {
        let app = &app;
        async move { app.post(OPS, "/api/rates", &body).await }
    };
    let taken = post(json!({})).await.expect(422).body;
    assert_eq!(taken["errors"][0]["field"], "name", "there is a standard card: {taken}");
    assert_eq!(app.post(CUSTOMER, "/api/rates", &json!({ "name": "other" })).await.status, 403);
    let begun = post(json!({ "name": " Hiver " })).await.expect(201).body;
    assert_eq!((&begun["name"], &begun["version"], &begun["state"]), (&json!("Hiver"), &json!(1), &json!("active")));
    let (standard, own) = (key(&app, 1).await, begun["id"].as_str().unwrap());
    assert_eq!(figures(&app, own).await, figures(&app, &standard).await);
    let mut figures = figures(&app, own).await;
    figures["rates"]["default"]["first_mate_hourly"] = json!("-1.00");
    let wrong = post(json!({ "name": "Été", "card": figures })).await.expect(422).body;
    assert_eq!(wrong["errors"][0]["field"], "card.rates.default.first_mate_hourly");
    for name in ["Mai", "Juin", "Juillet", "Août"] {
        let answers = futures_util::future::join_all((0..4).map(|_| post(json!({ "name": name })))).await;
        let with = |status| answers.iter().filter(|a| a.status == status).count();
        assert_eq!((with(201), with(422)), (1, 3), "{name}: one of four at once");
        // The next version: whoever has read the first one and comes second has not read what they would replace.
        let made = answers.iter().find(|a| a.status == 201).unwrap();
        let id = made.body["id"].as_str().unwrap();
        let next = json!({ "card": made.body["card"] });
        let answers = futures_util::future::join_all((0..4).map(|_| put(&app, id, 1, &next))).await;
        let with = |status| answers.iter().filter(|a| a.status == status).count();
        assert_eq!((with(200), with(412)), (1, 3), "{name}: one of four next versions");
    }
}

#[actix_web::test]
async fn a_first_card_on_sqlite() {
    a_first_card(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn a_first_card_on_postgres() {
    a_first_card(TestDb::postgres()).await;
}
