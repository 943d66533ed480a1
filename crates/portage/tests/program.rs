//! The commands, as somebody types them: a fresh demo, a restart, a second server, a worker of
//! its own, a backup, the operations team, and what production refuses; on both databases.

use std::{
    path::Path,
    process::Output,
    time::{Duration, Instant},
};

use crate::support::{
    customer::{book, browser, draft, previous, sign_in, store_card},
    server::Site,
};
use kernel::chrono::{DateTime, SecondsFormat, Utc};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use store::testing::TestDb;

const NOW: &str = "2027-02-01T13:00:00Z";
const PASSWORD: &str = "portage-demo-2027";

fn stdout(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn stderr(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

async fn customer(web: &Client, site: &Site) -> String {
    sign_in(web, site, "customer@portage.test", PASSWORD).await.unwrap()
}

/// Books a move ten days ahead; its id.
async fn booked(web: &Client, site: &Site, token: &str, key: &str) -> String {
    let answer = book(web, site, token, key, &draft("2027-02-11", "09:00")).await.unwrap();
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(status, StatusCode::CREATED, "{body}");
    body["id"].as_str().unwrap().to_owned()
}

fn mails(site: &Site) -> usize {
    std::fs::read_dir(site.data().join("mail"))
        .map(|d| d.flatten().filter(|e| e.path().extension().is_some_and(|x| x == "eml")).count())
        .unwrap_or(0)
}

/// Waits up to half a minute.
async fn until(what: &str, mut done: impl AsyncFnMut() -> bool) {
    for _ in 0..300 {
        if done().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} did not happen");
}

async fn charges(web: &Client, site: &Site) -> Vec<(String, String)> {
    let list: Value =
        web.get(site.url("/simulators/braintree/transactions")).send().await.unwrap().json().await.unwrap();
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    list["data"].as_array().unwrap().iter().map(|t| (text(&t["status"]), text(&t["amount"]))).collect()
}

/// Book, let the days pass, restart, look again: the same on both databases.
async fn a_booking_lives_on(mut site: Site) {
    let web = browser();
    site.start(&web).await;
    let token = customer(&web, &site).await;
    assert_eq!(store_card(&web, &site, &token).await.unwrap(), StatusCode::OK);
    let id = booked(&web, &site, &token, "k1").await;
    assert_eq!(booked(&web, &site, &token, "k1").await, id, "the same key is the same booking");
    until("the confirmation", async || mails(&site) == 1).await;
    assert!(charges(&web, &site).await.is_empty(), "nothing is due yet");

    let after_a_day: DateTime<Utc> = "2027-02-02T13:00:01Z".parse().unwrap();
    site.set_clock(&after_a_day.to_rfc3339_opts(SecondsFormat::Secs, true));
    until("the deposit", async || charges(&web, &site).await.len() == 1).await;
    site.set_clock("2027-02-09T14:00:00Z");
    until("the balance", async || charges(&web, &site).await.len() == 2).await;

    assert!(site.stop(), "TERM ends it well: {}", site.log_text());
    let reconciled = site.run(&["reconcile"]);
    assert!(
        stdout(&reconciled).starts_with("no difference (2 gateway transactions"),
        "{}{}",
        stdout(&reconciled),
        stderr(&reconciled)
    );

    site.start(&web).await;
    let token = customer(&web, &site).await;
    let list = previous(&web, &site, &token).await.unwrap();
    assert_eq!(list.len(), 1);
    let cents = |t: &str| t.parse::<kernel::Money>().unwrap().cents();
    let paid: i64 = charges(&web, &site).await.iter().map(|(_, amount)| cents(amount)).sum();
    assert_eq!(paid, cents(list[0]["total"].as_str().unwrap()));
    assert!(site.stop());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_booking_lives_on_in_sqlite() {
    a_booking_lives_on(Site::new(NOW)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_booking_lives_on_in_postgres() {
    let db = TestDb::postgres();
    a_booking_lives_on(Site::new(NOW).on_database(db.url().to_owned())).await;
}

/// Lanes, in the program as it is started: a charge that the gateway keeps waiting keeps no letter
/// and no lapsed hold waiting, even with one loop a lane.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_gateway_holds_up_no_letter() {
    let (web, mut site) = (browser(), Site::new(NOW).with("PORTAGE_JOB_LOOPS", "1"));
    site.start(&web).await;
    let token = customer(&web, &site).await;
    assert_eq!(store_card(&web, &site, &token).await.unwrap(), StatusCode::OK);
    booked(&web, &site, &token, "k1").await;
    until("the confirmation", async || mails(&site) == 1).await;
    let control = site.url("/simulators/braintree/control");
    let slow = json!({ "outcomes": [{ "outcome": "approve", "operation": "charge", "delayBeforeMs": 60_000 }] });
    assert!(web.post(&control).json(&slow).send().await.unwrap().status().is_success());
    site.set_clock("2027-02-02T13:00:01Z");
    until("the charge at the gateway", async || {
        let state: Value = web.get(&control).send().await.unwrap().json().await.unwrap();
        state["queued"] == json!([])
    })
    .await;
    let asked = Instant::now();
    let reset = json!({ "email": "customer@portage.test" });
    let answer = web.post(site.url("/identity/api/forgot-password")).json(&reset).send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.status());
    until("the letter", async || mails(&site) == 2).await;
    assert!(asked.elapsed() < Duration::from_secs(5), "a letter after {:?}", asked.elapsed());
    assert!(charges(&web, &site).await.is_empty(), "the gateway was not slow");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_folder_has_one_server_and_any_number_of_workers() {
    let (web, mut site) = (browser(), Site::new(NOW));
    site.start_with(&web, &["serve", "--no-worker"]).await;
    let second = site.run(&["serve"]);
    assert!(!second.status.success() && stderr(&second).contains("another Portage"), "{}", stderr(&second));

    let token = customer(&web, &site).await;
    store_card(&web, &site, &token).await.unwrap();
    booked(&web, &site, &token, "k1").await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(mails(&site), 0, "nobody works on jobs");
    let worker = site.spawn(&["worker"]);
    until("the confirmation", async || mails(&site) == 1).await;
    site.set_clock("2027-02-02T13:00:01Z");
    until("the deposit", async || charges(&web, &site).await.len() == 1).await;

    let copy = site.path().join("copy.db");
    let name = copy.to_str().unwrap();
    assert!(site.run(&["backup", name]).status.success());
    assert!(!site.run(&["backup", name]).status.success(), "a backup overwrites nothing");
    let running = site.run(&["reconcile"]);
    assert!(stdout(&running).starts_with("no difference (1 gateway"), "{}{}", stdout(&running), stderr(&running));
    assert!(worker.stop());
    assert!(site.stop());

    // The copy alone is a whole database.
    let mut restored = Site::new("2027-02-02T13:00:02Z").on_database(format!("sqlite://{name}"));
    restored.start(&web).await;
    let token = customer(&web, &restored).await;
    assert_eq!(previous(&web, &restored, &token).await.unwrap().len(), 1);
    // Its gateway knows nothing: the difference is found, and told by exit code.
    assert!(restored.stop());
    let found = restored.run(&["reconcile"]);
    assert!(!found.status.success() && stdout(&found).contains("difference: "), "{}", stdout(&found));
}

#[test]
fn migrating_and_seeding_twice_changes_nothing() {
    let site = Site::new(NOW);
    assert!(stdout(&site.run(&["migrate"])).contains("applied "));
    assert_eq!(stdout(&site.run(&["migrate"])), "the database is at this version already\n");
    for _ in 0..2 {
        let seeded = site.run(&["seed", "--demo"]);
        assert!(seeded.status.success() && stdout(&seeded).contains("ops@portage.test"), "{}", stderr(&seeded));
    }
    let new = ["ops", "add", "--email", "nadia@move.example", "--first-name", "Nadia", "--last-name", "Ng"];
    assert!(stdout(&site.run(&new)).contains("is now ops"));
    let again = site.run(&new);
    assert!(!again.status.success() && stderr(&again).contains("a member already"), "{}", stderr(&again));
    let mate = ["ops", "add", "--mate", "--email", "liu@move.example", "--first-name", "Liu", "--last-name", "Wen"];
    let told = stdout(&site.run(&mate));
    assert!(told.contains("is now mate; bookings can be assigned to them"), "{told}");
}

/// What an operator takes away while the server runs is gone at once, on whichever database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_ends_rights_while_the_server_runs() {
    for db in TestDb::both() {
        let web = browser();
        let mut site = Site::new(NOW).on_database(db.url().to_owned());
        site.start(&web).await;
        let profile = async |token: &str| {
            let answer = web.get(site.url("/api/profiles/")).bearer_auth(token).send().await.unwrap();
            (answer.status(), answer.json::<Value>().await.unwrap()["role"].as_str().unwrap_or_default().to_owned())
        };
        let ops = sign_in(&web, &site, "ops@portage.test", PASSWORD).await.unwrap();
        assert_eq!(profile(&ops).await, (StatusCode::OK, "ops".to_owned()));
        let removed = site.run(&["ops", "remove", "--email", "OPS@portage.test"]);
        assert!(stdout(&removed).contains("is not ops any more"), "{}", stderr(&removed));
        assert_eq!(profile(&ops).await.0, StatusCode::UNAUTHORIZED);
        let now = sign_in(&web, &site, "ops@portage.test", PASSWORD).await.unwrap();
        assert_eq!(profile(&now).await, (StatusCode::OK, "customer".to_owned()));

        let token = customer(&web, &site).await;
        let account = ["accounts", "disable", "--email", "customer@portage.test"];
        assert!(stdout(&site.run(&account)).contains("is locked out"));
        assert_eq!(profile(&token).await.0, StatusCode::UNAUTHORIZED);
        let enable = ["accounts", "enable", "--email", "customer@portage.test"];
        assert!(stdout(&site.run(&enable)).contains("may sign in again"));
        assert_eq!(profile(&token).await.0, StatusCode::UNAUTHORIZED, "the old session stays ended");
        let again = customer(&web, &site).await;
        assert_eq!(profile(&again).await.0, StatusCode::OK);
        for nobody in [
            ["ops", "remove", "--email", "nobody@portage.test"],
            ["accounts", "disable", "--email", "nobody@portage.test"],
        ] {
            assert!(!site.run(&nobody).status.success(), "{nobody:?}");
        }
        assert!(site.stop());
    }
}

fn alone(arguments: &[&str], variables: &[(&str, &str)], folder: &Path) -> Output {
    std::process::Command::new(env!("CARGO_BIN_EXE_portage"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

#[test]
fn production_says_all_that_is_missing_and_starts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["serve", "worker", "migrate", "reconcile"] {
        let out = alone(&[command], &[("PORTAGE_MODE", "production"), ("PORTAGE_CLOCK_FILE", "clock")], folder.path());
        assert!(!out.status.success());
        for variable in [
            "PORTAGE_PUBLIC_URL",
            "PORTAGE_PAYMENTS_PRIVATE_KEY",
            "PORTAGE_MAPS_TOKEN",
            "PORTAGE_SMTP_URL",
            "PORTAGE_CLOCK_FILE",
        ] {
            assert!(stderr(&out).contains(variable), "{command}: {variable} is not in\n{}", stderr(&out));
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
    let checked = alone(&["check-config"], &[("PORTAGE_MODE", "production")], folder.path());
    assert!(!checked.status.success() && stdout(&checked).contains("PORTAGE_SMTP_URL"));
    let wrong = alone(&["fly"], &[], folder.path());
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn settings_may_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("portage.toml"),
        "bind = \"127.0.0.1:9099\"\ncompany_name = \"Déménagements Roy\"\n",
    )
    .unwrap();
    let out = alone(&["check-config"], &[("PORTAGE_COMPANY_PHONE", "514-555-0199")], folder.path());
    let text = stdout(&out);
    assert!(out.status.success(), "{text}");
    for part in ["127.0.0.1:9099", "http://localhost:9099", "Déménagements Roy", "PORTAGE_COMPANY_PHONE=514-555-0199"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn the_openapi_document_needs_no_settings() {
    let folder = tempfile::tempdir().unwrap();
    let out = alone(&["openapi"], &[("PORTAGE_MODE", "production")], folder.path());
    let document: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["paths"]["/api/booking/estimate"]["post"].is_object());
}

/// The demo that a person tries first: moves in every status there is a way to, with money that adds up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demo_with_history_has_moves_in_every_status() {
    for db in TestDb::both() {
        let web = browser();
        let mut site = Site::new(NOW).on_database(db.url().to_owned());
        let read = async |site: &Site| {
            let admin = sign_in(&web, site, "admin@portage.test", PASSWORD).await.unwrap();
            let mut all = Vec::new();
            for page in 1..=2 {
                let filters = [(
                    "filters",
                    "{\"status\":[\"pending\",\"assigned\",\"completed\",\"invoiced\",\"payed\",\"cancelled\",\"deleted\"]}",
                )];
                let asked = web.get(site.url(&format!("/api/filter?per_page=50&page={page}"))).query(&filters);
                let answer: Value = asked.bearer_auth(&admin).send().await.unwrap().json().await.unwrap();
                all.extend(answer["data"].as_array().unwrap_or_else(|| panic!("{answer}")).clone());
            }
            all
        };
        let arguments = ["serve", "--with-history"];
        site.start_with(&web, &arguments).await;
        let bookings = read(&site).await;
        let of = |name: &str, value: &str| bookings.iter().filter(|b| b[name] == value).count();
        for status in ["pending", "assigned", "completed", "invoiced", "payed", "cancelled", "deleted"] {
            assert!(of("status", status) > 0, "{status}: {}\n{}", bookings.len(), site.log_text());
        }
        assert_eq!(bookings.len(), 24);
        assert_eq!(of("paymentState", "problem"), 1);
        let compared = site.run(&["reconcile"]);
        assert!(compared.status.success(), "{}{}", stdout(&compared), stderr(&compared));
        assert!(mails(&site) > 40, "{} mails", mails(&site));
        // Guests who asked a person, with the move as it stood.
        let admin = sign_in(&web, &site, "admin@portage.test", PASSWORD).await.unwrap();
        let get = async |path: String| {
            web.get(site.url(&path)).bearer_auth(&admin).send().await.unwrap().json::<Value>().await.unwrap()
        };
        let asked = get("/api/quote-requests".to_owned()).await;
        let states: Vec<&Value> = asked["data"].as_array().unwrap().iter().map(|r| &r["state"]).collect();
        assert_eq!(states, ["new", "answering", "closed"], "{asked}");
        for one in asked["data"].as_array().unwrap() {
            let record = get(format!("/api/quote-requests/{}", one["id"].as_str().unwrap())).await;
            assert_eq!(record["bookingRequest"]["pickup"]["city"], one["from"], "{record}");
        }
        // Its owners see theirs; the demo's own customer begins with none.
        let token = customer(&web, &site).await;
        assert_eq!(previous(&web, &site, &token).await.unwrap().len(), 0);
        // A second start adds nothing.
        assert!(site.stop());
        site.start_with(&web, &arguments).await;
        assert_eq!(read(&site).await.len(), 24);
        assert!(site.stop());
    }
}
