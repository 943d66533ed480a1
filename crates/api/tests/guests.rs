//! Guests: whose answers they get back, and how much of a day they can keep. Over HTTP, on SQLite
//! and on PostgreSQL.

use crate::support;

use std::net::{IpAddr, Ipv4Addr};

use kernel::{HoldId, chrono::NaiveDate};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use service::ports::{
    StoreError,
    capacity::{DayCapacity, Hold},
};
use store::testing::TestDb;
use support::{
    Options, TestApp, browser,
    people::CUSTOMER,
    requests::{Answer, draft, estimate},
};

/// The first of the days under attack, a Wednesday nine days ahead.
const DAY: &str = "2027-02-17";

async fn app_on(db: TestDb, limits: api::Limits) -> TestApp {
    let mut app = TestApp::with(Options { db: Some(db), people: &[CUSTOMER], limits, ..Options::default() }).await;
    app.leave_jobs();
    app
}

fn hold_of_tier(tier: u8, date: &str, time: &str, mates: u32, minutes: u32) -> Value {
    let mut body = hold(date, time, mates, minutes);
    body["tier"] = json!(tier);
    body
}

fn hold(date: &str, time: &str, mates: u32, minutes: u32) -> Value {
    json!({ "date": date, "time": time, "mateCount": mates, "duration": minutes, "justMates": false,
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" } })
}

async fn sent(request: RequestBuilder) -> Answer {
    Answer::of(request.send().await.unwrap()).await
}

/// The guest cookie an answer sets: its value, and the rest of the line.
fn cookie(answer: &Answer) -> Option<(String, String)> {
    let lines = answer.headers.get_all("set-cookie").iter().filter_map(|v| v.to_str().ok());
    let line = lines.map(str::to_owned).find(|l| l.starts_with("portage_guest="))?;
    let (value, rest) = line.trim_start_matches("portage_guest=").split_once(';')?;
    Some((value.to_owned(), rest.to_owned()))
}

/// A client with another address of this machine: a stranger, as far as the server can tell.
fn stranger() -> Client {
    Client::builder().local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 77))).no_proxy().build().unwrap()
}

async fn stored(app: &TestApp, answer: &Answer) -> Hold {
    let id: HoldId = answer.body["id"].as_str().unwrap().parse().unwrap();
    let found: Result<Option<Hold>, StoreError> = app.services.store.read(move |u| u.capacities().hold(id)).await;
    found.unwrap().unwrap()
}

/// The starts of a day that an ordinary move could have.
async fn free(http: &Client, app: &TestApp, date: &str, mates: u32, minutes: u32) -> Vec<String> {
    free_of_tier(1, http, app, date, mates, minutes).await
}

async fn free_of_tier(tier: u8, http: &Client, app: &TestApp, date: &str, mates: u32, minutes: u32) -> Vec<String> {
    let query =
        format!("date={date}&days=1&mateCount={mates}&duration={minutes}&tier={tier}&province=QC&postalCode=H2X%201Y4");
    let answer = sent(http.get(app.path(&format!("/api/availability?{query}")))).await.expect(200);
    let slots = answer.body["days"][0]["slots"].as_array().unwrap().clone();
    slots.iter().filter(|s| s["available"] == true).map(|s| s["time"].as_str().unwrap().to_owned()).collect()
}

