//! Lists of invoices, and the same for a spreadsheet.

use actix_web::web;
use kernel::{
    PartnerId,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    invoices::list::{self, InvoiceListQuery, Line, Lines},
    ports::invoices::Purpose,
};
use utoipa::ToSchema;

use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Made, Reply, made},
        spreadsheet::{self, text},
        values::{Cash, InvoicePurposeCode, InvoiceStateCode},
    },
    contract::{CommonError, DeclaredAnswer, refusals},
    http::{PathId, ValidQuery},
    state::State,
};

refusals! {
    /// Why a list is not taken along.
    ExportRefusal { Rule: ExportTooLarge }
}

made! {
    /// Rows with their names, UTF-8 with a byte order mark.
    InvoiceListFile: DeclaredAnswer::plain(200, "The list, with the names of its columns.", "text/csv");
}

/// Which rows.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct InvoiceQuery {
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "twenty")]
    #[schema(minimum = 1, maximum = 100, default = 20)]
    per_page: i64,
    /// Words of number, booking or customer.
    #[schema(max_length = 200)]
    value: Option<String>,
    /// States with commas between them; none: all but drafts that were thrown away.
    #[schema(max_length = 100)]
    states: Option<String>,
    /// `move`, `cancellation`, `batch`, `credit_note` with commas between them.
    #[schema(max_length = 100)]
    purposes: Option<String>,
    /// Issued on this day or later, Montreal's.
    #[schema(value_type = Option<String>, format = Date)]
    from: Option<NaiveDate>,
    /// Issued on this day or before.
    #[schema(value_type = Option<String>, format = Date)]
    to: Option<NaiveDate>,
}

/// Which list is taken along.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct InvoiceExportQuery {
    /// As in the list.
    #[schema(max_length = 200)]
    value: Option<String>,
    /// As in the list.
    #[schema(max_length = 100)]
    states: Option<String>,
    /// As in the list.
    #[schema(max_length = 100)]
    purposes: Option<String>,
    /// As in the list.
    #[schema(value_type = Option<String>, format = Date)]
    from: Option<NaiveDate>,
    /// As in the list.
    #[schema(value_type = Option<String>, format = Date)]
    to: Option<NaiveDate>,
}

const fn first() -> i64 {
    1
}

const fn twenty() -> i64 {
    20
}

/// A row of the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceRow {
    id: String,
    /// None where it is a partner's.
    booking_id: Option<String>,
    /// What people call the booking, or the partner.
    short_id: String,
    /// How many bookings are on it.
    bookings: usize,
    #[schema(value_type = InvoicePurposeCode)]
    purpose: &'static str,
    #[schema(value_type = InvoiceStateCode)]
    state: &'static str,
    number: Option<String>,
    buyer: String,
    issued_at: Option<DateTime<Utc>>,
    due_at: Option<DateTime<Utc>>,
    total: Cash,
    /// What is left to pay; zero of a draft and a credit note.
    due: Cash,
    /// Days since it was to be paid, while something is due.
    days_late: i64,
    /// Zone of its days.
    zone: String,
}

/// A page of the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoicePage {
    /// Rows.
    data: Vec<InvoiceRow>,
    /// Of how many, as far as they are counted.
    total: i64,
    /// False: there are more.
    total_is_exact: bool,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

fn codes<T>(field: &'static str, sent: Option<&str>, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, CommonError> {
    let parts = sent.unwrap_or_default().split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| read(part).ok_or_else(|| CommonError::field(field, FieldProblem::Unknown))).collect()
}

struct Sent {
    value: Option<String>,
    states: Option<String>,
    purposes: Option<String>,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
}

fn wish(sent: Sent) -> Result<InvoiceListQuery, CommonError> {
    Ok(InvoiceListQuery {
        value: sent.value,
        states: codes("states", sent.states.as_deref(), |code| code.parse().ok())?,
        purposes: codes("purposes", sent.purposes.as_deref(), Purpose::from_code)?,
        partner: None,
        from: sent.from,
        to: sent.to,
    })
}

