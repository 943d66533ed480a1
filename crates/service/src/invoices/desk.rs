//! What people do with invoices: draft, change, send, take back, download.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};
use status_machine::{
    booking::Status,
    invoice::{Facts, State, may_send_again},
};

pub use super::record::{File, Member, Pdf};
use super::{
    batch, batch_steps,
    issue::{self, snapshot, step, void},
    paper::{self, purpose_of},
    record::{LONGEST_TEXT, bounded, drawn},
    sheet::{self, Document},
    whose::{self, today},
};
use crate::{
    Caller, Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    billing::facts::owed,
    bookings::{
        queries::{visible, visible_locked},
        status,
        transition::StatusInput,
    },
    mailing,
    ports::{
        StoreError, Unit,
        bookings::Booking,
        invoices::{Edits, Invoice, InvoiceId, Purpose},
    },
};

/// The one that counts now.
fn current(all: &[Invoice]) -> Option<&Invoice> {
    let own = |i: &&Invoice| i.purpose != Purpose::CreditNote && *i.state != State::Deleted;
    let is_live = |i: &&Invoice| status_machine::invoice::is_live(*i.state);
    all.iter().rfind(|i| own(i) && is_live(i)).or_else(|| all.iter().rfind(own))
}

fn file(u: &mut dyn Unit, s: &Services, b: Booking, invoice: Invoice) -> ServiceResult<File> {
    if invoice.partner_id.is_some() {
        return batch::file_of(u, s, invoice);
    }
    let paper = match &invoice.paper {
        Some(paper) => paper.clone(),
        None => paper::build(u, s, &b, invoice.purpose, &invoice.edits)?,
    };
    let rows = u.payments().of_booking(b.id)?;
    let due = if *invoice.state == State::Void { Money::ZERO } else { owed(&b, &rows) };
    let all = u.invoices().of_booking(b.id)?.into_iter().filter(|i| i.number.is_some()).collect();
    let billed = whose::billed(u, &b)?;
    let (booking, partner, bookings) = (Some(b), None, Vec::new());
    let today = today(s.clock.now());
    Ok(File { invoice, paper, due, all, booking, partner, billed, bookings, queued: false, today })
}

/// The invoice and its booking, both as they are now, the booking locked.
fn locked(tx: &mut Tx<'_>, staff: &Staff, id: InvoiceId) -> ServiceResult<(Booking, Invoice)> {
    let found = tx.unit.invoices().get(id)?.ok_or(ErrorCode::NotFound)?;
    let b = visible_locked(tx.unit, staff.caller(), found.booking_id.ok_or(ErrorCode::NotFound)?)?;
    tx.look_at_clock();
    // Again under the lock: somebody else may have issued it meanwhile.
    let invoice = tx.unit.invoices().get(id)?.ok_or(ErrorCode::NotFound)?;
    Ok((b, invoice))
}

/// `POST /invoices`.
///
/// # Errors
/// `not_found`; `invoice_needs_completed`; `invoice_exists`.
pub async fn draft(s: &Services, staff: &Staff, booking: BookingId) -> ServiceResult<File> {
    let staff = staff.clone();
    s.write(staff.actor(), move |tx| {
        let b = visible_locked(tx.unit, staff.caller(), booking)?;
        let invoice = issue::draft(tx, &b)?;
        let services = tx.services.clone();
        file(tx.unit, &services, b, invoice)
    })
    .await
}

/// `GET /invoices/{bookingId}`: a customer sees no draft.
///
/// # Errors
/// `not_found`, also while there is none.
pub async fn of_booking(s: &Services, caller: &Caller, booking: BookingId) -> ServiceResult<File> {
    let (caller, services) = (caller.clone(), s.clone());
    s.store
        .read(move |u| {
            let b = visible(u, &caller, booking)?;
            let all = shown(u, &caller, &b)?;
            let invoice = current(&all).cloned().ok_or(ErrorCode::NotFound)?;
            file(u, &services, b, invoice)
        })
        .await
}

