//! Bookings that staff make for somebody who calls: whose they are, how they are paid, and the link to pay by.

use crate::support;

use reqwest::Method;
use serde_json::{Value, json};
use support::{
    Options, TestApp, browser,
    people::{ADMIN, CUSTOMER, GUEST, MATE, OPS, OTHER, PARTNER, PASSWORD, cookies},
    requests::{Answer, draft},
};

const CALLER: &str = "camille.caron@portage.test";

fn order(day: &str, payment: &str) -> Value {
    let customer = json!({
        "email": CALLER, "firstName": "Camille", "lastName": "Caron", "phone": "514-555-0199", "language": "fr",
    });
    json!({ "bookingRequest": draft(day, "09:00"), "customer": customer, "payment": payment })
}

async fn booked(app: &TestApp, day: &str, payment: &str) -> Value {
    app.post(OPS, "/api/bookings", &order(day, payment)).await.expect(201).body
}

fn id(b: &Value) -> &str {
    b["id"].as_str().unwrap()
}

/// The links of the mails to the caller, the newest last.
async fn links(app: &TestApp) -> Vec<String> {
    app.run_jobs().await;
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let mut found = Vec::new();
    for mail in mails["data"].as_array().unwrap().iter().rev().filter(|m| m["to"] == CALLER) {
        let path = format!("/simulators/mailbox/messages/{}", mail["id"].as_str().unwrap());
        let text = app.get(GUEST, &path).await.expect(200).body["text"].as_str().unwrap().to_owned();
        let link = text.split_whitespace().find(|w| w.contains("/pay/")).map(str::to_owned);
        found.extend(link.map(|link| link.rsplit_once("/pay/").unwrap().1.split('?').next().unwrap().to_owned()));
    }
    found
}

async fn look(app: &TestApp, token: &str) -> Answer {
    app.get(GUEST, &format!("/api/pay/{token}")).await
}

async fn pay(app: &TestApp, token: &str, nonce: &str, amount: &Value) -> Answer {
    app.post(GUEST, &format!("/api/pay/{token}"), &json!({ "paymentNonce": nonce, "amount": amount })).await
}

/// What the gateway holds in charges that were neither declined nor undone.
async fn charges(app: &TestApp) -> usize {
    let s = app.services.clone();
    let from = "2020-01-01T00:00:00Z".parse().unwrap();
    let all = s.gateway.list(from, "2040-01-01T00:00:00Z".parse().unwrap()).await.unwrap();
    use service::ports::payments::{GatewayKind, GatewayStatus};
    let held = |t: &&service::ports::payments::GatewayTransaction| {
        t.kind == GatewayKind::Charge && matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled)
    };
    all.iter().filter(held).count()
}

/// Signs up with the caller's address; the session's cookie.
pub async fn sign_up(app: &TestApp) -> String {
    let body = json!({ "email": CALLER, "password": PASSWORD, "firstName": "Sam", "lastName": "Body", "language": "en", "acceptTerms": true });
    let response = app.http.post(app.path("/identity/api/sign-up")).json(&body).send().await.unwrap();
    assert_eq!(response.status(), 201);
    app.run_jobs().await;
    cookies(&response)
}

async fn my_bookings(app: &TestApp, cookie: &str) -> Vec<String> {
    let tokens = app.token_answer(cookie).await;
    let bearer = tokens["access_token"].as_str().unwrap();
    let request = app.http.get(app.path("/api/bookings/previous")).bearer_auth(bearer);
    let answer = Answer::of(request.send().await.unwrap()).await.expect(200);
    answer.body["data"].as_array().unwrap().iter().map(|b| id(b).to_owned()).collect()
}

pub async fn verify(app: &TestApp, cookie: &str) {
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    for mail in mails["data"].as_array().unwrap().iter().filter(|m| m["to"] == CALLER) {
        let path = format!("/simulators/mailbox/messages/{}", mail["id"].as_str().unwrap());
        let text = app.get(GUEST, &path).await.expect(200).body["text"].as_str().unwrap().to_owned();
        if let Some(link) = text.split_whitespace().find(|w| w.contains("/identity/verify?")) {
            let path = link.split_once("/identity/").unwrap().1;
            let opened =
                browser().get(app.path(&format!("/identity/{path}"))).header("cookie", cookie).send().await.unwrap();
            assert!(opened.headers()["location"].to_str().unwrap().contains("emailVerified"));
            return;
        }
    }
    panic!("no welcome mail");
}

