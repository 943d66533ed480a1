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
/// Between two fetches when the last one failed and the keys we have will do.
const FAILED_PAUSE: Duration = Duration::minutes(1);
/// Between two fetches when the last one failed and a token names a key we do not have.
const MISSING_PAUSE: Duration = Duration::seconds(5);
/// Between two fetches for keys that strangers' tokens name, doubled as long as the provider publishes
/// nothing new. A call waits that long at most, so that a key that was rotated in an emergency is found
/// by the first call that needs it.
const FIRST_WAIT: Duration = Duration::seconds(1);
const LONGEST_WAIT: Duration = Duration::seconds(4);
/// An ID token is handed over right after it was issued; an older one may tell of yesterday's address.
const ID_TOKEN_AGE: Duration = Duration::minutes(10);

const NO_KEY: &str = "the issuer publishes no key for signatures that we can use (RS256 or ES256)";

/// What an issuer publishes about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuerFacts {
    /// Keys our verification can use.
    pub keys: usize,
    /// What the web app will miss, in words.
    pub lacks: Vec<String>,
}

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
    known: RwLock<Arc<IssuerCache>>,
    fetching: Mutex<Fetching>,
    userinfos: UserInfos,
}

/// What was fetched from the issuer.
#[derive(Default)]
struct IssuerCache {
    keys: Vec<PublishedKey>,
    fetched_at: Option<DateTime<Utc>>,
    /// Counts fetches that succeeded.
    generation: u64,
    userinfo_endpoint: Option<String>,
}

#[derive(Default)]
struct Fetching {
    document: Option<(DateTime<Utc>, Document)>,
    tried_at: Option<DateTime<Utc>>,
    failed: Option<String>,
    /// Fetches in a row that brought no new key.
    fruitless: u32,
}

/// Why keys are fetched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Those we have are old; they do until there are newer ones.
    Newer,
    /// A token names one that we do not have.
    Missing,
}

/// What a person's browser hands over so that we learn who they are.
#[derive(Debug, Clone, Default)]
pub struct Proof {
    /// The ID token of the sign-in.
    pub id_token: Option<String>,
    /// An access token the provider's userinfo endpoint takes.
    pub access_token: Option<String>,
}

#[derive(Clone)]
struct Document {
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    /// What the web app will miss.
    lacks: Vec<String>,
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

    /// What the provider vouches for about `subject`: the claims of their ID token, and where these
    /// have no address, those of userinfo.
    ///
    /// # Errors
    /// [`VerifyError::Rejected`] when a proof is not good or is about somebody else.
    pub async fn vouched(
        &self,
        subject: &str,
        proof: &Proof,
        now: DateTime<Utc>,
    ) -> Result<VerifiedToken, VerifyError> {
        let mut found = match &proof.id_token {
            Some(token) => self.id_token(token, now).await?,
            None => {
                verified(self.settings.issuer.clone(), &Claims::from_iter([("sub".to_owned(), Value::from(subject))]))?
            }
        };
        if found.subject != subject {
            return Err(Rejection::Subject.into());
        }
        if found.email.is_none()
            && let Some(token) = &proof.access_token
        {
            self.userinfos.forget(subject).await;
            self.ask_address(&mut found, token, now).await;
        }
        Ok(found)
    }

