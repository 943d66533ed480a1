//! Time and randomness as parameters.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// The server's clock: the only judge of what is due.
pub trait Clock: Send + Sync {
    /// Now, UTC, at most microsecond precision (what both databases keep).
    fn now(&self) -> DateTime<Utc>;
}

/// A source of unpredictable bytes.
pub trait Entropy: Send + Sync {
    /// Fills `out` with bytes from the operating system.
    fn fill(&self, out: &mut [u8]);

    /// A new UUIDv7 whose time part is `at`, so that ids sort as the records were made.
    fn uuid(&self, at: DateTime<Utc>) -> Uuid {
        let mut random = [0u8; 10];
        self.fill(&mut random);
        let millis = u64::try_from(at.timestamp_millis()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
    }
}