#[actix_web::test]
async fn a_link_is_paid_once_without_an_account() {
    let app = TestApp::with(Options { people: &[CUSTOMER, OTHER, OPS], ..Options::default() }).await;
    let made = booked(&app, "2027-02-24", "link").await;
    assert_eq!((&made["payment"], &made["status"]), (&json!("link"), &json!("pending")));
    assert_eq!(made["paymentPlan"]["charges"], json!([]), "nothing is charged by itself");
    let token = links(&app).await.pop().expect("the link is in a mail");
    let shown = look(&app, &token).await.expect(200);
    assert_eq!(shown.header("cache-control"), "private, no-store");
    let shown = shown.body;
    assert_eq!((&shown["state"], &shown["amount"], &shown["total"]), (&json!("open"), &made["total"], &made["total"]));
    assert_eq!((&shown["firstName"], &shown["language"]), (&json!("Camille"), &json!("fr")));
    for secret in ["Caron", "@", "514", "street"] {
        assert!(!shown.to_string().contains(secret), "{secret}: {shown}");
    }
    // A card that is refused leaves everything as it was.
    let refused = pay(&app, &token, "fake-processor-declined-visa-nonce", &shown["amount"]).await;
    assert_eq!((refused.status, refused.code()), (402, "payment_declined"));
    assert_eq!(look(&app, &token).await.expect(200).body["state"], "open");
    // Another amount than the one that was shown is never charged.
    let other = pay(&app, &token, "fake-valid-nonce", &json!("1.00")).await;
    assert_eq!((other.status, other.code()), (409, "price_changed"));
    assert_eq!(charges(&app).await, 0);
    // Ten at once are one payment.
    let presses = (0..10).map(|_| pay(&app, &token, "fake-valid-nonce", &shown["amount"]));
    let answers = futures_util::future::join_all(presses).await;
    let paid = answers.iter().filter(|a| a.status == 200).count();
    assert_eq!(paid, 1, "{:?}", answers.iter().map(|a| (a.status, a.code().to_owned())).collect::<Vec<_>>());
    for a in answers.iter().filter(|a| a.status != 200) {
        assert!(
            ["nothing_owed", "payment_in_flight", "too_many_declined_cards", "busy"].contains(&a.code()),
            "{}",
            a.text
        );
    }
    assert_eq!(charges(&app).await, 1);
    assert_eq!(look(&app, &token).await.expect(200).body["state"], "paid");
    let again = pay(&app, &token, "fake-valid-nonce", &shown["amount"]).await;
    assert!(["nothing_owed", "too_many_declined_cards"].contains(&again.code()), "{}", again.text);
    app.run_jobs().await;
    let record = app.get(OPS, &format!("/api/bookings/{}", id(&made))).await.expect(200).body;
    assert_eq!((&record["owed"], &record["paymentState"]), (&json!("0.00"), &json!("paid")));
    let lines = app.get(OPS, &format!("/api/bookings/{}/ledger", id(&made))).await.expect(200).body;
    assert_eq!(lines["data"].as_array().unwrap().len(), 1);
    // Nothing is charged at the 48-hour instant either.
    app.clock.set("2027-02-23T15:00:00Z");
    app.run_jobs().await;
    assert_eq!(charges(&app).await, 1);
}

#[actix_web::test]
async fn it_belongs_to_whoever_shows_the_address_to_be_theirs() {
    let app = TestApp::with(Options { people: &[CUSTOMER, OTHER, OPS], ..Options::default() }).await;
    let made = booked(&app, "2027-02-24", "invoice").await;
    // Somebody signs up with the address; they have shown nothing yet.
    let stranger = sign_up(&app).await;
    assert_eq!(my_bookings(&app, &stranger).await, Vec::<String>::new());
    // What staff book meanwhile is not the stranger's either.
    let second = booked(&app, "2027-02-25", "onSite").await;
    assert_eq!(my_bookings(&app, &stranger).await, Vec::<String>::new());
    verify(&app, &stranger).await;
    let mut mine = my_bookings(&app, &stranger).await;
    mine.sort();
    let mut all = vec![id(&made).to_owned(), id(&second).to_owned()];
    all.sort();
    assert_eq!(mine, all, "both, once the mail was read");
    // From then on staff book for the account itself.
    let third = booked(&app, "2027-02-26", "link").await;
    assert_eq!(my_bookings(&app, &stranger).await.len(), 3);
    let (first, last) = (
        app.get(OPS, &format!("/api/bookings/{}/customer", id(&made))).await.expect(200).body,
        app.get(OPS, &format!("/api/bookings/{}/customer", id(&third))).await.expect(200).body,
    );
    assert_eq!(first["customer"]["id"], last["customer"]["id"]);
    assert_eq!((&last["total"], &last["customer"]["emailVerified"]), (&json!(3), &json!(true)));
    // The name on the booking is the one the caller gave.
    assert_eq!(third["customerName"], "Camille Caron");
    let trail = app.get(OPS, "/api/audit?subject=account").await.expect(200).body;
    assert!(trail["data"].as_array().unwrap().iter().any(|r| r["action"] == "account.merge"), "{trail}");
    app.run_jobs().await;
}

