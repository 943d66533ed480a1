//! What a call answered.

use reqwest::Response;
use serde_json::Value;

/// Status, headers and JSON body of an answer.
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
    pub body: Value,
}

impl Answer {
    pub async fn of(response: Response) -> Answer {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = match headers.get("content-type").is_some_and(|t| t == "text/event-stream") {
            // It has no end: its first piece tells that it has begun.
            true => {
                let mut response = response;
                let first = response.chunk().await.ok().flatten().unwrap_or_default();
                String::from_utf8_lossy(&first).into_owned()
            }
            false => response.text().await.unwrap_or_default(),
        };
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Answer { status, headers, text, body }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or("")
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or("")
    }
}
