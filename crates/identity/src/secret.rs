//! Opaque tokens: 256 random bits that are shown once and kept only as a hash.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use service::ports::{Entropy, identity::TokenHash};
use sha2::{Digest, Sha256};

/// A fresh token, 43 characters of base64url, and what is stored of it.
pub(crate) fn fresh(entropy: &dyn Entropy) -> (String, TokenHash) {
    let mut bytes = [0u8; 32];
    entropy.fill(&mut bytes);
    let token = URL_SAFE_NO_PAD.encode(bytes);
    let hash = hash(&token);
    (token, hash)
}

/// What is stored of a token. No salt: the tokens are random and long, nobody can guess them, and
/// a lookup needs the hash to be the same each time.
pub(crate) fn hash(token: &str) -> TokenHash {
    TokenHash(hex(&Sha256::digest(token.as_bytes())))
}

/// Base64url without padding of the SHA-256 of `text` (PKCE S256).
pub(crate) fn sha256_base64url(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
}

/// `at_hash` of an access token signed with a SHA-256 algorithm: the left half of its hash.
pub(crate) fn left_half_base64url(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    URL_SAFE_NO_PAD.encode(digest.get(..16).unwrap_or_default())
}

/// Equality that takes as long for a near miss as for a far one.
pub(crate) fn same(a: &str, b: &str) -> bool {
    aws_lc_rs::constant_time::verify_slices_are_equal(a.as_bytes(), b.as_bytes()).is_ok()
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_published_ones() {
        assert_eq!(hash("abc").0, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        // RFC 7636, appendix B.
        assert_eq!(
            sha256_base64url("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
        assert_eq!(left_half_base64url("portage-access-token-1"), "8dHUQ6076L9ff_O_YlemqA");
        assert!(same("abc", "abc") && !same("abc", "abd") && !same("abc", "ab"));
    }
}
