//! One invoice.

use std::{collections::BTreeMap, str::FromStr};

use actix_web::web;
use kernel::{
    BookingId,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use service::{
    invoices::desk::{self, File},
    ports::invoices::{Edits, Invoice, InvoiceId, Paper, PaperLine, PaperPayment, PaperTax, Party},
};
use utoipa::ToSchema;
use validator::Validate;

use crate::{
    access::{AsStaff, Who},
    calls::{
        replies::{Json, NoContent, Reply, Versioned, versioned},
        values::{Cash, InvoicePurposeCode, InvoiceStateCode, LanguageCode, PaidWithCode},
    },
    contract::{Names, Record, refusals},
    http::{PathId, ValidJson, Version, texts},
    state::State,
};

refusals! {
    /// Why no invoice is drafted.
    DraftRefusal { Rule: NotFound, InvoiceNeedsCompleted, InvoiceExists }
}

refusals! {
    /// Why an invoice is not sent.
    SendRefusal { Rule: InvoiceNeedsCompleted, TransitionRefused, CrewMissing, SlotGone, VersionConflict }
}

refusals! {
    /// Why an invoice is not taken back.
    VoidRefusal { Rule: TransitionRefused, CrewMissing, SlotGone, VersionConflict }
}

refusals! {
    /// Why a draft stays as it is.
    EditRefusal { Rule: InvoiceFrozen }
}

refusals! {
    /// Why a draft is not thrown away.
    DiscardRefusal { Rule: TransitionRefused, VersionConflict }
}

/// A booking that has an invoice.
pub(super) struct InvoicedBooking(pub BookingId);
/// An invoice that was not issued.
pub(super) struct DraftId(InvoiceId);

impl FromStr for InvoicedBooking {
    type Err = ();

    fn from_str(text: &str) -> Result<InvoicedBooking, ()> {
        text.parse().map(InvoicedBooking).map_err(drop)
    }
}

impl FromStr for DraftId {
    type Err = ();

    fn from_str(text: &str) -> Result<DraftId, ()> {
        text.parse().map(DraftId).map_err(drop)
    }
}

impl Names for InvoicedBooking {
    const RECORD: Record = Record::Invoiced;
}

impl Names for DraftId {
    const RECORD: Record = Record::MadeBy("draftInvoice");
}

impl Names for InvoiceId {
    const RECORD: Record = Record::Invoice;
}

/// Whose invoice.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct DraftRequest {
    /// The booking.
    #[schema(value_type = String, format = Uuid, max_length = 36)]
    booking_id: BookingId,
}

/// How it is sent.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct SendRequest {
    /// The rate that the client knows, as it shows it; the server has its own.
    #[serde(default)]
    #[validate(length(max = 20))]
    #[schema(max_length = 20)]
    #[allow(dead_code, reason = "accepted, and nothing is taken from it")]
    rate: Option<String>,
}

/// Why it is taken back.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct VoidRequest {
    /// The customer reads it on the credit note.
    #[validate(length(min = 1, max = 1000))]
    #[schema(min_length = 1, max_length = 1000)]
    reason: String,
}

/// Another description of a line.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct LineText {
    /// The `key` of the line.
    #[validate(length(max = 60))]
    #[schema(max_length = 60)]
    key: String,
    /// What it says; empty: what the booking says.
    #[validate(length(max = 1000))]
    #[schema(max_length = 1000)]
    description: String,
}

/// What staff write into a draft; what is left out is empty.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct EditRequest {
    /// To whom, where it is not the booking's customer.
    #[serde(default)]
    #[validate(length(max = 200))]
    #[schema(max_length = 200)]
    buyer: String,
    /// Lines below the name.
    #[serde(default)]
    #[validate(length(max = 1000))]
    #[schema(max_length = 1000)]
    address: String,
    /// The buyer's own number of the order.
    #[serde(default)]
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    reference: String,
    /// A paragraph below the sum.
    #[serde(default)]
    #[validate(length(max = 1000))]
    #[schema(max_length = 1000)]
    note: String,
    /// Other descriptions of lines.
    #[serde(default)]
    #[validate(length(max = 100), nested)]
    #[schema(max_items = 100)]
    lines: Vec<LineText>,
}

/// Somebody on paper.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoiceParty {
    name: String,
    lines: Vec<String>,
}

/// A registration number.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoiceRegistration {
    /// `gst`, `qst` or `neq`.
    name: String,
    number: String,
}

/// A line, before tax.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceLine {
    key: String,
    description: String,
    /// How the amount comes about.
    detail: String,
    quantity: String,
    unit: String,
    unit_price: String,
    amount: Cash,
}

