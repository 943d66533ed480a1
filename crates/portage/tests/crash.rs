//! The server is killed (`kill -9`) at random moments, and its database is cut off (PostgreSQL ends its connections; the
//! file of SQLite is locked by another process, at times for longer than anybody waits), while people book, change and cancel, staff take cancellations back, give money back and take cash, cards are charged and the gateway's
//! webhooks come. Afterwards every booking and every deed that was acknowledged is there once, each holds what it owes
//! to the cent, and gateway and ledger agree. `letters` does the same while mail goes out, `invoices` while invoices are
//! issued.
//!
//! `PORTAGE_CRASH_ROUNDS` says how often (`just crash` says 100), `PORTAGE_CRASH_SEED` repeats a run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "crash/bank.rs"]
mod bank;
#[path = "crash/deeds.rs"]
mod deeds;
#[path = "crash/invoices.rs"]
mod invoices;
#[path = "crash/letters.rs"]
mod letters;
#[path = "chaos/money.rs"]
mod money;
#[path = "crash/relay.rs"]
mod relay;
mod support;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use deeds::{MarkedDeed, Tokens, UnansweredDeed};
use kernel::{
    Money,
    chrono::{DateTime, Duration as Days, SecondsFormat, Utc},
};
use money::ByHand;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use store::testing::TestDb;
use support::{
    customer::{book, browser, draft, previous, sign_in, store_card},
    server::Site,
};

const EMAIL: &str = "customer@portage.test";
const OPS: &str = "ops@portage.test";
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
    /// Key → booking, of money that staff gave or took.
    deeds: BTreeMap<String, String>,
    /// What staff began and got no answer to.
    unanswered: Vec<UnansweredDeed>,
    /// What was done to bookings, each with a word that its history keeps.
    marked: Vec<MarkedDeed>,
    /// What was done, how often.
    done: BTreeMap<&'static str, usize>,
    lost: usize,
    keys: usize,
}

