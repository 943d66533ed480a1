//! Taking and giving back capacity inside a transaction: all buckets or none.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use geography::Place;
use kernel::{BookingId, HoldId, RateId, Zone};
use scheduling::{BucketKey, OccupancyRequest, assign_truck, buckets, occupancy};
use serde::{Deserialize, Serialize};
use status_machine::{
    At,
    hold::{Event, Outcome, State, occupies},
};

use crate::{
    Error, ErrorCode, ServiceResult, Tx,
    moves::place_of,
    ports::{StoreError, Unit, bookings::Booking, capacity::Hold},
};

/// What a start needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CapacityRequest {
    /// Crew hub.
    pub hub: String,
    /// Local day.
    pub date: NaiveDate,
    /// Local time.
    pub time: NaiveTime,
    /// Zone of both.
    pub zone: Zone,
    /// The start.
    pub starts_at: DateTime<Utc>,
    /// Minutes of work.
    pub duration_minutes: u32,
    /// Paid mates.
    pub mates: u32,
    /// Size class.
    pub tier: u8,
    /// No truck.
    pub just_mates: bool,
    /// Depot to pickup, minutes.
    pub to_pickup: u32,
    /// Drop-off back to the depot, minutes.
    pub from_dropoff: u32,
    /// A building with an elevator takes longer to leave.
    pub elevator_building: bool,
}

impl CapacityRequest {
    /// For the scheduling crate.
    pub fn occupancy(&self) -> scheduling::Occupancy {
        occupancy(&OccupancyRequest {
            start: self.starts_at,
            duration_minutes: self.duration_minutes,
            mates: self.mates,
            tier: self.tier,
            just_mates: self.just_mates,
            depot_to_pickup_minutes: self.to_pickup,
            dropoff_to_depot_minutes: self.from_dropoff,
            elevator_building: self.elevator_building,
        })
    }

    /// The half hours it takes, ascending.
    pub(crate) fn buckets(&self) -> Vec<BucketKey> {
        let o = self.occupancy();
        buckets(self.zone, o.from, o.until)
    }
}

/// Longest job any calendar question may name, minutes.
pub const MAX_MINUTES: u32 = 24 * 60;

/// The hub and depot legs of a place; none = no self-service slots there.
pub(crate) fn hub_and_legs(pickup: &Place, dropoff: Option<&Place>) -> Option<(geography::Hub, u32, u32)> {
    let end = dropoff.unwrap_or(pickup);
    let hub = geography::hub_for(pickup, end)?;
    let depot = hub.place();
    let to_pickup = geography::travel(&depot, pickup).minutes;
    let from_dropoff = geography::travel(end, &depot).minutes;
    Some((hub, to_pickup, from_dropoff))
}

/// The scheduling refusal as the answer people read.
pub(crate) fn refusal(r: scheduling::Refusal) -> Error {
    use scheduling::Refusal as R;
    match r {
        R::Past => ErrorCode::DatePast.into(),
        R::Closed => ErrorCode::DateClosed.into(),
        R::TooSoon { earliest } => Error::Refused(
            ErrorCode::TooSoon,
            vec![("earliest", earliest.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))],
        ),
        R::BeyondHorizon => ErrorCode::TooFarAhead.into(),
        R::NotASlot | R::Gap => ErrorCode::NotASlot.into(),
        R::TooLong => ErrorCode::TooLong.into(),
    }
}

/// The capacity that a stored booking occupies.
pub(crate) fn capacity_of(b: &Booking) -> CapacityRequest {
    let d = &b.details;
    let (pickup, dropoff) =
        (place_of(&d.pickup.address, d.pickup.coordinates), place_of(&d.dropoff.address, d.dropoff.coordinates));
    let (to_pickup, from_dropoff) = hub_and_legs(&pickup, Some(&dropoff)).map_or((0, 0), |(_, a, b)| (a, b));
    CapacityRequest {
        hub: b.hub.clone(),
        date: b.move_date,
        time: b.move_time,
        zone: b.zone,
        starts_at: b.move_at,
        duration_minutes: b.duration_minutes,
        mates: u32::from(b.mate_count.get()),
        tier: b.tier,
        just_mates: b.just_mates,
        to_pickup,
        from_dropoff,
        elevator_building: d.pickup.elevator > 0 || d.dropoff.elevator > 0,
    }
}

