//! How many mates come.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// Number of paid mates: 1 to 20.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct MateCount(u8);

/// A crew nobody can book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the number of mates must be between 1 and 20")]
pub struct InvalidMateCount;

impl MateCount {
    /// One mate, the least.
    pub const MIN: MateCount = MateCount(1);
    /// The most any request may name; online bookings are limited further by the rate card.
    pub const MAX: u8 = 20;

    /// Checks the bounds.
    pub fn new(n: i64) -> Result<Self, InvalidMateCount> {
        match u8::try_from(n) {
            Ok(n @ 1..=Self::MAX) => Ok(MateCount(n)),
            _ => Err(InvalidMateCount),
        }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<i64> for MateCount {
    type Error = InvalidMateCount;
    fn try_from(n: i64) -> Result<Self, InvalidMateCount> {
        MateCount::new(n)
    }
}

impl<'de> Deserialize<'de> for MateCount {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        MateCount::new(i64::deserialize(d)?).map_err(D::Error::custom)
    }
}
