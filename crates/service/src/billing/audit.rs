//! One booking against its own history: what should be held, planned and posted, worked out anew
//! from statuses, payments and the policy, not from what settling believed.

mod accounts;
mod alone;
mod entries;
mod named;
mod witnesses;

pub(super) use named::{kind_in, lacks, made_by};
pub(super) use witnesses::{doubled, reversal_of_lone_entry, right, state_by_witnesses};

use std::{borrow::Cow, collections::BTreeMap};

use chrono::{DateTime, Duration, Utc};
use kernel::{Money, PaymentId};
use status_machine::{Role, booking::Status, payment::State};

use super::{
    apart::asked_by_people_only,
    difference::{Difference, DifferenceKind},
    facts::{
        SETTLEMENT_DECLINED, came_before, captured, day_of, deposit_left, facts, in_flight, is_given_up, is_lock,
        is_of_tip, is_undone, open, refunded, returned, took, waits_for_consent,
    },
    rows::charge_kind,
};
use crate::ports::{
    bookings::Booking,
    books::BookingFile,
    cancelled::CancelledBy,
    consents::ChargesWait,
    disputes::{Dispute, DisputeState},
    history::StatusChange,
    ledger::Entry,
    payments::{Attempt, AttemptState, Payment, PaymentKind},
    tips::{Tip, TipKind},
};

/// Everything that is on record about one booking's money.
pub struct File<'a> {
    /// As the program last wrote it.
    booking: Cow<'a, Booking>,
    history: &'a [StatusChange],
    /// As they should be by what their witnesses say.
    rows: Vec<Payment>,
    /// Where a stored row, or the booking's record, is not.
    odd: Vec<DifferenceKind>,
    all: &'a BookingFile,
    attempts: &'a [Attempt],
    entries: &'a [Entry],
    tip: Option<&'a Tip>,
    disputes: &'a [Dispute],
    /// Attempts that staff asked for, each by its payment and number.
    pressed: &'a [(PaymentId, i32)],
    has_capacity: bool,
    checkout_open: bool,
    crew: usize,
}

/// A due charge may wait this long for its worker before it counts as forgotten.
const FORGOTTEN: Duration = Duration::hours(2);

