//! Photos of what is special about a move: who adds, sees and erases them, how many there may be, and what is no photo.

use crate::support;

use kernel::{BookingId, chrono::Duration};
use reqwest::Method;
use serde_json::{Value, json};
use service::ports::{StoreError, crews::CrewMate};
use support::{
    TestApp,
    people::{ADMIN, CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
    requests::{Answer, with_file},
};

/// A white square of eight by eight pixels.
const PNG: &[u8] = include_bytes!("../src/calls/photo-example.png");

async fn send(app: &TestApp, who: &'static str, booking: &str, file: &[u8], key: Option<&str>) -> Answer {
    let mut request = app.builder(who, Method::POST, &format!("/api/bookings/{booking}/photos")).await;
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    Answer::of(with_file(request, "photo", "stairs.jpg", file).send().await.unwrap()).await
}

async fn booking(app: &TestApp) -> String {
    app.book(CUSTOMER).await["id"].as_str().unwrap().to_owned()
}

async fn listed(app: &TestApp, who: &'static str, booking: &str) -> Value {
    app.get(who, &format!("/api/c/bookings/{booking}")).await.expect(200).body["photos"].clone()
}

async fn status(app: &TestApp, booking: &str, to: &str) {
    app.put(OPS, &format!("/api/bookings/status/{booking}"), &json!({ "status": to })).await.expect(200);
    app.run_jobs().await;
}

/// Puts the mate who can sign in on the crew of a move, or takes them off.
async fn crew(app: &TestApp, booking: &str, on_it: bool) {
    let (id, since): (BookingId, _) = (booking.parse().unwrap(), app.services.clock.now());
    let written: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| {
            let mate = u.members().by_email("mate@portage.test")?.unwrap().mate_id.unwrap();
            match on_it {
                true => u.crews().put(id, &CrewMate { mate, name: "Mate Tester".into(), since }, &[]),
                false => u.crews().release(id, mate),
            }
        })
        .await;
    written.unwrap();
}

#[actix_web::test]
async fn a_photo_is_added_shown_and_erased() {
    let app = TestApp::new().await;
    let id = booking(&app).await;
    assert_eq!(listed(&app, CUSTOMER, &id).await, json!([]));
    let version = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.body["version"].clone();
    let made = send(&app, CUSTOMER, &id, PNG, None).await.expect(201).body;
    let url = made["url"].as_str().unwrap().to_owned();
    assert_eq!(
        (&made["width"], &made["height"], made["addedAt"].as_str()),
        (&json!(8), &json!(8), Some(support::START))
    );
    assert_eq!(url, format!("/api/photos/{}", made["id"].as_str().unwrap()));
    for who in [CUSTOMER, OPS, ADMIN] {
        let shown = app.builder(who, Method::GET, &url).await.send().await.unwrap();
        assert_eq!((shown.status().as_u16(), &shown.headers()["content-type"]), (200, &"image/jpeg".parse().unwrap()));
        assert_eq!(shown.headers()["cache-control"], "private, no-store");
        assert_eq!(shown.headers()["x-content-type-options"], "nosniff");
        let bytes = shown.bytes().await.unwrap();
        assert!(bytes.starts_with(&[0xff, 0xd8, 0xff]), "a PNG was sent, a JPEG is kept");
        assert_eq!(json!(bytes.len()), made["bytes"]);
        assert_eq!(listed(&app, who, &id).await, json!([url]), "{who}");
    }
    // Whoever edits the booking meanwhile is not in the way.
    assert_eq!(app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.body["version"], version);
    assert_eq!(app.get(OPS, &format!("/api/bookings/{id}")).await.body["photos"], json!([url]));
    assert!(app.get(CUSTOMER, "/api/bookings/previous").await.body["data"][0]["photos"].is_null());
    app.send(CUSTOMER, Method::DELETE, &url, None).await.expect(204);
    assert_eq!(listed(&app, CUSTOMER, &id).await, json!([]));
    for method in [Method::GET, Method::DELETE] {
        app.send(CUSTOMER, method, &url, None).await.expect(404);
    }
}

#[actix_web::test]
async fn nobody_else_sees_it_but_the_crew() {
    let app = TestApp::new().await;
    let id = booking(&app).await;
    let url = send(&app, CUSTOMER, &id, PNG, None).await.expect(201).body["url"].as_str().unwrap().to_owned();
    for who in [OTHER, MATE, PARTNER] {
        app.get(who, &url).await.expect(404);
        app.send(who, Method::DELETE, &url, None).await.expect(404);
        send(&app, who, &id, PNG, None).await.expect(404);
    }
    app.get(GUEST, &url).await.expect(401);
    status(&app, &id, "assigned").await;
    app.get(MATE, &url).await.expect(404);
    crew(&app, &id, true).await;
    app.get(MATE, &url).await.expect(200);
    app.send(MATE, Method::DELETE, &url, None).await.expect(404);
    send(&app, MATE, &id, PNG, None).await.expect(404);
    for who in [OTHER, PARTNER] {
        app.get(who, &url).await.expect(404);
    }
    // Who is taken off sees it no more.
    crew(&app, &id, false).await;
    app.get(MATE, &url).await.expect(404);
}

