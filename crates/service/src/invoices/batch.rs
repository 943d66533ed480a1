//! One paper for many moves of a partner: what may stand on it, drafted, changed, downloaded.

use chrono::NaiveDate;
use kernel::{BookingId, Language, Money, PartnerId};
use status_machine::booking::Status;

use super::{
    batch_paper::{self, Whole},
    issue::{self, new, snapshot, words},
    paper,
    record::{File, Member, Pdf, bounded, drawn},
    sheet::{self, Document},
    whose::{InvoiceOwner, partner_of, today},
};
use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    billing::facts::owed,
    ports::{
        StoreError, Unit,
        bookings::{Booking, PaidBy},
        directory::PartnerRecord,
        invoices::{Edits, Invoice, InvoiceId, Paper, PaperBooking, Purpose},
    },
};

/// The most bookings on one paper.
pub const MOST: usize = 300;

/// What of a partner's moves can be invoiced.
#[derive(Debug, Clone)]
pub struct Uninvoiced {
    /// Whose.
    pub partner: PartnerRecord,
    /// First and last day of the moves.
    pub period: (NaiveDate, NaiveDate),
    /// The bookings, in the order of their moves, with their part of the sums.
    pub bookings: Vec<Member>,
    /// All of them together.
    pub sums: Whole,
    /// What is left to pay for them.
    pub due: Money,
    /// There are more than one paper takes.
    pub is_more: bool,
}

/// A draft as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBatch {
    /// First and last day of the moves.
    pub period: (NaiveDate, NaiveDate),
    /// Only these; none: all that can be invoiced.
    pub bookings: Option<Vec<BookingId>>,
    /// Of its texts; none: the partner's.
    pub language: Option<Language>,
}

/// A partner's invoice with its bookings; they are locked, unless it is only read.
pub(super) struct BatchInvoice {
    pub invoice: Invoice,
    pub partner: PartnerRecord,
    /// In the order of their moves.
    pub members: Vec<Booking>,
}

fn partner_by_id(u: &mut dyn Unit, id: PartnerId) -> ServiceResult<PartnerRecord> {
    u.directory().partner(id)?.ok_or_else(|| ErrorCode::NotFound.into())
}

fn ordered((from, to): (NaiveDate, NaiveDate)) -> ServiceResult<()> {
    if from > to { Err(Error::field("to", FieldProblem::AtLeast(from.into()))) } else { Ok(()) }
}

/// Done, to be paid by invoice, and of this partner.
fn may_stand(b: &Booking, partner: PartnerId) -> bool {
    b.partner_id == Some(partner) && b.status == Status::Completed && b.details.paid_by == PaidBy::Invoice
}

/// `GET /partner/{id}/uninvoiced`.
///
/// # Errors
/// `not_found`; the field `to` when it lies before the first day.
pub async fn uninvoiced(
    s: &Services,
    _: &Staff,
    partner: PartnerId,
    period: (NaiveDate, NaiveDate),
) -> ServiceResult<Uninvoiced> {
    ordered(period)?;
    s.store
        .read(move |u| {
            let partner = partner_by_id(u, partner)?;
            let (bookings, is_more) = candidates(u, &partner, period)?;
            let bookings = members(u, &bookings, &Edits::default())?;
            let parts: Vec<PaperBooking> = bookings.iter().map(|m| m.part.clone()).collect();
            let due = bookings.iter().map(|m| m.due).sum();
            let sums = batch_paper::sums(&parts, batch_paper::language_of(&partner));
            Ok(Uninvoiced { partner, period, bookings, sums, due, is_more })
        })
        .await
}

fn candidates(
    u: &mut dyn Unit,
    partner: &PartnerRecord,
    (from, to): (NaiveDate, NaiveDate),
) -> ServiceResult<(Vec<Booking>, bool)> {
    let most = i64::try_from(MOST).unwrap_or(i64::MAX);
    // Some of them are not paid by invoice.
    let ids = u.invoices().uninvoiced(partner.id, from, to, most.saturating_mul(4))?;
    let mut all = u.bookings().get_all(&ids)?;
    all.retain(|b| may_stand(b, partner.id));
    in_order(&mut all);
    let is_more = all.len() > MOST;
    all.truncate(MOST);
    Ok((all, is_more))
}

