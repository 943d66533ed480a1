//! `X-Twilio-Signature`: HMAC-SHA1, keyed with the auth token, of the URL as the service was told it and of every parameter it sent.

use std::collections::{BTreeMap, BTreeSet};

use aws_lc_rs::{constant_time, digest, hmac};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

/// The URL, then name and value of each parameter, by name; of a name that comes more than once, each different value once, in order.
fn message(url: &str, parameters: &[(String, String)]) -> String {
    let mut sorted: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, value) in parameters {
        sorted.entry(name).or_default().insert(value);
    }
    let mut text = url.to_owned();
    for (name, values) in sorted {
        for value in values {
            text.push_str(name);
            text.push_str(value);
        }
    }
    text
}

/// The signature of a call.
pub fn sign(token: &SecretString, url: &str, parameters: &[(String, String)]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.expose_secret().as_bytes());
    STANDARD.encode(hmac::sign(&key, message(url, parameters).as_bytes()))
}

/// With the port of its scheme written out, and without it: not every product of the service signs the same one.
fn spellings(url: &str) -> Vec<String> {
    let Ok(parsed) = Url::parse(url) else { return vec![url.to_owned()] };
    let (Some(host), Some((scheme, rest))) = (parsed.host_str(), url.split_once("://")) else {
        return vec![url.to_owned()];
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let usual = if scheme.eq_ignore_ascii_case("https") { 443 } else { 80 };
    let port: Option<u16> = authority.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
    match port {
        None => vec![url.to_owned(), format!("{scheme}://{authority}:{usual}{path}")],
        Some(port) if port == usual => vec![url.to_owned(), format!("{scheme}://{host}{path}")],
        Some(_) => vec![url.to_owned()],
    }
}

/// The hash of a body that is no form, as the query names it.
fn body_hash(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    url.query_pairs().find(|(name, _)| name == "bodySHA256").map(|(_, hash)| hash.into_owned())
}

/// Whether the service signed a call of `url`. `body` is that of a call that is no form: its hash must be the one that the query names.
pub fn is_signed(
    token: &SecretString,
    url: &str,
    parameters: &[(String, String)],
    body: Option<&[u8]>,
    signature: &str,
) -> bool {
    if let Some(body) = body {
        let hash: String =
            digest::digest(&digest::SHA256, body).as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        if body_hash(url).is_none_or(|told| !same(&told.to_lowercase(), &hash)) {
            return false;
        }
    }
    // Each is compared, so that the time says nothing.
    spellings(url).iter().map(|url| same(&sign(token, url, parameters), signature)).fold(false, |any, one| any | one)
}

fn same(ours: &str, theirs: &str) -> bool {
    constant_time::verify_slices_are_equal(ours.as_bytes(), theirs.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &[(&str, &str)]) -> Vec<(String, String)> {
        text.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn call() -> Vec<(String, String)> {
        form(&[
            ("CallSid", "CA1234567890ABCDE"),
            ("Caller", "+14158675309"),
            ("Digits", "1234"),
            ("From", "+14158675309"),
            ("To", "+18005551212"),
        ])
    }

    const URL: &str = "https://mycompany.com/myapp.php?foo=1&bar=2";

    fn token() -> SecretString {
        "12345".to_owned().into()
    }

    fn checked(url: &str, parameters: &[(String, String)], signature: &str) -> bool {
        is_signed(&token(), url, parameters, None, signature)
    }

    /// The vectors of the service's own library, and those of `contracts/sms-twilio.md` §5.
    #[test]
    fn the_published_vectors_hold() {
        assert_eq!(sign(&token(), URL, &call()), "RSOYDt4T1cUTdK1PDd93/VVr8B8=");
        let with_port = "https://mycompany.com:443/myapp.php?foo=1&bar=2";
        assert_eq!(sign(&token(), with_port, &call()), "kvajT1Ptam85bY51eRf/AJRuM3w=");
        let plain = "http://mycompany.com:80/myapp.php?foo=1&bar=2";
        assert_eq!(sign(&token(), plain, &call()), "0ZXoZLH/DfblKGATFgpif+LLRf4=");
        let twice = form(&[("Sid", "CA123"), ("SidAccount", "AC123"), ("Digits", "5678"), ("Digits", "1234")]);
        assert_eq!(sign(&token(), URL, &twice), "IK+Dwps556ElfBT0I3Rgjkr1wJU=");
        let hash = "0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620";
        let (json, body) = (format!("{URL}&bodySHA256={hash}"), br#"{"property": "value", "boolean": true}"#);
        let signature = "a9nBmqA0ju/hNViExpshrM61xv4=";
        assert!(is_signed(&token(), &json, &[], Some(body), signature));
        assert!(!is_signed(&token(), &json, &[], Some(b"{}"), signature));
        assert!(!is_signed(&token(), URL, &[], Some(body), "RSOYDt4T1cUTdK1PDd93/VVr8B8="));
    }

    #[test]
    fn a_report_of_portage_holds() {
        let account = format!("AC{}", "a".repeat(32));
        let sid = "SM0123456789abcdef0123456789abcdef";
        let told = form(&[
            ("AccountSid", &account),
            ("ApiVersion", "2010-04-01"),
            ("ErrorCode", "30003"),
            ("From", "+15145550100"),
            ("MessageSid", sid),
            ("MessageStatus", "undelivered"),
            ("SmsSid", sid),
            ("SmsStatus", "undelivered"),
            ("To", "+15145550199"),
        ]);
        let url = "https://api.portage.example/webhooks/sms/status?job=42";
        let token: SecretString = "portage_auth_token".to_owned().into();
        let signature = "ki+iTyd7it42cirkhidflEf1S88=";
        assert!(is_signed(&token, url, &told, None, signature));
        let mut more = told.clone();
        more.push(("New".into(), "1".into()));
        assert!(!is_signed(&token, url, &more, None, signature), "every parameter counts");
        assert!(!is_signed(&token, "https://api.portage.example/webhooks/sms/status?job=43", &told, None, signature));
        assert!(!is_signed(&"other".to_owned().into(), url, &told, None, signature));
        assert!(!is_signed(&token, url, &told, None, "") && !is_signed(&token, url, &told, None, "AAAA"));
    }

    #[test]
    fn the_usual_port_may_be_there_or_not() {
        for (at, signature) in [
            (URL, "kvajT1Ptam85bY51eRf/AJRuM3w="),
            ("https://mycompany.com:443/myapp.php?foo=1&bar=2", "RSOYDt4T1cUTdK1PDd93/VVr8B8="),
            ("http://mycompany.com/myapp.php?foo=1&bar=2", "0ZXoZLH/DfblKGATFgpif+LLRf4="),
        ] {
            assert!(checked(at, &call(), signature), "{at}");
        }
        assert!(!checked("https://mycompany.com:8443/myapp.php?foo=1&bar=2", &call(), "RSOYDt4T1cUTdK1PDd93/VVr8B8="));
        assert!(!checked("http://mycompany.com/myapp.php?foo=1&bar=2", &call(), "RSOYDt4T1cUTdK1PDd93/VVr8B8="));
    }
}
