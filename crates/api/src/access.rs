//! Who may call a route. Deny by default: what is not in the table does not exist.

use actix_web::{
    Error, FromRequest, HttpMessage, HttpRequest,
    body::{BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::header,
    middleware::Next,
    web,
};
use service::{Caller, ErrorCode};
use std::{
    future::{Ready, ready},
    sync::Arc,
};
use tracing::Instrument;

use crate::{
    client::{self, Origin},
    endpoint::Access,
    http::{ApiError, HttpCode, Query, RequestId, query::Bound, request, sizes::BodyLimit},
    limits::LimitClass,
    state::State,
};

/// The caller, as an argument of handlers; put there by [`guard`].
#[derive(Debug, Clone)]
pub struct Who(pub Caller);

impl FromRequest for Who {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let who = req.extensions().get::<Who>().cloned();
        ready(who.ok_or_else(|| ApiError::internal("a handler asked for its caller outside of the route table")))
    }
}

/// The path pattern that matched, for figures and log lines: never the path with its ids. (Asking
/// the router again would match every pattern a second time.)
#[derive(Debug, Clone, Copy)]
pub struct Pattern(pub &'static str);

/// What the table says about a call, as far as it matters before its handler.
#[derive(Debug)]
pub struct Row {
    /// Path pattern.
    pub pattern: &'static str,
    /// Who may call.
    pub access: Access,
    /// What its calls are counted as.
    pub limit: Option<LimitClass>,
    /// The largest body.
    pub body_limit: BodyLimit,
    /// What the document says about query parameters.
    pub query_bounds: Vec<(&'static str, Bound)>,
}

/// Runs before every handler of the table: limits, then identity, then permission, and only
/// then the body is read. Log lines of the call carry method, pattern and request id, nothing
/// personal.
pub async fn guard(
    row: Arc<Row>,
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let pattern = row.pattern;
    let span = {
        let mut extensions = req.extensions_mut();
        extensions.insert(Pattern(pattern));
        extensions.insert(row.body_limit);
        let id = extensions.get::<RequestId>().map_or("", |id| id.0.as_str());
        tracing::info_span!("request", method = req.method().as_str(), route = pattern, request_id = id)
    };
    async move {
        match admit(&row, &req).await {
            Ok(caller) => {
                req.extensions_mut().insert(Who(caller));
                next.call(req).await.map(ServiceResponse::map_into_boxed_body)
            }
            Err(refusal) => Ok(req.error_response(refusal)),
        }
    }
    .instrument(span)
    .await
}

async fn admit(row: &Row, req: &ServiceRequest) -> Result<Caller, ApiError> {
    let access = row.access;
    let state = req.app_data::<web::Data<State>>().ok_or_else(|| ApiError::internal("no state"))?;
    if let Some(class) = row.limit {
        state.limiter.admit(class, req.request())?;
    }
    Query::bounded(req.query_string(), &row.query_bounds)?;
    let language = request::language(req.request());
    let request_id = RequestId::of(req.request());
    // Calls from this machine itself are nobody's network.
    let origin = Origin::of_request(req.request(), state.config.limits.behind_proxy);
    let network = origin.filter(|_| !client::is_local(req.request())).map(Origin::pseudonym);
    if access == Access::Public {
        return Ok(Caller { request_id, network, ..Caller::guest(language) });
    }
    let Some(token) = bearer(req.request())? else { return Err(ErrorCode::SignInNeeded.into()) };
    let caller = state.authenticator.caller(token, language, request_id).await?;
    if access.allows(caller.role) { Ok(Caller { network, ..caller }) } else { Err(ErrorCode::Forbidden.into()) }
}

fn bearer(req: &HttpRequest) -> Result<Option<&str>, ApiError> {
    let Some(value) = req.headers().get(header::AUTHORIZATION) else { return Ok(None) };
    let text = value.to_str().map_err(|_| ApiError::from(HttpCode::InvalidToken))?;
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty() => {
            Ok(Some(token.trim()))
        }
        _ => Err(HttpCode::InvalidToken.into()),
    }
}
