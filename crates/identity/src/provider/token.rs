//! The token endpoint: who asks, for which grant, and the shape of answers.

use base64::{Engine, engine::general_purpose::STANDARD};
use oauth2::{
    AccessToken, ExtraTokenFields, RefreshToken, Scope, StandardErrorResponse, StandardTokenResponse,
    basic::{BasicErrorResponseType as Kind, BasicTokenType},
};
use serde::{Deserialize, Serialize};
use service::ports::StoreError;

use super::{TOKEN_LIFE, claims::mint_for_machine, params::Params, scope};
use crate::{CLIENT_ID, Identity, secret};

/// What OpenID Connect adds to a token answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TokenFields {
    /// Who signed in, for the client.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id_token: Option<String>,
}

impl ExtraTokenFields for TokenFields {}

/// An answer of the token, revocation or userinfo endpoint. Always sent with
/// `Cache-Control: no-store`.
#[derive(Debug, Clone, PartialEq)]
pub struct ProviderAnswer {
    /// HTTP status.
    pub status: u16,
    /// JSON body.
    pub body: serde_json::Value,
    /// `WWW-Authenticate`.
    pub www_authenticate: Option<String>,
}

/// Why no token was given.
#[derive(Debug)]
pub(super) enum TokenError {
    Refused(Kind, &'static str),
    /// The client named itself in the `Authorization` header and must be told how.
    BadBasic,
    Failed(String),
    /// The store does not answer right now.
    Busy,
}

impl From<StoreError> for TokenError {
    fn from(error: StoreError) -> Self {
        if error.passes() { TokenError::Busy } else { TokenError::Failed(error.to_string()) }
    }
}

impl From<jsonwebtoken::errors::Error> for TokenError {
    fn from(error: jsonwebtoken::errors::Error) -> Self {
        TokenError::Failed(error.to_string())
    }
}

pub(super) fn refuse<T>(kind: Kind, description: &'static str) -> Result<T, TokenError> {
    Err(TokenError::Refused(kind, description))
}

/// What a successful grant gives.
pub(super) struct Tokens {
    pub access_token: String,
    pub id_token: Option<String>,
    pub refresh_token: Option<String>,
    pub scope: String,
}

impl Tokens {
    fn answer(self) -> ProviderAnswer {
        let fields = TokenFields { id_token: self.id_token };
        let mut answer =
            StandardTokenResponse::new(AccessToken::new(self.access_token), BasicTokenType::Bearer, fields);
        answer.set_expires_in(TOKEN_LIFE.to_std().ok().as_ref());
        answer.set_refresh_token(self.refresh_token.map(RefreshToken::new));
        answer.set_scopes(Some(self.scope.split_whitespace().map(|s| Scope::new(s.to_owned())).collect()));
        ok(&answer)
    }
}

impl TokenError {
    pub(super) fn answer(self) -> ProviderAnswer {
        match self {
            TokenError::Refused(kind, description) => error_answer(400, kind, Some(description)),
            TokenError::BadBasic => ProviderAnswer {
                www_authenticate: Some("Basic realm=\"portage\"".to_owned()),
                ..error_answer(401, Kind::InvalidClient, Some("unknown client or wrong secret"))
            },
            TokenError::Failed(why) => {
                tracing::error!(why, "token request failed");
                error_answer(500, Kind::Extension("server_error".to_owned()), None)
            }
            TokenError::Busy => error_answer(503, Kind::Extension("temporarily_unavailable".to_owned()), None),
        }
    }
}

pub(super) fn ok(body: &impl Serialize) -> ProviderAnswer {
    match serde_json::to_value(body) {
        Ok(body) => ProviderAnswer { status: 200, body, www_authenticate: None },
        Err(error) => TokenError::Failed(error.to_string()).answer(),
    }
}

pub(super) fn error_answer(status: u16, kind: Kind, description: Option<&str>) -> ProviderAnswer {
    let error = StandardErrorResponse::new(kind, description.map(str::to_owned), None);
    let body = serde_json::to_value(&error).unwrap_or_default();
    ProviderAnswer { status, body, www_authenticate: None }
}

/// Who calls the token endpoint, by what was presented (not yet checked).
struct Presented {
    id: String,
    secret: Option<String>,
    basic: bool,
}

impl Identity {
    /// Answers a token request. `form` is the body (`application/x-www-form-urlencoded`),
    /// `authorization` the header.
    pub async fn token(&self, form: &str, authorization: Option<&str>) -> ProviderAnswer {
        match self.grant(form, authorization).await {
            Ok(tokens) => tokens.answer(),
            Err(error) => error.answer(),
        }
    }

