//! Repairs of one difference that change neither money nor a plan, but a row, an entry, a tip or a time. Which record is
//! believed, and why, is told in `audit/witnesses.rs`.

use kernel::{Money, TipId};
use status_machine::{At, payment::State};

use super::{
    audit, balanced, by_trail,
    difference::{Difference, DifferenceKind},
    dispute_records,
    facts::{is_of_tip, took},
    history::{self, file_of},
    known::{self, moved},
    late, ledger,
    misread::RowField,
    remedy::Repair,
    set_back, settle, tips, write_row,
};
use crate::{
    Error, ServiceResult, Tx, capacity,
    ports::{
        StoreError, Unit,
        bookings::Booking,
        books::BookingFile,
        capacity::Drift,
        payments::{Attempt, AttemptState, GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
        tips::{Tip, TipKind},
    },
};

/// The order id under which the payment service is asked about a difference.
///
/// # Errors
/// When the database fails.
pub(super) fn order_of(u: &mut dyn Unit, d: &Difference) -> ServiceResult<Option<String>> {
    Ok(match &d.what {
        what if what.is_of_order() => Some(d.subject.clone()),
        DifferenceKind::RowAmount { order, .. }
        | DifferenceKind::RowUnmarked { order, .. }
        | DifferenceKind::RowLost { order, .. } => order.clone(),
        DifferenceKind::RowReads { named, .. } => named.order.clone(),
        DifferenceKind::MadeTwice { .. } => file(u, d)?.and_then(|file| second(&file, &d.what)).map(|a| a.order_id),
        DifferenceKind::MadeUnsaid { .. } => file(u, d)?.and_then(|file| posted_as(&file, &d.what)),
        DifferenceKind::DisputeMissing { .. }
        | DifferenceKind::DisputeBack { .. }
        | DifferenceKind::DisputeUnmarked { .. } => {
            file(u, d)?.and_then(|file| dispute_records::order_of(&file, &d.what))
        }
        _ => None,
    })
}

fn file(u: &mut dyn Unit, d: &Difference) -> ServiceResult<Option<BookingFile>> {
    Ok(d.booking.map(|id| file_of(u, id)).transpose()?.flatten())
}

/// What puts it right by what is on record, and what the gateway lists under its order id; none where that is a person's.
pub(super) fn offered(u: &mut dyn Unit, d: &Difference, found: &[GatewayTransaction]) -> ServiceResult<Option<Repair>> {
    let Some(file) = file(u, d)? else { return Ok(None) };
    let made = |t: &&GatewayTransaction| matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled);
    match &d.what {
        DifferenceKind::RowAmount { payment, charge, amount, order, .. } => {
            let right = audit::right(&file, &d.what).filter(|r| order.is_none() || gateway_agrees(&file, r, found));
            Ok(right.map(|r| Repair::SetAmount { payment: *payment, charge: *charge, was: *amount, amount: r.amount }))
        }
        DifferenceKind::RowUnmarked { payment, order, .. } => {
            let right = audit::right(&file, &d.what).filter(|r| order.is_none() || gateway_agrees(&file, r, found));
            Ok(match right.and_then(|r| set_state(&d.what, &as_at_gateway(r, found))) {
                // The ledger alone says that it was made.
                None if found.is_empty() => audit::reversal_of_lone_entry(&file, *payment)
                    .map(|lines| Repair::TurnAround { payment: *payment, lines }),
                repair => repair,
            })
        }
        DifferenceKind::RowMarked { payment, .. } => Ok(match by_trail::offered(u, &file, *payment)? {
            None => audit::right(&file, &d.what).and_then(|r| set_state(&d.what, &r)),
            entry => entry,
        }),
        DifferenceKind::Unbalanced { entry: Some(broken) } => {
            let file = audit::File::of(&file);
            let lacks = file.lacks_to_balance().filter(|(entry, _)| entry.id == broken.id);
            Ok(lacks.map(|(_, lines)| Repair::Balance { lines }))
        }
        DifferenceKind::DisputeMissing { .. }
        | DifferenceKind::DisputeBack { .. }
        | DifferenceKind::DisputeUnmarked { .. } => Ok(dispute_records::offered(&file, &d.what, found)),
        DifferenceKind::EntryTwice { payment, .. } => {
            let lines = audit::doubled(&file).into_iter().find(|(what, _)| *what == d.what).map(|(_, lines)| lines);
            Ok(lines.map(|lines| Repair::TurnAround { payment: *payment, lines }))
        }
        DifferenceKind::MadeTwice { .. } => {
            let Some(second) = second(&file, &d.what) else { return Ok(None) };
            let there = found.iter().filter(made).any(|t| {
                Some(&t.id) == second.transaction_id.as_ref()
                    && t.amount == second.amount
                    && t.kind == GatewayKind::Charge
            });
            Ok(there.then_some(Repair::BookApart { order_id: second.order_id, amount: second.amount }))
        }
        DifferenceKind::MadeUnsaid { .. } | DifferenceKind::AttemptMissing { .. } => match order_of(u, d)? {
            Some(order_id) => note_attempt(u, d, order_id, found),
            None => Ok(None),
        },
        DifferenceKind::RowReads { named, .. } => match (set_back::offered(&file, &d.what, found), &named.order) {
            // Not the row reads something else, but the attempt.
            (None, Some(order)) if named.field == RowField::Transaction => note_attempt(u, d, order.clone(), found),
            (repair, _) => Ok(repair),
        },
        DifferenceKind::RecordReads { .. } | DifferenceKind::Kept { .. } => {
            Ok(set_back::offered(&file, &d.what, found))
        }
        DifferenceKind::RowLost { .. } => Ok(write_row::offered(&file, &d.what, found)),
        DifferenceKind::Tip { .. } => Ok(tip_as_charged(&file)),
        DifferenceKind::TipAsked { asked, given } => {
            Ok(Some(Repair::SetTip { was: *given, amount: *asked, paid: false }))
        }
        DifferenceKind::TipReads { reads, given } => {
            Ok(Some(Repair::SetTip { was: *reads, amount: *given, paid: false }))
        }
        DifferenceKind::CapacityMissing => {
            let free = capacity::is_free(u, &capacity::capacity_of(&file.booking))?;
            Ok(free.then_some(Repair::TakeTime))
        }
        _ => Ok(None),
    }
}

