//! Entries of the ledger as a statement reads them.

use kernel::Money;

use crate::{
    billing::{
        facts::SETTLEMENT_DECLINED,
        ledger::{
            self, CORRECTION, DISPUTE_LOST, DISPUTE_OPENED, DISPUTE_WON, REFUND_DECLINED, UNDONE, WRITE_OFF,
            WRITE_OFF_ENDED,
        },
    },
    ports::ledger::{Account, Entry},
};

/// Kinds of entries that tell of money that came or went.
pub(super) const MOVED: [&str; 11] = [
    "capture",
    "tip",
    "refund",
    UNDONE,
    SETTLEMENT_DECLINED,
    REFUND_DECLINED,
    DISPUTE_LOST,
    DISPUTE_OPENED,
    DISPUTE_WON,
    WRITE_OFF,
    WRITE_OFF_ENDED,
];

/// Entries as they were corrected, without those that a correction of their payment turned around: nothing of that happened.
pub(super) fn standing(posted: Vec<Entry>) -> Vec<Entry> {
    let amends = |c: &Entry| posted.iter().any(|e| ledger::amends(c, e));
    let turned: Vec<Entry> =
        posted.iter().filter(|e| e.kind == CORRECTION && e.payment_id.is_some() && !amends(e)).cloned().collect();
    let mut entries: Vec<Entry> = posted.iter().map(|e| ledger::amended(e, &posted)).collect();
    for correction in turned {
        let undoes = |e: &Entry| {
            e.payment_id == correction.payment_id
                && MOVED.contains(&e.kind.as_str())
                && e.at <= correction.at
                && e.lines().len() == correction.lines().len()
                && e.lines()
                    .iter()
                    .zip(correction.lines())
                    .all(|(e, c)| e.account == c.account && e.amount == c.amount.negated())
        };
        if let Some(n) = entries.iter().rposition(undoes) {
            entries.remove(n);
        }
    }
    entries
}

/// What of an entry is about the move itself: its line in the account of the prepayments.
pub(super) fn about_the_move(entry: &Entry) -> Money {
    let prepaid = entry.lines().iter().filter(|l| matches!(l.account, Account::Customer | Account::Trust));
    prepaid.map(|l| l.amount).sum()
}
