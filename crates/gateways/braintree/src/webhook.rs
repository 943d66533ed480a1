//! Webhooks: is this notification really from the gateway, and the answer to its URL check.
//!
//! The signature covers the base64 text of `bt_payload` exactly as it arrived, line breaks
//! included: hand over the form value after percent-decoding and nothing else. A framework that
//! trims it or turns `+` into a space breaks the check.

use aws_lc_rs::{digest, hmac};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use secrecy::{ExposeSecret as _, SecretString};

/// Why a notification is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// A character in the payload that base64 does not have.
    #[error("the payload is not base64")]
    Malformed,
    /// No signature in the list was made with our public key.
    #[error("the signature is for another key")]
    OtherKey,
    /// The signature does not match.
    #[error("the signature does not match the payload")]
    Forged,
    /// The challenge is not 20 to 32 lower-case hex digits.
    #[error("the challenge is malformed")]
    BadChallenge,
}

/// Checks notifications with one pair of API keys.
#[derive(Debug, Clone)]
pub struct WebhookVerifier {
    public_key: String,
    private_key: SecretString,
}

impl WebhookVerifier {
    /// With the keys of the API.
    pub fn new(public_key: impl Into<String>, private_key: SecretString) -> Self {
        WebhookVerifier { public_key: public_key.into(), private_key }
    }

    /// Checks `bt_signature` against `bt_payload` as received and answers the XML inside.
    ///
    /// # Errors
    /// Any [`WebhookError`] but `BadChallenge`; nothing in the payload may be trusted then.
    pub fn verify(&self, signature: &str, payload: &str) -> Result<Vec<u8>, WebhookError> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'=' | b'/' | b'\n');
        if payload.is_empty() || !payload.bytes().all(allowed) {
            return Err(WebhookError::Malformed);
        }
        let ours: Vec<&str> = signature
            .split('&')
            .filter_map(|pair| pair.split_once('|'))
            .filter(|(key, _)| *key == self.public_key)
            .map(|(_, tag)| tag)
            .collect();
        if ours.is_empty() {
            return Err(WebhookError::OtherKey);
        }
        let key = self.key();
        let with_newline = format!("{payload}\n");
        let genuine = ours.iter().filter_map(|tag| from_hex(tag)).any(|tag| {
            // `verify` compares in constant time.
            hmac::verify(&key, payload.as_bytes(), &tag).is_ok()
                || hmac::verify(&key, with_newline.as_bytes(), &tag).is_ok()
        });
        if !genuine {
            return Err(WebhookError::Forged);
        }
        let one_line: String = payload.split('\n').collect();
        STANDARD.decode(one_line).map_err(|_| WebhookError::Malformed)
    }

    /// The text that answers `GET ?bt_challenge=…` when the webhook's URL is registered.
    ///
    /// # Errors
    /// `BadChallenge` for anything the gateway would not send.
    pub fn answer_challenge(&self, challenge: &str) -> Result<String, WebhookError> {
        let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if !(20..=32).contains(&challenge.len()) || !challenge.bytes().all(hex) {
            return Err(WebhookError::BadChallenge);
        }
        Ok(self.sign(challenge))
    }

    /// `public_key|tag` of a text: what the gateway sends as `bt_signature` of a payload.
    pub fn sign(&self, text: &str) -> String {
        format!("{}|{}", self.public_key, to_hex(hmac::sign(&self.key(), text.as_bytes()).as_ref()))
    }

    /// HMAC-SHA1 keyed with the raw SHA-1 of the private key: the gateway's scheme, not our choice.
    fn key(&self) -> hmac::Key {
        let hashed = digest::digest(&digest::SHA1_FOR_LEGACY_USE_ONLY, self.private_key.expose_secret().as_bytes());
        hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, hashed.as_ref())
    }
}

