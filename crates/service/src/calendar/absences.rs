//! Mates and trucks that are away for some days: their hub offers less, and who is away is sent nowhere.

use std::collections::BTreeMap;

use chrono::{Days, Duration, NaiveDate};
use geography::Hub;
use kernel::{AbsenceId, BookingId, MateId, ShortId, TruckId};
use serde_json::{Value, json};

use super::change::{self, Entry};
use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    discounts::day,
    idempotency::{self, Guard, Replayable},
    ports::{
        Unit,
        absences::{Absence, Absentee},
        directory::{MateState, TruckState},
    },
};

/// The most days of one absence.
const MOST_DAYS: i64 = 366;
/// How far ahead anybody may be away, days.
const FURTHEST: u64 = 3_660;
/// Days that are listed when the last one is not said.
const LISTED_DAYS: u64 = 400;
/// The longest reason, characters.
const LONGEST_REASON: usize = 200;

/// What staff write down about an absence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The mate, or …
    pub mate: Option<MateId>,
    /// … the truck.
    pub truck: Option<TruckId>,
    /// The hub that has one less; may be left out where there is one only.
    pub hub: Option<String>,
    /// First local day.
    pub first: NaiveDate,
    /// Last local day, included.
    pub last: NaiveDate,
    /// Why; may be empty.
    pub reason: String,
}

/// An absence with the name of the mate or the truck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedAbsence {
    /// The record.
    pub absence: Absence,
    /// The name of the mate or the truck.
    pub name: String,
}

/// A new absence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// The record.
    pub known: NamedAbsence,
    /// The bookings of these days that the mate is on, by their start: they need somebody else.
    pub assigned: Vec<(BookingId, ShortId)>,
}

impl Form {
    /// What is wrong whatever day it is.
    fn checked(mut self) -> ServiceResult<Form> {
        self.reason = self.reason.trim().to_owned();
        if self.reason.chars().count() > LONGEST_REASON {
            return Err(Error::field("reason", FieldProblem::TooLong));
        }
        match (self.mate, self.truck) {
            (None, None) => return Err(Error::field("mateId", FieldProblem::Required)),
            (Some(_), Some(_)) => return Err(Error::field("truckId", FieldProblem::Invalid)),
            _ => {}
        }
        if self.last < self.first || (self.last - self.first).num_days() >= MOST_DAYS {
            let furthest = self.first + Duration::days(MOST_DAYS - 1);
            return Err(Error::field("to", FieldProblem::Between(self.first.into(), furthest.into())));
        }
        Ok(self)
    }

    /// What lies behind changes nothing, and nobody knows what is in many years.
    fn on(&self, today: NaiveDate) -> ServiceResult<()> {
        let furthest = today.checked_add_days(Days::new(FURTHEST)).unwrap_or(today);
        if self.last < today || self.last > furthest {
            return Err(Error::field("to", FieldProblem::Between(today.into(), furthest.into())));
        }
        Ok(())
    }

    /// Who or what is away, its name, and where it is missing.
    fn whose(&self, u: &mut dyn Unit) -> ServiceResult<(Absentee, String, &'static Hub)> {
        if let Some(id) = self.mate {
            let known = u.directory().mate(id)?.filter(|m| m.state != MateState::Archived);
            let mate = known.ok_or_else(|| Error::field("mateId", FieldProblem::Unknown))?;
            return Ok((Absentee::Mate(id), mate.name, self.hub_of(&mate.hubs)?));
        }
        let id = self.truck.ok_or_else(|| Error::field("mateId", FieldProblem::Required))?;
        let known = u.directory().truck(id)?.filter(|t| t.state != TruckState::Archived);
        let truck = known.ok_or_else(|| Error::field("truckId", FieldProblem::Unknown))?;
        Ok((Absentee::Truck(id, truck.class), truck.name, self.hub_of(&[truck.hub])?))
    }

    /// The hub that was said, when it is one of theirs (none of their own: any); the only one, when none was said.
    fn hub_of(&self, theirs: &[String]) -> ServiceResult<&'static Hub> {
        let id = match (self.hub.as_deref().map(str::trim).filter(|h| !h.is_empty()), theirs) {
            (Some(said), _) => said,
            (None, [only]) => only.as_str(),
            (None, _) => return Err(Error::field("hub", FieldProblem::Required)),
        };
        let hub = geography::hub(id).ok_or_else(|| Error::field("hub", FieldProblem::Unknown))?;
        if theirs.is_empty() || theirs.iter().any(|t| t == hub.id) {
            Ok(hub)
        } else {
            Err(Error::field("hub", FieldProblem::Invalid))
        }
    }
}

