//! Who may call a route. Deny by default: what is not in the table does not exist.

use actix_web::{
    Error, FromRequest, HttpMessage, HttpRequest,
    body::{BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::header,
    middleware::Next,
    web,
};
use service::{Caller, ErrorCode, Staff};
use std::{
    future::{Ready, ready},
    sync::Arc,
};
use tracing::Instrument;

use crate::{
    authenticator::Unknown,
    client::{self, Origin},
    contract::{Contract, DeclaredAnswer, Declares},
    endpoint::Access,
    http::{ApiError, Code, HttpCode, RequestId, request, sizes::BodyLimit},
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

impl Declares for Who {
    fn declare(_: &mut Contract) {}
}

/// The caller as somebody of operations: an argument of what only they may do. The table lets nobody else come so far; the
/// use case asks for the proof all the same.
#[derive(Debug, Clone)]
pub struct AsStaff(pub Staff);

impl FromRequest for AsStaff {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let who = Who::from_request(req, payload).into_inner();
        ready(who.and_then(|who| Ok(AsStaff(Staff::prove(&who.0)?))))
    }
}

impl Declares for AsStaff {
    fn declare(contract: &mut Contract) {
        contract.refuses(&[ErrorCode::Forbidden]);
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
    /// What it answers.
    pub answers: Vec<DeclaredAnswer>,
    /// Why it refuses.
    pub codes: Vec<Code>,
}

impl Row {
    /// What an answer is that the row does not declare; none when it does.
    fn undeclared(&self, response: &ServiceResponse<impl MessageBody>) -> Option<String> {
        let status = response.status().as_u16();
        if let Some(refusal) = response.response().error().and_then(|e| e.as_error::<ApiError>()) {
            let row = refusal.code.row();
            let same = |c: &Code| c.row().code == row.code && c.row().status == row.status;
            return (!self.codes.iter().any(same)).then(|| format!("{status} {}", row.code));
        }
        let media = response.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok());
        let media = media.and_then(|m| m.split(';').next());
        let same = |a: &DeclaredAnswer| a.status == status && a.content.as_ref().map(|(media, _)| *media) == media;
        let told = self.answers.is_empty() || self.answers.iter().any(same);
        (!told).then(|| format!("{status} with {}", media.unwrap_or("no body")))
    }
}

/// Runs before every handler of the table: limits, then identity, then permission, and only
/// then the body is read. Log lines of the call carry method, pattern and request id, nothing
/// personal.
pub async fn guard(
    row: Arc<Row>,
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let (pattern, method) = (row.pattern, req.method().clone());
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
                let response = next.call(req).await?;
                let undeclared = row.undeclared(&response);
                if let Some(what) = &undeclared {
                    tracing::error!(what, "an answer that its row of the table does not declare");
                }
                debug_assert!(undeclared.is_none(), "{method} {pattern} does not declare {undeclared:?}");
                Ok(response.map_into_boxed_body())
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
    let language = request::language(req.request());
    let request_id = RequestId::of(req.request());
    // Calls from this machine itself are nobody's network.
    let origin = Origin::of_request(req.request(), state.config.limits.behind_proxy);
    let network = origin.filter(|_| !client::is_local(req.request())).map(Origin::pseudonym);
    if access == Access::Public {
        return Ok(Caller { request_id, network, ..Caller::guest(language) });
    }
    let Some(token) = bearer(req.request())? else { return Err(ErrorCode::SignInNeeded.into()) };
    let caller = state.authenticator.caller(token, language, request_id).await.map_err(|unknown| match unknown {
        // Who it is is known, and that it may not any more: a new sign-in changes nothing about that.
        Unknown::RoleTaken(role) if !access.allows(role) => ErrorCode::Forbidden.into(),
        unknown => ApiError::from(unknown),
    })?;
    if access.allows(caller.role) { Ok(Caller { network, ..caller }) } else { Err(ErrorCode::Forbidden.into()) }
}

/// The token of a request, if it has one.
///
/// # Errors
/// `invalid_token` when the header is something else.
pub(crate) fn bearer(req: &HttpRequest) -> Result<Option<&str>, ApiError> {
    let Some(value) = req.headers().get(header::AUTHORIZATION) else { return Ok(None) };
    let text = value.to_str().map_err(|_| ApiError::from(HttpCode::InvalidToken))?;
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty() => {
            Ok(Some(token.trim()))
        }
        _ => Err(HttpCode::InvalidToken.into()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use actix_web::{HttpResponse, test::TestRequest};

    #[test]
    fn a_row_knows_its_own_answers() {
        let row = Row {
            pattern: "/api/x",
            access: Access::Public,
            limit: None,
            body_limit: BodyLimit(1),
            answers: vec![DeclaredAnswer::plain(200, "", "application/json"), DeclaredAnswer::empty(204, "")],
            codes: vec![Code::Rule(ErrorCode::TipLocked)],
        };
        let request = || TestRequest::default().to_http_request();
        let judge = |response: HttpResponse| row.undeclared(&ServiceResponse::new(request(), response));
        let refused = |code| row.undeclared(&ServiceResponse::<BoxBody>::from_err(ApiError::rule(code), request()));
        assert_eq!(judge(HttpResponse::Ok().json(1)), None);
        assert_eq!(judge(HttpResponse::NoContent().finish()), None);
        assert_eq!(refused(ErrorCode::TipLocked), None);
        assert_eq!(refused(ErrorCode::TipInvalid).as_deref(), Some("422 tip_invalid"));
        for (other, told) in [
            (HttpResponse::Created().json(1), "201 with application/json"),
            (HttpResponse::Ok().content_type("text/html; charset=utf-8").body("x"), "200 with text/html"),
            (HttpResponse::Ok().finish(), "200 with no body"),
        ] {
            assert_eq!(judge(other).as_deref(), Some(told));
        }
    }
}
