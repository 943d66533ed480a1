//! A real server under a crowd that means harm: connections that are opened and never used, heads
//! and bodies that never end, answers nobody takes, and texts far beyond any bound. The site goes
//! on, and its memory stays.
//!
//! `PORTAGE_CROWD_SECONDS=60` keeps the crowd for a minute and prints the figures.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use crate::support::{
    customer::{book, browser, draft, previous, sign_in, store_card},
    server::Site,
};
use reqwest::{Client, StatusCode};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const NOW: &str = "2027-02-01T13:00:00Z";
/// Half-open requests at any moment.
const CROWD: usize = 2_000;
/// Every deadline of the server is shorter, on a busy machine as well.
const PATIENCE: Duration = Duration::from_secs(60);
/// What the whole program may take, kB.
const MEMORY: u64 = 150 * 1024;
/// How much of it a release maps of its own code, kB, at most. The code of this build is not optimised and several
/// times as large: what is mapped of files is left out, and this much of the ceiling with it.
const CODE: u64 = 20 * 1024;

/// Resident memory of a process now and at its highest, kB, without what it maps of files.
fn memory(pid: u32) -> (u64, u64) {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let figure = |name: &str| -> Option<u64> {
        let line = status.lines().find(|l| l.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    let file = figure("RssFile:").unwrap_or(0);
    (figure("VmRSS:").unwrap_or(0).saturating_sub(file), figure("VmHWM:").unwrap_or(u64::MAX).saturating_sub(file))
}

fn open_files(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd")).map(Iterator::count).unwrap_or(0)
}

/// The soft limit of this process, which children inherit.
fn soft_limit(files: Option<u64>) {
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: files.or(maximum), maximum }).unwrap();
}

/// One member of the crowd: opens, says what its kind says, and waits until it is thrown out.
async fn lurk(address: &str, kind: usize) {
    let Ok(mut stream) = TcpStream::connect(address).await else {
        tokio::time::sleep(Duration::from_millis(200)).await;
        return;
    };
    const LENGTH: &str = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n";
    const CHUNKED: &str =
        "Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1,2,\r\n";
    let said = match kind % 8 {
        0 => String::new(),
        1 => "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ".to_owned(),
        2 => format!("POST /api/booking/estimate HTTP/1.1\r\n{LENGTH}"),
        3 => format!("POST /api/booking/estimate HTTP/1.1\r\n{LENGTH}{{\"travelDuration\": {}", " ".repeat(8_000)),
        // A body nobody reads, of no known length.
        4 => format!("POST /api/no-such-call HTTP/1.1\r\n{CHUNKED}"),
        // A whole request, and the beginning of another one.
        5 => "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ".to_owned(),
        // A long head without an end.
        6 => format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: {}", "x".repeat(12_000)),
        // Large answers that nobody takes.
        _ => "GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(8),
    };
    if stream.write_all(said.as_bytes()).await.is_err() {
        return;
    }
    if kind % 8 == 7 {
        // It never reads; whether it was thrown out shows when writing fails.
        while stream.write_all(b"\r\n").await.is_ok() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        return;
    }
    let mut sink = [0; 512];
    while !matches!(stream.read(&mut sink).await, Ok(0) | Err(_)) {}
}

