//! Many at once: the last slot, the last use of a code, the same button pressed again and again.
//! Over HTTP, on SQLite and on PostgreSQL.

use std::collections::BTreeMap;

use crate::support::{
    Options, TestApp, browser,
    people::{CUSTOMER, GUEST, OTHER, PASSWORD},
    requests::{Answer, draft},
};
use futures_util::future::join_all;
use identity::accounts::Provision;
use kernel::{DiscountId, Money, chrono::Duration};
use pricing::DiscountTerms;
use serde_json::{Value, json};
use service::ports::{StoreError, capacity::DayCapacity, discounts::StoredDiscount};
use store::testing::TestDb;

const RACERS: usize = 50;
/// They race from several browsers each; hashing a password takes its time.
const PEOPLE: usize = 10;
/// Nine days ahead: charged later.
const LATER: (&str, &str) = ("2027-02-17", "09:00");
/// The day after tomorrow's early morning: charged with the booking.
const SOON: (&str, &str) = ("2027-02-10", "08:30");

/// A browser somebody is signed in with.
struct Racer {
    http: reqwest::Client,
    token: String,
    url: String,
}

impl Racer {
    async fn post(&self, path: &str, key: Option<&str>, body: &Value) -> Answer {
        let mut request = self.http.post(format!("{}{path}", self.url)).bearer_auth(&self.token).json(body);
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        Answer::of(request.send().await.unwrap()).await
    }

    async fn get(&self, path: &str) -> Value {
        let request = self.http.get(format!("{}{path}", self.url)).bearer_auth(&self.token);
        Answer::of(request.send().await.unwrap()).await.expect(200).body
    }

    async fn booked(&self) -> Vec<String> {
        let list = self.get("/api/bookings/previous?per_page=100").await;
        list["data"].as_array().unwrap().iter().map(|b| b["id"].as_str().unwrap().to_owned()).collect()
    }
}

/// A Portage with room for one small move at a time.
async fn app_on(db: TestDb) -> TestApp {
    let app = TestApp::with(Options { db: Some(db), people: &[CUSTOMER, OTHER], ..Options::default() }).await;
    capacity(&app, DayCapacity { mates: 2, trucks: [1, 0, 0] }).await;
    app
}

async fn capacity(app: &TestApp, capacity: DayCapacity) {
    let written: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| (0..7).try_for_each(|weekday| u.capacities().set_default("montreal", weekday, capacity)))
        .await;
    written.unwrap();
}

/// Fifty browsers of ten people with cards.
async fn racers(app: &TestApp) -> Vec<Racer> {
    let mut tokens = Vec::with_capacity(PEOPLE);
    for i in 0..PEOPLE {
        let email = format!("racer{i}@portage.test");
        let account = Provision {
            email: email.parse().unwrap(),
            password: PASSWORD.into(),
            first_name: format!("Racer {i}"),
            last_name: "Tester".into(),
            phone: Some("514-555-0101".parse().unwrap()),
            language: kernel::Language::En,
            email_verified: true,
        };
        app.identity.provision(account).await.unwrap();
        let session = app.session(&email, PASSWORD).await;
        let answer = app.token_answer(&session).await;
        tokens.push(answer["access_token"].as_str().unwrap().to_owned());
    }
    let all: Vec<Racer> = (0..RACERS)
        .map(|i| Racer { http: browser(), token: tokens[i % PEOPLE].clone(), url: app.url.clone() })
        .collect();
    for racer in &all[..PEOPLE] {
        racer.post("/api/payment", None, &json!({ "paymentNonce": "fake-valid-nonce" })).await.expect(200);
    }
    all
}

async fn one(app: &TestApp, who: &'static str) -> Racer {
    app.store_card(who, "fake-valid-nonce").await.expect(200);
    Racer { http: browser(), token: app.token(who).await, url: app.url.clone() }
}

