//! A file that was read: its columns and its rows.

use std::collections::BTreeSet;

/// The fields that a file has columns of. Other fields of a record stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SheetColumns(BTreeSet<String>);

impl SheetColumns {
    /// These fields, by their names in the API.
    pub fn of(fields: impl IntoIterator<Item = String>) -> SheetColumns {
        SheetColumns(fields.into_iter().collect())
    }

    /// What the record says, where the file has no column of the field.
    pub(crate) fn or_kept<T: Clone>(&self, field: &str, new: &mut T, kept: &T) {
        if !self.0.contains(field) {
            new.clone_from(kept);
        }
    }
}

/// A row of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Row<F> {
    /// Where it stands, from 1; the line of the names of columns counts.
    pub line: usize,
    /// What it says.
    pub form: F,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet<F> {
    /// What it has columns of.
    pub given: SheetColumns,
    /// Its rows.
    pub rows: Vec<Row<F>>,
    /// Everything is tried, nothing is kept.
    pub is_trial: bool,
}
