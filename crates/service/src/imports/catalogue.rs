//! What a catalogue has to say of itself, so that its records can be imported.

use super::sheet::SheetColumns;
use crate::{ServiceResult, Tx, ports::Unit};

/// A catalogue whose records are imported.
pub trait Catalogue: 'static {
    /// What staff write down about a record.
    type Form: Clone + PartialEq + Send + 'static;
    /// A record.
    type Record: Clone + PartialEq + Send + 'static;

    /// Its name in addresses and in the audit trail.
    const NAME: &'static str;

    /// Waits for whoever must not write at the same time.
    ///
    /// # Errors
    /// When the database fails.
    fn begin(_: &mut Tx<'_>) -> ServiceResult<()> {
        Ok(())
    }

    /// Every record that a row could name, in the order of a file: the same in two databases that say the same. Who is gone
    /// comes last.
    ///
    /// # Errors
    /// When the database fails.
    fn all(unit: &mut dyn Unit) -> ServiceResult<Vec<Self::Record>>;

    /// Which record a row means.
    fn key(form: &Self::Form) -> String;

    /// The key of a record.
    fn key_of(record: &Self::Record) -> String;

    /// What a row means by less than a key, when no record has its key: one record, if it is the only one called so.
    fn alias(_: &Self::Form) -> Option<String> {
        None
    }

    /// What a record is called when its key is not told.
    fn alias_of(_: &Self::Record) -> Option<String> {
        None
    }

    /// Archived: a single row means it only when nobody else has its key.
    fn is_gone(record: &Self::Record) -> bool;

    /// The row says that its record is archived.
    fn is_gone_in(_: &Self::Form) -> bool {
        false
    }

    /// Two records that are not archived never share this key.
    fn is_unique(_key: &str) -> bool {
        true
    }

    /// The form in the writing of the catalogue.
    ///
    /// # Errors
    /// The fields that a single call would refuse whatever the records say.
    fn checked(form: Self::Form) -> ServiceResult<Self::Form>;

    /// The form with what the record says, where the file has no column of it.
    fn filled(form: Self::Form, old: &Self::Record, given: &SheetColumns) -> Self::Form;

    /// The record with what a checked form says.
    ///
    /// # Errors
    /// A state that cannot follow that of the record.
    fn written(form: Self::Form, old: Self::Record) -> ServiceResult<Self::Record>;

    /// Adds a record by a checked form, as the single call does.
    ///
    /// # Errors
    /// Those of the call.
    fn add(tx: &mut Tx<'_>, form: Self::Form) -> ServiceResult<()>;

    /// Changes a record by a checked form, as the single call does.
    ///
    /// # Errors
    /// Those of the call.
    fn change(tx: &mut Tx<'_>, old: &Self::Record, form: Self::Form) -> ServiceResult<()>;
}
