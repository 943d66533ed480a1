//! What staff did about the money of a booking, as its rows tell it: credits, money by hand, disputes, what was given up.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::Money;
use service::ports::{
    consents::{ConsentSubject, Standing},
    credits::{Credit, CreditKind},
    disputes::DisputeState,
    history::StatusChange,
    payments::{Attempt, AttemptState, Payment, PaymentKind},
};
use status_machine::{booking::Status, payment::State};

use super::{check, owed::totals};
use crate::{
    desk::named,
    facts::{BookingFacts, Facts},
};

type At = DateTime<Utc>;

impl BookingFacts {
    fn credits(&self, of_cancellation: bool) -> impl Iterator<Item = &Credit> {
        self.booking.details.credits.iter().filter(move |c| c.of_cancellation == of_cancellation && !c.ended)
    }

    /// What of the price was given back or waived; the price may have fallen below it since.
    pub fn credited(&self) -> Money {
        self.credits(false).map(|c| c.amount).sum::<Money>().min(self.booking.total)
    }

    /// What the move costs in the end.
    pub fn due(&self) -> Money {
        self.booking.total.minus(self.credited())
    }

    /// What a cancellation keeps, less what was given back of it.
    pub fn retained(&self) -> Money {
        let kept = self.booking.details.kept.unwrap_or_default();
        kept.minus(self.credits(true).map(|c| c.amount).sum::<Money>().min(kept))
    }

    pub fn written_off(&self) -> Money {
        self.booking.details.write_offs.iter().map(|w| w.amount).sum()
    }

    /// What it was before it was deleted: nothing is erased from the books.
    pub fn status(&self) -> Status {
        let before = || self.history.iter().rev().find(|h| h.to == Status::Deleted).and_then(|h| h.from);
        match self.booking.status {
            Status::Deleted => before().unwrap_or(Status::Deleted),
            status => status,
        }
    }

    /// Somebody of the desk touched its money.
    pub fn touched(&self) -> bool {
        let d = &self.booking.details;
        !d.credits.is_empty()
            || !d.overtime.is_empty()
            || !d.write_offs.is_empty()
            || !self.disputes.is_empty()
            || self.payments.iter().any(|p| p.method.is_by_hand() || p.is_void())
    }

    /// Such a refund says that a payment by hand was written down by mistake.
    pub fn is_taken_out(&self, refund: kernel::PaymentId) -> bool {
        self.entries.iter().any(|e| e.kind == "undone" && e.payment_id == Some(refund))
    }

    fn is_tip(&self, id: Option<kernel::PaymentId>) -> bool {
        self.payments.iter().any(|p| Some(p.id) == id && p.kind == PaymentKind::Tip)
    }

    /// In till and bank: what came by hand and was not handed back or taken out again.
    pub fn by_hand(&self, wanted: impl Fn(&Payment) -> bool) -> Money {
        let all = || self.payments.iter().filter(|p| p.method.is_by_hand() && p.settled_at.is_some() && wanted(p));
        let came: Money = all().filter(|p| p.kind.is_charge()).map(|p| p.amount).sum();
        came.minus(all().filter(|p| p.kind == PaymentKind::Refund).map(|p| p.amount).sum())
    }

    /// What the bank holds of charges that are disputed, or gave back of them.
    pub fn disputed(&self, state: DisputeState, of_tip: bool) -> Money {
        let of = |d: &&service::ports::disputes::Dispute| d.state == state && self.is_tip(Some(d.payment_id)) == of_tip;
        self.disputes.iter().filter(of).map(|d| d.amount).sum()
    }
}

/// What should be held of a booking that is to come, whose 48-hour instant is ahead, and that the desk touched: what was
/// taken, less what was given back, and never more than is due. None: its story does not say.
pub fn early(b: &BookingFacts) -> Option<Vec<Money>> {
    let back = |h: &service::ports::history::StatusChange| {
        matches!(h.from, Some(Status::Cancelled | Status::Deleted)) && h.to == Status::Pending
    };
    // A refund that ended with money that never came was given between two prices.
    if b.history.iter().any(back) || b.booking.details.credits.iter().any(|c| c.ended) {
        return None;
    }
    // What came first at one instant, the records do not say.
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let ways = [(false, false), (true, false), (false, true), (true, true)];
    Some(orders.iter().flat_map(|order| ways.map(|(all, waited)| replay(b, all, waited, *order))).collect())
}

