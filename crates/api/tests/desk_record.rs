//! One booking at the desk: what its page shows, what a change would cost and then does, whose fault a cancellation is, notes
//! and who never reads them.

use crate::support::{
    TestApp,
    people::{ADMIN, CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER},
    requests::{Answer, draft},
};
use kernel::{Money, chrono::Duration};
use reqwest::Method;
use serde_json::{Value, json};

fn cents(v: &Value) -> i64 {
    v.as_str().unwrap_or_else(|| panic!("{v} is no amount")).parse::<Money>().unwrap().cents()
}

async fn change(app: &TestApp, id: &str, version: &Value, body: &Value) -> Answer {
    let request = app.builder(OPS, Method::PUT, &format!("/api/bookings/{id}")).await;
    Answer::of(request.header("if-match", format!("\"{version}\"")).json(body).send().await.unwrap()).await
}

#[actix_web::test]
async fn the_record_says_who_what_was_paid_and_what_was_said() {
    let app = TestApp::new().await;
    let made = app.book(CUSTOMER).await;
    let id = made["id"].as_str().unwrap();
    let second = json!({ "bookingRequest": draft("2027-02-24", "09:00") });
    let second = app.post(CUSTOMER, "/api/bookings", &second).await.expect(201).body;
    app.run_jobs().await;
    app.clock.set("2027-02-09T14:00:01Z");
    app.run_jobs().await;
    app.tokens.lock().unwrap().clear();

    let seen = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200);
    assert_eq!(seen.header("etag"), "\"1\"");
    let row = &seen.body;
    assert_eq!(
        (&row["paymentState"], &row["paymentProblem"], &row["hub"]),
        (&json!("deposit_paid"), &json!(false), &json!("montreal"))
    );
    assert_eq!(
        (&row["partner"], &row["guidelines"]["version"], &row["survey"]),
        (&Value::Null, &json!("2026-11"), &Value::Null)
    );
    assert_eq!(cents(&row["owed"]), cents(&row["total"]) - cents(&row["netPaid"]));
    let steps = row["allowedStatuses"].as_array().unwrap();
    assert_eq!(steps.len(), 6);
    let allowed: Vec<&str> =
        steps.iter().filter(|s| s["allowed"] == true).map(|s| s["status"].as_str().unwrap()).collect();
    assert_eq!(allowed, ["assigned", "cancelled"]);
    let refused = |to: &str| steps.iter().find(|s| s["status"] == to).unwrap()["reason"].as_str().unwrap().to_owned();
    assert_eq!(
        (refused("completed"), refused("deleted"), refused("payed")),
        ("start_not_reached".into(), "money_kept".into(), "no_such_step".into())
    );

    let who = app.get(OPS, &format!("/api/bookings/{id}/customer")).await.expect(200).body;
    assert_eq!(
        (&who["customer"]["email"], &who["customer"]["hasCard"], &who["customer"]["emailVerified"]),
        (&json!("customer@portage.test"), &json!(true), &json!(true))
    );
    assert_eq!(who["total"], 2);
    assert_eq!([&who["data"][0]["id"], &who["data"][1]["id"]], [&second["id"], &made["id"]], "the newest move first");
    assert_eq!(cents(&who["owes"]), 0, "what is charged later is not owed yet");
    app.get(OPS, "/api/bookings/0190a000-0000-7000-8000-000000000000/customer").await.expect(404);

    let money = app.get(OPS, &format!("/api/bookings/{id}/payments")).await.expect(200).body;
    let deposit = &money["data"].as_array().unwrap().iter().find(|p| p["kind"] == "deposit").unwrap();
    assert_eq!((&deposit["attempts"][0]["state"], &deposit["amount"]), (&json!("applied"), &money["netPaid"]));
    assert_eq!(money["owed"], row["owed"]);
    assert!(money["data"].as_array().unwrap().iter().any(|p| p["kind"] == "balance" && p["state"] == "scheduled"));

    let said = app.get(OPS, &format!("/api/bookings/{id}/messages")).await.expect(200).body;
    let kinds: Vec<&str> =
        said["data"].as_array().unwrap().iter().map(|m| m["messageType"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["bookingConfirmation", "depositCharged"]);
    assert_eq!(
        (&said["data"][0]["state"], &said["data"][0]["recipient"]),
        (&json!("sent"), &json!("customer@portage.test"))
    );
    assert!(said["data"][0]["text"].as_str().unwrap().contains(made["shortId"].as_str().unwrap()));

    change(&app, id, &json!(1), &json!({ "booking": { "mateCount": 3 }, "notes": "A piano" })).await.expect(200);
    app.run_jobs().await;
    let history = app.get(OPS, &format!("/api/bookings/{id}/history")).await.expect(200).body;
    let edit = history["data"].as_array().unwrap().iter().find(|e| e["kind"] == "edit").unwrap();
    assert_eq!((&edit["version"], &edit["actorName"], &edit["role"]), (&json!(1), &json!("ops Tester"), &json!("ops")));
    assert_eq!(edit["what"]["mateCount"], json!({ "before": 2, "after": 3 }));
    let before = app.get(OPS, &format!("/api/bookings/{id}/version?number=1")).await.expect(200).body;
    assert_eq!((&before["mateCount"], &before["total"]), (&json!(2), &made["total"]));
    let now = app.get(OPS, &format!("/api/bookings/{id}/version?number=2")).await.expect(200).body;
    assert_eq!(now["mateCount"], 3);
    app.get(OPS, &format!("/api/bookings/{id}/version?number=9")).await.expect(404);
    app.get(OPS, &format!("/api/bookings/{id}/version")).await.expect(422);
}

