//! Invoices and their numbers.

use chrono::NaiveDate;
use diesel::prelude::*;
use kernel::{BookingId, PartnerId};
use service::ports::{
    StoreError, StoreResult,
    invoices::{Invoice, InvoiceFilter, InvoiceId, Invoices, Paper, Purpose},
    lists::Counted,
};
use status_machine::invoice::State;

use super::{super::Conn, Repos};
use crate::{
    columns::{Doc, Id, Instant},
    error::fault,
    rows::invoices::InvoiceRow,
    schema::{bookings, invoice_bookings, invoice_series, invoices},
    statement::{containing, update},
};

const TABLE: &str = "invoices";
const SERIES: &str = "invoice_series";
const BOOKINGS: &str = "invoice_bookings";

type Engine = <Conn as diesel::Connection>::Backend;

fn narrowed(wanted: &InvoiceFilter) -> invoices::BoxedQuery<'_, Engine> {
    let mut query = invoices::table.into_boxed::<Engine>();
    let stored = invoices::state.eq_any(wanted.states.iter().map(|s| s.code()));
    query = match (wanted.states.is_empty(), wanted.today) {
        (true, _) => query.filter(invoices::state.ne("deleted")),
        (false, None) => query.filter(stored),
        // As `Invoice::state_on`. What has no due date is never late.
        (false, Some(today)) => {
            let is_late = invoices::state
                .eq(State::Issued.code())
                .and(invoices::purpose.ne(Purpose::CreditNote.code()))
                .and(invoices::due_at.is_not_null())
                .and(invoices::due_at.assume_not_null().lt(Instant(today)));
            match wanted.states.contains(&State::Overdue) {
                true => query.filter(stored.or(is_late)),
                false => query.filter(stored.and(diesel::dsl::not(is_late))),
            }
        }
    };
    if !wanted.purposes.is_empty() {
        query = query.filter(invoices::purpose.eq_any(wanted.purposes.iter().map(|p| p.code())));
    }
    if let Some(partner) = wanted.partner {
        let theirs = bookings::table.filter(bookings::partner_id.eq(Id(partner.0))).select(bookings::id.nullable());
        query = query.filter(invoices::partner_id.eq(Id(partner.0)).or(invoices::booking_id.eq_any(theirs)));
    }
    for word in &wanted.words {
        query = query.filter(invoices::words.like(containing(word)).escape('\\'));
    }
    if let Some(from) = wanted.issued_from {
        query = query.filter(invoices::issued_at.ge(Instant(from)));
    }
    if let Some(before) = wanted.issued_before {
        query = query.filter(invoices::issued_at.lt(Instant(before)));
    }
    query
}

impl Repos<'_> {
    fn count_up(&mut self, series: &str) -> StoreResult<usize> {
        diesel::update(invoice_series::table.find(series))
            .set(invoice_series::last.eq(invoice_series::last + 1))
            .execute(self.conn)
            .map_err(fault(SERIES))
    }
}

impl Repos<'_> {
    /// The paper of an issued invoice as it was written, when it says what `invoice` says: an older program wrote it without
    /// the fields that came later, and what is frozen may not become another document by them.
    fn frozen(&mut self, invoice: &Invoice) -> StoreResult<Option<Doc>> {
        let kept: Option<Option<Doc>> = invoices::table
            .find(Id(invoice.id.0))
            .select(invoices::paper)
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        let Some(doc) = kept.flatten() else { return Ok(None) };
        let paper: Paper = doc.read(TABLE, "paper", &invoice.id.0)?;
        Ok((Some(&paper) == invoice.paper.as_ref()).then_some(doc))
    }
}

