//! Braintree's public test nonces and card numbers, and how a card number is read.

use chrono::{DateTime, Datelike as _, Utc};

use super::Fault;
use super::records::{Card, Decline, Nonce};

/// What a test nonce does.
#[derive(Debug, PartialEq, Eq)]
enum TestNonce {
    Valid(&'static str, &'static str),
    Declined(&'static str, &'static str),
    Failed,
    Rejected(&'static str),
    LuhnInvalid,
    Consumed,
}

fn behaviour_of(nonce: &str) -> Option<TestNonce> {
    use TestNonce::*;
    Some(match nonce {
        "fake-valid-mastercard-nonce" => Valid("MASTERCARD", "4444"),
        "fake-valid-amex-nonce" => Valid("AMERICAN_EXPRESS", "0005"),
        "fake-valid-discover-nonce" => Valid("DISCOVER", "1117"),
        "fake-valid-jcb-nonce" => Valid("JCB", "0505"),
        "fake-valid-dinersclub-nonce" => Valid("DINERS", "5904"),
        "fake-processor-declined-visa-nonce" => Declined("VISA", "1115"),
        "fake-processor-declined-mastercard-nonce" => Declined("MASTERCARD", "5100"),
        "fake-processor-declined-amex-nonce" => Declined("AMERICAN_EXPRESS", "1000"),
        "fake-processor-declined-discover-nonce" => Declined("DISCOVER", "9424"),
        "fake-processor-failure-jcb-nonce" => Failed,
        "fake-gateway-rejected-fraud-nonce" => Rejected("FRAUD"),
        "fake-gateway-rejected-risk-thresholds-nonce" => Rejected("RISK_THRESHOLD"),
        "fake-luhn-invalid-nonce" => LuhnInvalid,
        "fake-consumed-nonce" => Consumed,
        // The plain one, debit, prepaid, the countries of issuance, and 3-D Secure in its variants.
        n if n.starts_with("fake-valid-") || n.starts_with("fake-three-d-secure-") => Valid("VISA", "1881"),
        _ => return None,
    })
}

/// The card behind one of Braintree's public test nonces, which are never used up.
/// `Ok(None)` when it is not a test nonce; `used` is the code for one that was consumed.
pub(super) fn test_nonce(nonce: &str, now: DateTime<Utc>, used: &'static str) -> Result<Option<Nonce>, Fault> {
    let Some(known) = behaviour_of(nonce) else { return Ok(None) };
    let (brand, last4, check) = match known {
        TestNonce::Valid(brand, last4) => (brand, last4, None),
        TestNonce::Declined(brand, last4) => (brand, last4, Some(declined())),
        TestNonce::Failed => ("JCB", "0505", Some(Decline::failed())),
        TestNonce::Rejected(reason) => ("VISA", "1111", Some(Decline::gateway(reason))),
        TestNonce::LuhnInvalid => return Err(Fault::validation("81715", "Credit card number is invalid.")),
        TestNonce::Consumed => {
            return Err(Fault::validation(used, "Cannot use a payment method nonce more than once."));
        }
    };
    let card = Card {
        brand: brand.to_owned(),
        last4: last4.to_owned(),
        month: "12".to_owned(),
        year: (now.year() + 3).to_string(),
        fingerprint: format!("test-{brand}-{last4}").to_lowercase(),
    };
    Ok(Some(Nonce { nonce: nonce.to_owned(), card, check, at: now }))
}

pub(super) fn declined() -> Decline {
    Decline::processor("2000", "Do Not Honor", "SOFT")
}

/// Does the verification of this card number fail in the sandbox?
pub(super) fn fails_verification(digits: &str) -> bool {
    matches!(digits, "4000111111111115" | "5105105105105100" | "378734493671000" | "6011000990139424")
}

/// The check digit of a card number.
pub(super) fn luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(digit.wrapping_sub(b'0'));
            match place % 2 {
                0 => digit,
                _ if digit > 4 => 2 * digit - 9,
                _ => 2 * digit,
            }
        })
        .sum();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && sum.is_multiple_of(10)
}

