//! Drafting, issuing and taking back: the number is drawn in the transaction that freezes the paper.

use chrono::{DateTime, Datelike, Duration, Utc};
use kernel::{Exact, Money};
use serde_json::{Value, json};
use status_machine::{
    At, Role,
    booking::Status,
    invoice::{Effect, Facts, State},
};

use super::{
    batch_paper,
    paper::{self, purpose_of},
    whose::InvoiceOwner,
};
use crate::{
    Error, ErrorCode, ServiceResult, Tx,
    billing::{
        dates,
        ledger::{tax_account, taxes_credited, taxes_inside},
    },
    ports::{
        Unit,
        bookings::Booking,
        invoices::{Edits, Invoice, InvoiceId, Number, Paper, PaperBooking, PaperLine, PaperTax, Purpose},
        ledger::Account,
    },
    settings,
    texts::text,
};

/// What the audit trail keeps of an invoice: no names, no addresses.
pub fn snapshot(i: &Invoice) -> Value {
    json!({
        "number": i.number.as_ref().map(ToString::to_string),
        "purpose": i.purpose.code(),
        "state": i.state.code(),
        "total": i.total,
        "bookingId": i.booking_id,
        "partnerId": i.partner_id,
        "version": i.version,
    })
}

/// Takes a step of the invoices' table. Answers what follows from it.
///
/// # Errors
/// `transition_refused` naming the reason.
pub(super) fn step(i: &mut Invoice, to: State, role: Role, facts: &Facts) -> ServiceResult<Vec<Effect>> {
    let from = *i.state;
    let effects = i.state.go(to, role, facts).map_err(|refused| {
        let allowed: Vec<&str> = refused.allowed.iter().map(|a| a.code()).collect();
        let said =
            vec![("allowed", allowed.join(",")), ("reason", refused.to_string()), (INVOICE, from.code().to_owned())];
        Error::Refused(ErrorCode::TransitionRefused, said)
    })?;
    tracing::debug!(invoice = %i.id, table = "invoice", from = from.code(), to = to.code(), "a step");
    Ok(effects)
}

/// What a refused step of an invoice names its state by: there are words for each of them.
pub(super) const INVOICE: &str = "invoiceState";

/// The words an invoice is found by.
pub(super) fn words(i: &Invoice, paper: &Paper, whose: &InvoiceOwner) -> String {
    let number = i.number_text();
    let own = [number.as_str(), &paper.short_id, &paper.buyer.name];
    let parts: Vec<&str> = own.into_iter().chain(whose.names.iter().map(String::as_str)).collect();
    kernel::searchable(&parts.join(" "))
}

pub(super) fn new(tx: &Tx<'_>, whose: &InvoiceOwner, purpose: Purpose) -> Invoice {
    Invoice {
        id: InvoiceId(tx.id()),
        booking_id: whose.booking_id,
        partner_id: whose.partner_id,
        purpose,
        state: At::drafted(),
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
        created_at: tx.now,
        updated_at: tx.now,
    }
}

/// The live invoice of a booking for a purpose: a draft, or one that stands.
///
/// # Errors
/// When the database fails.
pub fn live(u: &mut dyn Unit, b: &Booking, purpose: Purpose) -> ServiceResult<Option<Invoice>> {
    let all = u.invoices().of_booking(b.id)?;
    Ok(all.into_iter().find(|i| i.purpose == purpose && status_machine::invoice::is_live(*i.state)))
}

/// The paper of its partner that a booking is on: a draft, or one that stands.
///
/// # Errors
/// When the database fails.
pub fn batch_of(u: &mut dyn Unit, b: &Booking) -> ServiceResult<Option<Invoice>> {
    live(u, b, Purpose::Batch)
}