#[actix_web::test]
async fn the_history_has_what_was_before_and_after() {
    let app = TestApp::new().await;
    let made = app.book(CUSTOMER).await;
    let id = made["id"].as_str().unwrap();
    app.put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "assigned" })).await.expect(200);
    app.run_jobs().await;
    let now = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    let named: Vec<&Value> = now["crew"].as_array().unwrap().iter().map(|m| &m["name"]).collect();
    assert!(!named.is_empty(), "{now}");
    let edit = json!({ "booking": { "selectedFurnitures": [{ "id": "couch-3-seats", "quantity": 2 }] } });
    change(&app, id, &now["version"], &edit).await.expect(200);
    let history = app.get(OPS, &format!("/api/bookings/{id}/history")).await.expect(200).body;
    let edits: Vec<&Value> = history["data"].as_array().unwrap().iter().filter(|e| e["kind"] == "edit").collect();
    let of = |field: &str| edits.iter().map(|e| &e["what"][field]).find(|w| !w.is_null()).unwrap();
    let (crew, items) = (of("crew"), of("items"));
    assert_eq!(crew["before"], json!([]));
    let after: Vec<&Value> = crew["after"].as_array().unwrap().iter().collect();
    assert_eq!(after.len(), named.len());
    assert!(named.iter().all(|name| after.contains(name)), "{crew}");
    assert!(items["before"].as_array().unwrap().iter().all(|i| i["id"].is_string() && i["quantity"].is_number()));
    assert_eq!(items["after"], json!([{ "id": "couch-3-seats", "quantity": 2 }]));
    app.run_jobs().await;
}

/// What is different from one random edit to the next; always the same ones.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, of: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % of as u64).unwrap()
    }

    fn is(&mut self, in_so_many: usize) -> bool {
        self.roll(in_so_many) == 0
    }
}

/// An edit by staff: what, when, with whom, for how much, at whose wish, with or without a fee.
fn random_edit(dice: &mut Dice) -> Value {
    let mut booking = json!({});
    if dice.is(2) {
        booking["mateCount"] = json!(1 + dice.roll(4));
    }
    if dice.is(3) {
        booking["date"] = json!(format!("2027-03-{:02}", 1 + dice.roll(26)));
        booking["time"] = json!(["08:30", "09:00", "10:30", "13:00"][dice.roll(4)]);
    }
    if dice.is(3) {
        booking["rideAlong"] = json!(dice.is(2));
    }
    if dice.is(3) {
        booking["pickupFloor"] = json!(dice.roll(6));
    }
    if dice.is(4) {
        booking["discountCode"] = if dice.is(2) { json!("WELCOME10") } else { Value::Null };
    }
    if dice.is(5) {
        booking["comments"] = json!(format!("Door {}", dice.roll(9)));
    }
    let mut edit = json!({ "booking": booking, "waiveFee": dice.is(2), "customersWish": dice.is(2) });
    if dice.is(3) {
        edit["amount"] = json!(format!("{}.{:02}", 200 + dice.roll(900), dice.roll(100)));
    }
    if dice.is(4) {
        edit["notes"] = json!(format!("Note {}", dice.roll(9)));
    }
    edit
}

