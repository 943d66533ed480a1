//! Dispatch over HTTP: the board, crews by name, and what a mate reads and says.

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::support::{
    TestApp,
    bodies::draft,
    examples::Fixtures,
    people::{CUSTOMER, GUEST, MATE, OPS, OTHER},
    table,
};
use api::{
    contract::Record,
    endpoint::{Access, Route},
};
use service::{
    Mode, Role,
    ports::{
        StoreError,
        members::{Member, MemberRole},
    },
};

/// Every value of an answer, with its path.
fn leaves(path: &str, value: &Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, v)| leaves(&format!("{path}.{key}"), v, found)),
        Value::Array(list) => list.iter().for_each(|v| leaves(&format!("{path}[]"), v, found)),
        other => found.push((path.to_owned(), other.clone())),
    }
}

const MONEY: [&str; 14] = [
    "price", "amount", "total", "tax", "tip", "discount", "charge", "payment", "fee", "card", "refund", "invoice",
    "cost", "money",
];

#[actix_web::test]
async fn a_crew_is_named_and_refused_by_name() {
    let app = TestApp::new().await;
    let mut fixtures = Fixtures::with_customer(&app).await;
    let (first, second) = (fixtures.record(Record::Booking).await, fixtures.record(Record::Booking).await);
    let mate = app.mate_of(MATE).await;
    let body = json!({ "mates": [mate] });
    let named = app.put(OPS, &format!("/api/bookings/{first}/crew"), &body).await.expect(200).body;
    assert_eq!((named["status"].as_str(), named["crew"][0]["mateId"].as_str()), (Some("assigned"), Some(&*mate)));
    app.run_jobs().await;
    // On the day of the other one he is away; the refusal says who and when, in each language.
    let day = app.get(OPS, &format!("/api/bookings/{second}")).await.expect(200).body["moveDate"].clone();
    let day = day.as_str().unwrap_or_default().get(..10).unwrap_or_default().to_owned();
    let absence = json!({ "mateId": mate, "hub": "montreal", "from": day, "to": day });
    let request = app.http.post(app.path("/api/absences")).bearer_auth(app.token(OPS).await);
    let away = request.header("idempotency-key", "away-1").json(&absence).send().await.unwrap();
    assert_eq!(away.status(), 201, "{}", away.text().await.unwrap());
    let refused = app.put(OPS, &format!("/api/bookings/{second}/crew"), &body).await.expect(409);
    assert_eq!(refused.code(), "crew_not_free");
    assert_eq!((refused.body["from"].as_str(), refused.body["until"].as_str()), (Some(&*day), Some(&*day)));
    assert!(refused.body["detail"].as_str().unwrap().contains(refused.body["who"].as_str().unwrap()));
    let none = app.put(OPS, &format!("/api/bookings/{second}/crew"), &json!({ "mates": [] })).await.expect(409);
    assert_eq!(none.code(), "crew_missing");
    assert!(none.body["detail"].as_str().unwrap().contains("Choose at least one mate"), "{}", none.text);
    // The board has both, and says which of them waits.
    let board = app.get(OPS, &format!("/api/dispatch?hub=montreal&from={day}&to={day}")).await.expect(200).body;
    assert!(board["unassigned"].as_array().unwrap().contains(&json!(second)), "{board}");
    let lane = board["mates"].as_array().unwrap().iter().find(|m| m["id"] == json!(mate)).unwrap();
    assert_eq!(lane["away"], json!([day]));
    let found = app.get(OPS, &format!("/api/bookings/{second}/crew/suggestions")).await.expect(200).body;
    let him = found["mates"].as_array().unwrap().iter().find(|m| m["id"] == json!(mate)).unwrap();
    assert_eq!((&him["free"], &him["away"], &him["suggested"]), (&json!(false), &json!(true), &json!(false)));
    app.get(OPS, "/api/dispatch?hub=nowhere").await.expect(422);
}

/// Nothing of money, and no address of mail, in any field.
#[track_caller]
fn plain(of: &str, body: &Value) -> usize {
    let mut found = Vec::new();
    leaves("", body, &mut found);
    for (path, value) in &found {
        // A feed is no fee.
        let name = path.rsplit('.').next().unwrap().to_lowercase().replace("feed", "");
        assert!(!MONEY.iter().any(|word| name.contains(word)), "{of}: {path}");
        assert!(!name.contains("mail"), "{of}: {path}");
        let text = value.as_str().unwrap_or_default();
        assert!(!text.contains('@') && !text.contains('$'), "{of}: {path}: {text}");
    }
    found.len()
}

const NOTES: &str = "/api/jobs/{id}/notes";

