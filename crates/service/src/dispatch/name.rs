//! Staff name who goes, and with which truck.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{BookingId, MateId, TruckId};
use scheduling::TruckClass;
use status_machine::booking::Status;

use super::board::{MoveJob, jobs};
use crate::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, Staff, Tx,
    bookings::{status, status::StatusInput},
    crews::{self, free, skills},
    ports::{absences::Absentee, bookings::Booking, crews::Mate, directory::TruckState, dispatch::TruckUse},
};

/// Whom and what staff name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Who goes: all of them.
    pub mates: Vec<MateId>,
    /// With which truck.
    pub truck: Truck,
    /// What of the booking has to be as it was seen.
    pub seen: ExpectedState,
}

impl Named {
    /// These people with this truck or with none, whatever somebody did to the booking meanwhile.
    pub fn now(mates: Vec<MateId>, truck: Option<TruckId>) -> Named {
        Named { mates, truck: truck.into(), seen: ExpectedState::Whatever }
    }
}

/// With which truck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truck {
    /// None.
    Without,
    /// This one.
    Named(TruckId),
    /// The one it has; else, where the move needs one, the one that is suggested. Without a free truck the people are named
    /// all the same, and the board shows what is missing.
    AsFits,
}

impl From<Option<TruckId>> for Truck {
    fn from(named: Option<TruckId>) -> Truck {
        named.map_or(Truck::Without, Truck::Named)
    }
}

/// What of a booking must not have changed since it was read: a change by somebody else is not undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedState {
    /// Anything: nothing is checked.
    Whatever,
    /// Its version.
    Version(i32),
    /// What a plan was based on.
    Plan {
        /// Its version.
        version: i32,
        /// Who was on it, the longest first.
        crew: Vec<MateId>,
        /// The truck on it.
        truck: Option<TruckId>,
    },
}

impl From<Option<i32>> for ExpectedState {
    fn from(version: Option<i32>) -> ExpectedState {
        version.map_or(ExpectedState::Whatever, ExpectedState::Version)
    }
}

/// Names the crew of a booking; one that is pending is assigned with it. The mates and the customer are told, once.
///
/// # Errors
/// `not_found`; `version_conflict` when it is not as it was seen; `crew_missing` when nobody is named, or nobody who can
/// move a piano here; `crew_not_free` naming who has another job then, or is away, and when; `truck_elsewhere` naming both hubs; `transition_refused` when the move is
/// not to come any more; the fields.
pub async fn name(s: &Services, staff: &Staff, id: BookingId, named: Named) -> ServiceResult<MoveJob> {
    let Named { mates, truck, seen } = named;
    s.write(staff.actor(), move |tx| {
        let mut b = tx.unit.bookings().lock(id)?.ok_or(ErrorCode::NotFound)?;
        tx.unit.crews().lock()?;
        // As `bookings::cancel`: the lock may have been waited for.
        tx.look_at_clock();
        let is_same = match seen {
            ExpectedState::Whatever => true,
            ExpectedState::Version(version) => version == b.version,
            ExpectedState::Plan { version, crew, truck } => {
                let is_on: Vec<MateId> = tx.unit.crews().of_booking(id)?.into_iter().map(|m| m.mate).collect();
                let has = tx.unit.dispatches().trucks_of(&[id])?.pop().map(|(_, truck)| truck.truck);
                (version, crew, truck) == (b.version, is_on, has)
            }
        };
        if !is_same {
            return Err(ErrorCode::VersionConflict.into());
        }
        // What was done keeps who did it; a move whose crew nobody wrote down may still be given one.
        let forgotten = b.status == Status::Completed && tx.unit.crews().of_booking(id)?.is_empty();
        if !matches!(b.status, Status::Pending | Status::Assigned) && !forgotten {
            let params = vec![("allowed", String::new()), ("reason", "the crew of this booking is what it is".into())];
            return Err(Error::Refused(ErrorCode::TransitionRefused, params));
        }
        if mates.is_empty() {
            return Err(ErrorCode::CrewMissing.into());
        }
        let taken = free::clashes_around(tx.unit, &b)?;
        let people = people(tx, &b, &mates, &taken)?;
        if !forgotten {
            skills::one_can(tx.unit, &b, &mates)?;
        }
        let truck = match truck {
            Truck::Named(truck) => Some(truck_for(tx, &b, truck, &taken)?),
            // Nobody knows which one a move that was done went with.
            Truck::AsFits if !forgotten => crews::fitting_truck(tx.unit, &b, &taken)?,
            Truck::AsFits => tx.unit.dispatches().trucks_of(&[id])?.pop().map(|(_, truck)| truck),
            Truck::Without => None,
        };
        let changed = crews::name(tx, &b, &people, truck)?;
        if b.status == Status::Pending {
            status::step(tx, &mut b, Status::Assigned, &StatusInput::default())?;
        } else if changed {
            b.updated_at = tx.now;
            tx.unit.bookings().update(&b, b.version)?;
        }
        jobs(tx.unit, &[id], tx.now)?.pop().ok_or_else(|| ErrorCode::NotFound.into())
    })
    .await
}

