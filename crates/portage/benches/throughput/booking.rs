//! The booking path: durable bookings against the database's own durable commits, and availability with an empty
//! and with a full calendar against the bare echo. What was booked is priced anew at last.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use store::testing::{Cluster, durable_commits};

use crate::{
    calls::{get, post, rate},
    preview, process,
    support::{
        customer::{browser, draft, sign_in, store_card},
        server::Site,
    },
};

const CALLERS: usize = 8;
const COMMITTING: Duration = Duration::from_secs(4);
/// Room for all bookings of a run: as much as a calendar may say.
pub const CALENDAR: &str = "[hubs.montreal.week]
weekdays = { mates = 1000, trucks = { 10ft = 1000, 20ft = 1000, 26ft = 1000 } }
weekend = { mates = 1000, trucks = { 10ft = 1000, 20ft = 1000, 26ft = 1000 } }
";
const FOUR_WEEKS: &str =
    "/api/availability?days=28&mateCount=2&duration=120&province=QC&city=Montr%C3%A9al&postalCode=H2X1Y4";
/// With so many bookings in the window availability must be as fast as without.
const FULL: usize = 10_000;

/// Against commits of one row into a file.
pub async fn on_sqlite(echo: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite://{}", folder.path().join("yardstick.db").display());
    on_engine("SQLite", &file, None, 0.30, echo).await;
}

/// Against commits of one row on a server of its own.
pub async fn on_postgres(echo: &str) {
    let cluster = Cluster::durable().unwrap();
    cluster.say("CREATE DATABASE yardstick").unwrap();
    cluster.say("CREATE DATABASE portage").unwrap();
    on_engine("PostgreSQL", &cluster.url("yardstick"), Some(cluster.url("portage")), 0.20, echo).await;
}

/// `url` is Portage's database; none: its own file.
async fn on_engine(name: &str, yardstick: &str, url: Option<String>, must: f64, echo: &str) {
    let web = browser();
    let mut site = Site::new("2027-02-01T14:00:00Z").in_real_time();
    let is_file = url.is_none();
    if let Some(url) = url {
        site = site.on_database(url);
    }
    site.start(&web).await;
    let file = site.path().join("calendar.toml");
    std::fs::write(&file, CALENDAR).unwrap();
    let loaded = site.run(&["calendar", "load", &file.to_string_lossy()]);
    assert!(loaded.status.success(), "{}", String::from_utf8_lossy(&loaded.stderr));
    let token = sign_in(&web, &site, "customer@portage.test", "portage-demo-2027").await.unwrap();
    store_card(&web, &site, &token).await.unwrap();
    let starts = starts(&web, &site).await;
    let bearer = format!("Bearer {token}");
    let (server, made) = (site.address(), AtomicUsize::new(0));
    let book = |_| {
        let n = made.fetch_add(1, Ordering::Relaxed);
        let (date, time) = &starts[n % starts.len()];
        let headers = [("Authorization", bearer.as_str()), ("Idempotency-Key", &format!("bench-{n}"))];
        post("/api/bookings", &headers, &json!({ "bookingRequest": draft(date, time) }).to_string())
    };
    let four_weeks = || rate(&server, CALLERS, 200, |_| get(FOUR_WEEKS));

    let bare = rate(echo, CALLERS, 200, |_| post("/echo", &[], "{}")).await;
    let empty = four_weeks().await;
    let commits = commits(yardstick);
    let bookings = rate(&server, CALLERS, 201, book).await;
    let ratio = bookings / commits;
    println!("{name}, durable commits of one row:  {commits:>7.0} a second ({CALLERS} callers)");
    println!(
        "{name}, POST /api/bookings:          {bookings:>7.0} a second: {ratio:.2} of the commits (must reach {must:.2})"
    );
    println!("{name}, 28 days of availability:     {empty:>7.0} a second: {:.3} of the echo", empty / bare);
    if is_file {
        while made.load(Ordering::Relaxed) < FULL {
            rate(&server, CALLERS, 201, book).await;
        }
        // What is measured is a full calendar, not the letters that were not sent yet.
        at_rest(&web, &site).await;
        let full = four_weeks().await;
        let most = made.load(Ordering::Relaxed);
        println!(
            "{name}, the same, {most} bookings:  {full:>7.0} a second: {:.3} of the echo (must reach 0.05)",
            full / bare
        );
    }
    while made.load(Ordering::Relaxed) < preview::BOOKINGS {
        rate(&server, CALLERS, 201, book).await;
    }
    preview::of_the_newest(&web, &site, name).await;
    println!(
        "{name}, resident memory:             {:>7.0} MB (must stay below 100)",
        process::megabytes(site.pid(), "VmRSS:")
    );
}

/// Waits until no job is due.
async fn at_rest(web: &reqwest::Client, site: &Site) {
    loop {
        let text = web.get(site.url("/metrics")).send().await.unwrap().text().await.unwrap();
        let due = text.lines().find_map(|l| l.strip_prefix("portage_jobs_due ")?.parse::<u64>().ok());
        if due.expect("the number of due jobs") == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Commits a second of the database alone.
fn commits(url: &str) -> f64 {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let counting = scope.spawn(|| durable_commits(url, CALLERS as u64, &stop));
        std::thread::sleep(COMMITTING);
        stop.store(true, Ordering::Relaxed);
        counting.join().unwrap().unwrap() as f64 / COMMITTING.as_secs_f64()
    })
}

/// The free starts of four weeks: local day and time.
async fn starts(web: &reqwest::Client, site: &Site) -> Vec<(String, String)> {
    let told: Value = web.get(site.url(FOUR_WEEKS)).send().await.unwrap().json().await.unwrap();
    let days = told["days"].as_array().unwrap();
    let free = days.iter().flat_map(|day| {
        let slots = day["slots"].as_array().unwrap().iter().filter(|slot| slot["available"] == true);
        slots.map(|slot| (day["date"].as_str().unwrap().to_owned(), slot["time"].as_str().unwrap().to_owned()))
    });
    // A move within three days is paid at once, which is a matter of the gateway.
    let free: Vec<_> = free.collect();
    free.iter().skip(free.len() / 4).cloned().collect()
}
