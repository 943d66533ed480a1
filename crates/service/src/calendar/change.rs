//! The one place that changes what a hub has, whoever wants it: a file, the week, a day, an absence. Never below what
//! is taken.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use geography::Hub;
use scheduling::TruckClass;
use serde_json::Value;

use super::today;
use crate::{
    Error, ErrorCode, ServiceResult, Tx,
    ports::{StoreError, calendar::Shortfall, capacity::DayCapacity},
};

/// Somebody may take what is left between our look and our write: then it is looked at again.
const LOOKS: u32 = 3;

/// What the audit trail keeps of a change.
pub(super) struct Entry {
    /// The action.
    pub action: &'static str,
    /// Key of what was changed.
    pub subject: String,
    /// What there was.
    pub before: Option<Value>,
    /// What there is.
    pub after: Option<Value>,
}

/// Has `write` write rows of the hub's calendar or of its absences, while nobody else changes them, and brings the buckets
/// from today on in line. `write` is given the day it is where the hub is; without an entry it wrote nothing.
///
/// # Errors
/// What `write` answers; [`Error::CapacityTaken`] with every day that would have less than is taken; `busy` when others
/// were faster again and again. The unit of work must not be committed then.
pub(super) fn of_hub<T>(
    tx: &mut Tx<'_>,
    hub: &Hub,
    write: impl FnOnce(&mut Tx<'_>, NaiveDate) -> ServiceResult<(T, Option<Entry>)>,
) -> ServiceResult<T> {
    tx.unit.calendars().lock(hub.id)?;
    // It may have been waited for past midnight.
    tx.look_at_clock();
    let today = today(hub, tx.now);
    let (done, entry) = write(tx, today)?;
    let Some(entry) = entry else { return Ok(done) };
    bring_in_line(tx, hub.id, today)?;
    tx.replans();
    tx.audit(entry.action, entry.subject, entry.before, entry.after)?;
    Ok(done)
}

fn bring_in_line(tx: &mut Tx<'_>, hub: &'static str, from: NaiveDate) -> ServiceResult<()> {
    for _ in 0..LOOKS {
        let taken = tx.unit.calendars().taken(hub, from)?;
        let dates = taken.keys().copied().collect();
        let offered = tx.unit.calendars().offered(hub, &dates)?;
        let lacking = shortfalls(hub, &taken, &offered);
        if !lacking.is_empty() {
            return Err(Error::CapacityTaken(lacking));
        }
        match tx.unit.calendars().replan(hub, from) {
            Err(StoreError::Refused(_)) => {}
            done => return Ok(done?),
        }
    }
    Err(ErrorCode::Busy.into())
}

fn shortfalls(
    hub: &'static str,
    taken: &BTreeMap<NaiveDate, DayCapacity>,
    offered: &BTreeMap<NaiveDate, DayCapacity>,
) -> Vec<Shortfall> {
    let mut found = Vec::new();
    for (date, taken) in taken {
        let there = offered.get(date).copied().unwrap_or(super::CLOSED);
        let mut compare = |truck, taken: u32, planned: u32| {
            if taken > planned {
                found.push(Shortfall { hub, date: *date, truck, taken, planned });
            }
        };
        compare(None, taken.mates, there.mates);
        for class in TruckClass::ALL {
            compare(Some(class), taken.trucks[class.index()], there.trucks[class.index()]);
        }
    }
    found
}
