//! Tools of the desk: a status for many, a list as a file, kept lists, what changes at once, the team, the trail, work that was
//! given up.

use crate::support;

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use support::{
    Options, TestApp,
    people::{ADMIN, CUSTOMER, GUEST, OPS, PASSWORD, cookies, email, query_value},
    requests::{Answer, draft},
};

async fn booked(app: &TestApp, day: u32) -> Value {
    let body = json!({ "bookingRequest": draft(&format!("2027-03-{day:02}"), "09:00") });
    app.post(CUSTOMER, "/api/bookings", &body).await.expect(201).body
}

#[actix_web::test]
async fn a_status_for_twenty_says_for_each_what_happened() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let mut ids = Vec::new();
    for day in [1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 22, 23, 24] {
        ids.push(booked(&app, day).await["id"].as_str().unwrap().to_owned());
    }
    app.run_jobs().await;
    app.put(OPS, &format!("/api/bookings/status/{}", ids[3]), &json!({ "status": "cancelled" })).await.expect(200);
    ids.push("0190a000-0000-7000-8000-000000000000".to_owned());
    ids.push(ids[0].clone());
    assert_eq!(ids.len(), 20);
    let answer = app.post(OPS, "/api/bookings/status", &json!({ "ids": ids, "status": "assigned" })).await.expect(200);
    app.run_jobs().await;
    let data = answer.body["data"].as_array().unwrap();
    assert_eq!(data.len(), 19, "one that is named twice is changed once");
    for (n, row) in data.iter().enumerate() {
        assert_eq!(row["id"], ids[n]);
        match n {
            3 => {
                assert_eq!(
                    (&row["ok"], &row["code"], &row["status"]),
                    (&json!(false), &json!("transition_refused"), &json!("cancelled"))
                );
                assert!(row["allowed"].is_array() && !row["detail"].as_str().unwrap().is_empty(), "{row}");
            }
            18 => assert_eq!(
                (&row["ok"], &row["code"], &row["shortId"]),
                (&json!(false), &json!("not_found"), &Value::Null)
            ),
            _ => assert_eq!((&row["ok"], &row["status"]), (&json!(true), &json!("assigned")), "{row}"),
        }
    }
    for (n, id) in ids.iter().take(18).enumerate() {
        let seen = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
        assert_eq!(seen["status"], if n == 3 { "cancelled" } else { "assigned" });
    }
    app.post(OPS, "/api/bookings/status", &json!({ "ids": [], "status": "assigned" })).await.expect(422);
}

