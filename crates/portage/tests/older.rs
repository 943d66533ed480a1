//! A new program on the database of the version before: only a server and `portage migrate` bring it forward.

use std::{collections::BTreeMap, process::Output, time::Duration};

use crate::support::{
    customer::{browser, sign_in},
    root,
    server::{Site, production},
};
use serde_json::{Value, json};
use service::ports::{
    StoreError,
    lists::{Listing, Order, Start},
};
use status_machine::booking::Status;
use store::testing::TestDb;

const NOW: &str = "2027-02-01T13:00:00Z";

fn output_text(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

/// The newest migration counts as not run.
const TAKE_BACK: &str = "DELETE FROM __diesel_schema_migrations WHERE version = \
     (SELECT MAX(version) FROM __diesel_schema_migrations)";

fn is_refused(site: &Site, commands: &[&[&str]]) {
    for command in commands {
        let out = site.run(command);
        let words = output_text(&out);
        assert!(!out.status.success(), "{command:?}: {words}");
        for part in ["is of an older version", "a backup with the program of before", "portage migrate"] {
            assert!(words.contains(part), "{command:?}: {part} is not in {words}");
        }
    }
    assert_eq!(site.spawn(&["worker"]).ended(Duration::from_secs(20)), Some(false));
}

const COMMANDS: &[&[&str]] = &[
    &["rates", "show"],
    &["calendar", "show"],
    &["jobs", "list"],
    &["ops", "add", "--email", "a@b.ca", "--first-name", "A", "--last-name", "B", "--admin"],
    &["accounts", "disable", "--email", "a@b.ca"],
    &["reconcile"],
];

#[test]
fn only_a_server_and_migrate_bring_an_older_file_forward() {
    let db = TestDb::sqlite();
    db.execute(TAKE_BACK);
    let site = Site::new(NOW).on_database(db.url().to_owned());
    is_refused(&site, COMMANDS);
    let company = production(Site::new(NOW)).on_database(db.url().to_owned());
    is_refused(&company, &[&["adopt"]]);
    // A copy is one of the older version, which the program of before can be put back on.
    let copy = site.path().join("before.db");
    let made = site.run(&["backup", copy.to_str().unwrap()]);
    assert!(made.status.success(), "{}", output_text(&made));
    let restored = Site::new(NOW).on_database(copy.to_str().unwrap().to_owned());
    is_refused(&restored, COMMANDS);
    let looked = output_text(&site.run(&["check-config"]));
    assert!(looked.contains("is of an older version"), "a look changes nothing, and nothing did before: {looked}");
}

#[test]
fn migrate_brings_what_the_version_before_wrote_forward() {
    for db in TestDb::both() {
        db.write_as_the_version_before();
        let site = Site::new(NOW).on_database(db.url().to_owned());
        is_refused(&site, &COMMANDS[..2]);
        let made = site.run(&["migrate"]);
        let words = output_text(&made);
        assert!(made.status.success() && words.contains("20261122000300"), "{words}");
        for command in &COMMANDS[..3] {
            let out = site.run(command);
            assert!(out.status.success(), "{command:?}: {}", output_text(&out));
        }
        let again = site.run(&["migrate"]);
        assert!(again.status.success() && !output_text(&again).contains("20261122000300"), "{}", output_text(&again));
    }
}

/// When the program of before stopped, by its clock.
const FIFTY_AT: &str = "2027-02-26T14:00:00Z";
/// What its ledger said, by account.
const FIFTY_SUMS: [(&str, i64); 8] = [
    ("cancellation_revenue", -18_172),
    ("customer", -790_831),
    ("gateway", 1_480_692),
    ("gst", -7_342),
    ("hst", -60_472),
    ("qst", -7_980),
    ("revenue", -593_845),
    ("tips_payable", -2_050),
];

/// Every booking that the desk lists, on one page.
async fn all_of_them(web: &reqwest::Client, site: &Site, token: &str) -> Vec<Value> {
    let every = json!({ "status": Status::ALL.iter().map(|s| s.code()).collect::<Vec<_>>() }).to_string();
    let request = web.get(site.url("/api/filter")).query(&[("per_page", "100"), ("filters", every.as_str())]);
    let told: Value =
        request.bearer_auth(token).send().await.unwrap().error_for_status().unwrap().json().await.unwrap();
    told["data"].as_array().unwrap().clone()
}

async fn fifty_bookings_are_all_there(db: TestDb) {
    db.write_fifty_of_the_version_before();
    let mut site = Site::new(FIFTY_AT).on_database(db.url().to_owned());
    let gateway = site.data().join("simulators");
    std::fs::create_dir_all(&gateway).unwrap();
    let file = root().join("crates/store/tests/older/fifty_20261122000300.jsonl");
    std::fs::copy(file, gateway.join("braintree.jsonl")).unwrap();
    let web = browser();
    site.start(&web).await;

    let token = sign_in(&web, &site, "ops@portage.test", "portage-demo-2027").await.unwrap();
    let all = all_of_them(&web, &site, &token).await;
    // Two were deleted, which the desk does not list.
    assert_eq!(all.len(), 48);
    for b in &all {
        let id = b["id"].as_str().unwrap();
        for part in ["", "/history", "/ledger"] {
            let answer = web.get(site.url(&format!("/api/bookings/{id}{part}"))).bearer_auth(&token);
            let answer = answer.send().await.unwrap();
            let status = answer.status();
            let words = answer.text().await.unwrap();
            assert!(status.is_success(), "{id}{part}: {status} {words}");
        }
    }
    assert!(site.stop(), "{}", site.log_text());

    let until = FIFTY_AT.parse().unwrap();
    let db = db.reopened();
    let store = db.store();
    let every = Listing { statuses: Status::ALL.to_vec(), ..Listing::default() };
    let read: Result<_, StoreError> =
        store.read(move |u| u.bookings().listed(&every, Start::First(Order::CreatedAt), 100)).await;
    let read = read.unwrap().data;
    assert_eq!(read.len(), 50);
    assert!(Status::ALL.iter().all(|status| read.iter().any(|b| b.status == *status)), "in every status");
    let balances: Result<_, StoreError> = store.read(move |u| u.ledger().balances(until)).await;
    let sums: BTreeMap<&str, i64> =
        balances.unwrap().iter().map(|(a, m)| (a.code(), m.cents())).filter(|(_, cents)| *cents != 0).collect();
    assert_eq!(BTreeMap::from(FIFTY_SUMS), sums, "no cent is lost");
    let compared = site.run(&["reconcile"]);
    let words = output_text(&compared);
    assert!(compared.status.success() && words.contains("no difference (79 gateway transactions"), "{words}");
}

#[tokio::test]
async fn fifty_bookings_of_the_version_before_are_all_there_on_sqlite() {
    fifty_bookings_are_all_there(TestDb::sqlite()).await;
}

#[tokio::test]
async fn fifty_bookings_of_the_version_before_are_all_there_on_postgres() {
    fifty_bookings_are_all_there(TestDb::postgres()).await;
}

#[test]
fn a_copy_of_a_file_that_does_not_say_whose_it_is_is_made_too() {
    let db = TestDb::sqlite();
    db.execute(TAKE_BACK);
    db.execute("DROP TABLE installation");
    let site = Site::new(NOW).on_database(db.url().to_owned());
    let copy = site.path().join("before.db");
    let made = site.run(&["backup", copy.to_str().unwrap()]);
    assert!(made.status.success() && copy.is_file(), "{}", output_text(&made));
}

#[test]
fn an_older_database_on_a_server_is_left_as_it_is() {
    let db = TestDb::postgres();
    db.execute(TAKE_BACK);
    let site = Site::new(NOW).on_database(db.url().to_owned());
    is_refused(&site, &COMMANDS[..2]);
    let words = output_text(&site.run(&["check-config", "--connect"]));
    assert!(words.contains("is of an older version"), "{words}");
}
