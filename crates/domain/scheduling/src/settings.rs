//! The numbers of the operating day.

use kernel::chrono::NaiveTime;
use serde::{Deserialize, Serialize};

/// When starts are offered. All times are the pickup's local time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// First start of the day.
    pub opens: NaiveTime,
    /// A move that ends by then may start at any step.
    pub closes: NaiveTime,
    /// Minutes between two starts.
    pub step_minutes: u32,
    /// Starts until here are offered even when the move ends after [`Settings::closes`].
    pub late_start_until: NaiveTime,
    /// The latest end of a move booked online.
    pub latest_end: NaiveTime,
    /// The latest end of a long-distance move booked online.
    pub latest_end_long_distance: NaiveTime,
    /// Half of the promised arrival window, in minutes.
    pub window_minutes: u32,
    /// Least time between now and the start of a move booked online, in minutes.
    pub min_lead_minutes: u32,
    /// From this local time on, tomorrow's starts are no longer offered.
    pub next_day_cutoff: NaiveTime,
    /// How many days ahead people may book.
    pub horizon_days: u32,
}

/// A constant time of day; midnight for numbers that are no time, which the test below excludes.
const fn at(hour: u32, minute: u32) -> NaiveTime {
    match NaiveTime::from_hms_opt(hour, minute, 0) {
        Some(time) => time,
        None => NaiveTime::MIN,
    }
}

impl Settings {
    /// The published operating day.
    pub const DEFAULT: Settings = Settings {
        opens: at(8, 0),
        closes: at(18, 0),
        step_minutes: 30,
        late_start_until: at(16, 0),
        latest_end: at(20, 0),
        latest_end_long_distance: at(22, 0),
        window_minutes: 30,
        min_lead_minutes: 18 * 60,
        next_day_cutoff: at(18, 0),
        horizon_days: 365,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Settings::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_published_day() {
        let s = Settings::default();
        let text = |t: NaiveTime| t.format("%H:%M").to_string();
        let times =
            [s.opens, s.closes, s.late_start_until, s.latest_end, s.latest_end_long_distance, s.next_day_cutoff];
        assert_eq!(times.map(text), ["08:00", "18:00", "16:00", "20:00", "22:00", "18:00"]);
    }

    #[test]
    fn a_partial_document_keeps_the_other_defaults() {
        let s: Settings = serde_json::from_str(r#"{"opens":"07:00:00"}"#).unwrap();
        assert_eq!(s, Settings { opens: at(7, 0), ..Settings::DEFAULT });
    }
}
