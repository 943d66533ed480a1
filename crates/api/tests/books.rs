//! The books over HTTP: who may read them, the journal as a file, and that all of it agrees.

use std::collections::BTreeMap;

use crate::support::{
    TestApp,
    people::{ADMIN, CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
};
use reqwest::Method;
use serde_json::{Value, json};

const READ: [&str; 9] = [
    "/api/journal?from=2027-02-01&to=2027-02-28",
    "/api/books/balances",
    "/api/books/day",
    "/api/books/trust",
    "/api/books/trust/export",
    "/api/books/months",
    "/api/books/aged",
    "/api/books/aged/export",
    "/api/books/accounting?month=2027-02&content=journal",
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

#[actix_web::test]
async fn administrators_close_a_month_and_nothing_more_is_dated_in_it() {
    let app = TestApp::new().await;
    with_deposit(&app).await;
    let february = json!({ "month": "2027-02" });
    let (close, reopen) = ("/api/books/months/close", "/api/books/months/reopen");
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (MATE, 403), (PARTNER, 403), (OPS, 403)] {
        app.post(who, close, &february).await.expect(status);
        app.post(who, reopen, &json!({ "month": "2027-02", "reason": "why" })).await.expect(status);
    }
    let early = app.post(ADMIN, close, &february).await.expect(409).body;
    assert_eq!(early["code"], "month_not_ended");
    assert!(early["detail"].as_str().unwrap().starts_with("2027-02 has not ended"), "{early}");
    for (bad, code) in [("2027-13", "invalid"), ("february", "too_long"), ("2027-2", "invalid")] {
        let refused = app.post(ADMIN, close, &json!({ "month": bad })).await.expect(422).body;
        assert_eq!((&refused["errors"][0]["field"], &refused["errors"][0]["code"]), (&json!("month"), &json!(code)));
    }
    app.clock.set("2027-03-01T08:00:00Z");
    app.tokens.lock().unwrap().clear();
    let closed = app.post(ADMIN, close, &february).await.expect(200).body;
    let row = &closed["data"][1];
    assert_eq!((&row["month"], &row["state"], &row["mayReopen"]), (&json!("2027-02"), &json!("closed"), &json!(true)));
    assert!(row["closedBy"].is_string() && row["closedAt"] == "2027-03-01T08:00:00Z", "{row}");
    assert_eq!(app.get(OPS, "/api/books/months").await.expect(200).body["data"], closed["data"]);
    // The clock of this server goes wrong: what staff write waits, in the words of who reads it.
    app.clock.set("2027-02-14T15:00:00Z");
    app.tokens.lock().unwrap().clear();
    let list = app.get(OPS, "/api/bookings?page=1&per_page=10").await.expect(200).body;
    let id = list["data"][0]["id"].as_str().unwrap().to_owned();
    let cash = json!({ "method": "cash", "amount": "10.00" });
    for (language, begins) in [
        ("en", "The books of this month are closed"),
        ("fr", "Les livres de ce mois sont clôturés"),
        ("zh", "该月账目已结"),
    ] {
        let path = format!("/api/bookings/{id}/payments?lang={language}");
        let refused = app.post(OPS, &path, &cash).await.expect(409).body;
        assert_eq!(refused["code"], "period_closed");
        assert!(refused["detail"].as_str().unwrap().starts_with(begins), "{refused}");
    }
    let missing = app.post(ADMIN, reopen, &json!({ "month": "2027-02", "reason": "" })).await.expect(422).body;
    assert_eq!(missing["errors"][0]["field"], "reason");
    app.post(ADMIN, reopen, &json!({ "month": "2027-02", "reason": "The clock was wrong" })).await.expect(200);
    app.post(OPS, &format!("/api/bookings/{id}/payments"), &cash).await.expect(201);
    let trail = app.get(OPS, "/api/audit?subject=month").await.expect(200).body;
    // By the clock of each: the one that went wrong wrote the later one.
    let reason = |action: &str| {
        let rows = trail["data"].as_array().unwrap();
        rows.iter().find(|r| r["action"] == action).map(|r| r["after"]["reason"].clone())
    };
    assert_eq!(reason("month.close"), Some(json!(null)));
    assert_eq!(reason("month.reopen"), Some(json!("The clock was wrong")));
    assert_eq!(trail["total"], 2);
    app.run_jobs().await;
}

/// Cells of a line; those with words are quoted.
fn cells(line: &str) -> Vec<String> {
    let (mut out, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    out.push(cell);
    out
}

fn signed(cell: &str) -> i64 {
    cell.replace('.', "").parse().unwrap()
}

#[actix_web::test]
async fn the_accounting_file_is_the_journal_in_one_layout() {
    let app = TestApp::new().await;
    with_deposit(&app).await;
    let (_, journal) = file(&app, READ[0]).await;
    let mut want: BTreeMap<(String, String), i64> = BTreeMap::new();
    for line in journal.trim_start_matches('\u{feff}').lines().skip(1) {
        let c = cells(line);
        *want.entry((c[0].clone(), c[3].clone())).or_default() += cents(&c[4]) - cents(&c[5]);
    }
    let numbers: BTreeMap<String, String> = service::ports::ledger::Account::ALL
        .into_iter()
        .map(|a| (service::desk::accounting::number(a).to_string(), a.code().to_owned()))
        .collect();
    let mut heads = Vec::new();
    for content in ["journal", "days"] {
        let path = format!("/api/books/accounting?month=2027-02&content={content}");
        let (name, text) = file(&app, &path).await;
        assert_eq!(name, format!("attachment; filename=\"{content}-2027-02.csv\""));
        let mut lines = text.strip_prefix('\u{feff}').unwrap().lines();
        heads.push(lines.next().unwrap().to_owned());
        let mut got: BTreeMap<(String, String), i64> = BTreeMap::new();
        for line in lines {
            let c = cells(line);
            assert_eq!(c.len(), 17, "{line}");
            let [day, month, year] = c[1].split('/').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let amount = signed(&c[5]);
            assert_eq!(amount, cents(&c[12]) - cents(&c[13]), "{line}");
            assert_eq!((c[4].as_str(), c[16].as_str()), ("Tax Exempt", "CAD"));
            *got.entry((format!("{year}-{month}-{day}"), numbers[&c[3]].clone())).or_default() += amount;
        }
        assert_eq!(got, want, "{content}");
    }
    let (_, invoices) = file(&app, "/api/books/accounting?month=2027-02&content=invoices").await;
    heads.push(invoices.strip_prefix('\u{feff}').unwrap().trim_end().to_owned());
    assert!(heads.windows(2).all(|pair| pair[0] == pair[1]), "{heads:?}");
    assert!(heads[0].starts_with("*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1"));
    for bad in ["month=2027-00", "month=2027", "month=2027-02&content=all", "content=journal"] {
        let refused = app.get(OPS, &format!("/api/books/accounting?{bad}")).await;
        assert!(matches!(refused.status, 400 | 422), "{bad}: {}", refused.status);
    }
    let trail = app.get(OPS, "/api/audit?subject=accounting").await.expect(200).body;
    assert_eq!(trail["total"], 3);
}

#[actix_web::test]
async fn what_is_held_and_owed_is_what_the_accounts_say() {
    let app = TestApp::new().await;
    with_deposit(&app).await;
    let aged = app.get(OPS, "/api/books/aged").await.expect(200).body;
    assert_eq!((&aged["total"], &aged["amounts"]["total"]), (&json!(0), &json!("0.00")));
    let held = aged["held"].as_str().unwrap();
    assert!(held != "0.00");
    assert_eq!(aged["accounts"], format!("-{held}"));
    let before = app.get(OPS, "/api/books/aged?at=2027-02-08T00:00:00Z").await.expect(200).body;
    assert_eq!((&before["held"], &before["accounts"]), (&json!("0.00"), &json!("0.00")));
    let (name, text) = file(&app, "/api/books/aged/export").await;
    assert_eq!(name, "attachment; filename=\"aged-balances.csv\"");
    assert_eq!(text, "\u{feff}name,kind,booking,moveDate,dueOn,daysLate,amount,currency\r\n");
}
