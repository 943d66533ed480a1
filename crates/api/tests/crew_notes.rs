//! Photos and notes of a crew over HTTP: theirs and staff's only, once, and without a price or an address of mail.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    TestApp,
    examples::Fixtures,
    people::{ADMIN, CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
    requests::{Answer, with_file},
};
use api::contract::Record;
use service::ports::StoreError;

/// A white square of eight by eight pixels.
const PNG: &[u8] = include_bytes!("../src/calls/photo-example.png");

async fn send(app: &TestApp, who: &'static str, job: &str, asked: &str, file: &[u8], key: Option<&str>) -> Answer {
    let mut request = app.builder(who, Method::POST, &format!("/api/jobs/{job}/photos{asked}")).await;
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    Answer::of(with_file(request, "photo", "door.jpg", file).send().await.unwrap()).await
}

async fn write(app: &TestApp, who: &'static str, job: &str, body: &Value, key: &str) -> Answer {
    let request = app.builder(who, Method::POST, &format!("/api/jobs/{job}/notes")).await;
    Answer::of(request.header("idempotency-key", key).json(body).send().await.unwrap()).await
}

fn names(value: &Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, v)| {
            found.push((key.to_lowercase(), v.clone()));
            names(v, found);
        }),
        Value::Array(list) => list.iter().for_each(|v| names(v, found)),
        _ => {}
    }
}

#[actix_web::test]
async fn a_crews_notes_and_photos_reach_staff_and_no_customer() {
    let app = TestApp::new().await;
    let job = Fixtures::with_customer(&app).await.record(Record::MatesJob).await;
    let noted = write(&app, MATE, &job, &json!({ "text": "Ask ana@portage.test for the key" }), "n1").await.expect(201);
    let before = send(&app, MATE, &job, "?stage=before", PNG, Some("p1")).await.expect(201);
    app.post(MATE, &format!("/api/jobs/{job}/start"), &json!({})).await.expect(200);
    let finished = app.post(MATE, &format!("/api/jobs/{job}/finish"), &json!({})).await.expect(200);
    assert_eq!(finished.body["workedMinutes"], 0);
    let after = send(&app, MATE, &job, "?stage=after", PNG, Some("p2")).await.expect(201);
    let notes = app.get(MATE, &format!("/api/jobs/{job}/notes")).await.expect(200);
    let photos = app.get(MATE, &format!("/api/jobs/{job}/photos")).await.expect(200);
    assert_eq!(notes.body["data"], json!([noted.body]));
    assert_eq!(photos.body["data"], json!([before.body, after.body]));
    assert_eq!((&before.body["stage"], &after.body["stage"]), (&json!("before"), &json!("after")));
    assert_eq!(noted.body["text"], "Ask ••• for the key");
    // Field by field: nothing of money, nothing of mail.
    for answer in [&noted, &before, &after, &notes, &photos, &finished] {
        let mut found = Vec::new();
        names(&answer.body, &mut found);
        assert!(found.len() > 4, "{}", answer.text);
        for (name, value) in found {
            for word in
                ["price", "amount", "total", "tax", "tip", "cost", "fee", "discount", "payment", "charge", "mail"]
            {
                assert!(!name.contains(word), "{name}");
            }
            let text = value.as_str().unwrap_or_default();
            assert!(!text.contains('@') && !text.contains('$'), "{name}: {text}");
        }
    }
    // Staff read the note as it was written, with who wrote it, and see photos and hours.
    let told = app.get(OPS, &format!("/api/bookings/{job}/notes")).await.expect(200).body;
    let by_mate = told["data"].as_array().unwrap().iter().find(|n| !n["mate"].is_null()).unwrap();
    assert_eq!(
        (&by_mate["text"], &by_mate["visibility"]),
        (&json!("Ask ana@portage.test for the key"), &json!("crew"))
    );
    assert_eq!(by_mate["mate"]["name"], noted.body["name"]);
    let report = app.get(OPS, &format!("/api/bookings/{job}/crew/report")).await.expect(200).body;
    assert_eq!(report["photos"], photos.body["data"]);
    let planned = app.get(OPS, &format!("/api/bookings/{job}")).await.expect(200).body["estimatedDuration"].clone();
    assert_eq!((&report["plannedMinutes"], &report["workedMinutes"]), (&planned, &json!(0)));
    assert_eq!(report["crew"][0]["workedMinutes"], 0);
    // The file: the crew and staff. The customer's own booking has none of it, in no field.
    let url = before.body["url"].as_str().unwrap();
    for who in [MATE, OPS, ADMIN] {
        let shown = app.builder(who, Method::GET, url).await.send().await.unwrap();
        assert_eq!((shown.status().as_u16(), &shown.headers()["content-type"]), (200, &"image/jpeg".parse().unwrap()));
        assert_eq!(shown.headers()["cache-control"], "private, no-store");
    }
    for who in [CUSTOMER, OTHER, PARTNER] {
        app.get(who, url).await.expect(404);
        app.send(who, Method::DELETE, url, None).await.expect(404);
    }
    app.get(GUEST, url).await.expect(401);
    let seen = app.get(CUSTOMER, &format!("/api/c/bookings/{job}")).await.expect(200);
    assert_eq!(seen.body["photos"], json!([]));
    assert!(!seen.text.contains("for the key") && !seen.text.contains(url), "{}", seen.text);
    for who in [CUSTOMER, PARTNER, MATE] {
        app.get(who, &format!("/api/bookings/{job}/crew/report")).await.expect(403);
        app.get(who, &format!("/api/bookings/{job}/notes")).await.expect(403);
    }
    app.send(OPS, Method::DELETE, url, None).await.expect(204);
    // It is gone for everybody, once, and it is on record who took it away.
    app.get(MATE, url).await.expect(404);
    app.send(OPS, Method::DELETE, url, None).await.expect(404);
    let left = app.get(MATE, &format!("/api/jobs/{job}/photos")).await.expect(200).body;
    assert_eq!(left["data"], json!([after.body]));
    let id = before.body["id"].as_str().unwrap().to_owned();
    let trail: Result<_, StoreError> = app.services.store.read(move |u| u.audits().of_subject("photo", &id)).await;
    let mut actions: Vec<String> = trail.unwrap().into_iter().map(|row| row.action).collect();
    actions.sort();
    assert_eq!(actions, ["photo.create", "photo.delete"]);
    app.run_jobs().await;
}

