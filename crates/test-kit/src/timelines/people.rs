//! Where a case is lived through, and the people in it.

use std::{cell::RefCell, collections::HashMap};

use kernel::chrono::{DateTime, Duration, Utc};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::answer::Answer;

pub const GUEST: &str = "guest";
pub const CUSTOMER: &str = "customer";
pub const OPS: &str = "ops";

/// The app in this process, or the program itself.
pub trait House {
    fn now(&self) -> DateTime<Utc>;
    fn move_to(&self, at: DateTime<Utc>);
    /// The next instant, `end` at the latest, at which something may happen by itself.
    async fn next(&self, end: DateTime<Utc>) -> Option<DateTime<Utc>>;
    /// Returns when the workers have done what is due. `happened` says whether all that is expected
    /// by now is on the books, for a house that cannot see its workers.
    async fn rest(&self, happened: impl AsyncFn() -> bool) -> Result<(), String>;
    /// A rate card under which every move costs exactly so many cents before tax.
    async fn flat_rate(&self, amount: i64);
    /// Signs in; the session's cookie.
    async fn session(&self, who: &str) -> String;
    /// An access token of a session.
    async fn token(&self, cookie: &str) -> String;
    fn request(&self, method: Method, path: &str) -> RequestBuilder;
    /// Compares gateway and ledger; how many transactions there were.
    async fn reconcile(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<usize, String>;
    /// Jobs that are due, and jobs that were given up.
    async fn jobs(&self) -> (i64, i64);
}

struct Session {
    cookie: String,
    token: String,
    used: DateTime<Utc>,
}

/// Access tokens live a quarter of an hour.
const FRESH: Duration = Duration::minutes(10);
/// A session that is used lives on; one that was idle longer has ended.
const IDLE: Duration = Duration::days(14);

/// Who calls: signed in again whenever too much time has passed.
pub struct People<'a, H> {
    pub house: &'a H,
    sessions: RefCell<HashMap<&'static str, Session>>,
}

impl<'a, H: House> People<'a, H> {
    pub fn of(house: &'a H) -> People<'a, H> {
        People { house, sessions: RefCell::default() }
    }

    async fn token(&self, who: &'static str) -> String {
        let now = self.house.now();
        let known = self.sessions.borrow_mut().remove(who);
        let session = match known {
            Some(s) if now - s.used < FRESH => s,
            other => {
                let cookie = match other {
                    Some(s) if now - s.used < IDLE => s.cookie,
                    _ => self.house.session(who).await,
                };
                Session { token: self.house.token(&cookie).await, cookie, used: now }
            }
        };
        let token = session.token.clone();
        self.sessions.borrow_mut().insert(who, session);
        token
    }

    async fn send(
        &self,
        who: &'static str,
        method: Method,
        path: &str,
        dress: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Answer {
        let request = self.house.request(method, path);
        let request = if who == GUEST { request } else { request.bearer_auth(self.token(who).await) };
        Answer::of(dress(request).send().await.unwrap()).await
    }

    pub async fn get(&self, who: &'static str, path: &str) -> Answer {
        self.send(who, Method::GET, path, |r| r).await
    }

    pub async fn post(&self, who: &'static str, path: &str, body: &Value) -> Answer {
        self.send(who, Method::POST, path, |r| r.json(body)).await
    }

    pub async fn put(&self, who: &'static str, path: &str, body: &Value) -> Answer {
        self.send(who, Method::PUT, path, |r| r.json(body)).await
    }

    pub async fn put_nothing(&self, who: &'static str, path: &str) -> Answer {
        self.send(who, Method::PUT, path, |r| r).await
    }

    /// A change of the version that was read.
    pub async fn put_version(&self, who: &'static str, path: &str, body: &Value, version: &str) -> Answer {
        self.send(who, Method::PUT, path, |r| r.header("if-match", version).json(body)).await
    }
}
