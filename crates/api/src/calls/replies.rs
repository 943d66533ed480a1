//! Answers: plain ones, versioned ones, and those that may be the repetition of an earlier one.

use actix_web::{HttpResponse, HttpResponseBuilder, http::StatusCode, http::header};
use serde::Serialize;
use serde_json::Value;
use service::{
    Caller,
    idempotency::{self, Answer, Guard},
};

use crate::http::{ApiError, IdempotencyKey};

/// What a call answers.
pub type Reply = Result<HttpResponse, ApiError>;

/// 200 with a body.
pub fn ok(body: &impl Serialize) -> Reply {
    respond(StatusCode::OK, body)
}

/// Any status with a body.
pub fn respond(status: StatusCode, body: &impl Serialize) -> Reply {
    let text = serde_json::to_vec(body).map_err(ApiError::internal)?;
    Ok(HttpResponse::build(status).content_type("application/json").body(text))
}

/// 200 with a body and its version as `ETag`.
pub fn versioned(version: i32, body: &impl Serialize) -> Reply {
    let text = serde_json::to_vec(body).map_err(ApiError::internal)?;
    Ok(tagged(HttpResponse::Ok(), version).content_type("application/json").body(text))
}

fn tagged(mut response: HttpResponseBuilder, version: i32) -> HttpResponseBuilder {
    response.insert_header((header::ETAG, format!("\"{version}\"")));
    response
}

/// The guard of a call that must act once a key, when the client sent one.
pub fn guard<T: 'static>(
    key: IdempotencyKey,
    caller: &Caller,
    call: &str,
    body_hash: &str,
    status: StatusCode,
    body: impl FnOnce(&T) -> Value + Send + 'static,
) -> Option<Guard<T>> {
    guarded(key.of_caller(caller, call, body_hash), status, body)
}

/// The same, of a key whose owner is known.
pub fn guarded<T: 'static>(
    request: Option<idempotency::Request>,
    status: StatusCode,
    body: impl FnOnce(&T) -> Value + Send + 'static,
) -> Option<Guard<T>> {
    Some(Guard { request: request?, render: Box::new(move |value| (status.as_u16(), body(value))) })
}

/// The answer of such a call.
pub fn once<T>(answer: Answer<T>, status: StatusCode, body: impl FnOnce(&T) -> Value) -> Reply {
    match answer {
        Answer::Fresh(value) => respond(status, &body(&value)),
        Answer::Replayed { status, body } => {
            let status = StatusCode::from_u16(status).map_err(ApiError::internal)?;
            Ok(HttpResponse::build(status)
                .insert_header(("idempotency-replayed", "true"))
                .content_type("application/json")
                .body(body.to_string()))
        }
    }
}

/// A DTO as a JSON value; only a map with keys that are not text could fail, and we have none.
pub fn json(body: impl Serialize) -> Value {
    serde_json::to_value(body).unwrap_or(Value::Null)
}
