//! Catalogues as files for spreadsheets, both ways.

use crate::support;

use reqwest::Method;
use serde_json::{Value, json};
use store::testing::TestDb;
use support::{
    Options, TestApp,
    people::{CUSTOMER, OPS},
    requests::Answer,
};

async fn fresh() -> TestApp {
    TestApp::with(Options { people: &[OPS], ..Options::default() }).await
}

async fn exported(app: &TestApp, name: &str) -> String {
    let file = app.get(OPS, &format!("/api/catalogues/{name}/csv")).await.expect(200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert!(file.header("content-disposition").contains(&format!("{name}.csv")));
    // Taken off by whoever decodes it, or there: the file is the same for both.
    file.text.trim_start_matches('\u{feff}').to_owned()
}

async fn sent(app: &TestApp, name: &str, dry_run: bool, file: impl Into<Vec<u8>>) -> Answer {
    let path = format!("/api/catalogues/{name}/csv?dryRun={dry_run}");
    let request = app.builder(OPS, Method::POST, &path).await.header("content-type", "text/csv");
    Answer::of(request.body(file.into()).send().await.unwrap()).await
}

/// Imports, and answers the counts: added, changed, unchanged.
async fn imported(app: &TestApp, name: &str, file: &str) -> (u64, u64, u64) {
    let report = sent(app, name, false, file).await.expect(200).body;
    assert_eq!(report["errors"], json!([]), "{report}");
    let count = |field: &str| report[field].as_u64().unwrap();
    assert_eq!(count("rows"), count("added") + count("changed") + count("unchanged"), "{report}");
    assert_eq!(report["saved"], count("added") + count("changed") > 0, "{report}");
    (count("added"), count("changed"), count("unchanged"))
}

fn rows(file: &str) -> u64 {
    u64::try_from(file.lines().count()).unwrap() - 1
}

/// What is exported, taken into a fresh database, is exported alike; and taken again it changes nothing.
async fn there_and_back(name: &str, first: &TestApp, second: &TestApp) {
    let file = exported(first, name).await;
    assert_eq!(imported(first, name, &file).await, (0, 0, rows(&file)), "one's own export");
    assert_eq!(exported(first, name).await, file);
    let (added, changed, _) = imported(second, name, &file).await;
    assert!(added > 0 && changed == 0, "{added} {changed}");
    assert_eq!(exported(second, name).await, file, "{name}");
    assert_eq!(imported(second, name, &file).await, (0, 0, rows(&file)), "a second time");
}

async fn discounts(first: TestApp, second: TestApp) {
    for body in [
        json!({
            "code": "spring", "kind": "percent", "value": "12.50", "maxAmount": "50.00", "validFrom": "2027-03-01",
            "validUntil": "2027-05-31", "bookableFrom": "2027-01-01", "bookableUntil": "2027-05-01",
            "provinces": ["QC", "ON"], "kinds": [], "maxUses": 100, "maxUsesPerCustomer": 1, "firstBookingOnly": true,
        }),
        json!({
            "code": "=SUM(1)", "kind": "fixed", "value": "25", "validFrom": "2027-03-01", "validUntil": "2027-05-31",
            "disabled": true,
        }),
    ] {
        first.post(OPS, "/api/discounts", &body).await.expect(201);
    }
    let file = exported(&first, "discounts").await;
    assert!(file.contains("\"'=SUM(1)\""), "no formula: {file}");
    assert!(file.contains("\"ON|QC\""), "{file}");
    there_and_back("discounts", &first, &second).await;
}

#[actix_web::test]
async fn discounts_there_and_back_on_sqlite() {
    discounts(fresh().await, fresh().await).await;
}

#[actix_web::test]
async fn discounts_there_and_back_from_sqlite_to_postgres() {
    let second = TestApp::with(Options { db: Some(TestDb::postgres()), people: &[OPS], ..Options::default() }).await;
    discounts(fresh().await, second).await;
}

#[actix_web::test]
async fn mates_there_and_back() {
    let (first, second) = (fresh().await, fresh().await);
    let whole = json!({
        "name": "Zoé Tremblay", "phone": "+1 514 555-0161", "email": "zoe@portage.test", "neq": "1143920115",
        "tps": "123456782RT0001", "tvq": "1234567890TQ0001", "skills": ["piano", "a | b"], "languages": ["fr", "en"],
        "hubs": ["montreal"], "payRate": "24.50", "state": "paused",
        "address": { "street": "1200 Rue Peel", "unit": "4", "city": "Montréal", "province": "QC", "postalCode": "H3B 2T6" },
        "documents": [{ "kind": "Driving licence", "number": "T-1", "expiresOn": "2027-02-07" }, { "kind": "a=b", "expiresOn": "2027-02-08" }],
    });
    first.post(OPS, "/api/mate", &whole).await.expect(201);
    for (phone, state) in [("514-555-0101", "active"), ("514-555-0102", "active"), ("514-555-0103", "archived")] {
        let body = json!({ "name": "Without Address", "phone": phone, "state": state });
        first.post(OPS, "/api/mate", &body).await.expect(201);
    }
    // Somebody with the address of who has gone.
    let gone = json!({ "name": "Ann Roy", "email": "ann@portage.test", "state": "archived" });
    first.post(OPS, "/api/mate", &gone).await.expect(201);
    first.post(OPS, "/api/mate", &json!({ "name": "Ann Li", "email": "ann@portage.test" })).await.expect(201);
    there_and_back("mates", &first, &second).await;
    of_one_name(&second).await;
    let found = second.get(OPS, "/api/mate?value=zoe").await.expect(200).body["data"][0].clone();
    assert_eq!((&found["skills"], &found["phone"]), (&json!(["piano", "a | b"]), &json!("+1 514 555-0161")));
    // A file with few columns leaves the rest as it is; a mate is named by the address, whatever its case.
    let few = "E-Mail\n"; // not the field's name
    let report = sent(&second, "mates", false, few).await.expect(200).body;
    assert_eq!(report["errors"].as_array().unwrap().len(), 2, "an unknown column, and the name is missing: {report}");
    assert_eq!(imported(&second, "mates", "Name;E mail;Pay Rate\nZoé T.;ZOE@portage.test;25\n").await, (0, 1, 0));
    let changed = second.get(OPS, "/api/mate?value=zoe").await.expect(200).body["data"][0].clone();
    assert_eq!(
        (&changed["name"], &changed["payRate"], &changed["skills"], &changed["id"]),
        (&json!("Zoé T."), &json!("25.00"), &found["skills"], &found["id"])
    );
}

/// Two mates of one name and without an address: as many rows as there are mates are these mates.
async fn of_one_name(app: &TestApp) {
    let rows = |phones: &[&str]| {
        let row = |phone: &&str| format!("Without Address,{phone}\n");
        format!("name,phone\n{}", phones.iter().map(row).collect::<String>())
    };
    // In another order they say what they said; one that says something else is the one that is left.
    assert_eq!(imported(app, "mates", &rows(&["514-555-0102", "514-555-0101"])).await, (0, 0, 2));
    assert_eq!(imported(app, "mates", &rows(&["514-555-0199", "514-555-0101"])).await, (0, 1, 1));
    // Where both say something else, or there are more or fewer rows than mates, nobody guesses.
    for phones in [&["514-555-0188", "514-555-0177"][..], &["514-555-0101"], &["1", "514-555-0101", "514-555-0199"]] {
        let report = sent(app, "mates", false, rows(phones)).await.expect(200).body;
        assert!(report["saved"] == json!(false) && report["errors"][0]["line"].is_u64(), "{phones:?} {report}");
    }
    // Nor are two rows that say the same two people.
    let twice = "name,phone\nNew Here,514-555-0150\nNew Here,514-555-0150\n";
    let report = sent(app, "mates", false, twice).await.expect(200).body;
    assert_eq!((&report["saved"], &report["errors"][0]["line"]), (&json!(false), &json!(3)), "{report}");
    assert_eq!(imported(app, "mates", &twice.replacen("0150", "0151", 1)).await, (2, 0, 0));
}

#[actix_web::test]
async fn partners_there_and_back() {
    let (first, second) = (fresh().await, fresh().await);
    let address =
        |street: &str| json!({ "street": street, "city": "Montréal", "province": "QC", "postalCode": "H2V 1V3" });
    for body in [
        json!({
            "name": "Meubles Outremont", "rateName": "standard", "netDays": 45, "state": "suspended",
            "addresses": [address("1200 Avenue Bernard"), address("3 Rue Peel")],
            "contacts": [{ "name": "Paul <P> Gagnon", "email": "paul@outremont.test", "phone": "514-555-0170" }, { "name": "Ann" }],
        }),
        json!({ "name": "-Neuf" }),
        json!({ "name": "Twin", "netDays": 10 }),
        json!({ "name": "Twin", "netDays": 20 }),
        json!({ "name": "Twin", "netDays": 10, "state": "archived" }),
    ] {
        first.post(OPS, "/api/partner", &body).await.expect(201);
    }
    assert!(exported(&first, "partners").await.lines().next().unwrap().contains("address2.street"));
    there_and_back("partners", &first, &second).await;
    let half =
        "name,address.street,address2.street,address2.city,address2.postalCode\nNew,,1 Rue Peel,Montréal,nothing\n";
    let report = sent(&second, "partners", true, half).await.expect(200).body;
    assert_eq!(
        (&report["errors"][0]["line"], &report["errors"][0]["column"]),
        (&json!(2), &json!("address2.postalCode"))
    );
}

#[actix_web::test]
async fn trucks_there_and_back() {
    let (first, second) = (fresh().await, fresh().await);
    let truck = |name: &str, hub: &str, state: &str| json!({ "name": name, "size": "26ft", "hub": hub, "plate": "L123456", "inspectedUntil": "2027-09-30", "state": state });
    for (name, hub, state) in [
        ("Big Blue", "montreal", "archived"),
        ("Big Blue", "montreal", "active"),
        ("Big Blue", "toronto", "paused"),
        ("Old", "montreal", "archived"),
    ] {
        first.post(OPS, "/api/trucks", &truck(name, hub, state)).await.expect(201);
    }
    let file = exported(&first, "trucks").await;
    assert_eq!(rows(&file), 4, "also the one that is archived and whose name is another's by now: {file}");
    there_and_back("trucks", &first, &second).await;
    // The only one of a name moves to another hub; of two of a name nobody guesses.
    assert_eq!(imported(&first, "trucks", "name,size,hub\nRed,10ft,montreal\n").await, (1, 0, 0));
    assert_eq!(imported(&first, "trucks", "name,size,hub\nred,10ft,toronto\n").await, (0, 1, 0));
    let report = sent(&first, "trucks", false, "name,size,hub\nBig Blue,26ft,vancouver\n").await.expect(200).body;
    assert_eq!((&report["saved"], &report["errors"][0]["line"]), (&json!(false), &json!(2)), "{report}");
}

#[actix_web::test]
async fn a_refused_cell_says_what_it_may_hold() {
    let app = fresh().await;
    let code = |kind: &str, from: &str, more: &str| {
        let names = "code,kind,value,validFrom,validUntil,provinces,kinds,firstBookingOnly";
        format!("{names}\nA,{kind},10,{from},2027-05-31,{more}\n")
    };
    for (catalogue, file, column, words) in [
        ("discounts", code("free", "2027-03-01", ",,"), "kind", "percent, fixed"),
        ("discounts", code("percent", "31/12/2026", ",,"), "validFrom", "2027-12-31"),
        ("discounts", code("percent", "2027-03-01", "Paris,,"), "provinces", "ON"),
        ("discounts", code("percent", "2027-03-01", ",walk,"), "kinds", "residential"),
        ("discounts", code("percent", "2027-03-01", ",,perhaps"), "firstBookingOnly", "yes, no"),
        ("trucks", "name,size,hub\nRed,5ft,montreal\n".to_owned(), "size", "10ft, 20ft, 26ft"),
        ("trucks", "name,size,hub\nRed,10ft,paris\n".to_owned(), "hub", "montreal"),
        ("trucks", "name,size,hub,state\nRed,10ft,montreal,gone\n".to_owned(), "state", "active, paused, archived"),
        ("mates", "name,state\nAnn,gone\n".to_owned(), "state", "invited, active, paused, archived"),
        ("partners", "name,language\nNew,de\n".to_owned(), "language", "en, fr, zh"),
    ] {
        let report = sent(&app, catalogue, true, file.as_str()).await.expect(200).body;
        let errors = report["errors"].as_array().unwrap();
        assert_eq!((errors.len(), &errors[0]["column"]), (1, &json!(column)), "{report}");
        assert!(errors[0]["message"].as_str().unwrap().contains(words), "{file}: {report}");
    }
}

const NEW: &str = "code,kind,value,validFrom,validUntil\n";

#[actix_web::test]
async fn a_trial_and_a_file_with_one_wrong_row_save_nothing() {
    let app = TestApp::with(Options { people: &[CUSTOMER, OPS], ..Options::default() }).await;
    let before = exported(&app, "discounts").await;
    let good = format!("{NEW}A,percent,10,2027-03-01,2027-05-31\nB,fixed,5.00,2027-03-01,2027-05-31\n");
    let path = "/api/catalogues/discounts/csv";
    let request = app.builder(OPS, Method::POST, path).await.header("content-type", "text/plain");
    let trial = Answer::of(request.body(good.clone()).send().await.unwrap()).await.expect(200).body;
    assert_eq!(
        trial,
        json!({ "dryRun": true, "saved": false, "rows": 2, "added": 2, "changed": 0, "unchanged": 0, "errors": [], "moreErrors": 0 }),
        "it is a trial unless one says otherwise"
    );
    assert_eq!(exported(&app, "discounts").await, before);
    for (row, column, words) in [
        ("C,percent,101,2027-03-01,2027-05-31", json!("value"), "0.01% to 100%"),
        ("C,fixed,five,2027-03-01,2027-05-31", json!("value"), ""),
        ("C,fixed,5,2027-03-01,2027-02-01", json!("validUntil"), ""),
        ("C,fixed,5,,2027-02-01", json!("validFrom"), "required"),
        ("a,fixed,5,2027-03-01,2027-05-31", json!("code"), "line 2"),
        ("C,fixed,5,2027-03-01,2027-05-31,more", Value::Null, "beyond"),
    ] {
        let report = sent(&app, "discounts", false, format!("{good}\n{row}\n")).await.expect(200).body;
        let error = &report["errors"][0];
        assert_eq!((&report["saved"], &report["dryRun"], &report["rows"]), (&json!(false), &json!(false), &json!(3)));
        assert_eq!((&error["line"], &error["column"]), (&json!(5), &column), "{row}: {report}");
        assert!(error["message"].as_str().unwrap().contains(words), "{row}: {error}");
        assert_eq!(exported(&app, "discounts").await, before, "{row}");
    }
    // In the language of whoever asks.
    let request = app.builder(OPS, Method::POST, path).await.header("content-type", "text/csv");
    let request = request.header("accept-language", "fr").body("nom;code\nx;y\n");
    let report = Answer::of(request.send().await.unwrap()).await.expect(200).body;
    let errors = report["errors"].as_array().unwrap();
    assert_eq!((errors.len(), &errors[0]["column"]), (5, &json!("nom")), "{report}");
    let words = errors[0]["message"].as_str().unwrap();
    assert!(words.contains("n’est pas connue") && words.contains("validFrom"), "{words}");
    let trail = app.get(OPS, "/api/audit?subject=catalogue").await.expect(200).body;
    let of = |action: &str| trail["data"].as_array().unwrap().iter().filter(|r| r["action"] == action).count();
    assert_eq!((of("catalogue.import"), of("catalogue.export")), (0, 8));
    let refused = app.get(CUSTOMER, path).await;
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));
    let refused = app.builder(CUSTOMER, Method::POST, path).await.header("content-type", "text/csv").body(good);
    assert_eq!(Answer::of(refused.send().await.unwrap()).await.status, 403);
}

