//! The forty payment timelines of `fixtures/policy-examples.json`, lived through by the program
//! itself: `portage serve` with its own workers, a clock file that moves, prices put in force with
//! `portage rates load`, and what the gateway's own list says in the end. What is asked and
//! compared is that of `crates/api/tests/timelines.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::{
    cell::Cell,
    collections::BTreeSet,
    panic::AssertUnwindSafe,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use kernel::chrono::{DateTime, Duration as Span, SecondsFormat, Utc};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use support::{customer, server::Site};
use test_kit::{
    bodies, flat,
    timelines::{
        case::{self, Case, dollars},
        ending,
        people::House,
        plan,
    },
};

/// Servers at a time: each waits for the next look of its workers at the clock most of its time.
const AT_ONCE: usize = 4;
/// How long something may take that happens within a second on a quiet machine.
const PATIENCE: Duration = Duration::from_secs(30);
const PASSWORD: &str = "portage-demo-2027";

/// A server in a folder of its own.
struct Home {
    site: Site,
    web: Client,
    now: Cell<DateTime<Utc>>,
    /// When something is planned or expected.
    halts: BTreeSet<DateTime<Utc>>,
}

fn text(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

impl Home {
    async fn of(case: &Case<'_>) -> Home {
        let mut site = Site::new(&text(case.booked_at));
        let web = customer::browser();
        site.start(&web).await;
        let timeline = case.output["timeline"].as_array().unwrap().iter().map(|row| row["at_utc"].clone());
        let planned = plan::charges(case);
        let planned = planned.as_array().unwrap().iter().map(|charge| charge["dueAt"].clone());
        let instants = timeline.chain(planned).map(|at| at.as_str().unwrap().parse::<DateTime<Utc>>().unwrap());
        // The free hours include their last instant: the deposit is due just after it, and the
        // customer may act at it.
        let halts = instants.map(|at| at + Span::microseconds(1)).collect();
        Home { site, web, now: Cell::new(case.booked_at), halts }
    }

    /// A gauge of `/metrics`.
    async fn gauge(&self, name: &str) -> i64 {
        let text = self.web.get(self.site.url("/metrics")).send().await.unwrap().text().await.unwrap();
        let line = text.lines().find_map(|l| l.strip_prefix("portage_")?.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("no {name} in\n{text}"))
    }

    /// What a visitor is told a move costs before tax.
    async fn price(&self) -> String {
        let asked = self.request(Method::POST, "/api/booking/estimate").json(&bodies::estimate());
        let told: Value = asked.send().await.unwrap().json().await.unwrap();
        told["amount"].as_str().unwrap_or_else(|| panic!("{told}")).to_owned()
    }
}

/// Tries until it is so.
async fn until(mut so: impl AsyncFnMut() -> bool) -> bool {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if so().await {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}

impl House for Home {
    fn now(&self) -> DateTime<Utc> {
        self.now.get()
    }

    fn move_to(&self, at: DateTime<Utc>) {
        self.now.set(at);
        self.site.set_clock(&text(at));
    }

    async fn next(&self, end: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let halt = self.halts.iter().find(|at| **at > self.now()).copied();
        Some(halt.map_or(end, |at| at.min(end))).filter(|at| *at > self.now())
    }

    async fn rest(&self, happened: impl AsyncFn() -> bool) -> Result<(), String> {
        let rested = until(async || self.gauge("jobs_due").await == 0 && happened().await).await;
        if rested { Ok(()) } else { Err(format!("no rest at {}:\n{}", text(self.now()), self.site.log_text())) }
    }

    async fn flat_rate(&self, amount: i64) {
        let card = self.site.path().join("card.json");
        std::fs::write(&card, serde_json::to_vec(&flat::flat(amount)).unwrap()).unwrap();
        let loaded = self.site.run(&["rates", "load", card.to_str().unwrap()]);
        assert!(loaded.status.success(), "{}", String::from_utf8_lossy(&loaded.stderr));
        let (wanted, mut told) = (dollars(amount), String::new());
        let followed = until(async || {
            told = self.price().await;
            told == wanted
        });
        assert!(followed.await, "the server charges {told}, not {wanted}");
    }

    async fn session(&self, who: &str) -> String {
        customer::session(&self.web, &self.site, &format!("{who}@portage.test"), PASSWORD).await.unwrap()
    }

    async fn token(&self, cookie: &str) -> String {
        customer::token(&self.web, &self.site, cookie).await.unwrap()
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.web.request(method, self.site.url(path))
    }

    /// `portage reconcile` compares all there is.
    async fn reconcile(&self, _: DateTime<Utc>, _: DateTime<Utc>) -> Result<usize, String> {
        let out = self.site.run(&["reconcile"]);
        let told = String::from_utf8_lossy(&out.stdout).into_owned();
        let transactions = told.strip_prefix("no difference (").and_then(|t| t.split(' ').next()?.parse().ok());
        transactions
            .filter(|_| out.status.success())
            .ok_or_else(|| format!("reconcile: {told}{}", String::from_utf8_lossy(&out.stderr)))
    }

    async fn jobs(&self) -> (i64, i64) {
        (self.gauge("jobs_due").await, self.gauge("jobs_dead").await)
    }
}

async fn run(case: &Case<'_>) -> Result<(), String> {
    let mut home = Home::of(case).await;
    ending::run(&home, case).await?;
    if home.site.stop() { Ok(()) } else { Err(format!("TERM did not end it well:\n{}", home.site.log_text())) }
}

fn outcome(example: &Value) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let life = AssertUnwindSafe(|| runtime.block_on(run(&Case::new(example))));
    std::panic::catch_unwind(life).unwrap_or_else(|panic| {
        Err(panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "it panicked".to_owned()))
    })
}

#[test]
fn all_forty_hold_in_the_program() {
    let file = case::file();
    let examples = file["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 40);
    let next = AtomicUsize::new(0);
    let work = || {
        // The first failure ends a thread: most are waits for something that never comes.
        while let Some(example) = examples.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(why) = outcome(example) {
                return Some(format!("{}: {why}", example["name"]));
            }
        }
        None
    };
    let mut wrong: Vec<String> = std::thread::scope(|threads| {
        let all: Vec<_> = (0..AT_ONCE).map(|_| threads.spawn(work)).collect();
        all.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
