//! A chosen slot, kept for a quarter of an hour during checkout.

mod guests;

use chrono::{NaiveDate, NaiveTime};
use geography::Place;
use kernel::{HoldId, MateCount};
use scheduling::{check_start, extended_expiry, hold_expiry};
use status_machine::hold::{self, Event, State};

use crate::{
    Actor, Caller, Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, availability,
    capacity::{self, CapacityRequest, MAX_MINUTES, hub_and_legs, refusal},
    geo,
    idempotency::{self, Guard, Replayable},
    moves::MoveInput,
    ports::capacity::{Hold, Holder},
    settings,
    work::Work,
};

/// What a hold is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct HoldInput {
    /// Local day at the pickup.
    pub date: NaiveDate,
    /// Local start.
    pub time: NaiveTime,
    /// Paid mates.
    pub mate_count: MateCount,
    /// Minutes of work.
    pub duration_minutes: u32,
    /// No truck.
    pub just_mates: bool,
    /// Size class, when known: decides the truck.
    pub tier: Option<u8>,
    /// From where.
    pub pickup: Place,
    /// To where, when known: decides the hub when the pickup is in no area.
    pub dropoff: Option<Place>,
    /// The hold this one replaces (the same person chose another time).
    pub replaces: Option<HoldId>,
    /// The move itself, when told: crew, minutes, truck and size class are then those of its
    /// estimate, whatever the fields above say.
    pub job: Option<MoveInput>,
    /// The guest it is kept for: one time a browser, and a bounded part of a day an origin. None
    /// for whoever is not bounded so.
    pub holder: Option<Holder>,
}

/// What is kept: a crew of a size for so long.
#[derive(Debug, Clone, Copy)]
struct Size {
    mates: u32,
    minutes: u32,
    just_mates: bool,
    tier: u8,
}

impl HoldInput {
    /// What the estimate says, when the move was told; else what the caller says, as far as an
    /// estimate could have said it.
    fn size(&self, card: &pricing::RateCard) -> ServiceResult<Size> {
        let Some(job) = &self.job else {
            let longest = pricing::MoveKind::ALL.into_iter().map(|kind| card.duration.kinds.get(kind).limit_min).max();
            if longest.is_some_and(|most| self.duration_minutes > most) {
                return Err(ErrorCode::TooLong.into());
            }
            return Ok(Size {
                mates: u32::from(self.mate_count.get()),
                minutes: self.duration_minutes,
                just_mates: self.just_mates,
                tier: self.tier.unwrap_or(1),
            });
        };
        let estimate = pricing::duration(&job.request("estimate.selectedFurnitures.furnitures")?, card);
        if !estimate.within_limit {
            return Err(ErrorCode::ContactSupport.into());
        }
        Ok(Size {
            mates: u32::from(job.mate_count.get()),
            minutes: estimate.minutes,
            just_mates: estimate.just_mates,
            tier: estimate.tier,
        })
    }
}

/// `POST /holds`.
///
/// # Errors
/// `slot_gone` when the time is taken (or nobody serves the place), the calendar's refusals,
/// `contact_support` for a crew larger than the rate card lets customers book.
pub async fn create(
    s: &Services,
    caller: &Caller,
    input: HoldInput,
    guard: Option<Guard<Hold>>,
) -> ServiceResult<Replayable<Hold>> {
    if input.duration_minutes == 0 || input.duration_minutes > MAX_MINUTES {
        return Err(Error::field("duration", FieldProblem::Between(Limit::Minutes(1), Limit::Minutes(MAX_MINUTES))));
    }
    geo::places::plausible("pickupAddress", &input.pickup)?;
    if let Some(dropoff) = &input.dropoff {
        geo::places::plausible("dropoffAddress", dropoff)?;
    }
    let now = s.clock.now();
    let Some((hub, to_pickup, from_dropoff)) = hub_and_legs(&input.pickup, input.dropoff.as_ref()) else {
        let served = geography::bookable(&input.pickup, input.dropoff.as_ref().unwrap_or(&input.pickup)).is_ok();
        return Err(if served { ErrorCode::ContactSupport } else { ErrorCode::AreaUnserved }.into());
    };
    let rate = crate::rates::current(s).await?;
    if input.mate_count.get() > rate.card.max_online_heads {
        return Err(ErrorCode::ContactSupport.into());
    }
    sweep(s).await?;
    let size = input.size(&rate.card)?;
    // The day's end is judged again, with the real kind, when the booking is made.
    let settings = settings::in_force(s).await?;
    let calendar = &settings.scheduling;
    let start = check_start(calendar, hub.zone, hub.province, input.date, input.time, size.minutes, true, now)
        .map_err(refusal)?;
    let wanted = CapacityRequest {
        hub: hub.id.to_owned(),
        date: input.date,
        time: input.time,
        zone: hub.zone,
        starts_at: start,
        duration_minutes: size.minutes,
        mates: size.mates,
        tier: size.tier,
        just_mates: size.just_mates,
        to_pickup,
        from_dropoff,
        elevator_building: false,
    };
    let rate_id = rate.id;
    let lost = wanted.clone();
    let taken = s
        .write(caller.actor(), move |tx| {
            idempotency::once(tx, guard, now, |tx| {
                let mut kept = guests::GuestHolds::of(tx.unit, input.holder.as_ref(), input.replaces)?;
                kept.lock(tx, &wanted)?;
                kept.give_back_former(tx)?;
                let expires_at = hold_expiry(tx.now);
                let mut hold = capacity::take(tx, HoldId(tx.id()), &wanted, expires_at, Some(rate_id))?;
                hold.holder = input.holder;
                tx.unit.capacities().insert_hold(&hold)?;
                if hold.holder.is_some() {
                    kept.bound(tx, &hold)?;
                }
                tx.enqueue_at(&Work::ExpireHold { hold_id: hold.id }, expires_at)?;
                Ok::<_, Error>(hold)
            })
        })
        .await;
    match taken {
        Ok(answer) => Ok(answer),
        Err(e) => Err(availability::offering(s, &lost, false, e).await),
    }
}

