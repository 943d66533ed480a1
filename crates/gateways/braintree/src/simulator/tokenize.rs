//! The demo card form's back end: a card goes in, a single-use nonce comes out. The number is
//! checked, reduced to brand, last four digits and a keyed hash, and forgotten.

use aws_lc_rs::{digest, hmac, rand};
use chrono::{Datelike as _, TimeDelta};
use serde::Deserialize;
use serde_json::{Value, json};

use super::records::{Card, Decline, Event, Nonce};
use super::{Fault, SimReply, Simulator, cards};
use crate::webhook::to_hex;

/// How long an unused nonce is good for.
pub(super) const NONCE_LIFE: TimeDelta = TimeDelta::hours(3);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Form {
    #[serde(default)]
    number: Value,
    #[serde(default)]
    expiration_month: Value,
    #[serde(default)]
    expiration_year: Value,
    #[serde(default)]
    cvv: Value,
    #[serde(default)]
    postal_code: Value,
}

/// Forms send numbers as text or as numbers.
fn text(value: &Value) -> String {
    match value {
        Value::String(s) => s.trim().to_owned(),
        Value::Number(n) => n.to_string(),
        _ => String::new(),
    }
}

/// `2 n` random hex digits.
pub(super) fn random_hex(n: usize) -> Result<String, &'static str> {
    let mut bytes = vec![0; n];
    rand::fill(&mut bytes).map_err(|_| "no randomness")?;
    Ok(to_hex(&bytes))
}

/// SHA-256 of a text, in hex.
pub(super) fn hash(text: &str) -> String {
    to_hex(digest::digest(&digest::SHA256, text.as_bytes()).as_ref())
}

/// Equal for equal numbers, useless for finding the number without the simulator's file.
fn fingerprint(salt: &str, digits: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, salt.as_bytes());
    let tag = hmac::sign(&key, digits.as_bytes());
    to_hex(tag.as_ref().get(..16).unwrap_or_default())
}

/// What the bank's checks of the security code and the postal code say.
fn check(digits: &str, cvv: &str, postal: &str) -> Option<Decline> {
    match (cvv == "200", postal == "20000") {
        _ if cards::fails_verification(digits) => Some(cards::declined()),
        (true, true) => Some(Decline::gateway("AVS_AND_CVV")),
        (true, false) => Some(Decline::gateway("CVV")),
        (false, true) => Some(Decline::gateway("AVS")),
        // 201, 301 and 20001 mean "not verified": the card is taken.
        (false, false) => None,
    }
}

impl Simulator {
    /// `POST tokenize`.
    pub(super) fn tokenize(&self, body: &[u8]) -> SimReply {
        let Ok(form) = serde_json::from_slice::<Form>(body) else {
            return SimReply::problem(400, "malformed", "a JSON object with the card's fields is expected");
        };
        let now = self.now();
        let digits: String = text(&form.number).chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        let (month, year) = (text(&form.expiration_month), text(&form.expiration_year));
        let (cvv, postal) = (text(&form.cvv), text(&form.postal_code));

        let mut errors = Vec::new();
        let mut wrong = |field: &str, code: &str, message: &str| {
            errors.push(json!({ "field": field, "code": code, "message": message }));
        };
        let brand = cards::brand(&digits).filter(|_| cards::luhn(&digits));
        if brand.is_none() {
            wrong("number", "invalid", "Credit card number is invalid.");
        }
        let month = month.parse::<u32>().ok().filter(|m| (1..=12).contains(m));
        if month.is_none() {
            wrong("expirationMonth", "invalid", "Expiration month is invalid.");
        }
        let year = year.parse::<i32>().ok().map(|y| if y < 100 { y + 2000 } else { y });
        let year = year.filter(|y| (2000..=2100).contains(y));
        match (year, month) {
            (None, _) => wrong("expirationYear", "invalid", "Expiration year is invalid."),
            (Some(year), Some(month)) if (year, month) < (now.year(), now.month()) => {
                wrong("expirationYear", "expired", "The card has expired.");
            }
            _ => {}
        }
        let cvv_length = if brand == Some("AMERICAN_EXPRESS") { 4 } else { 3 };
        // The sandbox's CVV test values have three digits whatever the brand.
        let cvv_fits = cvv.len() == cvv_length || matches!(cvv.as_str(), "200" | "201" | "301");
        if !cvv_fits || !cvv.bytes().all(|b| b.is_ascii_digit()) {
            wrong("cvv", "invalid", "CVV is invalid.");
        }
        let (Some(brand), Some(month), Some(year), true) = (brand, month, year, errors.is_empty()) else {
            let body = json!({ "type": "about:blank", "status": 422, "code": "validation", "detail": "The card was not accepted.", "errors": errors });
            return SimReply { content_type: "application/problem+json", ..SimReply::json(422, &body) };
        };

        let mut core = self.core();
        let card = Card {
            brand: brand.to_owned(),
            last4: digits.get(digits.len().saturating_sub(4)..).unwrap_or_default().to_owned(),
            month: format!("{month:02}"),
            year: year.to_string(),
            fingerprint: fingerprint(core.state.salt(), &digits),
        };
        let made = random_hex(12).map_err(Fault::internal).and_then(|random| {
            let nonce = format!("tokencc_{random}");
            let check = check(&digits, &cvv, &postal);
            core.commit(vec![Event::Nonce(Nonce { nonce: nonce.clone(), card: card.clone(), check, at: now })])?;
            Ok(nonce)
        });
        match made {
            Ok(nonce) => SimReply::json(
                200,
                &json!({
                    "nonce": nonce,
                    "card": { "brand": card.brand.to_lowercase(), "last4": card.last4, "expiry": format!("{}/{}", card.month, card.year) },
                }),
            ),
            Err(fault) => SimReply::problem(500, "internal", &fault.message),
        }
    }
}
