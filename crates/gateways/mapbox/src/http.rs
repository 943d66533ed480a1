//! One GET: time limit, retries, and no secret in any message.

use std::{
    hash::{BuildHasher as _, RandomState},
    time::Duration,
};

use kernel::chrono::DateTime;
use reqwest::{Client, Response, StatusCode, Url, header::HeaderMap, redirect::Policy};
use serde_json::Value;
use service::ports::maps::MapsError;
use tokio::sync::Semaphore;

/// A route across the country with full geometry is some three megabytes.
const LARGEST_ANSWER: usize = 16 * 1024 * 1024;

/// How patient we are with a maps service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The whole call with its retries; a person is waiting.
    pub timeout: Duration,
    /// Further attempts after a 5xx, a 429 or a broken connection.
    pub retries: u32,
    /// Wait before the first retry; doubles, with up to as much again by chance.
    pub backoff: Duration,
    /// Calls in flight at the same time; further ones wait their turn within their time.
    pub max_in_flight: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { timeout: Duration::from_secs(5), retries: 2, backoff: Duration::from_millis(150), max_in_flight: 16 }
    }
}

/// What came back, whatever the status; `Null` when the body is not JSON.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub status: StatusCode,
    pub body: Value,
}

impl HttpAnswer {
    /// The service's own words, for the log.
    pub(crate) fn message(&self) -> String {
        let said = self.body.get("message").and_then(Value::as_str).unwrap_or("no explanation");
        format!("HTTP {}: {}", self.status.as_u16(), said.chars().take(200).collect::<String>())
    }

    /// An answer nothing better is known about than its status.
    pub(crate) fn failure(&self) -> MapsError {
        if self.status.is_client_error()
            && self.status != StatusCode::TOO_MANY_REQUESTS
            && self.status != StatusCode::REQUEST_TIMEOUT
        {
            MapsError::Misconfigured(self.message())
        } else {
            MapsError::Unavailable(self.message())
        }
    }
}

pub(crate) struct Http {
    client: Client,
    permits: Semaphore,
    limits: Limits,
    service: &'static str,
}

/// The base address of a service: http or https, with a path that segments can be added to.
pub(crate) fn base_url(text: &str) -> Result<Url, MapsError> {
    let url = Url::parse(text.trim_end_matches('/')).map_err(|e| MapsError::Misconfigured(format!("{e}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(MapsError::Misconfigured(
            "the address of a maps service must begin with http:// or https://".to_owned(),
        ));
    }
    Ok(url)
}

/// `base` with a path added to its own.
pub(crate) fn at(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url
}

impl Http {
    pub(crate) fn new(service: &'static str, limits: Limits, base: &Url) -> Result<Http, MapsError> {
        let mut builder = Client::builder()
            .user_agent(concat!("Portage/", env!("CARGO_PKG_VERSION")))
            // Shorter than servers keep idle connections open.
            .pool_idle_timeout(std::time::Duration::from_secs(4))
            .redirect(Policy::none());
        if base.host_str().is_some_and(|h| h == "localhost" || h.starts_with("127.") || h == "[::1]") {
            // A proxy for the outside world cannot reach our own loopback.
            builder = builder.no_proxy();
        }
        if base.scheme() == "http" {
            // Without TLS nobody's certificate is asked for; reading the machine's takes milliseconds.
            builder = builder.tls_certs_only([]);
        }
        let client = builder.build().map_err(|e| MapsError::Misconfigured(e.without_url().to_string()))?;
        Ok(Http { client, permits: Semaphore::new(limits.max_in_flight.max(1)), limits, service })
    }

    /// Asks until there is an answer, the attempts are used up or the time is over.
    pub(crate) async fn get(&self, url: Url) -> Result<HttpAnswer, MapsError> {
        let call = async {
            let _permit = self.permits.acquire().await.map_err(|_| MapsError::Unavailable("closed".to_owned()))?;
            self.attempts(url).await
        };
        match tokio::time::timeout(self.limits.timeout, call).await {
            Ok(answer) => answer,
            Err(_) => Err(self.unavailable("no answer in time")),
        }
    }

