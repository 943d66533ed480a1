//! The money desk with a million bookings behind it: what the daily comparison takes, and what staff wait for.
//! `PORTAGE_BENCH_BOOKINGS` names another number than a million, to try it.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use kernel::chrono::{DateTime, Days, NaiveDate, SecondsFormat, Utc};
use reqwest::Client;
use serde_json::{Value, json};
use store::Options;

use crate::{
    booking::CALENDAR,
    calls::{post, rate},
    many::{DAYS as SPAN, Maker},
    process::{megabytes, seconds_of},
    support::{
        customer::{browser, draft, sign_in, store_card},
        server::Site,
    },
};

const NOW: &str = "2027-02-01T14:00:00Z";
const MANY: u64 = 1_000_000;
/// The daily comparison looks so far back.
const DAYS: u64 = 10;
const CALLERS: usize = 4;
/// Bookings in the journal that is asked for.
const IN_A_MONTH: u64 = 10_000;
const COMPARISONS: usize = 3;
/// Seconds of processor time within two seconds, of a server that has nothing to do.
const IDLE: f64 = 0.05;

/// In a file.
pub async fn on_sqlite() {
    let most = std::env::var("PORTAGE_BENCH_BOOKINGS").ok().and_then(|n| n.parse().ok()).unwrap_or(MANY);
    let web = browser();
    let mut site = Site::new(NOW);
    site.start_with(&web, &["serve", "--with-history", "--no-worker"]).await;
    assert!(site.stop(), "{}", site.log_text());
    let url = format!("sqlite://{}", site.database_file().display());
    let now: DateTime<Utc> = NOW.parse().unwrap();
    let mut maker = Maker::on(store::open(&url, Options::default()).unwrap(), now).await.with_books();
    maker.up_to(most).await;
    drop(maker);
    store::testing::analyze(&url).unwrap();

    let file = site.path().join("calendar.toml");
    std::fs::write(&file, CALENDAR).unwrap();
    let loaded = site.run(&["calendar", "load", &file.to_string_lossy()]);
    assert!(loaded.status.success(), "{}", String::from_utf8_lossy(&loaded.stderr));
    site.start(&web).await;
    let booked = busy_days(&web, &site, now).await;
    println!(
        "books: {most} bookings behind, {booked} booked and paid by card within the {DAYS} days that are compared"
    );

    let token = sign_in(&web, &site, "ops@portage.test", "portage-demo-2027").await.unwrap();
    let mut took = Vec::new();
    for _ in 0..COMPARISONS {
        took.push(compared(&web, &site, &token).await);
    }
    took.sort_by(|a, b| a.processor.total_cmp(&b.processor));
    let one = &took[COMPARISONS / 2];
    println!(
        "books: the daily comparison of {} transactions, {} attempts and {} bookings: {:.2} s of processor time (must stay \
         below 2), {:.1} s by the clock, {:.0} MB more at its highest, {} differences",
        one.transactions, one.attempts, one.bookings, one.processor, one.clock, one.memory, one.differences
    );
    time_reports(&web, &site, &token, most, now.date_naive()).await;
}

/// Customers book moves of the next day, which are paid at once; day after day. How many did.
async fn busy_days(web: &Client, site: &Site, from: DateTime<Utc>) -> usize {
    let made = AtomicUsize::new(0);
    for day in 0..DAYS {
        let now = from + Days::new(day);
        site.set_clock(&now.to_rfc3339_opts(SecondsFormat::Secs, true));
        let token = sign_in(web, site, "customer@portage.test", "portage-demo-2027").await.unwrap();
        store_card(web, site, &token).await.unwrap();
        let bearer = format!("Bearer {token}");
        let date = (now.date_naive() + Days::new(1)).to_string();
        let request = |_| {
            let n = made.fetch_add(1, Ordering::Relaxed);
            let headers = [("Authorization", bearer.as_str()), ("Idempotency-Key", &format!("bench-{n}"))];
            let time = format!("{:02}:00", 9 + n % 8);
            post("/api/bookings", &headers, &json!({ "bookingRequest": draft(&date, &time) }).to_string())
        };
        rate(&site.address(), CALLERS, 201, request).await;
    }
    made.load(Ordering::Relaxed)
}

struct Compared {
    transactions: i64,
    attempts: i64,
    bookings: i64,
    differences: i64,
    /// Seconds.
    processor: f64,
    clock: f64,
    /// Megabytes beyond what the process had before.
    memory: f64,
}

/// Asks for a comparison and waits for it.
async fn compared(web: &Client, site: &Site, token: &str) -> Compared {
    let pid = site.pid();
    // Confirmations with their documents are still being made: they are not to be counted.
    loop {
        let before = seconds_of(pid);
        tokio::time::sleep(Duration::from_secs(2)).await;
        if seconds_of(pid) - before < IDLE {
            break;
        }
    }
    // From here on the highest is the highest of this comparison.
    std::fs::write(format!("/proc/{pid}/clear_refs"), "5").unwrap();
    let (before, had, began) = (seconds_of(pid), megabytes(pid, "VmRSS:"), Instant::now());
    let newest = async || -> Value {
        let answer = web.get(site.url("/api/reconciliation")).bearer_auth(token).send().await.unwrap();
        answer.error_for_status().unwrap().json::<Value>().await.unwrap()["last"].take()
    };
    let last = newest().await;
    let asked = web.post(site.url("/api/reconciliation")).bearer_auth(token).send().await.unwrap();
    asked.error_for_status().unwrap();
    let found = loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let found = newest().await;
        if found != last {
            break found;
        }
        assert!(began.elapsed() < Duration::from_secs(300), "no comparison within five minutes: {}", site.log_text());
    };
    let number = |name: &str| found[name].as_i64().unwrap_or_else(|| panic!("{name} of {found}"));
    for row in found["differences"].as_array().into_iter().flatten().take(3) {
        println!("books: {}", row["text"]);
    }
    Compared {
        transactions: number("transactions"),
        attempts: number("attempts"),
        bookings: number("bookings"),
        differences: number("total"),
        processor: seconds_of(pid) - before,
        clock: began.elapsed().as_secs_f64(),
        memory: megabytes(pid, "VmHWM:") - had,
    }
}

/// A statement, and the journal of so many bookings as a month has.
async fn time_reports(web: &Client, site: &Site, token: &str, most: u64, today: NaiveDate) {
    let list = web.get(site.url("/api/bookings?per_page=1")).bearer_auth(token).send().await.unwrap();
    let id = list.json::<Value>().await.unwrap()["data"][0]["id"].as_str().unwrap().to_owned();
    let days = (IN_A_MONTH * SPAN / most).clamp(1, 300);
    let until = today - Days::new(100);
    let journal = format!("/api/journal?from={}&to={until}", until - Days::new(days));
    for (what, path) in [("statement of a booking", format!("/api/bookings/{id}/statement")), ("journal", journal)] {
        let mut took = Vec::new();
        let mut lines = 0;
        for _ in 0..5 {
            let began = Instant::now();
            let answer = web.get(site.url(&path)).bearer_auth(token).send().await.unwrap();
            let text = answer.error_for_status().unwrap().text().await.unwrap();
            took.push(began.elapsed().as_secs_f64() * 1_000.0);
            lines = text.lines().count();
        }
        took.sort_by(f64::total_cmp);
        println!("books: {what}, {lines} lines: {:.0} ms (must stay below 300)", took[took.len() / 2]);
    }
}
