//! One booking, many hands: edits, cancellations, staff, new cards and workers at the same moment.
//! Whatever order they come in, nobody meets a server error and the books balance.

use crate::support::{
    Options, TestApp,
    people::{CUSTOMER, OPS, OTHER},
    requests::{Answer, draft},
};
use futures_util::{FutureExt, future::join_all};
use kernel::chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};
use service::ports::StoreError;
use store::testing::TestDb;

async fn app_on(db: TestDb) -> TestApp {
    TestApp::with(Options { db: Some(db), people: &[CUSTOMER, OTHER, OPS], ..Options::default() }).await
}

async fn booking(app: &TestApp, who: &'static str, date: &str) -> String {
    let made = app.post(who, "/api/bookings", &json!({ "bookingRequest": draft(date, "09:00") })).await.expect(201);
    made.body["id"].as_str().unwrap().to_owned()
}

#[track_caller]
fn civil(answers: &[Answer]) {
    for a in answers {
        assert!(a.status < 500, "{} {}", a.status, a.text);
        assert!(a.status < 400 || !a.code().is_empty(), "{}", a.text);
    }
}

async fn in_order(app: &TestApp) {
    app.run_jobs().await;
    let drift: Result<Vec<String>, StoreError> = app.services.store.read(|u| u.capacities().drift()).await;
    assert_eq!(drift.unwrap(), Vec::<String>::new());
    let now = app.services.clock.now();
    let report = service::billing::reconcile::run(&app.services, now - Duration::days(20), now + Duration::days(2))
        .await
        .unwrap();
    assert_eq!(report.differences, Vec::<String>::new());
}

/// A day after booking, when the deposit is due.
async fn many_hands(db: TestDb) {
    let app = app_on(db).await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let id = booking(&app, CUSTOMER, "2027-02-17").await;
    app.run_jobs().await;
    app.clock.set("2027-02-09T14:00:01Z");
    app.tokens.lock().unwrap().clear();
    for who in [CUSTOMER, OPS] {
        app.token(who).await;
    }
    let (app, own, staff) = (&app, format!("/api/c/bookings/{id}"), format!("/api/bookings/{id}"));
    let hands: Vec<_> = (0..24)
        .map(|i| {
            let (own, staff, id) = (own.clone(), staff.clone(), id.clone());
            async move {
                match i % 8 {
                    0 => app.put(CUSTOMER, &own, &json!({ "mateCount": 2 + i / 8 })).await,
                    1 => app.put(CUSTOMER, &own, &json!({ "date": "2027-02-18", "time": "10:00" })).await,
                    2 => app.put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "assigned" })).await,
                    3 => {
                        let version = app.get(OPS, &staff).await.header("etag").to_owned();
                        let request = app.builder(OPS, Method::PUT, &staff).await.header("if-match", version);
                        Answer::of(request.json(&json!({ "amount": format!("{}.00", 300 + i) })).send().await.unwrap())
                            .await
                    }
                    4 => app.store_card(CUSTOMER, "fake-valid-mastercard-nonce").await,
                    5 => app.get(OPS, &format!("{staff}/ledger")).await,
                    6 => app.post(CUSTOMER, &format!("{own}/preview"), &json!({ "rideAlong": true })).await,
                    // Late enough that others get their turn.
                    _ if i == 23 => {
                        app.send(CUSTOMER, Method::PUT, &format!("/api/c/bookings/cancel/{id}"), None).await
                    }
                    _ => app.get(CUSTOMER, &format!("{own}/cancellation")).await,
                }
            }
        })
        .collect();
    let worker = |name: &str| service::jobs::work(app.services.clone(), name.to_owned(), std::future::ready(()));
    let (answers, (), ()) = futures_util::join!(join_all(hands), worker("one"), worker("two"));
    civil(&answers);
    assert!(answers.iter().any(|a| a.status == 200));
    in_order(app).await;
    let last: Value = app.get(CUSTOMER, &own).await.expect(200).body;
    let ledger = app.get(OPS, &format!("{staff}/ledger")).await.expect(200).body;
    let cents = |v: &Value| v.as_str().unwrap().parse::<kernel::Money>().unwrap().cents();
    let lines = ledger["data"].as_array().unwrap().iter().flat_map(|e| e["lines"].as_array().unwrap());
    let held: i64 = lines.filter(|l| l["account"] == "gateway").map(|l| cents(&l["amount"])).sum();
    // A part of an unsettled charge goes back once it has settled.
    let promised = |p: &&Value| p["kind"] == "refund" && p["state"] == "scheduled";
    let promised: i64 = last["payments"].as_array().unwrap().iter().filter(promised).map(|p| cents(&p["amount"])).sum();
    assert_eq!(held - promised, cents(&last["netPaid"]), "{last}");
    if last["status"] == "cancelled" {
        assert_eq!(cents(&last["kept"]), held - promised, "{last}");
    }
}

#[actix_web::test]
async fn many_hands_on_one_booking_on_sqlite() {
    many_hands(TestDb::sqlite()).boxed_local().await;
}

#[actix_web::test]
async fn many_hands_on_one_booking_on_postgres() {
    many_hands(TestDb::postgres()).boxed_local().await;
}

/// Bookings that change places: each frees what the other takes.
async fn crossing(db: TestDb) {
    let app = app_on(db).await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    app.store_card(OTHER, "fake-valid-nonce").await.expect(200);
    let days = ["2027-02-17", "2027-02-18", "2027-02-19"];
    let mut all = Vec::new();
    for who in [CUSTOMER, OTHER] {
        for day in days {
            all.push((who, booking(&app, who, day).await));
        }
    }
    app.run_jobs().await;
    for round in 1..4 {
        let moves = all.iter().enumerate().map(|(i, (who, id))| {
            let (app, to) = (&app, days[(i * 2 + round) % days.len()]);
            async move { app.put(who, &format!("/api/c/bookings/{id}"), &json!({ "date": to, "time": "09:00" })).await }
        });
        let answers = join_all(moves).await;
        civil(&answers);
        for a in &answers {
            assert!(a.status == 200 || a.code() == "slot_gone", "{} {}", a.status, a.text);
        }
        in_order(&app).await;
    }
}

#[actix_web::test]
async fn bookings_change_places_on_sqlite() {
    crossing(TestDb::sqlite()).boxed_local().await;
}

#[actix_web::test]
async fn bookings_change_places_on_postgres() {
    crossing(TestDb::postgres()).boxed_local().await;
}

/// Tabs of one person who has no card yet: each is stored, and all belong to one customer at the gateway.
async fn first_cards(db: TestDb) {
    let app = app_on(db).await;
    app.token(CUSTOMER).await;
    let answers = join_all((0..8).map(|_| app.store_card(CUSTOMER, "fake-valid-nonce"))).await;
    for a in &answers {
        assert_eq!(a.status, 200, "{}", a.text);
    }
    let mut customers: Vec<&str> = answers.iter().map(|a| a.body["customerId"].as_str().unwrap()).collect();
    customers.sort_unstable();
    customers.dedup();
    assert_eq!(customers.len(), 1, "{customers:?}");
}

#[actix_web::test]
async fn the_first_card_may_be_stored_eight_times_at_once_on_sqlite() {
    first_cards(TestDb::sqlite()).boxed_local().await;
}

#[actix_web::test]
async fn the_first_card_may_be_stored_eight_times_at_once_on_postgres() {
    first_cards(TestDb::postgres()).boxed_local().await;
}
