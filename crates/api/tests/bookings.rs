//! The customer's way: card, booking, look, change, cancel.

use crate::support::{
    TestApp,
    people::{CUSTOMER, GUEST, OPS, OTHER},
    requests::{Answer, draft},
};
use kernel::chrono::{DateTime, Duration, Utc};
use reqwest::Method;
use serde_json::{Value, json};
use service::ports::{StoreError, capacity::DayCapacity};

#[actix_web::test]
async fn a_move_is_booked_found_changed_and_cancelled() {
    let app = TestApp::new().await;
    let token = app.post(CUSTOMER, "/api/payment/client", &json!({})).await.expect(200);
    assert!(!token.body["clientToken"].as_str().unwrap().is_empty());
    let card = app.store_card(CUSTOMER, "fake-valid-visa-nonce").await.expect(200);
    assert_eq!(card.body["card"]["last4"].as_str().unwrap().len(), 4);
    assert!(!card.body["customerId"].as_str().unwrap().is_empty());

    let hold = json!({ "date": "2027-02-17", "time": "09:00", "mateCount": 2, "duration": 150, "justMates": false,
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" } });
    let hold = app.post(GUEST, "/api/holds", &hold).await.expect(201).body;
    let mut request = draft("2027-02-17", "09:00");
    request["holdId"] = hold["id"].clone();
    let body = json!({ "bookingRequest": request, "tipRequest": { "type": "amount", "value": "20,50" } });
    let made = app.post(CUSTOMER, "/api/bookings", &body).await.expect(201).body;
    assert_eq!(
        (&made["status"], &made["date"], &made["time"], &made["zone"]),
        (&json!("pending"), &json!("2027-02-17"), &json!("09:00"), &json!("America/Toronto"))
    );
    assert_eq!(made["startsAt"], "2027-02-17T14:00:00Z");
    assert_eq!(made["shortId"].as_str().unwrap().len(), 6);
    assert_eq!(
        (&made["tip"]["amount"], &made["tip"]["value"], &made["tip"]["isPaid"]),
        (&json!("20.50"), &json!("20.50"), &json!(false))
    );
    let charges = made["paymentPlan"]["charges"].as_array().unwrap();
    assert_eq!(
        (&made["paymentPlan"]["mode"], charges.len(), &charges[0]["dueAt"]),
        (&json!("split"), 2, &json!("2027-02-09T14:00:00Z"))
    );
    let cents = |v: &Value| v.as_str().unwrap().parse::<kernel::Money>().unwrap().cents();
    assert_eq!(charges.iter().map(|c| cents(&c["amount"])).sum::<i64>(), cents(&made["total"]));
    assert_eq!(
        made["lines"].as_array().unwrap().iter().map(|l| cents(&l["amount"])).sum::<i64>(),
        cents(&made["amount"])
    );
    app.run_jobs().await;

    let id = made["id"].as_str().unwrap();
    let list = app.get(CUSTOMER, "/api/bookings/previous").await.expect(200).body;
    assert_eq!(
        (&list["total"], &list["page"], &list["perPage"], &list["data"][0]["id"]),
        (&json!(1), &json!(1), &json!(5), &json!(id))
    );
    let past = app.get(CUSTOMER, "/api/bookings/previous?page=9&per_page=100").await.expect(200).body;
    assert_eq!((past["data"].as_array().unwrap().len(), &past["total"]), (0, &json!(1)));
    app.get(CUSTOMER, "/api/bookings/previous?per_page=101").await.expect(422);

    let seen = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200);
    assert_eq!(
        (seen.header("etag"), &seen.body["mayEdit"], &seen.body["mayCancel"]),
        ("\"1\"", &json!(true), &json!(true))
    );
    assert!(seen.body.get("notes").is_none(), "notes are the staff's");

    let preview =
        app.post(CUSTOMER, &format!("/api/c/bookings/{id}/preview"), &json!({ "mateCount": 3 })).await.expect(200).body;
    assert_eq!((&preview["oldTotal"], &preview["changeFee"]), (&made["total"], &json!("0.00")));
    assert_ne!(preview["newTotal"], made["total"]);
    let unchanged = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200).body;
    assert_eq!(unchanged["total"], made["total"]);

    let edit = app.builder(CUSTOMER, Method::PUT, &format!("/api/c/bookings/{id}")).await;
    let edited = Answer::of(edit.header("if-match", "\"1\"").json(&json!({ "mateCount": 3 })).send().await.unwrap())
        .await
        .expect(200)
        .body;
    assert_eq!((&edited["total"], &edited["mateCount"]), (&preview["newTotal"], &json!(3)));
    let stale = app.builder(CUSTOMER, Method::PUT, &format!("/api/c/bookings/{id}")).await;
    Answer::of(stale.header("if-match", "\"1\"").json(&json!({ "mateCount": 2 })).send().await.unwrap())
        .await
        .expect(412);
    let tip = app.get(CUSTOMER, &format!("/api/c/tip/{id}")).await.expect(200).body;
    assert_eq!(tip["amount"], "20.50");
    let tip = app
        .put(CUSTOMER, &format!("/api/tip/{}", tip["id"].as_str().unwrap()), &json!({ "value": "30" }))
        .await
        .expect(200)
        .body;
    assert_eq!(tip["amount"], "30.00");
    assert_eq!(
        app.put(CUSTOMER, &format!("/api/tip/{id}"), &json!({ "value": "lots" })).await.expect(422).code(),
        "tip_invalid"
    );
    app.run_jobs().await;

    // A day later the deposit is taken and cancelling keeps it.
    app.clock.set("2027-02-09T14:00:01Z");
    app.run_jobs().await;
    app.tokens.lock().unwrap().clear();
    let after = app.get(CUSTOMER, &format!("/api/c/bookings/{id}/cancellation")).await.expect(200).body;
    assert_eq!(
        (&after["rule"], &after["refunded"], &after["toCharge"]),
        (&json!("deposit"), &json!("0.00"), &json!("0.00"))
    );
    assert_eq!(cents(&after["kept"]), kernel::round_half_up(i128::from(cents(&edited["total"])) * 2, 10));
    let gone = app.send(CUSTOMER, Method::PUT, &format!("/api/c/bookings/cancel/{id}"), None).await.expect(200).body;
    assert_eq!(
        (&gone["status"], &gone["kept"], &gone["rule"]),
        (&json!("cancelled"), &after["kept"], &json!("deposit"))
    );
    let again = app.send(CUSTOMER, Method::PUT, &format!("/api/c/bookings/cancel/{id}"), None).await.expect(409);
    assert_eq!(again.code(), "cancel_refused");
    app.run_jobs().await;

    let history = app.get(OPS, &format!("/api/bookings/{id}/history")).await.expect(200).body;
    let kinds: Vec<&str> = history["data"].as_array().unwrap().iter().map(|e| e["kind"].as_str().unwrap()).collect();
    for kind in ["status", "edit", "charge", "message"] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    let ledger = app.get(OPS, &format!("/api/bookings/{id}/ledger")).await.expect(200).body;
    assert!(!ledger["data"].as_array().unwrap().is_empty());
    for entry in ledger["data"].as_array().unwrap() {
        assert_eq!(entry["lines"].as_array().unwrap().iter().map(|l| cents(&l["amount"])).sum::<i64>(), 0);
    }
    let real: Value = app.get(GUEST, "/simulators/braintree/transactions").await.expect(200).body;
    let charged: Vec<&Value> = real["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|t| t["kind"] == "charge" && t["status"] != "declined")
        .collect();
    assert_eq!(charged.len(), 1, "{real}");
    assert_eq!(charged[0]["amount"], after["kept"]);
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    assert!(mails["data"].as_array().unwrap().iter().any(|m| m["messageType"] == "bookingConfirmation"), "{mails}");
}

#[actix_web::test]
async fn the_same_key_books_once() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let body = json!({ "bookingRequest": draft("2027-02-17", "09:00") });
    let send = async |who, key: &'static str, body: Value| {
        let request = app.builder(who, Method::POST, "/api/bookings").await.header("idempotency-key", key);
        Answer::of(request.json(&body).send().await.unwrap()).await
    };
    let first = send(CUSTOMER, "one", body.clone()).await.expect(201);
    assert_eq!(first.header("idempotency-replayed"), "");
    let again = send(CUSTOMER, "one", body.clone()).await.expect(201);
    assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &first.body));
    let other = send(CUSTOMER, "one", json!({ "bookingRequest": draft("2027-02-18", "09:00") })).await.expect(422);
    assert_eq!(other.code(), "idempotency_key_reused");
    // Another person's key of the same name is another key.
    app.store_card(OTHER, "fake-valid-nonce").await.expect(200);
    let theirs = send(OTHER, "one", body.clone()).await.expect(201);
    assert_ne!(theirs.body["id"], first.body["id"]);
    let all = app.get(CUSTOMER, "/api/bookings/previous").await.expect(200).body;
    assert_eq!(all["total"], 1);
    // Two at once: one booking, and nobody is told a failure for good.
    let (a, b) = futures_util::join!(
        send(CUSTOMER, "two", json!({ "bookingRequest": draft("2027-02-19", "09:00") })),
        send(CUSTOMER, "two", json!({ "bookingRequest": draft("2027-02-19", "09:00") }))
    );
    assert!([a.status, b.status].contains(&201), "{} {}", a.text, b.text);
    assert_eq!(app.get(CUSTOMER, "/api/bookings/previous").await.expect(200).body["total"], 2);
    let cards = async || {
        let request = app.builder(CUSTOMER, Method::POST, "/api/payment/card").await.header("idempotency-key", "card");
        Answer::of(request.json(&json!({ "paymentNonce": "fake-valid-mastercard-nonce" })).send().await.unwrap())
            .await
            .expect(200)
    };
    let (one, two) = (cards().await, cards().await);
    assert_eq!((&one.body, two.header("idempotency-replayed")), (&two.body, "true"));
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_move_within_two_days_is_paid_with_the_booking() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let body = json!({ "bookingRequest": draft("2027-02-10", "08:30") });
    app.post(GUEST, "/simulators/braintree/control", &json!({ "outcomes": ["hard_decline"] })).await;
    let declined = app.post(CUSTOMER, "/api/bookings", &body).await.expect(402);
    assert_eq!(declined.code(), "payment_declined");
    assert!(!declined.body["detail"].as_str().unwrap().is_empty());
    assert_eq!(
        app.get(CUSTOMER, "/api/bookings/previous").await.expect(200).body["total"],
        0,
        "then nothing was booked"
    );
    let made = app.store_card(CUSTOMER, "fake-valid-mastercard-nonce").await;
    made.expect(200);
    let made = app.post(CUSTOMER, "/api/bookings", &body).await.expect(201).body;
    assert_eq!(
        (&made["paymentPlan"]["mode"], &made["paymentPlan"]["charges"][0]["amount"]),
        (&json!("full_at_once"), &made["total"])
    );
    let seen = app.get(CUSTOMER, &format!("/api/c/bookings/{}", made["id"].as_str().unwrap())).await.expect(200).body;
    assert_eq!((&seen["netPaid"], &seen["payments"][0]["state"]), (&made["total"], &json!("captured")));
    app.run_jobs().await;
}

