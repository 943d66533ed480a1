//! Write-offs: amounts that were given up and that nobody owes any more.

use kernel::{Money, PaymentId};
use status_machine::booking::Status;

use super::{
    facts::{captured, refunded},
    ledger,
};
use crate::{ServiceResult, Tx, ports::bookings::Booking};

/// A price that falls, or a cancellation that keeps less, asks for less than was given up: so much of it was no loss, the
/// newest first. `b` is as it will be, and is not written yet.
///
/// # Errors
/// When the database fails.
pub fn trim(tx: &mut Tx<'_>, b: &mut Booking) -> ServiceResult<()> {
    if b.details.write_offs.is_empty() {
        return Ok(());
    }
    let rows = tx.unit.payments().of_booking(b.id)?;
    let due = match b.status {
        Status::Cancelled => b.retained(),
        Status::Deleted => Money::ZERO,
        _ => b.due(),
    };
    let missing = due.minus(captured(&rows).minus(refunded(&rows))).max(Money::ZERO);
    let mut excess = b.written_off().minus(missing).max(Money::ZERO);
    let mut ended: Vec<(PaymentId, Money)> = Vec::new();
    for given_up in b.details.write_offs.iter_mut().rev() {
        let ends = excess.min(given_up.amount);
        excess = excess.minus(ends);
        given_up.amount = given_up.amount.minus(ends);
        ended.push((given_up.payment, ends));
    }
    b.details.write_offs.retain(|w| w.amount.is_positive());
    for (payment, amount) in ended.into_iter().filter(|(_, amount)| amount.is_positive()) {
        ledger::write_off_ended(tx, b, payment, amount)?;
    }
    Ok(())
}
