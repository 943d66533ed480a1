//! Asking a person over HTTP: a guest asks once however often they press, staff answer, and the booking is linked.

use crate::support::{
    TestApp,
    bodies::draft,
    people::{CUSTOMER, GUEST, MATE, OPS, PARTNER},
};
use reqwest::Method;
use serde_json::{Value, json};

const PATH: &str = "/api/quote-requests";

fn wish(email: &str) -> Value {
    let mut move_ = draft("2027-02-17", "09:00");
    move_["savedQuote"] = json!("x".repeat(43));
    move_["pickupCategory"] = json!("apartment");
    json!({
        "name": "Li Lei", "email": email, "phone": "514-555-0101", "language": "zh", "callAt": "evening",
        "obstacles": ["many_mates"], "bookingRequest": move_,
    })
}

#[actix_web::test]
async fn a_request_becomes_a_booking() {
    let app = TestApp::new().await;
    let made = app.post(GUEST, PATH, &wish("li@portage.test")).await.expect(201);
    assert_eq!(made.body["confirmed"], true);
    assert!(!made.body.to_string().contains("portage.test"), "{}", made.body);
    let path = format!("{PATH}/{}", made.body["id"].as_str().unwrap());
    for who in [GUEST, CUSTOMER, MATE, PARTNER] {
        let status = if who == GUEST { 401 } else { 403 };
        app.get(who, &path).await.expect(status);
        app.get(who, PATH).await.expect(status);
    }
    let listed = app.get(OPS, &format!("{PATH}?state=new&value=lei")).await.expect(200).body;
    assert_eq!((&listed["total"], &listed["data"][0]["name"]), (&json!(1), &json!("Li Lei")));
    let one = app.get(OPS, &path).await.expect(200);
    // As it was sent, without what opens something or is agreed to.
    let sent = draft("2027-02-17", "09:00");
    for field in ["pickup", "dropoff", "pickupCoords", "selectedFurnitures", "mateCount", "comments", "date", "time"] {
        let (kept, sent) = (&one.body["bookingRequest"][field], &sent[field]);
        let same = match (kept.as_object(), sent.as_object()) {
            (Some(kept), Some(sent)) => sent.iter().all(|(part, said)| &kept[part] == said),
            _ => kept == sent,
        };
        assert!(same, "{field}: {kept} {sent}");
    }
    assert_eq!(one.body["bookingRequest"]["pickupCategory"], "apartment");
    for gone in ["savedQuote", "holdId", "guidelinesAgreed"] {
        assert!(one.body["bookingRequest"][gone].is_null(), "{gone}");
    }
    let put = async |state: &str, version: &str| {
        let request = app.builder(OPS, Method::PUT, &path).await.header("if-match", version.to_owned());
        crate::support::requests::Answer::of(request.json(&json!({ "state": state })).send().await.unwrap()).await
    };
    let taken = put("answering", one.header("etag")).await.expect(200);
    assert_eq!(taken.body["state"], "answering");
    assert!(taken.body["takenBy"].is_string(), "{}", taken.body);
    put("closed", one.header("etag")).await.expect(412);
    put("booked", taken.header("etag")).await.expect(422);
    put("lost", taken.header("etag")).await.expect(422);
    // The third step: it is booked, and both know each other.
    let customer = json!({ "email": "li@portage.test", "firstName": "Lei", "lastName": "Li", "phone": "514-555-0101", "language": "zh" });
    let mut order = json!({
        "bookingRequest": draft("2027-02-17", "09:00"), "customer": customer, "payment": "link",
        "quoteRequestId": made.body["id"],
    });
    let booked = app.post(OPS, "/api/bookings", &order).await.expect(201).body;
    let done = app.get(OPS, &path).await.expect(200).body;
    assert_eq!((&done["state"], &done["bookingId"]), (&json!("booked"), &booked["id"]));
    assert_eq!(done["booking"], booked["shortId"]);
    // Nobody else names a request.
    order.as_object_mut().unwrap().remove("customer");
    order.as_object_mut().unwrap().remove("payment");
    app.post(CUSTOMER, "/api/bookings", &order).await.expect(403);
    app.tokens.lock().unwrap().clear();
    app.run_jobs().await;
}

#[actix_web::test]
async fn pressed_twice_it_is_one_request() {
    let app = TestApp::new().await;
    let browser = crate::support::browser();
    let mut answers = Vec::new();
    let mut cookie = String::new();
    for _ in 0..2 {
        let request = browser.post(app.path(PATH)).header("idempotency-key", "k-1").header("cookie", cookie.clone());
        let response = request.json(&wish("li@portage.test")).send().await.unwrap();
        if cookie.is_empty() {
            let set = response.headers()["set-cookie"].to_str().unwrap();
            cookie = set.split(';').next().unwrap().to_owned();
        }
        answers.push(crate::support::requests::Answer::of(response).await.expect(201));
    }
    assert_eq!(answers[0].body, answers[1].body);
    assert_eq!(answers[1].header("idempotency-replayed"), "true");
    assert_eq!(app.get(OPS, PATH).await.expect(200).body["total"], 1);
    app.run_jobs().await;
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let to = |who: &str| mails["data"].as_array().unwrap().iter().filter(|m| m["to"] == who).count();
    assert_eq!((to("li@portage.test"), to("help@portage.test")), (1, 1), "{mails}");
}

#[actix_web::test]
async fn what_cannot_be_answered_is_refused() {
    let app = TestApp::new().await;
    let with = |change: &dyn Fn(&mut Value)| {
        let mut body = wish("li@portage.test");
        change(&mut body);
        body
    };
    for (body, field) in [
        (with(&|b| b["name"] = json!(" ")), "name"),
        (with(&|b| b["email"] = json!("nobody")), "email"),
        (with(&|b| b["phone"] = json!("12")), "phone"),
        (with(&|b| b["callAt"] = json!("midnight")), "callAt"),
        (with(&|b| b["obstacles"] = json!(["moon"])), "obstacles"),
        (with(&|b| (b["email"], b["phone"]) = (json!(""), json!(null))), "email"),
        (with(&|b| b["bookingRequest"]["mateCount"] = json!(99)), "bookingRequest.mateCount"),
    ] {
        let refused = app.post(GUEST, PATH, &body).await.expect(422);
        assert!(refused.body["errors"][0]["field"].as_str().unwrap().starts_with(field), "{}", refused.body);
    }
    // A draft that lacks everything is one; whoever leaves a number alone gets no mail.
    let bare = json!({ "name": "李雷", "phone": "514-555-0101", "bookingRequest": {} });
    let made = app.post(GUEST, PATH, &bare).await.expect(201).body;
    assert_eq!(made["confirmed"], false);
    let one = app.get(OPS, &format!("{PATH}/{}", made["id"].as_str().unwrap())).await.expect(200).body;
    assert_eq!((&one["callAt"], &one["from"], &one["date"]), (&json!("anytime"), &json!(""), &json!(null)));
    app.run_jobs().await;
}
