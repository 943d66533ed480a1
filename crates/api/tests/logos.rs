//! The company's logo: who uploads it, where it is shown, and what is no logo.

use crate::support::{
    Options, TestApp,
    examples::Fixtures,
    people::{ADMIN, CUSTOMER, GUEST, OPS},
    requests::{Answer, with_file},
};
use api::{WebApp, contract::Record};
use reqwest::Method;
use serde_json::{Value, json};

/// A white square of eight by eight pixels.
const PNG: &[u8] = include_bytes!("../src/calls/photo-example.png");

async fn send(app: &TestApp, who: &'static str, file: &[u8]) -> Answer {
    let request = app.builder(who, Method::POST, "/api/logos").await;
    Answer::of(with_file(request, "photo", "logo.png", file).send().await.unwrap()).await
}

async fn save(app: &TestApp, version: i64, values: Value) -> Answer {
    let request = app.builder(ADMIN, Method::PUT, "/api/settings/company").await;
    let request = request.header("if-match", format!("\"{version}\"")).json(&json!({ "values": values }));
    Answer::of(request.send().await.unwrap()).await
}

async fn shown(app: &TestApp) -> Value {
    app.get(GUEST, "/api/config").await.expect(200).body["companyLogo"].clone()
}

/// The newest mail, as HTML.
async fn newest_mail(app: &TestApp) -> String {
    app.run_jobs().await;
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let id = mails["data"][0]["id"].as_str().unwrap();
    app.get(GUEST, &format!("/simulators/mailbox/messages/{id}")).await.expect(200).text
}

#[actix_web::test]
async fn a_logo_is_shown_once_the_settings_name_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<meta content=\"{{company_logo}}\">").unwrap();
    let apps = vec![WebApp::book(folder.path().to_path_buf())];
    let app = TestApp::with(Options { apps, ..Options::default() }).await;
    let page = async || app.get(GUEST, "/").await.expect(200).text;
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (OPS, 403)] {
        send(&app, who, PNG).await.expect(status);
    }
    let made = send(&app, ADMIN, PNG).await.expect(201).body;
    assert_eq!((&made["width"], &made["height"]), (&json!(8), &json!(8)));
    let (id, url) = (made["id"].as_str().unwrap(), made["url"].as_str().unwrap());
    let file = app.get(GUEST, url).await.expect(200);
    assert_eq!(file.header("content-type"), "image/png");
    assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(file.header("x-content-type-options"), "nosniff");

    // Nobody is shown what was only uploaded.
    assert_eq!((shown(&app).await, page().await), (json!(null), "<meta content=\"\">".to_owned()));
    app.book(CUSTOMER).await;
    assert!(!newest_mail(&app).await.contains("/api/logos/"));

    save(&app, 0, json!({ "logo": id })).await.expect(200);
    assert_eq!((shown(&app).await, page().await), (json!(url), format!("<meta content=\"{url}\">")));
    app.book(CUSTOMER).await;
    let mail = newest_mail(&app).await;
    assert!(mail.contains(&format!("{}{url}", app.services.public_url())), "{mail}");

    // What nobody uploaded is refused by its place, and what is shown stays.
    for unknown in ["0190aaaa-0000-7000-8000-000000000001", "logo.png", "https://elsewhere.example/logo.png"] {
        let refused = save(&app, 1, json!({ "logo": unknown })).await.expect(422);
        assert_eq!(refused.body["errors"][0]["field"], "values.logo", "{unknown}");
    }
    assert_eq!(shown(&app).await, json!(url));
    save(&app, 1, json!({ "logo": "" })).await.expect(200);
    assert_eq!(shown(&app).await, json!(null));
    app.get(GUEST, "/api/logos/0190aaaa-0000-7000-8000-000000000001").await.expect(404);
}

#[actix_web::test]
async fn the_page_is_called_as_the_company_is() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<title>{{company_name}}</title>").unwrap();
    let apps = vec![WebApp::book(folder.path().to_path_buf())];
    let app = TestApp::with(Options { apps, ..Options::default() }).await;
    let page = async || app.get(GUEST, "/").await.expect(200).text;
    assert_eq!(page().await, "<title>Portage</title>");
    save(&app, 0, json!({ "name": "Roy & fils <Montréal>" })).await.expect(200);
    assert_eq!(page().await, "<title>Roy &amp; fils &lt;Montréal&gt;</title>");
}

#[actix_web::test]
async fn what_nobody_saved_is_erased_a_day_later() {
    let app = TestApp::new().await;
    let text = |made: &Value| made["url"].as_str().unwrap().to_owned();
    let kept = send(&app, ADMIN, PNG).await.expect(201).body;
    let left = send(&app, ADMIN, PNG).await.expect(201).body;
    save(&app, 0, json!({ "logo": kept["id"] })).await.expect(200);
    save(&app, 1, json!({})).await.expect(200);
    app.clock.set("2027-02-09T14:00:01Z");
    app.tokens.lock().unwrap().clear();
    let new = send(&app, ADMIN, PNG).await.expect(201).body;
    // A version names the first, and may come back.
    app.get(GUEST, &text(&kept)).await.expect(200);
    app.get(GUEST, &text(&left)).await.expect(404);
    app.get(GUEST, &text(&new)).await.expect(200);
    app.run_jobs().await;
}

/// How many pictures are in the newest invoice of a booking.
async fn pictures(app: &TestApp, booking: &str) -> usize {
    let request = app.builder(OPS, Method::POST, &format!("/api/invoices/download/{booking}")).await;
    let file = request.send().await.unwrap().error_for_status().unwrap().bytes().await.unwrap();
    let name = b"/Subtype/Image";
    file.windows(name.len()).filter(|w| w == name).count()
}

#[actix_web::test]
async fn an_invoice_keeps_the_logo_it_was_issued_with() {
    let app = TestApp::with(Options::default()).await;
    let mut fixtures = Fixtures::with_customer(&app).await;
    let before = fixtures.record(Record::Invoiced).await;
    assert_eq!(pictures(&app, &before).await, 0);
    let made = send(&app, ADMIN, PNG).await.expect(201).body;
    save(&app, 0, json!({ "logo": made["id"] })).await.expect(200);
    let with = fixtures.record(Record::Invoiced).await;
    assert!(pictures(&app, &with).await > 0);
    save(&app, 1, json!({})).await.expect(200);
    assert_eq!(pictures(&app, &before).await, 0, "what was issued does not change");
    assert!(pictures(&app, &with).await > 0, "what was issued does not change");
    app.run_jobs().await;
}

#[actix_web::test]
async fn what_is_no_picture_is_refused() {
    let app = TestApp::new().await;
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    for (file, code) in [(&svg[..], "photo_format"), (&b"MZ\x90\0"[..], "photo_format"), (&PNG[..40], "photo_damaged")]
    {
        assert_eq!(send(&app, ADMIN, file).await.expect(422).code(), code);
    }
}
