//! Bearer tokens: whose are they, and may they be believed?
//!
//! One check for both kinds of provider ([`jwt`]); the difference is where the keys come from: our
//! own, or the external issuer's ([`external`]).

mod external;
mod jwks;
pub(crate) mod jwt;
mod transport;
mod userinfo;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use kernel::{Email, Language, SessionId};
use service::ports::{
    Clock,
    identity::{EMBEDDED_ISSUER, GrantId},
};

use crate::{AUDIENCE, SigningKeys, provider};
pub use external::{ExternalIssuer, ExternalIssuerError, IssuerFacts, Proof};
pub use jwt::Rejection;
use jwt::{Claims, Expect, check_signature};

/// What a person's token of the embedded provider was issued from. It ends with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    /// `sid`.
    pub session: SessionId,
    /// `grant`: the redeemed code.
    pub grant: GrantId,
    /// `role_at_issue`: the code of the role the person had then, none for customers. It gives no
    /// right; a token issued to somebody with another role than today's is not good any more.
    pub role: Option<String>,
}

impl Issued {
    /// Is somebody who has this role now still who the token was issued to? Whoever was more than a
    /// customer then and is not that any more is not, whoever took the role away: the person asks for
    /// a new token as what they are now.
    pub fn is_still(&self, role: &str) -> bool {
        self.role.as_deref().is_none_or(|issued_to| issued_to == role)
    }
}

/// A token that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedToken {
    /// The issuer accounts are keyed by: [`EMBEDDED_ISSUER`] or the external issuer's URL.
    pub issuer: String,
    /// The provider's name for the person, or the machine's client id.
    pub subject: String,
    /// Address, when the token (or userinfo) tells it.
    pub email: Option<Email>,
    /// The provider vouches for the address.
    pub email_verified: bool,
    /// Full name.
    pub name: Option<String>,
    /// Given name.
    pub given_name: Option<String>,
    /// Family name.
    pub family_name: Option<String>,
    /// Language the person chose.
    pub language: Option<Language>,
    /// Scopes.
    pub scopes: Vec<String>,
    /// The token is a machine's, not a person's.
    pub client: bool,
    /// For a person's token of the embedded provider.
    pub issued: Option<Issued>,
}

impl VerifiedToken {
    /// Given and family name as far as they are told.
    pub(crate) fn names(&self) -> (String, String) {
        match (&self.given_name, &self.family_name, &self.name) {
            (None, None, Some(name)) => {
                let (first, last) = name.trim().split_once(' ').unwrap_or((name.trim(), ""));
                (first.to_owned(), last.trim().to_owned())
            }
            (given, family, _) => (given.clone().unwrap_or_default(), family.clone().unwrap_or_default()),
        }
    }
}

/// Why a token was not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// 401 `invalid_token`. The reason is for the log.
    #[error("the token is not valid: {0}")]
    Rejected(#[from] Rejection),
    /// 503: the issuer's keys cannot be had at the moment.
    #[error("the identity provider cannot be reached: {0}")]
    Unavailable(String),
}

/// Checks access tokens. Cheap to clone.
#[derive(Clone)]
pub struct TokenVerifier {
    source: Source,
    clock: Arc<dyn Clock>,
}

#[derive(Clone)]
enum Source {
    Embedded { keys: SigningKeys, issuer: String },
    External(Arc<external::External>),
}

impl TokenVerifier {
    /// For tokens of the embedded provider.
    pub fn embedded(keys: SigningKeys, issuer: String, clock: Arc<dyn Clock>) -> TokenVerifier {
        TokenVerifier { source: Source::Embedded { keys, issuer }, clock }
    }

    /// For tokens of an external provider. Nothing is fetched yet.
    ///
    /// # Errors
    /// When the settings cannot be right, or there is no TLS.
    pub fn external(settings: ExternalIssuer, clock: Arc<dyn Clock>) -> Result<TokenVerifier, ExternalIssuerError> {
        let external = external::External::new(settings)?;
        Ok(TokenVerifier { source: Source::External(Arc::new(external)), clock })
    }

    /// Asks an external provider for its discovery document and keys now; none for the embedded one.
    ///
    /// # Errors
    /// Why they cannot be had, in words.
    pub async fn look(&self) -> Result<Option<IssuerFacts>, String> {
        match &self.source {
            Source::Embedded { .. } => Ok(None),
            Source::External(external) => external.look().await.map(Some),
        }
    }

    /// What an external provider vouches for about `subject`; none for the embedded one, whose tokens
    /// tell nothing that we do not know.
    ///
    /// # Errors
    /// See [`VerifyError`].
    pub async fn vouched(&self, subject: &str, proof: &Proof) -> Result<Option<VerifiedToken>, VerifyError> {
        match &self.source {
            Source::Embedded { .. } => Ok(None),
            Source::External(external) => external.vouched(subject, proof, self.clock.now()).await.map(Some),
        }
    }

    /// Checks a bearer token: signature, algorithm, type, issuer, audience, time, subject.
    ///
    /// # Errors
    /// See [`VerifyError`].
    pub async fn verify(&self, token: &str) -> Result<VerifiedToken, VerifyError> {
        let now = self.clock.now();
        match &self.source {
            Source::Embedded { keys, issuer } => {
                let (header, claims) = check_signature(token, |kid| keys.verifying(kid).cloned())?;
                if header.typ.as_deref() != Some(provider::ACCESS_TOKEN_TYPE) {
                    return Err(Rejection::Type.into());
                }
                Expect { issuer, audience: AUDIENCE }.all(&claims, now)?;
                let token = verified(EMBEDDED_ISSUER.to_owned(), &claims)?;
                let issued = if token.client { None } else { Some(issued(&claims)?) };
                Ok(VerifiedToken { issued, ..token })
            }
            Source::External(external) => external.verify(token, now).await,
        }
    }
}

/// Every person's token of ours names its session.
fn issued(claims: &Claims) -> Result<Issued, Rejection> {
    let text = |name: &str| claims.get(name).and_then(|v| v.as_str());
    let session = text("sid").and_then(|id| id.parse().ok()).ok_or(Rejection::Session)?;
    let grant = text("grant").and_then(|id| id.parse().ok()).ok_or(Rejection::Session)?;
    Ok(Issued { session, grant: GrantId(grant), role: text("role_at_issue").map(str::to_owned) })
}

/// The claims of a checked token as we use them.
fn verified(issuer: String, claims: &Claims) -> Result<VerifiedToken, Rejection> {
    let text = |name: &str| claims.get(name).and_then(|v| v.as_str()).map(str::to_owned);
    let subject = text("sub").filter(|s| !s.is_empty()).ok_or(Rejection::Subject)?;
    let email: Option<Email> = text("email").and_then(|e| e.parse().ok());
    // Some providers send "true".
    let vouched = claims.get("email_verified").is_some_and(|v| v == true || v == "true");
    let scope = text("scope").or_else(|| text("scp")).unwrap_or_default();
    let by_client = [text("client_id"), text("azp")].into_iter().flatten();
    // Auth0 writes `<client id>@clients`.
    let client = text("gty").as_deref() == Some("client-credentials")
        || by_client.into_iter().any(|c| subject == c || subject == format!("{c}@clients"));
    Ok(VerifiedToken {
        issuer,
        subject,
        email_verified: vouched && email.is_some(),
        email,
        name: text("name"),
        given_name: text("given_name"),
        family_name: text("family_name"),
        language: text("locale").and_then(|l| l.split(['-', '_']).next()?.to_ascii_lowercase().parse().ok()),
        scopes: scope.split_whitespace().map(str::to_owned).collect(),
        client,
        issued: None,
    })
}