/// The attempt of a charge or refund that payment service, ledger and row know of, while its own record is gone or says
/// something else.
pub(super) fn note_attempt(
    u: &mut dyn Unit,
    d: &Difference,
    order_id: String,
    found: &[GatewayTransaction],
) -> ServiceResult<Option<Repair>> {
    let missing = to_note(u, &order_id, found)?.filter(|(row, _)| Some(row.booking_id) == d.booking);
    Ok(missing.map(|(row, t)| Repair::NoteAttempt {
        order_id,
        transaction_id: t.id,
        charge: row.kind,
        amount: t.amount,
    }))
}

/// A deed that payment service and ledger know of, while the record of its attempt is gone or says something else.
fn to_note(
    u: &mut dyn Unit,
    order: &str,
    found: &[GatewayTransaction],
) -> ServiceResult<Option<(Payment, GatewayTransaction)>> {
    match known::unrecorded_attempt(u, order, found)? {
        Some(unsaid) => Ok(Some(unsaid)),
        None => known::misnoted(u, order, found),
    }
}

/// The payment service's transaction of a row: by its key, or the only one of its amount where no record has the key any more.
pub(super) fn own<'a>(right: &Payment, found: &'a [GatewayTransaction]) -> Option<&'a GatewayTransaction> {
    if right.transaction_id.is_some() {
        return found.iter().find(|t| Some(&t.id) == right.transaction_id.as_ref());
    }
    let refund = right.kind == PaymentKind::Refund;
    let same = |t: &&GatewayTransaction| {
        moved(t) && t.amount == right.amount && matches!(t.kind, GatewayKind::Refund { .. }) == refund
    };
    let mut all = found.iter().filter(same);
    all.next().filter(|_| all.next().is_none())
}

