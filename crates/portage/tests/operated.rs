//! What the program tells its operator: mail that does not go out, what was given up, figures, and that
//! it is about to stop.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
    process::Output,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use crate::support::{
    customer::{book, browser, draft, sign_in, store_card},
    server::{Site, production},
};
use reqwest::{Client, StatusCode};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

const NOW: &str = "2027-02-01T13:00:00Z";
const PASSWORD: &str = "portage-demo-2027";

fn stdout(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned()
}

async fn until(what: &str, mut done: impl AsyncFnMut() -> bool) {
    for _ in 0..300 {
        if done().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} did not happen");
}

async fn text(web: &Client, url: String) -> String {
    web.get(url).send().await.unwrap().text().await.unwrap()
}

/// A relay that shuts everybody out, or knows no recipient; its address.
fn relay(shut: Arc<AtomicBool>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let (mut socket, shut) = (socket.unwrap(), shut.load(Ordering::SeqCst));
            std::thread::spawn(move || {
                let hello = if shut { "554 this machine may not send here\r\n" } else { "220 ready\r\n" };
                socket.write_all(hello.as_bytes()).ok()?;
                for line in BufReader::new(socket.try_clone().ok()?).lines() {
                    let command = line.ok()?.to_ascii_uppercase();
                    let answer = if command.starts_with("RCPT") {
                        "550 no such person: <customer@portage.test>\r\n"
                    } else {
                        "250 fine\r\n"
                    };
                    socket.write_all(answer.as_bytes()).ok()?;
                }
                Some(())
            });
        }
    });
    format!("smtp://{address}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_that_does_not_go_out_is_told_and_waits_for_a_person() {
    let shut = Arc::new(AtomicBool::new(true));
    let (web, mut site) = (browser(), Site::new(NOW));
    site = site.with("PORTAGE_SMTP_URL", relay(shut.clone())).with("PORTAGE_MAIL_FROM", "moves@portage.test");
    site.start(&web).await;
    let token = sign_in(&web, &site, "customer@portage.test", PASSWORD).await.unwrap();
    assert_eq!(store_card(&web, &site, &token).await.unwrap(), StatusCode::OK);
    let answer = book(&web, &site, &token, "k1", &draft("2027-02-11", "09:00")).await.unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);

    let verbose =
        async |site: &Site| -> Value { serde_json::from_str(&text(&web, site.url("/readyz?verbose")).await).unwrap() };
    until("the pause", async || !verbose(&site).await["details"]["mailPaused"].is_null()).await;
    let told = verbose(&site).await;
    assert!(told["details"]["mailPaused"]["why"].as_str().unwrap().contains("may not send here"), "{told}");
    assert_eq!(told["details"]["jobsDead"], 0);
    let plain: Value = serde_json::from_str(&text(&web, site.url("/readyz")).await).unwrap();
    assert!(plain.get("details").is_none(), "{plain}");
    let proxied = web.get(site.url("/readyz?verbose")).header("x-forwarded-for", "198.51.100.7").send().await.unwrap();
    assert!(!proxied.text().await.unwrap().contains("may not send"), "only this machine is told");
    let figures = text(&web, site.url("/metrics")).await;
    for wanted in [
        "portage_mail_paused 1",
        "portage_mails_total{result=\"misconfigured\"} 1",
        "portage_gateway_calls_total{operation=\"vault\",result=\"done\"} 1",
        "portage_maps_calls_total{operation=\"route\",result=\"done\"}",
        "portage_build_info{version=",
    ] {
        assert!(figures.contains(wanted), "{wanted} in\n{figures}");
    }
    assert_eq!(stdout(&site.run(&["jobs", "list"])), "nothing was given up\n");

    // The relay takes us, and does not know the customer: a restart tries at once.
    shut.store(false, Ordering::SeqCst);
    assert!(site.stop());
    site.start(&web).await;
    until("the refusal", async || verbose(&site).await["details"]["jobsDead"] == 1).await;
    let list = stdout(&site.run(&["jobs", "list"]));
    let short_id: Value = answer.json().await.unwrap();
    let short_id = short_id["shortId"].as_str().unwrap_or_else(|| panic!("{short_id}")).to_owned();
    let facts =
        ["send_message (bookingConfirmation)", "c***@portage.test", "2027-02-01 13:00 UTC", "given up", &short_id];
    for fact in facts.into_iter().chain(["(550): no such person: <c***@portage.test>"]) {
        assert!(list.contains(fact), "{fact} is not in {list}");
    }
    // Nobody's address is logged or shown, whoever repeats it.
    assert!(!list.contains("customer@portage.test") && !site.log_text().contains("customer@portage.test"), "{list}");
    let id = list.lines().nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let again = site.run(&["jobs", "retry", &id]);
    assert!(stdout(&again).contains("is tried again"), "{again:?}");
    until("the second refusal", async || verbose(&site).await["details"]["jobsDead"] == 1).await;
    assert!(stdout(&site.run(&["jobs", "drop", &id])).contains("is off the list"));
    assert_eq!(stdout(&site.run(&["jobs", "list"])), "nothing was given up\n");
    let unknown = site.run(&["jobs", "drop", &id]);
    assert!(!unknown.status.success() && String::from_utf8_lossy(&unknown.stderr).contains("was not given up"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_says_that_it_stops_before_it_does() {
    let (web, mut site) = (browser(), Site::new(NOW).with("PORTAGE_DRAIN_SECONDS", "2"));
    site.start(&web).await;
    assert_eq!(web.get(site.url("/readyz")).send().await.unwrap().status(), StatusCode::OK);
    let (ready, alive, pid) = (site.url("/readyz"), site.url("/healthz"), site.pid());
    let began = Instant::now();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid.to_string()]).status().unwrap().success());
    until("the word", async || web.get(&ready).send().await.unwrap().status() == StatusCode::SERVICE_UNAVAILABLE).await;
    // It goes on answering whoever comes all the same, one request a connection.
    let answer = web.get(&alive).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers().get("connection").unwrap(), "close");
    assert_eq!(site.ended(Duration::from_secs(20)), Some(true), "it stops by itself");
    assert!(began.elapsed() >= Duration::from_secs(2), "{:?}", began.elapsed());
}

