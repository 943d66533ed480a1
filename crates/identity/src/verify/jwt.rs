//! The checks of one JWT. Time is a parameter, so the library's own look at the clock is off and
//! the dates are checked here.

use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use kernel::chrono::{DateTime, Duration, Utc};
use serde_json::{Map, Value};

/// Claims as they came.
pub(crate) type Claims = Map<String, Value>;

/// How far two clocks may be apart, in seconds.
const LEEWAY: i64 = 60;
/// Longest token looked at.
const MAX_LEN: usize = 16 * 1024;

/// What was wrong with a token. For the log: the caller of the API is only told that it is not
/// valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// Not a JWT, or too long.
    #[error("malformed")]
    Malformed,
    /// Signed in a way we do not accept (`none`, HMAC, …), or not as its key is for.
    #[error("algorithm not allowed")]
    Algorithm,
    /// Signed with a key the issuer does not publish.
    #[error("unknown key")]
    UnknownKey,
    /// The signature is wrong.
    #[error("wrong signature")]
    Signature,
    /// Not an access token.
    #[error("not an access token")]
    Type,
    /// Somebody else's token.
    #[error("wrong issuer")]
    Issuer,
    /// A token for somebody else.
    #[error("wrong audience")]
    Audience,
    /// Too old.
    #[error("expired")]
    Expired,
    /// Not valid yet.
    #[error("not valid yet")]
    NotYet,
    /// It does not say whom it is about.
    #[error("no subject")]
    Subject,
    /// A token of ours that does not say what it was issued from.
    #[error("no session")]
    Session,
}

/// The header of a token, with an algorithm we accept.
pub(crate) fn header(token: &str) -> Result<Header, Rejection> {
    if token.len() > MAX_LEN || token.matches('.').count() != 2 {
        return Err(Rejection::Malformed);
    }
    // `none` is not even a name the library knows.
    let header = decode_header(token).map_err(|_| Rejection::Algorithm)?;
    match header.alg {
        Algorithm::ES256 | Algorithm::RS256 => Ok(header),
        _ => Err(Rejection::Algorithm),
    }
}

/// Header and claims of a token with a good signature by the key of that name.
pub(crate) fn check_signature(
    token: &str,
    key: impl FnOnce(&str) -> Option<DecodingKey>,
) -> Result<(Header, Claims), Rejection> {
    let header = header(token)?;
    let key = header.kid.as_deref().and_then(key).ok_or(Rejection::UnknownKey)?;
    let claims = check_with(token, header.alg, &key)?;
    Ok((header, claims))
}

/// Claims of a token with a good signature by this key. The key must be of the algorithm's family;
/// the library refuses a mixture.
pub(crate) fn check_with(token: &str, algorithm: Algorithm, key: &DecodingKey) -> Result<Claims, Rejection> {
    if key.family() != algorithm.family() {
        return Err(Rejection::Algorithm);
    }
    let mut validation = Validation::new(algorithm);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation.validate_aud = false;
    use jsonwebtoken::errors::ErrorKind as E;
    match decode::<Claims>(token, key, &validation) {
        Ok(data) => Ok(data.claims),
        Err(error) => Err(match error.kind() {
            E::InvalidSignature => Rejection::Signature,
            E::InvalidAlgorithm | E::InvalidKeyFormat | E::UnsupportedAlgorithm => Rejection::Algorithm,
            _ => Rejection::Malformed,
        }),
    }
}

/// For whom and from whom a token must be.
pub(crate) struct Expect<'e> {
    pub issuer: &'e str,
    pub audience: &'e str,
}

impl Expect<'_> {
    /// Parties and time.
    pub fn all(&self, claims: &Claims, now: DateTime<Utc>) -> Result<(), Rejection> {
        self.parties(claims)?;
        times(claims, now)
    }

    /// Issuer (byte for byte) and audience (a string or a list).
    pub fn parties(&self, claims: &Claims) -> Result<(), Rejection> {
        if claims.get("iss").and_then(Value::as_str) != Some(self.issuer) {
            return Err(Rejection::Issuer);
        }
        let for_us = match claims.get("aud") {
            Some(Value::String(one)) => one == self.audience,
            Some(Value::Array(many)) => many.iter().any(|a| a == self.audience),
            _ => false,
        };
        if for_us { Ok(()) } else { Err(Rejection::Audience) }
    }
}

fn times(claims: &Claims, now: DateTime<Utc>) -> Result<(), Rejection> {
    let now = now.timestamp();
    let expires = seconds(claims.get("exp"))?.ok_or(Rejection::Expired)?;
    if now >= expires.saturating_add(LEEWAY) {
        return Err(Rejection::Expired);
    }
    match seconds(claims.get("nbf"))? {
        Some(begins) if now < begins.saturating_sub(LEEWAY) => Err(Rejection::NotYet),
        _ => Ok(()),
    }
}

/// The token says when it was issued, and that is no longer than `age` ago.
pub(crate) fn issued_within(claims: &Claims, age: Duration, now: DateTime<Utc>) -> Result<(), Rejection> {
    let issued = seconds(claims.get("iat"))?.ok_or(Rejection::Expired)?;
    let since = now.timestamp().saturating_sub(issued);
    if since > age.num_seconds().saturating_add(LEEWAY) { Err(Rejection::Expired) } else { Ok(()) }
}

/// A NumericDate. It may have a fraction (RFC 7519 §2), which we do not need.
fn seconds(value: Option<&Value>) -> Result<Option<i64>, Rejection> {
    let Some(value) = value else { return Ok(None) };
    let whole = value.as_i64().or_else(|| {
        let text = value.as_number()?.to_string();
        text.split('.').next()?.parse().ok()
    });
    whole.map(Some).ok_or(Rejection::Malformed)
}