#[actix_web::test]
async fn rules_say_no_in_their_own_words() {
    let app = TestApp::new().await;
    let no_card = app
        .post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": draft("2027-02-17", "09:00") }))
        .await
        .expect(422);
    assert_eq!(no_card.code(), "card_required");
    let refused = app.store_card(CUSTOMER, "fake-processor-declined-visa-nonce").await;
    assert!(
        (400..500).contains(&refused.status) && !refused.body["detail"].as_str().unwrap().is_empty(),
        "{}",
        refused.text
    );
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let change = |edit: &dyn Fn(&mut Value)| {
        let mut d = draft("2027-02-17", "09:00");
        edit(&mut d);
        d
    };
    for (body, status, code) in [
        (change(&|d| d["guidelinesAgreed"] = json!(false)), 422, "guidelines_not_agreed"),
        (change(&|d| d["survey"] = json!({ "source": "other" })), 422, "survey_specify"),
        (change(&|d| d["discountCode"] = json!("NOPE")), 422, "discount_not_found"),
        (change(&|d| d["date"] = json!("2027-02-01")), 422, "date_past"),
        (change(&|d| d["date"] = json!("2027-12-25")), 422, "date_closed"),
        (change(&|d| d["date"] = json!("2028-12-01")), 422, "too_far_ahead"),
        (change(&|d| d["time"] = json!("09:10")), 422, "not_a_slot"),
        (change(&|d| d["expectedTotal"] = json!("1.00")), 409, "price_changed"),
        (change(&|d| d["policyVersion"] = json!("0")), 409, "terms_changed"),
        (
            change(&|d| {
                d["selectedFurnitures"] = json!([{ "id": "couch-3-seats", "quantity": 1 }]);
                d["mateCount"] = json!(1);
            }),
            422,
            "heavy_item_single_mate",
        ),
        (
            change(&|d| {
                for end in ["pickup", "dropoff"] {
                    d[end] = json!({ "province": "QC", "postalCode": "G1R 4P5", "city": "Québec", "street": "1 Rue des Carrières" });
                }
                d["pickupCoords"] = json!({ "lat": 46.8123, "lon": -71.2045 });
                d["dropoffCoords"] = json!({ "lat": 46.80, "lon": -71.22 });
            }),
            422,
            "area_unserved",
        ),
        (change(&|d| d["pickup"]["province"] = json!("ON")), 422, "validation_failed"),
        (change(&|d| d["pickup"]["country"] = json!("France")), 422, "validation_failed"),
    ] {
        let a = app.post(CUSTOMER, "/api/book", &body).await;
        assert_eq!((a.status, a.code()), (status, code), "{}", a.text);
        for error in a.body["errors"].as_array().into_iter().flatten() {
            assert!(!error["field"].as_str().unwrap().starts_with("bookingRequest"), "{error}");
        }
    }
    assert_eq!(app.get(CUSTOMER, "/api/bookings/previous").await.expect(200).body["total"], 0);
}

