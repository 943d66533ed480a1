//! What customers and staff do to bookings that are there: cancel, take back, change, give and take money.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    Run,
    money::{self, Deed},
};

/// The tokens of one life.
pub struct Tokens {
    pub customer: String,
    pub ops: String,
}

/// A deed of staff whose answer never came: repeated with the same key after the restart.
pub struct UnansweredDeed {
    key: String,
    id: String,
    deed: Deed,
}

/// A customer cancels: no word of theirs is kept with it.
const CANCELLED: &str = "cancelled";

/// Something done to a booking, with a word of its own that its history keeps.
pub struct MarkedDeed {
    id: String,
    key: String,
    what: &'static str,
    /// It was acknowledged; else nobody knows whether it was done.
    known: bool,
}

/// An event says a word.
fn names(event: &Value, key: &str) -> bool {
    let what = &event["what"];
    [&what["reason"], &what["reference"], &what["notes"]["after"], &what["comments"]["after"]].contains(&&json!(key))
}

enum Sent {
    Gone,
    Answered(StatusCode, Value),
}

impl Run {
    async fn ask(&self, token: &str, method: Method, path: &str, key: Option<&str>, body: Option<&Value>) -> Sent {
        let mut request = self.web.request(method.clone(), self.site.url(path)).bearer_auth(token);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        self.heard(request, &format!("{method} {path}")).await
    }

    /// Staff agree on a price, sometimes from a page that has not heard of the last change.
    async fn edit_price(&self, token: &str, id: &str, version: &str, body: &Value) -> Sent {
        let url = self.site.url(&format!("/api/bookings/{id}"));
        let request = self.web.put(url).bearer_auth(token).header("If-Match", version).json(body);
        self.heard(request, "a price").await
    }

    async fn heard(&self, request: reqwest::RequestBuilder, what: &str) -> Sent {
        let Ok(answer) = request.send().await else { return Sent::Gone };
        let status = answer.status();
        let Ok(text) = answer.text().await else { return Sent::Gone };
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{what} {text}\n{}", self.site.log_text());
        Sent::Answered(status, serde_json::from_str(&text).unwrap_or_default())
    }

    /// One thing done to some booking; `false` when the server is gone.
    pub async fn act(&mut self, tokens: &Tokens) -> bool {
        let ids: Vec<String> = self.diary.acknowledged.keys().rev().take(20).cloned().collect();
        if ids.is_empty() {
            return true;
        }
        let id = ids[usize::try_from(self.dice.up_to(ids.len() as u64)).unwrap()].clone();
        self.diary.keys += 1;
        let key = format!("said-{}", self.diary.keys);
        let (what, sent) = match self.dice.up_to(8) {
            0 => {
                let path = format!("/api/c/bookings/cancel/{id}");
                match self.stands(tokens, &id).await {
                    None => return false,
                    Some(status) if status == "cancelled" => return true,
                    Some(_) => (CANCELLED, self.ask(&tokens.customer, Method::PUT, &path, None, None).await),
                }
            }
            // The move is taken back, prepared, done, and not done after all.
            n @ (1 | 3) => {
                let (to, what) = match (n, self.dice.up_to(2)) {
                    (1, _) => ("pending", "taken back"),
                    (_, 0) => ("assigned", "assigned"),
                    _ => ("completed", "done"),
                };
                match self.stands(tokens, &id).await {
                    None => return false,
                    // It is no step, and leaves no trace.
                    Some(status) if status == to => return true,
                    Some(_) => {}
                }
                let body = json!({ "status": to, "language": "en", "reason": key });
                let path = format!("/api/bookings/status/{id}");
                (what, self.ask(&tokens.ops, Method::PUT, &path, None, Some(&body)).await)
            }
            4 => {
                let (version, amount) = (1 + self.dice.up_to(4), 100 + self.dice.up_to(900));
                let body = json!({ "amount": format!("{amount}.00"), "notes": key });
                let stale = format!("\"{version}\"");
                ("priced", self.edit_price(&tokens.ops, &id, &stale, &body).await)
            }
            2 => {
                let body = json!({ "mateCount": 1 + self.dice.up_to(2), "comments": key });
                let path = format!("/api/c/bookings/{id}");
                ("changed", self.ask(&tokens.customer, Method::PUT, &path, None, Some(&body)).await)
            }
            _ => {
                let path = format!("/api/bookings/{id}/payments");
                let money = match self.ask(&tokens.ops, Method::GET, &path, None, None).await {
                    Sent::Gone => return false,
                    Sent::Answered(StatusCode::OK, money) => money,
                    Sent::Answered(..) => return true,
                };
                let key = format!("deed-{}", self.diary.keys);
                let deed = money::choose(&money, &id, &key, &mut |n| self.dice.up_to(n));
                return self.give(&tokens.ops, UnansweredDeed { key, id, deed }).await;
            }
        };
        match sent {
            Sent::Gone => {
                self.diary.marked.push(MarkedDeed { id, key, what, known: false });
                false
            }
            Sent::Answered(status, _) => {
                if status.is_success() {
                    *self.diary.done.entry(what).or_default() += 1;
                }
                if status.is_success() || status.is_server_error() {
                    self.diary.marked.push(MarkedDeed { id, key, what, known: status.is_success() });
                }
                true
            }
        }
    }