fn seconds() -> u64 {
    std::env::var("PORTAGE_CROWD_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(15)
}

/// Acceptance 6: two thousand half-open requests at any moment.
async fn half_open_requests(web: &Client) {
    // As a shell starts programs; the server must raise it by itself.
    soft_limit(Some(1_024));
    let mut site = Site::new(NOW);
    site.start(web).await;
    soft_limit(None);
    let pid = site.pid();
    let token = sign_in(web, &site, "customer@portage.test", "portage-demo-2027").await.unwrap();
    assert_eq!(store_card(web, &site, &token).await.unwrap(), StatusCode::OK);
    // The thread that hashed the password ends after ten idle seconds, and gives its memory back then.
    tokio::time::sleep(Duration::from_secs(12)).await;
    let before = (memory(pid).0, open_files(pid));

    let stop = Arc::new(AtomicBool::new(false));
    let opened = Arc::new(AtomicU64::new(0));
    let address = site.url("").replace("http://localhost", "127.0.0.1");
    let crowd: Vec<_> = (0..CROWD)
        .map(|kind| {
            let (stop, opened, address) = (stop.clone(), opened.clone(), address.clone());
            tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    opened.fetch_add(1, Ordering::Relaxed);
                    let thrown_out = tokio::time::timeout(PATIENCE, lurk(&address, kind)).await;
                    // Who sends nothing may be connected in its own eyes only: the system drops the last
                    // packet of a handshake when too many wait to be accepted.
                    assert!(thrown_out.is_ok() || kind % 8 == 0, "kind {} was left alone for {PATIENCE:?}", kind % 8);
                }
            })
        })
        .collect();

    let began = Instant::now();
    let (mut most, mut asked, mut slowest, mut booked) = (0, 0, Duration::ZERO, 0);
    let mut crowded = 0;
    while began.elapsed() < Duration::from_secs(seconds()) {
        let asking = Instant::now();
        // A new connection each time: a stranger who comes now.
        let health = browser().get(site.url("/healthz")).timeout(Duration::from_secs(5)).send().await;
        assert!(health.as_ref().is_ok_and(|r| r.status() == StatusCode::OK), "after {:?}: {health:?}", began.elapsed());
        slowest = slowest.max(asking.elapsed());
        asked += 1;
        if asked % 10 == 5 {
            let day = 10 + booked % 15;
            let answer =
                book(&browser(), &site, &token, &format!("k{booked}"), &draft(&format!("2027-02-{day}"), "09:00"))
                    .await;
            let answer = answer.unwrap();
            assert_eq!(answer.status(), StatusCode::CREATED, "{}", answer.text().await.unwrap());
            booked += 1;
        }
        most = most.max(memory(pid).0);
        crowded = crowded.max(open_files(pid));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    stop.store(true, Ordering::Relaxed);
    println!(
        "{CROWD} half-open requests for {} s: {} connections opened, at most {crowded} files open at once, {asked} health checks \
         (slowest {slowest:?}), {booked} bookings, resident memory {} MB before and {} MB at most",
        seconds(),
        opened.load(Ordering::Relaxed),
        before.0 / 1024,
        most / 1024,
    );
    assert!(crowded > CROWD * 3 / 4, "only {crowded} files were open: this was no crowd");
    assert!(booked > 0 && most < MEMORY - CODE, "{most} kB");
    assert_eq!(previous(web, &site, &token).await.unwrap().len(), booked);

    // Nobody is asked to go: the server throws out everybody by itself.
    let began = Instant::now();
    while open_files(pid) > before.1 + 20 {
        assert!(began.elapsed() < Duration::from_secs(60), "{} files are still open", open_files(pid));
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    for member in crowd {
        assert!(!member.is_finished() || member.await.is_ok(), "somebody was left alone");
    }
    assert!(site.stop());
}

/// Texts far beyond any bound, by every call that keeps or counts one.
async fn endless_texts(web: &Client) {
    let mut site = Site::new(NOW);
    site.start(web).await;
    let pid = site.pid();
    let token = sign_in(web, &site, "customer@portage.test", "portage-demo-2027").await.unwrap();
    assert_eq!(store_card(web, &site, &token).await.unwrap(), StatusCode::OK);
    let long = |n: usize| "x".repeat(n);
    let before = memory(pid).0;

    // Addresses that are none, each another one: as large as they come, and just within the body.
    for n in 0..240 {
        let size = if n % 2 == 0 { 1_000_000 } else { 9_000 };
        let form = json!({ "email": format!("{n}{}@portage.test", long(size)), "password": "a wrong password" });
        for path in ["/identity/api/sign-in", "/identity/api/forgot-password"] {
            let sent = web.post(site.url(path)).json(&form).send().await;
            // A refused body may be cut off before it was sent.
            assert!(sent.map_or(true, |a| a.status().is_client_error()));
        }
    }
    // Drafts with a text that has no end, and then the list of what was kept.
    for (pointer, size) in
        [("/phone", 900_000), ("/pickup/fullAddress", 900_000), ("/survey/specify", 900_000), ("/comments", 50_000)]
    {
        for n in 0..12 {
            let mut draft = draft(&format!("2027-02-{}", 10 + n), "09:00");
            draft["phone"] = json!("514-555-0101");
            draft["pickup"]["fullAddress"] = json!("3550 Rue Jeanne-Mance");
            draft["survey"]["specify"] = json!("a friend");
            draft["comments"] = json!("");
            *draft.pointer_mut(pointer).unwrap() = json!(long(size));
            if let Ok(answer) = book(web, &site, &token, &format!("{pointer}{n}"), &draft).await {
                assert!(answer.status().is_client_error(), "{pointer} of {size} characters: {}", answer.status());
            }
        }
    }
    let list = web.get(site.url("/api/bookings/previous?per_page=100")).bearer_auth(&token).send().await.unwrap();
    let text = list.text().await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["total"], 0, "nothing of it was kept");
    let (now, most) = memory(pid);
    println!(
        "endless texts: resident memory {} MB before, {} MB after, {} MB at most",
        before / 1024,
        now / 1024,
        most / 1024
    );
    assert!(most < MEMORY - CODE, "{most} kB");
    assert!(site.stop());
}

/// One after the other: limits belong to the whole process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_site_goes_on_in_a_crowd() {
    let web = browser();
    half_open_requests(&web).await;
    endless_texts(&web).await;
}
