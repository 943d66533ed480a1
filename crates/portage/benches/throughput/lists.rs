//! Lists, filters and searches of the desk with a million bookings against the same with ten thousand, on one database
//! that grows. `PORTAGE_BENCH_BOOKINGS` names another number than a million, to try it.

use std::time::Instant;

use kernel::chrono::{DateTime, Utc};
use store::{Options, testing::Cluster};

use crate::{
    calls::{get, times},
    many::Maker,
    support::{
        customer::{browser, sign_in},
        server::Site,
    },
};

const NOW: &str = "2027-02-01T14:00:00Z";
const FEW: u64 = 10_000;
const MANY: u64 = 1_000_000;
/// Calls of one kind that are timed.
const CALLS: usize = 300;

/// What somebody at the desk looks for: several of each kind, so that no answer is one that was just given.
fn desk_queries(kind: &str) -> Vec<String> {
    let rows = "per_page=25";
    let filter = |json: &str| {
        let encoded: String = url_encoded(json);
        format!("/api/filter?{rows}&filters={encoded}")
    };
    match kind {
        "list" => vec![
            format!("/api/bookings?{rows}"),
            format!("/api/bookings?{rows}&page=2"),
            format!("/api/bookings?{rows}&page=3"),
        ],
        "filter" => vec![
            filter(r#"{"status":["pending"],"province":"QC"}"#),
            filter(r#"{"unassigned":true,"withinHours":72}"#),
            filter(r#"{"paymentState":["problem"]}"#),
            filter(r#"{"bookingDateFrom":"2027-02-10","bookingDateTo":"2027-02-20","mateCountMin":2}"#),
            filter(r#"{"moveKind":["residential"],"hub":"montreal","status":["assigned"]}"#),
        ],
        _ => [
            "Tremblay",
            "camille tremb",
            "rue saint-denis 1200",
            "5145550",
            "goldberg rachel",
            "nguyen anh",
            "king street west 99",
        ]
        .map(|value| format!("/api/search?{rows}&value={}", url_encoded(value)))
        .to_vec(),
    }
}

fn url_encoded(text: &str) -> String {
    let byte = |b: u8| match b {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' => char::from(b).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// In a file.
pub async fn on_sqlite() {
    let site = Site::new(NOW);
    let url = format!("sqlite://{}", site.data().join("portage.db").display());
    grown("SQLite", site, &url).await;
}

/// On a server of its own.
pub async fn on_postgres() {
    let cluster = Cluster::durable().unwrap();
    cluster.say("CREATE DATABASE portage").unwrap();
    let url = cluster.url("portage");
    grown("PostgreSQL", Site::new(NOW).on_database(url.clone()), &url).await;
}

async fn grown(name: &str, mut site: Site, url: &str) {
    let most = std::env::var("PORTAGE_BENCH_BOOKINGS").ok().and_then(|n| n.parse().ok()).unwrap_or(MANY);
    let web = browser();
    // The history that believable bookings are made of.
    site.start_with(&web, &["serve", "--with-history", "--no-worker"]).await;
    assert!(site.stop(), "{}", site.log_text());
    let now: DateTime<Utc> = NOW.parse().unwrap();
    let store = || store::open(url, Options::default()).unwrap();
    let mut maker = Maker::on(store(), now).await;
    let began = Instant::now();
    maker.up_to(FEW).await;
    store::testing::analyze(url).unwrap();
    let few = measured(&web, &mut site).await;
    maker.up_to(most).await;
    let seconds = began.elapsed().as_secs_f64();
    drop(maker);
    store::testing::analyze(url).unwrap();
    let many = measured(&web, &mut site).await;
    println!("{name}, {most} bookings were made in {seconds:.0} s");
    for ((kind, few), (_, many)) in few.iter().zip(&many) {
        println!(
            "{name}, {kind:<7} p99: {few:>7.1} ms with {FEW} bookings, {many:>7.1} ms with {most}: {:.2} of it (must stay below 2)",
            many / few
        );
    }
}

/// Milliseconds within which 99 of a hundred calls are answered, of each kind.
async fn measured(web: &reqwest::Client, site: &mut Site) -> Vec<(&'static str, f64)> {
    site.start_with(web, &["serve", "--no-worker"]).await;
    let token = sign_in(web, site, "ops@portage.test", "portage-demo-2027").await.unwrap();
    let bearer = format!("Bearer {token}");
    let mut told = Vec::new();
    for kind in ["list", "filter", "search"] {
        let all = desk_queries(kind);
        let requests = (0..CALLS + all.len()).map(|n| {
            let path = &all[n % all.len()];
            get(path).replacen("\r\n\r\n", &format!("\r\nAuthorization: {bearer}\r\n\r\n"), 1)
        });
        let mut took = times(&site.address(), requests).await.split_off(all.len());
        took.sort_by(f64::total_cmp);
        told.push((kind, took[took.len() * 99 / 100]));
    }
    assert!(site.stop(), "{}", site.log_text());
    told
}
