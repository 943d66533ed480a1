//! Matches the rows of an imported file to the records they mean.

use std::collections::{HashMap, HashSet};

use super::{
    catalogue::Catalogue,
    report::Problem,
    sheet::{Row, SheetColumns},
};

/// What a row means.
pub(super) enum Meaning {
    /// A record that is not there yet.
    New,
    /// The record in this place.
    Of(usize),
    /// It cannot be told.
    Wrong(Problem),
}

/// The records of a catalogue, found by the keys and aliases of rows.
pub(super) struct CatalogueIndex<C: Catalogue> {
    pub records: Vec<C::Record>,
    by_key: HashMap<String, Vec<usize>>,
    by_alias: HashMap<String, Vec<usize>>,
    /// Records that a row matched.
    meant: HashSet<usize>,
}

impl<C: Catalogue> CatalogueIndex<C> {
    pub fn of(records: Vec<C::Record>) -> CatalogueIndex<C> {
        let mut known = CatalogueIndex::<C> {
            by_key: HashMap::new(),
            by_alias: HashMap::new(),
            meant: HashSet::new(),
            records: Vec::new(),
        };
        for (at, record) in records.iter().enumerate() {
            known.by_key.entry(C::key_of(record)).or_default().push(at);
            if let Some(alias) = C::alias_of(record) {
                known.by_alias.entry(alias).or_default().push(at);
            }
        }
        known.records = records;
        known
    }

    /// What the only row with a key means. By what is less than a key it means none that another row names.
    pub fn meant(&mut self, key: &str, alias: Option<String>, keys: &HashMap<&str, Vec<usize>>) -> Meaning {
        let mut found: Vec<usize> = self.by_key.get(key).cloned().unwrap_or_default();
        // Those who are gone come last: one of them is meant only if nobody is there.
        let there = found.iter().take_while(|at| !C::is_gone(&self.records[**at])).count();
        found.truncate(there.max(1));
        if found.is_empty()
            && let Some(called) = alias.and_then(|alias| self.by_alias.get(&alias))
        {
            let named = |at: &usize| keys.contains_key(C::key_of(&self.records[*at]).as_str());
            found = called.iter().copied().filter(|at| !self.meant.contains(at) && !named(at)).collect();
        }
        match found.as_slice() {
            [] => Meaning::New,
            [one] => {
                self.meant.insert(*one);
                Meaning::Of(*one)
            }
            _ => Meaning::Wrong(Problem::Several),
        }
    }

    /// What several rows with one key mean, in their order. Rows of archived records are compared with archived records only.
    pub fn apart(&mut self, key: &str, rows: &[&Row<C::Form>], given: &SheetColumns) -> Vec<Meaning> {
        let records: Vec<usize> = self.by_key.get(key).cloned().unwrap_or_default();
        self.meant.extend(&records);
        let of_state = |gone: bool| {
            let ours: Vec<&Row<C::Form>> =
                rows.iter().copied().filter(|row| C::is_gone_in(&row.form) == gone).collect();
            let theirs = records.iter().copied().filter(|at| C::is_gone(&self.records[*at]) == gone).collect();
            self.paired(&ours, theirs, !gone && C::is_unique(key), given).into_iter()
        };
        let (mut there, mut gone) = (of_state(false), of_state(true));
        rows.iter().filter_map(|row| if C::is_gone_in(&row.form) { gone.next() } else { there.next() }).collect()
    }

    /// What rows with one key and of one state mean, in their order. Without records each row is a new one. As many rows as
    /// records are these records: first those that say the same, then the one that is left. Anything else is not told.
    fn paired(
        &self,
        rows: &[&Row<C::Form>],
        mut left: Vec<usize>,
        is_unique: bool,
        given: &SheetColumns,
    ) -> Vec<Meaning> {
        let twice = |first: &Row<C::Form>| Meaning::Wrong(Problem::Twice(first.line));
        let [first, more @ ..] = rows else { return Vec::new() };
        if is_unique && !more.is_empty() || !left.is_empty() && left.len() != rows.len() {
            let only = match left.as_slice() {
                [] => Meaning::New,
                [one] => Meaning::Of(*one),
                _ => Meaning::Wrong(Problem::Several),
            };
            return std::iter::once(only).chain(more.iter().map(|_| twice(first))).collect();
        }
        if left.is_empty() {
            // Two rows that say the same are a mistake: nothing would tell the two records apart.
            let earlier = |(n, row): (usize, &&Row<C::Form>)| {
                rows[..n].iter().find(|other| other.form == row.form).map_or(Meaning::New, |other| twice(other))
            };
            return rows.iter().enumerate().map(earlier).collect();
        }
        let says = |row: &Row<C::Form>, old: &C::Record| {
            let form = C::checked(C::filled(row.form.clone(), old, given));
            form.and_then(|form| C::written(form, old.clone())).is_ok_and(|written| written == *old)
        };
        let mut same = |row: &&Row<C::Form>| {
            let place = left.iter().position(|at| says(row, &self.records[*at]))?;
            Some(left.remove(place))
        };
        let found: Vec<Option<usize>> = rows.iter().map(&mut same).collect();
        let last = if let [one] = left.as_slice() { Some(*one) } else { None };
        let of = |found: Option<usize>| found.or(last).map_or(Meaning::Wrong(Problem::Several), Meaning::Of);
        found.into_iter().map(of).collect()
    }
}