    /// The checks of OpenID Connect Core §3.1.3.7; the nonce was the browser's to check.
    async fn id_token(&self, token: &str, now: DateTime<Utc>) -> Result<VerifiedToken, VerifyError> {
        let header = jwt::header(token)?;
        let key = self.key(&header, now).await?;
        if key.algorithm != header.alg {
            return Err(Rejection::Algorithm.into());
        }
        let claims = jwt::check_with(token, header.alg, &key.decoding)?;
        Expect { issuer: &self.settings.issuer, audience: &self.settings.client_id }.all(&claims, now)?;
        let several = claims.get("aud").and_then(Value::as_array).is_some_and(|a| a.len() > 1);
        let party = claims.get("azp").and_then(Value::as_str);
        if party.map_or(several, |p| p != self.settings.client_id) {
            return Err(Rejection::Audience.into());
        }
        jwt::issued_within(&claims, ID_TOKEN_AGE, now)?;
        Ok(verified(self.settings.issuer.clone(), &claims)?)
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
        let need = match (jwks::choose(&known.keys, kid, header.alg), known.fetched_at) {
            (Some(key), Some(at)) if fresh(at, KEYS_LIFE, now) => return Ok(key.clone()),
            (Some(_), _) => Need::Newer,
            (None, _) => Need::Missing,
        };
        let failed = self.refresh(known.generation, need, now).await;
        let known = self.known.read().await.clone();
        match (jwks::choose(&known.keys, kid, header.alg), failed) {
            (Some(key), _) => Ok(key.clone()),
            // The key may be a new one: nobody can say before the provider can be asked.
            (None, Some(why)) => Err(VerifyError::Unavailable(why)),
            (None, None) => Err(Rejection::UnknownKey.into()),
        }
    }

    /// Fetches the keys unless that was done since `seen`; answers what went wrong, if anything. Calls
    /// that come meanwhile share one fetch.
    async fn refresh(&self, seen: u64, need: Need, now: DateTime<Utc>) -> Option<String> {
        let mut fetching = self.fetching.lock().await;
        if self.known.read().await.generation != seen {
            // Done while we waited for the lock.
            return None;
        }
        if let (Some(at), Some(why)) = (fetching.tried_at, &fetching.failed) {
            let pause = if need == Need::Newer { FAILED_PAUSE } else { MISSING_PAUSE };
            if fresh(at, pause, now) {
                return Some(why.clone());
            }
        } else if let (Some(at), Need::Missing) = (fetching.tried_at, need) {
            let wait = (FIRST_WAIT * 2_i32.pow(fetching.fruitless.min(2))).min(LONGEST_WAIT);
            if fresh(at, wait, now) {
                // Of this machine's time, whatever the business clock does meanwhile.
                tokio::time::sleep((wait - (now - at)).to_std().unwrap_or_default()).await;
            }
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
        let keys = jwks::usable(&set).filter(|k| !k.is_empty()).ok_or(NO_KEY)?;
        let mut known = self.known.write().await;
        let news = keys.iter().any(|key| known.keys.iter().all(|old| old.kid != key.kid));
        fetching.fruitless = if news { 0 } else { fetching.fruitless.saturating_add(1) };
        let generation = known.generation + 1;
        let userinfo_endpoint = document.userinfo_endpoint;
        *known = Arc::new(IssuerCache { keys, fetched_at: Some(now), generation, userinfo_endpoint });
        Ok(())
    }

    /// Fetches discovery document and keys now.
    pub async fn look(&self) -> Result<IssuerFacts, String> {
        let document = self.discover().await?;
        let set = transport::get(&self.http, &document.jwks_uri, None).await?;
        match jwks::usable(&set).map_or(0, |k| k.len()) {
            0 => Err(NO_KEY.to_owned()),
            keys => Ok(IssuerFacts { keys, lacks: document.lacks }),
        }
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
            lacks: missing_features(&document),
        })
    }
}

/// The features that the web app needs and the document does not offer. A missing list proves nothing.
fn missing_features(document: &Value) -> Vec<String> {
    let offers = |list: &str, word: &str| {
        document.get(list).and_then(Value::as_array).is_none_or(|l| l.iter().any(|v| v.as_str() == Some(word)))
    };
    let needed = [
        ("scopes_supported", "email", "no e-mail address will be told"),
        ("scopes_supported", "offline_access", "there are no refresh tokens"),
        ("code_challenge_methods_supported", "S256", "the web app signs in with PKCE S256 only"),
        ("response_types_supported", "code", "the web app signs in with a code only"),
    ];
    let mut all: Vec<String> = needed
        .into_iter()
        .filter(|(list, word, _)| !offers(list, word))
        .map(|(list, word, why)| format!("{list} has no {word}: {why}"))
        .collect();
    if document.get("end_session_endpoint").is_none() {
        all.push("there is no end_session_endpoint: signing out leaves people signed in at the provider".to_owned());
    }
    all
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
