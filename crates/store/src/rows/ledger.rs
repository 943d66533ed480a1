//! Ledger entries and their lines.

use diesel::prelude::*;
use kernel::{BookingId, EntryId, Money, PaymentId};
use service::ports::{
    StoreResult,
    ledger::{Account, Entry, EntryLine},
};

use crate::{
    columns::{Id, Instant},
    error::unknown,
    schema::{ledger_entries, ledger_lines},
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = ledger_entries, treat_none_as_default_value = false)]
pub struct EntryRow {
    pub id: Id,
    pub booking_id: Id,
    pub payment_id: Option<Id>,
    pub at: Instant,
    pub kind: String,
    pub fact_key: String,
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = ledger_lines, treat_none_as_default_value = false)]
pub struct LineRow {
    pub entry_id: Id,
    pub position: i32,
    pub account: String,
    pub amount_cents: i64,
}

impl From<&Entry> for EntryRow {
    fn from(e: &Entry) -> Self {
        EntryRow {
            id: Id(e.id.0),
            booking_id: Id(e.booking_id.0),
            payment_id: e.payment_id.map(|p| Id(p.0)),
            at: Instant(e.at),
            kind: e.kind.clone(),
            fact_key: e.fact_key.clone(),
        }
    }
}

impl EntryRow {
    pub fn read(self, lines: Vec<LineRow>) -> StoreResult<Entry> {
        let id = self.id.0;
        let lines = lines.into_iter().map(LineRow::read).collect::<StoreResult<Vec<_>>>()?;
        let payment = self.payment_id.map(|p| PaymentId(p.0));
        let booking = BookingId(self.booking_id.0);
        // Also where its lines do not sum to zero: whoever reads tells that, and everything else can be read.
        Ok(Entry::stored(EntryId(id), booking, payment, self.at.0, self.kind, self.fact_key, lines))
    }
}

impl LineRow {
    pub fn of(entry: &Entry) -> Vec<LineRow> {
        let line = |(position, line): (i32, &EntryLine)| LineRow {
            entry_id: Id(entry.id.0),
            position,
            account: line.account.code().to_owned(),
            amount_cents: line.amount.cents(),
        };
        (1..).zip(entry.lines()).map(line).collect()
    }

    fn read(self) -> StoreResult<EntryLine> {
        Ok(EntryLine {
            account: account(&self.account, &self.entry_id.0)?,
            amount: Money::from_cents(self.amount_cents),
        })
    }
}

/// The account of a stored code.
pub fn account(code: &str, row: &impl ToString) -> StoreResult<Account> {
    Account::from_code(code).ok_or_else(|| unknown("ledger_lines", "account", row, code))
}
