//! One invoice.

use std::collections::BTreeMap;

use actix_web::web;
use kernel::{BookingId, Language};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    invoices::desk,
    ports::invoices::{Edits, InvoiceId},
};
use utoipa::ToSchema;
use validator::Validate;

use super::answer::InvoiceRecord;
use crate::{
    access::{AsStaff, Who},
    calls::{
        replies::{Json, NoContent, Reply, Versioned, versioned},
        values::LanguageCode,
    },
    contract::{CommonError, Names, Record, names, refusals},
    http::{IfMatch, PathId, ValidJson, Version, texts},
    state::State,
};

refusals! {
    /// Why no invoice is drafted.
    DraftRefusal { Rule: NotFound, InvoiceNeedsCompleted, InvoiceExists }
}

refusals! {
    /// Why an invoice is not sent.
    SendRefusal {
        Rule: InvoiceNeedsCompleted, InvoiceExists, TransitionRefused, CrewMissing, SlotGone, VersionConflict, PeriodClosed
    }
}

refusals! {
    /// Why an invoice is not taken back.
    VoidRefusal { Rule: TransitionRefused, CrewMissing, SlotGone, VersionConflict, PeriodClosed }
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

names! {
    InvoicedBooking: Record::Invoiced,
    DraftId: Record::MadeBy("draftInvoice"),
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
#[derive(Debug, Serialize, Deserialize, ToSchema, Validate)]
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
    /// Other descriptions of lines; on a partner's paper its own reference for a booking, by the booking's id.
    #[serde(default)]
    #[validate(length(max = 300), nested)]
    #[schema(max_items = 300)]
    lines: Vec<LineText>,
    /// Of a partner's paper: of its texts; stays when it is left out.
    #[serde(default)]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<String>,
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
    let EditRequest { buyer, address, reference, note, lines, language } = body.value;
    let descriptions: BTreeMap<String, String> = lines.into_iter().map(|l| (l.key, l.description)).collect();
    let language = language.as_deref().filter(|code| !code.is_empty());
    let language = language
        .map(|code| code.parse::<Language>().map_err(|_| CommonError::field("language", FieldProblem::Invalid)));
    let language = language.transpose()?;
    let edits = Edits { buyer, address, reference, note, descriptions, language, period: None };
    let done = desk::edit(&state.services, &who.0, id.0.0, edits, version.0).await?;
    versioned(done.invoice.version, InvoiceRecord::from(&done))
}

pub(super) async fn discard(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<DraftId>,
    version: IfMatch,
) -> Reply<NoContent, DiscardRefusal> {
    desk::discard(&state.services, &who.0, id.0.0, version.0).await?;
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
        recipient: done.recipient(),
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