/// A tax by itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoiceTax {
    /// `gst`, `qst`, `hst`.
    name: &'static str,
    /// Decimal: `0.09975`.
    rate: String,
    amount: Cash,
}

/// Money that came, or went back where it is below zero.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoicePayment {
    #[schema(value_type = String, format = Date)]
    on: NaiveDate,
    #[schema(value_type = PaidWithCode)]
    method: &'static str,
    card_last4: Option<String>,
    reference: Option<String>,
    amount: Cash,
}

/// What stands on it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoicePaper {
    #[schema(value_type = LanguageCode)]
    language: &'static str,
    seller: InvoiceParty,
    registrations: Vec<InvoiceRegistration>,
    buyer: InvoiceParty,
    reference: String,
    #[schema(value_type = String, format = Date)]
    move_date: NaiveDate,
    pickup: String,
    dropoff: String,
    lines: Vec<InvoiceLine>,
    subtotal: Cash,
    taxes: Vec<InvoiceTax>,
    total: Cash,
    /// What was paid before it was issued.
    payments: Vec<InvoicePayment>,
    /// What was left to pay then.
    due: Cash,
    note: String,
}

/// What staff wrote into a draft.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoiceEdits {
    buyer: String,
    address: String,
    reference: String,
    note: String,
}

/// A paper of the booking that has a number.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceDocument {
    id: String,
    #[schema(value_type = InvoicePurposeCode)]
    purpose: &'static str,
    #[schema(value_type = InvoiceStateCode)]
    state: &'static str,
    number: String,
    total: Cash,
    issued_at: Option<DateTime<Utc>>,
    /// There is a receipt of it.
    has_receipt: bool,
    /// Why it was taken back, or what a credit note is for.
    reason: Option<String>,
}

/// An invoice.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceRecord {
    id: String,
    booking_id: String,
    short_id: String,
    #[schema(value_type = InvoicePurposeCode)]
    purpose: &'static str,
    #[schema(value_type = InvoiceStateCode)]
    state: &'static str,
    /// None for a draft.
    number: Option<String>,
    issued_at: Option<DateTime<Utc>>,
    due_at: Option<DateTime<Utc>>,
    sent_at: Option<DateTime<Utc>>,
    paid_at: Option<DateTime<Utc>>,
    voided_at: Option<DateTime<Utc>>,
    /// Why it was taken back.
    reason: Option<String>,
    /// What is left to pay now.
    due: Cash,
    currency: &'static str,
    version: i32,
    /// Zone of its days.
    zone: String,
    paper: InvoicePaper,
    edits: InvoiceEdits,
    /// All papers of the booking that have a number, oldest first.
    documents: Vec<InvoiceDocument>,
}

/// An invoice that is on its way.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoiceSent {
    invoice: InvoiceRecord,
    /// To whom.
    recipient: String,
    /// False: it went out within the last minute already.
    queued: bool,
    /// "Invoice sent."
    message: String,
    /// What to expect.
    detail: String,
}

impl From<&Party> for InvoiceParty {
    fn from(p: &Party) -> InvoiceParty {
        InvoiceParty { name: p.name.clone(), lines: p.lines.clone() }
    }
}

impl From<&PaperLine> for InvoiceLine {
    fn from(l: &PaperLine) -> InvoiceLine {
        InvoiceLine {
            key: l.key.clone(),
            description: l.description.clone(),
            detail: l.detail.clone(),
            quantity: l.quantity.clone(),
            unit: l.unit.clone(),
            unit_price: l.unit_price.clone(),
            amount: l.amount.into(),
        }
    }
}

impl From<&PaperTax> for InvoiceTax {
    fn from(t: &PaperTax) -> InvoiceTax {
        InvoiceTax { name: t.tax.code(), rate: t.rate.decimal().normalize().to_string(), amount: t.amount.into() }
    }
}

impl From<&PaperPayment> for InvoicePayment {
    fn from(p: &PaperPayment) -> InvoicePayment {
        InvoicePayment {
            on: p.on,
            method: p.method.code(),
            card_last4: p.last4.clone(),
            reference: p.reference.clone(),
            amount: p.amount.into(),
        }
    }
}

