//! Checks a payment row's booking, purpose, method and refunded charge against its ledger entries, the order ids it was made
//! under, and the payment service's key that its attempt has. A row that somebody changed in the database differs from them,
//! and is put back to what they say. None of it moves money.
//!
//! It does the same for the booking's own record, whose fields that decide about money have a copy
//! ([`crate::ports::copies`]).

use std::borrow::Cow;

use kernel::{Money, PaymentId};
use status_machine::payment::State;

use super::{
    super::{
        difference::DifferenceKind,
        facts::{is_lock, took},
        misread::{Named, RowField},
    },
    alone::marked_alone,
};
use crate::ports::{
    bookings::Booking,
    books::BookingFile,
    ledger::{Account, Entry},
    payments::{Attempt, AttemptState, PaidWith, Payment, PaymentKind},
};

/// The file with its rows as they were named when their money moved, and where a stored row is not.
pub(super) fn named(file: &BookingFile) -> (Cow<'_, BookingFile>, Vec<DifferenceKind>) {
    let mut odd = Vec::new();
    let mut rows: Vec<Payment> = file.rows.iter().map(|row| by_its_money(file, row, &mut odd)).collect();
    returns(file, &mut rows, &mut odd);
    for (payment, stored) in &file.misordered {
        let Some(row) = file.rows.iter().find(|r| r.id == *payment) else { continue };
        let order = made_by(file, row).map(|a| a.order_id.clone());
        tell(&mut odd, row, RowField::Order, stored, order.as_deref(), order.clone());
    }
    if odd.is_empty() {
        return (Cow::Borrowed(file), odd);
    }
    (Cow::Owned(BookingFile { rows, ..file.clone() }), odd)
}

/// The booking as the program last wrote it, and what its record reads else.
pub(super) fn record(file: &BookingFile) -> (Cow<'_, Booking>, Option<DifferenceKind>) {
    let Some(copy) = &file.copy else { return (Cow::Borrowed(&file.booking), None) };
    match copy.compared(&file.booking) {
        Ok((_, fields)) if fields.is_empty() => (Cow::Borrowed(&file.booking), None),
        Ok((right, fields)) => (Cow::Owned(right), Some(DifferenceKind::RecordReads { fields })),
        Err(e) => {
            tracing::error!(booking = %file.booking.short_id, error = %e, "the copy of a booking cannot be read");
            (Cow::Borrowed(&file.booking), None)
        }
    }
}

fn tell(
    odd: &mut Vec<DifferenceKind>,
    row: &Payment,
    field: RowField,
    reads: &str,
    right: Option<&str>,
    order: Option<String>,
) {
    let named = Named { field, reads: reads.to_owned(), right: right.map(str::to_owned), order };
    odd.push(DifferenceKind::RowReads { payment: row.id, charge: row.kind, amount: row.amount, named });
}

fn by_its_money(file: &BookingFile, row: &Payment, odd: &mut Vec<DifferenceKind>) -> Payment {
    let mut right = row.clone();
    if row.booking_id != file.booking.id {
        let lies = file.lies_with.iter().find(|l| l.0 == row.id).map_or("", |l| l.1.as_str());
        tell(odd, row, RowField::Booking, lies, Some(file.booking.short_id.as_str()), None);
        right.booking_id = file.booking.id;
    }
    let made = made_by(file, row);
    let order = made.map(|a| a.order_id.clone());
    let Some(entry) = posted(file, row, made) else { return right };
    if let Some(kind) = kind_of(file, row, entry, made) {
        tell(odd, row, RowField::Kind, row.kind.code(), kind.map(PaymentKind::code), order.clone());
        right.kind = kind.unwrap_or(row.kind);
    }
    if let Some(method) = method_of(row, entry, made) {
        tell(odd, row, RowField::Method, row.method.code(), method.map(PaidWith::code), order.clone());
        right.method = method.unwrap_or(row.method);
    }
    if let Some(made) = made.filter(|a| a.transaction_id.is_some() && a.transaction_id != row.transaction_id) {
        let reads = row.transaction_id.as_deref().unwrap_or(NONE);
        tell(odd, row, RowField::Transaction, reads, made.transaction_id.as_deref(), order);
        right.transaction_id.clone_from(&made.transaction_id);
    }
    right
}

/// What a field reads that names nothing.
const NONE: &str = "none";

/// The one attempt by which a row's money moved.
pub(in crate::billing) fn made_by<'a>(file: &'a BookingFile, row: &Payment) -> Option<&'a Attempt> {
    let mut applied = file.attempts.iter().filter(|a| a.payment_id == row.id && a.state == AttemptState::Applied);
    applied.next().filter(|_| applied.next().is_none())
}

/// The entry of a row's money, whatever the row says that it is for.
fn posted<'a>(file: &'a BookingFile, row: &Payment, made: Option<&Attempt>) -> Option<&'a Entry> {
    let order = made.map_or_else(|| format!("by-hand:{}", row.id), |a| a.order_id.clone());
    let facts = ["capture", "refund"].map(|word| format!("{word}:{order}"));
    let own = |e: &&Entry| e.payment_id == Some(row.id) && e.is_balanced() && facts.contains(&e.fact_key);
    // An entry whose kind is not that of its fact was changed itself, and is no witness.
    let stands = |e: &&Entry| (e.kind == "refund") == e.fact_key.starts_with("refund:");
    file.entries.iter().find(own).filter(stands)
}

