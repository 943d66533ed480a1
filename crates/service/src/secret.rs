//! Opaque tokens: 256 random bits that are shown once and kept only as a hash.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use crate::ports::{Entropy, identity::TokenHash};

/// A fresh token, 43 characters of base64url, and what is stored of it.
pub fn fresh(entropy: &dyn Entropy) -> (String, TokenHash) {
    let mut bytes = [0u8; 32];
    entropy.fill(&mut bytes);
    let token = URL_SAFE_NO_PAD.encode(bytes);
    let hash = hash(&token);
    (token, hash)
}

/// What is stored of a token. No salt: the tokens are random and long, nobody can guess them, and
/// a lookup needs the hash to be the same each time.
pub fn hash(token: &str) -> TokenHash {
    use std::fmt::Write;
    let digest = Sha256::digest(token.as_bytes());
    TokenHash(digest.iter().fold(String::with_capacity(digest.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_published_one() {
        assert_eq!(hash("abc").0, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
