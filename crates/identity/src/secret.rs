//! Digests of the protocol, and the opaque tokens of links and sessions.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

pub(crate) use service::secret::{fresh, hash};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_published_ones() {
        // RFC 7636, appendix B.
        assert_eq!(
            sha256_base64url("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
        assert_eq!(left_half_base64url("portage-access-token-1"), "8dHUQ6076L9ff_O_YlemqA");
        assert!(same("abc", "abc") && !same("abc", "abd") && !same("abc", "ab"));
    }
}
