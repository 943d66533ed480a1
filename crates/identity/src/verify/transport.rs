//! Fetching an issuer's JSON documents.

use std::time::Duration;

use serde_json::Value;

const TIMEOUT: Duration = Duration::from_secs(5);
const TRIES: u32 = 3;
const MAX_LEN: usize = 1024 * 1024;

/// Why a document could not be had.
pub(super) enum Trouble {
    /// Worth another try.
    Passing(String),
    /// The answer will not change.
    Final(String),
}

/// A client that follows no redirects: a document comes from where it is said to be.
pub(super) fn client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none()).build()
}

/// A JSON document, tried three times.
pub(super) async fn get(http: &reqwest::Client, url: &str, bearer: Option<&str>) -> Result<Value, String> {
    let mut pause = Duration::from_millis(100);
    let mut tries = 1;
    loop {
        match attempt(http, url, bearer).await {
            Ok(document) => return Ok(document),
            Err(Trouble::Passing(why)) if tries < TRIES => {
                tracing::debug!(url, why, tries, "identity provider did not answer, trying again");
                tokio::time::sleep(pause).await;
                pause *= 3;
                tries += 1;
            }
            Err(Trouble::Passing(why) | Trouble::Final(why)) => return Err(format!("{url}: {why}")),
        }
    }
}

async fn attempt(http: &reqwest::Client, url: &str, bearer: Option<&str>) -> Result<Value, Trouble> {
    let request = http.get(url).header("accept", "application/json");
    let request = match bearer {
        Some(token) => request.bearer_auth(token),
        None => request,
    };
    let mut response = request.send().await.map_err(|e| Trouble::Passing(chain(&e)))?;
    let status = response.status();
    if status.is_server_error() || status.as_u16() == 429 {
        return Err(Trouble::Passing(format!("status {status}")));
    }
    if !status.is_success() {
        return Err(Trouble::Final(format!("status {status}")));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|e| Trouble::Passing(chain(&e)))? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_LEN {
            return Err(Trouble::Final("the document is too long".to_owned()));
        }
    }
    serde_json::from_slice(&body).map_err(|e| Trouble::Final(format!("not JSON: {e}")))
}

/// An error with its causes: "error sending request" alone helps nobody.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text.push_str(": ");
        text.push_str(&next.to_string());
        cause = next.source();
    }
    text
}