/// `DELETE /holds/{id}`: gives the time back. Whoever knows the id may; an unknown or ended one
/// is 404.
///
/// # Errors
/// `not_found`.
pub async fn release(s: &Services, id: HoldId) -> ServiceResult<()> {
    s.write(Actor::system(), move |tx| {
        let mut hold = tx.unit.capacities().hold(id)?.ok_or(ErrorCode::NotFound)?;
        // Its booking's by now: nobody gives it back by its id.
        if hold.state == State::Converted {
            return Err(ErrorCode::NotFound.into());
        }
        capacity::give_back(tx, &mut hold, Event::Release)
    })
    .await
}

/// The payment form was opened: ten more minutes, once. Answers the new expiry.
///
/// # Errors
/// `slot_gone` when it lapsed already, `not_found`.
pub async fn extend(s: &Services, id: HoldId) -> ServiceResult<Hold> {
    let hold = s
        .write(Actor::system(), move |tx| {
            let mut hold = tx.unit.capacities().hold(id)?.ok_or(ErrorCode::NotFound)?;
            match capacity::step(&mut hold, Event::Extend, tx.now) {
                hold::Outcome::Keep(_) => {
                    hold.expires_at = extended_expiry(hold.expires_at);
                    tx.unit.capacities().update_hold(&hold)?;
                    tx.enqueue_at(&Work::ExpireHold { hold_id: id }, hold.expires_at)?;
                    Ok(hold)
                }
                hold::Outcome::Unchanged | hold::Outcome::Over(State::Converted) => Ok(hold),
                // What lapsed is given back by its own job.
                hold::Outcome::GiveBack(_) | hold::Outcome::Over(_) => Err(Error::from(ErrorCode::SlotGone)),
            }
        })
        .await?;
    Ok(hold)
}

/// The job at a hold's expiry. Idempotent; looks again at everything under the lock.
///
/// # Errors
/// When the database fails.
pub async fn expire(s: &Services, id: HoldId) -> ServiceResult<()> {
    s.write(Actor::system(), move |tx| {
        let Some(mut hold) = tx.unit.capacities().hold(id)? else { return Ok::<_, Error>(()) };
        capacity::give_back(tx, &mut hold, Event::Expire)
    })
    .await
}

/// Lapsed holds whose job was lost (the job above is the rule, this the safety net). Each by
/// itself and looked at again under its lock: its job may be ending it at this moment. Answers how
/// many were looked at.
///
/// # Errors
/// When the database fails.
pub async fn sweep(s: &Services) -> ServiceResult<usize> {
    let now = s.clock.now();
    let lapsed = s.store.read(move |u| u.capacities().lapsed(now, 200).map_err(Error::from)).await?;
    let lapsed: Vec<HoldId> = lapsed.into_iter().map(|hold| hold.id).collect();
    give_back_lapsed(s, &lapsed).await?;
    Ok(lapsed.len())
}

/// Gives back holds that were seen to have lapsed, as far as they still have.
///
/// # Errors
/// When the database fails.
pub(crate) async fn give_back_lapsed(s: &Services, lapsed: &[HoldId]) -> ServiceResult<()> {
    for hold in lapsed {
        expire(s, *hold).await?;
    }
    Ok(())
}
