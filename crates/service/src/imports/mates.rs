//! Mates: a row means the one with its e-mail address; without an address, the one with its name.

use kernel::Email;

use super::{catalogue::Catalogue, sheet::SheetColumns};
use crate::{
    ServiceResult, Tx,
    mates::{self, Form},
    ports::{
        Unit,
        directory::{MateRecord, MateState},
    },
};

/// Mates.
#[derive(Debug)]
pub struct Mates;

fn called(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// An address has an `@`, and what begins with a line's end is no address: keys of the two kinds never meet.
fn key(email: &str, name: &str) -> String {
    match email.trim() {
        "" => format!("\n{}", called(name)),
        email => email.parse::<Email>().map_or_else(|_| email.to_lowercase(), |email| email.key()),
    }
}

impl Catalogue for Mates {
    type Form = Form;
    type Record = MateRecord;

    const NAME: &'static str = "mates";

    fn begin(tx: &mut Tx<'_>) -> ServiceResult<()> {
        // Whoever assigns crews waits, and sees the mates as they are then.
        Ok(tx.unit.crews().lock()?)
    }

    fn all(unit: &mut dyn Unit) -> ServiceResult<Vec<MateRecord>> {
        let mut all = unit.directory().mates()?;
        all.retain(|m| !m.name.trim().is_empty());
        all.sort_by_cached_key(|m| (Mates::is_gone(m), kernel::fold(&m.name), m.email.to_lowercase(), m.number));
        Ok(all)
    }

    fn key(form: &Form) -> String {
        key(&form.email, &form.name)
    }

    fn key_of(record: &MateRecord) -> String {
        key(&record.email, &record.name)
    }

    fn alias(form: &Form) -> Option<String> {
        form.email.trim().is_empty().then(|| called(&form.name))
    }

    fn alias_of(record: &MateRecord) -> Option<String> {
        (!Mates::is_gone(record)).then(|| called(&record.name))
    }

    fn is_gone(record: &MateRecord) -> bool {
        record.state == MateState::Archived
    }

    fn is_gone_in(form: &Form) -> bool {
        form.state == Some(MateState::Archived)
    }

    fn is_unique(key: &str) -> bool {
        // Two may have one name, and no two one address.
        !key.starts_with('\n')
    }

    fn checked(form: Form) -> ServiceResult<Form> {
        form.checked()
    }

    fn filled(mut form: Form, old: &MateRecord, given: &SheetColumns) -> Form {
        let text = |number: &Option<String>| number.clone().unwrap_or_default();
        given.or_kept("address", &mut form.address, &old.address);
        given.or_kept("phone", &mut form.phone, &old.phone);
        given.or_kept("email", &mut form.email, &old.email);
        given.or_kept("neq", &mut form.neq, &text(&old.neq));
        given.or_kept("tps", &mut form.tps, &text(&old.tps));
        given.or_kept("tvq", &mut form.tvq, &text(&old.tvq));
        given.or_kept("skills", &mut form.skills, &old.skills);
        given.or_kept("languages", &mut form.languages, &old.languages);
        given.or_kept("hubs", &mut form.hubs, &old.hubs);
        given.or_kept("documents", &mut form.documents, &old.documents);
        given.or_kept("payRate", &mut form.pay_rate, &old.pay_rate);
        form
    }

    fn written(form: Form, old: MateRecord) -> ServiceResult<MateRecord> {
        form.write(old)
    }

    fn add(tx: &mut Tx<'_>, form: Form) -> ServiceResult<()> {
        mates::insert(tx, form).map(drop)
    }

    fn change(tx: &mut Tx<'_>, old: &MateRecord, form: Form) -> ServiceResult<()> {
        mates::change(tx, old.id, form, old.version).map(drop)
    }
}
