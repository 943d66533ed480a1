//! Texts that staff send by hand, and the words of texts: saved, sent, restored.

use crate::support::{
    Options, TestApp,
    people::{ADMIN, CUSTOMER, GUEST, OPS},
    requests::Answer,
};
use reqwest::Method;
use serde_json::{Value, json};
use service::ports::{StoreError, bookings::Booking};
use status_machine::booking::Status;
use store::testing::TestDb;

const SEND: &str = "/api/sms/send";

async fn on(db: TestDb) -> TestApp {
    let people = &[CUSTOMER, OPS, ADMIN];
    let app = TestApp::with(Options { db: Some(db), people, texts: true, ..Options::default() }).await;
    // What becomes of a text is told when a test asks.
    app.post(GUEST, "/simulators/twilio/control", &json!({ "hold": true })).await.expect(200);
    app
}

fn delivery(number: &str) -> Value {
    json!({
        "message_type": "deliveryScheduled",
        "partner_name": "Meubles Laurier",
        "customer_name": "Camille Roy",
        "phone_number": number,
        "delivery": { "taskID": "T-7", "date": "2027-09-17", "time_range": "9:00 – 10:00" },
        "language": "en",
    })
}

async fn send(app: &TestApp, key: Option<&str>, data: &Value) -> Answer {
    let request = app.builder(OPS, Method::POST, SEND).await.json(&json!({ "data": data }));
    let request = match key {
        Some(key) => request.header("idempotency-key", key),
        None => request,
    };
    Answer::of(request.send().await.unwrap()).await
}

/// What the service has, the newest first.
async fn there(app: &TestApp) -> Vec<(String, String)> {
    app.run_jobs().await;
    let held = app.get(GUEST, "/simulators/twilio/messages").await.expect(200).body;
    let read = |m: &Value| (m["to"].as_str().unwrap().to_owned(), m["body"].as_str().unwrap().to_owned());
    held["data"].as_array().unwrap().iter().map(read).collect()
}

async fn until(app: &TestApp, instant: &str) {
    app.clock.set(instant);
    app.tokens.lock().unwrap().clear();
}

async fn one_message_a_row(db: TestDb) {
    let app = on(db).await;
    let rows = json!([
        delivery("514 555-0142"),
        { "message_type": "nothing", "phone_number": "514 555-0142" },
        { "message_type": "deliveryArriving", "phone_number": "12", "delivery": { "mate_name": "Alex" } },
        { "message_type": "deliveryOnTheWay", "phone_number": "514 555-0143", "delivery": { "mate_name": "Alex" } },
        { "message_type": "paymentFailed", "phone_number": "514 555-0143" },
        delivery("(514) 555-0142"),
        { "message_type": "deliveryArriving", "phone_number": "514 555-0144", "delivery": { "mate_name": "Zoë" }, "language": "zh" },
        { "message_type": "moveReminder", "bookingId": "01900000-0000-7000-8000-000000000000" },
    ]);
    let told = send(&app, Some("a"), &rows).await.expect(202).body;
    assert_eq!(told["accepted"], 2);
    assert_eq!(
        told["rejected"],
        json!([
            { "index": 1, "code": "unknown_type" },
            { "index": 2, "code": "no_number" },
            { "index": 3, "code": "missing_value" },
            { "index": 4, "code": "missing_value" },
            { "index": 5, "code": "repeated" },
            { "index": 7, "code": "unknown_booking" },
        ])
    );
    // The answer was lost: the same again sends nothing more.
    let again = send(&app, Some("a"), &rows).await.expect(202);
    assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &told));
    assert_eq!(
        send(&app, Some("a"), &json!([delivery("514 555-0199")])).await.expect(422).code(),
        "idempotency_key_reused"
    );
    let mut sent = there(&app).await;
    sent.sort();
    assert_eq!(
        sent,
        [
            (
                "+15145550142".to_owned(),
                "Meubles Laurier: your delivery is planned on September 17, 2027, 9:00 - 10:00.".to_owned()
            ),
            ("+15145550144".to_owned(), "Zoë 将在几分钟后到达。".to_owned()),
        ]
    );
    // What became of them is found by the report.
    let report = told["reportId"].as_str().unwrap();
    let listed = app.get(OPS, &format!("/api/messages?report={report}")).await.expect(200).body;
    assert_eq!(listed["total"], 2);
    assert!(listed["data"].as_array().unwrap().iter().all(|m| m["standing"] != "waiting" && m["channel"] == "sms"));
    let other = "01900000-0000-7000-8000-000000000001";
    assert_eq!(app.get(OPS, &format!("/api/messages?report={other}")).await.expect(200).body["total"], 0);
    // The trail counts and names nobody.
    let trail = app.get(ADMIN, "/api/audit?subject=sms").await.expect(200);
    assert!(!trail.text.contains("555"), "{}", trail.text);
    let done = &trail.body["data"][0];
    assert_eq!((&done["action"], &done["after"]["accepted"]), (&json!("sms.send"), &json!(2)), "{done}");
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403)] {
        app.post(who, SEND, &json!({ "data": [delivery("514 555-0142")] })).await.expect(status);
    }
    let many: Vec<Value> = (0..201).map(|_| delivery("514 555-0142")).collect();
    send(&app, None, &json!(many)).await.expect(422);
    send(&app, None, &json!([])).await.expect(422);
}