#[actix_web::test]
async fn a_file_that_is_kept_is_on_record_once_and_so_is_each_of_its_records() {
    let app = fresh().await;
    let file = format!("{NEW}A,percent,10,2027-03-01,2027-05-31\nwelcome10,percent,15,2026-01-01,2028-12-31\n");
    let send = async |body: String, key: &'static str| {
        let request = app.builder(OPS, Method::POST, "/api/catalogues/discounts/csv?dryRun=false").await;
        let request = request.header("content-type", "application/vnd.ms-excel").header("idempotency-key", key);
        Answer::of(request.body(body).send().await.unwrap()).await
    };
    let first = send(file.clone(), "k").await.expect(200);
    assert_eq!(
        (&first.body["added"], &first.body["changed"], &first.body["saved"]),
        (&json!(1), &json!(1), &json!(true))
    );
    let again = send(file.clone(), "k").await.expect(200);
    assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &first.body));
    assert_eq!(send(format!("{file}\nB,fixed,5,2027-03-01,2027-05-31\n"), "k").await.code(), "idempotency_key_reused");
    assert_eq!(send(file, "other").await.expect(200).body["unchanged"], 2);
    let trail = app.get(OPS, "/api/audit?per_page=100").await.expect(200).body;
    let of = |action: &str| {
        let rows = trail["data"].as_array().unwrap().iter().filter(|r| r["action"] == action);
        rows.cloned().collect::<Vec<Value>>()
    };
    assert_eq!((of("discount.add").len(), of("discount.update").len(), of("catalogue.import").len()), (1, 1, 1));
    assert_eq!(of("catalogue.import")[0]["after"], json!({ "added": 1, "changed": 1, "unchanged": 0 }));
}

