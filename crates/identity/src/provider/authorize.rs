//! The authorization endpoint: a code for whoever is signed in, the sign-in page for whoever is
//! not, and never a redirect to an address that is not the web app's.

use kernel::chrono::{DateTime, Duration, Utc};
use service::ports::{
    StoreError, StoreResult, Unit,
    identity::{AuthorizationCode, GrantId},
};

use super::{
    CODE_LIFE,
    params::{BadParams, Params, language, with_query},
    scope,
};
use crate::{
    CLIENT_ID, Deps, Identity, RequestContext,
    accounts::{ActiveSession, renewal_cookie, session_in},
    secret,
};

/// Our own parameter of the way back from the sign-in page: the password must have been typed at
/// or after this Unix time. It stands for `prompt=login`, which would ask again for ever.
const SIGNED_IN_SINCE: &str = "portage_signed_in_since";

/// Where to send the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizeAnswer {
    /// The app's redirect URI with a code or an error, or our sign-in or sign-up page.
    pub location: String,
    /// `Set-Cookie` values.
    pub set_cookies: Vec<String>,
}

/// The request is not one of a client we know: to be told to the person on a page of ours (400),
/// never by a redirect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthorizeRefusal {
    /// `client_id` is missing, repeated or unknown.
    #[error("unknown client")]
    UnknownClient,
    /// `redirect_uri` is missing, repeated or not one of the client's.
    #[error("the redirect URI is not registered for this client")]
    UnregisteredRedirect,
    /// Too long to be looked at.
    #[error("the request is too long")]
    Malformed,
    /// The store does not answer right now (503).
    #[error("the database does not answer")]
    Busy,
    /// The store failed (500).
    #[error("storage failure")]
    Failed,
}

/// A refusal that goes back to the app.
struct Refused {
    error: &'static str,
    description: &'static str,
}

const fn refused<T>(error: &'static str, description: &'static str) -> Result<T, Refused> {
    Err(Refused { error, description })
}

/// A request in order.
struct Request {
    redirect_uri: String,
    state: Option<String>,
    nonce: Option<String>,
    scope: String,
    code_challenge: String,
    silent: bool,
    sign_up: bool,
    again: bool,
    max_age: Option<Duration>,
    signed_in_since: Option<i64>,
    params: Params,
}

impl Identity {
    /// Decides an authorization request.
    ///
    /// # Errors
    /// See [`AuthorizeRefusal`].
    pub async fn authorize(&self, query: &str, context: &RequestContext) -> Result<AuthorizeAnswer, AuthorizeRefusal> {
        let params = Params::parse(query).map_err(|_| AuthorizeRefusal::Malformed)?;
        let redirect_uri = self.trusted_redirect(&params)?;
        let state = params.get("state").map(str::to_owned);
        let request = match read(params, redirect_uri.clone(), state.clone()) {
            Ok(request) => request,
            Err(r) => return Ok(self.back_with_error(&redirect_uri, state.as_deref(), &r)),
        };
        self.decide(request, context).await.map_err(|error| {
            tracing::error!(%error, "authorization request failed");
            if error.passes() { AuthorizeRefusal::Busy } else { AuthorizeRefusal::Failed }
        })
    }

    fn trusted_redirect(&self, params: &Params) -> Result<String, AuthorizeRefusal> {
        if params.count("client_id") != 1 || params.get("client_id") != Some(CLIENT_ID) {
            return Err(AuthorizeRefusal::UnknownClient);
        }
        let uri = params.get("redirect_uri").filter(|_| params.count("redirect_uri") == 1);
        let known = self.deps.public_url.redirect_uris();
        known.into_iter().find(|k| Some(k.as_str()) == uri).ok_or(AuthorizeRefusal::UnregisteredRedirect)
    }

    async fn decide(&self, request: Request, context: &RequestContext) -> Result<AuthorizeAnswer, StoreError> {
        let now = self.now();
        let outcome = match context.session.clone() {
            None => Err(request),
            Some(cookie) => {
                let deps = self.deps.clone();
                let decide = move |u: &mut dyn Unit| -> StoreResult<_> {
                    let Some(active) = session_in(u, &cookie, now)? else { return Ok(Err(request)) };
                    if !fresh_enough(&request, active.session.authenticated_at, now) {
                        return Ok(Err(request));
                    }
                    let renewed = renewal_cookie(&deps, u, &cookie, &active.session, now)?;
                    let code = issue_code(&deps, u, &request, &active, now)?;
                    Ok(Ok((request, code, renewed)))
                };
                self.deps.store.write(decide).await?
            }
        };
        Ok(match outcome {
            Ok((request, code, renewed)) => AuthorizeAnswer {
                location: self
                    .back(&request.redirect_uri, &[("code", Some(&code)), ("state", request.state.as_deref())]),
                set_cookies: renewed.into_iter().collect(),
            },
            Err(request) if request.silent => {
                let login = Refused { error: "login_required", description: "nobody is signed in" };
                self.back_with_error(&request.redirect_uri, request.state.as_deref(), &login)
            }
            Err(request) => AuthorizeAnswer { location: page(&request, now), set_cookies: Vec::new() },
        })
    }

    fn back_with_error(&self, redirect_uri: &str, state: Option<&str>, r: &Refused) -> AuthorizeAnswer {
        let pairs = [("error", Some(r.error)), ("error_description", Some(r.description)), ("state", state)];
        AuthorizeAnswer { location: self.back(redirect_uri, &pairs), set_cookies: Vec::new() }
    }