/// The bookings with their part of the paper and what is left to pay for each.
pub(super) fn members(u: &mut dyn Unit, all: &[Booking], edits: &Edits) -> ServiceResult<Vec<Member>> {
    let mut members = Vec::with_capacity(all.len());
    for b in all {
        let rows = u.payments().of_booking(b.id)?;
        let part = batch_paper::part(b, edits.descriptions.get(&b.id.to_string()))?;
        members.push(Member { part, due: owed(b, &rows), status: b.status });
    }
    Ok(members)
}

/// Locks bookings in the one order in which all do, and answers them in the order of their moves.
fn lock(u: &mut dyn Unit, ids: &[BookingId]) -> ServiceResult<Vec<Booking>> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let mut all = Vec::with_capacity(ids.len());
    for id in ids {
        all.extend(u.bookings().lock(id)?);
    }
    in_order(&mut all);
    Ok(all)
}

/// The order of a partner's paper: the instants of the moves, and of one instant the short ids, which are printed.
fn in_order(bookings: &mut [Booking]) {
    bookings.sort_by(|a, b| (a.move_at, a.short_id.as_str()).cmp(&(b.move_at, b.short_id.as_str())));
}

/// A partner's paper with its bookings, all locked; none when the invoice is one of a booking.
///
/// # Errors
/// `not_found`; `Stale` when its bookings were changed meanwhile.
pub(super) fn held(tx: &mut Tx<'_>, id: InvoiceId) -> ServiceResult<Option<BatchInvoice>> {
    let first = tx.unit.invoices().get(id)?.ok_or(ErrorCode::NotFound)?;
    if first.partner_id.is_none() {
        return Ok(None);
    }
    let ids = tx.unit.invoices().bookings_of(id)?;
    let members = lock(tx.unit, &ids)?;
    tx.look_at_clock();
    // Again under the locks: somebody else may have issued it, or changed its bookings.
    let invoice = tx.unit.invoices().get(id)?.ok_or(ErrorCode::NotFound)?;
    if tx.unit.invoices().bookings_of(id)? != ids {
        return Err(StoreError::Stale.into());
    }
    let partner = partner_of(tx.unit, &invoice)?;
    Ok(Some(BatchInvoice { invoice, partner, members }))
}

pub(super) fn must(held: Option<BatchInvoice>) -> ServiceResult<BatchInvoice> {
    held.ok_or_else(|| ErrorCode::NotFound.into())
}

/// The record of a partner's paper.
pub(super) fn file(u: &mut dyn Unit, s: &Services, held: BatchInvoice) -> ServiceResult<File> {
    let BatchInvoice { invoice, partner, members: all } = held;
    let bookings = members(u, &all, &invoice.edits)?;
    let paper = paper_now(u, s, &invoice, &partner, &all)?;
    let due = if invoice.is_in_force() { bookings.iter().map(|m| m.due).sum() } else { Money::ZERO };
    // What is shown of each booking is what stands on the paper.
    let bookings = match &invoice.paper {
        Some(frozen) => {
            let now = |id: BookingId| bookings.iter().find(|m| m.part.id == id);
            let shown = |part: &PaperBooking| now(part.id).map(|m| Member { part: part.clone(), ..m.clone() });
            frozen.bookings.iter().filter_map(shown).collect()
        }
        None => bookings,
    };
    let mut documents: Vec<Invoice> = u.invoices().notes_of(invoice.id)?;
    documents.insert(0, invoice.clone());
    documents.retain(|i| i.number.is_some());
    let today = today(s.clock.now());
    let (booking, partner) = (None, Some(partner));
    let billed = None;
    Ok(File { invoice, paper, due, all: documents, booking, partner, billed, bookings, queued: false, today })
}

/// The frozen paper; of a draft what it would be now.
fn paper_now(
    u: &mut dyn Unit,
    s: &Services,
    invoice: &Invoice,
    partner: &PartnerRecord,
    members: &[Booking],
) -> ServiceResult<Paper> {
    match &invoice.paper {
        Some(paper) => Ok(paper.clone()),
        None => batch_paper::build(u, s, partner, members, &invoice.edits),
    }
}

/// Reads a partner's invoice as it is now, without a lock.
fn read_unlocked(u: &mut dyn Unit, id: InvoiceId) -> ServiceResult<BatchInvoice> {
    let invoice = u.invoices().get(id)?.filter(|i| i.partner_id.is_some()).ok_or(ErrorCode::NotFound)?;
    let ids = u.invoices().bookings_of(id)?;
    let mut members = u.bookings().get_all(&ids)?;
    in_order(&mut members);
    Ok(BatchInvoice { partner: partner_of(u, &invoice)?, invoice, members })
}

