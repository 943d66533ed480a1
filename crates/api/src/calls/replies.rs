//! What handlers answer. Each type carries its status, its headers and the schema of its body, and
//! declares them for the row it stands in.

use std::marker::PhantomData;

use actix_web::{
    HttpRequest, HttpResponse, Responder,
    body::BoxBody,
    http::{
        StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
};
use serde::Serialize;
use serde_json::Value;
use service::{
    Caller,
    idempotency::{self, Guard},
};
use utoipa::ToSchema;

use crate::{
    contract::{CommonError, Contract, DeclaredAnswer, Declares, JSON, Refusal},
    http::{ApiError, IdempotencyKey},
};

/// What a call answers: `A`, or a refusal for the reasons all calls of its kind have, and those of `E`.
pub type Reply<A, E = ()> = Result<A, Refusal<E>>;

/// The statuses of success with a body: what is declared is what is sent.
const fn success(status: u16) -> StatusCode {
    match status {
        201 => StatusCode::CREATED,
        202 => StatusCode::ACCEPTED,
        _ => StatusCode::OK,
    }
}

fn text_of(body: &impl Serialize) -> Result<Vec<u8>, CommonError> {
    serde_json::to_vec(body).map_err(CommonError::internal)
}

fn json_response(status: StatusCode, body: &impl Serialize) -> HttpResponse {
    match text_of(body) {
        Ok(text) => HttpResponse::build(status).content_type(JSON).body(text),
        Err(e) => HttpResponse::from_error(ApiError::from(e)),
    }
}

/// A JSON body; 200, or the status that is named.
#[derive(Debug)]
pub struct Json<T, const STATUS: u16 = 200>(pub T);

impl<T, const STATUS: u16> Json<T, STATUS> {
    const STATUS: StatusCode = success(STATUS);
}

impl<T: Serialize, const STATUS: u16> Responder for Json<T, STATUS> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        json_response(Self::STATUS, &self.0)
    }
}

impl<T: ToSchema, const STATUS: u16> Declares for Json<T, STATUS> {
    fn declare(contract: &mut Contract) {
        contract.answers::<T>(Self::STATUS);
    }
}

/// A record with its version as `ETag`, 200.
#[derive(Debug)]
pub struct Versioned<T> {
    /// Of the record.
    pub version: i32,
    /// The record.
    pub body: T,
}

/// A record as it is now.
pub fn versioned<T, E>(version: i32, body: T) -> Reply<Versioned<T>, E> {
    Ok(Versioned { version, body })
}

impl<T: Serialize> Responder for Versioned<T> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        let mut response = json_response(StatusCode::OK, &self.body);
        if let Ok(tag) = HeaderValue::from_str(&format!("\"{}\"", self.version)) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        response
    }
}

impl<T: ToSchema> Declares for Versioned<T> {
    fn declare(contract: &mut Contract) {
        contract.answers::<T>(StatusCode::OK).headers.push(("ETag", "The version of the record, for `If-Match`."));
    }
}

/// Done; there is nothing to say. 204.
#[derive(Debug)]
pub struct NoContent;

impl Responder for NoContent {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::NoContent().finish()
    }
}

impl Declares for NoContent {
    fn declare(contract: &mut Contract) {
        contract.answers_with(DeclaredAnswer::empty(204, "Done."));
    }
}

/// An answer that may be cached; the text is its `Cache-Control`.
#[derive(Debug)]
pub struct Cached<A>(pub &'static str, pub A);

impl<A: Responder<Body = BoxBody>> Responder for Cached<A> {
    type Body = BoxBody;

    fn respond_to(self, req: &HttpRequest) -> HttpResponse {
        let mut response = self.1.respond_to(req);
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(self.0));
        response
    }
}

impl<A: Declares> Declares for Cached<A> {
    fn declare(contract: &mut Contract) {
        A::declare(contract);
    }
}

/// The answer of a call that acts once per idempotency key, or a repetition of its first answer.
#[derive(Debug)]
pub struct Once<T, const STATUS: u16 = 200>(HttpResponse, PhantomData<fn() -> T>);

