//! The processes: servers, a worker, the gateway that outlives them, and the clock they all read.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use kernel::chrono::{DateTime, SecondsFormat, Utc};
use reqwest::Client;
use serde_json::{Value, json};

use crate::support::{
    customer::browser,
    server::{Process, Site},
};

/// How long Portage waits for the gateway; ten times that until a send counts as lost.
pub const TIMEOUT_MS: u64 = 600;
/// How late the gateway applies what its clients have given up.
pub const LATEST_MS: u64 = 2_500;

/// Xorshift: a run can be repeated by its seed, as far as processes can.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        // Neighbouring seeds must not begin alike.
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            dice.up_to(2);
        }
        dice
    }

    pub fn up_to(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.up_to(n) == 0
    }

    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[usize::try_from(self.up_to(all.len() as u64)).unwrap()]
    }
}

/// What everybody knows, and what was seen.
#[derive(Default)]
pub struct Diary {
    /// Booking id → total, of bookings that were acknowledged.
    pub acknowledged: BTreeMap<String, String>,
    /// Requests whose answer never came, or came as "not yet".
    pub open: Vec<(String, Value)>,
    /// The card was refused for good, or none is there.
    pub card_wanted: bool,
    /// Key → booking, of money that staff gave or took and that was acknowledged.
    pub deeds: BTreeMap<String, String>,
    /// Keys that were sent twice at once, where a day or more went by before both were answered: a key is
    /// remembered for a day, so the second may be another deed.
    pub outlived: BTreeSet<String>,
    /// How often what was done.
    pub figures: BTreeMap<String, u64>,
    /// What must never be.
    pub faults: Vec<String>,
}

impl Diary {
    pub fn count(&mut self, what: impl Into<String>) {
        *self.figures.entry(what.into()).or_default() += 1;
    }
}

pub struct World {
    pub name: &'static str,
    pub seed: u64,
    pub web: Client,
    servers: Vec<tokio::sync::Mutex<Site>>,
    doors: Vec<Site>,
    gateway_door: Site,
    gateway: Mutex<Option<Process>>,
    worker: Mutex<Option<Process>>,
    now: AtomicI64,
    pub running: AtomicBool,
    pub diary: Mutex<Diary>,
}

impl World {
    /// Everything started: on SQLite one server, otherwise two of them and a worker.
    pub async fn start(name: &'static str, seed: u64, site: Site, now: DateTime<Utc>, servers: usize) -> Arc<World> {
        let web = browser();
        let gateway_door = site.beside();
        let gateway = gateway_door.spawn(&["simulators"]);
        let endpoint = gateway_door.url("/simulators/braintree/graphql");
        let public = site.url("");
        let first = site
            .with("PORTAGE_PAYMENTS_URL", endpoint)
            .with("PORTAGE_PAYMENTS_TIMEOUT_MS", TIMEOUT_MS.to_string())
            .with("PORTAGE_PUBLIC_URL", public);
        let others: Vec<Site> = (1..servers).map(|_| first.beside()).collect();
        let sites: Vec<Site> = std::iter::once(first).chain(others).collect();
        let world = World {
            name,
            seed,
            web,
            doors: sites.iter().map(Site::door).collect(),
            servers: sites.into_iter().map(tokio::sync::Mutex::new).collect(),
            gateway_door,
            gateway: Mutex::new(Some(gateway)),
            worker: Mutex::new(None),
            now: AtomicI64::new(now.timestamp()),
            running: AtomicBool::new(true),
            diary: Mutex::default(),
        };
        let began = Instant::now();
        while world.control(&json!({ "requestKeys": true })).await.is_none() {
            assert!(began.elapsed() < Duration::from_secs(30), "the gateway does not answer\n{}", world.log_text());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for server in &world.servers {
            server.lock().await.start(&world.web).await;
        }
        if servers > 1 {
            world.renew_worker();
        }
        Arc::new(world)
    }

    pub fn dice(&self, salt: u64) -> Dice {
        Dice::new(self.seed ^ (salt << 32) ^ self.name.len() as u64)
    }

    pub fn goes_on(&self) -> bool {
        self.running.load(Ordering::SeqCst)
    }

    /// Somebody's way to one of the servers.
    pub fn door(&self, dice: &mut Dice) -> &Site {
        dice.of(&self.doors)
    }

    pub fn first_door(&self) -> &Site {
        &self.doors[0]
    }

    pub fn log_text(&self) -> String {
        self.doors[0].log_text()
    }

    pub fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(self.now.load(Ordering::SeqCst), 0).unwrap()
    }

    pub fn advance(&self, seconds: i64) {
        self.now.fetch_add(seconds, Ordering::SeqCst);
        self.doors[0].set_clock(&self.now().to_rfc3339_opts(SecondsFormat::Secs, true));
    }

    /// Tells the gateway how to behave.
    pub async fn control(&self, body: &Value) -> Option<Value> {
        let url = self.gateway_door.url("/simulators/braintree/control");
        let answer = self.web.post(url).json(body).send().await.ok()?;
        assert_eq!(answer.status(), 200, "{body}");
        answer.json().await.ok()
    }