#[actix_web::test]
async fn the_rules_of_a_single_call_hold_for_rows() {
    let app = TestApp::new().await;
    let booking = app.book(CUSTOMER).await;
    let id = booking["id"].as_str().unwrap();
    app.put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "assigned" })).await.expect(200);
    app.run_jobs().await;
    let assigned = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    let name = assigned["crew"][0]["name"].as_str().unwrap();
    let mates = app.get(OPS, "/api/mate?per_page=100").await.expect(200).body;
    let sent_one = mates["data"].as_array().unwrap().iter().find(|m| m["name"] == name).unwrap().clone();
    let file = format!(
        "name,email,state,neq\n{name},{},archived,\nNew One,,active,4412345678\nX,customer@portage.test,gone,\n",
        sent_one["email"].as_str().unwrap()
    );
    let report = sent(&app, "mates", false, file).await.expect(200).body;
    let told: Vec<(u64, &str)> = report["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["line"].as_u64().unwrap(), e["column"].as_str().unwrap_or("")))
        .collect();
    assert_eq!(told, [(2, ""), (3, "neq"), (4, "state")], "{report}");
    assert!(report["errors"][0]["message"].as_str().unwrap().contains(" 1 "), "{report}");
}

#[actix_web::test]
async fn ten_thousand_rows_are_taken_and_one_more_is_not() {
    let app = fresh().await;
    let row = |n: usize| format!("CODE-{n},fixed,5.00,2027-03-01,2027-05-31\n");
    let most = format!("{NEW}{}", (0..10_000).map(row).collect::<String>());
    let report = sent(&app, "discounts", true, most.clone()).await.expect(200).body;
    assert_eq!((&report["rows"], &report["added"], &report["errors"]), (&json!(10_000), &json!(10_000), &json!([])));
    let report = sent(&app, "discounts", true, format!("{most}{}", row(10_000))).await.expect(200).body;
    assert_eq!((&report["added"], &report["errors"][0]["line"]), (&json!(0), &json!(10_002)));
    assert!(report["errors"][0]["message"].as_str().unwrap().contains("10000 rows"), "{report}");
    // Taken for good, and changed row by row.
    assert_eq!(imported(&app, "discounts", &most).await, (10_000, 0, 0));
    let other = |n: usize| format!("CODE-{n},fixed,6.00,2027-03-01,2027-05-31\n");
    let some = format!("{NEW}{}", (0..3_000).map(other).collect::<String>());
    assert_eq!(imported(&app, "discounts", &some).await, (0, 3_000, 0));
    let wrong =
        format!("{NEW}{}", (0..250).map(|n| format!("C{n},fixed,x,2027-03-01,2027-05-31\n")).collect::<String>());
    let report = sent(&app, "discounts", false, wrong).await.expect(200).body;
    assert_eq!((report["errors"].as_array().unwrap().len(), &report["moreErrors"]), (100, &json!(150)));
}

