//! The forty payment timelines of `fixtures/policy-examples.json`, lived through over HTTP: booked
//! by the customer, changed by customer and staff, charged by the workers at the simulated gateway,
//! and compared with what that gateway says it has really done.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

#[path = "timelines/case.rs"]
mod case;
#[path = "timelines/life.rs"]
mod life;
#[path = "timelines/plan.rs"]
mod plan;

use std::panic::AssertUnwindSafe;

use case::{Case, cents, same};
use futures_util::{FutureExt, StreamExt, stream};
use kernel::chrono::Duration;
use serde_json::{Value, json};
use store::testing::TestDb;
use support::{
    Options, TestApp,
    people::{CUSTOMER, GUEST, OPS},
};

/// Lives at a time: a case waits for answers most of its time.
const AT_ONCE: usize = 4;

async fn world(case: &Case<'_>, db: TestDb) -> TestApp {
    TestApp::with(Options { db: Some(db), start: case.booked_at, people: &[CUSTOMER, OPS], ..Options::default() }).await
}

async fn run(case: &Case<'_>, db: TestDb) -> Result<(), String> {
    let app = world(case, db).await;
    let mut sessions = life::Sessions::default();
    sessions.renew(&app).await;
    life::flat_rate(&app, case.input["amount"].as_i64().unwrap()).await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let outcomes = case.outcomes();
    if !outcomes.is_empty() {
        app.post(GUEST, "/simulators/braintree/control", &json!({ "outcomes": outcomes })).await.expect(200);
    }
    let mut body = json!({ "bookingRequest": case.draft() });
    if let Some(tip) = case.input["tip"].as_i64() {
        body["tipRequest"] = json!({ "type": "amount", "value": case::dollars(tip).replace('.', ",") });
    }
    let made = app.post(CUSTOMER, "/api/bookings", &body).await;
    if made.status != 201 {
        return Err(format!("booking: {}", made.text));
    }
    let (made, output) = (made.body, case.output);
    same("total at booking", cents(&made["total"]), output["total_at_booking"].as_i64().unwrap())?;
    same("mode", &made["paymentPlan"]["mode"], &case.mode())?;
    same("plan of the booking", &made["paymentPlan"]["charges"], &plan::charges(case))?;
    same("windows of the booking", &made["paymentPlan"]["cancellation"], &plan::windows(case))?;
    let id = made["id"].as_str().unwrap().to_owned();
    life::live(&app, case, &id, &mut sessions).await?;
    sessions.renew(&app).await;

    same("timeline", life::timeline(&app, &id).await?, case.money())?;
    let b = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200).body;
    same("status", &b["status"], &output["final_status"])?;
    same("final total", cents(&b["total"]), output["final_total"].as_i64().unwrap())?;
    same("lines", b["lines"].as_array().unwrap().iter().map(|l| cents(&l["amount"])).sum::<i64>(), cents(&b["amount"]))?;
    let sum = |wanted: &dyn Fn(&str) -> bool| {
        let settled = b["payments"].as_array().unwrap().iter().filter(|p| !p["settledAt"].is_null());
        settled.filter(|p| wanted(p["kind"].as_str().unwrap())).map(|p| cents(&p["amount"])).sum::<i64>()
    };
    let figure = |name: &str| output[name].as_i64().unwrap();
    same("captured", sum(&|k| k != "refund" && k != "tip"), figure("captured"))?;
    same("refunded", sum(&|k| k == "refund"), figure("refunded"))?;
    same("tip", sum(&|k| k == "tip"), figure("tip_charged"))?;
    same("net paid", cents(&b["netPaid"]), figure("net_kept"))?;
    if figure("tip_charged") > 0 {
        same("tip is paid", &b["tip"]["isPaid"], &json!(true))?;
    }
    books_balance(&app, &id, case).await
}

/// Ledger over HTTP, gateway against ledger, and a queue that came to rest.
async fn books_balance(app: &TestApp, id: &str, case: &Case<'_>) -> Result<(), String> {
    let net = case.output["net_kept"].as_i64().unwrap() + case.output["tip_charged"].as_i64().unwrap();
    let ledger = app.get(OPS, &format!("/api/bookings/{id}/ledger")).await.expect(200).body;
    let mut at_gateway = 0;
    for entry in ledger["data"].as_array().unwrap() {
        let lines = entry["lines"].as_array().unwrap();
        same("an entry of the ledger", lines.iter().map(|l| cents(&l["amount"])).sum::<i64>(), 0)?;
        at_gateway += lines.iter().filter(|l| l["account"] == "gateway").map(|l| cents(&l["amount"])).sum::<i64>();
    }
    same("ledger", at_gateway, net)?;
    let (from, until) = (case.booked_at - Duration::days(1), case.move_at + Duration::days(60));
    let report = service::billing::reconcile::run(&app.services, from, until).await.map_err(|e| e.to_string())?;
    same("reconciliation", &report.differences, &Vec::new())?;
    same("transactions compared", report.transactions > 0, !case.money().is_empty())?;
    let figures = service::jobs::figures(&app.services).await.map_err(|e| e.to_string())?;
    same("jobs due and dead", (figures.due, figures.dead), (0, 0))
}

/// Lives through the cases whose names begin so; all without any.
async fn hold(only: &[&str], db: fn() -> TestDb) {
    let file = case::file();
    let examples = file["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 40);
    let chosen: Vec<&Value> =
        examples.iter().filter(|e| only.is_empty() || only.iter().any(|o| e["name"].as_str().unwrap().starts_with(o))).collect();
    assert_eq!(chosen.len(), if only.is_empty() { 40 } else { only.len() });
    let lives = stream::iter(&chosen).map(|example| async move {
        let case = Case::new(example);
        let ended = AssertUnwindSafe(run(&case, db())).catch_unwind().await;
        let why = match ended {
            Ok(Ok(())) => return None,
            Ok(Err(why)) => why,
            Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "it panicked".to_owned()),
        };
        Some(format!("{}: {why}", example["name"]))
    });
    let mut wrong: Vec<String> = lives.buffer_unordered(AT_ONCE).filter_map(async |w| w).collect().await;
    wrong.sort();
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), chosen.len(), wrong.join("\n"));
}

#[actix_web::test]
async fn all_forty_hold_over_http_on_sqlite() {
    hold(&[], TestDb::sqlite).await;
}

#[actix_web::test]
async fn all_forty_hold_over_http_on_postgres() {
    hold(&[], TestDb::postgres).await;
}

/// `POST /api/booking/payment-plan`, which guests see before they book.
#[actix_web::test]
async fn the_plans_of_all_forty_are_told_to_guests() {
    let app = TestApp::with(Options { people: &[], ..Options::default() }).await;
    let file = case::file();
    for example in file["examples"].as_array().unwrap() {
        let case = Case::new(example);
        let body = json!({
            "total": case::dollars(case.total()),
            "moveAt": case.move_at,
            "bookedAt": case.booked_at,
            "province": case.input["province"],
        });
        let plan = app.post(GUEST, "/api/booking/payment-plan", &body).await.expect(200).body;
        let want = json!({
            "mode": case.mode(),
            "charges": plan::charges(&case),
            "cancellation": plan::windows(&case),
            "zone": case.input["timezone"],
        });
        assert_eq!(plan, want, "{}", example["name"]);
        plan::agrees_with_the_model(&case, &plan);
    }
}
