//! What the calls of the provider share: the request as the provider sees it, and its answers.

use actix_web::{HttpRequest, http::header};
use identity::{
    Identity, RequestContext,
    cookie::{self, DEVICE, SESSION, VERIFY},
    csrf::Provenance,
};

use crate::{
    client::client_address,
    contract::{Refusal, refusals},
    http::{RequestId, request},
    state::State,
};

refusals! {
    /// Why an account page or an app is not answered at all.
    ProviderRefusal { Http: PathNotFound }
}

refusals! {
    /// The same of a call that our own pages make.
    PageRefusal { Http: CrossSiteRefused, PathNotFound }
}

/// The provider; with an external one these paths do not exist.
pub(super) fn provider(state: &State) -> Result<&Identity, ProviderRefusal> {
    state.identity.as_ref().ok_or(ProviderRefusal::PathNotFound)
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

impl<E> From<ProviderRefusal> for Refusal<(PageRefusal, E)> {
    fn from(_: ProviderRefusal) -> Self {
        PageRefusal::PathNotFound.into()
    }
}

/// Refuses what another site's page sent.
pub(super) fn same_site(req: &HttpRequest, state: &State) -> Result<(), PageRefusal> {
    if provenance(req).allows_post(&state.config.public_url) { Ok(()) } else { Err(PageRefusal::CrossSiteRefused) }
}

/// The same of a call without a body, of which no JSON can be demanded: the origin alone decides.
pub(super) fn from_elsewhere(req: &HttpRequest, state: &State) -> Result<(), PageRefusal> {
    let foreign = provenance(req).origin(&state.config.public_url) == identity::csrf::Origin::Foreign;
    if foreign { Err(PageRefusal::CrossSiteRefused) } else { Ok(()) }
}
