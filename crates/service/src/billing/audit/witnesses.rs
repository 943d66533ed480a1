//! What each row of a charge or refund should say, by those who saw its money move.
//!
//! Three witnesses know of a movement independently of each other: the payment service's own list, the ledger, whose
//! entries nobody can change, and the row. Two that agree outweigh the third, and the third is put right:
//!
//! - service and ledger against the row: the row is made to say what they say ([`DifferenceKind::RowAmount`], [`DifferenceKind::RowUnmarked`]);
//! - a row that says it took money, of which neither of the others knows: the row waits again ([`DifferenceKind::RowMarked`]);
//! - service and row against the ledger: the entry that is missing is posted, the one that is too many is turned around;
//! - ledger and order id against what a row says whose it is, what for and how it was paid ([`DifferenceKind::RowReads`], `named.rs`);
//! - ledger and transaction against the order id of an attempt, order id against the kind of an entry (`misnamed.rs`);
//! - a transaction of the service that neither ledger nor row knows goes back, or is written down where it is a refund.
//!
//! The attempt is no witness of its own: it ties the three together by its order id. By hand there is no service; there the
//! ledger outweighs the row, because an entry cannot be changed afterwards. One that is gone is posted again where the audit trail
//! tells of it (`by_trail.rs`), one whose lines were changed is balanced by another (`balanced.rs`). One against one with nothing else is a
//! person's to decide.
//!
//! Everything else about the booking is judged by the rows as they should be, so that one fault is told once, and no repair
//! moves money because somebody changed a row.

use chrono::{DateTime, Utc};
use kernel::{Money, PaymentId};
use status_machine::{At, payment::State};

use super::{
    super::{difference::DifferenceKind, facts::MADE, ledger},
    alone::marked_alone,
    named::named,
};
use crate::ports::{
    books::BookingFile,
    disputes::Dispute,
    facts::CHARGEBACK,
    ledger::{Entry, EntryLine},
    payments::{Attempt, AttemptState, Payment, PaymentKind},
};

/// What the ledger and the payment intent record about a row's money.
struct WitnessedMoney {
    amount: Money,
    at: DateTime<Utc>,
    /// Under which the payment service made it; none by hand.
    order: Option<String>,
    transaction: Option<String>,
}

/// The rows of a booking as they should be, and what differs from how they are stored.
pub(super) fn rows(file: &BookingFile) -> (Vec<Payment>, Vec<DifferenceKind>) {
    let (file, mut odd) = named(file);
    let file = file.as_ref();
    let rows = file.rows.iter().map(|row| as_it_should(file, row, &mut odd)).collect();
    (rows, odd)
}

/// How the row that a difference names should be; none when it is as it should be, or not of this booking.
pub(in crate::billing) fn right(file: &BookingFile, what: &DifferenceKind) -> Option<Payment> {
    let (file, misnamed) = named(file);
    let file = file.as_ref();
    if let DifferenceKind::RowReads { payment, named, .. } = what
        && named.right.is_some()
    {
        return file.rows.iter().find(|r| r.id == *payment && misnamed.contains(what)).cloned();
    }
    file.rows.iter().find_map(|row| {
        let mut odd = Vec::new();
        let right = as_it_should(file, row, &mut odd);
        odd.contains(what).then_some(right)
    })
}

/// Entries of a row beyond those of its money, and what would turn the newest of them around.
pub(in crate::billing) fn doubled(file: &BookingFile) -> Vec<(DifferenceKind, Vec<EntryLine>)> {
    let (file, _) = named(file);
    let file = file.as_ref();
    let of_row = |row: &Payment| {
        let own = facts(file, row);
        // Its attempt is not on record any more, or was changed, which is told by itself: one entry is of that.
        let applied = |a: &Attempt| a.payment_id == row.id && a.state == AttemptState::Applied;
        let unsaid = !row.method.is_by_hand() && !file.attempts.iter().any(applied);
        let more: Vec<&Entry> = file
            .entries
            .iter()
            .filter(|e| e.is_balanced())
            .filter(|e| e.payment_id == Some(row.id) && ["capture", "tip", "refund"].contains(&e.kind.as_str()))
            .filter(|e| !own.contains(&e.fact_key))
            .skip(usize::from(unsaid))
            .collect();
        let turned = file.entries.iter().filter(|e| ledger::turns_around(e, row.id));
        let entry = more.get(turned.count())?;
        let what = DifferenceKind::EntryTwice { payment: row.id, charge: row.kind, amount: entry.debited() };
        Some((what, ledger::opposite(entry)))
    };
    file.rows.iter().filter_map(of_row).collect()
}

