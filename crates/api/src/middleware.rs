//! The outermost layer: request id, security headers, errors as problems, log line, figures.

use std::{rc::Rc, sync::atomic::Ordering, time::Instant};

use actix_web::{
    Error, HttpMessage,
    body::{BodySize, BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        ConnectionType, Method,
        header::{self, HeaderMap, HeaderName, HeaderValue},
    },
    middleware::Next,
    web,
};
use kernel::chrono::{DateTime, SecondsFormat, Utc};
use service::Mode;

use crate::{
    access::Pattern,
    connections::{Activity, Pieces, StreamedBody},
    http::{ApiError, Code, HttpCode, RequestId, problem, request},
    state::State,
};

/// Wraps everything.
pub async fn outer(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let began = Instant::now();
    let length = req.headers().get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse().ok());
    let connection = req.conn_data::<Rc<Activity>>().cloned();
    let working = connection.as_ref().map(|a| a.work(length.unwrap_or(0)));
    let id = request_id(&req);
    let state = req.app_data::<web::Data<State>>();
    let https = state.is_some_and(|s| s.config.public_url.is_https());
    let draining = state.is_some_and(|s| s.draining.load(Ordering::Relaxed));
    // In demo mode the clock may be a file, while `Date` is the machine's time.
    let clock = state.filter(|s| s.services.mode == Mode::Demo).map(|s| s.services.clock.clone());
    req.extensions_mut().insert(RequestId(id.clone()));
    let response = next.call(req).await?.map_into_boxed_body();
    let mut response = with_problem(response, &id);
    let method = response.request().method().clone();
    let status = response.status().as_u16();
    let (route, took) = (route_of(&response), began.elapsed());
    crate::metrics::request(&method, route, status, took);
    // The route, not the path: that may hold ids and links that open accounts.
    tracing::info!(target: "access", %method, route, status, micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX), request = id, "answered");
    secure(response.headers_mut(), https);
    if draining {
        // A proxy that keeps connections would send its next request on one that closes meanwhile.
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    let personal = response.request().headers().contains_key(header::AUTHORIZATION)
        || SECRET_LINKS.iter().any(|start| route.starts_with(start));
    if personal && !response.headers().contains_key(header::CACHE_CONTROL) {
        // Responses to signed-in users, and to whoever holds a secret link, are never cached.
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HeaderName::from_static(request::REQUEST_ID), value);
    }
    if let Some(Ok(now)) = clock.map(|clock| HeaderValue::from_str(&instant(clock.now()))) {
        response.headers_mut().insert(HeaderName::from_static(request::CLOCK), now);
    }
    match working {
        Some(working) if response.response().body().size() == BodySize::Stream => {
            Ok(response.map_body(|_, body| BoxBody::new(StreamedBody::new(body, working))))
        }
        _ => {
            // A body that is not sent is never taken by the client, and must not wait for that.
            let sent = method != Method::HEAD && ![204, 304].contains(&status);
            Ok(response.map_body(|_, body| Pieces::of(body, connection.filter(|_| sent))))
        }
    }
}

/// An instant as answers write it.
fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The pattern of the matched route; pages, files and unknown paths share one.
fn route_of(response: &ServiceResponse<BoxBody>) -> &'static str {
    response.request().extensions().get::<Pattern>().map_or("unmatched", |p| p.0)
}

fn request_id(req: &ServiceRequest) -> String {
    let given = req.headers().get(request::REQUEST_ID).and_then(|v| v.to_str().ok()).and_then(RequestId::accept);
    given.map_or_else(
        || {
            req.app_data::<web::Data<State>>()
                .map(|s| s.services.entropy.uuid(s.services.clock.now()).to_string())
                .unwrap_or_default()
        },
        |id| id.0,
    )
}

/// Gives an error its body, and logs our own faults once.
fn with_problem(response: ServiceResponse<BoxBody>, id: &str) -> ServiceResponse<BoxBody> {
    let language = request::language(response.request());
    let status = response.status();
    let rendered = response.response().error().map(|e| match e.as_error::<ApiError>() {
        Some(ours) => {
            log(ours, route_of(&response), id);
            problem::render(ours, language)
        }
        None => problem::render(&problem::of_status(status), language),
    });
    match rendered {
        Some(body) => response.into_response(body),
        None => response,
    }
}

fn log(e: &ApiError, route: &str, id: &str) {
    match (&e.cause, e.code) {
        (Some(cause), _) => tracing::error!(cause, route, request_id = id, "request failed"),
        (None, Code::Http(HttpCode::Internal)) => tracing::error!(route, request_id = id, "request failed"),
        (None, code) => tracing::debug!(code = code.row().code, route, request_id = id, "request refused"),
    }
}

/// Paths that show personal data or amounts to whoever has the link.
const SECRET_LINKS: [&str; 5] = ["/api/pay/", "/api/card/", "/api/consent/", "/api/quotes/", "/api/unsubscribe/"];

/// What an answer of the API depends on besides its address.
const VARIES: &str = "Accept-Language, Authorization";

/// Sets `Vary` before the answer is compressed: the compression adds its own value.
///
/// # Errors
/// Those of the handler.
pub async fn varied(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut response = next.call(req).await?;
    if !response.headers().contains_key(header::VARY) {
        response.headers_mut().insert(header::VARY, HeaderValue::from_static(VARIES));
    }
    Ok(response)
}

/// Headers of every answer. Pages set their own content policy; anything else gets the one that
/// allows nothing.
fn secure(headers: &mut HeaderMap, https: bool) {
    let mut default = |name: HeaderName, value: &'static str| {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    };
    default(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    default(header::REFERRER_POLICY, "strict-origin-when-cross-origin");
    default(header::X_FRAME_OPTIONS, "SAMEORIGIN");
    default(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    default(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    default(HeaderName::from_static("permissions-policy"), "geolocation=(self), camera=(), microphone=(), usb=()");
    default(
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
    default(header::VARY, VARIES);
    if https {
        default(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000; includeSubDomains");
    }
}
