//! The server is killed while mail goes out to a relay that is slow, refuses and hangs up. In the end every message
//! that was queued has come or was refused for good, and what the outbox says of each is what the relay knows. A
//! message comes twice only where nobody can know better: the relay lost its answer, or the server died between the
//! relay's yes and its own note of it. It is the same message then, by its id and byte for byte, so that a receiver
//! drops the second one.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use futures_util::future::join_all;
use kernel::chrono::{DateTime, Duration as Days, SecondsFormat, Utc};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use store::testing::TestDb;

use crate::{
    Dice, OPS, PASSWORD, START,
    relay::{AcceptedMessage, GONE, Moment, Relay},
    rounds,
    support::{
        self,
        customer::{browser, sign_in},
        server::Site,
    },
};

/// Loops for each lane of jobs; mail has twice as many (`commands/work.rs`).
const LOOPS: usize = 2;
/// Messages that are on their way at the same time: each of them may come twice when the server dies.
const AT_ONCE: usize = 2 * LOOPS;
/// Longer than the longest pause between two tries at a message.
const PAUSE: i64 = 5;
/// In this life the relay takes nothing from us.
const SHUT: usize = 2;
/// How many people sign up in a life; the relay does not know one of them.
const PEOPLE: usize = 6;
const DOMAIN: &str = "@customers.example";
/// Longer than it takes, on a busy machine, until a message is there, or all of them.
const PATIENCE: Duration = Duration::from_secs(90);