/// Every fact that a row may have been posted as.
fn facts(file: &BookingFile, row: &Payment) -> Vec<String> {
    let word = ledger::word(row.kind);
    let attempts = file.attempts.iter().filter(|a| a.payment_id == row.id);
    let by_card = attempts.map(|a| format!("{word}:{}", a.order_id));
    by_card.chain([format!("{word}:by-hand:{}", row.id)]).collect()
}

/// The entry of a fact with what corrected it. One that does not balance is no witness.
fn posted(file: &BookingFile, fact: &str) -> Option<Entry> {
    let entry = file.entries.iter().find(|e| e.fact_key == fact && e.is_balanced())?;
    Some(ledger::amended(entry, &file.entries))
}

fn witnessed_money(file: &BookingFile, row: &Payment) -> Option<WitnessedMoney> {
    let word = ledger::word(row.kind);
    let applied: Vec<&Attempt> =
        file.attempts.iter().filter(|a| a.payment_id == row.id && a.state == AttemptState::Applied).collect();
    match applied.as_slice() {
        [made] => {
            let entry = posted(file, &format!("{word}:{}", made.order_id)).filter(|e| e.debited() == made.amount)?;
            Some(WitnessedMoney {
                amount: made.amount,
                at: made.resolved_at.unwrap_or(entry.at),
                order: Some(made.order_id.clone()),
                transaction: made.transaction_id.clone(),
            })
        }
        [] => {
            let back = row.reference.as_deref().and_then(|r| r.strip_prefix(CHARGEBACK));
            let facts = [
                Some(format!("{word}:by-hand:{}", row.id)),
                (word == "refund").then(|| format!("undone:{}", row.id)),
                back.filter(|_| word == "refund").map(|dispute| format!("dispute_lost:{dispute}")),
            ];
            match facts.into_iter().flatten().find_map(|fact| posted(file, &fact)) {
                Some(entry) => {
                    Some(WitnessedMoney { amount: entry.debited(), at: entry.at, order: None, transaction: None })
                }
                None => by_ledger(file, row),
            }
        }
        _ => None,
    }
}

/// The only entry of a row's money at the payment service, while no attempt says that it was made: somebody took the attempt
/// away, or changed it. None where the money went back, or was not made after all.
fn alone_in_ledger<'a>(file: &'a BookingFile, row: &Payment) -> Option<(&'a Entry, &'a str)> {
    let word = if row.kind == PaymentKind::Refund { "refund:" } else { "capture:" };
    let own = || file.entries.iter().filter(|e| e.payment_id == Some(row.id) && e.is_balanced());
    if own().any(|e| ledger::TAKEN_BACK.contains(&e.kind.as_str()) || ledger::turns_around(e, row.id)) {
        return None;
    }
    let mut made = own().filter_map(|e| Some((e, e.fact_key.strip_prefix(word)?)));
    let only = made.next().filter(|(_, order)| !order.starts_with("by-hand:"));
    only.filter(|_| made.next().is_none())
}

fn by_ledger(file: &BookingFile, row: &Payment) -> Option<WitnessedMoney> {
    let (entry, order) = alone_in_ledger(file, row)?;
    let amount = ledger::amended(entry, &file.entries).debited();
    amount.is_positive().then(|| WitnessedMoney {
        amount,
        at: entry.at,
        order: Some(order.to_owned()),
        transaction: None,
    })
}

