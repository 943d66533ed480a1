//! Rates as integers, and the one rounding function.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// `numerator / denominator` rounded half away from zero to an integer.
///
/// The only place where Portage rounds money or time. A zero denominator gives zero:
/// callers divide by constants or by values proven positive.
pub fn round_half_up(numerator: i128, denominator: i128) -> i64 {
    if denominator == 0 {
        return 0;
    }
    let (n, d) = if denominator < 0 { (-numerator, -denominator) } else { (numerator, denominator) };
    let rounded = if n < 0 { -((-2 * n + d) / (2 * d)) } else { (2 * n + d) / (2 * d) };
    i64::try_from(rounded).unwrap_or(if rounded < 0 { i64::MIN } else { i64::MAX })
}

/// `value` rounded up to the next multiple of `step` (a positive step).
pub fn ceil_to(value: i64, step: i64) -> i64 {
    if step <= 0 {
        return value;
    }
    value.div_euclid(step).saturating_add(i64::from(value.rem_euclid(step) != 0)).saturating_mul(step)
}

/// Why a rate could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// Not a decimal number that fits the unit.
    #[error("not a decimal rate")]
    Malformed,
}

macro_rules! integer_rate {
    ($(#[$doc:meta])* $name:ident, $scale:expr, $unit:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(i64);

        impl $name {
            #[doc = concat!("From ", $unit, ".")]
            pub const fn new(value: i64) -> Self {
                $name(value)
            }

            #[doc = concat!("The integer number of ", $unit, ".")]
            pub const fn get(self) -> i64 {
                self.0
            }

            /// As a decimal fraction of one.
            pub fn decimal(self) -> Decimal {
                Decimal::new(self.0, $scale).normalize()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.decimal())
            }
        }

        impl FromStr for $name {
            type Err = RateError;
            fn from_str(s: &str) -> Result<Self, RateError> {
                let d = Decimal::from_str(s).map_err(|_| RateError::Malformed)?;
                let scaled = d.checked_mul(Decimal::from(10i64.pow($scale))).ok_or(RateError::Malformed)?;
                if scaled.fract().is_zero() {
                    i64::try_from(scaled.trunc()).map($name).map_err(|_| RateError::Malformed)
                } else {
                    Err(RateError::Malformed)
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    };
}

integer_rate!(
    /// A share or multiplier in basis points: 10 000 is one. Text form: decimal fraction, `"0.2"`.
    BasisPoints, 4, "basis points"
);
integer_rate!(
    /// A tax rate in parts per million: 149 750 is 14.975 %. Text form: decimal fraction, `"0.14975"`.
    Ppm, 6, "parts per million"
);

impl BasisPoints {
    /// One.
    pub const ONE: BasisPoints = BasisPoints(10_000);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_round_away_from_zero() {
        assert_eq!(
            [round_half_up(5, 10), round_half_up(4, 10), round_half_up(-5, 10), round_half_up(-4, 10)],
            [1, 0, -1, 0]
        );
        assert_eq!(round_half_up(5, -10), -1);
    }

    #[test]
    fn steps_round_up() {
        assert_eq!(
            [ceil_to(0, 15), ceil_to(1, 15), ceil_to(15, 15), ceil_to(16, 15), ceil_to(-1, 15)],
            [0, 15, 15, 30, 0]
        );
    }

    #[test]
    fn rates_read_as_decimals() {
        assert_eq!("0.14975".parse::<Ppm>().unwrap(), Ppm::new(149_750));
        assert_eq!(Ppm::new(149_750).to_string(), "0.14975");
        assert_eq!(BasisPoints::new(2_000).to_string(), "0.2");
        assert!("0.1497501".parse::<Ppm>().is_err());
    }

    proptest! {
        #[test]
        fn rounding_is_within_half(n in -1_000_000_000i64..1_000_000_000, d in 1i64..10_000) {
            let r = round_half_up(i128::from(n), i128::from(d));
            prop_assert!((2 * (r * d - n)).abs() <= d);
        }
    }
}
