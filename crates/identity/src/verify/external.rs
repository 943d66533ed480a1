//! Tokens of an external issuer: its discovery document and keys, fetched when they are needed and
//! kept for a while.

use std::sync::Arc;

use jsonwebtoken::Header;
use kernel::chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use tokio::sync::{Mutex, RwLock};

use super::{
    VerifiedToken, VerifyError,
    jwks::{self, PublishedKey},
    jwt::{self, Claims, Expect, Rejection},
    transport,
    userinfo::UserInfos,
    verified,
};

/// How long the discovery document is believed.
const DOCUMENT_LIFE: Duration = Duration::hours(1);
/// How long the keys are believed.
const KEYS_LIFE: Duration = Duration::minutes(10);
/// Between two fetches, whatever strangers' tokens name as their key.
const FETCH_PAUSE: Duration = Duration::minutes(1);
/// Between two fetches while there are no keys at all.
const FIRST_PAUSE: Duration = Duration::seconds(5);

/// Settings of an external provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalIssuer {
    /// `PORTAGE_OIDC_ISSUER`, byte for byte as the provider writes it.
    pub issuer: String,
    /// `PORTAGE_OIDC_AUDIENCE`: our API's name at the provider.
    pub audience: String,
    /// `PORTAGE_OIDC_CLIENT_ID`: the web app's name at the provider.
    pub client_id: String,
}

/// Why the settings cannot work.
#[derive(Debug, thiserror::Error)]
pub enum ExternalIssuerError {
    /// Tokens whose keys came over plain HTTP prove nothing.
    #[error("the issuer must be an https URL (http only on this machine)")]
    Issuer,
    /// An ID token of the web app would pass as an access token.
    #[error("the audience must be set and differ from the client id")]
    Audience,
    /// No HTTP client.
    #[error("no HTTP client: {0}")]
    Http(#[from] reqwest::Error),
}

pub(super) struct External {
    settings: ExternalIssuer,
    http: reqwest::Client,
    known: RwLock<Arc<Known>>,
    fetching: Mutex<Fetching>,
    userinfos: UserInfos,
}

/// What is known of the issuer.
#[derive(Default)]
struct Known {
    keys: Vec<PublishedKey>,
    fetched_at: Option<DateTime<Utc>>,
    userinfo_endpoint: Option<String>,
}

#[derive(Default)]
struct Fetching {
    document: Option<(DateTime<Utc>, Document)>,
    tried_at: Option<DateTime<Utc>>,
    failed: Option<String>,
}

#[derive(Clone)]
struct Document {
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
}

impl External {
    pub fn new(settings: ExternalIssuer) -> Result<External, ExternalIssuerError> {
        if !trustworthy(&settings.issuer) {
            return Err(ExternalIssuerError::Issuer);
        }
        if settings.audience.is_empty() || settings.audience == settings.client_id {
            return Err(ExternalIssuerError::Audience);
        }
        let http = transport::client()?;
        let (known, fetching, userinfos) = Default::default();
        Ok(External { settings, http, known, fetching, userinfos })
    }

    pub async fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<VerifiedToken, VerifyError> {
        let header = jwt::header(token)?;
        let key = self.key(&header, now).await?;
        if key.algorithm != header.alg {
            return Err(Rejection::Algorithm.into());
        }
        let claims = jwt::check_with(token, header.alg, &key.decoding)?;
        if !may_be_access(&header, &claims) {
            return Err(Rejection::Type.into());
        }
        Expect { issuer: &self.settings.issuer, audience: &self.settings.audience }.all(&claims, now)?;
        let mut found = verified(self.settings.issuer.clone(), &claims)?;
        if found.email.is_none() && !found.client && found.scopes.iter().any(|s| s == "openid") {
            self.ask_address(&mut found, token, now).await;
        }
        Ok(found)
    }

    async fn ask_address(&self, found: &mut VerifiedToken, token: &str, now: DateTime<Utc>) {
        let endpoint = self.known.read().await.userinfo_endpoint.clone();
        let Some(endpoint) = endpoint else { return };
        let info = self.userinfos.of(&self.http, &endpoint, &found.subject, token, now).await;
        if let Some(Value::Object(info)) = info
            && let Ok(told) = verified(found.issuer.clone(), &info)
        {
            found.email = told.email;
            found.email_verified = told.email_verified;
            found.name = found.name.take().or(told.name);
            found.given_name = found.given_name.take().or(told.given_name);
            found.family_name = found.family_name.take().or(told.family_name);
            found.language = found.language.or(told.language);
        }
    }

