//! The half hours capacity is counted in.
//!
//! A bucket is one elapsed half hour of a local day: its index counts from the instant of the
//! local midnight, not from the wall clock. On an ordinary day the two agree (09:00 is 18). On the
//! spring Sunday the day has 46 buckets and 09:00 is 16; on the autumn Sunday it has 50 and 09:00
//! is 20. No bucket is missing, none stands for two half hours, and consecutive buckets are always
//! 30 minutes apart, so summing people over them is right on those days too.

use std::num::TryFromIntError;

use kernel::Zone;
use kernel::chrono::{DateTime, Days, Duration, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

/// Length of a bucket in minutes.
pub const BUCKET_MINUTES: u32 = 30;
const BUCKET_SECONDS: i64 = 30 * 60;

/// One half hour of one local day of a hub. The order is that of time, which is also the order in
/// which rows are locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BucketKey {
    /// Local calendar day.
    pub date: NaiveDate,
    /// Elapsed half hours since that day's local midnight, 0 to 49.
    pub index: u16,
}

/// The half hours that `[from, until)` touches, ascending and unique; none when the interval is empty.
/// They are the instants at which the [`buckets`] of that interval begin, and the same in every zone.
pub fn half_hours(from: DateTime<Utc>, until: DateTime<Utc>) -> Vec<DateTime<Utc>> {
    if from >= until {
        return Vec::new();
    }
    // All zones of the served area are whole hours from UTC: UTC half hours are local half hours.
    let first = from.timestamp().div_euclid(BUCKET_SECONDS);
    let end = until.timestamp() + i64::from(until.timestamp_subsec_nanos() > 0);
    let begins = (first..).map(|half_hour| half_hour * BUCKET_SECONDS).take_while(|seconds| *seconds < end);
    begins.map_while(|seconds| DateTime::from_timestamp(seconds, 0)).collect()
}

/// The buckets that `[from, until)` touches, ascending and unique; none when the interval is empty.
///
/// A bucket touched for one minute is taken whole. The list grows with the interval: callers check
/// durations first.
pub fn buckets(zone: Zone, from: DateTime<Utc>, until: DateTime<Utc>) -> Vec<BucketKey> {
    let mut keys = Vec::new();
    let mut day: Option<LocalDay> = None;
    for instant in half_hours(from, until) {
        let seconds = instant.timestamp();
        let today = match day {
            Some(today) if seconds < today.end => today,
            _ => LocalDay::of(zone, instant),
        };
        day = Some(today);
        if let Ok(index) = index_of(seconds - today.begin) {
            keys.push(BucketKey { date: today.date, index });
        }
    }
    keys
}

/// A local day, so that the zone is asked once a day and not once a bucket.
#[derive(Clone, Copy)]
struct LocalDay {
    date: NaiveDate,
    /// Its midnight, in seconds.
    begin: i64,
    /// The next one.
    end: i64,
}

impl LocalDay {
    fn of(zone: Zone, instant: DateTime<Utc>) -> LocalDay {
        let (seconds, date) = (instant.timestamp(), zone.local(instant).date);
        let begin = midnight(zone, date).map_or(seconds, |m| m.timestamp());
        let next = date.succ_opt().and_then(|next| midnight(zone, next));
        LocalDay { date, begin, end: next.map_or(seconds, |m| m.timestamp()) }
    }
}

/// How many buckets a local day has: 48, or 46 and 50 when the clocks change.
pub fn buckets_in_day(zone: Zone, date: NaiveDate) -> u16 {
    let seconds = midnight(zone, date)
        .zip(date.checked_add_days(Days::new(1)).and_then(|next| midnight(zone, next)))
        .map_or(86_400, |(start, end)| (end - start).num_seconds());
    index_of(seconds).unwrap_or(48)
}

/// The instant a bucket begins; `None` when the day has no such bucket.
pub fn bucket_start(zone: Zone, key: BucketKey) -> Option<DateTime<Utc>> {
    if key.index >= buckets_in_day(zone, key.date) {
        return None;
    }
    midnight(zone, key.date)?.checked_add_signed(Duration::seconds(i64::from(key.index) * BUCKET_SECONDS))
}

fn index_of(seconds: i64) -> Result<u16, TryFromIntError> {
    u16::try_from(seconds.div_euclid(BUCKET_SECONDS))
}