/// All of a booking that the caller may see: a partner's paper is nothing of the customer's.
fn shown(u: &mut dyn Unit, caller: &Caller, b: &Booking) -> ServiceResult<Vec<Invoice>> {
    let all = u.invoices().of_booking(b.id)?;
    let is_theirs = |i: &Invoice| i.number.is_some() && i.partner_id.is_none();
    Ok(all.into_iter().filter(|i| caller.role.is_staff() || is_theirs(i)).collect())
}

/// `PUT /invoices/{id}`: what staff write into a draft. Amounts change in the booking.
///
/// # Errors
/// `not_found`; `changed_elsewhere` when `version` is another; `invoice_frozen` once it was issued; the field `lines` for
/// one that the draft does not have.
pub async fn edit(s: &Services, staff: &Staff, id: InvoiceId, edits: Edits, version: i32) -> ServiceResult<File> {
    bounded(&edits)?;
    let staff = staff.clone();
    s.write(staff.actor(), move |tx| {
        if let Some(held) = batch::held(tx, id)? {
            return batch::edit(tx, held, edits, version);
        }
        let (b, mut invoice) = locked(tx, &staff, id)?;
        if !status_machine::invoice::editable(*invoice.state) {
            return Err(ErrorCode::InvoiceFrozen.into());
        }
        if invoice.version != version {
            return Err(StoreError::Stale.into());
        }
        let services = tx.services.clone();
        let known = paper::build(tx.unit, &services, &b, invoice.purpose, &Edits::default())?;
        let has = |key: &String| known.lines.iter().any(|l| l.key == *key);
        if !edits.descriptions.keys().all(has) {
            return Err(Error::field("lines", FieldProblem::Unknown));
        }
        let said = |key: &String, text: &String| {
            known.lines.iter().any(|l| l.key == *key && l.description != *text) && !text.trim().is_empty()
        };
        let descriptions: BTreeMap<String, String> =
            edits.descriptions.into_iter().filter(|(key, text)| said(key, text)).collect();
        let before = snapshot(&invoice);
        invoice.edits = Edits { descriptions, ..edits };
        issue::rewrite(tx, &b, &mut invoice)?;
        tx.audit("invoice.edit", invoice.id, Some(before), Some(snapshot(&invoice)))?;
        file(tx.unit, &services, b, invoice)
    })
    .await
}

/// `DELETE /invoices/{id}`: a draft is thrown away.
///
/// # Errors
/// `not_found`; `version_conflict` when `expected` is another version, none: whichever it has; `transition_refused` once
/// it was issued.
pub async fn discard(s: &Services, staff: &Staff, id: InvoiceId, expected: Option<i32>) -> ServiceResult<()> {
    let staff = staff.clone();
    s.write(staff.actor(), move |tx| {
        let is_stale = |invoice: &Invoice| expected.is_some_and(|version| version != invoice.version);
        if let Some(held) = batch::held(tx, id)? {
            if is_stale(&held.invoice) {
                return Err(ErrorCode::VersionConflict.into());
            }
            return batch_steps::discard(tx, held);
        }
        let (_, mut invoice) = locked(tx, &staff, id)?;
        if is_stale(&invoice) {
            return Err(ErrorCode::VersionConflict.into());
        }
        let before = snapshot(&invoice);
        step(&mut invoice, State::Deleted, tx.actor.acts_as()?, &Facts::default())?;
        invoice.updated_at = tx.now;
        invoice.version = tx.unit.invoices().update(&invoice)?;
        Ok::<_, Error>(tx.audit("invoice.discard", invoice.id, Some(before), Some(snapshot(&invoice)))?)
    })
    .await
}

