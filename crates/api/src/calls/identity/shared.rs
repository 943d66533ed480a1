//! What the calls of the provider share: the request as the provider sees it, and its answers.

use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, http::StatusCode, http::header};
use identity::{
    Identity, RequestContext,
    cookie::{self, DEVICE, SESSION, VERIFY},
    csrf::Provenance,
};

use crate::{
    client::client_address,
    http::{ApiError, HttpCode, RequestId, request},
    state::State,
};

/// The provider; with an external one these paths do not exist.
pub(super) fn provider(state: &State) -> Result<&Identity, ApiError> {
    state.identity.as_ref().ok_or_else(|| HttpCode::PathNotFound.into())
}

pub(super) fn header_text(req: &HttpRequest, name: header::HeaderName) -> Option<&str> {
    req.headers().get(name).and_then(|v| v.to_str().ok())
}

pub(super) fn context(req: &HttpRequest, state: &State) -> RequestContext {
    let cookies = header_text(req, header::COOKIE).unwrap_or("");
    RequestContext {
        session: cookie::find(cookies, SESSION).map(str::to_owned),
        verify: cookie::find(cookies, VERIFY).map(str::to_owned),
        device: cookie::find(cookies, DEVICE).map(str::to_owned),
        address: client_address(req, state.config.limits.behind_proxy),
        language: request::language(req),
        request_id: RequestId::of(req),
    }
}

pub(super) fn provenance(req: &HttpRequest) -> Provenance<'_> {
    Provenance {
        origin: header_text(req, header::ORIGIN),
        sec_fetch_site: req.headers().get("sec-fetch-site").and_then(|v| v.to_str().ok()),
        content_type: header_text(req, header::CONTENT_TYPE),
    }
}

/// Refuses what another site's page sent.
pub(super) fn same_site(req: &HttpRequest, state: &State) -> Result<(), ApiError> {
    if provenance(req).allows_post(&state.config.public_url) { Ok(()) } else { Err(HttpCode::CrossSiteRefused.into()) }
}

pub(super) fn with_cookies(mut response: HttpResponseBuilder, cookies: &[String]) -> HttpResponseBuilder {
    for cookie in cookies {
        response.append_header((header::SET_COOKIE, cookie.as_str()));
    }
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    response
}

pub(super) fn redirect(location: &str, cookies: &[String]) -> HttpResponse {
    let mut response = HttpResponse::build(StatusCode::FOUND);
    response.insert_header((header::LOCATION, location));
    with_cookies(response, cookies).finish()
}