#[actix_web::test]
async fn each_row_is_one_message_however_often_it_is_asked_for() {
    for db in TestDb::both() {
        one_message_a_row(db).await;
    }
}

#[actix_web::test]
async fn the_night_and_a_stop_hold_for_texts_by_hand() {
    let app = on(TestDb::sqlite()).await;
    // Eight in the morning in Montréal is five in Vancouver.
    until(&app, "2027-02-09T13:30:00Z").await;
    let rows = json!([delivery("604 555-0142"), delivery("514 555-0142")]);
    assert_eq!(send(&app, None, &rows).await.expect(202).body["accepted"], 2);
    assert_eq!(there(&app).await.iter().map(|(to, _)| to.as_str()).collect::<Vec<_>>(), ["+15145550142"]);
    until(&app, "2027-02-09T15:00:00Z").await;
    assert_eq!(there(&app).await.len(), 2, "eight there");
    let stop = json!({ "from": "+15145550142", "body": "STOP" });
    app.post(GUEST, "/simulators/twilio/inbound", &stop).await.expect(200);
    let held = app.get(GUEST, "/simulators/twilio/callbacks").await.expect(200).body;
    let calls = held["data"].as_array().unwrap();
    let call = calls.iter().find(|call| call["form"].to_string().contains("STOP")).unwrap();
    let path = call["url"].as_str().unwrap().strip_prefix(app.services.public_url()).unwrap().to_owned();
    let form: Vec<(String, String)> = serde_json::from_value(call["form"].clone()).unwrap();
    let request = app.builder(GUEST, Method::POST, &path).await;
    let request = request.header("x-twilio-signature", call["signature"].as_str().unwrap()).form(&form);
    assert_eq!(request.send().await.unwrap().status(), 200);
    let told = send(&app, None, &json!([delivery("514 555-0142")])).await.expect(202).body;
    assert_eq!(told["rejected"], json!([{ "index": 0, "code": "stopped" }]));
}

