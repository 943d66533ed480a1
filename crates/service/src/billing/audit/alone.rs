//! Payment rows that say money moved, or is under way, without an attempt or a ledger entry for it.

use kernel::Money;

use super::super::facts::{MADE, in_flight};
use crate::ports::{
    books::BookingFile,
    ledger::{Account, Entry, EntryLine},
    payments::{AttemptState, Payment},
};

/// The row says that money moved, or is under way, and neither an attempt nor the ledger knows of it. By hand there is no
/// attempt; the program writes the entry with the row, so that one without the other was written by somebody else.
pub(super) fn marked_alone(file: &BookingFile, row: &Payment) -> bool {
    let attempts = |state: AttemptState| file.attempts.iter().any(|a| a.payment_id == row.id && a.state == state);
    let moved = |l: &EntryLine| matches!(l.account, Account::Gateway | Account::Cash | Account::Bank);
    let posted: Money = file
        .entries
        .iter()
        .filter(|e| e.payment_id == Some(row.id))
        .flat_map(Entry::lines)
        .filter(|l| moved(l))
        .map(|l| l.amount)
        .sum();
    let says = MADE.contains(&*row.state) || (in_flight(row) && !attempts(AttemptState::Sent));
    // What the bank took back is told with its dispute; what was kept instead of handed back has no entry of its own.
    let alone = row.settled_at.is_none() || !(row.is_chargeback() || row.is_set_off());
    says && alone && !attempts(AttemptState::Applied) && posted.is_zero()
}
