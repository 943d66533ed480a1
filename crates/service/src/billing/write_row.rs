//! What writes the row of a payment down again that somebody deleted: as the ledger has it, once the payment service says the
//! same. No money moves by it.

use kernel::PaymentId;
use status_machine::{At, payment::State};

use super::{difference::What, known::moved, lost, remedy::Repair, set_back};
use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        books::BookingFile,
        payments::{GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
    },
};

/// What writes it down again; none where the payment service says something else than the ledger.
pub(super) fn offered(file: &BookingFile, what: &What, found: &[GatewayTransaction]) -> Option<Repair> {
    let What::RowLost { payment, order, .. } = what else { return None };
    let row = file.rows.iter().find(|r| r.id == *payment && file.lost.contains(payment))?;
    order.is_none().then_some(()).or_else(|| transaction(file, row, found).map(drop))?;
    Some(Repair::WriteRow { payment: *payment, charge: row.kind, amount: row.amount, method: row.method })
}

/// The payment service's key of what moved the row's money. A whole charge that was undone leaves nothing under the order id of
/// its refund: then it is the charge's.
fn transaction(file: &BookingFile, row: &Payment, found: &[GatewayTransaction]) -> Option<GatewayTransaction> {
    let refund = row.kind == PaymentKind::Refund;
    let same = |t: &&GatewayTransaction| {
        moved(t)
            && t.amount == row.amount
            && matches!(t.kind, GatewayKind::Refund { .. }) == refund
            && row.transaction_id.as_ref().is_none_or(|id| *id == t.id)
    };
    let mut all = found.iter().filter(same);
    if let Some(one) = all.next() {
        return all.next().is_none().then(|| one.clone());
    }
    let charge = file.rows.iter().find(|r| refund && Some(r.id) == row.refund_of && r.amount == row.amount)?;
    let id = charge.transaction_id.clone().filter(|_| found.is_empty())?;
    let (order_id, at) = (String::new(), row.created_at);
    Some(GatewayTransaction {
        id,
        order_id,
        amount: row.amount,
        kind: GatewayKind::Charge,
        status: GatewayStatus::Voided,
        created_at: at,
        declined_hard: None,
        code: None,
    })
}

/// Carries out what [`offered`] offered. False: it is something else by now, and nothing was done.
///
/// # Errors
/// When the database fails.
pub(super) fn done(
    tx: &mut Tx<'_>,
    b: &Booking,
    payment: PaymentId,
    found: &[GatewayTransaction],
) -> ServiceResult<bool> {
    let Some(file) = lost::files(tx.unit, &[b.id])?.pop() else { return Ok(false) };
    let Some(mut row) = file.rows.iter().find(|r| r.id == payment && file.lost.contains(&payment)).cloned() else {
        return Ok(false);
    };
    let made = transaction(&file, &row, found);
    if let Some(GatewayKind::Refund { of }) = made.as_ref().map(|t| &t.kind)
        && let Some(charge) =
            file.rows.iter().find(|r| r.kind != PaymentKind::Refund && r.transaction_id.as_ref() == Some(of))
    {
        row.refund_of = Some(charge.id);
    }
    row.transaction_id = made.as_ref().map(|t| t.id.clone()).or(row.transaction_id);
    if *row.state == State::Settled && made.is_some_and(|t| t.status == GatewayStatus::Captured) {
        row.state = At::stored(State::Captured);
    }
    tx.unit.payments().insert(&row)?;
    for mut attempt in file.attempts.into_iter().filter(|a| a.payment_id == payment) {
        if tx.unit.payments().attempt(&attempt.order_id)?.is_none() {
            attempt.transaction_id.clone_from(&row.transaction_id);
            tx.unit.payments().insert_attempt(&attempt)?;
        }
    }
    set_back::rewritten(tx, b.clone()).map(|()| true)
}