/// The people, in the order they were named.
fn people(tx: &mut Tx<'_>, b: &Booking, ids: &[MateId], taken: &free::Clashes) -> ServiceResult<Vec<Mate>> {
    if ids.iter().collect::<BTreeSet<_>>().len() < ids.len() {
        return Err(Error::field("mates", FieldProblem::Invalid));
    }
    if ids.len() > usize::from(b.mate_count.get()) {
        return Err(Error::field("mates", FieldProblem::AtMost(Limit::Count(b.mate_count.get().into()))));
    }
    let sent: BTreeMap<MateId, Mate> = tx.unit.crews().mates()?.into_iter().map(|m| (m.id, m)).collect();
    // Who is on it already stays, also when they are away since or may not be sent any more.
    let on: BTreeMap<MateId, Mate> = tx
        .unit
        .crews()
        .of_booking(b.id)?
        .into_iter()
        .map(|m| (m.mate, Mate { id: m.mate, name: m.name, hubs: Vec::new() }))
        .collect();
    let mut people = Vec::new();
    for (n, id) in ids.iter().enumerate() {
        if let Some(known) = on.get(id) {
            people.push(known.clone());
            continue;
        }
        let mate = sent.get(id).ok_or_else(|| Error::field(format!("mates[{n}]"), FieldProblem::Unknown))?;
        if let Some(clash) = taken.mates.get(id) {
            return Err(clash.refuses(&mate.name));
        }
        not_away(tx, b, Absentee::Mate(*id), &mate.name)?;
        people.push(mate.clone());
    }
    Ok(people)
}

/// The truck: of the size the move needs, or a larger one.
fn truck_for(tx: &mut Tx<'_>, b: &Booking, id: TruckId, taken: &free::Clashes) -> ServiceResult<TruckUse> {
    let had = tx.unit.dispatches().trucks_of(&[b.id])?.pop().map(|(_, truck)| truck);
    if let Some(had) = had.filter(|had| had.truck == id) {
        return Ok(had);
    }
    let known = tx.unit.directory().truck(id)?.filter(|t| t.state == TruckState::Active);
    let truck = known.ok_or_else(|| Error::field("truckId", FieldProblem::Unknown))?;
    // It stands in another city: the board of this one would not even have a line for it.
    if truck.hub != b.hub {
        let params = vec![("truck", truck.name), ("truckHub", truck.hub), ("moveHub", b.hub.clone())];
        return Err(Error::Refused(ErrorCode::TruckElsewhere, params));
    }
    if !b.just_mates && truck.class < TruckClass::for_tier(b.tier) {
        return Err(Error::field("truckId", FieldProblem::Invalid));
    }
    if let Some(clash) = taken.trucks.get(&id) {
        return Err(clash.refuses(&truck.name));
    }
    not_away(tx, b, Absentee::Truck(id, truck.class), &truck.name)?;
    Ok(TruckUse { truck: id, name: truck.name })
}

fn not_away(tx: &mut Tx<'_>, b: &Booking, who: Absentee, name: &str) -> ServiceResult<()> {
    let Some(absence) = tx.unit.absences().of(who, b.move_date, b.move_date)?.into_iter().next() else {
        return Ok(());
    };
    let params =
        vec![("who", name.to_owned()), ("from", absence.first.to_string()), ("until", absence.last.to_string())];
    Err(Error::Refused(ErrorCode::CrewNotFree, params))
}
