//! A file that was read: its columns and its rows.

use std::collections::BTreeSet;

/// The fields a file has columns of. Of the others a record keeps what it says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given(BTreeSet<String>);

impl Given {
    /// These fields, by their names in the API.
    pub fn of(fields: impl IntoIterator<Item = String>) -> Given {
        Given(fields.into_iter().collect())
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
    pub given: Given,
    /// Its rows.
    pub rows: Vec<Row<F>>,
    /// Everything is tried, nothing is kept.
    pub is_trial: bool,
}