    async fn attempts(&self, url: Url) -> Result<HttpAnswer, MapsError> {
        let mut attempt = 0;
        loop {
            let result = self.once(url.clone()).await;
            let wait = match &result {
                Ok((answer, headers)) if answer.status == StatusCode::TOO_MANY_REQUESTS => {
                    wait_of(headers).unwrap_or_else(|| self.backoff(attempt))
                }
                Ok((answer, _)) if answer.status.is_server_error() => self.backoff(attempt),
                Ok(_) => return result.map(|(answer, _)| answer),
                Err(_) => self.backoff(attempt),
            };
            // A reset that lies beyond our time limit is not worth waiting for.
            if attempt >= self.limits.retries || wait >= self.limits.timeout {
                return result.map(|(answer, _)| answer);
            }
            attempt += 1;
            tracing::debug!(service = self.service, attempt, ?wait, "maps service is asked again");
            tokio::time::sleep(wait).await;
        }
    }

    async fn once(&self, url: Url) -> Result<(HttpAnswer, HeaderMap), MapsError> {
        // The address holds our token: it must not reach a log.
        let failed = |e: reqwest::Error| self.unavailable(&chain(&e.without_url()));
        let mut response = self.client.get(url).send().await.map_err(failed)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes =
            read(&mut response).await.map_err(failed)?.ok_or_else(|| self.unavailable("the answer is too large"))?;
        Ok((HttpAnswer { status, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) }, headers))
    }

    fn unavailable(&self, why: &str) -> MapsError {
        MapsError::Unavailable(format!("{}: {why}", self.service))
    }

    /// Doubling, with up to as much again by chance so that clients do not march in step.
    fn backoff(&self, attempt: u32) -> Duration {
        let base = self.limits.backoff.saturating_mul(1 << attempt.min(6));
        let chance = RandomState::new().hash_one(attempt) % 1000;
        base + base.mul_f64(chance as f64 / 1000.0)
    }
}

async fn read(response: &mut Response) -> Result<Option<Vec<u8>>, reqwest::Error> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if bytes.len() + chunk.len() > LARGEST_ANSWER {
            return Ok(None);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Some(bytes))
}

/// The error with its causes: reqwest's own text stops at "error sending request".
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    text
}

/// When a 429 may be asked again: `Retry-After`, or `X-Rate-Limit-Reset` against the server's
/// own `Date`, so that our clock does not matter.
fn wait_of(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok());
    if let Some(seconds) = text("retry-after").and_then(|v| v.trim().parse().ok()) {
        return Some(Duration::from_secs(seconds));
    }
    let reset: i64 = text("x-rate-limit-reset")?.trim().parse().ok()?;
    let now = DateTime::parse_from_rfc2822(text("date")?).ok()?.timestamp();
    Some(Duration::from_secs(u64::try_from(reset.saturating_sub(now)).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(n, v)| (n.parse().unwrap(), v.parse().unwrap())).collect()
    }

    #[test]
    fn the_service_says_how_long_to_wait() {
        assert_eq!(wait_of(&headers(&[("retry-after", "3")])), Some(Duration::from_secs(3)));
        let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(wait_of(&headers(&[date, ("x-rate-limit-reset", "784111779")])), Some(Duration::from_secs(2)));
        assert_eq!(wait_of(&headers(&[date, ("x-rate-limit-reset", "1")])), Some(Duration::ZERO));
        assert_eq!(wait_of(&headers(&[("x-rate-limit-reset", "784111779")])), None);
        assert_eq!(wait_of(&headers(&[("retry-after", "soon")])), None);
    }

    #[test]
    fn base_addresses_keep_their_path() {
        let base = base_url("http://127.0.0.1:8080/simulators/mapbox/").unwrap();
        assert_eq!(at(&base, "/search").as_str(), "http://127.0.0.1:8080/simulators/mapbox/search");
        assert_eq!(
            at(&base_url("https://api.mapbox.com").unwrap(), "/search").as_str(),
            "https://api.mapbox.com/search"
        );
        for bad in ["", "api.mapbox.com", "ftp://x", "http://", "file:///etc/passwd"] {
            assert!(matches!(base_url(bad), Err(MapsError::Misconfigured(_))), "{bad}");
        }
    }

    #[test]
    fn waits_grow() {
        let limits = Limits::default();
        let http = Http::new("test", limits, &base_url("http://localhost").unwrap()).unwrap();
        for attempt in 0..5 {
            let wait = http.backoff(attempt);
            let least = limits.backoff * (1 << attempt);
            assert!(wait >= least && wait <= least * 2, "{attempt}: {wait:?}");
        }
    }
}
