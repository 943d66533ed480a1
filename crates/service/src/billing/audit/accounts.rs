//! What the ledger of one booking should say, account by account, and what of its charges the bank holds or gave back.

use kernel::Money;
use status_machine::payment::State;

use super::{
    super::{
        difference::{Difference, DifferenceKind},
        facts::is_of_tip,
        ledger::{self, taxes_credited, taxes_inside},
    },
    File,
};
use crate::ports::{
    disputes::{Dispute, DisputeState},
    facts::CHARGEBACK,
    ledger::{Account, Entry, EntryLine},
    payments::{Attempt, AttemptState, Payment, PaymentKind},
};

/// What an account holds of a booking, and what it should.
struct Owned {
    account: Account,
    posted: Money,
    want: Money,
}

impl File<'_> {
    /// The ledger as statuses and payments say it must be, account by account. While an entry does not balance nobody knows
    /// what its accounts should say.
    pub(super) fn books(&self, found: &mut Vec<DifferenceKind>) {
        if !self.is_balanced() {
            return;
        }
        let differs = self.accounts().into_iter().filter(|a| a.posted != a.want);
        found.extend(differs.map(|a| DifferenceKind::Books {
            accounts: vec![a.account],
            posted: a.posted,
            want: a.want,
        }));
    }

    /// What one entry would have to move so that the ledger says what the history says; none when one entry cannot.
    pub fn correction(&self) -> Option<Vec<EntryLine>> {
        let lines = self.differing();
        let sum: Money = lines.iter().map(|l| l.amount).sum();
        (sum.is_zero() && !lines.is_empty()).then_some(lines)
    }

    /// What each account lacks.
    pub(super) fn differing(&self) -> Vec<EntryLine> {
        let differs = self.accounts().into_iter().filter(|a| a.posted != a.want);
        differs.map(|a| EntryLine { account: a.account, amount: a.want.minus(a.posted) }).collect()
    }

    /// Every deed of the gateway has its entry.
    pub fn all_posted(&self) -> bool {
        self.unposted().is_empty()
    }

    /// Deeds of the gateway that have no entry, also those that a comparison of a few days does not look at.
    pub(super) fn unposted(&self) -> Vec<Difference> {
        let lacking = |a: &&Attempt| {
            let fact = self.fact_of(a);
            !self.entries.iter().any(|e| e.fact_key == fact)
        };
        let told = |a: &Attempt| {
            let amount = if self.is_refund(a) { a.amount.negated() } else { a.amount };
            Difference::of_order(&a.order_id, Some(self.booking.id), DifferenceKind::LedgerMissing { amount })
        };
        self.attempts.iter().filter(|a| a.state == AttemptState::Applied).filter(lacking).map(told).collect()
    }

    pub(super) fn is_refund(&self, attempt: &Attempt) -> bool {
        self.rows.iter().any(|r| r.id == attempt.payment_id && r.kind == PaymentKind::Refund)
    }

    fn accounts(&self) -> Vec<Owned> {
        let mut all = Vec::new();
        let settled = |r: &&Payment| r.settled_at.is_some();
        let sum = |keep: &dyn Fn(&Payment) -> bool| -> Money {
            self.rows.iter().filter(settled).filter(|r| keep(r)).map(|r| r.amount).sum()
        };
        let refund = |r: &Payment| r.kind == PaymentKind::Refund;
        let tips = sum(&|r| r.kind == PaymentKind::Tip).minus(sum(&|r| refund(r) && is_of_tip(r, &self.rows)));
        let moves = sum(&|r| r.kind.is_charge() && r.kind != PaymentKind::Tip)
            .minus(sum(&|r| refund(r) && !is_of_tip(r, &self.rows)));
        let (b, done, kept) = (&*self.booking, self.done(), self.kept());
        let inside = taxes_inside(b, kept);
        let kept_tax: Money = inside.iter().map(|t| t.1).sum();
        let waived = taxes_credited(b);
        let waived_tax: Money = waived.iter().map(|t| t.1).sum();
        let revenue = b.amount.minus(b.credited().minus(waived_tax));
        let tax = |account: Account| -> Money {
            let completed: Money = if done {
                let full: Money =
                    b.details.taxes.iter().filter(|t| ledger::tax_account(t.name) == account).map(|t| t.amount).sum();
                full.minus(waived.iter().filter(|t| t.0 == account).map(|t| t.1).sum())
            } else {
                Money::ZERO
            };
            completed.plus(inside.iter().filter(|t| t.0 == account).map(|t| t.1).sum())
        };
        let earned = if done { b.due() } else { kept };
        let open = |d: &&Dispute| d.state == DisputeState::Opened;
        let disputed: Money = self.disputes.iter().filter(open).map(|d| d.amount).sum();
        let fees: Money = self.disputes.iter().map(|d| d.fee).sum();
        for account in [Account::Gateway, Account::Cash, Account::Bank] {
            let came = sum(&|r| r.kind.is_charge() && r.method.account() == account);
            let went = sum(&|r| refund(r) && r.method.account() == account);
            let kept = if account == Account::Gateway { disputed.plus(fees) } else { Money::ZERO };
            all.push(self.account(account, came.minus(went).minus(kept)));
        }
        all.push(self.account(Account::Disputes, disputed));
        all.push(self.account(Account::Fees, fees));
        all.push(self.account(Account::WriteOff, b.written_off()));
        all.push(self.account(Account::TipsPayable, tips.negated()));
        all.push(self.account(Account::Revenue, if done { revenue.negated() } else { Money::ZERO }));
        all.push(self.account(Account::CancellationRevenue, kept.minus(kept_tax).negated()));
        for account in [Account::Gst, Account::Qst, Account::Hst] {
            all.push(self.account(account, tax(account).negated()));
        }
        // What was given up stands in its own account, above.
        let left = earned.minus(moves).minus(b.written_off());
        let trust = ledger::in_trust(b, left);
        all.push(self.account(Account::Trust, trust));
        all.push(self.account(Account::Customer, left.minus(trust)));
        all
    }

    fn account(&self, account: Account, want: Money) -> Owned {
        let lines = self.entries.iter().flat_map(Entry::lines);
        let posted: Money = lines.filter(|l| l.account == account).map(|l| l.amount).sum();
        Owned { account, posted, want }
    }

    /// Each dispute as its charge has it: while it is open the bank holds that, and what was lost went back once.
    pub(super) fn disputed(&self, found: &mut Vec<DifferenceKind>) {
        for d in self.disputes {
            let (amount, state) = (d.amount, d.state.code().to_owned());
            let reference = format!("{CHARGEBACK}{}", d.gateway_id);
            let back: Money =
                self.rows.iter().filter(|r| r.reference.as_ref() == Some(&reference)).map(|r| r.amount).sum();
            let lost = if d.state == DisputeState::Lost { d.amount } else { Money::ZERO };
            if back != lost {
                found.push(DifferenceKind::DisputeBack { amount, state: state.clone(), back });
            }
            let charge = self.rows.iter().find(|r| r.id == d.payment_id);
            let held = charge.is_some_and(|r| *r.state == State::ChargedBack);
            if !held && d.state != DisputeState::Won {
                found.push(DifferenceKind::DisputeUnmarked { amount, state });
            }
        }
        let of = |row: &Payment| self.disputes.iter().any(|d| d.payment_id == row.id && d.state != DisputeState::Won);
        for row in self.rows.iter().filter(|r| *r.state == State::ChargedBack && !of(r)) {
            found.push(DifferenceKind::DisputeMissing { charge: row.kind, amount: row.amount });
        }
    }
}
