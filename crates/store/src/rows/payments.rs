//! Charges, refunds and the attempts at them.

use diesel::prelude::*;
use kernel::{BookingId, Money, PaymentId};
use service::ports::{
    StoreResult,
    payments::{Attempt, PaidWith, Payment, PaymentKind},
};

use super::{parse, some, time};
use crate::{
    columns::{Id, Instant},
    error::unknown,
    schema::{payment_attempts, payments},
};
use status_machine::At;

/// Charges and refunds that were declined or given up, and refunds that wait to be handed back: the condition of the index
/// `payments_need_staff`, word for word.
pub const NEED_STAFF: &str = "(payments.state IN ('soft_declined', 'hard_declined', 'failed') OR \
    (payments.kind = 'refund' AND payments.state = 'scheduled' AND payments.method <> 'card'))";

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = payments, treat_none_as_default_value = false, treat_none_as_null = true)]
pub struct PaymentRow {
    pub id: Id,
    pub booking_id: Id,
    pub kind: String,
    pub state: String,
    pub amount_cents: i64,
    pub due_at: Instant,
    pub attempts: i32,
    pub next_attempt_at: Option<Instant>,
    pub refund_of: Option<Id>,
    pub transaction_id: Option<String>,
    pub card_last4: Option<String>,
    pub last_message: Option<String>,
    pub settled_at: Option<Instant>,
    pub version: i32,
    pub created_at: Instant,
    pub method: String,
    pub reference: Option<String>,
}

impl From<&Payment> for PaymentRow {
    fn from(p: &Payment) -> Self {
        PaymentRow {
            id: Id(p.id.0),
            booking_id: Id(p.booking_id.0),
            kind: p.kind.code().to_owned(),
            state: p.state.code().to_owned(),
            amount_cents: p.amount.cents(),
            due_at: Instant(p.due_at),
            attempts: p.attempts,
            next_attempt_at: some(p.next_attempt_at),
            refund_of: p.refund_of.map(|r| Id(r.0)),
            transaction_id: p.transaction_id.clone(),
            card_last4: p.card_last4.clone(),
            last_message: p.last_message.clone(),
            settled_at: some(p.settled_at),
            version: p.version,
            created_at: Instant(p.created_at),
            method: p.method.code().to_owned(),
            reference: p.reference.clone(),
        }
    }
}

impl PaymentRow {
    pub fn read(self) -> StoreResult<Payment> {
        const TABLE: &str = "payments";
        let id = self.id.0;
        Ok(Payment {
            id: PaymentId(id),
            booking_id: BookingId(self.booking_id.0),
            kind: PaymentKind::from_code(&self.kind).ok_or_else(|| unknown(TABLE, "kind", &id, &self.kind))?,
            state: At::stored(parse(&self.state, TABLE, "state", &id)?),
            amount: Money::from_cents(self.amount_cents),
            due_at: self.due_at.0,
            attempts: self.attempts,
            next_attempt_at: time(self.next_attempt_at),
            refund_of: self.refund_of.map(|r| PaymentId(r.0)),
            transaction_id: self.transaction_id,
            card_last4: self.card_last4,
            last_message: self.last_message,
            settled_at: time(self.settled_at),
            version: self.version,
            created_at: self.created_at.0,
            method: PaidWith::from_code(&self.method).ok_or_else(|| unknown(TABLE, "method", &id, &self.method))?,
            reference: self.reference,
        })
    }
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = payment_attempts, treat_none_as_default_value = false, treat_none_as_null = true)]
#[diesel(primary_key(order_id))]
pub struct AttemptRow {
    pub order_id: String,
    pub payment_id: Id,
    pub number: i32,
    pub amount_cents: i64,
    pub method_id: String,
    pub state: String,
    pub transaction_id: Option<String>,
    pub code: Option<String>,
    pub created_at: Instant,
    pub sent_at: Instant,
    pub resolved_at: Option<Instant>,
}

impl From<&Attempt> for AttemptRow {
    fn from(a: &Attempt) -> Self {
        AttemptRow {
            order_id: a.order_id.clone(),
            payment_id: Id(a.payment_id.0),
            number: a.number,
            amount_cents: a.amount.cents(),
            method_id: a.method_id.clone(),
            state: a.state.code().to_owned(),
            transaction_id: a.transaction_id.clone(),
            code: a.code.clone(),
            created_at: Instant(a.created_at),
            sent_at: Instant(a.sent_at),
            resolved_at: some(a.resolved_at),
        }
    }
}

impl AttemptRow {
    pub fn read(self) -> StoreResult<Attempt> {
        Ok(Attempt {
            state: At::stored(parse(&self.state, "payment_attempts", "state", &self.order_id)?),
            order_id: self.order_id,
            payment_id: PaymentId(self.payment_id.0),
            number: self.number,
            amount: Money::from_cents(self.amount_cents),
            method_id: self.method_id,
            transaction_id: self.transaction_id,
            code: self.code,
            created_at: self.created_at.0,
            sent_at: self.sent_at.0,
            resolved_at: time(self.resolved_at),
        })
    }
}