/// A key says who asks only together with the browser it came from.
async fn keys_are_the_browsers_own(db: TestDb) {
    let app = app_on(db, api::Limits::default()).await;
    let keyed = |http: &Client| {
        http.post(app.path("/api/holds")).header("idempotency-key", "k").json(&hold(DAY, "09:00", 2, 150))
    };
    let first = sent(keyed(&app.http)).await.expect(201);
    let (mine, attributes) = cookie(&first).expect("a guest gets a cookie with the first hold");
    assert!(mine.len() == 32 && mine.bytes().all(|b| b.is_ascii_hexdigit()), "{mine}");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/api"] {
        assert!(attributes.contains(part), "{attributes}");
    }
    assert!(!attributes.contains("Secure"), "this site is not https: {attributes}");

    // The same browser again: the same answer, and no second cookie.
    let again = sent(keyed(&app.http).header("cookie", format!("x=1; portage_guest={mine}"))).await.expect(201);
    assert_eq!((again.header("idempotency-replayed"), &again.body["id"]), ("true", &first.body["id"]));
    assert!(cookie(&again).is_none());

    // Nobody else: not from another address, not from the same one, not with a cookie of their own
    // making, whatever they call their browser.
    let other = "0123456789abcdef0123456789abcdef";
    let strangers = [
        keyed(&stranger()),
        keyed(&app.http),
        keyed(&app.http).header("cookie", format!("portage_guest={other}")),
        keyed(&app.http).header("cookie", "portage_guest="),
        keyed(&app.http).header("cookie", format!("portage_guest={}", &mine[..16])),
    ];
    for request in strangers {
        let a = sent(request).await;
        assert_ne!(a.body["id"], first.body["id"], "a stranger was handed somebody's hold");
        assert_eq!(a.header("idempotency-replayed"), "");
    }
    // Another body under one's own key is still told.
    let reused = app
        .http
        .post(app.path("/api/holds"))
        .header("idempotency-key", "k")
        .header("cookie", format!("portage_guest={mine}"));
    let reused = sent(reused.json(&hold(DAY, "10:00", 2, 150))).await.expect(422);
    assert_eq!(reused.code(), "idempotency_key_reused");
}

/// Four mates and a truck of each size, everywhere.
async fn small_calendar(app: &TestApp) {
    let set = app.services.store.write(|u| {
        for hub in ["montreal", "toronto", "vancouver", "calgary"] {
            for weekday in 0..7 {
                u.capacities().set_default(
                    hub,
                    weekday,
                    service::ports::capacity::DayCapacity { mates: 4, trucks: [1, 1, 1] },
                )?;
            }
        }
        Ok::<_, service::ports::StoreError>(())
    });
    set.await.unwrap();
}

/// One browser has one time: choosing another gives the former back.
async fn one_hold_a_browser(db: TestDb) {
    let app = app_on(db, api::Limits::default()).await;
    // One crew of the largest size that can be booked online.
    small_calendar(&app).await;
    let first = sent(app.http.post(app.path("/api/holds")).json(&hold(DAY, "09:00", 4, 150))).await.expect(201);
    let (mine, _) = cookie(&first).unwrap();
    assert!(!free(&app.http, &app, DAY, 4, 120).await.contains(&"09:00".to_owned()));
    let second = app.http.post(app.path("/api/holds")).header("cookie", format!("portage_guest={mine}"));
    let second = sent(second.json(&hold(DAY, "14:00", 4, 150))).await.expect(201);
    assert_eq!(stored(&app, &first).await.state.code(), "released");
    assert_eq!(stored(&app, &second).await.state.code(), "active");
    assert!(free(&app.http, &app, DAY, 4, 120).await.contains(&"09:00".to_owned()), "the former time is free again");
    // A time that cannot be had leaves the former one kept.
    let blocker = sent(stranger().post(app.path("/api/holds")).json(&hold(DAY, "08:00", 4, 60))).await.expect(201);
    let lost = app.http.post(app.path("/api/holds")).header("cookie", format!("portage_guest={mine}"));
    sent(lost.json(&hold(DAY, "08:00", 4, 60))).await.expect(409);
    assert_eq!(stored(&app, &second).await.state.code(), "active");
    assert_eq!(stored(&app, &blocker).await.state.code(), "active");
}

/// Crew, truck and minutes are those of the estimate, when the hold names the move.
#[actix_web::test]
async fn a_hold_is_as_large_as_the_estimate_says() {
    let mut app = TestApp::with(Options { people: &[], ..Options::default() }).await;
    app.leave_jobs();
    let priced = sent(app.http.post(app.path("/api/booking/estimate")).json(&estimate())).await.expect(200).body;
    let mut asked = hold(DAY, "09:00", 4, 600);
    asked["tier"] = json!(3);
    asked["estimate"] = estimate();
    let made = stored(&app, &sent(app.http.post(app.path("/api/holds")).json(&asked)).await.expect(201)).await;
    assert_eq!(json!(made.duration_minutes), priced["duration"]);
    assert_eq!((made.mates, made.truck.map(|t| t.feet())), (2, Some(10)));
    // No online move is as long as this one, whatever the page says.
    let endless = sent(app.http.post(app.path("/api/holds")).json(&hold(DAY, "08:00", 2, 800))).await.expect(422);
    assert_eq!(endless.code(), "too_long");
}