struct Run {
    site: Site,
    /// A server's database, whose connections are cut now and then; none: the file of the site, which is locked.
    db: Option<TestDb>,
    /// Whoever holds the lock of the file.
    holders: Vec<tokio::task::JoinHandle<bool>>,
    /// In this life the file is locked for longer than anybody waits for it.
    locked_out: bool,
    /// How often the database was cut off.
    cuts: usize,
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
        let mut life = Duration::from_millis(10 + self.dice.up_to(self.longest));
        let locked_out = self.db.is_none() && self.dice.up_to(12) == 0;
        self.locked_out = locked_out;
        if locked_out {
            life += LONG_LOCK + Duration::from_secs(1);
        }
        let before = self.diary.acknowledged.len();
        let pid = self.site.pid();
        let killer = tokio::task::spawn_blocking(move || {
            std::thread::sleep(life);
            support::server::kill(pid);
        });
        self.use_site().await;
        killer.await.unwrap();
        self.site.kill();
        for holder in std::mem::take(&mut self.holders) {
            self.cuts += usize::from(holder.await.unwrap());
        }
        let made = self.diary.acknowledged.len() - before;
        self.longest = match made {
            _ if locked_out => self.longest,
            0 => self.longest * 3 / 2,
            1..=3 => self.longest,
            _ => self.longest * 3 / 4,
        };
    }

    async fn use_site(&mut self) {
        let Ok(customer) = sign_in(&self.web, &self.site, EMAIL, PASSWORD).await else { return };
        let Ok(ops) = sign_in(&self.web, &self.site, OPS, PASSWORD).await else { return };
        let tokens = Tokens { customer, ops };
        self.tell_settlements().await;
        if !self.repeat(&tokens).await {
            return;
        }
        self.bank_moves().await;
        loop {
            if self.locked_out || self.dice.up_to(12) == 0 {
                self.cut_off();
            }
            let alive = if self.dice.up_to(2) == 0 {
                self.act(&tokens).await
            } else {
                self.diary.keys += 1;
                let (key, body) = (format!("crash-{}", self.diary.keys), self.some_draft());
                self.send(&tokens.customer, key, body).await
            };
            if !alive {
                return;
            }
        }
    }

    /// The database is away for a moment.
    fn cut_off(&mut self) {
        if let Some(db) = &self.db {
            db.cut();
            self.cuts += 1;
            return;
        }
        let long = std::mem::take(&mut self.locked_out);
        let time = if long { LONG_LOCK } else { Duration::from_millis(self.dice.up_to(400)) };
        let file = self.site.database_file();
        self.holders.push(tokio::task::spawn_blocking(move || store::testing::lock_out(&file, time)));
    }

    /// What got no answer before is asked for again with the same key; `false` when the server is gone.
    async fn repeat(&mut self, tokens: &Tokens) -> bool {
        let mut alive = true;
        for (key, body) in std::mem::take(&mut self.diary.open) {
            alive = alive && self.send(&tokens.customer, key, body).await;
        }
        for begun in std::mem::take(&mut self.diary.unanswered) {
            alive = alive && self.give(&tokens.ops, begun).await;
        }
        alive
    }

    /// The gateway tells of settlements by webhooks, twice and in any order.
    async fn tell_settlements(&self) {
        let webhooks = json!({
            "webhookUrl": self.site.url("/api/webhooks/braintree"), "webhooksTwice": true, "webhooksOutOfOrder": true,
        });
        let _ = self.web.post(self.site.url("/simulators/braintree/control")).json(&webhooks).send().await;
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
        panic!("{last} jobs stay due:\n{}", self.site.log_text());
    }

    /// What the gateway must hold for all bookings, in cents, and what was taken by hand for each. Every card is good:
    /// each booking holds what it owes, and no more; what a bank gave back after a dispute is owed, and asked for by people.
    async fn holds(&self, booked: &[Value], moved: &[Value]) -> (i64, Vec<ByHand>) {
        let ops = sign_in(&self.web, &self.site, OPS, PASSWORD).await.unwrap();
        let (mut held, mut all) = (0, Vec::new());
        for booking in booked {
            let path = format!("/api/bookings/{}/payments", booking["id"].as_str().unwrap());
            let answer = self.web.get(self.site.url(&path)).bearer_auth(&ops).send().await.unwrap();
            let money: Value = answer.json().await.unwrap();
            let by_hand = ByHand::of(&money);
            let price = if booking["status"] == "cancelled" { &booking["kept"] } else { &booking["total"] };
            let due = cents(price) - by_hand.credited;
            let (net, owed) = (cents(&money["netPaid"]), cents(&money["owed"]));
            assert_eq!(net + owed, due, "{booking}\n{money}");
            let lost = bank::lost_of(moved, booking["shortId"].as_str().unwrap_or_default());
            assert!((0..=lost).contains(&owed), "{owed} are owed, {lost} were lost: {booking}\n{money}");
            held += cents(&money["netPaid"]) - by_hand.held + by_hand.waits;
            all.push(by_hand);
        }
        (held, all)
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

/// Longer than anybody waits for the lock of the file.
const LONG_LOCK: Duration = Duration::from_millis(5_600);
const START: &str = "2027-02-01T13:00:00Z";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_and_nothing_is_charged_twice_on_sqlite() {
    survive(Site::new(START), None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_and_nothing_is_charged_twice_on_postgres() {
    let db = TestDb::postgres();
    let site = Site::new(START).on_database(db.url().to_owned());
    survive(site, Some(db)).await;
}

/// How often the server is killed.
fn rounds() -> usize {
    std::env::var("PORTAGE_CRASH_ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(12)
}

async fn survive(site: Site, db: Option<TestDb>) {
    let rounds = rounds();
    let now: DateTime<Utc> = START.parse().unwrap();
    let mut run = Run {
        site,
        db,
        holders: Vec::new(),
        locked_out: false,
        cuts: 0,
        web: browser(),
        dice: Dice::new(),
        now,
        diary: Diary::default(),
        longest: 400,
    };

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
    let tokens = Tokens {
        customer: sign_in(&run.web, &run.site, EMAIL, PASSWORD).await.unwrap(),
        ops: sign_in(&run.web, &run.site, OPS, PASSWORD).await.unwrap(),
    };
    run.tell_settlements().await;
    for _ in 0..20 {
        assert!(run.repeat(&tokens).await, "{}", run.site.log_text());
        run.settle().await;
    }
    assert!(run.diary.open.is_empty(), "requests stay without an answer: {:?}", run.diary.open);
    assert!(run.diary.unanswered.is_empty(), "{} deeds stay without an answer", run.diary.unanswered.len());
    for _ in 0..12 {
        run.settle().await;
        run.advance(72);
    }
    run.bank_decides().await;
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
        assert!(
            ids.contains(id.as_str()),
            "booking {id} of {total} was acknowledged and is lost\n{}",
            run.site.log_text()
        );
    }

    let tokens = Tokens { ops: sign_in(&run.web, &run.site, OPS, PASSWORD).await.unwrap(), customer: token };
    run.remembers(&tokens).await;
    run.bank_was_heard(&tokens.ops).await;

    // Each charge once: one movement an order, and together exactly what the bookings hold.
    let refused = |t: &Value| t["status"] == "declined" || t["status"] == "settlement_declined";
    let moved: Vec<Value> = run.charges().await.into_iter().filter(|t| !refused(t)).collect();
    let orders: BTreeSet<&str> = moved.iter().filter_map(|t| t["orderId"].as_str()).collect();
    assert_eq!(orders.len(), moved.len(), "an order was applied twice");
    let sum = |kind: &str| -> i64 {
        let of = moved.iter().filter(|t| t["kind"] == kind && t["status"] != "voided");
        of.map(|t| cents(&t["amount"])).sum()
    };
    let (held, by_hand) = run.holds(&booked, &moved).await;
    assert_eq!(
        sum("charge") - sum("refund") - bank::lost(&moved),
        held,
        "{} movements\n{}",
        moved.len(),
        run.site.log_text()
    );
    let mut keys: Vec<&String> = by_hand.iter().flat_map(|b| &b.keys).filter(|k| k.starts_with("deed-")).collect();
    let times = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), times, "staff gave or took money twice");
    for (key, id) in &run.diary.deeds {
        assert!(keys.contains(&key), "{key} of booking {id} was acknowledged and is lost\n{}", run.site.log_text());
    }

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
        "{rounds} kills, {} cuts: {} bookings ({} acknowledged, {} refused), {} movements, {}.{:02} held; done: {:?}",
        run.cuts,
        booked.len(),
        run.diary.acknowledged.len(),
        run.diary.lost,
        moved.len(),
        held / 100,
        held % 100,
        run.diary.done,
    );
}