/// The record of a partner's paper, for whoever reads.
pub(super) fn file_of(u: &mut dyn Unit, s: &Services, invoice: Invoice) -> ServiceResult<File> {
    let held = read_unlocked(u, invoice.id)?;
    file(u, s, held)
}

/// `GET /invoices/batch/{id}`.
///
/// # Errors
/// `not_found`, also for the invoice of a booking.
pub async fn get(s: &Services, _: &Staff, id: InvoiceId) -> ServiceResult<File> {
    let services = s.clone();
    s.store
        .read(move |u| {
            let held = read_unlocked(u, id)?;
            file(u, &services, held)
        })
        .await
}

/// The paper's file, or its receipt.
///
/// # Errors
/// `not_found`, also for a receipt while something is due.
pub async fn download(s: &Services, _: &Staff, id: InvoiceId, document: Document) -> ServiceResult<Pdf> {
    let (services, now) = (s.clone(), s.clock.now());
    let (sheet, kind) = s
        .store
        .read(move |u| {
            let held = read_unlocked(u, id)?;
            if document == Document::Receipt && held.invoice.receipt.is_none() {
                return Err(ErrorCode::NotFound.into());
            }
            let kind = match (document, held.invoice.purpose) {
                (Document::Receipt, _) => "receipt",
                (Document::Invoice, Purpose::CreditNote) => "credit-note",
                (Document::Invoice, _) => "invoice",
            };
            let paper = paper_now(u, &services, &held.invoice, &held.partner, &held.members)?;
            let logo = paper::logo(u, &paper)?;
            Ok::<_, Error>((sheet::build(&held.invoice, &paper, logo, document, now), kind))
        })
        .await?;
    drawn(sheet, format!("{id}-{kind}.pdf")).await
}

/// These bookings, locked, if they may stand on a paper of this partner.
fn chosen(
    tx: &mut Tx<'_>,
    partner: PartnerId,
    ids: &[BookingId],
    own: Option<InvoiceId>,
) -> ServiceResult<Vec<Booking>> {
    let problem = match ids.len() {
        0 => Some(FieldProblem::Required),
        n if n > MOST => Some(FieldProblem::TooLong),
        _ => None,
    };
    if let Some(problem) = problem {
        return Err(Error::field("bookings", problem));
    }
    let all = lock(tx.unit, ids)?;
    tx.look_at_clock();
    let mut wanted = ids.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    if all.len() != wanted.len() || !all.iter().all(|b| may_stand(b, partner)) {
        return Err(Error::field("bookings", FieldProblem::Unknown));
    }
    for b in &all {
        let live = [issue::live(tx.unit, b, Purpose::Move)?, issue::batch_of(tx.unit, b)?];
        if live.into_iter().flatten().any(|i| Some(i.id) != own) {
            return Err(ErrorCode::InvoiceExists.into());
        }
    }
    Ok(all)
}

/// The database holds the same as [`chosen`].
fn taken(e: StoreError) -> Error {
    if matches!(e, StoreError::Duplicate(_)) { ErrorCode::InvoiceExists.into() } else { e.into() }
}

/// `POST /partner/{id}/invoices`: drafts one paper for the bookings of a period. They are on no other until it is thrown
/// away.
///
/// # Errors
/// `not_found`; `invoice_exists` when one of them is on another; the field `bookings` when there is none, or one that cannot
/// be invoiced to this partner; the field `to`.
pub async fn draft(s: &Services, staff: &Staff, partner: PartnerId, new_batch: NewBatch) -> ServiceResult<File> {
    ordered(new_batch.period)?;
    s.write(staff.actor(), move |tx| {
        let partner = partner_by_id(tx.unit, partner)?;
        let ids = match new_batch.bookings {
            Some(ids) => ids,
            None => candidates(tx.unit, &partner, new_batch.period)?.0.iter().map(|b| b.id).collect(),
        };
        let members = chosen(tx, partner.id, &ids, None)?;
        let whose = InvoiceOwner::partner(&partner, &members);
        let mut invoice = new(tx, &whose, Purpose::Batch);
        invoice.edits.period = Some(new_batch.period);
        invoice.edits.language = new_batch.language;
        let services = tx.services.clone();
        let paper = batch_paper::build(tx.unit, &services, &partner, &members, &invoice.edits)?;
        (invoice.total, invoice.words) = (paper.total, words(&invoice, &paper, &whose));
        tx.unit.invoices().insert(&invoice)?;
        let ids: Vec<BookingId> = members.iter().map(|b| b.id).collect();
        tx.unit.invoices().put_bookings(invoice.id, &ids, true).map_err(taken)?;
        tx.audit("invoice.draft", invoice.id, None, Some(audit_snapshot(&invoice, &ids)))?;
        file(tx.unit, &services, BatchInvoice { invoice, partner, members })
    })
    .await
}