struct Post {
    site: Site,
    relay: Relay,
    web: Client,
    dice: Dice,
    now: DateTime<Utc>,
    /// Who was told that they have an account now.
    people: BTreeSet<String>,
    /// Lives that ended while the relay held an answer back.
    held: usize,
    /// Messages that a person had sent again, once for each time.
    asked_for: Vec<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_mail_is_lost_and_none_is_doubled_on_sqlite() {
    deliver(Site::new(START)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_mail_is_lost_and_none_is_doubled_on_postgres() {
    let db = TestDb::postgres();
    deliver(Site::new(START).on_database(db.url().to_owned())).await;
}

async fn deliver(site: Site) {
    let lives = (rounds() / 2).max(4);
    let mut dice = Dice::new();
    let relay = Relay::open(Dice(dice.up_to(u64::MAX) | 1)).await;
    let site = site
        .with("PORTAGE_SMTP_URL", relay.url())
        .with("PORTAGE_MAIL_FROM", "moves@portage.test")
        .with("PORTAGE_JOB_LOOPS", LOOPS.to_string());
    let now = START.parse().unwrap();
    let mut post =
        Post { site, relay, web: browser(), dice, now, people: BTreeSet::new(), held: 0, asked_for: Vec::new() };
    for life in 1..=lives {
        post.live(life).await;
    }

    // The relay is well again, and every pause is over.
    post.relay.begin_well();
    post.advance();
    post.site.start(&post.web).await;
    let outbox = post.all_out().await;
    let taken = post.relay.taken();
    post.judge(&outbox, &taken);
    let repeats = doubled(&taken);
    assert!(repeats >= post.held, "{repeats} of {} messages came again that had come when a server died", post.held);
    println!(
        "{lives} kills, {} conversations: {} messages, {} taken, {repeats} of them again",
        post.relay.conversations(),
        outbox.len(),
        taken.len(),
    );
    assert!(post.site.stop());
}

impl Post {
    fn advance(&mut self) {
        self.now += Days::hours(PAUSE);
        self.site.set_clock(&self.now.to_rfc3339_opts(SecondsFormat::Secs, true));
    }

    /// One life of the server: started, used, killed while a message is on its way.
    async fn live(&mut self, life: usize) {
        let moment = match self.dice.up_to(2) {
            _ if life == SHUT => Moment::Shut,
            0 => Moment::Answered,
            _ => Moment::Held,
        };
        self.held += usize::from(moment == Moment::Held);
        self.relay.begin(1 + self.dice.up_to(2), moment);
        self.advance();
        self.site.start(&self.web).await;
        let (relay, web, pid) = (self.relay.clone(), self.web.clone(), self.site.pid());
        let told = self.site.url("/readyz?verbose");
        let killer = tokio::spawn(async move {
            tokio::time::timeout(PATIENCE, relay.reached()).await.expect("a message is on its way");
            if moment == Moment::Shut {
                paused(&web, &told).await;
            }
            tokio::task::spawn_blocking(move || support::server::kill(pid)).await.unwrap();
        });
        let names = (0..PEOPLE).map(|n| {
            let name = if n == 0 { GONE } else { "person-" };
            format!("{name}{life}-{n}{DOMAIN}")
        });
        let asked: Vec<_> = names.map(|email| sign_up(&self.web, &self.site, email)).collect();
        self.people.extend(join_all(asked).await.into_iter().flatten());
        killer.await.unwrap();
        self.site.kill();
    }

    /// Waits until no message waits any more; all of them, as staff see them.
    async fn all_out(&mut self) -> Vec<Value> {
        let mut token = sign_in(&self.web, &self.site, OPS, PASSWORD).await.unwrap();
        let began = std::time::Instant::now();
        for look in 1.. {
            // What was on its way when the server died goes out once more after a pause.
            if look % 20 == 0 {
                self.advance();
                token = sign_in(&self.web, &self.site, OPS, PASSWORD).await.unwrap();
            }
            let outbox = self.outbox(&token).await;
            // What may have arrived twice over without an answer waits for a person, who sends it again.
            for m in outbox.iter().filter(|m| m["standing"] == "given_up" && may_have_come(m)) {
                let id = m["id"].as_str().unwrap();
                self.asked_for.push(id.to_owned());
                let path = format!("/api/messages/{id}/retry");
                let retried = self.web.post(self.site.url(&path)).bearer_auth(&token).send().await.unwrap();
                assert!(retried.status().is_success(), "{m}: {}", retried.status());
            }
            let open = |m: &&Value| {
                let standing = m["standing"].as_str().unwrap();
                ["waiting", "retrying"].contains(&standing) || (standing == "given_up" && may_have_come(m))
            };
            let Some(waits) = outbox.iter().find(open) else { return outbox };
            assert!(began.elapsed() < PATIENCE, "{waits} does not go out\n{}", self.site.log_text());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        unreachable!("the looks have no end")
    }

    async fn outbox(&self, token: &str) -> Vec<Value> {
        let mut all = Vec::new();
        for page in 1.. {
            let query = [("page", page.to_string()), ("per_page", "100".to_owned())];
            let asked = self.web.get(self.site.url("/api/messages")).query(&query).bearer_auth(token);
            let answer = asked.send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::OK);
            let list: Value = answer.json().await.unwrap();
            let rows = list["data"].as_array().unwrap().clone();
            if rows.is_empty() {
                break;
            }
            all.extend(rows);
        }
        all
    }

    /// What the outbox says of each message is what the relay knows of it, and nobody's is missing.
    fn judge(&self, outbox: &[Value], taken: &[AcceptedMessage]) {
        let mut came: BTreeMap<&str, Vec<&AcceptedMessage>> = BTreeMap::new();
        for t in taken {
            came.entry(t.id.as_str()).or_default().push(t);
        }
        let mut written: BTreeMap<String, usize> = BTreeMap::new();
        for m in outbox {
            let (id, to) = (m["id"].as_str().unwrap(), m["recipient"].as_str().unwrap());
            *written.entry(to.to_owned()).or_default() += 1;
            let copies = came.remove(id).unwrap_or_default();
            assert!(copies.iter().all(|t| t.to == to), "{m} went to somebody else");
            // By itself it goes out once more after an answer that never came, and no more often.
            let by_hand = self.asked_for.iter().filter(|asked| *asked == id).count();
            assert!(copies.len() <= 2 + by_hand, "{m} came as {copies:?}");
            if to.starts_with(GONE) {
                let said = m["lastError"].as_str().unwrap_or_default();
                assert!(m["standing"] == "given_up" && said.contains("no such person"), "{m}");
                assert!(copies.is_empty(), "{m}");
            } else {
                assert_eq!(m["standing"], "sent", "{m}\n{}", self.site.log_text());
                // Sent is what was answered, and under the name that the relay gave it.
                let name = m["providerId"].as_str().unwrap_or_default();
                let known = |t: &&AcceptedMessage| !t.lost && name.ends_with(&format!("queued as {}", t.number));
                assert!(copies.iter().any(known), "{m} came as {copies:?}");
            }
        }
        assert!(came.is_empty(), "the outbox does not know {:?}", came.keys());
        for person in &self.people {
            assert_eq!(written.get(person), Some(&1), "messages to {person}\n{}", self.site.log_text());
        }
        let twice: Vec<_> = written.iter().filter(|(to, n)| to.ends_with(DOMAIN) && **n > 1).collect();
        assert!(twice.is_empty(), "one sign-up, two messages: {twice:?}");
        assert!(written.keys().any(|to| to.starts_with(GONE)), "nobody was refused for good");
    }
}

/// The relay left open whether it took it, and did not refuse it afterwards.
fn may_have_come(m: &Value) -> bool {
    let said = m["lastError"].as_str().unwrap_or_default();
    said.contains("did not say whether it took it") && !said.contains("no such person")
}

/// How many messages came again, each for one of the reasons there are.
fn doubled(taken: &[AcceptedMessage]) -> usize {
    let mut last: BTreeMap<&str, &AcceptedMessage> = BTreeMap::new();
    let mut at_the_end: BTreeMap<usize, usize> = BTreeMap::new();
    let mut repeats = 0;
    for again in taken {
        let Some(before) = last.insert(&again.id, again) else { continue };
        assert_eq!(before.words, again.words, "the same message, and another text");
        // What was answered comes again after a kill only, and no more of them than were on their way then.
        if !before.lost {
            assert!(before.life < again.life, "{} was answered and came again in one life", again.id);
            *at_the_end.entry(before.life).or_default() += 1;
            repeats += 1;
        }
    }
    assert!(at_the_end.values().all(|n| *n <= AT_ONCE), "messages that came again after a life: {at_the_end:?}");
    repeats
}

/// Somebody's address, when they were told that they have an account; none when the server died before.
async fn sign_up(web: &Client, site: &Site, email: String) -> Option<String> {
    let form = json!({
        "email": email, "password": PASSWORD, "firstName": "Zoé", "lastName": "王", "language": "fr",
        "acceptTerms": true,
    });
    let answer = web.post(site.url("/identity/api/sign-up")).json(&form).send().await.ok()?;
    let status = answer.status();
    let text = answer.text().await.ok()?;
    assert_eq!(status, StatusCode::CREATED, "{text}");
    Some(email)
}

/// The server knows by now that the relay takes nothing.
async fn paused(web: &Client, url: &str) {
    let began = std::time::Instant::now();
    while began.elapsed() < PATIENCE {
        if let Ok(answer) = web.get(url).send().await
            && let Ok(told) = answer.json::<Value>().await
            && !told["details"]["mailPaused"].is_null()
        {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the server does not say that its mail is paused");
}