pub(super) async fn list(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<InvoiceQuery>,
) -> Reply<Json<InvoicePage>> {
    let InvoiceQuery { page, per_page, value, states, purposes, from, to } = query.value;
    let wish = wish(Sent { value, states, purposes, from, to })?;
    let found = list::page(&state.services, &who.0, wish, page, per_page).await?;
    Ok(Json(answer(&found, page, per_page)))
}

/// A partner's, for one booking or for many.
pub(super) async fn of_partner(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<PartnerId>,
    query: ValidQuery<InvoiceQuery>,
) -> Reply<Json<InvoicePage>> {
    let InvoiceQuery { page, per_page, value, states, purposes, from, to } = query.value;
    let wish = InvoiceListQuery { partner: Some(id.0), ..wish(Sent { value, states, purposes, from, to })? };
    let found = list::page(&state.services, &who.0, wish, page, per_page).await?;
    Ok(Json(answer(&found, page, per_page)))
}

fn answer(found: &Lines, page: i64, per_page: i64) -> InvoicePage {
    let row = |line: &Line| InvoiceRow {
        id: line.invoice.id.to_string(),
        booking_id: line.invoice.booking_id.map(|b| b.to_string()),
        short_id: line.about.clone(),
        bookings: line.bookings,
        purpose: line.invoice.purpose.code(),
        state: line.state.code(),
        number: line.invoice.number.as_ref().map(ToString::to_string),
        buyer: line.buyer.clone(),
        issued_at: line.invoice.issued_at,
        due_at: line.invoice.due_at,
        total: line.invoice.total.into(),
        due: line.due.into(),
        days_late: line.days_late(found.at),
        zone: line.zone().to_string(),
    };
    InvoicePage {
        data: found.data.iter().map(row).collect(),
        total: found.counted.total,
        total_is_exact: found.counted.is_exact,
        page,
        per_page,
    }
}

pub(super) async fn export(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<InvoiceExportQuery>,
) -> Reply<Made<InvoiceListFile>, ExportRefusal> {
    let InvoiceExportQuery { value, states, purposes, from, to } = query.value;
    let wish = wish(Sent { value, states, purposes, from, to })?;
    let lines = list::export(&state.services, &who.0, wish).await?;
    Ok(Made::new(spreadsheet::response("invoices", file(&lines))))
}

const COLUMNS: [&str; 17] = [
    "number", "purpose", "state", "issuedOn", "dueOn", "customer", "booking", "subtotal", "gst", "qst", "hst", "total",
    "due", "currency", "credits", "reason", "id",
];

fn file(lines: &[Line]) -> String {
    spreadsheet::file(&COLUMNS.join(","), lines.iter().map(row))
}

/// A credit note's amounts are below zero, so that columns add up.
fn row(line: &Line) -> String {
    let (i, zone) = (&line.invoice, line.zone());
    let is_note = i.purpose == Purpose::CreditNote;
    let signed = |m: kernel::Money| if is_note { m.negated().to_string() } else { m.to_string() };
    let day = |at: Option<DateTime<Utc>>| at.map(|at| zone.local(at).date.to_string()).unwrap_or_default();
    let paper = i.paper.as_ref();
    let tax = |code: &str| -> String {
        let taxes = paper.map(|p| p.taxes.iter().filter(|t| t.tax.code() == code).map(|t| t.amount));
        taxes.map(|amounts| signed(amounts.sum())).unwrap_or_default()
    };
    let cells: [String; 17] = [
        text(&i.number_text()),
        i.purpose.code().to_owned(),
        line.state.code().to_owned(),
        day(i.issued_at),
        day(i.due_at),
        text(&line.buyer),
        text(&line.about),
        paper.map(|p| signed(p.subtotal)).unwrap_or_default(),
        tax("gst"),
        tax("qst"),
        tax("hst"),
        signed(i.total),
        line.due.to_string(),
        "CAD".to_owned(),
        text(paper.and_then(|p| p.credited_number.as_deref()).unwrap_or_default()),
        text(i.reason.as_deref().unwrap_or_default()),
        i.id.to_string(),
    ];
    cells.join(",")
}