/// The invoice that is named: by its own id, or by its booking's, as the download names it. A booking without one gets its
/// draft.
fn named(tx: &mut Tx<'_>, staff: &Staff, id: InvoiceId) -> ServiceResult<InvoiceId> {
    if tx.unit.invoices().get(id)?.is_some() {
        return Ok(id);
    }
    let b = visible(tx.unit, staff.caller(), BookingId(id.0))?;
    let all = tx.unit.invoices().of_booking(b.id)?;
    if let Some(standing) = current(&all).filter(|i| status_machine::invoice::is_live(*i.state)) {
        return Ok(standing.id);
    }
    let b = visible_locked(tx.unit, staff.caller(), b.id)?;
    Ok(issue::draft(tx, &b)?.id)
}

/// `POST /invoices/send/{id}`: a draft is issued first, which moves its booking along; one that was sent is sent again,
/// once a minute. The id is that of an invoice, or of a booking.
///
/// # Errors
/// `not_found`; `invoice_needs_completed`; `invoice_exists` when somebody else drafted one at this moment;
/// `transition_refused` for one that was taken back, and while the booking of a draft cannot be completed (again).
pub async fn send(s: &Services, staff: &Staff, id: InvoiceId) -> ServiceResult<File> {
    let staff = staff.clone();
    s.write(staff.actor(), move |tx| {
        let id = named(tx, &staff, id)?;
        if let Some(held) = batch::held(tx, id)? {
            return batch_steps::send(tx, held);
        }
        let (mut b, mut invoice) = locked(tx, &staff, id)?;
        let role = tx.actor.acts_as()?;
        let billed = whose::billed(tx.unit, &b)?;
        if billed.as_ref().is_some_and(|partner| mailing::batches::recipient(partner).is_none()) {
            return Err(Error::field("contacts", FieldProblem::Required));
        }
        if *invoice.state == State::Draft {
            match (purpose_of(tx.unit, &b)?, b.status) {
                (None, _) => return Err(ErrorCode::InvoiceNeedsCompleted.into()),
                // Paid already: it needs no step.
                (Some(_), Status::Payed | Status::Cancelled) => drop(issue::issue(tx, &b, role)?),
                (Some(_), _) => status::to_invoiced(tx, &mut b, &StatusInput::default())?,
            }
            invoice = tx.unit.invoices().get(id)?.ok_or(ErrorCode::NotFound)?;
        }
        let before = snapshot(&invoice);
        let is_note = invoice.purpose == Purpose::CreditNote;
        if !may_send_again(*invoice.state) {
            // Of one that was taken back it says what it may become, which is nothing.
            step(&mut invoice, State::Sent, role, &Facts::default())?;
        }
        // One that was paid before it was sent, and is owed again, is sent for the first time as well.
        if invoice.sent_at.is_none() {
            (invoice.sent_at, invoice.updated_at) = (Some(tx.now), tx.now);
            invoice.version = tx.unit.invoices().update(&invoice)?;
        }
        let queued = match &billed {
            Some(partner) => {
                let rows = tx.unit.payments().of_booking(b.id)?;
                let left = if invoice.is_in_force() { owed(&b, &rows) } else { Money::ZERO };
                mailing::batches::sent(tx, partner, &invoice, left)?
            }
            None => mailing::invoices::sent(tx, &b, &invoice)?,
        };
        tx.audit("invoice.send", invoice.id, Some(before), Some(snapshot(&invoice)))?;
        if !is_note {
            tx.enqueue(&crate::work::Work::FollowInvoice { booking_id: b.id })?;
        }
        let services = tx.services.clone();
        Ok(File { queued, ..file(tx.unit, &services, b, invoice)? })
    })
    .await
}

