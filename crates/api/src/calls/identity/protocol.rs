//! OpenID Connect: discovery, authorization, tokens, sign-out.

use actix_web::{Either, HttpRequest, HttpResponse, http::StatusCode, http::header, web};
use identity::provider::{AuthorizeRefusal, ProviderAnswer};
use serde::Deserialize;
use service::ports::StoreError;
use utoipa::ToSchema;

use super::shared::{ProviderRefusal, context, header_text, provenance, provider};
use crate::{
    calls::replies::{Cached, Made, Redirect, Reply, WithCookies, made},
    contract::{CommonError, DeclaredAnswer, JSON},
    endpoint::{Access, Audit, Example, Relation, Route},
    http::{RawQuery, RequestId, body::Form, nul, request},
    limits::LimitClass,
    pages,
    state::State,
};

made! {
    /// What the token endpoint says.
    Tokens:
        DeclaredAnswer::plain(200, "Tokens.", JSON),
        DeclaredAnswer::plain(400, "An OAuth error.", JSON),
        DeclaredAnswer::plain(401, "An unknown client, or a wrong secret.", JSON),
        DeclaredAnswer::plain(503, "Not now.", JSON);
    /// What the revocation endpoint says.
    Revocation:
        DeclaredAnswer::plain(200, "Revoked, or never good.", JSON),
        DeclaredAnswer::plain(400, "An OAuth error.", JSON),
        DeclaredAnswer::plain(401, "An unknown client.", JSON),
        DeclaredAnswer::plain(503, "Not now.", JSON);
    /// Who a token is of.
    Claims:
        DeclaredAnswer::plain(200, "Claims.", JSON),
        DeclaredAnswer::plain(401, "No good token.", JSON),
        DeclaredAnswer::plain(403, "The token is not for this.", JSON),
        DeclaredAnswer::plain(503, "Not now.", JSON);
    /// The provider's metadata.
    Metadata: DeclaredAnswer::plain(200, "The provider's metadata.", JSON);
    /// Public keys.
    Keys: DeclaredAnswer::plain(200, "A JWK set.", JSON);
    /// An authorization request that is not one of our app's.
    NotOurs: DeclaredAnswer::plain(400, "Unknown client or redirect URI: told on a page, never by a redirect.", "text/html");
}

type AuthorizeReply = Reply<Either<WithCookies<Redirect>, Made<NotOurs>>, ProviderRefusal>;
type EndSessionReply = Reply<WithCookies<Redirect>, ProviderRefusal>;

/// What the token endpoint takes (RFC 6749, 7636).
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation; identity reads the raw form")]
struct TokenForm {
    /// `authorization_code`, `refresh_token`, `client_credentials`.
    #[schema(max_length = 4096)]
    grant_type: String,
    #[schema(max_length = 4096)]
    client_id: Option<String>,
    #[schema(max_length = 4096)]
    code: Option<String>,
    #[schema(max_length = 4096)]
    code_verifier: Option<String>,
    #[schema(max_length = 4096)]
    redirect_uri: Option<String>,
    #[schema(max_length = 4096)]
    refresh_token: Option<String>,
    #[schema(max_length = 4096)]
    client_secret: Option<String>,
    #[schema(max_length = 4096)]
    scope: Option<String>,
}

/// An authorization request, as query or form. What is missing or wrong is told on a page, not as a problem.
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation; identity reads it as it was sent")]
struct AuthorizeParams {
    /// `portage-web`.
    #[schema(max_length = 4096)]
    client_id: Option<String>,
    /// One of the client's.
    #[schema(max_length = 4096)]
    redirect_uri: Option<String>,
    /// `code`.
    #[schema(max_length = 4096)]
    response_type: Option<String>,
    /// `openid profile email offline_access`.
    #[schema(max_length = 4096)]
    scope: Option<String>,
    /// Comes back.
    #[schema(max_length = 4096)]
    state: Option<String>,
    /// Goes into the ID token.
    #[schema(max_length = 4096)]
    nonce: Option<String>,
    /// PKCE.
    #[schema(max_length = 4096)]
    code_challenge: Option<String>,
    /// `S256`.
    #[schema(max_length = 4096)]
    code_challenge_method: Option<String>,
    /// `none`, `login`, `create`.
    #[schema(max_length = 4096)]
    prompt: Option<String>,
    /// Language of the pages.
    #[schema(max_length = 4096)]
    ui_locales: Option<String>,
}