/// Brand by the number's first digits, and the lengths the brand has.
pub(super) fn brand(digits: &str) -> Option<&'static str> {
    let prefix = |n: usize| digits.get(..n).and_then(|p| p.parse::<u32>().ok()).unwrap_or(0);
    let (brand, lengths): (_, &[usize]) = if prefix(1) == 4 {
        ("VISA", &[13, 16, 19])
    } else if (51..=55).contains(&prefix(2)) || (2221..=2720).contains(&prefix(4)) {
        ("MASTERCARD", &[16])
    } else if matches!(prefix(2), 34 | 37) {
        ("AMERICAN_EXPRESS", &[15])
    } else if prefix(4) == 6011 || (644..=659).contains(&prefix(3)) {
        ("DISCOVER", &[16, 19])
    } else if (3528..=3589).contains(&prefix(4)) {
        ("JCB", &[16, 19])
    } else if matches!(prefix(2), 36 | 38 | 39) || (300..=305).contains(&prefix(3)) {
        ("DINERS", &[14, 16])
    } else {
        return None;
    };
    lengths.contains(&digits.len()).then_some(brand)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn card_numbers_are_read() {
        for (number, expected) in [
            ("4111111111111111", Some("VISA")),
            ("4012888888881881", Some("VISA")),
            ("5555555555554444", Some("MASTERCARD")),
            ("378282246310005", Some("AMERICAN_EXPRESS")),
            ("4000111111111115", Some("VISA")),
            ("5105105105105100", Some("MASTERCARD")),
            ("378734493671000", Some("AMERICAN_EXPRESS")),
            ("6011000990139424", Some("DISCOVER")),
            ("3530111333300000", Some("JCB")),
            ("30569309025904", Some("DINERS")),
        ] {
            assert!(luhn(number), "{number}");
            assert_eq!(brand(number), expected, "{number}");
        }
        for bad in ["4111111111111112", "", "411111111111111a", "0"] {
            assert!(!luhn(bad) || brand(bad).is_none(), "{bad}");
        }
        assert_eq!(brand("41111111111"), None);
    }

    #[test]
    fn every_published_test_nonce_is_known() {
        let now = DateTime::UNIX_EPOCH;
        for (nonce, fails) in [
            ("fake-valid-nonce", false),
            ("fake-valid-visa-nonce", false),
            ("fake-valid-mastercard-nonce", false),
            ("fake-valid-amex-nonce", false),
            ("fake-valid-debit-nonce", false),
            ("fake-valid-prepaid-nonce", false),
            ("fake-valid-country-of-issuance-cad-nonce", false),
            ("fake-three-d-secure-visa-full-authentication-nonce", false),
            ("fake-three-d-secure-two-visa-successful-frictionless-authentication-nonce", false),
            ("fake-processor-declined-visa-nonce", true),
            ("fake-processor-declined-mastercard-nonce", true),
            ("fake-processor-declined-amex-nonce", true),
            ("fake-processor-declined-discover-nonce", true),
            ("fake-processor-failure-jcb-nonce", true),
            ("fake-gateway-rejected-fraud-nonce", true),
            ("fake-gateway-rejected-risk-thresholds-nonce", true),
        ] {
            let card = test_nonce(nonce, now, "93107").unwrap().unwrap();
            assert_eq!(card.check.is_some(), fails, "{nonce}");
        }
        assert_eq!(test_nonce("fake-consumed-nonce", now, "93107").unwrap_err().legacy, Some("93107"));
        assert_eq!(test_nonce("fake-luhn-invalid-nonce", now, "93107").unwrap_err().legacy, Some("81715"));
        assert!(test_nonce("tokencc_something", now, "93107").unwrap().is_none());
    }
}
