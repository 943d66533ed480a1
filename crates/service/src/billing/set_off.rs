//! Money that waits to be handed back, set against what is owed since. A customer has one account: what they owe is not asked for
//! while we owe them more, and what is handed over is the difference. Somebody was told the larger sum, so that it is on record
//! and told.

use kernel::Money;
use status_machine::payment::{Facts, State};

use super::rows::{scheduled, step};
use crate::{
    ServiceResult, Tx,
    ports::{bookings::Booking, facts::SET_OFF, payments::Payment},
    work::Work,
};

/// Records that `amount` of a refund by hand, which has not left, is kept. The caller lowers the refund itself.
///
/// # Errors
/// When the database fails.
pub(super) fn record_kept(tx: &mut Tx<'_>, b: &Booking, refund: &Payment, amount: Money) -> ServiceResult<()> {
    // Never worked on: it is due since the refund was decided, and was made when it was kept.
    let mut row = scheduled(tx, b.id, refund.kind, amount, refund.created_at);
    step(&mut row, State::Skipped, &Facts { not_needed: true, ..Facts::default() })?;
    (row.next_attempt_at, row.refund_of, row.method) = (None, refund.refund_of, refund.method);
    row.reference = Some(SET_OFF.to_owned());
    tx.unit.payments().insert(&row)?;
    // Whoever was to hand the larger sum over is told by mail, which is no matter of this transaction.
    Ok(tx.enqueue(&Work::TellHandBack { payment_id: row.id })?)
}
