//! E-mail addresses and phone numbers.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// A syntactically valid e-mail address, trimmed, domain in lower case, at most 254 characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Email(String);

/// Not an e-mail address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an e-mail address")]
pub struct InvalidEmail;

impl Email {
    /// As typed (domain in lower case).
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What two spellings of one mailbox share; the key of accounts.
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }

    /// Enough for somebody who knows the address to recognise it, and too little for anybody else: `a***@example.org`.
    pub fn masked(&self) -> String {
        without_addresses(&self.0)
    }
}

/// A text that somebody else wrote (a relay, a gateway) with every e-mail address in it masked, so that it may be
/// logged and stored.
pub fn without_addresses(text: &str) -> String {
    let local = |c: char| c.is_alphanumeric() || "._%+-'!#$&*/=?^`{|}~".contains(c);
    let domain = |c: char| c.is_alphanumeric() || ".-".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        // A local part in quotes may hold anything, and its quotes belong to it.
        let quoted = before.strip_suffix('"').and_then(|b| b.rfind('"'));
        let begin = quoted.unwrap_or_else(|| before.trim_end_matches(local).len());
        let end = after.find(|c| !domain(c)).unwrap_or(after.len());
        if begin == at || end == 0 {
            out.push_str(&rest[..=at]);
        } else {
            out.push_str(&before[..begin]);
            out.extend(before[begin..].trim_start_matches('"').chars().next());
            out.push_str("***@");
            out.push_str(&after[..end]);
        }
        rest = if begin == at || end == 0 { after } else { &after[end..] };
    }
    out + rest
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Email {
    type Err = InvalidEmail;
    fn from_str(s: &str) -> Result<Self, InvalidEmail> {
        let s = s.trim();
        let (local, domain) = s.rsplit_once('@').ok_or(InvalidEmail)?;
        let local_ok = !local.is_empty()
            && local.len() <= 64
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..")
            && local.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~.-".contains(&b));
        let label_ok = |l: &str| {
            !l.is_empty()
                && l.len() <= 63
                && !l.starts_with('-')
                && !l.ends_with('-')
                && l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        };
        let domain_ok = domain.contains('.') && domain.split('.').all(label_ok);
        if local_ok && domain_ok && s.len() <= 254 {
            Ok(Email(format!("{local}@{}", domain.to_ascii_lowercase())))
        } else {
            Err(InvalidEmail)
        }
    }
}

impl<'de> Deserialize<'de> for Email {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

/// A phone number as typed, with 7 to 15 digits in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Phone(String);

/// Not a phone number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a phone number has 7 to 15 digits")]
pub struct InvalidPhone;

impl Phone {
    /// As typed, trimmed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Only the digits, for search.
    pub fn digits(&self) -> String {
        self.0.chars().filter(char::is_ascii_digit).collect()
    }
}

/// A telephone number as the networks know it: a plus sign, the country's code and the number, 8 to 15 digits in all (ITU-T E.164).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct E164(String);

/// No number that a network knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a telephone number that can be reached: ten digits, or + and the country's code before the number")]
pub struct NotE164;

impl E164 {
    /// `+15145550199`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Enough for somebody who knows the number to recognise it: `+1***0199`.
    pub fn masked(&self) -> String {
        masked_number(&self.0)
    }
}

/// A number with only its beginning and its last four digits, so that it may be logged.
pub fn masked_number(number: &str) -> String {
    let digits: Vec<char> = number.chars().filter(char::is_ascii_digit).collect();
    let last: String = digits.iter().skip(digits.len().saturating_sub(4)).collect();
    let first: String = number.chars().take(2).collect();
    if digits.len() < 8 { "***".to_owned() } else { format!("{first}***{last}") }
}

impl fmt::Display for E164 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for E164 {
    type Err = NotE164;