/// Every guest who throws the cookie away, asks for as much as there is, and forges headers.
struct Attacker<'a> {
    app: &'a TestApp,
    http: Client,
    calls: u32,
    /// Headers of the n-th call.
    headers: fn(u32) -> Vec<(&'static str, String)>,
}

impl Attacker<'_> {
    async fn hold(&mut self, date: &str, time: &str, mates: u32, minutes: u32) -> Answer {
        self.calls += 1;
        let mut request = self.http.post(self.app.path("/api/holds")).json(&hold(date, time, mates, minutes));
        for (name, value) in (self.headers)(self.calls) {
            request = request.header(name, value);
        }
        sent(request).await
    }

    /// First blindly, in the sizes that hurt; then whatever the calendar still shows.
    async fn take_all(&mut self, dates: &[String]) {
        for date in dates {
            for (mates, minutes) in [(8, 600), (8, 30), (4, 600), (2, 480), (4, 240), (2, 120), (1, 30)] {
                for time in ["08:00", "10:00", "12:00", "14:00", "16:00"] {
                    let a = self.hold(date, time, mates, minutes).await;
                    assert!(a.status < 500, "{}", a.text);
                }
            }
            for _ in 0..3 {
                for time in free(&self.http, self.app, date, 2, 120).await {
                    self.hold(date, &time, 2, 120).await;
                    self.hold(date, &time, 1, 120).await;
                }
            }
        }
    }
}

fn dates(n: u64) -> Vec<String> {
    let first: NaiveDate = DAY.parse().unwrap();
    first.iter_days().take(usize::try_from(n).unwrap()).map(|d| d.to_string()).collect()
}

/// What is left for others of each day.
async fn left_for_others(app: &TestApp, dates: &[String]) {
    let other = stranger();
    for date in dates {
        let ordinary = free(&other, app, date, 2, 120).await;
        assert!(ordinary.len() >= 5, "{date}: {ordinary:?} are left of a day");
        let large = free(&other, app, date, 4, 240).await;
        assert!(!large.is_empty(), "{date}: no large move is left");
        let time = large.first().unwrap();
        let kept = sent(other.post(app.path("/api/holds")).json(&hold(date, time, 4, 240))).await.expect(201);
        let id = kept.body["id"].as_str().unwrap();
        sent(other.delete(app.path(&format!("/api/holds/{id}")))).await.expect(204);
    }
    let drift: Result<Vec<String>, StoreError> = app.services.store.read(|u| u.capacities().drift()).await;
    assert_eq!(drift.unwrap(), Vec::<String>::new());
}

/// From one address, with a new cookie and forged headers in every call.
async fn one_address_takes_no_day(db: TestDb) {
    let app = app_on(db, api::Limits::default()).await;
    let headers = |n: u32| {
        let fake = format!("203.0.113.{}", n % 250);
        vec![
            ("x-forwarded-for", fake.clone()),
            ("x-real-ip", fake.clone()),
            ("forwarded", format!("for={fake}")),
            ("user-agent", format!("browser {n}")),
            ("cookie", format!("portage_guest={n:032x}")),
        ]
    };
    let dates = dates(5);
    Attacker { app: &app, http: browser(), calls: 0, headers }.take_all(&dates).await;
    left_for_others(&app, &dates).await;
    // And who has an account books on such a day.
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let time = free(&stranger(), &app, DAY, 2, 150).await.first().unwrap().clone();
    app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": draft(DAY, &time) })).await.expect(201);
}

