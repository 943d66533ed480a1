//! One booking against its own history: what should be held, planned and posted, worked out anew
//! from statuses, payments and the policy, not from what settling believed.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use kernel::{Money, PaymentId};
use status_machine::{booking::Status, payment::State};

use super::{
    facts::{
        SETTLEMENT_DECLINED, captured, deposit_left, facts, in_flight, is_given_up, is_lock, is_of_tip, lock_at, open,
        refunded, returned, took, unasked,
    },
    ledger::{taxes_credited, taxes_inside},
    rows::charge_kind,
};
use crate::ports::{
    bookings::{Booking, StatusChange},
    disputes::{Dispute, DisputeState},
    facts::CHARGEBACK,
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
    /// Disputes of its charges.
    pub disputes: &'a [Dispute],
    /// Attempts that staff asked for, each by its payment and number.
    pub pressed: &'a [(PaymentId, i32)],
    /// It has capacity of its own.
    pub has_capacity: bool,
    /// A checkout of it is at the gateway.
    pub checkout_open: bool,
    /// How many mates are on it.
    pub crew: usize,
}

/// A due charge may wait this long for its worker before it counts as forgotten.
const FORGOTTEN: Duration = Duration::hours(2);

impl File<'_> {
    /// What differs, in words that begin with the booking's short id. Empty when all is well.
    pub fn differences(&self, now: DateTime<Utc>) -> Vec<String> {
        let mut found = Vec::new();
        self.one_deed_an_intent(&mut found);
        self.books(&mut found);
        self.disputed(&mut found);
        if !self.checkout_open && !self.rows.iter().any(in_flight) {
            self.held(&mut found);
            self.tip(&mut found);
            self.forgotten(now, &mut found);
            self.given_up_unseen(&mut found);
        }
        self.kept_by_policy(&mut found);
        self.tried_without_end(&mut found);
        self.capacity(now, &mut found);
        self.people(&mut found);
        found.into_iter().map(|text| format!("{}: {text}", self.booking.short_id)).collect()
    }

    /// The status before a deletion counts on: nothing is erased from the books.
    fn status(&self) -> Status {
        match self.booking.status {
            Status::Deleted => self
                .history
                .iter()
                .rev()
                .find(|h| h.to == Status::Deleted)
                .and_then(|h| h.from)
                .unwrap_or(Status::Deleted),
            status => status,
        }
    }

    fn done(&self) -> bool {
        matches!(self.status(), Status::Completed | Status::Invoiced | Status::Payed)
    }

    fn kept(&self) -> Money {
        if self.status() == Status::Cancelled { self.booking.retained() } else { Money::ZERO }
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
            let sent = !row.method.is_by_hand() && !row.is_chargeback();
            if row.settled_at.is_some() && of(AttemptState::Applied) == 0 && sent {
                found.push(format!("the {kind} of {} counts as made and no attempt says so", row.amount));
            }
        }
    }

    /// What is held and what is still asked for add up to what is owed.
    fn held(&self, found: &mut Vec<String>) {
        let net = captured(self.rows).minus(refunded(self.rows));
        // What a deposit did not bring is part of the 48-hour charge, while that is still to come.
        let lock_open = self.rows.iter().any(|r| is_lock(r) && open(r));
        let given_up = |r: &Payment| is_given_up(r) && !(r.kind == PaymentKind::Deposit && lock_open);
        let asked = |r: &&Payment| (open(r) || given_up(r)) && r.kind.is_charge() && r.kind != PaymentKind::Tip;
        let asked: Money = self.rows.iter().filter(asked).map(|r| r.amount).sum();
        let b = self.booking;
        let owed = match b.status {
            Status::Cancelled | Status::Deleted => b.retained(),
            _ => b.due(),
        };
        if b.details.paid_by.is_by_hand() {
            if net > owed || asked.is_positive() {
                found.push(format!("holds {net} and asks for {asked}, its history says {owed} at most, paid by hand"));
            }
            return;
        }
        // Once a booking was paid nothing more is asked for by itself; before, the plan adds up.
        // What people ask for, if anybody does, is asked for by nothing of ours.
        let unasked = unasked(b, self.rows).min(owed.minus(net).max(Money::ZERO));
        let adds_up = [asked, asked.plus(unasked)].iter().any(|asked| net.plus(*asked) == owed);
        // What the bank holds until it has decided can not go back.
        let held = self.disputes.iter().any(|d| d.state == DisputeState::Opened) && net > owed;
        let is_staffs = self.given_up() && net <= owed;
        if !(adds_up || held || is_staffs) {
            found.push(format!("holds {net} and asks for {asked}, its history says {owed}"));
        }
        let back = |charge: &Payment| -> Money {
            self.rows.iter().filter(|r| returned(r) && r.refund_of == Some(charge.id)).map(|r| r.amount).sum()
        };
        let kept = |r: &Payment| took(r) && r.amount.minus(back(r)).is_positive();
        // By hand the whole may be paid at any time.
        let by_itself = |r: &Payment| (is_lock(r) || r.kind == PaymentKind::Difference) && !r.method.is_by_hand();
        let early = |r: &&Payment| kept(r) && by_itself(r) && net.is_positive();
        if matches!(b.status, Status::Pending | Status::Assigned)
            && !b.details.lock_entered
            && let Some(row) = self.rows.iter().find(early)
            && net > b.due().share(b.details.policy.deposit)
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
        let back = |r: &&Payment| {
            r.kind == PaymentKind::Refund
                && is_of_tip(r, self.rows)
                && !matches!(*r.state, State::Failed | State::Skipped)
        };
        let back: Money = self.rows.iter().filter(back).map(|r| r.amount).sum();
        let held = charges.minus(back);
        let given = self.tip.filter(|t| t.is_paid).map_or(Money::ZERO, |t| t.amount);
        let owed = if matches!(self.booking.status, Status::Cancelled | Status::Deleted) { Money::ZERO } else { given };
        if held != owed && !(self.booking.status == Status::Deleted && held == given) {
            found.push(format!("holds a tip of {held}, {owed} was given"));
        }
    }

    fn forgotten(&self, now: DateTime<Utc>, found: &mut Vec<String>) {
        // What somebody hands back waits for them.
        for row in self.rows.iter().filter(|r| open(r) && !r.method.is_by_hand()) {
            match row.next_attempt_at {
                Some(at) if at + FORGOTTEN < now => {
                    found.push(format!(
                        "the {} of {} has been due since {}",
                        row.kind.code(),
                        row.amount,
                        at.to_rfc3339()
                    ));
                }
                // An untouched 48-hour charge is made at its instant, or when it was planned after that.
                Some(at)
                    if is_lock(row)
                        && row.attempts == 0
                        && at > now.max(lock_at(self.booking)).max(row.created_at) + FORGOTTEN =>
                {
                    found.push(format!(
                        "the {} of {} waits until {}, its day was {}",
                        row.kind.code(),
                        row.amount,
                        at.to_rfc3339(),
                        lock_at(self.booking).to_rfc3339()
                    ));
                }
                None => found.push(format!("the {} of {} waits for nothing", row.kind.code(), row.amount)),
                Some(_) => {}
            }
        }
    }

    /// What was given up is the staff's to see.
    fn given_up_unseen(&self, found: &mut Vec<String>) {
        if self.given_up() || self.booking.status == Status::Deleted {
            return;
        }
        // A deposit that was given up is part of the 48-hour charge.
        for row in self.rows.iter().filter(|r| is_given_up(r) && r.kind != PaymentKind::Deposit) {
            found.push(format!("the {} of {} was given up and nobody is told", row.kind.code(), row.amount));
        }
    }

    /// The ladder of the policy, once a card.
    fn tried_without_end(&self, found: &mut Vec<String>) {
        for row in self.rows {
            let Some(kind) = charge_kind(row.kind) else { continue };
            let most = policy::ladder(&self.booking.details.policy, kind).len();
            let mut tries: BTreeMap<&str, usize> = BTreeMap::new();
            let refused = |a: &&Attempt| a.payment_id == row.id && a.state == AttemptState::Declined;
            for attempt in self.attempts.iter().filter(refused) {
                if !refused_at_settlement(attempt) {
                    *tries.entry(&attempt.method_id).or_default() += 1;
                }
            }
            let pressed = self.pressed.iter().filter(|(id, _)| *id == row.id).count();
            if let Some(n) = tries.into_values().find(|n| *n > most + pressed) {
                let kind = row.kind.code();
                found.push(format!(
                    "the {kind} of {} was refused {n} times by one card, {most} are allowed",
                    row.amount
                ));
            }
        }
    }

    /// What a cancellation kept is what the policy gives at its instant.
    fn kept_by_policy(&self, found: &mut Vec<String>) {
        let b = self.booking;
        let kept = b.details.kept.unwrap_or(Money::ZERO);
        let Some(at) = b.cancelled_at.filter(|_| self.status() == Status::Cancelled) else { return };
        let row = self.history.iter().rev().find(|h| h.to == Status::Cancelled);
        let by_staff = row.is_some_and(|h| matches!(h.role.as_str(), "ops" | "admin"));
        let right = match b.details.cancelled_by.as_deref() {
            Some("company") => vec![Money::ZERO],
            // The ladder ended: what was captured until then, whatever it was; the bank may have refused
            // that since.
            Some("system") if self.attempts.iter().any(refused_at_settlement) => return,
            Some("system") => self.captured_by(at),
            // Staff may give up what the policy would keep.
            _ if by_staff => [self.policy_keeps(at), vec![Money::ZERO]].concat(),
            _ => self.policy_keeps(at),
        };
        if !right.contains(&kept) {
            let right: Vec<String> = right.iter().map(ToString::to_string).collect();
            found.push(format!("kept {kept} of its cancellation, the policy gives {}", right.join(" or ")));
        }
    }

    /// One answer; several while the deposit was at the gateway.
    fn policy_keeps(&self, at: DateTime<Utc>) -> Vec<Money> {
        let b = self.booking;
        let of_deposit = |a: &&Attempt| {
            (a.state == AttemptState::Applied || refused_at_settlement(a))
                && a.created_at <= at
                && self.rows.iter().any(|r| r.id == a.payment_id && r.kind == PaymentKind::Deposit)
        };
        let deposits: Vec<&Attempt> = self.attempts.iter().filter(of_deposit).collect();
        let known = deposits.iter().any(|a| a.resolved_at.is_some_and(|known| known < at) && a.code.is_none());
        let with = |deposit_captured| {
            let f = policy::Facts { deposit_captured, ..facts(b, &[]) };
            policy::cancellation(&b.details.policy, &f, at, policy::CancelledBy::Customer, false).kept
        };
        let mut keeps: Vec<Money> = deposits.iter().map(|a| with(Some(deposit_left(b, a.amount)))).collect();
        if !known {
            keeps.push(with(None));
        }
        keeps.sort();
        keeps.dedup();
        keeps
    }

    /// What was held at an instant; refunds decided at that very instant may count or not.
    fn captured_by(&self, at: DateTime<Utc>) -> Vec<Money> {
        let took: Vec<Payment> = self.rows.iter().filter(|r| r.settled_at.is_some_and(|t| t <= at)).cloned().collect();
        let promised = |r: &&Payment| returned(r) && !is_of_tip(r, self.rows);
        let back = |until: &dyn Fn(DateTime<Utc>) -> bool| -> Money {
            self.rows.iter().filter(promised).filter(|r| until(r.created_at)).map(|r| r.amount).sum()
        };
        let taken = captured(&took);
        vec![taken.minus(back(&|t| t < at)), taken.minus(back(&|t| t <= at))]
    }

    /// Who comes, and what was charged because somebody did.
    fn people(&self, found: &mut Vec<String>) {
        let (b, crew) = (self.booking, self.crew);
        let gone = matches!(b.status, Status::Pending | Status::Cancelled | Status::Deleted);
        if b.status == Status::Assigned && crew == 0 {
            found.push("is assigned and nobody is on its crew".into());
        }
        if gone && crew > 0 {
            found.push(format!("is {} and still takes {crew} mates", b.status));
        }
        let fees = b.details.change_fees;
        if fees.is_positive() && !self.history.iter().any(|h| h.to == Status::Assigned) {
            found.push(format!("a change fee of {fees} although nobody was ever assigned"));
        }
    }

    /// The ledger as statuses and payments say it must be, account by account.
    fn books(&self, found: &mut Vec<String>) {
        let settled = |r: &&Payment| r.settled_at.is_some();
        let sum = |keep: &dyn Fn(&Payment) -> bool| -> Money {
            self.rows.iter().filter(settled).filter(|r| keep(r)).map(|r| r.amount).sum()
        };
        let refund = |r: &Payment| r.kind == PaymentKind::Refund;
        let tips = sum(&|r| r.kind == PaymentKind::Tip).minus(sum(&|r| refund(r) && is_of_tip(r, self.rows)));
        let moves = sum(&|r| r.kind.is_charge() && r.kind != PaymentKind::Tip)
            .minus(sum(&|r| refund(r) && !is_of_tip(r, self.rows)));
        let (b, done, kept) = (self.booking, self.done(), self.kept());
        let inside = taxes_inside(b, kept);
        let kept_tax: Money = inside.iter().map(|t| t.1).sum();
        let waived = taxes_credited(b);
        let waived_tax: Money = waived.iter().map(|t| t.1).sum();
        let revenue = b.amount.minus(b.credited().minus(waived_tax));
        let tax = |account: Account| -> Money {
            let completed: Money = if done {
                let full: Money = b
                    .details
                    .taxes
                    .iter()
                    .filter(|t| super::ledger::tax_account(t.name) == account)
                    .map(|t| t.amount)
                    .sum();
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
            self.account(&[account], came.minus(went).minus(kept), found);
        }
        self.account(&[Account::Disputes], disputed, found);
        self.account(&[Account::Fees], fees, found);
        self.account(&[Account::WriteOff], b.written_off(), found);
        self.account(&[Account::TipsPayable], tips.negated(), found);
        self.account(&[Account::Revenue], if done { revenue.negated() } else { Money::ZERO }, found);
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

    /// Each dispute as its charge has it: while it is open the bank holds that, and what was lost went back once.
    fn disputed(&self, found: &mut Vec<String>) {
        for d in self.disputes {
            let reference = format!("{CHARGEBACK}{}", d.gateway_id);
            let back: Money =
                self.rows.iter().filter(|r| r.reference.as_ref() == Some(&reference)).map(|r| r.amount).sum();
            let lost = if d.state == DisputeState::Lost { d.amount } else { Money::ZERO };
            if back != lost {
                found.push(format!("a dispute of {} is {}, {back} went back for it", d.amount, d.state.code()));
            }
            let charge = self.rows.iter().find(|r| r.id == d.payment_id);
            let held = charge.is_some_and(|r| *r.state == State::ChargedBack);
            if !held && d.state != DisputeState::Won {
                found.push(format!("a dispute of {} is {}, its charge does not say so", d.amount, d.state.code()));
            }
        }
        let of = |row: &Payment| self.disputes.iter().any(|d| d.payment_id == row.id && d.state != DisputeState::Won);
        for row in self.rows.iter().filter(|r| *r.state == State::ChargedBack && !of(r)) {
            found.push(format!("the {} of {} counts as disputed and no dispute says so", row.kind.code(), row.amount));
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

/// It had been taken before.
fn refused_at_settlement(attempt: &Attempt) -> bool {
    attempt.code.as_deref() == Some(SETTLEMENT_DECLINED)
}
