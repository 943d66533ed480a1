//! The service over HTTP: what a broken call means, and the words of whoever refused.

use std::time::Duration;

use async_trait::async_trait;
use kernel::{
    E164,
    chrono::{DateTime, Duration as Days, Utc},
};
use reqwest::{Client, StatusCode, Url, header};
use secrecy::{ExposeSecret as _, SecretString};
use serde::de::DeserializeOwned;
use service::ports::sms::{KnownSms, OutgoingSms, Reason, SmsError, Texter};
use tokio::sync::Semaphore;

use crate::{
    config::{Config, Timeouts},
    errors::{self, refusal},
    signature::is_signed,
    wire::{WireError, WireMessage, WirePage},
};

/// More calls at once are answered 429.
const CONCURRENCY: usize = 10;
/// A page of messages is some hundred kilobytes.
const LARGEST_ANSWER: usize = 4 * 1024 * 1024;
/// Messages a page, and pages that are read.
const PAGE: &str = "100";
const PAGES: usize = 5;
/// The longest wait that is believed of `Retry-After`.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);
/// How far the service's clock may be behind ours.
const SKEW: Days = Days::minutes(2);
/// How every path of the service begins.
const VERSION: &str = "/2010-04-01";

/// A client of the service.
pub struct Twilio {
    http: Client,
    base: Url,
    account_sid: String,
    auth_token: SecretString,
    sender: (&'static str, String),
    timeouts: Timeouts,
    permits: Semaphore,
}

/// The service's answer to a call, with its status.
struct ApiReply {
    status: StatusCode,
    wait: Option<Duration>,
    body: Vec<u8>,
}

/// What a call does, which decides what a lost answer means.
#[derive(Clone, Copy, PartialEq)]
enum Effect {
    Reads,
    Sends,
}

impl Effect {
    fn lost(self, why: String) -> SmsError {
        match self {
            Effect::Reads => SmsError::NotTaken { why, wait: None },
            Effect::Sends => SmsError::Unknown(why),
        }
    }
}

impl Twilio {
    /// Checks the settings; nothing is asked yet.
    ///
    /// # Errors
    /// `Misconfigured`, with what is wrong.
    pub fn new(config: Config) -> Result<Twilio, SmsError> {
        let base = config.checked()?;
        let mut builder = Client::builder()
            .user_agent(concat!("Portage/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(config.timeouts.connect)
            // Servers close idle connections after five seconds and more; one that is being closed must not carry a message.
            .pool_idle_timeout(Duration::from_secs(4))
            // A redirected POST would show our token to whoever it points at.
            .redirect(reqwest::redirect::Policy::none());
        if base.host_str().is_some_and(|h| h == "localhost" || h.starts_with("127.") || h == "[::1]") {
            // A proxy for the outside world cannot reach our own loopback.
            builder = builder.no_proxy();
        }
        if base.scheme() == "http" {
            // Without TLS nobody's certificate is asked for; reading the machine's takes milliseconds.
            builder = builder.tls_certs_only([]);
        }
        let http = builder.build().map_err(|e| SmsError::Misconfigured(e.without_url().to_string()))?;
        let field = if config.is_service() { "MessagingServiceSid" } else { "From" };
        Ok(Twilio {
            http,
            base,
            account_sid: config.account_sid,
            auth_token: config.auth_token,
            sender: (field, config.sender),
            timeouts: config.timeouts,
            permits: Semaphore::new(CONCURRENCY),
        })
    }

    fn url(&self, tail: &str) -> Url {
        let mut url = self.base.clone();
        let path = format!("{}/Accounts/{}/{tail}.json", self.base.path().trim_end_matches('/'), self.account_sid);
        url.set_path(&path);
        url
    }

    /// A page that another one named, below our own base: nobody else's.
    fn page(&self, uri: &str) -> Option<Url> {
        let rest = uri.strip_prefix(VERSION)?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        if !path.starts_with(&format!("/Accounts/{}/Messages", self.account_sid)) {
            return None;
        }
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        url.set_query((!query.is_empty()).then_some(query));
        Some(url)
    }

    async fn call(&self, request: reqwest::RequestBuilder, effect: Effect) -> Result<ApiReply, SmsError> {
        // A call that waits too long for its turn is not sent.
        let _permit = match tokio::time::timeout(self.timeouts.total, self.permits.acquire()).await {
            Ok(Ok(permit)) => permit,
            _ => return Err(SmsError::NotTaken { why: "too many calls wait for it".to_owned(), wait: None }),
        };
        let request = request
            .basic_auth(&self.account_sid, Some(self.auth_token.expose_secret()))
            .header(header::ACCEPT, "application/json")
            .timeout(self.timeouts.total);
        let mut response = request.send().await.map_err(|e| failed_request(&e, effect))?;
        let status = response.status();
        let wait = response.headers().get(header::RETRY_AFTER).and_then(|v| v.to_str().ok()?.trim().parse().ok());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|e| failed_request(&e, effect))? {
            if body.len() + chunk.len() > LARGEST_ANSWER {
                return Err(effect.lost("the answer is too large".to_owned()));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(ApiReply { status, wait: wait.map(|s| Duration::from_secs(s).min(LONGEST_WAIT)), body })
    }

    async fn list(&self, mut url: Url, since: DateTime<Utc>, found: &mut Vec<KnownSms>) -> Result<(), SmsError> {
        for _ in 0..PAGES {
            let answer = self.call(self.http.get(url), Effect::Reads).await?;
            let page: WirePage = read(answer, Effect::Reads)?;
            // The newest come first: what follows an older one is older.
            let mut older = false;
            for message in page.messages.into_iter().filter_map(WireMessage::into_known) {
                older |= message.created_at.is_some_and(|at| at < since - SKEW);
                if message.created_at.is_none_or(|at| at >= since - SKEW) && !found.iter().any(|m| m.sid == message.sid)
                {
                    found.push(message);
                }
            }
            match page.next_page_uri.as_deref() {
                Some(uri) if !older => {
                    url = self.page(uri).ok_or_else(|| Effect::Reads.lost("the next page is elsewhere".to_owned()))?;
                }
                _ => break,
            }
        }
        Ok(())
    }
}

/// The error of a request that got lost, or whose answer did.
fn failed_request(error: &reqwest::Error, effect: Effect) -> SmsError {
    let why = chain(error);
    if error.is_builder() {
        return SmsError::Misconfigured(why);
    }
    if error.is_connect() {
        return SmsError::NotTaken { why, wait: None };
    }
    effect.lost(if error.is_timeout() { "no answer in time".to_owned() } else { why })
}

/// The sources of an error in one line, without the address.
fn chain(error: &reqwest::Error) -> String {
    let mut text = Vec::new();
    let mut next: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(source) = next {
        text.push(source.to_string());
        next = source.source();
    }
    if text.is_empty() { "the connection broke".to_owned() } else { text.join(": ") }
}

/// The service's own words, with the phone numbers in them hidden.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut digits = 0;
    for c in text.chars().take(200) {
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        out.push(if digits > 5 { '*' } else { c });
    }
    out
}

fn read<T: DeserializeOwned>(answer: ApiReply, effect: Effect) -> Result<T, SmsError> {
    let status = answer.status.as_u16();
    match status {
        200..=299 => serde_json::from_slice(&answer.body).map_err(|e| effect.lost(format!("unreadable answer: {e}"))),
        429 => Err(SmsError::NotTaken { why: "HTTP 429: too many calls".to_owned(), wait: answer.wait }),
        408 | 500..=599 => Err(effect.lost(format!("HTTP {status}"))),
        _ => {
            let error: WireError = serde_json::from_slice(&answer.body).unwrap_or_default();
            if error.code == Some(20429) {
                return Err(SmsError::NotTaken { why: "error 20429: too many calls".to_owned(), wait: answer.wait });
            }
            Err(refusal(status, error.code, &without_numbers(&error.message)))
        }
    }
}

#[async_trait]
impl Texter for Twilio {
    async fn send(&self, sms: &OutgoingSms) -> Result<KnownSms, SmsError> {
        let valid = sms.valid_seconds.map(|seconds| seconds.clamp(1, 36_000).to_string());
        let mut form = vec![
            ("To", sms.to.as_str()),
            (self.sender.0, &self.sender.1),
            ("Body", &sms.body),
            ("StatusCallback", &sms.callback),
        ];
        form.extend(valid.as_deref().map(|seconds| ("ValidityPeriod", seconds)));
        let told = self.call(self.http.post(self.url("Messages")).form(&form), Effect::Sends).await;
        let known = told.and_then(|answer| read::<WireMessage>(answer, Effect::Sends)).and_then(|message| {
            message.into_known().ok_or_else(|| SmsError::Unknown("it answered with a status nobody knows".to_owned()))
        });
        if let Err(failure) = &known {
            tracing::warn!(%failure, to = sms.to.masked(), "a text message was not taken");
        }
        known
    }

    async fn sent_to(&self, to: &E164, since: DateTime<Utc>) -> Result<Vec<KnownSms>, SmsError> {
        let mut found = Vec::new();
        let mut url = self.url("Messages");
        url.query_pairs_mut().extend_pairs([("To", to.as_str()), ("PageSize", PAGE)]);
        let mut dated = url.clone();
        dated.query_pairs_mut().append_pair("DateSent>", &(since - SKEW).format("%Y-%m-%d").to_string());
        self.list(dated, since, &mut found).await?;
        // What waits at the service has no date of sending yet, and nothing says that the filter lets it through.
        self.list(url, since, &mut found).await?;
        Ok(found)
    }

    async fn read(&self, sid: &str) -> Result<Option<KnownSms>, SmsError> {
        if sid.len() != 34 || !sid.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Ok(None);
        }
        let answer = self.call(self.http.get(self.url(&format!("Messages/{sid}"))), Effect::Reads).await?;
        if answer.status == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        Ok(read::<WireMessage>(answer, Effect::Reads)?.into_known())
    }

    fn signed(&self, url: &str, parameters: &[(String, String)], signature: &str) -> bool {
        is_signed(&self.auth_token, url, parameters, None, signature)
    }

    fn reason(&self, error_code: i32) -> Reason {
        errors::reason(error_code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_the_services_words_are_hidden() {
        assert_eq!(
            without_numbers("The 'To' number +15145550199 is not valid, see 21211"),
            "The 'To' number +15145****** is not valid, see 21211"
        );
    }
}