    /// What the gateway did to us, and what it has really done.
    pub async fn gateway(&self, path: &str) -> Value {
        let url = self.gateway_door.url(&format!("/simulators/braintree/{path}"));
        self.web.get(url).send().await.unwrap().json().await.unwrap()
    }

    fn renew_worker(&self) {
        let mut worker = self.worker.lock().unwrap();
        drop(worker.take());
        *worker = Some(self.doors[0].spawn(&["worker"]));
    }

    /// `kill -9` of one of the processes, and its next life.
    pub async fn kill_one(&self, dice: &mut Dice) {
        let choices = self.servers.len() as u64 + u64::from(self.servers.len() > 1);
        let chosen = usize::try_from(dice.up_to(choices)).unwrap();
        match self.servers.get(chosen) {
            None => self.renew_worker(),
            Some(server) => {
                let mut server = server.lock().await;
                server.kill();
                tokio::time::sleep(Duration::from_millis(dice.up_to(700))).await;
                server.start(&self.web).await;
            }
        }
        self.diary.lock().unwrap().count("kills");
    }

    /// The end: servers by TERM, so that `reconcile` may run alone.
    pub async fn stop(&self) {
        drop(self.worker.lock().unwrap().take());
        for server in &self.servers {
            assert!(server.lock().await.stop(), "{}: a server did not stop well\n{}", self.name, self.log_text());
        }
    }

    /// Ends the gateway, too.
    pub fn end(&self) {
        drop(self.gateway.lock().unwrap().take());
    }

    /// A gauge of `/metrics`.
    pub async fn gauge(&self, name: &str) -> Option<i64> {
        let text = self.web.get(self.doors[0].url("/metrics")).send().await.ok()?.text().await.ok()?;
        text.lines()
            .find_map(|l| l.strip_prefix("portage_")?.strip_prefix(name)?.strip_prefix(' '))?
            .trim()
            .parse()
            .ok()
    }

    /// Waits until no job is due three times in a row.
    pub async fn settle(&self) {
        let (mut quiet, mut last, mut changed) = (0, -1, Instant::now());
        while quiet < 3 {
            let due = self.gauge("jobs_due").await.unwrap_or(-1);
            quiet = if due == 0 { quiet + 1 } else { 0 };
            if due != last {
                (last, changed) = (due, Instant::now());
            }
            if changed.elapsed() > Duration::from_secs(90) && due != 0 {
                self.diary.lock().unwrap().faults.push(format!("{due} jobs stay due"));
                return;
            }
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
    }
}

/// The clock: it stands still for moments, and then hours or a day go by in steps.
pub async fn race(world: Arc<World>) {
    let mut dice = world.dice(1);
    while world.goes_on() {
        tokio::time::sleep(Duration::from_millis(150 + dice.up_to(1_200))).await;
        let steps = 1 + dice.up_to(5);
        let step = i64::try_from(600 + dice.up_to(5 * 3_600)).unwrap();
        for _ in 0..steps {
            world.advance(step);
            tokio::time::sleep(Duration::from_millis(30 + dice.up_to(150))).await;
        }
    }
}

/// `kill -9`, every few seconds.
pub async fn kills(world: Arc<World>) {
    let mut dice = world.dice(2);
    while world.goes_on() {
        tokio::time::sleep(Duration::from_millis(700 + dice.up_to(4_000))).await;
        if world.goes_on() {
            world.kill_one(&mut dice).await;
        }
    }
}

/// The moods of the gateway, which tells of settlements and disputes by webhooks; half of the time without request keys, half of the time without the
/// check for duplicates.
pub async fn moods(world: Arc<World>) {
    let mut dice = world.dice(3);
    let webhooks = world.first_door().url("/api/webhooks/braintree");
    while world.goes_on() {
        let slow = *dice.of(&[100, 400, 900, 1_500]);
        world
            .control(&json!({
                // What is due while nobody listens is told later, or, to a killed server, never.
                "webhookUrl": dice.one_in(2).then_some(&webhooks),
                "webhooksTwice": dice.one_in(2), "webhooksOutOfOrder": dice.one_in(2),
                "requestKeys": dice.one_in(2),
                "duplicateChecking": dice.one_in(2),
                "chaos": {
                    "seed": dice.up_to(u64::from(u32::MAX)),
                    "delayBeforeMs": [0, slow], "delayAfterMs": [0, slow],
                    "lateMs": [TIMEOUT_MS, LATEST_MS],
                    "lost": 0.05, "lostAnswers": 0.05, "lateApplied": 0.08, "error500": 0.02,
                    "softDecline": 0.05, "hardDecline": 0.02, "dispute": 0.01, "settlementDecline": 0.04,
                    "duplicateAnswers": 0.05, "lookUpMisses": 0.05, "lookUpLagMs": 800,
                },
            }))
            .await;
        tokio::time::sleep(Duration::from_millis(1_500 + dice.up_to(3_000))).await;
    }
    // Calm from now on; what is held back is still applied.
    world.control(&json!({ "chaos": null, "webhookUrl": webhooks })).await.expect("the gateway answers");
}