    /// The key a token names, fetched if need be.
    async fn key(&self, header: &Header, now: DateTime<Utc>) -> Result<PublishedKey, VerifyError> {
        let kid = header.kid.as_deref();
        let known = self.known.read().await.clone();
        let found = jwks::choose(&known.keys, kid, header.alg);
        if let (Some(key), Some(at)) = (found, known.fetched_at)
            && fresh(at, KEYS_LIFE, now)
        {
            return Ok(key.clone());
        }
        // Old, or a key we have not seen. Keys we had stay good until newer ones are there.
        let failed = self.refresh(known.fetched_at, now).await;
        let known = self.known.read().await.clone();
        match jwks::choose(&known.keys, kid, header.alg) {
            Some(key) => Ok(key.clone()),
            None if known.fetched_at.is_none() => {
                Err(VerifyError::Unavailable(failed.unwrap_or_else(|| "no keys yet".to_owned())))
            }
            None => Err(Rejection::UnknownKey.into()),
        }
    }

    /// Fetches the keys unless somebody else just did or tried; what went wrong, if anything.
    async fn refresh(&self, seen: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<String> {
        let mut fetching = self.fetching.lock().await;
        if self.known.read().await.fetched_at != seen {
            // Done while we waited for the lock.
            return None;
        }
        let pause = if seen.is_some() { FETCH_PAUSE } else { FIRST_PAUSE };
        if fetching.tried_at.is_some_and(|at| fresh(at, pause, now)) {
            return fetching.failed.clone();
        }
        fetching.tried_at = Some(now);
        let outcome = self.fetch(&mut fetching, now).await;
        if let Err(why) = &outcome {
            tracing::warn!(why, "the identity provider's keys could not be fetched");
        }
        fetching.failed = outcome.err();
        fetching.failed.clone()
    }

    async fn fetch(&self, fetching: &mut Fetching, now: DateTime<Utc>) -> Result<(), String> {
        let cached =
            fetching.document.as_ref().filter(|(at, _)| fresh(*at, DOCUMENT_LIFE, now)).map(|(_, d)| d.clone());
        let document = match cached {
            Some(document) => document,
            None => {
                let document = self.discover().await?;
                fetching.document = Some((now, document.clone()));
                document
            }
        };
        let set = transport::get(&self.http, &document.jwks_uri, None).await?;
        let keys = jwks::usable(&set).filter(|k| !k.is_empty()).ok_or("the issuer publishes no key we can use")?;
        let known = Known { keys, fetched_at: Some(now), userinfo_endpoint: document.userinfo_endpoint };
        *self.known.write().await = Arc::new(known);
        Ok(())
    }

    async fn discover(&self) -> Result<Document, String> {
        let issuer = &self.settings.issuer;
        let url = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let document = transport::get(&self.http, &url, None).await?;
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        if text("issuer") != Some(issuer) {
            return Err(format!("the discovery document is of the issuer {:?}, not {issuer:?}", text("issuer")));
        }
        let trusted = |name: &str| text(name).filter(|u| trustworthy(u)).map(str::to_owned);
        Ok(Document {
            jwks_uri: trusted("jwks_uri").ok_or("the discovery document names no jwks_uri over https")?,
            userinfo_endpoint: trusted("userinfo_endpoint"),
        })
    }
}

/// Looked at within the last `life`. A clock that went back makes nothing fresh.
fn fresh(at: DateTime<Utc>, life: Duration, now: DateTime<Utc>) -> bool {
    at <= now && now - at < life
}

/// https, or http to this very machine (tests, a provider beside us).
fn trustworthy(text: &str) -> bool {
    let Ok(url) = url::Url::parse(text) else { return false };
    let local = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && local)
}

/// RFC 9068 has the type `at+jwt`; providers that do not know it write `JWT` or nothing. What says
/// of itself that it is another kind of token is not one: Keycloak writes `typ` into the claims,
/// and only ID tokens carry `at_hash` or `c_hash`.
fn may_be_access(header: &Header, claims: &Claims) -> bool {
    let header_fits = header.typ.as_deref().is_none_or(|t| {
        let t = t.to_ascii_lowercase();
        ["jwt", "at+jwt", "application/at+jwt"].contains(&t.as_str())
    });
    let claim_fits = claims.get("typ").and_then(Value::as_str).is_none_or(|t| t.eq_ignore_ascii_case("bearer"));
    header_fits && claim_fits && !claims.contains_key("at_hash") && !claims.contains_key("c_hash")
}