impl Invoices for Repos<'_> {
    fn insert(&mut self, invoice: &Invoice) -> StoreResult<()> {
        let row = InvoiceRow::of(invoice)?;
        diesel::insert_into(invoices::table).values(row).execute(self.conn).map(drop).map_err(fault(TABLE))
    }

    fn update(&mut self, invoice: &Invoice) -> StoreResult<i32> {
        let paper = self.frozen(invoice)?;
        let row = InvoiceRow { version: invoice.version.saturating_add(1), ..InvoiceRow::of(invoice)? };
        let row = InvoiceRow { paper: paper.or(row.paper), ..row };
        let known = invoices::id.eq(row.id).and(invoices::version.eq(invoice.version));
        let written = update(invoices::table, known, &row).execute(self.conn).map_err(fault(TABLE))?;
        if written == 1 { Ok(row.version) } else { Err(StoreError::Stale) }
    }

    fn get(&mut self, id: InvoiceId) -> StoreResult<Option<Invoice>> {
        let row: Option<InvoiceRow> = invoices::table
            .filter(invoices::id.eq(Id(id.0)))
            .select(InvoiceRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(InvoiceRow::read).transpose()
    }

    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Invoice>> {
        let rows: Vec<InvoiceRow> = invoices::table
            .filter(
                invoices::booking_id.eq(Id(id.0)).or(invoices::id.eq_any(
                    invoice_bookings::table
                        .filter(invoice_bookings::booking_id.eq(Id(id.0)))
                        .select(invoice_bookings::invoice_id),
                )),
            )
            .order(invoices::seq)
            .select(InvoiceRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(InvoiceRow::read).collect()
    }

    fn notes_of(&mut self, id: InvoiceId) -> StoreResult<Vec<Invoice>> {
        let rows: Vec<InvoiceRow> = invoices::table
            .filter(invoices::credits.eq(Id(id.0)))
            .order(invoices::seq)
            .select(InvoiceRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(InvoiceRow::read).collect()
    }

    fn bookings_of(&mut self, id: InvoiceId) -> StoreResult<Vec<BookingId>> {
        let ids: Vec<Id> = invoice_bookings::table
            .filter(invoice_bookings::invoice_id.eq(Id(id.0)))
            .order(invoice_bookings::booking_id)
            .select(invoice_bookings::booking_id)
            .load(self.conn)
            .map_err(fault(BOOKINGS))?;
        Ok(ids.into_iter().map(|id| BookingId(id.0)).collect())
    }

    fn put_bookings(&mut self, id: InvoiceId, bookings: &[BookingId], live: bool) -> StoreResult<()> {
        let mut ids: Vec<Id> = bookings.iter().map(|b| Id(b.0)).collect();
        ids.sort_by_key(|id| id.0);
        diesel::delete(invoice_bookings::table.filter(invoice_bookings::invoice_id.eq(Id(id.0))))
            .execute(self.conn)
            .map_err(fault(BOOKINGS))?;
        // One by one and in one order, so that two who want the same bookings wait for each other.
        for booking in ids {
            let row = (
                invoice_bookings::invoice_id.eq(Id(id.0)),
                invoice_bookings::booking_id.eq(booking),
                invoice_bookings::live.eq(live),
            );
            diesel::insert_into(invoice_bookings::table).values(row).execute(self.conn).map_err(fault(BOOKINGS))?;
        }
        Ok(())
    }

    fn uninvoiced(
        &mut self,
        partner: PartnerId,
        from: NaiveDate,
        to: NaiveDate,
        limit: i64,
    ) -> StoreResult<Vec<BookingId>> {
        let taken =
            invoice_bookings::table.filter(invoice_bookings::live.eq(true)).select(invoice_bookings::booking_id);
        let ids: Vec<Id> = bookings::table
            .filter(bookings::partner_id.eq(Id(partner.0)))
            .filter(bookings::status.eq("completed"))
            .filter(bookings::move_date.between(from, to))
            .filter(bookings::id.ne_all(taken))
            .order((bookings::move_at, bookings::id))
            .limit(limit.max(0))
            .select(bookings::id)
            .load(self.conn)
            .map_err(fault("bookings"))?;
        Ok(ids.into_iter().map(|id| BookingId(id.0)).collect())
    }

    fn draw(&mut self, series: &str) -> StoreResult<u32> {
        // Counting up locks the row on both engines until the end of the transaction.
        if self.count_up(series)? == 0 {
            let first = (invoice_series::series.eq(series), invoice_series::last.eq(1));
            let made = diesel::insert_into(invoice_series::table)
                .values(first)
                .on_conflict_do_nothing()
                .execute(self.conn)
                .map_err(fault(SERIES))?;
            // Somebody else began it meanwhile.
            if made == 0 {
                self.count_up(series)?;
            }
        }
        let last: i32 =
            invoice_series::table.find(series).select(invoice_series::last).first(self.conn).map_err(fault(SERIES))?;
        u32::try_from(last).map_err(|e| StoreError::Other(format!("{SERIES}: {e}")))
    }

    fn listed(&mut self, wanted: &InvoiceFilter, skip: i64, limit: i64) -> StoreResult<Vec<Invoice>> {
        let rows: Vec<InvoiceRow> = narrowed(wanted)
            .order((invoices::created_at.desc(), invoices::id.desc()))
            .offset(skip.max(0))
            .limit(limit.max(0))
            .select(InvoiceRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(InvoiceRow::read).collect()
    }

    fn counted(&mut self, wanted: &InvoiceFilter, most: i64) -> StoreResult<Counted> {
        let total: i64 = narrowed(wanted).count().get_result(self.conn).map_err(fault(TABLE))?;
        Ok(Counted { total: total.min(most), is_exact: total <= most })
    }
}
