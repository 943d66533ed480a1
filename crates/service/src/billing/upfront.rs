//! Books the charge of a checkout, which was made before it had a payment row.

use chrono::{DateTime, Utc};
use status_machine::{
    At,
    payment::{Facts, State},
};

use super::{
    ledger, looks,
    rows::{scheduled, step},
};
use crate::{
    ServiceResult, Tx,
    ports::{
        bookings::Booking,
        payments::{Attempt, Payment, PaymentKind},
    },
};

/// What a checkout charged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Charge<'a> {
    /// Under which order id.
    pub order_id: &'a str,
    /// The gateway's key.
    pub transaction_id: &'a str,
    /// The card's token.
    pub method_id: &'a str,
    /// The card's last four digits.
    pub last4: &'a str,
    /// How much.
    pub amount: kernel::Money,
}

/// Writes its row, attempt and ledger entry; `b` is as its prepayments lie now.
///
/// # Errors
/// When the database fails.
pub(crate) fn book(
    tx: &mut Tx<'_>,
    b: &Booking,
    kind: PaymentKind,
    due_at: DateTime<Utc>,
    charge: Charge<'_>,
) -> ServiceResult<Payment> {
    let mut row = scheduled(tx, b.id, kind, charge.amount, due_at);
    let sent = Facts { at_gateway: true, ..Facts::default() };
    step(&mut row, State::Processing, &sent)?;
    step(&mut row, State::Captured, &sent)?;
    row.attempts = 1;
    row.next_attempt_at = None;
    row.transaction_id = Some(charge.transaction_id.to_owned());
    row.card_last4 = Some(charge.last4.to_owned()).filter(|digits| !digits.is_empty());
    row.settled_at = Some(tx.now);
    tx.unit.payments().insert(&row)?;
    tx.unit.payments().insert_attempt(&Attempt {
        order_id: charge.order_id.to_owned(),
        payment_id: row.id,
        number: 1,
        amount: charge.amount,
        method_id: charge.method_id.to_owned(),
        state: At::applied(),
        transaction_id: Some(charge.transaction_id.to_owned()),
        code: None,
        created_at: tx.now,
        sent_at: tx.services.wall.now(),
        resolved_at: Some(tx.now),
    })?;
    ledger::capture(tx, b, &row, charge.order_id)?;
    looks::at_settlement(tx, charge.order_id)?;
    Ok(row)
}