impl From<&Paper> for InvoicePaper {
    fn from(p: &Paper) -> InvoicePaper {
        let number =
            |(name, number): &(String, String)| InvoiceRegistration { name: name.clone(), number: number.clone() };
        InvoicePaper {
            language: p.language.code(),
            seller: InvoiceParty::from(&p.seller),
            registrations: p.registrations.iter().map(number).collect(),
            buyer: InvoiceParty::from(&p.buyer),
            reference: p.reference.clone(),
            move_date: p.move_date,
            pickup: p.pickup.clone(),
            dropoff: p.dropoff.clone(),
            lines: p.lines.iter().map(InvoiceLine::from).collect(),
            subtotal: p.subtotal.into(),
            taxes: p.taxes.iter().map(InvoiceTax::from).collect(),
            total: p.total.into(),
            payments: p.payments.iter().map(InvoicePayment::from).collect(),
            due: p.due.into(),
            note: p.note.clone(),
        }
    }
}

impl From<&Invoice> for InvoiceDocument {
    fn from(i: &Invoice) -> InvoiceDocument {
        InvoiceDocument {
            id: i.id.to_string(),
            purpose: i.purpose.code(),
            state: i.state.code(),
            number: i.number_text(),
            total: i.total.into(),
            issued_at: i.issued_at,
            has_receipt: i.receipt.is_some(),
            reason: i.reason.clone(),
        }
    }
}

impl From<&File> for InvoiceRecord {
    fn from(f: &File) -> InvoiceRecord {
        let (i, e) = (&f.invoice, &f.invoice.edits);
        InvoiceRecord {
            id: i.id.to_string(),
            booking_id: i.booking_id.to_string(),
            short_id: f.booking.short_id.as_str().to_owned(),
            purpose: i.purpose.code(),
            state: i.state.code(),
            number: i.number.as_ref().map(ToString::to_string),
            issued_at: i.issued_at,
            due_at: i.due_at,
            sent_at: i.sent_at,
            paid_at: i.paid_at,
            voided_at: i.voided_at,
            reason: i.reason.clone(),
            due: f.due.into(),
            currency: "CAD",
            version: i.version,
            zone: f.booking.zone.to_string(),
            paper: InvoicePaper::from(&f.paper),
            edits: InvoiceEdits {
                buyer: e.buyer.clone(),
                address: e.address.clone(),
                reference: e.reference.clone(),
                note: e.note.clone(),
            },
            documents: f.all.iter().map(InvoiceDocument::from).collect(),
        }
    }
}

pub(super) async fn draft(
    state: web::Data<State>,
    who: AsStaff,
    body: ValidJson<DraftRequest>,
) -> Reply<Json<InvoiceRecord, 201>, DraftRefusal> {
    let made = desk::draft(&state.services, &who.0, body.value.booking_id).await?;
    Ok(Json(InvoiceRecord::from(&made)))
}

pub(super) async fn get(
    state: web::Data<State>,
    who: Who,
    id: PathId<InvoicedBooking>,
) -> Reply<Versioned<InvoiceRecord>> {
    let found = desk::of_booking(&state.services, &who.0, id.0.0).await?;
    versioned(found.invoice.version, InvoiceRecord::from(&found))
}

pub(super) async fn edit(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<DraftId>,
    version: Version,
    body: ValidJson<EditRequest>,
) -> Reply<Versioned<InvoiceRecord>, EditRefusal> {
    let EditRequest { buyer, address, reference, note, lines } = body.value;
    let descriptions: BTreeMap<String, String> = lines.into_iter().map(|l| (l.key, l.description)).collect();
    let edits = Edits { buyer, address, reference, note, descriptions };
    let done = desk::edit(&state.services, &who.0, id.0.0, edits, version.0).await?;
    versioned(done.invoice.version, InvoiceRecord::from(&done))
}

pub(super) async fn discard(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<DraftId>,
) -> Reply<NoContent, DiscardRefusal> {
    desk::discard(&state.services, &who.0, id.0.0).await?;
    Ok(NoContent)
}

pub(super) async fn send(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<InvoiceId>,
    _body: ValidJson<SendRequest>,
) -> Reply<Json<InvoiceSent>, SendRefusal> {
    let language = who.0.caller().language;
    let done = desk::send(&state.services, &who.0, id.0).await?;
    Ok(Json(InvoiceSent {
        invoice: InvoiceRecord::from(&done),
        recipient: done.booking.details.customer_email.clone(),
        queued: done.queued,
        message: texts::text("invoice.sent", language),
        detail: texts::text("invoice.fileSent", language),
    }))
}

pub(super) async fn void(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<InvoiceId>,
    body: ValidJson<VoidRequest>,
) -> Reply<Json<InvoiceRecord>, VoidRefusal> {
    let done = desk::take_back(&state.services, &who.0, id.0, body.value.reason).await?;
    Ok(Json(InvoiceRecord::from(&done)))
}
