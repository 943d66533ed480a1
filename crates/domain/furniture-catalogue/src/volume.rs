//! Volumes in tenths of a cubic foot.

use std::{fmt, iter::Sum, ops::Add, str::FromStr};

use serde::{Serialize, Serializer};

/// A loaded volume in tenths of a cubic foot ("deci-cubic-feet"), the unit in which every cube
/// sheet value is a whole number. Text and JSON form: cubic feet with one decimal, `"50.0"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Volume(u32);

/// Not a volume with at most one decimal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a volume is a number of cubic feet with at most one decimal")]
pub struct InvalidVolume;

impl Volume {
    /// Nothing.
    pub const ZERO: Volume = Volume(0);

    /// From tenths of a cubic foot.
    pub const fn from_dcf(tenths: u32) -> Self {
        Volume(tenths)
    }

    /// Tenths of a cubic foot.
    pub const fn dcf(self) -> u32 {
        self.0
    }

    /// `quantity` times this volume; stays at the largest representable volume beyond it.
    pub const fn times(self, quantity: u32) -> Self {
        Volume(self.0.saturating_mul(quantity))
    }
}

impl Add for Volume {
    type Output = Volume;
    fn add(self, other: Volume) -> Volume {
        Volume(self.0.saturating_add(other.0))
    }
}

impl Sum for Volume {
    fn sum<I: Iterator<Item = Volume>>(volumes: I) -> Volume {
        volumes.fold(Volume::ZERO, Add::add)
    }
}

impl fmt::Display for Volume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

impl FromStr for Volume {
    type Err = InvalidVolume;
    fn from_str(s: &str) -> Result<Self, InvalidVolume> {
        let (whole, tenth) = s.split_once('.').unwrap_or((s, "0"));
        let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(tenth) || tenth.len() > 1 {
            return Err(InvalidVolume);
        }
        let whole: u32 = whole.parse().map_err(|_| InvalidVolume)?;
        let tenth: u32 = tenth.parse().map_err(|_| InvalidVolume)?;
        whole.checked_mul(10).and_then(|w| w.checked_add(tenth)).map(Volume).ok_or(InvalidVolume)
    }
}

impl Serialize for Volume {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_plain_numbers_with_one_decimal_are_volumes() {
        assert_eq!("3.1".parse::<Volume>().unwrap().dcf(), 31);
        assert_eq!("50".parse::<Volume>().unwrap().to_string(), "50.0");
        for bad in ["", ".", "1.", ".5", "1.25", "-1", "+1", "1e3", "4294967296", "429496729.6", "1,5", "é"] {
            assert!(bad.parse::<Volume>().is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn text_form_round_trips(tenths: u32) {
            let volume = Volume::from_dcf(tenths);
            prop_assert_eq!(volume.to_string().parse::<Volume>().unwrap(), volume);
        }

        #[test]
        fn anything_typed_is_read_or_refused(text in ".*") {
            let _ = text.parse::<Volume>();
        }
    }
}
