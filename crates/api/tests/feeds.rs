//! Calendars by a secret link over HTTP: who makes and ends one, and what a calendar program gets.

use reqwest::Method;
use serde_json::json;

use crate::support::{
    TestApp,
    examples::Fixtures,
    people::{CUSTOMER, GUEST, MATE, OPS, PARTNER},
    requests::Answer,
};
use api::contract::Record;

/// The path of a link.
fn path(url: &str) -> &str {
    url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).map(|(_, path)| path).unwrap()
}

async fn delete(app: &TestApp, who: &'static str, path: &str) -> Answer {
    Answer::of(app.builder(who, Method::DELETE, path).await.send().await.unwrap()).await
}

#[actix_web::test]
async fn a_calendar_program_reads_what_a_mate_made_until_it_is_revoked() {
    let app = TestApp::new().await;
    let job = Fixtures::with_customer(&app).await.record(Record::MatesJob).await;
    assert_eq!(app.get(MATE, "/api/jobs/feed").await.expect(200).body, json!({ "feed": null }));
    let made = app.post(MATE, "/api/jobs/feed", &json!({})).await.expect(201);
    assert_eq!(made.header("cache-control"), "private, no-store");
    let (id, url) = (made.body["id"].as_str().unwrap(), made.body["url"].as_str().unwrap());
    assert!(url.starts_with(app.services.public_url()) && url.ends_with("/calendar.ics"), "{url}");
    let path = format!("/{}", path(url));
    let file = app.get(GUEST, &path).await.expect(200);
    assert_eq!(file.header("content-type"), "text/calendar; charset=utf-8");
    assert_eq!(file.header("cache-control"), "private, no-cache");
    assert_eq!(file.header("x-robots-tag"), "noindex, nofollow");
    assert_eq!(file.header("content-disposition"), "inline; filename=\"calendar.ics\"");
    assert!(file.text.starts_with("BEGIN:VCALENDAR\r\n") && file.text.ends_with("END:VCALENDAR\r\n"), "{}", file.text);
    assert!(file.text.contains(&job) && !file.text.contains('$') && !file.text.contains('@'), "{}", file.text);
    // The same again costs no bytes; anything else does.
    let tag = file.header("etag").to_owned();
    for (known, status) in [
        (tag.clone(), 304),
        (format!("W/{tag}"), 304),
        (format!("\"other\", {tag}"), 304),
        ("\"other\"".into(), 200),
        ("??".into(), 200),
    ] {
        let asked = app.builder(GUEST, Method::GET, &path).await.header("if-none-match", &known);
        let told = Answer::of(asked.send().await.unwrap()).await.expect(status);
        assert_eq!((told.header("etag"), told.text.is_empty()), (&*tag, status == 304), "{known}");
    }
    let head = app.builder(GUEST, Method::HEAD, &path).await.send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.headers()["etag"].to_str().unwrap()), (200, &*tag));
    // What is told of it afterwards has no secret.
    let known = app.get(MATE, "/api/jobs/feed").await.expect(200);
    assert_eq!(known.body["feed"]["id"], json!(id));
    assert!(!known.text.contains("calendar.ics"), "{}", known.text);
    delete(&app, MATE, &format!("/api/jobs/feed/{id}")).await.expect(204);
    app.get(GUEST, &path).await.expect(404);
    delete(&app, MATE, &format!("/api/jobs/feed/{id}")).await.expect(404);
    app.run_jobs().await;
}

#[actix_web::test]
async fn staff_make_links_of_hubs_and_mates_and_nobody_else_does() {
    let app = TestApp::new().await;
    let mate = app.mate_of(MATE).await;
    let (hub, theirs) = ("/api/calendar/montreal/feed".to_owned(), format!("/api/mate/{mate}/feed"));
    for path in [&hub, &theirs] {
        for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (PARTNER, 403), (MATE, 403)] {
            app.get(who, path).await.expect(status);
            app.post(who, path, &json!({})).await.expect(status);
        }
        let first = app.post(OPS, path, &json!({})).await.expect(201).body;
        let second = app.post(OPS, path, &json!({})).await.expect(201).body;
        let at = |made: &serde_json::Value| format!("/{}", self::path(made["url"].as_str().unwrap()));
        app.get(GUEST, &at(&first)).await.expect(404);
        app.get(GUEST, &at(&second)).await.expect(200);
        let state = app.get(OPS, path).await.expect(200).body;
        assert_eq!((&state["feed"]["id"], state["feed"]["madeBy"].is_string()), (&second["id"], true));
        // Another mate's, a hub's: nobody's but staff's.
        let id = second["id"].as_str().unwrap();
        for (who, status) in [(GUEST, 401), (CUSTOMER, 403), (MATE, 403)] {
            delete(&app, who, &format!("/api/feeds/{id}")).await.expect(status);
        }
        if path == &hub {
            delete(&app, MATE, &format!("/api/jobs/feed/{id}")).await.expect(404);
        }
        delete(&app, OPS, &format!("/api/feeds/{id}")).await.expect(204);
        app.get(GUEST, &at(&second)).await.expect(404);
        assert_eq!(app.get(OPS, path).await.expect(200).body, json!({ "feed": null }));
    }
    // Staff who are no mate have no jobs, so no calendar of them.
    app.get(OPS, "/api/jobs/feed").await.expect(404);
    app.post(OPS, "/api/jobs/feed", &json!({})).await.expect(404);
    app.get(OPS, "/api/calendar/nowhere/feed").await.expect(404);
    for nobodys in ["x".repeat(43), "short".to_owned(), "%00".to_owned()] {
        app.get(GUEST, &format!("/api/feeds/{nobodys}/calendar.ics")).await.expect(404);
    }
}
