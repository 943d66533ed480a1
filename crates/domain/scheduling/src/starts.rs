//! Which starts are offered, and whether one may be booked now.

use kernel::chrono::{DateTime, Days, Duration, NaiveDate, NaiveTime, Timelike, Utc};
use kernel::{LocalTime, Province, Zone, ZoneError};

use crate::{
    buckets::buckets_in_day,
    holidays::closed,
    settings::{Arrival, Settings},
};

/// Why a start cannot be booked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is over.
    #[error("the start lies in the past")]
    Past,
    /// Nobody works on that day.
    #[error("nobody works on that day")]
    Closed,
    /// Less notice than needed.
    #[error("the start is too soon; the first one possible is {earliest}")]
    TooSoon {
        /// The first start that the same move could have.
        earliest: DateTime<Utc>,
    },
    /// Farther ahead than the calendar is open.
    #[error("the calendar is not open that far ahead")]
    BeyondHorizon,
    /// Not one of the day's starts.
    #[error("moves do not start at that time")]
    NotASlot,
    /// The move would end too late in the day.
    #[error("the move is too long to start at that time")]
    TooLong,
    /// The clocks skip that time.
    #[error("that time does not exist on that day: the clocks are moved forward")]
    Gap,
}

impl Refusal {
    /// Stable code for answers and logs.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::Past => "slot_past",
            Refusal::Closed => "slot_closed",
            Refusal::TooSoon { .. } => "slot_too_soon",
            Refusal::BeyondHorizon => "slot_beyond_horizon",
            Refusal::NotASlot => "not_a_slot",
            Refusal::TooLong => "slot_too_long",
            Refusal::Gap => "slot_gap",
        }
    }
}

/// The local starts of any open day for a move of that length, ascending.
///
/// A move that ends by closing time may start at any step; one that ends later, but by the latest
/// end, may start until the late-start limit. The operating day never meets a clock change, so wall
/// minutes are elapsed minutes here.
pub fn start_times(settings: &Settings, duration_minutes: u32, long_distance: bool) -> Vec<NaiveTime> {
    grid(settings).filter(|start| fits_day(settings, *start, duration_minutes, long_distance)).collect()
}

/// Accepts a start asked for online and gives its instant.
///
/// The first reason that applies is answered, in this order: gap, past, horizon, closed day, not a
/// start, too long, too soon.
#[allow(clippy::too_many_arguments, reason = "the whole question; a struct would be built at the only call")]
pub fn check_start(
    settings: &Settings,
    zone: Zone,
    province: Province,
    date: NaiveDate,
    time: NaiveTime,
    duration_minutes: u32,
    long_distance: bool,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, Refusal> {
    let start = open_instant(settings, zone, province, date, time, now)?;
    if !grid(settings).any(|slot| slot == time) {
        return Err(Refusal::NotASlot);
    }
    if !fits_day(settings, time, duration_minutes, long_distance) {
        return Err(Refusal::TooLong);
    }
    if !enough_notice(settings, zone, date, start, now) {
        let earliest = earliest_start(settings, zone, province, duration_minutes, long_distance, now);
        return Err(earliest.map_or(Refusal::BeyondHorizon, |earliest| Refusal::TooSoon { earliest }));
    }
    Ok(start)
}

/// A start of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayStart {
    /// Local time.
    pub time: NaiveTime,
    /// The instant.
    pub starts_at: DateTime<Utc>,
    /// [`check_start`] accepts it.
    pub accepted: bool,
}

/// The starts of a day for a move whose [`start_times`] these are, and which of them may be booked online: what
/// [`check_start`] says of each, for a whole day at once. A start that the clocks skip is not among them, and a
/// closed day has none.
pub fn day_starts(
    settings: &Settings,
    zone: Zone,
    province: Province,
    date: NaiveDate,
    times: &[NaiveTime],
    now: DateTime<Utc>,
) -> Vec<DayStart> {
    if closed(province, date) {
        return Vec::new();
    }
    let local = zone.local(now);
    let last_day = local.date.checked_add_days(Days::new(u64::from(settings.horizon_days)));
    let ahead = last_day.is_some_and(|last| date <= last);
    let (mut starts, mut known) = (Vec::with_capacity(times.len()), None);
    for time in times {
        // On a day on which the clocks are not changed the wall clock and time pass alike.
        let found = match known {
            Some((first, instant)) => Some(instant + time.signed_duration_since(first)),
            None => zone.instant(date, *time).ok(),
        };
        let Some(starts_at) = found else { continue };
        if known.is_none() && buckets_in_day(zone, date) == 48 {
            known = Some((*time, starts_at));
        }
        let accepted = ahead && starts_at > now && enough_notice_at(settings, local, date, starts_at, now);
        starts.push(DayStart { time: *time, starts_at, accepted });
    }
    starts
}

