//! The server is killed while fifty invoices are issued at the same time. In the end each booking has one, and the
//! numbers of the year are there without a gap, none twice; what somebody was told a number of still has it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use kernel::chrono::{DateTime, Duration as Days, SecondsFormat, Utc};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use store::testing::TestDb;

use crate::{
    Dice, EMAIL, OPS, PASSWORD, START, rounds,
    support::{
        self,
        customer::{book, browser, draft, sign_in, store_card},
        server::Site,
    },
};

const INVOICES: usize = 50;
/// Nobody's confirmations and charges are of interest here, and would only take time.
const ALONE: [&str; 2] = ["serve", "--no-worker"];
/// Staff ask within so many milliseconds.
const WITHIN: u64 = 500;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_of_invoices_have_no_gap_on_sqlite() {
    issue(Site::new(START)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_of_invoices_have_no_gap_on_postgres() {
    let db = TestDb::postgres();
    issue(Site::new(START).on_database(db.url().to_owned())).await;
}

async fn issue(mut site: Site) {
    let (web, mut dice, now) = (browser(), Dice::new(), START.parse::<DateTime<Utc>>().unwrap());
    site.start_with(&web, &ALONE).await;
    let ids = booked(&web, &site, now).await;
    let after = now + Days::days(60);
    site.set_clock(&after.to_rfc3339_opts(SecondsFormat::Secs, true));
    let token = sign_in(&web, &site, OPS, PASSWORD).await.unwrap();
    for some in ids.chunks(10) {
        let asked = some.iter().map(|id| set_status(&web, &site, &token, id, "completed"));
        for (status, text) in join_all(asked).await.into_iter().map(|answer| answer.expect("it lives")) {
            assert_eq!(status, StatusCode::OK, "{text}");
        }
    }
    site.kill();

    // Some are cut off by each kill, and the last life issues what is left.
    let mut told = KnownNumbers::new();
    let (kills, mut cut, mut unanswered) = ((rounds() / 3).clamp(4, 16), 0, 0);
    for kill in 0..kills {
        let open = open(&ids, &told);
        if open.is_empty() {
            break;
        }
        site.start_with(&web, &ALONE).await;
        let answers = press(&web, &site, &mut dice, &open, Some((open.len() / (2 * (kills - kill))).max(1))).await;
        site.kill();
        let left = note(&mut told, &open, answers);
        cut += usize::from(left > 0);
        unanswered += left;
    }
    site.start_with(&web, &ALONE).await;
    for _ in 0..5 {
        let open = open(&ids, &told);
        let answers = press(&web, &site, &mut dice, &open, None).await;
        if note(&mut told, &open, answers) == 0 {
            break;
        }
    }
    assert!(cut >= 2, "{cut} kills left a request without an answer");
    assert_eq!(told.len(), INVOICES, "some were refused\n{}", site.log_text());
    site.kill();

    // As the next life finds it.
    site.start_with(&web, &ALONE).await;
    judge(&web, &site, &told).await;
    println!("{INVOICES} invoices, {cut} kills in between: {unanswered} requests without an answer");
    assert!(site.stop());
}

/// Booking → number, as staff were told; none where they were told of the booking only.
type KnownNumbers = BTreeMap<String, Option<String>>;

/// What nobody was told of yet.
fn open<'a>(ids: &'a [String], told: &KnownNumbers) -> Vec<&'a str> {
    ids.iter().filter(|id| !told.contains_key(*id)).map(String::as_str).collect()
}

/// Keeps the answers; how many did not come.
fn note(told: &mut KnownNumbers, open: &[&str], answers: Vec<Option<Option<String>>>) -> usize {
    let mut unanswered = 0;
    for (id, answer) in open.iter().zip(answers) {
        match answer {
            Some(number) => drop(told.insert((*id).to_owned(), number)),
            None => unanswered += 1,
        }
    }
    unanswered
}

