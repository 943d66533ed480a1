//! Trucks: a row means the one with its name at its hub; where no truck of the hub is called so, the only one with this
//! name, which has moved to another hub.

use super::{catalogue::Catalogue, sheet::SheetColumns};
use crate::{
    ServiceResult, Tx,
    ports::{
        Unit,
        directory::{TruckRecord, TruckState},
    },
    trucks::{self, Form},
};

/// Trucks.
#[derive(Debug)]
pub struct Trucks;

fn called(name: &str) -> String {
    name.trim().to_lowercase()
}

impl Catalogue for Trucks {
    type Form = Form;
    type Record = TruckRecord;

    const NAME: &'static str = "trucks";

    fn all(unit: &mut dyn Unit) -> ServiceResult<Vec<TruckRecord>> {
        let mut all = unit.directory().trucks()?;
        let order = |t: &TruckRecord| (Trucks::is_gone(t), t.hub.clone(), called(&t.name), t.name.clone());
        all.sort_by_cached_key(order);
        Ok(all)
    }

    fn key(form: &Form) -> String {
        format!("{}\n{}", called(&form.name), form.hub)
    }

    fn key_of(record: &TruckRecord) -> String {
        format!("{}\n{}", called(&record.name), record.hub)
    }

    fn alias(form: &Form) -> Option<String> {
        Some(called(&form.name))
    }

    fn alias_of(record: &TruckRecord) -> Option<String> {
        (!Trucks::is_gone(record)).then(|| called(&record.name))
    }

    fn is_gone(record: &TruckRecord) -> bool {
        record.state == TruckState::Archived
    }

    fn is_gone_in(form: &Form) -> bool {
        form.state == Some(TruckState::Archived)
    }

    fn checked(form: Form) -> ServiceResult<Form> {
        form.checked()
    }

    fn filled(mut form: Form, old: &TruckRecord, given: &SheetColumns) -> Form {
        given.or_kept("plate", &mut form.plate, &old.plate);
        given.or_kept("inspectedUntil", &mut form.inspected_until, &old.inspected_until);
        given.or_kept("insuredUntil", &mut form.insured_until, &old.insured_until);
        form
    }

    fn written(form: Form, old: TruckRecord) -> ServiceResult<TruckRecord> {
        Ok(form.write(old))
    }

    fn add(tx: &mut Tx<'_>, form: Form) -> ServiceResult<()> {
        trucks::insert(tx, form).map(drop)
    }

    fn change(tx: &mut Tx<'_>, old: &TruckRecord, form: Form) -> ServiceResult<()> {
        trucks::change(tx, old.id, form, old.version).map(drop)
    }
}
