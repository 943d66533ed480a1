//! Partners: a row means the one with its name.

use super::{catalogue::Catalogue, sheet::SheetColumns};
use crate::{
    ServiceResult, Tx,
    partners::{self, Form},
    ports::{
        Unit,
        directory::{PartnerRecord, PartnerState},
    },
};

/// Partners.
#[derive(Debug)]
pub struct Partners;

fn called(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

impl Catalogue for Partners {
    type Form = Form;
    type Record = PartnerRecord;

    const NAME: &'static str = "partners";

    fn all(unit: &mut dyn Unit) -> ServiceResult<Vec<PartnerRecord>> {
        let mut all = unit.directory().partners()?;
        // Whom only a member or a machine has named so far has no name that a row could say.
        all.retain(|p| !p.name.trim().is_empty());
        all.sort_by_cached_key(|p| (Partners::is_gone(p), kernel::fold(&p.name), p.number));
        Ok(all)
    }

    fn key(form: &Form) -> String {
        called(&form.name)
    }

    fn key_of(record: &PartnerRecord) -> String {
        called(&record.name)
    }

    fn is_gone(record: &PartnerRecord) -> bool {
        record.state == PartnerState::Archived
    }

    fn is_gone_in(form: &Form) -> bool {
        form.state == Some(PartnerState::Archived)
    }

    fn is_unique(_: &str) -> bool {
        false
    }

    fn checked(form: Form) -> ServiceResult<Form> {
        form.checked()
    }

    fn filled(mut form: Form, old: &PartnerRecord, given: &SheetColumns) -> Form {
        given.or_kept("addresses", &mut form.addresses, &old.addresses);
        given.or_kept("contacts", &mut form.contacts, &old.contacts);
        given.or_kept("rateName", &mut form.rate_name, &old.rate_name.clone().unwrap_or_default());
        form
    }

    fn written(form: Form, old: PartnerRecord) -> ServiceResult<PartnerRecord> {
        form.write(old)
    }

    fn add(tx: &mut Tx<'_>, form: Form) -> ServiceResult<()> {
        partners::insert(tx, form).map(drop)
    }

    fn change(tx: &mut Tx<'_>, old: &PartnerRecord, form: Form) -> ServiceResult<()> {
        partners::change(tx, old.id, form, old.version).map(drop)
    }
}
