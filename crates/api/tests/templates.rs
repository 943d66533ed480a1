//! The words of messages: saved, refused, sent, restored, and looked at before.

use crate::support::{
    Options, TestApp,
    people::{ADMIN, CUSTOMER, GUEST, OPS},
    requests::Answer,
};
use reqwest::Method;
use serde_json::{Value, json};
use store::testing::TestDb;

const CONFIRMATION: &str = "/api/templates/bookingConfirmation/en";

async fn on(db: TestDb) -> TestApp {
    TestApp::with(Options { db: Some(db), people: &[CUSTOMER, OPS, ADMIN], ..Options::default() }).await
}

async fn put(app: &TestApp, path: &str, version: i64, body: &Value) -> Answer {
    let request = app.builder(OPS, Method::PUT, path).await.header("if-match", format!("\"{version}\"")).json(body);
    Answer::of(request.send().await.unwrap()).await
}

fn words(html: &str) -> Value {
    json!({ "subject": "Booked: {{bookingShortId}}", "text": "Total {{total}}", "html": html })
}

/// The newest mail of a type, with subject, text and HTML.
async fn mailed(app: &TestApp, kind: &str) -> Value {
    app.run_jobs().await;
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let of_kind = mails["data"].as_array().unwrap().iter().find(|m| m["messageType"] == kind).cloned();
    let mail = of_kind.unwrap_or_else(|| panic!("no {kind}: {mails}"));
    app.get(GUEST, &format!("/simulators/mailbox/messages/{}", mail["id"].as_str().unwrap())).await.expect(200).body
}

/// As mail carries it: line ends are those of the wire, and the last one is the envelope's.
fn lines(text: &Value) -> String {
    text.as_str().unwrap().replace("\r\n", "\n").trim_end().to_owned()
}

#[actix_web::test]
async fn every_message_is_listed_in_every_language() {
    let app = on(TestDb::sqlite()).await;
    let list = app.get(OPS, "/api/templates").await.expect(200).body;
    let rows = list["data"].as_array().unwrap();
    assert_eq!(rows.len(), (31 + 7) * 3, "by mail, and as texts");
    let of = |kind: &str, language: &str| {
        rows.iter().find(|r| r["messageType"] == kind && r["language"] == language).unwrap().clone()
    };
    let shipped = of("bookingConfirmation", "zh");
    assert_eq!(
        (&shipped["origin"], &shipped["version"], &shipped["canAttach"]),
        (&json!("shipped"), &json!(0), &json!(true))
    );
    assert_eq!(
        (&of("quoteSaved", "en")["commercial"], &of("welcome", "en")["commercial"]),
        (&json!(true), &json!(false))
    );
    assert_eq!((&of("sms-moveReminder", "zh")["channel"], &shipped["channel"]), (&json!("sms"), &json!("email")));
    assert_eq!(
        (&of("invoiceSent", "fr")["canAttach"], &of("welcome", "fr")["canAttach"]),
        (&json!(true), &json!(false))
    );
    let document = |kind: &str| of(kind, "fr")["document"].clone();
    assert_eq!(
        ["bookingConfirmation", "invoiceSent", "bookingCancelled", "welcome"].map(document),
        [json!("contract"), json!("invoice"), json!("invoice"), json!(null)]
    );
    assert_eq!(
        (&of("welcome", "fr")["aboutBooking"], &of("cardLink", "fr")["aboutBooking"]),
        (&json!(false), &json!(true))
    );
    let one = app.get(OPS, "/api/templates/welcome/fr").await.expect(200);
    assert_eq!(one.header("etag"), "\"0\"");
    let keys: Vec<&str> = one.body["keys"].as_array().unwrap().iter().map(|k| k.as_str().unwrap()).collect();
    assert!(keys.contains(&"loginUrl") && keys.contains(&"companyName") && !keys.contains(&"moveDate"), "{keys:?}");
    let file = include_str!("../../../fixtures/templates/welcome/fr.html.hbs");
    assert_eq!(one.body["html"], file);
    for (who, status) in [(GUEST, 401), (CUSTOMER, 403)] {
        app.get(who, "/api/templates").await.expect(status);
        app.post(who, &format!("{CONFIRMATION}/preview"), &json!({})).await.expect(status);
    }
    for nowhere in ["/api/templates/nothing/en", "/api/templates/welcome/de"] {
        app.get(OPS, nowhere).await.expect(404);
    }
}

