//! The numbers of the operating day.

use kernel::{
    Bounds, Measure, Must,
    chrono::{NaiveTime, Timelike as _},
};
use serde::{Deserialize, Serialize};

/// Times of day as `HH:MM`: what people type and read.
mod hour_minute {
    use kernel::chrono::NaiveTime;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    const FORMAT: &str = "%H:%M";

    pub fn serialize<S: Serializer>(time: &NaiveTime, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&time.format(FORMAT))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<NaiveTime, D::Error> {
        let text = String::deserialize(d)?;
        NaiveTime::parse_from_str(&text, FORMAT).map_err(|_| D::Error::custom("a time of day is HH:MM"))
    }
}

/// When starts are offered. All times are the pickup's local time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// First start of the day.
    #[serde(with = "hour_minute")]
    pub opens: NaiveTime,
    /// A move that ends by then may start at any step.
    #[serde(with = "hour_minute")]
    pub closes: NaiveTime,
    /// Minutes between two starts.
    pub step_minutes: u32,
    /// Starts until here are offered even when the move ends after [`Settings::closes`].
    #[serde(with = "hour_minute")]
    pub late_start_until: NaiveTime,
    /// The latest end of a move booked online.
    #[serde(with = "hour_minute")]
    pub latest_end: NaiveTime,
    /// The latest end of a long-distance move booked online.
    #[serde(with = "hour_minute")]
    pub latest_end_long_distance: NaiveTime,
    /// Half of the promised arrival window, in minutes.
    pub window_minutes: u32,
    /// Least time between now and the start of a move booked online, in minutes.
    pub min_lead_minutes: u32,
    /// From this local time on, tomorrow's starts are no longer offered.
    #[serde(with = "hour_minute")]
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

/// How wide a promised arrival is. A booking keeps the one it was made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Arrival {
    /// First start of the day: its window begins with it.
    #[serde(with = "hour_minute")]
    pub opens: NaiveTime,
    /// Half of the window, in minutes.
    pub window_minutes: u32,
}

impl Default for Arrival {
    fn default() -> Self {
        Settings::DEFAULT.arrival()
    }
}

/// Settings that cannot be put in force.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} must be {must}")]
pub struct InvalidSettings {
    /// The field that is wrong, as it is written in JSON.
    pub field: &'static str,
    /// What it must be.
    pub must: Must,
}

/// Minutes.
const WHOLE_DAY: u32 = 24 * 60;
/// Between two starts.
const STEP: Bounds = Bounds::Between(5, 240, Measure::Minutes);
/// Half of the arrival window.
const WINDOW: Bounds = Bounds::AtMost(240, Measure::Minutes);
/// From a booking to its start.
const LEAD: Bounds = Bounds::AtMost(30, Measure::Days);
/// How far ahead a booking is taken.
const HORIZON: Bounds = Bounds::Between(1, 730, Measure::Days);

impl Settings {
    /// How wide an arrival is promised.
    pub const fn arrival(&self) -> Arrival {
        Arrival { opens: self.opens, window_minutes: self.window_minutes }
    }

    /// Everything that makes no working day.
    pub fn problems(&self) -> Vec<InvalidSettings> {
        let minutes = |time: NaiveTime| time.hour() * 60 + time.minute();
        let (opens, closes) = (minutes(self.opens), minutes(self.closes));
        let within = |figure: u32, field, bounds: Bounds| (bounds.hold(figure.into()), field, Must::Within(bounds));
        // What is out of bounds is refused for that alone.
        let divides = !STEP.hold(self.step_minutes.into()) || WHOLE_DAY.is_multiple_of(self.step_minutes);
        let late_start = (opens..=closes).contains(&minutes(self.late_start_until));
        let rules = [
            (opens < closes, "closes", Must::Formed("after the first start")),
            within(self.step_minutes, "stepMinutes", STEP),
            (divides, "stepMinutes", Must::Sized("minutes that divide the day")),
            (late_start, "lateStartUntil", Must::Formed("within the working day")),
            (closes <= minutes(self.latest_end), "latestEnd", Must::Sized("no earlier than the end of the day")),
            (
                self.latest_end <= self.latest_end_long_distance,
                "latestEndLongDistance",
                Must::Sized("no earlier than the latest end of other moves"),
            ),
            within(self.window_minutes, "windowMinutes", WINDOW),
            within(self.min_lead_minutes.div_ceil(WHOLE_DAY), "minLeadMinutes", LEAD),
            within(self.horizon_days, "horizonDays", HORIZON),
        ];
        let wrong = rules.into_iter().filter(|(holds, ..)| !holds);
        wrong.map(|(_, field, must)| InvalidSettings { field, must }).collect()
    }