#[actix_web::test]
async fn a_booking_says_what_its_text_needs() {
    let app = on(TestDb::sqlite()).await;
    let booking = app.book(CUSTOMER).await;
    let (id, short) = (booking["id"].as_str().unwrap(), booking["shortId"].as_str().unwrap());
    // No card was declined: nobody is told that one was.
    let declined = json!([{ "message_type": "paymentFailed", "bookingId": id, "language": "fr" }]);
    let told = send(&app, None, &declined).await.expect(202).body;
    assert_eq!(told["rejected"], json!([{ "index": 0, "code": "not_true" }]));
    changed(&app, id, |b| b.details.payment_problem = true).await;
    let rows = json!([
        { "message_type": "moveReminder", "bookingId": id },
        { "message_type": "deliveryArriving", "bookingId": id, "delivery": { "mate_name": "Alex" } },
        { "message_type": "paymentFailed", "bookingId": id, "language": "fr" },
    ]);
    assert_eq!(send(&app, None, &rows).await.expect(202).body["accepted"], 3);
    let sent = there(&app).await;
    assert!(sent.iter().all(|(to, _)| to == "+15145550101"), "{sent:?}");
    let says = |part: &str| sent.iter().any(|(_, body)| body.contains(part));
    assert!(
        says("Reminder: your move is on February 17, 2027, ") && says("Alex arrives in a few minutes."),
        "{sent:?}"
    );
    assert!(says("Votre carte a été refusée") && says("/card/"), "{sent:?}");
    // They are the booking's; the link of the third is not kept.
    let kept = app.get(OPS, &format!("/api/messages?channel=sms&value={short}")).await.expect(200);
    assert_eq!(kept.body["total"], 3);
    // By their number, in any writing.
    for number in
        ["%2B15145550101", "+15145550101", "5145550101", "514%20555-0101", "(514)%20555.0101", "1-514-555-0101"]
    {
        let found = app.get(OPS, &format!("/api/messages?channel=sms&value={number}")).await.expect(200).body;
        assert!(found["total"].as_i64().unwrap() >= 3, "{number}: {found}");
    }
    let nobody = app.get(OPS, "/api/messages?channel=sms&value=514%20555-0999").await.expect(200).body;
    assert_eq!(nobody["total"], 0);
    for row in kept.body["data"].as_array().unwrap() {
        let path = format!("/api/messages/{}", row["id"].as_str().unwrap());
        let text = app.get(OPS, &path).await.expect(200).text;
        assert!(!text.contains("/card/"), "{text}");
    }
    // Nor is anybody reminded of a move that was cancelled.
    changed(&app, id, |b| b.status = Status::Cancelled).await;
    let reminder = json!([{ "message_type": "moveReminder", "bookingId": id }]);
    let told = send(&app, None, &reminder).await.expect(202).body;
    assert_eq!(told["rejected"], json!([{ "index": 0, "code": "not_true" }]));
}

/// The booking as if something had happened to it.
async fn changed(app: &TestApp, id: &str, change: impl FnOnce(&mut Booking) + Send + 'static) {
    let key: kernel::BookingId = id.parse().unwrap();
    let written = app.services.store.write(move |u| {
        let mut b = u.bookings().get(key)?.unwrap();
        change(&mut b);
        let version = b.version;
        u.bookings().update(&b, version)
    });
    let done: Result<i32, StoreError> = written.await;
    done.unwrap();
}

#[actix_web::test]
async fn without_a_service_each_row_says_so() {
    let app = TestApp::with(Options { people: &[OPS], ..Options::default() }).await;
    let told = send(&app, None, &json!([delivery("514 555-0142")])).await.expect(202).body;
    assert_eq!((&told["accepted"], &told["rejected"][0]["code"]), (&json!(0), &json!("texts_off")));
    let refused = app.post(OPS, "/api/templates/sms-moveReminder/en/test", &json!({})).await.expect(409);
    assert_eq!(refused.code(), "texts_off");
}

const REMINDER: &str = "/api/templates/sms-moveReminder/en";

async fn put(app: &TestApp, version: i64, text: &str, force: bool) -> Answer {
    let body = json!({ "subject": "", "text": text, "html": "", "force": force });
    let request = app.builder(OPS, Method::PUT, REMINDER).await.header("if-match", format!("\"{version}\""));
    Answer::of(request.json(&body).send().await.unwrap()).await
}