impl<T: Serialize, const STATUS: u16> Once<T, STATUS> {
    /// The guard of such a call, when the client sent a key.
    pub fn guard<V: 'static>(
        key: IdempotencyKey,
        caller: &Caller,
        call: &str,
        body_hash: &str,
        body: fn(&V) -> T,
    ) -> Option<Guard<V>>
    where
        T: 'static,
    {
        Self::guarded(key.of_caller(caller, call, body_hash), body)
    }

    /// The same guard for a key whose owner is known.
    pub fn guarded<V: 'static>(
        request: Option<idempotency::Request>,
        body: impl Fn(&V) -> T + Send + 'static,
    ) -> Option<Guard<V>>
    where
        T: 'static,
    {
        Some(Guard {
            request: request?,
            // Only a map with keys that are not text could fail, and we have none.
            render: Box::new(move |value| {
                (success(STATUS).as_u16(), serde_json::to_value(body(value)).unwrap_or(Value::Null))
            }),
        })
    }

    /// What was done now, or what was answered to the first request.
    pub fn of<V>(answer: idempotency::Replayable<V>, body: impl Fn(&V) -> T) -> Result<Self, CommonError> {
        let response = match answer {
            idempotency::Replayable::Fresh(value) => json_response(Json::<T, STATUS>::STATUS, &body(&value)),
            idempotency::Replayable::Replayed { status, body } => {
                let status = StatusCode::from_u16(status).map_err(CommonError::internal)?;
                let mut response = json_response(status, &body);
                let replayed = HeaderName::from_static("idempotency-replayed");
                response.headers_mut().insert(replayed, HeaderValue::from_static("true"));
                response
            }
        };
        Ok(Once(response, PhantomData))
    }
}

impl<T, const STATUS: u16> Responder for Once<T, STATUS> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        self.0
    }
}

impl<T: ToSchema, const STATUS: u16> Declares for Once<T, STATUS> {
    fn declare(contract: &mut Contract) {
        let answer = contract.answers::<T>(Json::<T, STATUS>::STATUS);
        answer.headers.push(("Idempotency-Replayed", "`true` when this is the answer of an earlier request."));
    }
}

/// A response made by hand; its kind `K` declares what it may be.
pub struct Made<K>(HttpResponse, PhantomData<fn() -> K>);

impl<K> Made<K> {
    /// The guard before the handler compares the response with what `K` declares.
    pub fn new(response: HttpResponse) -> Made<K> {
        Made(response, PhantomData)
    }
}

impl<K> Responder for Made<K> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        self.0
    }
}

impl<K: Declares> Declares for Made<K> {
    fn declare(contract: &mut Contract) {
        K::declare(contract);
    }
}

/// Defines kinds of answers that are made by hand: a name for each, and what it declares.
#[macro_export]
macro_rules! made {
    ($($(#[$doc:meta])* $name:ident: $($answer:expr),+;)+) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;

        impl $crate::contract::Declares for $name {
            fn declare(contract: &mut $crate::contract::Contract) {
                $(contract.answers_with($answer);)+
            }
        }
    )+};
}
pub use made;

/// An answer that may carry the cookie of a new guest.
#[derive(Debug)]
pub struct WithGuest<A>(pub crate::guest::Guest, pub A);

impl<A: Responder<Body = BoxBody>> Responder for WithGuest<A> {
    type Body = BoxBody;

    fn respond_to(self, req: &HttpRequest) -> HttpResponse {
        self.0.remember(self.1.respond_to(req))
    }
}

impl<A: Declares> Declares for WithGuest<A> {
    fn declare(contract: &mut Contract) {
        A::declare(contract);
    }
}

/// An answer that sets cookies and must not be cached.
#[derive(Debug)]
pub struct WithCookies<A>(pub Vec<String>, pub A);

impl<A: Responder<Body = BoxBody>> Responder for WithCookies<A> {
    type Body = BoxBody;

    fn respond_to(self, req: &HttpRequest) -> HttpResponse {
        let mut response = self.1.respond_to(req);
        let headers = response.headers_mut();
        for cookie in self.0.iter().filter_map(|c| HeaderValue::from_str(c).ok()) {
            headers.append(header::SET_COOKIE, cookie);
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

impl<A: Declares> Declares for WithCookies<A> {
    fn declare(contract: &mut Contract) {
        A::declare(contract);
    }
}

/// A redirect to another address, 302.
#[derive(Debug)]
pub struct Redirect(pub String);

impl Responder for Redirect {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::Found().insert_header((header::LOCATION, self.0)).finish()
    }
}

impl Declares for Redirect {
    fn declare(contract: &mut Contract) {
        contract.answers_with(DeclaredAnswer::empty(302, "On to the address of `Location`."));
    }
}