/// Lower-case hex.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    text.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    const XML: &str = "<notification><timestamp type=\"datetime\">2026-01-15T12:00:00Z</timestamp><kind>transaction_settled</kind><subject><transaction><id>abc123</id><status>settled</status><amount>91.98</amount></transaction></subject></notification>";

    fn verifier() -> WebhookVerifier {
        WebhookVerifier::new("portage_public_key", "portage_private_key".to_owned().into())
    }

    fn wrapped() -> String {
        let line = STANDARD.encode(XML);
        let mut text = String::new();
        for chunk in line.as_bytes().chunks(76) {
            text.push_str(std::str::from_utf8(chunk).unwrap());
            text.push('\n');
        }
        text
    }

    #[test]
    fn the_published_vector() {
        let verifier = WebhookVerifier::new("k", "secretKey".to_owned().into());
        assert_eq!(verifier.sign("hello world"), "k|d503d7a1a6adba1e6474e9ff2c4167f9dfdf4247");
    }

    #[test]
    fn the_challenge() {
        let answer = verifier().answer_challenge("20f9f8ed05f77439fe955c977e4c8a53").unwrap();
        assert_eq!(answer, "portage_public_key|b427f4550497c75bddd88dc088e723fbd2665617");
        for bad in [
            "",
            "20f9",
            "20F9F8ED05F77439FE955C977E4C8A53",
            "20f9f8ed05f77439fe955c977e4c8a5g",
            "20f9f8ed05f77439fe955c977e4c8a530",
        ] {
            assert_eq!(verifier().answer_challenge(bad), Err(WebhookError::BadChallenge), "{bad}");
        }
    }

    #[test]
    fn a_payload_on_one_line() {
        let signature = "portage_public_key|7542492dedf4291234ec8029740a9c60fbedbc53";
        assert_eq!(verifier().verify(signature, &STANDARD.encode(XML)).unwrap(), XML.as_bytes());
    }

    #[test]
    fn a_wrapped_payload_with_and_without_its_last_newline() {
        let signature = "portage_public_key|5cfb177cea92936ea30829360f5c60095ada2d68";
        let payload = wrapped();
        assert!(payload.ends_with('\n'));
        assert_eq!(verifier().verify(signature, &payload).unwrap(), XML.as_bytes());
        assert_eq!(verifier().verify(signature, payload.trim_end()).unwrap(), XML.as_bytes());
        // Re-wrapped on the way: no longer what was signed.
        assert_eq!(verifier().verify(signature, &STANDARD.encode(XML)), Err(WebhookError::Forged));
    }

    #[test]
    fn our_pair_is_found_among_others() {
        let signature = "other|00&portage_public_key|7542492dedf4291234ec8029740a9c60fbedbc53&third|11";
        assert!(verifier().verify(signature, &STANDARD.encode(XML)).is_ok());
    }

    #[test]
    fn forgeries_are_refused() {
        let payload = STANDARD.encode(XML);
        for (signature, expected) in [
            ("", WebhookError::OtherKey),
            ("other|7542492dedf4291234ec8029740a9c60fbedbc53", WebhookError::OtherKey),
            ("portage_public_key|7542492dedf4291234ec8029740a9c60fbedbc54", WebhookError::Forged),
            ("portage_public_key|7542492dedf4291234ec8029740a9c60fbedbc", WebhookError::Forged),
            ("portage_public_key|", WebhookError::Forged),
            ("portage_public_key|zz", WebhookError::Forged),
        ] {
            assert_eq!(verifier().verify(signature, &payload), Err(expected), "{signature}");
        }
        let changed = STANDARD.encode(XML.replace("91.98", "91.99"));
        let signature = "portage_public_key|7542492dedf4291234ec8029740a9c60fbedbc53";
        assert_eq!(verifier().verify(signature, &changed), Err(WebhookError::Forged));
        assert_eq!(verifier().verify(signature, "<xml>"), Err(WebhookError::Malformed));
        assert_eq!(verifier().verify(signature, &payload.replace(['+', 'P'], " ")), Err(WebhookError::Malformed));
    }
}