/// Drafts the invoice of a booking.
///
/// # Errors
/// `invoice_needs_completed` when it never passed completed; `invoice_exists` when it has one.
pub fn draft(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<Invoice> {
    let purpose = purpose_of(tx.unit, b)?.ok_or(ErrorCode::InvoiceNeedsCompleted)?;
    if live(tx.unit, b, purpose)?.is_some() || batch_of(tx.unit, b)?.is_some() {
        return Err(ErrorCode::InvoiceExists.into());
    }
    let whose = InvoiceOwner::booking(tx.unit, b)?;
    let mut invoice = new(tx, &whose, purpose);
    let services = tx.services.clone();
    let paper = paper::build(tx.unit, &services, b, purpose, &invoice.edits)?;
    (invoice.total, invoice.words) = (paper.total, words(&invoice, &paper, &whose));
    tx.unit.invoices().insert(&invoice)?;
    tx.audit("invoice.draft", invoice.id, None, Some(snapshot(&invoice)))?;
    Ok(invoice)
}

/// Writes a changed draft, with the words it is found by.
///
/// # Errors
/// `Stale` when it was changed by somebody else.
pub(super) fn rewrite(tx: &mut Tx<'_>, b: &Booking, invoice: &mut Invoice) -> ServiceResult<()> {
    let services = tx.services.clone();
    let paper = paper::build(tx.unit, &services, b, invoice.purpose, &invoice.edits)?;
    let whose = InvoiceOwner::booking(tx.unit, b)?;
    (invoice.total, invoice.words, invoice.updated_at) = (paper.total, words(invoice, &paper, &whose), tx.now);
    invoice.version = tx.unit.invoices().update(invoice)?;
    Ok(())
}

/// The sequence a number is drawn from: one a year of the booking's zone, and one for credit notes.
fn series(tx: &mut Tx<'_>, whose: &InvoiceOwner, purpose: Purpose, at: DateTime<Utc>) -> ServiceResult<String> {
    let company = settings::company(tx.unit, &tx.services.defaults)?;
    let year = whose.zone.local(at).date.year();
    let prefix = whose.hub.as_ref().and_then(|hub| company.invoice_prefix.get(hub));
    let hub = prefix.filter(|prefix| !prefix.is_empty());
    let prefix = hub.map(|prefix| format!("{prefix}-")).unwrap_or_default();
    Ok(match purpose {
        Purpose::CreditNote => format!("{prefix}CN-{year}"),
        Purpose::Move | Purpose::Cancellation | Purpose::Batch => format!("{prefix}{year}"),
    })
}

/// Draws the number and freezes the paper. Not yet written.
pub(super) fn freeze(
    tx: &mut Tx<'_>,
    whose: &InvoiceOwner,
    i: &mut Invoice,
    paper: Paper,
    role: Role,
) -> ServiceResult<()> {
    let facts = Facts { may_invoice: true, ..Facts::default() };
    // What the program issues follows from something that has happened.
    let at = if role == Role::System { dates::of_fact(tx)? } else { dates::of_writing(tx)? };
    for effect in step(i, State::Issued, role, &facts)? {
        match effect {
            Effect::DrawNumber => {
                let series = series(tx, whose, i.purpose, at)?;
                let place = tx.unit.invoices().draw(&series)?;
                i.number = Some(Number { series, place });
            }
            Effect::FreezeLines => {
                i.total = paper.total;
                i.paper = Some(paper.clone());
            }
            other => return Err(Error::Internal(format!("nobody carries out {other:?} of an issue"))),
        }
    }
    i.issued_at = Some(at);
    let days = if matches!(i.purpose, Purpose::Move | Purpose::Batch) { whose.net_days } else { 0 };
    i.due_at = Some(at.checked_add_signed(Duration::days(i64::from(days))).unwrap_or(at));
    i.updated_at = tx.now;
    // With the number, which is known only now.
    i.words = words(i, &paper, whose);
    Ok(())
}

/// Issues the invoice of a booking: its draft, or one that is made for it. Nothing when one stands already, its own or its
/// partner's.
///
/// # Errors
/// `invoice_needs_completed` when it never passed completed; `invoice_exists` when it is on a draft of its partner.
pub fn issue(tx: &mut Tx<'_>, b: &Booking, role: Role) -> ServiceResult<Invoice> {
    let purpose = purpose_of(tx.unit, b)?.ok_or(ErrorCode::InvoiceNeedsCompleted)?;
    if purpose == Purpose::Move
        && let Some(batch) = batch_of(tx.unit, b)?
    {
        return if batch.is_in_force() { Ok(batch) } else { Err(ErrorCode::InvoiceExists.into()) };
    }
    let whose = InvoiceOwner::booking(tx.unit, b)?;
    let found = live(tx.unit, b, purpose)?;
    let is_new = found.is_none();
    let mut invoice = match found {
        Some(standing) if *standing.state != State::Draft => return Ok(standing),
        Some(draft) => draft,
        None => new(tx, &whose, purpose),
    };
    let services = tx.services.clone();
    let paper = paper::build(tx.unit, &services, b, purpose, &invoice.edits)?;
    freeze(tx, &whose, &mut invoice, paper, role)?;
    match is_new {
        true => tx.unit.invoices().insert(&invoice)?,
        false => invoice.version = tx.unit.invoices().update(&invoice)?,
    }
    tx.audit("invoice.issue", invoice.id, None, Some(snapshot(&invoice)))?;
    Ok(invoice)
}

/// What a credit note takes back.
struct Credited {
    description: String,
    reason: String,
    subtotal: Money,
    taxes: Vec<PaperTax>,
}

/// Writes the credit note of a booking's invoice.
fn credit_note(tx: &mut Tx<'_>, b: &Booking, of: &Invoice, credited: Credited) -> ServiceResult<Invoice> {
    let line = PaperLine {
        key: "credit".to_owned(),
        description: credited.description,
        detail: credited.reason.clone(),
        quantity: Exact::new(1, 0),
        unit: "flat".to_owned(),
        unit_price: Some(credited.subtotal),
        amount: credited.subtotal,
    };
    let tax: Money = credited.taxes.iter().map(|t| t.amount).sum();
    let total = credited.subtotal.plus(tax);
    let whose = InvoiceOwner::booking(tx.unit, b)?;
    let sums = (vec![line], credited.taxes, credited.subtotal, total);
    write_note(tx, &whose, of, &credited.reason, sums, Vec::new())
}

/// Writes a credit note, issued with a number of its own: lines, taxes, before tax, in all, and of a partner's the bookings.
pub(super) fn write_note(
    tx: &mut Tx<'_>,
    whose: &InvoiceOwner,
    of: &Invoice,
    reason: &str,
    (lines, taxes, subtotal, total): (Vec<PaperLine>, Vec<PaperTax>, Money, Money),
    bookings: Vec<PaperBooking>,
) -> ServiceResult<Invoice> {
    let mut note = new(tx, whose, Purpose::CreditNote);
    (note.credits, note.reason) = (Some(of.id), Some(reason.to_owned()));
    let Some(frozen) = &of.paper else { return Err(Error::Internal(format!("{} has no paper", of.id))) };
    // What a line of the others says, the lines of a partner's have no place for.
    let said = if bookings.is_empty() { String::new() } else { reason.to_owned() };
    let on: Vec<kernel::BookingId> = bookings.iter().map(|b| b.id).collect();
    let paper = Paper {
        lines,
        subtotal,
        taxes,
        total,
        bookings,
        payments: Vec::new(),
        due: Money::ZERO,
        note: said,
        credited_number: Some(of.number_text()),
        ..frozen.clone()
    };
    freeze(tx, whose, &mut note, paper, Role::System)?;
    tx.unit.invoices().insert(&note)?;
    if note.partner_id.is_some() {
        tx.unit.invoices().put_bookings(note.id, &on, false)?;
    }
    tx.audit("invoice.credit_note", note.id, None, Some(snapshot(&note)))?;
    Ok(note)
}

/// Writes a credit note for these parts of a partner's invoice.
pub(super) fn batch_note(
    tx: &mut Tx<'_>,
    whose: &InvoiceOwner,
    of: &Invoice,
    reason: &str,
    parts: Vec<PaperBooking>,
) -> ServiceResult<Invoice> {
    let language = of.paper.as_ref().map_or_else(Default::default, |p| p.language);
    let sums = batch_paper::sums(&parts, language);
    write_note(tx, whose, of, reason, sums, parts)
}

/// What earlier credit notes took back of an invoice: before tax, and of each tax.
fn taken_back(u: &mut dyn Unit, of: &Invoice) -> ServiceResult<(Money, Vec<PaperTax>)> {
    let papers = u.invoices().notes_of(of.id)?.into_iter().filter_map(|n| n.paper);
    let (mut subtotal, mut taxes) = (Money::ZERO, Vec::new());
    for paper in papers {
        subtotal = subtotal.plus(paper.subtotal);
        taxes.extend(paper.taxes);
    }
    Ok((subtotal, taxes))
}

fn of_tax(taxes: &[PaperTax], like: &PaperTax) -> Money {
    taxes.iter().filter(|t| t.tax == like.tax).map(|t| t.amount).sum()
}

/// Takes an invoice back, with a credit note for what of it earlier ones left.
///
/// # Errors
/// `transition_refused` where the table has no such step; the reason is missing.
pub fn void(tx: &mut Tx<'_>, b: &Booking, mut i: Invoice, role: Role, reason: &str) -> ServiceResult<Invoice> {
    if voided(tx, &mut i, role, reason)? {
        let Some(paper) = &i.paper else { return Err(Error::Internal(format!("{} has no paper", i.id))) };
        let (subtotal, taxes) = taken_back(tx.unit, &i)?;
        let left = |t: &PaperTax| PaperTax { amount: t.amount.minus(of_tax(&taxes, t)), ..t.clone() };
        let credited = Credited {
            description: text("invoice.voided", paper.language).replace("{number}", &i.number_text()),
            reason: reason.trim().to_owned(),
            subtotal: paper.subtotal.minus(subtotal),
            taxes: paper.taxes.iter().map(left).collect(),
        };
        // Earlier ones may have taken back the whole.
        let whole = credited.taxes.iter().map(|t| t.amount).sum::<Money>().plus(credited.subtotal);
        if whole.is_positive() {
            credit_note(tx, b, &i, credited)?;
        }
    }
    Ok(i)
}

/// Takes the step to void; answers whether a credit note is to be written.
///
/// # Errors
/// As [`void`].
pub(super) fn voided(tx: &mut Tx<'_>, i: &mut Invoice, role: Role, reason: &str) -> ServiceResult<bool> {
    if i.purpose == Purpose::CreditNote || *i.state == State::Void {
        let why = "it is taken back, or a credit note".to_owned();
        let state = State::Void.code().to_owned();
        let said = vec![("allowed", String::new()), ("reason", why), (INVOICE, state)];
        return Err(Error::Refused(ErrorCode::TransitionRefused, said));
    }
    // Before anything is written: its credit note has a date.
    dates::of_writing(tx)?;
    let before = snapshot(i);
    let facts = Facts { reason_given: !reason.trim().is_empty(), ..Facts::default() };
    let effects = step(i, State::Void, role, &facts)?;
    (i.reason, i.voided_at, i.updated_at) = (Some(reason.trim().to_owned()), Some(tx.now), tx.now);
    i.version = tx.unit.invoices().update(i)?;
    tx.audit("invoice.void", i.id, Some(before), Some(snapshot(i)))?;
    Ok(effects.contains(&Effect::WriteCreditNote))
}

/// Staff gave something back of what an invoice stands for: a credit note says so. `before` is the booking without it.
///
/// # Errors
/// When the database fails.
pub fn credited(tx: &mut Tx<'_>, before: &Booking, b: &Booking, reason: &str) -> ServiceResult<()> {
    let standing = tx.unit.invoices().of_booking(b.id)?.into_iter().find(Invoice::is_in_force);
    let Some(invoice) = standing else { return Ok(()) };
    let taxes_of = |b: &Booking| -> Vec<(Account, Money)> {
        if b.status == Status::Cancelled { taxes_inside(b, b.retained()) } else { taxes_credited(b) }
    };
    let total = match b.status {
        Status::Cancelled => before.retained().minus(b.retained()),
        _ => b.credited().minus(before.credited()),
    };
    if !total.is_positive() {
        return Ok(());
    }
    let (now, then) = (taxes_of(b), taxes_of(before));
    let sum = |list: &[(Account, Money)], account: Account| -> Money {
        list.iter().filter(|(a, _)| *a == account).map(|(_, m)| *m).sum()
    };
    let taxes: Vec<PaperTax> = b
        .details
        .taxes
        .iter()
        .map(|t| {
            let account = tax_account(t.name);
            let change = sum(&now, account).minus(sum(&then, account));
            let amount = if b.status == Status::Cancelled { change.negated() } else { change };
            PaperTax { tax: t.name, rate: t.rate, amount, province: None }
        })
        .collect();
    let tax: Money = taxes.iter().map(|t| t.amount).sum();
    if invoice.purpose == Purpose::Batch {
        let part = batch_paper::part_credited(&invoice, b, total.minus(tax), taxes)?;
        let whose = InvoiceOwner::batch(tx.unit, &invoice, std::slice::from_ref(b))?;
        return batch_note(tx, &whose, &invoice, reason, vec![part]).map(drop);
    }
    let description = text("invoice.partCredit", b.language).replace("{number}", &invoice.number_text());
    credit_note(
        tx,
        b,
        &invoice,
        Credited { description, reason: reason.to_owned(), subtotal: total.minus(tax), taxes },
    )?;
    Ok(())
}

/// A cancellation was taken back: what it kept is a prepayment again, and nothing is invoiced for it.
///
/// # Errors
/// When the database fails.
pub fn cancellation_undone(tx: &mut Tx<'_>, b: &Booking, reason: &str) -> ServiceResult<()> {
    let Some(mut invoice) = live(tx.unit, b, Purpose::Cancellation)? else { return Ok(()) };
    let role = tx.actor.acts_as()?;
    if *invoice.state == State::Draft {
        step(&mut invoice, State::Deleted, role, &Facts::default())?;
        invoice.updated_at = tx.now;
        tx.unit.invoices().update(&invoice)?;
        return Ok(());
    }
    if *invoice.state == State::Paid {
        // Its payment is one for the move again.
        step(&mut invoice, State::Sent, role, &Facts::default())?;
        (invoice.paid_at, invoice.receipt) = (None, None);
    }
    void(tx, b, invoice, role, reason).map(drop)
}