/// A booking that takes no time, or took none for a while, needs its own again, all or nothing.
///
/// # Errors
/// `slot_gone`.
pub(crate) fn take_again(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let mut hold = take_for_good(tx, HoldId(tx.id()), &capacity_of(b))?;
    hold.booking_id = Some(b.id);
    Ok(tx.unit.capacities().insert_hold(&hold)?)
}

/// Gives back what the booking's hold recorded.
pub(crate) fn release(tx: &mut Tx<'_>, id: BookingId) -> ServiceResult<()> {
    if let Some(mut hold) = tx.unit.capacities().hold_of_booking(id)? {
        give_back(tx, &mut hold, Event::GiveUp)?;
    }
    Ok(())
}

/// Locks the buckets of several starts, the earlier first, whoever asks: two changes that cross
/// (each frees what the other takes) would otherwise wait for each other. What is missing is made
/// before anything is locked: else one who makes a bucket and waits for a locked one, and one who
/// holds that and makes the same bucket, would wait for each other too.
fn lock_in_order(tx: &mut Tx<'_>, mut starts: Vec<(String, Vec<BucketKey>)>) -> ServiceResult<()> {
    starts.sort();
    for (hub, keys) in &starts {
        tx.unit.capacities().make(hub, keys)?;
    }
    for (hub, keys) in &starts {
        tx.unit.capacities().lock(hub, keys)?;
    }
    Ok(())
}

/// Locks what a booking gives back and what it takes instead. The booking itself is locked
/// already; a hold it may use is locked before any bucket, as everywhere.
///
/// # Errors
/// When the database fails.
pub fn lock_change(
    tx: &mut Tx<'_>,
    booking: BookingId,
    named: Option<HoldId>,
    wanted: &CapacityRequest,
) -> ServiceResult<()> {
    let named = match named {
        Some(id) => tx.unit.capacities().hold(id)?,
        None => None,
    };
    let held = tx.unit.capacities().hold_of_booking(booking)?;
    let mut starts: Vec<_> = named.into_iter().chain(held).map(|h| (h.hub, h.buckets)).collect();
    starts.push((wanted.hub.clone(), wanted.buckets()));
    lock_in_order(tx, starts)
}

/// Gives a hold back that another start replaces.
///
/// # Errors
/// When the database fails.
pub fn replace(tx: &mut Tx<'_>, hold: &mut Hold, wanted: &CapacityRequest) -> ServiceResult<()> {
    lock_with(tx, std::slice::from_ref(hold), wanted)?;
    give_back(tx, hold, Event::Release)
}

/// Locks what is wanted together with holds that may have to go for it.
///
/// # Errors
/// When the database fails.
pub(crate) fn lock_with(tx: &mut Tx<'_>, holds: &[Hold], wanted: &CapacityRequest) -> ServiceResult<()> {
    let mut starts: Vec<_> = holds.iter().map(|h| (h.hub.clone(), h.buckets.clone())).collect();
    starts.push((wanted.hub.clone(), wanted.buckets()));
    lock_in_order(tx, starts)
}

/// Whether there is room, as far as a look without a lock can tell.
///
/// # Errors
/// When the database fails.
pub fn is_free(u: &mut dyn Unit, wanted: &CapacityRequest) -> ServiceResult<bool> {
    let (o, keys) = (wanted.occupancy(), wanted.buckets());
    let room = u.capacities().view(&wanted.hub, &keys)?;
    Ok(assign_truck(&room, o.mates, o.truck).is_ok())
}

