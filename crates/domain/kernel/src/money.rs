//! Money in integer cents with checked arithmetic.

use std::{fmt, iter::Sum, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::rate::{BasisPoints, Ppm, round_half_up};

/// The one currency Portage trades in today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Currency {
    /// Canadian dollars.
    #[default]
    CAD,
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CAD")
    }
}

/// An amount in integer cents of Canadian dollars; may be negative (a discount, a refund).
///
/// Text and JSON form: a decimal string in dollars with exactly two digits, `"574.88"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(i64);

/// Why an amount could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// Not a dollar amount with at most two decimals.
    #[error("not an amount in dollars with at most two decimals")]
    Malformed,
    /// Beyond what integer cents can hold.
    #[error("the amount is too large")]
    Overflow,
}

impl Money {
    /// No money.
    pub const ZERO: Money = Money(0);

    /// From integer cents.
    pub const fn from_cents(cents: i64) -> Self {
        Money(cents)
    }

    /// Integer cents.
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// True when the amount is exactly zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// True when above zero.
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// True when below zero.
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Sum, or `None` on overflow.
    pub fn checked_add(self, other: Money) -> Option<Money> {
        self.0.checked_add(other.0).map(Money)
    }

    /// Difference, or `None` on overflow.
    pub fn checked_sub(self, other: Money) -> Option<Money> {
        self.0.checked_sub(other.0).map(Money)
    }

    /// Sum that stops at the largest amount instead of wrapping: sums of amounts that
    /// already passed a limit check never get near it.
    pub fn plus(self, other: Money) -> Money {
        Money(self.0.saturating_add(other.0))
    }

    /// Difference that stops at the bounds instead of wrapping.
    pub fn minus(self, other: Money) -> Money {
        Money(self.0.saturating_sub(other.0))
    }

    /// The amount with its sign turned.
    pub fn negated(self) -> Money {
        Money(self.0.saturating_neg())
    }

    /// `self` times a share in basis points, rounded half up once.
    pub fn share(self, share: BasisPoints) -> Money {
        Money(round_half_up(i128::from(self.0) * i128::from(share.get()), 10_000))
    }

    /// `self` times a rate in parts per million, rounded half up once.
    pub fn rate(self, rate: Ppm) -> Money {
        Money(round_half_up(i128::from(self.0) * i128::from(rate.get()), 1_000_000))
    }

    /// `self` as so many parts that make it up to the cent: nothing is rounded, the first parts are a cent larger where it
    /// cannot be divided. Of a negative amount they are a cent smaller. No parts: nobody gets anything.
    pub fn split(self, parts: u32) -> Vec<Money> {
        if parts == 0 {
            return Vec::new();
        }
        let each = self.0 / i64::from(parts);
        let over = self.0 % i64::from(parts);
        let part = |n: u32| Money(each + if i64::from(n) < over.abs() { over.signum() } else { 0 });
        (0..parts).map(part).collect()
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(iter: I) -> Money {
        iter.fold(Money::ZERO, Money::plus)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let abs = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", abs / 100, abs % 100)
    }
}

impl FromStr for Money {
    type Err = MoneyError;

    /// Reads `12`, `12.5`, `12.50`, `-12.50`. No exponent, no thousands separator, no plus sign.
    fn from_str(s: &str) -> Result<Self, MoneyError> {
        let (negative, digits) = match s.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, s),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        let dangling = digits.contains('.') && fraction.is_empty();
        if whole.is_empty() || fraction.len() > 2 || dangling || !all_digits(whole) || !all_digits(fraction) {
            return Err(MoneyError::Malformed);
        }
        let whole: i64 = whole.parse().map_err(|_| MoneyError::Overflow)?;
        let cents: i64 = match fraction.len() {
            0 => 0,
            1 => fraction.parse::<i64>().map_err(|_| MoneyError::Malformed)? * 10,
            _ => fraction.parse().map_err(|_| MoneyError::Malformed)?,
        };
        let total = whole.checked_mul(100).and_then(|w| w.checked_add(cents)).ok_or(MoneyError::Overflow)?;
        Ok(Money(if negative { -total } else { total }))
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_and_prints_dollars() {
        for (text, cents) in [("0.00", 0), ("574.88", 57_488), ("-0.05", -5), ("12", 1_200), ("12.5", 1_250)] {
            assert_eq!(text.parse::<Money>().unwrap().cents(), cents, "{text}");
        }
        for bad in ["", ".5", "5.", "1,50", "1.234", "+1", "1e3", "--1", "99999999999999999999"] {
            assert!(bad.parse::<Money>().is_err(), "{bad}");
        }
        assert_eq!(Money::from_cents(-5).to_string(), "-0.05");
    }

    #[test]
    fn a_share_and_its_remainder_make_the_whole() {
        let total = Money::from_cents(66_091);
        let deposit = total.share(BasisPoints::new(2_000));
        assert_eq!((deposit.cents(), total.minus(deposit).cents()), (13_218, 52_873));
    }

    #[test]
    fn parts_make_the_whole_to_the_cent() {
        let split = |cents: i64, parts| -> Vec<i64> {
            Money::from_cents(cents).split(parts).into_iter().map(Money::cents).collect()
        };
        assert_eq!(split(4_000, 3), [1_334, 1_333, 1_333]);
        assert_eq!(split(4_000, 4), [1_000; 4]);
        assert_eq!(split(2, 3), [1, 1, 0]);
        assert_eq!(split(-5, 2), [-3, -2]);
        assert_eq!(split(4_000, 0), [0; 0]);
    }

    proptest! {
        #[test]
        fn no_cent_is_lost_by_splitting(cents in -10_000_000i64..10_000_000, parts in 1u32..60) {
            let split = Money::from_cents(cents).split(parts);
            prop_assert_eq!(split.iter().copied().sum::<Money>().cents(), cents);
            let (most, least) = (split.iter().max().unwrap(), split.iter().min().unwrap());
            prop_assert!(most.minus(*least).cents() <= 1);
        }

        #[test]
        fn text_round_trips(cents in -1_000_000_000_000i64..1_000_000_000_000) {
            let m = Money::from_cents(cents);
            prop_assert_eq!(m.to_string().parse::<Money>().unwrap(), m);
            let json = serde_json::to_string(&m).unwrap();
            prop_assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), m);
        }
    }
}