/// Who lost a time is offered others, and those can be had.
#[actix_web::test]
async fn a_lost_time_comes_with_the_nearest_free_ones() {
    let app = TestApp::new().await;
    let two = DayCapacity { mates: 2, trucks: [1, 0, 0] };
    let written: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| (0..7).try_for_each(|weekday| u.capacities().set_default("montreal", weekday, two)))
        .await;
    written.unwrap();
    app.book(CUSTOMER).await;
    app.store_card(OTHER, "fake-valid-nonce").await.expect(200);
    let hold = |date: &Value, time: &Value| {
        json!({ "date": date, "time": time, "mateCount": 2, "duration": 150, "justMates": false,
            "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" } })
    };
    let wanted = (json!("2027-02-17"), json!("09:00"));
    let at = |v: &Value| v["startsAt"].as_str().unwrap().parse::<DateTime<Utc>>().unwrap();
    let lost: DateTime<Utc> = "2027-02-17T14:00:00Z".parse().unwrap();
    let by_hold = app.post(GUEST, "/api/holds", &hold(&wanted.0, &wanted.1)).await.expect(409);
    let by_booking =
        app.post(OTHER, "/api/bookings", &json!({ "bookingRequest": draft("2027-02-17", "09:00") })).await.expect(409);
    let by_book = app.post(OTHER, "/api/book", &draft("2027-02-17", "09:00")).await.expect(409);
    for refused in [&by_hold, &by_booking, &by_book] {
        assert_eq!(refused.code(), "slot_gone");
        let offered = refused.body["alternatives"].as_array().unwrap();
        assert_eq!(offered.len(), 3, "{}", refused.text);
        let distances: Vec<_> = offered.iter().map(|a| (at(a) - lost).abs()).collect();
        assert!(distances.is_sorted() && distances[0] < Duration::days(1), "{}", refused.text);
    }
    // The nearest that the calendar calls free, no other.
    let query = "date=2027-02-16&days=3&mateCount=2&duration=150&province=QC&city=Montr%C3%A9al&postalCode=H2X%201Y4";
    let calendar = app.get(GUEST, &format!("/api/availability?{query}")).await.expect(200).body;
    let slots = calendar["days"].as_array().unwrap().iter().flat_map(|d| d["slots"].as_array().unwrap());
    let nearest = slots.filter(|s| s["available"] == true).map(|s| (at(s) - lost).abs()).min().unwrap();
    let first = &by_hold.body["alternatives"][0];
    assert_eq!((at(first) - lost).abs(), nearest);
    let kept = app.post(GUEST, "/api/holds", &hold(&first["date"], &first["time"])).await.expect(201).body;
    assert_eq!(kept["startsAt"], first["startsAt"]);
    app.send(GUEST, Method::DELETE, &format!("/api/holds/{}", kept["id"].as_str().unwrap()), None).await.expect(204);
    let first = &by_booking.body["alternatives"][0];
    let again = draft(first["date"].as_str().unwrap(), first["time"].as_str().unwrap());
    app.post(OTHER, "/api/bookings", &json!({ "bookingRequest": again })).await.expect(201);
    // Another refusal offers nothing.
    let early = app.post(GUEST, "/api/holds", &hold(&json!("2027-02-01"), &wanted.1)).await.expect(422);
    assert!(early.body.get("alternatives").is_none(), "{}", early.text);
    app.run_jobs().await;
}