/// The payment service moved just what ledger and intent say. A whole charge that was undone leaves nothing under the order
/// id of its refund: then the charge is its witness.
fn gateway_agrees(file: &BookingFile, right: &Payment, found: &[GatewayTransaction]) -> bool {
    match own(right, found) {
        Some(t) => t.amount == right.amount && moved(t),
        None => {
            let charge = file.rows.iter().find(|r| Some(r.id) == right.refund_of);
            charge.is_some_and(|c| c.transaction_id == right.transaction_id && c.amount == right.amount)
        }
    }
}

/// What has not settled at the payment service reads captured; a key that is gone is written down again.
pub(super) fn as_at_gateway(mut right: Payment, found: &[GatewayTransaction]) -> Payment {
    let Some(ours) = own(&right, found) else { return right };
    if right.state == State::Settled && ours.status == GatewayStatus::Captured {
        right.state = At::stored(State::Captured);
    }
    right.transaction_id.get_or_insert_with(|| ours.id.clone());
    right
}

fn set_state(what: &DifferenceKind, right: &Payment) -> Option<Repair> {
    let (DifferenceKind::RowUnmarked { payment, charge, amount, state, .. }
    | DifferenceKind::RowMarked { payment, charge, amount, state }) = what
    else {
        return None;
    };
    Some(Repair::SetState {
        payment: *payment,
        charge: *charge,
        amount: *amount,
        was: state.clone(),
        state: right.state.code().to_owned(),
    })
}

/// Of a row that two order ids made: the one that has no entry.
fn second(file: &BookingFile, what: &DifferenceKind) -> Option<Attempt> {
    let DifferenceKind::MadeTwice { charge, amount, many: 2 } = what else { return None };
    let row = file.rows.iter().find(|r| {
        let applied = |a: &&Attempt| a.payment_id == r.id && a.state == AttemptState::Applied;
        (r.kind, r.amount) == (*charge, *amount) && file.attempts.iter().filter(applied).count() == 2
    })?;
    let posted = |a: &Attempt| file.entries.iter().any(|e| e.fact_key == format!("capture:{}", a.order_id));
    let mut lacking = file
        .attempts
        .iter()
        .filter(|a| a.payment_id == row.id && a.state == AttemptState::Applied && row.kind.is_charge() && !posted(a));
    let one = lacking.next()?.clone();
    lacking.next().is_none().then_some(one)
}

/// The order id under which the ledger has a row that no attempt says.
fn posted_as(file: &BookingFile, what: &DifferenceKind) -> Option<String> {
    let DifferenceKind::MadeUnsaid { charge, amount } = what else { return None };
    let unsaid = |r: &&Payment| {
        let applied = |a: &Attempt| a.payment_id == r.id && a.state == AttemptState::Applied;
        (r.kind, r.amount) == (*charge, *amount) && r.settled_at.is_some() && !file.attempts.iter().any(applied)
    };
    let row = file.rows.iter().find(unsaid)?;
    let order = |fact: &str| {
        let order = fact.strip_prefix("capture:").or_else(|| fact.strip_prefix("refund:"))?;
        (!order.starts_with("by-hand:")).then(|| order.to_owned())
    };
    file.entries.iter().filter(|e| e.payment_id == Some(row.id)).find_map(|e| order(&e.fact_key))
}

/// What was charged was given: ledger, service and row say the same, and the tip does not.
fn tip_as_charged(file: &BookingFile) -> Option<Repair> {
    // One that somebody deleted reads nothing.
    let was = file.tip.as_ref().map_or(Money::ZERO, |tip| tip.amount);
    let charges: Vec<&Payment> = file.rows.iter().filter(|r| took(r) && r.kind == PaymentKind::Tip).collect();
    let back: Money =
        file.rows.iter().filter(|r| r.is_given_back() && is_of_tip(r, &file.rows)).map(|r| r.amount).sum();
    let held = charges.iter().map(|r| r.amount).sum::<Money>().minus(back);
    match charges.len() {
        1 if held.is_positive() => Some(Repair::SetTip { was, amount: held, paid: true }),
        _ if held.is_zero() => {
            let tip = file.tip.as_ref().filter(|tip| tip.is_paid)?;
            // What was given, not what the row has as its amount: nothing was charged that would speak for it.
            let amount = tip.given(file.booking.amount).unwrap_or(tip.amount);
            Some(Repair::SetTip { was, amount, paid: false })
        }
        _ => None,
    }
}

