//! Keys an issuer publishes.

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse},
};
use serde_json::Value;

/// A key that may verify.
#[derive(Clone)]
pub(super) struct PublishedKey {
    pub kid: Option<String>,
    pub algorithm: Algorithm,
    pub decoding: DecodingKey,
}

/// The keys of a JWK set we can use: RSA for RS256 and P-256 for ES256, meant for signatures. Others
/// are passed over, also those we cannot read: one odd key must not make the rest useless.
pub(super) fn usable(set: &Value) -> Option<Vec<PublishedKey>> {
    let keys = set.get("keys")?.as_array()?;
    Some(keys.iter().filter_map(|key| published(serde_json::from_value(key.clone()).ok()?)).collect())
}

fn published(jwk: Jwk) -> Option<PublishedKey> {
    if !matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature)) {
        return None;
    }
    let (algorithm, named) = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
        AlgorithmParameters::EllipticCurve(ec) if ec.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, KeyAlgorithm::ES256)
        }
        _ => return None,
    };
    if jwk.common.key_algorithm.is_some_and(|a| a != named) {
        return None;
    }
    let decoding = DecodingKey::from_jwk(&jwk).ok()?;
    Some(PublishedKey { kid: jwk.common.key_id, algorithm, decoding })
}

/// The key for a token: by name, or, for a token without one, the only key of its algorithm.
pub(super) fn choose<'k>(keys: &'k [PublishedKey], kid: Option<&str>, alg: Algorithm) -> Option<&'k PublishedKey> {
    match kid {
        Some(kid) => keys.iter().find(|k| k.kid.as_deref() == Some(kid)),
        None => {
            let mut fitting = keys.iter().filter(|k| k.algorithm == alg);
            fitting.next().filter(|_| fitting.next().is_none())
        }
    }
}