/// The lines that reverse an entry which is the only witness of a row's money: the payment service does not know of it.
pub(in crate::billing) fn reversal_of_lone_entry(file: &BookingFile, payment: PaymentId) -> Option<Vec<EntryLine>> {
    let (file, _) = named(file);
    let row = file.rows.iter().find(|r| r.id == payment)?;
    if file.attempts.iter().any(|a| a.payment_id == payment && a.state == AttemptState::Applied) {
        return None;
    }
    let (entry, _) = alone_in_ledger(file.as_ref(), row)?;
    Some(ledger::opposite(entry))
}

fn as_it_should(file: &BookingFile, row: &Payment, odd: &mut Vec<DifferenceKind>) -> Payment {
    let mut right = row.clone();
    let (payment, charge, amount) = (row.id, row.kind, row.amount);
    let state = row.state.code().to_owned();
    let Some(seen) = witnessed_money(file, row) else {
        if marked_alone(file, row) {
            odd.push(DifferenceKind::RowMarked { payment, charge, amount, state });
            wait_again(&mut right);
        }
        return right;
    };
    if seen.amount != amount {
        odd.push(DifferenceKind::RowAmount { payment, charge, amount, made: seen.amount, order: seen.order.clone() });
        right.amount = seen.amount;
    }
    let should = state_by_witnesses(file, &right);
    let disputed = file.disputes.iter().any(|d: &Dispute| d.payment_id == row.id);
    // A charge that counts as disputed without a dispute is reported separately.
    let open = disputed || *row.state == State::ChargedBack;
    let agrees = open
        || match *row.state {
            State::Refunded | State::PartiallyRefunded => {
                *row.state == should || *row.state == state_by_witnesses_and_row(file, &right, true)
            }
            _ => should == State::Settled,
        };
    if row.settled_at.is_none() || !agrees || !MADE.contains(&*row.state) {
        odd.push(DifferenceKind::RowUnmarked { payment, charge, amount, state, order: seen.order });
        // Past the table: the record was changed past it before.
        right.state = At::stored(if open && MADE.contains(&*row.state) { *row.state } else { should });
        right.settled_at = row.settled_at.or(Some(seen.at));
        right.transaction_id = seen.transaction.or(right.transaction_id);
        right.next_attempt_at = None;
    }
    right
}

/// The state of a row whose money moved, by its witnesses: settled, until some of it went back.
pub(in crate::billing) fn state_by_witnesses(file: &BookingFile, row: &Payment) -> State {
    state_by_witnesses_and_row(file, row, false)
}

/// The same; with `unseen` also what only its row says was handed back or taken out counts. Such money has no witness at the
/// payment service, and its row is put right by itself.
fn state_by_witnesses_and_row(file: &BookingFile, row: &Payment, unseen: bool) -> State {
    let moved = |r: &Payment| {
        let counts = |_: &_| !marked_alone(file, r) || (unseen && r.method.is_by_hand());
        let says = r.settled_at.filter(counts).map(|_| r.amount);
        witnessed_money(file, r).map(|s| s.amount).or(says).unwrap_or(Money::ZERO)
    };
    let back: Money = file.rows.iter().filter(|r| r.refund_of == Some(row.id)).map(moved).sum();
    match row.kind {
        PaymentKind::Refund => State::Settled,
        _ if back >= row.amount && back.is_positive() => State::Refunded,
        _ if back.is_positive() => State::PartiallyRefunded,
        _ => State::Settled,
    }
}

/// As it was before: what was never tried waits for its day, what was tried is the staff's, so that no card is charged
/// because of a guess.
fn wait_again(row: &mut Payment) {
    // What is to go back is worked out from what is held, and what says that it was charged on its day is not charged
    // because it was not: what is owed is planned anew, and told before.
    let is_past = row.settled_at.take().is_some_and(|said| row.due_at <= said);
    if row.kind == PaymentKind::Refund || is_past {
        (row.state, row.next_attempt_at) = (At::stored(State::Skipped), None);
        return;
    }
    let tried = row.attempts > 0;
    row.state = At::stored(if tried { State::Failed } else { State::Scheduled });
    let day = row.next_attempt_at.or(Some(row.due_at));
    row.next_attempt_at = day.filter(|_| !tried && !row.method.is_by_hand());
}
