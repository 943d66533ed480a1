//! The server is killed (`kill -9`) at random moments while people book and cards are charged.
//! Afterwards every booking that was acknowledged is there, the gateway has charged each amount
//! once, and gateway and ledger agree.
//!
//! `PORTAGE_CRASH_ROUNDS` says how often (`just crash` says 100), `PORTAGE_CRASH_SEED` repeats a run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod support;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use kernel::{
    Money,
    chrono::{DateTime, Duration as Days, SecondsFormat, Utc},
};
use reqwest::{Client, StatusCode};
use serde_json::Value;
use store::testing::TestDb;
use support::{
    customer::{book, browser, draft, previous, sign_in, store_card},
    server::Site,
};

const EMAIL: &str = "customer@portage.test";
const PASSWORD: &str = "portage-demo-2027";

/// Xorshift: a run can be repeated by its seed.
struct Dice(u64);

impl Dice {
    fn new() -> Dice {
        let told = std::env::var("PORTAGE_CRASH_SEED").ok().and_then(|s| s.parse().ok());
        let seed = told.unwrap_or_else(|| {
            let mut bytes = [0; 8];
            getrandom::fill(&mut bytes).expect("randomness");
            u64::from_le_bytes(bytes) | 1
        });
        println!("PORTAGE_CRASH_SEED={seed}");
        Dice(seed)
    }

