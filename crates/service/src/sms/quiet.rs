//! When a telephone may ring: not between nine in the evening and eight in the morning where the move is.

use chrono::{DateTime, NaiveTime, Utc};
use kernel::Zone;

const fn hour(hour: u32) -> NaiveTime {
    match NaiveTime::from_hms_opt(hour, 0, 0) {
        Some(time) => time,
        None => NaiveTime::MIN,
    }
}

/// From this time on it is quiet.
const EVENING: NaiveTime = hour(21);
/// Until this one.
const MORNING: NaiveTime = hour(8);

/// `now`, or the end of the quiet hours it lies in.
pub fn by_day(zone: Zone, now: DateTime<Utc>) -> DateTime<Utc> {
    let local = zone.local(now);
    let day = if local.time >= EVENING {
        local.date.succ_opt()
    } else if local.time < MORNING {
        Some(local.date)
    } else {
        return now;
    };
    // No zone changes its clocks at eight in the morning.
    day.and_then(|day| zone.instant(day, MORNING).ok()).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn nothing_is_sent_from_nine_to_eight() {
        for (zone, now, then) in [
            // -05:00 in winter.
            (Zone::MONTREAL, "2027-02-16T12:59:59Z", "2027-02-16T13:00:00Z"),
            (Zone::MONTREAL, "2027-02-16T13:00:00Z", "2027-02-16T13:00:00Z"),
            (Zone::MONTREAL, "2027-02-17T01:59:59Z", "2027-02-17T01:59:59Z"),
            (Zone::MONTREAL, "2027-02-17T02:00:00Z", "2027-02-17T13:00:00Z"),
            (Zone::MONTREAL, "2027-02-17T05:30:00Z", "2027-02-17T13:00:00Z"),
            // -04:00 in summer; the clocks go forward in the night to 14 March.
            (Zone::MONTREAL, "2027-07-01T01:00:00Z", "2027-07-01T12:00:00Z"),
            (Zone::MONTREAL, "2027-03-14T03:00:00Z", "2027-03-14T12:00:00Z"),
            // British Columbia has stopped changing its clocks: -07:00 all year.
            (Zone::VANCOUVER, "2027-01-16T04:00:00Z", "2027-01-16T15:00:00Z"),
            (Zone::VANCOUVER, "2027-01-16T03:59:00Z", "2027-01-16T03:59:00Z"),
        ] {
            assert_eq!(by_day(zone, at(now)), at(then), "{} {now}", zone.name());
        }
    }
}