#[actix_web::test]
async fn staff_move_a_booking_along_the_table() {
    let app = TestApp::new().await;
    let booking = app.book(CUSTOMER).await;
    let id = booking["id"].as_str().unwrap();
    let refused = app
        .put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "payed", "language": "en" }))
        .await
        .expect(409);
    assert_eq!(refused.code(), "transition_refused");
    let allowed: Vec<&str> = refused.body["allowed"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    assert!(allowed.contains(&"assigned") && allowed.contains(&"cancelled"), "{allowed:?}");
    let of_step = ["from", "to", "guard"].map(|name| refused.body[name].as_str().unwrap());
    assert_eq!(of_step, ["pending", "payed", "no_such_step"]);
    let told = refused.body["detail"].as_str().unwrap();
    assert!(told.starts_with("From “Pending” a booking does not become “Paid”: "), "{told}");
    assert!(told.contains("Assigned") && told.contains("Cancelled"), "{told}");
    app.put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "flying" })).await.expect(422);
    let assigned = app
        .put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "assigned", "language": "fr" }))
        .await
        .expect(200)
        .body;
    assert_eq!(assigned["status"], "assigned");
    let crew = assigned["crew"].as_array().unwrap();
    assert_eq!(crew.len(), 2, "{crew:?}");
    assert!(
        crew.iter().all(|m| m["mateID"].is_string() && m["name"].as_str().unwrap().ends_with(" Tester")),
        "{crew:?}"
    );
    let shown = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    assert_eq!(shown["crew"], assigned["crew"]);
    let own = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200).body;
    assert!(own.get("crew").is_none(), "customers are told by the company, not by the record");
    let same =
        app.put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "assigned" })).await.expect(200).body;
    assert_eq!(same["version"], assigned["version"]);

    app.put(OPS, &format!("/api/bookings/{id}"), &json!({ "notes": "piano?" })).await.expect(428);
    let edit = app
        .builder(OPS, Method::PUT, &format!("/api/bookings/{id}"))
        .await
        .header("if-match", format!("\"{}\"", same["version"]));
    let noted = Answer::of(edit.json(&json!({ "notes": "piano?" })).send().await.unwrap()).await.expect(200).body;
    assert_eq!(noted["notes"], "piano?");
    app.run_jobs().await;
}