#[actix_web::test]
async fn customers_erase_what_is_theirs_while_the_move_is_to_come() {
    let app = TestApp::new().await;
    let id = booking(&app).await;
    let url = |a: Answer| a.expect(201).body["url"].as_str().unwrap().to_owned();
    let (mine, theirs) = (url(send(&app, CUSTOMER, &id, PNG, None).await), url(send(&app, OPS, &id, PNG, None).await));
    assert_eq!(listed(&app, CUSTOMER, &id).await.as_array().unwrap().len(), 2);
    let kept = app.send(CUSTOMER, Method::DELETE, &theirs, None).await;
    assert_eq!((kept.status, kept.code()), (403, "forbidden"), "what staff wrote down stays");
    status(&app, &id, "assigned").await;
    app.clock.set("2027-02-17T21:00:00Z");
    app.tokens.lock().unwrap().clear();
    app.run_jobs().await;
    status(&app, &id, "completed").await;
    for refused in [send(&app, CUSTOMER, &id, PNG, None).await, app.send(CUSTOMER, Method::DELETE, &mine, None).await] {
        assert_eq!((refused.status, refused.code()), (409, "photo_closed"));
    }
    app.get(CUSTOMER, &mine).await.expect(200);
    send(&app, OPS, &id, PNG, None).await.expect(201);
    app.send(OPS, Method::DELETE, &mine, None).await.expect(204);
    app.send(OPS, Method::DELETE, &theirs, None).await.expect(204);
}

#[actix_web::test]
async fn a_deleted_booking_shows_its_photos_to_administrators_only() {
    let app = TestApp::new().await;
    let id = booking(&app).await;
    let url = send(&app, CUSTOMER, &id, PNG, None).await.expect(201).body["url"].as_str().unwrap().to_owned();
    app.send(OPS, Method::DELETE, &format!("/api/bookings/{id}"), None).await.expect(200);
    app.run_jobs().await;
    for (who, want) in [(CUSTOMER, 404), (OPS, 404), (ADMIN, 200)] {
        app.get(who, &url).await.expect(want);
    }
}

#[actix_web::test]
async fn what_is_no_photo_is_refused_in_words() {
    let app = TestApp::new().await;
    let id = booking(&app).await;
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec();
    let mut bomb = PNG[..16].to_vec();
    bomb.extend([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 2, 0, 0, 0]);
    for (file, code) in [
        (svg, "photo_format"),
        (b"MZ\x90\0".to_vec(), "photo_format"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec(), "photo_heic"),
        (PNG[..40].to_vec(), "photo_damaged"),
        // Its checksum is wrong as well: refused for one reason or the other, and never decoded.
        (bomb, "photo_damaged"),
    ] {
        let refused = send(&app, CUSTOMER, &id, &file, None).await;
        assert_eq!((refused.status, refused.code()), (422, code), "{}", refused.text);
        for language in ["fr", "zh"] {
            let request =
                app.builder(CUSTOMER, Method::POST, &format!("/api/bookings/{id}/photos?lang={language}")).await;
            let told = Answer::of(with_file(request, "photo", "x.jpg", &file).send().await.unwrap()).await;
            assert_eq!(told.code(), code);
            assert_ne!(told.body["detail"], refused.body["detail"], "{language}");
        }
    }
    // Not the form it should be.
    let path = format!("/api/bookings/{id}/photos");
    let wrong = app.post(CUSTOMER, &path, &json!({ "photo": "x" })).await;
    assert_eq!((wrong.status, wrong.code()), (415, "unsupported_media_type"));
    for (part, file, want) in [("picture", PNG, "required"), ("photo", &[][..], "required")] {
        let request = app.builder(CUSTOMER, Method::POST, &path).await;
        let refused = Answer::of(with_file(request, part, "x.jpg", file).send().await.unwrap()).await;
        assert_eq!((refused.status, refused.code()), (422, "validation_failed"), "{}", refused.text);
        assert_eq!(
            (&refused.body["errors"][0]["field"], &refused.body["errors"][0]["code"]),
            (&json!("photo"), &json!(want))
        );
    }
    let request = app.builder(CUSTOMER, Method::POST, &path).await;
    let cut = request
        .header("content-type", "multipart/form-data; boundary=x")
        .body("--x\r\nContent-Disposition: form-data; name=\"photo\"\r\n\r\nabc");
    let refused = Answer::of(cut.send().await.unwrap()).await;
    assert_eq!((refused.status, refused.code()), (400, "malformed_request"), "{}", refused.text);
    assert_eq!(listed(&app, CUSTOMER, &id).await, json!([]), "nothing of it was kept");
}

