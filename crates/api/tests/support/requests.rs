//! Short ways to call.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use service::ports::{StoreError, Unit, capacity::DayCapacity};

pub use super::answer::Answer;
#[allow(unused_imports, reason = "not every test sends each of them")]
pub use super::bodies::{draft, estimate};
use super::{TestApp, people::GUEST};

/// A form with one file, as a browser sends it.
#[allow(dead_code, reason = "not every test sends files")]
pub fn with_file(request: RequestBuilder, part: &str, name: &str, bytes: &[u8]) -> RequestBuilder {
    const BOUNDARY: &str = "----a-boundary-7f3e";
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{part}\"; filename=\"{name}\"\r\nContent-Type: application/octet-stream\r\n\r\n"
    );
    let body = [head.as_bytes(), bytes, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat();
    request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}")).body(body)
}

impl TestApp {
    pub fn path(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    pub async fn builder(&self, who: &'static str, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, self.path(path));
        if who == GUEST { request } else { request.bearer_auth(self.token(who).await) }
    }

    pub async fn send(&self, who: &'static str, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let request = self.builder(who, method, path).await;
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        Answer::of(request.send().await.unwrap()).await
    }

    pub async fn get(&self, who: &'static str, path: &str) -> Answer {
        self.send(who, Method::GET, path, None).await
    }

    pub async fn post(&self, who: &'static str, path: &str, body: &Value) -> Answer {
        self.send(who, Method::POST, path, Some(body)).await
    }

    pub async fn put(&self, who: &'static str, path: &str, body: &Value) -> Answer {
        self.send(who, Method::PUT, path, Some(body)).await
    }

    /// Montréal has one crew, of the largest size a customer may book.
    pub async fn only_one_crew(&self) {
        let four = DayCapacity { mates: 4, trucks: [1, 1, 1] };
        let week = move |u: &mut dyn Unit| (0..7).try_for_each(|day| u.capacities().set_default("montreal", day, four));
        let written: Result<(), StoreError> = self.services.store.write(week).await;
        written.unwrap();
    }

    /// A customer with a card.
    pub async fn store_card(&self, who: &'static str, nonce: &str) -> Answer {
        self.post(who, "/api/payment", &json!({ "paymentNonce": nonce })).await
    }

    /// Books the standard move; the record.
    pub async fn book(&self, who: &'static str) -> Value {
        self.store_card(who, "fake-valid-nonce").await.expect(200);
        let answer = self.post(who, "/api/bookings", &json!({ "bookingRequest": draft("2027-02-17", "09:00") })).await;
        let body = answer.expect(201).body;
        self.run_jobs().await;
        body
    }
}