/// A sign-out request, as query or form.
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation; identity reads it as it was sent")]
struct EndSessionParams {
    /// The ID token.
    #[schema(max_length = 4096)]
    id_token_hint: Option<String>,
    /// One of the client's.
    #[schema(max_length = 4096)]
    post_logout_redirect_uri: Option<String>,
    /// Comes back.
    #[schema(max_length = 4096)]
    state: Option<String>,
    /// `portage-web`.
    #[schema(max_length = 4096)]
    client_id: Option<String>,
}

/// What the revocation endpoint takes (RFC 7009).
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation; identity reads the raw form")]
struct RevokeForm {
    /// A refresh token or an access token.
    #[schema(max_length = 4096)]
    token: String,
    #[schema(max_length = 4096)]
    client_id: String,
}

/// The longest value of a parameter, characters as sent.
const LONGEST: usize = 4096;

/// A form or query as it was sent, without U+0000 and without values beyond [`LONGEST`].
fn checked(raw: &str) -> Result<&str, CommonError> {
    if nul::in_form(raw) {
        return Err(CommonError::malformed("U+0000 is in no text"));
    }
    if raw.split('&').any(|pair| pair.len() > LONGEST && pair.split_once('=').is_some_and(|(_, v)| v.len() > LONGEST)) {
        return Err(CommonError::malformed("a parameter is longer than 4096 characters"));
    }
    Ok(raw)
}

fn answer<K>(a: ProviderAnswer) -> Result<Made<K>, CommonError> {
    let mut response = HttpResponse::build(StatusCode::from_u16(a.status).map_err(CommonError::internal)?);
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    if a.status == StatusCode::SERVICE_UNAVAILABLE.as_u16() {
        response.insert_header((header::RETRY_AFTER, "1"));
    }
    if let Some(challenge) = a.www_authenticate {
        response.insert_header((header::WWW_AUTHENTICATE, challenge));
    }
    Ok(Made::new(response.json(a.body)))
}

async fn discovery(state: web::Data<State>) -> Reply<Cached<Made<Metadata>>, ProviderRefusal> {
    let document = provider(&state)?.discovery();
    Ok(Cached("public, max-age=3600", Made::new(HttpResponse::Ok().json(document))))
}

async fn jwks(state: web::Data<State>) -> Reply<Cached<Made<Keys>>, ProviderRefusal> {
    let keys = provider(&state)?.jwks();
    Ok(Cached("public, max-age=600", Made::new(HttpResponse::Ok().json(keys))))
}

async fn authorize_reply(req: &HttpRequest, state: &State, raw: &str) -> AuthorizeReply {
    match provider(state)?.authorize(checked(raw)?, &context(req, state)).await {
        Ok(a) => Ok(Either::Left(WithCookies(a.set_cookies, Redirect(a.location)))),
        Err(AuthorizeRefusal::Busy) => Err(service::Error::Store(StoreError::Busy).into()),
        Err(AuthorizeRefusal::Failed) => Err(CommonError::internal("an authorization request failed").into()),
        // A redirect to an address that is not the app's is never sent: this page explains the refusal.
        Err(refusal) => Ok(Either::Right(Made::new(pages::refused(&refusal.to_string(), request::language(req))))),
    }
}

async fn authorize(req: HttpRequest, state: web::Data<State>, query: RawQuery<AuthorizeParams>) -> AuthorizeReply {
    authorize_reply(&req, &state, &query.0).await
}

async fn authorize_form(req: HttpRequest, state: web::Data<State>, form: Form<AuthorizeParams>) -> AuthorizeReply {
    authorize_reply(&req, &state, &form.text).await
}

async fn token(
    req: HttpRequest,
    state: web::Data<State>,
    form: Form<TokenForm>,
) -> Reply<Made<Tokens>, ProviderRefusal> {
    let raw = checked(&form.text)?;
    Ok(answer(provider(&state)?.token(raw, header_text(&req, header::AUTHORIZATION)).await)?)
}

async fn revoke(
    req: HttpRequest,
    state: web::Data<State>,
    form: Form<RevokeForm>,
) -> Reply<Made<Revocation>, ProviderRefusal> {
    let raw = checked(&form.text)?;
    Ok(answer(provider(&state)?.revoke(raw, RequestId::of(&req)).await)?)
}