/// `POST /invoices/void/{id}`: a credit note is written, and an invoiced booking is completed again.
///
/// # Errors
/// `not_found`; `transition_refused` for a draft and for one that is paid; the field `reason`.
pub async fn take_back(s: &Services, staff: &Staff, id: InvoiceId, reason: String) -> ServiceResult<File> {
    let reason = reason.trim().to_owned();
    match reason.chars().count() {
        0 => return Err(Error::field("reason", FieldProblem::Required)),
        n if n > LONGEST_TEXT => return Err(Error::field("reason", FieldProblem::TooLong)),
        _ => {}
    }
    let staff = staff.clone();
    s.write(staff.actor(), move |tx| {
        if let Some(held) = batch::held(tx, id)? {
            return batch_steps::take_back(tx, held, &reason);
        }
        let (mut b, invoice) = locked(tx, &staff, id)?;
        let role = tx.actor.acts_as()?;
        let invoice = void(tx, &b, invoice, role, &reason)?;
        if b.status == Status::Invoiced {
            let said = StatusInput { reason: Some(reason), ..StatusInput::default() };
            status::step(tx, &mut b, Status::Completed, &said)?;
        }
        let services = tx.services.clone();
        file(tx.unit, &services, b, invoice)
    })
    .await
}

/// `POST /invoices/download/{bookingId}`: the invoice that counts now, or `which`. For staff a booking without one answers
/// what a draft of it would be.
///
/// # Errors
/// `not_found`; `invoice_needs_completed` where there can be none; `not_found` for a receipt while something is due.
pub async fn download(
    s: &Services,
    caller: &Caller,
    booking: BookingId,
    which: Option<InvoiceId>,
    document: Document,
) -> ServiceResult<Pdf> {
    let (caller, services, now) = (caller.clone(), s.clone(), s.clock.now());
    let (sheet, kind) = s
        .store
        .read(move |u| {
            let b = visible(u, &caller, booking)?;
            let all = shown(u, &caller, &b)?;
            let found = match which {
                Some(id) => Some(all.iter().find(|i| i.id == id).cloned().ok_or(ErrorCode::NotFound)?),
                None => current(&all).cloned(),
            };
            let Some(found) = found else {
                let purpose = purpose_of(u, &b)?.ok_or(ErrorCode::InvoiceNeedsCompleted)?;
                if !caller.role.is_staff() || document == Document::Receipt {
                    return Err(ErrorCode::NotFound.into());
                }
                let draft = unwritten(&b, purpose, now);
                let paper = paper::build(u, &services, &b, purpose, &draft.edits)?;
                let logo = paper::logo(u, &paper)?;
                return Ok((sheet::build(&draft, &paper, logo, document, now), "invoice"));
            };
            if document == Document::Receipt && found.receipt.is_none() {
                return Err(ErrorCode::NotFound.into());
            }
            let paper = match &found.paper {
                Some(paper) => paper.clone(),
                None if found.partner_id.is_some() => batch::file_of(u, &services, found.clone())?.paper,
                None => paper::build(u, &services, &b, found.purpose, &found.edits)?,
            };
            let kind = match (document, found.purpose) {
                (Document::Receipt, _) => "receipt",
                (Document::Invoice, Purpose::CreditNote) => "credit-note",
                (Document::Invoice, _) => "invoice",
            };
            let logo = paper::logo(u, &paper)?;
            Ok::<_, Error>((sheet::build(&found, &paper, logo, document, now), kind))
        })
        .await?;
    drawn(sheet, format!("{booking}-{kind}.pdf")).await
}

/// What a booking without one would have.
fn unwritten(b: &Booking, purpose: Purpose, now: DateTime<Utc>) -> Invoice {
    Invoice {
        id: InvoiceId(b.id.0),
        booking_id: Some(b.id),
        partner_id: None,
        purpose,
        state: status_machine::At::drafted(),
        number: None,
        credits: None,
        total: Money::ZERO,
        words: String::new(),
        edits: Edits::default(),
        paper: None,
        receipt: None,
        reason: None,
        issued_at: None,
        due_at: None,
        sent_at: None,
        paid_at: None,
        voided_at: None,
        reminders: 0,
        version: 1,
        created_at: now,
        updated_at: now,
    }
}