    async fn grant(&self, form: &str, authorization: Option<&str>) -> Result<Tokens, TokenError> {
        let Ok(params) = Params::parse(form) else { return refuse(Kind::InvalidRequest, "the request is too long") };
        if params.once().is_err() {
            return refuse(Kind::InvalidRequest, "a parameter is repeated");
        }
        let Some(grant_type) = params.get("grant_type").map(str::to_owned) else {
            return refuse(Kind::InvalidRequest, "grant_type is missing");
        };
        let client = presented(&params, authorization)?;
        match grant_type.as_str() {
            "authorization_code" | "refresh_token" if client.id != CLIENT_ID => {
                // Machines have grants of their own; tell a known one so, and nobody else.
                self.machine(&client).await?;
                refuse(Kind::UnauthorizedClient, "this client may only use client_credentials")
            }
            "authorization_code" | "refresh_token" if client.secret.is_some() => {
                refuse(Kind::InvalidClient, "this client has no secret")
            }
            "authorization_code" => self.redeem_code(&params).await,
            "refresh_token" => self.refresh(&params).await,
            "client_credentials" if client.id == CLIENT_ID => {
                refuse(Kind::UnauthorizedClient, "this client may not use client_credentials")
            }
            "client_credentials" => {
                self.machine(&client).await?;
                if params.get("scope").is_some_and(|s| s.split_whitespace().any(|s| s != scope::MACHINE)) {
                    return refuse(Kind::InvalidScope, "the only scope of machines is b2b");
                }
                let access_token = mint_for_machine(&self.deps, &self.issuer(), &client.id, self.now())?;
                Ok(Tokens { access_token, id_token: None, refresh_token: None, scope: scope::MACHINE.to_owned() })
            }
            _ => refuse(Kind::UnsupportedGrantType, "use authorization_code, refresh_token or client_credentials"),
        }
    }

    /// Is this a machine we know, with its secret?
    async fn machine(&self, client: &Presented) -> Result<(), TokenError> {
        let id = client.id.clone();
        let known = self.deps.store.read(move |u| u.machine_clients().get(&id)).await;
        let known = known.map_err(|e: StoreError| e)?.filter(|c| c.disabled_at.is_none());
        let presented = secret::hash(client.secret.as_deref().unwrap_or(""));
        match known {
            Some(known) if client.secret.is_some() && secret::same(&known.secret_hash.0, &presented.0) => Ok(()),
            _ if client.basic => Err(TokenError::BadBasic),
            _ => refuse(Kind::InvalidClient, "unknown client or wrong secret"),
        }
    }
}

/// `client_secret_basic`, `client_secret_post` or the mere name of a public client.
fn presented(params: &Params, authorization: Option<&str>) -> Result<Presented, TokenError> {
    let in_form = params.get("client_id");
    if let Some(header) = authorization {
        let (id, secret) = basic(header).ok_or(TokenError::BadBasic)?;
        if params.get("client_secret").is_some() || in_form.is_some_and(|form| form != id) {
            return refuse(Kind::InvalidRequest, "the client is named in two ways");
        }
        return Ok(Presented { id, secret: Some(secret), basic: true });
    }
    let Some(id) = in_form else { return refuse(Kind::InvalidClient, "client_id is missing") };
    Ok(Presented { id: id.to_owned(), secret: params.get("client_secret").map(str::to_owned), basic: false })
}

/// Name and secret of a Basic header; both are form-encoded inside it (RFC 6749 §2.3.1).
fn basic(header: &str) -> Option<(String, String)> {
    let (scheme, value) = header.split_once(' ')?;
    let text = String::from_utf8(STANDARD.decode(value.trim()).ok()?).ok()?;
    let (id, secret) = text.split_once(':')?;
    let decode = |part: &str| {
        let pair = format!("x={part}");
        // U+0000 is in no name of ours, and PostgreSQL cannot even look for it.
        url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, v)| v.into_owned()).filter(|v| !v.contains('\0'))
    };
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    Some((decode(id)?, decode(secret)?))
}