    fn up_to(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// What the customer knows.
#[derive(Default)]
struct Diary {
    /// Booking id → total, of bookings that were acknowledged.
    acknowledged: BTreeMap<String, String>,
    /// Requests whose answer never came: repeated with the same key after the restart.
    open: Vec<(String, Value)>,
    lost: usize,
    keys: usize,
}

struct Run {
    site: Site,
    web: Client,
    dice: Dice,
    now: DateTime<Utc>,
    diary: Diary,
    /// The longest life of a server, milliseconds; follows the machine, so that some lives end
    /// while people sign in and others after a few bookings.
    longest: u64,
}

impl Run {
    fn advance(&mut self, hours: i64) {
        self.now += Days::hours(hours);
        self.site.set_clock(&self.now.to_rfc3339_opts(SecondsFormat::Secs, true));
    }

    /// Either within two days (charged in full while it is booked) or some weeks ahead (deposit,
    /// then balance).
    fn some_draft(&mut self) -> Value {
        let days = if self.dice.up_to(3) == 0 { 2 } else { 4 + self.dice.up_to(25) };
        let day = (self.now + Days::days(i64::try_from(days).unwrap())).date_naive();
        let hour = if days == 2 { 8 } else { 8 + self.dice.up_to(8) };
        draft(&day.to_string(), &format!("{hour:02}:{}", if self.dice.up_to(2) == 0 { "00" } else { "30" }))
    }

    /// Sends one booking; `false` when the server is gone.
    async fn send(&mut self, token: &str, key: String, body: Value) -> bool {
        let answer = match book(&self.web, &self.site, token, &key, &body).await {
            Ok(answer) => answer,
            Err(_) => {
                self.diary.open.push((key, body));
                return false;
            }
        };
        let status = answer.status();
        match answer.text().await {
            Ok(text) if status == StatusCode::CREATED => {
                let booking: Value = serde_json::from_str(&text).unwrap();
                let id = booking["id"].as_str().expect("an id").to_owned();
                self.diary.acknowledged.insert(id, booking["total"].as_str().expect("a total").to_owned());
                true
            }
            Ok(text) if status == StatusCode::CONFLICT || status == StatusCode::UNPROCESSABLE_ENTITY => {
                let problem: Value = serde_json::from_str(&text).unwrap();
                match problem["code"].as_str().unwrap_or_default() {
                    // Full, closed, or (a repeated request) too late by now: an honest no.
                    "slot_gone" | "date_past" | "date_closed" | "too_soon" => self.diary.lost += 1,
                    "request_in_flight" => self.diary.open.push((key, body)),
                    _ => panic!("{status} {text}"),
                }
                true
            }
            Ok(text) if status.is_server_error() => {
                println!("{status} {text}");
                self.diary.open.push((key, body));
                true
            }
            Ok(text) => panic!("{status} {text}"),
            Err(_) => {
                self.diary.open.push((key, body));
                false
            }
        }
    }

    /// One life of the server: started, used, killed at a random moment.
    async fn round(&mut self) {
        let hours = 5 + self.dice.up_to(30);
        self.advance(i64::try_from(hours).unwrap());
        self.site.start(&self.web).await;
        let life = Duration::from_millis(10 + self.dice.up_to(self.longest));
        let before = self.diary.acknowledged.len();
        let pid = self.site.pid();
        let killer = tokio::task::spawn_blocking(move || {
            std::thread::sleep(life);
            support::server::kill(pid);
        });
        self.use_site().await;
        killer.await.unwrap();
        self.site.kill();
        let made = self.diary.acknowledged.len() - before;
        self.longest = match made {
            0 => self.longest * 3 / 2,
            1..=3 => self.longest,
            _ => self.longest * 3 / 4,
        };
    }

    async fn use_site(&mut self) {
        let Ok(token) = sign_in(&self.web, &self.site, EMAIL, PASSWORD).await else { return };
        for (key, body) in std::mem::take(&mut self.diary.open) {
            if !self.send(&token, key, body).await {
                break;
            }
        }
        loop {
            self.diary.keys += 1;
            let (key, body) = (format!("crash-{}", self.diary.keys), self.some_draft());
            if !self.send(&token, key, body).await {
                return;
            }
        }
    }

    /// Waits until no job is due; gives up when their number stands still for a minute.
    async fn settle(&self) {
        let (mut quiet, mut last, mut still) = (0, String::new(), 0);
        while still < 600 {
            let text = self.web.get(self.site.url("/metrics")).send().await.unwrap().text().await.unwrap();
            let due = text
                .lines()
                .find_map(|l| l.strip_prefix("portage_jobs_due "))
                .unwrap_or_else(|| panic!("no jobs_due in\n{text}"));
            quiet = if due.trim() == "0" { quiet + 1 } else { 0 };
            if quiet == 3 {
                return;
            }
            still = if due == last { still + 1 } else { 0 };
            last = due.to_owned();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{last} jobs stay due:\n{}", self.site.told());
    }

    async fn charges(&self) -> Vec<Value> {
        let answer = self.web.get(self.site.url("/simulators/braintree/transactions")).send().await.unwrap();
        let list: Value = answer.json().await.unwrap();
        list["data"].as_array().unwrap().clone()
    }
}

fn cents(v: &Value) -> i64 {
    v.as_str().and_then(|t| t.parse::<Money>().ok()).unwrap_or_else(|| panic!("{v} is no amount")).cents()
}

const START: &str = "2027-02-01T13:00:00Z";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_and_nothing_is_charged_twice_on_sqlite() {
    survive(Site::new(START)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_and_nothing_is_charged_twice_on_postgres() {
    let db = TestDb::postgres();
    survive(Site::new(START).on_database(db.url().to_owned())).await;
}

async fn survive(site: Site) {
    let rounds: usize = std::env::var("PORTAGE_CRASH_ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(12);
    let now: DateTime<Utc> = START.parse().unwrap();
    let mut run = Run { site, web: browser(), dice: Dice::new(), now, diary: Diary::default(), longest: 400 };

    // The card is stored in peace; from then on nothing is.
    run.site.start(&run.web).await;
    let token = sign_in(&run.web, &run.site, EMAIL, PASSWORD).await.unwrap();
    assert_eq!(store_card(&run.web, &run.site, &token).await.unwrap(), StatusCode::OK);
    let first = run.some_draft();
    assert!(run.send(&token, "crash-first".to_owned(), first).await);
    run.site.kill();

    for _ in 0..rounds {
        run.round().await;
    }

    // The last unanswered requests are repeated, then all days pass.
    run.site.start(&run.web).await;
    let token = sign_in(&run.web, &run.site, EMAIL, PASSWORD).await.unwrap();
    for _ in 0..20 {
        for (key, body) in std::mem::take(&mut run.diary.open) {
            assert!(run.send(&token, key, body).await, "{}", run.site.told());
        }
        run.settle().await;
    }
    assert!(run.diary.open.is_empty(), "requests stay without an answer: {:?}", run.diary.open);
    for _ in 0..12 {
        run.settle().await;
        run.advance(72);
    }
    for _ in 0..4 {
        run.settle().await;
        run.advance(1);
    }
    run.settle().await;

    let token = sign_in(&run.web, &run.site, EMAIL, PASSWORD).await.unwrap();
    let booked = previous(&run.web, &run.site, &token).await.unwrap();
    let ids: BTreeSet<&str> = booked.iter().filter_map(|b| b["id"].as_str()).collect();
    assert_eq!(ids.len(), booked.len());
    for (id, total) in &run.diary.acknowledged {
        assert!(ids.contains(id.as_str()), "booking {id} of {total} was acknowledged and is lost\n{}", run.site.told());
    }
    let cancelled = booked.iter().filter(|b| b["status"] == "cancelled").count();
    assert_eq!(cancelled, 0, "every card is good: nothing may be cancelled");

    // Each charge once: one movement an order, and together exactly what was booked.
    let moved: Vec<Value> = run.charges().await.into_iter().filter(|t| t["status"] != "declined").collect();
    let orders: BTreeSet<&str> = moved.iter().filter_map(|t| t["orderId"].as_str()).collect();
    assert_eq!(orders.len(), moved.len(), "an order was charged twice");
    assert!(moved.iter().all(|t| t["kind"] == "charge"), "nothing was cancelled, so nothing is refunded");
    let charged: i64 = moved.iter().map(|t| cents(&t["amount"])).sum();
    let owed: i64 = booked.iter().map(|b| cents(&b["total"])).sum();
    assert_eq!(charged, owed, "{} charges for {} bookings\n{}", moved.len(), booked.len(), run.site.told());

    assert!(
        booked.len() * 3 >= rounds,
        "{} bookings in {rounds} lives: the kills came before anything happened",
        booked.len()
    );

    // Gateway and ledger agree, asked while the server runs and afterwards.
    for running in [true, false] {
        if !running {
            assert!(run.site.stop());
        }
        let out = run.site.run(&["reconcile"]);
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(
            out.status.success() && text.starts_with("no difference"),
            "{text}{}",
            String::from_utf8_lossy(&out.stderr)
        );
    }
    println!(
        "{rounds} kills: {} bookings ({} acknowledged, {} refused), {} charges of {}.{:02} together",
        booked.len(),
        run.diary.acknowledged.len(),
        run.diary.lost,
        moved.len(),
        charged / 100,
        charged % 100
    );
}