/// Behind a proxy: from one IPv6 network of a customer, with lists and lines of forged hops before
/// the one the proxy wrote.
async fn one_network_takes_no_day(db: TestDb) {
    let limits = api::Limits { behind_proxy: true, hold: 100_000, guest: 100_000, ..api::Limits::default() };
    let app = app_on(db, limits).await;
    let headers = |n: u32| {
        vec![
            ("x-forwarded-for", format!("203.0.113.{}, 198.51.100.{}", n % 250, n % 240)),
            ("x-forwarded-for", format!("2001:db8:{n:x}::1, 2001:db8:1:2:{:x}:{n:x}::9", n % 0xffff)),
        ]
    };
    let dates = dates(3);
    Attacker { app: &app, http: browser(), calls: 0, headers }.take_all(&dates).await;
    left_for_others(&app, &dates).await;
}

/// In a small depot one family's large move is still kept for them; the whole day is not.
async fn a_small_depot_keeps_its_day(db: TestDb) {
    let app = app_on(db, api::Limits::default()).await;
    let small = DayCapacity { mates: 4, trucks: [1, 1, 0] };
    let written: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| (0..7).try_for_each(|w| u.capacities().set_default("montreal", w, small)))
        .await;
    written.unwrap();
    let family = sent(app.http.post(app.path("/api/holds")).json(&hold(DAY, "08:00", 4, 300))).await.expect(201);
    app.send(
        support::people::GUEST,
        reqwest::Method::DELETE,
        &format!("/api/holds/{}", family.body["id"].as_str().unwrap()),
        None,
    )
    .await
    .expect(204);
    let all_day = sent(app.http.post(app.path("/api/holds")).json(&hold(DAY, "08:00", 4, 720))).await.expect(409);
    assert_eq!(all_day.code(), "hold_too_large");
    assert!(!free(&app.http, &app, DAY, 2, 120).await.is_empty());
}

/// Big and middle trucks are few: one address without an account leaves half of their starts, too.
async fn one_address_leaves_trucks(db: TestDb) {
    let app = app_on(db, api::Limits::default()).await;
    let mut before = Vec::new();
    for tier in [2, 3] {
        before.push(free_of_tier(tier, &stranger(), &app, DAY, 2, 240).await.len());
    }
    assert!(before.iter().all(|n| *n > 0), "{before:?}");
    for tier in [3, 2, 3, 2] {
        for time in ["08:00", "10:00", "12:00", "08:00", "08:00", "08:00", "08:00", "08:00", "08:00", "08:00"] {
            let a = sent(browser().post(app.path("/api/holds")).json(&hold_of_tier(tier, DAY, time, 2, 600))).await;
            assert!(a.status < 500, "{}", a.text);
        }
    }
    for (tier, before) in [2, 3].into_iter().zip(before) {
        let left = free_of_tier(tier, &stranger(), &app, DAY, 2, 240).await.len();
        assert!(2 * left >= before, "tier {tier}: {left} of {before} starts are left");
    }
}

/// A depot with one big truck: whoever needs it may keep it, but not for hours, and nobody else at
/// the same address loses their time for it.
async fn the_only_big_truck_is_not_kept_for_ever(db: TestDb) {
    let app = app_on(db, api::Limits::default()).await;
    let one_truck = DayCapacity { mates: 8, trucks: [2, 2, 1] };
    let written: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| u.capacities().set_override("montreal", DAY.parse().unwrap(), one_truck))
        .await;
    written.unwrap();
    let neighbour = sent(browser().post(app.path("/api/holds")).json(&hold(DAY, "13:00", 2, 120))).await.expect(201);
    let mut kept = 0;
    for _ in 0..16 {
        let a = sent(browser().post(app.path("/api/holds")).json(&hold_of_tier(3, DAY, "08:00", 2, 600))).await;
        match a.status {
            201 => kept += 1,
            409 => assert_eq!(a.code(), "hold_too_large"),
            other => panic!("{other}: {}", a.text),
        }
        if kept == 1 {
            assert_eq!(stored(&app, &neighbour).await.state.code(), "active");
        }
        app.clock.move_to(app.services.clock.now() + kernel::chrono::Duration::minutes(16));
        app.run_jobs().await;
    }
    assert_eq!(kept, 6, "an hour and a half in six hours");
}

