//! Repairs that restore a payment row (to what ledger, order ids and payment service say) or a booking's record (to what the
//! program wrote) after somebody changed it in the database. No money moves by it.

use kernel::Money;

use super::{
    audit,
    difference::{Difference, DifferenceKind},
    history::file_of,
    known::moved,
    misread::RowField,
    remedy::Repair,
    settle,
};
use crate::{
    Error, ServiceResult, Tx,
    ports::{
        bookings::Booking,
        books::BookingFile,
        ledger::{Account, Entry},
        payments::{GatewayKind, GatewayTransaction, Payment, PaymentKind},
    },
};

/// What puts it back; none where nobody knows what it should read, or the payment service says something else.
pub(super) fn offered(file: &BookingFile, what: &DifferenceKind, found: &[GatewayTransaction]) -> Option<Repair> {
    match what {
        DifferenceKind::RowReads { payment, charge, amount, named } => {
            let (right, value) = (audit::right(file, what)?, named.right.clone()?);
            let agrees = named.order.is_none() || service_agrees(file, &right, named.field, found);
            agrees.then(|| Repair::SetField {
                payment: *payment,
                charge: *charge,
                amount: *amount,
                field: named.field,
                was: named.reads.clone(),
                value,
            })
        }
        DifferenceKind::RecordReads { fields } => Some(Repair::SetRecord { fields: fields.clone() }),
        DifferenceKind::Kept { kept, right } => {
            let posted = kept_in_ledger(&file.entries);
            right.contains(&posted).then_some(Repair::SetKept { was: *kept, kept: posted })
        }
        _ => None,
    }
}

/// What the payment service lists under the order id is what the row should say. A whole charge that was undone leaves nothing
/// under the order id of its refund.
fn service_agrees(file: &BookingFile, right: &Payment, field: RowField, found: &[GatewayTransaction]) -> bool {
    let refund = right.kind == PaymentKind::Refund;
    let Some(ours) = found.iter().filter(|t| moved(t)).find(|t| Some(&t.id) == right.transaction_id.as_ref()) else {
        // The key itself is what is wrong where it is none of theirs.
        return refund && found.is_empty();
    };
    match &ours.kind {
        GatewayKind::Charge => !refund,
        GatewayKind::Refund { of } if field == RowField::Charge => {
            let charge = file.rows.iter().find(|r| Some(r.id) == right.refund_of);
            charge.is_some_and(|c| c.transaction_id.as_ref() == Some(of))
        }
        GatewayKind::Refund { .. } => refund,
    }
}

/// What the ledger says that the cancellation kept.
fn kept_in_ledger(entries: &[Entry]) -> Money {
    let told = |e: &&Entry| matches!(e.kind.as_str(), "cancellation" | "cancellation_undone");
    let lines = entries.iter().filter(told).flat_map(Entry::lines);
    lines.filter(|l| matches!(l.account, Account::Customer | Account::Trust)).map(|l| l.amount).sum()
}

/// Carries out what [`offered`] offered. False: the state has changed, and nothing was done.
///
/// # Errors
/// When the database fails.
pub(super) fn carry_out(tx: &mut Tx<'_>, b: &Booking, d: &Difference, said: &Repair) -> ServiceResult<bool> {
    match said {
        Repair::SetField { field: RowField::Order, was, value, .. } => {
            tx.unit.payments().rename_attempt(was, value)?;
            settle::wake(tx, b)?;
            Ok(true)
        }
        Repair::SetField { payment, field, .. } => {
            let Some(right) = file_of(tx.unit, b.id)?.and_then(|file| audit::right(&file, &d.what)) else {
                return Ok(false);
            };
            let Some(was) = tx.unit.payments().get(*payment)? else { return Ok(false) };
            let mut row = was.clone();
            match field {
                RowField::Booking => row.booking_id = b.id,
                RowField::Kind => row.kind = right.kind,
                RowField::Method => row.method = right.method,
                RowField::Charge => row.refund_of = right.refund_of,
                RowField::Transaction => row.transaction_id = right.transaction_id,
                // Of its attempt, not of the row.
                RowField::Order => return Ok(false),
            }
            tx.unit.payments().update(&row)?;
            if was.booking_id != row.booking_id
                && let Some(other) = tx.unit.bookings().lock(was.booking_id)?
            {
                // What lists say of where its money stands follows.
                rewritten(tx, other)?;
            }
            settle::wake(tx, b)?;
            Ok(true)
        }
        Repair::SetRecord { .. } => {
            let Some(copy) = file_of(tx.unit, b.id)?.and_then(|file| file.copy) else { return Ok(false) };
            let right = copy.righted(b).map_err(|e| Error::Internal(format!("copy of {}: {e}", b.short_id)))?;
            rewritten(tx, right).map(|()| true)
        }
        Repair::SetKept { kept, .. } => {
            let mut right = b.clone();
            right.details.kept = Some(*kept);
            rewritten(tx, right).map(|()| true)
        }
        _ => Ok(false),
    }
}

/// Writes a booking as it should read, and looks again what of its money is due when.
pub(super) fn rewritten(tx: &mut Tx<'_>, mut b: Booking) -> ServiceResult<()> {
    b.updated_at = tx.now;
    b.version = tx.unit.bookings().update(&b, b.version)?;
    settle::wake(tx, &b)
}