#[actix_web::test]
async fn a_preview_is_what_the_change_then_does_to_the_cent() {
    let app = TestApp::new().await;
    let made = app.book(CUSTOMER).await;
    let id = made["id"].as_str().unwrap();
    app.clock.set("2027-02-09T15:00:00Z");
    app.run_jobs().await;
    app.tokens.lock().unwrap().clear();
    // Somebody is on it: from now on a change may cost a fee.
    app.put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "assigned" })).await.expect(200);
    app.run_jobs().await;
    // The 48-hour charge is made: from now on a lower price gives money back.
    app.clock.set("2027-02-16T15:00:00Z");
    app.run_jobs().await;
    app.tokens.lock().unwrap().clear();
    let (mut dice, mut fees, mut refunds, mut made_edits) = (Dice(27), 0, 0, 0);
    for n in 0..60 {
        if made_edits == 30 {
            break;
        }
        let before = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
        let edit = random_edit(&mut dice);
        let preview = app.post(OPS, &format!("/api/bookings/{id}/preview"), &edit).await;
        let unchanged = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
        assert_eq!(unchanged, before, "a look changes nothing");
        let done = change(&app, id, &before["version"], &edit).await;
        assert_eq!(preview.status, done.status, "{n} {edit}: {} {}", preview.text, done.text);
        if done.status != 200 {
            assert_eq!(preview.code(), done.code(), "{n} {edit}");
            continue;
        }
        made_edits += 1;
        let (p, d) = (preview.body, done.body);
        let label = format!("{n} {edit}");
        assert_eq!((&p["oldTotal"], &p["newTotal"]), (&before["total"], &d["total"]), "{label}");
        for same in
            ["status", "total", "amount", "tax", "discount", "lines", "taxComponents", "estimatedDuration", "startsAt"]
        {
            assert_eq!(p["booking"][same], d[same], "{label}: {same}");
        }
        assert_eq!(cents(&p["difference"]), cents(&d["total"]) - cents(&before["total"]), "{label}");
        assert_eq!(p["paymentPlan"], d["paymentPlan"], "{label}");
        let fee = d["lines"].as_array().unwrap().iter().filter(|l| l["code"] == "change_fee");
        let fee: i64 = fee.map(|l| cents(&l["amount"])).sum();
        let fee_before = before["lines"].as_array().unwrap().iter().filter(|l| l["code"] == "change_fee");
        let fee_before: i64 = fee_before.map(|l| cents(&l["amount"])).sum();
        let with_tax = |c: i64| c + kernel::round_half_up(i128::from(c) * 14_975, 100_000);
        assert_eq!(cents(&p["changeFee"]), with_tax(fee - fee_before), "{label}");
        if edit["waiveFee"] == true {
            assert_eq!(fee, fee_before, "{label}");
        }
        fees += i64::from(fee > fee_before);
        app.run_jobs().await;
        let after = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
        let moved = cents(&after["netPaid"]) - cents(&before["netPaid"]);
        assert_eq!(moved, cents(&p["chargeNow"]) - cents(&p["refundNow"]), "{label}");
        refunds += i64::from(moved < 0);
    }
    assert_eq!(made_edits, 30);
    assert!(fees >= 2 && refunds >= 2, "{fees} fees and {refunds} refunds: too kind a set");
}

