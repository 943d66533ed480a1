//! The mark by which a booking stands on the staff's list of payment troubles.

use status_machine::booking::Status;

use super::{
    apart::owed_by_people,
    facts::{is_given_up, open, waits_for_consent},
};
use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        consents::Standing,
        payments::{Payment, PaymentKind},
    },
};

/// Takes the booking off the staff's list of payment troubles, unless something is still given up, is owed because it went
/// back by nobody's decision here, or waits for a customer who was asked and did not agree. To be called once the rows are
/// what the booking owes.
///
/// # Errors
/// When the database fails.
pub(crate) fn solved(tx: &mut Tx<'_>, b: &mut Booking) -> ServiceResult<()> {
    let unagreed = b.recharge().is_some_and(|c| matches!(c.standing, Standing::Refused | Standing::Lapsed));
    let still =
        |r: &Payment| waits_for_staff(r) || (unagreed && open(r) && r.amount.is_positive() && waits_for_consent(b, r));
    if !b.details.payment_problem {
        return Ok(());
    }
    let rows = tx.unit.payments().of_booking(b.id)?;
    if !rows.iter().any(still) && !owed_by_people(b, &rows).is_positive() {
        b.details.payment_problem = false;
        b.updated_at = tx.now;
        b.version = tx.unit.bookings().update(b, b.version)?;
    }
    Ok(())
}

/// A charge or refund that nothing tries any more. A tip is nobody's debt.
pub(super) fn waits_for_staff(row: &Payment) -> bool {
    is_given_up(row) && row.kind != PaymentKind::Tip
}

/// Shows the booking on the staff's list of payment troubles.
pub(crate) fn problem(tx: &mut Tx<'_>, b: &mut Booking) -> ServiceResult<()> {
    if b.status != Status::Deleted && !b.details.payment_problem {
        b.details.payment_problem = true;
        b.updated_at = tx.now;
        b.version = tx.unit.bookings().update(b, b.version)?;
    }
    Ok(())
}