/// An edit takes a tip as a booking does, and one that changes nothing is answered as the booking is.
#[actix_web::test]
async fn an_edit_takes_a_tip_with_it() {
    let app = TestApp::new().await;
    let booking = app.book(CUSTOMER).await;
    let path = format!("/api/c/bookings/{}", booking["id"].as_str().unwrap());
    let body = json!({ "bookingRequest": { "mateCount": 3 }, "tipRequest": { "type": "amount", "value": "42,00" } });
    let edited = app.put(CUSTOMER, &path, &body).await.expect(200).body;
    assert_eq!((&edited["mateCount"], &edited["tip"]["amount"]), (&json!(3), &json!("42.00")));
    let again = app.put(CUSTOMER, &path, &body).await.expect(200).body;
    assert_eq!((&again["version"], &again["tip"]["version"]), (&edited["version"], &edited["tip"]["version"]));
    let wrong = json!({ "mateCount": 2, "tipRequest": { "value": "lots" } });
    assert_eq!(app.put(CUSTOMER, &path, &wrong).await.expect(422).code(), "tip_invalid");
    app.run_jobs().await;
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let told = mails["data"].as_array().unwrap().iter().filter(|m| m["messageType"] == "bookingEdited").count();
    assert_eq!(told, 1);
}

/// Lines are kept in the language a booking was made in; whoever reads them does so in their own.
#[actix_web::test]
async fn the_lines_of_a_price_are_in_the_language_of_the_page() {
    let app = TestApp::new().await;
    let booking = app.book(CUSTOMER).await;
    let id = booking["id"].as_str().unwrap();
    for (who, path) in [(CUSTOMER, format!("/api/c/bookings/{id}")), (OPS, format!("/api/bookings/{id}"))] {
        let mut told = Vec::new();
        for language in ["en", "fr", "zh"] {
            let request = app.builder(who, Method::GET, &path).await.header("accept-language", language);
            let found = Answer::of(request.send().await.unwrap()).await.expect(200).body;
            let lines = found["lines"].as_array().unwrap();
            assert!(!lines.is_empty());
            told.push(lines.iter().map(|l| l["description"].as_str().unwrap().to_owned()).collect::<Vec<_>>());
        }
        for (n, english) in told[0].iter().enumerate() {
            assert_ne!(english, &told[1][n], "{path}: {told:#?}");
            assert_ne!(english, &told[2][n], "{path}: {told:#?}");
        }
        assert!(told[2][0].chars().any(|c| c > '\u{3000}'), "{told:#?}");
    }
}