#[actix_web::test]
async fn a_cancellation_is_what_its_preview_says_by_fault() {
    for (fault, waive, rule) in [("company", false, "free"), ("customer", false, "deposit"), ("customer", true, "free")]
    {
        let app = TestApp::new().await;
        let made = app.book(CUSTOMER).await;
        let id = made["id"].as_str().unwrap();
        app.clock.set("2027-02-09T14:00:01Z");
        app.run_jobs().await;
        app.tokens.lock().unwrap().clear();
        let path = format!("/api/bookings/{id}/cancellation?fault={fault}&waive={waive}");
        let preview = app.get(OPS, &path).await.expect(200).body;
        assert_eq!(
            (&preview["rule"], &preview["fault"], &preview["waived"]),
            (&json!(rule), &json!(fault), &json!(waive))
        );
        let kept = cents(&preview["kept"]);
        assert_eq!(kept > 0, rule == "deposit", "{preview}");
        let held = cents(&app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body["netPaid"]);
        assert_eq!(held - cents(&preview["refundNow"]) + cents(&preview["toCharge"]), kept);
        let said = json!({ "status": "cancelled", "reason": "They called", "fault": fault, "waive": waive });
        let done = app.put(OPS, &format!("/api/bookings/status/{id}"), &said).await.expect(200).body;
        assert_eq!((&done["status"], &done["kept"]), (&json!("cancelled"), &preview["kept"]));
        app.run_jobs().await;
        let after = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
        assert_eq!(cents(&after["netPaid"]), kept, "{fault} {waive}");
        assert_eq!((&done["refunded"], &after["refunded"]), (&preview["refunded"], &preview["refunded"]));
        let again = app.get(OPS, &path).await.expect(409);
        assert_eq!(again.code(), "cancel_refused");
        let history = app.get(OPS, &format!("/api/bookings/{id}/history")).await.expect(200);
        assert!(history.text.contains("They called"));
        app.get(OPS, &format!("/api/bookings/{id}/cancellation?fault=nobody")).await.expect(422);
    }
}

#[actix_web::test]
async fn notes_reach_staff_and_nobody_else() {
    let app = TestApp::new().await;
    let made = app.book(CUSTOMER).await;
    let id = made["id"].as_str().unwrap();
    let path = format!("/api/bookings/{id}/notes");
    let (secret, crew) = ("Pays late, be firm", "Mind the chandelier");
    let first =
        app.post(OPS, &path, &json!({ "text": format!("  {secret} "), "visibility": "staff" })).await.expect(201).body;
    assert_eq!((&first["text"], &first["author"]["name"]), (&json!(secret), &json!("ops Tester")));
    app.post(ADMIN, &path, &json!({ "text": crew, "visibility": "crew" })).await.expect(201);
    let seen = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    assert_eq!((&seen["notes"], &seen["version"]), (&json!(secret), &json!(1)), "whoever edits it meanwhile may save");
    let listed = app.get(OPS, &path).await.expect(200).body;
    let texts: Vec<&str> = listed["data"].as_array().unwrap().iter().map(|n| n["text"].as_str().unwrap()).collect();
    assert_eq!(texts, [crew, secret], "the newest first");
    // The note of the record is the newest one, whichever way it was written.
    let edited = change(&app, id, &json!(1), &json!({ "notes": "Ring first" })).await.expect(200).body;
    assert_eq!(edited["notes"], "Ring first");
    app.post(OPS, &path, &json!({ "text": secret, "visibility": "staff" })).await.expect(201);
    let row = app.get(OPS, &format!("/api/search?value={}", made["shortId"].as_str().unwrap())).await.expect(200).body;
    assert_eq!(row["data"][0]["notes"], secret);
    let cleared = change(&app, id, &json!(2), &json!({ "notes": "" })).await.expect(200).body;
    assert_eq!(cleared["notes"], "");
    assert_eq!(app.get(OPS, &path).await.expect(200).body["data"].as_array().unwrap().len(), 4);
    for (body, field) in [
        (json!({ "text": " ", "visibility": "staff" }), "text"),
        (json!({ "text": "x", "visibility": "all" }), "visibility"),
        (json!({ "text": "x".repeat(2001), "visibility": "staff" }), "text"),
    ] {
        assert_eq!(app.post(OPS, &path, &body).await.expect(422).body["errors"][0]["field"], field);
    }
    // Everything a customer, a partner or a mate can read, and every mail.
    app.put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "assigned" })).await.expect(200);
    app.post(OPS, &format!("/api/bookings/{id}/confirmation"), &json!({})).await.expect(200);
    app.put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "cancelled", "reason": "because" }))
        .await
        .expect(200);
    app.run_jobs().await;
    let mut heard = String::new();
    for who in [CUSTOMER, OTHER, MATE, PARTNER, GUEST] {
        for path in [
            format!("/api/c/bookings/{id}"),
            "/api/bookings/previous".to_owned(),
            format!("/api/bookings/{id}/notes"),
            format!("/api/bookings/{id}"),
            format!("/api/bookings/{id}/history"),
        ] {
            heard.push_str(&app.get(who, &path).await.text);
        }
    }
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    assert!(mails["data"].as_array().unwrap().len() >= 3);
    for mail in mails["data"].as_array().unwrap() {
        let path = format!("/simulators/mailbox/messages/{}", mail["id"].as_str().unwrap());
        heard.push_str(&app.get(GUEST, &path).await.expect(200).text);
    }
    for told in [secret, crew, "Ring first"] {
        assert!(!heard.contains(told), "{told}");
    }
}