/// A nearly full day: its last start is kept for a visitor, but not for hours.
async fn the_last_start_is_not_kept_for_ever(db: TestDb) {
    let app = app_on(db, api::Limits::default()).await;
    let two_moves = DayCapacity { mates: 4, trucks: [2, 2, 2] };
    let written: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| u.capacities().set_override("montreal", DAY.parse().unwrap(), two_moves))
        .await;
    written.unwrap();
    // Others have booked all but one stretch of it.
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    loop {
        let left = free(&stranger(), &app, DAY, 2, 120).await;
        app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": draft(DAY, &left[0]) })).await.expect(201);
        // The first of two crews.
        if left.len() == 1 {
            break;
        }
    }
    let mut kept = 0;
    for n in 0..12 {
        let left = free(&stranger(), &app, DAY, 2, 120).await;
        let time = left.get(left.len() / 2).unwrap_or_else(|| panic!("round {n}: nothing is left of the day")).clone();
        let answer = sent(stranger().post(app.path("/api/holds")).json(&hold(DAY, &time, 2, 120))).await;
        match answer.status {
            201 => kept += 1,
            409 => assert_eq!(answer.code(), "hold_too_large"),
            other => panic!("{other}: {}", answer.text),
        }
        app.clock.move_to(app.services.clock.now() + kernel::chrono::Duration::minutes(16));
        app.run_jobs().await;
    }
    assert_eq!(kept, 3, "three quarters of an hour in six hours");
    // Later it is theirs again.
    app.clock.move_to(app.services.clock.now() + kernel::chrono::Duration::hours(6));
    app.run_jobs().await;
    let left = free(&stranger(), &app, DAY, 2, 120).await;
    sent(stranger().post(app.path("/api/holds")).json(&hold(DAY, &left[left.len() / 2], 2, 120))).await.expect(201);
}

/// Over all days an address keeps a dozen times; who comes now is not refused, the oldest goes.
async fn a_dozen_times_an_address(db: TestDb) {
    let app = app_on(db, api::Limits::default()).await;
    let mut made = Vec::new();
    for (n, date) in dates(15).into_iter().enumerate() {
        app.clock.set(&format!("2027-02-08T14:00:{n:02}Z"));
        made.push(sent(app.http.post(app.path("/api/holds")).json(&hold(&date, "09:00", 2, 120))).await.expect(201));
    }
    let other = sent(stranger().post(app.path("/api/holds")).json(&hold(DAY, "14:00", 2, 120))).await.expect(201);
    let mut states = Vec::new();
    for answer in &made {
        states.push(stored(&app, answer).await.state.code());
    }
    let (gone, kept) = states.split_at(3);
    assert!(gone.iter().all(|s| *s == "released") && kept.iter().all(|s| *s == "active"), "{states:?}");
    assert_eq!(stored(&app, &other).await.state.code(), "active");
    // Whom an ended hold was for is forgotten; whom a living one is for is a pseudonym.
    assert_eq!(stored(&app, &made[0]).await.holder, None);
    let holder = stored(&app, &made[14]).await.holder.unwrap();
    let random = holder.origin.bytes().all(|b| b.is_ascii_hexdigit());
    assert!(holder.origin.len() == 32 && random, "an address has dots or colons: {holder:?}");
}

macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[actix_web::test]
            async fn $name() {
                super::$name(super::TestDb::sqlite()).await;
            })+
        }
        mod postgres {
            $(#[actix_web::test]
            async fn $name() {
                super::$name(super::TestDb::postgres()).await;
            })+
        }
    };
}

on_both!(
    keys_are_the_browsers_own,
    one_hold_a_browser,
    one_address_takes_no_day,
    one_network_takes_no_day,
    a_small_depot_keeps_its_day,
    one_address_leaves_trucks,
    the_only_big_truck_is_not_kept_for_ever,
    the_last_start_is_not_kept_for_ever,
    a_dozen_times_an_address,
);