/// What somebody did meanwhile is neither undone nor ended by who read the booking before. Without the header the table of
/// statuses alone decides.
#[actix_web::test]
async fn a_step_from_a_version_that_is_stale_is_refused() {
    let app = TestApp::new().await;
    let booking = app.book(CUSTOMER).await;
    let id = booking["id"].as_str().unwrap();
    let status = format!("/api/bookings/status/{id}");
    let record = format!("/api/bookings/{id}");
    let own = format!("/api/c/bookings/cancel/{id}");
    let crew = format!("/api/bookings/{id}/crew");
    let sent = async |who, method: Method, path: &str, version: &str, body: &Value| {
        let request = app.builder(who, method, path).await.header("if-match", version);
        Answer::of(request.json(body).send().await.unwrap()).await
    };
    let shown = async || app.get(OPS, &record).await.expect(200);
    let first = shown().await.header("etag").to_owned();
    let assigned =
        sent(OPS, Method::PUT, status.as_str(), first.as_str(), &json!({ "status": "assigned" })).await.expect(200);
    assert_ne!(assigned.header("etag"), first);
    let before = shown().await.body;
    let cancelled = json!({ "status": "cancelled", "reason": "they called" });
    for (who, method, path, body) in [
        (OPS, Method::PUT, &status, &cancelled),
        (OPS, Method::PUT, &status, &json!({ "status": "assigned" })),
        (OPS, Method::DELETE, &record, &json!({})),
        (OPS, Method::PUT, &crew, &json!({ "mates": [] })),
        (CUSTOMER, Method::PUT, &own, &json!({})),
    ] {
        let refused = sent(who, method.clone(), path.as_str(), first.as_str(), body).await.expect(412);
        assert_eq!(refused.code(), "version_conflict", "{method} {path}");
    }
    assert_eq!(shown().await.body, before, "a refused step changes nothing");
    let now = assigned.header("etag").to_owned();
    sent(OPS, Method::PUT, status.as_str(), now.as_str(), &cancelled).await.expect(200);
    // Who names no version takes the booking as it is.
    app.send(OPS, Method::DELETE, &record, None).await.expect(200);
    app.run_jobs().await;
}

#[actix_web::test]
async fn nothing_is_assigned_while_nobody_is_free() {
    let app = TestApp::new().await;
    let booking = app.book(CUSTOMER).await;
    let path = format!("/api/bookings/status/{}", booking["id"].as_str().unwrap());
    app.nobody_works_here().await;
    for (language, words) in [("en", "add a mate"), ("fr", "ajoutez un aidant"), ("zh", "请先添加帮手")] {
        let request = app.builder(OPS, Method::PUT, &path).await.header("accept-language", language);
        let asked = request.json(&json!({ "status": "assigned", "language": "en" }));
        let refused = Answer::of(asked.send().await.unwrap()).await.expect(409);
        assert_eq!(refused.code(), "crew_missing");
        assert!(refused.body["detail"].as_str().unwrap().contains(words), "{}", refused.text);
        let allowed = refused.body["allowed"].as_array().unwrap();
        assert!(allowed.contains(&json!("cancelled")) && !allowed.contains(&json!("assigned")), "{allowed:?}");
    }
    let same = app.get(OPS, &format!("/api/bookings/{}", booking["id"].as_str().unwrap())).await.expect(200).body;
    assert_eq!(
        (&same["status"], &same["version"], &same["crew"]),
        (&json!("pending"), &booking["version"], &json!([]))
    );
    app.run_jobs().await;
}