/// Accepts a start that was booked before and is kept: the notice was given then, but a move that
/// grew beyond `booked_minutes` must still fit the day.
#[allow(clippy::too_many_arguments, reason = "as above")]
pub fn check_kept_start(
    settings: &Settings,
    zone: Zone,
    province: Province,
    date: NaiveDate,
    time: NaiveTime,
    duration_minutes: u32,
    booked_minutes: u32,
    long_distance: bool,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, Refusal> {
    let start = open_instant(settings, zone, province, date, time, now)?;
    if duration_minutes > booked_minutes && !fits_day(settings, time, duration_minutes, long_distance) {
        return Err(Refusal::TooLong);
    }
    Ok(start)
}

/// Accepts a start entered by operations: they may book closer, off the grid and beyond the end of
/// the day, but not into the past, a closed day, or an hour the clocks skip.
pub fn check_staff_start(
    settings: &Settings,
    zone: Zone,
    province: Province,
    date: NaiveDate,
    time: NaiveTime,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, Refusal> {
    open_instant(settings, zone, province, date, time, now)
}

/// The first start a move of that length can be booked for online, whether or not there is room.
/// `None` when it is too long for any start.
pub fn earliest_start(
    settings: &Settings,
    zone: Zone,
    province: Province,
    duration_minutes: u32,
    long_distance: bool,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let times = start_times(settings, duration_minutes, long_distance);
    if times.is_empty() {
        return None;
    }
    let today = zone.local(now).date;
    let open_days = today.iter_days().take(horizon(settings) + 1).filter(|date| !closed(province, *date));
    let starts = open_days.flat_map(|date| times.iter().map(move |time| (date, *time)));
    starts
        .filter_map(|(date, time)| Some((date, zone.instant(date, time).ok()?)))
        .find(|(date, start)| *start > now && enough_notice(settings, zone, *date, *start, now))
        .map(|(_, start)| start)
}

/// The promised window around a start, in local time: as long on either side, except that the
/// first start's window begins with the day.
pub fn arrival_window(arrival: Arrival, time: NaiveTime) -> (NaiveTime, NaiveTime) {
    let (start, half) = (minute_of(time), arrival.window_minutes);
    if time == arrival.opens {
        return (time, time_of(start + 2 * half));
    }
    (time_of(start.saturating_sub(half)), time_of(start + half))
}

/// The instant of a local time that lies ahead, within the calendar, on an open day.
fn open_instant(
    settings: &Settings,
    zone: Zone,
    province: Province,
    date: NaiveDate,
    time: NaiveTime,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, Refusal> {
    let start = zone.instant(date, time).map_err(|e| match e {
        ZoneError::Gap => Refusal::Gap,
        ZoneError::OutOfRange => Refusal::BeyondHorizon,
    })?;
    if start <= now {
        return Err(Refusal::Past);
    }
    let last_day = zone.local(now).date.checked_add_days(Days::new(u64::from(settings.horizon_days)));
    if last_day.is_none_or(|last| date > last) {
        return Err(Refusal::BeyondHorizon);
    }
    if closed(province, date) {
        return Err(Refusal::Closed);
    }
    Ok(start)
}

/// Both notice rules: elapsed lead time, and no booking for tomorrow in the evening.
fn enough_notice(settings: &Settings, zone: Zone, date: NaiveDate, start: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    enough_notice_at(settings, zone.local(now), date, start, now)
}

fn enough_notice_at(
    settings: &Settings,
    local: LocalTime,
    date: NaiveDate,
    start: DateTime<Utc>,
    now: DateTime<Utc>,
) -> bool {
    let tomorrow_or_before = local.date.succ_opt().is_none_or(|tomorrow| date <= tomorrow);
    let too_late_today = tomorrow_or_before && local.time >= settings.next_day_cutoff;
    start.signed_duration_since(now) >= Duration::minutes(i64::from(settings.min_lead_minutes)) && !too_late_today
}

/// Every step of the operating day, before the length of the move is known.
fn grid(settings: &Settings) -> impl Iterator<Item = NaiveTime> {
    let step = usize::try_from(settings.step_minutes.max(1)).unwrap_or(1);
    (minute_of(settings.opens)..minute_of(settings.closes)).step_by(step).map(time_of)
}

fn fits_day(settings: &Settings, start: NaiveTime, duration_minutes: u32, long_distance: bool) -> bool {
    let end = minute_of(start).saturating_add(duration_minutes);
    let latest = if long_distance { settings.latest_end_long_distance } else { settings.latest_end };
    end <= minute_of(settings.closes) || (start <= settings.late_start_until && end <= minute_of(latest))
}

fn horizon(settings: &Settings) -> usize {
    usize::try_from(settings.horizon_days).unwrap_or(usize::MAX - 1)
}

fn minute_of(time: NaiveTime) -> u32 {
    time.hour() * 60 + time.minute()
}

/// The last minute of the day stands for everything after it.
fn time_of(minute: u32) -> NaiveTime {
    let minute = minute.min(24 * 60 - 1);
    NaiveTime::from_hms_opt(minute / 60, minute % 60, 0).unwrap_or(NaiveTime::MIN)
}

#[cfg(test)]
#[path = "starts_tests.rs"]
mod tests;
