//! Rows of payments that somebody deleted from the database. The ledger, whose entries nobody can change, still names each by
//! its key, with its amount and, by the order id in it, what it was for. The row is made up again from that, with the attempt
//! it was made by where that is gone as well: nothing is charged or given back because a row is missing.

use kernel::{BookingId, PaymentId};
use status_machine::{At, payment::State};

use super::{
    audit::{kind_in, lacks, state_by_witnesses},
    balanced, ledger, misnamed, trail,
};
use crate::{
    ServiceResult,
    ports::{
        Unit,
        books::BookingFile,
        disputes::DisputeState,
        facts::TAKEN_OUT,
        ledger::{Account, Entry},
        payments::{Attempt, PaidWith, Payment, PaymentKind},
    },
};

/// Everything that is on record about the money of some bookings, with what is gone from it made up again.
///
/// # Errors
/// When the database fails.
pub(super) fn files(u: &mut dyn Unit, ids: &[BookingId]) -> ServiceResult<Vec<BookingFile>> {
    let mut files = u.books().files(ids)?;
    for file in &mut files {
        file.entries = balanced::as_one(std::mem::take(&mut file.entries));
    }
    for file in files.iter_mut().filter(|file| !file.lost.is_empty()) {
        restore(file);
        for row in file.rows.iter_mut().filter(|r| file.lost.contains(&r.id)) {
            trail::complete(u, row)?;
        }
    }
    files.iter_mut().for_each(misnamed::read_as_meant);
    Ok(files)
}

/// True when an entry of the booking tells of money whose row is not among its rows: by what is left of them nobody knows what is
/// owed, so that nothing may move before somebody has put that right.
///
/// # Errors
/// When the database fails.
pub(super) fn any(u: &mut dyn Unit, id: BookingId, rows: &[Payment]) -> ServiceResult<bool> {
    let there = |payment: PaymentId| rows.iter().any(|r| r.id == payment);
    let moved = |e: &Entry| matches!(e.kind.as_str(), "capture" | "tip" | "refund" | ledger::UNDONE);
    let entries = u.ledger().of_booking(id)?;
    Ok(entries.iter().filter(|e| moved(e)).filter_map(|e| e.payment_id).any(|payment| !there(payment)))
}

/// Adds the rows that are gone; `lost` keeps those that could be made up.
fn restore(file: &mut BookingFile) {
    let mut rows = Vec::new();
    for payment in std::mem::take(&mut file.lost) {
        let Some((row, attempt)) = made_up(file, payment) else { continue };
        file.attempts.extend(attempt);
        rows.push(row);
    }
    file.lost = rows.iter().map(|r| r.id).collect();
    file.rows.extend(rows.iter().filter(|r| r.kind != PaymentKind::Refund).cloned());
    for mut refund in rows.into_iter().filter(|r| r.kind == PaymentKind::Refund) {
        // The ledger has one account for transfers and cheques: it is the one whose charge lacks it.
        let methods = match refund.method {
            PaidWith::Etransfer => vec![PaidWith::Etransfer, PaidWith::Cheque],
            known => vec![known],
        };
        let lacking = |method| Some((method, lacks(&file.rows, &Payment { method, ..refund.clone() })?));
        if let Some((method, charge)) = methods.into_iter().find_map(lacking) {
            (refund.method, refund.refund_of) = (method, Some(charge));
        }
        file.rows.push(refund);
    }
    file.rows.sort_by_key(|r| r.created_at);
    for payment in &file.lost {
        let Some(at) = file.rows.iter().position(|r| r.id == *payment) else { continue };
        let disputed = file.disputes.iter().any(|d| d.payment_id == *payment && d.state != DisputeState::Won);
        let state = if disputed { State::ChargedBack } else { state_by_witnesses(file, &file.rows[at]) };
        // The row is not there: no table of statuses leads to where its money is.
        file.rows[at].state = At::stored(state);
    }
}

/// The row that an entry tells of, and the attempt where that is gone too; none where the entry was turned around, or is of
/// something that has no row of its own kind.
fn made_up(file: &BookingFile, payment: PaymentId) -> Option<(Payment, Option<Attempt>)> {
    let own = || file.entries.iter().filter(|e| e.payment_id == Some(payment) && e.is_balanced());
    if let Some(entry) = own().find(|e| e.kind == ledger::UNDONE) {
        return Some((takes_out(file, payment, entry), None));
    }
    if own().any(|e| ledger::TAKEN_BACK.contains(&e.kind.as_str())) {
        return None;
    }
    let word = |e: &Entry| e.fact_key.split_once(':').is_some_and(|(word, _)| matches!(word, "capture" | "refund"));
    let entry = own().find(|e| word(e))?;
    let (_, order) = entry.fact_key.split_once(':')?;
    let whole = ledger::amended(entry, &file.entries);
    let by_hand = order.starts_with("by-hand:");
    let kind = match entry.kind.as_str() {
        "refund" => PaymentKind::Refund,
        "tip" => PaymentKind::Tip,
        // What people write down by hand is a difference.
        _ if by_hand => PaymentKind::Difference,
        _ => kind_in(file, order)?,
    };
    let attempt = file.attempts.iter().find(|a| a.order_id == order);
    let row = Payment {
        amount: attempt.map_or_else(|| whole.debited(), |a| a.amount),
        attempts: attempt.map_or(1, |a| a.number),
        transaction_id: attempt.and_then(|a| a.transaction_id.clone()),
        created_at: attempt.map_or(entry.at, |a| a.created_at),
        method: if by_hand { hand(&whole) } else { PaidWith::Card },
        ..settled(file, payment, kind, &whole)
    };
    let again = (attempt.is_none() && !by_hand).then(|| Attempt {
        order_id: order.to_owned(),
        payment_id: payment,
        number: 1,
        amount: row.amount,
        // With which card is not known any more.
        method_id: String::new(),
        state: At::applied(),
        transaction_id: None,
        code: None,
        created_at: entry.at,
        sent_at: entry.at,
        resolved_at: Some(entry.at),
    });
    Some((row, again))
}

/// The row that takes a payment out which never came.
fn takes_out(file: &BookingFile, payment: PaymentId, entry: &Entry) -> Payment {
    let whole = ledger::amended(entry, &file.entries);
    let last_message = Some(TAKEN_OUT.to_owned());
    Payment { last_message, method: hand(&whole), ..settled(file, payment, PaymentKind::Refund, &whole) }
}

/// By which hand an entry's money came or went. Of a transfer and a cheque, for which the ledger has one account, a transfer.
fn hand(entry: &Entry) -> PaidWith {
    let cash = entry.lines().iter().any(|l| l.account == Account::Cash);
    if cash { PaidWith::Cash } else { PaidWith::Etransfer }
}

/// A row whose money moved as an entry says; by card, unless the caller knows better.
fn settled(file: &BookingFile, payment: PaymentId, kind: PaymentKind, entry: &Entry) -> Payment {
    Payment {
        id: payment,
        booking_id: file.booking.id,
        kind,
        state: At::stored(State::Settled),
        amount: entry.debited(),
        due_at: entry.at,
        attempts: 1,
        next_attempt_at: None,
        refund_of: None,
        transaction_id: None,
        card_last4: None,
        last_message: None,
        settled_at: Some(entry.at),
        version: 1,
        created_at: entry.at,
        method: PaidWith::Card,
        reference: None,
    }
}
