//! Capacity buckets and slot holds: what makes an oversell impossible.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, HoldId, RateId, Zone};
use scheduling::{BucketKey, Capacity, TruckClass};
use serde::Serialize;
use status_machine::{At, hold};

use super::StoreResult;

/// People and trucks on shift in every half hour of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DayCapacity {
    /// Mates available.
    pub mates: u32,
    /// Trucks available by class (10, 20, 26 ft).
    pub trucks: [u32; 3],
}

impl DayCapacity {
    /// What remains without these; never below nothing.
    #[must_use]
    pub fn without(self, absent: DayCapacity) -> DayCapacity {
        let left = |class: usize| self.trucks[class].saturating_sub(absent.trucks[class]);
        DayCapacity { mates: self.mates.saturating_sub(absent.mates), trucks: [left(0), left(1), left(2)] }
    }
}

/// A guest who keeps a time: pseudonyms, never an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The browser, by its cookie.
    pub browser: String,
    /// The address it calls from; of IPv6 the network of 64 bits.
    pub origin: String,
}

/// A reservation of capacity: during checkout, and afterwards for the booking's life.
#[derive(Debug, Clone, PartialEq)]
pub struct Hold {
    /// Key.
    pub id: HoldId,
    /// Crew hub.
    pub hub: String,
    /// Local day of the start.
    pub date: NaiveDate,
    /// Local time of the start.
    pub time: NaiveTime,
    /// Zone of both.
    pub zone: Zone,
    /// The start.
    pub starts_at: DateTime<Utc>,
    /// Occupied from (depot leg included).
    pub from: DateTime<Utc>,
    /// Occupied until.
    pub until: DateTime<Utc>,
    /// Mates taken in each bucket.
    pub mates: u32,
    /// Truck class taken in each bucket.
    pub truck: Option<TruckClass>,
    /// The buckets taken.
    pub buckets: Vec<BucketKey>,
    /// Minutes of work it was made for.
    pub duration_minutes: u32,
    /// Where it stands.
    pub state: At<hold::State>,
    /// When it lapses, while active or extended.
    pub expires_at: DateTime<Utc>,
    /// The rate card in force when it was made: the price is locked with the hold.
    pub rate_id: Option<RateId>,
    /// The booking that owns it, once converted.
    pub booking_id: Option<BookingId>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// The guest it is kept for, while it lasts; none for bookings and staff.
    pub holder: Option<Holder>,
}

/// A half hour whose counters are not what live holds take of it: mates, then trucks by class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drift {
    /// Crew hub.
    pub hub: String,
    /// Its day.
    pub date: NaiveDate,
    /// The half hour, by its number.
    pub bucket: i32,
    /// What the counters say.
    pub counted: [i64; 4],
    /// What holds take.
    pub held: [i64; 4],
}

impl std::fmt::Display for Drift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Drift { hub, date, bucket, counted, held } = self;
        match counted {
            [0, 0, 0, 0] => write!(f, "{hub} {date} #{bucket}: counted nothing, held {held:?}"),
            _ => write!(f, "{hub} {date} #{bucket}: counted {counted:?}, held {held:?}"),
        }
    }
}

/// Buckets and holds.
pub trait Capacities {
    /// Capacity of a hub on a weekday, 0 = Monday (the calendar default).
    fn set_default(&mut self, hub: &str, weekday: u8, capacity: DayCapacity) -> StoreResult<()>;
    /// Capacity of a hub on one date (July 1, a day of training). Buckets that exist already get the
    /// new totals, less who is away; `Refused` when more is taken than would remain.
    fn set_override(&mut self, hub: &str, date: NaiveDate, capacity: DayCapacity) -> StoreResult<()>;
    /// What the calendar gives a hub on a date: override, else weekday default, else nothing; less what is
    /// away ([`super::absences`]).
    fn planned(&mut self, hub: &str, date: NaiveDate) -> StoreResult<DayCapacity>;
    /// Capacity of each bucket, in the order asked. Buckets never touched yet answer their plan.
    fn view(&mut self, hub: &str, buckets: &[BucketKey]) -> StoreResult<Vec<Capacity>>;
    /// Creates the rows that are missing, in ascending order. Who locks several spans makes them
    /// all first: whoever waits for a row somebody else is making holds no lock then.
    fn make(&mut self, hub: &str, buckets: &[BucketKey]) -> StoreResult<()>;
    /// As `view`, but creates missing rows and locks them in ascending order until commit.
    fn lock(&mut self, hub: &str, buckets: &[BucketKey]) -> StoreResult<Vec<Capacity>>;
    /// Adds (or with negative numbers gives back) mates and one truck class in each bucket.
    /// The CHECK constraint refuses what does not fit: `Refused`.
    fn add(
        &mut self,
        hub: &str,
        buckets: &[BucketKey],
        mates: i32,
        truck: Option<(TruckClass, i32)>,
    ) -> StoreResult<()>;
    /// Adds a hold.
    fn insert_hold(&mut self, hold: &Hold) -> StoreResult<()>;
    /// One hold; in a write unit the row is locked.
    fn hold(&mut self, id: HoldId) -> StoreResult<Option<Hold>>;
    /// The converted hold of a booking.
    fn hold_of_booking(&mut self, id: BookingId) -> StoreResult<Option<Hold>>;
    /// Active or extended holds of this browser or of this origin, oldest first. In a write unit
    /// they are locked, and one caller at a time looks at an origin.
    fn kept_by(&mut self, holder: &Holder) -> StoreResult<Vec<Hold>>;
    /// Writes state, expiry, booking, occupancy, holder.
    fn update_hold(&mut self, hold: &Hold) -> StoreResult<()>;
    /// Active or extended holds that lapsed at or before `now`, oldest first.
    fn lapsed(&mut self, now: DateTime<Utc>, limit: i64) -> StoreResult<Vec<Hold>>;
    /// Buckets whose used counters differ from the sum of live holds (there must be none).
    fn drift(&mut self) -> StoreResult<Vec<String>>;
    /// The same of these local days.
    fn drift_between(&mut self, first: NaiveDate, last: NaiveDate) -> StoreResult<Vec<Drift>>;
    /// The first and the last day that have a bucket.
    fn days(&mut self) -> StoreResult<Option<(NaiveDate, NaiveDate)>>;
    /// Has the counters of a bucket say what holds take. `Refused` when there is not so much.
    fn recount(&mut self, drift: &Drift) -> StoreResult<()>;
}