async fn userinfo(req: HttpRequest, state: web::Data<State>) -> Reply<Made<Claims>, ProviderRefusal> {
    Ok(answer(provider(&state)?.userinfo(header_text(&req, header::AUTHORIZATION)).await)?)
}

async fn end_session_reply(req: &HttpRequest, state: &State, raw: &str) -> EndSessionReply {
    let origin = provenance(req).origin(&state.config.public_url);
    let a = provider(state)?.end_session(checked(raw)?, &context(req, state), origin).await;
    let a = a.map_err(service::Error::Store)?;
    Ok(WithCookies(a.set_cookies, Redirect(a.location)))
}

async fn end_session(req: HttpRequest, state: web::Data<State>, query: RawQuery<EndSessionParams>) -> EndSessionReply {
    end_session_reply(&req, &state, &query.0).await
}

async fn end_session_form(req: HttpRequest, state: web::Data<State>, form: Form<EndSessionParams>) -> EndSessionReply {
    end_session_reply(&req, &state, &form.text).await
}

/// An authorization request of the app's, as both methods take it.
const AUTHORIZATION: &[(&str, &str)] = &[
    ("client_id", "portage-web"),
    ("redirect_uri", "{redirect_uri}"),
    ("response_type", "code"),
    ("scope", "openid profile email offline_access"),
    ("state", "s"),
    ("nonce", "n"),
    ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
    ("code_challenge_method", "S256"),
    ("prompt", "none"),
];

/// Its part of the table.
pub(super) fn routes() -> Vec<Route> {
    const TAG: &str = "OpenID Connect";
    const AUTHORIZE: &str =
        "Authorization endpoint: a code for whoever is signed in, the sign-in page for whoever is not";
    let token = |r: Route| r.limited(LimitClass::Token);
    let (public, unrecorded) = (Access::Public, Audit::Unrecorded);
    vec![
        Route::get("/identity/.well-known/openid-configuration", public, discovery).doc(
            "discovery",
            TAG,
            "OpenID Connect discovery",
        ),
        Route::get("/identity/jwks", public, jwks).doc("jwks", TAG, "Public keys"),
        token(Route::get("/identity/authorize", public, authorize))
            .audited(unrecorded)
            .relation(Relation::Cookie)
            .doc("authorize", TAG, AUTHORIZE)
            .example(Example::query(AUTHORIZATION)),
        token(Route::post("/identity/authorize", public, unrecorded, authorize_form))
            .relation(Relation::Cookie)
            .doc("authorizeByForm", TAG, AUTHORIZE)
            .example(Example::form(AUTHORIZATION)),
        token(Route::post("/identity/token", public, unrecorded, self::token))
            .relation(Relation::WhoeverHasTheCode)
            .doc("token", TAG, "Token endpoint")
            .example(Example::form(&[
                ("grant_type", "refresh_token"),
                ("client_id", "portage-web"),
                ("refresh_token", "{refresh_token}"),
            ])),
        token(Route::post("/identity/revoke", public, Audit::Action("grant.revoke"), revoke))
            .relation(Relation::WhoeverHasTheToken)
            .doc("revoke", TAG, "Revoke what one sign-in of the app was given, by one of its tokens")
            .example(Example::form(&[("client_id", "portage-web"), ("token", "{refresh_token}")])),
        token(Route::get("/identity/userinfo", public, userinfo)).relation(Relation::Token).doc(
            "userinfo",
            TAG,
            "Who the token is of",
        ),
        token(Route::post("/identity/userinfo", public, Audit::Looks, userinfo)).relation(Relation::Token).doc(
            "userinfoByPost",
            TAG,
            "Who the token is of",
        ),
        Route::get("/identity/end_session", public, end_session)
            .audited(Audit::Action("session.end"))
            .relation(Relation::Cookie)
            .doc("endSession", TAG, "Sign out and go on")
            .example(Example::query(&[("post_logout_redirect_uri", "{home}")])),
        Route::post("/identity/end_session", public, Audit::Action("session.end"), end_session_form)
            .relation(Relation::Cookie)
            .doc("endSessionByForm", TAG, "Sign out and go on")
            .example(Example::form(&[("client_id", "portage-web")])),
    ]
}
