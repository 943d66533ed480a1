//! Messages about invoices, and the documents of messages. An invoice goes along as what it is of, and is drawn from the
//! frozen paper when the message leaves: it is stored once. A contract is drawn from the booking as it is then, and while nobody
//! knows whether the relay took the message, what stands on it stays with the message. Both are dated when the message was
//! written, so that it can be sent once more as it was.

use chrono::{DateTime, DurationRound as _, Utc};
use kernel::{BookingId, Language, Money};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use status_machine::booking::Status;

use super::{
    batches, blocks,
    catalogue::{self, MessageType},
    queue::queue_to_customer,
};
use crate::{
    Error, ServiceResult, Services, Tx,
    billing::facts::owed,
    bookings::fresh_link,
    formats,
    invoices::{
        contract, days, paper, pay,
        sheet::{self, Document},
    },
    ports::{
        Unit,
        bookings::Booking,
        invoices::{Invoice, InvoiceId, Paper, PaperLine, PaperPay},
        logos::LogoId,
        mail::{Attachment, Content},
        messages::Message,
        payments::Payment,
    },
    texts::text,
};

/// Where a message keeps which documents go along; shown by no template.
const ATTACHED: &str = "attachedDocuments";

/// Where a message that may have been sent keeps what stood on its contract; shown by no template.
const FROZEN: &str = "contractAsSent";

/// A contract as it went along.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Frozen {
    file_name: String,
    sheets: Vec<documents::Sheet>,
    logo: Option<LogoId>,
}

/// A document that goes along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Attached {
    Invoice(InvoiceId),
    Contract(BookingId),
    /// The bookings of a partner's paper, for a spreadsheet.
    Bookings(InvoiceId),
}

/// Adds the invoice to what a message says, where its template has one with it.
pub(super) fn attach(kind: &str, invoice: &Invoice, values: &mut Map<String, Value>) {
    if catalogue::type_named(kind).is_some_and(MessageType::has_attachment) {
        values.insert(ATTACHED.to_owned(), json!([Attached::Invoice(invoice.id)]));
    }
}

/// Adds a partner's paper, and its bookings for a spreadsheet.
pub(super) fn attach_batch(invoice: &Invoice, values: &mut Map<String, Value>) {
    values.insert(ATTACHED.to_owned(), json!([Attached::Invoice(invoice.id), Attached::Bookings(invoice.id)]));
}

/// Adds the contract to what a message says, where its template has one with it.
pub(super) fn with_contract(kind: &str, b: &Booking, mut values: Map<String, Value>) -> Map<String, Value> {
    if catalogue::type_named(kind).is_some_and(MessageType::has_attachment) {
        values.insert(ATTACHED.to_owned(), json!([Attached::Contract(b.id)]));
    }
    values
}

/// The documents of a message that leaves now, as of when it was written. A message that may have been sent already has the
/// contract that went along then, or none where none did; `again` are the values by which the very same goes out once more.
///
/// # Errors
/// When the database fails.
pub(super) async fn attachments(s: &Services, m: &Message, again: &mut Value) -> ServiceResult<Vec<Attachment>> {
    let Some(listed) = m.values.get(ATTACHED) else { return Ok(Vec::new()) };
    let listed: Vec<Attached> =
        serde_json::from_value(listed.clone()).map_err(|e| Error::Internal(format!("{ATTACHED}: {e}")))?;
    let (written, services) = (m.created_at, s.clone());
    let kept: Option<Option<Frozen>> = match m.values.get(FROZEN) {
        Some(kept) => {
            Some(serde_json::from_value(kept.clone()).map_err(|e| Error::Internal(format!("{FROZEN}: {e}")))?)
        }
        None => None,
    };
    let (files, frozen) = s
        .store
        .read(move |u| {
            let (mut files, mut kept, mut frozen) = (Vec::new(), kept, None);
            for attached in listed {
                let drawn = match attached {
                    Attached::Invoice(id) => of_invoice(u, id, written)?,
                    Attached::Contract(id) => {
                        let contract = match kept.take() {
                            Some(kept) => kept,
                            None => of_contract(u, &services, id, written)?,
                        };
                        frozen = Some(serde_json::to_value(&contract).map_err(|e| Error::Internal(e.to_string()))?);
                        contract.map(|contract| with_logo(u, contract)).transpose()?
                    }
                    Attached::Bookings(id) => batches::rows_of(u, id)?,
                };
                let Some((file_name, content)) = drawn else { continue };
                let mime = if matches!(content, Content::Bytes(_)) { "text/csv" } else { "application/pdf" };
                files.push(Attachment { file_name, mime: mime.to_owned(), content });
            }
            Ok::<_, Error>((files, frozen))
        })
        .await?;
    if let (Some(frozen), Some(again)) = (frozen, again.as_object_mut()) {
        again.insert(FROZEN.to_owned(), frozen);
    }
    Ok(files)
}