/// `all`: also money of charges that were made before their time and are not the deposit. `waited`: what waited to be handed
/// back of money that was taken out again then was not held any more before.
fn replay(b: &BookingFacts, all: bool, waited: bool, order: [u8; 3]) -> Money {
    let [prices, moves, credits] = order;
    let mut steps: Vec<(At, u8, Step)> = Vec::new();
    for p in b.payments.iter().filter(|p| p.kind.is_charge() && p.kind != PaymentKind::Tip) {
        if p.method.is_by_hand() {
            steps.extend(p.settled_at.map(|at| (at, moves, Step::Moves(p.amount))));
            for back in b.payments.iter().filter(|r| r.refund_of == Some(p.id)) {
                if b.is_taken_out(back.id) {
                    let left_out = |r: &&Payment| r.refund_of == Some(p.id) && *r.state == State::Skipped;
                    let before: Money = b.payments.iter().filter(left_out).map(|r| r.amount).sum();
                    let gone = if waited { back.amount.minus(before).max(Money::ZERO) } else { back.amount };
                    steps.extend(back.settled_at.map(|at| (at, moves, Step::Moves(gone.negated()))));
                }
            }
        } else if all || p.kind == PaymentKind::Deposit {
            let applied = b.attempts.iter().filter(|a| a.payment_id == p.id && a.state == AttemptState::Applied);
            steps.extend(applied.map(|a| (a.resolved_at.unwrap_or(a.created_at), moves, Step::Moves(a.amount))));
        }
        // A charge that was undone before it settled.
        for back in b.payments.iter().filter(|r| r.refund_of == Some(p.id) && (r.is_void() || r.is_chargeback())) {
            if !matches!(*back.state, State::Skipped | State::Failed) && (all || p.kind == PaymentKind::Deposit) {
                steps.push((back.created_at, moves, Step::Moves(back.amount.negated())));
            }
        }
    }
    for credit in b.credits(false) {
        let back = if credit.kind == CreditKind::Refund { credit.amount } else { Money::ZERO };
        steps.push((credit.at, credits, Step::Credit(credit.amount, back)));
    }
    // The first is the price it was booked at.
    steps.extend(totals(b).into_iter().map(|(at, total)| (at, prices, Step::Price(total))));
    steps.sort_by_key(|(at, order, _)| (*at, *order));
    let (mut held, mut price, mut credited) = (Money::ZERO, b.booking.total, Money::ZERO);
    for (_, _, step) in steps {
        match step {
            Step::Moves(amount) => held = held.plus(amount),
            Step::Price(total) => price = total,
            Step::Credit(amount, back) => {
                credited = credited.plus(amount);
                // Of a charge that was refused since there is nothing to give back.
                held = held.minus(back).max(Money::ZERO);
            }
        }
        held = held.min(price.minus(credited.min(price)));
    }
    held
}

enum Step {
    Moves(Money),
    Price(Money),
    Credit(Money, Money),
}

/// Nothing was given twice, and nothing more than there was.
pub fn once(b: &BookingFacts) -> Result<(), String> {
    let mut given: BTreeMap<&str, At> = BTreeMap::new();
    for c in b.booking.details.credits.iter().filter(|c| !c.ended) {
        // A key is remembered for a day.
        let before = given.insert(&c.reason, c.at);
        let again = before.is_some_and(|at| c.at - at < chrono::Duration::hours(24));
        check(!again, || format!("{}: {} was given twice", b.name(), c.reason))?;
    }
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    // What was taken out again may be written down anew.
    let stands = |p: &&Payment| p.kind.is_charge() && p.method.is_by_hand() && *p.state != State::Refunded;
    for p in b.payments.iter().filter(stands) {
        *taken.entry(p.reference.as_deref().unwrap_or_default()).or_default() += 1;
    }
    let twice = taken.iter().find(|(_, n)| **n > 1);
    check(twice.is_none(), || format!("{}: {twice:?} was taken twice", b.name()))?;
    for charge in b.payments.iter().filter(|p| p.kind.is_charge() && p.settled_at.is_some()) {
        let of = |p: &&Payment| p.is_given_back() && p.refund_of == Some(charge.id);
        let gone: Money = b.payments.iter().filter(of).map(|p| p.amount).sum();
        check(gone <= charge.amount, || {
            format!("{}: {gone} goes back of a {} of {}", b.name(), charge.kind.code(), charge.amount)
        })?;
    }
    Ok(())
}

/// No card was charged for the move between a question and its yes, nor while it waits. What an edit was paid with that was
/// begun before arrives when it does.
pub fn asked_first(b: &BookingFacts) -> Result<(), String> {
    let d = &b.booking.details;
    let of_move = |a: &&Attempt| {
        let row = b.payments.iter().find(|p| p.id == a.payment_id);
        let counts = |p: &Payment| {
            p.kind.is_charge() && !matches!(p.kind, PaymentKind::Tip | PaymentKind::Overtime) && !p.method.is_by_hand()
        };
        row.is_some_and(counts) && !a.order_id.contains("-edit")
    };
    let recharge = d.consents.iter().filter(|c| matches!(c.about, ConsentSubject::Recharge { .. }));
    for c in recharge.filter(|c| c.standing == Standing::Agreed) {
        let between = |a: &&Attempt| a.created_at > c.asked_at && c.answered_at.is_some_and(|at| a.created_at < at);
        let early = b.attempts.iter().filter(of_move).find(between);
        check(early.is_none(), || format!("{}: {early:?} was charged before its customer agreed", b.name()))?;
    }
    if let Some(waits) = d.charges_wait {
        // What is at the gateway when a booking is taken back once more is waited for before anybody is asked.
        let asked = d.consents.iter().skip(waits.before).rfind(|c| matches!(c.about, ConsentSubject::Recharge { .. }));
        let back = |h: &&StatusChange| (h.from, h.to) == (Some(Status::Cancelled), Status::Pending);
        let since = asked.map(|c| c.asked_at).or_else(|| b.history.iter().rfind(back).map(|h| h.at));
        let early = b.attempts.iter().filter(of_move).find(|a| since.is_some_and(|at| a.created_at > at));
        check(early.is_none(), || format!("{}: {early:?} was charged while its customer was asked", b.name()))?;
    }
    Ok(())
}

/// What was acknowledged under this key stands there.
pub fn stands(b: &BookingFacts, key: u64) -> bool {
    let (d, name) = (&b.booking.details, named(key));
    d.credits.iter().any(|c| c.reason == name)
        || d.overtime.iter().any(|o| o.consent == name)
        || b.payments.iter().any(|p| p.reference.as_deref() == Some(&name))
}

/// Our books know of every dispute what the gateway says of it.
pub fn disputes(f: &Facts, b: &BookingFacts) -> Result<(), String> {
    for d in &b.disputes {
        let told = f.disputes.iter().find(|t| t.id == d.gateway_id);
        check(told.is_some_and(|t| (t.state, t.amount) == (d.state, d.amount)), || {
            format!("{}: {d:?} is {told:?} at the gateway", b.name())
        })?;
    }
    Ok(())
}
