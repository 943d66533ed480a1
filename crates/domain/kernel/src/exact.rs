//! Decimal numbers that keep their decimals.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::Money;

/// A decimal number with as many decimals as it was written with: `2.50` stays `2.50`. Two are equal when they are written
/// alike. Text and JSON form: `"2.50"`, `"-1.00"`, `"4"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Exact {
    digits: i64,
    decimals: u8,
}

/// A text that is no decimal number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a decimal number")]
pub struct NotExact(String);

impl Exact {
    /// Of all its digits, the last so many of which are decimals: 250 and 2 are `2.50`.
    pub const fn new(digits: i64, decimals: u8) -> Exact {
        Exact { digits, decimals }
    }

    /// All its digits, without the point.
    pub const fn digits(self) -> i64 {
        self.digits
    }

    /// How many of its digits are decimals.
    pub const fn decimals(self) -> u8 {
        self.decimals
    }

    /// How many hundredths it is; none where it has more than two decimals.
    pub const fn hundredths(self) -> Option<i64> {
        match self.decimals {
            0 => self.digits.checked_mul(100),
            1 => self.digits.checked_mul(10),
            2 => Some(self.digits),
            _ => None,
        }
    }
}

impl From<Money> for Exact {
    fn from(amount: Money) -> Exact {
        Exact::new(amount.cents(), 2)
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let decimals = usize::from(self.decimals);
        let digits = format!("{:0width$}", self.digits.unsigned_abs(), width = decimals + 1);
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        let point = if fraction.is_empty() { "" } else { "." };
        write!(f, "{sign}{whole}{point}{fraction}")
    }
}

impl FromStr for Exact {
    type Err = NotExact;

    /// Reads `12`, `12.5`, `-12.50`. No exponent, no thousands separator, no plus sign.
    fn from_str(text: &str) -> Result<Exact, NotExact> {
        let wrong = || NotExact(text.to_owned());
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let is_number = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        let dangles = unsigned.ends_with('.');
        if whole.is_empty() || dangles || !is_number(whole) || !is_number(fraction) {
            return Err(wrong());
        }
        let digits: i64 = format!("{whole}{fraction}").parse().map_err(|_| wrong())?;
        let decimals = u8::try_from(fraction.len()).map_err(|_| wrong())?;
        Ok(Exact::new(if text.starts_with('-') { -digits } else { digits }, decimals))
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Exact, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_number_keeps_its_spelling() {
        for text in ["0", "4", "1.00", "0.50", "-1.00", "-0.05", "5.81667", "1.4375", "0.00000001", "127.00"] {
            let json = format!("{text:?}");
            let read: Exact = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), json);
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", ".5", "5.", "1.0.0", "+1", "1e3", "1,5", " 1", "1_0", "--1", "9999999999999999999"] {
            assert!(text.parse::<Exact>().is_err(), "{text}");
        }
    }

    #[test]
    fn hundredths() {
        let told = ["20", "12.5", "-20.50", "1.234"].map(|t| t.parse::<Exact>().unwrap().hundredths());
        assert_eq!(told, [Some(2_000), Some(1_250), Some(-2_050), None]);
        assert_eq!(Exact::from(Money::from_cents(-5)).to_string(), "-0.05");
    }
}