#[actix_web::test]
async fn a_list_as_a_file_holds_no_formula() {
    let app = TestApp::new().await;
    app.put(CUSTOMER, "/api/profiles/", &json!({ "firstName": "=HYPERLINK(\"http://x\")", "lastName": "+Roy" }))
        .await
        .expect(200);
    let made = app.book(CUSTOMER).await;
    let file = app.get(OPS, "/api/bookings/export").await.expect(200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert!(file.header("content-disposition").contains("attachment"));
    let mut lines = file.text.trim_start_matches('\u{feff}').lines();
    assert!(lines.next().unwrap().starts_with("shortId,status,moveDate,"));
    let line = lines.next().unwrap();
    assert!(line.contains(made["total"].as_str().unwrap()) && line.contains(made["id"].as_str().unwrap()), "{line}");
    assert!(line.contains("\"'=HYPERLINK(\"\"http://x\"\") +Roy\""), "{line}");
    assert_eq!(lines.next(), None);
    let filters = "filters=%7B%22hub%22%3A%22toronto%22%7D";
    assert_eq!(app.get(OPS, &format!("/api/bookings/export?{filters}")).await.expect(200).text.lines().count(), 1);
    // That it was taken along is on record.
    let trail = app.get(OPS, "/api/audit?subject=booking").await.expect(200).body;
    let taken: Vec<&Value> =
        trail["data"].as_array().unwrap().iter().filter(|r| r["action"] == "booking.export").collect();
    assert_eq!((taken.len(), &taken[1]["after"]["rows"]), (2, &json!(1)));
    // A booking is named by its number, as staff read it.
    let number = made["shortId"].as_str().unwrap().to_lowercase();
    let about = async |key: &str| app.get(OPS, &format!("/api/audit?subject=booking:{key}")).await.expect(200).body;
    let by_number = about(&number).await;
    assert_eq!(by_number, about(made["id"].as_str().unwrap()).await);
    assert_eq!(by_number["data"][0]["action"], "booking.create");
    assert_eq!(about("222222").await["total"], 0);
    app.get(OPS, "/api/bookings/export?filters=%7B%22x%22%3A1%7D").await.expect(400);
}

#[actix_web::test]
async fn kept_lists_are_ones_own_or_everybodys() {
    let app = TestApp::new().await;
    app.book(CUSTOMER).await;
    let mine =
        json!({ "name": "Montréal", "filters": { "hub": "montreal", "status": ["pending"] }, "sort": "-moveAt" });
    let mine = app.post(OPS, "/api/views", &mine).await.expect(201).body;
    let ours = json!({ "name": "Problems", "shared": true, "filters": { "paymentState": ["problem"] } });
    app.post(ADMIN, "/api/views", &ours).await.expect(201);
    let seen = app.get(OPS, "/api/views").await.expect(200).body;
    let told: Vec<(&str, i64, bool)> = seen["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| (v["name"].as_str().unwrap(), v["total"].as_i64().unwrap(), v["own"].as_bool().unwrap()))
        .collect();
    assert_eq!(told, [("Montréal", 1, true), ("Problems", 0, false)]);
    let work: Vec<(&str, i64)> = seen["worklists"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| (w["key"].as_str().unwrap(), w["total"].as_i64().unwrap()))
        .collect();
    assert_eq!(work, [("unassignedSoon", 0), ("paymentProblem", 0), ("waitingForCustomer", 0)]);
    app.clock.set("2027-02-14T14:00:01Z");
    app.run_jobs().await;
    app.tokens.lock().unwrap().clear();
    let soon = app.get(OPS, "/api/views").await.expect(200).body;
    assert_eq!(soon["worklists"][0]["total"], 1, "it is in 72 hours, and has nobody");
    let others = app.get(ADMIN, "/api/views").await.expect(200).body;
    assert_eq!(others["data"].as_array().unwrap().len(), 1, "what somebody keeps for themselves is not shown");
    let id = mine["id"].as_str().unwrap();
    let path = format!("/api/views/{id}");
    let put = async |who, version: &str, body: &Value| {
        let request = app.builder(who, Method::PUT, &path).await.header("if-match", version);
        Answer::of(request.json(body).send().await.unwrap()).await
    };
    put(ADMIN, "\"1\"", &ours).await.expect(404);
    assert_eq!(put(OPS, "\"1\"", &ours).await.expect(200).body["version"], 2);
    put(OPS, "\"1\"", &ours).await.expect(412);
    assert_eq!(
        put(OPS, "\"2\"", &json!({ "name": "x", "filters": { "colour": 1 } })).await.expect(400).body["errors"][0]["field"],
        "filters.colour"
    );
    app.send(ADMIN, Method::DELETE, &path, None).await.expect(404);
    let stale = app.builder(OPS, Method::DELETE, &path).await.header("if-match", "\"1\"");
    Answer::of(stale.send().await.unwrap()).await.expect(412);
    app.send(OPS, Method::DELETE, &path, None).await.expect(204);
    app.send(OPS, Method::DELETE, &path, None).await.expect(404);
    for n in 0..50 {
        app.post(OPS, "/api/views", &json!({ "name": format!("View {n}"), "filters": {} })).await.expect(201);
    }
    assert_eq!(
        app.post(OPS, "/api/views", &json!({ "name": "One more", "filters": {} })).await.expect(409).code(),
        "too_many_views"
    );
}

/// A press whose answer was lost is sent again: one note, one list, one colleague, and the first answer.
#[actix_web::test]
async fn what_is_sent_again_with_its_key_is_done_once() {
    let app = TestApp::new().await;
    let made = app.book(CUSTOMER).await;
    let notes = format!("/api/bookings/{}/notes", made["id"].as_str().unwrap());
    let colleague = json!({ "firstName": "Ann", "lastName": "Roy", "email": "ann@portage.test" });
    for (path, body) in [
        (notes.as_str(), json!({ "text": "Ring twice", "visibility": "crew" })),
        ("/api/views", json!({ "name": "Mine", "filters": { "unassigned": true } })),
        ("/api/ops", colleague),
    ] {
        let send = async |body: &Value| {
            let request = app.builder(OPS, Method::POST, path).await.header("idempotency-key", "one-press");
            Answer::of(request.json(body).send().await.unwrap()).await
        };
        let (first, again) = (send(&body).await.expect(201), send(&body).await.expect(201));
        assert_eq!(first.body, again.body, "{path}");
        let mut other = body.clone();
        let field = other.as_object().unwrap().keys().find(|k| ["text", "name", "firstName"].contains(&k.as_str()));
        let field = field.unwrap().clone();
        other[field] = json!("Other");
        assert_eq!(send(&other).await.expect(422).code(), "idempotency_key_reused", "{path}");
        let all = app.get(OPS, path).await.expect(200);
        let listed = all.body["data"].as_array().unwrap().iter().filter(|one| one["id"] == first.body["id"]).count();
        assert_eq!(listed, 1, "{path}: {}", all.text);
    }
    assert_eq!(app.get(OPS, &notes).await.expect(200).body["data"].as_array().unwrap().len(), 1);
    app.run_jobs().await;
}

#[actix_web::test]
async fn what_a_colleague_changes_is_told_within_two_seconds() {
    let app = TestApp::new().await;
    let made = app.book(CUSTOMER).await;
    let id = made["id"].as_str().unwrap();
    let mut stream = app.builder(OPS, Method::GET, "/api/events").await.send().await.unwrap();
    assert_eq!(stream.status(), 200);
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    assert_eq!(&stream.chunk().await.unwrap().unwrap()[..], b": listening\n\n");
    let began = Instant::now();
    app.post(ADMIN, &format!("/api/bookings/{id}/notes"), &json!({ "text": "secret words", "visibility": "staff" }))
        .await
        .expect(201);
    let told = tokio::time::timeout(Duration::from_secs(5), stream.chunk()).await.unwrap().unwrap().unwrap();
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let told = String::from_utf8_lossy(&told).into_owned();
    assert_eq!(told, format!("event: change\ndata: {}\n\n", json!({ "id": id, "kind": "booking" })));
    // The right ends, and with it the stream.
    let gone: Result<bool, service::ports::StoreError> =
        app.services.store.write(|u| u.members().remove("ops@portage.test")).await;
    assert!(gone.unwrap());
    let end = tokio::time::timeout(Duration::from_secs(5), stream.chunk()).await.unwrap();
    assert_eq!(end.unwrap_or_default(), None);
    let again = app.get(OPS, "/api/events").await;
    assert!(matches!(again.status, 401 | 403), "{}", again.text);
}

/// The right ends, and with it the stream.
#[actix_web::test]
async fn a_colleague_is_invited_signs_up_and_leaves() {
    let limits = api::Limits { sign_in: 1_000_000, token: 1_000_000, ..api::Limits::default() };
    let app = TestApp::with(Options { limits, ..Options::default() }).await;
    let new = json!({ "firstName": "Élodie", "lastName": "Roy", "email": "Elodie@portage.test", "language": "fr" });
    let member = app.post(OPS, "/api/ops", &new).await.expect(201).body;
    assert_eq!((&member["state"], &member["admin"], &member["version"]), (&json!("invited"), &json!(false), &json!(1)));
    assert_eq!(app.post(OPS, "/api/ops", &new).await.expect(409).code(), "member_exists");
    let admin = json!({ "firstName": "A", "lastName": "B", "email": "boss@portage.test", "admin": true });
    assert_eq!(
        app.post(OPS, "/api/ops", &admin).await.expect(403).code(),
        "forbidden",
        "only an administrator makes another"
    );
    app.run_jobs().await;
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let mail = mails["data"].as_array().unwrap().iter().find(|m| m["messageType"] == "opsInvite").unwrap();
    assert_eq!((&mail["language"], &mail["subject"]), (&json!("fr"), &json!("Votre accès au tableau de bord")));
    let text =
        app.get(GUEST, &format!("/simulators/mailbox/messages/{}", mail["id"].as_str().unwrap())).await.expect(200);
    assert!(
        text.body["text"].as_str().unwrap().contains("ops Tester")
            && text.body["text"].as_str().unwrap().contains("/signup?lang=fr&returnTo=/dashboard"),
        "{}",
        text.text
    );

    let body = json!({ "email": "elodie@portage.test", "password": PASSWORD, "firstName": "Élodie", "lastName": "Roy", "language": "fr", "acceptTerms": true });
    let signed = app.http.post(app.path("/identity/api/sign-up")).json(&body).send().await.unwrap();
    assert_eq!(signed.status(), 201);
    let session = cookies(&signed);
    app.run_jobs().await;
    let token = app.token_answer(&session).await["access_token"].as_str().unwrap().to_owned();
    let as_her =
        async |path: &str| Answer::of(app.http.get(app.path(path)).bearer_auth(&token).send().await.unwrap()).await;
    as_her("/api/bookings").await.expect(403);
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let welcome = mails["data"].as_array().unwrap().iter().find(|m| m["messageType"] == "welcome").unwrap();
    let welcome =
        app.get(GUEST, &format!("/simulators/mailbox/messages/{}", welcome["id"].as_str().unwrap())).await.expect(200);
    let link = welcome.body["text"]
        .as_str()
        .unwrap()
        .split_whitespace()
        .find(|w| w.contains("/identity/verify?token="))
        .unwrap()
        .to_owned();
    let verify = format!("/identity/verify?token={}", query_value(&link, "token").unwrap());
    let verified = app.http.get(app.path(&verify)).header("cookie", &session).send().await.unwrap();
    assert!(verified.status().as_u16() < 400, "{}", verified.status());
    as_her("/api/bookings").await.expect(200);

    let team = app.get(OPS, "/api/ops?per_page=100").await.expect(200).body;
    assert_eq!(team["total"], 3);
    let her = team["data"].as_array().unwrap().iter().find(|m| m["id"] == member["id"]).unwrap();
    assert_eq!(her["state"], "active");
    let path = format!("/api/ops/{}", member["id"].as_str().unwrap());
    let put = async |who, path: &str, version: &str, admin: bool| {
        let body = json!({ "firstName": "Élodie", "lastName": "Roy", "admin": admin });
        let request = app.builder(who, Method::PUT, path).await.header("if-match", version);
        Answer::of(request.json(&body).send().await.unwrap()).await
    };
    put(OPS, &path, "\"1\"", true).await.expect(403);
    assert_eq!(put(ADMIN, &path, "\"1\"", true).await.expect(200).body["admin"], true);
    put(ADMIN, &path, "\"1\"", true).await.expect(412);
    put(ADMIN, &path, "\"2\"", false).await.expect(200);
    let boss = team["data"].as_array().unwrap().iter().find(|m| m["admin"] == true).unwrap();
    let boss = format!("/api/ops/{}", boss["id"].as_str().unwrap());
    assert_eq!(put(ADMIN, &boss, "\"1\"", false).await.expect(409).code(), "last_admin");
    assert_eq!(app.send(ADMIN, Method::DELETE, &boss, None).await.expect(409).code(), "last_admin");
    let stale = app.builder(ADMIN, Method::DELETE, &path).await.header("if-match", "\"2\"");
    Answer::of(stale.send().await.unwrap()).await.expect(412);
    app.send(ADMIN, Method::DELETE, &path, None).await.expect(204);
    // At once: her sessions ended with her right.
    assert!([401, 403].contains(&as_her("/api/bookings").await.status));
    app.send(ADMIN, Method::DELETE, &path, None).await.expect(404);

    let trail = app.get(OPS, "/api/audit?subject=member").await.expect(200).body;
    let told: Vec<(&str, &str)> = trail["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| (r["action"].as_str().unwrap(), r["actor"]["name"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("member.remove", "admin Tester"),
            ("member.update", "admin Tester"),
            ("member.update", "admin Tester"),
            ("member.add", "ops Tester")
        ]
    );
    assert_eq!(
        (&trail["data"][2]["before"]["role"], &trail["data"][2]["after"]["role"]),
        (&json!("ops"), &json!("admin"))
    );
    let by = trail["data"][3]["actor"]["id"].as_str().unwrap();
    let hers = app
        .get(OPS, &format!("/api/audit?actor={by}&subject=member:{}", member["id"].as_str().unwrap()))
        .await
        .expect(200)
        .body;
    assert_eq!(hers["total"], 1);
    // People are named by their address, in any case of letters; somebody unknown did nothing.
    let named =
        async |who: &str| app.get(OPS, &format!("/api/audit?actor={who}&subject=member")).await.expect(200).body;
    assert_eq!(named(&email(ADMIN).to_uppercase()).await["total"], 3);
    assert_eq!(named("nobody@portage.test").await["total"], 0);
    assert_eq!(app.get(OPS, "/api/audit?actor=somebody").await.expect(422).body["errors"][0]["field"], "actor");
    assert_eq!(app.get(OPS, "/api/audit?from=2027-02-09").await.expect(200).body["total"], 0);
    assert!(
        app.get(OPS, "/api/audit?from=2027-02-08&to=2027-02-08").await.expect(200).body["total"].as_i64().unwrap() >= 4
    );
}

#[actix_web::test]
async fn work_that_was_given_up_is_shown_and_done_again() {
    let app = TestApp::new().await;
    assert_eq!(app.get(OPS, "/api/queue").await.expect(200).body["data"], json!([]));
    let mut fixtures = support::examples::Fixtures::bare(&app);
    let id = fixtures.record(api::contract::Record::Job).await;
    let listed = app.get(OPS, "/api/queue").await.expect(200).body;
    assert_eq!(
        (&listed["data"][0]["id"], &listed["data"][0]["state"], &listed["data"][0]["lastError"]),
        (&json!(id), &json!("dead"), &json!("nobody took it"))
    );
    app.send(OPS, Method::POST, &format!("/api/queue/{id}/retry"), None).await.expect(204);
    app.send(OPS, Method::POST, &format!("/api/queue/{id}/retry"), None).await.expect(404);
    app.run_jobs().await;
    assert_eq!(app.get(OPS, "/api/queue").await.expect(200).body["data"], json!([]));
}