impl<'a> File<'a> {
    /// To be read.
    pub fn of(file: &'a BookingFile) -> File<'a> {
        let (rows, mut odd) = witnesses::rows(file);
        let (booking, misread) = named::record(file);
        odd.extend(misread);
        odd.extend(lost_rows(file));
        File {
            booking,
            history: &file.history,
            rows,
            odd,
            all: file,
            attempts: &file.attempts,
            entries: &file.entries,
            tip: file.tip.as_ref(),
            disputes: &file.disputes,
            pressed: &file.pressed,
            has_capacity: file.has_capacity,
            checkout_open: file.checkout_open,
            crew: file.crew,
        }
    }

    /// What differs. Empty when all is well.
    pub fn differences(&self, now: DateTime<Utc>) -> Vec<Difference> {
        let mut found = Vec::new();
        self.unbalanced(&mut found);
        found.extend(self.odd.iter().cloned());
        found.extend(doubled(self.all).into_iter().map(|(what, _)| what));
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
        let (subject, booking) = (self.booking.short_id.to_string(), Some(self.booking.id));
        let mut all: Vec<Difference> =
            found.into_iter().map(|what| Difference { subject: subject.clone(), booking, what }).collect();
        all.extend(self.unposted());
        all
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

    fn one_deed_an_intent(&self, found: &mut Vec<DifferenceKind>) {
        for row in &self.rows {
            let of = |state: AttemptState| {
                self.attempts.iter().filter(|a| a.payment_id == row.id && a.state == state).count()
            };
            let (charge, amount) = (row.kind, row.amount);
            if of(AttemptState::Applied) > 1 {
                found.push(DifferenceKind::MadeTwice { charge, amount, many: of(AttemptState::Applied) });
            }
            if of(AttemptState::Sent) > usize::from(in_flight(row)) {
                found.push(DifferenceKind::UnderWay { charge, amount });
            }
            let sent = !row.method.is_by_hand() && !row.is_chargeback();
            if row.settled_at.is_some() && of(AttemptState::Applied) == 0 && sent {
                found.push(DifferenceKind::MadeUnsaid { charge, amount });
            }
        }
    }

    /// What is held and what is still asked for add up to what is owed.
    fn held(&self, found: &mut Vec<DifferenceKind>) {
        let net = captured(&self.rows).minus(refunded(&self.rows));
        // What a deposit did not bring is part of the 48-hour charge, while that is still to come.
        let lock_open = self.rows.iter().any(|r| is_lock(r) && open(r));
        let given_up = |r: &Payment| is_given_up(r) && !(r.kind == PaymentKind::Deposit && lock_open);
        let asked = |r: &&Payment| (open(r) || given_up(r)) && r.kind.is_charge() && r.kind != PaymentKind::Tip;
        let asked: Money = self.rows.iter().filter(asked).map(|r| r.amount).sum();
        let b = &*self.booking;
        let owed = match b.status {
            Status::Deleted if self.done() => b.due(),
            Status::Cancelled | Status::Deleted => b.retained(),
            _ => b.due(),
        };
        if b.details.paid_by.is_by_hand() {
            if net > owed || asked.is_positive() {
                found.push(DifferenceKind::HeldByHand { net, asked, owed });
            }
            return;
        }
        // Once a booking was paid nothing more is asked for by itself; before, the plan adds up.
        // What people ask for, if anybody does, is asked for by nothing of ours.
        let unasked = asked_by_people_only(b, &self.rows).min(owed.minus(net).max(Money::ZERO));
        let adds_up = [asked, asked.plus(unasked)].iter().any(|asked| net.plus(*asked) == owed);
        // What the bank holds until it has decided can not go back.
        let held = self.disputes.iter().any(|d| d.state == DisputeState::Opened) && net > owed;
        // A refund that the gateway or the bank refused is the staff's as well: it stands on the list of failed charges.
        let refused = |r: &&Payment| r.kind == PaymentKind::Refund && is_given_up(r) && !is_of_tip(r, &self.rows);
        let refused: Money = self.rows.iter().filter(refused).map(|r| r.amount).sum();
        let is_staffs = self.given_up() && net.minus(refused) <= owed;
        if !(adds_up || held || is_staffs) {
            found.push(DifferenceKind::Held { net, asked, owed });
        }
        let back = |charge: &Payment| -> Money {
            self.rows.iter().filter(|r| returned(r) && r.refund_of == Some(charge.id)).map(|r| r.amount).sum()
        };
        let kept = |r: &Payment| took(r) && r.amount.minus(back(r)).is_positive();
        // By hand the whole may be paid at any time.
        // So may what is owed by a link.
        let by_people = |r: &Payment| r.method.is_by_hand() || r.is_by_link();
        let by_itself = |r: &Payment| (is_lock(r) || r.kind == PaymentKind::Difference) && !by_people(r);
        let early = |r: &&Payment| kept(r) && by_itself(r) && net.is_positive();
        if matches!(b.status, Status::Pending | Status::Assigned)
            && !b.details.lock_entered
            && let Some(row) = self.rows.iter().find(early)
            && net > b.due().share(b.details.policy.deposit)
        {
            found.push(DifferenceKind::Early { charge: row.kind, amount: row.amount });
        }
    }

    /// Released for want of payment: what was captured is kept, the rest is the staff's.
    fn given_up(&self) -> bool {
        self.booking.details.payment_problem
    }

    fn tip(&self, found: &mut Vec<DifferenceKind>) {
        let charges: Money = self.rows.iter().filter(|r| took(r) && r.kind == PaymentKind::Tip).map(|r| r.amount).sum();
        let back = |r: &&Payment| {
            r.kind == PaymentKind::Refund
                && is_of_tip(r, &self.rows)
                && !matches!(*r.state, State::Failed | State::Skipped)
        };
        let back: Money = self.rows.iter().filter(back).map(|r| r.amount).sum();
        let held = charges.minus(back);
        let given = self.tip.filter(|t| t.is_paid).map_or(Money::ZERO, |t| t.amount);
        let owed = if matches!(self.booking.status, Status::Cancelled | Status::Deleted) { Money::ZERO } else { given };
        if held != owed && !(self.booking.status == Status::Deleted && held == given) {
            found.push(DifferenceKind::Tip { held, owed });
        }
        self.tip_to_come(found);
    }

    /// A tip that nobody was charged for yet is what its giver said, and asks for just that. A share that was at the payment
    /// service while its price changed does not follow, and counts as what it is.
    fn tip_to_come(&self, found: &mut Vec<DifferenceKind>) {
        let planned = |r: &&Payment| open(r) && r.kind == PaymentKind::Tip;
        let asked: Money = self.rows.iter().filter(planned).map(|r| r.amount).sum();
        let Some(tip) = self.tip else {
            // Its charge is planned only where a tip was given: somebody deleted that.
            if asked.is_positive() {
                found.push(DifferenceKind::TipAsked { asked, given: Money::ZERO });
            }
            return;
        };
        if tip.is_paid {
            return;
        }
        let given = tip.given(self.booking.amount).filter(|_| tip.kind == TipKind::Amount).unwrap_or(tip.amount);
        if given != tip.amount {
            found.push(DifferenceKind::TipReads { reads: tip.amount, given });
        }
        let never = self.done() && !self.rows.iter().any(|r| r.kind == PaymentKind::Tip && *r.state != State::Skipped);
        if (asked.is_positive() || never) && asked != given {
            found.push(DifferenceKind::TipAsked { asked, given });
        }
    }

    fn forgotten(&self, now: DateTime<Utc>, found: &mut Vec<DifferenceKind>) {
        // What somebody hands back waits for them, and what the customer was asked about for their answer.
        let waits = |r: &Payment| r.method.is_by_hand() || waits_for_consent(&self.booking, r);
        for row in self.rows.iter().filter(|r| open(r) && !waits(r)) {
            match row.next_attempt_at {
                Some(at) if at + FORGOTTEN < now => {
                    found.push(DifferenceKind::Overdue { charge: row.kind, amount: row.amount, since: at });
                }
                // An untouched charge is made on its day, and not before.
                Some(at) if row.kind.is_charge() && row.attempts == 0 => {
                    let day = day_of(&self.booking, row);
                    let moved = |at: &DateTime<Utc>| *at > now.max(day) + FORGOTTEN || *at + FORGOTTEN < day;
                    if let Some(until) = [at, row.due_at].into_iter().find(moved) {
                        found.push(DifferenceKind::PutOff { charge: row.kind, amount: row.amount, until, day });
                    }
                }
                None => found.push(DifferenceKind::Waits { charge: row.kind, amount: row.amount }),
                Some(_) => {}
            }
        }
    }

    /// What was given up is the staff's to see.
    fn given_up_unseen(&self, found: &mut Vec<DifferenceKind>) {
        if self.given_up() || self.booking.status == Status::Deleted {
            return;
        }
        // A deposit that was given up is part of the 48-hour charge, and a tip is owed by nobody.
        let seen = |r: &Payment| matches!(r.kind, PaymentKind::Deposit | PaymentKind::Tip);
        for row in self.rows.iter().filter(|r| is_given_up(r) && !seen(r)) {
            found.push(DifferenceKind::Unseen { charge: row.kind, amount: row.amount });
        }
    }

    /// The ladder of the policy, once a card.
    fn tried_without_end(&self, found: &mut Vec<DifferenceKind>) {
        for row in &self.rows {
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
                found.push(DifferenceKind::Endless { charge: row.kind, amount: row.amount, many: n, most });
            }
        }
    }

    /// What a cancellation kept is what the policy gives at its instant.
    fn kept_by_policy(&self, found: &mut Vec<DifferenceKind>) {
        let b = &*self.booking;
        let kept = b.details.kept.unwrap_or(Money::ZERO);
        let Some(at) = b.cancelled_at.filter(|_| self.status() == Status::Cancelled) else { return };
        let row = self.history.iter().rev().find(|h| h.to == Status::Cancelled);
        let by_staff = row.is_some_and(|h| h.role.is_some_and(Role::is_staff));
        let right = match b.details.cancelled_by {
            Some(CancelledBy::Company) => vec![Money::ZERO],
            // The ladder ended: what was captured until then, whatever it was; the bank may have refused
            // that since.
            Some(CancelledBy::System) if self.attempts.iter().any(refused_at_settlement) => return,
            Some(CancelledBy::System) => self.captured_by(at),
            // Staff may give up what the policy would keep.
            _ if by_staff => [self.policy_keeps(at), vec![Money::ZERO]].concat(),
            _ => self.policy_keeps(at),
        };
        let right = match b.details.charges_wait {
            Some(waits) => self.kept_while_asked(at, waits, &right),
            None => right,
        };
        if !right.contains(&kept) {
            found.push(DifferenceKind::Kept { kept, right });
        }
    }

    /// Cancelled before its customer agreed to be charged again: no more is kept than was held, and where it was the
    /// program that cancelled no more than the cancellation before had kept.
    fn kept_while_asked(&self, at: DateTime<Utc>, waits: ChargesWait, right: &[Money]) -> Vec<Money> {
        let by_program = self.booking.details.cancelled_by == Some(CancelledBy::System);
        let held = self.captured_by(at);
        let most = |right: &Money| {
            let right = if by_program { waits.kept.min(*right) } else { *right };
            held.iter().map(move |held| (*held).max(Money::ZERO).min(right)).collect::<Vec<_>>()
        };
        right.iter().flat_map(most).collect()
    }

    /// One answer; several while the deposit was at the gateway.
    fn policy_keeps(&self, at: DateTime<Utc>) -> Vec<Money> {
        let b = &*self.booking;
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
        // What came by hand before is part of the deposit. What was handed back at that very instant may count or not.
        let taken = |a: &&Attempt| {
            let came = |until| came_before(b, &self.rows, a.resolved_at.unwrap_or(at), until);
            [at - Duration::microseconds(1), at].map(|until| a.amount.plus(came(until)))
        };
        let mut keeps: Vec<Money> =
            deposits.iter().flat_map(taken).map(|taken| with(Some(deposit_left(b, taken)))).collect();
        let undone = self.rows.iter().any(|r| r.kind == PaymentKind::Deposit && is_undone(&self.rows, r));
        if !known || undone {
            keeps.push(with(None));
        }
        keeps.sort();
        keeps.dedup();
        keeps
    }

    /// What was held at an instant; refunds decided at that very instant may count or not.
    fn captured_by(&self, at: DateTime<Utc>) -> Vec<Money> {
        let took: Vec<Payment> = self.rows.iter().filter(|r| r.settled_at.is_some_and(|t| t <= at)).cloned().collect();
        let promised = |r: &&Payment| returned(r) && !is_of_tip(r, &self.rows);
        let back = |until: &dyn Fn(DateTime<Utc>) -> bool| -> Money {
            self.rows.iter().filter(promised).filter(|r| until(r.created_at)).map(|r| r.amount).sum()
        };
        let taken = captured(&took);
        vec![taken.minus(back(&|t| t < at)), taken.minus(back(&|t| t <= at))]
    }

    /// Who comes, and what was charged because somebody did.
    fn people(&self, found: &mut Vec<DifferenceKind>) {
        let (b, crew) = (&*self.booking, self.crew);
        let gone = matches!(b.status, Status::Pending | Status::Cancelled | Status::Deleted);
        if b.status == Status::Assigned && crew == 0 {
            found.push(DifferenceKind::CrewMissing);
        }
        if gone && !self.done() && crew > 0 {
            found.push(DifferenceKind::CrewLeft { status: b.status.code().to_owned(), many: crew });
        }
        let fees = b.details.change_fees;
        if fees.is_positive() && !self.history.iter().any(|h| h.to == Status::Assigned) {
            found.push(DifferenceKind::Fee { amount: fees });
        }
    }

    fn capacity(&self, now: DateTime<Utc>, found: &mut Vec<DifferenceKind>) {
        let b = &*self.booking;
        let live = matches!(b.status, Status::Pending | Status::Assigned) && now < b.move_at;
        if live && !self.has_capacity {
            found.push(DifferenceKind::CapacityMissing);
        }
        // What was done keeps its time and who did it, also when it is tidied away.
        if matches!(b.status, Status::Cancelled | Status::Deleted) && !self.done() && self.has_capacity {
            found.push(DifferenceKind::CapacityLeft);
        }
    }
}

/// Rows that somebody deleted and that were rebuilt ([`super::lost`]).
pub(super) fn lost_rows(file: &BookingFile) -> Vec<DifferenceKind> {
    let of = |row: &Payment| DifferenceKind::RowLost {
        payment: row.id,
        charge: row.kind,
        amount: row.amount,
        order: named::made_by(file, row).map(|a| a.order_id.clone()),
    };
    file.rows.iter().filter(|r| file.lost.contains(&r.id)).map(of).collect()
}

/// It had been taken before.
fn refused_at_settlement(attempt: &Attempt) -> bool {
    attempt.code.as_deref() == Some(SETTLEMENT_DECLINED)
}
