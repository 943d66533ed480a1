//! What a stranger may take: refused cards, open bookings, heads; and the telephone of a booking.

use crate::support::{
    Options, TestApp,
    people::{CUSTOMER, GUEST, OPS, OTHER, cookies},
    requests::{Answer, draft, estimate},
};
use reqwest::Method;
use serde_json::{Value, json};

const REFUSED: &str = "fake-processor-declined-visa-nonce";

/// Tries refused cards until something else is said.
async fn try_cards(app: &TestApp, who: &'static str, path: &str, most: usize) -> (usize, Answer) {
    for n in 0..most {
        let a = app.post(who, path, &json!({ "paymentNonce": REFUSED })).await;
        if a.status != 402 {
            return (n, a);
        }
    }
    panic!("{most} of {most} cards were tried");
}

fn too_many(a: &Answer) -> i64 {
    assert_eq!((a.status, a.code()), (429, "too_many_declined_cards"), "{}", a.text);
    let seconds: i64 = a.header("retry-after").parse().unwrap();
    assert!((1..=86_400).contains(&seconds) && a.body["seconds"] == seconds, "{}", a.text);
    seconds
}

#[actix_web::test]
async fn refused_cards_are_counted_by_account() {
    let mut app = TestApp::new().await;
    // A good card costs nothing, however often it is stored.
    for _ in 0..12 {
        app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    }
    let (tried, no) = try_cards(&app, CUSTOMER, "/api/payment", 60).await;
    assert_eq!(tried, 8);
    assert_eq!(too_many(&no), 3600);
    let mut texts = std::collections::HashSet::new();
    for lang in ["en", "fr", "zh"] {
        let a = app
            .post(CUSTOMER, &format!("/api/payment/card?lang={lang}"), &json!({ "paymentNonce": "fake-valid-nonce" }))
            .await;
        too_many(&a);
        assert!(a.body["detail"].as_str().unwrap().contains("60"), "{}", a.text);
        texts.insert(a.body["detail"].as_str().unwrap().to_owned());
    }
    assert_eq!(texts.len(), 3);
    // Somebody else is not held up, and an hour later neither is this account; but the day has a bound too.
    app.store_card(OTHER, "fake-valid-nonce").await.expect(200);
    app.clock.set("2027-02-08T15:00:00Z");
    // Access tokens live a quarter of an hour.
    app.tokens.lock().unwrap().clear();
    let (tried, no) = try_cards(&app, CUSTOMER, "/api/payment/card", 60).await;
    assert_eq!(tried, 7);
    assert_eq!(too_many(&no), 23 * 3600);
    app.leave_jobs();
}

#[actix_web::test]
async fn many_at_once_are_not_more() {
    let app = TestApp::new().await;
    app.token(CUSTOMER).await;
    let body = json!({ "paymentNonce": REFUSED });
    let answers = futures_util::future::join_all((0..60).map(|_| app.post(CUSTOMER, "/api/payment", &body))).await;
    let refused = answers.iter().filter(|a| a.status == 402).count();
    assert!(refused <= 8, "{refused} of 60 cards were tried");
    assert!(
        answers.iter().all(|a| a.status == 402 || a.status == 429 || a.status == 503),
        "{:?}",
        answers.iter().map(|a| a.status).collect::<Vec<_>>()
    );
}

