//! One invoice for many moves of a partner, over HTTP.

use crate::support::{
    Options, TestApp,
    examples::Fixtures,
    people::{CUSTOMER, MATE, OPS, PARTNER},
    requests::Answer,
};
use api::contract::Record;
use reqwest::Method;
use serde_json::json;

const PERIOD: &str = "from=2027-01-01&to=2027-12-31";

#[actix_web::test]
async fn a_partner_is_invoiced_for_its_moves_and_pays_them_at_once() {
    let app = TestApp::with(Options::default()).await;
    let partner = Fixtures::with_customer(&app).await.record(Record::BilledPartner).await;
    let found = app.get(OPS, &format!("/api/partner/{partner}/uninvoiced?{PERIOD}")).await.expect(200).body;
    assert_eq!((found["bookings"].as_array().unwrap().len(), &found["language"]), (1, &json!("fr")));
    let names: Vec<_> = found["taxes"].as_array().unwrap().iter().map(|t| t["name"].clone()).collect();
    assert_eq!(names, [json!("gst"), json!("qst")]);
    let booking = found["bookings"][0]["bookingId"].as_str().unwrap().to_owned();
    let invoices = format!("/api/partner/{partner}/invoices");
    let made = app.post(OPS, &invoices, &json!({ "from": "2027-01-01", "to": "2027-12-31" })).await.expect(201).body;
    assert_eq!(
        (&made["purpose"], &made["state"], &made["bookingId"]),
        (&json!("batch"), &json!("draft"), &json!(null))
    );
    assert_eq!((&made["partner"]["id"], &made["bookings"][0]["bookingId"]), (&json!(partner), &json!(booking)));
    let id = made["id"].as_str().unwrap();
    let batch = |rest: &str| format!("/api/invoices/batch/{id}{rest}");
    // It is held: no second one.
    let told = app.post(OPS, "/api/invoices", &json!({ "bookingId": booking })).await;
    assert_eq!((told.status, told.code()), (409, "invoice_exists"), "{}", told.text);
    let request = app.builder(OPS, Method::PUT, &format!("/api/bookings/status/{booking}")).await;
    let told = Answer::of(request.json(&json!({ "status": "invoiced" })).send().await.unwrap()).await;
    assert_eq!((told.status, told.code()), (409, "invoice_exists"), "{}", told.text);
    let request = app.builder(OPS, Method::PUT, &batch("/bookings")).await.header("if-match", "\"7\"");
    let told = Answer::of(request.json(&json!({ "bookings": [booking] })).send().await.unwrap()).await;
    assert_eq!(told.code(), "version_conflict", "{}", told.text);
    // A partner's own number of the booking.
    let edits = json!({ "reference": "PO-7", "lines": [{ "key": booking, "description": "SO-12" }], "language": "en" });
    let request = app.builder(OPS, Method::PUT, &format!("/api/invoices/{id}")).await.header("if-match", "\"1\"");
    let changed = Answer::of(request.json(&edits).send().await.unwrap()).await.expect(200).body;
    assert_eq!((&changed["paper"]["language"], &changed["bookings"][0]["reference"]), (&json!("en"), &json!("SO-12")));
    let issued = app.post(OPS, &batch("/issue"), &json!({})).await.expect(200).body;
    assert_eq!((&issued["number"], &issued["bookings"][0]["status"]), (&json!("2027-000001"), &json!("invoiced")));
    let sent = app.post(OPS, &format!("/api/invoices/send/{id}"), &json!({})).await.expect(200).body;
    assert!(sent["recipient"].as_str().unwrap().ends_with("@meubles.test"), "{sent}");
    app.run_jobs().await;
    let request = app.builder(OPS, Method::POST, &batch("/download")).await;
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-disposition"], format!("attachment; filename=\"{id}-invoice.pdf\""));
    assert!(response.bytes().await.unwrap().starts_with(b"%PDF-"));
    let wrong = json!({ "method": "cheque", "amount": "1.00" });
    assert_eq!(app.post(OPS, &batch("/payments"), &wrong).await.status, 422, "its number is missing");
    let pay = json!({ "method": "cheque", "amount": issued["due"], "reference": "00042" });
    app.post(OPS, &batch("/payments"), &pay).await.expect(201);
    app.run_jobs().await;
    let paid = app.get(OPS, &batch("")).await.expect(200).body;
    assert_eq!((&paid["state"], &paid["bookings"][0]["status"]), (&json!("paid"), &json!("payed")));
    let listed = app.get(OPS, &invoices).await.expect(200).body;
    assert_eq!((&listed["total"], &listed["data"][0]["bookings"]), (&json!(1), &json!(1)));
    let file = app.get(OPS, "/api/invoices/export?purposes=batch").await.expect(200).text;
    assert!(file.contains("\"2027-000001\",batch,paid"), "{file}");
    // It is nobody's but staff's.
    for who in [CUSTOMER, MATE, PARTNER] {
        for path in [batch(""), invoices.clone(), format!("/api/partner/{partner}/uninvoiced?{PERIOD}")] {
            app.get(who, &path).await.expect(403);
        }
        app.post(who, &batch("/payments"), &pay).await.expect(403);
    }
}

#[actix_web::test]
async fn a_move_is_booked_for_a_partner_who_is_there_and_pays_by_invoice() {
    let app = TestApp::with(Options::default()).await;
    let partner = json!({ "name": "Meubles Roy" });
    let partner = app.post(OPS, "/api/partner", &partner).await.expect(201).body["id"].clone();
    let order = |payment: &str, partner: &serde_json::Value| {
        json!({
            "bookingRequest": crate::support::bodies::draft("2027-03-02", "09:00"),
            "customer": {
                "email": "buyer@portage.test", "firstName": "Camille", "lastName": "Caron", "phone": "514-555-0199",
            },
            "payment": payment, "partnerId": partner,
        })
    };
    let nobody = json!("0192aaaa-0000-7000-8000-000000000000");
    for (body, code) in [(order("link", &partner), "contradicts"), (order("invoice", &nobody), "unknown")] {
        let told = app.post(OPS, "/api/bookings", &body).await.expect(422).body;
        assert_eq!((&told["errors"][0]["field"], &told["errors"][0]["code"]), (&json!("partnerId"), &json!(code)));
    }
    let mut own = order("invoice", &partner);
    own.as_object_mut().unwrap().remove("customer");
    app.post(CUSTOMER, "/api/bookings", &own).await.expect(403);
    let made = app.post(OPS, "/api/bookings", &order("invoice", &partner)).await.expect(201).body;
    app.run_jobs().await;
    let id = made["id"].as_str().unwrap();
    let found = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    assert_eq!((&found["partner"]["name"], &found["payment"]), (&json!("Meubles Roy"), &json!("invoice")));
}
