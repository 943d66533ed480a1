//! Figures as ratios of one run: the estimate call against a bare JSON echo of the same framework, with the same
//! client, the same request and the same number of threads; what a price takes; the booking path against the
//! database's own commits; what a preview of another rate card takes; a day of 200 jobs planned for 40 mates, and what it
//! drives; and the desk's lists with a million bookings
//! against the same with ten thousand; and what the daily comparison of the books takes with a million behind it.
//!
//! `cargo bench -p portage --bench throughput` (or `just bench`); after `--`, `prices`, `sqlite`, `postgres`, `day`,
//! `books`, `lists-sqlite` or `lists-postgres` measure only that. Nothing is gated by it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    missing_docs
)]

mod booking;
mod calls;
mod day;
mod lists;
mod many;
mod money;
mod preview;
mod process;
#[path = "../../tests/support/mod.rs"]
mod support;

use std::{
    hint::black_box,
    io::{BufRead as _, BufReader, Read as _},
    process::{Child, Command, Stdio},
    time::Instant,
};

use actix_web::{App, HttpServer, web};
use furniture_catalogue::{Catalogue, WeightClass};
use kernel::{Accessibility, MateCount, Money, Province, chrono::NaiveDate};
use pricing::{MoveKind, MoveRequest, PriceRequest, PricedItem, RateCard, Stop};
use serde_json::{Value, json};

const ECHO: &str = "--echo-server";
const CONNECTIONS: usize = 16;
const ROUNDS: usize = 3;
/// Kinds of items in the priced move.
const ITEMS: usize = 35;

fn main() {
    if std::env::args().any(|a| a == ECHO) {
        return echo_server();
    }
    let parts: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|p| p == part);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (_echo, echo_at) = echo();
        if wanted("prices") {
            prices();
            estimates(&echo_at).await;
        }
        if wanted("sqlite") {
            booking::on_sqlite(&echo_at).await;
        }
        if wanted("postgres") {
            booking::on_postgres(&echo_at).await;
        }
        if wanted("day") {
            day::on_sqlite().await;
        }
        if wanted("books") {
            money::on_sqlite().await;
        }
        if wanted("lists-sqlite") {
            lists::on_sqlite().await;
        }
        if wanted("lists-postgres") {
            lists::on_postgres().await;
        }
    });
}

/// A process of its own, like the server it is compared with; ends with its standard input.
fn echo_server() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let app = || App::new().route("/echo", web::post().to(|body: web::Json<Value>| async move { body }));
        let server = HttpServer::new(app).bind("127.0.0.1:0").unwrap().disable_signals();
        println!("{}", server.addrs()[0]);
        tokio::spawn(server.run());
        tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await.unwrap().unwrap();
    });
}

/// Thirty-five kinds of items, as the catalogue has them.
fn items() -> Vec<PricedItem> {
    let catalogue = Catalogue::builtin();
    let priced = catalogue.items().iter().take(ITEMS).map(|item| PricedItem {
        id: item.id.clone(),
        dcf: item.volume.dcf(),
        heavy: item.weight_class == WeightClass::Heavy,
        needs_assembly: item.needs_assembly,
        quantity: 1,
    });
    priced.collect()
}

fn prices() {
    let stop =
        |floor| Stop { province: Province::QC, floor, elevator: 0, parking: true, accessibility: Accessibility::Easy };
    let job = MoveRequest {
        kind: MoveKind::Residential,
        items: items(),
        mate_count: MateCount::new(3).unwrap(),
        client_as_mate: false,
        just_mates: false,
        ride_along: false,
        pickup: stop(1),
        dropoff: stop(2),
        travel_minutes: 25,
        distance_km10: 124,
        positioning_minutes: 0,
        extra_services: Vec::new(),
    };
    let card = RateCard::builtin();
    let once = || {
        let duration = pricing::duration(black_box(&job), &card);
        let request = PriceRequest {
            job: &job,
            moving_date: NaiveDate::from_ymd_opt(2027, 7, 1),
            statutory_holiday: true,
            discount: None,
            overtime_minutes: 0,
            change_fee: Money::ZERO,
        };
        black_box(pricing::price(&request, &duration, &card))
    };
    let mut best = f64::MAX;
    for _ in 0..5 {
        const TIMES: u32 = 20_000;
        let began = Instant::now();
        for _ in 0..TIMES {
            once();
        }
        best = best.min(began.elapsed().as_nanos() as f64 / f64::from(TIMES));
    }
    println!("price of {} items, duration included: {:.2} µs (must stay below 20)", job.items.len(), best / 1_000.0);
}

/// A server process that ends with this one.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn echo() -> (Running, String) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg(ECHO)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (Running(child), line.trim().to_owned())
}

fn body() -> String {
    let furniture: Vec<Value> = items().iter().map(|i| json!({ "id": i.id, "quantity": i.quantity })).collect();
    let end = |floor: i32| json!({ "floor": floor, "elevator": 0, "parking": true, "accessibility": "easy" });
    json!({
        "travelDuration": 25, "distanceKm": "12.4", "mateCount": 3, "movingDate": "2027-07-01", "moveKind": "residential",
        "selectedFurnitures": { "furnitures": furniture }, "locationDetails": [end(1), end(2)],
        "rideAlong": false, "clientAsMate": false, "justMates": false, "discountCode": null,
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" },
        "dropoffAddress": { "province": "QC", "city": "Laval", "postalCode": "H7N 1A1" }
    })
    .to_string()
}

async fn estimates(echo: &str) {
    let web = support::customer::browser();
    let mut site = support::server::Site::new("2027-02-01T14:00:00Z").in_real_time();
    site.start(&web).await;
    let asked = |path: &str| calls::post(path, &[], &body());
    let (mut echoes, mut estimates) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        echoes.push(calls::rate(echo, CONNECTIONS, 200, |_| asked("/echo")).await);
        estimates.push(calls::rate(&site.address(), CONNECTIONS, 200, |_| asked("/api/booking/estimate")).await);
    }
    let (echo, estimate) = (median(&mut echoes), median(&mut estimates));
    println!("bare JSON echo, {} bytes:  {echo:>9.0} a second ({CONNECTIONS} connections)", body().len());
    println!(
        "POST /api/booking/estimate: {estimate:>9.0} a second: {:.2} of the echo (must reach 0.80)",
        estimate / echo
    );
    let mut days: Value = serde_json::from_str(&body()).unwrap();
    days["from"] = json!("2027-02-01");
    days["days"] = json!(42);
    let six_weeks = days.to_string();
    let priced = calls::rate(&site.address(), 1, 200, |_| calls::post("/api/booking/prices", &[], &six_weeks)).await;
    println!(
        "POST /api/booking/prices:   {:>9.2} ms for 42 days, one call after the other (must stay below 5)",
        1_000.0 / priced
    );
}

fn median(rates: &mut [f64]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
