//! Who is free when: the work itself, and the way from one job to the next.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, MateId, ShortId, TruckId, Zone};

use crate::{
    Error, ErrorCode, ServiceResult,
    moves::place_of,
    ports::{
        Unit,
        bookings::{Booking, Location},
        dispatch::Span,
    },
};

/// The shortest way between two jobs, minutes.
pub(crate) const LEAST_WAY: i64 = 15;
/// Jobs that are further apart than this are in nobody's way.
pub(crate) const REACH: Duration = Duration::hours(24);

/// The end of the work.
pub(crate) fn ends_at(b: &Booking) -> DateTime<Utc> {
    b.move_at + Duration::minutes(i64::from(b.duration_minutes.max(1)))
}

/// What a booking takes of each of its mates, and of its truck.
pub(crate) fn span(b: &Booking) -> Span {
    Span { booking: b.id, from: b.move_at, until: ends_at(b) + Duration::minutes(LEAST_WAY) }
}

/// Minutes from one door to another.
pub(crate) fn way(from: &Location, to: &Location) -> i64 {
    let place = |l: &Location| place_of(&l.address, l.coordinates);
    i64::from(geography::travel(&place(from), &place(to)).minutes).max(LEAST_WAY)
}

/// A job that is in the way of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// Which.
    pub booking: BookingId,
    /// Its number.
    pub short_id: ShortId,
    /// From when somebody is needed there.
    pub from: DateTime<Utc>,
    /// When its work ends.
    pub until: DateTime<Utc>,
    /// Minutes between the two doors.
    pub way: i64,
    /// The work of the two does not meet: only the way is too long.
    pub apart: bool,
    /// The zone of its times.
    pub zone: Zone,
}

impl Clash {
    /// In the words of a refusal: who, and when.
    pub(crate) fn refuses(&self, who: &str) -> Error {
        let at = |instant| {
            let local = self.zone.local(instant);
            format!("{} {}", local.date, local.time.format("%H:%M"))
        };
        let mut params = vec![
            ("who", who.to_owned()),
            ("from", at(self.from)),
            ("until", at(self.until)),
            ("booking", self.short_id.to_string()),
        ];
        params.extend(self.apart.then(|| ("way", self.way.to_string())));
        Error::Refused(ErrorCode::CrewNotFree, params)
    }
}

/// Whether `other` is in the way of `b`: the one that begins later begins before somebody from the other can be there.
pub(crate) fn clash(b: &Booking, other: &Booking) -> Option<Clash> {
    let (first, second) = if (other.move_at, other.id) < (b.move_at, b.id) { (other, b) } else { (b, other) };
    if ends_at(first) + REACH < second.move_at {
        return None;
    }
    let way = way(&first.details.dropoff, &second.details.pickup);
    let in_the_way = ends_at(first) + Duration::minutes(way) > second.move_at;
    in_the_way.then(|| Clash {
        booking: other.id,
        short_id: other.short_id.clone(),
        from: other.move_at,
        until: ends_at(other),
        way,
        apart: ends_at(first) <= second.move_at,
        zone: other.zone,
    })
}

/// Mates and trucks that another booking keeps from this one, each with that booking.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clashes {
    /// Mates.
    pub mates: BTreeMap<MateId, Clash>,
    /// Trucks.
    pub trucks: BTreeMap<TruckId, Clash>,
}

/// The mates and trucks that jobs around a booking take.
///
/// # Errors
/// When the database fails.
pub(crate) fn clashes_around(u: &mut dyn Unit, b: &Booking) -> ServiceResult<Clashes> {
    let (from, until) = (b.move_at - REACH, ends_at(b) + REACH);
    let mates = u.dispatches().mate_spans(from, until)?;
    let trucks = u.dispatches().truck_spans(from, until)?;
    let mut ids: Vec<BookingId> =
        mates.iter().map(|(_, s)| s.booking).chain(trucks.iter().map(|(_, s)| s.booking)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.retain(|id| *id != b.id);
    let clashes: BTreeMap<BookingId, Clash> =
        u.bookings().get_all(&ids)?.iter().filter_map(|other| Some((other.id, clash(b, other)?))).collect();
    let mut found = Clashes::default();
    for (mate, span) in mates {
        if let Some(clash) = clashes.get(&span.booking) {
            found.mates.entry(mate).or_insert_with(|| clash.clone());
        }
    }
    for (truck, span) in trucks {
        if let Some(clash) = clashes.get(&span.booking) {
            found.trucks.entry(truck).or_insert_with(|| clash.clone());
        }
    }
    Ok(found)
}
