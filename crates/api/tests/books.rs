//! The books over HTTP: who may read them, the journal as a file, and that all of it agrees.

use std::collections::BTreeMap;

use crate::support::{
    TestApp,
    people::{ADMIN, CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
};
use reqwest::Method;
use serde_json::{Value, json};

const READ: [&str; 5] = [
    "/api/journal?from=2027-02-01&to=2027-02-28",
    "/api/books/balances",
    "/api/books/day",
    "/api/books/trust",
    "/api/books/trust/export",
];

/// A booking whose deposit is captured.
async fn with_deposit(app: &TestApp) -> String {
    let made = app.book(CUSTOMER).await;
    app.run_jobs().await;
    app.clock.set("2027-02-09T14:00:01Z");
    app.run_jobs().await;
    app.tokens.lock().unwrap().clear();
    made["shortId"].as_str().unwrap().to_owned()
}

async fn file(app: &TestApp, path: &str) -> (String, String) {
    let response = app.builder(OPS, Method::GET, path).await.send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(header("cache-control"), "no-store");
    let name = header("content-disposition");
    (name, response.text().await.unwrap())
}

fn cents(cell: &str) -> i64 {
    if cell.is_empty() { 0 } else { cell.replace('.', "").parse().unwrap() }
}

#[actix_web::test]
async fn only_staff_read_the_books() {
    let app = TestApp::new().await;
    for path in READ {
        for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (OTHER, 403), (MATE, 403), (PARTNER, 403)] {
            app.get(who, path).await.expect(status);
        }
        let response = app.builder(ADMIN, Method::GET, path).await.send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
    }
}

#[actix_web::test]
async fn the_journal_is_a_file_whose_days_balance() {
    let app = TestApp::new().await;
    let short = with_deposit(&app).await;
    let (name, text) = file(&app, READ[0]).await;
    assert_eq!(name, "attachment; filename=\"journal-2027-02-01-2027-02-28.csv\"");
    let mut lines = text.strip_prefix('\u{feff}').unwrap().split("\r\n").filter(|l| !l.is_empty());
    assert_eq!(lines.next(), Some("date,entry,kind,account,debit,credit,booking,reference"));
    let mut days: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    let mut accounts: BTreeMap<String, i64> = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), 8, "{line}");
        assert!(cells[4].is_empty() != cells[5].is_empty(), "one of both: {line}");
        assert!(cells[6].trim_matches('"') == short && cells[7].starts_with('"'), "{line}");
        let day = days.entry(cells[0].to_owned()).or_default();
        *day = (day.0 + cents(cells[4]), day.1 + cents(cells[5]));
        *accounts.entry(cells[3].to_owned()).or_default() += cents(cells[4]) - cents(cells[5]);
    }
    assert_eq!(days.keys().collect::<Vec<_>>(), ["2027-02-09"]);
    assert!(days.values().all(|(debit, credit)| debit == credit && *debit > 0), "{days:?}");
    // The same as the balances, account by account.
    let told = app.get(OPS, "/api/books/balances").await.expect(200).body;
    for row in told["accounts"].as_array().unwrap() {
        let own = accounts.get(row["account"].as_str().unwrap()).copied().unwrap_or_default();
        assert_eq!(cents(row["balance"].as_str().unwrap()), own, "{row}");
    }
    let before = app.get(OPS, "/api/books/balances?at=2027-02-08T00:00:00Z").await.expect(200).body;
    assert!(before["accounts"].as_array().unwrap().iter().all(|row| row["balance"] == "0.00"));
    // What was taken along is on record; what cannot be is refused at its field.
    let trail = app.get(OPS, "/api/audit?subject=journal").await.expect(200).body;
    assert_eq!(trail["data"][0]["after"], json!({ "from": "2027-02-01", "to": "2027-02-28" }));
    for query in ["from=2027-02-02&to=2027-02-01", "from=2027-01-01&to=2028-03-01"] {
        let refused = app.get(OPS, &format!("/api/journal?{query}")).await.expect(422);
        assert_eq!(refused.body["errors"][0]["field"], "to", "{query}");
    }
}

#[actix_web::test]
async fn the_day_and_the_trust_report_are_told_in_the_readers_language() {
    let app = TestApp::new().await;
    with_deposit(&app).await;
    let day = app.get(OPS, "/api/books/day?date=2027-02-09").await.expect(200).body;
    assert_eq!(
        (&day["cameIn"][0]["method"], &day["wentOut"], &day["earned"]),
        (&json!("card"), &json!([]), &json!("0.00"))
    );
    let came = day["cameIn"][0]["amount"].clone();
    let request = app.builder(OPS, Method::GET, "/api/books/day?date=2027-02-09").await.header("accept-language", "fr");
    let french: Value = request.send().await.unwrap().json().await.unwrap();
    let names: Vec<&str> =
        french["accounts"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"Service de paiement"), "{names:?}");
    assert_eq!(french["cameIn"][0]["amount"], came);
    let trust = app.get(OPS, "/api/books/trust").await.expect(200).body;
    assert_eq!((&trust["amount"], &trust["account"], &trust["total"]), (&json!("0.00"), &json!("0.00"), &json!(0)));
    let (name, text) = file(&app, READ[4]).await;
    assert_eq!(name, "attachment; filename=\"trust.csv\"");
    assert_eq!(text, "\u{feff}booking,customer,moveDate,since,amount\r\n");
}
