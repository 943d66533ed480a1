//! One booking against its own history: what should be held, planned and posted, worked out anew
//! from statuses, payments and the policy, not from what settling believed.

use chrono::{DateTime, Duration, Utc};
use kernel::Money;
use status_machine::{booking::Status, payment::State};

use super::{
    facts::{captured, in_flight, is_lock, is_of_tip, open, refunded, took},
    ledger::taxes_inside,
};
use crate::ports::{
    bookings::{Booking, StatusChange},
    ledger::{Account, Entry},
    payments::{Attempt, AttemptState, Payment, PaymentKind},
    tips::Tip,
};

/// Everything that is on record about one booking's money.
pub struct File<'a> {
    /// The booking.
    pub booking: &'a Booking,
    /// Its statuses, oldest first.
    pub history: &'a [StatusChange],
    /// Its charges and refunds.
    pub rows: &'a [Payment],
    /// All attempts at them.
    pub attempts: &'a [Attempt],
    /// Its ledger entries.
    pub entries: &'a [Entry],
    /// Its tip.
    pub tip: Option<&'a Tip>,
    /// It has capacity of its own.
    pub has_capacity: bool,
    /// A checkout of it is at the gateway.
    pub checkout_open: bool,
}

/// A due charge may wait this long for its worker before it counts as forgotten.
const FORGOTTEN: Duration = Duration::hours(2);