/// Every row of the table that is a mate's, so that a new one is looked at as well; and what is the customer's they are not
/// shown at all.
#[actix_web::test]
async fn every_answer_to_a_mate_is_looked_at_field_by_field() {
    let app = TestApp::new().await;
    let mut fixtures = Fixtures::with_customer(&app).await;
    // Or the list of jobs would have nothing to look at.
    let mine = fixtures.record(Record::MatesJob).await;
    let theirs = |r: &&Route| matches!(r.access, Access::Roles(roles) if roles.contains(&Role::Mate));
    let rows: Vec<&Route> = table(Mode::Production).iter().filter(theirs).collect();
    assert!(rows.len() >= 12 && rows.iter().all(|r| r.path.starts_with("/api/jobs")), "{}", rows.len());
    for (n, route) in rows.iter().enumerate() {
        let answer = fixtures.example(route, &format!("mate-{n}")).await;
        assert!(answer.status < 300, "{} {}: {}", route.method, route.path, answer.text);
        let fields = plain(route.path, &answer.body);
        // On the job of this example nobody has written yet, nor taken a photo: notes are looked at below, photos where
        // one is sent.
        let is_blank = route.method == Method::GET && [NOTES, "/api/jobs/{id}/photos"].contains(&route.path);
        assert!(answer.status == 204 || fields > 0 || is_blank, "{} {}", route.method, route.path);
        app.run_jobs().await;
    }
    let notes = NOTES.replace("{id}", &mine);
    let written = app.post(MATE, &notes, &json!({ "text": "The lift is out of order" })).await;
    assert!(written.status < 300, "{}", written.text);
    assert!(plain(NOTES, &app.get(MATE, &notes).await.expect(200).body) > 0);
    for path in ["", "/contract", "/statement", "/cancellation"] {
        app.get(MATE, &format!("/api/c/bookings/{mine}{path}")).await.expect(404);
    }
    app.get(MATE, &format!("/api/c/tip/{mine}")).await.expect(404);
    for path in ["", "/history", "/ledger", "/payments", "/messages", "/crew/report", "/notes"] {
        app.get(MATE, &format!("/api/bookings/{mine}{path}")).await.expect(403);
    }
    app.run_jobs().await;
}

/// The clock of a demonstration may be days ahead of the machine's, which `Date` tells: pages go by this one.
#[actix_web::test]
async fn a_demonstration_tells_what_time_it_is_to_the_program() {
    let app = TestApp::new().await;
    for instant in ["2027-02-17T14:00:00Z", "2027-03-20T09:30:00Z"] {
        app.clock.set(instant);
        for path in ["/api/config", "/api/jobs", "/api/nowhere"] {
            let told = app.get(GUEST, path).await;
            assert_eq!(told.header("portage-clock"), instant.replace('Z', ".000Z"), "{path} {}", told.status);
        }
    }
}