/// Takes every bucket or none, and answers the hold (not yet stored).
///
/// # Errors
/// `slot_gone` when one bucket has no room.
pub fn take(
    tx: &mut Tx<'_>,
    id: HoldId,
    wanted: &CapacityRequest,
    expires_at: DateTime<Utc>,
    rate_id: Option<RateId>,
) -> ServiceResult<Hold> {
    let o = wanted.occupancy();
    let keys = buckets(wanted.zone, o.from, o.until);
    let room = tx.unit.capacities().lock(&wanted.hub, &keys)?;
    let truck = assign_truck(&room, o.mates, o.truck).map_err(|_| ErrorCode::SlotGone)?;
    let mates = i32::try_from(o.mates).map_err(|_| ErrorCode::SlotGone)?;
    tx.unit.capacities().add(&wanted.hub, &keys, mates, truck.map(|t| (t, 1))).map_err(full)?;
    tx.changes(&wanted.hub, &keys);
    Ok(Hold {
        id,
        hub: wanted.hub.clone(),
        date: wanted.date,
        time: wanted.time,
        zone: wanted.zone,
        starts_at: wanted.starts_at,
        from: o.from,
        until: o.until,
        mates: o.mates,
        truck,
        buckets: keys,
        duration_minutes: wanted.duration_minutes,
        state: At::active(),
        expires_at,
        rate_id,
        booking_id: None,
        created_at: tx.now,
        holder: None,
    })
}

/// The CHECK constraint is the last line of defence and says the same.
fn full(e: StoreError) -> Error {
    match e {
        StoreError::Refused(_) => ErrorCode::SlotGone.into(),
        other => other.into(),
    }
}

/// Gives back exactly what the hold recorded and stores its end state, when that is what the event means to it.
///
/// # Errors
/// When the database fails.
pub fn give_back(tx: &mut Tx<'_>, hold: &mut Hold, why: Event) -> ServiceResult<()> {
    let Outcome::GiveBack(_) = step(hold, why, tx.now) else { return Ok(()) };
    tx.unit.capacities().lock(&hold.hub, &hold.buckets)?;
    let mates = i32::try_from(hold.mates).unwrap_or(0);
    tx.unit.capacities().add(&hold.hub, &hold.buckets, -mates, hold.truck.map(|t| (t, -1)))?;
    tx.changes(&hold.hub, &hold.buckets);
    hold.holder = None;
    tx.unit.capacities().update_hold(hold)?;
    Ok(())
}

/// Whether a live hold already gives what is wanted.
fn serves(hold: &Hold, wanted: &CapacityRequest, now: DateTime<Utc>) -> bool {
    let o = wanted.occupancy();
    let truck_ok = match (hold.truck, o.truck) {
        (None, None) => true,
        (Some(have), Some(need)) => have >= need,
        _ => false,
    };
    occupies(*hold.state)
        && now < hold.expires_at
        && hold.hub == wanted.hub
        && hold.starts_at == wanted.starts_at
        && hold.mates == o.mates
        && hold.from <= o.from
        && hold.until >= o.until
        && truck_ok
}

/// Turns a hold into lasting capacity that nobody owns yet and that is still to be written; a missing, lapsed
/// or different one is replaced silently while there is room.
///
/// # Errors
/// `slot_gone`; `request_in_flight` when the same hold is being paid for already.
pub fn reserve(
    tx: &mut Tx<'_>,
    hold_id: Option<HoldId>,
    fresh_id: HoldId,
    wanted: &CapacityRequest,
) -> ServiceResult<Reserved> {
    let known = match hold_id {
        Some(id) => tx.unit.capacities().hold(id)?,
        None => None,
    };
    if let Some(mut hold) = known {
        if hold.state == State::Converted {
            return match hold.booking_id {
                Some(id) => Ok(Reserved::Already(id)),
                None => Err(ErrorCode::RequestInFlight.into()),
            };
        }
        if serves(&hold, wanted, tx.now) {
            convert(&mut hold, tx.now)?;
            return Ok(Reserved::Kept(ReservedCapacity { hold: Box::new(hold), fresh: false }));
        }
        if occupies(*hold.state) {
            replace(tx, &mut hold, wanted)?;
        }
    }
    let hold = take_for_good(tx, fresh_id, wanted)?;
    Ok(Reserved::Kept(ReservedCapacity { hold: Box::new(hold), fresh: true }))
}

