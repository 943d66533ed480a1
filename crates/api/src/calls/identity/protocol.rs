//! OpenID Connect: discovery, authorization, tokens, sign-out.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, http::header, web};
use identity::provider::{AuthorizeRefusal, ProviderAnswer};
use serde::Deserialize;
use serde_json::json;
use service::ports::StoreError;
use utoipa::ToSchema;

use super::shared::{context, header_text, provenance, provider, redirect};
use crate::{
    doc::{Doc, Param},
    endpoint::Access,
    endpoint::Route,
    http::{ApiError, HttpCode, body, nul, request},
    limits::LimitClass,
    pages,
    state::State,
};

type Done = Result<HttpResponse, ApiError>;

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

/// An authorization request as a form: the parameters of the GET.
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation; identity reads the raw form")]
struct AuthorizeForm {
    #[schema(max_length = 4096)]
    client_id: String,
    #[schema(max_length = 4096)]
    redirect_uri: String,
    #[schema(max_length = 4096)]
    response_type: String,
    #[schema(max_length = 4096)]
    scope: Option<String>,
    #[schema(max_length = 4096)]
    state: Option<String>,
    #[schema(max_length = 4096)]
    nonce: Option<String>,
    #[schema(max_length = 4096)]
    code_challenge: Option<String>,
    #[schema(max_length = 4096)]
    code_challenge_method: Option<String>,
    #[schema(max_length = 4096)]
    prompt: Option<String>,
    #[schema(max_length = 4096)]
    ui_locales: Option<String>,
}

/// A sign-out request as a form.
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation; identity reads the raw form")]
struct EndSessionForm {
    #[schema(max_length = 4096)]
    id_token_hint: Option<String>,
    #[schema(max_length = 4096)]
    post_logout_redirect_uri: Option<String>,
    #[schema(max_length = 4096)]
    state: Option<String>,
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

/// A form as it was sent.
async fn form(req: &HttpRequest, payload: web::Payload) -> Result<String, ApiError> {
    let raw = body::form(req, payload).await?;
    checked(&raw)?;
    Ok(raw)
}

/// The longest value of a parameter, characters as sent.
const LONGEST: usize = 4096;

/// A form or query as it was sent, without U+0000 and without values beyond [`LONGEST`].
fn checked(raw: &str) -> Result<&str, ApiError> {
    if nul::in_form(raw) {
        return Err(ApiError::malformed("U+0000 is in no text"));
    }
    if raw.split('&').any(|pair| pair.len() > LONGEST && pair.split_once('=').is_some_and(|(_, v)| v.len() > LONGEST)) {
        return Err(ApiError::malformed("a parameter is longer than 4096 characters"));
    }
    Ok(raw)
}

fn answer(a: ProviderAnswer) -> Done {
    let mut response = HttpResponse::build(StatusCode::from_u16(a.status).map_err(ApiError::internal)?);
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    if a.status == StatusCode::SERVICE_UNAVAILABLE.as_u16() {
        response.insert_header((header::RETRY_AFTER, "1"));
    }
    if let Some(challenge) = a.www_authenticate {
        response.insert_header((header::WWW_AUTHENTICATE, challenge));
    }
    Ok(response.json(a.body))
}

async fn discovery(state: web::Data<State>) -> Done {
    let document = provider(&state)?.discovery();
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "public, max-age=3600")).json(document))
}

async fn jwks(state: web::Data<State>) -> Done {
    let keys = provider(&state)?.jwks();
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "public, max-age=600")).json(keys))
}

async fn authorized(req: &HttpRequest, state: &State, raw: &str) -> Done {
    match provider(state)?.authorize(raw, &context(req, state)).await {
        Ok(a) => Ok(redirect(&a.location, &a.set_cookies)),
        Err(AuthorizeRefusal::Busy) => Err(service::Error::Store(StoreError::Busy).into()),
        Err(AuthorizeRefusal::Failed) => Err(ApiError::internal("an authorization request failed")),
        // Never a redirect to an address that is not the app's: the person is told here.
        Err(refusal) => Ok(pages::refused(&refusal.to_string(), request::language(req))),
    }
}

async fn authorize(req: HttpRequest, state: web::Data<State>) -> Done {
    authorized(&req, &state, checked(req.query_string())?).await
}

async fn authorize_form(req: HttpRequest, state: web::Data<State>, payload: web::Payload) -> Done {
    let raw = form(&req, payload).await?;
    authorized(&req, &state, &raw).await
}

async fn token(req: HttpRequest, state: web::Data<State>, payload: web::Payload) -> Done {
    let raw = form(&req, payload).await?;
    answer(provider(&state)?.token(&raw, header_text(&req, header::AUTHORIZATION)).await)
}

async fn revoke(req: HttpRequest, state: web::Data<State>, payload: web::Payload) -> Done {
    let raw = form(&req, payload).await?;
    answer(provider(&state)?.revoke(&raw).await)
}

async fn userinfo(req: HttpRequest, state: web::Data<State>) -> Done {
    answer(provider(&state)?.userinfo(header_text(&req, header::AUTHORIZATION)).await)
}