    /// Registered redirect URIs have no query of their own. `iss` (RFC 9207) lets the app notice
    /// an answer that is another provider's.
    fn back(&self, redirect_uri: &str, pairs: &[(&str, Option<&str>)]) -> String {
        let issuer = self.issuer();
        let mut all = pairs.to_vec();
        all.push(("iss", Some(&issuer)));
        with_query(redirect_uri, &all)
    }
}

fn read(params: Params, redirect_uri: String, state: Option<String>) -> Result<Request, Refused> {
    if let Err(BadParams::Repeated(_) | BadParams::TooLong) = params.once() {
        return refused("invalid_request", "a parameter is repeated");
    }
    if params.get("request").is_some() {
        return refused("request_not_supported", "request objects are not supported");
    }
    if params.get("request_uri").is_some() {
        return refused("request_uri_not_supported", "request objects are not supported");
    }
    match params.get("response_type") {
        Some("code") => {}
        None => return refused("invalid_request", "response_type is missing"),
        Some(_) => return refused("unsupported_response_type", "response_type must be code"),
    }
    if params.get("response_mode").is_some_and(|m| m != "query") {
        return refused("invalid_request", "response_mode must be query");
    }
    // Without the method, RFC 7636 means plain.
    if params.get("code_challenge_method") != Some("S256") {
        return refused("invalid_request", "code_challenge_method must be S256");
    }
    let Some(code_challenge) = params.get("code_challenge").filter(|c| is_challenge(c)) else {
        return refused("invalid_request", "code_challenge must be 43 characters of base64url");
    };
    let prompts: Vec<&str> = params.get("prompt").unwrap_or("").split_whitespace().collect();
    if prompts.iter().any(|p| !["none", "login", "consent", "select_account", "create"].contains(p)) {
        return refused("invalid_request", "unknown prompt");
    }
    let silent = prompts.contains(&"none");
    if silent && prompts.len() > 1 {
        return refused("invalid_request", "prompt none stands alone");
    }
    let max_age = match params.get("max_age").map(str::parse::<u32>) {
        None => None,
        Some(Ok(seconds)) => Some(Duration::seconds(i64::from(seconds))),
        Some(Err(_)) => return refused("invalid_request", "max_age must be a number of seconds"),
    };
    // It is kept until the code is redeemed.
    if params.get("nonce").is_some_and(|nonce| nonce.len() > LONGEST_NONCE) {
        return refused("invalid_request", "nonce is longer than 512 bytes");
    }
    Ok(Request {
        redirect_uri,
        state,
        nonce: params.get("nonce").map(str::to_owned),
        scope: scope::grant(params.get("scope")),
        code_challenge: code_challenge.to_owned(),
        silent,
        sign_up: params.get("screen_hint") == Some("signup") || prompts.contains(&"create"),
        // `screen_hint` only chooses the page; these want one even from somebody signed in.
        again: ["login", "select_account", "create"].iter().any(|p| prompts.contains(p)),
        max_age,
        signed_in_since: params.get(SIGNED_IN_SINCE).and_then(|t| t.parse().ok()),
        params,
    })
}

/// Apps send some twenty random characters.
const LONGEST_NONCE: usize = 512;

/// A SHA-256 in base64url has 43 characters.
fn is_challenge(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Was the password typed recently enough for this request?
fn fresh_enough(request: &Request, authenticated_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    let since = request.signed_in_since.is_none_or(|since| authenticated_at.timestamp() >= since);
    let young = request.max_age.is_none_or(|age| now - authenticated_at <= age);
    since && young && !request.again
}

/// The sign-in or sign-up page, with the way back to this request.
fn page(request: &Request, now: DateTime<Utc>) -> String {
    // What is settled by the visit to the page does not come back.
    let settled = ["prompt", "screen_hint", "login_hint", SIGNED_IN_SINCE];
    let since = request.again.then(|| now.timestamp()).or(request.signed_in_since);
    let since = since.map(|t| t.to_string());
    let mut pairs: Vec<(&str, Option<&str>)> =
        request.params.pairs().filter(|(k, _)| !settled.contains(k)).map(|(k, v)| (k, Some(v))).collect();
    pairs.push((SIGNED_IN_SINCE, since.as_deref()));
    let return_to = with_query("/identity/authorize", &pairs);
    let lang = language(request.params.get("ui_locales"));
    let path = if request.sign_up { "/signup" } else { "/signin" };
    with_query(
        path,
        &[
            ("returnTo", Some(return_to.as_str())),
            ("lang", lang.map(kernel::Language::code)),
            ("login_hint", request.params.get("login_hint")),
        ],
    )
}

fn issue_code(
    deps: &Deps,
    u: &mut dyn Unit,
    request: &Request,
    active: &ActiveSession,
    now: DateTime<Utc>,
) -> StoreResult<String> {
    let (code, code_hash) = secret::fresh(&*deps.entropy);
    u.grants().insert_code(&AuthorizationCode {
        code_hash,
        grant_id: GrantId(deps.entropy.uuid(now)),
        client_id: CLIENT_ID.to_owned(),
        redirect_uri: request.redirect_uri.clone(),
        user_id: active.account.id,
        session_id: active.session.id,
        scope: request.scope.clone(),
        nonce: request.nonce.clone(),
        code_challenge: request.code_challenge.clone(),
        authenticated_at: active.session.authenticated_at,
        created_at: now,
        expires_at: now + CODE_LIFE,
        redeemed_at: None,
    })?;
    Ok(code)
}