impl File<'_> {
    /// What differs, in words that begin with the booking's short id. Empty when all is well.
    pub fn differences(&self, now: DateTime<Utc>) -> Vec<String> {
        let mut found = Vec::new();
        self.one_deed_an_intent(&mut found);
        self.books(&mut found);
        if !self.checkout_open && !self.rows.iter().any(in_flight) {
            self.held(&mut found);
            self.tip(&mut found);
            self.forgotten(now, &mut found);
        }
        self.capacity(now, &mut found);
        found.into_iter().map(|text| format!("{}: {text}", self.booking.short_id)).collect()
    }

    /// The status before a deletion counts on: nothing is erased from the books.
    fn status(&self) -> Status {
        match self.booking.status {
            Status::Deleted => {
                self.history.iter().rev().find(|h| h.to == Status::Deleted).and_then(|h| h.from).unwrap_or(Status::Deleted)
            }
            status => status,
        }
    }

    fn done(&self) -> bool {
        matches!(self.status(), Status::Completed | Status::Invoiced | Status::Payed)
    }

    fn kept(&self) -> Money {
        self.booking.details.kept.filter(|_| self.status() == Status::Cancelled).unwrap_or(Money::ZERO)
    }

    fn one_deed_an_intent(&self, found: &mut Vec<String>) {
        for row in self.rows {
            let of = |state| self.attempts.iter().filter(|a| a.payment_id == row.id && a.state == state).count();
            let kind = row.kind.code();
            if of(AttemptState::Applied) > 1 {
                found.push(format!("the {kind} of {} was made {} times", row.amount, of(AttemptState::Applied)));
            }
            if of(AttemptState::Sent) > usize::from(in_flight(row)) {
                found.push(format!("the {kind} of {} is under way without being marked so", row.amount));
            }
            if row.settled_at.is_some() && of(AttemptState::Applied) == 0 {
                found.push(format!("the {kind} of {} counts as made and no attempt says so", row.amount));
            }
        }
    }

    /// What is held and what is still asked for add up to what is owed.
    fn held(&self, found: &mut Vec<String>) {
        let net = captured(self.rows).minus(refunded(self.rows));
        // What a deposit's ladder did not bring is part of the 48-hour charge.
        let given_up = |r: &Payment| r.state == State::Failed && r.kind != PaymentKind::Deposit;
        let asked = |r: &&Payment| (open(r) || given_up(r)) && !matches!(r.kind, PaymentKind::Refund | PaymentKind::Tip);
        let asked: Money = self.rows.iter().filter(asked).map(|r| r.amount).sum();
        let b = self.booking;
        let owed = match b.status {
            Status::Cancelled | Status::Deleted => b.details.kept.unwrap_or(Money::ZERO),
            _ => b.total,
        };
        // Once a booking was paid nothing more is asked for by itself; before, the plan adds up.
        if net.plus(asked) != owed && !(self.given_up() && net <= owed) {
            found.push(format!("holds {net} and asks for {asked}, its history says {owed}"));
        }
        let early = |r: &&Payment| took(r) && (is_lock(r) || r.kind == PaymentKind::Difference) && net.is_positive();
        if matches!(b.status, Status::Pending | Status::Assigned)
            && !b.details.lock_entered
            && let Some(row) = self.rows.iter().find(early)
            && net > b.total.share(b.details.policy.deposit)
        {
            found.push(format!("the {} of {} was charged before its day", row.kind.code(), row.amount));
        }
    }

    /// Released for want of payment: what was captured is kept, the rest is the staff's.
    fn given_up(&self) -> bool {
        self.booking.details.payment_problem
    }

    fn tip(&self, found: &mut Vec<String>) {
        let charges: Money = self.rows.iter().filter(|r| took(r) && r.kind == PaymentKind::Tip).map(|r| r.amount).sum();
        let back = |r: &&Payment| r.kind == PaymentKind::Refund && is_of_tip(r, self.rows) && !matches!(r.state, State::Failed | State::Skipped);
        let back: Money = self.rows.iter().filter(back).map(|r| r.amount).sum();
        let held = charges.minus(back);
        let given = self.tip.filter(|t| t.is_paid).map_or(Money::ZERO, |t| t.amount);
        let owed = if matches!(self.booking.status, Status::Cancelled | Status::Deleted) { Money::ZERO } else { given };
        if held != owed && !(self.booking.status == Status::Deleted && held == given) {
            found.push(format!("holds a tip of {held}, {owed} was given"));
        }
    }

    fn forgotten(&self, now: DateTime<Utc>, found: &mut Vec<String>) {
        for row in self.rows.iter().filter(|r| open(r)) {
            match row.next_attempt_at {
                Some(at) if at + FORGOTTEN < now => {
                    found.push(format!("the {} of {} has been due since {}", row.kind.code(), row.amount, at.to_rfc3339()));
                }
                None => found.push(format!("the {} of {} waits for nothing", row.kind.code(), row.amount)),
                Some(_) => {}
            }
        }
    }

    /// The ledger as statuses and payments say it must be, account by account.
    fn books(&self, found: &mut Vec<String>) {
        let settled = |r: &&Payment| r.settled_at.is_some();
        let sum = |keep: &dyn Fn(&Payment) -> bool| -> Money { self.rows.iter().filter(settled).filter(|r| keep(r)).map(|r| r.amount).sum() };
        let refund = |r: &Payment| r.kind == PaymentKind::Refund;
        let tips = sum(&|r| r.kind == PaymentKind::Tip).minus(sum(&|r| refund(r) && is_of_tip(r, self.rows)));
        let moves = sum(&|r| !refund(r) && r.kind != PaymentKind::Tip).minus(sum(&|r| refund(r) && !is_of_tip(r, self.rows)));
        let (b, done, kept) = (self.booking, self.done(), self.kept());
        let inside = taxes_inside(b, kept);
        let kept_tax: Money = inside.iter().map(|t| t.1).sum();
        let tax = |account: Account| -> Money {
            let completed: Money = if done { b.details.taxes.iter().filter(|t| super::ledger::tax_account(&t.name) == account).map(|t| t.amount).sum() } else { Money::ZERO };
            completed.plus(inside.iter().filter(|t| t.0 == account).map(|t| t.1).sum())
        };
        let earned = if done { b.total } else { kept };
        self.account(&[Account::Gateway], moves.plus(tips), found);
        self.account(&[Account::TipsPayable], tips.negated(), found);
        self.account(&[Account::Revenue], if done { b.amount.negated() } else { Money::ZERO }, found);
        self.account(&[Account::CancellationRevenue], kept.minus(kept_tax).negated(), found);
        for account in [Account::Gst, Account::Qst, Account::Hst] {
            self.account(&[account], tax(account).negated(), found);
        }
        self.account(&[Account::Customer, Account::Trust, Account::WriteOff], earned.minus(moves), found);
    }

    fn account(&self, accounts: &[Account], want: Money, found: &mut Vec<String>) {
        let lines = self.entries.iter().flat_map(Entry::lines);
        let posted: Money = lines.filter(|l| accounts.contains(&l.account)).map(|l| l.amount).sum();
        if posted != want {
            let names: Vec<&str> = accounts.iter().map(|a| a.code()).collect();
            found.push(format!("the ledger says {posted} in {}, its history {want}", names.join("+")));
        }
    }

    fn capacity(&self, now: DateTime<Utc>, found: &mut Vec<String>) {
        let b = self.booking;
        let live = matches!(b.status, Status::Pending | Status::Assigned) && now < b.move_at;
        if live && !self.has_capacity {
            found.push("takes no capacity".into());
        }
        if matches!(b.status, Status::Cancelled | Status::Deleted) && self.has_capacity {
            found.push("still takes capacity".into());
        }
    }
}