    /// Of a number as people in Canada type it: with ten digits it is theirs; one that begins with `+`, `00` or `011` says its
    /// country. A number of theirs has an area code and an exchange that begin with 2 to 9.
    fn from_str(typed: &str) -> Result<Self, NotE164> {
        let phone: Phone = typed.parse().map_err(|_| NotE164)?;
        let digits = phone.digits();
        let whole = if phone.as_str().starts_with('+') {
            digits
        } else if let Some(foreign) = digits.strip_prefix("011").or_else(|| digits.strip_prefix("00")) {
            foreign.to_owned()
        } else {
            match digits.len() {
                10 => format!("1{digits}"),
                11 if digits.starts_with('1') => digits,
                _ => return Err(NotE164),
            }
        };
        let theirs =
            |n: &str| n.len() == 10 && [0, 3].iter().all(|at| matches!(n.as_bytes().get(*at), Some(b'2'..=b'9')));
        let fits = match whole.strip_prefix('1') {
            Some(national) => theirs(national),
            None => (8..=15).contains(&whole.len()) && !whole.starts_with('0'),
        };
        if fits { Ok(E164(format!("+{whole}"))) } else { Err(NotE164) }
    }
}

impl fmt::Display for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Phone {
    type Err = InvalidPhone;
    fn from_str(s: &str) -> Result<Self, InvalidPhone> {
        let s = s.trim();
        let digits = s.bytes().filter(u8::is_ascii_digit).count();
        let clean = s.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c));
        if clean && s.len() <= 40 && (7..=15).contains(&digits) { Ok(Phone(s.to_owned())) } else { Err(InvalidPhone) }
    }
}

impl<'de> Deserialize<'de> for Phone {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(" Ana.Roy+x@Example.TEST ".parse::<Email>().unwrap().as_str(), "Ana.Roy+x@example.test");
        for bad in ["", "a", "a@b", "@b.c", "a@-b.c", "a b@c.d", "a..b@c.d", "a@b..c", "a@b.c\r\nBcc: x@y.z"] {
            assert!(bad.parse::<Email>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn addresses_are_masked_wherever_they_stand() {
        assert_eq!("Ana.Roy@Example.test".parse::<Email>().unwrap().masked(), "A***@example.test");
        for (told, masked) in [
            ("550 5.1.1 <ana@example.org>: no such user", "550 5.1.1 <a***@example.org>: no such user"),
            ("ana@a.org, bob+x@b.org.", "a***@a.org, b***@b.org."),
            ("to \"ana roy\"@a.org (\u{e9}milie@a.org)", "to a***@a.org (\u{e9}***@a.org)"),
            ("relay@localhost", "r***@localhost"),
            ("@ noon, at a@ or @b: nobody", "@ noon, at a@ or @b: nobody"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(without_addresses(told), masked);
        }
    }

    #[test]
    fn numbers_are_those_of_the_networks() {
        for typed in ["514 555-0199", "(514) 555-0199", "1-514-555-0199", "+1 514 555 0199", "011 1 514 555 0199"] {
            assert_eq!(typed.parse::<E164>().unwrap().as_str(), "+15145550199", "{typed}");
        }
        assert_eq!("+33 6 12 34 56 78".parse::<E164>().unwrap().as_str(), "+33612345678");
        assert_eq!("0086 138 0013 8000".parse::<E164>().unwrap().as_str(), "+8613800138000");
        for bad in
            ["", "555-0199", "014 555 0199", "514 055 0199", "+1 514 555 019", "+0 514 555 0199", "2 514 555 0199"]
        {
            assert!(bad.parse::<E164>().is_err(), "{bad:?}");
        }
        assert_eq!("514 555-0199".parse::<E164>().unwrap().masked(), "+1***0199");
        assert_eq!(masked_number("12"), "***");
    }

    #[test]
    fn numbers() {
        assert_eq!("+1 (514) 555-0100".parse::<Phone>().unwrap().digits(), "15145550100");
        for bad in ["", "123", "call me", "12345678901234567"] {
            assert!(bad.parse::<Phone>().is_err(), "{bad:?}");
        }
    }
}
