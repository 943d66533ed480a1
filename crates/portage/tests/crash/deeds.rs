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
pub struct Begun {
    key: String,
    id: String,
    deed: Deed,
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
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{what} {text}\n{}", self.site.told());
        Sent::Answered(status, serde_json::from_str(&text).unwrap_or_default())
    }

    /// One thing done to some booking; `false` when the server is gone.
    pub async fn act(&mut self, tokens: &Tokens) -> bool {
        let ids: Vec<String> = self.diary.acknowledged.keys().rev().take(20).cloned().collect();
        if ids.is_empty() {
            return true;
        }
        let id = ids[usize::try_from(self.dice.up_to(ids.len() as u64)).unwrap()].clone();
        let (what, sent) = match self.dice.up_to(8) {
            0 => {
                let path = format!("/api/c/bookings/cancel/{id}");
                ("cancelled", self.ask(&tokens.customer, Method::PUT, &path, None, None).await)
            }
            1 => {
                let body = json!({ "status": "pending", "language": "en", "reason": "crash" });
                let path = format!("/api/bookings/status/{id}");
                ("taken back", self.ask(&tokens.ops, Method::PUT, &path, None, Some(&body)).await)
            }
            // The move is prepared, done, and not done after all.
            3 => {
                let (to, what) = if self.dice.up_to(2) == 0 { ("assigned", "assigned") } else { ("completed", "done") };
                let body = json!({ "status": to, "language": "en", "reason": "crash" });
                let path = format!("/api/bookings/status/{id}");
                (what, self.ask(&tokens.ops, Method::PUT, &path, None, Some(&body)).await)
            }
            4 => {
                let (version, amount) = (1 + self.dice.up_to(4), 100 + self.dice.up_to(900));
                let body = json!({ "amount": format!("{amount}.00") });
                let stale = format!("\"{version}\"");
                ("priced", self.edit_price(&tokens.ops, &id, &stale, &body).await)
            }
            2 => {
                let body = json!({ "mateCount": 1 + self.dice.up_to(2) });
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
                self.diary.keys += 1;
                let key = format!("deed-{}", self.diary.keys);
                let deed = money::choose(&money, &id, &key, &mut |n| self.dice.up_to(n));
                return self.give(&tokens.ops, Begun { key, id, deed }).await;
            }
        };
        match sent {
            Sent::Gone => false,
            Sent::Answered(status, _) => {
                if status.is_success() {
                    *self.diary.done.entry(what).or_default() += 1;
                }
                true
            }
        }
    }

    /// Sends what staff began; `false` when the server is gone.
    pub async fn give(&mut self, token: &str, begun: Begun) -> bool {
        let sent = self.ask(token, Method::POST, &begun.deed.path, Some(&begun.key), Some(&begun.deed.body)).await;
        match sent {
            Sent::Gone => {
                self.diary.begun.push(begun);
                false
            }
            Sent::Answered(status, problem) => {
                let code = problem["code"].as_str().unwrap_or_default();
                if status.is_success() {
                    *self.diary.done.entry(begun.deed.what).or_default() += 1;
                    if begun.deed.stays {
                        self.diary.deeds.insert(begun.key, begun.id);
                    }
                } else if status.is_server_error() || code == "request_in_flight" {
                    self.diary.begun.push(begun);
                }
                true
            }
        }
    }
}
