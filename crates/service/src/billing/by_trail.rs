//! Money by hand whose entry somebody deleted from the ledger: its row says that it moved, and the audit trail that one of the
//! staff wrote it down at that very instant. The two outweigh the ledger, and the entry is posted again.

use kernel::PaymentId;

use super::{by_hand, ledger, remedy::Repair};
use crate::{
    ServiceResult, Tx,
    ports::{
        Unit,
        audit::AuditRow,
        bookings::Booking,
        books::BookingFile,
        payments::{Payment, PaymentKind},
    },
};

/// What staff wrote down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deed {
    Received,
    HandedOver,
    TakenOut,
}

impl Deed {
    /// The deed that an action of the trail is, and the name under which it tells of the money.
    fn of(action: &str) -> Option<(Deed, &'static str)> {
        match action {
            "booking.receive" => Some((Deed::Received, "payment")),
            "booking.hand_over" | "booking.pay_back" => Some((Deed::HandedOver, "refund")),
            "booking.undo_payment" => Some((Deed::TakenOut, "payment")),
            _ => None,
        }
    }
}

/// An action of the trail by which staff wrote down money by hand.
pub fn is_by_hand(action: &str) -> bool {
    Deed::of(action).is_some()
}

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
    let Some(at) = row.settled_at.filter(|_| row.method.is_by_hand()) else { return Ok(None) };
    let method = serde_json::Value::from(row.method.code());
    let amount = serde_json::to_value(row.amount).unwrap_or_default();
    let same = |a: &AuditRow| {
        let (deed, name) = Deed::of(&a.action).filter(|_| a.at == at)?;
        let told = a.after.as_ref()?.get(name)?;
        // Of what is taken out the trail tells the whole; a part of it may have gone back before.
        let whole = deed == Deed::TakenOut || told.get("amount") == Some(&amount);
        let kind = (row.kind == PaymentKind::Refund) == (deed != Deed::Received);
        (whole && kind && told.get("method") == Some(&method)).then_some(deed)
    };
    Ok(u.audits().of_subject("booking", &row.booking_id.to_string())?.iter().find_map(same))
}

/// Carries out what [`offered`] offered. False: it is something else by now, and nothing was done.
///
/// # Errors
/// When the database fails.
pub(super) fn done(tx: &mut Tx<'_>, b: &Booking, payment: PaymentId) -> ServiceResult<bool> {
    let Some(row) = tx.unit.payments().get(payment)? else { return Ok(false) };
    match written_down(tx.unit, &row)? {
        Some(Deed::Received) => ledger::capture(tx, b, &row, &by_hand::fact(&row))?,
        Some(Deed::HandedOver) => ledger::refund(tx, b, &row, &by_hand::fact(&row))?,
        Some(Deed::TakenOut) => ledger::undone(tx, b, &row)?,
        None => return Ok(false),
    }
    Ok(true)
}
