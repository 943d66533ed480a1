//! Wall-clock time. The only place that resolves time zones, from jiff's bundled database:
//! British Columbia and Alberta stopped changing their clocks in 2026 and most systems'
//! files (and chrono-tz 0.10) are an hour wrong for them in winter.

use std::{fmt, str::FromStr, sync::LazyLock};

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Timelike, Utc};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// An IANA time zone of the served area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Zone(Inner);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Inner {
    Toronto,
    Vancouver,
    Edmonton,
}

static ZONES: LazyLock<[TimeZone; 3]> = LazyLock::new(|| {
    let db = TimeZoneDatabase::bundled();
    // A bundled database without these names cannot be linked in by accident: the unit test
    // below fails. UTC keeps this total.
    [Inner::Toronto, Inner::Vancouver, Inner::Edmonton].map(|z| db.get(z.name()).unwrap_or(TimeZone::UTC))
});

impl Inner {
    const fn name(self) -> &'static str {
        match self {
            Inner::Toronto => "America/Toronto",
            Inner::Vancouver => "America/Vancouver",
            Inner::Edmonton => "America/Edmonton",
        }
    }
}

/// Not a zone of the served area.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a time zone Portage serves")]
pub struct UnknownZone;

/// A wall-clock time that cannot be turned into an instant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZoneError {
    /// The clocks skip this time on that day.
    #[error("this local time does not exist on that day: the clocks are moved forward")]
    Gap,
    /// Outside the years the calendar covers.
    #[error("the date is out of range")]
    OutOfRange,
}

/// What a wall clock shows at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalTime {
    /// Calendar day.
    pub date: NaiveDate,
    /// Time of day.
    pub time: NaiveTime,
    /// Seconds east of UTC.
    pub offset_seconds: i32,
}

impl Zone {
    /// Quebec and Ontario.
    pub const TORONTO: Zone = Zone(Inner::Toronto);
    /// British Columbia.
    pub const VANCOUVER: Zone = Zone(Inner::Vancouver);
    /// Alberta.
    pub const EDMONTON: Zone = Zone(Inner::Edmonton);
    /// The zone the specification shows schedules in.
    pub const MONTREAL: Zone = Zone::TORONTO;

    /// IANA name.
    pub const fn name(self) -> &'static str {
        self.0.name()
    }

    fn tz(self) -> &'static TimeZone {
        &ZONES[match self.0 {
            Inner::Toronto => 0,
            Inner::Vancouver => 1,
            Inner::Edmonton => 2,
        }]
    }

    /// The wall clock at `instant`.
    pub fn local(self, instant: DateTime<Utc>) -> LocalTime {
        let seconds = instant.timestamp();
        let offset = jiff::Timestamp::from_second(seconds).map_or(0, |t| self.tz().to_offset(t).seconds());
        let shifted = instant + chrono::Duration::seconds(i64::from(offset));
        LocalTime { date: shifted.date_naive(), time: shifted.time(), offset_seconds: offset }
    }

    /// The instant of a wall-clock time.
    ///
    /// An ambiguous autumn hour means its first (daylight) occurrence; a skipped spring hour is
    /// an error.
    pub fn instant(self, date: NaiveDate, time: NaiveTime) -> Result<DateTime<Utc>, ZoneError> {
        let out = |_: jiff::Error| ZoneError::OutOfRange;
        let part = |n: u32| i8::try_from(n).map_err(|_| ZoneError::OutOfRange);
        let civil = jiff::civil::DateTime::new(
            i16::try_from(date.year()).map_err(|_| ZoneError::OutOfRange)?,
            part(date.month())?,
            part(date.day())?,
            part(time.hour())?,
            part(time.minute())?,
            part(time.second())?,
            0,
        )
        .map_err(out)?;
        let ambiguous = self.tz().to_ambiguous_timestamp(civil);
        if matches!(ambiguous.offset(), jiff::tz::AmbiguousOffset::Gap { .. }) {
            return Err(ZoneError::Gap);
        }
        let timestamp = ambiguous.earlier().map_err(out)?;
        DateTime::from_timestamp(timestamp.as_second(), 0).ok_or(ZoneError::OutOfRange)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Zone {
    type Err = UnknownZone;
    fn from_str(s: &str) -> Result<Self, UnknownZone> {
        [Zone::TORONTO, Zone::VANCOUVER, Zone::EDMONTON].into_iter().find(|z| z.name() == s).ok_or(UnknownZone)
    }
}

impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

impl LocalTime {
    /// `-05:00`.
    pub fn offset(&self) -> String {
        let sign = if self.offset_seconds < 0 { '-' } else { '+' };
        let abs = self.offset_seconds.abs();
        format!("{sign}{:02}:{:02}", abs / 3600, abs % 3600 / 60)
    }

    /// RFC 3339 with the local offset, whole seconds: `2027-02-16T09:00:00-05:00`.
    pub fn rfc3339(&self) -> String {
        format!("{}T{}{}", self.date.format("%Y-%m-%d"), self.time.format("%H:%M:%S"), self.offset())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn at(zone: Zone, date: (i32, u32, u32), time: (u32, u32)) -> Result<DateTime<Utc>, ZoneError> {
        zone.instant(
            NaiveDate::from_ymd_opt(date.0, date.1, date.2).unwrap(),
            NaiveTime::from_hms_opt(time.0, time.1, 0).unwrap(),
        )
    }

    #[test]
    fn western_provinces_stopped_changing_clocks() {
        for (zone, offset) in [(Zone::VANCOUVER, "-07:00"), (Zone::EDMONTON, "-06:00"), (Zone::TORONTO, "-05:00")] {
            let instant = at(zone, (2027, 1, 15), (12, 0)).unwrap();
            let local = zone.local(instant);
            assert_eq!(local.offset(), offset);
            assert_eq!(local.rfc3339(), format!("2027-01-15T12:00:00{offset}"));
        }
    }

    #[test]
    fn the_spring_gap_is_refused_and_the_autumn_fold_is_its_first_hour() {
        assert_eq!(at(Zone::TORONTO, (2027, 3, 14), (2, 30)), Err(ZoneError::Gap));
        assert_eq!(at(Zone::TORONTO, (2027, 11, 7), (1, 30)).unwrap().to_rfc3339(), "2027-11-07T05:30:00+00:00");
        assert!(at(Zone::VANCOUVER, (2027, 3, 14), (2, 30)).is_ok());
    }
}
