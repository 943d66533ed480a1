//! One GraphQL call over HTTP: limits, time-outs, and the reading of every way it can fail.

use std::time::{Duration, Instant};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::{Client, StatusCode, Url, header};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use service::ports::payments::GatewayError;
use tokio::sync::Semaphore;

use crate::config::{Config, Environment, PINNED_VERSION, Timeouts};
use crate::operations::Operation;

/// Braintree publishes no request rate; this keeps us far from any.
const CONCURRENCY: usize = 5;
/// Answers are a few kilobytes; a page of 50 payments stays far below.
const LARGEST_ANSWER: usize = 4 * 1024 * 1024;

/// What a call does if it is applied, which decides its time limit and what a broken answer means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing: may be asked again at will.
    Reads,
    /// Something: an answer that got lost leaves the outcome unknown.
    Writes,
}

/// Why a call has no answer, before it is known what that means for the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// No connection: the gateway never saw the request.
    NotSent(String),
    /// The gateway says it is unavailable (HTTP 503 or `SERVICE_AVAILABILITY`): probably not applied.
    Busy(String),
    /// Anything else, already in the port's words.
    Other(GatewayError),
}

impl From<GatewayError> for Failure {
    fn from(error: GatewayError) -> Self {
        Failure::Other(error)
    }
}

impl From<Failure> for GatewayError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotSent(why) | Failure::Busy(why) => GatewayError::Unavailable(why),
            Failure::Other(error) => error,
        }
    }
}

/// One entry of `errors[]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct WireError {
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    extensions: ErrorExtensions,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ErrorExtensions {
    error_class: Option<String>,
    legacy_code: Option<String>,
}

#[derive(Deserialize)]
struct Envelope {
    data: Option<Value>,
    #[serde(default)]
    errors: Vec<WireError>,
    extensions: Option<EnvelopeExtensions>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EnvelopeExtensions {
    request_id: Option<String>,
}

/// The answer's payload, with the errors that came along (both may be present).
#[derive(Debug)]
pub(crate) struct GraphQlAnswer<T> {
    pub payload: T,
    pub errors: Vec<WireError>,
}

/// A configured connection to one gateway.
pub(crate) struct Transport {
    http: Client,
    endpoint: Url,
    public_key: String,
    private_key: SecretString,
    timeouts: Timeouts,
    permits: Semaphore,
}

impl Transport {
    pub(crate) fn new(config: &Config, timeouts: Timeouts) -> Result<Self, GatewayError> {
        let endpoint = config.checked_endpoint()?;
        let mut builder = Client::builder()
            .user_agent("portage")
            .connect_timeout(timeouts.connect)
            // Servers close idle connections after five seconds and more; one that is being closed
            // must not carry a charge.
            .pool_idle_timeout(std::time::Duration::from_secs(4))
            // A redirected POST would show our keys to whoever it points at.
            .redirect(reqwest::redirect::Policy::none());
        if config.environment == Environment::Simulator {
            builder = builder.no_proxy();
        }
        if endpoint.scheme() == "http" {
            // Without TLS nobody's certificate is asked for; reading the machine's takes milliseconds.
            builder = builder.tls_certs_only([]);
        }
        let http = builder.build().map_err(|e| GatewayError::Misconfigured(format!("HTTP client: {e}")))?;
        Ok(Transport {
            http,
            endpoint,
            public_key: config.public_key.clone(),
            private_key: config.private_key.clone(),
            timeouts,
            permits: Semaphore::new(CONCURRENCY),
        })
    }

    fn authorization(&self) -> String {
        let pair = format!("{}:{}", self.public_key, self.private_key.expose_secret());
        format!("Basic {}", STANDARD.encode(pair))
    }

    fn limit(&self, effect: Effect) -> Duration {
        match effect {
            Effect::Reads => self.timeouts.read,
            Effect::Writes => self.timeouts.money,
        }
    }