#[actix_web::test]
async fn every_wrong_cell_of_a_row_is_named_at_once() {
    let app = fresh().await;
    let told = async |name: &str, file: &str| {
        let report = sent(&app, name, false, file).await.expect(200).body;
        let cell = |e: &Value| (e["line"].as_u64().unwrap(), e["column"].as_str().unwrap_or("").to_owned());
        let mut told: Vec<(u64, String)> = report["errors"].as_array().unwrap().iter().map(cell).collect();
        told.sort();
        told
    };
    let all = |line: u64, columns: &[&str]| columns.iter().map(|c| (line, (*c).to_owned())).collect::<Vec<_>>();
    let file = "code,kind,value,maxAmount,validFrom,validUntil,provinces,maxUses\n\
                A,share,ten,,March,2027-05-31,QC,0\nB,percent,10,x,2027-03-01,,XX,many\n";
    let found = told("discounts", file).await;
    assert_eq!(
        found,
        [
            all(2, &["kind", "maxUses", "validFrom", "value"]),
            all(3, &["maxAmount", "maxUses", "provinces", "validUntil"])
        ]
        .concat()
    );
    // Also what only the rules of the record refuse, and the parts of an address.
    let file = "name,state,neq,languages,payRate,address.city,address.postalCode\n\
                Anne,gone,4412345678,xx,dear,Montréal,nothing\n";
    let found = told("mates", file).await;
    for column in ["state", "neq", "languages", "payRate", "address.postalCode"] {
        assert!(found.contains(&(2, column.to_owned())), "{column} in {found:?}");
    }
}

