//! A payment by link whose charge has arrived.

use super::checkout::PendingPayment;
use crate::{
    Error, ServiceResult, Tx,
    billing::{
        facts::captured,
        settle, trouble,
        upfront::{self, Charge},
    },
    mailing,
    ports::{facts::LINK, payments::PaymentKind},
};

/// The money arrived: its row, the ledger, the message. What the booking does not owe by now goes back.
pub(super) fn complete(tx: &mut Tx<'_>, pay: &PendingPayment, charge: Charge<'_>) -> ServiceResult<()> {
    let mut booking = tx
        .unit
        .bookings()
        .lock(pay.booking)?
        .ok_or_else(|| Error::Internal(format!("booking {} vanished", pay.booking)))?;
    let rows = tx.unit.payments().of_booking(booking.id)?;
    let kind = if captured(&rows).is_positive() { PaymentKind::Difference } else { PaymentKind::Full };
    let mut row = upfront::book(tx, &booking, kind, tx.now, charge)?;
    row.reference = Some(LINK.to_owned());
    row.version = tx.unit.payments().update(&row)?;
    settle::settle(tx, &mut booking)?;
    trouble::solved(tx, &mut booking)?;
    mailing::payment_made(tx, &booking, &row)?;
    Ok(tx.audit("booking.pay", booking.id, None, Some(serde_json::json!({ "amount": row.amount })))?)
}