/// The served zones change their clocks at 02:00, so a local midnight always exists.
fn midnight(zone: Zone, date: NaiveDate) -> Option<DateTime<Utc>> {
    zone.instant(date, NaiveTime::MIN).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use proptest::prelude::*;

    fn utc(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn wall(zone: Zone, day: &str, hour: u32, minute: u32) -> DateTime<Utc> {
        zone.instant(date(day), NaiveTime::from_hms_opt(hour, minute, 0).unwrap()).unwrap()
    }

    #[test]
    fn an_ordinary_day_counts_like_the_clock() {
        let keys = buckets(Zone::TORONTO, utc("2027-02-16T13:15:00Z"), utc("2027-02-16T15:00:00Z"));
        let day = date("2027-02-16");
        assert_eq!(keys, [16, 17, 18, 19].map(|index| BucketKey { date: day, index }));
        assert_eq!(buckets_in_day(Zone::TORONTO, day), 48);
    }

    #[test]
    fn one_minute_takes_a_bucket_and_the_end_is_excluded() {
        let t = utc("2027-02-16T15:00:00Z");
        assert_eq!(buckets(Zone::TORONTO, t, t), []);
        assert_eq!(buckets(Zone::TORONTO, t, utc("2027-02-16T14:00:00Z")), []);
        assert_eq!(buckets(Zone::TORONTO, t, utc("2027-02-16T15:00:01Z")).len(), 1);
        assert_eq!(buckets(Zone::TORONTO, t, utc("2027-02-16T15:30:00Z")).len(), 1);
        assert_eq!(buckets(Zone::TORONTO, t, utc("2027-02-16T15:30:00.5Z")).len(), 2);
    }

    #[test]
    fn clock_changes_lose_and_gain_two_buckets() {
        let whole = |day: &str, next: &str| {
            buckets(Zone::TORONTO, wall(Zone::TORONTO, day, 0, 0), wall(Zone::TORONTO, next, 0, 0))
        };
        for (day, next, want, nine) in [
            ("2027-03-14", "2027-03-15", 46, 16),
            ("2027-11-07", "2027-11-08", 50, 20),
            ("2027-06-01", "2027-06-02", 48, 18),
        ] {
            let keys = whole(day, next);
            assert_eq!(keys.iter().map(|k| k.index).collect::<Vec<_>>(), (0..want).collect::<Vec<_>>(), "{day}");
            assert_eq!(buckets_in_day(Zone::TORONTO, date(day)), want);
            let at_nine = wall(Zone::TORONTO, day, 9, 0);
            assert_eq!(buckets(Zone::TORONTO, at_nine, at_nine + Duration::minutes(1))[0].index, nine);
        }
        // British Columbia and Alberta have no such days any more.
        for zone in [Zone::VANCOUVER, Zone::EDMONTON] {
            assert_eq!([buckets_in_day(zone, date("2027-03-14")), buckets_in_day(zone, date("2027-11-07"))], [48, 48]);
        }
    }

    #[test]
    fn midnight_begins_a_new_day() {
        let keys = buckets(Zone::TORONTO, utc("2027-02-17T04:45:00Z"), utc("2027-02-17T05:15:00Z"));
        assert_eq!(
            keys,
            [BucketKey { date: date("2027-02-16"), index: 47 }, BucketKey { date: date("2027-02-17"), index: 0 }]
        );
        assert_eq!(bucket_start(Zone::TORONTO, BucketKey { date: date("2027-03-14"), index: 46 }), None);
    }

    fn zone() -> impl Strategy<Value = Zone> {
        prop_oneof![Just(Zone::TORONTO), Just(Zone::VANCOUVER), Just(Zone::EDMONTON)]
    }

    /// Instants around the two clock changes of 2027, and any other.
    fn instant() -> impl Strategy<Value = i64> {
        let (spring, autumn) = (1_805_000_400i64, 1_825_564_800i64);
        prop_oneof![spring - 90_000..spring + 90_000, autumn - 90_000..autumn + 90_000, 1_780_000_000i64..1_900_000_000]
    }

    proptest! {
        #[test]
        fn buckets_cover_the_interval_exactly(zone in zone(), from in instant(), minutes in 1i64..3_000) {
            let from = DateTime::from_timestamp(from, 0).unwrap();
            let until = from + Duration::minutes(minutes);
            let keys = buckets(zone, from, until);
            let starts: Vec<_> = keys.iter().map(|k| bucket_start(zone, *k).expect("a bucket of that day")).collect();
            prop_assert_eq!(&starts, &half_hours(from, until));
            let half = Duration::minutes(30);
            // The first contains the beginning, the last the end, and nothing is skipped or doubled.
            prop_assert!(starts[0] <= from && from < starts[0] + half);
            let last = *starts.last().unwrap();
            prop_assert!(last < until && until <= last + half);
            for pair in starts.windows(2) {
                prop_assert_eq!(pair[1] - pair[0], half);
            }
            prop_assert!(keys.is_sorted_by(|a, b| a < b));
            for (key, start) in keys.iter().zip(&starts) {
                prop_assert_eq!(zone.local(*start).date, key.date);
            }
        }

        #[test]
        fn touching_jobs_share_no_bucket_when_they_meet_on_a_half_hour(zone in zone(), from in instant(), a in 1i64..40, b in 1i64..40) {
            let from = DateTime::from_timestamp(from.div_euclid(1800) * 1800, 0).unwrap();
            let (meet, end) = (from + Duration::minutes(30 * a), from + Duration::minutes(30 * (a + b)));
            let mut both = buckets(zone, from, meet);
            both.extend(buckets(zone, meet, end));
            prop_assert_eq!(both, buckets(zone, from, end));
        }
    }
}
