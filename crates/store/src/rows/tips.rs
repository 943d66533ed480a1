//! Tips.

use diesel::prelude::*;
use kernel::{BookingId, Money, PaymentId, TipId};
use service::ports::tips::Tip;

use crate::{
    columns::{Id, Instant},
    schema::tips,
};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = tips, treat_none_as_default_value = false, treat_none_as_null = true)]
#[diesel(primary_key(booking_id))]
pub struct TipRow {
    pub id: Id,
    pub booking_id: Id,
    pub kind: String,
    pub value: String,
    pub amount_cents: i64,
    pub is_paid: bool,
    pub payment_id: Option<Id>,
    pub version: i32,
    pub updated_at: Instant,
}

impl From<&Tip> for TipRow {
    fn from(t: &Tip) -> Self {
        TipRow {
            id: Id(t.id.0),
            booking_id: Id(t.booking_id.0),
            kind: t.kind.clone(),
            value: t.value.clone(),
            amount_cents: t.amount.cents(),
            is_paid: t.is_paid,
            payment_id: t.payment_id.map(|p| Id(p.0)),
            version: t.version,
            updated_at: Instant(t.updated_at),
        }
    }
}

impl From<TipRow> for Tip {
    fn from(r: TipRow) -> Self {
        Tip {
            id: TipId(r.id.0),
            booking_id: BookingId(r.booking_id.0),
            kind: r.kind,
            value: r.value,
            amount: Money::from_cents(r.amount_cents),
            is_paid: r.is_paid,
            payment_id: r.payment_id.map(|p| PaymentId(p.0)),
            version: r.version,
            updated_at: r.updated_at.0,
        }
    }
}