#[actix_web::test]
async fn no_answer_to_a_mate_has_a_price_or_an_address_of_mail() {
    let app = TestApp::new().await;
    let mut fixtures = Fixtures::with_customer(&app).await;
    let (mine, other) = (fixtures.record(Record::MatesJob).await, fixtures.record(Record::Booking).await);
    let key: kernel::BookingId = mine.parse().unwrap();
    let typed = app.services.store.write(move |u| {
        let mut b = u.bookings().get(key)?.unwrap();
        b.details.comments = "Write to ana.secret@portage.test, please".into();
        b.details.pickup.details = "code from bob@portage.test".into();
        let version = b.version;
        u.bookings().update(&b, version)
    });
    let typed: Result<i32, service::ports::StoreError> = typed.await;
    typed.unwrap();
    let mut answers = vec![
        app.get(MATE, "/api/jobs").await.expect(200),
        app.get(MATE, &format!("/api/jobs/{mine}")).await.expect(200),
    ];
    for act in ["accept", "start", "finish"] {
        answers.push(app.post(MATE, &format!("/api/jobs/{mine}/{act}"), &json!({})).await.expect(200));
    }
    // Nor has the day on paper, which staff print for them.
    let day = answers[1].body["date"].as_str().unwrap().to_owned();
    answers.push(app.get(OPS, &format!("/api/dispatch/sheet?hub=montreal&date={day}")).await.expect(200));
    for answer in &answers {
        assert!(plain("a job", &answer.body) > 30, "{}", answer.text);
    }
    let shown = &answers[1].body;
    assert_eq!(shown["comments"], "Write to ••• please");
    // The move began an hour ago.
    assert!(shown["customerPhone"].is_string(), "{shown}");
    let done = app.get(OPS, &format!("/api/bookings/{mine}")).await.expect(200).body;
    assert_eq!(done["status"], "completed");
    // Somebody else's does not exist; customers have no jobs.
    for path in [format!("/api/jobs/{other}"), "/api/jobs/01900000-0000-7000-8000-000000000000".to_owned()] {
        app.get(MATE, &path).await.expect(404);
    }
    for who in [CUSTOMER, OTHER] {
        app.get(who, "/api/jobs").await.expect(403);
    }
    assert_eq!(app.get(OPS, "/api/jobs").await.expect(200).body["data"], json!([]));
    app.get(OPS, &format!("/api/jobs/{mine}")).await.expect(404);
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_declined_job_is_told_to_staff_and_is_not_theirs_any_more() {
    let app = TestApp::new().await;
    let mine = Fixtures::with_customer(&app).await.record(Record::MatesJob).await;
    app.post(MATE, &format!("/api/jobs/{mine}/finish"), &json!({})).await.expect(409);
    app.post(MATE, &format!("/api/jobs/{mine}/decline"), &json!({})).await.expect(204);
    app.post(MATE, &format!("/api/jobs/{mine}/decline"), &json!({})).await.expect(204);
    app.get(MATE, &format!("/api/jobs/{mine}")).await.expect(404);
    let back = app.get(OPS, &format!("/api/bookings/{mine}")).await.expect(200).body;
    assert_eq!(back["status"], "pending");
    app.run_jobs().await;
    let late = app.post(MATE, &format!("/api/jobs/{mine}/start"), &json!({ "at": "2027-02-17T14:00:00Z" })).await;
    late.expect(404);
}

#[actix_web::test]
async fn a_day_is_looked_at_before_it_is_assigned_and_only_as_it_was_seen() {
    let app = TestApp::new().await;
    let _fixtures = Fixtures::with_customer(&app).await;
    let now = app.services.clock.now();
    let second = app.services.store.write(move |u| {
        u.members().insert(&Member {
            id: kernel::OpsMemberId(kernel::uuid::Uuid::from_u128(0xad77)),
            email: "second-mate@portage.test".parse().unwrap(),
            first_name: "Second".into(),
            last_name: "Mate".into(),
            role: MemberRole::Mate,
            partner_id: None,
            mate_id: Some(kernel::MateId(kernel::uuid::Uuid::from_u128(0xae77))),
            created_at: now,
            version: 1,
        })
    });
    let second: Result<(), StoreError> = second.await;
    second.unwrap();
    let day = "2027-03-01";
    let mut ids = Vec::new();
    for (time, just_mates) in [("09:00", true), ("15:00", false)] {
        let mut wished = draft(day, time);
        wished["justMates"] = json!(just_mates);
        let made = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": wished })).await.expect(201);
        ids.push(made.body["id"].clone());
    }
    app.run_jobs().await;
    let status = async |id: &Value| {
        let id = id.as_str().unwrap_or_default();
        app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body["status"].clone()
    };
    let look = json!({ "hub": "montreal", "date": day });
    let plan = app.post(OPS, "/api/dispatch/auto", &look).await.expect(200).body;
    assert_eq!(
        (&plan["applied"], &plan["jobs"][0]["id"], plan["jobs"].as_array().unwrap().len()),
        (&json!(false), &ids[0], 1)
    );
    assert_eq!(plan["jobs"][0]["crew"].as_array().unwrap().len(), 2);
    // The other one needs a truck, and the company has none.
    assert_eq!((&plan["open"][0]["id"], &plan["open"][0]["reason"]), (&ids[1], &json!("no_truck")));
    assert_eq!((status(&ids[0]).await, status(&ids[1]).await), (json!("pending"), json!("pending")));

    let apply = |version: &Value| json!({ "hub": "montreal", "date": day, "apply": true, "version": version });
    let other = app.post(OPS, "/api/dispatch/auto", &apply(&json!("another"))).await.expect(409);
    assert_eq!(other.code(), "plan_changed");
    assert_eq!(status(&ids[0]).await, "pending");
    let done = app.post(OPS, "/api/dispatch/auto", &apply(&plan["version"])).await.expect(200).body;
    assert_eq!((&done["applied"], &done["jobs"][0]["refused"]), (&json!(true), &Value::Null));
    assert_eq!((status(&ids[0]).await, status(&ids[1]).await), (json!("assigned"), json!("pending")));
    // Pressed twice.
    app.post(OPS, "/api/dispatch/auto", &apply(&plan["version"])).await.expect(409);
    app.run_jobs().await;
    let nowhere = json!({ "hub": "nowhere", "date": day });
    app.post(OPS, "/api/dispatch/auto", &nowhere).await.expect(422);
    app.post(CUSTOMER, "/api/dispatch/auto", &look).await.expect(403);
}