async fn ended(req: &HttpRequest, state: &State, raw: &str) -> Done {
    let origin = provenance(req).origin(&state.config.public_url);
    let a = provider(state)?.end_session(raw, &context(req, state), origin).await.map_err(service::Error::Store)?;
    Ok(redirect(&a.location, &a.set_cookies))
}

async fn end_session(req: HttpRequest, state: web::Data<State>) -> Done {
    ended(&req, &state, checked(req.query_string())?).await
}

async fn end_session_form(req: HttpRequest, state: web::Data<State>, payload: web::Payload) -> Done {
    let raw = form(&req, payload).await?;
    ended(&req, &state, &raw).await
}

/// Its part of the table.
pub(super) fn routes() -> Vec<Route> {
    const TAG: &str = "OpenID Connect";
    let text = |name, about| Param::query(name, about, json!({ "type": "string", "maxLength": LONGEST }));
    let authorization = |id| {
        Doc::new(
            id,
            TAG,
            "Authorization endpoint: a code for whoever is signed in, the sign-in page for whoever is not",
        )
        .answers_plain(302, "To the app with a code or an error, or to the sign-in page.", None)
        .answers_plain(400, "Unknown client or redirect URI: told on a page, never by a redirect.", Some("text/html"))
        .refuses_http(&[HttpCode::MalformedRequest])
    };
    let token = |r: Route| r.limited(LimitClass::Token);
    vec![
        Route::get("/identity/.well-known/openid-configuration", Access::Public, discovery).doc(
            Doc::new("discovery", TAG, "OpenID Connect discovery").answers_plain(
                200,
                "The provider's metadata.",
                Some("application/json"),
            ),
        ),
        Route::get("/identity/jwks", Access::Public, jwks).doc(Doc::new("jwks", TAG, "Public keys").answers_plain(
            200,
            "A JWK set.",
            Some("application/json"),
        )),
        token(Route::get("/identity/authorize", Access::Public, authorize)).relation("the cookie's own").doc(
            authorization("authorize")
                .param(text("client_id", "`portage-web`."))
                .param(text("redirect_uri", "One of the client's."))
                .param(text("response_type", "`code`."))
                .param(text("scope", "`openid profile email offline_access`."))
                .param(text("state", "Comes back."))
                .param(text("nonce", "Goes into the ID token."))
                .param(text("code_challenge", "PKCE."))
                .param(text("code_challenge_method", "`S256`."))
                .param(text("prompt", "`none`, `login`, `create`."))
                .param(text("ui_locales", "Language of the pages.")),
        ),
        token(Route::post("/identity/authorize", Access::Public, authorize_form))
            .relation("the cookie's own")
            .doc(authorization("authorizeByForm").form::<AuthorizeForm>()),
        token(Route::post("/identity/token", Access::Public, self::token)).relation("whoever has the code").doc(
            Doc::new("token", TAG, "Token endpoint")
                .form::<TokenForm>()
                .answers_plain(200, "Tokens.", Some("application/json"))
                .answers_plain(400, "An OAuth error.", Some("application/json"))
                .answers_plain(401, "An unknown client, or a wrong secret.", Some("application/json")),
        ),
        token(Route::post("/identity/revoke", Access::Public, revoke)).relation("whoever has the token").doc(
            Doc::new("revoke", TAG, "Revoke what one sign-in of the app was given, by one of its tokens")
                .form::<RevokeForm>()
                .answers_plain(200, "Revoked, or never good.", Some("application/json"))
                .answers_plain(400, "An OAuth error.", Some("application/json")),
        ),
        token(Route::get("/identity/userinfo", Access::Public, userinfo)).relation("the token's own").doc(
            Doc::new("userinfo", TAG, "Who the token is of")
                .answers_plain(200, "Claims.", Some("application/json"))
                .answers_plain(401, "No good token.", Some("application/json"))
                .answers_plain(403, "The token is not for this.", Some("application/json")),
        ),
        token(Route::post("/identity/userinfo", Access::Public, userinfo)).relation("the token's own").doc(
            Doc::new("userinfoByPost", TAG, "Who the token is of")
                .answers_plain(200, "Claims.", Some("application/json"))
                .answers_plain(401, "No good token.", Some("application/json"))
                .answers_plain(403, "The token is not for this.", Some("application/json")),
        ),
        Route::get("/identity/end_session", Access::Public, end_session).relation("the cookie's own").doc(
            Doc::new("endSession", TAG, "Sign out and go on")
                .param(text("id_token_hint", "The ID token."))
                .param(text("post_logout_redirect_uri", "One of the client's."))
                .param(text("state", "Comes back."))
                .answers_plain(302, "On to the allowed address.", None)
                .refuses_http(&[HttpCode::MalformedRequest]),
        ),
        Route::post("/identity/end_session", Access::Public, end_session_form).relation("the cookie's own").doc(
            Doc::new("endSessionByForm", TAG, "Sign out and go on").form::<EndSessionForm>().answers_plain(
                302,
                "On to the allowed address.",
                None,
            ),
        ),
    ]
}
