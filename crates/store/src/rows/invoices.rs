//! Rows of invoices.

use diesel::prelude::*;
use kernel::{BookingId, Money, PartnerId};
use service::ports::{
    StoreResult,
    invoices::{Invoice, InvoiceId, Number, Purpose},
};
use status_machine::At;

use super::{number, parse, some, time};
use crate::{
    columns::{Doc, Id, Instant},
    error::unknown,
    schema::invoices,
};

const TABLE: &str = "invoices";

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = invoices, treat_none_as_default_value = false, treat_none_as_null = true)]
pub struct InvoiceRow {
    pub id: Id,
    pub booking_id: Option<Id>,
    pub partner_id: Option<Id>,
    pub purpose: String,
    pub state: String,
    pub series: Option<String>,
    pub place: Option<i32>,
    pub number: Option<String>,
    pub credits: Option<Id>,
    pub total_cents: i64,
    pub words: String,
    pub edits: Doc,
    pub paper: Option<Doc>,
    pub receipt: Option<Doc>,
    pub reason: Option<String>,
    pub issued_at: Option<Instant>,
    pub due_at: Option<Instant>,
    pub sent_at: Option<Instant>,
    pub paid_at: Option<Instant>,
    pub voided_at: Option<Instant>,
    pub reminders: i32,
    pub version: i32,
    pub created_at: Instant,
    pub updated_at: Instant,
}

impl InvoiceRow {
    pub fn of(i: &Invoice) -> StoreResult<InvoiceRow> {
        let place = i.number.as_ref().map(|n| i32::try_from(n.place).unwrap_or(i32::MAX));
        Ok(InvoiceRow {
            id: Id(i.id.0),
            booking_id: i.booking_id.map(|b| Id(b.0)),
            partner_id: i.partner_id.map(|p| Id(p.0)),
            purpose: i.purpose.code().to_owned(),
            state: i.state.code().to_owned(),
            series: i.number.as_ref().map(|n| n.series.clone()),
            place,
            number: i.number.as_ref().map(ToString::to_string),
            credits: i.credits.map(|c| Id(c.0)),
            total_cents: i.total.cents(),
            words: i.words.clone(),
            edits: Doc::of(&i.edits)?,
            paper: i.paper.as_ref().map(Doc::of).transpose()?,
            receipt: i.receipt.as_ref().map(Doc::of).transpose()?,
            reason: i.reason.clone(),
            issued_at: some(i.issued_at),
            due_at: some(i.due_at),
            sent_at: some(i.sent_at),
            paid_at: some(i.paid_at),
            voided_at: some(i.voided_at),
            reminders: i32::try_from(i.reminders).unwrap_or(i32::MAX),
            version: i.version,
            created_at: Instant(i.created_at),
            updated_at: Instant(i.updated_at),
        })
    }

    pub fn read(self) -> StoreResult<Invoice> {
        let id = self.id.0;
        let purpose = Purpose::from_code(&self.purpose);
        let drawn = match (self.series, self.place) {
            (Some(series), Some(place)) => Some(Number { series, place: number(place, TABLE, "place", &id)? }),
            _ => None,
        };
        Ok(Invoice {
            id: InvoiceId(id),
            booking_id: self.booking_id.map(|b| BookingId(b.0)),
            partner_id: self.partner_id.map(|p| PartnerId(p.0)),
            purpose: purpose.ok_or_else(|| unknown(TABLE, "purpose", &id, &self.purpose))?,
            state: At::stored(parse(&self.state, TABLE, "state", &id)?),
            number: drawn,
            credits: self.credits.map(|c| InvoiceId(c.0)),
            total: Money::from_cents(self.total_cents),
            words: self.words,
            edits: self.edits.read(TABLE, "edits", &id)?,
            paper: self.paper.map(|d| d.read(TABLE, "paper", &id)).transpose()?,
            receipt: self.receipt.map(|d| d.read(TABLE, "receipt", &id)).transpose()?,
            reason: self.reason,
            issued_at: time(self.issued_at),
            due_at: time(self.due_at),
            sent_at: time(self.sent_at),
            paid_at: time(self.paid_at),
            voided_at: time(self.voided_at),
            reminders: number(self.reminders, TABLE, "reminders", &id)?,
            version: self.version,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}
