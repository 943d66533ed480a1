//! Ledger entries that somebody changed in the database, each with the entry that balances it again.

use kernel::EntryId;

use super::{
    dates,
    ledger::{CORRECTION, amended, amends},
};
use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        ledger::{Entry, EntryLine},
    },
};

/// Posts what an entry lacks that somebody changed in the database: neither of the two balances, both together do.
///
/// # Errors
/// When the database fails.
pub(super) fn balance(tx: &mut Tx<'_>, b: &Booking, entry: &Entry, lines: Vec<EntryLine>) -> ServiceResult<()> {
    let (id, at) = (EntryId(tx.id()), dates::of_fact(tx)?);
    let fact = format!("{CORRECTION}:{}:{id}", entry.fact_key);
    let more = Entry::stored(id, b.id, entry.payment_id, at, CORRECTION.to_owned(), fact, lines);
    Ok(tx.unit.ledger().append(&more)?)
}

/// Entries that were balanced afterwards ([`balance`]), each with what balanced it as one; those of which nothing is left are
/// left out.
pub fn as_one(entries: Vec<Entry>) -> Vec<Entry> {
    if entries.iter().all(Entry::is_balanced) {
        return entries;
    }
    let whole = |e: &Entry| {
        let more: Vec<Entry> = entries.iter().filter(|c| amends(c, e)).cloned().collect();
        let whole = amended(e, &more);
        (!more.is_empty() && whole.sum().is_zero()).then_some((whole, more))
    };
    let wholes: Vec<(Entry, Vec<Entry>)> = entries.iter().filter(|e| !e.is_balanced()).filter_map(whole).collect();
    let is_part = |e: &Entry| wholes.iter().any(|(_, more)| more.iter().any(|c| c.id == e.id));
    let whole_of = |e: &Entry| wholes.iter().find(|(whole, _)| whole.id == e.id).map(|(whole, _)| whole.clone());
    let left = |e: &Entry| match whole_of(e) {
        Some(whole) => Some(whole).filter(|whole| !whole.lines().is_empty()),
        None => Some(e.clone()),
    };
    entries.iter().filter(|e| !is_part(e)).filter_map(left).collect()
}