#[actix_web::test]
async fn amounts_are_read_as_french_spreadsheets_write_them() {
    let app = fresh().await;
    let file = "name;email;payRate\nAnne Caron;anne@portage.test;24,50\nLéa Roy;lea@portage.test;\"1\u{202f}024,5\"\n";
    assert_eq!(imported(&app, "mates", file).await, (2, 0, 0));
    let kept = exported(&app, "mates").await;
    assert!(kept.contains("24.50") && kept.contains("1024.50"), "{kept}");
    let quoted = format!("{NEW}COMMA,fixed,\"12,50\",2027-03-01,2027-05-31\n");
    assert_eq!(imported(&app, "discounts", &quoted).await, (1, 0, 0));
    assert!(exported(&app, "discounts").await.contains("12.50"));
}

#[actix_web::test]
async fn what_is_no_file_with_rows_is_refused() {
    let app = fresh().await;
    for (file, words) in [(&b"PK\x03\x04\0\0"[..], "CSV"), (&b""[..], "empty"), (&b"name,\"size\nx"[..], "quotation")] {
        let report = sent(&app, "trucks", false, file).await.expect(200).body;
        assert!(report["errors"][0]["message"].as_str().unwrap().contains(words), "{report}");
    }
    let other = app.post(OPS, "/api/catalogues/trucks/csv", &json!({})).await;
    assert_eq!((other.status, other.code()), (415, "unsupported_media_type"));
    let large = sent(&app, "trucks", true, vec![b'x'; 4 * 1024 * 1024 + 1]).await;
    assert_eq!((large.status, large.code()), (413, "payload_too_large"));
    assert_eq!(app.get(OPS, "/api/catalogues/cats/csv").await.status, 404);
    // Windows-1252, with semicolons, as an older spreadsheet writes it.
    let latin = b"name;size;hub\n\xc9lodie;20ft;montreal\n".to_vec();
    sent(&app, "trucks", false, latin).await.expect(200);
    assert!(exported(&app, "trucks").await.contains("Élodie"));
}