    /// Sends one operation and reads its payload.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        operation: &Operation,
        variables: Value,
        effect: Effect,
    ) -> Result<GraphQlAnswer<T>, Failure> {
        let body = json!({
            "query": operation.document,
            "operationName": operation.name,
            "variables": variables,
        });
        let started = Instant::now();
        // The permit is held for the whole exchange; the semaphore is never closed. Who waits too long
        // for it is not sent at all: a send must not start long after it was decided on.
        let limit = self.limit(effect);
        let _permit = match tokio::time::timeout(limit, self.permits.acquire()).await {
            Ok(permit) => permit.map_err(|_| Failure::NotSent("shutting down".to_owned()))?,
            Err(_) => return Err(Failure::NotSent("too many calls wait for the payment gateway".to_owned())),
        };
        let sent = self
            .http
            .post(self.endpoint.clone())
            .header(header::AUTHORIZATION, self.authorization())
            .header(header::ACCEPT, "application/json")
            .header("Braintree-Version", PINNED_VERSION)
            .timeout(limit)
            .json(&body)
            .send()
            .await;
        let read = match sent {
            Ok(response) => read_body(response, effect).await,
            Err(error) => Err(failed_request(&error, effect)),
        };
        let result = read.and_then(|(status, bytes)| {
            let (request_id, outcome) = interpret(operation, effect, status, &bytes);
            tracing::debug!(
                operation = operation.name,
                request_id,
                status = status.as_u16(),
                "payment gateway answered"
            );
            outcome
        });
        if let Err(failure) = &result {
            let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            // The gateway's words may name a customer.
            let failure = kernel::without_addresses(&format!("{failure:?}"));
            tracing::warn!(operation = operation.name, elapsed_ms, failure, "payment gateway call failed");
        }
        result
    }
}

