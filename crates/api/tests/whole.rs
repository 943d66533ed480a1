//! What a change answers, what it leaves as it was, and what a refusal names.

use crate::support::{
    TestApp,
    people::{CUSTOMER, OPS},
    requests::draft,
};
use reqwest::Method;
use serde_json::{Value, json};

#[actix_web::test]
async fn a_refused_move_names_the_items_it_is_about() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let with = |furniture: Value, mates: i64| {
        let mut body = draft("2027-02-17", "09:00");
        body["selectedFurnitures"] = furniture;
        body["mateCount"] = json!(mates);
        body
    };
    let tub = with(json!([{ "id": "hot-tub", "quantity": 1 }, { "id": "box-small-1-5", "quantity": 3 }]), 2);
    let refused = app.post(CUSTOMER, "/api/bookings?lang=fr", &json!({ "bookingRequest": tub })).await;
    assert_eq!((refused.status, refused.code()), (422, "contact_support"), "{}", refused.text);
    let items = refused.body["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["id"]), (1, &json!("hot-tub")));
    assert_ne!(items[0]["name"], "hot-tub", "by name, in the language asked for");
    let piano = with(json!([{ "id": "piano-upright", "quantity": 1 }]), 2);
    let refused = app.post(CUSTOMER, "/api/book", &piano).await;
    assert_eq!((refused.code(), &refused.body["n"]), ("min_mates", &json!(3)), "{}", refused.text);
    assert_eq!(refused.body["items"][0]["id"], "piano-upright");
    // The size of a move is nobody's fault in particular.
    let large = with(json!([{ "id": "box-wardrobe", "quantity": 150 }]), 3);
    let refused = app.post(CUSTOMER, "/api/book", &large).await;
    assert!(refused.status == 422 && refused.body.get("items").is_none(), "{}", refused.text);
}

#[actix_web::test]
async fn what_an_edit_does_not_name_survives_it() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let mut body = draft("2027-02-17", "09:00");
    body["pickupCategory"] = json!("condo");
    body["dropoffCategory"] = json!("storage");
    body["survey"] = json!({ "source": "other", "specify": "a friend" });
    let made = app.post(CUSTOMER, "/api/book", &body).await.expect(201).body;
    let path = format!("/api/c/bookings/{}", made["id"].as_str().unwrap());
    for edit in [
        json!({ "mateCount": 3 }),
        json!({ "pickup": body["pickup"], "dropoff": body["dropoff"] }),
        json!({ "pickupFloor": 2, "dropoffDetails": "Blue door" }),
        json!({ "date": "2027-02-18" }),
    ] {
        let done = app.put(CUSTOMER, &path, &edit).await.expect(200).body;
        let kept = (&done["pickup"]["category"], &done["dropoff"]["category"]);
        assert_eq!(kept, (&json!("condo"), &json!("storage")), "{edit}");
    }
    let done = app.put(CUSTOMER, &path, &json!({ "dropoffCategory": "house" })).await.expect(200).body;
    assert_eq!(done["dropoff"]["category"], "house");
    // The survey is judged as it is when booking.
    let wrong = app.put(CUSTOMER, &path, &json!({ "survey": { "source": "carrier pigeon" } })).await.expect(422);
    assert_eq!((wrong.code(), &wrong.body["errors"][0]["field"]), ("validation_failed", &json!("survey.source")));
    let vague = app.put(CUSTOMER, &path, &json!({ "survey": { "source": "other" } })).await.expect(422);
    assert_eq!(vague.code(), "survey_specify");
    app.put(CUSTOMER, &path, &json!({ "survey": { "source": "friendsFamily" } })).await.expect(200);
    app.run_jobs().await;
}

/// Two tabs change two parts of one address at once: neither writes over the other without a word.
#[actix_web::test]
async fn an_address_is_not_written_over_by_an_edit_of_its_floor() {
    let app = TestApp::new().await;
    let made = app.book(CUSTOMER).await;
    let path = format!("/api/c/bookings/{}", made["id"].as_str().unwrap());
    for round in 0..6 {
        let (floor, details) =
            (json!({ "pickupFloor": round + 1 }), json!({ "pickupDetails": format!("Door {round}") }));
        let (a, b) = tokio::join!(app.put(CUSTOMER, &path, &floor), app.put(CUSTOMER, &path, &details));
        let now = app.get(CUSTOMER, &path).await.expect(200).body;
        for (answer, field, want) in [(&a, "floor", json!(round + 1)), (&b, "details", json!(format!("Door {round}")))]
        {
            match answer.status {
                200 => assert_eq!(now["pickup"][field], want, "it was acknowledged"),
                412 => assert_eq!(answer.code(), "version_conflict"),
                _ => panic!("{}: {}", answer.status, answer.text),
            }
        }
        assert!(a.status == 200 || b.status == 200);
    }
    app.run_jobs().await;
}

/// Whoever changes a booking is shown it as a look at it shows it.
#[actix_web::test]
async fn a_changed_booking_is_answered_whole() {
    let app = TestApp::new().await;
    let fields = |b: &Value| b.as_object().unwrap().keys().cloned().collect::<std::collections::BTreeSet<_>>();
    let made = app.book(CUSTOMER).await;
    let id = made["id"].as_str().unwrap();
    let assigned =
        app.put(OPS, &format!("/api/bookings/status/{id}"), &json!({ "status": "assigned" })).await.expect(200).body;
    let shown = app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body;
    assert_eq!(assigned, shown);
    let cancelled = app.put(CUSTOMER, &format!("/api/c/bookings/cancel/{id}"), &json!({})).await.expect(200).body;
    let own = app.get(CUSTOMER, &format!("/api/c/bookings/{id}")).await.expect(200).body;
    let more: Vec<_> = fields(&cancelled).difference(&fields(&own)).cloned().collect();
    assert_eq!(more, ["rule", "toCharge"], "and what the cancellation came to");
    assert!(fields(&own).is_subset(&fields(&cancelled)));
    let deleted = app.send(OPS, Method::DELETE, &format!("/api/bookings/{id}"), None).await.expect(200).body;
    assert!(fields(&shown).is_subset(&fields(&deleted)), "{deleted}");
    assert_eq!(deleted["status"], "deleted");
    // Staff who may not see deleted bookings are told all the same that it was done.
    let other = app.book(CUSTOMER).await;
    let path = format!("/api/bookings/status/{}", other["id"].as_str().unwrap());
    app.put(CUSTOMER, &format!("/api/c/bookings/cancel/{}", other["id"].as_str().unwrap()), &json!({}))
        .await
        .expect(200);
    let gone = app.put(OPS, &path, &json!({ "status": "deleted" })).await.expect(200).body;
    assert_eq!((&gone["status"], &gone["id"]), (&json!("deleted"), &other["id"]));
    app.run_jobs().await;
}