#[actix_web::test]
async fn a_large_one_is_refused_before_it_is_read() {
    let app = TestApp::new().await;
    let id = booking(&app).await;
    let over = vec![0xff; 12 * 1024 * 1024 + 1];
    let refused = send(&app, CUSTOMER, &id, &over, None).await;
    assert_eq!((refused.status, refused.code()), (413, "payload_too_large"));
    assert_eq!(refused.body["detail"], "What was sent is larger than 12 MB. Please send less.");
    // Of the size that is allowed it is read, and is no picture.
    let within = send(&app, CUSTOMER, &id, &over[1..], None).await;
    assert_eq!((within.status, within.code()), (422, "photo_format"), "{}", within.text);
}

#[actix_web::test]
async fn there_is_a_ceiling_on_the_booking_and_on_the_day() {
    let app = TestApp::new().await;
    let id = booking(&app).await;
    let mut last = String::new();
    for _ in 0..20 {
        last = send(&app, CUSTOMER, &id, PNG, None).await.expect(201).body["url"].as_str().unwrap().to_owned();
    }
    for who in [CUSTOMER, OPS] {
        let refused = send(&app, who, &id, PNG, None).await;
        assert_eq!((refused.status, refused.code(), &refused.body["n"]), (409, "photo_limit", &json!(20)), "{who}");
    }
    // Erasing makes room on the booking, and none in the day.
    for _ in 20..60 {
        app.send(CUSTOMER, Method::DELETE, &last, None).await.expect(204);
        last = send(&app, CUSTOMER, &id, PNG, None).await.expect(201).body["url"].as_str().unwrap().to_owned();
    }
    app.send(CUSTOMER, Method::DELETE, &last, None).await.expect(204);
    let refused = send(&app, CUSTOMER, &id, PNG, None).await;
    assert_eq!((refused.status, refused.code(), &refused.body["n"]), (429, "photo_day_limit", &json!(60)));
    assert_eq!(refused.header("retry-after"), "86400");
    send(&app, OPS, &id, PNG, None).await.expect(201);
    app.send(OPS, Method::DELETE, listed(&app, OPS, &id).await[19].as_str().unwrap(), None).await.expect(204);
    app.clock.move_to(app.services.clock.now() + Duration::hours(24));
    app.tokens.lock().unwrap().clear();
    send(&app, CUSTOMER, &id, PNG, None).await.expect(201);
    app.run_jobs().await;
}

#[actix_web::test]
async fn ten_at_once_never_pass_the_ceiling() {
    let app = TestApp::new().await;
    let id = booking(&app).await;
    for _ in 0..15 {
        send(&app, CUSTOMER, &id, PNG, None).await.expect(201);
    }
    let all = futures_util::future::join_all((0..10).map(|_| send(&app, CUSTOMER, &id, PNG, None))).await;
    let count = |status| all.iter().filter(|a| a.status == status).count();
    assert_eq!((count(201), count(409)), (5, 5));
    assert_eq!(listed(&app, CUSTOMER, &id).await.as_array().unwrap().len(), 20);
}

#[actix_web::test]
async fn the_same_request_twice_is_one_photo() {
    let app = TestApp::new().await;
    let id = booking(&app).await;
    let first = send(&app, CUSTOMER, &id, PNG, Some("k")).await.expect(201);
    let again = send(&app, CUSTOMER, &id, PNG, Some("k")).await.expect(201);
    assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &first.body));
    let other = send(&app, CUSTOMER, &id, &[PNG, b"x"].concat(), Some("k")).await;
    assert_eq!((other.status, other.code()), (422, "idempotency_key_reused"));
    assert_eq!(listed(&app, CUSTOMER, &id).await.as_array().unwrap().len(), 1);
    // Also when it may not add another one any more.
    status(&app, &id, "cancelled").await;
    send(&app, CUSTOMER, &id, PNG, Some("k")).await.expect(201);
    send(&app, CUSTOMER, &id, PNG, None).await.expect(409);
}

#[actix_web::test]
async fn they_are_erased_when_the_move_is_long_over() {
    let app = TestApp::new().await;
    let id = booking(&app).await;
    let url = send(&app, CUSTOMER, &id, PNG, None).await.expect(201).body["url"].as_str().unwrap().to_owned();
    status(&app, &id, "cancelled").await;
    // The move would have been on February 17 at 14:00.
    for (day, want) in [("2027-05-18T13:00:00Z", 200), ("2027-05-19T15:00:00Z", 404)] {
        app.clock.set(day);
        app.tokens.lock().unwrap().clear();
        service::jobs::schedule_housekeeping(&app.services).await.unwrap();
        app.run_jobs().await;
        app.get(CUSTOMER, &url).await.expect(want);
    }
    assert_eq!(listed(&app, CUSTOMER, &id).await, json!([]));
}