#[actix_web::test]
async fn a_booking_paid_at_once_with_a_refused_card_counts_as_well() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let hold = json!({ "date": "2027-02-10", "time": "09:00", "mateCount": 2, "duration": 240, "justMates": false,
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" } });
    let mut body = json!({ "bookingRequest": draft("2027-02-10", "09:00") });
    body["bookingRequest"]["holdId"] = app.post(GUEST, "/api/holds", &hold).await.expect(201).body["id"].clone();
    for n in 0..8 {
        app.post(GUEST, "/simulators/braintree/control", &json!({ "outcomes": ["hard_decline"] })).await.expect(200);
        assert_eq!(app.post(CUSTOMER, "/api/bookings", &body).await.status, 402, "{n}");
    }
    too_many(&app.post(CUSTOMER, "/api/bookings", &body).await);
    too_many(&app.store_card(CUSTOMER, "fake-valid-nonce").await);
    // What needs no card now is booked all the same.
    app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": draft("2027-02-17", "09:00") })).await.expect(201);
    app.run_jobs().await;
}

/// Several accounts nobody has verified, one network: forwarded by a proxy, so that it is not this
/// machine itself. Their neighbours, whose address is theirs, use their own cards.
#[actix_web::test]
async fn refused_cards_are_counted_by_network() {
    let limits = api::Limits { behind_proxy: true, ..api::Limits::default() };
    let app = TestApp::with(Options { limits, ..Options::default() }).await;
    let mut tokens = Vec::new();
    for name in ["ana", "bob", "eve"] {
        tokens.push(stranger(&app, &format!("{name}@portage.test")).await);
    }
    let call = async |token: &str, from: &str, nonce: &str| {
        let request = app.http.post(app.path("/api/payment")).bearer_auth(token).header("x-forwarded-for", from);
        Answer::of(request.json(&json!({ "paymentNonce": nonce })).send().await.unwrap()).await
    };
    for (who, times) in tokens.iter().zip([8, 8, 4]) {
        for n in 0..times {
            // One household's /64 is one network.
            let a = call(who, &format!("2001:db8:1:2::{n:x}"), REFUSED).await;
            assert_eq!(a.status, 402, "{n}: {}", a.text);
        }
    }
    too_many(&call(&tokens[2], "2001:db8:1:2:ffff::1", "fake-valid-nonce").await);
    call(&tokens[2], "2001:db8:1:3::1", "fake-valid-nonce").await.expect(200);
    let neighbour = app.builder(CUSTOMER, Method::POST, "/api/payment").await;
    let neighbour = neighbour.header("x-forwarded-for", "2001:db8:1:2::99");
    let a = Answer::of(neighbour.json(&json!({ "paymentNonce": "fake-valid-nonce" })).send().await.unwrap()).await;
    a.expect(200);
    app.run_jobs().await;
}

/// A restart forgets nothing: the tally is in the database.
#[actix_web::test]
async fn the_tally_outlives_the_server() {
    let app = TestApp::new().await;
    try_cards(&app, CUSTOMER, "/api/payment", 60).await;
    let kept: Result<_, service::Error> = app
        .services
        .store
        .write(|u| {
            let user = u.accounts().credential("customer@portage.test")?.unwrap().user_id;
            Ok(u.tallies().lock(&format!("card:account:{user}"), "2027-02-08T14:00:00Z".parse().unwrap())?)
        })
        .await;
    assert_eq!(kept.unwrap().len(), 8);
}

async fn stranger(app: &TestApp, email: &str) -> String {
    let form = json!({ "email": email, "password": "a-long-enough-password", "firstName": "Ana", "lastName": "Roy", "acceptTerms": true });
    let response = app.http.post(app.path("/identity/api/sign-up")).json(&form).send().await.unwrap();
    assert_eq!(response.status(), 201);
    let session = cookies(&response);
    app.token_answer(&session).await["access_token"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn an_unverified_address_has_few_open_bookings() {
    let app = TestApp::new().await;
    let token = stranger(&app, "ana@portage.test").await;
    let call = async |path: &str, body: Value| {
        let request = app.http.post(app.path(path)).bearer_auth(&token).json(&body);
        Answer::of(request.send().await.unwrap()).await
    };
    call("/api/payment", json!({ "paymentNonce": "fake-valid-nonce" })).await.expect(200);
    let bodies: Vec<Value> = (0..10).map(|n| json!({ "bookingRequest": draft(&format!("2027-02-{}", 15 + n % 5), if n < 5 { "09:00" } else { "13:00" }) })).collect();
    let answers = futures_util::future::join_all(bodies.iter().map(|b| call("/api/bookings", b.clone()))).await;
    let made = answers.iter().filter(|a| a.status == 201).count();
    assert_eq!(made, 5, "{:?}", answers.iter().map(|a| a.status).collect::<Vec<_>>());
    let mut texts = std::collections::HashSet::new();
    for lang in ["en", "fr", "zh"] {
        let a = call(&format!("/api/bookings?lang={lang}"), json!({ "bookingRequest": draft("2027-02-22", "09:00") }))
            .await;
        assert_eq!((a.status, a.code(), &a.body["n"]), (409, "email_unverified", &json!(5)), "{}", a.text);
        texts.insert(a.body["detail"].as_str().unwrap().to_owned());
    }
    assert_eq!(texts.len(), 3);
    // Paid in full at once is no way round.
    let at_once = call("/api/bookings", json!({ "bookingRequest": draft("2027-02-10", "09:00") })).await;
    assert_eq!((at_once.status, at_once.code()), (409, "email_unverified"), "{}", at_once.text);
    let charged = app.get(GUEST, "/simulators/braintree/transactions").await.expect(200).body;
    assert_eq!(charged["data"].as_array().or(charged.as_array()).unwrap().len(), 0, "{charged}");
    // Verified accounts book on.
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    app.run_jobs().await;
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let welcome = mails["data"].as_array().unwrap().iter().find(|m| m["messageType"] == "welcome").unwrap();
    let mail = app
        .get(GUEST, &format!("/simulators/mailbox/messages/{}", welcome["id"].as_str().unwrap()))
        .await
        .expect(200)
        .body;
    let link = mail["text"]
        .as_str()
        .unwrap()
        .split_whitespace()
        .find(|w| w.contains("/identity/verify?token="))
        .unwrap()
        .to_owned();
    let session = app.session("ana@portage.test", "a-long-enough-password").await;
    app.http.get(link).header("cookie", session).send().await.unwrap();
    call("/api/bookings", json!({ "bookingRequest": draft("2027-02-22", "09:00") })).await.expect(201);
    app.run_jobs().await;
}

/// Throw-away accounts of one network, none of whose mails anybody reads, take no day; and one of them
/// writes few mails to whoever owns its address.
#[actix_web::test]
async fn unverified_accounts_of_one_network_take_no_day() {
    let limits = api::Limits { behind_proxy: true, ..api::Limits::default() };
    let app = TestApp::with(Options { limits, ..Options::default() }).await;
    let from = |n: usize| format!("2001:db8:1:2::{n:x}");
    let call = async |token: &str, method: Method, path: &str, n: usize, body: Value| {
        let request = app.http.request(method, app.path(path)).bearer_auth(token);
        Answer::of(request.header("x-forwarded-for", from(n)).json(&body).send().await.unwrap()).await
    };
    let book = |day: &str| json!({ "bookingRequest": draft(day, "09:00") });
    let (mut on_one_day, mut in_all, mut ids) = (0, 0, Vec::new());
    for n in 0..6 {
        let token = stranger(&app, &format!("throw{n}@portage.test")).await;
        call(&token, Method::POST, "/api/payment", n, json!({ "paymentNonce": "fake-valid-nonce" })).await.expect(200);
        for day in ["2027-03-17", "2027-03-17", "2027-03-18", "2027-03-19", "2027-03-22"] {
            let a = call(&token, Method::POST, "/api/bookings", n, book(day)).await;
            match a.status {
                201 => {
                    on_one_day += usize::from(day == "2027-03-17");
                    in_all += 1;
                    ids.push((token.clone(), a.body["id"].as_str().unwrap().to_owned()));
                }
                409 => assert_eq!(a.code(), "email_unverified", "{}", a.text),
                other => panic!("{other}: {}", a.text),
            }
        }
    }
    assert_eq!((on_one_day, in_all), (2, 8), "two a day, and no more than ten in all");
    // Nor by moving there what was booked on another day.
    let (token, id) = &ids[ids.len() - 1];
    let moved = json!({ "date": "2027-03-17", "time": "13:00" });
    let a = call(token, Method::PUT, &format!("/api/c/bookings/{id}"), 1, moved).await;
    assert_eq!((a.status, a.code()), (409, "email_unverified"), "{}", a.text);
    // Nor are mails written without end.
    let mut changed = 0;
    for n in 0..40 {
        let body = json!({ "comments": format!("change {n}") });
        let a = call(token, Method::PUT, &format!("/api/c/bookings/{id}"), 1, body).await;
        if a.status == 200 {
            changed += 1;
        } else {
            assert_eq!((a.status, a.code()), (409, "email_unverified"), "{}", a.text);
        }
    }
    assert_eq!(changed, 20, "changes within a day");
    // Whoever reads their mails books on.
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    app.post(CUSTOMER, "/api/bookings", &book("2027-03-17")).await.expect(201);
    app.run_jobs().await;
}

/// An address is repeated in mails: a link is none.
#[actix_web::test]
async fn an_address_holds_no_link() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    for (field, text) in [
        ("street", "Your account is locked: https://evil.example/login"),
        ("city", "www.evil.example"),
        ("unit", "http://evil.example"),
    ] {
        let mut d = draft("2027-02-17", "09:00");
        d["pickup"][field] = json!(text);
        let a = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": d })).await;
        assert_eq!(a.status, 422, "{field}: {}", a.text);
    }
}

/// Nine mates were booked online; the card says four.
#[actix_web::test]
async fn a_crowd_asks_the_support_team() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let most = app.get(GUEST, "/api/rates/active").await.expect(200).body["max_online_heads"].as_i64().unwrap();
    assert_eq!(most, 4);
    let made = app.post(CUSTOMER, "/api/book", &draft("2027-02-17", "09:00")).await.expect(201).body;
    let id = made["id"].as_str().unwrap();
    for (mates, help, fits) in
        [(4, false, true), (3, true, true), (4, true, false), (5, false, false), (9, false, false), (20, false, false)]
    {
        let mut e = estimate();
        (e["mateCount"], e["clientAsMate"]) = (json!(mates), json!(help));
        let warned = app.post(GUEST, "/api/booking/estimate", &e).await.expect(200).body;
        assert_eq!(
            warned["warnings"],
            if fits { json!([]) } else { json!([{ "code": "contact_support" }]) },
            "{mates} {help}"
        );
        let crew = json!({ "mateCount": mates, "clientAsMate": help });
        let preview = app.post(CUSTOMER, &format!("/api/c/bookings/{id}/preview"), &crew).await;
        let mut d = draft("2027-02-18", "09:00");
        (d["mateCount"], d["clientAsMate"], d["expectedTotal"]) = (json!(mates), json!(help), json!("0.01"));
        let booked = app.post(CUSTOMER, "/api/book", &d).await;
        if fits {
            preview.expect(200);
            assert_eq!(booked.code(), "price_changed");
            continue;
        }
        let edited = app.put(CUSTOMER, &format!("/api/c/bookings/{id}"), &crew).await;
        for a in [preview, booked, edited] {
            assert_eq!((a.status, a.code()), (422, "contact_support"), "{mates} {help}: {}", a.text);
        }
    }
    for (mates, status) in [(4, 201), (5, 422), (9, 422)] {
        let hold = json!({ "date": "2027-02-19", "time": "09:00", "mateCount": mates, "duration": 150, "justMates": false,
            "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" } });
        app.post(GUEST, "/api/holds", &hold).await.expect(status);
    }
    // Staff may go beyond.
    let version = made["version"].to_string();
    let request = app
        .builder(OPS, Method::PUT, &format!("/api/bookings/{id}"))
        .await
        .header("if-match", format!("\"{version}\""));
    let by_staff = Answer::of(request.json(&json!({ "booking": { "mateCount": 6 } })).send().await.unwrap()).await;
    by_staff.expect(200);
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_booking_has_its_own_telephone() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let before = app.get(CUSTOMER, "/api/profiles").await.expect(200).body;
    let mut d = draft("2027-02-17", "09:00");
    d["phone"] = json!(" +1 (438) 555-0177 ");
    let made = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": d })).await.expect(201).body;
    assert_eq!(made["customerPhone"], "+1 (438) 555-0177");
    assert_eq!(app.get(CUSTOMER, "/api/profiles").await.expect(200).body, before);
    let path = format!("/api/c/bookings/{}", made["id"].as_str().unwrap());
    let edited = app.put(CUSTOMER, &path, &json!({ "phone": "514 555 0188" })).await.expect(200).body;
    assert_eq!((&edited["customerPhone"], &edited["total"]), (&json!("514 555 0188"), &made["total"]));
    for bad in ["call me", "123", "+1 438 555 0177 extension 12345678901234567890", "<script>5145550177</script>"] {
        d["phone"] = json!(bad);
        let a = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": d })).await.expect(422);
        assert_eq!(a.body["errors"][0]["field"], "bookingRequest.phone", "{}", a.text);
        assert_eq!(
            app.put(CUSTOMER, &path, &json!({ "phone": bad })).await.expect(422).body["errors"][0]["field"],
            "phone"
        );
    }
    // Nothing said: the profile's.
    d["phone"] = json!("");
    d["date"] = json!("2027-02-18");
    let made = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": d })).await.expect(201).body;
    assert_eq!(made["customerPhone"], before["phone"]);
    app.run_jobs().await;
}