async fn saved_sent_and_restored(db: TestDb) {
    let app = on(db).await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let html =
        "<p>Dear {{customerFirstName}}, {{bookingShortId}} costs {{total}}.{{#if nickname}} {{nickname}}{{/if}}</p>";
    // A key that the message does not have.
    let refused = put(&app, CONFIRMATION, 0, &words(html)).await.expect(422);
    assert_eq!((refused.code(), &refused.body["keys"]), ("template_unsupported_keys", &json!(["nickname"])));
    assert!(refused.body["detail"].as_str().unwrap().contains("nickname"), "{}", refused.text);
    assert_eq!(app.get(OPS, CONFIRMATION).await.expect(200).body["version"], 0);
    let mut forced = words(html);
    forced["force"] = json!(true);
    let saved = put(&app, CONFIRMATION, 0, &forced).await.expect(200);
    assert_eq!((saved.header("etag"), &saved.body["origin"]), ("\"1\"", &json!("changed")));
    assert_eq!(
        (&saved.body["unsupportedKeys"], &saved.body["changedBy"]),
        (&json!(["nickname"]), &json!("ops Tester"))
    );
    assert_eq!(put(&app, CONFIRMATION, 1, &forced).await.expect(200).body["version"], 1, "the same is no new version");
    assert_eq!(put(&app, CONFIRMATION, 0, &forced).await.expect(412).code(), "version_conflict");
    // The next mail is of these words.
    let booking = app.book(CUSTOMER).await;
    let (id, short) = (booking["id"].as_str().unwrap(), booking["shortId"].as_str().unwrap());
    let mail = mailed(&app, "bookingConfirmation").await;
    assert_eq!(mail["subject"], format!("Booked: {short}"));
    let sent = lines(&mail["html"]);
    assert!(
        sent.starts_with("<p>Dear ") && sent.contains(&format!("{short} costs $")) && !sent.contains("nickname"),
        "{sent}"
    );
    // Its words name nobody: who sends it is added.
    for said in ["1 Rue Peel, Montréal", "help@portage.test"] {
        assert!(sent.contains(said) && lines(&mail["text"]).contains(said), "{said}: {sent}");
    }
    // What was looked at is what was sent.
    let seen = app.post(OPS, &format!("{CONFIRMATION}/preview"), &json!({ "bookingId": id })).await.expect(200).body;
    assert_eq!((lines(&seen["html"]), lines(&seen["text"])), (sent, lines(&mail["text"])));
    assert_eq!((&seen["subject"], &seen["isSample"]), (&mail["subject"], &json!(false)));
    // The other languages have their own.
    assert_eq!(app.get(OPS, "/api/templates/bookingConfirmation/fr").await.expect(200).body["origin"], "shipped");
    // Back to what is shipped, byte for byte.
    let request = app.builder(OPS, Method::DELETE, CONFIRMATION).await.header("if-match", "\"1\"");
    let restored = Answer::of(request.send().await.unwrap()).await.expect(200).body;
    assert_eq!((&restored["origin"], &restored["version"]), (&json!("shipped"), &json!(2)));
    for (part, file) in [
        ("subject", include_str!("../../../fixtures/templates/bookingConfirmation/en.subject.hbs")),
        ("text", include_str!("../../../fixtures/templates/bookingConfirmation/en.text.hbs")),
        ("html", include_str!("../../../fixtures/templates/bookingConfirmation/en.html.hbs")),
    ] {
        assert_eq!(restored[part], file, "{part}");
    }
    let versions = app.get(OPS, &format!("{CONFIRMATION}/versions")).await.expect(200).body;
    let told: Vec<_> =
        versions["data"].as_array().unwrap().iter().map(|v| (v["version"].clone(), v["isStored"].clone())).collect();
    assert_eq!(told, [(json!(2), json!(false)), (json!(1), json!(true)), (json!(0), json!(false))]);
    let old = app.get(OPS, &format!("{CONFIRMATION}/version?number=1")).await.expect(200).body;
    assert_eq!(old["html"], html);
    app.get(OPS, &format!("{CONFIRMATION}/version?number=7")).await.expect(404);
    let trail = app.get(ADMIN, "/api/audit?subject=template").await.expect(200).body;
    let actions: Vec<&str> = trail["data"].as_array().unwrap().iter().map(|a| a["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["template.restore", "template.change"]);
    // The shipped words again, of the booking that the mail was about: equal to the mail that is sent of it now.
    let seen = app.post(OPS, &format!("{CONFIRMATION}/preview"), &json!({ "bookingId": id })).await.expect(200).body;
    app.post(OPS, &format!("/api/bookings/{id}/confirmation"), &json!({})).await.expect(200);
    let mail = mailed(&app, "bookingConfirmation").await;
    assert_eq!((lines(&seen["html"]), lines(&seen["text"])), (lines(&mail["html"]), lines(&mail["text"])));
    assert_eq!(seen["subject"], mail["subject"]);
    // Of the same booking in another language every word is of that language, its price lines as well.
    for (language, theirs) in [("fr", "2 aidants × 2 h"), ("zh", "2 名帮手 × 2 小时")] {
        let path = format!("/api/templates/bookingConfirmation/{language}/preview");
        let seen = app.post(OPS, &path, &json!({ "bookingId": id })).await.expect(200).body;
        let words = lines(&seen["text"]);
        assert!(words.contains(theirs) && !words.contains("mates"), "{words}");
    }
}

#[actix_web::test]
async fn saved_words_are_sent_until_the_shipped_ones_are_restored() {
    for db in TestDb::both() {
        saved_sent_and_restored(db).await;
    }
}

#[actix_web::test]
async fn what_runs_loads_or_cannot_be_read_is_refused_even_by_force() {
    let app = on(TestDb::sqlite()).await;
    for (html, code, line) in [
        ("<p>\n{{#if total}}x</p>", "template_broken", json!(2)),
        ("<p>{{total</p>", "template_broken", json!(1)),
        ("<p>x</p>\n<script>alert(1)</script>", "template_unsafe", json!(2)),
        ("<img alt=\"\" src=\"cid:x\" onerror=\"x\">", "template_unsafe", json!(1)),
        ("<img alt=\"\" src=\"https://spy.test/x.png\">", "template_unsafe", json!(1)),
        ("<p style=\"background-image:image-set('https://spy.test/x.png' 1x)\">x</p>", "template_unsafe", json!(1)),
        (
            "<p>x</p>\n<p style=\"background:cross-fade('https://spy.test/x.png', red)\">x</p>",
            "template_unsafe",
            json!(2),
        ),
        ("<p style=\"background:u\\72l(https://spy.test/x.png)\">x</p>", "template_unsafe", json!(1)),
        ("<style>@import 'https://spy.test/x.css';</style>", "template_unsafe", json!(1)),
        (
            "<style>@font-face { font-family: Spy; src: src('https://spy.test/x.woff') }</style>",
            "template_unsafe",
            json!(1),
        ),
    ] {
        let mut body = words(html);
        body["force"] = json!(true);
        let refused = put(&app, CONFIRMATION, 0, &body).await.expect(422);
        assert_eq!(
            (refused.code(), &refused.body["part"], &refused.body["line"]),
            (code, &json!("html"), &line),
            "{html}"
        );
        let looked = app.post(OPS, &format!("{CONFIRMATION}/preview"), &json!({ "html": html })).await.expect(422);
        assert_eq!(looked.code(), code, "{html}");
        app.post(OPS, &format!("{CONFIRMATION}/test"), &json!({ "html": html })).await.expect(422);
    }
    let large = put(&app, CONFIRMATION, 0, &words(&"x".repeat(5 * 1024 * 1024))).await;
    assert_eq!((large.status, large.code()), (413, "payload_too_large"));
    let long = put(&app, CONFIRMATION, 0, &words(&"x".repeat(100_001))).await.expect(422);
    assert_eq!(long.body["errors"][0]["field"], "html");
    let without = "/api/templates/depositCharged/en";
    for (path, field, value) in
        [(CONFIRMATION, "subject", json!(" ")), (CONFIRMATION, "text", json!("")), (without, "attachment", json!(true))]
    {
        let mut body = words("<p>x</p>");
        body[field] = value;
        let refused = put(&app, path, 0, &body).await.expect(422);
        assert_eq!((refused.code(), &refused.body["errors"][0]["field"]), ("validation_failed", &json!(field)));
    }
    assert_eq!(app.get(OPS, CONFIRMATION).await.expect(200).body["version"], 0);
}

#[actix_web::test]
async fn a_message_is_tried_out_on_oneself_with_words_that_are_not_saved() {
    for db in TestDb::both() {
        let app = on(db).await;
        let asked = json!({ "subject": "Trial of {{total}}", "html": "<p>{{bookingShortId}} {{unheardOf}}</p>" });
        let path = "/api/templates/depositCharged/fr";
        let seen = app.post(OPS, &format!("{path}/preview"), &asked).await.expect(200).body;
        assert_eq!((&seen["unsupportedKeys"], &seen["isSample"]), (&json!(["total", "unheardOf"]), &json!(true)));
        let asked = json!({ "subject": "Trial of {{depositAmount}}", "html": "<p>{{bookingShortId}}</p>" });
        let seen = app.post(OPS, &format!("{path}/preview"), &asked).await.expect(200).body;
        assert_eq!(seen["subject"], "Trial of 114,98 $");
        let sent = app.post(OPS, &format!("{path}/test"), &asked).await.expect(200).body;
        let mail = mailed(&app, "depositCharged").await;
        assert_eq!((&mail["to"], &mail["subject"]), (&sent["recipient"], &seen["subject"]));
        assert_eq!((lines(&mail["html"]), lines(&mail["text"])), (lines(&seen["html"]), lines(&seen["text"])));
        assert_eq!(app.get(OPS, path).await.expect(200).body["version"], 0, "nothing was saved");
        // A partner's paper is reminded of or paid, never both.
        let paper = app.post(OPS, "/api/templates/partnerInvoice/en/preview", &json!({})).await.expect(200).body;
        let told = paper["text"].as_str().unwrap();
        assert!(told.contains("not received") && !told.contains("paid in full"), "{told}");
        // A link that opens something is not made for a trial.
        let reset = app.post(OPS, "/api/templates/passwordReset/en/preview", &json!({})).await.expect(200).body;
        assert!(reset["text"].as_str().unwrap().contains("https://portage.invalid/resetUrl"), "{reset}");
        app.post(OPS, &format!("{path}/preview"), &json!({ "bookingId": "01900000-0000-7000-8000-000000000000" }))
            .await
            .expect(404);
    }
}
