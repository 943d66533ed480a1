//! Charges, refunds, and the attempts at them.

use diesel::prelude::*;
use kernel::{BookingId, PaymentId};
use service::ports::{
    StoreError, StoreResult,
    payments::{Attempt, Payment, Payments},
};

use super::{super::Conn, Repos, facts};
use crate::{
    columns::Id,
    error::fault,
    rows::payments::{AttemptRow, PaymentRow},
    schema::{payment_attempts, payments},
    statement::update,
};

const TABLE: &str = "payments";
const ATTEMPTS: &str = "payment_attempts";

/// All rows of a booking, oldest first.
pub fn of_booking(conn: &mut Conn, id: BookingId) -> StoreResult<Vec<Payment>> {
    let rows: Vec<PaymentRow> = payments::table
        .filter(payments::booking_id.eq(Id(id.0)))
        .order((payments::created_at, payments::seq))
        .select(PaymentRow::as_select())
        .load(conn)
        .map_err(fault(TABLE))?;
    rows.into_iter().map(PaymentRow::read).collect()
}

impl Payments for Repos<'_> {
    fn insert(&mut self, payment: &Payment) -> StoreResult<()> {
        diesel::insert_into(payments::table)
            .values(PaymentRow::from(payment))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        if facts::tells(payment) { facts::follow_payment(self.conn, payment.booking_id) } else { Ok(()) }
    }

    fn get(&mut self, id: PaymentId) -> StoreResult<Option<Payment>> {
        let row: Option<PaymentRow> = payments::table
            .filter(payments::id.eq(Id(id.0)))
            .select(PaymentRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(PaymentRow::read).transpose()
    }

    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Payment>> {
        of_booking(self.conn, id)
    }

    fn of_transaction(&mut self, transaction_id: &str) -> StoreResult<Vec<Payment>> {
        let rows: Vec<PaymentRow> = payments::table
            .filter(payments::transaction_id.eq(transaction_id))
            .order((payments::created_at, payments::seq))
            .select(PaymentRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(PaymentRow::read).collect()
    }

    fn update(&mut self, payment: &Payment) -> StoreResult<i32> {
        let row = PaymentRow { version: payment.version.saturating_add(1), ..PaymentRow::from(payment) };
        let known = payments::id.eq(row.id).and(payments::version.eq(payment.version));
        let written = update(payments::table, known, &row).execute(self.conn).map_err(fault(TABLE))?;
        if written != 1 {
            return Err(StoreError::Stale);
        }
        facts::follow_payment(self.conn, payment.booking_id)?;
        Ok(row.version)
    }

    fn insert_attempt(&mut self, attempt: &Attempt) -> StoreResult<()> {
        let added = diesel::insert_into(payment_attempts::table)
            .values(AttemptRow::from(attempt))
            .on_conflict(payment_attempts::order_id)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(ATTEMPTS))?;
        if added == 1 { Ok(()) } else { Err(StoreError::Duplicate("payment_attempts.order_id".to_owned())) }
    }

    fn attempt(&mut self, order_id: &str) -> StoreResult<Option<Attempt>> {
        let row: Option<AttemptRow> = payment_attempts::table
            .find(order_id)
            .select(AttemptRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(ATTEMPTS))?;
        row.map(AttemptRow::read).transpose()
    }

    fn attempts_of(&mut self, id: PaymentId) -> StoreResult<Vec<Attempt>> {
        let rows: Vec<AttemptRow> = payment_attempts::table
            .filter(payment_attempts::payment_id.eq(Id(id.0)))
            .order((payment_attempts::number, payment_attempts::created_at))
            .select(AttemptRow::as_select())
            .load(self.conn)
            .map_err(fault(ATTEMPTS))?;
        rows.into_iter().map(AttemptRow::read).collect()
    }

    fn resolve_attempt(&mut self, attempt: &Attempt) -> StoreResult<()> {
        let row = AttemptRow::from(attempt);
        let changes = (
            payment_attempts::payment_id.eq(row.payment_id),
            payment_attempts::amount_cents.eq(row.amount_cents),
            payment_attempts::state.eq(row.state),
            payment_attempts::transaction_id.eq(row.transaction_id),
            payment_attempts::code.eq(row.code),
            payment_attempts::resolved_at.eq(row.resolved_at),
        );
        let same = payment_attempts::order_id.eq(&attempt.order_id);
        let written = update(payment_attempts::table, same, changes).execute(self.conn).map_err(fault(ATTEMPTS))?;
        if written == 1 { Ok(()) } else { Err(StoreError::Stale) }
    }

    fn rename_attempt(&mut self, from: &str, to: &str) -> StoreResult<()> {
        let same = payment_attempts::order_id.eq(from);
        let changes = payment_attempts::order_id.eq(to);
        let written = update(payment_attempts::table, same, changes).execute(self.conn).map_err(fault(ATTEMPTS))?;
        if written == 1 { Ok(()) } else { Err(StoreError::Stale) }
    }
}