/// What the audit trail keeps of an invoice, with its bookings.
pub(super) fn audit_snapshot(invoice: &Invoice, ids: &[BookingId]) -> serde_json::Value {
    let mut told = snapshot(invoice);
    told["bookings"] = serde_json::json!(ids);
    told
}

/// Only a draft of this version is changed.
fn changeable(invoice: &Invoice, version: i32) -> ServiceResult<()> {
    if !status_machine::invoice::editable(*invoice.state) {
        return Err(ErrorCode::InvoiceFrozen.into());
    }
    if invoice.version != version {
        return Err(StoreError::Stale.into());
    }
    Ok(())
}

fn rewrite(tx: &mut Tx<'_>, held: &mut BatchInvoice) -> ServiceResult<()> {
    let services = tx.services.clone();
    let paper = batch_paper::build(tx.unit, &services, &held.partner, &held.members, &held.invoice.edits)?;
    let whose = InvoiceOwner::partner(&held.partner, &held.members);
    let i = &mut held.invoice;
    (i.total, i.words, i.updated_at) = (paper.total, words(i, &paper, &whose), tx.now);
    i.version = tx.unit.invoices().update(i)?;
    Ok(())
}

/// `PUT /invoices/batch/{id}/bookings`: takes bookings out of a draft, or adds them.
///
/// # Errors
/// As [`draft`]; `invoice_frozen` once it was issued; `changed_elsewhere`.
pub async fn set_bookings(
    s: &Services,
    staff: &Staff,
    id: InvoiceId,
    bookings: Vec<BookingId>,
    version: i32,
) -> ServiceResult<File> {
    s.write(staff.actor(), move |tx| {
        let first = read_unlocked(tx.unit, id)?;
        changeable(&first.invoice, version)?;
        // Those that leave and those that come, in one order.
        let before: Vec<BookingId> = first.members.iter().map(|b| b.id).collect();
        let every: Vec<BookingId> = before.iter().chain(&bookings).copied().collect();
        lock(tx.unit, &every)?;
        let mut held = must(held(tx, id)?)?;
        changeable(&held.invoice, version)?;
        held.members = chosen(tx, held.partner.id, &bookings, Some(id))?;
        let ids: Vec<BookingId> = held.members.iter().map(|b| b.id).collect();
        held.invoice.edits.descriptions.retain(|key, _| ids.iter().any(|id| id.to_string() == *key));
        tx.unit.invoices().put_bookings(id, &ids, true).map_err(taken)?;
        let was = audit_snapshot(&held.invoice, &before);
        rewrite(tx, &mut held)?;
        tx.audit("invoice.edit", id, Some(was), Some(audit_snapshot(&held.invoice, &ids)))?;
        let services = tx.services.clone();
        file(tx.unit, &services, held)
    })
    .await
}

/// What staff write into a draft; its bookings and their period stay.
pub(super) fn edit(tx: &mut Tx<'_>, mut held: BatchInvoice, edits: Edits, version: i32) -> ServiceResult<File> {
    changeable(&held.invoice, version)?;
    let known = |key: &String| held.members.iter().any(|b| b.id.to_string() == *key);
    if !edits.descriptions.keys().all(known) {
        return Err(Error::field("lines", FieldProblem::Unknown));
    }
    bounded(&edits)?;
    let before = snapshot(&held.invoice);
    let (period, language) = (held.invoice.edits.period, edits.language.or(held.invoice.edits.language));
    let mut descriptions = edits.descriptions;
    descriptions.retain(|_, text| !text.trim().is_empty());
    held.invoice.edits = Edits { period, language, descriptions, ..edits };
    rewrite(tx, &mut held)?;
    tx.audit("invoice.edit", held.invoice.id, Some(before), Some(snapshot(&held.invoice)))?;
    let services = tx.services.clone();
    file(tx.unit, &services, held)
}