/// What a row is for, where that is something else than it reads; none inside: nobody knows what.
fn kind_of(file: &BookingFile, row: &Payment, entry: &Entry, made: Option<&Attempt>) -> Option<Option<PaymentKind>> {
    let charges = |kind: PaymentKind| kind.is_charge() && kind != PaymentKind::Tip;
    match entry.kind.as_str() {
        "refund" => (row.kind != PaymentKind::Refund).then_some(Some(PaymentKind::Refund)),
        "tip" => (row.kind != PaymentKind::Tip).then_some(Some(PaymentKind::Tip)),
        _ => {
            let asked = made.and_then(|a| kind_in(file, &a.order_id)).filter(|kind| charges(*kind));
            let lock = |kind| matches!(kind, PaymentKind::Balance | PaymentKind::Full);
            match asked {
                // The charge of the 48-hour instant is called the whole or the rest, as a deposit came or did not.
                Some(kind) if kind == row.kind || (lock(kind) && is_lock(row)) => None,
                Some(kind) => Some(Some(kind)),
                None => (!charges(row.kind)).then_some(None),
            }
        }
    }
}

/// What an order id of ours says that it is for.
pub(in crate::billing) fn kind_in(file: &BookingFile, order: &str) -> Option<PaymentKind> {
    let (kind, _) = order.strip_prefix(file.booking.short_id.as_str())?.strip_prefix('-')?.rsplit_once('-')?;
    PaymentKind::from_code(kind)
}

/// How a row was paid, likewise.
fn method_of(row: &Payment, entry: &Entry, made: Option<&Attempt>) -> Option<Option<PaidWith>> {
    if made.is_some() {
        return row.method.is_by_hand().then_some(Some(PaidWith::Card));
    }
    let lies = |account| entry.lines().iter().any(|l| l.account == account);
    match (lies(Account::Cash), lies(Account::Bank)) {
        (true, false) => (row.method != PaidWith::Cash).then_some(Some(PaidWith::Cash)),
        // A transfer or a cheque: the ledger has one account for both.
        (false, true) => (row.method.account() != Account::Bank).then_some(None),
        _ => None,
    }
}

/// What went back of each charge, by the rows' own word.
fn back(rows: &[Payment], charge: PaymentId) -> Money {
    let of_this = |r: &&Payment| r.kind == PaymentKind::Refund && r.refund_of == Some(charge) && r.settled_at.is_some();
    rows.iter().filter(of_this).map(|r| r.amount).sum()
}

/// A charge reads what went back of it.
fn explained(charge: &Payment, back: Money) -> bool {
    match *charge.state {
        State::Refunded => back >= charge.amount,
        State::PartiallyRefunded => back.is_positive() && back < charge.amount,
        State::Captured | State::Settled => !back.is_positive(),
        _ => true,
    }
}

/// The charge that reads as if a refund had returned it, which names another one or none; none where several do.
pub(in crate::billing) fn lacks(rows: &[Payment], refund: &Payment) -> Option<PaymentId> {
    let stands = |c: &Payment, less: Money| explained(c, back(rows, c.id).minus(less));
    let lacks = |c: &&Payment| {
        Some(c.id) != refund.refund_of
            && c.method == refund.method
            && !stands(c, Money::ZERO)
            && stands(c, refund.amount.negated())
    };
    let mut lacking = rows.iter().filter(|r| took(r)).filter(lacks);
    let one = lacking.next()?;
    lacking.next().is_none().then_some(one.id)
}

/// Refunds that name another charge than the one that reads as if it had been returned, or none.
fn returns(file: &BookingFile, rows: &mut [Payment], odd: &mut Vec<DifferenceKind>) {
    let made = |r: &&Payment| r.kind == PaymentKind::Refund && r.settled_at.is_some() && !marked_alone(file, r);
    let refunds: Vec<Payment> = rows.iter().filter(made).cloned().collect();
    for refund in refunds {
        let charges = || rows.iter().filter(|r| took(r));
        let names = charges().find(|c| Some(c.id) == refund.refund_of);
        let stands = |c: &Payment, less: Money| explained(c, back(rows, c.id).minus(less));
        if names.is_some_and(|c| stands(c, Money::ZERO) || !stands(c, refund.amount)) {
            continue;
        }
        let of = lacks(rows, &refund).and_then(|id| rows.iter().find(|r| r.id == id)).cloned();
        if of.is_none() && names.is_some() {
            continue;
        }
        let order = made_by(file, &refund).map(|a| a.order_id.clone());
        let reads = names.map_or(NONE, |c| c.kind.code());
        tell(odd, &refund, RowField::Charge, reads, of.as_ref().map(|c| c.kind.code()), order);
        if let (Some(of), Some(row)) = (of, rows.iter_mut().find(|r| r.id == refund.id)) {
            row.refund_of = Some(of.id);
        }
    }
}
