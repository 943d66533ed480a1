//! Elapsed hours on UTC instants, without overflow.

use kernel::chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

/// A number of elapsed hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hours(pub u32);

impl Hours {
    /// As a span of time.
    pub fn duration(self) -> Duration {
        Duration::hours(i64::from(self.0))
    }

    /// This long after `at`; stops at the end of the calendar.
    pub fn after(self, at: DateTime<Utc>) -> DateTime<Utc> {
        at.checked_add_signed(self.duration()).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    /// This long before `at`; stops at the beginning of the calendar.
    pub fn before(self, at: DateTime<Utc>) -> DateTime<Utc> {
        at.checked_sub_signed(self.duration()).unwrap_or(DateTime::<Utc>::MIN_UTC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_calendar_hold() {
        assert_eq!(Hours(u32::MAX).after(DateTime::<Utc>::MAX_UTC), DateTime::<Utc>::MAX_UTC);
        assert_eq!(Hours(1).before(DateTime::<Utc>::MIN_UTC), DateTime::<Utc>::MIN_UTC);
        assert_eq!(Hours(48).before(Hours(48).after(DateTime::UNIX_EPOCH)), DateTime::UNIX_EPOCH);
    }
}
