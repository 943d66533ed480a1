//! Lists of invoices for the desk, and the same as a file.

use chrono::{DateTime, Utc};
use kernel::{Money, PartnerId, Zone};
use serde_json::json;
use status_machine::invoice::State;

use super::whose::{home, partner_of, today};
use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff,
    billing::facts::owed,
    ports::{
        Unit,
        bookings::Booking,
        invoices::{Invoice, InvoiceFilter, Purpose},
        lists::Counted,
    },
};

/// Lists are counted, and taken along, no further than this.
pub const MOST: i64 = 10_000;

/// What a list of invoices is filtered by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InvoiceListQuery {
    /// Words in number, booking or customer.
    pub value: Option<String>,
    /// Only in these states; empty: all but deleted drafts.
    pub states: Vec<State>,
    /// For these purposes; empty: all.
    pub purposes: Vec<Purpose>,
    /// Of this partner, for one booking or for many.
    pub partner: Option<PartnerId>,
    /// Issued on this day or later.
    pub from: Option<chrono::NaiveDate>,
    /// Issued on this day or before.
    pub to: Option<chrono::NaiveDate>,
}

/// A row.
#[derive(Debug, Clone)]
pub struct Line {
    /// The invoice.
    pub invoice: Invoice,
    /// Where it stands, as people read it.
    pub state: State,
    /// Its booking; none where it is a partner's.
    pub booking: Option<Booking>,
    /// What people call the booking, or the partner.
    pub about: String,
    /// How many bookings are on it.
    pub bookings: usize,
    /// The name of whoever pays.
    pub buyer: String,
    /// What is left to pay; nothing of a draft, a credit note or one that was taken back.
    pub due: Money,
}

impl Line {
    /// Zone of its days.
    pub fn zone(&self) -> Zone {
        self.booking.as_ref().map_or_else(home, |b| b.zone)
    }

    /// Days since it was to be paid, while something is due.
    pub fn days_late(&self, now: DateTime<Utc>) -> i64 {
        let zone = self.zone();
        match self.invoice.due_at.filter(|_| self.due.is_positive()) {
            Some(due) => (zone.local(now).date - zone.local(due).date).num_days().max(0),
            None => 0,
        }
    }
}

/// A page.
#[derive(Debug, Clone)]
pub struct Lines {
    /// The rows.
    pub data: Vec<Line>,
    /// Of how many.
    pub counted: Counted,
    /// Now, as the server sees it.
    pub at: DateTime<Utc>,
}

impl InvoiceListQuery {
    fn filter(&self, today: DateTime<Utc>) -> InvoiceFilter {
        let midnight = |date: chrono::NaiveDate| home().instant(date, chrono::NaiveTime::MIN).ok();
        InvoiceFilter {
            states: self.states.clone(),
            today: Some(today),
            purposes: self.purposes.clone(),
            partner: self.partner,
            words: self.value.as_deref().map(kernel::sought).unwrap_or_default(),
            issued_from: self.from.and_then(midnight),
            issued_before: self.to.and_then(|d| d.succ_opt()).and_then(midnight),
        }
    }
}

fn lines(u: &mut dyn Unit, found: Vec<Invoice>, today: DateTime<Utc>) -> ServiceResult<Vec<Line>> {
    let mut lines = Vec::with_capacity(found.len());
    for invoice in found {
        let ids = match invoice.booking_id {
            Some(id) => vec![id],
            None => u.invoices().bookings_of(invoice.id)?,
        };
        let mut due = Money::ZERO;
        if invoice.is_in_force() {
            for b in u.bookings().get_all(&ids)? {
                let rows = u.payments().of_booking(b.id)?;
                due = due.plus(owed(&b, &rows));
            }
        }
        let booking = match invoice.booking_id {
            Some(id) => u.bookings().get(id)?,
            None => None,
        };
        let (about, name) = match &booking {
            Some(b) => (b.short_id.as_str().to_owned(), b.details.customer_name.clone()),
            None => {
                let partner = partner_of(u, &invoice)?;
                (partner.short_id(), partner.name)
            }
        };
        let buyer = invoice.paper.as_ref().map_or(name, |p| p.buyer.name.clone());
        let state = invoice.state_on(today);
        lines.push(Line { invoice, state, booking, about, bookings: ids.len(), buyer, due });
    }
    Ok(lines)
}

/// `GET /invoices`.
///
/// # Errors
/// When the database fails.
pub async fn page(
    s: &Services,
    _staff: &Staff,
    query: InvoiceListQuery,
    page: i64,
    per_page: i64,
) -> ServiceResult<Lines> {
    let at = s.clock.now();
    let today = today(at);
    let filter = query.filter(today);
    s.store
        .read(move |u| {
            let skip = page.saturating_sub(1).saturating_mul(per_page);
            let found = u.invoices().listed(&filter, skip, per_page)?;
            Ok(Lines { data: lines(u, found, today)?, counted: u.invoices().counted(&filter, MOST)?, at })
        })
        .await
}

/// Every row of a list. That somebody took it along is on record.
///
/// # Errors
/// `export_too_large` when it is longer than lists are counted.
pub async fn export(s: &Services, staff: &Staff, query: InvoiceListQuery) -> ServiceResult<Vec<Line>> {
    let today = today(s.clock.now());
    let filter = query.filter(today);
    let all = s
        .store
        .read(move |u| {
            if !u.invoices().counted(&filter, MOST)?.is_exact {
                return Err(Error::Refused(ErrorCode::ExportTooLarge, vec![("n", MOST.to_string())]));
            }
            let found = u.invoices().listed(&filter, 0, MOST)?;
            lines(u, found, today)
        })
        .await?;
    let many = all.len();
    s.write(staff.actor(), move |tx| {
        let by = tx.actor.user.map_or_else(String::new, |u| u.to_string());
        tx.audit("invoice.export", by, None, Some(json!({ "rows": many }))).map_err(Error::from)
    })
    .await?;
    Ok(all)
}
