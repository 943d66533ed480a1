#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;
use proptest::prelude::*;

const S: &Settings = &Settings::DEFAULT;

fn t(text: &str) -> NaiveTime {
    NaiveTime::parse_from_str(text, "%H:%M").unwrap()
}

fn d(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn toronto(date: &str, time: &str) -> DateTime<Utc> {
    Zone::TORONTO.instant(d(date), t(time)).unwrap()
}

fn ask(date: &str, time: &str, minutes: u32, now: DateTime<Utc>) -> Result<DateTime<Utc>, Refusal> {
    check_start(S, Zone::TORONTO, Province::QC, d(date), t(time), minutes, false, now)
}

#[test]
fn the_last_start_depends_on_the_length() {
    // (minutes, long distance, last start, number of starts)
    let cases = [
        (0, false, "17:30", 20),
        (60, false, "17:00", 19),
        (120, false, "16:00", 17),
        (150, false, "16:00", 17),
        (240, false, "16:00", 17),
        (270, false, "15:30", 16),
        (600, false, "10:00", 5),
        (720, false, "08:00", 1),
        (360, true, "16:00", 17),
        (390, true, "15:30", 16),
        (780, true, "09:00", 3),
    ];
    for (minutes, long, last, count) in cases {
        let times = start_times(S, minutes, long);
        assert_eq!(times.first(), Some(&t("08:00")), "{minutes}");
        assert_eq!(times.last(), Some(&t(last)), "{minutes}");
        assert_eq!(times.len(), count, "{minutes}");
    }
    assert_eq!(start_times(S, 721, false), []);
    assert_eq!(start_times(S, 841, true), []);
    assert_eq!(start_times(S, u32::MAX, true), []);
}

#[test]
fn windows_are_half_an_hour_either_side() {
    for (start, from, until) in [
        ("08:00", "08:00", "09:00"),
        ("08:30", "08:00", "09:00"),
        ("09:00", "08:30", "09:30"),
        ("16:00", "15:30", "16:30"),
    ] {
        assert_eq!(arrival_window(Arrival::default(), t(start)), (t(from), t(until)));
    }
    assert_eq!(arrival_window(Arrival::default(), t("00:10")), (t("00:00"), t("00:40")));
    assert_eq!(arrival_window(Arrival::default(), t("23:50")), (t("23:20"), t("23:59")));
}

#[test]
fn a_good_start_gives_its_instant() {
    let now = toronto("2027-02-10", "12:00");
    assert_eq!(ask("2027-02-16", "09:00", 150, now).unwrap().to_rfc3339(), "2027-02-16T14:00:00+00:00");
}

#[test]
fn each_refusal_has_its_reason() {
    let now = toronto("2027-02-10", "12:00");
    let cases = [
        ("2027-02-10", "11:30", 60, Refusal::Past),
        ("2027-02-10", "12:00", 60, Refusal::Past),
        ("2027-12-25", "09:00", 60, Refusal::Closed),
        ("2028-01-01", "09:00", 60, Refusal::Closed),
        ("2028-02-11", "09:00", 60, Refusal::BeyondHorizon),
        ("2027-02-16", "09:15", 60, Refusal::NotASlot),
        ("2027-02-16", "07:30", 60, Refusal::NotASlot),
        ("2027-02-16", "18:00", 60, Refusal::NotASlot),
        ("2027-02-16", "16:30", 150, Refusal::TooLong),
        ("2027-02-16", "08:00", 721, Refusal::TooLong),
        ("2027-03-14", "02:30", 60, Refusal::Gap),
    ];
    for (date, time, minutes, want) in cases {
        assert_eq!(ask(date, time, minutes, now), Err(want), "{date} {time}");
    }
    assert!(ask("2028-02-10", "09:00", 60, now).is_ok(), "the last day of the calendar is open");
}

#[test]
fn eighteen_hours_notice_and_none_for_tomorrow_in_the_evening() {
    let too_soon = |date: &str, time: &str| Err(Refusal::TooSoon { earliest: toronto(date, time) });
    // 15:00 + 18 h = 09:00 tomorrow, which is just in time.
    let afternoon = toronto("2027-02-10", "15:00");
    assert_eq!(ask("2027-02-11", "09:00", 60, afternoon), Ok(toronto("2027-02-11", "09:00")));
    assert_eq!(ask("2027-02-11", "08:30", 60, afternoon), too_soon("2027-02-11", "09:00"));
    assert_eq!(ask("2027-02-10", "16:00", 60, afternoon), too_soon("2027-02-11", "09:00"));
    // One second later the next step is the first.
    assert_eq!(ask("2027-02-11", "09:00", 60, afternoon + Duration::seconds(1)), too_soon("2027-02-11", "09:30"));
    // At 17:59 tomorrow noon is possible, at 18:00 tomorrow is gone.
    assert!(ask("2027-02-11", "12:00", 60, toronto("2027-02-10", "17:59")).is_ok());
    assert_eq!(ask("2027-02-11", "14:00", 60, toronto("2027-02-10", "18:00")), too_soon("2027-02-12", "08:00"));
    // After midnight the same start is today and needs its 18 hours.
    assert_eq!(ask("2027-02-11", "14:00", 60, toronto("2027-02-11", "00:30")), too_soon("2027-02-12", "08:00"));
}

#[test]
fn the_first_start_skips_closed_days_and_long_moves_have_none() {
    let now = toronto("2027-12-23", "19:00");
    let first = |minutes| earliest_start(S, Zone::TORONTO, Province::QC, minutes, false, now);
    assert_eq!(first(60), Some(toronto("2027-12-26", "08:00")));
    assert_eq!(first(721), None);
}

#[test]
fn operations_may_book_closer_but_not_into_a_gap() {
    let now = toronto("2027-03-13", "20:00");
    let staff = |date, time| check_staff_start(S, Zone::TORONTO, Province::QC, d(date), t(time), now);
    assert_eq!(staff("2027-03-13", "20:05"), Ok(toronto("2027-03-13", "20:05")));
    assert_eq!(staff("2027-03-14", "02:30"), Err(Refusal::Gap));
    assert_eq!(staff("2027-03-13", "19:00"), Err(Refusal::Past));
    assert_eq!(staff("2027-12-25", "09:00"), Err(Refusal::Closed));
}

#[test]
fn the_fold_is_its_first_hour() {
    let now = toronto("2027-11-01", "12:00");
    let start = check_staff_start(S, Zone::TORONTO, Province::QC, d("2027-11-07"), t("01:30"), now).unwrap();
    assert_eq!(start.to_rfc3339(), "2027-11-07T05:30:00+00:00");
}

proptest! {
    #[test]
    fn no_start_breaks_the_day(minutes in 0u32..1_000, long: bool) {
        let times = start_times(S, minutes, long);
        prop_assert!(times.is_sorted_by(|a, b| a < b));
        for start in &times {
            let end = minute_of(*start) + minutes;
            prop_assert!(*start >= S.opens && *start < S.closes);
            prop_assert_eq!((minute_of(*start) - minute_of(S.opens)) % 30, 0);
            let latest = if long { 22 * 60 } else { 20 * 60 };
            prop_assert!(end <= latest);
            prop_assert!(end <= 18 * 60 || *start <= t("16:00"));
        }
        // And none is forgotten: a shorter move can start whenever a longer one can.
        if minutes > 0 {
            let shorter = start_times(S, minutes - 1, long);
            prop_assert!(times.iter().all(|s| shorter.contains(s)));
        }
    }

    #[test]
    fn an_accepted_start_keeps_every_promise(
        now in 1_790_000_000i64..1_860_000_000, days in 0u64..400, slot in 0u32..30, minutes in 0u32..800, long: bool, west: bool,
    ) {
        let (zone, province) = if west { (Zone::VANCOUVER, Province::BC) } else { (Zone::TORONTO, Province::ON) };
        let now = DateTime::from_timestamp(now, 0).unwrap();
        let today = zone.local(now).date;
        let date = today.checked_add_days(Days::new(days)).unwrap();
        let time = time_of(7 * 60 + 30 * slot);
        match check_start(S, zone, province, date, time, minutes, long, now) {
            Ok(start) => {
                prop_assert_eq!((zone.local(start).date, zone.local(start).time), (date, time));
                prop_assert!(start - now >= Duration::hours(18));
                prop_assert!(!closed(province, date));
                prop_assert!(days <= 365);
                prop_assert!(start_times(S, minutes, long).contains(&time));
                prop_assert!(days != 1 || zone.local(now).time < t("18:00"));
                prop_assert!(earliest_start(S, zone, province, minutes, long, now).unwrap() <= start);
            }
            Err(Refusal::TooSoon { earliest }) => {
                // What is offered instead is itself accepted.
                let local = zone.local(earliest);
                prop_assert_eq!(check_start(S, zone, province, local.date, local.time, minutes, long, now), Ok(earliest));
                prop_assert!(earliest > zone.instant(date, time).unwrap());
            }
            Err(_) => {}
        }
    }
}

proptest! {
    /// A whole day at once says what each start says by itself, also where the clocks change and at the calendar's ends.
    #[test]
    fn the_starts_of_a_day_are_those_that_are_accepted_one_by_one(
        days in 0u64..230,
        now in prop_oneof![1_805_000_000i64..1_805_180_000, 1_825_000_000i64..1_826_000_000, 1_800_000_000i64..1_830_000_000],
        minutes in 30u32..800,
        long: bool,
        zone in prop_oneof![Just(Zone::TORONTO), Just(Zone::VANCOUVER)],
    ) {
        let now = DateTime::from_timestamp(now, 0).unwrap();
        let date = zone.local(now).date.checked_sub_days(Days::new(3)).unwrap() + Days::new(days);
        let times = start_times(S, minutes, long);
        let at_once = day_starts(S, zone, Province::QC, date, &times, now);
        let one_by_one: Vec<DayStart> = times
            .iter()
            .filter(|_| !closed(Province::QC, date))
            .filter_map(|time| Some((*time, zone.instant(date, *time).ok()?)))
            .map(|(time, starts_at)| {
                let accepted = check_start(S, zone, Province::QC, date, time, minutes, long, now).is_ok();
                DayStart { time, starts_at, accepted }
            })
            .collect();
        prop_assert_eq!(at_once, one_by_one);
    }
}