/// One POST on a connection of its own, as a proxy makes them; whether it was answered. None when there was no
/// connection: that is told at once, and nothing was sent.
async fn post(address: &str) -> Option<bool> {
    let mut socket = TcpStream::connect(address).await.ok()?;
    let head = "POST /api/booking/estimate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                content-length: 2\r\nconnection: close\r\n\r\n{}";
    let mut answer = Vec::new();
    let answered = socket.write_all(head.as_bytes()).await.is_ok() && socket.read_to_end(&mut answer).await.is_ok();
    Some(answered && answer.starts_with(b"HTTP/1.1 "))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_who_came_in_time_is_turned_away_when_the_port_closes() {
    let (web, mut site) = (browser(), Site::new(NOW).with("PORTAGE_LOG", "info,access=off"));
    for round in 0..3 {
        site.start(&web).await;
        let (address, pid) = (site.url("").replace("http://localhost", "127.0.0.1"), site.pid());
        let clients: Vec<_> = (0..64)
            .map(|_| {
                let address = address.clone();
                tokio::spawn(async move {
                    let (mut answered, mut lost) = (0, 0);
                    while let Some(fine) = post(&address).await {
                        *(if fine { &mut answered } else { &mut lost }) += 1;
                    }
                    (answered, lost)
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(std::process::Command::new("kill").args(["-TERM", &pid.to_string()]).status().unwrap().success());
        let (mut answered, mut lost) = (0, 0);
        for client in clients {
            let (some, none) = client.await.unwrap();
            (answered, lost) = (answered + some, lost + none);
        }
        assert!(answered > 64, "only {answered}");
        assert!(site.stop());
        // Where the system does not let this account do it, it says so.
        let unshut = site.log_text().contains("without waiting for connections that have just begun");
        assert!(lost == 0 || unshut, "{lost} of {} in round {round}", answered + lost);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_differs_and_what_could_not_be_asked_are_told_apart() {
    let (web, mut site) = (browser(), Site::new(NOW));
    site.start(&web).await;
    let token = sign_in(&web, &site, "customer@portage.test", PASSWORD).await.unwrap();
    assert_eq!(store_card(&web, &site, &token).await.unwrap(), StatusCode::OK);
    assert!(site.stop());
    assert_eq!(site.run(&["reconcile"]).status.code(), Some(0));
    let site = site.with("PORTAGE_PAYMENTS_URL", "http://127.0.0.1:9/graphql");
    let told = site.run(&["reconcile"]);
    assert_eq!(told.status.code(), Some(2), "{told:?}");
    assert!(String::from_utf8_lossy(&told.stderr).contains("nothing was compared"), "{told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn json_logs_are_one_object_a_line_with_every_name_once() {
    let (web, mut site) = (browser(), Site::new(NOW));
    site = site.with("PORTAGE_LOG_FORMAT", "json").with("PORTAGE_LOG", "info");
    site = site.with("PORTAGE_SMTP_URL", relay(Arc::new(AtomicBool::new(false))));
    site = site.with("PORTAGE_MAIL_FROM", "moves@portage.test");
    site.start(&web).await;
    let token = sign_in(&web, &site, "customer@portage.test", PASSWORD).await.unwrap();
    assert_eq!(store_card(&web, &site, &token).await.unwrap(), StatusCode::OK);
    let answer = book(&web, &site, &token, "k1", &draft("2027-02-11", "09:00")).await.unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);
    until("the refusal", async || site.log_text().contains("mail not accepted")).await;
    assert!(site.stop());
    let told = site.log_text();
    for line in told.lines() {
        assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}");
        // A name that stands twice is one that a collector loses.
        assert!(line.matches("\"message\":").count() <= 1, "{line}");
    }
    let access: Vec<&str> = told.lines().filter(|l| l.contains("\"target\":\"access\"")).collect();
    assert!(access.iter().any(|l| l.contains("/api/bookings") && l.contains("201")), "{access:?}");
    assert!(!told.contains("customer@portage.test"), "nobody is named");
}

/// Names of figures in a text.
fn figures(text: &str) -> std::collections::BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|w| w.starts_with("portage_") && w.matches('_').count() > 1).collect()
}

#[test]
fn alerts_and_manual_name_figures_there_are() {
    let sources = concat!(
        include_str!("../../api/src/metrics/mod.rs"),
        include_str!("../../api/src/metrics/database.rs"),
        include_str!("../../api/src/metrics/process.rs"),
        include_str!("../src/observed.rs"),
        include_str!("../src/machine.rs")
    );
    let known = figures(sources);
    for (name, text) in [
        ("deploy/alerts.yml", include_str!("../../../deploy/alerts.yml")),
        ("docs/operating.md", include_str!("../../../docs/operating.md")),
    ] {
        let unknown: Vec<&str> = figures(text).difference(&known).copied().collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
    assert!(figures(include_str!("../../../deploy/alerts.yml")).len() > 6);
}

/// One wrong value each, in a production that could serve otherwise.
const WRONG: &[(&str, &str)] = &[
    ("PORTAGE_MODE", "fast"),
    ("PORTAGE_BIND", "8080"),
    ("PORTAGE_PUBLIC_URL", "localhost"),
    ("PORTAGE_PUBLIC_URL", "http://move.example"),
    ("PORTAGE_DATABASE_URL", "mysql://h/db"),
    ("PORTAGE_DATABASE_URL", "postgres://portage:hunter2/x@127.0.0.1/portage"),
    ("PORTAGE_DATABASE_URL", "postgres://portage@127.0.0.1:many/portage"),
    ("PORTAGE_DATABASE_CONNECTIONS", "0"),
    ("PORTAGE_FRONTEND_DIR", "/nowhere/at/all"),
    ("PORTAGE_PAYMENTS_ENVIRONMENT", "test"),
    ("PORTAGE_PAYMENTS_URL", "payments.example"),
    ("PORTAGE_PAYMENTS_TIMEOUT_MS", "soon"),
    ("PORTAGE_MAPS_URL", "maps.example"),
    ("PORTAGE_SMTP_URL", "relay.example:465"),
    ("PORTAGE_SMTP_URL", "smtp://user:hunter2@relay.example:25"),
    ("PORTAGE_SMTP_URL", "smtp://relay.example:25"),
    ("PORTAGE_MAIL_FROM", "nobody"),
    ("PORTAGE_OIDC_ISSUER", "issuer.example"),
    ("PORTAGE_SIGNING_KEYS", "secret"),
    ("PORTAGE_COMPANY_EMAIL", "help"),
    ("PORTAGE_CHAT_PROVIDER", "carrier pigeon"),
    ("PORTAGE_BEHIND_PROXY", "perhaps"),
    ("PORTAGE_LOG", "info,service=loud"),
    ("PORTAGE_LOG_FORMAT", "xml"),
    ("PORTAGE_JOB_LOOPS", "0"),
    ("PORTAGE_SHUTDOWN_SECONDS", "long"),
];

#[test]
fn a_wrong_setting_is_named_before_anything_is_made() {
    for (variable, value) in WRONG {
        for command in ["check-config", "serve"] {
            let site = production(Site::new(NOW)).with(variable, *value);
            let out = site.run(&[command]);
            let told = format!("{}{}", stdout(&out), String::from_utf8_lossy(&out.stderr));
            assert!(!out.status.success(), "{command} takes {variable}={value}: {told}");
            // In the list of what must be changed, not among what is set.
            let named = told.split("must be changed").nth(1).is_some_and(|list| list.contains(variable));
            assert!(named, "{command} with {variable}={value}: {told}");
            assert!(!told.contains("hunter2"), "{told}");
            let made = site.data().join("portage.db");
            assert!(!made.exists(), "{command} with {variable}={value} made a database");
        }
    }
    let good = production(Site::new(NOW));
    let out = good.run(&["check-config"]);
    assert!(out.status.success(), "{}", stdout(&out));
}