/// Versions of rates taken along to another company.
async fn rates(first: TestApp, second: TestApp) {
    let active = first.get(OPS, "/api/rates?page=1&per_page=10").await.expect(200).body["data"][0].clone();
    let id = active["id"].as_str().unwrap();
    let shown = first.get(OPS, &format!("/api/rates/{id}")).await.expect(200);
    let next = json!({ "card": shown.body["card"], "effectiveFrom": "2029-05-01T04:00:00Z" });
    let path = format!("/api/rates/{id}");
    let plan = async || {
        let newest = first.get(OPS, &path).await.expect(200).header("etag").to_owned();
        let request = first.builder(OPS, Method::PUT, &path).await.header("if-match", newest);
        Answer::of(request.json(&next).send().await.unwrap()).await.expect(200).body["id"].clone()
    };
    // One of the plans is taken back, and its number is nobody's afterwards.
    let [_, back, _] = [plan().await, plan().await, plan().await];
    let back = first.builder(OPS, Method::DELETE, &format!("/api/rates/{}", back.as_str().unwrap())).await;
    Answer::of(back.send().await.unwrap()).await.expect(204);
    // A version is many rows, so that rows and versions are two numbers.
    let file = exported(&first, "rates").await;
    let report = sent(&first, "rates", false, file.clone()).await.expect(200).body;
    assert_eq!((&report["errors"], &report["unchanged"], &report["saved"]), (&json!([]), &json!(3), &json!(false)));
    // Another company's cards keep their names: they stand beside those that are there.
    let renamed = file.replace(active["name"].as_str().unwrap(), "Brought along");
    let trial = sent(&second, "rates", true, renamed.clone()).await.expect(200).body;
    assert_eq!((&trial["errors"], &trial["saved"]), (&json!([]), &json!(false)), "{trial}");
    let report = sent(&second, "rates", false, renamed.clone()).await.expect(200).body;
    assert_eq!((&report["errors"], &report["added"], &report["saved"]), (&json!([]), &json!(3), &json!(true)));
    let own: String =
        exported(&second, "rates").await.split_inclusive('\n').filter(|l| l.contains("Brought along")).collect();
    let sent_rows: String = renamed.split_inclusive('\n').skip(1).collect();
    assert_eq!(own, sent_rows);
    // A version that is there is never changed: the row that says otherwise is named, and nothing is saved.
    let other = renamed.replace("2029-05-01", "2029-06-01");
    let report = sent(&second, "rates", false, other).await.expect(200).body;
    assert_eq!(
        (&report["saved"], &report["errors"][0]["column"]),
        (&json!(false), &json!("effectiveFrom")),
        "{report}"
    );
    let told = report["errors"][0]["message"].as_str().unwrap();
    assert!(told.contains("“2029-05-01T04:00:00Z” here, “2029-06-01T04:00:00Z” in the file"), "{told}");
    one_other_figure(&second, &renamed).await;
}

