//! Messages to a partner about the one invoice for its moves: it came, it is overdue, it is paid.

use chrono::DurationRound as _;
use kernel::{Email, Money, greeted};
use serde_json::{Map, Value, json};

use super::{
    blocks,
    invoices::attach_batch,
    queue::{NewMessage, queue_once},
    values::html_lang,
};
use crate::{
    Error, ServiceResult, Tx, formats,
    invoices::{pay, whose::home},
    ports::{
        Unit,
        bookings::Booking,
        directory::PartnerRecord,
        invoices::{Invoice, InvoiceId, Paper, PaperBooking, PaperPay},
        mail::Content,
    },
};

const KIND: &str = "partnerInvoice";

/// To whom a partner's papers go: the first of its people who has an address.
pub fn recipient(partner: &PartnerRecord) -> Option<(Email, String)> {
    partner.contacts.iter().find_map(|c| Some((c.email.parse().ok()?, c.name.clone())))
}

fn paper_of(i: &Invoice) -> ServiceResult<&Paper> {
    i.paper.as_ref().ok_or_else(|| Error::Internal(format!("invoice {} has no paper", i.id)))
}

fn common(i: &Invoice, paper: &Paper, name: &str) -> Map<String, Value> {
    let l = paper.language;
    let day = |date| formats::date(date, l);
    let local = |at| day(home().local(at).date);
    let (from, to) = paper.period.unwrap_or((paper.move_date, paper.move_date));
    super::values::object(json!({
        "lang": html_lang(l),
        "customerFirstName": greeted(name),
        "customerFullName": name,
        // As on the paper, whatever it is called by now.
        "partnerName": paper.buyer.name,
        "invoiceNumber": i.number_text(),
        "periodStart": day(from),
        "periodEnd": day(to),
        // One of a single booking lists none.
        "deliveryCount": paper.bookings.len().max(1),
        "total": formats::money(paper.total, l),
        "dueDate": i.due_at.map(local),
    }))
}

/// Queues it, once a version; false as well where the partner has nobody with an address.
fn queue(
    tx: &mut Tx<'_>,
    partner: &PartnerRecord,
    i: &Invoice,
    version: &str,
    own: Map<String, Value>,
) -> ServiceResult<bool> {
    let Some((to, to_name)) = recipient(partner) else {
        tracing::warn!(partner = %partner.short_id(), "a partner has no address for its invoice");
        return Ok(false);
    };
    let paper = paper_of(i)?;
    let mut values = common(i, paper, &to_name);
    values.extend(own);
    let message = NewMessage {
        dedup_key: format!("{}:{KIND}:{version}", i.id),
        booking_id: None,
        user_id: None,
        message_type: KIND.to_owned(),
        language: paper.language,
        to,
        to_name,
        values: Value::Object(values),
    };
    Ok(queue_once(tx, message, None)?)
}

fn owing(left: Money, i: &Invoice) -> ServiceResult<Map<String, Value>> {
    let l = paper_of(i)?.language;
    let mut values = Map::new();
    values.insert("amountDue".into(), json!(left.is_positive().then(|| formats::money(left, l))));
    if left.is_positive() && i.is_in_force() {
        let ways = pay::in_message(i, paper_of(i)?, PaperPay::ByHand, None, l);
        values.insert("howToPay".into(), blocks::items(&ways));
    }
    attach_batch(i, &mut values);
    Ok(values)
}

/// The paper with its bookings; whether it was queued: the same one is sent once a minute.
///
/// # Errors
/// When the database fails.
pub fn sent(tx: &mut Tx<'_>, partner: &PartnerRecord, i: &Invoice, left: Money) -> ServiceResult<bool> {
    let minute = tx.now.duration_trunc(chrono::Duration::minutes(1)).unwrap_or(tx.now);
    let values = owing(left, i)?;
    queue(tx, partner, i, &format!("sent:{}", minute.timestamp()), values)
}

/// A reminder, each once.
///
/// # Errors
/// When the database fails.
pub fn reminder(tx: &mut Tx<'_>, partner: &PartnerRecord, i: &Invoice, left: Money) -> ServiceResult<()> {
    let mut values = owing(left, i)?;
    let l = paper_of(i)?.language;
    let since = i.due_at.map(|at| formats::date(home().local(at).date, l));
    values.insert("overdueSince".into(), json!(since));
    queue(tx, partner, i, &format!("reminder:{}", i.reminders), values).map(drop)
}

/// It is paid in full, once for each time that nothing was due any more.
///
/// # Errors
/// When the database fails.
pub fn payment_received(tx: &mut Tx<'_>, partner: &PartnerRecord, i: &Invoice) -> ServiceResult<()> {
    let l = paper_of(i)?.language;
    let paid = i.paid_at.unwrap_or(tx.now);
    let values = super::values::object(json!({ "paidAt": formats::moment(paid, home(), l) }));
    queue(tx, partner, i, &format!("paid:{}", paid.timestamp()), values).map(drop)
}

const COLUMNS: &str = "booking,date,reference,customer,from,to,subtotal,gst,qst,hst,total";

/// The bookings of a paper, a row each; UTF-8 with a byte order mark.
///
/// # Errors
/// When the database fails.
pub(super) fn rows_of(u: &mut dyn Unit, id: InvoiceId) -> ServiceResult<Option<(String, Content)>> {
    let Some(invoice) = u.invoices().get(id)? else { return Ok(None) };
    let Some(paper) = &invoice.paper else { return Ok(None) };
    let own = match invoice.booking_id.filter(|_| paper.bookings.is_empty()) {
        Some(id) => u.bookings().get(id)?.map(|b| alone(&b, paper)),
        None => None,
    };
    let rows: Vec<String> = paper.bookings.iter().chain(&own).map(row).collect();
    let file = format!("\u{feff}{COLUMNS}\r\n{}\r\n", rows.join("\r\n"));
    Ok(Some((format!("{}.csv", invoice.number_text()), Content::Bytes(file.into_bytes()))))
}

/// The one booking of a paper that lists none.
fn alone(b: &Booking, paper: &Paper) -> PaperBooking {
    PaperBooking {
        id: b.id,
        short_id: paper.short_id.clone(),
        move_date: paper.move_date,
        pickup: paper.pickup.clone(),
        dropoff: paper.dropoff.clone(),
        customer: b.details.customer_name.clone(),
        reference: paper.reference.clone(),
        subtotal: paper.subtotal,
        taxes: paper.taxes.clone(),
        total: paper.total,
    }
}

fn row(b: &PaperBooking) -> String {
    let tax = |code: &str| -> String {
        let of: Money = b.taxes.iter().filter(|t| t.tax.code() == code).map(|t| t.amount).sum();
        of.to_string()
    };
    let cells = [
        cell(&b.short_id),
        b.move_date.to_string(),
        cell(&b.reference),
        cell(&b.customer),
        cell(&b.pickup),
        cell(&b.dropoff),
        b.subtotal.to_string(),
        tax("gst"),
        tax("qst"),
        tax("hst"),
        b.total.to_string(),
    ];
    cells.join(",")
}

/// In quotes, and never a formula that a spreadsheet would run.
fn cell(text: &str) -> String {
    let safe = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    format!("\"{}\"", safe.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_what_was_typed_and_run_nothing() {
        assert_eq!(cell("12, rue \"A\""), "\"12, rue \"\"A\"\"\"");
        assert_eq!(cell("=1+1"), "\"'=1+1\"");
    }
}