/// As many bookings as there are to be invoices.
async fn booked(web: &Client, site: &Site, now: DateTime<Utc>) -> Vec<String> {
    let customer = sign_in(web, site, EMAIL, PASSWORD).await.unwrap();
    assert_eq!(store_card(web, site, &customer).await.unwrap(), StatusCode::OK);
    let mut ids = Vec::new();
    for day in 4..30 {
        let date = (now + Days::days(day)).date_naive().to_string();
        let drafts = ["08:30", "10:30", "13:00", "15:00"].map(|time| draft(&date, time));
        let keys: Vec<String> = (0..drafts.len()).map(|n| format!("invoice-{day}-{n}")).collect();
        let asked = drafts.iter().zip(&keys).map(|(draft, key)| book(web, site, &customer, key, draft));
        for answer in join_all(asked).await {
            let answer = answer.expect("it lives");
            let status = answer.status();
            let said: Value = answer.json().await.unwrap();
            match said["code"].as_str() {
                _ if status == StatusCode::CREATED => ids.push(said["id"].as_str().unwrap().to_owned()),
                // A day on which nobody works, or a full one.
                Some("slot_gone" | "date_closed") => {}
                _ => panic!("{status} {said}"),
            }
        }
        if ids.len() >= INVOICES {
            ids.truncate(INVOICES);
            return ids;
        }
    }
    panic!("only {} bookings", ids.len());
}

/// Staff ask for all of these invoices at about the same time, some by the status and some by sending it; the server is
/// killed when so many were answered. Answers what they were told of each: none where nothing came, or to try again.
async fn press(
    web: &Client,
    site: &Site,
    dice: &mut Dice,
    open: &[&str],
    dies: Option<usize>,
) -> Vec<Option<Option<String>>> {
    let token = sign_in(web, site, OPS, PASSWORD).await.unwrap();
    let (answered, pid) = (Arc::new(AtomicUsize::new(0)), site.pid());
    let plans: Vec<(u64, bool)> = open.iter().map(|_| (dice.up_to(WITHIN), dice.up_to(2) == 0)).collect();
    let asked = open.iter().zip(plans).map(|(id, (wait, sends))| {
        let (token, answered) = (token.as_str(), answered.clone());
        async move {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            let answer = if sends {
                ask(web.post(site.url(&format!("/api/invoices/send/{id}"))), token, &json!({})).await
            } else {
                set_status(web, site, token, id, "invoiced").await
            };
            let (status, text) = answer?;
            if dies == Some(answered.fetch_add(1, Ordering::SeqCst) + 1) {
                tokio::task::spawn_blocking(move || support::server::kill(pid)).await.unwrap();
            }
            // Somebody holds what it needs at this moment; staff ask again.
            if status.is_server_error() || status == StatusCode::CONFLICT {
                println!("{status} {text}");
                return None;
            }
            assert_eq!(status, StatusCode::OK, "{text}");
            let said: Value = serde_json::from_str(&text).unwrap();
            Some(said["invoice"]["number"].as_str().map(str::to_owned))
        }
    });
    join_all(asked).await
}

async fn set_status(web: &Client, site: &Site, token: &str, id: &str, to: &str) -> Option<(StatusCode, String)> {
    let body = json!({ "status": to, "language": "en", "reason": "the move was done" });
    ask(web.put(site.url(&format!("/api/bookings/status/{id}"))), token, &body).await
}

/// The answer; none when the server is gone.
async fn ask(request: reqwest::RequestBuilder, token: &str, body: &Value) -> Option<(StatusCode, String)> {
    let answer = request.bearer_auth(token).json(body).send().await.ok()?;
    let status = answer.status();
    Some((status, answer.text().await.ok()?))
}

async fn judge(web: &Client, site: &Site, told: &BTreeMap<String, Option<String>>) {
    let token = sign_in(web, site, OPS, PASSWORD).await.unwrap();
    let query = [("page", "1"), ("per_page", "100")];
    let answer = web.get(site.url("/api/invoices")).query(&query).bearer_auth(&token).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let list: Value = answer.json().await.unwrap();
    let rows = list["data"].as_array().unwrap();
    let mut numbers: Vec<&str> = rows.iter().map(|row| row["number"].as_str().unwrap_or("a draft")).collect();
    numbers.sort_unstable();
    let wanted: Vec<String> = (1..=INVOICES).map(|place| format!("2027-{place:06}")).collect();
    assert_eq!(numbers, wanted, "{}", site.log_text());
    let bookings: BTreeSet<&str> = rows.iter().filter_map(|row| row["bookingId"].as_str()).collect();
    let asked: BTreeSet<&str> = told.keys().map(String::as_str).collect();
    assert_eq!(bookings, asked, "each booking has one");
    for row in rows {
        assert_eq!(row["purpose"], "move", "{row}");
        let Some(Some(number)) = told.get(row["bookingId"].as_str().unwrap()) else { continue };
        assert_eq!(row["number"], number.as_str(), "{row}");
    }
}
