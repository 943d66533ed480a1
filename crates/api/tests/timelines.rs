//! The forty payment timelines of `fixtures/policy-examples.json`, lived through over HTTP: booked
//! by the customer, changed by customer and staff, charged by the workers at the simulated gateway,
//! and compared with what that gateway says it has really done.

use std::panic::AssertUnwindSafe;

use crate::support::{
    Options, TestApp,
    people::{PASSWORD, email},
};
use futures_util::{FutureExt, StreamExt, stream};
use kernel::chrono::{DateTime, Utc};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use service::{
    Actor,
    ports::{StoreError, rates::STANDARD},
};
use store::testing::TestDb;
use test_kit::{
    flat,
    timelines::{
        case::{self, Case},
        ending,
        people::{CUSTOMER, GUEST, House, OPS},
        plan,
    },
};

/// Lives at a time: a case waits for answers most of its time.
const AT_ONCE: usize = 4;

/// Beyond everything that is held back in real time.
fn far() -> DateTime<Utc> {
    "9999-01-01T00:00:00Z".parse().unwrap()
}

impl House for TestApp {
    fn now(&self) -> DateTime<Utc> {
        self.services.clock.now()
    }

    fn move_to(&self, at: DateTime<Utc>) {
        self.clock.move_to(at);
    }

    async fn next(&self, end: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let next: Result<_, StoreError> = self.services.store.read(|u| u.jobs().next_run_at(far())).await;
        next.unwrap().filter(|at| *at <= end)
    }

    /// Two workers, as two replicas would run them, until neither finds anything due.
    async fn rest(&self, _: impl AsyncFn() -> bool) -> Result<(), String> {
        loop {
            let worker =
                |name: &str| service::jobs::work(self.services.clone(), name.to_owned(), std::future::ready(()));
            futures_util::join!(worker("one"), worker("two"));
            // What waits for the gateway waits in real time.
            let now = self.services.clock.now();
            let next: Result<_, StoreError> = self.services.store.read(|u| u.jobs().next_run_at(far())).await;
            if next.unwrap().is_none_or(|at| at > now) {
                return Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    async fn flat_rate(&self, amount: i64) {
        service::rates::load(&self.services, Actor::system(), STANDARD.to_owned(), None, flat::flat(amount))
            .await
            .unwrap();
    }

    async fn session(&self, who: &str) -> String {
        TestApp::session(self, &email(who), PASSWORD).await
    }

    async fn token(&self, cookie: &str) -> String {
        self.token_answer(cookie).await["access_token"].as_str().unwrap().to_owned()
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, self.path(path))
    }

    async fn reconcile(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<usize, String> {
        let report = service::billing::reconcile::run(&self.services, from, until).await.map_err(|e| e.to_string())?;
        case::same("reconciliation", &report.differences, &Vec::new())?;
        Ok(report.transactions)
    }

    async fn jobs(&self) -> (i64, i64) {
        let figures = service::jobs::figures(&self.services).await.unwrap();
        (figures.due, figures.dead)
    }
}

async fn run(case: &Case<'_>, db: TestDb) -> Result<(), String> {
    let people = &[CUSTOMER, OPS];
    let app = TestApp::with(Options { db: Some(db), start: case.booked_at, people, ..Options::default() }).await;
    ending::run(&app, case).await
}

/// Lives through the cases whose names begin so; all without any.
async fn hold(only: &[&str], db: fn() -> TestDb) {
    let file = case::file();
    let examples = file["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 40);
    let chosen: Vec<&Value> = examples
        .iter()
        .filter(|e| only.is_empty() || only.iter().any(|o| e["name"].as_str().unwrap().starts_with(o)))
        .collect();
    assert_eq!(chosen.len(), if only.is_empty() { 40 } else { only.len() });
    let lives = stream::iter(&chosen).map(|example| async move {
        let case = Case::new(example);
        // Beside the others, which share this thread: a request that waits for it seconds long is given up by the server.
        let db = tokio::task::spawn_blocking(db).await.unwrap();
        let ended = AssertUnwindSafe(run(&case, db)).catch_unwind().await;
        let why = match ended {
            Ok(Ok(())) => return None,
            Ok(Err(why)) => why,
            Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "it panicked".to_owned()),
        };
        Some(format!("{}: {why}", example["name"]))
    });
    let mut wrong: Vec<String> = lives.buffer_unordered(AT_ONCE).filter_map(std::future::ready).collect().await;
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
        for (name, wanted) in want.as_object().unwrap() {
            assert_eq!(plan[name], *wanted, "{} {name}", example["name"]);
        }
        plan::agrees_with_the_model(&case, &plan);
    }
}