#[actix_web::test]
async fn a_confirmation_is_sent_again_once_a_minute() {
    let app = TestApp::new().await;
    let made = app.book(CUSTOMER).await;
    let id = made["id"].as_str().unwrap();
    let path = format!("/api/bookings/{id}/confirmation");
    let confirmations = async || {
        let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
        mails["data"].as_array().unwrap().iter().filter(|m| m["messageType"] == "bookingConfirmation").count()
    };
    assert_eq!(confirmations().await, 1);
    let sent = app.post(OPS, &path, &json!({})).await.expect(200).body;
    assert_eq!((&sent["queued"], &sent["recipient"]), (&json!(true), &json!("customer@portage.test")));
    assert_eq!(app.post(OPS, &path, &json!({})).await.expect(200).body["queued"], false, "pressed twice");
    app.run_jobs().await;
    assert_eq!(confirmations().await, 2);
    app.clock.move_to(app.services.clock.now() + Duration::seconds(60));
    app.post(OPS, &path, &json!({})).await.expect(200);
    app.run_jobs().await;
    assert_eq!(confirmations().await, 3);
    app.put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "cancelled", "reason": "because" }))
        .await
        .expect(200);
    app.run_jobs().await;
    assert_eq!(app.post(OPS, &path, &json!({})).await.expect(409).code(), "nothing_to_confirm");
}

/// 40.00 by three: the whole of it, with the cent that is over for who was assigned first.
#[actix_web::test]
async fn a_tip_is_split_by_the_crew_to_the_cent() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let mut request = draft("2027-02-17", "09:00");
    request["mateCount"] = json!(3);
    let body = json!({ "bookingRequest": request, "tipRequest": { "type": "amount", "value": "40,00" } });
    let made = app.post(CUSTOMER, "/api/bookings", &body).await.expect(201).body;
    let id = made["id"].as_str().unwrap();
    let parts = async || -> Vec<Value> {
        let shown = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
        shown["crew"].as_array().unwrap().iter().map(|mate| mate["tip"].clone()).collect()
    };
    assert_eq!(parts().await, [json!(null); 0], "nobody is on it yet");
    let status = json!({ "status": "assigned", "language": "en" });
    app.put(OPS, &format!("/api/bookings/status/{id}"), &status).await.expect(200);
    assert_eq!(parts().await, [json!("13.34"), json!("13.33"), json!("13.33")]);
    app.put(CUSTOMER, &format!("/api/tip/{id}"), &json!({ "value": "0,02" })).await.expect(200);
    assert_eq!(parts().await, [json!("0.01"), json!("0.01"), json!("0.00")]);
    let list = app.get(OPS, "/api/bookings").await.expect(200).body;
    assert!(list["data"][0]["crew"][0]["name"].is_string() && list["data"][0]["crew"][0].get("tip").is_none());
    let own = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200).body;
    assert!(own.get("crew").is_none(), "what each of them gets is not the customer's");
    app.put(CUSTOMER, &format!("/api/tip/{id}"), &json!({ "value": "0" })).await.expect(200);
    assert_eq!(parts().await, [json!(null), json!(null), json!(null)]);
    app.run_jobs().await;
}

/// The change has the name it has when a booking is made, too.
#[actix_web::test]
async fn a_change_may_be_called_as_when_a_booking_is_made() {
    let app = TestApp::new().await;
    let made = app.book(CUSTOMER).await;
    let path = format!("/api/bookings/{}", made["id"].as_str().unwrap());
    let edit = json!({ "bookingRequest": { "comments": "The blue door" } });
    let version = made["version"].clone();
    let done = change(&app, made["id"].as_str().unwrap(), &version, &edit).await.expect(200).body;
    assert_eq!(done["comments"], "The blue door");
    assert_eq!(app.get(OPS, &path).await.expect(200).body["comments"], "The blue door");
    app.run_jobs().await;
}
