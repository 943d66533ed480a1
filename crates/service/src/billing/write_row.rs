//! The repair that writes a deleted payment row again, as the ledger has it, once the payment service says the same. No money
//! moves by it.

use kernel::PaymentId;
use status_machine::{At, payment::State};

use super::{difference::DifferenceKind, known::moved, lost, remedy::Repair, set_back};
use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        books::BookingFile,
        payments::{Attempt, GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
    },
};

/// What writes it down again; none where the payment service says something else than the ledger.
pub(super) fn offered(file: &BookingFile, what: &DifferenceKind, found: &[GatewayTransaction]) -> Option<Repair> {
    let DifferenceKind::RowLost { payment, .. } = what else { return None };
    let row = written(file, *payment, found)?;
    Some(Repair::WriteRow { payment: *payment, charge: row.kind, amount: row.amount, method: row.method })
}

/// The row as it is to be written, with what the payment service knows of its money.
fn written(file: &BookingFile, payment: PaymentId, found: &[GatewayTransaction]) -> Option<Payment> {
    let row = file.rows.iter().find(|r| r.id == payment && file.lost.contains(&payment))?;
    if row.method.is_by_hand() {
        return Some(row.clone());
    }
    let refund = row.kind == PaymentKind::Refund;
    let same = |t: &&GatewayTransaction| {
        moved(t)
            && t.amount == row.amount
            && matches!(t.kind, GatewayKind::Refund { .. }) == refund
            && row.transaction_id.as_ref().is_none_or(|id| *id == t.id)
    };
    let mut all = found.iter().filter(same);
    match (all.next(), all.next()) {
        (Some(made), None) => Some(made_as(file, row, made)),
        (None, _) if refund && found.is_empty() => {
            // A whole charge that was undone leaves nothing under the order id of its refund: the key is the charge's.
            let charge = file.rows.iter().find(|r| Some(r.id) == row.refund_of && r.amount == row.amount)?;
            Some(Payment { transaction_id: Some(charge.transaction_id.clone()?), ..row.clone() })
        }
        _ => None,
    }
}

fn made_as(file: &BookingFile, row: &Payment, made: &GatewayTransaction) -> Payment {
    let mut row = Payment { transaction_id: Some(made.id.clone()), ..row.clone() };
    if let GatewayKind::Refund { of } = &made.kind
        && let Some(charge) = file.rows.iter().find(|r| r.kind.is_charge() && r.transaction_id.as_ref() == Some(of))
    {
        row.refund_of = Some(charge.id);
    }
    if *row.state == State::Settled && made.status == GatewayStatus::Captured {
        row.state = At::stored(State::Captured);
    }
    row
}

/// Carries out what [`offered`] offered. False: the state has changed, and nothing was done.
///
/// # Errors
/// When the database fails.
pub(super) fn carry_out(
    tx: &mut Tx<'_>,
    b: &Booking,
    payment: PaymentId,
    found: &[GatewayTransaction],
) -> ServiceResult<bool> {
    let Some(file) = lost::files(tx.unit, &[b.id])?.pop() else { return Ok(false) };
    let Some(row) = written(&file, payment, found) else { return Ok(false) };
    tx.unit.payments().insert(&row)?;
    for attempt in file.attempts.into_iter().filter(|a| a.payment_id == payment) {
        if tx.unit.payments().attempt(&attempt.order_id)?.is_none() {
            tx.unit.payments().insert_attempt(&Attempt { transaction_id: row.transaction_id.clone(), ..attempt })?;
        }
    }
    set_back::rewritten(tx, b.clone()).map(|()| true)
}
