//! Tips.

use diesel::prelude::*;
use kernel::{BookingId, Money, PaymentId, TipId};
use service::ports::{
    StoreResult,
    tips::{Tip, TipKind},
};

use super::parse;

use crate::{
    columns::{Id, Instant},
    error::unknown,
    schema::tips,
};

const TABLE: &str = "tips";

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
            kind: t.kind.code().to_owned(),
            value: t.value.to_string(),
            amount_cents: t.amount.cents(),
            is_paid: t.is_paid,
            payment_id: t.payment_id.map(|p| Id(p.0)),
            version: t.version,
            updated_at: Instant(t.updated_at),
        }
    }
}

impl TipRow {
    pub fn read(self) -> StoreResult<Tip> {
        let id = self.id.0;
        Ok(Tip {
            id: TipId(id),
            booking_id: BookingId(self.booking_id.0),
            kind: TipKind::from_code(&self.kind).ok_or_else(|| unknown(TABLE, "kind", &id, &self.kind))?,
            value: parse(&self.value, TABLE, "value", &id)?,
            amount: Money::from_cents(self.amount_cents),
            is_paid: self.is_paid,
            payment_id: self.payment_id.map(|p| PaymentId(p.0)),
            version: self.version,
            updated_at: self.updated_at.0,
        })
    }
}