async fn words_are_saved_sent_and_restored(db: TestDb) {
    let app = on(db).await;
    let shipped = "Reminder: your move is on {{date}}, {{time_range}}.";
    let one = app.get(OPS, REMINDER).await.expect(200).body;
    assert_eq!((&one["text"], &one["subject"], &one["html"]), (&json!(shipped), &json!(""), &json!("")));
    assert_eq!(one["keys"], json!(["date", "time_range", "customer_name", "company_name", "phone_number"]));
    let own = "{{company_name}}: see you {{date}}, {{customer_name}}. {{nickname}}";
    let refused = put(&app, 0, own, false).await.expect(422);
    assert_eq!((refused.code(), &refused.body["keys"]), ("template_unsupported_keys", &json!(["nickname"])));
    assert_eq!(put(&app, 0, own, true).await.expect(200).body["unsupportedKeys"], json!(["nickname"]));
    for (text, code) in [
        ("{{#if date}}x", "template_broken"),
        ("{{> footer_text_en}}", "template_broken"),
        ("{{lookup date 1}}", "template_broken"),
        ("", "validation_failed"),
        (&"x".repeat(1_601), "validation_failed"),
    ] {
        assert_eq!(
            put(&app, 1, text, true).await.expect(422).code(),
            code,
            "{}",
            text.chars().take(30).collect::<String>()
        );
    }
    let mail = json!({ "subject": "x", "text": "x", "html": "<p>x</p>" });
    let request = app.builder(OPS, Method::PUT, REMINDER).await.header("if-match", "\"1\"").json(&mail);
    let refused = Answer::of(request.send().await.unwrap()).await.expect(422);
    assert_eq!(refused.body["errors"][0]["field"], "subject", "a text has none");
    // What is looked at is counted as it is billed, and is what is sent.
    let booking = app.book(CUSTOMER).await;
    let asked = json!({ "bookingId": booking["id"] });
    let seen = app.post(OPS, &format!("{REMINDER}/preview"), &asked).await.expect(200).body;
    assert_eq!(seen["text"], "Portage: see you February 17, 2027, customer Tester.");
    assert_eq!((&seen["segments"]["encoding"], &seen["segments"]["parts"]), (&json!("gsm7"), &json!(1)));
    assert_eq!((&seen["isSample"], &seen["html"]), (&json!(false), &json!("")));
    let wide = json!({ "text": "提醒 {{date}}" });
    let counted = app.post(OPS, &format!("{REMINDER}/preview"), &wide).await.expect(200).body;
    assert_eq!((&counted["segments"]["encoding"], &counted["isSample"]), (&json!("ucs2"), &json!(true)));
    until(&app, "2027-02-14T20:00:00Z").await;
    assert_eq!(there(&app).await[0].1, seen["text"].as_str().unwrap());
    // The shipped words again, byte for byte, for the next reminder.
    let request = app.builder(OPS, Method::DELETE, REMINDER).await.header("if-match", "\"1\"");
    let restored = Answer::of(request.send().await.unwrap()).await.expect(200).body;
    assert_eq!((&restored["text"], &restored["origin"]), (&json!(shipped), &json!("shipped")));
    let versions = app.get(OPS, &format!("{REMINDER}/versions")).await.expect(200).body;
    assert_eq!(versions["data"].as_array().unwrap().len(), 3);
    until(&app, "2027-02-16T20:00:00Z").await;
    assert!(there(&app).await[0].1.starts_with("Reminder: your move is on February 17, 2027"));
    // The letter of the same name is another template.
    assert_eq!(app.get(OPS, "/api/templates/moveReminder/en").await.expect(200).body["version"], 0);
    for nowhere in ["sms-nothing/en", "sms-welcome/en", "sms-moveReminder/de"] {
        app.get(OPS, &format!("/api/templates/{nowhere}")).await.expect(404);
    }
}

#[actix_web::test]
async fn saved_words_of_a_text_are_sent_until_the_shipped_ones_are_restored() {
    for db in TestDb::both() {
        words_are_saved_sent_and_restored(db).await;
    }
}

#[actix_web::test]
async fn a_text_is_tried_out_on_oneself() {
    let app = on(TestDb::sqlite()).await;
    let path = "/api/templates/sms-deliveryOnTheWay/fr";
    let asked = json!({ "text": "{{mate_name}}{{unheardOf}} arrive" });
    let seen = app.post(OPS, &format!("{path}/preview"), &asked).await.expect(200).body;
    assert_eq!((&seen["text"], &seen["unsupportedKeys"]), (&json!("Alex arrive"), &json!(["unheardOf"])));
    let told = app.post(OPS, &format!("{path}/test"), &asked).await.expect(200).body;
    assert_eq!(told["recipient"], "+15145550101");
    assert_eq!(there(&app).await, [("+15145550101".to_owned(), "Alex arrive".to_owned())]);
    let row = app.get(OPS, "/api/messages?channel=sms").await.expect(200).body["data"][0].clone();
    assert_eq!((&row["isTrial"], &row["messageType"]), (&json!(true), &json!("deliveryOnTheWay")));
}
