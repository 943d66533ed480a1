//! Figures as ratios of one run: the estimate call against a bare JSON echo of the same framework,
//! with the same client, the same request and the same number of threads; and what a price takes.
//!
//! `cargo bench -p portage --bench throughput` (or `just bench`). Nothing is gated by it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    missing_docs
)]

use std::{
    hint::black_box,
    io::{BufRead as _, BufReader, Read as _},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use actix_web::{App, HttpServer, web};
use furniture_catalogue::{Catalogue, WeightClass};
use kernel::{Accessibility, MateCount, Money, Province, chrono::NaiveDate};
use pricing::{MoveKind, MoveRequest, PriceRequest, PricedItem, RateCard, Stop};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

const ECHO: &str = "--echo-server";
const CONNECTIONS: usize = 16;
const WARM_UP: Duration = Duration::from_secs(1);
const MEASURED: Duration = Duration::from_secs(4);
const ROUNDS: usize = 3;
/// Kinds of items in the priced move.
const ITEMS: usize = 35;

fn main() {
    if std::env::args().any(|a| a == ECHO) {
        return echo_server();
    }
    prices();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(requests());
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

fn echo() -> (Running, SocketAddr) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg(ECHO)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (Running(child), line.trim().parse().unwrap())
}

async fn portage(folder: &Path) -> (Running, SocketAddr) {
    let child = Command::new(env!("CARGO_BIN_EXE_portage"))
        .arg("serve")
        .current_dir(folder)
        .env_clear()
        .env("PORTAGE_BIND", "127.0.0.1:0")
        .env("PORTAGE_LOG", "warn")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let running = Running(child);
    for _ in 0..500 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let told = std::fs::read_to_string(folder.join("data/portage.address")).unwrap_or_default();
        if let Ok(address) = told.trim().parse() {
            return (running, address);
        }
    }
    panic!("the server did not say where it is");
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

async fn requests() {
    let folder = tempfile::tempdir().unwrap();
    let (_echo, echo_at) = echo();
    let (_portage, portage_at) = portage(folder.path()).await;
    let (mut echoes, mut estimates) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        echoes.push(rate(echo_at, "/echo").await);
        estimates.push(rate(portage_at, "/api/booking/estimate").await);
    }
    let (echo, estimate) = (median(&mut echoes), median(&mut estimates));
    println!(
        "bare JSON echo:            {echo:>9.0} requests/s ({CONNECTIONS} connections, {} bytes sent)",
        body().len()
    );
    println!("POST /api/booking/estimate:{estimate:>9.0} requests/s");
    println!("ratio:                     {:>9.2} (must reach 0.50)", estimate / echo);
}

fn median(rates: &mut [f64]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// Requests a second of all connections together.
async fn rate(server: SocketAddr, path: &str) -> f64 {
    let body = body();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {server}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let began = Instant::now();
    let clients: Vec<_> = (0..CONNECTIONS).map(|_| tokio::spawn(client(server, request.clone(), began))).collect();
    let mut done = 0;
    for client in clients {
        done += client.await.unwrap();
    }
    f64::from(done) / MEASURED.as_secs_f64()
}

/// One connection, one request after the other; how many were answered while it was measured.
async fn client(server: SocketAddr, request: String, began: Instant) -> u32 {
    let mut stream = TcpStream::connect(server).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (mut buffer, mut done) = (Vec::with_capacity(16 * 1024), 0);
    loop {
        stream.write_all(request.as_bytes()).await.unwrap();
        answer(&mut stream, &mut buffer).await;
        let passed = began.elapsed();
        if passed >= WARM_UP + MEASURED {
            return done;
        }
        if passed >= WARM_UP {
            done += 1;
        }
    }
}

/// Reads one answer, which must be 200.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) {
    buffer.clear();
    loop {
        let read = stream.read_buf(buffer).await.unwrap();
        assert!(read > 0, "the server closed the connection");
        let Some(head) = buffer.windows(4).position(|w| w == b"\r\n\r\n") else { continue };
        let text = std::str::from_utf8(&buffer[..head]).unwrap();
        assert!(text.starts_with("HTTP/1.1 200"), "{text}\n{}", String::from_utf8_lossy(&buffer[head..]));
        let length = text
            .lines()
            .find_map(|l| l.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length")))
            .and_then(|(_, n)| n.trim().parse::<usize>().ok())
            .expect("a length");
        if buffer.len() >= head + 4 + length {
            return;
        }
    }
}