    /// Checks that they make a working day.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn validate(&self) -> Result<(), InvalidSettings> {
        self.problems().into_iter().next().map_or(Ok(()), Err)
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
        let s: Settings = serde_json::from_str(r#"{"opens":"07:00"}"#).unwrap();
        assert_eq!(s, Settings { opens: at(7, 0), ..Settings::DEFAULT });
    }

    #[test]
    fn times_are_written_as_people_write_them() {
        let json = serde_json::to_value(Settings::DEFAULT).unwrap();
        assert_eq!((&json["opens"], &json["latestEndLongDistance"]), (&"08:00".into(), &"22:00".into()));
        assert_eq!(serde_json::from_value::<Settings>(json).unwrap(), Settings::DEFAULT);
        for wrong in ["24:00", "07:60", "07:00:30", "seven", ""] {
            let json = serde_json::json!({ "opens": wrong });
            assert!(serde_json::from_value::<Settings>(json).is_err(), "{wrong}");
        }
        assert_eq!(serde_json::from_str::<Arrival>("{}").unwrap(), Settings::DEFAULT.arrival());
    }

    #[test]
    fn what_makes_no_day_is_told_by_field() {
        assert_eq!(Settings::DEFAULT.problems(), []);
        let wrong = |change: fn(&mut Settings)| {
            let mut s = Settings::DEFAULT;
            change(&mut s);
            s.problems().into_iter().map(|p| p.field).collect::<Vec<_>>()
        };
        assert_eq!(wrong(|s| s.opens = at(18, 0)), ["closes", "lateStartUntil"]);
        assert_eq!(wrong(|s| s.closes = at(20, 30)), ["latestEnd"]);
        let must = |step| Settings { step_minutes: step, ..Settings::DEFAULT }.problems().into_iter().map(|p| p.must);
        assert_eq!(must(480).collect::<Vec<_>>(), [Must::Within(Bounds::Between(5, 240, Measure::Minutes))]);
        assert!(matches!(must(7).collect::<Vec<_>>()[..], [Must::Sized(_)]));
        for step in [0, 4, 7, 241, 480] {
            let s = Settings { step_minutes: step, ..Settings::DEFAULT };
            assert_eq!(s.validate().unwrap_err().field, "stepMinutes", "{step}");
        }
        for step in [5, 15, 20, 30, 45, 60, 90, 120, 240] {
            assert!(Settings { step_minutes: step, ..Settings::DEFAULT }.validate().is_ok(), "{step}");
        }
        assert_eq!(wrong(|s| s.late_start_until = at(7, 59)), ["lateStartUntil"]);
        assert_eq!(wrong(|s| s.latest_end = at(22, 1)), ["latestEndLongDistance"]);
        assert_eq!(wrong(|s| s.window_minutes = 241), ["windowMinutes"]);
        assert_eq!(wrong(|s| s.min_lead_minutes = 30 * 1_440 + 1), ["minLeadMinutes"]);
        assert_eq!(wrong(|s| s.horizon_days = 0), ["horizonDays"]);
        assert_eq!(wrong(|s| s.horizon_days = 731), ["horizonDays"]);
    }
}