fn hold() -> Value {
    json!({ "date": LATER.0, "time": LATER.1, "mateCount": 2, "duration": 150, "justMates": false, "tier": 1,
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" } })
}

fn order(when: (&str, &str), hold: Option<&Value>) -> Value {
    let mut draft = draft(when.0, when.1);
    if let Some(hold) = hold {
        draft["holdId"] = hold.clone();
    }
    json!({ "bookingRequest": draft })
}

/// How often each answer came.
fn tally<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> BTreeMap<(u16, String), usize> {
    answers.into_iter().fold(BTreeMap::new(), |mut counted, a| {
        *counted.entry((a.status, a.code().to_owned())).or_default() += 1;
        counted
    })
}

fn expect_tally(answers: &[Answer], want: &[(u16, &str, usize)]) {
    let want: BTreeMap<(u16, String), usize> = want.iter().map(|(s, c, n)| ((*s, (*c).to_owned()), *n)).collect();
    assert_eq!(tally(answers), want);
}

/// Charges that moved money: order and amount.
async fn charges(app: &TestApp) -> Vec<(String, String)> {
    let list = app.get(GUEST, "/simulators/braintree/transactions").await.expect(200).body;
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let rows = list["data"].as_array().unwrap().iter();
    rows.filter(|t| t["kind"] == "charge" && t["status"] != "declined")
        .map(|t| (text(&t["orderId"]), text(&t["amount"])))
        .collect()
}

/// Buckets hold what bookings and holds say; gateway and ledger agree; nothing is left to do.
async fn in_order(app: &TestApp) {
    app.run_jobs().await;
    let drift: Result<Vec<String>, StoreError> = app.services.store.read(|u| u.capacities().drift()).await;
    assert_eq!(drift.unwrap(), Vec::<String>::new());
    let now = app.services.clock.now();
    let report = service::billing::reconcile::run(&app.services, now - Duration::days(2), now + Duration::days(2))
        .await
        .unwrap();
    assert_eq!(report.differences, Vec::<String>::new());
}

async fn bookings(all: &[Racer]) -> usize {
    join_all(all.iter().map(Racer::booked)).await.iter().map(Vec::len).sum()
}

/// Half of them keep the slot first, half book straight away.
async fn the_last_slot(db: TestDb) {
    let app = app_on(db).await;
    let all = racers(&app).await;
    let tries = all.iter().enumerate().map(|(i, r)| async move {
        let kept = if i % 2 == 0 {
            let kept = r.post("/api/holds", None, &hold()).await;
            if kept.status != 201 {
                return kept;
            }
            Some(kept.body["id"].clone())
        } else {
            None
        };
        r.post("/api/bookings", None, &order(LATER, kept.as_ref())).await
    });
    let answers = join_all(tries).await;
    expect_tally(&answers, &[(201, "", 1), (409, "slot_gone", RACERS - 1)]);
    assert_eq!(bookings(&all[..PEOPLE]).await, 1);
    let query = format!(
        "date={}&days=1&mateCount=2&duration=150&justMates=false&province=QC&city=Montr%C3%A9al&postalCode=H2X%201Y4",
        LATER.0
    );
    let day = app.get(GUEST, &format!("/api/availability?{query}")).await.expect(200).body;
    let slot = day["days"][0]["slots"].as_array().unwrap().iter().find(|s| s["time"] == LATER.1).unwrap();
    assert_eq!(slot["available"], false);
    assert_eq!(charges(&app).await, []);
    in_order(&app).await;
}

#[actix_web::test]
async fn fifty_clients_race_for_the_last_slot_on_sqlite() {
    the_last_slot(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn fifty_clients_race_for_the_last_slot_on_postgres() {
    the_last_slot(TestDb::postgres()).await;
}

/// Fifty guests keep the same time; the one who got it books, and the time is really gone.
async fn the_last_hold(db: TestDb) {
    let app = app_on(db).await;
    let browsers: Vec<_> = (0..RACERS).map(|_| browser()).collect();
    let tries = browsers
        .iter()
        .map(|b| async { Answer::of(b.post(app.path("/api/holds")).json(&hold()).send().await.unwrap()).await });
    let answers = join_all(tries).await;
    expect_tally(&answers, &[(201, "", 1), (409, "slot_gone", RACERS - 1)]);
    let kept = answers.iter().find(|a| a.status == 201).unwrap().body["id"].clone();
    let winner = one(&app, CUSTOMER).await;
    let loser = one(&app, OTHER).await;
    assert_eq!(loser.post("/api/bookings", None, &order(LATER, None)).await.expect(409).code(), "slot_gone");
    winner.post("/api/bookings", None, &order(LATER, Some(&kept))).await.expect(201);
    // A hold that became somebody's booking is of no use to another.
    assert_eq!(loser.post("/api/bookings", None, &order(LATER, Some(&kept))).await.expect(409).code(), "slot_gone");
    assert_eq!((winner.booked().await.len(), loser.booked().await.len()), (1, 0));
    in_order(&app).await;
}

#[actix_web::test]
async fn fifty_guests_race_for_the_last_hold_on_sqlite() {
    the_last_hold(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn fifty_guests_race_for_the_last_hold_on_postgres() {
    the_last_hold(TestDb::postgres()).await;
}

/// Within 48 hours money moves with the booking: only the winner's card is charged.
async fn the_last_slot_paid_at_once(db: TestDb) {
    let app = app_on(db).await;
    let all = racers(&app).await;
    let answers =
        join_all(all.iter().map(|r| async move { r.post("/api/bookings", None, &order(SOON, None)).await })).await;
    expect_tally(&answers, &[(201, "", 1), (409, "slot_gone", RACERS - 1)]);
    let made = answers.iter().find(|a| a.status == 201).unwrap();
    assert_eq!(bookings(&all[..PEOPLE]).await, 1);
    let charged = charges(&app).await;
    assert_eq!(charged.iter().map(|(_, amount)| json!(amount)).collect::<Vec<_>>(), [made.body["total"].clone()]);
    in_order(&app).await;
}

#[actix_web::test]
async fn fifty_clients_race_for_a_slot_paid_at_once_on_sqlite() {
    the_last_slot_paid_at_once(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn fifty_clients_race_for_a_slot_paid_at_once_on_postgres() {
    the_last_slot_paid_at_once(TestDb::postgres()).await;
}

/// The pay button, pressed `n` times at once. Every press ends in the same booking; one that
/// meets another still under way is told so, and pressing again afterwards tells which it is.
async fn press(app: &TestApp, n: usize, when: (&str, &str), with_key: bool) {
    let customer = one(app, CUSTOMER).await;
    let before = (customer.booked().await.len(), charges(app).await.len());
    let kept = (!with_key)
        .then_some(json!({ "date": when.0, "time": when.1, "mateCount": 2, "duration": 150, "justMates": false,
        "tier": 1, "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" } }));
    let kept = match kept {
        Some(body) => Some(customer.post("/api/holds", None, &body).await.expect(201).body["id"].clone()),
        None => None,
    };
    let body = order(when, kept.as_ref());
    let key = with_key.then(|| format!("pay-{}", when.0));
    let answers = join_all((0..n).map(|_| customer.post("/api/bookings", key.as_deref(), &body))).await;
    for a in &answers {
        let fine = a.status == 201 || (a.status == 409 && a.code() == "request_in_flight");
        assert!(fine, "{} {}", a.status, a.text);
    }
    let again = customer.post("/api/bookings", key.as_deref(), &body).await.expect(201);
    if with_key {
        assert_eq!(again.header("idempotency-replayed"), "true");
    }
    for a in answers.iter().filter(|a| a.status == 201) {
        assert_eq!(
            (&a.body["id"], &a.body["shortId"], &a.body["total"]),
            (&again.body["id"], &again.body["shortId"], &again.body["total"])
        );
    }
    assert!(answers.iter().any(|a| a.status == 201), "{:?}", tally(&answers));
    assert_eq!(customer.booked().await.len(), before.0 + 1);
    let charged = charges(app).await.len() - before.1;
    let at_once = again.body["paymentPlan"]["mode"] == "full_at_once";
    assert_eq!(charged, usize::from(at_once), "charged {charged} times");
    in_order(app).await;
}

async fn the_same_button(db: TestDb) {
    let app = app_on(db).await;
    press(&app, 2, ("2027-02-17", "09:00"), true).await;
    press(&app, 10, ("2027-02-18", "09:00"), true).await;
    press(&app, 10, ("2027-02-19", "09:00"), false).await;
    // These are inside 48 hours of Monday nine o'clock.
    press(&app, 10, SOON, true).await;
    press(&app, 10, ("2027-02-09", "13:00"), false).await;

    // The deposits of a day later: two workers, one charge each.
    let before = charges(&app).await.len();
    app.clock.set("2027-02-09T14:00:01Z");
    let worker = |name: &str| service::jobs::work(app.services.clone(), name.to_owned(), std::future::ready(()));
    futures_util::join!(worker("one"), worker("two"));
    let all = charges(&app).await;
    assert_eq!(all.len(), before + 3);
    let orders: std::collections::BTreeSet<_> = all.iter().map(|(order, _)| order).collect();
    assert_eq!(orders.len(), all.len(), "an order is charged once");
    in_order(&app).await;
}

#[actix_web::test]
async fn the_same_button_twice_is_one_booking_and_one_charge_on_sqlite() {
    the_same_button(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn the_same_button_twice_is_one_booking_and_one_charge_on_postgres() {
    the_same_button(TestDb::postgres()).await;
}

async fn code_for_one(app: &TestApp, code: &'static str) {
    let (id, now) = (DiscountId(app.services.entropy.uuid(app.services.clock.now())), app.services.clock.now());
    let written: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| {
            u.discounts().insert(&StoredDiscount {
                id,
                code: code.to_owned(),
                terms: DiscountTerms::Fixed { amount: Money::from_cents(5_000) },
                valid_from: "2026-01-01".parse().unwrap(),
                valid_until: "2030-01-01".parse().unwrap(),
                bookable_from: None,
                bookable_until: None,
                max_uses: Some(1),
                max_uses_per_customer: None,
                first_booking_only: false,
                uses: 0,
                provinces: Vec::new(),
                kinds: Vec::new(),
                disabled: false,
                created_at: now,
                version: 1,
            })
        })
        .await;
    written.unwrap();
}

/// Fifty clients, room for just these, and one code with one use.
async fn the_last_use_of_a_code(db: TestDb) {
    const ROOM: u32 = 50;
    let app = app_on(db).await;
    capacity(&app, DayCapacity { mates: 2 * ROOM, trucks: [ROOM; 3] }).await;
    let all = racers(&app).await;
    assert_eq!(u32::try_from(all.len()), Ok(ROOM));
    for (code, when) in [("ONCE", LATER), ("ONCEAGAIN", SOON)] {
        code_for_one(&app, code).await;
        let before = charges(&app).await.len();
        let mut body = order(when, None);
        body["bookingRequest"]["discountCode"] = json!(code);
        let answers = join_all(all.iter().map(|r| r.post("/api/bookings", None, &body))).await;
        expect_tally(&answers, &[(201, "", 1), (422, "discount_not_found", RACERS - 1)]);
        let won = &answers.iter().find(|a| a.status == 201).unwrap().body;
        assert_eq!((&won["discount"], &won["discountCode"]), (&json!("50.00"), &json!(code)));
        let charged = charges(&app).await;
        let at_once = won["paymentPlan"]["mode"] == "full_at_once";
        let amounts: Vec<Value> = charged[before..].iter().map(|(_, amount)| json!(amount)).collect();
        assert_eq!(amounts, if at_once { vec![won["total"].clone()] } else { Vec::new() }, "only the winner pays");
        // It is used up for all of them now, whoever asks and however it is written.
        body["bookingRequest"]["discountCode"] = json!(format!(" {} ", code.to_lowercase()));
        for r in &all[..PEOPLE] {
            let again = r.post("/api/bookings", None, &body).await;
            assert_eq!((again.status, again.code()), (422, "discount_not_found"));
        }
        let lookup = json!({ "discountCode": code, "bookingDate": when.0 });
        let told = app.post(GUEST, "/api/discount", &lookup).await;
        assert_eq!((told.status, told.code()), (404, "discount_not_found"));
        // Would those who lost keep their time, nothing was left of that day.
        let query = format!(
            "date={}&days=1&mateCount=2&duration=150&justMates=false&province=QC&city=Montr%C3%A9al&postalCode=H2X%201Y4",
            when.0
        );
        let day = app.get(GUEST, &format!("/api/availability?{query}")).await.expect(200).body;
        let slot = day["days"][0]["slots"].as_array().unwrap().iter().find(|s| s["time"] == when.1).unwrap();
        assert_eq!(slot["available"], true);
    }
    assert_eq!(bookings(&all[..PEOPLE]).await, 2);
    in_order(&app).await;
}

#[actix_web::test]
async fn a_code_with_one_use_discounts_one_booking_on_sqlite() {
    the_last_use_of_a_code(TestDb::sqlite()).await;
}

#[actix_web::test]
async fn a_code_with_one_use_discounts_one_booking_on_postgres() {
    the_last_use_of_a_code(TestDb::postgres()).await;
}
