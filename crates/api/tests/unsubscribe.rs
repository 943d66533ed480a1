//! Stopping commercial mail: on the page, and by the button of a mail program; to open a link changes nothing.

use crate::support::{
    Options, TestApp,
    answer::Answer,
    bodies::draft,
    people::{CUSTOMER, GUEST, OPS},
};
use reqwest::Method;
use serde_json::{Value, json};
use store::testing::TestDb;

async fn quote(app: &TestApp) {
    let body = json!({
        "email": "guest@portage.test", "bookingRequest": draft("2027-02-17", "09:00"), "draft": "{}",
    });
    app.post(GUEST, "/api/quotes", &body).await.expect(201);
    app.run_jobs().await;
}

async fn press(app: &TestApp, path: &str, media: &str, body: &'static str) -> Answer {
    let request = app.builder(GUEST, Method::POST, path).await.header("content-type", media).body(body);
    Answer::of(request.send().await.unwrap()).await
}

const FORM: &str = "application/x-www-form-urlencoded";

async fn pressed(db: TestDb) {
    let app = TestApp::with(Options { db: Some(db), people: &[CUSTOMER, OPS], ..Options::default() }).await;
    quote(&app).await;
    let token = app.mailed_secret("/unsubscribe/").await;
    let page = format!("/api/unsubscribe/{token}");
    let one_click = format!("{page}/one-click");
    let shown = app.get(GUEST, &page).await.expect(200);
    assert_eq!(
        shown.body,
        json!({ "address": "g***@portage.test", "stopped": false, "company": "Portage", "language": "en" })
    );
    assert_eq!(shown.header("cache-control"), "private, no-store");
    // The address that the mail program is told, opened by a browser: on to the page, and nothing is stopped.
    let opened = app.get(GUEST, &one_click).await.expect(302);
    assert_eq!(opened.header("location"), format!("/unsubscribe/{token}?lang=en"));
    assert_eq!(app.get(GUEST, &page).await.expect(200).body["stopped"], false);
    // What is no such press.
    assert_eq!(press(&app, &one_click, FORM, "a=b").await.expect(400).code(), "malformed_request");
    press(&app, &one_click, "application/json", "{}").await.expect(415);
    for guess in ["x".repeat(43), "short".to_owned()] {
        app.get(GUEST, &format!("/api/unsubscribe/{guess}")).await.expect(404);
        press(&app, &format!("/api/unsubscribe/{guess}/one-click"), FORM, "List-Unsubscribe=One-Click")
            .await
            .expect(404);
    }
    assert_eq!(app.get(GUEST, &page).await.expect(200).body["stopped"], false);
    let part = "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n";
    for (media, body) in [("multipart/form-data; boundary=b", part), (FORM, "List-Unsubscribe=One-Click")] {
        app.post(GUEST, &page, &json!({ "stop": false })).await.expect(200);
        press(&app, &one_click, media, body).await.expect(204);
        assert_eq!(app.get(GUEST, &page).await.expect(200).body["stopped"], true, "{media}");
    }
    quote(&app).await;
    let held = app.get(OPS, "/api/messages?messageType=quoteSaved&standing=withheld").await.expect(200).body;
    let row: &Value = &held["data"][0];
    assert_eq!((&held["total"], &row["trouble"]), (&json!(1), &json!("unsubscribed")));
    assert_eq!(app.post(GUEST, &page, &json!({ "stop": false })).await.expect(200).body["stopped"], false);
    quote(&app).await;
    let sent = app.get(OPS, "/api/messages?messageType=quoteSaved&standing=sent").await.expect(200).body;
    assert_eq!(sent["total"], 2);
}

#[actix_web::test]
async fn such_mail_is_stopped_by_a_press_and_never_by_a_look() {
    for db in TestDb::both() {
        pressed(db).await;
    }
}

#[actix_web::test]
async fn the_mail_tells_mail_programs_and_a_booking_is_confirmed_all_the_same() {
    let app = TestApp::with(Options { people: &[CUSTOMER, OPS], ..Options::default() }).await;
    quote(&app).await;
    app.book(CUSTOMER).await;
    let mut heads = Vec::new();
    for file in std::fs::read_dir(&app.mail).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|kind| kind == "eml") {
            let raw = std::fs::read_to_string(path).unwrap();
            heads.push(raw.split("\r\n\r\n").next().unwrap().replace("\r\n ", " "));
        }
    }
    let of = |kind: &str| heads.iter().find(|head| head.contains(&format!("Message-Type: {kind}"))).unwrap();
    let stoppable = of("quoteSaved");
    assert!(stoppable.contains("List-Unsubscribe: <http") && stoppable.contains("/one-click>"), "{stoppable}");
    assert!(stoppable.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{stoppable}");
    assert!(!of("bookingConfirmation").contains("List-Unsubscribe"));
}
