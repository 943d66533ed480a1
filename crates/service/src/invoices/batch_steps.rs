//! Steps of a partner's paper: issued with its bookings, sent, thrown away, taken back.

use kernel::BookingId;
use status_machine::{
    booking::Status,
    invoice::{Facts, State, may_send_again},
};

use super::{
    batch::{BatchInvoice, audit_snapshot, file, held, must},
    batch_paper,
    issue::{INVOICE, batch_note, freeze, snapshot, step, voided},
    record::File,
    whose::InvoiceOwner,
};
use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    bookings::{status, transition::StatusInput},
    mailing,
    ports::invoices::{InvoiceId, Purpose},
};

/// Draws the number, freezes the paper, and moves every booking along.
fn issued(tx: &mut Tx<'_>, held: &mut BatchInvoice) -> ServiceResult<()> {
    let not_done = held.members.iter().find(|b| b.status != Status::Completed);
    if let Some(b) = not_done {
        let reason = format!("booking {} is {}, not completed", b.short_id, b.status.code());
        return Err(Error::Refused(ErrorCode::TransitionRefused, vec![("allowed", String::new()), ("reason", reason)]));
    }
    if held.members.is_empty() {
        return Err(Error::field("bookings", FieldProblem::Required));
    }
    let (services, role) = (tx.services.clone(), tx.actor.acts_as()?);
    let paper = batch_paper::build(tx.unit, &services, &held.partner, &held.members, &held.invoice.edits)?;
    let whose = InvoiceOwner::partner(&held.partner, &held.members);
    freeze(tx, &whose, &mut held.invoice, paper, role)?;
    held.invoice.version = tx.unit.invoices().update(&held.invoice)?;
    let ids: Vec<BookingId> = held.members.iter().map(|b| b.id).collect();
    tx.audit("invoice.issue", held.invoice.id, None, Some(audit_snapshot(&held.invoice, &ids)))?;
    for b in &mut held.members {
        status::step(tx, b, Status::Invoiced, &StatusInput::default())?;
    }
    Ok(())
}

/// `POST /invoices/batch/{id}/issue`; nothing when it was issued already.
///
/// # Errors
/// `not_found`; `transition_refused` while one of its bookings is not completed, and for one that was taken back;
/// `period_closed`.
pub async fn issue(s: &Services, staff: &Staff, id: InvoiceId) -> ServiceResult<File> {
    s.write(staff.actor(), move |tx| {
        let mut held = must(held(tx, id)?)?;
        if *held.invoice.state == State::Draft {
            issued(tx, &mut held)?;
        } else if !held.invoice.is_in_force() {
            let role = tx.actor.acts_as()?;
            step(&mut held.invoice, State::Issued, role, &Facts::default())?;
        }
        let services = tx.services.clone();
        file(tx.unit, &services, held)
    })
    .await
}

/// As for the invoice of a booking: a draft is issued first; to the partner, once a minute.
///
/// # Errors
/// The field `contacts` when the partner has nobody with an address.
pub(super) fn send(tx: &mut Tx<'_>, mut held: BatchInvoice) -> ServiceResult<File> {
    if mailing::batches::recipient(&held.partner).is_none() {
        return Err(Error::field("contacts", FieldProblem::Required));
    }
    if *held.invoice.state == State::Draft {
        issued(tx, &mut held)?;
    }
    let role = tx.actor.acts_as()?;
    let before = snapshot(&held.invoice);
    if !may_send_again(*held.invoice.state) {
        step(&mut held.invoice, State::Sent, role, &Facts::default())?;
    }
    // As for the invoice of a booking.
    if held.invoice.sent_at.is_none() {
        (held.invoice.sent_at, held.invoice.updated_at) = (Some(tx.now), tx.now);
        held.invoice.version = tx.unit.invoices().update(&held.invoice)?;
    }
    let services = tx.services.clone();
    let (partner, invoice) = (held.partner.clone(), held.invoice.clone());
    let first = held.members.iter().map(|b| b.id).min();
    let mut shown = file(tx.unit, &services, held)?;
    shown.queued = mailing::batches::sent(tx, &partner, &invoice, shown.due)?;
    tx.audit("invoice.send", invoice.id, Some(before), Some(snapshot(&invoice)))?;
    if let Some(booking_id) = first.filter(|_| invoice.purpose == Purpose::Batch) {
        tx.enqueue(&crate::work::Work::FollowInvoice { booking_id })?;
    }
    Ok(shown)
}

/// A draft is thrown away: its bookings may stand on another.
pub(super) fn discard(tx: &mut Tx<'_>, mut held: BatchInvoice) -> ServiceResult<()> {
    let before = snapshot(&held.invoice);
    step(&mut held.invoice, State::Deleted, tx.actor.acts_as()?, &Facts::default())?;
    held.invoice.updated_at = tx.now;
    held.invoice.version = tx.unit.invoices().update(&held.invoice)?;
    Ok(tx.audit("invoice.discard", held.invoice.id, Some(before), Some(snapshot(&held.invoice)))?)
}

/// Takes it back with one credit note for what earlier ones left of it; its bookings are completed again.
pub(super) fn take_back(tx: &mut Tx<'_>, mut held: BatchInvoice, reason: &str) -> ServiceResult<File> {
    if held.members.iter().any(|b| b.status == Status::Payed) {
        let (why, state) = ("a booking of it is paid".to_owned(), State::Paid.code().to_owned());
        let said = vec![("allowed", String::new()), ("reason", why), (INVOICE, state)];
        return Err(Error::Refused(ErrorCode::TransitionRefused, said));
    }
    let role = tx.actor.acts_as()?;
    if voided(tx, &mut held.invoice, role, reason)? {
        let Some(frozen) = &held.invoice.paper else {
            return Err(Error::Internal(format!("{} has no paper", held.invoice.id)));
        };
        let parts = batch_paper::uncredited_bookings(frozen, &tx.unit.invoices().notes_of(held.invoice.id)?);
        if !parts.is_empty() {
            let whose = InvoiceOwner::partner(&held.partner, &held.members);
            batch_note(tx, &whose, &held.invoice, reason, parts)?;
        }
    }
    let said = StatusInput { reason: Some(reason.to_owned()), ..StatusInput::default() };
    for b in held.members.iter_mut().filter(|b| b.status == Status::Invoiced) {
        status::step(tx, b, Status::Completed, &said)?;
    }
    let services = tx.services.clone();
    file(tx.unit, &services, held)
}