/// Absences that have a day from `first` (today of the company when it is not said) to `last`, by their first day; of one hub
/// or of all.
///
/// # Errors
/// The field `to` when it lies before `from`.
pub async fn list(
    s: &Services,
    _: &Staff,
    hub: Option<&'static Hub>,
    (first, last): (Option<NaiveDate>, Option<NaiveDate>),
) -> ServiceResult<Vec<NamedAbsence>> {
    let first = first.unwrap_or_else(|| day(s.clock.now()));
    let last = last.or_else(|| first.checked_add_days(Days::new(LISTED_DAYS))).unwrap_or(first);
    if last < first {
        return Err(Error::field("to", FieldProblem::AtLeast(first.into())));
    }
    s.store
        .read(move |u| {
            let found = u.absences().between(hub.map(|h| h.id), first, last)?;
            if found.is_empty() {
                return Ok(Vec::new());
            }
            let mates: BTreeMap<_, _> = u.directory().mates()?.into_iter().map(|m| (m.id, m.name)).collect();
            let trucks: BTreeMap<_, _> = u.directory().trucks()?.into_iter().map(|t| (t.id, t.name)).collect();
            let named = |absence: Absence| {
                let name = match absence.who {
                    Absentee::Mate(id) => mates.get(&id),
                    Absentee::Truck(id, _) => trucks.get(&id),
                };
                NamedAbsence { name: name.cloned().unwrap_or_default(), absence }
            };
            Ok::<_, Error>(found.into_iter().map(named).collect())
        })
        .await
}

/// Writes an absence down. People fall ill on days they have jobs on: those bookings are told.
///
/// # Errors
/// `capacity_taken` when less would be there than is taken; `absence_overlaps` when they are away already on some of these
/// days; the fields.
pub async fn add(
    s: &Services,
    staff: &Staff,
    form: Form,
    guard: Option<Guard<Added>>,
) -> ServiceResult<Replayable<Added>> {
    let (form, asked_at) = (form.checked()?, s.clock.now());
    s.write(staff.actor(), move |tx| idempotency::once(tx, guard, asked_at, |tx| added(tx, form))).await
}

fn added(tx: &mut Tx<'_>, form: Form) -> ServiceResult<Added> {
    let (who, name, hub) = form.whose(tx.unit)?;
    let (first, last, id) = (form.first, form.last, AbsenceId(tx.id()));
    let absence = change::of_hub(tx, hub, |tx, today| {
        form.on(today)?;
        if !tx.unit.absences().of(who, first, last)?.is_empty() {
            return Err(ErrorCode::AbsenceOverlaps.into());
        }
        let absence = Absence { id, hub: hub.id.to_owned(), who, first, last, reason: form.reason, created_at: tx.now };
        tx.unit.absences().insert(&absence)?;
        let entry =
            Entry { action: "absence.add", subject: id.to_string(), before: None, after: Some(snapshot(&absence)) };
        Ok((absence, Some(entry)))
    })?;
    // After calendar and buckets, as an edit of a booking takes them. Whoever chooses crews meanwhile sees the absence, or is
    // seen; and somebody who is written down at two hubs at once is seen by the second.
    tx.unit.crews().lock()?;
    if tx.unit.absences().of(who, first, last)?.len() > 1 {
        return Err(ErrorCode::AbsenceOverlaps.into());
    }
    let assigned = match who {
        Absentee::Mate(mate) => assigned(tx.unit, mate, first, last)?,
        Absentee::Truck(..) => Vec::new(),
    };
    Ok(Added { known: NamedAbsence { absence, name }, assigned })
}

/// The bookings of these days that a mate is on and that have not taken place.
fn assigned(
    u: &mut dyn Unit,
    mate: MateId,
    first: NaiveDate,
    last: NaiveDate,
) -> ServiceResult<Vec<(BookingId, ShortId)>> {
    let ids = u.crews().live_of(mate)?;
    let mut bookings = u.bookings().get_all(&ids)?;
    bookings.retain(|b| first <= b.move_date && b.move_date <= last);
    bookings.sort_by_key(|b| (b.move_at, b.id));
    Ok(bookings.into_iter().map(|b| (b.id, b.short_id)).collect())
}

/// Takes an absence back: they are there again.
///
/// # Errors
/// `not_found`.
pub async fn remove(s: &Services, staff: &Staff, id: AbsenceId) -> ServiceResult<()> {
    let found = s.store.read(move |u| u.absences().get(id).map_err(Error::from)).await?.ok_or(ErrorCode::NotFound)?;
    let no_hub = || Error::Internal(format!("there is no hub {}", found.hub));
    let hub = geography::hub(&found.hub).ok_or_else(no_hub)?;
    s.write(staff.actor(), move |tx| {
        change::of_hub(tx, hub, |tx, _| {
            // Somebody else may have done so meanwhile.
            if !tx.unit.absences().remove(id)? {
                return Err(ErrorCode::NotFound.into());
            }
            let entry = Entry {
                action: "absence.remove",
                subject: id.to_string(),
                before: Some(snapshot(&found)),
                after: None,
            };
            Ok(((), Some(entry)))
        })
    })
    .await
}

fn snapshot(a: &Absence) -> Value {
    let (mate, truck, class) = match a.who {
        Absentee::Mate(id) => (Some(id), None, None),
        Absentee::Truck(id, class) => (None, Some(id), Some(class)),
    };
    json!({
        "hub": a.hub, "mateId": mate, "truckId": truck, "class": class, "from": a.first, "to": a.last, "reason": a.reason,
    })
}