/// Of the first version the price of a kilometre is another one: the answer says which card, which version, both prices and
/// what to do, in each language, and leads to the line.
async fn one_other_figure(app: &TestApp, file: &str) {
    const AT: &str = ",\"rates.default.km_fee\",";
    let at = file.lines().position(|line| line.contains(AT)).unwrap();
    let line = file.lines().nth(at).unwrap();
    let (before, price) = line.split_once(AT).unwrap();
    let other = file.replacen(line, &format!("{before}{AT}\"137\""), 1);
    let price = price.trim_matches('"');
    for (language, words) in [
        (
            "en",
            [
                "Version 1 of “Brought along” is here already".to_owned(),
                format!("“rates.default.km_fee” differs: “{price}” here, “137” in the file."),
                "leave its rows out of the file".to_owned(),
                "version 5".to_owned(),
            ],
        ),
        (
            "fr",
            [
                "La version 1 de «\u{a0}Brought along\u{a0}» existe déjà".to_owned(),
                format!("«\u{a0}{price}\u{a0}» ici, «\u{a0}137\u{a0}» dans le fichier."),
                "retirez ses lignes du fichier".to_owned(),
                "version 5".to_owned(),
            ],
        ),
        (
            "zh",
            [
                "“Brought along”的版本 1 已存在".to_owned(),
                format!("此处为“{price}”，文件中为“137”。"),
                "删去其各行".to_owned(),
                "版本 5。".to_owned(),
            ],
        ),
    ] {
        let request = app.builder(OPS, Method::POST, "/api/catalogues/rates/csv?dryRun=true").await;
        let request = request.header("content-type", "text/csv").header("accept-language", language);
        let report = Answer::of(request.body(other.clone()).send().await.unwrap()).await.expect(200).body;
        let [wrong] = report["errors"].as_array().unwrap().as_slice() else { panic!("{report}") };
        assert_eq!((&wrong["line"], &wrong["column"]), (&json!(at + 1), &json!("value")), "{wrong}");
        let told = wrong["message"].as_str().unwrap();
        for word in &words {
            assert!(told.contains(word), "{word} in {told}");
        }
    }
}

/// A price was changed, and the card goes into an installation that has its first version only.
async fn history(first: TestApp, second: TestApp) {
    let third = TestApp::with(Options { people: &[CUSTOMER, OPS], ..Options::default() }).await;
    third.book(CUSTOMER).await;
    let id = first.get(OPS, "/api/rates?page=1&per_page=10").await.expect(200).body["data"][0]["id"].clone();
    let path = format!("/api/rates/{}", id.as_str().unwrap());
    let shown = first.get(OPS, &path).await.expect(200);
    let mut card = shown.body["card"].clone();
    card["rates"]["default"]["km_fee"] = json!("1.37");
    let request = first.builder(OPS, Method::PUT, &path).await.header("if-match", shown.header("etag"));
    Answer::of(request.json(&json!({ "card": card })).send().await.unwrap()).await.expect(200);
    let file = exported(&first, "rates").await;
    for app in [&second, &third] {
        app.clock.set("2027-02-09T15:00:00Z");
        app.tokens.lock().unwrap().clear();
    }
    let report = sent(&second, "rates", false, file.clone()).await.expect(200).body;
    let told = (&report["errors"], &report["added"], &report["unchanged"]);
    assert_eq!(told, (&json!([]), &json!(1), &json!(1)), "{report}");
    assert_eq!(exported(&second, "rates").await, file);
    // Where somebody has booked, prices of the past are nobody's to change.
    let report = sent(&third, "rates", false, file).await.expect(200).body;
    assert_eq!(
        (&report["saved"], &report["errors"][0]["column"]),
        (&json!(false), &json!("effectiveFrom")),
        "{report}"
    );
    third.run_jobs().await;
}

