//! The order id of an attempt: the payment service's key of what we ask for.

use super::facts::is_lock;
use crate::{
    ServiceResult,
    ports::{
        Unit,
        bookings::Booking,
        payments::{Payment, PaymentKind},
    },
};

/// Unique and deterministic: booking, kind, and how many attempts of that kind there were. Order ids in the ledger and of
/// returned stray charges count as used, also where somebody deleted their attempt: a request with an id that was used would
/// be answered with the old transaction.
///
/// # Errors
/// When the database fails.
pub(super) fn next(u: &mut dyn Unit, b: &Booking, kind: PaymentKind, rows: &[Payment]) -> ServiceResult<String> {
    let mut made = 0usize;
    for row in rows {
        if row.kind == kind || (is_lock(row) && matches!(kind, PaymentKind::Balance | PaymentKind::Full)) {
            made += u.payments().attempts_of(row.id)?.len();
        }
    }
    loop {
        made += 1;
        let order = format!("{}-{}-{made}", b.short_id, kind.code());
        let facts = ["capture", "refund"].map(|word| format!("{word}:{order}"));
        let used = u.payments().attempt(&order)?.is_some()
            || u.strays().get(&order)?.is_some()
            || !u.books().moved_at_gateway(&facts)?.is_empty();
        if !used {
            return Ok(order);
        }
    }
}