#[actix_web::test]
async fn only_staff_book_for_others_and_what_is_wrong_is_named() {
    let app = TestApp::with(Options { people: &[CUSTOMER, OTHER, MATE, PARTNER, OPS], ..Options::default() }).await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    for who in [CUSTOMER, MATE, PARTNER] {
        let refused = app.post(who, "/api/bookings", &order("2027-02-24", "onSite")).await;
        assert_eq!((refused.status, refused.code()), (403, "forbidden"), "{who}");
    }
    // Nor do they pay in another way than by card.
    let sly = json!({ "bookingRequest": draft("2027-02-24", "09:00"), "payment": "invoice" });
    assert_eq!(app.post(CUSTOMER, "/api/bookings", &sly).await.code(), "forbidden");
    assert_eq!(app.post(GUEST, "/api/bookings", &order("2027-02-24", "link")).await.status, 401);
    let fields = |a: &Answer| -> Vec<String> {
        let mut all: Vec<String> = a.body["errors"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|e| e["field"].as_str().unwrap().to_owned())
            .collect();
        all.sort();
        all
    };
    let mut wrong = order("2027-02-24", "link");
    wrong["customer"] = json!({ "email": "nobody", "firstName": " ", "lastName": "", "phone": "12" });
    let refused = app.post(OPS, "/api/bookings", &wrong).await.expect(422);
    assert_eq!(fields(&refused), ["customer.email", "customer.firstName", "customer.lastName", "customer.phone"]);
    let mut unknown = order("2027-02-24", "cheque");
    assert_eq!(app.post(OPS, "/api/bookings", &unknown).await.status, 422);
    unknown["payment"] = json!("card");
    assert_eq!(app.post(OPS, "/api/bookings", &unknown).await.code(), "card_required");
    let alone = json!({ "bookingRequest": draft("2027-02-24", "09:00"), "payment": "link" });
    assert_eq!(fields(&app.post(OPS, "/api/bookings", &alone).await.expect(422)), ["customer"]);
    // Somebody who has a card on file.
    let mut known = order("2027-02-24", "card");
    known["customer"]["email"] = json!(support::people::email(CUSTOMER));
    let made = app.post(OPS, "/api/bookings", &known).await.expect(201).body;
    assert_eq!((&made["payment"], made["paymentPlan"]["charges"].as_array().unwrap().len()), (&json!("card"), 2));
    let refused = app.post(OPS, &format!("/api/bookings/{}/payment-link", id(&made)), &json!({})).await;
    assert_eq!((refused.status, refused.code()), (409, "paid_by_card"));
    app.run_jobs().await;
}

