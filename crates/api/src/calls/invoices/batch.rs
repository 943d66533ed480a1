//! One invoice for many moves of a partner.

use actix_web::web;
use kernel::{BookingId, Language, PartnerId, chrono::NaiveDate};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    invoices::{
        batch::{self, NewBatch, Uninvoiced},
        batch_payment::{self, Received},
        batch_steps,
        record::File,
        sheet::Document,
    },
    ports::{invoices::InvoiceId, payments::PaidWith},
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    answer::{InvoiceBooking, InvoicePartner, InvoiceRecord, InvoiceTax},
    file::{InvoiceDocumentKind, InvoiceFile, pdf},
};
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Made, Once, Reply, Versioned, versioned},
        values::{BookingKey, Cash, HandMethodCode, LanguageCode},
    },
    contract::{CommonError, Record, names, refusals},
    http::{IdempotencyKey, PathId, ValidJson, ValidQuery, Version},
    state::State,
};

refusals! {
    /// Why no invoice is drafted for a partner.
    BatchDraftRefusal { Rule: InvoiceExists }
}

refusals! {
    /// Why the bookings of a draft stay as they are.
    BatchBookingsRefusal { Rule: InvoiceExists, InvoiceFrozen }
}

refusals! {
    /// Why an invoice of a partner is not issued.
    BatchIssueRefusal { Rule: TransitionRefused, CrewMissing, SlotGone, VersionConflict, PeriodClosed }
}

refusals! {
    /// Why a payment of a partner is not written down.
    BatchPaymentRefusal { Rule: NothingOwed, PaymentRecorded, PaymentInFlight, PeriodClosed, VersionConflict }
}

/// A partner with a move that was done and is to be invoiced.
pub(super) struct BilledPartner(PartnerId);
/// An invoice of a partner that was not issued.
pub(super) struct BatchId(InvoiceId);
/// An invoice of a partner that was issued.
pub(super) struct IssuedBatch(InvoiceId);

names! {
    BilledPartner: Record::BilledPartner,
    BatchId: Record::MadeBy("draftPartnerInvoice"),
    IssuedBatch: Record::IssuedBatch,
}

/// Which moves.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct PeriodQuery {
    /// First day of the moves.
    #[schema(value_type = String, format = Date)]
    from: NaiveDate,
    /// Last day of the moves.
    #[schema(value_type = String, format = Date)]
    to: NaiveDate,
}

fn ids(keys: Vec<BookingKey>) -> Vec<BookingId> {
    keys.into_iter().map(|key| key.0).collect()
}

/// For which moves.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct BatchRequest {
    /// First day of the moves.
    #[schema(value_type = String, format = Date)]
    from: NaiveDate,
    /// Last day of the moves.
    #[schema(value_type = String, format = Date)]
    to: NaiveDate,
    /// Only these bookings; all of the period that are not on an invoice when it is left out.
    #[serde(default)]
    #[validate(length(max = 300))]
    #[schema(max_items = 300)]
    bookings: Option<Vec<BookingKey>>,
    /// Of its texts; the partner's when it is left out.
    #[serde(default)]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<String>,
}

/// Which bookings are on a draft.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct BatchBookingsRequest {
    /// All of them; whoever is left out is taken off it.
    #[validate(length(min = 1, max = 300))]
    #[schema(min_items = 1, max_items = 300)]
    bookings: Vec<BookingKey>,
}

/// A payment for the paper.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct BatchPaymentRequest {
    #[schema(value_type = HandMethodCode)]
    method: String,
    /// At most what is owed for all of its bookings.
    amount: Cash,
    /// Number of the transfer or cheque; not needed for cash.
    #[serde(default)]
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    reference: Option<String>,
}

/// Which document.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct BatchFileQuery {
    /// Which.
    #[serde(default)]
    document: InvoiceDocumentKind,
}

/// Moves of a partner that were done and are on no invoice.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UninvoicedMoves {
    partner: InvoicePartner,
    /// Days the partner has to pay.
    net_days: i32,
    /// Of an invoice, when nobody says another.
    #[schema(value_type = LanguageCode)]
    language: &'static str,
    #[schema(value_type = String, format = Date)]
    from: NaiveDate,
    #[schema(value_type = String, format = Date)]
    to: NaiveDate,
    /// In the order of their moves.
    bookings: Vec<InvoiceBooking>,
    /// Before tax.
    subtotal: Cash,
    /// Each tax by itself, of each province.
    taxes: Vec<InvoiceTax>,
    total: Cash,
    /// What is left to pay for them.
    due: Cash,
    /// There are more than one invoice takes.
    is_more: bool,
}

