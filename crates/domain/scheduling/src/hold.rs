//! How long a chosen slot stays reserved during checkout.

use kernel::chrono::{DateTime, Duration, Utc};

/// Minutes a slot is held after it was chosen.
pub const HOLD_TTL_MINUTES: u32 = 15;
/// Minutes added, once, when the payment form is opened.
pub const HOLD_EXTENSION_MINUTES: u32 = 10;

/// When a hold taken now runs out.
pub fn hold_expiry(taken_at: DateTime<Utc>) -> DateTime<Utc> {
    later(taken_at, HOLD_TTL_MINUTES)
}

/// The expiry after the one extension; the caller's hold state machine sees that it is the only one.
pub fn extended_expiry(expires_at: DateTime<Utc>) -> DateTime<Utc> {
    later(expires_at, HOLD_EXTENSION_MINUTES)
}

fn later(instant: DateTime<Utc>, minutes: u32) -> DateTime<Utc> {
    instant.checked_add_signed(Duration::minutes(i64::from(minutes))).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn fifteen_minutes_and_ten_more() {
        let t: DateTime<Utc> = "2027-02-16T14:00:00Z".parse().unwrap();
        assert_eq!(hold_expiry(t).to_rfc3339(), "2027-02-16T14:15:00+00:00");
        assert_eq!(extended_expiry(hold_expiry(t)).to_rfc3339(), "2027-02-16T14:25:00+00:00");
        assert_eq!(hold_expiry(DateTime::<Utc>::MAX_UTC), DateTime::<Utc>::MAX_UTC);
    }
}