#[actix_web::test]
async fn somebody_elses_job_takes_nothing() {
    let app = TestApp::new().await;
    let mut fixtures = Fixtures::with_customer(&app).await;
    let (mine, other) = (fixtures.record(Record::MatesJob).await, fixtures.record(Record::Booking).await);
    let text = json!({ "text": "Here" });
    for job in [&*other, "01900000-0000-7000-8000-000000000000"] {
        write(&app, MATE, job, &text, "k").await.expect(404);
        send(&app, MATE, job, "", PNG, None).await.expect(404);
        for part in ["notes", "photos"] {
            app.get(MATE, &format!("/api/jobs/{job}/{part}")).await.expect(404);
        }
    }
    // Staff who are no mate have no job; customers have none at all.
    write(&app, OPS, &mine, &text, "k").await.expect(404);
    send(&app, OPS, &mine, "", PNG, None).await.expect(404);
    write(&app, CUSTOMER, &mine, &text, "k").await.expect(403);
    // Who said no is not on it any more.
    app.post(MATE, &format!("/api/jobs/{mine}/decline"), &json!({})).await.expect(204);
    write(&app, MATE, &mine, &text, "k").await.expect(404);
    app.run_jobs().await;
}

#[actix_web::test]
async fn the_same_act_twice_is_one() {
    let app = TestApp::new().await;
    let job = Fixtures::with_customer(&app).await.record(Record::MatesJob).await;
    // He is on the job since now; three minutes later there is signal.
    let at = app.services.clock.now();
    app.clock.move_to(at + kernel::chrono::Duration::minutes(3));
    let said = json!({ "text": "The lift is stuck", "at": at });
    let first = write(&app, MATE, &job, &said, "a").await.expect(201);
    assert_eq!(
        first.body["at"].as_str().unwrap().parse::<kernel::chrono::DateTime<kernel::chrono::Utc>>().unwrap(),
        at
    );
    let again = write(&app, MATE, &job, &said, "a").await.expect(201);
    assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &first.body));
    // A day later the key is forgotten: what was written then is what it was.
    assert_eq!(write(&app, MATE, &job, &said, "b").await.expect(201).body, first.body);
    let other = write(&app, MATE, &job, &json!({ "text": "Another" }), "a").await;
    assert_eq!((other.status, other.code()), (422, "idempotency_key_reused"));
    let asked = format!("?stage=before&at={}", at.format("%Y-%m-%dT%H:%M:%SZ"));
    let photo = send(&app, MATE, &job, &asked, PNG, Some("c")).await.expect(201);
    let again = send(&app, MATE, &job, &asked, PNG, Some("c")).await.expect(201);
    assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &photo.body));
    assert_eq!(send(&app, MATE, &job, "?stage=before", PNG, None).await.expect(201).body, photo.body);
    let other = send(&app, MATE, &job, "?stage=after", PNG, Some("c")).await;
    assert_eq!((other.status, other.code()), (422, "idempotency_key_reused"));
    let kept = app.get(MATE, &format!("/api/jobs/{job}/photos")).await.expect(200).body;
    assert_eq!(kept["data"].as_array().unwrap().len(), 1);
    assert_eq!(app.get(MATE, &format!("/api/jobs/{job}/notes")).await.body["data"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn what_is_no_photo_of_a_job_is_refused_in_words() {
    let app = TestApp::new().await;
    let job = Fixtures::with_customer(&app).await.record(Record::MatesJob).await;
    for (file, code) in [
        (&b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"[..], "photo_format"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "photo_heic"),
        (&PNG[..40], "photo_damaged"),
    ] {
        let refused = send(&app, MATE, &job, "", file, None).await;
        assert_eq!((refused.status, refused.code()), (422, code), "{}", refused.text);
        assert!(refused.body["detail"].as_str().unwrap().len() > 10, "{}", refused.text);
    }
    let large = send(&app, MATE, &job, "", &vec![0xff; 12 * 1024 * 1024 + 1], None).await;
    assert_eq!((large.status, large.code()), (413, "payload_too_large"));
    let stage = send(&app, MATE, &job, "?stage=during", PNG, None).await;
    assert_eq!((stage.status, &stage.body["errors"][0]["field"]), (422, &json!("stage")), "{}", stage.text);
    let empty = write(&app, MATE, &job, &json!({ "text": "  " }), "k").await;
    assert_eq!((empty.status, &empty.body["errors"][0]["field"]), (422, &json!("text")), "{}", empty.text);
    assert_eq!(app.get(MATE, &format!("/api/jobs/{job}/photos")).await.body["data"], json!([]));
    // A clock that is wrong is no reason to refuse one.
    let ahead = send(&app, MATE, &job, "?at=2031-01-01T00:00:00Z", PNG, None).await.expect(201).body;
    let at = ahead["at"].as_str().unwrap().parse::<kernel::chrono::DateTime<kernel::chrono::Utc>>().unwrap();
    assert!(at <= app.services.clock.now(), "{ahead}");
}