impl From<&Uninvoiced> for UninvoicedMoves {
    fn from(found: &Uninvoiced) -> UninvoicedMoves {
        let (_, taxes, subtotal, total) = &found.sums;
        UninvoicedMoves {
            partner: InvoicePartner::from(&found.partner),
            net_days: found.partner.net_days,
            language: service::invoices::batch_paper::language_of(&found.partner).code(),
            from: found.period.0,
            to: found.period.1,
            bookings: found.bookings.iter().map(InvoiceBooking::from).collect(),
            subtotal: (*subtotal).into(),
            taxes: taxes.iter().map(InvoiceTax::from).collect(),
            total: (*total).into(),
            due: found.due.into(),
            is_more: found.is_more,
        }
    }
}

fn render(file: &File) -> InvoiceRecord {
    InvoiceRecord::from(file)
}

fn language_of(text: Option<&str>) -> Result<Option<Language>, CommonError> {
    let read = |code: &str| code.parse::<Language>().map_err(|_| CommonError::field("language", FieldProblem::Invalid));
    text.filter(|code| !code.is_empty()).map(read).transpose()
}

pub(super) async fn uninvoiced(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BilledPartner>,
    query: ValidQuery<PeriodQuery>,
) -> Reply<Json<UninvoicedMoves>> {
    let PeriodQuery { from, to } = query.value;
    let found = batch::uninvoiced(&state.services, &who.0, id.0.0, (from, to)).await?;
    Ok(Json(UninvoicedMoves::from(&found)))
}

pub(super) async fn draft(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BilledPartner>,
    body: ValidJson<BatchRequest>,
) -> Reply<Json<InvoiceRecord, 201>, BatchDraftRefusal> {
    let BatchRequest { from, to, bookings, language } = body.value;
    let new = NewBatch { period: (from, to), bookings: bookings.map(ids), language: language_of(language.as_deref())? };
    let made = batch::draft(&state.services, &who.0, id.0.0, new).await?;
    Ok(Json(render(&made)))
}

pub(super) async fn get(state: web::Data<State>, who: AsStaff, id: PathId<BatchId>) -> Reply<Versioned<InvoiceRecord>> {
    let found = batch::get(&state.services, &who.0, id.0.0).await?;
    versioned(found.invoice.version, render(&found))
}

pub(super) async fn set_bookings(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BatchId>,
    version: Version,
    body: ValidJson<BatchBookingsRequest>,
) -> Reply<Versioned<InvoiceRecord>, BatchBookingsRefusal> {
    let done = batch::set_bookings(&state.services, &who.0, id.0.0, ids(body.value.bookings), version.0).await?;
    versioned(done.invoice.version, render(&done))
}

pub(super) async fn issue(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BatchId>,
) -> Reply<Json<InvoiceRecord>, BatchIssueRefusal> {
    let done = batch_steps::issue(&state.services, &who.0, id.0.0).await?;
    Ok(Json(render(&done)))
}

pub(super) async fn pay(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<IssuedBatch>,
    key: IdempotencyKey,
    body: ValidJson<BatchPaymentRequest>,
) -> Reply<Once<InvoiceRecord, 201>, BatchPaymentRefusal> {
    let call = format!("POST /api/invoices/batch/{}/payments", id.0.0);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let BatchPaymentRequest { method, amount, reference } = body.value;
    let method = PaidWith::from_code(&method).ok_or_else(|| CommonError::field("method", FieldProblem::Unknown))?;
    let new = Received { method, amount: amount.0, reference };
    let done = batch_payment::record(&state.services, &who.0, id.0.0, new, guard).await?;
    Ok(Once::of(done, render)?)
}

pub(super) async fn download(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BatchId>,
    query: ValidQuery<BatchFileQuery>,
) -> Reply<Made<InvoiceFile>> {
    let document = match query.value.document {
        InvoiceDocumentKind::Invoice => Document::Invoice,
        InvoiceDocumentKind::Receipt => Document::Receipt,
    };
    let made = batch::download(&state.services, &who.0, id.0.0, document).await?;
    Ok(pdf(made))
}
