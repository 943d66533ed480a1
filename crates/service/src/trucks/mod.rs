//! Trucks by name, as staff keep them.

use chrono::NaiveDate;
use kernel::TruckId;
pub use scheduling::TruckClass;
use serde_json::{Value, json};

use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    error::FieldError,
    idempotency::{self, Guard, Replayable},
    mates::DatedRecord,
    ports::{
        StoreError,
        directory::{TruckRecord, TruckState},
    },
};

/// The longest name or plate, characters.
const LONGEST: usize = 40;

/// What staff write down about a truck.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// What people call it.
    pub name: String,
    /// Its class.
    pub class: TruckClass,
    /// Hub it stands at.
    pub hub: String,
    /// Licence plate; may be empty.
    pub plate: String,
    /// Last day of its inspection.
    pub inspected_until: Option<NaiveDate>,
    /// Last day of its insurance.
    pub insured_until: Option<NaiveDate>,
    /// Where it stands; stays, or is active for a new one, when it is not said.
    pub state: Option<TruckState>,
}

impl Form {
    /// Trimmed, and everything that is wrong at once.
    pub(crate) fn checked(mut self) -> ServiceResult<Form> {
        let mut wrong = Vec::new();
        (self.name, self.plate) = (self.name.trim().to_owned(), self.plate.trim().to_uppercase());
        if self.name.is_empty() {
            wrong.push(FieldError::new("name", FieldProblem::Required));
        }
        for (field, text) in [("name", &self.name), ("plate", &self.plate)] {
            if text.chars().count() > LONGEST {
                wrong.push(FieldError::new(field, FieldProblem::TooLong));
            }
        }
        if geography::hub(&self.hub).is_none() {
            wrong.push(FieldError::new("hub", FieldProblem::Unknown));
        }
        if wrong.is_empty() { Ok(self) } else { Err(Error::Invalid(wrong)) }
    }

    /// The truck with what is written down here.
    pub(crate) fn write(self, to: TruckRecord) -> TruckRecord {
        TruckRecord {
            name: self.name,
            class: self.class,
            hub: self.hub,
            plate: self.plate,
            inspected_until: self.inspected_until,
            insured_until: self.insured_until,
            state: self.state.unwrap_or(to.state),
            ..to
        }
    }
}

/// All trucks, by hub and name; who is archived comes last.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, _: &Staff) -> ServiceResult<Vec<DatedRecord<TruckRecord>>> {
    let mut all = s.store.read(|u| u.directory().trucks().map_err(Error::from)).await?;
    all.sort_by_key(|t| t.state == TruckState::Archived);
    Ok(all.into_iter().map(|t| DatedRecord::at(t, s.clock.now())).collect())
}

/// One truck.
///
/// # Errors
/// `not_found`.
pub async fn get(s: &Services, _: &Staff, id: TruckId) -> ServiceResult<DatedRecord<TruckRecord>> {
    let found = s.store.read(move |u| u.directory().truck(id).map_err(Error::from)).await?;
    Ok(DatedRecord::at(found.ok_or(ErrorCode::NotFound)?, s.clock.now()))
}

/// Somebody else may have given the name at the same moment: the index tells.
fn name_taken(e: StoreError) -> Error {
    match e {
        StoreError::Duplicate(_) => ErrorCode::TruckNameTaken.into(),
        other => other.into(),
    }
}

/// Adds a truck.
///
/// # Errors
/// `truck_name_taken`, the fields.
pub async fn add(
    s: &Services,
    staff: &Staff,
    form: Form,
    guard: Option<Guard<DatedRecord<TruckRecord>>>,
) -> ServiceResult<Replayable<DatedRecord<TruckRecord>>> {
    let (form, asked_at) = (form.checked()?, s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let truck = insert(tx, form)?;
            Ok(DatedRecord::at(truck, tx.now))
        })
    })
    .await
}

/// Adds a truck within a unit of work; the form is checked.
///
/// # Errors
/// As [`add`].
pub(crate) fn insert(tx: &mut Tx<'_>, form: Form) -> ServiceResult<TruckRecord> {
    let bare = TruckRecord {
        id: TruckId(tx.id()),
        name: String::new(),
        class: form.class,
        hub: String::new(),
        plate: String::new(),
        inspected_until: None,
        insured_until: None,
        state: TruckState::Active,
        version: 1,
        created_at: tx.now,
        updated_at: tx.now,
    };
    let truck = form.write(bare);
    tx.unit.directory().add_truck(&truck).map_err(name_taken)?;
    tx.audit("truck.add", truck.id, None, Some(snapshot(&truck)))?;
    Ok(truck)
}

/// Writes a truck anew.
///
/// # Errors
/// `not_found`, `version_conflict`, `truck_name_taken`, the fields.
pub async fn put(
    s: &Services,
    staff: &Staff,
    id: TruckId,
    form: Form,
    version: i32,
) -> ServiceResult<DatedRecord<TruckRecord>> {
    let form = form.checked()?;
    s.write(staff.actor(), move |tx| {
        let truck = change(tx, id, form, version)?;
        Ok(DatedRecord::at(truck, tx.now))
    })
    .await
}

/// Writes a truck anew within a unit of work; the form is checked.
///
/// # Errors
/// As [`put`].
pub(crate) fn change(tx: &mut Tx<'_>, id: TruckId, form: Form, version: i32) -> ServiceResult<TruckRecord> {
    let old = tx.unit.directory().truck(id)?.ok_or(ErrorCode::NotFound)?;
    if old.version != version {
        return Err(ErrorCode::VersionConflict.into());
    }
    let mut truck = TruckRecord { updated_at: tx.now, ..form.write(old.clone()) };
    truck.version = tx.unit.directory().update_truck(&truck).map_err(name_taken)?;
    tx.audit("truck.update", id, Some(snapshot(&old)), Some(snapshot(&truck)))?;
    Ok(truck)
}

fn snapshot(t: &TruckRecord) -> Value {
    json!({
        "name": t.name, "class": t.class, "hub": t.hub, "plate": t.plate, "inspectedUntil": t.inspected_until,
        "insuredUntil": t.insured_until, "state": t.state.code(),
    })
}
