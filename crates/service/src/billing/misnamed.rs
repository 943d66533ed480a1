//! Handles an order id of an attempt, or a kind of an entry, that somebody changed in the database, so that a booking's
//! records name one charge or refund in two ways. Read literally, an entry would be one too many and a charge one that was
//! never made, or a charge another tip; each repair of that would move money. They are read as the other records name them.

use kernel::PaymentId;

use super::{
    audit::kind_in,
    ledger::{self, turns_around},
};
use crate::ports::{
    books::BookingFile,
    ledger::Entry,
    payments::{Attempt, AttemptState, PaymentKind},
};

/// Reads all of them as they are meant. Attempts are kept with the order id that is stored, so that it is told.
pub(super) fn read_as_meant(file: &mut BookingFile) {
    let kinds: Vec<Option<&str>> = file.entries.iter().map(|e| kind_of_fact(file, e)).collect();
    for (entry, kind) in file.entries.iter_mut().zip(kinds) {
        if let Some(kind) = kind.filter(|kind| *kind != entry.kind) {
            kind.clone_into(&mut entry.kind);
        }
    }
    let orders: Vec<Option<String>> = file.attempts.iter().map(|a| order_in_ledger(file, a)).collect();
    for (attempt, order) in file.attempts.iter_mut().zip(orders) {
        if let Some(order) = order {
            let stored: (PaymentId, String) = (attempt.payment_id, std::mem::replace(&mut attempt.order_id, order));
            file.misordered.push(stored);
        }
    }
}

/// The kind that an entry of a charge or refund has by its order id; none where that names none.
fn kind_of_fact(file: &BookingFile, entry: &Entry) -> Option<&'static str> {
    match entry.fact_key.split_once(':')? {
        ("refund", _) => Some("refund"),
        ("capture", order) => kind_in(file, order).map(|kind| if kind == PaymentKind::Tip { "tip" } else { "capture" }),
        _ => None,
    }
}

/// The order id under which the ledger records an applied attempt, if it has no entry under the attempt's own id and exactly
/// one entry of the same payment, kind and amount whose order id belongs to no attempt.
fn order_in_ledger(file: &BookingFile, attempt: &Attempt) -> Option<String> {
    let row = file.rows.iter().find(|r| r.id == attempt.payment_id)?;
    let is_theirs = attempt.state == AttemptState::Applied
        && attempt.transaction_id.is_some()
        && attempt.transaction_id == row.transaction_id;
    let word = ledger::word(row.kind);
    let is_posted = |order: &str| file.entries.iter().any(|e| e.fact_key == format!("{word}:{order}"));
    if !is_theirs || is_posted(&attempt.order_id) {
        return None;
    }
    let own = || file.entries.iter().filter(|e| e.payment_id == Some(row.id) && e.is_balanced());
    if own().any(|e| ledger::TAKEN_BACK.contains(&e.kind.as_str()) || turns_around(e, row.id)) {
        return None;
    }
    let mut orders = own().filter(|e| e.debited() == attempt.amount).filter_map(|e| {
        let (begins, order) = e.fact_key.split_once(':')?;
        let is_named = file.attempts.iter().any(|a| a.order_id == order);
        (begins == word && !order.starts_with("by-hand:") && !is_named).then_some(order)
    });
    let only = orders.next()?;
    orders.next().is_none().then(|| only.to_owned())
}