#[actix_web::test]
async fn the_history_of_rates_goes_into_a_fresh_installation_on_sqlite() {
    history(fresh().await, fresh().await).await;
}

#[actix_web::test]
async fn the_history_of_rates_goes_into_a_fresh_installation_on_postgres() {
    let second = TestApp::with(Options { db: Some(TestDb::postgres()), people: &[OPS], ..Options::default() }).await;
    history(fresh().await, second).await;
}

#[actix_web::test]
async fn rates_there_and_back_on_sqlite() {
    rates(fresh().await, fresh().await).await;
}

#[actix_web::test]
async fn rates_there_and_back_from_sqlite_to_postgres() {
    let second = TestApp::with(Options { db: Some(TestDb::postgres()), people: &[OPS], ..Options::default() }).await;
    rates(fresh().await, second).await;
}

/// The columns of what is wrong with a file, in order.
fn wrong_columns(report: &Value) -> Vec<String> {
    let errors = report["errors"].as_array().unwrap().iter();
    let mut told: Vec<String> = errors.map(|e| e["column"].as_str().unwrap_or_default().to_owned()).collect();
    told.sort();
    told
}

#[actix_web::test]
async fn every_wrong_cell_of_a_row_is_told_at_once() {
    let app = fresh().await;
    let codes = "code,kind,value,maxAmount,validFrom,validUntil\n";
    for (name, file, columns) in [
        ("mates", "name,email,phone,hubs\n,bad,12,moon\n".to_owned(), vec!["email", "hubs", "name", "phone"]),
        ("discounts", format!("{codes}a b,percent,ten,-1,2027-03-01,2027-05-31\n"), vec!["code", "maxAmount", "value"]),
        // What stands in for a missing day makes no other day wrong.
        ("discounts", format!("{codes}OLD,percent,10,,,2026-05-31\n"), vec!["validFrom"]),
        ("discounts", format!("{codes}BOTH,percent,10,,2027-05-31,2027-05-01\n"), vec!["validUntil"]),
    ] {
        let report = sent(&app, name, true, file).await.expect(200).body;
        assert_eq!(wrong_columns(&report), columns, "{report}");
    }
}

#[actix_web::test]
async fn yes_and_no_are_read_in_each_language() {
    let app = fresh().await;
    let words = [("oui", "non"), ("VRAI", "FAUX"), ("Yes", "no"), ("是", "否")];
    let row = |(n, (yes, no)): (usize, (&str, &str))| format!("FLAG{n},percent,10,2027-03-01,2027-05-31,{yes},{no}\n");
    let rows: Vec<String> = words.into_iter().enumerate().map(row).collect();
    let file = format!("code,kind,value,validFrom,validUntil,firstBookingOnly,disabled\n{}", rows.concat());
    assert_eq!(imported(&app, "discounts", &file).await, (4, 0, 0));
    let out = exported(&app, "discounts").await;
    let rows: Vec<&str> = out.lines().filter(|l| l.contains("FLAG")).collect();
    assert!(rows.len() == 4 && rows.iter().all(|row| row.trim_end().ends_with("\"true\",\"false\"")), "{out}");
}

#[actix_web::test]
async fn a_file_of_rates_says_which_figure_is_missing_or_unreadable() {
    let app = fresh().await;
    let file = exported(&app, "rates").await;
    let told = async |file: String| {
        let report = sent(&app, "rates", true, file).await.expect(200).body;
        let errors = report["errors"].as_array().unwrap().clone();
        assert!(!errors.is_empty(), "{report}");
        errors
    };
    let without: String = file.split_inclusive('\n').filter(|l| !l.contains("taxes.ON")).collect();
    assert_ne!(without, file);
    let missing = told(without).await;
    assert!(
        missing.iter().any(|e| e["column"] == "path" && e["message"].as_str().unwrap().contains("“taxes.ON")),
        "{missing:?}"
    );
    // An amount in dollars, as people write it.
    let dollars: String = file
        .split_inclusive('\n')
        .map(|line| match line.split_once(",\"rates.default.km_fee\",") {
            Some((before, _)) => format!("{before},rates.default.km_fee,\"1,25\"\n"),
            None => line.to_owned(),
        })
        .collect();
    assert_ne!(dollars, file);
    let unread = told(dollars).await;
    let says = unread[0]["message"].as_str().unwrap();
    assert!(says.contains("rates.default.km_fee") && says.contains("whole cents"), "{unread:?}");
    assert_eq!(unread[0]["column"], "value");
}