#[actix_web::test]
async fn a_link_ends_with_the_next_one_with_its_time_and_with_the_booking() {
    let app = TestApp::with(Options { people: &[OPS, ADMIN], ..Options::default() }).await;
    let made = booked(&app, "2027-03-24", "link").await;
    let path = format!("/api/bookings/{}/payment-link", id(&made));
    let first = links(&app).await.pop().unwrap();
    let sent = app.post(OPS, &path, &json!({})).await.expect(201).body;
    assert_eq!((&sent["amount"], &sent["sentTo"]), (&made["total"], &json!(CALLER)));
    // Two mails of one second lie in any order.
    let mailed = links(&app).await;
    assert_eq!(mailed.len(), 2);
    let second = mailed.into_iter().find(|token| *token != first).unwrap();
    assert!(sent["url"].as_str().unwrap().contains(&second));
    assert_eq!(look(&app, &first).await.status, 404);
    assert_eq!(pay(&app, &first, "fake-valid-nonce", &made["total"]).await.status, 404);
    look(&app, &second).await.expect(200);
    let record = app.get(OPS, &format!("/api/bookings/{}", id(&made))).await.expect(200).body;
    assert_eq!((&record["paymentLink"]["sentTo"], &record["owed"]), (&json!(CALLER), &made["total"]));
    for guess in [&second[..42], "x", &second.to_lowercase(), &format!("{}A", &second[..42])] {
        assert!(guess == second || look(&app, guess).await.status == 404, "{guess}");
    }
    // Asked for twice with one key it is one link, and its secret is told once.
    let twice = async || {
        let request = app.builder(OPS, Method::POST, &path).await.header("idempotency-key", "send-it-once-please");
        Answer::of(request.send().await.unwrap()).await.expect(201).body
    };
    let (once, again) = (twice().await, twice().await);
    assert_eq!((&once["expiresAt"], &again["url"]), (&again["expiresAt"], &Value::Null));
    let second = once["url"].as_str().unwrap().rsplit_once("/pay/").unwrap().1.split('?').next().unwrap().to_owned();
    look(&app, &second).await.expect(200);
    app.clock.set("2027-02-15T14:00:00Z");
    assert_eq!(look(&app, &second).await.status, 404, "seven days are over");
    app.tokens.lock().unwrap().clear();
    let third = app.post(OPS, &path, &json!({})).await.expect(201).body["url"].as_str().unwrap().to_owned();
    let third = third.rsplit_once("/pay/").unwrap().1.split('?').next().unwrap().to_owned();
    // What the move costs now is what the link asks for.
    let record = app.get(OPS, &format!("/api/bookings/{}", id(&made))).await.expect(200);
    let change = json!({ "booking": { "mateCount": 3 } });
    let version = record.header("etag").to_owned();
    let request = app.builder(OPS, Method::PUT, &format!("/api/bookings/{}", id(&made))).await;
    let changed = Answer::of(request.header("if-match", version).json(&change).send().await.unwrap()).await.expect(200);
    assert_ne!(changed.body["total"], made["total"]);
    let old = pay(&app, &third, "fake-valid-nonce", &made["total"]).await;
    assert_eq!((old.code(), &old.body["total"]), ("price_changed", &changed.body["total"]));
    pay(&app, &third, "fake-valid-nonce", &changed.body["total"]).await.expect(200);
    assert_eq!(charges(&app).await, 1);
    // Cancelled for the company's fault everything goes back, and nothing can be paid.
    app.put(OPS, &format!("/api/bookings/status/{}", id(&made)), &json!({ "status": "cancelled" })).await.expect(200);
    app.run_jobs().await;
    assert_eq!(look(&app, &third).await.expect(200).body["state"], "ended");
    assert_eq!(app.post(OPS, &path, &json!({})).await.code(), "link_ended");
    assert_eq!(charges(&app).await, 0, "the charge was undone");
}

#[actix_web::test]
async fn lists_know_how_a_booking_is_paid_and_who_is_waited_for() {
    let app = TestApp::with(Options { people: &[OPS, CUSTOMER], ..Options::default() }).await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    app.book(CUSTOMER).await;
    let by_link = booked(&app, "2027-02-24", "link").await;
    booked(&app, "2027-02-25", "onSite").await;
    let listed = async |filters: Value| -> Vec<String> {
        let text = support_encode(&filters.to_string());
        let found = app.get(OPS, &format!("/api/filter?filters={text}")).await.expect(200).body;
        found["data"].as_array().unwrap().iter().map(|b| b["payment"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(listed(json!({ "payment": ["link"] })).await, ["link"]);
    assert_eq!(listed(json!({ "payment": ["onSite", "card"] })).await.len(), 2);
    let waiting = async || {
        let seen = app.get(OPS, "/api/views").await.expect(200).body;
        let list = seen["worklists"].as_array().unwrap().iter().find(|w| w["key"] == "waitingForCustomer").unwrap();
        list["total"].as_i64().unwrap()
    };
    assert_eq!(waiting().await, 1);
    let token = links(&app).await.pop().unwrap();
    pay(&app, &token, "fake-valid-nonce", &by_link["total"]).await.expect(200);
    assert_eq!(waiting().await, 0);
    app.run_jobs().await;
}

fn support_encode(text: &str) -> String {
    text.bytes()
        .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

#[actix_web::test]
async fn a_tip_needs_a_card_when_the_move_is_paid_by_hand() {
    let app = TestApp::with(Options { people: &[OPS], ..Options::default() }).await;
    let made = booked(&app, "2027-02-24", "link").await;
    let path = format!("/api/tip/{}", made["id"].as_str().unwrap());
    let refused = app.put(OPS, &path, &json!({ "type": "amount", "value": "5" })).await.expect(422);
    assert_eq!(refused.code(), "card_required");
    app.put(OPS, &path, &json!({ "type": "amount", "value": "0" })).await.expect(200);
    app.run_jobs().await;
}
