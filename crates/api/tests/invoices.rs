//! Invoices over HTTP: who gets which document, and with which words it is refused.

use crate::support::{
    Options, TestApp,
    examples::Fixtures,
    people::{CUSTOMER, OPS},
};
use api::contract::Record;
use reqwest::Method;
use serde_json::json;

#[actix_web::test]
async fn a_booking_that_was_never_done_is_refused_in_three_languages() {
    let app = TestApp::with(Options::default()).await;
    let id = Fixtures::with_customer(&app).await.record(Record::Booking).await;
    for (language, words) in [
        (
            "en",
            "Error, please make sure the booking passed through the COMPLETE status to be able to generate an invoice.",
        ),
        ("fr", "TERMINÉE (COMPLETE)"),
        ("zh", "“已完成”（COMPLETE）"),
    ] {
        let calls = [
            (Method::POST, "/api/invoices".to_owned(), json!({ "bookingId": id })),
            (Method::POST, format!("/api/invoices/download/{id}"), json!({})),
            (Method::POST, format!("/api/invoices/send/{id}"), json!({ "rate": "0.14975" })),
            (Method::PUT, format!("/api/bookings/status/{id}"), json!({ "status": "invoiced", "language": language })),
        ];
        for (method, path, body) in calls {
            let request = app.builder(OPS, method, &path).await.header("accept-language", language).json(&body);
            let told = crate::support::requests::Answer::of(request.send().await.unwrap()).await;
            assert_eq!((told.status, told.code()), (409, "invoice_needs_completed"), "{path}: {}", told.text);
            assert!(told.body["detail"].as_str().unwrap().contains(words), "{path} {language}: {}", told.text);
        }
    }
    app.get(OPS, &format!("/api/invoices/{id}")).await.expect(404);
}

#[actix_web::test]
async fn a_document_is_a_file_with_a_name_for_its_owner() {
    let app = TestApp::with(Options::default()).await;
    let id = Fixtures::with_customer(&app).await.record(Record::Invoiced).await;
    for who in [OPS, CUSTOMER] {
        let request = app.builder(who, Method::POST, &format!("/api/invoices/download/{id}")).await;
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), "application/pdf");
        assert_eq!(header("content-disposition"), format!("attachment; filename=\"{id}-invoice.pdf\""));
        assert!(response.bytes().await.unwrap().starts_with(b"%PDF-"));
    }
    let record = app.get(CUSTOMER, &format!("/api/invoices/{id}")).await.expect(200).body;
    assert_eq!(record["number"], "2027-000001");
    let taxes = record["paper"]["taxes"].as_array().unwrap();
    let names: Vec<&str> = taxes.iter().map(|t| t["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["gst", "qst"]);
    assert_eq!(taxes[1]["rate"], "0.09975");
}

#[actix_web::test]
async fn sending_says_the_sentences_and_mails_the_file() {
    let app = TestApp::with(Options::default()).await;
    let id = Fixtures::with_customer(&app).await.record(Record::Invoiced).await;
    let invoice =
        app.get(OPS, &format!("/api/invoices/{id}")).await.expect(200).body["id"].as_str().unwrap().to_owned();
    let path = format!("/api/invoices/send/{invoice}");
    let sent = app.post(OPS, &path, &json!({ "rate": "0.14975" })).await.expect(200).body;
    assert_eq!(sent["message"], "Invoice sent.");
    assert_eq!(sent["detail"], "File sent, in a few moments you will receive the invoice in your email");
    assert_eq!((&sent["invoice"]["state"], &sent["queued"]), (&json!("sent"), &json!(true)));
    let again = app.post(OPS, &path, &json!({})).await.expect(200).body;
    assert_eq!(again["queued"], false, "once a minute");
    app.run_jobs().await;
    let mails = app.get(crate::support::people::GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let mail =
        mails["data"].as_array().unwrap().iter().find(|m| m["subject"].as_str().unwrap().contains("2027-000001"));
    let mail = mail.unwrap_or_else(|| panic!("no mail: {mails}"));
    let path = format!("/simulators/mailbox/messages/{}", mail["id"].as_str().unwrap());
    let text = app.get(crate::support::people::GUEST, &path).await.expect(200).text;
    assert!(text.contains(&format!("{id}-invoice.pdf")), "{text}");
}

/// The web app of the specification knows the booking: its invoice is drafted, issued and sent by that id.
#[actix_web::test]
async fn an_invoice_is_sent_by_the_id_of_its_booking() {
    let app = TestApp::with(Options::default()).await;
    let mut fixtures = Fixtures::with_customer(&app).await;
    let issued = fixtures.record(Record::Invoiced).await;
    let sent = app.post(OPS, &format!("/api/invoices/send/{issued}"), &json!({ "rate": "0.14975" })).await.expect(200);
    let known = app.get(OPS, &format!("/api/invoices/{issued}")).await.expect(200).body;
    assert_eq!((&sent.body["invoice"]["id"], &sent.body["invoice"]["number"]), (&known["id"], &known["number"]));
    let nobodys = "01900000-0000-7000-8000-00000000abcd";
    app.post(OPS, &format!("/api/invoices/send/{nobodys}"), &json!({})).await.expect(404);
    app.run_jobs().await;
}

#[actix_web::test]
async fn the_list_is_a_file_too() {
    let app = TestApp::with(Options::default()).await;
    let mut fixtures = Fixtures::with_customer(&app).await;
    let (first, _) = (fixtures.record(Record::Invoice).await, fixtures.record(Record::Invoice).await);
    app.post(OPS, &format!("/api/invoices/void/{first}"), &json!({ "reason": "=Wrong" })).await.expect(200);
    let again = app.builder(OPS, Method::POST, &format!("/api/invoices/void/{first}")).await;
    let again = again.header("accept-language", "fr").json(&json!({ "reason": "Encore" })).send().await.unwrap();
    let told = crate::support::requests::Answer::of(again).await.expect(409);
    assert_eq!((told.code(), &told.body["invoiceState"]), ("transition_refused", &json!("void")));
    assert!(told.body["detail"].as_str().unwrap().starts_with("Cette facture a déjà été annulée"), "{}", told.text);
    let list = app.get(OPS, "/api/invoices?states=void").await.expect(200).body;
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    let file = app.get(OPS, "/api/invoices/export").await.expect(200).text;
    let lines: Vec<&str> = file.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines.len(), 4, "{file}");
    assert!(lines[0].starts_with("number,purpose,state,issuedOn"));
    assert!(file.contains("\"CN-2027-000001\"") && file.contains("\"'=Wrong\""), "{file}");
    app.get(OPS, "/api/invoices?states=nonsense").await.expect(422);
    app.run_jobs().await;
}