fn of_invoice(u: &mut dyn Unit, id: InvoiceId, written: DateTime<Utc>) -> ServiceResult<Option<(String, Content)>> {
    let Some(invoice) = u.invoices().get(id)? else { return Ok(None) };
    let Some(paper) = &invoice.paper else { return Ok(None) };
    let logo = paper::logo(u, paper)?;
    let content = Content::Sheet(Box::new(sheet::build(&invoice, paper, logo, Document::Invoice, written)));
    let of = invoice.booking_id.map_or_else(|| invoice.number_text(), |b| b.to_string());
    Ok(Some((format!("{of}-invoice.pdf"), content)))
}

/// A booking that was cancelled before its message left has no contract any more: the next message says so.
fn of_contract(u: &mut dyn Unit, s: &Services, id: BookingId, written: DateTime<Utc>) -> ServiceResult<Option<Frozen>> {
    let ended = |b: &Booking| matches!(b.status, Status::Cancelled | Status::Deleted);
    let Some(b) = u.bookings().get(id)?.filter(|b| !ended(b)) else { return Ok(None) };
    let (sheets, logo) = (contract::sheets(u, s, &b, written)?, contract::logo_of(u, s, &b)?);
    Ok(Some(Frozen { file_name: format!("{id}-contract.pdf"), sheets, logo }))
}

fn with_logo(u: &mut dyn Unit, contract: Frozen) -> ServiceResult<(String, Content)> {
    let Frozen { file_name, mut sheets, logo } = contract;
    let logo = match logo {
        Some(id) => u.logos().file(id)?,
        None => None,
    };
    for sheet in &mut sheets {
        sheet.logo.clone_from(&logo);
    }
    Ok((file_name, Content::Sheets(sheets)))
}

/// What a line of a paper says in the language of the message: the booking's own lines are those of `told`, kept on paper
/// as in `kept`; what staff wrote stays as they wrote it.
fn line_text(told: &Booking, kept: &Booking, line: &PaperLine) -> String {
    let l = told.language;
    let own = line.key.split_once(':').and_then(|(index, _)| {
        let index: usize = index.parse().ok()?;
        let stored = kept.details.lines.get(index).filter(|k| k.description == line.description)?;
        told.details.lines.get(index).filter(|t| t.code == stored.code).map(|t| t.description.as_str())
    });
    let ours = || {
        let key =
            ["invoice.credit", "invoice.kept"].into_iter().find(|key| key.ends_with(&format!(".{}", line.key)))?;
        Language::ALL.into_iter().any(|any| text(key, any) == line.description).then(|| text(key, l))
    };
    formats::line_text(own.or_else(ours).unwrap_or(&line.description), l)
}

/// Everything is in the language of the message, whatever that of the paper is. `kept` is the booking as it is stored.
fn common(b: &Booking, kept: &Booking, i: &Invoice, paper: &Paper) -> Map<String, Value> {
    let l = b.language;
    let number = |names: &[&str]| {
        paper.registrations.iter().find(|(name, _)| names.contains(&name.as_str())).map(|(_, number)| number.clone())
    };
    let lines: Vec<_> = paper.lines.iter().map(|p| (line_text(b, kept, p), formats::money(p.amount, l))).collect();
    let taxes: Vec<_> = paper
        .taxes
        .iter()
        .map(|t| (text(&format!("tax.{}", t.tax.code()), l).to_owned(), formats::money(t.amount, l)))
        .collect();
    let values = json!({
        "invoiceNumber": i.number_text(),
        "invoiceDate": i.issued_at.map(|at| formats::date(b.zone.local(at).date, l)),
        "dueDate": i.due_at.map(|at| formats::date(b.zone.local(at).date, l)),
        "priceLines": blocks::rows(&lines, l),
        "taxLines": blocks::rows(&taxes, l),
        "total": formats::money(paper.total, l),
        "amountPaid": formats::money(paper.total.minus(paper.due), l),
        "gstNumber": number(&["gst", paper::GST_HST]),
        "qstNumber": number(&["qst"]),
    });
    match values {
        Value::Object(values) => values,
        _ => Map::new(),
    }
}

fn paper_of(i: &Invoice) -> ServiceResult<&Paper> {
    i.paper.as_ref().ok_or_else(|| Error::Internal(format!("invoice {} has no paper", i.id)))
}

/// Adds how what is owed is paid, and a link for a card where it is paid by one.
///
/// # Errors
/// When the database fails.
pub(super) fn with_ways(
    tx: &mut Tx<'_>,
    b: &Booking,
    i: &Invoice,
    rows: &[Payment],
    values: &mut Map<String, Value>,
) -> ServiceResult<()> {
    let paper = paper_of(i)?;
    let Some(by) = pay::ways_to_pay(b, rows, owed(b, rows)).filter(|_| i.is_in_force()) else { return Ok(()) };
    let link = if by == PaperPay::ByLink { Some(fresh_link::make(tx, b)?.0) } else { None };
    let until = link.as_ref().map(|link| formats::moment(link.expires_at, b.zone, b.language));
    values.insert("payUrl".into(), json!(link.map(|link| link.url)));
    values.insert("howToPay".into(), blocks::items(&pay::in_message(i, paper, by, until, b.language)));
    Ok(())
}