    /// Where a booking stands; none when the server is gone.
    async fn stands(&self, tokens: &Tokens, id: &str) -> Option<String> {
        match self.ask(&tokens.customer, Method::GET, &format!("/api/c/bookings/{id}"), None, None).await {
            Sent::Gone => None,
            Sent::Answered(_, booking) => Some(booking["status"].as_str().unwrap_or_default().to_owned()),
        }
    }

    /// What was said of bookings stands in their history: what was acknowledged once, what got no answer once or not at all.
    pub async fn remembers(&self, tokens: &Tokens) {
        let mut ids: Vec<&str> = self.diary.marked.iter().map(|said| said.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let path = format!("/api/bookings/{id}/history");
            let Sent::Answered(StatusCode::OK, history) = self.ask(&tokens.ops, Method::GET, &path, None, None).await
            else {
                panic!("{path} has no answer");
            };
            let events = history["data"].as_array().unwrap();
            let said: Vec<&MarkedDeed> = self.diary.marked.iter().filter(|said| said.id == id).collect();
            for one in said.iter().filter(|said| said.what != CANCELLED) {
                let times = events.iter().filter(|event| names(event, &one.key)).count();
                let least = usize::from(one.known);
                assert!((least..=1).contains(&times), "{} of {id} ({}) {times} times: {history:#}", one.what, one.key);
            }
            // A customer gives no reason: as many as were acknowledged, and at most those that got no answer besides.
            let theirs =
                |e: &&Value| e["kind"] == "status" && e["what"]["to"] == "cancelled" && e["role"] == "customer";
            let (times, asked) = (events.iter().filter(theirs).count(), said.iter().filter(|s| s.what == CANCELLED));
            let (known, most) = (asked.clone().filter(|said| said.known).count(), asked.count());
            assert!(
                (known..=most).contains(&times),
                "{id} was cancelled {times} times, {known} to {most}: {history:#}"
            );
        }
    }

    /// Sends what staff began; `false` when the server is gone.
    pub async fn give(&mut self, token: &str, begun: UnansweredDeed) -> bool {
        let sent = self.ask(token, Method::POST, &begun.deed.path, Some(&begun.key), Some(&begun.deed.body)).await;
        match sent {
            Sent::Gone => {
                self.diary.unanswered.push(begun);
                false
            }
            Sent::Answered(status, problem) => {
                let code = problem["code"].as_str().unwrap_or_default();
                if status.is_success() {
                    *self.diary.done.entry(begun.deed.what).or_default() += 1;
                    if begun.deed.stays {
                        self.diary.deeds.insert(begun.key, begun.id);
                    } else {
                        let UnansweredDeed { key, id, deed } = begun;
                        self.diary.marked.push(MarkedDeed { id, key, what: deed.what, known: true });
                    }
                } else if status.is_server_error() || code == "request_in_flight" {
                    self.diary.unanswered.push(begun);
                }
                true
            }
        }
    }
}
