//! Rows of payments that somebody moved to another booking. Whose one is, its ledger entries say, which nobody can change, and
//! the order ids it was made under, which begin with the code of its booking. Two of the three agree: where the entries name
//! another booking than the row, and no order id names the row's, the row is the entries' booking's.

use std::collections::{HashMap, HashSet};

use diesel::prelude::*;
use service::ports::StoreResult;

use super::super::Conn;
use crate::{
    columns::Id,
    error::fault,
    rows::{
        ledger::EntryRow,
        payments::{AttemptRow, PaymentRow},
    },
    schema::{bookings, ledger_entries, payment_attempts, payments},
};

/// Rows and attempts, each with the booking whose it is.
pub struct Sorted {
    pub rows: Vec<(Id, PaymentRow)>,
    pub attempts: Vec<(Id, AttemptRow)>,
    /// Whose a row is that lies elsewhere, the row, and the code of the booking that it lies with.
    pub lies_with: Vec<(Id, Id, String)>,
    /// A booking, and whose a row is that lies with it.
    pub strangers: Vec<(Id, Id)>,
    /// A booking whose entries name a row that is nowhere, and the row.
    pub lost: Vec<(Id, Id)>,
}

/// Sorts what lies with the bookings of `codes` by whose it is, and adds what is theirs and lies elsewhere. Where nothing was
/// moved this asks the database for nothing.
pub fn sorted(
    conn: &mut Conn,
    mut codes: HashMap<Id, String>,
    rows: Vec<PaymentRow>,
    mut attempts: Vec<(Id, AttemptRow)>,
    entries: &[EntryRow],
) -> StoreResult<Sorted> {
    let here: HashSet<Id> = codes.keys().copied().collect();
    let mut owners: HashMap<Id, HashSet<Id>> = HashMap::new();
    for entry in entries {
        if let Some(payment) = entry.payment_id {
            owners.entry(payment).or_default().insert(entry.booking_id);
        }
    }
    let known: HashSet<Id> = rows.iter().map(|r| r.id).collect();
    let away: Vec<Id> = owners.keys().filter(|payment| !known.contains(payment)).copied().collect();
    let unposted = rows.iter().filter(|r| r.settled_at.is_some() && !owners.contains_key(&r.id)).map(|r| r.id);
    let asked: Vec<Id> = away.iter().copied().chain(unposted).collect();
    let mut all = rows;
    let mut lost: Vec<Id> = Vec::new();
    if !asked.is_empty() {
        let more: Vec<(Option<Id>, Id)> = ledger_entries::table
            .filter(ledger_entries::payment_id.eq_any(&asked))
            .select((ledger_entries::payment_id, ledger_entries::booking_id))
            .load(conn)
            .map_err(fault("ledger_entries"))?;
        for (payment, booking) in more {
            owners.entry(payment.unwrap_or(booking)).or_default().insert(booking);
        }
    }
    if !away.is_empty() {
        let more: Vec<PaymentRow> = payments::table
            .filter(payments::id.eq_any(&away))
            .select(PaymentRow::as_select())
            .load(conn)
            .map_err(fault("payments"))?;
        let made: Vec<(Id, AttemptRow)> = payment_attempts::table
            .inner_join(payments::table)
            .filter(payments::id.eq_any(&away))
            .order((payment_attempts::number, payment_attempts::created_at))
            .select((payments::booking_id, AttemptRow::as_select()))
            .load(conn)
            .map_err(fault("payment_attempts"))?;
        let there: HashSet<Id> = more.iter().map(|r| r.id).collect();
        lost.extend(away.into_iter().filter(|payment| !there.contains(payment)));
        let lies: Vec<Id> = more.iter().map(|r| r.booking_id).collect();
        let found: Vec<(Id, String)> = bookings::table
            .filter(bookings::id.eq_any(&lies))
            .select((bookings::id, bookings::short_id))
            .load(conn)
            .map_err(fault("bookings"))?;
        codes.extend(found);
        all.extend(more);
        attempts.extend(made);
    }
    let mut sorted = Sorted {
        rows: Vec::new(),
        attempts: Vec::new(),
        lies_with: Vec::new(),
        strangers: Vec::new(),
        lost: Vec::new(),
    };
    let mut whose: HashMap<Id, Id> = HashMap::new();
    for row in all {
        let lies = row.booking_id;
        let owner = owner_of(&row, owners.get(&row.id), &attempts, codes.get(&lies)).unwrap_or(lies);
        if owner != lies {
            sorted.lies_with.push((owner, row.id, codes.get(&lies).cloned().unwrap_or_default()));
            sorted.strangers.push((lies, owner));
        }
        whose.insert(row.id, owner);
        if here.contains(&owner) {
            sorted.rows.push((owner, row));
        }
    }
    let mut orphans: Vec<AttemptRow> = Vec::new();
    if !lost.is_empty() {
        orphans = payment_attempts::table
            .filter(payment_attempts::payment_id.eq_any(&lost))
            .order((payment_attempts::number, payment_attempts::created_at))
            .select(AttemptRow::as_select())
            .load(conn)
            .map_err(fault("payment_attempts"))?;
    }
    for payment in lost {
        let mut posted = owners.get(&payment).into_iter().flatten();
        // Named by two bookings it is nobody's that could be told.
        if let (Some(owner), None) = (posted.next(), posted.next()) {
            whose.insert(payment, *owner);
            sorted.lost.push((*owner, payment));
        }
    }
    sorted.lost.sort_by_key(|(_, payment)| payment.0);
    sorted.attempts.extend(orphans.into_iter().filter_map(|a| Some((*whose.get(&a.payment_id)?, a))));
    sorted.rows.sort_by_key(|(_, row)| row.created_at);
    sorted
        .attempts
        .extend(attempts.into_iter().map(|(lies, a)| (whose.get(&a.payment_id).copied().unwrap_or(lies), a)));
    Ok(sorted)
}

/// The booking that a row is of, where that is another than it lies with.
fn owner_of(
    row: &PaymentRow,
    posted: Option<&HashSet<Id>>,
    attempts: &[(Id, AttemptRow)],
    code: Option<&String>,
) -> Option<Id> {
    let mut posted = posted?.iter();
    let (owner, more) = (*posted.next()?, posted.next());
    if more.is_some() || owner == row.booking_id {
        return None;
    }
    let names = |order: &str| code.is_some_and(|code| order.split('-').next() == Some(code.as_str()));
    let made_here = attempts.iter().any(|(_, a)| a.payment_id == row.id && names(&a.order_id));
    (!made_here).then_some(owner)
}