/// Takes capacity that lasts, without a hold before it; not yet stored.
///
/// # Errors
/// `slot_gone`.
pub fn take_for_good(tx: &mut Tx<'_>, id: HoldId, wanted: &CapacityRequest) -> ServiceResult<Hold> {
    let mut hold = take(tx, id, wanted, tx.now + chrono::Duration::seconds(1), None)?;
    convert(&mut hold, tx.now)?;
    hold.expires_at = tx.now;
    Ok(hold)
}

/// What an event means to a hold: the one way in which its state changes. Who calls this writes it.
pub(crate) fn step(hold: &mut Hold, event: Event, now: DateTime<Utc>) -> Outcome {
    let from = *hold.state;
    let answer = hold.state.on(event, now >= hold.expires_at);
    tracing::debug!(hold = %hold.id, table = "hold", from = from.code(), to = hold.state.code(), "a step");
    answer
}

/// A live hold becomes capacity that lasts.
fn convert(hold: &mut Hold, now: DateTime<Utc>) -> ServiceResult<()> {
    match step(hold, Event::Convert, now) {
        Outcome::Keep(_) => Ok(()),
        other => Err(Error::Internal(format!("hold {} cannot be converted: {other:?}", hold.id))),
    }
}

/// What became of a hold.
pub enum Reserved {
    /// Kept.
    Kept(ReservedCapacity),
    /// It is this booking's already.
    Already(BookingId),
}

/// Capacity that is taken while its hold is not written yet. The hold is written once, with its owner if there is
/// one by then.
#[must_use = "the capacity is taken, and its hold is not written"]
pub struct ReservedCapacity {
    hold: Box<Hold>,
    fresh: bool,
}

impl ReservedCapacity {
    /// Gives it to a booking, which must be stored already.
    ///
    /// # Errors
    /// When the database fails.
    pub fn given_to(mut self, tx: &mut Tx<'_>, booking: BookingId) -> ServiceResult<()> {
        self.hold.booking_id = Some(booking);
        self.hold.holder = None;
        self.write(tx)
    }

    /// Leaves it without an owner while a payment is made: [`own`] gives it to its booking, [`give_back`] frees it.
    ///
    /// # Errors
    /// When the database fails.
    pub fn without_owner(self, tx: &mut Tx<'_>) -> ServiceResult<HoldId> {
        let id = self.hold.id;
        self.write(tx).map(|()| id)
    }

    fn write(self, tx: &mut Tx<'_>) -> ServiceResult<()> {
        let holds = tx.unit.capacities();
        let written = if self.fresh { holds.insert_hold(&self.hold) } else { holds.update_hold(&self.hold) };
        Ok(written?)
    }
}

/// Gives capacity that was kept without an owner to its booking.
///
/// # Errors
/// When the database fails or the reservation vanished.
pub fn own(tx: &mut Tx<'_>, id: HoldId, booking: BookingId) -> ServiceResult<()> {
    let mut hold =
        tx.unit.capacities().hold(id)?.ok_or_else(|| Error::Internal(format!("reserved hold {id} vanished")))?;
    hold.booking_id = Some(booking);
    hold.holder = None;
    tx.unit.capacities().update_hold(&hold)?;
    Ok(())
}

/// The payment failed: the customer keeps the time for a while to use another card.
///
/// # Errors
/// When the database fails.
pub fn unreserve(tx: &mut Tx<'_>, id: HoldId, until: DateTime<Utc>) -> ServiceResult<()> {
    let Some(mut hold) = tx.unit.capacities().hold(id)? else { return Ok(()) };
    if hold.booking_id.is_none() && step(&mut hold, Event::Unconvert, tx.now) == Outcome::Keep(State::Extended) {
        hold.expires_at = until;
        tx.unit.capacities().update_hold(&hold)?;
    }
    Ok(())
}
