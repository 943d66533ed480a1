//! Operational deadlines, counted back from the start of the move.

use kernel::chrono::{DateTime, Duration, Utc};

/// Customers are reminded this many hours before the start: before the balance, and on the eve.
pub const REMINDER_HOURS: [u32; 2] = [72, 24];
/// Operations are warned when nobody is assigned this many hours before the start.
pub const ASSIGN_WARNING_HOURS: u32 = 24;
/// The warning becomes an alarm.
pub const ASSIGN_ALARM_HOURS: u32 = 12;
/// Mates confirm their job by then.
pub const CONFIRM_HOURS: u32 = 18;

/// The instant `hours` elapsed hours before `start`: never calendar days, so a clock change in
/// between moves the local hour.
pub fn hours_before(start: DateTime<Utc>, hours: u32) -> DateTime<Utc> {
    start.checked_sub_signed(Duration::hours(i64::from(hours))).unwrap_or(DateTime::<Utc>::MIN_UTC)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use kernel::Zone;
    use kernel::chrono::{NaiveDate, NaiveTime};

    #[test]
    fn hours_are_elapsed_hours() {
        // 09:00 on the Monday after Toronto's spring change; 24 h before is still Sunday 09:00,
        // 72 h before is Friday 08:00 on the wall.
        let start = Zone::TORONTO
            .instant(NaiveDate::from_ymd_opt(2027, 3, 15).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap())
            .unwrap();
        let local = |h| Zone::TORONTO.local(hours_before(start, h)).rfc3339();
        assert_eq!(local(REMINDER_HOURS[1]), "2027-03-14T09:00:00-04:00");
        assert_eq!(local(REMINDER_HOURS[0]), "2027-03-12T08:00:00-05:00");
    }
}
