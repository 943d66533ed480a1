//! Ledger entries that are wrong: those that do not balance, and those whose amount differs from what the payment service
//! charged or refunded.

use std::collections::BTreeMap;

use chrono::DateTime;
use kernel::{Money, PaymentId};

use super::{
    super::{
        difference::{Broken, DifferenceKind},
        ledger::{self, CORRECTION},
    },
    File,
};
use crate::ports::{
    bookings::Booking,
    ledger::{Account, Entry, EntryLine},
    payments::{Attempt, AttemptState, PaidWith, Payment},
};

/// What one more entry would have to move so that an entry, together with it, says what was done.
pub(in crate::billing) struct Amendment {
    /// The fact of the entry.
    pub fact: String,
    /// Whose money it tells of.
    pub payment: PaymentId,
    /// What would have to be moved.
    pub lines: Vec<EntryLine>,
}

impl File<'_> {
    /// Entries whose debits are not their credits. No entry that Portage posts can put them right: somebody changed a line.
    pub(super) fn unbalanced(&self, found: &mut Vec<DifferenceKind>) {
        let broken = |e: &Entry| Broken { id: e.id, kind: e.kind.clone(), at: e.at, sum: e.sum() };
        let wrong = self.entries.iter().filter(|e| !e.is_balanced());
        found.extend(wrong.map(|e| DifferenceKind::Unbalanced { entry: Some(broken(e)) }));
    }

    /// What the one entry that does not balance lacks, so that all accounts say what statuses and payments say; none where
    /// anything else differs, or where that would not balance it.
    pub(in crate::billing) fn lacks_to_balance(&self) -> Option<(&Entry, Vec<EntryLine>)> {
        let mut broken = self.entries.iter().filter(|e| !e.is_balanced());
        let entry = broken.next().filter(|_| broken.next().is_none())?;
        let told = self.differences(DateTime::UNIX_EPOCH);
        if !told.iter().all(|d| matches!(d.what, DifferenceKind::Unbalanced { .. })) {
            return None;
        }
        let lines = self.differing();
        let sum: Money = lines.iter().map(|l| l.amount).sum();
        (!lines.is_empty() && sum.plus(entry.sum()).is_zero()).then_some((entry, lines))
    }

    pub(super) fn is_balanced(&self) -> bool {
        self.entries.iter().all(Entry::is_balanced)
    }

    /// What the entries of the payment service's deeds lack, each with what corrected it before.
    pub(in crate::billing) fn amendments(&self) -> Vec<Amendment> {
        let of = |attempt: &Attempt| {
            let row = self.rows.iter().find(|r| r.id == attempt.payment_id)?;
            let fact = self.fact_of(attempt);
            let entry = self.entries.iter().find(|e| e.fact_key == fact && e.is_balanced())?;
            let made = Payment { amount: attempt.amount, method: PaidWith::Card, ..row.clone() };
            let should = ledger::lines_of(&self.booking, &made, &self.rows);
            let lines = lacking(&self.booking, ledger::amended(entry, self.entries).lines(), &should);
            (!lines.is_empty()).then_some(Amendment { fact, payment: row.id, lines })
        };
        self.attempts.iter().filter(|a| a.state == AttemptState::Applied).filter_map(of).collect()
    }

    /// The amendments, where they are all that the accounts of the booking lack.
    pub(in crate::billing) fn amendments_only(&self) -> Vec<Amendment> {
        let all = self.amendments();
        let lacks = totals(&self.booking, self.correction().unwrap_or_default());
        let same = totals(&self.booking, all.iter().flat_map(|a| a.lines.iter().copied())) == lacks;
        if same { all } else { Vec::new() }
    }

    /// False: the entry of a fact says something else than what was done, and nothing has corrected that.
    pub(in crate::billing) fn entry_stands(&self, fact: &str) -> bool {
        // It is told by itself.
        let broken = self.entries.iter().any(|e| e.fact_key == fact && !e.is_balanced());
        let wrong = self.amendments().iter().any(|a| a.fact == fact);
        // A correction of the booking's accounts as a whole names no entry.
        let corrected = self.entries.iter().any(|e| e.kind == CORRECTION && e.payment_id.is_none());
        let mut books = Vec::new();
        self.books(&mut books);
        broken || !wrong || (corrected && self.is_balanced() && books.is_empty())
    }

    /// The fact that an attempt is posted as.
    pub(super) fn fact_of(&self, attempt: &Attempt) -> String {
        let word = if self.is_refund(attempt) { "refund" } else { "capture" };
        format!("{word}:{}", attempt.order_id)
    }
}

/// By account; the two of the customer count as one, since a changed date moves what lies in them.
fn totals(b: &Booking, lines: impl IntoIterator<Item = EntryLine>) -> BTreeMap<Account, Money> {
    let mut all: BTreeMap<Account, Money> = BTreeMap::new();
    for line in lines {
        let account = match line.account {
            Account::Customer | Account::Trust => ledger::prepaid(b),
            other => other,
        };
        let sum = all.entry(account).or_default();
        *sum = sum.plus(line.amount);
    }
    all.retain(|_, sum| !sum.is_zero());
    all
}

fn lacking(b: &Booking, has: &[EntryLine], should: &[EntryLine]) -> Vec<EntryLine> {
    let less = has.iter().map(|l| EntryLine { account: l.account, amount: l.amount.negated() });
    let all = totals(b, should.iter().copied().chain(less));
    all.into_iter().map(|(account, amount)| EntryLine { account, amount }).collect()
}
