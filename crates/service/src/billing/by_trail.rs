//! Money by hand whose entry somebody deleted from the ledger: its row says that it moved, and the audit trail that one of the
//! staff wrote it down at that very instant. The two outweigh the ledger, and the entry is posted again.

use kernel::PaymentId;

use super::{
    by_hand, ledger,
    remedy::Repair,
    trail::{self, Deed},
};
use crate::{
    ServiceResult, Tx,
    ports::{Unit, bookings::Booking, books::BookingFile, payments::Payment},
};

/// What posts it again; none where the trail does not tell of it.
///
/// # Errors
/// When the database fails.
pub(super) fn offered(u: &mut dyn Unit, file: &BookingFile, payment: PaymentId) -> ServiceResult<Option<Repair>> {
    let Some(row) = file.rows.iter().find(|r| r.id == payment) else { return Ok(None) };
    if file.entries.iter().any(|e| e.payment_id == Some(payment)) {
        return Ok(None);
    }
    let lines = || ledger::lines_of(&file.booking, row, &file.rows);
    let repair = |_| Repair::PostByHand { payment, amount: row.amount, method: row.method, lines: lines() };
    Ok(written_down(u, row)?.map(repair))
}

fn written_down(u: &mut dyn Unit, row: &Payment) -> ServiceResult<Option<Deed>> {
    let method = serde_json::Value::from(row.method.code());
    let same = |(deed, told): (Deed, serde_json::Value)| (told.get("method") == Some(&method)).then_some(deed);
    Ok(trail::deeds(u, row)?.into_iter().find_map(same))
}

/// Carries out what [`offered`] offered. False: the state has changed, and nothing was done.
///
/// # Errors
/// When the database fails.
pub(super) fn carry_out(tx: &mut Tx<'_>, b: &Booking, payment: PaymentId) -> ServiceResult<bool> {
    let Some(row) = tx.unit.payments().get(payment)? else { return Ok(false) };
    match written_down(tx.unit, &row)? {
        Some(Deed::Received) => ledger::capture(tx, b, &row, &by_hand::fact(&row))?,
        Some(Deed::HandedOver) => ledger::refund(tx, b, &row, &by_hand::fact(&row))?,
        Some(Deed::TakenOut) => ledger::undone(tx, b, &row)?,
        None => return Ok(false),
    }
    Ok(true)
}