/// `invoiceSent`; whether it was queued: the same one is sent once a minute.
///
/// # Errors
/// When the database fails.
pub fn sent(tx: &mut Tx<'_>, b: &Booking, i: &Invoice) -> ServiceResult<bool> {
    let paper = paper_of(i)?;
    let rows = tx.unit.payments().of_booking(b.id)?;
    let left = owed(b, &rows);
    let mut values = common(b, b, i, paper);
    let due = if i.is_in_force() { left } else { Money::ZERO };
    values.insert("amountDue".into(), json!(due.is_positive().then(|| formats::money(due, b.language))));
    with_ways(tx, b, i, &rows, &mut values)?;
    attach("invoiceSent", i, &mut values);
    let minute = tx.now.duration_trunc(chrono::Duration::minutes(1)).unwrap_or(tx.now);
    queue_to_customer(tx, b, "invoiceSent", &format!("{}:{}", i.id, minute.timestamp()), values)
}

/// `paymentReceived`, once for each time that nothing was due any more.
///
/// # Errors
/// When the database fails.
pub fn payment_received(tx: &mut Tx<'_>, b: &Booking, i: &Invoice) -> ServiceResult<()> {
    let paper = paper_of(i)?;
    let mut values = common(b, b, i, paper);
    values.insert("amountPaid".into(), json!(formats::money(paper.total, b.language)));
    values.insert("paidAt".into(), json!(i.paid_at.map(|at| formats::moment(at, b.zone, b.language))));
    let version = format!("{}:{}", i.id, i.paid_at.unwrap_or(tx.now).timestamp());
    queue_to_customer(tx, b, "paymentReceived", &version, values).map(drop)
}

/// `invoiceReminder`, each once.
///
/// # Errors
/// When the database fails.
pub fn reminder(tx: &mut Tx<'_>, b: &Booking, i: &Invoice, left: Money) -> ServiceResult<()> {
    let paper = paper_of(i)?;
    let mut values = common(b, b, i, paper);
    values.insert("amountDue".into(), json!(formats::money(left, b.language)));
    let rows = tx.unit.payments().of_booking(b.id)?;
    with_ways(tx, b, i, &rows, &mut values)?;
    attach("invoiceReminder", i, &mut values);
    queue_to_customer(tx, b, "invoiceReminder", &format!("{}:{}", i.id, i.reminders), values).map(drop)
}

/// The values of a message about an invoice as of now; none while the invoice has no paper.
///
/// `b` is the booking in the language of the message, `kept` the same as it is stored.
pub(super) fn message_values(
    kind: &str,
    b: &Booking,
    kept: &Booking,
    i: &Invoice,
    rows: &[Payment],
    at: DateTime<Utc>,
) -> Option<Map<String, Value>> {
    let paper = i.paper.as_ref()?;
    let mut values = common(b, kept, i, paper);
    let left = owed(b, rows);
    // A reminder is written on its day, and its link works from then.
    let next = days::next_reminder(i, b.zone).filter(|_| kind == "invoiceReminder");
    let at = next.map_or(at, |next| next.max(at));
    if let Some(by) = pay::ways_to_pay(b, rows, left).filter(|_| kind != "paymentReceived" && i.is_in_force()) {
        // The link itself is made when it is sent: of a draft none opens anything.
        let works = (by == PaperPay::ByLink).then(|| fresh_link::works_until(at));
        let until = works.map(|until| formats::moment(until, b.zone, b.language));
        values.insert("howToPay".into(), blocks::items(&pay::in_message(i, paper, by, until, b.language)));
        if by != PaperPay::ByLink {
            values.insert("payUrl".into(), Value::Null);
        }
    }
    if kind == "paymentReceived" {
        values.insert("amountPaid".into(), json!(formats::money(paper.total, b.language)));
        let paid = i.paid_at?;
        values.insert("paidAt".into(), json!(formats::moment(paid, b.zone, b.language)));
    } else if kind == "invoiceReminder" {
        // Of an invoice that is paid none is sent.
        let due = Some(left).filter(|left| left.is_positive())?;
        values.insert("amountDue".into(), json!(formats::money(due, b.language)));
    } else {
        values.insert("amountDue".into(), json!(left.is_positive().then(|| formats::money(left, b.language))));
    }
    attach(kind, i, &mut values);
    Some(values)
}

/// The documents of one message for another.
pub(super) fn carry_over(from: &Value, to: &mut Map<String, Value>) {
    if let Some(listed) = from.get(ATTACHED) {
        to.insert(ATTACHED.to_owned(), listed.clone());
    }
}