/// A second charge under an order id whose first is ours.
pub(super) fn beside_ours(
    u: &mut dyn Unit,
    order_id: &str,
    found: &[GatewayTransaction],
) -> ServiceResult<Option<Repair>> {
    let Some(ours) = u.payments().attempt(order_id)?.and_then(|a| a.transaction_id) else { return Ok(None) };
    let charges: Vec<&GatewayTransaction> = found
        .iter()
        .filter(|t| t.kind == GatewayKind::Charge)
        .filter(|t| matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled))
        .collect();
    let [a, b] = charges.as_slice() else { return Ok(None) };
    let other = if a.id == ours { b } else { a };
    if other.id == ours || !charges.iter().any(|t| t.id == ours) || u.strays().get(order_id)?.is_some() {
        return Ok(None);
    }
    Ok(Some(Repair::SendBack { order_id: order_id.to_owned(), transaction_id: other.id.clone(), amount: other.amount }))
}

/// Carries out what [`offered`] offered. False: the state has changed, and nothing was done.
pub(super) fn carry_out(
    tx: &mut Tx<'_>,
    b: &Booking,
    d: &Difference,
    said: &Repair,
    found: &[GatewayTransaction],
) -> ServiceResult<bool> {
    match said {
        Repair::SetAmount { payment, amount, .. } => {
            let Some(mut row) = tx.unit.payments().get(*payment)? else { return Ok(false) };
            row.amount = *amount;
            tx.unit.payments().update(&row)?;
            Ok(true)
        }
        Repair::SetState { payment, .. } => {
            let Some(file) = file_of(tx.unit, b.id)? else { return Ok(false) };
            let undisputed = dispute_records::undisputed(&file, &d.what).map(|(right, _)| right);
            let Some(right) = undisputed.or_else(|| audit::right(&file, &d.what)) else { return Ok(false) };
            let Some(row) = tx.unit.payments().get(*payment)? else { return Ok(false) };
            let right = as_at_gateway(Payment { amount: row.amount, ..right }, found);
            tx.unit.payments().update(&right)?;
            let told = history::differences_of(tx.unit, b.id, tx.now)?;
            if *right.state == State::Scheduled && !told.iter().any(|d| d.what.holds_money_back()) {
                // Whether it is owed, and when, is the policy's: nobody may have planned such a charge at all.
                settle::settle(tx, &mut b.clone())?;
            } else {
                settle::wake(tx, b)?;
            }
            Ok(true)
        }
        Repair::Balance { lines } => {
            let Some(file) = file_of(tx.unit, b.id)? else { return Ok(false) };
            let file = audit::File::of(&file);
            let Some((entry, _)) = file.lacks_to_balance() else { return Ok(false) };
            balanced::balance(tx, b, entry, lines.clone()).map(|()| true)
        }
        Repair::TurnAround { payment, lines } => ledger::turned_around(tx, b, *payment, lines.clone()).map(|()| true),
        Repair::BookApart { order_id, .. } => {
            let Some(mut attempt) = tx.unit.payments().attempt(order_id)? else { return Ok(false) };
            // Past the table, as if it had been given up: money that came late is written down just so.
            attempt.state = At::stored(AttemptState::Lost);
            tx.unit.payments().resolve_attempt(&attempt)?;
            late::book_found(tx, order_id, found)
        }
        Repair::SetField { .. } | Repair::SetRecord { .. } | Repair::SetKept { .. } => {
            set_back::carry_out(tx, b, d, said)
        }
        Repair::PostByHand { payment, .. } => by_trail::carry_out(tx, b, *payment),
        Repair::WriteRow { payment, .. } => write_row::carry_out(tx, b, *payment, found),
        Repair::SetTip { amount, paid, .. } => set_tip(tx, b, *amount, *paid),
        Repair::TakeTime => capacity::take_again(tx, b).map(|()| true),
        Repair::NoteAttempt { order_id, .. } => {
            let Some((row, t)) = to_note(tx.unit, order_id, found)? else { return Ok(false) };
            let resolved_at = row.settled_at.or(Some(t.created_at));
            if let Some(was) = tx.unit.payments().attempt(order_id)? {
                // Past the table: payment service and ledger say what the record should.
                let (state, transaction_id, amount) = (At::stored(AttemptState::Applied), Some(t.id), t.amount);
                let right = Attempt { state, transaction_id, amount, code: None, resolved_at, ..was };
                tx.unit.payments().resolve_attempt(&right)?;
                return Ok(true);
            }
            let attempt = Attempt {
                order_id: order_id.clone(),
                payment_id: row.id,
                number: row.attempts.max(1),
                amount: t.amount,
                // With which card is not known any more.
                method_id: String::new(),
                state: At::applied(),
                transaction_id: Some(t.id),
                code: None,
                created_at: t.created_at,
                sent_at: t.created_at,
                resolved_at,
            };
            tx.unit.payments().insert_attempt(&attempt)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// A tip of which a part went back reads what is left of it.
///
/// # Errors
/// When the database fails.
pub(super) fn tip_follows(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let Some(file) = file_of(tx.unit, b.id)? else { return Ok(()) };
    match tip_as_charged(&file) {
        Some(Repair::SetTip { amount, paid: true, .. }) => set_tip(tx, b, amount, true).map(drop),
        _ => Ok(()),
    }
}

fn set_tip(tx: &mut Tx<'_>, b: &Booking, amount: Money, paid: bool) -> ServiceResult<bool> {
    let mut tip = match tx.unit.tips().of_booking(b.id)? {
        Some(tip) => tip,
        None => Tip {
            id: TipId(tx.id()),
            booking_id: b.id,
            kind: TipKind::Amount,
            value: amount.into(),
            amount,
            is_paid: paid,
            payment_id: None,
            version: 0,
            updated_at: tx.now,
        },
    };
    if tip.given(b.amount) != Some(amount) {
        (tip.kind, tip.value) = (TipKind::Amount, amount.into());
    }
    tip.amount = amount;
    let charge = tx.unit.payments().of_booking(b.id)?.into_iter().find(|r| took(r) && r.kind == PaymentKind::Tip);
    (tip.is_paid, tip.payment_id) = (paid, charge.filter(|_| paid).map(|c| c.id));
    (tip.updated_at, tip.version) = (tx.now, tip.version + 1);
    tx.unit.tips().put(&tip)?;
    if !paid {
        // A planned charge of it follows.
        tips::changed(tx, b)?;
    }
    Ok(true)
}

/// The entry of a deed of the gateway that has none.
pub(super) fn post(tx: &mut Tx<'_>, order_id: &str) -> ServiceResult<bool> {
    let Some(attempt) = tx.unit.payments().attempt(order_id)? else { return Ok(false) };
    let Some(payment) = tx.unit.payments().get(attempt.payment_id)? else { return Ok(false) };
    let Some(b) = tx.unit.bookings().lock(payment.booking_id)? else { return Ok(false) };
    match payment.kind {
        PaymentKind::Refund => ledger::refund(tx, &b, &payment, order_id)?,
        _ => ledger::capture(tx, &b, &payment, order_id)?,
    }
    Ok(true)
}

/// A half hour counts what holds take of it.
pub(super) fn recount(tx: &mut Tx<'_>, said: &Drift) -> ServiceResult<bool> {
    let key = scheduling::BucketKey {
        date: said.date,
        index: said.bucket.try_into().map_err(|_| Error::Internal(format!("{said}: no half hour")))?,
    };
    // Locked, and made where it never was; then counted again.
    tx.unit.capacities().lock(&said.hub, &[key])?;
    if !tx.unit.capacities().drift_between(said.date, said.date)?.contains(said) {
        return Ok(false);
    }
    match tx.unit.capacities().recount(said) {
        // Holds take more than there is: the calendar is wrong, not the counter.
        Err(StoreError::Refused(_)) => return Ok(false),
        other => other?,
    }
    tx.changes(&said.hub, &[key]);
    Ok(true)
}