async fn read_body(mut response: reqwest::Response, effect: Effect) -> Result<(StatusCode, Vec<u8>), Failure> {
    let status = response.status();
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failed_request(&error, effect))? {
        if bytes.len() + chunk.len() > LARGEST_ANSWER {
            return Err(answer_lost("the answer is too large", effect));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok((status, bytes))
}

/// The failure of a request that got lost, or whose answer did.
fn failed_request(error: &reqwest::Error, effect: Effect) -> Failure {
    if error.is_builder() {
        return GatewayError::Misconfigured(format!("request: {}", chain(error))).into();
    }
    if error.is_connect() {
        return Failure::NotSent(chain(error));
    }
    answer_lost(&if error.is_timeout() { "no answer in time".to_owned() } else { chain(error) }, effect)
}

/// The sources of an error in one line, without the URL.
fn chain(error: &reqwest::Error) -> String {
    let mut text = Vec::new();
    let mut next: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(source) = next {
        text.push(source.to_string());
        next = source.source();
    }
    if text.is_empty() { "the connection broke".to_owned() } else { text.join(": ") }
}

/// The failure of a call without a usable answer: harmless for a read, an unknown outcome for a write.
fn answer_lost(why: &str, effect: Effect) -> Failure {
    match effect {
        Effect::Reads => Failure::NotSent(why.to_owned()),
        Effect::Writes => GatewayError::Unknown(why.to_owned()).into(),
    }
}

/// Decides from status and body. The body wins where it says anything.
fn interpret<T: DeserializeOwned>(
    operation: &Operation,
    effect: Effect,
    status: StatusCode,
    bytes: &[u8],
) -> (Option<String>, Result<GraphQlAnswer<T>, Failure>) {
    let envelope = serde_json::from_slice::<Envelope>(bytes).ok();
    let request_id = envelope.as_ref().and_then(|e| e.extensions.as_ref()?.request_id.clone());
    let outcome = match envelope {
        Some(envelope) if status.is_success() => payload(operation, effect, envelope),
        Some(envelope) if envelope.errors.iter().any(|e| e.extensions.error_class.is_some()) => {
            Err(classify(&envelope.errors, effect))
        }
        _ => Err(edge(status, effect)),
    };
    (request_id, outcome)
}

fn payload<T: DeserializeOwned>(
    operation: &Operation,
    effect: Effect,
    envelope: Envelope,
) -> Result<GraphQlAnswer<T>, Failure> {
    let Envelope { data, errors, .. } = envelope;
    let root = data.and_then(|mut d| d.get_mut(operation.root).map(Value::take)).filter(|v| !v.is_null());
    let Some(root) = root else {
        // A query for something that is not there answers null without an error.
        return Err(if errors.is_empty() && effect == Effect::Reads {
            GatewayError::NotFound.into()
        } else {
            classify(&errors, effect)
        });
    };
    match serde_json::from_value(root) {
        Ok(payload) => Ok(GraphQlAnswer { payload, errors }),
        Err(error) => Err(answer_lost(&format!("unreadable answer: {error}"), effect)),
    }
}

/// HTTP statuses of the gateway's edge, when the body says nothing.
fn edge(status: StatusCode, effect: Effect) -> Failure {
    let said = format!("HTTP {}", status.as_u16());
    match status.as_u16() {
        // 404: the one URL there is does not exist; 426: our version is no longer served.
        300..=399 | 400 | 401 | 403 | 404 | 405 | 406 | 411 | 413 | 415 | 426 => {
            GatewayError::Misconfigured(said).into()
        }
        429 => GatewayError::RateLimited.into(),
        503 => Failure::Busy(said),
        // 408, 500, 502, 504 and a 200 that is not GraphQL: the request may have gone through.
        _ => answer_lost(&said, effect),
    }
}

/// The first legacy code among the errors.
pub(crate) fn legacy_code(errors: &[WireError]) -> Option<&str> {
    errors.iter().find_map(|e| e.extensions.legacy_code.as_deref())
}

/// True when every error is a refusal of the input.
pub(crate) fn all_validation(errors: &[WireError]) -> bool {
    !errors.is_empty() && errors.iter().all(|e| e.extensions.error_class.as_deref() == Some("VALIDATION"))
}

/// Reads `errors[]`. With several, the one that leaves most open decides.
pub(crate) fn classify(errors: &[WireError], effect: Effect) -> Failure {
    let has = |class: &str| errors.iter().find(|e| e.extensions.error_class.as_deref() == Some(class));
    let known = |e: &WireError| {
        matches!(
            e.extensions.error_class.as_deref(),
            Some(
                "AUTHENTICATION"
                    | "AUTHORIZATION"
                    | "NOT_FOUND"
                    | "VALIDATION"
                    | "UNSUPPORTED_CLIENT"
                    | "NOT_IMPLEMENTED"
                    | "RESOURCE_LIMIT"
                    | "SERVICE_AVAILABILITY"
            )
        )
    };
    let Some(first) = errors.first() else {
        return answer_lost("an answer without data and without errors", effect);
    };
    // INTERNAL, an unknown class, or none at all.
    if let Some(open) = errors.iter().find(|e| !known(e)) {
        return answer_lost(&open.message, effect);
    }
    if let Some(error) = has("SERVICE_AVAILABILITY") {
        return Failure::Busy(error.message.clone());
    }
    if has("RESOURCE_LIMIT").is_some() {
        return GatewayError::RateLimited.into();
    }
    for class in ["AUTHENTICATION", "AUTHORIZATION", "UNSUPPORTED_CLIENT", "NOT_IMPLEMENTED"] {
        if let Some(error) = has(class) {
            return GatewayError::Misconfigured(format!("{class}: {}", error.message)).into();
        }
    }
    if has("NOT_FOUND").is_some() {
        return GatewayError::NotFound.into();
    }
    let code = legacy_code(errors);
    match code {
        // The same request key is being worked on, or its record is damaged: ask what became of it.
        Some("915233" | "915235") => answer_lost(&first.message, effect),
        Some("91513") => GatewayError::Misconfigured(first.message.clone()).into(),
        _ => GatewayError::Rejected { code: code.map(str::to_owned), message: first.message.clone() }.into(),
    }
}

#[cfg(test)]
#[path = "transport_tests.rs"]
mod tests;
